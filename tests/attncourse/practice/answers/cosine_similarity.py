"""Right and wrong answers for cosine_similarity, in several styles."""

import math

import numpy as np

from attnlib import cosine_similarity
from tests.attncourse.practice.answers import answers_of

right, wrong = answers_of(__name__)


@right
def by_loops(a, b):
    if np.ndim(a) > 1:
        return [by_loops(one, other) for one, other in zip(a, b, strict=True)]
    dot = sum(p * q for p, q in zip(a, b, strict=True))
    lengths = math.sqrt(sum(p * p for p in a)) * math.sqrt(sum(q * q for q in b))
    return dot / (lengths or 1)


@right
def by_units(a, b):
    a, b = (x / (np.linalg.norm(x, axis=-1, keepdims=True) + 1e-300) for x in (a, b))
    return np.einsum("...d,...d->...", a, b)


@right
def in_float32(a, b):
    a, b = a.astype(np.float32), b.astype("f4")
    squares = (a**2).sum(-1) * (b**2).sum(-1)
    return (a * b).sum(-1) / np.sqrt(np.where(squares == 0, 1, squares))


@right
def in_place_on_copies(a, b):
    a, b = a.copy(), b.copy()
    a /= np.maximum(np.linalg.norm(a, axis=-1), 1e-300)[..., None]
    b /= np.maximum(np.linalg.norm(b, axis=-1), 1e-300)[..., None]
    a *= b
    return a.sum(axis=-1)


@wrong("not-normalized")
def dot_only(a, b):
    return np.einsum("...d,...d->...", a, b)


@wrong("not-normalized")
def dot_only_by_loops(a, b):
    if a.ndim > 1:
        return [dot_only_by_loops(p, q) for p, q in zip(a, b, strict=True)]
    return float(sum(x * y for x, y in zip(a, b, strict=True)))


@wrong("not-normalized")
def one_length_only(a, b):
    return (a * b).sum(-1) / np.sqrt((a * a).sum(-1))


@wrong("not-normalized")
def the_other_length_only(a, b):
    return np.sum(a * b / np.linalg.norm(b, axis=-1, keepdims=True), axis=-1)


@wrong("wrong-axis")
def down_the_columns(a, b):
    return (a * b).sum(0) / np.linalg.norm(a, axis=0) / np.linalg.norm(b, axis=0)


@wrong("wrong-axis")
def columns_by_loops(a, b):
    if a.ndim == 1:
        return by_loops(a, b)
    if a.ndim > 2:
        return [columns_by_loops(p, q) for p, q in zip(a, b, strict=True)]
    columns = [by_loops(a[:, j], b[:, j]) for j in range(a.shape[1])]
    return np.array(columns)


@wrong("wrong-axis")
def second_to_last(a, b):
    dot = np.einsum("...nd,...nd->...d", a, b)
    return dot / np.sqrt(np.sum(a**2, axis=-2) * np.sum(b**2, axis=-2))


@wrong("wrong-axis")
def length_of_everything(a, b):
    return (a * b).sum(axis=-1) / (np.linalg.norm(a) * np.linalg.norm(b))


@wrong("wrong-axis")
def everything(a, b):
    return np.vdot(a, b) / np.sqrt(np.vdot(a, a) * np.vdot(b, b))


@wrong("wrong-axis")
def lengths_of_columns(a, b):
    a, b = a / np.linalg.norm(a, axis=0), b / np.linalg.norm(b, axis=0)
    return np.sum(a * b, axis=-1)


@wrong("wrong-axis")
def second_axis(a, b):
    axis = min(1, a.ndim - 1)
    lengths = np.linalg.norm(a, axis=axis) * np.linalg.norm(b, axis=axis)
    return np.sum(a * b, axis=axis) / lengths


right(cosine_similarity)


@wrong("root-forgotten")
def root_forgotten(a, b):
    return dot_only(a, b) / (dot_only(a, a) * dot_only(b, b))


wrong("distance-instead")(lambda a, b: 1 - by_units(a, b))


@wrong("wrong-shape")
def axis_kept_is_a_matter_of_shape_alone(a, b):
    return by_units(a, b)[..., None]


@wrong("all-pairs")
def each_with_each(a, b):
    a = a / np.linalg.norm(a, axis=-1, keepdims=True)
    b = b / np.linalg.norm(b, axis=-1, keepdims=True)
    return a @ b.swapaxes(-1, -2) if a.ndim > 1 else a @ b


wrong("distance-instead")(lambda a, b: 1 - np.linalg.norm(a - b, axis=-1))


@wrong("zero-vector")
def zeros_in_a_alone(a, b):
    length_a, length_b = (np.linalg.norm(x, axis=-1) for x in (a, b))
    dot = (a * b).sum(-1) / (np.where(length_a == 0, 1, length_a) * length_b)
    return np.where(length_a == 0, 0, dot)


@wrong("other-length")
def at_least_one(a, b):
    a_length = np.maximum(np.linalg.norm(a, axis=-1), 1)
    b_length = np.maximum(np.linalg.norm(b, axis=-1), 1)
    return (a * b).sum(axis=-1) / a_length / b_length


@wrong("other-length")
def squares_added(a, b):
    lengths = np.sqrt((a * a).sum(axis=-1) + (b * b).sum(axis=-1))
    return (a * b).sum(axis=-1) / np.where(lengths == 0, 1, lengths)
