#!/usr/bin/env python3
"""publish.journal: commits name the store and where its journal stood, and verify proves that it is that journal still."""
import re
import shutil
import sqlite3
import subprocess

from harness import *

FREE = "DROP TRIGGER IF EXISTS journal_no_update; DROP TRIGGER IF EXISTS journal_no_delete; "


def trailers(m, rev="mirror", repo="mirror.git"):
    out = m.git("log", "-1", "--format=%(trailers:key=Mirror-Store,valueonly)%(trailers:key=Mirror-Journal,valueonly)", rev, repo=repo).split()
    return (out[0], int(out[1]), out[2]) if out else None


def add(m, key, value="1"):
    m.run("add", "project_state", "--project", "p06", "--category", "fact", "--key", key, "--value", value)


def journaled(m, commits=3):
    """So many publications, one after each fact; the lines that each saw."""
    if not os.path.exists(m.path("hmirror.db")):
        m.run("init")
    m.write("mirror.yml", "publish: {journal: true}\n")
    seen = []
    for i in range(commits):
        add(m, f"fact{i}")
        m.run("publish")
        seen.append(trailers(m)[1])
    return seen


def edit(m, sql, path="hmirror.db"):
    db = sqlite3.connect(m.path(path))
    db.executescript(FREE + sql)
    db.close()


def test_the_trailers_and_what_verify_says(m):
    seen = journaled(m)
    store, line, head = trailers(m)
    assert re.fullmatch("[0-9a-f]{32}", store) and re.fullmatch("[0-9a-f]{64}", head)
    assert [(line, head)] == m.sql("SELECT seq, hash FROM journal ORDER BY seq DESC LIMIT 1") and line == seen[-1]
    assert trailers(m, "mirror~1")[0] == store and seen == sorted(set(seen))
    r = m.run("verify")
    assert f"journal: as 3 commits saw it, up to line {line}\n" in r.out, r.out
    j = m.run("verify", "--format", "json").json()["journal"]
    assert j["whole"] and j["store"] == store and j["commits"] == j["same"] == 3 and j["seen_to"] == line and not j["redacted"], j
    check_journal(m)
    before = m.sql("SELECT count(*) FROM journal")
    assert "nothing changed" in m.run("publish").out and m.sql("SELECT count(*) FROM journal") == before
    assert f"journal: as 1 commit saw it, up to line {seen[0]}" in m.run("verify", "mirror~2", code=None).out


def test_same_store_same_commit_and_same_facts_same_tree(m):
    m.facts(decision("A"), decision("B"))
    m.write("mirror.yml", "")
    m.run("publish", "--repo", "plain.git")
    m.write("mirror.yml", "publish: {journal: true}\n")
    m.run("publish", "--repo", "one.git")
    m.run("publish", "--repo", "two.git")
    one, two, plain = (m.git("rev-parse", "mirror", repo=r) for r in ("one.git", "two.git", "plain.git"))
    assert one == two != plain
    assert len({m.git("rev-parse", "mirror^{tree}", repo=r) for r in ("one.git", "plain.git")}) == 1
    message = m.git("log", "-1", "--format=%B", repo="one.git")
    assert re.sub("Mirror-(Store|Journal): .*\n", "", message) == m.git("log", "-1", "--format=%B", repo="plain.git")
    m.write("mirror.yml", "")
    m.run("publish", "--repo", "off.git")
    assert m.git("rev-parse", "mirror", repo="off.git") == plain
    assert "journal" not in m.run("verify", "--repo", "one.git").out
    assert m.run("verify", "--repo", "one.git", "--format", "json").json()["journal"] is None


