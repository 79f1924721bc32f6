"""A mirror of so many files that its folders have manifests of their own."""
import hashlib
import json
import os
import shutil

from harness import main, memory, state

PROJECTS = 700


def large(m):
    m.facts(*[state("port", str(8000 + i), project=f"q{i}", id=f"s{i}", created_at="2026-04-01") for i in range(PROJECTS)],
            memory("mode is fast", project="q7", id="m1"), state("mode", "slow", project="q7", id="sm"))


def change(m, value, project="q7"):
    m.facts(state("port", value, project=project, id="s" + project[1:], created_at="2026-04-01"))


def named(read):
    """{path: SHA-256} of all that the manifests name, each file once; and the folders that have one."""
    root = json.loads(read("manifest.json"))
    rows = list(root["files"])
    folders = []
    for row in root["files"]:
        if "files" in row:
            below = json.loads(read(row["path"]))
            folders.append(below["folder"])
            assert row["path"] == below["folder"] + "/manifest.json" and len(below["files"]) == row["files"]
            assert all(r["path"].startswith(below["folder"] + "/") for r in below["files"])
            rows += below["files"]
    out = {r["path"]: r["sha256"] for r in rows}
    assert len(out) == len(rows), "a file that is named twice"
    return out, folders


def whole(m, *folder):
    """What stands there is what the manifests name."""
    files, folders = named(lambda path: m.text(*folder, path))
    tree = m.tree(*folder)
    manifest = tree.pop("manifest.json")
    assert tree == files
    return {**files, "manifest.json": manifest}, folders


def test_a_change_touches_one_project(m):
    large(m)
    m.run("build")
    before, folders = whole(m, "site")
    assert len(before) > 4096 and len(folders) == 2 * PROJECTS + 1, (len(before), len(folders))
    times = {p: os.stat(m.path("site", p)).st_mtime_ns for p in before}
    change(m, "9999")
    m.run("build")
    after, _ = whole(m, "site")
    changed = {p for p in after if before.get(p) != after[p]}
    assert {"manifest.json", "projects/q7/manifest.json", "projects/q7/README.md", "data/q7/state.jsonl"} <= changed, changed
    assert all(p.startswith(("projects/q7/", "data/q7/")) or "/" not in p for p in changed), changed
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
            os.unlink(m.path("hmirror.db.cache"))   # the count of changed pages then comes from the manifests
        m.run("publish")
        changed = m.git("show", "--format=", "--name-only", "mirror").split()
        assert {"manifest.json", "projects/q7/manifest.json"} <= set(changed), changed
        assert all(p.startswith(("projects/q7/", "data/q7/")) or "/" not in p for p in changed), changed
        m.run("verify")
    said = {m.git("log", "-1", "--format=%s", f"mirror~{i}") for i in range(3)}
    assert len(said) == 1 and "page" in said.pop(), said
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
        files, folders = whole(m, "site")
        assert bool(folders) == (not form) and (len(files) > 4096) == (not form), (form, len(files))
        m.run("publish", "--full", "--repo", "full.git", *form)
        assert m.git("rev-parse", "mirror^{tree}") == m.git("rev-parse", "mirror^{tree}", repo="full.git")
        change(m, "1" + str(len(form)))


def test_what_others_put_there(m):
    large(m)
    m.write("site/letter.txt", "not ours")
    assert "manifest.json" in m.fails("build")
    shutil.rmtree(m.path("site"))
    m.run("build")
    m.write("site/projects/q7/notes.txt", "mine")
    m.write("site/projects/q9/README.md", "edited")
    change(m, "9999")
    m.run("build")
    assert m.text("site", "projects/q7/notes.txt") == "mine"
    assert "edited" not in m.text("site", "projects/q9/README.md")
    os.unlink(m.path("site/projects/q7/notes.txt"))
    whole(m, "site")
    # hand edits of the branch, of a manifest too, are put right and told
    m.run("publish")
    m.git("clone", "-q", "-b", "mirror", m.path("mirror.git"), m.path("clone"), repo=".")
    m.write("clone/projects/q5/manifest.json", '{"folder":"projects/q5","files":[]}')
    m.git("-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qam", "by hand", repo="clone")
    m.git("push", "-q", "origin", "mirror", repo="clone")
    m.run("publish")
    assert "projects/q5/manifest.json" in m.git("log", "-1", "--format=%B", "mirror")
    m.run("verify")


def test_static_files_of_that_name(m):
    """A file of the user's called manifest.json is theirs; the folder that it is in has none of ours."""
    large(m)
    poser = json.dumps({"folder": "projects/q3", "files": [{"path": "projects/q3/notes.txt", "sha256": "", "bytes": 1}]})
    m.write("static/projects/q3/manifest.json", poser)
    m.write("static/app/manifest.json", poser)
    m.run("build")
    m.run("publish")
    files, folders = whole(m, "site")
    assert "projects/q3" not in folders and len(folders) == 2 * PROJECTS
    assert files["projects/q3/manifest.json"] == files["app/manifest.json"] == hashlib.sha256(poser.encode()).hexdigest()
    m.write("site/projects/q3/notes.txt", "mine")
    change(m, "9999", "q3")
    m.run("build")
    assert m.text("site", "projects/q3/notes.txt") == "mine"
    shutil.rmtree(m.path("static"))
    m.run("build")
    m.run("publish")
    assert m.text("site", "projects/q3/notes.txt") == "mine"
    os.unlink(m.path("site/projects/q3/notes.txt"))
    _, folders = whole(m, "site")
    assert "projects/q3" in folders and len(folders) == 2 * PROJECTS + 1
    m.run("verify")


if __name__ == "__main__":
    main(globals())
