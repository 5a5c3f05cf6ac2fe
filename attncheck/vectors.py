"""Cases on file: inputs, the right output, and the mistakes that each one catches."""

import json
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from attncheck.exchange import expected_model
from attncheck.formats import FORMATS, round_to
from attncheck.model.attending import Attended, attend
from attncheck.model.domain import ALL, LARGE
from attncheck.model.fields import Model, Sizes
from attncheck.safetensors import write_safetensors
from attncheck.verify import tolerance

SEED = 2026
TOLERANCES = ("float32", "float16", "bfloat16")


@dataclass(frozen=True)
class Case:
    """One case: its inputs are numbers that every format from bfloat16 on holds."""

    id: str
    about: str
    shape: tuple[int, int, int, int, int, int]  # b, h, g, n, m, d
    keywords: dict[str, Any] = field(default_factory=dict)
    masked: float = 0.0  # the share of pairs that a mask hides
    each: bool = False  # a mask of its own for each batch item and head
    added: float = 0.0  # the size of a mask that is added to the scores
    size: float = 1.5
    low: bool = False  # every score far below 0
    catches: list[str] = field(default_factory=list)

    @cached_property
    def arrays(self) -> dict[str, np.ndarray]:
        """Query, key, value, and a mask if there is one."""
        b, h, g, n, m, d = self.shape
        rng = np.random.default_rng([SEED, *self.id.encode()])
        q, k, v = (rng.standard_normal((b, *x, d)) for x in ((h, n), (g, m), (g, m)))
        q, k = q * self.size, k * self.size
        if self.low:
            q, k = np.full_like(q, 256.0), np.full_like(k, -256.0)
        arrays = {"query": q, "key": k, "value": v}
        if self.added:
            arrays["mask"] = self.added * rng.standard_normal((n, m))
        arrays = {name: round_to(x, "bfloat16") for name, x in arrays.items()}
        if self.masked:
            pairs = (b, h, n, m) if self.each else (n, m)
            mask: np.ndarray = rng.random(pairs) >= self.masked
            mask[..., min(1, n - 1), :] = n == 1  # a query that may attend to nothing
            arrays["mask"] = mask
        return arrays

    @cached_property
    def model(self) -> Model:
        """What is right."""
        return expected_model(**self.keywords, mask=self.arrays.get("mask"))

    def attended(self, model: Model) -> Attended:
        """Compute what a model computes of it."""
        query, key, value = (self.arrays[x] for x in ("query", "key", "value"))
        return attend(query, key, value, model)

    @cached_property
    def right(self) -> np.ndarray:
        """The right output."""
        return self.attended(self.model).output

    @cached_property
    def tolerances(self) -> dict[str, float]:
        """How far a right output may be off, in each format."""
        found, d = self.attended(self.model), self.shape[-1]
        return {x: float(tolerance(found, FORMATS[x], d).max()) for x in TOLERANCES}


