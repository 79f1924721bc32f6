#!/usr/bin/env python3
"""Verdicts stay with people: each tool of hmirror mcp, and each way round that."""
import json

from harness import *
from mcp_kit import Agent

P05 = project("p05-interferometer", "p05")
DAY = {"created_at": "2026-04-02T09:00:00Z"}


def store(m):
    """Rows of people: a dispute between two memories, one over layers, a superseded row, a candidate, links."""
    m.facts(P05, state("spindle_speed", "45 rpm", id="s1"), memory("The spindle speed is 55 rpm.", id="m1", agent="kim", **DAY),
            memory("The cache is Redis.", id="m2", agent="kim", **DAY), memory("The cache is Memcached.", id="m3", agent="lee", created_at="2026-04-05T09:00:00Z"),
            memory("The lid is red.", id="m4", agent="kim", **DAY), memory("The lid is blue.", id="m5", agent="kim", status="candidate"),
            decision("PEEK", id="e1"), state("lateral_support_material", "GF-PTFE", "material choice", id="s2"),
            {"kind": "link", "src": "memory:m2", "dst": "memory:m3", "rel": "contradicts"}, {"kind": "link", "src": "memory:m4", "dst": "memory:m1", "rel": "related"})
    m.facts(memory("The belt is nylon.", id="m8", agent="kim", project="gizmo", **DAY), memory("The belt is steel.", id="m9", agent="lee", project="gizmo", **DAY), name="loose.jsonl")
    m.run("sweep")


def disputes(m):
    """Who disagrees with whom. An agent's claim may put the same rows into a conflict of another shape, a reversal."""
    return {frozenset(x["member_id"] for x in c["members"]) for c in m.conflicts() if c["disputed"]}


def standing(m):
    """All that a verdict could change: people's rows, their links, open disputes."""
    rows = {t: m.sql(f"SELECT * FROM {t} WHERE coalesce(via, '') = '' ORDER BY id") for t in ("memories", "entities")}
    rows |= {t: m.sql(f"SELECT * FROM {t} ORDER BY id") for t in ("project_state", "relations", "projects", "acknowledgements")}
    rows["links"] = m.sql("SELECT * FROM links ORDER BY 1, 2, 3")
    return rows, disputes(m), m.sql("SELECT id, status FROM conflicts WHERE status <> 'open'")


def holds(m, before):
    rows, disputed, settled = standing(m)
    assert rows == before[0], "a row of a person changed"
    for rows in before[1]:
        assert any(rows <= now for now in disputed), f"a dispute of people ended: {rows} in {disputed}"
    assert settled == before[2]


