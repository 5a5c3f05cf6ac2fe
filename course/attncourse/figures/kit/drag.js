// Moving things by hand, and showing what moved.

const GHOST = 900; // milliseconds for which a ghost stays

/** Let a pointer drag a node of a drawing. get() is the node's place [x, y] in units of
 *  the drawing; set([x, y]) is told where the pointer wants it. The node keeps its
 *  distance to the pointer, so it never jumps. Keyboards use the slider beside it. */
export function draggable(svg, node, get, set) {
  let grip = null;
  const under = ({ clientX, clientY }) => {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [x, y];
  };
  node.classList.add("aw-hold");
  node.addEventListener("pointerdown", (event) => {
    if (event.button) return; // the menu that it opens may swallow the end of the press
    const [x, y] = under(event), [left, top] = get();
    grip = [left - x, top - y];
    node.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  node.addEventListener("pointermove", (event) => {
    if (!grip) return;
    const [x, y] = under(event);
    set([x + grip[0], y + grip[1]]);
  });
  for (const end of ["pointerup", "pointercancel"]) node.addEventListener(end, () => { grip = null; });
  // Chromium heeds touch-action of a whole SVG, not of its parts: a finger would scroll the page.
  node.addEventListener("touchmove", (event) => event.preventDefault(), { passive: false });
}

/** Write several traits at once, as a drag does. */
export function write(model, traits) {
  model.set(traits);
  model.save_changes();
}

/** A value within its bounds, on the nearest step. */
export function snap(value, low, high, step) {
  const on = Math.round((Math.min(Math.max(value, low), high) - low) / step) * step + low;
  return Number(on.toFixed(6)) + 0;
}

/** Remember how a node looks before it changes: keep(node) leaves a faint copy behind
 *  that fades, at most one at a time. Where motion is unwelcome there is none. */
export function ghosts() {
  const last = new Map();
  return (node) => {
    if (window.matchMedia("(prefers-reduced-motion: reduce)").matches || last.has(node)) return;
    const ghost = node.cloneNode(true);
    ghost.classList.remove("aw-hold");
    ghost.classList.add("aw-ghost");
    ghost.setAttribute("aria-hidden", "true");
    node.before(ghost);
    last.set(node, ghost);
    setTimeout(() => { ghost.remove(); last.delete(node); }, GHOST);
  };
}

/** Set a node's text and mark it for a moment if it is another text than before. */
export function retell(node, text) {
  if (node.textContent === text) return;
  const first = node.textContent === "";
  node.textContent = text;
  if (first) return;
  node.classList.add("aw-fresh");
  clearTimeout(node.fresh);
  node.fresh = setTimeout(() => node.classList.remove("aw-fresh"), GHOST);
}
