// Lesson 12: one head of a real model in two sentences, and a map of all its heads.
import { fixed, htmlNode, redrawOn, surface, svgNode, update } from "../kit/draw.js";
import { retell, write } from "../kit/drag.js";

const SIZE = 320, LEFT = 62, ARCS = 52, NAMES = 62;
const N_LAYERS = 6, N_HEADS = 12, CELL = 24, EDGE = 30;

/** The matrix of one head, cut from a sentence's weights: a text in which each
 *  character stands as many hundredths past "#" as its weight has, by columns. */
export function headOf(text, n, layer, head, nHeads = N_HEADS) {
  const start = (layer * nHeads + head) * n * n;
  return Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) =>
    (text.charCodeAt(start + j * n + i) - "#".charCodeAt()) / 100));
}

/** How much of its weight a word moves between two sentences, in each head of each
 *  layer: half the sum of the differences. */
export function changes(first, second, n, asks) {
  const row = (text, layer, head) => headOf(text, n, layer, head)[asks];
  return Array.from({ length: N_LAYERS }, (_, layer) => Array.from({ length: N_HEADS }, (_, head) => {
    const other = row(second, layer, head);
    return row(first, layer, head).reduce((sum, w, j) => sum + Math.abs(w - other[j]), 0) / 2;
  }));
}

const into = (svg) => (name, attributes, text) => {
  const node = svgNode(name, attributes, text);
  svg.append(node);
  return node;
};

/** The words of a sentence with arcs from the one that asks; a tap lets another ask. */
function makeArcs(tokens, choose) {
  const n = tokens.length, step = SIZE / n, svg = surface(SIZE, ARCS + NAMES), add = into(svg);
  const middle = (j) => (j + 0.5) * step;
  const arcs = tokens.map(() => add("path", { style: "fill:none;stroke:var(--weights);stroke-opacity:0.8" }));
  const names = tokens.map((token, j) => {
    const x = middle(j) + 4, y = ARCS + NAMES - 2;
    const name = add("text", { x, y, transform: `rotate(-90 ${x} ${y})` }, token);
    const hit = add("rect", { x: j * step, y: ARCS, width: step, height: NAMES, class: "aw-tap" });
    hit.addEventListener("click", () => choose(j));
    return name;
  });
  const set = (row, asks) => row.forEach((weight, j) => {
    const from = middle(asks), to = middle(j), bend = j === asks ? 7 : 0; // to itself: a loop
    const high = 2 * (ARCS - 6) * Math.max(Math.abs(asks - j) / n, 0.12), y = ARCS - high;
    const width = (9 * weight).toFixed(2);
    update(arcs[j], { d: `M${from - bend} ${ARCS}C${from - bend} ${y} ${to + bend} ${y} ${to + bend} ${ARCS}`, "stroke-width": width });
    names[j].setAttribute("font-weight", j === asks || weight > 0.25 ? 700 : 400);
    names[j].style.fill = j === asks ? "var(--query)" : weight > 0.25 ? "var(--weights)" : "";
  });
  return { svg, set };
}

/** All rows of a head. A tap on a row lets its word ask. */
function makeMatrix(tokens, choose) {
  const n = tokens.length, cell = (SIZE - LEFT) / n, svg = surface(SIZE, NAMES + cell * n + 2, "aw-heatmap");
  const add = into(svg), middle = (j) => LEFT + (j + 0.5) * cell;
  tokens.forEach((token, j) => {
    const x = middle(j) + 4, y = NAMES - 4, foot = NAMES + (j + 0.5) * cell + 4;
    add("text", { x, y, transform: `rotate(-90 ${x} ${y})`, class: "aw-of-key" }, token);
    add("text", { x: LEFT - 5, y: foot, "text-anchor": "end", class: "aw-of-query" }, token);
  });
  const cells = tokens.map((_, i) => tokens.map((_, j) => {
    const box = { x: LEFT + j * cell + 0.5, y: NAMES + i * cell + 0.5, width: cell - 1, height: cell - 1 };
    const place = { x: middle(j), y: NAMES + (i + 0.5) * cell + 3.5, "text-anchor": "middle" };
    return [add("rect", { ...box, class: "aw-cell" }), add("text", { ...place, style: "font-size:10px" }, "")];
  }));
  const frame = add("rect", { x: LEFT, width: SIZE - LEFT, height: cell, class: "aw-asked" });
  tokens.forEach((_, i) => add("rect", { x: 0, y: NAMES + i * cell, width: SIZE, height: cell, class: "aw-tap" })
    .addEventListener("click", () => choose(i)));
  const set = (matrix, asks) => {
    cells.forEach((row, i) => row.forEach(([rect, text], j) => {
      const hundredths = Math.round(100 * matrix[i][j]);
      rect.setAttribute("fill-opacity", (0.5 * matrix[i][j]).toFixed(3));
      text.textContent = hundredths > 0 ? hundredths : "";
    }));
    frame.setAttribute("y", NAMES + asks * cell);
  };
  return { svg, set };
}

