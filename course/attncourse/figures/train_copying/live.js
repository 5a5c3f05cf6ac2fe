// Lesson 11: train the model in the page, and watch the loss fall and the heads form.
import { makeCurves } from "../copying_heads/curves.js";
import { makeHead, meanOf, needed, roleOf } from "../copying_heads/heads.js";
import { fixed, htmlNode, redrawOn } from "../kit/draw.js";
import { fallOf, recent } from "./fall.js";
import { makeTrainer } from "./trainer.js";

const MOST = 4, SAY_EVERY = 50, RARELY = 20;
const LABELS = { ready: "Train", running: "Pause", paused: "Continue", done: "Train again" };

/** What is worth saying aloud after a step: the fall, and from time to time where it is.
 *  The seconds are those in which the worker computed, without its pauses. */
export function news(again, steps, half, seconds) {
  const step = again.length - 1, state = `loss on repeated letters ${fixed(recent(again), 1)}`;
  const took = `${step} steps, ${fixed(seconds, 1)} seconds`;
  if (step === steps) return `Done after ${took}: ${state}.`;
  if (fallOf(again, half) === step) return `The fall, after ${took}: ${state}.`;
  return step && step % SAY_EVERY === 0 ? `After ${step} steps: ${state}.` : "";
}

/** Which model is trained, in words. */
export function describe({ layers, positions, scaled, seed }) {
  const parts = [layers === 1 ? "one layer" : "two layers"];
  if (!positions) parts.push("no positions");
  if (!scaled) parts.push("no scale");
  return `${parts.join(", ")}; seed ${seed}`;
}

const lossesOf = (seen, name) => seen.map((one) => [one.step, one[name]]);

/** The two heads and the loss; draw(what the worker said) shows a step. */
function makePicture(model) {
  const letters = model.get("letters"), run = model.get("run");
  const heads = [makeHead(letters), makeHead(letters)];
  const curves = makeCurves(model.get("steps"), MOST, model.get("floor"));
  const title = htmlNode("div", { className: "aw-heading" });
  const node = htmlNode("div", { className: "aw-stack" },
    htmlNode("div", { className: "aw-heads" }, ...heads.map((head) => head.node)),
    htmlNode("div", { className: "aw-losses" }, title, curves.svg));
  const empty = letters.map((_, i) => Array(i + 1).fill(0));
  const draw = (layers, seen, kind) => {
    const now = seen.at(-1), cells = needed(layers, letters.length, run);
    const when = now ? `after ${now.step} steps` : "before training";
    heads.forEach((head, layer) => {
      head.node.hidden = layer >= layers;
      if (layer >= layers) return;
      const rows = now ? now.heads[layer] : empty, share = fixed(meanOf(rows, cells[layer]), 2);
      head.set(rows, cells[layer]);
      head.heading.textContent = `Layer ${layer}${now ? `: framed ${share}` : ""}`;
      head.svg.speak(`Layer ${layer} ${when}: ${now ? `mean weight ${share}` : "no weights"} ` +
        `on ${roleOf(layers, layer)}`);
    });
    curves.set(["fresh", "again"].map((name) => lossesOf(seen, name)), seen.length - 1);
    const right = now ? `; ${Math.round(100 * now.right)} in 100 right` : "";
    title.textContent = `Loss ${when}${right}`;
    curves.svg.speak(`${kind}, ${when}${now ? `: loss ${fixed(now.fresh, 2)} on new letters, ` +
      `${fixed(now.again, 2)} on repeated ones${right}` : ""}`);
  };
  return { node, draw, keep: (seen) => curves.keep(lossesOf(seen, "again")) };
}

function makeButtons(onMain, onSeed) {
  const button = (onclick, textContent) =>
    htmlNode("button", { type: "button", className: "aw-press", onclick, textContent });
  const main = button(onMain), seed = button(onSeed, "Start again with another seed");
  const said = htmlNode("p", { className: "aw-hint" });
  said.setAttribute("role", "status");
  const both = htmlNode("div", { className: "aw-presses" }, main, seed);
  const set = (phase, words) => {
    main.textContent = LABELS[phase];
    if (words) said.textContent = words;
  };
  return { node: htmlNode("div", {}, both, said), set };
}

/** A training from the first press of Train on: what it is of, and what it has seen. */
function makeTraining(model, show) {
  const steps = model.get("steps"), half = model.get("floor") / 2, now = { seed: 0, seen: [] };
  const kind = () => ({ layers: model.get("layers") + 1, positions: model.get("positions"),
    scaled: model.get("scaled"), seed: now.seed });
  const enter = (phase, words) => show(Object.assign(now, { phase, words, kind: kind() }));
  const pausedAfter = (step) => `Paused after ${step} steps.`;
  const trainer = makeTrainer(model.get("worker"), (step) => {
    now.seen.push(step);
    const words = [news(now.seen.map(({ again }) => again), steps, half, step.seconds)];
    const last = step.step === steps;
    if (now.phase === "paused" && !last) words.push(pausedAfter(step.step));
    enter(last ? "done" : now.phase, words.join(" ").trim());
  }, (reason) => enter("ready", `Training stopped: ${reason}. Press Train to try again.`));
  const begin = () => {
    now.seen = [];
    enter("running", `Training: ${describe(kind())}.`);
    trainer.start({ ...kind(), task: model.get("task"), text: model.get("text"), steps });
    trainer.go(now.phase === "running");
  };
  const reset = () => {
    trainer.stop();
    const before = now.seen;
    now.seen = [];
    enter("ready", `Not trained yet: ${describe(kind())}.`);
    return before;
  };
  const rest = () => {
    const goesOn = now.phase === "paused", { step } = now.seen.at(-1) ?? { step: 0 };
    trainer.go(goesOn);
    if (goesOn) enter("running", "Training goes on.");
    else enter("paused", pausedAfter(step));
  };
  return { now, begin, reset, rest, remove: trainer.remove };
}

function render({ model, el }) {
  const picture = makePicture(model);
  const rarely = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches;
  const buttons = makeButtons(() => press(), () => another());
  const training = makeTraining(model, ({ phase, words, kind, seen }) => {
    buttons.set(phase, words);
    const calm = rarely && phase === "running" && seen.length % RARELY !== 1;
    if (!calm) picture.draw(kind.layers, seen, describe(kind));
  });
  const reset = () => {
    const before = training.reset();
    if (before.length > 1) picture.keep(before);
  };
  const press = () => {
    if (training.now.phase === "done") reset();
    if (training.now.phase === "ready") training.begin();
    else training.rest();
  };
  const another = () => {
    training.now.seed += 1;
    reset();
    training.begin();
  };
  el.classList.add("aw-view");
  el.append(buttons.node, picture.node);
  const quiet = redrawOn(model, ["layers", "positions", "scaled"], reset);
  return () => { quiet(); training.remove(); };
}

export default { render };
