#!/usr/bin/env python3
"""A value has the day, the source and the author of its last change, on each type of page and at each door: no old source beside a new value."""
import re

from harness import *
from mcp_kit import Agent
from server import Server

OLD = {"created_at": "2026-02-01T08:00:00Z"}
OLDER = ("oldcard", "oldchat", "oldmeeting", "oldregister", "oldbo", "2026-02-01", "1 Feb 2026")
NEW = re.compile(r"7777|6666|2777")


def store(m):
    m.facts(project("p05", name="Pump"),
            {**state("pump_flow", "3 l/min", "process", id="s1"), "source": "oldcard 4", **OLD},
            memory("The pump head is 9 m.", id="m1", source_refs=["oldchat 12"], agent="oldbo", **OLD),
            memory("The pump flow is 6666 l/min.", id="m3", source_refs=["newchat 3"], agent="newbo", created_at="2026-05-05T08:00:00Z"),
            memory("We talked about the noise of the pump.", "episodic", id="m2", source_refs=["oldchat 12"], agent="oldbo", **OLD),
            {**decision("PTFE", "seal", id="e1", name="Seal material", source_refs=["oldmeeting 7"], **OLD)},
            entity("Person", {"birth": "1990"}, "Ada", id="e2", source_refs=["oldregister"], **OLD),
            entity("Organisation", {}, "Guild", id="e3", source_refs=["oldregister"], **OLD),
            {"kind": "relation", "id": "r1", "type": "MEMBER_OF", "project": "p05", "from": "entity:e2", "to": "entity:e3", "valid_from": "2010", "valid_until": "2015",
             "source_refs": ["oldregister"], **OLD})
    for row, *change in (("project_state:s1", "--set", "value=7777 l/min"), ("memory:m1", "--set", "content=The pump head is 7777 m."),
                         ("memory:m2", "--set", "content=We talked about the 7777 noise of the pump."), ("entity:e1", "-P", "value=PEEK7777"),
                         ("entity:e2", "-P", "birth=7777"), ("relation:r1", "--set", "valid_until=2777")):
        m.run("edit", row, *change, "--by", "ana", code=None)
    m.run("sweep", code=None)


def told_as_past(line):
    """What a value was may stand beside it, with its day and source."""
    return re.sub(r"(\(([a-z_]+ )?|; the (begin|end) )was .*? until [^();|]*(\([^)]*\))?\)?", "", line)


def test_pages(m):
    store(m)
    m.run("build")
    seen = set()
    for path, data in m.site_bytes("site"):
        if not path.endswith(".md"):
            continue
        for line in data.decode().splitlines():
            if not NEW.search(told_as_past(line)):
                continue
            seen.add("/".join(path.split("/")[-2:]))
            rest = told_as_past(line).replace("ana; oldregister", "")   # whoever said the ends of a relation said them
            assert not [x for x in OLDER if x in rest], (path, line)
    assert {"p05/README.md", "p05/state.md", "memories/2026.md", "entities/decision.md", "person/ada.md", "p05/relations.md"} <= {*seen}, seen
    page = m.text("site", "projects", "p05", "state.md")
    assert re.search(r"7777 l/min.*\(was 3 l/min until \d+ \w+ 2026 \(oldcard 4\)\)", page), page
    assert "; the end was 2015 until" in m.text("site", "projects", "p05", "relations.md")


def test_a_reason_belongs_to_its_value(m):
    m.facts(project("p05"), entity("Decision", {"decision_target": "seal", "decision_field": "material", "value": "PTFE", "rationale": "It is cheap."}, "Seal", id="e1"))
    m.run("edit", "entity:e1", "-P", "value=PEEK", "--by", "ana")
    m.run("build")
    page = m.text("site", "projects", "p05", "entities", "decision.md")
    line, = [x for x in page.splitlines() if "It is cheap" in x]
    assert "given for the value that was PTFE until" in line, line


