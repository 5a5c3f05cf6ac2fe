import dataclasses
from dataclasses import replace

import numpy as np
import pytest

from attnlib import (
    Decoder,
    DecoderLayer,
    Embedding,
    KVCache,
    MultiHeadAttention,
    Vocabulary,
    gated_feed_forward,
    gelu,
    merge_heads,
    project,
    rms_norm,
    rotary_embedding,
    scaled_dot_product_attention,
    silu,
    sinusoidal_positional_encoding,
    split_heads,
)
from tests.attnlib import oracle

D_MODEL, N_HEADS, D_FF, VOCAB_SIZE = 12, 3, 11, 7
IDS = np.array([[3, 1, 4, 1, 5, 0], [2, 6, 5, 3, 5, 6]])


def layer_of(rng, *, n_kv_heads=None, network=True, xp=np, **options):
    d_kv = D_MODEL // N_HEADS * (n_kv_heads or N_HEADS)
    shapes = [(D_MODEL, D_MODEL), (D_MODEL, d_kv), (D_MODEL, d_kv), (D_MODEL, D_MODEL)]
    weights = [xp.asarray(rng.normal(size=shape) / 3) for shape in shapes]
    attention = MultiHeadAttention(*weights, n_heads=N_HEADS, n_kv_heads=n_kv_heads)
    parts = {"w_1": (D_MODEL, D_FF), "b_1": (D_FF,), "w_2": (D_FF, D_MODEL)}
    parts |= {"b_2": (D_MODEL,), "gain_2": (D_MODEL,)}
    parts = {"gain_1": (D_MODEL,), **(parts if network else {})}
    arrays = {name: xp.asarray(rng.normal(size=s)) for name, s in parts.items()}
    return DecoderLayer(attention, **arrays, **options)


def loops(layer, x):
    """Decode one sequence with plain loops."""
    attention, d_k = layer.attention, D_MODEL // N_HEADS
    names = ("w_query", "w_key", "w_value", "w_output")
    weights = {name: np.asarray(getattr(attention, name)) for name in names}

    def heads(rows, name, turn):
        projected = oracle.project(rows, weights[name])
        cut = range(0, len(projected[0]), d_k)
        found = [[row[c : c + d_k] for row in projected] for c in cut]
        if turn and layer.rotary_base is not None:
            positions = range(len(rows))
            return [
                oracle.rotary(h, positions, layer.rotary_base, d_k, False)
                for h in found
            ]
        return found

    normal = oracle.rms_norm(x, np.asarray(layer.gain_1), layer.eps)
    how = {"is_causal": True, "window": layer.window, "softcap": layer.softcap}
    arrays = [heads(normal, n, n != "w_value") for n in names[:3]]
    attended = oracle.modern_attention(*arrays, **how)
    merged = [[y for h in attended for y in h[i]] for i in range(len(x))]
    x = oracle.add(x, oracle.project(merged, weights["w_output"]))
    if layer.w_1 is None:
        return x
    act = oracle.gelu if layer.activation is gelu else lambda z: max(0.0, z)
    normal = oracle.rms_norm(x, np.asarray(layer.gain_2), layer.eps)
    hidden = oracle.project(normal, np.asarray(layer.w_1), np.asarray(layer.b_1))
    hidden = [[act(z) for z in row] for row in hidden]
    return oracle.add(
        x, oracle.project(hidden, np.asarray(layer.w_2), np.asarray(layer.b_2))
    )


OPTIONS = {
    "plain": {},
    "only attention": {"network": False},
    "rotary": {"rotary_base": 100.0},
    "window": {"window": (2, 5)},
    "softcap": {"softcap": 0.5},
    "shared heads": {"n_kv_heads": 1},
    "all": {"rotary_base": 50, "window": (3, None), "softcap": 2.0, "n_kv_heads": 1,
            "eps": 0.1, "activation": gelu},
}  # fmt: skip
each_kind = pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)


@each_kind
def test_a_layer_against_loops(xp, rng, options):
    layer = layer_of(rng, xp=xp, **options)
    x = rng.normal(size=(6, D_MODEL))
    got = np.asarray(layer(xp.asarray(x)))
    np.testing.assert_allclose(got, loops(layer, x.tolist()), rtol=1e-10, atol=1e-12)


@each_kind
@pytest.mark.parametrize("parts", [[1] * 6, [2, 4], [5, 1]])
def test_a_layer_with_a_cache_gives_the_same(rng, options, parts):
    layer, x = layer_of(rng, **options), rng.normal(size=(2, 6, D_MODEL))
    whole, cache, start = layer(x), KVCache(), 0
    for n in parts:
        got = layer(x[:, start : start + n], cache=cache)
        start += n
        np.testing.assert_allclose(
            got, whole[:, start - n : start], rtol=1e-9, atol=1e-12
        )
        assert len(cache) == start


