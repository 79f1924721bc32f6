"""The cache: what it saves, what it survives, and a hundred publications of one change each."""
import os
import shutil

from harness import main, memory, project, state


def filled(m):
    m.facts(project("p05"), *(memory(f"area {i} is {i}", id=f"m{i}") for i in range(20)), state("limit", "4 kg", id="s1"))


def made(r):
    """How many files a run says that it made; None: it says that nothing changed."""
    for line in r.err.splitlines():
        if " made, the others" in line:
            return int(line.split("; ")[1].split(" made")[0].replace(",", ""))
    assert "rows, as they were" in r.err, r.err
    return None


def change(m, n):
    m.facts({"kind": "project_state", "id": "s1", "key": "limit", "value": f"{n} kg", "project": "p05"})


def test_only_what_changed_is_made(m):
    filled(m)
    for verb in ("build", "publish"):
        first = made(m.run("-v", verb))
        assert made(m.run("-v", verb)) is None
        change(m, 100 + len(verb))
        assert 0 < made(m.run("-v", verb)) < first
        assert made(m.run("-v", verb, "--full")) >= first


def test_every_verb_has_its_own_place(m):
    filled(m)
    places = (["build"], ["build", "-d", "other"], ["publish"], ["publish", "--repo", "second.git", "--branch", "b"])
    for words in places:
        m.run(*words)
    for words in places:
        assert made(m.run("-v", *words)) is None, words
    for i in range(5):
        m.run("build", "-d", f"more{i}")
    assert made(m.run("-v", "publish")) > 0


def test_bad_caches_are_told_with_v_and_used_by_none(m):
    filled(m)
    m.run("build")
    cache = m.path("hmirror.db.cache")
    whole = open(cache, "rb").read()
    line = whole.index(b"\n")
    other = whole[:line - 1] + (b"0" if whole[line - 1:line] != b"0" else b"1") + whole[line:]
    for bad, why in ((b"", "not a cache"), (b"\0" * 100, "not a cache"), (whole[:len(whole) // 2], "damaged"), (whole[:line + 3], "damaged"),
                     (whole[:-1], "damaged"), (whole[:2000] + bytes([whole[2000] ^ 1]) + whole[2001:], "damaged"), (other, "another version")):
        with open(cache, "wb") as f:
            f.write(bad)
        change(m, len(bad))
        r = m.run("-v", "build")
        assert why in r.err and r.err.count("hmirror.db.cache") == 1, r.err
        m.run("build", "--full", "-d", "full")
        assert m.tree("site") == m.tree("full")
        with open(cache, "wb") as f:
            f.write(bad)
        assert m.run("build").err == ""


def test_of_another_store(m):
    filled(m)
    m.run("build")
    shutil.copy(m.path("hmirror.db.cache"), m.path("other.cache"))
    for name in ("hmirror.db", "hmirror.db.cache"):
        os.unlink(m.path(name))
    m.run("init")
    m.facts(project("q"), memory("area 1 is 9", id="m1", project="q"))
    shutil.move(m.path("other.cache"), m.path("hmirror.db.cache"))
    m.run("build")
    m.run("build", "--full", "-d", "full")
    assert m.tree("site") == m.tree("full")


def test_where_it_cannot_be_written(m):
    filled(m)
    m.run("sweep")
    os.mkdir(m.path("hmirror.db.cache"))
    r = m.run("-v", "build")
    assert "cannot be written" in r.err and r.code == 0
    assert m.run("build").err == ""


def test_an_edited_page_is_put_right(m):
    filled(m)
    m.run("build")
    page, was = m.path("site", "projects", "p05", "README.md"), m.tree("site")
    st = os.stat(page)
    with open(page, "r+b") as f:
        f.seek(20)
        f.write(b"#")
    os.utime(page, ns=(st.st_atime_ns, st.st_mtime_ns))
    assert m.tree("site") != was
    assert made(m.run("-v", "build")) > 0
    assert m.tree("site") == was


def test_a_hundred_publications(m):
    """Flat in files and bytes, sound for git, with its gc in between or without."""
    filled(m)
    m.run("publish")
    files, sizes = [], []
    for i in range(100):
        change(m, i)
        m.run("publish")
        if i == 60:
            m.git("gc", "-q")
        objects = [os.path.join(d, n) for d, _, names in os.walk(m.path("mirror.git", "objects")) for n in names]
        files.append(len(objects))
        sizes.append(sum(os.path.getsize(p) for p in objects))
    assert max(files) < 80, max(files)
    early, late = sizes[50] - sizes[10], sizes[99] - sizes[62]
    assert late < 1.3 * early, (early, late)
    assert m.git("rev-list", "--count", "mirror").strip() == "101"
    assert "loose" not in m.git("fsck", "--strict", "--full")
    assert m.git("count-objects").startswith("0 objects")


if __name__ == "__main__":
    main(globals())
