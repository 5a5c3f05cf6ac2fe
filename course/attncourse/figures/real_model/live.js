// Lesson 10: one head of a real model in two sentences, as arcs and as a matrix.
import { fixed, htmlNode, redrawOn, surface, svgNode } from "../kit/draw.js";

const SIZE = 320, LEFT = 62, ARCS = 64, NAMES = 64;

/** The matrix of one head, cut from a sentence's weights: a text in which each
 *  character stands as many hundredths past "#" as its weight has, by columns. */
export function headOf(text, n, layer, head, nHeads = 12) {
  const start = (layer * nHeads + head) * n * n;
  return Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) =>
    (text.charCodeAt(start + j * n + i) - "#".charCodeAt()) / 100));
}

/** The place of the same token among others; the same place if there is none. */
export function matching(tokens, others, place) {
  const found = others.indexOf(tokens[place]);
  return found < 0 ? Math.min(place, others.length - 1) : found;
}

/** The arcs and the matrix of one sentence; `set` shows another head or token that asks. */
function picture(tokens) {
  const n = tokens.length, cell = (SIZE - LEFT) / n, top = ARCS + NAMES;
  const svg = surface(SIZE, top + cell * n + 2, "aw-heatmap");
  const add = (name, attributes, text) => {
    const node = svgNode(name, attributes, text);
    svg.append(node);
    return node;
  };
  const middle = (j) => LEFT + (j + 0.5) * cell;
  const arcs = tokens.map(() => add("path", { style: "fill:none;stroke:var(--weights);stroke-opacity:0.8" }));
  const names = tokens.map((token, j) => {
    const x = middle(j) + 4, y = top - 4, foot = top + (j + 0.5) * cell + 4;
    add("text", { x, y, transform: `rotate(-90 ${x} ${y})`, class: "aw-of-key" }, token);
    return add("text", { x: LEFT - 5, y: foot, "text-anchor": "end", class: "aw-of-query" }, token);
  });
  const cells = tokens.map((_, i) => tokens.map((_, j) => {
    const box = { x: LEFT + j * cell + 0.5, y: top + i * cell + 0.5, width: cell - 1, height: cell - 1 };
    const place = { x: middle(j), y: top + (i + 0.5) * cell + 3.5, "text-anchor": "middle" };
    return [add("rect", { ...box, class: "aw-cell" }), add("text", { ...place, style: "font-size:10px" }, "")];
  }));
  const frame = add("rect", { x: LEFT, width: SIZE - LEFT, height: cell, class: "aw-asked" });

  const set = (matrix, asks) => {
    matrix[asks].forEach((weight, j) => {
      const from = middle(asks), to = middle(j);
      const high = 2 * (ARCS - 6) * Math.max(Math.abs(asks - j) / n, 0.12);
      const bend = j === asks ? 7 : 0; // to itself: a loop
      arcs[j].setAttribute("d",
        `M${from - bend} ${ARCS}C${from - bend} ${ARCS - high} ${to + bend} ${ARCS - high} ${to + bend} ${ARCS}`);
      arcs[j].setAttribute("stroke-width", (8 * weight).toFixed(2));
      names[j].setAttribute("font-weight", j === asks ? 700 : 400);
    });
    cells.forEach((row, i) => row.forEach(([rect, text], j) => {
      const hundredths = Math.round(100 * matrix[i][j]);
      rect.setAttribute("fill-opacity", (0.5 * matrix[i][j]).toFixed(3));
      text.textContent = hundredths > 0 ? hundredths : "";
    }));
    frame.setAttribute("y", top + asks * cell);
    svg.dataset.weights = matrix[asks].join(" ");
  };
  return { svg, set };
}

function render({ model, el }) {
  const columns = ["first", "second"].map((name) => ({
    name, title: htmlNode("div", { className: "aw-heading" }),
    says: htmlNode("p", { className: "aw-hint" }), node: htmlNode("div"),
  }));
  el.classList.add("aw-view");
  el.append(htmlNode("div", { className: "aw-columns" }, ...columns.map(({ node }) => node)));
  el.append(htmlNode("p", { className: "aw-hint",
    textContent: "Rows ask, columns are looked at. In the squares, weights in hundredths; where one rounds to 0, none is written." }));

  return redrawOn(model, ["first", "second", "layer", "head", "word"], () => {
    const layer = model.get("layer"), head = model.get("head"), all = model.get("tokens");
    const leading = all[model.get("first")];
    const place = Math.min(model.get("word"), leading.length) - 1;
    for (const column of columns) {
      const { name, title, says, node } = column;
      const tokens = all[model.get(name)];
      const asks = name === "first" ? place : matching(leading, tokens, place);
      const matrix = headOf(model.get("weights")[model.get(name)], tokens.length, layer, head);
      if (column.tokens !== tokens) {
        Object.assign(column, { tokens, shown: picture(tokens) });
        node.replaceChildren(title, column.shown.svg, says);
      }
      column.shown.set(matrix, asks);
      const looks = matrix[asks].map((w, j) => [w, j]).sort((a, b) => b[0] - a[0]).slice(0, 3)
        .map(([w, j]) => `${tokens[j]} ${fixed(w, 2)}`).join(", ");
      title.textContent = `… ${tokens.slice(-4, -1).join(" ")}`;
      says.textContent = `“${tokens[asks]}” looks most at ${looks}.`;
      column.shown.svg.speak(`Layer ${layer}, head ${head}. ${tokens.slice(1, -1).join(" ")}: ${says.textContent}`);
    }
  });
}

export default { render };
