"""Lesson 11's training as readers meet it: on a page opened from the disk."""

import re

import pytest
from small_pages import SmallPages

from attncourse.figures.train_copying import live
from attncourse.toys.copying import LENGTH

STEPS = 8
TINY = {**live.TASK, "rows": 2, "width": 8}
HIDE = """hidden => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
# Counts the workers there are, those that were ended, and their steps. `settle()` asks
# each one that lives what it makes of its letters: it answers when all else is done.
COUNT = """
window.workers = [0, 0];
window.steps = 0;
const living = new Set();
window.Worker = class extends Worker {
  constructor(...args) {
    super(...args);
    workers[0] += 1;
    living.add(this);
    this.addEventListener("message", (event) => { steps += "step" in event.data; });
  }
  terminate() { super.terminate(); workers[1] += 1; living.delete(this); }
  postMessage(message) {
    this.symbols = message.start?.symbols ?? this.symbols;
    super.postMessage(message);
  }
};
window.settle = () => Promise.all([...living].map((worker) => new Promise((resolve) => {
  worker.addEventListener("message", ({ data }) => "step" in data || resolve());
  worker.postMessage({ symbols: worker.symbols });
})));
"""


@pytest.fixture(scope="module")
def pages(browser, tmp_path_factory):
    with SmallPages(browser, tmp_path_factory.mktemp("training")) as pages:
        yield pages


@pytest.fixture
def load(pages, untrained_copiers):
    """A function that opens the figure, with as many steps as a test needs."""

    def load(steps=STEPS, worker=None, **options):
        panel = live.panel()
        data = panel.view.data | {"task": TINY, "total": steps}
        panel.view.data = data | ({"worker": worker} if worker else {})
        return pages.load(panel, setup=COUNT, **options)

    yield load
    pages.close()


def says(page, text):
    page.wait_for_function(
        "text => document.querySelector('[role=status]').textContent.includes(text)",
        arg=text,
    )


def heading(page):
    """What stands over the loss of the model with two layers."""
    return page.locator(".aw-losses .aw-heading").last.inner_text()


def letters(page):
    """What stands in each model's line: the run given, and what is written."""
    return page.locator(".aw-letters").evaluate_all(
        "lines => lines.map(line => [...line.children].map(one => one.textContent))"
    )


def speaks(page):
    return [
        one.get_attribute("aria-label")
        for one in page.locator(".aw-view svg:visible").all()
    ]


def test_before_training_no_dot_is_drawn(load):
    page = load()
    assert page.locator(".aw-view circle").count() == 4
    assert page.locator(".aw-view circle:visible").count() == 0


def test_train_to_the_end_and_again_by_keyboard(load):
    page = load()
    assert page.mounted == [1, 0]
    assert page.evaluate("workers") == [0, 0]
    says(page, "Not trained yet: one layer and two; seed 0.")
    before = speaks(page)
    page.get_by_role("button", name="Train").press("Enter")
    says(page, f"Done after {STEPS} steps")
    assert heading(page).startswith(f"Two layers: loss after {STEPS} steps; ")
    assert [len(line) for line in letters(page)] == [LENGTH, LENGTH]
    first = speaks(page)
    assert len(first) == len(before) == 5
    assert [a for a, b in zip(first, before, strict=True) if a == b] == []
    page.get_by_role("button", name="Train again").press("Enter")
    says(page, "Done")  # the press itself has replaced the first one
    assert speaks(page) == first
    assert page.locator(".aw-faint path").count() == 2
    page.get_by_role("button", name="another seed").press("Space")
    says(page, "Done")
    other = speaks(page)
    curves = [0, 2]  # a head's two digits may be the same by chance
    assert all(other[i] != first[i] and "seed 1" in other[i] for i in curves)
    assert page.said == []


def test_pause_continue_and_a_page_that_is_hidden(load):
    page = load(steps=10**6)
    page.get_by_role("button", name="Train").click()
    page.wait_for_function(
        "/Two layers: loss after [1-9]/.test("
        "document.querySelector('.aw-view').innerText)"
    )
    page.get_by_role("button", name="Pause").click()
    says(page, "Paused after")
    _rests(page)
    stopped = heading(page)
    both = page.locator(".aw-losses .aw-heading").all_inner_texts()
    step = min(int(re.search(r"after (\d+) steps", one)[1]) for one in both)
    says(page, f"Paused after {step} steps.")
    page.get_by_role("button", name="Continue").click()
    _goes_on(page, stopped)
    page.evaluate(HIDE, True)
    _rests(page)
    stopped = heading(page)
    page.evaluate(HIDE, False)
    _goes_on(page, stopped)
    page.evaluate("all.unmount()")
    assert page.evaluate("workers") == [2, 2]
    assert page.said == []


