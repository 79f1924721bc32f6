#!/usr/bin/env python3
"""store.map: every name in it means something, a mistake is told with what there is; times, statuses and subjects of other programs."""
import json
import sqlite3

from harness import main, make_database

NOTES = "CREATE TABLE notes(k INTEGER PRIMARY KEY, body TEXT, topic TEXT, valid_from, valid_until, added, state);"
EDGES = "CREATE TABLE edges(k INTEGER PRIMARY KEY, kind TEXT, a TEXT, b TEXT);INSERT INTO edges VALUES(1, 'PART_OF', 'x', 'y');"


def make(m, sql, name="theirs.db"):
    make_database(m.path(name), sql)


def config(m, *entries):
    m.write("mirror.yml", "store: theirs.db\nstore.map:\n" + "".join(f"  - {e}\n" for e in entries))


def export(m):
    return [json.loads(line) for line in m.run("export").out.splitlines()]


def test_keys_of_the_import_format(m):
    make(m, EDGES)
    for entry in ("{layer: relations, table: edges, columns: [id = k, type = kind, from = a, to = b]}",
                  "{layer: relations, table: edges, columns: [id = k, type = kind, from_id = a, to_id = b]}",
                  "{layer: relations, select: 'SELECT k AS id, kind AS type, a AS \"from\", b AS to_id FROM edges'}"):
        config(m, entry)
        got = export(m)
        assert got == [{"kind": "relation", "id": "1", "type": "PART_OF", "project": "", "from": "x", "to": "y", "status": "active"}], got


def test_a_mistake_is_told_with_what_there_is(m):
    make(m, NOTES + EDGES)
    memories = "this layer has id, memory_type, content, project, status"
    for entry, has in (
            ("{layer: memories, table: notes, columns: [contents = body]}", ('"contents"; did you mean "content"?', memories, "subject")),
            ("{layer: memories, table: notes, columns: [type = body]}", ('"type"; did you mean "memory_type"?', memories)),
            ("{layer: memories, table: notes, columns: [content = bdoy]}", ('"bdoy" for content; did you mean "body"?', "it has k, body, topic")),
            ("{layer: memories, table: note}", ('no table "note"; did you mean "notes"?', "it has edges, notes")),
            ("{layer: memory, table: notes}", ('no such layer; did you mean "memories"?', "give one of projects, project_aliases, memories")),
            ("{layer: memories, select: 'SELECT k AS id, body AS content, valid_from AS valid_fron FROM notes'}", ('"valid_fron"; did you mean "valid_from"?', memories)),
            ("{layer: memories, select: 'SELECT k AS id, body AS content, upper(topic) FROM notes'}", ('"upper(topic)"', memories)),
            ("{layer: entities, select: 'SELECT k AS id, body AS name, topic AS subject FROM notes'}", ('"subject"', "entity_type")),
            ("{layer: memories, table: notes, times: minutes}", ('no unit of times is called "minutes"', "milliseconds")),
            ("{layer: memories, table: notes, statuses: [done = x]}", ('no status of ours is called "done"', "superseded")),
            ("{layer: links, select: 'SELECT a AS src, b AS dst FROM edges', statuses: [active = x]}", ("this layer has no status",)),
            ("{layer: memories, table: notes, columns: [id = k], statuses: [active = x]}", ("it has no column status", "it has k, body", "columns: [status = ...]")),
            ("{layer: memories, table: notes, statuses: [active]}", ("mirror.yml:3", "not a pair", "active = open"))):
        config(m, entry)
        m.fails("export", has=has)
    config(m, "{layer: memories, table: notes}", "{layer: memories, select: SELECT 1 AS id}")
    m.fails("export", has=("memories: given twice", "UNION ALL"))


def test_a_column_that_a_select_takes_as_it_stands(m):
    make(m, NOTES + "INSERT INTO notes(body, topic) VALUES('gain is 3', 'p1');")
    for select in ("SELECT *, k AS id, body AS content, topic AS project FROM notes", "SELECT k, k AS id, topic, body AS content FROM notes",
                   "WITH n AS (SELECT * FROM notes) SELECT n.*, k AS id, body AS content FROM n"):
        config(m, "{layer: memories, select: '%s'}" % select)
        assert export(m)[0]["content"] == "gain is 3"


