#!/usr/bin/env python3
"""Scores what the command finds in pairs and stories against the labels of this folder.

  stories.py HMIRROR            precision and recall, by half and by kind
  stories.py HMIRROR --show     also each pair and story with a fault
  stories.py HMIRROR --only ID  one of them, its rows, and what is found

Each pair or story is a project of one store; its times are moved by some seconds, so that no two of
them share one. The found half is read by HM_SHARED_DATA and skipped, in words, where that is not
set. Stories of the status log need the types that are read to include episodic rows.
"""
import collections
import datetime
import json
import os
import subprocess
import sys
import tempfile

from interval import wilson

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.environ.get("HM_SHARED_DATA", "")
FORMAT = "%Y-%m-%dT%H:%M:%SZ"


def load(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def data_rows():
    rows, notes = {}, collections.defaultdict(list)
    for name in ("notes.jsonl", "peps.jsonl", "countries.jsonl"):
        path = os.path.join(DATA, name)
        if not os.path.exists(path):
            continue
        with open(path, encoding="utf-8") as f:
            for r in map(json.loads, f):
                if "id" in r:
                    rows[r["id"]] = r
    return rows


def moved(time, seconds):
    try:
        t = datetime.datetime.strptime(time, FORMAT)
    except (TypeError, ValueError):
        return time
    return (t + datetime.timedelta(seconds=seconds)).strftime(FORMAT)


def record(row, rows, later):
    """A row of a label as a line to import, without project and with its own id."""
    if isinstance(row, str):
        row = {"row": row}
    if "row" in row:
        return dict(rows[row["row"]])
    if "key" in row:
        r = {"kind": "project_state", "category": "fact", "key": row["key"], "value": row["value"]}
    else:
        r = {"kind": "memory", "memory_type": row.get("memory_type", "knowledge"),
             "content": row["text"]}
        for key in ("agent", "scope", "superseded_by"):
            if key in row:
                r[key] = row[key]
    for key in ("status", "id", "valid_from", "valid_until"):
        if key in row:
            r[key] = row[key]
    time = row.get("time", later)
    if time:
        r["created_at"] = time
    return r


def lines_of(case, number, rows):
    """The lines of a case, and for each of its rows the id in the store."""
    parts = [case["a"], case["b"]] if "a" in case else list(case["rows"])
    if "entity" in case:
        parts.append(case["entity"])
    projects, out, ids = {}, [], {}
    shift = not any(isinstance(p, str) for p in parts)
    for k, part in enumerate(parts):
        r = record(part, rows, None)
        name = r.get("id", "ab"[k] if "a" in case else str(k))
        ids[name] = f"q{number}-{name}"
        own = r.get("project") if isinstance(part, str) or "row" in part else part.get("project")
        project = projects.setdefault(own, f"q{number}" + "x" * len(projects))
        r["id"], r["project"] = ids[name], project
        if "created_at" in r and shift:
            r["created_at"] = moved(r["created_at"], number)
        out.append(r)
    for r in out:
        if r.get("superseded_by"):
            r["superseded_by"] = ids.get(r["superseded_by"], r["superseded_by"])
    return [{"kind": "project", "id": p, "name": p} for p in projects.values()] + out, ids


class Store:
    def __init__(self, program, episodic):
        self.program, self.dir = program, tempfile.mkdtemp(prefix="hm-quality-")
        self.lines = []
        if episodic:
            with open(os.path.join(self.dir, "mirror.yml"), "w", encoding="utf-8") as f:
                f.write("story:\n  types: [episodic]\n")

    def run(self, *args):
        p = subprocess.run([self.program, *args], cwd=self.dir, capture_output=True, text=True,
                           check=False)
        if p.returncode not in (0, 1):
            sys.exit(f"quality: hmirror {' '.join(args)}: {p.stderr}")
        return p.stdout

    def sweep(self):
        with open(os.path.join(self.dir, "rows.jsonl"), "w", encoding="utf-8") as f:
            f.writelines(json.dumps(line) + "\n" for line in self.lines)
        self.run("import", "rows.jsonl")
        self.run("sweep")
        conflicts = json.loads(self.run("--format", "json", "conflicts", "list"))["conflicts"]
        findings = json.loads(self.run("--format", "json", "findings"))["findings"]
        found = collections.defaultdict(lambda: ([], []))
        for c in conflicts:
            if c["status"] == "open" and c["disputed"]:
                found[c["project"].rstrip("x")][0].append(c)
        for f in findings:
            if f["rule"] == "story/stale":
                found[f["project"].rstrip("x")][1].append(f)
        return found


def verdict_of(case, conflicts, stale, ids):
    """What is wrong with what was found; empty: nothing."""
    label = case["label"]
    if label in ("none", "settled"):
        return "false alarm" if conflicts or (stale and label == "none") else ""
    if label == "conflict":
        return "" if conflicts else "missed"
    if label == "stale":
        if conflicts:
            return "false alarm"
        want = "memory:" + ids[case["stale"]]
        return "" if any(want in f["rows"] for f in stale) else "missed"
    if not conflicts:
        return "missed"
    if len(conflicts) > 1:
        return "more than one conflict"
    members = {m["member_id"] for m in conflicts[0]["members"]}
    if not {ids[m] for m in case["members"]} <= members:
        return "members are missing"
    reversal = conflicts[0]["rule"].startswith("story/reversal")
    return "" if reversal == (label == "reversal") else "another kind"


class Score:
    """Flagged cases that should be, and should not; cases that should be and are not."""

    def __init__(self):
        self.right = self.wrong = self.missed = self.clean = 0

    def add(self, label, fault):
        flagged_label = label not in ("none", "settled")
        if not flagged_label:
            self.clean += 1
            self.wrong += bool(fault)
        elif fault == "missed":
            self.missed += 1
        elif fault:
            self.wrong += 1
            self.missed += 1
        else:
            self.right += 1

    def line(self):
        flagged, all_of = self.right + self.wrong, self.right + self.missed
        p, r = wilson(self.right, flagged), wilson(self.right, all_of)
        show = lambda hits, n: f"{hits / n:6.3f}" if n else "     -"
        return (f"precision {show(self.right, flagged)} ({self.right}/{flagged}, "
                f"{p[0]:.3f} to {p[1]:.3f})  recall {show(self.right, all_of)} "
                f"({self.right}/{all_of}, {r[0]:.3f} to {r[1]:.3f})  clean {self.clean}")


def is_log(case):
    """Is it of the status log?"""
    rows = [case["a"], case["b"]] if "a" in case else case["rows"]
    return any(str(r.get("row") if isinstance(r, dict) else r).startswith("log") for r in rows)


def status_log(program):
    """The whole log in one store: how many proposals whose status came back are found."""
    store = Store(program, True)
    with open(os.path.join(DATA, "peps.jsonl"), encoding="utf-8") as f:
        store.lines = [json.loads(line) for line in f]
    stories = {s["entity"]: s for s in load("stories-found.jsonl") if s.get("entity", "").startswith("pep-")}
    back = {k for k, s in stories.items() if s["label"] == "reversal"}
    found, other = set(), []
    for conflicts, _ in store.sweep().values():
        for c in conflicts:
            scopes = {r["scope"] for r in store.lines
                      if r.get("id") in {m["member_id"] for m in c["members"]} and "scope" in r}
            if c["rule"].startswith("story/reversal") and scopes <= back:
                found |= scopes
            else:
                other.append((c["rule"], c["slot_key"], [m["value"] for m in c["members"]]))
    print(f"\nthe status log as one store: {len(found)} of {len(back)} proposals whose status came "
          f"back are found; {len(other)} other conflicts")
    return other, back - found


def main():
    program, show = os.path.abspath(sys.argv[1]), "--show" in sys.argv
    only = sys.argv[sys.argv.index("--only") + 1] if "--only" in sys.argv else ""
    rows = data_rows() if DATA else {}
    stores, cases = [Store(program, False), Store(program, True)], []
    for name in ("pairs-written", "pairs-mixed", "pairs-found", "stories-written", "stories-found"):
        if not rows and not name.endswith("written"):
            print(f"quality: {name} is skipped: HM_SHARED_DATA is not set")
            continue
        for case in load(name + ".jsonl"):
            if only and case["id"] != only:
                continue
            lines, ids = lines_of(case, len(cases), rows)
            stores[is_log(case)].lines += lines
            cases.append((name, case, ids))
    found = {k: v for s in stores if s.lines for k, v in s.sweep().items()}
    scores = collections.defaultdict(lambda: collections.defaultdict(Score))
    for number, (name, case, ids) in enumerate(cases):
        conflicts, stale = found.get(f"q{number}", ([], []))
        fault = "" if case.get("maybe") else verdict_of(case, conflicts, stale, ids)
        by = case["label"] if name.startswith("stories") else case["kind"]
        scores[name]["all"].add(case["label"], fault)
        scores[name][by].add(case["label"], fault)
        if only or (show and fault):
            print(f"{case['id']} {case['label']} {case['kind'] if 'kind' in case else ''}: {fault}")
            for line in stores[is_log(case)].lines:
                if line.get("project", "").rstrip("x") == f"q{number}" and line["kind"] != "project":
                    print("   ", line.get("created_at", "-"), line.get("agent", "-"), "|",
                          line.get("scope", "-"), "|",
                          line.get("content", line.get("value", line.get("properties"))))
            for c in conflicts:
                print("    found", c["rule"], c["slot_key"], [m["value"] for m in c["members"]])
            for f in stale:
                print("    found", f["message"])
    for name, kinds in scores.items():
        print(f"\n{name}: {kinds['all'].line()}")
        for kind in sorted(k for k in kinds if k != "all"):
            print(f"  {kind:28} {kinds[kind].line()}")
    if rows and not only:
        other, missed = status_log(program)
        for what in other if show else []:
            print("  other", *what)
        if show:
            print("  missed", *sorted(missed))


main()
