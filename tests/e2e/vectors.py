#!/usr/bin/env python3
"""Recall by the vectors of a model at a local endpoint that answers as it should, and in every other way."""
import contextlib
import hashlib
import json
import socket
import threading
import time

import foreign
from harness import *
from judge import KEY, Stub, reply
from mcp_kit import Agent
from server import Server

ENV = {"VECTOR_KEY": KEY}
CLOCK = "2026-03-01T00:00:00Z"
CONCEPTS = [("automobile", "car", "vehicle"), ("feline", "cat", "kitten"), ("lunch", "meal", "noon"), ("rain", "wet", "umbrella")]
BUILTIN = "builtin/512"


def vector(text, dims=8):
    """One number a concept, and one for all texts, so that no vector is zero."""
    v = [0.0] * dims
    v[-1] = 0.1
    for i, words in enumerate(CONCEPTS):
        v[i] = float(sum(text.lower().count(w) for w in words))
    return v


def embeds(stub, request, body, dims=8):
    assert body["encoding_format"] == "float" and all(isinstance(t, str) and t.strip() for t in body["input"])
    data = [{"object": "embedding", "index": i, "embedding": vector(t, dims)} for i, t in enumerate(body["input"])]
    reply(request, 200, json.dumps({"object": "list", "data": data[::-1], "model": body["model"]}))


@contextlib.contextmanager
def model(m, behave=embeds, store="hmirror.db", name="concepts-1", timeout=5, path="", more=""):
    stub = Stub(behave)
    stub.url = stub.url.replace("/v1/chat/completions", path or "/v1/embeddings")
    m.write("mirror.yml", f"store: {store}\nrecall:\n  url: {stub.url}\n  model: {name}\n  timeout: {timeout}\n  key_env: VECTOR_KEY\n{more}")
    m.trust()
    try:
        yield stub
    finally:
        stub.stop()


def note(id, content, **kw):
    return memory(content, "knowledge", "p05", id=id, created_at="2026-01-01T00:00:00Z", **kw)


def fill(m):
    m.facts(project("p05"), note("auto", "The automobile is parked in the yard"), note("feline", "Two felines sleep upstairs"),
            note("eat", "Lunch is served downstairs"), note("tax", "Invoices go to the office"))


def ask(m, *args, env=ENV, code=0):
    return m.run("recall", "--format", "json", "--clock", CLOCK, *args, env=env, code=code)


def first(answer):
    return answer["hits"][0]["ref"].split(":", 1)[1]


def kept(m):
    return m.sql("SELECT model, count(*) FROM recall_vectors GROUP BY model ORDER BY model") \
        if m.sql("SELECT 1 FROM sqlite_schema WHERE name = 'recall_vectors'") else []


# --- as it should be -----------------------------------------------------------------------

def test_finds_what_shares_no_word(m):
    fill(m)
    # Two of 512 hashed numbers may meet by chance: the built-in vectors know of nothing here.
    assert all(abs(h["score"]) < 0.1 for h in ask(m, "which kitten", "--mode", "semantic", env={}).json()["hits"])
    with model(m) as stub:
        a = ask(m, "which kitten", "--mode", "semantic")
        assert first(a.json()) == "feline" and a.json()["vectors"] == "concepts-1/8" and a.json()["note"] is None
        assert "having concepts-1 make vectors of 4 texts" in a.err and KEY not in a.err + a.out
        assert [len(b["input"]) for b in stub.bodies] == [4, 1] and stub.bodies[1]["input"] == ["which kitten"]
        assert all(h["Authorization"] == "Bearer " + KEY for h in stub.headers)
        again = ask(m, "which kitten", "--mode", "semantic")
        assert again.json() == a.json() and again.err == "" and len(stub.bodies) == 3
        hybrid = ask(m, "vehicle").json()
        assert first(hybrid) == "auto" and abs(hybrid["hits"][0]["parts"]["semantic"] - 1) < 0.02
        m.facts(note("brolly", "Take the umbrella"), note("same", "Lunch is served downstairs"))
        ask(m, "vehicle")
        assert stub.bodies[-2]["input"] == ["Take the umbrella"], "a text is sent once, by its digest"
        assert kept(m) == [("concepts-1", 5)]
        h = m.run("health", "--format", "json", env=ENV).json()["vectors"]
        assert h == {"on": True, "why": None, "model": "concepts-1", "kept": [{"model": "concepts-1", "texts": 5, "withheld": 0}]}, h
        assert "vectors        on: concepts-1, 5 vectors" in m.run("health", env=ENV).out


