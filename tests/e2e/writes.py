#!/usr/bin/env python3
"""One fact at a time: what is stored, what it contradicts, what is refused, and that a kill leaves all or nothing."""
import random
import signal
from harness import *

GF = ["add", "state", "lateral_support_material", "GF-PTFE", "-p", "p05", "--id", "s1"]
PEEK = ["add", "entity", "-t", "Decision", "-p", "p05", "-P", "decision_target=lateral support", "-P", "decision_field=material",
        "-P", "value=PEEK", "--id", "e1", "Lateral support material"]


def begin(m):
    m.run("init", "-q")
    m.run(*GF, "--source", "design review 3")


def nothing_left_for_a_sweep(m):
    s = m.run("--format", "json", "sweep", "--dry-run").json()
    assert (s["opened"], s["updated"]) == (0, 0), s


def test_a_contradiction_is_stored_and_told(m):
    begin(m)
    r = m.run(*PEEK, "--by", "kim", "--notes", "measured")
    lines = r.out.splitlines()
    assert lines[0] == "added: entity:e1", r.out
    id = m.conflicts()[0]["id"]
    assert lines[1] == "read: p05 / lateral_support_material: PEEK"
    assert lines[2] == f"⚠ disputed: {id}  p05 / lateral_support_material: GF-PTFE | PEEK (hmirror conflicts show {id})", r.out
    assert r.err == ""
    assert m.sql("SELECT actor, why FROM journal WHERE ref = 'entity:e1'") == [("kim", "measured")]
    nothing_left_for_a_sweep(m)


def test_json(m):
    begin(m)
    a = m.run("--format", "json", *PEEK).json()
    assert set(a) == {"kind", "id", "entity_type", "name", "project", "properties", "status", "created_at",
                      "ref", "dry_run", "changed", "conflict_id", "conflicts", "opened", "revived", "quieted", "findings", "appeared", "vanished",
                      "warnings", "action", "met", "alike", "read", "unread"}
    assert a["ref"] == "entity:e1" and a["properties"]["value"] == "PEEK" and a["changed"] is True
    assert [c["id"] for c in a["conflicts"]] == [a["conflict_id"]] == a["opened"] and a["warnings"] == a["revived"] == []
    assert re_time(a["created_at"])
    b = m.run("--format", "json", "add", "state", "lateral support material", "PTFE", "-p", "p05").json()
    assert b["conflict_id"] == a["conflict_id"] and b["opened"] == [] and "open conflict" in b["warning"] and b["warnings"] == [b["warning"]]
    c = m.run("--format", "json", "edit", "e1", "--set", "status=invalid").json()
    assert c["conflicts"] == [] and c["quieted"] == []            # the two states still disagree
    d = m.run("--format", "json", "edit", b["ref"], "--set", "value=gf-ptfe.").json()
    assert d["quieted"] == [a["conflict_id"]] and "open conflict" in d["warning"]
    assert m.run("-q", "add", "memory", "-t", "episodic", "it", "rained").out.startswith("memory:m-")


def re_time(t):
    return len(t) == 20 and t[10] == "T" and t[19] == "Z"


ANSWER = {"action", "met", "alike", "alike_advice", "ref", "dry_run", "changed", "conflict_id", "conflicts", "opened", "revived", "quieted", "findings", "appeared", "vanished",
          "warning", "warnings", "read", "unread"}


def record(m, *args, **kw):
    """The row of the answer."""
    return {k: v for k, v in m.run("--format", "json", *args, **kw).json().items() if k not in ANSWER}


