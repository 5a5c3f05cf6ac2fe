// Runs in a worker: trains step by step while it is told to, and says what each step saw.
// It is sent { start: settings } once, then { run: true } or { run: false } at any time,
// and { symbols: […] }, the run of symbols that it is to look at and go on with.
import { makeAdam, makeModel, trainStep, uniform, writeTexts } from "./learning.js";
import { forward, goOn } from "./network.js";

const OFTEN = 4; // steps after which it writes again

let step = 0, seconds = 0, running = false, waiting = false, advance, look;

/** Prepare a training: `advance` takes one step of it, `look` shows the model as it is. */
function prepare({ task, symbols, steps, seed, ...kind }) {
  const random = uniform(seed), model = makeModel(random, { ...task, ...kind });
  const adam = makeAdam(model.params, task.rate);
  let given = symbols, wrote;
  const write = () => { wrote = goOn(model, [...given, given[0]], task.length); };
  look = (run) => {
    given = run;
    write();
    postMessage({ heads: looks(model, run), wrote, symbols: given });
  };
  advance = () => {
    if (step % OFTEN === 0 || step === steps) write();
    const start = performance.now(), heads = looks(model, given);
    const seen = trainStep(model, adam, writeTexts(random, task));
    seconds += (performance.now() - start) / 1000;
    postMessage({ step, seconds, heads, wrote, symbols: given, ...seen });
    running &&= step < steps;
    step += 1;
  };
}

/** What each layer attends to in a run that is read twice: rows of weights, up to the
 *  letter itself. */
function looks(model, run) {
  const text = [...run, ...run];
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
  if (data.symbols) return look?.(data.symbols);
  if (data.start) prepare(data.start);
  running = Boolean(data.run);
  return running && later();
};
