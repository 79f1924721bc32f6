#!/usr/bin/env python3
"""init --from: the store.map that it writes for another program's store runs as it is, and what it does not read is listed."""
import contextlib
import json
import os
import random
import sqlite3

from harness import THOROUGH, main, make_database


def make(m, sql, name="theirs.db"):
    make_database(m.path(name), sql)


def fresh(m, *names):
    for n in names or ("mirror.yml", "theirs.db", ".gitattributes"):
        if os.path.exists(m.path(n)):
            os.unlink(m.path(n))


def export(m):
    return [json.loads(line) for line in m.run("export").out.splitlines()]


NOTES = """
CREATE TABLE notes(body TEXT, topic TEXT, added INTEGER, done INTEGER, mood TEXT);
INSERT INTO notes VALUES('the boiler pressure is 1.5 bar', 'house', 1767225600, 0, 'x'), ('the boiler pressure is 2 bar', 'house', 1767225601, 1, 'x');
CREATE TABLE settings("key" TEXT PRIMARY KEY, value); INSERT INTO settings VALUES('boiler pressure', '3 bar');
CREATE TABLE devices(id INTEGER PRIMARY KEY, name TEXT, ip TEXT, "group" TEXT, photo BLOB, rack_id INT, status TEXT);
INSERT INTO devices VALUES(1, 'db1', '10.0.0.1', 'prod', x'00', 4, 'live'), (2, 'db1', '10.0.0.2', 'prod', x'00', 5, 'odd, so'), (3, 'o''x', '10.0.0.2', 'prod', x'00', 6, 'Deleted');
CREATE TABLE edges(src INT, dst INT, kind, PRIMARY KEY(src, dst)) WITHOUT ROWID; INSERT INTO edges VALUES(1, 2, 'USES');
CREATE TABLE projects(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO projects VALUES(1, 'house');
CREATE TABLE change_log(id, content TEXT); INSERT INTO change_log VALUES(1, 'gain is 3');
CREATE VIEW seen AS SELECT body FROM notes; CREATE VIEW broken AS SELECT x FROM nowhere;
"""


def test_a_store_of_every_layer(m):
    make(m, NOTES)
    out = m.run("init", "--from", "theirs.db").out
    assert out.startswith("made mirror.yml: how theirs.db is read\n  memories       from notes: content from body, project from topic, created_at from added, status from done\n"
                          "  entities       from devices: name from name, entity_type from group, status from status\n  project_state  from settings: key from key, value from value\n"
                          "  relations      from edges: from from src, to from dst, type from kind\n  projects       from projects: name from name\n"), out
    assert "hmirror adopt --dry-run" in out and not os.path.exists(m.path("hmirror.db"))
    text = m.text("mirror.yml")
    for part in ("# notes; not read of it: mood\n", "# devices; not read of it: photo, rack_id\n", "#   change_log: id, content\n", "#   view seen: body\n", "#   view broken: \n",
                 'statuses: ["invalid = Deleted", "active = live"]\n', '"odd, so"'):
        assert part in text, (part, text)
    rows = {(r["kind"], r["id"]): r for r in export(m)}
    assert len(rows) == 8
    assert rows["memory", "1"] == {"kind": "memory", "id": "1", "memory_type": "knowledge", "content": "the boiler pressure is 1.5 bar", "project": "house",
                                   "status": "active", "slot_rule": "*", "created_at": "2026-01-01T00:00:00Z"}
    assert rows["memory", "2"]["status"] == "invalid"
    assert rows["entity", "1"] == {"kind": "entity", "id": "1", "entity_type": "prod", "name": "db1", "project": "", "properties": {"ip": "10.0.0.1"}, "status": "active"}
    assert (rows["relation", "1:2"]["from"], rows["relation", "1:2"]["to"], rows["relation", "1:2"]["type"]) == ("1", "2", "USES")
    assert rows["project_state", "boiler pressure"]["value"] == "3 bar" and rows["project", "house"]
    assert 'entity "odd, so" (1)' in m.run("health").out


def layer_of(m, sql, what):
    fresh(m)
    make(m, sql)
    m.run("init", "--from", "theirs.db")
    return [r for r in export(m) if r["kind"] == what]


