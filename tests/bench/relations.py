"""A world of relations, swept, beside the same questions in SQL (relations.sql) and, where it is
installed, clingo (relations.lp): all counts are equal.

  relations.py BUILD [RELATIONS]     1,000,000

Terms of office touch: one in a thousand begins before the one before it ends. A person is born in
year 100 + N mod 800 and lives for 70 years, so that who lived in a year can be told by a number."""
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
# The store's own tables as those of relations.sql, which is made in the same run.
FROM_STORE = """ATTACH 'hmirror.db' AS s; PRAGMA temp_store = memory; PRAGMA s.mmap_size = 4000000000;
CREATE TEMP TABLE ids(id TEXT PRIMARY KEY, n INT) WITHOUT ROWID;
INSERT INTO ids SELECT id, rowid FROM s.entities WHERE status = 'active' ORDER BY id;
CREATE TEMP TABLE ent(id INTEGER PRIMARY KEY, type INT, birth INT, death INT, date INT);
INSERT INTO ent SELECT rowid, CASE entity_type WHEN 'Person' THEN 1 WHEN 'Faction' THEN 2 WHEN 'Location' THEN 3 WHEN 'Event' THEN 4
  WHEN 'Item' THEN 5 ELSE 6 END, CAST(properties ->> 'birth' AS INT), CAST(properties ->> 'death' AS INT), CAST(properties ->> 'date' AS INT)
  FROM s.entities WHERE status = 'active';
CREATE INDEX by_type ON ent(type);
CREATE TEMP TABLE rel(kind INT, f INT, t INT, y0 INT, y1 INT);
INSERT INTO rel SELECT CASE type WHEN 'MEMBER_OF' THEN 1 WHEN 'POSSESSES' THEN 2 WHEN 'RULES' THEN 3 WHEN 'PARENT_OF' THEN 4
  WHEN 'PARTICIPATED_IN' THEN 5 WHEN 'OCCURRED_AT' THEN 6 WHEN 'PART_OF' THEN 7 WHEN 'FOUNDED' THEN 8 END,
  ifnull(f.n, -1), ifnull(t.n, -1), CAST(valid_from AS INT), CAST(valid_until AS INT)
  FROM s.relations r LEFT JOIN ids f ON f.id = r.from_id LEFT JOIN ids t ON t.id = r.to_id WHERE status = 'active';
CREATE INDEX by_f ON rel(kind, f, y0, y1, t); CREATE INDEX by_t ON rel(kind, t, y0, y1, f);
"""
KINDS = {"MEMBER_OF": 1, "POSSESSES": 2, "RULES": 3, "PARENT_OF": 4, "PARTICIPATED_IN": 5, "OCCURRED_AT": 6, "PART_OF": 7, "FOUNDED": 8}
TYPES = {"Person": 1, "Faction": 2, "Location": 3, "Event": 4, "Item": 5, "Region": 6}
ATOMS = {1: "member(%d,%d,%d,%d)", 2: "has(%d,%d,%d,%d)", 3: "rules(%d,%d,%d,%d)", 4: "parent(%d,%d)", 5: "took(%d,%d)", 6: "at(%d,%d)",
         7: "part(%d,%d)", 8: "founded(%d,%d)"}
# What hmirror calls these, and the atoms of clingo.
RULES = {"before": "time/existed-before", "after": "time/existed-after", "child-before-parent": "life/child-before-parent",
         "death-before-birth": "life/death-before-birth", "no-origin": "gap/faction-origin", "no-region": "gap/location-region",
         "no-place": "gap/event-location", "no-owner": "gap/item-owner"}
SLOTS = {"two-factions": "MEMBER_OF", "two-owners": "POSSESSES", "two-rulers": "RULES", "three-parents": "PARENT_OF"}
SHOWN = {"c1": "two-factions", "c2": "two-owners", "c3": "two-rulers", "c4": "three-parents", "b": "before", "a": "after",
         "k": "child-before-parent", "d": "death-before-birth", "g1": "no-origin", "g2": "no-region", "g3": "no-place", "g4": "no-owner",
         "x": "no-such-row"}


