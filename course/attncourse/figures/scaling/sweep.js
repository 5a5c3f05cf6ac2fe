// Scores divided by d_k to the power of p, for every d_k at once: the numbers.
import { softmax } from "../kit/maths.js";
import { snap } from "../kit/drag.js";

/** For each d_k the spread of the scores divided by d_k to the power of p, and the
 *  largest weight of each query. */
export function sweep(scores, spreads, sizes, p) {
  return sizes.map((dK, i) => ({
    spread: spreads[i] / dK ** p,
    largest: (scores[i] ?? []).map((row) => Math.max(...softmax(row.map((s) => s / dK ** p)))),
  }));
}

/** The exponent, in steps of 0.05, that takes a spread at d_k to about the wanted one. */
export function exponentFor(spread, dK, wanted) {
  return snap(Math.log(spread / wanted) / Math.log(dK), 0, 1, 0.05);
}

/** The middle of a list of numbers. */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b), end = sorted.length - 1;
  return (sorted[Math.floor(end / 2)] + sorted[Math.ceil(end / 2)]) / 2;
}
