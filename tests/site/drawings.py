"""Expressions about the figures of an open page: each returns what is wrong."""

# What of figures does not stand out, so much or more, from what is behind it. axe does
# not judge drawings. A shape's fill or stroke, times every opacity above it, is laid on
# the background of the page; a letter on all that is painted below its middle as well:
# backgrounds, shapes, and its own halo; or letters are asked for only where that is the
# bare page. Large letters may be fainter (WCAG 1.4.3). Several are asked at once: what
# was computed of a node is known then.
FAINT = """(asked) => {
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  const once = (compute, known = new Map()) => (key) => {
    if (!known.has(key)) known.set(key, compute(key));
    return known.get(key);
  };
  const rgba = once((color) => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = color;
    pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data].map((v) => v / 255);
  });
  const light = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const luminance = ([r, g, b]) =>
    0.2126 * light(r) + 0.7152 * light(g) + 0.0722 * light(b);
  const look = once((one) => getComputedStyle(one));
  const opacity = once((one) => one.parentElement
    ? parseFloat(look(one).opacity) * opacity(one.parentElement) : 1);
  const over = (front, alpha, back) =>
    front.slice(0, 3).map((v, k) => alpha * v + (1 - alpha) * back[k]);
  const behind = once((one) => {
    if (!one) return rgba("Canvas");
    const color = rgba(look(one).backgroundColor);
    return color[3] === 1 ? color : over(color, color[3], behind(one.parentElement));
  });
  const paint = (one, kind, back) => {
    const color = rgba(look(one)[kind]), own = look(one)[`${kind}Opacity`] ?? 1;
    return over(color, color[3] * own * opacity(one), back);
  };
  const shapes = once((svg) => [...svg.querySelectorAll(
    "rect, circle, ellipse, path, polygon")].filter((one) => one.getClientRects().length
    && look(one).fill !== "none" && look(one).visibility !== "hidden"
    && !one.closest("defs, clipPath, mask")).map((one) =>
    [one, one.getBoundingClientRect(), one.getScreenCTM().inverse()]));
  const below = (one) => {
    const svg = one.closest("svg"), { left, top, width, height } =
      one.getBoundingClientRect();
    const x = left + width / 2, y = top + height / 2;
    const under = ([shape, box, place]) => box.left <= x && x <= box.right
      && box.top <= y && y <= box.bottom
      && shape.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING
      && shape.isPointInFill(new DOMPoint(x, y).matrixTransform(place));
    const back = shapes(svg).filter(under).reduce(
      (ground, [shape]) => paint(shape, "fill", ground), behind(svg));
    const { paintOrder, stroke, strokeWidth } = look(one);
    const halo = /^stroke/.test(paintOrder) && stroke !== "none"
      && parseFloat(strokeWidth) >= 3;
    return halo ? paint(one, "stroke", back) : back;
  };
  const faint = ([least, chosen, bare]) =>
    [...document.querySelectorAll(chosen)].flatMap((one) => {
    const drawn = one.closest("svg"), letter = !drawn || one.matches("text");
    const own = [...one.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    const unseen = !one.getClientRects().length || look(one).visibility === "hidden";
    const waits = one.closest(":disabled, [aria-disabled=true], .aw-heard");
    if (unseen || waits || (letter && !own)) return [];
    const painted = !drawn ? ["color"] : (letter ? ["fill"] : ["fill", "stroke"])
      .filter((kind) => look(one)[kind] !== "none");
    if (!painted.length) return [];
    const back = !drawn ? behind(one) : letter ? below(one) : behind(drawn);
    if (bare && drawn && `${back}` !== `${behind(drawn)}`) return [];
    const ratios = painted.map((kind) => {
      const seen = paint(one, kind, back);
      const [low, high] = [luminance(seen), luminance(back)].sort((a, b) => a - b);
      return (high + 0.05) / (low + 0.05);
    });
    const { fontSize, fontWeight } = look(one), { a, b } = drawn ? one.getScreenCTM()
      : { a: 1, b: 0 };
    const size = parseFloat(fontSize) * Math.hypot(a, b);
    const large = letter && size >= (fontWeight >= 700 ? 18.66 : 24);
    const ratio = Math.max(...ratios);
    const place = one.closest(".aw-view, figure").className;
    const name = letter ? one.textContent : one.getAttribute("class");
    const enough = large ? Math.min(least, 3) : least;
    return ratio < enough ? [`${name} ${ratio.toFixed(1)} < ${enough} ${place}`] : [];
  });
  return [...new Set(asked.flatMap(faint))];
}"""
LETTERS = ".aw-view :is(svg text, :not(svg, svg *))"
STILL_LETTERS = ".aw-picture svg text"
# What one presses or drags: notes each node that listens to a pointer; then finds those
# and the controls that are too small for a finger (WCAG 2.5.8). The edge of a shape is
# touched, too, be it clear: no box counts it.
LISTENING = """{
  const own = EventTarget.prototype.addEventListener;
  window.listening = new Set();
  EventTarget.prototype.addEventListener = function (kind, ...rest) {
    const pressed = ["click", "pointerdown"].includes(kind);
    if (pressed && this instanceof Element) listening.add(this);
    return own.call(this, kind, ...rest);
  };
}"""
TOO_SMALL = """() => {
  const controls = document.querySelectorAll(`.nk-live :is(button, a[href], input,
    select, textarea, summary, [role=button], [role=slider], [role=gridcell])`);
  const heard = [...(window.listening ?? [])].filter((one) => one.closest(".nk-live"));
  const edge = (one) => {
    const shape = one.closest("svg") && (one.querySelector("rect") ?? one);
    const { stroke, strokeWidth } = getComputedStyle(shape ?? one);
    if (!shape || stroke === "none") return 0;
    return parseFloat(strokeWidth) * shape.getScreenCTM().a;
  };
  return [...controls, ...heard].filter((one) => {
    const { width, height } = one.getBoundingClientRect();
    return width && height && Math.min(width, height) + edge(one) < 23.95;
  }).map((one) => one.outerHTML.slice(0, 120));
}"""
# What one has to see of a drawing: bars, curves, and lines that join or mark. A cell
# whose opacity is a number, and what is faint because it waits, are none of these.
LINES = """.nk-live svg :is(.aw-bar, .aw-score, .aw-spread, .aw-hull, .aw-pull,
  .aw-curve, .aw-level, .aw-dots, .aw-look, .aw-joined, .aw-arrow, .aw-axis,
  .aw-hand, .aw-swept, .aw-arc, .mx-wire, .mx-elbow, .mx-given .mx-frame
  ):not([fill-opacity], .aw-faint, .aw-faint *)"""
