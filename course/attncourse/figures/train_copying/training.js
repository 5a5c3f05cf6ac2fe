// Both trainings from the first press of Train on: what they are of, and what they have seen.
import { fixed } from "../kit/draw.js";
import { outcome } from "./picture.js";

// When a training has learned to copy, told from its losses alone.

/** The mean of the last few losses: one batch is too few to judge by. */
export function recent(losses, count = 5) {
  const last = losses.slice(-count);
  return last.reduce((sum, loss) => sum + loss, 0) / last.length;
}

/** The step of the fall: the first whose recent losses are below half the floor; or −1. */
export function fallOf(losses, half) {
  return losses.findIndex((_, i) => recent(losses.slice(0, i + 1)) < half);
}

// The page's side of the worker: it is made from its source, so that it needs no address
// and runs from a file too; it rests while nobody can see the page.

/** start(settings) begins anew, go(true or false) goes on or rests, look(symbols) asks what
 *  the model does with these, stop() ends it. */
export function makeTrainer(source, onStep, onError) {
  let worker = null, url = null, wanted = false;
  const tell = () => worker?.postMessage({ run: wanted && !document.hidden });
  const stop = () => {
    worker?.terminate();
    if (url) URL.revokeObjectURL(url);
    worker = url = null;
    wanted = false;
  };
  const fail = (reason) => {
    stop();
    onError(reason || "the worker could not be started");
  };
  const start = (settings) => {
    stop();
    try {
      url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
      worker = new Worker(url);
    } catch (error) {
      return fail(error.message);
    }
    const own = worker;
    worker.onmessage = ({ data }) => { if (own === worker) onStep(data); };
    worker.onerror = (event) => { event.preventDefault(); fail(event.message); };
    worker.postMessage({ start: settings });
  };
  const go = (on) => {
    wanted = on;
    tell();
  };
  const look = (symbols) => worker?.postMessage({ symbols });
  document.addEventListener("visibilitychange", tell);
  const remove = () => {
    document.removeEventListener("visibilitychange", tell);
    stop();
  };
  return { start, go, look, stop, remove };
}

const SAY_EVERY = 50;

/** What is worth saying aloud after a step: the fall, and from time to time where it is.
 *  The seconds are those in which the worker computed, without its pauses. */
export function news(again, steps, half, seconds) {
  const step = again.length - 1, state = `loss on repeated letters ${fixed(recent(again), 1)}`;
  const took = `${step} steps, ${fixed(seconds, 1)} seconds`;
  if (fallOf(again, half) === step) return `The fall, after ${took}: ${state}.`;
  return step && step % SAY_EVERY === 0 && step < steps ? `After ${step} steps: ${state}.` : "";
}

/** What is trained, in words. */
export function kindOf({ positions, scaled }) {
  const parts = ["one layer and two"];
  if (!positions) parts.push("no positions");
  if (!scaled) parts.push("no scale");
  return parts.join(", ");
}

/** How the models are trained, in words. */
export const describe = ({ seed, ...how }) => `${kindOf(how)}; seed ${seed}`;

/** `names` are the models', from one layer up; state() says how they are made; show({ phase, words, kind, runs }) is called
 *  after each step of either, with what each has seen. */
export function makeTraining({ total: steps, floor, run, task, worker }, state, names, show) {
  const half = floor / 2, now = { seed: 0, runs: names.map(() => []), symbols: run };
  const kind = () => ({ ...state(), seed: now.seed });
  const enter = (phase, words) => show(Object.assign(now, { phase, words, kind: kind() }));
  const done = () => now.runs.every((seen) => seen.at(-1)?.step === steps);
  const reached = () => Math.min(...now.runs.map((seen) => seen.at(-1)?.step ?? 0));
  const pausedAfter = () => `Paused after ${reached()} steps.`;
  const ends = () => now.runs.map((seen, i) => ({ name: names[i], loss: recent(seen.map(({ again }) => again)) }));

  function learned(i, step) {
    const seen = now.runs[i];
    if (step.step === undefined) { // no step: what it does with another run of letters
      if (seen.length) Object.assign(seen.at(-1), step);
      return enter(now.phase);
    }
    seen.push(step);
    if (done()) return enter("done", outcome(steps, ends()));
    const said = news(seen.map(({ again }) => again), steps, half, step.seconds);
    const words = [said && `${names[i]}: ${said}`, now.phase === "paused" && pausedAfter()];
    return enter(now.phase, words.filter(Boolean).join(" "));
  }
  const stop = () => trainers.forEach((one) => one.stop());
  const fail = (reason) => {
    stop();
    enter("ready", `Training stopped: ${reason}. Press Train to try again.`);
  };
  const trainers = names.map((_, i) => makeTrainer(worker, (step) => learned(i, step), fail));
  const go = (on) => trainers.forEach((one) => one.go(on));
  const begin = () => {
    now.runs = names.map(() => []);
    enter("running", `Training: ${describe(kind())}.`);
    const settings = { ...kind(), task, symbols: now.symbols, steps };
    trainers.forEach((one, i) => now.phase === "running" && one.start({ ...settings, layers: i + 1 }));
    go(now.phase === "running");
  };
  const reset = () => {
    stop();
    const before = now.runs;
    now.runs = names.map(() => []);
    enter("ready", `Not trained yet: ${describe(kind())}.`);
    return before;
  };
  const rest = () => {
    const goesOn = now.phase === "paused";
    go(goesOn);
    if (goesOn) enter("running", "Training goes on.");
    else enter("paused", pausedAfter());
  };
  const look = (symbols) => {
    now.symbols = symbols;
    trainers.forEach((one) => one.look(symbols));
    enter(now.phase);
  };
  return { now, begin, reset, rest, look, remove: () => trainers.forEach((one) => one.remove()) };
}
