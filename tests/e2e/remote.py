"""Pushing to real servers on this machine: a path, git daemon, git http-backend behind lighttpd (http and https), sshd."""
import base64
import contextlib
import json
import os
import shutil
import socket
import subprocess
import threading
import time

from harness import HANGS, THOROUGH, Mirror, Skip, main, wait_until


def need(*programs):
    for p in programs:
        if not shutil.which(p) and not os.path.exists(p):
            raise Skip(f"{p} is not installed")


held = []


def free_port():
    """Nobody listens there, and nobody else is given it: it stays bound, which keeps out no server that reuses addresses."""
    s = socket.socket()
    held.append(s)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    s.bind(("127.0.0.1", 0))
    return s.getsockname()[1]


@contextlib.contextmanager
def server(m, cmd, port, env=None):
    log = open(m.path("server.log"), "ab")
    p = subprocess.Popen(cmd, cwd=m.dir, stdout=log, stderr=log, env={**m.env, **(env or {})})
    def answers():
        assert p.poll() is None, m.text("server.log")
        with socket.socket() as s:
            return s.connect_ex(("127.0.0.1", port)) == 0
    try:
        wait_until(answers, f"{cmd[0]} listens")
        yield p
    finally:
        p.kill()
        p.wait()


def over_ssh(m):
    """libgit2 1.5 itself loses memory where it looks up known hosts, in frames that no suppression can name."""
    m.env["ASAN_OPTIONS"] = m.env.get("ASAN_OPTIONS", "") + ":detect_leaks=0"


def fact(value, id="d"):
    return {"kind": "entity", "id": id, "entity_type": "Decision", "project": "p", "name": "n",
            "properties": {"decision_target": "t", "decision_field": "f", "value": value}}


def bare(m, name="there.git"):
    os.makedirs(m.path("srv"), exist_ok=True)
    m.git("init", "-q", "--bare", m.path("srv", name), repo=".")
    return m.path("srv", name)


def tip(m, repo, branch="mirror"):
    return m.git("rev-parse", branch, repo=repo).strip()


def publish_twice(m, there, url, **kw):
    """First publication, one after a change, and one that has nothing to commit; all arrive."""
    m.facts(fact("A"))
    a = m.run("publish", "--push", url, "--format", "json", **kw).json()
    assert a["created"] and a["pushed"] and tip(m, there) == a["commit"]
    m.facts(fact("B"))
    b = m.run("publish", "--push", url, "--format", "json", **kw).json()
    assert b["created"] and tip(m, there) == b["commit"]
    assert m.git("rev-parse", "mirror^", repo=there).strip() == a["commit"]
    c = m.run("publish", "--push", url, "--format", "json", **kw).json()
    assert not c["created"] and not c["pushed"] and c["commit"] == b["commit"]
    m.git("fsck", "--strict", repo=there)


# --- a path ----------------------------------------------------------------------

def test_path(m):
    there = bare(m)
    publish_twice(m, there, there)
    assert m.git("for-each-ref", "--format=%(refname)", repo=there).split() == ["refs/heads/mirror"]


def test_file_url_and_named_remote(m):
    there = bare(m)
    m.facts(fact("A"))
    m.run("publish")
    m.git("remote", "add", "origin", "file://" + there)
    out = m.run("publish", "--push", "origin").out
    assert "pushed" in out and tip(m, there) == tip(m, "mirror.git")


def test_relative_path_of_a_named_remote(m):
    """As git sees it: from the bare repository, or from the top of the work tree; not from where the program runs."""
    there = bare(m)
    m.facts(fact("A"))
    m.run("publish")
    m.git("remote", "add", "origin", os.path.relpath(there, m.path("mirror.git")))
    m.run("publish", "--push", "origin")
    assert tip(m, there) == tip(m, "mirror.git")
    m.git("init", "-q", "work", repo=".")
    m.git("-C", "work", "remote", "add", "origin", os.path.relpath(there, m.path("work")), repo=".")
    m.run("publish", "--repo", "work", "--push", "origin")
    assert tip(m, there) == tip(m, os.path.join("work", ".git"))


def test_pushes_when_there_is_nothing_to_commit(m):
    there = bare(m)
    m.facts(fact("A"))
    m.run("publish")
    r = m.run("publish", "--push", there, "--format", "json").json()
    assert not r["created"] and r["pushed"] and tip(m, there) == r["commit"]


