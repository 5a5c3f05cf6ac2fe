"""The bugs by name, with what is known of each, and a list of their threads."""

import html
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from attnlib import scaled_dot_product_attention as attend

from . import attention, unlabeled

FILE = Path(__file__).with_name("bugs.toml")


@dataclass(frozen=True)
class Bug:
    """A bug: who shipped it and when, what was confused, and both functions.

    Parameters
    ----------
    name : str
    project : str
    released : str
        The versions or the dates between which it stood.
    threads : tuple of str
        Where it was reported and fixed, as ``owner/name#number``.
    confused : str
        The convention that was confused.
    probe : str
        What shows it.
    meant, shipped : callable
        Of query, key and value: (batch, heads, n, d).
    """

    name: str
    project: str
    released: str
    threads: tuple[str, ...]
    confused: str
    probe: str
    meant: Callable
    shipped: Callable

    @property
    def addresses(self):
        """The addresses of the threads."""
        return tuple(
            f"https://github.com/{place}/issues/{number}"
            for place, number in (thread.split("#") for thread in self.threads)
        )


def _load():
    stored = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {name: _bug(name, dict(told)) for name, told in stored.items()}


def _bug(name, told):
    sides = {x: told.pop(x, {}) for x in ("meant", "shipped")}
    found = {
        x: getattr(attention, f"{name}_as_{x}", None) or _call(*_pairs(keywords))
        for x, keywords in sides.items()
    }
    if suspect := told.pop("suspect", None):
        found["meant"] = getattr(unlabeled, f"{suspect}_fixed")
        found["shipped"] = getattr(unlabeled, suspect)
    told["threads"] = tuple(told["threads"])
    return Bug(name, **told, meant=found["meant"], shipped=found["shipped"])


def _pairs(keywords):
    return (
        (name, tuple(x) if isinstance(x, list) else x) for name, x in keywords.items()
    )


@cache
def _call(*keywords):
    """Return attention with keywords of attnlib: the same for the same ones."""

    def call(query, key, value):
        return attend(query, key, value, **dict(keywords))

    return call


BUGS: dict[str, Bug] = _load()


class Threads:
    """A list of bugs with their threads, in words and in HTML.

    Parameters
    ----------
    bugs : dict of str to Bug
    """

    def __init__(self, bugs):
        self.bugs = bugs

    def __repr__(self):
        lines = (
            f"{bug.name}: {bug.project} ({bug.released}). {', '.join(bug.threads)}"
            for bug in self.bugs.values()
        )
        return "\n".join(lines)

    def _repr_html_(self):
        items = "".join(map(_item, self.bugs.values()))
        return f'<ul class="aw-threads">{items}</ul>'


def _item(bug):
    told = ", ".join(
        f'<a href="{address}">{html.escape(thread)}</a>'
        for thread, address in zip(bug.threads, bug.addresses, strict=True)
    )
    name, project, released = map(html.escape, (bug.name, bug.project, bug.released))
    return f"<li><strong>{name}</strong>: {project} ({released}). {told}</li>"
