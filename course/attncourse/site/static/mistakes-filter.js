/* Narrow “Every mistake we know” down to what has all the words that one types.
   Without this script the form stays hidden and every exercise is shown. */
(() => {
  "use strict";

  const form = document.querySelector(".aw-mistakes-filter");
  if (!form) return;
  const status = form.querySelector('[role="status"]');
  const exercises = [...document.querySelectorAll("article section section[id]")].map((node) => ({
    node, text: node.textContent.toLowerCase(), fold: node.querySelector("details"),
    mistakes: [...node.querySelectorAll("dl > dt")].map((dt) => {
      const parts = [dt];
      while (parts.at(-1).nextElementSibling?.tagName === "DD") parts.push(parts.at(-1).nextElementSibling);
      return { parts, text: parts.map((one) => one.textContent).join(" ").toLowerCase() };
    }),
  }));

  function apply() {
    const words = new FormData(form).get("words").toLowerCase().split(/\s+/).filter(Boolean);
    const has = (text) => words.every((word) => text.includes(word));
    let shown = 0, found = 0;
    for (const { node, text, fold, mistakes } of exercises) {
      const named = has(node.querySelector("h2").textContent.toLowerCase());
      node.hidden = !has(text);
      if (node.hidden) continue;
      shown += 1;
      const some = mistakes.filter((one) => has(one.text));
      for (const { parts, text: own } of mistakes)
        for (const part of parts) part.hidden = !named && some.length > 0 && !has(own);
      found += some.length;
      if (fold) fold.open = words.length > 0 && !named && some.length > 0;
    }
    status.textContent = words.length ? `${found} mistakes in ${shown} exercises.` : "";
  }

  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  apply();
})();
