#!/usr/bin/env python3
"""Findings: rules that are off or count as something else, acknowledgements, flags, explanations."""
from harness import *


def rules(m, text):
    m.write("mirror.yml", "title: t\nrules:\n" + text)


def disputed_store(m, note={}):
    m.facts(state("speed", "45", id="s1"), state("speed", "55", id="s2"),
            entity("Note", note, id="n1", superseded_by="gone"))


def test_a_rule_that_is_off_finds_nothing(m):
    disputed_store(m)
    swept = m.run("sweep", "--format", "json").json()
    assert [f["rule"] for f in swept["findings"]] == ["orphan/superseded_by"], swept
    rules(m, "  off: [slot, orphan/superseded_by]\n")
    swept = m.run("sweep", "--format", "json").json()
    assert swept["findings"] == [] and swept["disputed_count"] == 0 and swept["open_conflicts_count"] == 1, swept
    c, = m.run("conflicts", "list", "--format", "json").json()["conflicts"]
    assert c["status"] == "open" and not c["disputed"] and c["rule_off"], c
    assert "rule off" in m.run("conflicts", "list").out
    assert "switched off" in m.run("explain", c["id"]).out
    m.run("build")
    page = m.text("site", "conflicts", c["id"] + ".md")
    assert "its rule is switched off" in page and "sign-off" not in page, page
    assert "disputed" not in m.text("site", "projects", "p05", "state.md")
    # a write, which looks at the slots that it touches, opens none either
    m.facts(state("flow", "1", id="s3"))
    added = m.run("add", "project_state", "--project", "p05", "--category", "fact", "--key", "flow", "--value", "2", "--format", "json").json()
    assert not added.get("opened"), added
    rules(m, "  prose: []\n")
    swept = m.run("sweep", "--format", "json").json()
    assert swept["disputed_count"] == 2 and len(swept["findings"]) == 1, swept
    again, = [x for x in m.run("conflicts", "list", "--format", "json").json()["conflicts"] if x["id"] == c["id"]]
    assert again["disputed"] and "rule_off" not in again, again


def test_severities_of_people(m):
    disputed_store(m)
    rules(m, "  severity:\n    orphan/superseded_by: error\n")
    f, = m.run("sweep", "--format", "json").json()["findings"]
    assert f["severity"] == "error", f
    rules(m, "  severity:\n    orphan/superseded_by: info\n")
    f, = m.run("sweep", "--format", "json").json()["findings"]
    assert f["severity"] == "info", f
    assert m.sql("SELECT severity FROM findings") == [("info",)]


def test_a_name_of_no_rule_is_told(m):
    disputed_store(m)
    rules(m, "  off: [orphan/superseded-by]\n  severity: {loud: info}\n")
    told = m.run("sweep").err
    assert "rules.off: 'orphan/superseded-by' is no rule: did you mean 'orphan/superseded_by'?" in told, told
    assert "rules.severity: 'loud' is no rule: the rules are slot, slot/crowd" in told, told


def test_rules_in_sql_are_rules_by_name(m):
    """Those of people, and those that come with the program."""
    m.facts(entity("Note", {}, id="n1"))
    m.write("rules/own-notes.sql", "-- id: own/notes\n-- description: No notes here.\n-- severity: warn\n-- reads: entities\n"
            "SELECT ref AS row FROM entities\n")
    r = m.run("sweep", "--format", "json")
    f, = [f for f in r.json()["findings"] if f["rule"] == "own/notes"]
    assert f["severity"] == "warn", f
    assert found(m, "--rule", "own/notes")["findings"] == [f]
    assert found(m, "--rule", "world/ruler-outside-life")["findings"] == []
    m.fails("findings", "--rule", "own/note", has=["did you mean 'own/notes'?"])
    told = m.run("explain", f["id"]).out
    assert "Rule own/notes, in SQL, " in told and "No notes here." in told, told
    rules(m, "  off: [world/ruler-outside-life]\n  severity: {own/notes: error}\n")
    r = m.run("sweep", "--format", "json")
    assert [f["severity"] for f in r.json()["findings"] if f["rule"] == "own/notes"] == ["error"], r.out
    assert "is no rule" not in r.err, r.err
    rules(m, "  off: [own/notes]\n  severity: {world/ruler-outside-life: info}\n")
    r = m.run("sweep", "--format", "json")
    assert not [f for f in r.json()["findings"] if f["rule"] == "own/notes"], r.out
    assert "is no rule" not in r.err, r.err


