"""A text, its lines, and edits that replace parts of it."""

from dataclasses import dataclass
from functools import lru_cache

from markdown_it.token import Token

from ..myst import parser


@dataclass(frozen=True)
class Edit:
    """Replace `text[start:end]` by `new`."""

    start: int
    end: int
    new: str


class Source:
    """A text to edit; whatever no edit covers stays unchanged."""

    def __init__(self, text):
        self.text = text
        self.lines = text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.claimed = {}

    def at(self, line, column):
        """Convert a line and column to an index in the text."""
        return self.starts[line] + column

    def find(self, line, content, start=0):
        """Return the column at which content begins in a line."""
        escaped = content.replace("|", r"\|")
        for text in (content, escaped, content.strip()):
            if (column := self.lines[line].find(text, start)) >= 0:
                return column
        raise ValueError(f"line {line + 1} does not hold {content!r}")

    def claim(self, line, content):
        """Return the column of content in a line, after any content claimed earlier.

        The cells of a table row share a line, and two may have the same content.
        """
        column = self.find(line, content, self.claimed.get(line, 0))
        self.claimed[line] = column + len(content)
        return column

    def lines_edit(self, first, last, new):
        """Return the edit that replaces `lines[first:last]`.

        The new text keeps the old one's list or quote markers. If it is empty, the
        blank lines below are removed too.
        """
        if not new:
            while last < len(self.lines) and not self.lines[last].strip():
                last += 1
            return Edit(self.at(first, 0), min(self.at(last, 0), len(self.text)), "")
        begin, then = self._margins(first)
        one, *more = new.split("\n")
        lines = [begin + one, *(then + x if x else then.rstrip() for x in more)]
        return Edit(self.at(first, 0), self.at(last, 0) - 1, "\n".join(lines))

    def insertion(self, line, new):
        """Return the edit that inserts text above a line."""
        return Edit(self.at(line, 0), self.at(line, 0), new)

    def _margins(self, first):
        """Return the prefix of a block's first line, and that of its other lines."""
        line = self.lines[first]
        begin = line[: len(line) - len(line.lstrip(" >-*+0123456789.)"))]
        return begin, "".join(one if one == ">" else " " for one in begin)

    def edited(self, edits):
        """Return the text with all edits applied; they must not overlap."""
        parts, at = [], 0
        for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
            parts += [self.text[at : edit.start], edit.new]
            at = edit.end
        return "".join([*parts, self.text[at:]])


class Places:
    """Map positions in a token's content to positions in the source.

    The content lacks the prefixes of its lines (list and quote markers) and, in a
    table, the backslash before a `|`.
    """

    def __init__(self, token, source):
        self.content = token.content.split("\n")
        self.first, self.source = token.map[0], source
        self.begin = source.claim(self.first, self.content[0])

    def __call__(self, at):
        """Return the index in the text of a position in the content."""
        line, column = 0, at
        while column > len(self.content[line]):
            column -= len(self.content[line]) + 1
            line += 1
        text = self.content[line]
        begin = self.begin if line == 0 else self.source.find(self.first + line, text)
        written = self.source.lines[self.first + line]
        if not written.startswith(text, begin):
            column += text[:column].count("|")
        return self.source.at(self.first + line, begin + column)


# Find where the parser's rules match in a line: its tokens lack positions.

NOTED = ("myst_role", "link", "span", "attr")


@dataclass
class Found:
    """A match of a parser rule in a line's content."""

    rule: str
    start: int
    end: int
    label_end: int  # index of the closing bracket of a link or span
    token: Token


def found_in(content, extensions):
    """Return the matches of roles, links, spans and attributes in a line's content."""
    env = {"found": []}
    md = _noting_parser(extensions)
    md.inline.parse(content, md, env, [])
    return env["found"]


@lru_cache
def _noting_parser(extensions):
    """Return a parser that records in `env["found"]` where each rule matched."""
    md = parser.__wrapped__(extensions)  # not the cached one: this one is modified
    for rule in list(md.inline.ruler.__rules__):
        if rule.name in NOTED:
            md.inline.ruler.at(rule.name, _noting(rule.name, rule.fn))
    return md


def _noting(name, rule):
    def noting(state, silent):
        start, known = state.pos, len(state.tokens)
        if not rule(state, silent):
            return False
        if not silent:
            label_end = -1
            if name in ("link", "span"):
                label_end = state.md.helpers.parseLinkLabel(state, start, False)
            new = [token for token in state.tokens[known:] if token.type != "text"]
            token = (new or state.tokens[-1:])[0]
            found = Found(name, start, state.pos, label_end, token)
            state.env["found"].append(found)
        return True

    return noting
