"""What agents get for a task: the facts within a budget of tokens, disputed ones with their sides; and the order of hits."""
import json

from harness import *
from mcp_kit import Agent
from server import Server

CLOCK = "2026-03-01T00:00:00Z"
HOSTS = "which host copies the archive to a shelf"


def archive(m):
    """A curated state, a memory that contradicts it in the words of the question, and others."""
    m.facts(project("p05"), state("backup_retention", "90 days", id="s1", created_at="2026-01-05T00:00:00Z"),
            memory("The backup retention is 30 days", id="m1", created_at="2026-02-20T00:00:00Z"),
            *(memory(f"Backup host {n} copies the archive to shelf {n}, " + "with a long description of the way " * 4, id=f"h{n}",
                     created_at="2026-01-01T00:00:00Z") for n in range(12)))
    assert [c["disputed"] for c in m.sweep()] == [True]


def recall(m, *words):
    return m.run("recall", "-q", "--format", "json", "--clock", CLOCK, *words).json()


def test_a_flagged_memory_stands_behind_the_state_that_it_contradicts(m):
    archive(m)
    for question in ("the backup retention is 30 days", "backup retention", "is the backup retention 90 days"):
        got = recall(m, question, "-k", "20")
        order = [h["ref"] for h in got["hits"]]
        assert order.index("project_state:s1") < order.index("memory:m1"), (question, order)
    by_score = {h["ref"]: h["score"] for h in recall(m, "the backup retention is 30 days", "-k", "20")["hits"]}
    assert by_score["memory:m1"] > by_score["project_state:s1"], "by its words alone it would be first"
    hit, = [h for h in got["hits"] if h["ref"] == "memory:m1"]
    assert any("90 days" in json.dumps(d) for d in hit["disputes"]), hit


# Which row contradicts which, the one of higher trust first; two relations and two memories are of one trust.
SIDES = [("project_state:pressure", "memory:pressure"), ("project_state:pressure", "entity:pump"), ("entity:pump", "memory:pressure"),
         ("project_state:support", "entity:support"), ("entity:support", "memory:support"), ("relation:brass", "relation:steel"), ("memory:short", "memory:long")]
EQUAL = ("relation:brass", "memory:short")
TOLD = {"project_state:pressure": "8 bar", "entity:pump": "6 bar", "memory:pressure": "7 bar", "project_state:support": "GF-PTFE", "entity:support": "PEEK",
        "memory:support": "PTFE", "relation:brass": "brass", "relation:steel": "steel", "memory:short": "30 s", "memory:long": "60 s"}


def test_each_layer_stands_behind_what_outdoes_it_and_tells_the_other_side(m):
    """By words alone the row that is asked for would be first. So it is at each door."""
    uses = [{"kind": "relation", "id": x, "type": "USES_MATERIAL", "from": "pump", "to": x, "project": "p05"} for x in ("brass", "steel")]
    m.facts(project("p05"), entity("Component", {"pressure": "6 bar"}, "Feed pump", id="pump"), *(entity("Material", {}, x, id=x) for x in ("brass", "steel")), *uses,
            state("feed_pump_pressure", "8 bar", id="pressure"), memory("The pressure of the Feed pump is 7 bar.", id="pressure"),
            decision("PEEK", id="support"), state("lateral_support_material", "GF-PTFE", id="support"), memory("The lateral support material is PTFE.", id="support"),
            memory("The API timeout is 30 s.", id="short"), memory("The API timeout is 60 s.", id="long"))
    m.sweep()
    with Server(m) as s, Agent(m) as a:
        for question in ("the pressure of the feed pump is 7 bar", "feed pump 6 bar", "the lateral support material is PTFE", "lateral support material PEEK",
                         "the feed pump uses material steel", "the feed pump uses material brass", "the API timeout is 60 s"):
            got = recall(m, question, "-k", "20")
            hits = {h["ref"]: h for h in got["hits"]}
            order = list(hits)
            assert len(hits) > 1 and s.get("/recall?k=20&clock=" + CLOCK + "&query=" + question.replace(" ", "+")).json()["hits"] == got["hits"], question
            assert [h["ref"] for h in a.call("recall", query=question, k=20, clock=CLOCK)["hits"]] == order, question
            for higher, lower in SIDES:
                if higher not in hits or lower not in hits:
                    continue
                assert higher in EQUAL or order.index(higher) < order.index(lower), (question, order)
                for own, other in ((higher, lower), (lower, higher)):
                    said = {o["row"]: o["value"] for d in hits[own]["disputes"] for o in d["others"]}
                    assert hits[own]["disputed"] and said.get(other) == TOLD[other], (own, said)
        for own, other in [x for pair in SIDES for x in (pair, pair[::-1])]:
            question = " ".join(TOLD[x] for x in (own, other)) + " feed pump material lateral support API timeout pressure"
            seen = [{h["ref"]: h for h in hits} for hits in (recall(m, question, "-k", "20", "--any")["hits"], a.call("recall", query=question, k=20, any=True)["hits"],
                                                             s.get("/recall?k=20&any=true&query=" + question.replace(" ", "+")).json()["hits"])]
            for hits in seen:
                assert TOLD[other] in json.dumps([o for d in hits[own]["disputes"] for o in d["others"]]), (own, other)


