// The landing page: where one was, in one line, if one was anywhere; and what one missed,
// once more, in a fold.
addEventListener("DOMContentLoaded", () => {
  const memory = window.nokernelMemory;
  const links = document.querySelector(".aw-begin");
  if (!memory || !links) return;
  const { make, opener } = window.attnKept;
  const isText = (x) => typeof x === "string" && x !== "";

  const places = Object.keys(memory.all().pages)
    .map((page) => ({ page, ...memory.get("about", page).place }))
    .filter(({ title, path, at }) => isText(title) && isText(path) && Number.isFinite(at))
    .sort((a, b) => b.at - a.at);
  if (!Object.keys(memory.all().pages).length) return;

  /** Where a place is: below the site's root, or nothing. */
  function addressOf({ path, section }) {
    if (!URL.canParse(path, memory.root)) return null;
    const url = new URL(path, memory.root);
    url.hash = isText(section) ? section : "";
    return url.href.startsWith(memory.root.href) ? url.href : null;
  }

  const line = make("p", { className: "aw-back" });
  const [last] = places, href = last && addressOf(last);
  if (href) {
    const lesson = /(?:^|\/)(\d+)_/.exec(last.page);
    const where = lesson ? `in lesson ${Number(lesson[1])}` : "on the page";
    const more = isText(last.heading) && last.section ? [", at ", make("em", { textContent: last.heading })] : [];
    line.append(`You were ${where}, `, make("em", { textContent: last.title }), ...more, ". ", make("a", { href, textContent: "Go on" }), " ");
  }
  line.append(opener());
  links.before(line);

  // ── What was missed ──

  const missed = Object.keys(memory.all().pages)
    .flatMap((page) => Object.keys(memory.get("missed", page)).map((id) => ({ page, id })));
  if (missed.length) line.after(onceMore());

  const load = (name) => new Promise((done, fail) => {
    document.head.append(make("script", { src: new URL(`_static/${name}`, memory.root).href, onload: done, onerror: fail }));
  });

  function onceMore() {
    const words = missed.length === 1 ? "a question that you missed" : "questions that you missed";
    const fold = make("details", { className: "aw-once-more" }, make("summary", { textContent: `Once more: ${words}` }));
    fold.addEventListener("toggle", async () => {
      await Promise.all([load("once-more.js"), load("nokernel/quiz.js")]);
      await load("once-more-box.js");
      fold.append(...window.attnOnceMoreBox.items(missed));
    }, { once: true });
    return fold;
  }
});
