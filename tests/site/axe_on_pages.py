"""What axe is asked of a page: all it knows, on a wide screen or a phone in the dark.

Pages take turns, as they share their styles and templates: each is asked in one of the
two ways, those of `WHOLE` in both. Contrast and the size of what is pressed, most of
the work, are asked of one page of each kind, and before a release of all.
"""

from built_site import put_axe

# Where axe looks, and the theme it looks at there.
THEMES = {1280: "light", 320: "dark"}
# The first page, a lesson, and one drawn otherwise on a phone: axe is asked all twice.
WHOLE = ("book/index.html", "book/03_scaling.html", "book/machine.html")
# Contrast is looked at where letters are, once for all that look alike before the same
# grounds: at the longest, as axe does not judge one letter alone or punctuation.
CONTRAST = {
    "noHtml": True,
    "rules": [{"id": "color-contrast", "selector": ":not([data-seen])"}],
}
MARK_SEEN = """() => {
  const text = (one) =>
    [...one.childNodes].map((n) => (n.nodeType === 3 ? n.data : "")).join("").trim();
  const { removeUnicode } = axe.commons.text;
  const judged = (one) =>
    removeUnicode(text(one), { punctuations: true }) ? text(one).length : 0;
  const paint = ["color", "backgroundColor", "backgroundImage", "fontSize",
    "fontWeight", "textShadow", "opacity", "filter", "visibility", "position"];
  const grounds = new Map();
  const look = (one) => {
    if (!one) return "";
    if (!grounds.has(one)) {
      const style = getComputedStyle(one);
      const own = paint.map((name) => style[name]);
      const named = [one.localName, one.getAttribute("class")];
      grounds.set(one, [look(one.parentElement), ...named, ...own].join());
    }
    return grounds.get(one);
  };
  const longest = new Map();
  for (const one of document.querySelectorAll("body *")) {
    const input = one.matches("input, select, textarea");
    one.toggleAttribute("data-seen", !text(one) && !input);
    if (input || !text(one) || one.getBoundingClientRect().width <= 1) continue;
    const other = longest.get(look(one));
    const longer = other && judged(other) >= judged(one) ? other : one;
    longest.set(look(one), longer);
    if (other) (longer === one ? other : one).dataset.seen = "";
  }
}"""


# Where nobody asks for contrast, a line of code is a line, not a hundred spans.
FLAT = """document.querySelectorAll(".highlight pre").forEach((one) => {
  one.textContent = one.textContent;
})"""


def configure(page):
    """Put axe into a page."""
    put_axe(page)
    page.evaluate("spec => axe.configure(spec)", CONTRAST)


def themes(name, names):
    """The widths at which axe looks at one of these pages, each with its theme."""
    turn = [*THEMES][names.index(name) % 2]
    return THEMES if name in WHOLE else {turn: THEMES[turn]}


def violations(page, judged):
    """What axe finds: of WCAG, however minor, and of its own best practices."""
    options = {"preload": False, "resultTypes": ["violations"]}
    page.evaluate("scrollTo(0, 0)")  # what stays in view lies over no choice
    page.evaluate(MARK_SEEN if judged else FLAT)
    options["rules"] = {  # axe leaves out the first
        "target-size": {"enabled": judged},
        "color-contrast": {"enabled": judged},
        "link-in-text-block": {"enabled": judged},  # of colors, too
    }
    found = page.evaluate("options => axe.run(options)", options)["violations"]
    return [(one["id"], one["nodes"][0]["target"]) for one in found]