def found(m, *args):
    return m.run("findings", *args, "--format", "json").json()


def test_acknowledged_findings_are_left_out_until_they_change(m):
    disputed_store(m)
    m.facts(entity("Note", {}, id="n2", superseded_by="gone"))
    a, b = sorted(found(m)["findings"], key=lambda f: f["rows"])
    assert a["rows"] == ["entity:n1"] and found(m)["acknowledged"] == 0
    assert [f["id"] for f in found(m, "--rule", "orphan/superseded_by", "--kind", "orphan", "--severity", "warn",
                                   "--project", "p05")["findings"]] == [f["id"] for f in found(m)["findings"]]
    assert found(m, "--kind", "stale")["findings"] == []
    m.fails("findings", "--kind", "orphans", has=["did you mean 'orphan'?"])
    m.fails("findings", "--kind", "gap", has=["unknown: 'gap'"])   # what is not known is an orphan by a rule gap/...
    m.fails("findings", "--rule", "orphan/too", has=["did you mean 'orphan/to'?"])
    m.fails("findings", "--severity", "warning", has=["use one of: error, warn, info"])
    m.fails("findings", "ack", a["id"], has=["reason", "say why"])
    m.fails("findings", "ack", "fffff", "--reason", "x", has=["there is none"])
    m.run("findings", "ack", a["id"][:8], "--reason", "known", "--by", "kim", "--dry-run")
    assert len(found(m)["findings"]) == 2
    m.run("findings", "ack", a["id"][:8], "--reason", "known", "--by", "kim")
    assert [f["id"] for f in found(m)["findings"]] == [b["id"]] and found(m)["acknowledged"] == 1
    both = {f["id"]: f for f in found(m, "--all")["findings"]}
    assert both[a["id"]]["acknowledged"] and both[a["id"]]["acknowledged_because"] == "known"
    assert m.run("sweep", "--format", "json").json()["count"] == 1
    m.run("build")
    page = m.text("site", "findings", "README.md")
    assert b["id"] in page and a["id"] not in page
    m.facts(entity("Note", {"x": 1}, id="n2", superseded_by="gone"))         # another row
    assert [f["id"] for f in found(m)["findings"]] == [b["id"]]
    disputed_store(m, {"x": 1})                                              # its row
    back = {f["id"]: f for f in found(m)["findings"]}
    assert set(back) == {a["id"], b["id"]} and back[a["id"]]["acknowledged"] is False
    assert "its evidence has changed since" in m.run("explain", a["id"]).out
    m.run("findings", "unack", a["id"], "--by", "ann")
    assert "acknowledged" not in {f["id"]: f for f in found(m)["findings"]}[a["id"]]
    assert [v for v, in m.sql("SELECT verb FROM journal WHERE ref LIKE 'acknowledgement:%' ORDER BY seq")] == ["ack", "unack"]
    m.run("publish")
    m.run("verify")


def test_flags_are_findings_until_taken_back(m):
    disputed_store(m)
    m.run("flag", "project_state:s1", "--reason", "odd", "--by", "agent")
    f, = found(m, "--kind", "review")["findings"]
    assert f["rule"] == "review/flagged" and f["rows"] == ["project_state:s1"] and "by agent" in f["message"]
    assert "unflag project_state:s1" in m.run("explain", f["id"]).out
    m.fails("flag", "s1", has=["flag: --reason: it is missing", '--reason "..."'])
    m.fails("flag", "nothing", "--reason", "x", has=["there is none"])
    m.run("unflag", "s1", "--by", "kim")
    assert found(m, "--kind", "review")["findings"] == []
    m.fails("unflag", "s1", has=["nobody has flagged it"])