def test_many_go_in_batches(m):
    m.facts(project("p05"), *[note(f"n{i}", f"Note {i} of a car" if i == 400 else f"Note {i}") for i in range(500)])

    def embeds_in_company(stub, request, body):
        stub.company(2 if 1 < len(stub.bodies) < 8 else 1)   # the first goes alone
        embeds(stub, request, body)
    with model(m, embeds_in_company, path="/v1") as stub:
        stub.url += "x"
        assert first(ask(m, "automobile", "--mode", "semantic").json()) == "n400"
        sizes = [len(b["input"]) for b in stub.bodies]
        assert sum(sizes) == 501 and max(sizes) == 64 and 1 < stub.most <= 4, (sizes, stub.most)


def test_a_foreign_store_stays_as_it_is(m):
    foreign.make(m, "theirs.db", foreign.ATOCORE)
    before = m.read("theirs.db")
    with model(m, store="theirs.db") as stub:
        a = ask(m, "small diffs", "--mode", "semantic").json()
        assert a["vectors"] == "concepts-1/8", a["note"]
        ask(m, "small diffs")
        assert m.read("theirs.db") == before and len(stub.bodies) == 3


def test_secrets_and_what_is_left_out_stay_here(m):
    fill(m)
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    m.facts(note("key", f"The token of the car is {token}"), note("private", "The cat is a secret", tags=["secret"]),
            note("gone", "The car was sold", status="invalid"), entity("Vehicle", {"plate": "ZZ 99"}, name="the car", id="car"))
    with model(m, more="publish:\n  exclude:\n    tags: [secret]\n    properties: [plate]\n") as stub:
        a = ask(m, "which kitten", "--mode", "semantic", "-k", "20").json()
        sent = json.dumps(stub.bodies)
        assert a["vectors"] == "concepts-1/8" and token not in sent and "is a secret" not in sent and "ZZ 99" not in sent and "sold" not in sent
        assert {h["ref"] for h in a["hits"] if h["parts"]["semantic"] == 0} == {"memory:key", "memory:private", "entity:car"}
        assert m.sql("SELECT count(*) FROM recall_vectors WHERE length(vector) = 0") == [(3,)]
        assert "3 texts withheld" in m.run("health", env=ENV).out
        n = len(stub.bodies)
        a = ask(m, "where is", token)
        assert a.json()["vectors"] == BUILTIN and "live secret" in a.json()["note"] and len(stub.bodies) == n and token not in a.err


def test_redaction_removes_vectors(m):
    fill(m)
    with model(m) as stub:
        ask(m, "cat")
        m.run("redact", "memory:auto", "--reason", "private", env=ENV)
        assert kept(m) == []
        ask(m, "cat")
        assert kept(m) == [("concepts-1", 3)] and "parked" not in json.dumps(stub.bodies[-2]), kept(m)


def digests(m):
    """Of the texts that the store has vectors of."""
    return {(model, bytes(d)) for model, d in m.sql("SELECT model, digest FROM recall_vectors")}


def of(name, *texts):
    return {(name, hashlib.sha256(t.encode()).digest()) for t in texts}


