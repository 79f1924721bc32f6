#!/usr/bin/env python3
"""Checks the labelled set of this folder and prints how much of each kind it holds.

  check.py        exit 1 when a record breaks the format of README.md or names a missing row

The found half names rows of the public data by id. They are looked up in the folder that
HM_SHARED_DATA names; where it is not set or not there, that half's format is checked and the
look-up is skipped, in words.
"""
import collections
import datetime
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.environ.get("HM_SHARED_DATA", "")
DATA_FILES = ("notes.jsonl", "peps.jsonl", "countries.jsonl")
SHAPES = {"attribute", "choice", "correction", "count", "key", "quantity", "set", "status",
          "switch", "version"}
PAIR_LABELS = {"conflict", "none"}
STORY_LABELS = {"ambiguity", "none", "reversal", "settled", "stale"}

faults = []


def say(where, what):
    faults.append(f"quality: {where}: {what}")


def records(name):
    """Yields (where, record) of a JSON Lines file; a line that is no object is a fault."""
    with open(os.path.join(HERE, name), encoding="utf-8") as f:
        for n, line in enumerate(f, 1):
            where = f"{name}:{n}"
            try:
                record = json.loads(line)
            except ValueError as e:
                say(where, f"not JSON: {e}")
                continue
            if isinstance(record, dict):
                yield where, record
            else:
                say(where, "not an object")


def data_rows():
    """The rows of the public data by id, or None where the data is not there."""
    if not DATA or not os.path.isdir(DATA):
        return None
    rows = {}
    for name in DATA_FILES:
        path = os.path.join(DATA, name)
        if not os.path.exists(path):
            continue
        with open(path, encoding="utf-8") as f:
            for line in f:
                row = json.loads(line)
                if row["id"] in rows:
                    say(name, f"id {row['id']} occurs twice in the data")
                rows[row["id"]] = row
    return rows


def keys(where, record, need, may):
    for k in need:
        if k not in record:
            say(where, f"no {k}")
    for k in record:
        if k not in need and k not in may:
            say(where, f"unknown key {k}")


def is_time(text):
    try:
        datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ")
        return True
    except (TypeError, ValueError):
        return False


def check_row(where, row_id, data):
    if not isinstance(row_id, str) or not re.fullmatch(r"[a-z][a-z0-9-]*", row_id):
        say(where, f"bad row id {row_id!r}")
    elif data is not None and row_id not in data:
        say(where, f"no row {row_id} in the data")


def check_text(where, side):
    for k in ("text", "project", "scope", "agent", "key", "value", "memory_type"):
        if k in side and (not isinstance(side[k], str) or not side[k].strip()):
            say(where, f"{k} is not a text")
    if "time" in side and not is_time(side["time"]):
        say(where, f"bad time {side['time']!r}")


def check_claim(where, claim):
    keys(where, claim, ("subject", "attribute", "value", "shape"),
         ("qualifier", "unit", "negated", "maybe"))
    values = claim.get("value")
    for v in values if isinstance(values, list) else [values]:
        if not isinstance(v, str) or not v:
            say(where, "a value is not a text")
    if isinstance(values, list) and len(values) < 2:
        say(where, "a list of one value")
    if claim.get("shape") not in SHAPES:
        say(where, f"unknown shape {claim.get('shape')!r}")
    for k in ("negated", "maybe"):
        if k in claim and claim[k] is not True:
            say(where, f"{k} is there but not true")


def check_claims(name, data, found):
    """Claims: returns the counts by draw, by kind of none and by shape."""
    count, seen = collections.Counter(), set()
    for where, r in records(name):
        keys(where, r, ("row", "draw") if found else ("id", "text"),
             ("claims", "none", "field") if found else ("claims", "none", "scope"))
        me = r.get("row" if found else "id")
        if me in seen:
            say(where, f"{me} is labelled twice")
        seen.add(me)
        if found:
            check_row(where, me, data)
        else:
            check_text(where, r)
        if ("claims" in r) == ("none" in r):
            say(where, "needs claims or none, not both")
        for c in r.get("claims", ()):
            check_claim(where, c)
        sure = [c for c in r.get("claims", ()) if "maybe" not in c]
        count["texts" + (f", {r.get('draw')}" if found else "")] += 1
        count["texts that state a value" if sure else "texts that may or may not" if "claims" in r
              else f"none: {r.get('none')}"] += 1
        for c in r.get("claims", ()):
            count[f"claim: {c.get('shape')}" + (", maybe" if "maybe" in c else "")] += 1
    return count


