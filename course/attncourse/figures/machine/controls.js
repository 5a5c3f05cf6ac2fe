// What stands around the picture: the sentence and its switch, the sum, and two buttons for
// whoever has no keyboard.
import { write } from "../kit/drag.js";
import { namesOf, sizesOf, stageName } from "./notation.js";
import { htmlNode } from "../kit/draw.js";
import { tellOf } from "../kit/voice.js";
import { inWords, sumNodes } from "./maths.js";

// What the machine shows, in the page's address, so that it can be sent: on the page of its
// own alone.

/** The part of an address after "#". */
export function toHash({ stage, choice, pick, masked, at, edits }) {
  const said = { stage, ...(choice && { choice }), ...(pick && { pick }), ...(masked !== undefined && { masked: Number(masked) }) };
  if (at) said.at = at.join(".");
  if (edits.length) said.edits = edits.map((one) => one.join(".")).join("~");
  return `#${new URLSearchParams(said)}`;
}

const EDIT = /^([01])\.(X|R|E|P|WQ|WK|WV|WO)\.(\d{1,2})\.(\d{1,2})\.(-?\d(?:\.\d+)?)$/;
const AT = /^([A-Z]{1,2})\.(\d{1,2})\.(\d{1,2})$/;

/** What an address says, also after "?", or null if it names no stage. What makes no sense
 *  is left out: isCell(base, row, column, block) says whether there is such a cell. */
function fromAddress(text, stages, isCell) {
  const said = new URLSearchParams(text.replace(/^[#?]/, "")), stage = Number(said.get("stage"));
  if (!stages.includes(stage)) return null;
  const edits = (said.get("edits") ?? "").split("~").map((one) => EDIT.exec(one)).filter(Boolean)
    .map(([, block, base, i, j, v]) => [Number(block), base, Number(i), Number(j), Number(v)])
    .filter(([block, base, i, j]) => isCell(stage, base, i, j, block));
  const [, base, i, j] = AT.exec(said.get("at") ?? "") ?? [], whole = (name) => (said.get(name) === "1" ? 1 : 0);
  const at = base && isCell(stage, base, Number(i), Number(j), 0) ? [base, Number(i), Number(j)] : null;
  return { stage, choice: whole("choice"), pick: whole("pick"), at, edits,
    masked: said.has("masked") ? Boolean(whole("masked")) : undefined };
}

const REST = 400; // milliseconds after which the address is written

/** The link of a machine: open() reads it; open() and next() say what to look at first; follow(again)
 *  listens to the address and returns a stop. */
export function makeLink(model) {
  const machines = model.get("machines"), stages = Object.keys(machines).map(Number), parts = model.get("parts");
  let timer, touched = false, place = {};
  const isCell = (stage, base, i, j, block) => {
    const { given } = machines[stage], sizes = given.blocks[block] && sizesOf(parts, namesOf(given, 0, block));
    if (["E", "P"].includes(base) !== Boolean(given.positions.length) && "XEP".includes(base)) return false;
    return Boolean(sizes?.[base]) && i < sizes[base][0] && j < sizes[base][1];
  };
  const said = () => {
    const found = model.get("linked") && (fromAddress(location.hash, stages, isCell) ?? fromAddress(location.search, stages, isCell));
    if (!found) return null;
    const { pick, at, ...traits } = found;
    traits.masked ??= machines[traits.stage].given.masks;
    return { pick: Math.min(pick, machines[traits.stage].given.blocks.length - 1), at, traits };
  };
  const remember = (pick, at) => {
    place = { pick, at };
    clearTimeout(timer);
    if (!model.get("linked") || !touched) return;
    timer = setTimeout(() => history.replaceState(null, "", toHash({ ...place, stage: model.get("stage"),
      choice: model.get("choice"), edits: model.get("edits"),
      masked: machines[model.get("stage")].given.masks ? model.get("masked") : undefined })), REST);
  };
  const open = () => {
    const found = said();
    if (found) write(model, found.traits);
    return { ...(found && { pick: found.pick, at: found.at }), told: remember, find };
  };
  const follow = (again) => {
    const come = () => said() && again(open());
    touched = true;
    addEventListener("hashchange", come);
    return () => { clearTimeout(timer); removeEventListener("hashchange", come); };
  };
  /** A place in the text, as an address has it: { choice, pick, at } of this lesson, or null. */
  const find = (text) => {
    const found = fromAddress(`stage=${model.get("stage")}&${text}`, stages, isCell);
    return found?.at && found;
  };
  return { open, next: () => ({ told: remember, find }), follow };
}

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

const LEAST_SCALE = 1, MOST_SCALE = 1.4; // of a sheet: a row is 24 pixels high at least
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
