// The machine: the whole step for one sentence, with its numbers. Point at one, and see
// where it comes from; change a given one, and all that follows moves.
import { has, live } from "../kit/declared.js";
import { htmlNode } from "../kit/draw.js";
import { editsOf, inText, makeLink, makeFrame } from "./controls.js";
import { highlight, kinOf, listen } from "./input.js";
import { ALONE } from "../kit/alone.js";
import { answerNumbers } from "../kit/numbers.js";
import { announce } from "../kit/voice.js";
import { runMachine, inWords, sumOf } from "./maths.js";
import { factorsOf, isGivenIn, namesOf, sizesOf, titleOf } from "./notation.js";
import { drawPlan, paint, rename } from "./picture.js";
import { told } from "./told.js";
import { sheetsOf, sheetWith, makeMap, orderOf, phonePlan, tileOf, TILES } from "./tiles.js";

const WIDE = 664, PHONE_MOST = 440, FADES = 40; // pixels of the picture's box, and of its end where it scrolls
const WAVE = 160; // milliseconds between two steps of a change
const MOST = 9; // the largest number that a reader can set

const OPENS = { // a matrix, and the word of whose row
  2: ["Q", 4], 3: ["S", 4], 4: ["A", 4], 5: ["O", 4], 6: ["Z", 3], 7: ["A", 1], 8: ["N", 3], 9: ["D", 3], 10: ["O", 2] };

/** The cell to look at first: the largest of the row that a reader looks at, or, in a matrix
 *  that has no such row, of all; where the word's first row is kept, of what is new. */
function largestOf(cells, row, now) {
  const size = ({ base, i, j }) => Math.abs(now[base][i][j] - ("YN".includes(base) ? now.X[i][j] : 0));
  const inRow = cells.filter((one) => row(one));
  return [...(inRow.length ? inRow : cells)].sort((a, b) => size(b) - size(a))[0];
}

/** A reader's edits and one more: of two for a cell the last counts. */
export function edited(edits, edit) {
  const same = (one) => [0, 1, 2, 3].every((k) => one[k] === edit[k]);
  return [...edits.filter((one) => !same(one)), edit];
}

/** The number of a cell in a reader's hand: within bounds, and as an address has it. */
const bounded = (v) => Number(Math.max(-MOST, Math.min(MOST, v)).toFixed(6));

export function compute({ stage, choice, pick, masked, edits }, { machines, parts }) {
  const { given } = machines[stage];
  const tables = runMachine({ given, choice, edits: editsOf(edits), masked: Boolean(masked && given.masks) });
  return { tables, ...told(tables, machines[stage], { parts, stage, choice, pick }) };
}

/** One lesson's machine in a node. state() and put(part) read its state and change it; find(text)
 *  gives the part of the state that a number of the text is. Returns set(numbers, state), stop(). */
