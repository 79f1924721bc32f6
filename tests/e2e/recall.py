#!/usr/bin/env python3
"""Recall: what is found, in which order, with what beside it; from the command and over HTTP."""
import math
import os
import urllib.parse

from harness import *
from server import Server

import foreign

CLOCK = "2026-03-01T00:00:00Z"
NAMES = ("likeness", "lexical", "recency", "importance")


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
    assert first.err == m.run("recall", "which linter do we use").err == "", first.err
    assert refs(ask(m, "linting Python"))[0] == "ruff"
    for mode in ((), ("--mode", "semantic"), ("--weights", "semantic=0,recency=0,importance=0")):
        assert refs(ask(m, "PR #441", *mode))[0] == "pr1", mode
    assert refs(ask(m, "gf-ptfe"))[0] == "pad" and refs(ask(m, "linter version"))[0] == "s1"
    hit = ask(m, "PR #441")["hits"][0]
    assert hit["layer"] == "memory" and hit["layer_trust"] == 1 and not hit["disputed"] and hit["links"] == [], hit
    text = m.run("recall", "PR #441", "-k", "1").out
    assert "memory:pr1" in text and "closes the leak" in text and "lexical 1.000" in text, text
    m.facts(state("glue", "epoxy", id="s2", category=None, created_at="2026-01-02T00:00:00Z"))
    head = m.run("recall", "glue", "-k", "1").out.split("\n")[0]
    assert head == "1. project_state:s2  p05, trust 3, 2026-01-02, facts-2.jsonl", head


def test_scores(m):
    linting(m)
    m.facts(note("future", "The parser is fast", last_accessed_at="2027-01-01T00:00:00Z"))
    a = ask(m, "parser speed", "--any", "-k", "20")
    assert a["weights"] == {"likeness": 0.55, "semantic": 0.55, "lexical": 0.2, "recency": 0.15, "importance": 0.1}
    for h in a["hits"]:
        assert abs(h["score"] - sum(a["weights"][n] * h["parts"][n] for n in NAMES)) < 1e-5, h
    parts = {h["ref"]: h["parts"] for h in a["hits"]}
    assert parts["memory:future"]["recency"] == 1 and abs(parts["memory:pr1"]["recency"] - 2.718281828 ** -5.9) < 1e-5
    assert parts["memory:ruff"]["importance"] == 0.8 and parts["memory:pr1"]["importance"] == 0.5
    assert max(p["lexical"] for p in parts.values()) == 1
    only = ask(m, "parser speed", "--any", "-k", "20", "--weights", "semantic=1,lexical=0,recency=0,importance=0")
    semantic = ask(m, "parser speed", "--any", "-k", "20", "--mode", "semantic")
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
    assert set(refs(ask(m, "ruff", "--any", "--type", "preference"))) == {"ruff", "tabs", "other"}
    assert set(refs(ask(m, "ruff", "--min-importance", "0.8"))) == {"ruff"}
    assert "other" not in refs(ask(m, "ruff", "--as-of", "2026-01-15", "-k", "20"))
    m.facts(note("window", "The deploy window is Friday", valid_from="2026-01-01", valid_until="2026-02-01"))
    assert refs(ask(m, "deploy window", "--as-of", "2026-01-15"))[0] == "window"
    assert "window" not in refs(ask(m, "deploy window", "-k", "20"))


def test_a_day_on_which_one_took_over_has_one_side(m):
    m.facts(note("first", "The harbour pilot is Ann", valid_from="2025-11-01", valid_until="2026-01-05"),
            note("next", "The harbour pilot is Bob", valid_from="2026-01-05"),
            note("once", "The harbour pilot is away", valid_from="2026-01-05", valid_until="2026-01-05"))
    for as_of, want in (("2026-01-04", {"first"}), ("2026-01-05", {"next", "once"}), ("2026-01-05T18:00:00Z", {"next", "once"}), ("2026-01-06", {"next"})):
        assert set(refs(ask(m, "harbour pilot", "--as-of", as_of))) == want, as_of


