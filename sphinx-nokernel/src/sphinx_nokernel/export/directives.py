"""What each directive reads like in plain Markdown."""

import re
from pathlib import Path

from .fences import items

FOLD = "<details>\n<summary>{title}</summary>\n\n{body}\n\n</details>"
CHOICE = re.compile(r"\[(?P<mark>[ x])\]\s*(?P<label>.*)", re.DOTALL)
GUESS = "Answer (make your guess first)"
ANSWER = "Answer"
EACH = "What to say to each"


def fold(title, body):
    """Return text that opens on a click wherever Markdown may hold HTML."""
    return FOLD.format(title=_html(title), body=body.strip("\n"))


def quote(title, body):
    """Return a quote with a bold title."""
    lines = [f"**{title}**", "", *body.strip("\n").split("\n")]
    return "\n".join(f"> {line}".rstrip() for line in lines)


def _html(title):
    """Return a title's Markdown as HTML: a summary holds no Markdown."""
    title = re.sub(r"`([^`]+)`", r"<code>\1</code>", title)
    title = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", title)
    return re.sub(r"\*(.+?)\*", r"<i>\1</i>", title)


def admonition(block, body, reader):
    """Return a fold for the class `dropdown`, and a quote otherwise."""
    title = block.argument if block.name == "admonition" else block.name.capitalize()
    if "dropdown" in block.options.get("class", "").split():
        return fold(title, body)
    return quote(title, body)


def quiz(block, body, reader):
    """Return a question with its numbered choices, and the feedback in a fold.

    Of several in a row, each has a number (see `number_questions`) that its fold names:
    a fold stands as near to the question after it as to its own.
    """
    guess, number = block.name == "predict", block.options.get("number")
    choices = [_choice(lines) for lines in items(body.split("\n"))]
    name = "Predict: " if guess else f"Question {number}. " if number else ""
    question = f"**{name}{block.argument}**"
    labels = [f"{i}. {label}" for i, (_, label, _) in enumerate(choices, 1)]
    title = EACH if "any" in block.options else GUESS if guess else ANSWER
    if number:
        title += f" to question {number}"
    told = [_told(i, *choice) for i, choice in enumerate(choices, 1)]
    return "\n".join([question, "", *labels, "", fold(title, "\n\n".join(told))])


def number_questions(blocks):
    """Give each question of a quiz that has several its number."""
    questions = [block for block in blocks if block.name == "quiz"]
    if len(questions) > 1:
        for number, block in enumerate(questions, 1):
            block.options["number"] = str(number)


def _choice(lines):
    """Return whether a choice is right, its label and its feedback."""
    start = next((i for i, line in enumerate(lines) if line.startswith("- ")), None)
    feedback = [" ".join(" ".join(one).split()) for one in items(lines[start:])]
    text = " ".join(lines[:start])
    match = CHOICE.match(text)
    if match is None:
        raise ValueError(f"a choice must begin with [x] or [ ], got {text!r}")
    return match["mark"] == "x", match["label"].strip(), " ".join(feedback)


def _told(number, right, label, feedback):
    end = "" if label[-1] in ".?!" else "."
    words = f"**{label}{end}**" if right else f"{label}{end}"
    return f"{number}\\. {'✓ ' if right else ''}{words} {feedback}"


def list_table(block, body, reader):
    """Return a table of Markdown, its first row as the head."""
    rows = [items(row) for row in items(body.split("\n"), "*")]
    cells = [[_cell(lines) for lines in row] for row in rows]
    lines = [f"| {' | '.join(row)} |" for row in cells]
    lines.insert(1, "|" + " --- |" * len(cells[0]))
    return "\n".join(lines)


def _cell(lines):
    return " ".join(" ".join(lines).split()).replace("|", r"\|")


def glossary(block, body, reader):
    """Return each term in bold before what it means."""
    return re.sub(r"^(\S.*)\n\s+(?=\S)", r"**\1**: ", body, flags=re.MULTILINE)


def literal_include(block, body, reader):
    """Return the lines of a file as code."""
    path = Path(reader.page.parent, block.argument)
    lines = path.read_text(encoding="utf-8").splitlines()
    if wanted := block.options.get("lines"):
        first, _, last = wanted.partition("-")
        lines = lines[int(first) - 1 : int(last or first)]
    return "\n".join([f"```{block.options.get('language', '')}", *lines, "```"])


def code_cell(block, body, reader):
    """Return the code of a text as a block, a solution in a fold."""
    lines = "\n".join(block.body).strip("\n")
    code = f"```python\n{lines}\n```"
    if "solution" in block.options.get("tags", ""):
        return fold(reader.solution_title, code)
    return code


def bibliography(block, body, reader):
    """Return every entry of the bibliography."""
    reader.bibliography.forget()
    return reader.bibliography.list(reader.bibliography.entries)


def own_body(block, body, reader):
    """Return what the block holds, without its fence."""
    return body


def nothing(block, body, reader):
    """Return nothing: a mark for the site alone."""
    return ""


ADMONITIONS = (
    *("admonition", "note", "tip", "hint", "important", "warning", "caution"),
    *("attention", "danger", "error", "seealso"),
)
READINGS = {
    **dict.fromkeys(ADMONITIONS, admonition),
    "quiz": quiz,
    "predict": quiz,
    "challenge": nothing,
    "revealed": nothing,
    "code-cell": code_cell,
    "list-table": list_table,
    "glossary": glossary,
    "literalinclude": literal_include,
    "bibliography": bibliography,
}
