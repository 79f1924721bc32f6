#!/usr/bin/env python3
"""Memories that say the same or deny each other: found, confirmed, settled; and what a new one meets."""
import json

import judge as judging
from harness import *

USE, NEVER = "use ruff for linting", "never use ruff for linting"
KINDS = ("possible_duplicate", "possible_contradiction")


def found(m, *args):
    listed = m.run("findings", *args, "--format", "json").json()["findings"]
    return [(f["kind"], f["reason"], [r.removeprefix("memory:") for r in f["rows"]]) for f in listed if f["kind"] in KINDS]


def rows(*texts, **more):
    return [memory(t, "knowledge", id=f"m{i}", created_at=f"2026-03-0{i + 1}T09:00:00Z", **more) for i, t in enumerate(texts)]


def alone(m, name, *facts):
    """What is found in a project with these facts alone; ids are those of the facts."""
    m.facts(*({**f, "id": f"{name}-{f['id']}", "project": name, **({"superseded_by": f"{name}-{f['superseded_by']}"} if "superseded_by" in f else {})} for f in facts))
    return [(k, why, [r.removeprefix(name + "-") for r in ids]) for k, why, ids in found(m, "--project", name)]


def both(first, second, a=None, b=None, **more):
    x, y = rows(first, second)
    return {**x, **(a or {}), **more}, {**y, **(b or {}), **more}


DENIED = [("possible_contradiction", "negation_diff", ["m0", "m1"])]


def test_cases_that_must_hold(m):
    assert alone(m, "p1", *both(USE, NEVER)) == DENIED
    assert alone(m, "p2", *both(USE, "never use flake8 for linting")) == []
    assert alone(m, "p3", *both("I love it", "I can't not love it")) == []
    assert alone(m, "p4", *both("I love it", "I can't love it")) == DENIED
    assert alone(m, "p5", *both("long commit messages", "long commit messages", a={"polarity": 1}, b={"polarity": -1})) == \
        [("possible_contradiction", "polarity", ["m0", "m1"])]
    assert alone(m, "p6", *both("never write long commit messages", "write long commit messages", a={"polarity": -1}, b={"polarity": 1})) == \
        [("possible_contradiction", "polarity", ["m0", "m1"])], "polarity comes first"
    assert alone(m, "p7", *both("long commit messages", "short commit messages", a={"polarity": 1}, b={"polarity": -1})) == []
    assert alone(m, "p8", *both("sign every commit, not the tag", "sign every commit")) == []
    assert alone(m, "p9", *both("sign every commit, not the tag", "don't sign every commit")) == DENIED
    green = both("the build is green", "the build is not green")
    assert alone(m, "q1", *({**r, "memory_type": "episodic"} for r in green)) == []
    assert alone(m, "q2", *both("merge with red checks", "do not merge with red checks")) == DENIED
    assert alone(m, "q3", *both(USE, NEVER, a={"tags": ["py"]}, b={"tags": ["go"]})) == []
    for k, tags in enumerate(([], ["PY"], ["go", "py"])):
        assert alone(m, f"q4{k}", *both(USE, NEVER, a={"tags": ["py"]}, b={"tags": tags})) == DENIED, tags
    assert alone(m, "q5", *both(USE, NEVER, a={"status": "superseded", "superseded_by": "m1"})) == []
    assert alone(m, "q6", *both(USE, NEVER, a={"valid_until": "2026-03-01"})) == [], "it held before now"
    assert alone(m, "q7", *both(USE, NEVER, a={"valid_until": "2030"})) == DENIED
    assert alone(m, "q8", *both(USE, NEVER, a={"scope": "shop"}, b={"scope": "desk"})) == []
    assert alone(m, "q81", *both(USE, NEVER, a={"scope": "shop"})) == []
    assert alone(m, "q82", *both(USE, NEVER, a={"scope": "shop"}, b={"scope": "Shop"})) == DENIED
    for a, b, same in (("north gate *", "south gate *", False), ("north gate *", None, False),
                       ("North gate *", "north gate *", True), ("*", None, True), ("gate/4", "gate/5", False)):
        rules = [{"slot_rule": r} if r else {} for r in (a, b)]
        got = alone(m, f"q83{a}{b}", *both("has been oiled since spring", "has not been oiled since spring", *rules))
        assert got == (DENIED if same else []), (a, b, got)
    assert alone(m, "q9", *both("the lamp reports its place at night", "the lamp reports its place at night.")) == \
        [("possible_duplicate", "", ["m0", "m1"])]
    assert alone(m, "r1", *both("the API timeout is 30 s", "the API timeout is 30 s.")) == [], "they share a slot"