def test_nothing_but_the_map_is_read(m):
    make(m, NOTES + "INSERT INTO notes(body) VALUES('gain is 3');CREATE TABLE entities(id, name);INSERT INTO entities VALUES('e', 'x');"
         "CREATE TABLE conflicts(a); INSERT INTO conflicts VALUES('theirs');")
    config(m, "{layer: memories, table: notes, columns: [id = k, content = body]}")
    assert [r["kind"] for r in export(m)] == ["memory"]
    config(m, "{layer: memories, table: notes, columns: [id = k, content = body]}", "{layer: entities}")
    assert [r["kind"] for r in export(m)] == ["memory", "entity"]
    config(m, "{layer: memories, select: 'SELECT 1 AS id, a AS content FROM conflicts'}")
    assert export(m)[0]["content"] == "theirs", "their table, not ours of the name"


def times(m, *values, told=""):
    make(m, NOTES + "".join(f"INSERT INTO notes(body, added) VALUES('gain is 3', {v});" for v in values), name="theirs.db")
    config(m, "{layer: memories, table: notes, columns: [id = k, content = body, created_at = added]%s}" % (told and f", times: {told}"))
    said = [r.get("created_at", r.get("as_stored", {}).get("created_at")) for r in export(m)]
    db = sqlite3.connect(m.path("theirs.db"))
    db.execute("DROP TABLE notes")
    db.commit()
    db.close()
    return said


def test_times_by_their_size(m):
    at = "2024-04-05T19:32:58Z"
    assert times(m, 1712345578, "'1712345578'", 1712345578000, 1712345578000000, 1712345578000000000, 2460406.314560185) == [at] * 6
    assert times(m, 1712345578.123, 1712345578123, "'1712345578.123'") == ["2024-04-05T19:32:58.123Z"] * 3
    assert times(m, 631152000, 4102444799, 631152000000) == ["1990-01-01T00:00:00Z", "2099-12-31T23:59:59Z", "1990-01-01T00:00:00Z"]
    assert times(m, "'2024-04-05 19:32:58'", 2024, "'2024'", "'2024-04'", "NULL", 0) == ["2024-04-05 19:32:58", "2024", "2024", "2024-04", None, None]
    odd = [20240405, 631151999, 4102444800, 253402300799, -1712345578, 17]
    assert times(m, *odd) == [str(v) for v in odd], "which unit is not known: it stays"
    assert times(m, "'call at 1712345578'", "'1712345578s'", "x'31'") [:2] == ["call at 1712345578", "1712345578s"]


def test_times_that_the_map_tells(m):
    assert times(m, 86400, 253402300799, -86400, 0, told="seconds") == ["1970-01-02T00:00:00Z", "9999-12-31T23:59:59Z", "1969-12-31T00:00:00Z", None]
    assert times(m, 86400000.5, "'86400001'", "'2024-04'", told="milliseconds") == ["1970-01-02T00:00:00.0005Z", "1970-01-02T00:00:00.001Z", "2024-04"]
    assert times(m, 86400000000, told="microseconds") == times(m, 86400000000000, told="nanoseconds") == ["1970-01-02T00:00:00Z"]
    assert times(m, 2440588.5, told="julian") == ["1970-01-02T00:00:00Z"]
    assert times(m, 9223372036854775807, "'9223372036854775807'", 1e300, told="seconds")[:2] == ["9223372036854775807"] * 2


def test_windows_by_numbers(m):
    """A bound that is a number is one: two texts that hold one after the other do not contradict each other."""
    make(m, "CREATE TABLE project_state(id, project, key, value, valid_from, valid_until, created_at);"
         "INSERT INTO project_state VALUES('a', 'p', 'gain', '3', 1704067200, 1711929600, 1704067200), ('b', 'p', 'gain', '4', 1711929600, 0, 1711929600);")
    m.write("mirror.yml", "store: theirs.db\n")
    assert m.run("sweep").out.startswith("2 rows, 2 claims, 1 slot: 0 conflicts")
    make(m, "UPDATE project_state SET valid_until = 1719792000 WHERE id = 'a'")
    assert "1 conflict opened" in m.run("sweep").out


def test_statuses(m):
    make(m, NOTES + "".join(f"INSERT INTO notes(body, state) VALUES('gain is 3', {v});" for v in ("'open'", "'Active'", "1", "'gone'", "''", "NULL", "'it''s'", "'odd'")))
    config(m, "{layer: memories, table: notes, columns: [id = k, content = body, status = state], statuses: [active = OPEN, active = 1, invalid = gone, superseded = it's]}")
    assert [r.get("status", r.get("as_stored", {}).get("status")) for r in export(m)] == ["active"] * 3 + ["invalid", "active", "active", "superseded", "odd"]


