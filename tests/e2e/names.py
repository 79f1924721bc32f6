#!/usr/bin/env python3
"""Names that differ in a sign only, and a log of software releases as public sites keep it: two
sources say the same of some thousand products and cycles, and nothing of it is a contradiction."""
import glob
import os
import random

from harness import *

# Products whose names differ in a sign, a digit or a space, beside plain ones.
PRODUCTS = {
    "C": ["89", "11", "17"], "C++": ["11", "14", "17", "20"], "C#": ["8", "11", "12"], "F#": ["8"], "F": ["77", "90"],
    "Notepad": ["8"], "Notepad++": ["8", "8.6"], "g++": ["11", "12"], "G": ["11"], "Q": ["3"], "Q#": ["3"],
    "Galaxy S20": ["11", "12"], "Galaxy S20+": ["11", "12"], "Galaxy S20+ 5G": ["12"], "Galaxy S20 5G": ["12"],
    "galaxy-s10": ["9"], "galaxy-s10+": ["9"], "galaxy-s10e": ["9"], "iPhone 8": ["16"], "iPhone 8 Plus": ["16"],
    "Pixel 3": ["12"], "Pixel 3+": ["12"], "tablet 7": ["3", "3+", "3.0", "3.0+", "3.1", "3.10", "30"],
    "rail monitor": ["+5 V", "-5 V", "5 V", "+12 V", "-12 V"], "UTC clock": ["+1", "-1", "1"],
    "Ubuntu": ["18.04", "18.10", "20.04"], "PostgreSQL": ["9.6", "10", "16"], "Node.js": ["18", "20"],
    "Canal+": ["5"], "Canal": ["5"], "Disney+": ["2"], "Debian": ["11", "12"], "RHEL": ["8", "9"],
}
FIELDS = ("latest", "release_date", "eol", "codename")


def cycle(rng, n):
    return {"latest": f"{n}.{rng.randrange(1, 30)}.{rng.randrange(40)}",
            "release_date": f"20{rng.randrange(10, 26)}-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}",
            "eol": f"2027-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}", "codename": f"codename {n}"}


def says_latest(name, version):
    return memory(f"Release {name} latest is {version}.", project="releases", slot_rule=f"Release {name} latest")


def release_log(seed=1):
    """(records, facts): each cycle of each product by an entity, by state rows that name it with other
    signs between the words, and where the sentence has room by a memory."""
    rng, out, facts = random.Random(seed), [project("releases")], {}
    for product, cycles in PRODUCTS.items():
        for c in cycles:
            name, n = f"{product} {c}", len(facts) + 1
            facts[name] = f = cycle(rng, n)
            out.append(entity("Release", f, name, "releases", id=f"e{n}"))
            between = rng.choice([" ", "/", "_", ": "])
            for field in FIELDS:
                out.append(state(f"release{between}{product}{between}{c}{between}{field}", f[field], "log", "releases"))
            out.append(says_latest(name, f["latest"]))
    return out, facts


def test_a_log_of_releases_has_no_false_alarm(m):
    log, facts = release_log()
    m.facts(*log)
    assert not m.sweep(), [(c["slot_key"], kinds(c)) for c in m.sweep()]
    # The rows do meet: each cycle's four fields are as many slots, and no more.
    rows = m.run("sweep").out
    assert f" {4 * len(facts)} slots" in rows, rows
    m.run("build")


def test_what_differs_in_the_log_is_found(m):
    log, facts = release_log()
    wrong = {"Galaxy S20+ 12": "99.1.1", "C# 11": "99.1.2", "rail monitor -5 V": "99.1.3", "tablet 7 3+": "99.1.4"}
    m.facts(*log, *(says_latest(n, v) for n, v in wrong.items()))
    found = {c["slot_key"][1] for c in m.sweep()}
    assert found == {"release_galaxy_s20+_12_latest", "release_c#_11_latest", "release_rail_monitor_-5_v_latest",
                     "release_tablet_7_3+_latest"}, found