def test_config_names_the_remote(m):
    there = bare(m)
    m.facts(fact("A"))
    m.write("conf/mirror.yml", "store: ../hmirror.db\npublish:\n  repo: ../mirror.git\n  push: ../srv/there.git\n")
    m.trust("--config", "conf/mirror.yml")
    m.run("publish", "--config", "conf/mirror.yml")
    assert tip(m, there) == tip(m, "mirror.git")


def test_a_fresh_folder_goes_on_where_the_remote_is(m):
    there = bare(m)
    m.facts(fact("A"))
    first = m.run("publish", "--push", there, "--format", "json").json()["commit"]
    shutil.rmtree(m.path("mirror.git"))
    m.facts(fact("B"))
    second = m.run("publish", "--push", there, "--format", "json").json()["commit"]
    assert m.git("rev-parse", "mirror^", repo=there).strip() == first and tip(m, there) == second


def test_commits_made_apart_are_made_again(m):
    """Here and there each have a publication that the other lacks: ours gives way and is built on theirs."""
    there = bare(m)
    m.facts(fact("A"))
    m.run("publish", "--push", there)
    other = Mirror()
    try:
        other.facts(fact("other"))
        other.run("publish", "--push", there)
        theirs = tip(m, there)
        m.facts(fact("B"))
        m.run("publish")
        r = m.run("publish", "--push", there)
        assert "made again" in r.err
        assert m.git("rev-parse", "mirror^", repo=there).strip() == theirs
        assert tip(m, "mirror.git") == tip(m, there)
    finally:
        shutil.rmtree(other.dir)


def commit_by_hand(m, repo, name="by-hand.md"):
    work = m.path("hand")
    m.git("clone", "-q", "-b", "mirror", repo, work, repo=".")
    m.write("hand/" + name, "mine")
    m.git("-C", work, "add", "-A", repo=".")
    m.git("-C", work, "-c", "user.name=h", "-c", "user.email=h@h", "commit", "-qm", "by hand", repo=".")
    m.git("-C", work, "push", "-q", "origin", "mirror", repo=".")
    shutil.rmtree(work)


def test_a_commit_by_hand_here_is_not_thrown_away(m):
    there = bare(m)
    m.facts(fact("A"))
    m.run("publish", "--push", there)
    commit_by_hand(m, m.path("mirror.git"))
    mine = tip(m, "mirror.git")
    commit_by_hand(m, there, "theirs.md")
    m.fails("publish", "--push", there, has=("not hmirror's", "merge"))
    assert tip(m, "mirror.git") == mine


def test_a_commit_by_hand_there_is_restored_and_named(m):
    there = bare(m)
    m.facts(fact("A"))
    m.run("publish", "--push", there)
    commit_by_hand(m, there, "README.md")
    m.facts(fact("B"))
    m.run("publish", "--push", there)
    assert "restored README.md" in m.git("log", "-1", "--format=%B", "mirror", repo=there)


def test_a_hook_that_refuses(m):
    there = bare(m)
    hook = m.write("srv/there.git/hooks/update", "#!/bin/sh\necho frozen until Monday >&2\nexit 1\n")
    os.chmod(hook, 0o755)
    m.facts(fact("A"))
    port = free_port()
    with daemon(m, port):
        r = m.run("publish", "--push", f"git://127.0.0.1:{port}/there.git", code=2)
    assert "remote: frozen until Monday" in r.err and "refused branch mirror: hook declined" in r.err
    assert m.git("for-each-ref", repo=there) == ""
    assert tip(m, "mirror.git")


def test_a_path_that_refuses(m):
    """Who looks why a push was refused does not wait for its own lock."""
    there = bare(m)
    m.facts(fact("A"))
    m.write(os.path.join(there, "refs", "hmirror"), "no folder")
    m.fails("publish", "--push", there, "--push-timeout", str(2 * HANGS), has="refused branch mirror")
    assert "hmirror.lock" not in os.listdir(there)


