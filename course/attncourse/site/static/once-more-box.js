// The box *Once more*: at most three questions that were missed, each with its choices
// in another order, and one problem with fresh numbers where the lesson has some. What
// has been answered here does not come back.
(() => {
  "use strict";
  const MOST = 3;
  const memory = window.nokernelMemory;
  const { make } = window.attnKept;
  const { asked, drawn } = window.attnOnceMore;
  let count = 0;

  const own = (object, name) => (Object.hasOwn(object, name) ? object[name] : undefined);
  const any = (list) => list[Math.floor(Math.random() * list.length)];

  function shuffled(list) {
    const all = [...list];
    for (let i = all.length - 1; i > 0; i -= 1) {
      const j = Math.floor(Math.random() * (i + 1));
      [all[i], all[j]] = [all[j], all[i]];
    }
    return all;
  }

  // Of the site's own file: what memory holds only chooses among what is in it.
  function parsed(html) {
    const template = make("template", { innerHTML: html });
    for (const one of template.content.querySelectorAll(".katex")) one.replaceWith(one.querySelector("math"));
    return template.content;
  }

  function question({ page, id }) {
    const box = parsed(asked[page][id]).firstElementChild, name = `once-more-${(count += 1)}`;
    box.className = "nk-question nk-quiz";
    box.removeAttribute("id");
    const choices = [...box.querySelectorAll(".nk-choice")];
    box.append(...shuffled(choices));
    choices.forEach((choice, i) => {
      const input = choice.querySelector("input");
      Object.assign(input, { name, id: `${name}-${i}`, checked: false });
      choice.querySelector("label").htmlFor = input.id;
    });
    box.addEventListener("change", () => memory.note("missed", id, undefined, page));
    const href = new URL(`${page}.html#${id}`, memory.root).href;
    box.append(make("p", {}, make("a", { href, textContent: "Where it was asked" })));
    return box;
  }

  // ── Fresh numbers ──

  const numbersIn = (text) => text.replaceAll("−", "-").replace(/,(?=\d{3}\b)/g, "").split(/[\s,;]+/).filter(Boolean).map((word) => {
    const [, top, , bottom] = /^(-?\d*\.?\d+)(\/(\d*\.?\d+))?$/.exec(word) ?? [];
    return top === undefined ? NaN : top / (bottom ?? 1);
  });
  const near = (found, key) => Math.abs(found - key) <= 0.011 + 1e-6 * Math.abs(key);

  function marked(text, key) {
    const found = numbersIn(text);
    if (found.some(Number.isNaN) || found.length !== key.length) {
      return key.length === 1 ? "Write one number." : `Write ${key.length} numbers, with spaces between them, such as 0.5 or 3/8.`;
    }
    const right = key.filter((x, i) => near(found[i], x)).length;
    return right === key.length ? "Right." : `Not yet: ${right} of ${key.length} are right.`;
  }

  function problem({ asked: words, key, working }) {
    const input = make("input", { type: "text", autocomplete: "off", size: 16 });
    const told = make("p", { className: "aw-told" });
    told.setAttribute("role", "status");
    const form = make("form", { className: "aw-saving" },
      make("label", {}, "Your numbers: ", input), make("button", { type: "submit", textContent: "Check" }), told);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      told.textContent = marked(input.value, key);
    });
    const way = make("details", {}, make("summary", { textContent: "How it goes" }), make("ul", {}, ...working.map((step) => make("li", {}, parsed(step)))));
    return make("div", { className: "aw-fresh" }, make("p", { className: "aw-fresh-title", textContent: "With fresh numbers" }), parsed(words), form, way);
  }

  /** What the box holds for some missed questions: those that there are still. */
  function items(missed) {
    const known = missed.filter(({ page, id }) => own(own(asked, page) ?? {}, id)).slice(0, MOST);
    const lessons = [...new Set(known.map(({ page }) => page))].filter((page) => own(drawn, page));
    const fresh = lessons.length ? [problem(any(drawn[any(lessons)]))] : [];
    const none = make("p", { textContent: "These questions have changed since. There is nothing to ask again." });
    return known.length ? [...known.map(question), ...fresh] : [none];
  }

  window.attnOnceMoreBox = { items };
})();
