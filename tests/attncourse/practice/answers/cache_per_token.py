"""Right and wrong answers for cache_per_token, in several styles."""

from tests.attncourse.practice.answers import answers_of

right, wrong = answers_of(__name__)


@right
def line_by_line(config, n_bytes):
    heads = config["num_attention_heads"]
    shared = config.get("num_key_value_heads")
    shared = heads if shared is None else shared
    width = config.get("head_dim")
    if width is None:
        width = config["hidden_size"] // heads
    return sum(2 * shared * width * n_bytes for _ in range(config["num_hidden_layers"]))


@right
def built(c, n_bytes, rows=2, shared=None, width=None, layers=None):
    heads = c["num_attention_heads"]
    shared = shared or c.get("num_key_value_heads") or heads
    width = width or c.get("head_dim") or c["hidden_size"] // heads
    return (layers or c["num_hidden_layers"]) * rows * shared * width * n_bytes


wrong("grouping-ignored")(lambda c, n: built(c, n, shared=c["num_attention_heads"]))
wrong("head-dim-ignored")(
    lambda c, n: built(c, n, width=c["hidden_size"] // c["num_attention_heads"]),
    lambda c, n: 2 * c["num_hidden_layers"] * c["hidden_size"] * n,
)
wrong("other-default")(
    lambda c, n: built(c, n, shared=c.get("num_key_value_heads") or 1)
)
wrong("crashed")(
    lambda c, n: built(c, n, shared=c["num_key_value_heads"]),
    lambda c, n: built(c, n, width=c["head_dim"] + 0),
)
wrong("one-of-two")(lambda c, n: built(c, n, rows=1))
wrong("layers-forgotten")(lambda c, n: built(c, n, layers=1))
wrong("numbers-instead-of-bytes")(lambda c, n: built(c, 1))
wrong("bytes-written-down")(lambda c, n: built(c, 2))
wrong("bits-instead-of-bytes")(lambda c, n: 8 * built(c, n))
wrong("other-unit")(lambda c, n: built(c, n) / 1024)
wrong("wrong-dtype")(lambda c, n: built(c, n) / 1)
wrong("whole-text-instead")(lambda c, n: built(c, n) * c["max_position_embeddings"])
wrong("inputs-changed")(lambda c, n: built({**c}, n) * (c.pop("hidden_size") > 0))