/** A square for each head, the stronger the more it changes; a tap shows that head. */
function makeMap(choose) {
  const svg = surface(EDGE + CELL * N_HEADS + 2, 18 + CELL * N_LAYERS + 2, "aw-heatmap"), add = into(svg);
  const at = (layer, head) => ({ x: EDGE + head * CELL, y: 18 + layer * CELL });
  for (let h = 0; h < N_HEADS; h += 1) {
    add("text", { x: at(0, h).x + CELL / 2, y: 13, "text-anchor": "middle", class: "aw-tick" }, h);
  }
  const cells = Array.from({ length: N_LAYERS }, (_, layer) => {
    add("text", { x: EDGE - 6, y: at(layer, 0).y + 17, "text-anchor": "end", class: "aw-tick" }, `${layer}.`);
    return Array.from({ length: N_HEADS }, (_, head) => {
      const { x, y } = at(layer, head), size = { width: CELL - 2, height: CELL - 2, rx: 3 };
      add("rect", { x: x + 1, y: y + 1, ...size, class: "aw-no-head" });
      const cell = add("rect", { x: x + 1, y: y + 1, ...size, class: "aw-cell" });
      add("rect", { x, y, width: CELL, height: CELL, class: "aw-tap" })
        .addEventListener("click", () => choose(layer, head));
      return cell;
    });
  });
  const frame = add("rect", { width: CELL, height: CELL, rx: 4, class: "aw-asked" });
  const set = (table, layer, head) => {
    table.forEach((row, i) => row.forEach((change, j) =>
      cells[i][j].setAttribute("fill-opacity", Math.min(1.6 * change, 1).toFixed(3))));
    update(frame, at(layer, head));
  };
  return { svg, set };
}

function render({ model, el }) {
  const ask = (place) => write(model, { word: place + 1 });
  const map = makeMap((layer, head) => write(model, { layer, head }));
  const sides = [0, 1].map(() => ({ arcs: htmlNode("div"), matrix: htmlNode("div"),
    title: htmlNode("div", { className: "aw-heading" }), says: htmlNode("div", { className: "aw-caption" }) }));
  const told = htmlNode("span"), legend = htmlNode("div", { className: "aw-caption" },
    "The stronger a square's colour, the more of its weight the word moves when the last word changes. ", told);
  const row = (...children) => htmlNode("div", { className: "aw-columns" }, ...children);
  el.classList.add("aw-view", "aw-real-model");
  el.append(row(...sides.map((s) => s.arcs)),
    row(htmlNode("div", { className: "aw-map" }, htmlNode("div", { className: "aw-heading",
      textContent: "All 72 heads. Tap one." }), map.svg), legend),
    row(...sides.map((s) => s.matrix)), htmlNode("p", { className: "aw-hint",
      textContent: "Rows ask, columns are looked at. Weights in hundredths; what rounds to 0 is left blank." }));
  let shown;

  return redrawOn(model, ["pair", "layer", "head", "word"], () => {
    const [layer, head, pair] = ["layer", "head", "pair"].map((name) => model.get(name));
    const tokens = [0, 1].map((i) => model.get("tokens")[2 * pair + i]), n = tokens[0].length;
    const packs = [0, 1].map((i) => model.get("weights")[2 * pair + i]), asks = Math.min(model.get("word"), n) - 1;
    if (shown !== pair) sides.forEach((side, i) => {
      side.now = { arcs: makeArcs(tokens[i], ask), matrix: makeMatrix(tokens[i], ask) };
      side.title.textContent = `… ${tokens[i].slice(-5, -1).join(" ")}`;
      side.arcs.replaceChildren(side.title, side.now.arcs.svg, side.says);
      side.matrix.replaceChildren(side.now.matrix.svg);
    });
    shown = pair;
    const table = changes(...packs, n, asks);
    map.set(table, layer, head);
    map.svg.speak(`Head ${layer}.${head} of 72: “${tokens[0][asks]}” moves ${fixed(table[layer][head], 2)} of its weight.`);
    retell(told, `In head ${layer}.${head} “${tokens[0][asks]}” moves ${fixed(table[layer][head], 2)}.`);
    sides.forEach(({ now, says }, i) => {
      const matrix = headOf(packs[i], n, layer, head);
      now.arcs.set(matrix[asks], asks);
      now.matrix.set(matrix, asks);
      const most = matrix[asks].map((w, j) => [w, j]).sort((a, b) => b[0] - a[0]).slice(0, 3);
      retell(says, `“${tokens[i][asks]}” looks at ${most.map(([w, j]) => `${tokens[i][j]} ${fixed(w, 2)}`).join(", ")}`);
      now.arcs.svg.speak(`Layer ${layer}, head ${head}. ${tokens[i].slice(1, -1).join(" ")}: ${says.textContent}.`);
      now.matrix.svg.speak(`All weights of head ${layer}.${head} in this sentence, a row for each token.`);
    });
  });
}

export default { render };
