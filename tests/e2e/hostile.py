#!/usr/bin/env python3
"""Facts are hostile: every nasty text in every field, names and ids included."""
import html.parser
import re
import unicodedata
import urllib.parse
from harness import *
from server import Server

NASTY = [
    "<script>alert(1)</script>", "</style><img src=x onerror=alert(1)>", "| x | y |", "`code` ``` ~~~", "[a](javascript:b)",
    "![a](http://evil/x.png)", "{{x}} {{{body}}} {{>shell}} {{#a}}", "# h", "a\nb\r\n\n# c\n\n---\n> q\n- [ ] t", "a\x00b", "a\x01\x1b[31mb",
    "\u202eabc\u202c\u2066x\u2069", "\u200b\ufeffx\u00ad", "../../etc/passwd", "..", ".", "/", "CON", "a\\|b \\\\| c\\", "***b*** __c__ ~~d~~",
    "&lt;b&gt; &amp; &#60;", "<!-- c -->", "https://x.y/?a=b&c=d", "www.x.y", "@everyone #123 :smile: $x^2$", "1. one", "+ plus", "=== ===", "[^1]: note",
    "⚠ disputed", "[⚠ disputed](conflicts/c000000000000.md)", "'\"><svg/onload=alert(1)>", "%2e%2e%2f", "\ud7ff\U0010ffff", "ẞİıſK", "e\u0301" * 50,
]
TAGS = {"html", "head", "meta", "title", "link", "body", "a", "header", "div", "nav", "ol", "li", "main", "footer", "p", "h1", "h2", "h3", "h4", "ul",
        "table", "thead", "tbody", "tr", "th", "td", "strong", "em", "code", "pre", "blockquote", "br", "hr", "span", "input", "del",
        "time", "details", "summary", "script"}


class Page(html.parser.HTMLParser):
    VOID = {"meta", "link", "br", "hr", "input", "img"}

    def __init__(self):
        super().__init__()
        self.stack, self.hrefs, self.ids, self.text, self.markers = [], [], set(), [], []

    def handle_starttag(self, tag, attrs):
        a = dict(attrs)
        drawing = tag == "img" and a.get("class") == "drawing" and re.fullmatch(r"[a-z0-9./-]+\.svg", a["src"])
        # an empty SVG keeps the room of a drawing while that loads
        room = tag == "svg" and set(a) == {"class", "width", "height", "aria-hidden"} and a["class"] == "room" and a["height"].isdigit()
        assert tag in TAGS or drawing or room, f"tag {tag}"
        for k in a:
            assert not k.startswith("on") and k != "style", f"attribute {k}"
        if tag == "script":
            assert set(a) == {"src", "defer"} and a["src"].endswith(("assets/list.js", "assets/search.js")), a
        if tag == "time":
            assert set(a) == {"datetime", "title"} and a["datetime"] == a["title"] and re.fullmatch(r"[0-9TZ:.+-]{4,30}", a["title"]), a
        assert tag not in ("details", "summary") or not a, a
        if "href" in a:
            self.hrefs.append(a["href"])
        if "id" in a:
            assert a["id"] not in self.ids, f"id {a['id']} twice"
            self.ids.add(a["id"])
        if a.get("class") == "disputed":
            self.markers.append(a["href"])
        if tag not in self.VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        assert self.stack and self.stack[-1] == tag, f"</{tag}> in {self.stack}"
        self.stack.pop()

    def handle_data(self, data):
        self.text.append(data)


def walk(m, root="site"):
    """Parses every HTML page; checks paths, structure and every link and anchor. Returns {path: Page}."""
    pages = {}
    files = set()
    for path, data in m.site_bytes(root):
        assert all(re.fullmatch(r"[A-Za-z0-9./_-]", c) or (not c.isascii() and unicodedata.category(c)[0] in "LMN") for c in path), path
        plain = "".join(c for c in path if c.isascii())
        assert re.fullmatch(r"[a-z0-9./-]+", plain.replace("README.md", "readme.md")), path
        files.add(path)
        if path.endswith(".html"):
            p = Page()
            p.feed(data.decode())
            p.close()
            assert not p.stack, (path, p.stack)
            pages[path] = p
    for path, p in pages.items():
        for href in p.hrefs:
            if re.match(r"https?://", href):
                continue
            assert ":" not in href.split("/")[0], (path, href)
            target, _, anchor = href.partition("#")
            assert target.isascii(), (path, href)
            target = urllib.parse.unquote(target)
            full = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
            assert full in files, f"{path}: dead link {href}"
            if anchor:
                assert full in pages and anchor in pages[full].ids, f"{path}: no anchor {href}"
    for path in files:
        if path.endswith(".md"):
            h = path.replace("README.md", "index.html") if path.endswith("README.md") else path[:-3] + ".html"
            assert h in files, h
    return pages


