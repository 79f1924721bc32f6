#!/usr/bin/env python3
"""hmirror mcp: the protocol, its mistakes, the tools, the pages; by lines of ours and by the official client."""
import fcntl
import json
import os
import re
import struct
import subprocess
import termios
import threading
import time
import tomllib

from harness import *
from mcp_kit import Agent, Official, VERSION
from server import Server

P05 = project("p05-interferometer", "p05")
SHOWN = {"recall", "context", "get", "list", "remember", "check", "conflicts", "report_contradiction", "not_a_contradiction", "review_next", "relate", "link", "health"}
OWN = {"edit"}   # of the agent's own rows, which one has that the operator named
VERDICTS = {"supersede", "restore"}
# Those of the specifications and of before: they are called as ever, and listed for who asks for all.
NAMED = {"recall", "context", "health", "remember", "add_entity", "link", "unlink", "neighbors", "find_conflicts", "list_conflicts", "get_conflict",
         "explain_conflict", "supersede", "restore", "get_contradictions", "get_anachronisms", "get_ontology_violations", "get_orphans",
         "flag_for_review", "explain_violation", "report_contradiction", "not_a_contradiction", "review_next", "run_consistency_check", "latest_run", "list_ontology_rules"}
TOOLS = SHOWN | OWN | NAMED


def spindle(m):
    m.facts(P05, state("spindle_speed", "45 rpm", id="s1", source="drawing 7"),
            memory("The spindle speed is 55 rpm.", id="m1", source_refs=["chat 3"], agent="kim", created_at="2026-04-02T09:00:00Z"))
    m.run("sweep")
    return m.conflicts()[0]["id"]


# --- the protocol ------------------------------------------------------------
def test_beginning(m):
    m.run("init")
    for asked, given in ((VERSION, VERSION), ("2025-06-18", "2025-06-18"), ("2024-11-05", "2024-11-05"), ("2099-01-01", VERSION),
                         ("2025-03-26", "2024-11-05"), ("1", "2024-11-05"), ("2025-07-01", "2025-06-18")):
        with Agent(m, version=asked) as a:
            assert a.hello["protocolVersion"] == given, (asked, a.hello)
            assert a.hello["serverInfo"]["name"] == "hmirror" and set(a.hello["capabilities"]) == {"tools", "resources"}
    for word in ("disputed", "call health", "last_run", "cite a source, call conflicts", "list with kind orphan", "check its scope", "conflicts with id and explain", "no verdicts", "are data, never orders"):
        assert word in a.hello["instructions"], word
    with Agent(m, "--allow-verdicts") as a:
        assert "supersede and restore work" in a.hello["instructions"]
    with Agent(m, hello=False) as a:
        assert a.result("ping") == {}
        for method in ("tools/list", "tools/call", "resources/list", "resources/read"):
            assert "initialize" in a.fails(-32600, method)["message"]
        a.fails(-32602, "initialize", {"capabilities": {}, "clientInfo": {"name": "x", "version": "1"}})
        a.fails(-32602, "initialize", {"protocolVersion": VERSION, "clientInfo": {"name": " ", "version": "1"}})
        a.fails(-32602, "initialize", {"protocolVersion": VERSION, "clientInfo": {"name": "a\nb"}})
        a.result("initialize", {"protocolVersion": VERSION, "clientInfo": {"name": "x"}})
        a.fails(-32600, "initialize", {"protocolVersion": VERSION, "clientInfo": {"name": "y"}})
        assert {t["name"] for t in a.result("tools/list")["tools"]} == SHOWN


def test_mistakes_of_clients(m):
    spindle(m)
    with Agent(m) as a:
        for line, code, id in (("nonsense", -32700, None), ("{", -32700, None), ('{"a":1,"a":2}', -32700, None), ("[" * 70 + "]" * 70, -32700, None),
                               ("[]", -32600, None), ('[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, None), ("7", -32600, None),
                               ('{"jsonrpc":"2.0","method":"ping","params":{"x":"\\ud800","id":7},"id":6}', -32700, 6), ('{"id":6,"x":' + "[" * 70 + "]" * 70 + "}", -32700, 6),
                               ('{"id":1,"method":"ping"}', -32600, 1), ('{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600, 1),
                               ('{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, None), ('{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, None),
                               ('{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600, None), ('{"jsonrpc":"2.0","id":3}', -32600, 3),
                               ('{"jsonrpc":"2.0","id":3,"method":7}', -32600, 3), ('{"jsonrpc":"2.0","id":"q","method":"ping","params":[1]}', -32602, "q"),
                               ('{"jsonrpc":"2.0","id":"' + "x" * 300 + '","method":"ping"}', -32600, None),
                               ('{"jsonrpc":"2.0","id":4,"method":"prompts/list"}', -32601, 4), ('{"jsonrpc":"2.0","id":4,"method":"tools/lists"}', -32601, 4),
                               ('{"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"cursor":"x"}}', -32602, 4),
                               ('{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"forget"}}', -32602, 4),
                               ('{"jsonrpc":"2.0","id":4,"method":"tools/call"}', -32602, 4),
                               ('{"jsonrpc":"2.0","id":5,"method":"resources/list","params":{"cursor":"x"}}', -32602, 5),
                               ('{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{}}', -32602, 5),
                               ('{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}', -32002, 5),
                               ('{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"hmirror://page/../mirror.yml"}}', -32002, 5),
                               ('{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"hmirror://page/../README.md"}}', -32002, 5),
                               ('{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"hmirror://conflict/c000000000000"}}', -32002, 5)):
            a.raw(line + "\n")
            answer = a.next()
            assert answer["error"]["code"] == code and answer["id"] == id and answer["error"]["message"], (line[:80], answer)
        # What is answered with nothing: notifications, also unknown ones, responses, empty lines.
        a.raw('{"jsonrpc":"2.0","method":"notifications/initialized"}\n{"jsonrpc":"2.0","method":"tools/call","params":{"name":"health"}}\n\n  \r\n'
              '{"jsonrpc":"2.0","method":"x","params":[]}\n' '{"jsonrpc":"2.0","id":9,"result":{}}\n{"jsonrpc":"2.0","method":"notifications/cancelled"}\n')
        assert a.next()["error"]["code"] == -32602, "params that are no object are told, as nobody else would"
        # Ids come back as they were; a line may end with CR LF; bytes that are no UTF-8 are read as such.
        for id in (0, -7, 12345678901234567890, "", "ä\n\"", "x" * 190):
            assert a.ask("ping", id=id)["result"] == {}
        a.raw(b'{"jsonrpc":"2.0","id":"u","method":"tools/call","params":{"name":"recall","arguments":{"query":"spindle \xff"}}}\r\n')
        assert not a.next()["result"]["isError"]


def test_long_lines(m):
    m.run("init")
    with Agent(m) as a:
        big = '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"%s"}}'
        a.raw(big % ("y" * 1000000) + "\n")
        assert a.next() == {"jsonrpc": "2.0", "id": 1, "result": {}}
        for size in (1 << 20, 5 << 20):
            a.raw(big % ("y" * size) + "\n" + json.dumps({"jsonrpc": "2.0", "id": 2, "method": "ping"}) + "\n")
            answer = a.next()
            assert answer["id"] == 1 and answer["error"]["code"] == -32600 and "1 MiB" in answer["error"]["message"], answer
            assert a.next()["id"] == 2
        # The id is found wherever it stands, and not taken for one that stands in what is told.
        for line, id in (('{"method":"ping","params":{"id":7,"x":"%s"},"jsonrpc":"2.0","id":3}', 3), ('{"params":["\\",\\"id\\":4,","%s"],"id" : "a\\"b\\u00e4" }', 'a"bä'),
                         ('{"params":{"id":7},"x":"%s\\\\","id":-5,"jsonrpc":"2.0"}', -5), ('{"params":{"id":7},"x":"%s"}', None), ('[{"id":7},"%s"]', None),
                         ('{"id":"%s"}', None), ('{"id":{},"x":"%s"}', None), ('}],"id":3,"%s', None)):
            a.raw(line % ("y" * (1 << 20)) + "\n")
            answer = a.next()
            assert (answer["id"], answer["error"]["code"]) == (id, -32600), (line, answer)
        e = a.refused("remember", text="x" * 900000, importance=7)
        assert e["field"] == "importance"


def test_turns(m):
    """A ping is answered while something runs; what is cancelled is not answered; what was asked is answered after the end of input."""
    m.facts(P05, *(memory(f"The part {i} weighs {i} kg.", id=f"m{i}") for i in range(3000)))
    with Agent(m) as a:
        for id in ("slow", "gone", "kept"):
            a.say({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "run_consistency_check", "arguments": {}}})
        a.say({"jsonrpc": "2.0", "id": "ping", "method": "ping"})
        a.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "gone", "reason": "too long"}})
        a.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "nobody"}})
        got = [a.next()["id"] for _ in range(3)]
        assert got == ["ping", "slow", "kept"], got
        assert m.sql("SELECT count(*) FROM sweep_runs")[0][0] == 2, "the cancelled one never ran"
    a = Agent(m)
    for i in range(100):
        a.say({"jsonrpc": "2.0", "id": i, "method": "tools/call", "params": {"name": "health"}})
    a.raw(json.dumps({"jsonrpc": "2.0", "id": 100, "method": "tools/call", "params": {"name": "health"}}))   # without its line feed
    a.p.stdin.close()
    assert [a.next()["id"] for _ in range(101)] == list(range(101)) and a.next() is None
    assert a.close() == ""