def test_unreachable(m):
    m.facts(fact("A"))
    port = free_port()
    m.fails("publish", "--push", f"git://127.0.0.1:{port}/x.git", has=("127.0.0.1", "reach"))
    m.fails("publish", "--push", m.path("nowhere"), has="nowhere")
    m.fails("publish", "--push", "", has="--push")
    m.fails("publish", "--push", "a b", has="--push")
    m.fails("publish", "--push-timeout", "5", has="--push")
    m.fails("publish", "--push", "x", "--push-timeout", "0", has="--push-timeout")
    m.fails("publish", "--push", f"https://user:geheim@127.0.0.1:{port}/x.git", has=f"https://127.0.0.1:{port}/x.git")


def test_a_remote_that_hangs(m):
    over_ssh(m)
    m.facts(fact("A"))
    m.run("publish")
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        s.listen()
        for url in ("git://127.0.0.1:%d/x.git", "http://127.0.0.1:%d/x.git", "ssh://u@127.0.0.1:%d/x.git", "https://127.0.0.1:%d/x.git"):
            m.fails("publish", "--push", url % s.getsockname()[1], "--push-timeout", "1", has="no sign of life for 1 s")


def test_no_message_has_a_secret(m):
    """Where libgit2 cannot read an address, its own words have all of it."""
    m.facts(fact("A"))
    for url in ("https://anna:geheim@127.0.0.1:notaport/x", "https://anna:gehe/im@127.0.0.1:1/x", "https://anna:geh?eim@127.0.0.1:1/x",
                "foo://anna:geheim@127.0.0.1/x", "git://anna:geheim@127.0.0.1:99999/x", "ssh://anna:geheim@127.0.0.1:99999/x",
                "https://geheim@127.0.0.1:1/x"):
        said = m.fails("publish", "--push", url, has="127.0.0.1")
        assert "geh" not in said and "anna" not in said, said
    m.git("config", "url.https://geheim@127.0.0.1:notaport/.insteadOf", "there:")
    assert "geheim" not in m.fails("publish", "--push", "there:x", has="127.0.0.1:notaport")


def test_an_answer_that_is_no_git(m):
    """The other side is gone when libgit2 says goodbye; or its answer ends early, or is nothing known."""
    m.facts(fact("A"))
    ref = b"%040x refs/heads/mirror" % 1
    packet = lambda b: b"%04x" % (len(b) + 4) + b
    answers = [b"", b"\xff" * 100, b"0001", packet(b"ERR \x1b[31mno\n"), packet(ref + b"\0caps\n") + packet(b"\0" * 60000) + b"0000",
               packet(ref + b"a" * 60000 + b"\0caps\n") + b"0000"]

    def serve(s):
        for answer in answers:
            c, _ = s.accept()
            c.recv(4096)
            c.sendall(answer)
            c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            c.close()
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        s.listen()
        threading.Thread(target=serve, args=(s,), daemon=True).start()
        for _ in answers:
            said = m.fails("publish", "--push-timeout", "2", "--push", f"git://127.0.0.1:{s.getsockname()[1]}/x.git", has="cannot")
            assert "\x1b" not in said and "config value" not in said, said


# --- git daemon --------------------------------------------------------------------

def daemon(m, port):
    """By its own name: of `git daemon` only git itself would be ended, and the daemon that it started would stay."""
    need("git")
    where = subprocess.run(["git", "--exec-path"], capture_output=True, text=True, check=True).stdout.strip()
    return server(m, [os.path.join(where, "git-daemon"), "--export-all", "--enable=receive-pack", f"--base-path={m.path('srv')}", "--listen=127.0.0.1",
                      f"--port={port}", "--reuseaddr"], port)


def test_git_daemon(m):
    there, port = bare(m), free_port()
    with daemon(m, port):
        publish_twice(m, there, f"git://127.0.0.1:{port}/there.git")