def test_links_keep_quiet(m):
    for rel in ("derived_from", "supersedes"):
        m.facts(*both(USE, NEVER), {"kind": "link", "src": "memory:m1", "dst": "memory:m0", "rel": rel})
        assert found(m) == [], rel
        m.run("unlink", "m1", "m0")
        assert found(m) == DENIED, rel
        m.run("link", "m1", "m0", "--rel", "related")
        assert found(m) == DENIED
        m.run("unlink", "m1", "m0")


def test_links_to_entities_tell_what_a_memory_is_about(m):
    gates = [{"kind": "entity", "id": f"gate-{i}", "entity_type": "Gate", "name": f"Gate {i}", "project": "p"} for i in (1, 2)]
    m.facts(*both(USE, NEVER), *gates, {"kind": "link", "src": "memory:m0", "dst": "entity:gate-1", "rel": "related"})
    assert found(m) == [], "one is about a gate"
    m.facts({"kind": "link", "src": "entity:gate-2", "dst": "memory:m1", "rel": "related"})
    assert found(m) == [], "two gates"
    m.facts({"kind": "link", "src": "memory:m1", "dst": "entity:gate-1", "rel": "related"})
    assert found(m) == DENIED


def statuses(m):
    rows = [json.loads(line) for line in m.run("export").out.splitlines()]
    return {r["id"]: r["status"] for r in rows if r["kind"] == "memory"}


def test_policies_leave_other_subjects_alone(m):
    m.run("init")
    wet, dry = "has been flooded in winter", "has not been flooded in winter"
    add(m, wet, "--id", "a", "--slot-rule", "east cellar *")
    add(m, wet, "--id", "b", "--slot-rule", "west cellar *", "--policy", "supersede")
    add(m, dry, "--id", "c", "--slot-rule", "low cellar *", "--policy", "raise")
    add(m, dry, "--id", "d", "--scope", "annex", "--policy", "supersede")
    assert statuses(m) == dict.fromkeys("abcd", "active")
    add(m, dry, "--id", "e", "--slot-rule", "East cellar *", "--policy", "supersede")
    assert [i for i, status in statuses(m).items() if status == "superseded"] == ["a"]


def add(m, text, *args, **kw):
    return m.run("add", "memory", "--type", "knowledge", "--project", "p", *args, text, **kw)


def test_a_write_and_a_sweep_agree(m):
    m.facts(*both(USE, "the lamp reports its place at night", project="p"))
    for i, text in enumerate((NEVER, "The lamp reports its place at night!", "Don't use ruff for linting", "unlike all others")):
        out = add(m, text, "--id", f"n{i}", "--format", "json").json()
        told = [f for f in out["findings"] if f["kind"] in KINDS]
        swept = [f for f in m.run("findings", "--format", "json").json()["findings"] if f"memory:n{i}" in f["rows"]]
        assert told == swept and bool(told) == (i < 3), (told, swept)
    out = m.run("edit", "n0", "--set", "content=quite another thing", "--format", "json").json()
    assert not out["findings"] and [f["kind"] for f in out["vanished"]].count("possible_contradiction") == 1, out
    assert m.run("sweep", "--format", "json").code == 0


def contradiction(m):
    return next(f["id"] for f in m.run("findings", "--format", "json").json()["findings"] if f["kind"] == "possible_contradiction")


def conflict(m, *args):
    return m.run("findings", "confirm", contradiction(m), *args, "--format", "json").json()["conflict_id"]


