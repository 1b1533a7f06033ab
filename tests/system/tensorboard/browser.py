# SPDX-License-Identifier: BSD-3-Clause
"""A headless Chromium that looks at the plugin's page, and serves it a stand-in for its charts."""
import html
import http.server
import json
import pathlib
import re
import shutil
import ssl
import subprocess
import tempfile
import threading

CHART_HOST = "www.gstatic.com"  # where the page loads its chart library from
STAND_IN = pathlib.Path(__file__).with_name("chart_loader.js")
PAGE = "/data/plugin/pytorch_profiler/index.html"
NAMES = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
           "--disable-background-networking", "--disable-component-update", "--disable-sync",
           "--no-proxy-server", "--window-size=1600,1400", "--virtual-time-budget=30000"]


def find():
    """Path of a browser, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class ChartServer:
    """Serves one script over TLS on a port of its own, as a context manager."""

    def __init__(self, script, folder):
        self.script, self.folder = script, folder

    def __enter__(self):
        script = self.script.encode()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Type", "text/javascript; charset=utf-8")
                self.send_header("Content-Length", str(len(script)))
                self.end_headers()
                self.wfile.write(script)

            def log_message(self, *_):
                pass

        certificate, key = self.folder / "certificate.pem", self.folder / "key.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                        "-subj", "/CN=" + CHART_HOST, "-keyout", key, "-out", certificate],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def options(self):
        return ["--ignore-certificate-errors", "--host-resolver-rules=MAP %s:443 127.0.0.1:%d"
                % (CHART_HOST, self.server.server_address[1])]


class Page:
    """What the browser showed: `chosen` in the side panel, `text` of the main area."""

    def __init__(self, dom):
        bare = re.sub(r"<(style|script)\b.*?</\1>", "", dom, flags=re.S)
        self.chosen = [html.unescape(value) for value in
                       re.findall(r'class="MuiSelect-nativeInput" value="([^"]*)"', bare)]
        main = bare[bare.find("<main"):] if "<main" in bare else ""
        cells = re.sub(r"<[^>]+>", "\n", main)
        self.text = [line.strip() for line in html.unescape(cells).split("\n") if line.strip()]


def _run(browser, options, folder):
    command = [browser, *OPTIONS, "--user-data-dir=%s" % folder, *options]
    return subprocess.run(command, capture_output=True, timeout=240)


def look(browser, base, screenshot, choices=None):
    """Opens the page, with the stand-in for the charts and what is to be chosen in the side panel
    where `choices` is given, and as it comes without."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        script = STAND_IN.read_text().replace("CHOICES", json.dumps(choices or []), 2)
        with ChartServer(script, folder) as charts:
            options = charts.options() if choices is not None else []
            shot = _run(browser, [*options, "--screenshot=%s" % screenshot, base + PAGE], folder / "1")
            if shot.returncode or not pathlib.Path(screenshot).exists():
                raise RuntimeError("no screenshot: %s" % shot.stderr[-500:])
            dom = _run(browser, [*options, "--dump-dom", base + PAGE], folder / "2")
    return Page(dom.stdout.decode("utf-8", "replace"))