def test_vectors_of_texts_that_are_gone_go(m):
    fill(m)
    kept_texts = ["Two felines sleep upstairs", "Lunch is served downstairs", "Invoices go to the office"]
    with model(m, name="concepts-0"):
        ask(m, "cat")
    with model(m) as stub:
        ask(m, "cat")
        m.run("edit", "memory:auto", "--set", "content=The car was moved")
        ask(m, "cat")
        assert digests(m) == of("concepts-0", *kept_texts) | of("concepts-1", "The car was moved", *kept_texts), "of any model"
        assert [b["input"] for b in stub.bodies[2:]] == [["The car was moved"], ["cat"]]
        m.facts(note("twice", "Lunch is served downstairs"))
        m.sql("DELETE FROM memories WHERE id IN ('eat', 'tax')")
        m.run("edit", "memory:auto", "--set", "status=invalid")
        n = len(stub.bodies)
        assert ask(m, "cat").json()["vectors"] == "concepts-1/8"
        assert digests(m) == of("concepts-0", *kept_texts[:2]) | of("concepts-1", *kept_texts[:2]) and len(stub.bodies) == n + 1, "nothing was made"
        with Server(m, env=ENV) as s:
            recall(s, "cat")
            s.patch("/memory/feline", {"content": "Two cats sleep"})
            wait_until(lambda: recall(s, "cat")["vectors"] == "concepts-1/8" and digests(m) == of("concepts-0", kept_texts[1]) | of("concepts-1", "Two cats sleep", kept_texts[1]), "pruned")
            m.sql("DELETE FROM memories WHERE id = 'feline'")
            assert recall(s, "cat")["vectors"] == "concepts-1/8"
            wait_until(lambda: digests(m) == of("concepts-0", kept_texts[1]) | of("concepts-1", kept_texts[1]), "pruned, with nothing to make")


def test_redaction_while_vectors_are_made(m):
    """A model that answers after its text was redacted is not heard: the store keeps nothing that was made of it."""
    fill(m)
    asked, go = threading.Event(), threading.Event()

    def slow(stub, request, body):
        if len(body["input"]) > 1:
            asked.set()
            go.wait(HANGS)
        embeds(stub, request, body)
    with model(m, slow, timeout=30) as stub, Server(m, env=ENV) as s:
        assert recall(s, "kitten")["vectors"] == BUILTIN and asked.wait(HANGS)
        m.run("redact", "memory:auto", "--reason", "private")
        m.run("edit", "memory:tax", "--set", "content=Bills go to the office")
        assert kept(m) == []
        stub.behave = embeds
        go.set()
        wait_until(lambda: kept(m), "what was made of the other texts")
        assert digests(m) == of("concepts-1", "Two felines sleep upstairs", "Lunch is served downstairs")
        wait_until(lambda: recall(s, "kitten")["vectors"] == "concepts-1/8", "the rest")
        assert not any("automobile" in t for b in stub.bodies[1:] for t in b["input"]) and not of("concepts-1", "The automobile is parked in the yard") & digests(m)


# --- another model --------------------------------------------------------------------------

def test_two_models_are_never_mixed(m):
    fill(m)
    with model(m):
        ask(m, "cat")
    with model(m, lambda s, r, b: embeds(s, r, b, 5), name="concepts-2"):
        a = ask(m, "kitten", "--mode", "semantic")
        assert "having concepts-2 make vectors of 4 texts; the store has 4 vectors of concepts-1" in a.err, a.err
        assert a.json()["vectors"] == "concepts-2/5" and first(a.json()) == "feline"
    assert kept(m) == [("concepts-1", 4), ("concepts-2", 4)]
    m.write("mirror.yml", "store: hmirror.db\n")
    a = ask(m, "kitten")
    assert a.json()["vectors"] == BUILTIN and "recall.url is not set in mirror.yml; the store has 4 vectors of concepts-1, 4 vectors of concepts-2" in a.json()["note"]
    assert a.json()["note"] in a.err
    assert "vectors        built in: recall.url is not set in mirror.yml; the store has 4 vectors of concepts-1" in m.run("health").out


def test_a_model_that_changed_is_told(m):
    fill(m)
    with model(m):
        ask(m, "cat")
    with model(m, lambda s, r, b: embeds(s, r, b, 5)):
        a = ask(m, "cat").json()
        assert a["vectors"] == BUILTIN and "a vector of 5 numbers, where others of this model have 8" in a["note"] and "--rebuild" in a["note"]
        a = ask(m, "cat", "--rebuild")
        assert a.json()["vectors"] == "concepts-1/5"


def test_no_key(m):
    fill(m)
    with model(m) as stub:
        a = ask(m, "automobile", env={})
        assert a.json()["vectors"] == BUILTIN and "the environment has no VECTOR_KEY" in a.json()["note"] and first(a.json()) == "auto"
        assert stub.bodies == []
        assert "vectors        built in: the environment has no VECTOR_KEY" in m.run("health", env={}).out


# --- servers that misbehave ------------------------------------------------------------------

def says(body):
    return lambda stub, request, asked: reply(request, 200, body if isinstance(body, str) else json.dumps(body))


