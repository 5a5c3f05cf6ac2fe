"""Says and does: what a configuration says of each layer, beside that layer's runs."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from attncheck.layers.recorded import Recorded, recorded
from attncheck.layers.rotation import compare
from attncheck.layers.shown import first_rows, not_reached, said_of, show
from attncheck.words import as_plain, bullets

if TYPE_CHECKING:
    from attnconfig import Facts


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


def judge_layer(
    page: Layers, i: int, said: dict[int, Facts], calls: dict[int, list[Recorded]]
) -> None:
    """Judge one layer; write down on the page what differs and what is not seen."""
    if i not in said:
        kind = "no layer" if i >= page.n_layers else "no softmax attention"
        page.problems.append(Differs(i, "kind", kind, "softmax attention"))
    elif i not in calls:
        page.problems.append(Differs(i, "no run", str(said[i]), "nothing"))
    else:
        facts, found = said[i], list(_sizes(i, said[i], calls[i]))
        found = found or [
            *_attention(page, i, facts, calls[i], list(said.values())),
            *_rotation(page, i, calls, said),
        ]
        page.problems += found
        page.judged[i] = facts.plain()
        if not found:
            page.right[i] = str(facts)
        if facts.not_said and facts.not_said not in page.notes:
            page.notes.append(facts.not_said)


def _sizes(i: int, facts: Facts, calls: list[Recorded]) -> list[Differs]:
    """Compare the sizes; of latent attention, keys are those that heads see."""
    s = calls[0].run.sizes
    shown = {"heads": s.n_heads, "d_k": s.d, "d_v": s.d_v, "kv_heads": s.n_kv_heads}
    if facts.latent:
        shown = {"heads": s.n_heads}
    pairs = {name: (getattr(facts, name), x) for name, x in shown.items()}
    return [Differs(i, f, a, b, "1 token") for f, (a, b) in pairs.items() if a != b]


def _attention(
    page: Layers, i: int, facts: Facts, calls: list[Recorded], every: list[Facts]
) -> list[Differs]:
    if facts.chosen and max(record.run.sizes.m for record in calls) > facts.chosen:
        page.unseen.append((i, "chosen", "runs of no more keys than are chosen"))
        return []
    said = said_of(facts, calls)
    elsewhere = {str(x): said_of(x, calls).base for x in every if x is not facts}
    differ, shortest = show(calls, said, list(elsewhere.values()))
    if differ:
        return [Differs(i, *field, shortest) for field in differ]
    page.unseen += [(i, *one) for one in not_reached(calls, said)]
    return []


def _rotation(
    page: Layers, i: int, calls: dict[int, list[Recorded]], said: dict[int, Facts]
) -> list[Differs]:
    """Compare the rotation of queries and of keys, in each call."""
    facts, found = said[i], {}
    others = {str(f.rotary): f.rotary for f in said.values() if f.rotary}
    given = any(record.before for every in calls.values() for record in every)
    for record in calls[i]:
        start = _start(calls, record.call)
        for role in record.before:
            try:
                one = compare(record, role, facts, start, [*others.values()])
            except ValueError:  # (attnlib knows six ways to stretch positions)
                stretch = f"a stretch that is known here, unlike {facts.rotary}"
                page.unseen.append((i, "rotary", stretch))
                return []
            if one and one.field not in found:
                cached = one.field == "first position"
                words = (
                    "1 token after 1 kept" if cached else first_rows(record, one.row)
                )
                found[one.field] = Differs(i, *one[:3], words)
        if facts.rotary and not record.before and given:
            words = first_rows(record, 1)
            found["rotary"] = Differs(i, "rotary", str(facts.rotary), None, words)
    if facts.rotary and not given:
        page.unseen.append((i, "rotary", "rows before the rotation"))
    return list(found.values())


def _start(calls: dict[int, list[Recorded]], call: int) -> int:
    """Return where the first query of a call stands.

    Layers with a window may keep fewer keys than there were tokens before.
    """
    every = [record for records in calls.values() for record in records]
    kept = max(record.cached for record in every if record.call == call)
    earlier = {r.call: r.run.sizes.n for r in every if r.call < call}
    return max(kept, sum(earlier.values())) if kept else 0


INSTALL = (
    "layers: attnconfig reads the configuration, and it is not installed: in a "
    "checkout, `pip install ./attnconfig`"
)
Read = str | os.PathLike[str]


def layers(config: Mapping[str, Any] | Read, runs: Mapping[str, Any] | Read) -> Layers:
    """Compare what a configuration says of each layer with what its runs show.

    Parameters
    ----------
    config : dict or path
        A ``config.json``, or its lines.
    runs : dict or path
        Arrays by name, or a ``.safetensors`` or ``.npz`` file of them:
        ``LAYER.CALL.query`` (..., n_heads, n_queries, d_k), as ``0.0.query``, and
        likewise ``key``, ``value`` and ``output``, after the rotation of queries and
        keys. ``sinks`` (n_heads,) are the learned logits; ``query_before`` and
        ``key_before`` are the rows that were given to the rotation, which is not seen
        without them.

    Returns
    -------
    Layers
        ``problems``: each layer that differs, with the field, what is said, what is
        shown, and the shortest input that shows it. ``unseen``: what these runs are too
        short for.

    Raises
    ------
    ValueError
        If the configuration cannot be read, or the runs make no sense.
    ImportError
        If attnconfig is not installed.

    Examples
    --------
    >>> import numpy as np
    >>> from attnlib import scaled_dot_product_attention
    >>> config = {"model_type": "mistral", "hidden_size": 32, "num_hidden_layers": 1}
    >>> config |= {"num_attention_heads": 4, "sliding_window": 5, "vocab_size": 9}
    >>> config |= {"num_key_value_heads": 4, "intermediate_size": 8}
    >>> q, k, v = np.random.default_rng(0).standard_normal((3, 4, 9, 8))
    >>> o = scaled_dot_product_attention(q, k, v, is_causal=True, window=(5, 0))
    >>> run = {"0.0.query": q, "0.0.key": k, "0.0.value": v, "0.0.output": o}
    >>> print(layers(config, run).problems[0])
    layer 0, window: said (4, 0), shown (5, 0) (shortest input: 6 tokens)
    """
    try:
        import attnconfig
    except ImportError as error:
        raise ImportError(INSTALL) from error
    lines = config
    if not isinstance(lines, Mapping):
        lines = json.loads(Path(lines).read_text(encoding="utf-8"))
    model, calls = attnconfig.read(lines), recorded(runs)
    if not model.layers:
        raise ValueError(f"layers: {next(iter(model.refused.values()))}")
    said = {i: layer.facts for i, layer in enumerate(model.layers) if layer.facts}
    page = Layers(str(model.family), len(model.layers), notes=list(model.unsaid))
    with np.errstate(all="ignore"):
        for i in sorted({*said, *calls}):
            judge_layer(page, i, said, calls)
    return page