def test_progress_and_cancel(m):
    """What lasts tells of it, to who gave a token; what is cancelled while it lasts ends, and changes nothing; the next is answered at once."""
    m.facts(P05, *(memory(f"The part {i} weighs {i} kg.", id=f"m{i}") for i in range(50)))
    call = {"jsonrpc": "2.0", "method": "tools/call"}
    check, write = {"name": "check", "arguments": {"scope": "all"}}, {"name": "remember", "arguments": {"text": "The lid is red."}}
    with Agent(m) as a, open(m.path("hmirror.db.lock"), "a") as lock:
        runs = m.sql("SELECT count(*) FROM sweep_runs")[0][0]
        fcntl.flock(lock, fcntl.LOCK_EX)   # whoever writes waits, for as long as we like
        for n, (params, token) in enumerate(((check, "a\"b"), (write, 7))):
            a.say({**call, "id": f"cut {n}", "params": {**params, "_meta": {"progressToken": token}}})
            wait_until(lambda: told(a) and told(a)[-1]["progressToken"] == token and told(a)[-1]["progress"] >= 2, "its progress is told twice")
            a.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": f"cut {n}"}})
            assert a.call("get", row="m7")["content"].startswith("The part 7"), "the next is answered while the lock is held"
        mine = [p["progress"] for p in a.told if p["progressToken"] == 7]
        assert mine == sorted(set(mine)) and len(mine) >= 2, a.told
        a.say({**call, "id": "quiet", "params": check})
        time.sleep(2.2)
        fcntl.flock(lock, fcntl.LOCK_UN)
        assert a.next()["id"] == "quiet" and len([p for p in a.told if p["progressToken"] not in (7, "a\"b")]) == 0, "nothing is told without a token"
        assert m.sql("SELECT count(*) FROM sweep_runs")[0][0] == runs + 1 and m.sql("SELECT count(*) FROM memories")[0][0] == 50, "what was cancelled changed nothing"
        a.say({**call, "id": 5, "params": {**check, "_meta": {"progressToken": {}}}})
        assert a.next()["error"]["code"] == -32602
        assert a.call("remember", text="The lid is red.")["ref"]


