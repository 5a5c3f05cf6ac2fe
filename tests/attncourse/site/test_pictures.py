"""Each puzzle has a picture of its own for link previews."""

from types import SimpleNamespace

import pytest
from matplotlib.image import imread

from attncourse.site import pictures

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("page", pictures.DRAWN)
def test_a_puzzle_names_its_picture(page, tmp_path):
    (tmp_path / "_static").mkdir()
    config = SimpleNamespace(ogp_site_url="https://example.org/")
    app = SimpleNamespace(outdir=tmp_path, config=config)
    context = {"meta": None, "metatags": ""}
    pictures._picture(app, page, None, context, None)
    name = f"_static/{page.rpartition('/')[2]}.png"
    assert context["meta"]["og:image"] == f"https://example.org/{name}"
    assert context["meta"]["og:image:alt"].endswith(".")
    assert imread(tmp_path / name).shape[:2] == (630, 1200)


def test_other_pages_keep_their_card(tmp_path):
    context = {"meta": None}
    pictures._picture(None, "book/03_scaling", None, context, None)
    assert context == {"meta": None}
