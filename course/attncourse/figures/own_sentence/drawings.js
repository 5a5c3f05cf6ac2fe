// The figure's drawings: arcs over a sentence, all heads as small squares, one matrix.
import { fixed, surface, svgNode, tint, update } from "../kit/draw.js";
import { buttonGrid } from "../kit/walk.js";
import { speakOf } from "../kit/voice.js";
import { MOST_CELLS, N_HEADS, N_LAYERS, cells, headOf, pooled } from "./weights.js";

const SIZE = 320, LEFT = 78, ARCS = 52, NAMES = 78, EDGE = 30, CELL = 24, TOP = 18;
const TOUCHED = 12, ROW = 27; // tokens that are large enough to be tapped, at most; a row of theirs
const LEVELS = [0.04, 0.12, 0.25, 0.45, 0.7, 2]; // a weight's color has one of five strengths

const placed = (k) => [Math.floor(k / N_HEADS), k % N_HEADS]; // layer and head
const into = (svg) => (name, attributes, text) => {
  const node = svgNode(name, attributes, text);
  svg.append(node);
  return node;
};
const short = (token) => (token.length > 9 ? `${token.slice(0, 8)}…` : token);
const upright = (x, y) => ({ x, y, transform: `rotate(-90 ${x} ${y})` });

/** A drawing that is wider than its frame where there are many tokens: `frame` scrolls. */
function scrolling(svg, width) {
  const frame = document.createElement("div");
  frame.className = "aw-scrolls";
  frame.append(svg);
  if (width > SIZE) {
    svg.style.width = `${width}px`;
    Object.assign(frame, { tabIndex: 0, role: "group", ariaLabel: "A wide drawing; it scrolls" });
  }
  return frame;
}

/** The tokens of a sentence with arcs from the one that asks; a tap lets another ask. */
export function makeArcs(tokens, choose) {
  const n = tokens.length, width = Math.max(SIZE, n * 15), step = width / n;
  const svg = surface(width, ARCS + NAMES), add = into(svg), middle = (j) => (j + 0.5) * step;
  const arcs = tokens.map(() => add("path", { class: "aw-arc" }));
  const names = tokens.map((token, j) => {
    const name = add("text", upright(middle(j) + 4, ARCS + NAMES - 2), short(token));
    if (n <= TOUCHED) add("rect", { x: j * step, y: ARCS, width: step, height: NAMES, class: "aw-tap" })
      .addEventListener("click", () => choose(j));
    return name;
  });
  const set = (row, asks) => row.forEach((weight, j) => {
    const from = middle(asks), to = middle(j), bend = j === asks ? 7 : 0; // to itself: a loop
    const share = Math.abs(from - to) / SIZE, y = ARCS - 2 * (ARCS - 6) * Math.min(Math.max(share, 0.12), 0.66);
    update(arcs[j], { d: `M${from - bend} ${ARCS}C${from - bend} ${y} ${to + bend} ${y} ${to + bend} ${ARCS}`,
      "stroke-width": (9 * weight).toFixed(2) });
    names[j].setAttribute("font-weight", j === asks || weight > 0.25 ? 700 : 400);
    names[j].style.fill = j === asks ? "var(--query)" : weight > 0.25 ? "var(--weights)" : "";
  });
  return { svg, set, frame: scrolling(svg, width) };
}

/** All rows of a head. A tap on a row lets its token ask. Many tokens: colors alone. */
export function makeMatrix(tokens, choose) {
  const n = tokens.length, few = n <= MOST_CELLS, cell = few ? (SIZE - LEFT) / n : 12, tall = n <= TOUCHED ? Math.max(cell, ROW) : cell;
  const width = LEFT + n * cell, svg = surface(width, NAMES + tall * n + 2, "aw-heatmap"), add = into(svg);
  const look = n > 18 ? { style: "font-size:10px" } : {};
  const middle = (j) => LEFT + (j + 0.5) * cell, numbers = n <= 16;
  tokens.forEach((token, j) => {
    add("text", { ...upright(middle(j) + 4, NAMES - 4), ...look, class: "aw-of-key" }, short(token));
    add("text", { x: LEFT - 5, y: NAMES + (j + 0.5) * tall + 4, "text-anchor": "end", ...look, class: "aw-of-query" }, short(token));
  });
  const levels = LEVELS.slice(1).map((_, k) => add("path", { class: "aw-cell", "fill-opacity": tint((k + 1) / 5) }));
  const texts = numbers && tokens.map((_, i) => tokens.map((__, j) => add("text", { x: middle(j),
    y: NAMES + (i + 0.5) * tall + 3.5, "text-anchor": "middle", style: "font-size:10px" }, "")));
  const frame = add("rect", { x: LEFT, width: n * cell, height: tall, class: "aw-asked" });
  tokens.slice(0, n <= TOUCHED ? n : 0).forEach((_, i) => add("rect", { x: 0, y: NAMES + i * tall, width, height: tall, class: "aw-tap" })
    .addEventListener("click", () => choose(i)));
  const set = (matrix, asks) => {
    levels.forEach((path, k) => path.setAttribute("d",
      cells(matrix, LEVELS[k], LEVELS[k + 1], LEFT, NAMES, Math.round(100 * cell) / 100, Math.round(100 * tall) / 100)));
    if (texts) matrix.forEach((row, i) => row.forEach((weight, j) => {
      const hundredths = Math.round(100 * weight);
      texts[i][j].textContent = hundredths > 0 ? hundredths : "";
    }));
    frame.setAttribute("y", NAMES + asks * tall);
  };
  return { svg, set, frame: scrolling(svg, width) };
}

