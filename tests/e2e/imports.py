#!/usr/bin/env python3
"""An import is compared with what its source said last: verdicts and edits stay, changes come in, sources that disagree are told."""
import pty
import random

from harness import *
from mcp_kit import Agent
from server import Server

P = project("p05", "interferometer")


def lines(*records):
    return "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records)


def take(m, *records, name="facts.jsonl", args=(), **kw):
    """Imports the records as this file; the answer as JSON."""
    m.write(name, lines(*records))
    return m.run("--format", "json", "import", name, *args, **kw).json()


def row(m, ref):
    kind, id = ref.split(":")
    return next(r for r in map(json.loads, m.run("export").out.splitlines()) if r["kind"] == kind and r.get("id") == id)


def rows_of(m):
    """All that is exported but what tells who says it."""
    return [x for x in m.run("export").out.splitlines() if '"kind":"evidence"' not in x]


def journal(m):
    return m.sql("SELECT seq, verb, ref FROM journal ORDER BY seq")


def three(m, **kw):
    """A conflict of three rows whose records say that they are active."""
    records = [P, {**state("lateral_support_material", "GF-PTFE", id="s1"), "status": "active"}, decision("PEEK", id="e1"), decision("PTFE", id="e2"),
               decision("PEEK", id="e3", name="again")]
    take(m, *records, **kw)
    return records, m.sweep()[0]["id"]


def test_a_verdict_stays(m):
    m.run("init")
    records, id = three(m)
    m.run("conflicts", "resolve", id, "--winner", "s1", "--notes", "tested")
    export, before = m.run("export").out, journal(m)
    r = m.run("import", "facts.jsonl")
    assert "0 added, 0 updated, 5 unchanged" in r.out, r.out
    assert "3 rows keep the status that a verdict gave them" in r.err and "--override-verdicts" in r.err, r.err
    assert m.run("export").out == export and journal(m) == before
    assert m.sweep() == []
    # What the source changes comes in all the same; the status stays.
    records[3]["description"] = "measured"
    r = take(m, *records)
    assert (r["updated"], r["kept"]) == (1, 3), r
    e2 = row(m, "entity:e2")
    assert e2["description"] == "measured" and e2["status"] == "superseded" and e2["superseded_by"] == "project_state:s1", e2
    assert {(x["row"], x["field"], x["why"]) for x in r["stays"]} == {(f"entity:e{i}", "status", "verdict") for i in (1, 2, 3)}


def test_a_field_that_a_verdict_took_out_stays_out(m):
    m.run("init")
    leg = {"kind": "entity", "id": "e1", "entity_type": "Component", "project": "p05", "name": "leg", "properties": {"mass": "4.8 kg", "vendor": "ACME"}}
    records = [P, state("leg_mass", "5 kg", id="s1"), leg]
    take(m, *records)
    id, = [c["id"] for c in m.sweep()]
    m.run("conflicts", "resolve", id, "--winner", "s1", "--field-only", "--notes", "tested")
    rows, before = rows_of(m), journal(m)
    r = m.run("import", "facts.jsonl")
    assert "1 field stays out of its row, since a verdict took it out" in r.err and "--override-verdicts" in r.err, r.err
    r = take(m, {**leg, "properties": {"mass": "4.8 kg"}}, name="other.jsonl")
    assert (r["unchanged"], r["taken_out"]) == (1, 1), r
    assert [(x["row"], x["field"], x["why"]) for x in r["stays"]] == [("entity:e1", "properties.mass", "verdict")]
    assert rows_of(m) == rows and journal(m) == before and m.sweep() == []
    # What the verdict did not judge comes in.
    leg["properties"]["vendor"] = "Bolt"
    r = take(m, *records)
    assert (r["updated"], r["taken_out"]) == (1, 1) and row(m, "entity:e1")["properties"] == {"vendor": "Bolt"}
    leg["properties"]["mass"] = "4.9 kg"
    take(m, {**leg, "properties": {"mass": "4.9 kg"}}, name="other.jsonl")
    r = take(m, *records)
    assert r["taken_out"] == 0 and row(m, "entity:e1")["properties"]["mass"] == "4.9 kg"
    assert len(m.sweep()) == 1


def test_an_import_may_win_over_a_field_taken_out(m):
    m.run("init")
    leg = {"kind": "entity", "id": "e1", "entity_type": "Component", "project": "p05", "name": "leg", "properties": {"mass": 4.80, "vendor": "ACME"}}
    records = [P, state("leg_mass", 5, id="s1"), leg]
    take(m, *records)
    id, = [c["id"] for c in m.sweep()]
    m.run("conflicts", "resolve", id, "--winner", "s1", "--field-only", "--notes", "tested")
    assert take(m, *records)["taken_out"] == 1
    r = take(m, *records, args=["--override-verdicts"])
    assert (r["updated"], r["taken_out"]) == (1, 0) and row(m, "entity:e1")["properties"] == leg["properties"]


def test_override_verdicts(m):
    m.run("init")
    records, id = three(m)
    m.run("conflicts", "resolve", id, "--winner", "s1", "--notes", "tested")
    r = take(m, *records, args=["--override-verdicts"])
    assert (r["updated"], r["kept"]) == (3, 0), r
    for i in (1, 2, 3):
        e = row(m, f"entity:e{i}")
        assert e["status"] == "active" and "superseded_by" not in e and "superseded_at" not in e, e
    assert len(m.sweep()) == 1


def test_other_verdicts_stay(m):
    m.run("init")
    records, id = three(m)
    m.run("conflicts", "dismiss", id, "--reason", "both are right")
    m.run("export")
    m.write("all.jsonl", m.run("export").out.replace('"dismissed"', '"open"'))
    m.run("import", "all.jsonl")
    assert m.conflicts() == []
    m.run("conflicts", "reopen", id, "--reason", "no")
    take(m, *records)
    assert [c["id"] for c in m.conflicts()] == [id]
    m.run("conflicts", "resolve", id, "--winner", "e2", "--notes", "tested")
    m.run("restore", "project_state:s1")
    r = take(m, *records)
    assert r["kept"] == 2 and row(m, "project_state:s1")["status"] == "active", r
    # Made invalid by a person.
    x = memory("frame is wood", id="x1")
    take(m, x, name="x.jsonl")
    m.run("edit", "memory:x1", "--set", "status=invalid")
    assert take(m, x, name="new.jsonl")["kept"] == 1 and row(m, "memory:x1")["status"] == "invalid"
    # Promoted by a person; the file says candidate for ever.
    c = {**memory("frame is steel", id="c1"), "status": "candidate"}
    take(m, c, name="c.jsonl")
    m.run("promote", "memory:c1")
    assert take(m, c, name="c.jsonl")["kept"] == 1 and row(m, "memory:c1")["status"] == "active"


def test_edits_stay_and_changes_come(m):
    m.run("init")
    e = entity("Component", {"component_name": "leg", "mass": "4 kg", "finish": "black"}, "leg", id="e1", confidence=0.5)
    take(m, P, e)
    m.run("edit", "entity:e1", "-P", "mass=5 kg", "--by", "ana")
    r = take(m, P, e)
    assert (r["updated"], r["unchanged"]) == (0, 2) and row(m, "entity:e1")["properties"]["mass"] == "5 kg", r
    # Another property: the edited one stays.
    e["properties"]["finish"] = "white"
    assert take(m, P, e)["updated"] == 1
    assert row(m, "entity:e1")["properties"] == {"component_name": "leg", "mass": "5 kg", "finish": "white"}
    assert m.sweep() == []
    # The same one, a value that nobody judged: both stand, in conflict.
    e["properties"]["mass"] = "6 kg"
    r = take(m, P, e)
    assert r["disagreed"] == 1 and row(m, "entity:e1")["properties"]["mass"] == "5 kg", r
    c, = m.sweep()
    assert [(x["member_id"], x["source"], x["value"]) for x in c["members"]] == [("e1", "ana", "5 kg"), ("e1", "facts.jsonl", "6 kg")], c
    # What the edit saw is judged: no question. The source may win, where it is asked for.
    e["properties"]["mass"] = "4 kg"
    take(m, P, e)
    assert not m.sweep()[0]["disputed"] and row(m, "entity:e1")["properties"]["mass"] == "5 kg"
    e["properties"]["mass"] = "6 kg"
    take(m, P, e, args=["--override-verdicts"])
    assert row(m, "entity:e1")["properties"]["mass"] == "6 kg" and not m.sweep()[0]["disputed"]
    # Left out: a column keeps its value, a property is taken back, null clears.
    del e["confidence"], e["properties"]["finish"]
    take(m, P, e)
    assert row(m, "entity:e1")["confidence"] == 0.5 and "finish" not in row(m, "entity:e1")["properties"]
    e["confidence"] = None
    take(m, P, e)
    assert "confidence" not in row(m, "entity:e1")
    # The order of keys is no change.
    n = len(journal(m))
    e["properties"] = dict(reversed(e["properties"].items()))
    assert take(m, P, e)["unchanged"] == 2 and len(journal(m)) == n


