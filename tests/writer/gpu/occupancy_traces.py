# SPDX-License-Identifier: BSD-3-Clause
"""Checks the occupancy figures of every kernel in real traces.

occupancy_traces.py TEST_OCCUPANCY FOLDER
"""
import glob
import gzip
import json
import subprocess
import sys


def kernels(path):
    with gzip.open(path) if path.endswith(".gz") else open(path, "rb") as file:
        try:
            trace = json.load(file)
        except ValueError:
            return  # cut off or not JSON: some test data is so on purpose
    if not isinstance(trace, dict):
        return
    devices = {d["id"]: d for d in trace.get("deviceProperties", []) if "numSms" in d}
    for event in trace.get("traceEvents", []):
        args = event.get("args", {})
        if "est. achieved occupancy %" in args and args["device"] in devices:
            yield devices[args["device"]], args


def main(program, folder):
    rows = [k for path in sorted(glob.glob(folder + "/**/*.json*", recursive=True)) for k in kernels(path)]
    if not rows:
        print(f"skipped: no traces with kernels in {folder}")
        return 77
    text = "".join(
        "{} {} {} {} {} {} {}\n".format(
            d["computeMajor"], d["computeMinor"], d["numSms"], " ".join(map(str, a["grid"])),
            " ".join(map(str, a["block"])), a["registers per thread"], a["shared memory"])
        for d, a in rows)
    lines = subprocess.run([program, "filter"], input=text, capture_output=True, text=True,
                           check=True).stdout.splitlines()
    assert len(lines) == len(rows), (len(lines), len(rows))
    wrong = 0
    for (device, args), line in zip(rows, lines):
        blocks, warps, percent = line.split()
        if (abs(float(blocks) - args["blocks per SM"]) > 1e-6 * max(1, float(blocks))
                or abs(float(warps) - args["warps per SM"]) > 1e-6 * max(1, float(warps))
                or int(percent) != args["est. achieved occupancy %"]):
            wrong += 1
            if wrong < 10:
                print("ours", line, "theirs", device["name"], args)
    print(f"{len(rows) - wrong} of {len(rows)} kernels agree")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
