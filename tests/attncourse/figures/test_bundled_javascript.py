"""Joining JavaScript modules: every view is one module that needs no other."""

import re
from pathlib import Path

import pytest

import attncourse
from attncourse.figures import kit
from attncourse.figures.listed import figure, names
from attncourse.javascript import bundle, script_of

FIGURES = sorted(Path(attncourse.__file__).parent.glob("figures/*/live.js"))


@pytest.mark.parametrize("script", FIGURES, ids=lambda path: path.parent.name)
def test_bundle_stands_alone(script):
    source = bundle(script)
    assert not re.search(r"^import ", source, re.MULTILINE)
    assert source.count("export default") == 1


def test_all_arithmetic_of_the_kit_is_compared():
    """Each function serves a declared figure, and test_declared.py compares those."""
    maths = (Path(kit.__file__).parent / "maths.js").read_text("utf-8")
    exported = re.findall(r"^export function (\w+)", maths, re.MULTILINE)
    scripts = "".join(bundle(figure(name).script) for name in names())
    assert [one for one in exported if f"function {one}(" not in scripts] == []


def test_shared_module_comes_once_and_before_its_user(tmp_path):
    (tmp_path / "a.js").write_text("export const a = 1;\n")
    (tmp_path / "b.js").write_text(
        'import { a } from "./a.js";\nexport const b = a + 1;\n'
    )
    (tmp_path / "c.js").write_text(
        'import { a } from "./a.js";\nimport { b } from "./b.js";\n'
        "export default { a, b };\n"
    )
    assert bundle(tmp_path / "c.js") == (
        "const a = 1;\nconst b = a + 1;\nexport default { a, b };\n"
    )


def test_comments_on_lines_of_their_own_stay_behind(tmp_path):
    (tmp_path / "c.js").write_text(
        "// A figure.\nconst a = 1; // kept\n\n/** Two\n *  lines. */\n"
        'const b = "https://x/**/";\n  // inner\nexport default { a, b };\n'
    )
    assert bundle(tmp_path / "c.js") == (
        'const a = 1; // kept\nconst b = "https://x/**/";\nexport default { a, b };\n'
    )


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("export const near = 1;", "function near() {}"),
        ("export async function near() {}", "let near = 1;"),
        ("const { far = 1, at: near } = {};", "class near {}"),
        ("const [far, near] = [];", "export default function near() {}"),
    ],
)
def test_a_name_that_two_modules_declare_is_an_error(tmp_path, first, second):
    """The later one would be an error in the reader's browser, or the earlier lost."""
    (tmp_path / "a.js").write_text(f"{first}\nexport const a = 1;\n")
    (tmp_path / "c.js").write_text(f'import {{ a }} from "./a.js";\n{second}\n')
    with pytest.raises(ValueError, match=r"'near' is declared in .*a\.js and .*c\.js"):
        bundle(tmp_path / "c.js")


def test_names_inside_functions_and_comments_may_be_the_same(tmp_path):
    (tmp_path / "a.js").write_text(
        "/**\nconst a = 2;\n*/\nexport const f = () => {\n  const a = 1;\n};\n"
    )
    (tmp_path / "c.js").write_text('import { f } from "./a.js";\nconst a = f();\n')
    assert bundle(tmp_path / "c.js").count("const a") == 2


def test_import_that_cannot_be_joined_is_an_error(tmp_path):
    (tmp_path / "c.js").write_text('import * as d3 from "d3";\nexport default {};\n')
    with pytest.raises(ValueError, match="cannot join"):
        bundle(tmp_path / "c.js")


def test_what_nobody_needs_of_a_shared_module_stays_behind(tmp_path):
    (tmp_path / "kit.js").write_text(
        "const STEP = 2;\nexport function twice(x) {\n  return STEP * x;\n}\n"
        "export function thrice(x) {\n  return x + twice(x);\n}\n"
        "const UNUSED = [\n  1,\n];\nwindow.ready = true;\n"
        "export const twiceOver = 4;\nconst { far, near: $near } = {};\n"
    )
    (tmp_path / "c.js").write_text(
        'import { twice } from "./kit.js";\nfunction own() {}\n'
        "export default { a: twice(1), b: $near };\n"
    )
    source = bundle(tmp_path / "c.js")
    for kept in (
        "const STEP = 2;",
        "twice(x)",
        "window.ready",
        "function own",
        "$near }",
    ):
        assert kept in source, kept
    for gone in ("thrice", "UNUSED", "twiceOver"):
        assert gone not in source


def test_a_figure_and_what_puts_it_into_a_page_are_one_script(tmp_path):
    (tmp_path / "a.js").write_text(
        "export const a = 1;\nexport const b = 2;\nexport const ALONE = false;\n"
    )
    (tmp_path / "stage.js").write_text(
        'import { a } from "./a.js";\nexport const show = (one) => one + a;\n'
    )
    (tmp_path / "live.js").write_text(
        'import { a, ALONE } from "./a.js";\nexport const f = () => ALONE && a;\n'
        "export default f();\n"
    )
    made = script_of(tmp_path / "live.js", [tmp_path / "stage.js"], "show(figure);")
    assert made == (
        "const a = 1;\nconst ALONE = true;\nconst show = (one) => one + a;\n"
        "const f = () => ALONE && a;\n"
        "const figure = f();\nshow(figure);\n"
    )
