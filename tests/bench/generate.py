"""A store of any size in the import format, the same for the same numbers."""
import json
import random
import subprocess


def records(projects, rows, contested=0.02, seed=1):
    """Yields JSON lines: `projects` projects and about `rows` rows over all layers, `contested` of the slots in dispute."""
    rnd = random.Random(seed)
    words = ["mass", "gain", "pitch", "limit", "slope", "phase", "range", "drift", "noise", "width", "depth", "index", "angle", "power", "speed", "force"]
    units = ["kg", "mm", "s", "K", "W", "Hz"]
    for p in range(projects):
        yield {"kind": "project", "id": f"p{p:05}", "name": f"Project {p}", "aliases": [f"P-{p}"], "description": "A generated project."}
    per = max(1, rows // projects)
    n = 0
    for p in range(projects):
        pid = f"p{p:05}"
        for i in range(per):
            n += 1
            base = {"project": pid, "created_at": f"20{20 + n % 7}-{1 + n % 12:02}-{1 + n % 28:02}T09:00:00Z"}
            slot = i // 2
            name = f"{words[slot % 16]} {slot // 16}"
            value = f"{(p * 31 + slot) % 997 / 10} {units[slot % 6]}"
            if i % 2 and rnd.random() < contested:
                value = f"{(p * 31 + slot) % 997 / 10 + 1} {units[slot % 6]}"
            kind = i % 8
            src = [f"report {n % 50}", f"meeting {n % 9}"]
            if kind in (0, 5):
                yield {"kind": "project_state", "id": f"s{n}", "category": f"area {slot % 4}", "key": name, "value": value, "source": src[0], **base}
            elif kind in (1, 3, 6):
                yield {"kind": "memory", "id": f"m{n}", "memory_type": "knowledge", "content": f"{name} is {value}", "status": "active",
                       "confidence": 0.7, "agent": "generator", "source_refs": src, **base}
            elif kind == 7:
                yield {"kind": "memory", "id": f"m{n}", "memory_type": "episodic", "content": f"Measured {name} on the bench and wrote it down as {value}.",
                       "status": "active", "source_refs": src, **base}
            else:
                yield {"kind": "entity", "id": f"e{n}", "entity_type": "Parameter", "name": name,
                       "properties": {"parameter_name": name, "value": value}, "status": "active", "source_refs": src, **base}


def write(path, *args):
    with open(path, "w") as f:
        for r in records(*args):
            f.write(json.dumps(r, separators=(",", ":")) + "\n")


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
