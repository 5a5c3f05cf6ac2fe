#!/bin/sh
# Pin the groups of pyproject.toml with their checksums, for Python 3.11 and later at
# once. Run as `make lock`; `tools/lock.sh --keep` keeps the versions where it can.
# The three files agree: each later one takes the pins of those before it. They name
# packages and checksums, never a host. The rooms are here for what they need in turn;
# they are installed after the files, by tools/install.py and postBuild.
set -eu
cd "$(dirname "$0")/.."
upgrade=--upgrade
[ "${1:-}" = --keep ] && upgrade=
compile() {
    group=$1 file=$2 rooms=$3
    for room in $rooms; do echo "-e $room"; done |
        uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest \
            --no-emit-index-url --no-emit-find-links --no-annotate --no-header \
            --no-strip-extras --generate-hashes $upgrade --constraints "$pins" \
            --group "$group" --output-file "$file" -
    grep -v '^-e' "$file" >"$pins.new"
    mv "$pins.new" "$file"
    sed -E '/^ /d; s/ \\$//' "$file" >>"$pins"
}
pins=$(mktemp)
trap 'rm -f "$pins" "$pins.new"' EXIT
compile lessons requirements.txt ". ./attncheck ./named_mistakes ./course ./sphinx-nokernel"
compile site requirements-site.txt ""
compile test requirements-test.txt ""
