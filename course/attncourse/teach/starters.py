"""Functions that lessons give to be mended: as long as nobody has, they are no answers.

`starters.json` holds a digest of each, by exercise; `tools/notebooks.py` writes it when
it stores a notebook. Comments, layout and names do not count.
"""

import ast
import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from attncourse.teach.handed_in import Answer
from attncourse.teach.likeness import tokens

STORED = Path(__file__).with_name("starters.json")


def is_untouched(answer: Answer) -> bool:
    """Tell whether the function is still what the lesson gives to be mended."""
    return _digest(answer) in _stored().get(answer.exercise, ())


def written(found: Iterable[Answer]) -> str:
    """Return what is stored of the answers of lessons that nobody has touched."""
    digests = defaultdict(set)
    for one in found:
        if not _is_blank(_function(one)):
            digests[one.exercise].add(_digest(one))
    stored = {name: sorted(several) for name, several in sorted(digests.items())}
    return json.dumps(stored, indent=1) + "\n"


@cache
def _stored() -> dict[str, list[str]]:
    return json.loads(STORED.read_text(encoding="utf-8"))


def _digest(answer: Answer) -> str:
    words = " ".join(tokens(_function(answer)))
    return hashlib.sha256(words.encode()).hexdigest()[:12]


def _is_blank(text: str) -> bool:
    """Tell whether dots stand where something is to be written: these are judged."""
    lines = (
        n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Expr | ast.Assign)
    )
    values = (line.value for line in lines)
    return any(isinstance(x, ast.Constant) and x.value is ... for x in values)


def _function(answer: Answer) -> str:
    """Return the text of the function alone, without what it needs of other cells."""
    own = [
        node
        for node in ast.parse(answer.source).body
        if isinstance(node, ast.FunctionDef) and node.name == answer.function
    ]
    text = ast.get_source_segment(answer.source, own[-1]) if own else None
    return text or answer.source