def test_two_sources(m):
    m.run("init")
    a, b = decision("PEEK", id="e1"), decision("PTFE", id="e1", confidence=0.9)
    take(m, P, a, name="a.jsonl")
    m.write("b.jsonl", lines(b))
    r = m.run("import", "b.jsonl")
    assert "entity:e1: properties.value: b.jsonl and a.jsonl disagree; both stand" in r.err and "--from SOURCE" in r.err, r.err
    e = row(m, "entity:e1")
    assert e["properties"]["value"] == "PEEK" and e["confidence"] == 0.9   # what only one says comes in
    c, = m.sweep()
    assert c["disputed"] and [(x["source"], x["value"]) for x in c["members"]] == [("a.jsonl", "PEEK"), ("b.jsonl", "PTFE")], c
    # It is told for as long as they disagree, whichever comes.
    r = m.run("--format", "json", "import", "b.jsonl").json()
    assert r["disagreed"] == 1 and r["stays"] == [{"row": "entity:e1", "field": "properties.value", "why": "disagreement",
                                                   "sources": ["b.jsonl", "a.jsonl"]}], r
    assert take(m, P, a, name="a.jsonl")["disagreed"] == 1
    # Neither wins by changing; agreeing ends it.
    a["properties"]["value"] = "steel"
    assert take(m, P, a, name="a.jsonl")["disagreed"] == 1 and row(m, "entity:e1")["properties"]["value"] == "steel"
    assert [x["value"] for x in m.sweep()[0]["members"]] == ["steel", "PTFE"]
    a["properties"]["value"] = "PTFE"
    r = take(m, P, a, name="a.jsonl")
    assert (r["updated"], r["disagreed"]) == (1, 0) and row(m, "entity:e1")["properties"]["value"] == "PTFE"
    assert not m.sweep()[0]["disputed"]
    for name, e in (("a.jsonl", a), ("b.jsonl", b)):
        r = take(m, P, e, name=name)
        assert (r["updated"], r["disagreed"]) == (0, 0), r
    # Each may say what the other does not speak of.
    del a["properties"]["decision_field"], b["properties"]["decision_target"]
    take(m, a, name="c.jsonl"), take(m, b, name="d.jsonl")
    assert set(row(m, "entity:e1")["properties"]) == {"decision_target", "decision_field", "value"}


def test_two_sources_in_any_order(m):
    """Of a row of each layer; whichever file comes first, the store is the same, and so is one that is made of its export."""
    relation = {"kind": "relation", "id": "r1", "type": "PART_OF", "from": "e1", "to": "e2"}
    one = [P, state("flow", "3 l/min", id="s1", source="log"), memory("The inlet pressure is 2 bar.", id="m1", agent="bo"), relation,
           entity("Component", {"finish": "black", "mass": "4 kg", "rationale": "cheap"}, "leg", id="e1", confidence=0.5, created_at="2026-02-01")]
    two = [P, state("flow", "4 l/min", id="s1", source="plan"), memory("The inlet pressure is 3 bar.", id="m1", agent="al"), {**relation, "to": "e3"},
           entity("Component", {"mass": "5 kg", "rationale": "light", "vendor": "Bolt"}, "Leg.", id="e1", confidence=0.7, created_at="2026-01-01")]
    texts = []
    for first, second in ((one, two), (two, one)):
        m.run("init", code=None)
        for records in (first, second):
            take(m, *records, name="one.jsonl" if records is one else "two.jsonl")
        found = {(x["member_kind"], x["member_id"], x["field"]): x["source"] for c in m.sweep() for x in c["members"]}
        assert len(found) == 4 and {k[:2] for k in found} == {("project_state", "s1"), ("memory", "m1"), ("relation", "r1"), ("entity", "e1")}, found
        for c in m.conflicts():
            assert [x["source"] for x in c["members"]] == ["one.jsonl", "two.jsonl"], c
        e1 = row(m, "entity:e1")
        assert e1["created_at"] == "2026-01-01" and e1["confidence"] == 0.5 and e1["name"] == "leg", e1
        text = re.sub(r'"detected_at":"[^"]*"', "", m.run("export").out)
        for value in ("3 l/min", "4 l/min", "2 bar", "3 bar", "4 kg", "5 kg", "cheap", "light", "Bolt", '"e2"', '"e3"'):
            assert value in text, value
        texts.append(text)
        m.write("all.jsonl", m.run("export").out)
        m.run("--store", "copy.db", "import", "all.jsonl")
        assert m.run("--store", "copy.db", "export").out == m.run("export").out
        m.run("build")
        pages = b"".join(data for path, data in m.site_bytes("site") if path.endswith(".md"))
        for value in (b"3 l/min", b"4 l/min", b"2 bar", b"3 bar", b"4 kg", b"5 kg", b"Bolt"):
            assert value in pages, value
        for f in ("hmirror.db", "copy.db"):
            os.remove(m.path(f))
    assert texts[0] == texts[1]


def test_a_verdict_between_sources(m):
    m.run("init")
    take(m, P, state("flow", "3 l/min", id="s1"), name="one.jsonl")
    take(m, P, state("flow", "4 l/min", id="s1"), name="two.jsonl")
    id = m.sweep()[0]["id"]
    m.fails("conflicts", "resolve", id, "--winner", "s1", "--notes", "measured", has=["one.jsonl and two.jsonl", "--from"])
    m.fails("conflicts", "resolve", id, "--winner", "s1", "--from", "six.jsonl", "--notes", "measured", has="six.jsonl")
    m.run("conflicts", "resolve", id, "--winner", "s1", "--from", "two.jsonl", "--notes", "measured", "--by", "kim")
    s1 = row(m, "project_state:s1")
    assert s1["value"] == "4 l/min" and s1["status"] == "active" and m.sweep() == []
    assert m.run("--format", "json", "conflicts", "show", id).json()["winner_source"] == "two.jsonl"
    # What was judged stays so, whoever says it; what nobody judged opens the question again.
    take(m, P, state("flow", "3 l/min", id="s1"), name="one.jsonl"), take(m, P, state("flow", "3 l/min", id="s1"), name="three.jsonl")
    assert m.sweep() == [] and row(m, "project_state:s1")["value"] == "4 l/min"
    take(m, P, state("flow", "5 l/min", id="s1"), name="one.jsonl")
    assert [x["value"] for x in m.sweep()[0]["members"]] == ["5 l/min", "4 l/min"]


def between(m, n):
    """A verdict between two sources of a row; the conflict, and the export before."""
    take(m, P, state(f"flow {n}", "3 l/min", id=f"s{n}"), name="one.jsonl")
    take(m, P, state(f"flow {n}", "4 l/min", id=f"s{n}"), name="two.jsonl")
    id, = [c["id"] for c in m.sweep()]
    before = m.run("export").out
    m.run("conflicts", "resolve", id, "--winner", f"s{n}", "--from", "two.jsonl", "--notes", "measured", "--by", "kim")
    assert m.sweep() == [] and row(m, f"project_state:s{n}")["value"] == "4 l/min"
    return id, before


def facts_of(export):
    return [x for x in export.splitlines() if '"kind":"verdict"' not in x]


