#!/usr/bin/env python3
"""A name is no identity where rows have ids: two of one register are two, unless the config gives their
type a slot; of two registers they are one, unless something is known that tells them apart."""
from harness import *


def person(id, name, **props):
    return {"kind": "entity", "id": id, "entity_type": "Person", "project": "parish", "name": name, "properties": props}


def parent(a, b, **kw):
    return {"kind": "relation", "id": f"{a}-{b}", "type": "PARENT_OF", "from": a, "to": b, **kw}


def disputed(m):
    return sorted(tuple(x["member_id"] for x in c["members"]) for c in m.sweep() if c["disputed"])


def test_two_ids_of_one_source_are_two_things(m):
    m.facts(person("i1", "Ilse Voss", trade="cooper", seat="pew 4"), person("i2", "Ilse Voss", trade="smith"),
            {"kind": "entity", "id": "t-9", "entity_type": "Ticket", "project": "parish", "name": "Leak", "properties": {"floor": "2"}},
            {"kind": "entity", "id": "t-12", "entity_type": "Ticket", "project": "parish", "name": "leak", "properties": {"floor": "5"}},
            {"kind": "entity", "id": "c1", "entity_type": "Component", "project": "parish", "name": "Door", "properties": {"wood": "oak"}},
            {"kind": "entity", "id": "c2", "entity_type": "Component", "project": "parish", "name": "Door", "properties": {"wood": "ash"}})
    assert disputed(m) == [("c1", "c2")], "types of the specification have a slot"


def test_what_two_sources_say_of_one_person(m):
    m.facts(person("i1", "Ilse Voss", trade="cooper", born="1702"), person("i2", "Ilse Voss", trade="smith"), name="church.jsonl")
    m.write("census.jsonl", json.dumps(person("i1", "Ilse Voss", trade="cooper", born="1706")) + "\n")
    m.run("import", "census.jsonl")
    assert disputed(m) == [("i1", "i1")]


def test_who_agrees_with_one_is_about_that_one(m):
    m.facts(person("i1", "Ilse Voss", trade="cooper"), person("i2", "Ilse Voss", trade="smith"),
            state("person_ilse_voss_trade", "smith", project="parish", id="s1"))
    assert disputed(m) == []
    m.facts(state("person_ilse_voss_trade", "carter", project="parish", id="s1"))
    assert disputed(m) == [("s1", "i1", "i2")], "whichever of the two is meant"


def test_ids_of_two_sources_are_one_unless_known_apart(m):
    cases = [
        ({}, {}, True),
        ({"born": "1702"}, {"born": "1702-03-01"}, True),
        ({"born": "1702"}, {"born": "1793"}, False),
        ({"died": "1702"}, {"born": "1715"}, False),
        ({"died": "1702"}, {"born": "c. 1710"}, True),
        ({"born": "1702"}, {}, True),
    ]
    rows = [[person(f"{side}{i}", f"Jon Dahl {i}", trade=trade, **case[k]) for i, case in enumerate(cases)]
            for k, (side, trade) in enumerate((("a", "cooper"), ("b", "smith")))]
    m.facts(*rows[0], name="north.jsonl")
    m.facts(*rows[1], name="south.jsonl")
    assert disputed(m) == [(f"a{i}", f"b{i}") for i, case in enumerate(cases) if case[2]]


def test_births_of_which_one_may_be_a_slip_are_disputed(m):
    def nameless(name, **props):
        return {k: v for k, v in person("", name, **props).items() if k != "id"}
    m.facts(nameless("Jon Dahl", born="2014"), nameless("Jon Dahl", born="2016"), nameless("Ole Dahl", born="1914"), nameless("Ole Dahl", born="2016"),
            person("a1", "Per Dahl", born="1914"), person("a2", "Ada Lind", born="1914"))
    m.facts(person("b1", "Per Dahl", born="1917-06-02"), person("b2", "Ada Lind", born="1958"), name="south.jsonl")
    names = [c["slot_key"][1] for c in m.sweep() if c["disputed"]]
    assert sorted(names) == ["person_jon_dahl_born", "person_per_dahl_born"], names


def test_parents_tell_apart(m):
    north = [person("a1", "Jon Dahl", trade="cooper"), person("a2", "Per Dahl"), parent("a2", "a1")]
    m.facts(*north, name="north.jsonl")
    m.facts(person("b1", "Jon Dahl", trade="smith"), person("b2", "Per Dahl"), parent("b2", "b1"), name="south.jsonl")
    assert disputed(m) == [("a1", "b1")], "both call the parent Per Dahl"
    m.facts(person("b1", "Jon Dahl", trade="smith"), person("b2", "Ole Dahl"), parent("b2", "b1"), name="south.jsonl")
    assert disputed(m) == []
    m.facts(person("a3", "Ada Lind", trade="cooper"), name="east.jsonl")
    m.facts(person("b3", "Ada Lind", trade="smith"), parent("b3", "a3"), name="south.jsonl")
    assert disputed(m) == [], "one is the mother of the other"


