// One of the two models: what its heads look at, and its loss so far.
import { makeCurves } from "../copying_heads/curves.js";
import { makeHead, meanOf, needed, roleOf } from "../copying_heads/heads.js";
import { fixed, htmlNode } from "../kit/draw.js";

const MOST = 4; // of the loss that is drawn

const lossesOf = (seen, name) => seen.map((one) => [one.step, one[name]]);

/** The heads of a model with so many layers, on a run of letters that is read twice. */
function makeHeads(layers) {
  const node = htmlNode("div", { className: "aw-heads" });
  let heads = [], text = "";
  const lay = (letters) => {
    if (text === letters.join("")) return;
    text = letters.join("");
    heads = Array.from({ length: layers }, () => makeHead([...letters, ...letters]));
    node.replaceChildren(...heads.map((head) => head.node));
  };
  const set = (letters, rows, when) => {
    lay(letters);
    const run = letters.length, cells = needed(layers, 2 * run, run);
    const empty = Array.from({ length: 2 * run }, (_, i) => Array(i + 1).fill(0));
    heads.forEach((head, layer) => {
      const now = rows?.[layer], share = now && fixed(meanOf(now, cells[layer]), 2);
      head.set(now ?? empty, cells[layer]);
      head.heading.textContent = `Layer ${layer}${now ? `: mean weight in the frames ${share}` : ""}`;
      head.svg.speak(`Layer ${layer} of ${layers} ${when}: ${now ? `mean weight ${share}` : "no weights"} ` +
        `on ${roleOf(layers, layer)}`);
    });
  };
  return { node, set };
}

/** draw(letters, seen, kind) shows the last of what was seen of a training. */
export function makePicture(layers, name, steps, floor) {
  const heads = makeHeads(layers), curves = makeCurves(steps, MOST, floor);
  const title = htmlNode("div", { className: "aw-heading" });
  const node = htmlNode("div", { className: "aw-stack aw-model" },
    htmlNode("div", { className: "aw-losses" }, title, curves.svg), heads.node);
  const draw = (letters, seen, kind) => {
    const now = seen.at(-1), when = now ? `after ${now.step} steps` : "before training";
    heads.set(letters, now?.heads, when);
    curves.set(["fresh", "again"].map((part) => lossesOf(seen, part)), seen.length - 1);
    const right = now ? `; ${Math.round(100 * now.right)} in 100 right` : "";
    title.textContent = `${name}: loss ${when}${right}`;
    curves.svg.speak(`${name}, ${kind}, ${when}${now ? `: loss ${fixed(now.fresh, 2)} on new ` +
      `letters, ${fixed(now.again, 2)} on repeated ones${right}` : ""}`);
  };
  return { node, draw, keep: (seen) => curves.keep(lossesOf(seen, "again")) };
}
