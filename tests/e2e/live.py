#!/usr/bin/env python3
"""Rules in SQL that take :row: what a write says by them is what a sweep says of the row, and none stops a write."""
from harness import *
from server import Server


LIVE = """-- id: live/%s
-- description: It is wrong.
-- reads: entities, relations, rows, projects, links

"""
# Each asks for rows in its own way: the row, its neighbours, theirs, what does not exist, counts.
LIVE_RULES = {
    "near": "SELECT e.ref AS row, r.id AS by FROM entities e JOIN relations r ON r.to_id = e.id"
            " WHERE (:row IS NULL OR e.ref = :row) AND r.type = 'USES'",
    "far": "SELECT r.ref AS row, b.id AS b FROM relations r JOIN relations q ON q.from_id = r.to_id"
           " JOIN entities b ON b.id = q.to_id WHERE (:row IS NULL OR r.ref = :row) AND b.type = 'B'",
    "none": "SELECT x.ref AS row FROM rows x WHERE (:row is null /* all */ OR x.ref = :row)"
            " AND x.kind = 'entity' AND NOT EXISTS (SELECT 1 FROM relations r WHERE r.from_ref = x.ref)",
    "count": "SELECT x.ref AS row, (SELECT count(*) FROM rows y WHERE y.project = x.project) AS n,"
             " p.name AS called FROM rows x JOIN projects p ON p.id = x.project"
             " WHERE x.ref = coalesce(:row, x.ref)",
    "all": "SELECT e.ref AS row, (SELECT count(*) FROM relations) AS n FROM entities e"
           " WHERE (:row IS NULL OR e.ref = :row)",
    "linked": "SELECT x.ref AS row, l.dst AS row2 FROM rows x JOIN links l ON l.src = x.ref"
              " WHERE (:row IS NULL OR x.ref = :row)",
}


def live_of(findings, row):
    return sorted((f["rule"], f["id"], f["message"], f["severity"]) for f in findings
                  if f["rule"].startswith("live/") and row in f["rows"])


def test_live_rules_find_in_a_write_what_a_sweep_finds_of_the_row(m):
    m.facts({"kind": "project", "id": "p", "name": "Pea", "aliases": ["q"]},
            {"kind": "memory", "id": "m", "memory_type": "episodic", "content": "x"},
            {"kind": "entity", "id": "z", "project": "q", "entity_type": "B", "name": "z"},
            {"kind": "link", "src": "entity:a3", "dst": "memory:m", "rel": "near"})
    for name, sql in LIVE_RULES.items():
        m.write(f"rules/live-{name}.sql", LIVE % name + sql + "\n")
    told, rules = 0, set()
    for i in range(8):
        writes = [("entity", {"id": f"a{i}", "name": f"a{i}", "entity_type": "AB"[i % 2], "project": ["p", "q", ""][i % 3]}),
                  ("relation", {"id": f"r{i}", "type": ["USES", "uses", "HAS"][i % 3], "from": f"entity:a{i}" if i % 2 else f"a{i}",
                                "to": "z" if i == 5 else f"a{i // 2}"})]
        for kind, record in writes:
            m.write("one.json", json.dumps(record))
            answer = m.run("--format", "json", "add", kind, "--json", "one.json").json()
            ref = f"{kind}:{record['id']}"
            swept = m.run("--format", "json", "sweep").json()["findings"]
            assert not [w for w in answer["warnings"] if "live/" in w], answer["warnings"]
            assert live_of(answer["findings"], ref) == live_of(swept, ref), (ref, live_of(answer["findings"], ref), live_of(swept, ref))
            told += len(live_of(answer["findings"], ref))
            rules |= {f[0] for f in live_of(answer["findings"], ref)}
    assert told > 30 and rules == {"live/" + name for name in LIVE_RULES} - {"live/near"}, (told, rules)
    edited = m.run("--format", "json", "edit", "entity:a3", "--set", "description=x").json()
    assert {f["rule"] for f in edited["findings"]} >= {"live/near", "live/linked"}, edited["findings"]


