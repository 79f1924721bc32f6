#!/usr/bin/env python3
"""A mirror that nobody may write to is shown; and who else may read what is written, and secrets."""
import os
import sqlite3
import stat
import subprocess
import urllib.request

from harness import decision, main, state
from server import Server


def journal(m, kind):
    """Leaves the store with SQLite's own journal, a WAL that was closed, or one with a change in it."""
    if kind == "delete":
        return
    db = sqlite3.connect(m.path("hmirror.db"))
    db.execute("PRAGMA journal_mode=WAL")
    if kind == "wal":
        db.close()
        return
    db.execute("UPDATE project_state SET value = 'in the log' WHERE id = 's1'")
    db.commit()
    for name in ("hmirror.db", "hmirror.db-wal"):   # closing it would empty the log
        os.link(m.path(name), m.path(name + ".kept"))
    db.close()
    for name in ("hmirror.db", "hmirror.db-wal"):
        os.replace(m.path(name + ".kept"), m.path(name))


def test_a_mirror_that_cannot_be_written(m):
    """As on a read-only disk: build -d and serve show it, its owner's too, and leave nothing in its folder."""
    for kind in ("delete", "wal", "wal with a change"):
        os.makedirs(m.path("out"), exist_ok=True)
        m.facts(decision("A", id="e1"), decision("B", id="e2"), state("x", "first", id="s1"))
        journal(m, kind)
        user = m.another_user()
        folder = m.path("mirror")
        os.makedirs(folder, exist_ok=True)
        for name in os.listdir(m.dir):
            if name.startswith("hmirror.db") or name == "mirror.yml":
                os.replace(m.path(name), os.path.join(folder, name))
        for name in os.listdir(folder):
            os.chmod(os.path.join(folder, name), 0o444)
        if user:
            subprocess.run(["chown", "-R", "65534:65534", folder], check=True)
        os.chmod(folder, 0o555)
        there = sorted(os.listdir(folder))
        want = "in the log" if kind.endswith("change") else "first"
        r = m.run("build", "-d", m.path("out", kind), cwd=folder, preexec=user)
        assert "cannot be written: new disputes are shown, not recorded" in r.err, r.err
        assert want in m.text("out", kind, "projects", "p05", "state.md")
        assert "⚠ disputed" in m.text("out", kind, "projects", "p05", "entities", "decision.md")
        with Server(m, "-C", folder, preexec=user) as s:
            with urllib.request.urlopen(s.url.rstrip("/") + "/projects/p05/state.html") as page:
                assert want in page.read().decode()
            assert s.get("/health").json()
        assert sorted(os.listdir(folder)) == there
        os.chmod(folder, 0o755)
        subprocess.run(["rm", "-rf", folder], check=True)


def test_the_umask_holds(m):
    m.facts(decision("A"), decision("B"))
    for mask in (0o022, 0o077, 0o002, 0o027):
        m.run("build", preexec=lambda mask=mask: os.umask(mask))
        for d, _, names in os.walk(m.path("site")):
            assert stat.S_IMODE(os.stat(d).st_mode) == 0o777 & ~mask, (oct(mask), d)
            for n in names:
                assert stat.S_IMODE(os.stat(os.path.join(d, n)).st_mode) == 0o666 & ~mask, (oct(mask), n)


def test_a_token_that_others_can_read_is_told(m):
    m.facts(decision("A"), decision("B"))
    m.write("token", "0123456789abcdef0123456789abcdef\n")
    for mode, told in ((0o644, True), (0o640, True), (0o604, True), (0o600, False), (0o400, False)):
        os.chmod(m.path("token"), mode)
        with Server(m, "--token-file", "token") as s:
            said = s.stop()
        assert ("token: others can read it" in said) == told, (oct(mode), said)
    m.write("secrets", "https://anna:pw@localhost\n")
    m.write("mirror.yml", "publish:\n  credentials: secrets\n")
    m.run("publish", "--repo", "there.git", "--branch", "other")
    assert "secrets: others can read it" in m.run("publish", "--push", "there.git").err
    os.chmod(m.path("secrets"), 0o600)
    assert "others can read it" not in m.run("publish", "--push", "there.git").err


if __name__ == "__main__":
    main(globals())
