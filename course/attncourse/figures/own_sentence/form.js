// The form for one's own sentences: two fields, the model's cost, progress, Stop, a link.
import { htmlNode } from "../kit/draw.js";
import { megabytes } from "./reader.js";

let fieldCount = 0; // for the fields' ids

function field(label, placeholder, oninput) {
  const id = `aw-own-${++fieldCount}`;
  const input = htmlNode("input", { type: "text", id, placeholder, oninput, autocomplete: "off", spellcheck: false });
  return { input, node: htmlNode("div", {}, htmlNode("label", { htmlFor: id, textContent: label }), input) };
}

const button = (textContent, onclick) => htmlNode("button", { type: "button", textContent, onclick });

/** on: { open, change, load, words, stop, link }. state(name, bytes) takes "asking", "idle" with
 *  what the model costs, "loading", "ready" with what the other words cost, "done" or, where it is not to be had, "absent". */
export function makeForm(on) {
  const fields = [field("Your sentence", "Write a sentence", on.change),
    field("Compare with", "another one, or nothing", on.change)];
  const load = button("Load the model", on.load);
  const words = button("Load all words too", on.words), stop = button("Stop", on.stop), link = button("Copy link", on.link);
  const bar = htmlNode("progress", { max: 1, value: 0, ariaLabel: "Loading the model" });
  const says = htmlNode("p", { className: "aw-says" });
  const row = htmlNode("div", { className: "aw-columns" }, ...fields.map((one) => one.node));
  says.setAttribute("role", "status");
  load.className = "aw-load";
  const node = htmlNode("details", { className: "aw-own" }, htmlNode("summary", { textContent: "Try your own sentence" }),
    htmlNode("form", { onsubmit: (event) => event.preventDefault() }, row,
      htmlNode("div", { className: "aw-actions" }, load, words, bar, stop, link), says));
  node.addEventListener("toggle", () => node.open && on.open());
  return {
    node,
    open: () => { node.open = true; },
    state(name, bytes) {
      const price = name === "idle" ? "Load the model: " : "Work without a network: ", more = name === "idle" ? ", once" : " more";
      if (bytes) (name === "idle" ? load : words).textContent = price + megabytes(bytes) + more;
      words.hidden = name !== "ready";
      const focused = [load, words, stop].includes(document.activeElement);
      row.hidden = link.hidden = name === "absent";
      load.hidden = name !== "idle";
      bar.hidden = stop.hidden = name !== "loading";
      if (focused) ({ idle: load, loading: stop, ready: fields[0].input, done: fields[0].input })[name]?.focus();
    },
    say: (text) => { says.textContent = text; },
    progress: (share) => { bar.value = share; },
    texts: () => fields.map(({ input }) => input.value.trim()),
    fill: (texts) => fields.forEach(({ input }, i) => { input.value = texts[i] ?? ""; }),
    mark: (place) => fields.forEach(({ input }, i) => input.setAttribute("aria-invalid", i === place)),
  };
}
