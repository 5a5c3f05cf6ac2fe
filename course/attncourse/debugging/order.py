"""The order in which checks are worth running: first what tells most bugs apart."""

from itertools import combinations


def together(table, chosen):
    """List the pairs of bugs that a choice of checks does not tell apart.

    Parameters
    ----------
    table : dict of str to sequence of bool
        For each bug, whether each check fires.
    chosen : sequence of int
        Which checks.
    """
    return [
        (one, other)
        for one, other in combinations(table, 2)
        if all(table[one][i] == table[other][i] for i in chosen)
    ]


def order(table):
    """Choose checks one by one, each so that the fewest pairs stay together.

    Returns
    -------
    list of (int, int)
        Each check, and how many pairs are together after it. What tells none apart that
        were together is left out; of equals, the first is chosen.
    """
    chosen, found = [], []
    left, n_checks = len(together(table, [])), len(next(iter(table.values())))
    while True:
        best = min(range(n_checks), key=lambda i: len(together(table, [*chosen, i])))
        still = len(together(table, [*chosen, best]))
        if still == left:
            return found
        chosen, left = [*chosen, best], still
        found.append((best, still))
