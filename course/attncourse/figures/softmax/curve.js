// The picture of lesson 4: a score is a length, its exponential a height on one curve.

export const N = 3, LEFT = 46, RIGHT = 334, EDGE = 6.4; // scores from −6.4 to 6.4 with what is added
export const UNIT = (RIGHT - LEFT) / (2 * EDGE), HOME = (LEFT + RIGHT) / 2;
export const TOP = 22, TALL = 130, FLOOR = TOP + TALL, ROWS = FLOOR + 34, ROW = 24;
export const SHARES = ROWS + (N + 1) * ROW + 6, THICK = 30;
const STEPS = 120;

/** Where a score stands across the picture, and the score at such a place. */
export const across = (score) => HOME + score * UNIT;
export const scoreAt = (x) => (x - HOME) / UNIT;

/** How high e to the power of score ÷ T stands: the largest of the row reaches the top. */
export function heightOf(score, top, temperature) {
  return TALL * Math.exp((score - top) / temperature);
}

/** The outline of a height that was, open at the top where it leaves the picture. */
export function outline(x, high) {
  const top = Math.max(FLOOR - high, TOP - 7), end = high > FLOOR - TOP + 7 ? `M${x + 9} ${top}V` : `H${x + 9}V`;
  return `M${x - 9} ${FLOOR}V${top.toFixed(1)}${end}${FLOOR}`;
}

/** The curve as a path, from the left edge until it leaves the picture at the top. */
export function curve(top, temperature) {
  const end = Math.min(EDGE, top + temperature * Math.log((FLOOR - 4) / TALL));
  const points = Array.from({ length: STEPS + 1 }, (_, i) => {
    const score = end - (1 - i / STEPS) * (end + EDGE);
    return `${across(score).toFixed(1)} ${(FLOOR - heightOf(score, top, temperature)).toFixed(1)}`;
  });
  return `M${points.join("L")}`;
}

/** Where each share of a strip begins and ends: the weights added up from the left. */
export function strip(weights, width) {
  let end = 0;
  return weights.map((w) => {
    const x = end;
    end += w * width;
    return { x, width: end - x };
  });
}
