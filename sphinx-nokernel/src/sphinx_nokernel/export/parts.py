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


# Questions and predictions: numbered choices, with the feedback in a fold.

MARKS = {"[x]": True, "[ ]": False}
GUESS = "Answer (make your guess first)"
ANSWER = "Answer"
EACH = "What to say to each"


def quiz(block, plain, reader):
    """Return a question with its numbered choices, and the feedback in a fold.

    If there are several, each has a number (see `number_questions`), which its fold
    repeats, because a fold is as close to the next question as to its own.
    """
    guess, number = block.name == "predict", block.options.get("number")
    choices = [_choice(item) for item in items(plain(block.body))[1]]
    name = "Predict: " if guess else f"Question {number}. " if number else ""
    question = f"**{name}{block.argument}**"
    labels = [f"{i}. {label}" for i, (_, label, _) in enumerate(choices, 1)]
    title = EACH if "any" in block.options else GUESS if guess else ANSWER
    if number:
        title += f" to question {number}"
    told = [_told(i, *choice) for i, choice in enumerate(choices, 1)]
    return "\n".join([question, "", *labels, "", fold(title, "\n\n".join(told))])


def number_questions(blocks):
    """Give each quiz question a number if a text has several."""
    questions = [block for block in blocks if block.name == "quiz"]
    if len(questions) > 1:
        for number, block in enumerate(questions, 1):
            block.options["number"] = str(number)


def _choice(item):
    """Return whether a choice is right, its label and its feedback."""
    text, feedback = items(item)
    mark, label = text[:3], on_one_line(text[3:])
    if mark not in MARKS:
        raise ValueError(f"a choice must begin with [x] or [ ], got {text!r}")
    return MARKS[mark], label, " ".join(map(on_one_line, feedback))


def _told(number, right, label, feedback):
    end = "" if label[-1] in ".?!" else "."
    words = f"**{label}{end}**" if right else f"{label}{end}"
    return f"{number}\\. {'✓ ' if right else ''}{words} {feedback}"
