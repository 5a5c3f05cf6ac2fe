// Lesson 11: the weights of two heads at every step of their training, and the loss.
import { fixed, htmlNode, redrawOn } from "../kit/draw.js";
import { makeCurves } from "./curves.js";
import { makeHead, meanOf, needed, roleOf } from "./heads.js";


function render({ model, el }) {
  const letters = model.get("letters"), steps = model.get("steps"), run = model.get("run");
  const heads = [makeHead(letters), makeHead(letters)];
  const most = Math.ceil(Math.max(...model.get("new").flat(), ...model.get("repeated").flat()));
  const curves = makeCurves(steps.at(-1), most, model.get("floor"));
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
      head.heading.textContent = `Layer ${layer}: mean weight in the frames ${share}`;
      head.svg.speak(`Layer ${layer}, ${steps[step]} steps: mean weight ${share} ` +
        `on ${roleOf(layers, layer)}`);
    });
    const [fresh, again, right] = ["new", "repeated", "right"].map((name) => model.get(name)[chosen]);
    curves.set([fresh, again].map((losses) => losses.map((loss, i) => [steps[i], loss])), step);
    title.textContent = `Loss after ${steps[step]} steps; ${Math.round(100 * right[step])} in 100 right`;
    curves.svg.speak(`${layers} layers, ${steps[step]} steps: loss ${fixed(fresh[step], 2)} on new ` +
      `letters, ${fixed(again[step], 2)} on repeated ones, of which ${fixed(right[step], 2)} right`);
  });
}

export default { render };
