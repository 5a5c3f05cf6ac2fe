"""A plan without its long calls, which are most of what asking costs."""

import pytest

from attncheck.plan import PLAN


@pytest.fixture
def short(monkeypatch):
    calls = [call for call in PLAN if call.b * call.h * call.n * call.m <= 12_000]
    monkeypatch.setattr("attncheck.runs.PLAN", calls)
