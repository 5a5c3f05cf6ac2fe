import numpy as np
import pytest

from attncourse.teach import study

pytestmark = pytest.mark.slow


def test_two_parallel_forms_of_ten():
    for seed in range(10):
        first, second = study.forms(seed)
        assert [x.kind for x in first] == [x.kind for x in second]
        assert len(first) == 10
        marks = {sum(x.marks for x in form) for form in (first, second)}
        assert marks == {study.FULL}
        assert all(x.given != y.given for x in first for y in second)


def test_the_gain_is_of_means_and_its_interval_holds_it():
    found = study.gain([10] * 15 + [12] * 15, [25] * 15 + [30] * 15)
    assert found.gain == pytest.approx((27.5 - 11) / (40 - 11))
    assert found.low < found.gain < found.high
    nothing = study.gain([10, 20, 30], [10, 20, 30])
    assert (nothing.low, nothing.gain, nothing.high) == (0, 0, 0)


def test_the_interval_holds_the_truth_about_as_often_as_it_says():
    rng, held = np.random.default_rng(0), 0
    for _ in range(100):
        before = rng.uniform(5, 15, 40)
        found = study.gain(before, before + rng.uniform(5, 15, 40))
        held += found.low <= 10 / 30 <= found.high
    assert 88 <= held <= 99


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ([1], [2], "two students or more, got 1"),
        ([1, 50], [2, 3], "from 0 to 40"),
        ([40, 40], [40, 40], "nothing could be gained"),
    ],
)
def test_what_gives_no_gain(before, after, said):
    with pytest.raises(ValueError, match=said):
        study.gain(before, after)


def test_the_command(tmp_path, capsys):
    seed = 2**60 + 3
    assert study.main(["--seed", f"{seed}", "--to", str(tmp_path)]) == 0
    pages = [*tmp_path.glob("*.html")]
    assert len(pages) == 5
    assert not any(str(seed) in page.read_text() for page in pages)
    assert f"The seed {seed} stands on no sheet" in capsys.readouterr().out
    marks = tmp_path / "scores.csv"
    marks.write_text("student_id,before,after\nada,8,20\nbob,12,30\n")
    assert study.main(["--gain", str(marks)]) == 0
    assert "Normalized gain 0.50" in capsys.readouterr().out
    marks.write_text("name,score\nada,8\n")
    assert study.main(["--gain", str(marks)]) == 2
    assert f"{marks}: expected the columns" in capsys.readouterr().err
