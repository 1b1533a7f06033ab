# SPDX-License-Identifier: BSD-3-Clause
"""The plugin opens a recording of device work, made on stand-ins for the driver and CUPTI, and shows
the numbers of its script: check_gpu.py has the script.

test_gpu.py BUILD TPROF_RECORD PROGRAM LIBCUPTI
"""
import os
import pathlib
import subprocess
import sys

import environment
import server

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "writer" / "gpu"))
import check_gpu  # noqa: E402

RUN, WORKER = "gpu", "worker0"


def record(tool, program, cupti, folder):
    env = {**os.environ, "LD_LIBRARY_PATH": os.path.dirname(cupti), "TPROF_CUPTI_PATH": cupti}
    subprocess.run(["rm", "-rf", folder], check=True)
    subprocess.run([tool, "-q", "-o", folder / RUN, "-w", WORKER, "-s", "step", "--schedule",
                    f"active={check_gpu.STEPS}", "--", program], check=True, env=env)


def check_overview(answer):
    steps = answer["steps"]
    names = [column["name"] for column in steps["columns"] if "name" in column]
    for row in steps["rows"]:
        values = dict(zip(names, [value for value in row if not isinstance(value, str)
                                  or not value.startswith("<div")]))
        check_gpu.expect((values["Kernel"], values["Memcpy"], values["Memset"]) == (750, 250, 0),
                         values)
    check_gpu.expect([row[0] for row in steps["rows"]] == ["0", "1", "2"], steps["rows"])
    shown = {d["title"]: d["value"] for d in answer["gpu_metrics"]["data"]}
    check_gpu.expect(shown["Name"] == "NVIDIA H100 80GB HBM3", shown)
    check_gpu.expect(shown["Compute Capability"] == "9.0", shown)
    check_gpu.expect(shown["Est. Achieved Occupancy"] == "5.07 %", shown)


def check_kernels(table):
    names = [column["name"] for column in table["data"]["columns"]]
    rows = {row[0]: dict(zip(names, row)) for row in table["data"]["rows"]}
    for name in {kernel[0] for kernel in check_gpu.KERNELS}:
        parts = [k for k in check_gpu.KERNELS if k[0] == name]
        total = sum(k[2] * k[3] for k in parts)
        row = rows[name]
        check_gpu.expect(row["Calls"] == check_gpu.STEPS * sum(k[2] for k in parts), row)
        check_gpu.expect(abs(row["Total Duration (us)"] - check_gpu.STEPS * total) < 0.01, row)
        occupancy = sum(k[6] * k[2] * k[3] for k in parts) / total
        check_gpu.expect(abs(row["Mean Est. Achieved Occupancy (%)"] - occupancy) < 0.006, row)


def main(build, tool, program, cupti):
    venv = environment.make(build)
    folder = pathlib.Path(build) / "gpu" / "logs"
    record(tool, program, cupti, folder)
    profile = {"run": RUN, "worker": WORKER, "span": "1"}
    with server.TensorBoard(venv, folder, folder.parent / "tensorboard.log") as board:
        board.wait_for_runs(server.traces_below(folder))
        check_overview(board.plugin("/overview", **profile))
        check_kernels(board.plugin("/kernel/table", group_by="Kernel", **profile))
        trace = board.plugin("/trace", **profile)
        check_gpu.check_all(trace, check_gpu.STEPS)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
