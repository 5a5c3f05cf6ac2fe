// The panel: what this browser remembers of the course, to look at, save, bring back, erase.
(() => {
  "use strict";
  const memory = window.nokernelMemory;
  const { make, download, saving, answersOf, unrunOf, some, PRIVATE } = window.attnKept;
  const FORMAT = "attncourse-memory", VERSION = 1, MOST = 5_000_000;
  const KEEPS_NOT = "This browser lets the page keep nothing: what you do lasts until you leave the page. Saving a file works all the same.";

  const dialog = make("dialog", { className: "aw-remembered" });
  dialog.setAttribute("aria-labelledby", "aw-remembered-title");
  const list = make("div"), told = make("p", { className: "aw-told" });
  told.setAttribute("role", "status");
  const tell = (words) => { told.textContent = words; };
  const button = (textContent, act) => make("button", { type: "button", textContent, onclick: act });
  const size = (x) => Object.keys(x).length;

  // ── What is kept, a row a page ──

  const placeOf = (page) => {
    const { place } = memory.get("about", page);
    return typeof place === "object" && place ? place : {};
  };
  const titleOf = (page) => (typeof placeOf(page).title === "string" ? placeOf(page).title : page);

  function row(page) {
    const { heading, tasks } = placeOf(page), answers = answersOf([page]).length;
    const guesses = size(memory.get("guesses", page)), missed = size(memory.get("missed", page));
    const edits = size(memory.get("cells", page)), solved = size(memory.get("solved", page));
    const said = [
      typeof heading === "string" && heading !== titleOf(page) && `you were at “${heading}”`,
      tasks > 0 && `${solved} of ${tasks} solved`,
      edits > 0 && `${some(edits, "cell")} edited`,
      guesses > 0 && `${some(guesses, "question")} opened${missed ? `, ${missed} missed` : ""}`,
    ].filter(Boolean).join("; ");
    const any = answers > 0 || unrunOf([page]).length > 0;
    const box = make("input", { type: "checkbox", value: page, checked: any, disabled: !any });
    const count = answers ? ` (${some(answers, "answer")})` : "";
    const words = said.charAt(0).toUpperCase() + said.slice(1);
    return make("li", {}, make("label", {}, box, ` ${titleOf(page)}${count}`), make("span", { textContent: words }));
  }

  function show() {
    const pages = Object.keys(memory.all().pages).sort();
    const items = pages.length ? make("ul", {}, ...pages.map(row)) : make("p", { textContent: "Nothing is kept yet." });
    list.replaceChildren(items);
  }

  const chosen = () => [...list.querySelectorAll("input:checked")].map((one) => one.value);

  // ── Out, in, away ──

  function takeOut() {
    download("attention-worked-out.json", { format: FORMAT, version: VERSION, kept: memory.all() });
    tell("Saved as attention-worked-out.json. It holds all that is listed here.");
  }

  const isObject = (x) => typeof x === "object" && x !== null && !Array.isArray(x);

  async function bringIn(file) {
    if (file.size > MOST) return tell(`${file.name} is too large: expected at most 5 MB.`);
    let found;
    try {
      found = JSON.parse(await file.text());
    } catch {
      return tell(`${file.name} holds no JSON. Choose a file that was exported here.`);
    }
    const { format, version, kept } = isObject(found) ? found : {};
    if (format !== FORMAT) return tell(`${file.name} is something else. Choose a file that was exported here.`);
    if (version !== VERSION || !isObject(kept?.pages)) return tell(`${file.name}: expected version ${VERSION}, found ${version}.`);
    memory.put({ ...memory.all(), pages: merged(memory.all().pages, kept.pages) });
    show();
    tell(`Imported ${some(size(kept.pages), "page")}. Reload this page to see what is yours in it.`);
  }

  // What the file has comes in the place of what is here; the rest stays.
  function merged(here, there) {
    const pages = { ...here };
    for (const [page, parts] of Object.entries(there)) {
      if (!isObject(parts)) continue;
      pages[page] = { ...pages[page] };
      for (const [part, kept] of Object.entries(parts)) {
        if (isObject(kept)) pages[page][part] = { ...pages[page][part], ...kept };
      }
    }
    return pages;
  }

  function erase() {
    memory.erase();
    sure.hidden = true;
    show();
    tell("Erased. Cells on this page keep their text until you reload it.");
    away.focus();
  }

  const input = make("input", { type: "file", accept: ".json,application/json" });
  input.addEventListener("change", () => input.files.length && bringIn(input.files[0]).finally(() => { input.value = ""; }));
  const away = button("Erase…", () => {
    sure.hidden = false;
    sure.querySelector("button").focus();
  });
  const sure = make("p", { hidden: true }, "Erase all of it? ", button("Yes, erase", erase), " ",
    button("No", () => { sure.hidden = true; away.focus(); }));

  dialog.append(
    make("h2", { id: "aw-remembered-title", textContent: "What this browser remembers" }),
    make("p", { textContent: PRIVATE }), make("p", { className: "aw-keeps-not", textContent: KEEPS_NOT }),
    list, saving(chosen),
    make("p", { className: "aw-moves" }, button("Export everything", takeOut), make("label", {}, "Import: ", input), away), sure, told,
    button("Close", () => dialog.close()),
  );
  document.body.append(dialog);

  function open() {
    dialog.querySelector(".aw-keeps-not").hidden = memory.keeps();
    sure.hidden = true;
    tell("");
    show();
    dialog.showModal();
  }

  window.attnPanel = { open };
})();