def changed(change):
    """The right answer but for what change does to its data."""
    def behave(stub, request, body):
        data = [{"index": i, "embedding": vector(t)} for i, t in enumerate(body["input"])]
        reply(request, 200, json.dumps({"data": change(data)}))
    return behave


def with_vector(v):
    return changed(lambda d: d[:-1] + [{"index": len(d) - 1, "embedding": v}])


def late(stub, request, body):
    stub.ended.wait(HANGS)


def slowly(stub, request, body):
    request.send_response(200)
    request.end_headers()
    while not stub.ended.wait(0.2):
        request.wfile.write(b" ")


def status(code, headers=()):
    return lambda stub, request, body: reply(request, code, KEY + " said: " + json.dumps(body), headers)


ODD = {
    "no JSON": (says("<html>"), "no JSON"),
    "NaN": (says('{"data": [{"index": 0, "embedding": [NaN, 1]}]}'), "no JSON"),
    "text for a number": (with_vector([1] * 7 + ["x"]), "no number"),
    "infinite": (lambda s, r, b: reply(r, 200, json.dumps({"data": [{"index": i, "embedding": [1, 2]} for i in range(len(b["input"]))]})
                                       .replace("2]", "1e999]")), "no number"),
    "null": (with_vector([1.0] * 7 + [None]), "no number"),
    "text for a vector": (with_vector("AAAA"), "no array of numbers"),
    "empty vector": (with_vector([]), "no array of numbers"),
    "zeros": (with_vector([0] * 8), "nothing but zeros"),
    "another length": (with_vector([1.0] * 7), "7 numbers, where others of this model have 8"),
    "too long": (with_vector([1.0] * 8193), "more than 8192"),
    "missing items": (changed(lambda d: d[:-1]), "3 vectors for 4 texts"),
    "too many items": (changed(lambda d: d + d[:1]), "5 vectors for 4 texts"),
    "index twice": (changed(lambda d: [{**x, "index": 0} for x in d]), "twice"),
    "index beyond": (changed(lambda d: [{**x, "index": x["index"] + 1} for x in d]), "not asked for"),
    "index no number": (changed(lambda d: [{**x, "index": "0"} for x in d]), "not asked for"),
    "no data": (says({"error": {"message": "no"}}), "no array under data"),
    "data no array": (says({"data": {}}), "no array under data"),
    "elements no objects": (says({"data": [1, 2, 3, 4]}), "no array of numbers"),
    "401": (status(401), "refuses the key (status 401)"),
    "404": (status(404), "knows no such address"),
    "429": (status(429, [("Retry-After", "1")]), "takes no more requests now (status 429)"),
    "500": (status(500), "has failed (status 500)"),
    "204": (status(204), "made no vectors"),
    "redirect": (status(307, [("Location", "http://127.0.0.1:9/")]), "a redirect"),
    "late": (late, "no complete answer in 1 seconds"),
    "slowly": (slowly, "no complete answer in 1 seconds"),
    "closed": (lambda s, r, b: r.connection.shutdown(socket.SHUT_RDWR), ""),
}


def test_servers_that_misbehave(m):
    """Each leaves the built-in vectors, a message and no vector behind; then a good one answers."""
    fill(m)
    builtin = ask(m, "automobile", env={}).json()
    for name, (behave, why) in ODD.items():
        with model(m, behave, timeout=1):
            a = ask(m, "automobile")
            got = a.json()
            assert got["vectors"] == BUILTIN and got["hits"] == builtin["hits"], name
            assert got["note"].startswith("answered by the built-in vectors: ") and why in got["note"] and got["note"] in a.err, (name, got["note"])
            assert KEY not in a.err + a.out and "Traceback" not in a.err, name
            assert kept(m) == [], name
    with model(m):
        assert ask(m, "automobile").json()["vectors"] == "concepts-1/8"


