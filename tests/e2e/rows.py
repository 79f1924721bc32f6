"""Rows of other programs in CSV, JSON Lines, JSON, YAML and SQLite: one map reads them all, and one guess writes it. What is not understood
is refused with a command that works, and leaves nothing."""
import csv
import io
import json
import os
import shutil
import subprocess

from harness import HMIRROR, THOROUGH, main, make_database

NOTES = [{"ref": "n1", "note": "The kiln temperature is 900 C", "state": "open", "added": "2026-03-01T10:00:00Z", "place": {"site": "north"}},
         {"ref": "n2", "note": "The kiln temperature is 950 C", "state": "Live", "added": "2026-03-02T10:00:00Z", "place": {"site": "north"}},
         {"ref": "n3", "note": "The kiln temperature is 20 C", "state": "deleted", "added": "2026-03-03T10:00:00Z", "place": {"site": "north"}}]
MAP = """store.map:
  - layer: memories
    select: >-
      SELECT ref AS id, 'knowledge' AS memory_type, '*' AS slot_rule, note AS content, state AS status,
        added AS created_at, json_extract(place, '$.site') AS project
      FROM rows
    statuses: [active = open, active = live, invalid = deleted]
"""
COLUMNS = """store.map:
  - layer: memories
    table: rows
    columns: [id = ref, content = note, memory_type = place.kind, project = place.site, status = state]
    statuses: [active = open, active = live, invalid = deleted]
"""


def as_csv(rows, **how):
    out = io.StringIO()
    w = csv.writer(out, lineterminator="\n", **how)
    w.writerow(rows[0])
    w.writerows([json.dumps(v) if isinstance(v, dict) else v for v in r.values()] for r in rows)
    return out.getvalue()


def as_yaml(rows):
    """As people write it: block and flow, plain and quoted scalars, a comment, a text over two lines."""
    out = "# what we know\n---\n"
    for r in rows:
        text = r["note"].replace(" is ", "\n    is ")
        out += f"- ref: {r['ref']}\n  note: >-\n    {text}\n  state: '{r['state']}'\n  added: {r['added']}  # then\n  place: {{site: {r['place']['site']}}}\n"
    return out


def forms(m):
    """The same rows in every kind of file."""
    m.write("notes.csv", as_csv(NOTES))
    m.write("notes.tsv", as_csv(NOTES, delimiter="\t"))
    m.write("semi.csv", "\ufeff" + as_csv(NOTES, delimiter=";"))
    m.write("notes.jsonl", "".join(json.dumps(r) + "\n" for r in NOTES))
    m.write("notes.json", json.dumps(NOTES, indent=1))
    m.write("flat.json", json.dumps(NOTES))
    m.write("notes.yml", as_yaml(NOTES))
    m.write("notes.yaml", "---\n".join(as_yaml([r])[len("# what we know\n---\n- "):].replace("\n  ", "\n") for r in NOTES).replace("\n  is ", " is ").replace("\n  The", "\n  The"))
    if not os.path.exists(m.path("notes.db")):
        make_database(m.path("notes.db"), "CREATE TABLE rows(ref, note, state, added, place);" + "".join(
            "INSERT INTO rows VALUES(%s);" % ", ".join("'%s'" % (json.dumps(v) if isinstance(v, dict) else v) for v in r.values()) for r in NOTES))
    return ["notes.csv", "notes.tsv", "semi.csv", "notes.jsonl", "notes.json", "flat.json", "notes.yml", "notes.yaml", "notes.db"]


def facts(m, *where):
    return [r for r in map(json.loads, m.run(*where, "export").out.splitlines()) if r["kind"] not in ("evidence", "conflict")]


def without(path):
    return lambda: shutil.rmtree(path, ignore_errors=True)


