// What lessons, the landing page and the panel share: saving answers as a file, in the
// format of attncourse.teach.handed_in, and the button that opens the panel.
(() => {
  "use strict";
  const { src, dataset } = document.currentScript;
  const { head, longest, most } = JSON.parse(dataset.file);
  const PRIVATE = "Your code, answers and guesses stay in this browser, on this device. Nothing is sent anywhere.";

  const make = (tag, properties, ...children) => {
    const node = Object.assign(document.createElement(tag), properties);
    node.append(...children);
    return node;
  };

  function download(name, content) {
    const url = URL.createObjectURL(new Blob([`${JSON.stringify(content, null, 1)}\n`], { type: "application/json" }));
    make("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  }

  const isText = (x) => typeof x === "string";
  const isAnswer = (x) => isText(x?.exercise) && isText(x.function) && isText(x.source) && x.source.length <= longest;
  const lessonOf = (page) => page.split("/").pop();

  /** The answers of some pages, as they are handed in. */
  function answersOf(pages) {
    const memory = window.nokernelMemory;
    return pages.flatMap((page) => Object.values(memory.get("answers", page)).filter(isAnswer).map(
      ({ exercise, function: name, source, verdict }) =>
        ({ lesson: lessonOf(page), exercise, function: name, source, verdict }))).slice(0, most);
  }

  /** The cells of pages that could not run Python, as they were written; Python that
   *  reads the file finds the answers in them. */
  function unrunOf(pages) {
    return pages.map((page) => ({ lesson: lessonOf(page), cells: window.nokernelMemory.get("unrun", page).cells }))
      .filter(({ cells }) => Array.isArray(cells));
  }

  const some = (n, one) => `${n} ${n === 1 ? one : `${one}s`}`;

  function save(pages, student) {
    window.attnKept.noteUnrun?.();
    const answers = answersOf(pages), unrun = unrunOf(pages);
    const saved = [answers.length && some(answers.length, "answer"),
      unrun.length && `what you wrote on ${some(unrun.length, "page")} without running it`].filter(Boolean);
    if (!saved.length) return `Nothing to save yet: ${window.nokernelWorker?.stuck ? "write" : "run"} an exercise first.`;
    const plain = student.replace(/[^\p{L}\p{N}_.-]/gu, "_");
    const name = `${plain || "answers"}${pages.length === 1 ? `-${lessonOf(pages[0])}` : ""}.json`;
    const at = new Date().toISOString().replace(/\..*/, "+00:00");
    download(name, { ...head, student, saved_at: at, versions: head.versions, answers, ...(unrun.length && { unrun }) });
    return `Saved ${saved.join(" and ")} as ${name}.`;
  }

  /** A form that saves the answers of the pages that `which` names at that moment. */
  function saving(which, ...more) {
    const input = make("input", { type: "text", autocomplete: "name", maxLength: 80, size: 16 });
    const told = make("p", { className: "aw-told" });
    told.setAttribute("role", "status");
    const button = make("button", { type: "submit", textContent: "Save my answers" });
    const form = make("form", { className: "aw-saving" }, make("label", {}, "Name, if you hand it in: ", input), button, ...more, told);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      told.textContent = save(which(), input.value.trim());
    });
    return form;
  }

  /** The button that fetches the panel at first, and opens it. */
  function opener() {
    const button = make("button", { type: "button", textContent: "What is kept here" });
    button.setAttribute("aria-haspopup", "dialog");
    button.addEventListener("click", () => {
      window.attnKept.place?.(); // a lesson notes where it is
      window.attnKept.noteUnrun?.();
      if (window.attnPanel) return window.attnPanel.open();
      const url = new URL("remember-panel.js", src).href;
      document.head.append(make("script", { src: url, onload: () => window.attnPanel.open() }));
    });
    return button;
  }

  window.attnKept = { make, download, saving, opener, answersOf, unrunOf, some, PRIVATE };
})();
