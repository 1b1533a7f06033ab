#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Reads each strict-JSON trace with Python's json and with dump_records, and compares them.

usage: compare_with_python.py DUMP_RECORDS FOLDER
Counts, names, categories, ids and shapes must be the same text, times the same number of ns (through Decimal).
Exit status 77, with the reason, where the folder does not exist.
"""
import decimal
import gzip
import json
import pathlib
import subprocess
import sys

# The text before a field in the dump, and the key in the event or its args.
EVENT_TEXTS = (("name", "name"), ("cat", "cat"), ("pid", "pid"), ("tid", "tid"), ("id", "id"))
ARG_TEXTS = (("correlation", "correlation"), ("external", "External id"), ("device", "device"), ("stream", "stream"),
             ("stack", "Call stack"))
ARG_WHOLES = (("registers", "registers per thread"), ("bytes", "bytes"), ("sequence", "Sequence number"))


def load(path):
    data = path.read_bytes()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    try:
        root = json.loads(data, parse_float=decimal.Decimal)
    except ValueError:
        return None
    events = root.get("traceEvents") if isinstance(root, dict) else root
    if not isinstance(events, list):
        return None
    # Arrays of other things stand in the same folders.
    return events if any(isinstance(e, dict) and "ph" in e for e in events) else None


def nanoseconds(value):
    return int((decimal.Decimal(value) * 1000).to_integral_value(decimal.ROUND_HALF_EVEN))


def expected_fields(event):
    args = event.get("args")
    args = args if isinstance(args, dict) else {}
    for name, key in EVENT_TEXTS:
        if isinstance(event.get(key), (str, int)):
            yield f" {name}=<{event[key]}>"
    for name in ("ts", "dur"):
        if isinstance(event.get(name), (int, decimal.Decimal)):
            yield f" {name}={nanoseconds(event[name])}"
    for name, key in ARG_TEXTS:
        if isinstance(args.get(key), (str, int)):
            yield f" {name}=<{args[key]}>"
    for name, key in ARG_WHOLES:
        if isinstance(args.get(key), int):
            yield f" {name}={args[key]}"
    if "Input Dims" in args:
        yield f" shapes=<{json.dumps(args['Input Dims'], separators=(',', ':'))}>"
    if isinstance(args.get("blocks per SM"), (int, decimal.Decimal)):
        yield f" blocks_per_sm={float(args['blocks per SM']):.17g}"
    for name in ("grid", "block"):
        if isinstance(args.get(name), list) and len(args[name]) == 3:
            yield f" {name}={','.join(map(str, args[name]))}"


def compare(dump, path, events):
    output = subprocess.run([dump, path], capture_output=True, check=False).stdout.decode()
    records = [line for line in output.split("\n") if line.startswith("@")]
    notes = [line for line in output.split("\n") if line.startswith(("note", "error"))]
    events = [e for e in events if isinstance(e, dict) and len(e) > 1]
    if len(records) != len(events):
        return f"{len(records)} records, {len(events)} events"
    if notes and not notes[0].startswith("note array_root"):
        return f"strict JSON, but: {notes[0]}"
    for record, event in zip(records, events):
        for field in expected_fields(event):
            if field not in record:
                return f"expected{field} in {record}"
    return None


def main():
    dump, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    if not folder.is_dir():
        print(f"skipped: {folder} does not exist")
        return 77
    compared = failed = 0
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and ".json" in p.name):
        events = load(path)
        if events is None:
            continue
        problem = compare(dump, path, events)
        compared += 1
        if problem:
            failed += 1
            print(f"{path}: {problem}")
    print(f"{compared} traces compared, {failed} differ")
    return 1 if failed or not compared else 0


sys.exit(main())
