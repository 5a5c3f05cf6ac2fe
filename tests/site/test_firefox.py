"""The same policy in Firefox: figures live under it, and what it forbids is refused."""

import pytest
from built_site import HTML
from firefox_at_hand import firefox, settled
from test_policy import REFUSED

__all__ = ["firefox"]  # the fixture
LESSON = "book/03_scaling.html"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.pages(LESSON),
    pytest.mark.filterwarnings("ignore"),  # of what speaks to Firefox
]
LIVE = "return document.querySelectorAll('.nk-live').length"
NOTES = "return document.querySelectorAll('.nk-not-live').length"
LISTEN = """
window.said = [];
document.addEventListener("securitypolicyviolation",
  ({ effectiveDirective }) => window.said.push(effectiveDirective));
"""
SAID = "return [window.said, window.done ?? null]"
# Where no rule of its own is set, the rule that is asked has this name.
ASKED = {"default-src": "frame-src"}


@pytest.mark.parametrize("home", ["served", "folder"])
def test_every_figure_of_a_lesson_lives(firefox, site, home):
    firefox.navigate(f"{site if home == 'served' else HTML.as_uri()}/{LESSON}")
    views = (HTML / LESSON).read_text("utf-8").count("widget-view+json")
    uncover = "for (const one of document.querySelectorAll('.nk-show')) one.click()"
    settled(lambda: firefox.execute_script(LIVE) > 0, True)
    firefox.execute_script(uncover)
    assert settled(lambda: firefox.execute_script(LIVE), views) == views > 0
    assert firefox.execute_script(NOTES) == 0


@pytest.mark.parametrize("what", REFUSED)
def test_what_the_policy_forbids_is_refused(firefox, site, what):
    expression, rule = REFUSED[what]
    firefox.navigate(f"{site}/{LESSON}")

    def run(code):
        return firefox.execute_script(code, sandbox=None)  # in the page's own world

    def refused():
        return any(one.startswith(ASKED.get(rule, rule)) for one in run(SAID)[0])

    run(LISTEN)
    run(expression)
    assert settled(refused, True)
    assert run(SAID)[1] is None
