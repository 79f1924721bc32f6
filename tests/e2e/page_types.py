#!/usr/bin/env python3
"""Every type of page that a mirror can have, in a real browser: each is there, light enough, without a mistake that axe-core
knows, and reached by keyboard. page_types.py --shots DIR takes a picture of each instead, at two widths, light and dark."""
from browser import Browser, site, violations, with_browser
from harness import *
from judge import AGAIN, ENV, GRAPHQL, REST, confirm, judge, proposing

GOLDEN = os.path.join(TOP, "tests", "golden")
EXAMPLE = os.path.join(TOP, "site-example")
P = {"project": "lab"}


def day(n):
    return f"2026-{1 + n // 28:02d}-{1 + n % 28:02d}T09:00:00Z"


def relation(id, type, frm, to, **kw):
    return {"kind": "relation", "id": id, "type": type, "from": frm, "to": to, **kw}


def person(id, name, **props):
    return entity("Person", props, name, id=id, project="family", created_at=day(1))


def lab():
    """A project with the kinds of conflict that the example has not."""
    for i, volts in enumerate((3, 5, 9, 12, 15, 24, 48)):
        yield entity("Parameter", {"parameter_scope": "supply", "parameter_name": "voltage", "value": f"{volts} V"}, "voltage", id=f"volt-{i}",
                     source_refs=[f"sheet {10 + i}"], created_at=day(i), **P)
    yield state("operator", "Ines", id="op-1", source="rota 4", valid_from="2026-01-01", valid_until="2026-03-15", created_at=day(2), **P)
    yield state("operator", "Kim", id="op-2", source="rota 5", valid_from="2026-03-01", valid_until="2026-06-30", created_at=day(3), **P)
    yield state("operator", "Lee", id="op-3", source="rota 6", valid_from="2026-06-30", created_at=day(4), **P)
    yield memory("Deploy on Fridays before noon.", id="fri-1", agent="claude", created_at=day(5), **P)
    yield memory("Never deploy on Fridays before noon.", id="fri-2", agent="codex", created_at=day(6), **P)
    yield memory("The mirror coating came back from the vendor with a scratch near its edge, and was sent in again.", id="scratch", agent="claude", created_at=day(7), **P)
    yield memory("The mirror coating arrived without any damage.", id="intact", agent="codex", created_at=day(8), **P)
    yield memory("Backups are copied to Dallas every night.", id="dup-1", created_at=day(9), **P)
    yield memory("Every night, backups are copied to Dallas.", id="dup-2", created_at=day(10), **P)
    yield memory("The gate width is 410 mm.", id="hidden", tags=["private"], created_at=day(11), **P)
    yield state("gate_width", "412 mm", id="door", source="porter", created_at=day(12), **P)
    yield memory("The gate width is 413 mm.", id="shown", created_at=day(12), **P)
    for i in range(230):
        yield memory(f"Run {i + 1} of the camera test ended after {100 + i * 7 % 60} frames.", "episodic", id=f"run-{i}", agent="claude", created_at=day(i), **P)
        yield decision(f"variant {i % 7}", target=f"bench {i}", name=f"BEP {i}: Bench {i} of the hall", id=f"bep-{i}", created_at=day(i), **P)
    for i in range(40):
        yield state(f"lamp {i} current", f"{i} mA", id=f"lamp-{i}", source=f"sheet {i}", created_at=day(i), **P)
        yield memory(f"The lamp {i} current is {i + 1} mA.", id=f"lamp-m{i}", created_at=day(i + 1), **P)
    for i in range(120):
        yield relation(f"part-{i}", "PART_OF", f"piece-{i}", "absent-whole" if i % 3 == 0 else "piece-0" if i else "bench", created_at=day(i), **P)
        yield entity("Component", {"mass": f"{i} g"}, f"Piece {i}", id=f"piece-{i}", created_at=day(i), **P)


