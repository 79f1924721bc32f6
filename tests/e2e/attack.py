#!/usr/bin/env python3
"""Facts made by somebody who wants the mirror to leak, to lie or to stand still."""
from harness import *

EXCLUDE = """
publish:
  exclude:
    properties: [cost]
"""


def blob(m):
    return b"\n".join(p.encode() + b"\n" + d for p, d in m.site_bytes("site")).lower()


def built_within(m, seconds, *records):
    m.facts(*records)
    with costs_less_than(seconds):
        m.run("build")


def test_property_inside_a_long_state_value(m):
    """What is too long for a page has a file of its own: without what is left out."""
    m.write("mirror.yml", EXCLUDE)
    m.facts(state("parts", [{"cost": "VICTOR", "note": "x" * 3000}], id="s1"), state("list", ["a" * 1500, "b" * 1500], id="s2"))
    m.run("build")
    assert b"victor" not in blob(m)
    whole = [d for p, d in m.site_bytes("site") if p.startswith("data/")]
    assert any(b"x" * 3000 in d for d in whole) and any(b"b" * 1500 in d for d in whole), whole


def test_many_copies_of_nested_sets(m):
    """Nobody disagrees, so nobody is found early: copies must not be compared again and again."""
    n = 40000 if THOROUGH else 4000
    m.facts(*[parameter([str(k) for k in range(i % 400 + 1 if i < 800 else 1)], "x", id=f"e{i}") for i in range(n)])
    with costs_less_than(15):
        assert m.sweep() == []


def test_row_with_many_disputed_fields(m):
    """Whether a slot's name gives something away is asked of each of a row's fields."""
    n = 6000 if THOROUGH else 1000
    m.write("mirror.yml", EXCLUDE)
    both = [{"cost": "1", **{f"k{i}": v for i in range(n)}} for v in "ab"]
    built_within(m, 5, *[entity("Component", p, "leg") for p in both])


def test_big_component_of_many_subsystems(m):
    """A kilobyte of relations must not write a megabyte of pages each."""
    big = {f"k{i}": "x" * 20 for i in range(10000)}
    built_within(m, 5, entity("Component", big, "c", id="c"), *[entity("Subsystem", {}, f"s{i}", id=f"s{i}") for i in range(600)],
                 *[{"kind": "relation", "id": f"r{i}", "type": "PART_OF", "project": "p05", "from": "c", "to": f"s{i}"} for i in range(600)])
    assert sum(len(d) for p, d in m.site_bytes("site")) < 40 << 20
    assert any(b"k4999" in d for p, d in m.site_bytes("site") if p.endswith(".html"))
    assert any(b"k9999" in d for p, d in m.site_bytes("site") if p.startswith("data/"))


def test_import_of_many_new_names(m):
    """Each might be a slip for each other."""
    rows = [memory("x", "episodic", id=f"m{i}", project=hashlib.sha256(b"%d" % i).hexdigest()[:8].translate(str.maketrans("0123456789", "ghijklmnop")))
            for i in range(150000 if THOROUGH else 15000)]
    with costs_less_than(15):    # compared with all that there are: half a minute
        m.facts(*rows)
    assert "nearest known: 'aabbccdd'" in m.facts(memory("x", "episodic", id="a", project="aabbccdd"), memory("y", "episodic", id="b", project="aabbccdd"),
                                                  memory("x", "episodic", id="c", project="aabbcdcd"), name="more.jsonl").err


def test_question_about_what_was_superseded(m):
    """A row that took the place of all others, by links that somebody drew; and a chain of successors."""
    n = 12000 if THOROUGH else 2000
    old = {"status": "superseded"}
    m.facts(state("speed", "0 rpm", id="s"), *[state("speed", f"{i} rpm", id=f"s{i}", **old, superseded_by="s") for i in range(n)],
            *[{"kind": "link", "src": "project_state:s", "dst": f"project_state:s{i}", "rel": "supersedes"} for i in range(n)],
            memory("mass is 0 kg", id=f"m{n}"), *[memory(f"mass is {i} kg", id=f"m{i}", **old, superseded_by=f"m{i + 1}") for i in range(n)])
    m.run("recall", "anything")
    for word, ref in (("speed", "project_state:s"), ("mass", f"memory:m{n}")):
        with costs_less_than(0.7):
            hits = m.run("--format", "json", "recall", word).json()["hits"]
        assert [h["ref"] for h in hits][:1] == [ref] and (word == "mass" or len(hits[0]["links"]) == n), [h["ref"] for h in hits]


def test_pipes_in_strange_places(m):
    """Nobody writes into them, so whoever opens one waits."""
    m.facts(state("k", "v", id="s1"))
    m.run("publish")
    for suffix in ("journal", "wal", "shm"):
        os.mkfifo(m.path("hmirror.db-" + suffix))
        for verb in ("build", "health", "sweep"):
            m.fails(verb, has=f"store hmirror.db: what stands beside it as -{suffix} is no regular file: move it away")
        os.remove(m.path("hmirror.db-" + suffix))
    for i, name in enumerate(("config", "packed-refs", "refs/heads/mirror")):
        path, kept = m.path("mirror.git", name), m.path("kept")
        if os.path.exists(path):
            os.rename(path, kept)
        os.mkfifo(path)
        m.facts(state("k", f"v{i}", id="s1"))
        m.fails("publish", has=f"{name}: not a regular file: move it away")
        m.fails("log", has=f"{name}: not a regular file")
        os.remove(path)
        if os.path.exists(kept):
            os.rename(kept, path)
    m.run("publish")
    m.git("fsck", "--strict")


