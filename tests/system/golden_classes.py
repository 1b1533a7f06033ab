#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Step windows and bottleneck classes of real traces against an independent implementation, to the ns.

usage: golden_classes.py TPROF_ANALYZE SHARED

SHARED holds traces/ and golden/classes/ with a JSON file for each trace. Every difference must stand
in DEVIATIONS, with its reason; one that stands there and does not appear fails too.
"""
import json
import pathlib
import subprocess
import sys

SKIPPED = 77

# trace (below traces/) -> reason why its numbers differ.
DEVIATIONS = {
    "hta/mtia_inference_trace/mtia_inference_rank_0.json.gz":
        "no device work: only operators are compute there, the reference counts runtime calls too",
    "hta/negative_queue_length_values_check/rank0.json.gz":
        "two operations end a gap together: the lowest stream is 7, the reference orders streams as "
        "text and takes 25",
}


def trace_of(shared, golden):
    """The trace file that a golden file is of, or None where it is not here."""
    name = shared / "traces" / golden.relative_to(shared / "golden" / "classes")
    for candidate in (name, name.with_name(name.name + ".gz")):
        if candidate.is_file():
            return candidate
    return None


def analyse(tool, trace):
    run = subprocess.run([tool, "report", "-f", "json", "--views", "overview,classes", trace],
                         capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1, 3):
        raise RuntimeError(f"exit status {run.returncode}: {run.stderr.strip()}")
    return json.loads(run.stdout)["logs"][0]["views"]


def compare(got, want):
    """What differs, a line each."""
    steps = got["overview"]["steps"]
    base = steps[0]["begin_ns"] if steps else 0
    lines = []
    ours = [{"step": s["step"], "offset_ns": s["begin_ns"] - base, "wall_ns": s["wall_ns"],
             "host_wall_ns": s["host_wall_ns"]} for s in steps]
    for what, mine, theirs in (("steps", ours, want["steps"]),
                               ("classes", got["classes"]["classes"], want["classes"])):
        if len(mine) != len(theirs):
            lines.append(f"{what}: {len(mine)} rows, not {len(theirs)}")
        for i, (m, t) in enumerate(zip(mine, theirs)):
            lines += [f"{what}[{i}].{k}: {m.get(k)}, not {t[k]}" for k in t if m.get(k) != t[k]]
    for row in got["classes"]["classes"]:
        parts = sum(v for k, v in row.items() if k.endswith("_ns") and k != "wall_ns")
        if parts != row["wall_ns"]:
            lines.append(f"step {row['step']} on {row['device']}: classes add up to {parts}, "
                         f"not {row['wall_ns']}")
    return lines


def main():
    tool, shared = sys.argv[1], pathlib.Path(sys.argv[2])
    goldens = sorted((shared / "golden" / "classes").rglob("*.json"))
    if not goldens:
        print(f"skipped: no golden classes below {shared}")
        return SKIPPED

    failed, compared = 0, 0
    for golden in goldens:
        trace = trace_of(shared, golden)
        if trace is None:
            continue
        name = str(trace.relative_to(shared / "traces"))
        with open(golden, encoding="utf-8") as f:
            lines = compare(analyse(tool, trace), json.load(f))
        compared += 1
        known = DEVIATIONS.get(name)
        if lines and known is None:
            failed += 1
            print(f"{name}: {len(lines)} differences", *lines[:12], sep="\n  ")
        elif lines:
            print(f"{name}: {len(lines)} known differences: {known}")
        elif known is not None:
            failed += 1
            print(f"{name}: does not differ any more; take it off the list")
    print(f"{compared} traces compared, {failed} wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
