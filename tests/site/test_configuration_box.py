"""Lesson 14's box: a pasted config.json becomes a machine, or is refused."""

import json
import re

import pytest
from built_site import PHONE, Watch, uncover
from python_here import BY_EACH, python_for

from attnconfig import read
from attncourse.figures.configuration.models import GPT_2, QWEN3_NEXT

LESSON = "book/14_read_a_model.html"
pytestmark = pytest.mark.pages(LESSON)
# Like Mistral 7B, with other sizes: nothing that the page has stored.
MISTRAL_LIKE = {
    **{"architectures": ["MistralForCausalLM"], "model_type": "mistral"},
    **{"hidden_size": 3072, "num_hidden_layers": 20, "num_attention_heads": 24},
    **{"num_key_value_heads": 6, "intermediate_size": 9216, "vocab_size": 40_000},
    **{"sliding_window": 1024, "rope_theta": 20_000.0, "hidden_act": "silu"},
    **{"rms_norm_eps": 1e-05, "tie_word_embeddings": False, "torch_dtype": "bfloat16"},
}
FIGURE = "#cell-configuration-figure"
STORAGE_OFF = "storage is off"
NO_STORAGE = f"""for (const name of ["localStorage", "sessionStorage"])
    Object.defineProperty(window, name, {{
        get() {{ throw new DOMException("{STORAGE_OFF}", "SecurityError"); }},
    }});"""


def opened(browser, site):
    """The lesson on a phone that keeps nothing, with the box unfolded."""
    context = browser.new_context(viewport=PHONE)
    context.add_init_script(NO_STORAGE)
    page = context.new_page()
    page.watch = Watch(page, site)
    page.goto(f"{site}/{LESSON}")
    uncover(page)
    page.locator(".aw-paste > summary").click()
    return page


@pytest.fixture(scope="module", params=BY_EACH)
def lesson(request, browser, site):
    """With Python started by the box, and the network then cut."""
    page = opened(browser, site)
    python_for(page, request.param, LESSON)
    paste(page, GPT_2, "Read.")
    page.context.set_offline(True)
    yield page
    assert [one for one in page.watch.errors if one != STORAGE_OFF] == []
    # The site's theme asks for what it keeps, twice, and is not ready for an answer.
    assert page.watch.errors.count(STORAGE_OFF) <= 2
    assert page.watch.strangers == []
    page.context.close()


def paste(page, config, says):
    """Paste a configuration, or a text, and wait for what the box says to it."""
    text = config if isinstance(config, str) else json.dumps(config)
    page.get_by_label("The text of a config.json").fill(text)
    page.locator(".aw-paste [role=status]").evaluate("one => { one.textContent = ''; }")
    page.get_by_role("button", name="Read it").click()
    page.locator(".aw-paste [role=status]", has_text=says).wait_for(timeout=120_000)


def heading(page):
    return page.locator(".aw-configuration .aw-model").inner_text()


def totals(page):
    """The five rows: what each says, and whether it is refused."""
    rows = page.locator(".aw-total-row").all()
    return {
        row.locator("> span").inner_text(): (
            row.locator("strong").inner_text(),
            "aw-refused" in row.get_attribute("class"),
        )
        for row in rows
    }


def equation(page, row):
    """The numbers at the ends of a total's equation."""
    lines = page.locator(".aw-total-row").nth(row).locator("li").all_text_contents()
    ends = [line.rpartition(" = ")[2].removesuffix(" bytes") for line in lines]
    return [int(end.replace(",", "")) for end in ends]


def test_a_pasted_file_becomes_the_machine_of_that_model(lesson):
    paste(lesson, MISTRAL_LIKE, "Read.")
    model = read(MISTRAL_LIKE)
    assert heading(lesson) == "What you pasted, not the menu’s model: mistral"
    assert lesson.locator(".aw-reasons").is_hidden()
    assert lesson.locator(".aw-tile").count() == len(model.layers) == 20
    says = lesson.locator(".aw-layer").inner_text()
    assert "24 heads of 128, 4 to each of 6 heads of keys" in says
    assert "sees 1,024 tokens" in says
    assert "window=(1023, 0)" in lesson.locator(".aw-call").inner_text()