def test_one_map_reads_every_kind(m):
    m.write("map.yml", MAP)
    seen = []
    for name in forms(m):
        m.run("init", "x")
        out = m.run("-C", "x", "import", "--map", "../map.yml", "../" + name).out
        assert "3 added" in out, out
        seen.append(facts(m, "-C", "x"))
        assert seen[-1] == seen[0], (name, seen[-1], seen[0])
        m.run("-C", "x", "sweep")
        assert "900 C | 950 C" in m.run("-C", "x", "conflicts", "list").out
        shutil.rmtree(m.path("x"))
    assert seen[0][0] == {"kind": "memory", "id": "n1", "memory_type": "knowledge", "content": NOTES[0]["note"], "project": "north", "status": "active",
                          "slot_rule": "*", "created_at": "2026-03-01T10:00:00Z"}, seen[0][0]
    assert [r["status"] for r in seen[0]] == ["active", "active", "invalid"]
    m.run("init")
    assert "3 added" in m.run("import", "--map", "map.yml", "-", stdin=m.read("notes.csv")).out


def test_a_path_leads_into_a_column(m):
    m.write("map.yml", COLUMNS)
    m.run("init")
    m.write("rows.jsonl", "".join(json.dumps({**r, "place": {"site": "north", "kind": "knowledge"}}) + "\n" for r in NOTES) +
            json.dumps({"ref": "n4", "note": "No JSON here", "place": "north"}) + "\n")
    m.run("import", "--map", "map.yml", "rows.jsonl")
    rows = facts(m)
    assert [(r["id"], r.get("project"), r.get("memory_type")) for r in rows][:1] == [("n1", "north", "knowledge")], rows
    assert rows[3].get("project", "") == "", rows[3]
    m.write("map.yml", COLUMNS.replace("place.site", "palce.site"))
    m.fails("import", "--map", "map.yml", "rows.jsonl", has=('no column "palce.site" for project', "place"))


def test_what_a_mapped_file_says_is_a_source(m):
    """A second version changes, adds and ends rows, and stays whole or away."""
    m.write("map.yml", MAP)
    m.run("init")
    m.write("a.json", json.dumps(NOTES))
    m.run("import", "--map", "map.yml", "a.json")
    assert "0 added, 0 updated, 3 unchanged" in m.run("import", "--map", "map.yml", "a.json").out
    second = [{**NOTES[0], "note": "The kiln temperature is 910 C"}, {**NOTES[1], "ref": "n9"}]
    m.write("a.json", json.dumps(second))
    before = m.run("export").out
    assert "Would change" in m.run("import", "--dry-run", "--map", "map.yml", "a.json").out and m.run("export").out == before
    out = m.run("import", "--complete", "--map", "map.yml", "a.json").out
    assert "1 added, 1 updated, 0 unchanged" in out, out
    assert {r["id"]: r["status"] for r in facts(m)} == {"n1": "active", "n2": "invalid", "n3": "invalid", "n9": "active"}, facts(m)
    m.write("b.json", json.dumps([{**NOTES[0], "note": "The kiln temperature is 1000 C"}]))
    assert "disagree" in m.run("import", "--map", "map.yml", "b.json").err
    m.run("sweep")
    assert "1000 C" in m.run("conflicts", "list").out


def test_a_guess_is_told_and_written_down(m):
    """`init --from` says what it read, in text and in JSON, and leaves the map by which the next version comes in."""
    for name in forms(m):
        if name == "notes.db":
            continue
        out = m.run("init", "--from", name, "x").out
        stem = name.rsplit(".", 1)[0]
        assert f"made x/{stem}.map.yml: how {name} is read, a guess\n  memories       from rows: content from note" in out, out
        assert "3 added" in out, out
        assert {r["id"]: r["status"] for r in facts(m, "-C", "x")} == {"n1": "active", "n2": "active", "n3": "invalid"}, facts(m, "-C", "x")
        assert "3 unchanged" in m.run("-C", "x", "import", "--map", f"{stem}.map.yml", "../" + name).out
        shutil.rmtree(m.path("x"))
    r = m.run("init", "--format", "json", "--from", "notes.csv", "x")
    assert "guessed: memories from rows: content from note" in r.err and r.json()["added"] == 3, r.err
    shutil.rmtree(m.path("x"))
    r = m.run("init", "-q", "--from", "notes.csv", "x")
    assert "guessed: memories" in r.err


