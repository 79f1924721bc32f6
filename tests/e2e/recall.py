#!/usr/bin/env python3
"""Recall: what is found, in which order, with what beside it; from the command and over HTTP."""
from harness import *
from server import Server

import foreign

CLOCK = "2026-03-01T00:00:00Z"
NAMES = ("semantic", "lexical", "recency", "importance")


def note(id, content, type="knowledge", project="p05", day="2026-01-01", **kw):
    return memory(content, type, project, id=id, created_at=day + "T00:00:00Z", **kw)


def ask(m, *args, **kw):
    return m.run("recall", "-q", "--format", "json", "--clock", CLOCK, *args, **kw).json()


def refs(answer):
    return [h["ref"].split(":", 1)[1] for h in answer["hits"]]


def linting(m):
    m.facts(project("p05"), note("ruff", "Use ruff for linting the Python services", "preference", tags=["python", "lint"], importance=0.8),
            note("tabs", "Indent the Makefile with tabs", "preference"), note("pr1", "PR #441 closes the leak of the parser"),
            note("pr2", "PR #414 renames the parser"), note("pr3", "PR #1441 drops the parser"),
            state("linter", "ruff 0.6", id="s1", created_at="2026-01-01T00:00:00Z"),
            entity("Material", {"value": "GF-PTFE"}, name="Support pad", id="pad", created_at="2026-01-01T00:00:00Z"))


def test_finds(m):
    linting(m)
    first = m.run("recall", "which", "linter", "do", "we", "use")
    assert "building the index of words: 7 rows" in first.err, first.err
    assert m.run("recall", "which linter do we use").err == ""
    assert refs(ask(m, "linting Python"))[0] == "ruff"
    for mode in ((), ("--mode", "semantic"), ("--weights", "semantic=0,recency=0,importance=0")):
        assert refs(ask(m, "PR #441", *mode))[0] == "pr1", mode
    assert refs(ask(m, "gf-ptfe"))[0] == "pad" and refs(ask(m, "linter version"))[0] == "s1"
    hit = ask(m, "PR #441")["hits"][0]
    assert hit["layer"] == "memory" and hit["layer_trust"] == 1 and not hit["disputed"] and hit["links"] == [], hit
    text = m.run("recall", "PR #441", "-k", "1").out
    assert "memory:pr1" in text and "closes the leak" in text and "lexical 1.000" in text, text


def test_scores(m):
    linting(m)
    m.facts(note("future", "The parser is fast", last_accessed_at="2027-01-01T00:00:00Z"))
    a = ask(m, "parser speed", "-k", "20")
    assert a["weights"] == {"semantic": 0.55, "lexical": 0.2, "recency": 0.15, "importance": 0.1}
    for h in a["hits"]:
        assert abs(h["score"] - sum(a["weights"][n] * h["parts"][n] for n in NAMES)) < 1e-5, h
    parts = {h["ref"]: h["parts"] for h in a["hits"]}
    assert parts["memory:future"]["recency"] == 1 and abs(parts["memory:pr1"]["recency"] - 2.718281828 ** -5.9) < 1e-5
    assert parts["memory:ruff"]["importance"] == 0.8 and parts["memory:pr1"]["importance"] == 0.5
    assert max(p["lexical"] for p in parts.values()) == 1
    only = ask(m, "parser speed", "-k", "20", "--weights", "semantic=1,lexical=0,recency=0,importance=0")
    semantic = ask(m, "parser speed", "-k", "20", "--mode", "semantic")
    assert [(h["ref"], h["score"]) for h in only["hits"]] == [(h["ref"], h["score"]) for h in semantic["hits"]]
    assert ask(m, "parser speed") == ask(m, "parser speed")


def test_refused(m):
    linting(m)
    ask(m, "x")
    m.fails("recall", "x", "--weights", "semantic=0,lexical=0,recency=0,importance=0", has=("weights", "all of them are 0"))
    m.fails("recall", "x", "--weights", "cosine=1", has="weights")
    m.fails("recall", "x", "-k", "0", has="not a number from 1 to 1000")
    m.fails("recall", "?!", has="has no word")
    m.fails("recall", "x", "--mode", "exact", has="mode")
    m.fails("recall", "x", "--as-of", "soon", has="not a time")
    m.fails("recall", "x", "--project", "p06", has="p06")


def test_filters(m):
    linting(m)
    m.facts(project("p06"), note("other", "Use ruff for linting", "preference", "p06", "2026-02-01"))
    assert set(refs(ask(m, "ruff", "--project", "p06"))) == {"other"}
    assert set(refs(ask(m, "ruff", "--tag", "lint"))) == {"ruff"}
    assert set(refs(ask(m, "ruff", "--type", "preference"))) == {"ruff", "tabs", "other"}
    assert set(refs(ask(m, "ruff", "--min-importance", "0.8"))) == {"ruff"}
    assert "other" not in refs(ask(m, "ruff", "--as-of", "2026-01-15", "-k", "20"))
    m.facts(note("window", "The deploy window is Friday", valid_from="2026-01-01", valid_until="2026-02-01"))
    assert refs(ask(m, "deploy window", "--as-of", "2026-01-15"))[0] == "window"
    assert "window" not in refs(ask(m, "deploy window", "-k", "20"))


