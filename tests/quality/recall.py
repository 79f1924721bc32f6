#!/usr/bin/env python3
"""How well recall finds.

  recall.py HMIRROR         prints hit@5 and mean reciprocal rank of lexical, likeness and hybrid

Queries are those of README.md, with the vectors, weights and k of the program's own
defaults; "second" is the set that only confirms. Intervals are Wilson's, 95 %. The found half
needs HM_SHARED_DATA. Exit code 1 where hybrid finds less than lexical, on either set; where it finds
less than likeness, that is said.
"""
import collections
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from interval import wilson

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.environ.get("HM_SHARED_DATA", "")
CLOCK = "2026-12-01T00:00:00Z"
MODES = {"lexical": ("--weights", "likeness=0,recency=0,importance=0"),
         "likeness": ("--mode", "likeness"), "hybrid": ()}
K = 20
SETS = {"all": "recall-queries.jsonl", "second": "recall-queries-second.jsonl"}


def lines(path):
    with open(path, encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def run(hmirror, folder, *args):
    done = subprocess.run([hmirror, "-C", folder, *args], capture_output=True, text=True, timeout=120)
    if done.returncode > 1:
        sys.exit(f"quality: hmirror {' '.join(args)}: {done.stderr}")
    return done.stdout


def share(hits, n):
    if not n:
        return "none"
    low, high = wilson(hits, n)
    return f"{hits / n:.3f} [{low:.3f}, {high:.3f}] of {n}"


def memory(row, id=None):
    """A record of the labelled set as a line of an import."""
    row = dict(row, kind="memory", content=row["text"])
    del row["text"]
    if id:
        row["id"] = id
    if "time" in row:
        row["created_at"] = row.pop("time")
    row.setdefault("memory_type", "knowledge")
    return row


def store(hmirror, folder, rows):
    run(hmirror, folder, "init", "-q")
    path = os.path.join(folder, "facts.jsonl")
    with open(path, "w", encoding="utf-8") as f:
        f.writelines(json.dumps(r) + "\n" for r in rows)
    run(hmirror, folder, "import", "-q", path)


def ranking(hmirror, folder, query, mode):
    out = run(hmirror, folder, "recall", "-q", "--format", "json", "--clock", CLOCK, "-k", str(K), *MODES[mode], "--", query)
    return [h["ref"].split(":", 1)[1] for h in json.loads(out)["hits"]]


def rank(q, ids):
    ids = [i for i in ids if i in q["answers"] or i not in q.get("may", ())]
    return next((n for n, i in enumerate(ids, 1) if i in q["answers"]), 0)


def recall(hmirror):
    queries = [dict(q, set=name) for name, path in SETS.items() for q in lines(os.path.join(HERE, path))]
    with tempfile.TemporaryDirectory() as top:
        halves = {"written": [memory(r) for r in lines(os.path.join(HERE, "recall-corpus.jsonl"))]}
        if DATA:
            halves["found"] = [r for n in ("notes.jsonl", "peps.jsonl") for r in lines(os.path.join(DATA, n))]
        else:
            print("the found half is skipped: HM_SHARED_DATA is not set")
        for half, rows in halves.items():
            os.mkdir(os.path.join(top, half))
            store(hmirror, os.path.join(top, half), rows)
            run(hmirror, os.path.join(top, half), "recall", "-q", "anything")
        asked = [q for q in queries if q["half"] in halves]
        groups = collections.defaultdict(list)
        with ThreadPoolExecutor(2) as pool:
            for mode in MODES:
                answers = pool.map(lambda q: ranking(hmirror, os.path.join(top, q["half"]), q["query"], mode), asked)
                for q, ids in zip(asked, answers):
                    r = rank(q, ids)
                    of = (q["half"], q["kind"], q["half"] + " " + q["kind"]) if q["set"] == "all" else ("second " + q["kind"],)
                    for group in (q["set"],) + of:
                        groups[group, mode].append(r)
                    if os.environ.get("HM_QUALITY_MISSES") and not 0 < r <= 5:
                        print("missed", mode, q["id"], q["kind"], q["query"], ids[:3])
    figures = {}
    for group in dict.fromkeys(g for g, _ in groups):
        for mode in MODES:
            ranks = groups[group, mode]
            hits, mrr = sum(0 < r <= 5 for r in ranks), sum(1 / r for r in ranks if r) / len(ranks)
            figures[group, mode] = hits, mrr
            print(f"{group:20} {mode:9} hit@5 {share(hits, len(ranks))}  MRR {mrr:.3f}")
    worse = dict.fromkeys((group, mode) for group, mode in figures if group in SETS
                          for k in (0, 1) if figures[group, "hybrid"][k] < figures[group, mode][k])
    for group, mode in worse:
        print(f"quality: on the set '{group}' hybrid finds less than {mode} alone")
    return 1 if any(mode == "lexical" for _, mode in worse) else 0


if __name__ == "__main__":
    sys.exit(recall(os.path.abspath(sys.argv[1])))
