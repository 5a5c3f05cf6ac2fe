"""The table of keys: which lines are harmless and why, and what lines say."""

import functools
import tomllib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Literal, NamedTuple

Changes = Literal["totals", "attention", "elsewhere", "nothing", "unknown"]
KINDS: dict[str, tuple[type, ...]] = {
    "any": (object,),
    "word": (str,),
    "number": (int, float),
    "scale": (bool, int, float),
}
# One idea, several names: transformers' own maps of attributes, and older files.
SAME = (
    ("hidden_size", "n_embd", "n_embed", "d_model", "dim", "model_dim"),
    ("num_hidden_layers", "n_layer", "n_layers", "num_layers"),
    ("num_attention_heads", "n_head", "n_heads", "num_heads", "attention_heads"),
    ("num_key_value_heads", "num_kv_heads", "n_head_kv"),
    ("intermediate_size", "ffn_dim", "n_inner", "ffn_hidden_size", "block_ff_dim"),
    ("num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts"),
    (
        *("num_experts_per_tok", "experts_per_token", "top_k_experts", "moe_k"),
        *("num_experts_per_token", "moe_topk"),
    ),
    ("tie_word_embeddings", "tie_embedding", "use_embedding_sharing"),
    ("layer_types", "layers_block_type"),
    ("vocab_size", "padded_vocab_size"),
    ("max_position_embeddings", "n_positions"),
    ("n_shared_experts", "num_shared_experts"),
)


@dataclass(frozen=True)
class Harmless:
    """A row of the table: keys that change no total, for values of some kind."""

    changes: Changes
    why: str
    keys: tuple[str, ...]
    kind: str = "any"

    def fits(self, key: str, value: Any) -> bool:
        """Say whether a line is one of them."""
        if not isinstance(value, KINDS[self.kind]):
            return False
        if self.kind == "number" and isinstance(value, bool):
            return False
        if key in self.keys:
            return True
        size = self.kind == "number" and like(key, table()["sized"].split())
        return not size and like(key, self.keys)


def like(key: str, patterns: tuple[str, ...] | list[str]) -> bool:
    """Say whether a key fits one of these patterns."""
    return any(fnmatchcase(key, pattern) for pattern in patterns)


@functools.cache
def table() -> dict[str, Any]:
    """Return ``keys.toml``."""
    return tomllib.loads(Path(__file__).with_name("keys.toml").read_text("utf-8"))


@functools.cache
def rows() -> tuple[Harmless, ...]:
    """Return its rows of harmless keys."""
    return tuple(
        Harmless(**{**row, "keys": tuple(row["keys"].split())})
        for row in table()["harmless"]
    )


def harmless(key: str, value: Any) -> Harmless | None:
    """Return the row of a line that changes no total, or None."""
    return next((row for row in rows() if row.fits(key, value)), None)


def other_names(key: str) -> tuple[str, ...]:
    """Return the other names of a key."""
    group = next((group for group in SAME if key in group), ())
    return tuple(name for name in group if name != key)


def sentence(key: str) -> tuple[Changes, str] | None:
    """Say what a line says, or a line of another name of it, and what that changes."""
    tables: tuple[tuple[Changes, str], ...]
    tables = ("totals", "says"), ("attention", "says_of_attention")
    for name in (key, *other_names(key)):
        for changes, place in tables:
            if name in table()[place]:
                return changes, str(table()[place][name])
    return None


# A line of the file, told.


class Line(NamedTuple):
    """A line of the file.

    Parameters
    ----------
    key : str
    changes : str
        What another value would change: "totals", "attention", something "elsewhere",
        "nothing" that is computed, or "unknown".
    sentence : str
    """

    key: str
    changes: Changes
    sentence: str
