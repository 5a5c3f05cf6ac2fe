"""A progress bar (tqdm's) for loops in notebooks; silent where nobody can see it."""

import sys


def progress(steps, **options):
    """Return ``steps`` in a progress bar if a notebook's front end is watching.

    A front end names the cell that it asks to be run. A script, a test or the build of
    the book does not: there the loop leaves no output, and tqdm is not even imported.

    Parameters
    ----------
    steps : iterable
    **options
        Passed on to `tqdm`, such as ``total``.

    Examples
    --------
    >>> list(progress(range(3)))
    [0, 1, 2]
    """
    if not _is_watched():
        return steps
    try:
        from tqdm.auto import tqdm  # a page's own Python does without it
    except ModuleNotFoundError:
        return steps
    return tqdm(steps, **options)


def _is_watched():
    """Whether a front end asked: it names the cell in its request, a script cannot."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    kernel = getattr(shell, "kernel", None)
    if kernel is None or not hasattr(kernel, "get_parent"):
        return False
    return "cellId" in kernel.get_parent("shell").get("metadata", {})
