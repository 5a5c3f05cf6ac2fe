// How numbers are written, and how strong the color of their cell is.

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
