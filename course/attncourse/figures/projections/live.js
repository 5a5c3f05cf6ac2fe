// Lesson 2: two weight matrices turn words into queries and keys; the scores follow.
import { dotProductScores, multiply } from "../kit/maths.js";
import { arrow, fixed, heatmap, htmlNode, plane, redrawOn, svgNode, update } from "../kit/draw.js";

const EDGE = 3.2, PLACES = ["11", "12", "21", "22"];

/** The two mirrored cells of a table that differ most, as { gap, i, j }. */
export function unlikeMirror(table) {
  let most = { gap: 0, i: 0, j: 0 };
  table.forEach((row, i) => row.forEach((score, j) => {
    const gap = Math.abs(score - table[j][i]);
    if (j > i && gap > most.gap + 1e-9) most = { gap, i, j };
  }));
  return most;
}

/** What the note under the table says about its symmetry. */
export function symmetry(table, names) {
  const { gap, i, j } = unlikeMirror(table);
  if (gap === 0) return "Symmetric: each score equals its mirror image across the diagonal.";
  const pair = `${names[i]} → ${names[j]} ${fixed(table[i][j])}, ${names[j]} → ${names[i]} ${fixed(table[j][i])}`;
  return `Not symmetric. The largest difference: ${pair}.`;
}

function makeArrows(frame, names) {
  const others = names.map(() => arrow(frame, "", "aw-query aw-faint"));
  const keys = names.map((name) => arrow(frame, name, "aw-key"));
  const asking = arrow(frame, "", "aw-query aw-chosen");
  const legend = svgNode("text", { x: 4, y: 14, class: "aw-query" });
  frame.svg.append(legend, svgNode("text", { x: 4, y: 31, class: "aw-key" }, "keys"));
  return (query, key, one) => {
    others.forEach(({ set }, i) => set(query[i]));
    const same = (a, b) => a.every((x, i) => Math.abs(x - b[i]) < 0.05);
    keys.forEach(({ set }, i) => set(key[i], key.slice(0, i).filter((k) => same(k, key[i])).length));
    asking.set(query[one]);
    legend.textContent = `query of ${names[one]}`;
  };
}

function render({ model, el }) {
  const names = model.get("names"), vectors = model.get("vectors");
  const frame = plane(EDGE), move = makeArrows(frame, names);
  const table = heatmap(names, names);
  const { x, width } = table.cells[0].at(-1).box, first = table.cells[0][0].box;
  const frameOfRow = { x: first.x, width: x + width - first.x, height: first.height };
  const asked = svgNode("rect", { ...frameOfRow, rx: 2, class: "aw-asked" });
  table.svg.append(asked);
  const note = htmlNode("p", { className: "aw-hint" });
  const heading = htmlNode("div", { className: "aw-heading", textContent: "Scores: a row for each query" });
  el.classList.add("aw-view", "aw-scores");
  el.append(htmlNode("div", { className: "aw-columns" }, frame.svg,
    htmlNode("div", {}, heading, table.svg, note)));

  const matrix = (letter) => {
    const [a, b, c, d] = PLACES.map((place) => model.get(letter + place));
    return [[a, b], [c, d]];
  };
  const traits = ["word", ...PLACES.map((p) => `q${p}`), ...PLACES.map((p) => `k${p}`)];
  return redrawOn(model, traits, () => {
    const one = model.get("word");
    const query = multiply(vectors, matrix("q")), key = multiply(vectors, matrix("k"));
    const scores = dotProductScores(query, key);
    move(query, key, one);
    table.set(scores, Math.max(1e-9, ...scores.flat()));
    update(asked, { y: table.cells[one][0].box.y });
    note.textContent = symmetry(scores, names);
    const place = (v) => `(${fixed(v[0], 1)}, ${fixed(v[1], 1)})`;
    frame.svg.speak(`Query of ${names[one]}: ${place(query[one])}. Keys: ` +
      names.map((name, i) => `${name} ${place(key[i])}`).join(", "));
    table.svg.speak(`Scores of ${names[one]}: ` +
      names.map((name, i) => `${name} ${fixed(scores[one][i])}`).join(", ") + `. ${note.textContent}`);
  });
}

export default { render };