CAUSAL = {"is_causal": True}
CACHE = {**CAUSAL, "query_offset": 4}
WINDOW = {**CAUSAL, "window": (2, None)}
CAP = {"softcap": 2.0}
CASES = (
    Case("plain", "three keys, one head: scale and softmax", (1, 1, 1, 2, 3, 4)),
    Case("square", "as many queries as keys", (1, 1, 1, 4, 4, 4)),
    Case("heads", "two batch items, three heads", (2, 3, 3, 4, 5, 6)),
    Case("causal", "causal", (1, 1, 1, 5, 5, 4), CAUSAL),
    Case("mask", "a mask with a fully masked row", (1, 2, 2, 4, 4, 4), masked=0.4),
    Case("masks", "a mask for each head", (2, 2, 2, 4, 4, 4), masked=0.4, each=True),
    Case("bias", "a mask that is added", (1, 2, 2, 4, 4, 4), added=1.5),
    Case("cache-window", "a window after a cache", (1, 2, 1, 4, 8, 4), CACHE | WINDOW),
    Case("causal-mask", "causal, with a mask", (1, 2, 2, 5, 5, 4), CAUSAL, masked=0.3),
    Case("wide", "fewer queries than keys", (1, 2, 2, 3, 7, 4), CAUSAL),
    Case("tall", "more queries than keys", (1, 1, 1, 7, 3, 4), CAUSAL),
    Case("groups", "six query heads on two key heads", (1, 6, 2, 3, 4, 4)),
    Case("window", "two before, one after", (1, 1, 1, 8, 8, 4), {"window": (2, 1)}),
    Case("causal-window", "a causal window", (1, 1, 1, 9, 9, 4), WINDOW),
    Case("cache", "queries after a cache of four keys", (1, 2, 1, 3, 7, 4), CACHE),
    Case("cap", "capped scores", (1, 1, 1, 4, 6, 4), CAP, size=3.0),
    Case("cap-mask", "a cap, then a mask", (1, 1, 1, 4, 6, 4), CAP, masked=0.4),
    Case("scale", "a scale of its own", (1, 1, 1, 3, 4, 4), {"scale": 0.25}),
    Case("wider", "d_k = 16, four heads", (1, 4, 4, 6, 6, 16)),
    Case("columns", "72 columns, which fill no block", (1, 1, 1, 3, 5, 72)),
    Case("causal-long", "more than a block of 128", (1, 1, 1, 130, 130, 4), CAUSAL),
    Case("large", "scores of thousands", (1, 1, 1, 3, 5, 8), size=64.0),
    Case("low", "every score far below 0", (1, 1, 1, 2, 4, 8), low=True),
    Case("bent", "scores of about 20: caps of 20 to 50", (1, 1, 1, 6, 9, 16), size=4),
    *(
        Case(f"tail-{m}", f"one key more than a block of {m - 1}", (1, 1, 1, 2, m, 4))
        for m in (17, 33, 65, 129, 257)
    ),
)


def caught(case: Case) -> list[str]:
    """Return the values of DOMAIN that it shows, by twice float32's tolerance."""
    limit, found = 2 * case.tolerances["float32"], []
    for mistake in (*ALL, *LARGE):
        changed = mistake.change(case.model, Sizes(*case.shape[1:], case.shape[-1]))
        if changed is not None:
            with np.errstate(all="ignore"):
                off = np.abs(case.attended(changed).output - case.right)
            found += [] if np.all(off <= limit) else [mistake.code]
    return found


def choose() -> list[Case]:
    """Keep the cases that catch a mistake which no smaller one does, smallest first."""
    known: set[str] = set()
    kept = []
    for case in sorted(CASES, key=lambda case: np.prod(case.shape)):
        catches = caught(case)
        if set(catches) - known:
            known |= set(catches)
            kept.append(replace(case, catches=catches))
    return kept


ARRAYS = (
    "cases.safetensors holds ID.query, .key, .value (float32; bfloat16 holds them too),"
    " .mask where there is one (bool, True = may attend; or float32, added to the "
    "scores), and .output (float64). Axes: batch, heads, tokens, d."
)


def write_vectors(folder: Path) -> list[Case]:
    """Write cases.json and cases.safetensors; return the cases."""
    folder.mkdir(parents=True, exist_ok=True)
    cases, arrays, entries = choose(), {}, []
    for case in cases:
        for name, x in case.arrays.items():
            stored = x if x.dtype == bool else x.astype(np.float32)
            arrays[f"{case.id}.{name}"] = stored
        arrays[f"{case.id}.output"] = case.right
        entries.append(
            {
                "id": case.id,
                "about": case.about,
                "keywords": case.keywords,
                "has_mask": "mask" in case.arrays,
                "shape": dict(zip("bhgnmd", case.shape, strict=True)),
                "tolerance": case.tolerances,
                "catches": case.catches,
            }
        )
    most = "The largest |output − right| that rounding may cause."
    about = {"format": 1, "seed": SEED, "arrays": ARRAYS, "tolerance": most}
    text = json.dumps(about | {"cases": entries}, indent=1, ensure_ascii=False)
    (folder / "cases.json").write_text(text + "\n", encoding="utf-8")
    write_safetensors(folder / "cases.safetensors", arrays)
    return cases
