#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Reads each trace in every way that the reader has, and wants the same records, metadata and notes from all.

usage: compare_ways.py DUMP_RECORDS FOLDER...
The reference is the plain scanner: byte by byte, no learned gaps.
Exit status 77, with the reason, where no folder exists.
"""
import hashlib
import pathlib
import subprocess
import sys

WAYS = (["-p"], ["-s", "scalar"], ["-s", "sse2"], [], ["-b"], ["-w", "10007"], ["-b", "-w", "65536"], ["-b", "-a"],
        ["-b", "-a", "-w", "20011"])


def dump(tool, options, path):
    return hashlib.sha256(subprocess.run([tool, *options, path], capture_output=True, check=False).stdout).digest()


def main():
    tool, folders = sys.argv[1], [pathlib.Path(f) for f in sys.argv[2:]]
    paths = sorted(p for folder in folders if folder.is_dir() for p in folder.rglob("*")
                   if p.is_file() and ".json" in p.name and "key_averages" not in p.name)
    if not paths:
        print(f"skipped: no traces in {', '.join(map(str, folders))}")
        return 77
    failed = 0
    for path in paths:
        reference = dump(tool, ["-p", "-s", "scalar"], path)
        for way in WAYS:
            if dump(tool, way, path) != reference:
                failed += 1
                print(f"{path}: differs with {' '.join(way) or 'no option'}")
    print(f"{len(paths)} files in {len(WAYS)} ways, {failed} differ")
    return 1 if failed else 0


sys.exit(main())
