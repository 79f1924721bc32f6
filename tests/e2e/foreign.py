"""Stores of other programs: read by their columns or a map, never written; the recipes of site-example/stores."""
import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import threading

from harness import HANGS, THOROUGH, TOP, Mirror, Skip, main, make_database

ATOCORE = """
CREATE TABLE projects(id TEXT PRIMARY KEY, name TEXT UNIQUE NOT NULL, description TEXT DEFAULT '', created_at DATETIME, updated_at DATETIME);
CREATE TABLE memories(id TEXT PRIMARY KEY, memory_type TEXT NOT NULL, content TEXT NOT NULL, project TEXT DEFAULT '', source_chunk_id TEXT,
  confidence REAL DEFAULT 1.0, status TEXT DEFAULT 'active', created_at DATETIME, updated_at DATETIME, reference_count INTEGER DEFAULT 0);
CREATE TABLE entities(id INTEGER PRIMARY KEY, entity_type TEXT, name TEXT, project TEXT, description TEXT, properties TEXT, status TEXT,
  confidence REAL, source_refs TEXT, created_at, updated_at);
CREATE TABLE project_state(id INTEGER PRIMARY KEY, project_id TEXT NOT NULL REFERENCES projects(id), category TEXT, key TEXT, value TEXT,
  source TEXT, confidence REAL, created_at DATETIME, updated_at DATETIME, status TEXT DEFAULT 'active');
CREATE TABLE chunks(id TEXT, body BLOB);
INSERT INTO projects VALUES('0b9f','p05','Interferometer','2026-01-01 00:00:00','2026-01-01 00:00:00');
INSERT INTO memories VALUES('m1','knowledge','lateral support material is PEEK','p05',NULL,0.9,'active','2026-04-01 10:00:00','2026-04-01 10:00:00',3);
INSERT INTO memories VALUES('m2','preference','prefers small diffs','',NULL,0.9,'active','2026-04-01 10:00:00','2026-04-01 10:00:00',3);
INSERT INTO entities VALUES(7,'Decision','Lateral support','p05','',
  '{"decision_target":"lateral support","decision_field":"material","value":"PEEK"}','active',1.0,'["review"]','2026-04-02 10:00:00','2026-04-02');
INSERT INTO project_state VALUES(1,'0b9f','decision','lateral_support_material','GF-PTFE','review 3',1.0,'2026-04-03 09:00:00','2026-04-03 09:00:00','active');
"""
ENGRAM = """
CREATE TABLE facts(id TEXT PRIMARY KEY, lineage_id TEXT NOT NULL, content TEXT NOT NULL, scope TEXT NOT NULL, agent_id TEXT, confidence REAL,
  committed_at TEXT NOT NULL, valid_until TEXT);
CREATE TABLE conflicts(id TEXT, fact_a TEXT, fact_b TEXT);
INSERT INTO conflicts VALUES('theirs','f1','f3');
INSERT INTO facts VALUES('f1','L1','rate limit is 1000 req/s','auth','a1',0.9,'2026-03-01T10:00:00Z',NULL);
INSERT INTO facts VALUES('f2','L1','rate limit is 2000 req/s','auth','a1',0.9,'2026-03-05T10:00:00Z',NULL);
INSERT INTO facts VALUES('f3','L2','rate limit is 5000 req/s','auth','a2',0.8,'2026-03-06T10:00:00Z',NULL);
INSERT INTO facts VALUES('f4','L3','token lifetime is 1 h','auth','a2',0.8,'2026-02-01T10:00:00Z','2026-03-01T00:00:00Z');
"""
NOTES = """
CREATE TABLE notes(body TEXT, topic TEXT, added INTEGER, done INTEGER);
INSERT INTO notes VALUES('the boiler pressure is 1.5 bar','house',1767225600,0);
INSERT INTO notes VALUES('call Anna',NULL,1767225601,0);
INSERT INTO notes VALUES('the boiler pressure is 2 bar','house',1767225602,1);
INSERT INTO notes VALUES('the gate code is 1234','house',1767225603,0);
INSERT INTO notes VALUES('The gate code is 4321','house',1767225604,0);
"""


def make(m, name, sql, wal=False):
    make_database(m.path(name), sql, wal)
    return m.path(name)