def test_a_verdict_between_sources_is_taken_back(m):
    m.run("init")
    id, before = between(m, 1)
    # On the command line.
    for more in (["--dry-run"], []):
        kept = m.run("conflicts", "reopen", id, "--reason", "no", "--by", "ana", "--keep-rows", *more).out
        assert "project_state:s1 value = 3 l/min (one.jsonl) stays over" in kept and "-> active" not in kept, kept
    assert row(m, "project_state:s1")["value"] == "4 l/min" and m.conflicts()[0]["disputed"] is False
    m.run("conflicts", "resolve", id, "--winner", "s1", "--no-action", "--notes", "as it was")
    plan = m.run("conflicts", "reopen", id, "--reason", "no", "--by", "ana", "--dry-run").out
    assert "value = 3 l/min (one.jsonl), over -> active" in plan and "Would be disputed again" in plan, plan
    m.run("conflicts", "reopen", id, "--reason", "no", "--by", "ana")
    assert facts_of(m.run("export").out) == facts_of(before)
    assert [(x["source"], x["value"]) for x in m.sweep()[0]["members"]] == [("one.jsonl", "3 l/min"), ("two.jsonl", "4 l/min")]
    why = m.sql("SELECT why FROM journal WHERE ref = 'project_state:s1' ORDER BY seq DESC LIMIT 1")
    assert why == [(f"conflict {id} reopened: no",)], why
    # Only what the verdict ended comes back: a person's own edit stays over the source.
    m.run("conflicts", "resolve", id, "--winner", "s1", "--from", "two.jsonl", "--notes", "measured", "--by", "kim")
    m.run("edit", "project_state:s1", "--set", "value=5 l/min", "--by", "kim")
    m.run("conflicts", "reopen", id, "--reason", "no", "--by", "ana")
    assert row(m, "project_state:s1")["value"] == "5 l/min" and not any(c["disputed"] for c in m.conflicts())


def test_a_verdict_against_the_judges_own_edit_is_taken_back(m):
    m.run("init")
    take(m, P, state("flow", "3 l/min", id="s1"), name="one.jsonl")
    m.run("edit", "project_state:s1", "--set", "value=5 l/min", "--by", "kim")
    take(m, P, state("flow", "4 l/min", id="s1"), name="one.jsonl")
    id, = [c["id"] for c in m.sweep()]
    m.run("conflicts", "resolve", id, "--winner", "s1", "--from", "one.jsonl", "--notes", "measured", "--by", "kim")
    assert row(m, "project_state:s1")["value"] == "4 l/min" and m.sweep() == [] and "5 l/min" in m.run("export").out
    m.run("conflicts", "reopen", id, "--reason", "no", "--by", "kim")
    assert sorted((x["source"], x["value"]) for x in m.sweep()[0]["members"]) == [("kim", "5 l/min"), ("one.jsonl", "4 l/min")]


def test_a_verdict_between_sources_is_taken_back_over_http(m):
    m.run("init")
    id, before = between(m, 1)
    with Server(m) as s:
        kept = s.post(f"/conflicts/{id}/reopen?dry_run=true", {"reason": "no", "keep_rows": True}).json()
        assert kept["changes"] == [] and kept["revived"] == []
        assert kept["left"] == [{"row": "project_state:s1", "why": "value = 3 l/min (one.jsonl) stays over"}], kept
        done = s.post(f"/conflicts/{id}/reopen", {"reason": "no", "by": "ana"}).json()
        assert done["changes"] == [{"row": "project_state:s1", "before": "value = 3 l/min (one.jsonl), over", "after": "active"}], done
        assert done["revived"] == [id]
        got = s.get(f"/conflicts/{id}").json()
        assert got["disputed"] and [x["value"] for x in got["members"]] == ["3 l/min", "4 l/min"]
    assert facts_of(m.run("export").out) == facts_of(before)


def test_agents_see_a_verdict_between_sources_and_that_it_is_taken_back(m):
    m.run("init")
    id, _ = between(m, 1)
    with Agent(m) as a:
        assert a.call("list_conflicts")["conflicts"] == [] and a.call("get_conflict", id=id)["winner_source"] == "two.jsonl"
        m.run("conflicts", "reopen", id, "--reason", "no", "--by", "ana")
        got = a.call("list_conflicts")["conflicts"]
        assert [(x["source"], x["value"]) for x in got[0]["members"]] == [("one.jsonl", "3 l/min"), ("two.jsonl", "4 l/min")], got
        assert got[0]["disputed"] and "winner_source" not in got[0], got


def test_what_a_source_no_longer_says(m):
    m.run("init")
    a, b, c = state("flow", "3 l/min", id="a"), state("head", "9 m", id="b"), memory("The pipe is steel.", id="c", status="candidate")
    take(m, P, a, b, c, name="one.jsonl")
    take(m, b, name="two.jsonl")
    # It is told, and nothing ends unasked.
    m.write("one.jsonl", lines(P))
    r = m.run("import", "-q", "one.jsonl")
    assert "3 rows are no longer in one.jsonl; import it with --complete" in r.err, r.err
    assert row(m, "project_state:a")["status"] == "active"
    # It ends, but for what another source says.
    r = m.run("--format", "json", "import", "one.jsonl", "--complete").json()
    assert r["gone"] == 3, r
    assert [row(m, x)["status"] for x in ("project_state:a", "project_state:b", "memory:c")] == ["invalid", "active", "invalid"]
    assert row(m, "project_state:a")["value"] == "3 l/min"
    assert m.sql("SELECT why FROM journal WHERE ref = 'project_state:a' ORDER BY seq DESC LIMIT 1") == [("no longer in one.jsonl",)]
    assert m.run("--format", "json", "import", "one.jsonl", "--complete").json()["gone"] == 0
    # Said again, it is what it was, also in a store that is made of the export.
    m.write("all.jsonl", m.run("export").out)
    m.run("--store", "copy.db", "import", "all.jsonl")
    for store in ("hmirror.db", "copy.db"):
        m.write("one.jsonl", lines(P, a, b, c))
        m.run("--store", store, "import", "one.jsonl")
        rows = {r["id"]: r for r in map(json.loads, m.run("--store", store, "export").out.splitlines()) if "id" in r}
        assert [rows[x]["status"] for x in "abc"] == ["active", "active", "candidate"], (store, rows)
    # A verdict's status stays; a bad line, an empty file, and standard input without a name tell of nothing.
    m.run("edit", "project_state:a", "--set", "status=invalid")
    m.run("import", "-", stdin=lines(P).encode())
    for text in ("", "{}\n"):
        m.write("one.jsonl", text)
        r = m.run("--format", "json", "import", "--keep-going", "--complete", "one.jsonl", code=None).json()
        assert r["gone"] == 0, r


def test_a_line_without_an_id_that_was_edited(m):
    """A corrected cell of a sheet without ids is no dispute of the sheet with itself."""
    m.run("init")
    m.write("sheet.csv", "project,category,key,value\np05,fact,flow,3 l/min\np05,fact,head,9 m\n")
    m.run("import", "--csv", "state", "sheet.csv")
    m.write("sheet.csv", "project,category,key,value\np05,fact,flow,4 l/min\np05,fact,head,9 m\n")
    m.run("import", "--csv", "state", "sheet.csv")
    assert m.sweep() == []
    assert sorted((r["value"], r["status"]) for r in map(json.loads, rows_of(m)) if r["kind"] == "project_state") == [
        ("3 l/min", "invalid"), ("4 l/min", "active"), ("9 m", "active")]


def sheet(n, changed=None):
    return "project,category,key,value\n" + "".join(f"p05,fact,k{i},{changed if i == 0 and changed else i + 1} mm\n" for i in range(n))


def gone_findings(m):
    return [f for f in m.run("--format", "json", "findings", "list").json()["findings"] if f["rule"] == "row/no-longer-in-source"]


def test_what_a_source_no_longer_says_is_a_finding(m):
    m.run("init")
    take(m, P, state("flow", "3 l/min", id="a"), memory("The pipe is steel.", id="b"), entity("Part", {}, id="c"), name="one.jsonl")
    take(m, state("head", "2 m", id="d"), name="two.jsonl")
    take(m, P, memory("The pipe is steel.", id="b"), name="one.jsonl")
    m.run("sweep")
    f, = gone_findings(m)
    assert (f["message"], f["rows"], f["kind"], f["project"]) == ("2 rows are no longer in one.jsonl", ["entity:c", "project_state:a"], "stale", "p05"), f
    assert "hmirror import --complete one.jsonl" in f["expected"]
    # It changes nothing else, and is told once.
    assert row(m, "project_state:a")["status"] == "active"
    before = m.run("export").out
    r = take(m, P, memory("The pipe is steel.", id="b"), name="one.jsonl")
    assert (r["gone"], r["ended"]) == (2, 0) and m.run("export").out == before
    m.run("build")
    page = m.text("site", "projects", "p05", "README.md")
    assert "2 rows are no longer in one" in page and "flow" in page, page
    # A copy of the store knows it, too; a row that is said again, or ends, is in no such finding.
    m.write("all.jsonl", before)
    m.run("--store", "copy.db", "import", "all.jsonl")
    m.run("--store", "copy.db", "sweep")
    assert [x["message"] for x in m.run("--store", "copy.db", "--format", "json", "findings", "list").json()["findings"]] == [f["message"]]
    take(m, P, memory("The pipe is steel.", id="b"), state("flow", "3 l/min", id="a"), name="one.jsonl")
    m.run("sweep")
    assert [f["message"] for f in gone_findings(m)] == ["1 row is no longer in one.jsonl"]
    m.run("import", "one.jsonl", "--complete")
    m.run("sweep")
    assert gone_findings(m) == [] and row(m, "entity:c")["status"] == "invalid"


