"""Missed questions come back once, on the landing page: shuffled, fresh numbers."""

import html
import json
import re

import numpy as np
import pytest
from built_site import HTML, PHONE, Watch, uncover, violations

import attnlib

LANDING, LESSON = "book/index.html", "book/03_scaling.html"
PAGE = "book/03_scaling"
pytestmark = pytest.mark.pages(LANDING, LESSON)


def pool():
    text = (HTML / "_static" / "once-more.js").read_text(encoding="utf-8")
    return json.loads(re.fullmatch(r"window\.attnOnceMore = (.*);\n", text, re.S)[1])


@pytest.fixture(scope="module")
def missed(browser, site):
    """The landing page after every prediction of a lesson was missed there."""
    page = browser.new_context(viewport=PHONE).new_page()
    page.watch = Watch(page, site)
    page.goto(f"{site}/{LESSON}")
    uncover(page)
    for wrong in page.locator(".nk-predict").all():
        wrong.locator(".nk-wrong input").first.check()
    page.goto(f"{site}/{LANDING}")
    yield page
    page.context.close()


def names(page):
    return page.evaluate(f"Object.keys(nokernelMemory.get('missed', '{PAGE}'))")


def unfold(page):
    box = page.locator(".aw-once-more")
    if not box.locator(".nk-question").first.is_visible():
        box.locator("summary").first.click()
    box.locator(".nk-question").first.wait_for()
    return box


def test_the_choices_stand_in_another_order(missed):
    labels = "all => all.map((one) => one.textContent).join()"
    orders = set()
    for _ in range(8):
        first = unfold(missed).locator(".nk-question").first
        orders.add(first.locator("label").evaluate_all(labels))
        if len(orders) > 1:
            break
        missed.reload()
    assert len(orders) > 1
    assert len({"".join(sorted(one)) for one in orders}) == 1  # of the same choices


def test_fresh_numbers_are_marked(missed):
    box = unfold(missed)
    fresh = box.locator(".aw-fresh")
    asked = fresh.locator("table").inner_text().split()
    (one,) = [x for x in pool()["drawn"][PAGE] if cells(x["asked"]) == "".join(asked)]
    write = fresh.get_by_label("Your numbers")
    for text, said in {
        "": "Write 3 numbers",
        "1 2 x": "Write 3 numbers",
        " ".join(f"{x + 1}" for x in one["key"]): "Not yet: 0 of 3 are right.",
        f"{one['key'][0]} 0.123 77": "Not yet: 1 of 3 are right.",
        ", ".join(f"{x:g}".replace("-", "−") for x in one["key"]): "Right.",
        " ".join(f"{2 * x:.0f}/2" for x in one["key"]): "Right.",
    }.items():
        write.fill(text)
        write.press("Enter")
        assert fresh.get_by_role("status").inner_text().startswith(said), text
    fresh.locator("summary").click()
    assert "Divide by" in fresh.inner_text()


def test_what_was_missed_comes_back_once(missed):
    before = names(missed)
    assert len(before) == 2
    box = unfold(missed)
    assert box.locator(".nk-question").count() == 2
    asked = box.locator("legend").all_inner_texts()
    box.locator(".nk-question").first.locator(".nk-right input").check()
    assert box.locator(".nk-feedback:visible").count() == 1
    assert len(names(missed)) == 1
    missed.reload()
    again = unfold(missed).locator("legend").all_inner_texts()
    assert again == asked[1:]
    assert missed.watch.clean(), missed.watch.errors


def test_axe_finds_nothing_and_it_fits_a_phone(missed):
    missed.set_viewport_size({"width": 320, "height": 640})
    box = unfold(missed)
    box.locator(".nk-wrong input").first.check()
    for theme in ("light", "dark"):
        missed.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
        assert violations(missed, ".aw-once-more") == [], theme
    assert missed.evaluate("document.documentElement.scrollWidth") <= 320


def test_a_first_guess_that_is_right_is_not_missed(open_page, site):
    page = open_page(LESSON)
    for question in page.locator(".nk-predict").all():
        question.locator(".nk-right input").check()
        question.locator(".nk-wrong input").first.check()
    page.goto(f"{site}/{LANDING}")
    assert page.locator(".aw-back").count() == 1
    assert page.locator(".aw-once-more").count() == 0


