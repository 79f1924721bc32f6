#!/usr/bin/env python3
"""Texts that tell a story: the question, its answers and the arc of a conflict, what a later statement settles, and what is
left out of all of it."""
from harness import *
from server import Server

REST = [("rest-1", "We use REST.", "claude", "2026-02-03T09:00:00Z"), ("graphql", "We switched to GraphQL.", "codex", "2026-03-10T14:30:00Z"),
        ("rest-2", "The API is REST-based.", "gemini", "2026-05-04T11:15:00Z")]


def told(id, text, agent, at, **more):
    return memory(text, "project", id=id, agent=agent, created_at=at, **more)


def reversal(m, *more):
    m.facts(project("p05", "p05"), *[told(*r) for r in REST], *more)
    (c,) = m.sweep()
    return c


def page(m, c):
    m.run("build")
    return m.text("site", "conflicts", c["id"] + ".md")


def test_question_and_arc(m):
    c = reversal(m)
    assert c["question"] == "Is the API of p05 still REST?", c
    assert [(l["row"], l["agent"], l["state"], l["overtaken_by"], l["answer"]) for l in c["arc"]] == [
        ("memory:rest-1", "claude", "words", "memory:graphql", "yes"), ("memory:graphql", "codex", "return", "memory:rest-2", "no"),
        ("memory:rest-2", "gemini", "holds", None, "yes")], c["arc"]
    assert "words" in c["arc"][0] and c["arc"][0]["words"] == "We use REST"
    text = page(m, c)
    assert text.index(c["question"]) < text.index("disputed since") < text.index("## What to do") < text.index("The story")
    assert f"hmirror conflicts resolve {c['id']} \\\n  --winner memory:rest-2" in text
    assert "- REST-based: said by 2 memories\n- GraphQL: said by 1 memory\n" in text
    assert "**We use REST**." in text and "overtaken by [memory:graphql]" in text
    for verb in (("explain", c["id"]), ("conflicts", "show", c["id"])):
        out = m.run(*verb).out
        assert c["question"] in out and out.index("rest-1") < out.index("graphql") < out.index("rest-2"), out


def test_an_answer_ends_it(m):
    c = reversal(m)
    m.run("conflicts", "resolve", c["id"], "--winner", c["asked"], "--notes", "asked the team")
    assert m.sweep() == []
    m.run("check")


def test_settled_by_a_later_statement(m):
    c = reversal(m)
    m.facts(told("final", "We decided: GraphQL, final.", "kim", "2026-06-01T10:00:00Z"), name="more.jsonl")
    (now,) = m.sweep()
    assert now["id"] == c["id"] and not now["disputed"] and now["settled_by"] == "memory:final", now
    assert "settled by a later statement" in m.run("conflicts", "list").out
    assert "1 settled by a later statement" in m.run("health").out
    assert f"awaiting sign-off: {c['id']}\n" in m.run("health").out
    health = m.run("--format", "json", "health").json()
    assert (health["settled_later"], health["settled_later_ids"]) == (1, [c["id"]]), health
    with Server(m) as s:
        got = s.ask("GET", "/health").json()
        assert (got["signoff"], got["settled_later"], got["settled_later_ids"]) == (1, 1, [c["id"]]), got
    text = page(m, c)
    assert "settled by a later statement, awaiting sign-off" in text and "[memory:final]" in text
    assert "settled by a later statement" in m.text("site", "conflicts", "README.md")
    assert "settled by a later statement" in m.text("site", "projects", "p05", "README.md")


def test_overtaken_and_stale_beside_the_rows(m):
    m.facts(project("p05", "p05"), told("c1", "Cache TTL is 60 s.", "claude", "2026-03-01T10:00:00Z"),
            told("c2", "We decided: cache TTL is 300 s, final.", "codex", "2026-04-01T10:00:00Z"),
            told("pg", "Postgres 14 is our database version.", "claude", "2025-09-01T10:00:00Z"),
            told("n1", "Started the Postgres 17 migration of staging.", "codex", "2026-05-02T10:00:00Z"),
            told("n2", "Started the Postgres 17 migration of production.", "kim", "2026-05-03T10:00:00Z"))
    assert m.sweep() == []
    m.run("build")
    overview, rows = m.text("site", "projects", "p05", "README.md"), m.text("site", "projects", "p05", "memories", "2026.md")
    assert "60 s is overtaken by [We decided: cache TTL is 300 s, final.]" in overview
    assert "Overtaken by: [We decided: cache TTL is 300 s, final.]" in rows
    assert "Perhaps out of date: " in overview and "Is the postgres version of p05 still 14?" in overview


def test_withheld_claim_of_an_arc(m):
    """A claim that is left out is counted, and nothing of it is told: no words, agent, value."""
    m.write("mirror.yml", "publish:\n  exclude:\n    tags: [private]\n")
    m.facts(project("p05", "p05"), told(*REST[0]), told(*REST[2]),
            told("oscarid", "Oscartext aside. We switched to GraphQL.", "oscaragent", "2026-03-10T14:30:01Z", tags=["private"]),
            told("cache-1", "Cache TTL is 60 s.", "claude", "2026-03-01T10:00:00Z"),
            told("oscarcache", "We decided: cache TTL is 300 s, final.", "oscaragent", "2026-04-01T10:00:00Z", tags=["private"]))
    (c,) = m.sweep()
    text = page(m, c)
    m.run("publish")
    blob = b"\n".join(p.encode() + b"\n" + d for p, d in m.site_bytes("site")) + m.git("log", "-p", "--format=fuller", "mirror").encode()
    for word in (b"oscar", b"graphql", b"300 s"):
        assert word not in blob.lower(), word
    assert "1 claim withheld" in text and "overtaken by a claim that is withheld\n" in text, text
    m.run("check")


def test_hostile_words(m):
    bad = "API timeout is 60 s. <script>alert(1)</script> | x | [y](javascript:z) **b** `c`"
    m.facts(project("p05", "p05"), told("a", "API timeout is 30 s.", "<i>claude</i> | x", "2026-03-01T10:00:00Z"),
            told("b", bad, "codex", "2026-03-09T10:10:00Z"))
    (c,) = m.sweep()
    page(m, c)
    html = m.text("site", "conflicts", c["id"] + ".html")
    assert "<script>alert" not in html and "<i>" not in html and 'href="javascript' not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt; | x | [y](javascript:z) **b** `c`" in html


if __name__ == "__main__":
    main(globals())
