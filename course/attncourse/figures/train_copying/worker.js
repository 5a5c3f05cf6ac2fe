// Runs in a worker: trains step by step while it is told to, and says what each step saw.
// It is sent { start: settings } once, then { run: true } or { run: false } at any time.
import { makeAdam, makeModel, trainStep, uniform, writeTexts } from "./learning.js";
import { forward } from "./network.js";

let step = 0, seconds = 0, running = false, waiting = false, advance;

/** Prepare a training; each call of what this returns takes one step of it. */
function prepare({ task, text, steps, seed, ...kind }) {
  const random = uniform(seed), model = makeModel(random, { ...task, ...kind });
  const adam = makeAdam(model.params, task.rate);
  return () => {
    const start = performance.now(), heads = looks(model, text);
    const seen = trainStep(model, adam, writeTexts(random, task));
    seconds += (performance.now() - start) / 1000;
    postMessage({ step, seconds, heads, ...seen });
    running &&= step < steps;
    step += 1;
  };
}

/** What each layer attends to in one text: rows of weights, up to the letter itself. */
function looks(model, text) {
  return forward(model, text, text.length).tape.map(({ weights: [w] }) =>
    text.map((_, i) => Array.from(w.data.subarray(i * w.columns, i * w.columns + i + 1))));
}

/** One step, then a pause for messages, for as long as it is to run. */
function go() {
  waiting = false;
  if (!running) return;
  advance();
  later();
}

function later() {
  if (!waiting) setTimeout(go);
  waiting = true;
}

onmessage = ({ data }) => {
  if (data.start) advance = prepare(data.start);
  running = Boolean(data.run);
  if (running) later();
};
