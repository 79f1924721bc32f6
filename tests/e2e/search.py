#!/usr/bin/env python3
"""Search without a server: the rule of words in both languages, answers against all that the index has, what is left out, and a browser."""
from browser import site, with_browser
from harness import *
from server import served

MJS = os.path.join(TOP, "tests", "e2e", "search.mjs")


def node(*words):
    if not shutil.which("node"):
        raise Skip("node is not installed")
    p = subprocess.run(["node", MJS, *words], capture_output=True, text=True, timeout=120)
    assert p.returncode == 0, p.stderr


def example(m):
    site(m)
    return m.path("site")


def test_words_are_the_same_in_the_browser(m):
    node("words", os.path.join(TOP, "tests", "data", "search_words.txt"))


def test_answers_are_those_of_the_whole_index(m):
    node("site", example(m))


def test_answers_where_shards_are_cut(m):
    words = ["mass", "mast", "master", "matter", "mat", "supports", "supporting", "dispute", "p05-e14"]
    m.facts(project("p05-interferometer", "p05"), *[memory(f"{words[i % 9]} {words[i * 5 % 7]} of unit{i}-{i * 37 % 911} is {i}", id=f"m{i}") for i in range(2500)])
    m.run("build")
    assert len(os.listdir(m.path("site", "search"))) > 20
    node("site", m.path("site"))


