#!/usr/bin/env python3
"""Publications: commits, messages, hand edits, kept files, two publishers."""
import glob
import threading
import zlib
from harness import *


def some(m):
    m.facts(project("p05-interferometer", "p05", name="Interferometer"), decision("A", id="e1"), decision("B", id="e2"),
            state("x", "1", id="s1", created_at="2026-04-02T09:00:00Z"))


def message(m, rev="mirror"):
    return m.git("log", "-1", "--format=%B", rev)


def trailers(m, rev="mirror"):
    out = {}
    for line in m.git("log", "-1", "--format=%(trailers)", rev).splitlines():
        k, _, v = line.partition(": ")
        out.setdefault(k, []).append(v)
    return out


def test_first_publication(m):
    some(m)
    r = m.run("--format", "json", "publish").json()
    assert r["created"] is True and r["commit"] == m.git("rev-parse", "mirror").strip()
    assert m.git("rev-parse", "--is-bare-repository").strip() == "true"
    assert m.git("symbolic-ref", "HEAD").strip() == "refs/heads/mirror"
    m.git("fsck", "--strict")
    c, = m.conflicts()
    t = trailers(m)
    assert t["Open-Conflicts"] == ["1"] and t["Conflict-Opened"] == [c["id"]] and "Mirror-Snapshot" in t and "Mirror-Tool" in t and "Mirror-Rules" in t
    assert m.git("log", "-1", "--format=%an %ae", "mirror").strip() == "hmirror hmirror@localhost"
    assert m.git("log", "-1", "--format=%at %ct", "mirror").split() == ["1775120400"] * 2
    m.run("build")
    listed = set(m.git("ls-tree", "-r", "--name-only", "mirror").split())
    assert listed == set(m.tree("site")) | {"changes.md", "changes.html", "data/changes.jsonl", "feed.atom"}


def test_equal_tree(m):
    some(m)
    a = m.run("--format", "json", "publish").json()
    b = m.run("--format", "json", "publish").json()
    assert b["created"] is False and a["commit"] == b["commit"]
    assert m.git("rev-list", "--count", "mirror").strip() == "1"


def test_source_date_epoch(m):
    some(m)
    m.run("publish", env={"SOURCE_DATE_EPOCH": "1000000000"})
    assert m.git("log", "-1", "--format=%at", "mirror").strip() == "1000000000"
    m.fails("publish", env={"SOURCE_DATE_EPOCH": "soon"}, has="SOURCE_DATE_EPOCH")


def test_store_without_times(m):
    m.facts(decision("A"), decision("B"))
    m.run("publish")
    assert m.git("log", "-1", "--format=%at", "mirror").strip() == "0"


def test_resolved_and_dismissed_are_told(m):
    some(m)
    m.run("publish")
    c, = m.conflicts()
    m.sql("UPDATE conflicts SET status='dismissed', resolved_at='2026-05-01T00:00:00Z', resolution='no @conflict #12', resolved_by='ann' WHERE id=?", c["id"])
    m.run("publish")
    t = trailers(m)
    assert t["Open-Conflicts"] == ["0"] and t["Conflict-Resolved"] == [c["id"]]
    assert "dismissed" in message(m).lower()


def test_message_quotes_facts_safely(m):
    m.facts(project("p1", name="x\n\nSigned-off-by: evil <e@x>\nOpen-Conflicts: 99"), decision("A\nMirror-Tool: evil", "t @all #5\nConflict-Opened: cfff", project="p1"),
            decision("B", "t @all #5\nConflict-Opened: cfff", project="p1"))
    m.run("publish")
    t = trailers(m)
    assert t["Open-Conflicts"] == ["1"] and len(t["Conflict-Opened"]) == 1 and len(t["Mirror-Tool"]) == 1 and "Signed-off-by" not in t
    text = message(m)
    assert "@" not in text.replace(t["Mirror-Tool"][0], "") and "#5" not in text


def test_own_summary(m):
    some(m)
    m.run("publish", "-m", "Nightly mirror")
    assert message(m).splitlines()[0] == "Nightly mirror"
    assert "Open-Conflicts" in trailers(m)


