"""Random small configurations of each family, and how the reader does on them."""

import math
import random
from dataclasses import fields

import transformers

from attncourse.real_model.configuration import family, read
from attncourse.real_model.configuration.values import FLAGS, LISTS
from tests.parity import built

# Sizes that differ where they can, by trait; drawn from at random.
SIZES = {
    **{"width": [48, 64, 96], "layers": [4, 6, 7], "heads": [4, 8, 2]},
    **{"kv_heads": [2, 4, 1], "head_dim": [16, 24, 8], "ff": [40, 72]},
    **{"vocab": [97, 130], "n": [8, 4], "used": [2, 3], "experts.width": [20, 24]},
    **{"shared": [28, 32], "shared_count": [1, 2], "first": [1, 2, 0]},
    **{"every": [1, 2], "last": [-1, 2, 3], "period": [2, 3, 4], "offset": [0, 1]},
    **{"q_rank": [12, 20], "kv_rank": [16, 24], "nope_dim": [8, 12]},
    **{"rope_dim": [4, 8], "v_dim": [12, 8], "index_heads": [2, 4]},
    **{"index_dim": [8, 16], "key_heads": [2, 4], "value_heads": [4, 8]},
    **{"key_dim": [8, 12], "value_dim": [8, 16], "kernel": [4, 3], "state": [8, 16]},
    **{"expand": [2], "rank": [5, 7], "groups": [1, 2], "d_head": [12, 16]},
    **{"inner": [96], "window": [7, 5], "window_from": [2, 0, 3]},
    **{"full_every": [2, 3, 4], "rotary_interval": [4, 2], "n_positions": [40]},
    **{"narrow": [32], "multiple": [16], "times": [1.0, 1.3], "grouped": [2, 4]},
    **{"parallel_norms": [1, 2]},
}
# What a configuration may leave out.
OPTIONAL = {
    *("every", "first", "last", "shared_count", "window_from", "full_every"),
    *("rotary_interval", "period", "offset", "parallel_norms", "index_heads"),
}
# A quarter of six columns cannot be rotated in pairs.
EXTRA = {"stablelm": {"partial_rotary_factor": 1.0}}
TOKENS = {"bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0}


def traits(name):
    """Yield the traits of a family that a key stands for, with the key."""
    for trait, value in family.table()[name].items():
        inside = value.items() if isinstance(value, dict) else [(None, value)]
        for part, key in inside if trait not in ("alias", "defaults") else ():
            if isinstance(key, str) and key.startswith("$"):
                yield (f"{trait}.{part}" if part else trait), key[1:]


def draw(name, rng):
    """Return one configuration of a family."""
    config = {"model_type": name, **TOKENS}
    for trait, key in traits(name):
        last = trait.rpartition(".")[2]
        left_out = last in OPTIONAL | FLAGS and rng.random() < 0.25
        if key in config or left_out or last in LISTS or last == "pattern":
            continue
        choices = SIZES.get(trait, SIZES.get(last))
        config[key] = rng.random() < 0.5 if last in FLAGS else rng.choice(choices)
    config |= _that_agree(name, config) | EXTRA.get(name, {})
    return config | (_lists(name, config, rng) if rng.random() < 0.5 else {})


def _that_agree(name, config):
    """Return sizes that a class takes only if they agree with others."""
    keys = dict(traits(name))
    width, heads = (config.get(keys.get(trait)) for trait in ("width", "heads"))
    found = {keys["head_dim"]: width // heads} if name == "helium" else {}
    if (
        "linear.expand" in keys
        and "linear.d_head" in keys
        and "linear.inner" not in keys
    ):
        inner = config[keys["linear.expand"]] * width
        found[keys["linear.d_head"]] = inner // config[keys["linear.heads"]]
    if "linear.inner" in keys:
        sizes = (config[keys[f"linear.{trait}"]] for trait in ("heads", "d_head"))
        found[keys["linear.inner"]] = math.prod(sizes)
    return found


def _lists(name, config, rng):
    """Draw the lists that have an entry for each layer, or name layers."""
    entry = family.table()[name]
    n = config.get(entry["layers"][1:], 4)
    lists = {
        "dense": [1],
        "listed": [0, 2],
        "full_in": [0, 2],
        "listed_types": rng.choices(["dense", "sparse"], k=n),
        "full_where": rng.choices([0, 1], k=n),
        "without_rotary": rng.choices([0, 1], k=n),
        "pattern": "".join(rng.choices("M*-E", k=n)),
    }
    found = {
        key: lists[trait.rpartition(".")[2]]
        for trait, key in traits(name)
        if trait.rpartition(".")[2] in lists
    }
    several = len(entry["kinds"]) > 1 and "pattern" not in entry
    return found | (
        {"layer_types": rng.choices(entry["kinds"], k=n)} if several else {}
    )


def some(name, n, seed=0):
    """Return n configurations of a family."""
    rng = random.Random(f"{seed} {name}")
    return [draw(name, rng) for _ in range(n)]


def plain(name):
    """Return the first one that transformers can build and the reader reads."""
    for config in some(name, 30, seed=1):
        found = compare(config)
        if found and found["right"] and not found["refused"]:
            return config
    raise AssertionError(f"no configuration of {name} is read")


def other_values(name, config):
    """Yield the keys of the class that the reader does not read, with new values."""
    kind = type(transformers.AutoConfig.for_model(built.NAMED.get(name, name)))
    read_ones = {*family.named_keys(family.table()[name]), *config, "model_type"}
    for field in fields(kind):
        value = getattr(kind(), field.name, None)
        if field.name in read_ones or field.name.startswith("_"):
            continue
        if isinstance(value, bool):
            yield field.name, not value
        elif isinstance(value, int) and value:
            yield field.name, 2 * value


def compare(config):
    """Compare the reader with transformers; None if that cannot build the model.

    Returns
    -------
    dict
        "right", "refused" and "wrong": names of totals.
    """
    try:
        model = built.build(config)
    except Exception:  # each class has its own errors, and any will do
        return None
    found = read(config)
    used = [
        key for trait, key in traits(config["model_type"]) if trait.endswith("used")
    ]
    pairs = {
        "n_parameters": (found.n_parameters, {built.n_parameters(model)}),
        "n_active_parameters": (
            found.n_active_parameters,
            {built.n_active_parameters(model, (config[used[0]] or 1) if used else 1)},
        ),
    }
    for n_tokens in (5, 13):
        numbers = built.try_cache(model, n_tokens)
        if numbers is not None:
            kept = found.cache_bytes(n_tokens, 1)
            pairs[f"cache_bytes({n_tokens})"] = (kept, _ways(found, n_tokens, numbers))
    verdicts = {"right": [], "refused": [], "wrong": [], "config": config}
    for total, (got, expected) in pairs.items():
        right = "refused" if got is None else "right" if got in expected else "wrong"
        verdicts[right].append(total)
    return verdicts


def _ways(found, n_tokens, numbers):
    """Return what the cache may hold by our definition, given what was measured.

    Transformers lets go of a window's last row one token early, and repeats the shared
    heads of Falcon's later form before it keeps them.
    """
    cut = [each for each in found.layers if each.window and each.window <= n_tokens]
    ways = {numbers, numbers + sum(each.row for each in cut)}
    if found.family == "falcon" and found.layers:
        first = found.layers[0]
        ways.add(numbers * first.kv_heads // first.heads)
    return ways
