"""Each lesson's task is done by ear: by names of controls, keys, and what is said.

What the script reads is the name, value and state that the browser gives to a screen
reader for what has the focus, and the page's one region. After every key the focus is
in sight, and nothing covers it.
"""

import re
from functools import partial

import heard
import pytest
from built_site import HURRY, IN_SIGHT, NOTE, SAID, WIDE, Watch, uncover, wait_for

pytestmark = pytest.mark.long


class Ears:
    """A page, as somebody meets it who hears it and has a keyboard."""

    def __init__(self, page):
        self.page = page
        self.tree = page.context.new_cdp_session(page)

    def go(self, role, name):
        """Go to a control by its name, as a list of controls does."""
        control = self.page.get_by_role(role, name=name, exact=True).first
        control.evaluate("one => one.closest('details')?.setAttribute('open', '')")
        control.focus()
        return self.heard()

    def press(self, keys):
        for key in keys.split():
            self.page.keyboard.press(key)
            assert self.page.evaluate(IN_SIGHT), (keys, key, self.heard())
        return self.heard()

    def heard(self):
        """The name and value of what has the focus."""
        return " ".join(part for part in self.parts() if part)

    def parts(self):
        found = self.tree.send(
            "Runtime.evaluate", {"expression": "document.activeElement"}
        )
        asked = {"objectId": found["result"]["objectId"], "fetchRelatives": False}
        (node,) = self.tree.send("Accessibility.getPartialAXTree", asked)["nodes"]
        return [str(node.get(one, {}).get("value", "")) for one in ("name", "value")]

    def has_said(self, pattern):
        """Wait until the region says it, or has said it since `NOTE`."""
        texts = partial(self.page.evaluate, "texts")
        wait_for(self.page, lambda: [x for x in texts() if re.search(pattern, x)])

    def said(self, pattern):
        """Wait until the region says it; return the match."""
        wait_for(self.page, lambda: re.search(pattern, self.page.evaluate(SAID)))
        return re.search(pattern, self.page.evaluate(SAID))


@pytest.fixture(scope="module")
def listen(browser, site):
    """A function that opens a page to the ears, at which nothing is said by itself.

    It is opened once: what reads a figure as it was at first comes before all tasks.
    """
    opened, watches = {}, []

    def open_it(name):
        if name not in opened:
            context = browser.new_context(viewport=WIDE, reduced_motion="reduce")
            page = context.new_page()
            page.add_init_script(HURRY)
            watches.append(Watch(page, site))
            page.goto(f"{site}/{name}")
            uncover(page)
            assert page.evaluate(SAID) == ""
            opened[name] = Ears(page)
        return opened[name]

    yield open_it
    assert all(watch.clean() for watch in watches)
    for ears in opened.values():
        ears.page.context.close()


@pytest.mark.pages("book/11_two_layers_that_copy.html")
def test_what_heads_learn_is_read_letter_by_letter(listen):
    """A letter sees those before it; the rest of its row is nothing."""
    ears = listen("book/11_two_layers_that_copy.html")
    name = "Read this figure: What each letter looks at"
    ears.page.get_by_role("button", name=name).focus()
    ears.press("Enter Enter Enter")
    assert ears.press("ArrowDown").startswith("layer 0: A 2: C 1 ")
    assert ears.press("Enter ArrowRight ArrowRight").endswith("F 3: nothing")
    assert ears.press("Escape Escape ArrowDown") == (
        "Losses by steps of training, 5 rows"
    )


@pytest.mark.pages("book/12_inside_a_real_model.html")
def test_what_moves_in_a_head_is_read_beside_where_it_looks(listen):
    ears = listen("book/12_inside_a_real_model.html")
    ears.page.get_by_role("button", name="Read this figure").focus()
    ears.press("Enter Enter ArrowDown Enter")
    assert re.match(r"… .*hungry: 1 \S+ 0\.\d\d, 2 a 0\.\d\d", ears.heard())
    assert ears.press("ArrowDown").startswith("… ")
    ears.press("Escape " * 4)


@pytest.mark.pages("book/04_softmax.html")
def test_a_number_leads_to_its_source_and_on(listen):
    ears = listen("book/04_softmax.html")
    ears.page.get_by_role("button", name="Read this figure: Three").focus()
    ears.press("Enter Enter Enter ArrowDown ArrowDown ArrowDown ArrowRight")
    assert ears.heard() == "share, dog: 0.665"
    assert ears.press("s") == "exponential, dog: 7.389"
    assert ears.press("s s") == "score, dog: 2.0"
    assert ears.press("f") == "score ÷ T, dog: 2.00"
    ears.press("ArrowUp s")
    ears.said("^It comes from nothing shown here")
    ears.press("Escape " * 4)


