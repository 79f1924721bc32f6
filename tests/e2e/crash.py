#!/usr/bin/env python3
"""Killed at any system call, or without room for it: the old or the new state, nothing damaged, and the next run works without
help and leaves nothing behind.

Of calls that do the same in one folder two are tried, and of a run that is much like another one a part. THOROUGH=1 tries every call from the start of the program to its end,
those too that repeat another (calls.py says which do), and runs git fsck each time."""
import concurrent.futures
import glob
import re
import stat
import tempfile

import calls
from harness import *

ONE_IN = 1 if THOROUGH else 50      # of the calls that only read
HALF = 1 if THOROUGH else 3         # of the calls of a run that another test walks in part
FEWER = 1 if THOROUGH else 8        # of those of a run that another test walks whole
WORKERS = min(4, len(os.sched_getaffinity(0)))


def sized(n):
    return state("pixels", str(n), project="p05", id="pixels", created_at="2026-06-01")


class Scene:
    """A mirror in a folder of its own, which can be put back to how it was; in memory, where that is possible: nothing here asks
    for more than that a process dies."""

    def __init__(self, prepare):
        self.top = tempfile.mkdtemp(prefix="hm-crash-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
        os.mkdir(os.path.join(self.top, "m"))
        self.m = Mirror(os.path.join(self.top, "m"))
        self.prepare = prepare
        prepare(self.m)
        shutil.copytree(self.m.dir, os.path.join(self.top, "base"), symlinks=True)

    def back(self):
        shutil.rmtree(self.m.dir)
        shutil.copytree(os.path.join(self.top, "base"), self.m.dir, symlinks=True)

    def close(self):
        shutil.rmtree(self.top, ignore_errors=True)


def standing(scene):
    """What stands in the folder: every name with its kind, mode, bytes, and whether it was written since the scene was put back.
    A later run sees nothing else, so what it makes of this need not be tried twice."""
    top, base = scene.m.dir, os.path.join(scene.top, "base")
    out = hashlib.sha256()
    for d, folders, names in os.walk(top):
        folders.sort()
        for n in sorted(folders + names):
            path = os.path.join(d, n)
            inside = os.path.relpath(path, top)
            at = os.lstat(path)
            try:
                fresh = os.lstat(os.path.join(base, inside)).st_mtime_ns != at.st_mtime_ns
            except FileNotFoundError:
                fresh = True
            out.update(f"{inside}\0{at.st_mode}\0{fresh}\0{at.st_size}\0".encode())
            if stat.S_ISREG(at.st_mode):
                with open(path, "rb") as f:
                    out.update(f.read())
            elif stat.S_ISLNK(at.st_mode):
                out.update(os.readlink(path).encode())
    return out.digest()


def few(m):
    """With these the command makes the calls that it makes with a hundred facts, but for pages of the store."""
    m.facts(project("p05"), decision("A", id="e1"), decision("B", id="e2"), sized(1))


def published(m, *args):
    few(m)
    m.run("publish", *args)
    m.facts(sized(2))


def tip(m, repo="mirror.git"):
    """As git reads it: the branch's own file, else its line among the packed ones. A process less at each call."""
    try:
        return m.text(repo, "refs/heads/mirror").strip()
    except FileNotFoundError:
        packed = m.text(repo, "packed-refs") if os.path.exists(m.path(repo, "packed-refs")) else ""
        return next((line.split()[0] for line in packed.splitlines() if line.endswith(" refs/heads/mirror")), None)


def store_is_sound(m):
    """Looked at in a copy: what has to be cleared up there is the program's to clear up."""
    copy = m.path("..", "store")
    os.makedirs(copy, exist_ok=True)
    for f in glob.glob(m.path("hmirror.db*")):
        shutil.copy(f, copy)
    db = sqlite3.connect(os.path.join(copy, "hmirror.db"))
    assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    db.close()
    shutil.rmtree(copy)


def sound(m, repo, thorough):
    if not os.path.exists(m.path(repo)):
        return
    if thorough:
        said = m.git("fsck", "--strict", "--full", repo=repo)
    else:
        said = m.git("rev-list", "--objects", "--all", repo=repo)
    assert "missing" not in said and "corrupt" not in said


def left(m):
    """All files, but for how many packs there are: each is whole, and nothing else is beside them."""
    names = m.tree()
    for p in names:
        assert "objects/pack/" not in p or re.fullmatch(r"pack-[0-9a-f]{40}\.(pack|idx)", os.path.basename(p)), p
        assert not p.endswith(".pack") or p[:-4] + "idx" in names, p
        assert "objects/pack/" not in p or not p.endswith(".idx") or p[:-3] + "pack" in names, p
    return sorted({re.sub(r"pack-[0-9a-f]{40}", "pack", p) for p in names})


def facts_of(m, repo):
    """What the branch says, but for what changed since when."""
    lines = m.git("ls-tree", "-r", "mirror", "data", "conflicts", "conflicts.json", "findings.json", "health.json", repo=repo).splitlines()
    return [x for x in lines if not x.endswith("data/changes.jsonl")]


def kill(m, call, args):
    return calls.killed(m, call, *args)


def walk(prepare, args, check, after, of_all=1, act=kill, which=None):
    """Kills the command at each call: check(m, thorough) says what is there, after(m) runs it again and says what there is.
    act does something else than to kill, and tells whether it was felt; which picks calls.
    of_all: one in so many of them. As many at a time as there are cores, each in a scene of its own."""
    scenes = [Scene(prepare) for _ in range(WORKERS)]
    try:
        scene = scenes[0]
        calls.need_strace(scene.m)
        scene.back()
        todo = calls.chosen(calls.listed(scene.m, *args), ONE_IN)
        if not THOROUGH:
            todo = calls.of_each_kind(calls.without_repetitions(todo, act == kill))
        todo = list(enumerate(filter(which, todo)))[::of_all]
        wanted = [None] * WORKERS
        tried = set()

        def undisturbed(w):
            scenes[w].back()
            before = [check(scenes[w].m, True)]
            scenes[w].m.run(*args)
            new = check(scenes[w].m, True)
            wanted[w] = after(scenes[w].m), [before[0], new]

        def work(w):
            undisturbed(w)
            kills = 0
            m = scenes[w].m
            for i, call in todo[w::WORKERS]:
                scenes[w].back()
                try:
                    kills += act(m, call, args)
                    found = standing(scenes[w])
                    if found in tried and not THOROUGH:
                        continue
                    store_is_sound(m)
                    now = check(m, THOROUGH or i % 10 == 0)
                    assert all(x in (a, b) for x, a, b in zip(now, *wanted[w][1])), f"neither the old nor the new state: {now}"
                    assert now == sorted(now, key=wanted[w][1][1].__contains__, reverse=True), f"a later one is there before an earlier: {now}"
                    got = after(m)
                    assert got == wanted[w][0], f"{got}\nis not\n{wanted[w][0]}"
                    check(m, THOROUGH or i % 10 == 0)
                    tried.add(found)
                except (AssertionError, sqlite3.Error) as e:
                    raise AssertionError(f"at {call.name} number {call.nth} of {' '.join(args)}: {e}") from e
            return kills
        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            kills = sum(pool.map(work, range(WORKERS)))
        assert kills >= (len(todo) - 3 if act == kill else 5), (kills, len(todo))
        print(f"# {' '.join(args)}: {kills} of {len(todo)}, {len(tried)} states", flush=True)
    finally:
        for s in scenes:
            s.close()


def walk_publish(prepare, *more, repos=("mirror.git",), then=None, **how):
    """then: further facts that come before it is run again."""
    args = ["publish", "-j", "1", *more]

    def check(m, thorough):
        for r in repos:
            sound(m, r, thorough)
        return [os.path.exists(m.path(r)) and tip(m, r) or None for r in repos]

    def after(m):
        for half in glob.glob(m.path("*.git/objects/pack/pack_git2_*")):
            os.utime(half, (1, 1))       # any program that uses libgit2 may be at one, so it stays for an hour
        if then:
            m.facts(then)
        m.run(*args)
        if then:     # what was killed may have become a commit by itself, or not: then it is told as one, too
            return [facts_of(m, r) for r in repos], left(m)
        return [tip(m, r) for r in repos], left(m)
    walk(prepare, args, check, after, **how)


def test_first_publication(m):
    walk_publish(few, of_all=HALF)


def test_second_publication(m):
    walk_publish(published)


def test_second_publication_then_others(m):
    walk_publish(published, then=sized(3), of_all=FEWER)


def test_order_on_the_disk(m):
    """A name only for what is on the disk, and one after another: a machine that stops keeps an old or a new commit, whole."""
    calls.need_strace(m)
    published(m)
    done = [(what, os.path.relpath(path, m.path("mirror.git"))) for what, path in calls.brought(m, "publish")]
    pack = next(p for what, p in done if what == "name" and p.endswith(".pack"))
    half = next(p for what, p in done if what == "sync" and calls.HALF_PACK.search("/" + p))
    steps = [("sync", half), ("name", pack), ("sync", "objects/pack"), ("sync", "refs/heads/mirror.lock"), ("name", "refs/heads/mirror"), ("sync", "refs/heads")]
    at = -1
    for step in steps:
        assert step in done[at + 1:], f"{step} is not in {done[at + 1:]}"
        at = done.index(step, at + 1)
    index = next(i for i, (what, p) in enumerate(done) if what == "sync" and p.endswith("idx.lock"))
    assert index < done.index(("name", pack[:-4] + "idx")) < done.index(("sync", "refs/heads/mirror.lock"))


def remote(m):
    m.git("init", "-q", "--bare", "there.git", repo=".")
    published(m, "--push", "there.git")


def test_pushed_to_a_path(m):
    walk_publish(remote, "--push", "there.git", repos=("mirror.git", "there.git"), of_all=HALF)


def test_pushed_to_a_path_then_others(m):
    walk_publish(remote, "--push", "there.git", repos=("mirror.git", "there.git"), then=sized(3), of_all=FEWER)


# --- a folder -----------------------------------------------------------------------

def walk_build(prepare, **how):
    args = ["build", "-j", "1"]

    def check(m, thorough):
        """What the manifest says, and just that."""
        tree = m.tree("site")
        if not tree:
            return [None]
        files = {f["path"]: f["sha256"] for f in json.loads(m.text("site", "manifest.json"))["files"]}
        assert {p: h for p, h in tree.items() if p != "manifest.json"} == files, "half a site"
        return [tree["manifest.json"]]

    def after(m):
        m.run(*args)
        return m.tree("site"), left(m)
    walk(prepare, args, check, after, **how)


def built(m):
    few(m)
    m.run("build")
    m.facts(sized(2))


def test_first_build(m):
    walk_build(few, of_all=HALF)


def test_second_build(m):
    walk_build(built)


# --- another program's store ------------------------------------------------------------

def theirs(m):
    db = sqlite3.connect(m.path("theirs.db"))
    db.execute("CREATE TABLE memories(id TEXT PRIMARY KEY, memory_type, content)")
    db.executemany("INSERT INTO memories VALUES(?, 'knowledge', ?)", [(f"m{i}", f"gain {i} is {i}") for i in range(300)])
    db.commit()
    db.close()


def walk_adopt(**how):
    args = ["--store", "theirs.db", "adopt", "hmirror.db"]

    def check(m, thorough):
        if not os.path.exists(m.path("hmirror.db")):
            return [None]
        db = sqlite3.connect(f"file:{m.path('hmirror.db')}?mode=ro", uri=True)
        try:
            return db.execute("SELECT count(*), min(content), max(content) FROM memories").fetchall()
        finally:
            db.close()

    def after(m):
        if not os.path.exists(m.path("hmirror.db")):
            m.run(*args)
        return m.run("--store", "hmirror.db", "export").out, left(m)
    walk(theirs, args, check, after, **how)


def test_adopt(m):
    walk_adopt()


# --- no room ---------------------------------------------------------------------------

NEED_ROOM = {"write", "pwrite64", "writev", "fsync", "fdatasync", "ftruncate", "fallocate", "mkdir", "mkdirat", "link", "linkat", "symlink", "rename",
             "renameat", "renameat2"}


def no_room(m, call, args):
    """One line that says so, or it can be done without."""
    error = "EIO" if "sync" in call.name else "ENOSPC"
    code, said = calls.refused(m, call, error, *args)
    assert code in (0, 2), (code, said)
    assert code == 0 or (said.startswith("hmirror: ") and said.count("\n") == 1 and re.search("No space left|disk is full|[Ii](nput)?/[Oo]", said)), said
    return code == 2


FULL = {"act": no_room, "which": lambda c: c.name in NEED_ROOM}


def test_no_room_for_the_first_publication(m):
    walk_publish(few, **FULL)


def test_no_room_for_the_second(m):
    walk_publish(published, of_all=HALF, **FULL)


def test_no_room_to_adopt(m):
    walk_adopt(**FULL)


def test_no_room_to_push(m):
    walk_publish(remote, "--push", "there.git", repos=("mirror.git", "there.git"), of_all=HALF, **FULL)


def test_no_room_for_the_first_build(m):
    walk_build(few, of_all=HALF, **FULL)


def test_no_room_for_the_second_build(m):
    walk_build(built, **FULL)


if __name__ == "__main__":
    main(globals())
