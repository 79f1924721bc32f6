#!/usr/bin/env python3
"""sweep --scope: in the scope the record is that of a whole sweep, outside of it nothing changes. And the
last sweep: sweep --latest, health."""
import random

from harness import *
from server import Server

WORLD = """\
eras:
  - {world: w, era: 1st_age, ends: year_500}
  - {world: w, era: 2nd_age, begins: year_1, ends: year_900}
  - {world: w, era: 3rd_age, begins: year_1}
"""
PEOPLE, PLACES = ("anna", "bert", "cleo", "dora"), ("north", "south", "east")


def entity(id, type, project="w", **props):
    return {"kind": "entity", "id": id, "entity_type": type, "name": id.title(), "project": project, "properties": props}


def relation(id, type, a, b, begins=None, ends=None, **more):
    r = {"kind": "relation", "id": id, "type": type, "from": a, "to": b, "project": "w", **more}
    r.update({k: v for k, v in (("valid_from", begins), ("valid_until", ends)) if v})
    return r


def base():
    return ([entity(p, "Person") for p in PEOPLE] + [entity(p, "Location") for p in PLACES] +
            [entity("fall", "Event", era="2nd_age"), {"kind": "project", "id": "w", "name": "World"},
             {"kind": "project", "id": "p", "name": "Polisher"}, {"kind": "project", "id": "q", "name": "Quarry"}])


def change(rng):
    """A record that is new, or says something else than the one of its id."""
    kind = rng.choice("rrrrrsse")
    if kind == "s":
        return {"kind": "project_state", "id": f"s{rng.randrange(8)}", "project": rng.choice("pq"), "key": rng.choice("kl"),
                "value": rng.choice(("1 V", "2 V", "1000 mV")), "status": rng.choice(("active", "active", "invalid"))}
    if kind == "e":
        return entity(rng.choice(PEOPLE), "Person", rng.choice("wwp"), **rng.choice(
            ({}, {"birth": "2nd_age.year_10"}, {"birth": "3rd_age.year_10", "death": "2nd_age.year_5"})))
    era = rng.choice(("1st_age", "2nd_age", "3rd_age"))
    begins, ends = rng.choice((None, f"{era}.year_{rng.randrange(1, 40)}")), rng.choice((None, None, f"{era}.year_{rng.randrange(40, 80)}"))
    type = rng.choice(("RULES", "LOCATED_IN", "SPOUSE_OF", "WITNESSED"))
    a = rng.choice(PEOPLE)
    b = rng.choice(PEOPLE) if type == "SPOUSE_OF" else "fall" if type == "WITNESSED" else rng.choice(PLACES + ("nowhere",))
    return relation(f"r{rng.randrange(14)}", type, a, b, begins, ends, status=rng.choice(("active", "active", "active", "invalid")))


def latest(*records):
    """The last record of each id."""
    return list({(r["kind"], r["id"]): r for r in records}.values())


CONFLICTS = ("SELECT id, slot_kind, slot_key, project, status, rule, anchor, coalesce(merged_into, ''), coalesce(window_from, ''),"
             " coalesce(window_until, '') FROM conflicts")
MEMBERS = ("SELECT conflict_id, member_kind || ':' || member_id, field, value_normal, flagged, coalesce(conflicts_with, '')"
           " FROM conflict_members ORDER BY 1, 2, 3")


class Record:
    """What is on record: conflicts with their members, findings; and the rows."""

    def __init__(self, m):
        self.conflicts = {row[0]: row for row in m.sql(CONFLICTS)}
        self.members = {}
        for row in m.sql(MEMBERS):
            self.members.setdefault(row[0], []).append(row[1:])
        self.findings = {}
        for row in m.sql('SELECT id, rule, project, "rows", message, severity FROM findings ORDER BY 1, 5'):
            self.findings.setdefault(row[0], []).append(row[1:])

    def conflict(self, id):
        return self.conflicts.get(id), self.members.get(id)


def rows_of(m, scope):
    """The rows in it, for entities and projects, by the words of the manual."""
    kind, name = scope.split(":")
    relations = m.sql("SELECT 'relation:' || id, from_id, to_id, project FROM relations")
    if kind == "entity":
        return {"entity:" + name} | {r for r, a, b, _ in relations if name in (a, b)}
    return ({r for r, in m.sql("SELECT 'entity:' || id FROM entities WHERE project = ?", name)} |
            {r for r, in m.sql("SELECT 'project_state:' || id FROM project_state WHERE project = ?", name)} |
            {r for r, _, _, p in relations if p == name})


def ties(c):
    return {c[0], c[7], (c[2], c[6])} - {""} if c else set()