def test_edits_are_named(m):
    seen = journaled(m, 4)
    shutil.copy(m.path("hmirror.db"), m.path("whole.db"))
    n, a, b = seen[-1], seen[1], seen[2]
    last, first = (m.git("rev-parse", r).strip()[:12] for r in ("mirror", "mirror~3"))
    middle = m.git("rev-parse", "mirror~1").strip()[:12]
    cases = [
        ("UPDATE journal SET actor = 'eve' WHERE seq = 1", ["line 1 was changed", first]),
        (f"UPDATE journal SET after = replace(after, 'fact2', 'fact9') WHERE seq = {b}", [f"line {b} was changed", middle]),
        (f"UPDATE journal SET why = 'so' WHERE seq = {n}", [f"line {n} was changed", last]),
        (f"UPDATE journal SET at = '2001-01-01T00:00:00Z' WHERE seq = {n}", [f"line {n} was changed"]),
        (f"DELETE FROM journal WHERE seq = {b}", [f"line {b} is missing", middle]),
        (f"DELETE FROM journal WHERE seq IN ({b - 1}, {b})", [f"lines {b - 1} to {b} are missing"] if b - 1 > 1 else ["missing"]),
        (f"DELETE FROM journal WHERE seq >= {n}", [f"it ends at line {n - 1}", f"{last}", f"saw line {n}"]),
        (f"UPDATE journal SET seq = -1 WHERE seq = {b}; UPDATE journal SET seq = {b} WHERE seq = {b + 1}; UPDATE journal SET seq = {b + 1} WHERE seq = -1",
         [f"line {b} was changed"]),
        (f"INSERT INTO journal (seq, at, actor, verb, ref, hash) VALUES ({n + 1}, 'x', 'eve', 'edit', 'memory:m', '00')",
         [f"line {n + 1} was changed; no commit saw it"]),
    ]
    for sql, has in cases:
        shutil.copy(m.path("whole.db"), m.path("hmirror.db"))
        edit(m, sql)
        r = m.run("verify", code=1)
        for h in has:
            assert h in r.out, (sql, h, r.out)
        assert "another store" not in r.out and "up to line" not in r.out, (sql, r.out)
        j = m.run("verify", "--format", "json", code=1).json()["journal"]
        assert not j["whole"], (sql, j)
        r = m.run("-q", "verify", code=1)
        assert has[0] in r.out, r.out


def test_an_older_copy_and_one_that_went_another_way(m):
    journaled(m, 2)
    shutil.copy(m.path("hmirror.db"), m.path("backup.db"))
    old = trailers(m)[1]
    add(m, "later")
    m.run("publish")
    shutil.copy(m.path("hmirror.db"), m.path("newest.db"))
    now, tip = trailers(m)[1], m.git("rev-parse", "mirror").strip()[:12]
    shutil.copy(m.path("backup.db"), m.path("hmirror.db"))
    r = m.run("verify", code=1)
    assert f"journal: it ends at line {old}; {tip} (" in r.out and f"saw line {now}: an older copy of this store" in r.out, r.out
    for i in range(3):
        add(m, f"other{i}")
    r = m.run("verify", code=1)
    span = f"line {now}" if now == old + 1 else f"lines {old + 1} to {now}"
    assert f"journal: {span}: {tip} (" in r.out and "a copy of this store that went another way" in r.out, r.out
    j = m.run("verify", "--format", "json", code=1).json()["journal"]
    assert j["changed_from"] == old + 1 and j["commits"] == 3 and j["same"] == 2 and j["changed_line"] == 0, j
    shutil.copy(m.path("newest.db"), m.path("hmirror.db"))
    m.run("verify")


def test_another_store_is_never_called_edited(m):
    journaled(m, 2)
    store = trailers(m)[0]
    m.run("export", "-o", "all.jsonl")
    os.rename(m.path("hmirror.db"), m.path("first.db"))
    m.run("import", "all.jsonl")
    r = m.run("verify", code=1)
    assert f"journal: 2 commits saw another store (id {store}), not this one (it has no id" in r.out, r.out
    assert not re.search("changed|missing|ends at", r.out), r.out
    add(m, "mine")
    m.run("publish")
    own = trailers(m)[0]
    assert own != store
    r = m.run("verify", code=1)
    assert f"journal: 2 commits saw another store (id {store}), not this one ({own}); the newest: " in r.out, r.out
    assert not re.search("changed|missing|ends at", r.out), r.out
    j = m.run("verify", "--format", "json", code=1).json()["journal"]
    assert j["commits"] == j["same"] == 1 and [(o["store"], o["commits"]) for o in j["other_stores"]] == [(store, 2)], j


def test_redaction_before_and_after(m):
    m.run("init")
    m.write("mirror.yml", "publish: {journal: true}\n")
    add(m, "early", "hunter2-early")
    add(m, "late", "hunter2-late")
    early, late = (m.sql("SELECT id FROM project_state WHERE key = ?", k)[0][0] for k in ("early", "late"))
    m.run("redact", early, "--reason", "leaked")
    m.run("publish")
    seen = trailers(m)[1]
    assert "but for redactions" in m.run("verify").out
    add(m, "more")
    m.run("publish")
    m.run("redact", late, "--reason", "a password")
    check_journal(m)
    r = m.run("verify", code=1)      # the page has changed; the journal has not
    assert "as 2 commits saw it" in r.out and "but for redactions" in r.out, r.out
    assert re.search(r"journal: lines? \d+.* redacted by .* on 20..-..-..: a password\n", r.out), r.out
    m.run("publish")
    r = m.run("verify")
    assert "as 3 commits saw it" in r.out, r.out
    with open(m.path("hmirror.db"), "rb") as f:
        assert b"hunter2" not in f.read()
    edit(m, f"UPDATE journal SET actor = 'eve' WHERE seq = {seen}")
    assert f"line {seen} was changed" in m.run("verify", code=1).out


