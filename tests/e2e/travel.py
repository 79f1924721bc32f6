#!/usr/bin/env python3
"""Verdicts travel: from a desk through git to a fresh store in CI, and to another desk."""
import time

from harness import *

P = project("p05", "interferometer")
T = {"created_at": "2026-04-01T09:00:00Z"}
S1 = {**state("lateral_support_material", "GF-PTFE", id="s1", **T), "status": "active"}
E1 = decision("PEEK", id="e1", created_at="2026-04-02T09:00:00Z")
E2 = decision("PTFE", id="e2", created_at="2026-04-03T09:00:00Z")
A1 = {**state("area", "480 m2", id="a1", **T), "status": "active"}
A2 = memory("area is 500 m2", id="a2", **T)
FACTS = [P, S1, E1, E2, A1, A2]


def lines(*records):
    return "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records)


class Desk(Mirror):
    """A folder of its own below another one's."""

    def __init__(self, m, name):
        os.makedirs(m.path(name), exist_ok=True)
        super().__init__(m.path(name))
        if not os.path.exists(self.path("hmirror.db")):
            self.run("init")

    def take(self, *records, name="facts.jsonl"):
        self.write(name, lines(*records))
        return self.run("--format", "json", "import", name).json()

    def verdicts(self):
        return self.run("export", "--verdicts").out

    def bring(self, text, name="verdicts.jsonl"):
        self.write(name, text)
        return self.run("--format", "json", "import", name).json()["verdicts"]

    def named(self, word, status="open"):
        return next(c for c in self.conflicts(status) if c["slot_key"][1] == word)

    def rows(self):
        """{id: (status, superseded_by, superseded_at)}"""
        return {r["id"]: (r.get("status"), r.get("superseded_by"), r.get("superseded_at"))
                for r in map(json.loads, self.run("export").out.splitlines()) if r["kind"] in ("memory", "entity", "project_state")}


def desk(m, name, *records):
    d = Desk(m, name)
    d.take(*(records or FACTS))
    d.sweep()
    return d


def decided(m, name="ann"):
    """A desk at which one conflict is resolved and one dismissed."""
    d = desk(m, name)
    d.run("conflicts", "resolve", d.named("lateral_support_material")["id"], "--winner", "s1", "--notes", "tested on the cell", "--by", "ann")
    d.run("conflicts", "dismiss", d.named("area")["id"], "--reason", "gross and net", "--by", "ann")
    return d


def settled(d):
    """What a settled conflict says, without the clock."""
    return [{k: v for k, v in c.items() if k != "detected_at"} for c in d.conflicts("all")]


NED = [entity("Person", {}, "Ned", id="ned"), entity("Culture", {}, "North", id="n"), entity("Culture", {}, "South", id="s"),
       entity("Faction", {}, "Stark", id="st"),
       *({"kind": "relation", "id": f"b{i}", "type": "BELONGS_TO", "from": "ned", "to": to, "project": "p05"} for i, to in enumerate(("n", "s", "st")))]


PUMP = [P, entity("Component", {"mass": "4 kg", "colour": "red"}, "Pump", id="pump", **T), memory("The pump mass is 5 kg", id="mass", **T), memory("The pump colour is blue", id="hue", **T)]


def test_verdicts_that_share_a_row(m):
    """A row that gives way by one imported verdict is a party of the conflict that another is about: as at the desk,
    where the second verdict needed no scope, as the row said nothing else by then."""
    for first, second in (("mass", "hue"), ("hue", "mass")):
        for scope in ("--whole-row", "--field-only"):
            ann = desk(m, f"ann-{first}{scope}", *PUMP)
            slots = {x: next(c["id"] for c in ann.conflicts() if any(k["member_id"] == x for k in c["members"])) for x in ("mass", "hue")}
            assert len(set(slots.values())) == 2, slots
            ann.run("conflicts", "resolve", slots[first], "--winner", first, "--notes", "weighed", scope, "--by", "ann")
            time.sleep(1.1)
            ann.run("conflicts", "resolve", slots[second], "--winner", second, "--notes", "seen", "--by", "ann")
            ben = desk(m, f"ben-{first}{scope}", *PUMP)
            told = ben.bring(ann.verdicts())
            assert told["carried_out"] == 2, told
            assert ben.rows() == ann.rows() and settled(ben) == settled(ann), (first, scope)
            assert ben.sweep() == [], "what is recorded is what a sweep finds"


