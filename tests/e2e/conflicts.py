#!/usr/bin/env python3
"""Which facts conflict, and which do not: the specification's cases, through the command."""
from harness import *


def check(m, records, want):
    """want: a list of conflicts, each {slot_kind, members: [(kind, value, flagged)]}."""
    m.facts(project("p05-interferometer", "p05"), *records)
    got = m.sweep()
    seen = [(c["slot_kind"], kinds(c)) for c in got]
    assert seen == want, f"\n got {seen}\nwant {want}"
    return got


def told(m, conflict):
    """What explain says, its lines put together."""
    return " ".join(m.run("explain", conflict["id"]).out.split())


def test_two_decisions(m):
    c, = check(m, [decision("GF-PTFE", id="e1"), decision("PEEK", id="e2")],
               [("entity_slot", [("entity", "GF-PTFE", False), ("entity", "PEEK", False)])])
    assert [x["member_layer_trust"] for x in c["members"]] == [2, 2]
    assert c["slot_key"] == ["p05-interferometer", "lateral_support_material"]
    assert c["project"] == "p05-interferometer" and c["status"] == "open" and c["disputed"] is True
    assert c["rule"] == "slot/1" and c["action"] is None and c["resolved_at"] is None and c["resolution"] == ""


def test_state_and_entity(m):
    c, = check(m, [state("lateral support material", "GF-PTFE", "decision", id="s1"), decision("PEEK", id="e1")],
               [("cross_layer", [("project_state", "GF-PTFE", False), ("entity", "PEEK", True)])])
    assert c["members"][1]["conflicts_with"] == "project_state:s1"
    assert c["members"][0]["conflicts_with"] is None


def test_three_layers_three_values(m):
    c, = check(m, [memory("lateral support material is C", id="m1"), decision("B", id="e1"),
                   state("lateral_support_material", "A", id="s1")],
               [("cross_layer", [("project_state", "A", False), ("entity", "B", True), ("memory", "C", True)])])
    assert [x["member_layer_trust"] for x in c["members"]] == [3, 2, 1]


def test_three_layers_one_value(m):
    check(m, [memory("lateral support material is a."), decision("A"), state("lateral_support_material", " a ")], [])


def test_entity_alone_against_two(m):
    check(m, [state("lateral_support_material", "A"), decision("B"), memory("lateral support material is A")],
          [("cross_layer", [("project_state", "A", False), ("entity", "B", True), ("memory", "A", False)])])


def test_preferences(m):
    c, = check(m, [memory("prefers rebase workflow", "preference"), memory("prefers merge-commit workflow", "preference")],
               [("memory_slot", [("memory", "rebase", False), ("memory", "merge-commit", False)])])
    assert c["slot_key"] == ["p05-interferometer", "preference", "workflow"]


def test_same_preference(m):
    check(m, [memory("prefers small diffs", "preference"), memory("Prefers small diffs.", "preference"),
              memory("likes small diffs", "preference")], [])


def test_preference_for(m):
    cs = check(m, [memory("uses ruff for linting", "preference"), memory("uses flake8 for linting", "preference"),
                   memory("prefers tabs over spaces", "preference"), memory("prefers spaces over tabs", "preference")],
               [("memory_slot", [("memory", "ruff", False), ("memory", "flake8", False)]),
                ("memory_slot", [("memory", "tabs", False), ("memory", "spaces", False)])])
    assert [c["slot_key"][2] for c in cs] == ["linting", "spaces|tabs"]


def test_identity(m):
    cs = check(m, [memory("role: optical engineer", "identity"), memory("role: mechanical engineer", "identity"),
                   memory("background: thin films", "identity")],
               [("memory_slot", [("memory", "optical engineer", False), ("memory", "mechanical engineer", False)])])
    assert cs[0]["slot_key"] == ["p05-interferometer", "identity", "role"]


def test_slot_rule(m):
    check(m, [memory("optical engineer", "identity", slot_rule="role"), memory("mechanical engineer", "identity", slot_rule="role")],
          [("memory_slot", [("memory", "optical engineer", False), ("memory", "mechanical engineer", False)])])


def test_prose_is_compared_with_prose(m):
    check(m, [memory("colour is red"), memory("colour is blue")],
          [("memory_slot", [("memory", "red", False), ("memory", "blue", False)])])


def test_prose_without_a_value_is_not_compared(m):
    check(m, [memory("colour is expensive"), memory("colour is under review"), memory("we may paint it red"), memory("is it blue?")], [])


def test_episodes(m):
    check(m, [memory("pump is on", "episodic"), memory("pump is off", "episodic"), state("pump", "on")], [])


def test_only_active_rows_claim(m):
    rows = [decision("A")]
    for st in ("candidate", "superseded", "invalid", "graduated"):
        rows.append({**decision("B " + st), "status": st})
    check(m, rows, [])


def test_other_slots(m):
    check(m, [entity("Requirement", {"requirement_key": "mass", "limit": "5 kg"}),
              entity("Requirement", {"requirement_key": "heat flux", "limit": "3 W"}),
              entity("Artifact", {"path": "a"}, "one"), entity("Artifact", {"path": "b"}, "one"),
              decision("A", project="p05"), decision("B", project="p06"),
              entity("Component", {"subsystem_name": "frame", "component_name": "leg", "mass": 5}, "leg"),
              entity("Component", {"subsystem_name": "frame", "component_name": "leg", "vendor": "x"}, "leg")], [])


def test_alias(m):
    check(m, [decision("A", project="p05"), decision("B", project="p05-interferometer")],
          [("entity_slot", [("entity", "A", False), ("entity", "B", False)])])


def test_an_id_and_the_name_are_one_value(m):
    """In the project, or globally; also when the entity comes later, and not once it has another name."""
    cell = entity("Component", {}, "Mirror cell", id="e7")
    check(m, [cell, state("mount", "e7"), memory("mount is Mirror cell"), decision("entity:e7", "mount", ""), parameter(["mirror cell", "x"], "mount")], [])
    m.facts(state("mount", "PEEK", id="s9"), name="other.jsonl")
    c, = m.sweep()
    assert {x["value"] for x in c["members"]} >= {"e7", "PEEK"}
    assert '"e7", the id of "Mirror cell", -> text:mirror cell' in told(m, c)
    m.facts(state("base", "g1", id="s10"), memory("base is Granite plate"), entity("Component", {}, "Granite plate", project="p06", id="g1"), name="third.jsonl")
    assert m.sweep()[0]["slot_key"][1] == "base"
    m.run("edit", "s9", "--set", "value=frame2")
    m.run("add", "entity", "--json", "-", stdin=json.dumps({"id": "frame2", "entity_type": "Component", "project": "p05-interferometer", "name": "Mirror cell"}).encode())
    disputed = {c["slot_key"][1]: c["disputed"] for c in m.conflicts()}
    assert disputed == {"base": True, "mount": False}
    assert "disputed again" in m.run("edit", "entity:frame2", "--set", "name=Other").out


