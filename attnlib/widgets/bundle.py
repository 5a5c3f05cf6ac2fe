"""Join a figure's JavaScript with the two modules it shares into one module.

anywidget takes a view as one ES module in one string. So that the sources stay plain
files that a browser, node and an editor understand, they are joined here, by two
rules: a figure imports with ``import { a, b } from "./maths.js";`` on a line of its
own, and shared modules export with ``export function`` or ``export const``. Comments on
lines of their own stay behind: every page carries its figures' code.
"""

import re
from pathlib import Path

HERE = Path(__file__).parent
IMPORT = re.compile(r'^import \{[^}]*\} from "\./(\w+\.js)";\n', flags=re.MULTILINE)
EXPORT = re.compile(r"^export (?=function|const|class)", flags=re.MULTILINE)
COMMENT = re.compile(
    r"^[ \t]*(?://[^\n]*|/\*\*[\s\S]*?\*/)[ \t]*\n", flags=re.MULTILINE
)


def bundle(name):
    """Return the source of ``name`` with the modules that it imports before it.

    Parameters
    ----------
    name : str
        A file of this folder, such as ``"scaling.js"``.

    Raises
    ------
    ValueError
        If a statement starting with ``import`` remains: it breaks the rules above.
    """
    modules = _in_order(name, [])
    parts = [EXPORT.sub("", IMPORT.sub("", _read(module))) for module in modules[:-1]]
    joined = "\n".join([*parts, IMPORT.sub("", _read(name))])
    if stray := re.search(r"^import .*", joined, flags=re.MULTILINE):
        raise ValueError(f"bundle: cannot join {stray[0]!r} of {name} or its imports")
    return COMMENT.sub("", joined)


def _read(name):
    return (HERE / name).read_text(encoding="utf-8")


def _in_order(name, seen):
    """List the modules that ``name`` needs, each once, each after its own needs."""
    for needed in IMPORT.findall(_read(name)):
        if needed not in seen:
            _in_order(needed, seen)
    return seen.append(name) or seen