def test_a_settled_conflict_by_the_older_key_of_its_slot(m):
    ann = desk(m, "ann", P, *NED)
    c, = ann.conflicts()
    ann.run("conflicts", "dismiss", c["id"], "--reason", "a border child", "--by", "ann")
    ann.sql("UPDATE conflicts SET slot_key = ?", '["p05","BELONGS_TO","ned"]')
    assert ann.sweep() == [], "it stays settled"
    ann.take({**NED[-3], "source_refs": ["a book"]})
    assert ann.sweep() == [] and [x["id"] for x in ann.conflicts("all")] == [c["id"]]


def of_an_older_key(verdict, *members, **more):
    """The line as it was when a kind of relation had one slot for all types of the other end."""
    named = [{"member_kind": "relation", "member_id": id, "field": "to", "value": to, "normal": "text:" + to} for id, to in members]
    return lines({**verdict, "slot_key": ["p05", "BELONGS_TO", "ned"], "members": named, "id": "", **more})


def test_a_verdict_by_the_older_key_of_its_slot(m):
    ann = desk(m, "ann", P, *NED)
    c, = ann.conflicts()
    assert c["slot_key"] == ["p05", "BELONGS_TO culture", "ned"], c["slot_key"]
    ann.run("conflicts", "dismiss", c["id"], "--reason", "a border child", "--by", "ann")
    verdict = json.loads(ann.verdicts())
    cases = (("same", (("b0", "n"), ("b1", "s")), "dismissed"), ("one", (("b0", "n"),), "open"), ("other", (("b0", "n"), ("b2", "st")), "open"),
             ("changed", (("b0", "n"), ("b1", "west")), "open"))
    for name, members, status in cases:
        for facts_first in (True, False):
            d = Desk(m, f"{name}{facts_first}")
            text = of_an_older_key(verdict, *members, conflict="cffffffffffff")
            for step in (0, 1):
                d.take(P, *NED) if facts_first == (step == 0) else d.bring(text)
            d.sweep()
            assert [x["status"] for x in d.conflicts("all")] == [status], (name, facts_first, d.conflicts("all"))


def test_before_and_after_the_facts(m):
    ann = decided(m)
    text = ann.verdicts()
    assert [json.loads(x)["status"] for x in text.splitlines()] == ["dismissed", "resolved"] == sorted(json.loads(x)["status"] for x in text.splitlines())
    for name, steps in (("after", [FACTS, None]), ("before", [None, FACTS])):
        d = Desk(m, name)
        for s in steps:
            d.bring(text) if s is None else d.take(*s)
        assert d.sweep() == [], name
        assert settled(d) == settled(ann) and d.rows() == ann.rows(), name
        assert d.verdicts() == text, name
        journal = d.sql("SELECT count(*) FROM journal")
        assert d.bring(text)["known"] == 0 and d.sql("SELECT count(*) FROM journal") == journal, "a double is no news"
    one = Desk(m, "one")
    one.write("v.jsonl", text)
    one.write("facts.jsonl", lines(*FACTS))
    r = one.run("import", "v.jsonl", "facts.jsonl")
    assert "2 imported verdicts were carried out; who signed them is what the file says" in r.err, r.err
    one.run("publish")
    assert one.conflicts() == []


def test_a_name_is_what_the_file_says(m):
    """A page says so of a conflict that an imported verdict settled, and of no other."""
    def said(d):
        d.run("build")
        pages = [d.text("site", "conflicts", x["id"] + ".md") for x in d.conflicts("all")]
        assert len(pages) == 2 and all(re.search(r"✓ (Resolved|Dismissed) on .* by ", p) for p in pages), pages
        return [", as the imported verdict says" in p for p in pages]

    ann = decided(m)
    assert said(ann) == [False, False]
    text = ann.verdicts()
    ann.bring(text)
    assert said(ann) == [False, False], "it was decided here"
    d = Desk(m, "elsewhere")
    d.bring(text)
    d.take(*FACTS)
    d.sweep()
    assert said(d) == [True, True]
    first = d.conflicts("all")[0]
    d.run("conflicts", "reopen", first["id"], "--reason", "again", "--by", "bob")
    d.run("conflicts", "dismiss", first["id"], "--reason", "once more", "--by", "bob")
    assert sorted(said(d)) == [False, True], "bob decided here"


