// Where each array lies in the model's bytes, and how to read it. See pack.py.

const isMatrix = (shape) => shape.length === 2;

// List the model's arrays in order: [name, ...shape], for each layer under its number.
export function listArrays({ shared, layer, nLayers }) {
  const numbers = Array.from({ length: nLayers }, (_, i) => i);
  const ofLayer = (i) => layer.map(([name, ...shape]) => [`${i}.${name}`, ...shape]);
  return [...shared, ...numbers.flatMap(ofLayer)];
}

// How many bytes an array takes: a matrix has int8 levels and 16 bits of scale a group.
export function countBytes(shape, group) {
  const size = shape.reduce((a, b) => a * b);
  return isMatrix(shape) ? size + (2 * size) / group : 4 * size;
}

// Find the length of all arrays put together.
export function totalBytes(manifest) {
  const sizes = listArrays(manifest).map(([, ...shape]) => countBytes(shape, manifest.group));
  return sizes.reduce((a, b) => a + b);
}

// Read all arrays: by name a Float32Array, or { levels, scales, nRows, nColumns }.
export function readArrays(bytes, manifest) {
  const found = new Map();
  let start = 0;
  for (const [name, ...shape] of listArrays(manifest)) {
    found.set(name, readArray(bytes, start, shape, manifest.group));
    start += countBytes(shape, manifest.group);
  }
  return found;
}

function readArray(bytes, start, shape, group) {
  if (isMatrix(shape)) return readMatrix(bytes, start, ...shape, group);
  return new Float32Array(bytes.buffer, bytes.byteOffset + start, shape[0]);
}

// Read a matrix of int8 levels, row by row, then one scale for each group of a row.
export function readMatrix(bytes, start, nRows, nColumns, group) {
  const from = bytes.byteOffset + start;
  const levels = new Int8Array(bytes.buffer, from, nRows * nColumns);
  const halves = new Uint16Array(bytes.buffer, from + levels.length, levels.length / group);
  // A scale is a float32 of which the upper 16 bits are kept.
  const scales = new Float32Array(Uint32Array.from(halves, (half) => half << 16).buffer);
  return { levels, scales, nRows, nColumns, group };
}

// Write one row of a matrix, as numbers, into `target` from `at`; add to what is there.
export function addRow(target, at, { levels, scales, nColumns, group }, row) {
  for (let i = 0, k = row * nColumns; i < nColumns; i++, k++) {
    target[at + i] += levels[k] * scales[Math.floor(k / group)];
  }
}
