// MoE: a column of tokens for each expert, and a line of how many it has room for.
import { live } from "../kit/declared.js";
import { fixed, htmlNode, surface, svgNode, update } from "../kit/draw.js";
import { draggable, retell } from "../kit/drag.js";

const WIDTH = 344, LEFT = 32, FOOT = 152, TOP = 8, HIGH = 270;
const y = (tokens) => FOOT - (Math.min(tokens, HIGH) / HIGH) * (FOOT - TOP);

/** Every number of the figure, from what the controls say. */
export function compute({ room, spread, steps }, { mean, spreads, steps: taken, batches }) {
  const [loads, biases, moved] = batches[spreads.indexOf(spread)][taken.indexOf(steps)], roomFor = Math.floor(room * mean + 1e-9);
  const kept = loads.map((load) => Math.min(load, roomFor)), late = loads.map((load, i) => load - kept[i]);
  const sum = (list) => list.reduce((a, b) => a + b), places = loads.length * roomFor;
  return { loads, biases, moved, kept, late, room_for: roomFor, dropped: sum(late), places, empty: places - sum(kept) };
}

function draw({ el, data: { names, mean }, put }) {
  const svg = surface(WIDTH, FOOT + 48, "aw-experts"), step = (WIDTH - LEFT) / names.length;
  const text = (x, at, words, anchor = "middle") => svg.append(svgNode("text", { x, y: at, "text-anchor": anchor, class: "aw-tick" }, words));
  for (const tokens of [0, 1, 2, 3, 4].map((times) => times * mean)) text(LEFT - 6, y(tokens) + 4, tokens, "end");
  text(WIDTH, FOOT + 29, "expert, the most popular first", "end");
  text(LEFT - 6, FOOT + 44, "bias", "end");
  const columns = names.map((_, i) => {
    const box = { x: LEFT + i * step + 4, width: step - 8 };
    const [empty, kept, late] = ["aw-unused", "aw-bar", "aw-late"].map((one) => svgNode("rect", { ...box, class: one }));
    svg.append(empty, kept, late);
    text(LEFT + (i + 0.5) * step, FOOT + 14, i + 1);
    const bias = svgNode("text", { x: LEFT + (i + 0.5) * step, y: FOOT + 44, "text-anchor": "middle", class: "aw-small" });
    svg.append(bias);
    return { empty, kept, late, bias };
  });
  const line = svgNode("rect", { x: LEFT, width: WIDTH - LEFT, height: 3, rx: 1.5, class: "aw-edge" });
  const hold = svgNode("rect", { x: LEFT, width: WIDTH - LEFT, height: 34 });
  svg.append(svgNode("path", { class: "aw-axis", d: `M${LEFT} ${FOOT}H${WIDTH}` }), line, hold);
  let roomFor = mean;
  draggable(svg, hold, () => [0, y(roomFor)], ([, at]) => put({ room: ((FOOT - at) / (FOOT - TOP)) * (HIGH / mean) }));
  const dropped = htmlNode("b"), empty = htmlNode("b"), moved = htmlNode("b");
  el.append(htmlNode("p", { className: "aw-hint" }, dropped, " are dropped. ", empty, ". The bias moves ", moved, "."), svg,
    htmlNode("p", { className: "aw-hint", textContent: "Orange: tokens beyond the line, which skip the network. Outlined: places that stay empty." }));
  return (now) => {
    roomFor = now.room_for;
    columns.forEach((one, i) => {
      const most = y(now.kept[i]);
      update(one.kept, { y: most, height: FOOT - most });
      update(one.late, { y: y(now.loads[i]), height: most - y(now.loads[i]) });
      one.bias.textContent = fixed(now.biases[i], 2);
      update(one.empty, { y: y(roomFor), height: Math.max(most - y(roomFor), 0) });
    });
    update(line, { y: y(roomFor) - 1.5 });
    update(hold, { y: y(roomFor) - 17 });
    retell(dropped, `${now.dropped} of 512 tokens`);
    retell(empty, `${now.empty} of ${now.places} places stay empty`);
    retell(moved, now.moved === 1 ? "1 token" : `${now.moved} tokens`);
  };
}

export default live({ compute, draw });