def test_a_publication_carries_out(m):
    text = decided(m).verdicts()
    ci = Desk(m, "ci")
    assert ci.bring(text)["waiting"] == 2
    assert "2 imported verdicts are not carried out: 2 wait for a conflict" in ci.run("health").out
    ci.write("facts.jsonl", lines(*FACTS))
    ci.run("import", "facts.jsonl")
    first = ci.run("--format", "json", "publish").json()["commit"]
    again = Desk(m, "again")
    again.write("facts.jsonl", lines(*FACTS))
    again.write("verdicts.jsonl", text)
    again.run("import", "facts.jsonl", "verdicts.jsonl")
    assert again.run("--format", "json", "publish").json()["commit"] == first, "another fresh store, another night: the same bytes"


def test_what_is_undone_later_stays_undone(m):
    ann = decided(m)
    text = ann.verdicts()
    bob = desk(m, "bob")
    assert bob.bring(text)["carried_out"] == 2
    id = bob.named("area", "dismissed")["id"]
    bob.run("conflicts", "reopen", id, "--reason", "not so", "--by", "bob")
    assert bob.bring(text, "again.jsonl")["carried_out"] == 0 and [c["id"] for c in bob.conflicts()] == [id]
    # His own words, brought back to him, are no news either.
    mine = bob.verdicts()
    assert [json.loads(x)["status"] for x in mine.splitlines()] == ["reopened", "resolved"]
    assert bob.bring(mine)["carried_out"] == 0 and bob.verdicts() == mine
    # At the first desk and in a fresh store the conflict is open again, whatever lines are merged.
    for d in (ann, desk(m, "fresh")):
        d.bring(text + mine)
        assert [c["id"] for c in d.conflicts()] == [id], d.dir
        assert d.verdicts() == mine, d.dir
    # A backup knows it, too.
    m.write("all.jsonl", bob.run("export").out)
    copy = Desk(m, "copy")
    copy.run("import", m.path("all.jsonl"))
    assert copy.run("export").out == bob.run("export").out
    copy.bring(text)
    assert [c["id"] for c in copy.conflicts()] == [id]
    # Decided anew, it stands.
    bob.run("conflicts", "resolve", id, "--winner", "a1", "--notes", "measured", "--by", "bob")
    for d in (ann, desk(m, "later")):
        d.bring(bob.verdicts() + text)
        assert d.conflicts() == [] and d.rows() == bob.rows() and d.verdicts() == bob.verdicts(), d.dir


def test_another_winner_comes_after(m):
    ann = decided(m)
    old = ann.verdicts()
    bob = desk(m, "bob")
    bob.bring(old)
    id = ann.named("lateral_support_material", "resolved")["id"]
    ann.run("conflicts", "reopen", id, "--reason", "it failed")
    ann.run("conflicts", "resolve", id, "--winner", "e1", "--notes", "PEEK after all", "--by", "ann")
    bob.bring(ann.verdicts())
    assert bob.conflicts() == [] and bob.rows()["e1"][0] == "active" and bob.rows()["s1"][:2] == ("superseded", "entity:e1"), bob.rows()


def test_a_copy_of_what_was_restored(m):
    """A later conflict over the same rows says that the verdict on the first was undone."""
    def copied(name):
        text = ann.run("export").out
        copy = Desk(m, name)
        copy.bring(text)
        assert copy.run("export").out == text, name
        copy.sweep()
        assert copy.rows() == ann.rows() and copy.conflicts("all") == ann.conflicts("all"), name

    ann = decided(m)
    for i, verdict in enumerate((["dismiss", "--reason", "both"], ["resolve", "--winner", "e1", "--notes", "x"],
                                 ["resolve", "--no-action", "--notes", "x"],
                                 ["resolve", "--winner", "e1", "--supersede-others", "--notes", "x"])):
        for id in [id for id, row in ann.rows().items() if row[0] == "superseded"]:
            ann.run("restore", id)
        copied(f"open{i}")
        ann.run("conflicts", verdict[0], ann.named("lateral_support_material")["id"], *verdict[1:])
        copied(f"settled{i}")
        ann.take({**E2, "id": f"n{i}", "properties": {**E2["properties"], "value": f"steel {i}"}}, name=f"n{i}.jsonl")
        ann.sweep()
    # What agrees with the winner comes back without a conflict.
    ann.take({**E1, "id": "e3"}, name="e3.jsonl")
    ann.sweep()
    ann.run("conflicts", "resolve", ann.named("lateral_support_material")["id"], "--winner", "e1", "--supersede-others", "--notes", "x")
    ann.run("restore", "e3")
    copied("agreed")


