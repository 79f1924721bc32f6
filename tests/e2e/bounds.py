#!/usr/bin/env python3
"""Every tool and every GET over a store in which everything is too much: each answer within the bytes of its door, and who follows `next`
to the end has each element once. What is asked is a table; a tool or GET that has no line in it fails here."""
import urllib.parse

from harness import *
from mcp_kit import Agent, answer_of
from server import Server

VALUES, BYTES, CONFLICTS, SOURCES, RELATIONS = (2000, 900000, 50000, 3000, 5000) if THOROUGH else (200, 150000, 150, 400, 300)
LONG = "x" * 4000   # of an id, and of a key
MOST = {"mcp": 32 << 10, "http": 1 << 20}
ROWS = ["memory:m0001", "project_state:curated", "entity:hub", "relation:r7", "memory:long", "memory:sourced", "memory:a" + LONG, "project_state:k1"]


def too_much(m):
    """The ids by which the tables below name what is there."""
    m.facts(project("p05-interferometer", "p05"), state("spindle_speed", "45 rpm", id="curated"),
            *(memory(f"The spindle speed is {1000 + i} rpm.", id=f"m{i:04}", project="p05", source_refs=[f"log {i}", f"chat {i}"]) for i in range(VALUES)),
            memory("The lid is red, " + "é" * (BYTES // 2), id="long", project="p05"), *(state(f"mass of pump {i}", f"{v} kg", id=f"s{i}-{v}") for i in range(CONFLICTS) for v in (1, 2)),
            memory("The mill was sold.", id="sourced", project="p05", source_refs=[f"letter {i}" for i in range(SOURCES)]),
            entity("Component", {"frame_mass": "5 kg"}, "Hub", id="hub", project="p05"), *(entity("Part", {}, f"Part {i}", id=f"part{i}", project="p05") for i in range(RELATIONS)),
            *({"kind": "relation", "id": f"r{i}", "type": "PART_OF", "from": f"part{i}", "to": "hub", "project": "p05"} for i in range(RELATIONS)),
            *(memory(f"The lamp colour is {c}.", id=i + LONG, project="p05") for i, c in (("a", "red"), ("b", "blue"))), *(state(f"key {LONG}", f"{i} kg", id=f"k{i}") for i in (1, 2)),
            *({"kind": "link", "src": "memory:sourced", "dst": f"memory:m{i:04}", "rel": "related"} for i in range(VALUES)))
    m.run("sweep")
    found = {len(c["members"]): c["id"] for c in m.conflicts()}
    of = {c["members"][0]["member_id"]: c["id"] for c in m.conflicts()}
    return {"row": ROWS, "conflict": [found[VALUES + 1], of["a" + LONG], of["k1"]], "finding": [m.run("findings", "--format", "json").json()["findings"][0]["id"]]}


TOOLS = {
    "recall": [{"query": "spindle speed", "k": 1000}, {"query": "lid red"}, {"query": "lamp colour", "any": True, "k": 50}, {"query": "part hub", "expand": ["*"], "cap": 1000, "k": 100}],
    "context": [{"task": "spindle speed lid lamp part hub", "tokens": 8000}], "get": [{"row": "{row}"}, {"row": "{row}", "links": True}],
    "list": [{"kind": k, "status": "all", "limit": 1000} for k in ("memory", "entity", "project_state", "relation")] +
            [{"kind": k} for k in ("finding", "orphan", "anachronism", "ontology_violation", "rule", "project")],
    "remember": [{"text": "The spindle speed is 13 rpm.", "project": "p05"}, {"text": "The lamp colour is green.", "project": "p05"}, {"text": "The lid is red, " + "z" * (BYTES // 2), "project": "p05"},
                 {"type": "Component", "name": "Hub two", "properties": {"frame_mass": "6 kg"}, "project": "p05"}, {"text": "The spindle speed is 13 rpm.", "project": "p05", "policy": "raise"}],
    "edit": [{"row": "memory:a" + LONG, "text": "x"}], "relate": [{"from": "hub", "type": "PART_OF", "to": "part1", "project": "p05"}],
    "check": [{"text": "The spindle speed is 12 rpm.", "project": "p05"}, {"row": "{row}"}, {"scope": "all"}, {"scope": "entity:hub"}],
    "conflicts": [{}, {"limit": 1000}, {"subject": "spindle_speed"}, {"source": "letter 1"}, {"id": "{conflict}"}, {"id": "{conflict}", "explain": True}, {"id": "{finding}"}],
    "report_contradiction": [{"rows": ["memory:a" + LONG, "memory:long"], "question": "q" * 300, "why": "w" * 9000}],
    "not_a_contradiction": [{"rows": ["memory:a" + LONG, "memory:sourced"], "why": "w"}], "review_next": [{"limit": 100}], "link": [{"src_id": "memory:a" + LONG, "dst_id": "memory:long"}],
    "health": [{}], "add_entity": [{"type": "Component", "name": "Hub three", "properties": {"frame_mass": "6 kg"}, "project": "p05"}],
    "unlink": [{"src_id": "memory:a" + LONG, "dst_id": "memory:long", "rel": "related"}], "neighbors": [{"memory_id": "{row}", "depth": 3}],
    "find_conflicts": [{"text": "The spindle speed is 12 rpm.", "project": "p05"}, {"memory_id": "{row}"}], "list_conflicts": [{"status": "all", "limit": 1000}], "get_conflict": [{"id": "{conflict}"}],
    "explain_conflict": [{"id": "{conflict}"}], "get_contradictions": [{}, {"subject": "spindle_speed"}], "get_anachronisms": [{}], "get_ontology_violations": [{}], "get_orphans": [{}],
    "flag_for_review": [{"node_id": "memory:a" + LONG, "reason": "r"}], "explain_violation": [{"node_id": "{finding}"}, {"node_id": "{conflict}"}],
    "run_consistency_check": [{}, {"scope": "project:p05"}], "latest_run": [{}], "list_ontology_rules": [{}], "supersede": [{"old_id": "memory:a" + LONG, "new_id": "memory:b" + LONG}],
    "restore": [{"memory_id": "memory:a" + LONG}]}
GETS = {
    "/alike": "?row={row}", "/context": "?tokens=8000&task=spindle%20lid", "/pairs": "?limit=100", "/conflicts": "?status=all", "/conflicts/{id}": "/{conflict}",
    "/conflicts/{id}/explain": "/{conflict}/explain", "/entities/{type}/{id}": "/component/hub", "/memory/{id}": "/long", "/project/state/{id}": "/k1", "/relations/{id}": "/r7", "/evidence/{row}": "/{row}",
    "/impact/{row}": "/{row}", "/neighbors/{row}": "/{row}?depth=3", "/subgraph/{row}": "/{row}?depth=3", "/findings": "", "/findings/{id}/explain": "/{finding}/explain", "/health": "",
    "/query/{name}": "/decisions", "/projects": "", "/recall": "?k=1000&any=true&query=spindle%20lid%20part", "/rows": "?status=all&limit=1000", "/rows/{row}": "/{row}", "/rules": "",
    "/sweeps/latest": "", "/openapi.json": ""}


def filled(words, ids, quote=lambda x: x):
    """The call, for each id that it names."""
    text = json.dumps(words)
    for name, values in ids.items():
        if "{" + name + "}" in text:
            return [json.loads(text.replace("{" + name + "}", quote(v))) for v in values]
    return [words]


def identity(x):
    """What tells an element of a list from the others of it."""
    known = x.get("ref") or x.get("id") or x.get("row") or x.get("member_id") if isinstance(x, dict) else x
    return json.dumps([known, x.get("field"), x.get("source"), x.get("rel")] if isinstance(x, dict) else x)


def walk(name, page, ask):
    """Follows `next`: the list that goes on has each element once, and as many as the first page told. How many pages."""
    if "next" not in page:
        return 0
    key, _, number = page["next"].rpartition(":")
    by_number = key in page and number.isdigit()
    key = key if by_number else next(k for k, v in page.items() if isinstance(v, list))
    seen, n = [identity(x) for x in page[key]], 1
    told = len(seen) + page["left_out"][key] if by_number else None
    while "next" in page:
        page = ask(page["next"])
        seen += [identity(x) for x in page[key]]
        n += 1
    assert len(seen) == len(set(seen)), (name, key, "an element twice")
    assert told in (None, len(seen)), (name, key, len(seen), told)
    return n


def test_every_tool(m):
    ids = too_much(m)
    with Agent(m, "--agent", "claude", "--tools", "all") as a:
        tools = {t["name"] for t in a.tools()}
        assert tools == set(TOOLS), tools ^ set(TOOLS)
        pages = 0
        for tool, call in ((t, w) for t, calls in TOOLS.items() for c in calls for w in filled(c, ids)):
            def ask(cursor=None):
                a.say({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": {**call, **({"cursor": cursor} if cursor else {})}}})
                line = a.lines.get(timeout=HANGS)
                assert len(line) <= MOST["mcp"], (tool, str(call)[:80], len(line))
                return json.loads(line)["result"]
            r = ask()
            assert sum(len(c["text"]) for c in r["content"]) < 600 or r["isError"], (tool, "its sentence is long")
            if not r["isError"]:
                pages += walk((tool, str(call)[:80]), answer_of(r), lambda cursor: answer_of(ask(cursor)))
        assert pages > 50, pages


def test_every_get(m):
    ids = too_much(m)
    with Server(m, "--api-only") as s:
        paths = {p for p, x in s.get("/openapi.json").json()["paths"].items() if "get" in x}
        assert paths == set(GETS), paths ^ set(GETS)
        for path in (w for p, rest in GETS.items() for w in filled(p.split("/{")[0] + rest, ids, urllib.parse.quote)):
            def ask(cursor=None):
                got = s.get(path + (f"{'&' if '?' in path else '?'}after={urllib.parse.quote(cursor)}" if cursor else ""))
                assert len(got.body) <= MOST["http"], (path[:80], len(got.body))
                return got.json()
            walk(path[:80], ask(), ask)


if __name__ == "__main__":
    main(globals())
