#!/usr/bin/env python3
"""Names of files in their own script: letters of any script stay, links are percent-encoded and lead somewhere, in every kind of file;
without the key, or with `ascii: true`, nothing is named otherwise than before."""
import html
import json
import os
import re
import urllib.error
import urllib.parse
import urllib.request

from harness import *
from server import Server, served

NAMES = ["倉庫の温度計", "Straße", "Łódź", "Café", "CAFÉ", "cafe\u0301 ", "हिन्दी नाम", "Ωμέγα", "ﺏﺎﺑ", "Ünïté", "plain name", "Strasse", "Дом 2", "a/b", "\u200b\u3164", "長" * 90, "é" * 100]
LISTED = {"倉庫の温度計", "straße", "łódź", "हिन्दी-नाम", "ωμέγα", "ünïté", "plain-name", "дом-2"}


def fill(m, config=None):
    if config is not None:
        m.write("mirror.yml", config)
    rows = [entity("Component", {}, name=n, project="北の村", id=f"e{i}") for i, n in enumerate(NAMES)]
    rows += [{"kind": "relation", "id": f"r{i}", "project": "北の村", "type": "PART_OF", "from": f"e{i}", "to": "s1"} for i in range(len(NAMES))]
    rows += [entity("Subsystem", {}, name="水路", project="北の村", id="s1"), parameter("5 kg", name="重さ", project="北の村", id="p1"), parameter("6 kg", name="重さ", project="北の村", id="p2")]
    rows += [state("кран", "1", category="вода", project="Дом", id="t1"), state("кран", "2", category="вода", project="Дом", id="t2"),
             memory("The 水路 depth is 3 m", project="北の村", id="m1", tags=["水"])]
    rows += [entity("部品", {"size": str(i)}, name=f"部{chr(0x4e00 + i * 7)}品", project="北の村", id=f"q{i}") for i in range(60)]
    m.facts(*rows)


def files(folder):
    return {os.path.relpath(os.path.join(d, f), folder) for d, _, names in os.walk(folder) for f in names}


LINKS = [("html", re.compile(r'(?:href|src)="([^"]*)"')), ("md", re.compile(r"\]\(([^)\s]*)\)")), ("atom", re.compile(r'href="([^"]*)"')),
         ("svg", re.compile(r'href="([^"]*)"')), ("xml", re.compile(r"<loc>([^<]*)<"))]


def check_links(site, base=""):
    """Every link is in ASCII and leads to a file, and an anchor on it to one."""
    there, seen = files(site), 0
    anchors = {}
    for name in sorted(there):
        for end, pattern in LINKS:
            if not name.endswith("." + end) or name == "404.html":
                continue
            with open(os.path.join(site, name), encoding="utf-8") as f:
                text = f.read()
            for link in pattern.findall(text):
                link = html.unescape(link)
                assert link.isascii(), (name, link)
                if base and link.startswith(base):
                    target, at = link[len(base):], ""
                elif "://" in link or link.startswith("data:") or not link:
                    continue
                else:
                    target, at = link, os.path.dirname(name)
                target, _, anchor = target.partition("#")
                path = os.path.normpath(os.path.join(at, urllib.parse.unquote(target))) if target else name
                if os.path.isdir(os.path.join(site, path)):
                    path = os.path.normpath(os.path.join(path, "index.html"))
                assert path in there, (name, link)
                if anchor and path.endswith(".html"):
                    if path not in anchors:
                        with open(os.path.join(site, path), encoding="utf-8") as f:
                            anchors[path] = set(re.findall(r'\bid="([^"]*)"', f.read()))
                    assert urllib.parse.unquote(anchor) in anchors[path], (name, link)
                seen += not path.isascii()
    return seen


