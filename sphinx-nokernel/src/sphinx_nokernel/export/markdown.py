"""One Markdown text, rewritten: fenced blocks from the inside out, then lines."""

import re

from .directives import READINGS, number_questions, own_body
from .fences import Block, divide
from .inline import plain_line

TARGET = re.compile(r"\([\w-]+\)=\s*$")
# JupyterLab leaves no room below a fold: what follows would seem to belong to it.
BELOW_FOLD = re.compile(r"(?<=</details>\n\n)(?=[^\s#<])")


def plain_text(text, reader):
    """Return a MyST text as plain Markdown."""
    parts = _plain(text.split("\n"), reader)
    plain = re.sub(r"\n{3,}", "\n\n", "\n".join(parts)).strip("\n")
    return BELOW_FOLD.sub("<br>\n\n", plain)


def _plain(lines, reader):
    parts = list(divide(lines))
    number_questions([part for part in parts if isinstance(part, Block)])
    for part in parts:
        if isinstance(part, str):
            if not TARGET.match(part):
                yield plain_line(part, reader)
        elif part.name:
            yield _directive(part, reader)
        else:  # code: as it stands
            yield from [part.opening, *part.body, part.closing]


def _directive(block, reader):
    """Return what a directive reads like; one that is not known is its body."""
    block.argument = plain_line(block.argument, reader)
    body = "\n".join(_plain(block.body, reader)).strip("\n")
    if block.name in reader.directives:
        own = reader.directives[block.name]
        return own(block.argument, block.options, body, reader)
    return READINGS.get(block.name, own_body)(block, body, reader)
