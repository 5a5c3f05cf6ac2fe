// FP8: a row of weights on a scale of powers of two, and where eight bits put each.
import { softmax } from "../kit/maths.js";
import { live } from "../kit/declared.js";
import { fixed, htmlNode, surface, svgNode, update } from "../kit/draw.js";
import { retell } from "../kit/drag.js";

const WIDTH = 344, LEFT = 44, TOP = 26, LOW = 108, LEAST = -21, MOST = 11, LARGEST = 448, POWER = -6;
const at = (power) => LEFT + 22 + ((Math.max(power, LEAST) - LEAST) / (MOST - LEAST)) * (WIDTH - LEFT - 26);
const ZERO = LEFT + 6;

/** A number that is not negative, rounded to FP8: 4 bits of exponent, 3 of digits. */
export function e4m3(x) {
  const step = 2 ** (Math.max(Math.floor(Math.log2(Math.max(x, 1e-30))), POWER) - 3);
  return Math.min(Math.round(x / step) * step, LARGEST);
}

/** Every number of the figure, from what the controls say. */
export function compute({ lead, factor }, { others, few, each }) {
  const weights = softmax([...others, lead]), most = Math.max(...weights);
  const sum = (all) => all.reduce((a, b, i) => a + b * (i < others.length ? each : 1), 0);
  const powers = weights.map((one) => (factor * one) / most), kept = powers.map(e4m3);
  const lost = kept.slice(0, -1).filter((one) => one === 0).length / others.length;
  return { powers, kept, some: few.map((i) => powers[i]), some_kept: few.map((i) => kept[i]), lost,
    total: sum(kept) / sum(powers), case: Math.max(...powers) > LARGEST ? "cut" : lost ? "lost" : "fits" };
}

/** The scale, and the band that eight bits reach. */
function makeScale(svg) {
  const text = (x, y, words, anchor = "middle") => svg.append(svgNode("text", { x, y, "text-anchor": anchor, class: "aw-tick" }, words));
  svg.append(svgNode("rect", { class: "aw-reach", x: at(-9), width: at(Math.log2(LARGEST)) - at(-9), y: TOP - 12, height: LOW - TOP + 24 }));
  text(0, TOP + 4, "exact", "start");
  text(0, LOW + 4, "kept", "start");
  for (const [x, words] of [[ZERO, "0"], [at(-18), "2⁻¹⁸"], [at(-9), "2⁻⁹"], [at(0), "1"], [at(8), "256"]]) text(x, LOW + 28, words);
}

function draw({ el, data: { others, each } }) {
  const svg = surface(WIDTH, LOW + 34, "aw-strips"), zero = htmlNode("b"), total = htmlNode("b"), cut = htmlNode("span");
  makeScale(svg);
  const marks = [...others, 0].map((_, i) => {
    const sink = i === others.length, r = sink ? 5 : 2.5, node = svgNode("g", { class: sink ? "aw-sink" : "" });
    const line = svgNode("path"), above = svgNode("circle", { r, cy: TOP }), below = svgNode("circle", { r, cy: LOW });
    node.append(line, above, below);
    svg.append(node);
    return { node, line, above, below };
  });
  el.append(htmlNode("p", { className: "aw-hint" }, zero, " of the others become 0. The row adds up to ", total, ".", cut), svg,
    htmlNode("p", { className: "aw-hint", textContent: `The large dot is the sink, each other ${each} weights. Gray: what E4M3 can write, from 2⁻⁹ to 448.` }));
  return (now) => {
    marks.forEach(({ node, line, above, below }, i) => {
      const x = at(Math.log2(now.powers[i])), gone = now.kept[i] === 0, to = gone ? ZERO : at(Math.log2(now.kept[i]));
      update(line, { d: `M${x.toFixed(1)} ${TOP}L${to.toFixed(1)} ${LOW}` });
      update(above, { cx: x });
      update(below, { cx: to });
      node.classList.toggle("aw-gone", gone);
    });
    retell(zero, fixed(now.lost, 3));
    retell(total, fixed(now.total, 3));
    cut.textContent = now.case === "cut" ? " What is larger than 448 is cut to it." : "";
  };
}

export default live({ compute, draw });
