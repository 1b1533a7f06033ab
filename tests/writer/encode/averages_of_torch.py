# SPDX-License-Identifier: BSD-3-Clause
"""Averages and their table against torch's own, on logs whose key_averages torch printed itself.

usage: averages_of_torch.py PROGRAM LOGS    LOGS: folder of such logs (traces/own)

The events of each trace are recorded anew with their times, and PROGRAM prints their averages.
Counts, memory and FLOPs must be equal, times to the nanosecond but for torch's sums in floating
point, and the table character by character but for the last digit of a number."""
import glob
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile

# Named differences: what torch does with events that this library does not record, or records
# otherwise. Logs whose rows they touch are left out of the comparison that they would fail.
FRAMES_COUNT = "self times leave out Python frames, which torch 2.15 nests with operators"
ASYNCHRONOUS = "gloo collectives are open across threads: torch gives them no self time"
WHOLE_US = "torch up to 2.3 writes whole microseconds, in which nesting is not exact"
LEFT_OUT = {"full_options": FRAMES_COUNT, "ddp_gloo": ASYNCHRONOUS, "torch2.4_ddp_gloo": ASYNCHRONOUS}
# torch compares moments of memory with ranges in floating-point microseconds since the epoch, which
# are a quarter of a microsecond apart: here a free beside the end of a range changes sides.
BLURRED = {"torch2.4_full_options": {"aten::div_", "aten::dropout"}}
NOT_EVENTS = {"[memory]", "[OutOfMemory]", "profiler::_record_function_enter",
              "profiler::_record_function_exit", "aten::is_leaf", "aten::output_nr", "aten::_version"}


def nanoseconds(us):
    whole, _, part = us.partition(".")
    return int(whole) * 1000 + int((part + "000")[:3])


def inputs_of(args):
    fields = []
    values = args.get("Concrete Inputs", [])
    for at, sizes in enumerate(args.get("Input Dims", [])):
        value = values[at] if at < len(values) else ""
        nested = any(isinstance(size, list) for size in sizes)
        tensor = not nested and (sizes or not value)
        fields += ["x".join(map(str, sizes)) if tensor and sizes else "-", value]
    return fields


def lines_of(trace):
    """The events in order of recording: on each thread by their ends, inner ones first."""
    rows = []
    for at, event in enumerate(trace["traceEvents"]):
        args, category = event.get("args", {}), event.get("cat")
        if event["name"] == "[memory]":
            begin = nanoseconds(event["ts"])
            rows.append((event["tid"], begin, begin, at, ["memory", event["name"], args["Bytes"]]))
        elif category in ("cpu_op", "user_annotation") and event["name"] not in NOT_EVENTS:
            begin = nanoseconds(event["ts"])
            end = begin + nanoseconds(event["dur"])
            fields = ["annotation", event["name"]] if category == "user_annotation" else \
                ["operator", event["name"], args.get("Sequence number", 0), *inputs_of(args)]
            rows.append((event["tid"], begin, end, at, fields))
    rows.sort(key=lambda row: (row[0], row[2], -row[1], -row[3]))
    return ["\t".join(map(str, [fields[0], tid, begin, end, *fields[1:]]))
            for tid, begin, end, _, fields in rows]


def same_number(ours, theirs):
    """The same text but for the last digit, which sums in floating point may turn."""
    number = re.compile(r"-?\d+(\.\d+)?")
    if number.sub("#", ours) != number.sub("#", theirs):
        return False
    pairs = zip(number.finditer(ours), number.finditer(theirs))
    return all(abs(float(a[0]) - float(b[0])) <= 1.01 * 10.0 ** -len((b[1] or ".")[1:])
               for a, b in pairs)


def cells(line):
    return re.split(r"\s{2,}", line.strip())


def compare_tables(ours, theirs, problems):
    """Rules and headings are equal; rows too, whose order torch's sums may turn where they tie."""
    ours, theirs = ours.splitlines(), theirs.splitlines()
    if ours[:3] != theirs[:3]:
        problems.append("headings differ:\n%s\n%s" % ("\n".join(ours[:3]), "\n".join(theirs[:3])))
    if len(ours) != len(theirs):
        problems.append("%d lines, torch has %d" % (len(ours), len(theirs)))
    for mine, other in zip(sorted(ours), sorted(theirs)):
        if len(mine) != len(other) or len(cells(mine)) != len(cells(other)) or \
                not all(map(same_number, cells(mine), cells(other))):
            problems.append("line differs:\n%s\n%s" % (mine, other))


