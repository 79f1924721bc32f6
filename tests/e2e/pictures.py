#!/usr/bin/env python3
"""Pictures: nothing that is left out, no file of the machine, the same bytes, only what changed."""
import os
import re
import subprocess
import tempfile

from harness import *


def relation(id, type, a, b, **kw):
    return {"kind": "relation", "id": id, "type": type, "project": "p05", "from": a, "to": b, **kw}


def link(src, dst, rel="refines"):
    return {"kind": "link", "src": src, "dst": dst, "rel": rel}


def workshop(n=12):
    rows = [project("p05")]
    for i in range(n):
        rows.append(entity("Subsystem" if i < 3 else "Component", {"mass": f"{i + 1} kg"}, f"part {i}", id=f"e{i}"))
        if i:
            rows.append(relation(f"r{i}", "PART_OF", f"e{i}", f"e{i // 2}"))
        rows.append(memory(f"Part {i} was looked at.", "episodic", id=f"m{i}"))
        rows.append(link(f"memory:m{i}", f"entity:e{i // 3}"))
    return rows


def svgs(m, *where):
    return {p: d for p, d in m.site_bytes(*(where or ("site",))) if p.endswith(".svg") and "/pictures/" in "/" + p}


def test_drawn_and_told(m):
    m.facts(*workshop(), {**decision("A", id="d1"), "status": "superseded", "superseded_by": "d2"}, decision("B", id="d2"),
            state("lateral_support_material", "C", created_at="2026-03-01"))
    m.run("build")
    drawn = svgs(m)
    assert sorted(p for p in drawn if p.startswith("projects/p05")) == [f"projects/p05/pictures/{n}.svg" for n in ("links", "open", "relations", "stood", "supersession")] or \
        sorted(p.split("/")[-1] for p in drawn if p.startswith("projects/p05")) == ["links.svg", "relations.svg", "supersession.svg"], sorted(drawn)
    for path, data in drawn.items():
        assert m.run("check").code == 0
        subprocess.run(["xmllint", "--noout", "-"], input=data, check=True)
        text = data.decode()
        assert "<title" in text and "<desc" in text and "<script" not in text and "href" not in text, path
    page = m.text("site", "projects/p05/pictures/relations.md")
    assert "12 rows, 11 relations" in page and page.count("| PART_OF |") == 11, page
    html = m.text("site", "projects/p05/pictures/relations.html")
    assert 'aria-hidden="true"></svg><img class="drawing" src="relations.svg" alt="Subsystems and relations: 12 rows, 11 relations; the list below says the same" />' in html


def test_pages_keep_the_room_of_drawings(m):
    """The HTML says how large each drawing is, so that nothing on the page moves when it arrives: as the file says, or by a guess."""
    example = os.path.join(TOP, "site-example/facts")
    m.run("import", *(os.path.join(example, f) for f in sorted(os.listdir(example))))
    m.write("world.yml", open(os.path.join(TOP, "tests/golden/realm/world.yml")).read())
    m.run("import", os.path.join(TOP, "tests/golden/realm/1-realm.jsonl"))
    for word in ("PEEK", "PTFE"):   # changes.svg is drawn of two publications and more
        m.facts(state("liner", word, source=word), name="more.jsonl")
        m.run("publish")
    with tempfile.TemporaryDirectory() as site:
        tar = subprocess.run(["git", "-C", m.path("mirror.git"), "archive", "mirror"], capture_output=True, check=True).stdout
        subprocess.run(["tar", "-x", "-C", site], input=tar, check=True)
        found = {"wide": 0, "chains": 0, "guessed": 0}
        for folder, _, names in os.walk(site):
            for name in names:
                page = open(os.path.join(folder, name)).read() if name.endswith(".html") else ""
                for room, attributes, src in re.findall(r'(?:<svg class="room" width="1" height="(\d+)"[^>]*></svg>)?<img class="drawing"([^>]*) src="([^"]*)"', page):
                    size = re.search(r'<svg [^>]*? width="([0-9%]+)" height="(\d+)"', open(os.path.join(folder, src)).read())
                    if room:
                        assert not attributes and 0.5 < int(room) / int(size[2]) < 1.2, (name, src, room, size[0])
                    else:
                        assert attributes == ("" if size[1] == "100%" else f' width="{size[1]}"') + f' height="{size[2]}"', (name, src, attributes, size[0])
                    found["guessed" if room else "wide" if size[1] == "100%" else "chains"] += 1
    assert min(found.values()) >= 3, found


def test_legends_name_what_is_drawn(m):
    signs = (("Hatched: contested.", 'class="c"'), ("Dashed: not certain.", 'class="m"'), ("An end that fades out is open.", r'fill="url\(#[fFrR]\)"'))
    boxes = (("A dashed box is history.", 'class="n( d)? o"'), ("What is thick is in dispute:", 'class="(n d|E)'))
    met = set()
    golden = os.path.join(TOP, "tests/golden")
    m.write("world.yml", open(os.path.join(golden, "realm/world.yml")).read())
    for case in "verdicts/facts", "realm/1-realm", "realm/2-crown", "story/facts":
        m.run("import", os.path.join(golden, case + ".jsonl"))
        m.run("build")
        files = dict(m.site_bytes("site"))
        for path, svg in files.items():
            page = files.get(path[:-3] + "md", b"").decode()
            for words, sign in (boxes if "/pictures/" in path else signs) if path.endswith(".svg") and page else ():
                drawn = re.search(sign, re.sub(r"<(style|defs)>.*?</\1>", "", svg.decode(), flags=re.S)) is not None
                assert (words in page) == drawn, (case, path, words, drawn)
                met.add((words, drawn))
    assert len(met) == 10, sorted(met)


