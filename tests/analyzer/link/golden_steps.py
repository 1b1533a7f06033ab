#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Holds the step windows of each reference trace against those of an independent implementation.

usage: golden_steps.py DUMP_STEPS SHARED      exit status 77: SHARED is not there
"""
import json, pathlib, subprocess, sys

dump, shared = sys.argv[1], pathlib.Path(sys.argv[2])
golden = shared / "golden" / "classes"
if not golden.is_dir():
    print(f"skipped: no reference figures at {golden}")
    sys.exit(77)

KEYS = ("step", "offset_ns", "wall_ns", "host_wall_ns")
compared = differing = 0
for path in sorted(p for p in golden.rglob("*.json")):
    relative = path.relative_to(golden)
    trace = next((t for t in (shared / "traces" / relative, shared / "traces" / f"{relative}.gz") if t.is_file()), None)
    if trace is None:
        print(f"no trace for {relative}")
        differing += 1
        continue
    run = subprocess.run([dump, trace], capture_output=True, text=True)
    ours = [json.loads(line) for line in run.stdout.splitlines()]
    compared += 1
    expected = json.loads(path.read_text())["steps"]
    if [[s[k] for k in KEYS] for s in ours] != [[s[k] for k in KEYS] for s in expected]:
        differing += 1
        print(f"{relative}: {run.stderr.strip()}\n  expected {expected}\n  got      {ours}")
print(f"{compared} traces compared, {differing} differ")
sys.exit(1 if differing or compared == 0 else 0)
