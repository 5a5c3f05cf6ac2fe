// The machine: the whole step for one sentence, with its numbers. Point at one, and see
// where it comes from; change a given one, and all that follows moves.
import { htmlNode } from "../kit/draw.js";
import { write } from "../kit/drag.js";
import { runMachine } from "./maths.js";
import { drawPlan, paint, rename, sumNodes } from "./cells.js";
import { phonePlan, tileOf } from "./phone.js";
import { light } from "./light.js";
import { listen } from "./hands.js";
import { makeMap } from "./map.js";
import { sumOf } from "./sums.js";

const WIDE = 664, PHONE_MOST = 440; // units: pixels of the picture's box
const WAVE = 160; // milliseconds between two steps of a change
const MOST = 9; // the largest number that a reader can set
const FIRST = { X: [4, 4], Q: [4, 0], K: [0, 0], V: [0, 0], S: [4, 0], D: [4, 0], A: [4, 0], O: [4, 0], C: [4, 0], Z: [4, 0], U: [3, 4], Y: [3, 4], N: [3, 0] };
const ORDER = ["X", "Q", "K", "V", "S", "D", "A", "O", "Z", "U", "Y", "N"];
const NEWEST = { 2: "Q", 3: "S", 4: "A", 5: "O", 6: "Z", 7: "Z", 8: "N", 9: "D" };
const SUB = "₁₂₃";

const button = (className, text, onclick) => htmlNode("button", { type: "button", className, textContent: text, onclick });

/** The set of reader's edits with one more: the last for a cell counts. */
export function edited(edits, edit) {
  const same = (one) => [0, 1, 2, 3].every((k) => one[k] === edit[k]);
  return [...edits.filter((one) => !same(one)), edit];
}

/** What a matrix is called here: [stem, raised, below]. */
export function titleOf(base, turned, { parts, pick, count, stacked }) {
  const [stem, raised] = parts[base][0].split("^"), which = count > 1 ? pick + 1 : "";
  if (base === "X") return ["X", "", stacked && pick ? pick : ""];
  if (base === "N") return ["X", "", which];
  if (base === "Y") return ["X + update", "", ""];
  return [stem, turned ? "T" : raised, ["C", "WC", "Z"].includes(base) ? "" : which];
}

