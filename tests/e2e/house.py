#!/usr/bin/env python3
"""A house's own style without a fork: style sheets, <head>, logo, colours, variables of templates,
and what search engines and social media read."""
import json
import os
import re

from harness import Mirror, decision, main, state

CSP = re.compile(r'http-equiv="Content-Security-Policy" content="([^"]*)"')


def some(m):
    m.facts(decision("A"), decision("B"), state("x", "1", id="s1"))


def overview(m):
    return next(p for p in m.tree("site") if re.fullmatch(r"projects/[^/]*/index.html", p))


def house(m, more=""):
    m.write("style/brand.css", ":root { --measure: 40rem; }\n")
    m.write("logo.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>")
    m.write("head.html", '<meta name="theme" content="{{title}}">\n<script src="{{root}}assets/count.js" defer></script>\n')
    m.write("theme/count.js", "1;\n")
    m.write("mirror.yml", "extra_css: [style/brand.css]\nextra_head: head.html\nlogo: logo.svg\n"
            'colours: {accent: "#7a1f5f #e084c9"}\n' + more)


def test_all_of_it(m):
    some(m)
    house(m)
    r = m.run("build")
    assert r.err == "", r.err
    front, deep = m.text("site", "index.html"), m.text("site", overview(m))
    assert m.read("site", "assets", "brand.css") == b":root { --measure: 40rem; }\n"
    colours = m.text("site", "assets", "colours.css")
    assert ":root {\n  --accent: #7a1f5f;\n}" in colours and "--accent: #e084c9;" in colours.split("@media")[1]
    sheets = re.findall(r'rel="stylesheet" href="([^"]*)"', deep)
    assert sheets == ["../../assets/style.css", "../../assets/colours.css", "../../assets/brand.css"], sheets
    assert '<img class="logo" src="assets/logo.svg" alt="">' in front
    assert '<script src="../../assets/count.js" defer></script>\n</head>' in deep
    assert "script-src 'self'" in CSP.search(front)[1] and "style=" not in front + deep
    m.run("check")
    before = m.tree("site")
    m.run("build")
    assert m.tree("site") == before
    m.write("style/brand.css", "a { color: red }\n")
    m.run("build")
    assert m.read("site", "assets", "brand.css") == b"a { color: red }\n"
    m.write("mirror.yml", "")
    m.run("build")
    assert not os.path.exists(m.path("site/assets/colours.css")) and "brand.css" not in m.text("site", "index.html")
    assert "script-src" not in CSP.search(m.text("site", "index.html"))[1]


def test_too_little_contrast_is_warned_of(m):
    """A warning for each mode: which pair, how much, what is asked for, what to do; the build goes on."""
    some(m)
    m.write("mirror.yml", 'colours: {link: "#8cf #84c9e0"}\n')
    r = m.run("build")
    said = "mirror.yml: colours: in light mode link #8cf stands on stripe #f5f4f0 with a contrast of 1.57, and many readers need 4.5 (WCAG AA) " \
           "(and 2 more such pairs): make one of them darker or lighter"
    assert r.err.splitlines() == ["hmirror: " + said], r.err
    m.write("mirror.yml", 'colours: {link: "#14586e", paper: "#fff #111"}\n')
    r = m.run("build")
    assert "dark mode link #14586e stands on" in r.err and "light mode" not in r.err, r.err
    m.write("mirror.yml", 'colours: {accent: "#7a1f5f #e084c9", line: "#fdfcfb"}\n')
    assert m.run("build").err == ""
    m.write("theme/style.css", "body { color: black }\n")
    m.write("mirror.yml", 'colours: {link: "#8cf"}\n')
    assert m.run("build").err == "", "of a theme without such colours nothing is known"


def test_inline_script_and_style_are_warned_of(m):
    some(m)
    m.write("mirror.yml", "extra_head: head.html\n")
    m.write("head.html", "<SCRIPT\ntype=module>alert(1)</script>\n<style>a{}</style>\n")
    r = m.run("build")
    assert "head.html: an inline script, which browsers will not run" in r.err, r.err
    assert "head.html: an inline style" in r.err, r.err
    m.write("head.html", '<script async src="{{root}}assets/list.js"></script><meta name="x" content="y">\n')
    assert m.run("build").err == ""


