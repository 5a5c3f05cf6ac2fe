// What stands around the picture: the sentence and its switch, the sum, and two buttons for
// whoever has no keyboard.
import { write } from "../kit/drag.js";
import { htmlNode } from "../kit/draw.js";
import { tellOf } from "../kit/voice.js";
import { stageName } from "./notation.js";
import { inWords, sumNodes } from "./sums.js";

/** A button that is no part of a form. */
function makeButton(text, onclick, more = {}) {
  const { label, ...properties } = more;
  const node = htmlNode("button", { type: "button", textContent: text, onclick, ...properties });
  if (label) node.setAttribute("aria-label", label);
  return node;
}

/** Chips of which one is pressed; set(k) says which. */
function makeChips(names, name, choose) {
  const chips = names.map((text, k) => makeButton(text, () => choose(k)));
  const node = htmlNode("span", { className: "mx-chips", hidden: names.length < 2 }, ...chips);
  node.setAttribute("role", "group");
  node.setAttribute("aria-label", name);
  return { node, set: (pressed) => chips.forEach((one, k) => one.setAttribute("aria-pressed", k === pressed)) };
}

/** What a step to another lesson writes: edits stay where it has the same heads or layers. */
function moveTo(model, stage) {
  const given = (one) => model.get("machines")[one].given, next = given(stage);
  const same = `${given(model.get("stage")).blocks.map(({ name }) => name)}` === `${next.blocks.map(({ name }) => name)}`;
  return { edits: same ? model.get("edits") : [], masked: next.masks, stage };
}

const LEAST_SCALE = 0.97, MOST_SCALE = 1.4; // of a sheet: letters stay legible
const BESIDE = 8; // pixels between bar, sheet and sum

/** The frame of one machine. change(of) edits the number that is looked at. set() marks what
 *  is chosen; say(pieces, isGiven) writes a sum; uncover(node) scrolls a node out from under
 *  the bar that stays, which ends with the map; widest(sheet) is how wide a sheet can be. */
export function makeFrame(model, given, stages, { change, map }) {
  const reset = makeButton("Reset", () => write(model, { edits: [] }), { className: "mx-reset" });
  const lessons = makeChips(stages.map(stageName), "Lesson", (k) => write(model, moveTo(model, stages[k])));
  const words = makeChips(given.choices, "Last word", (k) => write(model, { choice: k }));
  const mask = makeButton("mask", () => write(model, { masked: !model.get("masked") }), { className: "mx-mask", hidden: !given.masks });
  const says = htmlNode("p", { className: "mx-sum" }), knob = htmlNode("span", { className: "mx-knob" },
    makeButton("−", () => change((v) => v - 1), { label: "one less" }), makeButton("+", () => change((v) => v + 1), { label: "one more" }));
  const head = htmlNode("div", { className: "mx-head" }, htmlNode("span", { textContent: given.beginning }), words.node, mask, reset);
  const first = htmlNode("div", { className: "mx-head", hidden: stages.length < 2 }, htmlNode("span", { textContent: "Lesson" }), lessons.node);
  const set = () => {
    lessons.set(stages.indexOf(model.get("stage")));
    words.set(model.get("choice"));
    mask.setAttribute("aria-pressed", model.get("masked"));
    reset.disabled = !model.get("edits").length;
  };
  const say = (pieces, isGiven) => {
    says.replaceChildren(...sumNodes(pieces));
    tellOf(says, inWords(pieces));
    knob.hidden = !isGiven;
  };
  const bar = htmlNode("div", { className: "mx-bar" }, head, map); // stays in sight
  const read = htmlNode("div", { className: "mx-read" }, says, knob), box = (node) => node.getBoundingClientRect();
  const uncover = (node) => scrollBy({ behavior: "instant",
    top: Math.min(0, box(node).top - box(bar).bottom) || Math.max(0, box(node).bottom - box(read).top) });
  const widest = ({ width, height }) => { // what leaves the bar, the sheet and the sum on one screen
    const room = innerHeight - (parseFloat(getComputedStyle(bar).top) || 0) - bar.offsetHeight - read.offsetHeight - BESIDE;
    return Math.max(LEAST_SCALE, Math.min(MOST_SCALE, room / height)) * width;
  };
  return { above: [first, bar], below: read, uncover, set, say, widest };
}
