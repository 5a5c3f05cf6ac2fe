"""Settings that differ from build to build come from environment variables.

===================== ==========================================================
SOLUTIONS=0           leave out the solutions of the exercises
ATTENTION_REPOSITORY  owner/name: launch buttons for that repository
ATTENTION_BRANCH      its branch, `main` unless said otherwise
ATTENTION_COLAB       the branch with copies for Colab, `colab` unless said otherwise
LIVE_PYODIDE          the address that Python in the page comes from
SITE_ADDRESS          where the site will be: for link previews and the page 404.html
SITE_CONTACT          whom readers tell what stops them: see `contact`
===================== ==========================================================
"""

import os
from urllib.parse import urlsplit

# Read and write all pages whenever one has changed.
#
# Pages show each other's titles, terms and stages, and Sphinx's search index loses the
# glossary's entries when it is updated (it saves its environment before it collects
# them). What is executed comes from the cache all the same: this takes seconds.


def _all_pages(app, env, added, changed, removed):
    return env.found_docs if added or changed or removed else ()


def setup(app):
    """Connect with Sphinx."""
    app.connect("env-get-outdated", _all_pages)


VALUES = {
    "ATTENTION_REPOSITORY": "nokernel_repository",
    "ATTENTION_BRANCH": "nokernel_branch",
    "ATTENTION_COLAB": "nokernel_colab_branch",
    "LIVE_PYODIDE": "nokernel_pyodide",
}


def read_settings(app, config):
    """Put what the environment says over what `_config.yml` says."""
    for variable, name in VALUES.items():
        if value := os.environ.get(variable):
            config[name] = value
    if os.environ.get("SOLUTIONS") == "0":
        config.nokernel_solutions = False
    if address := os.environ.get("SITE_ADDRESS"):
        config.html_baseurl = f"{address.rstrip('/')}/"
    config.ogp_site_url = config.html_baseurl or ""
    config.notfound_urls_prefix = urlsplit(config.html_baseurl or "").path or "/"