def test_the_name_behind_an_id_is_left_out_with_its_entity(m):
    m.facts(entity("Rig", {}, "Hush hush", id="e7"), state("mount", "e7"), state("mount", "PEEK"), state("base", "hush hush"))
    c, = m.sweep()
    m.write("mirror.yml", "publish:\n  exclude:\n    types: [rig]\n")
    m.sql("DELETE FROM project_state WHERE key = 'base'")
    m.run("build")
    for folder, _, files in os.walk(m.path("site")):
        for name in files:
            assert "hush" not in m.text(os.path.relpath(os.path.join(folder, name), m.path("."))).lower(), name
    m.run("check")
    m.run("conflicts", "resolve", c["id"], "--no-action", "--notes", "both")
    m.run("build")
    assert "hush" not in m.text("site", "conflicts", c["id"] + ".md").lower()


def test_a_key_in_two_categories(m):
    """Two slots among states, one for entities and memories."""
    c, = check(m, [state("area", "1", "optics"), state("area", "2", "mechanics"), state("area", "3", "Optics")],
               [("state_slot", [("project_state", "1", False), ("project_state", "3", False)])])
    m.facts(memory("area is 2"), name="more.jsonl")      # what one of them says contradicts none
    assert "memory" not in [x["member_kind"] for c in m.sweep() for x in c["members"]]
    m.facts(memory("area is 4"), name="else.jsonl")
    c, = m.sweep()                                       # and what none says contradicts all, the other text, too
    assert sorted((x["member_kind"], x["value"]) for x in c["members"]) == [
        ("memory", "2"), ("memory", "4"), ("project_state", "1"), ("project_state", "2"), ("project_state", "3")], c


# The disputes of one slot are told apart: each has a page, an id, a time and a verdict of its own.
THEN_AND_NOW = [("Ann", "2020-01-01", "2021-01-01"), ("Bob", "2020-01-01", "2021-01-01"), ("Cid", "2026-01-01", None), ("Dee", "2026-01-01", None)]


def owners(*rows):
    return [state("owner", v, id="owner-" + v.lower(), valid_from=f, **({"valid_until": u} if u else {})) for v, f, u in rows]


def by_value(conflicts):
    return {frozenset(x["value"] for x in c["members"]): c for c in conflicts if c["disputed"]}


def test_disputes_of_one_slot_have_pages_of_their_own(m):
    m.run("init")
    m.facts(*owners(*THEN_AND_NOW))
    got = by_value(m.sweep())
    then, now = got[frozenset(["Ann", "Bob"])], got[frozenset(["Cid", "Dee"])]
    assert then["window"] == ["2020-01-01", "2021-01-01"] and now["window"] == ["2026-01-01", None]
    m.run("build", "-d", "site")
    pages = {c["id"]: m.text("site", "conflicts", c["id"] + ".md") for c in (then, now)}
    assert "# Owner (in 2020)" == pages[then["id"]].split("\n")[0] and "# Owner (from 2026)" == pages[now["id"]].split("\n")[0]
    assert f'({now["id"]}.md)' in pages[then["id"]] and f'({then["id"]}.md)' in pages[now["id"]]
    states = [x for x in m.text("site", "projects", os.listdir(m.path("site", "projects"))[0], "state.md").split("\n") if "disputed" in x]
    for who, c in (("Ann", then), ("Bob", then), ("Cid", now), ("Dee", now)):
        line, = [x for x in states if who in x]
        assert c["id"] in line, line
    m.run("conflicts", "resolve", now["id"], "--winner", "project_state:owner-cid", "--notes", "Cid it is")
    rows = dict(m.sql("SELECT id, status FROM project_state"))
    assert rows == {"owner-ann": "active", "owner-bob": "active", "owner-cid": "active", "owner-dee": "superseded"}, rows


def test_attributes_of_several_names_are_asked_for_by_each(m):
    m.facts(project("p05", "interferometer"), entity("Subsystem", {}, "Pump", id="pump"), state("leg_colour", "red", id="s1"), state("leg_color", "blue", id="s2"),
            state("cache_ttl", "30 s", id="s3"), state("cache_lifetime", "60 s", id="s4"), state("pump_pressure_max", "3 bar", id="s5"),
            state("pump_pressure_maximum", "4 bar", id="s6"))
    m.run("sweep")
    for asked, rows in (("leg_colour", "s1 s2"), ("leg color", "s1 s2"), ("cache_ttl", "s3 s4"), ("cache_lifetime", "s3 s4"), ("pump_pressure_max", "s5 s6"),
                        ("Pump", "s5 s6"), ("entity:pump", "s5 s6")):
        found = m.run("conflicts", "list", "--touching", asked, "--format", "json").json()["conflicts"]
        assert [x["member_id"] for c in found for x in c["members"]] == rows.split(), (asked, found)


def test_a_slot_is_told_by_the_names_that_its_rows_write(m):
    m.run("init")
    m.facts(project("p05", "interferometer"), state("leg_colour", "red", id="s1"), state("leg_color", "blue", id="s2"),
            state("cache_ttl", "30 s", id="s3"), memory("The cache TTL is 60 s.", id="m1", project="p05"), state("arm_colour", "TBD", id="s5"))
    m.run("sweep")
    titles = {"p05 / cache_ttl": ["cache_ttl", "cache_lifetime"], "p05 / leg_color, leg_colour": ["leg_color", "leg_colour"]}
    told = {c["title"]: c["id"] for c in m.run("conflicts", "list", "--format", "json").json()["conflicts"]}
    assert sorted(told) == sorted(titles), told
    m.run("build", "-d", "site")
    m.run("publish")
    for title, names in titles.items():
        shown = title.split(" / ")[1]
        for verb in (["conflicts", "list"], ["conflicts", "show", told[title]]):
            assert title in m.run(*verb).out, (verb, m.run(*verb).out)
        assert shown in m.run("explain", told[title]).out
        assert title in m.text("site", "conflicts.json")
        page = m.text("site", "conflicts", told[title] + ".md")
        assert shown.replace("_", " ").capitalize() in page.splitlines()[0], page.splitlines()[0]
        logs = {m.run("log", "p05 / " + name).out for name in names}
        assert len(logs) == 1 and title in logs.pop(), names
    assert "Which cache TTL of p05" in m.run("explain", told["p05 / cache_ttl"]).out
    assert "p05 / arm_colour: not known" in m.run("health", "--gaps").out
    said = m.run("conflicts", "resolve", told["p05 / leg_color, leg_colour"], "--winner", "s1", "--notes", "Seen").out
    assert "p05 / leg_color, leg_colour: " in said, said
    assert "p05 / leg_color, leg_colour" in m.run("conflicts", "list", "--status", "all").out


