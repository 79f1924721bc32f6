#!/usr/bin/env python3
"""Several publishers at once, locks of the living and of the dead."""
import concurrent.futures
import fcntl
import re

import calls
from harness import *

MANY, EACH = 8, 50 if THOROUGH else 6


def line_of(m, repo="mirror.git"):
    """The branch, newest first."""
    return m.git("rev-list", "--first-parent", "mirror", repo=repo).split()


def at_once(*work):
    with concurrent.futures.ThreadPoolExecutor(len(work)) as pool:
        for f in [pool.submit(w) for w in work]:
            f.result()


def all_there(m, told):
    """Each commit that somebody was told of is in the branch, and nothing else is."""
    assert sorted(told) == sorted(line_of(m)), (len(told), len(line_of(m)))
    m.git("fsck", "--strict", "--full")
    left = [p for p in m.tree("mirror.git") if p.endswith((".lock", ".new")) or "tmp_" in p or "pack_git2" in p]
    assert not left, left


def test_eight_stores_onto_one_branch(m):
    """Each publication is a commit on what the others have done."""
    told = []

    def publisher(k):
        own = Mirror()
        try:
            own.facts(project("p05"))
            for i in range(EACH):
                own.facts(state("turn", f"{k}.{i}", id="s"))
                r = own.run("publish", "--repo", m.path("mirror.git"), "-m", f"w{k}.{i}", "--format", "json", "-j", "1").json()
                assert r["created"], r
                told.append(r["commit"])
        finally:
            own.close()
    at_once(*[lambda k=k: publisher(k) for k in range(MANY)])
    assert len(told) == MANY * EACH
    all_there(m, told)
    assert sorted(m.git("log", "--format=%s", "mirror").split()) == sorted(f"w{k}.{i}" for k in range(MANY) for i in range(EACH))


def turn_in(page, k):
    return int(re.search(rf"turn {k} \| (-?\d+)", page.replace("\\", ""))[1])


def test_one_store_that_changes(m):
    """Who publishes has all that was in the store when it began, whoever made the commit; and the newest is never undone."""
    m.facts(project("p05"), *[state(f"turn {k}", "-1", id=f"s{k}") for k in range(MANY)])
    told = set()

    def publisher(k):
        for i in range(EACH):
            m.run("edit", f"s{k}", "--set", f"value={i}")
            r = m.run("publish", "--format", "json", "-j", "1").json()
            page = m.git("show", r["commit"] + ":projects/p05/state.md")
            assert turn_in(page, k) == i, (k, i, r)
            told.add(r["commit"])
    at_once(*[lambda k=k: publisher(k) for k in range(MANY)])
    all_there(m, told)
    before = [EACH] * MANY
    for commit in line_of(m)[:40]:
        page = m.git("show", commit + ":projects/p05/state.md")
        now = [turn_in(page, k) for k in range(MANY)]
        assert all(a <= b for a, b in zip(now, before)), (commit, now, before)
        before = now


def test_all_make_the_repository(m):
    m.facts(project("p05"), state("turn", "1"))
    m.run("sweep")
    for i in range(8 if THOROUGH else 2):
        at_once(*[lambda: m.run("publish", "--repo", f"r{i}.git", "-j", "1") for _ in range(MANY)])
        assert len(line_of(m, f"r{i}.git")) == 1
    assert not [x for x in os.listdir(m.dir) if "hmirror-" in x], os.listdir(m.dir)


