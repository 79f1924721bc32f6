#!/usr/bin/env python3
"""One walk over every text: a key of a known shape, and a redacted value, in every text column of every table. The columns are read from a
store, and what each table is from the schema. So a new column that is in no walk fails here, and a table that does not say what it is."""
import re

from harness import *
from mcp_kit import Agent, answer_of
from server import Server

with open(os.path.join(TOP, "core", "sqlite", "schema.sql")) as f:
    TABLES = re.findall(r"CREATE TABLE IF NOT EXISTS (\w+) \( ?(.*)$", f.read(), re.M)
WHAT = dict(TABLES)
AT = "2026-04-02T09:00:00Z"
# What has the texts of a table in messages; any other goes by its own name.
KIND = {"projects": "project", "project_aliases": "project", "memories": "memory", "entities": "entity", "relations": "relation", "links": "link",
        "conflicts": "conflict", "conflict_members": "conflict", "conflict_answers": "conflict", "conflict_rows": "conflict", "acknowledgements": "acknowledgement", "flags": "flag",
        "proposals": "proposal", "proposal_rows": "proposal", "findings": "finding", "verdicts": "verdict"}
FIELDS = {"memories": {"memory_type": "knowledge", "content": "is blue", "project": "p05"}, "entities": {"entity_type": "Component", "name": "leg", "project": "p05"},
          "project_state": {"category": "fact", "key": "colour", "value": "blue", "project": "p05"},
          "relations": {"type": "REQUIRES", "from_id": "e1", "to_id": "e2", "project": "p05"}}


def key(n):
    """A GitHub token like no other. Put together here, so that no scanner takes it for live; none ever was."""
    return "gh" + "p_" + "q7Xk2Pz9Lm4Tv8Rw3Yb6q7Xk2Pz9" + f"{n:08d}"


def hidden(text):
    return re.sub(r"ghp_\w{36}", "ghp_…", text)


def text_columns(m, table):
    return [name for _, name, kind, _, _, _ in m.sql(f"PRAGMA table_info({table})") if kind.upper() not in ("INTEGER", "REAL", "BLOB")]


def a_row(table, n):
    """A record of the table, by SQL as other programs write; with what it needs beside it. All that is named but n is there."""
    c = f"c{n:012x}"
    more = []
    row = {"projects": {"id": f"p{n}", "name": f"Project {n}"}, "project_aliases": {"alias": f"a{n}", "project": "p05"},
           "links": {"src": "memory:m1", "dst": "memory:m2", "rel": f"rel {n}"},
           "conflicts": {"id": c, "slot_key": f'["p05","slot {n}"]', "project": "p05", "status": "dismissed", "resolved_at": AT, "resolution": "no", "resolved_by": "kim"},
           "conflict_members": {"conflict_id": c, "member_kind": "memory", "member_id": "m1", "field": "content", "value_detected": "x", "value_normal": "x"},
           "acknowledgements": {"id": f"a-{n}", "finding": f"f{n}", "about": '["memory:m1"]', "reason": "so", "actor": "kim", "at": AT},
           "flags": {"id": f"f-{n}", "subject": "memory:m1", "reason": "look", "actor": "kim", "at": AT},
           "proposals": {"id": f"j-{n}", "members": '["memory:m1","memory:m2"]', "digests": '["a","b"]', "question": f"Is it {n}?", "model": "m", "actor": "kim", "at": AT},
           "verdicts": {"id": f"v-{n}", "record": "{}"}, "findings": {"id": f"f{n}"}, "proposal_rows": {"ref": f"memory:x{n}", "proposal": f"j-{n}"},
           "judge_queue": {"ref": f"memory:x{n}"}, "journal": {"seq": 10000 + n, "at": AT, "actor": "kim", "verb": "note", "ref": f"note:{n}", "hash": "0" * 64},
           "evidence": {"ref": "memory:m2", "source": f"s{n}.jsonl", "digest": 1},
           "line_commits": {"ref": f"memory:x{n}", "place": f"a{n}.md:1", "said": "0123456789ab, 2026-04-02, kim"},
           "conflict_answers": {"conflict_id": c, "project": "", "disputed": 0, "settled": 0, "json": "{}"},
           "conflict_rows": {"conflict_id": c, "ref": f"memory:x{n}"}, "sweep_runs": {"started_at": AT}}.get(table)
    if table in FIELDS:
        row = {"id": f"x{n}", "created_at": AT, **FIELDS[table]}
        if table == "project_state":
            row["key"] += f" {n}"
    if table == "conflicts":
        more.append(("conflict_members", a_row("conflict_members", n)[0]))
    if table == "conflict_members":
        more.append(("conflicts", {"id": c, "slot_key": f'["p05","slot {n}"]', "project": "p05", "status": "dismissed", "resolved_at": AT, "resolution": "no"}))
    return row, more