def test_the_cache_holds_the_heads_of_keys_only(rng):
    few, many = layer_of(rng, n_kv_heads=1), layer_of(rng)
    caches = [KVCache(), KVCache()]
    for layer, cache in zip((few, many), caches, strict=True):
        layer(np.ones((2, 6, D_MODEL)), cache=cache)
    assert caches[0].key.shape == (2, 1, 6, 4)
    assert caches[1].n_bytes == 3 * caches[0].n_bytes == 2 * 2 * 6 * D_MODEL * 8


def decoder_of(rng, *, positions=None, tied=True, xp=np, **options):
    table = Embedding(xp.asarray(rng.normal(size=(VOCAB_SIZE, D_MODEL))))
    layers = [layer_of(rng, xp=xp, **options) for _ in range(2)]
    gain = xp.asarray(rng.normal(size=D_MODEL))
    if positions is not None:
        positions = xp.asarray(positions)
    w_output = None if tied else xp.asarray(rng.normal(size=(D_MODEL, VOCAB_SIZE)))
    how = {"positions": positions, "gain": gain, "w_output": w_output}
    return Decoder(table, layers, **how, eps=0.01)


KINDS = {
    "learned positions": {"positions": np.arange(96.0).reshape(8, 12) % 5 / 3},
    "rotary": {"rotary_base": 100.0, "n_kv_heads": 1},
    "own output": {"tied": False, "network": False},
}
each_decoder = pytest.mark.parametrize("options", KINDS.values(), ids=KINDS)


@each_decoder
def test_a_decoder_is_its_parts(xp, rng, options):
    decoder = decoder_of(rng, xp=xp, **options)
    table = np.asarray(decoder.embedding.table)
    x = table[IDS[0]].tolist()
    if decoder.positions is not None:
        x = oracle.add(x, np.asarray(decoder.positions)[:6].tolist())
    for layer in decoder.layers:
        x = loops(layer, x)
    x = oracle.rms_norm(x, np.asarray(decoder.gain), 0.01)
    w_output = table.T if decoder.w_output is None else np.asarray(decoder.w_output)
    got = decoder(xp.asarray(IDS))
    assert got.shape == (2, 6, VOCAB_SIZE)
    expected = oracle.matmul(x, w_output)
    np.testing.assert_allclose(np.asarray(got)[0], expected, rtol=1e-9, atol=1e-11)


@each_decoder
@pytest.mark.parametrize("parts", [[1] * 6, [4, 2]])
def test_a_decoder_with_caches_gives_the_same(rng, options, parts):
    decoder = decoder_of(rng, **options)
    whole, caches, start = decoder(IDS), [KVCache(), KVCache()], 0
    for n in parts:
        got = decoder(IDS[:, start : start + n], caches=caches)
        start += n
        np.testing.assert_allclose(
            got, whole[:, start - n : start], rtol=1e-9, atol=1e-11
        )


def test_the_past_does_not_know_the_future(rng):
    decoder, changed = decoder_of(rng), IDS.copy()
    changed[:, 4:] = 0
    np.testing.assert_allclose(decoder(changed)[:, :4], decoder(IDS)[:, :4], rtol=1e-10)


def test_tokens_will_do():
    vocabulary = Vocabulary(["a", "b", "c"])
    table = np.random.default_rng(0).normal(size=(3, 4))
    layer = DecoderLayer(MultiHeadAttention(*[np.eye(4)] * 4, n_heads=2))
    decoder = Decoder(Embedding(table, vocabulary), [layer])
    np.testing.assert_array_equal(decoder(["b", "a"]), decoder([1, 0]))


def test_sinusoids_are_positions_too(rng):
    decoder = decoder_of(rng, positions=sinusoidal_positional_encoding(6, D_MODEL))
    assert decoder(IDS).shape == (2, 6, VOCAB_SIZE)


def test_a_table_of_positions_may_have_one_row(rng):
    row = rng.normal(size=(1, D_MODEL))
    found = decoder_of(rng, positions=row)(IDS[:, :1])
    assert found.shape == (2, 1, VOCAB_SIZE)


def test_float16_is_rounded_at_the_end():
    rng = np.random.default_rng(0)
    wide = Decoder.random(2, VOCAB_SIZE, D_MODEL, N_HEADS, D_FF, rng=rng)

    def narrow(thing):
        changes = {
            f.name: getattr(thing, f.name).astype(np.float16)
            for f in dataclasses.fields(thing)
            if isinstance(getattr(thing, f.name), np.ndarray)
        }
        return replace(thing, **changes)

    layers = [
        replace(narrow(layer), attention=narrow(layer.attention))
        for layer in wide.layers
    ]
    small = replace(narrow(wide), layers=layers, embedding=narrow(wide.embedding))
    got = small(IDS)
    assert got.dtype == np.float16
    np.testing.assert_allclose(got, wide(IDS), atol=0.02)


