// The plan of a wide screen, cut where a new row of matrices begins: one sheet at a time is
// shown, so that it and the bar above it are on one screen.
import { namesLook } from "./picture.js";

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
  return { ...whole, matrices, products, words, wires: [], ramp, top, height: (ramp ? whole.height : foot + FOOT) - top };
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
