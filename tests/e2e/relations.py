#!/usr/bin/env python3
"""Relations that contradict each other: from the command to the pages, the verdict and back."""
from harness import *

MARK = "⚠ disputed]("


def being(id, type="Person", **kw):
    return {"kind": "entity", "id": id, "entity_type": type, "project": "aldoria", "name": id.title(), **kw}


def relation(id, type, a, b, since=None, until=None, **kw):
    r = {"kind": "relation", "id": id, "type": type, "from": a, "to": b, **kw}
    return {**r, **({"valid_from": since} if since else {}), **({"valid_until": until} if until else {})}


WORLD = [project("aldoria"), *map(being, ("aldric", "bera", "cole", "dara")),
         *(being(x, "Faction") for x in ("guild", "order")), *(being(x, "Location") for x in ("spire", "keep"))]


def world(m, *relations):
    m.facts(*WORLD, *relations)
    return m.sweep()


def members(c):
    return [(x["member_kind"], x["member_id"], x["field"], x["value"], x["member_layer_trust"], x["flagged"]) for x in c["members"]]


def test_a_write_and_explain_say_names_beside_ids(m):
    world(m, relation("r1", "RULES", "aldric", "spire"), {**being("fair", "Event"), "properties": {"date": "0140"}},
          {**being("eve"), "properties": {"born": "0340"}}, relation("p1", "PARTICIPATED_IN", "entity:eve", "fair"))
    said = m.run("add", "relation", "bera", "RULES", "spire", "-p", "aldoria").out
    assert re.search(r"^⚠ disputed: c\w+  aldoria / Spire: ruled by: (Aldric \| Bera|Bera \| Aldric) ", said, re.M), said
    before = [f for f in m.run("--format", "json", "findings").json()["findings"] if f["reason"] == "EXISTED_BEFORE"]
    assert "from entity:eve (Eve) to fair (Fair)" in m.run("explain", before[0]["id"]).out


def page(m, path):
    m.run("build")
    return m.text("site", path)


def data(m):
    return {r["id"]: r for r in map(json.loads, m.text("site", "data/aldoria/relations.jsonl").splitlines()[1:])}


def ruled(m):
    """Two rulers of one place, one of whom also rules another."""
    c, = world(m, relation("r1", "RULES", "aldric", "spire"), relation("r2", "RULES", "bera", "spire"), relation("r3", "RULES", "bera", "keep"))
    return c


def test_one_conflict_that_grows_nothing(m):
    c = ruled(m)
    assert (c["slot_kind"], c["slot_key"], c["project"], c["rule"]) == ("relation_slot", ["aldoria", "RULES", "spire"], "aldoria", "slot/1")
    assert members(c) == [("relation", "r1", "from", "aldric", 2, False), ("relation", "r2", "from", "bera", 2, False)]
    assert "Spire: ruled by. One may hold at a time; these contradict that: Aldric, without limit in time; Bera, without limit in time." in m.run("explain", c["id"]).out
    assert [x["id"] for x in m.sweep()] == [c["id"]]
    assert m.run("health", "--format", "json").json()["open_conflicts_count"] == 1


def test_pages(m):
    id = ruled(m)["id"]
    text = page(m, f"conflicts/{id}.md")
    assert "# Spire: ruled by" in text and "**Aldric**" in text and "**Bera**" in text
    # each relation; each end of the two, and beside it the relation
    for path, marks in (("relations.md", 2), ("entities/person.md", 4), ("entities/location.md", 3)):
        text = m.text("site", "projects/aldoria", path)
        assert text.count(MARK) == marks and f"conflicts/{id}.md" in text, path
    assert "[Keep](location/keep.md)\n" in m.text("site", "projects/aldoria/entities/person.md")
    assert "[Spire: ruled by]" in m.text("site", "projects/aldoria/README.md")
    rows = data(m)
    assert rows["r1"]["is_disputed"] and rows["r1"]["disputed_with"] == ["relation:r2"] and rows["r1"]["conflicts"][0]["id"] == id
    assert rows["r3"]["is_disputed"] is False and "disputed_with" not in rows["r3"]
    assert [c["id"] for c in json.loads(m.text("site", "conflicts.json"))["conflicts"]] == [id]
    m.run("check")