def test_what_is_refused(m):
    store(m)
    before = standing(m)
    with Agent(m) as a:
        for tool, arguments, code, field in (
                ("supersede", {"old_id": "m2", "new_id": "m3"}, "state", None), ("supersede", {"old_id": "m2", "new_id": "m3", "dry_run": True}, "state", None),
                ("supersede", {"old_id": "memory:m2", "new_id": "memory:m3", "notes": "a person said so"}, "state", None),
                ("restore", {"memory_id": "m1"}, "state", None), ("restore", {"memory_id": "e1", "field": "value"}, "state", None),
                ("remember", {"text": "The cache is Redis.", "supersedes": "m3"}, "state", "supersedes"),
                ("remember", {"text": "The cache is Redis.", "supersedes": "m3", "dry_run": True}, "state", "supersedes"),
                ("add_entity", {"type": "Decision", "name": "x", "supersedes": "e1"}, "state", "supersedes"),
                ("remember", {"text": "The cache is Redis.", "policy": "supersede"}, "state", "policy"),
                ("remember", {"text": "The cache is Redis.", "policy": "supersede", "dry_run": True}, "state", "policy"),
                ("add_entity", {"type": "Decision", "name": "x", "policy": "supersede"}, "state", "policy"),
                *(("remember", {"text": "The cache is Redis.", "policy": p}, "input", "policy") for p in ("Supersede", "supersede ", "", "all", 2, ["supersede"])),
                ("remember", {"text": "The cache is Redis.", "policy": "raise", "supersedes": "m3"}, "state", "supersedes"),
                *(("remember", {"text": "The cache is Redis.", "status": s}, "input", "status") for s in ("superseded", "invalid", "graduated", "ACTIVE")),
                *(("add_entity", {"type": "Decision", "name": "x", "status": s}, "input", "status") for s in ("superseded", "invalid", "graduated")),
                # Fields of a row that are not an agent's to say.
                *(("remember", {"text": "The lid is green.", k: v}, "input", k) for k, v in (
                    ("id", "m1"), ("agent", "kim"), ("via", ""), ("by", "kim"), ("superseded_by", "m3"), ("superseded_at", "2026"), ("graduated_to", "e1"),
                    ("created_at", "2020"), ("updated_at", "2020"), ("slot_rule", "lid"), ("kind", "project_state"), ("memory_id", "m1"), ("notes", "x"))),
                *(("add_entity", {"type": "Decision", "name": "x", k: v}, "input", k) for k, v in (
                    ("id", "e1"), ("hand_authored", True), ("via", ""), ("by", "kim"), ("superseded_by", "e9"), ("created_at", "2020"))),
                # A type that no entity has would set the state of that category apart from the entities of others.
                ("add_entity", {"type": "material choice", "name": "x"}, "state", "type"), ("add_entity", {"type": "Material-Choice", "name": "x"}, "state", "type"),
                *(("link", {"src_id": "m3", "dst_id": "m2", "rel": r}, "state", "rel") for r in (
                    "supersedes", "superseded_by", "Supersedes", "SUPERSEDED-BY", " supersedes ", "derived_from", "source_of",
                    # As pages and traces read a relation: whatever stands between its letters, in whatever form.
                    "super sedes", "super\u200bsedes", "Super-Sedes", "ｓｕｐｅｒｓｅｄｅｓ", "ſupersedes", "replaces", "Replaced By", "derived from", "SOURCE-OF")),
                # Arguments whose names only look like one that is refused.
                *(("remember", {"text": "The lid is green.", k: "m1"}, "input", k) for k in (
                    "Supersedes", "supersedes ", "supersedеs", "on_conflict", "older", "winner", "resolve", "properties", "dry-run")),
                ("unlink", {"src_id": "m2", "dst_id": "m3"}, "state", "rel"), ("unlink", {"src_id": "m2", "dst_id": "m3", "rel": "contradicts"}, "state", "src_id"),
                ("unlink", {"src_id": "m3", "dst_id": "m2", "rel": "supersedes"}, "state", "rel"), ("unlink", {"src_id": "m4", "dst_id": "m1", "rel": "related"}, "state", "src_id"),
                ("flag_for_review", {"node_id": "m1", "reason": "x", "by": "kim"}, "input", "by"),
                ("run_consistency_check", {"by": "kim"}, "input", "by"), ("find_conflicts", {"text": "x", "dry_run": False}, "input", "dry_run"),
                ("find_conflicts", {"text": "x", "supersedes": "m1"}, "input", "supersedes"), ("recall", {"query": "x", "touch": True}, "input", "touch")):
            e = a.refused(tool, **arguments)
            assert (e["code"], e["field"]) == (code, field), (tool, arguments, e)
            if e["code"] == "state":
                assert "person" in e["fix"], e
        # Verbs of the API that are no tools: none has another name here.
        for name in ("resolve", "resolve_conflict", "dismiss_conflict", "reopen", "resolveConflict", "editMemory", "promote", "promoteMemory", "addProjectState",
                     "add_state", "graduate", "acknowledge", "acknowledgeFinding", "reflect", "redact", "add_ontology_rule", "import", "unflag"):
            a.fails(-32602, "tools/call", {"name": name, "arguments": {}})
        # A key that is said twice is said by nobody, in whatever letters it is written.
        for more in ('"status":"active","status":"superseded"', '"policy":"warn","p\\u006flicy":"supersede"', '"project":"p05","project":null'):
            a.raw('{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"remember","arguments":{"text":"The lid is green.",%s}}}\n' % more)
            assert a.next()["error"]["code"] == -32700, more
        a.raw('{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"health","name":"supersede"}}\n')
        assert a.next()["error"]["code"] == -32700
    holds(m, before)
    assert m.sql("SELECT count(*) FROM memories WHERE via IS NOT NULL") == [(0,)]


