# SPDX-License-Identifier: BSD-3-Clause
"""The plugin's answers for one profile beside the report's tables, figure by figure."""
import collections
import math

ROLES = {"Kernel": "kernel_ns", "Memcpy": "memcpy_ns", "Memset": "memset_ns",
         "Communication": "communication_ns", "Runtime": "runtime_ns",
         "DataLoader": "data_loader_ns", "CPU Exec": "cpu_exec_ns", "Other": "other_ns"}
# In the order of the plugin's columns, behind name and calls.
MEMORY_COLUMNS = ("increase", "self increase", "allocations", "self allocations", "size", "self size")


class Comparison:
    """Differences between the plugin and the report for one profile, by figure."""

    def __init__(self, trace):
        starts = [float(e["ts"]) for e in trace.events if "ts" in e]
        # The plugin calculates in doubles of microseconds, which at these times are so far apart.
        self.grain = math.ulp(max(starts)) if starts else 0.0
        self.count = 0
        self.differences = collections.defaultdict(list)

    def equal(self, figure, key, theirs, ours):
        self.count += 1
        if theirs != ours:
            self.differences[figure].append("%s: TensorBoard %s, tprof-analyze %s" % (key, theirs, ours))

    def close(self, figure, key, theirs, ours, slack):
        self.count += 1
        if theirs is None or ours is None or abs(theirs - ours) > slack + 1e-9 * abs(theirs):
            self.differences[figure].append("%s: TensorBoard %s, tprof-analyze %s" % (key, theirs, ours))

    def keys(self, figure, theirs, ours):
        for key in sorted(theirs.keys() ^ ours.keys(), key=str):
            self.count += 1
            self.differences[figure].append("%s: only in %s" % (
                key, "TensorBoard" if key in theirs else "tprof-analyze"))
        return [key for key in theirs if key in ours]


def compare_overview(c, api, views):
    columns = [column.get("name") for column in api["steps"]["columns"]]
    steps = views["overview"]["steps"]
    c.equal("steps", "names", [row[0] for row in api["steps"]["rows"]],
            ["0" if step["step"] == "all" else step["step"] for step in steps])
    slack = 1e-3 + 1000 * c.grain
    for row, step in zip(api["steps"]["rows"], steps):
        for at, name in enumerate(columns):
            if name in ROLES:
                c.close("role " + name, "step " + row[0], row[at], step[ROLES[name]] / 1e3, slack)
        total = sum(row[at] for at, name in enumerate(columns) if name in ROLES)
        c.close("step total", "step " + row[0], total, step["wall_ns"] / 1e3, slack)
    average = api["performance"][0]
    mean = sum(step["wall_ns"] for step in steps) / len(steps) / 1e3
    c.close("step mean", "all steps", average["value"], mean, 0.5 + slack)
    for child in average["children"]:
        mean = sum(step[ROLES[child["name"]]] for step in steps) / len(steps) / 1e3
        c.close("role " + child["name"], "mean", child["value"], mean, 0.5 + slack)


def compare_operators(c, theirs, ours):
    for key in c.keys("operator rows", theirs, ours):
        row, mine = theirs[key], ours[key]
        slack = 0.5 + 1e-6 + 20 * row["calls"] * c.grain
        c.equal("operator calls", key, row["calls"], mine["calls"])
        for part in ("self", "total"):
            c.close("operator host " + part, key, row["host_%s_duration" % part],
                    mine["host_%s_ns" % part] / 1e3, slack)
            c.close("operator device " + part, key, row.get("device_%s_duration" % part, 0),
                    mine["device_%s_ns" % part] / 1e3, slack)
        c.equal("operator tensor eligible", key, row["tc_eligible"] == "Yes",
                mine["tensor_core_eligible"])


def compare_operator_tables(c, board, profile, views):
    table = board.plugin("/operation/table", group_by="Operation", **profile)["data"]
    compare_operators(c, {row["name"]: row for row in table},
                      {row["name"]: row for row in views["operators"]["operators"]})
    table = board.plugin("/operation/table", group_by="OperationAndInputShape", **profile)["data"]
    compare_operators(c, {(row["name"], row["input_shape"]): row for row in table},
                      {(row["name"], row["input_shapes"]): row
                       for row in views["operators"]["operators_by_shape"]})
    pies = board.plugin("/operation", group_by="Operation", **profile)
    ours = {row["name"]: row for row in views["operators"]["operators"]}
    # Where there is no operator the plugin answers null.
    for name, value in (pies["host_total_time"] or {"rows": []})["rows"]:
        if name in ours:
            c.close("operator host total", "pie: " + name, value, ours[name]["host_total_ns"] / 1e3,
                    1e-3 + 20 * ours[name]["calls"] * c.grain)


def compare_trace(c, board, profile, trace):
    shown = board.plugin("/trace", **profile)
    c.equal("trace", "events", len(shown["traceEvents"]), len(trace.events))
    c.equal("trace", "content", shown == trace.data, True)


def compare_memory(c, board, profile, trace):
    """The report has no table of memory, so these are the sums of the trace's own moments."""
    moments = sorted(trace.memory(), key=lambda e: float(e["ts"]))
    allocated = [e["args"]["Total Allocated"] / 2**20 for e in moments if e["args"]["Device Type"] == 0]
    curve = board.plugin("/memory_curve", **profile)["rows"]["CPU"]
    c.close("memory curve", "peak", max(row[1] for row in curve), max(allocated), 1e-9)
    c.close("memory curve", "end", curve[-1][1], allocated[-1], 1e-9)
    table = board.plugin("/memory", memory_metric="B", **profile)["rows"].get("CPU", [])
    theirs = {row[0]: dict(zip(MEMORY_COLUMNS, row[2:])) for row in table}
    ours = trace.memory_by_operator()
    for key in c.keys("memory rows", theirs, ours):
        for column in MEMORY_COLUMNS:
            c.close("memory " + column, key, theirs[key][column], ours[key][column], 0.005)


def _modules_below(rows, into):
    for row in rows:
        into[row["name"], row["id"]] = row
        _modules_below(row["children"], into)
    return into


def compare_modules(c, board, profile, trace):
    theirs = _modules_below(board.plugin("/module", **profile)["data"], {})
    ours = collections.defaultdict(list)
    for e in trace.modules():
        ours[e["name"].removeprefix("nn.Module: "), e["args"]["Python module id"]].append(e["dur"])
    for key in c.keys("module rows", theirs, ours):
        c.equal("module calls", key, theirs[key]["occurences"], len(ours[key]))
        c.close("module host total", key, theirs[key]["host_duration"], sum(ours[key]),
                1e-3 + 4 * len(ours[key]) * c.grain)


def compare(board, profile, entry, trace):
    """All views that the plugin has of the profile; returns the comparison and the views' names."""
    c, views = Comparison(trace), entry["views"]
    names = board.plugin("/views", run=profile["run"])
    compare_overview(c, board.plugin("/overview", **profile), views)
    compare_operator_tables(c, board, profile, views)
    compare_trace(c, board, profile, trace)
    if "Memory" in names:
        compare_memory(c, board, profile, trace)
    if "Module" in names:
        compare_modules(c, board, profile, trace)
    return c, names