def test_a_row_that_may_be_either_of_two_is_neither(m):
    m.facts(person("a1", "Jon Dahl", trade="cooper"), person("a2", "Jon Dahl", trade="smith"), name="north.jsonl")
    m.facts(person("b1", "Jon Dahl", trade="carter"), name="south.jsonl")
    assert disputed(m) == []


def test_rows_without_ids_go_by_their_names(m):
    def nameless(**props):
        return {k: v for k, v in person("", "Jon Dahl", **props).items() if k != "id"}
    m.facts(nameless(trade="cooper"), nameless(trade="smith"))
    assert len(disputed(m)) == 1
    m.facts(nameless(born="1702", seat="pew 1"), nameless(born="1793", seat="pew 2"), name="other.jsonl")
    assert all("seat" not in c["slot_key"][-1] for c in m.sweep() if c["disputed"])


def test_the_config_gives_a_type_its_slot(m):
    tickets = [{"kind": "entity", "id": f"r{i}", "entity_type": "Ticket", "project": "parish", "name": name,
                "properties": {"number": number, "floor": floor}}
               for i, (name, number, floor) in enumerate((("Leak", 7, "2"), ("Leak again", 7, "5"), ("Leak", 8, "9")))]
    m.facts(*tickets)
    assert disputed(m) == []
    m.write("mirror.yml", "rules:\n  slots:\n    ticket: number\n")
    c, = [c for c in m.sweep() if c["disputed"]]
    assert [x["member_id"] for x in c["members"]] == ["r0", "r1"] and c["slot_key"] == ["parish", "ticket_7_floor"], c
    m.write("mirror.yml", "rules:\n  slots:\n    Ticket: name\n")
    assert sorted({c["slot_key"][-1] for c in m.sweep() if c["disputed"]}) == ["ticket_leak_floor", "ticket_leak_number"]
    m.write("mirror.yml", "rules:\n  slots:\n    Ticket: name, number\n")
    assert disputed(m) == []
    for wrong, why in (("Decision: name", "a slot already"), ("Ticket: ''", "property"), ("Ticket: a, b, c", "one or two")):
        m.write("mirror.yml", f"rules:\n  slots:\n    {wrong}\n")
        r = m.run("sweep", code=2)
        assert why in r.err and "mirror.yml:3" in r.err, (wrong, r.err)


def tree():
    """2,000 people: 60 pairs of namesakes, and 40 contradictions of four kinds."""
    people, relations, others = {}, [], []
    for i in range(2000):
        name = f"{'Anna Berta Carl Dora Emil Frida Gustav Hanna'.split()[i % 8]} {'Berg Dahl Falk Holm Lind'.split()[i % 5]} {i}"
        people[f"i{i}"] = person(f"i{i}", name, born=str(1500 + i // 5), trade=f"trade {i % 7}")
        if i >= 400:
            relations += [parent(f"i{i - 400}", f"i{i}"), parent(f"i{i - 399}", f"i{i}")]
    for k in range(60):   # father and son, cousins, people of other centuries; all with other trades
        a, b = people[f"i{k}"], people[f"i{k + (400, 30, 1500)[k % 3]}"]
        b["name"] = a["name"].upper() if k % 2 else a["name"]
        b["properties"]["trade"] = a["properties"]["trade"] + " elsewhere"
    for k in range(10):
        child = f"i{700 + k}"
        relations.append(parent(f"i{k + 200}", child))
        others.append(person(f"x{k}", people[f"i{900 + k}"]["name"], trade="another trade", born=people[f"i{900 + k}"]["properties"]["born"]))
        name = people[f"i{1000 + k}"]["name"].lower().replace(" ", "_")
        relations.append(state(f"person_{name}_trade", "none", project="parish", id=f"s{k}"))
        for n, (since, until) in enumerate((("1731", "1745"), ("1740", "1750"))):
            relations.append({"kind": "relation", "id": f"m{k}-{n}", "type": "SPOUSE_OF", "from": f"i{1100 + k}", "to": f"i{1120 + 20 * n + k}", "valid_from": since, "valid_until": until})
    return list(people.values()) + relations, others


def test_a_family_tree_has_its_contradictions_and_no_namesakes(m):
    facts, others = tree()
    m.facts(*facts, name="tree.jsonl")
    m.facts(*others, name="register.jsonl")
    found = [c for c in m.sweep() if c["disputed"]]
    kinds = {}
    for c in found:
        ids = [x["member_id"] for x in c["members"]]
        kind = "parents" if "PARENT_OF" in c["slot_key"] else "spouses" if "SPOUSE_OF" in c["slot_key"] else \
            "register" if any(i.startswith("x") for i in ids) else "state" if any(i.startswith("s") for i in ids) else "namesakes"
        kinds[kind] = kinds.get(kind, 0) + 1
    assert kinds == {"parents": 10, "spouses": 10, "register": 10, "state": 10}, kinds


if __name__ == "__main__":
    main(globals())
