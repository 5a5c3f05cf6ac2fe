// What one head looks at, letter by letter, and the cells that copying needs of it.
import { htmlNode, surface, svgNode } from "../kit/draw.js";

const SIDE = 200, EDGE = 18;

/** The cells that copying needs in each layer: [query, key], counted from 0. */
export function needed(layers, n, run) {
  const all = Array.from({ length: n }, (_, i) => i);
  const before = all.slice(1, run + 1).map((i) => [i, i - 1]);
  const after = all.slice(run).map((i) => [i, i - run + 1]);
  return layers === 1 ? [after] : [before, after];
}

/** The mean weight of some cells. */
export function meanOf(rows, cells) {
  return cells.reduce((sum, [i, j]) => sum + rows[i][j], 0) / cells.length;
}

/** A head's weights, a row for each query, keys across; set(rows, cells) fills it. */
export function makeHead(letters) {
  const size = (SIDE - EDGE) / letters.length, svg = surface(SIDE, SIDE);
  const at = (i) => EDGE + i * size, look = { "text-anchor": "middle", style: "font-size:11.5px" };
  const box = (i, j) => ({ x: at(j) + 0.5, y: at(i) + 0.5, width: size - 1, height: size - 1 });
  const cells = letters.map((letter, i) => {
    const y = at(i) + size / 2 + 3.5, x = at(i) + size / 2;
    svg.append(svgNode("text", { ...look, x: EDGE / 2 - 1, y, class: "aw-of-query" }, letter));
    svg.append(svgNode("text", { ...look, x, y: EDGE - 5, class: "aw-of-key" }, letter));
    return letters.slice(0, i + 1).map((_, j) => {
      const cell = svgNode("rect", { ...box(i, j), class: "aw-head-cell" });
      svg.append(cell);
      return cell;
    });
  });
  const frames = svgNode("g");
  svg.append(frames);
  const set = (rows, wanted) => {
    rows.forEach((row, i) => row.forEach((w, j) =>
      cells[i][j].setAttribute("fill-opacity", (0.05 + 0.95 * w).toFixed(2))));
    frames.replaceChildren(...wanted.map(([i, j]) =>
      svgNode("rect", { ...box(i, j), class: "aw-needed" })));
  };
  const heading = htmlNode("div", { className: "aw-heading" });
  return { svg, set, heading, node: htmlNode("div", {}, heading, svg) };
}

/** What a layer has to look at, in words. */
export function roleOf(layers, layer) {
  return layers === 2 && layer === 0 ? "the letter before" : "what came next last time";
}
