"""Quizzes written as lists in Markdown, with feedback for every choice.

    :::{quiz} Which vectors are used to compute the scores?
    - [ ] Queries and values
      - The values come in at the end.
    - [x] Queries and keys
      - Yes.
    :::

On the page each question is a group of radio buttons; choosing one shows its feedback,
by style alone, so that it works without JavaScript; `quiz.js` also speaks it. In
JupyterLab the list is readable as it stands. A question without exactly one right
choice, or a choice without feedback, is an error and fails the build.
"""

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

MARKS = {"[ ]": False, "[x]": True}


class quiz(nodes.General, nodes.Element):
    """A question: its first child is the question, the others are choices."""


class quiz_question(nodes.General, nodes.TextElement):
    """The words of the question."""


class quiz_choice(nodes.General, nodes.Element):
    """A choice: its words, then its feedback. Attributes: name, number, right."""


class quiz_label(nodes.General, nodes.TextElement):
    """The words of a choice."""


class quiz_feedback(nodes.General, nodes.Element):
    """What a reader is told who chooses it."""


class Quiz(SphinxDirective):
    """The directive: one question."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self):
        """Return the question with its choices, checked."""
        body = nodes.Element()
        self.state.nested_parse(self.content, self.content_offset, body)
        items = [item for part in body.children for item in part.children]
        name = f"quiz-{self.env.new_serialno('quiz') + 1}"
        choices = [self._choice(item, name, i) for i, item in enumerate(items, 1)]
        right = sum(choice["right"] for choice in choices)
        if len(choices) < 2 or right != 1:
            raise self.error(
                f"quiz: needs two choices or more, one of them marked [x]; "
                f"got {len(choices)} choices, {right} marked"
            )
        words, messages = self.state.inline_text(self.arguments[0], self.lineno)
        return [quiz("", quiz_question("", "", *words), *choices), *messages]

    def _choice(self, item, name, number):
        first, *feedback = item.children or [nodes.paragraph()]
        mark = first.astext()[:3]
        if mark not in MARKS:
            raise self.error(f"quiz: a choice starts with [ ] or [x], got {mark!r}")
        if not feedback:
            raise self.error(f"quiz: choice {first.astext()!r} has no feedback")
        label = quiz_label("", "", *_without_mark(first))
        said = [part for one in feedback for part in _paragraphs(one)]
        answer = quiz_feedback("", *said)
        choice = quiz_choice("", label, answer, name=name, number=number)
        choice["right"] = MARKS[mark]
        return choice


def _without_mark(paragraph):
    """Return the paragraph's content without the [ ] or [x] it starts with."""
    text, *others = paragraph.children
    return [nodes.Text(text.astext()[3:].lstrip()), *others]


def _paragraphs(part):
    """Return what a nested list holds, without the list around it."""
    return [p for item in part.children for p in item.children]


def _visit(tag):
    return lambda self, node: self.body.append(tag)


def _visit_choice(self, node):
    id_ = f"{node['name']}-{node['number']}"
    kind = "right" if node["right"] else "wrong"
    self.body.append(
        f'<div class="aw-choice aw-{kind}">'
        f'<input type="radio" name="{node["name"]}" id="{id_}">'
        f'<label for="{id_}">'
    )


HTML = {
    quiz: ('<fieldset class="aw-quiz">', "</fieldset>\n"),
    quiz_question: ("<legend>", "</legend>"),
    quiz_label: ("", "</label>"),
    quiz_feedback: ('<div class="aw-feedback">', "</div>"),
}


def setup(app):
    """Register with Sphinx."""
    app.add_directive("quiz", Quiz)
    for node, (before, after) in HTML.items():
        app.add_node(node, html=(_visit(before), _visit(after)))
    app.add_node(quiz_choice, html=(_visit_choice, _visit("</div>\n")))
    app.add_css_file("quiz.css")
    app.add_js_file("quiz.js", loading_method="defer")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
