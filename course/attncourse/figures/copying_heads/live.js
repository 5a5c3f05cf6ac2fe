// Lesson 11: the weights of two heads at every step of their training, and the loss.
import { fixed, htmlNode, redrawOn, surface, svgNode, update } from "../kit/draw.js";

const SIDE = 200, EDGE = 18;
const WIDTH = 340, HEIGHT = 120, LEFT = 22, TOP = 8, FOOT = 34;

/** The cells that copying needs in each layer: [query, key], counted from 0. */
export function needed(layers, n, run) {
  const all = Array.from({ length: n }, (_, i) => i);
  const before = all.slice(1, run + 1).map((i) => [i, i - 1]);
  const after = all.slice(run).map((i) => [i, i - run + 1]);
  return layers === 1 ? [after] : [before, after];
}

/** The mean weight of some cells. */
export function meanOf(rows, cells) {
  return cells.reduce((sum, [i, j]) => sum + rows[i][j], 0) / cells.length;
}

/** A head's weights, a row for each query, keys across; set(rows, cells) fills it. */
function makeHead(letters) {
  const size = (SIDE - EDGE) / letters.length, svg = surface(SIDE, SIDE);
  const at = (i) => EDGE + i * size, look = { "text-anchor": "middle", style: "font-size:11.5px" };
  const box = (i, j) => ({ x: at(j) + 0.5, y: at(i) + 0.5, width: size - 1, height: size - 1 });
  const cells = letters.map((letter, i) => {
    const y = at(i) + size / 2 + 3.5, x = at(i) + size / 2;
    svg.append(svgNode("text", { ...look, x: EDGE / 2 - 1, y, class: "aw-of-query" }, letter));
    svg.append(svgNode("text", { ...look, x, y: EDGE - 5, class: "aw-of-key" }, letter));
    return letters.slice(0, i + 1).map((_, j) => {
      const cell = svgNode("rect", { ...box(i, j), class: "aw-head-cell" });
      svg.append(cell);
      return cell;
    });
  });
  const frames = svgNode("g");
  svg.append(frames);
  const set = (rows, wanted) => {
    rows.forEach((row, i) => row.forEach((w, j) =>
      cells[i][j].setAttribute("fill-opacity", (0.05 + 0.95 * w).toFixed(2))));
    frames.replaceChildren(...wanted.map(([i, j]) =>
      svgNode("rect", { ...box(i, j), class: "aw-needed" })));
  };
  const heading = htmlNode("div", { className: "aw-heading" });
  return { svg, set, heading, node: htmlNode("div", {}, heading, svg) };
}

/** The losses at every step, with the floor that new symbols have. */
function makeCurves(steps, most, floor) {
  const svg = surface(WIDTH, HEIGHT + FOOT), last = steps.length - 1;
  const x = (i) => LEFT + (i * (WIDTH - LEFT - 8)) / last;
  const y = (loss) => TOP + (HEIGHT - TOP) * (1 - loss / most);
  const write = (place, text) => svg.append(svgNode("text", { ...place, class: "aw-small" }, text));
  const across = `M${LEFT} ${TOP}V${HEIGHT}H${WIDTH - 8}M${LEFT} ${y(floor)}H${WIDTH - 8}`;
  svg.append(svgNode("path", { class: "aw-axis", d: across }));
  for (let loss = 0; loss <= most; loss++) {
    write({ x: LEFT - 6, y: y(loss) + 4, "text-anchor": "end" }, `${loss}`);
  }
  for (const i of [0, last / 2, last]) {
    write({ x: x(i), y: HEIGHT + 15, "text-anchor": i === last ? "end" : "middle" }, `${steps[i]}`);
  }
  write({ x: LEFT, y: HEIGHT + 30 }, "steps; dotted: new letters, solid: repeated ones");
  write({ x: WIDTH - 8, y: y(floor) + 14, "text-anchor": "end" }, `floor: ${fixed(floor, 2)}`);
  const lines = ["aw-wave aw-dotted", "aw-wave"].map((name) => svgNode("path", { class: name }));
  const dots = lines.map(() => svgNode("circle", { class: "aw-bar", r: 4.5 }));
  svg.append(...lines, ...dots);
  const set = (curves, step) => curves.forEach((losses, c) => {
    const points = losses.map((loss, i) => `${x(i).toFixed(1)} ${y(loss).toFixed(1)}`);
    update(lines[c], { d: `M${points.join("L")}` });
    update(dots[c], { cx: x(step).toFixed(1), cy: y(losses[step]).toFixed(1) });
  });
  return { svg, set };
}

const NAMES = ["the letter before", "what came next last time"];

function render({ model, el }) {
  const letters = model.get("letters"), steps = model.get("steps"), run = model.get("run");
  const heads = [makeHead(letters), makeHead(letters)];
  const most = Math.ceil(Math.max(...model.get("new").flat(), ...model.get("repeated").flat()));
  const curves = makeCurves(steps, most, model.get("floor"));
  const title = htmlNode("div", { className: "aw-heading" });
  el.classList.add("aw-view");
  el.append(htmlNode("div", { className: "aw-stack" },
    htmlNode("div", { className: "aw-heads" }, ...heads.map((head) => head.node)),
    htmlNode("div", { className: "aw-losses" }, title, curves.svg)));

  return redrawOn(model, ["step", "layers"], () => {
    const step = model.get("step"), chosen = model.get("layers"), layers = chosen + 1;
    const cells = needed(layers, letters.length, run);
    const matrices = model.get("weights")[chosen][step];
    heads.forEach((head, layer) => {
      head.node.hidden = layer >= layers;
      if (layer >= layers) return;
      head.set(matrices[layer], cells[layer]);
      const share = fixed(meanOf(matrices[layer], cells[layer]), 2);
      head.heading.textContent = `Layer ${layer + 1}: framed ${share}`;
      const name = NAMES[layers === 1 ? 1 : layer];
      head.svg.speak(`Layer ${layer + 1}, ${steps[step]} steps: mean weight ${share} on ${name}`);
    });
    const [fresh, again, right] = ["new", "repeated", "right"].map((name) => model.get(name)[chosen]);
    curves.set([fresh, again], step);
    title.textContent = `Loss after ${steps[step]} steps; ${Math.round(100 * right[step])} in 100 right`;
    curves.svg.speak(`${layers} layers, ${steps[step]} steps: loss ${fixed(fresh[step], 2)} on new ` +
      `letters, ${fixed(again[step], 2)} on repeated ones, of which ${fixed(right[step], 2)} right`);
  });
}

export default { render };
