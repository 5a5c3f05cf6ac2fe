// The landing page: where one was, in one line, if one was anywhere.
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
});
