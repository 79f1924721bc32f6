#!/usr/bin/env python3
"""hmirror beside its peers, in the same run: bench.py BUILD [RUNS]

Prints a table and writes BUILD/bench/bench.json. Every figure is of a whole
process: median over RUNS (3) of wall seconds, CPU seconds, peak memory of the
largest process. Compare ratios, not seconds: machines differ."""
import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import time

import asking
import changing
import crowd
import generate
import relations
import serving
import writing

BUILD = os.path.abspath(sys.argv[1])
RUNS = int(sys.argv[2]) if len(sys.argv) > 2 else 3
WORK = os.path.join(BUILD, "bench")
WORLD = 50_000
ASIDE = os.path.join(WORK, "aside")
HM = os.path.join(BUILD, "hmirror")
ENV = {"PATH": os.environ["PATH"], "HOME": WORK, "USER": "bench", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
       "GIT_AUTHOR_NAME": "b", "GIT_AUTHOR_EMAIL": "b@b", "GIT_COMMITTER_NAME": "b", "GIT_COMMITTER_EMAIL": "b@b"}
results = {}
EXTRACTING = """SELECT slot FROM (
  SELECT project || ' ' || substr(content, 1, instr(content, ' is ') - 1) AS slot, substr(content, instr(content, ' is ') + 4) AS value
    FROM memories WHERE status = 'active' AND memory_type = 'knowledge' UNION ALL
  SELECT project || ' ' || json_extract(properties, '$.parameter_name'), json_extract(properties, '$.value') FROM entities WHERE status = 'active'
  UNION ALL SELECT project || ' ' || key, value FROM project_state WHERE status = 'active')
  GROUP BY slot HAVING count(DISTINCT value) > 1"""


