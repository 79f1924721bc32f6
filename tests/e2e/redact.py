#!/usr/bin/env python3
"""A leaked value: out of the store's bytes, out of the next publication; listed where it still is."""
import glob
import html
import random
import re
import signal
from harness import *

SECRET = 'Pa"ss|wörd <b>\\_*[x](y) & #1 `c` $5 ~z {a}'
REASON = ("--reason", "a leaked password", "--by", "kim")
OLD = {"created_at": "2026-04-01T09:00:00Z"}


def spellings(text):
    """What a program that looks for the value would look for."""
    j = json.dumps(text, ensure_ascii=False)[1:-1]
    return {text, text.casefold(), j, j.casefold(), json.dumps(text)[1:-1], html.escape(text), html.escape(text, False)}


def bytes_of(m, pattern="hmirror.db*"):
    return {p: open(p, "rb").read() for p in glob.glob(m.path(pattern))}


def gone(m, text=SECRET, pattern="hmirror.db*"):
    for p, b in bytes_of(m, pattern).items():
        for s in spellings(text):
            assert s.encode() not in b, f"{s!r} is in {p}"


def verify_journal(m):
    check_journal(m)
    triggers = {n for n, in m.sql("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'journal'")}
    assert triggers == {"journal_no_update", "journal_no_delete", "journal_no_replace"}, triggers
    try:
        m.sql("UPDATE journal SET at = 'x'")
        assert False, "the journal can be written to"
    except sqlite3.IntegrityError:
        pass


def silent(r, text=SECRET):
    """The answer says the value nowhere."""
    for s in spellings(text):
        assert s not in r.out and s not in r.err, r.out + r.err
    return r


def redact(m, *args, **kw):
    return silent(m.run("redact", *args, *REASON, **kw))


# --- the store -----------------------------------------------------------------

def test_everywhere_in_the_store(m):
    m.facts(project("p05"), state("door code", "1234", id="s0", **OLD), memory(f"door code is {SECRET}", slot_rule="door code", id="m1", **OLD))
    c, = m.sweep()
    m.run("conflicts", "dismiss", c["id"], "--reason", f"Kim typed {SECRET} there.")
    m.facts(state("door code", SECRET, id="s1", **OLD), entity("Component", {"component_name": "door", "code": SECRET, "mass": "4 kg"}, "door", id="e1"),
            memory(f"Why is {SECRET} known to all?", "episodic", id="m2"), name="more.jsonl")
    m.sweep()
    r = redact(m, "memory:m1", "project_state:s1", "m2")
    assert "1 line of" not in r.out and "entity:e1" in r.out
    r = redact(m, "e1", "--field", "code")
    gone(m)
    verify_journal(m)
    assert m.sql("SELECT status FROM memories UNION ALL SELECT status FROM project_state WHERE id = 's1'") == [("invalid",)] * 3
    assert json.loads(m.sql("SELECT properties FROM entities")[0][0])["mass"] == "4 kg"
    assert m.run("sweep", "--dry-run", "--exit-code", code=None).code == 0
    for line in m.run("export").out.splitlines():
        assert not any(s in line for s in spellings(SECRET))
    # What is exported makes the same store again, in which nothing is disputed either.
    m.write("all.jsonl", m.run("export").out)
    m.run("--store", "copy.db", "init", code=None)
    m.run("--store", "copy.db", "import", "all.jsonl")
    assert m.run("--store", "copy.db", "export").out == m.run("export").out
    m.run("--store", "copy.db", "sweep", "--exit-code")


def test_read_out_of_prose(m):
    """What the grammar took out of a sentence: out of its claim, of the conflict with another sentence, of the journal."""
    secret = 'Pa"ss|wörd<b>\\_*x&#1$5~z{a}'   # one word, which is all that a key has
    for i, (text, other) in enumerate(((f"DOOR_CODE={secret}", "DOOR_CODE=1234"), (f"GATE_CODE is {secret}", "GATE_CODE is abcd"),
                                       ("yard code is Green Kilo-Seven", "yard code is Yellow Kilo-Six"),
                                       ("We set FENCE_CODE to Kilo-Seven", "FENCE_CODE is abcd"))):
        held = secret if secret in text else text.split(" is ")[-1].split(" to ")[-1]
        m.facts(project("p05"), memory(text, id=f"m{i}", **OLD), memory(other, id=f"o{i}", **OLD), name=f"f{i}.jsonl")
        c, = (x for x in m.sweep() if x["disputed"])
        assert held in [x["value"] for x in c["members"]], c
        silent(m.run("redact", f"m{i}", *REASON), held)
        gone(m, held)
        assert not any(x["disputed"] for x in m.sweep())
    verify_journal(m)


