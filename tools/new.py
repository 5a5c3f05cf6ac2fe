"""Write the skeleton of a lesson, an exercise or a figure, or a course of your own.

    python tools/new.py lesson 18_row_lengths
    python tools/new.py exercise row_lengths
    python tools/new.py figure lengths
    python tools/new.py course ../my_course
    python tools/new.py press ../my_book

An exercise and a figure begin as the examples that CONTRIBUTING.md and the page *Add
your own live figure* work through, under a name of your own. They pass their tests as
they stand: change a line, and a test says what it was for. A course begins as the
example of `named_mistakes`, a book as that of `sphinx-nokernel`: folders that stand
alone, with the packages that no registry has. These two take any Python with pip.
"""

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FENCED = re.compile(r"```(?:python|javascript|text)\n(.*?)```", re.DOTALL)
LESSON = Path(__file__).with_name("lesson.md")  # cells, each below its id


def lesson(name, root=ROOT):
    """Write a lesson, run it, and list it behind the last one; return what to do."""
    import notebooks  # with what .venv has
    from nbformat.v4 import new_notebook

    number, _, words = name.partition("_") if name[:2].isdigit() else ("", "", name)
    about = {
        "TITLE": words.replace("_", " ").capitalize(),
        "NUMBER": f"Lesson {int(number)} · " if number else "",
    }
    _, *parts = re.split(r"^\+\+\+ (.+)\n", LESSON.read_text("utf-8"), flags=re.M)
    for sign, said in about.items():
        parts = [part.replace(sign, said) for part in parts]
    pairs = zip(parts[::2], parts[1::2], strict=True)
    cells = [_cell(id_, text.strip()) for id_, text in pairs]
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
    from nbformat.v4 import new_code_cell, new_markdown_cell

    is_code = text.splitlines()[-1].startswith(("print(", "assert "))
    return (new_code_cell if is_code else new_markdown_cell)(text, id=name)


def exercise(name, root=ROOT):
    """Write an exercise and answers to it; return what is left to do."""
    text = (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.partition("\n## Add an exercise\n")[2].partition("\n## ")[0]
    texts = [one.replace("row_lengths", name) for one in FENCED.findall(section)]
    practice = root / "course" / "attncourse" / "practice"
    answers = root / "tests" / "attncourse" / "practice" / "answers"
    places = (practice / "exercises" / f"{name}.py", answers / f"{name}.py")
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
    """Write the two files of a live figure; return what is left to do."""
    page = (root / "book" / "your_own_figure.md").read_text(encoding="utf-8")
    folder = root / "course" / "attncourse" / "figures" / name
    files = ("live.py", "live.js")
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


def course(path, root=ROOT):
    """Copy the example of the checkers as a course; return what is left to do."""
    target = _copy("named_mistakes/example", path, root)
    name = target.name
    (target / "regression").rename(target / name)
    for file in [one for one in target.rglob("*") if one.is_file()]:
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace("regression", name), encoding="utf-8")
    _title(target / "_config.yml", name)
    _wheels(target, root, "named_mistakes", "sphinx-nokernel")
    return ["there: pip install -r requirements.txt, then jupyter-book build .", *MORE]


def press(path, root=ROOT):
    """Copy the example of the press as a book; return what is left to do."""
    target = _copy("sphinx-nokernel/example", path, root)
    _title(target / "_config.yml", target.name)
    _wheels(target, root, "sphinx-nokernel")
    return ["there: pip install -r requirements.txt, then jupyter-book build .", *MORE]


MORE = ("your own pages in place of these: README.md says where each thing stands",)


def _copy(example, path, root):
    """Copy an example to where nothing is."""
    target = Path(path).resolve()
    if target.exists():
        raise SystemExit(f"{target.name} is there already.")
    made = shutil.ignore_patterns("_build", "__pycache__", "wheels", ".ipynb_*")
    shutil.copytree(root / example, target, ignore=made)
    print("wrote", target)
    return target


def _title(config, name):
    """Title a book by the name of its folder."""
    title = name.replace("_", " ").capitalize()
    text = config.read_text(encoding="utf-8")
    text = re.sub("^title: .*", f"title: {title}", text, flags=re.MULTILINE)
    config.write_text(text, encoding="utf-8")


def _wheels(target, root, *rooms):
    """Put the packages of these rooms beside a book."""
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps"]
    command += ["-w", target / "wheels", *(root / room for room in rooms)]
    if subprocess.run(command, check=False).returncode:
        raise SystemExit("pip could not make the packages: see above.")


KINDS = {"lesson": lesson, "exercise": exercise, "figure": figure}
COPIES = {"course": course, "press": press}


def main(arguments=None, root=ROOT):
    """Write what was asked for; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=[*KINDS, *COPIES])
    parser.add_argument(
        "name",
        help="as in row_lengths; a lesson may have a number; of a course or a book of "
        "your own, the folder to write, outside of this one",
    )
    options = parser.parse_args(arguments)
    pattern = r"(\d\d_)?[a-z]\w*" if options.kind == "lesson" else r"[a-z][a-z0-9_]*"
    name = Path(options.name).name if options.kind in COPIES else options.name
    if not re.fullmatch(pattern, name):
        parser.error(f"{name}: a name is small letters, digits and underscores")
    if options.kind in COPIES and Path(options.name).resolve().is_relative_to(root):
        parser.error(f"{options.name}: a course of your own lies outside of this one")
    for step in {**KINDS, **COPIES}[options.kind](options.name, root):
        print("left to do:", step)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
