#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every trace at hand: the JSON report is the schema's, and the same bytes whatever the threads.

usage: every_trace.py TPROF_ANALYZE FOLDER...   folders with traces below them, of any name
"""
import json
import subprocess
import sys

from trace_files import folders_given, trace_files

# The keys of each table, in order, as the JSON report's schema fixes them; more may follow.
COLUMNS = {
    ("verdict", "verdict"): "device class share step_ns gain_ns text",
    ("verdict", "findings"): "rule class severity share gain_ns evidence advice",
    ("overview", "steps"): "step begin_ns wall_ns host_begin_ns host_wall_ns complete kernel_ns memcpy_ns "
                           "memset_ns communication_ns runtime_ns data_loader_ns cpu_exec_ns other_ns",
    ("overview", "step_statistics"): "count mean_ns median_ns p95_ns min_ns max_ns stdev_ns throughput_per_s outliers",
    ("overview", "devices"): "device name busy_ns kernel_ns utilization sm_efficiency occupancy "
                             "tensor_core_share memory_bytes sm_count",
    ("overview", "environment"): "key value",
    ("classes", "classes"): "step device wall_ns compute_ns communication_ns copy_ns idle_input_ns idle_sync_ns "
                            "idle_copy_ns idle_alloc_ns idle_launch_ns idle_host_ns idle_device_ns idle_unknown_ns",
    ("operators", "operators"): "name calls host_self_ns host_total_ns device_self_ns device_total_ns "
                                "tensor_core_eligible tensor_core_self_share tensor_core_total_share",
    ("operators", "operators_by_shape"): "name input_shapes calls host_self_ns host_total_ns device_self_ns "
                                         "device_total_ns tensor_core_eligible tensor_core_self_share "
                                         "tensor_core_total_share",
    ("operators", "operators_by_stack"): "name call_stack calls host_self_ns host_total_ns device_self_ns "
                                         "device_total_ns tensor_core_eligible tensor_core_self_share "
                                         "tensor_core_total_share",
    ("kernels", "kernels"): "name calls total_ns raw_total_ns mean_ns min_ns max_ns blocks_per_sm occupancy "
                            "tensor_cores launch_delay_mean_ns",
    ("kernels", "kernels_by_operator"): "name operator grid block registers shared_memory_bytes calls total_ns "
                                        "raw_total_ns mean_ns min_ns max_ns blocks_per_sm occupancy tensor_cores "
                                        "launch_delay_mean_ns",
    ("kernels", "launches"): "name calls host_mean_ns delay_mean_ns delay_median_ns delay_p95_ns short_kernels",
    ("annotations", "annotations"): "name calls total_ns self_ns mean_ns median_ns p95_ns min_ns max_ns "
                                    "slowest_begin_ns step_share device_ns",
    ("data_loader", "steps"): "step wall_ns wait_ns exposed_ns hidden_ns",
    ("data_loader", "summary"): "loader wait_share exposed_share step_without_exposed_ns workers_suggested assumption",
    ("info", "files"): "bytes inflated_bytes events torch_version begin_ns duration_ns",
    ("info", "categories"): "category role events total_ns",
    ("info", "processes"): "process thread name events",
    ("info", "health"): "code severity count byte text",
}
ONE_ROW = {("verdict", "verdict"), ("overview", "step_statistics"), ("data_loader", "summary")}
SHARES = ("share", "_efficiency", "utilization", "occupancy")
INPUT = "path run worker span rank world_size status bytes events notes"


def check_row(where, row, wanted):
    keys = list(row)
    positions = [keys.index(key) for key in wanted.split()]
    assert positions == sorted(positions), f"{where}: {keys}"
    for key, value in row.items():
        if key.endswith(("_ns", "_bytes", "calls", "count")):
            assert value is None or isinstance(value, int), f"{where}.{key}: {value}"
        if key.endswith(SHARES) and value is not None:
            assert 0 <= value <= 1, f"{where}.{key}: {value}"


def check_scope(views):
    assert list(views) == list(dict.fromkeys(view for view, _ in COLUMNS))
    for (view, name), wanted in COLUMNS.items():
        rows = views[view][name]
        assert (view, name) not in ONE_ROW or len(rows) == 1
        for row in rows:
            check_row(f"{view}.{name}", row, wanted)
    roles = COLUMNS["overview", "steps"].split()[6:]
    for step in views["overview"]["steps"]:
        assert sum(step[role] for role in roles) == step["wall_ns"], step
    classes = COLUMNS["classes", "classes"].split()[3:]
    for row in views["classes"]["classes"]:
        assert sum(row[key] for key in classes) == row["wall_ns"], row


def check_document(document):
    assert list(document)[:3] == ["schema_version", "tool", "inputs"] and document["schema_version"] == 1
    spans = {}
    for seen in document["inputs"]:
        assert list(seen) == INPUT.split()
        if seen["status"] in ("ok", "partial"):
            spans.setdefault((seen["run"], seen["worker"]), []).append(seen["span"])
    assert [l["path"] for l in document["logs"]] == \
        [i["path"] for i in document["inputs"] if i["status"] in ("ok", "partial")]
    assert [(w["run"], w["worker"], w["spans"]) for w in document["workers"]] == \
        [(*key, list(names)) for key, names in spans.items() if len(names) > 1]
    for log in document["logs"]:
        assert list(log) == "path run worker span rank base_time_ns views".split()
        check_scope(log["views"])
    for worker in document["workers"]:
        assert list(worker) == "run worker rank spans views".split()
        check_scope(worker["views"])


def main():
    tool, folders = sys.argv[1], folders_given()
    files = trace_files(folders)
    # Each for itself, folders as users have them, all at once.
    subjects = [[path] for path in files + folders] + [files]
    read = 0
    for paths in subjects:
        outputs = []
        for jobs in ("1", "2", "5"):
            done = subprocess.run([tool, "-q", "-f", "json", "--views", "all", "--jobs", jobs, *paths],
                                  capture_output=True, timeout=300)
            assert done.returncode in (0, 3, 4), f"{paths}: {done.returncode} {done.stderr.decode()}"
            outputs.append(done.stdout)
        assert outputs[0] == outputs[1] == outputs[2], f"{paths}: bytes depend on --jobs"
        document = json.loads(outputs[0], parse_constant=lambda word: 1 / 0)
        check_document(document)
        read += len(document["logs"])
        text = subprocess.run([tool, "-q", *paths], capture_output=True, timeout=300)
        assert text.returncode == done.returncode and b"\x1b" not in text.stdout
    print(f"{len(subjects)} subjects, {read} logs")
    assert read > 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
