// The map: every matrix as a tile with its data in miniature. A tap goes there.
import { htmlNode, svgNode } from "../kit/draw.js";
import { holding } from "./labels.js";
import { largest, strength } from "./numbers.js";

const SIZE = 4;

/** A matrix in miniature; set(table) colors it. */
export function miniature(rows, columns, role, size = SIZE) {
  const spots = Array.from({ length: rows * columns }, (_, n) => svgNode("rect", {
    x: (n % columns) * size, y: Math.floor(n / columns) * size, width: size - 0.5, height: size - 0.5 }));
  const frame = { width: columns * size, height: rows * size, viewBox: `0 0 ${columns * size} ${rows * size}`, "aria-hidden": true };
  const node = holding(svgNode("svg", { ...frame, class: `mx-mini mx-${role}` }), ...spots), was = [];
  const set = (table) => {
    const most = largest(table);
    table.flat().forEach((v, n) => {
      const share = Number.isFinite(v) ? Math.abs(v) / most : 0;
      const opacity = Math.max(0.09, strength(share)).toFixed(2);
      if (opacity !== was[n]) spots[n].style.fillOpacity = was[n] = opacity;
    });
  };
  return { node, set };
}

/** The tiles of some parts, [base, name, role, [rows, columns]]; visit(base) goes to one. */
export function makeMap(tiles, visit) {
  const made = tiles.map(([base, name, role, sizes]) => {
    const mini = miniature(...sizes, role);
    const label = htmlNode("span", { textContent: name });
    const node = htmlNode("button", { type: "button", className: `mx-tile mx-${role}`, onclick: () => visit(base) }, mini.node, label);
    return { base, mini, node };
  });
  const node = htmlNode("div", { className: "mx-map" }, ...made.map((one) => one.node));
  const set = (now) => made.forEach(({ base, mini }) => mini.set(now[base]));
  const choose = (base) => made.forEach((one) => one.node.setAttribute("aria-pressed", one.base === base));
  return { node, set, choose };
}
