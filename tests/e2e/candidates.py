#!/usr/bin/env python3
"""Candidates are seen, each with what it would contradict, and taken for facts nowhere."""
import re
from harness import *
from server import Server

WAITS = dict(status="candidate")
FACTS = [project("mill", name="Old mill"), project("weir"),
         state("wheel_speed", "9 rpm", project="mill", id="s1", source="log 3"),
         memory("The wheel speed is 9 rpm.", project="mill", id="m1"),
         decision("oak", target="shaft", field="material", project="mill", id="d1"),
         memory("The sluice width is 2 m.", project="weir", id="m2"),
         memory("The wheel speed is 11 rpm.", project="mill", id="c1", source_refs=["visit 4"], **WAITS),
         memory("The wheel speed is 12 rpm.", project="mill", id="c2", **WAITS),
         memory("The wheel speed is 9 rpm.", project="mill", id="c3", **WAITS),
         memory("Perhaps the miller sleeps.", project="mill", id="c4", **WAITS),
         {**decision("ash", target="shaft", field="material", project="mill", id="c5"), **WAITS},
         {**state("wheel_speed", "10 rpm", project="mill", id="c6"), **WAITS},
         {**state("sluice_width", "3 m", project="weir", id="c7"), **WAITS},
         {**entity("Hinge", {"note": "squeaks"}, "Gate hinge", project="weir", id="c8"), **WAITS},
         {"kind": "relation", "id": "c9", "type": "PART_OF", "project": "weir", "from": "c8", "to": "d1", **WAITS}]
MEETS = {"memory:c1": {"project_state:s1", "memory:m1"}, "memory:c2": {"project_state:s1", "memory:m1"}, "memory:c3": set(), "memory:c4": set(),
         "entity:c5": {"entity:d1"}, "project_state:c6": {"project_state:s1"}, "project_state:c7": {"memory:m2"}, "entity:c8": set(),
         "relation:c9": set()}


def listed(m, *args):
    return m.run("list", *args, "--format", "json").json()


def test_list_says_what_each_would_contradict(m):
    m.facts(*FACTS)
    rows = listed(m, "--status", "candidate")["rows"]
    assert {r["ref"]: {c["row"] for c in r["contradicts"]} for r in rows} == MEETS
    one = next(r for r in rows if r["ref"] == "memory:c1")
    assert one["content"] == "The wheel speed is 11 rpm." and one["source_refs"] == ["visit 4"] and one["unread"] is None
    assert one["read"] == [{"slot": "mill / wheel_speed", "value": "11 rpm", "words": "The wheel speed is 11 rpm"}]
    assert one["contradicts"][0] == {"row": "project_state:s1", "slot": "mill / wheel_speed", "value": "9 rpm", "own": "11 rpm"}
    assert "guess" in next(r for r in rows if r["ref"] == "memory:c4")["unread"]
    text = m.run("list", "--status", "candidate").out
    assert "memory:c1  candidate  mill  The wheel speed is 11 rpm.\n  would contradict project_state:s1: mill / wheel_speed: 9 rpm\n" in text
    assert "relation:c9  candidate  weir  Gate hinge PART_OF" in text and "can be compared: it is a wish" in text


def test_promotion_does_what_the_list_said(m):
    m.facts(*FACTS)
    m.run("sweep")
    for ref, others in MEETS.items():
        done = m.run("promote", ref, "-n", "--format", "json").json()
        members = {f"{x['member_kind']}:{x['member_id']}" for c in done["conflicts"] for x in c["members"]} - {ref}
        assert members == others, (ref, members)
        assert done["read"] == next(r for r in listed(m, "--status", "candidate")["rows"] if r["ref"] == ref)["read"]


def test_list_by_kind_status_and_project(m):
    m.facts(*FACTS, memory("The mill is 90 years old.", project="mill", id="old", status="invalid"))
    refs = lambda *args: [r["ref"] for r in listed(m, *args)["rows"]]
    assert refs() == ["memory:m1", "memory:m2", "entity:d1", "project_state:s1"] and refs("state") == refs("project_state") == ["project_state:s1"]
    assert refs("memory", "--status", "candidate") == ["memory:c1", "memory:c2", "memory:c3", "memory:c4"]
    assert refs("--status", "candidate", "-p", "weir") == ["entity:c8", "project_state:c7", "relation:c9"]
    assert refs("--status", "invalid") == ["memory:old"] and len(refs("--status", "all")) == 14
    cut = listed(m, "--status", "all", "--limit", "3")
    assert (len(cut["rows"]), cut["count"], cut["more"]) == (3, 3, 11)
    assert m.run("list", "--limit", "3").out.endswith("1 more: see --limit\n") and m.run("list", "relation").out == "No rows.\n"
    m.fails("list", "nuts", has="'nuts' is none of the kinds")
    m.fails("list", "--status", "odd", has=["--status", "candidate"])
    m.fails("list", "--limit", "0", has="--limit")
    m.fails("list", "-p", "nowhere", has="nowhere")


def test_projects_are_listed(m):
    m.facts(*FACTS, memory("Nobody's note.", id="free", project=""), memory("A note.", id="x", project="undeclared"))
    told = m.run("list", "project", "--format", "json").json()
    assert [(p["id"], p["name"], p["declared"], p["rows"]) for p in told["projects"]] == [
        ("", "", False, 1), ("mill", "Old mill", True, 3), ("undeclared", "", False, 1), ("weir", "weir", True, 1)] and told["count"] == 4, told
    text = m.run("list", "project").out
    assert "mill  3  Old mill" in text and "(global)  1" in text, text
    with Server(m) as s:
        assert s.get("/projects").json() == told