def test_branch_that_is_a_link(m):
    m.facts(state("k", "v", id="s1"))
    m.run("publish")
    branch, victim = m.path("mirror.git/refs/heads/mirror"), m.path("victim")
    os.remove(branch)
    os.symlink(victim, branch)
    m.fails("publish", has="refs/heads/mirror: a symbolic link")
    assert not os.path.exists(victim)


def test_links_in_the_repository(m):
    """Whatever stands behind one is not the repository's: refused, and nothing is made or changed there."""
    m.facts(state("k", "v", id="s1"))
    m.run("publish", "--branch", "a/b")
    shutil.copytree(m.path("mirror.git"), m.path("whole.git"))
    os.mkdir(m.path("victim"))
    names = ["refs", "refs/heads", "refs/heads/a", "refs/heads/a/b", "objects", "objects/pack", "objects/info", "packed-refs", "hmirror.lock",
             "logs", "logs/refs", "logs/refs/heads", "objects/ab"]
    for i, name in enumerate(names):
        for target in ("moved", "empty", "nowhere"):
            for d in ("mirror.git", "victim"):
                shutil.rmtree(m.path(d))
            shutil.copytree(m.path("whole.git"), m.path("mirror.git"))
            os.mkdir(m.path("victim"))
            at = m.path("mirror.git", name)
            os.makedirs(os.path.dirname(at), exist_ok=True)
            if target == "empty":
                os.mkdir(m.path("victim", "empty"))
            elif target == "moved" and os.path.lexists(at):
                shutil.move(at, m.path("victim", "moved"))
            if os.path.isdir(at):
                shutil.rmtree(at)
            elif os.path.lexists(at):
                os.unlink(at)
            os.symlink(m.path("victim", target), at)
            before = m.tree("victim"), sorted(os.listdir(m.path("victim")))
            m.facts(state("k", f"v{i}{target}", id="s1"))
            m.fails("-q", "publish", "--branch", "a/b", has="mirror.git")
            assert (m.tree("victim"), sorted(os.listdir(m.path("victim")))) == before, (name, target)
            if target == "moved" and name not in ("refs", "objects"):   # without them git sees no repository
                m.fails("-q", "publish", "--branch", "a/b", has="a symbolic link")
    # The same in a repository that is pushed to.
    shutil.rmtree(m.path("mirror.git"))
    shutil.copytree(m.path("whole.git"), m.path("mirror.git"))
    shutil.copytree(m.path("whole.git"), m.path("there.git"))
    shutil.move(m.path("there.git", "objects", "pack"), m.path("victim", "pack"))
    os.symlink(m.path("victim", "pack"), m.path("there.git", "objects", "pack"))
    before = m.tree("victim")
    m.fails("-q", "publish", "--branch", "a/b", "--push", "there.git", has="a symbolic link")
    assert m.tree("victim") == before


def test_links_to_nothing(m):
    """A store, a review file: not made where a link leads."""
    os.symlink("victim.db", m.path("hmirror.db"))
    m.fails("init", has="hmirror.db: a symbolic link to nothing")
    assert os.listdir(m.dir) == ["hmirror.db"]
    for verb in (["sweep"], ["health"], ["add", "memory", "-t", "knowledge", "a is b"]):
        m.fails(*verb, has="hmirror.db: a symbolic link to nothing")
        assert not os.path.exists(m.path("victim.db"))
    db = sqlite3.connect(m.path("theirs.db"))
    db.executescript("CREATE TABLE memories(id, content); INSERT INTO memories VALUES('m1', 'gain is 3')")
    db.close()
    os.symlink("victim.db", m.path("hmirror-review.db"))
    m.fails("--store", "theirs.db", "sweep", has="hmirror-review.db: a symbolic link to nothing")
    assert not os.path.exists(m.path("victim.db"))
    os.unlink(m.path("hmirror-review.db"))
    os.symlink("victim.cache", m.path("hmirror-review.db.cache"))
    os.symlink("victim", m.path("site"))
    m.fails("--store", "theirs.db", "build", has="site: it is a symbolic link to nothing")
    os.unlink(m.path("site"))
    m.run("--store", "theirs.db", "build")
    assert not [n for n in os.listdir(m.dir) if n.startswith("victim")]


def test_a_static_folder_that_is_a_link(m):
    """A checkout must not choose what else of the machine is published."""
    m.facts(state("k", "v"))
    os.mkdir(m.path("work"))
    m.write("secrets/key.txt", "NOVEMBER")
    shutil.move(m.path("hmirror.db"), m.path("work", "hmirror.db"))
    os.symlink("../secrets", m.path("work", "static"))
    m.fails("-C", "work", "build", has="static: a link to a folder outside")
    os.unlink(m.path("work", "static"))
    m.write("work/files/a.txt", "fine")
    os.symlink("files", m.path("work", "static"))
    m.run("-C", "work", "build")
    assert m.text("work", "site", "a.txt") == "fine"


def test_link_out_of_the_static_folder(m):
    """Whoever may add a file to static/ must not publish files that they cannot read."""
    m.facts(state("k", "v"))
    m.write("secret", "NOVEMBER")
    m.write("static/real.txt", "fine")
    os.symlink("real.txt", m.path("static", "alias.txt"))
    m.run("build")
    assert m.text("site", "alias.txt") == "fine"
    os.symlink("../secret", m.path("static", "robots.txt"))
    m.fails("build", has="static/robots.txt: a link to a file outside of its folder")
    assert b"november" not in blob(m)


if __name__ == "__main__":
    main(globals())