def test_links_of_others_stay(m):
    """An agent takes away what it drew itself, from rows of its own; also where a word turns a link round."""
    store(m)
    with Agent(m, name="codex") as a:
        mine = a.call("remember", text="The lid is red, as ordered.", project="p05")["ref"]
        m.run("link", "m4", mine, "--rel", "refines")
        m.run("link", mine, "m4", "--rel", "refines")
        m.run("link", mine, "m1", "--rel", "contradicts")
        assert a.call("link", src_id=mine, dst_id="m2", rel="refines")["changed"]
        assert a.call("link", src_id="m4", dst_id=mine, rel="example_of")["changed"]
        before = m.sql("SELECT * FROM links ORDER BY 1, 2, 3")
        for src, dst, rel, field in ((mine, "m4", "refined_by", "src_id"), ("m4", mine, "refines", "src_id"), (mine, "m4", "refines", "rel"), ("m4", mine, "refined_by", "rel"),
                                     (mine, "m1", "contradicts", "rel"), (mine, "m4", "has_example", "src_id"), (mine, "m2", "super-sedes", "rel")):
            for dry in (True, False):
                e = a.refused("unlink", src_id=src, dst_id=dst, rel=rel, dry_run=dry)
                assert (e["code"], e["field"]) == ("state", field), (src, dst, rel, e)
        assert m.sql("SELECT * FROM links ORDER BY 1, 2, 3") == before
        assert a.call("unlink", src_id=mine, dst_id="m2", rel="refines", dry_run=True)["count"] == 1
        assert a.call("unlink", src_id="m2", dst_id=mine, rel="refined_by")["count"] == 1
        assert a.call("unlink", src_id=mine, dst_id="m2", rel="refines")["changed"] is False
    with Agent(m, name="gemini") as a:
        assert a.refused("unlink", src_id="m4", dst_id=mine, rel="example_of")["field"] == "src_id"


