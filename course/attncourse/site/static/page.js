// Courtesies of every page.
(() => {
  const termOf = ({ target }) => target.closest?.("a.aw-term");

  // The note on a term stands below its word, so that the pointer can go over to it.
  // Without this script it stands at the left edge of the paragraph.
  const place = (event) => {
    const term = termOf(event), block = term?.closest("p, li")?.getBoundingClientRect();
    const width = block && parseFloat(getComputedStyle(term, "::after").width);
    if (!width) return;
    const left = Math.min(term.getClientRects()[0].left - block.left, block.width - width);
    term.style.setProperty("--aw-left", `${Math.max(left, 0)}px`);
  };
  addEventListener("pointerover", place);
  addEventListener("focusin", place);

  // It closes on Escape, until the pointer or the focus comes back.
  addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    const terms = document.querySelectorAll("a.aw-term:is(:hover, :focus)");
    for (const term of terms) term.classList.add("aw-closed");
  });
  const reopen = (event) => {
    const term = termOf(event);
    if (!term?.contains(event.relatedTarget)) term?.classList.remove("aw-closed");
  };
  addEventListener("pointerout", reopen);
  addEventListener("focusout", reopen);

  // Paper is white: code in the colors of the dark theme could not be read on it.
  const root = document.documentElement;
  let onScreen;
  addEventListener("beforeprint", () => {
    onScreen ??= root.dataset.theme;
    root.dataset.theme = "light";
  });
  addEventListener("afterprint", () => {
    root.dataset.theme = onScreen;
    onScreen = undefined;
  });
})();