def test_doors(m):
    store(m)
    found = {h["ref"]: h for h in m.run("recall", "pump head noise flow", "--format", "json").json()["hits"]}
    for ref in ("memory:m1", "memory:m2", "project_state:s1"):
        assert "7777" in found[ref]["text"] and not found[ref]["created_at"].startswith("2026-02-01"), found[ref]
    assert found["memory:m3"]["created_at"].startswith("2026-05-05")
    assert "2026-02-01" not in m.run("recall", "pump head").out.split("memory:m1")[1].split("\n")[0]
    with Server(m) as s, Agent(m) as a:
        for hits in (s.get("/recall?query=pump+head").json()["hits"], a.call("recall", query="pump head")["hits"]):
            hit = next(h for h in hits if h["ref"] == "memory:m1")
            assert "7777" in hit["text"] and not hit["created_at"].startswith("2026-02-01"), hit
        for c in (s.get("/conflicts").json()["conflicts"], a.call("list_conflicts")["conflicts"]):
            for x in (x for c in c for x in c["members"] if NEW.search(x["value"])):
                assert not [o for o in OLDER if o in json.dumps(x)], x


CHANGED = {"memory:m1": ("/memory/m1", "content", "The pump head is 9 m.", "oldchat 12"), "project_state:s1": ("/project/state/s1", "value", "3 l/min", "oldcard 4"),
           "entity:e1": ("/entities/Decision/e1", "properties.value", "PTFE", "oldmeeting 7"), "relation:r1": ("/relations/r1", "valid_until", "2015", "oldregister")}


def test_each_door_names_whose_a_value_is_and_what_it_was(m):
    """A row's answer has the source and the date of the value that it has, and its past with the source of that."""
    store(m)
    lines = m.run("recall", "pump head flow seal").out
    for ref in ("memory:m1", "project_state:s1", "entity:e1"):
        _, _, was, source = CHANGED[ref]
        own = re.split(r"\n\d+\. ", "\n" + lines.split(ref)[1])[0]
        assert ", ana\n" in own and re.search(rf"was {re.escape(was)} until \d{{4}}-\d\d-\d\d \({source}\)", own), (ref, own)
    with Server(m) as s, Agent(m) as a:
        answers = {ref: [s.get(path).json()] for ref, (path, *_) in CHANGED.items()}
        for hits in (s.get("/recall?query=pump+head+flow+seal").json()["hits"], a.call("recall", query="pump head flow seal")["hits"],
                     m.run("recall", "pump head flow seal", "--format", "json").json()["hits"]):
            for h in hits:
                answers.get(h["ref"], []).append(h)
    assert min(len(answers[ref]) for ref in CHANGED if ref != "relation:r1") == 4, answers
    for ref, rows in answers.items():
        _, field, was, source = CHANGED[ref]
        for row in rows:
            past, = row["was"]
            assert past.pop("until") and past == {"field": field, "value": was, "source": source}, row
            assert row["given_by"] == "ana" and not row["given_at"].startswith("2026-02-01"), row


def test_who_gave_a_value_without_a_source(m):
    m.facts(project("p05"), state("pump_flow", "3 l/min", id="s1"), name="pumps.jsonl")
    hit, = m.run("recall", "pump flow", "--format", "json").json()["hits"]
    assert hit["given_by"] == "pumps.jsonl" and hit["given_at"] is None and hit["was"] == [], hit


def test_an_edit_outranks_what_every_source_said(m):
    """Sources differ, and a person edits the row before anybody has swept: both values are past, each with its source."""
    for card, value in (("a", "45"), ("b", "50"), ("c", "50")):
        m.write(f"{card}.jsonl", json.dumps({**state("spindle", value + " rpm", id="s1"), "source": "card " + card.upper(), **OLD}) + "\n")
    m.run("import", "a.jsonl", "b.jsonl", "c.jsonl", code=None)
    m.run("edit", "project_state:s1", "--set", "value=60 rpm", "--by", "ana")
    was = m.run("show", "project_state:s1", "--format", "json").json()["was"]
    assert [(w["value"], w["source"]) for w in was] == [("50 rpm", "card B"), ("50 rpm", "card C"), ("45 rpm", "card A")], was
    m.run("build")
    page = m.text("site/projects/p05/state.md")
    assert "60 rpm (was 50 rpm (card B) or 50 rpm (card C) or 45 rpm (card A) until " in page, page


