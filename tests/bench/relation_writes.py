"""One relation written to a world of eras, at a plain row and at a hub, with a rule in SQL that takes :row.

  relation_writes.py BUILD [ROWS [HUB]]     100,000 rows, a hub of 5,000 relations

The time is what the program says that the write took, with the rules for its row: want under 100 ms.
The first write is left out."""
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

ERAS = """worlds:
  - {world: w, current: 3rd_age.year_1000}
eras:
  - {world: w, era: 1st_age}
  - {world: w, era: 2nd_age, ends: year_3441}
  - {world: w, era: 3rd_age, begins: year_1, ends: year_3021}
"""
RULE = """-- id: bench
-- description: Two who ruled one place are of one name.
-- reads: entities, relations

SELECT a.ref AS row1, b.ref AS row2 FROM relations AS a
JOIN relations AS b ON b.to_id = a.to_id AND b.type = a.type AND b.ref <> a.ref
JOIN entities AS x ON x.id = a.from_id JOIN entities AS y ON y.id = b.from_id
WHERE a.ref = :row AND a.type = 'RULES' AND x.name = y.name AND x.id <> y.id
"""
RUNS = 15


def year(n):
    return f"3rd_age.year_{n}"


def records(rows, hub):
    """A third are people, the rest relations; the hub is a realm in which many took part, and which ruled by turns."""
    people = rows // 3
    yield {"kind": "entity", "id": "hub", "project": "w", "entity_type": "Place", "name": "Hub", "properties": {}}
    yield {"kind": "entity", "id": "war", "project": "w", "entity_type": "Event", "name": "War", "properties": {"date": year(100)}}
    for i in range(people):
        yield {"kind": "entity", "id": f"e{i}", "project": "w", "entity_type": "Person", "name": f"Name {i}",
               "properties": {"birth": year(50 + i % 40), "death": year(120 + i % 40)}}
    for i in range(rows - people):
        r = {"kind": "relation", "id": f"r{i}", "project": "w", "from": f"e{i % people}", "to": f"e{(7 * i + 1) % people}", "type": "KNOWS"}
        if i < hub:
            r.update(type="PARTICIPATED_IN", to="war")
        elif i < hub + 500:
            r.update(type="RULES", to="hub", valid_from=year(i - hub + 1), valid_until=year(i - hub + 2))
        elif i < hub + 500 + hub:
            r.update(type="VISITED", to="hub")
        yield r


def main(build, rows=100000, hub=5000):
    hm, folder = os.path.abspath(os.path.join(build, "hmirror")), tempfile.mkdtemp(prefix="hm-bench-")

    def hmirror(*args):
        return subprocess.run([hm, *args], cwd=folder, capture_output=True, text=True, check=True)
    with open(os.path.join(folder, "facts.jsonl"), "w") as f:
        for r in records(int(rows), int(hub)):
            f.write(json.dumps(r) + "\n")
    hmirror("init", ".", "-q")
    with open(os.path.join(folder, "world.yml"), "w") as f:
        f.write(ERAS)
    os.makedirs(os.path.join(folder, "rules"), exist_ok=True)
    with open(os.path.join(folder, "rules", "bench.sql"), "w") as f:
        f.write(RULE)
    hmirror("import", "-q", "facts.jsonl")
    hmirror("sweep", "-q")

    def write(name, run, record):
        bounds = [x for k in ("valid_from", "valid_until") if k in record for x in ("--" + k.replace("_", "-"), record[k])]
        p = hmirror("-v", "add", "relation", record["from"], record["type"], record["to"], "-p", "w", "--id", f"{name}-{run}", *bounds)
        return float(p.stderr.rsplit("written in ", 1)[1].split(" ms")[0])
    write("first", 0, {"type": "KNOWS", "from": "e1", "to": "e2"})
    writes = {
        "between two people": {"type": "KNOWS", "from": "e3", "to": "e4"},
        f"an event of {hub} people": {"type": "PARTICIPATED_IN", "from": "e5", "to": "war"},
        f"a place of {hub} visitors and 500 reigns": {"type": "RULES", "from": "e6", "to": "hub", "valid_from": year(700), "valid_until": year(701)},
        "a spouse, with bounds": {"type": "SPOUSE_OF", "from": "e7", "to": "e8", "valid_from": year(95), "valid_until": year(99)},
    }
    print(f"{rows} rows, a world of eras, a rule in SQL that takes :row")
    for name, record in writes.items():
        times = [write(name.replace(" ", "-"), run, record) for run in range(RUNS)]
        print(f"  {name:<50} {statistics.median(times):8.2f} ms, at most {max(times):.2f} ms")
    shutil.rmtree(folder)


main(*sys.argv[1:])
