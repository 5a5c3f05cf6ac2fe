// What a layer is made of, each with the way back for its gradient. A batch of texts is
// one matrix: a row for each token of the first text, then of the second, and so on.


// Matrices of float64 in flat arrays, with strides: a transpose or a block is a view.

/** Zeros, or the numbers given, row by row. */
export function matrix(rows, columns, data = new Float64Array(rows * columns)) {
  return { data, rows, columns, at: 0, down: columns, across: 1 };
}

/** The same numbers with rows and columns exchanged. */
export function transposed(m) {
  return { ...m, rows: m.columns, columns: m.rows, down: m.across, across: m.down };
}

/** Some rows of a matrix, from the first one on. */
export function block(m, first, rows) {
  return { ...m, rows, at: m.at + first * m.down };
}

/** The product a b, written to `out`. Where it can, it computes 2 × 4 numbers at a time,
 *  so that each number read serves several products. */
export function product(a, b, out = matrix(a.rows, b.columns)) {
  for (let i = 0; i < a.rows; i += 2) {
    for (let j = 0; j < b.columns; j += 4) {
      if (i + 2 <= a.rows && j + 4 <= b.columns) tile(a, b, out, i, j);
      else edge(a, b, out, i, j);
    }
  }
  return out;
}

/** Rows i and i + 1, columns j to j + 3 of a product. */
function tile(a, b, out, i, j) {
  const x = a.data, y = b.data, one = a.across, wide = b.across, n = a.columns;
  let c00 = 0, c01 = 0, c02 = 0, c03 = 0, c10 = 0, c11 = 0, c12 = 0, c13 = 0;
  let p = a.at + i * a.down, q = b.at + j * wide;
  for (let k = 0; k < n; k++, p += one, q += b.down) {
    const x0 = x[p], x1 = x[p + a.down];
    const y0 = y[q], y1 = y[q + wide], y2 = y[q + 2 * wide], y3 = y[q + 3 * wide];
    c00 += x0 * y0; c01 += x0 * y1; c02 += x0 * y2; c03 += x0 * y3;
    c10 += x1 * y0; c11 += x1 * y1; c12 += x1 * y2; c13 += x1 * y3;
  }
  const to = out.at + i * out.down + j, under = to + out.down, o = out.data;
  o[to] = c00; o[to + 1] = c01; o[to + 2] = c02; o[to + 3] = c03;
  o[under] = c10; o[under + 1] = c11; o[under + 2] = c12; o[under + 3] = c13;
}

/** What is left of a product where a whole tile does not fit. */
function edge(a, b, out, row, column) {
  for (let i = row; i < Math.min(row + 2, a.rows); i++) {
    for (let j = column; j < Math.min(column + 4, b.columns); j++) {
      let sum = 0;
      for (let k = 0; k < a.columns; k++) {
        sum += a.data[a.at + i * a.down + k * a.across] * b.data[b.at + k * b.down + j * b.across];
      }
      out.data[out.at + i * out.down + j] = sum;
    }
  }
}

/** a + b, number by number. Where b has fewer rows it is added to a again and again. */
export function plus(a, b) {
  const out = matrix(a.rows, a.columns), n = b.rows * b.columns;
  for (let i = 0, j = 0; i < out.data.length; i++, j = j + 1 < n ? j + 1 : 0) {
    out.data[i] = a.data[i] + b.data[j];
  }
  return out;
}

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
export function embedIds(table, ids) {
  const out = matrix(ids.length, table.columns), d = table.columns;
  ids.forEach((id, i) => out.data.set(table.data.subarray(id * d, (id + 1) * d), i * d));
  return out;
}
