"""A page opened anew, once for all that is looked at on it, and what it asked for."""

import gzip
from functools import cache

from built_site import HTML, HURRY, PAINTED, Watch, wait_until
from drawings import LISTENING

PATIENCE = 120_000  # milliseconds, on a machine that does much else
FAVICON = "_static/favicon.svg"
PACKED = {".woff2", ".png", ".zip"}
WATCH_SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) shifts.push(one.value);
}).observe({ type: "layout-shift", buffered: true });
"""
ALL_COVERED = """[...document.querySelectorAll(".nk-figure")]
  .every((one) => one.closest(".nk-covered[hidden]"))"""


@cache
def sent(path):
    """The bytes that a static host sends for one file: text is compressed with gzip."""
    data = (HTML / path).read_bytes()
    packed = (HTML / path).suffix in PACKED
    return len(data) if packed else len(gzip.compress(data, 9, mtime=0))


def opened(browser, home, name, screen, *, scrolled=True):
    """Open a page in a context of its own; return it with what is known of the visit.

    Figures are mounted only after the page was painted without them. `watch` says what
    went wrong, `asked` which files it asked for, `shift` how far it jumped, `live` how
    many figures are mounted, `covered` whether all wait for a guess. It is scrolled
    through after that, unless nobody wants to know what is asked for then.
    """
    page = browser.new_context(viewport=screen, has_touch=True).new_page()
    page.set_default_timeout(PATIENCE)
    page.name, page.watch = name, Watch(page, home)
    asked, held = set(), []
    page.add_init_script(WATCH_SHIFTS + HURRY + LISTENING)
    page.on("request", lambda one: asked.add(one.url.partition("?")[0]))
    page.route("**/mount-widgets.js*", lambda route: held.append(route))
    page.goto(f"{home}/{name}", wait_until="commit")
    wait_until(page, "document.readyState !== 'loading'")
    page.evaluate(PAINTED)
    for route in held:
        route.continue_()
    page.wait_for_load_state("load")
    page.live = page.evaluate("window.mountWidgets?.ready.then((all) => all.live)")
    page.evaluate(PAINTED)
    page.covered = page.evaluate(ALL_COVERED)
    page.shift = page.evaluate("shifts.reduce((a, b) => a + b, 0)")
    if scrolled:
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        page.evaluate("document.fonts.ready.then(() => {})")
        page.wait_for_load_state("networkidle")
    page.asked = {one.removeprefix(f"{home}/") for one in asked if home in one}
    page.asked.add(FAVICON)  # which some browsers ask for, and some do not
    return page