def test_random():
    rng = np.random.default_rng(0)
    decoder = Decoder.random(3, 50, 40, 4, 60, n_kv_heads=2, rng=rng)
    assert repr(decoder) == "Decoder(n_layers=3, vocab_size=50, d_model=40, float64)"
    assert (decoder.vocab_size, decoder.d_model, len(decoder.layers)) == (50, 40, 3)
    layer = decoder.layers[0]
    assert repr(layer) == "DecoderLayer(d_model=40, n_heads=4, d_ff=60, float64)"
    assert layer.attention.n_kv_heads == 2
    assert layer.rotary_base == 10_000
    for gain in (layer.gain_1, layer.gain_2, decoder.gain):
        np.testing.assert_array_equal(gain, np.ones(40))
    assert not layer.b_1.any()
    assert not layer.b_2.any()
    assert decoder.embedding.table.var() == pytest.approx(1 / 40, rel=0.1)
    assert layer.w_1.shape == (40, 60)
    assert layer.w_1.var() == pytest.approx(1 / 40, rel=0.1)
    assert layer.w_2.var() == pytest.approx(1 / 60, rel=0.1)
    assert len({float(layer.w_1[0, 0]) for layer in decoder.layers}) == 3
    x = decoder.embedding([[1, 2]])
    np.testing.assert_array_equal(decoder.layers[0](x), layer(x))
    assert np.isfinite(rms_norm(x)).all()


@pytest.fixture
def layer(rng):
    return layer_of(rng)


@pytest.fixture
def decoder(rng):
    return decoder_of(rng, positions=np.ones((8, D_MODEL)))


X = np.ones((2, 6, D_MODEL))
GENERATOR = np.random.default_rng(0)
LINEAR = {"rope_type": "linear", "factor": 3.0}


def test_a_cache_of_another_layer_is_refused(rng, layer, decoder):
    cache, caches = KVCache(), [KVCache(), KVCache()]
    layer(X, cache=cache)
    message = r"^DecoderLayer: every layer needs a cache of its own, got cache KVCache"
    with pytest.raises(ValueError, match=message):
        layer_of(rng)(X, cache=cache)
    decoder(IDS, caches=caches)
    for wrong in (caches[::-1], [KVCache()] * 2):
        with pytest.raises(ValueError, match=r"^Decoder: every layer needs a cache"):
            decoder(IDS[:, :1], caches=wrong)
    caches[0].append(np.ones((2, 3, 1, 4)), np.ones((2, 3, 1, 4)))
    with pytest.raises(ValueError, match=r"^Decoder: all caches must hold the same nu"):
        decoder(IDS[:, :1], caches=caches)


