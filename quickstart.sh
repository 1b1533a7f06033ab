#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# On a fresh Debian or Ubuntu: installs what is missing, builds, and analyses the sample logs.
# Usage: ./quickstart.sh          build and analyse sample_logs/
#        ./quickstart.sh test     the same, then every test
#        ./quickstart.sh cupti    as without a word, with CUPTI's headers from PyPI where there is no CUDA toolkit
set -eu
cd "$(dirname "$0")"

mode= cupti=
for word in "$@"; do
    case $word in
    test) mode=test ;;
    cupti) cupti=yes ;;
    *)
        echo "usage: $0 [test] [cupti]" >&2
        exit 2
        ;;
    esac
done

# A package is asked for by the name that dpkg knows.
build_packages="gcc libc6-dev cmake ninja-build pkg-config zlib1g-dev libisal-dev libprotobuf-c-dev protobuf-c-compiler"
test_packages="g++ libcmocka-dev python3 python3-venv chromium openssl valgrind isal locales"

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

# Headers only, of one CUDA version; the library itself is looked for when a program runs.
cupti_headers() {
    install_missing python3 python3-venv
    echo "==> CUPTI's headers of CUDA 13 from PyPI into build/cupti"
    [ -x build/cupti/bin/python ] || python3 -m venv build/cupti
    build/cupti/bin/python -m pip install --quiet --disable-pip-version-check --no-deps \
        'nvidia-cuda-cupti==13.*' 'nvidia-cuda-runtime==13.*' 'nvidia-cuda-crt==13.*' 'nvidia-nvtx==13.*'
    found=$(find "$PWD/build/cupti" -name cupti.h -o -name cuda.h | xargs -n1 dirname | sort -u | paste -sd ';')
    set -- "-DTPROF_CUPTI=ON" "-DTPROF_CUPTI_INCLUDE=$found"
    cmake --preset release -G Ninja "$@"
}

if [ "$mode" = test ]; then
    tests=ON
else
    tests=OFF
fi
[ -z "$cupti" ] || cupti_headers
echo "==> building into build/release (cmake --preset release)"
cmake --preset release -G Ninja -DTPROF_TESTS=$tests
cmake --build --preset release

echo "==> build/release/analyzer/tprof-analyze sample_logs"
build/release/analyzer/tprof-analyze sample_logs

if [ "$mode" = test ]; then
    echo "==> every test: ctest --preset release"
    ctest --preset release -j2
fi
