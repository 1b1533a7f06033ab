#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Counts the instructions that the default report of fixed traces takes, and holds them against a budget.

usage: instructions.py [--bless] TPROF_ANALYZE COMPILER SAMPLE_LOGS BUDGET

Times are too noisy for a machine that others share; instructions are not. The traces are sample logs, unpacked so that no
library for inflate counts, and repeated so that reading and analysing outweigh what a run does once. Code differs by
compiler and by what the processor has, so each kind of build has lines of its own; one without is skipped.
"""
import argparse
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
SLACK = 0.05
HERE = pathlib.Path(__file__).resolve().parent
# Row -> (the log of it, how many MB to repeat it to).
TRACES = {
    "host": ("resnet_like_workers2", 3),
    "device": ("libtprof_balanced", 3),
}


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def vectors():
    """The widest vectors that valgrind and the program share."""
    try:
        flags = pathlib.Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace")
    except OSError:
        return "scalar"
    return "avx2" if re.search(r"\bavx2\b", flags) else "plain"


def count(tool, trace, out):
    run = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", tool, "--jobs", "1", trace],
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    if run.returncode != 0:
        sys.exit(f"{trace}: exit status {run.returncode}: {run.stderr.strip()}")
    return int(re.search(r"^(?:totals|summary): (\d+)", pathlib.Path(out).read_text(encoding="ascii"), re.M).group(1))


def measure(tool, samples):
    counts = {}
    with tempfile.TemporaryDirectory(prefix="tprof-instructions-") as work:
        for row, (log, megabytes) in TRACES.items():
            source = min((samples / log).glob("*.pt.trace.json.gz"))
            trace = os.path.join(work, row + ".pt.trace.json")
            subprocess.run([sys.executable, HERE / "make_trace.py", source, str(megabytes), trace], check=True)
            counts[row] = count(tool, trace, os.path.join(work, "callgrind.out"))
    return counts


def read_budget(path):
    lines = path.read_text(encoding="ascii").splitlines() if path.exists() else []
    rows = (line.split("\t") for line in lines if line and not line.startswith("#"))
    return {(build, row): int(instructions) for build, row, instructions in rows}


def write_budget(path, budget):
    head = "# build, trace, instructions; made by tests/bench/instructions.py --bless\n"
    rows = (f"{build}\t{row}\t{instructions}\n" for (build, row), instructions in sorted(budget.items()))
    path.write_text(head + "".join(rows), encoding="ascii")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bless", action="store_true")
    parser.add_argument("tool")
    parser.add_argument("compiler")
    parser.add_argument("samples", type=pathlib.Path)
    parser.add_argument("budget", type=pathlib.Path)
    options = parser.parse_args()

    if not shutil.which("valgrind"):
        skip("valgrind is not installed")
    build = f"{options.compiler} {platform.machine()} {vectors()}"
    budget = read_budget(options.budget)
    if not options.bless and not all((build, row) in budget for row in TRACES):
        skip(f"no budget for a build of this kind: {build}")

    failed = False
    for row, instructions in measure(options.tool, options.samples).items():
        allowed = budget.get((build, row))
        change = f"{instructions / allowed - 1:+.1%} of the budget's {allowed}" if allowed else "no budget yet"
        print(f"{row}: {instructions} instructions, {change}")
        if allowed and not options.bless:
            failed |= instructions > allowed * (1 + SLACK)
        budget[build, row] = instructions
    if options.bless:
        write_budget(options.budget, budget)
    if failed:
        sys.exit(f"more than {SLACK:.0%} above the budget; if that is what the change is worth, say --bless")


if __name__ == "__main__":
    main()