def test_superseded(m):
    gone = dict(status="superseded", superseded_at="2026-02-01T00:00:00Z")
    m.facts(project("p05"), note("a", "The gate code is 1111", superseded_by="b", **gone), note("b", "The door opens with 2222",
            superseded_by="c", **gone), note("c", "Entry needs a badge now", day="2026-02-01"), note("d", "Lunch is at noon"),
            note("x", "Circles lead nowhere", superseded_by="y", **gone), note("y", "Circles lead nowhere", superseded_by="x", **gone))
    assert refs(ask(m, "gate code 1111")) == ["c", "d"]
    assert refs(ask(m, "gate code 1111", "--include-superseded"))[0] == "a"
    assert refs(ask(m, "gate code 1111", "--as-of", "2026-01-15"))[0] == "a"
    hit = ask(m, "gate code 1111", "--include-superseded")["hits"][0]
    assert hit["superseded_by"] == "b" and hit["status"] == "superseded"


def test_disputed_and_links(m):
    m.facts(state("lateral_support_material", "GF-PTFE", "decision", id="s1"), decision("PEEK", id="e1"), note("m1", "PEEK is stiff"),
            note("m2", "Stiffness was measured in May"), note("m3", "The rig of May was calibrated"),
            {"kind": "link", "src": "memory:m1", "dst": "memory:m2", "rel": "derived_from"},
            {"kind": "link", "src": "memory:m2", "dst": "memory:m3", "rel": "relates_to"},
            {"kind": "link", "src": "memory:m3", "dst": "memory:m1", "rel": "relates_to"})
    m.run("sweep", code=None)
    c = m.conflicts()[0]["id"]
    answer = ask(m, "lateral support material", "-k", "20")
    hits = {h["ref"]: h for h in answer["hits"]}
    assert hits["project_state:s1"]["conflicts"] == [c] and hits["entity:e1"]["disputed"] and not hits["memory:m1"]["disputed"]
    assert {"rel": "derived_from", "direction": "out", "ref": "memory:m2"} in hits["memory:m1"]["links"]
    assert "disputed" in m.run("recall", "lateral support material").out
    one = ask(m, "PEEK is stiff", "-k", "1", "--expand", "derived_from")
    assert refs(one) == ["m1"] and [(n["ref"], n["depth"]) for n in one["neighbors"]] == [("memory:m2", 1)]
    all = ask(m, "PEEK is stiff", "-k", "1", "--expand", "*", "--depth", "3")
    assert sorted(n["ref"] for n in all["neighbors"]) == ["memory:m2", "memory:m3"]
    assert len(ask(m, "PEEK is stiff", "-k", "1", "--expand", "*", "--cap", "1")["neighbors"]) == 1


def test_writes_nothing(m):
    linting(m)
    ask(m, "ruff")
    before = m.read("hmirror.db")
    ask(m, "ruff")
    assert m.read("hmirror.db") == before
    m.run("recall", "-q", "-k", "1", "PR #441", "--touch", "--by", "kim")
    used = m.sql("SELECT id FROM memories WHERE last_accessed_at IS NOT NULL")
    assert [r[0] for r in used] == ["pr1"], used
    assert m.sql("SELECT actor, ref FROM journal WHERE verb = 'touch'") == [("kim", "memory:pr1")]


def test_changed_rows_are_found(m):
    linting(m)
    ask(m, "ruff")
    m.run("edit", "memory:tabs", "--set", "content=Zebras graze here")
    m.facts(note("new", "Quokkas hop there"))
    assert refs(ask(m, "zebras"))[0] == "tabs" and refs(ask(m, "quokkas"))[0] == "new"
    only = ("--weights", "semantic=0,recency=0,importance=0")
    with_index = ask(m, "tabs in the Makefile zebras", *only)
    m.sql("INSERT INTO recall_words (recall_words) VALUES ('delete-all')")
    m.sql("DELETE FROM recall_documents")
    assert ask(m, "tabs in the Makefile zebras", *only) == with_index


def test_old_store(m):
    """A store of an older version is asked as it is."""
    linting(m)
    ask(m, "ruff")
    m.sql("DROP TABLE recall_words")
    m.sql("DROP TABLE recall_documents")
    m.sql("PRAGMA user_version = 5")
    before = m.read("hmirror.db")
    assert refs(ask(m, "PR #441"))[0] == "pr1"
    assert m.read("hmirror.db") == before


def test_foreign_store(m):
    path = foreign.make(m, "theirs.db", foreign.ATOCORE)
    before = m.read("theirs.db")
    m.write("mirror.yml", "store: theirs.db\n")
    assert refs(ask(m, "lateral support material PEEK", "-k", "1")) == ["m1"]
    assert refs(ask(m, "who prefers small diffs"))[0] == "m2"
    assert m.read("theirs.db") == before
    m.fails("recall", "small diffs", "--touch", has="theirs.db")
    assert m.read("theirs.db") == before and path


def test_redacted(m):
    linting(m)
    m.facts(note("secret", "The token is hunter2hunter2"))
    ask(m, "token")
    assert b"hunter2" in m.read("hmirror.db")
    m.run("redact", "memory:secret", "--reason", "a secret")
    assert b"hunter2" not in m.read("hmirror.db")
    assert m.sql("SELECT count(*) FROM recall_documents") == [(0,)]


def test_http(m):
    linting(m)
    with Server(m) as s:
        assert s.get("/recall?query=PR%20441&k=2&clock=" + CLOCK).json() == ask(m, "PR 441", "-k", "2")
        assert s.get("/recall?query=ruff&mode=semantic").json()["mode"] == "semantic"
        assert s.get("/recall?k=2", 422).error()["field"] == "query"
        assert s.get("/recall?query=x&weights=semantic%3D0,lexical%3D0,recency%3D0,importance%3D0", 422).error()["field"] == "weights"
        assert s.get("/recall?query=x&project=nowhere", 404).error()["field"] == "project"
        s.post("/memory", {"memory_type": "knowledge", "project": "p05", "content": "Wombats dig"}, 201)
        assert s.get("/recall?query=wombats").json()["hits"][0]["text"] == "Wombats dig"


if __name__ == "__main__":
    main(globals())
