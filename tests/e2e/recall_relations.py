"""Recall of relations: by both ends, parallel ones, at a time of dates or of a world's eras, and beside hits."""
from harness import *
from server import Server

CALENDAR = """\
worlds:
  - {world: middle, current: 4th_age.year_10}
eras:
  - {world: middle, era: 3rd_age, begins: year_1, ends: year_3021}
  - {world: middle, era: 4th_age}
"""


def being(name, type, project, **more):
    return {"kind": "entity", "id": name.lower(), "entity_type": type, "project": project, "name": name, **more}


def relation(id, type, a, b, since=None, until=None, **more):
    r = {"kind": "relation", "id": id, "type": type, "from": a, "to": b, **more}
    return {**r, **({"valid_from": since} if since else {}), **({"valid_until": until} if until else {})}


def age(n):
    return f"3rd_age.year_{n}"


def worlds(m):
    m.write("world.yml", CALENDAR)
    m.facts(project("aldoria"), project("middle"),
            *(being(x, "Person", "aldoria") for x in ("Aldric", "Bera", "Cole", "Dara", "Egon")),
            *(being(x, "Location", "aldoria") for x in ("Keep", "Spire", "Mill")), being("Guild", "Faction", "aldoria"),
            *(being(x, "Person", "middle") for x in ("Thorin", "Balin", "Nar", "Orla")),
            *(being(x, "Location", "middle") for x in ("Ironhall", "Redmoor")),
            relation("k1", "RULES", "aldric", "keep", "0301", "0325"), relation("k2", "RULES", "bera", "keep", "0326", "0345"),
            relation("k3", "RULES", "cole", "keep", "0346", "0390"), relation("s1", "RULES", "dara", "spire", "0310", "0372"),
            relation("g1", "MEMBER_OF", "egon", "guild", "0350", "0360"), relation("g2", "MEMBER_OF", "egon", "guild", "0365", "0380"),
            relation("w1", "MARRIED_TO", "aldric", "dara", "0305", "0320"), relation("w2", "MARRIED_TO", "aldric", "bera", "0321", "0324"),
            relation("o1", "OWNS", "cole", "mill", properties={"price": "forty silver marks"}), relation("o2", "OWNED_BY", "spire", "dara"),
            relation("t1", "TRADES_WITH", "keep", "mill", properties={"goods": "flour"}), relation("t2", "TRADES_WITH", "keep", "mill", properties={"goods": "timber"}),
            relation("i1", "RULES", "thorin", "ironhall", age(2740), age(2770)), relation("i2", "RULES", "balin", "ironhall", age(2771), age(2799)),
            relation("i3", "RULES", "nar", "ironhall", age(2800), "4th_age.year_3"), relation("r1", "GUARDS", "orla", "redmoor", age(2750), age(2790)),
            relation("r2", "TEACHES", "orla", "balin", age(2755)), relation("r3", "TEACHES", "orla", "nar", age(2781)),
            memory("Flour is weighed before it leaves the mill", project="aldoria"))


# The question, its options, what is found first, in any order, and what is not found.
QUESTIONS = [
    ("who ruled the Keep in 330", {}, ["k2"], ["k1", "k3"]),
    ("who ruled the Keep in 310?", {}, ["k1"], ["k2", "k3"]),
    ("who rules the Keep in the year 350", {}, ["k3"], ["k1", "k2"]),
    ("who ruled the Keep", {"was_true_at": "0330"}, ["k2"], ["k1", "k3"]),
    ("who ruled the Keep", {"was_true_at": "330"}, ["k2"], ["k1", "k3"]),
    ("who ruled the Keep", {"was_true_at": "0322-05-01"}, ["k1"], ["k2", "k3"]),
    ("which lord ruled the Keep", {"was_true_at": "0388"}, ["k3"], ["k1", "k2"]),
    ("who ruled the Keep in 400", {}, [], ["k1", "k2", "k3"]),
    ("who ruled the Spire in 330", {}, ["s1"], []),
    ("what did Dara rule in 340", {}, ["s1"], []),
    ("what does Bera rule", {"was_true_at": "0340"}, ["k2"], ["k1", "k3"]),
    ("who was Aldric married to in 310", {}, ["w1"], ["w2"]),
    ("who was Aldric married to in 323", {}, ["w2"], ["w1"]),
    ("who was married to Dara", {"was_true_at": "0306"}, ["w1"], ["w2"]),
    ("was Bera married", {"was_true_at": "0323"}, ["w2"], ["w1"]),
    ("is Egon a member of the Guild in 355", {}, ["g1"], ["g2"]),
    ("is Egon a member of the Guild in 370", {}, ["g2"], ["g1"]),
    ("Egon member of the Guild", {"was_true_at": "0362"}, [], ["g1", "g2"]),
    ("who owns the Mill", {}, ["o1"], []),
    ("who owns the Spire", {}, ["o2"], []),
    ("for how many silver marks does Cole own the Mill", {}, ["o1"], []),
    ("what does the Keep trade with the Mill", {}, ["t1", "t2"], []),
    ("who ruled Ironhall", {"was_true_at": age(2750)}, ["i1"], ["i2", "i3"]),
    ("who ruled Ironhall", {"was_true_at": age(2780)}, ["i2"], ["i1", "i3"]),
    ("who ruled Ironhall in 2790", {}, ["i2"], ["i1", "i3"]),
    ("who ruled Ironhall", {"was_true_at": "4th_age.year_2"}, ["i3"], ["i1", "i2"]),
    ("who ruled Ironhall", {"was_true_at": "4th_age.year_8"}, [], ["i1", "i2", "i3"]),
    ("who guards Redmoor", {"was_true_at": age(2760)}, ["r1"], []),
    ("whom does Orla teach", {"was_true_at": age(2790)}, ["r2", "r3"], []),
    ("whom does Orla teach", {"was_true_at": age(2760)}, ["r2"], ["r3"]),
]