def family():
    """People: three parents, of whom two stand; an heir who is his own ancestor; a battle after a death."""
    yield project("family", name="House of Thorn", description="A family, for rules on lives.")
    yield person("kim", "Kim Thorn")
    for id, name in (("anna", "Anna Thorn"), ("ben", "Ben Ash"), ("cleo", "Cleo Ash"), ("dan", "Dan Oak"), ("eve", "Eve Oak"), ("fay", "Fay Oak")):
        yield person(id, name)
    for i, (frm, to) in enumerate((("anna", "kim"), ("ben", "kim"), ("cleo", "kim"), ("anna", "eve"), ("ben", "eve"), ("dan", "eve"), ("eve", "fay"), ("fay", "dan"))):
        yield relation(f"parent-{i}", "PARENT_OF", frm, to, project="family", source_refs=[f"register {i}"], created_at=day(i + 1))
    yield person("gil", "Gil Thorn", birth="1790-01-02", death="1812-05-06")
    yield entity("Event", {"date": "1815-06-18"}, "Battle of the Ford", id="ford", project="family", created_at=day(1))
    yield relation("fought", "PARTICIPATED_IN", "gil", "ford", project="family", source_refs=["letters"], created_at=day(9))
    yield entity("Location", {}, "Thorn Hall", id="hall", project="family", created_at=day(1))
    yield relation("rule-1", "RULES", "anna", "hall", project="family", valid_from="1801", valid_until="1820", source_refs=["roll 1"], created_at=day(3))
    yield relation("rule-2", "RULES", "dan", "hall", project="family", valid_from="1811", source_refs=["roll 2"], created_at=day(4))


def golden(m, case):
    """Facts and calendar of a golden site."""
    here = os.path.join(GOLDEN, case)
    if os.path.exists(os.path.join(here, "world.yml")):
        shutil.copy(os.path.join(here, "world.yml"), m.path("world.yml"))
    m.run("import", *(os.path.join(here, f) for f in sorted(os.listdir(here)) if f.endswith(".jsonl")))


def settle(m, key, *verdict):
    c, = [x for x in m.conflicts() if x["slot_key"][-2:] == key]
    m.run("conflicts", *verdict[:1], c["id"], *verdict[1:], "--by", "kim")


def build_all(m):
    """A mirror with nearly every type of page, published twice so that it has changes."""
    with judge(m, proposing("We use REST", "GraphQL", "REST-based")):
        m.facts(project("api", name="Public API"), *({**f, "project": "api"} for f in (REST, GRAPHQL, AGAIN)))
        m.run("judge", env=ENV)
        confirm(m)
    m.write("mirror.yml", "title: Workshop mirror\nstore: hmirror.db\noutput: site\n"
            "publish:\n  repo: mirror.git\n  branch: mirror\n  exclude:\n    tags: [private]\n")
    facts = os.path.join(EXAMPLE, "facts")
    golden(m, "realm")
    m.run("import", *(os.path.join(facts, f) for f in sorted(os.listdir(facts))))
    m.facts(project("lab", name="Laboratory", description="Benches, lamps and what is said of them."), *family())
    m.run("publish")
    m.facts(*lab(), name="lab.jsonl")
    f, = [x["id"] for x in m.run("findings", "--format", "json").json()["findings"] if x["kind"] == "possible_contradiction" and "memory:fri-1" in x["rows"]]
    m.run("findings", "confirm", f, "--by", "kim")
    settle(m, ["PARENT_OF", "kim"], "resolve", "--winner", "parent-0", "--winner", "parent-2", "--notes", "The register names these two.")
    settle(m, ["p06-polisher", "pitch_grade"], "dismiss", "--reason", "Two polishers, each with its own pitch.")
    settle(m, ["p05-interferometer", "frame_leg_mass"], "resolve", "--no-action", "--notes", "Weigh it again first.")
    m.run("publish")
    m.run("build")


def published(m):
    """What the branch holds, as files: only a publication has pages of changes."""
    subprocess.run(f"rm -rf {m.dir}/site && mkdir {m.dir}/site && git --git-dir {m.dir}/mirror.git archive mirror | tar -x -C {m.dir}/site",
                   shell=True, check=True)