def test_a_third_ruler_changes_the_rows_of_the_others(m):
    ruled(m)
    page(m, "README.md")
    m.facts(relation("r0", "RULES", "cole", "spire"), name="more.jsonl")
    m.sweep()
    page(m, "README.md")
    assert data(m)["r1"]["disputed_with"] == ["relation:r0", "relation:r2"]
    before = dict(m.site_bytes("site"))
    m.run("build", "--full")
    assert dict(m.site_bytes("site")) == before


def test_of_three_bounds_two_are_of_one_source(m):
    """Two dates of one source contradict each other nowhere, though both contradict that of another."""
    of = lambda id, until, source: relation(id, "MEMBER_OF", "aldric", "guild", "0300", until, source_refs=[source])
    world(m, of("b1", "0345", "annals"), of("b2", "0350", "chronicle"), of("b3", "0360", "annals"))
    page(m, "README.md")
    against = {r: data(m)[r]["disputed_with"] for r in ("b1", "b2", "b3")}
    assert against == {"b1": ["relation:b2"], "b2": ["relation:b1", "relation:b3"], "b3": ["relation:b2"]}, against


def test_spouses_by_either_end(m):
    c, = world(m, relation("s1", "SPOUSE_OF", "aldric", "bera", "0010", "0040"), relation("s2", "SPOUSE_OF", "cole", "bera", "0030", "0050"))
    assert c["slot_key"] == ["aldoria", "SPOUSE_OF", "bera"] and c["window"] == ["0030", "0040"] and c["since"] == "0030-01-01T00:00:00Z"
    m.facts(relation("s2", "SPOUSE_OF", "bera", "cole", "0040", "0050"))
    c, = m.sweep()
    assert not c["disputed"] and c["status"] == "open"


def test_a_reign_ends_with_a_death(m):
    m.facts({**being("aldric"), "properties": {"died": "0340"}}, name="death.jsonl")
    reigns = relation("r1", "RULES", "aldric", "spire", "0300"), relation("r2", "RULES", "bera", "spire", "0345")
    m.facts(*WORLD[:1], *WORLD[2:], *reigns)
    assert m.sweep() == []
    m.facts(relation("r3", "RULES", "cole", "spire", "0310", "0350"), name="more.jsonl")
    c, = m.sweep()
    assert c["window"] == ["0310", "0350"] and [x["member_id"] for x in c["members"]] == ["r1", "r2", "r3"]
    said = 'from 0300 until 0340, as it ends with the death of "aldric" in 0340'
    told = m.run("explain", c["id"]).out
    assert said.replace("aldric", "Aldric") in told and "both hold from 0310 until 0340." in told, told
    assert "the death of" in page(m, f"conflicts/{c['id']}.md")
    # who may not see the death sees no end
    m.write("mirror.yml", "publish:\n  exclude:\n    properties: [died]\n")
    for path in (f"conflicts/{c['id']}.md", f"conflicts/{c['id']}.svg"):
        text = page(m, path)
        assert "0340" not in text and "the death of" not in text, text
    # a change of the death alone
    m.run("edit", "entity:aldric", "-P", "died=0305")
    c, = m.sweep()
    assert c["window"] == ["0345", "0350"], c


def test_verdict_retires_the_others(m):
    id = ruled(m)["id"]
    out = m.run("conflicts", "resolve", id, "--winner", "r1", "--notes", "The charter").out
    assert "relation:r2: active -> superseded by relation:r1" in out
    assert m.sweep() == []
    rows = {r["id"]: r for r in map(json.loads, m.run("export").out.splitlines()) if r["kind"] == "relation"}
    assert (rows["r1"]["status"], rows["r2"]["status"], rows["r2"]["superseded_by"], rows["r3"]["status"]) == ("active", "superseded", "r1", "active")
    text = page(m, f"conflicts/{id}.md")
    assert re.search(r"Winner: \*\*.+\*\*, said by \[", text) and MARK not in m.text("site", "projects/aldoria/relations.md")


