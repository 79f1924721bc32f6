#!/usr/bin/env python3
"""What texts say of each other over time: the cases of the specification, each with one that looks
like it, through the command. Several agents, days apart, where nothing else is said."""
from harness import *


def said(*texts, project="p05", **more):
    """Memories of several agents, days apart; a text may be (text, what else the row has)."""
    out = []
    for i, text in enumerate(texts):
        text, own = text if isinstance(text, tuple) else (text, {})
        out.append({"kind": "memory", "id": f"m{i}", "memory_type": "knowledge", "project": project,
                    "content": text, "agent": f"agent{i}",
                    "created_at": f"2026-03-{1 + 4 * i:02d}T10:00:{i:02d}Z", **more, **own})
    return out


def found(m, *records):
    """Each open conflict that is disputed: its kind, and its members' values by row."""
    m.facts(*records)
    m.run("sweep", code=None)
    return [(c["rule"].split("/1")[0], sorted((x["member_id"], x["value"]) for x in c["members"]))
            for c in m.conflicts() if c["disputed"]]


def values(m, *records):
    return [sorted(v for _, v in members) for _, members in found(m, *records)]


def stale(m):
    return [f for f in m.run("--format", "json", "findings", code=None).json()["findings"]
            if f["rule"] == "story/stale"]


def differ(m, a, b, **more):
    got = values(m, *said(a, b, **more))
    assert len(got) == 1 and len(got[0]) == 2, got


def agree(m, a, b, **more):
    got = values(m, *said(a, b, **more))
    assert got == [], got


def test_quantities(m): differ(m, "API timeout is 30 s", "API timeout is 60 s")
def test_one_quantity(m): agree(m, "API timeout is 30 seconds", "API timeout is 30000 ms")


def test_scope_is_the_subject(m):
    differ(m, ("Rate limit is 1,000 req/s", {"scope": "auth"}),
           ("Auth allows 5,000 req/s per IP", {"scope": "infra"}))


def test_other_scope(m):
    agree(m, ("Rate limit is 1,000 req/s", {"scope": "auth"}),
          ("Rate limit is 5,000 req/s", {"scope": "infra"}))


def test_connections(m): differ(m, "Max database connections is 50", "Max database connections is 200")
def test_other_bound(m): agree(m, "Max database connections is 50", "Min database connections is 5")
def test_versions_within_a_week(m): differ(m, "Service version is 1.0.0", "Service version is 2.0.0")


def test_versions_months_apart(m):
    agree(m, "Service version is 1.0.0", ("Service version is 2.0.0", {"created_at": "2026-06-01T10:00:00Z"}))


def test_switches(m): differ(m, "Debug mode is enabled", "Debug mode is disabled")
def test_other_switch(m): agree(m, "Debug mode is enabled", "Safe mode is disabled")
def test_other_attribute(m): agree(m, "Cache TTL is 60 s", "Session TTL is 3600 s")
def test_other_subject(m): agree(m, "Postgres port is 5432", "Redis port is 6379")
def test_rules_that_agree(m): agree(m, "Always test before commit", "Never commit without tests")
def test_use_not(m): agree(m, "Use ruff, not flake8", "Use ruff")
def test_use(m): differ(m, "Use ruff for linting", "Use flake8 for linting")
def test_no_claim(m): agree(m, "The user is planning a trip", "The user is married")


def test_exclusive_sets(m):
    differ(m, "The endpoint accepts JSON only", "The endpoint accepts JSON and XML")


def test_sets_that_add(m): agree(m, "The endpoint accepts JSON", "The endpoint also accepts XML")


REVERSAL = ("We use REST", "We switched to GraphQL", "The API is REST-based")


def test_reversal(m):
    got = found(m, *said(*REVERSAL))
    assert got == [("story/reversal", [("m0", "REST"), ("m1", "GraphQL"), ("m2", "REST-based")])], got
    c, = m.conflicts()
    assert c["question"].startswith("Is the API") and "p05" in c["question"] and c["question"].endswith("still REST?"), c["question"]
    assert [a["row"] for a in c["arc"]] == ["memory:m0", "memory:m1", "memory:m2"]
    assert [a["state"] for a in c["arc"]] == ["words", "return", "holds"], c["arc"]
    assert c["arc"][0]["overtaken_by"] == "memory:m1"
    assert c["question"] in m.run("explain", c["id"]).out


def test_decided_after_a_return(m):
    assert found(m, *said(*REVERSAL, "we decided: GraphQL, final")) == []


