// Input: pointing, tapping, walking with the arrow keys, and changing a given number by drag,
// wheel, digit or key.
import { svgNode } from "../kit/draw.js";
import { pairsOf } from "./maths.js";

// The highlight: the row and the column that meet in a cell.

/** Which cells a cell is made of, or goes into: [base, row or null, column or null]. */
function sourcesOf({ base, i, j }, factors, now) {
  if (base === "S") return [["Q", i, null], ["K", j, null]];
  if (base === "D") return [["S", i, j]];
  if (base === "A") return [["D", i, null]];
  if (base === "Y") return [["X", i, j], ["U", i, j]];
  if (base === "N") return [["Y", i, j]];
  if (base === "X" && now.P) return [["E", i, j], ["P", i, j]];
  if (base === "E" || base === "P") return [["X", i, j]];
  if (base === "X" || base === "R") return ["Q", "K", "V"].filter((one) => factors[one][0] === base).map((one) => [`W${one}`, j, null]);
  if (/^W[QKV]$/.test(base)) return [[factors[base[1]][0], null, i], [base[1], null, j]];
  if (!factors[base]) return [];
  const [left, top] = factors[base];
  return [[left, i, null], [top, null, j]];
}

/** Whether a cell counts: its factor of the sum is not 0. */
function counts(cell, at, terms, now, factors) {
  if (terms) return terms[cell.base === factors[at.base][0] || at.base === "S" ? cell.j : cell.i];
  return "XR".includes(at.base) && cell.base.startsWith("W") && now[cell.base][cell.i][cell.j] * now[at.base][at.i][at.j];
}

/** The cell to which S leads from this one, the largest of its sources, or F, the largest of
 *  what follows from it; none if there is none. */
export function kinOf(cells, at, onward, { now, factors, isGiven, own }) {
  const of = (made, one) => !isGiven(made) && (made.base === "C" ? [["O", made.i, made.j - own]] : sourcesOf(made, factors, now)).some(([base, i, j]) =>
    one.base === base && (i === null || one.i === i) && (j === null || one.j === j));
  const size = ({ base, i, j }) => (Number.isFinite(now[base][i][j]) ? Math.abs(now[base][i][j]) : 0);
  const terms = !onward && factors[at.base] && pairsOf(at, now, factors).map(([x, y]) => Math.abs(x * y));
  const weight = (one) => (terms ? (one.base === factors[at.base][0] ? terms[one.j] : -1)
    : size(one) + (!onward && at.base === "A" && one.j === at.j ? 1e6 : 0));
  const found = cells.filter((one) => (onward ? of(one, at) : of(at, one)));
  return found.filter(({ base }) => !onward || base === found[0].base).sort((a, b) => weight(b) - weight(a))[0];
}

/** Light what a cell is made of; returns what to darken again. */
export function highlight(view, at, { now, factors, roles }) {
  const from = sourcesOf(at, factors, now), lit = [];
  const terms = factors[at.base] && pairsOf(at, now, factors).map(([x, y]) => x * y);
  const mark = (node, kind) => { node.classList.add(kind); lit.push([node, kind]); };
  for (const cell of view.cells) {
    if (cell.base === at.base && cell.i === at.i && cell.j === at.j) mark(cell.node, "mx-here");
    else if (from.some(([base, i, j]) => cell.base === base && (i === null || cell.i === i) && (j === null || cell.j === j))) {
      mark(cell.node, "mx-lit");
      if (counts(cell, at, terms, now, factors)) mark(cell.node, "mx-hit");
    }
  }
  for (const { path, of, k } of view.elbows) if (of === at.base ? terms[k] : factors[of]?.[0] === at.base && "QK".includes(of) && k === at.j) mark(path, "mx-hit");
  view.beams.replaceChildren(...beamsOf(view, at).map(([base, box]) => svgNode("rect", { class: `mx-${roles[base]}`, rx: 4, ...box })));
  return () => lit.forEach(([node, kind]) => node.classList.remove(kind));
}

