#!/usr/bin/env python3
"""What the last publications changed: data/changes.jsonl, its pages and feeds, and commits that name facts."""
import shutil
import subprocess
import re
import urllib.parse
import xml.etree.ElementTree as ET
import datetime
from harness import *

ATOM = "{http://www.w3.org/2005/Atom}"


def show(m, path, repo="mirror.git"):
    return m.git("show", f"mirror:{path}", repo=repo)


def publications(m, repo="mirror.git"):
    """[(publication, [change]), ...], oldest first."""
    out = []
    lines = [json.loads(x) for x in show(m, "data/changes.jsonl", repo).splitlines()]
    assert lines[0] == {"kind": "mirror-data", "format": 1}
    for x in lines[1:]:
        if x["kind"] == "publication":
            out.append((x, []))
        else:
            out[-1][1].append(x)
    return out


def publish(m, *facts, by=()):
    if facts:
        m.facts(*facts)
    return m.run("publish", *by)


def subject(m):
    return m.git("log", "-1", "--format=%s", "mirror").strip()


def start(m):
    publish(m, project("p05", name="Interferometer"), project("p06", name="Polisher"),
            state("spindle_speed", "45 rpm", project="p06", id="s1", created_at="2026-04-02T09:00:00Z"))


def test_a_fact(m):
    start(m)
    (first, none), = publications(m)
    assert first == {"kind": "publication", "number": 1, "at": "2026-04-02T09:00:00Z", "disputed": 0, "first": True} and not none
    publish(m, state("spindle_speed", "50 rpm", project="p06", id="s1", created_at="2026-04-02T09:00:00Z"))
    assert subject(m) == "p06: spindle speed 45 -> 50 rpm"
    assert "- p06 / spindle_speed: changed: 45 rpm -> 50 rpm (project_state:s1)" in m.git("log", "-1", "--format=%b", "mirror")
    one, = publications(m)[1][1]
    assert one == {"kind": "change", "event": "changed", "project": "p06", "subject": "spindle_speed",
                   "text": "changed: 45 rpm -> 50 rpm (project_state:s1)", "rows": ["project_state:s1"], "fields": ["value"]}
    for path in ("changes.md", "projects/p06/changes.md", "README.md", "projects/p06/README.md"):
        assert "45 rpm -&gt; 50 rpm" in show(m, path), path
    assert "projects/p05/changes.md" not in m.git("ls-tree", "-r", "--name-only", "mirror")
    m.git("fsck", "--strict")


def test_the_first_fact(m):
    """A mirror that was published while it was empty tells of what comes then."""
    m.run("init")
    publish(m)
    publish(m, state("spindle_speed", "45 rpm", project="p06", id="s1", created_at="2026-04-02T09:00:00Z"))
    assert subject(m) == "p06: spindle speed is new: 45 rpm"
    assert [[c["event"] for c in told] for _, told in publications(m)] == [[], ["appeared"]]


def test_disputes(m):
    start(m)
    publish(m, decision("PEEK", id="e1", project="p05"), decision("PTFE", id="e2", project="p05"))
    assert subject(m) == "p05: lateral support material is disputed (2 sides), and 2 more"
    c, = m.conflicts()
    assert f"](conflicts/{c['id']}.md): became disputed" in show(m, "changes.md") and publications(m)[-1][0]["disputed"] == 1
    m.run("conflicts", "resolve", c["id"], "--winner", "e1", "--notes", "test", "--by", "kim")
    publish(m)
    assert subject(m).startswith("p05: lateral support material is settled: PEEK"), subject(m)
    assert [x["event"] for x in publications(m)[-1][1]][0] == "settled" and publications(m)[-1][0]["disputed"] == 0
    page, day = show(m, "changes.md"), datetime.date.fromisoformat(publications(m)[-1][0]["at"][:10])
    assert "Disputes settled or quiet" in page
    assert f"by kim on {day.day} {day:%b %Y}: test" in page and "entity:e1" not in page.split("## ")[1], page
    assert "(entity:e1)" in publications(m)[-1][1][0]["text"], "data keep ids and instants"