def test_what_the_config_says_of_sources(m):
    m.run("init")
    csv = ("--format", "json", "import", "--csv", "project_state")
    m.write("in/sheet.csv", sheet(25)), m.run(*csv, "in/sheet.csv")
    m.write("mirror.yml", "sources: [{name: sheet.csv, complete: true}, {name: log.csv, complete: false}]\n")
    # Less than half ends as with --complete.
    m.write("in/sheet.csv", sheet(20))
    r = m.run("--format", "json", "import", "--csv", "project_state", "in/sheet.csv").json()
    assert (r["gone"], r["ended"]) == (5, 5), r
    states = lambda: sorted((x["key"], x["status"]) for x in map(json.loads, rows_of(m)) if x["kind"] == "project_state")
    assert [s for _, s in states()].count("invalid") == 5
    # More than half of 20 rows does not, and the warning says which command does it.
    m.write("in/sheet.csv", sheet(9))
    for dry in (("--dry-run",), ()):
        r = m.run("import", "--csv", "project_state", "in/sheet.csv", "-q", *dry)
        assert "11 rows are no longer in in/sheet.csv; that is more than half of it" in r.err, r.err
        assert "`hmirror import --complete --csv project_state in/sheet.csv`" in r.err, r.err
    assert [s for _, s in states()].count("invalid") == 5
    m.run("sweep")
    assert [f["message"] for f in gone_findings(m)] == ["11 rows are no longer in in/sheet.csv"]
    m.run("import", "--complete", "--csv", "project_state", "in/sheet.csv")
    assert [s for _, s in states()].count("invalid") == 16
    # Of fewer rows all may end.
    m.write("in/sheet.csv", sheet(1))
    assert m.run(*csv, "in/sheet.csv").json()["ended"] == 8
    # An edited line without an id is no row that goes.
    m.write("in/sheet.csv", sheet(1, changed=7))
    r = m.run(*csv, "in/sheet.csv").json()
    assert [s for k, s in states() if k == "k0"] == ["active", "invalid"] and m.sweep() == [], r
    # A file of additions.
    m.write("log.csv", sheet(3).replace("fact,k", "fact,l")), m.run(*csv, "log.csv")
    m.write("log.csv", sheet(1).replace("fact,k", "fact,l"))
    r = m.run("import", "--csv", "project_state", "log.csv")
    assert r.err == "" and m.run("sweep") and gone_findings(m) == [], r.err
    m.write("mirror.yml", "title: x\n")
    assert "2 rows are no longer in log.csv" in m.run("import", "--csv", "project_state", "log.csv").err
    m.run("sweep")
    assert len(gone_findings(m)) == 1
    m.write("mirror.yml", "sources: [{name: log.csv, complete: false}]\n")
    m.run("sweep")
    assert gone_findings(m) == []


def test_memories_and_relations_without_an_id_that_were_edited(m):
    m.run("init")
    people = [entity("Person", {}, "Ada", id="ada"), entity("Organisation", {}, "Guild", id="guild"), entity("Organisation", {}, "Order", id="order"),
              entity("City", {}, "Porto", id="porto"), entity("City", {}, "Lisbon", id="lisbon"), entity("Item", {}, "lamp", id="lamp")]
    tie = lambda type, a, b, **kw: {"kind": "relation", "type": type, "from": "entity:" + a, "to": "entity:" + b, **kw}
    said = lambda text: {"kind": "memory", "project": "p05", "memory_type": "knowledge", "content": text}

    def first(flow, member_until, place, rest):
        return [P, *people, said(f"The pump flow is {flow}."), said("The pump head is 9 m."), said(rest),
                tie("MEMBER_OF", "ada", "guild", valid_from="1990", valid_until=member_until), tie("MEMBER_OF", "ada", "order", valid_from="2001"),
                tie("LOCATED_IN", "lamp", place)]
    take(m, *first("3 l/min", "1995", "porto", "Remember the milk."), name="notes.jsonl")
    r = take(m, *first("4 l/min", "1996", "lisbon", "Remember the cheese."), name="notes.jsonl")
    assert r["gone"] == 1, r   # of the milk nobody can say what became of it
    active = {x.get("content") or x["type"] + " " + x["to"] + " " + x.get("valid_until", "") for x in map(json.loads, rows_of(m))
              if x["kind"] in ("memory", "relation") and x["status"] == "active"}
    assert active == {"The pump flow is 4 l/min.", "The pump head is 9 m.", "Remember the milk.", "Remember the cheese.",
                      "MEMBER_OF entity:guild 1996", "MEMBER_OF entity:order ", "LOCATED_IN entity:lisbon "}, active
    assert m.sweep() == []
    # Two that the source has at once are a dispute, also where one has gone and come.
    take(m, *first("4 l/min", "1996", "lisbon", "The pump flow is 5 l/min."), name="notes.jsonl")
    assert [sorted(x["value"] for x in c["members"]) for c in m.sweep()] == [["4 l/min", "5 l/min"]]
    # Of another source nothing is edited.
    take(m, said("The pump flow is 6 l/min."), name="other.jsonl")
    take(m, said("The pump head is 8 m."), name="other.jsonl")
    assert len(m.sweep()) == 2


def test_what_a_source_is(m):
    m.run("init")
    a, b = state("k", "1", id="s1"), state("k", "2", id="s1")
    take(m, P, a, name="one/facts.jsonl")
    r = take(m, P, b, name="two/facts.jsonl")   # another file
    assert (r["disagreed"], r["files"][0]["source"]) == (1, "two/facts.jsonl"), r
    assert [x["source"] for x in m.sweep()[0]["members"]] == ["one/facts.jsonl", "two/facts.jsonl"]
    # Of an absolute path the file's name alone: a folder of each night is one source.
    for night in ("mon", "tue"):
        m.write(f"{night}/dump.jsonl", lines(state("n", night, id="s2")))
        r = m.run("--format", "json", "import", m.path(f"{night}/dump.jsonl")).json()
        assert (r["disagreed"], r["files"][0]["source"]) == (0, "dump.jsonl"), r
    # A name means the known source that ends so; two are an error, and nothing is stored.
    m.write("x.jsonl", lines(state("k", "3", id="s3")))
    before = m.run("export").out
    m.fails("import", "x.jsonl", "--source", "facts.jsonl", has=["one/facts.jsonl", "two/facts.jsonl"])
    assert m.run("export").out == before
    take(m, state("q", "1", id="s4"), name="sub/only.jsonl")
    m.write("x.jsonl", lines(state("q", "2", id="s4")))
    r = m.run("--format", "json", "import", "x.jsonl", "--source", "only.jsonl").json()
    assert r["files"][0]["source"] == "sub/only.jsonl" and r["disagreed"] == 0 and row(m, "project_state:s4")["value"] == "2", r
    # What an older version recorded by the file's name goes on, wherever the file is.
    take(m, state("o", "1", id="s5"), name="old.jsonl")
    r = take(m, state("o", "2", id="s5"), name="facts/old.jsonl")
    assert r["files"][0]["source"] == "old.jsonl" and r["disagreed"] == 0
    r = m.run("--format", "json", "import", "-", stdin=lines(state("o", "3", id="s5")).encode()).json()
    assert r["disagreed"] == 1 and r["stays"][0]["sources"] == ["stdin", "old.jsonl"], r
    m.fails("import", "x.jsonl", "--source", "", has="--source")
    # With --source files are versions of one source, one after the other.
    m.write("one/v.jsonl", lines(state("v", "1", id="s6")))
    m.write("two/v.jsonl", lines(state("v", "2", id="s6")))
    m.run("import", "one/v.jsonl", "two/v.jsonl", "--source", "v.jsonl")
    assert row(m, "project_state:s6")["value"] == "2"


