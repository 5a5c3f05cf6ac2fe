"""Descriptions of figures, as data: texts with slots, tables that name their numbers.

A description is no function, because the page has no Python: `read.js` fills in what is
filled in here, and one test compares the two.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from .slots import fill, look_up, show


@dataclass(frozen=True)
class Line:
    """One quantity of a table: a number for each of the table's names.

    Parameters
    ----------
    header, key : str
        What it is called, and which of the figure's numbers it is.
    form : str
    source : str
        The ``key`` of what each number is computed from.
    """

    header: str
    key: str
    form: str = ".2f"
    source: str = ""


@dataclass(frozen=True, init=False)
class Table:
    """Some quantities of some things, or of one: a row for each quantity or thing.

    Parameters
    ----------
    caption, names : str
        ``names`` says where the things' names are.
    *lines : Line
    upright : bool
        Quantities are columns, and not rows.
    shown : bool
        The figure shows it; others are read on demand.
    """

    caption: str
    names: str
    lines: tuple[Line, ...]
    upright: bool
    shown: bool

    def __init__(self, caption, names, *lines, upright=True, shown=False):
        own = {"caption": caption, "names": names, "lines": lines}
        vars(self).update(own, upright=upright, shown=shown)

    def filled(self, scope):
        """Fill in names and numbers; returns plain data."""
        names = _listed(look_up(self.names, scope))
        cells = [
            [show(number, line.form) for number in _listed(look_up(line.key, scope))]
            for line in self.lines
        ]
        heads = [line.header for line in self.lines]
        if self.upright:
            cells = [list(row) for row in zip(*cells, strict=True)]
        rows, columns = (names, heads) if self.upright else (heads, names)
        return _plain(self.caption, rows, columns, cells)


@dataclass(frozen=True)
class Matrix:
    """A number for each pair of a row and a column.

    Parameters
    ----------
    caption, rows, columns, key : str
        The last three say where the names and the numbers are.
    form, none : str
        How a number is written, and what stands where there is none.
    source : str
    flips : str
        The control that flips a cell, if one does, and ``flip``, what that is called.
    shown : bool
        As above.
    """

    caption: str
    rows: str
    columns: str
    key: str
    form: str = ".2f"
    none: str = "none"
    source: str = ""
    flips: str = ""
    flip: str = ""
    shown: bool = False

    def filled(self, scope):
        """Fill in names and numbers; returns plain data."""
        cells = [
            [self.none if x is None else show(x, self.form) for x in row]
            for row in look_up(self.key, scope)
        ]
        rows, columns = (list(look_up(key, scope)) for key in (self.rows, self.columns))
        return _plain(self.caption, rows, columns, cells)


def _listed(found):
    return list(found) if isinstance(found, list | tuple) else [found]


def _plain(caption, rows, columns, cells):
    return {"caption": caption, "rows": rows, "columns": columns, "cells": cells}


@dataclass(frozen=True)
class Description:
    """What a figure is, what it shows in a few sentences, and its numbers in tables.

    Parameters
    ----------
    title : str
    summary : str, tuple of str, or dict of such
        Sentences. With a dict, those that the figure's number ``case`` names.
    tables : Table, Matrix, or tuple of such
    said : str, tuple of str, or dict of such
        Short clauses, the most important first: after a change, those that changed are
        spoken. Without them, the sentences are.
    """

    title: str
    summary: Any
    tables: Any = ()
    said: Any = ()

    @property
    def all_tables(self):
        """All tables, as a tuple."""
        return self.tables if isinstance(self.tables, tuple) else (self.tables,)

    def filled(self, scope):
        """Fill in data, state and numbers; returns plain data."""
        return {
            "title": self.title,
            "summary": " ".join(_filled(self.summary, scope)),
            "said": _filled(self.said or self.summary, scope),
            "tables": [table.filled(scope) for table in self.all_tables],
        }

    def spec(self):
        """Return the same as plain data, for the page to fill in."""
        told = {"title": self.title, "summary": self.summary}
        told |= {"said": self.said} if self.said else {}
        return told | {"tables": [_without_defaults(one) for one in self.all_tables]}


def _filled(texts, scope):
    if isinstance(texts, Mapping):
        texts = texts[scope["case"]]
    texts = (texts,) if isinstance(texts, str) else texts
    return [fill(one, scope) for one in texts]


def _without_defaults(table):
    told = asdict(table)
    for line in told.get("lines", ()):
        for name in [name for name, value in line.items() if not value]:
            del line[name]
    return {name: value for name, value in told.items() if value}


def as_text(filled):
    """Write a description as lines of text: they stand for the picture."""
    lines = [f"{filled['title']}. {filled['summary']}"]
    for table in filled["tables"]:
        lines.append(f"{table['caption']}.")
        for name, row in zip(table["rows"], table["cells"], strict=True):
            pairs = zip(table["columns"], row, strict=True)
            lines.append(f"{name}: {', '.join(f'{c} {x}' for c, x in pairs if x)}")
    return "\n".join(lines)
