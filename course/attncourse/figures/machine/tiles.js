// The map, with every matrix in miniature, a tile each; and, on a phone, one product at a
// time: the plan of a tile in the width that there is.
import { namesLook, holding, LETTER } from "./picture.js";
import { htmlNode, svgNode } from "../kit/draw.js";
import { walked } from "../kit/walk.js";
import { largest, short, strength } from "./notation.js";

// The plan of a wide screen, cut where a new row of matrices begins: one sheet at a time is
// shown, so that it and the bar above it are on one screen.

const ROOM = 27, FOOT = 8; // above a matrix and its names, for its own name; below the last
const GAP = 38; // between V and the output below it: the names of the weights stand there, too

/** Where sheets begin: at what stands on the left and is not made of what is there already. */
function cuts({ matrices, products }) {
  const made = new Set(products.map(([, , product]) => product));
  return matrices.flatMap(({ title }, n) => (!n || (title === "side" && !made.has(n)) ? [n] : []));
}

/** One sheet: some matrices with what joins them, and V once more above the output. */
function sheetOf(whole, first, end, axis) {
  const matrices = whole.matrices.slice(first, end), { cell } = whole, at = (n) => (n < 0 ? n : n - first);
  const output = matrices.find(({ base }) => base === "O"), scaled = matrices.find(({ base }) => base === "D");
  if (scaled) {
    const V = whole.matrices.find(({ base }) => base === "V");
    matrices.push({ ...V, y: output.y - GAP - V.rows * cell, names: "rc", lesson: 5 });
  }
  const products = whole.products.filter(([left]) => left >= first && left < end)
    .map(([left, top, product, joined]) => [at(left), top < first && top >= 0 ? matrices.length - 1 : at(top), at(product), joined]);
  const foot = Math.max(...matrices.map(({ y, rows }) => y + rows * cell));
  const tops = matrices.map((one) => one.y - namesLook(one, axis(one.base, one.turned ? 0 : 1)).lift - ROOM);
  const top = Math.min(...tops), ramp = matrices.some(({ base }) => base === "N") ? whole.ramp : null;
  const words = whole.words.filter(([, y]) => y > top && y < foot);
  return { ...whole, matrices, products, words, ramp, top, height: (ramp ? whole.height : foot + FOOT) - top };
}

/** All sheets of a plan; names has the names along each kind of axis, parts the kinds. */
export function sheetsOf(whole, names, parts) {
  const starts = cuts(whole), axis = (base, way) => names[parts[base][1 + way]];
  return starts.map((first, k) => sheetOf(whole, first, starts[k + 1] ?? whole.matrices.length, axis));
}

/** The sheet on which a matrix stands first. */
export function sheetWith(sheets, base) {
  return sheets.find(({ matrices }) => matrices.some((one) => one.base === base)) ?? sheets[0];
}

/** A matrix in miniature, a unit a cell; set(table) colors it and marks what changed. */
function miniature(rows, columns, role) {
  const spots = Array.from({ length: rows * columns }, (_, n) => svgNode("rect", {
    x: n % columns, y: Math.floor(n / columns), width: 0.88, height: 0.88 }));
  const frame = { viewBox: `0 0 ${columns} ${rows}`, style: `--columns: ${columns}; --rows: ${rows}`, "aria-hidden": true };
  const node = holding(svgNode("svg", { ...frame, class: `mx-mini mx-${role}` }), ...spots), was = [];
  const set = (table, quiet) => {
    const most = largest(table);
    table.flat().forEach((v, n) => {
      const share = Number.isFinite(v) ? Math.abs(v) / most : 0, key = `${short(v)} ${share.toFixed(2)}`;
      const fresh = !quiet && key !== was[n];
      if (fresh !== spots[n].classList.contains("mx-fresh")) spots[n].classList.toggle("mx-fresh", fresh);
      if (key === was[n]) return;
      was[n] = key;
      spots[n].style.fillOpacity = Math.max(0.09, strength(share)).toFixed(2);
    });
  };
  return { node, set };
}

/** A line of tiles for each head or layer, behind its name where there are several. tiles has
 *  [base, name, role, [rows, columns]]; visit(base, k) goes to one, choose(k) to a line. */
export function makeMap(tiles, blocks, { visit, choose }) {
  const lines = blocks.map((name, k) => {
    const label = htmlNode("button", { type: "button", className: "mx-block", textContent: name, onclick: () => choose(k) });
    const made = tiles.map(([base, text, role, sizes]) => {
      const mini = miniature(...sizes, role);
      const node = htmlNode("button", { type: "button", className: `mx-tile mx-${role}`, onclick: () => visit(base, k) },
        mini.node, htmlNode("span", { textContent: text }));
      if (blocks.length > 1) node.setAttribute("aria-label", `${text}, ${name.split(":")[0]}`);
      return { base, mini, node };
    });
    const buttons = [...(blocks.length > 1 ? [label] : []), ...made.map(({ node }) => node)];
    return { label, made, buttons, node: htmlNode("div", { className: "mx-line" }, ...buttons) };
  });
  const node = htmlNode("div", { className: "mx-map" }, ...lines.map((one) => one.node));
  node.setAttribute("role", "toolbar"); // arrow keys are the page's there, not a screen reader's
  node.setAttribute("aria-label", "All matrices");
  walkOver(node, lines.map(({ buttons }) => buttons));
  const set = (tables, quiet) => lines.forEach(({ made }, k) => made.forEach(({ base, mini }) => mini.set(tables[k][base], quiet)));
  const mark = (base, pick) => lines.forEach(({ label, made, node: line }, k) => {
    line.classList.toggle("mx-chosen", k === pick);
    label.setAttribute("aria-pressed", k === pick);
    made.forEach((one) => one.node.setAttribute("aria-pressed", k === pick && one.base === base));
  });
  return { node, set, mark };
}