def conflicts_of(m):
    """{the end of a slot's key: the page of its conflict}"""
    return {" ".join(c["slot_key"][-2:]): f"conflicts/{c['id']}.html" for s in ("open", "resolved", "dismissed") for c in m.conflicts(s)}


CASES = {"two values": "p05-interferometer fringe_analysis_version", "three layers": "p05-interferometer lateral_support_material",
         "many values": "lab supply_voltage", "windows": "lab operator", "preference": "preference workflow (git)", "relation": "RULES hall",
         "relation in ages": "RULES keep", "too many parents": "PARENT_OF eve", "several winners": "PARENT_OF kim",
         "no action": "p05-interferometer frame_leg_mass", "dismissed": "p06-polisher pitch_grade", "withheld": "lab gate_width",
         "judged": "judged", "confirmed": "contradiction"}
PAGES = {
    "front": "index", "overview": "projects/p05-interferometer/index", "overview, world": "projects/realm/index", "overview, large": "projects/lab/index",
    "overview, small": "projects/api/index", "overview, people": "projects/family/index", "decisions": "projects/p05-interferometer/decisions",
    "decisions, index of parts": "projects/lab/decisions", "decisions, part": "projects/lab/decisions-bep-0-99",
    "entities": "projects/p05-interferometer/entities/component", "entities, index": "projects/p05-interferometer/entities/index",
    "entities, index of parts": "projects/lab/entities/decision", "entities, part": "projects/lab/entities/decision-bep-100-199",
    "requirements": "projects/p04-gigalink/entities/requirement", "entity": "projects/p05-interferometer/entities/component/reference-flat",
    "entity, person": "projects/family/entities/person/kim-thorn", "entity, ages": "projects/realm/entities/person/aldric-the-grey",
    "entity, large": "projects/lab/entities/component/piece-0", "memories": "projects/p05-interferometer/memories/2026",
    "memories, index": "projects/p05-interferometer/memories/index", "memories, index of parts": "projects/lab/memories/2026",
    "memories, part": "projects/lab/memories/2026-01", "relations": "projects/p05-interferometer/relations", "relations, people": "projects/family/relations",
    "state": "projects/p05-interferometer/state", "state, large": "projects/lab/state", "subsystem": "projects/p05-interferometer/subsystems/frame",
    "graph": "projects/p05-interferometer/pictures/relations", "graph, links": "projects/p05-interferometer/pictures/links",
    "graph, supersession": "projects/p05-interferometer/pictures/supersession", "graph, people": "projects/family/pictures/relations",
    "graph, large": "projects/lab/pictures/relations", "pictures, project": "projects/p05-interferometer/pictures/index", "pictures": "pictures/index",
    "conflicts": "conflicts/index", "conflicts, newest": "conflicts/newest", "conflicts, by layer": "conflicts/by-layer", "archive": "conflicts/archive/2026",
    "findings": "findings/index", "sources": "sources/index", "sources, part": "sources/d-f", "changes": "changes", "changes, project": "projects/family/changes",
    "a to z": "index-a-z", "a to z, part": "index-a-z/c", "glossary": "glossary", "search": "search", "not found": "404"}


def pages_of(m):
    """{name: path} of every type of page."""
    ids = conflicts_of(m)
    out = {"case, " + k: [p for key, p in ids.items() if key.startswith(v)][0] for k, v in CASES.items()}
    out.update({k: v + ".html" for k, v in PAGES.items()})
    return {k: m.path("site", v) for k, v in out.items()}


MORE = {"story": {"reversal": "API style", "overtaken": "Service port", "values and scope": "API timeout"}, "settled": {"sign-off": "Camera: exposure"},
        "verdicts": {"resolved": "Lateral support: material", "placeholders": "Camera: gain"}}


def more_pages(case):
    """A mirror of the facts of a golden site, and its pages that are of a type of their own."""
    m = Mirror()
    m.run("init")
    golden(m, case)
    m.run("build")
    titles = {re.search("<h1[^>]*>(.*?)</h1>", m.text("site", f"conflicts/{n}")).group(1): n for n in os.listdir(m.path("site/conflicts")) if re.match("c[0-9a-f]{12}.html", n)}
    return m, {f"{case}, {k}": m.path("site/conflicts", titles[t]) for k, t in MORE[case].items()}


