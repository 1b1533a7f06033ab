# SPDX-License-Identifier: BSD-3-Clause
"""Stock TensorBoard shows the scalars and the summary of a recorded run, without the plugin, with
the numbers that tprof-analyze prints of its traces. Both of its readers of event files are asked."""
import pathlib
import re
import struct
import sys

import environment
import logs
import report
import server

# Tag -> the report's figure for a step, as what the tag promises.
SCALARS = {
    "tprof/step_time_ms": lambda step, wait: step["host_wall_ns"] / 1e6,
    "tprof/data_loader_wait_ms": lambda step, wait: wait["wait_ns"] / 1e6,
    "tprof/samples_per_second": lambda step, wait: 8 / (step["host_wall_ns"] / 1e9),
}
SUMMARY = "tprof/summary"


def single(value):
    """The number as a float of 32 bits, which is what a scalar is."""
    return struct.unpack("f", struct.pack("f", value))[0]


def steps_of(entries, run):
    """[(step, data-loader row)] of all spans of a run, and of run folders below it."""
    rows = []
    for (name, _, _), entry in entries.items():
        if name == run or name.startswith(run + "/"):
            views = entry["views"]
            rows += zip(views["overview"]["steps"], views["data_loader"]["steps"])
    return sorted(rows, key=lambda row: int(row[0]["step"]))


def check_run(board, run, tags, rows):
    problems = []
    if set(tags) != set(SCALARS):
        problems.append("tags %s" % sorted(tags))
    for tag, figure in SCALARS.items():
        points = board.json("/data/plugin/scalars/scalars", run=run, tag=tag)
        shown = [(step, value) for _, step, value in points]
        expected = [(int(step["step"]), single(figure(step, wait))) for step, wait in rows]
        if shown != expected:
            problems.append("%s: %s, expected %s" % (tag, shown, expected))
    texts = board.json("/data/plugin/text/text", run=run, tag=SUMMARY)
    plain = re.sub(r"<[^>]+>|\s+", " ", texts[-1]["text"])
    mean = sum(step["host_wall_ns"] for step, _ in rows) / len(rows) / 1e6
    for part in ("recorded steps %d (%s to %s)" % (len(rows), rows[0][0]["step"], rows[-1][0]["step"]),
                 "mean step time %.3f ms" % mean, '"model":"two layers"'):
        if part not in re.sub(r" +", " ", plain.replace("&quot;", '"')):
            problems.append("summary without %r: %s" % (part, plain))
    return problems


def main():
    given = logs.options()
    venv = environment.make(given.build)
    place = pathlib.Path(given.build) / "scalars"
    folder = logs.collect(given, place / "logs", torch=False)
    runs = ["recorded_window", "recorded_step", "recorded_folders"]
    entries = report.read(given.analyze, folder)
    failed = False
    for fast in (False, True):
        log = place / ("tensorboard_fast.log" if fast else "tensorboard.log")
        with server.TensorBoard(venv, folder, log, fast) as board:
            tags = board.wait_for_scalars(runs)
            for run in runs:
                problems = check_run(board, run, tags[run], steps_of(entries, run))
                print("%s, %s reader: %s" % (run, "fast" if fast else "Python",
                                             "; ".join(problems) or "as the report says"))
                failed |= bool(problems)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