/** Rows of buttons are one stop for Tab; arrow keys walk over those that are seen. */
function walkOver(node, rows) {
  const all = rows.flat(), stop = (at) => all.forEach((one) => { one.tabIndex = one === at ? 0 : -1; });
  stop(all[0]);
  node.addEventListener("focusin", ({ target }) => stop(target));
  node.addEventListener("keydown", (event) => {
    const seen = rows.map((row) => row.filter((one) => one.offsetParent));
    const i = seen.findIndex((row) => row.includes(event.target)), plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const to = plain && walked(event.key, [i, seen[i].indexOf(event.target)], seen.map(({ length }) => length));
    if (!to) return;
    event.preventDefault();
    seen[to[0]][to[1]].focus();
  });
}

const ALONG = ["S", "D", "A", "O", "Z", "U", "Y", "N"];
export const TILES = { D: "scaled", Y: "+ X", N: "network" }; // the others have the names of their parts

/** The tiles in order; where rows are broad, each matrix of weights has one of its own. */
export function orderOf(broad) {
  return broad ? ["X", "WQ", "Q", "WK", "K", "WV", "V", ...ALONG] : ["X", "Q", "R", "K", "V", ...ALONG];
}

const NAMES_WIDTH = 56, WIDER = 37, TOUCHED = 24, PAST = 16; // of names, at least; of a cell with a name above it; of one for a finger; of a last name, past its cell

/** The product that a tile of the map shows, and the way down. */
const MADE = { X: "Q", R: "K" }; // others show their own
const DOWN = { D: ["S", "D"], A: ["D", "A"], Y: ["U", "Y"], N: ["Y", "N"] };
const STEPS = { D: "↓ ÷ √d", A: "↓ softmax, row by row", Y: "↓ + X: a word keeps what it was", N: "↓ the network, number by number" };

/** What a name needs beyond the last of so many cells that share a room. */
function beyond(name, room, count) {
  return Math.max(0, (LETTER * name.length + 2 - room / count) * count / (count - 1));
}

/** The plan of one tile: as that of Python, with cells of height 30. It is as wide as there is
 *  room, or wider, and then scrolls: a finger finds each cell. names(base, way) has the
 *  names along a matrix; factors says what a product multiplies. */
export function phonePlan(sizes, tile, width, names, factors) {
  for (let room = width; ; room += 2) {
    const plan = planIn(sizes, tile, room, names, factors);
    if (plan.matrices.every((one) => one.width >= TOUCHED)) return room === width ? plan : { ...plan, width: room + PAST };
  }
}

function planIn(sizes, tile, width, names, factors) {
  const plan = { cell: 30, width, matrices: [], products: [], words: [] };
  const ofNames = Math.max(NAMES_WIDTH, ...names(MADE[tile] ?? tile, 0).map((name) => 14 + LETTER * name.length));
  const put = (base, x, y, cell, more = {}) => {
    const [rows, columns] = more.turned ? [...sizes[base]].reverse() : sizes[base];
    return plan.matrices.push({ base, x, y, width: cell, rows, columns, names: "", title: "above", ...more }) - 1;
  };
  const broad = sizes.X[1] > 6 && "XWQKV".includes(tile[0]); // slanted names, as in ZUYN, whose last one ends past its cell
  const ends = broad ? LETTER * names("X", 1).at(-1).length / 2 - 10 : "ZUYN".includes(tile) ? 27 : 2;
  const past = tile === "S" ? beyond(names("K", 0).at(-1), width - ofNames - 50, sizes.Q[1] + sizes.K[0]) : 0;
  const room = width - ofNames - past - ends, fit = (count, gap, most) => Math.min(most, Math.floor((room - gap) / count));
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
  if (broad && tile.startsWith("W")) return stack([tile], []);
  if (broad && tile === "X") return stack(["E", "P", "X"], ["↓ add", "↓ = X"]);
  if (broad) return stack(["X", tile], ["↓ × W, column by column"]);
  if (DOWN[tile]) {
    const [from, to] = DOWN[tile], cell = fit(sizes[to][1], 0, 50);
    const first = put(from, ofNames, 0, cell, { names: "rc" });
    plan.matrices[first].y = namesLook(plan.matrices[first], names(from, 1)).lift + 28;
    const second = put(to, ofNames, foot(first) + 56, cell, { names: "r" });
    plan.words.push([ofNames + cell * sizes[to][1] / 2, foot(first) + 24, STEPS[tile].replace("d", sizes.K[1]), 0]);
    plan.products.push([first, tile === "A" ? -1 : -2, second, false]);
    if (tile !== "N") return { ...plan, height: foot(second) + 8 };
    const ramp = { x: ofNames + 20, y: foot(second) + 40, width: 150, height: 64 };
    return { ...plan, ramp, height: ramp.y + ramp.height + 34 };
  }
  const product = MADE[tile] ?? tile, [left, top] = factors[product], turned = tile === "S", joined = tile !== "O";
  const across = turned ? sizes.K[0] : sizes[top][1], count = sizes[left][1], named = across > 2 ? TOUCHED : WIDER;
  const spare = room - TOUCHED * count - named * across; // names may lie on the lines
  const gap = joined ? (turned ? 48 : Math.min(76, Math.max(10, spare))) : 10, even = fit(count + across, gap, 40);
  const cell = Math.max(across > 2 ? even : fit(count, gap + 2 * WIDER, 40), Math.min(TOUCHED, even));
  const wider = Math.min(40, Math.floor((room - gap - count * cell) / across));
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