@pytest.mark.pages("book/04_softmax.html")
def test_letters_of_formulas_are_plain_letters(listen):
    """Few voices know a mathematical italic, which Chromium makes of what it draws."""
    found = listen("book/04_softmax.html").tree.send("Accessibility.getFullAXTree")
    kinds = [one for one in found["nodes"] if one["role"]["value"] == "StaticText"]
    told = [one["name"]["value"] for one in kinds]
    assert "w" in told
    assert [one for one in told if re.search("[\U0001d400-\U0001d7ff]", one)] == []


# What each lesson's figure asks for: a control's role and name, keys, and what is said.
TASKS = {
    "01_embeddings": [
        ("slider", "cat: arrow keys move it", "Enter", "^dog · cat = 1.00, length 1.00")
    ],
    "02_queries_keys_values": [
        ("checkbox", "One arrow for both", "Space", None),
        ("slider", "Hungry asks, alive", "End", "Goal reached"),
    ],
    "03_scaling": [
        ("slider", "Exponent p", "ArrowRight " * 10, "^Goal reached, Level: the spread")
    ],
    "04_softmax": [("slider", "Added to all", "ArrowRight " * 5, "^Goal reached")],
    "05_weighted_sum": [
        (
            "slider",
            "query: arrow keys move it",
            "ArrowRight",
            "^output near dog: 0.75 right, 0.06 up, dog 0.748",
        ),
        ("slider", "Token 1, parts", "Home", r"^output \[3.75, 6.25\], on the line"),
    ],
    "06_multi_head": [
        ("slider", "Head 1, first word", "End", "^Goal reached, Both heads: right")
    ],
    "07_positional_encoding": [
        ("radio", "dog ate food", "ArrowDown", "“ate” gets 0.50 alive"),
        ("checkbox", "Add the positions", "Space", "“ate” gets 0.03 alive"),
        ("slider", "Position", "ArrowRight", "^positions 5 and 8$"),
        ("slider", "Step", "Home " + "ArrowRight " * 44, "positions 5 and 49"),
        ("slider", "Steps turned", "ArrowLeft", r"^best match: ate, 1\.97"),
        ("slider", "Steps turned", "ArrowLeft " * 3, "^Goal reached, best match: dog"),
    ],
    "08_encoder": [("slider", "Row of “it” after", "End", "^Goal reached, it says")],
    "09_masks": [("slider", "Look ahead", "Home", "No earlier row changed")],
    "11_two_layers_that_copy": [
        ("slider", "Steps of training", "End", r"mean weight 0\.\d+ on")
    ],
    "13_go_long": [("slider", "Keys read", "ArrowRight", "^largest 8, factor 0.0067")],
    "14_read_a_model": [("slider", "Tokens", "Home", r"Cache: \d+ MiB")],
    "who_shares": [("slider", "Heads of keys and values", "Home", "32 times less")],
}


UNHIDE = """one => { // a question before it may cover it
    for (let box = one; box; box = box.parentElement) box.hidden = false;
}"""
HIDDEN = "all => all.map((one) => one.hasAttribute('hidden'))"


@pytest.mark.parametrize(
    "name",
    [pytest.param(one, marks=pytest.mark.pages(f"book/{one}.html")) for one in TASKS],
)
def test_what_a_figure_asks_for_is_done_by_ear(listen, name):
    """And its challenge then uncovers what it covered."""
    ears = listen(f"book/{name}.html")
    boxes = ears.page.locator(".nk-challenge")
    (challenge, *_) = boxes.evaluate_all("all => all.map(({ id }) => id)") or [None]
    covered = ears.page.locator(f".nk-covered[data-by='{challenge}']")
    if challenge:
        ears.page.evaluate("window.nokernelPredictions.forget()")
        ears.page.locator(f"#{challenge}").evaluate(UNHIDE)
        assert covered.evaluate_all(HIDDEN) == [True]
    for role, control, keys, said in TASKS[name]:
        assert control in ears.go(role, control)
        ears.page.evaluate(NOTE)
        ears.press(keys)
        if said:
            ears.has_said(said)
        if challenge and covered.evaluate_all(HIDDEN) == [False]:
            ears.said("^The page goes on below")  # after the figure, by the one region
            uncover(ears.page)
            challenge = None
    assert challenge is None


