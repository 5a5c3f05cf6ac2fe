import re
from datetime import timedelta

import pytest

from attncourse.teach.roster import (
    RefusedError,
    Student,
    in_words,
    late_by,
    read_deadline,
    read_roster,
    read_weights,
)


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
