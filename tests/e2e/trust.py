#!/usr/bin/env python3
"""A folder of somebody else: whoever runs hmirror in it gives away nothing, until the user says so."""
import base64
import contextlib
import glob
import hashlib
import http.server
import itertools
import json
import os
import pty
import shutil
import sqlite3
import stat
import struct
import subprocess
import threading

from harness import HANGS, HMIRROR, THOROUGH, decision, main, make_database, memory, wait_until
from mcp_kit import Agent
from server import Server

# What nobody but the user may tell. Each stands somewhere outside of the folder, or in the environment.
SECRET = "november-papa-quebec"
ENV = {"OPENAI_API_KEY": "key-" + SECRET, "OTHER_KEY": "other-" + SECRET, "HMIRROR_GIT_TOKEN": "token-" + SECRET}


class Listener:
    """Hears all that is sent to it, as a model and as a git host, and believes nothing."""

    def __init__(self):
        heard = self.heard = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def any(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                heard.append((self.path, str(self.headers), body))
                model = "v1" in self.path
                self.send_response(500 if model else 401)
                if not model:
                    self.send_header("WWW-Authenticate", "Basic realm=x")
                self.send_header("Content-Length", "0")
                self.end_headers()
            do_GET = do_POST = any

            def log_message(self, *args):
                pass
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def got(self, text):
        return any(text in a or text in b or text.encode() in c or base64.b64encode(("hmirror:" + text).encode()).decode() in b for a, b, c in self.heard)


@contextlib.contextmanager
def listener():
    one = Listener()
    try:
        yield one
    finally:
        one.server.shutdown()
        one.server.server_close()


# --- the world: a clone, what is outside of it, and a home -------------------------------------

def world(m):
    m.env.update(HOME=m.path("home"), **ENV)
    os.makedirs(m.path("home"))
    os.makedirs(m.path("clone"))
    m.dir, top = m.path("clone"), m.dir
    m.facts(decision("PEEK"), decision("PTFE"), memory("The API timeout is 30 s.", id="m1"))
    m.run("publish", "-q")
    m.run("publish", "-q", "--branch", "old")
    m.dir = top
    out = m.path("outside")
    for folder in ("files", "templates", "empty", "theme"):
        os.makedirs(os.path.join(out, folder))
    m.write("outside/files/secret.txt", SECRET)
    m.write("outside/theme/style.css", f"/* {SECRET} */\n")
    m.write("outside/theme/logo.svg", f"<svg xmlns='http://www.w3.org/2000/svg'><desc>{SECRET}</desc></svg>")
    m.write("outside/templates/partials/footer.html.mustache", f"<p>{SECRET}</p>\n")
    m.write("outside/head.html", f"<meta name=x content='{SECRET}'>\n")
    m.write("outside/world.yml", f"worlds:\n  - {{world: {SECRET}}}\n")
    m.write("outside/rules/x.sql", f"-- id: x/y\n-- title: {SECRET}\nSELECT id FROM memories\n")
    m.write("outside/mirror.yml", f"title: {SECRET}\n")
    make_database(m.path("outside", "theirs.db"), f"CREATE TABLE memories(id, content); INSERT INTO memories VALUES('m1', 'The key is {SECRET}')")
    private = m.path("outside", "private")
    os.makedirs(private)
    m.run("init", "-q", cwd=private)
    for said in ("alpha", SECRET):
        m.write("outside/f.jsonl", json.dumps(memory(f"The key is {said}.", id="p1")) + "\n")
        m.run("import", "-q", "../f.jsonl", cwd=private)
        m.run("publish", "-q", cwd=private)
    m.git("init", "-q", "--bare", os.path.join(out, "bare.git"), repo=".")
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", os.path.join(out, "id")], check=True)
    m.write("outside/signers", "x@example.org " + " ".join(m.text("outside", "id.pub").split()[:2]) + "\n")
    shutil.copytree(out, m.path("kept"), symlinks=True)


def seen(m):
    """All that is outside, with what it holds and when that was written."""
    out = {}
    for d, folders, names in os.walk(m.path("outside")):
        for n in names + folders:
            p = os.path.join(d, n)
            st = os.lstat(p)
            data = open(p, "rb").read() if stat.S_ISREG(st.st_mode) else b""
            out[os.path.relpath(p, m.dir)] = (st.st_mode, hashlib.sha256(data).hexdigest())
    return out


def page(server, path):
    c = server.connect()
    c.request("GET", path)
    return c.getresponse().read().decode()


def given_away(m, folder, own):
    """Files of the folder, and objects of its repository, that hold the secret."""
    bad = [p for p, data in m.site_bytes(folder) if SECRET.encode() in data and not os.path.islink(m.path(folder, p))]
    repo = m.path(folder, "mirror.git")
    if os.path.isdir(repo) and not os.path.islink(repo) and own:
        p = subprocess.run(["git", "-C", repo, "-c", "safe.bareRepository=all", "cat-file", "--batch-all-objects", "--batch", "--unordered"], capture_output=True,
                           env={**m.env, "GIT_CONFIG_NOSYSTEM": "1"})
        bad += ["mirror.git"] if SECRET.encode() in p.stdout else []
    return bad


# Each verb, as somebody tries it who looks at a clone.
VERBS = [("health",), ("recall", "timeout"), ("sweep",), ("build",), ("check",), ("publish",), ("publish", "--sign", "ssh"), ("judge",), ("log",), ("diff", "old"),
         ("verify",), ("verify", "--signatures"), ("conflicts", "list"), ("findings",), ("export",), ("export", "--verdicts"), ("rules", "list"), ("theme", "list"),
         ("theme", "eject"), ("theme", "diff"), ("import", "facts.jsonl"), ("add", "memory", "-t", "knowledge", "--content", "The limit is 5."),
         ("redact", "memory:m1", "--reason", "x", "--dry-run"), ("impact", "memory:m1"), ("evidence", "memory:m1"), ("query", "memory:m1"), ("adopt", "--dry-run"),
         ("adopt", "copy.db"), ("init",), ("reflect", "--help"), ("check", "--fail-on", "new"), ("trust",)]
MAIN_VERBS = [("build",), ("publish",), ("recall", "timeout"), ("judge",)]


def git_config(m, folder, text):
    with open(m.path(folder, "mirror.git", "config"), "a") as f:
        f.write(text)


class Case:
    """config: mirror.yml; links: {name: what it leads to}; make(m, folder): whatever else; uses: verbs that need the setting;
    done(m, folder, listener): once the folder is trusted, it did what it says."""

    def __init__(self, config="", links=None, make=None, uses=("build",), done=None, code=0, without=(), env=None):
        self.config, self.links, self.make, self.uses, self.done, self.code, self.without = config, links or {}, make, uses, done, code, without
        self.env = env or {}


def published(text=SECRET, where="site"):
    return lambda m, f, l: any(text.encode() in data for _, data in m.site_bytes(f, where))


def there(*parts):
    return lambda m, f, l: os.path.exists(m.path("outside", *parts))


def sent(*texts):
    return lambda m, f, l: all(l.got(t) for t in texts)


def says(*words):
    return lambda m, f, l: SECRET in m.run(*words, cwd=m.path(f)).out


def pushed(repo):
    return lambda m, f, l: m.git("rev-parse", "mirror", repo=repo) and True


MAP = "store.map:\n  - {layer: memories, table: memories}\n"


def foreign(m, folder):
    make_database(m.path(folder, "theirs.db"), "CREATE TABLE memories(id, content); INSERT INTO memories VALUES('m1', 'The gain is 3')")


def gitfile(m, folder):
    shutil.rmtree(m.path(folder, "mirror.git"))
    m.write(f"{folder}/mirror.git/.git", f"gitdir: {m.path('outside', 'private', 'mirror.git')}\n")


def alternates(m, folder):
    repo = m.path(folder, "mirror.git")
    m.write(f"{folder}/mirror.git/objects/info/alternates", f"{m.path('outside', 'private', 'mirror.git', 'objects')}\n")
    tip = m.git("rev-parse", "mirror", repo="outside/private/mirror.git")
    os.makedirs(os.path.join(repo, "refs/heads"), exist_ok=True)
    m.write(f"{folder}/mirror.git/refs/heads/mirror", tip)


def linked_alternates(m, folder):
    alternates(m, folder)
    os.rename(m.path(folder, "mirror.git", "objects", "info", "alternates"), m.path(folder, "names"))
    os.symlink("../../../names", m.path(folder, "mirror.git", "objects", "info", "alternates"))


def commondir(m, folder):
    m.write(f"{folder}/mirror.git/commondir", m.path("outside", "private", "mirror.git") + "\n")


def linked_packs(m, folder):
    alternates(m, folder)
    os.unlink(m.path(folder, "mirror.git", "objects", "info", "alternates"))
    theirs, ours = m.path("outside", "private", "mirror.git", "objects"), m.path(folder, "mirror.git", "objects")
    for n in os.listdir(os.path.join(theirs, "pack")):
        os.symlink(os.path.join(theirs, "pack", n), os.path.join(ours, "pack", n))
    for n in os.listdir(theirs):
        if len(n) == 2 and not os.path.exists(os.path.join(ours, n)):
            os.symlink(os.path.join(theirs, n), os.path.join(ours, n))


def linked_objects(m, folder):
    """Of each object alone, in folders that are there."""
    alternates(m, folder)
    os.unlink(m.path(folder, "mirror.git", "objects", "info", "alternates"))
    theirs, ours = m.path("outside", "private", "mirror.git", "objects"), m.path(folder, "mirror.git", "objects")
    for pack in glob.glob(m.path("outside", "private", "mirror.git", "objects", "pack", "*.pack")):   # as loose ones
        os.rename(pack, m.path("outside", "one.pack"))
        os.unlink(pack[:-4] + "idx")
        subprocess.run(["git", "-C", m.path("outside", "private", "mirror.git"), "unpack-objects", "-q"], stdin=open(m.path("outside", "one.pack"), "rb"), check=True)
    for n in os.listdir(theirs):
        if len(n) == 2:
            os.makedirs(os.path.join(ours, n), exist_ok=True)
            for o in os.listdir(os.path.join(theirs, n)):
                os.symlink(os.path.join(theirs, n, o), os.path.join(ours, n, o))


def included(text):
    """The repository's config takes what is outside into itself."""
    def make(m, folder):
        m.write("outside/included", f'[remote "origin"]\n\turl = ../../outside/bare.git\n[core]\n\tcomment = {SECRET}\n')
        git_config(m, folder, text)
    return make


def cases(url, host):
    key = f"  key_env: OTHER_KEY\n  url: {url}/v1\n"
    evil = f'[remote "origin"]\n\turl = {url}/x.git\n'
    store, read, push = ("health",), ("log",), ("publish",)
    return {
        "store, by a path": Case("store: ../outside/private/hmirror.db\n", uses=(store, ("sweep",), ("export",)), done=says("export")),
        "store, by an absolute path": Case("store: {outside}/private/hmirror.db\n", uses=(store,), done=says("export")),
        "store, by a link": Case(links={"hmirror.db": "../outside/private/hmirror.db"}, uses=(store,), done=says("export")),
        "store, by a linked folder": Case("store: data/hmirror.db\n", {"data": "../outside/private"}, uses=(store,), done=says("export")),
        "store of another program": Case("store: ../outside/theirs.db\n" + MAP, uses=(store,), done=says("export")),
        "store, by a link to nothing": Case("store: new/s.db\n", {"new": "../outside/empty"}, uses=(("init",),), done=there("empty", "s.db")),
        "review": Case("store: theirs.db\nreview: ../outside/review.db\n" + MAP, make=foreign, uses=(("sweep",),), done=there("review.db")),
        "review, by a link": Case("store: theirs.db\nreview: data/review.db\n" + MAP, {"data": "../outside/empty"}, foreign, (("sweep",),), there("empty", "review.db")),
        "output": Case("output: ../outside/empty\n", uses=(("build",),), done=there("empty", "index.html")),
        "output, new": Case("output: {outside}/autostart/site\n", uses=(("build",),), done=there("autostart", "site", "index.html")),
        "output, by a link": Case(links={"site": "../outside/empty"}, uses=(("build",),), done=there("empty", "index.html")),
        "output, by a linked folder": Case("output: www/site\n", {"www": "../outside"}, uses=(("build",),), done=there("site", "index.html")),
        "output, through a folder": Case("output: facts/../../outside/empty\n", make=lambda m, f: os.makedirs(m.path(f, "facts")), uses=(("build",),), done=there("empty", "index.html")),
        "theme": Case("theme: ../outside/theme\n", uses=(("build",), ("theme", "list")), done=published()),
        "theme, by a link": Case(links={"theme": "../outside/theme"}, uses=(("build",),), done=published()),
        "templates": Case("templates: ../outside/templates\n", uses=(("build",), ("check",)), done=published()),
        "templates, by a link": Case(links={"templates": "../outside/templates"}, uses=(("build",),), done=published()),
        "templates, to write": Case("templates: ../outside/empty\n", uses=(("theme", "eject"),), done=lambda m, f, l: os.listdir(m.path("outside", "empty"))),
        "static": Case("static: ../outside/files\n", uses=(("build",), push), done=published()),
        "static, by a link": Case(links={"static": "../outside/files"}, uses=(("build",),), done=published()),
        "static, below a link": Case("static: x/files\n", {"x": "../outside"}, uses=(("build",),), done=published()),
        "extra_css": Case("extra_css: [brand.css]\n", {"brand.css": "../outside/theme/style.css"}, uses=(("build",),), done=published()),
        "extra_head": Case("extra_head: a/head.html\n", {"a": "../outside"}, uses=(("build",),), done=published()),
        "logo": Case("logo: logo.svg\n", {"logo.svg": "../outside/theme/logo.svg"}, uses=(("build",),), done=published()),
        "repo": Case("publish: {repo: ../outside/new.git}\n", uses=(push, read, ("redact", "memory:m1", "--reason", "x")), done=there("new.git")),
        "repo, by a link": Case(links={"mirror.git": "../outside/bare.git"}, uses=(push,), done=pushed("outside/bare.git")),
        "repo, by a .git file": Case(make=gitfile, uses=(read,), done=says("log")),
        "repo, by alternates": Case(make=alternates, uses=(read,), done=says("log")),
        "repo, by linked alternates": Case(make=linked_alternates, uses=(read,), done=says("log")),
        "repo, by a common folder": Case(make=commondir, uses=(read,), done=says("log")),
        "repo, by linked packs": Case(make=linked_packs, uses=(read,), done=says("log")),
        "repo, by linked objects": Case(make=linked_objects, uses=(read,), done=says("log")),
        "repo, by an include": Case(make=included("[include]\n\tpath = ../../outside/included\n"), uses=(read, push)),
        "repo, by an include in one line": Case(make=included("[core]\n\tx = y\n[Include] PATH=../../outside/included\n"), uses=(read,)),
        "repo, by an include with a condition": Case(make=included('[includeIf "gitdir:**"]\n\tpath = "../../outside/included"\n'), uses=(read,)),
        "push to an included name": Case("publish: {push: origin}\n", make=included("[include]\n\tpath = ../../outside/included\n"), uses=(push,), code=2,
                                         done=lambda m, f, l: not m.git("for-each-ref", repo="outside/bare.git")),
        "push to an address": Case(f"publish: {{push: '{url}/x.git'}}\n", uses=(push,), code=2, done=sent("token-" + SECRET), without=("--no-push",)),
        "push to a path": Case("publish: {push: ../outside/bare.git}\n", uses=(push,), done=pushed("outside/bare.git"), without=("--no-push",)),
        "push to a linked path": Case("publish: {push: ./there.git}\n", {"there.git": "../outside/bare.git"}, uses=(push,), done=pushed("outside/bare.git")),
        "push to a name": Case("publish: {push: origin}\n", make=lambda m, f: git_config(m, f, evil), uses=(push,), code=2, done=sent("token-" + SECRET), without=("--no-push",)),
        "push to a name for a path": Case("publish: {push: origin}\n", make=lambda m, f: git_config(m, f, '[remote "origin"]\n\turl = ../../outside/bare.git\n'),
                                          uses=(push,), done=pushed("outside/bare.git")),
        "ssh_key": Case("publish: {ssh_key: ../outside/id}\n", uses=(("publish", "--push", "ssh://x@127.0.0.1:9/x.git"),), code=2),
        "credentials": Case("publish: {credentials: ../outside/creds}\n", make=lambda m, f: m.write("outside/creds", f"http://anna:{SECRET}@{host}\n"),
                            uses=(("publish", "--push", f"{url}/x.git"),), code=2,
                            env={"HMIRROR_GIT_TOKEN": ""}, done=lambda m, f, l: any(base64.b64encode(f"anna:{SECRET}".encode()).decode() in b for _, b, _ in l.heard)),
        "sign by ssh": Case("publish: {sign: ssh, sign_key: ../outside/id, author: {name: Victim}}\n", uses=(push,), without=("--sign", "off"),
                            done=lambda m, f, l: "gpgsig" in m.git("cat-file", "commit", "mirror", repo=f + "/mirror.git")),
        "sign by gpg": Case("publish: {sign: openpgp, sign_key: nobody@example.org}\n", uses=(push,), code=2, without=("--sign", "off")),
        "a key for --sign": Case("publish: {sign_key: ../outside/id}\n", uses=(("publish", "--sign", "ssh"),),
                                 done=lambda m, f, l: "gpgsig" in m.git("cat-file", "commit", "mirror", repo=f + "/mirror.git")),
        "allowed_signers": Case("publish: {allowed_signers: ../outside/signers}\n", uses=(("verify", "--signatures"),), code=1),
        "judge": Case(f"judge: {{url: {url}/v1}}\n", uses=(("judge",),), code=2, done=sent("key-" + SECRET, "The mass is 3 kg.")),
        "judge, a variable": Case("judge:\n" + key, uses=(("judge",),), code=2, done=sent("other-" + SECRET)),
        "recall": Case(f"recall: {{url: {url}/v1}}\n", uses=(), done=sent("key-" + SECRET)),
        "recall, a variable": Case("recall:\n" + key, uses=(), done=sent("other-" + SECRET)),
        "recall of a person": Case("recall: {url: '" + url + "/v1', key_env: HOME}\n", uses=(), done=sent("/home")),
    }


def make_folder(m, folder, case):
    shutil.copytree(m.path("clone"), m.path(folder), symlinks=True)
    for name, to in case.links.items():
        at = m.path(folder, name)
        if os.path.isdir(at) and not os.path.islink(at):
            shutil.rmtree(at)
        elif os.path.lexists(at):
            os.unlink(at)
        os.symlink(to, at)
    m.write(f"{folder}/mirror.yml", "title: Theirs\n" + case.config.replace("{outside}", m.path("outside")))
    if case.make:
        case.make(m, folder)


def look_around(m, folder, turn):
    """Runs everything once in the folder; where the run is not thorough a fifth of it, and a server, an agent or neither, in turn; all that was printed."""
    said = ""
    at = m.path(folder)
    for verb in VERBS if THOROUGH else MAIN_VERBS + VERBS[turn % 5::5]:
        r = m.run(*verb, cwd=at, code=None, stdin=b"y\n")
        said += r.out + r.err
    inner = type(m)(at)
    inner.env = m.env
    if THOROUGH or turn % 3 == 1:
        with contextlib.suppress(AssertionError):   # a store that is withheld is no server
            with Server(inner) as s:
                said += page(s, "/") + page(s, "/recall?query=timeout")
    if THOROUGH or turn % 3 == 2:
        with contextlib.suppress(Exception):
            with Agent(inner) as a:
                said += json.dumps(a.ask("tools/call", {"name": "recall", "arguments": {"query": "timeout"}}))
                said += json.dumps(a.ask("resources/list"))
    return said


def test_forty_hostile_folders(m):
    world(m)
    with listener() as l:
        all_cases = cases(f"http://127.0.0.1:{l.port}", f"127.0.0.1:{l.port}")
        assert len(all_cases) >= 40
        for i, (name, case) in enumerate(all_cases.items()):
            folder = f"c{i}"
            make_folder(m, folder, case)
            before = seen(m)
            said = look_around(m, folder, i)
            for verb in case.uses:
                m.fails(*verb, cwd=m.path(folder), has="hmirror trust")
            if case.without:
                m.run("publish", *case.without, cwd=m.path(folder))
            assert not l.heard, (name, l.heard)
            assert seen(m) == before, (name, set(seen(m).items()) ^ set(before.items()))
            assert SECRET not in said, (name, said[max(0, said.find(SECRET) - 300):][:500])
            own = case.make not in (gitfile, alternates, linked_alternates, commondir, linked_packs, linked_objects)   # git would show what is outside
            assert not given_away(m, folder, own), (name, given_away(m, folder, own))
            assert not os.path.exists(m.path("home", ".config")), name
            m.trust(m.path(folder))
            m.run("add", "memory", "-t", "knowledge", "--project", "p05", "--content", "The mass is 3 kg.", cwd=m.path(folder), code=None)   # there is something to commit
            for verb in case.uses or (("recall", "timeout"),):
                r = m.run(*verb, cwd=m.path(folder), code=None if not case.uses else case.code, env=case.env)
                assert "hmirror trust" not in r.err, (name, r.err)
            assert not case.done or case.done(m, folder, l), name
            l.heard.clear()
            shutil.rmtree(m.path("outside"))
            shutil.rmtree(m.path("home", ".config"))
            shutil.rmtree(m.path(folder))
            shutil.copytree(m.path("kept"), m.path("outside"), symlinks=True)


def test_a_repository_on_the_command_line(m):
    """One in the folder leads nowhere that the folder's own config may not lead to; one elsewhere is the user's word."""
    world(m)
    for i, make in enumerate((gitfile, alternates, linked_alternates, commondir, linked_packs, linked_objects, included("[include]\n\tpath = ../../outside/included\n"))):
        folder = f"r{i}"
        make_folder(m, folder, Case(make=make))
        at = m.path(folder)
        before = seen(m)
        for verb in (("log",), ("publish",), ("verify",), ("diff", "old"), ("redact", "memory:m1", "--reason", "x", "--dry-run")):
            for repo in ("mirror.git", m.path(folder, "mirror.git")):
                m.fails(*verb, "--repo", repo, cwd=at, has="leads out of the folder")
        assert seen(m) == before
        r = m.run("--trust", "log", "--repo", "mirror.git", cwd=at, code=None)
        assert "leads out" not in r.err, r.err
        shutil.rmtree(at)
        shutil.rmtree(m.path("outside"))
        shutil.copytree(m.path("kept"), m.path("outside"), symlinks=True)
    make_folder(m, "plain", Case())
    subprocess.run(["git", "clone", "-q", "--bare", "--shared", m.path("outside", "private", "mirror.git"), m.path("clone.git")], check=True)
    assert SECRET in m.run("log", "--repo", m.path("clone.git"), cwd=m.path("plain")).out   # as the user said


def test_links_that_are_never_followed(m):
    """World.yml, rules and a mirror.yml that nobody named: what they lead to is no part of the mirror, trusted or not."""
    world(m)
    for i, (name, to) in enumerate((("world.yml", "../outside/world.yml"), ("rules", "../outside/rules"), ("mirror.yml", "../outside/mirror.yml"))):
        folder = f"l{i}"
        shutil.copytree(m.path("clone"), m.path(folder), symlinks=True)
        if os.path.exists(m.path(folder, name)):
            os.unlink(m.path(folder, name))
        os.symlink(to, m.path(folder, name))
        for verb in ("build", "--trust build", "health", "trust --yes", "rules off slot"):
            m.fails(*verb.split(), cwd=m.path(folder), has=(name, "a link out of the mirror's folder"))
        assert not given_away(m, folder, True)
    m.run("--config", "mirror.yml", "build", cwd=m.path("l2"))
    assert published()(m, "l2", None)


def test_a_token_goes_to_one_host(m):
    """Not to where a name, or insteadOf, of the repository's config leads; to the host that the user names, or trusts."""
    world(m)
    clone = m.path("clone")
    token = ENV["HMIRROR_GIT_TOKEN"]
    with listener() as good, listener() as evil:
        to, away = f"http://127.0.0.1:{good.port}/x.git", f"http://127.0.0.1:{evil.port}/x.git"
        git_config(m, "clone", f'[remote "origin"]\n\turl = {away}\n[remote "{to}"]\n\turl = {away}\n')
        push = lambda *args, **kw: m.run("publish", "--push", *args, cwd=clone, code=2, **kw)   # noqa: E731
        assert "HMIRROR_GIT_TOKEN_HOST" in push("origin").err and evil.heard and not evil.got(token)
        evil.heard.clear()
        push(to)
        assert good.got(token) and not evil.heard
        for host, gets in ((f"127.0.0.1:{evil.port}", True), ("127.0.0.1", True), (f"127.0.0.1:{good.port}", False), ("localhost", False), ("127.0.0.1:", False)):
            evil.heard.clear()
            push("origin", env={"HMIRROR_GIT_TOKEN_HOST": host})
            assert evil.heard and evil.got(token) == gets, host
            evil.heard.clear()
            push(away, env={"HMIRROR_GIT_TOKEN_HOST": host})
            assert evil.got(token) == gets, host
        good.heard.clear(), evil.heard.clear()
        git_config(m, "clone", f'[url "{away.rsplit("/", 1)[0]}/"]\n\tinsteadOf = {to.rsplit("/", 1)[0]}/\n')
        m.fails("publish", "--push", to, cwd=clone, has=("insteadOf", away))
        m.fails("publish", "--push", to, cwd=clone, has="insteadOf", env={"HMIRROR_GIT_TOKEN_HOST": f"127.0.0.1:{evil.port}"})
        assert not good.heard and not evil.heard


def test_the_config_of_the_repository_starts_nothing(m):
    """Programs, proxies, other configs: none is started, asked or followed for a push to an address."""
    world(m)
    with listener() as good, listener() as evil:
        ran = m.path("home", "ran")
        tool = m.write("home/tool", f"#!/bin/sh\ntouch {ran}\necho username=x; echo password=y\n")
        os.chmod(tool, 0o755)
        for hook in ("pre-push", "reference-transaction", "post-commit", "pre-commit", "update"):
            shutil.copy(tool, m.write(f"clone/mirror.git/hooks/{hook}", ""))
            os.chmod(m.path("clone", "mirror.git", "hooks", hook), 0o755)
        git_config(m, "clone", f"[core]\n\tsshCommand = {tool}\n\tfsmonitor = {tool}\n\thooksPath = hooks\n\taskPass = {tool}\n\teditor = {tool}\n\tpager = {tool}\n"
                   f"[credential]\n\thelper = {tool}\n[gpg]\n\tprogram = {tool}\n[gpg \"ssh\"]\n\tprogram = {tool}\n[commit]\n\tgpgSign = true\n"
                   f"[http]\n\tproxy = http://127.0.0.1:{evil.port}\n\tsslVerify = false\n[include]\n\tpath = ../../outside/none\n"
                   f"[filter \"x\"]\n\tclean = {tool}\n\tsmudge = {tool}\n")
        m.write("clone/mirror.git/info/attributes", "* filter=x diff=x\n")
        for verb in VERBS:
            m.run(*verb, cwd=m.path("clone"), code=None)
        m.run("publish", "--push", f"http://127.0.0.1:{good.port}/x.git", cwd=m.path("clone"), code=2)
        m.run("publish", "--push", "ssh://x@127.0.0.1:9/x.git", cwd=m.path("clone"), code=2)
        assert good.heard and not evil.heard and not os.path.exists(ran)
        assert "gpgsig" not in m.git("cat-file", "commit", "mirror", repo="clone/mirror.git")


def test_no_key_over_plain_http(m):
    """But to this machine itself, and there past the proxy of the environment. Names that only look like it are none."""
    world(m)
    at = m.path("clone")
    with listener() as l:
        for host in ("127.0.0.1.example", "localhost.example", "127.0.0.1@example", "10.0.0.1", "example", "[::2]", "localhost\\.example", "0x7f.1.example"):
            m.write("clone/mirror.yml", f"judge: {{url: 'http://{host}/v1'}}\nrecall: {{url: 'http://{host}/v1'}}\n")
            if m.run("trust", "--yes", cwd=at, code=None).code:
                continue
            said = m.fails("judge", cwd=at, has="http", env={"http_proxy": f"http://127.0.0.1:{l.port}", "all_proxy": f"http://127.0.0.1:{l.port}"})
            assert "plain http" in said, said
            note = m.run("recall", "timeout", "--format", "json", cwd=at, env={"http_proxy": f"http://127.0.0.1:{l.port}"}).json()["note"]
            assert "plain http" in note and not l.heard, (host, note, l.heard)
        with listener() as proxy:
            m.write("clone/mirror.yml", f"recall: {{url: 'http://127.0.0.1:{l.port}/v1'}}\n")
            m.run("trust", "--yes", cwd=at)
            m.run("recall", "timeout", cwd=at, env={"http_proxy": f"http://127.0.0.1:{proxy.port}", "all_proxy": f"http://127.0.0.1:{proxy.port}"})
            assert l.got(ENV["OPENAI_API_KEY"]) and not proxy.heard


def test_a_journal_that_names_another_file(m):
    """SQLite deletes what the journal of an interrupted transaction names at its end; here that is a file of the user's."""
    world(m)
    victim = m.path("outside", "files", "secret.txt")
    before = seen(m)
    for store in (m.path("clone", "hmirror.db"), m.path("clone", "theirs.db")):
        foreign(m, "clone") if not os.path.exists(store) else None
        with open(store, "rb") as f:
            head = f.read(32)
        page = int.from_bytes(head[16:18], "big")
        magic, name = bytes.fromhex("d9d505f920a163d7"), victim.encode()
        journal = magic + struct.pack(">IIIII", 0, 7, os.path.getsize(store) // page, 512, page)
        tail = struct.pack(">I", 2 ** 30 // page + 1) + name + struct.pack(">II", len(name), sum(name)) + magic
        with open(store + "-journal", "wb") as f:
            f.write(journal.ljust(512, b"\0") + tail)
        for verb in (("health",), ("sweep",), ("build",), ("export",), ("init", "--from", "theirs.db", "new"), ("--trust", "sweep")):
            m.run("--store", store, *verb, cwd=m.path("clone"), code=None)
            assert seen(m) == before, verb
        m.fails("--store", store, "sweep", cwd=m.path("clone"), has=("in several databases", "move the -journal away"))
        shutil.copy(store, m.path("copy"))
        shutil.copy(store + "-journal", m.path("copy-journal"))
        sqlite3.connect(m.path("copy")).execute("SELECT count(*) FROM sqlite_schema").fetchall()
        assert not os.path.exists(victim), "SQLite deletes it, or this test tests nothing"
        shutil.copy(m.path("kept", "files", "secret.txt"), victim)
        assert seen(m) == before


def test_a_key_in_the_config_is_never_shown(m):
    """A key where the name of its variable belongs, and one that is a part of an address; of the verbs a third in turn, all where
    the run is thorough."""
    turns = itertools.count()
    some = lambda words: words if THOROUGH else words[next(turns) % 3::3]   # noqa: E731
    world(m)
    at, made = m.path("clone"), "q7Xk2Pz9Lm4Tv8Rw3Yb6q7Xk2Pz9Lm4Tv8Rw"
    verbs = [("trust",), ("trust", "--yes"), ("trust", "--format", "json"), ("judge",), ("judge", "--dry-run"), ("health",), ("recall", "spindle"), ("build",), ("publish", "-q"),
             ("--trust", "judge"), ("--trust", "recall", "spindle"), ("--trust", "judge", "--format", "json")]
    for key in ("sk" "-" + made, "gh" "p_" + made, "x_gh" "p_" + made, made, "2fd4e1c67a2d28fced849ee1bb76e7391b93eb12"):
        for text in (f"judge: {{url: 'https://h.example/v1', key_env: '{key}'}}\n", f"recall: {{url: 'https://h.example/v1', key_env: '{key}'}}\n"):
            m.write("clone/mirror.yml", text)
            for words in some(verbs):
                r = m.run(*words, cwd=at, code=2)
                assert made not in r.out + r.err and key not in r.out + r.err and "a key, and not the name" in r.err, (key, words, r.out, r.err)
        with listener() as l:
            for text in (f"http://127.0.0.1:{l.port}/{key}/v1", f"http://127.0.0.1:{l.port}/v1/embed?key={key}"):
                for section in "judge", "recall":
                    m.write("clone/mirror.yml", f"{section}: {{url: '{text}'}}\n")
                    for words in some(verbs[:1] + verbs[2:6] + verbs[-3:]):
                        r = m.run(*words, cwd=at, code=None)
                        assert made not in r.out + r.err and key not in r.out + r.err, (key, words, r.out, r.err)
            assert any(key in path for path, _, _ in l.heard), "nothing was sent, so nothing was tested"
    repo = m.path("gh" "p_" + made + ".git")
    m.git("init", "-q", "--bare", repo, repo=".")
    m.write("clone/mirror.yml", f"publish: {{push: {repo}}}\n")
    for words in ("trust",), ("--trust", "publish"), ("--trust", "publish", "--format", "json"):
        r = m.run(*words, cwd=at, code=None)
        assert made not in r.out + r.err, (words, r.out, r.err)
    for name in ("OPENAI_API_KEY", "HOME", "AZURE_OPENAI_KEY_2", "my_key"):
        m.write("clone/mirror.yml", f"judge: {{url: 'https://h.example/v1', key_env: {name}}}\n")
        assert f"sends {name} and facts to https://h.example/v1" in m.run("trust", cwd=at, code=None).out + m.run("trust", cwd=at, code=None).err


# --- the verb -------------------------------------------------------------------------------------

def test_the_verb(m):
    world(m)
    at = m.path("clone")
    m.write("clone/mirror.yml", "title: x\n")
    assert "Nothing to trust" in m.run("trust", cwd=at).out and not os.path.exists(m.path("home", ".config"))
    m.write("clone/mirror.yml", "output: ../www\nrecall: {url: 'https://api.example.org/v1?key=geheim'}\npublish: {push: 'https://anna:geheim@example.org/x.git'}\n")
    r = m.run("trust", cwd=at, code=2)
    for line in (f"output                   writes the site into {m.path('www')}", "sends OPENAI_API_KEY and texts of facts to https://api.example.org/v1",
                 "pushes branch mirror to https://example.org/x.git", "nobody is there to say yes: give --yes"):
        assert line in r.err, (line, r.err)
    assert "geheim" not in r.err + r.out and not os.path.exists(m.path("home", ".config"))
    m.run("--trust", "build", cwd=at)
    assert os.path.exists(m.path("www", "index.html")) and not os.path.exists(m.path("home", ".config"))
    first = m.fails("build", cwd=at, has=("mirror.yml: output: it writes the site into", "since this version", "hmirror trust"))
    assert first.count("hmirror trust") == 1
    got = m.run("trust", "--yes", "--format", "json", at).json()
    assert got["trusted"] and got["folder"] == os.path.realpath(at) and [s["key"] for s in got["settings"]] == ["output", "publish.push", "recall.url"], got
    file = m.path("home", ".config", "hmirror", "trusted")
    assert stat.S_IMODE(os.stat(file).st_mode) == 0o600 and os.listdir(os.path.dirname(file)) == ["trusted"]
    assert m.run("trust", "--list").out == os.path.realpath(at) + "\n"
    m.run("build", cwd=at)
    m.run("-C", at, "build", cwd=m.dir)
    os.symlink("clone", m.path("alias"))
    m.run("build", cwd=m.path("alias"))   # the same folder
    m.write("clone/mirror.yml", m.text("clone", "mirror.yml").replace("../www", "../w3"))
    m.fails("build", cwd=at, has=("not what you trusted", "hmirror trust"))
    m.run("trust", "--remove", at)
    assert m.run("trust", "--list").out == "" and "was not trusted" in m.run("trust", "--remove", at).out
    m.fails("build", cwd=at, has="this folder is not trusted: see")
    m.fails("trust", "--yes", "--remove", has="more than one thing")
    m.run("trust", "--yes", at)
    os.chmod(file, 0o666)
    m.fails("build", cwd=at, has=("others may write to it", "hmirror trust"))
    m.fails("trust", "--yes", at, has="others may write to it")
    os.unlink(file)
    for env in ({"HOME": "relative"}, {"HOME": ""}):
        m.fails("trust", "--yes", at, env=env, has="--trust")
        m.fails("build", cwd=at, env=env, has="hmirror trust")
        m.run("--trust", "build", cwd=at, env=env)
    m.run("trust", "--yes", at, env={"XDG_CONFIG_HOME": m.path("xdg")})
    m.run("build", cwd=at, env={"XDG_CONFIG_HOME": m.path("xdg")})
    m.fails("build", cwd=at, has="hmirror trust")


def test_a_person_is_asked(m):
    world(m)
    m.write("clone/mirror.yml", "output: ../www\n")
    for answer, code in ((b"n\n", 2), (b"\n", 2), (b"y\n", 0)):
        main_end, their_end = pty.openpty()
        p = subprocess.Popen([HMIRROR, "trust"], cwd=m.path("clone"), env=m.env, stdin=their_end, stdout=their_end, stderr=their_end)
        os.close(their_end)
        os.write(main_end, answer)
        said = b""
        with contextlib.suppress(OSError):
            while more := os.read(main_end, 4096):
                said += more
        os.close(main_end)
        assert p.wait(HANGS) == code and b"Allow it? [y/N]" in said and b"writes the site into" in said, said
        assert os.path.exists(m.path("home", ".config", "hmirror", "trusted")) == (code == 0)


def test_many_at_once_lose_nothing(m):
    m.env["HOME"] = m.path("home")
    running = []
    for i in range(12):
        m.write(f"f{i}/mirror.yml", "output: ../www\n")
        running.append(subprocess.Popen([HMIRROR, "trust", "--yes", "-q", m.path(f"f{i}")], env=m.env))
    assert all(p.wait(HANGS) == 0 for p in running)
    assert len(m.run("trust", "--list").out.splitlines()) == 12


def test_init_records_what_it_wrote(m):
    world(m)
    m.run("init", "--from", "outside/theirs.db", "mine")
    m.run("health", cwd=m.path("mine"))
    assert m.run("trust", "--list").out == os.path.realpath(m.path("mine")) + "\n"
    os.makedirs(m.path("theirs"))
    os.symlink("../outside/empty", m.path("theirs", "site"))
    r = m.run("init", "--from", "outside/theirs.db", "theirs")   # what else is there is not init's
    assert "hmirror trust" in r.err
    m.fails("health", cwd=m.path("theirs"), has="hmirror trust")
    r = m.run("init", "--from", "outside/theirs.db", "third", env={"HOME": ""})
    assert "hmirror trust" in r.err and os.path.exists(m.path("third", "mirror.yml"))
    m.run("init", "plain")
    assert len(m.run("trust", "--list").out.splitlines()) == 1


# --- what runs ------------------------------------------------------------------------------------

def test_servers_that_read_the_config_again(m):
    """A list that changes is not trusted in what runs already, and what it began with is not sent any more."""
    world(m)
    at = m.path("clone")
    inner = type(m)(at)
    inner.env = m.env
    with listener() as l:
        good = f"recall: {{url: 'http://127.0.0.1:{l.port}/v1'}}\n"
        m.write("clone/mirror.yml", good)
        m.run("trust", "--yes", cwd=at)
        for args in ((), ("--trust",)):
            if args:
                m.run("trust", "--remove", cwd=at)
            m.write("clone/mirror.yml", good)
            with Server(inner, *args) as s, Agent(inner, *args) as a:
                l.heard.clear()
                ask = lambda: (s.get("/recall?query=timeout").json()["note"],   # noqa: E731
                               json.dumps(a.ask("tools/call", {"name": "recall", "arguments": {"query": "timeout"}})))
                ask()
                wait_until(lambda: l.heard, "the model is asked")
                m.write("clone/mirror.yml", good + "output: ../www\nstatic: ../outside/files\n")
                before = None
                while before != len(l.heard):
                    before = len(l.heard)
                    notes = ask()
                assert all("hmirror trust" in n for n in notes), notes
                assert SECRET not in page(s, "/secret.txt")
                wait_until(lambda: "hmirror trust" in page(s, "/"), "the preview says why it shows nothing")
                m.write("clone/mirror.yml", good)
    with Server(inner) as s:
        assert "hmirror trust" in s.get("/recall?query=timeout").json()["note"]
        assert "hmirror trust" in s.get("/health").json()["vectors"]["why"]


def test_a_watch_that_reads_the_config_again(m):
    """What a new mirror.yml asks waits for the user, who need not start it again."""
    world(m)
    at, there = m.path("clone"), "outside/bare.git"
    p = subprocess.Popen([HMIRROR, "publish", "--watch"], cwd=at, env=m.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert "nothing changed" in p.stdout.readline()
        m.write("clone/mirror.yml", "publish: {push: ../outside/bare.git}\n")
        assert "hmirror trust" in p.stderr.readline() and m.git("for-each-ref", repo=there) == ""
        m.run("trust", "--yes", cwd=at)
        wait_until(lambda: m.git("for-each-ref", repo=there), "what is trusted is done")
    finally:
        p.terminate()
        p.communicate(timeout=HANGS)
    m.git("init", "-q", "--bare", m.path("clone", "other.git"), repo=".")
    m.write("clone/mirror.yml", "publish: {push: origin}\n")
    git_config(m, "clone", '[remote "origin"]\n\turl = ../../outside/bare.git\n')
    m.run("trust", "--yes", cwd=at)
    m.run("publish", cwd=at)
    m.fails("publish", "--repo", "other.git", cwd=at, has="another address")   # of somebody else's choice
    m.run("publish", "--repo", "other.git", "--no-push", cwd=at)


def test_it_says_so_in_one_line(m):
    world(m)
    at = m.path("clone")
    m.write("clone/mirror.yml", "recall: {url: 'https://api.example.org/v1'}\njudge: {url: 'https://api.example.org/v1'}\n")
    line = "hmirror: mirror.yml: judge.url, recall.url: this folder is not trusted (since this version it must be), so there is no judge, and are no vectors of a model: see 'hmirror trust'\n"
    for verb in (("build",), ("sweep",), ("conflicts", "list"), ("health",), ("publish",), ("export",), ("judge", "--dry-run")):
        r = m.run(*verb, cwd=at)
        assert r.err == line, (verb, r.err)
    r = m.run("recall", "timeout", cwd=at)
    assert r.err.count("hmirror trust") == 1, r.err
    r = m.run("-q", "recall", "timeout", cwd=at)
    assert r.err == line, r.err
    h = m.run("health", cwd=at, code=0)
    assert h.out.count("hmirror trust") == 2, h.out
    h = m.run("health", "--format", "json", cwd=at).json()
    assert "hmirror trust" in h["judge"]["why"] and "hmirror trust" in h["vectors"]["why"] and not h["judge"]["on"]


if __name__ == "__main__":
    main(globals())
