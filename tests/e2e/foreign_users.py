#!/usr/bin/env python3
"""A WAL store that another user owns: it is read, whatever stands beside it, nothing is left there, and its owner writes on."""
import json
import os
import re
import shutil
import subprocess
import time
import urllib.request

from harness import HANGS, HMIRROR, THOROUGH, Skip, main

OWNER, READER = 61001, 61002
PYTHON = "/usr/bin/python3"   # one that any user may run
ROWS = "CREATE TABLE memories(id TEXT PRIMARY KEY, memory_type, content); INSERT INTO memories VALUES('m1', 'knowledge', 'gain is 3');"
MAKE = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("PRAGMA journal_mode=WAL")
db.executescript(sys.argv[2])
db.commit()
"""
WRITE = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], timeout=20)
db.execute("INSERT OR REPLACE INTO memories VALUES('m2', 'knowledge', 'gain is 4')")
db.commit()
print(db.execute("SELECT count(*) FROM memories").fetchone()[0])
"""
# Both rows say the same in every committed state.
BUSY = """
import os, sqlite3, sys
i = 0
while not os.path.exists(sys.argv[2]):
    db = sqlite3.connect(sys.argv[1], timeout=20)
    for _ in range(int(sys.argv[3])):
        if os.path.exists(sys.argv[2]):
            break
        i += 1
        db.execute("BEGIN IMMEDIATE")
        db.execute("INSERT OR REPLACE INTO memories VALUES('a', 'knowledge', 'gain is ' || ?)", (i,))
        db.execute("INSERT OR REPLACE INTO memories VALUES('b', 'knowledge', 'gain is ' || ?)", (i,))
        db.execute("INSERT OR REPLACE INTO memories VALUES('pad', 'episodic', ?)", ("x" * (i % 7 * 3000),))
        db.execute("COMMIT")
    db.close()
print(i)
"""


def become(uid):
    def f():
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
        os.umask(0o022)
    return f


def place(m):
    """A folder that both may write to, with the command in it, since who is not root may not get to where it was built."""
    if os.geteuid() != 0 or not os.access(PYTHON, os.X_OK):
        raise Skip("only root can be two users")
    os.chmod(m.dir, 0o755)
    os.mkdir(m.path("d"))
    os.chmod(m.path("d"), 0o777)
    shutil.copy(HMIRROR, m.path("hmirror"))
    os.mkdir(m.path("home"))
    os.chmod(m.path("home"), 0o777)
    os.mkdir(m.path("tmp"))
    os.chmod(m.path("tmp"), 0o1777)


def owner(m, script, *args):
    p = subprocess.run([PYTHON, "-c", script, *args], cwd=m.path("d"), preexec_fn=become(OWNER), capture_output=True, text=True, timeout=HANGS)
    assert p.returncode == 0, p.stderr
    return p.stdout.strip()


def reader(m, *args, uid=READER, code=0):
    p = subprocess.run([m.path("hmirror"), *args], cwd=m.path("home"), preexec_fn=become(uid) if uid else None, capture_output=True, text=True, timeout=HANGS,
                       env={**m.env, "TMPDIR": m.path("tmp")})
    assert p.returncode in ((0, 2) if code is None else (code,)), (args, p.returncode, p.stderr)
    return p


def rows(m, store="../d/s.db", **kw):
    return sorted(json.loads(x)["id"] for x in reader(m, "--store", store, "export", **kw).stdout.splitlines() if '"kind":"evidence"' not in x)


def beside(m):
    return sorted(os.listdir(m.path("d")))


def left_nothing(m, before):
    assert beside(m) == before, beside(m)
    assert os.listdir(m.path("tmp")) == []


def test_without_a_wal(m):
    place(m)
    owner(m, MAKE, "s.db", ROWS)
    for uid in (READER, 0):
        assert beside(m) == ["s.db"]
        assert rows(m, uid=uid)[:1] == ["m1"]
        left_nothing(m, ["s.db"])
        assert owner(m, WRITE, "s.db") == "2"
        assert rows(m, uid=uid) == ["m1", "m2"]
    reader(m, "--store", "../d/s.db", "sweep")
    left_nothing(m, ["s.db"])
    assert owner(m, WRITE, "s.db") == "2"


def test_through_a_link(m):
    place(m)
    owner(m, MAKE, "s.db", ROWS)
    os.symlink("../d/s.db", m.path("home", "link.db"))
    assert rows(m, "link.db") == ["m1"]
    left_nothing(m, ["s.db"])


