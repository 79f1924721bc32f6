#!/usr/bin/env python3
"""sweep --scope: everything is recorded, what is in the scope is shown. And the last sweep: sweep --latest, health."""
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


def compare(scope, rows, before, whole, shown):
    """What is shown of this scope is what a whole sweep finds in it; returns how much that is."""
    project = scope.split(":")[1] if scope.startswith("project") else None

    def is_inside(id):
        c, members = whole.conflict(id)
        return c[3] == project or any(x[0] in rows for x in members)
    opened = set(shown["opened_ids"])
    new = set(whole.conflicts) - set(before.conflicts)
    inside = {id for id in whole.conflicts if is_inside(id)}
    open_inside = sum(whole.conflicts[id][4] == "open" for id in inside)
    # The slots of which an entity speaks may have other rows' conflicts.
    assert inside & new <= opened <= new and open_inside <= shown["open_conflicts_count"], (scope, shown, inside, new)
    if project:
        assert (inside & new, open_inside) == (opened, shown["open_conflicts_count"]), (scope, shown, inside, new)
    findings = sorted((id, f[0], f[3]) for id, fs in whole.findings.items()
                      for f in fs if f[1] == project or rows & set(json.loads(f[2])))
    assert sorted((f["id"], f["rule"], f["message"]) for f in shown["findings"]) == findings, (scope, shown["findings"], findings)
    assert shown["count"] == len(findings)
    return len(inside), len(findings)


def copied(m, name):
    n = Mirror(m.path(name))
    shutil.copytree(m.dir, n.dir, ignore=lambda _, names: [x for x in names if os.path.isdir(m.path(x))], dirs_exist_ok=True)
    return n


def disputed(m):
    listed = m.run("--format", "json", "conflicts", "list").json()["conflicts"]
    return sorted((c["slot_key"], str(c["window"])) for c in listed if c["disputed"])


def test_everything_is_recorded_and_what_is_in_the_scope_is_shown(m):
    rng = random.Random(20261122)
    m.write("world.yml", WORLD)
    m.write("mirror.yml", "title: x\n")
    m.facts(*latest(*base(), *(change(rng) for _ in range(30))))
    conflicts = findings = 0
    rounds, enough = (90, (50, 150)) if THOROUGH else (15, (5, 15))
    for i in range(rounds):
        if i % 3 == 0:
            m.run("sweep")
        m.facts(*latest(*(change(rng) for _ in range(rng.randrange(1, 9)))))
        scope = rng.choice(["entity:" + x for x in PEOPLE + PLACES + ("fall",)] + ["project:w", "project:p", "project:q"])
        full, cut = copied(m, f"full{i}"), copied(m, f"cut{i}")
        before, rows = Record(m), rows_of(m, scope)
        full.run("sweep")
        shown = cut.run("--format", "json", "sweep", "--scope", scope).json()
        whole, part = Record(full), Record(cut)
        assert (part.conflicts, part.members, part.findings) == (whole.conflicts, whole.members, whole.findings), scope
        a, b = compare(scope, rows, before, whole, shown)
        conflicts, findings = conflicts + a, findings + b
    assert conflicts > enough[0] and findings > enough[1], (conflicts, findings)


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
    shown = m.run("--format", "json", "sweep", "--scope", "era:1st_age").json()
    id, = shown["opened_ids"]
    assert m.sql("SELECT slot_key FROM conflicts WHERE id = ?", id) == [('["w","RULES","north"]',)]
    assert (shown["opened"], shown["open_conflicts_count"], m.sql("SELECT count(*) FROM conflicts")) == (1, 1, [(4,)])
    assert m.run("--format", "json", "sweep").json()["opened"] == 0


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
    assert (run["opened"], run["updated"], run["disputed_count"]) == (1, 0, 1), run
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
    assert (run["rules"], run["findings"]) == (sum(r["on"] for r in rules) - 1, swept["count"]), run
    with Server(m, "--api-only") as s:
        assert s.get("/sweeps/latest").json() == {"sweep": run} and s.get("/health").json()["last_run"] == run
    m.fails("sweep", "--latest", "--dry-run", has=("--latest",))
    m.run("sweep", "--dry-run")
    assert m.run("--format", "json", "sweep", "--latest").json()["sweep"] == run


if __name__ == "__main__":
    main(globals())
