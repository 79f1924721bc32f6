#!/usr/bin/env python3
"""Links between rows: drawn, walked, exported, shown; reflection; in stores of other programs."""
import json
import re
import sqlite3

from harness import *
from mcp_kit import Agent


def mirror(m, *more):
    m.facts(*(memory(f"run {i} failed", "episodic", id=f"m{i}") for i in range(4)), entity("Note", {}, id="n1", name="Door"), *more)


def told(m, *args):
    return m.run(*args, "--format", "json").json()


def links(m):
    return [(x["src"], x["rel"], x["dst"]) for x in map(json.loads, m.run("export").out.splitlines()) if x["kind"] == "link"]


def near(m, row, *args):
    return [(x["row"], x["rel"], x["direction"]) for x in told(m, "neighbors", row, *args)["neighbors"]]


def test_link_walk_unlink(m):
    mirror(m)
    r = m.run("link", "m0", "m1", "--rel", "refines", "--notes", "seen twice")
    assert r.out == "linked: memory:m0 refines memory:m1\n" and r.err == "", (r.out, r.err)
    assert m.run("link", "m0", "m1", "--rel", "refines").out == "linked already: memory:m0 refines memory:m1\n"
    r = m.run("link", "m2", "m0", "--rel", "exampel_of")
    assert "did you mean 'example_of'?" in r.err and links(m)[-1] == ("memory:m2", "exampel_of", "memory:m0"), r.err
    m.run("link", "m1", "entity:n1", "-n")
    m.run("link", "m1", "entity:n1")
    r = m.run("link", "m1", "project_state:gone")
    assert "dangles" in r.err, r.err
    assert re.sub(r"\d{4}-\d\d-\d\d", "DAY", m.run("neighbors", "m0", "--depth", "2").out).splitlines() == [
        "memory:m0 (episodic)  run 0 failed", "  refines (tester, DAY) memory:m1 (episodic)  run 1 failed", "    related (tester, DAY) entity:n1 (Note)  Door",
        "  <- exampel_of (tester, DAY) memory:m2 (episodic)  run 2 failed", "dangling, there is no such row: project_state:gone"]
    assert near(m, "m1", "--direction", "in") == [("memory:m0", "refines", "in")]
    assert near(m, "m1", "--rel", "refined_by,own", "--direction", "out") == [("memory:m0", "refines", "in")]
    assert near(m, "m1", "--rel", "refines", "--direction", "out") == []
    got = told(m, "subgraph", "m0", "--depth", "3", "--cap", "1")
    assert got["cut"] and [x["row"] for x in got["nodes"]] == ["memory:m0", "memory:m1"], got
    assert got["edges"] == [{"src": "memory:m0", "dst": "memory:m1", "rel": "refines"}], got
    for args, why in ((("link", "m0", "m0"), "no link to itself"), (("link", "m0", "m9"), "there is none"), (("neighbors", "m9"), "there is none"),
                      (("neighbors", "m0", "--depth", "0"), "1 to 100"), (("subgraph", "m0", "--direction", "up"), "out, in or both")):
        m.fails(*args, has=why)
    assert m.run("unlink", "m0", "m1").out == "unlinked: memory:m0 refines memory:m1\n"
    assert m.run("unlink", "m0", "m1").out == "No such link.\n"
    lines = m.sql("SELECT verb, actor, ref, why FROM journal WHERE verb IN ('link', 'unlink') ORDER BY seq")
    assert lines[0] == ("link", "tester", "link:memory:m0 memory:m1 refines", "seen twice") and lines[-1][:1] == ("unlink",) and len(lines) == 5, lines