def recipe(m, name):
    shutil.copy(os.path.join(TOP, "site-example", "stores", name + ".yml"), m.path("mirror.yml"))


def digest(path):
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


def conflicts(m):
    return m.run("conflicts", "list", "--status", "all", "--format", "json").json()["conflicts"]


def test_atocore(m):
    store = make(m, "atocore.db", ATOCORE)
    before = digest(store)
    recipe(m, "atocore")
    m.run("sweep")
    [c] = conflicts(m)
    assert c["slot_key"] == ["p05", "lateral_support_material"]
    assert [(x["member_kind"], x["member_id"], x["value"]) for x in c["members"]] == [
        ("project_state", "1", "GF-PTFE"), ("entity", "7", "PEEK"), ("memory", "m1", "PEEK")]
    m.run("publish")
    m.run("build")
    page = m.text("site", "projects", "p05", "README.md")
    assert "⚠ disputed" in page and "GF-PTFE" in page
    assert digest(store) == before
    assert sorted(os.listdir(m.dir)) == ["atocore.db", "hmirror-review.db", "hmirror-review.db.cache", "hmirror-review.db.cache-2", "hmirror-review.db.lock", "mirror.git", "mirror.yml", "site"]
    assert m.run("sweep").out.startswith("4 rows")


def test_by_its_columns_without_a_map(m):
    store = make(m, "theirs.db", ATOCORE.replace("'0b9f'", "'p05'"))
    m.run("--store", store, "sweep")
    assert "p05 / lateral_support_material" in m.run("--store", store, "conflicts", "list").out


def test_a_subset_of_tables_and_columns(m):
    store = make(m, "theirs.db", "CREATE TABLE memories(content TEXT, memory_type TEXT); INSERT INTO memories VALUES"
                 "('gain is 3','knowledge'),('Gain: 3.0','knowledge'),('role: optical engineer','identity'),('role: mechanical engineer','identity')")
    m.run("--store", store, "sweep")
    got = m.run("--store", store, "conflicts", "list", "--format", "json").json()["conflicts"]
    assert [c["slot_key"] for c in got] == [["", "identity", "role"]]
    assert {x["member_id"] for x in got[0]["members"]} == {"3", "4"}


def test_engram(m):
    make(m, "engram.db", ENGRAM)
    recipe(m, "engram")
    m.write("more.jsonl", "")
    m.run("build")
    text = m.text("site", "projects", "auth", "memories", "2026.md")
    assert "rate limit is 1000 req/s" in text and "superseded" in text.lower() and "token lifetime" in text
    assert m.text("site", "conflicts.json").count('"theirs"') == 0


def test_notes(m):
    make(m, "notes.db", NOTES)
    recipe(m, "notes")
    m.run("build")
    text = m.text("site", "projects", "house", "entities", "parameter.md")
    assert "the boiler pressure is 1.5 bar" in text and "Status: invalid" in text
    assert [c["slot_key"] for c in m.run("--format", "json", "conflicts", "list").json()["conflicts"]] == [["house", "the_gate_code"]]
    assert "call Anna" in "".join(open(os.path.join(d, f)).read() for d, _, fs in os.walk(m.path("site")) for f in fs if f.endswith(".md"))


def test_a_store_of_prose_says_why_it_has_no_conflicts(m):
    """Rows that claim nothing are counted, and where they are nearly all that is told."""
    make(m, "prose.db", "CREATE TABLE memories(id INTEGER PRIMARY KEY, memory_type TEXT, content TEXT);" +
         "".join(f"INSERT INTO memories(memory_type, content) VALUES('{t}','We talked about it, number {i}.');" for i, t in enumerate(["note"] * 3 + ["knowledge"] * 8)) +
         "INSERT INTO memories(memory_type, content) VALUES('knowledge','area is 468');")
    m.write("mirror.yml", "store: prose.db\n")
    told = "hmirror: 11 of 12 active memories claim nothing"
    assert told in m.run("sweep").err and told in m.run("adopt", "ours.db").err
    assert "claim nothing  11 of 12 active memories (8 of 9 knowledge, 3 of 3 note)\n" in m.run("health").out
    want = {"active": 12, "silent": 11, "types": [{"type": "knowledge", "active": 9, "silent": 8}, {"type": "note", "active": 3, "silent": 3}]}
    for verb in ("health", "sweep"):
        assert m.run("--format", "json", verb).json()["silent"]["memory"] == want
    assert m.run("sweep", "-q").err == ""
    m.run("--store", "ours.db", "add", "memory", "-t", "knowledge", "volume is 3")
    assert m.run("--store", "ours.db", "sweep").err == "", "two of thirteen claim"