def test_context_within_a_budget_of_tokens(m):
    archive(m)
    lines = m.run("context", "plan the backup retention", "--tokens", "120").out.splitlines()
    assert lines[0].startswith("- backup_retention: 90 days (project_state:s1, 2026-01-05) DISPUTED, c") and 'memory:m1 says "30 days"' in lines[0], lines
    assert not any("(memory:m1" in x for x in lines)
    every = m.run("context", HOSTS, "--tokens", "8000").out.splitlines()
    assert len(every) == 12 and m.run("context", HOSTS, "--tokens", "120").out.endswith("more do not fit into 120 tokens.\n")
    for tokens in (1, 40, 120, 300, 8000):
        got = m.run("context", HOSTS, "--tokens", str(tokens), "--format", "json").json()
        assert got["tokens"] <= tokens and sum(len(x.encode()) + 1 for x in got["lines"]) <= 4 * tokens
        assert len(got["lines"]) + got["left"] == 12, got
    assert m.run("context", "quarterly zeppelin").out == "Nothing in the store fits the task.\n"
    m.fails("context", "x", "--tokens", "9000", has="--tokens")


def test_context_of_a_task_of_many_sentences(m):
    """Each sentence is asked, and each clause of a long one; of a text about nothing in the store nothing is told."""
    facts = ["Dryer 6 is reserved for bath mats", "Tour 4 leaves the yard at 4:15", "Error E47 stops the tunnel washer when its screen is full",
             "Chips are written with the customer number", "The rinse is cooled to 38 degrees", "Delivery notes are kept for ten years"]
    m.facts(*(memory(f"{t}.", id=f"m{i}", project="p") for i, t in enumerate(facts)))
    told = lambda task: {i for i in range(len(facts)) if f"memory:m{i}" in m.run("context", "--tokens", "2000", task).out}
    padding = " Somebody painted an umbrella near seven violins." * 30
    assert told("Prepare the shift." + padding + " When does tour 4 leave the yard? Which dryer is for bath mats?") >= {0, 1}
    assert told("Write down for the new colleague what error E47 of the tunnel washer means, when tour 4 leaves the yard, and for how long delivery notes are kept.") >= {1, 2, 5}
    assert m.run("context", padding).out == "Nothing in the store fits the task.\n"
    assert told("\n".join(facts * 3)) == set(range(len(facts)))


def test_context_tells_what_readers_reported(m):
    """It marks nothing as disputed; who reads the line knows that somebody saw another side."""
    m.facts(memory("Invoice retention by law is 6 years", id="six", project="p"), memory("Invoices must be kept for ten years", id="ten", project="p"))
    f = m.run("report", "six", "ten", "--question", "How long?", "--why", "six or ten", "--format", "json").json()["finding"]
    lines = m.run("context", "how long are invoices kept").out
    assert f"REPORTED beside memory:" in lines and f in lines and "DISPUTED" not in lines, lines
    m.run("findings", "ack", f, "--reason", "two archives")
    assert "REPORTED" not in m.run("context", "how long are invoices kept").out


def test_context_over_http_and_mcp(m):
    archive(m)
    told = m.run("context", "plan the backup retention", "--tokens", "150", "--format", "json").json()
    with Server(m) as s:
        assert s.get("/context?task=plan+the+backup+retention&tokens=150").json() == told
        assert s.get("/context?task=x&tokens=0", 422).error()["field"] == "tokens"
    with Agent(m) as a:
        assert a.call("context", task="plan the backup retention", tokens=150) == told


if __name__ == "__main__":
    main(globals())