def test_what_people_said_travels_with_the_verdicts(m):
    disputed_store(m)
    f, = found(m)["findings"]
    m.run("findings", "ack", f["id"], "--reason", "known", "--by", "kim")
    m.run("flag", "s1", "--reason", "odd", "--by", "agent")
    m.run("export", "--verdicts", "-o", "verdicts.jsonl")
    whole = m.run("export").out
    other = Mirror()
    other.write("all.jsonl", whole)
    other.run("import", "all.jsonl")
    assert other.run("export").out == whole
    other.write("verdicts.jsonl", m.text("verdicts.jsonl"))
    assert "2 unchanged" in other.run("import", "verdicts.jsonl").out
    assert other.run("export").out == whole
    third = Mirror()
    third.write("verdicts.jsonl", m.text("verdicts.jsonl"))
    third.run("import", "verdicts.jsonl")                                     # before the facts
    assert found(third)["findings"] == []
    disputed_store(third)
    assert found(third)["acknowledged"] == 1 and found(third)["findings"][0]["kind"] == "review"


def late(m, prefix, born="0340", died="0400"):
    """A witness who was born after it: two entities and a relation, with ids of this store."""
    person = {"kind": "entity", "id": prefix + "p", "project": "p05", "entity_type": "Person", "name": "Aldric",
              "properties": {"birth": born, "death": died}}
    event = {"kind": "entity", "id": prefix + "e", "project": "p05", "entity_type": "Event", "name": "The fall", "properties": {"date": "0140"}}
    m.facts(person, event, {"kind": "relation", "id": prefix + "r", "project": "p05", "type": "WITNESSED", "from": prefix + "p", "to": prefix + "e"},
            name=prefix + ".jsonl")


def test_an_acknowledgement_is_matched_by_content_where_ids_differ(m):
    late(m, "here")
    f, = [f for f in found(m)["findings"] if f["reason"].startswith("EXISTED")]
    m.run("findings", "ack", f["id"], "--reason", "a legend", "--by", "kim")
    m.run("export", "--verdicts", "-o", "verdicts.jsonl")
    for prefix, born, known in (("there", "0340", True), ("else", "0350", False)):
        other = Mirror()
        late(other, prefix, born)
        other.write("verdicts.jsonl", m.text("verdicts.jsonl"))
        other.run("import", "verdicts.jsonl")
        other_f, = [x for x in other.run("findings", "--all", "--format", "json").json()["findings"] if x["reason"].startswith("EXISTED")]
        assert other_f["id"] != f["id"] and other_f.get("acknowledged", False) == known, other_f
        assert (other_f["id"] in [x["id"] for x in found(other)["findings"]]) != known
        if known:
            assert other_f["acknowledged_because"] == "a legend"
            other.run("findings", "unack", other_f["id"])
            assert other_f["id"] in [x["id"] for x in found(other)["findings"]]
            other.run("findings", "ack", other_f["id"], "--reason", "still a legend")
            assert other_f["id"] not in [x["id"] for x in found(other)["findings"]]
            late(other, prefix, "0350")
            assert [x["reason"] for x in found(other)["findings"] if x["reason"].startswith("EXISTED")], "other evidence"


def test_reasons_are_redacted(m):
    disputed_store(m)
    m.facts(state("password", "hunter2hunter2", id="s9"))
    f, = found(m)["findings"]
    m.run("findings", "ack", f["id"], "--reason", "says hunter2hunter2", "--by", "kim")
    m.run("flag", "s9", "--reason", "hunter2hunter2 leaked", "--by", "kim")
    m.run("export", "--verdicts", "-o", "old.jsonl")
    m.run("redact", "project_state:s9", "--reason", "a secret")
    assert b"hunter2hunter2" not in m.read("hmirror.db")
    m.run("import", "old.jsonl")
    assert "hunter2hunter2" not in m.run("export").out


