# SPDX-License-Identifier: BSD-3-Clause
"""A browser opens the plugin's page and finds a recorded run in it; with a stand-in for the chart
library, which the page loads from the network, the plugin's own code shows Overview, Operator, Memory
and Module with the numbers that tprof-analyze prints. Screenshots stay in the build folder."""
import pathlib
import shutil
import sys

import browser
import environment
import logs
import report
import server

RUN, WORKER = "recorded_window", "worker0"


def rounded(ns):
    return str(round(ns / 1e3))


def overview_texts(entry, _):
    steps = entry["views"]["overview"]["steps"]
    mean = sum(step["wall_ns"] for step in steps) / len(steps)
    loader = sum(step["data_loader_ns"] for step in steps) / len(steps)
    return ["Average Step Time", rounded(mean), "DataLoader", rounded(loader),
            *(step["step"] for step in steps)]


def operator_texts(entry, _):
    texts = []
    for row in entry["views"]["operators"]["operators"]:
        texts += [row["name"], str(row["calls"]), rounded(row["host_self_ns"]),
                  rounded(row["host_total_ns"])]
    return texts


def memory_texts(_, trace):
    texts = []
    for name, row in trace.memory_by_operator().items():
        texts += [name, "%g" % (row["self increase"] / 1024), str(row["self allocations"])]
    return texts


def module_texts(_, trace):
    modules = trace.modules()
    names = sorted({e["name"].removeprefix("nn.Module: ") for e in modules})
    outer = [e["dur"] for e in modules if e["name"] == "nn.Module: Net_0"]
    return [*names, str(len(outer)), "%g" % sum(outer)]


VIEWS = {"Overview": overview_texts, "Operator": operator_texts, "Memory": memory_texts,
         "Module": module_texts}


def near(text, shown):
    """Whether the page has the text, or a number that is it but for the plugin's doubles."""
    if text in shown:
        return True
    try:
        wanted = float(text)
    except ValueError:
        return any(text in line for line in shown)
    for line in shown:
        try:
            if abs(float(line) - wanted) <= max(0.01, 1e-5 * abs(wanted)):
                return True
        except ValueError:
            pass
    return False


def missing(page, view, texts):
    problems = [repr(text) for text in texts if not near(text, page.text)]
    problems += ["%r is not chosen" % choice for choice in (RUN, view, WORKER)
                 if choice not in page.chosen]
    return problems


def main():
    given = logs.options()
    program = browser.find()
    if not program:
        environment.skip("no browser: none of %s" % ", ".join(browser.NAMES))
    if not shutil.which("openssl"):
        environment.skip("no openssl, for the stand-in's certificate")
    venv = environment.make(given.build)
    place = pathlib.Path(given.build) / "page"
    folder = logs.collect(given, place / "logs", torch=False)
    entries = {key: entry for key, entry in report.read(given.analyze, folder).items() if key[0] == RUN}
    first = entries[min(entries)]
    trace = report.Trace(first["file"])
    failed = False
    with server.TensorBoard(venv, folder, place / "tensorboard.log") as board:
        board.wait_for_runs(server.traces_below(folder))
        page = browser.look(program, board.base, place / "as_it_comes.png")
        found = any(run in page.chosen for run in server.traces_below(folder))
        print("as it comes: side panel with %s" % page.chosen)
        failed |= not found
        for view, texts in VIEWS.items():
            choices = [["Runs", RUN], ["Views", view]]
            page = browser.look(program, board.base, place / (view.lower() + ".png"), choices)
            wanted = texts(first, trace)
            problems = missing(page, view, wanted)
            print("%s: %s" % (view, "misses " + ", ".join(problems) if problems else
                              "all of " + ", ".join(wanted)))
            failed |= bool(problems)
    print("screenshots: %s" % place)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
