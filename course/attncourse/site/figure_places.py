"""Where each declared figure stands in the book, and what it is asked there.

A lesson shows a figure with `live.panel(scores=(2, 1, 0))`. The question is the one in
bold that was asked last before it; the state is what the call says.
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
ASKED = re.compile(r"\*\*([^*]+\?)\*\*")


@dataclass(frozen=True, eq=False)
class Place:
    """A figure in a lesson.

    Parameters
    ----------
    name, page : str
        The figure's folder, and the page that shows it first.
    question : str
        As the lesson asks it, in Markdown.
    state : dict
        What it begins with there.
    """

    name: str
    page: str
    question: str
    state: dict


def places_in(page, text):
    """Yield the figures that a notebook shows, in its order.

    Parameters
    ----------
    page : str
    text : str
        The notebook, as JSON.
    """
    question = ""
    known = set(names())
    for cell in json.loads(text)["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            question = [question, *ASKED.findall(source)][-1]
        for name, alias in USED.findall(source):
            if name in known:
                state = _state(name, source, alias or "live")
                yield Place(name, page, question, state)


def _state(name, source, module):
    """Return the state of the first panel that a cell makes."""
    made = figure(name)
    for node in ast.walk(ast.parse(source)):
        called = isinstance(node, ast.Call) and ast.unparse(node.func)
        if called == f"{module}.panel":
            args = [ast.literal_eval(one) for one in node.args]
            named = {one.arg: ast.literal_eval(one.value) for one in node.keywords}
            return made(*args, **named).state
    return made().state


def shown(env, page):
    """List the figures that a page of a Sphinx book shows."""
    path = Path(env.doc2path(page))
    if path.suffix != ".ipynb" or page not in env.found_docs:
        return []
    return [*places_in(page, path.read_text(encoding="utf-8"))]


def places(env):
    """Return the first place of each figure in a Sphinx book, by name, in its order."""
    order = getattr(env, "external_site_map", None) or sorted(env.found_docs)
    found = {}
    for one in (one for page in order for one in shown(env, page)):
        found.setdefault(one.name, one)
    return found