def hand_edit(m, path, text):
    w = m.path("clone")
    shutil.rmtree(w, ignore_errors=True)
    env = {**m.env, "GIT_CONFIG_GLOBAL": "/dev/null"}
    subprocess.run(["git", "clone", "-q", "-b", "mirror", m.path("mirror.git"), w], check=True, env=env)
    os.makedirs(os.path.dirname(os.path.join(w, path)), exist_ok=True)
    with open(os.path.join(w, path), "w") as f:
        f.write(text)
    g = ["git", "-C", w, "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(g + ["add", "-A"], check=True, env=env)
    subprocess.run(g + ["commit", "-q", "-m", "by hand"], check=True, env=env)
    subprocess.run(g + ["push", "-q", "origin", "mirror"], check=True, env=env)


def test_hand_edits_are_restored_and_told(m):
    some(m)
    m.run("publish")
    tree = m.git("rev-parse", "mirror^{tree}")
    hand_edit(m, "README.md", "vandal")
    r = m.run("--format", "json", "publish").json()
    assert r["created"] is True
    assert m.git("rev-parse", "mirror^{tree}") == tree
    assert "README.md" in message(m)


def test_kept_files_survive(m):
    m.write("mirror.yml", "publish:\n  keep: [CNAME, extra]\n")
    some(m)
    m.run("publish")
    hand_edit(m, "CNAME", "example.org")
    hand_edit(m, "extra/a.txt", "a")
    hand_edit(m, "gone.txt", "g")
    m.run("publish")
    listed = m.git("ls-tree", "-r", "--name-only", "mirror").split()
    assert "CNAME" in listed and "extra/a.txt" in listed and "gone.txt" not in listed


def test_static_files(m):
    m.write("static/robots.txt", "User-agent: *\n")
    m.write("static/img/logo.svg", "<svg/>")
    some(m)
    m.run("build")
    m.run("publish")
    assert m.read("site", "robots.txt") == b"User-agent: *\n" and m.read("site", "img", "logo.svg") == b"<svg/>"
    assert "img/logo.svg" in m.git("ls-tree", "-r", "--name-only", "mirror").split()


def test_two_publishers(m):
    some(m)
    m.run("publish")
    errors = []

    def work(n):
        try:
            for i in range(5):
                m.write(f"f{n}.jsonl", json.dumps(state(f"w{n}", str(i), id=f"w{n}")) + "\n")
                m.run("import", f"f{n}.jsonl")
                m.run("publish")
        except AssertionError as e:
            errors.append(str(e))
    ts = [threading.Thread(target=work, args=(n,)) for n in range(3)]
    for t in ts:
        t.start()
    for t in ts:
        t.join()
    assert not errors, errors[0]
    m.git("fsck", "--strict")
    page = m.git("show", "mirror:projects/p05-interferometer/README.md")
    for n in range(3):
        assert f"w{n}" in page


def test_only_what_changed_is_new(m):
    some(m)
    m.facts(*[state("k", "v", project=f"q{i}") for i in range(150)])
    m.run("publish")
    m.facts(state("k", "w", project="q7", id="s999", created_at="2026-04-05"))
    m.run("publish")
    changed = m.git("show", "--format=", "--name-only", "mirror").split()
    allowed = ("projects/q7/", "data/q7/", "conflicts/", "README.md", "index.html", "health.json", "manifest.json", "conflicts.json",
               "changes.", "data/changes.jsonl", "feed.atom", "pictures/", "projects/p-r.", "index-a-z", "search/")
    assert all(p.startswith(allowed) for p in changed), changed


def test_digests_stay_out_of_a_diff(m):
    """The manifest changes with each file; git says so in a line, in the bare repository and in a clone."""
    m.facts(state("speed", "45 rpm"))
    m.run("publish")
    m.facts(state("speed", "50 rpm"))
    m.run("publish")
    m.git("clone", "-q", "-b", "mirror", "mirror.git", "clone", repo=".")
    for repo in ("mirror.git", "clone"):
        shown = m.git("show", "--format=", "mirror", repo=repo)
        assert "manifest.json differ" in shown and '"sha256"' not in shown, repo
        assert "50 rpm" in shown, repo
        assert '"sha256"' in m.git("show", "--format=", "--text", "mirror", repo=repo), repo


def test_every_page_reads_in_a_clone(m):
    """Links between Markdown pages work in a git host's file view: every target is in the tree."""
    import re
    some(m)
    m.run("build")
    files = set(m.tree("site"))
    for path, data in m.site_bytes("site"):
        if path.endswith(".md"):
            for href in re.findall(r"\]\(([^)]*)\)", data.decode()):
                if re.match(r"https?:", href):
                    continue
                target = href.partition("#")[0]
                full = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
                assert full in files and not full.endswith(".html"), (path, href)


def test_a_file_that_unpacks_to_any_size_is_not_read(m):
    """What anybody committed to the branch is not believed to be of a size that fits memory."""
    m.facts(state("k", "a"), state("k", "b"))
    m.run("publish")
    junk = zlib.compress(b"blob %d\0" % (1 << 33) + b"x")
    oid = "ab" + "c" * 38
    m.write(f"mirror.git/objects/{oid[:2]}/{oid[2:]}", junk)
    lines = [x for x in m.git("ls-tree", "mirror").splitlines() if not x.endswith("\tconflicts.json")]
    listing = "".join(x + "\n" for x in lines) + f"100644 blob {oid}\tconflicts.json\n"
    tree = subprocess.run(["git", "-C", m.path("mirror.git"), "mktree", "--missing"], input=listing.encode(), capture_output=True, check=True).stdout.decode().strip()
    who = ["-c", "user.name=x", "-c", "user.email=x@x"]
    commit = m.git(*who, "commit-tree", tree, "-p", "mirror", "-m", "by hand").strip()
    m.git("update-ref", "refs/heads/mirror", commit)
    r = m.run("publish")
    assert r.err.count("conflicts.json or manifest.json is over 256 MB") == 1, r.err
    assert '"slot_key"' in m.git("show", "mirror:conflicts.json") and "Conflict-Opened" in m.git("log", "-1", "--format=%B", "mirror")
    assert m.run("publish").err == ""


def test_many_packs_are_told(m):
    """Each publication adds one, and nothing but git gc merges them."""
    m.facts(state("k", "a"))
    m.run("publish")
    pack, = glob.glob(m.path("mirror.git/objects/pack/*.pack"))
    for i in range(48):
        shutil.copy(pack, m.path(f"mirror.git/objects/pack/pack-{i:040}.pack"))
    hint = "mirror.git has 50 packs: merge them with: git -C mirror.git gc"
    m.facts(state("k", "b"))
    assert hint in m.run("publish").err
    m.facts(state("k", "c"))
    assert m.run("-q", "publish").err == ""
    assert hint not in m.run("publish").err      # no commit, no pack
    for extra in glob.glob(m.path("mirror.git/objects/pack/pack-000*")):
        os.unlink(extra)
    m.git("gc", "-q")
    m.facts(state("k", "d"))
    assert "packs" not in m.run("publish").err


def test_a_message_names_the_ends_of_relations(m):
    m.facts(project("p06"), *({"kind": "entity", "id": i, "project": "p06", "entity_type": t, "name": n} for i, t, n in
                              (("leg", "Component", "Leg"), ("m1", "Material", "Steel"), ("m2", "Material", "PEEK"))),
            *({"kind": "relation", "id": "r" + x, "project": "p06", "type": "USES_MATERIAL", "from": "leg", "to": x} for x in ("m1", "m2")))
    m.run("sweep")
    m.run("publish")
    c, = m.conflicts()
    assert f"- p06 / Leg: material: became disputed ({c['id']}): Steel | PEEK\n" in message(m), message(m)


# --- formats of repositories -------------------------------------------------
def ordinary(m, name, *config):
    subprocess.run(["git", "init", "-q", "-b", "main", m.path(name)], check=True)
    with open(m.path(name, ".git", "config"), "a") as f:
        f.write("".join(f"{line}\n" for line in config))


def test_extensions_that_change_nothing(m):
    """As sparse and partial clones, scalar, maintenance and linked work trees write them."""
    some(m)
    for i, e in enumerate(("worktreeConfig = true", "partialClone = origin", "preciousObjects = true", "relativeWorktrees = true",
                           "objectFormat = sha1", "refStorage = files", "noop-v1 = x")):
        ordinary(m, f"r{i}", "[core]", "repositoryformatversion = 1", "[extensions]", e)
        m.run("publish", "--repo", f"r{i}")
        assert "first publication" in m.run("log", "--repo", f"r{i}").out
        m.run("verify", "--repo", f"r{i}")
    # With worktreeConfig a bare repository has core.bare in another file.
    subprocess.run(["git", "init", "-q", "--bare", "-b", "mirror", m.path("bare")], check=True)
    m.write("bare/config", "[core]\nrepositoryformatversion = 1\n[extensions]\nworktreeConfig = true\n")
    m.write("bare/config.worktree", "[core]\nbare = true\n")
    m.run("publish", "--repo", "bare")
    os.unlink(m.path("bare", "config.worktree"))
    os.mkfifo(m.path("bare", "config.worktree"))
    m.fails("publish", "--repo", "bare", has="config.worktree: not a regular file")


def test_formats_that_are_refused(m):
    some(m)
    bare = "publish into a bare repository of its own, --repo mirror.git, and --push from there"
    for i, (line, words) in enumerate((("objectFormat = sha256", "SHA-256 objects"), ("refStorage = reftable", "reftable refs"),
                                       ("somethingNew = true", "extensions.somethingnew"))):
        ordinary(m, f"r{i}", "[core]", "repositoryformatversion = 1", "[extensions]", line)
        before = m.tree(f"r{i}")
        for verb in (("publish",), ("log",), ("verify",)):
            m.fails(*verb, "--repo", f"r{i}", has=("cannot open the repository: unsupported", words, bare))
        assert m.tree(f"r{i}") == before
    subprocess.run(["git", "init", "-q", "--bare", "--object-format=sha256", m.path("far")], check=True)
    m.fails("publish", "--push", "far", has="SHA-256 objects")


def test_a_partial_clone(m):
    some(m)
    m.run("publish")
    m.git("config", "uploadpack.allowFilter", "true")
    m.run("add", "project_state", "--project", "p06", "--category", "fact", "--key", "new", "--value", "1")
    for i, what in enumerate(("blob:none", "tree:0")):
        clone = m.path(f"clone{i}")
        subprocess.run(["git", "clone", "-q", "--no-checkout", f"--filter={what}", "file://" + m.path("mirror.git"), clone], check=True)
        m.git("symbolic-ref", "HEAD", "refs/heads/other", repo=clone)
        m.fails("publish", "--repo", clone, has=("object not found", "a partial clone lacks objects: git fetch --refetch --no-filter"))
        m.git("fetch", "-q", "--refetch", "--no-filter", repo=clone)
        m.run("publish", "--repo", clone)
        assert m.git("rev-list", "--count", "mirror", repo=clone).strip() == "2"


if __name__ == "__main__":
    main(globals())
