# SPDX-License-Identifier: BSD-3-Clause
"""Programs with NVTX, recorded as they are: what their traces must hold.

check_nvtx.py TPROF_RECORD FOLDER CASE [PROGRAM...]
"""
import os
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", ".."))
from support.trace_check import events, expect, load, record, skip  # noqa: E402

STEPS = 3
NO_GPU = {"TPROF_ACTIVITIES": "cpu"}


def inside(inner, outer):
    return (inner["tid"] == outer["tid"] and outer["ts"] <= inner["ts"]
            and inner["ts"] + inner["dur"] <= outer["ts"] + outer["dur"] + 0.0005)


def ranges(trace, name, count=STEPS):
    found = events(trace, "user_annotation", name)
    expect(len(found) == count, f"{len(found)} ranges {name}, not {count}")
    return found


def marks(trace, name, count=STEPS):
    found = [e for e in events(trace, phase="i") if e["name"] == name]
    expect(len(found) == count, f"{len(found)} marks {name}, not {count}")
    return found


def check_c(trace, steps=STEPS):
    for step, forward, backward in zip(ranges(trace, "step", steps),
                                       ranges(trace, "forward", steps),
                                       ranges(trace, "backward", steps)):
        expect(inside(forward, step) and inside(backward, step), forward, backward, step)
        expect(3000 <= forward["dur"] < 2e6 and 2000 <= backward["dur"] < 2e6, "durations")
        expect(forward["args"]["category"] == "layers", forward)
        expect(backward["args"]["domain"] == "model", backward)
        expect(backward["args"]["payload"] == 0.5, backward)
    ranges(trace, "größe", steps)
    for e in marks(trace, 'loss "computed"', steps):
        expect(any(s["ts"] <= e["ts"] <= s["ts"] + s["dur"] for s in ranges(trace, "step", steps)), e)
    rows = {e["tid"] for e in ranges(trace, "prefetch", steps)}
    expect(rows.isdisjoint({e["tid"] for e in ranges(trace, "step", steps)}), "rows", rows)
    loads = ranges(trace, "load batch", steps)
    main = ranges(trace, "step", steps)[0]["tid"]
    names = {e["tid"]: e["args"]["name"] for e in events(trace, None, "thread_name", "M")}
    expect(steps < STEPS or "trainer" in names[main], names)
    for load in loads:
        expect(load["tid"] != main, "the loader's thread", load)
        expect("loader thread" in names[load["tid"]], names)


def c_whole_run(tool, folder, program):
    (trace,), said = record(tool, folder, [], program, NO_GPU, 7)
    check_c(trace)
    payloads = [e["args"]["payload"] for e in ranges(trace, "forward")]
    expect(payloads == [0, -1, -2], payloads)
    ranges(trace, "set up", 1)
    expect("1 trace, " in said and folder in said, said)
    expect(not [e for e in events(trace) if e["name"].startswith("ProfilerStep")], "no steps")


def c_steps(tool, folder, program):
    options = ["--step", "step", "--schedule=skip_first=1,active=2", "--files", "step", "--plain",
               "-w", "rank0"]
    traces, _ = record(tool, folder, options, program, NO_GPU, 7)
    expect(len(traces) == 2, len(traces))
    expect(all(name.startswith("rank0.") and name.endswith(".pt.trace.json")
               for name in os.listdir(folder)), os.listdir(folder))
    for number, trace in enumerate(traces, 1):
        check_c(trace, 1)
        (mark,) = [e for e in events(trace) if e["name"].startswith("ProfilerStep#")]
        expect(mark["name"] == f"ProfilerStep#{number}", mark)
        expect(inside(ranges(trace, "step", 1)[0], mark), mark)
        expect(not events(trace, "user_annotation", "set up"), "before the first step")
    # The last step ends with its range, not with the program 20 ms later.
    step, last = ranges(traces[1], "step", 1)[0], mark
    expect(last["ts"] + last["dur"] - step["ts"] - step["dur"] < 1000, last, step)


def c_domain_step(tool, folder, program):
    traces, _ = record(tool, folder, ["-s", "model:backward"], program, NO_GPU, 7)
    expect(len(traces) == STEPS, len(traces))
    traces, said = record(tool, folder, ["-s", "other:backward"], program, NO_GPU, 7)
    expect(not traces and "no trace was written" in said, said)


def c_refused_settings(tool, folder, program):
    _, said = record(tool, folder, ["--delay", "1", "-s", "step"], program, NO_GPU, 2)
    expect("TPROF_DELAY=1: expected either steps or times" in said, said)
    _, said = record(tool, folder, ["--duration", "1e300"], program, NO_GPU, 2)
    expect("TPROF_DURATION=1e300: expected a number of seconds, at most 1000000000" in said, said)
    _, said = record(tool, folder, ["--bogus"], program, NO_GPU, 2)
    expect("unknown option --bogus" in said, said)


def c_unwritable(tool, folder, program):
    _, said = record(tool, folder, ["-o", "/proc/no/such"], program, NO_GPU, 7)
    expect("no trace was written" in said and "/proc/no/such" in said, said)


