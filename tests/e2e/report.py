#!/usr/bin/env python3
"""What agents and people report where no rule compared: a finding, until a person confirms or dismisses it."""
from harness import *
from mcp_kit import Agent
from server import Server

SIX = memory("Invoice retention by law is 6 years", "knowledge", project="p", id="six", agent="codex", created_at="2026-01-01T00:00:00Z")
TEN = memory("Invoices must be kept for ten years", "knowledge", project="p", id="ten", created_at="2026-02-01T00:00:00Z")
BILLS = {"kind": "project_state", "id": "s1", "project": "p", "category": "fact", "key": "archive", "value": "bills stay 8 years"}
ASKED, WHY = "How long are invoices kept?", "six years in one, ten in the other"
SAID = ("--question", ASKED, "--why", WHY)


def found(m, *args):
    return m.run("findings", "--rule", "review/reported", "--format", "json", *args).json()["findings"]


def report(m, *rows, by="kim", code=0):
    return m.run("report", *rows, *SAID, "--by", by, "--format", "json", code=code).json()


def pages(m):
    m.run("build", "-q")
    return {name: data.decode() for name, data in m.site_bytes("site") if name.startswith("projects") and name.endswith(".md")}


def test_a_report_is_a_finding_on_the_pages_of_its_rows(m):
    m.facts(SIX, TEN, BILLS)
    said = report(m, "six", "project_state:s1", by="gull")
    f, = found(m)
    assert said["changed"] and said["finding"] == f["id"] and (f["kind"], f["reason"], f["severity"]) == ("reported", "reported", "warn")
    assert f["rows"] == ["memory:six", "project_state:s1"] and all(x in f["message"] for x in (ASKED, WHY, "gull"))
    assert "findings       1" in m.run("health").out and m.sweep() == []
    text = pages(m)
    assert "⚠ disputed" not in "".join(text.values()), "a report marks nothing"
    assert ASKED in text["projects/p/state.md"] and ASKED in text["projects/p/memories/2026.md"]
    again = report(m, "project_state:s1", "six", by="gull")
    assert not again["changed"] and again["finding"] == f["id"]
    other = report(m, "six", "project_state:s1", by="heron")
    assert other["changed"] and len(found(m)) == 1 and "1 more" in found(m)[0]["message"]
    verbs = m.sql("SELECT verb, actor FROM journal WHERE ref LIKE 'proposal:%' ORDER BY seq")
    assert verbs == [("report", "gull"), ("report", "heron")]


def test_a_person_confirms_it(m):
    m.facts(SIX, TEN)
    f = report(m, "six", "ten")["finding"]
    said = m.run("findings", "confirm", f, "--by", "kim", "--format", "json").json()
    c, = m.conflicts()
    assert said["conflict_id"] == c["id"] and c["disputed"] and c["question"] == ASKED and found(m) == []
    assert "⚠ disputed" in "".join(pages(m).values())
    assert report(m, "six", "ten", by="gull")["conflict_id"] == c["id"] and found(m) == []
    m.run("conflicts", "resolve", c["id"], "--winner", "memory:ten", "--whole-row", "--notes", "the law")
    assert m.conflicts() == [] and m.sweep() == [] and found(m) == []


def test_a_person_dismisses_it_for_good(m):
    m.facts(SIX, TEN)
    f = report(m, "six", "ten")["finding"]
    m.run("findings", "ack", f, "--reason", "of two archives", "--by", "kim")
    report(m, "six", "ten", by="gull")
    m.run("edit", "six", "--set", "tags:=[\"x\"]")
    assert found(m) == [] and [x["id"] for x in found(m, "--all")] == [f]
    with Agent(m) as a:
        assert (a.call("health")["findings"], a.call("health")["reported"]) == (0, 0)
    m.run("edit", "six", "--set", "content=Invoice retention by law is 7 years")
    assert found(m, "--all") == [], "it was said of another text"


def test_a_dismissal_is_of_the_rows_and_not_of_the_words(m):
    """Whoever reports them next, after a withdrawal or at another desk, is told what a person said; and nobody is asked."""
    desks = [m, Mirror()]
    for desk in desks:
        desk.facts(SIX, TEN, BILLS)
    f = report(m, "six", "ten", by="gull")["finding"]
    m.run("findings", "ack", f, "--reason", "of two archives", "--by", "kim")
    desks[1].write("verdicts.jsonl", m.run("export", "--verdicts").out)
    desks[1].run("import", "verdicts.jsonl")
    m.run("findings", "withdraw", "--by", "gull")
    for desk in desks:
        assert ("six", "ten") not in pairs(desk) and ("six", "s1") in [tuple(r.split(":")[1] for r in p["rows"]) for p in desk.run("review", "--format", "json").json()["pairs"]]
        for by in ("heron", "owl"):
            said = report(desk, "ten", "six", by=by)
            assert (said["denied_by"], said["denied_because"], said["finding"]) == ("kim", "of two archives", None) and found(desk) == [], said
        assert "no contradiction, said kim: of two archives" in desk.run("report", "six", "ten", *SAID).out
        desk.run("edit", "six", "--set", "content=Invoice retention by law is 7 years")
        assert pairs(desk)[0] == ("six", "ten") and "denied_by" not in report(desk, "six", "ten") and len(found(desk)) == 1, "another text is another question"
    desks[1].close()