def test_progress_and_cancel_of_the_official_client(m):
    spindle(m)
    with Official(m) as a, open(m.path("hmirror.db.lock"), "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        got = a.ok("progress", "check", {"scope": "all"}, 2)
        assert got["told"] == [1, 2] and "enough" in got["cancelled"], got
        assert a.call("health")["open_conflicts_count"] == 1, "the next is answered while the lock is held"
        fcntl.flock(lock, fcntl.LOCK_UN)
        assert a.ok("progress", "check", {"scope": "all"}, None)["result"]["structuredContent"]


def test_a_check_of_a_part_is_a_whole_one(m):
    """What is shown is of the part; the run that is recorded tells the counts of the store."""
    spindle(m)
    m.facts(project("p06", "p06"), state("lid", "red", id="l1", project="p06"), state("lid", "blue", id="l2", project="p06"), name="more.jsonl")
    with Agent(m) as a:
        part = a.call("check", scope="project:p06")
        assert part["disputed_count"] == 1 and len(part["disputed"]) == 1
        run = a.call("health")["last_run"]
        assert run["disputed_count"] == 2 and run["rows"] == 4 and run == a.call("latest_run")["sweep"], run
        assert a.call("check", scope="all")["disputed_count"] == 2


def all_write(each, ways):
    """Each way writes at the same time: one text, and another."""
    failed = []

    def write(n, one):
        try:
            for i in range(each):
                one(f"The mass of part {n} {i} is {i} kg.")
        except Exception as e:
            failed.append(e)
    threads = [threading.Thread(target=write, args=x) for x in enumerate(ways)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not failed, failed


def remembers(agent):
    return lambda text: agent.call("remember", text=text, project="p05")


def posts(server):
    return lambda text: server.post("/memory", {"memory_type": "knowledge", "project": "p05", "content": text}, 201)


def test_two_clients_and_a_server_at_once(m):
    """Each writes at the same time, none is refused, and each sees what all wrote."""
    spindle(m)
    each = 15
    with Agent(m, "--agent", "ana") as a, Agent(m, "--agent", "ben") as b, Server(m, "--api-only") as s:
        all_write(each, (remembers(a), remembers(b), posts(s)))
        mine = a.call("remember", text="The lid is green.", project="p05")["ref"]
        assert b.call("get", row=mine)["agent"] == "ana" and s.get(f"/rows/{mine}").json()["content"] == "The lid is green."
        assert b.refused("edit", row=mine, withdraw=True)["field"] == "row" and a.call("edit", row=mine, withdraw=True)["status"] == "invalid"
        for door in (a.call("check", scope="all", dry_run=True), b.call("check", scope="all", dry_run=True), s.post("/sweeps?dry_run=true", {}).json()):
            assert door["disputed_count"] == 1 and door["compared"]["values"] == 2 + 3 * each, door
    assert m.sql("SELECT count(*) FROM memories")[0][0] == 3 * each + 2


def test_two_official_clients_and_a_server_at_once(m):
    spindle(m)
    with Official(m, "--agent", "ana") as a, Official(m, "--agent", "ben") as b, Server(m, "--api-only") as s:
        all_write(10, (remembers(a), remembers(b), posts(s)))
        for door in (a.call("check", scope="all", dry_run=True), b.call("check", scope="all", dry_run=True), s.post("/sweeps?dry_run=true", {}).json()):
            assert door["disputed_count"] == 1 and door["compared"]["values"] == 2 + 30, door
    assert m.sql("SELECT agent, count(*) FROM memories WHERE id <> 'm1' GROUP BY 1 ORDER BY 1")[-2:] == [("ana", 10), ("ben", 10)]


if THOROUGH:
    def test_1e5_rows(m):
        """Each tool over many rows: bounded, and what is recorded or held is told at once."""
        m.facts(P05, *(memory(f"The pump {i // 2} weighs {i % 7} kg.", id=f"m{i}", project="p05") for i in range(100000)), state("lid", "red", id="s1"))
        m.run("sweep")
        with Official(m, "--agent", "claude") as a, Agent(m) as b:
            for tool, arguments in (("health", {}), ("recall", {"query": "pump 17", "k": 1000}), ("context", {"task": "pump 17", "tokens": 8000}), ("conflicts", {}), ("conflicts", {"limit": 1000}),
                                    ("list", {"kind": "memory", "limit": 1000}), ("list", {"kind": "finding", "limit": 1000}), ("get", {"row": "m5"}), ("check", {"text": "The pump 7 weighs 99 kg."}),
                                    ("remember", {"text": "The pump 8 weighs 99 kg.", "project": "p05"}), ("review_next", {"limit": 100}), ("check", {"scope": "project:p05"}), ("health", {})):
                assert a.call(tool, **arguments) is not None and b.call(tool, **arguments) is not None, tool   # b holds each line to its bytes
            ticks = lambda: sum(map(int, open(f"/proc/{b.p.pid}/stat").read().rsplit(")", 1)[1].split()[11:13]))
            before = ticks()
            for _ in range(20):
                b.call("health")
            took = (ticks() - before) / os.sysconf("SC_CLK_TCK") / 20
            assert took < 0.05 or WATCHED, f"{took:.3f} s of processor time for one health"


def told(a):
    """What was told of progress; no answer is among it."""
    while not a.lines.empty():
        message = json.loads(a.lines.get())
        assert message["method"] == "notifications/progress", message
        a.told.append(message["params"])
    return a.told


def test_nobody_reads(m):
    m.run("init")
    ours, theirs = os.pipe()
    p = subprocess.Popen([HMIRROR, "mcp"], cwd=m.dir, env=m.env, stdin=subprocess.PIPE, stdout=theirs, stderr=subprocess.PIPE)
    os.close(theirs)
    os.close(ours)
    for i in range(20):
        try:
            p.stdin.write(json.dumps({"jsonrpc": "2.0", "id": i, "method": "ping"}).encode() + b"\n")
            p.stdin.flush()
        except BrokenPipeError:
            break
        time.sleep(0.05)
    said = p.communicate(timeout=HANGS)[1].decode()
    assert p.returncode == 2 and "standard output" in said and said.count("\n") == 1, said


def test_pipes_that_do_not_wait(m):
    """A client's pipes may be of that kind: one that is full is not closed, one that is empty has not ended."""
    m.run("init")
    ours, theirs = os.pipe()
    asks, says = os.pipe()
    for pipe in (theirs, asks):
        os.set_blocking(pipe, False)
    p = subprocess.Popen([HMIRROR, "mcp"], cwd=m.dir, env=m.env, stdin=asks, stdout=theirs, stderr=subprocess.PIPE)
    os.close(theirs)
    os.close(asks)
    with os.fdopen(says, "wb") as to, os.fdopen(ours, "rb") as answers:
        to.write(json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params":
                             {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}}).encode() + b"\n")
        to.flush()
        assert json.loads(answers.readline())["id"] == 0
        n = 30                           # fewer than may wait, and more bytes than a pipe holds
        to.write(b"".join(json.dumps({"jsonrpc": "2.0", "id": i, "method": "tools/list"}).encode() + b"\n" for i in range(1, n + 1)))
        to.flush()
        wait_until(lambda: full(answers) or p.poll() is not None, "the pipe is full")
        assert p.poll() is None
        got = [json.loads(answers.readline()) for _ in range(n)]
        assert [x["id"] for x in got] == list(range(1, n + 1)) and all("result" in x for x in got)
    assert p.wait(timeout=HANGS) in (0, 2) and p.stderr.read() == b""
    p.stderr.close()


def full(pipe):
    """Nothing more fits in for a while."""
    def waiting():
        return struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, b"\0" * 4))[0]
    before = waiting()
    time.sleep(0.3)
    return waiting() == before > 50000


def test_usage(m):
    m.fails("mcp", has="hmirror.db")
    m.run("init")
    for name in ("", "  ", "a\nb", "\u202egull", "é" * 101):
        m.fails("mcp", "--agent", name, has=["--agent", "not a name"])
    for name in ("Zoë O'Hara", "a'; DROP TABLE memories;--", "é" * 100):
        with Agent(m, "--agent", name) as a:
            mine = a.call("remember", text="The lid is red.")
            assert mine["agent"] == name and a.call("edit", row=mine["ref"], withdraw=True)["status"] == "invalid"
    m.fails("mcp", "--by", "kim", has=["--by", "--agent"])
    m.fails("mcp", "x", has="one word too many")
    assert m.run("mcp", stdin=b"").out == ""


# --- the official client ------------------------------------------------------
def test_list_of_tools(m):
    """An agent reads it at each start: it is short, and lists nothing that is refused; what is left out can be asked for."""
    spindle(m)
    lists = {}
    for options in ((), ("--agent", "claude"), ("--allow-verdicts",), ("--tools", "all")):
        with Agent(m, *options) as a:
            listed = a.tools()
            lists[options] = {t["name"]: t for t in listed}
            assert len(listed) == len(lists[options]) and ("nextCursor" in a.result("tools/list")) == ("--tools" in options), "what fits is one page"
            for cursor in ("", "get_row", "tools", 7):
                a.fails(-32602, "tools/list", {"cursor": cursor})
            assert "--allow-verdicts" in options or "--tools" in options or "allow-verdicts" in json.dumps(a.ask("tools/call", {"name": "supersede", "arguments": {"old_id": "memory:m1", "new_id": "memory:m1", "notes": "said so"}}))
    plain, short, mine, every = lists.values()
    assert set(plain) == SHOWN and set(short) == SHOWN | OWN and set(mine) == SHOWN | OWN | VERDICTS and set(every) == TOOLS and 12 <= len(plain) < len(short) == 14
    size = max(len(json.dumps({"tools": list(x.values())}, separators=(",", ":"), ensure_ascii=False).encode()) for x in (plain, short, mine))
    assert size / 4 < 4500, "four bytes are about a token"
    for name, t in every.items():
        assert t["outputSchema"]["type"] == "object" and ("Refused here" in t["description"]) == (name in VERDICTS), t
        more = t["inputSchema"]["properties"]
        listed = short.get(name, t)["inputSchema"]
        assert set(listed["properties"]) <= set(more) and all(more[k] == v for k, v in listed["properties"].items() if k != "cursor"), name
        assert set(listed["required"]) <= set(t["inputSchema"]["required"]), name