def test_superseded(m):
    gone = dict(status="superseded", superseded_at="2026-02-01T00:00:00Z")
    m.facts(project("p05"), note("a", "The gate code is 1111", superseded_by="b", **gone), note("b", "The door opens with 2222",
            superseded_by="c", **gone), note("c", "Entry needs a badge now", day="2026-02-01"), note("d", "Lunch is at noon"),
            note("x", "Circles lead nowhere", superseded_by="y", **gone), note("y", "Circles lead nowhere", superseded_by="x", **gone))
    assert refs(ask(m, "gate code 1111", "--any")) == ["c", "d"] and refs(ask(m, "gate code 1111")) == ["c"]
    assert refs(ask(m, "gate code 1111", "--include-superseded"))[0] == "a"
    assert refs(ask(m, "gate code 1111", "--as-of", "2026-01-15"))[0] == "a"
    hit = ask(m, "gate code 1111", "--include-superseded")["hits"][0]
    assert hit["superseded_by"] == "b" and hit["status"] == "superseded"


def test_nothing_fits(m):
    """A question about nothing that the store has is answered so, and not by what is nearest to nothing."""
    linting(m)
    m.facts(note("good", "The rig is in a good state since the time of the move"), note("zh", "\u8ba2\u5355\u6570\u636e\u5e93\u662f PostgreSQL"))
    for question in ("is the rucksack any good", "what time does the pool open", "how old is the dog", "\u5929\u6c14\u600e\u4e48\u6837"):
        assert ask(m, question)["hits"] == [] and "Nothing in the store fits" in m.run("recall", question).out, question
        assert ask(m, question, "--any")["hits"], question
    for question, first in (("which linter", "s1"), ("is the rig good", "good"), ("good time", "good"), ("\u6570\u636e\u5e93", "zh"), ("Pythn linting", "ruff")):
        assert refs(ask(m, question))[:1] == [first], (question, refs(ask(m, question)))


def test_disputed_and_links(m):
    m.facts(state("lateral_support_material", "GF-PTFE", "decision", id="s1"), decision("PEEK", id="e1"), note("m1", "PEEK is stiff"),
            note("m2", "Stiffness was measured in May"), note("m3", "The rig of May was calibrated"),
            {"kind": "link", "src": "memory:m1", "dst": "memory:m2", "rel": "derived_from"},
            {"kind": "link", "src": "memory:m2", "dst": "memory:m3", "rel": "relates_to"},
            {"kind": "link", "src": "memory:m3", "dst": "memory:m1", "rel": "relates_to"})
    m.run("sweep", code=None)
    c = m.conflicts()[0]["id"]
    answer = ask(m, "lateral support material", "--any", "-k", "20")
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
    m.sql("UPDATE memories SET content = 'Okapis hide' WHERE id = 'new'")
    assert refs(ask(m, "okapis"))[0] == "new" and ask(m, "okapis")["hits"][0]["parts"]["lexical"] == 1
    assert all(h["parts"]["lexical"] == 0 for h in ask(m, "quokkas", "-k", "20")["hits"]), "no row has that word now"


def test_conflicts_are_those_of_now(m):
    """What another program wrote is not swept yet: a hit has the conflict all the same."""
    linting(m)
    m.facts(state("burrow", "deep", id="s8"))
    m.sweep()
    assert not ask(m, "burrow", "-k", "1")["hits"][0]["disputed"]
    m.sql("INSERT INTO project_state (id, project, category, key, value) VALUES ('s9', 'p05', 'fact', 'burrow', 'shallow')")
    with Server(m) as s:
        for answer in (ask(m, "burrow", "-k", "20"), asked(s, query="burrow", k="20").json()):
            hits = {h["ref"]: h for h in answer["hits"] if h["disputed"]}
            ids = hits["project_state:s8"]["conflicts"]
            assert len(hits) == 2 and len(ids) == 1 and hits["project_state:s9"]["conflicts"] == ids, hits
            assert m.sql("SELECT count(*) FROM conflicts") == [(0,)]
    m.sweep()
    assert m.sql("SELECT id FROM conflicts") == [(ids[0],)]


