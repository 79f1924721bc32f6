"""A store that looks like a real one, of any size, the same for the same numbers.

The first project holds half of all rows, the others share the rest. A fifth of the rows are
history: superseded, with successor and time. Entities are related within their project and
sometimes across projects, memories link to entities of other projects, every fortieth row is
prose of one to six kilobytes. `live` gives 200 verdicts of all kinds and deletes some rows, as
people and other programs do after an import.
"""
import json
import random
import sqlite3
import subprocess

WORDS = ["mass", "gain", "pitch", "limit", "slope", "phase", "range", "drift",
         "noise", "width", "depth", "index", "angle", "power", "speed", "force"]
UNITS = ["kg", "mm", "s", "K", "W", "Hz"]
PROSE = ("The bench was set up again after the pump had been moved and the reading was taken twice "
         "with the door closed because the draught from the corridor had spoiled the first series ").split()


def project_sizes(projects, rows):
    """Half of the rows for the first project, the rest in equal parts."""
    if projects == 1:
        return [rows]
    rest = max(1, rows // 2 // (projects - 1))
    return [max(1, rows - rest * (projects - 1))] + [rest] * (projects - 1)


def prose(rnd, name, value):
    """Long text as agents write it: the fact is somewhere in it."""
    words = [rnd.choice(PROSE) for _ in range(rnd.randrange(150, 900))]
    return f"{' '.join(words)}. Measured {name}: wrote down {value}."


def row(rnd, kind, n, name, value, base):
    """One record of the layer that `kind` (0 to 7) stands for."""
    refs = [f"report {n % 50}", f"meeting {n % 9}"]
    if kind in (0, 5):
        return {"kind": "project_state", "id": f"s{n}", "category": f"area {n % 4}", "key": name,
                "value": value, "source": refs[0], **base}
    if kind == 7:
        text = prose(rnd, name, value) if n % 40 == 7 else f"Measured {name}, wrote down {value}."
        return {"kind": "memory", "id": f"m{n}", "memory_type": "episodic", "content": text,
                "source_refs": refs, **base}
    if kind in (1, 3, 6):
        return {"kind": "memory", "id": f"m{n}", "memory_type": "knowledge",
                "content": f"{name} is {value}", "confidence": 0.7, "agent": "generator",
                "source_refs": refs, **base}
    return {"kind": "entity", "id": f"e{n}", "entity_type": "Parameter", "name": name,
            "properties": {"parameter_name": name, "value": value}, "source_refs": refs, **base}


def records(projects, rows, contested=0.02, seed=1):
    """Yields records: `projects` projects, about `rows` rows, `contested` of the slots in dispute."""
    rnd = random.Random(seed)
    for p in range(projects):
        yield {"kind": "project", "id": f"p{p:05}", "name": f"Project {p}", "aliases": [f"P-{p}"],
               "description": "A generated project."}
    n, entities, stranger = 0, [], None
    for p, size in enumerate(project_sizes(projects, rows)):
        entities.clear()
        for i in range(size):
            n += 1
            slot = i // 2
            name = f"{WORDS[slot % 16]} {slot // 16}"
            number = (p * 31 + slot) % 997 / 10
            if i % 2 and rnd.random() < contested:
                number += 1
            base = {"project": f"p{p:05}", "status": "active",
                    "created_at": f"20{20 + n % 7}-{1 + n % 12:02}-{1 + n % 28:02}T09:00:00Z"}
            if i % 20 == 12 and len(entities) > 1:
                other = stranger if n % 200 == 13 and stranger else entities[-2]
                yield {"kind": "relation", "id": f"r{n}", "type": "AFFECTS" if n % 3 else "PART_OF",
                       "from": entities[-1], "to": other, **base}
                continue
            if i % 5 == 4:
                base.update(status="superseded", superseded_at="2026-11-01T10:00:00Z")
                number += 5
            record = row(rnd, i % 8, n, name, f"{number:g} {UNITS[slot % 6]}", base)
            if i % 5 == 4:
                record["superseded_by"] = last
            yield record
            last = f"{record['kind']}:{record['id']}"
            if record["kind"] == "entity":
                entities.append(record["id"])
                stranger = record["id"] if i % 16 == 2 else stranger
            elif record["kind"] == "memory" and n % 50 == 1 and stranger:
                yield {"kind": "link", "src": last, "dst": f"entity:{stranger}", "rel": "refines"}


def write(path, *args):
    with open(path, "w") as f:
        for r in records(*args):
            f.write(json.dumps(r, separators=(",", ":")) + "\n")


def live(hm, folder, env, verdicts=200):
    """Gives verdicts of all kinds on the first conflicts of the store, and deletes one row in a thousand."""
    def run(*args):
        return subprocess.run([hm, "-q", *args], cwd=folder, env=env, check=True, capture_output=True).stdout
    run("sweep")
    listed = json.loads(run("--format", "json", "conflicts", "list"))["conflicts"][:verdicts]
    for i, c in enumerate(listed):
        winner = c["members"][0]["member_kind"] + ":" + c["members"][0]["member_id"]
        if i % 4 == 0:
            run("conflicts", "resolve", c["id"], "--winner", winner, "--notes", "measured again")
        elif i % 4 == 1:
            run("conflicts", "resolve", c["id"], "--no-action", "--notes", "both hold until the test")
        else:
            run("conflicts", "dismiss", c["id"], "--reason", "two different legs")
        if i % 4 == 3:
            run("conflicts", "reopen", c["id"], "--reason", "the scale was wrong")
    db = sqlite3.connect(f"{folder}/hmirror.db")
    for table in ("memories", "entities", "project_state"):
        db.execute(f"DELETE FROM {table} WHERE rowid % 1000 = 500")
    db.commit()
    db.close()
    run("sweep")


def publications(repo, n, value="50 rpm"):
    """n more commits on branch mirror: each gives one value of its tip another number on every page, as `publish` would."""
    def git(*args, **kw):
        return subprocess.run(["git", "-C", repo, *args], capture_output=True, check=True, **kw).stdout
    paths = [p.split(":", 1)[1] for p in git("grep", "-l", "-F", value, "mirror").decode().splitlines()]
    files = {p: git("show", "mirror:" + p).decode() for p in paths}
    out = []
    for i in range(n):
        message = f"Mirror: {i}\n\nMirror-Tool: hmirror test\n"
        out.append(f"commit refs/heads/mirror\ncommitter m <m@m> {1780000000 + i * 86400} +0000\ndata {len(message)}\n{message}")
        if i == 0:
            out.append("from refs/heads/mirror^0\n")
        for p, text in files.items():
            text = text.replace(value, f"{100 + i} rpm")
            out.append(f"M 100644 inline {p}\ndata {len(text.encode())}\n{text}\n")
    git("fast-import", "--quiet", input="".join(out).encode())