def test_no_query_loads_over_a_hundred_kilobytes(m):
    rare = [chr(97 + i % 26) + chr(97 + i // 26 % 26) + chr(97 + i * 7 % 26) + "tor" for i in range(700)]
    m.facts(project("p05-interferometer", "p05"),
            *[memory(f"{rare[i % 700]} {rare[i * 5 % 700]} of unit{i}-{i * 37 % 911} and part{i * 13 % 4001} is {i}", id=f"m{i}") for i in range(6000)])
    m.run("build")
    node("cost", m.path("site"))


def index_of(m):
    return {p: d for p, d in m.site_bytes("site") if p.startswith("search/") or p.startswith("index-a-z")}


def test_nothing_that_is_left_out(m):
    m.write("mirror.yml", "publish:\n  exclude:\n    types: [identity, Salary]\n    properties: [cost]\n    tags: [private]\n    projects: [p99]\n")
    m.facts(project("p05-interferometer", "p05"), project("zulu-project", "p99", name="ZULUNAME"), state("budget", "ZULUVALUE", project="p99"),
            memory("role: YANKEEROLE", "identity", source_refs=["yankeeref"]), entity("Salary", {"amount": "XRAY"}, "XRAYNAME", id="xrayid"),
            entity("Part", {"cost": "VICTOR7", "colour": "blue"}, "bolt", id="e-bolt"),
            memory("colour is UNIFORMRED", tags=["private"]), state("colour", "blue"))
    m.run("build")
    files = index_of(m)
    assert any(b"bolt" in d for d in files.values()) and any(b"blue" in d for d in files.values())
    for path, data in files.items():
        for word in (b"zulu", b"yankee", b"xray", b"victor", b"uniform", b"p99"):
            assert word not in data.lower() and word not in path.encode(), (path, word)


def test_one_fact_changes_its_own_shards(m):
    m.facts(project("p05-interferometer", "p05"), *[memory(f"word{i} tells of thing{i * 7} and of {i}", id=f"m{i}") for i in range(3000)])
    m.run("build")
    before = index_of(m)
    m.facts(memory("zebra crossing", id="mnew"))
    m.run("build")
    after = index_of(m)
    changed = [p for p in after if before.get(p) != after[p] and p.startswith("search/")]
    assert 2 <= len(changed) <= 6 and len(before) > 30, (changed, len(before))


def test_a_conflict_is_called_as_its_page(m):
    m.facts(project("p05-interferometer", "p05", name="Interferometer"), state("lateral_support_material", "PTFE"), state("lateral_support_material", "PEEK"),
            memory("Deploy on Fridays before noon.", id="m1"), memory("Never deploy on Fridays before noon.", id="m2"))
    f, = m.run("findings", "--format", "json").json()["findings"]
    m.run("findings", "confirm", f["id"], "--by", "kim")
    m.run("build")
    lines = b"".join(d for p, d in index_of(m).items() if p.startswith("search/d-")).decode()
    titles = [re.search("<h1[^>]*>(.*?)</h1>", m.text("site", f"conflicts/{c['id']}.html")).group(1) for c in m.conflicts()]
    assert sorted(titles) == ["Lateral support material", "Texts that contradict each other"]
    assert '"Lateral support material","open conflict","Interferometer","","conflicts/' in lines, lines
    assert '"Texts that contradict each other","open conflict","Interferometer","Deploy on Fridays before noon.","conflicts/' in lines, lines


# --- a browser ----------------------------------------------------------------------

def ask(b, text):
    b.js(f"(() => {{ document.querySelector('output').textContent = '…'; const i = document.querySelector('.search input'); i.value = {json.dumps(text)}; i.dispatchEvent(new Event('input')); }})()")
    r = b.call("Runtime.evaluate", awaitPromise=True, returnByValue=True, expression="""(async () => {
        const said = document.querySelector('output');
        for (let i = 0; i < ROUNDS; i++) {
            await new Promise(go => setTimeout(go, 10));
            const li = document.querySelectorAll('.results li').length;
            if (/^(Nothing|Every)/.test(said.textContent) || (li && li === Math.min(8, parseInt(said.textContent)))) break;
        }
        return { said: said.textContent, items: [...document.querySelectorAll('.results li')].map(l => [l.textContent, ...[...l.querySelectorAll('a')].map(a => a.getAttribute('href'))]) };
    })()""".replace("ROUNDS", str(100 * HANGS)))
    return r["result"]["value"]


def key(b, name, text=None):
    for kind in ("keyDown", "keyUp"):
        b.call("Input.dispatchKeyEvent", type=kind, key=name, **({"text": text} if text and kind == "keyDown" else {}))


def try_page(b, address):
    b.open(address)
    assert b.js("document.activeElement.type") == "search"
    r = ask(b, "lateral supports")
    assert "⚠ disputed" in r["items"][0][0] and r["said"].endswith("results"), r
    r = ask(b, "p05-e14")
    assert r["said"] == "1 result" and "Lateral support material" in r["items"][0][0], r
    assert ask(b, "of the") == {"said": "Every text has such words: add another one", "items": []}
    r = ask(b, "gf-ptf")
    assert "GF-PTFE" in r["items"][0][0] and "curated value" in r["items"][0][0], r
    assert b.js("document.querySelector('output').getAttribute('aria-live')") == "polite"
    r = ask(b, "nonsensical")
    assert r["said"].startswith("Nothing found: ") and not r["items"], r
    ask(b, "frame")
    b.js("document.querySelector('.search input').focus()")
    key(b, "ArrowDown")
    first = b.js("document.activeElement.getAttribute('href')")
    key(b, "ArrowDown")
    assert first and b.js("document.activeElement.getAttribute('href')") != first
    key(b, "ArrowUp")
    key(b, "ArrowUp")
    assert b.js("document.activeElement.type") == "search"
    key(b, "ArrowDown")
    key(b, "/", "/")
    assert b.js("document.activeElement.type") == "search" and b.js("document.activeElement.value") == "frame"
    assert not [e for e in b.events if e["method"] in ("Log.entryAdded", "Runtime.exceptionThrown")], b.events
    b.events = []
    key(b, "Enter")
    while not any(e.get("method") == "Page.loadEventFired" for e in b.events):
        b.events.append(b.message())
    assert b.js("location.href").endswith(first.lstrip("./")) or b.js("location.href") == first, (b.js("location.href"), first)


@with_browser
def test_from_a_folder(m, b):
    try_page(b, os.path.join(example(m), "search.html"))


@with_browser
def test_over_http_below_a_path(m, b):
    folder = example(m)
    os.makedirs(m.path("www"))
    os.rename(folder, m.path("www", "mirror"))
    with served(m.path("www")) as url:
        try_page(b, url + "/mirror/search.html")


@with_browser
def test_hostile_facts_are_text(m, b):
    bad = ["bolt <img src=x onerror=alert(1)>", "bolt </script><script>alert(1)</script>", "bolt \u2028\u202e\"]);alert(1)//", "bolt ${alert(1)} `", "bolt ⚠ disputed"]
    m.facts(project("p05-interferometer", "p05"), *[entity("Part", {}, t, id=f"e{i}") for i, t in enumerate(bad)], *[state(t, t, id=f"s{i}") for i, t in enumerate(bad)])
    m.run("build")
    b.open(m.path("site", "search.html"))
    r = ask(b, "bolt")
    assert len(r["items"]) == 8, r
    assert b.js("document.querySelectorAll('.results img, .results script').length") == 0
    assert not [i for i in r["items"] for h in i[1:] if "script:" in h]
    assert not [e for e in b.events if e["method"] in ("Log.entryAdded", "Runtime.exceptionThrown", "Page.javascriptDialogOpening")], b.events


if __name__ == "__main__":
    main(globals())
