#!/bin/sh
# For any CI that can run a script: fails where the solver of this checkout searches more, or is slower, than that of the commit
# BASE. Run it where the repository is checked out, history and all, with `sudobench` on the path. `build-solver DIR` is a script
# of your own that leaves your solver in the folder DIR.
#
#   plain.sh BASE
set -eu
out=$(mktemp -d)
trap 'git worktree remove --force "$out/tree" || true; rm -rf "$out"' EXIT
git worktree add --quiet --detach "$out/tree" "$1"
./build-solver "$out/head"
"$out/tree/build-solver" "$out/base"
sudobench gate --engine "mine=$out/head/solve" --base-engine "mine=$out/base/solve" --baseline baseline.txt \
    --export-junit gate.xml --export-json gate.json -- puzzles.csv
