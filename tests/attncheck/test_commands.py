"""The command line, as a kernel author uses it: the exit status is the answer."""

import json
import re
import shutil
import subprocess

import numpy as np
import pytest

from attncheck.__main__ import main
from attncheck.exchange import PROBES, STORED, pack, unpack, write_probes
from attncheck.formats import round_to
from attncheck.model.attending import attend
from attncheck.model.fields import Model
from attncheck.read_run import read_probes

ATTENTION = "attnlib:scaled_dot_product_attention"


def test_ask(capsys):
    assert main(["ask", ATTENTION, "--with", "is_causal=true", "--json"]) == 0
    page = json.loads(capsys.readouterr().out)
    assert (page["status"], page["facts"]["alignment"]) == (0, "start")
    assert main(["ask", ATTENTION, "--expected", "alignment=end"]) == 1
    assert "'end' was expected" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["ask", "attnlib"], "expected MODULE:FUNCTION, got 'attnlib'"),
        (["ask", "no_such_module:f"], "No module named 'no_such_module'"),
        (["ask", ATTENTION, "--expected", "alignment"], "expected NAME=VALUE"),
        (["run", "there_is_none.npz"], "there_is_none.npz"),
        (["read", "no_such_folder"], "no expected.json in no_such_folder"),
    ],
)
def test_what_cannot_be_asked(capsys, arguments, words):
    assert main(arguments) == 2
    assert words in capsys.readouterr().err


def answer(folder, model, dtype="float32"):
    """Do what another program does: follow the manifest, write the outputs."""
    for line in (folder / "manifest.txt").read_text().splitlines():
        name, *sizes = line.split()
        b, h, g, n, m, d = map(int, sizes)
        shapes = {"query": (b, h, n, d), "key": (b, g, m, d), "value": (b, g, m, d)}
        arrays = [
            unpack(
                np.fromfile(folder / f"{name}.{what}.bin", STORED[dtype]), dtype
            ).reshape(shape)
            for what, shape in shapes.items()
        ]
        output = round_to(attend(*arrays, model).output, dtype)
        pack(output, dtype).tofile(folder / f"{name}.output.bin")


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_probes_and_their_outputs(tmp_path, capsys, dtype):
    assert main(["probes", str(tmp_path), "--dtype", dtype, "--is-causal"]) == 0
    said = re.findall(r"NAME(\.[\w.]+\w)", capsys.readouterr().out)
    assert all((tmp_path / f"plain{end}").exists() for end in said[:3])
    assert main(["read", str(tmp_path)]) == 2  # there are none yet
    answer(tmp_path, Model(window=(None, 0)), dtype)
    assert main(["read", str(tmp_path)]) == 0
    wrong = Model(window=(None, 0), alignment="end", grouping="tile")
    answer(tmp_path, wrong, dtype)
    capsys.readouterr()
    assert main(["read", str(tmp_path), "--json"]) == 1
    page = json.loads(capsys.readouterr().out)
    codes = sorted(problem["code"] for problem in page["problems"])
    assert codes == ["grouping", "window"]
    assert page["facts"]["alignment"] == "end"
    assert page["facts"]["grouping"] == "tile"


def test_an_output_of_the_wrong_size_is_refused(tmp_path, capsys):
    main(["probes", str(tmp_path)])
    np.zeros(7, "<f4").tofile(tmp_path / "plain.output.bin")
    assert main(["read", str(tmp_path)]) == 2
    assert "plain.output.bin must hold 4992 numbers" in capsys.readouterr().err


def test_what_is_unknown_is_told_with_the_probes_and_where(tmp_path):
    write_probes(tmp_path, is_causal=True)
    answer(tmp_path, Model(window=(None, 0)))
    for name in ("plain", "long"):
        path = tmp_path / f"{name}.output.bin"
        output = np.fromfile(path, "<f4")
        output[-64:] += np.arange(64)
        output.tofile(path)
    report = read_probes(tmp_path)
    wrong = {row["id"]: row["where"] for row in report.calls if not row["explained"]}
    assert (list(wrong), report.status) == (["plain", "long"], 1)
    assert (wrong["plain"]["heads"], wrong["plain"]["queries"]) == ([2], [12])


