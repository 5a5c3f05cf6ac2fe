// Numbers of the text that stand in a figure. The document hears nk:number, with { place, how,
// from, spoken }: how is "ask" (does a figure know this place?), "peek" (light it), "leave" or
// "go". A figure that knows the place prevents the default. spoken: by focus, so say it.
(() => {
  "use strict";
  const send = (from, how, spoken = false) => !document.dispatchEvent(new CustomEvent("nk:number",
    { cancelable: true, detail: { place: from.dataset.place, how, from, spoken } }));

  function offer(node) {
    if (node.hasAttribute("role") || !send(node, "ask")) return;
    node.setAttribute("role", "button");
    node.tabIndex = 0;
    const focused = () => document.activeElement === node;
    node.addEventListener("mouseenter", () => send(node, "peek"));
    node.addEventListener("mouseleave", () => focused() || send(node, "leave"));
    node.addEventListener("focus", () => node.matches(":focus-visible") && send(node, "peek", true));
    node.addEventListener("blur", () => send(node, "leave"));
    node.addEventListener("click", () => send(node, "go"));
    node.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      send(node, "go");
    });
  }

  document.addEventListener("nk:mounted", () => document.querySelectorAll(".nk-number").forEach(offer));
})();
