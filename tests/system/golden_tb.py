#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Our report against what the TensorBoard plugin showed for the same traces.

Usage: golden_tb.py [--bless] [--show] TPROF_ANALYZE SHARED_FOLDER METRICS_MD COUNTS

A figure that differs must be named, for that trace, in the table of deviations of docs/metrics.md,
and as many rows must differ as COUNTS says, so that nothing else hides behind a deviation.
--bless writes COUNTS anew; --show prints each difference.
"""
import fnmatch
import glob
import gzip
import json
import math
import os
import re
import subprocess
import sys

ROLES = {"Kernel": "kernel_ns", "Memcpy": "memcpy_ns", "Memset": "memset_ns",
         "Communication": "communication_ns", "Runtime": "runtime_ns",
         "DataLoader": "data_loader_ns", "CpuOp": "cpu_exec_ns", "Other": "other_ns"}
PERCENTS = {"GPU Utilization": "utilization", "Est. SM Efficiency": "sm_efficiency",
            "Est. Achieved Occupancy": "occupancy",
            "Kernel Time using Tensor Cores": "tensor_core_share"}
NO_OPERATOR = ("N/A", "CallTreeRoot")


class Comparison:
    """Differences of one trace, by figure. `noise` is what a double loses at the trace's stamps."""

    def __init__(self, noise):
        self.noise = noise
        self.compared = 0
        self.differences = {}

    def differ(self, figure, *what):
        self.differences.setdefault(figure, []).append(" ".join(str(w) for w in what))

    def equal(self, figure, key, theirs, ours):
        self.compared += 1
        if theirs != ours:
            self.differ(figure, key, "plugin", theirs, "ours", ours)

    def close(self, figure, key, theirs, ours, slack):
        """Numbers; `slack` is half of the last digit that was printed. None: unknown."""
        self.compared += 1
        if theirs is None or ours is None:
            same = theirs is None and ours is None
        else:
            same = abs(theirs - ours) <= slack + 1e-9 * abs(theirs)
        if not same:
            self.differ(figure, key, "plugin", theirs, "ours", ours)

    def rows(self, figure, theirs, ours):
        """Keys of two tables; returns those of both."""
        for key in sorted(theirs.keys() ^ ours.keys(), key=str):
            self.compared += 1
            self.differ(figure, "row only in", "the plugin" if key in theirs else "ours", key)
        return [key for key in theirs if key in ours]


def us(ns):
    return ns / 1000


def compare_steps(c, raw, views):
    theirs, ours = raw["steps"], views["overview"]["steps"]
    if not [s for s in theirs if s[2] > s[1]]:
        theirs = []
    names = ["0" if s["step"] == "all" else s["step"] for s in ours]
    c.equal("steps", "names", [s[0] for s in theirs], names)
    if [s[0] for s in theirs] != names:
        return
    for theirs_step, costs, step in zip(theirs, raw["steps_costs"], ours):
        key = "step " + step["step"]
        c.close("steps", key, theirs_step[2] - theirs_step[1], us(step["wall_ns"]), 2 * c.noise)
        for role, column in ROLES.items():
            c.close("role " + role, key, costs[role], us(step[column]), 1e-3 + 100 * c.noise)
    stats = views["overview"]["step_statistics"][0]
    if stats["count"] == len(ours):
        c.close("steps", "mean", raw["avg_costs"]["Total"], us(stats["mean_ns"]), 1e-3 + 2 * c.noise)


def percents_of(overview):
    """{device: {column: printed percentage}}"""
    devices, device = {}, None
    for line in overview.get("gpu_metrics", {}).get("data", []):
        found = re.match(r"GPU (\d+):$", line["title"])
        if found:
            device = devices.setdefault(found.group(1), {})
        elif line["title"] in PERCENTS:
            device[PERCENTS[line["title"]]] = float(line["value"].rstrip(" %"))
    return devices


def compare_devices(c, golden, views):
    theirs = percents_of(golden["overview"])
    ours = {d["device"]: d for d in views["overview"]["devices"]
            if d["kernel_ns"]}
    for key in c.rows("devices", theirs, ours):
        for column in PERCENTS.values():
            share = ours[key][column]
            c.close(column, "GPU " + key, theirs[key].get(column),
                    None if share is None else 100 * share, 0.005 + 1e-6)


