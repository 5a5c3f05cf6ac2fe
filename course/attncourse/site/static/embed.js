// "Embed": under each figure that has a page of its own, the code that puts it into another
// page as it stands now, its picture, and a sentence that credits it.
(() => {
  "use strict";

  // Where a platform takes the tags of its authors away, what stood between them is shown:
  // a comment is not, and WordPress reads it up to the first >.
  const LISTENER = `<script><!--
addEventListener("message", function ({ data, source }) {
  for (const one of document.querySelectorAll("iframe"))
    if (one.contentWindow === source && data?.figure) one.height = data.height;
});
//--></script>`;
  const ROOM = 120; // pixels: the title and the foot of the figure's own page
  const LOOK = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray",
    "stroke-linecap", "stroke-linejoin", "opacity", "visibility", "display", "font-family",
    "font-size", "font-weight", "text-anchor", "paint-order"];
  const SVG = "http://www.w3.org/2000/svg";
  const make = (tag, properties = {}, ...children) => {
    const node = Object.assign(document.createElement(tag), properties);
    node.append(...children);
    return node;
  };
  let boxes = 0; // for ids

  /** Where this page is published, if it knows; else where it is. */
  const home = () => document.querySelector("link[rel=canonical]")?.href ?? location.href.replace(/[?#].*/, "");

  /** The figure's own page, in the state that it has now. */
  function addressOf({ spec, query }) {
    const root = document.documentElement.dataset.content_root ?? "./";
    return new URL(`${root}embed/${spec.name}.html?${query}`, home()).href;
  }

  function codeOf(view) {
    const safe = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    const high = view.closest(".nk-live").offsetHeight - view.querySelector(".aw-embed").offsetHeight;
    const height = Math.ceil((high + ROOM) / 10) * 10;
    return `<iframe src="${safe(addressOf(view.figure))}" title="${safe(view.figure.spec.title)}" `
      + `width="100%" height="${height}" style="border:0"></iframe>\n${LISTENER}`;
  }

  const creditOf = ({ spec }) => `Figure: ${spec.title}. From ${document.title}, ${home()}, CC BY 4.0.`;

  /** A drawing that carries its look, as large as it stands on the page. */
  function ofItself(svg, { left, top }) {
    const copy = svg.cloneNode(true), box = svg.getBoundingClientRect();
    const ours = [svg, ...svg.querySelectorAll("*")];
    [copy, ...copy.querySelectorAll("*")].forEach((one, i) => {
      const style = getComputedStyle(ours[i]);
      for (const name of [...one.getAttributeNames()].filter((n) => /^(class|style|role|tabindex|aria-)/.test(n))) one.removeAttribute(name);
      one.setAttribute("style", LOOK.map((name) => `${name}:${style.getPropertyValue(name)}`).join(";"));
    });
    const place = { x: box.left - left, y: box.top - top, width: box.width, height: box.height };
    for (const [name, value] of Object.entries(place)) copy.setAttribute(name, value.toFixed(1));
    return copy;
  }

  /** A heading beside the drawings, as a text of the picture. */
  function asText(heading, { left, top }) {
    const box = heading.getBoundingClientRect(), { color, fontFamily, fontSize, fontWeight } = getComputedStyle(heading);
    const text = document.createElementNS(SVG, "text"), size = parseFloat(fontSize);
    const place = { x: box.left - left, y: box.top - top + size, "font-size": size };
    for (const [name, value] of Object.entries(place)) text.setAttribute(name, value.toFixed(1));
    for (const [name, value] of Object.entries({ fill: color, "font-family": fontFamily, "font-weight": fontWeight })) text.setAttribute(name, value);
    text.textContent = heading.textContent;
    return text;
  }

  /** All drawings of a figure as they stand, with their headings, as one: { text, width, height }. */
  function pictureOf(view) {
    const seen = (selector) => [...view.querySelectorAll(selector)].filter((one) => one.checkVisibility());
    const drawings = seen("svg:is(.aw-svg, [role=group])");
    const headings = seen(".aw-heading").filter((one) => drawings.some((svg) => one.parentNode.contains(svg)));
    const found = [...drawings, ...headings];
    const boxes = found.map((one) => one.getBoundingClientRect()), edge = 12;
    const [left, top] = ["left", "top"].map((side) => Math.min(...boxes.map((box) => box[side])) - edge);
    const [width, height] = [["right", left], ["bottom", top]]
      .map(([side, from]) => Math.ceil(Math.max(...boxes.map((box) => box[side])) + edge - from));
    const whole = document.createElementNS(SVG, "svg"), back = document.createElementNS(SVG, "rect");
    for (const [node, all] of [[whole, { viewBox: `0 0 ${width} ${height}`, width, height }],
      [back, { width, height, fill: getComputedStyle(document.body).backgroundColor }]]) {
      for (const [name, value] of Object.entries(all)) node.setAttribute(name, value);
    }
    const words = ["title", "desc"].map((tag) => document.createElementNS(SVG, tag));
    [words[0].textContent, words[1].textContent] = [view.figure.spec.title, creditOf(view.figure)];
    whole.append(...words, back, ...drawings.map((one) => ofItself(one, { left, top })), ...headings.map((one) => asText(one, { left, top })));
    return { text: new XMLSerializer().serializeToString(whole), width, height };
  }

  function save(blob, name) {
    const link = make("a", { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  async function savePng({ text, width, height }, name) {
    const image = Object.assign(new Image(), { src: `data:image/svg+xml,${encodeURIComponent(text)}` });
    await image.decode();
    const canvas = make("canvas", { width: 2 * width, height: 2 * height });
    canvas.getContext("2d").drawImage(image, 0, 0, 2 * width, 2 * height);
    canvas.toBlob((blob) => save(blob, name));
  }

  /** A text to be copied, under its name. */
  function field(name, rows, status) {
    const area = make("textarea", { readOnly: true, rows, spellcheck: false });
    const copy = make("button", { type: "button", textContent: `Copy ${name.toLowerCase()}` });
    copy.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(area.value);
        status.textContent = `${name} copied.`;
      } catch {
        area.select();
        status.textContent = `${name} selected: press Ctrl+C, or ⌘C on a Mac.`;
      }
    });
    return { area, nodes: [make("label", {}, name, area), copy] };
  }

  function boxOf(view) {
    const { name, unpictured } = view.figure.spec, status = make("p", { role: "status" });
    const code = field("Code", 5, status), credit = field("Credit", 3, status);
    const link = make("a", { target: "_blank", rel: "noopener", textContent: "Open it on a page of its own" });
    const button = (textContent, press) => {
      const made = make("button", { type: "button", textContent });
      made.addEventListener("click", () => {
        press();
        status.textContent = `${textContent} saved.`;
      });
      return made;
    };
    const svg = button("Picture as SVG", () => save(new Blob([pictureOf(view).text], { type: "image/svg+xml" }), `${name}.svg`));
    const png = button("Picture as PNG", () => savePng(pictureOf(view), `${name}.png`));
    const removed = make("p", { textContent: `Does your platform take frames out? ${unpictured ? "Link to that page." : "Put in the picture, and link it to that page."}` });
    const box = make("div", { hidden: true, className: "aw-embed", id: `aw-embed-${(boxes += 1)}` },
      ...code.nodes, link, removed, ...credit.nodes, ...(unpictured ? [] : [svg, png]), status);
    if (home().startsWith("file:")) {
      box.append(make("p", { textContent: "This copy was opened from a folder: its address leads nowhere from another computer." }));
    }
    const update = () => {
      if (box.hidden) return;
      code.area.value = codeOf(view);
      credit.area.value = creditOf(view.figure);
      link.href = addressOf(view.figure);
    };
    view.addEventListener("aw:set", update);
    return { box, update };
  }

  function offer(view) {
    const { title } = view.figure.spec, { box, update } = boxOf(view);
    const button = make("button", { type: "button", className: "aw-read-button aw-embed-button",
      textContent: "Embed", ariaLabel: `Embed: ${title}`, ariaExpanded: "false" });
    button.setAttribute("aria-controls", box.id);
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", `Embed: ${title}`);
    button.addEventListener("click", () => {
      box.hidden = !box.hidden;
      button.ariaExpanded = String(!box.hidden);
      update();
    });
    box.addEventListener("keydown", ({ key }) => {
      if (key !== "Escape") return;
      button.click();
      button.focus();
    });
    view.querySelector(".aw-read-button").after(button);
    view.append(box);
  }

  function offerAll() {
    for (const view of document.querySelectorAll(".nk-live .aw-view")) {
      const spec = view.figure?.spec;
      if (spec && !view.querySelector(".aw-embed")) offer(view);
    }
  }
  document.addEventListener("nk:mounted", offerAll); // which may have been before
  window.mountWidgets?.ready.then(offerAll);
})();
