"""The book as an export reads it."""

import os
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

from ..myst import EXTENSIONS
from .citations import Bibliography


@dataclass
class Reader:
    """A book's settings, its own roles and directives, and the state of an export.

    Attributes
    ----------
    source : Path
        The folder that the book is built from.
    settings : dict
        The book's configuration values, by name.
    bibliography : Bibliography
    roles, directives : dict of str to callable
        The book's own, by name.
    folder, page : Path
        The folder whose files are rewritten, and the file that is being rewritten.
    home : str
        The base address of the copies, if links between them must be absolute.
    pages : set of Path
        The text files that are exported too: links to them lead to their notebooks.
    listed : set of str, or None
        The pages of the book, as `folder/name`; others are not exported. None: all are.
    first : str
        The first page, which may be headed by the book's title.
    """

    source: Path
    settings: dict
    bibliography: Bibliography = field(default_factory=Bibliography)
    roles: dict = field(default_factory=dict)
    directives: dict = field(default_factory=dict)
    folder: Path = Path()
    page: Path = Path()
    home: str = ""
    pages: set = field(default_factory=set)
    listed: set | None = None
    first: str = ""

    @classmethod
    def of(cls, settings, source):
        """Return the reader of a book, from its configuration values."""
        source = Path(source)
        files = [source / name for name in settings.get("bibtex_bibfiles", [])]
        return cls(
            source,
            settings,
            Bibliography(files),
            _functions(settings, "nokernel_plain_roles"),
            _functions(settings, "nokernel_plain_directives"),
        )

    @classmethod
    def of_app(cls, app):
        """Return the reader of the book that Sphinx is building."""
        found = {value.name: value.value for value in app.config}
        reader = cls.of(found, app.srcdir)
        reader.listed, reader.first = set(app.env.found_docs), app.config.root_doc
        return reader

    def has(self, file):
        """Say whether a page is in the book."""
        return self.listed is None or self.name_of(file) in self.listed

    def name_of(self, file):
        """Return what the book calls a page."""
        name = os.path.relpath(Path(file).with_suffix(""), self.source)
        return Path(name).as_posix()

    @property
    def extensions(self):
        """The extensions of MyST's syntax that the book uses."""
        return tuple(sorted(self.settings.get("myst_enable_extensions", EXTENSIONS)))

    @property
    def solutions(self):
        """Whether solutions are published."""
        return self.settings.get("nokernel_solutions", True)

    @property
    def solution_title(self):
        """The title of the folds that hold solutions."""
        return self.settings.get("nokernel_solution_title", "Show a solution")


def _functions(settings, key):
    return {name: _function(key, path) for name, path in settings.get(key, {}).items()}


def _function(key, path):
    module, _, name = path.partition(":")
    try:
        return getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(
            f"{key}: wants package.module:function, got {path!r} ({error})"
        ) from error
