#!/usr/bin/env python3
"""Anachronisms, births and deaths, circles: from the command to the record and the pages."""
from harness import *

MIDDLE = """\
worlds:
  - {world: aldoria, current: 4th_age.year_10, parent_age: 16, born_after_death: 2}
eras:
  - {world: aldoria, era: 2nd_age, ends: year_3441}
  - {world: aldoria, era: 3rd_age, begins: year_1, ends: year_3021}
  - {world: aldoria, era: 4th_age}
"""


def being(id, type="Person", **properties):
    return {"kind": "entity", "id": id, "entity_type": type, "project": "aldoria", "name": id.title(), "properties": properties}


def relation(id, type, a, b, since=None, until=None, **kw):
    r = {"kind": "relation", "id": id, "type": type, "project": "aldoria", "from": a, "to": b, **kw}
    return {**r, **({"valid_from": since} if since else {}), **({"valid_until": until} if until else {})}


def swept(m, *rows):
    """Findings on time, lives and circles as (rule, reason, severity, rows without their kinds)."""
    m.facts(project("aldoria"), *rows)
    return told(m)


def told(m):
    findings = m.run("sweep", "--format", "json").json()["findings"]
    return [(f["rule"], f["reason"], f["severity"], [r.split(":", 1)[1] for r in f["rows"]]) for f in findings
            if f["rule"].split("/")[0] in ("time", "life", "circle")]


def test_before_and_after(m):
    rows = [being("aldric", birth="0280", death="0345"), being("spire", "Event", date="0140"), being("fall", "Event", date="0400"),
            being("siege", "Event", date="0300"), being("guild", "Faction", founded="0300"), being("cole"),
            *(relation("p%d" % i, "PARTICIPATED_IN", "aldric", e) for i, e in enumerate(("spire", "fall", "siege"))),
            relation("p3", "PARTICIPATED_IN", "cole", "spire"), relation("g1", "MEMBER_OF", "aldric", "guild")]
    assert sorted(swept(m, *rows)) == [("time/existed-after", "EXISTED_AFTER", "error", ["p1", "aldric", "fall"]),
                                       ("time/existed-before", "EXISTED_BEFORE", "error", ["p0", "aldric", "spire"])]
    findings = {f["rule"]: f for f in m.run("sweep", "--format", "json").json()["findings"]}
    before = findings["time/existed-before"]
    assert (before["kind"], before["expected"], before["actual"]) == ("anachronism", "0280 to 0345", "0140"), before
    m.run("build")
    overview = m.text("site", "projects/aldoria/README.md")
    assert "\n- Aldric PARTICIPATED_IN Spire: this needs Aldric in 0140, before it existed" in overview and "EXISTED_" not in overview
    assert "EXISTED_" not in m.text("site", "findings/README.md") and "EXISTED_BEFORE" in m.text("site", "findings.json"), "programs read the code"
    m.facts(being("aldric", birth="0130", death="0400"))
    assert told(m) == [], told(m)


def test_windows_and_gaps(m):
    rows = [being("zed", "Deity"), being("fall", "Event", date="0350"), relation("w1", "EXISTED_DURING", "zed", "zed", "0300", "0345"),
            relation("w2", "EXISTED_DURING", "zed", "zed", "0400", "0460"), relation("p1", "PARTICIPATED_IN", "zed", "fall")]
    assert swept(m, *rows) == [("time/existed-during-mismatch", "EXISTED_DURING_MISMATCH", "warn", ["p1", "zed", "fall", "w1", "w2"])]
    assert swept(m, relation("w2", "EXISTED_DURING", "zed", "zed", "0345", "0460")) == []


def test_calendars(m):
    m.write("world.yml", MIDDLE)
    rows = [being("aldric", birth="3rd_age.year_340", death="3rd_age.year_380"), being("fall", "Event", era="3rd_age"),
            being("dawn", "Event", era="2nd_age"), being("noon", "Event", year=345, era="3rd_age"),
            *(relation("p%d" % i, "WITNESSED", "aldric", e) for i, e in enumerate(("fall", "dawn", "noon")))]
    assert swept(m, *rows) == [("time/existed-before", "EXISTED_BEFORE", "error", ["p1", "aldric", "dawn"]),
                               ("time/may-not-have-existed", "", "info", ["p0", "aldric", "fall"])]
    os.unlink(m.path("world.yml"))
    assert told(m) == []


def test_an_era_is_no_orphan(m):
    """A relation may lead to an era of world.yml, or to a year: no row has to be called so."""
    orphans = lambda: [f["rows"] for f in m.run("findings", "--rule", "orphan/to", "--format", "json").json()["findings"]]
    m.write("world.yml", MIDDLE)
    m.facts(project("aldoria"), being("zed", "Deity"), being("fall", "Event"),
            relation("w1", "EXISTED_DURING", "zed", "3rd_age"), relation("w2", "OCCURRED_DURING", "fall", "1066"),
            relation("w3", "EXISTED_DURING", "zed", "5th_age"), relation("w4", "LOCATED_IN", "zed", "3rd_age"))
    assert orphans() == [["relation:w3"], ["relation:w4"]], orphans()
    os.unlink(m.path("world.yml"))
    assert orphans() == [["relation:w1"], ["relation:w3"], ["relation:w4"]], orphans()


