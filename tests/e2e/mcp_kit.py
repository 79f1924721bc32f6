"""`hmirror mcp` with a client of the tests' own, which says any bytes, and with the official one."""
import json
import os
import queue
import shutil
import subprocess
import threading

from harness import HANGS, HMIRROR, TOP, Skip

NPM = os.path.join(TOP, "build", "npm")
WAIT = HANGS
VERSION = "2025-11-25"


def answer_of(result):
    """What a tool answered, which is said once: to who was told its schema as a structure, else as text; and a sentence on what to do."""
    assert not result["isError"], result
    texts = [c["text"] for c in result["content"]]
    assert len(texts) <= 2 and not (len(texts) == 2 and "structuredContent" in result), result
    return result["structuredContent"] if "structuredContent" in result else json.loads(texts[0])


class Agent:
    """A conversation, line by line. Every line of standard output must be a message."""

    def __init__(self, m, *args, name="claude", hello=True, version=VERSION):
        self.p = subprocess.Popen([HMIRROR, "mcp", *args], cwd=m.dir, env=m.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.lines, self.n, self.told = queue.Queue(), 0, []
        threading.Thread(target=self.listen, daemon=True).start()
        if hello:
            self.hello = self.ask("initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": name, "version": "1"}})["result"]
            self.say({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self.close(None if kind else 0)

    def listen(self):
        for line in self.p.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def raw(self, data):
        self.p.stdin.write(data if isinstance(data, bytes) else data.encode())
        self.p.stdin.flush()

    def say(self, message):
        self.raw(json.dumps(message) + "\n")

    def next(self):
        """The next answer. What is told of progress is kept in self.told."""
        line = self.lines.get(timeout=WAIT)
        if line is None:
            return None
        message = json.loads(line)
        if message.get("method") == "notifications/progress":
            self.told.append(message["params"])
            return self.next()
        assert len(line) <= 32 << 10, len(line)
        assert line.endswith(b"\n") and message["jsonrpc"] == "2.0" and ("result" in message) != ("error" in message), line
        return message

    def ask(self, method, params=None, id=None):
        self.n += 1
        id = id if id is not None else self.n
        self.say({"jsonrpc": "2.0", "id": id, "method": method, **({} if params is None else {"params": params})})
        answer = self.next()
        assert answer["id"] == id, answer
        return answer

    def result(self, method, params=None):
        answer = self.ask(method, params)
        assert "result" in answer, answer
        return answer["result"]

    def fails(self, code, method, params=None):
        answer = self.ask(method, params)
        assert answer["error"]["code"] == code, answer
        return answer["error"]

    def tools(self):
        """All tools that are listed, of all pages."""
        tools, page = [], self.result("tools/list")
        while "nextCursor" in page:
            tools, page = tools + page["tools"], self.result("tools/list", {"cursor": page["nextCursor"]})
        return tools + page["tools"]

    def call(self, tool, **arguments):
        """The answer of a tool."""
        return answer_of(self.result("tools/call", {"name": tool, "arguments": arguments}))

    def pages(self, tool, key, **arguments):
        """The items of a list in the answer, of all pages."""
        items, page = [], {"next": None}
        while "next" in page:
            page = self.call(tool, **arguments, **({"cursor": page["next"]} if page["next"] else {}))
            items += page[key]
        return items

    def refused(self, tool, **arguments):
        """The error of a call that an agent can mend: {"code", "what", "why", "fix", "field"}."""
        r = self.result("tools/call", {"name": tool, "arguments": arguments})
        assert r["isError"] and "structuredContent" not in r, r
        text, = (c["text"] for c in r["content"])
        e = json.loads(text)["error"]
        assert e["why"] and e["fix"] and "/openapi" not in text, r
        return e

    def close(self, code=0):
        """Ends the conversation; what the program said last on standard error."""
        if not self.p.stdin.closed:
            self.p.stdin.close()
        rest = self.p.stderr.read().decode()
        got = self.p.wait(timeout=WAIT)
        self.p.stderr.close()
        assert code is None or got == code, (got, rest)
        return rest


class Official:
    """The SDK's client, in node."""

    def __init__(self, m, *args, name="claude"):
        if not shutil.which("node") or not os.path.isdir(os.path.join(NPM, "node_modules", "@modelcontextprotocol")):
            raise Skip("npm's packages are not installed: see `make check`")
        how = {"command": HMIRROR, "args": ["mcp", *args], "cwd": m.dir, "env": m.env, "name": name}
        self.p = subprocess.Popen(["node", os.path.join(TOP, "tests", "e2e", "mcp.mjs"), NPM, json.dumps(how)], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.p.stdout.readline()
        assert line, self.p.stderr.read()
        self.hello = json.loads(line)["ok"]

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self.p.stdin.close()
        last = self.p.stdout.read()
        said = self.p.stderr.read()
        self.p.wait(timeout=WAIT)
        for pipe in (self.p.stdout, self.p.stderr):
            pipe.close()
        if not kind:
            assert self.p.returncode == 0 and json.loads(last) == {"failures": []}, (last, said)

    def do(self, what, *args):
        self.p.stdin.write(json.dumps({"do": what, "with": args}) + "\n")
        self.p.stdin.flush()
        return json.loads(self.p.stdout.readline())

    def ok(self, what, *args):
        answer = self.do(what, *args)
        assert "ok" in answer, answer
        return answer["ok"]

    def call(self, tool, **arguments):
        return answer_of(self.ok("call", tool, arguments))
