# SPDX-License-Identifier: BSD-3-Clause
"""The plugin answers Overview, Operator, Trace, Memory and Module with the numbers that tprof-analyze
prints. What the released plugin does otherwise stands by name in RELEASED and in docs/metrics.md, and
only there may a number differ."""
import fnmatch
import pathlib
import re
import sys

import compare
import environment
import logs
import report
import server

# Views that logs of this library must have, whatever else is there.
RECORDED_VIEWS = {"Overview", "Operator", "Trace", "Memory", "Module"}

# id in docs/metrics.md, figures, and which traces it can touch.
RELEASED = [
    ("R1", ("role DataLoader", "role CPU Exec", "role Other"), report.Trace.has_loader_annotations),
    ("W8", ("role *",), report.Trace.has_collectives),
    ("W19", ("operator tensor eligible",), lambda trace: True),
    ("D1", ("operator host self",), report.Trace.has_annotations_in_operators),
]


def unexplained(c, trace):
    """The figures that differ although nothing named touches this trace, and the names used."""
    left, used = [], set()
    for figure, rows in c.differences.items():
        ids = [id for id, figures, applies in RELEASED
               if any(fnmatch.fnmatch(figure, f) for f in figures) and applies(trace)]
        if ids:
            used.add("%s: %s %d" % ("/".join(ids), figure, len(rows)))
        else:
            left += ["%s: %s" % (figure, row) for row in rows]
    return left, used


def check_run(board, run, workers, entries):
    """Compares each profile of a run. Returns whether all is well."""
    well = True
    for worker, spans in workers.items():
        for number, span in enumerate(spans, 1):
            profile = {"run": run, "worker": worker,
                       "span": "default" if span == "default" else str(number)}
            entry = entries[run, worker, span]
            trace = report.Trace(entry["file"])
            c, views = compare.compare(board, profile, entry, trace)
            left, used = unexplained(c, trace)
            if run.startswith("recorded") and not RECORDED_VIEWS <= set(views):
                left.append("views: only %s" % views)
            print("%s/%s/%s: %d figures in %s%s%s" % (
                run, worker, span, c.count, ", ".join(views), "; but for " if used else "",
                ", ".join(sorted(used))))
            for line in left[:10]:
                print("    " + line)
            well &= not left
    return well


def undocumented(metrics):
    text = pathlib.Path(metrics).read_text()
    return [id for id, _, _ in RELEASED if not re.search(r"^\| %s \|" % id, text, re.M)]


def main():
    given = logs.options()
    venv = environment.make(given.build)
    folder = logs.collect(given, pathlib.Path(given.build) / "views" / "logs")
    runs = server.traces_below(folder)
    entries = report.read(given.analyze, folder)
    well = True
    with server.TensorBoard(venv, folder, folder.parent / "tensorboard.log") as board:
        board.wait_for_runs(runs)
        for run, workers in sorted(runs.items()):
            well &= check_run(board, run, workers, entries)
    for id in undocumented(given.metrics):
        print("%s does not stand in docs/metrics.md" % id)
        well = False
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
