// One product at a time, on a phone: a map with every matrix in miniature, a tile each, and
// the plan of a tile in the width that there is.
import { htmlNode, svgNode } from "../kit/draw.js";
import { largest, strength } from "./notation.js";
import { holding, LETTER, namesLook } from "./picture.js";

const SIZE = 4;

/** A matrix in miniature; set(table) colors it. */
export function miniature(rows, columns, role, size = SIZE) {
  const spots = Array.from({ length: rows * columns }, (_, n) => svgNode("rect", {
    x: (n % columns) * size, y: Math.floor(n / columns) * size, width: size - 0.5, height: size - 0.5 }));
  const frame = { width: columns * size, height: rows * size, viewBox: `0 0 ${columns * size} ${rows * size}`, "aria-hidden": true };
  const node = holding(svgNode("svg", { ...frame, class: `mx-mini mx-${role}` }), ...spots), was = [];
  const set = (table) => {
    const most = largest(table);
    table.flat().forEach((v, n) => {
      const share = Number.isFinite(v) ? Math.abs(v) / most : 0;
      const opacity = Math.max(0.09, strength(share)).toFixed(2);
      if (opacity !== was[n]) spots[n].style.fillOpacity = was[n] = opacity;
    });
  };
  return { node, set };
}

/** The tiles of some parts, [base, name, role, [rows, columns]]; visit(base) goes to one. */
export function makeMap(tiles, visit) {
  const made = tiles.map(([base, name, role, sizes]) => {
    const mini = miniature(...sizes, role);
    const label = htmlNode("span", { textContent: name });
    const node = htmlNode("button", { type: "button", className: `mx-tile mx-${role}`, onclick: () => visit(base) }, mini.node, label);
    return { base, mini, node };
  });
  const node = htmlNode("div", { className: "mx-map" }, ...made.map((one) => one.node));
  const set = (now) => made.forEach(({ base, mini }) => mini.set(now[base]));
  const choose = (base) => made.forEach((one) => one.node.setAttribute("aria-pressed", one.base === base));
  return { node, set, choose };
}

const ALONG = ["S", "D", "A", "O", "Z", "U", "Y", "N"];
export const TILES = { D: "scaled", Y: "+ X", N: "network" }; // the others have the names of their parts

/** The tiles in order; where rows are broad, each matrix of weights has one of its own. */
export function orderOf(broad) {
  return broad ? ["X", "WQ", "Q", "WK", "K", "WV", "V", ...ALONG] : ["X", "Q", "R", "K", "V", ...ALONG];
}

const NAMES_WIDTH = 56, WIDER = 37, LEAST = 15; // of names, at least; of a cell with a name above it; of any cell

/** The product that a tile of the map shows, and the way down. */
const MADE = { X: "Q", R: "K" }; // others show their own
const DOWN = { D: ["S", "D"], A: ["D", "A"], Y: ["U", "Y"], N: ["Y", "N"] };
const STEPS = { D: "↓ ÷ √d", A: "↓ softmax, row by row", Y: "↓ + X: a word keeps what it was", N: "↓ the network, number by number" };

/** What a name needs beyond the last of so many cells that share a room. */
function beyond(name, room, count) {
  return Math.max(0, (LETTER * name.length + 2 - room / count) * count / (count - 1));
}

/** The plan of one tile: as that of Python, with cells of height 30. names(base, way) has
 *  the names along a matrix; factors says what a product multiplies. */
