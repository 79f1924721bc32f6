#!/usr/bin/env python3
"""Same store, same bytes: whatever the order, the threads, the locale, the folder."""
import random
from harness import *

FACTS = os.path.join(TOP, "site-example", "facts")


def lines():
    out = []
    for name in sorted(os.listdir(FACTS)):
        with open(os.path.join(FACTS, name), "rb") as f:
            out += f.readlines()
    return out


def outcome(m, data, args=(), env=None, preexec=None):
    """Tree of the site and commit id of the branch, from a fresh store."""
    for d in ("site", "mirror.git"):
        shutil.rmtree(m.path(d), ignore_errors=True)
    for f in ("hmirror.db", "mirror.yml"):
        if os.path.exists(m.path(f)):
            os.unlink(m.path(f))
    m.run("init", env=env, preexec=preexec)
    m.write("all.jsonl", b"".join(data))
    m.run("import", "all.jsonl", env=env, preexec=preexec)
    m.run(*args, "build", env=env, preexec=preexec)
    m.run(*args, "publish", env=env, preexec=preexec)
    return m.tree("site"), m.git("rev-parse", "mirror").strip()


def test_order_of_lines(m):
    base = outcome(m, lines())
    for seed in range(3):
        data = lines()
        random.Random(seed).shuffle(data)
        assert outcome(m, data) == base, f"seed {seed}"


def test_threads(m):
    base = outcome(m, lines(), ("-j", "1"))
    assert outcome(m, lines(), ("-j", "8")) == base


def test_locale_time_zone_umask(m):
    base = outcome(m, lines())
    for env in ({"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"}, {"LC_ALL": "C"}, {"TZ": "Pacific/Chatham"}):
        assert outcome(m, lines(), env=env) == base, env
    assert outcome(m, lines(), preexec=lambda: os.umask(0o077)) == base
    assert os.stat(m.path("site", "README.md")).st_mode & 0o777 == 0o644
    assert os.stat(m.path("site", "projects")).st_mode & 0o777 == 0o755


def test_another_folder(m):
    base = outcome(m, lines())
    other = Mirror(tempfile.mkdtemp(prefix="hm another é folder "))
    try:
        assert outcome(other, lines()) == base
    finally:
        other.close()


def test_another_day(m):
    """No clock in any page or commit: a second later, the same bytes."""
    base = outcome(m, lines())
    time.sleep(1.1)
    assert outcome(m, lines()) == base


def test_export_import(m):
    base = outcome(m, lines())
    m.sql("UPDATE conflicts SET status='dismissed', resolved_at='2026-05-01T00:00:00Z', resolution='not | real', resolved_by='ann' "
          "WHERE id IN (SELECT id FROM conflicts ORDER BY id LIMIT 2)")
    a = m.run("export").out
    os.rename(m.path("hmirror.db"), m.path("old.db"))
    os.unlink(m.path("mirror.yml"))
    m.run("init")
    m.write("export.jsonl", a)
    m.run("import", "export.jsonl")
    assert m.run("export").out == a
    m.run("build", "-d", "second")
    m.run("--store", "old.db", "build", "-d", "first")
    assert m.tree("first") == m.tree("second")
    assert base


def test_import_twice_changes_nothing(m):
    base = outcome(m, lines())
    journal = m.sql("SELECT count(*) FROM journal")
    r = m.run("--format", "json", "import", "all.jsonl").json()
    assert r["added"] == 0 and r["updated"] == 0, r
    assert m.sql("SELECT count(*) FROM journal") == journal
    m.run("build")
    r = m.run("--format", "json", "publish").json()
    assert r["created"] is False
    assert (m.tree("site"), m.git("rev-parse", "mirror").strip()) == base


def test_one_fact_changes_only_the_lines_that_show_it(m):
    outcome(m, lines())
    with open(os.path.join(TOP, "site-example", "change.jsonl"), "rb") as f:
        m.write("change.jsonl", f.read())
    m.run("import", "change.jsonl", "--source", "all.jsonl")
    m.run("publish")
    changed = m.git("show", "--format=", "--name-only", "mirror").split()
    other = [p for p in changed if p.startswith("projects/") and not p.startswith("projects/p06")]
    assert not other, other
    for line in m.git("show", "--format=", "-U0", "mirror", "--", "projects/*.md").splitlines():
        if line.startswith(("+++", "---", "@@", "diff", "index")) or line[:1] not in "+-" or not line[1:].strip("- "):
            continue
        # the dispute began in another month: the counts by month say so
        words = ("spindle", "45 rpm", "50 rpm", "process card", "digest", "2026-04-27", "disputed", "flagged", "agree", ": trusted state ", "hange", "publication", "other sides", "Facts")
        assert any(w in line for w in words), line


if __name__ == "__main__":
    main(globals())