def test_what_names_mean(m):
    """Synonyms, whatever their case and separators."""
    for content in ("content", "text", "Body", "fact", "memory", "observation", "statement"):
        for created in ("created_at", "createdAt", "Created", "TIMESTAMP", "committed-at"):
            [r] = layer_of(m, f"CREATE TABLE t(uuid TEXT PRIMARY KEY, \"{content}\" TEXT, \"{created}\" REAL, expires_at INT, is_deleted INT);"
                           "INSERT INTO t VALUES('u', 'gain is 3', 1712345578.5, 1812345578, 1);", "memory")
            assert (r["id"], r["content"], r["created_at"], r["valid_until"], r["status"]) == ("u", "gain is 3", "2024-04-05T19:32:58.5Z", "2027-06-07T05:19:38Z", "invalid")
    [r] = layer_of(m, "CREATE TABLE observations(id INTEGER PRIMARY KEY, entity_name TEXT, content TEXT, deleted_at); INSERT INTO observations VALUES(4, 'Alice', 'is 30', NULL);", "memory")
    assert r["slot_rule"] == "Alice *" and r["status"] == "active"
    [r] = layer_of(m, "CREATE TABLE memories(id TEXT, type TEXT, content TEXT, confidence REAL); INSERT INTO memories VALUES('a', 'preference', 'prefers tabs', 0.5);", "memory")
    assert (r["memory_type"], r["confidence"]) == ("preference", 0.5)
    for a, b in (("from_id", "to_id"), ("source", "target"), ("src", "dst"), ("fromEntity", "toEntity"), ("subject", "object")):
        [r] = layer_of(m, f"CREATE TABLE triples(id TEXT PRIMARY KEY, {a}, {b}, predicate TEXT); INSERT INTO triples VALUES('t', 'x', 'y', 'KNOWS');", "relation")
        assert (r["from"], r["to"], r["type"]) == ("x", "y", "KNOWS")


def test_what_values_mean(m):
    """A name may mislead; what is in the column does not. Nothing is guessed that is not told."""
    make_memory = "CREATE TABLE notes(id INTEGER PRIMARY KEY, {});"
    # A column without a value is no text; one that nobody filled yet may still end a row.
    [r] = layer_of(m, make_memory.format("text TEXT, content TEXT, deleted_at, valid_until, body TEXT") + "INSERT INTO notes VALUES(1, NULL, '', NULL, NULL, 'gain is 3');", "memory")
    assert r["content"] == "gain is 3" and r["status"] == "active" and "deleted_at" in m.text("mirror.yml")
    assert "not read of it: text, content\n" in m.text("mirror.yml")
    # Lists of texts are facts, one by one, whatever else their rows have under the names of json_each.
    rows = layer_of(m, make_memory.format("type TEXT, key TEXT, summary TEXT, facts TEXT, labels TEXT")
                    + """INSERT INTO notes VALUES(7, 'a', 'k', NULL, '["gain is 3", "gain is 4"]', '["x"]'), (8, 'a', 'k', NULL, NULL, '[]'), (9, 'b', 'k', NULL, '["bias is 2"]', '["y", "z"]');""", "memory")
    assert [(r["id"], r["content"], r.get("tags")) for r in rows] == [("7-0", "gain is 3", ["x"]), ("7-1", "gain is 4", ["x"]), ("9-0", "bias is 2", ["y", "z"])], rows
    os.unlink(m.path("mirror.yml"))
    assert "content from facts, tags from labels, one for each of its list\n" in m.run("init", "--from", "theirs.db").out
    # Lists of anything else are none, and tags that are no list are told.
    [r] = layer_of(m, make_memory.format("facts TEXT, tags TEXT, body TEXT") + "INSERT INTO notes VALUES(1, '[1, 2]', 'a,b', 'gain is 3');", "memory")
    assert r["content"] == "[1, 2]" or r["content"] == "gain is 3"
    assert "tags" not in r and "tags" in m.text("mirror.yml")
    # A room with more than one value is the project; a session or a conversation never is.
    for column in ("channel", "space", "channel_id", "workspace", "namespace"):
        for other, projects in (("b", ["a", "b"]), ("a", ["a", "a"] if column[0] in "wn" else [None, None])):
            rows = layer_of(m, make_memory.format(f"body TEXT, session_id TEXT, conversation TEXT, {column} TEXT")
                            + f"INSERT INTO notes VALUES(1, 'gain is 3', 's1', 'c1', 'a'), (2, 'gain is 4', 's2', 'c2', '{other}');", "memory")
            assert [r.get("project") or None for r in rows] == projects, (column, rows)
            m.run("sweep")
            got = m.run("--format", "json", "conflicts", "list").json()["conflicts"]
            assert sum(c["disputed"] for c in got) == (other == "a"), (column, other, got)


def test_what_is_gone(m):
    """False, and a time that never was, are written in many ways; a row that is gone is no fact, and one that is there is."""
    for column, there, gone in (("is_deleted", "0", "1"), ("is_deleted", "'f'", "'t'"), ("trashed", "'false'", "'true'"), ("deleted_at", "0", "1767225600"), ("deleted_time", "''", "'2026-01-01'"),
                                ("deletedAt", "NULL", "1767225600"), ("is_active", "'true'", "'false'"), ("active", "'Y'", "'N'"), ("enabled", "1", "NULL")):
        rows = layer_of(m, f"CREATE TABLE notes(id TEXT PRIMARY KEY, body TEXT, {column}); INSERT INTO notes VALUES('a', 'gain is 3', {there}), ('b', 'gain is 4', {gone});", "memory")
        assert [r["status"] for r in rows] == ["active", "invalid"], (column, there, rows)


