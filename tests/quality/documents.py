#!/usr/bin/env python3
"""Scores what a check finds in small projects of which one pair of lines contradicts itself, or only seems to.

  documents.py HMIRROR          what was told of each topic, and look-alikes that were told
  documents.py HMIRROR --show   also each contradiction that was missed, each look-alike that was told

Authors who had not seen the code wrote and labelled the projects (documents-written.jsonl) before
anything was run: "a" and "b" are the two lines. One is told if one result names both, give or take
a line.
"""
import collections
import json
import os
import subprocess
import sys
import tempfile

from interval import wilson

HERE = os.path.dirname(os.path.abspath(__file__))
TOPICS = {"tools by role": "tools", "decision records": "decisions", "adr": "decisions", "records": "decisions", "package-manager": "commands",
          "durations": "limits", "lifetimes": "limits", "timeouts": "limits", "sizes": "limits"}


def topic_of(case):
    topic = case["topic"].split(" (")[0].split(",")[0]
    return TOPICS.get(topic, topic)


def check(hmirror, case):
    with tempfile.TemporaryDirectory() as folder:
        for path, text in case["files"].items():
            at = os.path.join(folder, path)
            os.makedirs(os.path.dirname(at), exist_ok=True)
            with open(at, "w", encoding="utf-8") as f:
                f.write(text)
        r = subprocess.run([hmirror, "check", "--no-git", "--format", "json", "."], cwd=folder, capture_output=True, check=False)
    if r.returncode not in (0, 1):
        sys.exit(f"{case['id']}: exit {r.returncode}: {r.stderr.decode()}")
    return json.loads(r.stdout)["results"]


def names(result, place):
    return any(s["path"] == place["file"] and abs((s["line"] or -9) - place["line"]) <= 1 for s in result["sides"])


def main():
    hmirror, show = os.path.abspath(sys.argv[1]), "--show" in sys.argv
    told = {"contradiction": collections.Counter(), "lookalike": collections.Counter()}
    total = {kind: collections.Counter() for kind in told}
    with open(os.path.join(HERE, "documents-written.jsonl"), encoding="utf-8") as f:
        cases = [json.loads(line) for line in f]
    for case in cases:
        found = any(names(r, case["a"]) and names(r, case["b"]) for r in check(hmirror, case))
        total[case["kind"]][topic_of(case)] += 1
        told[case["kind"]][topic_of(case)] += found
        if show and found != (case["kind"] == "contradiction"):
            print("told" if found else "missed", case["id"], topic_of(case), case["what"], sep="\t")
    print("contradictions of two documents, told, by topic:")
    for topic, n in sorted(total["contradiction"].items()):
        print(f"  {topic:12} {told['contradiction'][topic]:4} of {n}")
    for kind, words in (("contradiction", "contradictions that were told"), ("lookalike", "look-alikes that were told")):
        hits, n = sum(told[kind].values()), sum(total[kind].values())
        low, high = wilson(hits, n)
        print(f"{words}: {hits} of {n}, {hits / n:.2f} ({low:.2f} to {high:.2f})")


if __name__ == "__main__":
    main()