def test_with_frames(m):
    """Its last writer is gone and left a WAL: with what was its index, and without, as in a copy."""
    place(m)
    subprocess.run([PYTHON, "-c", MAKE + "\nimport os, signal; os.kill(os.getpid(), signal.SIGKILL)", "s.db", ROWS], cwd=m.path("d"),
                   preexec_fn=become(OWNER))
    assert beside(m) == ["s.db", "s.db-shm", "s.db-wal"] and os.path.getsize(m.path("d", "s.db-wal")) > 0
    kept = {n: open(m.path("d", n), "rb").read() for n in ("s.db", "s.db-wal")}
    for uid in (READER, 0):
        assert rows(m, uid=uid) == ["m1"]
        left_nothing(m, ["s.db", "s.db-shm", "s.db-wal"])
    os.unlink(m.path("d", "s.db-shm"))
    for uid in (READER, 0):
        assert rows(m, uid=uid) == ["m1"]
        left_nothing(m, ["s.db", "s.db-wal"])
    assert kept == {n: open(m.path("d", n), "rb").read() for n in kept}
    assert {os.stat(m.path("d", n)).st_uid for n in beside(m)} == {OWNER}
    assert owner(m, WRITE, "s.db") == "2"
    assert rows(m) == ["m1", "m2"]


def test_where_the_reader_may_see_less(m):
    place(m)
    owner(m, MAKE, "s.db", ROWS)
    os.chmod(m.path("d"), 0o755)
    assert rows(m) == ["m1"], "a folder that it may not write to"
    keep = "\nimport os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    os.chmod(m.path("d"), 0o777)
    subprocess.run([PYTHON, "-c", WRITE + keep, "s.db"], cwd=m.path("d"), preexec_fn=become(OWNER), stdout=subprocess.DEVNULL)
    os.chmod(m.path("d", "s.db-shm"), 0o600)
    assert rows(m) == ["m1", "m2"], "an index that it may not read"
    os.chmod(m.path("d", "s.db-wal"), 0o600)
    p = reader(m, "--store", "../d/s.db", "export", code=2)
    assert "-wal cannot be read" in p.stderr and p.stderr.count("\n") == 1, p.stderr
    left_nothing(m, ["s.db", "s.db-shm", "s.db-wal"])


def test_while_its_owner_writes(m):
    """In one connection, and in one after another, each of which makes the WAL and removes it."""
    place(m)
    for many in (10000, 3):
        store, enough = f"s{many}.db", m.path("home", f"enough{many}")
        owner(m, MAKE, store, ROWS)
        p = subprocess.Popen([PYTHON, "-c", BUSY, store, enough, str(many)], cwd=m.path("d"), preexec_fn=become(OWNER), stdout=subprocess.PIPE)
        try:
            seen = 0
            while seen < (200 if THOROUGH else 15):
                q = reader(m, "--store", f"../d/{store}", "export", code=None)
                if q.returncode:
                    assert "owner writes" in q.stderr or "lock" in q.stderr, q.stderr
                    continue
                seen += 1
                said = {r["id"]: r["content"] for r in map(json.loads, q.stdout.splitlines())}
                assert said.get("a") == said.get("b"), said
        finally:
            open(enough, "w").close()
        out, _ = p.communicate(timeout=HANGS)
        assert p.returncode == 0 and int(out) > 5
        assert {os.stat(m.path("d", n)).st_uid for n in beside(m)} == {OWNER}, beside(m)
        assert os.listdir(m.path("tmp")) == []
        assert owner(m, WRITE, store)


def test_a_store_of_hmirrors(m):
    place(m)
    m.facts({"kind": "memory", "id": "x1", "memory_type": "knowledge", "content": "a is b", "status": "active"})
    m.sql("PRAGMA journal_mode=WAL")
    shutil.move(m.path("hmirror.db"), m.path("d", "s.db"))
    os.chown(m.path("d", "s.db"), OWNER, OWNER)
    for uid in (READER, 0):
        assert rows(m, uid=uid) == ["x1"]
        reader(m, "--store", "../d/s.db", "health", uid=uid)
        left_nothing(m, ["s.db"])


def test_a_server_sees_what_its_owner_writes(m):
    place(m)
    owner(m, MAKE, "s.db", ROWS)
    p = subprocess.Popen([m.path("hmirror"), "--store", "../d/s.db", "serve", "--port", "0"], cwd=m.path("home"), preexec_fn=become(READER),
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**m.env, "TMPDIR": m.path("tmp")})
    try:
        line = p.stdout.readline()
        url = re.search(r"http://[0-9.:]+", line)[0]
        get = lambda row: urllib.request.urlopen(f"{url}/memory/{row}", timeout=HANGS).status
        assert get("m1") == 200
        owner(m, WRITE, "s.db")
        assert get("m2") == 200
        # While it is read its owner, closing it, leaves the WAL there.
        assert {os.stat(m.path("d", n)).st_uid for n in beside(m)} == {OWNER}, beside(m)
        # Its threads open the store when they see that it changed: a copy stands there for an instant.
        until = time.monotonic() + HANGS
        while os.listdir(m.path("tmp")) and time.monotonic() < until:
            time.sleep(0.01)
        assert os.listdir(m.path("tmp")) == []
        assert owner(m, WRITE, "s.db") == "2"
    finally:
        p.terminate()
        p.wait()


if __name__ == "__main__":
    main(globals())
