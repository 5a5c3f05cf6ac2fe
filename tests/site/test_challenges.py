"""What a challenge covers is covered until its figure says that it is met."""

import pytest


def _tap(page):
    page.get_by_role("slider", name="cat: arrow keys move it").click()


def _break_the_mirror(page):
    page.get_by_label("One arrow for both").uncheck()
    page.get_by_label("Hungry asks, alive").fill("1")


def _level(page):
    page.get_by_label("Exponent p").first.fill("0.5")


def _move_all(page):
    page.get_by_label("Added to all").fill("1")


def _once_around(page):
    page.get_by_label("Step").first.fill("44")


def _to_the_end(page):
    page.get_by_role("slider", name="After").first.press("End")


MET = {
    ("book/01_embeddings.html", "most-like"): _tap,
    ("book/02_queries_keys_values.html", "break-the-mirror"): _break_the_mirror,
    ("book/03_scaling.html", "level"): _level,
    ("book/04_softmax.html", "every-score-no-share"): _move_all,
    ("book/07_positional_encoding.html", "fast-hand-around"): _once_around,
    ("book/08_encoder.html", "moved-to-the-end"): _to_the_end,
}


@pytest.mark.parametrize(
    ("name", "challenge", "meet"),
    [
        pytest.param(name, challenge, meet, marks=pytest.mark.pages(name))
        for (name, challenge), meet in MET.items()
    ],
)
def test_what_answers_it_is_covered_until_it_is_met(open_page, name, challenge, meet):
    page = open_page(name)
    page.evaluate("window.nokernelPredictions.forget()")
    page.locator(f"#{challenge}").evaluate(
        """one => { // a question before it may cover it
            for (let box = one; box; box = box.parentElement) box.hidden = false;
        }"""
    )
    covered = page.locator(f".nk-covered[data-by='{challenge}']")
    hidden = "one => one.hasAttribute('hidden')"
    assert covered.evaluate(hidden)
    meet(page)
    assert not covered.evaluate(hidden)
    assert page.watch.clean()
