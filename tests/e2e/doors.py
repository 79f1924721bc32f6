#!/usr/bin/env python3
"""One record through every door: the command, a file, HTTP, an agent. Each has the same checks and warnings."""
from harness import *
from mcp_kit import Agent, answer_of
from server import Server

PATH = {"memory": "/memory", "entity": "/entities", "project_state": "/project/state", "relation": "/relations"}
PATCHED = {"memory": "/memory", "entity": "/entities"}
WORD = {"memory": "memory", "entity": "entity", "project_state": "state", "relation": "relation"}
TOKEN = "ghp_" + "Zq8Xw7Vt6Us5Rp4Ol3Nk2Mj1Ih0Gf9Ed8Cb7"
HISTORY = "a file brings history, too"
TOLD = "a file is stored as it is, and told of in the same words"


def memory_of(**kw):
    return "memory", {"memory_type": "knowledge", "content": "The belt width is 4 cm.", "project": "p05", **kw}


def entity_of(**kw):
    return "entity", {"entity_type": "Parameter", "name": "belt", "properties": {"parameter_name": "belt", "value": "4 cm"}, "project": "p05", **kw}


def relation_of(**kw):
    return "relation", {"type": "PART_OF", "from": "e1", "to": "e1", "project": "p05", **kw}


def state_of(**kw):
    return "project_state", {"key": "belt_width", "value": "4 cm", "project": "p05", **kw}


# The record, the words of the refusal, and why a file is taken all the same.
FAULTS = [
    (memory_of(colour="red"), "colour: unknown key", None),
    (memory_of(status="odd"), "status: unknown", None),
    (memory_of(confidence=2), "confidence: must be from 0 to 1, is 2", None),
    (memory_of(importance=-1), "importance: must be from 0 to 1, is -1", None),
    (memory_of(polarity=3), "polarity: must be -1, 0 or 1, is 3", None),
    (memory_of(content=3), "content: must be a string, is a number", None),
    (memory_of(tags=[1]), "tags: must be an array of strings, has a number in it", None),
    (memory_of(valid_from="next week"), 'valid_from: not a time: "next week"', None),
    (memory_of(created_at="lately"), 'created_at: not a time: "lately"', None),
    (memory_of(id=""), "id: must not be empty", None),
    (entity_of(properties="x"), "properties: must be an object, is a string", None),
    (entity_of(confidence="much"), "confidence: must be a number from 0 to 1, is a string", None),
    (state_of(value=None), "value: must not be null", None),
    (state_of(value={"a": 1}), "value: must be a string, number, boolean or array, is an object", None),
    (memory_of(content=" "), "content: empty", TOLD),
    (memory_of(memory_type=""), "memory_type: empty", TOLD),
    (entity_of(name=" "), "name: empty", TOLD),
    (state_of(key=" "), "key: empty", TOLD),
    (relation_of(type=" "), "type: empty", TOLD),
    (memory_of(valid_from="2026-02-01", valid_until="2026-01-01"), 'valid_until: not after valid_from "2026-02-01"', TOLD),
    (memory_of(status="superseded"), "status: a new row is active or a candidate", HISTORY),
    (memory_of(superseded_by="m9"), "superseded_by: is set when another row supersedes this one", HISTORY),
]
WARNINGS = [
    (memory_of(project="p50"), "project 'p50' is new"),
    (memory_of(memory_type="knowlege"), "memory type 'knowlege' is new; nearest known: 'knowledge'"),
    (entity_of(entity_type="Paramter"), "entity type 'Paramter' is new; nearest known: 'Parameter'"),
    (memory_of(content=f"The token is {TOKEN}."), "content: looks like a live secret"),
    (memory_of(), None),
]
BASE = [project("p05"), memory("The belt speed is 5 m/s.", id="m1"), parameter("9 cm", "drum", id="e1")]
TOOLS = {"memory": ("remember", {"content": "text", "memory_type": "type"}), "entity": ("add_entity", {"entity_type": "type"}), "relation": ("relate", {})}


