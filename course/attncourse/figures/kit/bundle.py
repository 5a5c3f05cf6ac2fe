"""Join a figure's JavaScript with the two modules it shares into one module.

anywidget takes a view as one ES module in one string. So that the sources stay plain
files that a browser, node and an editor understand, they are joined here, by two
rules: a figure imports with ``import { a, b } from "../kit/maths.js";`` on a line of
its own, and shared modules export with ``export function`` or ``export const``.
Comments on lines of their own stay behind: every page carries its figures' code.
"""

import re
from pathlib import Path

IMPORT = re.compile(r'^import \{[^}]*\} from "([\w./]+\.js)";\n', flags=re.MULTILINE)
EXPORT = re.compile(r"^export (?=(async )?function|const|class)", flags=re.MULTILINE)
COMMENT = re.compile(
    r"^[ \t]*(?://[^\n]*|/\*\*[\s\S]*?\*/)[ \t]*\n", flags=re.MULTILINE
)


def bundle(script):
    """Return the source of a script with the modules that it imports before it.

    Parameters
    ----------
    script : pathlib.Path

    Raises
    ------
    ValueError
        If a statement starting with ``import`` remains: it breaks the rules above.
    """
    parts = []
    for module in _in_order(Path(script).resolve(), []):
        text = IMPORT.sub("", module.read_text(encoding="utf-8"))
        parts.append(text if module == Path(script).resolve() else EXPORT.sub("", text))
    joined = "\n".join(parts)
    if stray := re.search(r"^import .*", joined, flags=re.MULTILINE):
        raise ValueError(f"bundle: cannot join {stray[0]!r} of {script} or its imports")
    return COMMENT.sub("", joined)


def _in_order(script, seen):
    """List the modules that a script needs, each once, each after its own needs."""
    for name in IMPORT.findall(script.read_text(encoding="utf-8")):
        needed = (script.parent / name).resolve()
        if needed not in seen:
            _in_order(needed, seen)
    return seen.append(script) or seen
