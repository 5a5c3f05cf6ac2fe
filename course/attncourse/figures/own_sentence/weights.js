// What the figure computes from a reading of a sentence: { tokens, weights }, where
// weights[((layer * N_HEADS + head) * n + query) * n + key] is a number from 0 to 1.

export const N_LAYERS = 6, N_HEADS = 12, MOST_CELLS = 24;

/** A stored sentence's weights: a text in which each character stands as many hundredths
 *  past "#" as its weight has, head by head, each by columns. */
export function unpack(text, n) {
  const weights = new Float32Array(text.length);
  for (let k = 0; k < text.length; k += 1) {
    const key = Math.floor(k / n) % n, query = k % n, start = k - (k % (n * n));
    weights[start + query * n + key] = (text.charCodeAt(k) - "#".charCodeAt()) / 100;
  }
  return weights;
}

/** What one token gives to each, in one head. */
export function rowOf({ tokens, weights }, layer, head, query) {
  const n = tokens.length, start = ((layer * N_HEADS + head) * n + query) * n;
  return [...weights.slice(start, start + n)];
}

/** The matrix of one head: a row for each token that asks. */
export function headOf(reading, layer, head) {
  return reading.tokens.map((_, query) => rowOf(reading, layer, head, query));
}

/** A table with a value for each head of each layer. */
function forAll(value) {
  return Array.from({ length: N_LAYERS }, (_, layer) =>
    Array.from({ length: N_HEADS }, (__, head) => value(layer, head)));
}

/** The place in another sentence of the token at a place in this one: counted from the
 *  start where both begin alike up to there, else from the end. */
export function partner(tokens, others, place) {
  const alike = tokens.slice(0, place + 1).every((token, i) => token === others[i]);
  if (alike || tokens.length === others.length) return place;
  return Math.min(Math.max(others.length - (tokens.length - place), 0), others.length - 1);
}

/** How much of its weight a token moves between two sentences, in each head of each layer:
 *  half the sum of the differences. null if their tokens cannot be set side by side. */
export function changes(first, second, place) {
  if (!second || first.tokens.length !== second.tokens.length) return null;
  return forAll((layer, head) => {
    const other = rowOf(second, layer, head, place);
    return rowOf(first, layer, head, place).reduce((sum, w, j) => sum + Math.abs(w - other[j]), 0) / 2;
  });
}

/** A matrix with at most `most` rows: each cell the largest of the cells it stands for. */
export function pooled(matrix, most = MOST_CELLS) {
  const step = Math.ceil(matrix.length / most), m = Math.ceil(matrix.length / step);
  const small = Array.from({ length: m }, () => Array(m).fill(0));
  matrix.forEach((row, i) => row.forEach((weight, j) => {
    const [a, b] = [Math.floor(i / step), Math.floor(j / step)];
    small[a][b] = Math.max(small[a][b], weight);
  }));
  return small;
}

/** All cells of a matrix from `low` to below `high`, as one path in a drawing. */
export function cells(matrix, low, high, x, y, cell, tall = cell) {
  let path = "";
  matrix.forEach((row, i) => row.forEach((weight, j) => {
    if (weight < low || weight >= high) return;
    const [left, top] = [x + j * cell, y + i * tall].map((at) => Math.round(100 * at) / 100);
    path += `M${left} ${top}h${cell}v${tall}h-${cell}z`;
  }));
  return path;
}

const largestOf = (sizes, count) => sizes.map((w, j) => [w, j]).sort((a, b) => b[0] - a[0] || a[1] - b[1]).slice(0, count).map(([, j]) => j);

/** The tokens that a row gives most to: “dog 0.53, food 0.05”. */
export function most(tokens, row, count = 3) {
  return largestOf(row, count).map((j) => `${tokens[j]} ${row[j].toFixed(2)}`).join(", ");
}

/** The two whose weight changes most from one row to another: “dog 0.53 to 0.10, food 0.05 to 0.25”. */
export function mostMoved(tokens, row, other) {
  const sizes = row.map((w, j) => Math.abs(w - other[j]));
  return largestOf(sizes, 2).map((j) => `${tokens[j]} ${row[j].toFixed(2)} to ${other[j].toFixed(2)}`).join(", ");
}