def test_confirmed_it_is_a_conflict(m):
    m.facts(*both("merge with red checks", "do not merge with red checks", project="p"), memory("an aside", "knowledge", id="x"))
    dry = conflict(m, "--dry-run")
    assert found(m) == DENIED and m.run("conflicts", "list").out == "No open conflicts.\n"
    assert "⚠" not in m.run("build").out
    before = m.sql("SELECT count(*) FROM journal")[0][0]
    c = conflict(m, "--reason", "both are ours")
    assert c == dry and found(m) == []
    assert ("confirm", "tester", "both are ours") in m.sql(f"SELECT verb, actor, why FROM journal WHERE seq > {before}")
    assert m.run("sweep", "--format", "json").json()["opened"] == 0
    assert "somebody confirmed" in m.run("explain", c).out
    add(m, "never merge with red checks", "--id", "m2")
    assert conflict(m) == c, "it grows and keeps its id"
    members = [x["member_id"] for x in m.run("conflicts", "show", c, "--format", "json").json()["members"]]
    assert members == ["m0", "m1", "m2"], members
    m.run("conflicts", "dismiss", c, "--reason", "two teams")
    assert found(m) == [] and m.run("sweep", "--format", "json").json()["opened"] == 0
    m.run("conflicts", "reopen", c, "--reason", "one team")
    m.run("edit", "m0", "--set", "content=squash commits")
    assert m.run("conflicts", "show", c, "--format", "json").json()["disputed"] is False
    m.fails("findings", "confirm", "f0000", has="there is none")


def test_it_travels_with_verdicts(m):
    pair = both("merge with red checks", "do not merge with red checks", project="p")
    m.facts(*pair)
    c = conflict(m)
    lines = m.run("export", "--verdicts").out
    assert [json.loads(x)["kind"] for x in lines.splitlines()] == ["proposal"], lines
    m.run("conflicts", "dismiss", c, "--reason", "two teams")
    m.write("v.jsonl", m.run("export", "--verdicts").out)
    for name in ("hmirror.db", "hmirror.db-wal", "hmirror.db-shm"):
        if os.path.exists(m.path(name)):
            os.remove(m.path(name))
    m.facts(*pair)
    assert found(m) == DENIED
    m.run("import", "v.jsonl")
    m.run("sweep")
    assert found(m) == [] and m.run("conflicts", "list").out == "No open conflicts.\n"


def journal(m):
    return m.sql("SELECT verb, ref FROM journal ORDER BY seq")


def test_policies(m):
    m.facts(*both(USE, "the API timeout is 30 s", project="p"))
    was, text = journal(m), m.run("export").out
    for args, met in (((NEVER,), "m0"), (("the API timeout is 60 s", "--agent", "x"), "m1"), (("Use ruff for linting!",), "m0")):
        r = add(m, *args, "--policy", "raise", "--format", "json", code=1)
        out = json.loads(r.out)
        assert out["action"] == "rejected" and [x["row"] for x in out["met"]] == [f"memory:{met}"], out
        assert journal(m) == was and m.run("export").out == text, "no row and no line"
    assert add(m, "unlike all others", "--policy", "raise", "--format", "json").json()["action"] == "stored"
    out = add(m, NEVER, "--policy", "ignore", "--id", "n1", "--format", "json").json()
    assert out["action"] == "stored" and not out["met"] and not out["findings"], out
    out = add(m, "Don't use ruff for linting.", "--id", "n2", "--format", "json").json()
    assert out["action"] == "stored" and {(x["row"], x["kind"]) for x in out["met"]} >= {("memory:m0", "contradiction")}, out
    m.fails("add", "memory", "x", "--policy", "never", has="ignore, warn, supersede or raise")


def standing(m, *ids):
    all_rows = {r["id"]: r for r in map(json.loads, m.run("export").out.splitlines()) if r["kind"] == "memory"}
    return [(all_rows[i].get("status", "active"), all_rows[i].get("superseded_by"), all_rows[i].get("importance")) for i in ids]