@pytest.mark.pages("book/12_inside_a_real_model.html")
def test_head_3_1_is_found_by_ear(listen):
    """Sorted by size, among the largest, and then in its own words."""
    ears = listen("book/12_inside_a_real_model.html")
    ears.go("button", "Sort by size")
    ears.press("Enter")
    largest = ears.said(r"Largest first").string
    ears.page.locator(".aw-map [tabindex='0']").focus()
    name = ears.press("ArrowUp " * 6 + "Home")
    while not name.startswith("3.1 "):
        name = ears.press("ArrowRight")
    ears.press("Enter")
    assert ears.said("^3.1: “it” moves 0.46, dog 0.53 to 0.10, 11 more"), largest


@pytest.mark.pages("book/machine.html")
def test_the_number_that_turned_it_is_found_by_ear(listen):
    """From what "it" takes to the weight that it comes from, and back."""
    ears = listen("book/machine.html#stage=6")
    ears.go("button", "head 2: gather")
    ears.press("Enter")
    ears.page.locator(".mx-box [role=gridcell][tabindex='0']").focus()
    ears.press("s s")
    ears.said("^it takes home says alive")
    assert ears.press("s") == "0.95"
    ears.said("^it looks at hungry: e to the 4.24")
    ears.press("f")
    ears.said("^it takes home says alive")
    ears.press("s s s s s")
    ears.said("^it, pronoun: 1")
    ears.press("s")
    ears.said("^It is given")


READ = (
    *("04_softmax", "05_weighted_sum", "09_masks", "11_two_layers_that_copy"),
    *("12_inside_a_real_model", "13_go_long", "14_read_a_model"),
    "a_model_that_writes",
)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(one, marks=pytest.mark.pages(one))
        for one in (f"book/{name}.html" for name in READ)
    ],
)
def test_a_figure_is_read_from_the_whole_to_one_number(listen, name):
    ears = listen(name)
    button = ears.page.get_by_role("button", name="Read this figure").first
    button.focus()
    whole = ears.press("Enter")
    assert len(whole.split()) > 5
    assert re.search(r", \d+ rows?$", table := ears.press("Enter"))
    row = ears.press("Enter")
    cell = ears.press("Enter")
    number = cell.rpartition(": ")[2]
    assert row.partition(": ")[2].startswith(cell.partition(", ")[2].partition(":")[0])
    assert number in row
    assert [ears.press("Escape") for _ in range(3)] == [row, table, whole]
    assert ears.press("Escape").startswith("Read this figure: ")


ARROWS = {one: f"Arrow{one}" for one in ("Left", "Right", "Up", "Down")}
KEYS = {"Return": "Enter", "space": "Space", "Page_Up": "PageUp", **ARROWS}
RESTS = 100  # milliseconds: until then the region has said what changed
WALKS = sorted((heard.WALKS / "chromium").glob("*.txt"))


def on_its_page(path):
    """The first, and before a release all: as `make heard`, which stores them."""
    page = pytest.mark.pages(heard.read_walk(path)[0].partition("#")[0])
    late = [pytest.mark.release] * (path != WALKS[0])
    return pytest.param(path, marks=[page, *late])


@pytest.mark.parametrize("path", [*map(on_its_page, WALKS)], ids=lambda one: one.stem)
def test_keys_of_a_stored_walk_come_to_what_orca_said(browser, site, path):
    """And stay in sight, up to a digit, Orca's own key, or what is typed or run."""
    address, walk = heard.read_walk(path)
    page = browser.new_page(viewport=WIDE, reduced_motion="reduce")
    page.add_init_script(HURRY)
    page.goto(f"{site}/{address}")
    page.evaluate("window.mountWidgets?.ready")
    ears, told = Ears(page), []
    for keys, said in walk:
        key, _, times = keys.partition(" ")
        if key.isdigit() or '"' in key or key == heard.RUNS:
            told *= key.isdigit()  # an exercise does not speak by the region
            break
        told += said
        for _ in range(int(times or 1)):
            page.keyboard.press(KEYS.get(key, key.title()))
            assert page.evaluate(IN_SIGHT), (keys, ears.heard())
        if "Tab" not in key:
            for _ in range(RESTS // 50):
                if page.evaluate(SAID) in said:
                    break
                page.wait_for_timeout(50)
        elif said:
            assert ears.parts()[0] in " ".join(said), keys
    if told:
        wait_for(page, lambda: page.evaluate(SAID) in told)
    page.close()
