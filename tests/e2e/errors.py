#!/usr/bin/env python3
"""Trouble: one clear line, exit 2, nothing half-written, and the next run works."""
import gzip
import random
import signal
import zipfile
from harness import *


def done(*command):
    """Whether a tool that not every system has, or lets us use, did its work."""
    return shutil.which(command[0]) is not None and subprocess.run(command, capture_output=True).returncode == 0


def some(m):
    m.facts(project("p05-interferometer", "p05"), decision("A", id="e1"), decision("B", id="e2"), state("x", "1"), memory("y is 2"))


def test_no_store(m):
    m.fails("build", has=("hmirror.db", "-C DIR", "hmirror i"))
    assert not os.path.exists(m.path("hmirror.db")) and not os.path.exists(m.path("site"))


def test_an_address_as_store(m):
    """It is no file, and its password is in no message; by option, in the config, for another program's store."""
    for i, address in enumerate(("postgres://app:hunter2zulu@db.example.org/facts", "mysql://app:hunter2zulu@db:3306/x", "libsql://db/x?authToken=hunter2zulu",
                                 "https://u:p/hunter2zulu#@db.example.org/x", "host=db user=app password=hunter2zulu dbname=x", "sqlite:///tmp/x.db")):
        for words in (("health",), ("init",), ("sweep", "-v"), ("serve", "--port", "0"), ("mcp",), ("--format", "json", "check"), ("publish",), ("import", "/dev/null")):
            said = m.fails("--store", address, *words, has=("is an address", "path of an SQLite file"))
            assert "hunter2zulu" not in said and (i == 5 or "app:" not in said), said
        assert "hunter2zulu" not in m.fails("init", "--from", address, "other")
        m.write("mirror.yml", json.dumps({"store": address}))
        assert "hunter2zulu" not in m.fails("health", has="is an address")
        os.remove(m.path("mirror.yml"))
    assert os.listdir(m.dir) == [], os.listdir(m.dir)


def test_not_a_database(m):
    m.write("hmirror.db", "this is not a database, but long enough to have a header of its own " * 20)
    before = m.tree()
    for verb in ("build", "sweep", "publish", "export", "health"):
        m.fails(verb, has="hmirror.db")
    assert m.tree() == before


def test_empty_file(m):
    m.write("hmirror.db", "")
    m.fails("build", has="hmirror.db")
    assert m.read("hmirror.db") == b""


def test_foreign_database(m):
    db = sqlite3.connect(m.path("hmirror.db"))
    db.execute("CREATE TABLE notes(id INTEGER PRIMARY KEY, text)")
    db.commit()
    db.close()
    before = m.tree()
    for verb in (["build"], ["sweep"], ["import", "-"]):
        m.fails(*verb, has="hmirror.db")
    assert m.tree() == before


def test_a_line_without_an_end(m):
    m.run("init")
    m.fails("import", "/dev/zero", has=("/dev/zero:1", "longer than", "split the record"))


