"""What a rule in SQL costs beside the same SELECT in sqlite3 on an indexed file.

  sql_rules.py BUILD [ROWS]     200,000 relations where no number is given

A rule's cost is the processor time of `rules test` less that of a rule that reads nothing: the rows
are read by the sweep in any case. The file has the columns of the rules' tables and an index for
each that a rule looks up. Both must find the same.
"""
import json
import os
import random
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile

RUNS = 5
RULES = {
    "join by an end, windows": ("entities, relations", """
SELECT a.ref AS row1, b.ref AS row2, p.name FROM relations AS a
JOIN relations AS b ON b.to_id = a.to_id AND b.type = 'HOLDS' AND b.ref > a.ref
JOIN entities AS p ON p.id = a.to_id
WHERE a.type = 'HOLDS' AND a.status = 'active' AND b.status = 'active'
  AND a.certain_from < b.certain_until AND b.certain_from < a.certain_until"""),
    "what nothing points to": ("entities, relations", """
SELECT e.ref AS row, e.name FROM entities AS e
WHERE e.type = 'Person' AND e.status = 'active'
  AND NOT EXISTS (SELECT 1 FROM relations AS r WHERE r.from_id = e.id AND r.status = 'active')"""),
    "properties": ("entities, relations", """
SELECT r.ref AS row FROM relations AS r JOIN entities AS e ON e.id = r.from_id
WHERE r.type = 'HOLDS' AND json_extract(e.properties, '$.birth') > r.valid_from"""),
}


def records(n):
    rnd = random.Random(1)
    entities = [{"kind": "entity", "id": f"e{i}", "project": "w", "entity_type": "Person" if i % 2 else "Town",
                 "name": f"Name {i}", "properties": {"birth": str(1000 + i % 800)}} for i in range(n // 4)]
    relations = [{"kind": "relation", "id": f"r{i}", "project": "w", "type": ("HOLDS", "KNOWS", "VISITED", "LIVES_IN")[i % 4],
                  "from": f"e{rnd.randrange(n // 8)}", "to": f"e{rnd.randrange(n // 4)}",
                  "valid_from": str(1000 + i % 800), "valid_until": str(1010 + i % 800)} for i in range(n)]
    return entities, relations


def indexed_file(path, entities, relations):
    db = sqlite3.connect(path)
    db.executescript("""
        CREATE TABLE entities(ref TEXT PRIMARY KEY, id TEXT, type TEXT, status TEXT, name TEXT, properties TEXT);
        CREATE TABLE relations(ref TEXT PRIMARY KEY, id TEXT, type TEXT, status TEXT, from_id TEXT, to_id TEXT,
                               valid_from TEXT, certain_from INTEGER, certain_until INTEGER);""")
    db.executemany("INSERT INTO entities VALUES(?,?,?,'active',?,?)", [
        ("entity:" + e["id"], e["id"], e["entity_type"], e["name"], json.dumps(e["properties"])) for e in entities])
    # A year is some instant of it: what is certain lies between the last of one and the first of the other.
    db.executemany("INSERT INTO relations VALUES(?,?,?,'active',?,?,?,?,?)", [
        ("relation:" + r["id"], r["id"], r["type"], r["from"], r["to"], r["valid_from"], int(r["valid_from"]) + 1,
         int(r["valid_until"])) for r in relations])
    db.executescript("""CREATE INDEX a ON entities(id); CREATE INDEX b ON entities(type); CREATE INDEX c ON relations(type);
                        CREATE INDEX d ON relations(from_id); CREATE INDEX e ON relations(to_id); ANALYZE;""")
    db.close()


def cpu(command, cwd):
    best = None
    for _ in range(RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        p = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        best = spent if best is None else min(best, spent)
    return best, p.stdout


def main(build, n=200000):
    hmirror, folder = os.path.abspath(os.path.join(build, "hmirror")), tempfile.mkdtemp(prefix="hm-bench-")
    entities, relations = records(int(n))
    with open(os.path.join(folder, "facts.jsonl"), "w") as f:
        for r in entities + relations:
            f.write(json.dumps(r) + "\n")
    subprocess.run([hmirror, "init", ".", "-q"], cwd=folder, check=True)
    subprocess.run([hmirror, "import", "-q", "facts.jsonl"], cwd=folder, check=True)
    indexed_file(os.path.join(folder, "indexed.db"), entities, relations)

    def rule(name, reads, sql):
        with open(os.path.join(folder, name), "w") as f:
            f.write(f"-- id: bench\n-- description: x\n-- reads: {reads}\n\n{sql}\n")
        spent, out = cpu([hmirror, "--format", "json", "rules", "test", name], folder)
        return spent, json.loads(out)["count"]
    idle, _ = rule("idle.sql", "projects", "SELECT id AS row FROM projects WHERE 0")
    print(f"{n} relations; the sweep without the rule: {idle:.2f} s of CPU")
    for name, (reads, sql) in RULES.items():
        ours, found = rule("rule.sql", reads, sql)
        theirs, out = cpu(["sqlite3", "indexed.db", sql], folder)
        assert found == out.count("\n"), (name, found, out.count("\n"))
        print(f"{name}: {ours - idle:.2f} s, sqlite3 {theirs:.2f} s, ratio {(ours - idle) / theirs:.2f}; {found} found")
    shutil.rmtree(folder)


main(*sys.argv[1:])
