"""The cases that catch something new, their right outputs and tolerances, on file."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from attncheck.formats import FORMATS
from attncheck.model import ALL, LARGE, Attended, Model, Value, attend
from attncheck.rounding import tolerance
from attncheck.safetensors import write_safetensors
from attncheck.vectors.cases import SEED, Case, candidates

TOLERANCES = ("float32", "float16", "bfloat16")


def right(case: Case, arrays: dict[str, np.ndarray]) -> Attended:
    """Compute the right output, and what its tolerances depend on."""
    return _compute(case.model(arrays), arrays)


def _compute(model: Model, arrays: dict[str, np.ndarray]) -> Attended:
    return attend(arrays["query"], arrays["key"], arrays["value"], model)


def tolerances(case: Case, arrays: dict[str, np.ndarray]) -> dict[str, float]:
    """Return how far a right output may be off, in each format."""
    found = right(case, arrays)
    return {name: float(tolerance(found, FORMATS[name]).max()) for name in TOLERANCES}


def caught(case: Case, mistakes: tuple[Value, ...]) -> list[str]:
    """Return the mistakes that a case shows, by more than twice float32's tolerance."""
    arrays = case.arrays()
    limit = 2 * tolerances(case, arrays)["float32"]
    expected, found = right(case, arrays).output, []
    for mistake in mistakes:
        changed = mistake.change(case.model(arrays), case.sizes)
        if changed is None:
            continue
        with np.errstate(all="ignore"):
            output = _compute(changed, arrays).output
        if not np.all(np.abs(output - expected) <= limit):
            found.append(mistake.code)
    return found


def choose() -> list[Case]:
    """Keep the cases that catch a mistake which no smaller one does."""
    known: set[str] = set()
    kept = []
    for case in candidates():
        catches = caught(case, (*ALL, *LARGE))
        if set(catches) - known:
            known |= set(catches)
            kept.append(replace(case, catches=catches))
    return kept


def write_vectors(folder: Path) -> list[Case]:
    """Write cases.json and cases.safetensors; return the cases."""
    folder.mkdir(parents=True, exist_ok=True)
    cases, arrays, entries = choose(), {}, []
    for case in cases:
        inputs = case.arrays()
        output = right(case, inputs).output
        for name, x in {**inputs, "output": output}.items():
            stored = x if x.dtype == bool or name == "output" else x.astype(np.float32)
            arrays[f"{case.id}.{name}"] = stored
        entries.append(_entry(case, inputs))
    about = {
        "format": 1,
        "seed": SEED,
        "arrays": "cases.safetensors holds ID.query, .key, .value (float32; bfloat16 "
        "holds them too), .mask where there is one (bool, True = may attend; or "
        "float32, added to the scores), and .output (float64). Axes: batch, heads, "
        "tokens, d.",
        "tolerance": "The largest |output − right| that rounding may cause.",
        "cases": entries,
    }
    text = json.dumps(about, indent=1, ensure_ascii=False)
    (folder / "cases.json").write_text(text + "\n", encoding="utf-8")
    write_safetensors(folder / "cases.safetensors", arrays)
    return cases


def _entry(case: Case, inputs: dict[str, np.ndarray]) -> dict[str, Any]:
    return {
        "id": case.id,
        "about": case.about,
        "keywords": case.keywords,
        "has_mask": "mask" in inputs,
        "shape": dict(zip("bhgnmd", case.shape, strict=True)),
        "tolerance": tolerances(case, inputs),
        "catches": case.catches,
    }
