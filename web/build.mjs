// Bundles src/main.js and three.js into one file that the Python package ships, and puts the licence beside it.
import { copyFileSync, readFileSync } from "node:fs";
import { build } from "esbuild";

const out = new URL("../compas_nscd/data/", import.meta.url).pathname;
await build({
  entryPoints: [new URL("src/main.js", import.meta.url).pathname],
  outfile: out + "report.js",
  bundle: true,
  format: "iife",
  minify: true,
  target: "es2020",
  charset: "ascii",
  legalComments: "inline",
});
copyFileSync(new URL("node_modules/three/LICENSE", import.meta.url).pathname, out + "three.LICENSE.txt");
const script = readFileSync(out + "report.js", "utf8");
if (/<\/script|<!--/i.test(script)) throw new Error("the bundle could end the script element it stands in");
console.log(`report.js: ${(script.length / 1024).toFixed(0)} kB`);
