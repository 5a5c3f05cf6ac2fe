"""What axe is asked of a page: all it knows on a wide screen, and on a phone in the
dark theme what follows the width and the theme.
"""

from built_site import PHONE, axe

# The first page, a lesson, and one drawn otherwise on a phone: axe is asked all twice.
WHOLE = ("book/index.html", "book/03_scaling.html", "book/machine.html")
# The colors of a theme; what is seen at a width, or scrolls; the names of what is seen.
FOLLOWS = """color-contrast link-in-text-block scrollable-region-focusable
    aria-hidden-focus nested-interactive button-name link-name label svg-img-alt
    role-img-alt label-content-name-mismatch aria-required-children heading-order
    landmark-unique presentation-role-conflict"""
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


def configure(page):
    """Put axe into a page."""
    page.evaluate(axe())
    page.evaluate("spec => axe.configure(spec)", CONTRAST)


def violations(page, width):
    """What axe finds: of WCAG, however minor, and of its own best practices."""
    page.evaluate(MARK_SEEN)
    options = {"preload": False, "resultTypes": ["violations"]}
    if width <= PHONE["width"] and page.name not in WHOLE:
        options["runOnly"] = {"type": "rule", "values": FOLLOWS.split()}
    found = page.evaluate("options => axe.run(options)", options)["violations"]
    return [(one["id"], one["nodes"][0]["target"]) for one in found]
