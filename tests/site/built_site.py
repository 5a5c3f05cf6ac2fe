"""The built site, for browser tests."""

from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HTML = ROOT / "_build" / "html"
WIDE = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}


def pages():
    """Every page of the built site, as paths relative to it."""
    found = [*HTML.glob("book/*.html"), *HTML.glob("*.html")]
    return sorted(str(path.relative_to(HTML)) for path in found)


def real_pages():
    """All of them but the first address, which only sends on to the landing page."""
    return [name for name in pages() if name != "index.html"]


def now(names, few):
    """Names to parametrize by: all but a few wait for a release."""
    late = pytest.mark.release
    return [pytest.param(one, marks=[] if one in few else late) for one in names]


# One page of each kind: what follows from templates and from styles that pages share is
# looked at on these, and before a release on all.
KINDS = [
    *(f"book/{one}.html" for one in ("index", "03_scaling", "machine", "who_shares")),
    *(f"book/{one}.html" for one in ("all_figures", "glossary", "api", "all_families")),
    *("search.html", "genindex.html", "404.html"),
]


def turn(names, one_in):
    """One in so many names: others when the changelog has grown, so that each comes."""
    names = [*names]
    whose = len((ROOT / "CHANGELOG.md").read_bytes()) % one_in
    return names[whose % max(len(names), 1) :: one_in]


@cache
def pages_with_figures():
    """The pages that carry the saved state of a live figure."""
    return [name for name in pages() if "widget-view+json" in (HTML / name).read_text()]


def uncover(page):
    """Show what predictions cover and figures fold, and wait for the figures in it."""
    page.evaluate("window.nokernelPredictions?.show()")
    page.evaluate("window.mountWidgets?.ready")
    unfold = "all => all.forEach((one) => { one.open = true; })"
    page.locator("details.nk-fold").evaluate_all(unfold)


# What the page's one region says; and whether what has the focus is seen, on top.
SAID = "(document.getElementById('aw-voice')?.textContent.trim() ?? '')"
# Notes from now on all that the region says, as it may be followed by more.
NOTE = """() => {
    window.texts = [];
    const note = ([{ target }]) => texts.push(target.textContent);
    const region = document.getElementById("aw-voice");
    new MutationObserver(note).observe(region, { childList: true });
}"""
IN_SIGHT = """() => {
  const one = document.activeElement, box = one.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const top = document.elementFromPoint(x, y);
  const own = one.closest("label, .nk-control, svg");
  const seen = one.contains(top) || top?.contains(one) || own?.contains(top);
  return seen && box.left >= 0 && box.right <= innerWidth + 1
    && (box.height > innerHeight || (box.top >= 0 && box.bottom <= innerHeight + 2));
}"""
# Makes the rests of a page short: what waits for a hand to rest, a highlight to fade, a
# window to keep its size comes ten times as soon.
HURRY = """{
  const own = setTimeout;
  window.setTimeout = (run, rest = 0, ...given) => own(run, rest / 10, ...given);
}"""
# What follows the size of the window has done so: it waits for 50 ms after the change.
FOLLOWED = "new Promise((done) => requestAnimationFrame(() => setTimeout(done, 60)))"
# What a page does at the next frame is done.
PAINTED = """new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
})"""


def resize(page, screen):
    """Give a page another size, and time for all that follows it."""
    if page.viewport_size != screen:
        page.set_viewport_size(screen)
        page.evaluate(FOLLOWED)


# Milliseconds from one look at a page to the next, at first: most come soon.
SOON = [10] * 10 + [30] * 5


def left(page, expression, *given):
    """What is still found wrong on a page, once it has had time to follow a change."""
    for rest in [*SOON, *[50] * 55]:
        if not (found := page.evaluate(expression, *given)):
            break
        page.wait_for_timeout(rest)
    return found


def wait_until(page, expression):
    """Wait for an expression. Playwright's own way is eval, which pages forbid."""
    wait_for(page, lambda: page.evaluate(expression), expression)


def wait_for(page, condition, name="what the test looks at"):
    """Wait for something that the test itself sees, such as what was noted."""
    for rest in [*SOON, *[50] * 595]:
        if condition():
            return
        page.wait_for_timeout(rest)
    raise AssertionError(f"not in 30 seconds: {name}")


TAPPED = """() => { window.tapped = new Promise((done) =>
  addEventListener("click", () => setTimeout(done), { capture: true, once: true }));
}"""


def tap(one):
    """Tap something, and wait for the click that the browser makes of it later."""
    one.page.evaluate(TAPPED)
    one.tap()
    one.page.evaluate("tapped.then(() => true)")


# Of ARIA 1.3: what a row or a column is called. axe 4 does not know them yet.
NEWER = """axe.configure({ standards: { ariaAttrs: {
    "aria-rowindextext": { type: "string", global: true },
    "aria-colindextext": { type: "string", global: true },
} } });"""


@cache
def axe():
    """What puts axe into a page."""
    place = ROOT / "node_modules" / "axe-core" / "axe.min.js"
    return f"{place.read_text(encoding='utf-8')};\n{NEWER}"


def put_axe(page):
    """Put axe into a page, whose policy runs no other scripts.

    By the browser's own protocol: Playwright would send and parse it twice.
    """
    session = page.context.new_cdp_session(page)
    session.send("Runtime.evaluate", {"expression": axe(), "silent": True})
    session.detach()


def violations(page, where=None):
    """What axe finds in a page, or in a part of it; it fetches nothing for that."""
    if not page.evaluate("Boolean(window.axe)"):
        put_axe(page)
    how = {"resultTypes": ["violations"], "preload": False}
    run = "([where, how]) => axe.run(where ?? document, how)"
    found = page.evaluate(run, [where, how])["violations"]
    return [(one["id"], one["nodes"][0]["html"][:200]) for one in found]


class Watch:
    """What went wrong on a page: errors in it, and requests to other hosts."""

    def __init__(self, page, home):
        self.errors, self.strangers = [], []
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        self._own = (home, "blob:", "data:")
        page.context.on("requestfailed", self._failed)  # none reaches another host

    def _console(self, message):
        if message.type in ("error", "warning"):
            self.errors.append(f"{message.text} {message.location.get('url', '')}")

    def _failed(self, request):
        refused = (
            "BLOCKED_BY_CSP" in (request.failure or "") or request.failure == "csp"
        )
        if not request.url.startswith(self._own) and not refused:
            self.strangers.append(request.url)

    def clean(self):
        return not self.errors and not self.strangers
