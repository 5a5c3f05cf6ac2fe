// The box: a config.json that is read by the page's own Python, or by the kernel.
import { ALONE } from "../kit/alone.js";
import { htmlNode } from "../kit/draw.js";

/** A box with a button; tell(described) is called with what was read. Where nobody can read
 *  it, as on a page that stands alone, there is none. */
export function makeBox(model, { reader, sample: example }, tell) {
  if (ALONE) return [];
  const text = htmlNode("textarea", { rows: 7, spellcheck: false, placeholder: example });
  const button = htmlNode("button", { type: "button", className: "aw-read", textContent: "Read it" });
  const sample = htmlNode("button", { type: "button", textContent: "Use this example" });
  const says = htmlNode("p", { className: "aw-caption" });
  const hint = "Any config.json. The first time, this starts Python in the page (9 MB, as Run does).";
  says.setAttribute("role", "status");
  says.textContent = hint;
  text.setAttribute("aria-label", "The text of a config.json");
  sample.onclick = () => { text.value = example; text.focus(); };
  const heard = (answer) => {
    const { error, ...described } = JSON.parse(answer);
    says.textContent = error ?? "Read.";
    if (!error) tell(described);
  };
  const inPage = async (python) => {
    button.disabled = true;
    try {
      heard(await python(reader, { text: text.value }, (words) => { says.textContent = words; }));
    } catch (error) {
      says.textContent = error.message;
    }
    button.disabled = false;
  };
  button.onclick = () => {
    if (!text.value.trim()) says.textContent = "Paste the text of a config.json first.";
    else if (window.nokernelPython) inPage(window.nokernelPython);
    else {
      model.set("asked", text.value);
      model.save_changes();
      says.textContent = "Waiting for the kernel…";
    }
  };
  model.on("change:answer", () => model.get("answer") && heard(model.get("answer")));
  return [htmlNode("details", { className: "aw-paste" },
    htmlNode("summary", { textContent: "Paste a config.json" }), text,
    htmlNode("div", { className: "aw-buttons" }, button, sample), says)];
}
