"""Compute again what copying loses without two heads, where a layer has four.

It takes a minute or two. Run it after a change of lesson 11's model or its training:

    python tools/copying_pairs.py
"""

import json

from attncourse.toys.copying.pairs import STORED, measure_pairs

SEEDS = range(12)


def main():
    """Train and measure a model from each seed; store what is found."""
    found = []
    for seed in SEEDS:
        found.append(measure_pairs(seed))
        print(seed, found[-1], flush=True)
    lines = ",\n ".join(json.dumps(one) for one in found)
    STORED.write_text(f"[{lines}]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
