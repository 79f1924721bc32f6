#!/usr/bin/env python3
"""publish.exclude: what is left out is in no byte of the output."""
import re
from harness import *

CONFIG = """
publish:
  exclude:
    projects: [p99]
    types: [identity, Salary]
    statuses: [invalid]
    tags: [private]
    properties: [cost]
"""


def build(m, *records):
    m.write("mirror.yml", CONFIG)
    m.facts(project("p05-interferometer", "p05"), project("secret-project-zulu", "p99", name="ZULUNAME", description="ZULUDESC"), *records)
    m.run("build")
    m.run("publish")
    blob = b"\n".join(p.encode() + b"\n" + d for p, d in m.site_bytes("site"))
    blob += m.git("log", "-p", "--format=fuller", "mirror").encode()
    return blob.lower()


def absent(blob, *words):
    """Digests may hold any four digits."""
    blob = re.sub(rb"\b[0-9a-f]{40,64}\b", b"", blob)
    for w in words:
        at = blob.find(w.lower().encode())
        assert at < 0, f"{w}: {blob[max(0, at - 200):at + 100]!r}"


def test_project(m):
    blob = build(m, state("budget", "ZULUVALUE", project="p99", source="ZULUSOURCE"), parameter("ZULUPARAM", "budget", project="secret-project-zulu"),
                 memory("zuluslot is ZULUMEM", project="p99"), decision("A"), decision("B"))
    absent(blob, "zulu", "p99")
    assert b"lateral_support_material" in blob


def test_memory_type(m):
    blob = build(m, memory("role: YANKEEROLE", "identity", tags=["yankeetag"], source_refs=["yankeeref"], agent="yankeeagent"),
                 memory("role: YANKEEOTHER", "identity"))
    absent(blob, "yankee")


def test_entity_type_and_status(m):
    blob = build(m, entity("Salary", {"amount": "XRAYAMOUNT"}, "XRAYNAME", id="xrayid"), {**decision("XRAYOLD"), "status": "invalid"},
                 {"kind": "relation", "id": "r1", "type": "PART_OF", "project": "p05", "from": "xrayid", "to": "e-sub"},
                 entity("Subsystem", {"subsystem_name": "frame"}, "frame", id="e-sub"),
                 {**decision("kept"), "status": "superseded", "superseded_by": "xrayid"},
                 {"kind": "link", "src": "entity:xrayid", "dst": "entity:e-sub", "rel": "xrayrel"})
    absent(blob, "xray")
    assert b"frame" in blob


def test_tag(m):
    blob = build(m, memory("colour is WHISKEYRED", tags=["private"]), state("colour", "blue"))
    absent(blob, "whiskey")
    assert b"1 claim withheld" in blob


def test_property(m):
    blob = build(m, entity("Component", {"component_name": "leg", "cost": "VICTOR1", "mass": "5 kg"}, "leg"),
                 entity("Component", {"component_name": "leg", "cost": "VICTOR2"}, "leg"))
    absent(blob, "victor")
    assert b"5 kg" in blob


def test_property_inside_an_object(m):
    """A value that holds what is left out is shown nowhere, nor compared in words."""
    blob = build(m, parameter({"width": "4 mm", "cost": "TANGOCOST"}, "pad"), parameter({"width": "5 mm"}, "pad"),
                 state("tariff", [{"a": 1, "cost": "TANGOTWO"}]), parameter([{"a": 2, "cost": "TANGOTHREE"}], "tariff"))
    absent(blob, "tango")
    assert b"1 claim withheld" in blob
    gone = m.conflicts()
    assert len(gone) == 2, gone
    m.facts(parameter({"width": "6 mm"}, "pad"))
    m.run("build")
    absent(b"\n".join(d for _, d in m.site_bytes("site")).lower(), "tango")


def test_id_of_a_hidden_row_inside_an_object(m):
    blob = build(m, entity("Salary", {"amount": "1"}, "SIERRANAME", id="sierra-id"),
                 parameter({"who": {"by": "entity:sierra-id"}}, "owner"), parameter({"who": {"by": "another"}}, "owner"))
    absent(blob, "sierraname")


