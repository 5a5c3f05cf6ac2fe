"""``python -m attnconfig CONFIG.json``: what a model holds, keeps and computes."""

import argparse
import dataclasses
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from attnconfig import costs, serving
from attnconfig.model import Layer, Model
from attnconfig.reading import read

TOTALS = {"parameters": "n_parameters", "used for a token": "n_active_parameters"}


def page(model: Model, given: argparse.Namespace) -> Iterator[str]:
    """Yield the page, line by line."""
    yield f"{model.family}: {len(model.layers)} layers, width {model.width:,}"
    if not model.layers:
        yield f"Refused. {next(iter(model.refused.values()))}"
        return
    for name, key in TOTALS.items():
        said, why = getattr(model, key), model.refused.get(key)
        yield f"{name}: refused. {why}" if said is None else f"{name}: {said:,}"
    yield from _memory(model, given)
    cost = costs.decode(model, given.tokens, cache_n_bytes=given.bytes)
    if cost:
        said = f"{cost.multiplications:,} multiplications, {cost.n_bytes:,} bytes"
        yield f"the next token: {said} at 16 bits"
    yield from model.notes
    if model.unsaid:
        yield f"Not told by the facts below: {', '.join(model.unsaid)}."
    yield ""
    yield from _layers(model)


def _memory(model: Model, given: argparse.Namespace) -> Iterator[str]:
    """Yield what one text needs, and what is set aside for all."""
    one = serving.needed(model, given.tokens, 1, given.bytes)
    pool = serving.reserved(model, given.tokens, given.texts, given.bytes, given.page)
    if one is None or pool is None:
        yield f"cache: refused. {model.refused['cache_bytes']}"
        return
    yield f"cache of one text of {given.tokens:,} tokens: {one.n_bytes:,} bytes"
    yield from (f"    {line}" for line in one.equations)
    texts = f"{serving.texts(given.texts)} in pages of {given.page} tokens"
    yield f"set aside for {texts}, one pool: {pool.n_bytes:,} bytes"
    yield from (f"    {line}" for line in pool.equations)


def _layers(model: Model) -> Iterator[str]:
    """Yield each kind of layer once: where it stands, its arrays, what it computes."""
    places: dict[Layer, list[int]] = {}
    for i, layer in enumerate(model.layers):
        places.setdefault(layer, []).append(i)
    for layer, where in places.items():
        yield f"{ranges(where)}: {layer.name}"
        for part in layer.parts:
            yield from (f"    {each.equation}" for each in part.weights(model.width))
        if layer.facts:
            yield f"    computes: {layer.facts}"


def ranges(places: Sequence[int]) -> str:
    """Write numbers of layers, such as ``layers 0, 2–4``."""
    found: list[list[int]] = []
    for i in places:
        if found and i == found[-1][-1] + 1:
            found[-1].append(i)
        else:
            found.append([i])
    told = (f"{run[0]}–{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in found)
    return f"layer{'s' if len(places) > 1 else ''} {', '.join(told)}"


def as_json(model: Model, given: argparse.Namespace) -> dict[str, Any]:
    """Return the same as plain values."""
    one = serving.needed(model, given.tokens, 1, given.bytes)
    pool = serving.reserved(model, given.tokens, given.texts, given.bytes, given.page)
    cost = costs.decode(model, given.tokens, cache_n_bytes=given.bytes)
    return {
        "family": model.family,
        "n_parameters": model.n_parameters,
        "n_active_parameters": model.n_active_parameters,
        "needed": one and dataclasses.asdict(one),
        "reserved": pool and dataclasses.asdict(pool),
        "next_token": cost and dataclasses.asdict(cost),
        "refused": model.refused,
        "notes": model.notes,
        "unsaid": model.unsaid,
        "equations": model.equations,
        "layers": [
            {"name": layer.name, "facts": layer.facts and layer.facts.plain()}
            for layer in model.layers
        ],
        "lines": [line._asdict() for line in model.explain()],
    }


def arguments() -> argparse.ArgumentParser:
    """Return what the command takes."""
    parser = argparse.ArgumentParser(prog="python -m attnconfig", description=__doc__)
    parser.add_argument("config", type=Path, metavar="CONFIG.json")
    parser.add_argument("--tokens", type=int, default=8192, help="of one text")
    parser.add_argument("--texts", type=int, default=1, help="at most, at one time")
    parser.add_argument(
        "--bytes", type=float, default=2, help="of a number in the cache"
    )
    parser.add_argument(
        "--page", type=int, default=serving.PAGE, help="tokens in a page"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--lines", action="store_true", help="what each line says")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Print the page; return 1 if a total is refused, 2 for no configuration."""
    given = arguments().parse_args(argv)
    try:
        model = read(json.loads(given.config.read_text(encoding="utf-8")))
        if given.json:
            print(json.dumps(as_json(model, given), indent=1, ensure_ascii=False))
        else:
            print(*page(model, given), sep="\n")
            if given.lines:
                print(
                    "",
                    *(f"{x.key} [{x.changes}] {x.sentence}" for x in model.lines),
                    sep="\n",
                )
    except (OSError, ValueError) as problem:
        print(problem, file=sys.stderr)
        return 2
    return int(bool(model.refused))


if __name__ == "__main__":
    sys.exit(main())
