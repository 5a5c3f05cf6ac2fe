// What stands around the picture: the sentence and its switch, the choice of a head or a
// layer, the sum, and two buttons for whoever has no keyboard.
import { htmlNode } from "../kit/draw.js";
import { write } from "../kit/drag.js";
import { tellOf } from "../kit/voice.js";
import { sumNodes } from "./paint.js";
import { makeButton, makeChips } from "./chips.js";
import { makeLayers } from "./layers.js";
import { stageName } from "./names.js";

/** What a step to another lesson writes: edits stay where it has the same heads or layers. */
export function moveTo(model, stage) {
  const given = (one) => model.get("machines")[one].given, next = given(stage);
  const same = `${given(model.get("stage")).blocks.map(({ name }) => name)}` === `${next.blocks.map(({ name }) => name)}`;
  return { edits: same ? model.get("edits") : [], masked: next.masks, stage };
}

/** A sum as one hears it: what is raised stands in a line with the rest. */
function inWords(pieces) {
  return pieces.map(([text, role = ""]) => !role.includes("raised") ? text
    : /\d/.test(text) ? ` to the ${text}` : ` ${text}`).join("");
}

/** The frame of one machine. choose(k) shows head or layer k; change(of) edits the number
 *  that is looked at. set(pick) marks what is chosen; show(tables) fills
 *  in what stands between layers; say(pieces, isGiven) writes a sum. */
export function makeFrame(model, given, stages, { choose, change }) {
  const reset = makeButton("Reset", () => write(model, { edits: [] }), { className: "mx-reset" });
  const lessons = makeChips(stages.map(stageName), "Lesson", (k) => write(model, moveTo(model, stages[k])));
  const words = makeChips(given.choices, "Last word", (k) => write(model, { choice: k }));
  const sizes = [given.sentences[0].length, given.columns.length];
  const blocks = given.network.length && given.blocks.length > 1 ? makeLayers(given.blocks, sizes, choose)
    : makeChips(given.blocks.map(({ name }, k) => `head ${k + 1}: ${name}`), "Which head", choose);
  const mask = makeButton("mask", () => write(model, { masked: !model.get("masked") }), { className: "mx-mask", hidden: !given.masks });
  const says = htmlNode("p", { className: "mx-sum" }), knob = htmlNode("span", { className: "mx-knob" },
    makeButton("−", () => change((v) => v - 1), { label: "one less" }), makeButton("+", () => change((v) => v + 1), { label: "one more" }));
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
    tellOf(says, inWords(pieces));
    knob.hidden = !isGiven;
  };
  return { above: [first, head, second], below: htmlNode("div", { className: "mx-read" }, says, knob), set, say, show: blocks.show };
}
