"""Users of a part: asked of published files, and of files of few lines.

A family has a part if one of its files has it: a published one, by
`attnconfig/published.json`; one of which some lines are in `more_models.toml`; or one
that holds sizes, and what all of a family of `attnconfig` say.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import attnconfig
from attnconfig import Layer
from attnconfig.families import FAMILIES
from attnconfig.noted import Noted, Refusal
from attncourse.figures.configuration.models import MODELS
from attncourse.real_model.configuration.cards import OWN as OWN_FACTS
from attncourse.real_model.configuration.cards import with_networks

NAMES = tomllib.loads(Path(__file__).with_name("family_names.toml").read_text("utf-8"))
MORE_MODELS = tomllib.loads(
    Path(__file__).with_name("more_models.toml").read_text("utf-8")
)
PUBLISHED = Path(attnconfig.__file__).with_name("published.json")
LINES = {"hidden_size": 4096, "num_hidden_layers": 24, "num_attention_heads": 32}
LINES |= {"intermediate_size": 8192, "vocab_size": 32000}
MORE: tuple[dict[str, int], ...] = (
    {},
    {"num_key_value_heads": 8},
)  # some families take the one, some the other
SECTIONS = {"rope_scaling": {"rope_type": "default", "mrope_section": [16, 24, 24]}}
INTERLEAVED = {"rope_scaling": {**SECTIONS["rope_scaling"], "mrope_interleaved": True}}
OWN: dict[str, dict[str, Any]] = {  # what all files of a family say for themselves
    **dict.fromkeys(("glm4v_text", "glm4v_moe_text"), SECTIONS),
    **dict.fromkeys(("qwen2_vl_text", "qwen2_5_vl_text"), SECTIONS),
    **dict.fromkeys(("qwen3_vl_text", "qwen3_vl_moe_text"), INTERLEAVED),
    **dict.fromkeys(("qwen3_5_text", "qwen3_5_moe_text"), INTERLEAVED),
    "dbrx": {"attn_config": {"kv_n_heads": 8}},
    "RefinedWeb": {"new_decoder_architecture": True, "num_kv_heads": 8},
    "deepseek_v4": {"compress_ratios": [4, 128] * 12},
    "kimi_linear": {"mla_use_nope": True},
    "mamba2": {"num_heads": 128},
    "nemotron_h": {"hybrid_override_pattern": "M-M*" * 6},
}
MISSING = re.compile(r"(\w+) is missing\.")
SIZE = 8  # of what a family cannot do without
MENU = {each["model_type"] for each in MODELS.values()}  # lesson 14's, told first


class File(NamedTuple):
    """A file: whose it is, the family, the lines in it, the layers it describes."""

    name: str
    family: str
    lines: dict[str, Any]
    layers: tuple[Layer, ...]


@cache
def files() -> list[File]:
    """List the published files, the newest first, then one of each family."""
    models = json.loads(PUBLISHED.read_text("utf-8"))["models"]
    found = [_of_lines(name, lines) for name, lines in MORE_MODELS.items()]
    found += [_published(**one) for one in reversed(models)]
    found.sort(key=lambda one: one.family not in MENU)
    names = {**NAMES, **{one.family: one.name for one in reversed(found)}}
    return found + [
        File(names.get(name, name), name, dict(_flat(OWN.get(name, {}))), layers)
        for name, (_, layers) in sorted(families().items())
        if layers
    ]


def _published(name, config, measured):
    model = attnconfig.read(config)
    return File(name, model.family or "", dict(_flat(config)), model.layers)


def _of_lines(name, lines):
    family, read_as = lines["model_type"], lines.get("read_as")
    known = lines | {"model_type": read_as}
    layers = attnconfig.read(known).layers if read_as else ()
    return File(name, family, dict(_flat(lines)), layers)


def _flat(lines: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in lines.items():
        yield key, value
        if isinstance(value, dict):
            yield from _flat(value)


@cache
def families() -> dict[str, tuple[frozenset[str], tuple[Layer, ...]]]:
    """Return {family: (lines it reads, layers)} of a file of few lines.

    Encoders, and what needs more to be read, have no layers.
    """
    found = {}
    for name, (build, sizes) in FAMILIES.items():
        own = {"model_type": name, **LINES, **OWN.get(name, {})}
        tried = [_tried(build, own | more, sizes) for more in MORE]
        seen = frozenset.union(*(seen for seen, _ in tried))
        found[name] = seen, next((layers for _, layers in tried if layers), ())
    return found


def _tried(build, lines, sizes):
    """Build a family's model; where a size is missing, give it one, and try again."""
    noted = Noted(lines, sizes)
    try:
        return frozenset(noted.seen), tuple(build(noted).layers)
    except Refusal as problem:
        missing = MISSING.fullmatch(str(problem))
        if missing and missing[1] not in lines:
            return _tried(build, {**lines, missing[1]: SIZE}, sizes)
        return frozenset(noted.seen), ()


def known() -> int:
    """Count the families that are asked."""
    return len({one.family for one in files()})


def users(how: str) -> dict[str, str]:
    """Return {family: a model of it} of the families that have something.

    Parameters
    ----------
    how : str
        "line NAME …": a file has one of these lines, and not false; "fact NAME":
        attention of a layer has this fact, or this value of it (NAME=VALUE);
        "part NAME": a part of a layer has this attribute set; "named WORDS": a part
        is called so; "kinds KIND KIND": there are layers of each of these kinds.
        Any of several, with " or " between them.
    """
    asked = [one.partition(" ")[::2] for one in how.split(" or ")]
    found: dict[str, str] = {}
    for one in files():
        if any(HAS[kind](one, said) for kind, said in asked):
            found.setdefault(one.family, one.name)
    return found


HAS = {
    "line": lambda one, said: any(one.lines.get(name) for name in said.split()),
    "fact": lambda one, said: any(_fact(each.facts, said) for each in one.layers),
    "part": lambda one, said: any(_set(part, said) for part in _parts(one)),
    "named": lambda one, said: any(said in part.name for part in _parts(one)),
    "kinds": lambda one, said: {*said.split()} <= {each.kind for each in one.layers},
}
ASKED = re.compile(rf"(?:(.+): )?((?:{'|'.join(HAS)}) .+)")


def questions(how: str) -> list[tuple[str, str]]:
    """List (what is said before, the question) of "SAID: QUESTION; QUESTION; words"."""
    found = map(ASKED.fullmatch, how.split("; "))
    return [(match[1] or "", match[2]) for match in found if match]


def _fact(facts, said):
    return (
        bool(facts and OWN_FACTS[said](facts))
        if said in OWN_FACTS
        else _set(facts, said)
    )


def _parts(one: File) -> set[Any]:
    return {part for each in one.layers for part in with_networks(each)}


def _set(thing: object, said: str) -> bool:
    names, _, wanted = said.partition("=")
    for name in names.split("."):
        thing = getattr(thing, name, None)
    return str(thing) == wanted if wanted else thing not in (None, False)
