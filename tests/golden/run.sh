#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Usage: run.sh [--bless] TPROF_ANALYZE CASE_DIR...
# A case holds: args, stdout, and, where they are not empty or 0, stderr and status.
set -u
bless=false
[ "$1" = --bless ] && { bless=true; shift; }
tool=$(realpath "$1"); shift
got=$(mktemp -d) || exit 1
trap 'rm -rf "$got"' EXIT
unset COLUMNS NO_COLOR
failed=0

for case in "$@"; do
    (cd "$case" && eval "\"$tool\" $(cat args)") >"$got/stdout" 2>"$got/stderr"
    echo $? >"$got/status"
    [ "$(cat "$got/status")" = 0 ] && rm "$got/status"
    [ -s "$got/stderr" ] || rm "$got/stderr"
    for part in stdout stderr status; do
        if $bless; then
            rm -f "$case/$part"
            [ -e "$got/$part" ] && cp "$got/$part" "$case/$part"
        elif [ -e "$got/$part" ] || [ -e "$case/$part" ]; then
            diff -uN "$case/$part" "$got/$part" || failed=1
        fi
    done
    rm -f "$got"/*
done
exit $failed
