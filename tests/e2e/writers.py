#!/usr/bin/env python3
"""Writers of `hmirror serve`: a fair queue, batches, too many of them, and that what was answered is there after a kill."""
import fcntl
import http.client
import signal
import sqlite3
import threading
import urllib.request
from harness import *
from server import Server


RED = """-- id: own/red
-- description: Nothing may be red.
-- severity: warn
-- reads: project_state
-- expected: another colour
SELECT 'project_state:' || id AS row, 'it is red' AS message FROM project_state WHERE value = 'red'
"""


def begin(m):
    m.run("init", "-q")
    m.run("add", "state", "speed", "45 rpm", "-p", "p", "--id", "s0")


class Held:
    """Another process writes: whoever comes meanwhile waits, and all of them become one batch."""

    def __init__(self, m):
        self.f = open(m.path("hmirror.db.lock"), "w")

    def __enter__(self):
        fcntl.flock(self.f, fcntl.LOCK_EX)
        return self

    def __exit__(self, *_):
        self.f.close()


def together(s, requests, hold=None, until=lambda answers: True):
    """Sends each from a thread of its own; their answers, in this order."""
    answers = [None] * len(requests)

    def send(i, method, target, body):
        answers[i] = s.ask(method, target, body)
    threads = [threading.Thread(target=send, args=(i, *r)) for i, r in enumerate(requests)]
    for t in threads:
        t.start()
    end = time.time() + HANGS
    while hold and not until(answers) and time.time() < end:
        time.sleep(0.02)
    if hold:
        time.sleep(0.2)     # most of them wait now; if some come later, they join another batch
        hold.f.close()
    for t in threads:
        t.join()
    return answers


def state(id, value="50 rpm", key="speed"):
    return {"project": "p", "key": key, "value": value, "id": id}


def nothing_left_for_a_sweep(m):
    s = m.run("--format", "json", "sweep", "--dry-run").json()
    assert (s["opened"], s["updated"]) == (0, 0), s


def test_who_waits_is_stored_and_told_what_concerns_its_row(m):
    begin(m)
    with Server(m, "--api-only") as s, Held(m) as h:
        a = together(s, [("POST", "/project/state", state(f"n{i}", "red", f"colour {i}")) for i in range(30)] +
                     [("POST", "/project/state", state("a")), ("POST", "/project/state", state("s0")), ("POST", "/project/state", {"key": "x"}),
                      ("POST", "/project/state?dry_run=true", state("dry", "60 rpm")), ("POST", "/project/state?policy=raise", state("r", "70 rpm")),
                      ("POST", "/memory?policy=supersede", {"memory_type": "knowledge", "content": "The speed is 80 rpm.", "project": "p", "id": "m"})], h)
        assert [x.status for x in a] == [201] * 31 + [409, 422, 200, 409, 201], [x.status for x in a]
        assert all(x.json()["conflicts"] == x.json()["opened"] == [] for x in a[:30])
        assert a[32].json()["error"]["field"] and a[34].json()["action"] == "rejected"
        assert {"s0", "a"} <= {x["member_id"] for x in a[30].json()["conflicts"][0]["members"]}, a[30].json()
        assert {"s0", "dry"} <= {x["member_id"] for x in a[33].json()["conflicts"][0]["members"]}, a[33].json()
        s.get("/project/state/a")
        s.get("/project/state/dry", 404)
    assert sorted(x for x, in m.sql("SELECT id FROM project_state")) == sorted(["s0", "a"] + [f"n{i}" for i in range(30)])
    nothing_left_for_a_sweep(m)


def test_beyond_the_queue_it_says_when_to_ask_again(m):
    begin(m)
    m.write("mirror.yml", "serve:\n  queue: 3\n")
    with Server(m, "--api-only") as s, Held(m) as h:
        a = together(s, [("POST", "/project/state", state(f"n{i}")) for i in range(20)], h, lambda v: sum(x is not None for x in v) >= 16)
        refused = [x for x in a if x.status == 503]
        assert len(refused) == 16, [x.status for x in a]    # one writes, three wait
        for x in refused:
            assert x.headers["Retry-After"] and x.error()["code"] == "busy" and "serve.queue" in x.error()["why"]
        assert sum(x.status == 201 for x in a) == 4
        s.post("/project/state", state("later"), 201)
    m.write("mirror.yml", "serve:\n  queue: 0\n")
    m.fails("serve", has=("serve.queue", "out of range"))