def test_findings_of_the_row(m):
    m.run("init", "-q")
    assert m.run("add", "entity", "-t", "Person", "--id", "a", "Ann").out == \
        "added: entity:a\nnothing was read, so nothing can contradict it: it has no properties\nnot known  entity:a (Ann): we do not know its lineage\n"
    m.run("add", "entity", "-t", "Person", "--id", "b", "Bea")
    assert m.run("add", "relation", "a", "PARENT_OF", "b", "--id", "r", "--dry-run").out.count("no longer not known") == 2
    assert sorted(m.run("add", "relation", "a", "PARENT_OF", "b", "--id", "r").out.splitlines()[1:]) == [
        "no longer not known  entity:a (Ann): we do not know its lineage",
        "no longer not known  entity:b (Bea): we do not know its lineage",
        "read: global / PARENT_OF: b: a"]
    w = m.run("--format", "json", "edit", "relation:r", "--set", "to=gone").json()
    assert [f["rule"] for f in w["findings"]] == ["orphan/to"] and [f["rows"] for f in w["appeared"]] == [["entity:b"]]
    assert w["appeared"][0]["reason"] == "Person of unknown lineage" and w["vanished"] == []
    swept = {f["id"]: f for f in m.run("--format", "json", "sweep").json()["findings"]}
    assert all(swept[f["id"]] == f for f in w["findings"] + w["appeared"]) and len(swept) == 2
    m.write("mirror.yml", "rules:\n  off: [gap/person-lineage]\n")
    assert m.run("add", "entity", "-t", "Person", "Cid").out.count("\n") == 2
    m.fails("add", "link", "a", "b", has="'add relation'")
    m.fails("add", "relation", "a", "X", "b", "c", has="given twice")


def test_every_column(m):
    m.run("init", "-q")
    m.write("rest.json", json.dumps({"agent": "claude", "scope": "git", "project": "nowhere"}))
    r = record(m, "add", "memory", "-t", "knowledge", "-p", "p", "--confidence", "0.50", "--importance", "1", "--polarity", "-1",
              "--tag", "a", "--tag", "b", "--source", "x", "--source", "y", "--valid-from", "2026", "--valid-until", "2027", "--id", "m1",
              "--slot-rule", "area", "--created-at", "2025-01", "--status", "candidate", "--json", "rest.json", "--", "area", "is", "468")
    assert r == {"kind": "memory", "id": "m1", "memory_type": "knowledge", "content": "area is 468", "project": "p", "status": "candidate",
                 "confidence": 0.5, "importance": 1, "polarity": -1, "scope": "git", "agent": "claude", "slot_rule": "area", "tags": ["a", "b"],
                 "source_refs": ["x", "y"], "valid_from": "2026", "valid_until": "2027", "created_at": "2025-01"}
    r = record(m, "add", "state", "--key", "n", "--value-json", "[1.50, true, \"x\"]", "--category", "c", "--source", "s")
    assert '"value":[1.50,true,"x"]' in m.run("export").out and r["source"] == "s" and r["category"] == "c"
    r = record(m, "add", "entity", "-t", "T", "--description", "d", "--hand-authored", "-P", "a=1", "-P", "b:=1.0", "-P", "c==x",
              "--json", "-", stdin=b'{"name":"n"}')
    assert r["properties"] == {"a": "1", "b": 1.0, "c": "=x"} and r["hand_authored"] is True and r["name"] == "n"
    r = record(m, "edit", r["id"], "--set", "hand_authored=false", "-P", "a:=null", "--set", "description:=null",
              "--set", "confidence=0.25")
    assert r["properties"] == {"b": 1.0, "c": "=x"} and r["hand_authored"] is False and "description" not in r and r["confidence"] == 0.25


def test_candidates_and_graduates(m):
    begin(m)
    m.run("add", "memory", "-t", "knowledge", "-p", "p05", "--id", "m1", "--status", "candidate", "--source", "chat:1", "lateral support material is PEEK")
    assert m.conflicts() == []
    m.run("add", "memory", "-t", "knowledge", "-p", "p05", "--id", "m2", "--status", "candidate", "x is y")
    assert "⚠ disputed" in m.run("promote", "m1").out
    m.fails("promote", "m1", has=("memory:m1", "active already"))
    out = m.run("graduate", "m1", *PEEK[2:-3], "--id", "e7", "Material").out
    assert out.startswith("graduated to: entity:e7\nread: p05 / lateral_support_material: PEEK\n⚠ disputed"), out
    assert m.sql("SELECT project, source_refs FROM entities") == [("p05", '["chat:1"]')]
    assert m.sql("SELECT status, graduated_to FROM memories WHERE id = 'm1'") == [("graduated", "e7")]
    m.fails("edit", "m1", "--set", "content=x", has=("frozen", "e7"))
    m.run("edit", "m2", "--set", "status=invalid")
    m.fails("edit", "m2", "--set", "content=x", has=("history", "hmirror restore memory:m2"))
    nothing_left_for_a_sweep(m)