def test_two_that_differ(m):
    ann, bob = desk(m, "ann"), desk(m, "bob")
    id = ann.named("lateral_support_material")["id"]
    ann.run("conflicts", "resolve", id, "--winner", "s1", "--notes", "a", "--by", "ann")
    bob.run("conflicts", "resolve", id, "--winner", "e1", "--notes", "b", "--by", "bob")
    both = ann.verdicts() + bob.verdicts()
    ci = desk(m, "ci")
    ci.write("verdicts.jsonl", both)
    r = ci.run("import", "verdicts.jsonl")
    words = [x for x in r.err.splitlines() if "two verdicts differ" in x]
    assert len(words) == 1 and id in words[0] and "ann on " in words[0] and "project_state:s1 (GF-PTFE) stands" in words[0] \
        and "bob on " in words[0] and "entity:e1 (PEEK) stands" in words[0], r.err
    assert id in [c["id"] for c in ci.conflicts()] and ci.rows()["e1"][0] == "active"
    assert f"conflict {id}: ann on " in ci.run("health").out
    w = ci.run("--format", "json", "health").json()["waiting_verdicts"]
    assert len(w) == 2 and all(x["conflict"] == id and x["why"] for x in w)
    assert sorted(ci.verdicts().splitlines()) == sorted(both.splitlines()), "neither is lost"
    # At a desk that decided, its own stays; the other is told.
    r = ann.bring(bob.verdicts())
    assert len(r["stays_open"]) == 1 and ann.rows()["s1"][0] == "active" and ann.named("lateral_support_material", "resolved")
    # Whoever decides anew has seen both, and that is the end of it.
    ci.run("conflicts", "resolve", id, "--winner", "e2", "--notes", "neither", "--by", "cid")
    ci.sweep()
    assert ci.run("--format", "json", "health").json()["waiting_verdicts"] == []
    last = ci.verdicts()
    assert len(last.splitlines()) == 1
    for d in (ann, bob, desk(m, "next")):
        d.bring(both + last)
        assert d.rows()["e2"][0] == "active" and d.named("lateral_support_material", "resolved")["winner"] == "entity:e2", d.dir
        assert d.verdicts() == last, d.dir


def test_two_that_agree(m):
    ann, bob = desk(m, "ann"), desk(m, "bob")
    id = ann.named("lateral_support_material")["id"]
    ann.run("conflicts", "resolve", id, "--winner", "s1", "--notes", "a", "--by", "ann")
    bob.run("conflicts", "resolve", id, "--winner", "s1", "--notes", "b", "--by", "bob")
    ci = desk(m, "ci")
    r = ci.bring(bob.verdicts() + ann.verdicts())
    assert (r["carried_out"], r["known"]) == (1, 1) and ci.named("lateral_support_material", "resolved")["resolved_by"] == "ann"


LEG = {"kind": "entity", "id": "leg", "entity_type": "Component", "project": "p05", "name": "leg", "properties": {"mass": 4.80, "vendor": "ACME"}, **T}
MASS = {**state("leg_mass", "5 kg", id="m1", **T), "status": "active"}


def test_a_field_taken_out(m):
    """The scope travels: elsewhere the same field leaves the row, and a backup keeps it out."""
    ann, ben = desk(m, "ann", P, MASS, LEG), desk(m, "ben", P, MASS, LEG)
    ann.run("conflicts", "resolve", ann.named("leg_mass")["id"], "--winner", "m1", "--field-only", "--notes", "weighed", "--by", "ann")
    line = json.loads(ann.verdicts())
    assert line["action"] == "supersede_opponents" and line["scope"] == "field_only", line
    ben.bring(ann.verdicts())
    leg = next(r for r in map(json.loads, ben.run("export").out.splitlines()) if r.get("id") == "leg")
    assert leg["properties"] == {"vendor": "ACME"} and leg["status"] == "active" and ben.sweep() == []
    assert ben.verdicts() == ann.verdicts()
    new, whole = Desk(m, "new"), ann.run("export").out
    new.write("all.jsonl", whole)
    new.run("import", "all.jsonl")
    assert new.run("export").out == whole
    new.run("restore", "leg")
    leg = next(r for r in map(json.loads, new.run("export").out.splitlines()) if r.get("id") == "leg")
    assert leg["properties"] == {"vendor": "ACME", "mass": 4.80}
    # Unsaid, it does not touch a row that says more here.
    del line["scope"]
    cid = desk(m, "cid", P, MASS, LEG)
    cid.bring(json.dumps(line) + "\n")
    assert cid.named("leg_mass")["disputed"]


