# SPDX-License-Identifier: BSD-3-Clause
"""Runs a program under tprof-record and looks at the traces that come out."""
import glob
import gzip
import json
import os
import shutil
import subprocess
import sys


def load(path):
    with gzip.open(path) if path.endswith(".gz") else open(path, "rb") as file:
        return json.load(file)


def record(tool, folder, options, program, env=None, status=0):
    """Returns the traces in order of their names, and what tprof-record said."""
    shutil.rmtree(folder, ignore_errors=True)
    done = subprocess.run([tool, "-o", folder, *options, "--", *program], capture_output=True,
                          text=True, env={**os.environ, **(env or {})}, timeout=120)
    expect(done.returncode == status, f"status {done.returncode}, not {status}", done.stderr)
    traces = [load(path) for path in sorted(glob.glob(folder + "/*.pt.trace.json*"))]
    left = [path for path in glob.glob(folder + "/*") if not path.endswith((".json", ".json.gz"))]
    expect(not left, "files left over", left)
    return traces, done.stderr


def expect(condition, *what):
    if not condition:
        print("FAILED:", *what)
        sys.exit(1)


def events(trace, category=None, name=None, phase="X"):
    return [e for e in trace["traceEvents"] if e["ph"] == phase
            and (category is None or e.get("cat") == category)
            and (name is None or e["name"] == name)]


def skip(why):
    print("skipped:", why)
    sys.exit(77)