def test_old_store(m):
    """A store of an older version is asked as it is; the next write takes its index of words out."""
    linting(m)
    m.sql("CREATE VIRTUAL TABLE recall_words USING fts5(text, content = '')")
    m.sql("CREATE TABLE recall_documents (document INTEGER PRIMARY KEY, layer INTEGER NOT NULL, id TEXT NOT NULL, hash INTEGER NOT NULL)")
    m.sql("PRAGMA user_version = 5")
    before = m.read("hmirror.db")
    assert refs(ask(m, "PR #441"))[0] == "pr1"
    assert m.read("hmirror.db") == before
    m.sweep()
    assert m.sql("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'recall_%'") == [(0,)]
    assert refs(ask(m, "PR #441"))[0] == "pr1"


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


def test_http(m):
    linting(m)
    with Server(m) as s:
        assert s.get("/recall?query=PR%20441&k=2&clock=" + CLOCK).json() == ask(m, "PR 441", "-k", "2")
        assert s.get("/recall?query=ruff&mode=semantic").json() == s.get("/recall?query=ruff&mode=likeness").json()
        assert s.get("/recall?query=ruff&mode=likeness").json()["mode"] == "likeness"
        assert s.get("/recall?k=2", 422).error()["field"] == "query"
        assert s.get("/recall?query=x&weights=semantic%3D0,lexical%3D0,recency%3D0,importance%3D0", 422).error()["field"] == "weights"
        assert s.get("/recall?query=x&project=nowhere", 404).error()["field"] == "project"
        s.post("/memory", {"memory_type": "knowledge", "project": "p05", "content": "Wombats dig"}, 201)
        assert s.get("/recall?query=wombats").json()["hits"][0]["text"] == "Wombats dig"


def asked(s, code=200, **options):
    return s.get("/recall?" + urllib.parse.urlencode({"clock": CLOCK, **options}), code)


def both(m, s, query, **options):
    """The answer of the command, which is that of HTTP; True stands for an option without a value."""
    args = [a for k, v in options.items() for a in (["--" + k.replace("_", "-").replace("k", "hits") if k == "k" else "--" + k.replace("_", "-")] + ([] if v is True else [v]))]
    told = ask(m, query, *args)
    assert asked(s, query=query, **{k: "true" if v is True else v for k, v in options.items()}).json() == told, options
    return told


REFUSED = [("k", "0", "1001", "-1", "x", "99999999999999999999", "5x"), ("mode", "exact", "Semantic"), ("min_importance", "-0.1", "1.1", "nan", "x", "1,0"),
           ("as_of", "soon", "2026-13-01"), ("clock", "yesterday",), ("overfetch", "0", "101", "x"), ("depth", "0", "11", "x"), ("cap", "0", "1001", "x"),
           ("weights", "lexical=-1", "lexical=nan", "lexical=inf", "lexical=1001", "lexical", "age=1", ",", "semantic=0,lexical=0,recency=0,importance=0")]


def test_each_option_refuses(m):
    linting(m)
    with Server(m) as s:
        for name, *values in REFUSED:
            option = {"k": "--hits"}.get(name, "--" + name.replace("_", "-"))
            for v in values:
                m.fails("recall", "ruff", option + "=" + v, has=option + ": ")
                r = s.get("/recall?" + urllib.parse.urlencode({"query": "ruff", "clock": CLOCK, name: v}), 422)
                assert r.error()["field"] == name, (name, v, r.json())
        m.fails("recall", "ruff", "--project", "nowhere", has="nowhere")
        assert asked(s, 404, query="ruff", project="nowhere").error()["field"] == "project"
        for bad in ({"query": ""}, {"query": "?!"}, {}):
            assert asked(s, 422, **bad).error()["field"] == "query"
        assert asked(s, 422, query="ruff", colour="red").error()["field"] == "colour"