def test_what_no_longer_fits(m):
    text = decided(m).verdicts()
    other = desk(m, "other", *FACTS, {**decision("steel", id="e9", created_at="2026-04-05T09:00:00Z")})
    other.write("verdicts.jsonl", text)
    r = other.run("import", "verdicts.jsonl")
    assert "no longer fits" in r.err and "entity:e9 says steel, which it did not know" in r.err, r.err
    assert [c["slot_key"][1] for c in other.conflicts()] == ["lateral_support_material"]
    assert "entity:e9 says steel" in other.run("health").out
    # Gone again, the verdict fits.
    other.run("edit", "entity:e9", "--set", "status=invalid")
    assert other.sweep() == []
    # The winner is gone.
    gone = desk(m, "gone", P, E1, E2, A1, A2)
    assert "project_state:s1" in gone.bring(text)["stays_open"][0]["why"]


def test_by_content(m):
    """Other ids of rows and of the conflict: another import made them."""
    text = decided(m).verdicts()
    renamed = [P, {**S1, "id": "x1"}, {**E1, "id": "x2"}, {**E2, "id": "x3", "properties": {**E2["properties"], "value": "ptfe."}}, A1, A2]
    d = desk(m, "d", *renamed)
    assert d.named("lateral_support_material")["id"] not in text
    assert d.bring(text)["carried_out"] == 2
    assert d.conflicts() == [] and d.rows()["x1"][0] == "active" and d.rows()["x3"][:2] == ("superseded", "project_state:x1")
    assert d.verdicts() == text, "one verdict is one line in every store"


def test_records_of_conflicts(m):
    """A verdict that is written by hand, and a conflict's record from elsewhere, are carried out as the verb does."""
    ann = desk(m, "ann")
    c = ann.named("lateral_support_material")
    one = {"kind": "conflict", "id": c["id"], "status": "resolved", "action": "supersede_others", "winner": "project_state:s1",
           "resolution": "The review decides.", "resolved_by": "kim", "resolved_at": "2026-06-01"}
    ann.take(one, name="v.jsonl")
    assert ann.rows()["e1"] == ("superseded", "project_state:s1", "2026-06-01"), ann.rows()
    # In a fresh store, before and after the facts.
    for order in ((one, *FACTS), (*FACTS, one)):
        d = Desk(m, f"d{order[0]['kind']}")
        d.take(*order)
        d.sweep()
        got = d.named("lateral_support_material", "resolved")
        assert got["id"] == c["id"] and got["resolved_by"] == "kim" and d.rows() == ann.rows(), order
    # The whole record, of a store whose rows never heard of it.
    record = next(x for x in ann.run("export").out.splitlines() if f'"{c["id"]}"' in x)
    d = Desk(m, "whole")
    d.take(*FACTS, json.loads(record))
    assert d.rows() == ann.rows() and d.named("lateral_support_material", "resolved")["id"] == c["id"]
    d.sweep()
    assert [x["slot_key"][1] for x in d.conflicts()] == ["area"]
    # A backup is still the same store.
    m.write("all.jsonl", ann.run("export").out)
    m.run("--store", "copy.db", "import", "all.jsonl")
    assert m.run("--store", "copy.db", "export").out == ann.run("export").out
    # Nothing is invented: by nobody, at no time.
    d = desk(m, "bare")
    d.take({"kind": "conflict", "id": c["id"], "status": "resolved", "action": "supersede_others", "winner": "project_state:s1"}, name="v.jsonl")
    got = d.named("lateral_support_material", "resolved")
    assert got["resolved_by"] is None and got["resolved_at"] is None and d.rows()["e1"] == ("superseded", "project_state:s1", None)


