// What stands around the picture: the sentence and its switch, the choice of a head or a
// layer, the sum, and two buttons for whoever has no keyboard.
import { write } from "../kit/drag.js";
import { htmlNode, svgNode } from "../kit/draw.js";
import { tellOf } from "../kit/voice.js";
import { stageName } from "./notation.js";
import { holding } from "./picture.js";
import { inWords } from "./sums.js";
import { miniature } from "./tiles.js";

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
  return { node, show() {}, set: (pressed) => chips.forEach((one, k) => one.setAttribute("aria-pressed", k === pressed)) };
}

const LINE = 34; // the height of the rows' own way through the layer

/** One layer: two boxes on the way, and around each the way of what is kept. */
function diagram() {
  const box = (x, width, name) => [svgNode("rect", { x, y: LINE - 10, width, height: 20, rx: 4 }),
    svgNode("text", { x: x + width / 2, y: LINE + 4, "text-anchor": "middle" }, name)];
  const sum = (x) => [svgNode("circle", { cx: x, cy: LINE, r: 6 }), svgNode("path", { d: `M${x - 3} ${LINE}h6m-3 -3v6` })];
  const around = (from, to) => svgNode("path", { class: "mx-kept", d: `M${from} ${LINE}V18Q${from} 10 ${from + 8} 10H${to - 8}Q${to} 10 ${to} 18V${LINE - 6}` });
  const way = svgNode("path", { class: "mx-way", d: `M0 ${LINE}H188` });
  return holding(svgNode("svg", { width: 188, height: 48, viewBox: "0 0 188 48", class: "mx-diagram", "aria-hidden": true }),
    way, around(5, 88), around(99, 177), ...box(13, 62, "attention"), ...sum(88), ...box(107, 56, "network"), ...sum(177));
}

/** All layers in a row; set(k) says which is shown, show(tables) fills in the rows between. */
function makeLayers(blocks, [rows, columns], choose) {
  const minis = Array.from({ length: blocks.length + 1 }, () => miniature(rows, columns, "x"));
  const names = ["X", ...blocks.map((_, k) => `X${"₁₂₃"[k]}`)];
  const buttons = blocks.map(({ name }, k) => {
    const button = makeButton("", () => choose(k), { className: "mx-layer" });
    button.append(diagram(), htmlNode("span", { textContent: `layer ${k + 1}: ${name}` }));
    return button;
  });
  const held = minis.map((mini, k) => htmlNode("span", { className: "mx-held" }, mini.node, names[k]));
  const node = htmlNode("div", { className: "mx-layers" }, held[0], ...buttons.flatMap((button, k) => [button, held[k + 1]]));
  node.setAttribute("role", "group");
  node.setAttribute("aria-label", "Which layer");
  const set = (pressed) => buttons.forEach((one, k) => one.setAttribute("aria-pressed", k === pressed));
  const show = (tables) => minis.forEach((mini, k) => mini.set(k ? tables[k - 1].N : tables[0].X));
  return { node, set, show };
}

/** What a step to another lesson writes: edits stay where it has the same heads or layers. */
function moveTo(model, stage) {
  const given = (one) => model.get("machines")[one].given, next = given(stage);
  const same = `${given(model.get("stage")).blocks.map(({ name }) => name)}` === `${next.blocks.map(({ name }) => name)}`;
  return { edits: same ? model.get("edits") : [], masked: next.masks, stage };
}

/** The frame of one machine. choose(k) shows head or layer k; change(of) edits the number
 *  that is looked at. set(pick) marks what is chosen; show(tables) fills
 *  in what stands between layers; say(pieces, isGiven) writes a sum; uncover(node) scrolls a
 *  node out from under the bar that stays. */
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
  const bar = htmlNode("div", { className: "mx-bar" }, head, second); // stays in sight
  const read = htmlNode("div", { className: "mx-read" }, says, knob), box = (node) => node.getBoundingClientRect();
  const uncover = (node) => scrollBy({ behavior: "instant",
    top: Math.min(0, box(node).top - box(bar).bottom) || Math.max(0, box(node).bottom - box(read).top) });
  return { above: [first, bar], below: read, uncover, set, say, show: blocks.show };
}
