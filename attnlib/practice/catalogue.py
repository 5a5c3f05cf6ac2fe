"""All exercises by name, in the order of the lessons."""

from __future__ import annotations

from attnlib.practice import (
    attention,
    causal,
    gradient,
    heads,
    log_softmax,
    lookup,
    masks,
    multi_head,
    norm,
    positions,
    projection,
    score_matrix,
    scores,
    shift,
    similarity,
    softmax,
    weighted_sum,
)
from attnlib.practice.exercise import Exercise

THEMES = (
    lookup,
    similarity,
    projection,
    score_matrix,
    scores,
    softmax,
    log_softmax,
    weighted_sum,
    attention,
    heads,
    multi_head,
    positions,
    shift,
    causal,
    masks,
    norm,
    gradient,
)
EXERCISES: dict[str, Exercise] = {
    exercise.name: exercise for theme in THEMES for exercise in theme.EXERCISES
}
