"""A verdict's words, shown once."""

import re
import subprocess
import sys

import numpy as np
import pytest

from tests.named_mistakes.toys import check, softmax


def missing_scale(query, key, value):
    return softmax(query @ np.swapaxes(key, -1, -2)) @ value


def test_the_number_named_is_the_answers_own():
    seen = {}

    def answer(query, key, value):
        output = missing_scale(query, key, value)
        seen[query.shape, key.shape, value.shape] = output
        return output

    (finding,) = check("attention", answer, seed=2).findings
    numbers = re.findall(r"\((\d+), (\d+)(?:, (\d+))?\)", finding.message)
    shapes = tuple(tuple(int(n) for n in shape if n) for shape in numbers)
    place = tuple(
        map(int, re.search(r"output\[(.*?)\]", finding.message)[1].split(","))
    )
    said = float(re.search(r"is (\S+), where", finding.message)[1])
    np.testing.assert_allclose(seen[shapes][place], said, rtol=1e-3)


def test_code_in_a_message_is_code_on_a_page():
    def answer(x):
        return x < undefined  # noqa: F821

    report = check("softmax", answer, seed=0)
    assert "`return x < undefined" in repr(report)
    shown = report._repr_html_()
    assert "<code>return x &lt; undefined" in shown
    assert "`" not in shown


def test_two_numbers_that_differ_are_never_written_alike():
    def a_little_off(scores, d_k):
        return scores * d_k**-0.5 * (1 + 1e-4)

    for seed in range(9):
        for finding in check("scale_scores", a_little_off, seed=seed).findings:
            said, due = re.search(
                r" is (\S+), where (\S+) was", finding.message
            ).groups()
            assert said != due


def test_wrong_numbers_show_the_smallest_case():
    (finding,) = check("project", lambda x, w: x @ w + np.sin(x @ w)).findings
    assert finding.code == "wrong-numbers"
    for part in ("x =", "w =", "your output =", "expected output ="):
        assert part in finding.example
    received = np.array(
        re.search(r"your output =\n(.*?)\nexpected output", finding.example, re.S)[1]
        .replace("[", "")
        .replace("]", "")
        .split(),
        dtype=float,
    )
    due = finding.example.split("expected output =\n")[1]
    due = np.array(due.replace("[", "").replace("]", "").split(), dtype=float)
    np.testing.assert_allclose(received, due + np.sin(due), atol=2e-4)


def test_passing_is_one_line_and_always_the_same(capsys):
    lines = set()
    for _ in range(3):
        check("softmax", softmax)
        lines.add(capsys.readouterr().out)
    (line,) = lines
    assert line.startswith("✓ softmax: right. Tried on a matrix, ")
    assert line.count("\n") == 1


def test_html_is_escaped_and_leaves_color_to_the_page():
    def answer(x):
        raise ValueError("<script>alert('&')</script>")

    html = check("softmax", answer)._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert 'class="verdict verdict-failed"' in html
    assert "style=" not in html
    assert "color" not in html


@pytest.mark.parametrize(
    ("answer", "state"), [(softmax, "passed"), (None, "open"), (np.exp, "failed")]
)
def test_html_says_in_words_what_the_text_says(answer, state):
    report = check("softmax", answer, seed=0)
    assert f'class="verdict verdict-{state}"' in report._repr_html_()
    words = re.sub("<.*?>", "", report._repr_html_())
    assert words.startswith(" ".join(report.headline))
    for finding in report.findings:
        assert f"<code>{finding.code}</code>" in report._repr_html_()


TOY = "from named_mistakes import Exercise, check; HALF = Exercise('half', abs, None)"


def test_script_prints_once():
    code = f"{TOY}; report = check(HALF, None); report"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert run.stdout.count("nothing to check yet") == 1
    assert run.stderr == ""


CELLS = {
    "check(HALF, None)": 1,
    "report = check(HALF, None)": 1,
    "report = check(HALF, None)\nreport": 1,
    "report": 1,  # in a later cell, once more
    "check(HALF, None)\ncheck(Exercise('other', abs, None), None)": 2,
    "check(HALF, None)\ncheck(HALF, None)": 2,
}
IN_IPYTHON = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_cell({toy!r}, store_history=True)
for source in {sources!r}:
    print("#")
    assert shell.run_cell(source, store_history=True).success
"""


def test_ipython_shows_each_verdict_once():
    code = IN_IPYTHON.format(toy=TOY, sources=list(CELLS))
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    shown = [part.count("nothing to check yet") for part in run.stdout.split("#")[1:]]
    assert shown == list(CELLS.values())
