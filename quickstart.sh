#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Usage: ./quickstart.sh [test]
# On Debian or Ubuntu: installs what is missing, builds, and analyses sample_logs/; with "test" it
# runs every test too. Works as root or with sudo, and says what it does before doing it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

say() { printf '\n== %s\n' "$*"; }

packages=(build-essential cmake ninja-build pkg-config zlib1g-dev libisal-dev libprotobuf-c-dev protobuf-c-compiler)
tests=OFF
case "${1:-}" in
"") ;;
test)
    tests=ON
    packages+=(libcmocka-dev python3 python3-venv)
    ;;
*)
    echo "usage: ./quickstart.sh [test]" >&2
    exit 2
    ;;
esac

# shellcheck source=.ci/packages.sh
. .ci/packages.sh
install_missing "${packages[@]}"

say "Building into build/release"
cmake --preset release -G Ninja -DTPROF_TESTS=$tests
cmake --build --preset release

say "tprof-analyze sample_logs"
build/release/analyzer/tprof-analyze sample_logs

if [ $tests = ON ]; then
    say "Running every test"
    ctest --preset release -j "$(nproc)"
fi

say "Done. The program is build/release/analyzer/tprof-analyze; try it on your own ./log"
