"""Stores of versions 2 and 3, with what people decided: after an upgrade each conflict keeps its id, its page and its
silence. tests/data/store_v2.sql was made by the program of that version; store_v2.json says what it showed; likewise v3."""
import json
import os
import sqlite3

import harness
from harness import main

DATA = os.path.join(harness.TOP, "tests", "data")


def old_store(m, version=2):
    with open(os.path.join(DATA, f"store_v{version}.json"), encoding="utf-8") as f:
        then = json.load(f)
    db = sqlite3.connect(m.path("hmirror.db"))
    with open(os.path.join(DATA, f"store_v{version}.sql"), encoding="utf-8") as f:
        db.executescript(f.read())
    db.close()
    m.write("mirror.yml", "store: hmirror.db\n")
    return {c["id"]: c for c in then}


def listed(m):
    return {c["id"]: c for c in m.run("conflicts", "list", "--status", "all", "--format", "json").json()["conflicts"]}


def compare(then, now, split):
    """What was recorded is as it was; split: the id of the conflict that holds two disputes now."""
    for i, c in then.items():
        assert i in now, f"{i} on {c['slot_key']} is gone"
        for k in ("slot_key", "status", "action"):
            assert now[i][k] == c[k], (i, k, now[i][k], c[k])
        assert now[i]["disputed"] == c["disputed"], (i, c)
    new = [c for i, c in now.items() if i not in then]
    assert [c["slot_key"] for c in new] == [then[split]["slot_key"]] * len(new) and len(new) <= 1, new


def test_every_conflict_keeps_id_page_and_silence(m):
    then = old_store(m)
    owner = next(i for i, c in then.items() if c["slot_key"] == ["p05", "owner"])
    m.write("nothing.jsonl", "")
    compare(then, listed(m), owner)                      # read as it is
    m.run("import", "nothing.jsonl")
    compare(then, listed(m), owner)
    first = m.run("sweep", "--format", "json").json()
    assert first["opened"] == 1, first                   # Cid or Dee from 2026 is another question than Ann or Bob in 2020
    again = m.run("sweep", "--format", "json").json()
    assert again["opened"] == again["updated"] == 0, again
    now = listed(m)
    compare(then, now, owner)
    assert sorted(x["value"] for x in now[owner]["members"]) == ["Ann", "Bob"]
    assert now[owner]["window"] == ["2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z"]
    m.run("build", "-d", "site")
    m.run("publish", "--repo", "pages.git")
    for c in then.values():
        assert os.path.exists(m.path("site", c["page"])), c
        assert os.path.exists(m.path("site", c["page"].replace(".md", ".html"))), c
        shown = m.git("show", "mirror:" + c["page"], repo="pages.git")
        assert c["id"] in shown


def test_silence_holds_for_later_rows_with_known_values(m):
    old_store(m)
    m.run("sweep")
    m.write("later.jsonl", '{"kind":"project_state","id":"mount-3","project":"p05","category":"fact","key":"mount","value":"Three feet."}\n'
                           '{"kind":"memory","id":"flow-3","memory_type":"preference","project":"p05","content":"prefers rebase workflow"}\n')
    m.run("import", "later.jsonl")
    assert m.run("sweep", "--format", "json").json()["opened"] == 0
    m.write("new.jsonl", '{"kind":"project_state","id":"mount-4","project":"p05","category":"fact","key":"mount","value":"five feet"}\n')
    m.run("import", "new.jsonl")
    assert m.run("sweep", "--format", "json").json()["opened"] == 1