def test_names_that_differ_in_a_sign_stay_apart(m):
    names = ["C", "C++", "C#", "3", "3+", "+5 V", "-5 V", "5 V", "Galaxy S20", "Galaxy S20+", "Deck 1", "Deck -1"]
    m.facts(*(entity("Parameter", {"value": f"value {i}"}, n) for i, n in enumerate(names)))
    assert not m.sweep()


def test_names_that_are_one_still_meet(m):
    pairs = [("leg-2", "leg 2"), ("leg - 3", "leg_3"), ("issue #12", "issue 12"), ("Galaxy S20+", "galaxy-s20+"), ("C \u266f", "c"),
             ("\u22125 V", "-5 v"), ("Rail (+5 V)", "rail +5 V")]
    m.facts(*(entity("Parameter", {"value": f"value {i}"}, n) for pair in pairs for i, n in enumerate(pair)))
    assert len(m.sweep()) == len(pairs), [c["slot_key"] for c in m.conflicts()]


def test_memories_keep_signs(m):
    m.facts(memory("prefers C over C++", "preference"), memory("prefers C++ over C", "preference"),
            memory("prefers C++ for drivers", "preference"), memory("prefers C for drivers", "preference"))
    assert {c["slot_key"][2] for c in m.sweep()} == {"c|c++", "drivers"}


def old_fold(m, new, old):
    """The store as it was before signs belonged to names: recorded under the old key, by the old reading."""
    m.sql("UPDATE conflicts SET slot_key = ? WHERE slot_key = ?", json.dumps(["p05", old], separators=(",", ":")),
          json.dumps(["p05", new], separators=(",", ":")))
    m.sql("UPDATE swept SET decided = 'an older reading'")


def test_ids_and_verdicts_survive_the_upgrade(m):
    m.facts(state("C++ standard", "17"), entity("Parameter", {"value": "20"}, "C++ standard"),
            state("S20+ width", "69 mm"), entity("Parameter", {"value": "74 mm"}, "S20+ width"))
    by_key = {c["slot_key"][1]: c["id"] for c in m.sweep()}
    m.run("conflicts", "dismiss", by_key["s20+_width"], "--reason", "two models")
    old_fold(m, "c++_standard", "c_standard")
    old_fold(m, "s20+_width", "s20_width")
    now = m.sweep()
    assert [(c["id"], c["slot_key"][1]) for c in now] == [(by_key["c++_standard"], "c++_standard")], now
    # What only met because signs were dropped is for a person to sign off; nothing closes itself.
    assert now[0]["disputed"]


def test_a_conflict_of_names_that_no_longer_meet_waits_for_a_person(m):
    m.facts(state("Galaxy S20 width", "69 mm"), state("Galaxy S20+ width", "74 mm"))
    assert not m.sweep()
    rows = {r[1]: r[0] for r in m.sql("SELECT id, key FROM project_state")}
    m.facts(state("Galaxy S21 width", "69 mm", id="x1"), entity("Parameter", {"value": "74 mm"}, "Galaxy S21 width", id="x2"))
    one, = m.sweep()
    m.sql("UPDATE conflict_members SET member_id = ? WHERE member_id = 'x1'", rows["Galaxy S20 width"])
    m.sql("UPDATE conflict_members SET member_id = ?, member_kind = 'project_state' WHERE member_id = 'x2'", rows["Galaxy S20+ width"])
    m.sql("UPDATE conflicts SET anchor = ''")
    old_fold(m, "galaxy_s21_width", "galaxy_s20_width")
    now = {c["id"]: c for c in m.sweep()}
    assert one["id"] in now and not now[one["id"]]["disputed"], now


def test_what_was_excluded_stays_excluded(m):
    m.write("mirror.yml", "publish: { exclude: { properties: [key] } }\n")
    m.facts(entity("Component", {"Key#": "hidden-one", "key": "hidden-two", "mass": "4 kg"}, "lock"))
    m.run("build")
    for name, data in m.site_bytes("site"):
        assert b"hidden-" not in data, name