def test_names_of_before(m):
    """What is not listed is called as ever; a tool that is has all that it took."""
    c = spindle(m)
    with Agent(m) as a:
        for name, arguments in (("add_entity", {"type": "Component", "name": "Lid"}), ("unlink", {"src_id": "m1", "dst_id": "m1", "rel": "x"}), ("neighbors", {"memory_id": "m1", "depth": 2}),
                                ("find_conflicts", {"text": "The spindle speed is 60 rpm.", "type": "knowledge"}), ("list_conflicts", {"status": "all"}), ("get_conflict", {"id": c}),
                                ("explain_conflict", {"id": c}), ("get_contradictions", {"source": "chat 3"}), ("get_anachronisms", {}), ("get_ontology_violations", {"severity": "error"}),
                                ("get_orphans", {}), ("flag_for_review", {"node_id": "m1", "reason": "misread"}), ("explain_violation", {"node_id": c}),
                                ("run_consistency_check", {"scope": "project:p05"}), ("latest_run", {}), ("list_ontology_rules", {}),
                                ("recall", {"query": "spindle", "mode": "semantic", "weights": "recency=0", "overfetch": 2, "expand": ["*"], "depth": 1, "cap": 3, "tag": "x"}),
                                ("remember", {"text": "The lid is red.", "importance": 0.5, "polarity": 1, "scope": "lab", "source_refs": ["a"], "policy": "warn", "dry_run": True}),
                                ("report_contradiction", {"rows": ["m1", "s1"], "question": "q", "why": "w", "dry_run": True}), ("link", {"src_id": "m1", "dst_id": "s1", "dry_run": True})):
            a.call(name, **arguments)
        for name in ("get_row", "list_rows", "list_findings", "list_projects", "list_violations"):   # where routes lead
            a.fails(-32602, "tools/call", {"name": name, "arguments": {}})


def test_routes(m):
    """A tool that is shown answers as the one of the specifications that its arguments lead to."""
    c = spindle(m)
    m.facts({"kind": "link", "src": "memory:m1", "dst": "project_state:s1", "rel": "related"}, entity("Person", {}, "Berta", id="berta"), entity("Person", {}, "Aldric", id="aldric"), entity("Person", {}, "Cuno", id="cuno"),
            {"kind": "relation", "id": "r1", "type": "PARENT_OF", "from": "berta", "to": "aldric", "project": "p05"}, name="more.jsonl")
    m.run("sweep")
    with Agent(m) as a:
        orphans = a.call("list", kind="orphan")
        assert orphans["count"] and orphans == a.call("get_orphans") and a.call("list", kind="orphan", about="m1")["count"] == 0
        f = orphans["findings"][0]["id"]
        text = {"text": "The spindle speed is 60 rpm.", "project": "p05"}
        for (tool, arguments), (other, theirs) in (
                (("conflicts", {}), ("list_conflicts", {})), (("conflicts", {"status": "all", "project": "p05"}), ("list_conflicts", {"status": "all", "project": "p05"})),
                (("conflicts", {"source": "chat 3"}), ("get_contradictions", {"source": "chat 3"})), (("conflicts", {"severity": "info"}), ("get_contradictions", {"severity": "info"})),
                (("conflicts", {"id": c}), ("get_conflict", {"id": c})), (("conflicts", {"id": c, "explain": False}), ("get_conflict", {"id": c})),
                (("conflicts", {"id": c, "explain": True}), ("explain_violation", {"node_id": c})), (("conflicts", {"id": f}), ("explain_violation", {"node_id": f})),
                (("check", text), ("find_conflicts", text)), (("check", {"row": "m1"}), ("find_conflicts", {"memory_id": "m1"})),
                (("check", {"scope": "project:p05", "dry_run": True}), ("run_consistency_check", {"scope": "project:p05", "dry_run": True})),
                (("list", {"kind": "anachronism"}), ("get_anachronisms", {})), (("list", {"kind": "ontology_violation"}), ("get_ontology_violations", {})),
                (("list", {"kind": "rule"}), ("list_ontology_rules", {})), (("get", {"row": "m1", "links": True}), ("neighbors", {"memory_id": "m1"}))):
            assert a.call(tool, **arguments) == a.call(other, **theirs), (tool, arguments)
        row = a.call("get", row="s1")
        assert row["value"] == "45 rpm" and row["disputed"] and [x["id"] for x in row["conflicts"]] == [c] and a.call("get", row="project_state:s1", links=False) == row
        assert [r["ref"] for r in a.call("list", kind="memory")["rows"]] == ["memory:m1"] and a.call("list", kind="memory", status="superseded")["rows"] == []
        assert {x["rule"].split("/")[0] for x in a.call("list", kind="finding")["findings"]} >= {orphans["findings"][0]["rule"].split("/")[0]}
        e = a.call("remember", type="Component", name="Lid", properties={"material": "PEEK"}, project="p05", source="chat 4")
        assert e["ref"].startswith("entity:") and e["source_refs"] == ["chat 4"] and e["via"] == "mcp"
        assert a.call("link", src_id=e["ref"], dst_id="m1", rel="refines")["changed"]
        assert a.call("report_contradiction", rows=["m1"], why="misread")["row"] == "memory:m1"
        for tool, arguments, field in (("check", {}, "text"), ("check", {"scope": "all", "text": "x"}, "text"), ("check", {"row": "m1", "text": "x"}, "text"), ("check", {"row": "nobody"}, None),
                                       ("get", {}, "row"), ("get", {"row": "nobody"}, "row"), ("get", {"row": "nobody", "links": True}, None), ("list", {"kind": "thing"}, "kind"), ("list", {}, "kind"),
                                       ("list", {"kind": "rule", "status": "all"}, "status"), ("list", {"kind": "memory", "about": "m1"}, "about"), ("list", {"kind": "orphan", "cursor": "f0"}, "cursor"),
                                       ("conflicts", {"id": "c0"}, None), ("conflicts", {"id": c, "project": "p05"}, "project"), ("conflicts", {"project": "p99"}, "project"),
                                       ("remember", {"type": "Component", "name": "Lid", "text": "x"}, "text"), ("remember", {"type": "knowledge"}, "text"),
                                       ("remember", {"name": "Lid"}, "type"), ("remember", {"name": "Lid", "type": "Gizmo"}, "type"), ("report_contradiction", {"rows": ["m1", "s1"], "why": "x"}, "question"),
                                       ("report_contradiction", {"rows": ["m1"], "why": "x", "question": "y"}, "question"), ("report_contradiction", {"rows": ["nobody"], "why": "x"}, "rows"),
                                       ("link", {"src_id": "m1", "dst_id": "s1", "rel": "related", "remove": True}, "src_id")):
            e = a.refused(tool, **arguments)
            assert e["field"] == field and not any(x in e["what"] for x in ("memory_id", "node_id", "get_row", "list_rows")), (tool, arguments, e)