class Kinds:
    """The mirrors with every type of page, and their pages by name; closed together."""

    def __init__(self, m):
        self.mirrors = [m]
        build_all(m)
        published(m)
        self.pages = pages_of(m)
        for case in MORE:
            other, more = more_pages(case)
            self.mirrors.append(other)
            self.pages.update(more)

    def close(self):
        for m in self.mirrors:
            m.close()


@functools.cache
def all_kinds():
    """Those that all tests look at."""
    k = Kinds(Mirror())
    atexit.register(k.close)
    return k


PAGE_BYTES, LIST_BYTES = 30_000, 100_000


def weight(m, html):
    """What a browser loads to show a page before its pictures: the page, and the sheets that it names."""
    return len(html) + sum(len(m.read("site", "assets", x.decode())) for x in re.findall(rb'rel="stylesheet" href="[./]*assets/([^"]+)"', html))


def test_weight(m):
    """Every page of the example is light with its style; a long list, and what has long lists, is, too."""
    site(m)
    pages = [(p, weight(m, html)) for p, html in m.site_bytes("site") if p.endswith(".html")]
    assert len(pages) > 90 and not [x for x in pages if x[1] > PAGE_BYTES], sorted(pages, key=lambda x: -x[1])[:5]
    other = all_kinds().mirrors[0]
    pages = [(p, weight(other, html)) for p, html in other.site_bytes("site") if p.endswith(".html")]
    assert len(pages) > 200 and not [x for x in pages if x[1] > LIST_BYTES], sorted(pages, key=lambda x: -x[1])[:5]


def test_an_overview_stays_light(m):
    """A project that has 14 more facts, after a publication of which it tells 14 changes, is a page and no list."""
    site(m)
    m.run("publish")
    more = [state(f"bench {i} height", f"{700 + i} mm", id=f"more-{i}", project="p05-interferometer", source=f"survey of bench {i}", created_at=day(i)) for i in range(14)]
    m.facts(*more, name="more.jsonl")
    m.run("publish")
    m.facts(*({**f, "value": f["value"].replace("7", "8", 1)} for f in more), name="more.jsonl")
    m.run("publish")
    published(m)
    html = m.read("site", "projects/p05-interferometer/index.html")
    assert b'id="last-changed"' in html and b"14 changes" in html
    assert weight(m, html) < PAGE_BYTES, weight(m, html)


def test_an_overview_says_when_facts_hold(m):
    """What ended stands beside what holds, and is told from it."""
    m.facts(memory("Ann lives in Lisbon", id="m1", project="p05", valid_from="2025", valid_until="2026"), memory("Ann lives in Porto", id="m2", project="p05", valid_from="2026"),
            decision("MySQL", target="shop", field="database", name="ADR 1", id="d1", valid_until="2023-05"), parameter("3", "retries", id="e1", valid_until="2024"))
    for until, shown in (("2026", "2026"), ("2025-11", "Nov 2025")):
        m.run("edit", "m1", "-s", "valid_until=" + until)
        m.run("build")
        text = re.sub("<[^>]*>", "", m.text("site", "projects", "p05", "README.md"))
        for part in (f"Ann lives in Lisbon (2025 to {shown}", "Ann lives in Porto (since 2026)\n", "MySQL, on shop, until May 2023", "| 3, until 2024 |"):
            assert part in text, (part, text)