def test_a_review_file_of_another_store_is_told(m):
    make(m, "one.db", NOTES)
    make(m, "two.db", NOTES)
    recipe(m, "notes")
    m.write("mirror.yml", m.text("mirror.yml").replace("notes.db", "one.db"))
    at = lambda store, *args: m.run("--store", store, *args).err
    told = "this review file is of the store one.db"
    assert at("one.db", "sweep", "--dry-run") == at("one.db", "sweep") == at("one.db", "conflicts", "list") == "", "it is its own"
    assert at("./one.db", "health") == at(m.path("one.db"), "sweep") == at("one.db", "sweep") == "", "another way to the same file"
    for args in (["sweep"], ["conflicts", "list"], ["build"], ["health"]):
        err = at("two.db", *args)
        assert told in err and "two.db" in err and err.count(told) == 1, err
    assert m.run("--store", "two.db", "conflicts", "list").code == 0, "a word, and no more"
    assert told in at("two.db", "-q", "sweep"), "-q leaves out hints, no warning"
    db = sqlite3.connect(m.path("one.db"))
    db.executescript("ALTER TABLE notes ADD COLUMN colour; DELETE FROM notes WHERE body LIKE 'call%'; CREATE TABLE more(x)")
    db.commit()
    db.close()
    assert at("one.db", "sweep") == "", "its program wrote and added a column"
    os.rename(m.path("one.db"), m.path("moved.db"))
    assert told in at("two.db", "sweep"), "that store is gone, and this one has another shape"
    assert at("moved.db", "sweep") == at("moved.db", "health") == "", "the same one, moved"
    assert "of the store moved.db" in at("two.db", "health")
    assert at("two.db", "sweep", "--same-store") == at("two.db", "health") == "", "somebody said so"
    assert "of the store two.db" in at("moved.db", "health")


def test_same_store_same_bytes(m):
    make(m, "atocore.db", ATOCORE)
    recipe(m, "atocore")
    m.run("sweep")
    m.run("build", "-d", "a", "-j", "1")
    m.run("build", "-d", "b", "-j", "8", "--full")
    assert m.tree("a") == m.tree("b")


def test_reading_makes_no_review_file(m):
    make(m, "atocore.db", ATOCORE)
    recipe(m, "atocore")
    m.run("sweep", "--dry-run")
    m.run("build", "--no-sweep")
    m.run("health")
    assert "hmirror-review.db" not in os.listdir(m.dir)


def test_their_views_run_where_the_map_names_one(m):
    store = make(m, "theirs.db", ATOCORE + """
      CREATE TRIGGER t AFTER INSERT ON memories BEGIN DELETE FROM entities; END;
      CREATE VIEW relations AS SELECT 'r' AS id, 'PART_OF' AS type, 'a' AS from_id, 'b' AS to_id;
      CREATE VIEW seen AS SELECT 'v' AS id, 'knowledge' AS memory_type, trim(' a is b ') AS content;
      CREATE VIEW nameless AS SELECT 'a is c' AS content;""")
    assert '"kind":"relation"' not in m.run("--store", store, "export").out, "nobody named it"
    for entry in ("{layer: memories, table: seen}", "{layer: memories, select: SELECT * FROM seen}"):
        m.write("mirror.yml", f"store: {store}\nstore.map:\n  - {entry}\n")
        assert [(r["id"], r["content"]) for r in map(json.loads, m.run("export").out.splitlines())] == [("v", "a is b")]
    m.write("mirror.yml", f"store: {store}\nstore.map:\n  - {{layer: relations}}\n")
    assert '"from":"a","to":"b"' in m.run("export").out
    m.write("mirror.yml", f"store: {store}\nstore.map:\n  - {{layer: memories, table: nameless}}\n")
    m.fails("export", has=('view "nameless" has no column id', "it has content"))