def test_names_in_their_own_script(m):
    m.run("init")
    assert "\npages:\n  ascii: false\n" in m.text("mirror.yml")
    fill(m)
    m.write("mirror.yml", m.text("mirror.yml").replace("#list_limit: 150", "list_limit: 10"))
    m.run("build")
    there = files(m.path("site"))
    folder = "projects/北の村/entities/component"
    stems = {os.path.basename(x)[:-3] for x in there if x.startswith(folder) and x.endswith(".md")}
    assert LISTED <= stems, LISTED - stems
    # Those that fold alike have two pages, also where a file system tells less apart; what is lost or cut has a digest.
    cafes = sorted(x for x in stems if x.startswith("café"))
    assert len(cafes) == 3 and cafes[0] == "café" and all(re.fullmatch(r"café-[0-9a-f]{8}", x) for x in cafes[1:]), cafes
    assert any(re.fullmatch(r"strasse-[0-9a-f]{8}", x) for x in stems) and any(re.fullmatch("a-b-[0-9a-f]{8}", x) for x in stems), stems
    folded = [x.casefold() for x in there]
    assert len(set(folded)) == len(folded)
    for x in there:
        for part in x.split("/"):
            stem = part.rsplit(".", 1)[0]
            assert len(stem) <= 64 and len(stem.encode()) <= 180, part
    assert {"subsystems/水路.md", "entities/部品.md"} <= {x.split("/", 2)[2] for x in there if x.startswith("projects/北の村/")}, there
    assert check_links(m.path("site")) > 500
    assert ", 0 broken links of" in m.run("check", code=None).out
    shards = [x for x in there if x.startswith("search/")]
    links = [re.findall(r'"((?:[^"\\]|\\.)*\.html[^"]*)"', m.text("site", x)) for x in shards]
    assert any("%E5" in link for found in links for link in found) and all(link.isascii() for found in links for link in found), links[:3]
    before = m.tree("site")
    m.run("build")
    assert m.tree("site") == before
    m.run("publish")
    listed = m.git("-c", "core.quotepath=off", "ls-tree", "-r", "--name-only", "mirror").splitlines()
    assert set(x for x in there if not x.startswith("search/")) <= set(listed), there - set(listed)
    assert "北の村 / 重さ" in m.run("log", "重さ").out and "кран" in m.run("log", "--project", "Дом", "кран", code=None).out + m.run("log", "кран").out
    with served(m.path("site")) as url:
        page = urllib.parse.quote(f"{folder}/倉庫の温度計.html")
        assert "倉庫の温度計" in urllib.request.urlopen(f"{url}/{page}").read().decode()
    with Server(m) as s:
        for path in (page, urllib.parse.quote("projects/北の村/entities/parameter.html")):
            got = urllib.request.urlopen(f"{s.url.rstrip('/')}/{path}").read()
            assert ("重さ" if "parameter" in path else "倉庫の温度計").encode() in got
        for path in (page[:-5] + "%C3.html", "projects/%E5%8C%97..%2F..%2F", "projects/%E5%8C"):
            try:
                urllib.request.urlopen(f"{s.url.rstrip('/')}/{path}")
                assert False, path
            except urllib.error.HTTPError as e:
                assert 400 <= e.code < 500, path


def test_an_address_has_them_too(m):
    """Feeds, the sitemap and canonical links of a site with an address."""
    m.run("init")
    m.write("mirror.yml", m.text("mirror.yml").replace('#base_url: ""', "base_url: https://host.example/m/"))
    fill(m)
    m.run("build")
    assert "host.example/m/projects/%E5%8C%97" in m.text("site", "sitemap.xml")
    assert check_links(m.path("site"), "https://host.example/m/") > 500
    assert ", 0 broken links of" in m.run("check", code=None).out


def test_the_default_moves_nothing(m):
    """A mirror.yml without the key names files as one that says `true`, and as `latin` but for letters that have a Latin form."""
    seen = {}
    for how in ("", "pages: {ascii: true}\n", "pages: {ascii: latin}\n"):
        for f in ("hmirror.db", "hmirror.db.cache"):
            if os.path.exists(m.path(f)):
                os.remove(m.path(f))
        fill(m, how)
        m.run("build", "-d", "site")
        seen[how] = files(m.path("site"))
        assert all(x.isascii() for x in seen[how])
        check_links(m.path("site"))
    plain, true, latin = seen.values()
    assert plain == true and {"x-" in x for x in plain} == {True, False}
    assert len(plain) == len(latin) and plain - latin, "ß and ł"
    assert any("/strasse-" in x for x in latin) and any("/lodz-" in x for x in latin) and not any("/lodz-" in x for x in plain)
    m.write("mirror.yml", "pages: {ascii: maybe}\n")
    m.fails("build", has=("mirror.yml:1", "pages.ascii", "true, false or latin"))


if __name__ == "__main__":
    main(globals())
