// Bundles src/main.js and three.js into one file that the Python package ships, and puts the licence beside it.
import { createHash } from "node:crypto";
import { copyFileSync, readFileSync, readdirSync } from "node:fs";
import { build } from "esbuild";

// Digest of the sources, by which a test sees that the bundle was made of them.
const here = (name) => new URL(name, import.meta.url).pathname;
const digest = createHash("sha256");
for (const name of ["package.json", ...readdirSync(here("src")).sort().map((file) => `src/${file}`)]) digest.update(readFileSync(here(name)));

const out = new URL("../compas_nscd/report/data/", import.meta.url).pathname;
await build({
  entryPoints: [here("src/main.js")],
  outfile: out + "report.js",
  bundle: true,
  format: "iife",
  minify: true,
  target: "es2020",
  charset: "ascii",
  legalComments: "inline",
  banner: { js: `/* compas_nscd page, sources ${digest.digest("hex")} */` },
});
copyFileSync(here("node_modules/three/LICENSE"), out + "three.LICENSE.txt");
const script = readFileSync(out + "report.js", "utf8");
if (/<\/script|<!--/i.test(script)) throw new Error("the bundle could end the script element it stands in");
console.log(`report.js: ${(script.length / 1024).toFixed(0)} kB`);
