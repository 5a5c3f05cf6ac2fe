// What stands around the picture: the sentence and its switch, the sum, and two buttons for
// whoever has no keyboard.
import { asked, queryOf } from "../kit/declared.js";
import { stageName } from "./notation.js";
import { htmlNode } from "../kit/draw.js";
import { tellOf } from "../kit/voice.js";
import { inWords, sumNodes } from "./maths.js";

// What the machine shows, in the page's address, so that it can be sent: where a reader may
// choose the lesson too.

const REST = 400; // milliseconds after which the address is written
const BEGUN = { choice: 0, pick: 0, at: "", masked: 1, edits: "" };

/** The link of a machine: said() is the state that the address asks for, after "#" or "?", or
 *  null if it names no lesson; remember(state) writes it; follow(come) listens and returns a stop. */
export function makeLink(controls) {
  let timer;
  const ask = (text) => asked(new URLSearchParams(text.slice(1)), controls, {}).state;
  const said = () => {
    const found = [location.hash, location.search].map(ask).find(({ stage }) => stage);
    return found ? { ...BEGUN, ...found, whole: 1 } : null;
  };
  const remember = ({ whole, ...state }) => {
    clearTimeout(timer);
    const told = Object.entries(state).filter(([name, one]) => one !== BEGUN[name]);
    timer = setTimeout(() => history.replaceState(null, "", `#${queryOf(Object.fromEntries(told))}`), REST);
  };
  const follow = (come) => {
    addEventListener("hashchange", come);
    return () => { clearTimeout(timer); removeEventListener("hashchange", come); };
  };
  /** A number of the text, as an address has it: a part of the state. */
  const find = (text) => ({ ...BEGUN, ...ask(`?${text}`) });
  return { said, remember, follow, find };
}

/** Edits as the state has them, each [block, matrix, row, column, number]; and back. */
export function editsOf(text) {
  return text.toUpperCase().split("~").filter(Boolean).map((one) => {
    const [block, base, i, j, ...number] = one.split(".");
    return [Number(block), base, Number(i), Number(j), Number(number.join("."))];
  });
}

export const inText = (edits) => edits.map((one) => one.join(".")).join("~");

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

/** What a step to another lesson puts: edits stay where it has the same heads or layers. */
function moveTo(machines, { stage: here, edits }, stage) {
  const names = (one) => `${machines[one].given.blocks.map(({ name }) => name)}`;
  return { stage, pick: 0, at: "", masked: 1, edits: names(here) === names(stage) ? edits : "" };
}

const LEAST_SCALE = 1, MOST_SCALE = 1.4; // of a sheet: a row is 24 pixels high at least
const BESIDE = 8; // pixels between bar, sheet and sum

/** The frame of one machine. state() and put(part) read the state and change it; switchTo(choice) changes the last word; change(of) edits the number that is looked at. set() marks what
 *  is chosen; say(pieces, isGiven) writes a sum; uncover(node) scrolls a node out from under
 *  the bar that stays, which ends with the map; widest(sheet) is how wide a sheet can be. */
export function makeFrame({ machines, state, put, switchTo }, { change, map }) {
  const { stage, whole } = state(), { given } = machines[stage], stages = whole ? Object.keys(machines).map(Number) : [stage];
  const reset = makeButton("Reset", () => put({ edits: "" }), { className: "mx-reset" });
  const lessons = makeChips(stages.map(stageName), "Lesson", (k) => put(moveTo(machines, state(), stages[k])));
  const words = makeChips(given.choices, "Last word", switchTo);
  const mask = makeButton("mask", () => put({ masked: 1 - state().masked }), { className: "mx-mask", hidden: !given.masks });
  const says = htmlNode("p", { className: "mx-sum" }), knob = htmlNode("span", { className: "mx-knob" },
    makeButton("−", () => change((v) => v - 1), { label: "one less" }), makeButton("+", () => change((v) => v + 1), { label: "one more" }));
  const head = htmlNode("div", { className: "mx-head" }, htmlNode("span", { textContent: given.beginning }), words.node, mask, reset);
  const first = htmlNode("div", { className: "mx-head", hidden: stages.length < 2 }, htmlNode("span", { textContent: "Lesson" }), lessons.node);
  const set = ({ choice, masked, edits }) => {
    lessons.set(stages.indexOf(stage));
    words.set(choice);
    mask.setAttribute("aria-pressed", Boolean(masked && given.masks));
    reset.disabled = !edits;
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