def records(text, n):
    """One record of every kind with the text in every field that takes one."""
    i = f"{text}{n}"
    t = {"created_at": "2026-04-02"}
    return [
        {"kind": "project", "id": i, "name": text, "description": text, "aliases": [text + "alias" + str(n)], **t},
        memory(f"x{n} is {text}", id=i, project=i, scope=text, agent=text, tags=[text], source_refs=[text], **t),
        memory(text, "preference", id=i + "p", project=i, slot_rule=text),
        memory(text, text, id=i + "q", project=i),
        entity("Decision", {"decision_target": text, "decision_field": text, "value": text, text: text, "mass" + text: [text, "b"]}, text,
               id=i, project=i, description=text, source_refs=[text], **t),
        entity("Decision", {"decision_target": text, "decision_field": text, "value": text + "x"}, text, id=i + "2", project=i, **t),
        entity(text, {text: text}, text, id=i + "3", project=i, **t),
        entity("Subsystem", {"subsystem_name": text, "note2": text}, text, id=i + "4", project=i, **t),
        {**entity("Decision", {"value": text}, text, id=i + "5", project=i, **t), "status": "superseded", "superseded_by": i},
        state(text, text, category=text, id=i, project=i, source=text, **t),
        state(text, text + "y", category=text, id=i + "2", project=i, source=text, **t),
        {"kind": "relation", "id": i, "type": text, "project": i, "from": i, "to": i + "4", "properties": {text: text}, "source_refs": [text]},
        {"kind": "relation", "id": i + "2", "type": "PART_OF", "project": i, "from": i + "4", "to": i + "4"},
        {"kind": "link", "src": "memory:" + i, "dst": "entity:" + i, "rel": text},
    ]


def shown(text):
    """What a reader must see, after the cleaning that the design describes."""
    out = re.sub(r"[\s\x85\u2028\u2029]+", " ", text.replace("\ufeff", "")).strip()
    return out


def test_every_field(m):
    rows = []
    for n, text in enumerate(NASTY):
        rows += records(text, n)
    m.facts(*rows)
    m.run("build")
    pages = walk(m)
    everything = "\n".join(re.sub(r"\s+", " ", "".join(p.text)) for p in pages.values())
    for text in NASTY:
        want = shown(text).replace("⚠", "⟦!⟧")
        want = "".join(c if not re.match("[\x00-\x08\x0e-\x1f\x7f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\U0010ffff]", c) else f"⟦U+{ord(c):04X}⟧" for c in want)
        assert want in everything, f"not shown: {text!r} as {want!r}"
    for path, data in m.site_bytes("site"):
        data = re.sub(rb'<script src="(\.\./)*assets/(list|search)\.js" defer></script>', b"", data)
        assert b"<script" not in data or path.endswith((".json", ".jsonl", ".md", ".txt")), path
        data = re.sub(rb'<svg class="room" width="1" height="\d+" aria-hidden="true"></svg>', b"", data)
        assert b"<svg" not in data or path.endswith((".md", ".svg", ".json", ".jsonl", ".txt")), path
    for path, p in pages.items():
        for href in p.markers:
            full = os.path.normpath(os.path.join(os.path.dirname(path), href))
            assert re.fullmatch(r"conflicts/c[0-9a-f]{12,}\.html", full), (path, href)
            assert "Open" in "".join(pages[full].text)
    m.run("publish")
    m.git("fsck", "--strict")


