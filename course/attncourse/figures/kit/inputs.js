// Native inputs for a figure's controls, where there is no ipywidgets: see inputs.py.
import { htmlNode } from "./draw.js";
import { show } from "./read.js";

let count = 0; // of inputs, for their ids

export function rangeInput({ label, labels, min = 0, max = labels.length - 1, step = 1, form }, get, set) {
  const id = `aw-in-${(count += 1)}`, unit = /\[([^\]]+)\]$/.exec(label)?.[1] ?? "";
  const text = (value) => labels?.[value] ?? show(value, form);
  const input = htmlNode("input", { type: "range", id, min, max, step });
  const output = htmlNode("output", { htmlFor: id, ariaLive: "off" });
  output.style.minWidth = `${Math.max(...(labels ?? [min, max].map(text)).map((one) => one.length))}ch`;
  input.addEventListener("input", () => set(input.valueAsNumber));
  const follow = () => {
    input.value = get();
    output.textContent = text(get());
    input.setAttribute("aria-valuetext", `${text(get())} ${unit}`.trim());
  };
  return [htmlNode("div", {}, htmlNode("label", { htmlFor: id, textContent: label }), input, output), follow];
}

export function chipInputs({ label, labels }, get, set) {
  const name = `aw-in-${(count += 1)}`, chips = labels.map((text, i) => {
    const input = htmlNode("input", { type: "radio", name });
    input.addEventListener("input", () => set(i));
    return htmlNode("label", {}, input, text);
  });
  const follow = () => chips.forEach(({ firstChild: input }, i) => { input.checked = i === get(); });
  return [htmlNode("fieldset", {}, htmlNode("legend", { textContent: label }), ...chips), follow];
}

export function menuInput({ label, labels }, get, set) {
  const input = htmlNode("select", {}, ...labels.map((text) => new Option(text)));
  input.addEventListener("input", () => set(input.selectedIndex));
  return [htmlNode("label", {}, `${label} `, input), () => { input.selectedIndex = get(); }];
}

export function boxInput({ label }, get, set) {
  const input = htmlNode("input", { type: "checkbox" });
  input.addEventListener("input", () => set(input.checked));
  return [htmlNode("label", {}, input, label), () => { input.checked = get(); }];
}

/** The input that sets a trait of the model, and follows it. made has, for each look, what
 *  makes it. */
export function makeInput(model, { trait, look, ...rest }, made) {
  const [node, follow] = made[look](rest, () => model.get(trait), (value) => model.set({ [trait]: value }));
  node.classList.add("aw-input", look);
  model.on(`change:${trait}`, follow);
  follow();
  return node;
}