def compare(m, scope, rows, before, whole, part):
    project = scope.split(":")[1] if scope.startswith("project") else None
    inside = set()
    for id in set(before.conflicts) | set(whole.conflicts):
        for r in (before, whole):
            c, members = r.conflict(id)
            if c and (c[3] == project or any(x[0] in rows for x in members)):
                inside.add(id)
    tied = set().union(*(ties(r.conflicts.get(i)) for i in inside for r in (before, whole)))
    for id in set(before.conflicts) | set(whole.conflicts) | set(part.conflicts):
        here = part.conflict(id)
        if id in inside:
            assert here == whole.conflict(id), (scope, id, here, whole.conflict(id))
        elif not any(ties(r.conflicts.get(id)) & tied for r in (before, whole)):
            assert here == before.conflict(id), (scope, id, here, before.conflict(id))
        else:
            assert here in (before.conflict(id), whole.conflict(id)), (scope, id)
    touched = {id for r in (before, whole) for id, fs in r.findings.items()
               for f in fs if f[1] == project or rows & set(json.loads(f[2]))}
    for id in set(before.findings) | set(whole.findings) | set(part.findings):
        want = whole if id in touched else before
        assert part.findings.get(id) == want.findings.get(id), (scope, id, part.findings.get(id), want.findings.get(id))
    return len(inside), len(touched)


def copied(m, name):
    n = Mirror(m.path(name))
    shutil.copytree(m.dir, n.dir, ignore=lambda _, names: [x for x in names if os.path.isdir(m.path(x))], dirs_exist_ok=True)
    return n


def disputed(m):
    listed = m.run("--format", "json", "conflicts", "list").json()["conflicts"]
    return sorted((c["slot_key"], str(c["window"])) for c in listed if c["disputed"])


def test_a_scope_gets_what_a_whole_sweep_gives_it_and_nothing_else_changes(m):
    rng = random.Random(20261122)
    m.write("world.yml", WORLD)
    m.write("mirror.yml", "title: x\n")
    m.facts(*latest(*base(), *(change(rng) for _ in range(30))))
    conflicts = findings = 0
    for i in range(45):
        if i % 3 == 0:
            m.run("sweep")
        m.facts(*latest(*(change(rng) for _ in range(rng.randrange(1, 9)))))
        scope = rng.choice(["entity:" + x for x in PEOPLE + PLACES + ("fall",)] + ["project:w", "project:p", "project:q"])
        full, cut = copied(m, f"full{i}"), copied(m, f"cut{i}")
        before, rows = Record(m), rows_of(m, scope)
        full.run("sweep")
        shown = cut.run("--format", "json", "sweep", "--scope", scope).json()
        a, b = compare(m, scope, rows, before, Record(full), part := Record(cut))
        assert len(shown["findings"]) == sum(len(f) for id, f in part.findings.items() for x in f
                                             if x[1] == scope[8:] or rows & set(json.loads(x[2]))) or scope[0] == "p", shown
        conflicts, findings = conflicts + a, findings + b
        # What is left is left for the next writes and sweeps: both stores end alike.
        extra = change(rng)
        for n in (full, cut):
            n.facts(extra)
            n.run("add", "state", "--project", "p", "k", "3 V")
            n.run("sweep")
        assert disputed(full) == disputed(cut), scope
        assert Record(full).findings == Record(cut).findings, scope
        if rng.random() < 0.5:
            m.run("sweep", "--scope", scope)
    assert conflicts > 50 and findings > 150, (conflicts, findings)


def test_an_era_is_what_holds_or_happened_in_it(m):
    m.write("world.yml", WORLD)
    m.write("mirror.yml", "title: x\n")
    m.facts(*latest(*base(),
            relation("r1", "RULES", "anna", "north", "1st_age.year_10", "1st_age.year_50"),
            relation("r2", "RULES", "bert", "north", "1st_age.year_20", "1st_age.year_60"),
            relation("r3", "RULES", "anna", "south", "3rd_age.year_10"),
            relation("r4", "RULES", "bert", "south", "3rd_age.year_20"),
            relation("r5", "LOCATED_IN", "cleo", "south"), relation("r6", "LOCATED_IN", "cleo", "north"),
            entity("dora", "Person", birth="3rd_age.year_10"), relation("r7", "WITNESSED", "dora", "fall"),
            {"kind": "project_state", "id": "s1", "project": "p", "key": "k", "value": "1"},
            {"kind": "project_state", "id": "s2", "project": "p", "key": "k", "value": "2"}))

    def swept(era):
        r = m.run("--format", "json", "sweep", "--dry-run", "--scope", "era:" + era).json()
        return r["opened"], sorted(f["rule"] for f in r["findings"] if f["rule"].startswith("time/"))
    assert swept("1st_age") == (1, [])
    assert swept("2nd_age") == (0, ["time/existed-before"])       # when the event was
    assert swept("3rd_age") == (1, ["time/existed-before"])       # when Dora lived
    assert swept("3rd age") == swept("3rd_age")
    m.run("sweep", "--scope", "era:1st_age")
    assert [json.loads(k) for k, in m.sql("SELECT slot_key FROM conflicts")] == [["w", "RULES", "north"]]
    assert m.run("--format", "json", "sweep").json()["opened"] == 3


