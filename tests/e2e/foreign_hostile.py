#!/usr/bin/env python3
"""Stores that were made to harm who reads them: each ends soon, in little memory, with one line that says why."""
import json
import os
import resource
import sqlite3
import struct

from harness import THOROUGH, WATCHED, costs_less_than, main, make_database

TABLE = "CREATE TABLE memories(id TEXT PRIMARY KEY, memory_type, content{more});"
READERS = (["sweep", "--dry-run"], ["export"], ["build"], ["health"])


def make(m, name, sql):
    if os.path.exists(m.path(name)):
        os.unlink(m.path(name))
    make_database(m.path(name), sql)


def rewrite(m, name, *pairs):
    """Puts other texts into its schema: to write the rows would run them here, too."""
    db = sqlite3.connect(m.path(name))
    db.execute("PRAGMA writable_schema=ON")
    for a, b in pairs:
        db.execute("UPDATE sqlite_schema SET sql = replace(sql, ?, ?)", (a, b))
    db.commit()
    db.close()


def small():
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))


def refused(m, store, *args, has=()):
    """In a gigabyte of addresses and 10 s of processor time."""
    with costs_less_than(10):
        return m.fails("-q", "--store", store, *args, has=has, preexec=small if not WATCHED else None)


HUGE = "hex(zeroblob(400000000))"
SLOWLY = "length(" + "||".join(["hex(zeroblob(9000000))"] * 100) + ")"


def test_generated_columns(m):
    """They are expressions of the file: none is run, and a store that only has one is read."""
    rows = "".join(f"INSERT INTO {{t}}(id, memory_type) VALUES('m{i}', 'knowledge');" for i in range(20))
    for what in (HUGE, SLOWLY, "instr(hex(zeroblob(500000)), hex(zeroblob(250000)) || 'a')"):
        make(m, "a.db", "CREATE TABLE memories(id TEXT PRIMARY KEY, memory_type, content AS (1));" + rows.format(t="memories"))
        rewrite(m, "a.db", ("AS (1)", f"AS ({what})"))
        assert os.path.getsize(m.path("a.db")) < 20000
        for args in READERS:
            refused(m, "a.db", *args, has=("generated column", "store.map"))
        make(m, "b.db", "CREATE TABLE notes(id TEXT PRIMARY KEY, memory_type, body AS (1));" + rows.format(t="notes"))
        rewrite(m, "b.db", ("AS (1)", f"AS ({what})"))
        for columns in ("{layer: memories, table: notes, columns: [content = body]}", "{layer: memories, select: 'SELECT id, body AS content FROM notes'}",
                        "{layer: memories, select: 'SELECT id, memory_type AS content FROM notes WHERE length(body) > 1'}"):
            m.write("mirror.yml", f"store.map:\n  - {columns}\n")
            refused(m, "b.db", "export")
        os.unlink(m.path("mirror.yml"))
        make(m, "c.db", "CREATE TABLE memories(id TEXT PRIMARY KEY, memory_type, content DEFAULT 'gain is 3', other AS (1) NOT NULL, CHECK (2 > 0));" +
             rows.format(t="memories"))
        rewrite(m, "c.db", ("AS (1)", f"AS ({what})"), ("2 > 0", f"length({what}) > 0"))
        for args in READERS:
            m.run("--store", "c.db", *args, preexec=small if not WATCHED else None)
        m.write("mirror.yml", "store.map:\n  - {layer: memories, select: 'SELECT id, content FROM memories'}\n")
        assert m.run("--store", "c.db", "export").out.count("\n") == 20
        os.unlink(m.path("mirror.yml"))


def test_generated_columns_that_are_stored(m):
    make(m, "a.db", "CREATE TABLE memories(id TEXT PRIMARY KEY, memory_type, doc, content AS (upper(doc)) STORED);"
         "INSERT INTO memories(id, memory_type, doc) VALUES('m1', 'knowledge', 'gain is 3')")
    assert "GAIN IS 3" in m.run("--store", "a.db", "export").out


def test_a_store_of_hmirrors_that_computes(m):
    m.run("init")
    db = sqlite3.connect(m.path("hmirror.db"))
    db.executescript(f"ALTER TABLE memories ADD COLUMN x AS ({HUGE})")
    db.close()
    for args in READERS + (["sweep"],):
        refused(m, "hmirror.db", *args, has="generated column")