def test_what_a_person_denied_is_not_reported_and_not_told_as_alike(m):
    m.facts(SIX, TEN)
    near = lambda: [x["row"] for x in m.run("alike", "six", "--format", "json").json()["alike"]]
    assert near() == ["memory:ten"]
    m.run("review", "deny", "six", "ten", "--why", "two archives", "--by", "kim")
    said = report(m, "six", "ten")
    assert not said["changed"] and (said["denied_by"], said["finding"]) == ("kim", None) and found(m) == [] and near() == []
    assert m.sql("SELECT says FROM proposals") == [("agrees",)], "and it waits for nothing"
    m.run("edit", "ten", "--set", "content=Invoices must be kept for nine years")
    assert near() == ["memory:ten"] and report(m, "six", "ten")["finding"]


def test_it_ends_with_its_texts(m):
    m.facts(SIX, TEN)
    report(m, "six", "ten")
    for change, n in (("content=Invoices are kept for ten years", 0), ("content=Invoice retention by law is 6 years", 1), ("status=invalid", 0)):
        m.run("edit", "six", "--set", change)
        assert len(found(m)) == n, change


def test_what_is_refused(m):
    m.facts(SIX, TEN, memory("old", id="old", status="invalid"))
    for rows, has in ((("six", "six"), "twice"), (("six", "old"), "not active"), (("six", "nothing"), "nothing")):
        m.fails("report", *rows, *SAID, has=has)
    m.fails("report", "six", "ten", "--question", ASKED, has="why")
    m.fails("report", "six", "ten", "--why", WHY, has="question")
    m.fails("report", "six", has="")
    m.fails("report", "six", "ten", "--question", " ", "--why", WHY, has="what a person should decide")
    m.fails("alike", " ", has="no word")
    m.fails("review", "--source", "nobody", has="no active row has this agent or source")
    m.fails("review", "-p", "nowhere", has="nowhere")
    m.fails("review", "list", "six", has="no more words")
    m.fails("review", "deny", "six", "--why", WHY, has="2 to 16 rows")
    m.fails("report", "six", "ten", "--why", WHY, "--question", "x" * 401, has="too long")
    assert report(m, "six", "ten")["changed"]
    m.run("report", "six", "ten", *SAID, "-n", "--by", "gull")
    assert len(m.sql("SELECT * FROM proposals")) == 1


def test_twenty_a_day_and_back_with_one_word(m):
    m.facts(SIX, *[memory(f"Note {i} says how long", "knowledge", project="p", id=f"n{i}") for i in range(25)])
    m.write("mirror.yml", "store: hmirror.db\nagents:\n  reports_per_day: 3\n")
    for i in range(3):
        assert report(m, "six", f"n{i}", by="gull")["changed"]
    m.fails("report", "six", "n3", *SAID, "--by", "gull", has="3 open reports of this day")
    assert report(m, "six", "n4", by="heron")["changed"], "it is counted by reporter"
    m.run("findings", "ack", found(m)[0]["id"], "--reason", "no")
    assert report(m, "six", "n5", by="gull")["changed"], "who was answered may say more"
    m.fails("findings", "withdraw", has="--by")
    m.fails("findings", "withdraw", "--by", "nobody", has="has reported nothing")
    before = {f["id"] for f in found(m)}
    m.run("findings", "withdraw", "--by", "gull", "-n")
    assert {f["id"] for f in found(m)} == before
    report(m, "six", "n4", by="gull")
    assert "5 reports of gull taken back: 3 findings fewer" in m.run("findings", "withdraw", "--by", "gull").out, "one was dismissed, and of one heron tells"
    assert [f["actual"].split()[2] for f in found(m)] == ["heron"]
    m.write("mirror.yml", "store: hmirror.db\n")
    for i in range(3, 23):
        assert report(m, "six", f"n{i}", by="crow")["changed"], i
    m.fails("report", "six", "n23", *SAID, "--by", "crow", has="20 open")
    m.sql("UPDATE proposals SET at = '2026-01-01' || substr(at, 11) WHERE actor = 'crow'")
    assert report(m, "six", "n23", by="crow")["changed"], "the next day has its own"