def shown_peps(m, page):
    """The numbers of the PEPs in a page's lists, in their order."""
    return [int(n) for n in re.findall(r"^(?:- |#+ )(?:<a[^>]*></a>)?\[?PEP (\d+)\b", m.text("site", "projects", page), re.M)]


def pep(n):
    return entity("Decision", {"decision_target": f"PEP {n}", "decision_field": "status", "value": "Final"}, f"PEP {n}",
                  "python", id=f"pep-{n}")


def test_lists_are_in_natural_order(m):
    numbers = [1, 2, 10, 9, 100, 20, 3]
    m.facts(project("python", name="Python"), *(pep(n) for n in numbers), *(project(f"P{n}") for n in numbers))
    m.run("build")
    assert shown_peps(m, "python/README.md")[:7] == sorted(numbers)
    assert shown_peps(m, "python/decisions.md") == sorted(numbers)
    assert shown_peps(m, "python/entities/decision.md") == sorted(numbers)
    listed = re.findall(r"projects/p(\d+)/README.md", m.text("site", "README.md"))
    assert [int(n) for n in listed] == sorted(numbers), listed
    # The data file keeps the order of bytes, so that the order of pages is no change of it.
    ids = re.findall(r'"kind":"entity","id":"pep-(\d+)"', m.text("site", "data", "python", "entities", "decision.jsonl"))
    assert ids == sorted(map(str, numbers)), ids


def test_a_long_list_is_in_natural_order(m):
    """Its pages are cut by the beginning of names, each is in order, and the overview as if it were not cut."""
    m.facts(project("python"), *(pep(n) for n in range(1, 31)))
    m.write("mirror.yml", m.text("mirror.yml") + "list_limit: 12\n")
    m.run("build")
    assert shown_peps(m, "python/README.md")[:12] == list(range(1, 13)), "an overview has the first twelve"
    assert shown_peps(m, "python/entities/decision-pep-10-19.md") == [*range(10, 20)]
    m.facts(pep(110))
    m.run("build")
    assert shown_peps(m, "python/entities/decision-pep-10-19.md") == [*range(10, 20)]
    assert shown_peps(m, "python/entities/decision-pep-20-29.md") == [*range(20, 30)]
    assert shown_peps(m, "python/README.md")[:12] == list(range(1, 13)), "110 is not after 11"


def page_of(m, folder, id):
    """The one page of a folder that is about this row."""
    found = [p for p in glob.glob(m.path("site", folder, "*.md")) if f"Id: {id}\n" in open(p).read()]
    assert len(found) == 1, (folder, id, found)
    return os.path.basename(found[0])


def lamp(id, name, **kw):
    return {"kind": "entity", "id": id, "entity_type": kw.pop("entity_type", "Lamp"), "project": kw.pop("project", "hall"), "name": name, **kw}


def test_an_address_stays_with_the_row_that_came_first(m):
    lamps = "projects/hall/entities/lamp"
    tie = {"kind": "relation", "id": "r1", "type": "PART_OF", "from": "y1", "to": "z1"}
    m.facts(lamp("y1", "Brass Lamp"), lamp("z1", "Hall"), tie)
    m.run("build")
    assert page_of(m, lamps, "y1") == "brass-lamp.md"
    m.facts(lamp("a1", "brass-lamp", created_at="2001-01-01"), {**tie, "id": "r2", "from": "a1"}, name="more.jsonl")
    m.facts(lamp("b1", "Bráss lamp"), {**tie, "id": "r3", "from": "b1"}, name="again.jsonl")
    m.run("build")
    assert page_of(m, lamps, "y1") == "brass-lamp.md", "who came by an earlier command keeps it"
    others = [page_of(m, lamps, x) for x in ("a1", "b1")]
    assert others[0].startswith("brass-lamp-") and others[1] == "bráss-lamp.md", others
    m.facts(lamp("y1", "Steel Lamp"), name="facts.jsonl")
    m.run("build")
    assert page_of(m, lamps, "y1") == "steel-lamp.md", "a renamed row moves"
    assert page_of(m, lamps, "a1") == "brass-lamp.md"


