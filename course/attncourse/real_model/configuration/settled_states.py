"""Sizes of layers that keep a state, and whether they agree."""


def linear(s, problems):
    """Fill in the sizes of layers that keep a state; return whether that can be."""
    t = s.linear
    if not t:
        return True
    for name, value in t.items():
        may_lack = name == "inner" or (name == "expand" and t["kind"] == "mamba2")
        if value is None and not may_lack:
            problems.add(f"The size {name} of the recurrent layers is not given.")
            return False
    if t["kind"] == "mamba2":
        return _mamba2(s, t, problems)
    return True


def _mamba2(s, t, problems):
    inner = t.get("inner") or (t.get("expand") or 0) * s.width
    if t["d_head"] == "auto":
        t["d_head"] = inner // t["heads"]
    if inner and t["heads"] * t["d_head"] != inner:
        problems.add(
            f"{t['heads']} heads of {t['d_head']} do not make the {inner} numbers of "
            "a recurrent layer."
        )
        return False
    return True
