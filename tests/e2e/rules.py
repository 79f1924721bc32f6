#!/usr/bin/env python3
"""Rules in SQL: those that come with the program on stores of tests/data/rules.txt, files of people,
the verb `rules`."""
import urllib.error
import urllib.request

from harness import *
from server import Server

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
    assert set(count) == {(r, f) for r in shipped for f in (True, False)} and min(count.values()) >= 3, count


def test_shipped_rules_do_not_join_all_with_all(m):
    """The steps of each follow the number of rows, and not that of projects times rows."""
    projects, each = 250, 15
    rows = []
    for p in range(projects):
        for i in range(each // 3):
            of = {"project": f"p{p}", "status": "superseded" if i == 3 else "active"}
            refs = {} if i == 2 else {"source_refs": ["report"]}
            rows += [memory(f"gain {p} {i} is 1", id=f"m{p}-{i}", **of, **refs),
                     entity("Component", {"length": "1 m"}, id=f"e{p}-{i}", **of, **refs),
                     {"kind": "relation", "id": f"r{p}-{i}", "type": "PART_OF", "from": f"e{p}-{i}",
                      "to": f"e{p}-0", **of}]
    chain = 2000   # each superseded by the next
    rows += [memory(f"gain is {i}", id=f"c{i:04}", status="superseded", superseded_by=f"c{i + 1:04}")
             for i in range(chain)] + [memory("gain is 1", id=f"c{chain}", status="invalid")]
    m.facts(*rows)
    shipped = [r["id"] for r in m.run("--format", "json", "rules", "list").json()["rules"] if r["source"] == "shipped"]
    most = 200 * projects * each
    for rule in shipped:
        said = m.run("rules", "test", rule)
        steps = int(re.search(r"in ([0-9,]+) steps", said.out + said.err)[1].replace(",", ""))
        assert steps < most, (rule, steps, most)


HEAD = "-- id: %s\n-- description: It is wrong.\n-- reads: entities\n\n"
ALL = "SELECT ref AS row FROM entities"


def own(m, name, sql, id=None):
    m.write(f"rules/{name}.sql", HEAD % (id or name) + sql + "\n")


def test_how_many_sources_a_row_names(m):
    """Of any text that a store holds; a list that is no JSON is one name."""
    names = {'["a"]': 1, '["a","b"]': 2, ' [ "a" , "b", "c" ] ': 3, '[]': 0, '': 0, 'null': 0, 'report': 1,
             '["a\\"b","c"]': 2, '["ü","b"]': 2, '["a",1,{"b":["c","d"]}]': 3, '["a","b",]': 1, '["a" "b"]': 1,
             '["a","b"]x': 1, '["a","b"': 1, '["a","b': 1, '["a\tb","c"]': 1, '["","a"]': 2, '[["a","b"],"c"]': 2, '[': 1}
    m.facts(*[entity("X", {}, id=f"e{i}") for i in range(len(names))])
    for i, text in enumerate(names):
        m.sql("UPDATE entities SET source_refs = ? WHERE id = ?", text, f"e{i}")
    own(m, "count", "SELECT ref AS row, sources AS actual FROM entities")
    got = {f["rows"][0]: int(f["actual"]) for f in found(m, "count")}
    wrong = [(text, n, got.get(f"entity:e{i}")) for i, (text, n) in enumerate(names.items()) if got.get(f"entity:e{i}") != n]
    assert not wrong, wrong


def test_rules_that_fail_stop_no_other(m):
    m.facts({"kind": "entity", "id": "e1", "entity_type": "X", "name": "e"})
    own(m, "good", ALL)
    own(m, "gone", "DELETE FROM entities")
    own(m, "endless", "WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t)"
                      " SELECT ref AS row FROM entities, t WHERE x < 0")
    before = m.read("hmirror.db")
    r = m.run("--format", "json", "sweep", "--dry-run")
    assert [f["rows"] for f in r.json()["findings"] if f["rule"] == "good"] == [["entity:e1"]]
    told = sorted(line for line in r.err.splitlines() if "rules/" in line)
    assert len(told) == 2 and "endless.sql:5: stopped: it takes more steps" in told[0], told
    assert "gone.sql:5: it does something else than to read" in told[1], told
    failed = [f for f in r.json()["findings"] if f["rule"] in ("gone", "endless")]
    assert {f["severity"] for f in failed} == {"info"} and len(failed) == 2
    assert m.read("hmirror.db") == before
    m.run("sweep", "--exit-code", code=1)   # by good
    os.unlink(m.path("rules/good.sql"))
    m.run("sweep", "--exit-code")


def test_a_bad_header_names_its_line(m):
    m.facts({"kind": "entity", "id": "e1", "entity_type": "X", "name": "e"})
    m.write("rules/a.sql", "-- id: a\n-- severty: warn\n")
    m.fails("sweep", has=("rules/a.sql:2: severty", "did you mean 'severity'? known keys: description, "))
    m.write("rules/a.sql", "-- id: a\n-- description: d\n-- reads: entitys\n")
    m.fails("sweep", has=("rules/a.sql:3: reads", "did you mean 'entities'? tables: "))
    own(m, "a", ALL)
    own(m, "c", ALL, id="row/window")
    m.fails("sweep", has=("rules/c.sql", "'row/window' is that of a built-in rule", "another id"))
    os.unlink(m.path("rules/c.sql"))
    own(m, "b", ALL, id="a")
    m.fails("sweep", has=("rules/b.sql", "rules/a.sql", "another id"))


def test_a_file_takes_the_place_of_a_shipped_rule(m):
    m.facts({"kind": "entity", "id": "e1", "entity_type": "Requirement", "name": "e"})
    assert found(m, "engineering/requirement-unmet") == []
    own(m, "mine", ALL, id="engineering/requirement-unmet")
    assert len(found(m, "engineering/requirement-unmet")) == 1


def test_serve_notices_rules_and_worlds(m):
    """What writes are compared by is that of its start, so it says that it must start again."""
    m.write("mirror.yml", "title: x\n")
    m.facts({"kind": "entity", "id": "e1", "project": "w", "entity_type": "Person", "name": "e"})

    def asks_for_another(s):
        try:
            with urllib.request.urlopen(s.url, timeout=HANGS) as page:
                return "serve` again" in page.read().decode()
        except urllib.error.HTTPError as e:
            return "serve` again" in e.read().decode()
    for name, text in (("rules/mine.sql", HEAD % "mine" + ALL + "\n"), ("rules/mine.sql", HEAD % "mine" + ALL + " LIMIT 1\n"), ("world.yml", WORLD)):
        with Server(m) as s:
            assert not asks_for_another(s)
            m.write(name, text)
            wait_until(lambda: asks_for_another(s), name)
    with Server(m) as s:
        assert not asks_for_another(s)


def test_the_verb(m):
    m.facts({"kind": "entity", "id": "e1", "entity_type": "X", "name": "e"})
    m.write("x.sql", HEAD % "a/x" + ALL + "\n")
    m.write("mirror.yml", "title: Kept\n# kept, too\nrules:\n  silence: [soon]   # kept\npublish:\n  branch: b\n")
    assert "1 finding" in m.run("rules", "test", "x.sql").out
    m.run("rules", "add", "x.sql")
    assert m.text("rules/a-x.sql") == m.text("x.sql")
    m.fails("rules", "add", "x.sql", has=("a-x.sql", "--replace"))
    m.run("rules", "add", "x.sql", "--replace")
    m.write("x.sql", HEAD % "row/window" + ALL + "\n")
    m.fails("rules", "add", "x.sql", has=("x.sql", "built-in"))
    m.write("x.sql", HEAD % "a-x" + ALL + "\n")
    for how in ((), ("--replace",)):   # the file of a/x
        m.fails("rules", "add", "x.sql", *how, has=("a-x.sql", "holds the rule 'a/x'"))
    m.write("bad.sql", HEAD % "bad" + "DROP TABLE entities")
    m.fails("rules", "add", "bad.sql", has=("bad.sql:5", "something else"))
    m.run("rules", "add", "--id", "y", "--description", "No.", "--severity", "error", "--sql",
          "SELECT r.ref AS row FROM rows r JOIN projects p ON p.id = r.project")
    rules = {r["id"]: r for r in m.run("--format", "json", "rules", "list").json()["rules"]}
    assert rules["y"]["reads"] == ["projects", "rows"] and rules["y"]["severity"] == "error"
    assert rules["slot"]["yields"] == "conflict" and rules["a/x"]["source"] == "rules/a-x.sql"
    assert len(found(m, "a/x")) == 1
    m.run("rules", "disable", "a/x", "slot/overlap")
    assert m.text("mirror.yml") == ("title: Kept\n# kept, too\nrules:\n  off:\n    - a/x\n    - slot/overlap\n"
                                    "  silence: [soon]   # kept\npublish:\n  branch: b\n")
    assert found(m, "a/x") == [] and "It is off" in m.run("rules", "explain", "a/x").out
    m.run("rules", "enable", "a/x")
    m.run("rules", "enable", "slot/overlap")
    assert "  off: []\n" in m.text("mirror.yml")
    m.run("rules", "disable", "y")
    assert "  off: [y]\n" in m.text("mirror.yml")
    m.fails("rules", "disable", "a/y", has=("no rule is 'a/y'", "did you mean"))
    m.fails("rules", "enabel", "y", has=("did you mean 'enable'?",))
    m.write("mirror.yml", "rules: {off: [y]}\n")
    m.fails("rules", "enable", "y", has=("yourself",))
    assert m.text("mirror.yml") == "rules: {off: [y]}\n"


CHAIN = [record(r) for r in (
    "q Requirement", "leg Component", "frame Component", "peek Material .material=PEEK", "old Component status=superseded",
    "d Decision .decision_target=leg .decision_field=material .value=PEEK source_refs=review", "r Result .result_key=load .value=3 source_refs=report",
    "c ValidationClaim", "s Result .result_key=heat .value=4 status=invalid",
    "leg SATISFIES q", "leg USES_MATERIAL peek", "leg PART_OF frame", "d AFFECTS leg", "r SUPPORTS c", "s CONTRADICTS c",
    "d BASED_ON_ASSUMPTION c", "old PART_OF frame", '{"kind":"link","src":"entity:r","dst":"memory:m","rel":"derived_from"}')]
CHAIN.append({"kind": "memory", "id": "m", "project": "w", "memory_type": "episodic", "content": "Measured.", "status": "graduated", "graduated_to": "r"})


def reached(r, key):
    return {(x["row"].split(":")[1], x["depth"], x["relation"], x["direction"]) for x in r[key]}


def test_impact(m):
    m.facts(*CHAIN)
    assert reached(m.run("--format", "json", "impact", "peek").json(), "touches") == {
        ("leg", 1, "USES_MATERIAL", "incoming"), ("q", 2, "SATISFIES", "outgoing"), ("frame", 2, "PART_OF", "outgoing"),
        ("d", 2, "property", "incoming")}
    assert reached(m.run("--format", "json", "impact", "c", "--depth", "2").json(), "touches") == {
        ("d", 1, "BASED_ON_ASSUMPTION", "incoming"), ("leg", 2, "AFFECTS", "outgoing")}
    assert reached(m.run("--format", "json", "impact", "entity:q", "--depth", "1").json(), "touches") == {
        ("leg", 1, "SATISFIES", "incoming")}
    assert "entity:c (ValidationClaim c)" in m.run("impact", "r").out
    m.fails("impact", "nobody", has=("no such row",))
    m.fails("impact", "q", "--depth", "11", has=("--depth",))


def test_evidence(m):
    m.facts(*CHAIN)
    e = m.run("--format", "json", "evidence", "d").json()
    assert e["sources"] == ["review"]
    assert {(x["row"], x["meaning"], x["status"]) for x in e["rests_on"]} == {
        ("entity:c", "basis", "active"), ("entity:r", "supports", "active"), ("entity:s", "contradicts", "invalid"), ("entity:leg", "basis", "active"),
        ("memory:m", "basis", "graduated")}
    assert next(x for x in e["rests_on"] if x["row"] == "entity:r")["sources"] == ["report"]
    text = m.run("evidence", "d").out
    assert "source: review" in text and "speaks against" not in text.split("\n")[0] and "no source" in text
    m.facts({"kind": "entity", "id": "d2", "project": "w", "entity_type": "Decision", "name": "d",
             "properties": {"decision_target": "leg", "decision_field": "material", "value": "PTFE"}})
    m.run("sweep")
    assert [c["status"] for c in m.run("--format", "json", "evidence", "entity:d").json()["conflicts"]] == ["open"]
    m.fails("evidence", "d3", has=("no such row",))


def test_queries_and_their_sections(m):
    m.facts({"kind": "project", "id": "w", "name": "W"}, *[record(r) for r in (
        "leg Component", "q1 Requirement", "q2 Requirement", "leg SATISFIES q1", "c1 ValidationClaim", "c2 ValidationClaim",
        "r Result", "r SUPPORTS c1", "a Assumption status=invalid", "d Decision", "d BASED_ON a")])
    for name, row in (("requirements", "q2"), ("claims", "c2"), ("decisions", "d")):
        got = m.run("--format", "json", "query", name, "--project", "w", "--exit-code", code=1).json()
        assert [f["rows"][-1] for f in got["findings"]] == ["entity:" + row], got
    m.run("rules", "disable", "engineering/claim-unsupported")
    assert m.run("--format", "json", "query", "claims").json()["count"] == 1
    m.run("rules", "enable", "engineering/claim-unsupported")
    m.run("build")
    page = m.text("site/projects/w/README.md")
    for title, row in (("Requirements that nothing satisfies", "q2"), ("Validation claims without support", "c2"),
                       ("Decisions on assumptions that do not hold", "d")):
        section = page.split("# " + title)[1].split("\n## ")[0]
        assert f"({row}]" in section or f"[{row}]" in section, section
        assert page.count(title) == 1
    assert "## Findings\n" not in page
    m.fails("query", "requirement", has=("did you mean 'requirements'?",))


def test_what_people_dismissed(m):
    """The precision of a rule by their own verdicts: in rules list and health; below one half they say so, from ten verdicts on."""
    m.facts(*(decision(v, target=t, id=t + v) for t in "qrstuvwxyz" for v in "ab"))
    listed = m.run("--format", "json", "conflicts", "list").json()["conflicts"] or m.sweep()
    for c in listed[:9]:
        m.run("conflicts", "dismiss", c["id"], "--reason", "both hold")
    rule, = [r for r in m.run("--format", "json", "rules", "list").json()["rules"] if r["id"] == "slot"]
    assert (rule["settled"], rule["dismissed"]) == (9, 9), rule
    assert "people settled" not in m.run("rules", "list").out and "people dismissed" not in m.run("health").out
    m.run("conflicts", "resolve", listed[9]["id"], "--winner", "entity:" + listed[9]["members"][0]["member_id"],
          "--notes", "chosen")
    assert "(people settled 10, dismissed 9: less than half of what it finds stands)" in m.run("rules", "list").out
    assert m.run("--format", "json", "health").json()["rules"] == [{"id": "slot", "settled": 10, "dismissed": 9}]
    assert "slot: people dismissed 9 of 10" in m.run("health").out

if __name__ == "__main__":
    main(globals())