def test_a_sheet_for_one_kind_of_page(m):
    """A sheet of the theme with the name of a template is linked by its pages alone; one that is new reaches them at once."""
    m.facts(state("a", "1"), state("a", "2"))
    m.run("build")
    id, = (c["id"] for c in m.conflicts())
    sheets = lambda p: re.findall(r'stylesheet" href="[./]*assets/([^"]+)"', m.text("site", p))  # noqa: E731
    assert sheets(f"conflicts/{id}.html") == ["conflict.css", "style.css"] and sheets("index.html") == ["root.css", "style.css"]
    assert sheets("projects/p05/index.html") == ["style.css"]
    m.write("theme/overview.css", "/* mine */ h1 { color: red }\n")
    m.run("build")
    assert sheets("projects/p05/index.html") == ["overview.css", "style.css"] and sheets("projects/p05/state.html") == ["list.css", "style.css"]
    assert m.text("site/assets/overview.css") == "/* mine */ h1 { color: red }\n", "the sheet of a user is published as it is"
    assert "/*" not in m.text("site/assets/style.css")


def test_titles_tell_pages_apart(m):
    """In a tab, a bookmark and the results of a search: many projects have a conflict and a thing of one name."""
    for p in ("pw", "pn"):
        m.facts(project(p, name=p.upper()), state("capital", "Koror", project=p), state("capital", "Melekeok", project=p),
                entity("Person", {}, "Ann", id=f"{p}-ann", project=p), relation(f"{p}-r", "KNOWS", f"{p}-ann", f"{p}-ann", project=p),
                *(entity("Decision", {"decision_target": f"t{i}", "value": "x"}, f"BEP {i}", id=f"{p}-{i}", project=p) for i in range(230)), name=f"{p}.jsonl")
    m.run("build")
    titles = {}
    for path, html in m.site_bytes("site"):
        if path.endswith(".html"):
            titles.setdefault(re.search("<title>(.*?)</title>", html.decode()).group(1), []).append(path)
    assert not [t for t in titles.items() if len(t[1]) > 1], titles
    assert {"Conflict: Capital · PW · Human Mirror", "Ann · PN · Human Mirror", "Decision log: BEP 0 to 99 · PN · Human Mirror"} <= set(titles), list(titles)
    page = m.text("site", *titles["Conflict: Capital · PW · Human Mirror"])
    assert 'content="Who says what about Capital in PW, and what to do"' in page and "<h1 id=\"capital\">Capital</h1>" in page, page[:1500]


def test_nothing_empty_is_shown(m):
    """No list of lists for a project without rows, no columns of fields for things without any."""
    m.facts(project("p05", name="Interferometer"), project("p07", name="Vault"), entity("Person", {}, "Ann"), entity("Person", {}, "Ben", source_refs=["roll 1"]),
            entity("Component", {"mass": "4 g"}, "Leg"), entity("Component", {}, "Foot"))
    m.run("build")
    assert "Lists:" not in m.text("site/projects/p07/README.md") and "\nLists: [Entities]" in m.text("site/projects/p05/README.md")
    page = m.text("site/projects/p05/README.md")
    assert "| Name | Source |\n| --- | --- |\n| [Ann](entities/person.md#" in page and "| Name | Field | Value |\n| --- | --- | --- |\n| [Foot](" in page, page


def test_long_numbers_have_groups(m):
    m.facts(*(state(f"key {i}", f"{i} mm") for i in range(1001)), *(memory(f"The key {i} is {i + 1} mm.") for i in range(1001)))
    m.run("build")
    root, conflicts = m.text("site/README.md"), m.text("site/conflicts/README.md")
    assert "[**1,001** disputed]" in root and "| [⚠ 1,001](projects/p05/README.md#disputed) | 0 | 0 | 1,001 | 0 | 1,001 | 0 |" in root, root
    assert "1,001 open conflicts" in m.text("site/conflicts/newest.md") and ": 1,001. Waiting for" in conflicts, conflicts[:300]


def press(b, key, code, vk, text=""):
    for kind in ("keyDown", "keyUp"):
        b.call("Input.dispatchKeyEvent", type=kind, key=key, code=code, windowsVirtualKeyCode=vk, **({"text": text} if kind == "keyDown" and text else {}))


REACHABLE = """[...document.querySelectorAll('a[href], button, input, summary, [tabindex="0"]')].filter(e => e.checkVisibility()
  && !(e.closest('details:not([open])') && e.tagName !== 'SUMMARY'))"""
