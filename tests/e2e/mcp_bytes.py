#!/usr/bin/env python3
"""Answers are bounded in bytes, not rows: 32 KB over MCP, 1 MB over HTTP; what is missing is told, and can be asked for."""
import json

from harness import *
from mcp_kit import Agent
from server import Server

P05 = project("p05-interferometer", "p05")
MOST = 32 << 10   # the kit holds each line to it


def flooded(m, n=2000):
    """A slot in which somebody wrote n values, beside a curated one."""
    m.facts(P05, state("spindle_speed", "45 rpm", id="curated"), *(memory(f"The spindle speed is {1000 + i} rpm.", id=f"m{i:04}", project="p05") for i in range(n)))
    m.run("sweep")
    return m.conflicts()[0]["id"]


def line_of(a, tool, **arguments):
    """The answer, and its bytes as they came."""
    a.say({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
    line = a.lines.get(timeout=HANGS)
    return json.loads(line)["result"], len(line)


def test_a_slot_of_2000_values(m):
    c = flooded(m)
    with Agent(m) as a:
        for tool, arguments in (("conflicts", {}), ("conflicts", {"id": c}), ("conflicts", {"id": c, "explain": True}), ("get_conflict", {"id": c}), ("explain_conflict", {"id": c}),
                                ("list_conflicts", {"limit": 1000}), ("get_contradictions", {"subject": "spindle_speed"}), ("find_conflicts", {"memory_id": "m0001"}),
                                ("check", {"text": "The spindle speed is 12 rpm.", "project": "p05"}), ("check", {"scope": "all"}), ("get", {"row": "m0001"}), ("get", {"row": "curated"}),
                                ("recall", {"query": "spindle speed", "k": 1000}), ("list", {"kind": "memory", "limit": 1000}), ("list", {"kind": "finding", "limit": 1000}),
                                ("remember", {"text": "The spindle speed is 11 rpm.", "project": "p05"}), ("health", {}), ("review_next", {"limit": 100}), ("context", {"task": "spindle speed", "tokens": 8000}),
                                ("remember", {"text": "The spindle speed is 10 rpm.", "project": "p05", "policy": "raise"}), ("neighbors", {"memory_id": "m0001"})):
            r, n = line_of(a, tool, **arguments)
            assert n <= MOST, (tool, n)
            assert r["isError"] == (arguments.get("policy") == "raise"), r
            if tool in ("conflicts", "get_conflict", "remember", "recall", "list_conflicts"):
                assert n > MOST / 4 or tool == "context", (tool, n, "it is not cut more than it must be")
        members = a.pages("conflicts", "members", id=c)
        assert len(members) == 2002 and len({x["member_id"] for x in members}) == 2002 and members[0]["member_layer_trust"] == 3
        one = a.call("conflicts", id=c)
        assert one["left_out"]["members"] == 2002 - len(one["members"]) and one["next"] == f"members:{len(one['members'])}" and len(one["members"]) >= 20
        assert a.call("conflicts", id=c, cursor="members:2000")["members"][-1] == members[-1] and "next" not in a.call("conflicts", id=c, cursor="members:2000")
        assert a.call("conflicts", id=c, cursor="arc:5")["arc"]
        for cursor in ("members:2002", "members:0", "nothing:3", "members:x", "id:1", ":3", "members", c):
            e = a.refused("conflicts", id=c, cursor=cursor)
            assert e["field"] == "cursor", e
        page = a.call("conflicts")
        assert page["count"] == 1 and page["conflicts"][0]["left_out"]["members"] > 1900 and "next" not in page
        rows, page = [], {"next": None}
        for _ in range(3):   # of a list that goes on by ids
            page = a.call("list", kind="memory", **({"cursor": page["next"]} if page["next"] else {}))
            rows += page["rows"]
        assert [r["ref"] for r in rows] == sorted({r["ref"] for r in rows}) and len(rows) >= 12, len(rows)
        hits = a.pages("recall", "hits", query="spindle speed", k=60)
        assert len(hits) == len({h["ref"] for h in hits}) == 60
    with Agent(m, "--tools", "all") as a:
        assert a.call("conflicts", id=c)["next"].startswith("members:")
    with Server(m, "--api-only") as s:
        for path in ("/conflicts", f"/conflicts/{c}", f"/conflicts/{c}/explain", "/rows?limit=1000", "/recall?query=spindle&k=1000", "/findings", "/memory/m0001", "/rows/curated"):
            r = s.get(path)
            assert len(r.body) <= 1 << 20, (path, len(r.body))
        whole, at = [], f"/conflicts/{c}"
        while at:
            part = s.get(at).json()
            whole, at = whole + part["members"], f"/conflicts/{c}?after={part['next']}" if "next" in part else None
        assert [x["member_id"] for x in whole] == [x["member_id"] for x in members]
        assert s.get(f"/conflicts/{c}?after=members:9999", 404).error()["field"] == "after"
        one = {"memory_type": "knowledge", "project": "p05", "content": "The spindle speed is 9 rpm."}
        for r in (s.post("/memory?dry_run=true", one), s.post("/memory?policy=raise", one, 409), s.patch("/project/state/curated", {"value": "46 rpm"}), s.post("/sweeps", {}),
                  s.post(f"/conflicts/{c}/resolve?dry_run=true", {"resolution_notes": "x", "winner_member_id": "curated"})):
            assert len(r.body) <= 1 << 20, r.body[:200]


def test_long_texts(m):
    """A text is cut where it must be, at a sign, and says how much is missing; what fits is never cut."""
    text = "The lid is red, " + "é" * 20000 + "\\\"" * 4000 + "\u202e" * 2000
    m.facts(P05, memory(text, id="long", project="p05"), memory("The lid weighs 4 kg.", id="short", project="p05", tags=["x" * 30] * 50), *(
        entity("Part", {f"k{k}": "v" * 50 for k in range(900)}, f"Part {i}", id=f"e{i}", project="p05") for i in range(4)))
    with Agent(m) as a:
        got = a.call("get", row="long")["content"]
        assert got.startswith("The lid is red, ééé") and got.endswith("more bytes)") and len(got) < MOST
        cut = got[:got.rindex("… (")]
        assert text.startswith(cut) and f"({len(text.encode()) - len(cut.encode())} more bytes)" in got
        assert a.call("get", row="short")["tags"] == ["x" * 30] * 50
        e = a.call("get", row="e1")
        assert e["properties"]["left_out"]["members"] == 900 - (len(e["properties"]) - 1), e.keys()
        for tool, arguments in (("recall", {"query": "lid", "any": True}), ("list", {"kind": "memory"}), ("list", {"kind": "entity"}), ("remember", {"text": text + "."}),
                                ("check", {"row": "long"}), ("context", {"task": "lid", "tokens": 8000})):
            line_of(a, tool, **arguments)
            assert not a.ask("ping").get("error")
        big = a.result("resources/list")
        seen = ""
        pages = [x["uri"] for x in big["resources"] if "/entities/part" in x["uri"]]
        assert pages, big
        for uri in pages[:2]:
            while uri:
                one = a.result("resources/read", {"uri": uri})["contents"][0]["text"]
                more = re.search(r"\n\(\d+ more bytes: read (\S+)\)\n$", one)
                seen, uri = seen + (one[:more.start() + 1] if more else one), more and more[1]
            assert "k899" in seen and "k1" in seen
        a.fails(-32002, "resources/read", {"uri": "hmirror://page/README.md?from=99999999"})
        a.fails(-32002, "resources/read", {"uri": "hmirror://page/README.md?from=x"})


main(globals())
