// Boxes that scroll sideways can be reached and scrolled by keyboard, have a name, and show
// that there is more: for as long as their content is wider than they are. Looked at again
// when the window, a figure or a fold changes, or a font comes.
(() => {
  "use strict";

  const BOXES = "div, p, pre, table, figure, fieldset, ul, ol, dl, span.katex-display";
  const main = document.querySelector("main, [role=main], .body") ?? document.body;
  let waiting = false;

  const nameOf = (box) => box.matches(".katex-display, .math") ? "Formula, scrolls sideways"
    : box.querySelector("table") ? "Table, scrolls sideways" : "Scrolls sideways";

  function scrolls(box) {
    if (box.scrollWidth <= box.clientWidth || !box.clientWidth) return false;
    return /auto|scroll/.test(getComputedStyle(box).overflowX);
  }

  function give(box, name, value) {
    if (box.hasAttribute(name)) return;
    box.setAttribute(name, value);
    box.dataset.nkGiven = `${box.dataset.nkGiven ?? ""} ${name}`;
  }

  function mark(box) {
    if (box.tabIndex < 0) box.removeAttribute("tabindex"); // pydata-sphinx-theme's
    give(box, "tabindex", "0");
    give(box, "role", "group");
    if (!box.hasAttribute("aria-labelledby")) give(box, "aria-label", nameOf(box));
    const left = box.scrollWidth - box.clientWidth - Math.abs(box.scrollLeft);
    box.dataset.nkScrolls = left > 1 ? "more" : "end";
  }

  function unmark(box) {
    for (const name of (box.dataset.nkGiven ?? "").split(" ").filter(Boolean)) box.removeAttribute(name);
    delete box.dataset.nkGiven;
    delete box.dataset.nkScrolls;
  }

  function look() {
    waiting = false;
    const boxes = [...main.querySelectorAll(BOXES)];
    const wide = new Set(boxes.filter(scrolls)); // all reading first, then all writing
    for (const box of boxes) {
      if (wide.has(box)) mark(box);
      else if ("nkScrolls" in box.dataset) unmark(box);
    }
  }

  function soon() {
    if (!waiting) setTimeout(look, 50);
    waiting = true;
  }

  for (const event of ["resize", "load"]) addEventListener(event, soon);
  for (const event of ["nk:mounted", "nk:uncovered", "toggle", "input", "click"]) {
    document.addEventListener(event, soon, true);
  }
  document.fonts?.addEventListener("loadingdone", soon);
  document.addEventListener("scroll", ({ target }) => {
    if (target.dataset && "nkScrolls" in target.dataset) mark(target);
  }, { capture: true, passive: true });
})();
