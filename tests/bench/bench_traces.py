# SPDX-License-Identifier: BSD-3-Clause
"""The traces of a bench: replicas of one source, each made once and kept in a folder."""
import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
LEAST_FREE = 20e9


class Traces:
    """`name` begins the names of the files."""

    def __init__(self, source, name, work, tool):
        self.source, self.name, self.work, self.tool = source, name, work, tool

    def _path(self, megabytes, ending):
        return os.path.join(self.work, f"{self.name}{megabytes}{ending}")

    def _make(self, megabytes, out):
        return [sys.executable, os.path.join(HERE, "make_trace.py"), self.source, str(megabytes), out]

    def plain(self, megabytes):
        path = self._path(megabytes, ".pt.trace.json")
        if not os.path.exists(path):
            subprocess.check_call(self._make(megabytes, path + ".part"))
            os.rename(path + ".part", path)
        return path

    def zipped(self, megabytes):
        """Packed at level 9, as torch's handler packs."""
        plain = self.plain(megabytes)
        path = plain + ".gz"
        if not os.path.exists(path):
            with open(plain, "rb") as f, open(path + ".part", "wb") as out:
                subprocess.check_call(["gzip", "-9", "-n", "-c"], stdin=f, stdout=out)
            os.rename(path + ".part", path)
        return path

    def streamed(self, megabytes):
        """Packed fast while it is made: large ones never lie on the disk as text. None where the disk is too full."""
        path = self._path(megabytes, ".fast.pt.trace.json.gz")
        if not os.path.exists(path):
            if shutil.disk_usage(self.work).free < LEAST_FREE:
                return None
            packer = "igzip" if shutil.which("igzip") else "gzip"
            with open(path + ".part", "wb") as out, \
                    subprocess.Popen(self._make(megabytes, "-"), stdout=subprocess.PIPE) as maker:
                subprocess.check_call([packer, "-1", "-c"], stdin=maker.stdout, stdout=out)
            if maker.returncode:
                sys.exit(f"make_trace.py: exit status {maker.returncode}")
            os.rename(path + ".part", path)
        return path

    def copies(self, megabytes, count):
        """A folder of so many ranks, all of them the same."""
        folder = os.path.join(self.work, f"{self.name}{megabytes}x{count}")
        os.makedirs(folder, exist_ok=True)
        paths = [os.path.join(folder, f"rank{i}.{1700000000000000000 + i}.pt.trace.json.gz") for i in range(count)]
        for path in paths:
            if not os.path.exists(path):
                shutil.copy(self.zipped(megabytes), path)
        return folder, paths

    def events(self, path):
        told = subprocess.run([self.tool, "info", "-q", "-f", "json", path], stdout=subprocess.PIPE, check=True).stdout
        return json.loads(told)["inputs"][0]["events"]
