// The arithmetic that a slider has to repeat in the page: pure functions on arrays.
// attnlib is the implementation; test_declared.py compares what figures make of each.

/** Sum of products: q · k. */
export function dot(a, b) {
  return a.reduce((sum, x, i) => sum + x * b[i], 0);
}

/** Weights of one row of scores: positive, sum 1. A row of all −∞ gives zeros. */
export function softmax(scores) {
  const top = Math.max(...scores);
  if (top === -Infinity) return scores.map(() => 0);
  const powers = scores.map((s) => Math.exp(s - top));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((p) => p / sum);
}

/** Scores divided by the square root of d_k. */
export function scaleScores(scores, dK) {
  return scores.map((s) => s / Math.sqrt(dK));
}

/** Frobenius norm of a matrix: the root of the sum of its squares. */
export function norm(matrix) {
  return Math.sqrt(matrix.flat().reduce((sum, x) => sum + x * x, 0));
}

/** Cosine of the angle between two vectors; 0 if either is the zero vector. */
export function cosine(a, b) {
  const size = norm([a]) * norm([b]);
  return size > 0 ? Math.min(Math.max(dot(a, b) / size, -1), 1) : 0;
}

/** Matrix product: rows of x times the columns of w. */
export function multiply(x, w) {
  return x.map((row) => w[0].map((_, j) => dot(row, w.map((line) => line[j]))));
}

/** Every query against every key: a row for each query, a column for each key. */
export function dotProductScores(query, key) {
  return query.map((q) => key.map((k) => dot(q, k)));
}

/** How much every query attends to the keys that it is allowed: softmax(QKᵀ / √d_k). */
export function maskedWeights(query, key, allowed) {
  return dotProductScores(query, key).map((row, i) => {
    const scaled = scaleScores(row, key[0].length);
    return softmax(scaled.map((s, j) => (allowed[i][j] ? s : -Infinity)));
  });
}

/** The encoding of a position: sine and cosine of an angle for each pair of columns. */
export function positionalEncoding(position, dModel, base) {
  return Array.from({ length: dModel }, (_, j) => {
    const angle = position / base ** ((j - (j % 2)) / dModel);
    return j % 2 === 0 ? Math.sin(angle) : Math.cos(angle);
  });
}

/** The weighted mean of values in one pass over their scores. For each key read:
 *  [largest score so far, factor that shrinks what came before, sum, ...mean]. */
export function onlineSoftmax(scores, values) {
  let largest = -Infinity, sum = 0, mixed = values[0].map(() => 0);
  return scores.map((score, j) => {
    const before = largest;
    largest = Math.max(before, score);
    const factor = Math.exp(before - largest), power = Math.exp(score - largest);
    sum = sum * factor + power;
    mixed = mixed.map((m, i) => m * factor + power * values[j][i]);
    return [largest, factor, sum, ...mixed.map((m) => m / sum)];
  });
}
