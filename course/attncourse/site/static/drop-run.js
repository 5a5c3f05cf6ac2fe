// A box that takes a file of one run, and has the page's own Python read it. Nothing is
// uploaded: the bytes go to a worker of this page.
addEventListener("DOMContentLoaded", () => {
  const READER = "from attncourse.shipped.dropped import answer\nanswer(name, data, sees, int(window or 0))";
  const SEES = { every: "Every key", start: "Causal, from the start", end: "Causal, from the end" };
  const MOST = 64 * 2 ** 20;
  const box = document.querySelector(".aw-drop-run");
  if (!box || !window.nokernelPython) return;

  const make = (tag, properties, ...children) => {
    const node = Object.assign(document.createElement(tag), properties);
    node.append(...children);
    return node;
  };
  const input = make("input", { type: "file", accept: ".npz,.safetensors" });
  const says = make("p", { className: "aw-drop-says" });
  const report = make("pre", { className: "aw-drop-report", hidden: true, tabIndex: 0 });
  says.setAttribute("role", "status");
  report.setAttribute("aria-label", "What the run shows");
  const label = make("label", {}, "A file of one run, .npz or .safetensors: choose it, or drop it here. ", input);

  const chips = Object.entries(SEES).map(([value, text]) => {
    const chip = make("input", { type: "radio", name: "aw-sees", id: `aw-sees-${value}`, value });
    chip.checked = value === "every";
    return make("span", {}, chip, make("label", { htmlFor: chip.id, textContent: text }));
  });
  const sees = make("div", { className: "nk-control nk-chips" },
    make("span", { id: "aw-sees", className: "nk-control-title", textContent: "A query was meant to see" }),
    make("span", { className: "nk-control-options" }, ...chips));
  sees.setAttribute("role", "radiogroup");
  sees.setAttribute("aria-labelledby", "aw-sees");
  const keys = make("input", { type: "number", min: 1, step: 1, inputMode: "numeric", disabled: true });
  const width = make("label", { className: "aw-drop-window" },
    "Window: how many keys, its own among them (empty for all) ", keys);
  const meant = () => ({ sees: sees.querySelector(":checked").value, window: keys.disabled ? "" : keys.value });
  box.replaceChildren(sees, width, label, says, report);

  const inBase64 = (file) => new Promise((done, fail) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result.split(",")[1] ?? "");
    reader.onerror = () => fail(reader.error);
    reader.readAsDataURL(file);
  });
  const tell = (words) => { says.textContent = words; };

  let last = null, asked = 0;
  async function read(file) {
    const mine = asked += 1;
    last = file;
    report.hidden = true;
    // Another file, or another choice, may come meanwhile: then nothing more is said of this one.
    const still = () => mine === asked;
    if (file.size > MOST) return tell(`${file.name} has more than 64 MB: read it with python -m attncheck run.`);
    tell(`Reading ${file.name}…`);
    try {
      const given = { name: file.name, data: await inBase64(file), ...meant() };
      const answer = await window.nokernelPython(READER, given, (words) => still() && tell(words));
      if (!still()) return;
      report.textContent = answer;
      report.hidden = false;
      tell(`${file.name}, read in this page.`);
    } catch (error) {
      if (still()) tell(error.message);
    }
  }
  const again = () => last && read(last);
  sees.addEventListener("change", () => {
    keys.disabled = meant().sees === "every";
    again();
  });
  keys.addEventListener("change", () => keys.validity.valid && again());

  input.addEventListener("change", () => input.files.length && read(input.files[0]));
  const mark = (on) => (event) => {
    event.preventDefault();
    box.classList.toggle("aw-dropping", on);
  };
  box.addEventListener("dragover", mark(true));
  box.addEventListener("dragleave", mark(false));
  box.addEventListener("drop", (event) => {
    mark(false)(event);
    if (event.dataTransfer.files.length) read(event.dataTransfer.files[0]);
  });
});
