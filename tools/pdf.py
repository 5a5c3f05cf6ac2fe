"""Print the built site as one PDF: every page in order, solutions at the end.

    python tools/pdf.py [FILE]        _build/attention-worked-out.pdf unless named

A Chromium prints each page with its still pictures; the pieces are joined, with
bookmarks for pages and their sections. A solution is left out where it stands and
printed in a chapter after the last page.
"""

import io
import sys
from pathlib import Path

import yaml
from browser import FLAGS, find_browser
from playwright.sync_api import sync_playwright
from pypdf import PdfWriter

ROOT = Path(__file__).resolve().parent.parent
HTML = ROOT / "_build" / "html"
TARGET = ROOT / "_build" / "attention-worked-out.pdf"
# Folds are opened; solutions go, or are all that stays.
PREPARE = """solutions => {
    document.documentElement.dataset.theme = "light";
    document.querySelectorAll("details").forEach(fold => { fold.open = true; });
    const found = [...document.querySelectorAll(".nk-solution, .tag_solution")]
        .filter(one => !one.parentElement.closest(".nk-solution, .tag_solution"));
    const article = document.querySelector(".bd-article");
    const kept = found.map(one => one.cloneNode(true));
    found.forEach(one => one.remove());
    if (solutions) {
        const title = document.querySelector("h1");
        title.prepend("Solutions: ");
        article.replaceChildren(title, ...kept);
        document.querySelector("#jb-print-docs-body")?.remove();
    }
    // A link to another page would lead to a file of this machine.
    for (const link of document.querySelectorAll("a[href]"))
        if (link.protocol === "file:" && link.pathname !== location.pathname)
            link.removeAttribute("href");
    return found.length;
}"""
# A fold that has just been opened is printed empty until the page has been laid out.
LAID_OUT = """() => new Promise(
    done => requestAnimationFrame(() => requestAnimationFrame(done)))"""
FOOTER = """<div style="font-size:7pt;width:100%;text-align:center;color:#5f6773">
<span class="title"></span></div>"""


def order(toc):
    """List the pages that a table of contents names, in its order."""
    names = [toc["root"]] if "root" in toc else []
    if "file" in toc:
        names.append(toc["file"])
    for key in ("parts", "chapters", "sections"):
        names += [name for entry in toc.get(key, []) for name in order(entry)]
    return names


def printed(browser, name, solutions=False):
    """Print one page, or its solutions; return its title and PDF, or None."""
    page = browser.new_page()
    page.goto((HTML / f"{name}.html").as_uri())
    page.wait_for_load_state("load")
    title = page.locator("h1").first.evaluate("h => h.firstChild.textContent.trim()")
    if not page.evaluate(PREPARE, solutions) and solutions:
        page.close()
        return None
    page.evaluate(LAID_OUT)
    pdf = page.pdf(
        format="A4",
        print_background=True,
        outline=True,
        tagged=True,
        display_header_footer=True,
        header_template="<span></span>",
        footer_template=FOOTER,
        prefer_css_page_size=False,
        margin=dict.fromkeys(("top", "bottom", "left", "right"), "16mm"),
    )
    page.close()
    return title, pdf


def print_book(target=TARGET):
    """Print all pages and join them."""
    names = order(yaml.safe_load((ROOT / "_toc.yml").read_text()))
    writer = PdfWriter()
    path = find_browser()
    if path is None:
        raise SystemExit("No Chromium found: run `python tools/browser.py`.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        for name in names:
            _append(writer, *printed(browser, name))
        for name in names:
            if piece := printed(browser, name, solutions=True):
                _append(writer, f"Solutions: {piece[0]}", piece[1])
        browser.close()
    writer.add_metadata({"/Title": "Attention, Worked Out"})
    writer.write(target)
    return target


def _append(writer, title, pdf):
    writer.append(io.BytesIO(pdf), outline_item=title, import_outline=False)


if __name__ == "__main__":
    print(print_book(*map(Path, sys.argv[1:2])))
