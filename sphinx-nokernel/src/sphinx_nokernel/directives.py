"""Questions written as lists in Markdown, with feedback for every choice.

    :::{quiz} Which vectors are used to compute the scores?
    - [ ] Queries and values
      - The values come in at the end.
    - [x] Queries and keys
      - Yes.
    :::

`predict` has the same form and also covers what follows it (see `predictions.py`); with
the option `any`, no choice is right or wrong. `challenge` covers too, but has no
choices: a figure says when it is met. The build fails on a question without exactly one
right choice (none, with `any`) and on a choice without feedback.
"""

import re

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

from .nodes import (
    challenge,
    choice,
    choice_feedback,
    choice_label,
    question,
    question_title,
    revealed,
)
from .solutions import INTRO, SolutionIntro

MARKS = {"[ ]": False, "[x]": True}
GREETING = re.compile(r"(Yes|Right)[.,:](\s+|$)")


class Quiz(SphinxDirective):
    """A question; choosing an answer shows its feedback, without a script."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = {"name": directives.unchanged}  # noqa: RUF012

    def run(self):
        """Check the choices and return the question."""
        body = nodes.Element()
        self.state.nested_parse(self.content, self.content_offset, body)
        items = [item for part in body.children for item in part.children]
        name = self._name()
        choices = [self._choice(item, name, i) for i, item in enumerate(items, 1)]
        self._check([one["right"] for one in choices])
        words, messages = self.state.inline_text(self.arguments[0], self.lineno)
        title = question_title("", "", *words)
        node = question("", title, *choices, kind=self.name, ids=[name])
        self.set_source_info(node)
        if "name" in self.options:  # so that links can target it
            self.add_name(node)
        node["name"] = name
        return [node, *messages]

    def _name(self):
        """Return a name that no other question on the page has."""
        wanted = self.options.get("name") or f"{self.name} {self.arguments[0]}"
        taken = self.env.temp_data.setdefault("nokernel_names", set())
        name = stem = nodes.make_id(wanted)[:60].rstrip("-") or self.name
        number = 1
        while name in taken:
            number += 1
            name = f"{stem}-{number}"
        taken.add(name)
        return name

    def _check(self, marks):
        right = sum(marks)
        if len(marks) < 2 or right != 1:
            raise self.error(
                f"{self.name}: needs two choices or more, one of them marked [x]; "
                f"got {len(marks)} choices, {right} marked"
            )

    def _choice(self, item, name, number):
        first, *feedback = item.children or [nodes.paragraph()]
        mark = first.astext()[:3]
        if mark not in MARKS:
            raise self.error(
                f"{self.name}: a choice starts with [ ] or [x], got {mark!r}"
            )
        if not feedback:
            raise self.error(f"{self.name}: choice {first.astext()!r} has no feedback")
        label = choice_label("", "", *_without_mark(first))
        parts = [part for one in feedback for part in _paragraphs(one)]
        _greet(parts[0])
        node = choice("", label, choice_feedback("", *parts), name=name, number=number)
        node["right"] = MARKS[mark]
        return node


class Predict(Quiz):
    """A question to be answered before what follows it is shown."""

    option_spec = {**(Quiz.option_spec or {}), "any": directives.flag}  # noqa: RUF012

    def run(self):
        """Return the question; with `any`, none of its choices is right or wrong."""
        found = super().run()
        if "any" in self.options:
            for one in found[0].findall(choice):
                one["right"] = None
        return found

    def _check(self, marks):
        if "any" not in self.options:
            super()._check(marks)
        elif len(marks) < 2 or any(marks):
            raise self.error(
                "predict: with the option any, needs two choices or more, none of them "
                f"marked [x]; got {len(marks)} choices, {sum(marks)} marked"
            )


class Challenge(SphinxDirective):
    """A task for the figure before it; what follows is covered until it is met."""

    optional_arguments = 1
    final_argument_whitespace = True
    option_spec = {"name": directives.unchanged}  # noqa: RUF012

    def run(self):
        """Return the node, named by the option `name` or by a serial number."""
        words = " ".join(self.arguments) or "Reach it in the figure above to go on"
        number = self.env.new_serialno("nokernel_challenge")
        name = self.options.get("name") or f"challenge-{number + 1}"
        return [challenge("", name=name, words=words, ids=[name])]


class Revealed(SphinxDirective):
    """The end of the part that the prediction before it covers."""

    def run(self):
        """Return the node."""
        return [revealed()]


def _greet(feedback):
    """Put a "Yes" at its beginning apart: it is for those who made the choice."""
    text = next(feedback.findall(nodes.Text), None)
    if text and (found := GREETING.match(text)):
        greeting = nodes.inline("", found[0], classes=["nk-greeting"])
        text.parent.replace(text, [greeting, nodes.Text(text[found.end() :])])
        feedback["classes"].append("nk-greets")


def _without_mark(paragraph):
    """Return a paragraph's content without the [ ] or [x] that it starts with."""
    text, *others = paragraph.children
    return [nodes.Text(text.astext()[3:].lstrip()), *others]


def _paragraphs(part):
    """Return the content of a nested list, without the list itself."""
    return [p for item in part.children for p in item.children]


def add_directives(app):
    """Register every directive with Sphinx."""
    for name, directive in (
        ("quiz", Quiz),
        ("predict", Predict),
        ("challenge", Challenge),
        ("revealed", Revealed),
        (INTRO, SolutionIntro),
    ):
        app.add_directive(name, directive)
