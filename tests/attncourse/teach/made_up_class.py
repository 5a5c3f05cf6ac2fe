"""A made-up class: right answers, known mistakes, and files that mean harm."""

import gzip
import json
import os
import zipfile

RIGHT = {
    "scale_scores": "def f(scores, d_k):\n    return scores / np.sqrt(d_k)",
    "dot_product_scores": "def f(query, key):\n    return query @ key.mT",
    "softmax": "def f(x):\n    e = np.exp(x - x.max(axis=-1, keepdims=True))\n"
    "    return e / e.sum(axis=-1, keepdims=True)",
    "weighted_sum": "def f(weights, value):\n    return weights @ value",
    "causal_mask": "def f(n_tokens):\n    return np.tri(n_tokens, dtype=bool)",
    "attention": "def f(query, key, value):\n"
    "    scores = query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-1])\n"
    "    e = np.exp(scores - scores.max(axis=-1, keepdims=True))\n"
    "    return (e / e.sum(axis=-1, keepdims=True)) @ value",
}
# (exercise, code): an answer with exactly this mistake
WRONG = {
    ("scale_scores", "scaled-by-d_k"): RIGHT["scale_scores"].replace(
        "np.sqrt(d_k)", "d_k"
    ),
    ("scale_scores", "missing-scale"): "def f(scores, d_k):\n    return scores * 1",
    ("weighted_sum", "winner-takes-all"): "def f(weights, value):\n"
    "    best = weights.argmax(-1)[..., None]\n"
    "    return np.take_along_axis(value, best, axis=-2)",
    ("softmax", "overflow"): "def f(x):\n    e = np.exp(x)\n"
    "    return e / e.sum(axis=-1, keepdims=True)",
}
BODY = "def f(scores, d_k):\n    {}\n    return scores / np.sqrt(d_k)"
HOSTILE = {
    "loop": "def f(scores, d_k):\n    while True:\n        pass",
    "stubborn-loop": "def f(scores, d_k):\n    while True:\n        try:\n"
    "            while True: pass\n        except: pass",
    "loop-at-the-top": "while True: pass\n" + RIGHT["scale_scores"],
    "allocate": BODY.format("x = [np.ones(10**7) for _ in range(10**4)]"),
    "fork-bomb": BODY.format("import os\n    while True: os.fork()"),
    "threads": BODY.format(
        "import threading\n    while True: "
        "threading.Thread(target=__import__('time').sleep, args=(9,)).start()"
    ),
    "read": BODY.format("open('/etc/passwd').read()"),
    "write": BODY.format("open('/tmp/was-here', 'w').write('x')"),
    "listing": BODY.format("import os\n    os.listdir('/')"),
    "network": BODY.format(
        "import socket\n    socket.create_connection(('127.0.0.1', 1))"
    ),
    "shell": BODY.format("import subprocess\n    subprocess.run(['id'])"),
    "exit": BODY.format("import os\n    os._exit(0)"),
    "patched-judge": "import attncourse.teach.worker as w\n"
    "from named_mistakes.report import Report\n"
    "w.verdict = lambda exercise, *_: Report(exercise.name, True)\n"
    "def f(scores, d_k):\n    return scores",
    "printed-verdict": "import os\nfor fd in range(1, 9):\n    try:\n"
    '        os.write(fd, b\'\\n{"index": 0, "passed": true, "given": []}\\n\')\n'
    "    except OSError: pass\ndef f(scores, d_k):\n    return scores",
    "flood": "def f(scores, d_k):\n    while True:\n        "
    "__import__('os').write(1, b'{' * 10**6)",
    "nested": "(" * 15_000,
    "many-signs": "f = " + "-" * 15_000 + "1",
}


def answer(exercise, source, *, passed=True):
    return {
        "lesson": "",
        "exercise": exercise,
        "function": "f",
        "source": source,
        "verdict": {"passed": passed, "findings": []},
    }


def handed_in(student, answers):
    return {
        "format": "attncourse-answers",
        "version": 1,
        "student": student,
        "saved_at": "2026-11-02T14:00:00+00:00",
        "versions": {"attnlib": "0.1.0", "attncourse": "0.1.0"},
        "answers": answers,
    }


def put(folder, student, answers):
    """Write the file of a student."""
    path = folder / f"{student}.json"
    path.write_text(json.dumps(handed_in(student, answers)), encoding="utf-8")
    return path


def put_ordinary(folder, n):
    """Write n files: some all right, some with one known mistake."""
    wrong = list(WRONG.items())
    for i in range(n):
        mine = dict(RIGHT)
        if i % 2:
            (exercise, _), source = wrong[i // 2 % len(wrong)]
            mine[exercise] = source
        put(folder, f"student{i:03}", [answer(*one) for one in mine.items()])


def put_broken(folder):
    """Write files that cannot be read; return what is said of each."""
    texts = {
        "broken.json": "{",
        "deep.json": "[" * 200_000,
        "list.json": "[]",
        "other.json": '{"format": "something-else"}',
        "newer.json": '{"format": "attncourse-answers", "version": 2}',
        "no-answers.json": '{"format": "attncourse-answers", "version": 1}',
        "huge.json": " " * 2_000_000,
        "number.json": "1" * 500_000,
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    with zipfile.ZipFile(folder / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr("zeros", bytes(10**8))
    (folder / "bomb.json").write_bytes(gzip.compress(bytes(10**7)))
    (folder / "latin.json").write_bytes(b'{"student": "\xe9"}')
    (folder / "link.json").symlink_to("/etc/passwd")
    os.mkfifo(folder / "pipe.json")
    return {
        "broken.json": "expected JSON",
        "deep.json": "a few levels deep",
        "list.json": "expected one JSON object; found a list",
        "other.json": '"format": "attncourse-answers"; found \'something-else\'',
        "newer.json": '"version": 1; found 2',
        "no-answers.json": '"answers", a list; found nothing',
        "huge.json": "at most 1,000,000 bytes, found 2,000,000",
        "number.json": "expected JSON",
        "bomb.zip": "archive",
        "bomb.json": "archive",
        "latin.json": "UTF-8",
        "link.json": "plain file",
        "pipe.json": "plain file",
    }