def test_its_totals_are_those_of_the_reader_with_their_equations(lesson):
    paste(lesson, MISTRAL_LIKE, "Read.")
    model, shown = read(MISTRAL_LIKE), totals(lesson)
    assert not any(refused for _, refused in shown.values())
    assert sum(equation(lesson, 0)) == model.n_parameters
    figure = lesson.locator(FIGURE)
    stored, used = model.n_parameters / 1e9, model.n_active_parameters / 1e9
    assert shown["Parameters stored"][0] == f"{stored:.3f} billion"
    assert shown["… used for one token"][0] == f"{used:.3f} billion"
    assert used < stored  # of the embedding, one row
    for choice, tokens in ((2, 1024), (12, 2**20), (1, 512)):
        figure.get_by_role("slider", name="Tokens").fill(str(choice))
        assert sum(equation(lesson, 2)) == model.cache_bytes(tokens)
    assert totals(lesson)["Cache"][0] == "30 MiB"
    assert model.cache_bytes(512) == 30 * 2**20


def test_each_line_of_the_file_is_told(lesson):
    paste(lesson, MISTRAL_LIKE, "Read.")
    told = lesson.locator(".aw-lines dt").all_text_contents()
    assert told == [*MISTRAL_LIKE]
    assert lesson.locator(".aw-lines dt.aw-line-unknown").count() == 0


def test_a_line_that_nobody_knows_is_named_and_no_total_is_guessed(lesson):
    paste(lesson, MISTRAL_LIKE | {"n_registers": 4}, "Read.")
    assert "n_registers = 4" in lesson.locator(".aw-reasons").inner_text()
    assert lesson.locator(".aw-reasons").is_visible()
    shown = totals(lesson)
    assert len(shown) == 5
    for says, refused in shown.values():
        assert refused
        assert not re.search(r"\d (billion|million|MiB|GiB)", says), says
    assert lesson.locator(".aw-total-row li").count() == 0
    unknown = lesson.locator(".aw-lines dt.aw-line-unknown").all_text_contents()
    assert unknown == ["n_registers"]


def test_layers_that_keep_a_state_have_a_sentence_for_a_call(lesson):
    paste(lesson, QWEN3_NEXT, "Read.")
    assert lesson.locator(".aw-call").inner_text().startswith("# No call")
    lesson.locator(".aw-tile").nth(3).click()
    assert "scaled_dot_product_attention(" in lesson.locator(".aw-call").inner_text()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"hidden_size": }', "This is not JSON (Expecting value, line 1, column 17)"),
        ("[1, 2]", "a dict, got list"),
        ("{}", "no configuration"),
        (" ", "Paste the text of a config.json first."),
    ],
)
def test_what_is_no_configuration_is_said_and_the_last_one_stays(lesson, text, says):
    paste(lesson, MISTRAL_LIKE, "Read.")
    paste(lesson, text, says)
    assert heading(lesson) == "What you pasted, not the menu’s model: mistral"


def test_choosing_a_model_leaves_what_was_pasted(lesson):
    paste(lesson, MISTRAL_LIKE, "Read.")
    choice = lesson.locator(FIGURE).get_by_label("Model", exact=True)
    before = choice.input_value()
    choice.select_option(label="Jamba")
    assert heading(lesson) == "Jamba"
    choice.select_option(before)


# Rows whose name lies on what is said of it.
COVERED = """rows => rows.filter((row) => {
    const [name, says] = ["span", "strong"].map((tag) => {
        const letters = document.createRange();
        letters.selectNodeContents(row.querySelector(`:scope > ${tag}`));
        return letters.getBoundingClientRect();
    });
    return name.right > says.left && name.left < says.right
        && name.bottom > says.top && name.top < says.bottom;
}).length"""


def test_all_of_it_fits_a_phone(lesson):
    for strange in ({"n_registers": 4}, {"model_type": "unheard_of"}):
        paste(lesson, MISTRAL_LIKE | strange, "Read.")
        assert totals(lesson)["Cache"][1], strange
        assert lesson.locator(".aw-total-row").evaluate_all(COVERED) == 0
        assert lesson.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    paste(lesson, MISTRAL_LIKE, "Read.")
    folds = ".aw-configuration details"
    lesson.locator(folds).evaluate_all("all => all.forEach(one => { one.open = true })")
    assert lesson.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert lesson.get_by_role("button", name="Read it").bounding_box()["height"] >= 24


def test_without_python_the_box_says_so_and_the_figure_stays(browser, site):
    page = opened(browser, site)  # every other host is blocked
    before = heading(page)
    paste(page, MISTRAL_LIKE, "then try again.")
    assert heading(page) == before
    assert page.get_by_role("button", name="Read it").is_enabled()
    page.context.close()