def test_supersede(m):
    m.facts(*both(USE, "the API timeout is 30 s", project="p", a={"importance": 0.4}))
    out = add(m, NEVER, "--id", "n1", "--policy", "supersede", "--by", "kim", "--format", "json").json()
    assert out["action"] == "superseded" and standing(m, "m0", "n1") == [("superseded", "n1", 0.4), ("active", None, None)], out
    assert ("supersede", "memory:m0", "kim") in m.sql("SELECT verb, ref, actor FROM journal")
    out = add(m, "Never use ruff for linting!", "--id", "n2", "--policy", "supersede", "--importance", "0.9", "--format", "json").json()
    assert out["action"] == "superseded" and out["status"] == "superseded", out
    assert standing(m, "n1", "n2") == [("active", None, 0.9), ("superseded", "n1", 0.9)]
    add(m, "the API timeout is 60 s", "--id", "n3", "--agent", "x", "--policy", "supersede")
    assert standing(m, "m1")[0][:2] == ("superseded", "n3")
    assert m.run("conflicts", "list").out == "No open conflicts.\n" and found(m) == []


# --- what a judge is asked -----------------------------------------------------------------

BEFORE, AFTER = "Deploy the main cluster of the harbor before noon", "Deploy the main cluster of the harbor after noon"
ENV = {"JUDGE_KEY": judging.KEY}


def pairs(stub):
    """Texts that the judge was asked about as pairs, by twos."""
    asked = [[f["text"] for f in judging.story(b)] for b in stub.bodies if "are a pair" in b["messages"][1]["content"]]
    return [tuple(texts[i:i + 2]) for texts in asked for i in range(0, len(texts), 2)]


def contradicts(*texts):
    """Says so of each pair that has these texts, and of no story."""
    def behave(stub, request, body):
        facts = judging.story(body)
        two = [facts[i:i + 2] for i in range(0, len(facts), 2)] if "are a pair" in body["messages"][1]["content"] else []
        judging.says(request, json.dumps([{"fact_ids": [f["id"] for f in pair], "question": "Is it before noon?"} for pair in two if {f["text"] for f in pair} == set(texts)]))
    return behave


def test_a_judge_is_asked_where_words_do_not_tell(m):
    """About texts that are alike and nothing else; what it says is a finding, as others are."""
    with judging.judge(m, contradicts(BEFORE, AFTER), pick="story") as stub:
        m.facts(*rows(BEFORE, AFTER, "Deploy the main cluster of the harbor before noon.", "never deploy the main cluster of the harbor before noon", project="p"),
                memory(AFTER, "knowledge", id="other", project="q"), memory(AFTER, "knowledge", id="tagged", project="p", tags=["x"], valid_until="2020"),
                memory("the API timeout is 30 s", "knowledge", id="t1", project="p"), memory("the API timeout is 60 s", "knowledge", id="t2", project="p"))
        cheap = found(m)
        assert [k for k, *_ in cheap] == ["possible_duplicate", "possible_contradiction"] or len(cheap) == 2, cheap
        dry = m.run("judge", "--dry-run", "--format", "json", env=ENV).json()
        got = m.run("judge", "--format", "json", env=ENV).json()
        assert got["pairs"] == dry["pairs"] == len(pairs(stub)) and got["opened_ids"] == [] and got["failed"] == 0, (got, pairs(stub))
        assert (BEFORE, AFTER) in pairs(stub) and (AFTER, BEFORE + ".") in pairs(stub), "the older first"
        told = {(BEFORE, BEFORE + "."), (BEFORE, "never deploy the main cluster of the harbor before noon")}
        assert not told & {p for x, y in pairs(stub) for p in ((x, y), (y, x))} and not any("timeout" in x for p in pairs(stub) for x in p), pairs(stub)
        assert found(m, "--project", "q") == [] and ("possible_contradiction", "judged", ["m0", "m1"]) in found(m) and len(found(m)) == len(cheap) + 1
        assert m.run("conflicts", "list").out == "No open conflicts.\n" or "timeout" in m.run("conflicts", "list").out
        n = len(pairs(stub))
        again = m.run("judge", "--all", "--format", "json", env=ENV).json()
        assert again["proposed"] == 0 and (BEFORE, AFTER) not in pairs(stub)[n:], "it was asked"
    f, = [x for x in m.run("findings", "--format", "json").json()["findings"] if x["reason"] == "judged"]
    assert "Is it before noon?" in f["message"] and f["actual"].startswith("cosine ") and "gpt-4o-mini" in f["actual"] and f["kind"] == "possible_contradiction", f
    assert json.loads(next(x for x in m.run("export").out.splitlines() if '"proposal"' in x))["question"].startswith("Similar texts: ")


