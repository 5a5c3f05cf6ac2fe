"""Order: put the shuffled lines of a function in the order in which they work."""

import ast
import builtins
import itertools
import linecache
import re
import textwrap
from collections.abc import Callable
from dataclasses import replace

import numpy as np

import attnlib
from attncourse.practice.catalogue import named
from named_mistakes import display
from named_mistakes.checking import verdict
from named_mistakes.report import Report, show_open, show_wrong

_files = itertools.count()


def order(name: str, lines: str, sequence: str) -> Report:
    """Build a function from its lines in this order, and check it.

    Parameters
    ----------
    name : str
        The exercise that the function answers.
    lines : str
        A letter, a colon and a line of code each. Not all of them need be wanted.
    sequence : str
        The letters in order, such as "b d a", "b, d, a" or "BDA"; dots while there is
        none.

    Returns
    -------
    Report
        That of `check`, once the lines make a function.

    Raises
    ------
    ValueError
        If there is no such exercise, or a line has no letter of its own.

    Examples
    --------
    >>> lines = '''
    ... a:     return weights / weights.sum(axis=-1, keepdims=True)
    ... b: def my_softmax(x):
    ... c:     weights = np.exp(x - x.max(axis=-1, keepdims=True))
    ... '''
    >>> _ = order("softmax", lines, "b a c")
    ✗ softmax: not yet.
      used-before-made: Line a uses `weights`, and no line above it has made that.
    """
    exercise, numbered = named(name), _numbered(lines)
    letters = _letters(sequence)
    if not letters:
        return show_open(name, "Write the letters in order, such as “b a”.")
    for code, message in _faults(numbered, letters):
        return show_wrong(name, code, message)
    text = "\n".join(numbered[letter] for letter in letters) + "\n"
    try:
        function = _built(text)
    except SyntaxError as error:
        return show_wrong(name, "no-function", _misplaced(error, letters))
    report = _by_letters(verdict(exercise, function, np.random.default_rng()), letters)
    display.show(report)
    return report


def _letters(sequence: object) -> list[str]:
    """Read letters with anything or nothing between them, small ones or capitals."""
    text = sequence.lower() if isinstance(sequence, str) else ""
    return [letter for letter in text if letter.isalnum()]


def _by_letters(report: Report, letters: list[str]) -> Report:
    """Name lines as the learner sees them: by letter, where a verdict counts them."""

    def letter(found: re.Match) -> str:
        at = int(found[2]) - 1
        return f"{found[1]}ine {letters[at]}" if at < len(letters) else found[0]

    told = (
        replace(one, message=re.sub(r"\b([Ll])ine (\d+)", letter, one.message))
        for one in report.findings
    )
    return replace(report, findings=tuple(told))


def _numbered(lines: str) -> dict[str, str]:
    numbered: dict[str, str] = {}
    for line in textwrap.dedent(lines).strip("\n").splitlines():
        letter, colon, code = line.partition(": ")
        letter = letter.lower()
        if not (colon and letter.isalpha() and len(letter) == 1) or letter in numbered:
            raise ValueError(
                "order: each line needs a letter of its own, a colon and a space, as "
                f"in 'a: x = 1'; got {line!r}"
            )
        numbered[letter] = code.rstrip()
    return numbered


def _faults(numbered: dict[str, str], letters: list[str]):
    for letter in letters:
        if letter not in numbered:
            yield "no-such-line", f"There is no line {letter}."
        if letters.count(letter) > 1:
            yield "twice", f"Line {letter} stands there twice."
    if not numbered[letters[0]].lstrip().startswith("def "):
        yield (
            "no-def-first",
            f"A function begins with `def`; line {letters[0]} doesn't.",
        )
    yield from _used_too_early(numbered, letters)


def _used_too_early(numbered: dict[str, str], letters: list[str]):
    """Find names that a line uses before any line has made them."""
    made: set[str] = set()
    somewhere = {name for line in numbered.values() for name in _names(line, ast.Store)}
    for letter in letters:
        line = numbered[letter]
        early = _names(line, ast.Load) & somewhere - made
        for name in sorted(early):
            yield (
                "used-before-made",
                f"Line {letter} uses `{name}`, and no line above it has made that.",
            )
        made |= _names(line, ast.Store)


def _names(line: str, context: type) -> set[str]:
    """Return the names that a line makes, its arguments among them, or uses."""
    code = line.strip()
    code = code + " pass" if code.endswith(":") else code
    try:
        nodes = list(ast.walk(ast.parse(code)))
    except SyntaxError:
        return set()
    found = {
        n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, context)
    }
    arguments = {node.arg for node in nodes if isinstance(node, ast.arg)}
    return found | arguments if context is ast.Store else found - arguments


def _built(text: str) -> Callable:
    """Run the text; return the function. Its source can be read as if from a file."""
    file = f"<ordered lines {next(_files)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    known = {name: getattr(attnlib, name) for name in attnlib.__all__}
    space = {**known, "np": np, "__builtins__": builtins}
    exec(compile(text, file, "exec"), space)
    first, *_ = (x for x in ast.parse(text).body if isinstance(x, ast.FunctionDef))
    return space[first.name]


def _misplaced(error: SyntaxError, letters: list[str]) -> str:
    at = min(max(error.lineno or 1, 1), len(letters))
    return f"Python cannot read this order: it stops at line {letters[at - 1]}."
