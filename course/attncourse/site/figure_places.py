"""The place of each embeddable figure in the book, and the question asked there.

A lesson shows a figure with `live.panel(scores=(2, 1, 0))`, a card with
`cards.gqa(kv_heads=2)`; the state is what the call says. Its question is the last one
before it: in its section a paragraph with a question in bold, else a prediction's, else
the paragraph that says in bold what to do.
"""

import ast
import json
import re
from dataclasses import dataclass
from pathlib import Path

from attncourse.figures.listed import figure, names

USED = re.compile(
    r"^from attncourse\.figures\.(\w+) import live(?: as (\w+))?$", re.MULTILINE
)
ON_CARD = re.compile(r"^cards\.(\w+)\(", re.MULTILINE)
HEADING = re.compile(r"^#+ .*$", re.MULTILINE)
# What a paragraph asks, the best first; a list or a directive is none.
ASKS = (
    re.compile(r"\A(?![:\-])([\s\S]*\*\*[^*]+\?\*\*)"),
    re.compile(r"^:{3,}\{predict\} (.+\?)$", re.MULTILINE),
    re.compile(r"\A(?![:\-])([\s\S]*\*\*[^*]+\*\*[\s\S]*)"),
)


@dataclass(frozen=True, eq=False)
class Place:
    """A figure in a lesson.

    Parameters
    ----------
    name, page : str
        The figure's folder, and the page that shows it first.
    question : str
        As the lesson asks it, in Markdown, with what leads to it.
    state : dict
        What it begins with there.
    """

    name: str
    page: str
    question: str
    state: dict


def places_in(page, text):
    """Yield the figures of a notebook that other pages may embed, in its order.

    Parameters
    ----------
    page : str
    text : str
        The notebook, as JSON.
    """
    before = section = ""
    known = set(names())
    for cell in json.loads(text)["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            before += f"{source}\n\n"
            *_, section = HEADING.split(before)
            continue
        calls = [(n, f"{a or 'live'}.panel") for n, a in USED.findall(source)]
        calls += [(name, f"cards.{name}") for name in ON_CARD.findall(source)]
        for name, call in calls:
            if name in known:
                asked = _asked(section) or _asked(HEADING.sub("", before))
                yield Place(name, page, asked, _state(name, source, call))


def _asked(text):
    """Return the last question of a text, of the best kind there is, or ""."""
    parts = [one.strip() for one in text.split("\n\n")]
    for kind in ASKS:
        if found := [match[1] for one in parts if (match := kind.search(one))]:
            return found[-1]
    return ""


def _state(name, source, call):
    """Return the state of the first panel that a cell makes by a call."""
    made = figure(name)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == call:
            args = [ast.literal_eval(one) for one in node.args]
            named = {str(one.arg): ast.literal_eval(one.value) for one in node.keywords}
            return made.begun(*args, **named)
    return made.begun()


def shown(env, page):
    """List the figures of a page of a Sphinx book that other pages may embed."""
    path = Path(env.doc2path(page))
    if path.suffix != ".ipynb" or page not in env.found_docs:
        return []
    return [*places_in(page, path.read_text(encoding="utf-8"))]


def places(env):
    """Return the place of each figure in a Sphinx book, by name, in its order.

    It is the first one, or the page that is named after the figure.
    """
    order = getattr(env, "external_site_map", None) or sorted(env.found_docs)
    found = {}
    for one in (one for page in order for one in shown(env, page)):
        if one.name not in found or one.page.endswith(f"/{one.name}"):
            found[one.name] = one
    return found
