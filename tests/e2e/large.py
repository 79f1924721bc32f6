"""A mirror of so many files that its manifest and its conflicts.json are indexes of parts: no file is over 1 MiB."""
import hashlib
import json
import os
import shutil
import subprocess

from harness import THOROUGH, main, memory, state

PROJECTS = 800     # whose names are long, so that the manifest is over 1 MiB
MAX = 1 << 20


def large(m):
    m.facts(*[state("port", str(8000 + i), project=f"q{i}" + "-and-so-on" * 20 * (i > 9), id=f"s{i}", created_at="2026-04-01") for i in range(PROJECTS)],
            memory("mode is fast", project="q7", id="m1"), state("mode", "slow", project="q7", id="sm"))


def change(m, value, project="q7"):
    m.facts(state("port", value, project=project, id="s" + project[1:], created_at="2026-04-01"))


def joined(read, name, key):
    """The records of a list, wherever they stand, and its parts."""
    index = json.loads(read(name))
    if "parts" not in index:
        return index[key], []
    records = []
    for part in index["parts"]:
        text = read(part["path"])
        assert hashlib.sha256(text.encode()).hexdigest() == part["sha256"] and len(text.encode()) == part["bytes"] <= MAX
        below = json.loads(text)
        assert below["count"] == part["count"] == len(below[key])
        records += below[key]
    assert index["count"] == len(records)
    return records, [p["path"] for p in index["parts"]]


def whole(m, *folder):
    """What stands there is what the manifest names, each file once. Returns {path: SHA-256}, and the parts of the manifest."""
    rows, parts = joined(lambda path: m.text(*folder, path), "manifest.json", "files")
    named = {r["path"]: r["sha256"] for r in rows}
    assert len(named) == len(rows), "a file that is named twice"
    tree = m.tree(*folder)
    assert {p: h for p, h in tree.items() if p != "manifest.json" and p not in parts} == named
    return tree, parts


def test_a_change_touches_one_project(m):
    large(m)
    m.run("build")
    before, parts = whole(m, "site")
    assert len(before) > 3000 and len(parts) >= 16, (len(before), len(parts))
    assert all(os.path.getsize(m.path("site", p)) <= MAX for p in before)
    times = {p: os.stat(m.path("site", p)).st_mtime_ns for p in before}
    change(m, "9999")
    m.run("build")
    after, _ = whole(m, "site")
    changed = {p for p in after if before.get(p) != after[p]}
    assert {"manifest.json", "projects/q7/README.md", "data/q7/state.jsonl"} <= changed, changed
    assert len(changed & set(parts)) <= 2, changed     # of the project, and of the search
    assert all(p.startswith(("projects/q7/", "data/q7/", "manifest/", "search/")) or "/" not in p for p in changed), changed
    assert all(os.stat(m.path("site", p)).st_mtime_ns == times[p] for p in after if p not in changed)
    m.run("build", "--full", "-d", "full")
    assert m.tree("full") == m.tree("site")


def test_publications(m):
    large(m)
    m.run("publish")
    m.run("verify")
    for i in range(3):
        change(m, str(9000 + i))
        if i == 2:
            os.unlink(m.path("hmirror.db.cache"))   # the count of changed pages then comes from the manifest's parts
        m.run("publish")
        changed = m.git("show", "--format=", "--name-only", "mirror").split()
        assert "manifest.json" in changed and len([p for p in changed if p.startswith("manifest/")]) <= 3, changed   # of the project, of the root, of the search
        assert all(p.startswith(("projects/q7/", "data/q7/", "data/changes.jsonl", "manifest/", "search/")) or "/" not in p for p in changed), changed
        m.run("verify")
    said = {m.git("log", "-1", "--format=%s", f"mirror~{i}") for i in range(3)}
    assert {s.strip() for s in said} == {"q7: port 9001 -> 9002", "q7: port 9000 -> 9001", "q7: port 8007 -> 9000"}, said
    subprocess.run(["git", "clone", "-q", "--bare", "--branch", "mirror", m.path("mirror.git"), m.path("full.git")], check=True, env=m.env)
    m.run("publish", "--full", "--repo", "full.git")
    trees = [m.git("rev-parse", "mirror^{tree}", repo=r) for r in ("mirror.git", "full.git")]
    assert trees[0] == trees[1], trees
    m.git("fsck", "--strict")


def test_over_the_threshold_and_back(m):
    """Half of the files: not large any more."""
    large(m)
    for form in ([], ["--markdown-only"], []):
        m.run("build", *form)
        m.run("publish", *form)
        files, parts = whole(m, "site")
        assert bool(parts) == (not form), (form, len(files))
        m.run("publish", "--full", "--repo", "full.git", *form)
        assert m.git("rev-parse", "mirror^{tree}") == m.git("rev-parse", "mirror^{tree}", repo="full.git")
        change(m, "1" + str(len(form)))


