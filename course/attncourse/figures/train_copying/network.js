// Layers of causal attention, one head each, and their gradients: the Copier of
// attncourse/toys/copying/model.py, the same arithmetic in float64.
import { positionalEncoding } from "../kit/maths.js";
import {
  attend, attendBack, embedIds, embeddingBack, rmsNorm, rmsNormBack, softmaxRow, block, matrix, product, plus, transposed,
} from "./layers.js";

const PROJECTIONS = ["w_query", "w_key", "w_value"];

/** What the layers do to texts of n tokens: ids one after another, in one array. */
export function forward({ params, layers, places, scale }, ids, n) {
  let x = embedIds(params.symbol, ids);
  const tape = [], known = places && block(places, 0, n);
  for (let layer = 0; layer < layers; layer++) {
    const normal = rmsNorm(x), told = known ? plus(normal, known) : normal;
    const inputs = [told, told, normal];
    const [query, key, value] = inputs.map((input, i) =>
      product(input, params[`${PROJECTIONS[i]}_${layer}`]));
    const { output, weights } = attend(query, key, value, n, scale);
    tape.push({ x, inputs, query, key, value, weights, output });
    x = plus(x, product(output, params[`w_output_${layer}`]));
  }
  const last = rmsNorm(x);
  return { tape, x, last, logits: product(last, params.w_symbol) };
}

/** −log p of each target, and the gradient of their mean for each logit. */
export function crossEntropy(logits, targets) {
  const grad = matrix(logits.rows, logits.columns, logits.data.slice()), d = logits.columns;
  const losses = Float64Array.from(targets, (target, i) => {
    const top = logits.data.subarray(i * d, (i + 1) * d).reduce((a, b) => Math.max(a, b));
    let sum = 0;
    for (let j = i * d; j < (i + 1) * d; j++) sum += Math.exp(logits.data[j] - top);
    softmaxRow(grad.data, i * d, (i + 1) * d, d);
    grad.data[i * d + target] -= 1;
    return Math.log(sum) + top - logits.data[i * d + target];
  });
  for (let i = 0; i < grad.data.length; i++) grad.data[i] /= targets.length;
  return { losses, grad };
}

/** The loss at each target and the gradient of the mean loss for each parameter. */
export function lossAndGradients(model, ids, targets, n) {
  const { params } = model, { tape, x, last, logits } = forward(model, ids, n);
  const { losses, grad } = crossEntropy(logits, targets);
  const grads = { w_symbol: product(transposed(last), grad) };
  let back = rmsNormBack(x, product(grad, transposed(params.w_symbol)));
  for (let layer = model.layers - 1; layer >= 0; layer--) {
    back = plus(back, layerBack(model, layer, tape[layer], back, n, grads));
  }
  grads.symbol = embeddingBack(ids, back, params.symbol.rows);
  return { losses, logits, grads };
}

/** Add a layer's gradients to `grads`; return that of what the layer read. */
function layerBack({ params, scale }, layer, kept, grad, n, grads) {
  const name = `w_output_${layer}`;
  grads[name] = product(transposed(kept.output), grad);
  const back = attendBack(kept, product(grad, transposed(params[name])), n, scale);
  const parts = back.map((one, i) => {
    const of = `${PROJECTIONS[i]}_${layer}`;
    grads[of] = product(transposed(kept.inputs[i]), one);
    return product(one, transposed(params[of]));
  });
  return rmsNormBack(kept.x, parts.reduce(plus));
}

/** The encoding of each place in a text of n tokens: the sines of lesson 7. */
export function placesOf(n, width) {
  const rows = Array.from({ length: n }, (_, i) => positionalEncoding(i, width, 10000));
  return matrix(n, width, Float64Array.from(rows.flat()));
}

// What a model writes when it goes on by itself, and the run that it is given to begin with.

/** Go on from a prompt, always with the likeliest symbol, until the text has `length`. */
export function goOn(model, prompt, length) {
  const ids = prompt.slice();
  while (ids.length < length) {
    const { logits } = forward(model, ids, ids.length), d = logits.columns;
    const last = logits.data.subarray((ids.length - 1) * d, ids.length * d);
    ids.push(last.indexOf(last.reduce((a, b) => Math.max(a, b))));
  }
  return ids.slice(prompt.length);
}

/** How many symbols are those with which the run goes on, after it and its first one. */
export function copied(wrote, run) {
  return wrote.filter((id, i) => id === run[(i + 1) % run.length]).length;
}

/** The symbols of a run as typed, or what is wrong with it. */
export function readRun(typed, alphabet, [least, most]) {
  const letters = [...typed.toUpperCase().replace(/\s/g, "")];
  const strange = letters.find((letter) => !alphabet.includes(letter));
  const last = alphabet.at(-1), n = letters.length;
  if (strange) return { wrong: `“${strange}” is not one of its letters, ${alphabet[0]} to ${last}.` };
  if (n < least || n > most) return { wrong: `A run has ${least} to ${most} letters: this has ${n}.` };
  return { run: letters.map((letter) => alphabet.indexOf(letter)) };
}