def test_further_claims_of_a_text(m):
    m.facts(project("p05"), memory("The API timeout is 4711 s. The rate limit is 8123 req/s", id="m1", **OLD),
            memory("The rate limit is 9 req/s", id="m2", **OLD), memory("The API timeout is 8 s", id="m3", **OLD))
    assert len(m.sweep()) == 2
    silent(m.run("redact", "m1", *REASON), "4711 s")
    gone(m, "4711 s")
    gone(m, "8123 req/s")


def test_a_family_of_the_mirror_alone(m):
    """The value that only a family of mirror.yml reads out of a text goes with the text."""
    m.run("init", ".")
    m.write("mirror.yml", m.read("mirror.yml").decode() + "\nstory:\n  families:\n    robot_arm: Zyxxor Nine|ZN9, Panda\n")
    m.facts(project("p05"), memory("We use Zyxxor Nine", id="m1", agent="a", **OLD),
            memory("We use Panda", id="m2", agent="b", created_at="2026-04-20T09:00:00Z"))
    c, = (x for x in m.sweep() if x["disputed"])
    assert "Zyxxor Nine" in [x["value"] for x in c["members"]], c
    m.run("redact", "m1", *REASON)
    gone(m, "Zyxxor Nine")


def test_values_of_every_kind(m):
    rnd = random.Random(4)
    alphabet = list("abcXYZ019 \"\\/<>&'|*_[](){}#!~`$%:;,.+-=?@^\t\n") + ["é", "ß", "\u2028", "\u202e", "𝔘", "\x07", "</", "<!--"]
    for i in range(12):
        value = "K" + "".join(rnd.choice(alphabet) for _ in range(rnd.choice((12, 40, 300, 6000)))) + "q"
        m.facts(state(f"key {i}", value, id=f"s{i}"), state(f"key {i}", "other", id=f"o{i}"), name=f"f{i}.jsonl")
        m.sweep()
        redact(m, f"s{i}")
        core = value.strip()[:60]
        gone(m, core)
        verify_journal(m)