def once(cmd, cwd):
    """One run: (wall s, CPU s, peak MB)."""
    os.sync()
    start = time.monotonic()
    p = subprocess.Popen(cmd, cwd=cwd, env=ENV, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    err = p.stderr.read()
    _, status, ru = os.wait4(p.pid, 0)
    wall = time.monotonic() - start
    p.returncode = os.waitstatus_to_exitcode(status)
    if p.returncode != 0:
        sys.exit(f"bench: {' '.join(cmd)}: exit {p.returncode}: {err.decode()[-2000:]}")
    return wall, ru.ru_utime + ru.ru_stime, ru.ru_maxrss / 1024


def median(name, runs, note=""):
    wall, cpu, mem = (statistics.median(x) for x in zip(*runs))
    results[name] = {"wall_s": round(wall, 3), "cpu_s": round(cpu, 3), "peak_mb": round(mem, 1), "runs": len(runs), "note": note}
    print(f"{name:<58} {wall:9.3f} {cpu:9.3f} {mem:9.1f}  {note}", flush=True)
    return results[name]


def ratio(name, value, want):
    results[name] = {"ratio": round(value, 2), "want": want}
    print(f"{name:<58} {value:9.2f}x                     want {want}", flush=True)


def store(folder, projects, rows):
    path = os.path.join(WORK, folder)
    if not os.path.exists(os.path.join(path, "hmirror.db")):
        os.makedirs(path, exist_ok=True)
        generate.write(os.path.join(path, "facts.jsonl"), projects, rows)
        once([HM, "init"], path)
        once([HM, "-q", "import", "facts.jsonl"], path)
        generate.live(HM, path, ENV)
    return path


def fresh(*paths):
    """Out of the way, not deleted: for a minute after it deleted files, ext4 is many times slower at making new ones."""
    os.makedirs(ASIDE, exist_ok=True)
    for p in paths:
        if os.path.exists(p):
            os.rename(p, os.path.join(ASIDE, str(time.time_ns())))


def sweeps():
    rates = {}
    for rows in (10 ** 4, 10 ** 5, 10 ** 6):
        path = store(f"rows{rows}", max(10, rows // 200), rows)
        once([HM, "sweep"], path)
        runs = [once([HM, "sweep"], path) for _ in range(RUNS)]
        r = median(f"sweep, {rows} rows", runs, f"{rows / statistics.median(x[0] for x in runs):,.0f} rows/s")
        rates[rows] = rows / r["wall_s"]
    ratio("sweep: time per row, 10^6 rows over 10^5 rows", rates[10 ** 5] / rates[10 ** 6], "about 1 (linear)")
    peer = os.path.join(WORK, "peer.db")
    if os.path.exists(peer):
        os.unlink(peer)
    db = sqlite3.connect(peer)
    db.execute("CREATE TABLE facts(id TEXT PRIMARY KEY, slot TEXT, value TEXT)")

    def flat():
        with open(os.path.join(WORK, "rows1000000", "facts.jsonl")) as f:
            for line in f:
                r = json.loads(line)
                if r.get("status") != "active":
                    continue
                if r["kind"] == "memory":
                    key, _, value = r["content"].partition(" is ")
                elif r["kind"] == "entity":
                    key, value = r["properties"]["parameter_name"], r["properties"]["value"]
                elif r["kind"] == "project_state":
                    key, value = r["key"], r["value"]
                else:
                    continue
                yield r["id"], f"{r['project']} {key}", value
    db.executemany("INSERT INTO facts VALUES(?,?,?)", flat())
    db.commit()
    db.close()
    query = "SELECT slot FROM facts GROUP BY slot HAVING count(DISTINCT value) > 1"
    a, b, c = [], [], []
    for _ in range(RUNS):
        a.append(once([HM, "sweep"], os.path.join(WORK, "rows1000000")))
        b.append(once(["sqlite3", peer, query], WORK))
        c.append(once(["sqlite3", "-readonly", os.path.join(WORK, "rows1000000", "hmirror.db"), EXTRACTING], WORK))
    x, y = median("sweep, 10^6 rows", a), median("  peer: sqlite3, GROUP BY slot on extracted values", b)
    z = median("  peer: sqlite3, the same on the store's own tables", c, "it extracts slots and values too, as a sweep does")
    ratio("sweep: our time over the peer's, values extracted before", x["wall_s"] / y["wall_s"], "")
    ratio("sweep: our time over the peer's, on the store", x["wall_s"] / z["wall_s"], "at most 1.5")


def texts():
    """Memories of prose, read and put into stories on one core (texts.c). Every run says the same claims and conflicts."""
    rates = {}
    for rows in (10 ** 5, 10 ** 6):
        runs = [subprocess.run([os.path.join(BUILD, "texts"), str(rows)], env=ENV, check=True, capture_output=True, text=True).stdout.split()
                for _ in range(RUNS)]
        reading, arcs = (statistics.median(float(r[i]) for r in runs) for i in (1, 2))
        rates[rows] = rows / (reading + arcs)
        results[f"texts, {rows} memories"] = {"cpu_s": round(reading + arcs, 3), "reading_s": reading, "arcs_s": arcs, "runs": RUNS}
        print(f"{f'texts, {rows} memories, one core: claims and stories':<58} {reading + arcs:19.3f}            "
              f"{rates[rows]:,.0f} rows/s, {int(runs[0][3]):,} claims, {int(runs[0][4]):,} conflicts", flush=True)
    ratio("texts: time per row, 10^6 memories over 10^5", rates[10 ** 5] / rates[10 ** 6], "about 1 (linear)")
    ratio("texts: rows a second over 200,000", rates[10 ** 6] / 200_000, "at least 1")


def hugo_site(path):
    """The same Markdown for Hugo, with a plain layout: README.md is its index."""
    site = os.path.join(WORK, "hugo")
    fresh(site)
    os.makedirs(os.path.join(site, "layouts", "_default"))
    for name in ("single", "list"):
        with open(os.path.join(site, "layouts", "_default", name + ".html"), "w") as f:
            f.write("<!doctype html><html><head><title>{{ .Title }}</title></head><body>{{ .Content }}</body></html>")
    with open(os.path.join(site, "config.toml"), "w") as f:
        f.write('baseURL = "https://example.org/"\ndisableKinds = ["taxonomy", "term", "RSS", "sitemap", "404"]\n')
    n = 0
    for d, _, names in os.walk(path):
        for name in names:
            if name.endswith(".md"):
                rel = os.path.relpath(d, path)
                to = os.path.join(site, "content", rel)
                os.makedirs(to, exist_ok=True)
                shutil.copy(os.path.join(d, name), os.path.join(to, "_index.md" if name == "README.md" else name))
                n += 1
    return site, n


def builds():
    path = store("pages", 1000, 200000)
    once([HM, "sweep"], path)
    site = os.path.join(path, "site")
    fresh(site)
    once([HM, "-q", "build"], path)
    hugo, pages = hugo_site(site)
    size = sum(os.path.getsize(os.path.join(d, n)) for d, _, ns in os.walk(site) for n in ns)
    print(f"{pages} pages, Markdown and HTML {size / 1e6:.0f} MB; the same Markdown for hugo")
    a, b = [], []
    for _ in range(RUNS):
        fresh(site, os.path.join(hugo, "public"))
        a.append(once([HM, "-q", "build"], path))
        b.append(once(["hugo", "--quiet"], hugo))
    x, y = median("cold build: sweep, Markdown and HTML, written", a), median("  peer: hugo, HTML of the same Markdown", b)
    ratio("cold build: pages per second over hugo's", y["wall_s"] / x["wall_s"], "at least 3.5")
    ratio("cold build: hugo's CPU time over ours", y["cpu_s"] / x["cpu_s"], "at least 4")
    ratio("cold build: hugo's peak memory over ours", y["peak_mb"] / x["peak_mb"], "")


def publications():
    path = store("pages", 1000, 200000)
    repo, site, peer = os.path.join(path, "mirror.git"), os.path.join(path, "site"), os.path.join(WORK, "git")
    a, b, c = [], [], []
    for i in range(RUNS):
        fresh(repo, peer)
        a.append(once([HM, "-q", "publish"], path))
        shutil.copytree(site, peer)
        once(["git", "init", "-q"], peer)
        once(["git", "config", "core.fsync", "all"], peer)
        once(["git", "config", "core.fsyncMethod", "fsync"], peer)
        b.append(once(["sh", "-c", "git add -A && git commit -q -m x"], peer))
        if i == 0:
            c = [once([HM, "-q", "build"], path) for _ in range(RUNS)]
    x = median("publish, first: sweep, pages, pack, fsync, ref", a)
    y = median("  peer: git add -A && git commit, core.fsync=all", b, "files are there already")
    ratio("publish: git's time over ours (ours renders as well)", y["wall_s"] / x["wall_s"], "at least 3")


def history():
    """The example, and a thousand publications on top of it."""
    path = os.path.join(WORK, "history")
    example = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "site-example")
    fresh(path)
    shutil.copytree(example, path)
    once([HM, "-q", "import", *(os.path.join("facts", f) for f in sorted(os.listdir(os.path.join(path, "facts"))))], path)
    once([HM, "-q", "import", "change.jsonl", "--source", "4-polisher.jsonl"], path)
    once([HM, "-q", "publish"], path)
    generate.publications(os.path.join(path, "mirror.git"), 1000)
    git = ["git", "-C", "mirror.git"]
    x = median("log, 1,000 publications", [once([HM, "log"], path) for _ in range(RUNS)])
    median("log of one slot", [once([HM, "log", "p06 / spindle_speed"], path) for _ in range(RUNS)])
    median("diff over 900 of them", [once([HM, "diff", "mirror~900"], path) for _ in range(RUNS)])
    y = median("  peer: git log --stat", [once([*git, "log", "--stat", "mirror"], path) for _ in range(RUNS)])
    z = median("  peer: git log -p", [once([*git, "log", "-p", "mirror"], path) for _ in range(RUNS)])
    ratio("log: git log --stat's time over ours", y["wall_s"] / x["wall_s"], "at least 1")
    ratio("log: git log -p's time over ours", z["wall_s"] / x["wall_s"], "at least 1")


def answers():
    stores = {rows: store(f"rows{rows}", max(10, rows // 200), rows) for rows in (10 ** 4, 10 ** 6)}
    for path in stores.values():
        once([HM, "sweep"], path)
    crowd.measure(HM, ENV, WORK, stores[10 ** 4], results)
    writing.measure(HM, ENV, WORK, stores, RUNS, results)
    asking.measure(HM, ENV, WORK, stores, RUNS, results)
    serving.measure(HM, ENV, stores, results)


def worlds():
    """A small world of relations; relations.py alone makes a large one."""
    counts, answers, t = relations.measure(BUILD, WORLD)
    name = f"sweep, a world of about {WORLD:,} relations"
    results[name] = dict(zip(("wall_s", "cpu_s", "peak_mb"), t[:3]), counts=counts)
    differ = sorted(k for other in answers for k in set(counts) | set(other) if counts.get(k) != other.get(k))
    assert not differ, f"{name}: not all find the same: {differ}"


def checks():
    """The gate beside a build that writes nothing new: both sweep and render all pages."""
    path = store("pages", 1000, 200000)
    with open(os.path.join(path, "leaks.yml"), "w") as f:
        f.write("publish:\n  exclude:\n    types: [Parameter]\n")
    once([HM, "-q", "publish"], path)
    a, b, c, d = [], [], [], []
    for _ in range(RUNS):
        fresh(os.path.join(path, "site"))
        a.append(once([HM, "-q", "build"], path))
        b.append(once([HM, "-q", "check", "--format", "sarif"], path))
        c.append(once([HM, "-q", "--config", "leaks.yml", "check"], path))
        d.append(once([HM, "-q", "verify"], path))
    x, y = median("cold build, for the gate", a), median("check: every link, anchor and marker, nothing written", b)
    ratio("check: its CPU time over the build's", y["cpu_s"] / x["cpu_s"], "under 2")
    median("check, a type left out: 50,000 rows searched for", c)
    median("verify: every file hashed and compared", d)


def main():
    os.makedirs(WORK, exist_ok=True)
    with open("/proc/cpuinfo") as f:
        model = next((x.split(":")[1].strip() for x in f if x.startswith("model name")), "?")
    print(f"{os.cpu_count()} cores, {model}; median of {RUNS} runs; load of the machine before: {os.getloadavg()[0]:.1f}")
    print(f"{'':<58} {'wall s':>9} {'CPU s':>9} {'peak MB':>9}")
    sweeps()
    texts()
    builds()
    publications()
    changing.measure(sys.modules[__name__])
    checks()
    worlds()
    history()
    answers()
    out = os.path.join(WORK, "bench.json")
    with open(out, "w") as f:
        json.dump(results, f, indent=1)
    print(f"JSON: {os.path.relpath(out)}")
    shutil.rmtree(ASIDE, ignore_errors=True)


main()
