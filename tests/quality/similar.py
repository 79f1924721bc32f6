#!/usr/bin/env python3
"""Scores what the command finds in similar memories against similar-pairs.jsonl.

  similar.py HMIRROR            precision and recall of each kind, by half
  similar.py HMIRROR --show     also each pair with a fault
  similar.py HMIRROR --only ID  one pair, its rows, and what is found

A pair is a project of one store (two, where its sides name two), since what two memories are to
each other depends on no third one. The found half is read by HM_SHARED_DATA and skipped, in words,
where that is not set. The clock is that of the queries.
"""
import collections
import json
import os
import subprocess
import sys
import tempfile

from interval import wilson

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.environ.get("HM_SHARED_DATA", "")
NOW = "1796083200"  # 2026-12-01T00:00:00Z
KINDS = {"possible_duplicate": "duplicate", "possible_contradiction": "contradiction"}
PLAIN = ("scope", "agent", "tags", "polarity", "valid_from", "valid_until", "status",
         "superseded_by", "memory_type", "importance")


def load(path):
    with open(path, encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def data_rows():
    rows = {}
    for name in ("notes.jsonl", "peps.jsonl"):
        rows.update((r["id"], r) for r in load(os.path.join(DATA, name)) if "id" in r)
    return rows


def record(side, rows, later):
    if "row" in side:
        return dict(rows[side["row"]])
    r = {"kind": "memory", "memory_type": "knowledge", "content": side["text"]}
    r.update({key: side[key] for key in PLAIN if key in side})
    r["created_at"] = side.get("time", "2026-06-01T09:00:00Z" if later else "2026-05-01T09:00:00Z")
    return r


def lines_of(pair, rows):
    sides, out, ids, projects = (pair["a"], pair["b"]), [], {}, {}
    for k, side in enumerate(sides):
        r = record(side, rows, k)
        own = side.get("id", r.get("id", "ab"[k]))
        ids[own] = f"{pair['id']}-{'ab'[k]}"
        project = side.get("project", r.get("project", ""))
        project = projects.setdefault(project, pair["id"] + "x" * len(projects))
        r["id"], r["project"] = ids[own], project
        if r["kind"] == "entity":
            r.pop("memory_type", None)
        out.append(r)
    links = []
    for r, side in zip(out, sides):
        if r.get("superseded_by"):
            r["superseded_by"] = ids.get(r["superseded_by"], r["superseded_by"])
        links += [{"kind": "link", "src": "memory:" + r["id"], "dst": "memory:" + ids[d],
                   "rel": "derived_from"} for d in side.get("derived_from", [])]
    return [{"kind": "project", "id": p, "name": p} for p in projects.values()] + out + links


def run(program, folder, *args):
    p = subprocess.run([program, *args], cwd=folder, capture_output=True, text=True, check=False,
                       env={**os.environ, "SOURCE_DATE_EPOCH": NOW})
    if p.returncode not in (0, 1):
        sys.exit(f"quality: hmirror {' '.join(args)}: {p.stderr}")
    return p.stdout


def found_in(program, lines):
    """By pair: the kinds of its findings, and whether claims report a conflict."""
    with tempfile.TemporaryDirectory(prefix="hm-quality-") as folder:
        with open(os.path.join(folder, "rows.jsonl"), "w", encoding="utf-8") as f:
            f.writelines(json.dumps(line) + "\n" for line in lines)
        run(program, folder, "import", "rows.jsonl")
        run(program, folder, "sweep")
        conflicts = json.loads(run(program, folder, "--format", "json", "conflicts", "list"))
        findings = json.loads(run(program, folder, "--format", "json", "findings"))
    found = collections.defaultdict(dict)
    for f in findings["findings"]:
        if f["kind"] in KINDS:
            found[f["project"].rstrip("x")][KINDS[f["kind"]]] = f["reason"]
    claimed = {c["project"].rstrip("x") for c in conflicts["conflicts"]}
    return found, claimed


class Score:
    """Of one kind: findings that are right and wrong; labels that are missed."""

    def __init__(self):
        self.right = self.wrong = self.missed = 0

    def line(self):
        flagged, labelled = self.right + self.wrong, self.right + self.missed
        p, r = wilson(self.right, flagged), wilson(self.right, labelled)
        share = lambda hits, n: f"{hits / n:6.3f}" if n else "     -"
        return (f"precision {share(self.right, flagged)} ({self.right}/{flagged}, "
                f"{p[0]:.3f} to {p[1]:.3f})  recall {share(self.right, labelled)} "
                f"({self.right}/{labelled}, {r[0]:.3f} to {r[1]:.3f})")


def fault_of(pair, found, claimed, scores, far):
    """Counts the pair; what is wrong with it, in words."""
    label, faults = pair["label"], []
    for kind in KINDS.values():
        if kind == label:
            missed = kind not in found
            score = far if missed and pair.get("far") else scores[kind]
            if not missed:
                score.right += 1
            elif not (kind == "contradiction" and claimed):
                score.missed += 1
            if missed and not pair.get("far") and not claimed:
                faults.append("missed")
        elif kind in found and not (kind == "duplicate" and pair.get("may") == "duplicate"):
            scores[kind].wrong += 1
            faults.append("false " + kind)
    if label == "contradiction" and label in found and found[label] != pair["reason"]:
        faults.append("its reason is " + found[label])
    return ", ".join(faults)


def main():
    program, show = os.path.abspath(sys.argv[1]), "--show" in sys.argv
    only = sys.argv[sys.argv.index("--only") + 1] if "--only" in sys.argv else None
    rows = data_rows() if DATA else {}
    pairs = load(os.path.join(HERE, "similar-pairs.jsonl"))
    readable = [p for p in pairs if DATA or not ("row" in p["a"] or "row" in p["b"])]
    if len(readable) < len(pairs):
        print(f"similar pairs: {len(pairs) - len(readable)} of the data are skipped: "
              "HM_SHARED_DATA is not set")
    readable = [p for p in readable if only in (None, p["id"])]
    found, claimed = found_in(program, [l for p in readable for l in lines_of(p, rows)])
    scores = collections.defaultdict(lambda: collections.defaultdict(Score))
    far, wrong_reasons = Score(), 0
    for p in readable:
        fault = fault_of(p, found[p["id"]], p["id"] in claimed, scores[p["half"]], far)
        wrong_reasons += "reason" in fault
        if (show and fault) or only:
            print(f"{p['id']} {p['label']} {p.get('reason', p.get('kind', ''))}: {fault or 'fine'}")
            for side in lines_of(p, rows)[1:]:
                print(f"    {side.get('content', side)}")
    for kind in KINDS.values():
        whole = Score()
        for half in ("written", "mixed", "found"):
            s = scores[half][kind]
            whole.right, whole.wrong = whole.right + s.right, whole.wrong + s.wrong
            whole.missed += s.missed
            print(f"similar  {kind:13}  {half:7}  {s.line()}")
        print(f"similar  {kind:13}  all      {whole.line()}")
    print(f"similar  {len(readable)} pairs; {far.missed} duplicates in other words are not found; "
          f"{wrong_reasons} contradictions have another reason")


if __name__ == "__main__":
    main()