def test_other_formats_are_named(m):
    """A file that is no JSON Lines is named for what it is, with a way that works."""
    m.run("init", "--store", "s.db")
    before = m.run("--store", "s.db", "export").out
    record = memory("the frame is steel")
    text = json.dumps(record)
    m.write("facts.jsonl", text + "\n")
    m.write("facts.utf16", text.encode("utf-16"))
    m.write("facts.gz", gzip.compress(text.encode()))
    with zipfile.ZipFile(m.path("facts.zip"), "w") as z:
        z.write(m.path("facts.jsonl"), "facts.jsonl")
    m.write("one.json", json.dumps(record, indent=2))
    m.write("facts.csv", "id,content\nm1,a is b\n")
    m.write("facts.yml", "- kind: memory\n  id: m1\n")
    for file, what in {"facts.utf16": ["UTF-16", "iconv"], "facts.gz": ["compressed (gzip)", "gunzip -c FILE"], "s.db": ["a SQLite file", "export"],
                       "facts.zip": ["a zip archive", "unzip -p FILE"],
                       "one.json": ["JSON over several lines", "jq -c . FILE"], "facts.csv": ["is CSV", "--csv LAYER"],
                       "facts.yml": ["is YAML", "init --from FILE"], HMIRROR: ["a program (ELF)"]}.items():
        line = m.fails("--store", "s.db", "import", file, has=[file, *(w.replace("FILE", file) for w in what)])
        m.fails("--store", "s.db", "import", "-", has=what, stdin=open(m.path(file), "rb").read())
        command = re.search(r".* ((iconv|gunzip|unzip|jq) .*) \| hmirror", line)
        if command and shutil.which(command[2]):
            out = subprocess.run(command[1].replace("FILE", file), shell=True, cwd=m.dir, capture_output=True, check=True)
            r = m.run("--store", f"{file}.new", "import", "-", "--source", "x", stdin=out.stdout)
            assert "1 added" in r.out, r.out
    assert m.run("--store", "s.db", "export").out == before
    # With --keep-going the first line alone is bad, and a file of records is never named for another.
    m.write("some.jsonl", "id,content\n" + text + "\n")
    r = m.run("--store", "s.db", "import", "--keep-going", "some.jsonl", code=1)
    assert "1 added" in r.out and "is CSV" in r.err, r.err


def test_newer_version(m):
    some(m)
    m.sql("PRAGMA user_version = 999")
    before = m.tree()
    m.fails("build", has=("hmirror.db", "999"))
    assert m.tree() == before