def insert(db, table, row):
    names = ", ".join(f'"{k}"' for k in row)
    db.execute(f"INSERT INTO {table} ({names}) VALUES ({', '.join('?' * len(row))})", list(row.values()))


def ref_of(table, row):
    if table == "evidence":
        return f"evidence:{row['ref']} {row['source']}"
    if table not in KIND and table != "project_state":
        return None   # it goes by its key, whatever that is
    if table == "links":
        return f"link:{row['src']} {row['dst']} {row['rel']}"
    return f"{KIND.get(table, table)}:" + row[{"project_aliases": "project", "conflict_members": "conflict_id", "conflict_answers": "conflict_id", "conflict_rows": "conflict_id", "proposal_rows": "proposal"}
                                          .get(table, "id")]


def plant(m, tables, text):
    """text(n) in every text column of the tables, each in a record of its own: [(table, column, reference, text)]; and what no store takes."""
    planted, refused = [], set()
    db = sqlite3.connect(m.path("hmirror.db"))
    for table in tables:
        for column in text_columns(m, table):
            if (table, column) == ("conflict_members", "conflict_id"):
                continue   # the id of a conflict, which has its turn
            n = len(planted) + 1
            row, more = a_row(table, n)
            assert row, f"a_row() does not know how a record of the table {table} looks"
            row[column] = text(n)
            if column in ("about", "members", "digests", "tags", "source_refs") or (table, column) == ("conflicts", "slot_key"):
                row[column] = json.dumps([text(n), "memory:m1"])
            elif column == "properties":
                row[column] = json.dumps({"serial": {"no": text(n)}})
            elif column in ("record", "before", "after", "json", "shown", "kinds"):
                row[column] = json.dumps({"notes": text(n)})
            try:
                db.execute("SAVEPOINT one")
                if table == "conflicts" and column == "id":
                    more[0][1]["conflict_id"] = text(n)
                for t, r in more if table == "conflict_members" else []:
                    insert(db, t, r)
                insert(db, table, row)
                for t, r in more if table == "conflicts" else []:
                    insert(db, t, r)
                planted.append((table, column, ref_of(table, row), text(n)))
            except sqlite3.IntegrityError:
                refused.add((table, column))
                db.execute("ROLLBACK TO one")
    db.commit()
    db.close()
    return planted, refused


def seed(m):
    m.facts(project("p05", "five"), memory("one", "episodic", id="m1", created_at=AT), memory("two", "episodic", id="m2", created_at=AT),
            entity("Component", {"component_name": "leg"}, "leg", id="e1"), entity("Component", {"component_name": "arm"}, "arm", id="e2"))
    m.sweep()


def told(out, table, column, ref, field=None):
    """A line names it, and no line shows it."""
    want = f"{hidden(ref)}: {field or column}: looks like a live secret (a GitHub token, ghp_… of 40 characters)"
    return any(want in line for line in out.splitlines())


def shown(table, column):
    """All but a verdict that an import brought and nobody carried out, an alias of a project that is not there, a member of no layer: they are
    on no page."""
    return table != "verdicts" and (table, column) not in (("project_aliases", "project"), ("conflict_members", "member_kind"))