def test_eight_publishers_lose_nothing(m):
    """Publications of eight, each of different facts, to one remote at once: every one is a commit there."""
    there, port = bare(m), free_port()
    failures = []
    each = 6 if THOROUGH else 2

    def worker(k, url):
        w = Mirror()
        try:
            for i in range(each):
                w.facts(fact(f"v{k}.{i}"))
                w.run("publish", "--push", url, "-m", f"w{k}.{i}", timeout=300)
        except Exception as e:      # noqa: BLE001
            failures.append(e)
        finally:
            shutil.rmtree(w.dir)
    with daemon(m, port):
        urls = [f"git://127.0.0.1:{port}/there.git", there]
        threads = [threading.Thread(target=worker, args=(k, urls[k % 2])) for k in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
    assert not failures, failures[0]
    subjects = m.git("log", "--format=%s", "mirror", repo=there).split()
    assert sorted(subjects) == sorted(f"w{k}.{i}" for k in range(8) for i in range(each))
    m.git("fsck", "--strict", repo=there)


@contextlib.contextmanager
def between(port, from_server=1 << 40, from_client=1 << 40, pause=0.0):
    """A way to the port that stands still after so many bytes of either side, and rests before each piece."""
    def carry(a, b, left):
        with contextlib.suppress(OSError):
            while left > 0 and (data := a.recv(min(left, 4096 if pause else 65536))):
                time.sleep(pause)
                b.sendall(data)
                left -= len(data)
            if left > 0:
                b.shutdown(socket.SHUT_WR)

    def serve(s):
        with contextlib.suppress(OSError):
            while True:
                c, _ = s.accept()
                d = socket.create_connection(("127.0.0.1", port))
                kept.extend((c, d))
                for args in ((c, d, from_client), (d, c, from_server)):
                    threading.Thread(target=carry, args=args, daemon=True).start()
    kept = []
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        s.listen()
        threading.Thread(target=serve, args=(s,), daemon=True).start()
        try:
            yield s.getsockname()[1]
        finally:
            for k in kept:
                k.close()


def test_a_remote_that_stops_in_the_middle(m):
    """Of its list of branches, of the pack that it sends, of the pack that it gets."""
    there, port = bare(m), free_port()
    m.write("static/big.bin", os.urandom(3 << 20))
    m.facts(fact("A"))
    with daemon(m, port):
        direct = f"git://127.0.0.1:{port}/there.git"
        with between(port, from_client=1 << 20) as half:
            m.fails("publish", "--push", f"git://127.0.0.1:{half}/there.git", "--push-timeout", "4", has=("cannot push", "no sign of life for 4 s"))
        assert m.git("for-each-ref", repo=there) == "" and tip(m, "mirror.git")
        m.run("publish", "--push", direct)
        assert tip(m, there) == tip(m, "mirror.git")
        for n in (20, 1 << 20):
            other = Mirror()
            try:
                other.facts(fact("B"))
                with between(port, from_server=n) as half:
                    other.fails("publish", "--push", f"git://127.0.0.1:{half}/there.git", "--push-timeout", "1", has="no sign of life for 1 s")
                assert other.git("for-each-ref") == ""
                assert not [p for p in other.tree("mirror.git") if p.endswith(".lock") or "pack_git2" in p]
            finally:
                shutil.rmtree(other.dir)
    m.git("fsck", "--strict", repo=there)


def test_a_remote_that_is_slow(m):
    """It takes longer than the longest silence that is borne, but is never silent for so long."""
    there, port = bare(m), free_port()
    m.write("static/big.bin", os.urandom(400 << 10))
    m.facts(fact("A"))
    m.run("publish", "--push", there)
    shutil.rmtree(m.path("mirror.git"))
    m.facts(fact("B"))
    with daemon(m, port), between(port, pause=0.06) as slow:    # a hundred pieces come in
        start = time.monotonic()
        m.run("publish", "--push", f"git://127.0.0.1:{slow}/there.git", "--push-timeout", "5")
        assert time.monotonic() - start > 5
    assert tip(m, there) == tip(m, "mirror.git")


def test_servers_that_refuse(m):
    """By a hook that sees all, or because the branch is checked out there: in its words, and nothing comes in."""
    there, port = bare(m), free_port()
    m.facts(fact("A"))
    with daemon(m, port):
        url = f"git://127.0.0.1:{port}/there.git"
        os.chmod(m.write("srv/there.git/hooks/pre-receive", "#!/bin/sh\necho not today >&2\nexit 1\n"), 0o755)
        r = m.run("publish", "--push", url, code=2)
        assert "remote: not today" in r.err and "refused branch mirror: pre-receive hook declined" in r.err, r.err
        m.fails("publish", "--push", there, has=("the hook pre-receive", "ssh"))
        os.unlink(m.path("srv/there.git/hooks/pre-receive"))
        assert m.git("for-each-ref", repo=there) == ""
        m.run("publish", "--push", url)
        m.git("clone", "-q", "-b", "mirror", there, m.path("srv/work"), repo=".")
        before = tip(m, "srv/work")
        m.facts(fact("B"))
        m.run("publish", "--push", f"git://127.0.0.1:{port}/work/.git", code=2)
        assert "refused branch mirror: branch is currently checked out" in m.run("publish", "--push", f"git://127.0.0.1:{port}/work/.git", code=2).err
        m.fails("publish", "--push", "srv/work", has=("work tree", "--repo"))
        assert tip(m, "srv/work") == before
        m.run("publish", "--push", url)


def test_shallow_single_branch_clone(m):
    """As CI has it: the facts' repository, one commit deep, one branch; the mirror goes to its remote."""
    there, port = bare(m), free_port()
    with daemon(m, port):
        url = f"git://127.0.0.1:{port}/there.git"
        m.git("init", "-q", "-b", "main", m.path("facts"), repo=".")
        for i in range(3):
            m.write("facts/f.jsonl", json.dumps(fact(f"v{i}")) + "\n")
            m.git("-C", m.path("facts"), "add", "-A", repo=".")
            m.git("-C", m.path("facts"), "-c", "user.name=h", "-c", "user.email=h@h", "commit", "-qm", f"c{i}", repo=".")
        m.git("-C", m.path("facts"), "push", "-q", url, "main", repo=".")
        commits = []
        for i in range(2):
            work = m.path(f"ci{i}")
            m.git("clone", "-q", "--depth", "1", "--single-branch", "-b", "main", url, work, repo=".")
            m.write(f"ci{i}/f.jsonl", json.dumps(fact(f"w{i}")) + "\n")
            m.run("import", "f.jsonl", cwd=work)
            r = m.run("publish", "--repo", ".", "--push", "origin", "--format", "json", cwd=work)
            commits.append(r.json()["commit"])
        assert tip(m, there) == commits[1] and m.git("rev-parse", "mirror^", repo=there).strip() == commits[0]


def test_shallow_clone_of_the_mirror_itself(m):
    there, port = bare(m), free_port()
    with daemon(m, port):
        url = f"git://127.0.0.1:{port}/there.git"
        for v in "ABC":
            m.facts(fact(v))
            m.run("publish", "--push", url)
        last = tip(m, there)
        m.git("clone", "-q", "--bare", "--depth", "1", "-b", "mirror", url, m.path("shallow.git"), repo=".")
        m.facts(fact("D"))
        m.run("publish", "--repo", "shallow.git", "--push", url)
        assert m.git("rev-parse", "mirror^", repo=there).strip() == last
        assert m.git("rev-list", "--count", "mirror", repo=there).strip() == "4"
        m.git("fsck", "--strict", repo="shallow.git")


# --- http ---------------------------------------------------------------------------

LIGHTTPD = """
server.document-root = "%(dir)s/srv"
server.port = %(port)d
server.bind = "127.0.0.1"
server.modules = ("mod_auth", "mod_authn_file", "mod_alias", "mod_cgi", "mod_setenv"%(more)s)
server.errorlog = "%(dir)s/lighttpd.log"
alias.url = ("/git" => "/usr/lib/git-core/git-http-backend")
$HTTP["url"] =~ "^/git" {
  cgi.assign = ("" => "")
  setenv.add-environment = ("GIT_PROJECT_ROOT" => "%(dir)s/srv", "GIT_HTTP_EXPORT_ALL" => "1")
  auth.backend = "plain"
  auth.backend.plain.userfile = "%(dir)s/users"
  auth.require = ("" => ("method" => "basic", "realm" => "git", "require" => "valid-user"))
}
%(tls)s
"""


def lighttpd(m, port, tls=False):
    need("/usr/sbin/lighttpd", "git", *(["openssl", "/usr/lib/lighttpd/mod_openssl.so"] if tls else []))
    m.write("users", "hmirror:geheim 1\nanna:pw/2\n")
    more = tls_conf = ""
    if tls:
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", m.path("key.pem"), "-out", m.path("cert.pem"),
                        "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
                       check=True, capture_output=True)
        more = ', "mod_openssl"'
        tls_conf = f'ssl.engine = "enable"\nssl.pemfile = "{m.path("cert.pem")}"\nssl.privkey = "{m.path("key.pem")}"\n'
    m.write("lighttpd.conf", LIGHTTPD % {"dir": m.dir, "port": port, "more": more, "tls": tls_conf})
    return server(m, ["/usr/sbin/lighttpd", "-D", "-f", m.path("lighttpd.conf")], port)


