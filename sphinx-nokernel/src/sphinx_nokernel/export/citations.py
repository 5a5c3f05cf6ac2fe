"""Citations as plain text, and the list of references."""

import re

from pybtex.database import parse_file
from pybtex.plugin import find_plugin


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
