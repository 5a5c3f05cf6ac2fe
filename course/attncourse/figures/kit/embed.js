// One figure on a page of its own, for other pages and slides.
import { asked, stateOf, traitsOf } from "./declared.js";
import { htmlNode } from "./draw.js";

const THEME = { name: "theme", options: ["light", "dark"] };

/** What a figure expects of a model: traits, and who hears of their changes. */
function makeModel(held) {
  const ears = [];
  return {
    get: (name) => held[name],
    set: (part) => {
      const fresh = Object.keys(part).filter((name) => held[name] !== part[name]);
      Object.assign(held, part);
      for (const name of fresh) for (const [event, hear] of ears) if (event === `change:${name}`) hear();
    },
    on: (...ear) => ears.push(ear),
    off: () => {},
    save_changes: () => {},
  };
}

/** The theme asked for, or the reader's own. */
function repaint(theme) {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const set = () => { document.body.dataset.jpThemeLight = !(theme ? theme === "dark" : dark.matches); };
  document.documentElement.style.colorScheme = theme ?? "";
  dark.addEventListener("change", set);
  set();
}

/** Put a figure into the page. held has its traits, as Python would send them; where it has
 *  inputs, made has for each look what makes it, and makeInput is that of inputs.js. */
export function embed({ render }, { inputs, folded = "Exact values", ...held }, made, makeInput) {
  const { name: figure, controls } = held.spec, root = document.querySelector("main");
  const begun = stateOf((trait) => held[trait], controls);
  const { state, refused } = asked(new URLSearchParams(location.search), [...controls, THEME], begun);
  const model = makeModel({ ...held, ...traitsOf(state, controls) }), el = htmlNode("div");
  const placed = (place) => inputs.filter((one) => one.place === place).map((one) => makeInput(model, one, made));
  const exact = placed("exact"), notes = refused.map((textContent) => htmlNode("p", { role: "note", textContent }));
  repaint(state.theme);
  root.append(...notes, ...placed("above"), el, ...placed("below"));
  if (exact.length) root.append(htmlNode("details", {}, htmlNode("summary", { textContent: folded }), ...exact));
  render({ model, el });
  const page = document.documentElement;
  const tell = () => parent.postMessage({ figure, height: Math.ceil(page.getBoundingClientRect().height) }, "*");
  new ResizeObserver(tell).observe(page);
  tell(); // out of sight, a browser does not ask who observes
}
