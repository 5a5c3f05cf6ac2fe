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

  // What the theme's buttons do, said in words: the pages' policy runs no attributes.
  addEventListener("click", ({ target }) => {
    const { press } = target.closest?.("[data-press]")?.dataset ?? {};
    if (press === "print") print();
    if (press === "fullscreen") toggleFullScreen();
  });

  // A hit of the search leads to its first mark, also into folds and where a prediction
  // covers: predict.js uncovers as for the browser's own search. A mark in the TeX of a
  // formula or in feedback is not drawn: what is around it is shown. An address with a
  // place in it leads there, and no mark in that section stays covered.
  const MARK = "span.highlighted:not(script *)", COVER = ".nk-covered[hidden]";
  const uncover = (one) => one.dispatchEvent(new Event("beforematch", { bubbles: true }));
  const showMark = () => {
    if (location.hash) {
      const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      place?.querySelectorAll(`${COVER}:has(${MARK})`).forEach(uncover);
      place?.querySelectorAll(`.aw-card details:has(> summary ${MARK})`).forEach((one) => { one.open = true; });
      return;
    }
    const mark = document.querySelector(`article ${MARK}`);
    if (!mark) return;
    for (let one = mark; one; one = one.parentElement) {
      if (one.matches("details")) one.open = true;
      if (one.matches(COVER)) uncover(one);
    }
    let shown = mark;
    while (!shown.getClientRects().length) shown = shown.parentElement;
    keepInSight(shown);
  };
  // An address with a place in it leads into folds, too; not every browser opens them. If
  // the place is a card, or a fold of one, nothing in the card stays covered.
  const openPlace = () => {
    const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const card = place?.closest(".aw-card")?.closest("section") ?? place;
    const facts = [...(card?.querySelectorAll(".aw-card") ?? [])];
    if (facts.some((one) => one.closest("section") === card)) card.querySelectorAll(COVER).forEach(uncover);
    const folds = [];
    for (let one = place; one; one = one.parentElement) if (one.matches("details:not([open])")) folds.push(one);
    for (const fold of folds) fold.open = true;
    if (place?.closest("article")) keepInSight(place, "start"); // what is uncovered above moves it
  };
  addEventListener("hashchange", openPlace);
  addEventListener("DOMContentLoaded", openPlace);
  // What is above it grows and shrinks while fonts and figures come in. The page follows
  // until they are there, or until the reader moves.
  const keepInSight = (shown, block = "center") => {
    const growing = new ResizeObserver(() => shown.scrollIntoView({ block }));
    const leave = () => growing.disconnect();
    growing.observe(shown.closest("article")); // which also calls it once
    for (const move of ["wheel", "touchstart", "pointerdown", "keydown"])
      addEventListener(move, leave, { once: true, passive: true });
    const loaded = () => document.readyState === "complete";
    const load = new Promise((done) => (loaded() ? done() : addEventListener("load", done)));
    const figures = () => window.mountWidgets?.ready;
    load.then(figures).then(() => document.fonts.ready).then(() => setTimeout(leave, 3000));
  };
  // Sphinx's script, which runs before this one, marks after 10 ms.
  addEventListener("DOMContentLoaded", () => setTimeout(showMark, 10));

  // Folds of code have one title: whoever hears it hears a line of its own code, too, the
  // first that no fold before it has said.
  const IMPORT = /^(from|import|%|#|assert|\s|$)/;
  addEventListener("DOMContentLoaded", () => {
    const told = new Set();
    for (const fold of document.querySelectorAll("details.hide.above-input, details.nk-solution")) {
      const lines = (fold.querySelector("pre")?.textContent ?? "").split("\n");
      const fresh = lines.filter((one) => one.trim() && !told.has(one.trim()));
      const line = (fresh.find((one) => !IMPORT.test(one)) ?? fresh[0] ?? lines[0]).trim();
      told.add(line);
      const words = Object.assign(document.createElement("span"), { textContent: `: ${line}` });
      words.style.cssText = "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)";
      fold.querySelector("summary").append(words);
    }
  });

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