def test_what_is_left_out(m):
    m.write("mirror.yml", "publish: {exclude: {types: [Salary], tags: [private], properties: [cost]}}\n")
    m.facts(*workshop(4), entity("Salary", {"amount": "1"}, "XRAYNAME", id="xrayid"), memory("XRAYTOLD", id="xraym", tags=["private"]),
            relation("xr", "XRAYTYPE", "xrayid", "e1"), link("entity:xrayid", "entity:e1", "xrayrel"), link("memory:xraym", "memory:m1", "xraylink"),
            link("memory:m2", "memory:xraym", "xrayout"), entity("Component", {"cost": "part 1"}, "free", id="free"),
            {**memory("Part 1 was seen.", "episodic", id="old"), "status": "superseded", "superseded_by": "memory:xraym"})
    m.run("build")
    blob = b"\n".join(p.encode() + b"\n" + d for p, d in m.site_bytes("site")).lower()
    at = blob.find(b"xray")
    assert at < 0, blob[max(0, at - 200):at + 100]
    assert "4 rows, 3 relations" in m.text("site", "projects/p05/pictures/relations.md")
    assert "6 rows, 4 links" in m.text("site", "projects/p05/pictures/links.md"), m.text("site", "projects/p05/pictures/links.md")
    assert not os.path.exists(m.path("site", "projects/p05/pictures/supersession.md"))
    assert "Linked" not in m.text("site", "projects/p05/entities/salary.md") if os.path.exists(m.path("site", "projects/p05/entities/salary.md")) else True
    m.run("check")


def test_one_fact_redraws_nothing_else(m):
    m.facts(*workshop())
    m.run("build")
    m.run("publish")
    before = svgs(m)
    m.facts(entity("Component", {"mass": "77 kg"}, "part 7", id="e7"))
    m.run("build")
    m.run("publish")
    assert svgs(m) == before
    changed = m.git("diff", "--name-only", "mirror~1", "mirror").split()
    assert any("component" in p for p in changed) and not any("pictures" in p for p in changed), changed
    # a new name changes the drawings that show it, and incremental is the same as full
    m.facts(entity("Component", {"mass": "77 kg"}, "part seven", id="e7"))
    m.run("build")
    after = svgs(m)
    assert [p for p in after if after[p] != before.get(p)] == ["projects/p05/pictures/relations.svg"]
    m.run("build", "-d", "full", "--full")
    assert svgs(m, "full") == after
    # a link that comes changes the entries at both ends
    m.facts(link("memory:m5", "memory:m6", "contradicts"))
    m.run("build")
    told = m.text("site", "projects/p05/memories/undated.md")
    assert "- Linked to (contradicts): [Part 6 was looked at.]" in told and "- Linked from (contradicts): [Part 5 was looked at.]" in told, told


def test_same_bytes(m):
    m.facts(*workshop(40))
    m.run("build", "-d", "one", "-j", "1")
    m.run("build", "-d", "four", "-j", "4")
    again = Mirror()
    try:
        again.facts(*reversed(workshop(40)))
        again.run("build", "-d", "one", env={"GVBINDIR": "/nowhere", "LC_ALL": "de_DE.UTF-8", "DOTFONTPATH": "/nowhere"})
        assert svgs(m, "one") == svgs(m, "four") == svgs(again, "one")
    finally:
        again.close()


def test_no_file_of_the_machine(m):
    """Neither Graphviz's config nor another plugin nor a font is looked for."""
    m.facts(*workshop())
    trace = m.path("trace")
    got = subprocess.run(["strace", "-f", "-e", "trace=open,openat,stat,newfstatat,access", "-o", trace, os.environ["HMIRROR"], "-C", m.path(), "build"],
                         capture_output=True)
    if b"ptrace" in got.stderr:
        return   # where nobody may trace
    assert got.returncode == 0, got.stderr
    lines = [x for x in open(trace, errors="replace") if re.search(r"config6|fontconfig|/fonts|libgvplugin_|\.gvpr|ltdl", x)]
    assert all(re.search(r'libgvplugin_dot_layout\.so|libltdl\.so', x) for x in lines), lines


def test_hostile_names(m):
    names = ["<script>alert(1)</script>", "]]>", "\u202egnp.exe", "a\x01b", "x" * 10000, "\\N\\G", "⚠ disputed", "\uffff", "--><svg onload=x>", '" onload="x']
    m.facts(project("p05"), *(entity("Part", {}, n, id=f"e{i}") for i, n in enumerate(names)),
            *(relation(f"r{i}", names[i], f"e{i}", f"e{(i + 1) % len(names)}") for i in range(len(names))),
            *(link(f"entity:e{i}", f"entity:e{(i + 2) % len(names)}", names[i][:60].replace("\uffff", "y")) for i in range(len(names)) if i != 6))
    m.run("build")
    m.run("check")
    for path, data in svgs(m).items():
        subprocess.run(["xmllint", "--noout", "-"], input=data, check=True)
        assert b"<script" not in data and data.count(b"<svg") == 1 and b' onload="' not in data and "\u202e".encode() not in data, path
        assert len(data) < 20000, (path, len(data))
        width = int(re.search(rb'width="(\d+)"', data)[1])
        assert width < 6000, width


main(globals())
