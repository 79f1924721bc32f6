"""The cache: what it saves, what it survives, and a hundred publications of one change each."""
import os
import random
import shutil
import subprocess

from harness import THOROUGH, Mirror, entity, main, memory, project, state, work



def filled(m):
    m.facts(project("p05"), *(memory(f"area {i} is {i}", id=f"m{i}") for i in range(20)), state("limit", "4 kg", id="s1"))


def made(r):
    """How many pages a run rendered; None: nothing changed, so it did not look at claims."""
    done = work(r)
    assert done["claims made"] or not done["pages rendered"], done
    return done["pages rendered"] if done["claims made"] else None


def change(m, n):
    m.facts({"kind": "project_state", "id": "s1", "key": "limit", "value": f"{n} kg", "project": "p05"})


def test_only_what_changed_is_made(m):
    filled(m)
    for verb in ("build", "publish"):
        whole = m.run("-v", verb)
        first = made(whole)
        assert made(m.run("-v", verb)) is None
        change(m, 100 + len(verb))
        done = work(m.run("-v", verb))
        assert 0 < done["files written"] < work(whole)["files written"] and 0 < done["pages rendered"] <= first, done
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


def test_a_file_for_each_place(m):
    filled(m)
    m.run("build")
    m.run("publish")
    caches = [n for n in sorted(os.listdir(m.dir)) if ".cache" in n]
    assert caches == ["hmirror.db.cache", "hmirror.db.cache-2"], caches
    first, second = (open(m.path(n), "rb").read() for n in caches)
    change(m, 8)
    m.run("publish")
    assert open(m.path(caches[0]), "rb").read() == first, "the other place's file stays as it is"
    assert open(m.path(caches[1]), "rb").read() != second
    with open(m.path(caches[0]), "wb") as f:
        f.write(b"other")
    assert made(m.run("-v", "publish")) is None, "what holds the other place's harms nobody else"
    m.run("build", "-d", "third")
    assert sorted(n for n in os.listdir(m.dir) if ".cache" in n) == caches, "a file of no use is used first"
    for i in range(9):
        m.run("build", "-d", f"more{i}")
    assert sum(".cache" in n for n in os.listdir(m.dir)) == 4


def test_bad_caches_are_told_once_and_used_by_none(m):
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
        r = m.run("build")
        assert why in r.err and r.err.count("\n") == 1, r.err
        assert m.run("build").err == ""
        m.run("build", "--full", "-d", "full")
        assert m.tree("site") == m.tree("full")
        with open(cache, "wb") as f:
            f.write(bad)
        assert m.run("-q", "build").err == ""


def test_cut_short_and_flipped_anywhere(m):
    """After each, one of two facts and the site that goes with it: never the other, and nothing in between."""
    m.facts(project("p05"), state("limit", "4 kg", id="s1"))
    for n in (0, 1):
        change(m, n)
        m.run("build", "--full")
    cache = m.path("hmirror.db.cache")
    whole = open(cache, "rb").read()
    rnd = random.Random(3)
    step = 8 if THOROUGH else len(whole) // 6
    bad = [whole[:n] for n in range(0, len(whole), step)]
    for at in range(0, len(whole), step):
        at = at if THOROUGH else rnd.randrange(len(whole))
        bad.append(whole[:at] + bytes([whole[at] ^ 1 << rnd.randrange(8)]) + whole[at + 1:])
    for i, b in enumerate(bad):
        change(m, i % 2)
        with open(cache, "wb") as f:
            f.write(b)
        r = m.run("build")
        assert r.err.count("\n") == 1 and "it is rebuilt" in r.err, (i, r.err)
        made = m.tree("site")
        m.run("build", "--full")
        assert made == m.tree("site"), i


def same_as_full(m, *publish):
    """The branch has the tree that another repository with the same tip gets, which nothing is known of."""
    shutil.rmtree(m.path("fresh.git"), ignore_errors=True)
    if os.path.exists(m.path("mirror.git")):
        shutil.copytree(m.path("mirror.git"), m.path("fresh.git"))
    m.run("publish", *publish)
    m.run("publish", "--full", "--repo", "fresh.git")
    assert m.git("rev-parse", "mirror^{tree}") == m.git("rev-parse", "mirror^{tree}", repo="fresh.git")
    m.git("fsck", "--strict", "--full")


def test_a_type_that_another_project_brings(m):
    """It gives a state's category a meaning, which the page of a conflict explains."""
    m.facts(state("mass", "5 kg", category="widget"), state("mass", "6 kg"), project("p06"))
    m.run("publish")
    for status in ("active", "invalid"):
        m.facts(entity("widget", {"size": "1"}, project="p06", id="e1", status=status))
        same_as_full(m)


def test_what_was_not_recorded_is_recorded_later(m):
    """Also when nothing changes but who looks."""
    m.facts(project("p05"), state("mass", "5 kg"))
    m.run("publish")
    m.facts(state("size", "5 m", superseded_by="gone"))
    m.run("publish", "--no-sweep")
    assert m.sql("SELECT count(*) FROM findings") == [(0,)]
    m.run("publish")
    assert m.sql("SELECT count(*) FROM findings") == [(1,)]


