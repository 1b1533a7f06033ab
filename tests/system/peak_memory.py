#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Peak memory of the report is bounded by events, and what is many beside them costs little: threads of
one event each nothing more, distinct names their rows in the tables.

usage: peak_memory.py TPROF_ANALYZE
"""
import os
import pathlib
import subprocess
import sys
import tempfile

FIXED, EVENT, NAME = 32 << 20, 48, 450  # bytes

EVENT_LINE = '{"ph":"X","cat":"cpu_op","name":"%s","pid":1,"tid":%d,"ts":%d.000,"dur":5.000,"args":{"External id":%d}},\n'


def write(path, count, name, thread):
    with open(path, "w") as out:
        out.write('{"schemaVersion":1,"traceEvents":[\n')
        for i in range(count):
            out.write(EVENT_LINE % (name(i), thread(i), 1000 + i * 10, i + 1))
        out.write('{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":1,"tid":7,"ts":1000,"dur":%d}\n]}\n'
                  % (count * 10))


def peak(tool, path):
    """Bytes that the program held at most."""
    process = subprocess.Popen([tool, "--jobs", "1", path], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return used.ru_maxrss * 1024


def main():
    tool, failed = sys.argv[1], False
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "w.pt.trace.json"
        for what, count, name, thread, each in (
                ("threads of one event", 100_000, lambda i: "aten::op", lambda i: i, EVENT),
                ("distinct names", 200_000, lambda i: f"aten::some_rather_ordinary_name_{i}", lambda i: 7, EVENT + NAME)):
            write(path, count, name, thread)
            held, allowed = peak(tool, path), FIXED + each * (count + 1)
            print(f"{count} {what}: {held / 1e6:.1f} MB of {allowed / 1e6:.1f} MB")
            failed |= held > allowed
    return failed


if __name__ == "__main__":
    sys.exit(main())
