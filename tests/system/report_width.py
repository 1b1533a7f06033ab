#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""No line of the text report is wider than the screen: 80 cells where that is not known.

usage: report_width.py TPROF_ANALYZE FOLDER...   folders with traces below them, of any name
"""
import os
import subprocess
import sys
import unicodedata

from trace_files import folders_given, trace_files

ARGUMENTS = ((), ("--views", "all"), ("--views", "all", "--by", "span"))


def cells(line):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def too_wide(tool, arguments, paths, columns):
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    if columns:
        environment["COLUMNS"] = str(columns)
    out = subprocess.run([tool, "-q", *arguments, *paths], env=environment, capture_output=True, timeout=300).stdout
    lines = out.decode().splitlines()
    return len(lines), [line for line in lines if cells(line) > (columns or 80) or line.endswith(" ")]


def main():
    tool, folders = sys.argv[1], folders_given()
    subjects = [[path] for path in trace_files(folders)] + [folders]
    read, wrong = 0, 0
    for paths in subjects:
        for arguments in ARGUMENTS if len(paths) > 1 or paths == folders else ARGUMENTS[:2]:
            for columns in (None, 70, 132):
                lines, wide = too_wide(tool, arguments, paths, columns)
                read += lines
                wrong += len(wide)
                for line in wide[:3]:
                    print(f"{paths[0]} {' '.join(arguments)} COLUMNS={columns}: {cells(line)} cells: {line!r}")
    print(f"{read} lines of {len(subjects)} subjects, {wrong} too wide or with blanks at their end")
    return wrong > 0 or read == 0


if __name__ == "__main__":
    sys.exit(main())