def test_csv(m):
    """A spreadsheet is imported by the names of its columns, again as often as it changes, and contradicts like any fact."""
    m.run("init")
    take(m, P, memory("The spindle speed is 55 rpm.", id="m1"), memory("The head mass is 4.8 kg.", id="m2"))
    sheet = "\ufeffid;Project;Key;Value;Source\r\ns1;p05;spindle_speed;45 rpm;review; 3\r\ns2;p05;head_mass;4.80 kg;\r\n"
    m.write("sheet.csv", sheet)
    m.fails("import", "--csv", "state", "sheet.csv", has=["sheet.csv:2: a row of 6 where the header names 5"])
    sheet = sheet.replace("review; 3", '"review; 3"')
    m.write("sheet.csv", sheet)
    assert "would" not in m.run("import", "--csv", "state", "sheet.csv").err
    assert row(m, "project_state:s2")["value"] == "4.80 kg" and row(m, "project_state:s1")["source"] == "review; 3"
    assert [c["slot_key"] for c in m.sweep()] == [["p05", "spindle_speed"]]
    before = journal(m)
    assert "0 added, 0 updated, 2 unchanged" in m.run("import", "--csv", "state", "sheet.csv").out and journal(m) == before
    # An edit stays while the sheet says what it said; what changes in the sheet comes in; an empty cell says nothing.
    m.run("edit", "project_state:s1", "--set", "value=55 rpm", "--by", "ana")
    m.write("sheet.csv", sheet.replace("4.80 kg", "4.9 kg").replace('"review; 3"', ""))
    r = m.run("--format", "json", "import", "--csv", "state", "sheet.csv").json()
    assert (r["updated"], r["unchanged"]) == (1, 1), r
    assert row(m, "project_state:s1") == {**row(m, "project_state:s1"), "value": "55 rpm", "source": "ana"}
    # The other file format says the same: ids of the content are the same, too.
    m.write("a.csv", "memory_type,content,tags,confidence\nknowledge,the frame is steel,a;b,0.50\n")
    m.run("import", "--csv", "memory", "a.csv", "--source", "x")
    m.write("a.jsonl", '{"kind":"memory","memory_type":"knowledge","content":"the frame is steel","tags":["a","b"],"confidence":0.50}\n')
    assert "0 added, 0 updated, 1 unchanged" in m.run("import", "a.jsonl", "--source", "x").out
    # A column that is no key is a property of an entity; one whose cells are empty now is taken back.
    m.write("parts.csv", "id,entity_type,name,project,mass,finish\ne1,Component,leg,p05,4.80 kg,black\n")
    m.run("import", "--csv", "entity", "parts.csv")
    assert row(m, "entity:e1")["properties"] == {"mass": "4.80 kg", "finish": "black"}
    m.write("parts.csv", "id,entity_type,name,project,mass,finish\ne1,Component,leg,p05,4.80 kg,\n")
    m.run("import", "--csv", "entity", "parts.csv")
    assert row(m, "entity:e1")["properties"] == {"mass": "4.80 kg"}


def test_csv_of_other_bytes(m):
    m.run("init")
    sheet = "key;value;confidence\nfarbe;grün;0,9\npreis;5 €;1\n"
    m.write("a.csv", sheet.encode("windows-1252"))
    m.fails("import", "--csv", "state", "a.csv", has=["a.csv:2: byte 9: 0xFC is not UTF-8", "--encoding"])
    m.run("import", "--csv", "state", "--encoding", "windows-1252", "a.csv")
    assert {(r["value"], r["confidence"]) for r in map(json.loads, rows_of(m))} == {("grün", 0.9), ("5 €", 1)}
    for name, data, what in (("a.utf16", sheet.encode("utf-16"), "is UTF-16, not CSV"), ("a.json", b'{"kind":"memory"}\n', "is JSON Lines, not CSV"),
                             ("a.zip", b"PK\3\4[Content_Types].xml", "an Office file")):
        m.write(name, data)
        m.fails("import", "--csv", "state", name, has=[name, what])
    m.fails("import", "--csv", "sheet", "a.csv", has="--csv")
    m.write("notion.csv", "\ufeffName,Status\nLaunch,Done\n")
    m.fails("import", "--csv", "entity", "notion.csv", has=["notion.csv:1: no column 'entity_type'", "add it"])
    m.write("b.csv", "key,value,confidence\na,1,high\nb,2\nc,3,0.5\n")
    before = m.tree()
    m.fails("import", "--csv", "state", "b.csv", has="b.csv:2: column 3: confidence: must be a number from 0 to 1")
    assert m.tree() == before
    r = m.run("import", "--csv", "state", "--keep-going", "b.csv", code=1)
    assert "1 added, 0 updated, 0 unchanged, 2 bad lines" in r.out and "b.csv:3: a row of 2" in r.err, r.out + r.err
    m.write("c.csv", 'key,value\na,"' + "x\n" * 100000)   # a quote that is open to the end
    m.fails("import", "--csv", "state", "c.csv", has="c.csv:2: column 2: value: a quote that is never closed")


def test_dry_run(m):
    records = [P, state("k", "1", id="s1"), memory("the frame is steel", id="m1", confidence=0.5)]
    m.write("mirror.yml", "title: x\n")
    m.write("facts.jsonl", lines(*records))
    before = m.tree()
    r = m.run("import", "--dry-run", "facts.jsonl")   # without a store: as into an empty one
    assert "  add memory:m1\n" in r.out and "3 added, 0 updated" in r.out and "nothing was stored" in r.out, r.out
    assert m.tree() == before
    m.run("import", "facts.jsonl")
    records[2].update(content="the frame is wood", confidence=None)
    m.write("facts.jsonl", lines(*records))
    m.write("more.jsonl", lines(state("k2", "1", id="s2"), records[2]))
    before, mtime = m.tree(), os.stat(m.path("hmirror.db")).st_mtime_ns
    r = m.run("import", "--dry-run", "facts.jsonl", "more.jsonl")   # the second sees what the first says
    assert "Would change:\n  update memory:m1: content, confidence\n  add project_state:s2\n" in r.out, r.out
    assert "together: 1 added, 1 updated, 3 unchanged" in r.out
    r = m.run("--format", "json", "import", "--dry-run", "facts.jsonl").json()
    assert r["dry_run"] and r["changes"] == [{"row": "memory:m1", "change": "updated", "keys": ["content", "confidence"]}], r
    m.write("many.jsonl", lines(*[state(f"k{i}", "v" * 2000, id=f"x{i}") for i in range(3000)]))   # more than fits into memory of pages
    r = m.run("import", "--dry-run", "many.jsonl")
    assert "and 2,990 more" in r.out and len(m.run("import", "--dry-run", "-v", "many.jsonl").out.splitlines()) > 1000
    # The exit codes are those of the import.
    m.write("bad.jsonl", lines(records[2]) + "{}\n")
    m.fails("import", "--dry-run", "more.jsonl", "bad.jsonl", has="bad.jsonl:2: kind")
    m.run("import", "--dry-run", "--keep-going", "bad.jsonl", code=1)
    m.write("empty.jsonl", "\n")
    assert "empty.jsonl: 0 added, 0 updated, 0 unchanged (it is empty)" in m.run("import", "--dry-run", "empty.jsonl").out
    for f in ("bad.jsonl", "many.jsonl", "empty.jsonl"):
        os.remove(m.path(f))
    assert m.tree() == before and os.stat(m.path("hmirror.db")).st_mtime_ns == mtime
    m.sql("PRAGMA user_version = 3")
    before = m.tree()
    m.fails("import", "--dry-run", "facts.jsonl", has=["version 3", "hmirror sweep"])
    assert m.tree() == before


def test_dry_run_of_verdicts(m):
    m.run("init")
    records, id = three(m)
    m.run("conflicts", "resolve", id, "--winner", "s1", "--notes", "tested")
    verdicts = m.run("export", "--verdicts").out
    m.run("conflicts", "reopen", id, "--reason", "no")
    os.remove(m.path("hmirror.db"))
    take(m, *records)
    m.sweep()
    m.write("verdicts.jsonl", verdicts)
    before = m.tree()
    r = m.run("import", "--dry-run", "verdicts.jsonl")
    assert "carry out 1 verdict\n" in r.out and "was carried out" not in r.err, r.out + r.err
    assert m.tree() == before and len(m.conflicts()) == 1


