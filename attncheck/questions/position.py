"""Whether weights depend on places: ALiBi and rotary embeddings."""

from __future__ import annotations

from attncheck.case import Case
from attncheck.questions.alibi import ask_alibi
from attncheck.questions.rotary import ask_rotary
from attncheck.subject import Refused


def ask_position(case: Case) -> None:
    """Ask whether weights of equal queries and equal keys depend on the place."""
    case.report.facts["position"] = None
    n, heads = case.n, case.heads
    # (The first head may have a slope that is too small to show.)
    if any(case.even(n, n, head, heads).bias is not None for head in range(heads)):
        ask_alibi(case)
    try:
        ask_rotary(case)
    except Refused as error:
        case.report.notes.append(f"Rotary positions could not be asked: {error}.")
