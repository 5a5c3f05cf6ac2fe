// The loss on new and on repeated letters over the steps of a training.
import { fixed, surface, svgNode, update } from "../kit/draw.js";

const WIDTH = 340, HEIGHT = 120, LEFT = 22, TOP = 8, FOOT = 34;

/** Axes from step 0 to `last` and from loss 0 to `most`, with the floor of new letters.
 *  set([new, repeated], i) draws two lists of [step, loss], a dot on the i-th of each;
 *  keep(list) leaves a faint copy behind. */
export function makeCurves(last, most, floor) {
  const svg = surface(WIDTH, HEIGHT + FOOT);
  const x = (step) => LEFT + (step * (WIDTH - LEFT - 8)) / last;
  const y = (loss) => TOP + (HEIGHT - TOP) * (1 - Math.min(loss, most) / most);
  const write = (place, text) => svg.append(svgNode("text", { ...place, class: "aw-small" }, text));
  const across = `M${LEFT} ${TOP}V${HEIGHT}H${WIDTH - 8}M${LEFT} ${y(floor)}H${WIDTH - 8}`;
  svg.append(svgNode("path", { class: "aw-axis", d: across }));
  for (let loss = 0; loss <= most; loss++) {
    write({ x: LEFT - 6, y: y(loss) + 4, "text-anchor": "end" }, `${loss}`);
  }
  for (const step of [0, last / 2, last]) {
    const place = { x: x(step), y: HEIGHT + 15, "text-anchor": step === last ? "end" : "middle" };
    write(place, `${step}`);
  }
  write({ x: LEFT, y: HEIGHT + 30 }, "steps; dotted: new, solid: repeated");
  write({ x: WIDTH - 8, y: y(floor) + 14, "text-anchor": "end" }, `floor of new letters: ${fixed(floor, 2)}`);
  const before = svgNode("g", { class: "aw-faint" });
  const lines = ["aw-wave aw-dotted", "aw-wave"].map((name) => svgNode("path", { class: name }));
  const dots = lines.map(() => svgNode("circle", { class: "aw-bar", r: 4.5 }));
  svg.append(before, ...lines, ...dots);
  const path = (points) => points.length ? `M${points.map(([step, loss]) =>
    `${x(step).toFixed(1)} ${y(loss).toFixed(1)}`).join("L")}` : "";
  const set = (curves, i) => curves.forEach((points, c) => {
    update(lines[c], { d: path(points) });
    dots[c].toggleAttribute("hidden", !points.length);
    if (!points.length) return;
    update(dots[c], { cx: x(points[i][0]).toFixed(1), cy: y(points[i][1]).toFixed(1) });
  });
  const keep = (points) => before.append(svgNode("path", { class: "aw-wave", d: path(points) }));
  return { svg, set, keep };
}
