"""`pytest --attncheck MODULE:FUNCTION`: each canary is a test of that function."""

from collections.abc import Iterator
from typing import Any

import pytest


class Wrong(Exception):
    """The function gives other numbers than expected."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("attncheck", "attention, asked what it computes")
    group.addoption("--attncheck", metavar="MODULE:FUNCTION", help="what is tested")
    group.addoption("--attncheck-layout", default="bhnd", help="order of the axes")
    group.addoption("--attncheck-dtype", default="float32")
    group.addoption("--attncheck-arrays", help="numpy, torch, torch:cuda, jax or cupy")
    for name, words in (
        ("--attncheck-with", "a keyword of every call, as is_causal=true"),
        ("--attncheck-expected", "what is right, as alignment=end or window=127,0"),
    ):
        group.addoption(
            name, action="append", default=[], metavar="NAME=VALUE", help=words
        )


def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Put the canaries behind the tests that were collected."""
    if config.getoption("--attncheck"):
        collector = CanaryCollector.from_parent(session, name="attncheck")
        items.extend(collector.collect())


class CanaryCollector(pytest.Collector):
    """The canaries of one function."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield a test for each canary."""
        from attncheck.canaries import (
            THREADS,
            Canaries,
            canaries_for,
            load_function,
            model_of,
            pairs,
        )
        from attncheck.subject import Subject

        option: Any = self.config.getoption
        try:
            function = load_function(option("--attncheck"))
            extra = pairs(option("--attncheck-with"))
            model = model_of(pairs(option("--attncheck-expected")), extra)
            names = ("--attncheck-layout", "--attncheck-dtype", "--attncheck-arrays")
            layout, dtype, arrays = map(option, names)
            subject = Subject(function, layout, dtype, extra, arrays)
        except (ValueError, ImportError, AttributeError, TypeError) as error:
            raise pytest.UsageError(f"--attncheck: {error}") from error
        canaries = Canaries(subject, model)
        for canary in canaries_for(model):
            thread = THREADS.get(canary.shows)
            name = f"{canary.shows} ({thread})" if thread else canary.shows
            yield CanaryItem.from_parent(
                self, name=name, canaries=canaries, canary=canary
            )


class CanaryItem(pytest.Item):
    """One canary."""

    def __init__(self, *, canaries: Any, canary: Any, **more: Any):
        super().__init__(**more)
        self.canaries, self.canary = canaries, canary

    def runtest(self) -> None:
        """Call the function once, and judge what it gives."""
        from attncheck.canaries import CANARIES
        from attncheck.subject import Refused

        try:
            failure = self.canaries.failure(self.canary)
        except Refused as error:
            if self.canary is not CANARIES[0]:  # of ordinary sizes
                pytest.skip(f"the call is refused: {error}")
            raise Wrong(f"the first call is refused: {error}") from error
        if failure:
            raise Wrong(failure)

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        """Print the cause and the numbers, and no traceback of ours."""
        if excinfo.errisinstance(Wrong):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Any, int | None, str]:
        """Say where it stands: nowhere in the caller's files."""
        return self.path, None, f"attncheck: {self.name}"
