#!/usr/bin/env python3
"""The command as a user meets it: help, options, config, themes, installation."""
import re
import select
import contextlib
import sqlite3

from harness import *

VERBS = ["init", "import", "export", "add", "list", "edit", "promote", "graduate", "sweep", "build", "publish", "conflicts", "explain", "health", "theme", "completion"]


def test_help(m):
    top = m.run("--help").out
    for v in VERBS:
        assert v in top
        out = m.run(v, "--help").out
        assert f"hmirror {v}" in out and "xample" in out, v
        assert out == m.run("help", v).out
        assert max(map(len, out.splitlines())) <= 100, v
    assert re.fullmatch(r"hmirror \d+\.\d+\.\d+\n", m.run("--version").out)


def test_no_verb_and_unknown(m):
    assert m.run(code=2).err
    m.fails("biuld", has=("biuld", "build"))
    m.fails("biuld", "--full", has="did you mean 'build'?")   # whose options nobody knows
    m.fails("build", "--ful", has=("--ful", "--full"))
    m.fails("build", "extra", has="extra")
    m.fails("--format", "xml", "build", has="xml")
    m.fails("-j", "none", "build", has="none")
    m.fails("build", "-d", has="-d")


def test_verbs_that_people_try(m):
    for args, way in {("resolve", "c1", "--winner", "s1"): "conflicts resolve ID --winner",
                      ("status",): "hmirror health", ("ls",): "conflicts list", ("search", "mass"): "--touching",
                      ("--quiet", "dismiss", "c1", "--reason", "x"): "conflicts dismiss ID"}.items():
        m.fails(*args, has=["unknown verb", way])
    # What they point to is there.
    words = set(re.findall(r"'hmirror ([a-z]+)", open(os.path.join(os.path.dirname(__file__), "../../gen/verbs/commands.c")).read()))
    assert len(words) > 10
    for verb in words:
        m.run(verb, "--help")


def test_globals_before_and_after(m):
    m.facts(decision("A"), decision("B"))
    a = m.run("--format", "json", "sweep").json()
    b = m.run("sweep", "--format=json").json()
    assert set(a) == set(b)
    other = Mirror()
    try:
        other.run("-C", m.dir, "build")
        other.run("build", "-C", m.dir)
        assert os.path.exists(m.path("site", "index.html")) and os.listdir(other.dir) == []
    finally:
        other.close()


def test_init(m):
    out = m.run("init", "new").out
    assert os.path.exists(m.path("new", "mirror.yml")) and os.path.exists(m.path("new", "hmirror.db")) and "import" in out
    before = m.tree()
    m.fails("init", "new", has="mirror.yml")
    assert m.tree() == before
    m.run("-C", "new", "build")
    assert os.path.exists(m.path("new", "site", "index.html"))


def answered(m, answer, *args):
    """init on a terminal, where somebody types; what it showed, and its exit code."""
    ours, theirs = os.openpty()
    p = subprocess.Popen([HMIRROR, "init", *args], cwd=m.dir, env=m.env, stdin=theirs, stderr=theirs, stdout=subprocess.PIPE)
    os.close(theirs)
    os.write(ours, answer)
    out = p.communicate(timeout=60)[0].decode()
    shown = b""
    while select.select([ours], [], [], 0)[0]:
        try:
            shown += os.read(ours, 65536)
        except OSError:
            break
    os.close(ours)
    return out, shown.decode(), p.returncode


def test_init_asks_what_is_published(m):
    plain = m.run("init", "plain")
    example = m.text("plain", "mirror.yml")
    assert "What is published" not in plain.err
    cases = [(b"\n", None), (b"1\n", None), (b"both\n", None), (b"\x04", None), (b"2\n", "markdown"), (b"html\n", "html"), (b"x\n9\n3\n", "html"), (b" 4 \n", "markdown")]
    for i, (answer, pages) in enumerate(cases):
        out, shown, code = answered(m, answer, f"t{i}")
        text = m.text(f"t{i}", "mirror.yml")
        assert code == 0 and "What is published?" in shown and "apart" in shown, (answer, shown)
        assert (text == example) if pages is None else ("\npublish:\n" in text and f"\n  pages: {pages}\n" in text), (answer, text)
        assert ("--branch pages" in text) == ("--branch pages" in out) == (b"4" in answer), (answer, out)
        m.run("-C", f"t{i}", "health", code=None)
        assert shown.count("a number from 1 to 4") == answer.count(b"\n") - 1 if answer.startswith(b"x") else True
    for quiet in (["-q"], ["--format", "json"], ["--pages", "html"]):
        _, shown, code = answered(m, b"", "no-" + quiet[0].strip("-"), *quiet)
        assert code == 0 and not shown, (quiet, shown)
    assert "\n  pages: html\n" in m.text("no-pages", "mirror.yml")
    _, shown, code = answered(m, b"", "t0")        # nothing is asked of files that stay
    assert code == 2 and "What is published" not in shown


