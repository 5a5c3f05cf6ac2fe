import json
import re
import sys

import numpy as np
import pytest

from attnconfig import read
from attncourse.practice.catalogue import named
from attncourse.teach import exam
from attncourse.teach.problems import BAND, KINDS, band
from attnlib import dot_product_scores, scale_scores, softmax


@pytest.fixture(scope="module")
def drawn():
    return exam.exams(7, 200)


def test_all_sheets_differ(drawn):
    assert len({json.dumps([x.given for x in sheet]) for sheet in drawn}) == 200


KEYS = {  # by attnlib, from what is printed
    "scores": lambda query, key: scale_scores(dot_product_scores([query], key), 4)[0],
    "softmax": lambda powers, shift: softmax(np.log(powers) + shift),
    "weighted_sum": lambda weights, value: np.array(weights) @ value,
}


def test_keys_of_what_is_worked_by_hand(drawn):
    for sheet in drawn:
        for one in sheet[:3]:
            key = KEYS[one.kind](**one.given)
            np.testing.assert_allclose(one.key, key, atol=1e-12)


def right_sizes(lines):
    """The head, the sharing and the bytes of a token, from the lines alone."""
    heads, shared = lines["num_attention_heads"], lines["num_key_value_heads"]
    d_k = lines["hidden_size"] // heads
    return d_k, heads // shared, 2 * 2 * lines["num_hidden_layers"] * shared * d_k


def test_keys_of_configurations(drawn):
    for sheet in drawn:
        one = sheet[4]
        lines, n = one.given["configuration"], one.given["n_tokens"]
        d_k, sharing, each = right_sizes(lines)
        assert one.key == [d_k, sharing, each * n]
        assert read(lines).cache_bytes(n, 2) == each * n


def by_plain_loops(name, inputs, code):
    """What a mistake gives, written again without the tables of the course."""
    x = {k: np.array(v) for k, v in inputs.items()}
    if name == "weighted_sum":
        w, v = x["weights"], x["value"]
        return {
            "weights-transposed": lambda: w.T @ v,
            "mean-instead-of-weighted": lambda: np.ones((3, 3)) / 3 @ v,
            "winner-takes-all": lambda: v[w.argmax(1)],
            "weights-ignored": lambda: np.ones((3, 3)) @ v,
            "keys-reversed": lambda: w @ v[::-1],
            "value-transposed": lambda: w @ v.T,
        }[code]()
    if name == "scale_scores":
        s, d = x["scores"], x["d_k"]
        return {
            "missing-scale": lambda: s,
            "scaled-by-d_k": lambda: s / d,
            "multiplied-by-root": lambda: s * 4,
            "scaled-by-n": lambda: s / np.sqrt(3),
            "constant-scale": lambda: s / 8,
            "subtracted-instead": lambda: s - 4,
        }[code]()
    q, k = x["query"], x["key"]
    return {
        "key-not-transposed": lambda: q @ k,
        "query-key-swapped": lambda: k @ q.T,
        "scaled-too-soon": lambda: q @ k.T / np.sqrt(2),
        "multiplied-elementwise": lambda: q * k,
        "triangle-only": lambda: np.tril(q @ k.T),
    }[code]()


def test_one_mistake_alone_gives_what_was_printed(drawn):
    for sheet in drawn:
        one = sheet[3]
        name, inputs = one.given["exercise"], one.given["inputs"]
        known = {mistake.code for mistake in named(name).mistakes}
        assert {code for code, _ in one.choices} <= known
        printed = np.array(one.given["printed"])
        same = [
            "ABCD"[i]
            for i, (code, _) in enumerate(one.choices)
            if np.allclose(by_plain_loops(name, inputs, code), printed, atol=0.005)
        ]
        assert same == [one.key]


def test_sheets_are_about_as_hard(drawn):
    efforts = [sum(one.effort for one in sheet) for sheet in drawn]
    assert BAND[0] <= min(efforts) <= max(efforts) <= BAND[1]
    assert {sum(one.marks for one in sheet) for sheet in drawn} == {20}
    assert {tuple(one.kind for one in sheet) for sheet in drawn} == {
        tuple(kind.__name__ for kind in KINDS)
    }


def test_letters_are_no_hint(drawn):
    letters = [sheet[3].key for sheet in drawn]
    assert all(30 <= letters.count(letter) <= 70 for letter in "ABCD")


