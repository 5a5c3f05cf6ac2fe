// What a layer is made of, each with the way back for its gradient. A batch of texts is
// one matrix: a row for each token of the first text, then of the second, and so on.
import { block, matrix, product, transposed } from "./matrices.js";

const EPS = 1e-5;

/** Divide each row by the root of its mean square. */
export function rmsNorm(x) {
  const out = matrix(x.rows, x.columns);
  for (let i = 0, r = 0; i < x.rows; i++, r += x.columns) {
    const root = rootMeanSquare(x, r);
    for (let j = r; j < r + x.columns; j++) out.data[j] = x.data[j] / root;
  }
  return out;
}

/** The gradient for what rmsNorm was given: (g − y mean(g y)) / root, row by row. */
export function rmsNormBack(x, grad) {
  const out = matrix(x.rows, x.columns), d = x.columns;
  for (let i = 0, r = 0; i < x.rows; i++, r += d) {
    const root = rootMeanSquare(x, r);
    let mean = 0;
    for (let j = r; j < r + d; j++) mean += (grad.data[j] * x.data[j]) / root / d;
    for (let j = r; j < r + d; j++) {
      out.data[j] = (grad.data[j] - (mean * x.data[j]) / root) / root;
    }
  }
  return out;
}

function rootMeanSquare(x, start) {
  let sum = 0;
  for (let j = start; j < start + x.columns; j++) sum += x.data[j] ** 2;
  return Math.sqrt(sum / x.columns + EPS);
}

/** The softmax of the first `kept` numbers of a row, in place; the others become 0. */
export function softmaxRow(data, start, end, kept) {
  let top = -Infinity, sum = 0;
  for (let j = start; j < start + kept; j++) top = Math.max(top, data[j]);
  for (let j = start; j < start + kept; j++) sum += data[j] = Math.exp(data[j] - top);
  for (let j = start; j < start + kept; j++) data[j] /= sum;
  data.fill(0, start + kept, end);
}

/** Causal attention within each text of n tokens: the weights of each, and the output. */
export function attend(query, key, value, n, scale) {
  const output = matrix(value.rows, value.columns), weights = [];
  for (let first = 0; first < query.rows; first += n) {
    const [q, k, v] = [query, key, value].map((m) => block(m, first, n));
    const w = product(q, transposed(k));
    for (let i = 0; i < w.data.length; i++) w.data[i] *= scale;
    for (let i = 0; i < n; i++) softmaxRow(w.data, i * n, (i + 1) * n, i + 1);
    product(w, v, block(output, first, n));
    weights.push(w);
  }
  return { output, weights };
}

/** The gradients of attention for queries, keys and values. */
export function attendBack({ query, key, value, weights }, grad, n, scale) {
  const [toQuery, toKey, toValue] = [query, key, value].map((m) => matrix(m.rows, m.columns));
  weights.forEach((w, text) => {
    const cut = (m) => block(m, text * n, n), g = cut(grad);
    const scores = softmaxBack(w, product(g, transposed(cut(value))), scale);
    product(scores, cut(key), cut(toQuery));
    product(transposed(scores), cut(query), cut(toKey));
    product(transposed(w), g, cut(toValue));
  });
  return [toQuery, toKey, toValue];
}

/** From the gradient of weights to that of scores, in place: scale · w (g − Σ w g). */
function softmaxBack(weights, grad, scale) {
  const n = weights.columns, w = weights.data, g = grad.data;
  for (let i = 0, r = 0; i < weights.rows; i++, r += n) {
    let mean = 0;
    for (let j = r; j < r + n; j++) mean += w[j] * g[j];
    for (let j = r; j < r + n; j++) g[j] = scale * w[j] * (g[j] - mean);
  }
  return grad;
}

/** Add up the rows of a gradient that belong to the same symbol. */
export function embeddingBack(ids, grad, nSymbols) {
  const out = matrix(nSymbols, grad.columns), d = grad.columns;
  ids.forEach((id, i) => {
    for (let j = 0; j < d; j++) out.data[id * d + j] += grad.data[i * d + j];
  });
  return out;
}

/** The rows of a table that belong to these symbols. */
export function embed(table, ids) {
  const out = matrix(ids.length, table.columns), d = table.columns;
  ids.forEach((id, i) => out.data.set(table.data.subarray(id * d, (id + 1) * d), i * d));
  return out;
}