# Views with cells whose strength is a number that one can't read as numbers.
TINTED = """() => [...document.querySelectorAll(".aw-view:has(svg [fill-opacity])")]
  .filter((view) => !view.querySelector(".aw-read-button"))
  .map((view) => view.className)"""
# Graphics that a screen reader comes to, and that are no pictures with words: icons of
# buttons, say. A picture has a name; what stands in a group is one, or is pressed.
BARE = """() => [...document.querySelectorAll("svg")].filter((one) => {
  const whole = one.closest("[role=img], [role=group]");
  if (one.closest("[aria-hidden=true]")) return false;
  return !whole || (whole.matches("[role=img]") && !whole.ariaLabel?.trim());
}).map((one) => one.outerHTML.slice(0, 120))"""
# What a press or a drag changes in a declared figure, where what is pressed takes no
# focus: the figure, and the name in its state.
POINTED = """() => {
  Element.prototype.setPointerCapture = () => {}; // no pointer is there to be captured
  const focused = "button, a, input, select, textarea, summary, [tabindex]";
  const views = [...document.querySelectorAll(".aw-view")].filter((one) => one.figure);
  return views.flatMap((view) => {
    const changed = new Set(), { name } = view.figure.spec;
    for (const one of [...listening].filter((node) => view.contains(node))) {
      if (one.closest(focused) && one.closest(focused) !== view) continue;
      const { left, top, width, height } = one.getBoundingClientRect();
      const before = { ...view.figure.state };
      const act = (kind, way) => one.dispatchEvent(new PointerEvent(kind, {
        bubbles: true, pointerId: 1, clientX: left + width / 2 + way,
        clientY: top + height / 2 + way }));
      for (const way of [40, -40]) {
        act("pointerdown", 0);
        act("pointermove", way);
        act("pointerup", way);
      }
      act("click", 0);
      for (const [key, value] of Object.entries(view.figure.state)) {
        if (`${value}` !== `${before[key]}`) changed.add(key);
      }
    }
    return [...changed].map((key) => [name, key]);
  });
}"""
# Letters smaller than so many pixels, as they stand on the screen.
SMALL = """least => {
  const letters = new Set();
  for (const figure of document.querySelectorAll(".nk-live")) {
    const texts = document.createTreeWalker(figure, NodeFilter.SHOW_TEXT);
    while (texts.nextNode())
      if (texts.currentNode.data.trim()) letters.add(texts.currentNode.parentElement);
  }
  return [...letters].flatMap((one) => {
    const apart = one.closest(".mx-out, .mx-header, select");
    const unseen = apart || !one.getClientRects().length;
    const style = getComputedStyle(one);
    if (unseen || style.visibility === "hidden") return [];
    const { a, b } = (one.ownerSVGElement && one.getScreenCTM()) || { a: 1, b: 0 };
    const size = parseFloat(style.fontSize) * Math.hypot(a, b);
    return size < least ? [`${size.toFixed(1)}: ${one.textContent.trim()}`] : [];
  });
}"""
SHRUNK = """(size) => {
  for (const one of document.querySelectorAll(".nk-live svg text"))
    one.style.setProperty("font-size", size, "important");
}"""
# Words in names of controls of which the first and the last letter don't stand on one
# line; and controls that are wider than their place.
BROKEN = """() => [...document.querySelectorAll(
  ".nk-live .nk-control :is(label, .nk-control-title)")].flatMap((label) => {
    const letters = document.createTreeWalker(label, NodeFilter.SHOW_TEXT);
    const broken = [];
    while (letters.nextNode()) {
        for (const found of letters.currentNode.data.matchAll(/\\p{L}+/gu)) {
            const word = document.createRange();
            word.setStart(letters.currentNode, found.index);
            word.setEnd(letters.currentNode, found.index + found[0].length);
            const tops = [...word.getClientRects()].map((one) => one.top);
            if (Math.max(...tops) - Math.min(...tops) > 5) broken.push(found[0]);
        }
    }
    return broken;
})"""
OVER = """() => [...document.querySelectorAll(".nk-live .nk-control")]
  .filter((one) => one.scrollWidth > one.clientWidth)
  .map((one) => one.textContent.trim())"""
