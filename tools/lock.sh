#!/bin/sh
# Pin the groups of pyproject.toml with their checksums, for Python 3.11 and later at
# once. Run as `make lock`; `tools/lock.sh --keep` keeps the versions where it can.
# The files agree: each later one takes the pins of those before it. They name
# packages and checksums, never a host. PyTorch is in none: tools/parity.py says why. The rooms are here for what they need in turn;
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
            --overrides "$never" --group "$group" --output-file "$file" -
    # What is for no system goes, with its checksums: PyTorch, and what it alone needs.
    awk '/^[^ ]/ { kept = !/^-e/ && !/sys_platform == .never./ } kept' "$file" >"$pins.new"
    mv "$pins.new" "$file"
    sed -E '/^ /d; s/ \\$//' "$file" >>"$pins"
}
pins=$(mktemp)
never=$(mktemp)
trap 'rm -f "$pins" "$pins.new" "$never"' EXIT
echo "torch ; sys_platform == 'never'" >"$never"
compile lessons requirements.txt ". ./attnconfig ./attncheck ./named_mistakes ./course ./sphinx-nokernel"
compile site requirements-site.txt ""
compile test requirements-test.txt ""
compile parity requirements-parity.txt ""