def test_a_name_that_may_be_mistyped_is_told(m):
    m.run("init", "-q")
    m.facts(project("p05-interferometer", "p05"), memory("prefers tabs", "preference", "used-only"))
    say = lambda *args: m.run("add", *args).err
    assert say("state", "k", "v", "-p", "p05") == say("state", "k", "v2", "-p", "p05-interferometer") == say("state", "k", "v3", "-p", "used-only") == ""
    assert say("state", "k", "v", "-p", "p05-interferometr") == \
        "hmirror: project 'p05-interferometr' is new; nearest known: 'p05-interferometer'\n"
    assert say("state", "k2", "v", "-p", "p05-interferometr") == "", "told once: a row has it now"
    assert say("state", "k", "v", "-p", "P05 Interferometer") == "hmirror: project 'P05 Interferometer' is new; nearest known: 'p05-interferometer'\n"
    assert say("state", "k", "v", "-p", "p06") == "hmirror: project 'p06' is new\n", "another number is no slip"
    assert say("state", "k", "v", "-p", "used") == "hmirror: project 'used' is new; nearest known: 'used-only'\n"
    assert say("memory", "-t", "preferense", "-p", "p05", "prefers tea") == "hmirror: memory type 'preferense' is new; nearest known: 'preference'\n"
    assert say("memory", "-t", "Preference", "-p", "p05", "prefers tea") == say("memory", "-t", "haiku", "-p", "p05", "an old pond") == ""
    assert say("entity", "-t", "Paramter", "-p", "p05", "x") == "hmirror: entity type 'Paramter' is new; nearest known: 'Parameter'\n"
    assert say("entity", "-t", "analysis_model", "-p", "p05", "x") == say("entity", "-t", "Telescope", "-p", "p05", "x") == ""
    assert say("entity", "-t", "Telescop", "-p", "p05", "x") == "hmirror: entity type 'Telescop' is new; nearest known: 'Telescope'\n"
    a = m.run("--format", "json", "edit", m.run("-q", "add", "state", "z", "1", "-p", "p05").out.strip(), "--set", "project=p5").json()
    assert a["project"] == "p5" and a["warnings"] == ["project 'p5' is new"], a
    tried = m.run("--format", "json", "add", "state", "k", "v", "-p", "p7", "--dry-run").json()
    assert tried["warnings"] == ["project 'p7' is new"]
    assert m.run("add", "state", "k", "v", "-p", "p7").err != "", "a dry run makes nothing known"
    assert m.run("-q", "add", "state", "k", "v", "-p", "p8").err == ""
    assert m.sql("SELECT count(*) FROM project_state WHERE project = 'p05-interferometr'") == [(2,)], "taken all the same"


def test_an_import_tells_names_that_may_be_mistyped(m):
    first = m.facts(project("p05", "p5"), *[memory(f"a{i} is b", project="alpha") for i in range(3)], memory("c is d", project="alhpa"),
                    memory("e is f", "knowlege", "p5"),
                    *({"kind": "relation", "id": x, "type": x, "from": "x", "to": "y"} for x in ("PARTOF", "PARENT_OF", "WITNESSED")),
                    memory("g is h", project="p06"))
    assert first.err == "".join(f"hmirror: {x}\n" for x in (
        "project 'alhpa' is new; nearest known: 'alpha'", "project 'alpha' is new, on 3 rows", "project 'p06' is new",
        "memory type 'knowlege' is new; nearest known: 'knowledge'", "relation type 'PARTOF' is new; nearest known: 'PART_OF'")), first.err
    again = m.run("import", "facts.jsonl")
    assert again.err == "" and "0 added" in again.out, "nothing is new the second time"
    m.write("more.jsonl", "".join(json.dumps(memory("x is y", project=f"new{i:02}")) + "\n" for i in range(14)))
    r = m.run("import", "more.jsonl")
    assert len(r.err.splitlines()) == 11 and r.err.endswith("and 4 more new names: see --format json\n"), r.err
    m.write("more.jsonl", json.dumps(memory("x is y", project="later")) + "\n" + json.dumps(project("later")) + "\n")
    assert m.run("--format", "json", "import", "more.jsonl").json()["warnings"] == [], "declared after it was used"


