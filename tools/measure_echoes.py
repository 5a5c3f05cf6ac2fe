"""Train and measure the models of the page on what changed since 2017, and store it.

    python tools/measure_echoes.py

It takes a few minutes. A test trains one of the models again.
"""

from attncourse.toys.echoes import seeds
from attncourse.toys.echoes.measures import ORDERS, PATH, SEEDS, measure
from attncourse.toys.training import as_lines


def main():
    """Measure every model, and write what was found."""
    many = {
        order: {
            kind: [seeds.measure(order, kind, n) for n in range(seeds.N_SEEDS)]
            for kind in seeds.MODELS
        }
        for order in seeds.ORDERS
    }
    seeds.PATH.write_text(as_lines(many))
    found = {order: [measure(order, seed) for seed in SEEDS] for order in ORDERS}
    PATH.write_text(as_lines(found))


if __name__ == "__main__":
    main()
