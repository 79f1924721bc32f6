#!/usr/bin/env python3
"""The pages in a real browser: headless Chromium, driven over its debugging pipe.
browser.py --shots DIR writes the README's screenshots instead of testing."""
import atexit
import base64
import functools
import threading
from harness import *

PAGES = ["index.html", "projects/p05-interferometer/index.html", "projects/p05-interferometer/decisions.html", "projects/p07-vault/index.html",
         "projects/p05-interferometer/entities/component.html", "projects/p05-interferometer/subsystems/frame.html", "conflicts/index.html", "404.html"]


class Browser:
    def __init__(self, profile):
        exe = shutil.which("chromium")
        if not exe:
            raise Skip("chromium is not installed")
        down, self.send_fd = os.pipe()
        self.read_fd, up = os.pipe()

        def fds():
            # The browser reads commands from 3 and answers on 4; both numbers may be taken here.
            a, b = fcntl_dup(down, 60), fcntl_dup(up, 61)
            os.dup2(a, 3)
            os.dup2(b, 4)
        self.p = subprocess.Popen([exe, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run", "--hide-scrollbars",
                                   "--disable-background-networking", "--disable-component-update", "--disable-sync",
                                   "--remote-debugging-pipe", f"--user-data-dir={profile}", "about:blank"],
                                  stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=fds, close_fds=False)
        os.close(down)
        os.close(up)
        self.n, self.buf, self.events = 0, b"", []
        self.timer = threading.Timer(10 * HANGS, self.p.kill)
        self.timer.daemon = True
        self.timer.start()
        self.session = self.target = None
        self.new_window()

    def new_window(self):
        """One that knows nothing of the one before, which goes."""
        old, self.session = self.target, None
        self.target = self.call("Target.createTarget", url="about:blank")["targetId"]
        if old:
            self.call("Target.closeTarget", targetId=old)
        self.session = self.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")
        self.events = []

    def message(self):
        while b"\0" not in self.buf:
            more = os.read(self.read_fd, 1 << 16)
            assert more, "the browser ended"
            self.buf += more
        raw, self.buf = self.buf.split(b"\0", 1)
        return json.loads(raw)

    def call(self, method, **params):
        self.n += 1
        m = {"id": self.n, "method": method, "params": params}
        if self.session:
            m["sessionId"] = self.session
        os.write(self.send_fd, json.dumps(m).encode() + b"\0")
        while True:
            r = self.message()
            if r.get("id") == self.n:
                assert "error" not in r, (method, r["error"])
                return r["result"]
            self.events.append(r)

    def open(self, path):
        self.events = []
        self.call("Page.navigate", url=path if "://" in path else "file://" + path)
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            self.events.append(self.message())

    def js(self, expression):
        r = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in r, r
        return r["result"].get("value")

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)

    def media(self, scheme="light", kind=""):
        self.call("Emulation.setEmulatedMedia", media=kind, features=[{"name": "prefers-color-scheme", "value": scheme}])

    def complaints(self):
        return [e["params"] for e in self.events if e.get("method") in ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled")]

    def shot(self, path):
        with open(path, "wb") as f:
            f.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def close(self):
        self.timer.cancel()
        self.p.kill()
        self.p.wait()
        os.close(self.send_fd)
        os.close(self.read_fd)


def fcntl_dup(fd, least):
    import fcntl
    return fcntl.fcntl(fd, fcntl.F_DUPFD, least)


def site(m):
    src = os.path.join(TOP, "site-example")
    shutil.copy(os.path.join(src, "mirror.yml"), m.path("mirror.yml"))
    m.run("import", *[os.path.join(src, "facts", f) for f in sorted(os.listdir(os.path.join(src, "facts")))])
    m.run("build")
    c = [x for x in m.conflicts() if x["slot_key"] == ["p05-interferometer", "lateral_support_material"]][0]
    return [m.path("site", p) for p in PAGES + [f"conflicts/{c['id']}.html"]]


@functools.cache
def browser():
    """One for all tests of a file."""
    profile = tempfile.mkdtemp(prefix="hm-profile-")
    b = Browser(profile)
    atexit.register(shutil.rmtree, profile, ignore_errors=True)
    atexit.register(b.close)
    return b


def with_browser(fn):
    def test(m):
        b = browser()
        b.new_window()
        fn(m, b)
    return test


def violations(b, pages):
    """What axe-core finds on {name: path}, with script at 1280 light, without at 390 dark: [(name, width, what)]. Of many pages
    each is looked at once, in turn in one of the two ways; in both where the run is thorough."""
    source = os.path.join(TOP, "build", "npm", "node_modules", "axe-core", "axe.min.js")
    if not os.path.exists(source):
        raise Skip("npm's packages are not installed: see `make check`")
    with open(source) as f:
        axe = f.read()
    b.call("Network.enable")
    b.call("Page.addScriptToEvaluateOnNewDocument", source=axe)
    found = []
    for off, width, scheme in ((False, 1280, "light"), (True, 390, "dark")):
        b.call("Network.setBlockedURLs", urls=["*.js"] if off else [])
        b.size(width, 900)
        b.media(scheme)
        each = list(pages.items())
        for name, page in each if THOROUGH or len(each) < 20 else each[off::2]:
            b.open(page)
            r = b.call("Runtime.evaluate", expression="axe.run(document, {resultTypes: ['violations'], rules: {'target-size': {enabled: true}}}).then(r => r.violations.map(v => v.id + ': ' + v.nodes[0].html))", returnByValue=True,
                       awaitPromise=True)
            found += [(name, width, v) for v in r["result"].get("value", [r])]
    return found


@with_browser
def test_every_width_and_scheme(m, b):
    """Nothing is wider than the screen, nothing is refused by the policy, on phone and desk, light, dark and paper; on a phone a
    fourth of all pages, every page where the run is thorough."""
    pages = site(m)
    for widths in ((360, 390), (768, 1280)):     # a phone loads a page anew
        for page in pages:
            b.size(widths[0], 844)
            b.open(page)
            for width in widths:
                b.size(width, 844)
                for scheme in ("light", "dark"):
                    b.media(scheme)
                    w = b.js("document.documentElement.scrollWidth")
                    assert w <= width, f"{page} is {w} wide on a screen of {width}"
            assert not b.complaints(), (page, b.complaints())
    b.media("light")
    b.size(390, 844)
    each = sorted(os.path.join(d, n) for d, _, names in os.walk(m.path("site")) for n in names if n.endswith(".html"))
    for page in each if THOROUGH else each[::4]:
        b.open(page)
        w = b.js("document.documentElement.scrollWidth")
        assert w <= 390, f"{page} is {w} wide on a phone"
    b.media(kind="print")
    for page in pages:
        b.open(page)
        assert b.js("getComputedStyle(document.querySelector('.bar nav')).display") == "none"


BOTTOM = "(e => e ? e.getBoundingClientRect().bottom : 9999)(document.querySelector('%s'))"


@with_browser
def test_a_conflict_is_a_case_at_every_width(m, b):
    """A card a value, none beside the screen; its first screen says who, what, since when and what to do."""
    site(m)
    pages = [m.path("site", "conflicts", c["id"] + ".html") for c in m.conflicts()]
    assert len(pages) == 10
    for page, width in ((p, w) for p in pages for w in (1280, 900, 600, 390)):
        b.size(width, 844 if width == 390 else 900)
        if width in (1280, 390):     # a phone loads a page anew
            b.open(page)
        values = b.js("[...document.querySelectorAll('.cards > ul > li > strong')].map(e => e.textContent)")
        assert len(values) >= 2 and len(set(values)) == len(values), (page, values)
        lead = b.js("document.querySelector('main > .case').previousElementSibling.textContent")
        assert all(v in lead for v in values[:4]), (page, values, lead)
        assert b.js("document.querySelectorAll('table').length") == 0
        assert b.js("[...document.querySelectorAll('.cards > ul > li')].every(e => e.getBoundingClientRect().right <= innerWidth)"), (page, width)
        assert b.js(BOTTOM % "main > p:has(+ .case)") < b.js("innerHeight"), (page, width, "the lead is below the fold")
        assert b.js(BOTTOM % 'main > p a[href="#what-to-do"]') < b.js("innerHeight"), (page, width, "what to do is below the fold")
        assert b.js("document.querySelector('details').open") is False
        assert b.js("[...document.querySelectorAll('time')].every(t => t.title === t.dateTime && /^[0-9]{4}-/.test(t.dateTime))")


@with_browser
def test_commands_are_above_the_fold(m, b):
    site(m)
    b.size(1280, 900)
    for c in m.conflicts():
        b.open(m.path("site", "conflicts", c["id"] + ".html"))
        assert b.js(BOTTOM % ".do pre") < 900 and b.js(BOTTOM % ".cards > ul > li strong") < 900, c["slot_key"]
        assert f"resolve {c['id']} \\\n  --winner " in b.js("document.querySelector('.do pre').textContent")


CONTRAST = """(() => {
  const lum = c => { const [r, g, b] = c.match(/[\\d.]+/g).slice(0, 3).map(v => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4 });
    return .2126 * r + .7152 * g + .0722 * b };
  const paper = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (!/, 0\\)$/.test(c) && c !== 'transparent') return c } return 'rgb(255,255,255)' };
  let worst = 99, what = '';
  for (const e of document.querySelectorAll('body *')) {
    if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) || !e.offsetParent || e.closest('.skip')) continue;
    const a = lum(getComputedStyle(e).color), b = lum(paper(e)), c = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (c < worst) { worst = c; what = e.outerHTML.slice(0, 120) }
  }
  return [worst, what] })()"""


@with_browser
def test_contrast(m, b):
    pages = site(m)
    b.size(1280, 900)
    for page in pages:
        b.open(page)
        for scheme in ("light", "dark"):
            b.media(scheme)
            worst, what = b.js(CONTRAST)
            assert worst >= 4.5, (page, scheme, worst, what)


@with_browser
def test_structure_for_assistive_technology(m, b):
    for page in site(m):
        b.open(page)
        assert b.js("document.querySelectorAll('h1').length") == 1, page
        levels = b.js("[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map(h => +h.tagName[1])")
        assert levels[0] == 1 and all(y <= x + 1 for x, y in zip(levels, levels[1:])), (page, levels)
        assert b.js("document.querySelectorAll('main').length") == 1 and b.js("document.documentElement.lang") == "en"
        assert b.js("document.title.length") > 0
        assert b.js("[...document.querySelectorAll('a')].every(a => a.textContent.trim() || a.id)"), page
        assert b.js("[...document.querySelectorAll('th')].every(t => t.scope === 'col')"), page
        assert b.js("[...document.querySelectorAll('[role=region]')].every(r => r.getAttribute('aria-label') && r.tabIndex === 0)"), page
        assert b.js("new Set([...document.querySelectorAll('[id]')].map(e => e.id)).size === document.querySelectorAll('[id]').length"), page
        scripts = b.js("[...document.scripts].map(s => s.getAttribute('src').replace(/^([.][.]\\/)*/, ''))")
        lists = page.endswith(("decisions.html", "component.html", "conflicts/index.html"))
        assert scripts == (["assets/list.js"] if lists else []), (page, scripts)
        policy = b.js("document.querySelector('meta[http-equiv=Content-Security-Policy]').content")
        assert policy.startswith("default-src 'none'") and ("script-src 'self'" in policy) is lists, (page, policy)


def long_site(m):
    """A mirror whose lists are long: 60 disputes in 3 projects, 200 decisions with numbers."""
    rows = []
    for i in range(60):
        for k, mass in enumerate(("4.8 kg", "4.9 kg")):
            rows.append(state(f"mass {i}", mass, id=f"s{i}-{k}", project=f"p{i % 3}", source=f"review {i}", created_at=f"2026-01-{1 + i % 28:02d}"))
    for i in range(200):
        rows.append(entity("Decision", {"decision_target": f"t{i}", "value": str(i)}, f"PEP {i}: Title {i * 7919 % 1000}", id=f"pep-{i}", project="p1"))
    m.facts(*rows)
    m.run("build")
    return m.path("site")


ROWS = "[...document.querySelectorAll('tbody > tr')].filter(r => r.offsetParent).map(r => r.cells[0].textContent)"


@with_browser
def test_filter(m, b):
    """Words narrow a list to the rows that have all of them; headings without rows go, and all come back."""
    b.size(1280, 900)
    b.open(long_site(m) + "/conflicts/index.html")
    assert not b.complaints(), b.complaints()
    all_rows = b.js(ROWS)
    assert len(all_rows) == 60 and b.js("document.querySelector('.filter output').textContent") == "60 in all"
    type_in = "(w => { const i = document.querySelector('.filter input'); i.value = w; i.dispatchEvent(new Event('input')) })"
    b.js(type_in + "('MASS_59')")
    assert b.js(ROWS) == ["Mass 59"], b.js(ROWS)
    assert b.js("document.querySelector('.filter output').textContent") == "1 of 60"
    heads = b.js("[...document.querySelectorAll('main h3')].filter(h => h.offsetParent).map(h => h.textContent)")
    assert heads == ["p2"], heads
    b.js(type_in + "('no such word')")
    assert b.js(ROWS) == []
    b.js(type_in + "('')")
    assert b.js(ROWS) == all_rows and b.js("document.querySelectorAll('main [hidden]').length") == 0
    b.open(m.path("site/projects/p1/entities/decision-pep-100-199.html"))
    b.js(type_in + "('pep 123')")
    shown = b.js("[...document.querySelectorAll('main h3')].filter(h => h.offsetParent).map(h => h.textContent)")
    assert len(shown) == 1 and shown[0].startswith("PEP 123:"), shown


@with_browser
def test_a_part_leads_to_the_next_and_to_search(m, b):
    """At its end, too; / opens search as it does on the page of search, but not where one writes."""
    b.size(1280, 900)
    long_site(m)
    for page, last in (("pep-0-99", "Next: PEP 100 to 199"), ("pep-100-199", "Before: PEP 0 to 99")):
        b.open(m.path(f"site/projects/p1/entities/decision-{page}.html"))
        assert b.js("document.querySelector('main > p:last-child').textContent") == last, page
    assert b.js("document.querySelector('footer a[href=\"#main\"]').textContent") == "Top"
    slash = lambda: [b.call("Input.dispatchKeyEvent", type=k, key="/", code="Slash", windowsVirtualKeyCode=191, **({"text": "/"} if k == "keyDown" else {})) for k in ("keyDown", "keyUp")]  # noqa: E731
    b.js("document.querySelector('.filter input').focus()")
    slash()
    assert b.js("document.querySelector('.filter input').value") == "/"
    b.js("document.activeElement.blur()")
    b.events = []
    slash()
    while not any(e.get("method") == "Page.loadEventFired" for e in b.events):
        b.events.append(b.message())
    assert b.js("location.href").endswith("/search.html") and b.js("document.activeElement.type") == "search"


@with_browser
def test_paper(m, b):
    """On paper drawings are light and as wide as the page, and what is folded is open."""
    b.size(718, 1000)
    site(m)
    b.open(m.path("site/projects/p05-interferometer/index.html"))
    b.call("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    assert b.js("document.documentElement.scrollWidth") <= 718
    assert b.js("getComputedStyle(document.querySelector('img.drawing')).colorScheme") == "light"
    assert b.js("[...document.querySelectorAll('img.drawing')].every(e => e.getBoundingClientRect().right <= 718)")
    assert b.js("document.querySelector('details li').checkVisibility({contentVisibilityAuto: true})")
    b.call("Emulation.setEmulatedMedia", media="screen", features=[])
    assert not b.js("document.querySelector('details li').checkVisibility({contentVisibilityAuto: true})")


@with_browser
def test_no_table_is_wider_than_paper(m, b):
    m.facts(*(state("reflectance" * 12, f"{i}" + "nanometre" * 14, source="laboratory" * 12) for i in range(2)))
    m.run("build")
    b.size(718, 1000)
    b.media(kind="print")
    for page in ("projects/p05/index.html", "projects/p05/state.html", "conflicts/index.html"):
        b.open(m.path("site", page))
        assert b.js("document.documentElement.scrollWidth") <= 718, page


@with_browser
def test_columns_are_sorted(m, b):
    """A head sorts its table up, then down, then as it was; with the keyboard, too."""
    b.size(1280, 900)
    b.open(long_site(m) + "/conflicts/newest.html")
    own = b.js(ROWS)
    click = "document.querySelector('th button').click()"
    b.js(click)
    up = b.js(ROWS)
    assert up == [f"Mass {i}" for i in range(60)], up
    assert b.js("document.querySelector('th').getAttribute('aria-sort')") == "ascending"
    b.js("document.querySelector('th button').focus()")
    for kind in ("keyDown", "keyUp"):
        b.call("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", windowsVirtualKeyCode=13, text="\r")
    assert b.js(ROWS) == up[::-1] and b.js("document.querySelector('th').getAttribute('aria-sort')") == "descending"
    b.js(click)
    assert b.js(ROWS) == own and not b.js("document.querySelector('th').hasAttribute('aria-sort')")
    b.js("document.querySelectorAll('th button')[3].click()")
    since = b.js("[...document.querySelectorAll('tbody > tr')].map(r => r.cells[3].querySelector('time').dateTime)")
    assert since == sorted(since) and len(set(since)) > 20


@with_browser
def test_orders_without_script(m, b):
    """Newest and oldest stand in pages of their own, each other's reverse by day; parts of numbers have fixed ranges."""
    site = long_site(m)
    b.call("Emulation.setScriptExecutionDisabled", value=True)
    days = {}
    for order in ("newest", "oldest"):
        b.open(f"{site}/conflicts/{order}.html")
        assert b.js("document.querySelector('.filter') === null")
        days[order] = b.js("[...document.querySelectorAll('tbody > tr')].map(r => r.cells[3].querySelector('time').dateTime)")
    assert days["oldest"] == sorted(days["oldest"]) and days["newest"] == days["oldest"][::-1]
    b.open(f"{site}/projects/p1/entities/decision.html")
    assert b.js("[...document.querySelectorAll('main li')].map(l => l.textContent)") == ["PEP 0 to 99: 100", "PEP 100 to 199: 100"]
    b.open(f"{site}/projects/p1/entities/decision-pep-0-99.html")
    jumps = b.js("[...document.querySelectorAll('main > p a[href^=\"#\"]')].map(a => a.textContent)")
    assert jumps == [f"PEP {i}" for i in range(0, 100, 10)], jumps


CUT = """[...document.querySelectorAll('main a.disputed')].filter(a => { const r = a.getBoundingClientRect();
  return r.width > 0 && (r.left < 0 || r.right > innerWidth || r.height > 40) }).length"""


@with_browser
def test_phone(m, b):
    """On a phone no page scrolls sideways, no table either, no marker is cut, and a cell says what it is."""
    pages = site(m)
    more = [m.path("site", p) for p in ("conflicts/newest.html", "projects/p05-interferometer/entities/index.html")]
    for width, page in ((w, p) for w in (320, 390) for p in pages + more):
        b.size(width, 844)
        b.open(page)
        assert b.js("document.documentElement.scrollWidth") <= width, page
        assert b.js("[...document.querySelectorAll('.table')].every(t => t.scrollWidth <= t.clientWidth)"), page
        assert b.js(CUT) == 0, page
    b.open(pages[1])
    assert b.js("document.querySelectorAll('main td a.disputed').length") > 4
    labels = b.js("[...document.querySelectorAll('.wide td[data-label]')].filter(t => t.offsetParent).map(t => getComputedStyle(t, '::before').content)")
    assert '"Value"' in labels and '"Source"' in labels and "none" not in labels


TEXT_AT = """((where, words) => { const w = document.createTreeWalker(document.querySelector(where), 4); let n;
  while ((n = w.nextNode())) { const at = n.data.indexOf(words); if (at < 0) continue;
    const r = document.createRange(); r.setStart(n, at); r.setEnd(n, at + words.length); const b = r.getBoundingClientRect(); return [b.left, b.right] } })('%s', '%s')"""


@with_browser
def test_right_to_left_text_keeps_its_place(m, b):
    """A marker stands beside the value and not beside the name, and a date after the source reads from left to right."""
    name, value, other, source = "\u0645\u0627\u062f\u0629", "\u0641\u0648\u0644\u0627\u0630", "\u0623\u0644\u0645\u0646\u064a\u0648\u0645", "\u05de\u05e1\u05de\u05da"
    m.facts(entity("Decision", {"decision_target": "x", "decision_field": "y", "value": value}, name, id="d1", created_at="2026-01-02"),
            state("x_y", other, source=source, created_at="2026-01-03"))
    m.run("build")
    b.size(1280, 900)
    b.open(m.path("site/projects/p05/index.html"))
    at = [b.js(TEXT_AT % ("main li:has(a.disputed)", words)) for words in (name, value)]
    marker = b.js("(e => e.getBoundingClientRect().left)(document.querySelector('main li a.disputed'))")
    assert at[0][1] <= at[1][0] and at[1][1] <= marker, (at, marker)
    c, = m.conflicts()
    b.open(m.path("site/conflicts", c["id"] + ".html"))
    left, right = b.js(TEXT_AT % ("main", source))
    day = b.js("(t => { const r = document.createRange(); r.setStart(t.firstChild, 0); r.setEnd(t.firstChild, 1); return r.getBoundingClientRect().left })"
               "([...document.querySelectorAll('main p time')].filter(t => t.textContent === '3 Jan 2026').pop())")
    assert left < right <= day, (left, right, day)


@with_browser
def test_contents_beside_the_page(m, b):
    """Where there is room the sections stand beside the page and stay in sight; each leads to its heading."""
    page = site(m)[1]
    b.size(1280, 900)
    b.open(page)
    b.js("scrollTo(0, 1500)")
    at = b.js("(r => [r.left, r.top])(document.querySelector('.contents ul').getBoundingClientRect())")
    assert at[0] > 900 and 0 <= at[1] < 100, at
    assert b.js("[...document.querySelectorAll('.contents a')].every(a => document.querySelector(a.hash).tagName === 'H2')")
    assert b.js("document.querySelectorAll('.contents a').length === document.querySelectorAll('h2').length")
    widths = b.js("[...document.querySelectorAll('.table')].map(t => t.offsetWidth)")
    assert len(set(widths)) == 1, widths
    b.size(390, 844)
    b.open(page)
    assert b.js("document.querySelector('.contents').offsetParent === null")


@with_browser
def test_axe(m, b):
    """axe-core finds nothing, with and without script, at both widths, light and dark."""
    pages = site(m)
    pages = pages[:2] + pages[-3:] + [m.path("site", p) for p in ("conflicts/newest.html", "conflicts/by-layer.html", "findings/index.html", "sources/index.html",
                                                                  "projects/p05-interferometer/entities/parameter.html")]
    found = violations(b, {p: p for p in pages})
    assert not found, found


@with_browser
def test_keyboard(m, b):
    b.open(site(m)[1])

    def tab():
        for kind in ("keyDown", "keyUp"):
            b.call("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
        return b.js("document.activeElement.className || document.activeElement.textContent")
    assert tab() == "skip"
    assert b.js("document.activeElement.getBoundingClientRect().left") >= 0, "the skip link shows when it has the focus"
    assert tab() == "home"
    assert b.js("getComputedStyle(document.activeElement).outlineStyle") == "solid"


@with_browser
def test_marker_leads_to_its_conflict(m, b):
    b.open(site(m)[1])
    assert b.js("[...document.querySelectorAll('a.disputed')].every(a => a.textContent === '⚠ disputed')")
    href = b.js("document.querySelector('td a.disputed').href")
    b.open(href[len("file://"):])
    assert b.js("document.querySelector('main').innerText").count("GF-PTFE") >= 2
    assert "disputed since" in b.js("document.querySelector('main').innerText")


FILL = """document.querySelector('[name=choice]').click(); document.getElementById('review-notes').value = 'Test report 12 measured it.';
  document.getElementById('review-by').value = 'Kim'; document.querySelector('button[value=try]').click()"""


def shot_of_review(m, b, page, path):
    """The dry run of a verdict, as `serve` shows it."""
    server = subprocess.Popen([HMIRROR, "serve", "--port", "0"], cwd=m.dir, env=m.env, stdout=subprocess.PIPE)
    try:
        b.open(server.stdout.readline().decode().strip() + os.path.relpath(page, m.path("site")))
        b.events = []
        b.js(FILL)
        while not any(e.get("method") == "Page.loadEventFired" for e in b.events):
            b.events.append(b.message())
        b.js("document.activeElement.blur(), scrollTo(0, document.getElementById('review').offsetTop - 24)")
        b.shot(path)
    finally:
        server.terminate()
        server.wait()


def shots(folder):
    m = Mirror()
    try:
        pages = site(m)
        b = Browser(m.path("profile"))
        b.size(1200, 1100)
        for name, page in (("overview", pages[1]), ("conflict", pages[-1])):
            b.open(page)
            b.shot(os.path.join(folder, name + ".png"))
        b.size(820, 760)
        shot_of_review(m, b, pages[-1], os.path.join(folder, "review.png"))
        b.close()
    finally:
        m.close()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--shots"]:
        shots(sys.argv[2])
    else:
        main(globals())
