// Buttons, and chips of which one is pressed.
import { htmlNode } from "../kit/draw.js";

/** A button that is no part of a form. */
export function makeButton(text, onclick, more = {}) {
  const { label, ...properties } = more;
  const node = htmlNode("button", { type: "button", textContent: text, onclick, ...properties });
  if (label) node.setAttribute("aria-label", label);
  return node;
}

/** Chips of which one is pressed; set(k) says which. */
export function makeChips(names, name, choose) {
  const chips = names.map((text, k) => makeButton(text, () => choose(k)));
  const node = htmlNode("span", { className: "mx-chips", hidden: names.length < 2 }, ...chips);
  node.setAttribute("role", "group");
  node.setAttribute("aria-label", name);
  return { node, show() {}, set: (pressed) => chips.forEach((one, k) => one.setAttribute("aria-pressed", k === pressed)) };
}