def added(m, kind, record, code):
    return m.run("add", WORD[kind], "--json", "-", "-n", stdin=json.dumps(record).encode(), code=code)


def imported(m, kind, record, code):
    m.write("one.jsonl", json.dumps({"kind": kind, **record}) + "\n")
    return m.run("import", "--dry-run", "one.jsonl", code=code)


def told(agent, kind, record):
    """The answer of the agent's tool; NULL: it takes no such argument, or there is no tool."""
    if kind not in TOOLS:
        return None
    tool, names = TOOLS[kind]
    return agent.result("tools/call", {"name": tool, "arguments": {**{names.get(k, k): v for k, v in record.items()}, "dry_run": True}})


def test_each_fault_is_refused_in_the_same_words(m):
    m.facts(*BASE)
    m.run("sweep")
    with Server(m, "--api-only") as s, Agent(m, "--allow-verdicts") as agent:
        for (kind, record), words, why in FAULTS:
            field, said = words.split(": ", 1)
            assert words in added(m, kind, record, 2).err, (record, words)
            error = s.post(PATH[kind] + "?dry_run=true", record, 422).error()
            assert error["field"] == field and error["why"].startswith(said), (record, error)
            r = imported(m, kind, record, 0 if why else 2)
            assert why == HISTORY or words in r.err, (record, r.err)
            r = told(agent, kind, record)
            assert not r or r["isError"], (record, r)
            e = r and json.loads(r["content"][0]["text"])["error"]
            own = e and f"{e['what']}: {e['why']}: {e['fix']}"
            assert not own or words in own or "no such argument" in own or "inputSchema" in own, (record, own)


def test_an_edit_is_refused_in_the_same_words(m):
    m.facts(*BASE, {"kind": "project_state", "id": "s1", **state_of()[1]})
    edits = [("memory:m1", {"content": " "}, "content: empty"), ("entity:e1", {"name": ""}, "name: empty"), ("project_state:s1", {"key": "\t"}, "key: empty"),
             ("memory:m1", {"valid_from": "2026-02-01", "valid_until": "2026-01-01"}, 'valid_until: not after valid_from "2026-02-01"')]
    with Server(m, "--api-only") as s:
        for ref, patch, words in edits:
            assert words in m.run("edit", ref, "--json", "-", stdin=json.dumps(patch).encode(), code=2).err, (ref, patch)
            kind, id = ref.split(":")
            if kind in PATCHED:
                assert s.patch(f"{PATCHED[kind]}/{id}", patch, 422).error()["field"] == words.split(":")[0], (ref, patch)


def test_a_file_with_what_others_refuse_is_stored_and_told_of(m):
    odd = {"kind": "memory", "id": "w", **memory_of(valid_from="2026-02-01", valid_until="2026-01-01")[1]}
    m.write("odd.jsonl", "".join(json.dumps(x) + "\n" for x in (*BASE, odd, {**odd, "id": "x", "content": " ", "valid_until": None})))
    r = m.run("import", "odd.jsonl", "--format", "json").json()
    assert r["odd"] == 2 and r["added"] == len(BASE) + 2, r
    assert [w.split(":", 1)[0] for w in r["warnings"]] == ["odd.jsonl"] * 2 and "odd.jsonl:4: valid_until: not after" in r["warnings"][0], r["warnings"]
    assert m.run("import", "odd.jsonl", "--format", "json").json()["odd"] == 0 # it is known
    assert "memory:w" in m.run("sweep", "--format", "json").out


def test_each_warning_is_given_at_every_door(m):
    m.facts(*BASE)
    m.run("sweep")
    with Server(m, "--api-only") as s, Agent(m, "--allow-verdicts") as agent:
        for (kind, record), words in WARNINGS:
            said = {"add": added(m, kind, record, 0).err, "import": imported(m, kind, record, 0).err,
                    "http": "\n".join(s.post(PATH[kind] + "?dry_run=true", record).json()["warnings"])}
            r = told(agent, kind, record)
            if not r["isError"]:
                said["agent"] = "\n".join(answer_of(r)["warnings"])
            for door, text in said.items():
                assert (words in text) if words else not text.strip(), (record, door, text)
                assert TOKEN not in text, door