def test_lies_about_a_repository(m):
    """What it says that the branch holds is not there any more, and is another's, and was never there."""
    filled(m)
    m.run("publish")
    old = m.git("rev-parse", "mirror").strip()
    m.git("config", "gc.writeCommitGraph", "false")            # git itself leaves one of commits that are gone
    change(m, 1)
    same_as_full(m)
    cache = m.read("hmirror.db.cache")
    m.git("update-ref", "refs/heads/mirror", old)              # it went back, and what came after it is gone
    m.git("gc", "-q", "--prune=now")
    same_as_full(m)
    m.git("update-ref", "-d", "refs/heads/mirror")
    m.git("gc", "-q", "--prune=now")
    assert m.git("count-objects", "-v").count("in-pack: 0") == 1
    same_as_full(m)
    shutil.rmtree(m.path("mirror.git"))                        # made anew
    same_as_full(m)
    shutil.rmtree(m.path("mirror.git"))                        # and another mirror's in its place
    other = Mirror()
    try:
        other.facts(project("q"), memory("area 1 is 9", id="m1", project="q"))
        other.run("publish", "--repo", m.path("mirror.git"))
    finally:
        other.close()
    same_as_full(m)
    m.write("hmirror.db.cache", cache)                         # an old one, of a branch that has moved since
    change(m, 2)
    same_as_full(m)
    m.write("hmirror.db.cache", cache)
    change(m, 1)
    same_as_full(m)


def test_lies_about_a_folder(m):
    filled(m)
    m.run("build")
    cache, site = m.read("hmirror.db.cache"), m.tree("site")
    shutil.rmtree(m.path("site"))                              # gone
    m.run("build")
    assert m.tree("site") == site
    shutil.copytree(m.path("site"), m.path("copy"))            # the same, but other files
    shutil.rmtree(m.path("site"))
    os.rename(m.path("copy"), m.path("site"))
    with open(m.path("site", "README.md"), "a") as f:
        f.write("x")
    m.run("build")
    assert m.tree("site") == site
    change(m, 1)
    m.run("build")
    m.write("hmirror.db.cache", cache)                         # of the site before
    m.run("build")
    m.run("build", "--full", "-d", "full")
    assert m.tree("site") == m.tree("full")


def test_in_a_strange_place(m):
    """A link, a pipe, a folder, and the same where the new one is written: nothing hangs, and nothing is written elsewhere."""
    filled(m)
    m.run("build")
    right = m.tree("site")
    precious = m.write("precious", "mine")
    makes = (lambda p: os.symlink(precious, p), lambda p: os.symlink("nowhere", p), os.mkfifo, os.mkdir)
    for name in ("hmirror.db.cache", "hmirror.db.cache.new"):
        for i, make in enumerate(makes):
            if os.path.lexists(m.path(name)):
                os.unlink(m.path(name))
            make(m.path(name))
            change(m, i)
            m.run("build")
            m.run("build", "--full", "-d", "full")
            assert m.tree("site") == m.tree("full") and m.text("precious") == "mine" and not os.path.exists(m.path("nowhere")), (name, i)
            if os.path.isdir(m.path(name)):
                os.rmdir(m.path(name))
            shutil.rmtree(m.path("full"))
    change(m, 4)
    m.run("build")
    assert made(m.run("-v", "build")) is None and m.tree("site").keys() == right.keys()


def test_where_nothing_may_be_written(m):
    """The store's folder is read-only; the site goes elsewhere."""
    os.mkdir(m.path("facts"))
    filled(m)
    m.run("sweep")
    os.rename(m.path("hmirror.db"), m.path("facts", "hmirror.db"))
    os.mkdir(m.path("out"))
    user = m.another_user()
    os.chmod(m.path("facts"), 0o555)
    for args in (["build", "-d", "out/site"], ["publish", "--repo", "out/mirror.git"]):
        for _ in range(2):
            assert m.run("--store", "facts/hmirror.db", *args, "--no-sweep", preexec=user).err == ""
            assert m.run("--store", "facts/hmirror.db", *args, preexec=user).err.count("not recorded") == 1
    assert os.listdir(m.path("facts")) == ["hmirror.db"]
    os.chmod(m.path("facts"), 0o755)


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
    """A pack and its index at the most for each, flat in bytes, sound for git; gc puts them together."""
    filled(m)
    m.run("publish")
    files, sizes = [], []
    n = 100 if THOROUGH else 40
    gc = n * 3 // 5
    for i in range(n):
        change(m, i)
        m.run("publish")
        if i == gc:
            m.git("gc", "-q")
        objects = [os.path.join(d, n) for d, _, names in os.walk(m.path("mirror.git", "objects")) for n in names]
        files.append(len(objects))
        sizes.append(sum(os.path.getsize(p) for p in objects))
    assert all(b - a <= 2 for a, b in zip(files, files[1:])) and files[gc] < 10, files
    span = n - gc - 3
    early, late = sizes[n // 2] - sizes[n // 2 - span], sizes[n - 1] - sizes[gc + 2]
    assert late < 1.3 * early, (early, late)
    assert m.git("rev-list", "--count", "mirror").strip() == str(n + 1)
    assert "loose" not in m.git("fsck", "--strict", "--full")
    assert m.git("count-objects").startswith("0 objects")


if __name__ == "__main__":
    main(globals())
