#!/usr/bin/env python3
"""Times of worlds: eras of world.yml, years before Christ, approximate times, end to end."""
from harness import *

WORLD = """\
worlds:
  - {world: middle, current: 4th_age.year_10, approximate: 5}
eras:
  - {world: middle, era: 2nd_age, ends: year_3441}
  - {world: middle, era: 3rd_age, begins: year_1, ends: year_3021}
  - {world: middle, era: 4th_age}
"""


def world(m, text=WORLD):
    m.write("world.yml", text)


def rule(key, value, **more):
    return state(key, value, project="middle", **more)


def disputed(m):
    m.run("sweep")
    listed = m.run("--format", "json", "conflicts", "list").json()["conflicts"]
    return sorted(c["slot_key"][-1] for c in listed if c["disputed"])


def findings(m, kind):
    return [tuple(r) for r in m.sql("SELECT rule, rows FROM findings WHERE kind = '%s'" % kind)]


def test_eras_contradict_by_their_order(m):
    world(m)
    m.facts(rule("gondor", "Denethor", valid_from="3rd_age.year_2984", valid_until="3rd_age.year_3019"),
            rule("gondor", "Aragorn", valid_from="3rd_age.year_3019"),
            rule("arnor", "Elendil", valid_from="2nd_age.year_3320", valid_until="2nd_age.year_3441"),
            rule("arnor", "Isildur", valid_from="2nd_age.year_3430", valid_until="3rd_age.year_2"),
            rule("rohan", "Eorl", id="eorl", valid_from="3rd_age", valid_until="3rd_age.year_2800"),
            rule("rohan", "Helm", id="helm", valid_from="3rd_age.year_2741", valid_until="current"),
            rule("dale", "Girion", id="girion", valid_from="3rd_age.year_100", valid_until="3rd_age"),
            rule("dale", "Bard", id="bard", valid_from="3rd_age.year_2941", valid_until="current"),
            rule("shire", "Bucca", valid_from="about 3rd_age.year_1979"),
            rule("shire", "Bandobras", valid_from="1747"))
    assert disputed(m) == ["arnor", "rohan"], "whenever Eorl began, he held just before year 2800"
    assert findings(m, "possible_overlap") == [
        ("slot/overlap", '["project_state:bard","project_state:girion"]')]
    m.run("build")
    page = m.text("site/projects/middle/state.md")
    assert "about 3rd_age" in page and "2nd_age" in page


def test_a_relation_is_of_the_world_that_it_comes_from(m):
    world(m)
    rules = {"kind": "relation", "type": "RULES", "to": "gondor"}
    m.facts(*(entity("Person", {}, who, id=who, project="middle") for who in ("steward", "king")),
            entity("Location", {}, "Gondor", id="gondor", project="middle"),
            {**rules, "id": "r1", "from": "steward", "valid_from": "3rd_age.year_2050",
             "valid_until": "3rd_age.year_3019"},
            {**rules, "id": "r2", "from": "king", "valid_from": "3rd_age.year_3018"})
    assert disputed(m) == ["gondor"], disputed(m)
    assert findings(m, "ontology_violation") == []


def test_a_calendar_comes_with_export_and_import(m):
    world(m)
    m.facts(rule("gondor", "Denethor", id="d", valid_from="3rd_age.year_2984", valid_until="3rd_age"),
            rule("gondor", "Mardil", id="m", valid_from="3rd_age"))
    m.run("export", "-o", "all.jsonl")
    assert m.text("all.jsonl").startswith('{"kind":"world","text":"worlds:\\n')
    other = m.path("other")
    os.mkdir(other)
    again = ["-C", other]
    m.run(*again, "import", "--dry-run", m.path("all.jsonl"))
    assert not os.path.exists(other + "/world.yml")
    m.run(*again, "import", m.path("all.jsonl"))
    assert open(other + "/world.yml").read() == WORLD
    assert m.run(*again, "export").out == m.text("all.jsonl")
    m.write("other/world.yml", WORLD + "# mine\n")
    assert "stays as it is" in m.run(*again, "import", m.path("all.jsonl")).err
    assert open(other + "/world.yml").read().endswith("# mine\n")
    m.write("bad.jsonl", '{"kind":"world","text":"worlds: [1"}\n')
    m.write("third/x", "")
    said = m.run("-C", m.path("third"), "import", m.path("bad.jsonl"), code=2).err
    assert "world.yml:1" in said, said
    m.write("bad.jsonl", json.dumps({"kind": "world", "text": WORLD + "#" * (1 << 20)}) + "\n")
    said = m.run("-C", m.path("third"), "import", m.path("bad.jsonl"), code=2).err
    assert "longer than 1048576 bytes" in said, said
    assert not os.path.exists(m.path("third/world.yml"))


