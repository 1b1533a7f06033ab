#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Reads a trace strictly and prints what a test asks for.

usage: check_trace.py TRACE     one line an event, in order of the file, then the other keys
Exits with 1 where the text is not RFC 8259 JSON in UTF-8, has a key twice, or misses a rule of the format.
"""
import gzip
import json
import sys


def once(pairs):
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys)), f"a key stands twice: {keys}"
    return dict(pairs)


def no_constant(word):
    raise AssertionError(f"{word} is not JSON")


ORDER = {
    "X": ["ph", "cat", "name", "pid", "tid", "ts", "dur", "args"],
    "i": ["ph", "cat", "s", "name", "pid", "tid", "ts", "args"],
    "M": ["ph", "name", "ts", "pid", "tid", "args"],
    "C": ["ph", "cat", "name", "pid", "tid", "ts", "args"],
    "s": ["ph", "id", "pid", "tid", "ts", "cat", "name"],
    "f": ["ph", "id", "pid", "tid", "ts", "cat", "name", "bp"],
}

HOST = ("cpu_op", "user_annotation")


def main(path):
    data = (gzip.open if path.endswith(".gz") else open)(path, "rb").read()
    text = data.decode("utf-8", "strict")
    # Times as their text, so that digits are seen as they stand.
    trace = json.loads(text, object_pairs_hook=once, parse_constant=no_constant, parse_float=str)
    keys = list(trace)
    assert keys[0] == "schemaVersion" and keys[1] == "deviceProperties" and keys[-1] == "traceName", keys
    assert keys[-3:-1] == ["baseTimeNanoseconds", "traceEvents"], keys
    assert trace["baseTimeNanoseconds"] % (7889238 * 10**9) == 0
    events = trace["traceEvents"]
    for event in events:
        allowed = ORDER[event["ph"]]
        assert list(event) == [key for key in allowed if key in event], event
        for key in ("ts", "dur"):
            if key in event:
                whole, digits = event[key].split(".")
                assert len(digits) == 3 and int(whole) >= 0, event
        args = dict(event.get("args", {}))
        args.pop("Ev Idx", None)
        if event.get("cat") in HOST:
            assert args.pop("External id") > 0, event
        print(event["ph"], event.get("cat", "-"), event["name"], event.get("bp", ""),
              json.dumps(args, ensure_ascii=False, separators=(",", ":")))
    indices = [e["args"]["Ev Idx"] for e in events if "Ev Idx" in e.get("args", {})]
    assert indices == sorted(set(indices)), "Ev Idx is not a running number"
    assert events[-1]["name"] == "Record Window End"
    for key in keys:
        if key not in ("traceEvents", "baseTimeNanoseconds", "trace_id", "host_name", "traceName"):
            print("key", key, json.dumps(trace[key], ensure_ascii=False, separators=(",", ":")))


main(sys.argv[1])
