# SPDX-License-Identifier: BSD-3-Clause
"""A CUDA program on a real GPU, recorded as it is: what its trace sums up to agrees with CUDA's own
events within 5 %, and tprof-analyze reads it. The log stays for viewers.

check_real.py TPROF_RECORD PROGRAM TPROF_ANALYZE FOLDER
"""
import glob
import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", ".."))
from support.trace_check import events, expect, load, skip  # noqa: E402


def near(what, seen, timed):
    print(f"{what}: {seen:.1f} us in the trace, {timed:.1f} us by events")
    expect(abs(seen - timed) <= 0.05 * timed, what)


def total(found):
    return sum(e["dur"] for e in found)


def main(tool, program, analyze, folder):
    shutil.rmtree(folder, ignore_errors=True)
    done = subprocess.run([tool, "-o", folder, "--", program], capture_output=True, text=True)
    if done.returncode == 77:
        skip(done.stderr.splitlines()[0])
    expect(done.returncode == 0, done.stderr)
    timed = json.loads(done.stdout)
    (path,) = glob.glob(folder + "/*.gz")
    trace = load(path)
    expect("tprof_gpu_status" not in trace, trace.get("tprof_gpu_status"))
    expect("tprof_losses" not in trace, trace.get("tprof_losses"))
    expect(trace["deviceProperties"], "devices")

    kernels = events(trace, "kernel", "spin")
    in_graph = [k for k in kernels if "graph node id" in k["args"]]
    launched = [k for k in kernels if "graph node id" not in k["args"]]
    streams = sorted({k["tid"] for k in launched})
    expect(len(streams) == 2, "streams", streams)
    expect(len(in_graph) == timed["nodes"], "nodes of the graph", len(in_graph))
    expect(len({k["args"]["correlation"] for k in in_graph}) == 1, "one launch of the graph")
    by_stream = [[k for k in launched if k["tid"] == s] for s in streams]
    by_stream[0] = by_stream[0][1:]  # the first launch was to bring everything in
    for number, found in enumerate(by_stream):
        expect(len(found) == timed["kernels"], len(found))
        near(f"stream {number}", total(found), timed[f"stream{number}_us"])
    near("graph", total(in_graph), timed["graph_us"])

    for direction, key in (("HtoD", "up_us"), ("DtoH", "down_us")):
        copies = [c for c in events(trace, "gpu_memcpy") if direction in c["name"]
                  and c["args"]["bytes"] == timed["bytes"]]
        expect(len(copies) == 1, direction, len(copies))
        near(direction, total(copies), timed[key])
    calls = {c["args"]["correlation"]: c for c in events(trace, "cuda_driver")}
    for e in kernels:
        expect(e["args"]["correlation"] in calls, "the launch of", e)
        expect(e["ts"] >= calls[e["args"]["correlation"]]["ts"] - 1, "began before its launch", e)
    expect(events(trace, "cuda_sync", "Context Sync"), "waits")
    subprocess.run([analyze, "report", "-f", "json", folder], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main(*sys.argv[1:])
