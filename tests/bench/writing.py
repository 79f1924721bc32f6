"""One fact added by the command, to a small store and to a large one, beside a plain SQLite insert of the same row."""
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import time


def add(hm, env, path, value, key):
    """One state added: the process's seconds, and those that it says it took inside."""
    start = time.monotonic()
    p = subprocess.run([hm, "-v", "add", "state", key, value, "-p", "p00001", "--category", "area 0"], cwd=path, env=env, capture_output=True)
    wall = time.monotonic() - start
    if p.returncode != 0:
        sys.exit(f"bench: add: exit {p.returncode}: {p.stderr.decode()}")
    return wall, float(p.stderr.decode().rsplit("written in ", 1)[1].split(" ms")[0]) / 1000


def plain_insert(path, n):
    """What SQLite alone takes for it, on a connection of its own, as durable."""
    start = time.monotonic()
    db = sqlite3.connect(os.path.join(path, "hmirror.db"), isolation_level=None)
    db.execute("PRAGMA synchronous=FULL")
    inside = time.monotonic()
    db.execute("BEGIN IMMEDIATE")
    db.execute("INSERT INTO project_state (id, project, key, value, category) VALUES (?, 'p00001', ?, '1 kg', 'area 0')",
               (f"peer{n}-{time.time_ns()}", f"peer {n}"))
    db.execute("COMMIT")
    end = time.monotonic()
    db.close()
    return end - start, end - inside


def prepare(hm, env, source, path, rows, results):
    """A copy of a swept store, and one for the peer."""
    file = os.path.join(path, "hmirror.db")
    os.makedirs(path)
    shutil.copy(os.path.join(source, "hmirror.db"), path)
    subprocess.run([hm, "-q", "sweep"], cwd=path, env=env, check=True, capture_output=True)
    before = os.path.getsize(file)
    _, inside = add(hm, env, path, "x", "first")
    grown = os.path.getsize(file) - before
    name = f"first write, {rows} rows"
    results[name] = {"inside_s": round(inside, 3), "index_mb": round(grown / 1e6, 1)}
    print(f"{name:<58} {inside:9.3f}                      the file grows by {100 * grown / before:.0f} %", flush=True)
    shutil.copytree(path, path + "-peer")
    db = sqlite3.connect(os.path.join(path + "-peer", "hmirror.db"))
    db.execute("UPDATE swept SET version = NULL")
    db.commit()
    db.close()


def measure(hm, env, work, stores, runs, results):
    """stores: rows -> folder. In turns, so that a slow moment of the disk meets all of them."""
    small, large = sorted(stores)
    times, paths = {}, {rows: os.path.join(work, f"writes{rows}") for rows in stores}
    for rows, source in sorted(stores.items()):
        for path in (paths[rows], paths[rows] + "-peer"):
            shutil.rmtree(path, ignore_errors=True)
        prepare(hm, env, source, paths[rows], rows, results)
    for n in range(10 * runs):
        for rows, path in paths.items():
            times.setdefault((rows, "new slot"), []).append(add(hm, env, path, f"value {n}", f"new {n}"))
            times.setdefault((rows, "contradicted"), []).append(add(hm, env, path, f"{1000 + n} kg", f"mass {n % 8}"))   # reads the units: 4 ms
            times.setdefault((rows, "plain"), []).append(plain_insert(path + "-peer", n))
    inside = {}
    for (rows, kind), r in times.items():
        wall, inside[rows, kind] = (statistics.median(x) for x in zip(*r))
        name = f"  peer: SQLite alone, the same row, {rows} rows" if kind == "plain" else f"add a fact, {kind}, {rows} rows"
        results[name] = {"wall_s": round(wall, 5), "inside_ms": round(inside[rows, kind] * 1000, 3), "runs": len(r)}
        print(f"{name:<58} {wall:9.4f}                      inside {inside[rows, kind] * 1000:.2f} ms", flush=True)
    for kind in ("new slot", "contradicted"):
        by_size, by_peer = inside[large, kind] / inside[small, kind], inside[large, kind] - inside[large, "plain"]
        results[f"add, {kind}: time inside, {large} rows over {small}"] = {"ratio": round(by_size, 2), "want": "about 1"}
        results[f"add, {kind}: added latency over SQLite alone"] = {"ms": round(1000 * by_peer, 3)}
        print(f"{f'add, {kind}: time inside, {large} rows over {small}':<58} {by_size:9.2f}x                     want about 1")
        print(f"{f'add, {kind}: added latency over SQLite alone':<58} {1000 * by_peer:9.2f} ms", flush=True)
