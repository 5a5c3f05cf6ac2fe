"""Every bug of lesson 17 is noticed by `ask`, and gone when its fix is applied."""

import pytest
from shipped import noticed

from attncourse.shipped import BUGS

SAYS = {
    "absorbed": "scale 0.125 was expected",
    "ahead": "it is (2, 2)",
    "everywhere": "it is (2, 0)",
    "fragments": "unexplained",
    "short": "it is None",
    "sink": "it is 'keys'",
    "slopes": "ALiBi with the slopes 1 0.5 0.25",
    "uncapped": "softcap 2.0 was expected",
    "unturned": "rotation is wrong",
    "heads": "heads are put side by side without a transpose",
    "axis": "it is 'queries'",
    "batch": "layout 'bhnd' was expected",
    "cap": "hidden keys get a score",
    "coarse": "unexplained",
    "dropout": "the same call gives two answers",
    "observer": "it is 'none'",
    "pairs": "pairs of neighbors",
    "scale": "scale 0.125 was expected",
    "sentinel": "it is 'nan'",
    "tile": "it is 'tile'",
    "window": "it is (3, 0)",
}

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", BUGS)
def test_it_is_noticed_and_its_fix_is_not_blamed(name):
    said = noticed(BUGS[name])
    assert SAYS.get(name, " ") in said