def test_lists_in_an_object_are_tables(m):
    m.write("kit.json", json.dumps({"exported": "2026-03-01", "people": ["Kim runs the north mill", "Kim runs the south mill"],
                                    "facts": [{"id": 1, "text": "The pump mass is 2 kg"}, {"id": 2, "text": "The pump mass is 3 kg", "tags": ["a", "b"]}]}, indent=1))
    assert "from facts: content from text" in m.run("init", "--from", "kit.json", "x").out
    m.write("map.yml", "store.map: [{layer: memories, select: \"SELECT 'p' || rowid AS id, 'knowledge' AS memory_type, content FROM people\"}]\n")
    m.run("-C", "x", "import", "--map", "../map.yml", "../kit.json")
    assert [(r["id"], r["content"]) for r in facts(m, "-C", "x") if r["kind"] == "memory"][2:] == [("p1", "Kim runs the north mill"), ("p2", "Kim runs the south mill")]


def test_values_keep_their_text(m):
    """Numbers of JSON stay as written, where SQLite's would be others; units stand behind them."""
    m.write("v.jsonl", "".join('{"parameter": "p%d", "value": %s, "unit": %s}\n' % (i, v, u) for i, (v, u) in enumerate(
        [("4.80", "null"), ("12345678901234567890", '"kg"'), ("0.5", '"mm"'), ("true", "null"), ('"3.10"', "null"), ("-7", '"C"')])))
    m.run("init", "--from", "v.jsonl", "x")
    assert [r["value"] for r in sorted(facts(m, "-C", "x"), key=lambda r: r["key"])] == ["4.80", "12345678901234567890 kg", "0.5 mm", "1", "3.10", "-7 C"]


def test_yaml(m):
    """A scalar is what YAML and JSON agree on, else its text; what would be read in another way than meant is a sentence."""
    for i, (given, value) in enumerate((("3.10", "3.10"), ("no", "no"), ("~", None), ("'4'", "4"), ("0x1F", "0x1F"), ("010", "010"), ("1_000", "1_000"), (".5", ".5"), ("2026-03-01", "2026-03-01"),
                                        ("12:30", "12:30"), ("true", "1"), ("!!str 7", "7"), ("-0.50", "-0.50"), ("1e3", "1e3"), ("|\n    a\n    b", "a\nb\n"), ("\"\\u00e9\\t\"", "\u00e9\t"))):
        m.write("v.yml", f"- parameter: p1\n  value: {given}\n- parameter: p2\n  value: x y\n")
        m.write("map.yml", "store.map: [{layer: project_state, table: rows, columns: [id = parameter, key = parameter]}]\n")
        shutil.rmtree(m.path("x"), ignore_errors=True)
        m.run("init", "x")
        m.run("-C", "x", "import", "--map", "../map.yml", "../v.yml")
        got = {r["key"]: r.get("value") for r in facts(m, "-C", "x")}
        assert got["p1"] == value or (value is None and not got["p1"]), (given, got)
    before = sorted(os.listdir(m.dir))
    for text, has in (("- a: [1, 2\n", "not valid YAML"), ("- a: 1\n b: 2\n", "y.yml:2: not valid YAML"), ("- &x {a: b c}\n- *x\n", "y.yml:2: an alias"), ("- ? [a]\n  : b c\n", "a key of YAML that is a list"),
                      ("- " * 70 + "a\n", "levels of nesting"), ("- a: " + "[" * 10000 + "\n", "levels of nesting"), ("- a: b\n  a: c\n", "record 1"), ("- a: \"\xff\"\n".encode("latin1"), "y.yml"), ("- \n", "rows")):
        m.write("y.yml", text)
        m.fails("init", "--from", "y.yml", "y", has=has)
        assert not os.path.exists(m.path("y"))
        os.unlink(m.path("y.yml"))
        assert sorted(os.listdir(m.dir)) == before


