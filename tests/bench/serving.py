"""The HTTP API under load: wrk on loopback for what is read, and what a write costs beside a plain SQLite insert."""
import http.client
import json
import os
import re
import sqlite3
import statistics
import subprocess
import time

SECONDS = 3
WRITES = 200
PATHS = """local paths = {}
for line in io.lines(os.getenv("PATHS")) do paths[#paths + 1] = line end
local i = math.random(#paths)
request = function()
  i = i % #paths + 1
  return wrk.format("GET", paths[i])
end
"""


class Serve:
    def __init__(self, hm, path, env):
        self.p = subprocess.Popen([hm, "serve", "--port", "0", "--api-only"], cwd=path, env=env, stdout=subprocess.PIPE)
        self.url = self.p.stdout.readline().decode().strip()
        self.port = int(self.url.rsplit(":", 1)[1].strip("/"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.p.terminate()
        self.p.wait()

    def get(self, target):
        c = http.client.HTTPConnection("127.0.0.1", self.port)
        c.request("GET", target)
        return json.loads(c.getresponse().read())


def wrk(serve, folder, targets, connections):
    """(requests/s, ms at the median, at the 99th percentile)."""
    script, paths = os.path.join(folder, "paths.lua"), os.path.join(folder, "paths.txt")
    with open(script, "w") as f:
        f.write(PATHS)
    with open(paths, "w") as f:
        f.writelines(t + "\n" for t in targets)
    out = subprocess.run(["wrk", "-t2", f"-c{connections}", f"-d{SECONDS}s", "--latency", "-s", script, serve.url], capture_output=True, text=True,
                         check=True, env={**os.environ, "PATHS": paths}).stdout
    assert "Non-2xx" not in out and "Socket errors" not in out, out
    unit = {"us": 0.001, "ms": 1, "s": 1000}
    at = {p: float(v) * unit[u] for p, v, u in re.findall(r"(50|99)%\s+([\d.]+)(us|ms|s)", out)}
    return float(re.search(r"Requests/sec:\s*([\d.]+)", out)[1]), at["50"], at["99"]


def reading(name, serve, folder, targets, results):
    rate, mid, late = wrk(serve, folder, targets, 16)
    results[name] = {"requests_per_s": round(rate), "ms_median": round(mid, 3), "ms_99": round(late, 3)}
    print(f"{name:<58} {rate:9,.0f} requests/s, median {mid:.2f} ms, 99% {late:.2f} ms", flush=True)


def plain_insert(path):
    """A store's own table in a file of its own, with its durability."""
    if os.path.exists(path):
        os.unlink(path)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA synchronous=FULL")
    db.execute("CREATE TABLE memories(id TEXT PRIMARY KEY, memory_type TEXT, content TEXT, project TEXT, status TEXT, created_at TEXT)")
    return db


def first_reading(name, serve, targets, results):
    """One client, each once: nothing has been kept."""
    c = http.client.HTTPConnection("127.0.0.1", serve.port)

    def get(i):
        c.request("GET", targets[i])
        c.getresponse().read()

    ms = statistics.median(timed(get, min(len(targets), 300)))
    results[name] = {"ms": round(ms, 3)}
    print(f"{name:<58} {ms:9.2f} ms", flush=True)


def timed(f, n):
    out = []
    for i in range(n):
        start = time.perf_counter()
        f(i)
        out.append((time.perf_counter() - start) * 1000)
    return out


def writing(name, serve, folder, results):
    db = plain_insert(os.path.join(folder, "plain.db"))
    c = http.client.HTTPConnection("127.0.0.1", serve.port)
    stamp = time.time_ns()

    def post(i):
        # Half of them contradict what is there.
        body = json.dumps({"id": f"w{stamp}-{i}", "memory_type": "knowledge", "project": f"p{i % 50:05d}", "content": f"mass {i % 7} is {i} kg"})
        c.request("POST", "/memory", body, {"Content-Type": "application/json"})
        r = c.getresponse()
        assert r.status == 201, r.read()
        r.read()

    def insert(i):
        db.execute("INSERT INTO memories VALUES(?,?,?,?,?,?)", (f"w{stamp}-{i}", "knowledge", f"mass {i % 7} is {i} kg", "p00001", "active", "2026-01-01"))

    timed(post, 5)
    ours, plain = [], []
    for part in range(10):   # turn about, so that both meet the same disk
        ours += timed(lambda i: post(5 + part * 1000 + i), WRITES // 10)
        plain += timed(lambda i: insert(part * 1000 + i), WRITES // 10)
    x, y = statistics.median(ours), statistics.median(plain)
    results[name] = {"ms": round(x, 3), "plain_ms": round(y, 3), "added_ms": round(x - y, 3)}
    print(f"{name:<58} {x:9.2f} ms; plain SQLite insert {y:.2f} ms: {x - y:+.2f} ms", flush=True)


def measure(hm, env, stores, results):
    """stores: {rows: folder of a mirror that has been swept}."""
    for rows, path in stores.items():
        with Serve(hm, path, env) as serve:
            conflicts = [f"/conflicts/{c['id']}" for c in serve.get("/conflicts")["conflicts"]]
            first_reading(f"GET /conflicts/ID, the first time, {rows} rows", serve, conflicts, results)
            reading(f"GET /health, {rows} rows, {len(conflicts)} open conflicts", serve, path, ["/health"], results)
            reading(f"GET /conflicts/ID, one, {rows} rows", serve, path, conflicts[:1], results)
            reading(f"GET /conflicts/ID, each in turn, {rows} rows", serve, path, conflicts, results)
            writing(f"POST /memory, {rows} rows", serve, path, results)