def test_why_a_finding_was_found(m):
    disputed_store(m)
    f, = found(m)["findings"]
    told = m.run("explain", f["id"]).out
    for words in ("Rule orphan/superseded_by/1: A reference leads nowhere.", "Expected: a row of the store; found: gone",
                  "entity:n1 is active, of type Note", "hmirror findings ack", "rules.off: [orphan/superseded_by]"):
        assert words in told, (words, told)
    j = m.run("explain", f["id"], "--format", "json").json()
    assert j["id"] == f["id"] and j["findings"] == [f] and "\n".join(j["lines"]) + "\n" == told
    m.fails("explain", "f0000", has=["there is none"])


def test_pages_count_what_is_acknowledged(m):
    m.facts({"kind": "entity", "id": "e1", "entity_type": "X", "name": "e"},
            {"kind": "relation", "id": "r1", "type": "KNOWS", "from": "e1", "to": "stranger"})
    m.run("sweep")
    [f] = [f for f in m.run("--format", "json", "findings").json()["findings"] if f["rule"] == "orphan/to"]
    m.run("findings", "ack", f["id"], "--reason", "Known.", "--by", "kim")
    m.run("build")
    page = m.text("site/findings/README.md")
    assert "relation-r1" not in page and "1 acknowledged and not shown" in page, page


def test_of_one_severity_the_most_rows_come_first(m):
    """One text nine times, others twice; a dangling reference, which is worse, and one of a gap."""
    said = [memory("the east lift stops between floors", "knowledge", id=f"a{i}") for i in range(9)]
    said += [memory(f"the {side} lift hums at night", "knowledge", id=f"{side}{i}") for side in ("north", "south", "west") for i in range(2)]
    said += [memory(f"the {side} lift is {word}inspected", "knowledge", id=f"{side}-{word or 'is'}") for side in ("first", "second") for word in ("", "not ")]
    said += [memory("the second lift is inspected", "knowledge", id="second-again")]
    m.facts(*said, entity("Note", {}, id="n1", superseded_by="gone"))
    listed = m.run("findings", "--format", "json").json()["findings"]
    rank = ["error", "warn", "info"]
    order = [(rank.index(f["severity"]), -len(f["rows"])) for f in listed]
    assert order == sorted(order) and len({n for _, n in order}) > 2, order
    first = m.run("findings", "--kind", "possible_duplicate").out.splitlines()[0]
    assert "9 memories" in first, first
    m.run("build")
    page = m.text("site/findings/README.md")
    same = [f for f in listed if f["kind"] == "possible_duplicate"]
    shown = sorted(same, key=lambda f: page.index(f'id="{f["id"]}"'))
    assert [len(f["rows"]) for f in shown] == sorted((len(f["rows"]) for f in same), reverse=True), shown
    both = [f for f in listed if f["kind"] == "possible_contradiction"]
    assert [len(f["rows"]) for f in both] == [3, 2], both
    assert page.index(both[0]["id"]) < page.index(both[1]["id"])
    published = json.loads(m.text("site/findings.json"))["findings"]
    assert [f["id"] for f in published] == [f["id"] for f in listed]


def links_to_findings(m):
    """Links of pages of rows that lead to a finding: the file, the anchor."""
    site = {p: t.decode() for p, t in m.site_bytes("site") if p.endswith(".md")}
    found = [(os.path.normpath(os.path.join(os.path.dirname(p), to)), anchor) for p, t in site.items()
             for to, anchor in re.findall(r"\]\(((?:\.\./)*findings/[^)#]*)#?([^)]*)\)", t) if p.startswith("projects/p05/memories")]
    return site, found


def test_a_link_to_a_finding_leads_to_it(m):
    """On the page of all, on that of a rule, and on a part of that page."""
    m.facts(project("p05"), *(memory(f"tank {i} of the yard leaks at its {word}", "knowledge", id=f"m{i}", superseded_by=f"gone{i}",
                                     created_at=f"2026-03-{1 + i:02d}T10:00:00Z") for i, word in enumerate(
        ("seam", "valve", "lid", "bolt", "pipe", "rim", "foot", "neck", "hatch", "gauge", "strap", "drain"))))
    known = {f["id"] for f in m.run("findings", "--format", "json").json()["findings"]}
    assert len(known) >= 12, known
    m.run("build")
    site, found = links_to_findings(m)
    assert {p for p, _ in found} == {"findings/README.md"} and {a for _, a in found} == known, found
    assert all(f'<a id="{a}"></a>' in site[p] for p, a in found), found
    m.write("mirror.yml", "title: t\nlist_limit: 10\n")
    m.run("build")
    site, found = links_to_findings(m)
    assert "findings/README.md" not in {p for p, _ in found} and {a for _, a in found} == known, found
    assert len({p for p, _ in found}) > 1, found
    assert all(f'<a id="{a}"></a>' in site[p] for p, a in found), found


