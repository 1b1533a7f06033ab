# SPDX-License-Identifier: BSD-3-Clause
"""The table of a bench: limits, results and verdicts, as Markdown, and what machine it was made on."""
import datetime
import os
import platform
import re

HEAD = ("id", "what", "must", "goal", "result", "verdict", "detail")
WIDTHS = (4, 62, 7, 7, 8, 7, 0)


def line(cells):
    return "| " + " | ".join(cell.ljust(width) for cell, width in zip(cells, WIDTHS)) + " |"


def number(value):
    return "-" if value is None else f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"


def verdict(must, goal, result, floor):
    """Ratios are to stay below their limits; rates, with `floor`, above. Without limits there is none."""
    if result is None:
        return "skipped"
    if must is None:
        return "-"
    if floor:
        must, goal, result = -must, -goal, -result
    return "goal" if result <= goal else "must" if result <= must else "MISSED"


class Table:
    """Rows are printed as they come."""

    def __init__(self, wanted):
        self.wanted, self.lines, self.missed = wanted, [], False

    def begin(self):
        self._put(HEAD)
        self._put(["-" * max(width, 3) for width in WIDTHS])

    def wants(self, *keys):
        return self.wanted is None or any(key in self.wanted for key in keys)

    def add(self, limit, result, detail):
        self.take((limit.key, limit.what, number(limit.must), number(limit.goal), number(result),
                   verdict(limit.must, limit.goal, result, limit.floor), detail))

    def take(self, cells):
        """A row that has its verdict."""
        if self.wants(cells[0]):
            self.missed |= cells[HEAD.index("verdict")] == "MISSED"
            self._put(cells)

    def _put(self, cells):
        self.lines.append(line(cells))
        print(self.lines[-1], flush=True)


def machine():
    """The kind of machine, in words."""
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as f:
            told = f.read()
    except OSError:
        told = ""
    model = re.search(r"^model name\s*: (.*)$", told, re.M)
    virtual = " in a virtual machine" if "hypervisor" in told else ""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    return (f"{os.cpu_count()} cores of {model.group(1) if model else platform.machine()}{virtual}, "
            f"{memory:.0f} GB of memory")


def caption(inflate, sources, rounds):
    """`sources`: of the large traces and of those of 15 MB."""
    large, small = map(os.path.basename, sources)
    return (f"{datetime.date.today()}, {machine()}. inflate: {inflate}. Medians of {rounds} rounds.\n"
            f"Large traces are copies of {large}, those of 15 MB of {small}.")
