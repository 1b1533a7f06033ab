# SPDX-License-Identifier: BSD-3-Clause
"""The manual page of tprof-record has each option and variable that its help has.

check_manual.py TPROF_RECORD MANUAL
"""
import re
import subprocess
import sys

shown = subprocess.run([sys.argv[1], "--help"], capture_output=True, text=True, check=True).stdout
manual = open(sys.argv[2]).read().replace("\\-", "-")
missing = [word for word in re.findall(r"--[a-z-]+[a-z]|TPROF_[A-Z]+", shown) if word not in manual]
if missing:
    print("FAILED: the manual page lacks", ", ".join(missing))
    sys.exit(1)
