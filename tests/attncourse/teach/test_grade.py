import csv
import json
import re
import subprocess
import sys
from io import StringIO

import made_up_class
import numpy as np
import pytest
from made_up_class import HOSTILE, RIGHT, WRONG

from attncourse.practice.catalogue import named
from attncourse.teach import class_of
from attncourse.teach import grade as command
from attncourse.teach.class_of import grade
from attncourse.teach.feedback import write_feedback
from attncourse.teach.handed_in import Answer
from attncourse.teach.likeness import near_copies
from attncourse.teach.regrade import Graded, Limits, Run, regrade
from attncourse.teach.tables import as_csv, as_page
from named_mistakes.checking import verdict

pytestmark = pytest.mark.slow

WRONG_SCALE = ("scale_scores", WRONG["scale_scores", "scaled-by-d_k"])
SHORT = Limits(seconds=6, seconds_each=1)


def on_the_page(exercise, source):
    """What check says, in this process."""
    space = {"np": np}
    exec(source, space)
    report = verdict(named(exercise), space["f"], np.random.default_rng())
    return report.passed, [finding.code for finding in report.findings]


@pytest.fixture
def unwalled(monkeypatch):
    """Judge answers here: what is asked is where files lie, and whose they are."""

    def judged(answers, *_):
        passed = [on_the_page(one.exercise, one.source)[0] for one in answers]
        states = ["right" if yes else "wrong" for yes in passed]
        return Run(list(map(Graded, answers, states)))

    monkeypatch.setattr(class_of, "regrade", judged)


TWICE_WRONG = """
def f(x, gain, bias):
    return gain * (x - x.mean()) / np.sqrt(x.var(ddof=1) + 1e-5) + bias
"""


def test_verdicts_are_those_of_the_page():
    texts = [*RIGHT.items(), *((name, text) for (name, _), text in WRONG.items())]
    texts.append(("layer_norm", TWICE_WRONG))
    run = regrade(tuple(Answer(name, "f", text) for name, text in texts))
    again = [(x.state == "right", [code for code, _ in x.findings]) for x in run.graded]
    assert again == [on_the_page(*one) for one in texts]
    *once, twice = [codes for passed, codes in again if not passed]
    assert once == [[c] for _, c in WRONG]
    assert twice == ["wrong-axis", "unbiased-variance"]


def test_a_reference_is_right_in_every_exercise():
    from attncourse.practice.catalogue import EXERCISES

    source = (
        "from attncourse.practice.catalogue import named\nf = named({!r}).reference"
    )
    run = regrade(tuple(Answer(x, "f", source.format(x)) for x in EXERCISES))
    assert {x.answer.exercise: x.state for x in run.graded} == dict.fromkeys(
        EXERCISES, "right"
    )


# One of each kind: what never ends, takes all, looks around, leaves, and forges.
FORGED = ["patched-judge", "printed-verdict"]
FEW = ["loop-at-the-top", "allocate", "read", "exit", *FORGED]
ALL = pytest.param([*HOSTILE], marks=pytest.mark.release)


@pytest.mark.parametrize("names", [FEW, ALL], ids=["few", "all"])
def test_a_hostile_answer_costs_itself_and_no_other(tmp_path, names):
    for name in names:
        source = HOSTILE[name]
        answers = [("scale_scores", source), ("softmax", RIGHT["softmax"])]
        made_up_class.put(tmp_path, name, [made_up_class.answer(*x) for x in answers])
    made_up_class.put_ordinary(tmp_path, 3)
    said = made_up_class.put_broken(tmp_path)
    graded = grade(tmp_path, {"scale_scores": 1, "softmax": 1}, SHORT)
    rows = {x["file"]: x for x in csv.DictReader(StringIO(as_csv(graded)))}
    for name in names:
        row = rows[f"{name}.json"]
        assert (row["scale_scores"], row["softmax"]) == ("0", "1"), name
    assert rows["student000.json"]["score"] == "2"
    assert rows["student001.json"]["score"] == "1"
    assert all(text in rows[name]["problem"] for name, text in said.items())
    states = {x.student: x.run.graded[0].state for x in graded.files if x.handed_in}
    assert {states[x] for x in FORGED} == {"forged"}
    page = as_page(graded)
    assert "read.json" in page
    assert "open /etc/passwd" in page
    assert "the file says right; it is not (forged)" in page
    assert "the file says right; it is not (it needs what is refused here)" in page