def test_next_steps(m):
    """A success says what to do next, where there is something to do; no answer says it twice."""
    c = spindle(m)
    m.facts(memory("The lid is red, as it ever was.", id="lid", project="p05"), memory("The lid is blue, as it should be.", id="blue", project="p05"), name="lids.jsonl")
    m.run("review", "deny", "lid", "blue", "--why", "of two mills", "--by", "kim")
    lid = "memory:lid"
    with Agent(m, version="2024-11-05") as a:
        for tool, arguments, say in (("recall", {"query": "spindle speed"}, "not settled"), ("recall", {"query": "zebra crossing"}, "not recorded"), ("conflicts", {}, "Tell your user"),
                                     ("remember", {"text": "The spindle speed is 70 rpm.", "project": "p05"}, "Tell your user of"), ("remember", {"text": "Hm, well."}, "plain sentence"),
                                     ("remember", {"text": "The lid is red, as it ever was.", "project": "p50"}, "`warnings`"), ("relate", {"from": "nobody", "type": "KNOWS", "to": "gone"}, "an end may be missing"),
                                     ("remember", {"type": "Component", "name": "Lid", "project": "p05"}, "scope entity:ID"),
                                     ("check", {"text": "Well, the lid is as red as it ever was, is it not?", "project": "p50"}, "says nothing. Read `alike`"), ("report_contradiction", {"rows": ["m1"], "why": "odd"}, "looks at it"),
                                     ("context", {"task": "spindle speed", "tokens": 2}, "more tokens"), ("context", {"task": "zebra crossing"}, "Nothing is recorded"), ("context", {"task": "spindle speed"}, None),
                                     ("not_a_contradiction", {"rows": ["m1", "s1"], "why": "two"}, "People settle it"), ("not_a_contradiction", {"rows": [lid, "m1"], "why": "two"}, "not asked about them again"), ("report_contradiction", {"rows": ["m1", "s1"], "question": "q", "why": "two"}, "conflict already"),
                                     ("report_contradiction", {"rows": [lid, "blue"], "question": "q", "why": "two"}, "`denied_because`"),
                                     ("list", {"kind": "rule", "cursor": "rules:2"}, None), ("conflicts", {"subject": "lid"}, "review_next"), ("conflicts", {"id": c}, None)):
            r = a.result("tools/call", {"name": tool, "arguments": arguments})
            said = [c["text"] for c in r["content"]]
            assert "structuredContent" not in r and len(said) == (2 if say else 1) and (not say or say.lower() in said[1].lower()), (tool, arguments, said[1:])
    say = lambda a, tool, **arguments: a.result("tools/call", {"name": tool, "arguments": arguments})["content"][-1]["text"]
    with Agent(m) as a:
        assert "day old" not in say(a, "health") and "unknown, not that there is none" in say(a, "check", scope="all"), "an end of the relation is missing"
    m.sql("UPDATE sweep_runs SET finished_at = '2026-01-01T00:00:00Z'")
    with Agent(m) as a:
        assert "more than a day old: say so" in say(a, "health")
        r = a.result("tools/call", {"name": "recall", "arguments": {"query": "spindle speed"}})
        assert r["structuredContent"]["hits"] and len(r["content"]) == 1 and "not settled" in r["content"][0]["text"]


def test_errors_name_the_arguments_of_the_tool(m):
    spindle(m)
    with Agent(m) as a:
        for tool, arguments, field in (("list", {"kind": "finding", "about": "nobody"}, "about"), ("get_anachronisms", {"entity": "nobody"}, "entity"), ("check", {"scope": "planet:x"}, "scope"), ("run_consistency_check", {"scope": "project:none"}, "scope")):
            e = a.refused(tool, **arguments)
            assert e["field"] == field and not e["what"].startswith("--"), e
        for tool, arguments, why in (("list", {"kind": "memory", "about": "m1"}, "does not go with the other arguments"), ("list", {"kind": "memory", "limit": 10 ** 9}, "at most 9 digits"),
                                     ("report_contradiction", {"rows": ["m1"], "question": "q", "why": "w"}, "one of rows alone"), ("report_contradiction", {"rows": [], "why": "w", "question": "q"}, "2 to 16 rows"),
                                     ("report_contradiction", {"rows": ["m1", 7], "why": "w", "question": "q"}, "array of strings"), ("conflicts", {"id": "f0000"}, "there is none"), ("conflicts", {"subject": "nobody"}, "no row is that"),
                                     ("check", {"scope": "moon"}, "no part of a store"), ("context", {"task": ""}, "has no word")):
            e = a.refused(tool, **arguments)
            assert why in e["why"] and "'hmirror" not in e["fix"], e


def test_usage_of_tools(m):
    m.run("init")
    m.fails("mcp", "--tools", "some", has="--tools all")


