"""`shapes=`: what a kernel takes, in the caller's words."""

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any

from attncheck.plan import Call

LETTERS = ("b", "h", "g", "n", "m", "d", "d_v")
Shapes = Mapping[str, Any]  # a letter's size, or the sizes that it may have
MOST = 1040  # no call is longer


def check_shapes(shapes: Shapes) -> dict[str, tuple[int, ...]]:
    """Return the sizes that each letter may have, in order."""
    if unknown := set(shapes) - set(LETTERS):
        rule = f"shapes names sizes: {', '.join(LETTERS)}"
        raise ValueError(f"ask: {rule}; got {', '.join(map(repr, sorted(unknown)))}")
    found = {}
    for letter, x in shapes.items():
        sizes = [x] if isinstance(x, int) else _of(x)
        found[letter] = tuple(sorted({s for s in sizes if 1 <= s <= MOST}))
        if not found[letter]:
            raise ValueError(f"ask: shapes[{letter!r}] has no size up to {MOST}: {x!r}")
    return found


def _of(x: Any) -> Iterable[int]:
    if isinstance(x, Sequence | set | frozenset):
        return (int(size) for size in x)
    if isinstance(x, Container):
        return (size for size in range(1, MOST + 1) if size in x)
    raise ValueError(
        f"ask: a size is an integer, or a range or list of them; got {x!r}"
    )


def fit(plan: Sequence[Call], shapes: Shapes) -> tuple[list[Call], list[Call]]:
    """Bring calls to the nearest sizes that are taken; tell which are not asked."""
    if not shapes:
        return list(plan), []
    taken = check_shapes(shapes)
    calls: list[Call] = []
    unseen: list[Call] = []
    seen: set[tuple[Any, ...]] = set()
    for call in plan:
        near = _nearest(call, taken)
        if near != call:
            unseen.append(call)
        key = tuple(near[1:11])
        if key not in seen and near.h % near.g == 0:
            seen.add(key)
            calls.append(near)
    return calls, unseen


def _nearest(call: Call, taken: Mapping[str, tuple[int, ...]]) -> Call:
    sizes = {letter: getattr(call, letter) for letter in LETTERS}
    if "d_v" not in taken and "d" in taken:
        d = _near(call.d, taken["d"])
        sizes["d_v"] = d if call.d == call.d_v else call.d_v
    if "g" not in taken and "h" in taken:
        h = _near(call.h, taken["h"])
        sizes["g"] = h if call.h == call.g else call.g
    near: dict[str, Any] = {x: _near(y, taken.get(x)) for x, y in sizes.items()}
    return call._replace(**near)


def _near(size: int, taken: tuple[int, ...] | None) -> int:
    return size if taken is None else min(taken, key=lambda x: (abs(x - size), x))
