"""The nodes for questions, folds and cells, and the HTML that each becomes."""

import json

from docutils import nodes


class question(nodes.General, nodes.Element):
    """A quiz or a prediction: the words of the question, then its choices.

    Attributes: kind (`quiz` or `predict`), name (unique on its page).
    """


class question_title(nodes.General, nodes.TextElement):
    """The words of a question."""


class challenge(nodes.General, nodes.Element):
    """A task for a figure, to be met before what follows is shown.

    Attributes: name (unique on its page), words.
    """


class choice(nodes.General, nodes.Element):
    """A choice: its label, then its feedback. Attributes: name, number, right."""


class choice_label(nodes.General, nodes.TextElement):
    """The words of a choice."""


class choice_feedback(nodes.General, nodes.Element):
    """The feedback for a reader who makes this choice."""


class revealed(nodes.Invisible, nodes.Element):
    """Where the part that a prediction covers ends before the next heading."""


class covered(nodes.General, nodes.Element):
    """The part that a prediction or challenge covers. Attribute: by."""


class hidden_cell(nodes.Invisible, nodes.Element):
    """A cell that the page hides and other cells build on. Attribute: source."""


class fold(nodes.General, nodes.Element):
    """A part that the reader opens; its first child is the title, always shown.

    Attribute: open.
    """


class fold_title(nodes.General, nodes.TextElement):
    """The title of a fold."""


def _tag(opening):
    return lambda self, node: self.body.append(opening)


def _visit_question(self, node):
    self.body.append(
        self.starttag(node, "fieldset", CLASS=f"nk-question nk-{node['kind']}")
    )


def _visit_choice(self, node):
    id_ = f"{node['name']}-{node['number']}"
    kind = {True: " nk-right", False: " nk-wrong", None: ""}[node["right"]]
    self.body.append(
        f'<div class="nk-choice{kind}">'
        f'<input type="radio" name="{node["name"]}" id="{id_}" />'
        f'<label for="{id_}">'
    )


def _visit_challenge(self, node):
    words = {"CLASS": "nk-challenge", "data-words": node["words"]}
    self.body.append(self.starttag(node, "div", "", **words))


def _visit_covered(self, node):
    self.body.append(f'<div class="nk-covered" data-by="{node["by"]}">\n')


def _visit_hidden_cell(self, node):
    source = json.dumps(node["source"]).replace("</", "<\\/")
    kind = "application/vnd.nokernel.cell+json"
    self.body.append(f'<script type="{kind}">{source}</script>\n')


def _visit_fold(self, node):
    more = {"open": "open"} if node.get("open") else {}
    self.body.append(self.starttag(node, "details", **more))


HTML = {
    question: (_visit_question, _tag("</fieldset>\n")),
    question_title: (_tag("<legend>"), _tag("</legend>")),
    challenge: (_visit_challenge, _tag("</div>\n")),
    choice: (_visit_choice, _tag("</div>\n")),
    choice_label: (_tag(""), _tag("</label>")),
    choice_feedback: (_tag('<div class="nk-feedback">'), _tag("</div>")),
    covered: (_visit_covered, _tag("</div>\n")),
    hidden_cell: (_visit_hidden_cell, _tag("")),
    fold: (_visit_fold, _tag("</details>\n")),
    fold_title: (_tag('<summary class="admonition-title">'), _tag("</summary>\n")),
}


def plain_question(node):
    """Return a question as nodes that every builder knows, for PDF, man and text.

    The choices are listed with their feedback; the right one is not marked.
    """
    title, *choices = node.children
    paragraph = nodes.paragraph("", "", nodes.strong("", "", *title.children))
    items = [
        nodes.list_item(
            "", nodes.paragraph("", "", *label.children), *feedback.children
        )
        for label, feedback in (one.children for one in choices)
    ]
    return [paragraph, nodes.bullet_list("", *items)]


def add_nodes(app):
    """Register every node with Sphinx."""
    for node, visitors in HTML.items():
        app.add_node(node, html=visitors)
    app.add_node(revealed)
