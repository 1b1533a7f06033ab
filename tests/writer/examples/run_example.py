#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs an example and looks at the log that it wrote.

usage: run_example.py PROGRAM
"""
import collections
import glob
import gzip
import json
import os
import subprocess
import sys
import tempfile


def run(program, *args):
    done = subprocess.run([program, *args], capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, f"{program} {args}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def traces(folder):
    found = sorted(glob.glob(os.path.join(folder, "*.pt.trace.json*")))
    loaded = [json.load((gzip.open if name.endswith("gz") else open)(name, "rb")) for name in found]
    assert not glob.glob(os.path.join(folder, ".*")), "temporary files are left"
    return loaded


def ranges(trace, prefix):
    return [e for e in trace["traceEvents"] if e["ph"] == "X" and e["name"].startswith(prefix)]


def minimal(program, folder):
    run(program, folder)
    logs = traces(folder)
    assert len(logs) == 3
    for number, trace in enumerate(logs, 2):
        (step,) = ranges(trace, "ProfilerStep#")
        (work,) = ranges(trace, "work")
        assert step["name"] == f"ProfilerStep#{number}"
        assert step["ts"] <= work["ts"] and work["ts"] + work["dur"] <= step["ts"] + step["dur"]


def mean_wait_us(logs):
    waits = [e["dur"] for t in logs for e in ranges(t, "enumerate(DataLoader)#")]
    return sum(waits) / len(waits)


def check_training(trace):
    kinds = collections.Counter(e["ph"] + e.get("cat", "") for e in trace["traceEvents"])
    # Each step has a linear layer and its activation, three times less the last activation.
    steps = len(ranges(trace, "ProfilerStep#"))
    assert kinds["sfwdbwd"] == kinds["ffwdbwd"] == 5 * steps, kinds
    forward = {e["id"]: e["ts"] for e in trace["traceEvents"] if e["ph"] == "s"}
    backward = {e["id"]: e["ts"] for e in trace["traceEvents"] if e["ph"] == "f"}
    assert forward.keys() == backward.keys()
    assert all(forward[arrow] < backward[arrow] for arrow in forward)
    assert len(ranges(trace, "nn.Module: Linear_")) == 3 * steps
    addmm = ranges(trace, "aten::addmm")[1]["args"]
    assert addmm["Input Dims"] == [[1, 64], [128, 64], [64, 64]], addmm
    assert addmm["flops"] == 2 * 128 * 64 * 64
    memory = [e["args"] for e in trace["traceEvents"] if e["name"] == "[memory]"]
    assert memory and all(m["Total Allocated"] >= 0 for m in memory)
    assert sum(m["Bytes"] for m in memory) == 0, "what a step allocates it frees"
    assert trace["environment"]["batch_size"] == 128


def training_loop(program, folder):
    starved, fed, window = (os.path.join(folder, name) for name in ("starved", "fed", "window"))
    run(program, "--dir", starved, "--workers", "0", "--load-us", "40000")
    # A busy machine may starve it as well: one undisturbed run of three is enough.
    for attempt in range(3):
        run(program, "--dir", f"{fed}{attempt}", "--workers", "2", "--load-us", "100", "--plain")
    fed = min((f"{fed}{attempt}" for attempt in range(3)), key=lambda f: mean_wait_us(traces(f)))
    run(program, "--dir", window, "--workers", "1", "--per-window", "--stacks")
    logs = [traces(starved), traces(fed), traces(window)]
    assert [len(log) for log in logs] == [6, 6, 2]
    for trace in sum(logs, []):
        check_training(trace)
    assert mean_wait_us(logs[0]) > 40000, mean_wait_us(logs[0])
    assert mean_wait_us(logs[1]) < 20000, mean_wait_us(logs[1])
    assert "training_loop(0x" in ranges(logs[2][0], "aten::addmm")[0]["args"]["Call stack"]


def threads(program, folder):
    run(program, folder)
    (trace,) = traces(folder)
    names = {e["tid"]: e["args"]["name"] for e in trace["traceEvents"] if e["name"] == "thread_name"}
    for number in (0, 1):
        passes = ranges(trace, f"model{number} pass")
        assert len(passes) == 9, len(passes)
        assert all(f"(trainer {number})" in names[e["tid"]] for e in passes)
    assert len(ranges(trace, "help")) == 18
    assert sum(e["ph"] == "C" for e in trace["traceEvents"]) == 18


def ranks(program, folder):
    run(program, folder, "3")
    logs = traces(folder)
    assert [t["distributedInfo"]["rank"] for t in logs] == [0, 1, 2]
    waits = []
    for trace in logs:
        assert trace["distributedInfo"] == {"backend": "gloo", "rank": trace["distributedInfo"]["rank"],
                                            "world_size": 3}
        calls = ranges(trace, "gloo:all_reduce")
        assert len(calls) == 4 and calls[0]["args"]["Input Dims"] == [[1]]
        waits.append(sum(e["dur"] for e in calls))
    assert waits[2] < min(waits[:2]), "the slowest rank waits least"
    assert len({t["baseTimeNanoseconds"] for t in logs}) == 1


name = os.path.basename(sys.argv[1])
with tempfile.TemporaryDirectory() as scratch:
    globals()[name](sys.argv[1], scratch)
print(name, "wrote what it should")