def test_supersessions_that_lead_nowhere(m):
    def row(id, **kw):
        return {"kind": "entity", "id": id, "entity_type": "Decision", "project": "p05", "name": id.title(), **kw}

    def relation(type, a, b):
        return {"kind": "relation", "id": f"{type}-{a}-{b}", "type": type, "from": a, "to": b}
    gone = {"status": "superseded"}
    shapes = {
        "relation": ([row("oak"), row("elm"), relation("SUPERSEDES", "elm", "oak")], "oak elm"),
        "the other way": ([row("oak"), row("elm"), relation("SUPERSEDED_BY", "oak", "elm")], "oak elm"),
        "link": ([row("oak"), row("elm"), {"kind": "link", "src": "entity:elm", "dst": "entity:oak", "rel": "supersedes"}], "oak elm"),
        "column": ([row("oak", superseded_by="elm"), row("elm")], "oak elm"),
        "property": ([row("oak", properties={"superseded_by": "elm"}), row("elm")], "oak elm"),
        "property of the newer": ([row("oak"), row("elm", properties={"supersedes": ["oak"]})], "oak elm"),
        "candidate": ([row("oak", superseded_by="elm", **gone), row("elm", status="candidate")], "oak elm"),
        "invalid": ([row("oak", superseded_by="elm", **gone), row("elm", status="invalid")], "oak elm"),
        "none named": ([row("oak", **gone)], "oak"),
        "two": ([row("oak", superseded_by="elm", **gone), row("elm"), row("ash"), relation("SUPERSEDES", "ash", "oak")], "oak ash elm"),
        "dependent": ([row("oak", superseded_by="elm", **gone), row("elm"), row("fir"), relation("DEPENDS_ON", "fir", "oak")], "fir oak DEPENDS_ON-fir-oak"),
        # what is well said
        "fine": ([row("oak", superseded_by="elm", **gone), row("elm"), relation("SUPERSEDES", "elm", "oak")], None),
        "chain": ([row("oak", superseded_by="elm", **gone), row("elm", superseded_by="ash", **gone), row("ash")], None),
        "graduated": ([row("oak", superseded_by="elm", **gone), row("elm"), memory("x", "knowledge", id="m1", status="graduated", graduated_to="elm")], None),
        "withdrawn": ([row("oak"), row("elm"), {**relation("SUPERSEDES", "elm", "oak"), "status": "invalid"}], None),
        "older candidate": ([row("oak"), row("elm", status="candidate"), relation("SUPERSEDES", "elm", "oak")], None),
    }
    for i, (what, (facts, want)) in enumerate(shapes.items()):
        at = f"s{i}"
        m.run("init", at)
        m.write(f"{at}/shape.jsonl", "".join(json.dumps(f) + "\n" for f in facts))
        m.run("-C", at, "import", "shape.jsonl")
        found = [f for f in m.run("-C", at, "sweep", "--format", "json").json()["findings"] if f["rule"] == "row/supersession"]
        rows = [" ".join(r.split(":", 1)[1] for r in f["rows"]) for f in found]
        assert rows == ([want] if want else []), (what, found)


def test_many_without_a_successor_are_one_finding(m):
    m.facts(*(state(f"k{i}", "1", id=f"s{i}", status="superseded") for i in range(23)), memory("x", "knowledge", id="m1", status="superseded"))
    found = [f["message"] for f in m.run("findings", "--format", "json").json()["findings"]]
    assert found == ["23 superseded curated values name no successor", "memory:m1 is superseded and names no successor"], found


if __name__ == "__main__":
    main(globals())