def test_same_store_same_tip(m):
    """No clock, no history: a clone of depth one gets the same tree, and nothing changed makes no commit."""
    start(m)
    publish(m, state("a", "1", project="p05"))
    subprocess.run(["git", "clone", "-q", "--bare", "--depth", "1", "--branch", "mirror", "file://" + m.path("mirror.git"), m.path("shallow.git")],
                   check=True, env=m.env)
    m.facts(state("b", "2", project="p05"))
    m.run("publish")
    m.run("publish", "--repo", "shallow.git", env={"SOURCE_DATE_EPOCH": "1900000000"})
    tree = m.git("rev-parse", "mirror^{tree}")
    assert m.git("rev-parse", "mirror^{tree}", repo="shallow.git") == tree
    assert len(publications(m)) == 3
    assert m.run("--format", "json", "publish").json()["created"] is False
    assert m.run("--format", "json", "publish", "--full").json()["created"] is False
    m.run("verify")


def test_a_build_shows_none(m):
    start(m)
    m.run("build")
    assert not [p for p in m.tree("site") if "change" in p or p.endswith("atom")]
    assert "changes.html" not in m.text("site", "index.html")


def test_two_hundred_stay(m):
    start(m)
    lines = ['{"kind":"mirror-data","format":1}']
    for i in range(1, 251):
        lines += [json.dumps({"kind": "publication", "number": i, "at": "2026-04-01T00:00:00Z", "disputed": i % 7}),
                  json.dumps({"kind": "change", "event": "changed", "project": "p06", "subject": "x", "text": f"w{i}", "rows": [], "fields": []})]
    put(m, "data/changes.jsonl", "\n".join(lines) + "\n")
    publish(m, state("k", "v", project="p05"))
    got = publications(m)
    assert len(got) == 200 and got[-1][0]["number"] == 251 and got[0][0]["number"] == 52
    page = show(m, "changes.md")
    assert "w250" in page and "w52" in page and "w51\n" not in page and "`hmirror log` tells what came before." in page
    assert len(page) < 200_000


def put(m, path, text):
    """The tip's commit with this file in the place of its own, as if hmirror had written it."""
    git = lambda *a, **kw: subprocess.run(["git", "-C", m.path("mirror.git"), *a], check=True, capture_output=True, text=True,
                                          env={**m.env, "GIT_INDEX_FILE": m.path("index")}, **kw).stdout.strip()
    blob = git("hash-object", "-w", "--stdin", input=text)
    git("read-tree", "mirror")
    git("update-index", "--add", "--cacheinfo", f"100644,{blob},{path}")
    tree, body = git("write-tree"), git("log", "-1", "--format=%B", "mirror")
    who = {f"GIT_{w}_{k}": v for w in ("AUTHOR", "COMMITTER") for k, v in (("NAME", "m"), ("EMAIL", "m@x"), ("DATE", "1775200000 +0000"))}
    commit = subprocess.run(["git", "-C", m.path("mirror.git"), "commit-tree", tree], check=True, capture_output=True, text=True,
                            env={**m.env, **who}, input=body + "\n").stdout.strip()
    git("update-ref", "refs/heads/mirror", commit)


def test_hostile_lines(m):
    """Whatever stands at the tip: no crash, no markup, and the publication goes on."""
    start(m)
    head = '{"kind":"mirror-data","format":1}\n'
    publication = '{"kind":"publication","number":7,"at":"2026-04-01T00:00:00Z","disputed":1}\n'
    evil = {"kind": "change", "event": "changed", "project": "p06", "subject": "[x](http://evil)<script>", "text": "</li><img src=x>\n# y",
            "rows": ["entity:../../x", 7, None], "fields": "no"}
    for text in ("", "garbage", head + "{", head + '{"kind":"change"}\n', head + publication.replace("7", "-7"), head + publication.replace("7", "9" * 40),
                 head + publication + json.dumps(evil) + "\n" + json.dumps({"kind": "more", "project": "<b>", "changes": 3}) + "\n",
                 head + "\n".join(['{"kind":"publication"}'] * 5000)):
        put(m, "data/changes.jsonl", text)
        publish(m, state("k", f"v{len(text)}", project="p05"))
        page = show(m, "changes.html")
        assert "<script" not in page and "<img src=x" not in page and 'href="http://evil' not in page, page
        for path in ("feed.atom", "projects/p05/feed.atom", "changes.svg"):
            if path in m.git("ls-tree", "-r", "--name-only", "mirror"):
                ET.fromstring(show(m, path))
        m.run("verify")


