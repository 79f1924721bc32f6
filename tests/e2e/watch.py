"""publish --watch: what it publishes is what a publication that begins with nothing publishes, whoever changed what; and it comes to rest."""
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time

from harness import HANGS, HMIRROR, THOROUGH, TOP, Mirror, decision, entity, main, memory, parameter, project, state, wait_until



class Watch:
    """hmirror publish --watch, as it runs."""

    def __init__(self, m, *args, push=(), reader=None):
        """reader: which end of a pipe to read from, when its standard output is one; who writes to a closed one gets an error."""
        self.m = m
        self.out, self.err = open(m.path("watch.out"), "w+"), open(m.path("watch.err"), "w+")
        self.p = subprocess.Popen([*os.environ.get("HM_WRAP", "").split(), HMIRROR, *args, "publish", "--watch", *push], cwd=m.dir, env=m.env,
                                  stdout=self.out if reader is None else reader, stderr=self.err, restore_signals=reader is None)

    def said(self):
        return self.m.text("watch.out")

    def complained(self):
        return [x for x in self.m.text("watch.err").splitlines() if x.startswith("hmirror: ")]

    def end(self, by=signal.SIGTERM, code=0):
        self.p.send_signal(by)
        assert self.p.wait(HANGS) == code, self.m.text("watch.err")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.p.poll() is None:
            self.p.kill()
            self.p.wait()
        self.out.close()
        self.err.close()


def tree(m, repo="mirror.git"):
    p = subprocess.run(["git", "-C", m.path(repo), "rev-parse", "-q", "--verify", "mirror^{tree}"], capture_output=True, text=True,
                       env={**m.env, "GIT_CONFIG_GLOBAL": "/dev/null"})
    return p.stdout.strip()


def wanted(m, *args):
    """The tree of a publication that knows nothing but the tip. As from afar: a copy of files would meet packs that are gathered."""
    shutil.rmtree(m.path("anew.git"), ignore_errors=True)
    if os.path.exists(m.path("mirror.git/refs/heads/mirror")):
        subprocess.run(["git", "clone", "-q", "--bare", "--no-local", "--branch", "mirror", m.path("mirror.git"), m.path("anew.git")], check=True, env=m.env)
    m.run("-q", "publish", "--full", "--repo", "anew.git", *args)
    return tree(m, "anew.git")


def commits(m):
    return len(m.git("rev-list", "mirror").split()) if os.path.exists(m.path("mirror.git/refs/heads/mirror")) else 0


def follows(m, w, what, *args):
    before, want = commits(m), wanted(m, *args)

    def followed():
        nonlocal before, want
        if tree(m) == want or w.p.poll() is not None:
            return True
        if commits(m) > before + 1:     # it published the changes one by one, so the lists of changes have them in two steps
            before, want = commits(m), wanted(m, *args)
        return False
    wait_until(followed, f"{what}: {tree(m)} is not {want}")
    assert w.p.poll() is None, m.text("watch.err")


def comes_to_rest(m):
    def rests():
        before = m.read("hmirror.db")
        time.sleep(0.6)
        return m.read("hmirror.db") == before
    wait_until(rests, "rest")


FACTS = [project("p05", "interferometer"), project("p06"), decision("PEEK", id="e1"), state("lateral_support_material", "GF-PTFE", id="s1"),
         memory("lens mass is 5 kg", id="m1"), parameter("7 V", "bias", id="e2"), state("bias", "7 V", id="s2", project="p06"),
         {"kind": "relation", "id": "r1", "type": "PART_OF", "project": "p05", "from": "e1", "to": "e2"}]


def test_a_secret_is_told_once(m):
    m.facts(*FACTS, state("db_password", "Tr0ub4dor&3", id="s9"))
    with Watch(m) as w:
        follows(m, w, "first")
        for i in range(3):
            m.facts(memory(f"lens mass is {i} g", id=f"x{i}"), name="more.jsonl")
            follows(m, w, i)
        assert sum("live secret" in x for x in w.complained()) == 1, w.complained()
        m.facts(memory("wifi password: Sommer2024", id="x9"), name="more.jsonl")
        follows(m, w, "another")
        assert sum("project_state:s9: value: looks like a live secret" in x for x in w.complained()) == 2, w.complained()
        w.end()


