"""Predictions: cover what follows a question until the reader has guessed.

    :::{predict} Which word will "hungry" look at most?
    - [ ] food
      - Food can be eaten, but *hungry* asks for something alive.
    - [x] dog
      - Yes.
    :::

    :::{challenge} Reach the goal in the figure to go on
    :::

A challenge covers what follows until the figure before it reports, by the event
`nk:met` on its element, that the challenge is met, or the reader asks to be shown: then
that element gets the event `nk:show`, at which a figure may go to where it is met.

The covered part is what follows in the same section, up to the next heading, the next
`predict` or `challenge`, or an empty directive `revealed`, whichever comes first. In
the page it is open; `predict.js` covers and uncovers it, and remembers guesses where
the browser allows. Without JavaScript, in print and in PDF, nothing is hidden.
"""

from docutils import nodes
from sphinx.util import logging

from .nodes import (
    challenge,
    covered,
    hidden_cell,
    plain_question,
    question,
    revealed,
)

logger = logging.getLogger(__name__)


def cover_predictions(app, document):
    """Put what each prediction or challenge covers into a node of its own."""
    for node in list(document.findall(question)):
        if node["kind"] == "predict":
            _cover(node)
    for node in list(document.findall(challenge)):
        _cover(node)
    for mark in list(document.findall(revealed)):
        mark.parent.remove(mark)


def _cover(node):
    parent = node.parent
    if not isinstance(parent, nodes.section | nodes.document):
        _complain("stands inside of something else: put it at the top level", node)
        return
    start = parent.index(node) + 1
    stop = start
    while stop < len(parent) and not _ends(parent[stop]):
        stop += 1
    hidden = parent.children[start:stop]
    if all(isinstance(one, nodes.Invisible) for one in hidden):
        _complain("covers nothing: nothing follows it in its section", node)
        return
    del parent[start:stop]
    parent.insert(start, covered("", *hidden, by=node["name"]))


def _ends(node):
    """Say whether the part that a prediction covers ends before this node."""
    another = isinstance(node, challenge) or (
        isinstance(node, question) and node["kind"] == "predict"
    )
    return another or isinstance(node, nodes.section | revealed)


def _complain(what, node):
    words = node[0].astext() if node.children else node["words"]
    logger.warning(
        "predict: %r %s", words, what, location=node, type="nokernel", subtype="predict"
    )


def list_questions(app, document):
    """Replace questions by lists where pages have no scripts, and drop marker nodes."""
    for node in list(document.findall(question)):
        node.replace_self(plain_question(node))
    for kind in (revealed, challenge, hidden_cell):
        for mark in list(document.findall(kind)):
            mark.parent.remove(mark)