def test_a_spouse_gives_way_whole(m):
    """A marriage speaks of both spouses, and is one fact all the same."""
    c, = world(m, relation("s1", "SPOUSE_OF", "aldric", "bera"), relation("s2", "SPOUSE_OF", "bera", "cole"))
    m.run("conflicts", "resolve", c["id"], "--winner", "s2", "--notes", "x")
    assert m.sweep() == []


def test_verdicts_travel(m):
    id = ruled(m)["id"]
    m.run("conflicts", "resolve", id, "--winner", "r1", "--notes", "The charter")
    m.write("verdicts.jsonl", m.run("export", "--verdicts").out)
    other = Mirror()
    try:
        ruled(other)
        other.write("verdicts.jsonl", m.read("verdicts.jsonl"))
        other.run("import", "verdicts.jsonl")
        assert other.sweep() == []
        assert other.sql("SELECT superseded_by FROM relations WHERE id = 'r2'")[0][0] in ("r1", "relation:r1")
    finally:
        other.close()


def test_dismissed_stays_quiet(m):
    id = ruled(m)["id"]
    m.run("conflicts", "dismiss", id, "--reason", "They reign together")
    assert m.sweep() == []
    m.facts(relation("r4", "RULES", "bera", "entity:spire"), name="again.jsonl")
    assert m.sweep() == []
    m.facts(relation("r5", "RULES", "dara", "spire"), name="another.jsonl")
    assert len(m.sweep()) == 1


def test_three_parents_are_one_conflict(m):
    two = [relation("p1", "PARENT_OF", "aldric", "dara"), relation("p2", "PARENT_OF", "bera", "dara")]
    assert world(m, *two) == []
    m.facts(relation("p3", "PARENT_OF", "cole", "dara"), name="third.jsonl")
    c, = m.sweep()
    assert [x["member_id"] for x in c["members"]] == ["p1", "p2", "p3"] and c["rule"] == "slot/crowd/1"
    out = m.run("explain", c["id"]).out
    assert "at most 2 may at one time" in out
    assert "Dara: parents. At most 2 may hold at a time; these are too many: Aldric, without limit in time; Bera," in out
    assert "# Dara: parents" in page(m, f"conflicts/{c['id']}.md")
    assert m.text("site", "projects/aldoria/entities/person.md").count(MARK) == 10 # four persons, three relations at both ends


def test_three_parents_of_whom_one_may_be_another_time(m):
    """Where too many hold for certain is a conflict; where too many may, a finding."""
    def told(third):
        m.facts(*WORLD, relation("p1", "PARENT_OF", "aldric", "dara", "0140", "0150"), relation("p2", "PARENT_OF", "bera", "dara", "0140", "0160"),
                {**relation("p3", "PARENT_OF", "cole", "dara"), "properties": third}, name="facts.jsonl")
        found = m.run("sweep", "--format", "json").json()["findings"]
        return [c["members"][0]["field"] for c in m.conflicts() if c["disputed"]], [f["rows"] for f in found if f["kind"] == "possible_overlap"]
    assert told({"from": "0155", "until": "0170"}) == ([], [])
    assert told({"from": "c. 0150", "until": "0170"}) == ([], [["relation:p1", "relation:p2", "relation:p3"]])
    assert told({"from": "0145", "until": "0170"}) == (["from"], [])


