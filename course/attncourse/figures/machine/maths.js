// What the machine computes from what it is given: pure functions on arrays of rows.
// attnlib is the implementation; tests compare each of these with it.
import { dotProductScores, multiply, scaleScores, softmax } from "../kit/maths.js";

/** Two matrices added up. */
export function plus(a, b) {
  return a.map((row, i) => row.map((x, j) => x + b[i][j]));
}

/** One head: all that lies between the rows X and what it adds to them. A query and a key
 *  that may not meet get the scaled score −∞. Without allowed, all may. R has the rows that
 *  are looked at. */
function attend(X, { WQ, WK, WV, WO }, allowed, R = X) {
  const Q = multiply(X, WQ), K = multiply(R, WK), V = multiply(R, WV);
  const S = dotProductScores(Q, K), D = S.map((row, i) => scaleScores(row, K[0].length)
    .map((score, j) => (!allowed || allowed[i][j] ? score : -Infinity)));
  const A = D.map(softmax), O = multiply(A, V), U = multiply(O, WO);
  return { X, R, WQ, WK, WV, WO, Q, K, V, S, D, A, O, U };
}

/** Heads side by side: C holds their outputs next to each other, WC their W^O one below
 *  another, and Z is what they add to the rows together. */
function sideBySide(X, heads, allowed) {
  const each = heads.map((head) => attend(X, head, allowed));
  const C = X.map((_, i) => each.flatMap(({ O }) => O[i])), WC = heads.flatMap(({ WO }) => WO);
  const Z = multiply(C, WC);
  return each.map((one) => ({ ...one, C, WC, Z }));
}

/** The two products of a network for one row, with max(0, ·) between them. */
export function feedForward(rows, [w1, b1, w2, b2]) {
  const hidden = multiply(rows, w1).map((row) => row.map((x, h) => Math.max(0, x + b1[h])));
  return multiply(hidden, w2).map((row) => row.map((x, j) => x + b2[j]));
}

/** Layers one after another: Y is X and what attention adds, N is Y and what the network
 *  adds, and the next layer's X. */
function inLayers(X, layers, network, allowed, R) {
  const done = [];
  for (const layer of layers) {
    const one = attend(done.length ? done.at(-1).N : X, layer, allowed, R), Y = plus(one.X, one.U);
    done.push({ ...one, Y, N: plus(Y, feedForward(Y, network)) });
  }
  return done;
}

/** Who may look at whom where nobody sees what comes later. */
function pastOnly(n) {
  return Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => j <= i));
}

/** A copy of what is given with a reader's edits, each [block, matrix, row, column, number]. */
function withEdits(given, choice, edits) {
  const [X, P, R, blocks] = structuredClone([given.rows[choice], given.positions[choice], given.read?.rows[choice], given.blocks]);
  const words = P ? { E: X, P } : R ? { X, R } : { X };
  for (const [block, base, i, j, number] of edits) (words[base] ?? blocks[block][base])[i][j] = number;
  return { words, blocks };
}

/** All tables of the machine, a set for each head or layer. */
export function runMachine({ given, choice, edits, masked }) {
  const { words, blocks } = withEdits(given, choice, edits), X = words.X ?? plus(words.E, words.P);
  const allowed = masked ? pastOnly(X.length) : undefined;
  if (given.network.length) return inLayers(X, blocks, given.network, allowed, words.R);
  return sideBySide(X, blocks, allowed).map((one) => ({ ...words, ...one }));
}
