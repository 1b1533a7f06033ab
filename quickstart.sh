#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# On a fresh Debian or Ubuntu: installs what is missing, builds, and analyses the sample logs.
# Usage: ./quickstart.sh          build and analyse sample_logs/
#        ./quickstart.sh test     the same, then every test
set -eu
cd "$(dirname "$0")"

case ${1-} in
'' | test) mode=${1-} ;;
*)
    echo "usage: $0 [test]" >&2
    exit 2
    ;;
esac

# A package is asked for by the name that dpkg knows.
build_packages="gcc libc6-dev cmake ninja-build pkg-config zlib1g-dev libisal-dev libprotobuf-c-dev protobuf-c-compiler"
test_packages="g++ libcmocka-dev python3 python3-venv chromium valgrind isal"

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

install_missing() {
    missing=
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    if ! command -v apt-get >/dev/null; then
        echo "==> missing:$missing; install them with this system's package manager" >&2
        return 0
    fi
    echo "==> installing:$missing"
    as_root apt-get update -qq
    # shellcheck disable=SC2086 # a list of words
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
}

# shellcheck disable=SC2086
install_missing $build_packages
# shellcheck disable=SC2086
[ "$mode" != test ] || install_missing $test_packages

if [ "$mode" = test ]; then
    tests=ON
else
    tests=OFF
fi
echo "==> building into build/release (cmake --preset release)"
cmake --preset release -G Ninja -DTPROF_TESTS=$tests
cmake --build --preset release

echo "==> build/release/analyzer/tprof-analyze sample_logs"
build/release/analyzer/tprof-analyze sample_logs

if [ "$mode" = test ]; then
    echo "==> every test: ctest --preset release"
    ctest --preset release -j2
fi
