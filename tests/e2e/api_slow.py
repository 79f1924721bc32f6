#!/usr/bin/env python3
"""The HTTP API and clients that are broken, slow, or worse: each is left to its deadline of ten seconds."""
import os
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from harness import *
from server import Server

PROJECT = project("p05-interferometer", "p05")


def mirror(m):
    m.facts(PROJECT)


# --- bytes that no client sends -----------------------------------------------
HEAD = b"GET /health HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST /memory HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
BODY = b'{"memory_type":"x","content":"smuggled"}'


def test_malformed(m):
    mirror(m)
    n = str(len(BODY)).encode()
    cases = {
        "two Hosts": HEAD + b"Host: localhost\r\n\r\n",
        "no Host": b"GET /health HTTP/1.1\r\n\r\n",
        "no Host, 1.0": b"GET /health HTTP/1.0\r\n\r\n",
        "CL and TE": POST + b"Content-Length: " + n + b"\r\nTransfer-Encoding: chunked\r\n\r\n" + BODY,
        "TE and CL": POST + b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n" + HEAD + b"\r\n",
        "two CL": POST + b"Content-Length: " + n + b"\r\nContent-Length: 3\r\n\r\n" + BODY,
        "bad TE": POST + b"Transfer-Encoding: gzip\r\n\r\n" + BODY,
        "odd TE": POST + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
        "spaced CL": POST + b"Content-Length : " + n + b"\r\n\r\n" + BODY,
        "negative CL": POST + b"Content-Length: -1\r\n\r\n" + BODY,
        "CL no number": POST + b"Content-Length: 0x10\r\n\r\n" + BODY,
        "CL too large for any number": POST + b"Content-Length: 99999999999999999999999\r\n\r\n" + BODY,
        "bad chunk": POST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n" + BODY,
        "no colon": HEAD + b"nonsense\r\n\r\n",
        "control in a header": HEAD + b"X: a\x01b\r\n\r\n",
        "no method": b"\r\n\r\n\x00\x01\x02",
        "no HTTP": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200),
        "absolute": b"GET http://evil.example/health HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "star": b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "connect": b"CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "dots": b"GET /../health HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "encoded dots": b"GET /%2e%2e/health HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "slashes": b"GET //health HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "NUL": b"GET /memory/a%00b HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "bad escape": b"GET /memory/%zz HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "not UTF-8": b"GET /memory/%ff HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "space in the address": b"GET /memory/a b HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "many headers": HEAD + b"".join(b"X-%d: y\r\n" % i for i in range(200)) + b"\r\n",
        "long header": HEAD + b"X: " + b"y" * 60000 + b"\r\n\r\n",
        "very long header": HEAD + b"X: " + b"y" * 1000000 + b"\r\n\r\n",
        "very long address": b"GET /" + b"y" * 1000000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
    }
    with Server(m) as s:
        with ThreadPoolExecutor(len(cases)) as pool:   # some wait for the deadline
            answers = pool.map(lambda x: s.raw(x, timeout=15), cases.values())
        for name, out in zip(cases, answers):
            status = out.split(b" ", 2)[1:2]
            assert not out or (out.startswith(b"HTTP/1.1 4") and status[0] in (b"400", b"405", b"413", b"414", b"431")), f"{name}: {out[:500]!r}"
            assert out.count(b"HTTP/1.1 2") == 0 and out.count(b"HTTP/1.1 5") == 0, f"{name}: {out[:500]!r}"
        s.get("/health")
    assert m.sql("SELECT count(*) FROM memories") == [(0,)]


def drip(s, data, seconds):
    """Sends data a byte every 0.2 s; how long the server let it."""
    start = time.monotonic()
    with socket.create_connection((s.host, s.port)) as c:
        for b in data:
            try:
                c.sendall(bytes([b]))
                c.setblocking(False)
                try:
                    if c.recv(1) == b"":
                        break
                except BlockingIOError:
                    pass
                c.setblocking(True)
            except OSError:
                break
            time.sleep(0.2)
            if time.monotonic() - start > seconds:
                break
    return time.monotonic() - start


def test_slow_clients_are_dropped(m):
    mirror(m)
    with Server(m) as s:
        took = []
        data = (b"GET /" + b"x" * 500, HEAD + b"X: " + b"x" * 500, POST + b"Content-Length: 500\r\n\r\n" + b" " * 500)
        threads = [threading.Thread(target=lambda d=d: took.append(drip(s, d, 2 * HANGS))) for d in data]
        for t in threads:
            t.start()
        idle = socket.create_connection((s.host, s.port))
        for _ in range(20):   # others are answered meanwhile
            s.get("/health")
        for t in threads:
            t.join()
        assert len(took) == 3 and all(8 < x < HANGS for x in took), took
        idle.settimeout(HANGS)
        assert idle.recv(1) == b""
        idle.close()


def test_a_client_that_does_not_read(m):
    mirror(m)
    with Server(m, "--api-only") as s:
        alone = len(os.listdir(f"/proc/{s.process.pid}/task"))
        s.post("/memory", {"id": "big", "memory_type": "episodic", "content": "y" * 1_000_000}, 201)

        def threads():
            return len(os.listdir(f"/proc/{s.process.pid}/task"))
        wait_until(lambda: threads() == alone, "the first connection is gone")
        c = socket.create_connection((s.host, s.port))
        c.sendall(b"GET /memory/big HTTP/1.1\r\nHost: localhost\r\n\r\n" * 100)
        wait_until(lambda: threads() > alone, "it is answered")
        wait_until(lambda: threads() == alone, "the server no longer waits")
        c.close()
        s.get("/health")


if __name__ == "__main__":
    main(globals())