def test_two_sources_date_one_fact(m):
    """The bound is what is contested, on the page of each row, and a verdict keeps one row."""
    rows = [relation("m1", "MEMBER_OF", "aldric", "guild", "0300", "0345", source_refs=["chronicle"]),
            relation("m2", "MEMBER_OF", "aldric", "guild", "0300", "0350", source_refs=["annals"])]
    c, = world(m, *rows)
    assert [x[:4] for x in members(c)] == [("relation", "m1", "valid_until", "0345"), ("relation", "m2", "valid_until", "0350")]
    assert c["rule"] == "slot/bounds/1" and c["window"] == ["0300", "0350"]
    text = page(m, f"conflicts/{c['id']}.md")
    assert "# Aldric: member of" in text and "0345" in text and "0350" in text
    assert m.text("site", "projects/aldoria/relations.md").count(MARK) == 2
    m.run("check")
    assert "relation:m1 contradicts relation:m2" in m.run("explain", c["id"]).out or "relation:m2 contradicts relation:m1" in m.run("explain", c["id"]).out
    m.run("conflicts", "resolve", c["id"], "--winner", "m2", "--notes", "The annals are older")
    assert m.sweep() == []
    m.run("build")


def test_a_chain_that_comes_late(m):
    """Who says at last that one place lies in the other ends the dispute; who takes it back revives it."""
    places = [being(x, "Location") for x in ("city", "region", "realm")]
    m.facts(*places, relation("k1", "PART_OF", "city", "region"), name="places.jsonl")
    c, = world(m, relation("l1", "LOCATED_IN", "aldric", "city"), relation("l2", "LOCATED_IN", "aldric", "realm"))
    assert c["disputed"] and c["slot_key"] == ["aldoria", "LOCATED_IN", "aldric"]
    for status in ("active", "invalid", "active"):
        m.facts(relation("k2", "PART_OF", "region", "realm", status=status), name="late.jsonl")
        assert m.run("conflicts", "show", c["id"], "--format", "json").json()["disputed"] == (status == "invalid")
        m.run("add", "memory", "--type", "episodic", "x " + status)   # a write takes in what the import changed
        assert m.run("conflicts", "show", c["id"], "--format", "json").json()["disputed"] == (status == "invalid")
    assert [x["id"] for x in m.sweep()] == [c["id"]]


def test_beliefs_contradict_nobody(m):
    """Of relations, and of entities: a prophecy of another value is no conflict."""
    believed = {"properties": {"claim_kind": "prophetic"}}
    assert world(m, relation("r1", "RULES", "aldric", "spire"), relation("r2", "RULES", "bera", "spire", **believed)) == []
    m.facts(being("x1", "Sword", name="Dawn", properties={"length": "3 m"}), name="swords.jsonl")
    m.facts(being("x2", "Sword", name="Dawn", properties={"length": "4 m", "claim_kind": "subjective"}), name="bards.jsonl")
    assert m.sweep() == []
    fact = {"properties": {"claim_kind": "fact"}}
    m.facts(relation("r2", "RULES", "bera", "spire", **fact), name="facts.jsonl")
    assert len(m.sweep()) == 1
    m.facts(being("x2", "Sword", name="Dawn", properties={"length": "4 m"}), name="bards.jsonl")
    assert len(m.sweep()) == 2


def test_kinds_of_the_world(m):
    """world.yml adds kinds, changes shipped ones, and the claims are read anew."""
    facts = [relation("r1", "LORD_OF", "aldric", "spire"), relation("r2", "LORD_OF", "bera", "spire"), relation("r3", "RULES", "aldric", "keep"), relation("r4", "RULES", "bera", "keep")]
    c, = world(m, *facts)
    assert c["slot_key"][1] == "RULES"
    m.write("world.yml", "relations:\n  - {kind: Lord of, subject: to, words: lord}\n  - {kind: RULES, at_once: 2}\n")
    by = {c["slot_key"][1]: c for c in m.sweep()}
    assert by["LORD_OF"]["disputed"] and not by["RULES"]["disputed"]
    assert "# Spire: lord" in page(m, f"conflicts/{by['LORD_OF']['id']}.md")
    m.run("add", "memory", "--type", "episodic", "a write reads as a sweep does")
    assert m.run("conflicts", "show", by["LORD_OF"]["id"], "--format", "json").json()["disputed"]
    m.write("world.yml", "relations:\n  - {kind: RULES, subject: lord}\n")
    m.fails("sweep", has=("world.yml:2", "subject"))