def test_a_link_says_who_drew_it(m):
    """At each door; of one that was taken away and drawn again, who did last; of a relation its record says it."""
    mirror(m, {"kind": "link", "src": "m0", "dst": "memory:m1", "rel": "related"}, {"kind": "relation", "id": "r1", "type": "PART_OF", "from": "n1", "to": "n1"})
    m.run("link", "m0", "m2", "--by", "ana")
    m.run("unlink", "m0", "m2", "--by", "ana")
    m.run("link", "m0", "m2", "--by", "kim")
    m.run("unlink", "m0", "m1", "--by", "ana")
    m.run("link", "m3", "entity:n1", "--by", "gull")
    drawn = lambda got: [(x["row"], x.get("drawn_by"), x.get("drawn_at", "")[:2]) for x in got["neighbors"]]
    first = drawn(told(m, "neighbors", "m0"))
    assert first == [("memory:m2", "kim", "20")] and drawn(told(m, "neighbors", "n1")) == [("memory:m3", "gull", "20")], first
    with Agent(m) as a:
        assert drawn(a.call("get", row="m0", links=True)) == first
    m.run("supersede", "m2", "m3", "--by", "kim")
    assert ("memory:m3", "kim", "20") in drawn(told(m, "neighbors", "m2"))


def test_a_superseded_row_is_linked_and_restored(m):
    mirror(m, memory("the flow is 1", id="a"), memory("the flow is 2", id="b"))
    before = m.run("export").out
    for notes in ((), ("--notes", "measured")):
        m.run("supersede", "a", "b", *notes)
        assert links(m) == [("memory:b", "supersedes", "memory:a")]
        assert near(m, "a") == [("memory:b", "supersedes", "in")]
        m.run("build")
        page = [t.decode() for p, t in m.site_bytes("site") if p.endswith(".md") and b"the flow is 2" in t]
        assert page and not [t for t in page if "(supersedes):" in t], "it is said twice"
        m.run("restore", "a")
        assert links(m) == []
    m.run("supersede", "a", "b", "--dry-run")
    assert links(m) == []
    text = "".join(x + "\n" for x in m.run("export").out.splitlines() if '"kind":"relation"' not in x)
    assert [x for x in text.splitlines() if '"id":"a"' in x] == [x for x in before.splitlines() if '"id":"a"' in x]


def test_relations_are_walked_as_links(m):
    """At every door: active ones, each end once, by their type, and an end that is not there dangles."""
    def tie(id, type, a, b, **kw):
        return {"kind": "relation", "id": id, "type": type, "from": a, "to": b, **kw}
    m.facts(*(entity("Part", {}, name, id=name) for name in ("lid", "box", "rack")), memory("The box is on the rack.", id="m1"), tie("r1", "PART_OF", "lid", "box"), tie("r2", "PART_OF", "box", "rack"),
            tie("r3", "REQUIRES", "lid", "rack", status="invalid"), tie("r4", "PART_OF", "lid", "box", valid_from="2020"), tie("r5", "REQUIRES", "lid", "gone"), tie("r6", "REQUIRES", "lid", "rack", status="candidate"),
            {"kind": "link", "src": "memory:m1", "dst": "entity:box", "rel": "related"})
    assert near(m, "entity:lid") == [("entity:box", "PART_OF", "out")] and told(m, "neighbors", "entity:lid")["dangling"] == ["entity:gone"]
    assert near(m, "box") == [("entity:rack", "PART_OF", "out"), ("entity:lid", "PART_OF", "in"), ("memory:m1", "related", "in")]
    assert near(m, "box", "--rel", "PART_OF", "--direction", "in") == [("entity:lid", "PART_OF", "in")] and near(m, "box", "--rel", "REQUIRES") == []
    assert [n for n, _, _ in near(m, "lid", "--depth", "3")] == ["entity:box", "entity:rack", "memory:m1"]
    assert [(e["src"], e["rel"], e["dst"]) for e in told(m, "subgraph", "lid", "--depth", "2")["edges"]] == [
        ("entity:box", "PART_OF", "entity:rack"), ("entity:lid", "PART_OF", "entity:box"), ("memory:m1", "related", "entity:box")]
    with Agent(m) as a:
        assert [x["row"] for x in a.call("get", row="box", links=True)["neighbors"]] == ["entity:rack", "entity:lid", "memory:m1"]
        assert a.call("neighbors", memory_id="entity:lid", rel="PART_OF")["count"] == 1


