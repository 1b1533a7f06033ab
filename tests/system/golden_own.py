#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Our own recordings: what the program measured itself, and what torch printed, against our report.

Usage: golden_own.py TPROF_ANALYZE FOLDER_OF_OWN_TRACES

torch's host self time is an event's time without everything that is nested in it on its thread:
operators, marked ranges and calls. An operator whose only child has its name is one row with it.
The TensorBoard plugin follows the same rule but for marked ranges, which it looks through.
"""
import ast
import glob
import json
import os
import subprocess
import sys

WHOLE_US = ("2.0", "2.3")  # these versions of torch write whole microseconds
NOT_ROWS = ("Optimizer.", "enumerate(DataLoader)#", "ProfilerStep")

failures = []
compared = 0


def check(good, *what):
    global compared
    compared += 1
    if not good:
        failures.append(" ".join(str(w) for w in what))


def report(tool, path):
    done = subprocess.run([tool, "report", "-f", "json", "--views", "all", "-q", path],
                          capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{path}: exit status {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)["logs"][0]["views"]


def near(ours_ns, theirs_us, calls, total_us, whole_us):
    """Within 1 us a call; where all is in whole us, children are cut too, and nesting is a guess."""
    slack_us = calls + 1e-3
    if whole_us:
        slack_us = max(slack_us, 0.01 * total_us + 2 * total_us / calls)
    return abs(ours_ns / 1000 - theirs_us) <= slack_us


def key_of(row):
    if "input_shapes" not in row:
        return row["key"]
    return row["key"], str(row["input_shapes"])


def compare_operators(log, torch_rows, ours, ranges, whole_us, self_too):
    theirs = {key_of(r): r for r in torch_rows}
    for key, row in theirs.items():
        name, calls = row["key"], row["count"]
        mine = ours.get(key)
        if mine is None:
            check(name in ranges or name.startswith(NOT_ROWS), log, name, "is not in our table")
            continue
        total_us = row["cpu_time_total_us"]
        check(abs(mine["calls"] - calls) <= (2 if whole_us else 0), log, key, "calls", mine["calls"],
              "torch", calls)
        check(near(mine["host_total_ns"], total_us, calls, total_us, whole_us), log, key, "total",
              mine["host_total_ns"], "torch us", total_us)
        if self_too:
            check(near(mine["host_self_ns"], row["self_cpu_time_total_us"], calls, total_us,
                       whole_us),
                  log, key, "self", mine["host_self_ns"], "torch us", row["self_cpu_time_total_us"])
    for key in ours:
        check(key in theirs, log, key, "is not in torch's table")


def compare_ranges(log, torch_rows, ours, whole_us):
    for row in torch_rows:
        mine = ours.get(row["key"])
        if mine is None:
            continue
        check(mine["calls"] == row["count"], log, row["key"], "calls", mine["calls"])
        check(near(mine["total_ns"], row["cpu_time_total_us"], row["count"],
                   row["cpu_time_total_us"], whole_us),
              log, row["key"], "total", mine["total_ns"], "torch us", row["cpu_time_total_us"])


def compare_steps(log, file, views):
    steps, waits = views["overview"]["steps"], views["data_loader"]["steps"]
    marks = [m.split("#", 1)[1] for m in file["marks"]] or ["all"]
    check([s["step"] for s in steps] == marks, log, "steps", [s["step"] for s in steps])
    for truth, step, wait in zip(file["measured"], steps, waits):
        longer = step["host_wall_ns"] - truth["wall_ns"]
        check(0 <= longer <= 2_000_000, log, "step", step["step"], "is longer by", longer)
        if "data_wait_ns" in truth:
            shorter = truth["data_wait_ns"] - wait["wait_ns"]
            check(0 <= shorter <= 400_000, log, "wait", step["step"], "is shorter by", shorter)


def median(values):
    values, half = sorted(values), len(values) // 2
    return values[half] if len(values) % 2 else (values[half - 1] + values[half]) / 2


def p95(values):
    return sorted(values)[(len(values) * 95 + 99) // 100 - 1]


def compare_latencies(log, file, ranges):
    """The marks of `infer` are some us longer than what is measured inside them."""
    truth = [ns for step in file["measured"] for ns in step["infer_ns"]]
    for word, value in (("median_ns", median(truth)), ("p95_ns", p95(truth)), ("min_ns", min(truth)),
                        ("max_ns", max(truth))):
        off = ranges["infer"][word] - value
        check(abs(off) <= 30_000, log, "infer", word, "is off by", off)


def compare_stages(log, truth, file, views, ranges):
    for word in ("data", "forward", "backward", "optimizer"):
        wall = sum(step[word + "_ns"] for step in file["measured"])
        calls = len(file["measured"])
        off = ranges[word]["total_ns"] - wall
        check(ranges[word]["calls"] == calls and abs(off) <= 50_000 * calls, log, word, "off by", off)
    slow = ranges[truth["slow_range"]]
    step = next(s for s in views["overview"]["steps"] if s["step"] == str(truth["slow_step"]))
    at = slow["slowest_begin_ns"] - step["begin_ns"]
    check(0 <= at < step["wall_ns"], log, "slowest occurrence is not in the slow step")
    inner = sum(ranges[n]["total_ns"] for n in truth["nesting"]["forward"])
    check(ranges["forward"]["self_ns"] == ranges["forward"]["total_ns"] - inner, log, "self of forward")
    stages = [n for n in truth["ranges"] if n not in truth["nesting"]["forward"]]
    check(sum(ranges[n]["step_share"] for n in stages) <= 1, log, "shares of the stages exceed 1")


def without_lists(shapes):
    """torch prints a list of tensors as a shape without dimensions."""
    return str([[] if any(isinstance(size, list) for size in shape) else shape
                for shape in ast.literal_eval(shapes)])


def by_torch_shape(rows):
    """Our rows by name and shape as torch tells them apart."""
    summed = {}
    for row in rows:
        mine = summed.setdefault((row["name"], without_lists(row["input_shapes"])),
                                 {"calls": 0, "host_self_ns": 0, "host_total_ns": 0})
        for column in mine:
            mine[column] += row[column]
    return summed


def tables(prefix, kind, file):
    with open(f"{prefix}{kind}.json", encoding="utf-8") as stored:
        return next(f["rows"] for f in json.load(stored) if f["file"] == file["file"])


def compare_file(tool, folder, prefix, truth, file):
    log = os.path.basename(folder) + "/" + file["file"]
    views = report(tool, os.path.join(folder, file["file"]))
    ranges = {r["name"]: r for r in views["annotations"]["annotations"]}
    whole_us = truth["torch"].startswith(WHOLE_US)
    # With stacks torch leaves the time of Python frames out of self times.
    self_too = not truth["options"].get("with_stack")
    plain = tables(prefix, "key_averages", file)

    compare_operators(log, plain, {r["name"]: r for r in views["operators"]["operators"]}, ranges,
                      whole_us, self_too)
    if truth["options"].get("record_shapes") and not whole_us:
        compare_operators(log, tables(prefix, "by_shape", file),
                          by_torch_shape(views["operators"]["operators_by_shape"]), ranges, whole_us,
                          self_too)
    compare_ranges(log, plain, ranges, whole_us)
    compare_steps(log, file, views)
    if truth["scenario"] == "infer_latency":
        compare_latencies(log, file, ranges)
    if truth["scenario"] == "user_ranges":
        compare_stages(log, truth, file, views, ranges)


def main():
    tool, own = sys.argv[1], sys.argv[2]
    if not os.path.isdir(own):
        print(f"skipped: no folder {own}")
        return 77
    for path in sorted(glob.glob(os.path.join(own, "*", "*truth.json"))):
        with open(path, encoding="utf-8") as stored:
            truth = json.load(stored)
        for file in truth["files"]:
            compare_file(tool, os.path.dirname(path), path[:-len("truth.json")], truth, file)
    for failure in failures[:60]:
        print(failure)
    print(f"{compared} comparisons, {len(failures)} failures")
    return 1 if failures or compared < 10000 else 0


if __name__ == "__main__":
    sys.exit(main())
