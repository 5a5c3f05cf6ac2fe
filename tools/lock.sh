#!/bin/sh
# Pin every requirement with its checksums, for Python 3.11 and later at once. Run as
# `make lock`; `tools/lock.sh --keep` keeps the versions where it can.
# The three files agree: each later one takes the pins of those before it. They name
# packages and checksums, never a host; the rooms themselves (-e) are installed after
# them, by tools/install.py and postBuild.
set -eu
upgrade=--upgrade
[ "${1:-}" = --keep ] && upgrade=
compile() {
    uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest \
        --no-emit-index-url --no-emit-find-links --no-annotate --no-header --no-strip-extras \
        --generate-hashes $upgrade \
        --constraints "$pins" "$1.in" --output-file "$1.txt"
    grep -v '^-e' "$1.txt" >"$pins.new"
    mv "$pins.new" "$1.txt"
    sed -E '/^ /d; s/ \\$//' "$1.txt" >>"$pins"
}
pins=$(mktemp)
trap 'rm -f "$pins" "$pins.new"' EXIT
compile requirements
compile requirements-site
compile requirements-test