# What is called with a decoder or a layer, and what the error then names.
REFUSED_BY_A_DECODER = [
    (lambda d: d([[VOCAB_SIZE]]), "ids must be integers from 0 to 6"),
    (lambda d: d([[-1]]), "ids must be integers from 0 to 6, got ids"),
    (lambda d: d([0.5]), "ids must be integers from 0 to 6, got"),
    (lambda d: d(3), r"ids must have shape \(..., n_tokens\)"),
    (lambda d: d([[]]), r"ids must have shape .* got ids \(1, 0\)$"),
    (lambda d: d(["a"]), "tokens need an Embedding with a vocabulary"),
    (lambda d: d([[0] * 9]), "positions has 8 rows, got n_tokens 9"),
    (lambda d: d(IDS, caches=[KVCache()]), "caches must be a list"),
    (lambda d: d(IDS, caches=[KVCache(), 2]), "caches must be a list"),
    (lambda d: d(IDS, caches=KVCache()), "caches must be a list with"),
    (lambda d: Decoder(3, d.layers), "embedding must be an Embedding"),
    (lambda d: Decoder(d.embedding, []), "layers must be a list of"),
    (lambda d: Decoder(d.embedding, 3), "layers must be a list of at"),
    (lambda d: Decoder(d.embedding, [*d.layers, 3]), "layers must be"),
    (lambda d: replace(d, embedding=Embedding(np.ones((7, 8)))), r"layers .*\[12\]"),
    (lambda d: replace(d, positions=np.ones((8, 11))), r"positions .* \(8, 11\)"),
    (lambda d: replace(d, positions=np.ones((0, 12))), r"positions .* \(0, 12\)"),
    (lambda d: replace(d, positions=np.ones(12)), "positions must have shape"),
    (lambda d: replace(d, gain=np.ones(7)), r"gain must have shape \(12,\)"),
    (lambda d: replace(d, w_output=np.ones((7, 12))), r"w_output .* \(12, 7\)"),
    (lambda d: replace(d, eps=-1), "eps must not be"),
]
ONES = np.ones((11, 5))
NEW = {"n_layers": 1, "vocab_size": 7, "d_model": 12, "n_heads": 3, "d_ff": 5}
REFUSED_BY_A_LAYER = [
    (lambda e: e(X[..., :11]), "x must have rows of d_model ="),
    (lambda e: e(X[0, 0]), "x must have shape"),
    (lambda e: e(X[:, :0]), "x must have at least one row"),
    (lambda e: e(X, cache=3), "caches must be a list with a"),
    (lambda _: DecoderLayer(3), "attention must be a"),
    (lambda e: DecoderLayer(e.attention, e.w_1), "w_1 and w_2"),
    (lambda e: DecoderLayer(e.attention, b_2=e.b_2), r"w_1 .* parts \['b_2'\]$"),
    (lambda e: DecoderLayer(e.attention, ONES, None, ONES.T), "w_1 must map from"),
    (lambda e: replace(e, gain_1=np.ones(11)), r"gain_1 must have shape \(12,\)"),
    (lambda e: replace(e, gain_2=np.ones(11)), r"gain_2 must have shape \(12,\)"),
    (lambda e: replace(e, w_gate=np.ones((12, 4))), "w_gate must have shape"),
    (lambda e: replace(e, eps=-1), "eps must not be"),
    (lambda e: replace(e, window=(-1, 0)), "the left of window must be"),
    (lambda e: replace(e, softcap=0), "softcap must be a"),
    (lambda e: replace(e, rotary_base=0), "rotary_base must be a positive"),
    (lambda e: replace(e, rotary_scaling=LINEAR), "rotary_scaling needs a rot"),
    (lambda _: random_layer(9, 3, rotary_base=10), "rotary .* even d_k, got d_k 3"),
]


def random_layer(d_model, n_heads, **how):
    return DecoderLayer.random(d_model, n_heads, 5, rng=GENERATOR, **how)


@pytest.mark.parametrize(("call", "message"), REFUSED_BY_A_DECODER)
def test_errors(decoder, call, message):
    with pytest.raises(ValueError, match=f"^Decoder: {message}"):
        call(decoder)


@pytest.mark.parametrize(("call", "message"), REFUSED_BY_A_LAYER)
def test_errors_of_a_layer(layer, call, message):
    with pytest.raises(ValueError, match=f"^DecoderLayer: {message}"):
        call(layer)


@pytest.mark.parametrize(
    "wrong", [{"n_layers": 0}, {"vocab_size": 0}, {"d_ff": 0}, {"rng": 0}], ids=str
)
def test_random_refuses(wrong):
    (name,) = wrong
    with pytest.raises(ValueError, match=f"^Decoder.random: {name} must be "):
        Decoder.random(**NEW | {"rng": GENERATOR} | wrong)
    with pytest.raises(ValueError, match=r"^DecoderLayer.random: d_model must be div"):
        random_layer(9, 2)


def test_a_gated_layer_with_sinks_and_heads_of_their_own_size(rng):
    """As in the models of 2025: all its parts, called one after the other."""
    layer = DecoderLayer.random(10, 4, 7, n_kv_heads=2, d_k=6, rng=rng)
    attention = replace(layer.attention, sinks=rng.normal(size=4))
    parts = {"w_gate": rng.normal(size=(10, 7)), "activation": silu, "b_1": None}
    parts |= {"b_2": None, "rotary_base": 100, "rotary_scaling": LINEAR}
    layer = replace(layer, attention=attention, **parts)
    x = rng.normal(size=(5, 10))
    normal = rms_norm(x, layer.gain_1)
    query, key, value = (
        split_heads(project(normal, w), n)
        for w, n in (
            (attention.w_query, 4),
            (attention.w_key, 2),
            (attention.w_value, 2),
        )
    )
    query, key = (rotary_embedding(a, base=100, scaling=LINEAR) for a in (query, key))
    how = {"is_causal": True, "enable_gqa": True, "sinks": attention.sinks}
    heads = scaled_dot_product_attention(query, key, value, **how)
    y = x + project(merge_heads(heads), attention.w_output)
    network = layer.w_gate, layer.w_1, layer.w_2
    expected = y + gated_feed_forward(rms_norm(y, layer.gain_2), *network)
    np.testing.assert_allclose(layer(x), expected, rtol=1e-11)
    cache = KVCache()
    found = [layer(x[i : i + 1], cache=cache) for i in range(5)]
    np.testing.assert_allclose(np.concatenate(found), expected, rtol=1e-11)
