# SPDX-License-Identifier: BSD-3-Clause
"""A TensorBoard that runs while a program trains: run folders appear in it complete, one a window,
whereas a file added to a run that was read is never seen, which is why there are run folders."""
import pathlib
import shutil
import subprocess
import sys
import time

import environment
import logs
import server

SCANS_S = 25  # the plugin looks for new folders every 10 s


def record(given, folder, files):
    subprocess.run([given.record, folder, files], check=True)


def spans(board, run, worker):
    return board.plugin("/spans", run=run, worker=worker)


def main():
    given = logs.options()
    venv = environment.make(given.build)
    place = pathlib.Path(given.build) / "live"
    folder = place / "logs"
    shutil.rmtree(folder, ignore_errors=True)
    record(given, folder / "files", "window")
    failed = False
    with server.TensorBoard(venv, folder, place / "tensorboard.log") as board:
        board.wait_for_runs(["files"])
        before = spans(board, "files", "worker0")

        record(given, folder / "files", "window")
        record(given, folder / "folders", "folders")
        windows = [run for run in server.traces_below(folder) if run.startswith("folders/")]
        board.wait_for_runs(windows)
        for run in windows:
            views = board.plugin("/views", run=run)
            print("%s: %s, spans %s" % (run, ", ".join(views), spans(board, run, "worker0")))
            failed |= "Overview" not in views or len(spans(board, run, "worker0")) != 1

        time.sleep(SCANS_S)
        after = spans(board, "files", "worker0")
        print("files: %d spans when read, %d after two more were written" % (len(before), len(after)))
        failed |= len(windows) != 2 or len(before) != 2 or before != after
        runs = board.plugin("/runs")["runs"]
        print("runs: %s" % ", ".join(runs))
        failed |= sorted(runs) != sorted(["files", *windows])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