def test_disputes_that_grow_together_and_fall_apart(m):
    m.run("init")
    m.facts(*owners(*THEN_AND_NOW))
    got = by_value(m.sweep())
    ids = {c["id"] for c in got.values()}
    added = m.run("--format", "json", "add", "state", "--json", "-", stdin=json.dumps({k: v for k, v in owners(("Eve", "2020-06-01", None))[0].items() if k != "kind"}).encode()).json()
    one, = by_value(m.sweep()).values()
    assert added["conflict_id"] == one["id"] and len(added["conflicts"]) == 1 and len(one["members"]) == 5
    gone, = ids - {one["id"]}
    shown = m.run("conflicts", "show", gone, "--format", "json").json()
    assert shown["status"] == "merged" and shown["merged_into"] == one["id"]
    m.run("build", "-d", "site")
    page = m.text("site", "conflicts", gone + ".md")
    assert "**Merged.**" in page and f'({one["id"]}.md)' in page
    m.fails("conflicts", "dismiss", gone, "--reason", "x", has=["it went on in conflict " + one["id"]])
    m.fails("conflicts", "reopen", gone, "--reason", "x", has=["it went on in conflict " + one["id"]])
    m.run("edit", "project_state:owner-eve", "--set", "status=invalid")
    assert {c["id"] for c in by_value(m.sweep()).values()} == ids


def test_what_may_overlap_is_a_finding_without_a_marker(m):
    m.run("init")
    m.facts(*owners(("Ann", "2026-01-01", "2026-04"), ("Bob", "2026-04-10", None), ("Cid", "2026-05-01", None)))
    assert [sorted(x["value"] for x in c["members"]) for c in m.sweep()] == [["Bob", "Cid"]]
    swept = m.run("sweep", "--format", "json").json()
    f, = [x for x in swept["findings"] if x["kind"] == "possible_overlap"]
    assert f["severity"] == "info" and f["rows"] == ["project_state:owner-ann", "project_state:owner-bob"], f
    assert "Ann" in f["message"] and "Bob" in f["message"]
    m.run("build", "-d", "site")
    page = m.text("site", "projects", os.listdir(m.path("site", "projects"))[0], "state.md").split("\n")
    line = {who: [x for x in page if f"owner | {who}" in x][0] for who in ("Ann", "Bob", "Cid")}
    assert "? may overlap" in line["Ann"] and "disputed" not in line["Ann"], line
    assert "? may overlap" in line["Bob"] and "disputed" in line["Bob"] and "? may overlap" not in line["Cid"], line


def test_a_state_of_another_time_is_not_warned_of(m):
    m.run("init")
    m.facts(*owners(*THEN_AND_NOW[:2]))
    m.sweep()
    late = {"key": "owner", "value": "Fay", "project": owners(*THEN_AND_NOW[:1])[0]["project"], "valid_from": "2024-01-01", "category": owners(*THEN_AND_NOW[:1])[0].get("category", "")}
    told = m.run("--format", "json", "add", "state", "--json", "-", "--dry-run", stdin=json.dumps(late).encode()).json()
    assert "warning" not in told, told
    told = m.run("--format", "json", "add", "state", "--json", "-", "--dry-run", stdin=json.dumps({**late, "valid_from": "2020-05-01"}).encode()).json()
    assert "warning" in told and len(told["conflicts"]) == 1, told


def test_preferences_meet_in_one_scope(m):
    c, = check(m, [memory("prefers rebase workflow", "preference", scope="git"), memory("prefers merge workflow", "preference", scope="Git"),
                   memory("prefers squash workflow", "preference"), memory("prefers queue workflow", "preference", scope="ci")],
               [("memory_slot", [("memory", "rebase", False), ("memory", "merge", False)])])
    assert c["slot_key"] == ["p05-interferometer", "preference", "workflow (git)"]
    assert "p05-interferometer / preference: workflow (git)" in m.run("conflicts", "list").out
    m.run("build")
    m.run("publish")
    for slot in ("preference: workflow (git)", "preference: Workflow (Git)", "preference: workflow"):
        told = m.run("log", "p05-interferometer / " + slot).out
        assert "rebase" in told and ("queue" in told) == ("(" not in slot), told
    assert "p05-interferometer / preference: workflow (git)" in m.text("site", "conflicts", c["id"] + ".md")


def test_liked_and_disliked(m):
    a, b = check(m, [memory("prefers tabs", "preference", polarity=1), memory("Prefers tabs.", "preference", polarity=-1),
                     memory("prefers rebase workflow", "preference"), memory("likes rebase workflow", "preference", polarity=-1),
                     memory("prefers small diffs", "preference", polarity=-1), memory("prefers big diffs", "preference", polarity=-1),
                     memory("uses ruff for linting", "preference", polarity=1), memory("uses flake8 for linting", "preference", polarity=-1)],
                 [("memory_slot", [("memory", "prefers tabs", False), ("memory", "not: Prefers tabs", False)]),
                  ("memory_slot", [("memory", "rebase", False), ("memory", "not: rebase", False)])])
    assert a["slot_key"] == ["p05-interferometer", "preference", '"prefers tabs"'] and b["slot_key"][2] == "workflow"
    assert "one denies what the other says" in m.run("explain", b["id"]).out
    m.run("build")
    assert "not: rebase" in m.text("site", "conflicts", b["id"] + ".md")


def test_a_project_in_other_case_or_by_its_name(m):
    """P05 and the project's own name are the project; exact ids win."""
    m.facts(project("p05", name="Mirror Cell"), project("Q", name="q thing"), project("q", name="Other"),
            *[state("mass", v, project=p) for v, p in (("1", "p05"), ("2", "P05"), ("3", "mirror  cell"), ("4", "q"), ("5", "Q"), ("6", "other"))])
    a, b = m.sweep()
    assert a["slot_key"] == ["p05", "mass"] and [x["value"] for x in a["members"]] == ["1", "2", "3"], a
    assert b["slot_key"] == ["q", "mass"] and sorted(x["value"] for x in b["members"]) == ["4", "6"], b
    for p in ("p05", "P05", "Mirror cell"):
        assert m.run("--format", "json", "conflicts", "list", "--project", p).json()["count"] == 1
    r = m.run("add", "state", "--category", "fact", "-p", "MIRROR CELL", "mass", "9")
    assert "is new" not in r.err and "disputed" in r.out, (r.out, r.err)


def test_a_project_that_two_fit(m):
    m.facts(project("a1", name="Interferometer"), project("a2", "INTERFEROMETER"), state("mass", "1", project="a1"), state("mass", "2", project="a2"))
    r = m.run("import", m.write("more.jsonl", json.dumps(state("mass", "3", project="interferometer", id="s9")) + "\n"))
    assert "project 'interferometer' means 'a1' or 'a2', so it stays apart" in r.err, r.err
    assert m.sweep() == []
    told = "SELECT project, rows, message FROM findings WHERE rule = 'orphan/project'"
    (name, rows, message), = m.sql(told)
    assert name == "interferometer" and "project_state:s9" in rows and "means a1 or a2" in message
    assert "'a1' and 'a2' fit" in m.run("conflicts", "list", "--project", "interFerometer", code=2).err
    m.facts(project("interferometer"), name="third.jsonl")
    m.sweep()
    assert m.sql(told) == []


def test_a_renamed_project_gets_other_rows(m):
    """Whose rows are whose is decided anew when a project gets a name."""
    m.facts(project("p05", name="Cell"), state("mass", "1", project="p05"))
    assert "disputed" in m.run("add", "state", "--category", "fact", "-p", "cell", "mass", "2").out
    m.facts(project("p05", name="Frame"), state("size", "1", project="frame"))
    assert "disputed" not in m.run("add", "state", "--category", "fact", "-p", "cell", "size", "2").out
    assert "disputed" in m.run("add", "state", "--category", "fact", "-p", "FRAME", "size", "3").out
    m.sql("UPDATE projects SET name = 'Cell'")
    assert "disputed" in m.run("add", "state", "--category", "fact", "-p", "Cell", "size", "4").out
    assert {c["slot_key"][1] for c in m.sweep() if c["disputed"]} == {"mass", "size"}