def test_triples_have_ends(m):
    m.write("t.csv", "subject,predicate,object\nKim,lives in,Oslo\nKim,lives in,Rome\n")
    m.run("init", "--from", "t.csv", "x")
    rows = facts(m, "-C", "x")
    assert sorted(r["id"] for r in rows if r["kind"] == "entity") == ["Kim", "Oslo", "Rome"]
    assert [(r["from"], r["type"], r["to"]) for r in rows if r["kind"] == "relation"] == [("Kim", "lives in", "Oslo"), ("Kim", "lives in", "Rome")]
    assert "0 findings" in m.run("-C", "x", "sweep").out


def test_several(m):
    """`several` opens a column of lists, of texts and of objects, in every kind of file; times and statuses of the map are those of each."""
    kiln = [{"ref": "a", "state": "gone", "at": 86400000, "facts": ["The kiln is red", "The kiln is old"]}, {"ref": "b", "state": "live", "at": 172800000, "facts": ["The oven is new"]},
            {"ref": "c", "state": "live", "at": 0, "facts": []}, {"ref": "d", "state": "live", "at": None, "facts": None}]
    m.write("k.json", json.dumps(kiln))
    m.write("k.jsonl", "".join(json.dumps(r) + "\n" for r in kiln))
    m.write("k.yml", "".join(f"- ref: {r['ref']}\n  state: {r['state']}\n  at: {'~' if r['at'] is None else r['at']}\n  facts: {json.dumps(r['facts'])}\n" for r in kiln))
    out = io.StringIO()
    w = csv.writer(out, lineterminator="\n")
    w.writerow(kiln[0])
    w.writerows([json.dumps(v) if isinstance(v, list) else v for v in r.values()] for r in kiln)
    m.write("k.csv", out.getvalue())
    make_database(m.path("k.db"), "CREATE TABLE rows(ref, state, at, facts);" + "".join("INSERT INTO rows VALUES('%s', '%s', %s, %s);" % (
        r["ref"], r["state"], "NULL" if r["at"] is None else r["at"], "NULL" if r["facts"] is None else "'%s'" % json.dumps(r["facts"])) for r in kiln))
    m.write("map.yml", "store.map: [{layer: memories, table: rows, several: facts, times: milliseconds, statuses: [invalid = gone, active = live],"
            " columns: [id = ref, content = facts, status = state, created_at = at, memory_type = state]}]\n")
    for name in ("k.json", "k.jsonl", "k.csv", "k.yml", "k.db"):
        shutil.rmtree(m.path("x"), ignore_errors=True)
        m.run("init", "x")
        m.run("-C", "x", "import", "--map", "../map.yml", "../" + name)
        assert [(r["id"], r["content"], r["status"], r.get("created_at")) for r in facts(m, "-C", "x")] == [
            ("a-0", "The kiln is red", "invalid", "1970-01-02T00:00:00Z"), ("a-1", "The kiln is old", "invalid", "1970-01-02T00:00:00Z"),
            ("b-0", "The oven is new", "active", "1970-01-03T00:00:00Z")], (name, facts(m, "-C", "x"))
    m.write("o.jsonl", json.dumps({"n": 1, "facts": [{"text": "The kiln is red", "by": "Kim"}, {"text": "The oven is new"}]}) + '\n{"n": 2}\n')
    m.write("map.yml", "store.map: [{layer: memories, table: rows, several: facts, columns: [content = facts.text, agent = facts.by, memory_type = facts.kind]}]\n")
    shutil.rmtree(m.path("x"))
    m.run("init", "x")
    m.run("-C", "x", "import", "--map", "../map.yml", "../o.jsonl")
    assert sorted((r["content"], r.get("agent")) for r in facts(m, "-C", "x")) == [("The kiln is red", "Kim"), ("The oven is new", None)], facts(m, "-C", "x")
    for bad, has in (("several: fact, columns: [content = facts]", "facts"), ("several: facts", "columns"), ("several: facts, select: SELECT 1 AS id", "columns")):
        m.write("map.yml", "store.map: [{layer: memories, table: rows, %s}]\n" % bad if "select" not in bad else "store.map: [{layer: memories, %s}]\n" % bad)
        m.fails("-C", "x", "import", "--map", "../map.yml", "../o.jsonl", has=has)