def test_mistyped_templates_are_told_once(m):
    m.facts(*FACTS)
    m.write("templates/overveiw.md.mustache", "x\n")
    m.write("templates/partials/mine.md.mustache", "x\n")
    told = lambda w: [x for x in w.complained() if "no page has this template" in x]  # noqa: E731
    with Watch(m) as w:
        follows(m, w, "at the beginning")
        assert len(told(w)) == 2, w.complained()
        for i in range(3):
            m.facts(memory(f"lens mass is {i} g", id=f"x{i}"), name="more.jsonl")
            follows(m, w, i)
        assert len(told(w)) == 2, w.complained()
        m.write("templates/confict.md.mustache", "x\n")
        follows(m, w, "one more")
        assert sum("did you mean conflict.md.mustache?" in x for x in w.complained()) == 1, w.complained()
        w.end()


def test_what_changes_is_published(m):
    m.facts(*FACTS)
    m.write("mirror.yml", "title: First\n")
    with Watch(m) as w:
        follows(m, w, "at the beginning")
        m.facts(state("lateral_support_material", "steel", id="s1"))
        follows(m, w, "a fact")
        m.run("add", "project_state", "--project", "p06", "--category", "fact", "--key", "new", "--value", "1")
        follows(m, w, "a row that is new")
        m.sql("UPDATE memories SET content = 'lens mass is 6 kg' WHERE id = 'm1'")
        follows(m, w, "another program's change")
        m.sql("DELETE FROM relations WHERE id = 'r1'")
        follows(m, w, "a row that goes")
        c = m.conflicts()[0]
        m.run("conflicts", "dismiss", c["id"], "--reason", "two lots")
        follows(m, w, "a verdict")
        m.write("templates/partials/footer.md.mustache", "Another foot\n")
        follows(m, w, "a template")
        m.write("mirror.yml", "title: Second\ntemplates: templates\n")
        follows(m, w, "the config")
        m.write("mirror.yml", "title: Second\nrules:\n  tolerance:\n    - {slot: bias, value: 10 V}\n")
        follows(m, w, "the rules")
        m.write("rules/mine.sql", "-- id: mine\n-- description: It is wrong.\n-- reads: memories\n\nSELECT ref AS row FROM memories\n")
        follows(m, w, "a rule in SQL")
        m.write("world.yml", "worlds:\n  - {world: p05, parent_age: 30}\nrelations:\n  - {kind: MINE, at_once: 2}\n")
        follows(m, w, "the world")
        m.write("static/CNAME", "example.org")
        follows(m, w, "a static file")
        assert w.complained() == [], w.complained()
        w.end()
    m.git("fsck", "--strict")


def random_change(m, r):
    p = r.choice(["p05", "p06", "interferometer"])
    facts = [lambda: state(f"key {r.randrange(4)}", f"{r.randrange(3)} kg", id=f"s{r.randrange(12)}", project=p),
             lambda: memory(f"key {r.randrange(4)} is {r.randrange(3)} kg", id=f"m{r.randrange(12)}", project=p),
             lambda: parameter(f"{r.randrange(3)} kg", f"key {r.randrange(4)}", id=f"e{r.randrange(12)}", project=p),
             lambda: entity("Component", {"subsystem": f"e{r.randrange(12)}"}, f"part {r.randrange(3)}", id=f"e{r.randrange(12)}", project=p),
             lambda: {"kind": "relation", "id": f"r{r.randrange(4)}", "type": "PART_OF", "project": p, "from": f"e{r.randrange(12)}", "to": f"e{r.randrange(12)}"},
             lambda: {"kind": "link", "src": f"entity:e{r.randrange(12)}", "dst": f"memory:m{r.randrange(12)}"},
             lambda: project(f"p{r.randrange(5, 9):02}", name=f"N{r.randrange(3)}")]
    what = r.randrange(20)
    if what < 13:
        m.write("change.jsonl", "".join(json.dumps(x) + "\n" for x in {f["id"] if "id" in f else json.dumps(f): f for f in (r.choice(facts)() for _ in range(r.randrange(1, 4)))}.values()))
        m.run("import", "--keep-going", "change.jsonl", "--source", "facts.jsonl", code=None)
    elif what == 13:
        m.sql("UPDATE project_state SET value = ? WHERE id = ?", f"{r.randrange(3)} g", f"s{r.randrange(12)}")
    elif what == 14:
        m.sql("DELETE FROM memories WHERE id = ?", f"m{r.randrange(12)}")
    elif what == 15:
        m.sql("INSERT OR REPLACE INTO relations (id, type, project, from_id, to_id) VALUES (?, 'USES', 'p05', 'e1', 'e2')", f"r{r.randrange(6)}")
    elif what == 16:
        m.run("sweep")
    elif what < 19:
        open_ones = m.conflicts()
        if open_ones:
            m.run("conflicts", "dismiss", r.choice(open_ones)["id"], "--reason", "x")
    else:
        m.run("edit", f"project_state:s{r.randrange(12)}", "--value", f"{r.randrange(9)} m", code=None)