def test_progress_counts_rows(m):
    m.run("init")
    master, slave = pty.openpty()
    p = subprocess.Popen([HMIRROR, "import", "-"], cwd=m.dir, env={**m.env, "TERM": "xterm"}, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=slave)
    p.stdin.write(lines(*[state(f"k{i}", "v" * 500) for i in range(400)]).encode())
    p.stdin.flush()
    shown = b""
    while b"rows so far: " not in shown:   # it comes after a second
        shown += os.read(master, 1000)
    assert re.search(rb"importing, rows so far: [1-9]\d* \(1 s\)", shown), shown
    p.stdin.close()
    assert p.wait(timeout=HANGS) == 0
    os.close(master)
    os.close(slave)


def test_rows_that_were_deleted(m):
    m.run("init")
    records, id = three(m)
    m.run("conflicts", "resolve", id, "--winner", "s1", "--notes", "tested")
    m.sql("DELETE FROM entities WHERE id = 'e2'")
    r = take(m, *records)
    assert (r["added"], r["kept"]) == (1, 3), r
    assert row(m, "entity:e2")["status"] == "superseded" and m.sweep() == []
    m.sql("DELETE FROM project_state")
    assert take(m, *records)["added"] == 1 and row(m, "project_state:s1")["value"] == "GF-PTFE"


def test_a_store_from_before(m):
    """What a store of version 2 imported last is of the source that says it again."""
    m.run("init")
    records, id = three(m)
    m.run("edit", "entity:e1", "-P", "finish=red")
    m.run("conflicts", "resolve", id, "--winner", "s1", "--notes", "tested")
    m.sql("DROP TABLE evidence")
    m.sql("PRAGMA user_version = 2")
    r = take(m, *records, name="other name.jsonl")
    assert (r["updated"], r["kept"], r["disagreed"]) == (0, 3, 0), r
    assert row(m, "entity:e1")["properties"]["finish"] == "red"
    records[2]["properties"]["value"] = "steel"
    r = take(m, *records, name="third.jsonl")
    assert r["disagreed"] == 1 and row(m, "entity:e1")["properties"]["value"] == "PEEK", r
    r = take(m, *records, name="other name.jsonl")
    assert r["updated"] == 1 and row(m, "entity:e1")["properties"]["value"] == "steel", r


def test_bad_lines_remember_nothing(m):
    m.run("init")
    a, b = state("k", "1", id="s1"), state("k", "2", id="s1")
    take(m, P, a)
    m.write("facts.jsonl", lines(a)[:-1] + "\n" + lines(b) + lines({**state("k", "3", id="s2"), "confidence": 7}))
    m.fails("import", "facts.jsonl", has=["facts.jsonl:2: id", "different content"])
    r = m.run("--format", "json", "import", "facts.jsonl", "--keep-going", code=1).json()
    assert (r["unchanged"], r["bad"]) == (1, 2) and row(m, "project_state:s1")["value"] == "1"
    assert m.sql("SELECT count(*) FROM evidence WHERE ref = 'project_state:s2'") == [(0,)]
    assert take(m, b)["updated"] == 1


def test_other_kinds(m):
    m.run("init")
    relation = {"kind": "relation", "id": "r1", "type": "PART_OF", "from": "e1", "to": "e2", "properties": {"n": 1}}
    nameless = {"kind": "memory", "memory_type": "knowledge", "content": "the frame is steel"}
    link = {"kind": "link", "src": "memory:a", "dst": "memory:b"}
    all = [P, relation, nameless, link]
    take(m, *all)
    n = len(journal(m))
    for name in ("facts.jsonl", "other.jsonl"):
        r = take(m, *all, name=name)
        assert (r["added"], r["updated"], r["unchanged"]) == (0, 0, 4), r
    assert len(journal(m)) == n
    # A project has the aliases that any source gives it.
    take(m, project("p05", "interferometer", "p5"), name="other.jsonl")
    assert row(m, "project:p05")["aliases"] == ["interferometer", "p5"]
    take(m, project("p05", "interferometer"), name="other.jsonl")
    assert row(m, "project:p05")["aliases"] == ["interferometer"]
    take(m, project("p05", "interferometer", "p5"))
    assert row(m, "project:p05")["aliases"] == ["interferometer", "p5"]
    m.write("self.jsonl", lines({**link, "dst": "memory:a"}))
    m.fails("import", "self.jsonl", has=["self.jsonl:1: dst", "no link to itself"])
    m.sql("INSERT INTO links (src, dst) VALUES ('memory:x', 'memory:x')")   # another program may
    m.write("all.jsonl", m.run("export").out)
    m.run("--store", "copy.db", "import", "all.jsonl")


def test_redaction(m):
    m.run("init")
    secret = "hunter2"
    e = entity("Component", {"component_name": "door", "code": secret, "mass": "4 kg"}, "door", id="e1")
    s = {**state("door code", secret, id="s1"), "status": "active"}
    take(m, P, e, s)
    m.run("redact", "s1", "--reason", "leaked")
    m.run("redact", "e1", "--field", "code", "--reason", "leaked")
    m.write("facts.jsonl", lines(P, e, s))
    r = m.run("import", "facts.jsonl")
    assert "entity:e1: properties.code: it was redacted and stays so; facts.jsonl still says" in r.err, r.err
    assert "project_state:s1: value: it was redacted" in r.err and "1 row keeps the status" in r.err, r.err
    assert secret.encode() not in b"".join(m.read(f) for f in os.listdir(m.dir) if f.startswith("hmirror.db"))
    # The rest of the row is the source's to change.
    e["properties"]["mass"] = "5 kg"
    take(m, P, e, s)
    assert row(m, "entity:e1")["properties"]["mass"] == "5 kg" and "[redacted" in row(m, "entity:e1")["properties"]["code"]
    take(m, P, e, s, args=["--override-verdicts"])
    assert row(m, "entity:e1")["properties"]["code"] == secret


def test_redaction_of_a_store_from_before(m):
    m.run("init")
    take(m, P, {**state("door code", "hunter2", id="s1"), "status": "active"})
    m.run("edit", "s1", "--set", "value=changed")
    m.sql("DROP TABLE evidence")
    m.sql("PRAGMA user_version = 2")
    m.run("redact", "s1", "--earlier", "--reason", "leaked")
    assert m.run("--format", "json", "import", "facts.jsonl").json()["redacted"] == 1
    assert row(m, "project_state:s1")["value"] == "changed" and "hunter2" not in m.run("export").out


def test_bytes(m):
    m.run("init")
    record = state("name", "Zürich – “naïve”", id="s1")
    good = lines(P).encode()
    latin = lines(state("name", "Zürich naïve", id="s1")).encode("latin-1")
    at = latin.index(b"\xfc") + 1
    m.write("facts.jsonl", good + latin)
    m.fails("import", "facts.jsonl", has=[f"facts.jsonl:2:{at}: 0xFC is not UTF-8: ", "--encoding windows-1252", "or latin1"])
    assert m.run("export").out == ""
    r = m.run("--format", "json", "import", "facts.jsonl", "--keep-going", code=1)
    assert r.json()["bad"] == 1 and r.json()["added"] == 1 and f"facts.jsonl:2:{at}: " in r.err
    m.run("import", "facts.jsonl", "--encoding", "latin1")
    assert row(m, "project_state:s1")["value"] == "Zürich naïve"
    m.write("windows.jsonl", lines(record).encode("windows-1252"))
    m.fails("import", "windows.jsonl", has="0xFC is not UTF-8")
    m.run("import", "windows.jsonl", "--encoding", "Windows-1252", "--source", "facts.jsonl")
    assert row(m, "project_state:s1")["value"] == record["value"]
    m.write("bad.jsonl", lines(record).encode("windows-1252").replace(b"\xfc", b"\x81"))
    m.fails("import", "bad.jsonl", "--encoding", "windows-1252", has=["bad.jsonl:1:", "0x81 is not windows-1252"])
    m.fails("import", "bad.jsonl", "--encoding", "utf-16", has="--encoding")
    # A byte order mark is fine, cut letters, surrogates and overlong forms are not.
    m.write("bom.jsonl", b"\xef\xbb\xbf" + lines(state("k", "ü", id="s2")).encode())
    m.run("import", "bom.jsonl")
    m.write("only.jsonl", b"\xef\xbb\xbf")
    m.run("import", "only.jsonl")
    for bytes in (b"\xc3", b"\xed\xa0\x80", b"\xc0\xaf", b"\xff\xfe", b"\x80"):
        m.write("bad.jsonl", b'{"kind":"project","id":"p' + bytes + b'"}\n')
        m.fails("import", "bad.jsonl", has="bad.jsonl:1:26: ")


