"""Write the plans of book/teach.md from `course/attncourse/teach/plans.toml`.

    .venv/bin/python tools/teach_page.py

Run it after a change of the plans, of a lesson's title or predictions, or of what a
checker says. What stands outside of the two marks in the page stays as it is.
"""

from pathlib import Path

from attncourse.teach.plans import all_plans

BOOK = Path(__file__).resolve().parent.parent / "book"
PAGE = BOOK / "teach.md"
BEGIN, END = "<!-- the plans begin -->", "<!-- the plans end -->"


def written(page):
    """Return the text of the page with the plans as they are now."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n\n{all_plans(BOOK)}\n\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