export function phonePlan(sizes, tile, width, names, factors) {
  const plan = { cell: 30, width, matrices: [], products: [], wires: [], words: [] };
  const ofNames = Math.max(NAMES_WIDTH, ...names(MADE[tile] ?? tile, 0).map((name) => 14 + LETTER * name.length));
  const put = (base, x, y, cell, more = {}) => {
    const [rows, columns] = more.turned ? [...sizes[base]].reverse() : sizes[base];
    return plan.matrices.push({ base, x, y, width: cell, rows, columns, names: "", title: "above", ...more }) - 1;
  };
  const slanted = "ZUYN".includes(tile); // six names above narrow cells
  const past = tile === "S" ? beyond(names("K", 0).at(-1), width - ofNames - 50, sizes.Q[1] + sizes.K[0]) : 0;
  const room = width - ofNames - past - (slanted ? 27 : 2), fit = (count, gap, most) => Math.min(most, Math.floor((room - gap) / count));
  const foot = (n) => plan.matrices[n].y + 30 * plan.matrices[n].rows;
  const stack = (bases, words) => {
    const cell = fit(Math.max(...bases.map((base) => sizes[base][1])), 0, 46);
    let y = 0, product;
    bases.forEach((base, k) => {
      const one = put(base, ofNames, 0, cell, { names: k && sizes[base][1] === sizes[bases[0]][1] ? "r" : "rc" });
      const { lift } = namesLook(plan.matrices[one], names(base, 1));
      plan.matrices[one].y = y += lift + (k ? 42 : 28);
      if (k) plan.words.push([ofNames + 90, y - lift - 26, words[k - 1], 0]);
      if (k) plan.products.push([one - 1, words[k - 1].startsWith("↓ ×") ? -1 : -2, one, false]);
      y = product = foot(one);
    });
    return { ...plan, height: product + 8 };
  };
  if (sizes.X[1] > 6 && tile.startsWith("W")) return stack([tile], []);
  if (sizes.X[1] > 6 && tile === "X") return stack(["E", "P", "X"], ["↓ add", "↓ = X"]);
  if (sizes.X[1] > 6 && "QKV".includes(tile)) return stack(["X", tile], ["↓ × W, column by column"]);
  if (DOWN[tile]) {
    const [from, to] = DOWN[tile], cell = fit(sizes[to][1], 0, 50);
    const first = put(from, ofNames, 0, cell, { names: "rc" });
    plan.matrices[first].y = namesLook(plan.matrices[first], names(from, 1)).lift + 28;
    const second = put(to, ofNames, foot(first) + 56, cell, { names: "r" });
    plan.words.push([ofNames + cell * sizes[to][1] / 2, foot(first) + 24, STEPS[tile].replace("d", sizes.K[1]), 0]);
    plan.products.push([first, tile === "A" ? -1 : -2, second, false]);
    if (tile !== "N") return { ...plan, height: foot(second) + 8 };
    const ramp = { x: ofNames + 20, y: foot(second) + 40, width: 150, height: 120 };
    return { ...plan, ramp, height: ramp.y + ramp.height + 34 };
  }
  const product = MADE[tile] ?? tile, [left, top] = factors[product], turned = tile === "S", joined = tile !== "O";
  const across = turned ? sizes.K[0] : sizes[top][1], gap = joined ? (turned ? 48 : 76) : 10;
  const narrow = across > 2 ? fit(sizes[left][1] + across, gap, 40) : fit(sizes[left][1], gap + 2 * WIDER, 40);
  const cell = Math.max(narrow, LEAST), wider = Math.min(40, Math.floor((room - gap - sizes[left][1] * cell) / across));
  const upper = put(top, 0, 0, wider, { turned, names: "c" }), look = namesLook(plan.matrices[upper], names(top, turned ? 0 : 1));
  plan.matrices[upper].y = look.lift + 28;
  const first = put(left, ofNames, foot(upper) + 26, cell, { names: "r", title: joined ? "side" : "above" });
  const x = ofNames + sizes[left][1] * cell + gap;
  plan.matrices[upper].x = x;
  const last = put(product, x, plan.matrices[first].y, wider);
  plan.products.push([first, upper, last, joined]);
  return { ...plan, height: foot(last) + 8 };
}

/** The tile that shows a matrix; where rows are broad, each W has one of its own. */
export function tileOf(base, broad) {
  const tiles = { WC: "Z", C: "Z", WO: "U", E: "X", P: "X", ...(!broad && { WQ: "Q", WK: "K", WV: "V" }) };
  return tiles[base] ?? base;
}
