// Trains models with weights and texts that it is given, as the page does with its own:
// reads [{ params, batches, layers, positions, scale, rate }, ...]; prints for each what
// every step returned and the weights at the end, and with { run, until } what the model
// then writes after that run. For { seed, task, ... } it prints the
// weights and the texts that the page would begin with.
import {
  makeAdam, makeModel, trainStep, uniform, writeTexts,
} from "../../../course/attncourse/figures/train_copying/learning.js";
import { goOn, placesOf } from "../../../course/attncourse/figures/train_copying/network.js";
import { matrix } from "../../../course/attncourse/figures/train_copying/layers.js";

const numbers = (params) => Object.fromEntries(Object.entries(params).map(([name, { data }]) =>
  [name, Array.from(data)]));

function begin({ seed, task, ...kind }) {
  const random = uniform(seed), { params } = makeModel(random, { ...task, ...kind });
  return { params: numbers(params), texts: writeTexts(random, task) };
}

function train({ params, batches, layers, positions, scale, rate, run, until }) {
  const weights = Object.fromEntries(Object.entries(params).map(([name, rows]) =>
    [name, matrix(rows.length, rows[0].length, Float64Array.from(rows.flat()))]));
  const places = positions ? placesOf(24, weights.symbol.columns) : null;
  const model = { params: weights, layers, places, scale }, adam = makeAdam(weights, rate);
  const steps = batches.map((texts) => trainStep(model, adam, texts));
  const wrote = run && goOn(model, [...run, run[0]], until);
  return { steps, params: numbers(weights), wrote };
}

let input = "";
for await (const piece of process.stdin) input += piece;
const results = JSON.parse(input).map((one) => (one.task ? begin(one) : train(one)));
process.stdout.write(JSON.stringify(results));