function makeMachine(el, host, { data, state, put, find, numbers: first }) {
  const { machines, parts } = data, { stage } = state(), { given, plan: whole } = machines[stage];
  const factors = factorsOf(data.factors, given), layers = given.network.length > 0;
  const roles = Object.fromEntries(Object.entries(parts).map(([base, part]) => [base, part[3]]));
  let shownAs = state(), tables = first.tables, pick, tile, word = OPENS[stage][1], pinned, isOwn, looked, now, view, stopWave = () => {}, darken = () => {};
  const names = () => namesOf(given, shownAs.choice, pick), depth = (base) => parts[base][5], far = (lesson) => lesson > stage;
  const isOfWords = ({ base }) => parts[base][1] === "word" || (parts[base][1] === "seen" && !given.read);
  const isGiven = ({ base }) => isGivenIn(base, given, pick);
  const placeOf = ({ pick: k, at }) => {
    const [base, i, j] = at.toUpperCase().split(".");
    pick = Math.min(k, given.blocks.length - 1);
    pinned = every.find((one) => one.base === base && one.i === Number(i) && one.j === Number(j)) ?? null;
    tile = pinned?.base ?? OPENS[stage][0];
    isOwn = Boolean(pinned); // else the machine chose it
  };
  pick = 0;
  const sizes = sizesOf(parts, names());

  const axis = (base, way) => names()[parts[base][1 + way]];
  const choose = (k) => { pick = k; build(); };
  const visit = (base, k) => { pick = k; tile = base; isOwn = false; build(); };
  const broad = given.columns.length > 6;
  const known = whole.matrices.filter(({ base, lesson }) => !far(lesson || parts[base][4]));
  const here = orderOf(broad).filter((base) => known.some((one) => one.base === base));
  const every = known.flatMap(({ base }) => Array.from({ length: sizes[base][0] * sizes[base][1] },
    (_, n) => ({ base, i: Math.floor(n / sizes[base][1]), j: n % sizes[base][1] })));
  const map = makeMap(here.map((base) => [base, TILES[base] ?? parts[base][0].replace("^", ""), roles[base], sizes[base]]),
    given.blocks.map(({ name }, k) => `${layers ? "layer" : "head"} ${k + 1}: ${name}`), { visit, choose });
  const switchTo = (choice) => {
    put({ choice });
    if (!isOwn) pin(largest());
  };
  const frame = makeFrame({ machines, state, put, switchTo }, { map: map.node, change: (of) => change(pinned, of) });
  const box = htmlNode("div", { className: "mx-box" });
  host.replaceChildren(...frame.above, box, frame.below);

  const ownOf = (base) => (["C", "WC"].includes(base) && given.blocks.length > 1 ? [pick * sizes.O[1], sizes.O[1]] : null);
  const describe = ({ base, turned, lesson }) => {
    const [, r, c, role, from] = parts[base], kinds = turned ? [c, r] : [r, c], own = lesson || from;
    return { title: titleOf(base, { parts, pick, count: given.blocks.length, layers, turned }), kinds, role, lesson: own,
      rows: names()[kinds[0]], columns: names()[kinds[1]], far: far(own), given: base.startsWith("W"), own: ownOf(base) };
  };
  const shown = ({ base, i, j }) => view.cells.find((one) => one.base === base && one.i === i && one.j === j);

  const largest = () => largestOf(view.cells.filter(({ base }) => base === tile), (one) => isOfWords(one) && one.i === word, now) ?? view.cells[0];

  const roomNow = () => Math.round(box.clientWidth) || Math.min(whole.width, innerWidth);

  function build(focus = false, quietly = false) {
    const wide = roomNow() >= WIDE;
    el.classList.toggle("mx-phone", !wide); // which narrows the box
    const width = roomNow();
    const sheets = wide ? sheetsOf(whole, names(), parts) : [];
    const plan = wide ? sheetWith(sheets, tile) : phonePlan(sizes, tileOf(tile, broad), Math.min(width, PHONE_MOST), axis, factors);
    now = tables[pick];
    view = drawPlan(plan, { describe, far, axis, network: given.network });
    for (const cell of view.cells) cell.node.setAttribute("aria-readonly", !isGiven(cell));
    box.replaceChildren(view.root);
    stopWave();
    stopWave = paint(view, now, { depth, quiet: true });
    map.set(tables, true);
    frame.set(shownAs);
    pin((isOwn && shown(pinned)) || largest(), { focus, quietly });
    view.root.style.maxWidth = `${wide ? frame.widest(plan) : plan.width}px`;
    if (!wide) view.root.style.minWidth = `${plan.width}px`;
    box.classList.toggle("mx-scrolls", !wide && plan.width > width);
    box.scrollLeft = wide ? 0 : pinned.x + pinned.matrix.width + FADES - width;
    const highs = sheets.map((one) => (Math.min(width, frame.widest(one)) * one.height) / one.width);
    box.style.minHeight = `${Math.ceil(Math.max(0, ...highs))}px`; // what stands below stays where it is
  }

  function look(cell) {
    darken();
    looked = cell;
    darken = highlight(view, cell, { now, factors, roles });
    const hint = view.width > PHONE_MOST ? ". Drag it up or down, type a digit, or use − and +." : ". Change it with − and +.";
    const pieces = sumOf(cell, { now, parts, factors, names: names(), hint });
    frame.say(pieces, isGiven(cell));
    map.mark(tileOf(cell.base, broad), pick);
    view.onRamp?.("YN".includes(cell.base) ? now.Y[cell.i][cell.j] : undefined);
    return inWords(pieces);
  }

  function pin(cell, { focus = false, quietly = false } = {}) {
    if (focus && document.activeElement !== cell.node) { // then it is pinned, and said
      cell.node.focus({ preventScroll: true }); // the browser would put it in the middle
      cell.node.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
      return frame.uncover(cell.node);
    }
    pinned?.node?.setAttribute("tabindex", -1);
    cell.node.setAttribute("tabindex", 0);
    pinned = cell;
    if (isOfWords(cell)) word = cell.i;
    look(cell);
    if (!quietly) putPlace({ pick, at: `${cell.base}.${cell.i}.${cell.j}` });
  }

  function pinOwn(cell, how) {
    isOwn = true;
    pin(cell, how);
  }

  function putPlace(place) {
    shownAs = { ...shownAs, ...place };
    put(place);
  }

  function change({ base, i, j }, of) {
    isOwn = true;
    const each = sizes.WO[0], joined = base === "WC", block = joined ? Math.floor(i / each) : base === "X" ? 0 : pick;
    const edit = [block, joined ? "WO" : base, joined ? i % each : i, j, bounded(of(now[base][i][j]))];
    put({ edits: inText(edited(editsOf(state().edits), edit)) });
  }

  function follow(cell, onward) {
    const kin = kinOf(every, cell, onward, { now, factors, isGiven, own: ownOf("C")?.[0] ?? 0 });
    if (kin && shown(kin)) pinOwn(shown(kin), { focus: true });
    else if (kin) { // on another sheet
      [tile, pinned, isOwn] = [kin.base, kin, true];
      build(true);
    } else announce(onward ? "Nothing here follows from it." : isGiven(cell) ? "It is given." : "It comes from another head or layer.");
  }

  /** Show a number of the text on its sheet; back() returns to what stood there. */
  let stood = null;
  const knows = (text) => every.some(({ base, i, j }) => `${base}.${i}.${j}` === find(text).at);
  const peek = (text) => {
    const there = { ...find(text) }, before = { tile, pick, pinned, word, isOwn };
    stood ??= before;
    placeOf(there);
    if (before.pick !== pick || !shown(pinned)) build(false, true);
    return look(shown(pinned));
  };
  const back = () => {
    if (!stood) return;
    const moved = stood.pinned !== pinned;
    ({ tile, pick, pinned, word, isOwn } = stood);
    stood = null;
    moved ? build(false, true) : look(pinned);
  };
  const go = (text) => {
    const { choice, ...place } = find(text);
    if (choice !== state().choice) put({ choice });
    placeOf(place);
    el.scrollIntoView({ block: "start", behavior: "instant" });
    build(true);
  };

  const refuse = ({ base }) => announce(`${base} is computed. Change a number of X or of a matrix W.`);

  function set(numbers, next) {
    const was = shownAs, moved = was.pick !== next.pick || was.at !== next.at;
    [shownAs, tables] = [next, numbers.tables];
    if (has(was, next)) return; // what has just changed stays marked
    if (moved) placeOf(next);
    if (moved) return build(false, true);
    if (was.choice !== next.choice) rename(view, names());
    now = tables[pick];
    stopWave();
    stopWave = paint(view, now, { depth, step: was.edits === next.edits ? WAVE : 0 });
    map.set(tables);
    frame.set(next);
    look(looked);
  }

  placeOf(shownAs);
  build(false, true);
  let width = box.clientWidth;
  const watch = new ResizeObserver(() => {
    if (Math.abs(box.clientWidth - width) <= 3) return;
    width = box.clientWidth;
    build(false, true);
  });
  const stopListening = listen(box, { cells: () => view.cells, look, pin: pinOwn, back: () => look(pinned), change, isGiven, refuse, follow });
  const hush = ALONE ? () => {} : answerNumbers(el, { knows, peek, back, go });
  watch.observe(box);
  const stop = () => {
    hush();
    watch.disconnect();
    stopWave();
    stopListening();
  };
  return { set, stop };
}

const stops = new WeakMap(); // by the node of a figure

function draw({ el, data, model, state, put, redraw }) {
  const host = htmlNode("div"), { whole } = state(), link = ALONE ? null : makeLink(model.get("spec").controls);
  let made = null, stage, touched = false;
  const come = () => {
    const found = link.said();
    if (!found) return;
    made?.stop();
    made = null;
    put(found);
    if (touched) redraw();
  };
  const set = (numbers, next) => {
    if (made && stage === next.stage) made.set(numbers, next);
    else {
      made?.stop();
      made = makeMachine(el, host, { data, state, put, find: link?.find, numbers });
    }
    stage = next.stage;
    if (link && whole && touched) link.remember(next);
    touched = true;
  };
  el.append(host);
  if (link && whole) come();
  const unlink = link && whole ? link.follow(come) : () => {};
  if (!ALONE) stops.set(el, () => { unlink(); made.stop(); });
  return set;
}

const machine = live({ compute, draw });

function render({ model, el }) {
  const stop = machine.render({ model, el });
  return () => { stop(); stops.get(el)(); };
}

export default ALONE ? machine : { render };
