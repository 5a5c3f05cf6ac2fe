"""The page of says and does: each layer that differs, and what was not seen."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from attncheck.words import as_plain, bullets


@dataclass(frozen=True)
class Differs:
    """A field of a layer that is said to be one thing, and shown to be another."""

    layer: int
    field: str  # of the facts of attnconfig; "no run", "unexplained": cannot be told
    said: Any
    shown: Any
    shortest: str = ""  # the shortest input that shows it

    def __str__(self) -> str:
        return f"{ranges([self.layer])}, {self.words}"

    @property
    def words(self) -> str:
        """All but the layer."""
        said, shown = (
            f"{x:,.7g}" if isinstance(x, float) else "none" if x is None else str(x)
            for x in (self.said, self.shown)
        )
        needs = f" (shortest input: {self.shortest})" if self.shortest else ""
        return f"{self.field}: said {said}, shown {shown}{needs}"


@dataclass
class Layers:
    """What a configuration says of its layers, beside what their runs show.

    Its `problems` are the fields of layers that differ; `unseen` has layers, fields
    that their runs do not show, and what would show them.
    """

    family: str
    n_layers: int
    judged: dict[int, dict[str, Any]] = field(default_factory=dict)  # facts, by layer
    problems: list[Differs] = field(default_factory=list)
    right: dict[int, str] = field(default_factory=dict)  # what is said, and done
    unseen: list[tuple[int, str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # what no run of attention shows

    @property
    def status(self) -> int:
        """0: all layers do what is said. 1: some do not. 2: cannot tell."""
        if any(p.field not in ("no run", "unexplained") for p in self.problems):
            return 1
        return 2 if self.problems or not self.judged else 0

    def to_json(self, **options: Any) -> str:
        """Return all of it as JSON; options are those of json.dumps."""
        found = {**vars(self), "status": self.status}
        found["problems"] = [vars(problem) for problem in self.problems]
        return json.dumps(as_plain(found), **{"ensure_ascii": False, **options})

    def __str__(self) -> str:
        wrong, n = len({problem.layer for problem in self.problems}), len(self.judged)
        words = f"{wrong} of {n} layers differ" if wrong else "no layer differs"
        lines = [f"{self.family}: {n} of {self.n_layers} layers have runs; {words}."]
        told = _together("{}, {}", ((p.words, p.layer) for p in self.problems))
        more = _together("As said, {}: {}.", ((x, i) for i, x in self.right.items()))
        missed = ((f"{f}; it would take {x}", i) for i, f, x in self.unseen)
        more += _together("Not seen in {}: {}.", missed)
        more += [f"Not judged: {', '.join(self.notes)}."] if self.notes else []
        return "\n".join([*lines, *bullets(told), *bullets(more, "")])

    __repr__ = __str__


def _together(line: str, pairs: Iterable[tuple[str, int]]) -> list[str]:
    """Say what is the same of several layers once: the layers, then the words."""
    found: dict[str, list[int]] = {}
    for words, layer in pairs:
        found.setdefault(words, []).append(layer)
    return [line.format(ranges(layers), words) for words, layers in found.items()]


def ranges(places: list[int]) -> str:
    """Write numbers of layers, such as ``layers 0, 2–4``."""
    runs: list[list[int]] = []
    for i in places:
        if runs and i == runs[-1][-1] + 1:
            runs[-1].append(i)
        else:
            runs.append([i])
    told = (f"{run[0]}–{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)
    return f"layer{'s' * (len(places) > 1)} {', '.join(told)}"