def test_each_option(m):
    linting(m)
    m.facts({"kind": "project", "id": "p06", "name": "Polisher", "aliases": ["polish"]}, note("other", "Use ruff for linting", "preference", "p06", "2026-02-01", importance=1),
            note("window", "The deploy window is Friday", valid_from="2026-01-01", valid_until="2026-02-01"),
            note("old", "Use pylint for linting", status="superseded", superseded_by="ruff", superseded_at="2026-01-20T00:00:00Z", importance=0),
            note("gone", "Use ruff for nothing", status="invalid"), note("maybe", "Use ruff for something", status="candidate"))
    with Server(m) as s:
        asked(s, query="first")
        every = refs(both(m, s, "ruff for linting", k="1000", any=True))
        assert not {"old", "gone", "maybe", "window"} & set(every) and len(every) == 8, every
        assert len(refs(both(m, s, "ruff for linting", any=True))) == 5 and len(refs(both(m, s, "ruff", k="1"))) == 1
        assert refs(both(m, s, "ruff", type="PREFERENCE", k="1000")) and refs(both(m, s, "ruff", type="nothing")) == []
        assert refs(both(m, s, "ruff", tag="LINT")) == ["ruff"] and refs(both(m, s, "ruff", tag="nothing")) == []
        for name in ("p06", "polish", "Polisher", "P06"):
            assert refs(both(m, s, "ruff", project=name)) == ["other"], name
        assert refs(both(m, s, "ruff", min_importance="1")) == ["other"] and set(refs(both(m, s, "ruff", min_importance="0.8"))) == {"ruff", "other"}
        assert len(refs(both(m, s, "ruff", min_importance="0", k="1000", any=True))) == 8
        assert refs(both(m, s, "pylint linting", include_superseded=True))[0] == "old" and "old" not in refs(both(m, s, "pylint linting", k="1000"))
        assert refs(both(m, s, "pylint linting", as_of="2026-01-10"))[0] == "old", "it was not superseded yet"
        assert refs(both(m, s, "deploy window", as_of="2026-01-15"))[0] == "window"
        assert "window" not in refs(both(m, s, "deploy window", as_of="2026-02-02", k="1000")), "it ended the day before"
        assert refs(both(m, s, "ruff", as_of="1999-01-01")) == [] and both(m, s, "ruff", as_of="2026-01-15")["as_of"] == "2026-01-15T00:00:00Z"
        semantic = both(m, s, "ruff", mode="semantic", k="1000")
        assert all(h["score"] == h["parts"]["likeness"] for h in semantic["hits"]) and semantic["weights"]["lexical"] == 0
        assert both(m, s, "ruff", mode="hybrid") == both(m, s, "ruff")
        only = both(m, s, "ruff", weights="lexical=0, recency=0 ,importance=0,semantic=1", k="1000")
        assert [(h["ref"], h["score"]) for h in only["hits"]] == [(h["ref"], h["score"]) for h in semantic["hits"]]
        assert both(m, s, "ruff", weights="lexical=2")["weights"] == {"likeness": 0.55, "semantic": 0.55, "lexical": 2, "recency": 0.15, "importance": 0.1}
        one = both(m, s, "linter zebra", any=True, k="1", overfetch="1", weights="semantic=0,lexical=0,recency=0,importance=1")
        assert refs(both(m, s, "linter zebra", any=True, k="1", overfetch="100", weights="semantic=0,lexical=0,recency=0,importance=1")) == ["other"]
        assert refs(one) != ["other"], "a pool of one holds the nearest, not the most important"


def test_clock_sets_ages(m):
    m.facts(project("p05"), note("a", "Gate one", day="2026-01-01"), note("b", "Gate one", last_accessed_at="2026-02-27T00:00:00Z"),
            note("c", "Gate one", last_accessed_at="2030-01-01T00:00:00Z"), memory("Gate one", "knowledge", "p05", id="d"))
    recency = {h["ref"][7:]: h["parts"]["recency"] for h in ask(m, "gate", "-k", "9")["hits"]}
    assert recency["c"] == 1 and abs(recency["b"] - math.exp(-0.2)) < 1e-5 and abs(recency["a"] - math.exp(-5.9)) < 1e-5
    later = {h["ref"][7:]: h["parts"]["recency"] for h in ask(m, "gate", "-k", "9", "--clock", "2026-03-11T00:00:00Z")["hits"]}
    assert abs(later["b"] - math.exp(-1.2)) < 1e-5 and later["c"] == 1
    assert ask(m, "gate")["clock"] == CLOCK
    now = m.run("recall", "-q", "--format", "json", "gate", env={"SOURCE_DATE_EPOCH": "1772323200"}).json()
    assert now["clock"] == CLOCK and now["hits"] == ask(m, "gate")["hits"]


