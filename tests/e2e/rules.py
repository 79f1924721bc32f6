#!/usr/bin/env python3
"""Rules in SQL: those that come with the program on stores of tests/data/rules.txt, files of people,
the verb `rules`."""
from harness import *

WORLD = """\
eras:
  - {world: w, era: 1st_age, ends: year_500}
  - {world: w, era: 2nd_age, begins: year_1, ends: year_3441}
  - {world: w, era: 3rd_age, begins: year_1}
"""


def record(line):
    """A line of rules.txt as a record of the import format."""
    if line.startswith("{"):
        return json.loads(line)
    words = line.split()
    out, props = {"project": "w"}, {}
    n = 3 if len(words) > 2 and words[1].isupper() else 2
    if n == 3:
        out.update(kind="relation", id="-".join(words[:3]), type=words[1], to=words[2])
        out["from"] = words[0]
    else:
        out.update(kind="entity", id=words[0], entity_type=words[1], name=words[0])
    for w in words[n:]:
        key, eq, v = w.partition("=")
        if not eq:
            begins, _, ends = w.partition("..")
            out.update({k: t for k, t in (("valid_from", begins), ("valid_until", ends)) if t})
        elif key.startswith("."):
            props[key[1:]] = v
        elif key == "role":
            props[key] = v
        else:
            out[key] = [v] if key == "source_refs" else {"true": True}.get(v, v)
    if props:
        out["properties"] = props
    return out


def cases():
    """(rule, flagged, title, records)"""
    rule = shared = into = None
    out = []
    for line in open(os.path.join(TOP, "tests/data/rules.txt")).read().split("\n"):
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            rule, shared, into = line.strip("[]"), [], None
        elif line == "all:":
            into = shared
        elif line[:2] in ("+ ", "- "):
            into = list(shared)
            out.append((rule, line[0] == "+", line[2:], into))
        else:
            r = record(line)
            into[:] = [x for x in into if x.get("id") != r.get("id") or "id" not in r] + [r]
    return out


def found(m, rule):
    swept = m.run("--format", "json", "sweep", "--dry-run")
    assert "hmirror: " not in swept.err or "rules/" not in swept.err, swept.err
    return [f for f in swept.json()["findings"] if f["rule"] == rule]


def test_shipped_rules_find_what_they_should_and_nothing_alike(m):
    wrong = []
    for i, (rule, flagged, title, records) in enumerate(cases()):
        n = Mirror(m.path("case%d" % i))
        os.makedirs(n.dir)
        n.write("world.yml", WORLD)
        n.write("mirror.yml", "title: x\n")
        n.write("facts.jsonl", "".join(json.dumps(r) + "\n" for r in records))
        n.run("import", "facts.jsonl")
        got = found(n, rule)
        if len(got) != flagged:
            wrong.append(f"{rule}: {'+' if flagged else '-'} {title}: {[f['message'] for f in got]}")
    assert not wrong, "\n".join(wrong)


def test_every_shipped_rule_has_its_cases(m):
    m.run("init", ".")
    shipped = {r["id"] for r in m.run("--format", "json", "rules", "list").json()["rules"]
               if r["source"] == "shipped"}
    count = {}
    for rule, flagged, _, _ in cases():
        count[rule, flagged] = count.get((rule, flagged), 0) + 1
    assert len(shipped) >= 12
    assert count == {(r, f): 3 for r in shipped for f in (True, False)}, count


if __name__ == "__main__":
    main(globals())
