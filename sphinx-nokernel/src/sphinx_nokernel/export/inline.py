"""Rewrite inline syntax: roles, spans with attributes, links to other pages."""

import os
from pathlib import Path
from urllib.parse import unquote, urlsplit

from sphinx.util.nodes import explicit_title_re

from .edits import Edit, Places
from .found import found_in

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
