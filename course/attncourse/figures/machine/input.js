// Input: pointing, tapping, walking with the arrow keys, and changing a given number by drag,
// wheel, digit or key.

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
