// Names of matrices, rows and columns; how numbers are written, and how strong the color of
// their cell is.

const SUB = "₁₂₃";

/** What the buttons of the stages say: the one after lesson 9 is the decoder's. */
export const stageName = (stage) => (stage > 9 ? "decoder" : `${stage}`);

/** What products multiply here: where no other sentence is looked at, R is X. */
export function factorsOf(factors, { read }) {
  const here = (base) => (base === "R" && !read ? "X" : base);
  return Object.fromEntries(Object.entries(factors).map(([base, pair]) => [base, pair.map(here)]));
}

/** Whether a matrix is given: a reader may change its numbers. */
export function isGivenIn(base, { network, positions }, pick) {
  return base.startsWith("W") || "EPR".includes(base) || (base === "X" && !positions.length && !(network.length && pick));
}

/** What a matrix is called: [stem, raised, below]. Heads and layers number theirs. */
export function titleOf(base, { parts, pick = 0, count = 1, layers = false, turned = false }) {
  const [stem, raised] = parts[base][0].split("^"), which = count > 1 ? pick + 1 : "";
  if (base === "X") return ["X", "", layers && pick ? pick : ""];
  if (base === "N" && which) return ["X", "", which];
  return [stem, turned ? "T" : raised, ["C", "WC", "Z", "Y"].includes(base) ? "" : which];
}

/** The names along each kind of axis. */
export function namesOf(given, choice, pick) {
  const { asks, gives } = given.blocks[pick];
  const all = given.blocks.flatMap((one, h) => one.gives.map((name) => `${name}${SUB[h]}`));
  const word = given.sentences[choice], column = given.columns, { read } = given;
  return { word, column, seen: read?.sentences[choice] ?? word, trait: read?.columns ?? column, ask: asks, give: gives, all };
}

/** How many rows and columns each part has. */
export function sizesOf(parts, names) {
  return Object.fromEntries(Object.entries(parts).map(([base, [, rows, columns]]) =>
    [base, [names[rows].length, names[columns].length]]));
}

/** A number in at most four signs; with more decimals where there is room for them. */
export function short(v, decimals = 2) {
  if (v === -Infinity) return "−∞";
  const size = Math.abs(v), whole = Math.abs(v - Math.round(v)) < 1e-9;
  if (size >= 1000) return `${v < 0 ? "−" : ""}${(size / 1000).toFixed(0)}k`;
  const text = v.toFixed(whole || size >= 100 ? 0 : size >= 10 ? 1 : decimals);
  return Number(text) === 0 ? "0" : text.replace("-", "−");
}

/** The same for a cell: fewer signs where it is narrow. */
export function inCell(v, width) {
  const text = short(v), room = width < 30 ? 3 : width < 36 ? 4 : 5;
  if (text.length <= room) return text;
  const fewer = short(v, Math.abs(v) < 0.995 ? 2 : 1).replace("0.", ".");
  return width < 24 ? fewer.replace(/(\.\d)0$/, "$1") : fewer;
}

/** The same for a sum, which has room: three decimals, and all digits of large numbers. */
export function inSum(v) {
  return Math.abs(v) < 1000 || !Number.isFinite(v) ? short(v, 3) : v.toLocaleString("en-US", { maximumFractionDigits: 0 });
}

/** How strong a cell's color is for its share of the largest number. Between 0.42 and 0.9
 *  neither dark nor light digits are legible on it: the scale jumps over that. */
export function strength(share) {
  return share <= 0.66 ? 0.63 * share : 0.9 + (Math.min(share, 1) - 0.66) * 0.29;
}

/** The largest size of a table's finite numbers, at least 1. */
export function largest(table) {
  return Math.max(1, ...table.flat().map(Math.abs).filter(Number.isFinite));
}
