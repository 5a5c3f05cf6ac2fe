// What a drawing shows in colors, as a table for those who listen.
import { fixed, htmlNode } from "./draw.js";

/** A table that is heard and not seen. set(matrix, title) fills it. */
export function heardTable(rows, columns) {
  const head = (textContent, scope) => htmlNode("th", { scope, textContent });
  const cells = rows.map(() => columns.map(() => htmlNode("td"))), caption = htmlNode("caption");
  const node = htmlNode("div", { className: "aw-heard" }, htmlNode("table", {}, caption,
    htmlNode("thead", {}, htmlNode("tr", {}, htmlNode("td"), ...columns.map((name) => head(name, "col")))),
    htmlNode("tbody", {}, ...rows.map((name, i) => htmlNode("tr", {}, head(name, "row"), ...cells[i])))));
  const set = (matrix, title) => {
    caption.textContent = title;
    cells.forEach((row, i) => row.forEach((cell, j) => { cell.textContent = fixed(matrix[i][j]); }));
  };
  return { node, set };
}