def quiz(page):
    return page.locator("article .nk-quiz").first


def test_a_quiz_that_was_missed_comes_back_too(open_page, site):
    page = open_page(LESSON)
    asked = quiz(page).locator("legend").inner_text()
    quiz(page).locator(".nk-wrong input").first.check()
    quiz(page).locator(".nk-right input").check()  # after the first try
    assert len(names(page)) == 1
    page.goto(f"{site}/{LANDING}")
    box = unfold(page)
    assert box.locator("legend").all_inner_texts() == [asked]
    assert box.locator(".aw-fresh").count() == 1
    box.locator(".nk-right input").check()
    assert names(page) == []
    box.get_by_role("link", name="Where it was asked").click()
    assert page.url.startswith(f"{site}/{LESSON}#quiz-")
    assert page.locator(":target legend").inner_text() == asked
    assert page.watch.clean(), page.watch.errors


def test_a_quiz_that_is_right_at_the_next_visit_does_not(open_page):
    page = open_page(LESSON)
    quiz(page).locator(".nk-wrong input").first.check()
    assert len(names(page)) == 1
    page.reload()
    page.evaluate("nokernelPredictions.show()")
    quiz(page).locator(".nk-right input").check()
    assert names(page) == []


def cells(asked):
    return "".join(re.findall(r"<t[hd]>([^<]*)", asked)).replace(" ", "")


def numbers(html):
    """The rows of numbers in a table."""
    rows = re.findall(r"<tr>(.*?)</tr>", html)
    table = [re.findall(r"<td>([^<]*)", row.replace("−", "-")) for row in rows]
    return np.array(table, dtype=float)


def scores(asked):
    query, *keys = numbers(asked)
    return attnlib.scale_scores(attnlib.dot_product_scores([query], keys), 4)[0]


def softmax(asked):
    found = re.findall(r"ln (\d+) \+ (\d+)", asked)
    return attnlib.softmax(np.array([np.log(int(a)) + int(b) for a, b in found]))


def weighted_sum(asked):
    weights = [float(x) for x in re.findall(r"weight ([\d.]+)", asked)]
    return np.array(weights) @ numbers(asked)


def configuration(asked):
    said = json.loads(html.unescape(re.search(r"<pre>(.*?)</pre>", asked, re.S)[1]))
    n_tokens = int(re.search(r"after (\d+) tokens", asked)[1])
    n_heads, n_kv = said["num_attention_heads"], said["num_key_value_heads"]
    d_k = said["hidden_size"] / n_heads
    n_bytes = 2 * said["num_hidden_layers"] * n_kv * d_k * n_tokens * 2
    return [d_k, n_heads / n_kv, n_bytes]


def integers(asked):
    """The numbers of the sentence, in the order in which they stand."""
    words = re.sub(r"<[^>]+>", "", asked)
    return [int(x) for x in re.findall(r"(?<![\w.])\d+", words)]


def cosine(asked):
    return [attnlib.cosine_similarity(*numbers(asked))]


def query(asked):
    first, second = re.findall("<table>.*?</table>", asked)
    return attnlib.project(numbers(first), numbers(second))[0]


def head_columns(asked):
    _, last, n_heads, _, head, _ = integers(asked)
    row = np.arange(last + 1.0)[None]
    return attnlib.split_heads(row, n_heads)[head, 0]


def angles(asked):
    place, steps = int(re.search(r"<b>(\d+)", asked)[1]), integers(asked)[-1]
    table = attnlib.sinusoidal_positional_encoding(60, 4, base=100)
    turned = table[steps, 2:]
    fast, slow = (np.arctan2(table[:, i], table[:, i + 1]) for i in (0, 2))
    return [np.unwrap(fast)[place], np.unwrap(slow)[place], np.arctan2(*turned)]


def layer_norm(asked):
    (row,), gain = numbers(asked), integers(asked)[0]
    return attnlib.layer_norm(row, np.full(4, float(gain)), eps=1e-15)


