"""From slider to picture: how long one input event takes to change the figure.

The change is made within the event, so the time from dispatch to return is the time
from input to DOM. Every slider of every built page is moved through its range; in the
machine, digits are typed into a matrix, and all cells are pointed at. All moves are
made several times: of each, the median counts, so that a busy machine is not measured.
"""

import statistics

from browser import FLAGS, find_browser
from built_site import HTML, pages_with_figures, uncover
from playwright.sync_api import sync_playwright

MOVES, RUNS = 200, 5
MEASURE = """(input, moves) => {
    const low = Number(input.min), high = Number(input.max), step = Number(input.step);
    const times = [];
    for (let i = 0; i < moves; i++) {
        const at = low + step * (i % (Math.round((high - low) / step) + 1));
        input.value = at;
        const start = performance.now();
        input.dispatchEvent(new Event("input", { bubbles: true }));
        times.push(performance.now() - start);
    }
    return times;
}"""

TYPED = """(machine, moves) => {
    const key = (i) => ({ key: `${i % 10}`, bubbles: true });
    const cell = machine.querySelector(".mx-given .mx-cell");
    cell.focus();
    return Array.from({ length: moves }, (_, i) => {
        const start = performance.now();
        cell.dispatchEvent(new KeyboardEvent("keydown", key(i)));
        return performance.now() - start;
    });
}"""
POINTED = """(machine, moves) => {
    const cells = [...machine.querySelectorAll(".mx-cell")];
    const over = { bubbles: true, pointerType: "mouse" };
    return Array.from({ length: moves }, (_, i) => {
        const cell = cells[(7 * i) % cells.length], start = performance.now();
        cell.dispatchEvent(new PointerEvent("pointerover", over));
        return performance.now() - start;
    });
}"""


def timed(node, moves):
    """Return the milliseconds of each move: the median of several runs of them all."""
    node.evaluate(moves, 20)  # warm up
    runs = [node.evaluate(moves, MOVES) for _ in range(RUNS)]
    return [statistics.median(one) for one in zip(*runs, strict=True)]


def measured(page):
    """Yield each control's label and the milliseconds of its moves."""
    for machine in page.locator(".nk-live .aw-machine").all():
        machine.evaluate("one => one.scrollIntoView()")  # it is drawn once it is seen
        page.wait_for_timeout(500)
        if not machine.locator(".mx-given .mx-cell").count():
            continue
        for label, moves in (("a digit typed", TYPED), ("a cell pointed at", POINTED)):
            yield label, timed(machine, moves)
    for slider in page.locator(".nk-live input[type=range]").all():
        label = page.locator(f"label[for='{slider.get_attribute('id')}']").inner_text()
        yield label, timed(slider, MEASURE)


def main():
    """Print the median and the 95th percentile of every slider."""
    print(f"{'page':34} {'slider':34} {'median':>8} {'p95':>8}  (ms)")
    path = find_browser()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        for name in pages_with_figures():
            page = browser.new_page()
            page.goto((HTML / name).as_uri())
            uncover(page)
            for label, times in measured(page):
                median, p95 = statistics.median(times), sorted(times)[-len(times) // 20]
                print(f"{name:34} {label:34} {median:8.2f} {p95:8.2f}")
        browser.close()
