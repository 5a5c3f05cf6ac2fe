"""A class: its roster, what is fair to all, the study form."""

import json
import re
import time
from dataclasses import replace
from datetime import timedelta

import made_up_class
import numpy as np
import pytest
from made_up_class import RIGHT

from attncourse.practice.catalogue import EXERCISES, named
from attncourse.teach import regrade, study
from attncourse.teach.class_of import grade
from attncourse.teach.roster import (
    RefusedError,
    Student,
    in_words,
    late_by,
    read_deadline,
    read_roster,
    read_weights,
)
from attncourse.teach.worker import _case, encoded


def write(folder, text, encoding="utf-8"):
    path = folder / "class.csv"
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize(
    "text",
    [
        "student_id,name\na7,Ada Lovelace\nb2,Bob\n",
        "Full name;ID number;Email\r\nAda Lovelace;a7;x@y\r\n\r\nBob;b2\r\n",
        '\ufeffgroup,ID,Name\n1, a7 ,"Ada Lovelace"\n2,b2,Bob',
    ],
)
def test_a_class_list_is_read_as_it_comes(tmp_path, text):
    roster = read_roster(write(tmp_path, text))
    ada, bob = roster.students
    assert (ada, bob) == (Student("a7", "Ada Lovelace"), Student("b2", "Bob"))
    assert roster.find("A7") is roster.find(" ada  lovelace") is ada
    assert roster.find("Carol") is None
    assert roster.missing([bob, None]) == [ada]


def test_a_name_that_two_have_finds_neither(tmp_path):
    roster = read_roster(write(tmp_path, "id,name\n1,Kim\n2,Kim\n3,\n"))
    assert roster.find("Kim") is roster.find("") is None
    assert roster.find("2") is roster.students[1]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "expected a column student_id in its first line; found nothing"),
        ("who,mark\nada,3", "column student_id in its first line; found who, mark"),
        ("student_id\n", "expected students below its first line"),
        ("student_id,name\na,A\n,B", "line 3: expected a student_id"),
        ("name,student_id\nA,a\nB", "line 3: expected a student_id"),
        ("student_id\na\nb\nA", "line 4: A stands there twice"),
        ("student_id\n" + "a" * 1_000_000, "at most 1,000,000 bytes"),
    ],
)
def test_a_class_list_that_is_none_is_refused(tmp_path, text, said):
    with pytest.raises(RefusedError, match=re.escape(said)):
        read_roster(write(tmp_path, text))


def test_a_class_list_that_cannot_be_read_is_refused(tmp_path):
    with pytest.raises(RefusedError, match=r"nowhere\.csv: no such file"):
        read_roster(tmp_path / "nowhere.csv")
    with pytest.raises(RefusedError, match="a directory"):
        read_roster(tmp_path)
    with pytest.raises(RefusedError, match="expected text in UTF-8"):
        read_roster(write(tmp_path, "student_id\nZoë", "latin-1"))


def test_what_counts_is_read_with_its_points():
    assert read_weights("softmax=2, attention,causal_mask = 0.5") == {
        "softmax": 2.0,
        "attention": 1.0,
        "causal_mask": 0.5,
    }
    assert read_weights("") == {}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("softmaxx", "no exercise is called softmaxx; there are: "),
        ("softmax=two", "expected points above 0 for softmax, as softmax=2; got 'two'"),
        ("softmax=-1", "points above 0"),
        ("softmax=", "points above 0"),
        ("softmax=nan", "points above 0"),
        ("softmax=inf", "points above 0"),
        ("softmax,softmax=2", "softmax stands in --exercises twice"),
    ],
)
def test_what_cannot_count_is_refused(text, said):
    with pytest.raises(RefusedError, match=re.escape(said)):
        read_weights(text)


@pytest.mark.parametrize(
    ("deadline", "saved_at", "late"),
    [
        ("2026-11-02T18:00+01:00", "2026-11-02T17:00:01+00:00", "1 min"),
        ("2026-11-02T18:00+01:00", "2026-11-02T17:00:00+00:00", None),
        ("2026-11-02T18:00Z", "2026-11-02T20:05:00Z", "2 h 5 min"),
        ("2026-11-02T18:00Z", "2026-11-05T20:05:00Z", "3 d 2 h"),
        ("2026-11-02T18:00Z", "", None),
        ("2026-11-02T18:00Z", "2026-11-05T20:05:00", None),
        ("2026-11-02T18:00Z", "tomorrow", None),
    ],
)
def test_what_is_late_is_late_by_what_it_says(deadline, saved_at, late):
    found = late_by(read_deadline(deadline), saved_at)
    assert (in_words(found) if found else None) == late


