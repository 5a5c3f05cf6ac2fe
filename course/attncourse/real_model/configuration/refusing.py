"""Lines that refuse a total: unknown keys, other values, missing sizes."""

from attncourse.real_model.configuration import family, meanings, values

OWN = ("inert", "fixed", "nested", "listed")  # where an entry names keys of its own
SIZES = ("width", "layers", "heads", "vocab")
EVERYWHERE = {
    "add_cross_attention": [False],
    "is_encoder_decoder": [False],
    "pruned_heads": [{}],
    "tie_encoder_decoder": [False],
    "cross_attention_hidden_size": [],
}


def unknown(key, value):
    """Say that a key is not known."""
    shown = repr(value)
    shown = shown if len(shown) <= 40 else shown[:37] + "…"
    return f"{key} = {shown}: not known here, and it could change this total."


def refuse_unknown(entry, lines, problems):
    """Refuse all totals for a key that the family's entry does not name."""
    known = {
        *family.named_keys(entry),
        *entry.get("inert", ()),
        *entry.get("fixed", ()),
    }
    known |= {*entry.get("nested", ()), *entry.get("listed", ()), *EVERYWHERE}
    known.add("layer_types")
    for key, value in lines.items():
        restated = _restates(entry, lines, key)
        if not (key in known or restated or meanings.is_harmless(key, value)):
            problems.add(unknown(key, value))


def _restates(entry, lines, key):
    """Say whether a line only says what follows from others."""
    width, heads = (lines.get(str(entry[name])[1:]) for name in ("width", "heads"))
    if key == "head_dim" and entry["head_dim"] == "even" and lines[key] and heads:
        return type(lines[key]) is type(heads) is int and lines[key] * heads == width
    if key == "num_key_value_heads" and entry["kv_heads"] == "all":
        one = "multi_query" in entry and lines.get("multi_query") is not False
        return lines[key] == (1 if one else heads)
    return False


def refuse_other_values(entry, lines, problems):
    """Refuse all totals for a value that the entry does not allow."""
    fixed = {**EVERYWHERE, **entry.get("fixed", {})}
    for key, allowed in fixed.items():
        if lines.get(key) is not None and not _among(lines[key], allowed):
            problems.add(
                f"{key} = {lines[key]!r}: what that changes is not known here."
            )
    for key, each in entry.get("listed", {}).items():
        stated = lines.get(key)
        if stated and not (
            isinstance(stated, list) and set(map(str, stated)) == {str(each)}
        ):
            problems.add(f"{key} holds more than {each}: not known here.")
    for key, inside in entry.get("nested", {}).items():
        _refuse_nested(key, inside, entry["nested_inert"], lines.get(key), problems)


def _refuse_nested(key, inside, inert, lines, problems):
    if not isinstance(lines or {}, dict):
        problems.add(f"{key} should hold lines of its own, got {lines!r}.")
        return
    for name, value in (lines or {}).items():
        if _among(value, inside.get(name, EVERYWHERE.get(name, ()))):
            continue
        if not (name in inert or meanings.is_harmless(name, value)):
            problems.add(unknown(f"{key}.{name}", value))


def _among(value, allowed):
    return any(value == each and type(value) is type(each) for each in allowed)


def refuse_missing_sizes(entry, known, lines, problems):
    """Sizes of a model are its own: a family's default for one is no answer."""
    for trait in SIZES:
        for key in family.named_keys(entry[trait]):
            if key not in lines:
                problems.add(f"{key} is missing.", values.affected(trait))
    for key in family.named_keys(entry["ff"]):
        known[key] = lines.get(key)
