# SPDX-License-Identifier: BSD-3-Clause
"""What tprof-analyze says of a log directory, and what the traces themselves hold."""
import collections
import gzip
import itertools
import json
import subprocess


NO_OPERATORS = ("ProfilerStep#", "enumerate(DataLoader)#", "Optimizer.", "DataParallel.forward",
                "DistributedDataParallel.forward")


def is_operator(name):
    return name is not None and not name.startswith(NO_OPERATORS)


def read(analyze, logs):
    """{(run, worker, span): the log's entry of the JSON report, with "file" its path}"""
    command = [analyze, "report", "-f", "json", "--views", "all", "-q", str(logs)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError("tprof-analyze: status %d: %s" % (done.returncode, done.stderr))
    entries = json.loads(done.stdout)["logs"]
    for entry in entries:
        entry["file"] = entry["views"]["info"]["files"][0]["path"]
    return {(entry["run"], entry["worker"], entry["span"]): entry for entry in entries}


class Trace:
    """The events of one file, to tell which deviations can touch it and for views that no report
    has: memory and modules."""

    def __init__(self, path):
        opener = gzip.open if path.endswith(".gz") else open
        with opener(path, "rt") as file:
            self.data = json.load(file)
        self.events = self.data["traceEvents"]

    def ranges(self, *categories):
        return [e for e in self.events if e.get("ph") == "X" and e.get("cat") in categories]

    def memory(self):
        return [e for e in self.events if e["name"] == "[memory]"]

    def memory_by_operator(self):
        """{operator: sums} of the moments whose innermost range is an operator: its own, and with
        those of what it calls. Rows of zeros are left out, as in the plugin's table."""
        nodes = collections.defaultdict(list)
        for at, e in enumerate(self.ranges("cpu_op", "user_annotation") + self.modules()):
            name = None if e["cat"] == "python_function" else e["name"]
            if e["cat"] != "user_annotation" or name.startswith("ProfilerStep#"):
                nodes[e["tid"]].append((float(e["ts"]), float(e["ts"]) + float(e["dur"]), at, name))
        rows = collections.defaultdict(lambda: collections.defaultdict(float))
        for moment in self.memory():
            at, size = float(moment["ts"]), moment["args"]["Bytes"]
            # Of ranges with the same times the later one is the inner one; one directly in another
            # of its name is one with it.
            around = sorted((n for n in nodes[moment["tid"]] if n[0] <= at < n[1]),
                            key=lambda n: (n[1] - n[0], -n[2]))
            names = [name for name, _ in itertools.groupby(n[3] for n in around)]
            if not names or not is_operator(names[0]):
                continue
            for name, part in [(names[0], "self ")] + [(n, "") for n in names if is_operator(n)]:
                rows[name][part + "increase"] += size
                rows[name][part + "allocations"] += size > 0
                rows[name][part + "size"] += max(size, 0)
        return {name: row for name, row in rows.items() if any(row.values())}

    def modules(self):
        return [e for e in self.ranges("python_function")
                if e.get("args", {}).get("Python module id") is not None]

    def has_loader_annotations(self):
        return any(e["name"].startswith("enumerate(DataLoader)#")
                   for e in self.ranges("user_annotation"))

    def has_collectives(self):
        return any(e["name"].startswith(("gloo:", "nccl:")) for e in self.ranges("user_annotation"))

    def has_annotations_in_operators(self):
        """Whether a marked range lies inside an operator of its thread."""
        operators = self.ranges("cpu_op")
        return any(o["tid"] == a["tid"] and o["ts"] <= a["ts"] and
                   a["ts"] + a["dur"] <= o["ts"] + o["dur"]
                   for a in self.ranges("user_annotation") for o in operators)
