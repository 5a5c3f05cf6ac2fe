// What matrices, rows and columns are called.

const SUB = "₁₂₃";

/** What the buttons of the stages say: the one after lesson 9 is the decoder's. */
export const stageName = (stage) => (stage > 9 ? "decoder" : `${stage}`);

/** What products multiply here: where no other sentence is looked at, R is X. */
export function factorsOf(factors, { read }) {
  const here = (base) => (base === "R" && !read ? "X" : base);
  return Object.fromEntries(Object.entries(factors).map(([base, pair]) => [base, pair.map(here)]));
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