def test_what_sqlite_would_not_have_written(m):
    """A virtual table whose schema does not begin as others do is not read either."""
    try:
        store = make(m, "theirs.db", "CREATE VIRTUAL TABLE memories USING fts5(id, content); INSERT INTO memories VALUES('m1', 'seen');"
                     "CREATE TABLE entities(id, name); PRAGMA writable_schema=ON;"
                     "UPDATE sqlite_schema SET sql = replace(sql, 'CREATE VIRTUAL', 'CREATE/**/VIRTUAL') WHERE name = 'memories'")
    except sqlite3.OperationalError:
        raise Skip("SQLite without FTS5, or one that does not let its schema be written")
    assert m.run("--store", store, "export").out == ""


def test_stores_of_any_shape(m):
    row = "INSERT INTO memories VALUES('m1', 'the frame mass is 3 kg');"
    table = "CREATE TABLE memories(id, content);" + row
    make(m, "wide.db", table + "CREATE TABLE wide(%s);" % ", ".join(f"c{i}" for i in range(1000)) +
         "CREATE VIEW long AS " + " UNION ALL ".join(["SELECT 1"] * 100))
    make(m, "keyed.db", "CREATE TABLE memories(id TEXT PRIMARY KEY, content) WITHOUT ROWID;" + row)
    make(m, "odd.db", "CREATE TABLE memories(id, content); INSERT INTO memories VALUES(NULL, 'no'), ('', 'no'), (x'FF00', x'FE00'),"
         " (1.5, zeroblob(9)), (-7, 'the frame mass is 3 kg')")
    assert [m.run("--store", s, "export").out.count("\n") for s in ("wide.db", "keyed.db", "odd.db")] == [1, 1, 3]
    for s in ("wide.db", "keyed.db", "odd.db"):
        m.run("--store", s, "sweep")
        m.run("--store", s, "build")
    make(m, "none.db", "CREATE TABLE memories(k TEXT PRIMARY KEY, content) WITHOUT ROWID")
    m.fails("--store", "none.db", "sweep", has=("memories", "store.map", "no column id"))
    make(m, "wide16.db", "PRAGMA encoding = 'UTF-16le';" + table)
    m.fails("--store", "wide16.db", "sweep", has="UTF-16")


def test_nothing_that_is_there_twice_is_passed_over(m):
    table = "CREATE TABLE memories(id, project, content);"
    for name, sql, has in (("a.db", "INSERT INTO memories VALUES('m', 'p', 'x'), ('m', 'p', 'y')", 'memory have the id "m"'),
                           ("b.db", "CREATE TABLE projects(id, name); INSERT INTO projects VALUES('p', 'A'), ('p', 'B')", 'project have the id "p"'),
                           ("c.db", "CREATE TABLE project_aliases(alias, project); INSERT INTO project_aliases VALUES('p', 'A'), ('p', 'B')",
                            'project_aliases have the id "p"')):
        make(m, name, table + sql)
        m.write("mirror.yml", f"review: review-{name}\n")
        m.fails("--store", name, "sweep", has=has)
        if name != "c.db":   # an export has no aliases of their own
            for verb in (["export"], ["export", "-o", "out.jsonl"], ["adopt", "out.db"]):
                m.fails("--store", name, *verb, has=has)
                assert not os.path.exists(m.path(verb[-1])), "nothing is half written"
    make(m, "d.db", table + "CREATE TABLE project_aliases(alias, project); INSERT INTO project_aliases VALUES('p', 'A'), ('p', 'A')")
    m.run("--store", "d.db", "sweep")


def test_a_review_file_that_is_none(m):
    make(m, "theirs.db", ATOCORE)
    recipe(m, "atocore")
    m.run("init", "other")
    m.write("other/facts.jsonl", json.dumps({"kind": "memory", "id": "x", "memory_type": "knowledge", "content": "a is b"}) + "\n")
    m.run("-C", "other", "import", "facts.jsonl")
    shutil.copy(m.path("other", "hmirror.db"), m.path("hmirror-review.db"))
    before = digest(m.path("hmirror-review.db"))
    make(m, "atocore.db", ATOCORE)
    for verb in (["sweep"], ["conflicts", "list"]):
        m.fails(*verb, has=("hmirror-review.db", "review file"))
    assert digest(m.path("hmirror-review.db")) == before
    os.unlink(m.path("hmirror-review.db"))
    os.link(m.path("atocore.db"), m.path("hmirror-review.db"))
    m.fails("sweep", has=("hmirror-review.db", "another program"))