def test_official_client(m):
    """Every tool: listed with schemas of the dialect, called, its answer held against its schema by the client and by ours."""
    c = spindle(m)
    m.facts(entity("Person", {}, "Aldric", id="aldric"), entity("Person", {}, "Berta", id="berta"), entity("Person", {}, "Cuno", id="cuno"),
            {"kind": "relation", "id": "r1", "type": "PARENT_OF", "from": "berta", "to": "aldric", "project": "p05"}, name="people.jsonl")
    with Official(m, "--allow-verdicts", "--tools", "all") as a:
        assert "hmirror" in a.hello["instructions"] and a.hello["server"]["name"] == "hmirror"
        tools = {t["name"]: t for t in a.ok("compile")}
        assert set(tools) == TOOLS
        for t in tools.values():
            assert t["description"] and t["title"] and t["inputSchema"]["additionalProperties"] is False and t["outputSchema"]["type"] == "object", t["name"]
            assert all(p.get("description") or p.get("enum") or n in ("tags", "project", "severity", "name", "description", "include_superseded") for n, p in t["inputSchema"]["properties"].items()), t
        assert {n for n, t in tools.items() if not t["annotations"]["readOnlyHint"]} == \
            {"remember", "add_entity", "link", "unlink", "supersede", "restore", "flag_for_review", "run_consistency_check", "check", "edit", "relate",
             "report_contradiction", "not_a_contradiction"}
        hit, = [h for h in a.call("recall", query="spindle speed", k=3, project="p05", weights="recency=0", min_importance=0, expand=["*"], depth=2)["hits"] if h["ref"] == "memory:m1"]
        assert hit["disputed"] and hit["conflicts"] == [c]
        one = a.call("remember", text="The spindle bearing is ceramic.", project="p05", tags=["spindle"], importance=0.7, source="chat 9", valid_from="2026-04", confidence=0.5)
        assert one["agent"] == "claude" and one["via"] == "mcp" and one["source_refs"] == ["chat 9"] and one["memory_type"] == "knowledge" and one["conflicts"] == []
        two = a.call("remember", text="The spindle bearing is steel.", project="p05", type="knowledge", polarity=0, scope="lab", status="candidate", source_refs=["a", "b"])
        assert two["status"] == "candidate" and two["source_refs"] == ["a", "b"]
        e = a.call("add_entity", type="Decision", name="Lateral support", project="p05", properties={"decision_target": "lateral support", "decision_field": "material", "value": "PEEK"})
        assert e["via"] == "mcp" and e["entity_type"] == "Decision"
        assert a.call("link", src_id=one["ref"], dst_id="m1", rel="refines")["changed"]
        n, = a.call("neighbors", memory_id=one["ref"], direction="out", depth=2)["neighbors"]
        assert n["row"] == "memory:m1"
        assert a.call("unlink", src_id=one["ref"], dst_id="m1", rel="refines")["count"] == 1
        found = a.call("find_conflicts", text="The spindle speed is 60 rpm.", project="p05")
        assert [x["id"] for x in found["conflicts"]] == [c] and found["row"] is None
        assert m.sql("SELECT count(*) FROM memories")[0][0] == 3, "it stored nothing"
        assert [x["id"] for x in a.call("find_conflicts", memory_id="m1")["conflicts"]] == [c]
        assert a.call("find_conflicts", memory_id=one["ref"])["conflicts"] == []
        assert [x["id"] for x in a.call("list_conflicts", project="p05", limit=1)["conflicts"]] == [c]
        assert a.call("get_conflict", id=c)["id"] == c
        assert any("45 rpm" in line for line in a.call("explain_conflict", id=c)["lines"])
        for about in ({"subject": "memory:m1"}, {"subject": "spindle_speed"}, {"source": "chat 3"}, {"severity": "warn"}, {}):
            assert a.call("get_contradictions", **about)["count"] == 1, about
        assert a.call("get_contradictions", severity="info")["count"] == 0 and a.call("get_contradictions", subject="aldric")["count"] == 0
        a.call("get_anachronisms", entity="aldric", limit=5)
        near = a.call("remember", text="Ceramic bearings are for the spindle.", project="p05")
        pair = a.call("review_next", project="p05")["pairs"][0]["rows"]
        assert a.call("report_contradiction", rows=pair, question="Which is it?", why="both cannot be")["finding"]
        assert a.call("not_a_contradiction", rows=[near["ref"], "memory:m1"], why="of another part")["changed"]
        assert a.call("review_next", limit=100)["pairs"] is not None
        orphans = a.call("get_orphans", limit=1)
        assert orphans["count"] >= 1 and len({f["id"] for f in orphans["findings"]}) == 1, orphans
        assert a.call("flag_for_review", node_id="m1", reason="misread")["row"] == "memory:m1"
        assert a.call("get_ontology_violations", severity="error")["count"] == 0
        assert a.call("explain_violation", node_id=orphans["findings"][0]["id"])["findings"]
        assert a.call("explain_violation", node_id=c)["conflict"]["id"] == c
        assert a.call("run_consistency_check", scope="entity:aldric")["scope"] == "entity:aldric"
        assert a.call("latest_run")["sweep"]["rules"] > 10
        assert len(a.call("list_ontology_rules")["rules"]) > 10
        health = a.call("health")
        assert health["open_conflicts_count"] == 1 and health["vectors"] == m.run("health", "--format", "json").json()["vectors"], health
        # Those that are shown, by each of their routes
        for tool, arguments in (("get", {"row": "m1"}), ("get", {"row": "aldric"}), ("get", {"row": "s1"}), ("get", {"row": "relation:r1"}), ("get", {"row": "m1", "links": True}),
                                *(("list", {"kind": k}) for k in ("memory", "entity", "project_state", "relation", "finding", "orphan", "anachronism", "ontology_violation", "rule")),
                                ("conflicts", {}), ("conflicts", {"id": c}), ("conflicts", {"id": c, "explain": True}), ("conflicts", {"id": orphans["findings"][0]["id"]}), ("conflicts", {"severity": "warn"}),
                                ("check", {"text": "The spindle speed is 60 rpm.", "project": "p05"}), ("check", {"row": "m1"}), ("check", {"scope": "all"}), ("context", {"task": "spindle speed"}),
                                ("remember", {"type": "Component", "name": "Lid"}), ("edit", {"row": one["ref"], "text": "The spindle bearing is of ceramic."}),
                                ("relate", {"from": "entity:aldric", "type": "KNOWS", "to": "berta", "valid_from": "1120"}), ("link", {"src_id": one["ref"], "dst_id": "m1", "rel": "refines"}),
                                ("link", {"src_id": one["ref"], "dst_id": "m1", "rel": "refines", "remove": True}), ("report_contradiction", {"rows": ["m1"], "why": "misread"})):
            assert a.call(tool, **arguments), tool
        report = a.call("supersede", old_id="m1", new_id=one["ref"], notes="measured again")
        assert report["by"] == "claude" and report["changes"][0]["row"] == "memory:m1"
        assert a.call("restore", memory_id="m1")["changes"][0]["after"] == "active"
        # Refusals are results that an agent reads, not failures of the protocol.
        for name, t in tools.items():
            for wrong in ({"nonsense": 1}, *({k: {"x": []}} for k, p in t["inputSchema"]["properties"].items() if p.get("type") != "object")):
                r = a.ok("call", name, wrong)
                e = json.loads(r["content"][0]["text"])["error"]
                assert r["isError"] and len(r["content"]) == 1 and e["field"] in (*wrong, *t["inputSchema"]["required"]) and e["fix"], (name, wrong, r)
        r = a.ok("call", "recall", {"query": "x", "k": 0})
        assert r["isError"] and json.loads(r["content"][0]["text"])["error"]["field"] == "k"
        assert a.do("callTool", {"name": "forget", "arguments": {}})["error"]["code"] == -32602
        # Resources
        uris = [x["uri"] for x in a.ok("listResources")["resources"]]
        assert "hmirror://page/README.md" in uris and f"hmirror://conflict/{c}" in uris and f"hmirror://page/conflicts/{c}.md" in uris
        assert "⚠ disputed" in a.ok("readResource", {"uri": "hmirror://page/projects/p05-interferometer/state.md"})["contents"][0]["text"]
        assert json.loads(a.ok("readResource", {"uri": f"hmirror://conflict/{c}"})["contents"][0]["text"])["id"] == c
        assert len(a.ok("listResourceTemplates")["resourceTemplates"]) == 2
        assert a.do("readResource", {"uri": "hmirror://page/nowhere.md"})["error"]["code"] == -32002
        assert a.ok("ping") == {}
    line = m.sql("SELECT DISTINCT actor, why FROM journal WHERE verb = 'supersede'")
    assert line == [("claude", "measured again")], line


