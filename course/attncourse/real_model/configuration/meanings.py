"""What each line of a configuration says, in a sentence."""

import functools
import tomllib

from attncourse.real_model.configuration import family

OUTSIDE = ("vision", "image", "audio", "video", "mm_", "projector", "multimodal")
MORE_OUTSIDE = {"text_config", "tie_word_embeddings", "spatial_merge_size"}


@functools.cache
def sentences():
    """Return the three tables of ``keys.toml``."""
    return tomllib.loads((family.HERE / "keys.toml").read_text(encoding="utf-8"))


def is_inert(key):
    """Say whether a key changes no total, in no family."""
    known = sentences()
    named = key in known["attention"] or key in known["nothing"]
    return named or key == "model_type" or key.endswith(family.HARMLESS_ENDS)


def is_harmless(key, value):
    """Say whether a line changes no total: nothing is said, or nothing is there."""
    if is_inert(key) or value is None or value in ([], {}):
        return True
    return value is False and key in sentences()["off"]


def is_outside_text(key):
    """Say whether a key beside ``text_config`` leaves the language model as it is."""
    return is_inert(key) or key in MORE_OUTSIDE or key.startswith(OUTSIDE)


def explain(config):
    """Say of each line what it says, and whether it changes a total.

    Parameters
    ----------
    config : dict

    Returns
    -------
    list of (str, str, str)
        The key, "totals", "attention", "nothing" or "unknown", and a sentence. Lines
        of ``text_config`` follow, with keys such as ``text_config.head_dim``.
    """
    inner = config.get("text_config")
    found = [(key, *_line(key)) for key in config]
    if isinstance(inner, dict):
        found += [(f"text_config.{key}", *_line(key)) for key in inner]
    return found


def _line(key):
    for table in ("totals", "attention", "nothing"):
        if key in sentences()[table]:
            return table, sentences()[table][key]
    if key.endswith(family.HARMLESS_ENDS):
        return "nothing", "The number of a special token."
    if key.startswith(OUTSIDE) or key in MORE_OUTSIDE:
        return "nothing", "About what the model sees or hears; not counted here."
    if any(key in entry.get("inert", ()) for entry in family.table().values()):
        return "nothing", "Changes no total in the families that have it."
    return "unknown", "Not known here."