def test_rows_whose_id_is_empty(m):
    """They are rows none the less: of a guess, of a map of columns."""
    m.write("n.csv", "ref,note\n,The kiln is red\n,The oven is old\nr3,The door is open\n")
    m.write("map.yml", "store.map: [{layer: memories, table: rows, columns: [id = ref, content = note, memory_type = ref]}]\n")
    assert "3 added" in m.run("init", "--from", "n.csv", "x").out
    m.run("init", "y")
    assert "3 added" in m.run("-C", "y", "import", "--map", "../map.yml", "../n.csv").out
    assert {r["content"] for r in facts(m, "-C", "y")} == {"The kiln is red", "The oven is old", "The door is open"}
    m.write("one.yml", "active: true\nderived: false\nref: ''\ntext: |\n  The kiln shall be red.\n")
    assert "1 added" in m.run("init", "--from", "one.yml", "z").out


SHEET = "setting,prod,staging,note\ntimeout,30 s,60 s,soon\npool size,5,5,\nregion,north,,\n"


def test_rows_without_an_id_are_what_they_say(m):
    """A row may move in its file: only what is new is new, and what is gone ends."""
    m.write("n.csv", "note,added\nThe kiln is red,2026-03-01\nThe oven is old,2026-03-02\nThe door is open,2026-03-03\n")
    m.run("init", "--from", "n.csv", "x")
    before = {r["id"]: r["content"] for r in facts(m, "-C", "x")}
    assert all(x.startswith("m-") for x in before), before
    m.write("n.csv", "note,added\nThe mill is new,2026-03-04\nThe door is open,2026-03-03\nThe kiln is red,2026-03-01\n")
    out = m.run("-C", "x", "import", "--complete", "--map", "n.map.yml", "../n.csv").out
    assert "1 added, 0 updated, 2 unchanged" in out, out
    after = {r["id"]: r for r in facts(m, "-C", "x")}
    assert {r["content"] for r in after.values() if r["status"] == "active"} == {"The mill is new", "The door is open", "The kiln is red"}
    assert all(after[i]["content"] == text for i, text in before.items())


def test_a_matrix(m):
    """A cell is a state of its row and column: two columns of a row agree to differ, one cell of two files does not."""
    m.write("map.yml", "store.map: [{layer: project_state, table: rows, matrix: {key: setting, columns: [prod, staging]}}]\n")
    m.write("a.csv", SHEET)
    m.write("b.csv", SHEET.replace("30 s", "40 s").replace(",5,5", ",6,5"))
    m.run("init")
    assert "5 added" in m.run("import", "--map", "map.yml", "a.csv").out
    assert [(r["id"], r["key"], r["category"], r["value"]) for r in facts(m)] == [
        ("pool size:prod", "pool size", "prod", "5"), ("pool size:staging", "pool size", "staging", "5"), ("region:prod", "region", "prod", "north"),
        ("timeout:prod", "timeout", "prod", "30 s"), ("timeout:staging", "timeout", "staging", "60 s")]
    m.run("sweep")
    assert "No open" in m.run("conflicts", "list").out
    m.run("import", "--map", "map.yml", "b.csv")
    m.run("sweep")
    out = m.run("conflicts", "list").out
    assert "30 s | 40 s" in out and "5 | 6" in out and len(out.splitlines()) == 2, out
    for bad, has in (("layer: memories, table: rows, matrix: {key: setting, columns: [prod]}", "layer: project_state"),
                     ("layer: project_state, table: rows, matrix: {columns: [prod]}", "needs a key"),
                     ("layer: project_state, table: rows, matrix: {key: setting}", "needs a key"),
                     ("layer: project_state, table: rows, columns: [key = setting], matrix: {key: setting, columns: [prod]}", "too"),
                     ("layer: project_state, table: rows, matrix: {key: setting, columns: [prood]}", "prood")):
        m.write("map.yml", "store.map: [{%s}]\n" % bad)
        m.fails("import", "--map", "map.yml", "a.csv", has=has)


