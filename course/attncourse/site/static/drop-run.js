// A box that takes a file of one run, and has the page's own Python read it. Nothing is
// uploaded: the bytes go to a worker of this page.
addEventListener("DOMContentLoaded", () => {
  const READER = "from attncourse.shipped.dropped import answer\nanswer(name, data)";
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
  box.replaceChildren(label, says, report);

  const inBase64 = (file) => new Promise((done, fail) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result.split(",")[1] ?? "");
    reader.onerror = () => fail(reader.error);
    reader.readAsDataURL(file);
  });
  const tell = (words) => { says.textContent = words; };

  async function read(file) {
    report.hidden = true;
    if (file.size > MOST) return tell(`${file.name} has more than 64 MB: read it with python -m attncheck run.`);
    tell(`Reading ${file.name}…`);
    try {
      report.textContent = await window.nokernelPython(READER, { name: file.name, data: await inBase64(file) }, tell);
      report.hidden = false;
      tell(`${file.name}, read in this page.`);
    } catch (error) {
      tell(error.message);
    }
  }

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