/** The two bars of color that cross in a cell, as [base, box]. */
function beamsOf(view, at) {
  return view.products.filter(([, , p]) => view.matrices[p].base === at.base).flatMap(([l, t, p]) => {
    const [left, top, product] = [view.matrices[l], view.matrices[t], view.matrices[p]];
    const x = product.x + at.j * product.width, y = product.y + at.i * view.cell, from = Math.min(left.x, product.x);
    const right = t === -1 ? product.x + product.columns * product.width : x + product.width;
    const column = (upper) => ({ x, y: upper, width: product.width, height: y + view.cell - upper });
    if (t === -2 && left.x === product.x) return [[left.base, column(left.y + at.i * view.cell)]];
    if (t === -1 && left.x === product.x) return [[left.base, { x: from, y: left.y + at.i * view.cell, width: right - from, height: view.cell }], [product.base, { x: from, y, width: right - from, height: view.cell }]];
    const row = [left.base, { x: from, y, width: right - from, height: view.cell }];
    return top ? [row, [top.base, column(top.y)]] : [row];
  });
}

const DRAG_STEP = 14; // pixels of the screen for one more or one less
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The next cell that way, or null. */
function nextCell(cells, cell, [right, down]) {
  let best = null, least = Infinity;
  for (const one of cells) {
    const dx = one.x - cell.x, dy = one.y - cell.y, ahead = dx * right + dy * down;
    const aside = Math.abs(dx * down) + Math.abs(dy * right), far = ahead + 4 * aside;
    if (ahead > 1 && aside < 3 * ahead && far < least) [best, least] = [one, far];
  }
  return best;
}

/** What a key does to a number, or null. */
function keyed(key) {
  if (/^\d$/.test(key)) return () => Number(key);
  if (key === "+" || key === "=") return (v) => v + 1;
  return key === "-" ? (v) => v - 1 : null;
}

/** Listen to a picture's box. cells() lists its cells; look(cell) shows one for as long as
 *  the pointer is there, pin(cell) stays with it, back() returns to the one pinned;
 *  change(cell, of) edits a given number, refuse(cell) says that this is none; follow(cell, onward) goes
 *  to a source of it, or to what follows. Returns a stop. */
export function listen(box, { cells, look, pin, back, change, isGiven, refuse, follow }) {
  const cellOf = ({ target }) => {
    const node = target.closest?.(".mx-cell");
    return node ? cells().find((one) => one.node === node) : undefined;
  };
  let drag = null;
  const off = new AbortController(), on = (target, event, act, more = {}) =>
    target.addEventListener(event, act, { signal: off.signal, ...more });
  on(box, "pointerover", (event) => {
    const cell = cellOf(event);
    if (cell && event.pointerType === "mouse" && !drag) look(cell);
  });
  on(box, "pointerleave", () => drag || back());
  on(box, "pointerdown", (event) => {
    const cell = cellOf(event);
    if (!cell || event.button || event.pointerType === "touch") return;
    pin(cell);
    if (isGiven(cell)) drag = { cell, y: event.clientY, moved: 0 };
  });
  on(window, "pointermove", (event) => {
    const steps = drag && Math.trunc((drag.y - event.clientY) / DRAG_STEP);
    if (!drag || steps === drag.moved) return;
    change(drag.cell, (v) => Math.round(v) + steps - drag.moved);
    drag.moved = steps;
  });
  for (const end of ["pointerup", "pointercancel"]) on(window, end, () => { drag = null; });
  on(box, "click", (event) => {
    const cell = cellOf(event);
    if (cell) pin(cell, { focus: true });
  });
  on(box, "focusin", (event) => {
    const cell = cellOf(event);
    if (cell) pin(cell);
  });
  on(box, "wheel", (event) => { // over the cell that has the focus alone: the page scrolls
    const cell = cellOf(event);
    if (!cell || !isGiven(cell) || document.activeElement !== cell.node || !event.deltaY) return;
    event.preventDefault();
    change(cell, (v) => Math.round(v) - Math.sign(event.deltaY));
  }, { passive: false });
  on(box, "keydown", (event) => {
    const cell = cellOf(event), way = WAYS[event.key];
    if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^[sf]$/i.test(event.key)) {
      event.preventDefault();
      return follow(cell, /f/i.test(event.key));
    }
    const next = way && nextCell(cells(), cell, way), to = keyed(event.key);
    if (!way && !to) return;
    event.preventDefault();
    if (next) pin(next, { focus: true });
    if (to) (isGiven(cell) ? change : refuse)(cell, to);
  });
  return () => off.abort();
}
