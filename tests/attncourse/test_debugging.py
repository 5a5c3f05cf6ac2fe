"""Ten bugs of a training and of its writing: each is noticed, and gone when fixed."""

import inspect
import types

import numpy as np
import pytest

from attncourse.debugging import bugs, checks, measure
from attncourse.debugging.bugs import BUGS, Bug
from attncourse.debugging.checks import CHECKS
from attncourse.debugging.order import order, together
from attncourse.debugging.program import Parts, Program, read
from attncourse.toys.writer.model import first_parameters, loss_and_gradients
from attncourse.toys.writer.stored import parameters, writer
from attncourse.toys.writer.training import held_out_texts, train

FIRES = {
    "target": "loss",
    "mask": "loss future short long asked",
    "heads": "loss future short long batch asked",
    "axis": "loss future short long asked",
    "scale": "programs asked",
    "restart": "short long",
    "eviction": "long",
    "padding": "batch",
    "words": "ids",
    "stale": "again",
}
RIGHT_LOSS = {"loss": 0.58}


def fired(bug, trained):
    return [
        check.__name__ for check in CHECKS.values() if check(bug, parameters(), trained)
    ]


def mended(name):
    """Replace the wrong line in the file of bugs, and run that file again."""
    source, bug = inspect.getsource(bugs), BUGS[name]
    table = source.index("BUGS = {")
    head, tail = source[:table], source[table:]
    if bug.wrong in head:
        assert head.count(bug.wrong) == 1
        source = head.replace(bug.wrong, bug.right) + tail
    else:
        source = head + tail.replace(bug.wrong, bug.right)
    module = types.ModuleType("attncourse.debugging.mended")
    module.__package__ = "attncourse.debugging"
    module.__dict__["__name__"] = bugs.__name__
    exec(compile(source, "mended", "exec"), module.__dict__)
    return module.BUGS[name]


def test_the_program_that_writes_is_attnlibs_decoder():
    texts = held_out_texts(3)
    found = read(parameters(), texts, Parts())
    np.testing.assert_allclose(found, writer()(texts), atol=1e-9)


def test_without_a_bug_no_check_fires():
    assert fired(Bug("", "", ""), RIGHT_LOSS) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", BUGS)
def test_each_bug_is_noticed_by_these_checks(name):
    trained = measure.load()[name][0]
    assert " ".join(fired(BUGS[name], trained)) == FIRES[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", BUGS)
def test_a_bug_is_gone_when_its_line_is_replaced(name):
    assert fired(mended(name), RIGHT_LOSS) == []


@pytest.mark.parametrize("name", [name for name in BUGS if BUGS[name].is_trained])
def test_a_training_with_a_bug_has_the_gradient_of_what_it_computes(name):
    steps, texts = BUGS[name].training, held_out_texts(2)[:, :9]
    params = {n: x.astype(float) for n, x in first_parameters(0).items()}
    loss, gradients = loss_and_gradients(params, texts, steps)
    for weights in ("w_query_0", "w_key_1", "w_value_0", "w_output_1"):
        params[weights][3, 5] += 1e-6
        moved = loss_and_gradients(params, texts, steps)[0] - loss
        params[weights][3, 5] -= 1e-6
        assert gradients[weights][3, 5] == pytest.approx(moved / 1e-6, rel=1e-4)


@pytest.mark.parametrize("name", [name for name in BUGS if not BUGS[name].is_trained])
def test_what_is_stored_of_a_bug_in_writing_has_the_loss_of_a_right_training(name):
    found = measure.load()
    losses = [[one["loss"] for one in found[case]] for case in (name, "none")]
    assert losses[0] == losses[1]
    assert all(loss == pytest.approx(0.58, abs=0.06) for loss in losses[0])


@pytest.mark.slow
def test_what_is_stored_is_what_is_measured():
    """With the stored writer, which is the training of seed 0 with rounded weights."""
    losses = [loss for loss, _ in train(1)]
    for name in ("none", "stale"):
        found = measure.measure(measure.CASES[name], parameters(), losses)
        stored = measure.load()[name][0]
        assert abs(found["words"] - stored["words"]) < 2
        assert all(abs(found[k] - stored[k]) <= 3 for k in ("alone", "batch", "later"))


@pytest.mark.slow
def test_who_sees_the_answer_soon_has_a_loss_below_the_floor():
    losses = [loss for loss, _ in train(100, steps=BUGS["mask"].training)]
    assert checks.loss(BUGS["mask"], {}, {"loss": np.mean(losses[-10:])})


@pytest.mark.slow
def test_what_ask_says_is_stored():
    assert {name: checks.said(bug) for name, bug in BUGS.items()} == measure.said()


def test_the_order_takes_first_what_tells_most_apart():
    table = {"a": [0, 1, 0], "b": [0, 1, 0], "c": [0, 0, 0], "d": [1, 0, 0]}
    assert len(together(table, [])) == 6
    assert order(table) == [(1, 2), (0, 1)]


def test_a_program_goes_on_as_it_would_without_a_cache():
    program = Program(parameters(), Parts())
    text = "a dog ate the food because it was hungry . then the"
    new = program.write([text], 4)[0].split()
    for i, word in enumerate(new):
        logits = program.logits([" ".join([text, *new[:i]])])
        assert program.parts.words[logits[0].argmax()] == word


@pytest.mark.slow
def test_checks_of_programs_need_no_trained_weights():
    params = {name: x.astype(float) for name, x in first_parameters(0).items()}
    programs = {one.__name__: one for one in CHECKS.values()}
    for other in ("loss", "asked"):
        del programs[other]
    for name, bug in BUGS.items():
        fires = [which for which, check in programs.items() if check(bug, params, {})]
        assert fires == [one for one in FIRES[name].split() if one in programs], name