def test_time_that_only_a_hidden_row_says(m):
    """Since when is disputed, and until when, is told as far as published rows say it."""
    blob = build(m, state("colour", "blue", id="s1", valid_from="1500"), state("colour", "red", id="s2", valid_from="1705", valid_until="1722"),
                 memory("colour is WHISKEYRED", tags=["private"], valid_from="1642", valid_until="1777"))
    absent(blob, "1642", "1777", "jan 1642")
    c, = json.loads(m.text("site", "conflicts.json"))["conflicts"]
    assert (c["since"], c["window"], c["withheld"]) == (None, [None, None], 1), c
    c, = m.run("conflicts", "list", "--format", "json").json()["conflicts"]
    assert (c["since"], c["window"]) == ("1642-01-01T00:00:00Z", ["1642", "1777"]), c


def test_time_that_a_published_row_says_too(m):
    build(m, state("colour", "blue", id="s1", valid_from="1500"), state("colour", "red", id="s2", valid_from="1511", valid_until="1722"),
          memory("colour is WHISKEYRED", tags=["private"], valid_from="1642", valid_until="1777"))
    c, = json.loads(m.text("site", "conflicts.json"))["conflicts"]
    assert (c["since"], c["window"], c["withheld"]) == ("1511-01-01T00:00:00Z", ["1511", None], 1), c


def test_bounds_of_a_relation_by_a_hidden_property(m):
    people = [entity("Person", {}, n, id=n.lower()) for n in ("Ann", "Bob")]
    rules = [{"kind": "relation", "id": f"r{i}", "type": "RULES", "from": who, "to": "rome", "project": "p05", "properties": p}
             for i, (who, p) in enumerate([("ann", {"reign_start": "1642"}), ("bob", {"since": "1655", "until": "1777"})])]
    m.write("mirror.yml", "publish:\n  exclude:\n    properties: [since, until, reign_start]\n")
    m.facts(project("p05"), *people, entity("Place", {}, "Rome", id="rome"), *rules)
    m.run("build")
    c, = json.loads(m.text("site", "conflicts.json"))["conflicts"]
    assert (c["disputed"], c["since"], c["window"]) == (True, None, [None, None]), c
    page = m.text("site", f"conflicts/{c['id']}.md")
    absent(b"\n".join(d for p, d in m.site_bytes("site") if p.endswith((".md", ".html", ".json", ".jsonl"))), "1642", "1655", "1777")
    assert "Timeline" not in page and "Why it was flagged" in page, page
    m.run("conflicts", "dismiss", c["id"], "--reason", "both reigned")
    m.run("build")
    absent(b"\n".join(d for p, d in m.site_bytes("site") if p.endswith((".md", ".html", ".json", ".jsonl"))), "1642", "1655", "1777")
    m.run("check")


def test_a_finding_quotes_no_hidden_bounds(m):
    m.write("mirror.yml", "publish:\n  exclude:\n    properties: [start]\n")
    m.facts(project("p05"), entity("Faction", {"founded": "1900", "dissolved": "1904"}, "Guild", id="guild"), entity("Location", {}, "Hall", id="hall"),
            *({"kind": "relation", "id": id, "type": "LOCATED_IN", "from": "guild", "to": "hall", "project": "p05", **more}
              for id, more in (("r1", {"properties": {"start": "1950-08-09"}}), ("r2", {"valid_from": "1960-03-04"}))))
    m.sweep()
    assert sum("1950-08-09" in json.dumps(f) for f in m.run("findings", "--format", "json").json()["findings"]) == 1
    m.run("build")
    blob = b"\n".join(d for p, d in m.site_bytes("site"))
    absent(blob, "1950-08-09")
    assert b"1960-03-04" in blob