def test_ties(m):
    """Importance, then the newest, then the id; in any order of import."""
    rows = [note("z", "Gate one", day="2026-01-02"), note("b", "Gate one"), note("a", "Gate one"), note("y", "Gate one", day="2026-01-03", importance=0.4)]
    for turned in (rows, rows[::-1]):
        for name in ("hmirror.db", "hmirror.db-wal", "hmirror.db-shm"):
            if os.path.exists(m.path(name)):
                os.remove(m.path(name))
        m.facts(project("p05"), *turned)
        got = ask(m, "gate", "--weights", "semantic=1,lexical=0,recency=0,importance=0")
        assert refs(got) == ["z", "a", "b", "y"] and len({h["score"] for h in got["hits"]}) == 1, refs(got)


def test_every_hit_tells_all(m):
    linting(m)
    shape = {"ref", "layer", "layer_trust", "type", "project", "status", "text", "created_at", "superseded_by", "given_by", "given_at", "was", "disputed", "conflicts", "disputes", "disputed_inside", "findings", "links", "score", "parts"}
    for h in ask(m, "ruff parser pad", "-k", "100")["hits"]:
        assert shape <= set(h) <= shape | {"tags"} and set(h["parts"]) == {*NAMES, "semantic"}, h
        assert h["layer_trust"] == {"memory": 1, "entity": 2, "project_state": 3}[h["layer"]], h


def test_supersessions_are_links(m):
    """Rows that came in superseded, as an older program or an import has them; and a drawn link is the same one."""
    gone = dict(status="superseded", superseded_at="2026-02-01T00:00:00Z")
    m.facts(project("p05"), note("a", "The gate code is 1111", superseded_by="b", **gone), note("b", "The gate code is 2222", superseded_by="memory:c", **gone),
            note("c", "Badges open the gate", day="2026-02-01"), note("d", "Badges are blue"), {"kind": "link", "src": "memory:d", "dst": "memory:c", "rel": "refines"})
    before = m.read("hmirror.db")
    hit = ask(m, "badges open", "-k", "1", "--expand", "supersedes", "--depth", "5")
    assert hit["hits"][0]["links"] == [{"rel": "supersedes", "direction": "out", "ref": "memory:b"}, {"rel": "refines", "direction": "in", "ref": "memory:d"}], hit
    assert [(n["ref"], n["depth"], n["rel"], n["direction"], n["from"], n["score"]) for n in hit["neighbors"]] == \
        [("memory:b", 1, "supersedes", "out", "memory:c", 0.7), ("memory:a", 2, "supersedes", "out", "memory:b", 0.7)]
    assert m.sql("SELECT src FROM links") == [("memory:d",)] and before is not None
    assert ask(m, "badges open", "-k", "1", "--expand", "refines")["neighbors"] == [], "named words are followed as they say"
    assert [n["ref"] for n in ask(m, "badges open", "-k", "1", "--expand", "refined_by, supersedes")["neighbors"]] == ["memory:b", "memory:d"]
    assert {n["ref"] for n in ask(m, "badges open", "-k", "1", "--expand", "*", "--depth", "2")["neighbors"]} == {"memory:b", "memory:d", "memory:a"}
    assert "<- supersedes memory:c" in m.run("recall", "gate code 2222", "-k", "1", "--include-superseded").out
    assert [n["row"] for n in m.run("neighbors", "memory:c", "--rel", "supersedes", "--depth", "9", "--format", "json").json()["neighbors"]] == ["memory:b", "memory:a"]
    m.run("link", "memory:c", "memory:b", "--rel", "supersedes")
    assert ask(m, "badges open", "-k", "1", "--expand", "supersedes", "--depth", "5") == hit
    m.facts(note("e", "Keys open the gate"), *[{"kind": "link", "src": "memory:e", "dst": f"memory:{x}", "rel": "refines"} for x in "abcd"],
            *[note(f"n{i}", f"Number {i}") for i in range(4)], *[{"kind": "link", "src": "memory:e", "dst": f"memory:n{i}", "rel": "refines"} for i in range(4)])
    assert len(ask(m, "keys", "-k", "1", "--expand", "refines")["neighbors"]) == 5 and len(ask(m, "keys", "-k", "1", "--expand", "refines", "--cap", "1000")["neighbors"]) == 8