def test_a_restored_store_has_the_addresses(m):
    """Who came first is part of the export: a store made from it has the same pages, and exports the same."""
    tie = {"kind": "relation", "id": "r1", "type": "PART_OF", "from": "y1", "to": "z1"}
    m.facts(lamp("y1", "Brass Lamp"), lamp("z1", "Hall"), tie)
    m.facts(lamp("a1", "brass-lamp", created_at="2001-01-01"), {**tie, "id": "r2", "from": "a1"}, name="more.jsonl")
    m.run("build")
    m.write("all.jsonl", m.run("export").out)
    assert m.text("all.jsonl").count('"came"') == 2
    m.run("--store", "copy.db", "import", "all.jsonl", "-q"), m.run("--store", "copy.db", "build", "-d", "copied")
    assert m.tree("copied") == m.tree("site")
    assert m.run("--store", "copy.db", "export").out == m.text("all.jsonl")
    # Its sources say the same again, and the order stays.
    m.run("--store", "copy.db", "import", "more.jsonl", "facts.jsonl", "-q"), m.run("--store", "copy.db", "build", "-d", "copied")
    assert m.tree("copied") == m.tree("site")


def test_within_one_command_the_older_row_comes_first(m):
    rows = [lamp("a1", "Lamp", created_at="2020-01-02"), lamp("b1", "lamp", created_at="2020-01-01"), lamp("c1", "LAMP"), lamp("d1", "Door"), lamp("e1", "door")]
    ties = [{"kind": "relation", "id": f"r{r['id']}", "type": "PART_OF", "from": r["id"], "to": "z1"} for r in rows]
    for facts in (rows + ties, ties + rows[::-1]):
        m.facts(lamp("z1", "Hall"), *facts)
        m.run("build")
        lamps = "projects/hall/entities/lamp"
        assert page_of(m, lamps, "b1") == "lamp.md" and page_of(m, lamps, "d1") == "door.md"
        os.remove(m.path("hmirror.db"))


def test_a_mistyped_project_moves_no_page(m):
    m.facts(state("size", "4", project="Hall 2", id="s1"))
    m.run("build")
    assert "size" in m.text("site/projects/hall-2/state.md")
    m.facts(state("size", "5", project="hall-2", id="s2", created_at="2001-01-01"), name="typo.jsonl")
    m.run("build")
    page = m.text("site/projects/hall-2/state.md")
    assert "| 4 |" in page and "| 5 |" not in page, page


def test_a_restored_store_has_the_addresses_of_projects_that_rows_alone_name(m):
    for number, name in enumerate(("yard", "Yard", "YARD")):   # the later one sorts first
        m.facts(state("size", f"{number}{number} m", project=name, id=f"s{9 - number}"), {"kind": "relation", "id": f"r{number}", "project": name, "type": "PART_OF", "from": "a", "to": "b"},
                name=f"{number}.jsonl")
    m.run("build")
    assert "| 00 m |" in m.text("site/projects/yard/state.md")
    m.write("all.jsonl", m.run("export").out)
    m.run("--store", "copy.db", "import", "all.jsonl", "-q"), m.run("--store", "copy.db", "build", "-d", "copied")
    assert m.tree("copied") == m.tree("site")
    assert m.run("--store", "copy.db", "export").out == m.text("all.jsonl")
    m.run("--store", "copy.db", "import", "2.jsonl", "0.jsonl", "-q"), m.run("--store", "copy.db", "build", "-d", "copied")
    assert m.tree("copied") == m.tree("site")


if __name__ == "__main__":
    main(globals())