def test_global_project_meets_no_other(m):
    check(m, [state("x", "1", project=""), state("x", "2", project="p05")], [])


def test_every_entity_type(m):
    """Two rows of each type disagree in one field, under the name that the design gives; of other types they are two things."""
    cases = [
        ("Project", {"budget": 1}, {"budget": 2}, "budget"),
        ("Subsystem", {"subsystem_name": "frame", "height": 1}, {"subsystem_name": "Frame", "height": 2}, "frame_height"),
        ("Component", {"subsystem_name": "frame", "component_name": "leg", "mass": 1},
         {"subsystem": "frame", "component": "leg", "mass": 2}, "frame_leg_mass"),
        ("Requirement", {"requirement_key": "heat", "limit": "1 W"}, {"requirement_key": "heat", "limit": "2 W"}, "heat"),
        ("Requirement", {"requirement_key": "look", "text": "red"}, {"requirement_key": "look", "text": "blue"}, "look"),
        ("Constraint", {"constraint_target": "room", "constraint_kind": "drift", "limit": 1},
         {"constraint_target": "room", "constraint_kind": "drift", "limit": 2}, "room_drift"),
        ("Decision", {"decision_target": "lateral support", "decision_field": "material", "value": "A"},
         {"decision_target": "lateral support", "decision_field": "material", "value": "B"}, "lateral_support_material"),
        ("Material", {"component_id": "flat", "material": "A"}, {"component_name": "flat", "material": "B"}, "flat"),
        ("Parameter", {"parameter_scope": "camera", "parameter_name": "gain", "value": 1},
         {"parameter_scope": "camera", "parameter_name": "gain", "value": 2}, "camera_gain"),
        ("AnalysisModel", {"subsystem_id": "cell", "model_name": "modes", "solver": "A"},
         {"subsystem_id": "cell", "model_name": "modes", "solver": "B"}, "cell_modes_solver"),
        ("Result", {"analysis_model_id": "m", "result_key": "pv", "value": 1},
         {"analysis_model_id": "m", "result_key": "pv", "value": 2}, "m_pv"),
        ("ValidationClaim", {"claim_key": "flatness", "claim": "A"}, {"claim_key": "flatness", "claim": "B"}, "flatness_claim"),
        ("Widget", {"size": 1}, {"size": 2}, "widget_thing_size"),
    ]
    m.facts(*[entity(t, p) for t, a, b, _ in cases for p in (a, b)])
    got = [c["slot_key"][1] for c in m.sweep()]
    assert got == sorted(c[3] for c in cases[:-1]), "two ids of one source are two widgets"


def test_prose_is_no_claim(m):
    check(m, [entity("Component", {"component_name": "leg", "description": a, "notes": a, "rationale": a, "title": a,
                                   "source": a, "source_ref": a, "created_by": a}, "leg") for a in ("x", "y")], [])


def test_a_decision_claims_its_value_only(m):
    check(m, [entity("Decision", {"decision_target": "t", "decision_field": "f", "value": "A", "owner": o}) for o in "xy"], [])


def test_category_that_names_a_type(m):
    check(m, [state("heat", "1 W", "requirement"), parameter("2 W", "heat")], [])


def test_category_that_names_the_type(m):
    check(m, [state("heat", "1 W", "requirement"), entity("Requirement", {"requirement_key": "heat", "limit": "2 W"})],
          [("cross_layer", [("project_state", "1 W", False), ("entity", "2 W", True)])])


def test_types_that_fold_to_one_name(m):
    """Compared with the state and the memory, not with each other."""
    check(m, [parameter("1", "heat"), entity("Requirement", {"requirement_key": "heat", "limit": "2"})], [])


def test_names_that_only_join_alike(m):
    check(m, [entity("Constraint", {"constraint_target": "a b", "constraint_kind": "c", "limit": 1}),
              entity("Constraint", {"constraint_target": "a", "constraint_kind": "b c", "limit": 2})], [])


def test_element_by_id(m):
    check(m, [entity("Component", {"subsystem_name": "optics", "component_name": "flat"}, "Reference flat", id="e7"),
              entity("Material", {"component_id": "e7", "material": "silica"}),
              entity("Material", {"component_name": "reference flat", "material": "Zerodur"})],
          [("entity_slot", [("entity", "silica", False), ("entity", "Zerodur", False)])])


VALUES = [  # a, b, disagree
    ("30 s", "30000 ms", False), ("30 s", "31 s", True), ("4.8 kg", "4.82 kg", True), ("4.8 kg", "4.80 kg", False),
    ("468", 468, False), (468, 468.0, False), ("1,000", "1000", False), ("1,00", "100", True), ("1e3", 1000, True), ("1e+3", 1000, False),
    (["a", "b"], ["B", "A"], False), (["a", "b"], ["a"], False), (["a", "b"], ["a", "c"], True), ("a", ["a", "b"], False),
    ("c", ["a", "b"], True), ("007", "7", True), ("0.10", "0.1", False), (True, "true", False), (True, "yes", False), (True, "no", True),
    ("2026-04", "2026-04-02", False), ("2026-04", "2026-05-02", True), ("2026-04-02", "2026-04-03", True),
    ("2026-04-02T11:00:00+02:00", "2026-04-02T09:00:00Z", False), ("GF-PTFE", "gf-ptfe", False), ("GF-PTFE", "GF PTFE", False),
    ("GF-PTFE", "GF PEEK", True),
    ("café", "cafè", True), ("café", "cafe", False), ("ﬁne", "fine", False), ("a  b.", "A b", False), ("1 GiB", "1024 MiB", False), ("1 GB", "1 GiB", True),
    ("0 degC", "273.15 K", False), ("100 req/s", "100 requests/s", False), ("1 m", "1 s", True), ("5", "5 kg", True),
    ("12345678901234567890.1", "12345678901234567890.2", True), ("-0", "0", False), ("\u22125", "-5", False),
    (0.1, "0.10000000000000001", True), ("", "x", False), (None, "x", False), ([], "x", False),
    ("TBD", "x", False), ("Not known yet.", 5, False), ("??", "30 s", False), ("—", ["a"], False), (["n/a", "a"], "b", True),
    (["TBD", "?"], "a", False), ("N/A-12", "12", True), ("Unknown Pleasures", "x", True), ("none", "x", True), (0, "x", True),
    ("open", "x", True), ("-5", "x", True), ("nil by mouth", "x", True), ("Na", "x", True), ("Na", 5, False), ("null", "x", False),
    ("5 %", 0.05, True), ("at most 5", "<= 5", False), ("April 2, 2026", "2026-04-02", False), ("a, b", ["b", "a"], False),
]