def test_another_makes_it_while_one_looks(m):
    """Between its look for a repository and its look for nothing the other one's appears."""
    calls.need_strace(m)
    m.facts(project("p05"), state("turn", "1"))
    m.run("sweep")
    # Only of these: how often it looks elsewhere depends on which of its threads comes first.
    strace = ["strace", "-f", "-qq", "-o", m.path("trace"), "-P", "mirror.git/HEAD", "-P", "mirror.git", "-e", "trace=newfstatat"]
    run = [HMIRROR, "publish", "-j", "1"]
    subprocess.run(strace + run, cwd=m.dir, env=m.env, check=True, capture_output=True)

    def looks():
        """Of the first thread, since each has a count of its own: whole lines, the last may lack its end."""
        found, lines = [], m.text("trace").splitlines()
        for x in lines:
            if x.split()[0] != lines[0].split()[0]:
                continue
            if "newfstatat(" in x:
                found.append(x)
            elif "newfstatat resumed" in x:
                found[-1] += x
        return found
    n, = [i for i, x in enumerate(looks(), 1) if '"mirror.git", ' in x and "ENOENT" in x][:1]
    assert n > 1, looks()

    def looked():
        return len([x for x in looks() if " = " in x])
    for seconds in (1, 4, 4, 8, 8):    # until the other one is done within the delay, however busy the machine is, and it was that look which was delayed
        shutil.rmtree(m.path("mirror.git"))
        os.unlink(m.path("hmirror.db.cache"))
        m.write("trace", "")
        slow = subprocess.Popen(strace + ["-e", f"inject=newfstatat:delay_enter={seconds}000000:when={n}"] + run, cwd=m.dir, env=m.env,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        wait_until(lambda: looked() >= n - 1, "the look before")
        fast = m.run("publish", code=None)
        in_time = fast.code == 0 and looked() < n
        said = slow.communicate()
        if in_time and b"nothing changed" in said[0]:
            break
    assert in_time and slow.returncode == 0 and b"nothing changed" in said[0], (in_time, said)


# --- locks ---------------------------------------------------------------------------

def three_repositories(m):
    m.facts(project("p05"), state("turn", "1", id="s"))
    for r in "abc":
        m.run("publish", "--repo", r + ".git", "--push", m.git("init", "-q", "--bare", f"{r}-there.git", repo=".") or f"{r}-there.git")
    m.facts(state("turn", "2", id="s"))


def test_locks_of_the_living(m):
    """They are waited for, and not for ever; it is said who holds what, and nothing changes."""
    three_repositories(m)
    tips = [m.git("rev-parse", "mirror", repo=r + ".git") for r in "abc"]
    m.write("b.git/refs/heads/mirror.lock", "")
    m.write("c-there.git/refs/heads/mirror.lock", "")
    start = time.monotonic()
    with open(m.path("a.git", "hmirror.lock"), "w") as f:
        f.write(f"{os.getpid()}\n")
        f.flush()
        fcntl.flock(f, fcntl.LOCK_EX)
        at_once(lambda: m.fails("publish", "--repo", "a.git", has=("a.git/hmirror.lock", f"process {os.getpid()}", "wait for it")),
                lambda: m.fails("publish", "--repo", "b.git", has=("b.git/refs/heads/mirror.lock", "another git process", " s ago", "remove that file")),
                lambda: m.fails("publish", "--repo", "c.git", "--push", "c-there.git", has=("c-there.git/refs/heads/mirror.lock", "another git process")))
    assert time.monotonic() - start > 9
    assert tips == [m.git("rev-parse", "mirror", repo=r + ".git") for r in "abc"]
    os.unlink(m.path("b.git/refs/heads/mirror.lock"))
    os.unlink(m.path("c-there.git/refs/heads/mirror.lock"))
    for r in "abc":
        m.run("publish", "--repo", r + ".git", "--push", r + "-there.git")
        assert m.git("rev-parse", "mirror", repo=r + ".git") == m.git("rev-parse", "mirror", repo=r + "-there.git")


def test_locks_of_the_dead(m):
    """A lock that git left long ago, one that is no matter to the branch, one that a killed hmirror left."""
    three_repositories(m)
    for r in ("a.git", "a-there.git"):
        os.utime(m.write(r + "/refs/heads/mirror.lock", ""), (1, 1))
    for name in ("packed-refs.lock", "HEAD.lock", "index.lock", "config.lock", "refs/heads/other.lock"):
        m.write("b.git/" + name, "")
    for r in ("c.git", "c-there.git"):
        m.write(r + "/hmirror.lock", "%-20d\n" % 2 ** 22)
        m.write(r + "/refs/heads/mirror.lock", "")
    for r in "abc":
        m.run("publish", "--repo", r + ".git", "--push", r + "-there.git")
        assert m.git("rev-parse", "mirror", repo=r + ".git") == m.git("rev-parse", "mirror", repo=r + "-there.git")
    for r in ("a.git", "a-there.git", "c.git", "c-there.git"):
        assert not [p for p in m.tree(r) if p.endswith(".lock")]


if __name__ == "__main__":
    main(globals())