def test_any_changes(m):
    """Some are found while the one before is published, and some together."""
    r = random.Random(20261121)
    m.facts(*FACTS)
    with Watch(m) as w:
        for i in range(120 if THOROUGH else 10):
            for _ in range(r.randrange(1, 4)):
                random_change(m, r)
                time.sleep(r.choice([0, 0, 0.05, 0.2]))
            follows(m, w, f"change {i}")
        assert w.complained() == [], w.complained()
        w.end(signal.SIGINT)


def test_it_comes_to_rest(m):
    m.facts(*FACTS)
    with Watch(m) as w:
        follows(m, w, "at the beginning")
        for i in range(2):
            m.facts(state("bias", f"{i + 20} V", id="s2", project="p06"))
            wait_until(lambda: w.said().count("\n") >= i + 2 - (i == 0 and w.said().count("\n") > 1), "a publication")
            follows(m, w, "a fact")
        comes_to_rest(m)
        before = m.read("hmirror.db"), m.git("rev-parse", "mirror")
        time.sleep(1)
        assert (m.read("hmirror.db"), m.git("rev-parse", "mirror")) == before
        w.end()


def test_a_mistake_is_told_once_and_mended(m):
    m.facts(*FACTS)
    with Watch(m) as w:
        follows(m, w, "at the beginning")
        m.write("templates/overview.md.mustache", "{{#open}}")
        wait_until(w.complained, "a complaint")
        stood = tree(m)
        m.facts(state("bias", "9 V", id="s2", project="p06"))
        time.sleep(0.8)
        assert len(w.complained()) == 1 and "overview.md.mustache:1" in w.complained()[0], w.complained()
        assert tree(m) == stood
        shutil.rmtree(m.path("templates"))
        follows(m, w, "mended")
        m.write("templates/overview.md.mustache", "{{#open}}")
        wait_until(lambda: len(w.complained()) == 2, "a complaint once more")
        said = w.said()
        shutil.rmtree(m.path("templates"))
        wait_until(lambda: "nothing changed since" in w.said()[len(said):], "that all is well again")
        os.rename(m.path("hmirror.db"), m.path("away.db"))
        wait_until(lambda: len(w.complained()) == 3, "a store that is not there")
        assert "there is no such file" in w.complained()[2], w.complained()
        os.rename(m.path("away.db"), m.path("hmirror.db"))
        m.facts(state("bias", "10 V", id="s2", project="p06"))
        follows(m, w, "it is back")
        m.write("mirror.yml", "store: other.db\n")
        wait_until(lambda: len(w.complained()) == 4, "another store")
        assert "start `hmirror publish` again" in w.complained()[3], w.complained()
        w.end()


def test_the_first_publication_is_told_though_it_is_none(m):
    m.facts(*FACTS)
    m.run("publish")
    with Watch(m) as w:
        wait_until(w.said, "a line")
        time.sleep(0.6)
        w.end()
        assert w.said().count("\n") == 2 and "nothing changed since" in w.said() and "; compared " in w.said(), w.said()


