// What the network does to one number: a ramp, made of max(0, ·).
import { fixed, svgNode, update } from "../kit/draw.js";
import { feedForward, plus } from "./maths.js";

const RAMP_END = 1.3; // the largest number drawn, both ways

/** What a number becomes in a row of equal ones. */
export function ramped(v, network) {
  const row = [Array(network[0].length).fill(v)];
  return plus(row, feedForward(row, network))[0][0];
}

/** Draw the ramp into its box; returns a function that shows where a number is on it. */
export function drawRamp(view, network) {
  const { x, y, width, height } = view.ramp, group = svgNode("g", { class: "mx-ramp" });
  const at = (v, w) => [x + (width * v) / RAMP_END, y + height - (height * w) / RAMP_END];
  const points = Array.from({ length: 66 }, (_, k) => at((k * RAMP_END) / 65, ramped((k * RAMP_END) / 65, network)).join(","));
  const write = (left, top, text, anchor) => svgNode("text", { x: left, y: top, "text-anchor": anchor, class: "mx-column" }, text);
  const dot = svgNode("circle", { r: 5, class: "mx-dot" }), lines = svgNode("path", { class: "mx-elbow" });
  group.append(svgNode("path", { class: "mx-axes", d: `M${x} ${y}V${y + height}H${x + width}` }), lines,
    svgNode("polyline", { class: "mx-curve", points: points.join(" ") }), dot,
    write(x + width, y + height + 26, "X + update →", "end"), write(x - 4, y - 6, "tidied ↑", "start"));
  for (const v of [0.4, 0.6, 1]) group.append(write(at(v, 0)[0], y + height + 13, fixed(v, v < 1 ? 1 : 0), "middle"));
  for (const v of [0, 1]) group.append(write(x - 6, at(0, v)[1] + 4, fixed(v, 0), "end"));
  view.root.append(group);
  return (v) => {
    const shown = v !== undefined && v >= 0 && v <= RAMP_END, [left, top] = at(v ?? 0, shown ? ramped(v, network) : 0);
    dot.setAttribute("visibility", shown ? "visible" : "hidden");
    lines.setAttribute("visibility", shown ? "visible" : "hidden");
    update(dot, { cx: left, cy: top });
    update(lines, { d: `M${left} ${y + height}V${top}H${x}` });
  };
}