/** A square for each head. It shows the head's whole matrix, or, the stronger, how much
 *  one row of it changes; then the largest can stand first. A press chooses the head. */
export function makeMap(choose) {
  const svg = surface(EDGE + CELL * N_HEADS + 2, TOP + CELL * N_LAYERS + 2, "aw-heatmap");
  const drawn = svgNode("g", { role: "img" }), add = into(drawn);
  const at = (layer, head) => ({ x: EDGE + head * CELL, y: TOP + layer * CELL });
  const each = [], taps = [], edges = [], names = [];
  let order = [...Array(N_LAYERS * N_HEADS).keys()]; // which head stands where
  const edge = (where, text) => edges.push(add("text", { ...where, class: "aw-tick" }, text));
  for (let h = 0; h < N_HEADS; h += 1) edge({ x: at(0, h).x + CELL / 2, y: 13, "text-anchor": "middle" }, h);
  const small = LEVELS.slice(1).map((_, k) => add("path", { class: "aw-cell", "fill-opacity": 0.2 * (k + 1) }));
  for (let layer = 0; layer < N_LAYERS; layer += 1) {
    edge({ x: EDGE - 6, y: at(layer, 0).y + 17, "text-anchor": "end" }, `${layer}.`);
    for (let head = 0; head < N_HEADS; head += 1) {
      const { x, y } = at(layer, head), box = { x: x + 1, y: y + 1, width: CELL - 2, height: CELL - 2, rx: 2 };
      each.push(add("rect", { ...box, class: "aw-cell aw-head" }));
      names.push(add("text", { x: x + CELL / 2, y: y + 15.5, "text-anchor": "middle", class: "aw-rank" }));
      taps.push(svgNode("rect", { x, y, width: CELL, height: CELL, class: "aw-tap" }));
    }
  }
  svg.append(drawn);
  svg.setAttribute("aria-label", "All 72 heads");
  const lines = Array.from({ length: N_LAYERS }, (_, i) => taps.slice(i * N_HEADS, (i + 1) * N_HEADS));
  const call = buttonGrid(svg, "Heads, a row for each layer. Arrow keys walk, Enter chooses.", lines,
    (i, j) => choose(...placed(order[i * N_HEADS + j])));
  const frame = add("rect", { width: CELL, height: CELL, rx: 3, class: "aw-asked" });
  const setMatrices = (reading) => {
    const paths = LEVELS.slice(1).map(() => "");
    each.forEach((_, k) => {
      const layer = Math.floor(k / N_HEADS), head = k % N_HEADS, { x, y } = at(layer, head);
      const matrix = pooled(headOf(reading, layer, head)), cell = Math.floor(100 * (CELL - 4) / matrix.length) / 100;
      paths.forEach((__, l) => { paths[l] += cells(matrix, LEVELS[l], LEVELS[l + 1], x + 2, y + 2, cell); });
    });
    small.forEach((path, l) => path.setAttribute("d", paths[l]));
  };
  /** Show how much each head changes, the largest first if so wanted; chosen is framed. */
  const setChanges = (table, bySize, chosen) => {
    const sizes = table?.flat();
    order = [...each.keys()];
    if (bySize) order.sort((a, b) => sizes[b] - sizes[a]);
    for (const text of edges) text.style.display = bySize ? "none" : "";
    order.forEach((k, place) => {
      const name = placed(k).join("."), i = Math.floor(place / N_HEADS), share = sizes && Math.min(1.6 * sizes[k], 1);
      each[place].setAttribute("fill-opacity", !sizes ? 0 : bySize ? tint(share) : share.toFixed(3));
      if (bySize || names[place].textContent) names[place].textContent = bySize ? name : "";
      call(i, place % N_HEADS, sizes ? `${name} moves ${fixed(sizes[k])}` : `head ${name}`, k === chosen);
    });
    update(frame, at(...placed(order.indexOf(chosen))));
    return order.slice(0, 3).map((k) => placed(k).join("."));
  };
  const show = (matrices) => small.forEach((path) => { path.style.display = matrices ? "" : "none"; });
  return { svg, setMatrices, setChanges, show, speak: (words) => speakOf(drawn, words) };
}
