"""Write the skeleton of a lesson, an exercise or a figure; say what is left to do.

    python tools/new.py lesson 18_row_lengths
    python tools/new.py exercise row_lengths
    python tools/new.py figure lengths

An exercise and a figure begin as the examples that CONTRIBUTING.md and the page *Add
your own live figure* work through, under a name of your own. They pass their tests as
they stand: change a line, and a test says what it was for.
"""

import argparse
import re
from pathlib import Path

import notebooks
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

ROOT = Path(__file__).resolve().parent.parent
FENCED = re.compile(r"```(?:python|javascript|text)\n(.*?)```", re.DOTALL)
LESSON = (
    (
        "title",
        "# {title}\n\n:::{{div}} aw-meta\n{number}20 minutes · needs "
        "[lesson 1](01_embeddings.ipynb)\n:::\n\n*A dog ate the food because it was "
        "hungry.* How long is the vector of each word?",
    ),
    (
        "by-hand",
        "import numpy as np\n\nx = np.array([[3.0, 4.0], [0.0, 2.0]])\n"
        "lengths = np.sqrt((x**2).sum(axis=-1))\nprint(lengths)",
    ),
    (
        "guess",
        "## Make them twice as long\n\n:::{{predict}} Each number is doubled. What "
        "becomes of the lengths?\n- [x] They double\n  - The root of four times the "
        "sum is twice the root.\n- [ ] They become four times as large\n  - So do the "
        "squares, but a root is taken of their sum.\n:::",
    ),
    (
        "doubled",
        "from attnlib import cosine_similarity\n\ndoubled = 2 * x\n"
        "assert np.allclose(np.sqrt((doubled**2).sum(axis=-1)), 2 * lengths)\n"
        "assert np.allclose(cosine_similarity(x, doubled), 1)",
    ),
    (
        "remember",
        ":::{{admonition}} Remember\n:class: aw-remember\n- Twice the numbers, twice "
        "the length, the same direction.\n:::",
    ),
)


def lesson(name, root=ROOT):
    """Write a lesson, run it, and list it behind the last one; return what to do."""
    number, _, words = name.partition("_") if name[:2].isdigit() else ("", "", name)
    about = {
        "title": words.replace("_", " ").capitalize(),
        "number": f"Lesson {int(number)} · " if number else "",
    }
    cells = [_cell(id_, text.format(**about)) for id_, text in LESSON]
    path = root / "book" / f"{name}.ipynb"
    _write(path, notebooks.written(notebooks.normalize(new_notebook(cells=cells))))
    notebooks.process(path, check=False)
    toc = root / "_toc.yml"
    text = toc.read_text(encoding="utf-8")
    *_, last = re.finditer(r"^( *)- file: book/\d\d_\w+\n", text, re.MULTILINE)
    line = f"{last[1]}- file: book/{name}\n"
    toc.write_text(text[: last.end()] + line + text[last.end() :], encoding="utf-8")
    left = ["its place in _toc.yml, behind the lesson that leads to it"]
    if number:
        left.append("the path of the landing page, book/index.ipynb")
        left.append("a plan in teach/plans.toml, then tools/teach_page.py")
    return left


def _cell(name, text):
    """Make a cell: of code, if its last line does something."""
    is_code = text.splitlines()[-1].startswith(("print(", "assert "))
    return (new_code_cell if is_code else new_markdown_cell)(text, id=name)


def exercise(name, root=ROOT):
    """Write an exercise, its mistakes and answers to it; return what is left to do."""
    text = (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.partition("\n## Add an exercise\n")[2].partition("\n## ")[0]
    texts = [one.replace("row_lengths", name) for one in FENCED.findall(section)]
    practice = root / "course" / "attncourse" / "practice"
    answers = root / "tests" / "attncourse" / "practice" / "answers"
    module = practice / "exercises" / f"{name}.py"
    places = (module, module.with_suffix(".mistakes"), answers / f"{name}.py")
    for place, content in zip(places, texts, strict=True):
        _write(place, content)
    catalogue = practice / "catalogue.py"
    listed = catalogue.read_text(encoding="utf-8")
    more = listed.replace("\n)\nEXERCISES", f'\n    "{name}",\n)\nEXERCISES')
    catalogue.write_text(more, encoding="utf-8")
    return [
        "its place in practice/catalogue.py, in the order of the lessons",
        f"a cell in a lesson: check({name!r}, my_answer), and a solution behind it",
    ]


def figure(name, root=ROOT):
    """Write the three files of a live figure; return what is left to do."""
    page = (root / "book" / "your_own_figure.md").read_text(encoding="utf-8")
    folder = root / "course" / "attncourse" / "figures" / name
    _write(folder / "__init__.py", f'"""The figure {name}."""\n')
    files = ("still.py", "live.py", "live.js")
    for file, content in zip(files, FENCED.findall(page), strict=True):
        _write(folder / file, content)
    return [f"a cell in a lesson, tagged no-live: {name}'s live.panel()"]


def _write(path, text):
    """Write a file that is not there yet."""
    if path.exists():
        raise SystemExit(f"{path.name} is there already.")
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    print("wrote", path.name)


KINDS = {"lesson": lesson, "exercise": exercise, "figure": figure}


def main(arguments=None, root=ROOT):
    """Write what was asked for; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("name", help="as in row_lengths; a lesson may have a number")
    options = parser.parse_args(arguments)
    pattern = r"(\d\d_)?[a-z]\w*" if options.kind == "lesson" else r"[a-z][a-z0-9_]*"
    if not re.fullmatch(pattern, options.name):
        parser.error(f"{options.name}: a name is small letters, digits and underscores")
    for step in KINDS[options.kind](options.name, root):
        print("left to do:", step)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
