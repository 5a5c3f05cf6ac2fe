// "Report this sentence": what is selected and where it stands, as an issue of the
// repository; where none is named, as a mail; and else for the clipboard.
addEventListener("DOMContentLoaded", () => {
  const foot = document.querySelector("[data-report]"), article = document.querySelector("article");
  if (!foot || !article) return;
  const status = foot.nextElementSibling, LONGEST = 1000, REST = 300;
  const make = (tag, ...all) => Object.assign(document.createElement(tag), ...all);
  const here = make("button", { type: "button", className: "aw-report-here", hidden: true,
    textContent: "Report this sentence" });
  article.append(here);
  foot.hidden = false;

  const elementOf = (node) => (node instanceof Element ? node : node?.parentElement);

  /** The range of the page's own text that is selected, if there is one. */
  function selected() {
    const selection = getSelection();
    if (selection.isCollapsed || !selection.rangeCount) return null;
    const range = selection.getRangeAt(0), around = elementOf(range.commonAncestorContainer);
    return article.contains(around) && !around.closest("[contenteditable]") ? range : null;
  }

  // Who goes on by Tab leaves what was selected: it is kept. The button stands behind it, so
  // that Tab leads there; its own words are no part of what is selected with it.
  let kept = null;
  const quoted = (range) => {
    const part = range.cloneContents();
    part.querySelector(".aw-report-here")?.remove();
    return part.textContent;
  };
  function placeBehind(range) {
    let block = elementOf(range.endContainer);
    while (block !== article && !block.parentElement.matches("section, article")) block = block.parentElement;
    if (block === article) block.append(here);
    else if (block.nextElementSibling !== here) block.after(here);
  }

  const words = (text) => text.replace(/\s+/g, " ").trim();
  const nameOf = (heading) => words(heading?.textContent ?? "").replace(/#$/, "").trim();

  /** Where a section stands: on a host its address, and in a folder its path in the site. */
  function addressOf(section) {
    const site = new URL(document.documentElement.dataset.content_root ?? "./", location.href);
    const page = location.origin + location.pathname;
    const path = location.protocol === "file:" ? location.href.replace(/[?#].*/, "").slice(site.href.length) : page;
    return section?.id ? `${path}#${section.id}` : path;
  }

  function written(range) {
    const text = words(range ? quoted(range) : ""), page = nameOf(article.querySelector("h1"));
    const at = elementOf(range?.startContainer)?.closest("section");
    const shown = text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text;
    const lines = [`Page: ${page} (${addressOf(at)})`, `Section: ${nameOf(at?.querySelector("h1, h2, h3, h4")) || page}`,
      foot.dataset.version, "", `> ${shown || "(the sentence)"}`, "", "What is wrong, and what should stand there?", ""];
    const title = text ? `${page}: “${text.slice(0, 60)}${text.length > 60 ? "…" : ""}”` : `${page}: `;
    return { title, body: lines.join("\n") };
  }

  function open(href) {
    const link = make("a", { href, target: "_blank", rel: "noopener", hidden: true });
    document.body.append(link);
    link.click();
    link.remove();
  }

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      status.textContent = "Copied: paste it into a message to whoever gave you this copy.";
    } catch {
      status.replaceChildren("Copy this into a message to whoever gave you this copy:",
        make("textarea", { readOnly: true, value: text, ariaLabel: "Report" }));
    }
  }

  function report(range) {
    const { title, body } = written(range), { repository, mail } = foot.dataset;
    if (repository) open(`https://github.com/${repository}/issues/new?${new URLSearchParams({ title, body })}`);
    else if (mail) open(`mailto:${mail}?subject=${encodeURIComponent(title)}&body=${encodeURIComponent(body)}`);
    else copy(`${title}\n\n${body}`);
  }

  function offer() {
    if (document.activeElement === here) return;
    const range = selected(), box = range?.getBoundingClientRect();
    here.hidden = !range || words(quoted(range)).length < 3;
    kept = here.hidden ? null : range.cloneRange();
    if (here.hidden) return;
    placeBehind(range);
    const frame = (here.offsetParent ?? document.body).getBoundingClientRect();
    const most = frame.width - here.offsetWidth;
    here.style.left = `${Math.max(0, Math.min(box.left - frame.left, most))}px`;
    here.style.top = `${box.bottom - frame.top + 6}px`;
  }

  let later;
  document.addEventListener("selectionchange", () => {
    clearTimeout(later);
    later = setTimeout(offer, REST);
  });
  for (const one of [here, foot]) {
    one.addEventListener("pointerdown", (event) => event.preventDefault()); // which would unselect
    one.addEventListener("click", () => report(selected() ?? kept));
  }
  here.addEventListener("blur", offer);
});