FOCUS = """(e => { const s = getComputedStyle(e), r = e.getBoundingClientRect(); if (!e.dataset.n) e.dataset.n = document.querySelectorAll('[data-n]').length + 1;
  return [e.tagName, e.dataset.n, s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2, r.right > 0 && r.bottom > 0 && r.top < innerHeight && r.left < innerWidth] })(document.activeElement)"""


SCROLLS_ALONE = """[...document.querySelectorAll('body *')].filter(e => /auto|scroll/.test(getComputedStyle(e).overflow) && e.checkVisibility() && e.tabIndex !== 0
  && (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1) && !e.querySelector('a[href], button, input, summary')).map(e => e.outerHTML.slice(0, 200))"""


@with_browser
def test_keyboard_reaches_everything(m, b):
    """Tab goes through every link, field and button of every type of page, each with a visible focus and in sight; so does it
    to what scrolls. Of a page with many it goes through the first ones and the last ones, through all where the run is thorough."""
    pages = all_kinds().pages
    b.size(1280, 900)
    b.call("Emulation.setFocusEmulationEnabled", enabled=True)      # other browsers of the run may have the window's focus
    for name, page in pages.items():
        b.open(page)
        assert not b.js(SCROLLS_ALONE), (name, b.js(SCROLLS_ALONE))
        b.js("document.activeElement.blur()")
        want, seen = b.js(REACHABLE + ".length"), {}
        parts = [(0, want + 8)] if THOROUGH or want < 24 else [(0, 12), (want - 8, 8 + 8)]
        for after, steps in parts:
            if after:
                b.js(f"{REACHABLE}[{after - 1}].focus()")
            for _ in range(steps):
                b.call("Input.dispatchKeyEvent", type="rawKeyDown", key="Tab", code="Tab", windowsVirtualKeyCode=9)
                tag, n, outlined, in_sight = b.js(FOCUS)
                if tag == "BODY" or n in seen:      # the end, after which it begins anew
                    continue
                frames = 0                          # a busy browser scrolls and draws a frame or some later
                while not (outlined and in_sight) and frames < 40:
                    frames += 1
                    time.sleep(.05)
                    _, _, outlined, in_sight = b.js(FOCUS)
                seen[n] = tag
                assert outlined and in_sight, (name, n, tag, outlined, in_sight, b.js("document.activeElement.outerHTML.slice(0, 200)"))
        assert len(seen) >= min(want, sum(steps - (after > 0) * 8 for after, steps in parts)), (name, len(seen), want)
    b.open(pages["case, three layers"])
    b.js("document.querySelector('summary').focus()")
    press(b, "Enter", "Enter", 13, "\r")
    assert b.js("document.querySelector('details').open"), "the derivation opens by keyboard"


@with_browser
def test_filters_count_entries(m, b):
    """What a filter counts are entries, never lines of them."""
    b.size(1280, 900)
    m.facts(*(entity("Component", {"mass": f"{i} kg", "colour": "red"}, f"Part {i}", id=f"e{i}", source_refs=["list"], created_at=day(i)) for i in range(9)),
            *(decision(str(i), target=f"t{i}", id=f"d{i}", name=f"Bench {i}", created_at=day(i)) for i in range(3)))
    m.run("build")
    b.open(m.path("site/projects/p05/entities/component.html"))
    assert b.js("document.querySelector('.filter output').textContent") == "9 in all"
    b.open(m.path("site/projects/p05/decisions.html"))
    assert b.js("document.querySelector('.filter')") is None, "three need no filter"


