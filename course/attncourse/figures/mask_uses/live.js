// One mask: who sees whom, where each stands, and which rows a mistake changes.
import { dot, softmax } from "../kit/maths.js";
import { live } from "../kit/declared.js";
import { htmlNode, surface, svgNode, update } from "../kit/draw.js";
import { retell } from "../kit/drag.js";

const CELL = 21, ROW = 25, LEFT = 20, TOP = 36, BARS = 280, LONG = 60, MOST = 1.5;

/** Rows turned by their positions, column i of the first half with column i of the second. */
export function turned(rows, positions) {
  const half = rows[0].length / 2;
  return rows.map((row, p) => row.map((x, j) => {
    const i = j % half, angle = positions[p] / 10000 ** (i / half), [a, b] = [row[i], row[i + half]];
    return j < half ? a * Math.cos(angle) - b * Math.sin(angle) : a * Math.sin(angle) + b * Math.cos(angle);
  }));
}

function read(rows, mask, positions) {
  const all = turned(rows, positions), root = Math.sqrt(rows[0].length);
  const weights = all.map((q, i) => softmax(all.map((k, j) => (mask[i][j] ? dot(q, k) / root : -Infinity))));
  return { weights, output: weights.map((row) => rows[0].map((_, c) => row.reduce((sum, w, j) => sum + w * rows[j][c], 0))) };
}

/** Every number of the figure, from what the controls say. */
export function compute({ use, query, causal, straight }, { rows, uses }) {
  const [, letters, table, stands] = uses.find(([name]) => name === use);
  const right = table.map((row) => [...row].map((one) => one === "1"));
  const mask = causal ? right.map((row, i) => row.map((_, j) => j <= i)) : right;
  const positions = straight ? rows.map((_, i) => i) : stands;
  const now = read(rows, mask, positions), then = read(rows, right, stands), real = [...letters].map((one) => one !== "–");
  const off = now.output.map((row, i) => (real[i] ? Math.max(...row.map((x, c) => Math.abs(x - then.output[i][c]))) : 0));
  const nOff = off.filter((one) => one > 1e-9).length, sees = mask[query - 1];
  const same = `${mask}` === `${right}` && `${positions}` === `${stands}`;
  return { mask, positions, sees, weights: now.weights[query - 1], off, stands: positions[query - 1],
    n_sees: sees.filter(Boolean).length, n_off: nOff, n_rows: real.filter(Boolean).length, most: Math.max(...off),
    case: same ? "right" : nOff ? "off" : "forgiven" };
}

function draw({ el, data: { rows, uses }, put }) {
  const n = rows.length, at = (i) => LEFT + i * CELL, down = (i) => TOP + i * ROW;
  const svg = surface(BARS + LONG + 4, down(n) + 2, "aw-uses"), middle = { "text-anchor": "middle" };
  const chosen = svgNode("rect", { x: LEFT - 1, width: n * CELL + 1, height: ROW, rx: 3, class: "aw-asked" });
  const heads = rows.map((_, j) => [12, 28].map((y) => svgNode("text", { x: at(j) + CELL / 2, y, ...middle, class: "aw-small" })));
  svg.append(...heads.flat(), svgNode("text", { x: BARS - 4, y: 28, class: "aw-tick" }, "position"),
    svgNode("text", { x: BARS - 4, y: 12, class: "aw-tick" }, "row off by"));
  const lines = rows.map((_, i) => {
    const y = down(i), name = svgNode("text", { x: LEFT - 6, y: y + 17, "text-anchor": "end", class: "aw-small" });
    const cells = rows.map((__, j) => svgNode("rect", { x: at(j) + 1, y: y + 1, width: CELL - 3, height: ROW - 3, rx: 3 }));
    const bar = svgNode("rect", { x: BARS, y: y + 5, height: ROW - 11, class: "aw-off" });
    const tap = svgNode("rect", { x: 0, y, width: at(n), height: ROW, class: "aw-tap" });
    tap.addEventListener("click", () => put({ query: i + 1 }));
    svg.append(name, ...cells, bar, tap);
    return { name, cells, bar };
  });
  svg.append(chosen);
  const note = htmlNode("p", { className: "aw-hint" });
  el.append(svg, note);
  return ({ mask, positions, off, case: kind }, { use, query }, { summary }) => {
    const [, letters, right, stands] = uses.find(([name]) => name === use);
    heads.forEach(([letter, position], j) => {
      letter.textContent = letters[j];
      retell(position, `${positions[j]}`);
      position.classList.toggle("aw-wrong", positions[j] !== stands[j]);
    });
    lines.forEach(({ name, cells, bar }, i) => {
      name.textContent = letters[i];
      cells.forEach((cell, j) => {
        const wrong = mask[i][j] !== (right[i][j] === "1");
        update(cell, { class: `aw-pair${mask[i][j] ? " aw-seen" : ""}${wrong ? " aw-wrong" : ""}` });
      });
      update(bar, { width: Math.min(off[i] / MOST, 1) * LONG });
    });
    update(chosen, { y: down(query - 1) - 0.5 });
    note.textContent = kind === "right" ? summary : `${summary} Orange: not as it should be.`;
  };
}

export default live({ compute, draw });