def test_nobody_reads_what_it_says(m):
    """It goes on, says so once, and does not publish again and again to be heard."""
    m.facts(*FACTS)
    reader, writer = os.pipe()
    with Watch(m, "-v", reader=writer) as w:
        os.close(writer)
        assert os.read(reader, 10000).startswith(b"mirror.git, branch mirror: ")
        follows(m, w, "at the beginning")
        os.close(reader)
        for i in range(2):
            m.facts(state("bias", f"{i + 20} V", id="s2", project="p06"))
            follows(m, w, "a fact")
            wait_until(lambda: any("standard output" in x for x in w.complained()), "a complaint")
        time.sleep(1)    # what it wrote itself it looks at
        runs = sum("rows" in x for x in w.complained())
        time.sleep(3)
        assert sum("rows" in x for x in w.complained()) == runs, w.complained()
        assert sum("standard output" in x for x in w.complained()) == 1, w.complained()
        w.end()


def test_the_first_failure_ends_it(m):
    m.facts(*FACTS)
    m.write("templates/overview.md.mustache", "{{#open}}")
    m.fails("publish", "--watch", has="overview.md.mustache:1")
    assert not os.path.exists(m.path("mirror.git"))


def test_nothing_publishes_what_it_writes(m):
    """It would find something new each time, for ever."""
    m.facts(*FACTS)
    for key in ("static", "theme"):
        m.write("mirror.yml", f"{key}: .\nstore: hmirror.db\n")
        for verb in (["publish", "--watch"], ["publish"], ["build"]):
            m.fails(*verb, has=[f"mirror.yml: {key}: ", "which would be published, too"])
    os.mkdir(m.path("static"))
    os.rename(m.path("hmirror.db"), m.path("static", "hmirror.db"))
    m.write("mirror.yml", "store: static/hmirror.db\n")
    m.fails("publish", has=["mirror.yml: static: ", "the store, static/hmirror.db"])
    os.rename(m.path("static", "hmirror.db"), m.path("hmirror.db"))
    m.write("mirror.yml", "")
    m.fails("publish", "--repo", "static/mirror.git", has="the repository, static/mirror.git")
    m.fails("build", "-d", "static/site", has="the site, static/site")
    m.run("build", "-d", "static-site")


def test_it_pushes_and_says_so_in_json(m):
    m.facts(*FACTS)
    subprocess.run(["git", "init", "-q", "--bare", m.path("remote.git")], check=True, env=m.env)
    with Watch(m, "--format", "json", push=["--push", "remote.git"]) as w:
        follows(m, w, "at the beginning")
        m.facts(state("bias", "9 V", id="s2", project="p06"))
        follows(m, w, "a fact")
        wait_until(lambda: w.said().count("\n") >= 2 and tree(m, "remote.git") == tree(m), "the remote has it")
        for line in w.said().splitlines():
            said = json.loads(line)
            assert said["created"] and said["pushed"] and said["remote"] == "remote.git", said
        w.end()


def put_back(m, how, *args):
    """A copy of the store that another program wrote to takes its place again, and counts as many commits."""
    copy = lambda statement: subprocess.run(["sqlite3", m.path("copy.db"), statement], check=True)
    m.facts(*FACTS)
    with Watch(m, push=args) as w:
        follows(m, w, "at the beginning")
        comes_to_rest(m)
        shutil.copyfile(m.path("hmirror.db"), m.path("copy.db"))
        how(copy)
        follows(m, w, "a copy that is put back", "--no-sweep")
        assert w.complained() == [], w.complained()
        w.end()


def test_a_copy_is_restored(m):
    def how(copy):
        copy("UPDATE memories SET content = 'lens mass is 9 kg'")
        m.write("more.jsonl", json.dumps(state("one more", "1", id="s9")) + "\n")
        m.run("--store", "copy.db", "import", "more.jsonl")
        subprocess.run(["sqlite3", m.path("hmirror.db"), ".restore copy.db"], cwd=m.dir, check=True)
    put_back(m, how)


def swap_unswept(m, copy):
    m.sql("UPDATE memories SET content = 'lens mass is 8 kg'")
    wait_until(lambda: "8 kg" in m.git("show", "mirror:projects/p05/memories/undated.md"), "the change")
    comes_to_rest(m)
    copy("UPDATE memories SET content = 'lens mass is 9 kg'")


