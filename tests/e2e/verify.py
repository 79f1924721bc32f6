#!/usr/bin/env python3
"""hmirror verify: is a commit of the mirror what the store gives?"""
from harness import *


def some(m):
    m.write("static/extra.txt", "of the user\n")
    m.facts(project("p05", name="Interferometer"), decision("A", id="e1"), decision("B", id="e2"), state("x", "1", id="s1"))
    m.run("publish")


def verify(m, *args, code=0):
    r = m.run("verify", "--format", "json", *args, code=code).json()
    assert r["same"] == (code == 0) and r["count"] == len(r["differs"])
    return {x["path"]: x["how"] for x in r["differs"]}, {x["what"] for x in r["reasons"]}, r


def clone(m):
    m.git("clone", "-q", m.path("mirror.git"), m.path("work"), repo=".")


def by_hand(m, change):
    if not os.path.exists(m.path("work")):
        clone(m)
    change()
    who = ("-c", "user.name=x", "-c", "user.email=x@x")
    m.git("add", "-A", repo="work")
    m.git(*who, "commit", "-q", "-m", "by hand", repo="work")
    m.git("push", "-q", "origin", "HEAD:mirror", repo="work")


def test_same(m):
    some(m)
    before = m.tree(".")
    files, why, r = verify(m)
    assert not files and not why and r["published"] == r["commit"] == m.git("rev-parse", "mirror").strip()
    assert m.tree(".") == before, "nothing is written"
    assert "as the store gives it" in m.run("verify").out
    assert m.run("verify", "-q").out == ""
    for rev in ("mirror", "HEAD", r["commit"], r["commit"][:10]):
        verify(m, rev)


def test_store_changed(m):
    some(m)
    m.facts(state("x", "2", id="s1"), memory("a new one"))
    files, why, _ = verify(m, code=1)
    assert why == {"store"} and files["projects/p05/state.md"] == "changed" and files["manifest.json"] == "changed"
    assert "missing" in files.values() and "extra" not in files.values()
    m.run("publish")
    verify(m)
    files, why, r = verify(m, "mirror~1", code=1)
    assert why == {"store"} and r["commit"] == m.git("rev-parse", "mirror~1").strip()
    out = m.run("verify", "mirror~1", code=1)
    assert "changed  projects/p05/state.md\n" in out.out and "not the same store" in out.err and "files differ" in out.out


def test_an_unrecorded_dispute_is_no_drift_of_its_own(m):
    some(m)
    m.facts(state("x", "9", id="s9"), name="more.jsonl")
    a = verify(m, code=1)[0]
    m.run("sweep")
    assert verify(m, code=1)[0] == a


def test_edited_by_hand(m):
    some(m)

    def change():
        with open(m.path("work", "README.md"), "a") as f:
            f.write("more\n")
        os.unlink(m.path("work", "projects", "p05", "state.md"))
        os.chmod(m.path("work", "health.json"), 0o755)
        m.write("work/note.txt", "x")
        os.unlink(m.path("work", "extra.txt"))
        os.symlink("README.md", m.path("work", "extra.txt"))
    by_hand(m, change)
    files, why, r = verify(m, code=1)
    assert files == {"README.md": "changed", "projects/p05/state.md": "missing", "health.json": "mode", "note.txt": "extra", "extra.txt": "changed"}, files
    assert not why and r["commits_by_hand"] == 1 and r["published"] == m.git("rev-parse", "mirror~1").strip()
    assert "1 commit by others" in m.run("verify", code=1).err
    m.run("publish", code=None)


def test_kept_and_static(m):
    m.write("mirror.yml", "publish:\n  keep: [CNAME, docs/]\n")
    some(m)

    def change():
        m.write("work/CNAME", "example.org\n")
        m.write("work/docs/a/b.txt", "x")
    by_hand(m, change)
    files, _, r = verify(m)
    assert not files and r["commits_by_hand"] == 1
    m.write("static/extra.txt", "otherwise\n")
    m.write("static/docs/a/b.txt", "what is kept stands before what is ours")
    files, why, _ = verify(m, code=1)
    assert files == {"extra.txt": "changed", "manifest.json": "changed"} and not why, (files, why)
    m.run("publish")
    verify(m)
    m.write("static/extra.txt", "and again\n")
    assert "static files" in m.run("verify", code=1).err


def test_template_changed(m):
    some(m)
    m.run("theme", "eject", "root.md")
    m.write("templates/root.md.mustache", m.text("templates", "root.md.mustache") + "\nmore\n")
    files, why, _ = verify(m, code=1)
    assert why == {"templates"} and set(files) == {"README.md", "index.html", "manifest.json"}, (files, why)


def test_rules_and_tool_changed(m):
    some(m)
    m.write("mirror.yml", "rules:\n  text_fields: [x]\n")
    assert verify(m)[1] == {"rules"}, "the pages are the same all the same"
    message = m.git("log", "-1", "--format=%B", "mirror").replace("Mirror-Tool: hmirror ", "Mirror-Tool: hmirror 0.0.")
    tree, parent = m.git("rev-parse", "mirror^{tree}").strip(), m.git("rev-parse", "mirror").strip()
    commit = m.git("-c", "user.name=x", "-c", "user.email=x@x", "commit-tree", tree, "-p", parent, "-m", message).strip()
    assert verify(m, commit)[1] == {"rules", "tool"}


def test_what_is_no_mirror(m):
    m.facts(state("k", "v"))
    m.fails("verify", has="mirror.git")
    m.run("publish")
    m.fails("verify", "nothing", has="nothing")
    m.fails("verify", "--branch", "other", has=("other", "fetch"))
    m.fails("verify", "mirror", "more", has="one word too many")
    m.fails("verify", "--format", "junit", has="text, json")
    subprocess.run(["git", "init", "-q", "-b", "mirror", m.path("work")], check=True, env=m.env)
    subprocess.run(["git", "-C", m.path("work"), "-c", "user.name=x", "-c", "user.email=x@x", "commit", "-q", "--allow-empty", "-m", "x"], check=True, env=m.env)
    files, why, r = verify(m, "--repo", "work", code=1)
    assert set(files.values()) == {"missing"} and not why and r["published"] is None
    assert "is a publication of hmirror" in m.run("verify", "--repo", "work", code=1).err


if __name__ == "__main__":
    main(globals())
