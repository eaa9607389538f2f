#!/bin/sh
# For any CI that can run a script: fails if the solver of this checkout searches more, or is slower, than the solver of the commit
# BASE. Run it in a checkout with the whole history, with `sudobench` on the path. `build-solver DIR` is a script of your own that
# writes your solver into the folder DIR. If the base does not build or is broken, the head alone is checked.
#
#   plain.sh BASE
set -eu
git cat-file -e "$1^{commit}" 2>/dev/null || {
    echo "plain.sh: this checkout does not have the commit $1: fetch the whole history (GitHub: \`fetch-depth: 0\`, GitLab: \`GIT_DEPTH: 0\`)" >&2
    exit 1
}
out=$(mktemp -d)
trap 'git worktree remove --force "$out/tree" || true; rm -rf "$out"' EXIT
git worktree add --quiet --detach "$out/tree" "$1"
./build-solver "$out/head"
"$out/tree/build-solver" "$out/base" || echo "plain.sh: the base $1 does not build" >&2
sudobench gate --engine "mine=$out/head/solve" --base-engine "mine=$out/base/solve" --baseline baseline.txt --allow-missing=base \
    --export-junit gate.xml --export-json gate.json -- puzzles.csv