def test_what_others_put_there(m):
    large(m)
    m.write("site/letter.txt", "not ours")
    assert "manifest.json" in m.fails("build")
    shutil.rmtree(m.path("site"))
    m.run("build")
    part = whole(m, "site")[1][0]
    m.write("site/manifest/notes.txt", "mine")
    m.write("site/projects/q9/README.md", "edited")
    change(m, "9999")
    m.run("build")
    assert m.text("site", "manifest/notes.txt") == "mine"
    assert "edited" not in m.text("site", "projects/q9/README.md")
    os.unlink(m.path("site/manifest/notes.txt"))
    whole(m, "site")
    # hand edits of the branch, of a part of the manifest too, are put right and told
    m.run("publish")
    m.git("clone", "-q", "-b", "mirror", m.path("mirror.git"), m.path("clone"), repo=".")
    m.write(f"clone/{part}", '{"files":[]}')
    m.git("-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qam", "by hand", repo="clone")
    m.git("push", "-q", "origin", "mirror", repo="clone")
    m.run("publish")
    assert part in m.git("log", "-1", "--format=%B", "mirror")
    m.run("verify")


def test_static_files_of_that_name(m):
    """A file of the user's called manifest.json is theirs, whatever it says; one with the name of a part is told."""
    large(m)
    poser = json.dumps({"folder": "projects/q3", "files": [{"path": "projects/q3/notes.txt", "sha256": "", "bytes": 1}]})
    m.write("static/projects/q3/manifest.json", poser)
    m.run("build")
    m.run("publish")
    files, parts = whole(m, "site")
    assert files["projects/q3/manifest.json"] == hashlib.sha256(poser.encode()).hexdigest()
    m.write("site/projects/q3/notes.txt", "mine")
    change(m, "9999", "q3")
    m.run("build")
    assert m.text("site", "projects/q3/notes.txt") == "mine"
    m.write(f"static/{parts[0]}", "mine")
    assert f"static/{parts[0]}" in m.fails("build", has="two files")


def test_many_conflicts(m):
    """conflicts.json is an index: its parts are read by every verb that reads it, and a commit with the whole one, too."""
    many = 2400 if THOROUGH else 800
    more = "" if THOROUGH else " and on" * 120   # fewer, longer ones

    def sides(slot, value):
        return [state(f"slot{slot}", value, project="q", id=f"s{slot}", created_at="2026-04-01"),
                memory(f"slot{slot} is 1 kg and so on{more}", project="q", id=f"m{slot}", slot_rule=f"slot{slot}", created_at="2026-04-02")]

    def values(n, seventh="2 kg"):
        m.facts(*[f for i in range(n) for f in sides(i, seventh if i == 7 else "2 kg")])
    values(200)
    m.run("publish")
    assert "parts" not in json.loads(m.git("show", "mirror:conflicts.json"))
    values(many)
    m.run("publish")
    read = lambda path: m.git("show", f"mirror:{path}").rstrip("\n") + "\n"
    records, parts = joined(read, "conflicts.json", "conflicts")
    assert len(parts) >= (16 if THOROUGH else 8) and len(records) == many, (len(parts), len(records))
    body = m.git("log", "-1", "--format=%B", "mirror")
    assert f"Open-Conflicts: {many}" in body and body.count("Conflict-Opened:") == many - 200, body[:300]
    c = next(r for r in records if r["slot_key"][1] == "slot7")["id"]
    os.unlink(m.path("hmirror.db.cache"))            # what was recorded then comes from the branch
    values(many, "3 kg")
    m.run("publish")
    body = m.git("log", "-1", "--format=%B", "mirror")
    assert "Conflict-Opened" not in body and f"Open-Conflicts: {many}" in body, body[:300]
    changed = [p for p in m.git("show", "--format=", "--name-only", "mirror").split() if p in parts]
    assert len(changed) == 1, changed
    told = m.run("log", c, "--format", "json").json()
    assert [e["event"] for e in told["events"]] == ["members", "disputed"], told
    old = m.run("diff", "mirror~2", "mirror~1", "--format", "json").json()
    assert len([e for e in old["events"] if e["event"] == "disputed"]) == many - 200, old["events"][:3]
    report = m.run("check", "--fail-on", "new", "--baseline", "mirror", "--format", "json").json()
    assert report["ok"] and report["counts"]["disputed"] == many and report["counts"]["new"] == 0, report["counts"]
    values(many + 1, "3 kg")
    m.run("check", "--fail-on", "new", "--baseline", "mirror", code=1)
    m.run("build")
    read = lambda path: m.text("site", path)
    assert len(joined(read, "conflicts.json", "conflicts")[0]) == many + 1


if __name__ == "__main__":
    main(globals())