def test_more_writers_than_an_address_has_connections(m):
    begin(m)
    with Server(m, "--api-only") as s, Held(m) as h:
        a = together(s, [("POST", "/project/state", state(f"n{i}", "red", f"colour {i}")) for i in range(200)], h)
        assert [x.status for x in a] == [201] * 200
    assert m.sql("SELECT count(*) FROM project_state") == [(201,)]
    nothing_left_for_a_sweep(m)


def test_verdicts_and_sweeps_among_writes(m):
    begin(m)
    m.run("add", "state", "speed", "50 rpm", "-p", "p", "--id", "s1")
    id = m.conflicts()[0]["id"]
    with Server(m, "--api-only") as s, Held(m) as h:
        a = together(s, [("POST", "/project/state", state(f"n{i}", f"{i} W", "power")) for i in range(6)] +
                     [("POST", f"/conflicts/{id}/resolve", {"winner_member_id": "s1", "resolution_notes": "measured"}),
                      ("POST", f"/conflicts/{id}/dismiss", {"reason": "two lots"}),
                      ("POST", "/sweeps", {}), ("POST", "/links", {"src": "project_state:s0", "dst": "project_state:s1"}),
                      ("POST", "/flags/project_state:s1", {"reason": "odd"})], h)
        assert [x.status for x in a[:6]] == [201] * 6 and [x.status for x in a[8:]] == [200] * 3, [x.status for x in a]
        assert sorted(x.status for x in a[6:8]) == [200, 409], [x.body for x in a[6:8]]      # who came second found it settled
    assert m.sql("SELECT count(*) FROM conflicts WHERE status = 'open'") == [(1,)]
    nothing_left_for_a_sweep(m)


def test_rules_in_sql_are_told(m):
    begin(m)
    m.write("rules/red.sql", RED)
    with Server(m, "--api-only") as s, Held(m) as h:
        a = together(s, [("POST", "/project/state", state(f"n{i}", "red" if i % 2 else "blue", f"colour {i}")) for i in range(12)], h)
        for i, x in enumerate(a):
            assert x.status == 201 and [f["message"] for f in x.json()["findings"]] == ["it is red"] * (i % 2), x.json()
        assert s.get("/findings").json()["count"] == 6


def many(m, n=2500):
    m.run("init", "-q")
    m.write("f.jsonl", "".join(json.dumps({"kind": "project_state", "id": f"s{i}", "project": "p", "key": f"speed of pump {i // 2}",
                                           "value": f"{i // 2} rpm"}) + "\n" for i in range(n)))
    m.run("import", "f.jsonl", "-q")


def settled(s, target):
    """The answer, once the sweep in the background has told all."""
    end = time.time() + HANGS
    while time.time() < end:
        a = s.get(target).json()
        if "sweep" not in a:
            return a
        assert a["sweep"] == "pending"
        time.sleep(0.05)
    raise AssertionError("the sweep does not come")


def page(s, target):
    with urllib.request.urlopen(s.url.rstrip("/") + target) as r:
        return r.read()


def test_contradictions_at_once_and_the_rest_in_the_background(m):
    many(m)
    m.write("rules/red.sql", RED)
    with Server(m) as s:
        pending = set()
        first = s.post("/project/state", state("a0", "red", "colour"), 201).json()     # nothing is held yet: it sweeps
        assert "sweep" not in first and [f["message"] for f in first["findings"]] == ["it is red"]
        for i in range(1, 6):
            a = s.post("/project/state", state(f"a{i}", f"{i} W", "power"), 201).json()
            pending.add(a.get("sweep"))
            assert len(a["conflicts"]) == (i > 1), a
            got = s.get("/conflicts?project=p").json()
            assert got["count"] == (i > 1) and all(len(c["members"]) == i for c in got["conflicts"]), got
        assert pending == {"pending"}
        a = s.post("/project/state", state("b", "red", "other colour"), 201).json()
        assert a["conflicts"] == [] and a["sweep"] == "pending"
        e = s.post("/entities", {"entity_type": "Person", "name": "Ann", "project": "p", "id": "e"}, 201).json()
        assert "sweep" not in e     # anything else sweeps
        a = s.post("/project/state", state("c", "red", "third colour"), 201).json()
        assert a["sweep"] == "pending" and a["findings"] == []
        found = settled(s, "/findings?rule=own/red")
        assert {f["rows"][0] for f in found["findings"]} == {"project_state:a0", "project_state:b", "project_state:c"}, found
        assert settled(s, "/health")["disputed_count"] == 1
        end = time.time() + HANGS
        while page(s, "/findings/index.html").lower().count(b"it is red") < 3:
            assert time.time() < end
            time.sleep(0.2)
        s.patch("/memory/none", {"content": "x"}, 404)
        s.post("/project/state?dry_run=true", state("d", "7 W", "power")).json()
        r = s.post("/project/state?policy=raise", state("d", "7 W", "power"), 409).json()
        assert r["action"] == "rejected"
    nothing_left_for_a_sweep(m)


