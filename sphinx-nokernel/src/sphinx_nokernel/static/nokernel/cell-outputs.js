// What a cell shows: what Python sends, put below it as the build would have put it.
(() => {
  "use strict";

  function element(name, className, text = "") {
    const made = document.createElement(name);
    made.className = className;
    made.textContent = text;
    return made;
  }

  /** Takes away what the run before this one put out. */
  function clear(cell) {
    if (!cell.stale) return;
    cell.stale = false;
    if (!cell.output.isConnected) cell.el.append(cell.output);
    cell.output.replaceChildren();
  }

  // As Sphinx writes it for MathJax; without MathJax it is read as it is written.
  const formula = (text) => element("div", "math notranslate nohighlight",
    text.replace(/^\${1,2}([^]*?)\${1,2}$/, "\\[$1\\]"));
  const picture = (kind, text) => Object.assign(new Image(),
    { src: `data:image/${kind};base64,${text}`, alt: "The figure that this cell draws" });

  function put(cell, kind, text) {
    clear(cell);
    if (kind === "clear") return cell.output.replaceChildren();
    const last = cell.output.lastElementChild;
    if (["html", "png", "jpeg", "latex"].includes(kind)) {
      const box = element("div", "output text_html");
      if (kind === "html") box.innerHTML = text; // scripts in it do not run
      else box.append(kind === "latex" ? formula(text) : picture(kind, text));
      cell.output.append(box);
      if (kind === "latex") window.MathJax?.typesetPromise?.([box]);
    } else if (last?.dataset.kind === kind && kind.startsWith("std")) {
      last.querySelector("pre").append(text);
    } else {
      cell.output.append(printed(kind, text));
    }
  }

  function printed(kind, text) {
    const name = { stdout: "stream", text: "text_plain", error: "traceback" }[kind] ?? kind;
    const box = element("div", `output ${name} highlight-myst-ansi notranslate`);
    const shade = element("div", "highlight");
    box.dataset.kind = kind;
    shade.append(element("pre", "", text));
    box.append(shade);
    return box;
  }

  window.nokernelOutputs = { clear, element, put };
})();
