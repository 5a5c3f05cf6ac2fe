"""What every test shares: reproducible properties, and what nbval compares."""

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


# What builds a book, makes an environment or tries every known mistake takes too long
# for `make quick`, as does all that needs a browser.
SLOW = (
    "test_example.py",
    "test_solutions.py",
    "test_wheels.py",
    "test_pictures.py",
    "test_printed.py",
    "test_tables.py",
    "test_generation.py",
    "test_card_game.py",
    "test_copying.py",
    "test_copying_seeds.py",
    "test_copying_pairs.py",
    "test_builders.py",
    "test_book.py",
    "test_pack.py",
    "test_read_page_model.py",
    "test_writer.py",
    "test_swaps.py",
    "test_copying_heads.py",
    "test_train_copying.py",
    "test_echoes.py",
    "test_panel.py",
    "test_no_cheating.py",
    "test_page_model.py",
    "test_page_numbers.py",
    "test_page_tokens.py",
    "test_pyodide_core.py",
)


# The files that take longest, longest first: both cores end at about the same time.
LONGEST = (
    "test_pages.py",
    "test_every_cell.py",
    "test_notebooks_zip.py",
    "test_live_code.py",
    "test_own_sentence.py",
    "test_jupyterlab.py",
    "test_live_figures.py",
    "test_weight.py",
    "test_binder.py",
    "test_pdf.py",
    "test_page_model.py",
    "test_no_cheating.py",
    "test_example.py",
    "test_any_function.py",
    "test_printed.py",
    "test_page_browser.py",
    "test_panel.py",
    "test_distributions.py",
)


def pytest_configure(config):
    """Have nbval start a kernel once more if it dies at once.

    Its ports are chosen before it opens them: a browser that another worker drives may
    take one in between. (The environment of `make parity` has no nbval.)
    """
    if not config.pluginmanager.hasplugin("nbval"):
        return
    import nbval.kernel

    start = nbval.kernel.start_new_kernel

    def start_twice(*args, **kwargs):
        try:
            return start(*args, **kwargs)
        except RuntimeError:
            return start(*args, **kwargs)

    nbval.kernel.start_new_kernel = start_twice


def _place(item):
    name = item.path.name
    return LONGEST.index(name) if name in LONGEST else len(LONGEST)


def pytest_collection_modifyitems(items):
    items.sort(key=_place)
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()) or item.path.name in SLOW:
            item.add_marker(pytest.mark.slow)
        skip = getattr(item.parent, "skip_compare", None)
        if skip is not None:
            item.parent.skip_compare = tuple({*skip, *NOT_COMPARED})