def two_sources(m, first, second):
    """The same records as two files have them."""
    m.run("init")
    for name, records in (("a.jsonl", first), ("b.jsonl", second)):
        m.write(name, "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records))
        m.run("import", name)
    m.sweep()


def test_what_other_sources_say_of_it(m):
    """All that its sources say of the field goes: out of the store, its export, its pages; told by kind."""
    def records(n, **more):
        return [entity("Component", {"component_name": "door", "code": f"{n}-hunter-22", **more}, "door", id="e1"),
                memory(f"the door code is {n}-key-991", id="m1", **OLD), memory(f"Kim wrote {n}-note-17, once", "episodic", id="m2", **OLD),
                state("code", f"{n}-state-7", id="s1", **OLD),
                {"kind": "relation", "id": "r1", "type": "USES", "project": "p05", "from": "e1", "to": "e1", "properties": {"pin": f"{n}-pin-5"}}]
    values = ["hunter-22", "key-991", "note-17", "state-7", "pin-5", "spare-3"]
    # The name of the file comes before that of the other one, and after it; a source alone has a field of its own.
    two_sources(m, [project("p05"), *records("alpha")], records("bravo", spare="bravo-spare-3"))
    m.write("c.jsonl", "".join(json.dumps(r) + "\n" for r in records("charlie")))
    m.run("import", "c.jsonl", "--source", "0-first")
    m.sweep()
    m.run("publish")
    for row, field in (("entity:e1", "code"), ("memory:m1", None), ("memory:m2", None), ("project_state:s1", None), ("relation:r1", "pin"), ("entity:e1", "spare")):
        r = m.run("--format", "json", "redact", row, *REASON, *(("--field", field) if field else ()))
        j = r.json()
        assert {x["ref"] for x in j["beside"] if x["kind"] == "evidence"} >= {f"{row} b.jsonl"} and not j["elsewhere"] and not j["remains"], (row, j)
        assert field == "spare" or {x["ref"] for x in j["beside"]} >= {f"{row} {s}" for s in ("0-first", "a.jsonl", "b.jsonl")}, (row, j)
        assert not any(v in r.out + r.err for v in values), r.out
    m.sweep()
    m.run("publish")
    texts = [m.run("export").out, "".join(m.git("show", f"mirror:{p}") for p in m.git("ls-tree", "-r", "--name-only", "mirror").split() if not p.endswith(".png"))]
    for v in values:
        for n in ("alpha", "bravo", "charlie"):
            gone(m, f"{n}-{v}")
            assert not any(f"{n}-{v}" in t for t in texts), (n, v)
    verify_journal(m)


def test_what_other_sources_said_of_it(m):
    """Earlier values of each source, and what a person decided against, are earlier ones, too."""
    two_sources(m, [project("p05"), state("code", "alpha-one-1", id="s1"), entity("Component", {"component_name": "door", "code": "alpha-two-2"}, "door", id="e1")],
                [state("code", "bravo-one-1", id="s1"), entity("Component", {"component_name": "door", "code": "bravo-two-2"}, "door", id="e1")])
    m.write("b.jsonl", m.read("b.jsonl").decode().replace("bravo", "delta"))
    m.run("import", "b.jsonl")
    m.sweep()
    for row, field in (("project_state:s1", None), ("entity:e1", "code")):
        j = m.run("--format", "json", "redact", row, "--earlier", *REASON, *(("--field", field) if field else ())).json()
        assert {x["ref"] for x in j["beside"]} == {f"{row} b.jsonl"}, j
    for v in ("bravo-one-1", "bravo-two-2"):
        gone(m, v)
    out = m.run("export").out
    assert all(v in out for v in ("alpha-one-1", "delta-one-1", "alpha-two-2", "delta-two-2")), out
    for one in m.sweep():
        member, = [x for x in one["members"] if x["source"] == "a.jsonl"]
        m.run("conflicts", "resolve", one["id"], "--winner", f"{member['member_kind']}:{member['member_id']}", "--from", "a.jsonl", "--notes", "as the drawing has it")
    for row, field in (("project_state:s1", None), ("entity:e1", "code")):
        redact(m, row, *(("--field", field) if field else ()))
    for v in ("alpha-one-1", "delta-one-1", "alpha-two-2", "delta-two-2"):
        gone(m, v)
    verify_journal(m)


def test_earlier_values_that_stay_are_told(m):
    """What the field said before stays where it is, and is named by kind; --earlier takes it out, and then nothing is told."""
    two_sources(m, [project("p05"), state("code", "alpha-one-1", id="s1"), state("lock", "the same", id="s2"), memory("The door code is mike-three-3.", id="m1")],
                [state("code", "bravo-one-1", id="s1")])
    m.write("b.jsonl", m.read("b.jsonl").decode().replace("bravo", "delta"))
    m.run("import", "b.jsonl")
    m.run("edit", "m1", "--set", "content=The door code is oscar-three-3.")
    m.run("edit", "m1", "--set", "content=The door code is november-4.")
    m.run("edit", "s2", "--set", "value=x1")
    m.run("edit", "s2", "--set", "value=kilo-two-2")
    m.sweep()
    for row, journal, source in (("project_state:s1", False, {"project_state:s1 b.jsonl"}), ("memory:m1", True, set()), ("project_state:s2", True, set())):
        said = {}
        for dry in (True, False):
            r = m.run("--format", "json", "redact", row, *REASON, *["--dry-run"] * dry)
            places = r.json()["earlier"]
            assert bool({x["ref"] for x in places if x["kind"] == "journal"}) == journal, (row, places)
            assert source <= {x["ref"] for x in places if x["kind"] == "evidence"}, (row, places)
            assert not any(v in r.out for v in ("alpha-one", "bravo-one", "mike-three", "oscar-three", "delta-one")), r.out
            said[dry] = places
        assert said[True] == said[False], said
    lines = {str(n) for n, in m.sql("SELECT seq FROM journal WHERE ref = 'project_state:s2' AND (before LIKE '%\"x1\"%' OR after LIKE '%\"x1\"%')")}
    assert {x["ref"] for x in said[False] if x["kind"] == "journal"} == lines and lines, (said, lines)
    m.facts(project("p07"), state("pin", "xray-one-1", id="s7"), state("pin", "zulu-one-1", id="s8"), name="more.jsonl")
    assert m.run("--format", "json", "redact", "s8", *REASON).json()["earlier"] == []
    m.run("edit", "s7", "--set", "value=xray-two-2")
    m.run("edit", "s7", "--set", "value=xray-three-3")
    told = redact(m, "s7").out
    assert "Earlier values of the field, which stay here; `redact --earlier` takes them out, too:\n  journal " in told, told
    for row in ("s1", "m1", "s2", "s7"):
        redact(m, row, "--earlier")
    for v in ("alpha-one-1", "bravo-one-1", "mike-three-3", "oscar-three-3", "the same", "xray-two-2"):
        gone(m, v)
    verify_journal(m)


def test_what_a_source_of_another_row_says(m):
    """A row of which only a second source holds the value is another row that holds it."""
    two_sources(m, [project("p05"), state("code", "kilo-seven-zulu", id="s1"), state("lock", "none", id="s2")], [state("lock", "kilo-seven-zulu", id="s2")])
    j = m.run("--format", "json", "redact", "s1", *REASON).json()
    assert j["others"] == ["project_state:s2"] and {x["kind"] for x in j["elsewhere"]} <= {"journal"}, j
    assert "kilo-seven-zulu" not in m.run("redact", "s2", *REASON).out
    gone(m, "kilo-seven-zulu")


def test_a_write_ahead_log(m):
    m.facts(state("code", SECRET, id="s1"), state("code", "2", id="s2"))
    m.sql("PRAGMA journal_mode=WAL")
    m.sweep()
    keep = sqlite3.connect(m.path("hmirror.db"))   # so that the log is not removed with the last connection
    keep.execute("SELECT count(*) FROM project_state").fetchall()
    redact(m, "s1")
    gone(m)
    keep.close()
    keep = sqlite3.connect(m.path("hmirror.db"))   # reading the file, as gone does, dropped the locks that this process had on it
    keep.execute("BEGIN")
    keep.execute("SELECT count(*) FROM project_state").fetchall()
    m.facts(state("code", SECRET + "2", id="s3"))
    r = redact(m, "s3")
    assert "another process is reading it" in r.out and "VACUUM" in r.out
    assert m.sql("SELECT status FROM project_state WHERE id = 's3'") == [("invalid",)]
    keep.close()
    verify_journal(m)


def test_in_other_case_and_white_space(m):
    """A verdict, a reason, a member: however the value was typed, it goes; what holds it still is never called clean."""
    secret = "Green Door Kilo-Seven Zürich"
    loose = ["green door kilo-seven zürich", "GREEN  DOOR\nKILO SEVEN ZÜRICH", "green_door_kilo_seven_zürich"]
    m.facts(project("p05"), state("door code", secret, id="s1", **OLD), state("door code", "1234", id="s2", **OLD))
    c, = m.sweep()
    m.run("conflicts", "dismiss", c["id"], "--reason", f"It is ({loose[0]}), {loose[1]} as Kim says.")
    r = m.run("redact", "s1", *REASON, "--format", "json").json()
    assert r["conflicts"] == [c["id"]] and r["conflicts_holding"] == [] and r["remains"] is False
    left = b"".join(bytes_of(m).values()).decode("utf-8", "replace").casefold()
    assert "kilo" not in left, left[max(0, left.index("kilo") - 200):][:400]
    assert "[redacted" in m.sql("SELECT resolution FROM conflicts")[0][0]
    verify_journal(m)


def test_what_holds_it_still_is_no_clean_conflict(m):
    secret = "Green Door Kilo-Seven"
    m.facts(project("p05"), state("door code", secret, id="s1", **OLD), state("door code", "1234", id="s2", **OLD),
            memory(f"door code is {secret.upper()}", id="m1", **OLD))
    c, = m.sweep()
    m.write("hmirror-review.db", b"\0" + secret.lower().encode())
    m.write("hmirror.db.cache-7", b"\0" + secret.replace(" ", "  ").encode())
    r = m.run("redact", "s1", *REASON, "--format", "json").json()
    assert r["others"] == ["memory:m1"] and r["conflicts"] == [] and r["conflicts_holding"] == [c["id"]]
    assert r["files"] == ["hmirror.db.cache-7", "hmirror-review.db"]
    m.facts(state("gate code", secret, id="s3", **OLD))
    said = m.run("redact", "m1", "s3", *REASON).out
    assert "Files beside the store that hold it" in said and "Conflicts that quote it still" not in said
    assert m.run("redact", "s3", *REASON, code=2)
    gone(m, secret, "hmirror.db")


def test_backups_are_listed(m):
    m.facts(state("code", SECRET, id="s1"))
    shutil.copy(m.path("hmirror.db"), m.path("hmirror.db.v1.bak"))
    shutil.copy(m.path("hmirror.db"), m.path("hmirror.db.old"))
    m.write("hmirror.db.v1.2.bak", b"nothing in it")
    r = redact(m, "s1", "--format", "json")
    assert r.json()["backups"] == ["hmirror.db.v1.bak"] and r.json()["remains"] is False


def test_what_is_refused(m):
    m.facts(state("code", SECRET, id="s1"))
    m.fails("redact", has="too few words")
    silent(m.run("redact", "s1", code=2))
    assert "--reason" in m.fails("redact", "s1")
    silent(m.run("redact", "s1", "--reason", f"it was {SECRET}", code=2))
    m.fails("redact", "nosuch", "--reason", "x", has="there is none")
    m.fails("redact", "s1", "--field", "nosuch", "--reason", "x", has=["no such field", "value"])
    assert m.sql("SELECT value FROM project_state") == [(SECRET,)]
    before = m.tree(".")
    r = redact(m, "s1", "--dry-run")
    assert "would be redacted" in r.out and m.tree(".") == before


def test_killed_at_any_moment(m):
    n = 4000 if THOROUGH else 400
    m.facts(*[state(f"key {i}", f"value {i}", id=f"x{i}") for i in range(n)], memory(f"door code is {SECRET}", slot_rule="door code", id="m1"), state("door code", "1", id="s1"))
    m.sweep()
    m.facts(*[state(f"key {i}", f"other {i}", id=f"x{i}") for i in range(n)])
    shutil.copy(m.path("hmirror.db"), m.path("whole.db"))
    start = time.monotonic()
    subprocess.run([HMIRROR, "-q", "redact", "m1", *REASON], cwd=m.dir, env=m.env, check=True, stdout=subprocess.DEVNULL)
    takes = time.monotonic() - start
    rnd = random.Random(7)
    nothing, all_of_it = 0, 0
    for i in range(14 if THOROUGH else 5):
        for p in glob.glob(m.path("hmirror.db*")):
            os.unlink(p)
        shutil.copy(m.path("whole.db"), m.path("hmirror.db"))
        p = subprocess.Popen([HMIRROR, "-q", "redact", "m1", *REASON], cwd=m.dir, env=m.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(i and rnd.random() * takes * 1.1)      # the first has written nothing yet
        p.send_signal(signal.SIGKILL)
        p.wait()
        m.run("health")   # rolls back what was left
        verify_journal(m)
        content, = m.sql("SELECT content FROM memories")[0]
        members = m.sql("SELECT value_detected FROM conflict_members WHERE member_id = 'm1'")
        lines = m.sql("SELECT count(*) FROM journal WHERE instr(after, 'wörd') OR instr(before, 'wörd')")[0][0]
        if SECRET in content:
            assert members == [(SECRET,)] and lines > 0 and m.sql("SELECT count(*) FROM journal WHERE verb = 'redact'") == [(0,)]
            nothing += 1
        else:
            assert members == [("[redacted " + content[10:],)] and lines == 0
            all_of_it += 1
    assert nothing, (nothing, all_of_it)


# --- the mirror ------------------------------------------------------------------

def plain(path, data):
    """What a reader sees of a file, whatever it is written in."""
    text = data.decode("utf-8", "replace")
    if path.endswith(".html"):
        return html.unescape(text)
    if path.endswith(".json"):
        return text + "\n".join(str(x) for x in strings(json.loads(text)))
    return html.unescape(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text.replace("`@`", "@")))


def strings(v):
    if isinstance(v, str):
        yield v
    for x in v.values() if isinstance(v, dict) else v if isinstance(v, list) else ():
        yield from strings(x)


def holding(m, rev, text):
    out = set()
    for path in m.git("ls-tree", "-r", "--name-only", "-z", rev).split("\0")[:-1]:
        data = subprocess.run(["git", "-C", m.path("mirror.git"), "cat-file", "blob", f"{rev}:{path}"], capture_output=True, check=True).stdout
        if text in plain(path, data):
            out.add(path)
    return out


def test_commits_are_listed(m):
    clean = m.facts(project("p05"), state("door code", "1234", id="s0", **OLD)) and m.run("--format", "json", "publish").json()["commit"]
    m.facts(memory(f"door code is {SECRET}", slot_rule="door code", id="m1", **OLD), entity("Component", {"component_name": "door", "note": "x"}, "door", id="e1"))
    first = m.run("--format", "json", "publish").json()["commit"]
    m.facts(state("other", "2", id="s9", **OLD))
    second = m.run("--format", "json", "publish").json()["commit"]
    want = holding(m, first, SECRET) | holding(m, second, SECRET)
    assert {"conflicts.json", "projects/p05/memories/2026.md", "projects/p05/memories/2026.html"} <= want
    text = redact(m, "m1", "--dry-run").out
    assert "2 of 3 commits hold it" in text and "newest " + second[:12] in text and "oldest " + first[:12] in text and ", the tip" in text
    for command in ("git -C mirror.git update-ref -d refs/heads/mirror", "hmirror publish", "gc --prune=now", "push --force", "filter-repo"):
        assert command in text, text
    j = redact(m, "m1", "--format", "json").json()["mirror"]
    assert j["commits"] == 3 and [h["commit"] for h in j["holding"]] == [second, first] and j["tip"] is True
    assert set(j["paths"]) == want, set(j["paths"]) ^ want
    tip = m.run("--format", "json", "publish").json()["commit"]
    assert holding(m, "mirror", SECRET) == set()
    assert "[redacted " in m.git("show", "mirror:projects/p05/memories/2026.md")
    assert clean and tip != second
    # Begun anew, as it was told, the branch holds it no more.
    subprocess.run("git -C mirror.git update-ref -d refs/heads/mirror", shell=True, cwd=m.dir, check=True)
    m.run("publish")
    subprocess.run("git -C mirror.git reflog expire --expire=now --all; git -C mirror.git gc -q --prune=now", shell=True, cwd=m.dir, check=True, capture_output=True)
    objects = m.git("cat-file", "--batch-all-objects", "--batch-check=%(objecttype) %(objectname)").split("\n")
    assert not any(second in x or first in x for x in objects)
    m.facts(memory(f"door code is {SECRET}", slot_rule="door code", id="m2"))   # m1 stays as it is, whatever its source says
    j = redact(m, "m2", "--format", "json").json()["mirror"]
    assert j["holding"] == [] and j["tip"] is False and j["commits"] == 1


def test_without_a_mirror(m):
    m.facts(state("code", SECRET, id="s1"), state("code", SECRET + "2", id="s2"), state("code", SECRET + "3", id="s3"))
    r = redact(m, "s1", "--format", "json")
    assert r.json()["mirror"] is None and "was not searched" in r.err
    m.run("publish")
    r = redact(m, "s2", "--branch", "other")
    assert "there is no branch other" in r.err
    subprocess.run(["git", "init", "-q", "x"], cwd=m.dir, check=True)
    redact(m, "s3", "--repo", "x", "-q")


def test_long_values_and_hidden_characters(m):
    secret = "\u202eBEGIN\tKEY\n" + "".join(f"line {i} of <the> key\n" for i in range(400))
    m.facts(project("p05"), state("key", secret, id="s1", **OLD), state("key", "none", id="s2", **OLD))
    m.run("publish")
    j = silent(m.run("redact", "s1", *REASON, "--format", "json"), secret).json()["mirror"]
    assert len(j["holding"]) == 1 and "conflicts.json" in j["paths"] and any(p.startswith("data/") for p in j["paths"])
    assert "projects/p05/state.md" in j["paths"] and "projects/p05/state.html" in j["paths"]
    for i in (0, 200, 399):
        gone(m, f"line {i} of <the> key")


def test_texts_that_begin_alike(m):
    alike = "The password of the machine in the second hall, by the door to the yard, where Kim works, is "
    m.facts(project("p05"), memory(alike + "Hunter2", "episodic", id="m1", **OLD), memory(alike + "not known to us", "episodic", id="m2", **OLD))
    a = m.run("--format", "json", "publish").json()["commit"]
    m.facts(memory(alike + "nothing any more", "episodic", id="m1"))
    m.run("publish")
    j = m.run("redact", "m1", "--earlier", *REASON, "--format", "json").json()
    assert j["others"] == [] and j["remains"] is False
    # Where a page cuts the text, what is left is both's: those are listed, too.
    whole = {p for p in j["mirror"]["paths"] if p.startswith("projects/p05/memories/2026")}
    assert whole == {"projects/p05/memories/2026.md", "projects/p05/memories/2026.html"}
    assert a in [h["commit"] for h in j["mirror"]["holding"]]


if __name__ == "__main__":
    main(globals())