def by_time(tool, folder, program):
    """Recording begins late and ends early, in a program that makes a range each 10 ms."""
    began = time.time()
    (trace,), _ = record(tool, folder, ["--delay", "0.3", "-t", "0.4"], program, NO_GPU)
    expect(time.time() - began > 1, "the program runs on")
    found = events(trace, "user_annotation", "tick")
    length = max(e["ts"] for e in found) - min(e["ts"] for e in found)
    expect(0.1e6 < length < 0.41e6, f"{len(found)} ticks over {length} us")


def many_open(tool, folder, program):
    """Ranges that there is no room for are counted, in the trace and in what is told."""
    for given, kept in ((1000, 3000), (1000, 3000)), ((5000, 17000), (4096, 16384)):
        (trace,), said = record(tool, folder, [], [*program, *map(str, given)], NO_GPU)
        ranges(trace, "nested", kept[0])
        ranges(trace, "crossing", kept[1])
        lost = sum(given) - sum(kept) + (3 if given[0] > kept[0] else 0)  # steps within are lost
        expect(trace.get("tprof_losses", {}).get("dropped_events", 0) == lost, lost, said)
        expect((f"lost: {lost} events" in said) == (lost > 0), lost, said)
    # Steps that are too deep to be kept are windows all the same.
    traces, _ = record(tool, folder, ["-s", "step"], [*program, "5000", "0"], NO_GPU)
    expect(len(traces) == 6, len(traces))


def forked_children(tool, folder, program):
    """A child of fork() has NVTX's functions, whatever the parent's threads held, and no trace."""
    few_events = ["-t", "0.02"], ["--step", "step", "--schedule", "skip_first=1000000000,active=1"]
    for options, count in zip(few_events, (1, 0)):
        traces, said = record(tool, folder, options, program, NO_GPU)
        expect(len(traces) == count, len(traces), said)


def long_times(tool, folder, program):
    """The program's end is not waited for longer than it takes to write."""
    (trace,), _ = record(tool, folder, ["-t", "1000000000"], program, NO_GPU)
    ranges(trace, "tick", 120)
    traces, _ = record(tool, folder, ["--delay", "1e9"], program, NO_GPU)
    expect(not traces, "nothing was to be recorded")


def no_nvtx(tool, folder, program):
    traces, said = record(tool, folder, [], program, NO_GPU)
    expect(not traces and "neither CUDA nor NVTX" in said, said)
    _, said = record(tool, folder, [], ["/no/such/program"], NO_GPU, 127)
    expect("cannot run /no/such/program" in said, said)


def without_gpu(tool, folder, program):
    """Where there is no driver the ranges are recorded and the trace says what refused."""
    (trace,), said = record(tool, folder, [], program, None, 7)
    check_c(trace)
    if "tprof_gpu_status" not in trace:
        skip("this machine has a GPU")
    expect("cupti" in trace["tprof_gpu_status"].lower(), trace["tprof_gpu_status"])
    expect(trace["tprof_gpu_status"] in said, said)


def own_profiler(tool, folder, program):
    """program: the program, and the libtprof.so that it uses"""
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
    path = folder + "/own.json"
    subprocess.run([program[0], path], check=True,
                   env={**os.environ, "NVTX_INJECTION64_PATH": program[1]})
    trace = load(path)
    for step, forward in zip(ranges(trace, "step"), events(trace, "cpu_op", "forward")):
        expect(inside(forward, step), forward, step)
    marks(trace, "loss computed")
    ranges(trace, "before the window", 0)


def cpp(tool, folder, program):
    (trace,), _ = record(tool, folder, [], program, NO_GPU)
    for number, (step, forward) in enumerate(zip(ranges(trace, "step"), ranges(trace, "forward"))):
        expect(inside(forward, step), forward)
        expect(forward["args"]["domain"] == "model", forward)
        expect(forward["args"]["category"] == "layers", forward)
        expect(forward["args"]["payload"] == number, forward)
    for started, step in zip(ranges(trace, "started"), ranges(trace, "step")):
        expect(inside(started, step), started, step)
    for e in marks(trace, "loss computed"):
        expect(e["args"]["domain"] == "model", e)


def python_nvtx(tool, folder, program):
    (trace,), _ = record(tool, folder, [], program, NO_GPU)
    for step, forward in zip(ranges(trace, "step"), ranges(trace, "forward")):
        expect(inside(forward, step), forward)
        expect(forward["args"]["domain"] == "model", forward)
        expect(forward["args"]["category"] == "layers", forward)
        expect(forward["args"]["payload"] == 5, forward)
    ranges(trace, "started")
    marks(trace, "loss computed")
    traces, _ = record(tool, folder, ["-s", "step"], program, NO_GPU)
    expect(len(traces) == STEPS, "a file a step", len(traces))


def python_torch(tool, folder, program):
    (trace,), _ = record(tool, folder, [], program, NO_GPU)
    for step, forward in zip(ranges(trace, "step"), ranges(trace, "forward")):
        expect(inside(forward, step), forward)
    marks(trace, "loss computed")


if __name__ == "__main__":
    globals()[sys.argv[3]](sys.argv[1], sys.argv[2], sys.argv[4:])
