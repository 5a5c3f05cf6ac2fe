"""The book as an export reads it."""

import os
import re
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

from pybtex.database import parse_file
from pybtex.plugin import find_plugin

from ..myst import EXTENSIONS

# Citations as plain text, and the list of references.


class Bibliography:
    """The entries of BibTeX files, and the keys that were cited since `forget`."""

    def __init__(self, files=()):
        self.entries = {}
        for file in files:
            self.entries.update(parse_file(str(file)).entries)
        self.cited = []
        self.style = find_plugin("pybtex.style.formatting", "plain")()
        self.backend = find_plugin("pybtex.backends", "markdown")()

    def forget(self):
        """Forget the cited keys before a new page."""
        self.cited = []

    def cite(self, keys, *, in_text):
        """Return a citation: Vaswani et al. (2017), or (Vaswani et al., 2017)."""
        keys = [key.strip() for key in keys.split(",")]
        pairs = [self._author_and_year(key) for key in keys]
        self.cited += [key for key in keys if key not in self.cited]
        if in_text:
            return " and ".join(f"{author} ({year})" for author, year in pairs)
        return f"({'; '.join(f'{author}, {year}' for author, year in pairs)})"

    def _author_and_year(self, key):
        if key not in self.entries:
            raise ValueError(f"no bibliography entry has the key {key!r}")
        entry = self.entries[key]
        names = [" ".join(p.prelast_names + p.last_names) for p in _people(entry)]
        match names:
            case [one]:
                author = one
            case [one, other]:
                author = f"{one} and {other}"
            case [one, *_]:
                author = f"{one} et al."
            case _:
                author = entry.fields["title"]
        return _unbraced(author), entry.fields.get("year", "no year")

    def list(self, keys):
        """Return the entries with these keys as a Markdown list, by author."""
        chosen = sorted(keys, key=self._author_and_year)
        texts = self.style.format_entries([self.entries[key] for key in chosen])
        return "\n".join(f"- {_line(one.text.render(self.backend))}" for one in texts)


def _people(entry):
    return entry.persons.get("author") or entry.persons.get("editor") or []


def _unbraced(text):
    return re.sub(r"[{}]", "", text)


def _line(text):
    """Return the text on one line, without pybtex's escapes of harmless letters."""
    return re.sub(r"\\([^\\*_`\[\]])", r"\1", " ".join(text.split()))


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
