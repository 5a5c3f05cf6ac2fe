"""Every bug of lesson 17 is noticed by `ask`, and gone when its fix is applied."""

import pytest
from shipped import noticed

from attncourse.shipped import BUGS

SAYS = {
    "heads": "heads are put side by side without a transpose",
    "axis": "Softmax runs over the queries",
    "batch": "'nbhd'",
    "cap": "A forbidden key still has a weight",
    "coarse": "position was meant to be 'rotary'",
    "dropout": "The same call gives two answers",
    "observer": "it is 'none'",
    "pairs": "columns (0, 1), (2, 3)",
    "scale": "it is '1/d_k'",
    "sentinel": "is not low enough",
    "tile": "it is 'tile'",
    "window": "it is (3, 0)",
}

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", BUGS)
def test_it_is_noticed_and_its_fix_is_not_blamed(name):
    said = noticed(BUGS[name])
    assert SAYS.get(name, " ") in said
