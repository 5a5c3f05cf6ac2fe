"""A progress bar for loops in notebooks; silent where nobody can see it."""

import sys

N_UPDATES = 50


def progress(steps, total=None):
    """Yield what ``steps`` yields, and show how far the loop has come.

    The bar is drawn only if a notebook's front end says which cell it runs. Executed
    from a script, a test or a build, the loop leaves no output.

    Parameters
    ----------
    steps : iterable
    total : int, optional
        How many there will be; without it, ``len(steps)``.

    Examples
    --------
    >>> list(progress(range(3)))
    [0, 1, 2]
    """
    total = len(steps) if total is None else total
    handle = _display(_Bar(0, total)) if _is_watched() else None
    for done, step in enumerate(steps, 1):
        yield step
        if handle and done % max(total // N_UPDATES, 1) == 0:
            handle.update(_Bar(done, total))
    if handle:
        handle.update(_Bar(total, total))


class _Bar:
    def __init__(self, done, total):
        self.done, self.total = done, total

    def __repr__(self):
        return f"{self.done} of {self.total}"

    def _repr_html_(self):
        return f"<progress value='{self.done}' max='{self.total}'></progress> {self!r}"


def _is_watched():
    """Whether a front end asked: it names the cell in its request, a script cannot."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    kernel = getattr(shell, "kernel", None)
    if not hasattr(kernel, "get_parent"):
        return False
    return "cellId" in kernel.get_parent("shell").get("metadata", {})


def _display(bar):
    from IPython.display import display  # only where there is a notebook

    return display(bar, display_id=True)
