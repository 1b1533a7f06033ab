# SPDX-License-Identifier: BSD-3-Clause
"""Runs tprof-analyze and reads its JSON report."""
import json
import subprocess


class Result:
    """What one run of the program left behind."""

    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err


class Log:
    """One entry of a report's logs or workers."""

    def __init__(self, entry):
        self.entry, self.views = entry, entry["views"]

    def rows(self, view, table):
        return self.views[view][table]

    def row(self, view, table, **wanted):
        """The one row that has these values."""
        found = [r for r in self.rows(view, table) if all(r[k] == v for k, v in wanted.items())]
        assert len(found) == 1, f"{view}.{table} has {len(found)} rows with {wanted}"
        return found[0]

    def total(self, view, table, column):
        return sum(r[column] for r in self.rows(view, table))

    def kernels(self):
        """{name: (calls, total_ns)}"""
        return {r["name"]: (r["calls"], r["total_ns"]) for r in self.rows("kernels", "kernels")}

    def steps(self):
        return self.rows("overview", "steps")

    def device(self, name):
        return self.row("overview", "devices", device=name)

    def codes(self):
        return {r["code"]: r for r in self.rows("info", "health")}


class Report:
    def __init__(self, document):
        self.document = document
        self.inputs = document["inputs"]
        self.logs = [Log(entry) for entry in document["logs"]]
        self.workers = [Log(entry) for entry in document["workers"]]

    def log(self, worker, span=None):
        found = [l for l in self.logs if l.entry["worker"] == worker and span in (None, l.entry["span"])]
        assert len(found) == 1, f"{len(found)} logs of {worker} {span}"
        return found[0]


class Tool:
    def __init__(self, path):
        self.path = path

    def run(self, *arguments, stdin=None):
        done = subprocess.run([self.path, *map(str, arguments)], capture_output=True, input=stdin, timeout=120)
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    def report(self, *paths, status=0, stdin=None):
        result = self.run("-f", "json", "--views", "all", *paths, stdin=stdin)
        assert result.status == status, f"exit status {result.status}: {result.err}"
        # Python's reader takes NaN and Infinity, which JSON does not have.
        report = Report(json.loads(result.out, parse_constant=lambda word: 1 / 0))
        report.err = result.err
        return report