def test_a_dispute_that_comes_back_is_told(m):
    """An open conflict whose claims agreed in between is named by whatever makes them disagree again."""
    begin(m)
    m.run(*PEEK)
    id = m.conflicts()[0]["id"]
    m.run("edit", "e1", "--set", "status=invalid")
    assert not m.conflicts()[0]["disputed"]
    r = m.run("restore", "e1", "--dry-run")
    assert f"⚠ Would be disputed again:\n  {id}\n" in r.out, r.out
    r = m.run("--format", "json", "restore", "e1").json()
    assert r["revived"] == [id] and r["opened"] == [], r
    quiet = lambda: m.run("edit", "e1", "-P", "value=GF-PTFE")
    assert f"no longer disputed, awaiting sign-off: {id}" in quiet().out
    r = m.run("edit", "e1", "-P", "value=PEEK")
    assert r.out.splitlines()[2].startswith(f"⚠ disputed again: {id}  p05 / lateral_support_material: GF-PTFE | PEEK"), r.out
    quiet()
    r = m.run("--format", "json", "add", "memory", "-t", "knowledge", "-p", "p05", "--id", "m1", "lateral support material is PTFE").json()
    assert r["revived"] == [id] and r["opened"] == [], r
    r = m.run("--format", "json", "add", "memory", "-t", "knowledge", "-p", "p05", "--id", "m2", "lateral support material is steel").json()
    assert r["revived"] == [] and r["conflict_id"] == id, "it was disputed before"
    assert not m.run("--format", "json", "edit", "m1", "--set", "status=invalid").json()["quieted"]
    assert m.run("--format", "json", "edit", "m2", "--set", "status=invalid").json()["quieted"] == [id]
    m.run("add", "memory", "-t", "knowledge", "-p", "p05", "--id", "m3", "--status", "candidate", "lateral support material is brass")
    r = m.run("promote", "m3")
    assert f"⚠ disputed again: {id}" in r.out
    m.run("edit", "m3", "--set", "status=invalid")
    m.run("add", "memory", "-t", "knowledge", "-p", "p05", "--id", "m4", "--status", "candidate", "any")
    r = m.run("graduate", "m4", *PEEK[2:-3], "--id", "e7", "Material")
    assert f"⚠ disputed again: {id}" in r.out, r.out
    nothing_left_for_a_sweep(m)


def test_supersedes(m):
    begin(m)
    r = m.run("add", "state", "lateral_support_material", "PEEK", "-p", "p05", "--id", "s2", "--supersedes", "s1", "--notes", "measured")
    assert r.out == "added: project_state:s2\nread: p05 / lateral_support_material: PEEK\n", r.out
    assert m.sql("SELECT status, superseded_by FROM project_state WHERE id = 's1'") == [("superseded", "s2")]
    m.fails("edit", "s1", "--set", "value=x", has=("superseded by project_state:s2", "restore"))
    m.fails("add", "state", "k", "v", "--supersedes", "s1", has="superseded")
    assert m.sql("SELECT count(*) FROM project_state") == [(2,)]


def test_a_row_that_is_not_there(m):
    """The message says what may be wrong with the name: its kind, its id, or that it has no kind."""
    m.facts(memory("a is b", id="m1"))
    for name, has in (("memroy:m1", "did you mean 'memory:m1'?"), ("memory:m9", "there is none: check the id"), ("m9", "give it as kind:id"), ("x:m1", "give it as kind:id")):
        m.fails("edit", name, "-s", "content=x", has=(f"row '{name}': there is none", has))


