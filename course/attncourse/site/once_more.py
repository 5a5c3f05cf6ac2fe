"""Questions that come back: `_static/once-more.js`, which the landing page asks from.

It holds the questions of every page that notes what one missed, predictions and quizzes
as that page has them, and for some lessons problems with numbers drawn here, each with
its key and the way to it. The page fetches it when a reader who missed something opens
the box *Once more*; `once-more-box.js` chooses, shuffles and marks.
"""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np

from attncourse.site.remember import SCRIPT
from attncourse.teach import fresh, problems

NAME = "once-more.js"
QUESTION = re.compile(
    r'<fieldset class="nk-question nk-(?:predict|quiz)[^"]*" id="([^"]+)">'
    r".*?</fieldset>",
    re.S,
)
# The lessons whose questions can be drawn with numbers of their own.
KINDS = {
    "01_embeddings": fresh.cosine,
    "02_queries_keys_values": fresh.query,
    "03_scaling": problems.scores,
    "04_softmax": problems.softmax,
    "05_weighted_sum": problems.weighted_sum,
    "split_and_merge": fresh.head_columns,
    "07_positional_encoding": fresh.angles,
    "network_and_norm": fresh.layer_norm,
    "09_masks": fresh.causal_weights,
    "10_learn_the_weights": fresh.score_gradient,
    "14_read_a_model": problems.configuration,
    "16_ask_any_attention": fresh.scale,
    "a_model_that_writes": fresh.loss,
    "who_shares": fresh.latent,
    "bits": fresh.bfloat16,
    "tame_scores": fresh.lead,
}
DRAWN = 8  # for each: enough that two visits hardly ever meet the same


def questions_in(html: str) -> dict[str, str]:
    """Return the questions of a page that have a right choice, by their names."""
    found = {one[1]: one[0] for one in QUESTION.finditer(html)}
    return {name: text for name, text in found.items() if "nk-right" in text}


def loads(html: str, script: str) -> bool:
    """Say whether a page loads a script."""
    return bool(re.search(rf"<script [^>]*/{re.escape(script)}\b", html))


def drawn(lesson: str) -> list[dict[str, Any]]:
    """Draw problems for a lesson: what is asked, the numbers of the key, and the way.

    Parameters
    ----------
    lesson : str
        Such as "03_scaling"; for one that is not among `KINDS` there are none.
    """
    if lesson not in KINDS:
        return []
    found: dict[str, dict[str, Any]] = {}
    for seed in range(10 * DRAWN):
        one = KINDS[lesson](np.random.default_rng([seed, sum(map(ord, lesson))]))
        key = [float(x) for x in one.key]
        way = [text for _, text in one.working]
        found.setdefault(one.asked, {"asked": one.asked, "key": key, "working": way})
        if len(found) == DRAWN:
            break
    return list(found.values())


def write(app: Any, error: Exception | None) -> None:
    """Write the file, from the pages as they were written."""
    if error is not None or app.builder.name != "html":
        return
    asked, fresh = {}, {}
    for page in sorted(app.env.found_docs):
        html = Path(app.outdir, f"{page}.html").read_text(encoding="utf-8")
        if not loads(html, SCRIPT):
            continue
        asked[page] = questions_in(html)
        if some := drawn(page.rpartition("/")[2]):
            fresh[page] = some
    text = json.dumps({"asked": asked, "drawn": fresh}, ensure_ascii=False)
    script = f"window.attnOnceMore = {text};\n"
    Path(app.outdir, "_static", NAME).write_text(script, encoding="utf-8")


def setup(app: Any) -> None:
    """Connect with Sphinx, before sphinx_nokernel packs the site."""
    app.connect("build-finished", write, priority=510)
