// What stands around the picture: the sentence and its switch, the choice of a head or a
// layer, the sum, and two buttons for whoever has no keyboard.
import { htmlNode } from "../kit/draw.js";
import { write } from "../kit/drag.js";
import { sumNodes } from "./cells.js";

/** A button that is no part of a form. */
export function makeButton(text, onclick, more = {}) {
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
export function moveTo(model, stage) {
  const given = (one) => model.get("machines")[one].given, next = given(stage);
  const same = `${given(model.get("stage")).blocks.map(({ name }) => name)}` === `${next.blocks.map(({ name }) => name)}`;
  return { edits: same ? model.get("edits") : [], masked: next.masks, stage };
}

/** The frame of one machine. choose(k) shows head or layer k; change(of) edits the number
 *  that is looked at. set(pick) marks what is chosen; say(pieces, isGiven) writes a sum. */
export function makeFrame(model, given, stages, { choose, change }) {
  const kind = given.network.length ? "layer" : "head", reset = makeButton("Reset", () => write(model, { edits: [] }), { className: "mx-reset" });
  const lessons = makeChips(stages.map((stage) => `${stage}`), "Lesson", (k) => write(model, moveTo(model, stages[k])));
  const words = makeChips(given.choices, "Last word", (k) => write(model, { choice: k }));
  const blocks = makeChips(given.blocks.map(({ name }, k) => `${kind} ${k + 1}: ${name}`), `Which ${kind}`, choose);
  const mask = makeButton("mask", () => write(model, { masked: !model.get("masked") }), { className: "mx-mask", hidden: !given.masks });
  const says = htmlNode("p", { className: "mx-sum" }), knob = htmlNode("span", { className: "mx-knob" },
    makeButton("−", () => change((v) => v - 1), { label: "one less" }), makeButton("+", () => change((v) => v + 1), { label: "one more" }));
  says.setAttribute("aria-live", "polite");
  const head = htmlNode("div", { className: "mx-head" }, htmlNode("span", { textContent: given.beginning }), words.node, reset);
  const second = htmlNode("div", { className: "mx-head", hidden: blocks.node.hidden && mask.hidden }, blocks.node, mask);
  const first = htmlNode("div", { className: "mx-head", hidden: stages.length < 2 }, htmlNode("span", { textContent: "Lesson" }), lessons.node);
  const set = (pick) => {
    lessons.set(stages.indexOf(model.get("stage")));
    words.set(model.get("choice"));
    blocks.set(pick);
    mask.setAttribute("aria-pressed", model.get("masked"));
    reset.disabled = !model.get("edits").length;
  };
  const say = (pieces, isGiven) => {
    says.replaceChildren(...sumNodes(pieces));
    knob.hidden = !isGiven;
  };
  return { above: [first, head, second], below: htmlNode("div", { className: "mx-read" }, says, knob), set, say };
}