def test_health_lists_what_is_not_known(m):
    make(m, "CREATE TABLE memories(id, memory_type, content, status, valid_until, created_at);" +
         "".join(f"INSERT INTO memories VALUES('{i}', {t}, 'gain is 3', {s}, {u}, {c});" for i, (t, s, u, c) in enumerate(
             [("'knowledge'", "'open'", "NULL", "20240405"), ("'note'", "'active'", "'never'", "20240406"), ("'note'", "'Active'", "NULL", "1712345578"),
              ("'knowledge'", "'gone'", "NULL", "NULL"), ("'knowledge'", "'open'", "NULL", "NULL"), ("'episodic'", "NULL", "NULL", "NULL")])))
    m.write("mirror.yml", "store: theirs.db\n")
    said = m.run("health").out
    assert '  statuses       3 rows are of an unknown status, which says nothing here: memory "gone" (1), memory "open" (2); say what it means in mirror.yml: store.map: statuses\n' in said, said
    assert '  types          read as knowledge are memories of type "note" (2)\n' in said, said
    assert "  times          these are no times; in mirror.yml, store.map, say the unit of numbers (times), and bring texts into ISO 8601 (select):\n" in said, said
    assert '    created_at of 2 rows, such as "20240405" of memory:0\n    valid_until of 1 row, such as "never" of memory:1\n' in said, said
    row = {"kind": "memory", "column": "created_at", "value": "20240405", "rows": 2, "id": "0"}
    got = m.run("--format", "json", "health").json()["unknown"]
    assert got == {"statuses": [{"kind": "memory", "column": "status", "value": "gone", "rows": 1}, {"kind": "memory", "column": "status", "value": "open", "rows": 2}],
                   "types": ["note"], "times": [row, {**row, "column": "valid_until", "value": "never", "rows": 1, "id": "1"}]}, got
    config(m, "{layer: memories, statuses: [active = open, invalid = gone], times: seconds}")
    said = m.run("health").out
    assert "statuses" not in said and "created_at of" not in said and "valid_until of 1 row" in said


def test_an_endless_select_is_named(m):
    make(m, NOTES + "INSERT INTO notes(body) VALUES('a'), ('b');CREATE VIEW loop AS WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i) SELECT n AS id, 'x' AS content FROM i;"
         "CREATE VIEW a AS SELECT * FROM b;CREATE VIEW b AS SELECT * FROM a;")
    for select in ("WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i) SELECT n AS id, 1 AS content FROM i", "SELECT * FROM loop",
                   "SELECT count(*) AS id FROM notes a, notes b, notes c, notes d, notes e, notes f, notes g, notes h, notes i, notes j, notes k, notes l, notes m, notes n,"
                   " notes o, notes p, notes q, notes r, notes s, notes t, notes u, notes v, notes w, notes x, notes y, notes z"):
        config(m, "{layer: memories, select: '%s'}" % select)
        m.fails("sweep", "--dry-run", has=("theirs.db: memories: its select was stopped: it takes more", "store.map"))
    config(m, "{layer: memories, select: 'SELECT k AS id, json_object(1, 2) AS content FROM notes'}")
    m.fails("sweep", "--dry-run", has=("theirs.db: memories: its select fails: json_object", "store.map"))
    config(m, "{layer: memories, table: a}")
    m.fails("sweep", "--dry-run", has=("theirs.db: memories", "circularly defined"))
    config(m, "{layer: memories, table: loop}")
    m.fails("sweep", "--dry-run", has=("takes more",))


def test_the_refusal_says_what_is_there(m):
    make(m, NOTES + EDGES + "CREATE VIEW v AS SELECT 1 AS one;")
    said = m.fails("--store", "theirs.db", "sweep", has=("without a table of facts", "it has edges(k, kind, a, b), notes(k, body, topic, valid_from, valid_until, added, state), v(one)"))
    make(m, "".join(f'CREATE TABLE "a {"x" * 300} {i}"(' + ", ".join(f'"c{"y" * 100}{k}"' for k in range(300)) + ");" for i in range(20)), name="wide.db")
    said = m.fails("--store", "wide.db", "sweep", has=("and 293 more), and 19 more", "store.map"))
    assert len(said) < 1200, len(said)


if __name__ == "__main__":
    main(globals())
