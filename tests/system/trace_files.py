# SPDX-License-Identifier: BSD-3-Clause
"""The traces that tests over folders of them read."""
import pathlib
import sys

LARGEST = 20 << 20  # of a file that a test reads several times


def folders_given():
    """The folders of the command line, behind the tool. Ends the program as skipped where one is missing."""
    folders = [pathlib.Path(folder) for folder in sys.argv[2:]]
    missing = [folder for folder in folders if not folder.is_dir()]
    if missing:
        print(f"skipped: {missing[0]} is not there")
        sys.exit(77)
    return folders


def trace_files(folders):
    """Each file below them that looks like a trace."""
    return [path for folder in folders for path in sorted(folder.rglob("*"))
            if path.suffix in (".json", ".gz") and path.stat().st_size < LARGEST]