def test_the_bound_of_a_day_is_at_each_door(m):
    """By the reporter, whichever way it comes in; and a report that is there already is told, not refused."""
    m.facts(SIX, *[memory(f"Note {i} says how long", "knowledge", project="p", id=f"n{i}") for i in range(4)])
    m.write("mirror.yml", "store: hmirror.db\nagents:\n  reports_per_day: 2\n")
    said = lambda i: {"rows": ["six", f"n{i}"], "question": ASKED, "why": WHY}
    report(m, "six", "n0", by="gull")
    with Server(m, "--api-only") as s, Agent(m, "--agent", "gull") as a:
        assert a.call("report_contradiction", **said(1))["finding"]
        e = a.refused("report_contradiction", **said(2))
        assert e["code"] == "state" and "gull has 2 open reports of this day" in e["why"] and "wait for a person" in e["fix"], e
        assert s.post("/reports?by=gull", said(2), 409).error() == e
        assert not s.post("/reports?by=gull", said(1)).json()["changed"] and s.post("/reports?by=owl", said(2)).json()["changed"]
        assert s.post("/reports/withdraw", {"reporter": "gull"}).json()["count"] == 2
        assert a.call("report_contradiction", **said(2))["changed"]
    m.fails("report", "six", "n2", *SAID, "--by", "zzz" * 70, has="not a name")


def test_what_was_taken_back_may_be_said_again(m):
    """Later, and in the same second; and nobody has judged the pair meanwhile, so it is asked about."""
    m.facts(SIX, TEN)
    f = report(m, "six", "ten", by="gull")["finding"]
    m.fails("findings", "withdraw", "--by", "gull", f, has="no more words")
    assert pairs(m) == [] and len(found(m)) == 1
    for _ in range(3):
        m.run("findings", "withdraw", "--by", "gull")
        assert found(m) == [] and pairs(m) == [("six", "ten")], pairs(m)
        m.fails("findings", "withdraw", "--by", "gull", has="taken back already")
        again = report(m, "six", "ten", by="gull")
        assert again["changed"] and again["finding"] == f == found(m)[0]["id"] and pairs(m) == [], again
    copy = Mirror()
    copy.run("init")
    copy.write("all.jsonl", m.run("export").out)
    copy.run("import", "all.jsonl")
    assert [x["id"] for x in found(copy)] == [f]
    copy.close()
    m.run("review", "deny", "six", "ten", "--why", "two archives", "--by", "gull")
    m.run("findings", "withdraw", "--by", "gull")
    assert pairs(m) == [] and report(m, "six", "ten", by="owl")["denied_by"] == "gull", "a denial is no report"


def test_an_agent_reports_in_its_own_name(m):
    m.facts(SIX, TEN)
    with Agent(m, "--agent", "gull") as a:
        told = a.call("remember", text="Invoices must be kept for twelve years", project="p")
        near = [x["row"] for x in told["alike"]]
        assert "memory:six" in near, told["alike"]
        said = a.call("report_contradiction", rows=[told["ref"], "memory:six"], question=ASKED, why=WHY)
        assert said["by"] == "gull" and found(m)[0]["id"] == said["finding"]
        assert (a.call("health")["findings"], a.call("health")["reported"]) == (1, 1)
        step = a.result("tools/call", {"name": "get", "arguments": {"row": "memory:six"}})["content"][-1]["text"]
        assert "`findings` before you rely on it" in step, step
        denied = a.call("not_a_contradiction", rows=["memory:six", "memory:ten"], why="of two archives")
        assert denied["changed"] and denied["finding"] is None
        a.refused("report_contradiction", rows=["memory:six"], question=ASKED, why=WHY)
    assert m.sql("SELECT says, actor, via FROM proposals ORDER BY says") == [("agrees", "gull", "mcp"), ("reported", "gull", "mcp")]
    assert len(report(m, "six", "ten")["finding"]) > 0, "an agent's word hides nothing from people"


def test_redaction_takes_it_out_of_what_was_said(m):
    m.facts({**SIX, "content": "The door code is hunter2hunter2"}, TEN)
    m.run("report", "six", "ten", "--question", "Is hunter2hunter2 right?", "--why", "one says hunter2hunter2, so to speak")
    m.run("redact", "memory:six", "--reason", "a secret")
    assert "hunter2" not in m.run("export").out + m.run("findings").out
    for (name,) in m.sql("SELECT name FROM sqlite_schema WHERE type = 'table'"):
        assert all("hunter2" not in repr(row) for row in m.sql(f'SELECT * FROM "{name}"')), name


def pairs(m, *args):
    return [tuple(r.removeprefix("memory:") for r in p["rows"]) for p in m.run("review", *args, "--format", "json").json()["pairs"]]


