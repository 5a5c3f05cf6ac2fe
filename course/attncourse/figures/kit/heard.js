// What a drawing shows in colors, as a table for those who listen.
import { fixed, htmlNode } from "./draw.js";

const AT_REST = 200; // milliseconds without a change: what moves is not written each time

/** A table that is heard and not seen. set(matrix, title) fills it, once the hand rests. */
export function heardTable(rows, columns) {
  const head = (textContent, scope) => htmlNode("th", { scope, textContent });
  const cells = rows.map(() => columns.map(() => htmlNode("td"))), caption = htmlNode("caption");
  const inner = htmlNode("div", { className: "aw-heard" }, htmlNode("table", {}, caption,
    htmlNode("thead", {}, htmlNode("tr", {}, htmlNode("td"), ...columns.map((name) => head(name, "col")))),
    htmlNode("tbody", {}, ...rows.map((name, i) => htmlNode("tr", {}, head(name, "row"), ...cells[i])))));
  const node = htmlNode("div", { className: "aw-hears" }, inner);
  const fill = (matrix, title) => {
    caption.textContent = title;
    cells.forEach((row, i) => row.forEach((cell, j) => { cell.textContent = fixed(matrix[i][j]); }));
  };
  let timer;
  const set = (matrix, title) => {
    clearTimeout(timer);
    timer = setTimeout(() => fill(matrix, title), AT_REST);
  };
  return { node, set };
}
