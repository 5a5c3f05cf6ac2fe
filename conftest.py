"""Settings of all tests: reproducible properties, and what nbval compares."""

import gc

import pytest
from hypothesis import settings

# The same examples at every run: a failure is of the code, never of the dice.
settings.register_profile("course", derandomize=True, deadline=None)
settings.load_profile("course")

# What Sphinx loads, and what runs in a reader's browser: their tests import them.
collect_ignore = ["sphinx-nokernel", "course/attncourse/site"]

# Pictures and widget state are drawn anew at every build; the text/plain beside them
# carries their numbers and is compared strictly.
NOT_COMPARED = ("text/html", "application/javascript", "image/png", "image/svg+xml")


def pytest_configure(config):
    """Have nbval fork its kernels, and start one once more if it dies at once.

    Its ports are chosen before it opens them: a browser that another worker drives may
    take one in between. (The environment of `make parity` has no nbval.) nbval 0.11.0
    needs it; tests/sphinx_nokernel/test_patches.py tells when it no longer does.
    """
    if not config.pluginmanager.hasplugin("nbval"):
        return
    import kernels
    import nbval.kernel

    kernels.share()
    start = nbval.kernel.start_new_kernel

    def start_twice(*args, **kwargs):
        try:
            return start(*args, **kwargs)
        except RuntimeError:
            return start(*args, **kwargs)

    nbval.kernel.start_new_kernel = start_twice


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Spare the garbage collector what is collected: thousands of tests that stay.

    Each full pass over them takes a third of a second, and a run makes a hundred.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items):
    """Begin with what takes long: so both cores end at about the same time."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)
        skip = getattr(item.parent, "skip_compare", None)
        if skip is not None:
            item.parent.skip_compare = tuple({*skip, *NOT_COMPARED})
