"""The plan of each lesson's machine."""

from .given import given, sizes
from .plan import plan
from .plan_decoder import plan_decoder
from .plan_in_order import plan_in_order


def plan_of(stage):
    """Return where things stand in lesson ``stage``."""
    start = given(stage)
    count = sizes(start)
    if start.read:
        return plan_decoder(count)
    return plan_in_order(count) if start.positions else plan(count, stage)