def test_files_that_cannot_be_taken(m):
    some(m)
    m.write("mirror.yml", "extra_css: [gone.css]\n")
    m.fails("build", has="gone.css: No such file")
    for key, folder in (("templates", "gone"), ("static", "mirror.yml")):
        m.write("mirror.yml", f"{key}: {folder}\n")
        m.fails("build", has=[f"{folder}: ", "make that folder, or name another in mirror.yml"])
    m.write("mirror.yml", "extra_css: [style.css]\n")
    m.write("style.css", "a{}\n")
    m.fails("build", has="style.css: built-in themes/default/style.css would be published as assets/style.css, too: give it another name")
    m.write("mirror.yml", "extra_css: [a/x.css, b/x.css]\n")
    m.write("a/x.css", "a{}\n")
    m.write("b/x.css", "b{}\n")
    m.fails("build", has=("b/x.css", "give it another name"))
    os.makedirs(m.path("in"))
    os.symlink("../../etc/passwd", m.path("in", "p.css"))
    m.write("in/mirror.yml", "extra_css: [p.css]\nstore: ../hmirror.db\n")
    os.unlink(m.path("in", "p.css"))
    os.symlink("../a/x.css", m.path("in", "p.css"))
    m.fails("--config", "in/mirror.yml", "build", has="in/p.css: a link to a file outside of its folder")
    m.write("mirror.yml", "extra_head: h.html\n")
    m.write("h.html", b"<meta name=a content=\xff>")
    m.fails("build", has="h.html: not valid UTF-8")
    m.write("h.html", "\n{{mirror_titel}}")
    m.fails("build", has="h.html:2: there is no variable mirror_titel here: did you mean {{mirror_title}}?")
    assert not os.path.exists(m.path("site"))


def test_an_unknown_name_in_a_template_is_an_error(m):
    some(m)
    m.write("templates/partials/footer.html.mustache", "<footer>\n{{mirror_title}} {{romt}}</footer>\n")
    m.fails("build", has="templates/partials/footer.html.mustache:2: there is no variable romt here: did you mean {{root}}?")
    m.write("templates/partials/footer.html.mustache", "<footer>\n{{mirror_title}} {{root}}</footer>\n")
    m.run("build")


def test_a_template_that_no_page_has_is_warned_of(m):
    some(m)
    m.write("templates/overveiw.md.mustache", "x\n")
    r = m.run("build")
    assert r.err == "hmirror: templates/overveiw.md.mustache: no page has this template, and no other names it: did you mean overview.md.mustache?\n", r.err
    os.unlink(m.path("templates/overveiw.md.mustache"))
    m.write("templates/partials/house.html.mustache", "<p>House</p>\n")
    assert "see 'hmirror theme list'" in m.run("build").err
    m.write("templates/partials/footer.html.mustache", "<footer>\n{{>house}}</footer>\n")
    assert m.run("build").err == "" and "<p>House</p>" in m.text("site", "index.html")


def test_theme_variables(m):
    out = m.run("theme", "variables", "overview").out
    assert "\nid, aliases  Its id and its other names.\n" in "\n" + out, out[:300]
    assert "\n[value]\n" in out
    got = m.run("--format", "json", "theme", "variables", "shell.html").json()
    assert got["template"] == "shell.html"
    assert {"name": "body", "part": "", "meaning": "The page, as HTML."} in got["variables"], got
    m.fails("theme", "variables", has="the name of one template")
    m.fails("theme", "variables", "style.css", has="the name of one template")


def test_search_engines_and_cards(m):
    some(m)
    m.run("build")
    assert "og:title" not in m.text("site", "index.html") and not os.path.exists(m.path("site/sitemap.xml"))
    m.run("build", "-b", "https://example.org/m")
    assert m.text("site", "robots.txt") == "User-agent: *\nAllow: /\nSitemap: https://example.org/m/sitemap.xml\n"
    urls = re.findall(r"<loc>(.*?)</loc>", m.text("site", "sitemap.xml"))
    pages = sorted(p for p in m.tree("site") if p.endswith(".html") and p != "404.html")
    assert sorted(urls) == sorted("https://example.org/m/" + re.sub(r"(^|/)index\.html$", r"\1", p) for p in pages)
    page = m.text("site", overview(m))
    for line in ('property="og:title" content="', 'property="og:type" content="article"', 'property="og:description" content="',
                 'property="og:url" content="https://example.org/m/projects/', 'name="twitter:card" content="summary"'):
        assert line in page, line
    assert 'property="og:type" content="website"' in m.text("site", "index.html")
    assert "og:" not in m.text("site", "404.html")
    m.write("static/robots.txt", "User-agent: *\nDisallow: /\n")
    m.run("build", "-b", "https://example.org/m")
    assert "Disallow" in m.text("site", "robots.txt")
    listed = {f["path"] for f in json.loads(m.text("site", "manifest.json"))["files"]}
    assert {"robots.txt", "sitemap.xml"} <= listed


if __name__ == "__main__":
    main(globals())
