#!/usr/bin/env python3
"""Lighthouse on the main types of page, over HTTP: 100 in accessibility and in best practices.
run.py FOLDER: where its packages are; reports go there, too. `make lighthouse` calls it."""
import functools
import http.server
import os
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "e2e"))
from harness import *  # noqa: E402
from page_types import Kinds  # noqa: E402

PAGES = ("front", "overview", "case, three layers", "case, several winners", "decisions", "entities", "entity, ages", "memories", "state", "graph",
         "conflicts", "findings", "changes", "search")
CATEGORIES = ("accessibility", "best-practices")


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


def scores(cli, url, report):
    """{category: (score, [what costs points])}"""
    p = subprocess.run(["node", cli, url, "--quiet", "--only-categories=" + ",".join(CATEGORIES), "--output=json", "--output-path=" + report,
                        "--chrome-flags=--headless --no-sandbox --disable-dev-shm-usage"],
                       env={**os.environ, "CHROME_PATH": shutil.which("chromium") or ""}, capture_output=True, timeout=300)
    assert p.returncode == 0, p.stderr.decode()[-2000:]
    with open(report) as f:
        r = json.load(f)
    return {c: (round(100 * (r["categories"][c]["score"] or 0)),
                [a["id"] for a in (r["audits"][x["id"]] for x in r["categories"][c]["auditRefs"] if x["weight"]) if a["score"] is not None and a["score"] < 1])
            for c in CATEGORIES}


def run(folder):
    cli = os.path.join(folder, "node_modules", "lighthouse", "cli", "index.js")
    if not os.path.exists(cli) or not shutil.which("chromium"):
        print("lighthouse or chromium is not installed: nothing was looked at", file=sys.stderr)
        return 1
    m = Mirror()
    kinds = Kinds(m)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=m.path("site")))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    bad = 0
    for name in PAGES:
        path = os.path.relpath(kinds.pages[name], m.path("site"))
        got = scores(cli, f"http://127.0.0.1:{server.server_address[1]}/{path}", os.path.join(folder, re.sub("[^a-z]+", "-", name) + ".json"))
        print(f"{name:24}" + "".join(f"  {c} {n}{' (' + ', '.join(why) + ')' if why else ''}" for c, (n, why) in got.items()), flush=True)
        bad += any(n < 100 for n, _ in got.values())
    server.shutdown()
    kinds.close()
    m.close()
    return bad != 0


if __name__ == "__main__":
    sys.exit(run(os.path.abspath(sys.argv[1])))