def test_a_clean_world_has_no_conflict(m):
    """Terms that touch, handovers on a day, widows, places in places, sources that agree: nothing to settle."""
    facts, n = [project("aldoria")], iter(range(10**6))
    def tie(type, a, b, since=None, until=None, **kw):
        facts.append(relation(f"t{next(n)}", type, a, b, since, until, **kw))
    for r in range(4):
        facts.append(being(f"realm{r}", "Location"))
        for c in range(4):
            facts.append(being(f"city{r}{c}", "Location"))
            tie("PART_OF", f"city{r}{c}", f"county{r}", "0100" if c % 2 else None)
        facts.append(being(f"county{r}", "Location"))
        tie("LOCATED_IN", f"county{r}", f"realm{r}")
        facts.append(being(f"guild{r}", "Faction"))
    for i in range(200):
        who, city, realm = f"person{i}", f"city{i % 4}{i % 3}", f"realm{i % 4}"
        facts.append(being(who))
        for k, g in enumerate((0, 1, 0, 2)):          # terms that touch, in years, months or days
            ends = (f"03{10 * k:02}", f"03{10 * k + 10:02}") if i % 2 else (f"03{10 * k:02}-05-0{1 + i % 9}", f"03{10 * k + 10:02}-05-0{1 + i % 9}")
            tie("MEMBER_OF", who, f"guild{g}", *ends)
        tie("LOCATED_IN", who, city, "0300", "0340")
        tie("LOCATED_IN", who, realm, "0310")
        tie("LOCATED_IN", f"county{i % 4}" if i % 5 == 0 else who, realm)
        if i >= 2:
            tie("PARENT_OF", f"person{i - 1}", who)
            tie("PARENT_OF", f"person{i - 2}", who, "0300")
        if i % 3 == 0 and i < 195:                     # a widow remarries; told from either side, by two sources
            tie("SPOUSE_OF", who, f"person{i + 1}", "0301", "0310", source_refs=["annals"])
            tie("SPOUSE_OF", f"person{i + 1}", who, "0301-02", "0310", source_refs=["chronicle"])
            tie("SPOUSE_OF", f"person{i + 2}", who, "0310", "0330")
    for r in range(4):
        for k in range(10):                            # a throne handed over, and a senator twice
            tie("RULES", f"person{10 * r + k}", f"realm{r}", f"03{k:02}-01-01", f"03{k + 1:02}-01-01")
            tie("CONTROLS", f"guild{k % 2}", f"realm{r}", f"03{k:02}", f"03{k + 1:02}", source_refs=[f"source {k}"])
        tie("HOLDS_OFFICE", "person1", f"guild{r}", "0301", "0307", source_refs=["annals"])
        tie("HOLDS_OFFICE", "person1", f"guild{r}", "0313", "0319", source_refs=["chronicle"])
    m.facts(*facts)
    assert m.sweep() == []
    assert m.sql("SELECT rule, message FROM findings WHERE rule LIKE 'slot/%' OR rule LIKE 'row/%'") == []


def test_touching(m):
    id = ruled(m)["id"]
    for row in ("r1", "relation:r2", "spire"):
        listed = m.run("conflicts", "list", "--touching", row, "--format", "json").json()["conflicts"]
        assert [c["id"] for c in listed] == [id], row