def test_explanations_beside_a_pending_sweep(m):
    """What the last writes left as it was is explained from the held sweep; what they changed, from a sweep."""
    many(m)
    m.facts(*[{"kind": "project_state", "id": f"{n}{v}", "project": "p", "key": f"{n} power", "value": f"{v} W"} for n in "xy" for v in (1, 2)])
    with Server(m, "--api-only") as s:
        s.post("/project/state", state("a0", "1 W", "power"), 201)
        ids = {c["members"][0]["member_id"]: c["id"] for c in s.get("/conflicts").json()["conflicts"]}
        x, y = ids["x1"], ids["y1"]
        before, told = s.get(f"/conflicts/{x}/explain").json(), set()
        before.pop("sweep", None)
        for i in range(5):
            s.post("/project/state", state(f"y{10 + i}", f"{10 + i} W", "y power"), 201)
            got = s.get(f"/conflicts/{x}/explain").json()
            told.add(got.pop("sweep", None))
            assert got == before, [(k, got[k], before[k]) for k in got if got[k] != before[k]]
            got = s.get(f"/conflicts/{y}/explain").json()
            assert "sweep" not in got and any(f"y{10 + i}" in line for line in got["lines"]), got
        assert told <= {"pending", None}
        settled(s, "/health")
        assert s.get(f"/conflicts/{x}/explain").json() == before
    nothing_left_for_a_sweep(m)


def test_another_process_writes_between(m):
    many(m)
    with Server(m, "--api-only") as s:
        s.post("/project/state", state("a0", "1 W", "power"), 201)
        assert s.post("/project/state", state("a1", "2 W", "power"), 201).json()["sweep"] == "pending"
        m.run("add", "state", "power", "3 W", "-p", "p", "--id", "cli")
        m.sql("UPDATE project_state SET value = '4 W' WHERE id = 's7'")
        a = s.post("/project/state", state("a2", "5 W", "power"), 201).json()
        assert {x["member_id"] for x in a["conflicts"][0]["members"]} == {"a0", "a1", "a2", "cli"}, a
        assert s.get("/conflicts").json()["count"] == 2
        assert s.post("/project/state", state("a3", "6 W", "power"), 201).json()["sweep"] == "pending"
        settled(s, "/health")
    nothing_left_for_a_sweep(m)


def test_what_was_answered_is_there_after_a_kill(m):
    begin(m)
    for round in range(6 if THOROUGH else 2):
        s = Server(m, "--api-only")
        answered, ends = [], threading.Event()

        def write(n):
            for i in range(10000):
                id = f"k{round}-{n}-{i}"
                try:
                    if s.ask("POST", "/project/state", state(id, f"{i} W", f"power {n}")).status == 201:
                        answered.append(id)
                except (OSError, http.client.HTTPException):
                    return
                if ends.is_set():
                    return
        threads = [threading.Thread(target=write, args=(n,)) for n in range(12)]
        for t in threads:
            t.start()
        end = time.time() + HANGS
        while len(answered) < 40 * (round + 1) and time.time() < end:
            time.sleep(0.005)
        s.process.send_signal(signal.SIGKILL)
        s.process.wait()
        ends.set()
        for t in threads:
            t.join()
        there = {x for x, in m.sql("SELECT id FROM project_state")}
        assert answered and not set(answered) - there, set(answered) - there
        nothing_left_for_a_sweep(m)


if __name__ == "__main__":
    main(globals())
