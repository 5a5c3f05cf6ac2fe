"""`pytest --attncheck MODULE:FUNCTION`: each canary is a test of that function."""

from typing import Any

import pytest

from attncheck import canaries as known
from attncheck.subject import Refused, Subject

OPTIONS = {  # each of them `--attncheck` and its name
    "": {"metavar": "MODULE:FUNCTION", "help": "what is tested"},
    "-layout": {"default": "bhnd", "help": "order of the axes"},
    "-dtype": {"default": "float32"},
    "-arrays": {"help": "numpy, torch, torch:cuda, jax or cupy"},
    "-with": {"help": "a keyword of every call, as is_causal=true"},
    "-expected": {"help": "what is right, as alignment=end or window=127,0"},
}
SEVERAL = {"action": "append", "default": [], "metavar": "NAME=VALUE"}


class Wrong(Exception):
    """The function gives other numbers than expected."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("attncheck", "attention, asked what it computes")
    for name, how in OPTIONS.items():
        more = SEVERAL if name in ("-with", "-expected") else {}
        group.addoption(f"--attncheck{name}", **how, **more)


def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Put a test for each canary behind the tests that were collected."""
    told: Any = [config.getoption(f"--attncheck{name}") for name in OPTIONS]
    function, layout, dtype, arrays, extra, expected = told
    if not function:
        return
    try:
        extra = known.pairs(extra)
        model = known.model_of(known.pairs(expected), extra)
        function = known.load_function(function)
        subject = Subject(function, layout, dtype, extra, arrays)
    except (ValueError, ImportError, AttributeError, TypeError) as error:
        raise pytest.UsageError(f"--attncheck: {error}") from error
    canaries = known.Canaries(subject, model)
    for canary in known.canaries_for(model):
        thread = f" ({canary.thread})" if canary.thread else ""
        name = canary.catches + thread
        item = CanaryItem.from_parent(
            session, name=name, nodeid=f"::attncheck::{name}", of=(canaries, canary)
        )
        items.append(item)


class CanaryItem(pytest.Item):
    """One canary."""

    def __init__(self, *, of: tuple[known.Canaries, known.Canary], **more: Any):
        super().__init__(**more)
        self.canaries, self.canary = of

    def runtest(self) -> None:
        """Call the function once, and judge what it gives."""
        try:
            failure = self.canaries.failure(self.canary)
        except Refused as error:
            if self.canary.number:  # the first is of ordinary sizes
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
