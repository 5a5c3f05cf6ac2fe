// Cells of a drawing that one presses: by pointer, and by a keyboard that walks over them.
import { svgNode, update } from "./draw.js";

const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/** Where a key leads from cell i, j of rows of these lengths, or null; it stays inside. */
export function walked(key, [i, j], lengths) {
  if (key === "Home") return [i, 0];
  if (key === "End") return [i, lengths[i] - 1];
  if (!ARROWS[key]) return null;
  const within = (k, n) => Math.min(Math.max(k, 0), n - 1);
  const row = within(i + ARROWS[key][0], lengths.length);
  return [row, within(j + ARROWS[key][1], lengths[row])];
}

/** Make rows of nodes a grid of buttons in a drawing: one stop for Tab, arrow keys from one
 *  to the next, Enter or Space to press(i, j). name(i, j, words, pressed) says what it is. */
export function buttonGrid(svg, label, rows, press) {
  const grid = svgNode("g", { role: "grid", "aria-label": label });
  const lengths = rows.map((row) => row.length), places = new Map();
  rows.forEach((row, i) => {
    const line = svgNode("g", { role: "row" });
    row.forEach((node, j) => {
      const cell = svgNode("g", { role: "gridcell" });
      update(node, { role: "button", tabindex: places.size ? -1 : 0 });
      node.classList.add("aw-press");
      node.addEventListener("click", () => press(i, j));
      node.addEventListener("focus", () => { // on the grid, it would make that a stop for Tab
        for (const one of places.keys()) if (one.tabIndex === 0) one.setAttribute("tabindex", -1);
        node.setAttribute("tabindex", 0);
      });
      places.set(node, [i, j]);
      cell.append(node);
      line.append(cell);
    });
    grid.append(line);
  });
  grid.addEventListener("keydown", (event) => {
    const place = places.get(event.target);
    if (!place || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = walked(event.key, place, lengths), pressed = event.key === "Enter" || event.key === " ";
    if (!to && !pressed) return;
    event.preventDefault();
    if (pressed) press(...place);
    else rows[to[0]][to[1]].focus();
  });
  svg.setAttribute("role", "group"); // an image would hide what is in it
  svg.append(grid);
  return (i, j, words, pressed) => {
    const node = rows[i][j], was = node.getAttribute("aria-pressed");
    if (node.getAttribute("aria-label") !== words) node.setAttribute("aria-label", words);
    if (pressed !== undefined && was !== `${pressed}`) node.setAttribute("aria-pressed", pressed);
  };
}