def recall(m, question, **options):
    words = [w for k, v in options.items() for w in ("--" + k.replace("_", "-"), v)]
    return m.run("recall", "-q", "--format", "json", "--clock", "2026-03-01", question, *words).json()


def test_thirty_questions_about_relations_and_eras(m):
    worlds(m)
    assert len(QUESTIONS) == 30
    wrong = []
    for question, options, first, never in QUESTIONS:
        got = [h["ref"] for h in recall(m, question, **options)["hits"]]
        relations = [x.split(":")[1] for x in got if x.startswith("relation:")]
        if set(relations[:len(first)]) != set(first) or set(relations) & set(never) or (first and not got[0].startswith("relation:")):
            wrong.append((question, options, got))
    assert not wrong, wrong


def test_a_bare_name_stands_behind_its_relations(m):
    worlds(m)
    m.facts({"kind": "entity", "id": "team", "entity_type": "Team", "name": "Accounts team", "project": "vale"}, {"kind": "entity", "id": "petra", "entity_type": "Person", "name": "Petra Lang", "project": "vale"},
            {"kind": "entity", "id": "crew", "entity_type": "Team", "name": "Harbour crew", "description": "Petra Lang leads it.", "project": "vale"},
            {"kind": "relation", "id": "h", "type": "HEAD_OF", "from": "Petra Lang", "to": "Accounts team", "project": "vale", "valid_from": "2013-04-01", "valid_until": "2017-03-31"}, name="team.jsonl")
    assert [h["ref"] for h in recall(m, "Who was head of the accounts team in 2015?")["hits"]][0] == "relation:h"
    assert [h["ref"] for h in recall(m, "accounts team")["hits"]][0] == "entity:team", "the question is its name"
    assert [h["ref"] for h in recall(m, "who leads the harbour crew")["hits"]][0] == "entity:crew", "it says more than its name"


def test_a_relation_tells_both_ends_and_its_time(m):
    worlds(m)
    got = recall(m, "who ruled the Keep in 330")
    hit, = [h for h in got["hits"] if h["ref"] == "relation:k2"]
    assert (hit["from_ref"], hit["to_ref"], hit["valid_from"], hit["valid_until"]) == ("entity:bera", "entity:keep", "0326", "0345")
    assert got["was_true_at"] == "330" and "Bera rules Keep" in hit["text"], got
    assert "Bera rules Keep. from 0326 until 0345" in m.run("recall", "who ruled the Keep in 330").out
    m.fails("recall", "x", "--was-true-at", "someday", has=("--was-true-at", "not a time"))
    with Server(m) as s:
        assert s.get("/recall?clock=2026-03-01&query=who+ruled+Ironhall&was_true_at=" + age(2750)).json() == recall(m, "who ruled Ironhall", was_true_at=age(2750))
        assert s.get("/recall?query=x&was_true_at=someday", 422).error()["field"] == "was_true_at"


def test_neighbors_have_relations_parallel_ones_too(m):
    worlds(m)
    got = recall(m, "Mill", type="Location", expand="TRADES_WITH", cap="20")
    assert [h["ref"] for h in got["hits"]] == ["entity:mill"]
    assert {(n["ref"], n["rel"], n["direction"], n["from"]) for n in got["neighbors"]} == {
        (f"relation:{x}", "TRADES_WITH", "in", "entity:mill") for x in ("t1", "t2")}
    everything = recall(m, "Keep", type="Location", expand="*", cap="20")
    assert {n["ref"] for n in everything["neighbors"]} >= {"relation:t1", "relation:t2", "relation:k1", "relation:k2", "relation:k3"}
    assert len(recall(m, "Keep", type="Location", expand="*", cap="2")["neighbors"]) == 2


if __name__ == "__main__":
    main(globals())