def test_init_pages_for_scripts(m):
    m.run("init", "--pages", "apart", "two")
    m.write("two/facts.jsonl", '{"kind":"project_state","id":"s","project":"p","category":"fact","key":"k","value":"1"}\n')
    m.run("-C", "two", "import", "facts.jsonl")
    m.run("-C", "two", "publish")
    m.run("-C", "two", "publish", "--html-only", "--branch", "pages")
    names = {b: m.git("ls-tree", "-r", "--name-only", b, repo="two/mirror.git").split() for b in ("mirror", "pages")}
    assert "README.md" in names["mirror"] and not [n for n in names["mirror"] if n.endswith(".html")]
    assert "index.html" in names["pages"] and not [n for n in names["pages"] if n.endswith(".md")]
    m.run("-C", "two", "verify")
    m.run("-C", "two", "verify", "--html-only", "--branch", "pages")
    m.fails("init", "--pages", "pdf", "three", has="--pages: no such choice: write both, markdown, html or apart")
    m.fails("init", "--pages", "", "three", has="--pages: no such choice")
    with contextlib.closing(sqlite3.connect(m.path("x.db"))) as db:
        db.execute("CREATE TABLE notes (body TEXT)")
    m.fails("init", "--pages", "html", "--from", "x.db", "three", has="--pages")
    assert not os.path.exists(m.path("three"))
    os.remove(m.path("two", "hmirror.db"))
    m.fails("init", "--pages", "html", "two", has="mirror.yml is there already: set publish.pages in it")
    m.run("init", "two")


def test_every_commented_key_is_a_key(m):
    """The config that init writes stays valid when every line of it is switched on."""
    m.run("init")
    text = m.text("mirror.yml")
    lines = [x for x in text.splitlines() if not x.startswith(("#store.map:", "#  - {layer:"))]   # which a store of ours has no use for
    on = "\n".join(re.sub(r"^#( *[a-z_]+:|  *- )", r"\1", line) for line in lines) + "\n"
    assert on != text
    m.write("mirror.yml", on)
    r = m.run("health", code=None)
    assert r.code == 0, r.err + on


def test_dry_run_writes_nothing(m):
    m.facts(decision("A"), decision("B"))
    before = m.tree()
    out = m.run("sweep", "--dry-run").out
    assert "lateral_support_material" in out and m.tree() == before


def test_reading_never_writes(m):
    m.facts(decision("A"), decision("B"))
    m.run("sweep")
    before = m.tree()
    c, = m.conflicts()
    for args in (["export"], ["conflicts", "list"], ["conflicts", "show", c["id"]], ["explain", c["id"]], ["health"], ["theme", "list"]):
        m.run(*args)
    assert m.tree() == before
    m.run("build", "--no-sweep")
    assert m.tree()["hmirror.db"] == before["hmirror.db"]


def test_conflict_ids(m):
    m.facts(decision("A"), decision("B"))
    c, = m.sweep()
    assert re.fullmatch("c[0-9a-f]{12}", c["id"])
    assert m.run("conflicts", "show", c["id"][:6]).out == m.run("conflicts", "show", c["id"]).out
    m.fails("conflicts", "show", "cffffffffffff", has="cffffffffffff")
    shown = m.run("--format", "json", "conflicts", "show", c["id"]).json()
    assert shown == c
    site = json.loads((m.run("build"), m.text("site", "conflicts.json"))[1])
    del shown["detected_at"]
    assert site == {"conflicts": [shown], "count": 1}


def test_json_of_conflicts_has_the_design_s_keys(m):
    m.facts(state("x", "1", id="s1", source="design review"), parameter("2", "x", id="e1", source_refs=["a", "b"]))
    c, = m.sweep()
    assert list(c) == ["id", "status", "disputed", "since", "detected_at", "resolved_at", "resolution", "action", "winner", "winners", "resolved_by", "slot_kind", "slot_key",
                       "project", "rule", "window", "members", "about", "inside"], list(c)
    assert list(c["members"][0]) == ["member_kind", "member_id", "member_layer_trust", "field", "value", "status", "flagged", "conflicts_with", "source_refs"]
    assert c["members"][0]["source_refs"] == ["design review"] and c["members"][1]["source_refs"] == ["a", "b"]


