"""Print the built site as one PDF: every page in order, answers and solutions last.

    python tools/pdf.py [FILE]        _build/attention-worked-out.pdf unless named

A Chromium prints all pages as one (see pdf_pages.py). So pages are numbered, every
heading has its bookmark, links lead from chapter to chapter, and the file is tagged for
screen readers.
"""

import os
import shutil
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

import yaml
from browser import FLAGS, find_browser
from export import order
from pdf_pages import one_page
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
HTML = ROOT / "_build" / "html"
TARGET = ROOT / "_build" / "attention-worked-out.pdf"
FOOTER = """<div style="font-size:7pt;width:100%;margin:0 16mm;color:#5f6773;
display:flex;justify-content:space-between">
<span class="title"></span><span class="pageNumber"></span></div>"""


@contextmanager
def written(html=HTML, root=ROOT):
    """Write the one page beside the others, in a copy, while it is looked at."""
    names = order(yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8")))
    title = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))["title"]
    with tempfile.TemporaryDirectory(dir=html.parent) as folder:
        place = Path(folder) / "html"
        shutil.copytree(html, place, copy_function=os.link)
        path = place / "_all_pages.html"
        path.write_text(one_page(html, names, title), encoding="utf-8")
        yield path


def print_book(target=TARGET):
    """Print all pages."""
    browser_path = find_browser()
    if browser_path is None:
        raise SystemExit("No Chromium found: run `python tools/browser.py`.")
    with written() as path, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=FLAGS)
        page = browser.new_context(java_script_enabled=False).new_page()
        page.goto(path.as_uri())
        page.pdf(
            path=target,
            format="A4",
            print_background=True,
            outline=True,
            tagged=True,
            display_header_footer=True,
            header_template="<span></span>",
            footer_template=FOOTER,
            margin=dict.fromkeys(("top", "bottom", "left", "right"), "16mm"),
        )
        browser.close()
    return target


if __name__ == "__main__":
    print(print_book(*map(Path, sys.argv[1:2])))