def test_left_out_by_now(m):
    """A row that publish.exclude leaves out vanishes from what was told before, too."""
    start(m)
    publish(m, entity("Component", {"component_name": "laser", "watts": "9000"}, "laser", id="e9", project="p05"),
            state("open", "yes", project="p05"))
    assert "9000" in show(m, "data/changes.jsonl")
    m.write("mirror.yml", m.text("mirror.yml") + "\npublish:\n  exclude:\n    types: [Component]\n")
    publish(m)
    for path in m.git("ls-tree", "-r", "--name-only", "mirror").split():
        assert "9000" not in show(m, path) and "laser" not in show(m, path), path
    assert "yes" in show(m, "data/changes.jsonl")


def test_what_an_earlier_line_names_is_left_out(m):
    """A line about a row that shows vanishes, too, where its text names what is left out since: a successor, a type, a key, an end, what another
    source said."""
    old = {"created_at": "2026-04-02T09:00:00Z"}
    long = "zqlong" + "z" * 80
    m.facts(project("p05"), memory("The pump is blue", "episodic", id="m1", **old), memory("The pump is green", "private", id="zqnext", **old),
            memory("The lamp is red", "private", id=long, **old), memory("The lamp is off", "episodic", id="m2", **old),
            memory("It graduates", "episodic", id="m3", **old), memory("The pump is grey", "episodic", id="m4", **old), entity("Component", {"component_name": "leg", "on_id": "e2"}, "leg", id="e1", **old),
            entity("Component", {"component_name": "arm"}, "arm", id="e2", **old), entity("Secretive", {}, "zqname", id="zqent", **old),
            {"kind": "relation", "id": "r1", "type": "USES", "project": "p05", "from": "e1", "to": "zqent", **old},
            state("mass", "4 kg", id="s1", **old))
    m.run("publish")
    leg = lambda to: entity("Component", {"component_name": "leg", "on_id": to}, "leg", id="e1", **old)
    m.facts(memory("The pump is blue", "episodic", id="m1", status="superseded", superseded_by="zqnext", **old),
            memory("The lamp is off", "episodic", id="m2", status="superseded", superseded_by=long, **old),
            memory("It graduates", "episodic", id="m3", status="graduated", graduated_to="zqent", **old),
            entity("Secretive", {"component_name": "arm"}, "arm", id="e2", **old), leg("zqent"),
            {"kind": "relation", "id": "r1", "type": "USES", "project": "p05", "from": "e1", "to": "e2", **old})
    m.write("b.jsonl", json.dumps({**memory("The pump is zqcolour", "private", id="m4"), **old}) + "\n" + json.dumps({**state("mass", "zqmass", id="s1", **old), "category": "private"}) + "\n")
    m.run("import", "b.jsonl")
    m.sweep()
    m.run("publish")
    m.facts(entity("Component", {"component_name": "arm"}, "arm", id="e2", **old), leg("e2"))
    m.run("publish")
    told = show(m, "data/changes.jsonl")
    for text in ("zqnext", "zqlong", "zqent", "zqname", "zqmass", "zqcolour", "secretive_arm", "Secretive"):
        assert text in told, (text, told)
    m.write("mirror.yml", "publish:\n  exclude:\n    types: [private, secretive]\n")
    before = m.git("rev-parse", "mirror").strip()
    m.run("publish")
    m.facts(entity("Component", {"component_name": "long arm"}, "arm", id="e2", **old))
    m.run("publish")
    for path in m.git("ls-tree", "-r", "--name-only", "mirror").splitlines():
        text = show(m, path).lower()
        assert "zq" not in text and "secretive" not in text, (path, [line for line in text.splitlines() if "zq" in line or "secretive" in line][:3])
    log = m.git("log", "--format=%B", f"{before}..mirror")
    assert "zq" not in log and "ecretive" not in log, log
    assert [p[0]["left_out"] for p in publications(m) if "left_out" in p[0]], publications(m)
    check = m.run("check", "--format", "json", code=None).json()
    assert not [x for x in check["results"] if x["rule"] == "leak"], check["results"]