def test_values(m):
    rows = []
    for i, (a, b, _) in enumerate(VALUES):
        rows += [parameter(a, f"v{i:02}"), parameter(b, f"v{i:02}")]
    m.facts(*rows)
    got = {c["slot_key"][1] for c in m.sweep()}
    for i, (a, b, disagree) in enumerate(VALUES):
        assert (f"v{i:02}" in got) == disagree, f"{a!r} and {b!r}: conflict {not disagree}, wanted {disagree}"


def test_silence_in_every_layer(m):
    """TBD against TBC, unknown and ? is no question to anybody; what the config adds is silence too."""
    quiet = [state("speed", "TBD"), state("speed", "to be confirmed"), memory("speed is unknown"), memory("speed: ?"),
             entity("Parameter", {"parameter_name": "speed", "value": "N/A"}), entity("Parameter", {"parameter_name": "speed", "value": "5 m/s"}),
             memory("role: TBD", "identity"), memory("role: pilot", "identity"),
             memory("prefers unknown workflow", "preference"), memory("prefers rebase workflow", "preference")]
    check(m, quiet, [])
    m.facts(state("speed", "Folgt."), name="more.jsonl")
    assert len(m.sweep()) == 1
    m.write("mirror.yml", "rules:\n  silence: [folgt]\n")
    assert m.sweep()[0]["disputed"] is False


def test_gaps_are_listed_on_demand(m):
    """Counted on the overview, in no list of findings."""
    m.facts(project("p05", name="Spindle"), state("spindle speed", "TBD", id="s1"), memory("spindle speed is unknown", id="m1"), state("mass", "n/a", id="s2"),
            memory("mass is 3 kg"), state("cost", "?", project="p06", id="s3"), state("secret", "TBD", "hidden"))
    m.sweep()
    out = m.run("health", "--gaps").out
    assert "p05 / spindle_speed: not known yet, say the state and the memory\n" in out and "p06 / cost" in out and "mass" not in out
    got = m.run("--format", "json", "health", "--gaps", "--project", "spindle").json()
    gap, hidden = got["findings"][1], got["findings"][0]
    assert got["count"] == 2 and hidden["rows"] != gap["rows"] == ["project_state:s1", "memory:m1"]
    assert (gap["kind"], gap["severity"], gap["rule"], gap["project"]) == ("gap", "info", "slot/gap", "p05")
    assert m.run("--format", "json", "health").json()["gaps"] == 3 and m.run("--format", "json", "health").json()["findings"] == 0
    assert "3 values not known yet" in m.run("health").out
    assert m.run("--format", "json", "health").json()["projects"] == 2, "one is only named by rows"
    m.fails("health", "--project", "p05", has=["--gaps"])
    m.fails("health", "--gaps", "--project", "p99", has=["p99"])
    m.write("mirror.yml", "publish:\n  exclude:\n    types: [hidden]\n")
    m.run("build")
    assert "Not known yet: 1 value; `hmirror health --gaps` lists them." in m.text("site", "projects", "p05", "README.md")
    assert json.loads(m.text("site", "health.json"))["gaps_count"] == 2
    assert json.loads(m.text("site", "health.json"))["findings_count"] == 0
    m.facts(state("spindle speed", "5 m/s", project="p05"), name="known.jsonl")
    m.run("build")
    assert "Not known yet" not in m.text("site", "projects", "p05", "README.md")


def test_version_is_text(m):
    check(m, [parameter("3.10", "python version"), parameter("3.1", "python version")],
          [("entity_slot", [("entity", "3.10", False), ("entity", "3.1", False)])])


def test_objects_are_compared_name_by_name(m):
    check(m, [parameter({"width": "4 mm", "a": {"b": [1, 2]}}, "x"), parameter({"a": {"b": [2, 1]}, "Width": "0.4 cm", "c": 1}, "x")], [])
    assert m.run("--format", "json", "health").json()["findings"] == 0
    c, = check(m, [parameter({"width": "4 mm", "a": 1}, "y"), parameter({"width": "5 mm", "b": 2}, "y")],
               [("entity_slot", [("entity", '{"width":"4 mm","a":1}', False), ("entity", '{"width":"5 mm","b":2}', False)])])
    assert "differ in: width: 5 mm, 4 mm" in told(m, c)


def test_arrays_have_an_order_where_the_field_means_one(m):
    m.write("mirror.yml", "rules: { ordered_fields: [queue] }\n")
    rows = [state("boot order", ["a", "b"], category="x"), parameter(["b", "a"], "boot order"),
            state("night queue", ["a", "b"], category="x"), parameter(["b", "a"], "night queue")]
    c, = check(m, rows, [("cross_layer", [("project_state", '["a","b"]', False), ("entity", '["b","a"]', True)])])
    assert c["slot_key"][1] == "night_queue" and "in order from place 1 on: \"b\", \"a\"" in told(m, c)
    m.write("mirror.yml", "")
    assert [c["slot_key"][1] for c in m.sweep() if c["disputed"]] == ["boot_order"]


def test_an_array_takes_the_unit_of_its_row(m):
    def many(value, unit=None, name="shims"):
        return entity("Parameter", {"value": value, **({"unit": unit} if unit else {})}, name)
    check(m, [many([1, 2, 3], "mm"), many(["3 mm", "0.1 cm", "2 mm"]), many(["1 mm", "wide"], "mm", "mixed"), many(["1 mm", "wide"], None, "mixed")], [])
    m.facts(many([1, 2], "cm", "pads"), many(["1 mm", "2 mm"], None, "pads"))
    c, = m.sweep()
    assert [v for _, v, _ in kinds(c)] == ["[1,2] cm", '["1 mm","2 mm"]'], kinds(c)


def test_elements_are_compared_as_values_are(m):
    check(m, [state("review dates", ["2026-04", "2026-05-01"]), parameter(["2026-05-01", "2026-04-12"], "review dates"),
              state("audit dates", ["2026-04"]), parameter(["2026-05-12"], "audit dates")],
          [("cross_layer", [("project_state", '["2026-04"]', False), ("entity", '["2026-05-12"]', True)])])


def test_a_tolerance_holds_for_times(m):
    m.write("mirror.yml", "rules:\n  tolerance:\n    - {slot: review start, value: 5 min}\n    - {slot: gate opens, value: 1 h}\n"
                          "    - {slot: run time, value: 2 min}\n")
    rows = [state("review start", "2026-04-02T09:00Z"), parameter("2026-04-02 09:04", "review start"),
            state("gate opens", "09:00"), parameter("9:45 am", "gate opens"),
            state("run time", "1 h 30 min"), parameter("91 min", "run time"),
            state("gate closes", "09:00"), parameter("09:04", "gate closes")]
    check(m, rows, [("cross_layer", [("project_state", "09:00", False), ("entity", "09:04", True)])])
    m.facts(parameter("2026-04-02T09:06Z", "review start"))
    late, = (c for c in m.sweep() if c["slot_key"][1] == "review_start")
    assert "not within the tolerance of 5 min" in told(m, late) and "within the tolerance of 5 min" in told(m, late)