def test_version_3_counts_changes(m):
    then = old_store(m, 3)
    db = sqlite3.connect(m.path("hmirror.db"))
    facts = {t: db.execute(f"SELECT * FROM {t} ORDER BY 1, 2").fetchall() for t in
             ("memories", "entities", "project_state", "relations", "links", "projects", "project_aliases", "conflicts",
              "conflict_members", "journal", "verdicts")}
    said = db.execute("SELECT ref, source FROM import_sources WHERE ref NOT LIKE 'conflict:%' ORDER BY 1, 2").fetchall()
    runs = db.execute("SELECT * FROM sweep_runs ORDER BY id").fetchall()
    db.close()
    assert listed(m) == listed(m) and {i: c["status"] for i, c in listed(m).items()} == {i: c["status"] for i, c in then.items()}
    m.write("nothing.jsonl", "")
    m.run("import", "nothing.jsonl")
    db = sqlite3.connect(m.path("hmirror.db"))
    assert db.execute("PRAGMA user_version").fetchone() == (17,)
    assert said and said == db.execute("SELECT ref, source FROM evidence ORDER BY 1, 2").fetchall()
    # What a row has and its source never said is of who edited it, or another program.
    assert db.execute("SELECT source, record ->> '$.value' FROM evidence WHERE ref = 'project_state:g1'").fetchall() == [("sheet", "1 mm")]
    for t in ("memories", "entities"):
        facts[t] = [r + (None,) for r in facts[t]]   # via, since version 8
    facts["conflicts"] = [r + (None,) for r in facts["conflicts"]]   # winner_source, since version 13
    facts["conflict_members"] = [r + ("",) for r in facts["conflict_members"]]   # source, since version 13
    facts["journal"] = [r + (None,) for r in facts["journal"]]   # salt, since version 9
    assert facts == {t: db.execute(f"SELECT * FROM {t} ORDER BY 1, 2").fetchall() for t in facts}
    assert db.execute("SELECT * FROM sweep_runs ORDER BY id").fetchall() == [r + (0, "", 0, 0, "{}") for r in runs]
    names = [n for n, in db.execute("SELECT name FROM sqlite_schema WHERE name LIKE '%claim_%' ORDER BY name")]
    assert names == [], names
    assert db.execute("SELECT version FROM swept").fetchall() == [(None,)]
    db.close()
    first = m.run("sweep", "--format", "json").json()
    assert first["opened"] == 0, first                   # a third camera joins those that contradict each other
    now = listed(m)
    for i, c in then.items():
        assert {k: now[i][k] for k in c} == c, (i, now[i])
    assert set(now) == set(then)
    again = m.run("sweep", "--format", "json").json()
    assert again["opened"] == again["updated"] == 0, again


def test_version_5_tells_what_it_knows_of_its_sweeps(m):
    m.facts(*({"kind": "project_state", "id": v, "project": "p", "key": "k", "value": v} for v in "ab"))
    m.run("sweep")
    then = m.run("sweep", "--latest", "--format", "json").json()["sweep"]
    db = sqlite3.connect(m.path("hmirror.db"))
    for column in ("rules", "scope", "disputed", "acknowledged", "kinds"):
        db.execute(f"ALTER TABLE sweep_runs DROP COLUMN {column}")
    db.execute("PRAGMA user_version = 5")
    db.commit()
    db.close()
    old = {**then, "rules": 0, "disputed_count": 0}
    assert then["rules"] and m.run("sweep", "--latest", "--format", "json").json()["sweep"] == old      # read as it is
    assert m.run("health", "--format", "json").json()["last_run"] == old
    m.run("import", "facts.jsonl")
    assert m.sql("PRAGMA user_version") == [(17,)]
    assert m.run("sweep", "--latest", "--format", "json").json()["sweep"] == old
    m.run("sweep")
    assert m.run("sweep", "--latest", "--format", "json").json()["sweep"]["rules"] == then["rules"]