def test_redacted(m):
    """Neither the lines of before nor the commit that takes it away repeat a redacted text."""
    start(m)
    publish(m, state("door_code", "code-4711-x", project="p05", id="s7"))
    assert "4711" in show(m, "data/changes.jsonl")
    m.run("redact", "project_state:s7", "--reason", "a code", "--by", "kim")
    publish(m)
    for path in m.git("ls-tree", "-r", "--name-only", "mirror").split():
        assert "4711" not in show(m, path), path
    assert "4711" not in m.git("log", "-1", "--format=%B", "mirror")
    m.run("verify")


def test_what_other_records_said_of_a_redacted_value(m):
    """The publication after a redaction tells the removed value by no other record: as the name of an end, in a title, as what a row was
    superseded by, in a slot, in what a verdict let stand, and by no line of before."""
    values = {"name": "Sierra Nine Lock", "content": "uniform seven words", "value": "victor six value", "note": "whiskey five note",
              "claimed": "yankee-4-x", "title": "Zebra Three Plate"}
    start(m)
    publish(m, entity("Component", {"component_name": "a", "mass": "4 kg"}, values["name"], id="e1", project="p06"),
            entity("Component", {"component_name": "b", "mass": "5 kg"}, "arm", id="e2", project="p06"), entity("Component", {"mass": "6 kg"}, values["title"], id="e3", project="p06"),
            entity("Component", {"mass": "7 kg"}, values["title"], id="e4", project="p06"),
            {"kind": "relation", "id": "r1", "type": "PART_OF", "project": "p06", "from": "e2", "to": "e1", "properties": {"note": values["note"]}},
            state("k1", values["value"], project="p06", id="s1"), state("k1", "another", project="p06", id="s2"), memory(f"The door code is {values['claimed']}.", id="m1", project="p06"),
            memory(f"It is said that {values['content']} hold.", "episodic", id="m2", project="p06"), state("door code", "plain", project="p06", id="s3"),
            memory("Old words", id="m3", project="p06", status="superseded", superseded_by="m2"))
    m.run("edit", "e2", "-P", "mass=" + "5.5 kg")
    m.run("publish")
    m.sweep()
    c = [x for x in m.conflicts() if any(y["member_id"] == "s3" for y in x["members"])][0]
    m.run("conflicts", "resolve", c["id"], "--winner", "m1", "--notes", "it is " + values["claimed"], "--whole-row")
    m.run("publish")
    before = m.git("rev-parse", "mirror").strip()
    for row, field in (("entity:e1", "name"), ("entity:e3", "name"), ("entity:e4", "name"), ("relation:r1", "note"), ("s1", None), ("m1", None), ("m2", None)):
        said = m.run("redact", row, *(("--field", field) if field else ()), "--reason", "a code", "--by", "kim").out
        named = "names of files as they are" in said
        assert named == (row == "entity:e1") and not any(slug in said for slug in ("sierra-nine", "zebra-three")), said
    m.run("publish")
    m.run("edit", "e2", "-P", "mass=" + "6.5 kg")
    m.run("edit", "s2", "--set", "value=a third")
    m.run("publish")
    said = m.git("log", "--format=%B", before + "..mirror")
    for path in m.git("ls-tree", "-r", "--name-only", "mirror").splitlines():
        text = m.git("show", "mirror:" + path) if not path.endswith(".png") else ""
        for what, value in values.items():
            assert value.lower() not in path.replace("-", " "), (what, path)
            assert value.lower() not in text.lower().replace("_", " "), (what, path, [x for x in text.splitlines() if value.lower() in x.lower()][:2])
    for what, value in values.items():
        assert value.lower() not in said.lower().replace("_", " "), (what, said)


def test_the_page_of_a_redacted_name_that_was_edited(m):
    """A page is told as restored by its file's name, which says the entity's; one that is there no more is not told."""
    publish(m, project("p06"), entity("Subsystem", {}, "Sierra Nine Lock", id="e1", project="p06"), entity("Subsystem", {}, "Tango Six Lock", id="e2", project="p06"))
    work = m.path("work")
    subprocess.run(["git", "clone", "-q", "-b", "mirror", m.path("mirror.git"), work], check=True, env=m.env)
    for name in ("sierra-nine-lock.md", "tango-six-lock.md"):
        with open(os.path.join(work, "projects/p06/subsystems", name), "a") as f:
            f.write("x\n")
    subprocess.run("git -c user.name=x -c user.email=x@x commit -qam edit && git push -q", shell=True, check=True, cwd=work, env=m.env)
    m.run("redact", "e1", "--field", "name", "--reason", "a code", "--by", "kim")
    publish(m)
    said = m.git("log", "-1", "--format=%B", "mirror")
    assert "restored projects/p06/subsystems/tango-six-lock.md" in said and "sierra" not in said, said


