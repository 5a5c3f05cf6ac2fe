// Present a lesson from its own page: one idea a screen, with the figures alive.
//
//   begin       the button, or ?present in the address
//   go on       → or Page Down or Space; back: ← or Page Up; Home, End; leave: Escape
//   block       what stands directly in a section, or in a part that a prediction covers
//   screen      blocks that follow one another and fit; headings and questions begin one
//   part        what is seen at once of a picture that could not be read if it all fitted
//
// No block is moved or copied: those of the other screens are hidden, and what is left is
// enlarged as far as it fits. A prediction is a poll: beside each choice the hands are
// counted, and nothing of it is kept.
(() => {
  const article = document.querySelector("article.bd-article");
  const stage = article?.querySelector(":scope > section");
  if (!stage?.querySelector("h2")) return;

  const root = document.documentElement;
  const HEADINGS = "h1, h2, h3, h4";
  const BEGINS = `${HEADINGS}, .nk-question, .nk-challenge`;
  const LEFT_OUT = ".aw-strip, nav, script, style, .nk-challenge:empty";
  const USES_KEYS = "input, textarea, select, [contenteditable=true], [role=slider], [role=gridcell], svg [tabindex]";
  const LARGE = 1.3, LARGEST = 1.6; // times as large as on the page
  const READABLE = 0.8; // smaller is not read from the last row
  const SMALL = 64; // a fold, say, has no screen of its own
  let screens = [], current = 0, part = 0, first = null, inert = [], bar;

  const presenting = () => root.classList.contains("aw-presenting");

  // ── Blocks and screens ──

  function blocksIn(parent) {
    return [...parent.children].flatMap((one) => {
      if (one.matches("section, .nk-covered:not([hidden])")) return blocksIn(one);
      if (one.matches(`${LEFT_OUT}, .nk-covered`) || !one.getClientRects().length) return [];
      return [one];
    });
  }

  function divide() {
    for (const one of stage.querySelectorAll(".aw-elsewhere")) one.classList.remove("aw-elsewhere");
    stage.style.zoom = 1;
    screens = [];
    for (const block of blocksIn(stage)) {
      const last = screens.at(-1);
      if (last && goesWith(last, block)) last.push(block);
      else screens.push([block]);
    }
  }

  function goesWith(screen, block) {
    if (screen.every((one) => one.matches(HEADINGS))) return true;
    if (block.matches(BEGINS)) return false;
    const { top } = screen[0].getBoundingClientRect();
    const { bottom, height } = block.getBoundingClientRect();
    if (height < SMALL && screen.at(-1).offsetHeight >= SMALL) return true;
    return (bottom - top) * LARGE <= room();
  }

  const room = () => innerHeight - 2 * parseFloat(getComputedStyle(article).paddingTop) - (bar?.offsetHeight ?? 0);

  function show(number, from = 0) {
    current = Math.max(0, Math.min(number, screens.length - 1));
    const here = new Set(screens[current]);
    for (const block of screens.flat()) block.classList.toggle("aw-elsewhere", !here.has(block));
    first = screens[current][0];
    fit();
    showPart(from);
    const [back, said, on] = bar.children;
    said.textContent = `${current + 1} of ${screens.length}`;
    // Not disabled: a button that is would keep all keys to itself while it has the focus.
    back.ariaDisabled = current === 0 && part === 0;
    on.ariaDisabled = current === screens.length - 1 && part === parts() - 1;
  }

  const below = () => stage.scrollHeight - stage.clientHeight; // what the first part hides
  const parts = () => 1 + Math.ceil(below() / (stage.clientHeight - SMALL));

  function showPart(number) {
    part = Math.min(number, parts() - 1);
    stage.scrollTop = part && part * below() / (parts() - 1);
  }

  function goOn() {
    if (part < parts() - 1) show(current, part + 1);
    else if (current < screens.length - 1) show(current + 1);
  }
  function goBack() {
    if (part > 0) show(current, part - 1);
    else if (current > 0) show(current - 1, Infinity);
  }

  // The width is that of the page, enlarged: figures and lines of code are laid out for it.
  function fit() {
    stage.classList.remove("aw-parts");
    stage.style.zoom = 1;
    const most = Math.min(LARGEST, article.clientWidth / article.scrollWidth * 0.9 * article.clientWidth / stage.offsetWidth);
    enlarge(Math.min(most, Math.max(whole(), READABLE)));
  }
  const whole = () => room() / stage.getBoundingClientRect().height;
  function enlarge(zoom) {
    stage.style.zoom = zoom;
    stage.style.setProperty("--aw-room", `${room() / zoom}px`);
    stage.classList.toggle("aw-parts", whole() < 0.999 && zoom <= READABLE);
  }

  // A figure may draw itself anew at that size, and be higher.
  function shrink() {
    const zoom = Number(stage.style.zoom), inParts = stage.classList.contains("aw-parts");
    if (presenting() && !inParts && whole() < 0.999) enlarge(Math.max(zoom * whole(), READABLE));
  }

  // What was covered, folded or not yet mounted changes what fits.
  function divideAgain() {
    if (!presenting()) return;
    const at = first;
    divide();
    show(Math.max(0, screens.findIndex((screen) => screen.includes(at))), part);
  }
  function soon(work) {
    let waiting;
    return () => {
      cancelAnimationFrame(waiting);
      waiting = requestAnimationFrame(() => presenting() && work());
    };
  }

  // ── Polls ──

  function countHands() {
    for (const choice of stage.querySelectorAll(".nk-predict .nk-choice")) {
      const hands = Object.assign(document.createElement("input"), {
        type: "number", min: 0, max: 999, className: "aw-hands", placeholder: "hands",
        ariaLabel: `Hands for: ${choice.querySelector("label").textContent.trim()}`,
      });
      choice.append(hands);
    }
  }

  function drawPoll({ target }) {
    if (!target.matches?.(".aw-hands")) return;
    const all = [...target.closest(".nk-predict").querySelectorAll(".aw-hands")];
    const total = all.reduce((sum, one) => sum + Math.max(0, one.valueAsNumber || 0), 0);
    for (const one of all) {
      const share = total ? Math.max(0, one.valueAsNumber || 0) / total : 0;
      one.parentElement.style.setProperty("--aw-share", `${100 * share}%`);
    }
  }

  // ── Begin and leave ──

  function begin() {
    if (presenting()) return;
    const seen = isInView(first) ? first : blocksIn(stage).find((one) => one.getBoundingClientRect().bottom > 80);
    root.classList.add("aw-presenting");
    for (let one = article; one !== document.body; one = one.parentElement) {
      inert.push(...[...one.parentElement.children].filter((other) => other !== one && !other.inert));
    }
    for (const one of inert) one.inert = true;
    bar = document.createElement("div");
    bar.className = "aw-screens";
    bar.append(button("‹", "Back", goBack), said(), button("›", "Go on", goOn),
      button("×", "Leave (Escape)", leave));
    article.append(bar);
    countHands();
    divide();
    show(Math.max(0, screens.findIndex((screen) => screen.includes(seen))));
    address((query) => query.set("present", ""));
    bar.children[2].focus();
  }

  // Where one left, unless one has read on since.
  function isInView(block) {
    const { top, bottom } = block?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
    return top < innerHeight && bottom > 0;
  }

  function leave() {
    if (!presenting()) return;
    root.classList.remove("aw-presenting");
    for (const one of stage.querySelectorAll(".aw-elsewhere")) one.classList.remove("aw-elsewhere");
    for (const one of stage.querySelectorAll(".aw-hands")) one.remove();
    for (const one of inert) one.inert = false;
    inert = [];
    bar.remove();
    stage.classList.remove("aw-parts");
    stage.style.zoom = 1;
    if (document.fullscreenElement) document.exitFullscreen();
    address((query) => query.delete("present"));
    first.scrollIntoView({ block: "start" });
    document.querySelector(".aw-present")?.focus({ preventScroll: true });
  }

  function address(change) {
    const url = new URL(location.href);
    change(url.searchParams);
    url.search = url.search.replace(/=(?=&|$)/g, "");
    try { history.replaceState(history.state, "", url); } catch { /* a page from a folder may keep its address */ }
  }

  function said() {
    const text = document.createElement("span");
    text.setAttribute("role", "status");
    return text;
  }

  function button(sign, words, press) {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = sign;
    made.title = made.ariaLabel = words;
    made.addEventListener("click", press);
    return made;
  }

  const KEYS = {
    ArrowRight: goOn, PageDown: goOn, " ": goOn, ArrowLeft: goBack, PageUp: goBack,
    Home: () => show(0), End: () => show(screens.length - 1), Escape: leave,
  };
  addEventListener("keydown", (event) => {
    const { key, target, defaultPrevented } = event;
    if (!presenting() || !KEYS[key] || defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    const typed = target.closest?.(USES_KEYS) && !["PageDown", "PageUp", "Escape"].includes(key);
    if (typed || (key === " " && target.closest?.("button, summary, a"))) return;
    event.preventDefault();
    KEYS[key]();
  });

  addEventListener("input", drawPoll);
  addEventListener("resize", soon(divideAgain));
  document.addEventListener("nk:uncovered", soon(divideAgain));
  if (stage) new ResizeObserver(shrink).observe(stage);
  for (const change of ["toggle", "nk:mounted", "click", "input"]) document.addEventListener(change, soon(fit), true);
  // Where the page fills the screen, Escape ends that, and no key is heard.
  document.addEventListener("fullscreenchange", () => { if (!document.fullscreenElement) leave(); });

  const present = button("", "Present this page", () => {
    begin();
    root.requestFullscreen?.().catch(() => {});
  });
  present.className = "btn btn-sm pst-navbar-icon aw-present";
  present.append(Object.assign(document.createElement("i"), { className: "fas fa-display" }));
  document.querySelector(".article-header-buttons .btn-fullscreen-button")?.before(present);
  if (new URLSearchParams(location.search).has("present")) addEventListener("load", begin);
})();