def test_bad_lines(m):
    d = Desk(m, "d")
    good = {"kind": "verdict", "conflict": "c1", "status": "dismissed"}
    for change, has in (({"status": "open"}, "status: unknown"), ({"status": None}, "status"), ({"conflict": None}, "conflict"),
                        ({"window": ["x", None]}, "window"), ({"oops": 1}, "oops: unknown key of a verdict"),
                        ({"action": "supersede_others"}, "winner: missing"), ({"members": [{}]}, "members"), ({"replaces": "v"}, "replaces")):
        d.write("v.jsonl", lines({**good, **change}))
        d.fails("import", "v.jsonl", has=["v.jsonl:1:", has])
    assert d.sql("SELECT count(*) FROM verdicts") == [(0,)]


def test_redaction(m):
    secret = "hunter2-secret"
    ann = desk(m, "ann", P, {**state("door code", secret, id="s1", **T), "status": "active"}, {**state("door code", "1234-abcd", id="s2", **T), "status": "active"})
    ann.run("conflicts", "resolve", ann.conflicts()[0]["id"], "--winner", "s2", "--notes", f"not {secret}")
    text = ann.verdicts()
    bob = desk(m, "bob", P, {**state("door code", secret, id="s1", **T), "status": "active"})
    bob.bring(text)
    bob.run("redact", "s1", "--reason", "leaked")
    assert secret.encode() not in b"".join(bob.read(f) for f in os.listdir(bob.dir) if f.startswith("hmirror.db"))


def test_what_gives_way_travels_too(m):
    """Opponents, all others, whole rows, one field: as at the desk."""
    leg = entity("Component", {"subsystem_name": "frame", "component_name": "leg", "mass": "4.8 kg", "vendor": "ACME"}, "leg", id="c1", **T)
    facts = [P, S1, E1, E2, {**decision("GF-PTFE", id="e3", **T)}, leg, {**state("frame_leg_mass", "5 kg", id="f1", **T), "status": "active"}]
    for name, args in (("opponents", ["--field-only"]), ("others", ["--supersede-others", "--whole-row"])):
        ann = desk(m, f"ann-{name}", *facts)
        for slot, winner in (("lateral_support_material", "s1"), ("frame_leg_mass", "f1")):
            ann.run("conflicts", "resolve", ann.named(slot)["id"], "--winner", winner, "--notes", "x", *args)
        ci = Desk(m, f"ci-{name}")
        ci.bring(ann.verdicts())
        ci.take(*facts)
        ci.sweep()
        assert ci.rows() == ann.rows() and settled(ci) == settled(ann) and ci.verdicts() == ann.verdicts(), name
        assert (ci.rows()["e3"][0] == "active") == (name == "opponents"), name
        assert (ci.rows()["c1"][0] == "active") == (name == "opponents"), name