def http_repo(m):
    there = bare(m)
    m.git("config", "http.receivepack", "true", repo=there)
    return there


def test_http_with_a_token(m):
    there, port = http_repo(m), free_port()
    with lighttpd(m, port):
        url = f"http://127.0.0.1:{port}/git/there.git"
        publish_twice(m, there, url, env={"HMIRROR_GIT_TOKEN": "geheim 1"})
        said = m.fails("publish", "--push", url, env={"HMIRROR_GIT_TOKEN": "falsch"}, has="HMIRROR_GIT_TOKEN")
        assert "falsch" not in said
        m.fails("publish", "--push", url, has="HMIRROR_GIT_TOKEN")


def test_https_with_credentials_file(m):
    there, port = http_repo(m), free_port()
    with lighttpd(m, port, tls=True):
        url = f"https://localhost:{port}/git/there.git"
        m.write("secrets", f"https://anna:no@example.org\n\nhttps://anna:pw%2F2@localhost:{port}\n")
        os.chmod(m.path("secrets"), 0o600)
        m.write("mirror.yml", "publish:\n  credentials: secrets\n")
        m.facts(fact("A"))
        m.fails("publish", "--push", url, has="certificate")
        publish_twice(m, there, url, env={"SSL_CERT_FILE": m.path("cert.pem")})


