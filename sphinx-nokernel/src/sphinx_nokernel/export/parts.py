"""Parts of plain copies: items of lists, folds, quotes, fenced code."""

from markdown_it import MarkdownIt

from ..myst import lines_of, parser

FOLD = "<details>\n<summary>{title}</summary>\n\n{body}\n\n</details>"


def fold(title, body):
    """Return a fold, which opens on a click wherever Markdown may contain HTML."""
    # A summary contains HTML, not Markdown.
    title = MarkdownIt().renderInline(title)
    return FOLD.format(title=title, body=body.strip("\n"))


def quote(title, body):
    """Return a quote with a bold title."""
    lines = [f"**{title}**", "", *body.strip("\n").split("\n")]
    return "\n".join(f"> {line}".rstrip() for line in lines)


def code(language, text):
    """Return code in a fence longer than any inside it."""
    ticks = 3
    while "`" * ticks in text:
        ticks += 1
    return f"{'`' * ticks}{language}\n{text.strip(chr(10))}\n{'`' * ticks}"


def items(text):
    """Return the text before the outermost list, and the items of that list.

    Items come without their marker and indentation.
    """
    lines, found, begin = text.split("\n"), [], None
    for token in parser().parse(text):
        if token.type == "list_item_open" and token.level == 1:
            first, last = lines_of(token)
            begin = first if begin is None else begin
            found.append(_item(lines[first:last], token.info + token.markup))
    return "\n".join(lines[:begin]), found


def _item(lines, mark):
    after_mark = len(lines[0]) - len(lines[0].lstrip()) + len(mark)
    spaces = len(lines[0][after_mark:]) - len(lines[0][after_mark:].lstrip())
    margin = after_mark + (spaces if spaces in range(1, 5) else 1)
    own = [line.removeprefix(" " * min(margin, _indent(line))) for line in lines[1:]]
    return "\n".join([lines[0][margin:], *own]).strip("\n")


def _indent(line):
    return len(line) - len(line.lstrip())


def on_one_line(text):
    """Return a text without line breaks."""
    return " ".join(text.split())