def git(d, *args, code=0):
    p = subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t", "-C", d.dir, *args], capture_output=True,
                       env={**d.env, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null"})
    assert p.returncode == code, (args, p.stdout.decode(), p.stderr.decode())
    return p.stdout.decode()


def save(d, what):
    """As the README has it."""
    d.run("export", "--verdicts", "-o", "verdicts.jsonl")
    git(d, "add", "verdicts.jsonl")
    git(d, "commit", "-q", "-m", what)


def clone(m, name, facts):
    git(m, "clone", "-q", "hub.git", name)
    d = Desk(m, name)
    d.run("import", "facts/facts.jsonl")
    if os.path.exists(d.path("verdicts.jsonl")):
        d.run("import", "verdicts.jsonl")
    d.sweep()
    return d


def test_round_trip_through_git(m):
    """Desk to git to CI and back: equal lines, and neighbouring ones, from two branches."""
    slots = [f"k{i}" for i in range(6)]
    facts = [P] + [{**state(k, v, id=f"{k}{v}", category=k, **T), "status": "active"} for k in slots for v in ("a", "b")]
    m.write("origin/facts/facts.jsonl", lines(*facts))
    origin = Desk(m, "origin")
    assert "verdicts.jsonl merge=union" in origin.text(".gitattributes")
    git(m, "init", "-q", "--bare", "-b", "main", "hub.git")
    git(origin, "init", "-q", "-b", "main")
    git(origin, "add", "facts", "mirror.yml", ".gitattributes")
    git(origin, "commit", "-q", "-m", "facts")
    git(origin, "push", "-q", m.path("hub.git"), "main")
    ann, bob = clone(m, "ann", facts), clone(m, "bob", facts)

    def settle(d, by, *names):
        for k in names:
            d.run("conflicts", "resolve", d.named(k)["id"], "--winner", f"{k}a", "--notes", f"{k} by {by}", "--by", by)
        save(d, f"verdicts of {by}")

    # Both begin with the same line, by way of the hub.
    settle(ann, "ann", "k0")
    git(ann, "push", "-q")
    git(bob, "pull", "-q")
    bob.run("import", "verdicts.jsonl")
    # Neighbours on two branches; k3 is decided at both desks, alike.
    settle(ann, "ann", "k1", "k3")
    settle(bob, "bob", "k2", "k3", "k4")
    git(ann, "push", "-q")
    git(bob, "pull", "-q", "--no-rebase", "--no-edit")
    merged = bob.text("verdicts.jsonl")
    assert "<<<<" not in merged and len(merged.splitlines()) == 6, merged
    bob.run("import", "verdicts.jsonl")
    save(bob, "merged") if bob.verdicts() != merged else None
    git(bob, "push", "-q")
    # CI: a fresh store from the facts and the verdicts, each night.
    commits = set()
    for night in ("one", "two"):
        ci = clone(m, f"ci-{night}", facts)
        assert [c["slot_key"][1] for c in ci.conflicts()] == ["k5"]
        commits.add(ci.run("--format", "json", "publish").json()["commit"])
    assert len(commits) == 1
    # Back at the first desk.
    git(ann, "pull", "-q", "--no-rebase", "--no-edit")
    ann.run("import", "verdicts.jsonl")
    assert [c["slot_key"][1] for c in ann.conflicts()] == ["k5"]
    assert {k: v[0] for k, v in ann.rows().items()} == {k: v[0] for k, v in ci.rows().items()}
    # The same slot on two branches, decided otherwise: git keeps both, and nobody wins.
    for d, w in ((ann, "k5a"), (bob, "k5b")):
        d.run("conflicts", "resolve", d.named("k5")["id"], "--winner", w, "--notes", "x", "--by", w)
        save(d, w)
    git(ann, "push", "-q")
    git(bob, "pull", "-q", "--no-rebase", "--no-edit")
    git(bob, "push", "-q")
    ci = clone(m, "ci-three", facts)
    assert [c["slot_key"][1] for c in ci.conflicts()] == ["k5"] and "k5a on" in ci.run("health").out


def test_the_script_of_a_desk(m):
    """site-example/ci/desk.sh, at two desks in turn."""
    os.makedirs(m.path("bin"))
    os.symlink(HMIRROR, m.path("bin", "hmirror"))
    m.write("origin/facts/facts.jsonl", lines(*FACTS))
    origin = Desk(m, "origin")
    git(m, "init", "-q", "--bare", "-b", "main", "hub.git")
    git(origin, "init", "-q", "-b", "main")
    git(origin, "add", "facts", "mirror.yml", ".gitattributes")
    git(origin, "commit", "-q", "-m", "facts")
    git(origin, "push", "-q", m.path("hub.git"), "main")

    def round(d):
        env = {**d.env, "PATH": m.path("bin") + ":" + d.env["PATH"], "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
               "GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@t", "GIT_COMMITTER_NAME": "t", "GIT_COMMITTER_EMAIL": "t@t"}
        p = subprocess.run([os.path.join(TOP, "site-example", "ci", "desk.sh")], cwd=d.dir, env=env, capture_output=True)
        assert p.returncode == 0, p.stdout.decode() + p.stderr.decode()
    ann, bob = clone(m, "ann", FACTS), clone(m, "bob", FACTS)
    ann.run("conflicts", "resolve", ann.named("lateral_support_material")["id"], "--winner", "s1", "--notes", "x", "--by", "ann")
    bob.run("conflicts", "dismiss", bob.named("area")["id"], "--reason", "y", "--by", "bob")
    for d in (ann, bob, ann):
        round(d)
    assert ann.conflicts() == bob.conflicts() == [] and ann.rows() == bob.rows()
    assert len(ann.text("verdicts.jsonl").splitlines()) == 2 and ann.text("verdicts.jsonl") == bob.text("verdicts.jsonl")
    # A desk whose store is new loses nobody's line.
    os.remove(bob.path("hmirror.db"))
    round(bob)
    assert bob.conflicts() == [] and bob.verdicts() == ann.verdicts()


if __name__ == "__main__":
    main(globals())
