"""Plans of the lessons, for 50 and for 90 minutes, as Markdown for *Teach this*.

`plans.toml` holds minutes, order and choice. What is quoted is taken from where it is
written: questions from the lessons, words of a verdict from the checker itself.
"""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from attncourse.practice.catalogue import EXERCISES
from attncourse.practice.check import said_of

LENGTHS = (50, 90)
PREDICTION = re.compile(r"^:::+\{predict\} *(.+)\n(?::name: (\S+))?", re.MULTILINE)
KINDS = {"show": "Show.", "ask": "Ask.", "do": "Let them work."}
TABLE = ["| 50 | 90 | minutes, and what for |", "| --: | --: | --- |"]


def plans() -> list[dict[str, Any]]:
    """Return the plans of all lessons, as they are stored."""
    stored = Path(__file__).with_name("plans.toml").read_text(encoding="utf-8")
    lessons: list[dict[str, Any]] = tomllib.loads(stored)["lesson"]
    return lessons


def markdown_of(notebook: Path) -> str:
    """Return all that a notebook holds outside of its code."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    kept = [c["source"] for c in cells if c["cell_type"] == "markdown"]
    return "\n\n".join("".join(source) for source in kept)


def text_of(book: Path, plan: dict[str, Any]) -> str:
    """Return the text of a plan's lesson, and of the pages beside it."""
    pages = [plan["page"], *plan.get("beside", ())]
    return "\n\n".join(markdown_of(book / f"{page}.ipynb") for page in pages)


def question(text: str, said: str) -> str:
    """Return the prediction of a lesson that has a name, or begins so.

    Raises
    ------
    LookupError
        If none does, or several do.
    """
    found = [q for q, name in PREDICTION.findall(text) if name == said]
    found = found or [q for q, _ in PREDICTION.findall(text) if q.startswith(said)]
    if len(found) != 1:
        raise LookupError(f"{said!r}: {len(found)} predictions, not one")
    return str(found[0])


def title(text: str) -> str:
    """Return the title of a lesson."""
    return text.partition("# ")[2].partition("\n")[0]


def all_plans(book: Path) -> str:
    """Return the folds of all lessons of a folder of notebooks."""
    return "\n\n".join(fold(book, plan) for plan in plans())


def fold(book: Path, plan: dict[str, Any]) -> str:
    """Return the plan of one lesson, folded."""
    text = text_of(book, plan)
    rows = [_row(plan["page"], text, step) for step in plan["steps"]]
    totals = [sum(step["minutes"][i] for step in plan["steps"]) for i in (0, 1)]
    rows.append(f"| **{totals[0]}** | **{totals[1]}** | minutes in all |")
    wrong = [_mistake(*pair) for pair in plan["mistakes"]]
    number = int(plan["page"][:2])
    parts = [
        f":::{{admonition}} {number} · {title(text)}\n:class: dropdown",
        f"{_lesson(plan['page'])}. {plan['aim']}",
        "\n".join(TABLE + rows),
        "**Where they go wrong**, and what the checker then says:",
        "\n".join(wrong),
        f"**Homework**: {_homework(plan)}\n:::",
    ]
    return "\n\n".join(parts)


def _lesson(page: str) -> str:
    return f"[Lesson {int(page[:2])}]({page}.ipynb)"


def _row(page: str, text: str, step: dict[str, Any]) -> str:
    kind = next(kind for kind in KINDS if kind in step)
    words = step[kind]
    if kind == "ask":
        words = question(text, words)
    lesson = _lesson(page).replace("[L", "[l")
    machine = f"{{machine-at}}`The machine <{step.get('at')}>`"
    words = words.replace("{lesson}", lesson).replace("{machine}", machine)
    short, long = (str(count or "–") for count in step["minutes"])
    return f"| {short} | {long} | **{KINDS[kind]}** {words} |"


def _mistake(name: str, code: str) -> str:
    exercise = EXERCISES[name]
    one = next(one for one in exercise.mistakes if one.code == code)
    return f"- `{name}`, `{code}`: “{said_of(exercise, one)}”"


def _homework(plan: dict[str, Any]) -> str:
    names = ", ".join(f'`check("{name}", …)`' for name in plan["homework"])
    return f"{names}." if names else plan["also"]
