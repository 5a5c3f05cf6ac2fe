"""What a figure's function is given, checked before anything is drawn."""

from attncourse.checks import check_integer, check_number


def check_between(figure, name, value, low, high):
    """Return ``value`` as a float from ``low`` to ``high``.

    Raises
    ------
    ValueError
        If it is not one real number between them: names the figure and the rule.
    """
    number = check_number(figure, name, value)
    if not low <= number <= high:
        rule = f"{name} must be a number from {low:g} to {high:g}"
        raise ValueError(f"{figure}: {rule}, got {number:g}")
    return number


def check_whole(figure, name, value, low, high):
    """Return ``value`` as an int from ``low`` to ``high``, or raise as above."""
    return int(
        check_between(figure, name, check_integer(figure, name, value), low, high)
    )


def listed(value):
    """Return several values as a tuple, and one as a tuple of it."""
    try:
        return tuple(value)
    except TypeError:
        return (value,)
