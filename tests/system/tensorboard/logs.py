# SPDX-License-Identifier: BSD-3-Clause
"""The log directory that TensorBoard is shown: runs recorded for the purpose, the examples', the
samples, and where they are at hand logs that torch recorded."""
import argparse
import json
import pathlib
import shlex
import shutil
import subprocess

# A few of each kind; each trace costs the plugin a process of its own.
TORCH_RUNS = ("compiled", "ddp_gloo", "full_options", "no_steps", "per_step", "resnet_like_starved",
              "torch2.0_starved_tiny", "user_ranges")


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True, help="folder for all that is made")
    parser.add_argument("--analyze", required=True, help="the program tprof-analyze")
    parser.add_argument("--record", required=True, help="the program record_run")
    parser.add_argument("--example", action="append", default=[],
                        help='NAME=COMMAND, in which {} stands for the log directory')
    parser.add_argument("--samples", required=True, help="folder of sample logs")
    parser.add_argument("--shared", required=True, help="folder with traces/own")
    parser.add_argument("--metrics", required=True, help="docs/metrics.md")
    return parser.parse_args()


def _link_runs(logs, folder, names):
    for name in names:
        run = folder / name
        if run.is_dir() and not (logs / name).exists():
            (logs / name).symlink_to(run.resolve())


def _write_without_operators(run):
    """A program that marks steps and ranges, and records nothing else."""
    thread = {"ph": "X", "pid": 7, "tid": 7}
    events = [{**thread, "cat": "user_annotation", "name": "ProfilerStep#%d" % step, "ts": 1000.0 * step, "dur": 900.0}
              for step in range(3)]
    events += [{**thread, "cat": "user_annotation", "name": "work", "ts": e["ts"] + 100, "dur": 500.0} for e in events]
    run.mkdir()
    (run / "worker0.1700000000000.pt.trace.json").write_text(json.dumps({"schemaVersion": 1, "traceEvents": events}))


def collect(given, folder, torch=True):
    """Makes `folder` anew and returns it."""
    logs = pathlib.Path(folder)
    shutil.rmtree(logs, ignore_errors=True)
    logs.mkdir(parents=True)
    for files in ("window", "step", "folders"):
        subprocess.run([given.record, logs / ("recorded_" + files), files], check=True)
    for example in given.example:
        name, command = example.split("=", 1)
        subprocess.run(shlex.split(command.replace("{}", str(logs / name))), check=True,
                       stdout=subprocess.DEVNULL)
    if not torch:
        return logs
    _write_without_operators(logs / "no_operators")
    samples = pathlib.Path(given.samples)
    if samples.is_dir():
        _link_runs(logs, samples, sorted(run.name for run in samples.iterdir()))
    _link_runs(logs, pathlib.Path(given.shared) / "traces" / "own", TORCH_RUNS)
    return logs