def test_a_tolerance_that_matches_nothing_is_told(m):
    m.write("mirror.yml", "rules:\n  tolerance:\n    - {slot: gap, value: 5 mm}\n    - {slot: gpa, value: 5 mm}\n    - {slot: gap, value: 1 mm}\n")
    m.facts(state("gap", "5 mm"))
    want = ["hmirror: mirror.yml: rules.tolerance: 'gpa' matches nothing in hmirror.db: no row speaks of such a slot",
            "hmirror: mirror.yml: rules.tolerance: 'gap' is given twice; the first holds"]
    for verb in ("sweep", "build", "check"):
        r = m.run(verb)
        assert [x for x in r.err.splitlines() if "rules.tolerance" in x] == want, (verb, r.err)


def test_explain_says_what_was_folded(m):
    """Values that agree in another spelling, beside one that does not; and a conflict whose members agree by now."""
    pairs = {"delay": ("30 s", "30000 ms", "31 s", "both are 30 seconds"), "total": ("1,000", 1000, 7, "both are 1,000"),
             "start": ("2026-04-02", "2 April 2026", "2026-04-03", "both are 2 April 2026"),
             "armed": ("yes", True, False, "yes and true are true here"),
             "parts": (["a", "b", "c"], "c, b and a", ["d"], "both list the same three things")}
    for slot, (a, b, other, _) in pairs.items():
        m.facts(state(slot, a), parameter(b, slot), parameter(other, slot, id=f"{slot}-other"))
    by_slot = {c["slot_key"][1]: c for c in m.sweep()}
    for slot, (*_, words) in pairs.items():
        assert words in told(m, by_slot[slot]), (slot, told(m, by_slot[slot]))
    m.run("build")
    page = "".join(d.decode() for n, d in m.site_bytes("site") if n == f"conflicts/{by_slot['delay']['id']}.html")
    assert "both are 30 seconds" in page
    m.facts(parameter("0.5 min", "delay", id="delay-other"))
    gone = {c["slot_key"][1]: c for c in m.sweep()}["delay"]
    assert not gone["disputed"] and "both are 30 seconds" in told(m, gone), told(m, gone)


def test_fields_of_releases_keep_their_zeros(m):
    words = ("version", "release", "latest", "tag", "revision", "build", "firmware", "gain")
    m.facts(*(state(f"pump {w}", v, category=c) for w in words for c, v in (("a", "18.1"), ("a", "18.10"))))
    assert sorted(c["slot_key"][1] for c in m.sweep()) == sorted(f"pump_{w}" for w in words if w != "gain")


def test_windows(m):
    check(m, [state("owner", "A", valid_from="2025", valid_until="2026-03"), state("owner", "B", valid_from="2026-03")], [])


def test_windows_overlap(m):
    check(m, [state("owner", "A", valid_from="2025", valid_until="2026-03-02"), state("owner", "B", valid_from="2026-03-01")],
          [("state_slot", [("project_state", "A", False), ("project_state", "B", False)])])


def test_since(m):
    c, = check(m, [decision("A", created_at="2026-04-02T09:00:00Z"), decision("B", created_at="2026-03-01T09:00:00Z")],
               [("entity_slot", [("entity", "A", False), ("entity", "B", False)])])
    assert c["since"] == "2026-04-02T09:00:00Z", c["since"]


def test_tolerance(m):
    m.write("mirror.yml", "rules:\n  tolerance:\n    - slot: frame_mass\n      value: 0.05 kg\n")
    check(m, [entity("Subsystem", {"subsystem_name": "frame", "mass": v}) for v in ("4.8 kg", "4820 g")], [])


def test_sweep_twice(m):
    m.facts(decision("A"), decision("B"))
    m.run("sweep")
    before = [m.sql(f"SELECT * FROM {t}") for t in ("conflicts", "conflict_members", "findings", "journal")]
    m.run("sweep")
    after = [m.sql(f"SELECT * FROM {t}") for t in ("conflicts", "conflict_members", "findings", "journal")]
    assert before == after
    assert m.sql("SELECT count(*) FROM sweep_runs") == [(2,)]


def settle(m, id, status, action=None):
    m.sql("UPDATE conflicts SET status=?, action=?, resolved_at='2026-05-01T10:00:00Z', resolution='seen', resolved_by='ann' WHERE id=?",
          status, action, id)


def test_dismissed_stays_quiet_until_a_third_value(m):
    m.facts(decision("A", id="e1"), decision("B", id="e2"))
    c, = m.sweep()
    settle(m, c["id"], "dismissed")
    assert m.sweep() == []
    m.facts(decision("C", id="e3"))
    d, = m.sweep()
    assert d["id"] != c["id"] and len(d["members"]) == 3
    assert len(m.conflicts("all")) == 2


def test_dismissed_value_that_changes(m):
    m.facts(decision("A", id="e1"), decision("B", id="e2"))
    c, = m.sweep()
    settle(m, c["id"], "dismissed")
    m.facts(decision("b.", id="e2"))
    assert m.sweep() == [], "the same value in another spelling is no news"
    m.facts(decision("B2", id="e2"))
    assert len(m.sweep()) == 1


def test_no_action_stays_quiet(m):
    m.facts(decision("A"), decision("B"))
    c, = m.sweep()
    settle(m, c["id"], "resolved", "no_action")
    assert m.sweep() == []


def test_settled_twice_keeps_both(m):
    m.facts(decision("A", id="e1"), decision("B", id="e2"))
    c, = m.sweep()
    settle(m, c["id"], "dismissed")
    m.facts(decision("C", id="e3"))
    d, = m.sweep()
    settle(m, d["id"], "dismissed")
    assert m.sweep() == []
    m.run("build")
    years = m.text("site", "conflicts", "archive", "2026.md")
    assert c["id"] in years and d["id"] in years


def test_no_longer_disputed_waits_for_sign_off(m):
    m.facts(decision("A", id="e1"), decision("B", id="e2"))
    c, = m.sweep()
    m.facts(decision("A", id="e2"))
    d, = m.sweep()
    assert d["id"] == c["id"] and d["status"] == "open" and d["disputed"] is False
    m.run("build")
    for path, data in m.site_bytes("site"):
        assert "⚠ disputed](".encode() not in data and b'class="disputed"' not in data, path
    assert c["id"] in m.text("site", "conflicts", "README.md")
    h = json.loads(m.text("site", "health.json"))
    assert h["open_conflicts_count"] == 1 and h["disputed_count"] == 0


def test_third_row_joins_the_open_conflict(m):
    m.facts(decision("A"), decision("B"))
    c, = m.sweep()
    m.facts(state("lateral_support_material", "C"))
    d, = m.sweep()
    assert d["id"] == c["id"] and d["slot_kind"] == "cross_layer" and len(d["members"]) == 3


def test_rebuilt_store_has_the_same_ids(m):
    rows = [decision("A", id="e1"), decision("B", id="e2")]
    m.facts(*rows)
    a, = m.sweep()
    os.unlink(m.path("hmirror.db"))
    os.unlink(m.path("mirror.yml"))
    m.facts(*reversed(rows))
    b, = m.sweep()
    assert a["id"] == b["id"]