def check_pairs(name, data):
    count, seen = collections.Counter(), set()
    for where, r in records(name):
        keys(where, r, ("id", "a", "b", "label", "kind"), ())
        for side in (r.get("a", {}), r.get("b", {})):
            if "row" in side:
                keys(where, side, ("row",), ())
                check_row(where, side["row"], data)
            else:
                keys(where, side, ("text", "project"), ("scope", "agent", "time"))
                check_text(where, side)
        if r.get("label") not in PAIR_LABELS:
            say(where, f"unknown label {r.get('label')!r}")
        for me in (r.get("id"), json.dumps([r.get("a"), r.get("b")], sort_keys=True)):
            if me in seen:
                say(where, f"twice: {me}")
            seen.add(me)
        count["pairs"] += 1
        count[f"{r.get('label')}: {r.get('kind')}"] += 1
        count[f"label {r.get('label')}"] += 1
    return count


def check_story_members(where, r, ids):
    for k in ("members", "overtaken", "context"):
        for i in r.get(k, ()):
            if i not in ids:
                say(where, f"{k}: {i} is no row of the story")
    for k in ("settles", "stale"):
        if k in r and r[k] not in ids:
            say(where, f"{k}: {r[k]} is no row of the story")
    label = r.get("label")
    if (label in ("reversal", "ambiguity")) != ("members" in r):
        say(where, "reversal and ambiguity have members, others none")
    if len(r.get("members", ())) == 1:
        say(where, "one member")
    if (label == "settled") != ("settles" in r and "overtaken" in r):
        say(where, "settled says what settles what")
    if (label == "stale") != ("stale" in r and "context" in r):
        say(where, "stale says which row and by what")


def check_stories(name, data, found):
    count, seen = collections.Counter(), set()
    for where, r in records(name):
        keys(where, r, ("id", "label", "rows"), ("kind", "members", "settles", "overtaken", "stale",
                                                 "context", "entity", "returns", "maybe"))
        if r.get("id") in seen:
            say(where, f"twice: {r.get('id')}")
        seen.add(r.get("id"))
        rows = r.get("rows", [])
        if found:
            ids = rows
            for i in rows + ([r["entity"]] if "entity" in r else []):
                check_row(where, i, data)
        else:
            ids = [x.get("id") for x in rows]
            for x in rows:
                keys(where, x, ("id", "project") + (("key", "value") if "key" in x else ("text",)),
                     ("scope", "agent", "time", "status", "superseded_by", "memory_type"))
                check_text(where, x)
        if len(ids) != len(set(ids)) or len(ids) < 2:
            say(where, "a story has two rows or more, each once")
        if r.get("label") not in STORY_LABELS:
            say(where, f"unknown label {r.get('label')!r}")
        check_story_members(where, r, ids)
        count["stories"] += 1
        count["rows"] += len(rows)
        count[f"label {r.get('label')}" + (", maybe" if "maybe" in r else "")] += 1
    return count


def main():
    data = data_rows()
    if data is None:
        print("quality: HM_SHARED_DATA is not there: rows of the found half are not looked up")
    parts = (
        ("claims-found.jsonl", lambda n: check_claims(n, data, True)),
        ("claims-written.jsonl", lambda n: check_claims(n, data, False)),
        ("pairs-found.jsonl", lambda n: check_pairs(n, data)),
        ("pairs-mixed.jsonl", lambda n: check_pairs(n, data)),
        ("pairs-written.jsonl", lambda n: check_pairs(n, data)),
        ("stories-found.jsonl", lambda n: check_stories(n, data, True)),
        ("stories-written.jsonl", lambda n: check_stories(n, data, False)),
    )
    total = collections.Counter()
    for name, check in parts:
        count = check(name)
        print(name)
        for k in sorted(count):
            print(f"  {count[k]:5} {k}")
        half = name[name.index("-") + 1:name.index(".")]
        total[half] += sum(count[k] for k in count
                           if k in ("pairs", "stories") or k.split(",")[0] == "texts")
    print("labels: " + ", ".join(f"{n} {half}" for half, n in sorted(total.items())))
    for f in faults:
        print(f)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
