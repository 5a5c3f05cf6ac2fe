// The layers as a diagram: the rows go in, through attention and the network, each of which
// adds to them, and come out. A tap chooses the layer that is shown.
import { htmlNode, svgNode } from "../kit/draw.js";
import { holding } from "./labels.js";
import { makeButton } from "./chips.js";
import { miniature } from "./map.js";

const LINE = 34; // the height of the rows' own way through the layer

/** One layer: two boxes on the way, and around each the way of what is kept. */
function diagram() {
  const box = (x, width, name) => [svgNode("rect", { x, y: LINE - 10, width, height: 20, rx: 4 }),
    svgNode("text", { x: x + width / 2, y: LINE + 4, "text-anchor": "middle" }, name)];
  const sum = (x) => [svgNode("circle", { cx: x, cy: LINE, r: 6 }), svgNode("path", { d: `M${x - 3} ${LINE}h6m-3 -3v6` })];
  const around = (from, to) => svgNode("path", { class: "mx-kept", d: `M${from} ${LINE}V18Q${from} 10 ${from + 8} 10H${to - 8}Q${to} 10 ${to} 18V${LINE - 6}` });
  const way = svgNode("path", { class: "mx-way", d: `M0 ${LINE}H188` });
  return holding(svgNode("svg", { width: 188, height: 48, viewBox: "0 0 188 48", class: "mx-diagram", "aria-hidden": true }),
    way, around(5, 88), around(99, 177), ...box(13, 62, "attention"), ...sum(88), ...box(107, 56, "network"), ...sum(177));
}

/** All layers in a row; set(k) says which is shown, show(tables) fills in the rows between. */
export function makeLayers(blocks, [rows, columns], choose) {
  const minis = Array.from({ length: blocks.length + 1 }, () => miniature(rows, columns, "x"));
  const names = ["X", ...blocks.map((_, k) => `X${"₁₂₃"[k]}`)];
  const buttons = blocks.map(({ name }, k) => {
    const button = makeButton("", () => choose(k), { className: "mx-layer" });
    button.append(diagram(), htmlNode("span", { textContent: `layer ${k + 1}: ${name}` }));
    return button;
  });
  const held = minis.map((mini, k) => htmlNode("span", { className: "mx-held" }, mini.node, names[k]));
  const node = htmlNode("div", { className: "mx-layers" }, held[0], ...buttons.flatMap((button, k) => [button, held[k + 1]]));
  node.setAttribute("role", "group");
  node.setAttribute("aria-label", "Which layer");
  const set = (pressed) => buttons.forEach((one, k) => one.setAttribute("aria-pressed", k === pressed));
  const show = (tables) => minis.forEach((mini, k) => mini.set(k ? tables[k - 1].N : tables[0].X));
  return { node, set, show };
}
