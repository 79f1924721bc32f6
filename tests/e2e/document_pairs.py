#!/usr/bin/env python3
"""Pairs of documents, and whether a check tells that they contradict each other: tests/data/document_pairs.txt."""
import re

from harness import *

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "document_pairs.txt")


def test_pairs(m):
    with open(TABLE, encoding="utf-8") as f:
        lines = [l.rstrip("\n") for l in f if l.strip() and not l.startswith("#")]
    wrong = []
    for line in lines:
        label, *texts = re.split(r" (?<!\\)\| ", line)
        assert label in ("disputed", "quiet") and len(texts) == 2, line
        for name, text in zip(("README.md", "docs/work.md"), texts):
            m.write(f"n/{name}", "# Orchard\n\n" + text.replace("\\n", "\n").replace("\\|", "|") + "\n")
        told = m.run("check", "--format", "json", "n", code=None).json()["results"]
        both = any({"n/README.md", "n/docs/work.md"} <= {s["path"] for s in r["sides"]} for r in told)
        if both != (label == "disputed"):
            wrong.append(line)
    assert not wrong, "\n" + "\n".join(wrong)


if __name__ == "__main__":
    main(globals())
