"""The memory of texts, an engine's reserve, and the cost of a token."""

import pytest

from attnconfig import decode, needed, prefill, read, reserved
from attnconfig.families.recurrent import kimi_delta_attention
from attnconfig.noted import Noted
from attnconfig.weights import Rows, Work
from tests.attnconfig.published import config

GPT_OSS = read(config("gpt-oss 20B"))
SMALL = {"model_type": "llama", "hidden_size": 6, "num_hidden_layers": 5}
SMALL |= {"num_attention_heads": 3, "num_key_value_heads": 1, "head_dim": 11}
SMALL |= {"intermediate_size": 13, "vocab_size": 17}


def test_what_texts_need():
    memory = needed(GPT_OSS, 8192, 32)
    assert memory.n_bytes == 32 * GPT_OSS.cache_bytes(8192)
    assert memory.equations[0] == (
        "12 × keys and values: 32 texts × 128 tokens × 1,024 numbers × 2 bytes "
        "= 100,663,296 bytes"
    )


def test_what_is_set_aside_is_whole_pages_in_one_pool():
    memory = reserved(GPT_OSS, 8193, 32)
    pages = 513
    assert memory.n_bytes == 24 * 32 * pages * 16 * 1024 * 2
    assert memory.equations[0] == (
        "12 × keys and values: 32 texts × 513 pages × 16 tokens × 1,024 numbers × "
        "2 bytes = 6,455,033,856 bytes"
    )
    assert reserved(GPT_OSS, 8193, 32, page=1).n_bytes == 24 * 32 * 8193 * 2048


def test_states_are_set_aside_once_for_each_text():
    hybrid = read(config("Qwen3 Next 80B A3B"))
    assert reserved(hybrid, 0, 7).n_bytes == 7 * hybrid.cache_bytes(0)
    told = reserved(hybrid, 32, 7).equations
    assert [line.split(":")[0] for line in told] == [
        *("36 × state", "36 × short convolution", "12 × keys and values")
    ]
    assert "7 texts × 524,288 numbers × 4 bytes" in told[0]


def test_refused_totals_have_no_memory_and_no_cost():
    model = read(SMALL | {"n_registers": 4})
    assert needed(model, 8) is reserved(model, 8) is decode(model, 8) is None
    assert prefill(model, 8) is None


def test_costs_of_a_small_one_by_hand():
    model = read(SMALL)
    matrices = 2 * 6 * 33 + 2 * 6 * 11 + 3 * 6 * 13
    one = decode(model, 7)
    assert one.multiplications == 5 * (matrices + 7 * 2 * 33) + 6 * 17
    assert one.n_bytes == 2 * (model.n_parameters - 16 * 6) + model.cache_bytes(7)
    many = prefill(model, 7)
    seen = 7 * 8 // 2 * 2 * 33
    assert many.multiplications == 5 * (7 * matrices + seen) + 6 * 17
    assert many.mixing == 5 * seen
    assert many.n_bytes == one.n_bytes
    wide = prefill(model, 7, 1, cache_n_bytes=4)
    fetched = model.n_parameters - 16 * 6
    assert wide.n_bytes == fetched + model.cache_bytes(7, 4)
    assert f"{many.mixing:,} for attention" in many.equation


def test_a_query_with_an_index_costs_the_index_and_the_chosen_keys():
    model, n = read(config("DeepSeek-V3.2")), 131_072
    index, keys = 64 * 128 * n, 128 * (2 * 512 + 64) * 2048
    cost = decode(model, n)
    assert cost.mixing == 61 * (index + keys)
    assert round(cost.mixing / 1e9) == 83
    assert decode(read(config("DeepSeek V3")), n).mixing == 61 * keys * n // 2048
    read_ = 61 * 2 * (128 * n + 576 * 2048)
    assert cost.n_bytes == 2 * model.n_active_parameters + read_
    few = decode(read(config("DeepSeek-V3.2", index_topk=256)), n)
    assert few.mixing < cost.mixing


@pytest.mark.parametrize("rows", [Rows(), Rows(5), Rows(per=4), Rows(3, 4), Rows(1, 7)])
def test_rows_that_all_queries_see_add_up(rows):
    for n in range(40):
        assert rows.total(n) == sum(rows.count(i) for i in range(1, n + 1))


def test_rows_that_are_left_over():
    assert [Rows(per=4, rest=True).count(n) for n in range(6)] == [0, 1, 2, 3, 0, 1]


def test_a_state_costs_each_token_the_same():
    work = Work("state", 5)
    assert (work.count(1), work.count(7), work.total(7)) == (5, 5, 35)


def test_gates_of_kimi_delta_attention_are_made_at_once_or_by_way_of_few_numbers():
    """Two gates of 3 heads of 5 channels, from rows of 7 numbers."""
    lines = Noted({"hidden_size": 7})
    once, narrow = (
        sum(
            weight.parameters
            for weight in kimi_delta_attention(lines, 3, 5, 4, few).weights(7)
            if weight.name.startswith("gates")
        )
        for few in (None, 5)
    )
    assert once == 7 * 2 * 15
    assert narrow == 7 * 2 * 5 + 5 * 2 * 15