def test_own_rows(m):
    """An agent that the operator named changes and takes back what it wrote under that name, while nobody else has a hand in it; nothing else."""
    store(m)
    with Agent(m, "--agent", "codex") as a:
        mine = a.call("remember", text="The lid is red, as ordered.", project="p05")["ref"]
        lid = a.call("remember", type="Component", name="Lid", project="p05", properties={"colour": "red", "weight": "4 kg"})["ref"]
        tie = a.call("relate", **{"from": lid, "type": "PART_OF", "to": "e1", "project": "p05"})["ref"]
        one = a.call("edit", row=mine, text="The lid is green, as ordered.", tags=["lid"], why="misread")
        assert one["content"].startswith("The lid is green") and one["agent"] == "codex" and one["changed"] and one["status"] == "active"
        assert a.call("edit", row=mine.split(":")[1], text="The lid is blue, as ordered.", dry_run=True)["dry_run"] and a.call("get", row=mine)["content"].startswith("The lid is green")
        assert a.call("edit", row=lid, properties={"weight": None, "colour": "green"})["properties"] == {"colour": "green"}
        assert a.call("edit", row=tie, valid_until="2030")["valid_until"] == "2030"
        before = standing(m)
        assert m.sql("SELECT actor, why FROM journal WHERE verb = 'edit' ORDER BY seq LIMIT 1") == [("codex", "misread")], m.sql("SELECT DISTINCT verb, actor FROM journal")
        for row in ("m1", "m2", "m4", "m5", "e1"):
            for change in ({"text": "The lid is red."}, {"withdraw": True}, {"valid_until": "2020"}, {"text": "x", "dry_run": True}):
                e = a.refused("edit", row=row, **{k: v for k, v in change.items() if not (row == "e1" and k == "text")})
                assert (e["code"], e["field"]) == ("state", "row"), (row, change, e)
        for row in ("s1", "project_state:s2"):
            assert a.refused("edit", row=row, text="46 rpm")["field"] == "row"
        for arguments, field in (({"row": "nobody", "text": "x"}, "row"), ({"text": "x"}, "row"), ({"row": mine, "status": "superseded"}, "status"), ({"row": mine, "project": "gizmo"}, "project"),
                                 ({"row": mine, "type": "verdict"}, "type"), ({"row": mine, "agent": "kim"}, "agent"), ({"row": lid, "name": "Lateral support"}, "name"), ({"row": mine, "text": " "}, "text"),
                                 ({"row": lid, "text": "x"}, "text"), ({"row": mine, "withdraw": "yes"}, "withdraw"), ({"row": mine, "by": "kim"}, "by"), ({"row": tie, "to": "e1"}, "to")):
            assert a.refused("edit", **arguments)["field"] == field, arguments
        holds(m, before)
        # What a person had a hand in is no longer the agent's own.
        other = a.call("remember", text="The belt is leather.", project="gizmo")["ref"]
        m.run("edit", other, "--set", "content=The belt is of leather.", "--by", "kim")
        assert a.refused("edit", row=other, withdraw=True)["field"] == "row"
        won = a.call("remember", text="The spindle speed is 60 rpm.", project="p05")
        kept = a.call("remember", text="The pump is red.", project="p05")["ref"]
        m.facts(memory("The pump is blue.", id="pump", project="p05", agent="kim", **DAY), name="pump.jsonl")
        m.run("supersede", "pump", kept, "--notes", "painted", "--by", "kim")
        m.run("conflicts", "dismiss", won["conflict_id"], "--reason", "two spindles", "--by", "kim")
        for row in (won["ref"], kept):
            assert a.refused("edit", row=row, withdraw=True)["field"] == "row" and a.refused("edit", row=row, text="x")["field"] == "row", row
        # Taken back: it stays as history, and cannot be changed any more.
        assert a.call("edit", row=mine, withdraw=True)["status"] == "invalid" and a.call("edit", row=tie, withdraw=True)["status"] == "invalid"
        assert a.refused("edit", row=mine, text="x")["code"] == "state" and m.sql(f"SELECT content FROM memories WHERE id = '{mine.split(':')[1]}'")[0][0].startswith("The lid is green")
        # A link that it drew, from whatever row
        assert a.call("link", src_id="m2", dst_id=kept, rel="example_of")["changed"] and a.call("link", src_id="m2", dst_id=kept, rel="example_of", remove=True)["count"] == 1
        assert a.refused("link", src_id="m2", dst_id="m3", rel="contradicts", remove=True)["code"] == "state"
    last = "The lid is white, as ordered."
    with Agent(m, "--agent", "gemini") as a:
        assert a.refused("edit", row=lid, properties={"colour": "blue"})["field"] == "row", "another agent's"
    with Agent(m, name="codex") as a:   # a name that a client gives itself
        e = a.refused("edit", row=lid, properties={"colour": "blue"})
        assert e["code"] == "state" and "--agent" in e["fix"], e
    with Agent(m, "--agent", "kim") as a:   # that of a person: what the person wrote is not the agent's
        assert a.refused("edit", row="m4", withdraw=True)["field"] == "row" and a.refused("edit", row="m1", text=last)["field"] == "row"


def test_rows_that_only_look_like_its_own(m):
    """A person, a file and a source may have the agent's name, and another agent one that reads alike: their rows are not its own."""
    m.facts(P05, project("gizmo"), entity("Part", {}, "A", id="e1"), entity("Part", {}, "B", id="e2"), memory("The rope is 3 m.", id="m1", agent="ana", source_refs=["ana"]),
            memory("The rope is 4 m.", id="m2", agent="ana", via="mcp"))
    m.run("add", "relation", "e1", "KNOWS", "e2", "--id", "r1", "--by", "ana")
    m.run("add", "memory", "--type", "knowledge", "--content", "The bell is red.", "--agent", "ana", "--id", "m3", "--by", "ana")
    m.write("more.jsonl", "".join(json.dumps(r) + "\n" for r in (memory("The oar is 3 m.", id="m4", agent="ana", via="mcp"), {"kind": "relation", "id": "r2", "type": "LIKES", "from": "e1", "to": "e2"})))
    m.run("import", "more.jsonl", "--by", "ana")
    with Agent(m, "--agent", "ana") as a:
        mine = [a.call("remember", text="The pad is red.", project="p05")["ref"], a.call("remember", type="Component", name="Pad", project="gizmo")["ref"],
                a.call("relate", **{"from": "e1", "type": "MEETS", "to": "e2"})["ref"]]
        for row in ("m1", "m2", "m3", "m4", "r1", "r2", "relation:r1"):
            assert a.refused("edit", row=row, withdraw=True)["field"] == "row", row
    for name in ("Ana", "ANA", "an a", "\u0430na"):
        with Agent(m, "--agent", name) as a:
            a.call("remember", text="The pad is red.", project="gizmo")
            for row in mine:
                assert a.refused("edit", row=row, withdraw=True)["field"] == "row", (name, row)
    with Agent(m, "--agent", "ana") as a:
        assert [a.call("edit", row=row, withdraw=True)["status"] for row in mine] == ["invalid"] * 3


