// Reads the header and the arrays that report_data.py packed into the page.

const FORMAT = 1;
const TYPES = { f4: Float32Array, i4: Int32Array, i2: Int16Array, u1: Uint8Array };

export async function readData() {
  const header = JSON.parse(document.getElementById("result-header").textContent);
  if (header.format !== FORMAT) throw new Error(`The data of this page have format ${header.format}, not ${FORMAT}.`);
  const packed = decodeBase64(document.getElementById("result-arrays").textContent);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const buffer = await new Response(stream).arrayBuffer();
  const arrays = {};
  for (const [name, place] of Object.entries(header.arrays)) {
    const count = place.shape.reduce((a, b) => a * b, 1);
    arrays[name] = new TYPES[place.type](buffer, place.offset, count);
  }
  return { ...header, arrays };
}

function decodeBase64(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

// Row i of an array with three columns.
export const row3 = (array, i) => [array[3 * i], array[3 * i + 1], array[3 * i + 2]];