def test_a_redirect_does_not_get_the_secret(m):
    """The host that was named answers with a redirection to another one, which asks for a password."""
    asked = []

    def serve(s, answer):
        while True:
            try:
                c, _ = s.accept()
            except OSError:
                return
            c.settimeout(HANGS)
            data = b""
            with contextlib.suppress(OSError):
                while b"\r\n\r\n" not in data:
                    more = c.recv(4096)
                    if not more:
                        break
                    data += more
                asked.append(data)
                c.sendall(answer(data))
            c.close()
    with socket.socket() as thief, socket.socket() as named:
        for s in (thief, named):
            s.bind(("127.0.0.1", 0))
            s.listen()
        to = f"http://localhost:{thief.getsockname()[1]}/git/there.git/info/refs?service=git-upload-pack"
        threading.Thread(target=serve, args=(thief, lambda _: b"HTTP/1.1 401 no\r\nWWW-Authenticate: Basic realm=x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"), daemon=True).start()
        threading.Thread(target=serve, args=(named, lambda _: f"HTTP/1.1 302 there\r\nLocation: {to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode()), daemon=True).start()
        m.facts(fact("A"))
        m.run("publish", "--push", f"http://127.0.0.1:{named.getsockname()[1]}/git/there.git", code=2, env={"HMIRROR_GIT_TOKEN": "geheim"})
    secret = base64.b64encode(b"hmirror:geheim")
    assert len(asked) >= 1 and not any(secret in a for a in asked)


def test_no_secret_over_http(m):
    """Neither that of the environment nor one in the address, except to this machine itself."""
    asked = []

    def serve(s):
        while True:
            try:
                c, _ = s.accept()
            except OSError:
                return
            c.settimeout(HANGS)
            with contextlib.suppress(OSError):
                while data := c.recv(65536):
                    asked.append(data)
                    c.sendall(b"HTTP/1.1 401 no\r\nWWW-Authenticate: Basic realm=x\r\nContent-Length: 0\r\n\r\n")
            c.close()
    m.facts(fact("A"))
    with socket.socket() as s:
        s.bind(("0.0.0.0", 0))
        s.listen()
        threading.Thread(target=serve, args=(s,), daemon=True).start()
        port = s.getsockname()[1]
        for user, host, env, sent in (("", "127.0.0.2", {"HMIRROR_GIT_TOKEN": "geheim"}, None), ("anna:geheim@", "127.0.0.2", {}, None),
                                      ("anna:geheim@", "127.0.0.1", {}, b"anna:geheim"), ("", "127.0.0.1", {"HMIRROR_GIT_TOKEN": "geheim"}, b"hmirror:geheim")):
            asked.clear()
            m.fails("publish", "--push", f"http://{user}{host}:{port}/x.git", env=env, has="password")
            got = b"".join(asked)
            assert (b"Authorization" in got) == bool(sent), (user, host)
            assert not sent or base64.b64encode(sent) in got, got


# --- ssh ----------------------------------------------------------------------------

def sshd(m, port, key):
    need("/usr/sbin/sshd", "ssh-keygen", "git")
    over_ssh(m)
    os.makedirs("/run/sshd", exist_ok=True)
    os.makedirs(m.path(".ssh"), mode=0o700, exist_ok=True)
    for path in (m.path("host"), key):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path], check=True)
    host = m.text("host.pub").split()
    m.write(".ssh/known_hosts", f"[127.0.0.1]:{port} {host[0]} {host[1]}\n")
    m.write("authorized", open(key + ".pub").read())
    m.write("sshd_config", f"Port {port}\nListenAddress 127.0.0.1\nHostKey {m.path('host')}\nAuthorizedKeysFile {m.path('authorized')}\n"
                           "StrictModes no\nUsePAM no\nPasswordAuthentication no\nPidFile none\n")
    return server(m, ["/usr/sbin/sshd", "-D", "-e", "-f", m.path("sshd_config")], port)


