"""Configurations: counts against those published, and by hand for a small one."""

import pytest

from attncourse.real_model.configuration import GEMMA_2_9B, LLAMA_3_8B, MISTRAL_7B, read

# As the model cards' weights have them.
PUBLISHED = {
    "Llama 3 8B": (LLAMA_3_8B, 8_030_261_248),
    "Mistral 7B": (MISTRAL_7B, 7_241_732_096),
    "Gemma 2 9B": (GEMMA_2_9B, 9_241_705_984),
}
SMALL = {"hidden_size": 6, "num_hidden_layers": 5, "num_attention_heads": 3}


@pytest.mark.parametrize(("c", "n"), PUBLISHED.values(), ids=PUBLISHED)
def test_parameters_are_as_many_as_published(c, n):
    assert read(c).parameters == n
    assert read(c).unread == []


def test_a_small_one_by_hand():
    found = read(SMALL, n_tokens=7, n_bytes=4)
    assert found.shapes == dict.fromkeys(
        ("w_query", "w_key", "w_value", "w_output"), (6, 6)
    )
    assert found.parameters == 5 * 4 * 36 + 11 * 6  # and 11 gains of 6 numbers
    assert found.cache_per_token == 5 * 2 * 6 * 4
    assert found.cache == 7 * found.cache_per_token
    assert found.multiplications == 5 * (4 * 36 + 2 * 7 * 6)
    assert (found.keywords, found.unread) == ({}, [])


def test_shared_heads_and_a_width_of_their_own():
    found = read({**SMALL, "num_key_value_heads": 1, "head_dim": 11})
    assert found.shapes["w_query"] == (6, 33)
    assert found.shapes["w_key"] == found.shapes["w_value"] == (6, 11)
    assert found.shapes["w_output"] == (33, 6)
    assert found.cache_per_token == 5 * 2 * 11 * 2


@pytest.mark.parametrize(("every", "keys"), [(1, 5 * 3), (2, 2 * 3 + 3 * 7)])
def test_a_window_bounds_the_cache(every, keys):
    c = {**SMALL, "sliding_window": 3, "layers_per_window": every}
    found = read(c, n_tokens=7)
    assert found.cache == keys * 2 * 6 * 2
    assert found.multiplications == 5 * 4 * 36 + 2 * keys * 6
    assert read(c, n_tokens=2).cache == 2 * found.cache_per_token


def test_feed_forward_and_vocabulary():
    more = {"intermediate_size": 13, "vocab_size": 17}
    small, tied = read(SMALL), {"tie_word_embeddings": True}
    matrices = 5 * 3 * 6 * 13
    for extra, tables in (({}, 2), (tied, 1)):
        found = read({**SMALL, **more, **extra})
        assert found.parameters - small.parameters == matrices + tables * 17 * 6
        assert found.multiplications - small.multiplications == matrices + 17 * 6


def test_a_gate_is_a_third_matrix():
    c = {**SMALL, "intermediate_size": 13}
    gated, plain = read(c), read(c, gated=False)
    names = ["w_gate", "w_up", "w_down"]
    assert list(gated.shapes)[4:] == names
    assert list(plain.shapes)[4:] == names[1:]
    assert [gated.shapes[name] for name in names] == [(6, 13), (6, 13), (13, 6)]
    assert gated.parameters - plain.parameters == 5 * 6 * 13
    # Without a gate a network of 4 d_model is as large as one with it of 8/3 d_model.
    wide = read({**SMALL, "intermediate_size": 24}, gated=False)
    assert wide.parameters == read({**SMALL, "intermediate_size": 16}).parameters


def test_a_model_without_a_gate():
    """BERT base: twelve layers of 768 and 3072, without its biases and embeddings."""
    bert = {"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12}
    bert |= {"intermediate_size": 3072, "hidden_act": "gelu"}
    gains = 25 * 768
    assert read(bert, gated=False).parameters == 12 * 12 * 768**2 + gains


def test_what_each_line_is_in_attnlib():
    assert read(GEMMA_2_9B).keywords == {
        "num_key_value_heads": "enable_gqa=True",
        "sliding_window": "window=(4096 - 1, 0)",
        "attn_logit_softcapping": "softcap=50.0",
        "query_pre_attn_scalar": "scale=256 ** -0.5",
        "rope_theta": "rotary_embedding(base=10000.0)",
        "rms_norm_eps": "rms_norm(eps=1e-06)",
    }


def test_lines_that_mean_nothing_here_are_named():
    c = {**SMALL, "sliding_window": None, "bos_token_id": 1}
    assert read(c).unread == ["bos_token_id"]
    assert "sliding_window" not in read(c).keywords


def test_what_is_missing_is_named():
    message = "read: the configuration lacks num_hidden_layers, num_attention_heads"
    with pytest.raises(ValueError, match=message):
        read({"hidden_size": 6})
