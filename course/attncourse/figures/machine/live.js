// The machine: the whole step for one sentence, with its numbers. Point at one, and see
// where it comes from; change a given one, and all that follows moves.
import { write } from "../kit/drag.js";
import { htmlNode } from "../kit/draw.js";
import { makeLink, makeFrame } from "./controls.js";
import { highlight, kinOf, listen, answerNumbers } from "./input.js";
import { announce } from "../kit/voice.js";
import { runMachine, inWords, sumOf } from "./maths.js";
import { factorsOf, namesOf, sizesOf, titleOf } from "./notation.js";
import { drawPlan, paint, rename } from "./picture.js";
import { sheetsOf, sheetWith, makeMap, orderOf, phonePlan, tileOf, TILES } from "./tiles.js";

const WIDE = 664, PHONE_MOST = 440, FADES = 40; // pixels of the picture's box, and of its end where it scrolls
const WAVE = 160; // milliseconds between two steps of a change
const MOST = 9; // the largest number that a reader can set

const FIRST = { X: [[4, 4]], Q: [[4, 0], [3, 0]], S: [[4, 0], [3, 4], [3, 0], [2, 3], [1, 0]], U: [[3, 4], [3, 0]], C: [[4, 0]] };
for (const base of "DAO") FIRST[base] = FIRST.S;
for (const base of "ZYN") FIRST[base] = FIRST.U;
const NEWEST = { 2: "Q", 3: "S", 4: "A", 5: "O", 6: "Z", 7: "A", 8: "N", 9: "D", 10: "O" };

/** The cell of a matrix to look at first: one of the story's, or the largest. */
function initialCell(cells, base, now) {
  const own = cells.filter((one) => one.base === base), size = (one) => Math.abs(now[base][one.i][one.j]);
  const most = [...own].sort((a, b) => size(b) - size(a))[0];
  const told = (FIRST[base] ?? []).map(([i, j]) => own.find((one) => one.i === i && one.j === j));
  return told.find((one) => one && size(one) >= 0.75 * size(most)) ?? most;
}

/** A reader's edits and one more: of two for a cell the last counts. */
export function edited(edits, edit) {
  const same = (one) => [0, 1, 2, 3].every((k) => one[k] === edit[k]);
  return [...edits.filter((one) => !same(one)), edit];
}