def paste(m, line):
    """The command at the end of a refusal."""
    command = line[line.index("hmirror init "):].replace("hmirror", HMIRROR)
    subprocess.run(command, shell=True, cwd=m.dir, env=m.env, check=True, capture_output=True)


def test_what_is_not_understood_is_refused(m):
    """A matrix is named and never guessed; the command of each refusal works as it is; nothing is left."""
    m.write("its sheet.csv", SHEET)
    line = m.fails("init", "--from", "its sheet.csv", "x", has=("rows(setting, prod, staging, note)", "matrix: {key: setting, columns: [prod, staging]}"))
    assert not os.path.exists(m.path("x"))
    paste(m, line)
    assert len(facts(m, "-C", "x")) == 5
    m.write("o'dd.jsonl", '{"a b": "x y", "c": 1}\n{"a b": "z", "c": 2}\n')
    line = m.fails("init", "--from", "o'dd.jsonl", has="rows(a b, c)")
    assert not os.path.exists(m.path("mirror.yml")) and not os.path.exists(m.path("hmirror.db"))
    paste(m, line)
    assert [r["content"] for r in facts(m, "-C", "mirror")] == ["x y", "z"]


def test_other_kinds_of_files_are_named(m):
    """A refusal says what the file is, and its command has the file's name in it."""
    for name, data, has in (("x.pdf", b"%PDF-1.7\n%\xe2\xe3\n", ("is a PDF",)), ("x.gz", b"\x1f\x8b\x08\0\0\0", ("gzip", "gunzip -c x.gz")),
                            ("quoted.af", json.dumps(json.dumps({"rows": NOTES}, indent=1)) + "\n", ("JSON in a text of JSON", "jq -r . quoted.af >rows.json && hmirror init --from rows.json mirror"))):
        m.write(name, data)
        m.fails("init", "--from", name, "x", has=has)
        assert not os.path.exists(m.path("x"))
    m.run("init")
    m.write("rows.json", json.dumps(NOTES))
    m.write("rows.csv", as_csv(NOTES))
    for name in ("rows.json", "rows.csv"):
        line = m.fails("import", name, has=f"hmirror init --from {name} mirror")
        command = line[line.index("hmirror init "):].split(";")[0].replace("hmirror", HMIRROR)
        subprocess.run(command, shell=True, cwd=m.dir, env=m.env, check=True, capture_output=True)
        assert len(facts(m, "-C", "mirror")) == 3
        shutil.rmtree(m.path("mirror"))


