# SPDX-License-Identifier: BSD-3-Clause
"""Runs a check of check_nvtx.py with a Python that has the package; 77 where there is none.

python_environment.py PACKAGE FOLDER COMMAND... : the Python's path is put in for "PYTHON".

TPROF_TEST_PYTHON may name an interpreter that has it; else a virtual environment is made in FOLDER.
"""
import os
import subprocess
import sys


def has(python, package):
    code = {"torch": "from torch.cuda import nvtx; nvtx.mark('x')"}.get(package, f"import {package}")
    return subprocess.run([python, "-c", code], capture_output=True).returncode == 0


def find(package, folder):
    for python in (os.environ.get("TPROF_TEST_PYTHON"), sys.executable, "python3"):
        if python and has(python, package):
            return python
    if package == "torch":
        return None  # a download of gigabytes: only where somebody has it
    made = os.path.join(folder, "bin", "python")
    if not os.path.exists(made):
        subprocess.run([sys.executable, "-m", "venv", folder], capture_output=True)
    if not has(made, package):
        subprocess.run([made, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                        "--retries", "1", "--timeout", "15", package], capture_output=True)
    return made if has(made, package) else None


def main(package, folder, *command):
    python = find(package, folder)
    if not python:
        print(f"skipped: no Python with {package} here, and none could be installed")
        return 77
    return subprocess.run([python if word == "PYTHON" else word for word in command]).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
