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


ANSWERS = [   # memory_type, text, what is read of it, a word of why nothing is
    ("knowledge", "The quay depth is 4 m.", [("dock / quay_depth", "4 m")], None),
    ("knowledge", "The crane runs on 400 V and the quay depth is 5 m.", [("dock / quay_depth", "5 m"), ("dock / crane_runs_voltage", "400 V")], None),
    ("knowledge", "Is the quay depth 4 m?", [], "question"),
    ("knowledge", "Someone ought to measure the quay.", [], "wish"),
    ("knowledge", "The quay depth is maybe 6 m.", [], "guess"),
    ("knowledge", "Le quai est trop petit pour le bateau de la ville.", [], "English"),
    ("knowledge", "Gulls circle above the quay.", [], "form"),
    ("knowledge", "Gulls circle the quay at 12:00.", [("dock / gulls_circle_quay_time", "12:00")], None),
    ("episodic", "The quay depth is 4 m.", [], "episodic"),
    ("rumour", "The quay depth is 4 m.", [("dock / quay_depth", "4 m")], None),
    ("preference", "prefers tabs over spaces", [("dock / preference: spaces|tabs", "tabs")], None),
    ("preference", "whatever", [], "form"),
]


def test_an_answer_says_what_was_read_or_why_nothing_was(m):
    m.facts(project("dock"), state("other", "1", project="dock"))
    m.run("sweep")
    with Server(m, "--api-only") as s, Agent(m) as a:
        for n, (kind, text, read, why) in enumerate(ANSWERS):
            def holds(v, door):
                assert [(r["slot"], r["value"]) for r in v["read"]][:2] == read[:2], (door, text, v["read"])
                assert all(r["words"] and r["words"] in text for r in v["read"]), (door, text, v["read"])
                assert (v["unread"] is None) if read else why in v["unread"], (door, text, v["unread"])
            record = {"memory_type": kind, "project": "dock", "content": text}
            holds(s.post("/memory?dry_run=true", record).json(), "http")
            holds(a.call("find_conflicts", text=text, type=kind, project="dock"), "find")
            holds(a.call("remember", text=text, type=kind, project="dock", dry_run=True), "remember")
            out = m.run("add", "memory", "-t", kind, "-p", "dock", "-n", text, "--format", "json").json()
            holds(out, "add")
            holds(s.post("/memory", {**record, "id": f"stored{n}"}, 201).json(), "stored")
            holds(s.get(f"/conflicts?subject=memory:stored{n}").json(), "conflicts of the row")
            holds(a.call("find_conflicts", memory_id=f"stored{n}"), "find by id")
            line = m.run("add", "memory", "-t", kind, "-p", "dock", "-n", text).out
            assert ("read: " + read[0][0] + ": " + read[0][1] in line) if read else "nothing was read" in line and why in line, line


def test_what_contradicts_was_read(m):
    """Also where a text claims in one slot alone, which is that of its own words."""
    m.facts(state("visitor badge", "red for guests", id="s1"), memory("The spindle speed is 45 rpm.", id="m0", project="p05"))
    m.sweep()
    got = m.run("add", "memory", "The visitor badge at the gate is blue.", "-t", "knowledge", "-p", "p05", "--format", "json").json()
    assert got["conflicts"] and got["unread"] is None and [(x["slot"], x["value"]) for x in got["read"]] == [(f"{got['project']} / visitor_badge (gate)", "blue")], got


def test_a_subject_that_is_no_row_was_not_read(m):
    m.facts(project("dock"), state("crane_load", "1 t", project="dock", id="s1"))
    m.run("sweep")
    with Server(m, "--api-only") as s:
        assert "read" not in s.get("/conflicts").json() and "unread" not in s.get("/conflicts?subject=crane_load").json()
        read, = s.get("/conflicts?subject=project_state:s1").json()["read"]
        assert read == {"slot": "dock / crane_load", "value": "1 t", "words": "1 t"}


def test_reading_of_other_layers_and_of_candidates(m):
    m.facts(project("dock"))
    add = lambda *args: m.run("add", *args, "-p", "dock", "--format", "json").json()
    assert add("state", "crane_load", "2 t")["read"] == [{"slot": "dock / crane_load", "value": "2 t", "words": "2 t"}]
    assert add("entity", "-t", "Parameter", "-P", "parameter_name=reach", "-P", "value=3 m", "reach")["read"][0]["value"] == "3 m"
    assert "not known" in add("state", "berth_fee", "TBD")["unread"]
    assert "propert" in add("entity", "-t", "Subsystem", "hull")["unread"]
    waits = add("memory", "-t", "knowledge", "--status", "candidate", "The crane load is 3 t.")
    assert waits["read"][0]["value"] == "3 t" and waits["conflicts"] == [], waits
    changed = m.run("edit", waits["ref"], "--set", "content=Who knows the crane load?", "--format", "json").json()
    assert changed["read"] == [] and "question" in changed["unread"]


if __name__ == "__main__":
    main(globals())