def test_a_summary_contradicts_no_source(m):
    """Also where the sources say of a slot what the summary denies."""
    m.facts(project("p05", "p5"), memory("30 ms", "episodic", id="s1", slot_rule="camera exposure"), memory("the door was open", "episodic", id="s2", project="p5"),
            memory("it is warm", "knowledge", id="k"))
    out = m.run("reflect", "--ids", "s1", "s2", "--text", "40 ms", "--id", "sum", "-n").out
    assert out.startswith("dry run, would be added: memory:sum\n") and links(m) == [], out
    out = m.run("reflect", "--ids", "s1", "s2", "--text", "40 ms", "--id", "sum", "--type", "preference").out
    assert out == "added: memory:sum\n  derived_from memory:s1, superseded\n  derived_from memory:s2, superseded\n", out
    m.run("edit", "sum", "--set", "slot_rule=camera exposure")
    assert m.sweep() == []
    rows = {x.get("id"): x for x in map(json.loads, m.run("export").out.splitlines())}
    assert rows["s1"]["status"] == rows["s2"]["status"] == "superseded" and rows["s1"]["superseded_by"] == "sum" and rows["s1"]["content"] == "30 ms"
    assert rows["sum"]["project"] == "p05" and rows["sum"]["memory_type"] == "preference", rows["sum"]
    assert near(m, "sum", "--rel", "derived_from") == [("memory:s1", "derived_from", "out"), ("memory:s2", "derived_from", "out")]
    # an event claims nothing, also when it comes back; as a fact it would be a dispute
    m.run("restore", "s1")
    assert m.sweep() == []
    m.run("edit", "s1", "--set", "memory_type=preference")
    assert len(m.sweep()) == 1
    m.run("edit", "s1", "--set", "memory_type=episodic")
    m.fails("reflect", "--ids", "k", "--text", "x", has="no episodic memory")
    m.fails("reflect", "--ids", "s2", "--text", "x", has="it is superseded by memory:sum")
    m.fails("reflect", "--ids", "s1,s1", "--text", "x", has="named twice")
    m.fails("reflect", "--ids", "s1", has="text: it is missing")
    m.fails("reflect", "--text", "x", has="no memory is named")


def test_hard_reflection_leaves_the_ids(m):
    m.facts(memory("the password is hunter2zebra", "episodic", id="s1"), memory("door code 99887766", "episodic", id="s2"), memory("elsewhere", "episodic", id="s3", project="p06"))
    m.fails("reflect", "--ids", "s1,s2", "--text", "Two codes leaked", "--hard", has="reason")
    m.fails("reflect", "--ids", "s1,s3", "--text", "Two codes leaked", has="project")
    assert links(m) == [] and b"hunter2zebra" in m.read("hmirror.db")
    got = told(m, "reflect", "--ids", "s1,s2", "--text", "Two codes leaked", "--hard", "--reason", "raw logs", "--id", "sum")
    assert got["redacted"]["rows"] == ["memory:s1", "memory:s2"] and got["redacted"]["compacted"], got
    rows = {x.get("id"): x for x in map(json.loads, m.run("export").out.splitlines())}
    for id in ("s1", "s2"):
        assert rows[id]["status"] == "superseded" and rows[id]["superseded_by"] == "sum" and "raw logs" in rows[id]["content"], rows[id]
    for secret in (b"hunter2zebra", b"99887766"):
        assert secret not in m.read("hmirror.db"), secret
    assert [x[0] for x in near(m, "sum", "--rel", "derived_from")] == ["memory:s1", "memory:s2"]