# Cells that words call framed, without a frame in the color of the text; and others
# with one.
UNFRAMED = """() => [...document.querySelectorAll(".aw-view:has(.aw-marked)")]
  .filter((view) => view.getClientRects().length).flatMap((view) => {
    const wanted = `${getComputedStyle(view).color} 2px`;
    return [...view.querySelectorAll(".aw-cell")].map((cell) => {
      const { stroke, strokeWidth } = getComputedStyle(cell);
      const marked = cell.matches(".aw-marked");
      const right = marked ? `${stroke} ${strokeWidth}` === wanted : stroke === "none";
      return right ? "" : `${cell.outerHTML.slice(0, 90)}: ${stroke}`;
    }).filter(Boolean);
})"""
# Whether each picture is seen, and its words.
SEEN = """all => all.map((one) => {
  const { width, height } = one.getBoundingClientRect();
  const shown = one.checkVisibility({ visibilityProperty: true });
  return [shown && width > 0 && height > 0, one.ariaLabel];
})"""
# The smallest letters of pictures, in pixels on the screen; pictures that scroll; and
# letters that a picture cuts off, or that a phone shows too small.
SMALLEST = """all => all.map((picture) => {
  const scale = picture.querySelector("svg").getScreenCTM().a;
  return Math.min(...[...picture.querySelectorAll("text")].map((one) =>
    parseFloat(getComputedStyle(one).fontSize) * scale));
})"""
SCROLL = "all => all.filter((one) => one.scrollWidth > one.clientWidth).length"
CUT_OR_SMALL = """all => all.flatMap((one) => {
  const { left, right } = one.getBoundingClientRect();
  return [...one.querySelectorAll("text")].filter((text) => {
    const box = text.getBoundingClientRect(), { a, b } = text.getScreenCTM();
    const letters = parseFloat(getComputedStyle(text).fontSize) * Math.hypot(a, b);
    return box.width && (box.left < left - 1 || box.right > right + 1 || letters < 9);
  }).map((text) => text.textContent);
})"""

# What looks otherwise when the style sheets of a page's views stand in another order.
BY_ORDER = """() => {
    const shared = (sheet) => sheet.textContent.includes(".aw-view");
    const sheets = [...document.head.querySelectorAll("style")].filter(shared);
    const nodes = [...document.querySelectorAll(".aw-view, .aw-view *")];
    const chosen = ["stroke", "fill", "strokeWidth", "color", "backgroundColor",
        "fontSize", "fontWeight", "margin", "padding", "gap", "maxWidth", "display"];
    const looks = (node, styles = getComputedStyle(node)) =>
        chosen.map((name) => `${name} ${styles[name]}`);
    const drawn = [sheets, sheets.toReversed()].map((order) => {
        document.head.append(...order);
        return nodes.map((node) => looks(node));
    });
    document.head.append(...sheets);
    return nodes.flatMap((node, i) => drawn[0][i]
        .filter((look, k) => look !== drawn[1][i][k])
        .map((look) => `${node.getAttribute("class") ?? node.tagName}: ${look}`));
}"""
