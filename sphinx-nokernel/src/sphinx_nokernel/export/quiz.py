"""Questions and predictions: numbered choices, with the feedback in a fold."""

from .parts import fold, items, on_one_line

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