def test_sources_that_differ_where_no_slot_is(m):
    """A bound of a relation, an end, a text of which nothing is read: each stands with its source on a page, and a command
    names the source; reasons of one value stand both."""
    say = lambda since, to, text, why: [
        {"kind": "entity", "id": "kim", "entity_type": "Person", "project": "p05", "name": "Kim"},
        {"kind": "relation", "id": "r1", "type": "MENTORS", "from": "kim", "to": "lee", "valid_from": since},
        {"kind": "relation", "id": "r2", "type": "VISITS", "from": "kim", "to": to},
        memory(text, id="m1", project="p05", source_refs=[f"log of {to}"]),
        entity("Decision", {"decision_target": "lid", "decision_field": "colour", "value": "red", "rationale": why}, "Lid", id="d1")]
    take(m, P, *say("2001-05", "lee", "It always rattles in the morning", "Paint was left over"), name="a.jsonl")
    take(m, *say("2003-09", "ada", "It always rattles at night", "It is seen from afar"), name="b.jsonl")
    m.run("build")
    found = {c["slot_key"][-1]: c for c in json.loads(m.text("site", "conflicts.json"))["conflicts"]}
    assert {"relation:r1#valid_from", "relation:r2#to", "memory:m1#content"} == set(found), found
    assert {c["project"] for c in found.values()} == {"p05"}
    for c in found.values():
        page = m.text("site", "conflicts", c["id"] + ".md")
        assert "--from a.jsonl --notes" in page and "--from b.jsonl --notes" in page, page
        assert page.count("(a\\.jsonl)") + page.count("Source: a\\.jsonl") >= 1, page
    page = m.text("site", "conflicts", found["memory:m1#content"]["id"] + ".md")
    night = page.split("- **It always rattles at night**")[1].split("<!-- end cards -->")[0]
    assert "morning" not in night and "b\\.jsonl" in night, night
    named = [x for x in m.text("site", "sources", "README.md").splitlines() if x.startswith("  - Rows: ")]
    assert len(named) == 2 and all("[m1](" in x and "rattles" not in x for x in named), named   # it is the text of one of them
    decision = m.text("site", "projects", "p05", "entities", "decision.md")
    assert "Paint was left over (a\\.jsonl) \\| It is seen from afar (b\\.jsonl)" in decision, decision


def test_two_spellings_of_one_value(m):
    """Sources of one id that spell a value in two ways agree, as two rows of that slot do."""
    m.run("init")
    two = [("soup_portion", "0.35 l", "350 ml"), ("tea_portion", "0.35 l", "400 ml"), ("port", "8080/tcp", "8080"),
           ("open_from", "2026-03-05", "5 March 2026")]
    for i, (key, a, b) in enumerate(two):
        for name, value in (("a.jsonl", a), ("b.jsonl", b)):
            take(m, P, state(key, value, id=f"s{i}"), args=["--source", f"{i}{name}"])
            take(m, P, {"kind": "entity", "id": f"e{i}", "project": "p05", "entity_type": "Soup", "name": f"soup {i}",
                        "properties": {key: value}}, args=["--source", f"{i}{name}"])
    seen = sorted(f"{v['member_kind']}:{v['member_id']}" for c in m.sweep() for v in c["members"])
    assert seen == ["entity:e1", "entity:e1", "project_state:s1", "project_state:s1"], seen


def test_texts_that_differ_in_how_they_close(m):
    """Space, case and closing signs make no dispute of two sources; a question is not what it asks about."""
    for other, opens in (("It rattles in  the Morning", False), ("It rattles in the morning!", False), ("It rattles in the morning;", False), ("It rattles in the morning?", True),
                         ("It rattles at night.", True)):
        take(m, P, memory("It rattles in the morning.", id="m1", project="p05"), name="a.jsonl")
        take(m, memory(other, id="m1", project="p05"), name="b.jsonl")
        said = [x["value"] for c in m.sweep() if c["disputed"] for x in c["members"]]
        assert said == (["It rattles in the morning.", other] if opens else []), (other, said)


def test_a_status_that_differs(m):
    """A status is said by a word, and by none: the row is active while one source says so, and the difference is a conflict."""
    ended = {**state("flow", "3 l/min", id="s1"), "status": "invalid"}
    take(m, P, state("flow", "3 l/min", id="s1"), name="a.jsonl")
    r = take(m, P, ended, name="b.jsonl")
    c, = m.sweep()
    assert r["disagreed"] == 1 and row(m, "project_state:s1")["status"] == "active", r
    assert [(x["source"], x["value"]) for x in c["members"]] == [("a.jsonl", "active"), ("b.jsonl", "invalid")], c
    m.run("--store", "other.db", "import", "b.jsonl", "-q"), m.run("--store", "other.db", "import", "a.jsonl", "-q")
    m.run("--store", "other.db", "sweep")
    assert [x["id"] for x in m.run("--store", "other.db", "--format", "json", "conflicts", "list").json()["conflicts"]] == [c["id"]]
    # A verdict for the end ends the row; taken back, the row is active and in dispute again.
    m.run("conflicts", "resolve", c["id"], "--winner", "s1", "--from", "b.jsonl", "--notes", "it was dismantled")
    assert row(m, "project_state:s1")["status"] == "invalid" and m.sweep() == []
    m.run("conflicts", "reopen", c["id"], "--reason", "it was not")
    assert row(m, "project_state:s1")["status"] == "active" and [x["id"] for x in m.sweep()] == [c["id"]]
    # Sources that come to agree are in no dispute.
    take(m, P, {**ended, "status": "active"}, name="b.jsonl")
    assert not any(x["disputed"] for x in m.sweep()) and row(m, "project_state:s1")["status"] == "active"


def test_a_status_that_a_person_or_a_verdict_gave_is_no_dispute(m):
    m.run("init")
    proposed = memory("The frame is steel.", id="c1", project="p05", status="candidate")
    for name in ("a.jsonl", "b.jsonl"):
        take(m, P, proposed, decision("PEEK", id="e1"), decision("PTFE", id="e2"), name=name)
    m.run("promote", "memory:c1")
    c, = m.sweep()
    m.run("conflicts", "resolve", c["id"], "--winner", "e1", "--notes", "measured")
    assert m.sweep() == [] and row(m, "entity:e2")["status"] == "superseded"
    # Whoever says it again, or for the first time.
    for name in ("a.jsonl", "new.jsonl"):
        r = take(m, P, proposed, decision("PEEK", id="e1"), decision("PTFE", id="e2"), name=name)
        assert m.sweep() == [] and row(m, "memory:c1")["status"] == "active", r
    # What was not seen opens the question.
    take(m, P, {**proposed, "status": "invalid"}, name="late.jsonl")
    assert [x["slot_key"][-1] for x in m.sweep()] == ["memory:c1#status"] and row(m, "memory:c1")["status"] == "active"
    m.write("all.jsonl", m.run("export").out)
    m.run("--store", "copy.db", "import", "all.jsonl", "-q")
    assert m.run("--store", "copy.db", "export").out == m.text("all.jsonl")


def values_of(record):
    """What a record says that somebody could look for."""
    return [record["value"]] if "value" in record else [record["properties"]["value"]] if "properties" in record else [record["content"]]


def test_random_sources_in_any_order(m):
    """No value of a source is missing from the store, the export and the pages; any order of different sources gives the same bytes; a store
    made from the export is the same store."""
    seed = int(os.environ.get("HM_SEED", "20261125"))
    print("# HM_SEED =", seed)
    rng = random.Random(seed)
    for _ in range(40 if THOROUGH else 3):   # each has two versions of every source, in two orders
        store = Mirror()
        try:
            random_sources(store, rng)
        finally:
            store.close()


