// What the figure draws: both sentences, all heads, and what they say in words.
import { fixed, htmlNode } from "../kit/draw.js";
import { retell, write } from "../kit/drag.js";
import { reader } from "../kit/reader.js";
import { makeArcs, makeMatrix, makeMap } from "./drawings.js";
import { headOf, most, MOST_CELLS, mostMoved, rowOf, changes, N_HEADS, N_LAYERS, partner } from "./weights.js";

// What a drawing shows in colors, as a table for those who listen.

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

// One of the two sentences: its arcs, what it says in words, and the chosen head's matrix.

/** The end of a text, which is where two sentences of a pair differ. */
export const ending = (text) => (text.split(/\s+/).length > 5 ? `… ${text.split(/\s+/).slice(-4).join(" ")}` : text);

/** fill(reading, name) takes another sentence, or null; set(layer, head, place) shows a head
 *  and the token at a place; choose(place) is told which token is tapped. */
export function makeSide(choose) {
  const title = htmlNode("div", { className: "aw-heading" }), says = htmlNode("div", { className: "aw-caption" });
  const arcs = htmlNode("div"), matrix = htmlNode("div");
  let now = null;
  const fill = (reading, name) => {
    now = null;
    arcs.hidden = matrix.hidden = !reading;
    if (!reading) return;
    const { tokens } = reading, named = tokens.map((token, k) => `${k + 1} ${token}`);
    now = { reading, arcs: makeArcs(tokens, choose), matrix: makeMatrix(tokens, choose) };
    if (tokens.length <= MOST_CELLS) now.heard = heardTable(named, named);
    title.textContent = name;
    arcs.replaceChildren(title, now.arcs.frame, says);
    matrix.replaceChildren(now.matrix.frame, ...(now.heard ? [now.heard.node] : []));
  };
  const set = (layer, head, place) => {
    if (!now) return;
    const { tokens } = now.reading, row = rowOf(now.reading, layer, head, place);
    now.arcs.set(row, place);
    const all = headOf(now.reading, layer, head);
    now.matrix.set(all, place);
    now.heard?.set(all, `Weights of head ${layer}.${head} in “${title.textContent}”: rows ask, columns are looked at`);
    retell(says, `“${tokens[place]}” looks at ${most(tokens, row)}`);
    now.arcs.svg.speak(`Layer ${layer}, head ${head}. ${title.textContent}: ${says.textContent}.`);
    now.matrix.svg.speak(`All weights of head ${layer}.${head} in “${title.textContent}”, a row for each token.`);
  };
  return { arcs, matrix, fill, set, says: () => says.textContent };
}

/** What the map shows, in words: a sentence on the colors, then one on the chosen head. */
function legend(table, token, layer, head) {
  if (!table) return ["Each square is a head's whole matrix, first sentence: a row for each token that asks.", `Head ${layer}.${head} is framed.`];
  const moved = `In head ${layer}.${head} “${token}” moves ${fixed(table[layer][head])}.`;
  return ["The stronger a square's color, the more of its weight the token moves from one sentence to the other.", moved];
}

const byHead = (table) => ({ rows: table.map((_, i) => `layer ${i}`), columns: table[0].map((_, i) => `head ${i}`), cells: table.map((row) => row.map((x) => fixed(x))) });

/** What is read: how much each head moves, or else gives most, and whom the chosen one's
 *  token looks at in each sentence of these tokens. */
function tellAll({ texts, readings: [first, second] }, moved, layer, head, place) {
  const { tokens } = first, token = tokens[place], row = (reading) => rowOf(reading, layer, head, place).map((x) => fixed(x));
  const most = () => Array.from({ length: N_LAYERS }, (_, l) => Array.from({ length: N_HEADS }, (__, h) => Math.max(...rowOf(first, l, h, place))));
  return [
    { caption: `How much of its weight “${token}” ${moved ? "moves from one sentence to the other" : "gives to one token at most"}, by head`, ...byHead(moved ?? most()) },
    { caption: `What “${token}” looks at in head ${layer}.${head}`, rows: texts.slice(0, moved ? 2 : 1).map(ending),
      columns: tokens.map((name, j) => `${j + 1} ${name}`), cells: [row(first), ...(moved ? [row(second)] : [])] },
  ];
}