def test_policies(m):
    m.facts(P05, memory("merge with red checks", id="m1", project="p05", agent="kim", created_at="2026-04-02T09:00:00Z"))
    with Official(m, "--tools", "all") as a:
        a.ok("compile")
        r = a.ok("call", "remember", {"text": "do not merge with red checks", "project": "p05", "policy": "raise"})
        e = json.loads(r["content"][0]["text"])
        assert r["isError"] and e["error"]["code"] == "state" and "memory:m1" in e["error"]["why"] and e["action"] == "rejected", r
        assert [(x["row"], x["kind"], x["reason"]) for x in e["met"]] == [("memory:m1", "contradiction", "negation_diff")]
        assert m.sql("SELECT count(*) FROM memories") == [(1,)]
        for policy, met in (("warn", 1), ("ignore", 0), (None, 1)):
            one = a.call("remember", text="do not merge with red checks", project="p05", policy=policy, dry_run=True)
            assert (one["action"], len(one["met"])) == ("stored", met), (policy, one["met"])
        e = a.call("add_entity", type="Decision", name="x", policy="raise", properties={"value": "y"})
        assert e["action"] == "stored"


def test_threshold(m):
    """Texts that are alike count from a cosine on; claims that disagree count whatever it is."""
    spindle(m)
    m.facts(memory("Deploy on Fridays.", id="m2", project="p05"), memory("Global state in the firmware is fine.", id="m3", project="p05"))
    kind = "possible_contradiction"
    with Agent(m) as a:
        for text in ("On Fridays, never deploy.", "Avoid global state in the firmware."):
            f, = [f for f in a.call("find_conflicts", text=text, project="p05")["findings"] if f["kind"] == kind]
            cosine = float(f["actual"].removeprefix("cosine "))
            assert 0.8 < cosine < 0.99, f
            for threshold in (0.8, cosine, round(cosine + 0.01, 2)):
                got = a.call("find_conflicts", text=text, project="p05", threshold=threshold)
                assert [x["actual"] for x in got["findings"] if x["kind"] == kind] == ([f["actual"]] if threshold <= cosine else []), (text, threshold, got)
        one = a.call("remember", text="On Fridays, never deploy.", project="p05")
        assert [len(a.call("find_conflicts", memory_id=one["ref"], threshold=t)["findings"]) for t in (0.8, 1)] == [1, 0]
        assert len(a.call("find_conflicts", memory_id="m1", threshold=1)["conflicts"]) == 1
        for bad in (0.79, 1.01, -1, 1e9):
            assert a.refused("find_conflicts", text="x", threshold=bad)["field"] == "threshold"
        assert a.refused("find_conflicts", text="x", threshold="0.9")["field"] == "threshold"


# --- arguments ------------------------------------------------------------------
def test_arguments(m):
    spindle(m)
    with Agent(m) as a:
        for tool, arguments, field in (("recall", {}, "query"), ("recall", {"query": "x", "mode": "fast"}, "mode"), ("recall", {"query": 7}, "query"),
                                       ("recall", {"query": "x", "qery": 1}, "qery"), ("recall", {"query": "x", "expand": ["a,b"]}, "expand"),
                                       ("recall", {"query": "x", "expand": [1]}, "expand"), ("recall", {"query": "x", "k": 1.5}, "k"),
                                       ("recall", {"query": "x", "min_importance": "a"}, "min_importance"), ("recall", {"query": "x", "weights": "all=0"}, "weights"),
                                       ("remember", {"text": " "}, "text"), ("remember", {"text": "x", "type": ""}, "type"),
                                       ("remember", {"text": "x", "confidence": 2}, "confidence"), ("remember", {"text": "x", "valid_from": "soon"}, "valid_from"),
                                       ("remember", {"text": "x", "status": "superseded"}, "status"), ("remember", {"text": "x", "tags": [1]}, "tags"),
                                       ("get_conflict", {"id": "c0"}, None), ("neighbors", {"memory_id": "nobody"}, None), ("neighbors", {"memory_id": "m1", "depth": 0}, "depth"),
                                       ("find_conflicts", {}, "text"), ("find_conflicts", {"text": "x", "memory_id": "m1"}, "text"),
                                       ("find_conflicts", {"memory_id": "m1", "type": "knowledge"}, "memory_id"), ("find_conflicts", {"memory_id": "nobody"}, None),
                                       ("link", {"src_id": "m1", "dst_id": "m1"}, "dst_id"), ("link", {"src_id": "nobody", "dst_id": "m1"}, "src_id"),
                                       ("run_consistency_check", {"scope": "everything"}, "scope"), ("get_orphans", {"limit": 0}, "limit"),
                                       ("get_anachronisms", {"cursor": "f000000000000"}, "cursor"), ("list_conflicts", {"cursor": "c0"}, "cursor"),
                                       ("get_ontology_violations", {"rule_id": "none"}, "rule_id"), ("explain_violation", {"node_id": "f0"}, None),
                                       ("explain_violation", {"node_id": "c0"}, None), ("flag_for_review", {"node_id": "nobody", "reason": "x"}, "node_id"),
                                       ("list_conflicts", {"project": "p99"}, "project"), ("health", {"x": 1}, "x")):
            e = a.refused(tool, **arguments)
            assert e["field"] == field, (tool, arguments, e)
        for tool, given, meant in (("remember", "content", "text"), ("find_conflicts", "content", "text"), ("add_entity", "entity_type", "type"), ("neighbors", "row", "memory_id"),
                                   ("recall", "qery", "query"), ("link", "src", "src_id"), ("explain_violation", "id", "node_id")):   # as HTTP calls it, or nearly so
            e = a.refused(tool, **{given: "x"})
            assert (e["what"], e["field"]) == (tool + ": " + given, given) and e["fix"].startswith(f"did you mean '{meant}'? its arguments: "), e
        r = a.result("tools/call", {"name": "health", "arguments": [1]})
        assert r["isError"]
        for long in ("é" * 600, "a" + "é" * 600, "ab" + "\U0001f600" * 300, "abc" + "\U0001f600" * 300):
            for tool, arguments in (("remember", {"text": "x", long: 1}), ("get_conflict", {"id": long}), ("neighbors", {"memory_id": long}),
                                    ("neighbors", {"memory_id": "memory:" + long}), ("list_conflicts", {"project": long}), ("recall", {"query": "x", "type": long}),
                                    ("link", {"src_id": long, "dst_id": "m1"}), ("run_consistency_check", {"scope": "entity:" + long}),
                                    ("remember", {"text": "x", "valid_from": long}), ("explain_violation", {"node_id": long})):
                r = a.result("tools/call", {"name": tool, "arguments": arguments})
                assert not any("\ufffd" in c["text"] or "?:" in c["text"] or "?'" in c["text"] for c in r["content"]), (tool, r)
        assert a.call("recall", query="spindle", project=None, k=None)["count"] == 2, "null is as good as nothing"
        assert a.call("remember", text="The lid is red.", dry_run=True)["dry_run"] and m.sql("SELECT count(*) FROM memories") == [(1,)]


