import csv
import re
import subprocess
import sys
from io import StringIO

import made_up_class
import numpy as np
import pytest
from made_up_class import HOSTILE, RIGHT, WRONG

from attncourse.practice.catalogue import named
from attncourse.teach import grade as command
from attncourse.teach.class_of import grade
from attncourse.teach.handed_in import Answer
from attncourse.teach.likeness import near_copies
from attncourse.teach.regrade import Limits, regrade
from attncourse.teach.tables import as_csv, as_page
from named_mistakes.checking import verdict

pytestmark = pytest.mark.slow

SHORT = Limits(seconds=6, seconds_each=1)


def on_the_page(exercise, source):
    """What check says, in this process."""
    space = {"np": np}
    exec(source, space)
    report = verdict(named(exercise), space["f"], np.random.default_rng())
    return report.passed, [finding.code for finding in report.findings]


def test_verdicts_are_those_of_the_page():
    texts = [*RIGHT.items(), *((name, text) for (name, _), text in WRONG.items())]
    run = regrade(tuple(Answer(name, "f", text) for name, text in texts))
    again = [(x.state == "right", [code for code, _ in x.findings]) for x in run.graded]
    assert again == [on_the_page(*one) for one in texts]
    assert [codes for passed, codes in again if not passed] == [[c] for _, c in WRONG]


def test_two_mistakes_in_one_step_are_named_as_on_the_page():
    text = (
        "def f(x, gain, bias):\n"
        "    return gain * (x - x.mean()) / np.sqrt(x.var(ddof=1) + 1e-5) + bias"
    )
    (one,) = regrade((Answer("layer_norm", "f", text),)).graded
    codes = [code for code, _ in one.findings]
    assert codes == on_the_page("layer_norm", text)[1]
    assert codes == ["wrong-axis", "unbiased-variance"]


def test_a_reference_is_right_in_every_exercise():
    from attncourse.practice.catalogue import EXERCISES

    source = (
        "from attncourse.practice.catalogue import named\nf = named({!r}).reference"
    )
    run = regrade(tuple(Answer(x, "f", source.format(x)) for x in EXERCISES))
    assert {x.answer.exercise: x.state for x in run.graded} == dict.fromkeys(
        EXERCISES, "right"
    )


@pytest.mark.slow
def test_a_hostile_answer_costs_itself_and_no_other(tmp_path):
    for name, source in HOSTILE.items():
        answers = [("scale_scores", source), ("softmax", RIGHT["softmax"])]
        made_up_class.put(tmp_path, name, [made_up_class.answer(*x) for x in answers])
    made_up_class.put_ordinary(tmp_path, 3)
    said = made_up_class.put_broken(tmp_path)
    graded = grade(tmp_path, ["scale_scores", "softmax"], SHORT)
    rows = {x["file"]: x for x in csv.DictReader(StringIO(as_csv(graded)))}
    for name in HOSTILE:
        row = rows[f"{name}.json"]
        assert (row["scale_scores"], row["softmax"]) == ("0", "1"), name
    assert rows["student000.json"]["score"] == "2"
    assert rows["student001.json"]["score"] == "1"
    assert all(text in rows[name]["problem"] for name, text in said.items())
    states = {x.student: x.run.graded[0].state for x in graded.files if x.handed_in}
    assert {states[x] for x in ("patched-judge", "printed-verdict")} == {"forged"}
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
    rows = csv.DictReader(StringIO(as_csv(grade(tmp_path, ["softmax"]))))
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
    assert "<script" not in as_page(grade(tmp_path, ["softmax"]))


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