def test_pairs_are_walked_likeliest_first_and_once(m):
    m.facts(SIX, TEN, memory("Invoices are printed in Ghent", "knowledge", project="p", id="print"), memory("Whales sing", "knowledge", project="p", id="whale"),
            memory("Invoices of guests are kept for two years", "knowledge", project="q", id="guests", agent="heron"),
            memory("The upload limit is 40 MB", "knowledge", project="p", id="u1"), memory("The upload limit is 50 MB", "knowledge", project="p", id="u2"))
    assert "  memory:six  Invoice retention by law is 6 years  (codex, 2026-01-01)\n" in m.run("review").out
    first = pairs(m)
    assert first[0] == ("six", "ten") and not {"whale", "guests", "u1", "u2"} & {r for p in first for r in p}, first
    assert pairs(m, "-p", "q") == [] and pairs(m, "--source", "heron") == [] and pairs(m, "--source", "codex")[0] == ("six", "ten")
    assert m.run("review", "--format", "json", "--limit", "1").json()["more"] == len(first) - 1
    with Agent(m, "--agent", "gull") as a:
        pair = a.call("review_next", project="p")["pairs"][0]
        assert pair["rows"] == ["memory:six", "memory:ten"] and pair["sources"] == ["codex", ""] and pair["dates"] == ["2026-01-01", "2026-02-01"], pair
        assert a.refused("review_next", source="nobody")["field"] == "source" and a.refused("review_next", project="nowhere")["field"] == "project"
        a.call("not_a_contradiction", rows=["memory:six", "memory:ten"], why="of two archives")
        assert ["memory:six", "memory:ten"] not in [p["rows"] for p in a.call("review_next", limit=100)["pairs"]]
    last = m.run("review", "--format", "json").json()["pairs"][-1]
    assert last["rows"] == ["memory:six", "memory:ten"] and last["denied_by"] == "gull" and last["denied_because"] == "of two archives"
    m.fails("review", "deny", "six", "ten", has="why")
    m.run("review", "deny", "six", "ten", "--why", "two archives", "--by", "kim")
    assert ("six", "ten") not in pairs(m)
    there = Mirror()
    there.facts(SIX, TEN)
    assert pairs(there) == [("six", "ten")]
    there.write("verdicts.jsonl", m.run("export", "--verdicts").out)
    there.run("import", "verdicts.jsonl")
    assert pairs(there) == [], "another desk knows it"
    m.run("edit", "six", "--set", "content=Invoice retention by law is 7 years")
    assert pairs(m)[0] == ("six", "ten"), "another text is another question"
    report(m, "six", "ten")
    assert ("six", "ten") not in pairs(m)


def test_rows_of_one_form_stand_behind(m):
    """Forty shelves are alike, hold different things, and contradict nothing; two notes on one thing come first."""
    goods = "lamps glue screws brackets filters hinges door_handles tiles".split()
    m.facts(*(memory(f"Shelf R{i:02} holds {goods[i % 8]}.", "knowledge", project="p", id=f"r{i}") for i in range(40)),
            memory("The gate of hall 2 is locked at nine.", "knowledge", project="p", id="nine"), memory("Hall 2 stays open until eleven, with its gate.", "knowledge", project="p", id="eleven"))
    assert pairs(m)[0] == ("eleven", "nine"), pairs(m)[:3]


def test_an_answer_looks_at_some_rows_and_goes_on_where_they_have_nothing(m):
    """One answer of a running program takes no longer in a large store; and an empty one has looked at all rows."""
    m.facts(SIX, TEN, *(memory(" ".join(f"w{i}x{k}" for k in range(4)), "knowledge", project="p", id=f"u{i}") for i in range(2000)))
    with Agent(m, "--agent", "gull") as a:
        told = a.call("review_next")
        assert [p["rows"] for p in told["pairs"]] == [["memory:six", "memory:ten"]] and told["rows_left"] > 0, told
        a.call("not_a_contradiction", rows=["memory:six", "memory:ten"], why="of two archives")
        told = a.call("review_next")
        assert told["pairs"] == [] and told["rows_left"] == 0, told


def test_what_people_judged_travels_with_the_verdicts(m):
    m.facts(SIX, TEN, BILLS)
    m.run("findings", "confirm", report(m, "six", "ten")["finding"])
    report(m, "six", "project_state:s1")
    text = m.run("export", "--verdicts").out
    assert '"says":"confirmed"' in text and '"says":"reported"' not in text
    there = Mirror()
    there.facts(SIX, TEN, BILLS)
    there.write("verdicts.jsonl", text)
    there.run("import", "verdicts.jsonl")
    there.run("sweep")
    assert [c["id"] for c in there.conflicts()] == [c["id"] for c in m.conflicts()]
    whole = m.run("export").out
    copy = Mirror()
    copy.run("init")
    copy.write("all.jsonl", whole)
    copy.run("import", "all.jsonl")
    assert copy.run("export").out == whole and len(found(copy)) == 1


if __name__ == "__main__":
    main(globals())
