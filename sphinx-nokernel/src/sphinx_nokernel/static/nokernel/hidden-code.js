// The switch that shows all code of a page which is hidden at first. What a reader chose
// holds on every page: nokernelMemory has it as { code: "shown" }, beside the pages.
(() => {
  "use strict";
  const root = document.documentElement, memory = window.nokernelMemory;
  const button = document.querySelector(".nk-code-switch button");
  if (!button) return;

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
