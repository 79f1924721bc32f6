"""What every end-to-end test uses: a folder of its own, the real command, and
results in TAP. A test is a function test_*(m) that gets a Mirror and asserts."""
import atexit
import contextlib
import functools
import hashlib
import json
import os
import re
import resource
import shutil
import socket
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
import traceback

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HMIRROR = os.environ.get("HMIRROR", os.path.join(TOP, "build", "hmirror"))
SHARED = os.environ.get("HM_SHARED_DATA", os.path.join(TOP, "..", "shared", "data"))
# `make check THOROUGH=1`, which a release needs: more rounds, larger stores, and limits of processor time.
THOROUGH = os.environ.get("THOROUGH") == "1"
# Valgrind or a sanitizer watches: they need more room, and strace may not trace them.
WATCHED = "HM_WATCHED" in os.environ
# What is waited for comes, however slow the machine is; only what hangs takes so many seconds.
HANGS = 300


# Valgrind does not know openat2, says so with advice, and answers that there is none.
words_of_wrapper = re.compile(r"^--\d+-- .*\n", re.M)


class Skip(Exception):
    pass


class Forks:
    """hmirror loaded once, and a fork of it for each command: forks.c. What is timed, traced, watched, limited or another program
    is started as users do; all of it is where the run is thorough."""
    program = os.path.join(os.environ.get("HM_BUILD", ""), "e2e", "forks")
    used = 0    # seconds of processor time of commands that are not waited for yet

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="hm-forks-")
        self.at = os.path.join(self.folder, "socket")
        self.process = subprocess.Popen([self.program, self.at], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={"PATH": os.environ["PATH"], "LD_BIND_NOW": "1"})
        assert self.process.stdout.readline() == b"listening\n"
        atexit.register(self.close)

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, args, stdin, cwd, env, timeout):
        """As subprocess.run: (code, out, err)."""
        texts = [cwd, "hmirror", *args, *(f"{k}={v}" for k, v in env.items())]
        body = b"".join(os.fsencode(x) + b"\0" for x in texts)
        fds = [os.memfd_create("std") for _ in range(3)]
        try:
            os.write(fds[0], stdin)
            os.lseek(fds[0], 0, os.SEEK_SET)
            with socket.socket(socket.AF_UNIX) as s:
                s.settimeout(timeout)
                s.connect(self.at)
                socket.send_fds(s, [b"c"], fds)
                s.sendall(struct.pack("=III", len(args) + 1, len(env), len(body)) + body)
                said = s.recv(16)
            assert len(said) == 16, "what forks commands has ended"
            status, took = struct.unpack("=qq", said)
            Forks.used += took / 1e6
            return os.waitstatus_to_exitcode(status), *(os.pread(fd, os.fstat(fd).st_size, 0) for fd in fds[1:])
        except TimeoutError:
            raise subprocess.TimeoutExpired(["hmirror", *args], timeout)
        finally:
            for fd in fds:
                os.close(fd)

    @staticmethod
    @functools.cache
    def of_run():
        """Those of this run; None: there are none, or not of this program."""
        own = Forks.program
        plain = not THOROUGH and not WATCHED and not os.environ.get("HM_WRAP") and os.path.dirname(HMIRROR) == os.environ.get("HM_BUILD")
        return Forks() if plain and os.path.exists(own) and os.stat(own).st_mtime >= os.stat(HMIRROR).st_mtime else None


class Result:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def json(self):
        return json.loads(self.out)


