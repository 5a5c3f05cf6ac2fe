"""The size that the README of the notebooks states is computed from what is there."""

import pytest

from sphinx_nokernel import installed_size


def write(folder, name, lines=(), files=()):
    """Lay down an installed distribution of files with these sizes."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    meta = ["Metadata-Version: 2.1", f"Name: {name}", "Version: 1.0", *lines]
    (info / "METADATA").write_text("\n".join(meta) + "\n")
    for place, size in files:
        (folder / place).parent.mkdir(exist_ok=True)
        with open(folder / place, "wb") as file:
            file.truncate(size)
    record = [f"{place},,{size}" for place, size in files]
    (info / "RECORD").write_text("\n".join(record) + "\n")


@pytest.fixture
def there(tmp_path, monkeypatch):
    write(
        tmp_path,
        "made_top",
        [
            "Requires-Dist: made-below",
            "Requires-Dist: made-extra; extra == 'more'",
            "Requires-Dist: made-never; python_version < '3'",
        ],
        [("top/a.py", 10_000_000), ("top/a.pyc", 99_000_000), ("top/b.so", 20_000_000)],
    )
    back = ["Requires-Dist: made-top"]  # in a circle
    write(tmp_path, "made_below", back, [("below.so", 40_000_000)])
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_all_that_is_needed_is_counted_once_and_compiled(there):
    # 10 of code, 13 compiled from it, and 20 and 40 of libraries
    assert installed_size.size_in_words(["made-top", "made_below"]) == "about 80 MB"


def test_what_is_not_there_is_not_counted_and_that_is_said(there):
    assert installed_size.size_in_words(["made-top[more]"]).startswith("more than ")
    write(there, "made_extra", [], [("extra.so", 100_000_000)])
    assert installed_size.size_in_words(["made-top[more]"]) == "about 180 MB"
