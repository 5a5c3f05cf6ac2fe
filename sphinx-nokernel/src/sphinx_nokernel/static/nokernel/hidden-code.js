// The switch that shows the code of a page which is hidden at first. What a reader chose
// holds on every page: nokernelMemory has it as { code: "shown" }, beside the pages.
(() => {
  "use strict";
  const root = document.documentElement, memory = window.nokernelMemory;
  const line = document.querySelector(".nk-code-switch");
  if (!line) return;
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Show hidden code" });
  const cells = line.dataset.cells === "1" ? "1 cell" : `${line.dataset.cells} cells`;
  line.append(button, Object.assign(document.createElement("span"), { textContent: cells }));

  function show(shown) {
    root.toggleAttribute("data-nk-code", shown);
    button.setAttribute("aria-pressed", shown);
    for (const fold of document.querySelectorAll(".nk-hidden-code > details.hide.above-input")) fold.open = shown;
  }

  button.addEventListener("click", () => {
    const shown = button.getAttribute("aria-pressed") !== "true";
    show(shown);
    memory?.put({ ...memory.all(), code: shown ? "shown" : "hidden" });
  });
  show(memory?.all().code === "shown");
})();
