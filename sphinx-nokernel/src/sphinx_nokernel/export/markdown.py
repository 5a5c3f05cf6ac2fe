"""Rewrite MyST as plain Markdown, changing only MyST's own syntax."""

from itertools import pairwise

from ..myst import directive, lines_of, parser
from .directives import READINGS
from .edits import Source
from .inline import inline_edits
from .quiz import number_questions

# Syntax for Sphinx only: labels, comments, cell breaks, block attributes.
MARKS = {"myst_target", "myst_line_comment", "myst_block_break", "attrs_block"}


def plain_text(text, reader):
    """Return a MyST text as plain Markdown."""
    return _with_room_below_folds(_plain(text, reader).strip("\n"), reader)


def _plain(text, reader):
    source = Source(text)
    tokens = parser(reader.extensions).parse(text)
    blocks = [directive(token) for token in tokens]
    number_questions([block for block in blocks if block])
    edits = []
    for token, block in zip(tokens, blocks, strict=True):
        if block:
            edits += _directive_edits(block, source, reader)
        elif token.type in MARKS:
            edits.append(source.lines_edit(*lines_of(token), ""))
        elif token.type == "inline":
            edits += inline_edits(token, source, reader)
    return source.edited(edits)


def _directive_edits(block, source, reader):
    """Return the edits that replace a directive; none if it is not known."""
    own, reading = reader.directives.get(block.name), READINGS.get(block.name)
    if not own and not reading:
        return []
    block.argument = _plain(block.argument, reader)

    def plain(text):
        return plain_text(text, reader)

    if reading and not own:
        new = reading(block, plain, reader)
    else:
        new = own(block.argument, block.options, plain(block.body), reader)
    return [source.lines_edit(block.first, block.last, new)]


def _with_room_below_folds(text, reader):
    """Insert a `<br>` between a fold and the text below it.

    JupyterLab leaves no space there, so that the text would seem part of the fold.
    """
    source = Source(text)
    outer = [t for t in parser(reader.extensions).parse(text) if t.level == 0 and t.map]
    edits = [
        source.insertion(lines_of(after)[0], "<br>\n\n")
        for fold, after in pairwise(outer)
        if fold.type == "html_block"
        and fold.content.rstrip().endswith("</details>")
        and after.type not in ("html_block", "heading_open")
    ]
    return source.edited(edits)