def test_a_changed_calendar_is_another_sweep(m):
    world(m)
    m.facts(rule("x", "a", valid_from="3rd_age.year_5", valid_until="3rd_age.year_9"),
            rule("x", "b", valid_from="2nd_age.year_1", valid_until="2nd_age.year_9"))
    assert disputed(m) == []
    world(m, "eras:\n  - {world: middle, era: 3rd_age, begins: 0001}\n"
             "  - {world: middle, era: 2nd_age, begins: 0001}\n")
    assert disputed(m) == ["x"]
    os.unlink(m.path("world.yml"))
    assert disputed(m) == []
    assert len([f for f in findings(m, "ontology_violation") if f[0] == "row/window"]) == 2
    world(m, "eras:\n  - {world: middle, era: 3rd_age, begin: 0001}\n")
    m.fails("sweep", has="world.yml:2: eras[0].begin: unknown key")


def test_before_christ_and_about(m):
    m.facts(state("consul", "Caesar", valid_from="59 BC", valid_until="44 BC"),
            state("consul", "Antonius", valid_from="-0043", valid_until="42 BC"),
            state("king", "Harold", valid_from="1066", valid_until="about 1066 ± 5"),
            state("king", "William", valid_from="about 1066 ± 5", valid_until="1087"),
            state("pope", "Urban", valid_from="c. 1088 ± 1", valid_until="1099"),
            state("pope", "Clement", valid_from="1080", valid_until="1100"))
    assert disputed(m) == ["pope"]
    listed = m.run("--format", "json", "conflicts", "list").json()["conflicts"]
    assert listed[0]["window"] == ["c. 1088 ± 1", "1099"], listed
    m.run("build")
    assert "c. 1088 ± 1 to 1099" in m.text("site/projects/p05/state.md")


def test_two_calendars_in_one_row(m):
    world(m)
    m.facts(rule("x", "a", id="s1", valid_from="1066", valid_until="3rd_age.year_9"), rule("x", "b"))
    assert disputed(m) == []
    assert ("row/window", '["project_state:s1"]') in findings(m, "ontology_violation")


def test_import_takes_eras_and_no_slips(m):
    record = '{"kind":"project_state","id":"s1","project":"middle","key":"x","value":"a","valid_from":"%s"}\n'
    m.fails("import", "-", stdin=(record % "3rd_age").encode(), has='not a time: "3rd_age"')
    world(m)
    m.fails("import", "-", stdin=(record % "soon").encode(), has='not a time: "soon"')
    m.fails("import", "-", stdin=(record.replace("valid_from", "created_at") % "44 BC").encode(), has="not a time")
    m.run("import", "-", stdin=(record % "3rd_age").encode())
    first = m.run("export").out
    os.unlink(m.path("world.yml"))
    m.sql("DELETE FROM project_state")
    m.run("import", "-", stdin=first.encode())
    assert m.run("export").out == first
    assert m.sql("SELECT valid_from FROM project_state") == [("3rd_age",)]


def test_a_write_is_told_at_once_and_a_verdict_stays(m):
    world(m)
    m.facts(rule("gondor", "Denethor", id="s1", valid_from="3rd_age.year_2984", valid_until="3rd_age.year_3019"))
    m.run("sweep")
    m.run("add", "state", "-p", "middle", "--category", "fact", "--id", "s2", "--valid-from", "3rd_age.year_3000", "gondor", "Boromir")
    assert disputed(m) == ["gondor"]
    conflict = m.run("--format", "json", "conflicts", "list").json()["conflicts"][0]["id"]
    m.run("conflicts", "dismiss", conflict, "--reason", "a legend")
    assert disputed(m) == []
    m.facts(rule("gondor", "Faramir", id="s3", valid_from="3rd_age.year_3010"))
    assert disputed(m) == ["gondor"]


if __name__ == "__main__":
    main(globals())