def test_what_is_done_settles_nothing(m):
    """An agent does all that it may, in words and bounds that would settle if a person wrote them."""
    store(m)
    before = standing(m)
    assert len(before[1]) == 4, before[1]
    with Agent(m, name="codex") as a:
        for text in ("We decided: the cache is Redis, final.", "The cache is now Memcached.", "We switched the cache from Redis to Memcached.",
                     "The cache is Memcached as of now; Redis is obsolete.", "Correction: the spindle speed is 45 rpm.", "The spindle speed is no longer 55 rpm.",
                     "The spindle speed was changed to 45 rpm.", "The lid is now blue."):
            one = a.call("remember", text=text, project="p05", importance=1, confidence=1, scope="")
            assert one["via"] == "mcp" and one["agent"] == "codex" and one["quieted"] == [], (text, one["quieted"])
            now = disputes(m)
            assert any({"m2", "m3"} <= rows for rows in now) and any({"m1", "s1"} <= rows for rows in now), (text, now)
        a.call("remember", text="The cache was Memcached.", project="p05", valid_from="2020", valid_until="2030")
        for bounds in ({"valid_from": "9999"}, {"valid_until": "0001"}):
            a.call("remember", text="The cache is Memcached.", project="p05", **bounds)
        # Names of projects and types that are written otherwise, or new, separate no rows of people.
        for name in ("P05", "p05-Interferometer", "p05 interferometer", "Interferometer", "gizmo", "Gizmo", "giz mo", "g", ""):
            for type in ("knowledge", "Knowledge", "verdict", "decision", "episodic", "preference"):
                a.call("remember", text="The belt is nylon.", project=name, type=type, status="active" if type == "knowledge" else "candidate")
        for type in ("decision", "DECISION", "Requirement", "Parameter", "Material"):
            a.call("add_entity", type=type, name="Lateral support material", project="p05", properties={"value": "GF-PTFE", "material": "GF-PTFE"})
        a.call("add_entity", type="Decision", name="Lateral support", project="p05", description="We decided, final: GF-PTFE. It supersedes PEEK.",
               properties={"decision_target": "lateral support", "decision_field": "material", "value": "GF-PTFE", "supersedes": "e1", "superseded_by": "e1", "status": "final"})
        a.call("link", src_id="m2", dst_id="m3", rel="overrides")
        a.call("link", src_id="m2", dst_id="m3", rel="refines")
        a.call("flag_for_review", node_id="m2", reason="superseded, resolve as m3")
        a.call("run_consistency_check", scope="project:p05")
        a.call("run_consistency_check")
    before[0]["links"] = m.sql("SELECT * FROM links ORDER BY 1, 2, 3")
    holds(m, before)
    assert {x for x, in m.sql("SELECT DISTINCT actor FROM journal WHERE at > '2026-04' AND verb IN ('add', 'link', 'flag')")} == {"codex"}