def test_a_day_ends_at_midnight_where_the_teacher_is():
    deadline = read_deadline("2026-11-02")
    assert deadline.utcoffset() is not None
    after = deadline + timedelta(seconds=1)
    assert (after.day, after.hour, after.minute) == (3, 0, 0)


@pytest.mark.parametrize("text", ["monday", "2026-13-01", "02.11.2026", "18:00"])
def test_what_is_no_time_is_refused(text):
    with pytest.raises(RefusedError, match="expected a deadline as 2026-11-02 or"):
        read_deadline(text)


FILES, TIMES, WORKERS = 200, 3, 8


def answered(task, limits, n_answers):
    """Print what a process would that runs right answers, and start none."""
    work, lines = json.loads(task), []
    for answer in work["answers"]:
        exercise = named(answer["exercise"])
        cases = [_case(one) for one in work["cases"][exercise.name]]
        given = [[encoded(x) for x in exercise.wanted(case)] for case in cases]
        lines.append({"index": answer["index"], "passed": True, "given": given})
    return lines, ""


def drawn_slowly(exercise):
    """Let other threads in while the inputs are drawn."""

    def draw(rng):
        time.sleep(0.002)
        return exercise.draw(rng)

    return replace(exercise, draw=draw)


@pytest.mark.slow
def test_hundreds_of_right_answers_and_none_forged(tmp_path, monkeypatch):
    names = list(RIGHT)
    for name in names:
        monkeypatch.setitem(EXERCISES, name, drawn_slowly(EXERCISES[name]))
    monkeypatch.setattr(regrade, "_printed", answered)
    for i in range(FILES):
        name = names[i % len(names)]
        one = made_up_class.answer(name, RIGHT[name])
        made_up_class.put(tmp_path, f"student{i:03}", [one])
    graded = [grade(tmp_path, workers=WORKERS) for _ in range(TIMES)]
    states = [one.state for of in graded for x in of.files for one in x.run.graded]
    assert states == ["right"] * FILES * TIMES


@pytest.mark.slow
def test_two_parallel_forms_of_ten():
    for seed in range(10):
        first, second = study.forms(seed)
        assert [x.kind for x in first] == [x.kind for x in second]
        assert len(first) == 10
        marks = {sum(x.marks for x in form) for form in (first, second)}
        assert marks == {study.FULL}
        assert all(x.given != y.given for x in first for y in second)


@pytest.mark.slow
def test_the_gain_is_of_means_and_its_interval_holds_it():
    found = study.gain([10] * 15 + [12] * 15, [25] * 15 + [30] * 15)
    assert found.gain == pytest.approx((27.5 - 11) / (40 - 11))
    assert found.low < found.gain < found.high
    nothing = study.gain([10, 20, 30], [10, 20, 30])
    assert (nothing.low, nothing.gain, nothing.high) == (0, 0, 0)


@pytest.mark.slow
def test_the_interval_holds_the_truth_about_as_often_as_it_says():
    rng, held = np.random.default_rng(0), 0
    for _ in range(100):
        before = rng.uniform(5, 15, 40)
        found = study.gain(before, before + rng.uniform(5, 15, 40))
        held += found.low <= 10 / 30 <= found.high
    assert 88 <= held <= 99


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ([1], [2], "two students or more, got 1"),
        ([1, 50], [2, 3], "from 0 to 40"),
        ([40, 40], [40, 40], "nothing could be gained"),
    ],
)
def test_what_gives_no_gain(before, after, said):
    with pytest.raises(ValueError, match=said):
        study.gain(before, after)


@pytest.mark.slow
def test_the_command(tmp_path, capsys):
    seed = 2**60 + 3
    assert study.main(["--seed", f"{seed}", "--to", str(tmp_path)]) == 0
    pages = [*tmp_path.glob("*.html")]
    assert len(pages) == 5
    assert not any(str(seed) in page.read_text() for page in pages)
    assert f"The seed {seed} stands on no sheet" in capsys.readouterr().out
    marks = tmp_path / "scores.csv"
    marks.write_text("student_id,before,after\nada,8,20\nbob,12,30\n")
    assert study.main(["--gain", str(marks)]) == 0
    assert "Normalized gain 0.50" in capsys.readouterr().out
    marks.write_text("name,score\nada,8\n")
    assert study.main(["--gain", str(marks)]) == 2
    assert f"{marks}: expected the columns" in capsys.readouterr().err