def test_indexes_of_expressions(m):
    make(m, "a.db", TABLE.format(more="") + "INSERT INTO memories VALUES('m1', 'knowledge', 'gain is 3');"
         "CREATE INDEX i ON memories(length(hex(zeroblob(length(content)))));CREATE INDEX j ON memories(id) WHERE length(hex(zeroblob(9))) > 3;")
    for args in READERS:
        m.run("--store", "a.db", *args)


def test_selects_of_the_map(m):
    """What the user wrote meets rows that the user did not."""
    make(m, "a.db", "CREATE TABLE tree(id TEXT PRIMARY KEY, up);INSERT INTO tree VALUES('a', 'b'), ('b', 'a');")
    m.write("mirror.yml", "store.map:\n  - layer: memories\n    select: |\n      WITH RECURSIVE r(id, up) AS (SELECT id, up FROM tree UNION ALL SELECT t.id, t.up FROM tree t"
            " JOIN r ON t.id = r.up)\n      SELECT id, up AS content FROM r\n")
    refused(m, "a.db", "export", has="more")
    refused(m, "a.db", "sweep", has="more")
    m.write("mirror.yml", f"store.map:\n  - {{layer: memories, select: 'SELECT id, {HUGE} AS content FROM tree'}}\n")
    refused(m, "a.db", "export", has="longer than")


def cell(n, *columns):
    """A row of texts, with its key."""
    types = bytes([len(columns) + 1]) + b"".join(varint(2 * len(c) + 13) for c in columns)
    body = types + b"".join(columns)
    return varint(len(body)) + varint(n) + body


def varint(n):
    out = [n & 127]
    while n > 127:
        n >>= 7
        out.append(128 | n & 127)
    return bytes(reversed(out))


def circle(m, name, table="memories"):
    """The root of the table is an inner page all of whose children are the next inner page, and so on: rows without end."""
    db = sqlite3.connect(m.path(name))
    root, = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
    db.execute("CREATE TABLE room(x)")
    for i in range(40):
        db.execute("INSERT INTO room VALUES(zeroblob(4000))")
    db.commit()
    pages, = db.execute("PRAGMA page_count").fetchone()
    size, = db.execute("PRAGMA page_size").fetchone()
    db.close()
    with open(m.path(name), "r+b") as f:
        f.seek((root - 1) * size)
        leaf = f.read(size)
        f.seek((pages - 1) * size)
        f.write(leaf)
        at = [root] + [pages - 1 - i for i in range(8)] + [pages]
        for here, below in zip(at, at[1:]):
            n = 400
            cells = [struct.pack(">I", below) + varint(i + 1) for i in range(n)]
            end, where, body = size, [], bytearray(size)
            for c in cells:
                end -= len(c)
                body[end:end + len(c)] = c
                where.append(end)
            head = struct.pack(">BHHHBI", 5, 0, n, end, 0, below)
            body[:len(head)] = head
            body[len(head):len(head) + 2 * n] = b"".join(struct.pack(">H", w) for w in where)
            f.seek((here - 1) * size)
            f.write(body)


def test_pages_in_a_circle(m):
    make(m, "a.db", "CREATE TABLE memories(id, memory_type, content);" + "INSERT INTO memories VALUES('m', 'knowledge', 'gain is 3');" * 30)
    circle(m, "a.db")
    for args in (["sweep", "--dry-run"], ["export"], ["build"]) if THOROUGH else (["build"],):
        refused(m, "a.db", *args, has="a.db")
    m.run("--store", "a.db", "health", code=None)
    m.run("init")
    m.facts({"kind": "memory", "id": "m1", "memory_type": "knowledge", "content": "a is b", "status": "active"})
    circle(m, "hmirror.db")
    for args in (["sweep"], ["build"], ["sweep", "--dry-run"]) if THOROUGH else (["sweep"],):
        refused(m, "hmirror.db", *args, has="hmirror.db")