def test_what_is_not_there(m):
    m.write("world.yml", WORLD)
    m.facts(*base())
    m.fails("sweep", "--scope", "entity:ana", has=("no entity 'ana'", "did you mean 'entity:anna'?"))
    m.fails("sweep", "--scope", "entity:Anna", has=("did you mean 'entity:anna'?",))
    m.fails("sweep", "--scope", "project:poliser", has=("no project 'poliser'", "p, q, w"))
    m.run("sweep", "--scope", "project:Polisher", "--dry-run")
    m.fails("sweep", "--scope", "era:4th_age", has=("no era '4th_age'", "1st_age, 2nd_age, 3rd_age"))
    m.fails("sweep", "--scope", "era:3rd_ag", has=("did you mean '3rd_age'?",))
    for wrong in ("anna", "entity:", "all:x", "", "row:anna"):
        m.fails("sweep", "--scope", wrong, has=("entity:ID, project:ID, era:ERA or all",))
    assert m.sql("SELECT count(*) FROM sweep_runs") == [(0,)]


def test_the_last_sweep(m):
    m.write("world.yml", WORLD)
    m.facts(*base(), relation("r1", "RULES", "anna", "north"), relation("r2", "RULES", "bert", "north"))
    assert m.run("sweep", "--latest").out == "No sweep yet.\n"
    assert m.run("--format", "json", "sweep", "--latest").json() == {"sweep": None}
    assert m.run("--format", "json", "health").json()["last_run"] is None
    swept = m.run("--format", "json", "sweep").json()
    run = m.run("--format", "json", "sweep", "--latest").json()["sweep"]
    assert (run["scope"], run["opened"], run["updated"], run["disputed_count"]) == ("all", 1, 0, 1), run
    assert (run["findings"], run["rows"], run["claims"]) == (swept["count"], swept["rows"], swept["claims"]), run
    kinds = {}
    for f in swept["findings"]:
        kinds[f["kind"]] = kinds.get(f["kind"], 0) + 1
    assert run["findings_by_kind"] == kinds and kinds, run
    rules = m.run("--format", "json", "rules", "list").json()["rules"]
    assert run["rules"] == sum(r["on"] for r in rules), (run, len(rules))
    assert run["duration_us"] > 0 and run["finished_at"] >= run["started_at"]
    assert m.run("--format", "json", "health").json()["last_run"] == run
    # Acknowledged findings count apart, and do not fail a run.
    for f in swept["findings"]:
        m.run("findings", "ack", f["id"], "--reason", "known")
    health = m.run("--format", "json", "health").json()
    assert (health["findings"], health["acknowledged"]) == (0, swept["count"]), health
    m.run("conflicts", "dismiss", swept["opened_ids"][0], "--reason", "both")
    m.run("health", "--exit-code")
    assert f"0, {swept['count']} more acknowledged" in m.run("health").out
    m.run("rules", "disable", rules[0]["id"])
    m.run("sweep", "--scope", "entity:north")
    run = m.run("--format", "json", "sweep", "--latest").json()["sweep"]
    assert (run["scope"], run["rules"], run["acknowledged"]) == ("entity:north", sum(r["on"] for r in rules) - 1, 1), run
    assert "of entity:north, 0." in m.run("sweep", "--latest").out
    m.fails("sweep", "--latest", "--dry-run", has=("--latest",))
    m.run("sweep", "--dry-run")
    assert m.run("--format", "json", "sweep", "--latest").json()["sweep"] == run


def test_disputes_that_a_scope_left_out_are_found_by_all_who_look(m):
    """Nobody compared the other slots with what is on record, and no index says so."""
    m.write("world.yml", WORLD)
    m.facts(*base(), relation("r1", "RULES", "anna", "north"), relation("r2", "RULES", "bert", "north"))
    m.run("sweep")
    m.facts(*(relation(f"r{i}", "RULES", who, "south") for i, who in ((3, "anna"), (4, "bert"))))
    m.run("sweep", "--scope", "entity:dora")
    id, = m.run("--format", "json", "sweep", "--dry-run").json()["opened_ids"]
    assert m.run("--format", "json", "conflicts", "show", id).json()["slot_key"] == ["w", "RULES", "south"]
    with Server(m, "--api-only") as s:
        run = m.run("--format", "json", "sweep", "--latest").json()
        assert s.get("/sweeps/latest").json() == run and run["sweep"]["scope"] == "entity:dora"
        assert s.get("/health").json()["last_run"] == run["sweep"]
    assert m.run("--format", "json", "sweep").json()["opened"] == 1


if __name__ == "__main__":
    main(globals())
