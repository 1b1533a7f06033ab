#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the program promises on its command line: where bytes go, exit status, colour, silence.

usage: test_cli.py TPROF_ANALYZE SAMPLE_LOGS MANUAL_PAGE
"""
import gzip
import json
import os
import pathlib
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

TOOL, LOGS, MANUAL = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
README = MANUAL.parents[2] / "README.md"
RUN = LOGS / "per_step"


def run(*arguments, **options):
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 120, **options}
    return subprocess.run([TOOL, *map(str, arguments)], **options)


def on_terminal(*arguments, environment=()):
    """Exit status and what a terminal got on both outputs."""
    pid, fd = pty.fork()
    if pid == 0:
        os.environ.update({"TERM": "xterm", **dict(environment)})
        os.execv(TOOL, [TOOL, *map(str, arguments)])
    seen = b""
    while True:
        try:
            block = os.read(fd, 65536)
        except OSError:
            break
        if not block:
            break
        seen += block
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), seen.decode()


class CommandLine(unittest.TestCase):
    def test_exit_status_is_that_of_the_manual(self):
        with tempfile.TemporaryDirectory() as empty:
            broken = pathlib.Path(empty) / "broken.pt.trace.json"
            for arguments, status in (
                    ((RUN,), 0), (("info", RUN), 0), ((), 2), (("--no-such", RUN), 2),
                    ((empty,), 4), ((pathlib.Path(empty) / "none",), 4)):
                self.assertEqual(run(*arguments).returncode, status, arguments)
            broken.write_text("<html>")
            self.assertEqual(run(empty).returncode, 4)
            self.assertEqual(run(empty, RUN).returncode, 3)
            self.assertEqual(run("-o", pathlib.Path(empty) / "no" / "folder", RUN).returncode, 5)
        with open("/dev/full", "wb") as full:
            for arguments in ((RUN,), ("-f", "json", RUN), ("--help",), ("--version",), ("--manual",)):
                done = run(*arguments, stdout=full)
                self.assertEqual((done.returncode, done.stderr.decode()),
                                 (5, "tprof-analyze: standard output: cannot write: No space left on device\n"))
        for option in ("--help", "--version", "--manual"):
            done = subprocess.run(["sh", "-c", 'exec "$0" "$1" >&-', TOOL, option], stderr=subprocess.PIPE)
            self.assertEqual((done.returncode, done.stderr.decode()),
                             (5, "tprof-analyze: standard output: cannot write: Bad file descriptor\n"))

    def test_help_manual_and_readme_know_the_statuses_that_there_are(self):
        helped = run("--help").stdout.decode().split("exit status:\n")[1]
        told = dict(re.findall(r"^  (\d) +(.*)$", helped, re.M))
        self.assertEqual(sorted(told), ["0", "2", "3", "4", "5"])
        manual = MANUAL.read_text().split(".SH EXIT STATUS\n")[1].split(".SH")[0]
        self.assertEqual(dict(re.findall(r"^\.B (\d)\n(.*)$", manual, re.M)), told)
        self.assertEqual(dict(re.findall(r"^\| (\d) \| (.*) \|$", README.read_text(), re.M)), told)

    def test_data_goes_to_standard_output_only(self):
        done = run(RUN)
        self.assertTrue(done.stdout)
        self.assertEqual(done.stderr, b"")
        wrong = run("--views", "nothing", RUN)
        self.assertEqual(wrong.stdout, b"")
        self.assertIn(b"known are: all, verdict", wrong.stderr)

    def test_a_message_names_the_option_the_value_and_the_cure(self):
        with tempfile.TemporaryDirectory() as folder:
            cases = (
                (("--worker", "zz", RUN), 2, "--worker 'zz' fits no log; there are: worker0"),
                (("--worker", "worker0", "--span", "7", LOGS), 2, "--span '7' fits no log; there are: 1795978779"),
                (("--ranks", "9", LOGS / "ddp_gloo"), 4, "--ranks 9 fits no log; there are: 0, 1"),
                (("--ranks", "9", RUN), 4, "--ranks 9 fits no log; none tells its rank"),
                (("--steps", "98", "--steps", "99-100", RUN), 4, "no log has a step of --steps 98,99-100; --views overview"),
                (("--ranks", "0", "--steps", "99", LOGS / "ddp_gloo"), 4, "no log has a step of --steps 99"),
                (("--filter", "zz", RUN), 0, "no row's name matches --filter 'zz'"),
                (("--output", folder, RUN), 5, f"--output {folder}: cannot write: Is a directory; it wants a file"),
                (("-f", "json,text", "-o", folder + "/a/b", RUN), 5, f"--output {folder}/a/b.json: cannot write"),
            )
            for arguments, status, words in cases:
                done = run(*arguments)
                self.assertEqual((done.returncode, words in done.stderr.decode()), (status, True), done.stderr)
        self.assertEqual(run("--filter", "conv", RUN).stderr, b"")

    def test_a_report_takes_the_place_of_no_input(self):
        with tempfile.TemporaryDirectory() as folder:
            trace, link = pathlib.Path(folder) / "rank0.json", pathlib.Path(folder) / "out.json"
            trace.write_text('{"traceEvents": [{"ph": "X", "name": "a", "cat": "cpu_op", "ts": 1, "dur": 1}]}')
            link.symlink_to(trace)
            before = trace.read_bytes()
            for arguments in (("-f", "json", "-o", trace), ("-f", "json", "-o", link),
                              ("-f", "json,text", "-o", trace.with_suffix(""))):
                done = run(*arguments, trace)
                self.assertEqual((done.returncode, b"that is one of the inputs" in done.stderr), (2, True), done.stderr)
                self.assertEqual(trace.read_bytes(), before)

    def test_a_message_about_a_trace_has_a_subject_and_a_cure(self):
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "odd.pt.trace.json"
            event = '{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":%d%s}'
            for extra, words in (("", "an event without a duration was counted with 0"),
                                 (',"dur":-5', "a negative duration was counted as 0")):
                log.write_text('{"traceEvents":[%s,%s]}' % (event % (1, ',"dur":9'), event % (2, extra)))
                self.assertRegex(run(log).stderr.decode(), f": byte [0-9]+: {words}\n$")
            log.write_text('{"traceEvents":[%s,%s]}' % (event % (1, ',"dur":9'), event.replace("X", "B") % (2, "")))
            self.assertIn("  An event without a duration was counted with 0.\n", run(log).stdout.decode())
        cut = run("--max-string", "1", RUN).stderr.decode()
        self.assertEqual(cut.count("--max-string 1 cuts longer texts"), 1, cut)
        self.assertNotIn("--max-string", run("--max-string", "1000", RUN).stderr.decode())

    def test_empty_names_are_seen_and_stay_empty_for_machines(self):
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / ".9.pt.trace.json"
            log.write_text('{"traceEvents":[{"ph":"X","cat":"cpu_op","name":"","pid":1,"tid":1,"ts":1,"dur":9}]}')
            brief = run(folder).stdout.decode()
            self.assertTrue(brief.startswith("(unnamed) · run "), brief)
            verdict = run("--views", "verdict", folder).stdout.decode()
            self.assertIn("an operator without a name takes 100.0 %", verdict)
            self.assertRegex(brief, r"\n  \(unnamed\) +1 +9\.00 us")
            views = json.loads(run("-f", "json", folder).stdout)["logs"][0]
            self.assertEqual((views["worker"], views["views"]["operators"]["operators"][0]["name"]), ("", ""))
            shutil.copy(log, log.with_name("b.9.pt.trace.json"))
            self.assertRegex(run(folder).stdout.decode(), r"^2 workers(.*\n)+  \(unnamed\) ")

    def test_several_formats_become_files_of_a_base_name(self):
        with tempfile.TemporaryDirectory() as folder:
            base = pathlib.Path(folder) / "report"
            done = run("-f", "json", "-f", "text", "-o", base, RUN)
            self.assertEqual((done.returncode, done.stdout), (0, b""))
            self.assertEqual(sorted(os.listdir(folder)), ["report.json", "report.txt"])
            self.assertEqual(json.loads(base.with_suffix(".json").read_text())["schema_version"], 1)
            self.assertEqual(base.with_suffix(".txt").read_bytes(), run(RUN).stdout)
            self.assertEqual(run("-f", "json", "-o", base, RUN).returncode, 0)
            self.assertEqual(base.read_bytes(), base.with_suffix(".json").read_bytes())

    def test_colour_is_for_terminals_that_want_it(self):
        self.assertNotIn(b"\x1b", run(RUN).stdout)
        self.assertIn(b"\x1b[1m", run("--color", "always", RUN).stdout)
        status, seen = on_terminal(RUN)
        self.assertEqual(status, 0)
        self.assertIn("\x1b[1m", seen)
        for arguments, environment in ((("--color=never",), {}), ((), {"NO_COLOR": "1"}), ((), {"TERM": "dumb"})):
            status, seen = on_terminal("--progress=never", *arguments, RUN, environment=environment)
            self.assertEqual(status, 0)
            self.assertNotIn("\x1b", seen)
        self.assertIn("\x1b[1m", on_terminal(RUN, environment={"NO_COLOR": ""})[1])

    def test_standard_input_is_a_log_too(self):
        path = sorted(RUN.iterdir())[0]
        piped = json.loads(run("-f", "json", "-", input=path.read_bytes()).stdout)
        named = json.loads(run("-f", "json", path).stdout)
        self.assertEqual(piped["inputs"][0]["path"], "-")
        self.assertEqual(piped["logs"][0]["views"]["operators"], named["logs"][0]["views"]["operators"])

    def test_long_work_shows_a_bar_where_it_is_wanted(self):
        data = sorted(RUN.iterdir())[0].read_bytes()
        for arguments, wanted in ((("--progress", "always"), True), ((), False), (("--progress=always", "-q"), False)):
            with subprocess.Popen([TOOL, *arguments, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE) as process:
                time.sleep(0.7)
                out, err = process.communicate(data, timeout=60)
            self.assertEqual(process.returncode, 0)
            self.assertTrue(out.startswith(b"-"), out[:40])
            self.assertEqual(b"of 1 files" in err, wanted)
            self.assertTrue(not wanted or err.endswith(b"\x1b[K"))

    def test_quiet_says_nothing_of_bent_files(self):
        with tempfile.TemporaryDirectory() as folder:
            cut = pathlib.Path(folder) / "w.pt.trace.json"
            cut.write_bytes(gzip.decompress(sorted(RUN.iterdir())[0].read_bytes())[:100000])
            self.assertIn(b"byte 100000", run(cut).stderr)
            self.assertEqual(run("-q", cut).stderr, b"")
            strict = run("-q", "--strict", cut)
            self.assertEqual(strict.returncode, 4)
            self.assertIn(b"byte 100000", strict.stderr)

    def test_the_width_follows_the_terminal(self):
        for width in (70, 80, 140):
            out = run(RUN, env={**os.environ, "COLUMNS": str(width)}).stdout.decode()
            self.assertLessEqual(max(map(len, out.splitlines())), width)
            self.assertGreater(max(map(len, out.splitlines())), width - 20)

    def test_a_brief_report_fits_two_screens(self):
        for folder in LOGS.iterdir():
            lines = run(folder).stdout.decode().splitlines()
            self.assertLess(len(lines), 60, folder)
            self.assertIn("--views", lines[-1])

    def test_many_spans_and_many_workers_do_not_flood_the_screen(self):
        samples = [path.read_bytes() for path in sorted(RUN.iterdir())]
        with tempfile.TemporaryDirectory() as folder:
            spans, workers = pathlib.Path(folder) / "spans", pathlib.Path(folder) / "workers"
            spans.mkdir(), workers.mkdir()
            for i in range(20):
                (spans / f"worker0.{1795978779854037089 + i}.pt.trace.json.gz").write_bytes(samples[i % 4])
                (workers / f"rank{i}.17.pt.trace.json.gz").write_bytes(samples[i % 4])
            for subject, arguments, title, lines in (
                    (spans, (), "worker0 · run spans · 20 spans", 60),
                    (spans, ("--by", "span"), "20 spans, slowest first", 25),
                    (workers, (), "20 workers, slowest first", 25)):
                out = run(*arguments, subject).stdout.decode().splitlines()
                self.assertTrue(out[0].startswith(title), out[0])
                self.assertLess(len(out), lines)
            for subject, arguments, all_of_them, kind in (
                    (spans, ("--by", "span"), ("--span", "*"), "spans"), (workers, (), ("--worker", "*"), "workers")):
                out = run("--views", "overview", *arguments, subject).stdout.decode()
                self.assertEqual(out.count("· span "), 16)
                self.assertIn(f"\n\n… and 4 more {kind}: --", out)
                out = run("--views", "overview", *arguments, *all_of_them, subject).stdout.decode()
                self.assertEqual((out.count("· span "), out.count(f"more {kind}")), (20, 0))
            report = json.loads(run("-f", "json", spans).stdout)
            self.assertEqual((len(report["logs"]), len(report["workers"][0]["spans"])), (20, 20))
            calls = [sum(row["calls"] for row in part["views"]["operators"]["operators"])
                     for part in report["logs"] + report["workers"]]
            self.assertEqual(sum(calls[:20]), calls[20])

    def test_logs_of_one_name_in_two_places_stay_apart(self):
        with tempfile.TemporaryDirectory() as folder:
            logs = [pathlib.Path(folder) / place / "log" for place in "ab"]
            for log in logs:
                shutil.copytree(RUN, log)
            report = json.loads(run("-f", "json", *logs).stdout)
            self.assertEqual([(w["run"], w["worker"], len(w["spans"])) for w in report["workers"]],
                             [("a/log", "worker0", 4), ("b/log", "worker0", 4)])
            self.assertEqual({i["run"] for i in report["inputs"]}, {"a/log", "b/log"})

    def test_top_tells_how_many_rows_there_were(self):
        views = json.loads(run("-f", "json", "--top", "3", RUN).stdout)["workers"][0]["views"]
        whole = json.loads(run("-f", "json", RUN).stdout)["workers"][0]["views"]
        for view, tables in whole.items():
            for name, rows in tables.items():
                self.assertEqual(views[view][name], rows[:3])
                self.assertEqual(views[view][name + "_total_rows"], len(rows))

    def test_the_manual_page_is_that_of_the_option_table(self):
        self.assertEqual(run("--manual").stdout.decode(), MANUAL.read_text(),
                         "write it anew: tprof-analyze --manual > docs/man/tprof-analyze.1")

    def test_every_option_stands_in_help_manual_and_completions(self):
        names = [line.split("--")[1].split()[0] for line in run("--help").stdout.decode().splitlines()
                 if line.startswith("  ") and "--" in line[:8]]
        self.assertGreater(len(names), 20)
        for name in names:
            self.assertIn("\\-\\-" + name.replace("-", "\\-"), MANUAL.read_text())
            for shell, form in (("bash", "--"), ("zsh", "--"), ("fish", "-l ")):
                self.assertIn(form + name, run("--completion", shell).stdout.decode())

    def test_bash_takes_its_completions(self):
        script = run("--completion", "bash").stdout.decode() + (
            "COMP_WORDS=(tprof-analyze --views o); COMP_CWORD=2; _tprof_analyze; echo ${COMPREPLY[*]}")
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
        self.assertEqual(done.stdout.split(), ["overview", "operators"], done.stderr)

    def test_version_says_what_is_built_in(self):
        self.assertRegex(run("--version").stdout.decode(), r"^tprof-analyze \d+\.\d+\.\d+\n(.*: \w+.*\n)+$")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
