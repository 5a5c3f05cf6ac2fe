"""Cases on file: inputs, the right output, and the mistakes that each one catches."""

import json
import zlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from attncheck.exchange import NEEDED, expected_model
from attncheck.formats import FORMATS, round_to
from attncheck.model.attending import Attended, attend
from attncheck.model.domain import ALL
from attncheck.model.fields import Model, Sizes
from attncheck.plan import Call, read_calls
from attncheck.runs import as_passed, draw, draw_mask
from attncheck.safetensors import write_safetensors
from attncheck.verify import tolerance

FLOAT32 = FORMATS["float32"]
TOLERANCES = ("float32", "float16", "bfloat16")


@dataclass(frozen=True)
class Case:
    """One case: its inputs are numbers that every format from bfloat16 on holds."""

    call: Call

    @cached_property
    def keywords(self) -> dict[str, Any]:
        """Those of what is right."""
        return dict(eval(f"dict({self.call.right})"))

    @cached_property
    def arrays(self) -> dict[str, np.ndarray]:
        """Query, key, value, and a mask if there is one."""
        number = zlib.crc32(self.call.id.encode())
        arrays = dict(zip(NEEDED, draw(self.call, number, FLOAT32), strict=False))
        arrays = {name: round_to(x, "bfloat16") for name, x in arrays.items()}
        if self.call.mask:
            seen = as_passed(draw_mask(self.call, number), self.call)
            added = self.call.hides == "some"
            arrays["mask"] = np.where(seen, 0.5, -1.5) if added else seen
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
        found, d = self.attended(self.model), self.call.d
        return {x: float(tolerance(found, FORMATS[x], d).max()) for x in TOLERANCES}

    @cached_property
    def catches(self) -> list[str]:
        """The values of DOMAIN that it shows, by twice float32's tolerance."""
        found, sizes = [], Sizes(*self.call[2:8])
        with np.errstate(all="ignore"):
            for value in ALL:
                if (changed := value.change(self.model, sizes)) is not None:
                    off = np.abs(self.attended(changed).output - self.right)
                    right = np.all(off <= 2 * self.tolerances["float32"])
                    found += [] if right else [value.code]
        return found


# A mask without fully masked rows is added.
CASES = [
    Case(call)
    for call in read_calls("""
    plain | 1 1 1 2 3 4 | three keys, one head: scale and softmax
    scale | 1 1 1 3 4 4 | a scale of its own | right="scale=0.25"
    square | 1 1 1 4 4 4 | as many queries as keys
    low | 1 1 1 2 4 8 | every score far below 0 | size=400, kind="low"
    tall | 1 1 1 7 3 4 | more queries than keys | right="is_causal=True"
    cap | 1 1 1 4 6 4 | capped scores | size=9, right="softcap=2.0"
    cap-mask | 1 1 1 4 6 4 | a cap, then a mask
     | mask="nm", hides="second row", right="softcap=2.0"
    causal | 1 1 1 5 5 4 | causal | right="is_causal=True"
    tail-17 | 1 1 1 2 17 4 | one key more than a block of 16
    cache | 1 2 1 3 7 4 | queries after a cache of four keys
     | right="is_causal=True, query_offset=4"
    mask | 1 2 2 4 4 4 | a mask with a fully masked row
     | mask="nm", hides="second row"
    bias | 1 2 2 4 4 4 | a mask that is added | mask="nm"
    cache-window | 1 2 1 4 8 4 | a window after a cache
     | right="is_causal=True, query_offset=4, window=(2, None)"
    window | 1 1 1 8 8 4 | two before, one after | right="window=(2, 1)"
    tail-33 | 1 1 1 2 33 4 | one key more than a block of 32
    causal-window | 1 1 1 9 9 4 | a causal window
     | right="is_causal=True, window=(2, None)"
    masks | 2 2 2 4 4 4 | a mask for each head | mask="bhnm", hides="second row"
    tail-65 | 1 1 1 2 65 4 | one key more than a block of 64
    groups | 1 6 2 3 4 4 | six query heads on two key heads
    tail-129 | 1 1 1 2 129 4 | one key more than a block of 128
    columns | 1 1 1 3 5 72 | 72 columns, which fill no block
    tail-257 | 1 1 1 2 257 4 | one key more than a block of 256
    wider | 1 4 4 6 6 16 | d_k = 16, four heads
    causal-long | 1 1 1 130 130 4 | more than a block of 128 | right="is_causal=True"
""")
]


ARRAYS = (
    "cases.safetensors holds ID.query, .key, .value (float32; bfloat16 holds them too),"
    " .mask where there is one (bool, True = may attend; or float32, added to the "
    "scores), and .output (float64). Axes: batch, heads, tokens, d."
)


def write_vectors(folder: Path) -> list[Case]:
    """Write cases.json and cases.safetensors; return the cases."""
    folder.mkdir(parents=True, exist_ok=True)
    arrays, entries = {}, []
    for case in CASES:
        for name, x in case.arrays.items():
            stored = x if x.dtype == bool else x.astype(np.float32)
            arrays[f"{case.call.id}.{name}"] = stored
        arrays[f"{case.call.id}.output"] = case.right
        entries.append(
            {
                "id": case.call.id,
                "about": case.call.shows,
                "keywords": case.keywords,
                "has_mask": "mask" in case.arrays,
                "shape": dict(zip("bhgnmd", case.call[1:7], strict=True)),
                "tolerance": case.tolerances,
                "catches": case.catches,
            }
        )
    most = "The largest |output − right| that rounding may cause."
    about = {"format": 1, "arrays": ARRAYS, "tolerance": most}
    text = json.dumps(about | {"cases": entries}, indent=1, ensure_ascii=False)
    (folder / "cases.json").write_text(text + "\n", encoding="utf-8")
    write_safetensors(folder / "cases.safetensors", arrays)
    return CASES