def world(n):
    """(entities: id -> (type, birth, death, date); relations: [kind, from, to, y0, y1])."""
    people, factions, places, events, items = n // 8, n // 400, n // 100, n // 50, n // 50
    ent, rel = {}, []
    first = {}
    for t, count in (("Person", people), ("Faction", factions), ("Location", places), ("Event", events), ("Item", items), ("Region", 10)):
        first[t] = len(ent)
        for i in range(count):
            birth = 100 + i % 800
            ent[len(ent)] = (t, birth if t == "Person" else None, birth + 70 if t == "Person" and i % 9973 else birth - 5 if t == "Person" else None,
                             150 + i * 7 % 740 if t == "Event" else None)

    def alive(year, k):     # born thirty years before, or so
        i = (year - 130) % 800
        i += 800 * (k % max(1, (people - i) // 800))
        return i + 9 if i % 9973 == 0 else i    # those whose death is wrong are left alone
    for p in range(people):
        if p % 9973 == 0:
            continue
        for k in range(3):
            early = 5 if k == 1 and p % 1000 == 7 else 0
            y = 120 + p % 800 + 10 * k
            rel.append((1, p, first["Faction"] + (p * 3 + k) % factions, y - early, y + 10))
        if p >= 25 and p % 7 < 5 and (p - 25) % 9973:
            rel.append((4, p - 25, p, None, None))
    for i in range(people // 2000):     # a third parent, and children before their parents
        c = 30 + 801 * i % (people - 100)
        if any((c + k) % 9973 == 0 for k in range(-28, 42)):
            continue
        for k in (26, 27, 28):
            rel.append((4, c - k, c, None, None))
        rel.append((4, c + 40, c + 1, None, None))
    for i in range(items):
        for k in range(10 if i % 100 else 0):
            y = 200 + i % 500 + 10 * k
            rel.append((2, alive(y, i + k), first["Item"] + i, y - (5 if k == 4 and i % 1000 == 5 else 0), y + 10))
    for i in range(places):
        for k in range(4):
            y = 200 + i % 500 + 10 * k
            rel.append((3, alive(y, i + k), first["Location"] + i, y - (5 if k == 2 and i % 500 == 5 else 0), y + 10))
        if i % 100:
            rel.append((7, first["Location"] + i, first["Region"] + i % 10, None, None))
    for i in range(events):
        e, year = first["Event"] + i, 150 + i * 7 % 740
        if i % 50:
            rel.append((6, e, first["Location"] + i % places, None, None))
        for k in range(14):
            when = year + 90 if i % 500 == 1 and k == 0 else year - 200 if i % 500 == 2 and k == 0 and year > 400 else year
            rel.append((5, alive(when, i * 31 + k), e, None, None))
    for i in range(factions):
        if i % 20:
            rel.append((8, i + 1, first["Faction"] + i, None, None))
    return ent, sorted(set(rel), key=lambda r: (r[0], r[1], r[2], r[3] or 0))


def write_facts(path, ent, rel):
    kinds = {v: k for k, v in KINDS.items()}
    with open(path, "w") as f:
        for i, (t, birth, death, date) in ent.items():
            props = {"birth": "%04d" % birth, "death": "%04d" % death} if birth else {"date": "%04d" % date} if date else {}
            f.write(json.dumps({"kind": "entity", "id": f"e{i}", "entity_type": t, "project": "w", "name": f"{t} {i}", "properties": props}) + "\n")
        for i, (k, a, b, y0, y1) in enumerate(rel):
            r = {"kind": "relation", "id": f"r{i}", "type": kinds[k], "project": "w", "from": f"e{a}", "to": f"e{b}"}
            if y0:
                r.update(valid_from="%04d" % y0, valid_until="%04d" % y1)
            f.write(json.dumps(r) + "\n")


def write_sqlite(path, ent, rel):
    db = sqlite3.connect(path)
    db.executescript("CREATE TABLE ent(id INTEGER PRIMARY KEY, type INT, birth INT, death INT, date INT); CREATE TABLE rel(kind INT, f INT, t INT, y0 INT, y1 INT)")
    db.executemany("INSERT INTO ent VALUES(?,?,?,?,?)", ((i, TYPES[t], b, d, w) for i, (t, b, d, w) in ent.items()))
    db.executemany("INSERT INTO rel VALUES(?,?,?,?,?)", rel)
    db.executescript("CREATE INDEX by_f ON rel(kind, f, y0, y1, t); CREATE INDEX by_t ON rel(kind, t, y0, y1, f); CREATE INDEX by_type ON ent(type); ANALYZE")
    db.commit()
    db.close()


def write_clingo(path, ent, rel):
    with open(path, "w") as f:
        for i, (t, birth, death, date) in ent.items():
            f.write(f"ent({i},{TYPES[t]}).\n")
            if birth:
                f.write(f"p({i},{birth},{death}).\n")
            if date:
                f.write(f"e({i},{date}).\n")
        for k, a, b, y0, y1 in rel:
            f.write(ATOMS[k] % ((a, b, y0, y1) if k < 4 else (a, b)) + ".\n")


def run(cmd, **kw):
    """(wall s, CPU s, peak MB, what it prints)"""
    start = time.monotonic()
    p = subprocess.Popen(cmd, stdout=subprocess.PIPE, **kw)
    out = p.stdout.read().decode()
    _, status, ru = os.wait4(p.pid, 0)
    p.returncode = os.waitstatus_to_exitcode(status)
    if p.returncode not in (0, 10, 30):     # clingo ends with 10 or 30
        sys.exit(f"{cmd}: exit {p.returncode}")
    return time.monotonic() - start, ru.ru_utime + ru.ru_stime, ru.ru_maxrss / 1024, out


def median(runs):
    return sorted(runs)[len(runs) // 2]


def ours(hm, path):
    """Runs after the first, which records. By the built-in rules: those in SQL answer other questions."""
    rules = json.loads(run([hm, "rules", "list", "--format", "json"], cwd=path)[3])["rules"]
    with open(os.path.join(path, "mirror.yml"), "w") as f:
        f.write("rules:\n  off: [%s]\n" % ", ".join(r["id"] for r in rules if r["source"] != "built in"))
    run([hm, "-q", "sweep"], cwd=path)
    t = median([run([hm, "-q", "sweep"], cwd=path) for _ in range(3)])
    db = sqlite3.connect(os.path.join(path, "hmirror.db"))
    found = dict(db.execute("SELECT rule, count(*) FROM findings GROUP BY rule"))
    slots = [json.loads(k)[1] for k, in db.execute("SELECT slot_key FROM conflicts WHERE status = 'open'")]
    counts = {name: found.get(rule, 0) for name, rule in RULES.items()}
    counts.update({name: sum(s.split(" ")[0] == kind for s in slots) for name, kind in SLOTS.items()})
    counts["no-such-row"] = sum(found.get(f"orphan/{end}", 0) for end in ("from", "to"))
    others = {r: n for r, n in found.items() if r not in RULES.values() and not r.startswith("orphan/")}
    return t, counts, others


def measure(build, n):
    hm, work = os.path.join(build, "hmirror"), os.path.join(build, "bench", f"relations{n}")
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    ent, rel = world(n)
    write_facts(os.path.join(work, "facts.jsonl"), ent, rel)
    run([hm, "-q", "init", work])
    run([hm, "-q", "import", "facts.jsonl"], cwd=work)
    t, counts, others = ours(hm, work)
    rows = [("hmirror sweep: reads the store, built-in rules", t)]
    db = os.path.join(work, "peer.db")
    write_sqlite(db, ent, rel)
    s = median([run(["sqlite3", "-readonly", db], stdin=open(os.path.join(HERE, "relations.sql"))) for _ in range(3)])
    rows.append(("sqlite3: numbers in indexed tables", s))
    script = os.path.join(work, "store.sql")
    with open(script, "w") as f, open(os.path.join(HERE, "relations.sql")) as questions:
        f.write(FROM_STORE + questions.read())
    o = median([run(["sqlite3"], cwd=work, stdin=open(script)) for _ in range(3)])
    rows.append(("sqlite3: the same from the store's own tables", o))
    answers = [{k: int(v) for k, v in (line.split() for line in x[3].splitlines() if " " in line)} for x in (s, o)]
    if shutil.which("clingo"):
        write_clingo(os.path.join(work, "facts.lp"), ent, rel)
        c = run(["clingo", "--outf=0", "-V1", os.path.join(HERE, "relations.lp"), os.path.join(work, "facts.lp")])
        rows.append(("clingo", c))
        model = c[3].split("Answer: 1\n")[1].split("\n")[0].split()
        answers.append({name: sum(a.startswith(atom + "(") for a in model) for atom, name in SHOWN.items()})
    print(f"{len(rel):,} relations, {len(ent):,} entities")
    for name, (wall, cpu, mem, _) in rows:
        print(f"  {name:<45} {wall:7.2f} s {cpu:7.2f} s CPU {mem:7.0f} MB   {wall / t[0]:5.1f}")
    for other in answers:
        for k in sorted(set(counts) | set(other)):
            if counts.get(k) != other.get(k):
                print(f"  {k}: {counts.get(k)} here, {other.get(k)} there")
    print("  counts:", " ".join(f"{k} {v}" for k, v in sorted(counts.items())), "| others:", others)
    return counts, answers, t


if __name__ == "__main__":
    measure(os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 10 ** 6)
