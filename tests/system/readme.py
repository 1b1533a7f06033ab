#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a document shows as the program's output is what the program prints.

usage: readme.py [--bless] TPROF_ANALYZE DOCUMENT   commands run in the document's folder
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys

bless = sys.argv[1] == "--bless"
tool, document = os.path.abspath(sys.argv[-2]), pathlib.Path(sys.argv[-1])
environment = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR")}
found, wrong = 0, 0


def printed(match):
    global found, wrong
    done = subprocess.run([tool, *shlex.split(match[1])], cwd=document.parent, env=environment,
                          capture_output=True, text=True)
    found += 1
    if done.stdout != match[2]:
        wrong += 1
        print(f"{document}: tprof-analyze {match[1]} prints\n{done.stdout}{done.stderr}instead of\n{match[2]}")
    return f"```console\n$ tprof-analyze {match[1]}\n{done.stdout}```"


text = re.sub(r"^```console\n\$ tprof-analyze (.*)\n((?:.*\n)*?)```$", printed, document.read_text(), flags=re.M)
assert found, "no example found"
if bless:
    document.write_text(text)
sys.exit(wrong > 0 and not bless)