def test_questions_that_fail(m):
    """The rows have vectors, the question gets none."""
    fill(m)
    with model(m):
        ask(m, "cat")
    for name, (behave, why) in ODD.items():
        if name in ("missing items", "too many items", "index twice", "late", "slowly"):
            continue
        with model(m, behave, timeout=1):
            got = ask(m, "automobile").json()
            assert got["vectors"] == BUILTIN and got["note"] and first(got) == "auto", name
    assert kept(m) == [("concepts-1", 4)]
    m.write("mirror.yml", "store: hmirror.db\nrecall:\n  url: http://127.0.0.1:9/v1\n  model: concepts-1\n  key_env: VECTOR_KEY\n")
    m.trust()
    got = ask(m, "automobile").json()
    assert got["vectors"] == BUILTIN and "see that the server runs" in got["note"]


def test_what_was_made_is_kept(m):
    """The third request fails: what the first two gave stays, and nothing is answered by half."""
    m.facts(project("p05"), *[note(f"n{i:03}", f"Note {i} of a car") for i in range(150)])

    def behave(stub, request, body):
        return status(500)(stub, request, body) if "Note 140 of a car" in body["input"] else embeds(stub, request, body)
    with model(m, behave):
        got = ask(m, "vehicle").json()
        assert got["vectors"] == BUILTIN and "has failed" in got["note"]
        n = kept(m)[0][1]
        assert n == 128, n
    with model(m) as stub:
        assert ask(m, "vehicle").json()["vectors"] == "concepts-1/8"
        assert sum(len(b["input"]) for b in stub.bodies) == 150 - n + 1


def test_a_damaged_vector_is_made_anew(m):
    fill(m)
    with model(m) as stub:
        good = ask(m, "kitten").json()
        m.sql("UPDATE recall_vectors SET vector = x'8001' WHERE digest = (SELECT max(digest) FROM recall_vectors)")
        assert ask(m, "kitten").json() == good and [len(b["input"]) for b in stub.bodies] == [4, 1, 1, 1]


# --- a running server --------------------------------------------------------------------------

def recall(s, query):
    return s.get(f"/recall?query={query}&mode=semantic&clock={CLOCK}").json()


def test_http(m):
    fill(m)
    with model(m) as stub, Server(m, env=ENV) as s:
        a = recall(s, "kitten")
        assert a["vectors"] == BUILTIN and "those of concepts-1 are being made, 4 texts to go" in a["note"], a
        wait_until(lambda: recall(s, "kitten")["vectors"] == "concepts-1/8", "vectors of the model")
        assert recall(s, "kitten") == ask(m, "kitten", "--mode", "semantic").json()
        s.post("/memory", {"memory_type": "knowledge", "project": "p05", "content": "An umbrella in the hall"}, 201)
        assert recall(s, "rain")["vectors"] == BUILTIN
        wait_until(lambda: recall(s, "rain")["vectors"] == "concepts-1/8", "the vector of the new row")
        assert recall(s, "rain")["hits"][0]["text"] == "An umbrella in the hall"
        stub.behave = status(500)
        a = recall(s, "wet")
        assert a["vectors"] == BUILTIN and "has failed" in a["note"]
        n = len(stub.bodies)
        assert "has failed" in recall(s, "wet")["note"] and len(stub.bodies) == n, "nobody is asked for a while"


def test_mcp(m):
    """An agent's questions are compared as those over HTTP, and health says by what."""
    fill(m)
    m.env |= ENV
    with model(m) as stub, Agent(m) as a:
        ask_it = lambda: a.call("recall", query="kitten", mode="semantic", clock=CLOCK)
        assert ask_it()["vectors"] == BUILTIN
        wait_until(lambda: ask_it()["vectors"] == "concepts-1/8", "vectors of the model")
        assert ask_it() == ask(m, "kitten", "--mode", "semantic").json()
        assert a.call("health")["vectors"] == {"on": True, "why": None, "model": "concepts-1", "kept": [{"model": "concepts-1", "texts": 4, "withheld": 0}]}
        assert KEY not in json.dumps(stub.bodies)
    del m.env["VECTOR_KEY"]
    with Agent(m) as a:
        v = a.call("health")["vectors"]
        assert not v["on"] and "VECTOR_KEY" in v["why"] and v["kept"][0]["texts"] == 4, v
        assert "VECTOR_KEY" in a.call("recall", query="kitten")["note"]


def test_http_ends_while_it_asks(m):
    fill(m)
    with model(m, late, timeout=2 * HANGS), Server(m, env=ENV) as s:
        assert recall(s, "kitten")["vectors"] == BUILTIN


if __name__ == "__main__":
    main(globals())
