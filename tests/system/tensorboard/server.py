# SPDX-License-Identifier: BSD-3-Clause
"""Runs TensorBoard on a log directory and asks it things over HTTP."""
import gzip
import json
import os
import pathlib
import re
import signal
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

PLUGIN = "/data/plugin/pytorch_profiler"
TRACE = re.compile(r"^(?P<worker>.*?)(\.(?P<span>\d+))?\.pt\.trace\.json(\.gz)?$")
PATIENCE_S = 600
# No proxy between this program and the server it started.
_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class NoAnswer(Exception):
    pass


def traces_below(logdir):
    """{run: {worker: [span, ...]}} as the plugin numbers them: by the text of the stamps, from 1."""
    runs = {}
    for root, _, files in os.walk(logdir, followlinks=True):
        run = os.path.relpath(root, logdir)
        if run == ".":
            run = os.path.basename(os.path.abspath(logdir))
        for name in files:
            match = TRACE.match(name)
            if match:
                workers = runs.setdefault(run, {})
                workers.setdefault(match["worker"], set()).add(match["span"] or "default")
    return {run: {worker: sorted(spans) for worker, spans in workers.items()}
            for run, workers in runs.items()}


class TensorBoard:
    """A context manager: the server runs inside the block. Its output is kept in `log`. Event files
    are read by Python, or, with `fast`, by the server's own reader."""

    def __init__(self, venv, logdir, log, fast=False):
        self.logdir, self.log = os.path.abspath(logdir), pathlib.Path(log)
        self.command = [os.path.join(venv, "bin", "tensorboard"), "--logdir", self.logdir,
                        "--host", "127.0.0.1", "--port", "0", "--reload_interval=5",
                        "--load_fast=" + ("true" if fast else "false")]

    def __enter__(self):
        self.log.parent.mkdir(parents=True, exist_ok=True)
        temporary = self.log.parent / "tmp"
        temporary.mkdir(exist_ok=True)
        with open(self.log, "wb") as out:
            self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=out,
                                            stderr=subprocess.STDOUT, start_new_session=True,
                                            env=dict(os.environ, TMPDIR=str(temporary)))
        try:
            self.base = self._wait(self._address, "an address")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        # TensorBoard makes an orderly exit of this, in which the plugin removes its files.
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        try:  # the plugin loads each trace in a process of its own, in this one's group
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def _output(self):
        return self.log.read_text(errors="replace")

    def _address(self):
        found = re.search(r"TensorBoard \S+ at (http://\S+?)/? ", self._output())
        return found and found.group(1)

    def _wait(self, ask, what):
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise NoAnswer("TensorBoard ended:\n" + self._output()[-2000:])
            answer = ask()
            if answer:
                return answer
            time.sleep(0.25)
        raise NoAnswer("no %s after %d s:\n%s" % (what, PATIENCE_S, self._output()[-2000:]))

    def get(self, path, /, **parameters):
        """(status, body), the body inflated."""
        url = self.base + path
        if parameters:
            url += "?" + urllib.parse.urlencode(parameters)
        try:
            with _OPENER.open(url, timeout=60) as answer:
                status, body, headers = answer.status, answer.read(), answer.headers
        except urllib.error.HTTPError as error:
            status, body, headers = error.code, error.read(), error.headers
        if headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        return status, body

    def json(self, path, /, **parameters):
        status, body = self.get(path, **parameters)
        if status != 200:
            raise NoAnswer("%s %s: HTTP %d %r" % (path, parameters, status, body[:200]))
        return json.loads(body)

    def plugin(self, view, /, **parameters):
        return self.json(PLUGIN + view, **parameters)

    def wait_for_scalars(self, names):
        """Returns the tags of all runs once stock TensorBoard has read those of `names`."""
        def loaded():
            tags = self.json("/data/plugin/scalars/tags")
            return tags if all(tags.get(name) for name in names) else None
        return self._wait(loaded, "scalars of " + ", ".join(sorted(names)))

    def wait_for_runs(self, names):
        """Returns once the plugin has loaded them all. "loading" is false for a moment before the
        last run is listed, so both are asked for."""
        def loaded():
            runs = self.plugin("/runs")
            return not runs["loading"] and set(names) <= set(runs["runs"])
        self._wait(loaded, "runs " + ", ".join(sorted(names)))
