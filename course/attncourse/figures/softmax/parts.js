// The pieces that lesson 4's picture is drawn from.
import { fixed, readable, svgNode, update } from "../kit/draw.js";
import { FLOOR, HOME, LEFT, N, RIGHT, ROW, ROWS, SHARES, THICK, TOP, across, curve, heightOf, outline } from "./curve.js";

function label(svg, x, y, text, anchor = "start", name = "aw-tick") {
  const node = svgNode("text", { x, y, "text-anchor": anchor, class: name }, text);
  svg.append(node);
  return node;
}

/** One row: a bar from 0 to the score, with a tip to hold. */
export function makeBar(svg, name, j) {
  const y = ROWS + j * ROW, bar = svgNode("rect", { class: "aw-score", y: y - 6, height: 12 });
  const tip = svgNode("rect", { class: "aw-tip", y: y - 9, width: 6, height: 18, rx: 3 });
  label(svg, LEFT - 8, y + 4, name, "end", j < N ? "aw-strong" : "aw-tick");
  const hold = svgNode("rect", { y: y - ROW / 2, width: 44, height: ROW });
  svg.append(bar, tip, hold);
  const set = (x) => {
    update(bar, { x: Math.min(x, HOME), width: Math.abs(x - HOME) });
    update(tip, { x: x - 3 });
    update(hold, { x: x - 22 });
  };
  return { hold, tip, set };
}

/** One word above the axis: its height under the curve, with a dot to hold; its share. */
export function makeHeight(svg, j) {
  const link = svgNode("path", { class: "aw-link" }), stem = svgNode("rect", { class: "aw-bar", width: 12 });
  const was = svgNode("path", { class: "aw-began" });
  const share = svgNode("rect", { class: "aw-bar", y: SHARES, height: THICK, rx: 2 });
  for (const node of [stem, share]) node.style.fillOpacity = [0.6, 0.4, 0.22][j];
  const dot = svgNode("circle", { r: 5.5, class: "aw-dot" }), hold = svgNode("circle", { r: 17 });
  svg.append(link, stem, was, share);
  const inside = label(svg, 0, SHARES + 20, "", "middle", "aw-small");
  const set = (x, high, before, segment, word) => {
    update(was, { d: Math.abs(high - before) < 0.5 ? "" : outline(x, before) });
    update(link, { d: `M${x} ${ROWS + j * ROW}V${FLOOR}` });
    update(stem, { x: x - 6, y: FLOOR - high, height: high });
    for (const node of [dot, hold]) update(node, { cx: x, cy: FLOOR - high });
    update(share, { x: LEFT + segment.x, width: Math.max(segment.width - 1.5, 0) });
    update(inside, { x: LEFT + segment.x + segment.width / 2 });
    inside.textContent = segment.width > 34 ? word : "";
  };
  return { dot, hold, stem, set };
}

/** The axis, its ticks, the curve; the largest exponential and 1 at their heights. */
export function makeFrame(svg) {
  const line = svgNode("path", { class: "aw-curve" }), one = svgNode("path", { class: "aw-level" });
  svg.append(one, svgNode("path", { class: "aw-axis", d: `M${LEFT} ${FLOOR}H${RIGHT}M${HOME} ${FLOOR}V${ROWS + N * ROW + 8}` }), line);
  for (const tick of [-6, -4, -2, 0, 2, 4, 6]) label(svg, across(tick), FLOOR + 14, fixed(tick, 0), "middle");
  label(svg, LEFT, TOP - 11, "height: e to the score ÷ T", "start", "aw-tick aw-halo");
  label(svg, 0, SHARES + 20, "shares");
  const largest = label(svg, LEFT - 4, TOP + 4, "", "end"), name = label(svg, LEFT - 4, 0, "1", "end");
  const set = (top, temperature, exponential) => {
    const y = FLOOR - heightOf(0, top, temperature), seen = y > TOP + 14 && y < FLOOR - 3;
    update(line, { d: curve(top, temperature) });
    update(one, { d: seen ? `M${LEFT} ${y.toFixed(1)}H${RIGHT}` : "" });
    update(name, { y: y + 4, visibility: seen ? "visible" : "hidden" });
    largest.textContent = readable(exponential);
  };
  return { set };
}