@with_browser
def test_the_mark_of_wide_drawings(m, b):
    """On a phone a drawing that goes on beside the screen says so, above it; one that is tall or small does not. No mark lies over any."""
    for p, ends in (("tall", [(i, 0) for i in range(1, 41)]), ("small", [(1, 0)]), ("wide", [(i, i + 1) for i in range(9)])):
        m.facts(*(entity("Component", {}, f"Piece {i}", id=f"{p}-{i}", project=p) for i in range(41)),
                *(relation(f"{p}-part-{i}", "PART_OF", f"{p}-{i}", f"{p}-{k}", project=p) for i, k in ends), name=p + ".jsonl")
    m.run("build")
    for p, marked in (("tall", False), ("small", False), ("wide", True)):
        for width, height in ((390, 844), (1280, 900)):
            b.size(width, height)
            b.open(m.path("site/projects", p, "pictures/relations.html"))
            b.call("Runtime.evaluate", expression="new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))", awaitPromise=True)  # by then it knows what scrolls
            box = b.js("""(e => ({mark: getComputedStyle(e, '::before').content !== 'none' && getComputedStyle(e, '::before').display !== 'none',
              room: e.querySelector('img').getBoundingClientRect().top - e.getBoundingClientRect().top, beside: e.scrollWidth > e.clientWidth,
              below: e.scrollHeight > e.clientHeight}))(document.querySelector('.scrolls'))""")
            assert box["mark"] == (marked and width == 390) and (box["room"] > 15) == box["mark"], (p, width, box)
            kept = b.js("""[...document.querySelectorAll('img.drawing[height]')].map(e => [e.getBoundingClientRect().height, +e.getAttribute('height')])""")
            assert all(abs(real - said) < 1 for real, said in kept), (p, width, kept)
            assert box["below"] == (p == "tall") and box["beside"] >= box["mark"], (p, width, box)


# What a look at a page would find: wider than the screen, a column that says nothing, a marker that is cut, what a finger misses.
FLAWS = """(() => {
  const out = [], W = innerWidth, seen = q => [...document.querySelectorAll(q)].filter(e => e.checkVisibility());
  if (document.documentElement.scrollWidth > W) out.push('the page is wider than the screen');
  for (const t of seen('table')) {
    const rows = [...t.tBodies[0].rows];
    [...t.tHead.rows[0].cells].forEach((h, c) => { if (rows.length && rows.every(r => !r.cells[c].textContent.trim())) out.push('empty column: ' + h.textContent) });
    if (t.parentNode.scrollWidth > t.parentNode.clientWidth + 1) out.push('a table scrolls: ' + t.tHead.textContent);
  }
  for (const a of seen('a.disputed, a.badge')) { const r = a.getBoundingClientRect(); if (r.left < 0 || r.right > W) out.push('a marker is cut') }
  for (const a of seen('nav a, button, summary, input')) { const h = a.getBoundingClientRect().height; if (h < 24) out.push(h + ' pixels high: ' + a.textContent) }
  return out })()"""


@with_browser
def test_axe(m, b):
    """axe-core finds nothing on any type of page, with script and without; nothing is cut, empty or too small at any width. A page
    is looked at in turn on a phone and on a desk, both times where the run is thorough."""
    pages = list(all_kinds().pages.items())
    found = violations(b, dict(pages))
    b.call("Network.setBlockedURLs", urls=[])
    for turn, widths in enumerate(((360,), (768, 1280))):     # a page is opened anew for a phone only
        for name, page in pages if THOROUGH else pages[turn::2]:
            b.size(widths[0], 844)
            b.open(page)
            for width in widths:
                b.size(width, 844)
                wide = b.js("innerWidth")        # a phone zooms out of a page that is wider than it
                found += [(name, width, flaw) for flaw in b.js(FLAWS) + [f"{wide} pixels wide"] * (wide != width)]
    assert not found, found


def shots(browser, folder, only=""):
    """A picture of each type whose name has the word, in Browser or Firefox."""
    m = Mirror()
    pages = all_kinds().pages
    b = browser(m.path("profile"))
    b.timer.cancel()
    for scheme in ("light", "dark"):
        b.media(scheme)
        for width, height in ((1280, 900), (390, 844)):
            b.size(width, height)
            for name, page in pages.items():
                if only in name:
                    b.open(page)
                    b.shot(os.path.join(folder, f"{re.sub('[^a-z]+', '-', name)}-{width}-{scheme}.png"))
    b.close()
    m.close()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--shots"]:
        shots(Browser, *sys.argv[2:])
    else:
        main(globals())
