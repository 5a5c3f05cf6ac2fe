"""Find where the parser's rules match in a line: its tokens lack positions."""

from dataclasses import dataclass
from functools import lru_cache

from markdown_it.token import Token

from ..myst import parser

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
