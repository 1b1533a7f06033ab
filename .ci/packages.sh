# SPDX-License-Identifier: BSD-3-Clause
# install_missing PACKAGE...: installs those Debian packages that are not there, by apt-get.

install_missing() {
    local missing=() package as_root=()

    if ! command -v dpkg-query >/dev/null; then
        echo "This is neither Debian nor Ubuntu: install what these packages hold by other means: $*"
        return 0
    fi
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' ||
            missing+=("$package")
    done
    if [ ${#missing[@]} = 0 ]; then
        echo "All packages are there: $*"
        return 0
    fi
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || {
            echo "Needs root or sudo to install: ${missing[*]}" >&2
            return 1
        }
        as_root=(sudo)
    fi
    echo "Installing by apt-get: ${missing[*]}"
    "${as_root[@]}" apt-get update -q
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
}