def test_parents_by_the_worlds_allowances(m):
    rows = [being("p", birth="0300", death="0345"), being("c", birth="0315"), being("d", birth="0347"), being("e", birth="0290"),
            being("f", birth="0348"), being("g", birth="0360", death="0350"), *(relation("r" + x, "PARENT_OF", "p", x) for x in "cdef")]
    late = ("life/child-after-parent-death", "", "warn")
    assert sorted(swept(m, *rows)) == sorted([("life/child-before-parent", "", "warn", ["re", "e", "p"]), (*late, ["rd", "d", "p"]),
                                              (*late, ["rf", "f", "p"]), ("life/death-before-birth", "", "error", ["g"])])
    m.write("world.yml", MIDDLE)
    assert sorted(told(m)) == sorted([("life/child-before-parent", "", "warn", ["re", "e", "p"]), (*late, ["rf", "f", "p"]),
                                      ("life/parent-too-young", "", "warn", ["rc", "c", "p"]), ("life/death-before-birth", "", "error", ["g"])])


def test_circles_are_named(m):
    rows = [*map(being, "abcd"), being("wheel", "Item"), being("cart", "Item"),
            *(relation("p" + x + y, "PARENT_OF", x, y) for x, y in ("ab", "bc", "ca", "cd")),
            relation("l1", "PART_OF", "wheel", "cart"), relation("l2", "LOCATED_IN", "cart", "wheel")]
    assert sorted(swept(m, *rows)) == [("circle/parents", "", "error", ["a", "pab", "b", "pbc", "c", "pca"]),
                                       ("circle/parts", "", "error", ["cart", "l2", "wheel", "l1"])]
    f = [f for f in m.run("sweep", "--format", "json").json()["findings"] if f["rule"] == "circle/parents"][0]
    assert f["message"] == "A is its own ancestor, in a circle of 3: A, B, C, A", f
    m.write("mirror.yml", "rules:\n  off: [circle/parents]\n")
    assert [f[0] for f in told(m)] == ["circle/parts"]
    m.run("edit", "relation:l2", "--set", "status=invalid")
    assert told(m) == []


def test_supersession_by_relations(m):
    m.facts(entity("Note", {}, id="a", superseded_by="b"), entity("Note", {}, id="b"), relation("s1", "SUPERSEDES", "a", "b"))
    f = [f for f in m.run("sweep", "--format", "json").json()["findings"] if f["rule"] == "row/supersession-cycle"]
    assert [x["rows"] for x in f] == [["entity:a", "entity:b", "relation:s1"]], f


def test_what_is_left_out_hides_what_was_read_from_it(m):
    m.facts(project("aldoria"), being("aldric", birth_date="0280"), being("zed", "Deity"), being("dawn", "Era", begins="0100", ends="0133"),
            being("fall", "Event", date="0140"), being("siege", "Event"), relation("o1", "OCCURRED_DURING", "siege", "dawn"),
            relation("w1", "EXISTED_DURING", "zed", "zed", "0344"), relation("p1", "WITNESSED", "aldric", "fall"),
            relation("p2", "WITNESSED", "zed", "fall"), relation("p3", "WITNESSED", "zed", "siege"))
    m.run("sweep")
    m.run("build")
    everything = b"".join(b for _, b in m.site_bytes("site"))
    assert all(x in everything for x in (b"0280", b"0344", b"Dawn", b"time/existed-before"))
    m.write("mirror.yml", "publish:\n  exclude:\n    types: [Era, EXISTED_DURING]\n    properties: [birth_date]\n")
    m.run("build")
    for path, content in m.site_bytes("site"):
        assert not any(x in content for x in (b"0280", b"0344", b"Dawn", b"time/existed-before")), path


def test_a_write_is_told_at_once(m):
    m.facts(project("aldoria"), being("aldric", birth="0280"), being("spire", "Event", date="0140"), being("a"), being("b"),
            relation("ab", "PARENT_OF", "a", "b"))
    m.run("sweep")
    out = m.run("add", "relation", "aldric", "PARTICIPATED_IN", "spire", "--id", "p1", "--project", "aldoria").out
    assert "this needs Aldric in 0140" in out, out
    out = m.run("add", "relation", "a", "CHILD_OF", "b", "--id", "ba", "--project", "aldoria").out
    assert "is its own ancestor" in out, out
    assert sorted(t[0] for t in told(m)) == ["circle/parents", "time/existed-before"]


def test_a_clean_world_is_quiet(m):
    """Generations that touch: births at the parents' age of 20, offices and memberships from birth to death."""
    rows = [being("guild", "Faction", founded="0100"), being("hall", "Location", founded="0100")]
    for i in range(60):
        born, died = 100 + 20 * i, 100 + 20 * i + 45
        rows += [being("p%d" % i, birth="%04d" % born, death="%04d" % died), being("e%d" % i, "Event", date="%04d" % (born + 30)),
                 relation("m%d" % i, "MEMBER_OF", "p%d" % i, "guild", "%04d" % born, "%04d" % died),
                 relation("w%d" % i, "WITNESSED", "p%d" % i, "e%d" % i), relation("o%d" % i, "OCCURRED_AT", "e%d" % i, "hall"),
                 relation("l%d" % i, "LOCATED_IN", "p%d" % i, "hall", "%04d" % born, "%04d" % died)]
        if i:
            rows.append(relation("c%d" % i, "PARENT_OF", "p%d" % (i - 1), "p%d" % i))
    assert swept(m, *rows) == []


if __name__ == "__main__":
    main(globals())