WITHOUT_THE_HOOK = """
import os, socket, sys
from attncourse.teach import limits
limits._refuse = lambda event, arguments: None
print(limits.shut_in(sys.argv[1], 60, 2**30))
for name, attempt in {
    "files": lambda: open("/etc/passwd"),
    "processes": os.fork,
    "network": lambda: socket.socket().connect(("127.0.0.1", 1)),
}.items():
    try:
        attempt()
        print("DONE", name)
    except OSError as error:
        print(name, type(error).__name__)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="these walls are Linux's")
def test_the_walls_stand_without_the_hook(tmp_path):
    tmp_path.chmod(0o755)
    with (tmp_path / "out").open("w") as file:
        subprocess.run(
            [sys.executable, "-c", WITHOUT_THE_HOOK, str(tmp_path)],
            env={"OPENBLAS_NUM_THREADS": "1"},
            stdout=file,
            check=False,
        )
    said = (tmp_path / "out").read_text()
    walls = said.split("]")[0]
    assert "processes BlockingIOError" in said
    assert ("no files" in walls) == ("files FileNotFoundError" in said)
    assert ("no network" in walls) == ("network OSError" in said)


def test_the_command_names_what_it_wants(tmp_path, capsys):
    assert command.main([str(tmp_path / "nowhere")]) == 2
    assert "expected a folder of files" in capsys.readouterr().err
    assert command.main([str(tmp_path), "--exercises", "softmaxx"]) == 2
    assert "no exercise is called softmaxx" in capsys.readouterr().err
    assert command.main([str(tmp_path)]) == 2
    assert "holds no files" in capsys.readouterr().err


def test_the_command_writes_a_table_and_a_page(tmp_path, capsys):
    folder = tmp_path / "in"
    folder.mkdir()
    made_up_class.put_ordinary(folder, 2)
    made_up_class.put(
        folder, "=1+1", [made_up_class.answer("softmax", RIGHT["softmax"])]
    )
    (folder / "notes.txt").write_text("words")
    assert command.main([str(folder), "--to", str(tmp_path)]) == 0
    assert "notes.txt: expected JSON" in capsys.readouterr().err
    rows = list(csv.DictReader(StringIO((tmp_path / "grades.csv").read_text())))
    assert list(rows[0])[:4] == ["student_id", "score", "max_score", "percent_correct"]
    assert rows[0]["student_id"] == "'=1+1"
    by_student = {x["student_id"]: x for x in rows}
    assert by_student["student000"]["score"] == "6"
    assert by_student["student001"]["scale_scores"] == "0"
    page = (tmp_path / "grades.html").read_text()
    assert "scaled-by-d_k" in page
    assert "by d_k itself" in page


def test_a_class_list_a_deadline_and_points(tmp_path, capsys):
    """One on time, one late, one who is in no list, one who has handed in nothing."""
    folder, marked = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    right = [
        made_up_class.answer(name, RIGHT[name]) for name in ("softmax", "attention")
    ]
    made_up_class.put(folder, "Ada Lovelace", right)
    odd = made_up_class.put(folder, "Bob", right[:1])
    odd.write_text(odd.read_text().replace('"Bob"', '"../b<2>"'))
    made_up_class.put(folder, "Eve", [made_up_class.answer(*WRONG_SCALE)])
    late = folder / "Eve.json"
    late.write_text(late.read_text().replace("11-02T14", "11-04T15"))
    listed = tmp_path / "class.csv"
    listed.write_text("student_id,name\na7,Ada Lovelace\ne5,Eve\nc3,Carol\n")
    command_line = [str(folder), "--to", str(marked), "--class", str(listed)]
    command_line += ["--exercises", "softmax=2.5,attention,scale_scores"]
    command_line += ["--deadline", "2026-11-02T14:00Z", "--feedback"]
    (marked / "feedback").mkdir(parents=True)
    old = marked / "feedback" / "of_last_week.html"
    old.touch()
    assert command.main(command_line) == 0
    said = capsys.readouterr().err
    assert "nothing handed in by 1: c3" in said
    assert "1 page there of an earlier run" in said
    old.unlink()
    rows = list(csv.DictReader(StringIO((marked / "grades.csv").read_text())))
    keys = ("student_id", "name", "score", "max_score", "softmax", "late", "problem")
    assert [tuple(row[key] for key in keys) for row in rows] == [
        ("a7", "Ada Lovelace", "3.5", "4.5", "2.5", "", ""),
        ("../b<2>", "", "2.5", "4.5", "2.5", "", ""),
        ("e5", "Eve", "0", "4.5", "", "2 d 1 h", ""),
        ("c3", "Carol", "0", "4.5", "", "", "nothing handed in"),
    ]
    page = (marked / "grades.html").read_text()
    for words in (
        "with points: softmax 2.5, attention 1, scale_scores 1",
        "../b&lt;2&gt; is not in the class list",
        "<td>c3</td><td>Carol</td>",
        "<td>a7</td><td>Ada Lovelace</td><td>3.5/4.5</td>",
        "late, by 2 d 1 h",
    ):
        assert words in page
    pages = {path.name: path.read_text() for path in (marked / "feedback").iterdir()}
    assert sorted(pages) == ["_b_2_.html", "a7.html", "c3.html", "e5.html"]
    assert "3.5 of 4.5 points" in pages["a7.html"]
    assert "Nothing was handed in" in pages["c3.html"]
    assert "Handed in late, by 2 d 1 h" in pages["e5.html"]
    assert "by d_k itself" in pages["e5.html"]
    assert not any("b&lt;2" in text for name, text in pages.items() if name[0] != "_")


@pytest.mark.usefixtures("unwalled")
def test_feedback_lies_as_moodle_takes_it_and_no_page_is_of_two(tmp_path):
    right = [made_up_class.answer("softmax", RIGHT["softmax"])]
    own = tmp_path / "in" / "Ada_51_assignsubmission_file_"
    own.mkdir(parents=True)
    made_up_class.put(own, "answers", right)
    for name, student in (("1", "b/2"), ("2", "b?2"), ("3", "B_2")):
        path = made_up_class.put(own.parent, name, right)
        path.write_text(path.read_text().replace(f'"{name}"', json.dumps(student)))
    graded = grade(own.parent, {"softmax": 1})
    assert write_feedback(graded, tmp_path) == 4
    assert "1 of 1 points" in (tmp_path / own.name / "feedback.html").read_text()
    for name, student in (("b_2", "b/2"), ("b_2-2", "b?2"), ("B_2-3", "B_2")):
        text = (tmp_path / f"{name}.html").read_text()
        assert re.findall("<h2>(.*)</h2>", text) == [student]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--class", "nowhere.csv"], "nowhere.csv: no such file"),
        (["--exercises", "softmax=0"], "expected points above 0 for softmax"),
        (["--deadline", "soon"], "expected a deadline as 2026-11-02"),
    ],
)
def test_what_cannot_be_meant_ends_before_anything_is_graded(
    tmp_path, capsys, options, said
):
    assert command.main([str(tmp_path), *options]) == 2
    assert f"grade: {said}" in capsys.readouterr().err


@pytest.mark.usefixtures("unwalled")
def test_a_folder_for_each_student_as_moodle_gives_it(tmp_path):
    names = {
        "Ada Lovelace_51_assignsubmission_file_": "Ada Lovelace",
        "Bob_B_7_assignsubmission_file": "Bob_B",
        "Eve": "Eve",
    }
    for name in names:
        (tmp_path / name).mkdir()
        own = [made_up_class.answer("softmax", RIGHT["softmax"])]
        made_up_class.put(tmp_path / name, "answers", own)
    (tmp_path / "Nobody_9_assignsubmission_file_").mkdir()
    (tmp_path / "Eve" / ".DS_Store").write_bytes(b"x")
    (tmp_path / "Loop").symlink_to(tmp_path)
    made_up_class.put(tmp_path, "alone", own)
    rows = csv.DictReader(StringIO(as_csv(grade(tmp_path, {"softmax": 1}))))
    found = {row["student_id"]: (row["file"], row["score"]) for row in rows}
    assert found == {
        **{who: (f"{name}/answers.json", "1") for name, who in names.items()},
        "Nobody": ("Nobody_9_assignsubmission_file_", "0"),
        "Loop": ("Loop", "0"),
        "alone": ("alone.json", "1"),
    }


def test_a_name_is_no_markup(tmp_path):
    made_up_class.put(tmp_path, "x", [])
    path = tmp_path / "x.json"
    path.write_text(path.read_text().replace('"x"', '"<script>alert(1)</script>"'))
    assert "<script" not in as_page(grade(tmp_path, {"softmax": 1}))


def test_near_copies():
    text = RIGHT["attention"]
    copy = "# mine\n" + text.replace("scores", "zz").replace("query", "a")
    other = (
        "def f(q, k, v):\n    s = np.einsum('...qd,...kd->...qk', q, k)\n"
        "    s = s * k.shape[-1] ** -0.5\n    w = np.exp(s - s.max(-1)[..., None])\n"
        "    total = np.sum(w, axis=-1, keepdims=True)\n"
        "    return np.matmul(w / total, v)"
    )
    files = [("attention", f"{i}", x) for i, x in enumerate((text, copy, other))]
    assert [pair[:3] for pair in near_copies(files)] == [("attention", "0", "1")]
    short = [("softmax", str(i), "def f(x):\n    return x") for i in range(2)]
    assert near_copies(short) == []
    names = {"x": "scores", "e": "powers", "weights": "shares", "value": "values"}
    short = dict(list(RIGHT.items())[:5])
    renamed = re.compile(rf"\b({'|'.join(names)})\b")
    files = [(name, file, x) for name, x in short.items() for file in ("one", "other")]
    files += [
        (name, "third", renamed.sub(lambda found: names[found[0]], x))
        for name, x in short.items()
    ]
    assert [pair[:3] for pair in near_copies(files)] == [
        ("all answers", "one", "other")
    ]
    whole = [("attention", file, text) for file in ("one", "other")]
    assert [pair[0] for pair in near_copies(whole)] == ["attention"]
    everyone = [("attention", f"{i:02}", text) for i in range(20)]
    assert near_copies(everyone) == []