def test_a_page_a_project_and_nowhere_else(m):
    m.facts(*FACTS)
    m.run("build")
    page = m.text("site", "projects/mill/candidates.md")
    assert page.startswith("# Candidates of Old mill") and "[6 candidates](candidates.md) wait for review" in m.text("site", "projects/mill/README.md")
    assert re.search(r"Memory proposed: The wheel speed is 11 rpm\. \(from visit 4\), id memory:c1\n  - It would contradict \[.*\]\(state\.md#state-s1\), which has: 9 rpm\n", page), page
    assert page.count("It would contradict") == 6 and page.count("Nothing of it can be compared") == 1
    assert "Candidates of Old mill" in m.text("site", "projects/mill/candidates.html")
    assert "[3 candidates](candidates.md)" in m.text("site", "projects/weir/README.md")
    for path, data in m.site_bytes("site"):
        if "/candidates." not in path:
            assert b"11 rpm" not in data and b"squeaks" not in data, path
    m.run("check")
    m.run("promote", "c1", "--by", "kim")
    m.run("build")
    assert "id memory:c1" not in m.text("site", "projects/mill/candidates.md")
    assert any(b"11 rpm" in data for path, data in m.site_bytes("site") if "/memories/" in path)


def test_what_is_left_out_is_on_no_page_of_candidates(m):
    m.write("mirror.yml", "publish:\n  exclude:\n    tags: [private]\n    properties: [cost]\n    types: [decision]\n")
    m.facts(*FACTS, memory("The dam height is 7 m.", project="weir", id="hid", tags=["private"]),
            memory("The dam height is 8 m.", project="weir", id="cx", **WAITS), memory("ZULU waits.", project="weir", id="cz", tags=["private"], **WAITS),
            {**entity("Tool", {"cost": "77 zulu", "reach": "3 m"}, "Crane", project="weir", id="cy"), **WAITS})
    m.run("build")
    page = m.text("site", "projects/weir/candidates.md")
    assert "The dam height is 8 m." in page and "Crane: reach: 3 m" in page
    assert "7 m" not in page and "ulu" not in page, page
    assert "shaft" not in m.text("site", "projects/mill/candidates.md")
    m.run("check")


def test_many_are_cut_into_parts(m):
    m.facts(project("mill"), *[memory(f"The bolt {i} length is {i} mm.", project="mill", id=f"b{i}", **WAITS) for i in range(700)])
    m.run("build")
    parts = re.findall(r"\]\((candidates/[^)]*)\)", m.text("site", "projects/mill/candidates.md"))
    assert len(parts) > 1 and "[700 candidates](candidates.md)" in m.text("site", "projects/mill/README.md")
    shown = "".join(m.text("site", "projects/mill", p) for p in parts)
    assert all(f"id memory:b{i}\n" in shown for i in range(700))
    m.run("check")


def test_the_api_lists_page_by_page(m):
    m.facts(*FACTS)
    with Server(m, "--api-only") as s:
        whole = s.get("/rows?status=candidate").json()
        assert {r["ref"]: {c["row"] for c in r["contradicts"]} for r in whole["rows"]} == MEETS and whole["more"] == 0 and "next" not in whole
        assert whole["rows"] == listed(m, "--status", "candidate")["rows"]
        seen, after = [], ""
        while after is not None:
            v = s.get("/rows?status=candidate&limit=2" + after).json()
            seen += [r["ref"] for r in v["rows"]]
            after = "&after=" + v["next"] if "next" in v else None
        assert seen == [r["ref"] for r in whole["rows"]]
        assert [r["ref"] for r in s.get("/rows?kind=project_state").json()["rows"]] == ["project_state:s1"]
        assert [r["ref"] for r in s.get("/rows?project=weir").json()["rows"]] == ["memory:m2"]
        for bad, field in {"status=odd": "status", "kind=nut": "kind", "limit=0": "limit", "limit=1001": "limit", "project=nowhere": "project",
                           "after=memory:none": "after"}.items():
            assert s.get("/rows?" + bad, status=404 if field in ("project", "after") else 422).error()["field"] == field, bad


def test_show(m):
    """One row, of any layer and status, by its reference, its id or its name, and what says otherwise."""
    m.facts(project("p05"), memory("The spindle speed is 45 rpm.", "knowledge", "p05", id="m1"), state("spindle_speed", "50 rpm", id="s1"),
            entity("Decision", {"value": "PTFE"}, "Coupling", id="e1"), memory("Gone", "knowledge", "p05", id="m2", status="invalid"),
            {"kind": "relation", "id": "r1", "type": "PART_OF", "from": "e1", "to": "e1", "project": "p05"})
    m.run("sweep", code=None)
    text = m.run("show", "m1").out
    assert text == m.run("show", "memory:m1").out and text.startswith("memory:m1  active  p05\n  The spindle speed is 45 rpm.\n"), text
    assert "disputed" in text and "50 rpm" in text and "s1" in text and "since" in text, text
    assert m.run("show", "Coupling").out.startswith("entity:e1  active") and "invalid" in m.run("show", "m2").out
    assert m.run("show", "r1").out.startswith("relation:r1")
    got = m.run("show", "s1", "--format", "json").json()
    assert got["ref"] == "project_state:s1" and got["value"] == "50 rpm" and got["disputed"] and got["disputes"], got
    m.fails("show", "nothing", has=["there is no such row", "conflicts show"])
    m.fails("show", has="show")


if __name__ == "__main__":
    main(globals())
