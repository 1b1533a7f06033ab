#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Times tprof-analyze against what bounds it, as ratios measured side by side in one interleaved loop.

usage: bench_analyze.py --tool TPROF_ANALYZE [--fields SIMDJSON_FIELDS] [--source TRACE] [--megabytes 500]
                        [--rounds 9] [--only A1,A3] [--flat] [--work FOLDER]
Each row: the median over the rounds of (wall of the tool / wall of the measure), beside goal and must.
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def run(command):
    """(wall seconds, peak bytes) of a command whose output is thrown away."""
    begin = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - begin
    if os.waitstatus_to_exitcode(status) not in (0, 3):
        sys.exit(f'failed ({status}): {" ".join(command)}')
    return wall, usage.ru_maxrss * 1024


def ratio(ours, measure, rounds):
    """Median of per-round ratios of two commands that take turns, and the median walls."""
    pairs = []
    for _ in range(rounds):
        a = run(ours)[0]
        pairs.append((a, run(measure)[0]))
    return (statistics.median(a / b for a, b in pairs), statistics.median(a for a, _ in pairs),
            statistics.median(b for _, b in pairs))


class Traces:
    """Replicas of one source, made once each."""

    def __init__(self, source, work):
        self.source, self.work = source, work

    def plain(self, megabytes):
        path = os.path.join(self.work, f'replica{megabytes}.pt.trace.json')
        if not os.path.exists(path):
            subprocess.check_call([sys.executable, os.path.join(HERE, 'make_trace.py'), self.source,
                                   str(megabytes), path])
        return path

    def zipped(self, megabytes):
        """Packed at level 9, as torch's handler packs."""
        path = self.plain(megabytes) + '.gz'
        if not os.path.exists(path):
            with open(self.plain(megabytes), 'rb') as f, open(path, 'wb') as out:
                subprocess.check_call(['gzip', '-9', '-n', '-c'], stdin=f, stdout=out)
        return path

    def events(self, megabytes):
        with open(self.plain(megabytes), 'rb') as f:
            return sum(block.count(b'"ph"') for block in iter(lambda: f.read(1 << 24), b''))


def rows(options, traces):
    tool, size, n = options.tool, options.megabytes, options.rounds
    wanted = set(options.only.split(',')) if options.only else None

    def row(key, what, goal, must, measure):
        if wanted is None or key in wanted:
            result, detail = measure()
            if result is None:
                print(f'{key:4} {what:58} skipped: {detail}', flush=True)
                return
            better = result >= must if must_is_floor(key) else result <= must
            print(f'{key:4} {what:58} goal {goal:<7.4g} must {must:<7.4g} {result:8.3f}  '
                  f'{"ok" if better else "MISSED"}  {detail}', flush=True)

    def against(measure, path, *extra):
        def go():
            if not shutil.which(measure[0]):
                return None, f'{measure[0]} is not installed'
            r, a, b = ratio([tool, *extra, path], measure, n)
            return r, f'{a:.3f} s / {b:.3f} s'
        return go

    print(f'source {os.path.basename(traces.source)}, {size} MB, {n} rounds', flush=True)
    packed, plain = traces.zipped(size), traces.plain(size)
    row('A1', 'default report of a .json.gz, 2 threads / igzip -dc', 1.5, 2.2,
        against(['igzip', '-dc', packed], packed, '--jobs', '2'))
    row("A1'", 'the same / gzip -dc', 0.20, 0.30, against(['gzip', '-dc', packed], packed, '--jobs', '2'))
    row('A2', 'the same, --jobs 1 / igzip -dc', 2.3, 3.3,
        against(['igzip', '-dc', packed], packed, '--jobs', '1'))

    def simdjson():
        if not options.fields:
            return None, 'built without simdjson'
        r, a, b = ratio([options.fields, plain], [tool, '--jobs', '1', plain], n)
        megabytes = os.path.getsize(plain) / 1e6
        return r, f'{megabytes / b:.0f} MB/s, simdjson {megabytes / a:.0f} MB/s'
    row('A3', 'plain .json, one thread: MB/s / simdjson on-demand', 5, 3, simdjson)
    row('A4', 'plain .json, two threads / one thread', 0.55, 0.65,
        against([tool, '--jobs', '1', plain], plain, '--jobs', '2'))

    def small():
        path = traces.zipped(15)
        probe = [sys.executable, '-c', 'import pandas']
        if subprocess.run(probe, stderr=subprocess.DEVNULL).returncode:
            probe = [sys.executable, '-c', 'import json']
            r, a, b = ratio([tool, path], probe, n)
            return r / 10, f'{a * 1e3:.1f} ms / 10 x {b * 1e3:.1f} ms (import json)'
        r, a, b = ratio([tool, path], probe, n)
        return r, f'{a * 1e3:.1f} ms / {b * 1e3:.0f} ms (import pandas)'
    row('A8', 'a 15 MB trace / python3 import pandas', 1 / 25, 1 / 15, small)

    def memory():
        peak, events = max(run([tool, '--jobs', '2', packed])[1] for _ in range(3)), traces.events(size)
        bound = 32e6 + 48 * events
        return peak / bound, f'{peak / 1e6:.0f} MB, {events} events, ({peak / 1e6:.0f} MB - 32 MB) / events = {(peak - 32e6) / events:.1f} B'
    row('A9', 'peak memory / (32 MB + 48 B an event)', (16e6 + 28 * 1.8e6) / (32e6 + 48 * 1.8e6), 1, memory)

    def linear():
        big, little = traces.zipped(size * 4), traces.zipped(size // 10)
        e_big, e_little = traces.events(size * 4), traces.events(size // 10)
        pairs = [(run([tool, big])[0] / e_big, run([tool, little])[0] / e_little) for _ in range(max(3, n // 3))]
        return (statistics.median(a / b for a, b in pairs),
                f'{statistics.median(a for a, _ in pairs) * 1e9:.0f} ns at {e_big}, '
                f'{statistics.median(b for _, b in pairs) * 1e9:.0f} ns at {e_little} events')
    row('A11', 'time an event, large / small', 1.05, 1.15, linear)

    def many():
        folder = os.path.join(traces.work, 'many')
        os.makedirs(folder, exist_ok=True)
        for i in range(64):
            link = os.path.join(folder, f'rank{i}_1.{1700000000000000000 + i}.pt.trace.json.gz')
            if not os.path.exists(link):
                shutil.copy(traces.zipped(15), link)
        single = statistics.median(run([tool, '--jobs', '1', traces.zipped(15)])[0] for _ in range(n))
        pairs = [run([tool, '--jobs', '2', folder])[0] for _ in range(max(3, n // 3))]
        return statistics.median(pairs) / (64 * single), f'{statistics.median(pairs):.2f} s / 64 x {single * 1e3:.1f} ms'
    row('A12', '64 files of 15 MB, 2 jobs / sum of single runs', 0.52, 0.6, many)


def must_is_floor(key):
    return key == 'A3'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--tool', required=True)
    parser.add_argument('--fields')
    parser.add_argument('--source', required=True)
    parser.add_argument('--megabytes', type=int, default=500)
    parser.add_argument('--rounds', type=int, default=9)
    parser.add_argument('--only')
    parser.add_argument('--work')
    options = parser.parse_args()
    work = options.work or tempfile.mkdtemp(prefix='tprof-bench-')
    os.makedirs(work, exist_ok=True)
    try:
        rows(options, Traces(options.source, work))
    finally:
        if not options.work:
            shutil.rmtree(work)


if __name__ == '__main__':
    main()