def test_diamond_and_cycle(m):
    m.facts(project("p05"), *[note(x, f"Gate {x} of the yard") for x in ("one", "two", "three", "four")],
            *[{"kind": "link", "src": f"memory:{a}", "dst": f"memory:{b}", "rel": "refines"}
              for a, b in (("one", "two"), ("one", "three"), ("two", "four"), ("three", "four"), ("four", "one"), ("one", "lost"))])
    got = ask(m, "gate one", "-k", "1", "--expand", "refines", "--depth", "10", "--cap", "1000")
    assert refs(got) == ["one"] and [(n["ref"], n["depth"]) for n in got["neighbors"]] == [("memory:three", 1), ("memory:two", 1), ("memory:four", 2)]


def test_only_touch_writes(m):
    linting(m)
    before = m.run("export").out
    with Server(m) as s:
        first = asked(s, query="PR 441", k="2").json()
        assert m.run("export").out == before
        rows = m.sql("SELECT count(*) FROM journal"), m.sql("SELECT number FROM swept")
        for mode in ("semantic", "hybrid"):
            asked(s, query="ruff", mode=mode, expand="*")
        assert (m.sql("SELECT count(*) FROM journal"), m.sql("SELECT number FROM swept")) == rows
        m.run("recall", "-q", "-k", "2", "PR 441", "--touch", "--by", "kim")
        again = asked(s, query="PR 441", k="2").json()
        assert [h["ref"] for h in again["hits"]] == [h["ref"] for h in first["hits"]] and all(h["parts"]["recency"] == 1 for h in again["hits"])
        assert m.run("export").out != before


def test_store_without_columns(m):
    """Another program's rows that know no importance, times, tags, status or successor."""
    foreign.make(m, "theirs.db", "CREATE TABLE notes (key TEXT PRIMARY KEY, body TEXT); INSERT INTO notes VALUES ('n1', 'Use ruff for linting'), ('n2', 'Paint it green');")
    m.write("mirror.yml", "store: theirs.db\nstore.map:\n  - {layer: memories, table: notes, columns: [id = key, content = body]}\n")
    before = m.read("theirs.db")
    got = ask(m, "ruff linting")
    assert refs(got)[0] == "n1" and got["hits"][0]["parts"]["importance"] == 0.5 and got["hits"][0]["parts"]["recency"] == 0
    assert refs(ask(m, "green", "--expand", "*"))[0] == "n2" and refs(ask(m, "green", "--min-importance", "0.6")) == []
    assert m.read("theirs.db") == before


def test_http_sees_every_change(m):
    """Whatever changes, and whoever changes it: a running server answers as a command that has just begun."""
    linting(m)
    m.facts(note("w", "Wombats dig"), note("v", "Wombats sleep", status="superseded", superseded_by="w"))
    m.sweep()
    changes = [lambda: None, lambda: m.run("edit", "memory:w", "--set", "content=Wombats dig deep"), lambda: m.run("link", "memory:w", "memory:ruff"),
               lambda: m.run("unlink", "memory:w", "memory:ruff"), lambda: m.facts(note("x", "Wombats graze", importance=0.9)), lambda: m.run("redact", "memory:x", "--reason", "x"),
               lambda: m.facts({"kind": "project", "id": "p05", "name": "Zoo", "aliases": ["zoo"]}), lambda: m.sql("UPDATE memories SET content = 'Wombats swim' WHERE id = 'w'"),
               lambda: m.sql("DELETE FROM memories WHERE id = 'tabs'"), lambda: m.sql("INSERT INTO links (src, dst, rel) VALUES ('memory:w', 'memory:pr1', 'refines')"),
               lambda: m.facts(state("burrow", "deep", id="s8"), state("burrow", "shallow", id="s9")), m.sweep, lambda: m.run("recall", "--rebuild", "wombats"),
               lambda: m.run("recall", "wombats", "--touch"), lambda: m.run("restore", "memory:v"), lambda: m.run("supersede", "memory:v", "memory:w")]
    with Server(m) as s:
        for i, change in enumerate(changes):
            change()
            for twice in range(2):
                for query in ("wombats", "burrow", "tabs"):
                    assert asked(s, query=query, k="20").json() == ask(m, query, "-k", "20"), (i, query)


if __name__ == "__main__":
    main(globals())
