#!/usr/bin/env python3
"""How long a question takes in a running server, beside plain FTS5 on the same rows.

  recall.py HMIRROR [ROWS]     100,000 rows, made of words of a fixed list and drawn by a fixed seed

Prints the median and the 99th percentile of GET /recall over one kept connection, each question
another one; of the same where a memory is written before each question; and of SELECT ... MATCH ... ORDER BY bm25() with the same words.
"""
import http.client
import json
import os
import random
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.parse

QUESTIONS = 500
WRITES = 200


def vocabulary(n):
    """Made-up words, some of them much more frequent than others, as in a language."""
    draw = random.Random(7)
    parts = "ba be bo ca co da de di fa fe ga go ha hi ka ke la li lo ma me mi na no pa pe po ra re ri ro sa se si ta te ti to va ve vi".split()
    words = set()
    while len(words) < n:
        words.add("".join(draw.choice(parts) for _ in range(draw.randint(2, 4))))
    return sorted(words, key=lambda w: draw.random())


def texts(rows):
    draw, words = random.Random(11), vocabulary(20000)
    weights = [1 / (i + 3) for i in range(len(words))]
    total, cumulative = 0, []
    for w in weights:
        total += w
        cumulative.append(total)
    return [" ".join(draw.choices(words, cum_weights=cumulative, k=draw.randint(8, 30))) + f" #{i}" for i in range(rows)]


def cpu(pid):
    """Seconds of the processor that a process has used: what others do on the machine is not in it."""
    fields = open(f"/proc/{pid}/stat").read().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def told(name, times):
    times = sorted(times)
    print(f"{name:22} median {times[len(times) // 2] * 1e3:7.2f} ms   99 % {times[len(times) * 99 // 100] * 1e3:7.2f} ms")


def main():
    hmirror, rows = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 100000
    all, draw = texts(rows), random.Random(13)
    questions = []
    for _ in range(QUESTIONS):
        t = draw.choice(all).split()
        questions.append(" ".join(draw.sample(t, min(len(t), draw.randint(2, 6)))))
    with tempfile.TemporaryDirectory() as d:
        subprocess.run([hmirror, "-C", d, "init", "-q"], check=True)
        with open(d + "/f.jsonl", "w") as f:
            for i, t in enumerate(all):
                f.write(json.dumps({"kind": "memory", "id": f"m{i}", "memory_type": "knowledge", "project": f"p{i % 40}",
                                    "content": t, "created_at": f"2026-{1 + i % 9:02}-01T00:00:00Z"}) + "\n")
        subprocess.run([hmirror, "-C", d, "import", "-q", d + "/f.jsonl"], check=True)
        server = subprocess.Popen([hmirror, "-C", d, "serve", "--api-only", "-p", "0"], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True)
        try:
            port = int(re.search(r":(\d+)", server.stdout.readline())[1])
            c = http.client.HTTPConnection("127.0.0.1", port)

            def ask(q):
                began = time.perf_counter()
                c.request("GET", "/recall?query=" + urllib.parse.quote(q))
                r = c.getresponse()
                body = r.read()
                assert r.status == 200, body
                return time.perf_counter() - began

            print(f"{'the first question':22} {ask('first') * 1e3:14.0f} ms")
            before = cpu(server.pid)
            told("GET /recall", [ask(q) for q in questions])
            print(f"{'':22} of which processor {(cpu(server.pid) - before) / QUESTIONS * 1e3:7.2f} ms on average")

            def write(i):
                body = json.dumps({"memory_type": "knowledge", "project": f"p{i % 40}", "content": f"{all[i * 7]} once more, {i}"})
                c.request("POST", "/memory", body, {"Content-Type": "application/json"})
                r = c.getresponse()
                answer = r.read()
                assert r.status in (200, 201), answer

            times, used = [], 0
            for i, q in enumerate(questions[:WRITES + 1]):
                write(i)
                before = cpu(server.pid)
                times.append(ask(q))
                used += cpu(server.pid) - before
            print(f"{'the first after writes':22} {times[0] * 1e3:14.0f} ms")
            told("GET after a write", times[1:])
            print(f"{'':22} of which processor {used / len(times) * 1e3:7.2f} ms on average")
        finally:
            server.terminate()
            server.wait()
        db = sqlite3.connect(":memory:")
        db.execute("CREATE VIRTUAL TABLE f USING fts5(text, tokenize = 'porter unicode61')")
        db.executemany("INSERT INTO f (rowid, text) VALUES (?, ?)", enumerate(all, 1))
        times, before = [], time.process_time()
        for q in questions:
            began = time.perf_counter()
            match = " OR ".join(f'"{w}"' for w in re.findall(r"\w+", q))
            db.execute("SELECT rowid FROM f WHERE f MATCH ? ORDER BY bm25(f) LIMIT 5", (match,)).fetchall()
            times.append(time.perf_counter() - began)
        told("FTS5 bm25()", times)
        print(f"{'':22} of which processor {(time.process_time() - before) / QUESTIONS * 1e3:7.2f} ms on average")


if __name__ == "__main__":
    main()