def _rests(page):
    """Check that the workers take no step, however often they have their turn."""
    page.evaluate("settle()")
    steps = page.evaluate("steps")
    for _ in range(20):
        page.evaluate("settle()")
    assert page.evaluate("steps") == steps > 0


def _goes_on(page, stopped):
    page.wait_for_function(
        "old => [...document.querySelectorAll('.aw-losses .aw-heading')].at(-1)"
        ".textContent !== old",
        arg=stopped,
    )


def test_another_kind_of_model_begins_anew(load):
    page = load(steps=10**6)
    page.get_by_role("button", name="Train").click()
    for model in ("One layer", "Two layers"):
        page.wait_for_function(
            "model => RegExp(model + ': loss after [1-9]').test("
            "document.querySelector('.aw-view').innerText)",
            arg=model,
        )
    page.get_by_label("positions").uncheck()
    says(page, "Not trained yet: one layer and two, no positions; seed 0.")
    assert heading(page) == "Two layers: loss before training"
    assert page.evaluate("workers") == [2, 2]
    page.get_by_label("scale").uncheck()
    says(page, "Not trained yet: one layer and two, no positions, no scale; seed 0.")
    assert page.locator(".aw-faint path").count() == 2


def test_a_run_of_ones_own_and_letters_that_it_has_not(load):
    page = load()
    line = page.get_by_label("Your own run of letters")
    assert letters(page) == [list("CAFRJEMC")] * 2
    page.get_by_role("button", name="Train").click()
    says(page, f"Done after {STEPS} steps")
    line.fill("bad egg")  # six letters, in a model that is trained already
    page.wait_for_function(
        "document.querySelectorAll('.aw-letters')[1].textContent.startsWith('BADEGGB')"
    )
    written = letters(page)
    assert [len(one) for one in written] == [LENGTH, LENGTH]
    assert page.locator(".aw-heads svg").first.locator("text").count() == 4 * 6
    line.fill("bad dug")
    assert "“U” is not one of its letters, A to T." in page.inner_text("[role=alert]")
    assert line.get_attribute("aria-invalid") == "true"
    assert letters(page) == written
    line.fill("bad")
    assert "5 to 11 letters: this has 3" in page.inner_text("[role=alert]")
    line.fill("bad bag")
    assert page.inner_text("[role=alert]") == ""
    page.wait_for_function(
        "document.querySelectorAll('.aw-letters')[0].textContent.startsWith('BADBAGB')"
    )
    assert page.said == []


def test_what_goes_wrong_is_said_in_a_sentence(load):
    page = load(worker="onmessage = () => { throw Error('out of order'); };")
    page.get_by_role("button", name="Train").click()
    says(page, "Training stopped: ")
    assert "out of order" in page.locator("[role=status]").inner_text()
    assert page.get_by_role("button", name="Train").is_visible()


def test_where_no_worker_can_be_made(load):
    page = load()
    page.evaluate(
        "() => { window.Worker = class { constructor() { throw Error('no'); } } }"
    )
    page.get_by_role("button", name="Train").click()
    says(page, "Training stopped: no. Press Train to try again.")
    assert page.said == []


def test_reduced_motion_draws_rarely(load):
    page = load(steps=30, reduced_motion="reduce")
    page.evaluate("""() => {
      window.drawn = new Set();
      const heading = [...document.querySelectorAll(".aw-losses .aw-heading")].at(-1);
      new MutationObserver(() => drawn.add(heading.textContent.split(";")[0]))
        .observe(heading, { childList: true, characterData: true, subtree: true });
    }""")
    page.get_by_role("button", name="Train").click()
    says(page, "Done after 30 steps")
    assert page.evaluate("[...drawn]") == [
        f"Two layers: loss after {step} steps" for step in (0, 20, 30)
    ]
