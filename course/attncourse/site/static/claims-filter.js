/* Narrow the tables of “Sources, checked” down by post and by verdict.
   Without this script the form stays hidden and every claim is shown. */
(() => {
  "use strict";

  const matches = (row, post, verdicts) =>
    (!post || row.dataset.post === post) && verdicts.has(row.dataset.verdict);

  const form = document.getElementById("aw-claims-filter");
  if (!form) return;
  const status = form.querySelector('[role="status"]');
  const rows = [...document.querySelectorAll("tr.aw-claim")];
  const folds = [...document.querySelectorAll("details:has(> table.aw-claims)")];

  function apply({ type } = {}) {
    const filtered = type === "change"; // all folds stay as they are until one chooses
    const choice = new FormData(form);
    const verdicts = new Set(choice.getAll("verdict"));
    for (const row of rows) row.hidden = !matches(row, choice.get("post"), verdicts);
    const shown = rows.filter((row) => !row.hidden).length;
    for (const fold of folds) {
      fold.hidden = !fold.querySelector("tr.aw-claim:not([hidden])");
      if (filtered) fold.open = !fold.hidden;
    }
    status.textContent = `${shown} of ${rows.length} claims are shown.`;
  }

  // A link to a claim must find its row, whatever is filtered.
  function reveal() {
    const row = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!row || !row.hidden) return;
    form.reset();
    apply();
    row.scrollIntoView();
  }

  form.addEventListener("change", apply);
  form.addEventListener("reset", () => setTimeout(apply));
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", reveal);
  form.hidden = false;
  apply();
  reveal();
})();