def judged(m):
    with judging.judge(m, contradicts(BEFORE, AFTER), pick="story"):
        m.facts(*both(BEFORE, AFTER, project="p"))
        m.run("judge", env=ENV)
    return [x["id"] for x in m.run("findings", "--format", "json").json()["findings"] if x["reason"] == "judged"]


def test_a_judged_finding_is_as_others(m):
    f, = judged(m)
    before = m.run("findings", "--format", "json").out
    assert m.sweep() == [] and m.run("findings", "--format", "json").out == before, "no model is asked by a sweep"
    m.run("build")
    assert BEFORE in {p: t.decode() for p, t in m.site_bytes("site")}["findings/README.md"]
    m.run("findings", "ack", f, "--reason", "two clusters")
    assert found(m) == []
    m.run("findings", "unack", f, "--reason", "one")
    assert found(m) == [("possible_contradiction", "judged", ["m0", "m1"])]
    told = m.run("edit", "m1", "--set", "tags:=[]", "--set", "importance=0.7", "--format", "json").json()
    assert f in [x["id"] for x in told["findings"]], "a write tells it as a sweep does"
    told = m.run("edit", "m1", "--set", "content=Deploy the main cluster of the harbor at night", "--format", "json").json()
    assert f in [x["id"] for x in told["vanished"]] and found(m) == []
    m.run("edit", "m1", "--set", "content=" + AFTER)
    assert found(m) == [("possible_contradiction", "judged", ["m0", "m1"])], "it is of what was read"
    m.run("link", "m1", "m0", "--rel", "supersedes")
    assert found(m) == []
    m.run("unlink", "m1", "m0")
    c = m.run("findings", "confirm", f, "--format", "json").json()["conflict_id"]
    assert c and found(m) == [] and c in m.run("conflicts", "list").out
    assert "somebody confirmed" in m.run("explain", c).out and m.run("sweep", "--format", "json").json()["opened"] == 0
    other = Mirror()
    try:
        other.write("all.jsonl", m.run("export").out)
        other.run("init")
        other.run("import", "all.jsonl")
        assert other.run("export").out == m.run("export").out
    finally:
        other.close()


def test_what_a_model_said_is_taken_back(m):
    assert judged(m)
    told = m.run("findings", "withdraw", "--by", "gpt-4o-mini", "--format", "json").json()
    assert (told["reports"], told["count"]) == (1, 1) and found(m) == [] and m.sweep() == [], told


def test_nobody_is_asked_without_a_judge(m):
    m.facts(*both(BEFORE, AFTER, project="p"))
    assert "No judge" in m.run("judge", env=ENV).out and found(m) == []


def test_a_judge_that_answers_of_no_pair(m):
    """Facts of two pairs, one fact, a story's answer: passed over, with a note; what cannot be read is asked again."""
    def behave(stub, request, body):
        ids = [f["id"] for f in judging.story(body)]
        judging.says(request, json.dumps([{"fact_ids": [ids[0], ids[-1]], "question": "x?"}, {"fact_ids": ids[:1], "question": "x?"}, {"fact_ids": ids, "question": "x?"}])
                     if "are a pair" in body["messages"][1]["content"] else "[]")
    with judging.judge(m, behave, pick="story") as stub:
        m.facts(*rows(BEFORE, AFTER, "Deploy the main cluster of the harbor before lunch", project="p"))
        got = m.run("judge", "--format", "json", env=ENV).json()
        assert len(pairs(stub)) > 1 and got["proposed"] == 0 and len(got["notes"]) == 3 and got["left_queue"] == 3, got
    assert found(m) == []


def test_the_page_has_both_texts(m):
    m.facts(*both("merge with <b>red</b> checks", "do not merge with <b>red</b> checks", project="p"))
    m.run("build")
    page = {p: t.decode() for p, t in m.site_bytes("site")}["findings/README.md"]
    assert "## Possible duplicates and contradictions" in page and "⚠" not in page, page
    line = next(x for x in page.splitlines() if x.startswith("| merge"))
    assert "do not merge" in line and "<b>" not in line, line
    assert contradiction(m) in page


if __name__ == "__main__":
    main(globals())