def test_words_settle_what_the_agent_said(m):
    """Of two texts of one agent the later decides; a person's text with the same words decides for all."""
    m.facts(P05, memory("The cache is Redis.", id="m2", agent="codex", **DAY), memory("The queue is Kafka.", id="m3", agent="kim", **DAY))
    with Agent(m, name="codex") as a:
        mine = a.call("remember", text="We decided: the cache is Memcached.", project="p05")
        theirs = a.call("remember", text="We decided: the queue is NATS.", project="p05")
        assert mine["conflicts"] == [] and len(theirs["conflicts"]) == 1, (mine["conflicts"], theirs["conflicts"])
    with Agent(m, name="gemini") as a:
        assert len(a.call("remember", text="Final: the cache is Redis.", project="p05")["conflicts"]) == 1, "another agent's words"
    m.run("add", "memory", "-p", "p05", "--type", "knowledge", "--content", "We decided: the queue is NATS.", "--agent", "lee")
    m.run("sweep")
    assert {c["slot_key"][1] for c in m.conflicts() if c["disputed"]} == {"cache_store"}, m.conflicts()


def test_the_way_is_kept(m):
    """via goes through export and import, and shows on pages; an import of it settles no more than the row did."""
    m.facts(P05, memory("The queue is Kafka.", id="m3", agent="kim", **DAY))
    with Agent(m, "--agent", "ci") as a:
        a.call("remember", text="We decided: the queue is NATS.", project="p05")
        a.call("add_entity", type="Decision", name="Queue", project="p05", properties={"decision_target": "queue", "decision_field": "kind", "value": "x"})
    text = m.run("export").out
    rows = [r for r in map(json.loads, text.splitlines()) if r.get("via")]
    assert [(r["kind"], r["via"], r.get("agent")) for r in rows] == [("memory", "mcp", "ci"), ("entity", "mcp", None)]
    m.run("build")
    page = m.text("site", "projects", "p05-interferometer", "memories", "2026.md")
    assert "Via: mcp" in page and '"via":"mcp"' in m.text("site", "data", "p05-interferometer", "memories", "2026.jsonl"), page
    other = Mirror()
    try:
        other.write("all.jsonl", text)
        other.run("init")
        other.run("import", "all.jsonl")
        assert other.run("export").out == text and len([c for c in other.sweep() if c["disputed"]]) == 1
        other.run("edit", "memory:" + rows[0]["id"], "--set", "via:=null", "--by", "kim")
        assert [c["disputed"] for c in other.sweep()] == [False], "a person takes the words as theirs"
    finally:
        other.close()


def test_with_leave(m):
    store(m)
    with Agent(m, "--allow-verdicts", "--agent", "codex", name="claude") as a:
        report = a.call("supersede", old_id="m2", new_id="m3", notes="measured")
        assert report["by"] == "codex" and report["changes"][0]["row"] == "memory:m2"
        assert a.refused("supersede", old_id="m3", new_id="m2")["code"] == "state", "a circle"
        assert a.refused("supersede", old_id="m2", new_id="m2")["code"] == "input"
        assert a.call("restore", memory_id="m2")["changes"]
        assert a.refused("remember", text="x", policy="supersede", supersedes="m3")["field"] == "policy"
        m.facts(memory("merge with red checks", id="m6", project="p05", agent="kim", **DAY), name="more.jsonl")
        assert a.call("remember", text="do not merge with red checks", project="p05", policy="supersede")["action"] == "superseded"
        assert m.sql("SELECT status FROM memories WHERE id = 'm6'") == [("superseded",)]
        one = a.call("remember", text="The cache is Valkey.", project="p05", supersedes="m3")
        assert one["via"] == "mcp" and m.sql("SELECT status, superseded_by FROM memories WHERE id = 'm3'")[0][0] == "superseded"
        assert a.call("link", src_id="m3", dst_id="m2", rel="supersedes")["changed"]
        a.call("unlink", src_id="m3", dst_id="m2")
        a.call("add_entity", type="material choice", name="x")
        for tool, arguments in (("remember", {"text": "x", "by": "kim"}), ("remember", {"text": "x", "agent": "kim"}), ("supersede", {"old_id": "m4", "new_id": "m1", "by": "kim"})):
            assert a.refused(tool, **arguments)["field"] in ("by", "agent")
    assert {x for x, in m.sql("SELECT DISTINCT actor FROM journal WHERE verb IN ('add', 'supersede', 'restore', 'link', 'unlink')")} == {"codex"}
    assert m.run("health").code in (0, 1)


if __name__ == "__main__":
    main(globals())
