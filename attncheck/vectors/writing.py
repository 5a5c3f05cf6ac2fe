"""Cases on file: cases.json and cases.safetensors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from attncheck.safetensors import write_safetensors
from attncheck.vectors.case import SEED, Case
from attncheck.vectors.choosing import choose, right, tolerances


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