def user():
    if os.geteuid() != 0:
        raise Skip("sshd takes logins for root only when it runs as root")
    return "root"


def test_ssh_with_a_key(m):
    there, port, who = bare(m), free_port(), user()
    key = m.path("deploy")
    with sshd(m, port, key):
        m.write("mirror.yml", "publish:\n  ssh_key: deploy\n")
        publish_twice(m, there, f"ssh://{who}@127.0.0.1:{port}{there}")


def test_ssh_with_the_usual_key_and_an_unknown_host(m):
    there, port, who = bare(m), free_port(), user()
    os.makedirs(m.path(".ssh"), mode=0o700)
    with sshd(m, port, m.path(".ssh", "id_ed25519")):
        url = f"ssh://{who}@127.0.0.1:{port}{there}"
        m.facts(fact("A"))
        m.run("publish", "--push", url)
        assert tip(m, there)
        m.write(".ssh/known_hosts", "")
        m.fails("publish", "--push", url, has="127.0.0.1")


def test_ssh_with_an_agent(m):
    need("ssh-agent", "ssh-add")
    there, port, who = bare(m), free_port(), user()
    with sshd(m, port, m.path("deploy")):
        agent = subprocess.Popen(["ssh-agent", "-D", "-a", m.path("agent")], stdout=subprocess.DEVNULL)
        try:
            wait_until(lambda: os.path.exists(m.path("agent")), "ssh-agent listens")
            env = {"SSH_AUTH_SOCK": m.path("agent")}
            subprocess.run(["ssh-add", "-q", m.path("deploy")], check=True, env={**m.env, **env})
            m.facts(fact("A"))
            m.run("publish", "--push", f"ssh://{who}@127.0.0.1:{port}{there}", env=env)
            assert tip(m, there)
        finally:
            agent.kill()


# --- what a branch gets ----------------------------------------------------------------

def test_markdown_only_and_html_only(m):
    m.facts(fact("A"))
    m.run("publish", "--branch", "md", "--markdown-only")
    m.write("mirror.yml", "publish:\n  pages: html\n  branch: html\n")
    m.run("publish")
    md = m.git("ls-tree", "-r", "--name-only", "md").split()
    html = m.git("ls-tree", "-r", "--name-only", "html").split()
    assert "README.md" in md and not [x for x in md if x.endswith(".html") or x.startswith("assets/")]
    assert "index.html" in html and "404.html" in html and not [x for x in html if x.endswith(".md")]
    assert "conflicts.json" in md and "conflicts.json" in html
    m.fails("publish", "--markdown-only", "--html-only", has="--html-only")
    m.write("mirror.yml", "publish:\n  pages: pdf\n")
    m.fails("publish", has=("mirror.yml:2", "markdown"))


if __name__ == "__main__":
    main(globals())