def test_notes_of_a_verdict_have_the_same_checks(m):
    m.facts(decision("A", id="a"), decision("B", id="b"))
    m.run("sweep")
    c, = m.conflicts()
    with Server(m, "--api-only") as s:
        for notes, why in {"---": "it has no letter and no digit", "x" * 70000: "longer than 65536 bytes"}.items():
            body = {"winner_member_id": "a", "resolution_notes": notes}
            error = s.post(f"/conflicts/{c['id']}/resolve?dry_run=true", body, 422).error()
            assert why in error["why"], (notes[:10], error)
            assert why in m.run("conflicts", "resolve", c["id"], "--winner", "a", "--notes", notes, "--dry-run", code=2).err, notes[:10]


def written(m, door, server, agent, kind, record):
    if door == "file":
        m.write(f"{record['id']}.jsonl", json.dumps({"kind": kind, **record}) + "\n")
        m.run("import", f"{record['id']}.jsonl")
    elif door == "add":
        m.run("add", WORD[kind], "--json", "-", stdin=json.dumps(record).encode())
    elif door == "http":
        server.post(PATH[kind], record, 201)
    elif kind == "entity": # an agent writes no state, and at no time but now
        said = {k: record[k] for k in ("name", "project", "properties", "source_refs")}
        agent.call("add_entity", type=record["entity_type"], **said)


def test_of_one_author_a_later_status_overtakes_at_every_door(m):
    """How far a thing is: of one author the later holds; of two, of one time or in any other slot they are disputed."""
    begin, soon, later = "2026-03-02T09:00:00Z", "2026-03-02T09:40:00Z", "2026-03-04T15:30:00Z"
    m.facts(*BASE)
    m.run("sweep")
    want = set()
    with Server(m, "--api-only") as s, Agent(m, "--allow-verdicts") as agent:
        for door in ("file", "add", "http", "agent"):
            for name, key, other, then in (("own", "status", "mara", later), ("two", "severity", "ben", later),
                                           ("fast", "phase", "mara", soon), ("owner", "owner", "mara", later)):
                if (door, name) == ("agent", "fast"):
                    continue
                for through, value, by, at in (("file", "Open", "mara", begin), (door, "Closed", other, then)):
                    row = {"project": "p05", "created_at": at, "id": f"{door}-{name}-{value}"}
                    written(m, through, s, agent, "project_state", {**row, "key": f"{door}_{name}_{key}", "value": value, "source": by})
                    written(m, through, s, agent, "entity", {**row, "entity_type": "Task", "name": f"{door} {name}", "properties": {key: value}, "source_refs": [by]})
                if name != "own":
                    want |= {f"task_{door}_{name}_{key}"} | ({f"{door}_{name}_{key}"} if door != "agent" else set())
    for found in (m.conflicts(), m.sweep()):
        found = {c["slot_key"][1] for c in found}
        assert found == want, found ^ want


def test_who_overtook_an_open_status_is_told(m):
    first, other = "2026-03-02T09:00:00Z", "2026-03-04T15:30:00Z"
    m.facts(state("kiln_status", "firing", id="s1", source="mara", created_at=first),
            state("kiln_status", "cold", id="s2", source="ben", created_at=other))
    c, = m.sweep()
    m.facts(state("kiln_status", "cold", id="s3", source="mara", created_at="2026-03-05T10:00:00Z"))
    m.sweep()
    told = m.run("conflicts", "show", c["id"], "--format", "json").json()
    assert not told["disputed"] and told["settled_by"] == "project_state:s3", told
    assert "it is a later status by the same author" in m.run("explain", c["id"]).out


if __name__ == "__main__":
    main(globals())
