#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Times reader and recorder against what bounds them: ratios, each measured side by side in one interleaved loop.

usage: bench.py --tool TPROF_ANALYZE --source TRACE --small-source TRACE [--fields SIMDJSON_FIELDS] [--records DUMP_RECORDS]
                [--writer BENCH_PROGRAM]... [--rounds 9] [--only A1,B5] [--large] [--seconds 30] [--record FILE] [--work FOLDER]
Prints one table, as Markdown; --record also writes it, with the date and the kind of machine. Each ratio is the median over
the rounds of (wall of ours / wall of the measure). Exit status 1 where a must is missed. docs/performance.md tells more.
"""
import argparse
import collections
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from bench_table import Table, caption
from bench_traces import Traces

MEGABYTES, SMALL_MEGABYTES, FILES = 500, 15, 64

Limit = collections.namedtuple("Limit", "key what must goal floor", defaults=(False,))
LIMITS = (
    Limit("A1", "whole default report of a .json.gz, 2 threads / igzip -dc", 2.2, 1.5),
    Limit("A1'", "the same / gzip -dc", 0.30, 0.20),
    Limit("A2", "the same, --jobs 1 / igzip -dc", 3.3, 2.3),
    Limit("A3", "whole report of a plain .json, 1 thread: MB/s / simdjson's", 3, 5, True),
    Limit("A3r", "reading alone of a plain .json, 1 thread: MB/s / simdjson's", None, None, True),
    Limit("A4", "plain .json, 2 threads / 1 thread", 0.65, 0.55),
    Limit("A8", "report of a 15 MB trace / start of Python with pandas", 1 / 15, 1 / 25),
    Limit("A9", "peak MB of A1 (must 32 MB + 48 B, goal 16 MB + 28 B an event)", None, None),
    Limit("A11", "time an event of a large trace / of a small one", 1.15, 1.05),
    Limit("A12", "64 files of 15 MB, 2 jobs / sum of their single runs", 0.6, 0.52),
)
# Musts of a build whose inflate is zlib's; no goals are set for it, and gzip's own is zlib's too.
ZLIB_MUSTS = {"A1": 3.5, "A1'": None, "A2": 5}
WRITER_ROWS = {"bench_record": ("B1", "B3", "B7"), "bench_encode": ("B5", "B6")}

Run = collections.namedtuple("Run", "wall cpu peak")


def run(command):
    """What a command takes whose output is thrown away: seconds of wall and CPU, peak bytes."""
    begin = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - begin
    if os.waitstatus_to_exitcode(status) not in (0, 3):
        sys.exit(f"failed ({status}): {' '.join(command)}")
    return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def sum_of_runs(commands):
    runs = [run(command) for command in commands]
    return Run(sum(r.wall for r in runs), sum(r.cpu for r in runs), max(r.peak for r in runs))


class Pairs:
    """Two things that take turns, after a first round that brings files and programs into memory."""

    def __init__(self, ours, measure, rounds):
        pairs = [(ours(), measure()) for _ in range(rounds + 1)][1:]
        self.ours, self.measure = zip(*pairs)

    def ratio(self):
        return statistics.median(a.wall / b.wall for a, b in zip(self.ours, self.measure))

    def detail(self):
        def told(choose, field):
            a, b = (choose(getattr(r, field) for r in side) for side in (self.ours, self.measure))
            return f"{a:.3g} s / {b:.3g} s"
        return (f"wall {told(statistics.median, 'wall')}, best {told(min, 'wall')}; "
                f"CPU {told(statistics.median, 'cpu')}, best {told(min, 'cpu')}")


class Rows:
    """A method a row; each returns (result or None, detail[, must, goal])."""

    def __init__(self, options, large, small):
        self.tool, self.options, self.large, self.small = options.tool, options, large, small

    def compare(self, ours, measure):
        if not shutil.which(measure[0]):
            return None, f"{measure[0]} is not installed"
        pairs = Pairs(lambda: run(ours), lambda: run(measure), self.options.rounds)
        return pairs.ratio(), pairs.detail()

    def against_simdjson(self, ours):
        if not self.options.fields or not ours[0]:
            return None, "simdjson was not found by the build" if ours[0] else "built without the tests"
        plain = self.large.plain(MEGABYTES)
        pairs = Pairs(lambda: run([self.options.fields, plain]), lambda: run([*ours, plain]), self.options.rounds)
        rates = [os.path.getsize(plain) / 1e6 / statistics.median(r.wall for r in side) for side in (pairs.measure, pairs.ours)]
        return pairs.ratio(), f"{rates[0]:.0f} MB/s / {rates[1]:.0f} MB/s"

    def a1(self):
        packed = self.large.zipped(MEGABYTES)
        return self.compare([self.tool, "--jobs", "2", packed], ["igzip", "-dc", packed])

    def a1_gzip(self):
        packed = self.large.zipped(MEGABYTES)
        return self.compare([self.tool, "--jobs", "2", packed], ["gzip", "-dc", packed])

    def a2(self):
        packed = self.large.zipped(MEGABYTES)
        return self.compare([self.tool, "--jobs", "1", packed], ["igzip", "-dc", packed])

    def a3(self):
        return self.against_simdjson([self.tool, "--jobs", "1"])

    def a3r(self):
        return self.against_simdjson([self.options.records, "-q"])

    def a4(self):
        plain = self.large.plain(MEGABYTES)
        return self.compare([self.tool, "--jobs", "2", plain], [self.tool, "--jobs", "1", plain])

    def a8(self):
        path = self.small.zipped(SMALL_MEGABYTES)
        probe = [sys.executable, "-c", "import pandas"]
        if subprocess.run(probe, stderr=subprocess.DEVNULL, check=False).returncode == 0:
            return self.compare([self.tool, path], probe)
        result, detail = self.compare([self.tool, path], [sys.executable, "-c", "import json"])
        return result / 10, detail + "; no pandas: 10 times what import json takes"

    def a9(self):
        packed, events = self.large.zipped(MEGABYTES), self.large.events(self.large.plain(MEGABYTES))
        peak = max(run([self.tool, "--jobs", "2", packed]).peak for _ in range(3))
        return (peak / 1e6, f"{events} events; beyond 32 MB {(peak - 32e6) / events:.1f} B, beyond 16 MB "
                f"{(peak - 16e6) / events:.1f} B an event", 32 + 48 * events / 1e6, 16 + 28 * events / 1e6)

    def a11(self):
        sizes = (4 * MEGABYTES, MEGABYTES // 10)
        if self.options.large:
            plain = self.large.plain(MEGABYTES)
            an_event = os.path.getsize(plain) / self.large.events(plain)
            sizes = [round(events * an_event / 1e6) for events in (20e6, 1e6)]
        paths = [self.large.streamed(size) for size in sizes]
        if None in paths:
            return None, "the disk is too full"
        counts = [self.large.events(path) for path in paths]
        pairs = Pairs(*(lambda path=path: run([self.tool, path]) for path in paths), self.options.rounds)
        times = [statistics.median(r.wall for r in side) / count * 1e9 for side, count in zip((pairs.ours, pairs.measure), counts)]
        return (pairs.ratio() * counts[1] / counts[0],
                f"{times[0]:.0f} ns at {counts[0] / 1e6:.1f} M events, {times[1]:.0f} ns at {counts[1] / 1e6:.2f} M")

    def a12(self):
        folder, paths = self.small.copies(SMALL_MEGABYTES, FILES)
        pairs = Pairs(lambda: run([self.tool, "--jobs", "2", folder]),
                      lambda: sum_of_runs([self.tool, "--jobs", "1", path] for path in paths), self.options.rounds)
        return pairs.ratio(), pairs.detail()


def reader_rows(table, options, inflate, traces):
    rows = Rows(options, *traces)
    for limit in LIMITS:
        if not table.wants(limit.key):
            continue
        if inflate == "zlib" and limit.key in ZLIB_MUSTS:
            limit = limit._replace(must=ZLIB_MUSTS[limit.key], goal=ZLIB_MUSTS[limit.key])
        result, detail, *limits = getattr(rows, limit.key.lower().replace("'", "_gzip"))()
        if limits:
            limit = limit._replace(must=limits[0], goal=limits[1])
        table.add(limit, result, detail)


def writer_rows(table, options):
    """Programs in C that print rows of their own."""
    for program in options.writer:
        if not table.wants(*WRITER_ROWS[os.path.basename(program)]):
            continue
        command = [program, "--seconds", str(options.seconds)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
            for row in child.stdout:
                table.take([cell.strip() for cell in row.strip().strip("|").split("|")])
        if child.returncode not in (0, 1):
            sys.exit(f"{program}: exit status {child.returncode}")


def inflate_of(tool):
    told = subprocess.run([tool, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return next(row.split(": ")[1] for row in told.splitlines() if row.startswith("inflate: "))


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    parser.add_argument("--source", required=True, help="replicated to 500 MB and more")
    parser.add_argument("--small-source", required=True, help="replicated to 15 MB")
    parser.add_argument("--fields", help="simdjson_fields")
    parser.add_argument("--records", help="dump_records")
    parser.add_argument("--writer", action="append", default=[], help="bench_record, bench_encode")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--only", help="ids of rows, with commas")
    parser.add_argument("--large", action="store_true", help="A11 with 20 M events against 1 M")
    parser.add_argument("--seconds", type=float, default=30, help="that B7 lasts; 0 leaves it out")
    parser.add_argument("--record", help="file that gets the table, too")
    parser.add_argument("--work", help="folder to keep the traces in")
    return parser.parse_args()


def main():
    options = parse()
    work = options.work or tempfile.mkdtemp(prefix="tprof-bench-")
    os.makedirs(work, exist_ok=True)
    inflate = inflate_of(options.tool)
    table = Table(set(options.only.split(",")) if options.only else None)
    told = caption(inflate, (options.source, options.small_source), options.rounds)
    print(told + "\n")
    try:
        table.begin()
        reader_rows(table, options, inflate, (Traces(options.source, "replica", work, options.tool),
                                              Traces(options.small_source, "small", work, options.tool)))
        writer_rows(table, options)
    finally:
        if not options.work:
            shutil.rmtree(work)
    if options.record:
        with open(options.record, "w", encoding="utf-8") as f:
            f.write("\n".join([told, "", *table.lines]) + "\n")
    return 1 if table.missed else 0


if __name__ == "__main__":
    sys.exit(main())