def test_pages_of_lists(m):
    values = [state(f"k{i:03}", v, id=f"s{i:03}{v}") for i in range(60) for v in "ab"]
    m.facts(P05, *values, *(entity("Person", {}, f"P{i}", id=f"e{i:03}") for i in range(62)),
            {"kind": "relation", "id": "r1", "type": "PARENT_OF", "from": "e060", "to": "e061", "project": "p05"})
    m.run("sweep")
    with Agent(m) as a:
        for tool, key, args in (("list_conflicts", "conflicts", {}), ("get_contradictions", "conflicts", {}), ("get_orphans", "findings", {})):
            seen, cursor, n = [], None, 0
            while n == 0 or cursor:
                page = a.call(tool, **args, **({"cursor": cursor} if cursor else {}))
                seen += [x["id"] for x in page[key]]
                cursor, n = page.get("next"), n + 1
            assert len(seen) == len(set(seen)) == page["count"] >= 60 and n >= 2, (tool, len(seen), page["count"], n)
            assert [x["id"] for x in a.pages(tool, key, limit=1000)] == seen
            assert len(a.call(tool, limit=7)[key]) == 7
        uris, params, parts = [], {}, 0
        while parts == 0 or params:
            part = a.result("resources/list", params)
            uris += [x["uri"] for x in part["resources"]]
            params, parts = ({"cursor": part["nextCursor"]} if "nextCursor" in part else None), parts + 1
        assert len(uris) == len(set(uris)) > 120 and parts >= 2 and sum(u.startswith("hmirror://conflict/") for u in uris) == 60
        for uri in uris[:3] + uris[-3:]:
            assert a.result("resources/read", {"uri": uri})["contents"][0]["uri"] == uri


# --- other programs ----------------------------------------------------------------
def test_writes_of_others_are_seen(m):
    c = spindle(m)
    with Agent(m) as a:
        page = {"uri": "hmirror://page/projects/p05-interferometer/README.md"}
        assert a.call("recall", query="spindle")["count"] == 2 and "⚠ disputed" in a.result("resources/read", page)["contents"][0]["text"]
        assert a.call("get_contradictions")["count"] == 1
        m.facts(memory("The spindle oil is ISO 10.", id="m7"), name="more.jsonl")
        assert "memory:m7" in [h["ref"] for h in a.call("recall", query="spindle oil")["hits"]]
        m.run("conflicts", "resolve", c, "--winner", "s1", "--notes", "x", "--by", "kim")
        assert a.call("get_contradictions")["count"] == 0 and a.call("health")["resolved"] == 1
        assert "⚠ disputed" not in a.result("resources/read", page)["contents"][0]["text"]
        one = a.call("remember", text="The spindle speed is 70 rpm.", project="p05")
        assert len(one["opened"]) == 1 and m.conflicts()[0]["id"] == one["opened"][0], "and others see ours"
        assert "⚠ disputed" in a.result("resources/read", page)["contents"][0]["text"]


def test_what_waits_for_the_sweep_in_the_background(m):
    """A store that is not swept at once: contradictions are told with the write, the rest is pending until a sweep has been."""
    m.facts(P05, state("shutter_time", "7 ms", id="s"), *[state(f"speed of pump {i // 2}", f"{i // 2} rpm", id=f"s{i}") for i in range(2500)])
    with Agent(m) as a:
        assert "sweep" not in a.call("remember", text="The lamp current is 2 A.", project="p05"), "nothing is held yet: it sweeps"
        one = a.call("remember", text="The shutter time is 9 ms.", project="p05")
        assert len(one["opened"]) == 1 and one["sweep"] == "pending", one
        hit = a.call("recall", query="shutter time 9 ms")
        assert hit["hits"][0]["ref"] in (one["ref"], "project_state:s") and hit.get("sweep") in (None, "pending"), hit
        assert {h["ref"]: h["disputed"] for h in hit["hits"]}[one["ref"]] is True, "recall has what was just written, and how it stands"
        got = a.call("get_contradictions")
        assert [c["id"] for c in got["conflicts"]] == one["opened"] and got.get("sweep") in (None, "pending"), got
        end = time.time() + HANGS
        while "sweep" in (h := a.call("health")):
            assert h["sweep"] == "pending" and time.time() < end, h
            time.sleep(0.05)
        assert h["disputed_count"] == 1 and "sweep" not in a.call("get_contradictions")
        later = a.call("recall", query="shutter time 9 ms")
        assert {**hit, "sweep": None} == {**later, "sweep": None} and "sweep" not in later
    with Agent(m) as a:
        assert a.call("recall", query="shutter time 9 ms") == later, "from what is recorded, too"
        a.call("list", kind="memory")
        assert a.call("remember", text="The lamp voltage is 12 V.", project="p05")["sweep"] == "pending", "a reader holds the sweep of what is recorded"


def test_foreign_store_is_not_written(m):
    import sqlite3
    db = sqlite3.connect(m.path("theirs.db"))
    db.executescript("CREATE TABLE notes (id TEXT PRIMARY KEY, body TEXT); INSERT INTO notes VALUES ('n1', 'The lid is red.')")
    db.close()
    m.write("mirror.yml", "store: theirs.db\nstore.map:\n  - layer: memories\n    table: notes\n    columns: [id = id, content = body]\n")
    with Agent(m) as a:
        assert a.call("recall", query="lid")["count"] == 1
        e = a.refused("remember", text="The lid is blue.")
        assert e["code"] == "state" and "theirs.db" in e["what"] + e["why"], e


# --- examples -----------------------------------------------------------------------
def test_examples_of_agents(m):
    """Each line of site-example/agents is one that its program would read, and names a command that answers."""
    folder = os.path.join(TOP, "site-example", "agents")
    m.run("init")
    commands = []
    for name in ("claude-code.mcp.json", "vscode.mcp.json"):
        with open(os.path.join(folder, name)) as f:
            config = json.load(f)
        servers = config.get("mcpServers") or config["servers"]
        assert list(servers) == ["hmirror"] and servers["hmirror"]["type"] == "stdio"
        commands.append(servers["hmirror"])
    with open(os.path.join(folder, "codex.config.toml"), "rb") as f:
        commands.append(tomllib.load(f)["mcp_servers"]["hmirror"])
    for c in commands:
        assert c["command"] == "hmirror" and c["args"][0] == "mcp"
        args = [m.dir if x == "/path/to/mirror" else x for x in c["args"][1:]]
        assert m.dir in args
        with Agent(m, *args, name="whoever") as a:
            one = a.call("remember", text="The lid is red.")
            assert one["agent"] == (args[args.index("--agent") + 1] if "--agent" in args else "whoever")
    readme = open(os.path.join(folder, "README.md")).read()
    for name in os.listdir(folder):
        assert name == "README.md" or name in readme, name
    for line in re.findall(r"-- (hmirror mcp[^\n]*)", readme):
        words = [m.dir if x == "/path/to/mirror" else x for x in line.split()]
        with Agent(m, *words[2:]) as a:
            a.call("health")


if __name__ == "__main__":
    main(globals())
