// Beside lesson 14: how many of the values written come back, by how they are kept.
import { live } from "../kit/declared.js";
import { surface, svgNode, update } from "../kit/draw.js";
import { retell } from "../kit/drag.js";

const WIDTH = 320, LEFT = 78, ROOM = WIDTH - LEFT - 54, STEP = 34;

/** A share and half its interval, in hundredths: “79 ± 1”. */
export function hundredths([mean, half]) {
  return `${Math.round(100 * mean)} ± ${Math.max(Math.round(100 * half), half > 0 ? 1 : 0)}`;
}

function makeRow(svg, name, i) {
  const y = 10 + i * STEP, x = (share) => LEFT + ROOM * share;
  svg.append(svgNode("text", { x: LEFT - 6, y: y + 15, "text-anchor": "end" }, name));
  svg.append(svgNode("rect", { x: LEFT, y, width: ROOM, height: 20, rx: 2, class: "aw-room" }));
  const bar = svgNode("rect", { x: LEFT, y, height: 20, rx: 2, class: "aw-bar" });
  const spread = svgNode("path", { class: "aw-axis" });
  const text = svgNode("text", { x: WIDTH, y: y + 15, "text-anchor": "end", class: "aw-small" });
  svg.append(bar, spread, text);
  return ([mean, half]) => {
    update(bar, { width: ROOM * mean });
    update(spread, { d: `M${x(Math.max(mean - half, 0))} ${y + 10}H${x(Math.min(mean + half, 1))}` });
    retell(text, hundredths([mean, half]));
  };
}

/** Every number of the figure, from what the controls say. */
export function compute({ n_pairs: pairs, twice }, { names, shares }) {
  const times = twice ? "twice" : "once", found = shares[times][pairs];
  return { found, times, means: names.map((name) => found[name][0]), halves: names.map((name) => found[name][1]) };
}

function draw({ el, data: { names } }) {
  const svg = surface(WIDTH, 16 + STEP * names.length), rows = names.map((name, i) => makeRow(svg, name, i));
  el.append(svg);
  return ({ found }) => rows.forEach((set, i) => set(found[names[i]]));
}

export default live({ compute, draw });