def test_markers_cover_every_open_conflict(m):
    m.facts(*[r for n, t in enumerate(NASTY[:6]) for r in records(t, n)])
    m.run("build")
    pages = walk(m)
    marked = {os.path.basename(h)[:-5] for path, p in pages.items() for h in p.markers}
    assert marked == {c["id"] for c in m.conflicts() if c["disputed"]}


def test_nothing_that_looks_like_a_marker_is_a_link(m):
    """A row's link with the marker's words, in whatever spaces and marks, would be one to the eye."""
    looks = ["⚠ disputed", "⚠\u00a0disputed", "⚠\ufe0f disputed", "⚠\u2003Disputed", "⚠disputed", "⚠ **disputed**"]
    m.facts(*[r for n, t in enumerate(looks) for r in records(t, n)])
    m.run("build")
    for path, data in m.site_bytes("site"):
        if not path.endswith(".html"):
            continue
        for attrs, text in re.findall(r"<a ([^>]*)>(.*?)</a>", data.decode()):
            bare = re.sub(r"[\s\ufe0f\u00a0\u2003*]", "", text).lower()
            assert bare != "⚠disputed" or "disputed" in attrs, (path, attrs, text)
    walk(m)


def test_the_sign_of_the_marker_is_the_mirrors_own(m):
    """On pages, feeds and drawings a fact's ⚠ is ⟦!⟧, with or without U+FE0F; data files, JSON and the export keep it, as do
    commands to be copied, with their ids."""
    signs = ["⚠", "⚠\ufe0f", "⚠\ufe0e", "⚠⚠"]
    m.facts(*[r for n, t in enumerate(signs) for r in records(f"{t}quagga 3", n)], memory("I saw a ⚠ quagga", project="⚠quagga"),
            entity("⚠quagga", {"part_of": "⚠quagga"}, name="see ⚠quagga"))
    m.run("build")
    m.run("publish")
    kept = shown = 0
    for path, data in list(m.site_bytes("site")) + [("feed.atom", m.git("show", "mirror:feed.atom").encode())]:
        text = data.decode()
        if path.endswith((".md", ".html", ".svg", ".atom")):
            text = re.sub(r"(?ms)^```.*?^```|<pre>.*?</pre>", "", text)
            wrong = re.search("⚠[\ufe0e\ufe0f⚠ ]*quagga", text)
            assert not wrong, (path, text[wrong.start() - 80:wrong.end() + 20])
            shown += text.count("⟦!⟧quagga")
        elif path.endswith(".jsonl"):
            kept += text.count("⚠")
            assert "⟦!⟧" not in text, path
    assert kept and shown
    assert "⚠\ufe0fquagga 3" in m.run("export").out


def test_direction_in_json(m):
    """What turns the order of a line's characters is written as \\uXXXX in whatever leaves as JSON, and read back."""
    turns = "a\u202eb\u2066c\u061cd\u200f\u200e\u2069"
    raw = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
    m.facts(project("p" + turns, "q" + turns), memory("k is 2" + turns, id="m" + turns, project="p" + turns, tags=[turns]),
            entity("Part" + turns, {"q" + turns: turns, "list": [turns]}, name=turns, id="e" + turns, project="p" + turns),
            state("k" + turns, "v" + turns, id="s1", project="p" + turns), state("k" + turns, "w" + turns, id="s2", project="p" + turns))
    c, = m.sweep()
    assert c["members"][0]["value"].endswith(turns)
    m.run("build")
    m.run("conflicts", "dismiss", c["id"], "--reason", "x" + turns)
    said = [m.run("export").out, m.run("export", "--verdicts").out]
    for verb in (("conflicts", "list", "--status", "all"), ("conflicts", "show", c["id"]), ("explain", c["id"]), ("health",), ("findings",), ("recall", "k"), ("check",)):
        said.append(m.run("--format", "json", *verb, code=None).out)
    assert sum("\\u202e" in s for s in said) >= 5, said
    with Server(m) as s:
        said += [s.get(at).body.decode() for at in ("/conflicts", f"/conflicts/{c['id']}", "/health")]
    said += [data.decode() for path, data in m.site_bytes("site") if path.endswith((".json", ".jsonl"))]
    for s in said:
        at = raw.search(s)
        assert not at, s[max(at.start() - 100, 0):at.end()]
    again = m.write("again.jsonl", said[0])
    m.run("init", "copy")
    m.run("-C", "copy", "import", again)
    assert m.run("-C", "copy", "export").out == said[0]


