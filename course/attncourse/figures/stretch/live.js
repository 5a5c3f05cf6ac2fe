// Stretched rotations: a dial for each rotary pair, with what training had, and two hands.
import { live } from "../kit/declared.js";
import { fixed, htmlNode, surface, svgNode, update } from "../kit/draw.js";
import { retell } from "../kit/drag.js";

const ACROSS = 8, WIDE = 43, TALL = 58, R = 18;

/** Every number of the figure, from what the controls say. */
export function compute({ distance, kind }, { speeds, arcs }) {
  const near = speeds[kind].map((speed) => speed / (2 * Math.PI)), turns = near.map((one) => (distance * one) % 1);
  const isNew = turns.map((turn, i) => turn > arcs[i] + 1e-9), nNew = isNew.filter(Boolean).length;
  return { turns, near, new: isNew, n_new: nNew, step: speeds[kind][0], case: nNew ? "some" : "none" };
}

const tip = (turn, r = R) => `${(r * Math.sin(2 * Math.PI * turn)).toFixed(2)} ${(-r * Math.cos(2 * Math.PI * turn)).toFixed(2)}`;

/** A slice of a dial, from 0 on. */
function slice(turn) {
  if (turn >= 1) return `M0 ${-R}A${R} ${R} 0 1 1 0 ${R}A${R} ${R} 0 1 1 0 ${-R}Z`;
  return `M0 0L0 ${-R}A${R} ${R} 0 ${turn > 0.5 ? 1 : 0} 1 ${tip(turn)}Z`;
}

function makeDial(svg, arc, i) {
  const place = `translate(${(i % ACROSS) * WIDE + WIDE / 2} ${Math.floor(i / ACROSS) * TALL + R + 4})`;
  const node = svgNode("g", { transform: place }), near = svgNode("path", { class: "aw-near" });
  const far = svgNode("path", { class: "aw-far" }), end = svgNode("circle", { r: 3.5, class: "aw-end" });
  node.append(svgNode("path", { class: "aw-had", d: slice(arc) }), svgNode("circle", { r: R, class: "aw-rim" }),
    near, far, end, svgNode("text", { y: R + 15, "text-anchor": "middle", class: "aw-tick" }, i));
  svg.append(node);
  return (turn, neighbor, isNew) => {
    update(near, { d: `M0 0L${tip(neighbor)}` });
    update(far, { d: `M0 0L${tip(turn)}` });
    const [cx, cy] = tip(turn).split(" ");
    update(end, { cx, cy });
    node.classList.toggle("aw-new", isNew);
  };
}

function draw({ el, data: { arcs, trained } }) {
  const svg = surface(ACROSS * WIDE, 2 * TALL + 4, "aw-dials");
  const dials = arcs.map((arc, i) => makeDial(svg, arc, i));
  const told = htmlNode("b"), step = htmlNode("b");
  el.append(htmlNode("p", { className: "aw-hint" }, "Distances up to ", `${trained}`, " were trained. New: ", told,
    ". One token turns the fastest pair by ", step, "."), svg,
  htmlNode("p", { className: "aw-hint", textContent: "Gray: what the pair swept in training. Long hand: the key at this distance; thin hand: the token before." }));
  return (now) => {
    dials.forEach((set, i) => set(now.turns[i], now.near[i], now.new[i]));
    retell(told, `${now.n_new} of ${arcs.length} pairs`);
    retell(step, `${fixed(now.step, 3)} radians`);
  };
}

export default live({ compute, draw });
