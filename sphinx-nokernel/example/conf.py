"""The example with plain Sphinx: `sphinx-build . _build/sphinx`."""

project = "Squares"
extensions = ["myst_nb", "sphinx_external_toc", "sphinx_nokernel"]
myst_enable_extensions = ["colon_fence"]
nb_execution_mode = "force"
exclude_patterns = ["_build", ".*", "README.md"]
html_theme = "alabaster"
