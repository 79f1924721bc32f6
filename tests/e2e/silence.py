#!/usr/bin/env python3
"""A count of disputes stands with what was compared."""
from harness import *
from mcp_kit import Agent
from server import Server


def compared(values, places, memories, unread):
    return {"values": values, "places": places, "memories": memories, "unread": unread}


MIX = [project("kiln"), project("dock"),
       memory("The firing time is 9 h.", project="kiln", id="k1"),
       memory("The glaze came out lovely this time.", project="kiln", id="k2"),
       memory("Marta would rather fire at night.", project="kiln", id="k3"),
       memory("The firing time is 10 h.", project="kiln", id="k4", status="candidate"),
       state("firing_time", "8 h", project="kiln", id="ks"),
       memory("The quay depth is 4 m.", project="dock", id="d1"),
       state("crane_load", "2 t", project="dock", id="ds")]
ALL = "compared 4 values in 3 places; 2 of 4 memories state nothing that could be read"


def test_all_doors_say_the_same_number(m):
    m.facts(*MIX)
    swept = m.run("sweep")
    assert "1 of them disputed; " + ALL in swept.out, swept.out
    assert ALL in m.run("build").out and ALL in m.run("publish").out
    want = compared(4, 3, 4, 2)
    for command in (["sweep"], ["sweep", "--dry-run"], ["health"], ["build"], ["publish"]):
        assert m.run(*command, "--format", "json").json()["compared"] == want, command
    assert ALL in m.run("health").out
    assert json.loads(m.text("site", "health.json"))["compared"] == want
    assert json.loads(m.git("show", "mirror:health.json"))["compared"] == want
    for page in ("README.md", "conflicts/README.md"):
        assert "C" + ALL[1:] + "." in m.text("site", page), page
    assert "Compared 2 values in 1 place; 2 of 3 memories state nothing that could be read." in m.text("site", "projects/kiln/README.md")
    assert "Compared 2 values in 2 places. " in m.text("site", "projects/dock/README.md")
    with Server(m, "--api-only") as s:
        assert s.get("/health").json()["compared"] == want
        assert s.post("/sweeps?dry_run=true", {}).json()["compared"] == want
    with Agent(m) as a:
        assert a.call("health")["compared"] == want
    # Recorded and swept anew say the same
    m.sql("UPDATE memories SET status = 'active' WHERE id = 'k4'")
    assert m.run("health", "--format", "json").json()["compared"] == compared(5, 3, 5, 2)
    m.run("sweep")
    assert m.run("health", "--format", "json").json()["compared"] == compared(5, 3, 5, 2)


def test_a_page_counts_what_it_publishes(m):
    m.write("mirror.yml", "publish:\n  exclude:\n    types: [preference]\n    tags: [private]\n    properties: [cost]\n")
    m.facts(*MIX, memory("prefers tabs for indentation", "preference", project="kiln"), memory("Nobody knows why.", project="kiln", tags=["private"]),
            parameter("3 mm", "wall", project="kiln", id="w"), entity("Tool", {"cost": 12, "reach": "3 m"}, "Arm", project="dock", id="t"))
    m.run("build")
    shown = json.loads(m.text("site", "health.json"))["compared"]
    whole = m.run("health", "--format", "json").json()["compared"]
    assert whole["memories"] == shown["memories"] + 2 and whole["unread"] == shown["unread"] + 1, (shown, whole)
    assert whole["values"] == shown["values"] + 2 and whole["places"] == shown["places"] + 2, (shown, whole)


def test_nothing_unread_is_not_told(m):
    m.facts(project("p05"), state("speed", "45 rpm", id="s1"))
    out = m.run("sweep").out
    assert "compared 1 value in 1 place; 0 findings" in out, out
    m.facts(memory("We shall see.", id="m1"), name="more.jsonl")
    assert "compared 1 value in 1 place; 1 of 1 memory states nothing that could be read" in m.run("sweep").out


def test_an_empty_store_compared_nothing(m):
    m.run("init")
    assert "0 disputes, 0 conflicts open, 0 findings; no value was compared" in m.run("build").out


if __name__ == "__main__":
    main(globals())