def test_nan_at_large_scores_alone_is_a_missing_maximum(tmp_path):
    write_probes(tmp_path)
    answer(tmp_path, Model())
    for name in ("large-300", "low"):
        path = tmp_path / f"{name}.output.bin"
        np.full_like(np.fromfile(path, "<f4"), np.nan).tofile(path)
    (problem,) = read_probes(tmp_path).problems
    assert problem.code == "large-scores"


@pytest.mark.parametrize("kind", ["npz", "safetensors"])
def test_run(tmp_path, kind):
    from attncheck.safetensors import write_safetensors

    q, k, v = np.random.default_rng(0).standard_normal((3, 2, 9, 8))
    path = tmp_path / f"run.{kind}"
    for scale, status in ((8**-0.5, 0), (1.0, 1)):
        output = attend(q, k, v, Model(scale=scale)).output
        arrays = {"query": q, "key": k, "value": v, "output": output}
        if kind == "npz":
            np.savez(path, **arrays)
        else:
            write_safetensors(path, arrays)
        assert main(["run", str(path)]) == status


def test_a_run_without_its_output_is_refused(tmp_path, capsys):
    np.savez(tmp_path / "run.npz", query=np.ones((3, 4)))
    assert main(["run", str(tmp_path / "run.npz")]) == 2
    assert "must hold key, value, output too" in capsys.readouterr().err


C_PROGRAM = r"""
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
static float *load(const char *name, const char *what, long n) {
    char path[512];
    snprintf(path, sizeof path, "%s.%s.bin", name, what);
    FILE *f = fopen(path, "rb");
    float *x = malloc(n * sizeof *x);
    if (!f || fread(x, sizeof *x, n, f) != (size_t)n) exit(1);
    fclose(f);
    return x;
}
int main(void) {
    char name[64], path[512];
    long b, h, g, n, m, d;
    FILE *list = fopen("manifest.txt", "r");
    while (fscanf(list, "%63s %ld %ld %ld %ld %ld %ld",
                  name, &b, &h, &g, &n, &m, &d) == 7) {
        float *q = load(name, "query", b * h * n * d);
        float *k = load(name, "key", b * g * m * d);
        float *v = load(name, "value", b * g * m * d);
        float *o = calloc(b * h * n * d, sizeof *o), *w = malloc(m * sizeof *w);
        for (long i = 0; i < b * h * n; i++) {
            long kv = i / n / h * g + i / n % h / (h / g);
            float top = -INFINITY, sum = 0;
            for (long j = 0; j < m; j++) {
                w[j] = 0;
                for (long c = 0; c < d; c++)
                    w[j] += q[i * d + c] * k[(kv * m + j) * d + c];
                w[j] *= SCALE;
                if (w[j] > top) top = w[j];
            }
            for (long j = 0; j < m; j++) sum += w[j] = expf(w[j] - top);
            for (long j = 0; j < m; j++)
                for (long c = 0; c < d; c++)
                    o[i * d + c] += w[j] / sum * v[(kv * m + j) * d + c];
        }
        snprintf(path, sizeof path, "%s.output.bin", name);
        FILE *f = fopen(path, "wb");
        fwrite(o, sizeof *o, b * h * n * d, f);
        fclose(f);
    }
    return 0;
}
"""


@pytest.mark.skipif(
    not shutil.which("cc"),
    reason="Not run: a C compiler by the name of cc (on Debian: apt install gcc).",
)
@pytest.mark.parametrize(
    ("scale", "status"), [("1 / sqrtf(d)", 0), ("1 / (float)d", 1)]
)
def test_a_program_in_c(tmp_path, capsys, scale, status):
    assert len(PROBES) == 11
    main(["probes", str(tmp_path)])
    (tmp_path / "attention.c").write_text(C_PROGRAM)
    command = ["cc", "-O2", f"-DSCALE=({scale})", "attention.c", "-o", "program", "-lm"]
    subprocess.run(command, cwd=tmp_path, check=True)
    subprocess.run([tmp_path / "program"], cwd=tmp_path, check=True)
    assert main(["read", str(tmp_path)]) == status
    if status:
        assert "scores are multiplied by 1/d_k" in capsys.readouterr().out