EXPORTED = [t for t, what in TABLES if what == "-- exported"]


def test_each_table_says_what_it_is(m):
    assert all(what in ("-- exported", "-- derived", "-- local") for what in WHAT.values()), TABLES
    m.run("init")
    ours = {n for n, in m.sql("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")}
    assert ours == set(WHAT), ours ^ set(WHAT)


def test_a_key_in_any_column(m):
    """Export, check and publish tell of each; none shows one."""
    seed(m)
    planted, refused = plant(m, EXPORTED, key)
    assert refused <= {(t, c) for t in EXPORTED for c in ("status", "value_kind")}, refused
    assert len(planted) > 100, len(planted)
    export = m.run("export", "-v", "-o", "out.jsonl")
    check = m.run("check", "--format", "json", code=None)
    found = {x["subject"] for x in check.json()["results"] if x["rule"] == "live-secret"}
    for table, column, ref, _ in planted:
        field = {"properties": "serial", "record": "notes"}.get(column, column)
        assert told(export.err, table, column, ref, field), (table, column, ref)
        if shown(table, column):
            assert any(x.startswith(hidden(ref)[:60]) and x.endswith(": " + field) for x in found), (table, column, ref)
    publish = m.run("publish")
    said = re.search(r"and (\d+) more live secrets: see 'hmirror check'", publish.err)
    assert publish.err.count("looks like a live secret") == 10 and int(said.group(1)) + 10 == len([p for p in planted if shown(*p[:2])]), publish.err
    others = [m.run("check", "--format", f, code=None) for f in ("text", "junit", "sarif", "github")]
    for r in (export, check, publish, *others):
        for table, column, ref, text in planted:
            assert text not in r.out and text not in r.err, (table, column, text)
    # Nor does the message of a commit, or what is said of it.
    m.run("add", "memory", "-t", "knowledge", "-p", "p05", "--id", "late", "The deploy key is " + key(9999), "-q")
    r = m.run("publish")
    assert key(9999) not in r.out + r.err + m.git("log", "--format=%B", "mirror") and "ghp_…" in m.git("log", "-1", "--format=%B", "mirror"), r.out
    m.run("export", "--verdicts", "-o", "v.jsonl")
    verdicts = m.run("export", "--verdicts", "-v", "-o", "v.jsonl").err
    assert "flag:f-" in verdicts and "conflict:c" in verdicts and "memory:x" not in verdicts, verdicts


VALUE = 'Kilo "Seven" Zulu/42 \u00e4hnlich'


def quoted(n):
    """As somebody quotes it: in another case, with other signs between the words. No two are alike."""
    return f"q{n:04d}: Kim wrote {VALUE.upper().replace(' ', '_' if n % 2 else '  ')}, twice"


def test_a_redacted_value_in_any_column(m):
    """What holds it, folded, is clean afterwards or named, by its kind; never shown."""
    seed(m)
    m.facts(memory(VALUE, "episodic", id="secret", created_at=AT), name="more.jsonl")
    m.sweep()
    planted, _ = plant(m, [t for t in WHAT if t != "swept"], quoted)   # which has one line, with a digest
    assert len(planted) > 130 and {p[0] for p in planted} == set(WHAT) - {"swept"}, len(planted)
    for dry in (True, False):
        r = m.run("--format", "json", "redact", "secret", "--reason", "leaked", "--by", "kim", *["--dry-run"] * dry)
        j = r.json()
        named = j["others"] + j["unreached"] + ["conflict:" + c for c in j["conflicts_holding"]] + [x["kind"] + ":" + x["ref"] for x in j["elsewhere"] + j["beside"]]
        assert VALUE not in r.out and VALUE.upper() not in r.out and VALUE.upper() not in r.err, r.out
    holding = 0
    for table, column, ref, text in planted:
        held = [str(x) for row in m.sql(f"SELECT * FROM {table}") for x in row if text[:6] in str(x) and "ZULU" in str(x)]
        holding += bool(held)
        place = ref and re.sub(r"KILO.*HNLICH|KILO.*\u00c4HNLICH", "[redacted]", ref)
        if (table, column) == ("evidence", "record"):     # what a source says of another row is that row's
            place = place.split(" ")[0].removeprefix("evidence:")
        assert not held or any(x == place or (not ref and x.startswith(table + ":")) for x in named), (table, column, ref, place, held)
    assert holding > 60 and j["others"] and j["conflicts_holding"] and {x["kind"] for x in j["elsewhere"]} >= {"link", "flag", "verdict", "journal"}, holding