def test_build_full_writes_every_file(m):
    m.facts(decision("A"), decision("B"))
    m.run("build")
    m.write("site/CNAME", "example.org")
    before = {p: os.stat(m.path("site", p)).st_ino for p in m.tree("site")}
    tree = m.tree("site")
    m.run("build")
    assert {p: os.stat(m.path("site", p)).st_ino for p in tree} == before
    r = m.run("--format", "json", "build", "--full").json()
    assert m.tree("site") == tree
    same = [p for p in tree if os.stat(m.path("site", p)).st_ino == before[p]]
    assert same == ["CNAME"], same
    assert r["written"] == len(tree) - 1


def test_theme_override_of_one_partial(m):
    m.facts(decision("A"), decision("B"))
    m.run("theme", "eject", "partials/footer.html")
    path = "templates/partials/footer.html.mustache"
    assert os.path.exists(m.path(path)) and len(m.tree("templates")) == 1
    assert m.run("theme", "diff").out == ""
    m.write(path, "<footer>OUR FOOTER {{title}}</footer>\n")
    assert "OUR FOOTER" in m.run("theme", "diff", code=1).out
    m.run("build")
    assert "OUR FOOTER" in m.text("site", "index.html")
    m.fails("theme", "eject", "partials/footer.html", has="footer")
    assert "OUR FOOTER" in m.text(path)


def test_template_error_names_file_line_and_row(m):
    m.facts(state("x", "1", id="s1"))
    m.write("templates/overview.md.mustache", "one\n{{#a}}\n")
    m.fails("build", has=("overview.md.mustache:2",))
    os.unlink(m.path("templates/overview.md.mustache"))
    m.run("theme", "eject")
    hit = False
    for path in m.tree("templates"):
        if path.endswith(".md.mustache") and "{{value}}" in m.text("templates", path):
            m.write("templates/" + path, m.text("templates", path).replace("{{value}}", "{{{value}}}"))
            hit = True
    if hit:
        r = m.run("build", code=None)
        assert r.code == 2 and ".mustache:" in r.err and "project_state:s1" in r.err, r.err
    assert not os.path.exists(m.path("site"))


def test_theme_that_drops_markers_is_refused(m):
    m.facts(decision("A"), decision("B"))
    m.run("theme", "eject", "partials/marker.md")
    m.write("templates/partials/marker.md.mustache", "")
    m.fails("build", has="marker")


def test_install(m):
    p = subprocess.run(["make", "-s", "-C", TOP, "install", f"DESTDIR={m.dir}/d", "PREFIX=/opt/x", f"BUILD={os.environ.get('HM_BUILD', 'build')}"],
                       capture_output=True, env={**os.environ, "MAKEFLAGS": ""})
    assert p.returncode == 0, p.stderr
    assert os.access(m.path("d/opt/x/bin/hmirror"), os.X_OK)
    for page in ("man1/hmirror.1", "man5/hmirror-config.5", "man5/hmirror-facts.5", "man5/hmirror-templates.5"):
        assert os.path.exists(m.path("d/opt/x/share/man", page)), page
    subprocess.run(["make", "-s", "-C", TOP, "uninstall", f"DESTDIR={m.dir}/d", "PREFIX=/opt/x"], check=True, env={**os.environ, "MAKEFLAGS": ""})
    left = [f for _, _, fs in os.walk(m.path("d")) for f in fs]
    assert left == []


def test_man_page(m):
    text = open(os.path.join(TOP, "gen", "cli", "hmirror.1")).read()
    for v in VERBS:
        assert v in text
        for opt in re.findall(r"^\s+(?:-\w, )?--([a-z-]+)", m.run(v, "--help").out, re.M):
            assert opt.replace("-", r"\-") in text or opt in text, f"{v} --{opt} is not in the manual"


def test_site_example_as_documented(m):
    """The tables of site-example/README.md are true."""
    src = os.path.join(TOP, "site-example")
    m.run("init")
    m.run("import", *[os.path.join(src, "facts", f) for f in sorted(os.listdir(os.path.join(src, "facts")))])
    got = sorted((c["slot_key"][0][:3], c["slot_key"][-1]) for c in m.sweep())
    want = sorted([("p05", "lateral_support_material"), ("p05", "fringe_analysis_version"), ("p05", "frame_leg_mass"), ("p05", "reference_flat"),
                   ("p04", "transceiver"), ("p04", "availability"), ("p06", "spindle_speed"), ("p06", "pitch_grade"), ("", "workflow (git)"), ("", "role")])
    assert got == want, got


if __name__ == "__main__":
    main(globals())