def test_links_travel(m):
    mirror(m)
    m.run("link", "m0", "m1", "--rel", "my own \u2192 word")
    m.run("link", "m0", "n1")
    m.run("reflect", "--ids", "m2,m3", "--text", "Doors open")
    text = m.run("export").out
    other = Mirror()
    try:
        other.write("all.jsonl", text)
        other.run("init")
        other.run("import", "all.jsonl")
        assert other.run("export").out == text
        assert ", 0 added, 0 updated" in other.run("import", "all.jsonl").out.replace(":", ",")
        other.run("unlink", "m0", "n1")
        without = other.run("export").out
        assert len(without.splitlines()) == len(text.splitlines()) - 1
        assert ", 0 added, 0 updated" in other.run("import", "all.jsonl").out.replace(":", ",")
        assert other.run("export").out == without, "an import brought back what somebody removed"
        other.run("link", "m0", "n1")
        assert other.run("export").out == text
    finally:
        other.close()


def test_what_is_excluded_is_linked_with_nothing(m):
    mirror(m, memory("the vault code", "episodic", id="secret", tags=["private"]))
    m.run("link", "m0", "secret", "--rel", "refines")
    m.run("link", "secret", "n1", "--rel", "zanzibar")
    m.run("link", "m1", "n1", "--rel", "example_of")
    m.run("build")
    shown = b"".join(t for p, t in m.site_bytes("site"))
    assert b"refines" in shown and b"zanzibar" in shown and b"vault" in shown
    m.write("mirror.yml", "title: t\npublish:\n  exclude:\n    tags: [private]\n")
    m.run("build")
    shown = b"".join(t for p, t in m.site_bytes("site") if not p.startswith("assets"))
    assert b"example_of" in shown and not [w for w in (b"zanzibar", b"vault", b"refines", b"secret") if w in shown]
    m.run("check")


def test_many_links_say_that_there_are_more(m):
    mirror(m)
    m.facts(*(memory(f"event {i}", "episodic", id=f"e{i:02}") for i in range(30)), *({"kind": "link", "src": "entity:n1", "dst": f"memory:e{i:02}", "rel": "related"} for i in range(30)), name="more.jsonl")
    m.run("build")
    page, = [t.decode() for p, t in m.site_bytes("site") if p.endswith("entities/note.md")]
    assert page.count("Linked to (related):") == 20 and "hmirror neighbors lists them all" in page, page
    assert len(near(m, "n1")) == 30


def test_links_of_a_foreign_store(m):
    """Theirs are read; ours stand in the review file."""
    m.write("mirror.yml", "title: t\nstore: theirs.db\nreview: review.db\n")
    db = sqlite3.connect(m.path("theirs.db"))
    db.executescript("CREATE TABLE memories(id TEXT, memory_type TEXT, content TEXT); CREATE TABLE links(src TEXT, dst TEXT, rel TEXT);"
                     "INSERT INTO memories VALUES ('a', 'episodic', 'one'), ('b', 'episodic', 'two'), ('c', 'episodic', 'three');"
                     "INSERT INTO links VALUES ('a', 'memory:b', 'refines')")
    db.commit()
    db.close()
    before = m.read("theirs.db")
    assert near(m, "a") == [("memory:b", "refines", "out")]
    m.run("link", "b", "c", "--rel", "example_of")
    m.run("link", "a", "b", "--rel", "refines")
    assert near(m, "a", "--depth", "2") == [("memory:b", "refines", "out"), ("memory:c", "example_of", "out")]
    assert near(m, "c") == [("memory:b", "example_of", "in")]
    m.run("build")
    assert any(b"example_of" in t for p, t in m.site_bytes("site") if p.endswith(".md"))
    m.run("unlink", "b", "c")
    assert near(m, "b", "--direction", "out") == []
    m.fails("unlink", "a", "b", has="belongs to another program")
    m.fails("reflect", "--ids", "a,b", "--text", "x", has="another program")
    assert m.read("theirs.db") == before


def test_an_older_store_is_read(m):
    """Without the index, and by reading alone: nothing is written."""
    mirror(m)
    m.run("link", "m0", "m1")
    m.sql("DROP INDEX links_dst")
    before = m.read("hmirror.db")
    assert near(m, "m1") == [("memory:m0", "related", "in")]
    assert m.read("hmirror.db") == before


if __name__ == "__main__":
    main(globals())