def test_settled_by_one_agent_ends_no_return(m):
    got = found(m, *said(*REVERSAL, ("We use gRPC", {"agent": "agent2"})))
    assert [k for k, _ in got] == ["story/reversal"], got


def test_a_way_forward(m):
    assert found(m, *said("We switched the cache to Redis", "We switched the cache to Memcached",
                          "We switched the cache to Valkey")) == []


def test_reversal_with_superseded_rows(m):
    got = found(m, *said(("We use REST", {"status": "superseded", "superseded_by": "m1"}),
                         ("We use GraphQL", {"status": "superseded", "superseded_by": "m2"}), "We use REST"))
    assert got == [("story/reversal", [("m0", "REST"), ("m1", "GraphQL"), ("m2", "REST")])], got


def test_superseded_rows_alone(m):
    assert found(m, *said(("We use REST", {"status": "superseded", "superseded_by": "m1"}), "We use GraphQL")) == []


def test_invalid_rows_tell_no_story(m):
    assert found(m, *said("We use REST", ("We switched to GraphQL", {"status": "invalid"}), "We use REST")) == []


def test_two_agents_in_minutes(m):
    differ(m, ("API timeout is 30 s", {"agent": "claude", "created_at": "2026-03-01T10:00:00Z"}),
           ("API timeout is 60 s", {"agent": "codex", "created_at": "2026-03-01T10:10:00Z"}))


def test_one_agent_in_minutes(m):
    agree(m, ("API timeout is 30 s", {"agent": "claude", "created_at": "2026-03-01T10:00:00Z"}),
          ("API timeout is 60 s", {"agent": "claude", "created_at": "2026-03-01T10:10:00Z"}))


def test_one_agent_later(m): agree(m, "API timeout is 30 s", "API timeout is 60 s", agent="claude")
def test_nobody_in_particular(m): differ(m, "API timeout is 30 s", "API timeout is 60 s", agent="")
def test_corrections(m): agree(m, "API timeout is 300 s", "API timeout is actually 120 s, not 300 s")


def test_an_imports_time_is_none(m):
    at = "2026-03-01T10:00:00Z"
    filler = [{"kind": "memory", "id": f"f{i}", "memory_type": "episodic", "project": "p05",
               "content": "x", "created_at": at} for i in range(9)]
    rows = said(("API timeout is 30 s", {"created_at": at}), "API timeout is 60 s", agent="claude")
    assert len(found(m, *rows)) == 0
    assert len(found(m, *filler)) == 1     # the tenth row of that second


def test_words_need_no_time(m):
    at = {"created_at": "2026-03-01T10:00:00Z"}
    filler = [{"kind": "memory", "id": f"f{i}", "memory_type": "episodic", "project": "p05",
               "content": "x", **at} for i in range(9)]
    rows = said(("API timeout is 30 s", at), ("API timeout is now 60 s", at),
                ("Retry limit is 4, not 3", at), ("Retry limit is 3", at),
                ("Pool size is now 8", at), ("Pool size is now 9", at), agent="")
    assert len(found(m, *rows, *filler)) == 1   # two that both say so
    named = [{**r, "agent": f"agent{i}"} for i, r in enumerate(rows[:2])]
    assert len(found(m, *named)) == 2           # who knows which agent was last?


STALE = ("Started the Postgres 17 migration", "The Postgres 17 migration is done on staging")


def test_stale(m):
    rows = said(("Postgres 14 is our database version", {"created_at": "2025-07-01T10:00:00Z"}), *STALE)
    assert found(m, *rows) == []
    f, = stale(m)
    assert f["kind"] == "stale" and f["rows"][0] == "memory:m0" and "still 14?" in f["message"], f


def stale_in_order(m, old, new):
    """The older row and the newer ones by these ids, in the order of the ids."""
    rows = said(("Postgres 14 is our database version", {"id": old, "created_at": "2025-07-01T10:00:00Z"}),
                *((text, {"id": id}) for id, text in zip(new, STALE)))
    found(m, *sorted(rows, key=lambda r: r["id"]))
    f, = stale(m)
    assert f["message"].startswith('"14" is the last word, and 2 newer rows speak of "17".') and "still 14?" in f["message"], f
    assert f["rows"] == [f"memory:{old}", *(f"memory:{id}" for id in sorted(new))] and f["actual"] == "17", f


def test_stale_names_the_older_row_first_where_it_was_stored_first(m): stale_in_order(m, "a", ["b", "c"])
def test_stale_names_the_older_row_first_where_it_was_stored_last(m): stale_in_order(m, "z", ["c", "b"])