def test_an_earlier_value_redacted(m):
    start(m)
    publish(m, state("door_code", "code-4711-x", project="p05", id="s7"))
    publish(m, state("door_code", "none", project="p05", id="s7"))
    m.run("redact", "project_state:s7", "--earlier", "--reason", "a code", "--by", "kim")
    publish(m, state("k", "v", project="p05"))
    for path in m.git("ls-tree", "-r", "--name-only", "mirror").split():
        assert "4711" not in show(m, path), path


def test_an_earlier_name_redacted(m):
    """Lines of other records that told it, too, tell it no more: they stand beside one of the record itself."""
    base = [project("p06"), entity("Component", {"component_name": "b"}, "arm", id="e2", project="p06"), state("colour", "dark blue", id="s1", project="p06"),
            {"kind": "relation", "id": "r1", "type": "PART_OF", "project": "p06", "from": "e2", "to": "e1"}]
    publish(m, *base, entity("Component", {"component_name": "a"}, "Sierra Nine Lock", id="e1", project="p06"))
    publish(m, *base, entity("Component", {"component_name": "a"}, "Tango Six Lock", id="e1", project="p06"))
    publish(m, *base[:2], {**base[2], "value": "dark green"}, base[3], entity("Component", {"component_name": "a"}, "Tango Six Lock", id="e1", project="p06"))
    assert show(m, "data/changes.jsonl").count("Sierra Nine Lock") > 1 and "relation:r1" in show(m, "data/changes.jsonl")
    m.run("redact", "e1", "--field", "name", "--earlier", "--reason", "a code", "--by", "kim")
    for value in ("v", "w"):
        publish(m, state("k", value, project="p06", id="s9"))
        for path in m.git("ls-tree", "-r", "--name-only", "mirror").split():
            assert "sierra" not in (path + show(m, path)).lower(), path
    assert "dark blue -> dark green" in show(m, "data/changes.jsonl") and "sierra" not in m.git("log", "-2", "--format=%B", "mirror").lower()


def test_relations_are_called_by_their_ends(m):
    """A relation has an id alone; a change tells it by the names at its ends, once."""
    rules = {"kind": "relation", "type": "RULES", "from": "a", "to": "k", "project": "p05"}
    base = [entity("Person", {}, "Ann", id="a"), entity("Person", {}, "Ben", id="b"), entity("Location", {}, "Keep", id="k")]
    m.facts(*base, {**rules, "id": "r1"})
    m.run("publish")
    m.facts(*base, {**rules, "id": "r1", "status": "superseded", "superseded_by": "r2"}, {**rules, "id": "r2", "from": "b"})
    m.run("publish")
    page = show(m, "projects/p05/changes.md")
    assert "- [Ann RULES Keep](relations.md#relation-r1): superseded by Ben RULES Keep\n" in page, page
    m.facts({**rules, "id": "r3"})
    m.run("publish")
    c, = m.conflicts()
    m.run("conflicts", "resolve", c["id"], "--winner", "r3", "--by", "kim", "--notes", "The roll")
    m.run("publish")
    page = show(m, "projects/p05/changes.md")
    assert "became disputed: Ben \\| Ann\n" in page and "settled: Ann stands, what contradicts it gives way, by kim on" in page, page


def test_feeds(m):
    start(m)
    publish(m, state("a", "1 & <2>", project="p05", created_at="2026-05-01"))
    publish(m, state("b", "1", project="p06", created_at="2026-05-02"))
    feed = ET.fromstring(show(m, "feed.atom"))
    entries = feed.findall(ATOM + "entry")
    ids = [e.find(ATOM + "id").text for e in entries] + [feed.find(ATOM + "id").text]
    assert len(entries) == 3 and len(set(ids)) == 4 and all(i.startswith("urn:uuid:") for i in ids)
    assert [e.find(ATOM + "updated").text for e in entries] == ["2026-05-02T00:00:00Z", "2026-05-01T00:00:00Z", "2026-04-02T09:00:00Z"]
    assert "1 &amp; &lt;2&gt;" in entries[1].find(ATOM + "content").text
    own = ET.fromstring(show(m, "projects/p05/feed.atom"))
    assert len(own.findall(ATOM + "entry")) == 1
    kept = ids[:3]
    publish(m, state("c", "1", project="p06", created_at="2026-05-03"))
    again = [e.find(ATOM + "id").text for e in ET.fromstring(show(m, "feed.atom")).findall(ATOM + "entry")]
    assert again[1:] == kept


