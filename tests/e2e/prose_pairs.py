#!/usr/bin/env python3
"""Pairs of texts, and whether a mirror of both shows a dispute: tests/data/text_pairs.txt."""
import re

from harness import *

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "text_pairs.txt")


def record(text, project, id):
    """[KEY=VALUE ...] text, or [...] key := value for a state."""
    fields, rest = re.match(r"(?:\[([^\]]*)\] )?(.*)$", text).groups()
    more = dict(f.split("=", 1) for f in (fields or "").split())
    about = more.pop("about", None)
    if about:
        more["slot_rule"] = about.replace("_", " ") + " *"
    if "source_refs" in more:
        more["source_refs"] = [more["source_refs"].replace("_", " ")]
    if " := " in rest:
        return state(*rest.split(" := "), project=project, id=id, **more)
    return memory(rest.replace("\\n", "\n"), more.pop("type", "knowledge"), project, id=id, **more)


def test_pairs(m):
    with open(TABLE, encoding="utf-8") as f:
        lines = [l.rstrip("\n") for l in f if l.strip() and not l.startswith("#")]
    rows = []
    for n, line in enumerate(lines):
        label, a, b = line.split(" | ")
        assert label in ("disputed", "quiet"), line
        pair = [record(a, f"p{n}", f"a{n}"), record(b, f"p{n}", f"b{n}")]
        for r in pair:   # ten memories of one second come from an import
            if "created_at" in r:
                r["created_at"] = r["created_at"].replace(":00:00Z", f":{n // 60:02}:{n % 60:02}Z")
        rows += pair
    m.facts(*rows)
    found = {c["project"] for c in m.sweep()}
    wrong = [l for n, l in enumerate(lines) if (f"p{n}" in found) != l.startswith("disputed")]
    assert not wrong, "\n".join(wrong)


if __name__ == "__main__":
    main(globals())