def test_a_type_is_redacted(m):
    """Whatever the warning of a live secret says that `redact` takes out, it takes out."""
    m.facts(project("p05"), entity(key(1), {"component_name": "leg"}, "leg", id="e1"), memory("so it is", key(2), id="m1"),
            {"kind": "relation", "id": "r1", "type": key(3), "project": "p05", "from": "e1", "to": "e1"})
    for row, field, text in (("entity:e1", "entity_type", key(1)), ("memory:m1", "memory_type", key(2)), ("relation:r1", "type", key(3))):
        j = m.run("--format", "json", "redact", row, "--field", field, "--reason", "leaked").json()
        assert j["elsewhere"] == [] and j["unreached"] == [] and not j["remains"], j
        assert text.encode() not in m.read("hmirror.db"), row
    m.sweep()
    check_journal(m)


def records(m):
    """A record for each field of each layer that a client can give, with a key in it: [(layer, field, record, key)]."""
    out = []
    for table, layer in (("memories", "memory"), ("entities", "entity"), ("project_state", "project_state"), ("relations", "relation")):
        for column in text_columns(m, table):
            if column.startswith(("valid_", "superseded_", "created_", "updated_", "last_", "status", "value_kind", "graduated")):
                continue
            n = len(out) + 1
            record = {"id": f"w{n}", **FIELDS[table], column: key(n)}
            if column in ("tags", "source_refs"):
                record[column] = ["a", key(n)]
            if column == "properties":
                record[column] = {"note": "a", "serial": key(n)}
            record = {{"from_id": "from", "to_id": "to"}.get(k, k): v for k, v in record.items()}
            out.append((layer, column, record, key(n)))
    return out


def warned(warnings, text):
    assert any("looks like a live secret" in w for w in warnings), warnings
    assert not any(text in w for w in warnings), warnings


def test_a_key_in_any_field_that_is_written(m):
    """add, import, POST and MCP tell of it in their answers."""
    seed(m)
    all = records(m)
    assert len(all) > 25, len(all)
    for layer, field, record, text in all:
        r = m.run("add", "--dry-run", layer, "--json", "-", stdin=json.dumps(record).encode())
        warned(r.err.splitlines(), text)
        assert text not in r.out, (layer, field, r.out)
        j = m.run("--format", "json", "add", "--dry-run", layer, "--json", "-", stdin=json.dumps(record).encode()).json()
        warned(j["warnings"], text)
        m.write("one.jsonl", json.dumps({"kind": layer, **record}))
        r = m.run("import", "--dry-run", "one.jsonl")
        warned(r.err.splitlines(), text)
        assert text not in r.out, (layer, field, r.out)
    paths = {"memory": "/memory", "entity": "/entities", "project_state": "/project/state"}
    with Server(m, "--api-only") as s, Agent(m, "--allow-verdicts") as a:
        for layer, field, record, text in all:
            if layer in paths:   # it has no operation that adds a relation
                warned(s.post(paths[layer] + "?dry_run=true", record, 200).json()["warnings"], text)
        with Agent(m, "--tools", "all") as other:
            tools = {t["name"]: set(t["inputSchema"]["properties"]) for t in other.tools()}
        called = 0
        for layer, field, record, text in all:
            names = {"memory": {"content": "text", "memory_type": "type"}, "entity": {"entity_type": "type"}}.get(layer)
            tool = {"memory": "remember", "entity": "add_entity"}.get(layer)
            args = {names.get(k, k): v for k, v in record.items() if k != "id"} if tool else {}
            if text not in json.dumps(args) or not set(args) <= tools[tool]:
                continue
            got = a.result("tools/call", {"name": tool, "arguments": {**args, "dry_run": True}})
            assert not got.get("isError"), (field, got)
            warned(answer_of(got)["warnings"], text)
            called += 1
        assert called > 10, called


