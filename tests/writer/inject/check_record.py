# SPDX-License-Identifier: BSD-3-Clause
"""What tprof-record does around the program that it runs: signals, exit status, what it tells.

check_record.py TPROF_RECORD FOLDER CASE [PROGRAM]
"""
import os
import pty
import re
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", ".."))
from support.trace_check import expect, record  # noqa: E402

NO_GPU = {"TPROF_ACTIVITIES": "cpu"}
STATUS = 9
SIGNALS = [signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2]

# Tells each signal that reaches it, until none has for a while after the first.
LISTENER = f"""
import signal, sys
signals = {[int(s) for s in SIGNALS]}
signal.pthread_sigmask(signal.SIG_BLOCK, signals)
print("ready", flush=True)
told = signal.sigtimedwait(signals, 10)
while told:
    print("signal", told.si_signo, flush=True)
    told = signal.sigtimedwait(signals, 0.3)
sys.exit({STATUS})
"""


def command(tool, folder):
    return [tool, "-q", "-o", folder, "--", sys.executable, "-c", LISTENER]


def check_told(said, number, status):
    told = [int(n) for n in re.findall(r"signal (\d+)", said)]
    expect(told == [number], number, "is to reach the program once, not", told)
    expect(status == STATUS, "status", status, "of", number)


def signals(tool, folder, _):
    """What is sent to tprof-record alone reaches the program."""
    for number in SIGNALS:
        with subprocess.Popen(command(tool, folder), stdout=subprocess.PIPE, text=True,
                              start_new_session=True) as process:
            expect(process.stdout.readline() == "ready\n", "the program begins")
            process.send_signal(number)
            check_told(process.stdout.read(), number, process.wait())


def said_on(terminal):
    try:
        return os.read(terminal, 4096).decode()
    except OSError:  # the other side is closed
        return ""


def terminal(tool, folder, _):
    """What a terminal sends to both reaches the program once."""
    for key, number in (b"\x03", signal.SIGINT), (b"\x1c", signal.SIGQUIT):
        process, line = pty.fork()
        if process == 0:
            os.execv(tool, command(tool, folder))
        said = ""
        while "ready" not in said:
            said += said_on(line)
        os.write(line, key)
        while more := said_on(line):
            said += more
        check_told(said, number, os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))


def own_status(tool, folder, program):
    """126 and 127 may be the program's own: then its traces are told of as ever."""
    for status in 126, 127, 3:
        script = f"'{program}' 1 1; exit {status}"
        traces, said = record(tool, folder, [], ["sh", "-c", script], NO_GPU, status)
        expect(len(traces) == 1 and "1 trace, " in said, status, said)
    for cannot, status in ("/", 126), ("/no/such/program", 127), ("no-such-program", 127):
        _, said = record(tool, folder, [], [cannot], NO_GPU, status)
        expect(re.fullmatch(f"tprof-record: cannot run {cannot}: .*\n", said), said)


if __name__ == "__main__":
    globals()[sys.argv[3]](sys.argv[1], sys.argv[2], sys.argv[4] if len(sys.argv) > 4 else None)
