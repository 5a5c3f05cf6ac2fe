// What the figure of lesson 9 computes: pure functions.
import { maskedWeights, multiply } from "../kit/maths.js";

/** Query i may look at the keys j ≤ i + ahead; cells that were clicked are flipped. */
export function maskOf(n, ahead, flipped) {
  return Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) =>
    (j <= i + ahead) !== flipped.includes(i * n + j)));
}

const plus = (a, b) => a.map((row, i) => row.map((x, j) => x + b[i][j]));
const shifted = (rows, bias) => rows.map((row) => row.map((x, j) => x + bias[j]));

/** Two layers under a mask, as lesson 8 has them: attention is added, then what the network
 *  makes of each row. Gives the weights of the second and the rows in the end. */
export function twoLayers(rows, layers, [w1, b1, w2, b2], allowed) {
  let weights;
  for (const [wQuery, wKey, wValue, wOutput] of layers) {
    weights = maskedWeights(multiply(rows, wQuery), multiply(rows, wKey), allowed);
    rows = plus(rows, multiply(multiply(weights, multiply(rows, wValue)), wOutput));
    const hidden = shifted(multiply(rows, w1), b1).map((row) => row.map((x) => Math.max(0, x)));
    rows = plus(rows, shifted(multiply(hidden, w2), b2));
  }
  return { weights, rows };
}

/** Which rows of two tables differ. */
export function changed(before, after) {
  return after.map((row, i) => row.some((x, j) => Math.abs(x - before[i][j]) > 1e-9));
}

/** The next word for a place: after the one that stands there, or after the old one. */
export function next(words, began, { place, word }, chosen) {
  return words[(words.indexOf(chosen === place ? word : began[chosen - 1]) + 1) % words.length];
}
