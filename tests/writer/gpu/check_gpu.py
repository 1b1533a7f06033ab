# SPDX-License-Identifier: BSD-3-Clause
"""The trace of gpu_program, recorded with the stand-ins of driver and CUPTI, against its script.

check_gpu.py TPROF_RECORD PROGRAM LIBCUPTI FOLDER CASE [TPROF_ANALYZE]
"""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", ".."))
from support.trace_check import events, expect, record  # noqa: E402

STEPS = 3
# What one step gives the devices: name, stream, how often, duration in us, grid, block, occupancy %.
KERNELS = [
    ("gemm(float*, float*, float*, int)", 7, 1, 400, [56, 2, 1], [384, 1, 1], 0),
    ("void nn::relu<float>(float*, int)", 7, 1, 100, [132, 2, 1], [128, 1, 1], 13),
    ("void nn::relu<float>(float*, int)", 13, 1, 100, [132, 2, 1], [256, 1, 1], 25),
    ("graph_kernel", 7, 3, 50, [10, 1, 1], [64, 1, 1], 0),
]
COPIES = [
    ("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 7, 200, 1 << 20),
    ("gpu_memcpy", "Memcpy DtoH (Device -> Pageable)", 7, 100, 4),
    ("gpu_memcpy", "Memcpy PtoP (Device -> Device)", 13, 100, 8192),
    ("gpu_memset", "Memset (Device)", 13, 100, 4096),
]
# Runtime and driver calls of a step, and whether an arrow starts there.
CALLS = [
    ("cuda_runtime", "cudaLaunchKernel", 2, True),
    ("cuda_driver", "cuLaunchKernel", 1, True),
    ("cuda_runtime", "cudaGraphLaunch", 1, True),
    ("cuda_runtime", "cudaMemcpyAsync", 2, True),
    ("cuda_runtime", "cudaMemcpyPeerAsync", 1, True),
    ("cuda_runtime", "cudaMemsetAsync", 1, True),
    ("cuda_runtime", "cudaEventRecord", 1, False),
    ("cuda_runtime", "cudaStreamWaitEvent", 1, True),
    ("cuda_runtime", "cudaEventSynchronize", 1, False),
    ("cuda_runtime", "cudaStreamSynchronize", 1, True),
    ("cuda_runtime", "cudaDeviceSynchronize", 1, True),
    ("cuda_runtime", "cudaGetDevice", 0, False),
]
# When each begins, in us after the first copy: the second stream waits for the event behind relu.
TIMELINE = {7: [0, 200, 600, 700, 750, 800, 850], 13: [700, 800, 900]}
WORK = ("kernel", "gpu_memcpy", "gpu_memset")


def close(a, b):
    return abs(a - b) < 0.0015


def check_work(trace, steps):
    for name, stream, count, duration, grid, block, occupancy in KERNELS:
        found = [e for e in events(trace, "kernel", name) if e["tid"] == stream]
        expect(len(found) == count * steps, name, len(found))
        for e in found:
            a = e["args"]
            expect(close(e["dur"], duration), name, e["dur"])
            expect(e["pid"] == a["device"] == 0 and a["stream"] == stream and a["context"] == 1, e)
            expect(a["grid"] == grid and a["block"] == block, e)
            expect(a["est. achieved occupancy %"] == occupancy, e)
            blocks = grid[0] * grid[1] / 132
            expect(abs(a["blocks per SM"] - blocks) < 1e-6 * blocks, e)
            expect(abs(a["warps per SM"] - blocks * block[0] / 32) < 1e-5 * blocks, e)
            expect(("graph node id" in a) == (name == "graph_kernel"), e)
            expect(a["queued"] == 0 and "registers per thread" in a and "shared memory" in a, e)
    for category, name, stream, duration, size in COPIES:
        found = events(trace, category, name)
        expect(len(found) == steps, name, len(found))
        for e in found:
            expect(close(e["dur"], duration) and e["tid"] == stream, e)
            expect(e["args"]["bytes"] == size, e)
            expect(abs(e["args"]["memory bandwidth (GB/s)"] - size / duration / 1000) < 1e-9, e)
    peer = events(trace, "gpu_memcpy", COPIES[2][1])
    for e in peer:
        expect((e["args"]["fromDevice"], e["args"]["toDevice"]) == (0, 1), e)


    for stream, offsets in TIMELINE.items():
        times = sorted(e["ts"] for c in WORK for e in events(trace, c) if e["tid"] == stream)
        firsts = sorted(e["ts"] for e in events(trace, "gpu_memcpy", COPIES[0][1]))
        wanted = [first + offset for first in firsts for offset in offsets]
        expect(len(times) == len(wanted) and all(map(close, times, wanted)), stream, times, wanted)


def check_calls(trace, steps):
    starts = {e["id"] for e in events(trace, "ac2g", phase="s")}
    ends = {e["id"] for e in events(trace, "ac2g", phase="f")}
    for category, name, count, starts_flow in CALLS:
        found = events(trace, category, name)
        expect(len(found) == count * steps, name, len(found))
        for e in found:
            expect((e["args"]["correlation"] in starts) == starts_flow, "arrow of", e)
    work = [e for c in WORK for e in events(trace, c)]
    for e in work:
        expect(e["args"]["correlation"] in starts & ends, "no arrow to", e)


def check_waits(trace, steps):
    kinds = [e["args"]["cuda_sync_kind"] for e in events(trace, "cuda_sync")]
    for kind in ("Event Sync", "Stream Wait Event", "Stream Sync", "Context Sync"):
        expect(kinds.count(kind) == steps, kind, kinds.count(kind))
    records = {e["args"]["correlation"] for e in events(trace, "cuda_runtime", "cudaEventRecord")}
    for e in events(trace, "cuda_sync"):
        if "Event" in e["args"]["cuda_sync_kind"]:
            expect(e["args"]["wait_on_stream"] == 7, e)
            expect(e["args"]["wait_on_cuda_event_record_corr_id"] in records, e)


def check_links(trace):
    """Each piece of work belongs to the range in which it was launched."""
    calls = {e["args"]["correlation"]: e for c in ("cuda_runtime", "cuda_driver")
             for e in events(trace, c)}
    ranges = {e["args"]["External id"]: e for e in events(trace, "user_annotation")}
    for e in [e for c in WORK for e in events(trace, c)]:
        call = calls[e["args"]["correlation"]]
        owner = ranges[e["args"]["External id"]]
        expect(owner["ts"] <= call["ts"] <= call["ts"] + call["dur"] <= owner["ts"] + owner["dur"],
               "not inside its range", e)
        expect(owner["tid"] == call["tid"], e)
        expect(e["ts"] >= call["ts"], "began before its launch", e, call)
        if e["name"].startswith("gemm"):
            expect(owner["name"] == "forward", owner)


def check_told(trace, said, *texts):
    """What was refused stands in the trace, and the program's user is told."""
    for text in texts:
        expect(text in trace.get("tprof_gpu_status", ""), text, trace.get("tprof_gpu_status"))
        expect(text in said, text, said)


def check_annotations(trace, steps):
    for name in ("forward", "step"):
        found = events(trace, "gpu_user_annotation", name)
        expect(len(found) >= steps, name, len(found))
    for e in events(trace, "gpu_user_annotation", "forward"):
        inside = [k for k in events(trace, "kernel") if k["tid"] == e["tid"]
                  and e["ts"] <= k["ts"] and k["ts"] + k["dur"] <= e["ts"] + e["dur"]]
        expect(len(inside) == 2, "work of forward", len(inside))


def check_all(trace, steps=STEPS):
    check_work(trace, steps)
    check_calls(trace, steps)
    check_waits(trace, steps)
    check_links(trace)
    check_annotations(trace, steps)
    devices = trace["deviceProperties"]
    expect(len(devices) == 2 and devices[0]["name"] == "NVIDIA H100 80GB HBM3", devices)
    expect(devices[1]["numSms"] == 132 and devices[1]["sharedMemPerBlockOptin"] == 232448, devices)
    expect(trace["cupti_version"] > 0 and trace["cuda_driver_version"] == 13000, trace.keys())
    expect("tprof_losses" not in trace, trace.get("tprof_losses"))
    expect("tprof_gpu_status" not in trace, trace.get("tprof_gpu_status"))


def check_overview(overview):
    """Stream 7 copies for 200 us, computes 500, replays the graph for 150 and copies for 100 more;
    stream 13 waits for the event at 700, then fills and copies for 100 each and computes for 100."""
    steps = overview["steps"]
    expect([s["step"] for s in steps] == ["0", "1", "2"], steps)
    for step in steps:
        expect((step["kernel_ns"], step["memcpy_ns"], step["memset_ns"]) == (750000, 250000, 0), step)
    (device,) = overview["devices"]
    expect(device["busy_ns"] == STEPS * 1000000 and device["kernel_ns"] == STEPS * 750000, device)
    expect(device["name"] == "NVIDIA H100 80GB HBM3" and device["sm_count"] == 132, device)
    # Weighted by time: 13 % of 100 us and 25 % of 100 us among 750 us of kernels.
    expect(abs(device["occupancy"] - (13 + 25) / 100 * 100 / 750) < 1e-6, device["occupancy"])
    expect(overview["step_statistics"][0]["count"] == STEPS, overview["step_statistics"])


def check_kernel_table(views, trace):
    table = {k["name"]: k for k in views["kernels"]}
    for name in {k[0] for k in KERNELS}:
        rows = [k for k in KERNELS if k[0] == name]
        expect(table[name]["calls"] == STEPS * sum(k[2] for k in rows), table[name])
        expect(table[name]["total_ns"] == STEPS * 1000 * sum(k[2] * k[3] for k in rows), table[name])
        mean = sum(k[6] * k[2] * k[3] for k in rows) / sum(k[2] * k[3] for k in rows) / 100
        expect(abs(table[name]["occupancy"] - mean) < 1e-6, table[name], mean)
    launches = {x["name"]: x for x in views["launches"]}
    for category, name, count, starts_flow in CALLS:
        works = "Launch" in name or "Memcpy" in name or "Memset" in name
        if count and works:
            expect(launches[name]["calls"] == count * STEPS, launches[name])
    for name in table:
        delays = launch_delays(trace, name)
        mean = sum(delays) / len(delays)
        expect(abs(table[name]["launch_delay_mean_ns"] - mean * 1000) < 10, table[name], mean)


def launch_delays(trace, name):
    """From the call to the kernel; a graph's launch counts once, to its first kernel."""
    calls = {e["args"]["correlation"]: e["ts"] for c in ("cuda_runtime", "cuda_driver")
             for e in events(trace, c)}
    first = {}
    for e in sorted(events(trace, "kernel"), key=lambda e: e["ts"]):
        first.setdefault(e["args"]["correlation"], e)
    return [e["ts"] - calls[c] for c, e in first.items() if e["name"] == name]


def owners_of_kernels(trace):
    """The range that each kernel names by its id; None where it names none."""
    names = {e["args"]["External id"]: e["name"] for e in events(trace, "user_annotation")}
    return {e["name"]: names[e["args"]["External id"]] if "External id" in e["args"] else None
            for e in events(trace, "kernel")}


class Cases:
    """Each runs the program with a script for the stand-ins."""

    def __init__(self, tool, program, cupti, folder):
        self.tool, self.program, self.folder = tool, program, folder
        self.env = {"LD_LIBRARY_PATH": os.path.dirname(cupti), "TPROF_CUPTI_PATH": cupti}

    def run(self, options=(), program=(), **script):
        env = {**self.env, **{f"FAKE_CUPTI_{k.upper()}": str(v) for k, v in script.items()}}
        return record(self.tool, self.folder, list(options), [self.program, *program], env)

    def whole_run(self):
        (trace,), said = self.run()
        check_all(trace)
        ranges = len(events(trace, "user_annotation"))
        of_gpu = sum(len(events(trace, c)) for c in (*WORK, "cuda_runtime", "cuda_driver",
                                                     "cuda_sync", "cuda_event", "overhead"))
        expect(f"1 trace, {ranges} events and {of_gpu} of the GPU in {self.folder}" in said, said,
               ranges, of_gpu)

    def versions(self):
        for version in (18, 28, 130001, 130500):
            (trace,), _ = self.run(version=version)
            check_all(trace)
            expect(trace["cupti_version"] == version, trace["cupti_version"])

    def steps(self):
        traces, _ = self.run(["-s", "step", "--plain"])
        expect(len(traces) == STEPS, len(traces))
        for number, trace in enumerate(traces):
            check_all(trace, 1)
            marks = [e for e in events(trace, "user_annotation")
                     if e["name"].startswith("ProfilerStep#")]
            expect([e["name"] for e in marks] == [f"ProfilerStep#{number}"], marks)

    def schedule(self):
        traces, _ = self.run(["-s", "step", "--schedule", "warmup=1,active=2"])
        expect(len(traces) == 1, len(traces))
        check_all(traces[0], 2)

    def small_buffers(self):
        (trace,), _ = self.run(records=3)
        check_all(trace)

    def from_another_thread_out_of_order(self):
        (trace,), _ = self.run(records=2, thread=1)
        check_all(trace)

    def late_correlation(self):
        (trace,), _ = self.run(late=1, records=5)
        check_all(trace)

    def another_clock(self):
        (trace,), _ = self.run(clock_ns=-3600 * 10**9)
        check_all(trace)
        expect(abs(trace["tprof_gpu_clock"]["offset_ns"] + 3600 * 10**9) < 10**6,
               trace["tprof_gpu_clock"])

    def drops(self):
        (trace,), said = self.run(drop=7)
        expect(trace["tprof_losses"]["dropped_gpu_records"] == 7, trace["tprof_losses"])
        expect("lost: 0 events, 7 device records" in said, said)

    def memory(self):
        for script in ({}, {"records": 1, "thread": 1}):
            self.memory_of(**script)

    def memory_of(self, **script):
        (trace,), _ = self.run(["-m"], **script)
        found = events(trace, "cpu_instant_event", "[memory]", "i")
        found.sort(key=lambda e: e["ts"])
        sizes = [e["args"]["Bytes"] for e in found]
        expect(sizes == [1 << 20, 1 << 10, -(1 << 10), -(1 << 20)], sizes)
        totals = [e["args"]["Total Allocated"] for e in found]
        expect(totals == [1 << 20, (1 << 20) + (1 << 10), 1 << 20, 0], totals)
        main = events(trace, "user_annotation", "step")[0]["tid"]
        expect(all(e["args"]["Device Type"] == 1 and e["tid"] == main for e in found), found)

    def refusals(self):
        """Any call may refuse: the ranges are there all the same, and the trace says which did."""
        fatal = {"cuptiGetVersion:999": "cuptiGetVersion: CUPTI_ERROR_UNKNOWN (999)",
                 "cuptiSubscribe:39": "another tool",
                 "cuptiActivityRegisterCallbacks:999": "cuptiActivityRegisterCallbacks(",
                 "cuptiActivityEnable:999": "cuptiActivityEnable(CONCURRENT_KERNEL): "
                                            "CUPTI_ERROR_UNKNOWN (999)",
                 "cuptiActivityEnable/10:35": "administrator"}
        for fail, text in fatal.items():
            (trace,), said = self.run(fail=fail)
            expect(len(events(trace, "user_annotation", "forward")) == STEPS, fail)
            expect(not events(trace, "kernel"), fail)
            expect(text in trace["tprof_gpu_status"], fail, trace["tprof_gpu_status"])
            expect(text in said, said)
            expect(trace["deviceProperties"] == [], fail)

    def partial_refusals(self):
        """Without one kind, or a lesser call, there is only less."""
        (trace,), _ = self.run(fail="cuptiActivityEnable/38:21,cuptiActivityEnable/36:21")
        check_work(trace, STEPS)
        check_calls(trace, STEPS)
        expect(not events(trace, "cuda_sync"), "waits")
        expect("SYNCHRONIZATION" in trace["tprof_gpu_status"], trace["tprof_gpu_status"])
        for fail in ("cuptiActivityPushExternalCorrelationId:999", "cuptiSetThreadIdType:999",
                     "cuptiActivityPopExternalCorrelationId:999", "cuptiGetTimestamp:999",
                     "cuptiActivityGetNumDroppedRecords:999", "cuptiActivityFlushPeriod:999",
                     "cuptiActivityEnableRuntimeApi:999", "cuptiActivityDisable:999",
                     "cuptiActivityEnableDriverApi:999", "cuptiUnsubscribe:999",
                     "cuptiActivityEnableCudaEventDeviceTimestamps:999", "cuptiSubscribe:999"):
            (trace,), said = self.run(fail=fail)
            check_work(trace, STEPS)
            check_calls(trace, STEPS)
            if fail != "cuptiUnsubscribe:999":  # nothing is recorded after that one
                check_told(trace, said, fail.split(":")[0], "CUPTI_ERROR_UNKNOWN (999)")
        (trace,), said = self.run(fail="cuptiGetCallbackName:1")
        check_work(trace, STEPS)
        check_told(trace, said, "cuptiGetCallbackName")
        calls = sum(count for *_, count, _ in CALLS) * STEPS
        expect(len(events(trace, None, "INVALID")) >= calls, "calls without a name")
        (trace,), said = self.run(["-m"], fail="cuptiActivityEnable/49:21")
        check_told(trace, said, "cuptiActivityEnable(MEMORY2): CUPTI_ERROR_INVALID_KIND")
        expect(not events(trace, None, "[memory]", "i"), "memory")
        (trace,), said = self.run(fail="cuptiSetThreadIdType:999,cuptiActivityEnable/38:21,"
                                       "cuptiActivityEnable/36:21")
        check_told(trace, said, "cuptiSetThreadIdType", "SYNCHRONIZATION", "CUDA_EVENT")
        (trace,), _ = self.run(fail="cuptiActivityFlushAll:999")
        expect("cuptiActivityFlushAll" in trace["tprof_gpu_status"], trace["tprof_gpu_status"])

    def own_waits(self):
        """What the profiler itself waits for is not the program's, with or without a mark."""
        for fail in ("cuptiActivityEnable/39:21", "cuptiActivityPushExternalCorrelationId:999",
                     "cuptiActivityPopExternalCorrelationId:999"):
            traces, _ = self.run(["-s", "step", "--schedule", "active=2"], fail=fail)
            for trace in traces:
                expect(not events(trace, "cuda_driver", "cuCtxSynchronize"), fail)
            check_waits(traces[0], 2)

    def analyzed(self):
        """What tprof-analyze prints are the script's numbers. The folder stays, for viewers."""
        (trace,), _ = self.run(["-s", "step", "--schedule", f"active={STEPS}"])
        done = subprocess.run([sys.argv[6], "report", "-f", "json", self.folder],
                              capture_output=True, text=True)
        expect(done.returncode == 0, done.stderr)
        (log,) = json.loads(done.stdout)["logs"]
        check_overview(log["views"]["overview"])
        check_kernel_table(log["views"]["kernels"], trace)

    def crossing_domains(self):
        """Ranges of two domains may end in any order; the innermost that is open counts."""
        (trace,), _ = self.run(program=["domains"])
        expect(owners_of_kernels(trace) == {"in_A": "A", "in_both": "B", "in_B": "B",
                                            "outside": None}, owners_of_kernels(trace))

    def refused_pops(self):
        """No range that has ended owns what comes later, and the trace says why it has no owner."""
        (trace,), _ = self.run(program=["domains"], fail="cuptiActivityPopExternalCorrelationId:999")
        expect(owners_of_kernels(trace) == {"in_A": "A", "in_both": "B", "in_B": None,
                                            "outside": None}, owners_of_kernels(trace))
        expect("cuptiActivityPopExternalCorrelationId" in trace["tprof_gpu_status"],
               trace["tprof_gpu_status"])

    def open_ranges(self):
        """Ranges that never end are counted, and nothing names them."""
        (trace,), _ = self.run(program=["exit"])
        expect(owners_of_kernels(trace) == {"in_A": None, "in_B": None}, owners_of_kernels(trace))
        expect(trace.get("tprof_losses") == {"cut_events": 3}, trace.get("tprof_losses"))

    def cpu_only(self):
        (trace,), _ = self.run(["--activities", "cpu"])
        expect(len(events(trace, "user_annotation", "forward")) == STEPS, "ranges")
        expect(not events(trace, "kernel"), "kernels")


if __name__ == "__main__":
    getattr(Cases(*sys.argv[1:5]), sys.argv[5])()