def test_times_and_ends(m):
    """A fact that was true until it was not contradicts nothing that was true from then on; seconds to live are no time."""
    rows = layer_of(m, "CREATE TABLE facts(sku TEXT PRIMARY KEY, fact TEXT, valid_at TEXT, invalid_at TEXT, expired_at TEXT, created_time INT, last_edited_time INT, ttl INT);"
                    "INSERT INTO facts VALUES('a', 'gain is 3', '2026-01-01', '2026-02-01', NULL, 1767225600000, 1767225600000, 3600), ('b', 'gain is 4', '2026-02-01', NULL, NULL, 1769904000000, 1769904000000, 3600);", "memory")
    assert [(r["valid_from"], r.get("valid_until"), r["created_at"], r["updated_at"]) for r in rows] == [
        ("2026-01-01", "2026-02-01", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"), ("2026-02-01", None, "2026-02-01T00:00:00Z", "2026-02-01T00:00:00Z")], rows
    assert m.run("conflicts", "list").out == "No open conflicts.\n" and "# facts; not read of it: expired_at, ttl\n" in m.text("mirror.yml")
    [r] = layer_of(m, "CREATE TABLE entity_edge(uuid TEXT PRIMARY KEY, source_node_uuid TEXT, target_node_uuid TEXT, name TEXT, fact TEXT); INSERT INTO entity_edge VALUES('e', 'x', 'y', 'KNOWS', 'x knows y');", "relation")
    assert (r["from"], r["to"], r["type"]) == ("x", "y", "KNOWS")


def test_ids(m):
    """The key, else a column that holds each value once, else the row number."""
    rows = "INSERT INTO notes VALUES('a', 'an x'), ('b', 'a y');"
    assert [r["id"] for r in layer_of(m, "CREATE TABLE notes(id, text);" + rows, "memory")] == ["a", "b"]
    assert [r["id"] for r in layer_of(m, "CREATE TABLE notes(id, text);" + rows + "INSERT INTO notes VALUES('a', 'a z');", "memory")] == ["1", "2", "3"]
    assert [r["id"] for r in layer_of(m, "CREATE TABLE notes(id, text);" + rows + "INSERT INTO notes VALUES(NULL, 'a z');", "memory")] == ["1", "2", "3"]
    assert [r["id"] for r in layer_of(m, "CREATE TABLE notes(k TEXT PRIMARY KEY, text);" + rows, "memory")] == ["a", "b"]
    assert [r["id"] for r in layer_of(m, "CREATE TABLE notes(k, text, PRIMARY KEY(k, text)) WITHOUT ROWID;" + rows, "memory")] == ["a:an x", "b:a y"]


def test_no_facts(m):
    for sql in ("CREATE TABLE t(x, y);", "CREATE TABLE event_log(id, content);", "CREATE VIEW v AS SELECT 1 AS content;", "CREATE TABLE projects(id, name);"):
        fresh(m)
        make(m, sql)
        out = m.run("init", "--from", "theirs.db").out
        assert "no table looks as if it held facts" in out and "\nnext:\n  say under store.map in mirror.yml" in out, out
        assert "#store.map:" in m.text("mirror.yml") and "# What is not read" in m.text("mirror.yml") or "projects" in sql
        m.fails("sweep", has=["without a table of facts", "say under store.map in mirror.yml"])


def test_what_stands_in_the_way(m):
    make(m, NOTES)
    m.run("init", "ours")
    m.fails("init", "--from", "ours/hmirror.db", has="hmirror's already")
    m.fails("init", "--from", "none.db", has="no such file")
    m.write("text.db", "no store " * 100)
    m.fails("init", "--from", "text.db", has=["not a SQLite file", "CSV and JSON Lines are read by `hmirror import`"])
    m.fails("--store", "x.db", "init", "--from", "theirs.db", has="--store")
    m.write("mirror.yml", "title: mine\n")
    m.fails("init", "--from", "theirs.db", has="there already")
    assert m.text("mirror.yml") == "title: mine\n"
    m.run("init", "--from", "theirs.db", "there")
    assert m.run("-C", "there", "sweep").out.startswith("7 rows"), "its path is right from there"
    got = m.run("--format", "json", "init", "--from", "theirs.db", "json").json()
    assert {**got["layers"][0], "reads": ""} == {"layer": "memories", "table": "notes", "reads": ""} and "content from " in got["layers"][0]["reads"]


def test_the_dry_run_of_adopt(m):
    """Every row is counted once: it claims, or it is silent for one reason."""
    make(m, NOTES + "INSERT INTO notes VALUES('call Anna', 'house', NULL, 0, NULL), ('the gate code is not known yet', '', NULL, 0, NULL), ('write Bob', '', NULL, 0, NULL),"
         " ('read', '', NULL, 0, NULL), ('', '', NULL, 0, NULL);")
    m.run("init", "--from", "theirs.db")
    before = m.tree()
    out = m.run("adopt", "--dry-run").out
    assert m.tree() == before, "nothing is written"
    for part in ("memories: 7 rows are read\n  1 claim:\n    memory:1  house / boiler_pressure: 1.5 bar\n",
                 "  1 silent; each is invalid:\n    memory:2  the boiler pressure is 2 bar\n",
                 "  3 silent; each says nothing of the form \"SUBJECT is VALUE\" that can be read:\n    memory:3  call Anna\n",
                 "  1 silent; each says that its value is not known:\n", "  1 silent; each has no text:\n    memory:7  \n",
                 "entities: 3 rows are read\n  1 claim:\n    entity:1  prod_db1_ip: 10.0.0.1\n", "  1 silent; each has a status that is not known:\n    entity:2  prod: db1\n",
                 "relations: 1 row is read\n", "; nothing was copied or recorded\n"):
        assert part in out, (part, out)
    got = m.run("--format", "json", "adopt", "-n").json()
    assert [(l["layer"], l["read"], sum(r["rows"] for r in l["rows"])) for l in got["layers"]] == [("memories", 7, 7), ("entities", 3, 3), ("project_state", 1, 1), ("relations", 1, 1)]
    assert got["layers"][0]["rows"][0] == {"silent": None, "rows": 1, "samples": [{"row": "memory:1", "text": "house / boiler_pressure: 1.5 bar"}]}
    m.fails("adopt", has=("FILE", "--dry-run"))
    m.run("adopt", "ours.db")
    m.fails("--store", "ours.db", "adopt", "--dry-run", has="store.map is given")


NAMES = ["id", "key", "name", "content", "Text", "value", "from", "to", "order", "status", "created_at", "type", "kind", "project_id", "it's", 'a "b"', "x y", "ünï", "a\nb", "a, b", "#c", ": d",
         "[e]", "'", '"', "tags", "embedding", "deleted", "properties", "subject", "object", "rowid", "*", "a'||'b", "--", "/*", "{f}", "null", "\x01", "\t", "x" * 300]
TABLES = ["notes", "facts", "edges", "devices", "settings", "projects", "order", "it's", 'say "hi"', "a\nb", "x y", "#", "-- drop", "entity", "links", "memories", "log", "ünï", "t" * 300]


def test_any_names(m):
    """Whatever tables and columns are called, the map that is written runs, or there is none."""
    rnd = random.Random(7)
    quote = lambda s: '"' + s.replace('"', '""') + '"'
    for i in range(60 if THOROUGH else 15):
        fresh(m)
        db = sqlite3.connect(m.path("theirs.db"))
        for t in rnd.sample(TABLES, rnd.randint(1, 6)):
            columns = rnd.sample(NAMES, rnd.randint(1, 12))
            key = rnd.choice(["", f", PRIMARY KEY({quote(columns[0])})", f", PRIMARY KEY({quote(columns[0])}, {quote(columns[-1])})" if len(columns) > 1 else ""])
            types = [rnd.choice([" TEXT", " INTEGER", "", " BLOB", " REAL"]) for _ in columns]
            db.execute(f"CREATE TABLE {quote(t)}({', '.join(quote(c) + typ for c, typ in zip(columns, types))}{key})")
            for k in range(3):
                with contextlib.suppress(sqlite3.IntegrityError):
                    db.execute(f"INSERT OR IGNORE INTO {quote(t)} VALUES({', '.join('?' * len(columns))})", [rnd.choice([None, k, f"gain {k} is 3", 1712345578 + k, 0.5, "open", b"\xff" if typ in ("", " BLOB") else None]) for typ in types])
        db.commit()
        db.close()
        out = m.run("init", "--from", "theirs.db").out
        if "no table looks" not in out:
            m.run("sweep", "--dry-run")
            m.run("export")


def test_many_tables_and_columns(m):
    make(m, "CREATE TABLE notes(id, content, " + ", ".join(f"c{i}" for i in range(1900)) + ");" + "".join(f"CREATE TABLE t{i}(x);" for i in range(600)))
    m.run("init", "--from", "theirs.db")
    text = m.text("mirror.yml")
    assert "and 1840 more" in text and "#   and 400 more" in text and len(text) < 20000, len(text)
    m.run("sweep")


if __name__ == "__main__":
    main(globals())
