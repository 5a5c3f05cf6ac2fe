"""Rewrite commands that only a notebook understands as Python.

Each does the same, or prints that it cannot run in a page. Line numbers and code that
is plain Python stay the same.
"""

import ast
import re

HELPER = "__notebook__"  # called by the rewritten code; see helper.py
# Commands without effect in a page: packages are fetched when they are imported.
QUIET = {"matplotlib", "config", "load_ext", "reload_ext", "autoreload", "automagic"}
QUIET |= {"pip", "conda", "mamba", "micromamba", "uv", "xmode", "colors", "pylab"}
SHOWN = {"html": "html", "svg": "html", "markdown": "text", "latex": "latex"}
PYTHON = {"python", "python3", "pypy"}

ASSIGNED = re.compile(r"(\s*)([\w.,\s\[\]'\"*]+?)\s*=\s*([!%].*)")
COMMAND = re.compile(r"(\s*)(!!?|%)\s*(.*)")
ABOUT = re.compile(r"(\s*)(?:\?\??\s*([\w.]+)|([\w.]+)\s*\?\??)\s*;?\s*")
CELL = re.compile(r"%%(\w+)[ \t]*(.*)")


def as_python(source):
    """Return a cell's code as plain Python."""
    if _is_python(source):
        return source
    lines = source.split("\n")
    first = next((at for at, line in enumerate(lines) if line.strip()), 0)
    if match := CELL.fullmatch(lines[first].rstrip()):
        return "\n" * first + _cell(match[1], match[2], lines[first + 1 :])
    return "\n".join(map(_line, lines))


def _is_python(source):
    try:
        ast.parse(source)
    except (SyntaxError, ValueError):
        return False
    return True


def _cell(name, words, body):
    """Return the code of a cell whose first line is a cell magic."""
    text = "\n".join(body)
    if name in PYTHON:
        return "\n" + as_python(text)
    if name in ("time", "capture"):
        return f"{HELPER}.{name}_cell()\n" + as_python(text)
    if name == "timeit":
        inside = "\n".join(f"    {line}" for line in as_python(text).split("\n"))
        return f"for _ in {HELPER}.timeit():\n{inside}\n    pass"
    if name in SHOWN:
        call = f"show({SHOWN[name]!r}, {text!r})"
    elif name == "writefile":
        call = f"write({words!r}, {text!r})"
    else:
        call = f"cannot({'%%' + name!r})"
    return f"{HELPER}.{call}" + "\n" * len(body)


def _line(line):
    if match := ASSIGNED.fullmatch(line):
        indent, target, command = match.groups()
        return f"{indent}{target} = {HELPER}.nothing({command.strip()!r})"
    if match := COMMAND.fullmatch(line):
        return _command(*match.groups())
    if match := ABOUT.fullmatch(line):
        indent, before, after = match.groups()
        return f"{indent}{HELPER}.about({before or after!r}, {before or after})"
    return line


def _command(indent, mark, words):
    name, _, rest = words.partition(" ")
    if name in QUIET:
        return f"{indent}pass" if indent else ""
    if mark == "%" and name == "timeit":
        return f"{indent}for _ in {HELPER}.timeit(): {_code(rest)}"
    if mark == "%" and name == "time":
        return f"{indent}with {HELPER}.time(): {rest or 'pass'}"
    return f"{indent}{HELPER}.cannot({(mark + words).strip()!r})"


def _code(words):
    """Strip the options of %timeit: the page chooses the number of runs."""
    return re.sub(r"^(-\w+\s*\d*\s+)+", "", words) or "pass"
