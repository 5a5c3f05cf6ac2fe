// What matrices, rows and columns are called.

const SUB = "₁₂₃";

/** What a matrix is called: [stem, raised, below]. Heads and layers number theirs. */
export function titleOf(base, { parts, pick = 0, count = 1, layers = false, turned = false }) {
  const [stem, raised] = parts[base][0].split("^"), which = count > 1 ? pick + 1 : "";
  if (base === "X") return ["X", "", layers && pick ? pick : ""];
  if (base === "N") return ["X", "", which];
  return [stem, turned ? "T" : raised, ["C", "WC", "Z", "Y"].includes(base) ? "" : which];
}

/** The names along each kind of axis. */
export function namesOf(given, choice, pick) {
  const { asks, gives } = given.blocks[pick];
  const all = given.blocks.flatMap((one, h) => one.gives.map((name) => `${name}${SUB[h]}`));
  return { word: given.sentences[choice], column: given.columns, ask: asks, give: gives, all };
}

/** How many rows and columns each part has. */
export function sizesOf(parts, names) {
  return Object.fromEntries(Object.entries(parts).map(([base, [, rows, columns]]) =>
    [base, [names[rows].length, names[columns].length]]));
}