def random_sources(m, rng):
    words = iter(rng.sample([f"{a}{b}" for a in ("oak", "elm", "ash", "fir", "yew") for b in range(10, 60)], 200))
    source = lambda name: [P] + [rng.choice((
        lambda: state(f"key {i}", next(words), id=f"s{i}", source=name),
        lambda: parameter(next(words), f"gain {i}", id=f"e{i}", source_refs=[name]),
        lambda: memory(f"The frame {i} colour is {next(words)}", id=f"m{i}", project="p05", source_refs=[name])))() for i in rng.sample(range(8), 5)]
    files = {f"{n}.jsonl": source(n) for n in "abc"[:rng.randrange(2, 4)]}
    orders = [rng.sample(sorted(files), len(files)) for _ in range(2)]
    stores = []
    for k, order in enumerate(orders):
        for name in order:
            m.write(name, lines(*files[name]))
            m.run("--store", f"{k}.db", "import", name, "-q")
        m.run("--store", f"{k}.db", "build", "-d", f"site{k}")
        stores.append(m.run("--store", f"{k}.db", "export").out)
    assert m.tree("site0", "projects") == m.tree("site1", "projects") and m.tree("site0", "conflicts") == m.tree("site1", "conflicts"), orders
    said = lambda export: sorted(x for x in export.splitlines() if '"kind":"evidence"' in x)
    assert said(stores[0]) == said(stores[1]), orders
    complete(m, files, stores[0], "0.db", "site0")
    m.write("all.jsonl", stores[0])
    m.run("--store", "copy.db", "import", "all.jsonl", "-q")
    assert m.run("--store", "copy.db", "export").out == stores[0]
    m.run("--store", "copy.db", "build", "-d", "copied")
    assert m.tree("copied") == m.tree("site0")
    next_versions(m, rng, files, orders, words)
    # A source changes: its new values come, its old ones stand as what they were.
    name = rng.choice(sorted(files))
    for r in files[name][1:]:
        if rng.random() < .5 and "value" in r:
            r["value"] = next(words)
    m.write(name, lines(*files[name]))
    m.run("--store", "0.db", "import", name, "-q")
    m.run("--store", "0.db", "build", "-d", "site0")
    complete(m, files, m.run("--store", "0.db", "export").out, "0.db", "site0")
    for step in rng.sample((retire, edit_one, judge_one, rename), 3):
        step(m, rng, files, words)
        restored_alike(m, step.__name__)
        complete(m, files, m.text("all.jsonl"), step.__name__, "site0")


def next_versions(m, rng, files, orders, words):
    """Each source has a new version, with a row less in one of them; again in any order. A person edits at the same place in each."""
    seen = rng.choice([r for records in files.values() for r in records[1:]])
    field, new = {"project_state": ("value", "{}"), "entity": ("properties", '{{"value": "{}"}}'), "memory": ("content", f"The frame {seen['id'][1:]} colour is {{}}")}[seen["kind"]]
    said = new.format(next(words))
    for k in range(2):
        m.run("--store", f"{k}.db", "edit", f"{seen['kind']}:{seen['id']}", "--json", "-", "--by", "ana", code=None,
              stdin=json.dumps({field: json.loads(said) if field == "properties" else said}).encode())
    for name, records in files.items():
        for r in records[1:]:
            if rng.random() < .4:
                word = next(words)
                r.update({"value": word} if r["kind"] == "project_state" else {"properties": {**r["properties"], "value": word}} if r["kind"] == "entity" else
                         {"content": f"The frame {r['id'][1:]} colour is {word}"}, updated_at="2026-06-07T08:09:10Z")
    shorter = rng.choice(sorted(files))
    files[shorter].pop(rng.randrange(1, len(files[shorter])))
    for k, order in enumerate(orders):
        for name in rng.sample(order, len(order)):
            m.write(name, lines(*files[name]))
            m.run("--store", f"{k}.db", "import", name, *["--complete"] * (name == shorter), "-q")
        m.run("--store", f"{k}.db", "build", "-d", f"site{k}")
    first, second = (without_times_of_edits(m, f"site{k}") for k in range(2))
    assert first == second, (orders, [(x, y) for x, y in zip(first.splitlines(), second.splitlines()) if x != y][:2])
    complete(m, files, m.run("--store", "0.db", "export").out, "0.db", "site0")


def without_times_of_edits(m, site):
    """What pages say; when a person edited is of the clock, and is told to the second."""
    text = "\n".join(f"{p}\n{d.decode()}" for p, d in sorted(m.site_bytes(site)) if p.endswith((".md", ".jsonl")))
    return re.sub(r"(20\d\d-\d\d-\d\dT\d\d):\d\d:\d\d(\.\d+)?Z|(\d \d\d):\d\d\b", "TIME", text)


def retire(m, rng, files, words):
    """A source no longer has one of its rows, and says so."""
    name = rng.choice(sorted(files))
    files[name].pop(rng.randrange(1, len(files[name])))
    m.write(name, lines(*files[name]))
    m.run("--store", "0.db", "import", name, "--complete", "-q")


def edit_one(m, rng, files, words):
    """A person says another value of a row."""
    r = rng.choice(files[rng.choice(sorted(files))][1:])
    field = ["-P", f"value={next(words)}"] if r["kind"] == "entity" else ["--set", f"value={next(words)}"] if r["kind"] == "project_state" else \
        ["--set", f"content=The frame {r['id'][1:]} colour is {next(words)}"]
    m.run("--store", "0.db", "edit", f"{r['kind']}:{r['id']}", *field, "--by", "ana", code=None)


def judge_one(m, rng, files, words):
    """A verdict on a dispute; some are taken back."""
    m.run("--store", "0.db", "sweep", "-q")
    open_ones = [c for c in m.run("--store", "0.db", "--format", "json", "conflicts", "list").json()["conflicts"] if c["disputed"]]
    if not open_ones:
        return
    c = rng.choice(open_ones)
    who = rng.choice(c["members"])
    of = ["--from", who["source"]] if who.get("source") else []
    m.run("--store", "0.db", "conflicts", "resolve", c["id"], "--winner", f"{who['member_kind']}:{who['member_id']}", *of, "--whole-row", "--notes", "measured", "--by", "kim", code=None)
    if rng.random() < .5:
        m.run("--store", "0.db", "conflicts", "reopen", c["id"], "--reason", "not so", "--by", "ann", code=None)


def rename(m, rng, files, words):
    """A file of another name is the same source."""
    name = rng.choice(sorted(files))
    m.write("renamed.jsonl", lines(*files[name]))
    before = [x for x in m.run("--store", "0.db", "export").out.splitlines() if '"kind":"evidence"' in x]
    m.run("--store", "0.db", "import", "renamed.jsonl", "--source", name, "-q")
    assert [x for x in m.run("--store", "0.db", "export").out.splitlines() if '"kind":"evidence"' in x] == before, name


def restored_alike(m, what):
    """A store made from the export has the same pages and exports the same."""
    m.run("--store", "0.db", "sweep", "-q"), m.run("--store", "0.db", "build", "-d", "site0")
    m.write("all.jsonl", m.run("--store", "0.db", "export").out)
    if os.path.exists(m.path("again.db")):
        os.remove(m.path("again.db"))
    m.run("--store", "again.db", "import", "all.jsonl", "-q"), m.run("--store", "again.db", "sweep", "-q"), m.run("--store", "again.db", "build", "-d", "again")
    assert m.run("--store", "again.db", "export").out == m.text("all.jsonl"), what
    assert m.tree("again") == m.tree("site0"), what


def complete(m, files, export, store, site):
    pages = "".join(d.decode() for p, d in m.site_bytes(site) if p.endswith(".md") and p.startswith(("projects/", "conflicts/")))
    for name, records in files.items():
        for value in (v for r in records[1:] for v in values_of(r)):
            assert value in export and value.split()[-1] in pages, (name, value, store)


def test_conflicts_of_two_rules_on_one_anchor(m):
    """What a store exports it takes back, and another store takes it as it is."""
    m.facts(P, memory("The API timeout is now 90 s, not 30 s", created_at="2026-01-05T04:00:00Z"),
            memory("The API timeout is 50 s", created_at="2026-01-07T08:00:00Z"))
    m.sweep()
    m.facts(memory("The API timeout is 30 s", created_at="2026-01-08T08:00:00Z"), name="more.jsonl")
    m.sweep()
    all = m.run("export").out
    open_ones = [r for r in map(json.loads, all.splitlines()) if r["kind"] == "conflict" and r["status"] == "open"]
    assert len(open_ones) == 2 and len({r["anchor"] for r in open_ones}) == 1 and len({r["rule"] for r in open_ones}) == 2, open_ones
    m.write("all.jsonl", all)
    r = m.run("--format", "json", "import", "all.jsonl").json()
    assert r["added"] == r["updated"] == 0, r
    m.run("--store", "other.db", "import", "all.jsonl")
    assert m.run("--store", "other.db", "export").out == all


if __name__ == "__main__":
    main(globals())