def compare_rows(ours, theirs, with_flops, problems):
    rows = {}
    for line in ours.splitlines():
        name, shapes, *numbers = line.split("\t")
        rows.setdefault((name, shapes), []).append(list(map(int, numbers)))
    for row in theirs:
        key = row["key"], str(row["input_shapes"])
        if key not in rows or len(rows[key]) == 0:
            problems.append("no row %s" % (key,))
            continue
        count, self_ns, total_ns, self_bytes, total_bytes, flops = rows[key].pop(0)
        exact = (count, self_bytes, total_bytes, flops if with_flops else 0)
        wanted = (row["count"], row["self_cpu_memory_usage"], row["cpu_memory_usage"], row["flops"])
        if exact != wanted:
            problems.append("%s: count, bytes, FLOPs %s, torch has %s" % (key, exact, wanted))
        for mine, other in ((self_ns, row["self_cpu_time_total_us"]), (total_ns, row["cpu_time_total_us"])):
            if abs(mine - other * 1000) > 0.5:
                problems.append("%s: %d ns, torch has %.3f us" % (key, mine, other))
    extra = [key for key, left in rows.items() if left]
    if extra:
        problems.append("rows that torch has not: %s" % extra)


def check(program, trace_path, torch):
    opener = gzip.open if trace_path.endswith(".gz") else open
    with opener(trace_path, "rt") as file:
        trace = json.load(file, parse_float=str, parse_int=str)
    options = [word for key, word in (("profile_memory", "memory"), ("with_flops", "flops")) if key in trace]
    problems = []
    with tempfile.NamedTemporaryFile("w", suffix=".events") as events:
        events.write("\n".join(lines_of(trace)) + "\n")
        events.flush()
        table = subprocess.run([program, events.name, *options], capture_output=True, text=True, check=True)
        rows = subprocess.run([program, events.name, *options, "rows"], capture_output=True, text=True, check=True)
    compare_tables(table.stdout, torch["table"], problems)
    compare_rows(rows.stdout, torch["by_shape"], "flops" in options, problems)
    blurred = BLURRED.get(os.path.basename(os.path.dirname(trace_path)), set())
    return [text for text in problems if not any(name in text for name in blurred)]


def torch_says(folder):
    """{trace file: {"table": text, "by_shape": rows}}; some folders have one set a rank."""
    said = {}
    for path in glob.glob(os.path.join(folder, "*by_shape.json")):
        for entry in json.load(open(path)):
            said.setdefault(entry["file"], {})["by_shape"] = entry["rows"]
    for path in glob.glob(os.path.join(folder, "*key_averages.txt")):
        name = None
        for line in open(path):
            if re.fullmatch(r"\S+\.pt\.trace\.json(\.gz)?\n", line):
                name = line.strip()
                said.setdefault(name, {})["table"] = ""
            elif name:
                said[name]["table"] += line
    for parts in said.values():
        # Releases up to 2.4 wrote "b", "Kb", "Mb".
        table = re.sub(r"(?<=\d) ([KMG]?)b\b", r" \1B", parts["table"])
        parts["table"] = table.strip("\n") + "\n"
    return said


def main():
    program, logs = sys.argv[1:]
    if not os.path.isdir(logs):
        print("skipped: no folder %s" % logs)
        return 77
    failed = compared = 0
    for run in sorted(os.listdir(logs)):
        folder = os.path.join(logs, run)
        if not os.path.isdir(folder):
            continue
        reason = LEFT_OUT.get(run) or (WHOLE_US if run.startswith(("torch2.0", "torch2.3")) else None)
        if reason:
            print("%s: left out: %s" % (run, reason))
            continue
        for name, torch in sorted(torch_says(folder).items()):
            problems = check(program, os.path.join(folder, name), torch)
            compared += 1
            failed += bool(problems)
            print("%s/%s: %s" % (run, name, "%d problems" % len(problems) if problems else "equal"))
            for problem in problems[:6]:
                print("  " + problem.replace("\n", "\n    "))
    print("%d traces compared, %d differ" % (compared, failed))
    return 1 if failed or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