class Mirror:
    """A folder with a store, and the command run in it."""

    def __init__(self, folder=None):
        self.dir = folder or tempfile.mkdtemp(prefix="hm-e2e-")
        self.program = HMIRROR
        self.files, self.file_of, self.records = 0, {}, {}   # of facts
        self.env = {"PATH": os.environ["PATH"], "HOME": self.dir, "USER": "tester", "TZ": "UTC"}
        for k in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"):
            if k in os.environ:
                self.env[k] = os.environ[k]

    def path(self, *parts):
        return os.path.join(self.dir, *parts)

    def write(self, name, data):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(data if isinstance(data, bytes) else data.encode())
        return path

    def read(self, *parts):
        with open(self.path(*parts), "rb") as f:
            return f.read()

    def text(self, *parts):
        return self.read(*parts).decode()

    def run(self, *args, code=0, stdin=b"", env=None, timeout=HANGS, cwd=None, preexec=None):
        """Runs hmirror; code None: any of 0, 1, 2."""
        where = {"cwd": cwd or self.dir, "env": {**self.env, **(env or {})}, "timeout": timeout}
        forks = None if preexec or "UDUNITS2_XML_PATH" in where["env"] else Forks.of_run()
        if forks:
            returncode, out, err = forks.run(args, stdin, **where)
        else:
            wrap = os.environ.get("HM_WRAP", "").split()
            p = subprocess.run(wrap + [self.program if preexec else HMIRROR, *args], input=stdin, capture_output=True, preexec_fn=preexec, **where)
            returncode, out, err = p.returncode, p.stdout, p.stderr
        r = Result(returncode, out.decode("utf-8", "replace"), words_of_wrapper.sub("", err.decode("utf-8", "replace")))
        want = (0, 1, 2) if code is None else (code,)
        assert r.code in want, f"hmirror {' '.join(args)}: exit {r.code}, wanted {want}\n{r.out[-2000:]}\n{r.err[-3000:]}"
        return r

    def fails(self, *args, has=(), **kw):
        """The command must end with exit 2 and exactly one line on standard error that says `has`."""
        r = self.run(*args, code=2, **kw)
        lines = [x for x in r.err.splitlines() if x]
        assert len(lines) == 1, f"not one line: {r.err!r}"
        assert lines[0].startswith("hmirror: "), lines[0]
        for h in [has] if isinstance(has, str) else has:
            assert h in lines[0], f"{h!r} is not in {lines[0]!r}"
        return lines[0]

    def another_user(self):
        """Root may write everywhere. Gives the folder to a user who may not, and returns the `preexec` by which a command is
        theirs; None where we are such a user. They run a copy of the program: only root may enter some checkouts."""
        if os.geteuid() != 0:
            return None
        self.program = self.path(".program")
        shutil.copy(HMIRROR, self.program)
        subprocess.run(["chown", "-R", "65534:65534", self.dir], check=True)

        def become():
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
        return become

    def git(self, *args, repo="mirror.git"):
        p = subprocess.run(["git", "-C", self.path(repo), *args], capture_output=True,
                           env={**self.env, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null"})
        assert p.returncode == 0, f"git {args}: {p.stderr.decode()}"
        return p.stdout.decode()

    def facts(self, *records, name=None):
        """Imports records (dicts). Those that are there already change in their file, which is imported whole, so that nothing is gone
        from it; others, and those without an id, come in a file of their own. With a name: this file has these records and no others."""
        if not os.path.exists(self.path("hmirror.db")):
            self.run("init")
        parts = {name: list(records)} if name else self.by_file(records)
        for name, part in parts.items():
            self.write(name, "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in part))
            r = self.run("import", name)
            given = [f"{x['kind']}:{x['id']}: " for x in records if "id" in x and " disagree; " in r.err]
            assert not [x for x in r.err.splitlines() if " disagree; " in x and any(g in x for g in given)], "a fact of this test is not taken: " + r.err
        return r

    def by_file(self, records):
        """The files that these records change, whole."""
        parts, new = {}, []
        for r in records:
            key = (r["kind"], r["id"]) if "id" in r else None
            if key in self.file_of:
                file = parts.setdefault(self.file_of[key], self.records[self.file_of[key]])
                file[next(i for i, x in enumerate(file) if (x["kind"], x.get("id")) == key)] = r
            else:
                new.append((key, r))
        if new or not parts:
            self.files += 1
            name = f"facts-{self.files}.jsonl" if self.files > 1 else "facts.jsonl"
            self.file_of.update({key: name for key, _ in new if key})
            self.records[name] = [r for _, r in new]
            return {name: self.records[name], **parts}
        return parts

    def sql(self, statement, *args):
        db = sqlite3.connect(self.path("hmirror.db"))
        try:
            rows = db.execute(statement, args).fetchall()
            db.commit()
            return rows
        finally:
            db.close()

    def trust(self, *args):
        """The user allows what mirror.yml does outside of its folder."""
        self.run("trust", "--yes", "-q", *args)

    def sweep(self):
        self.run("sweep")
        return self.conflicts()

    def conflicts(self, status="open"):
        return self.run("--format", "json", "conflicts", "list", "--status", status).json()["conflicts"]

    def tree(self, *parts):
        """{relative path: SHA-256} of every file below a folder."""
        root = self.path(*parts)
        out = {}
        for d, _, names in os.walk(root):
            for n in names:
                p = os.path.join(d, n)
                with open(p, "rb") as f:
                    out[os.path.relpath(p, root)] = hashlib.sha256(f.read()).hexdigest()
        return out

    def site_bytes(self, *parts):
        root = self.path(*parts)
        for d, _, names in os.walk(root):
            for n in names:
                with open(os.path.join(d, n), "rb") as f:
                    yield os.path.relpath(os.path.join(d, n), root), f.read()

    def close(self):
        subprocess.run(["chmod", "-R", "u+rwX", self.dir], capture_output=True)
        shutil.rmtree(self.dir, ignore_errors=True)


def work(r):
    """What a run under -v says that it did: {"rows read": 42, ...}."""
    line, = (x for x in r.err.splitlines() if " rows read, " in x)
    return {what: int(n) for n, what in re.findall(r"(\d+) ([a-z]+ [a-z]+)", line.split(": ", 2)[2])}


# --- records ------------------------------------------------------------
_n = [0]


def _id(prefix):
    _n[0] += 1
    return f"{prefix}{_n[0]}"


def project(id, *aliases, **kw):
    return {"kind": "project", "id": id, "name": kw.pop("name", id), "aliases": list(aliases), **kw}


def memory(content, type="knowledge", project="p05", **kw):
    return {"kind": "memory", "id": kw.pop("id", None) or _id("m"), "memory_type": type, "project": project,
            "content": content, "status": "active", **kw}


def entity(type, props, name="thing", project="p05", **kw):
    return {"kind": "entity", "id": kw.pop("id", None) or _id("e"), "entity_type": type, "project": project,
            "name": name, "properties": props, "status": "active", **kw}


def decision(value, target="lateral support", field="material", **kw):
    return entity("Decision", {"decision_target": target, "decision_field": field, "value": value},
                  kw.pop("name", f"{target} {field}"), **kw)


def parameter(value, name="thing", **kw):
    return entity("Parameter", {"parameter_name": name, "value": value}, name, **kw)


def state(key, value, category="fact", project="p05", **kw):
    return {"kind": "project_state", "id": kw.pop("id", None) or _id("s"), "project": project, "category": category,
            "key": key, "value": value, **kw}


def make_database(path, sql, wal=False):
    """The store of another program."""
    db = sqlite3.connect(path)
    if wal:
        db.execute("PRAGMA journal_mode=WAL")
    db.executescript(sql)
    db.commit()
    db.close()


def kinds(conflict):
    return [(m["member_kind"], m["value"], m["flagged"]) for m in conflict["members"]]


# --- time ---------------------------------------------------------------
@contextlib.contextmanager
def costs_less_than(seconds):
    """Where the run is thorough the commands that are run in the block, one after the other, together compute for less than
    this. What the system does for them does not count: it depends on the disk, and on who else uses it."""
    def spent():
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    start = spent()
    yield
    took = spent() - start
    assert took < seconds or not THOROUGH or WATCHED, f"{took:.1f} s of processor time, more than {seconds}"


def wait_until(there, what, seconds=HANGS):
    """Looks until there() is true."""
    until = time.monotonic() + seconds
    while not there():
        assert time.monotonic() < until, f"not within {seconds} s: {what}"
        time.sleep(0.02)


def check_journal(m):
    """The chain, as core/record/journal.h describes it."""
    redacted = [(lo, hi, seq) for seq, after in m.sql("SELECT seq, after FROM journal WHERE ref = 'journal:lines' AND verb = 'redact'")
                for lo, hi in json.loads(after)]
    last = ""
    for i, (seq, at, actor, verb, ref, before, after, h, why, salt) in enumerate(
            m.sql("SELECT seq, at, actor, verb, ref, before, after, hash, why, salt FROM journal ORDER BY seq"), 1):
        sha = hashlib.sha256()
        fields = [x.encode() for x in [last, str(seq), at, actor, verb, ref, before or "", after or "", why or ""]] + ([salt] if salt else [])
        for f in fields if salt or why else fields[:-1]:
            sha.update(struct.pack("<Q", len(f)) + f)
        named = any(lo <= seq <= hi and seq < by for lo, hi, by in redacted)
        assert seq == i and (h == sha.hexdigest() or not salt and named), f"line {seq}"
        assert not (salt and named), f"line {seq} keeps its salt"
        last = h


# --- running ------------------------------------------------------------
def computed():
    """Seconds of processor time of this process and of those it has waited for."""
    return Forks.used + sum(u.ru_utime + u.ru_stime for u in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


def main(scope):
    """Runs every test_* of a module's globals(), or those named on the command line; TAP on standard output."""
    tests = [(n, f) for n, f in scope.items() if n.startswith("test_") and callable(f)]
    if sys.argv[1:]:
        tests = [(n, f) for n, f in tests if n in sys.argv[1:]]
    where = os.path.basename(scope["__file__"])
    print(f"1..{len(tests)}", flush=True)
    bad = 0
    for i, (name, fn) in enumerate(tests, 1):
        m = Mirror()
        start = time.monotonic(), computed()
        try:
            fn(m)
            took, cpu = time.monotonic() - start[0], computed() - start[1]
            print(f"ok {i} - {where} {name} ({took:.1f} s, of processor time {cpu:.1f} s)", flush=True)
        except Skip as e:
            print(f"ok {i} - {where} {name} # SKIP {e}", flush=True)
        except Exception as e:
            bad += 1
            print(f"not ok {i} - {where} {name}", flush=True)
            text = traceback.format_exc() if not isinstance(e, AssertionError) or not str(e) else \
                "".join(traceback.format_tb(e.__traceback__)[-1:]) + str(e)
            print("\n".join("# " + x for x in text[-4000:].splitlines()), flush=True)
        finally:
            m.close()
    sys.exit(1 if bad else 0)
