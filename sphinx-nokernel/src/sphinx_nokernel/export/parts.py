"""The parts of plain copies: folds, quotes, fenced code."""

from markdown_it import MarkdownIt

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