def test_refusals(m):
    begin(m)
    before = m.tree()
    m.fails("add", has="too few words")
    m.fails("add", "fact", "x", has="add memory")
    m.fails("add", "state", "k", has="value: missing")
    m.fails("add", "state", "k", "v", "--value", "w", has="given twice")
    m.fails("add", "state", "k", "--value-json", "{", has="no JSON")
    m.fails("add", "state", "k", "v", "--content", "x", has=("--content", "project_state has none"))
    m.fails("add", "memory", "-t", "x", "-P", "a=b", "c", has=("-P: ", "memory has none"))
    m.fails("add", "memory", "-t", "x", "--property", "a=b", "c", has="--property: ")
    m.fails("add", "entity", "-t", "x", "-P", "a", "c", has="NAME=VALUE")
    m.fails("add", "entity", "-t", "x", "-P", "a=1", "-P", "a=2", "c", has="given twice")
    m.fails("add", "memory", "-t", "x", "--confidence", "high", "c", has=("confidence", "a number from 0 to 1"))
    m.fails("add", "memory", "-t", "x", "--valid-from", "soon", "c", has="not a time")
    m.fails("add", "memory", "--json", "-", stdin=b"[]", has="no JSON object")
    m.fails("add", "memory", "--json", "-", stdin=b'{"a":1,}', has="-:")
    m.fails("add", "memory", "--json", "absent.json", has="absent.json")
    m.fails("add", "memory", "-t", "x", "", has=("content", "empty"))
    m.fails("add", "memory", "-t", " ", "c", has=("memory_type", "empty"))
    m.fails("add", "entity", "-t", "x", " ", has=("name", "empty"))
    m.fails("add", "state", "", "v", has=("key", "empty"))
    m.fails(*GF, has=("id", "already", "hmirror edit"))
    m.fails("edit", "s1", has="nothing to change")
    m.fails("edit", "s1", "--set", "id=s2", has="keeps its id")
    m.fails("edit", "s1", "--set", "status=superseded", has="hmirror supersede")
    m.fails("edit", "nobody", "--set", "value=x", has=("nobody", "kind:id"))
    m.fails("edit", "s1", "--set", "hand_authored=", has="known keys")
    m.fails("edit", "s1", "--set", "colour=x", has=("colour", "known keys"))
    assert m.tree() == before


def test_a_dry_run_stores_nothing(m):
    begin(m)
    before = m.sql("SELECT count(*) FROM journal"), m.run("export").out
    out = m.run(*PEEK, "--dry-run").out
    assert out.startswith("dry run, would be added: entity:e1\nread: p05 / lateral_support_material: PEEK\n⚠ disputed: c"), out
    assert (m.sql("SELECT count(*) FROM journal"), m.run("export").out) == before


def test_hostile_words(m):
    m.run("init", "-q")
    evil = "x is \x1b[31m‮ <b>\n| [a](javascript:b) " + "w" * 5000
    m.run("add", "memory", "-t", "knowledge", evil)
    m.run("add", "memory", "-t", "knowledge", "x is y")
    shown = m.run("add", "memory", "-t", "knowledge", "x is z").out
    assert "\x1b" not in shown and "‮" not in shown
    raw = m.run("add", "memory", "-t", "knowledge", b"\xff\xfe is bad".decode("utf-8", "surrogateescape")).out
    assert raw.startswith("added: ")


def test_what_others_wrote_is_seen(m):
    """Another program writes; the next write of ours records what that contradicts as well."""
    begin(m)
    m.run(*PEEK)
    m.sql("UPDATE entities SET properties = replace(properties, 'PEEK', 'GF-PTFE')")
    m.sql("INSERT INTO project_state (id, project, key, value) VALUES ('a', 'q', 'k', '1'), ('b', 'q', 'K', '2')")
    out = m.run("add", "memory", "-t", "episodic", "it rained").out
    assert "disputed" not in out                                   # not by this write
    assert [c["project"] for c in m.conflicts()] == ["p05", "q"]
    nothing_left_for_a_sweep(m)


def test_two_who_write_at_once(m):
    begin(m)
    m.run(*PEEK)
    ps = [subprocess.Popen([HMIRROR, "-q", "add", "state", "lateral support material", f"{who} {i}", "-p", "p05"], cwd=m.dir, env=m.env,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE) for i in range(6) for who in ("kim", "lee")]
    for p in ps:
        out, err = p.communicate()
        assert p.returncode == 0, err
    assert m.sql("SELECT count(*) FROM project_state") == [(13,)]
    c, = m.conflicts()
    assert len(c["members"]) == 14
    nothing_left_for_a_sweep(m)