def test_files_that_are_no_rows(m):
    """A cut file, one of another kind than its name, with very many names or levels, or without rows: a sentence, and nothing stored."""
    m.write("map.yml", MAP)
    m.run("init")
    m.run("import", "--map", "map.yml", "-", "--source", "first", stdin=json.dumps(NOTES).encode())
    os.mkdir(m.path("tmp"))
    m.env["TMPDIR"] = m.path("tmp")
    before, files = m.run("export").out, sorted(os.listdir(m.dir))
    deep = "[" * 10000 + "]" * 10000
    many = "{" + ",".join('"k%d":%d' % (i, i) for i in range(10**6 if THOROUGH else 10**5)) + "}"
    for name, data, has in (("f.json", json.dumps(NOTES)[:-30], "the file ends before its end"), ("f.json", json.dumps(NOTES, indent=1)[:-3], "the file ends"),
                            ("f.jsonl", json.dumps(NOTES[0]) + "\n" + json.dumps(NOTES[1])[:40], "f.jsonl:2"), ("f.csv", as_csv(NOTES) + '"n4,open', "never closed"),
                            ("f.csv", as_csv(NOTES) + "n4\n", "a row of 1 where the header names 5 columns"), ("f.csv", b"%PDF-1.7\n%\xe2\xe3\n", "is a PDF, neither CSV"),
                            ("f.json", b"\x1f\x8b\x08\0\0\0", "gzip"), ("f.csv", b"\xff\xfea\0,\0b\0\n\0", "UTF-16"), ("f.json", "[" + deep + "]", "record 1"),
                            ("f.jsonl", deep + "\n", "record 1"), ("f.json", '{"a": ' + deep + ', "rows": []}', "levels of nesting"), ("f.jsonl", many + "\n", "more than 500"),
                            ("f.json", "[]", "it has no rows"), ("f.csv", "a,b\n", "it has no rows"), ("f.csv", "a,b,a\n1,2,3\n", "this name too"),
                            ("f.csv", b"a,b\n\xe9,1\n", "0xE9 is not UTF-8"), ("f.json", '{"a": 1,\n "b": 2}\n', "without a list"), ("f.json", '{"a": [{"b": 1}], }', "not valid JSON"),
                            ("f.json", "{" + ",".join('"l%d":[{"a":1}]' % i for i in range(60)) + "}", "more than 50 lists"), ("f.db", b"SQLite format 3\0" + b"\0" * 600, "f.db")):
        m.write(name, data)
        m.fails("import", "--map", "map.yml", name, has=has)
        if data != "[]":  # a list without records is one of records
            m.fails("init", "--from", name, "x")
        assert data == "[]" or not os.path.exists(m.path("x", "hmirror.db")), name
        shutil.rmtree(m.path("x"), ignore_errors=True)
        os.unlink(m.path(name))
        assert m.run("export").out == before and sorted(os.listdir(m.dir)) == files, name
    assert not os.listdir(m.path("tmp")), "a private file is left"
    m.write("f.csv", as_csv(NOTES).encode().replace(b"kiln", b"k\xf6ln"))
    m.run("import", "--map", "map.yml", "--encoding", "latin1", "f.csv")
    assert "k\u00f6ln" in m.run("export").out


def test_names_that_sqlite_does_not_tell_apart(m):
    m.write("n.jsonl", '{"Text": "The pump mass is 2 kg", "text": "The pump mass is 3 kg", "": "x", "a\\u0000b": 1}\n')
    m.write("map.yml", "store.map: [{layer: memories, select: \"SELECT rowid AS id, 'knowledge' AS memory_type, text_2 AS content, column_3 AS agent, column_4 AS project FROM rows\"}]\n")
    m.run("init")
    m.run("import", "--map", "map.yml", "n.jsonl")
    assert [(r["content"], r["agent"], r["project"]) for r in facts(m)] == [("The pump mass is 3 kg", "x", "1")], facts(m)


def test_a_map_is_asked_for(m):
    m.run("init")
    m.write("rows.csv", as_csv(NOTES))
    m.write("no.yml", "title: x\n")
    m.fails("import", "--map", "no.yml", "rows.csv", has=("no store.map", "init --from"))
    m.fails("import", "--map", "none.yml", "rows.csv", has="none.yml")
    m.write("map.yml", MAP)
    m.fails("import", "--map", "map.yml", "--csv", "memory", "rows.csv", has="--csv")
    m.fails("import", "--map", "map.yml", "none.csv", has="none.csv")
    m.write("own.yml", "store.map: [{layer: memories}]\n")
    m.fails("import", "--map", "own.yml", "rows.csv", has=("rows.csv", 'no table "memories"', "rows"))
    m.fails("import", "--map", "own.yml", "hmirror.db", has=("store of hmirror's", "export"))


main(globals())
