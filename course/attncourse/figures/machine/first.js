// What to look at first, and in which order the tiles of a map stand.
const FIRST = { X: [[4, 4]], Q: [[4, 0], [3, 0]], S: [[4, 0], [3, 4], [3, 0], [2, 3], [1, 0]], U: [[3, 4], [3, 0]], C: [[4, 0]] };
for (const base of "DAO") FIRST[base] = FIRST.S;
for (const base of "ZYN") FIRST[base] = FIRST.U;
const ALONG = ["S", "D", "A", "O", "Z", "U", "Y", "N"];
export const TILES = { D: "scaled", Y: "+ X", N: "network" }; // the others have the names of their parts
export const NEWEST = { 2: "Q", 3: "S", 4: "A", 5: "O", 6: "Z", 7: "A", 8: "N", 9: "D", 10: "O" };

/** The tiles in order; where rows are broad, each matrix of weights has one of its own. */
export function orderOf(broad) {
  return broad ? ["X", "WQ", "Q", "WK", "K", "WV", "V", ...ALONG] : ["X", "Q", "R", "K", "V", ...ALONG];
}

/** The cell of a matrix to look at first: one of the story's, or the largest. */
export function bestCell(cells, base, now) {
  const own = cells.filter((one) => one.base === base), size = (one) => Math.abs(now[base][one.i][one.j]);
  const most = [...own].sort((a, b) => size(b) - size(a))[0];
  const told = (FIRST[base] ?? []).map(([i, j]) => own.find((one) => one.i === i && one.j === j));
  return told.find((one) => one && size(one) >= 0.75 * size(most)) ?? most;
}
