#!/usr/bin/env python3
"""The pages in Firefox, driven by Marionette, which it has built in: every type of page at both widths, search, lists, keyboard.
firefox.py --shots DIR takes a picture of each type instead."""
import base64
import socket
import threading
from browser import CUT, ROWS, long_site
from harness import *
from page_types import Kinds, shots
from search import ask, example
from server import served

# Keys as WebDriver has them
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c", "ArrowUp": "\ue013", "ArrowDown": "\ue015"}
PREFS = {"marionette.port": 0, "app.update.enabled": False, "datareporting.policy.dataSubmissionEnabled": False, "browser.shell.checkDefaultBrowser": False,
         "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False, "browser.startup.homepage_override.mstone": "ignore",
         "layout.css.prefers-color-scheme.content-override": 1, "accessibility.tabfocus": 7}


class Firefox:
    """Has of Browser (browser.py) what tests of both ask for: open, js, size, shot, call("Runtime.evaluate")."""

    def __init__(self, folder):
        exe = shutil.which("firefox-esr") or shutil.which("firefox")
        if not exe:
            raise Skip("firefox is not installed")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "user.js"), "w") as f:
            f.writelines(f"user_pref({json.dumps(k)}, {json.dumps(v)});\n" for k, v in PREFS.items())
        self.p = subprocess.Popen([exe, "--headless", "--no-remote", "--marionette", "--remote-allow-system-access", "--profile", folder, "about:blank"],
                                  env={**os.environ, "HOME": folder, "MOZ_HEADLESS_WIDTH": "1280", "MOZ_HEADLESS_HEIGHT": "1000"},
                                  stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.timer = threading.Timer(600, self.p.kill)
        self.timer.start()
        self.n, self.buf, self.events = 0, b"", []
        self.s = self.connect(os.path.join(folder, "MarionetteActivePort"))
        self.message()
        self.tell("WebDriver:NewSession", strictFileInteractability=False)

    def connect(self, path):
        """Firefox writes the port that it chose into its profile."""
        for _ in range(600):
            if os.path.exists(path) and os.path.getsize(path):
                with open(path) as f:
                    return socket.create_connection(("127.0.0.1", int(f.read())))
            assert self.p.poll() is None, "firefox ended"
            time.sleep(0.1)
        raise AssertionError("firefox opened no port")

    def message(self):
        while b":" not in self.buf or len(self.buf) < self.buf.index(b":") + 1 + int(self.buf[:self.buf.index(b":")]):
            more = self.s.recv(1 << 16)
            assert more, "firefox ended"
            self.buf += more
        head, rest = self.buf.split(b":", 1)
        self.buf = rest[int(head):]
        return json.loads(rest[:int(head)])

    def tell(self, command, **params):
        self.n += 1
        raw = json.dumps([0, self.n, command, params]).encode()
        self.s.sendall(b"%d:" % len(raw) + raw)
        _, n, error, result = self.message()
        assert n == self.n and not error, (command, error)
        return result.get("value", result) if isinstance(result, dict) else result

    def open(self, path):
        self.tell("WebDriver:Navigate", url=path if "://" in path else "file://" + path)

    def js(self, expression):
        return self.tell("WebDriver:ExecuteScript", script=f"return ({expression})", args=[], sandbox=None)

    def call(self, method, expression, **_):
        """A promise's value, as Browser's Runtime.evaluate gives it."""
        assert method == "Runtime.evaluate"
        script = f"const done = arguments[arguments.length - 1]; ({expression}).then(done)"
        return {"result": {"value": self.tell("WebDriver:ExecuteAsyncScript", script=script, args=[], sandbox=None)}}

    def chrome(self, script):
        """Runs it in the browser's own window."""
        self.tell("Marionette:SetContext", value="chrome")
        self.tell("WebDriver:ExecuteScript", script=script, args=[])
        self.tell("Marionette:SetContext", value="content")

    def size(self, width, height):
        """Of what pages see: a window has more, and is no narrower than 500."""
        self.tell("WebDriver:SetWindowRect", width=max(width, 600), height=height)
        more = self.js("outerHeight - innerHeight")
        self.tell("WebDriver:SetWindowRect", width=max(width, 600), height=height + more)
        self.chrome(f"gBrowser.selectedBrowser.style.minWidth = gBrowser.selectedBrowser.style.maxWidth = '{width}px'")
        for _ in range(2000):
            if self.js("innerWidth") == width:
                return
            time.sleep(0.05)
        raise AssertionError(f"{self.js('innerWidth')} wide and not {width}")

    def media(self, scheme="light"):
        self.chrome(f"Services.prefs.setIntPref('layout.css.prefers-color-scheme.content-override', {int(scheme == 'light')})")

    def press(self, key):
        self.tell("WebDriver:PerformActions", actions=[{"type": "key", "id": "keys", "actions": [{"type": t, "value": KEYS.get(key, key)} for t in ("keyDown", "keyUp")]}])

    def shot(self, path):
        with open(path, "wb") as f:
            f.write(base64.b64decode(self.tell("WebDriver:TakeScreenshot", full=False)))

    def close(self):
        self.timer.cancel()
        self.s.close()
        self.p.kill()
        self.p.wait()


def with_firefox(fn):
    def test(m):
        b = Firefox(m.path("profile"))
        try:
            fn(m, b)
        finally:
            b.close()
    return test


FAULTS = """[
  document.documentElement.scrollWidth > innerWidth ? 'the page is ' + document.documentElement.scrollWidth + ' wide' : '',
  ...[...document.querySelectorAll('main *, header *, footer *')].filter(e => { const r = e.getBoundingClientRect();
    return r.width > 1 && r.right > innerWidth + 1 && !e.closest('.table, .scrolls, pre, .skip') }).slice(0, 3).map(e => 'beside the screen: ' + e.outerHTML.slice(0, 120)),
  ...[...document.images].filter(i => i.complete && !i.naturalWidth).map(i => 'no picture: ' + i.src),
  getComputedStyle(document.body).marginTop === '0px' ? '' : 'no style'].filter(Boolean)"""


@with_firefox
def test_every_type_of_page(m, b):
    """Nothing is beside the screen, every picture is there, the marker is whole, at both widths."""
    kinds = Kinds(m)
    found = []
    for width in (1280, 390):
        b.size(width, 844)
        for name, page in kinds.pages.items():
            b.open(page)
            found += [(name, width, x) for x in b.js(FAULTS)]
            if b.js(CUT):
                found.append((name, width, "a marker is cut"))
    kinds.close()
    assert not found, found


def try_search(b, address):
    b.open(address)
    assert b.js("document.activeElement.type") == "search"
    r = ask(b, "lateral supports")
    assert "⚠ disputed" in r["items"][0][0] and r["said"].endswith("results"), r
    r = ask(b, "p05-e14")
    assert r["said"] == "1 result" and "Lateral support material" in r["items"][0][0], r
    ask(b, "frame")
    b.js("document.querySelector('.search input').focus()")
    b.press("ArrowDown")
    first = b.js("document.activeElement.href")
    b.press("ArrowDown")
    assert first and b.js("document.activeElement.href") != first
    b.press("/")
    assert b.js("[document.activeElement.type, document.activeElement.value]") == ["search", "frame"]
    b.press("Enter")
    for _ in range(4000):
        if b.js("location.href") == first:
            return
        time.sleep(0.05)
    raise AssertionError((b.js("location.href"), first))


@with_firefox
def test_search_from_a_folder(m, b):
    try_search(b, os.path.join(example(m), "search.html"))


@with_firefox
def test_search_over_http(m, b):
    with served(example(m)) as url:
        try_search(b, url + "/search.html")


@with_firefox
def test_lists_are_filtered_and_sorted(m, b):
    b.size(1280, 900)
    b.open(long_site(m) + "/conflicts/newest.html")
    own = b.js(ROWS)
    b.js("document.querySelector('.filter input').focus()")
    for key in "mass_59":
        b.press(key)
    assert len(own) == 60 and b.js(ROWS) == ["Mass 59"], b.js(ROWS)
    assert b.js("document.querySelector('.filter output').textContent") == "1 of 60"
    b.js("(i => { i.value = ''; i.dispatchEvent(new Event('input')) })(document.querySelector('.filter input'))")
    b.js("document.querySelector('th button').focus()")
    b.press("Enter")
    assert b.js(ROWS) == [f"Mass {i}" for i in range(60)]
    b.press("Enter")
    assert b.js(ROWS) == [f"Mass {i}" for i in range(60)][::-1]
    b.press("Enter")
    assert b.js(ROWS) == own


if __name__ == "__main__":
    if sys.argv[1:2] == ["--shots"]:
        shots(Firefox, *sys.argv[2:])
    else:
        main(globals())
