"""Texts with slots, filled in by Python exactly as `read.js` fills them in.

A slot is ``{path:form}``. The path names a number of the figure, with parts after dots
(``{letters.-1}``, ``{words.$place}``). The form is ``.2f``, ``+.2f`` or, for a vector
in brackets, ``[.2f``; or ``,``, ``n`` for a count in words, ``r`` for four digits, or
``B`` or ``G`` for bytes.
"""

import re
from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Context, Decimal
from types import SimpleNamespace
from typing import Any

import numpy as np

SLOT = re.compile(r"\{([^{}:]+)(?::([^{}]*))?\}")
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
COUNTS = ((1e12, " trillion"), (1e9, " billion"), (1e6, " million"), (1, ""))
UNITS = ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"))


def plain(value) -> Any:
    """Return what a figure computed as plain data: dicts, lists, numbers and texts."""
    if isinstance(value, SimpleNamespace):
        value = vars(value)
    if isinstance(value, Mapping):
        return {name: plain(one) for name, one in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return value


def look_up(path, scope):
    """Return what stands at a path such as ``letters.-1`` or ``words.$place``."""
    found = scope
    for part in path.split("."):
        key = look_up(part[1:], scope) if part.startswith("$") else part
        found = found[int(key)] if isinstance(found, list | tuple) else found[key]
    return found


def fill(text, scope):
    """Fill in the slots of a text."""
    return SLOT.sub(lambda slot: show(look_up(slot[1], scope), slot[2] or ""), text)


def show(value, form=""):
    """Write a value in a form."""
    if isinstance(value, str):
        return value
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        text = ", ".join(show(one, form.lstrip("[")) for one in value)
        return f"[{text}]" if form[:1] == "[" else text
    if form == "r":
        return _readable(value)
    if form == "B":
        return _bytes(value)
    if form == "G":
        return f"{_significant(value / 1e9, 3):,.12g} GB"
    if form == "n":
        unit, name = next(one for one in COUNTS if value >= one[0])
        return f"{_significant(value / unit, 4):,.12g}{name}"
    if form == ",":
        return f"{value:,}"
    if not form:
        return f"{value:.6g}".replace("-", "−")
    text = _fixed(value, int(form[-2]))
    return f"+{text}" if form[0] == "+" and text[0] != "−" else text


def _fixed(x, decimals):
    """Round as ``toFixed`` does: halves go up, not to even."""
    exact = Decimal(float(f"{x:.12g}"))
    text = str(exact.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP))
    return text.replace("-", "" if float(text) == 0 else "−")


def _readable(x):
    digits, power = f"{x:.1e}".split("e")
    if abs(int(power)) <= 3:
        return _fixed(x, min(3 - int(power), 3))
    return f"{_fixed(float(digits), 1)}×10{str(int(power)).translate(RAISED)}"


def _bytes(count):
    unit, name = next((one for one in UNITS if count >= one[0]), UNITS[-1])
    return f"{_significant(count / unit, 3):g} {name}"


def _significant(x, digits):
    """Round as ``toPrecision`` does: halves go up."""
    return float(Context(prec=digits, rounding=ROUND_HALF_UP).create_decimal(x))
