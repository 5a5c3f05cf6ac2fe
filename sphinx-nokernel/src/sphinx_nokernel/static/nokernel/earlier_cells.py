"""Find which earlier cells a cell needs, from the names that each makes and uses.

A cell run in the page should print what the page shows, whatever the reader has run
before. So the cells that it builds on run first, unless what they made is still as they
left it. Other cells are not run, and what they need is not fetched.
"""

from names import read


def needed(cells, index):
    """List the earlier cells that cell ``index`` builds on, in order."""
    want, chosen = set(cells[index].uses), []
    for i in reversed(range(index)):
        if cells[i].everywhere or cells[i].touches & want:
            chosen.insert(0, i)
            want = (want - cells[i].makes) | cells[i].uses
    return chosen


class Plan:
    """Decides which cells must run, given those that have run.

    For each name it keeps the cells that touched it, and their source at the time. If
    running the needed cells alone would record the same, they need not run again.
    """

    def __init__(self, built=None):
        self.touched, self.built = {}, built

    def earlier(self, sources, index):
        """List the earlier cells that have to run before cell ``index``."""
        cells = read(sources, self.built)
        slice_ = needed(cells, index)
        fresh = {}
        for i in slice_:
            _note(fresh, cells, sources, i)
        uses = cells[index].uses
        as_left = all(self.touched.get(n) == fresh[n] for n in uses if n in fresh)
        quiet = all(not cells[i].everywhere for i in slice_)
        return [] if as_left and quiet else slice_

    def ran(self, sources, index, ok):
        """Record that a cell has run, or failed halfway."""
        cells = read(sources, self.built)
        _note(self.touched, cells, sources, index)
        if not ok:
            for name in cells[index].touches:
                self.touched[name] = ["unknown"]


def _note(touched, cells, sources, index):
    built_on = [*needed(cells, index), index]
    mark = tuple((i, sources[i]) for i in built_on)
    for name in cells[index].makes:
        touched[name] = [mark]
    for name in cells[index].changes - cells[index].makes:
        touched[name] = [*touched.get(name, []), mark]