def compare_operators(c, golden, views):
    theirs = {r["name"]: r for r in golden["raw"]["op_agg"]}
    ours = {r["name"]: r for r in views["operators"]["operators"]}
    for key in c.rows("operator rows", theirs, ours):
        row, mine = theirs[key], ours[key]
        slack = 1e-4 + row["calls"] * c.noise
        c.equal("operator calls", key, row["calls"], mine["calls"])
        for figure, their_key, our_key in (("operator host total", "host", "host_total_ns"),
                                           ("operator host self", "self_host", "host_self_ns"),
                                           ("operator device total", "device", "device_total_ns"),
                                           ("operator device self", "self_device",
                                            "device_self_ns")):
            c.close(figure, key, row[their_key], us(mine[our_key]),
                    slack if "total" in figure and "host" in figure else slack * 20)
        c.equal("operator tensor eligible", key, bool(row["tc_eligible"]),
                mine["tensor_core_eligible"])
        for part in ("self", "total"):
            time = row["self_device" if part == "self" else "device"]
            c.close("operator tensor share", key, row["tc_" + part] / time if time > 0 else 0,
                    mine[f"tensor_core_{part}_share"], 1e-6)


def compare_shapes(c, golden, views):
    theirs = {(r["name"], r["input_shape"]): r
              for r in golden["operation_table_by_input"]["data"]}
    ours = {(r["name"], r["input_shapes"]): r for r in views["operators"]["operators_by_shape"]}
    for key in c.rows("operator rows", theirs, ours):
        row, mine = theirs[key], ours[key]
        slack = 0.5 + 1e-6 + row["calls"] * c.noise * 20
        c.equal("operator calls", key, row["calls"], mine["calls"])
        for part in ("total", "self"):
            c.close("operator host " + part, key, row[f"host_{part}_duration"],
                    us(mine[f"host_{part}_ns"]), slack)
            c.close("operator device " + part, key, row.get(f"device_{part}_duration", 0),
                    us(mine[f"device_{part}_ns"]), slack)
            c.close("operator tensor share", key, row[f"tc_{part}_ratio"] / 100,
                    mine[f"tensor_core_{part}_share"], 0.5e-4 + 1e-9)
        c.equal("operator tensor eligible", key, row["tc_eligible"] == "Yes",
                mine["tensor_core_eligible"])


def table_of(golden, name):
    data = golden[name]["data"]
    titles = [column["name"] for column in data["columns"]]
    return [dict(zip(titles, row)) for row in data["rows"]]


def compare_kernel(c, prefix, key, row, mine, slack):
    calls = row["Calls"]
    c.equal(prefix + "calls", key, calls, mine["calls"])
    if calls != mine["calls"]:
        return  # the other figures differ with it
    c.close(prefix + "times", key, row["Total Duration (us)"], us(mine["total_ns"]),
            slack + calls * c.noise)
    for word in ("Mean", "Min", "Max"):
        c.close(prefix + "times", key, row[word + " Duration (us)"], us(mine[word.lower() + "_ns"]),
                0.5 + 2 * c.noise + 1e-6)
    blocks, occupancy = mine["blocks_per_sm"], mine["occupancy"]
    if "Mean Blocks Per SM" in row:
        c.close(prefix + "blocks per SM", key, row["Mean Blocks Per SM"], blocks, 0.005 + 1e-6)
    if "Mean Est. Achieved Occupancy (%)" in row:
        c.close(prefix + "occupancy", key, row["Mean Est. Achieved Occupancy (%)"],
                None if occupancy is None else 100 * occupancy, 0.005 + 1e-6)
    uses = row.get("Tensor Cores Used", row.get("Kernel Uses Tensor Cores"))
    c.equal(prefix + "tensor cores", key, uses, {True: "Yes", False: "No"}.get(mine["tensor_cores"]))


def compare_kernels(c, golden, views):
    if "kernel_table" not in golden:
        c.equal("kernel rows", "any", [], views["kernels"]["kernels"])
        return
    theirs = {r["Name"]: r for r in table_of(golden, "kernel_table")}
    ours = {r["name"]: r for r in views["kernels"]["kernels"]}
    for key in c.rows("kernel rows", theirs, ours):
        compare_kernel(c, "kernel ", key, theirs[key], ours[key], 0.5 + 1e-6)


def launch_key(row):
    operator = row["Operator"]
    shape = [None if row[title] == "None" else row[title] for title in ("Grid", "Block")]
    return (row["Name"], None if operator in NO_OPERATOR else operator, *shape,
            row["Register Per Thread"], row["Shared Memory"])