def test_mistakes_in_the_map(m):
    store = make(m, "theirs.db", ENGRAM)
    bad = [("{layer: memory, table: facts}", "no such layer"), ("{layer: memories, table: fact}", 'no table "fact"'),
           ("{layer: memories, table: facts, columns: [body = content]}", '"body"'),
           ("{layer: memories, table: facts, columns: [content = body]}", '"body"'),
           ("{layer: memories, table: facts, columns: [content]}", "mirror.yml:3"),
           ("{layer: memories, select: SELECT}", "does not run"),
           ("{layer: memories, select: SELECT content FROM facts}", 'column "id"'),
           ("{layer: memories, select: SELECT 1 AS id; DELETE FROM facts}", "memories"),
           ("{layer: memories, select: DELETE FROM facts RETURNING id}", "memories"),
           ("{layer: memories, select: 'SELECT 1 AS id) x; DROP TABLE facts; --'}", "memories"),
           ("{layer: memories, select: 'SELECT 1 AS id UNION ALL SELECT 1'}", 'the id "1"'),
           ("{layer: memories, table: facts, select: SELECT 1 AS id}", "both"),
           ("{layer: memories, select: \"SELECT load_extension('x') AS id\"}", "not authorized"),
           ("{layer: memories, select: \"SELECT readfile('/etc/passwd') AS id\"}", "memories"),
           ("{layer: memories, select: \"SELECT id FROM pragma_table_list\"}", "memories")]
    before = digest(store)
    for text, has in bad:
        m.write("mirror.yml", f"store: {store}\nstore.map:\n  - {text}\n")
        m.fails("sweep", has=has)
    assert digest(store) == before
    m.write("mirror.yml", "store: ours.db\nstore.map:\n  - {layer: memories, table: facts}\n")
    m.run("import", "--store", "x.db", "-", code=2)
    make(m, "none.db", "CREATE TABLE t(x)")
    os.unlink(m.path("mirror.yml"))
    os.unlink(m.path("hmirror-review.db"))
    m.fails("--store", "none.db", "sweep", has=("none.db", "store.map"))
    assert "hmirror-review.db" not in os.listdir(m.dir)


WRITER = """
import os, sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], timeout=30, isolation_level=None)
i = 0
while i <= 20 or not os.path.exists(sys.argv[2]):
    i += 1
    db.execute("BEGIN")
    db.execute("UPDATE project_state SET value = ?", (f"v{i}",))
    time.sleep(0.001)
    db.execute("UPDATE entities SET properties = ?", ('{"decision_target":"lateral support","decision_field":"material","value":"v%d"}' % i,))
    db.execute("COMMIT")
print(i)
"""


def test_one_state_of_a_store_that_is_being_written(m):
    """Both rows always say the same in every committed state; a torn read would be a conflict."""
    store = make(m, "atocore.db", ATOCORE + "DELETE FROM memories;", wal=True)
    db = sqlite3.connect(store)
    db.execute("UPDATE project_state SET value = 'PEEK'")
    db.commit()
    db.close()
    recipe(m, "atocore")
    p = subprocess.Popen([sys.executable, "-c", WRITER, store, m.path("enough")], stdout=subprocess.PIPE)
    try:
        for _ in range(100 if THOROUGH else 20):
            assert "0 conflicts opened" in m.run("sweep").out
    finally:
        m.write("enough", "")
    assert int(p.communicate(timeout=HANGS)[0]) > 20


def test_locked_and_damaged(m):
    store = make(m, "atocore.db", ATOCORE)
    recipe(m, "atocore")
    m.run("sweep")
    with open(store, "r+b") as f:
        f.truncate(5000)
    m.fails("sweep", has="atocore.db")
    m.write("atocore.db", "not a database at all" * 100)
    m.fails("sweep", has="not a SQLite file")


