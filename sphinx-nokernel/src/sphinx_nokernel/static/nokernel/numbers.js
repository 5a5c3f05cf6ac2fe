// Numbers of the text that stand in a figure. The document hears nk:number, with { place, how,
// from, spoken }: how is "ask" (does a figure know this place?), "peek" (light it), "leave" or
// "go". A figure that knows the place prevents the default. spoken: by focus, so say it.
// Where "go" has scrolled far, the browser's Back returns to the number.
(() => {
  "use strict";
  const send = (from, how, spoken = false) => !document.dispatchEvent(new CustomEvent("nk:number",
    { cancelable: true, detail: { place: from.dataset.place, how, from, spoken } }));

  function go(node) {
    const was = scrollY;
    send(node, "go");
    if (Math.abs(scrollY - was) < innerHeight / 2) return;
    history.replaceState({ ...history.state, nkNumber: was }, "");
    history.scrollRestoration = "manual"; // or the browser goes where the page stands now
    history.pushState(null, "");
    history.scrollRestoration = "auto";
  }

  function offer(node) {
    if (node.hasAttribute("role") || !send(node, "ask")) return;
    node.setAttribute("role", "button");
    node.tabIndex = 0;
    const focused = () => document.activeElement === node;
    node.addEventListener("mouseenter", () => send(node, "peek"));
    node.addEventListener("mouseleave", () => focused() || send(node, "leave"));
    node.addEventListener("focus", () => node.matches(":focus-visible") && send(node, "peek", true));
    node.addEventListener("blur", () => send(node, "leave"));
    node.addEventListener("click", () => go(node));
    node.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      go(node);
    });
  }

  addEventListener("popstate", ({ state }) => {
    if (state?.nkNumber !== undefined) scrollTo({ top: state.nkNumber, behavior: "instant" });
  });
  document.addEventListener("nk:mounted", () => document.querySelectorAll(".nk-number").forEach(offer));
})();
