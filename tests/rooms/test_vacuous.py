"""No test is there that could not fail; and what looks for such tests finds them."""

import ast
from pathlib import Path

import pytest
import vacuous

FOLDER = Path(__file__).resolve().parents[1]
TREES = {
    path.relative_to(FOLDER).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
    for path in sorted(FOLDER.rglob("*.py"))
}
HELPERS = vacuous.asserting(TREES.values())
NOTHING, ALWAYS = "asserts nothing", "asserts what is always true"
SEARCH = "passes where a search finds nothing"


def found(body, more=""):
    tree = ast.parse(f"{more}\ndef test_it():\n    {body}\n")
    helpers = vacuous.asserting([tree])
    return [why for _, _, why in vacuous.complaints(tree, helpers)]


def test_every_test_can_fail():
    tests = {name: tree for name, tree in TREES.items() if "/test_" in name}
    assert len(tests) > 100
    found = {n: [*vacuous.complaints(tree, HELPERS)] for n, tree in tests.items()}
    assert {name: why for name, why in found.items() if why} == {}


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("f(1)", NOTHING),
        ("print(expected == 1)", NOTHING),
        ("check('softmax', f)", NOTHING),
        ("assert True", ALWAYS),
        ("assert (x == 1, 'x')", ALWAYS),
        ("assert (x == 1 for x in xs)", ALWAYS),
        ("assert lambda: x == 1", ALWAYS),
        ("assert x == 1 or 'x is not 1'", ALWAYS),
        ("assert test_it", ALWAYS),
        ("for x in re.findall('a', text): assert x == 'a'", SEARCH),
        ("for x in sorted(folder.rglob('*.css')): assert x.exists()", SEARCH),
    ],
)
def test_what_cannot_fail_is_found(body, why):
    assert found(body) == [why]


@pytest.mark.parametrize(
    "body",
    [
        "assert x == 1",
        "assert f() == f()",
        "assert [x for x in xs]",
        "assert x == 1 or y",
        "np.testing.assert_allclose(x, 1)",
        "with pytest.raises(ValueError): f()",
        "expect(page).to_have_title('a')",
        "found = folder.glob('*'); assert found\n    for x in found: assert x",
        "for x in (1, 2): assert f(x)",
    ],
)
def test_what_can_fail_is_left_alone(body):
    assert found(body) == []


def test_a_helper_that_asserts_by_another_counts():
    helpers = "def outer(x): inner(x)\ndef inner(x): assert x\n"
    assert found("outer(1)", helpers) == []
    assert found("other(1)", helpers) == [NOTHING]
