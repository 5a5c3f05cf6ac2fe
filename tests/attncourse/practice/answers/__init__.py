"""Right and wrong answers: those of a lesson's exercises in one file.

`test_answers.py` finds the files and tries every answer: a right one has to pass, and
of a wrong one the codes that stand before it are found, and no others; `says` is part
of what is said. A file looks like this:

    right, wrong = answers_of("softmax")


    @right
    def by_hand(x):
        return ...


    @wrong("one-piece-wrong", says="`x.max()`")
    def one_maximum(x):
        return ...


    wrong("not-normalized")(
        np.exp,
        lambda x: np.exp(x) / x.shape[-1],
    )

An answer that differs from a right one in a piece or two is written as that change,
with `changed` of `judging.py`: `changed(by_hand, "axis=-1 → axis=0")`.

An answer is here because no other one has its code, or because it alone shows what
some line of a table or some check does. That right answers may come as lists, in
float32 and so on, `test_any_function.py` tries of every exercise.
"""

from collections import defaultdict

# By exercise: the codes that are expected, none of a right answer, the answer, what is
# said of it, and the draws on which it is tried, if not the usual ones.
ANSWERS = defaultdict(list)


def answers_of(exercise):
    """Give `right` and `wrong` for an exercise.

    Where a module is imported twice, as for its doctests, its answers are there once.
    """
    kept = ANSWERS[exercise] = []

    def keep(codes, answers, *how):
        kept.extend((codes, answer, *how) for answer in answers)
        return answers[0]

    def right(*answers):
        return keep((), answers, "", (0, 1))

    def wrong(*codes, says="", seeds=()):
        assert codes, "a wrong answer has a code"
        return lambda *answers: keep(codes, answers, says, seeds)

    return right, wrong