/** One lesson's machine in a node; pick and at, if given, say what to look at first. */
function makeMachine(el, model, { pick = 0, at = null, told, find }) {
  const stage = model.get("stage"), { given, plan: whole } = model.get("machines")[stage];
  const parts = model.get("parts"), factors = factorsOf(model.get("factors"), given), layers = given.network.length > 0;
  const roles = Object.fromEntries(Object.entries(parts).map(([base, part]) => [base, part[3]]));
  const names = () => namesOf(given, model.get("choice"), pick), sizes = sizesOf(parts, names());
  const depth = (base) => parts[base][5], far = (lesson) => lesson > stage;
  const isGiven = ({ base }) => base.startsWith("W") || "EPR".includes(base) || (base === "X" && !now.P && !(layers && pick));
  let tile = at?.[0] ?? NEWEST[stage], pinned = at && { base: at[0], i: at[1], j: at[2] }, looked;
  let tables, now, view, stopWave = () => {}, darken = () => {};

  const axis = (base, way) => names()[parts[base][1 + way]];
  const choose = (k) => { pick = k; build(); };
  const visit = (base, k) => { pick = k; tile = base; pinned = null; build(); };
  const broad = given.columns.length > 6;
  const known = whole.matrices.filter(({ base, lesson }) => !far(lesson || parts[base][4]));
  const here = orderOf(broad).filter((base) => known.some((one) => one.base === base));
  const every = known.flatMap(({ base }) => Array.from({ length: sizes[base][0] * sizes[base][1] },
    (_, n) => ({ base, i: Math.floor(n / sizes[base][1]), j: n % sizes[base][1] })));
  const map = makeMap(here.map((base) => [base, TILES[base] ?? parts[base][0].replace("^", ""), roles[base], sizes[base]]),
    given.blocks.map(({ name }, k) => `${layers ? "layer" : "head"} ${k + 1}: ${name}`), { visit, choose });
  const frame = makeFrame(model, given, Object.keys(model.get("machines")).map(Number), { map: map.node, change: (of) => change(pinned, of) });
  const box = htmlNode("div", { className: "mx-box" });
  el.replaceChildren(...frame.above, box, frame.below);

  const ownOf = (base) => (["C", "WC"].includes(base) && given.blocks.length > 1 ? [pick * sizes.O[1], sizes.O[1]] : null);
  const describe = ({ base, turned, lesson }) => {
    const [, r, c, role, from] = parts[base], kinds = turned ? [c, r] : [r, c], own = lesson || from;
    return { title: titleOf(base, { parts, pick, count: given.blocks.length, layers, turned }), kinds, role, lesson: own,
      rows: names()[kinds[0]], columns: names()[kinds[1]], far: far(own), given: base.startsWith("W"), own: ownOf(base) };
  };
  const compute = () => {
    tables = runMachine({ given, choice: model.get("choice"), edits: model.get("edits"), masked: model.get("masked") });
    now = tables[pick];
  };
  const shown = ({ base, i, j }) => view.cells.find((one) => one.base === base && one.i === i && one.j === j);

  function build(focus = false) {
    const width = Math.round(box.clientWidth) || Math.min(whole.width, innerWidth), wide = width >= WIDE;
    const sheets = wide ? sheetsOf(whole, names(), parts) : [];
    const plan = wide ? sheetWith(sheets, tile) : phonePlan(sizes, tileOf(tile, broad), Math.min(width, PHONE_MOST), axis, factors);
    compute();
    el.classList.toggle("mx-phone", !wide);
    view = drawPlan(plan, { describe, far, axis, network: given.network });
    for (const cell of view.cells) cell.node.setAttribute("aria-readonly", !isGiven(cell));
    box.replaceChildren(view.root);
    stopWave();
    stopWave = paint(view, now, { depth, quiet: true });
    map.set(tables, true);
    frame.set();
    pin((pinned && shown(pinned)) || initialCell(view.cells, tile, now) || view.cells[0], { focus });
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
    const pieces = sumOf(cell, { now, parts, factors, names: names(), network: given.network, hint });
    frame.say(pieces, isGiven(cell));
    map.mark(tileOf(cell.base, broad), pick);
    view.onRamp?.("YN".includes(cell.base) ? now.Y[cell.i][cell.j] : undefined);
    return inWords(pieces);
  }

  function pin(cell, { focus = false } = {}) {
    if (focus && document.activeElement !== cell.node) { // then it is pinned, and said
      cell.node.focus({ preventScroll: true }); // the browser would put it in the middle
      cell.node.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
      return frame.uncover(cell.node);
    }
    pinned?.node?.setAttribute("tabindex", -1);
    cell.node.setAttribute("tabindex", 0);
    pinned = cell;
    look(cell);
    told(pick, [cell.base, cell.i, cell.j]);
  }

  function change({ base, i, j }, of) {
    const each = sizes.WO[0], joined = base === "WC", block = joined ? Math.floor(i / each) : base === "X" ? 0 : pick;
    const number = Math.max(-MOST, Math.min(MOST, of(now[base][i][j])));
    write(model, { edits: edited(model.get("edits"), [block, joined ? "WO" : base, joined ? i % each : i, j, number]) });
  }

  function follow(cell, onward) {
    const kin = kinOf(every, cell, onward, { now, factors, isGiven, own: ownOf("C")?.[0] ?? 0 });
    if (kin && shown(kin)) pin(shown(kin), { focus: true });
    else if (kin) { // on another sheet
      [tile, pinned] = [kin.base, kin];
      build(true);
    } else announce(onward ? "Nothing here follows from it." : isGiven(cell) ? "It is given." : "It comes from another head or layer.");
  }

  /** Show a number of the text on its sheet; back() returns to what stood there. */
  let stood = null;
  const peek = (place) => {
    const { at: [base, i, j], pick: block } = find(place), there = block === pick && shown({ base, i, j });
    stood ??= { tile, pick, pinned };
    if (!there) {
      [pick, tile, pinned] = [block, base, { base, i, j }];
      build();
    }
    return look(shown({ base, i, j }));
  };
  const back = () => {
    if (!stood) return;
    const moved = stood.pinned !== pinned;
    [tile, pick, pinned, stood] = [stood.tile, stood.pick, stood.pinned, null];
    moved ? build() : look(pinned);
  };
  const go = (place) => {
    const { at: [base, i, j], pick: block, choice } = find(place);
    if (choice !== model.get("choice")) write(model, { choice });
    [pick, tile, pinned] = [block, base, { base, i, j }];
    el.scrollIntoView({ block: "start", behavior: "instant" });
    build(true);
  };

  const refuse = ({ base }) => announce(`${base} is computed. Change a number of X or of a matrix W.`);

  function redraw(step) {
    compute();
    stopWave();
    stopWave = paint(view, now, { depth, step });
    map.set(tables);
    frame.set();
    look(looked);
    told(pick, [pinned.base, pinned.i, pinned.j]);
  }
  const after = { edits: () => redraw(0), masked: () => redraw(WAVE), choice: () => { rename(view, names()); redraw(WAVE); } };
  for (const trait in after) model.on(`change:${trait}`, after[trait]);

  build();
  let width = box.clientWidth;
  const watch = new ResizeObserver(() => {
    if (Math.abs(box.clientWidth - width) <= 3) return;
    width = box.clientWidth;
    build();
  });
  const stop = listen(box, { cells: () => view.cells, look, pin, back: () => look(pinned), change, isGiven, refuse, follow });
  const hush = answerNumbers(el, { knows: find, peek, back, go });
  watch.observe(box);
  return () => {
    hush();
    for (const trait in after) model.off(`change:${trait}`, after[trait]);
    watch.disconnect();
    stopWave();
    stop();
  };
}

function render({ model, el }) {
  el.classList.add("aw-view", "aw-machine");
  const link = makeLink(model);
  let stop = makeMachine(el, model, link.open());
  const again = (first) => { stop(); stop = makeMachine(el, model, first); };
  const restage = () => again(link.next());
  model.on("change:stage", restage);
  const unlink = link.follow(again);
  return () => {
    model.off("change:stage", restage);
    unlink();
    stop();
  };
}

export default { render };