def test_one_text_in_many_rows(m):
    """Rows whose overflow pages are one another's: far more text than the file has bytes."""
    size = 4096
    make(m, "a.db", "CREATE TABLE memories(id, memory_type, content);" + "INSERT INTO memories VALUES('m', 'knowledge', 'gain is 3');" * 300 +
         "INSERT INTO memories VALUES('long', 'knowledge', '" + "x" * 2000000 + "')")
    with open(m.path("a.db"), "r+b") as f:
        data = bytearray(f.read())
    db = sqlite3.connect(m.path("a.db"))
    root, = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'memories'").fetchone()
    db.close()
    # Find the leaf that has the long row, and the row; then give every cell pointer of all leaves of the table to it.
    leaves = [p for p in range(1, len(data) // size + 1) if data[(p - 1) * size] == 13 and p != 1]
    whole = None
    for p in leaves:
        page = data[(p - 1) * size:p * size]
        n, = struct.unpack(">H", page[3:5])
        for i in range(n):
            at, = struct.unpack(">H", page[8 + 2 * i:10 + 2 * i])
            if page[at] & 0x80 and page[at + 1] & 0x80:
                whole = p, at
    assert whole
    p, at = whole
    page = data[(p - 1) * size:p * size]
    n = min(1000, (at - 8) // 2)
    page[3:5] = struct.pack(">H", n)
    page[5:7] = struct.pack(">H", at)
    page[8:8 + 2 * n] = struct.pack(">H", at) * n
    data[(p - 1) * size:p * size] = page
    with open(m.path("a.db"), "wb") as f:
        f.write(data)
    for args in (["export"], ["sweep", "--dry-run"]):
        refused(m, "a.db", *args, has="a.db")


def test_views_that_cost(m):
    """A view is an expression of the file: what it may cost is bounded, in steps, in bytes and inside each function."""
    rows = "CREATE TABLE notes(id TEXT PRIMARY KEY, body);" + "".join(f"INSERT INTO notes VALUES('m{i}', 'gain is 3');" for i in range(20))
    long = "hex(zeroblob(500000))"
    for what, has in ((HUGE, "longer than"), (SLOWLY, ("notes", "memories", "store")[2]), (f"instr({long}, hex(zeroblob(250000)) || 'a')", None),
                      (f"length(replace({long}, hex(zeroblob(250000)) || 'a', 'b'))", None), (f"length(trim({long}, hex(zeroblob(500000)) || '0'))", "100 bytes to trim"),
                      ("(WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i) SELECT count(*) FROM i)", "takes more"),
                      ("(SELECT count(*) FROM notes a, notes b, notes c, notes d, notes e, notes f, notes g)", "takes more"),
                      ("load_extension('x')", "unsafe use of load_extension"), ("coalesce(printf('%.*c', 400000000, 'x'), '')", None)):
        make(m, "a.db", rows + "CREATE VIEW v AS SELECT id, 'knowledge' AS memory_type, body AS content FROM notes;")
        rewrite(m, "a.db", ("body AS content", f"'gain is ' || {what} AS content"))
        readers = [["export"], ["sweep", "--dry-run"]]
        for entry, some in (("table: v", readers[:1]), ("select: SELECT * FROM v", readers[1:])):
            m.write("mirror.yml", "store.map:\n  - {layer: memories, %s}\n" % entry)
            for args in readers if THOROUGH else some:
                if has:
                    refused(m, "a.db", *args, has=has)
                    continue
                with costs_less_than(10):
                    m.run("--store", "a.db", *args)
    os.unlink(m.path("mirror.yml"))


def test_functions_are_as_sqlites(m):
    """instr, replace and trim are ours, so that they end soon; they say what SQLite's say."""
    db = sqlite3.connect(":memory:")
    texts = ["", "a", "aa", "aba", "äöä", "x'y", "a\x00b", " a ", "aaaa", "öa"]
    make(m, "a.db", "CREATE TABLE t(id INTEGER PRIMARY KEY, x, y, z);")
    rows = [(x, y, z) for x in texts + [None, 12, b"\xffa\xff"] for y in texts + [None, 1, b"\xff", b"a"] for z in ("", "b", None)]
    theirs = sqlite3.connect(m.path("a.db"))
    theirs.executemany("INSERT INTO t(x, y, z) VALUES(?, ?, ?)", rows)
    theirs.commit()
    calls = "hex(json_array(instr(x, y), hex(replace(x, y, z)), hex(trim(x, y)), hex(ltrim(x, y)), hex(rtrim(x, y)), hex(trim(x))))"
    m.write("mirror.yml", "store.map:\n  - layer: memories\n    select: SELECT id, %s AS content FROM t\n" % calls)
    want = {str(i): v for i, v in theirs.execute(f"SELECT id, {calls} FROM t")}
    got = {r["id"]: r["content"] for r in map(json.loads, m.run("--store", "a.db", "export").out.splitlines())}
    odd = {i: (rows[int(i) - 1], bytes.fromhex(want[i]), bytes.fromhex(got[i])) for i in want if want[i] != got[i]}
    assert not odd, odd
    db.close()


def test_names_that_are_sql(m):
    names = ['a"b', "a'b", "a;b", "--", "/*", "select", "x y", "a\nb", "ünï", "*", "t" * 1000]
    for name in names:
        quoted = '"' + name.replace('"', '""') + '"'
        make(m, "a.db", f"CREATE TABLE {quoted}(id, {quoted}); INSERT INTO {quoted} VALUES('m', 'gain is 3');")
        m.write("mirror.yml", "store.map:\n  - layer: memories\n    table: %s\n    columns: [%s]\n" % (json.dumps(name), json.dumps("content = " + name)))
        assert json.loads(m.run("--store", "a.db", "export").out)["content"] == "gain is 3", name
        m.write("mirror.yml", "title: x\n")
        refused(m, "a.db", "export", has="without a table of facts")
        os.unlink(m.path("mirror.yml"))
        m.run("init", "--from", "a.db")
        os.unlink(m.path("mirror.yml"))


def test_two_thousand_columns(m):
    columns = ", ".join(f"c{i}" for i in range(1998))
    make(m, "a.db", f"CREATE TABLE notes(id, body, {columns}); INSERT INTO notes(id, body) VALUES('m', 'gain is 3'); CREATE VIEW v AS SELECT * FROM notes;")
    for entry in ("{layer: memories, table: notes, columns: [content = body]}", "{layer: memories, table: v, columns: [content = body]}",
                  "{layer: memories, select: 'SELECT *, body AS content FROM (SELECT id, body FROM v)'}"):
        m.write("mirror.yml", f"store.map:\n  - {entry}\n")
        assert m.run("--store", "a.db", "export").out.count("\n") == 1
    m.write("mirror.yml", "store.map:\n  - {layer: memories, table: notes, columns: [content = bodi]}\n")
    refused(m, "a.db", "export", has=('did you mean "body"?', "more"))
    os.unlink(m.path("mirror.yml"))


def test_a_schema_that_lies(m):
    """A table whose schema names columns that its rows lack, a view under a table's schema, a table twice."""
    make(m, "a.db", "CREATE TABLE notes(id, body); INSERT INTO notes VALUES('m', 'gain is 3');")
    rewrite(m, "a.db", ("notes(id, body)", "notes(id, body, more DEFAULT 'x', a, b)"))
    m.write("mirror.yml", "store.map:\n  - {layer: memories, table: notes, columns: [content = body, scope = more]}\n")
    assert json.loads(m.run("--store", "a.db", "export").out)["scope"] == "x"
    make(m, "a.db", "CREATE TABLE notes(id, body); CREATE TABLE other(x);")
    for a, b in (("notes(id, body)", "notes AS SELECT 1"), ("CREATE TABLE notes(id, body)", "CREATE VIEW notes AS SELECT 1 AS id, 2 AS body"), ("other(x)", "notes(x)"),
                 ("notes(id, body)", "notes(id, body"), ("notes(id, body)", "notes(id, body) -- " + "x" * 100000)):
        make(m, "a.db", "CREATE TABLE notes(id, body); CREATE TABLE other(x);")
        rewrite(m, "a.db", (a, b))
        for args in (["export"], ["init", "--from", "a.db", "new"]):
            r = m.run("--store", "a.db", *args, code=None) if args[0] == "export" else m.run(*args, code=None)
            assert r.err.count("\n") <= 1 and r.code in (0, 2), (a, args, r.err)
            for n in ("mirror.yml", ".gitattributes"):
                if os.path.exists(m.path("new", n)):
                    os.unlink(m.path("new", n))
    os.unlink(m.path("mirror.yml"))


def test_a_large_honest_store(m):
    """A million rows, read by a select that joins and sorts: below every limit."""
    n = 1000000 if THOROUGH else 20000
    make(m, "a.db", f"""CREATE TABLE facts(k INTEGER PRIMARY KEY, body, about, at); CREATE TABLE about(k INTEGER PRIMARY KEY, name);
      WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < {n}) INSERT INTO facts SELECT n, 'note ' || n, n % 1000, n FROM i;
      WITH RECURSIVE i(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM i WHERE n < 999) INSERT INTO about SELECT n, 'p' || n FROM i;""")
    m.write("mirror.yml", "store.map:\n  - layer: memories\n    select: |\n      SELECT f.k AS id, 'episodic' AS memory_type, body AS content, a.name AS project, "
            "row_number() OVER (PARTITION BY about ORDER BY at) AS importance FROM facts f JOIN about a ON a.k = f.about\n")
    assert m.run("--store", "a.db", "export", timeout=600).out.count("\n") == n
    m.run("--store", "a.db", "sweep", "--dry-run", timeout=600)


if __name__ == "__main__":
    main(globals())
