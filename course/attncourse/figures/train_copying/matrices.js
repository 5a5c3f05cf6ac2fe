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
