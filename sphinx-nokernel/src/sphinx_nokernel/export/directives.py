"""Rewrite each directive as plain Markdown.

Each function takes the block, a function `plain` that rewrites a text, and the Reader
of the book.
"""

from pathlib import Path
from textwrap import dedent

from sphinx.util import parselinenos

from .parts import code, fold, items, on_one_line, quiz, quote


def admonition(block, plain, reader):
    """Return a fold for the class `dropdown`, and a quote otherwise."""
    title, body = _title_and_body(block)
    if block.name == "dropdown" or "dropdown" in block.options.get("class", "").split():
        return fold(title, plain(body))
    return quote(title, plain(body))


def _title_and_body(block):
    """Return title and body; only some directives take the title as their argument."""
    if block.name in TITLED:
        return block.argument, block.body
    return block.name.capitalize(), f"{block.argument}\n{block.body}".lstrip("\n")


def list_table(block, plain, reader):
    """Return a Markdown table, with the first row as its header."""
    rows = [items(row)[1] for row in items(plain(block.body))[1]]
    cells = [[on_one_line(one).replace("|", r"\|") for one in row] for row in rows]
    lines = [f"| {' | '.join(row)} |" for row in cells]
    lines.insert(1, "|" + " --- |" * len(cells[0]))
    return "\n".join(lines)


def glossary(block, plain, reader):
    """Return each term in bold, followed by its meaning."""
    entries = []
    for line in block.body.splitlines():
        if line[:1].strip():
            entries.append((line, []))
        elif entries:
            entries[-1][1].append(line)
    meanings = [(plain(term), plain(dedent("\n".join(x)))) for term, x in entries]
    return "\n\n".join(f"**{term}**: {meaning}" for term, meaning in meanings)


def literal_include(block, plain, reader):
    """Return the lines of a file as code."""
    path = Path(reader.page.parent, block.argument)
    lines = path.read_text(encoding="utf-8").splitlines()
    if wanted := block.options.get("lines"):
        lines = [lines[number] for number in parselinenos(wanted, len(lines))]
    return code(block.options.get("language", ""), "\n".join(lines))


def code_block(block, plain, reader):
    """Return a code block as a plain Markdown fence."""
    return code(block.argument, block.body)


def code_cell(block, plain, reader):
    """Return a code cell as a code block, inside a fold if it is a solution."""
    text = code("python", block.body)
    if "solution" in block.options.get("tags", ""):
        return fold(reader.solution_title, text)
    return text


def math(block, plain, reader):
    """Return a display formula, between `$$` lines."""
    body = f"{block.argument}\n{block.body}".strip("\n")
    return f"$$\n{body}\n$$"


def figure(block, plain, reader):
    """Return a picture, and its caption below."""
    picture = f"![{block.options.get('alt', '')}]({block.argument})"
    return f"{picture}\n\n{plain(block.body)}".strip("\n")


def bibliography(block, plain, reader):
    """Return every entry of the bibliography."""
    reader.bibliography.forget()
    return reader.bibliography.list(reader.bibliography.entries)


def own_body(block, plain, reader):
    """Return the content of the block, without its fence."""
    return plain(block.body)


def nothing(block, plain, reader):
    """Return an empty text: the directive matters only on the site."""
    return ""


TITLED = {"admonition", "dropdown", "sidebar", "topic"}
ADMONITIONS = (
    *TITLED,
    *("note", "tip", "hint", "important", "warning", "caution", "attention", "danger"),
    *("error", "seealso"),
)
READINGS = {
    **dict.fromkeys(ADMONITIONS, admonition),
    **dict.fromkeys(("quiz", "predict"), quiz),
    **dict.fromkeys(("challenge", "revealed"), nothing),
    **dict.fromkeys(("div", "container", "solution-intro"), own_body),
    **dict.fromkeys(("code", "code-block", "sourcecode"), code_block),
    **dict.fromkeys(("figure", "image"), figure),
    "code-cell": code_cell,
    "list-table": list_table,
    "glossary": glossary,
    "literalinclude": literal_include,
    "math": math,
    "bibliography": bibliography,
}
