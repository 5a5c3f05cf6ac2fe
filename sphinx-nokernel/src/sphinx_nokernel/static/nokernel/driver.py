"""The worker's driver: runs the cells of one page, in one namespace."""

import re

import cells
import earlier_cells
from magics import as_python


class Driver:
    """Runs a cell, after those that it builds on.

    Parameters
    ----------
    post : callable
        Takes an event: its type (``begin``, ``output``, ``end``), the index of the
        cell, a kind, a text.
    load : async callable
        Takes code and fetches the packages that it imports; returns a message about
        those that it could not fetch.
    built : list of str
        The cells, as written on the page.
    imports : dict of str to str
        Modules of the site's own packages, by dotted name, and what must be fetched
        before each is imported.
    names : list of str
        What each cell is called in tracebacks; ``cell 1``, ``cell 2`` if none is given.
    """

    def __init__(self, post, load, built, imports=(), names=()):
        self.post, self.load = post, load
        self.names = names or [f"cell {at}" for at, _ in enumerate(built, start=1)]
        self.imports = {
            importer(name): needed for name, needed in dict(imports).items()
        }
        self.plan, self.at = earlier_cells.Plan([*map(as_python, built)]), 0
        self.cells = cells.Cells(lambda *piece: post("output", self.at, *piece))

    async def run(self, sources, index):
        """Run cell ``index`` after those that it needs; stop at the first failure."""
        sources = [as_python(source) for source in sources]
        for at in [*self.plan.earlier(sources, index), index]:
            self.at = at
            self.post("begin", self.at, "", "")
            ok = await self._one(sources)
            self.post("end", self.at, "done" if ok else "error", "")
            if not ok:
                return

    async def fetch(self, source):
        """Fetch what code imports; return a message about any failure."""
        hidden = [
            needed for name, needed in self.imports.items() if name.search(source)
        ]
        return await self.load(
            "\n".join([source, *(f"import {one}" for one in hidden)])
        )

    async def _one(self, sources):
        source = sources[self.at]
        said = await self.fetch(source)
        if isinstance(said, str) and said:
            self.post("output", self.at, "stderr", said)
        ok = await self.cells.run(source, self.names[self.at])
        self.plan.ran(sources, self.at, ok)
        return ok


def importer(module):
    """Return a pattern for code that imports a module: `a.b`, or `from a import b`."""
    package, _, name = module.rpartition(".")
    inside = rf"{re.escape(package)}(\.| import .*\b)" if package else ""
    return re.compile(rf"\b{inside}{re.escape(name)}\b")