def test_verdicts_stand_in_the_review_file(m):
    store = make(m, "atocore.db", ATOCORE)
    before = digest(store)
    recipe(m, "atocore")
    m.run("sweep")
    id = conflicts(m)[0]["id"]
    m.run("conflicts", "dismiss", id, "--reason", "two supports")
    assert conflicts(m)[0]["status"] == "dismissed"
    assert "0 conflicts opened" in m.run("sweep").out
    m.run("conflicts", "reopen", id)
    said = m.fails("conflicts", "resolve", id, "--winner", "project_state:1", "--notes", "review 3", has="hmirror adopt")
    assert "another program" in said
    assert conflicts(m)[0]["status"] == "open"
    m.run("conflicts", "resolve", id, "--no-action", "--notes", "known")
    assert conflicts(m)[0]["status"] == "resolved"
    assert digest(store) == before


def test_changes_are_refused_with_the_way_out(m):
    make(m, "atocore.db", ATOCORE)
    recipe(m, "atocore")
    m.write("f.jsonl", json.dumps({"kind": "memory", "id": "x", "memory_type": "knowledge", "content": "a is b"}) + "\n")
    for args in (["import", "f.jsonl"], ["add", "memory", "--type", "knowledge", "a is b"], ["supersede", "memory:m1", "memory:m2"],
                 ["edit", "memory:m1", "--set", "content=x"]):
        m.fails(*args, has="hmirror adopt")


def test_adopt_takes_nobodys_place(m):
    make(m, "atocore.db", ATOCORE)
    recipe(m, "atocore")
    os.symlink("elsewhere.db", m.path("ours.db"))
    m.fails("adopt", "ours.db", has="there already")
    m.fails("adopt", "nowhere/ours.db", has="nowhere/ours.db")
    assert os.path.islink(m.path("ours.db")) and not os.path.exists(m.path("elsewhere.db"))


def test_adopt_beside_what_others_left(m):
    """A dead run's half is made anew; what is no such thing stays."""
    make(m, "atocore.db", ATOCORE)
    recipe(m, "atocore")
    half = make(m, "ours.db.adopting", "CREATE TABLE half(x)")
    m.write("ours.db.adopting-journal", b"left")
    m.run("adopt", "ours.db")
    assert not [n for n in os.listdir(m.dir) if "adopting" in n]
    os.unlink(m.path("ours.db"))
    m.write("ours.db.adopting", "a letter")
    m.fails("adopt", "ours.db", has="ours.db.adopting")
    assert m.text("ours.db.adopting") == "a letter"
    os.rename(half, m.path("letter"))
    os.symlink("letter", half)
    m.fails("adopt", "ours.db", has="ours.db.adopting")
    os.unlink(half)
    os.mkfifo(half)
    m.fails("adopt", "ours.db", has="ours.db.adopting")
    os.unlink(half)
    store = make(m, "mine.db", "CREATE TABLE mine(x)")
    os.link(store, half)
    m.run("adopt", "ours.db")
    db = sqlite3.connect(store)
    assert db.execute("SELECT count(*) FROM mine").fetchone() == (0,), "another name of a file is let go, the file is not"
    db.close()
    assert m.text("letter") == "a letter"
    os.unlink(m.path("ours.db"))
    os.symlink("nowhere.db", m.path("ours.db"))
    m.fails("adopt", "ours.db", has="something is there")
    assert not os.path.exists(m.path("nowhere.db"))


def test_adopt(m):
    make(m, "atocore.db", ATOCORE)
    recipe(m, "atocore")
    m.run("sweep")
    id = conflicts(m)[0]["id"]
    m.run("conflicts", "dismiss", id, "--reason", "two supports")
    theirs = m.run("export").out
    m.run("build", "-d", "a")
    m.run("adopt", "ours.db")
    m.fails("adopt", "ours.db", has="something is there")
    m.write("mirror.yml", "title: Human Mirror of AtoCore\nstore: ours.db\n")
    assert "".join(x for x in m.run("export").out.splitlines(True) if '"kind":"evidence"' not in x) == theirs
    m.run("build", "-d", "b")
    assert m.tree("a") == m.tree("b")
    m.fails("adopt", "again.db", has="hmirror's already")
    assert " claim:\n" in m.run("adopt", "--dry-run").out
    m.write("f.jsonl", json.dumps({"kind": "memory", "id": "x", "memory_type": "knowledge", "content": "a is b"}) + "\n")
    m.run("import", "f.jsonl")


if __name__ == "__main__":
    main(globals())
