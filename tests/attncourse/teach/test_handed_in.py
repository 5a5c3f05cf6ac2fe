import json
import sys
from pathlib import Path

import made_up_class
import pytest
from made_up_class import RIGHT

from attncourse.teach import hand_in, starters
from attncourse.teach.handed_in import UnreadableError, read
from attncourse.teach.notebooks import answers, answers_of_last, given


def test_a_file_is_read(tmp_path):
    path = made_up_class.put(tmp_path, "ada", [made_up_class.answer("softmax", "f=1")])
    found = read(path)
    assert found.student == "ada"
    assert found.versions == {"attnlib": "0.1.0", "attncourse": "0.1.0"}
    assert [(x.exercise, x.function, x.source, x.claimed) for x in found.answers] == [
        ("softmax", "f", "f=1", True)
    ]


def test_what_cannot_be_read_says_what_was_expected(tmp_path):
    for name, said in made_up_class.put_broken(tmp_path).items():
        with pytest.raises(UnreadableError) as caught:
            read(tmp_path / name)
        assert said in str(caught.value), name


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"source": None}, 'answer 1: "source", a text; found nothing'),
        ({"exercise": 3}, 'answer 1: "exercise", a text; found 3'),
        ({"source": "x" * 20_001}, "at most 20,000 characters; found 20001"),
    ],
)
def test_an_answer_that_is_none(tmp_path, change, said):
    one = made_up_class.answer("softmax", "") | change
    with pytest.raises(UnreadableError, match=said):
        read(made_up_class.put(tmp_path, "ada", [one]))


def test_a_file_without_a_name_goes_by_its_own(tmp_path):
    path = made_up_class.put(tmp_path, "ada", [])
    path.write_text(path.read_text().replace('"ada"', '""'))
    assert read(path).student == "ada"


CELLS = {
    "import numpy as np\nfrom attncourse.practice import check": [],
    "%matplotlib inline\nroot = np.sqrt\nunused = 1": [],
    "def unrelated(): ...": [],
    "def helper(d_k):\n    return root(d_k)": [],
    "def my_scale(scores, d_k):\n    return scores / helper(d_k)\n\n"
    'check("scale_scores", my_scale, seed=0)': [],
    "def wrong_scale(scores, d_k):\n    return scores\n"
    'check("scale_scores", wrong_scale)': [],
    "def solved(scores, d_k):\n    return scores / d_k**0.5\n"
    'check("scale_scores", solved)': ["solution"],
    'def mine(x):\n    # your code\n    ...\ncheck("softmax", mine)': ["hide-output"],
    "this is no Python": [],
}


def written(path, cells):
    """Write a notebook of these texts, each with its tags."""
    cells = [
        {"cell_type": "code", "source": [text], "metadata": {"tags": tags}}
        for text, tags in cells.items()
    ]
    path.write_text(json.dumps({"cells": cells}))
    return path


@pytest.fixture
def notebook(tmp_path):
    return written(tmp_path / "03_scaling.ipynb", CELLS)


def test_a_notebook_becomes_a_file_that_can_be_read(notebook, tmp_path, capsys):
    to = tmp_path / "ada.json"
    arguments = [str(notebook), "--student", "ada", "--to", str(to)]
    assert hand_in.main(arguments) == 0
    assert "2 answers" in capsys.readouterr().out
    scale, blank = read(to).answers
    assert (scale.exercise, scale.lesson, scale.claimed) == (
        "scale_scores",
        "03_scaling",
        True,
    )
    assert "root = np.sqrt" in scale.source
    assert "unused" not in scale.source
    assert "unrelated" not in scale.source
    assert (blank.exercise, blank.claimed) == ("softmax", False)


BOOK = Path(__file__).parents[3] / "book"


def test_what_lessons_give_to_be_mended_is_noted():
    found = [one for path in sorted(BOOK.rglob("*.ipynb")) for one in given(path)]
    said = "run `.venv/bin/python tools/notebooks.py` on any notebook"
    assert starters.STORED.read_text() == starters.written(found), said


def test_an_untouched_notebook_hands_in_nothing_wrong(capsys, tmp_path):
    path, to = BOOK / "04_softmax.ipynb", tmp_path / "ada.json"
    assert hand_in.main([str(path), "--student", "ada", "--to", str(to)]) == 0
    said = capsys.readouterr().out
    assert "○ 04_softmax softmax: broken_softmax is as the lesson has it" in said
    assert {one.function for one in read(to).answers} == {
        "my_softmax",
        "my_log_softmax",
    }
    assert "✗" not in said


