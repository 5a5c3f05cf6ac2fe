// One of the two models: what its heads look at, and its loss so far.
import { makeCurves } from "../copying_heads/curves.js";
import { makeHead, meanOf, needed, roleOf } from "../copying_heads/heads.js";
import { fixed, htmlNode } from "../kit/draw.js";
import { retell } from "../kit/drag.js";
import { copied, readRun } from "./network.js";

const MOST = 4; // of the loss that is drawn

const lossesOf = (seen, name) => seen.map((one) => [one.step, one[name]]);

/** The heads of a model with so many layers, on a run of letters that is read twice. */
function makeHeads(layers) {
  const node = htmlNode("div", { className: "aw-heads" });
  let heads = [], text = "";
  const lay = (letters) => {
    if (text === letters.join("")) return;
    text = letters.join("");
    heads = Array.from({ length: layers }, () => makeHead([...letters, ...letters]));
    node.replaceChildren(...heads.map((head) => head.node));
  };
  const set = (letters, rows, when) => {
    lay(letters);
    const run = letters.length, cells = needed(layers, 2 * run, run);
    const empty = Array.from({ length: 2 * run }, (_, i) => Array(i + 1).fill(0));
    heads.forEach((head, layer) => {
      const now = rows?.[layer], share = now && fixed(meanOf(now, cells[layer]), 2);
      head.set(now ?? empty, cells[layer]);
      head.heading.textContent = `Layer ${layer}${now ? `: mean weight in the frames ${share}` : ""}`;
      head.svg.speak(`Layer ${layer} of ${layers} ${when}: ${now ? `mean weight ${share}` : "no weights"} ` +
        `on ${roleOf(layers, layer)}`);
    });
  };
  return { node, set };
}

/** draw(letters, seen, kind) shows the last of what was seen of a training. */
export function makePicture(layers, name, steps, floor) {
  const heads = makeHeads(layers), curves = makeCurves(steps, MOST, floor);
  const title = htmlNode("div", { className: "aw-heading" });
  const node = htmlNode("div", { className: "aw-stack aw-model" },
    htmlNode("div", { className: "aw-losses" }, title, curves.svg), heads.node);
  const draw = (letters, seen, kind) => {
    const now = seen.at(-1), when = now ? `after ${now.step} steps` : "before training";
    heads.set(letters, now?.heads, when);
    curves.set(["fresh", "again"].map((part) => lossesOf(seen, part)), seen.length - 1);
    const right = now ? `; ${Math.round(100 * now.right)} in 100 right` : "";
    title.textContent = `${name}: loss ${when}${right}`;
    curves.svg.speak(`${name}, ${kind}, ${when}${now ? `: loss ${fixed(now.fresh, 2)} on new ` +
      `letters, ${fixed(now.again, 2)} on repeated ones${right}` : ""}`);
  };
  return { node, draw, keep: (seen) => curves.keep(lossesOf(seen, "again")) };
}

// The run that is typed, and below it what both models write after it.

let nFields = 0; // for the fields' ids

/** The line to type a run into; choose(run) is told of each that can be read. */
function makeRunInput(alphabet, runs, first, choose) {
  const input = htmlNode("input", { type: "text", id: `aw-run-${++nFields}`, className: "aw-run",
    autocomplete: "off", spellcheck: false, value: first.map((id) => alphabet[id]).join(" ") });
  const label = htmlNode("label", { htmlFor: input.id, textContent: "Your own run of letters" });
  const says = htmlNode("div", { className: "aw-caption" });
  says.setAttribute("role", "alert");
  input.addEventListener("input", () => {
    const { run, wrong = "" } = readRun(input.value, alphabet, runs);
    input.setAttribute("aria-invalid", String(wrong !== ""));
    retell(says, wrong && `${wrong} The last run stays.`);
    if (run) choose(run);
  });
  return htmlNode("div", {}, label, input, says);
}

/** A line of letters for each model: the run, its first letter, and what the model writes
 *  next. set(i, run, wrote) fills a line; wrote is undefined before the training. */
export function makeWriting({ alphabet, runs, first, names }, choose) {
  const lines = names.map((name) => {
    const title = htmlNode("span", { className: "aw-name", textContent: name });
    const text = htmlNode("span", { className: "aw-letters" });
    const share = htmlNode("span", { className: "aw-caption" });
    return { title, text, share, node: htmlNode("div", { className: "aw-writes" }, title, text, share) };
  });
  const letter = (id, className) => htmlNode("span", { className, textContent: alphabet[id] });
  const set = (i, run, wrote) => {
    const { text, share, node } = lines[i], given = [...run, run[0]];
    const isRight = (id, j) => id === run[(j + 1) % run.length];
    text.replaceChildren(...given.map((id) => letter(id, "aw-given")),
      ...(wrote ?? []).map((id, j) => letter(id, isRight(id, j) ? "aw-right" : "aw-wrong")));
    share.textContent = wrote ? `${copied(wrote, run)} of ${wrote.length} right` : "not trained";
    text.setAttribute("role", "img");
    text.setAttribute("aria-label", `${given.map((id) => alphabet[id]).join(" ")}: ` +
      `${wrote ? `goes on ${wrote.map((id) => alphabet[id]).join(" ")}` : "nothing written"}`);
    node.classList.toggle("aw-copies", Boolean(wrote) && copied(wrote, run) === wrote.length);
  };
  const node = htmlNode("div", { className: "aw-writing" },
    makeRunInput(alphabet, runs, first, choose), ...lines.map((line) => line.node));
  return { node, set };
}

/** What both models have come to, in a sentence. */
export function outcome(steps, ends) {
  const parts = ends.map(({ name, loss }) => `${fixed(loss, 1)} with ${name.toLowerCase()}`);
  return `Done after ${steps} steps: the loss on repeated letters is ${parts.join(", ")}.`;
}
