"""One layer: its sizes, its attention and its rotation, as said and as shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attncheck.layers.page import Differs, Layers
from attncheck.layers.recorded import Recorded
from attncheck.layers.rotation import compare
from attncheck.layers.said import said_of
from attncheck.layers.shown import first_rows, not_reached, show

if TYPE_CHECKING:
    from attnconfig import Facts


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
    said = said_of(facts)
    if facts.chosen and max(record.run.sizes.m for record in calls) > facts.chosen:
        page.unseen.append((i, "chosen", "runs of no more keys than are chosen"))
        return []
    elsewhere = [one for one in map(said_of, every) if one != said]
    shown = show(calls, said, list(dict.fromkeys(elsewhere)))
    if shown.fields:
        return [Differs(i, *field, shown.shortest) for field in shown.fields]
    page.unseen += [(i, *one) for one in not_reached(calls, said)]
    return []


def _rotation(
    page: Layers, i: int, calls: dict[int, list[Recorded]], said: dict[int, Facts]
) -> list[Differs]:
    """Compare the rotation of queries and of keys, in each call."""
    facts, found = said[i], {}
    elsewhere = list(
        {str(f.rotary): f.rotary for f in said.values() if f.rotary}.values()
    )
    given = any(record.before for every in calls.values() for record in every)
    for record in calls[i]:
        start = _start(calls, record.call)
        for role in record.before:
            try:
                one = compare(record, role, facts, start, elsewhere)
            except ValueError:  # (attnlib knows six ways to stretch positions)
                stretch = f"a stretch that is known here, unlike {facts.rotary}"
                page.unseen.append((i, "rotary", stretch))
                return []
            if one and one.field not in found:
                shortest = first_rows(record, one.row)
                if one.field == "first position":
                    shortest = "1 token after 1 kept"
                found[one.field] = Differs(i, *one[:3], shortest)
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