def test_invalid_utf8(m):
    m.run("init")
    m.write("f.jsonl", b'{"kind":"memory","id":"m\xff","memory_type":"knowledge","project":"p\xc3","content":"x is \xf0\x28\x8c\x28 y\xed\xa0\x80"}\n')
    m.fails("import", "f.jsonl", has="f.jsonl:1:25: 0xFF is not UTF-8")
    m.run("import", "f.jsonl", "--encoding", "latin1")
    m.sql("INSERT INTO memories(id, memory_type, content) VALUES(CAST(x'ff00fe' AS TEXT), 'knowledge', CAST(x'61206973 20fffe' AS TEXT))"
          .replace("73 20", "7320"))
    m.run("build")
    walk(m)
    for path, data in m.site_bytes("site"):
        data.decode()


def test_megabytes(m):
    big = "x" * ((10 if THOROUGH else 2) << 20)
    with costs_less_than(10):
        m.facts(memory("a is " + big, id="m1"), parameter(big, "a", id="e1"), state("a", "small", id="s1"),
                state(big[:1 << 20], "v", id="s2"), parameter("v", big[:1 << 20], id=big[:1 << 20]))
        m.run("build")
    walk(m)
    sizes = [len(d) for p, d in m.site_bytes("site") if p.endswith((".html", ".md"))]
    assert max(sizes) < 1 << 20, max(sizes)
    whole = [p for p, d in m.site_bytes("site") if p.startswith("data/") and big.encode() in d]
    assert whole, "the whole value is not under data/"


def test_pathological_megabytes(m):
    """Of each shape that makes Markdown parsers slow a megabyte, or a part of it."""
    size = 1 << 20 if THOROUGH else 1 << 16
    shapes = ["[" * 10, "*a ", "<", ">", "`", "|", "_a", "![", "&#", "\\", "\n>", "| a |\n", "[a](", "**", "~~", "$", "a\n"]
    m.facts(*[parameter((s * size)[:size], f"v{i}") for i, s in enumerate(shapes)],
            *[memory(f"w{i} is " + (s * size)[:size]) for i, s in enumerate(shapes)])
    with costs_less_than(10):
        m.run("build")
    walk(m)


def test_deep_json(m):
    m.run("init")
    m.write("f.jsonl", '{"kind":"entity","id":"e","entity_type":"X","name":"n","properties":{"a":' + "[" * 100000 + "]" * 100000 + "}}\n")
    m.fails("import", "f.jsonl", has="f.jsonl:1")


def test_many_claims_in_one_slot(m):
    n = 20000 if THOROUGH else 2000
    m.facts(*[memory(f"prefers style{i % 7000} workflow", "preference", id=f"m{i}", project="p") for i in range(n)])
    with costs_less_than(10):
        c, = m.sweep()
        assert len(c["members"]) == n
        m.run("build")
    walk(m)


def test_many_relations_between_the_same(m):
    """A component that is part of a subsystem, and is spoken of, very many times over."""
    n = 15000 if THOROUGH else 4000
    m.facts(*[{"kind": "entity", "id": t[0].lower(), "entity_type": t, "project": "p", "name": t} for t in ("Subsystem", "Component", "Decision")],
            *[{"kind": "relation", "id": f"{t}{i}", "type": t, "project": "p", "from": a, "to": b}
              for i in range(n) for t, a, b in (("PART_OF", "c", "s"), ("AFFECTS", "d", "c"))])
    m.run("sweep")
    with costs_less_than(4):
        m.run("build")
    page = m.text("site", "projects", "p", "subsystems", "subsystem.md")
    assert "entities/decision/decision.md" in page and "entities/component/component.md" in page, page
    page = m.text("site", "projects", "p", "entities", "component", "component.md")
    assert page.count("| [r") <= 200 and f"{n - 100:,} more stand in" in page, page[:3000]


if __name__ == "__main__":
    main(globals())