/** show(texts, readings, asks) takes one sentence or two; a token named `asks` asks, if
 *  the first has one, else whichever asks now; redraw() follows the controls, and
 *  calls `drawn`. */
export function makePicture(model, drawn) {
  let shown = { texts: [], readings: [] }, bySize = false;
  const ask = (place) => write(model, { word: place + 1 });
  const sides = [makeSide(ask), makeSide((place) => ask(partner(shown.readings[1].tokens, shown.readings[0].tokens, place)))];
  const map = makeMap((layer, head) => write(model, { layer, head }));
  const colors = htmlNode("span"), told = htmlNode("span");
  const kind = htmlNode("button", { type: "button", textContent: "Show every head's whole matrix",
    onclick: () => write(model, { matrices: !model.get("matrices") }) });
  const sort = htmlNode("button", { type: "button", textContent: "Sort by size",
    onclick: () => { bySize = !bySize; redraw(); } });
  const row = (...children) => htmlNode("div", { className: "aw-columns" }, ...children);
  const heading = htmlNode("div", { className: "aw-heading", textContent: "All 72 heads. Choose one." });
  const first = [row(htmlNode("div", { className: "aw-map" }, heading, map.svg), htmlNode("div", { className: "aw-caption" }, colors, " ", told, sort, kind)),
    row(...sides.map((side) => side.arcs))];
  const words = htmlNode("div"), title = "All heads, and what one token looks at";
  const tables = [{ key: "heads", flips: "head", flip: "choose this head" }, { key: "weights" }];
  const read = reader(words, { title, tables }, (_, k) => write(model, { layer: Math.floor(k / N_HEADS), head: k % N_HEADS }));
  first.push(words);
  // Folded: the lesson asks what it shows of the first head.
  const all = htmlNode("details", { className: "nk-fold" }, htmlNode("summary", { textContent: "What every word looks at" }),
    row(...sides.map((side) => side.matrix)), htmlNode("p", { className: "aw-hint", textContent: "Rows ask, columns are looked at. Weights in hundredths; what rounds to 0 is left blank." }));

  function show(texts, readings, named) {
    shown = { texts, readings };
    sides.forEach((side, i) => side.fill(readings[i], ending(texts[i] ?? "")));
    map.setMatrices(readings[0]);
    const { tokens } = readings[0], n = tokens.length;
    const asks = tokens.includes(named) ? tokens.indexOf(named) + 1 : model.get("word");
    write(model, { n_tokens: n, word: asks >= n && n > 2 ? n - 1 : asks }); // [SEP] says little
    redraw();
  }
  function redraw() {
    const [first, second] = shown.readings, [layer, head] = [model.get("layer"), model.get("head")];
    const place = Math.min(model.get("word"), first.tokens.length) - 1, moved = changes(first, second, place);
    const table = model.get("matrices") ? null : moved, [onColors, onHead] = legend(table, first.tokens[place], layer, head);
    kind.hidden = !moved;
    kind.setAttribute("aria-pressed", model.get("matrices"));
    map.show(!table);
    sort.hidden = !table;
    sort.setAttribute("aria-pressed", bySize);
    const sorted = bySize && Boolean(table), largest = map.setChanges(table, sorted, layer * N_HEADS + head);
    colors.textContent = onColors;
    retell(told, onHead);
    const rows = () => shown.readings.map((reading) => rowOf(reading, layer, head, place));
    const moves = table ? `${layer}.${head}: “${first.tokens[place]}” moves ${fixed(table[layer][head])}, ${mostMoved(first.tokens, ...rows())}. One of 72 heads.` : onHead;
    map.speak(`${moves}${sorted ? ` Largest first; ${largest.join(", ")}.` : ""}`);
    sides[0].set(layer, head, place);
    sides[1].set(layer, head, second && partner(first.tokens, second.tokens, place));
    const said = shown.texts.map((text, i) => `${ending(text)}: ${sides[i].says()}`).slice(0, second ? 2 : 1);
    read({ summary: `${onHead} ${said.join(". ")}.`, tables: tellAll(shown, moved, layer, head, place) });
    drawn();
  }
  const asks = () => {
    const { tokens } = shown.readings[0], place = Math.min(model.get("word"), tokens.length);
    return `${place}, ${tokens[place - 1]}`;
  };
  return { first, all, show, redraw, asks, shown: () => shown, says: () => sides[0].says() };
}
