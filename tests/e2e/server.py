"""A running `hmirror serve`, and requests to it; a plain server of a folder."""
import contextlib
import functools
import http.client
import http.server
import json
import os
import select
import signal
import socket
import subprocess
import threading

from harness import HANGS, HMIRROR


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


@contextlib.contextmanager
def served(folder):
    """The folder over HTTP: its address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def json(self):
        return json.loads(self.body)

    def error(self):
        e = self.json()["error"]
        assert set(e) == {"code", "what", "why", "fix", "field"} and e["what"] and e["why"] and e["fix"], e   # whatever was refused
        return e


class Server:
    """with Server(m, "--port", "0") as s: s.get("/health")"""

    def __init__(self, mirror, *args, env=None, preexec=None):
        self.seen = []   # every request with its answer, for openapi.mjs
        self.process = subprocess.Popen([*os.environ.get("HM_WRAP", "").split(), mirror.program if preexec else HMIRROR, "serve", "--port", "0", *args], cwd=mirror.dir, env={**mirror.env, **(env or {})},
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=preexec)
        ready, _, _ = select.select([self.process.stdout], [], [], HANGS)
        self.url = self.process.stdout.readline().decode().strip() if ready else ""
        if not self.url.startswith("http://"):
            self.process.kill()
            raise AssertionError(f"serve said {self.url!r}, {self.process.stderr.read()[-2000:]!r}")
        host, port = self.url[len("http://"):].strip("/").rsplit(":", 1)
        self.host, self.port = host.strip("[]"), int(port)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if self.process.poll() is None:
            self.stop(check=kind is None)

    def stop(self, check=True):
        """Ctrl-C; what it said on standard error. It must end well."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            out, err = self.process.communicate(timeout=HANGS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError("serve does not end")
        assert not check or self.process.returncode == 0, f"serve ended with {self.process.returncode}: {err[-3000:]!r}"
        assert not check or out == b"", out
        return err.decode("utf-8", "replace")

    # --- requests ---------------------------------------------------------
    def connect(self):
        return http.client.HTTPConnection(self.host, self.port, timeout=HANGS)

    def ask(self, method, target, body=None, headers=None, conn=None):
        """body: bytes, or what is sent as JSON."""
        c = conn or self.connect()
        headers, sent = dict(headers or {}), None if isinstance(body, bytes) else body
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        if body is not None:
            headers.setdefault("Content-Type", "application/json")
        c.request(method, target, body, headers)
        r = c.getresponse()
        a = Answer(r.status, r.headers, r.read())
        if not conn:
            c.close()
        assert r.headers["X-Content-Type-Options"] == "nosniff" and "default-src 'none'" in r.headers["Content-Security-Policy"]
        self.seen.append({"method": method, "target": target, "sent": sent, "status": a.status, "type": a.headers["Content-Type"],
                          "headers": dict(a.headers), "body": a.body.decode("utf-8", "replace")})
        return a

    def get(self, target, status=200, **kw):
        return self.expect("GET", target, None, status, **kw)

    def post(self, target, body=None, status=200, **kw):
        return self.expect("POST", target, body, status, **kw)

    def patch(self, target, body=None, status=200, **kw):
        return self.expect("PATCH", target, body, status, **kw)

    def expect(self, method, target, body, status, **kw):
        a = self.ask(method, target, body, **kw)
        assert a.status == status, f"{method} {target}: {a.status}, wanted {status}: {a.body[:2000]!r}"
        assert a.headers["Content-Type"] == "application/json" and a.headers["Cache-Control"] == "no-store", dict(a.headers)
        if status >= 400:
            e = a.error()
            assert sorted(e) == ["code", "field", "fix", "what", "why"] and e["what"] and e["why"], e
        return a

    def raw(self, data, timeout=60):
        """Sends bytes as they are; everything that comes back until the other side closes or is silent."""
        with socket.create_connection((self.host, self.port), timeout=timeout) as s:
            try:
                s.sendall(data)
            except OSError:
                pass
            out = b""
            try:
                while True:
                    part = s.recv(65536)
                    if not part:
                        break
                    out += part
            except OSError:
                pass
            return out

    def rss(self):
        """Kilobytes that the process has in memory."""
        with open(f"/proc/{self.process.pid}/status") as f:
            return int(next(x for x in f if x.startswith("VmRSS")).split()[1])


