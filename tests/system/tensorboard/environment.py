# SPDX-License-Identifier: BSD-3-Clause
"""A virtual environment with TensorBoard and the PyTorch profiler plugin, made once a build folder."""
import fcntl
import hashlib
import pathlib
import shutil
import subprocess
import sys

REQUIREMENTS = pathlib.Path(__file__).with_name("requirements.txt")
SKIPPED = 77  # exit status that ctest shows as skipped


def skip(reason):
    print("skipped: " + reason)
    sys.exit(SKIPPED)


def _stamp():
    return hashlib.sha256(REQUIREMENTS.read_bytes() + sys.version.encode()).hexdigest()


def _install(folder):
    """Returns why it could not be made, or None."""
    shutil.rmtree(folder, ignore_errors=True)
    pip = [folder / "bin" / "python", "-m", "pip", "install", "--disable-pip-version-check",
           "--no-input", "--timeout", "30", "--retries", "2", "-r", REQUIREMENTS]
    for step in ([sys.executable, "-m", "venv", folder], pip):
        done = subprocess.run(step, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            last = (done.stdout.strip().splitlines() or ["no output"])[-1]
            return "no virtual environment with TensorBoard: %s" % last
    return None


def make(build_folder):
    """The environment's folder; ends the program as skipped where packages cannot be had.

    Tests may run side by side: the first one makes it, the others wait."""
    build_folder = pathlib.Path(build_folder)
    build_folder.mkdir(parents=True, exist_ok=True)
    folder, stamp = build_folder / "venv", build_folder / "venv.stamp"
    with open(build_folder / "venv.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not stamp.exists() or stamp.read_text() != _stamp():
            stamp.unlink(missing_ok=True)
            reason = _install(folder)
            if reason:
                skip(reason)
            stamp.write_text(_stamp())
    return folder
