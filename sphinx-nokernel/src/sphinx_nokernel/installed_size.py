"""How much room packages take, with all that they need, as they are installed here."""

from importlib.metadata import Distribution, PackageNotFoundError, distribution

from packaging.requirements import Requirement

COMPILED = 1.3  # times its size is what pip compiles of code, by Python 3.11


def size_in_words(needs):
    """Say how much the packages of a `pip install` take: "about 480 MB".

    Parameters
    ----------
    needs : list of str
        Requirements. What is not installed here is not counted: "more than 480 MB".
    """
    found, lacking = closure(needs)
    megabytes = sum(map(size_of, found)) / 1e6
    return f"{'more than' if lacking else 'about'} {round(megabytes, -1):.0f} MB"


def closure(needs):
    """Return the distributions that requirements lead to, and the names that lack."""
    found: dict[str, Distribution] = {}
    lacking, seen, ahead = set(), set(), [(need, "") for need in needs]
    while ahead:
        text, extra = ahead.pop()
        one = Requirement(text)
        if one.marker and not one.marker.evaluate({"extra": extra}):
            continue
        if (key := (one.name, frozenset(one.extras))) in seen:
            continue
        seen.add(key)
        try:
            found[one.name] = own = distribution(one.name)
        except PackageNotFoundError:
            lacking.add(one.name)
            continue
        extras = one.extras or {""}
        ahead += [(each, extra) for each in own.requires or () for extra in extras]
    paths = {own.name: own for own in found.values()}
    return list(paths.values()), lacking


def size_of(own):
    """Return the bytes of a distribution's files, compiled as pip leaves them."""
    sizes = {str(path): path.size or 0 for path in own.files or ()}
    code = sum(size for name, size in sizes.items() if name.endswith(".py"))
    made = sum(size for name, size in sizes.items() if name.endswith(".pyc"))
    return sum(sizes.values()) - made + COMPILED * code