def test_a_key_in_words_beside_a_write(m):
    """Reasons, notes, names of links, who it was: each verb tells of it, and stores it all the same."""
    m.facts(project("p05"), state("mass", "4 kg", id="s1"), memory("Mass is 6 kg.", id="m1"), memory("Mass of the arm is 6 kg.", id="m2", status="candidate"))
    c, = m.sweep()
    done = [("link", "m1", "m2", "--rel", key(1)), ("flag", "m1", "--reason", key(2)), ("edit", "m1", "--set", "scope=" + key(3)),
            ("promote", "m2", "--notes", key(4)), ("conflicts", "dismiss", c["id"], "--reason", key(5)),
            ("conflicts", "reopen", c["id"], "--reason", key(6)), ("conflicts", "resolve", c["id"], "--winner", "s1", "--notes", key(7), "--whole-row"),
            ("add", "memory", "-t", "knowledge", "so", "it", "is", "--by", key(8))]
    for words in done:
        text = re.search(r"ghp_\w{36}", " ".join(words)).group()
        assert "looks like a live secret" in m.run(*words, "--dry-run").err, words
        r = m.run("-q", *words)
        assert "looks like a live secret" in r.err and text not in r.err and text not in r.out, (words, r.err)
    assert m.run("--format", "json", "flag", "m1", "--reason", key(9)).json()["warnings"]


def test_no_error_repeats_a_key(m):
    """Whoever sends a key where it is refused is not sent it back: bodies, queries, paths, tools, methods."""
    seed(m)
    bodies = [{"content": "a", key(1): 1}, {"content": key(2)}, {"memory_type": key(3), "content": "a", "status": key(4)}, {"content": "a", "memory_type": "knowledge", "valid_from": key(5)},
              {"id": "m1", "content": "another", "memory_type": "knowledge", "project": key(6) + "x" * 500}, [key(7)], {"content": "a", "tags": key(8)},
              {"winner": key(9)}, {"reason": key(10), "by": key(11) + "\n"}, {"properties": key(12)}, {"src": key(13), "dst": key(13)}]
    said = []

    def see(text, status, what):
        said.append(status)
        assert "q7Xk2Pz9Lm4Tv8Rw" not in text, (what, text)
    with Server(m, "--api-only") as s:
        operations = [(method.upper(), path) for path, x in s.get("/openapi.json").json()["paths"].items() for method in x]
        for method, path in operations:
            for k, filled in enumerate((key(20), "memory:" + key(21), "m1", "x" * 490 + "_" + key(22), "x" * 40 + "_" + key(22))):
                target = re.sub(r"\{\w+\}", filled, path)
                for query in ("", f"?{key(23)}=1", f"?limit={key(24)}&dry_run={key(24)}&project={key(24)}&q={key(24)}&at={key(24)}"):
                    for body in bodies if method != "GET" and k == 2 and not query else [{"reason": "a"}]:
                        r = s.ask(method, target + query, None if method == "GET" else json.dumps(body).encode(), {"Content-Type": "application/json"})
                        if r.status >= 400:
                            see(r.body.decode(), r.status, (method, target, query, body))
        for target in ("/" + key(30), "/x/%20" + key(31), "/memory/" + key(32) + "/nothing"):
            r = s.get(target, 404)
            see(r.body.decode(), r.status, target)
    with Agent(m, "--allow-verdicts") as a:
        tools = a.tools()
        for tool in tools:
            for args in ({key(40): 1}, {n: key(41) for n in tool["inputSchema"]["properties"]}, {n: "x" * 40 + "_" + key(41) for n in tool["inputSchema"]["properties"]}, {n: "\\n" + key(42) + " " + "x" * 600 for n in tool["inputSchema"]["properties"]}):
                r = a.ask("tools/call", {"name": tool["name"], "arguments": args})
                if "error" in r or r["result"].get("isError"):
                    see(json.dumps(r), -1, (tool["name"], args))
        for method, params in (("tools/call", {"name": key(43), "arguments": {}}), (key(44), {}), ("a" * 30 + "_" + key(45), {}), ("resources/read", {"uri": "hmirror://" + key(46)}),
                               ("resources/read", {"uri": key(47)})):
            see(json.dumps(a.ask(method, params)), -1, (method, params))
    assert len(said) > 200 and {404, 422, -1} <= set(said), len(said)