def test_many_who_write_at_once(m):
    """They wait for each other in one line, so that none is refused, however long the line."""
    begin(m)
    ps = [subprocess.Popen([HMIRROR, "-q", "add", "state", f"length {i}", f"{i} m"], cwd=m.dir, env=m.env, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE) for i in range(16)]
    for p in ps:
        out, err = p.communicate(timeout=HANGS)
        assert p.returncode == 0 and not err, err
    assert m.sql("SELECT count(*) FROM project_state") == [(17,)]
    assert m.read("hmirror.db.lock") == b""
    nothing_left_for_a_sweep(m)


def test_a_killed_writer_holds_nothing(m):
    """A lock file that names a dead process, and one that is no file."""
    begin(m)
    m.write("hmirror.db.lock", "4711 hmirror\n")
    m.run(*PEEK)
    assert m.read("hmirror.db.lock") == b""
    os.unlink(m.path("hmirror.db.lock"))
    os.symlink("victim", m.path("hmirror.db.lock"))
    m.fails(*GF, has=("hmirror.db", ".lock is no regular file", "move it away"))
    assert not os.path.exists(m.path("victim"))


def test_a_store_of_version_1(m):
    begin(m)
    for (name,) in m.sql("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE '%!_log!_%' ESCAPE '!'"):
        m.sql(f"DROP TRIGGER {name}")
    for (name,) in m.sql("SELECT name FROM sqlite_schema WHERE type = 'table' AND (name LIKE 'claim%' OR name = 'changes')"):
        m.sql(f"DROP TABLE {name}")
    m.sql("ALTER TABLE journal DROP COLUMN why")
    m.sql("PRAGMA user_version = 1")
    before = m.read("hmirror.db")
    m.fails(*PEEK, "--dry-run", has=("version 1", "hmirror sweep"))
    assert m.run("--format", "json", "conflicts", "list").json()["count"] == 0 and m.read("hmirror.db") == before
    assert "⚠ disputed" in m.run(*PEEK).out
    assert m.read("hmirror.db.v1.bak")[:15] == b"SQLite format 3" and m.sql("PRAGMA user_version") == [(17,)]
    nothing_left_for_a_sweep(m)


def test_a_killed_write_leaves_all_or_nothing(m):
    begin(m)
    m.run(*PEEK)
    rng = random.Random(5)
    killed = 0
    takes = 0.05
    for i in range(60):
        p = subprocess.Popen([HMIRROR, "add", "state", "lateral support material", f"value {i}", "-p", "p05"], cwd=m.dir, env=m.env,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(rng.random() * takes)
        p.send_signal(signal.SIGKILL)
        came_in_time = p.wait() == -signal.SIGKILL
        killed += came_in_time
        takes *= 1.1 if came_in_time else 0.8    # so that about as many are killed as not, however fast the machine is just now
        if i % 10 == 9:
            nothing_left_for_a_sweep(m)
            assert m.sql("PRAGMA integrity_check") == [("ok",)]
            assert m.sql("SELECT (SELECT count(*) FROM project_state) + 1 - (SELECT count(*) FROM journal WHERE verb = 'add')") == [(0,)]
    assert killed > 5, killed


def test_an_edit_says_where_the_new_value_is_from(m):
    m.facts(project("p05", "p05"), state("spindle_speed", "300 W", id="s1", source="card 2"),
            decision("300 W", "heater", id="e1", source_refs=["card 2"]))
    m.run("edit", "s1", "-s", "value=320 W", "--source", "survey 11", "--by", "lena")
    m.run("edit", "e1", "-P", "heater=330 W", "--source", "survey 12", "--by", "lena")
    rows = [json.loads(l) for l in m.run("export").out.splitlines()]
    state_row = next(r for r in rows if r.get("id") == "s1")
    entity_row = next(r for r in rows if r.get("id") == "e1")
    assert state_row["source"] == "survey 11" and entity_row["source_refs"] == ["survey 12"], (state_row, entity_row)
    m.fails("edit", "s1", "-s", "value=1 W", "--source", "a", "--source", "b")


if __name__ == "__main__":
    main(globals())
