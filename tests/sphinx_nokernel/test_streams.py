"""A line that the kernel sent in two pieces is one line on the page."""

import copy

from sphinx_nokernel.others import joined


def piece(text, name="stdout"):
    return {"output_type": "stream", "name": name, "text": text}


def test_pieces_are_joined_as_they_came():
    result = {"output_type": "execute_result", "data": {}}
    outputs = [piece("index 5"), result, piece("12\n\n"), piece("x", "stderr")]
    before = copy.deepcopy(outputs)
    assert joined(outputs) == [piece("index 512\n\n"), result, piece("x", "stderr")]
    assert outputs == before


def test_nothing_stays_nothing():
    assert joined([]) == []
    assert joined(None) == []
