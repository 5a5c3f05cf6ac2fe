#!/bin/sh
# Pin every requirement, for Python 3.11 and later at once. Run as `make lock`.
# The three files agree: each later one takes the pins of those before it.
set -eu
compile() {
    uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest \
        --no-emit-index-url --no-emit-find-links --no-annotate --no-header \
        --upgrade --constraints "$pins" "$1.in" --output-file "$1.txt"
    grep -v '^-e' "$1.txt" >>"$pins"
}
pins=$(mktemp)
trap 'rm -f "$pins"' EXIT
compile requirements
compile requirements-site
compile requirements-test
