// Lesson 6: split the columns, attend in every head, put the heads together, project.
import { multiply } from "../kit/maths.js";
import { fixed, heatmap, htmlNode, redrawOn, surface, svgNode, update } from "../kit/draw.js";

const CELL = 35, ROW = 26, GAP = 7, TOP = 2;

/** Where column j begins when the columns stand in groups of dK, with gaps between. */
export function columnStart(j, dK) {
  return j * CELL + Math.floor(j / dK) * GAP;
}

/** W_O: the identity, plus a share of the columns of the other half. */
export function outputWeights(own, other, share) {
  return own.map((row, i) => row.map((w, j) => w + share * other[i][j]));
}

/** The words with the largest weight, counted from 1, as text: "word 2", "words 1, 3". */
export function favourites(weights) {
  const most = Math.max(...weights);
  const found = weights.flatMap((w, j) => (w === most ? [j + 1] : []));
  return `word${found.length > 1 ? "s" : ""} ${found.join(", ")}`;
}

/** A matrix whose columns come apart into heads; set() fills and groups it. */
function makeTable(name, kind, [rows, columns], digits) {
  const svg = surface(columns * CELL + (columns - 1) * GAP, rows * ROW + TOP, "aw-table");
  svg.style.setProperty("--cell", `var(--${kind})`);
  const cells = Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, () => {
    const y = TOP + i * ROW;
    const fill = svgNode("rect", { y, width: CELL - 2, height: ROW - 2, rx: 2, class: "aw-cell" });
    const text = svgNode("text", { y: y + 16, "text-anchor": "middle" });
    svg.append(fill, text);
    return { fill, text };
  }));
  const title = htmlNode("div", { className: "aw-caption", textContent: name });
  const set = (matrix, dK, word) => {
    cells.forEach((row, i) => row.forEach(({ fill, text }, j) => {
      const x = columnStart(j, dK);
      update(fill, { x, "fill-opacity": (0.45 * Math.min(Math.abs(matrix[i][j]), 1)).toFixed(3) });
      update(text, { x: x + CELL / 2 - 1 });
      fill.classList.toggle("aw-marked", i === word);
      text.textContent = fixed(matrix[i][j], digits);
    }));
    const row = (matrix[word] ?? matrix[0]).map((v) => fixed(v, digits)).join(", ");
    svg.speak(`${name}, ${rows} × ${columns}, in groups of ${dK} columns; ` +
      `row ${(word ?? 0) + 1}: ${row}`);
  };
  return { node: htmlNode("div", { className: "aw-of-head" }, title, svg), set };
}

/** One head: its columns, its weights with numbers, and what the chosen word does. */
function makeHead(words) {
  const { svg, set, cells } = heatmap(words, words, { digits: 3, size: 150, left: 22 });
  const title = htmlNode("div", { className: "aw-caption" });
  const node = htmlNode("div", { className: "aw-of-head" }, title, svg);
  const show = (h, weights, dK, word, most) => {
    const first = h * dK + 1;
    const which = dK === 1 ? `column ${first}` : `columns ${first}–${first + dK - 1}`;
    title.textContent = `Head ${h + 1}: ${which}`;
    set(weights, most);
    cells.forEach((row, i) => row.forEach(({ fill }) =>
      fill.classList.toggle("aw-marked", i === word)));
    const row = weights[word].map((w) => fixed(w, 3)).join(", ");
    svg.speak(`Head ${h + 1}: word ${word + 1} gives the weights ${row}`);
  };
  return { node, show };
}

function makeStep(heading, ...parts) {
  const title = htmlNode("div", { className: "aw-heading", textContent: heading });
  const row = htmlNode("div", { className: "aw-heads" }, ...parts);
  return { node: htmlNode("div", {}, title, row), title, row };
}

function render({ model, el }) {
  const size = [model.get("query").length, model.get("query")[0].length];
  const words = model.get("query").map((_, i) => `${i + 1}`);
  const inputs = ["query", "key", "value"].map((kind) =>
    ({ kind, table: makeTable(kind, kind, size, 1) }));
  const heads = Array.from({ length: Math.max(...model.get("heads")) }, () => makeHead(words));
  const together = makeTable("concatenated", "value", size, 2);
  const wOutput = makeTable("W_O", "muted", [size[1], size[1]], 1);
  const output = makeTable("output", "value", size, 2);
  const split = makeStep("", ...inputs.map(({ table }) => table.node));
  const attend = makeStep("");
  const finish = makeStep("3. Concatenate, 4. project", together.node, wOutput.node, output.node);
  const says = htmlNode("p", { className: "aw-hint" });
  el.classList.add("aw-view");
  el.append(htmlNode("div", { className: "aw-stack" }, split.node, attend.node, finish.node), says);

  return redrawOn(model, ["n_heads", "word", "mixing"], () => {
    const at = model.get("n_heads"), n = model.get("heads")[at], dK = size[1] / n;
    const word = model.get("word") - 1, weights = model.get("weights")[at];
    const most = Math.max(...weights.flat(2)), joined = model.get("concatenated")[at];
    const plural = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;
    split.title.textContent = `1. Split ${size[1]} columns: ${plural(n, "head")} of ${dK}`;
    attend.title.textContent = `2. Attend: ${plural(n, "table")} of weights`;
    for (const { kind, table } of inputs) {
      table.set(model.get(kind), dK, kind === "query" ? word : undefined);
    }
    heads.slice(0, n).forEach((head, h) => head.show(h, weights[h], dK, word, most));
    attend.row.replaceChildren(...heads.slice(0, n).map(({ node }) => node));
    const w = outputWeights(model.get("own"), model.get("other"), model.get("mixing"));
    together.set(joined, dK, word);
    wOutput.set(w, size[1]);
    output.set(multiply(joined, w), size[1], word);
    const looks = weights.map((head, h) => `head ${h + 1} at ${favourites(head[word])} ` +
      `(${fixed(Math.max(...head[word]), 3)})`);
    says.textContent = `Word ${word + 1} looks most: ${looks.join("; ")}.`;
  });
}

export default { render };