def causal_weights(asked):
    place = integers(asked)[0]
    row = np.log([int(x) for x in re.findall(r"ln (\d+)", asked)])
    mask = attnlib.causal_mask(4)[place - 1]
    return attnlib.softmax(np.where(mask, row, -np.inf))


def score_gradient(asked):
    return attnlib.softmax_vjp(*numbers(asked))


def scale(asked):
    before, after = (int(x) for x in re.findall(r"<b>(\d+)", asked))
    (d_k,) = (d for d in range(1, 200) if attnlib.scale_scores(before, d) == after)
    return [after / before, d_k]


def loss(asked):
    shares = np.array([1 / int(x) for x in re.findall(r"1/(\d+)", asked)])
    logits = np.log(np.stack([shares, 1 - shares], axis=-1))
    return [np.exp(attnlib.cross_entropy(logits, np.zeros(3, dtype=int)).mean())]


def latent(asked):
    n_heads, d_k, rank = integers(asked)
    return [2 * n_heads * d_k, 2 * n_heads * d_k / rank]


def rounded(x):
    """A number in bfloat16: the nearest with 16 bits, the even one of two."""
    bits = int(np.float32(x).view(np.uint32))
    bits += 0x7FFF + (bits >> 16 & 1)
    return float(np.uint32(bits & 0xFFFF0000).view(np.float32))


def bfloat16(asked):
    power, total = int(re.search(r"<b>(\d+)", asked)[1]), 0.0
    while (next_one := rounded(total + 1)) != total:
        total = next_one
    return [next(x for x in range(power + 1, 2 * power) if rounded(x) == x), total]


def lead(asked):
    ahead, others, _ = integers(asked)
    return attnlib.softmax(np.array([np.log(ahead), *[0.0] * others]))[:1]


@pytest.mark.parametrize(
    ("lesson", "key"),
    {
        "01_embeddings": cosine,
        "02_queries_keys_values": query,
        "split_and_merge": head_columns,
        "07_positional_encoding": angles,
        "network_and_norm": layer_norm,
        "09_masks": causal_weights,
        "10_learn_the_weights": score_gradient,
        "16_ask_any_attention": scale,
        "a_model_that_writes": loss,
        "who_shares": latent,
        "bits": bfloat16,
        "tame_scores": lead,
        "03_scaling": scores,
        "04_softmax": softmax,
        "05_weighted_sum": weighted_sum,
        "14_read_a_model": configuration,
    }.items(),
)
def test_every_key_can_be_computed_from_what_is_asked(lesson, key):
    drawn = pool()["drawn"].get(f"book/{lesson}", [])
    if (HTML / "book" / f"{lesson}.html").exists():
        assert len({one["asked"] for one in drawn}) == len(drawn) == 8
    for one in drawn:
        np.testing.assert_allclose(one["key"], key(one["asked"]), atol=1e-12)


def test_questions_that_are_gone_are_not_asked(open_page):
    page = open_page(LANDING)
    for where, name in ((PAGE, "gone"), ("__proto__", "x"), ("book/no", "y")):
        page.evaluate(
            "([a, b]) => nokernelMemory.note('missed', b, 1, a)", [where, name]
        )
    page.reload()
    page.locator(".aw-once-more summary").click()
    page.get_by_text("There is nothing to ask again.").wait_for()
    assert page.watch.clean(), page.watch.errors


def test_every_page_that_notes_what_was_missed_has_its_questions_in_it():
    """Predictions and quizzes; those in which no choice is the right one cannot be."""
    found = {}
    for path in (HTML / "book").rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        if re.search(r'<script[^>]* src="[^"]*/remember\.js', text):
            name = path.relative_to(HTML).with_suffix("").as_posix()
            asked = re.findall(r"<fieldset\b([^>]*)>(.*?)</fieldset>", text, re.S)
            right = [head for head, choices in asked if "nk-right" in choices]
            found[name] = {re.search(r'\bid="([^"]+)', head)[1] for head in right}
    assert {page: {*asked} for page, asked in pool()["asked"].items()} == found
    assert {name.partition("-")[0] for name in found[PAGE]} == {"predict", "quiz"}