def test_version_6_has_no_proposals(m):
    m.facts(*({"kind": "project_state", "id": v, "project": "p", "key": "k", "value": v} for v in "ab"))
    m.run("sweep")
    then = listed(m)
    db = sqlite3.connect(m.path("hmirror.db"))
    for table in ("proposals", "proposal_rows", "judge_queue"):
        db.execute(f"DROP TABLE {table}")
    db.execute("PRAGMA user_version = 6")
    db.commit()
    db.close()
    records = m.run("export").out                        # read as it is
    assert listed(m) == then
    assert m.run("health", "--format", "json").json()["judge"]["waiting"] == 0
    assert m.sql("PRAGMA user_version") == [(6,)]
    m.run("import", "facts.jsonl")
    assert m.sql("PRAGMA user_version") == [(17,)]
    assert m.sql("SELECT count(*) FROM proposals") == m.sql("SELECT count(*) FROM judge_queue") == [(0,)]
    rows = "".join(x for x in m.run("export").out.splitlines(True) if '"kind":"evidence"' not in x)
    assert rows == records and listed(m) == then


def test_version_15_has_its_answers_in_another_form(m):
    m.facts(*({"kind": "project_state", "id": v, "project": "p", "key": "k", "value": v} for v in "ab"))
    m.run("sweep")
    then, shown = listed(m), m.run("show", "a", "--format", "json").json()
    assert shown["disputes"]
    db = sqlite3.connect(m.path("hmirror.db"))
    db.executescript("ALTER TABLE conflict_answers RENAME TO later; DROP TABLE conflict_rows;"
                     "CREATE TABLE conflict_answers (conflict_id TEXT PRIMARY KEY NOT NULL, project TEXT NOT NULL, disputed INTEGER NOT NULL,"
                     " settled INTEGER NOT NULL, json TEXT NOT NULL, shown TEXT) WITHOUT ROWID;"
                     "INSERT INTO conflict_answers SELECT conflict_id, project, disputed, settled, json, shown FROM later; DROP TABLE later;"
                     "PRAGMA user_version = 15; UPDATE swept SET version = number")
    db.execute(f"UPDATE swept SET schema = {db.execute('PRAGMA schema_version').fetchone()[0]}")
    db.commit()
    db.close()
    assert listed(m) == then and m.run("show", "a", "--format", "json").json() == shown      # read as it is
    m.run("import", "facts.jsonl")
    assert m.sql("PRAGMA user_version") == [(17,)] and listed(m) == then and m.run("show", "a", "--format", "json").json() == shown
    m.run("sweep")
    assert listed(m) == then and m.run("show", "a", "--format", "json").json() == shown
    assert m.sql("SELECT ref FROM conflict_rows ORDER BY ref") == [("project_state:a",), ("project_state:b",)]


def test_relations_of_an_old_store_claim(m):
    """The program of version 3 knew no kinds of relations: after the upgrade they contradict each other, once."""
    then = old_store(m, 3)
    db = sqlite3.connect(m.path("hmirror.db"))
    for e in ("arthur", "mordred", "paris", "france", "rome"):
        db.execute("INSERT INTO entities (id, entity_type, name, project, status) VALUES (?, 'Thing', ?, 'p05', 'active')", (e, e))
    for i, (type, a, b) in enumerate((("RULES", "arthur", "paris"), ("RULES", "mordred", "paris"), ("LOCATED_IN", "arthur", "paris"),
                                      ("LOCATED_IN", "arthur", "france"), ("PART_OF", "paris", "france"), ("LOCATED_IN", "mordred", "rome"),
                                      ("LOCATED_IN", "mordred", "france"))):
        db.execute("INSERT INTO relations (id, type, project, from_id, to_id, status) VALUES (?, ?, 'p05', ?, ?, 'active')", (f"x{i}", type, a, b))
    db.commit()
    db.close()
    m.write("nothing.jsonl", "")
    m.run("import", "nothing.jsonl")
    m.run("sweep")
    new = {tuple(c["slot_key"]): [x["member_id"] for x in c["members"]] for i, c in listed(m).items() if i not in then}
    assert new == {("p05", "RULES", "paris"): ["x0", "x1"], ("p05", "LOCATED_IN", "mordred"): ["x5", "x6"]}, new
    m.run("add", "memory", "--type", "episodic", "a write finds what a sweep found")
    again = m.run("sweep", "--format", "json").json()
    assert again["opened"] == again["updated"] == 0, again


if __name__ == "__main__":
    main(globals())
