#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The small inputs of the shared cases, with the numbers of their EXPECT.md.

usage: test_cases.py TPROF_ANALYZE SHARED [CASE]   without CASE: that each folder has a function here
"""
import pathlib
import re
import shutil
import sys
import tempfile

from tool import Tool

US = 1000


def figures(log):
    """All tables but what tells of the file itself and its clock."""
    views = {view: dict(tables) for view, tables in log.views.items() if view != "info"}
    views["overview"]["steps"] = [{k: v for k, v in row.items() if "begin" not in k and k != "span"}
                                  for row in views["overview"]["steps"]]
    views["annotations"] = [{k: v for k, v in row.items() if "slowest" not in k}
                            for row in views["annotations"]["annotations"]]
    return {view: {name: [{k: v for k, v in row.items() if k != "span"} for row in rows]
                   for name, rows in tables.items()} if isinstance(tables, dict) else tables
            for view, tables in views.items()}


def numbers(value, key=""):
    """(column, number) of everything below."""
    if isinstance(value, dict):
        for k, v in value.items():
            yield from numbers(v, k)
    elif isinstance(value, list):
        for v in value:
            yield from numbers(v, key)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield key, value


def check_plain(log):
    """The trace that several cases dress up: two kernels in a step of 1 ms."""
    assert log.total("kernels", "kernels", "calls") == 2
    assert log.total("kernels", "kernels", "total_ns") == 40 * US
    assert [s["wall_ns"] for s in log.steps()] == [1000 * US]


def case_01_win_backslash_names(tool, folder):
    report = tool.report(folder)
    for worker in ("good_2", "host_1"):
        log = report.log(worker)
        check_plain(log)
        assert log.rows("overview", "devices")[0]["busy_ns"] == 40 * US
        assert log.row("info", "categories", category="python_function")["events"] == 3
    note = [n for i in report.inputs if i["worker"] == "host_1" for n in i["notes"]]
    assert any(n["byte"] == 3755 and n["severity"] == "warning" for n in note), note
    assert "host_1.1750000000001.pt.trace.json: byte 3755" in report.err
    assert not any(i["notes"] for i in report.inputs if i["worker"] == "good_2")


def case_04_unicode_same_name(tool, folder):
    log = tool.report(folder).log("uni_1")
    kernels = log.kernels()
    assert kernels["前向_kernel"] == (2, 50 * US)
    assert kernels["emoji_🚀_k"] == (1, 7 * US)
    assert [v for k, v in kernels.items() if "\ufffd" in k] == [(1, 11 * US)]
    assert len(kernels) == 3 and sum(t for _, t in kernels.values()) == 68 * US
    assert log.row("annotations", "annotations", name='étape d\'entraînement, "n° 1"')["calls"] == 1
    assert "前向_kernel" in tool.run("--views", "kernels", folder).out


def case_05_truncated_json(tool, folder):
    report = tool.report(folder)
    for worker, kernels, even, odd in (("whole_4", 10, 5, 5), ("noclose_3", 10, 5, 5),
                                       ("cutstr_1", 7, 4, 3), ("cutcomma_2", 5, 3, 2)):
        log = report.log(worker)
        assert log.total("kernels", "kernels", "calls") == kernels
        assert log.total("kernels", "kernels", "total_ns") == kernels * 40 * US
        assert log.kernels()["k_even"][0] == even and log.kernels()["k_odd"][0] == odd
        seen = next(i for i in report.inputs if i["worker"] == worker)
        assert seen["status"] == ("ok" if worker == "whole_4" else "partial")
        path = pathlib.Path(seen["path"])
        strict = tool.run("--strict", path)
        if worker == "whole_4":
            assert strict.status == 0
            continue
        note = next(n for n in seen["notes"] if n["code"] == "truncated")
        assert note["severity"] == "error" and 0 < note["byte"] <= path.stat().st_size
        assert f"{path}: byte {note['byte']}" in report.err
        assert f"{seen['events']} events were read" in report.err
        assert strict.status == 4 and f"{path}: byte" in strict.err


def case_07_gzip_multi_member(tool, folder):
    report = tool.report(folder)
    want = figures(report.log("single_3"))
    for worker in ("multi_1", "padded_2", "single_3"):
        log = report.log(worker)
        check_plain(log)
        assert figures(log) == want
        roles = {r["role"]: r["events"] for r in log.rows("info", "categories")}
        assert (roles["operator"], roles["runtime"]) == (2, 2)
    assert all(i["status"] == "ok" for i in report.inputs)
    piped = (folder / "multi_1.1750000000001.pt.trace.json.gz").read_bytes()
    assert figures(tool.report("-", stdin=piped).logs[0]) == want


def case_08_wrong_extension(tool, folder):
    for path in folder.glob("*.json*"):
        check_plain(tool.report(path).logs[0])
    report = tool.report(folder)
    assert sorted(i["worker"] for i in report.inputs) == ["bom_3", "gzipped_1", "plain_2"]
    for log in report.logs:
        check_plain(log)
    assert "export.json: ignored" in report.err
    assert any(i["path"].endswith("export.json") for i in report.document["ignored"])


def case_09_same_stream_overlap(tool, folder):
    log = tool.report(folder).log("pdl_1")
    assert sorted(t for _, t in log.kernels().values()) == [40 * US, 80 * US, 100 * US]
    assert log.kernels()["secondary_pdl_kernel"] == (1, 80 * US)
    device = log.rows("overview", "devices")[0]
    assert device["busy_ns"] == 200 * US and device["utilization"] == 0.5
    assert [s["wall_ns"] for s in log.steps()] == [400 * US]


def case_11_zero_duration(tool, folder):
    log = tool.report(folder).log("zero_1")
    tiny, real = (log.row("kernels", "kernels", name=n) for n in ("tiny", "real"))
    assert (tiny["calls"], tiny["total_ns"], tiny["mean_ns"]) == (1, 0, 0)
    assert (real["calls"], real["total_ns"], real["mean_ns"]) == (2, 20 * US, 10 * US)
    device = log.rows("overview", "devices")[0]
    assert device["busy_ns"] == 20 * US and device["utilization"] == 0.1
    view = log.row("operators", "operators", name="aten::view")
    assert (view["calls"], view["host_total_ns"]) == (1, 0)
    assert next(r["events"] for r in log.rows("info", "categories") if r["role"] == "memset") == 1
    text = tool.run("--views", "all", folder).out
    assert not re.search(r"\b-?(nan|inf)\b", text)


def case_13_negative_and_missing_duration(tool, folder):
    report = tool.report(folder)
    log = report.log("neg_1")
    assert log.total("kernels", "kernels", "total_ns") == 40 * US
    assert log.kernels()["good"] == (2, 40 * US)
    device = log.rows("overview", "devices")[0]
    assert device["busy_ns"] == 40 * US and device["utilization"] == 0.08
    assert log.row("operators", "operators", name="aten::mm")["host_total_ns"] == 100 * US
    bad = [n for n in report.inputs[0]["notes"] if n["code"] in ("negative_duration", "missing_duration")]
    assert sum(n["count"] for n in bad) == 4 and len(bad) <= 2
    assert not [(k, n) for k, n in numbers(log.views) if n < 0 and "begin" not in k]


def case_14_ns_precision(tool, folder):
    report = tool.report(folder)
    assert figures(report.log("abs_1")) == figures(report.log("rel_2"))
    for log in report.logs:
        relu = log.row("kernels", "kernels", name="relu_200ns")
        assert (relu["calls"], relu["total_ns"]) == (3, 600)
        assert relu["min_ns"] == relu["mean_ns"] == relu["max_ns"] == 200
        assert log.kernels()["one_ns"] == (1, 1) and log.kernels()["gap_kernel"] == (1, 398)
        assert log.rows("overview", "devices")[0]["busy_ns"] == 999
        assert [s["wall_ns"] for s in log.steps()] == [10001]


def case_17_category_names_old_new(tool, folder):
    report = tool.report(folder)
    for log in report.logs:
        assert [s["wall_ns"] for s in log.steps()] == [300 * US]
        assert list(log.kernels().values()) == [(1, 60 * US)]
        step = log.steps()[0]
        assert (step["kernel_ns"], step["memcpy_ns"]) == (60 * US, 20 * US)
        device = log.rows("overview", "devices")[0]
        assert device["busy_ns"] == 80 * US and device["utilization"] == 0.2
        conv = log.row("operators", "operators", name="aten::conv2d")
        assert conv["device_self_ns"] == 85 * US
    old, new = (figures(report.log(w)) for w in ("old_1", "new_2"))
    for view in ("classes", "operators", "data_loader"):
        assert old[view] == new[view], view


def case_18_array_root(tool, folder):
    report = tool.report(folder)
    log = report.log("legacy_1")
    mul = log.row("operators", "operators", name="aten::mul")
    assert (mul["calls"], mul["host_total_ns"]) == (4, 210 * US)
    assert [(s["step"], s["wall_ns"]) for s in log.steps()] == [("all", 351 * US)]
    assert log.total("kernels", "kernels", "total_ns") == 12500


def case_19_gpu_annotation_double_count(tool, folder):
    log = tool.report(folder).log("ann_1")
    device = log.rows("overview", "devices")[0]
    assert device["busy_ns"] == 160 * US and device["utilization"] == 0.16
    assert sorted(t for _, t in log.kernels().values()) == [60 * US, 100 * US]
    row = log.rows("classes", "classes")[0]
    assert (row["wall_ns"], row["compute_ns"], row["communication_ns"]) == (1000 * US, 60 * US, 100 * US)
    forward = log.row("annotations", "annotations", name="forward")
    assert forward["device_ns"] == 160 * US


def case_21_cuda_graph_replay(tool, folder):
    log = tool.report(folder).log("graph_1")
    kernels = log.kernels()
    assert sum(c for c, _ in kernels.values()) == 7 and sum(t for _, t in kernels.values()) == 220 * US
    assert kernels["attn_fwd"] == (3, 150 * US)
    assert {n: t for n, (_, t) in kernels.items() if n in ("gemm_qkv", "gemm_out", "silu", "index_k")} == \
        {"gemm_qkv": 30 * US, "gemm_out": 25 * US, "silu": 5 * US, "index_k": 10 * US}
    device = log.rows("overview", "devices")[0]
    assert device["busy_ns"] == 220 * US and device["utilization"] == 0.22
    launch = log.row("kernels", "launches", name="cudaGraphLaunch")
    assert (launch["calls"], launch["delay_mean_ns"]) == (1, 50 * US)
    # The eager kernel is launched inside too: 10 + 210 us.
    assert log.row("annotations", "annotations", name="decode_step")["device_ns"] == 220 * US
    text = tool.run("--views", "operators", folder).out
    assert "210 us of device time came from graph replays" in text
    assert "no launch record" not in text


def case_23_driver_launch_triton(tool, folder):
    log = tool.report(folder).log("triton_1")
    assert log.total("kernels", "kernels", "calls") == 3
    assert log.total("kernels", "kernels", "total_ns") == 100 * US
    fused = log.row("operators", "operators", name="triton_poi_fused_add_cos_sin_0")
    assert (fused["calls"], fused["device_total_ns"]) == (2, 20 * US)
    assert sorted(r["launch_delay_mean_ns"] for r in log.rows("kernels", "kernels")) == [30 * US, 40 * US, 70 * US]
    region = next(r for r in log.rows("annotations", "annotations") if r["name"].startswith("## Call CompiledFxGraph"))
    assert region["device_ns"] == 100 * US
    assert "no launch record" not in tool.run("--views", "operators", folder).out


def case_24_nccl_names(tool, folder):
    report = tool.report(folder)
    comm = report.log("comm_1")
    row = comm.rows("classes", "classes")[0]
    assert row["communication_ns"] == 150 * US and row["compute_ns"] == 20 * US
    kernels = comm.kernels()
    assert sum(c for c, _ in kernels.values()) == 7
    assert sum(t for _, t in kernels.values()) == 170 * US
    assert report.log("nocomm_2").rows("classes", "classes")[0]["communication_ns"] == 0
    both = tool.run(folder)
    assert both.status == 0 and not re.search(r"\bnan\b", both.out) and "comm_1" in both.out and "nocomm_2" in both.out


def case_26_straggler_and_clock_skew(tool, folder):
    report = tool.report(folder)
    ranks = {l.entry["rank"]: l for l in report.logs}
    for rank, communication in ((0, 220 * US), (1, 120 * US)):
        assert ranks[rank].rows("classes", "classes")[0]["communication_ns"] == communication
        assert [s["wall_ns"] for s in ranks[rank].steps()] == [1000 * US]
    compute = {r: l.rows("classes", "classes")[0]["compute_ns"] for r, l in ranks.items()}
    assert compute == {0: 100 * US, 1: 240 * US}


def case_28_spans_and_file_names(tool, folder):
    report = tool.report(folder)
    assert len({i["run"] for i in report.inputs}) == 2
    assert len({(i["run"], i["worker"]) for i in report.inputs}) == 5
    assert len(report.inputs) == len(report.logs) == 7
    times = [(l.entry["worker"], l.total("kernels", "kernels", "total_ns") // US) for l in report.logs]
    assert [t for w, t in times if w == "node-1.cluster.local_123"] == [11, 12, 13]
    assert dict(times[-1:]) | {w: t for w, t in times if not w.startswith("node-1")} == {
        "worker0": 14, "1718116821592": 15, "dp0_pp0_tp1_dcp0_ep1_rank1": 16, "fit-training_step": 17}
    assert next(i["run"] for i in report.inputs if i["worker"] == "fit-training_step") == "sub run"
    (together,) = report.workers
    assert together.entry["spans"] == ["1700000000123", "1700000000456", "1700000000456789012"]
    assert together.total("kernels", "kernels", "total_ns") == 36 * US


def case_29_memory_negative(tool, folder):
    # Levels and lifetimes belong to a memory view, which the report does not have: what is read is
    # told, and no size or time turns negative.
    log = tool.report(folder).log("mem_1")
    memory = [r for r in log.rows("info", "categories") if r["role"] == "memory"]
    assert sum(r["events"] for r in memory) == 7
    assert not [(k, n) for k, n in numbers(log.views) if n < 0 and "begin" not in k]


def case_31_dataloader_and_device_tail(tool, folder):
    log = tool.report(folder).log("load_1")
    steps = log.steps()
    assert [s["step"] for s in steps] == ["10", "11", "12"]
    assert [s["host_wall_ns"] for s in steps] == [900 * US] * 3
    assert [s["wall_ns"] for s in steps][0] == 950 * US
    assert log.total("kernels", "kernels", "total_ns") == 1650 * US
    assert sum(s["kernel_ns"] for s in steps) == 1650 * US
    assert abs(log.rows("overview", "devices")[0]["utilization"] - 1650 / 2950) < 1e-12
    assert [s["wait_ns"] for s in log.rows("data_loader", "steps")] == [300 * US] * 3
    summary = log.rows("data_loader", "summary")[0]
    assert 0.30 <= summary["wait_share"] <= 0.334
    assert any(f["class"] == "input" for f in log.rows("verdict", "findings"))
    optimizer = next(r for r in log.rows("annotations", "annotations") if r["name"].startswith("Optimizer"))
    assert (optimizer["calls"], optimizer["mean_ns"]) == (3, 100 * US)


def case_33_no_steps_no_rank(tool, folder):
    report = tool.report(folder)
    log = report.log("infer_1")
    assert report.inputs[0]["rank"] is None and log.entry["rank"] is None
    assert log.total("kernels", "kernels", "total_ns") == 80 * US
    # The one step goes from the first operator to the last device work; the range around it, whose
    # 400 us EXPECT.md takes for the window, is no work of its own.
    assert [(s["step"], s["wall_ns"]) for s in log.steps()] == [("all", 310 * US)]
    device = log.rows("overview", "devices")[0]
    assert device["busy_ns"] == 80 * US and device["utilization"] == 80 / 310
    window = log.rows("annotations", "annotations")[0]
    assert (window["total_ns"], window["device_ns"]) == (400 * US, 80 * US)
    assert sorted(r["launch_delay_mean_ns"] for r in log.rows("kernels", "kernels")) == [80 * US, 90 * US]
    assert log.total("kernels", "launches", "calls") == 2
    assert "No steps are marked" in tool.run(folder).out


def case_34_gpu_only(tool, folder):
    log = tool.report(folder).log("gpuonly_1")
    assert log.kernels() == {"gemm": (2, 60 * US), "relu": (2, 20 * US)}
    device = log.rows("overview", "devices")[0]
    assert device["busy_ns"] == 80 * US and abs(device["utilization"] - 80 / 180) < 1e-12
    assert [s["wall_ns"] for s in log.steps()] == [180 * US]
    assert log.rows("operators", "operators") == []
    assert "device activity only" in tool.run("--views", "operators", folder).out


def case_35_cpu_only_gpu_missing(tool, folder):
    report = tool.report(folder)
    for log in report.logs:
        mm = log.row("operators", "operators", name="aten::mm")
        assert (mm["calls"], mm["host_total_ns"]) == (1, 100 * US)
        assert [s["wall_ns"] for s in log.steps()] == [500 * US]
        assert all(d["utilization"] is None for d in log.rows("overview", "devices"))
    texts = {w: tool.run("--worker", w, folder).out for w in ("nocuda_1", "launches_2", "cpumachine_3")}
    assert "3 launches, 0 kernels" in " ".join(texts["launches_2"].split())
    assert "no GPU activity recorded" in " ".join(texts["nocuda_1"].split())
    assert "GPU" not in texts["cpumachine_3"]
    told = tool.run("info", "--worker", "launches_2", folder).out
    assert told.count("The profiler noted:") == 2
    assert report.log("launches_2").rows("classes", "classes")[0]["idle_sync_ns"] == 250 * US


def case_37_several_gpus_one_process(tool, folder):
    report = tool.report(folder)
    two = report.log("two_1")
    for name, busy, kernels, share in (("0", 100, 100, 0.1), ("3", 340, 300, 0.3)):
        device = two.device(name)
        assert (device["busy_ns"], device["kernel_ns"]) == (busy * US, kernels * US)
        assert device["utilization"] == share
    assert two.kernels() == {"k": (2, 400 * US)}
    hip = report.log("hip_2")
    assert {d["device"]: d["busy_ns"] for d in hip.rows("overview", "devices")} == {"2": 25 * US, "9": 50 * US}


def case_38_odd_ids(tool, folder):
    log = tool.report(folder).log("ids_1")
    threads = {r["thread"] for r in log.rows("info", "processes")}
    assert {"139627874611776", "-1234567", "python-main"} <= threads
    for name, time in (("aten::mm", 10), ("aten::add", 20), ("aten::t", 40)):
        assert log.row("operators", "operators", name=name)["device_total_ns"] == time * US
    assert log.total("kernels", "kernels", "total_ns") == 70 * US
    assert "no launch record" not in tool.run("--views", "operators", folder).out


def case_39_sloppy_json(tool, folder):
    report = tool.report(folder)
    assert len(report.logs) == 4
    for log in report.logs:
        check_plain(log)
    skipped = report.log("empty_2").codes()["skipped_element"]
    assert skipped["count"] == 5
    for path in sorted(folder.glob("*.json")):
        strict = tool.run("--strict", path)
        assert strict.status == 0 or (strict.status == 4 and f"{path}: byte" in strict.err)


def case_40_late_keys_and_decoys(tool, folder):
    report = tool.report(folder)
    assert figures(report.log("late_1")) == figures(report.log("early_2"))
    for seen in report.inputs:
        assert (seen["rank"], seen["world_size"]) == (3, 8)
    for log in report.logs:
        check_plain(log)
        assert not [n for n in log.kernels() if "decoy" in n]
        assert log.entry["base_time_ns"] == "1750000000000000000"
        assert log.steps()[0]["begin_ns"] == 1000 * US


def case_41_empty_files(tool, folder):
    paths = sorted(folder.glob("*.pt.trace.json*"))
    assert len(paths) == 11
    for path in paths:
        alone = tool.run(path)
        assert alone.status == 4 and alone.out == ""
        assert sum(line.startswith(f"tprof-analyze: {path}: ") for line in alone.err.splitlines()) == 1, alone.err
    together = tool.report(folder, status=4)
    assert len(together.inputs) == 11 and together.logs == []
    assert all(i["status"] in ("unreadable", "not_a_trace") and i["notes"] for i in together.inputs)
    assert all(str(path) in together.err for path in paths)


def case_43_symlink_tree(tool, folder):
    with tempfile.TemporaryDirectory() as temporary:
        tree = pathlib.Path(temporary) / "tree"
        shutil.copytree(folder, tree, symlinks=True, copy_function=shutil.copyfile)
        (tree / "logdir").chmod(0o700)
        for path in (tree / "logdir").iterdir():
            if not path.is_symlink():  # a copy lost it, and the file holds its target
                target = path.read_text()
                path.unlink()
                path.symlink_to(target)
        report = tool.report(tree / "logdir")
    assert len(report.logs) == 2
    assert sorted((i["run"], i["worker"]) for i in report.inputs) == [("baseline", "worker0"), ("logdir", "direct")]
    for log in report.logs:
        assert log.total("kernels", "kernels", "total_ns") == 40 * US
    assert report.err.count("dangling") == 1


CASES = {name[5:].replace("_", "-"): function for name, function in list(globals().items())
         if name.startswith("case_")}


def main():
    tool, shared = Tool(sys.argv[1]), pathlib.Path(sys.argv[2])
    if not (shared / "cases").is_dir():
        print(f"skipped: {shared / 'cases'} is not there")
        return 77
    if len(sys.argv) > 3:
        CASES[sys.argv[3]](tool, shared / "cases" / sys.argv[3])
        return 0
    folders = {path.name for path in (shared / "cases").iterdir() if path.is_dir()}
    assert folders == set(CASES), folders ^ set(CASES)
    return 0


if __name__ == "__main__":
    sys.exit(main())