def test_a_copy_is_put_over_the_file(m):
    def how(copy):
        swap_unswept(m, copy)
        m.run("--store", "copy.db", "sweep")
        shutil.copyfile(m.path("copy.db"), m.path("hmirror.db"))
    put_back(m, how)


def test_a_copy_is_put_over_the_file_and_nothing_is_swept(m):
    def how(copy):
        swap_unswept(m, copy)
        shutil.copyfile(m.path("copy.db"), m.path("hmirror.db"))
    put_back(m, how, "--no-sweep")


def test_a_remote_that_comes_back(m):
    """Nothing else has to change for it to get what it missed, nor much time to pass."""
    m.facts(*FACTS)
    subprocess.run(["git", "init", "-q", "--bare", m.path("remote.git")], check=True, env=m.env)
    with Watch(m, push=["--push", "remote.git"]) as w:
        wait_until(lambda: tree(m, "remote.git"), "the first publication")
        comes_to_rest(m)
        os.rename(m.path("remote.git"), m.path("away.git"))
        m.facts(state("bias", "9 V", id="s2", project="p06"))
        wait_until(w.complained, "a complaint")
        os.rename(m.path("away.git"), m.path("remote.git"))
        want = wanted(m, "--no-sweep")
        wait_until(lambda: tree(m, "remote.git") == want, "the remote has it")
        assert len(w.complained()) == 1, w.complained()
        w.end()


def test_a_foreign_store(m):
    shutil.copy(os.path.join(TOP, "site-example/mirror.yml"), m.path("unused.yml"))
    m.write("mirror.yml", "store: theirs.db\nreview: review.db\n")
    theirs = lambda sql: subprocess.run(["sqlite3", m.path("theirs.db"), sql], check=True)
    theirs("PRAGMA journal_mode=WAL; CREATE TABLE project_state (id INTEGER PRIMARY KEY, project, category, key, value);"
           "INSERT INTO project_state VALUES (1,'p','c','k','1 kg')")
    with Watch(m) as w:
        follows(m, w, "at the beginning")
        for i in range(4):
            theirs(f"INSERT INTO project_state VALUES ({i + 2},'p','c','k','{i} kg')")
            follows(m, w, f"row {i}")
        w.end()
    assert "disputed" in m.git("show", "mirror:README.md")


def test_a_foreign_store_with_a_map(m):
    """Thousands of rows, read by a select, a table and a view, in WAL mode, while their program holds the store open and writes."""
    db = sqlite3.connect(m.path("theirs.db"), timeout=60)
    db.execute("PRAGMA journal_mode=WAL")
    db.executescript("CREATE TABLE facts(id TEXT PRIMARY KEY, body, scope, at); CREATE TABLE kv(k TEXT PRIMARY KEY, v, at); CREATE VIEW edges AS SELECT rowid AS id, 'USES' AS type, k AS a, v AS b FROM kv;")
    db.executemany("INSERT INTO facts VALUES(?, ?, ?, ?)", ((f"f{i}", f"the gauge {i} is {i % 97} bar", f"p{i % 50}", 1700000000 + i) for i in range(20000 if THOROUGH else 2000)))
    db.commit()
    m.write("mirror.yml", "store: theirs.db\nstore.map:\n  - layer: memories\n    select: SELECT id, 'knowledge' AS memory_type, body AS content, scope AS project, at AS created_at FROM facts\n"
            "  - {layer: project_state, table: kv, columns: [id = k, key = k, value = v, created_at = at]}\n  - {layer: relations, table: edges, columns: [from = a, to = b]}\n")
    with Watch(m) as w:
        follows(m, w, "at the beginning")
        for i in range(3):
            db.execute("INSERT OR REPLACE INTO kv VALUES('limit', ?, ?)", (f"{i} bar", 1700000000000 + i))
            db.commit()
            db.execute("INSERT INTO facts VALUES(?, ?, 'p1', 1700000000)", (f"more{i}", f"the more {i} is 3"))   # not committed yet: not seen, and in nobody's way
            follows(m, w, f"write {i}")
            db.commit()
            follows(m, w, f"the second of write {i}")
        w.end()
    db.close()


if __name__ == "__main__":
    main(globals())
