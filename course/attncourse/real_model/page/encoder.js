// The encoder's layers on int8 weights: attnlib's encoder_layer.py once more.
//
// Rows of tokens lie one after the other in a Float32Array.

// Multiply rows by a matrix of int8 levels, stored as (rows out, rows in); add a bias.
// Six sums at a time: of three rows with two rows of the matrix, which has an even number.
export function linear(x, matrix, bias) {
  const { nRows: nOut, nColumns: nIn } = matrix;
  const n = x.length / nIn;
  const rows = separate(x, nIn);
  const y = new Float32Array(rows.length * nOut);
  const left = new Float64Array(nIn), right = new Float64Array(nIn);
  for (let out = 0; out < nOut; out += 2) {
    unpack(matrix, out, left);
    unpack(matrix, out + 1, right);
    for (let i = 0; i < rows.length; i += 3) {
      threeByTwo(rows[i], rows[i + 1], rows[i + 2], left, right, bias, out, y, i * nOut + out);
    }
  }
  return y.subarray(0, n * nOut);
}

// Give each row as an array of its own in float64, and zeros up to a multiple of three.
function separate(x, length) {
  const n = x.length / length;
  return Array.from({ length: 3 * Math.ceil(n / 3) }, (_, i) => {
    const row = new Float64Array(length);
    row.set(x.subarray(i * length, (i + 1) * length));
    return row;
  });
}

// Write one row of a matrix, as numbers, into `target`.
function unpack({ levels, scales, nColumns, group }, row, target) {
  const start = row * nColumns;
  for (let at = 0; at < nColumns; at += group) {
    const scale = scales[(start + at) / group];
    for (let i = at; i < at + group; i++) target[i] = levels[start + i] * scale;
  }
}

function threeByTwo(x1, x2, x3, left, right, bias, out, y, to) {
  const nIn = left.length, nOut = bias.length;
  let a = bias[out], b = a, c = a, d = bias[out + 1], e = d, f = d;
  for (let k = 0; k < nIn; k++) {
    const l = left[k], r = right[k], p = x1[k], q = x2[k], s = x3[k];
    a += p * l; b += q * l; c += s * l;
    d += p * r; e += q * r; f += s * r;
  }
  y[to] = a; y[to + nOut] = b; y[to + 2 * nOut] = c;
  y[to + 1] = d; y[to + nOut + 1] = e; y[to + 2 * nOut + 1] = f;
}

// Give every row mean 0 and variance 1, then a gain and a bias.
export function layerNorm(x, gain, bias, eps) {
  const y = new Float32Array(x.length), d = gain.length;
  for (let at = 0; at < x.length; at += d) {
    let sum = 0, squares = 0;
    for (let i = 0; i < d; i++) sum += x[at + i];
    const mean = sum / d;
    for (let i = 0; i < d; i++) squares += (x[at + i] - mean) ** 2;
    const size = Math.sqrt(squares / d + eps);
    for (let i = 0; i < d; i++) y[at + i] = ((x[at + i] - mean) / size) * gain[i] + bias[i];
  }
  return y;
}

// The error function, to 1.5e-7. Abramowitz and Stegun (1964), formula 7.1.26.
export function erf(x) {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const sum = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741
    + t * (-1.453152027 + t * 1.061405429))));
  return Math.sign(x) * (1 - sum * Math.exp(-x * x));
}

export const gelu = (x) => 0.5 * x * (1 + erf(x / Math.SQRT2));

// The weights of n tokens in every head, (head, query, key) one after the other.
// isCut(head, query, key) forbids a connection, as a mask does: before the softmax.
export function attentionWeights(query, key, n, nHeads, isCut) {
  const dModel = query.length / n, dK = dModel / nHeads;
  const weights = new Float32Array(nHeads * n * n);
  const scores = new Float64Array(n);
  for (let head = 0; head < nHeads; head++) {
    const at = (row) => row * dModel + head * dK;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        const score = dot(query, at(i), key, at(j), dK) / Math.sqrt(dK);
        scores[j] = isCut(head, i, j) ? -Infinity : score;
      }
      softmax(scores, weights, (head * n + i) * n);
    }
  }
  return weights;
}

function dot(a, i, b, j, length) {
  let sum = 0;
  for (let k = 0; k < length; k++) sum += a[i + k] * b[j + k];
  return sum;
}

// Write the softmax of a row into `target` from `at`: zeros if every score is -Infinity.
function softmax(scores, target, at) {
  const largest = scores.reduce((a, b) => Math.max(a, b));
  if (largest === -Infinity) return target.fill(0, at, at + scores.length);
  const powers = scores.map((score) => Math.exp(score - largest));
  const sum = powers.reduce((a, b) => a + b);
  target.set(powers.map((power) => power / sum), at);
}

// Sum the values, weighted, head by head: rows like `value`.
export function weightedSum(weights, value, n, nHeads) {
  const dModel = value.length / n, dV = dModel / nHeads;
  const output = new Float32Array(value.length);
  for (let head = 0; head < nHeads; head++) {
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        const weight = weights[(head * n + i) * n + j];
        const [to, from] = [i * dModel + head * dV, j * dModel + head * dV];
        for (let k = 0; k < dV; k++) output[to + k] += weight * value[from + k];
      }
    }
  }
  return output;
}

// The two halves of a post-norm layer: its weights, and, with them, the rows it gives.
// `get` gives an array of this layer by its name.

export function layerWeights(x, n, get, { nHeads }, isCut = () => false) {
  const [query, key] = ["query", "key"].map((name) => dense(x, get, `attention.self.${name}`));
  return attentionWeights(query, key, n, nHeads, isCut);
}

export function layerRows(x, weights, n, get, { nHeads, eps }) {
  const norm = (rows, name) =>
    layerNorm(rows, get(`${name}.LayerNorm.weight`), get(`${name}.LayerNorm.bias`), eps);
  const add = (a, b) => a.map((number, i) => number + b[i]);
  const value = dense(x, get, "attention.self.value");
  const mixed = dense(weightedSum(weights, value, n, nHeads), get, "attention.output.dense");
  const between = norm(add(x, mixed), "attention.output");
  const inner = dense(between, get, "intermediate.dense").map(gelu);
  return norm(add(between, dense(inner, get, "output.dense")), "output");
}

function dense(rows, get, name) {
  return linear(rows, get(`${name}.weight`), get(`${name}.bias`));
}