def our_launch_key(row):
    return (row["name"], row["operator"], row["grid"], row["block"], str(row["registers"] or 0),
            str(row["shared_memory_bytes"] or 0))


def compare_kernels_by_operator(c, golden, views):
    if "kernel_op_table" not in golden:
        return
    theirs = {launch_key(r): r for r in table_of(golden, "kernel_op_table")}
    ours = {our_launch_key(r): r for r in views["kernels"]["kernels_by_operator"]}
    for key in c.rows("kernel by operator rows", theirs, ours):
        compare_kernel(c, "kernel by operator ", key, theirs[key], ours[key], 1e-3)


def views_of(tool, path):
    done = subprocess.run([tool, "report", "-f", "json", "--views", "all", "-q", path],
                          capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{path}: exit status {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)["logs"][0]["views"]


def compare_trace(tool, traces, golden):
    start = golden["raw"]["profiler_start_ts"]
    c = Comparison(math.ulp(start) if isinstance(start, float) else 0)
    views = views_of(tool, os.path.join(traces, golden["trace"]))
    compare_steps(c, golden["raw"], views)
    compare_devices(c, golden, views)
    compare_operators(c, golden, views)
    compare_shapes(c, golden, views)
    compare_kernels(c, golden, views)
    compare_kernels_by_operator(c, golden, views)
    return c


def quoted(cell):
    return re.findall(r"`([^`]+)`", cell)


def deviations_of(path):
    """Rows of the table of metrics.md whose first cell is an id: [id, figures, traces]."""
    rows = []
    with open(path, encoding="utf-8") as text:
        for line in text:
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if len(cells) == 5 and re.match(r"[A-Z]\d+$", cells[0]):
                rows.append((cells[0], quoted(cells[3]), quoted(cells[4])))
    return rows


def judge(differences, deviations):
    """Failures: figures that no row explains, and rows that explain nothing."""
    failures, used = [], set()
    for trace, figures in differences.items():
        for figure in figures:
            found = {(i, f, t) for i, fs, ts in deviations for f in fs for t in ts
                     if fnmatch.fnmatch(trace, t) and fnmatch.fnmatch(figure, f)}
            used |= found
            if not found:
                failures.append(f"{trace}: {figure} differs and docs/metrics.md does not say why")
    for i, figures, traces in deviations:
        for figure in figures:
            if not any((i, figure, t) in used for t in traces):
                failures.append(f"docs/metrics.md: {i}: `{figure}` differs in no trace")
        for t in traces:
            if not any((i, f, t) in used for f in figures):
                failures.append(f"docs/metrics.md: {i}: nothing differs in `{t}`")
    return failures


def counts_text(differences):
    return "".join(f"{trace}\t{figure}\t{len(rows)}\n" for trace, figures in sorted(differences.items())
                   for figure, rows in sorted(figures.items()))


def main():
    bless, show = "--bless" in sys.argv, "--show" in sys.argv
    tool, shared, metrics, counts = [a for a in sys.argv[1:] if not a.startswith("--")]
    goldens = sorted(glob.glob(os.path.join(shared, "golden/tb/*/**/*.json.gz"), recursive=True))
    if not goldens:
        print(f"skipped: no goldens under {shared}")
        return 77

    differences, compared, traces = {}, 0, 0
    for path in goldens:
        with gzip.open(path) as stored:
            golden = json.load(stored)
        if "extra" in path.split(os.sep) or golden["status"] != "ok":
            continue  # not a trace of one run, or one that the plugin cannot load
        c = compare_trace(tool, os.path.join(shared, "traces"), golden)
        compared += c.compared
        traces += 1
        if c.differences:
            differences[golden["trace"]] = c.differences
        for figure, rows in sorted(c.differences.items()) if show else ():
            for row in rows:
                print(f"{golden['trace']}\t{figure}\t{row}")

    failures = judge(differences, deviations_of(metrics))
    if bless:
        with open(counts, "w", encoding="utf-8") as text:
            text.write(counts_text(differences))
    with open(counts, encoding="utf-8") as text:
        known = text.read().splitlines()
    now = counts_text(differences).splitlines()
    failures += [f"rows that differ, now: {line}" for line in now if line not in known]
    failures += [f"rows that differed: {line}" for line in known if line not in now]
    for failure in failures[:80]:
        print(failure)
    print(f"{traces} traces, {compared} comparisons, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