def test_lists_say_names(m):
    """As the pages do; where two have one name, the id too."""
    m.facts(*WORLD, {**being("aldric2"), "name": "Aldric"}, relation("r1", "RULES", "aldric", "spire"), relation("r2", "RULES", "bera", "spire"))
    line = "aldoria / Spire: ruled by: Aldric | Bera"
    assert line in m.run("sweep").out and line in m.run("conflicts", "list").out
    m.facts(relation("r3", "RULES", "aldric2", "spire"), relation("r4", "RULES", "nobody", "spire"), name="more.jsonl")
    m.run("sweep")
    out = m.run("conflicts", "list").out
    assert "aldoria / Spire: ruled by: Aldric (aldric) | Bera | Aldric (aldric2) | nobody" in out
    c, = m.conflicts()
    assert [x["value"] for x in c["members"]] == ["aldric", "bera", "aldric2", "nobody"]   # JSON keeps the ids
    out = m.run("conflicts", "show", c["id"]).out
    assert "aldoria / Spire: ruled by\n" in out and "value     Aldric (aldric2)" in out


def test_a_hidden_end_hides_the_claim(m):
    m.facts(being("zed", "Spirit"), relation("r9", "RULES", "zed", "spire"), name="spirits.jsonl")
    id = ruled(m)["id"]
    m.write("mirror.yml", "publish:\n  exclude:\n    types: [spirit]\n")
    text = page(m, f"conflicts/{id}.md")
    assert "1 claim withheld" in text and "# Spire: ruled by" in text
    for path, content in m.site_bytes("site"):
        assert b"Zed" not in content and b"zed" not in content and b"r9" not in content, path


def test_types_come_later(m):
    """What a relation claims depends on the types of its ends."""
    m.facts(WORLD[0], relation("m1", "MEMBER_OF", "aldric", "guild"), relation("m2", "MEMBER_OF", "aldric", "order"))
    assert m.sweep() == []
    m.facts(*WORLD[1:], name="world.jsonl")
    c, = m.sweep()
    assert [x["member_id"] for x in c["members"]] == ["m1", "m2"]
    m.run("edit", "entity:guild", "--set", "entity_type=Location")
    assert not m.sweep()[0]["disputed"]


def test_export_and_import_keep_ids(m):
    id = ruled(m)["id"]
    m.write("all.jsonl", m.run("export").out)
    other = Mirror()
    try:
        other.write("all.jsonl", m.read("all.jsonl"))
        other.run("import", "all.jsonl")
        assert [c["id"] for c in other.sweep()] == [id]
    finally:
        other.close()


def test_redact(m):
    id = ruled(m)["id"]
    m.fails("redact", "relation:r2", "--reason", "x", has=("relation:r2",))
    assert m.conflicts()[0]["id"] == id


def test_parts_of_what_was_superseded(m):
    """They are parts of what took its place: by a relation, by the name and by the id; so is a dispute of theirs."""
    m.facts(entity("Subsystem", {}, "Old Frame", id="old", status="superseded", superseded_by="middle"),
            entity("Subsystem", {}, "Middle Frame", id="middle", status="superseded", superseded_by="new"),
            entity("Subsystem", {}, "New Frame", id="new"),
            entity("Component", {"mass": "3 kg"}, "Leg", id="c1"), relation("r1", "PART_OF", "c1", "old", project="p05"),
            entity("Component", {"mass": "5 kg", "subsystem": "Old Frame"}, "Arm", id="c2"),
            entity("Component", {"mass": "6 kg", "part_of": "old"}, "Foot", id="c3"),
            entity("Component", {"mass": "7 kg", "part_of": "old"}, "Foot", id="c4"))
    c, = m.sweep()
    assert [x["id"] for x in m.run("--format", "json", "conflicts", "list", "--touching", "new").json()["conflicts"]] == [c["id"]]
    m.run("build")
    page = m.text("site/projects/p05/subsystems/new-frame.md")
    parts = page.split("## Components")[1].split("## History")[0]
    assert all(f"[{name}" in parts for name in ("Leg", "Arm", "Foot")), page
    tree = m.text("site/projects/p05/README.md").split("## Subsystems")[1]
    assert re.match(r"\s+- \*\*\[New Frame\].*(\n  - .*){4}\n", tree), tree


if __name__ == "__main__":
    main(globals())