function render({ model, el }) {
  const given = model.get("given"), parts = model.get("parts"), factors = model.get("factors");
  const stage = model.get("stage"), plans = model.get("plan"), count = given.blocks.length;
  const layers = given.network.length > 0;
  const roles = Object.fromEntries(Object.entries(parts).map(([base, part]) => [base, part[3]]));
  const state = { pick: 0, tile: NEWEST[stage], at: null, pinned: null };
  const sentence = () => given.adjectives.indexOf(model.get("adjective"));
  const words = () => given.sentences[sentence()];
  const names = (kind) => ({ word: words(), column: given.columns, ask: given.blocks[state.pick].asks, give: given.blocks[state.pick].gives,
    all: given.blocks.flatMap(({ gives }, h) => gives.map((name) => `${name}${SUB[h]}`)) })[kind];
  const sizes = Object.fromEntries(Object.entries(parts).map(([base, [, r, c]]) => [base, [names(r).length, names(c).length]]));
  const far = (lesson) => lesson > stage;
  const isGiven = ({ base }) => base.startsWith("W") || (base === "X" && !(layers && state.pick));
  let tables, now, view, stopWave = () => {}, darken = () => {};

  // What is around the picture: the sentence and its switch, the map, and the sum.
  const chips = given.adjectives.map((name) => button("", name, () => write(model, { adjective: name })));
  const reset = button("mx-reset", "Reset", () => write(model, { edits: [] }));
  const head = htmlNode("div", { className: "mx-head" }, htmlNode("span", { textContent: given.beginning }), htmlNode("span", { className: "mx-chips" }, ...chips), reset);
  const blocks = given.blocks.map(({ name }, k) => button("", `${layers ? "layer" : "head"} ${k + 1}: ${name}`, () => choose(k)));
  const chooser = htmlNode("div", { className: "mx-chips mx-blocks", hidden: count < 2 }, ...blocks);
  const box = htmlNode("div", { className: "mx-box" }), sum = htmlNode("p", { className: "mx-sum" });
  const less = button("", "−", () => change(state.pinned, (v) => v - 1)), more = button("", "+", () => change(state.pinned, (v) => v + 1));
  const knob = htmlNode("span", { className: "mx-knob" }, less, more);
  const tiles = ORDER.filter((base) => !far(parts[base][4]) && plans.matrices.some((one) => one.base === base));
  const map = makeMap(tiles.map((base) => [base, titleOf(base, false, { parts, pick: 0, count: 1 })[0].replace(" scores", ""), roles[base], sizes[base]]), visit);
  sum.setAttribute("aria-live", "polite");
  less.setAttribute("aria-label", "one less");
  more.setAttribute("aria-label", "one more");
  el.classList.add("aw-view", "aw-machine");
  el.append(head, chooser, map.node, box, htmlNode("div", { className: "mx-read" }, sum, knob));

  const describe = ({ base, turned, lesson }) => {
    const [, r, c, role, from] = parts[base], kinds = turned ? [c, r] : [r, c], own = lesson || from;
    return { title: titleOf(base, turned, { parts, pick: state.pick, count, stacked: layers }), rows: names(kinds[0]), columns: names(kinds[1]), kinds, role, lesson: own, far: far(own), given: base.startsWith("W") };
  };

  function compute() {
    tables = runMachine({ given, sentence: sentence(), edits: model.get("edits"), masked: model.get("masked") });
    now = tables[state.pick];
  }

  function build() {
    const width = Math.round(box.clientWidth) || plans.width, wide = width >= WIDE;
    compute();
    const plan = wide ? plans : phonePlan(sizes, tileOf(state.tile), Math.min(width, PHONE_MOST));
    view = drawPlan(plan, { describe, far, axis: (base, way) => names(parts[base][1 + way]) });
    view.root.setAttribute("aria-label", "Matrices. Arrow keys walk from cell to cell.");
    view.root.style.maxWidth = `${plan.width * (wide ? 1.12 : 1)}px`;
    el.classList.toggle("mx-phone", !wide);
    box.replaceChildren(view.root);
    stopWave();
    stopWave = paint(view, now, { depth: (base) => parts[base][5], quiet: true });
    map.set(now);
    blocks.forEach((one, k) => one.setAttribute("aria-pressed", k === state.pick));
    mark();
    const kept = state.pinned && view.cells.find((one) => one.base === state.pinned.base && one.i === state.pinned.i && one.j === state.pinned.j);
    pin(kept ?? best(state.tile) ?? view.cells[0]);
  }

  /** The cell of a matrix to look at first: the one of the story, or the largest. */
  function best(base) {
    const own = view.cells.filter((one) => one.base === base), [i, j] = FIRST[base] ?? [0, 0];
    const size = (one) => Math.abs(now[base][one.i][one.j]), told = own.find((one) => one.i === i && one.j === j);
    const most = [...own].sort((a, b) => size(b) - size(a))[0];
    return told && size(told) > 0.75 * size(most) ? told : most;
  }

  function mark() {
    chips.forEach((one) => one.setAttribute("aria-pressed", one.textContent === model.get("adjective")));
    reset.disabled = !model.get("edits").length;
  }

  function look(cell) {
    darken();
    state.at = cell;
    darken = light(view, cell, { now, factors, roles });
    const hint = view.width > PHONE_MOST ? ". Drag it up or down, type a digit, or use − and +." : ". Change it with − and +.";
    const pieces = sumOf(cell, { now, parts, factors, names, network: given.network, hint });
    sum.replaceChildren(...sumNodes(pieces));
    knob.hidden = !isGiven(cell);
    map.choose(tileOf(cell.base));
  }

  function pin(cell, { focus = false } = {}) {
    state.pinned?.node.setAttribute("tabindex", -1);
    cell.node.setAttribute("tabindex", 0);
    state.pinned = cell;
    look(cell);
    if (focus && document.activeElement !== cell.node) cell.node.focus({ preventScroll: true });
  }

  function choose(pick) {
    state.pick = pick;
    build();
  }

  /** Go to a matrix. On a phone it takes the place of the one before. */
  function visit(base) {
    Object.assign(state, { tile: base, pinned: null });
    build();
  }

  function change({ base, i, j }, of) {
    const [block, row] = base === "WC" ? [Math.floor(i / sizes.WO[0]), i % sizes.WO[0]] : [base === "X" ? 0 : state.pick, i];
    const number = Math.max(-MOST, Math.min(MOST, of(now[base][i][j])));
    write(model, { edits: edited(model.get("edits"), [block, base === "WC" ? "WO" : base, row, j, number]) });
  }

  function redraw(step) {
    compute();
    stopWave();
    stopWave = paint(view, now, { depth: (base) => parts[base][5], step });
    map.set(now);
    mark();
    look(state.at);
  }
  const follow = { edits: () => redraw(0), masked: () => redraw(WAVE), adjective: () => { rename(view, words()); redraw(WAVE); } };
  for (const trait in follow) model.on(`change:${trait}`, follow[trait]);

  build();
  const stop = listen(box, { cells: () => view.cells, look, pin, back: () => look(state.pinned), change, isGiven });
  let width = box.clientWidth;
  const watch = new ResizeObserver(() => {
    if (Math.abs(box.clientWidth - width) <= 3) return;
    width = box.clientWidth;
    build();
  });
  watch.observe(box);
  return () => {
    for (const trait in follow) model.off(`change:${trait}`, follow[trait]);
    watch.disconnect();
    stopWave();
    stop();
  };
}

export default { render };
