"""Rewrite MyST as plain Markdown, changing only MyST's own syntax."""

import os
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urlsplit

from sphinx.util.nodes import explicit_title_re

from ..myst import directive, lines_of, parser
from .directives import READINGS
from .edits import Edit, Places, Source, found_in
from .parts import number_questions

# Rewrite inline syntax: roles, spans with attributes, links to other pages.

# Roles that refer to something in the book or in Python, and show a title.
REFERENCES = {
    *("doc", "ref", "numref", "any", "term", "download", "keyword", "envvar"),
    "number",
    *("option", "token", "class", "func", "meth", "attr", "mod", "obj", "exc", "data"),
}
AROUND = {
    **dict.fromkeys(
        ("strong", "command", "guilabel", "menuselection", "program"), "**"
    ),
    **dict.fromkeys(("emphasis", "dfn"), "*"),
    **dict.fromkeys(("code", "literal", "file", "samp"), "`"),
    "math": "$",
    "eq": "",
}
ELEMENTS = {
    **dict.fromkeys(("sub", "subscript"), "sub"),
    **dict.fromkeys(("sup", "superscript"), "sup"),
    **{"kbd": "kbd", "abbr": "abbr"},
}


def inline_edits(token, source, reader):
    """Return the edits that one run of inline Markdown needs."""
    found = found_in(token.content, reader.extensions)
    changes = [change for one in found for change in _changes(one, token, reader)]
    if not changes:
        return []
    place = Places(token, source)
    return [Edit(place(start), place(end), new) for start, end, new in changes]


def _changes(found, token, reader):
    """Yield (start, end, new) for each change that one match needs in a line."""
    if found.rule == "myst_role":
        text = _role(found.token.meta["name"], found.token.content, reader)
        if text is not None:
            yield found.start, found.end, text
    elif found.rule == "attr":
        yield found.start, found.end, ""
    elif found.rule == "span":
        yield found.start, found.start + 1, ""
        yield found.label_end, found.end, ""
    elif token.content[found.label_end + 1 : found.label_end + 2] == "(":
        yield from _link(found, reader)


def _role(name, text, reader):
    """Return the Markdown for a role, or None if the role is not known."""
    if name in reader.roles:
        return reader.roles[name](text, reader)
    if name.startswith("cite"):
        in_text = name in ("cite:t", "cite:ct")
        return reader.bibliography.cite(text, in_text=in_text)
    if name in AROUND:
        return f"{AROUND[name]}{text}{AROUND[name]}"
    if name in ELEMENTS:
        return f"<{ELEMENTS[name]}>{text}</{ELEMENTS[name]}>"
    if name.partition(":")[2] in REFERENCES or name in REFERENCES:
        titled = explicit_title_re.match(text)
        return titled[1] if titled else text
    return None


def _link(found, reader):
    """Yield the changes that link to a page's copy, or unlink a page without one."""
    address = urlsplit(unquote(found.token.attrGet("href")))
    if address.scheme or address.netloc:
        return
    path = address.path
    name = path if path.endswith((".ipynb", ".md")) else f"{path}.md"
    file = Path(os.path.normpath(reader.page.parent / name))
    if reader.has(file) and (file.suffix == ".ipynb" or file in reader.pages):
        place = _address(Path(name).with_suffix(".ipynb"), file, reader)
        yield found.label_end, found.end, f"]({place})"
    else:
        yield found.start, found.start + 1, ""
        yield found.label_end, found.end, ""


def _address(name, file, reader):
    if not reader.home:
        return name.as_posix()
    place = file.with_suffix(".ipynb").relative_to(reader.folder).as_posix()
    return f"{reader.home.rstrip('/')}/{place}"


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