def test_unreadable_rows_stop_nothing(m):
    m.facts(decision("A"), decision("B"))
    m.sql("INSERT INTO entities(id, entity_type, name, project, properties) VALUES('bad', 'Parameter', 'x', 'p05', 'no json')")
    m.sql("INSERT INTO project_state(id, project, category, key, value, valid_from) VALUES('when', 'p05', 'c', 'k', 'v', 'soon')")
    assert len(m.sweep()) == 1
    h = m.run("--format", "json", "health").json()
    assert h["findings"] == 2, h
    m.run("build")


def test_explain(m):
    m.facts(parameter("30 s", "exposure", id="e1"), parameter("31 s", "exposure", id="e2"))
    c, = m.sweep()
    out = m.run("explain", c["id"]).out
    for part in ("slot/1", "entity:e1", "entity:e2", "30 s", "31 s", "1 s"):
        assert part in out, f"{part} is not in\n{out}"


def test_a_question_is_answered_from_what_is_recorded(m):
    """By the tables that a sweep leaves behind, in the same words as by a sweep; never older than the store."""
    m.facts(parameter("30 s", "exposure", id="e1"), parameter("31 s", "exposure", id="e2"),
            *(parameter(f"{i} s", f"gain {i // 2}", id=f"g{i}") for i in range(100)))
    m.run("sweep")
    c = next(c for c in m.conflicts() if "exposure" in c["slot_key"][1])["id"]
    lists = [["conflicts", "list"], ["conflicts", "list", "--project", "p05"], ["conflicts", "list", "--source", "drawing 4"],
             ["--format", "json", "conflicts", "list", "--status", "all"], ["conflicts", "show", c], ["--format", "json", "conflicts", "show", c[:9]],
             ["findings"], ["--format", "json", "findings", "--all"]]
    def asked():
        return [(r.code, r.out, r.err) for r in (m.run(*words, code=None) for words in lists)]
    def rows_read():
        return [" rows read" in m.run("-v", *words, code=None).err for words in lists]
    recorded = asked()
    assert not any(rows_read())
    m.sql("UPDATE swept SET version = NULL")
    assert asked() == recorded and all(rows_read())
    m.run("sweep")
    m.sql("INSERT INTO project_state (id, project, key, value) VALUES ('x1', 'p05-interferometer', 'new one', '1'),"
          " ('x2', 'p05-interferometer', 'new one', '2')")
    assert all(rows_read()) and "1 dispute is not recorded yet" in asked()[0][2]
    m.sql("UPDATE entities SET properties = replace(properties, '31 s', '30 s') WHERE id = 'e2'")
    assert "awaiting sign-off" in m.run("conflicts", "show", c).out


def test_other_tolerances_are_swept(m):
    m.facts(parameter("30 s", "exposure", id="e1"), parameter("31 s", "exposure", id="e2"))
    c, = m.sweep()
    m.write("mirror.yml", f"rules:\n  tolerance:\n    - slot: {c['slot_key'][1]}\n      value: 2 s\n")
    r = m.run("-v", "conflicts", "show", c["id"])
    assert "awaiting sign-off" in r.out and " rows read" in r.err, r.out + r.err
    m.run("sweep")
    r = m.run("-v", "conflicts", "show", c["id"])
    assert "awaiting sign-off" in r.out and " rows read" not in r.err, r.out + r.err


def test_an_empty_list_says_so(m):
    m.run("init")
    assert m.run("conflicts", "list").out == "No open conflicts.\n"
    assert m.run("conflicts", "list", "--status", "dismissed").out == "No dismissed conflicts.\n"
    for quiet in (["-q"], ["--format", "json"]):
        assert m.run("conflicts", "list", *quiet).err == ""



def test_by_source(m):
    """Exactly as the rows write it: an element of source_refs, the whole source of a state, an agent; and what answers say that gave a row."""
    m.facts(project("p05"), state("area", "1 m2", id="s1", source="review"), state("area", "2 m2", id="s2", source="review 2"),
            decision("PEEK", id="e1", source_refs=["chat:1", "meeting"]), decision("POM", id="e2", source_refs=["chat:2"]),
            parameter("5 mm", "gap", id="e3", source_refs=["chat:3"]))
    m.sweep()

    def listed(source, *more):
        d = m.run("conflicts", "list", "--source", source, "--format", "json", *more).json()
        assert d["count"] == len(d["conflicts"])
        return [c["slot_key"][1] for c in d["conflicts"]]
    assert listed("review") == listed("review 2") == ["area"]
    assert listed("chat:2") == listed("meeting") == ["lateral_support_material"]
    assert listed("chat:3") == [] and listed("review", "--status", "resolved") == []
    assert m.run("conflicts", "list", "--source", "review").out.splitlines()[-1] == "1 conflict has a row of this source."
    m.fails("conflicts", "list", "--source", "meetign", has=["no row has this source", "nearest: meeting"])
    m.fails("conflicts", "list", "--source", "chat", has="no row has this source")
    m.fails("conflicts", "list", "--source", "", has="it is empty")
    m.facts(memory("The lid colour is red.", id="m1", agent="codex", project="p05"), memory("The lid colour is blue.", id="m2", project="p05"), name="lids.jsonl")
    m.sweep()
    given = json.loads(m.run("show", "m2", "--format", "json").out)["given_by"]
    assert given == "lids.jsonl" and listed("codex") == listed(given) == ["lid_color"] and sorted(listed("facts.jsonl")) == ["area", "lateral_support_material"]
    m.fails("conflicts", "list", "--source", "codec", has=["no row has this source", "nearest: codex"])
    # A row that nobody has swept yet takes part as well.
    m.facts(state("area", "3 m2", id="s3", source="chat:3"), name="more.jsonl")
    assert listed("chat:3") == ["area"]
    m.run("conflicts", "resolve", m.conflicts()[0]["id"], "--winner", "s1", "--notes", "x")
    assert listed("review 2") == [] and listed("review 2", "--status", "all") == ["area"]


def test_exit_codes_count_what_no_sweep_recorded(m):
    m.facts(project("p"), state("size", "1 m"))
    m.sweep()
    for words in (["health"], ["conflicts", "list"], ["findings"]):
        assert m.run(*words, "--exit-code").err == ""
    m.facts(memory("size: 2 m"), {"kind": "relation", "id": "r1", "type": "PART_OF", "from": "entity:nowhere", "to": "entity:nobody", "project": "p"}, name="more.jsonl")
    m.run("conflicts", "list", "--exit-code", code=1)
    m.run("conflicts", "list", "--status", "dismissed", "--exit-code")
    r = m.run("health", "--exit-code", code=1)
    assert "1 dispute is not recorded yet" in r.err and "a sweep would find 2 findings now" in r.err, r.err
    m.run("sweep")
    assert m.run("health", "--exit-code", code=1).err == ""


def test_a_text_is_marked_for_each_of_its_claims(m):
    """Also if only its second claim is disputed, and for each conflict once."""
    m.facts(project("p"), memory("The API timeout is 30 s and the queue limit is 10.", id="m1", project="p"),
            state("queue_limit", "20", project="p"))
    c, = m.sweep()
    m.run("build")
    line = lambda: next(x for x in m.text("site", "projects/p/memories/undated.md").splitlines() if "memory-m1" in x)
    assert line().count("⚠ disputed") == 1 and f"conflicts/{c['id']}.md" in line(), line()
    m.facts(state("api_timeout", "45 s", project="p"), name="more.jsonl")
    two = {x["id"] for x in m.sweep()}
    m.run("build")
    assert line().count("⚠ disputed") == 2 and len(two) == 2 and all(f"conflicts/{id}.md" in line() for id in two), line()
    m.run("conflicts", "dismiss", c["id"], "--reason", "another queue")
    m.run("build")
    assert line().count("⚠ disputed") == 1 and "no contradiction" in line(), line()


