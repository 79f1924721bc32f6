"""Many that write at once: 64 clients of `serve` on a disk that is slow to sync, and 48 processes of `add`.

The slow disk is a library that makes fsync and fdatasync take 5 ms longer, loaded before libc's. The
peer of the clients is SQLite alone: each row in a commit of its own, in one process, on the same disk."""
import http.client
import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import threading
import time

import serving

CLIENTS, PROCESSES, SYNC_MS = 64, 48, 5
SHIM = """#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>
static int late(const char *name, int fd) {
  usleep(%d * 1000);
  return ((int (*)(int))dlsym(RTLD_NEXT, name))(fd);
}
int fsync(int fd) { return late("fsync", fd); }
int fdatasync(int fd) { return late("fdatasync", fd); }
"""
PEER = """import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("PRAGMA synchronous=FULL")
end, n = time.monotonic() + float(sys.argv[2]), 0
while time.monotonic() < end:
    db.execute("INSERT INTO project_state (id, project, key, value) VALUES (?, 'p00001', ?, '1 kg')", (f"peer{n}", f"peer {n}"))
    n += 1
print(n)
"""


def slow_disk(work):
    source, library = os.path.join(work, "slow_sync.c"), os.path.join(work, "slow_sync.so")
    with open(source, "w") as f:
        f.write(SHIM % SYNC_MS)
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", source, "-o", library, "-ldl"], check=True)
    return {"LD_PRELOAD": library}


def body(client, n):
    """Half memories, a quarter states, a quarter entities."""
    kind, at = n % 4, f"{client}-{n}"
    if kind < 2:
        return "/memory", {"id": f"cm{at}", "memory_type": "knowledge", "project": f"p{client % 50:05}", "content": f"bias {at} is {n} kg"}
    if kind == 2:
        return "/project/state", {"id": f"cs{at}", "project": f"p{client % 50:05}", "key": f"bias {at}", "value": f"{n} kg", "category": "area 0"}
    return "/entities", {"id": f"ce{at}", "project": f"p{client % 50:05}", "entity_type": "Parameter", "name": f"bias {at}"}


def write_until(port, client, end, waits, refused):
    c = http.client.HTTPConnection("127.0.0.1", port)
    n = 0
    while time.monotonic() < end:
        path, record = body(client, n)
        start = time.monotonic()
        c.request("POST", path, json.dumps(record), {"Content-Type": "application/json"})
        r = c.getresponse()
        r.read()
        (waits if r.status == 201 else refused).append(time.monotonic() - start)
        n += 1


def commits(path):
    """SQLite counts the transactions that changed the file."""
    with open(os.path.join(path, "hmirror.db"), "rb") as f:
        return int.from_bytes(f.read(28)[24:], "big")


def clients(hm, env, path, seconds, results):
    before = commits(path)
    with serving.Serve(hm, path, env) as serve:
        waits, refused, end = [], [], time.monotonic() + seconds
        threads = [threading.Thread(target=write_until, args=(serve.port, k, end, waits, refused)) for k in range(CLIENTS)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        with open(f"/proc/{serve.p.pid}/stat") as f:
            stat = f.read().rsplit(")", 1)[1].split()
    cpu = (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")
    name = f"{CLIENTS} clients that write for {seconds} s, fsync of {SYNC_MS} ms"
    results[name] = {"writes_per_s": round(len(waits) / seconds, 1), "longest_s": round(max(waits), 2), "refused": len(refused), "cpu_s": cpu,
                     "writes_per_commit": round(len(waits) / (commits(path) - before), 1),
                     "load": round(os.getloadavg()[0], 1)}
    print(f"{name:<58} {len(waits) / seconds:9.0f} writes/s, longest wait {max(waits):.2f} s, {len(refused)} refused, "
          f"{1000 * cpu / max(1, len(waits)):.2f} ms CPU each, {len(waits) / (commits(path) - before):.1f} a commit; load {os.getloadavg()[0]:.1f}", flush=True)
    return len(waits) / seconds


def processes(hm, env, path, results):
    """Each adds one state; all start at once."""
    start, waits, bad = time.monotonic(), [], []

    def one(n):
        p = subprocess.run([hm, "-q", "add", "state", f"crowd {n}", f"{n} kg", "-p", "p00001", "--category", "area 0"], cwd=path, env=env,
                           capture_output=True)
        (bad if p.returncode else waits).append(time.monotonic() - start)
    threads = [threading.Thread(target=one, args=(n,)) for n in range(PROCESSES)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    name = f"{PROCESSES} processes of add at once"
    results[name] = {"longest_s": round(max(waits), 2), "median_s": round(statistics.median(waits), 2), "refused": len(bad),
                     "load": round(os.getloadavg()[0], 1)}
    print(f"{name:<58} {max(waits):9.2f} s the longest, {statistics.median(waits):.2f} s the median, {len(bad)} refused; "
          f"load {os.getloadavg()[0]:.1f}", flush=True)


def measure(hm, env, work, source, results, seconds=60):
    """source: the folder of a swept store of 10^4 rows."""
    path, slow = os.path.join(work, "crowd"), {**env, **slow_disk(work)}
    shutil.rmtree(path, ignore_errors=True)
    shutil.copytree(source, path)
    shutil.copy(os.path.join(path, "hmirror.db"), os.path.join(path, "peer.db"))
    rate = clients(hm, slow, path, seconds, results)
    n = int(subprocess.run([sys.executable, "-c", PEER, os.path.join(path, "peer.db"), str(min(seconds, 10))], env=slow, check=True,
                           capture_output=True, text=True).stdout)
    name = "  peer: SQLite alone, a commit a row, the same disk"
    results[name] = {"writes_per_s": round(n / min(seconds, 10), 1)}
    print(f"{name:<58} {n / min(seconds, 10):9.0f} writes/s; ours over it {rate * min(seconds, 10) / n:.1f}", flush=True)
    shutil.rmtree(path)
    shutil.copytree(source, path) # the clients' rows are gone: 10^4 again
    processes(hm, env, path, results)
    db = sqlite3.connect(os.path.join(path, "hmirror.db"))
    answered = db.execute("SELECT count(*) FROM project_state WHERE key LIKE 'crowd %'").fetchone()[0]
    db.close()
    assert answered == PROCESSES - results[f"{PROCESSES} processes of add at once"]["refused"], "an answered write is not there"