def feed_links(m, path):
    """The links of a feed as (where from, to): its own, those of its entries, those in their texts."""
    feed = ET.fromstring(show(m, path))
    links = [x.get("href") for x in feed.iter(ATOM + "link")]
    for content in feed.iter(ATOM + "content"):
        links += re.findall(r'href="([^"]*)"', content.text)
    return links


def test_links_of_feeds_lead_to_files_and_anchors(m):
    start(m)
    publish(m, state("pitch", "1 mm", project="p05", created_at="2026-05-01"), state("pitch", "2 mm", project="p05", created_at="2026-05-02", id="other"))
    c, = m.conflicts()
    for base in ("", "https://example.org/mirror/", "https://example.org/mirror"):
        m.write("mirror.yml", f"title: t\nbase_url: {json.dumps(base)}\n")
        publish(m, state("k" + str(len(base)), "1", project="p05", created_at="2026-05-03"))
        for path in ("feed.atom", "projects/p05/feed.atom"):
            links, top = feed_links(m, path), base.rstrip("/") + "/" if base else "https://nowhere.example/"
            assert len(links) > 3, links
            for link in links:
                whole = urllib.parse.urljoin(top + path, link)
                assert whole.startswith(top) and (not base or link == whole), (path, link)
                page, _, anchor = whole[len(top):].partition("#")
                assert not anchor or f'id="{anchor}"' in show(m, page), (path, link)
                assert "</html>" in show(m, page)
            assert any(urllib.parse.urljoin(top + path, x) == f"{top}conflicts/{c['id']}.html" for x in links), (path, links)


def test_many_changes(m):
    """A hundred are told, the others counted by project; a dispute is told first."""
    start(m)
    publish(m, *[state(f"k{i}", str(i), project="p06", id=f"m{i}") for i in range(300)],
            decision("PEEK", id="e1", project="p05"), decision("PTFE", id="e2", project="p05"))
    told = publications(m)[-1][1]
    assert sum(x["kind"] == "change" for x in told) == 100 and told[0]["event"] == "disputed"
    assert sum(x["changes"] for x in told if x["kind"] == "more") == 203
    body = m.git("log", "-1", "--format=%b", "mirror")
    assert "- p06: 300 changes of facts" in body and "k17" not in body
    said = m.run("log", "-v").out
    assert all(f"k{i}: appeared" in said for i in range(300)), said
    for page, link in ("changes.md", "projects/p06/README.md"), ("projects/p06/changes.md", "README.md"):
        md = show(m, page)
        assert f"[Polisher]({link}): 203 more changes.\n\n`hmirror log -v` lists them.\n" in md, md
        html = show(m, page.replace(".md", ".html"))
        assert f'<a href="{link.replace("README.md", "index.html")}">Polisher</a>: 203 more changes.' in html, html
    assert "lists them" not in show(m, "projects/p05/changes.md")


def test_edited_by_hand(m):
    """A data file that somebody changed gives no facts that nobody recorded."""
    start(m)
    m.run("publish")
    work = m.path("work")
    subprocess.run(["git", "clone", "-q", "-b", "mirror", m.path("mirror.git"), work], check=True, env=m.env)
    path = os.path.join(work, "data/p06/state.jsonl")
    text = open(path).read()
    open(path, "w").write(text.replace("45 rpm", "46 rpm"))
    subprocess.run("git -c user.name=x -c user.email=x@x commit -qam edit && git push -q", shell=True, check=True, cwd=work, env=m.env)
    publish(m, state("k", "v", project="p05"))
    assert "46 rpm" not in show(m, "data/changes.jsonl") and "45 rpm" in show(m, "data/p06/state.jsonl")
    assert subject(m) == "p05: k is new: v"


if __name__ == "__main__":
    main(globals())
