"""All exercises by name, in the order of the lessons."""

from __future__ import annotations

from attnlib.practice import (
    attention,
    causal,
    gradient,
    heads,
    masks,
    multi_head,
    norm,
    positions,
    projection,
    scores,
    similarity,
    softmax,
)
from attnlib.practice.exercise import Exercise

THEMES = (
    similarity,
    projection,
    scores,
    softmax,
    attention,
    heads,
    multi_head,
    positions,
    causal,
    masks,
    norm,
    gradient,
)
EXERCISES: dict[str, Exercise] = {
    exercise.name: exercise for theme in THEMES for exercise in theme.EXERCISES
}