def test_health_as_recorded(m):
    """What a sweep recorded tells the same as a sweep: rows, odd times, silence, gaps, findings, what a later statement settled."""
    m.facts(project("p05"), state("mass", "4 kg", id="s1"), memory("The mass is 5 kg", "knowledge", "p05", id="m1"), state("spindle", "TBD", id="s2"),
            memory("Nothing to be read here, really", "episodic", "p05", id="m2"), memory("Somebody said so", "lore", "elsewhere", id="m3"),
            {"kind": "relation", "id": "r1", "type": "PART_OF", "from": "nobody", "to": "nothing"},
            {"kind": "link", "src": "memory:m1", "dst": "project_state:s1", "rel": "refines"},
            *(state(f"late {i}", "1", id=f"z{i:02}", created_at="2999-01-01T00:00:00Z") for i in range(12)))
    m.sql("UPDATE memories SET status = 'dropped', valid_from = 'soon' WHERE id = 'm2'")
    m.sql("UPDATE project_state SET superseded_at = 'never' WHERE id IN ('s2', 'z03')")
    m.sweep()
    found = m.run("findings", "list", "--format", "json").json()["findings"]
    m.run("findings", "ack", found[0]["id"], "--reason", "meant so")
    m.sweep()
    recorded, said = m.run("health", "--format", "json").json(), m.run("health").out
    assert recorded["disputed_count"] == 1 and recorded["gaps"] == 1 and recorded["acknowledged"] == 1 and recorded["projects"] == 3, recorded
    assert recorded["rows"]["memory"] == {"candidate": 0, "active": 2, "superseded": 0, "invalid": 0, "graduated": 0, "other": 1} and recorded["links"] == 1
    assert recorded["rows"]["project_state"]["active"] == 14 and recorded["ahead_of_clock"]["count"] == 12
    assert [t["row"] for t in recorded["ahead_of_clock"]["times"]] == [f"project_state:z{i:02}" for i in range(10)]
    assert recorded["unknown"]["statuses"] == [{"kind": "memory", "column": "status", "value": "dropped", "rows": 1}]
    assert recorded["unknown"]["times"] == [{"kind": "memory", "column": "valid_from", "value": "soon", "rows": 1, "id": "m2"},
                                            {"kind": "project_state", "column": "superseded_at", "value": "never", "rows": 2, "id": "s2"}]
    assert recorded["journal"] == m.sql("SELECT count(*) FROM journal")[0][0] and recorded["last_sweep"] == m.sql("SELECT max(finished_at) FROM sweep_runs")[0][0]
    assert recorded["silent"]["memory"] == {"active": 2, "silent": 1, "types": recorded["silent"]["memory"]["types"]} and len(recorded["silent"]["memory"]["types"]) == 2
    m.sql("UPDATE swept SET version = NULL, told = NULL")
    assert m.run("health", "--format", "json").json() == recorded and m.run("health").out == said
    m.sql("UPDATE memories SET content = 'The mass is 4 kg' WHERE id = 'm1'")
    assert m.run("health", "--format", "json").json()["disputed_count"] == 0, "never older than the store"


def test_the_type_of_an_entity_says_what_its_values_are(m):
    """A number of a room is a code, its width is none; a value of a setpoint is a temperature."""
    m.write("mirror.yml", "rules:\n  slots:\n    Room: name\n    Setpoint: name\n    Widget: name\n")
    two = lambda type, name, *props: [entity(type, p, name, id=f"{name}{i}") for i, p in enumerate(props)]
    m.facts(*two("Room", "attic", {"number": "1.10", "width": "1.10"}, {"number": "1.1", "width": "1.1"}),
            *two("Setpoint", "oven", {"value": "60 C"}, {"value": "140 F"}),
            *two("Widget", "knob", {"number": "1.10"}, {"number": "1.1"}),
            *two("Widget", "dial", {"value": "60 C"}, {"value": "140 F"}))
    assert [c["slot_key"][1] for c in m.sweep()] == ["room_attic_number", "widget_dial_value"]


def test_health_checks_the_file_when_asked(m):
    """A question about the store reads little of it; --check reads all, and finds a page that is damaged."""
    m.facts(state("mass", "4 kg", id="s1"))
    m.sweep()
    assert "sound" not in m.run("health").out and "sound, 1 project" in m.run("health", "--check").out
    assert m.run("health", "--check", "--format", "json").json()["integrity_ok"] is True
    (root,), (size,) = m.sql("SELECT rootpage FROM sqlite_master WHERE name = 'journal_reopened'")[0], m.sql("PRAGMA page_size")[0]
    with open(m.path("hmirror.db"), "r+b") as f:
        f.seek((root - 1) * size)
        f.write(bytes(size))
    m.run("health")
    m.fails("health", "--check", has="SQLite finds it damaged")


def test_lists_from_what_is_recorded_are_those_of_a_sweep(m):
    """By rows, of rows, and what superseded what: after a sweep from its record, else by a sweep."""
    m.facts(project("p05-interferometer", "p05"), project("p06", "p06"), *[decision(v, id=f"d{v}") for v in "ABC"],
            state("mass", "4 kg", id="s1", source="scale"), memory("The mass is 5 kg.", id="m1"),
            state("mass", "4 kg", "x", project="p06", id="s2"), memory("The mass is 6 kg.", project="p06", id="m2"),
            memory("The mass is 7 kg.", project="p06", id="m3", status="candidate"))
    of = {c["project"]: c["id"] for c in m.sweep() if "mass" in c["slot_key"][-1]}
    m.run("conflicts", "resolve", of["p06"], "--winner", "s2", "--notes", "weighed", "--by", "kim")
    asked = [["conflicts", "list", *how, *more] for more in ([], ["--project", "p06"], ["--touching", "s1"], ["--touching", "entity:dB"],
                                                            ["--source", "scale", "--touching", "m1"])
             for how in ([], ["--status", "all"], ["--superseded"])]
    asked += [["list", *more] for more in ([], ["memory"], ["--project", "p06"], ["--status", "superseded"], ["--status", "candidate"])]
    answers = lambda: [m.run(*cmd, "--format", f).out for cmd in asked for f in ("text", "json")]
    m.run("sweep")
    recorded = answers()
    assert m.sql("SELECT count(*) FROM swept") == [(1,)]
    m.sql("DELETE FROM swept")
    assert recorded == answers()
    assert "memory:m2" in m.run("conflicts", "list", "--superseded").out
    for row, rows in (("s1", 1), ("m2", 0), ("entity:dB", 1)):
        assert len(m.run("conflicts", "list", "--touching", row, "--format", "json").json()["conflicts"]) == rows, row


if __name__ == "__main__":
    main(globals())
