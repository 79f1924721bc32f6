#!/usr/bin/env python3
"""Golden sites: facts in CASE/*.jsonl (or site-example), every page compared with CASE/expected.

`make check ACCEPT=1` rewrites what is expected; read the diff before it is committed.
expected/ holds all Markdown, data and JSON but manifest.json, and the HTML of the pages that CASE/html names.
Another version of Graphviz may place boxes elsewhere: of drawn graphs all but the places is compared."""
import difflib
import os
import re
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "e2e"))
from harness import *  # noqa: E402

CASES = sorted(d for d in os.listdir(HERE) if os.path.isdir(os.path.join(HERE, d)) and d != "__pycache__")


def facts_of(case):
    folder = os.path.join(HERE, case)
    if case == "site-example":
        folder = os.path.join(TOP, "site-example", "facts")
    return [os.path.join(folder, f) for f in sorted(os.listdir(folder)) if f.endswith(".jsonl")]


def produced(m, case):
    here = os.path.join(HERE, case)
    for name in ("mirror.yml", "world.yml"):
        if os.path.exists(os.path.join(here, name)):
            shutil.copy(os.path.join(here, name), m.path(name))
    files = facts_of(case)
    if files:
        m.run("import", *files)
    else:
        m.run("init")
    m.run("build")
    html = []
    if os.path.exists(os.path.join(here, "html")):
        html = open(os.path.join(here, "html")).read().split()
    out = {}
    for path, data in m.site_bytes("site"):
        if path.endswith((".md", ".txt", ".jsonl", ".svg")) or path in html or (path.endswith(".json") and path != "manifest.json"):
            out[path] = data
    return out


def expected(case):
    root = os.path.join(HERE, case, "expected")
    out = {}
    for d, _, names in os.walk(root):
        for n in names:
            with open(os.path.join(d, n), "rb") as f:
                out[os.path.relpath(os.path.join(d, n), root)] = f.read()
    return out


def accept(case, got):
    root = os.path.join(HERE, case, "expected")
    shutil.rmtree(root, ignore_errors=True)
    for path, data in got.items():
        full = os.path.join(root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "wb") as f:
            f.write(data)


def without_places(path, data):
    if not path.endswith(("/pictures/relations.svg", "/pictures/links.svg", "/pictures/supersession.svg")):
        return data
    return re.sub(rb' (?:d|x|y|width|height|viewBox)="[^"]*"', b"", data)


def compare(m, case):
    got = produced(m, case)
    if os.environ.get("HM_ACCEPT"):
        accept(case, got)
    want = expected(case)
    diff = []
    for path in sorted(set(got) | set(want)):
        if without_places(path, got.get(path, b"")) != without_places(path, want.get(path, b"")):
            a, b = (x.get(path, b"").decode("utf-8", "replace").splitlines() for x in (want, got))
            diff += list(difflib.unified_diff(a, b, "expected/" + path, "built/" + path, lineterm=""))
    assert not diff, "\n".join(diff[:120])


def named(case):
    return lambda m: compare(m, case)


for c in CASES:
    globals()["test_" + c.replace("-", "_")] = named(c)

if __name__ == "__main__":
    main(globals())
