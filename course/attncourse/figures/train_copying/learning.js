// Texts, first weights and steps: what training needs around the network. All that is
// random comes from one generator, so that a seed gives the same training every time.
import { matrix } from "./layers.js";
import { lossAndGradients, placesOf } from "./network.js";

/** Numbers from 0 to 1, the same for the same seed: mulberry32. */
export function uniform(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A number from the normal distribution, by the method of Box and Muller. */
export function normal(random) {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** A run of random symbols for each text, repeated to the end. */
export function writeTexts(random, { rows, length, symbols, runs }) {
  const whole = (from, to) => from + Math.floor(random() * (to - from + 1));
  return Array.from({ length: rows }, () => {
    const run = whole(...runs), first = Array.from({ length: run }, () => whole(0, symbols - 1));
    return { run, text: Array.from({ length }, (_, i) => first[i % run]) };
  });
}

/** A model with random weights: rows of the table as they come, the others ÷ √n_in. */
export function makeModel(random, { symbols, width, length, layers, positions, scaled }) {
  const draw = (rows, columns, by) => matrix(rows, columns,
    Float64Array.from({ length: rows * columns }, () => normal(random) / by));
  const params = { symbol: draw(symbols, width, 1) };
  for (let layer = 0; layer < layers; layer++) {
    for (const name of ["w_query", "w_key", "w_value", "w_output"]) {
      params[`${name}_${layer}`] = draw(width, width, Math.sqrt(width));
    }
  }
  params.w_symbol = draw(width, symbols, Math.sqrt(width));
  const places = positions ? placesOf(length, width) : null;
  return { params, layers, places, scale: scaled ? 1 / Math.sqrt(width) : 1 };
}

/** Adam (Kingma and Ba 2015): step along a mean of past gradients, over the root of a
 *  mean of their squares. */
export function makeAdam(params, rate, first = 0.9, second = 0.999) {
  const names = Object.keys(params), count = { steps: 0 };
  const zeros = () => Object.fromEntries(names.map((name) =>
    [name, new Float64Array(params[name].data.length)]));
  const means = zeros(), squares = zeros();
  return (grads) => {
    count.steps += 1;
    const low = 1 - first ** count.steps, high = 1 - second ** count.steps;
    for (const name of names) {
      const w = params[name].data, g = grads[name].data, m = means[name], s = squares[name];
      for (let i = 0; i < w.length; i++) {
        m[i] = first * m[i] + (1 - first) * g[i];
        s[i] = second * s[i] + (1 - second) * g[i] ** 2;
        w[i] -= (rate * (m[i] / low)) / (Math.sqrt(s[i] / high) + 1e-8);
      }
    }
  };
}

/** Take one step on these texts; return the mean loss on new and on repeated symbols,
 *  and the share of repeated ones that were right: all of them before the step. */
export function trainStep(model, adam, texts) {
  const n = texts[0].text.length - 1;
  const ids = texts.flatMap(({ text }) => text.slice(0, -1));
  const targets = texts.flatMap(({ text }) => text.slice(1));
  const { losses, logits, grads } = lossAndGradients(model, ids, targets, n);
  adam(grads);
  return measure(texts, losses, logits, targets);
}

function measure(texts, losses, logits, targets) {
  const n = targets.length / texts.length, sums = { fresh: [0, 0], again: [0, 0], right: [0, 0] };
  const add = (sum, x) => { sum[0] += x; sum[1] += 1; };
  losses.forEach((loss, i) => {
    const place = (i % n) + 1, { run } = texts[Math.floor(i / n)];
    if (place < run) add(sums.fresh, loss);
    if (place <= run) return;
    add(sums.again, loss);
    add(sums.right, isLargest(logits, i, targets[i]) ? 1 : 0);
  });
  const means = Object.entries(sums).map(([name, [sum, count]]) => [name, sum / count]);
  return Object.fromEntries(means);
}

function isLargest(logits, row, column) {
  const scores = logits.data.subarray(row * logits.columns, (row + 1) * logits.columns);
  return scores.every((score) => score <= scores[column]);
}