def test_an_answer_counts_once_it_is_touched():
    (text,) = (
        "".join(cell["source"])
        for cell in json.loads((BOOK / "04_softmax.ipynb").read_text())["cells"]
        if cell["id"] == "practice-mend-code"
    )
    for new, n in {
        text: 0,
        "# mine\n" + text.replace("broken_softmax", "mine"): 0,
        text.replace("np.max(x)", "np.max(x, axis=-1, keepdims=True)"): 1,
        text.replace("np.max(x)", "np.max(x, axis=0)"): 1,
    }.items():
        cells = json.dumps([{"text": new, "tags": []}])
        assert len(json.loads(answers_of_last(cells))) == n, new


AT_HOME = {
    "from scipy.special import softmax as theirs": "theirs(x, axis=-1)",
    "import json": "open('/etc/hostname') and softmax(x)",
}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="it cannot be tried on Windows")
def test_what_is_right_at_home_alone_is_said(tmp_path, capsys):
    texts = [
        f"{line}\ndef mine{i}(x):\n    return {value}\ncheck('softmax', mine{i})"
        for i, (line, value) in enumerate(AT_HOME.items())
    ]
    right = f"{RIGHT['causal_mask']}\ncheck('causal_mask', f)"
    to = tmp_path / "ada.json"
    path = written(tmp_path / "lesson.ipynb", {x: [] for x in (*texts, right)})
    assert hand_in.main([str(path), "--student", "ada", "--to", str(to)]) == 0
    said = capsys.readouterr().out
    assert said.count("✓") == 3
    assert said.count("right here, but not where it is graded") == 2
    assert "graded: import scipy.special\n" in said
    assert "graded: open /etc/hostname\n" in said
    assert "can import NumPy, attnlib and collections, dataclasses" in said
    assert [one.claimed for one in read(to).answers] == [True] * 3


def test_what_is_no_notebook_is_named(tmp_path, capsys):
    path = tmp_path / "notes.txt"
    assert hand_in.main([str(path), "--student", "ada"]) == 2
    assert f"{path}: there is no such file" in capsys.readouterr().err
    path.write_text("words")
    assert hand_in.main([str(path), "--student", "ada"]) == 2
    assert f"{path}: expected a notebook" in capsys.readouterr().err


def test_a_page_gets_from_its_last_cell_what_a_notebook_gives(notebook):
    cells = [{"text": text, "tags": tags} for text, tags in CELLS.items()]
    last = next(i for i, cell in enumerate(cells) if "my_scale, seed" in cell["text"])
    (one,) = json.loads(answers_of_last(json.dumps(cells[: last + 1])))
    answer = next(x for x in answers(notebook) if x.function == "my_scale")
    assert one == {
        "exercise": answer.exercise,
        "function": answer.function,
        "source": answer.source,
    }
    for nothing in (cells[:1], cells[:last], [*cells[:last], cells[-1]]):
        assert answers_of_last(json.dumps(nothing)) == "[]"


def unrun(folder, pages):
    """Write a file of pages that could not run."""
    one = made_up_class.handed_in("ada", []) | {"unrun": pages}
    path = folder / "unrun.json"
    path.write_text(json.dumps(one), encoding="utf-8")
    return path


def test_a_page_that_cannot_run_hands_in_what_its_notebook_would(notebook, tmp_path):
    cells = [{"text": text, "tags": tags} for text, tags in CELLS.items()]
    found = read(unrun(tmp_path, [{"lesson": "03_scaling", "cells": cells}]))
    assert list(found.answers) == answers(notebook)


CHECKED = '\ncheck("softmax", f)'


@pytest.mark.parametrize(
    ("pages", "said"),
    [
        (5, '"unrun", a list; found 5'),
        ([{"cells": [5]}], '"unrun" to hold cells, each with a text and tags'),
        ([{"cells": [{"text": "", "tags": 1}]}], "each with a text and tags"),
        (
            [{"cells": [{"text": "f = '" + "x" * 20_001 + "'" + CHECKED, "tags": []}]}],
            "answers of at most 20,000 characters; found 20008",
        ),
    ],
)
def test_a_page_that_means_harm_is_refused(tmp_path, pages, said):
    with pytest.raises(UnreadableError, match=said):
        read(unrun(tmp_path, pages))


def test_answers_that_need_one_another_are_collected_in_reasonable_time(tmp_path):
    above = [f"f{j}(x)" for j in range(40)]
    text = "".join(
        f"def f{i}(x):\n    return {' + '.join(above[:i]) or 'x'}\n" for i in range(40)
    )
    cells = [{"text": f'{text}check("softmax", f39)', "tags": []}]
    (one,) = read(unrun(tmp_path, [{"lesson": "", "cells": cells}])).answers
    assert one.source.count("def ") == 40
