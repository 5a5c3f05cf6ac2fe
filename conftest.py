"""What every test shares: reproducible properties, and what nbval compares."""

from hypothesis import settings

# The same examples at every run: a failure is of the code, never of the dice.
settings.register_profile("course", derandomize=True, deadline=None)
settings.load_profile("course")

# What Sphinx loads, and what runs in a reader's browser: their tests import them.
collect_ignore = ["sphinx-nokernel", "course/attncourse/site"]

# Pictures and widget state are drawn anew at every build; the text/plain beside them
# carries their numbers and is compared strictly.
NOT_COMPARED = ("text/html", "application/javascript", "image/png", "image/svg+xml")


def pytest_collection_modifyitems(items):
    for item in items:
        skip = getattr(item.parent, "skip_compare", None)
        if skip is not None:
            item.parent.skip_compare = tuple({*skip, *NOT_COMPARED})
