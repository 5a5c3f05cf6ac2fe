"""Join a figure's JavaScript with the two modules it shares into one module.

anywidget takes a view as one ES module in one string. So that the sources stay plain
files that a browser, node and an editor understand, they are joined here, by two
rules: a figure imports with ``import { a, b } from "../kit/maths.js";`` on a line of
its own, and shared modules export with ``export function`` or ``export const``.
Comments on lines of their own stay behind, and blank lines and indents, so no text of a
script may span lines: every page carries its figures' code. What stands at the left
margin of one module is seen by all, so no name may be there twice.
What a shared module declares there and nobody uses stays behind too.

Where no anywidget is, as on a page of one figure, `script_of` joins a figure and what
puts it there into one script.
"""

import re
from collections import defaultdict
from functools import cache
from pathlib import Path

IMPORT = re.compile(r'^import \{[^}]*\} from "([\w./]+\.js)";\n', flags=re.MULTILINE)
EXPORT = re.compile(r"^export (?=(async )?function|const|class)", flags=re.MULTILINE)
DECLARED = re.compile(
    r"^(?:export (?:default )?)?(?:(?:async )?function\*?|const|let|var|class)\s+"
    r"(?:(?P<name>[\w$]+)|(?P<several>[{\[][^;]*?[}\]])\s*=)",
    flags=re.MULTILINE,
)
PIECE = re.compile(  # before each declaration at the left margin, and each statement
    r"^(?=[^\s})\]])", flags=re.MULTILINE
)
WORD = re.compile(r"[\w$]+")
ALONE = ("const ALONE = false;", "const ALONE = true;")
INDENT = re.compile(r"^\s+", flags=re.MULTILINE)
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
        If a statement starting with ``import`` remains, or two modules declare the
        same name: either breaks the rules above.
    """
    return _joined(_in_order(Path(script).resolve(), []), _own_text)


def script_of(figure, stages, call):
    """Return a script that holds a figure and calls what puts it into a page.

    Parameters
    ----------
    figure : pathlib.Path
        Its module; what that exports by default is called ``figure``.
    stages : sequence of pathlib.Path
        The modules whose functions are called.
    call : str
        The last statement, such as ``embed(figure, {})``.

    A line ``const ALONE = false;`` of `kit/alone.js` says true there.
    """
    modules = []
    for one in (*stages, figure):
        _in_order(Path(one).resolve(), modules)

    def own(module):
        text = EXPORT.sub("", _own_text(module))
        return f"{text.replace('export default', 'const figure =')}\n{call}\n"

    return _joined(modules, own).replace(*ALONE)


def _own_text(module):
    return _without_imports(module.read_text(encoding="utf-8"))


@cache  # a hundred figures share a few modules
def _without_imports(text):
    return COMMENT.sub("", IMPORT.sub("", text))


def _joined(modules, last):
    """Join modules, of which the last one's text is made by a function of it."""
    _refuse_namesakes(modules)
    *shared, script = modules
    text, parts = last(script), [EXPORT.sub("", _own_text(one)) for one in shared]
    joined = "\n".join([*_used(parts, text), text])
    if stray := re.search(r"^import .*", joined, flags=re.MULTILINE):
        raise ValueError(f"bundle: cannot join {stray[0]!r} of {script} or its imports")
    return INDENT.sub("", joined)


def _used(shared, script):
    """Return what shared modules declare and the script needs, as it is or in turn."""
    pieces = [piece for text in shared for piece in PIECE.split(text) if piece.strip()]
    left = {
        n: {*_names(piece)} for n, piece in enumerate(pieces) if DECLARED.match(piece)
    }
    kept = script + "".join(piece for n, piece in enumerate(pieces) if n not in left)
    words = {*WORD.findall(kept)}
    while found := [n for n, names in left.items() if names & words]:
        for n in found:
            del left[n]
            words.update(WORD.findall(pieces[n]))
    return [piece for n, piece in enumerate(pieces) if n not in left]


def _refuse_namesakes(modules):
    """Raise ValueError if two modules declare the same name at the left margin."""
    declared = defaultdict(dict)  # by name, the modules in order
    for module in modules:
        for name in _names(module.read_text(encoding="utf-8")):
            declared[name][module] = None
    for name, places in declared.items():
        if len(places) > 1:
            files = " and ".join("/".join(place.parts[-2:]) for place in places)
            raise ValueError(f"bundle: {name!r} is declared in {files}: rename one")


@cache
def _names(text):
    """List the names that a module declares for all of itself."""
    names = []
    for found in DECLARED.finditer(COMMENT.sub("", text)):
        if found["name"]:
            names.append(found["name"])
        else:  # const { a, b: c } = …
            names += re.findall(r"([A-Za-z_$][\w$]*)\s*(?=[,=}\]])", found["several"])
    return names


def _in_order(script, seen):
    """List the modules that a script needs, each once, each after its own needs."""
    for name in IMPORT.findall(script.read_text(encoding="utf-8")):
        needed = (script.parent / name).resolve()
        if needed not in seen:
            _in_order(needed, seen)
    return seen.append(script) or seen