def test_a_redacted_value_cannot_be_guessed(m):
    """With text, hash and all lines around it known, no guess can be tried: the salt is gone."""
    m.run("init")
    m.write("mirror.yml", "publish: {journal: true}\n")
    add(m, "pin", "4711-4711")
    m.run("publish")
    seq, salt = m.sql("SELECT seq, salt FROM journal WHERE after LIKE '%4711-4711%' LIMIT 1")[0]
    m.run("redact", m.sql("SELECT id FROM project_state")[0][0], "--reason", "leaked")
    assert m.sql("SELECT salt FROM journal WHERE seq = ?", seq) == [(None,)]
    with open(m.path("hmirror.db"), "rb") as f:
        assert salt not in f.read()
    check_journal(m)


def test_two_writers_while_it_is_published(m):
    """Whatever comes between, each commit's line is one of the journal."""
    journaled(m, 1)
    writers = [subprocess.Popen([HMIRROR, "add", "project_state", "--project", "p06", "--category", "fact", "--key", f"w{w}-{i}", "--value", "1"],
                                cwd=m.dir, env=m.env, stdout=subprocess.DEVNULL) for w in range(2) for i in range(4)]
    for _ in range(4):
        m.run("publish")
    for w in writers:
        assert w.wait() == 0
    m.run("publish")
    r = m.run("verify")
    n = int(m.git("rev-list", "--count", "mirror"))
    assert f"as {n} commit" in r.out, r.out
    check_journal(m)


def test_two_first_publications_at_once(m):
    m.facts(decision("A"), decision("B"))
    m.run("sweep")
    m.write("mirror.yml", "publish: {journal: true}\n")
    both = [subprocess.Popen([HMIRROR, "publish", "--repo", f"{i}.git"], cwd=m.dir, env=m.env, stdout=subprocess.DEVNULL) for i in range(2)]
    assert [p.wait() for p in both] == [0, 0]
    assert len({trailers(m, repo=f"{i}.git")[0] for i in range(2)}) == 1
    assert m.sql("SELECT count(*) FROM journal WHERE ref LIKE 'store:%'") == [(1,)]


def test_an_old_store_begins_when_it_is_published(m):
    with open(os.path.join(TOP, "tests", "data", "store_v3.sql"), encoding="utf-8") as f:
        db = sqlite3.connect(m.path("hmirror.db"))
        db.executescript(f.read())
        db.close()
    old = m.sql("SELECT hash FROM journal ORDER BY seq")
    m.write("mirror.yml", "publish: {journal: true}\n")
    m.run("publish")
    why = m.sql("SELECT why FROM journal WHERE ref LIKE 'store:%'")[0][0]
    assert f"{len(old)} lines of before got salts, and hashes were made anew" in why, why
    assert m.sql("SELECT count(*) FROM journal WHERE salt IS NULL") == [(0,)]
    assert "up to line" in m.run("verify").out
    check_journal(m)


def test_a_line_that_was_changed_before_is_told(m):
    m.facts(decision("A"), decision("B"))
    edit(m, "UPDATE journal SET actor = 'eve' WHERE seq = 1")
    m.write("mirror.yml", "publish: {journal: true}\n")
    r = m.run("publish")
    assert "line 1 of the journal did not fit its chain" in r.err, r.err
    assert "line 1 was changed" in m.run("verify", code=1).out


def test_the_journal_of_a_foreign_store_is_its_review_file(m):
    db = sqlite3.connect(m.path("theirs.db"))
    db.executescript("CREATE TABLE memories (id TEXT, memory_type TEXT, content TEXT, project TEXT, status TEXT);"
                     "INSERT INTO memories VALUES ('a', 'preference', 'prefers rebase workflow', 'p', 'active'),"
                     " ('b', 'preference', 'prefers merge workflow', 'p', 'active')")
    db.close()
    m.write("mirror.yml", "store: theirs.db\npublish: {journal: true}\n")
    m.run("publish")
    r = m.run("verify")
    assert "journal: as 1 commit saw it" in r.out, r.out
    edit(m, "UPDATE journal SET actor = 'eve' WHERE seq = 1", "hmirror-review.db")
    assert "line 1 was changed" in m.run("verify", code=1).out


def test_a_branch_without_a_journal_and_a_wrong_word(m):
    m.facts(decision("A"), decision("B"))
    m.write("mirror.yml", "")
    m.run("publish")
    m.write("mirror.yml", "publish: {journal: true}\n")
    r = m.run("verify")
    assert "no commit up to this one says where the journal stood" in r.err, r.err
    m.write("mirror.yml", "publish: {journal: maybe}\n")
    m.fails("publish", has="mirror.yml:1: publish.journal: neither true nor false: write true or false")


if __name__ == "__main__":
    main(globals())
