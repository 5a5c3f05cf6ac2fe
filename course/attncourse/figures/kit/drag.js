// Moving things by hand, and showing what moved.
import { fixed, svgNode, update } from "./draw.js";
import { speakOf } from "./voice.js";

const GHOST = 900; // milliseconds for which a ghost stays
const TURNS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Let a pointer drag a node of a drawing. get() is the node's place [x, y] in units of
 *  the drawing; set([x, y]) is told where the pointer wants it. The node keeps its
 *  distance to the pointer, so it never jumps. Keyboards use the slider beside it, or, with
 *  `keys`, the arrow keys on the node: see `steered`. */
export function draggable(svg, node, get, set, keys) {
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
  if (keys) steered(svg, node, get, set, keys);
}

/** Where something is in the plane, for those who do not see it. */
export function compass([x, y], digits = 2) {
  const way = (v, more, less) => `${fixed(Math.abs(v), digits)} ${Number(fixed(Math.abs(v), digits)) && v < 0 ? less : more}`;
  return `${way(x, "right", "left")}, ${way(y, "up", "down")}`;
}

/** A node that arrow keys move, `step` of the drawing's units at a time, from `low` to
 *  `high` in the plane's. value() is its place there. Enter takes hold of it, as a tap
 *  does; until it is `free()`, arrow keys do nothing. */
function steered(svg, node, get, set, { name, value, low, high, step, free = () => true }) {
  update(node, { role: "slider", tabindex: 0, "aria-label": `${name}: arrow keys move it`,
    "aria-valuemin": low, "aria-valuemax": high });
  let along = 0; // the number that a key changed: only of that one is a change heard
  node.addEventListener("keydown", (event) => {
    const turn = TURNS[event.key], pressed = event.key === "Enter" || event.key === " ";
    if (!(turn || pressed) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (turn && !free()) return;
    const [x, y] = get(); // which takes hold
    if (!turn) return;
    along = turn[0] ? 0 : 1;
    set([x + turn[0] * step, y + turn[1] * step]);
  });
  const tell = () => update(node, { "aria-valuenow": value()[along], "aria-valuetext": compass(value()) });
  if (svg.holds) svg.holds.push([node, tell]);
  else {
    svg.holds = [[node, tell]];
    queueMicrotask(() => standBeside(svg)); // when all is drawn
  }
}

/** What is drawn is one picture, in words; beside it stands what one can take hold of. */
function standBeside(svg) {
  const drawn = svgNode("g", { role: "img" }), holds = svg.holds.map(([node]) => node);
  const tell = () => svg.holds.forEach(([, say]) => say());
  drawn.append(...svg.childNodes);
  svg.append(drawn, ...holds);
  const words = svg.getAttribute("aria-label") ?? "";
  svg.speak = (said) => { speakOf(drawn, said); tell(); };
  svg.speak(words);
  update(svg, { role: "group", "aria-label": "Drawing" });
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

/** Whether motion is unwelcome. */
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Call show(share) from 0 to 1 for so many milliseconds, or with 1 at once; returns a stop. */
export function glide(show, long) {
  const begin = performance.now();
  let frame;
  const step = (time) => {
    const share = still() ? 1 : Math.min(1, Math.max(0, (time - begin) / long));
    if (share < 1) frame = requestAnimationFrame(step);
    show(share);
  };
  step(begin);
  return () => cancelAnimationFrame(frame);
}

/** Remember how a node looks before it changes: keep(node) leaves a faint copy behind
 *  that fades, at most one at a time. Where motion is unwelcome there is none. */
export function ghosts() {
  const last = new Map();
  return (node) => {
    if (still() || last.has(node)) return;
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
  node.classList.add("aw-retold");
  clearTimeout(node.fresh);
  node.fresh = setTimeout(() => node.classList.remove("aw-retold"), GHOST);
}