def test_what_is_left_out_from_now_on_is_not_in_the_message(m):
    m.facts(project("p05"), state("size", "3 m"), memory("size: WHISKEYSIZE", tags=["private"]), entity("Part", {"cost": "ZULUCOST"}, "Leg", id="leg"))
    m.sweep()
    m.run("publish")
    m.write("mirror.yml", CONFIG)
    m.run("publish")
    message = m.git("log", "-1", "--format=%B", "mirror")
    assert "- 2 facts are left out now\n" in message and "memory" not in message and "leg" not in message, message
    absent(message.lower().encode(), "whiskey", "zulu")
    changes = m.git("show", "mirror:changes.md")
    assert "2 facts left out" in changes and "2 facts left out" in m.git("show", "mirror:feed.atom"), changes
    absent("".join(m.git("show", "mirror:" + p) for p in ("changes.md", "feed.atom", "data/changes.jsonl")).lower().encode(), "whiskey", "zulu", "memory:", "entity:")


def test_an_unrelated_exclusion_leaves_the_times_of_a_settled_conflict(m):
    people = [entity("Person", {}, n, id=n.lower()) for n in ("Ann", "Bob")]
    rules = [{"kind": "relation", "id": f"r{i}", "type": "RULES", "from": who, "to": "rome", "project": "p05", "properties": p}
             for i, (who, p) in enumerate([("ann", {"since": "1642"}), ("bob", {"since": "1655", "until": "1777"})])]
    m.facts(project("p05"), *people, entity("Place", {}, "Rome", id="rome"), *rules, memory("colour is red", tags=["private"]))
    c, = m.sweep()
    m.run("conflicts", "dismiss", c["id"], "--reason", "both reigned")
    m.run("build")
    before, = json.loads(m.text("site", "conflicts.json"))["conflicts"]
    m.write("mirror.yml", CONFIG)
    m.run("build")
    after, = json.loads(m.text("site", "conflicts.json"))["conflicts"]
    assert before["window"] == after["window"] and before["window"][0], (before, after)


def test_withheld_member_counts(m):
    blob = build(m, memory("colour is WHISKEYRED", tags=["private"]), memory("colour is WHISKEYGREEN", tags=["private"]), state("colour", "blue"))
    absent(blob, "whiskey")
    assert b"2 claims withheld" in blob


def test_withheld_conflict_is_not_published(m):
    blob = build(m, state("alphaslot", "ZULU1", project="p99"), state("alphaslot", "ZULU2", project="p99"))
    absent(blob, "zulu", "alphaslot")
    assert json.loads(m.text("site", "health.json"))["open_conflicts_count"] == 0


def test_name_of_a_hidden_entity_in_a_slot(m):
    blob = build(m, entity("Salary", {}, "TANGOTHING", id="e7"), entity("Material", {"component_id": "e7", "material": "a"}, "one"),
                 entity("Material", {"component_id": "e7", "material": "b"}, "one"))
    absent(blob, "tango")


def test_names_that_leave_nothing_out_are_told(m):
    m.write("mirror.yml", "publish:\n  exclude:\n    projects: [p05, p50, p05-y]\n    types: [analysis_model, AnalysisMode]\n    statuses: [invalid]\n"
                          "    tags: [Private, privat]\n    properties: [api-key, cost, owner, apikee]\n")
    m.facts(project("p05-x", "p05"), memory("a is b", project="q", tags=["private"]), entity("AnalysisModel", {"a": {"cost": 3}}, project="q"),
            entity("T", {"api_key": "x"}, project="q"), state("Owner", "kim", project="q"))
    tell = lambda *names: [f"hmirror: mirror.yml: publish.exclude.{n}' matches nothing in hmirror.db: {why}" for n, why in names]
    usual = tell(("projects: 'p50", "is no project"), ("projects: 'p05-y", "is no project: did you mean 'p05-x'?"),
                 ("types: 'AnalysisMode", "no row has such a type: did you mean 'AnalysisModel'?"))
    assert m.run("build").err.splitlines() == usual
    for verb in ("build", "publish"):
        r = m.run(verb, "-q")
        assert r.err.splitlines() == usual and not r.out, "-q leaves out hints and counts, no warning"
    r = m.run("check", "--format", "json")
    assert r.err.splitlines() == usual + tell(("tags: 'privat", "no memory has such a tag: did you mean 'private'?"),
                                              ("properties: 'apikee", "no row has such a property: did you mean 'api_key'?")), r.err
    assert r.json(), "standard output is the report alone"


if __name__ == "__main__":
    main(globals())