def test_one_newer_row_is_not_enough(m):
    found(m, *said(("Postgres 14 is our database version", {"created_at": "2025-07-01T10:00:00Z"}), STALE[0]))
    assert stale(m) == []


def test_a_later_claim_is_not_stale(m):
    found(m, *said(*STALE, ("Postgres 17 is our database version", {"created_at": "2026-06-01T10:00:00Z"})))
    assert stale(m) == []


def test_the_last_word_meets_state(m):
    state = {"kind": "project_state", "id": "s1", "project": "p05", "category": "fact",
             "key": "API timeout", "value": "60 s"}
    assert found(m, state, *said("API timeout is 30 s", "API timeout is now 60 s")) == []
    got = found(m, {**state, "value": "90 s"})
    assert got == [("slot", [("m1", "60 s"), ("s1", "90 s")])], got


def test_settled_by_a_later_statement(m):
    assert len(found(m, *said("API timeout is 30 s", "API timeout is 60 s"))) == 1
    later, = said(("We decided: API timeout is 90 s, final", {"id": "m9", "agent": "dana"}))
    assert found(m, {**later, "created_at": "2026-05-01T10:00:00Z"}) == []
    c, = m.conflicts()
    assert c["status"] == "open" and not c["disputed"] and c["settled_by"] == "memory:m9", c
    assert "settled by a later statement" in m.run("conflicts", "list").out
    assert "Settled by a later statement" in m.run("explain", c["id"]).out
    m.run("build")
    assert "settled by a later statement" in m.text("site", "conflicts", "README.md")


def test_once(m):
    """The same members with the same values are flagged once, also after a verdict."""
    rows = said(*REVERSAL)
    found(m, *rows)
    for _ in range(2):
        m.run("sweep", code=None)
        assert len(m.conflicts("all")) == 1
    c, = m.conflicts()
    m.run("conflicts", "resolve", c["id"], "--winner", "memory:m2", "--notes", "so")
    m.run("sweep", code=None)
    assert [x["status"] for x in m.conflicts("all")] == ["resolved"]
    assert len(found(m, *said(("We use SOAP", {"id": "m9", "created_at": "2026-06-01T10:00:00Z"})))) == 1


def test_many_that_agree_are_one_value(m):
    got = found(m, *said(*["API timeout is 30 s"] * 5, "API timeout is 60 s"))
    assert len(got) == 1 and len(got[0][1]) == 6, got


def test_a_write_sees_the_arc(m):
    m.facts(*said(*REVERSAL[:2]))
    m.run("sweep", code=None)
    r = m.run("add", "memory", "--project", "p05", "--type", "knowledge", "--agent", "gemini",
              "--created-at", "2026-04-01T10:00:00Z", "The API is REST-based", code=None)
    assert "disputed" in r.out, r.out
    c, = m.conflicts()
    assert c["rule"] == "story/reversal/1" and len(c["members"]) == 3
    assert m.run("sweep", code=None).out.count("0 conflicts opened") == 1


def test_config(m):
    log = [{**r, "memory_type": "episodic"} for r in said("PEP 1 status is Draft", "PEP 1 status is Accepted",
                                                          "PEP 1 status is Draft", agent="")]
    assert found(m, *log) == []
    m.write("mirror.yml", "story:\n  types: [episodic]\n")
    got = found(m)
    assert [k for k, _ in got] == ["story/reversal"], got
    m.write("mirror.yml", "story:\n  compare: off\n")
    assert found(m, *said(*["API timeout is 30 s", "API timeout is 60 s"], project="p06")) == []
    m.write("mirror.yml", "story:\n  session_gap: 5\n")
    m.fails("sweep", has=["story.typo"]) if m.write("mirror.yml", "story:\n  typo: 5\n") else None
    m.write("mirror.yml", "story:\n  families:\n    robot_arm: UR5|UR5e, Panda\n")
    got = values(m, *said("We use UR5", "We use Panda", project="p07"))
    assert any(v == ["Panda", "UR5"] for v in got), got


def test_fields_of_entities(m):
    m.write("mirror.yml", "story:\n  types: [Decision.remark]\n")
    decision = {"kind": "entity", "id": "e1", "entity_type": "Decision", "project": "p05", "name": "API",
                "properties": {"decision_target": "api", "decision_field": "style", "value": "x",
                               "remark": "API timeout is 30 s"}}
    got = found(m, decision, *said("API timeout is 60 s"))
    assert got == [("slot", [("e1", "30 s"), ("m0", "60 s")])], got


if __name__ == "__main__":
    main(globals())