def test_a_store_made_of_the_export_has_what_is_exported_and_derived(m):
    """Each table that is declared exported or derived is there again, line by line; what is local need not be."""
    facts = [project("p05", "interferometer"), state("frame_mass", "5 kg", id="s1"), decision("PEEK", id="d1"), decision("PTFE", id="d2", name="again"),
             memory("The frame mass is 6 kg.", id="m1"), memory("The lamp colour is red.", id="m2"), memory("The lamp colour is blue.", id="m3"),
             memory("Deploys run on Friday before noon.", id="m4"), memory("Deploys never run on Friday before noon.", id="m5"),
             entity("Person", {"birth": "1900"}, "Kim", id="e1"), entity("Person", {"birth": "1901"}, "Lee", id="e2"),
             {"kind": "relation", "id": "r1", "type": "KNOWS", "from": "e1", "to": "nobody", "project": "p05"},
             {"kind": "link", "src": "memory:m2", "dst": "entity:e1", "rel": "related"}]
    other = [facts[0], {**facts[1], "value": "7 kg"}, {**facts[9], "properties": {"birth": "1902", "trade": "smith"}}]
    m.run("init")
    for name, records in (("one.jsonl", facts), ("two.jsonl", other), ("one.jsonl", facts[:-2])):   # a relation is no longer said
        m.write(name, "".join(json.dumps(r) + "\n" for r in records))
        m.run("import", name)
    m.run("edit", "memory:m2", "--set", "content=The lamp colour is green.", "--by", "ana", code=None)
    of = {c["slot_key"][-1]: c["id"] for c in m.sweep()}
    m.run("conflicts", "resolve", of["lateral_support_material"], "--winner", "d1", "--notes", "tested", "--by", "kim")
    m.run("conflicts", "dismiss", of["lamp_color"], "--reason", "two lamps", "--by", "kim")
    m.run("export", "--verdicts", "-o", "verdicts.jsonl")
    m.run("conflicts", "reopen", of["lamp_color"], "--reason", "one lamp", "--by", "lee")
    m.run("import", "verdicts.jsonl")
    found = {x["kind"]: x["id"] for x in m.run("findings", "--format", "json").json()["findings"]}
    m.run("findings", "confirm", found["possible_contradiction"], "--by", "kim")
    m.run("findings", "ack", found["dangling"] if "dangling" in found else found[sorted(set(found) - {"possible_contradiction"})[0]], "--reason", "known", "--by", "kim")
    m.run("flag", "memory:m3", "--reason", "who says so?", "--by", "kim")
    m.sweep()
    m.write("all.jsonl", m.run("export").out)
    m.run("--store", "copy.db", "import", "all.jsonl", "-q"), m.run("--store", "copy.db", "sweep", "-q")
    for table, what in TABLES:
        if what == "-- local":
            continue
        here, there = (sorted(map(repr, sqlite3.connect(m.path(db)).execute(f"SELECT * FROM {table}"))) for db in ("hmirror.db", "copy.db"))
        # A verdict of this store stands in its journal, and in a store made of the export as a verdict that an import brought.
        assert here == there or table == "verdicts", (table, sorted(set(here) ^ set(there))[:4])
        assert there, table
    assert m.run("--store", "copy.db", "export").out == m.text("all.jsonl")


if __name__ == "__main__":
    main(globals())
