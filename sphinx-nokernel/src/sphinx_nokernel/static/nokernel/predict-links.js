// A link, or a search in the page, that leads into a covered part uncovers it.
(() => {
  "use strict";
  const { reveal } = window.nokernelPredictions ?? {};
  if (!reveal) return; // nothing is covered then

  function fragment() {
    const id = location.hash.slice(1);
    try {
      return decodeURIComponent(id);
    } catch {
      return id; // a percent sign that stands for itself
    }
  }

  function uncoverTarget() {
    const target = document.getElementById(fragment());
    if (target && reveal(target)) target.scrollIntoView();
  }

  uncoverTarget();
  addEventListener("hashchange", uncoverTarget);
  document.addEventListener("beforematch", ({ target }) => reveal(target));
})();