def test_a_live_rule_sees_when_ends_existed(m):
    """Bounds of relations end with their ends, whose death a rule did not ask for; by relations and eras, too."""
    m.facts(*(entity("Person", {"died": "1340"} if i == "bert" else {}, i, id=i, project="p") for i in ("anne", "bert", "cleo")),
            entity("Era", {"ends": "1350"}, "dusk", id="dusk", project="p"), entity("Place", {}, "spire", id="spire", project="p"),
            {"kind": "relation", "id": "x", "type": "EXISTED_DURING", "from": "entity:anne", "to": "dusk"})
    two = ("SELECT r.ref AS row1, q.ref AS row2, r.certain_until AS u1, q.certain_until AS u2 FROM relations r JOIN relations q ON q.to_id = r.to_id"
           " WHERE (:row IS NULL OR r.ref = :row) AND q.ref <> r.ref AND q.type = r.type AND r.type = %s"
           " AND r.certain_from < q.certain_until AND q.certain_from < r.certain_until\n")
    m.write("rules/live-known.sql", LIVE % "known" + two % "'RULES'")
    m.write("rules/live-other.sql", LIVE % "other" + two % "'GUARDS'")
    m.write("rules/live-life.sql", LIVE % "life" + "SELECT r.ref AS row, e.existed_from AS f, e.existed_until AS u FROM relations r"
            " JOIN entities e ON e.id = r.from_id WHERE (:row IS NULL OR r.ref = :row) AND e.existed_until IS NOT NULL\n")
    told = []
    for i, (who, type, since) in enumerate((who, type, since) for type in ("RULES", "GUARDS")
                                           for who, since in (("anne", "1300"), ("bert", "1320"), ("cleo", "1340"), ("cleo", "1345"), ("cleo", None))):
        record = {"id": f"r{i}", "type": type, "from": who, "to": "spire", "valid_from": since}
        m.write("one.json", json.dumps(record))
        answer = m.run("--format", "json", "add", "relation", "--json", "one.json").json()
        swept = m.run("--format", "json", "sweep").json()["findings"]
        assert not [w for w in answer["warnings"] if "live/" in w], answer["warnings"]
        for rule in ("live/known", "live/other", "live/life"):
            found = [sorted((f["id"], sorted(f["rows"])) for f in fs if f["rule"] == rule and f"relation:r{i}" in f["rows"])
                     for fs in (answer["findings"], swept)]
            assert found[0] == found[1], (record, found)
            told += [tuple(sorted(x[9:] for x in rows)) for _, rows in found[0]]
    # anne lives till 1350, bert died in 1340: so cleo meets anne, never bert
    assert {t for t in told if len(t) == 2} == {("r0", "r1"), ("r0", "r2"), ("r0", "r3"), ("r2", "r3"), ("r2", "r4"), ("r3", "r4"),
                                                ("r5", "r6"), ("r5", "r7"), ("r5", "r8"), ("r7", "r8"), ("r7", "r9"), ("r8", "r9")}, sorted(set(told))
    assert {t for t in told if len(t) == 1} == {(r,) for r in ("r0", "r1", "r5", "r6")}, sorted(set(told))


def test_a_write_tells_what_a_live_rule_finds_no_longer(m):
    m.facts(*({"kind": "entity", "id": i, "project": "p", "entity_type": "X", "name": i} for i in "ab"))
    m.write("rules/live-name.sql", LIVE % "name" + "SELECT ref AS row FROM entities e"
            " WHERE (:row IS NULL OR ref = :row) AND length(name) < 2\n")
    m.write("rules/live-slow.sql", LIVE % "slow" + "WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t"
            " WHERE x < (SELECT CASE WHEN name = 'b' THEN 1 ELSE 100000000 END FROM entities WHERE id = 'b'))"
            " SELECT ref AS row, max(x) AS n FROM t, entities WHERE id = 'b'\n")
    edit = lambda *args: m.run("--format", "json", "edit", *args).json()
    same = edit("entity:b", "--set", "description=x")
    assert {f["rule"] for f in same["findings"]} >= {"live/name", "live/slow"}, same
    assert not [f for f in same["vanished"] if f["rule"].startswith("live/")], same["vanished"]
    named = edit("entity:b", "--set", "name=bee")   # live/slow cannot tell now
    assert [f["rule"] for f in named["vanished"] if f["rule"].startswith("live/")] == ["live/name"], named["vanished"]
    assert any("live-slow.sql:5: stopped" in w for w in named["warnings"]), named["warnings"]
    assert "no longer " in m.run("edit", "entity:a", "--set", "name=ann").out


def test_a_live_rule_that_is_wrong_or_slow_stops_no_write(m):
    m.facts(*({"kind": "entity", "id": f"e{i}", "project": "p", "entity_type": "X", "name": f"e{i}"} for i in range(2500)))
    live = "-- id: %s\n-- description: It is wrong.\n-- reads: entities%s\n\n"
    one = "SELECT ref AS row FROM entities e WHERE (:row IS NULL OR ref = :row)"
    m.write("rules/a.sql", live % ("a", "") + "SELECT nowhere AS row FROM entities WHERE ref = :row\n")
    m.write("rules/b.sql", live % ("b", "") + one + " AND EXISTS (SELECT 1 FROM entities o WHERE o.name = e.name)\n")
    m.write("rules/c.sql", live % ("c", "") + "WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t WHERE x < 1000000)"
            " SELECT :row AS row, count(*) AS n FROM t, entities WHERE ref = :row\n")
    m.write("rules/d.sql", live % ("d", ", findings") + one + " AND ref IN (SELECT ref FROM findings)\n")
    m.write("rules/e.sql", live % ("e", "") + one + "\n")
    m.write("rules/f.sql", live % ("f", "") + "SELECT ref AS row FROM entities WHERE '(:row IS NULL OR' <> name AND"
            " (:row IS NULL OR ref = :row AND name = 'no' OR ref = :row)\n")
    m.write("mirror.yml", m.read("mirror.yml").decode() + "\nrules:\n  off: [g]\n")
    m.write("rules/g.sql", live % ("g", "") + one + "\n")
    r = m.run("--format", "json", "add", "entity", "new", "--type", "X", "-p", "p")
    answer = r.json()
    assert sorted(f["rule"] for f in answer["findings"] if len(f["rule"]) == 1) == ["b", "e", "f"], answer["findings"]
    told = [w for w in answer["warnings"] if ".sql:" in w]
    assert len(told) == 1 and "a.sql:5: no such column" in told[0], told
    text = m.run("add", "entity", "other", "--type", "X", "-p", "p")
    assert text.err.count(".sql:5: ") == 1 and "It is wrong." in text.out, text.err
    with Server(m) as s:
        got = s.ask("POST", "/entities", {"entity_type": "X", "name": "third", "project": "p"}).json()
        assert sorted(f["rule"] for f in got["findings"] if len(f["rule"]) == 1) == ["b", "e", "f"], got


if __name__ == "__main__":
    main(globals())
