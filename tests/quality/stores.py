#!/usr/bin/env python3
"""Scores what a sweep finds in whole stores against the labels beside them.

  stores.py HMIRROR [NAME ...]          recall and precision of each store, of those that were read
                                        while the grammar was written, and of the others
  stores.py HMIRROR --show [NAME ...]   also each missed contradiction and each false alarm

A label is found when a disputed conflict, or a finding about more than one row that says that
something is wrong, holds two of its rows. Such a conflict or finding is right when it holds two
rows of a label "conflict"; one with two rows of a label "maybe" counts neither way; any other is a
false alarm. What a pair of two rows is not labelled as is "none"."""
import itertools
import json
import os
import subprocess
import sys
import tempfile

from interval import wilson

HERE = os.path.dirname(os.path.abspath(__file__))
STORES = os.path.join(HERE, "stores")
# Read while the grammar was written; nobody looked at the others.
SEEN = {"web-platform", "data-team", "mobile-app", "rover", "novel", "building", "notes-software",
        "notes-mount", "notes-plans"}
WRONG = {"anachronism", "ontology_violation", "possible_contradiction"}


def lines(name, file):
    with open(os.path.join(STORES, name, file), encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def pairs(rows):
    return {frozenset(p) for p in itertools.combinations(rows, 2)}


def flagged(hm, name):
    """(what, rows) of each conflict and finding of the store."""
    with tempfile.TemporaryDirectory() as folder:
        def run(*args):
            p = subprocess.run([hm, "-q", "-C", folder, *args], capture_output=True, text=True)
            if p.returncode not in (0, 1):
                sys.exit(f"stores: {name}: {' '.join(args)}: {p.stderr}")
            return p.stdout
        run("init")
        run("import", os.path.join(STORES, name, "facts.jsonl"))
        run("sweep")
        conflicts = json.loads(run("--format", "json", "conflicts", "list"))["conflicts"]
        findings = json.loads(run("--format", "json", "findings", "list"))["findings"]
    for c in conflicts:
        if c["disputed"]:
            said = " | ".join(str(m["value"]) for m in c["members"])
            yield (f"{c['slot_key'][-1]}: {said}",
                   [f"{m['member_kind']}:{m['member_id']}" for m in c["members"]])
    for f in findings:
        if f["kind"] in WRONG and len(f["rows"]) > 1:
            yield f"{f['rule']}: {f['message']}", f["rows"]


def score(hm, name, show):
    """(labels, found, flagged rightly, flagged wrongly)"""
    labels = lines(name, "labels.jsonl")
    wrong = [x for x in labels if x["label"] == "conflict"]
    maybe = set().union(*(pairs(x["rows"]) for x in labels if x["label"] == "maybe"))
    true = set().union(*(pairs(x["rows"]) for x in wrong))
    seen, right, false = set(), 0, []
    for what, rows in flagged(hm, name):
        held = pairs(rows)
        seen |= held
        right += bool(held & true)
        if not held & (true | maybe):
            false.append((what, rows))
    missed = [x for x in wrong if not pairs(x["rows"]) & seen]
    print(f"{name:<16} {len(wrong) - len(missed):3} of {len(wrong)} found, {len(false)} false alarms")
    if show:
        for what, rows in false:
            print(f"  false: {what}: {' '.join(rows)}")
        for x in missed:
            print(f"  missed: {x['why']}: {' '.join(x['rows'])}")
    return len(wrong), len(wrong) - len(missed), right, len(false)


def total(what, scores):
    n, found, right, false = map(sum, zip(*scores))
    for name, hits, of in (("recall", found, n), ("precision", right, right + false)):
        low, high = wilson(hits, of)
        print(f"{what:<16} {name:<9} {hits / max(1, of):.2f}  {hits} of {of}, {low:.2f} to {high:.2f}")


def main():
    args = [a for a in sys.argv[2:] if a != "--show"]
    names = args or sorted(os.listdir(STORES))
    scores = {n: score(os.path.abspath(sys.argv[1]), n, "--show" in sys.argv) for n in names}
    for what, group in (("seen", SEEN & scores.keys()), ("not seen", scores.keys() - SEEN)):
        for kind, notes in (("notes", True), ("prose", False)):
            some = [scores[n] for n in group if n.startswith("notes-") == notes]
            if some:
                total(f"{what}, {kind}", some)


main()
