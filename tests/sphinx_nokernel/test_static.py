"""What a site gets beside its pages."""


def test_what_python_compiled_here_is_not_published(book):
    book.write("index.md", "# A page\n")
    book.write("extra/nokernel/__pycache__/driver.cpython-311.pyc", "compiled")
    book.write("extra/nokernel/more.txt", "kept")
    book.build(html_static_path=["extra"])
    static = book.out / "_static"
    assert (static / "nokernel" / "driver.py").is_file()
    assert (static / "nokernel" / "more.txt").is_file()
    assert not list(static.rglob("__pycache__"))