def test_the_seed_stands_on_none_of_thirty_sheets_which_differ(tmp_path, capsys):
    arguments = ["--students", "30", "--to", str(tmp_path)]
    assert exam.main(arguments) == 0
    seed = re.search(r"The seed (\d+) stands on no sheet", capsys.readouterr().out)[1]
    assert int(seed).bit_length() > 40
    written = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert not any(seed in text for text in written.values())
    assert not any(f"{int(seed):x}" in text for text in written.values())
    titles = re.findall("<h1>(.*?)</h1>", written["exam.html"])
    assert len({title.rpartition(" · ")[0] for title in titles}) == 1
    questions = re.findall("<ol>.*</ol>", written["exam.html"])
    assert len(questions) == len(set(questions)) == 30
    assert exam.main([*arguments, "--seed", seed]) == 0
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == written


def test_a_small_seed_is_said_to_be_one(tmp_path, capsys):
    assert exam.main(["--seed", "7", "--to", str(tmp_path)]) == 0
    assert "short enough to be guessed" in capsys.readouterr().out
    assert "exam 7" not in (tmp_path / "exam.html").read_text()


def test_the_command_writes_sheets_and_a_key(tmp_path, capsys):
    assert exam.main(["--seed", "7", "--students", "3", "--to", str(tmp_path)]) == 0
    text = (tmp_path / "exam.html").read_text()
    assert len(re.findall("<section", text)) == 3
    assert "break-after: page" in text
    assert "gives exactly" not in text
    again = (tmp_path / "exam_key.html").read_text()
    assert len(re.findall("gives exactly", again)) == 3
    with pytest.raises(SystemExit):
        exam.main(["--seed", "7", "--students", "0"])
    assert "got seed 7 and 0 students" in capsys.readouterr().err


def test_topics_are_chosen_and_stand_in_their_order(tmp_path, capsys):
    line = ["--seed", "7", "--students", "9", "--to", str(tmp_path)]
    assert exam.main([*line, "--topics", "configuration, softmax"]) == 0
    text = (tmp_path / "exam.html").read_text()
    assert text.count("2 questions, ") == 9
    sheets = exam.exams(7, 60, ("configuration", "scores"))
    assert {tuple(one.kind for one in sheet) for sheet in sheets} == {
        ("scores", "configuration")
    }
    efforts = [sum(one.effort for one in sheet) for sheet in sheets]
    low, high = band(("scores", "configuration"))
    assert low <= min(efforts) <= max(efforts) <= high < 1.4 * low
    with pytest.raises(SystemExit):
        exam.main([*line, "--topics", "softmax,heads"])
    assert "no question is called heads; there are: scores," in capsys.readouterr().err


def test_a_topic_that_gives_out_says_so(monkeypatch):
    monkeypatch.setattr(exam, "TRIES", 3)
    same = exam.sheet(np.random.default_rng(1), kinds=("softmax",))
    monkeypatch.setattr(exam, "sheet", lambda *_, **__: same)
    with pytest.raises(ValueError, match="not 2 different sheets of softmax: after 1,"):
        exam.exams(7, 2, ("softmax",))


BROWSER = """#!{python}
import base64, json, os
said = {{
    "Target.createTarget": {{"targetId": "t"}},
    "Target.attachToTarget": {{"sessionId": "s"}},
    "Runtime.evaluate": {{"result": {{"value": "complete"}}}},
    "Page.printToPDF": {{"data": base64.b64encode(b"%PDF").decode()}},
}}
while one := os.read(3, 65536):
    asked = json.loads(one.rstrip(b"\\0"))
    os.write(4, b'{{"method": "Target.event"}}\\0')
    answer = {{"id": asked["id"], "result": said[asked["method"]]}}
    os.write(4, json.dumps(answer).encode() + b"\\0")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there it is left to a browser")
def test_the_pages_are_printed_or_it_is_said_what_lacks(tmp_path, capsys, monkeypatch):
    line = ["--seed", "7", "--to", str(tmp_path / "out"), "--pdf"]
    browser = tmp_path / "browser"
    browser.write_text(BROWSER.format(python=sys.executable))
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER_PATH", str(browser))
    assert exam.main(line) == 0
    assert "exam_key.pdf" in capsys.readouterr().out
    assert (tmp_path / "out" / "exam.pdf").read_bytes() == b"%PDF"
    browser.write_text("#!/bin/sh\nexit")
    assert exam.main(line) == 1
    said = capsys.readouterr()
    assert f"{browser} did not print: " in said.err
    assert "stands on no sheet" in said.out
    monkeypatch.delenv("BROWSER_PATH")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert exam.main(line) == 1
    assert "takes a Chromium or Chrome, on PATH or named by" in capsys.readouterr().err
