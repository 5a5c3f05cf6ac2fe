// Beside lesson 7: which hands let a head look exactly one word back. Above, the hands;
// then how well every clock matches the one asked for, near and far; below, who gets what.
import { challenge } from "../kit/challenge.js";
import { live } from "../kit/declared.js";
import { fixed, htmlNode, surface, svgNode, update } from "../kit/draw.js";
import { positionalEncoding, dot, softmax } from "../kit/maths.js";

const WIDTH = 344, PIVOT = 46, REACH = 26, TOP = 118, FOOT = 238, LEFT = 30, MIDDLE = 140, RIGHT = 330, BARS = FOOT + 46, ROW = 22, NAMED = 124;

/** Every number of the figure, from how many hands are compared. */
export function compute({ hands }, { sizes: [all, score, near, last], line }) {
  const clock = (k) => positionalEncoding(k, 2 * all, 10000).slice(0, 2 * hands), first = clock(0);
  const matches = Array.from({ length: last + 1 }, (_, k) => dot(clock(k), first) / hands);
  const best = (from) => matches.indexOf(Math.max(...matches.slice(from)), from), rival = best(1), farthest = best(near + 1);
  const [before, ...others] = softmax([...matches, ...matches.slice(1, -1)].map((one) => score * one)), beside = others[0] + others[last];
  return { near: matches.slice(0, near + 1), far: matches.slice(near + 1), rival, best: matches[rival], farthest, at_farthest: matches[farthest],
    weights: [before, beside, 1 - before - beside], case: matches[rival] <= line ? "none" : rival <= near ? "near" : "far" };
}

const word = (text, x, y, kind = "aw-tick", anchor = "start") => svgNode("text", { x, y, class: kind, "text-anchor": anchor }, text);

/** The clock's hands in a row, each as one step turns it: those compared stand out. */
function makeHands(svg, all) {
  const made = Array.from({ length: all }, (_, i) => {
    const x = 8 + (i * (RIGHT - 8)) / (all - 1), [sine, cosine] = positionalEncoding(1, 2 * all, 10000).slice(2 * i, 2 * i + 2);
    return svgNode("path", { class: "aw-hand", d: `M${x.toFixed(1)} ${PIVOT}l${(REACH * sine).toFixed(2)} ${(-REACH * cosine).toFixed(2)}` });
  });
  svg.append(word(`${all} hands: one step turns each so far`, 0, 12), ...made, word("fast", 0, PIVOT + 17), word("slow", RIGHT + 6, PIVOT + 17, "aw-tick", "end"));
  return (count) => made.forEach((hand, i) => hand.classList.toggle("aw-faint", i >= count));
}

/** Matches by distance: dots near the word before, a line farther off, the rival with its number. */
function makeMatches(svg, [, score, near, last], line) {
  const y = (match) => FOOT - (FOOT - TOP) * Math.max(match, 0);
  const x = (k) => (k <= near ? LEFT + ((MIDDLE - LEFT) * k) / near : MIDDLE + 24 + ((RIGHT - MIDDLE - 24) * (k - near - 1)) / (last - near - 1));
  for (const [from, to, name] of [[0, near, "near"], [near + 1, last, "far"]]) {
    svg.append(svgNode("rect", { x: x(from), y: TOP, width: x(to) - x(from), height: y(line) - TOP, class: "aw-above" }),
      svgNode("path", { class: "aw-axis", d: `M${x(from)} ${TOP}V${FOOT}H${x(to)}` }),
      word(from, x(from), FOOT + 15), word(to, x(to), FOOT + 15, "aw-tick", "end"), word(name, (x(from) + x(to)) / 2, FOOT + 15, "aw-strong", "middle"));
  }
  svg.append(word(`strip: 1/${Math.round(Math.exp(score * (1 - line)))} of the word before's share, or more`, 0, TOP - 32), word(1, LEFT - 6, TOP + 4, "aw-tick", "end"), word(0, LEFT - 6, FOOT + 4, "aw-tick", "end"),
    word("match, by words away from the word before", (LEFT + RIGHT) / 2, FOOT + 31, "aw-tick", "middle"));
  const curve = svgNode("path", { class: "aw-far" }), dots = Array.from({ length: near + 1 }, (_, k) => svgNode("circle", { cx: x(k), r: k ? 3.5 : 5.5, class: "aw-near" }));
  const stem = svgNode("path", { class: "aw-stem" }), mark = svgNode("circle", { r: 5, class: "aw-rival" }), told = word("", 0, TOP - 12, "aw-strong aw-rival");
  svg.append(curve, ...dots, stem, mark, told);
  return ({ near: dotted, far, rival, best }) => {
    dots.forEach((one, k) => update(one, { cy: y(dotted[k]) }));
    update(curve, { d: `M${far.map((match, i) => `${x(near + 1 + i).toFixed(1)} ${y(match).toFixed(1)}`).join("L")}` });
    const at = x(rival), left = at < WIDTH / 2;
    update(stem, { d: `M${at} ${TOP - 8}V${y(best)}` });
    update(mark, { cx: at, cy: y(best) });
    told.textContent = `strongest rival: ${rival} away, ${fixed(best)}`;
    update(told, { x: left ? at - 5 : Math.min(at + 5, WIDTH), "text-anchor": left ? "start" : "end" });
  };
}

/** A bar for each of the three shares. */
function makeBars(svg, names) {
  const rows = names.map((name, i) => {
    const y = BARS + i * ROW, bar = svgNode("rect", { x: NAMED, y, height: 12, class: "aw-bar" }), told = word("", 0, y + 11, "");
    svg.append(word(name, 0, y + 11, ""), bar, told);
    return (share) => {
      update(bar, { width: (WIDTH - NAMED - 48) * share });
      update(told, { x: NAMED + (WIDTH - NAMED - 48) * share + 6 });
      told.textContent = fixed(share, 3);
    };
  });
  return (weights) => rows.forEach((set, i) => set(weights[i]));
}

function draw({ el, data: { sizes, line, names } }) {
  const svg = surface(WIDTH, BARS + names.length * ROW, "aw-matches"), told = htmlNode("p", { className: "aw-hint" });
  const hands = makeHands(svg, sizes[0]), matches = makeMatches(svg, sizes, line), bars = makeBars(svg, names);
  el.append(svg, told);
  return (now, { hands: count }, { summary }) => {
    hands(count);
    matches(now);
    bars(now.weights);
    told.textContent = summary;
  };
}

export const goal = ({ case: above }) => above === "none";

export default live({ compute, draw, task: challenge(goal) });
