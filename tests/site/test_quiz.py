"""Quizzes on the built pages: by keyboard, with and without JavaScript."""

import os

import pytest
from built_site import HTML, pages

LESSON = "book/03_scaling.html"


def test_every_lesson_has_a_quiz():
    lessons = [name for name in pages() if name.startswith("book/0")]
    for name in lessons:
        assert "nk-quiz" in (HTML / name).read_text(encoding="utf-8"), name


@pytest.mark.pages(LESSON)
def test_choosing_shows_and_speaks_the_feedback(visit):
    page = visit(LESSON)
    for quiz in page.locator(".nk-quiz").all():
        assert not quiz.locator(".nk-feedback:visible").count()
        quiz.locator("input").first.focus()
        page.keyboard.press("Space")
        for number in range(quiz.locator(".nk-choice").count()):
            choice = quiz.locator(".nk-choice").nth(number)
            assert choice.locator("input").is_checked()
            assert quiz.locator(".nk-feedback:visible").count() == 1
            shown = choice.locator(".nk-feedback:visible").inner_text().strip()
            assert shown
            spoken = quiz.locator("[role=status]").inner_text()
            assert spoken.strip().endswith(shown[-10:])
            page.keyboard.press("ArrowDown")
    assert page.watch.clean()


@pytest.mark.pages(LESSON)
def test_works_without_javascript(open_page):
    page = open_page(LESSON, java_script_enabled=False)
    choice = page.locator(".nk-quiz .nk-choice.nk-right").first
    assert not choice.locator(".nk-feedback").is_visible()
    choice.locator("label").click()
    assert choice.locator(".nk-feedback").is_visible()


@pytest.mark.pages(LESSON)
@pytest.mark.skipif(os.environ.get("SOLUTIONS") == "0", reason="there are none")
def test_solutions_are_folded(visit):
    page = visit(LESSON)
    folds = page.locator(".nk-solution").all()
    assert folds
    for fold in folds:
        assert not fold.locator(".cell").first.is_visible()
        fold.locator("summary").click()
        assert fold.locator(".cell").first.is_visible()