def test_a_verdict_between_sources_names_the_one_that_holds(m):
    """Whose a value is, is who says it, and not who comes first."""
    for name, flow, finish, day in (("a.jsonl", "3 l/min", "oak", "2001-01-01"), ("b.jsonl", "4 l/min", "ash", "2002-02-02")):
        facts = project("p05"), state("flow", flow, id="s1", created_at=day), entity("Component", {"material": finish}, "Leg", id="e1", created_at=day)
        m.write(name, "".join(json.dumps(r) + "\n" for r in facts))
        m.run("init", code=None), m.run("import", name)
    for c in m.sweep():
        ref = "{member_kind}:{member_id}".format(**c["members"][0])
        m.run("conflicts", "resolve", c["id"], "--winner", ref, "--from", "b.jsonl", "--notes", "measured")
        row = m.run("show", ref, "--format", "json").json()
        assert (row.get("value") or row["properties"]["material"]) in ("4 l/min", "ash") and (row["given_by"], row["given_at"]) == ("b.jsonl", "2002-02-02"), row


def told_beside_a_new_value(text):
    return [line for line in text.splitlines() if NEW.search(told_as_past(line)) and any(x in told_as_past(line) for x in OLDER)]


def test_log_changes_and_feeds(m):
    """What changed is told with whose the new value is; an old source stands nowhere beside it."""
    m.run("init")
    m.write("mirror.yml", m.text("mirror.yml") + "\nbase_url: https://mirror.example/\n")
    m.facts(project("p05"), {**state("pump_flow", "3 l/min", id="s1"), "source": "oldcard 4", **OLD}, memory("The pump head is 9 m.", id="m1", source_refs=["oldchat 12"], project="p05", **OLD))
    m.run("publish")
    m.run("edit", "project_state:s1", "--set", "value=7777 l/min", "--by", "ana"), m.run("edit", "memory:m1", "--set", "content=The pump head is 7777 m.", "--by", "ana")
    m.facts(memory("The pump flow is 6666 l/min.", id="m3", project="p05", source_refs=["newchat 3"], created_at="2026-05-05T08:00:00Z"), name="more.jsonl")
    m.run("sweep"), m.run("publish"), m.run("build")
    texts = {"log": m.run("log", "--all", code=None).out + m.run("log", "pump_flow").out, "log --json": m.run("log", "pump_flow", "--format", "json").out.replace("},{", "},\n{")}
    texts.update((p, d.decode()) for p, d in m.site_bytes("site") if p.endswith((".xml", ".json", "changes.md", ".ics", ".atom")))
    assert sum(bool(NEW.search(x)) for x in texts.values()) >= 3, {k: len(v) for k, v in texts.items()}
    for name, text in texts.items():
        assert not told_beside_a_new_value(text), (name, told_beside_a_new_value(text)[:2])


def test_the_hour_of_values_of_one_day(m):
    m.facts(project("p05"), decision("glass", "insulator", id="d1", name="A", created_at="2026-04-02T09:10:00Z"),
            decision("porcelain", "insulator", id="d2", name="B", created_at="2026-04-02T15:40:00Z"),
            decision("wood", "insulator", id="d3", name="C", created_at="2026-04-03T11:11:00Z"))
    id, = [c["id"] for c in m.sweep()]
    m.run("build")
    page = m.text("site", "conflicts", id + ".md")
    lead = next(x for x in page.splitlines() if "says **porcelain**" in x)
    assert "2 Apr 2026 09:10" in lead and "2 Apr 2026 15:40" in lead and "3 Apr 2026 11:11" not in page, page


main(globals())