def test_truncated(m):
    m.facts(*[memory(f"x{i} is " + "v" * 500) for i in range(500)])
    data = m.read("hmirror.db")
    for size in (50, 100, 4096, len(data) // 2, len(data) - 1):
        m.write("hmirror.db", data[:size])
        m.fails("build", has="hmirror.db")
        assert m.read("hmirror.db") == data[:size]


def test_damaged(m):
    m.facts(*[memory(f"x{i} is " + "v" * 500) for i in range(500)])
    data = m.read("hmirror.db")
    rnd = random.Random(1)
    for _ in range(15):
        bad = bytearray(data)
        for _ in range(40):
            bad[rnd.randrange(100, len(bad))] = rnd.randrange(256)
        m.write("hmirror.db", bytes(bad))
        r = m.run("build", code=None)
        assert r.code in (0, 2), r.code
        if r.code == 2:
            assert len(r.err.splitlines()) == 1, r.err


def test_folder_and_fifo_as_store(m):
    os.mkdir(m.path("hmirror.db"))
    m.fails("build", has="hmirror.db")
    os.rmdir(m.path("hmirror.db"))
    os.mkfifo(m.path("hmirror.db"))
    m.fails("build", has="hmirror.db")


def test_locked_store(m):
    some(m)
    db = sqlite3.connect(m.path("hmirror.db"), isolation_level=None)
    db.execute("BEGIN EXCLUSIVE")
    m.fails("build", has="hmirror.db")
    db.execute("ROLLBACK")
    db.close()
    m.run("build")


def test_unknown_config_key(m):
    some(m)
    m.write("mirror.yml", "title: x\npublish:\n  repoo: y\n")
    m.fails("build", has=("mirror.yml:3", "repoo"))
    m.write("mirror.yml", "titel: x\n")
    m.fails("build", has=("mirror.yml:1", "titel"))
    m.write("mirror.yml", "title: [a\n")
    m.fails("build", has="mirror.yml:")
    m.write("mirror.yml", "list_limit: many\n")
    m.fails("build", has=("mirror.yml:1", "list_limit"))
    assert not os.path.exists(m.path("site"))


def test_what_to_do_is_said(m):
    """Common slips of mirror.yml and of the first facts: the message says what to write."""
    some(m)
    m.run("sweep")
    before = m.tree()
    for config, *has in (
        ("\ttitle: a\n", "mirror.yml:1:", "indent with spaces"),
        ("publish:\n\tpages: both\n", "mirror.yml:2:", "indent with spaces"),
        ('title: "a\n', "mirror.yml:2:", "check its quotes, brackets and indentation"),
        ("extra_css: [house.css]\n", "mirror.yml: extra_css: house.css: ", "check the path"),
        ("logo: a.png\n", "mirror.yml: logo: a.png: ", "check the path"),
        ("extra_head: a.html\n", "mirror.yml: extra_head: a.html: ", "check the path"),
        ('publish:\n  author: {name: "", email: x@y}\n', "publish.author.name", "write a name"),
    ):
        m.write("mirror.yml", config)
        m.fails("build", has=has)
    os.unlink(m.path("mirror.yml"))
    for command, *has in (
        (["add", "memory"], "memory_type: missing", "give --type"),
        (["add", "memory", "-t", "knowledge"], "content: missing", "--content"),
        (["add", "entity", "-t", "Component"], "name: missing", "--name"),
        (["add", "entity", "Leg"], "entity_type: missing", "--type"),
        (["add", "state", "mass", "-p", "p05"], "value: missing", "KEY VALUE"),
        (["add", "relation", "e1", "PART_OF"], "to: missing", "FROM TYPE TO"),
        (["findings", "ack", "f123"], "findings ack: --reason", '--reason "..."'),
        (["init", "--from", "nope.db", "other"], "--from", "nope.db", "the other program's file"),
    ):
        m.fails(*command, has=has)
    assert set(m.tree()) == set(before) - {"mirror.yml"}


def test_init_beside_a_gitattributes(m):
    """Its line is asked for only where it is not there."""
    line = "verdicts.jsonl merge=union"
    assert line not in m.run("init").out and line in m.text(".gitattributes")
    os.unlink(m.path("mirror.yml"))
    assert line not in m.run("init").out
    os.unlink(m.path("mirror.yml"))
    m.write(".gitattributes", "*.png binary\n")
    assert f"echo '{line}' >>" in m.run("init").out and m.text(".gitattributes") == "*.png binary\n"


def test_import_names_the_line(m):
    m.run("init")
    good = json.dumps(memory("a is b"))
    cases = [
        ("{", "bad.jsonl:2"), ("[]", "bad.jsonl:2"), ('{"kind":"memory"}', "memory_type"), ('{"kind":"thing"}', "kind"),
        (json.dumps({**memory("x"), "colour": 1}), "colour"), (json.dumps({**memory("x"), "valid_from": "soon"}), "valid_from"),
        (json.dumps({**memory("x"), "confidence": "high"}), "confidence"), (json.dumps({**memory("x"), "status": "maybe"}), "status"),
        ('{"kind":"memory","id":"a","id":"b","memory_type":"x","content":"y"}', "bad.jsonl:2"),
        (json.dumps({**entity("X", {}), "properties": [1]}), "properties"), ('{"kind":"memory","memory_type":"x","content":"\\ud800"}', "bad.jsonl:2"),
    ]
    for line, has in cases:
        m.write("bad.jsonl", good + "\n" + line + "\n")
        m.fails("import", "bad.jsonl", has=("bad.jsonl:2", has))
        assert m.sql("SELECT count(*) FROM memories") == [(0,)], line
    m.write("bad.jsonl", "".join(c[0] + "\n" for c in cases) + good + "\n")
    r = m.run("import", "--keep-going", "bad.jsonl", code=None)
    assert r.code == 1 or r.code == 2, r.code
    assert m.sql("SELECT count(*) FROM memories") == [(1,)]
    for i in range(1, len(cases) + 1):
        assert f"bad.jsonl:{i}:" in r.err + r.out, i


def test_same_id_twice(m):
    m.run("init")
    m.write("f.jsonl", json.dumps(memory("a", id="m1")) + "\n" + json.dumps(memory("b", id="m1")) + "\n")
    m.fails("import", "f.jsonl", has=("f.jsonl:2: id", "m1"))
    m.write("f.jsonl", (json.dumps(memory("a", id="m1")) + "\n") * 2)
    m.run("import", "f.jsonl")


def test_import_from_nowhere(m):
    m.run("init")
    m.fails("import", "absent.jsonl", has="absent.jsonl")
    m.fails("import", ".", has=".")
    m.run("import", "-", stdin=(json.dumps(memory("a is b")) + "\n").encode())


def test_output_is_somebody_elses(m):
    some(m)
    m.write("site/precious.txt", "mine")
    m.fails("build", has="site")
    assert m.tree("site") == {"precious.txt": hashlib.sha256(b"mine").hexdigest()}
    m.write("file", "x")
    m.fails("build", "-d", "file", has="file")


def test_own_files_in_our_output_survive(m):
    some(m)
    m.run("build")
    m.write("site/CNAME", "example.org")
    m.write("site/extra/note.txt", "n")
    m.facts(state("x", "2", id="s99"))
    m.run("build")
    assert m.read("site", "CNAME") == b"example.org" and m.read("site", "extra", "note.txt") == b"n"


def test_output_cannot_be_written(m):
    if os.geteuid() == 0:
        os.makedirs(m.path("ro"))
        if not done("chattr", "+i", m.path("ro")):
            raise Skip("root may write everywhere here")
        try:
            some(m)
            m.fails("build", "-d", "ro/site", has="ro")
            m.fails("publish", "--repo", "ro/mirror.git", has="ro")
        finally:
            subprocess.run(["chattr", "-i", m.path("ro")])
    else:
        some(m)
        os.makedirs(m.path("ro"), 0o555)
        m.fails("build", "-d", "ro/site", has="ro")
        m.fails("publish", "--repo", "ro/mirror.git", has="ro")


def test_a_page_that_cannot_be_made(m):
    """Its Markdown was written before its HTML failed, and the message is about the HTML."""
    some(m)
    m.write("templates/root.md.mustache", ">" * 1000 + "\n")
    for threads in ("1", "4"):
        said = m.fails("build", "-j", threads, has=("README.md", "nested too deeply"))
        assert not os.path.exists(m.path("site")), said


def test_store_that_cannot_be_written(m):
    """The file, its folder, or both: a site is made without recording, and one line says so. A sweep has nothing else to do."""
    os.mkdir(m.path("facts"))
    m.write("mirror.yml", "store: facts/hmirror.db\n")
    m.facts(project("p05"), state("x", "1"), parameter("2", name="x"))
    m.run("build", "--no-sweep", "-d", "want")
    user, before = m.another_user(), m.read("facts", "hmirror.db")
    for file, folder in ((0o444, 0o755), (0o644, 0o555), (0o444, 0o555)):
        os.chmod(m.path("facts", "hmirror.db"), file)
        os.chmod(m.path("facts"), folder)
        for args in (["build"], ["publish"]):
            r = m.run(*args, preexec=user)
            assert r.err.splitlines() == ["hmirror: facts/hmirror.db: it, or its folder, cannot be written: new disputes are shown, not recorded"], r.err
            assert m.run(*args, "--no-sweep", preexec=user).err == ""
        assert m.tree("site") == m.tree("want") and "1 dispute" in m.run("build", preexec=user).out
        m.fails("sweep", preexec=user, has=("facts/hmirror.db", "cannot be written"))
    assert m.read("facts", "hmirror.db") == before
    os.chmod(m.path("facts"), 0o755)
    os.chmod(m.path("facts", "hmirror.db"), 0o644)
    assert m.run("build", preexec=user).err == ""
    assert m.run("--format", "json", "conflicts", "list", preexec=user).json()["count"] == 1


def published_and_changed(m):
    some(m)
    m.git("init", "-q", "--bare", "there.git", repo=".")
    m.run("publish", "--push", "there.git")
    m.facts(state("x", "9"))
    m.run("sweep")


def tips(m):
    own = ["-c", "safe.directory=*"]
    return [subprocess.run(["git", *own, "-C", m.path(r), "rev-parse", "mirror"], check=True, capture_output=True).stdout for r in ("mirror.git", "there.git")]


def test_read_only_repository(m):
    """One line, with the folder that could not be written; the branches as they were; and on it goes once it may be written."""
    published_and_changed(m)
    user, before = m.another_user(), tips(m)
    for folder in ("mirror.git/objects/pack", "mirror.git/refs/heads", "mirror.git"):
        os.chmod(m.path(folder), 0o555)
        m.fails("publish", has=("mirror.git", "ermission"), preexec=user)
        os.chmod(m.path(folder), 0o755)
        assert tips(m) == before, folder
    m.run("publish", preexec=user)
    assert tips(m)[0] != before[0]
    # libgit2 loses its packer when it cannot make the pack there
    m.env["ASAN_OPTIONS"] = m.env.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
    for folder in ("there.git/objects/pack", "there.git/refs/heads", "there.git"):
        os.chmod(m.path(folder), 0o555)
        m.fails("publish", "--push", "there.git", has=("there.git", "ermission"), preexec=user)
        os.chmod(m.path(folder), 0o755)
        assert tips(m)[1] == before[1], folder
    m.run("publish", "--push", "there.git", preexec=user)
    assert tips(m)[0] == tips(m)[1]
    left = [p for r in ("mirror.git", "there.git") for p in m.tree(r) if p.endswith((".lock", ".new")) or "tmp_" in p or "pack_git2" in p or "incoming" in p]
    assert not left, left


def test_read_only_file_system(m):
    published_and_changed(m)
    before = tips(m)
    if not done("mount", "--bind", m.path("mirror.git"), m.path("mirror.git")):
        raise Skip("may not mount")
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", m.path("mirror.git")], check=True)
        m.fails("publish", has=("mirror.git", "Read-only file system"))
        m.run("log")
    finally:
        subprocess.run(["umount", m.path("mirror.git")])
    assert tips(m) == before
    m.run("publish")


def test_repository_of_somebody_else(m):
    if os.geteuid() != 0:
        raise Skip("only root can give a repository away")
    published_and_changed(m)
    before = tips(m)
    subprocess.run(["chown", "-R", "65534:65534", m.path("there.git")], check=True)
    m.fails("publish", "--push", "there.git", has=("there.git", "another user", "chown"))
    assert tips(m)[1] == before[1]
    subprocess.run(["chown", "-R", "65534:65534", m.path("mirror.git")], check=True)
    m.fails("publish", has=("mirror.git", "another user", "chown"))
    subprocess.run(["chown", "-R", "0:0", m.path("mirror.git"), m.path("there.git")], check=True)
    m.run("publish", "--push", "there.git")


def test_full_disk(m):
    """A file system of 2 MB, as far as this test may mount one."""
    os.makedirs(m.path("small"))
    if not done("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", m.path("small")):
        raise Skip("may not mount a small file system")
    try:
        rnd = random.Random(5)
        m.facts(*[memory(f"x{i} is " + "%0700x" % rnd.getrandbits(2800), project=f"p{i % 50}") for i in range(3000)])
        m.fails("build", "-d", "small/site", has=("small", "No space left"))
        assert not [x for x in os.listdir(m.path("small")) if not x.endswith("-lock")], os.listdir(m.path("small"))
        m.fails("publish", "--repo", "small/mirror.git", has="small")
        assert m.run("export", code=0)
        shutil.copy(m.path("hmirror.db"), m.path("keep.db"))
        with open(m.path("small", "fill"), "wb") as f:
            f.write(b"x" * 1900000)
        m.fails("--store", "small/s.db", "import", m.write("f.jsonl", "".join(json.dumps(memory("v" * 3000)) + "\n" for _ in range(200))), has="s.db")
    finally:
        subprocess.run(["umount", m.path("small")])
    m.run("build")


def test_standard_output_full(m):
    some(m)
    with open("/dev/full", "wb") as full:
        p = subprocess.run([HMIRROR, "export"], stdout=full, stderr=subprocess.PIPE, cwd=m.dir, env=m.env)
    assert p.returncode == 2 and p.stderr.startswith(b"hmirror: ") and p.stderr.count(b"\n") == 1, p.stderr


def test_checked_out_branch(m):
    some(m)
    env = {**m.env, "GIT_CONFIG_GLOBAL": "/dev/null"}
    subprocess.run(["git", "init", "-q", "-b", "mirror", m.path("work")], check=True, env=env)
    subprocess.run(["git", "-C", m.path("work"), "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x"], check=True, env=env)
    m.fails("publish", "--repo", "work", has="mirror")
    m.run("publish", "--repo", "work", "--branch", "other")


def test_bad_branch_and_repo(m):
    some(m)
    m.fails("publish", "--branch", "a..b", has="a..b")
    m.fails("publish", "--branch=-x", has="-x")
    m.write("notrepo", "x")
    m.fails("publish", "--repo", "notrepo", has="notrepo")
    m.write("dir/file", "x")
    m.fails("publish", "--repo", "dir", has="dir")
    assert os.listdir(m.path("dir")) == ["file"]


def kill_loop(m, args, rounds, check):
    """Kills the command after growing delays; afterwards the outcome is the old or the new one, and the next run works."""
    start = time.monotonic()
    m.run(*args)
    whole = time.monotonic() - start
    rnd = random.Random(7)
    for i in range(rounds):
        m.facts(state("k", str(i), id="kill"))
        p = subprocess.Popen([HMIRROR, *args], cwd=m.dir, env=m.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(rnd.random() * whole * 1.1)
        p.send_signal(signal.SIGKILL)
        p.wait()
        check()
        if i % 5 == 4:
            m.run(*args)
            check()
    m.run(*args)


def test_kill_publish(m):
    m.facts(*[memory(f"x{i} is y", project=f"p{i % 40}") for i in range(400)])

    def check():
        m.git("fsck", "--strict")
        m.git("log", "-1", "mirror")
    kill_loop(m, ["publish"], 30 if THOROUGH else 8, check)


def test_kill_build(m):
    m.facts(*[memory(f"x{i} is y", project=f"p{i % 40}") for i in range(400)])

    def check():
        manifest = json.loads(m.text("site", "manifest.json"))
        tree = m.tree("site")
        for f in manifest["files"]:
            assert tree.get(f["path"]) == f["sha256"], f["path"]
        assert len(tree) == len(manifest["files"]) + 1
    kill_loop(m, ["build"], 30 if THOROUGH else 8, check)
    left = [x for x in os.listdir(m.dir) if ".hmirror-" in x and not x.endswith("-lock")]
    assert not left, left


def test_kill_import(m):
    m.run("init")
    m.write("f.jsonl", "".join(json.dumps(memory(f"x{i} is y", id=f"m{i}")) + "\n" for i in range(20000)))
    rnd = random.Random(3)
    for _ in range(12 if THOROUGH else 4):
        p = subprocess.Popen([HMIRROR, "import", "f.jsonl"], cwd=m.dir, env=m.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(rnd.random() * .5)
        p.kill()
        p.wait()
        n = json.loads(m.run("--format", "json", "health").out)
        got = m.sql("SELECT count(*) FROM memories")[0][0]
        assert got in (0, 20000), (got, n)
    m.run("import", "f.jsonl")


if __name__ == "__main__":
    main(globals())
