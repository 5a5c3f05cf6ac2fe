"""What the worker holds: one Python, one namespace, the cells of one page."""

import re

import cells
import needs

# Parts of the course that import what Pyodide must fetch before.
HIDDEN_IMPORT = re.compile(r"\battncourse(\.| import .*\b)figures\b")


class Driver:
    """Runs a cell and, first, those it builds on.

    Parameters
    ----------
    post : callable
        Takes what happens: a type (``begin``, ``output``, ``end``), the index of the
        cell, a kind, a text.
    load : async callable
        Takes code and fetches the packages that it imports.
    built : list of str
        The cells as they stand on the page.
    """

    def __init__(self, post, load, built):
        self.post, self.load = post, load
        self.plan, self.at = needs.Plan([*map(cells.without_magics, built)]), 0
        self.cells = cells.Cells(lambda *piece: post("output", self.at, *piece))

    async def run(self, sources, index):
        """Run cell ``index`` of the page; stop at the first that fails."""
        sources = [cells.without_magics(source) for source in sources]
        for at in [*self.plan.earlier(sources, index), index]:
            self.at = at
            self.post("begin", self.at, "", "")
            ok = await self._one(sources)
            self.post("end", self.at, "done" if ok else "error", "")
            if not ok:
                return

    async def _one(self, sources):
        source = sources[self.at]
        hidden = "\nimport matplotlib" if HIDDEN_IMPORT.search(source) else ""
        await self.load(source + hidden)
        ok = await self.cells.run(source, f"cell {self.at + 1}")
        self.plan.ran(sources, self.at, ok)
        return ok
