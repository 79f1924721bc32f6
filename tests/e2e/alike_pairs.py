#!/usr/bin/env python3
"""What an agent that reads `alike` brings before a person: of pairs of facts that contradict each other, of look-alikes, and of
texts about nothing, beside more than a thousand facts of the same words. The pairs are those of tests/data/alike.txt."""
import os
import random

from harness import *
from mcp_kit import Agent

FACTS = 1100
SUBJECTS = """the archive|the user's landlord|our accountant|the payroll export|the tea kitchen|the bike shed|every new ticket|the wiki|the customer portal|the pump in hall B
the user's car|the spare laptop|a late invoice|the translation agency|the meeting room upstairs|the label printer|the backup of the mail server|the fire drill|the user's mother|the trainee
the weather station|the release branch|the north greenhouse|the loading ramp|the cooling unit|the visitor badge|the chess club|the invoice template|the user's garden|the sales team
the second database|the crane|the user's old phone|the board meeting|the paint shop|the night guard|the mailing list|the parking deck|the calibration kit|the intern program""".replace("\n", "|").split("|")
PREDICATES = """is moved to the basement in spring|has to be signed by two people|was repaired by a firm from Linz|is checked once a month|needs a new key|gets its budget in autumn|has been quiet since the summer
is described on the second page|will be replaced next year|costs less than the old one|depends on the weather|is run by volunteers|reports to the office in Bern|is closed over the holidays|uses the blue folder
is older than the building|was named after its founder|comes with a printed manual|gave us trouble in March|is insured for ten years|has three spare parts on the shelf|stands next to the stairs
is fed from the main line|was paid in advance|must not get wet|is popular with guests|starts at seven|belongs to the head office|is audited by an outside firm|runs on its own network|was a gift of the town
is written in English|has a waiting list|is cleaned on Saturdays|waits for an approval|can be booked by phone|shares a room with the scanner|is lent to schools|carries a yellow sticker|ends in a survey""".replace("\n", "|").split("|")


def labelled():
    with open(os.path.join(TOP, "tests", "data", "alike.txt")) as f:
        return [line.rstrip("\n").split("|") for line in f if line.strip() and not line.startswith("#")]


CASES = [(kind, f"n{i}", fact, text) for i, (kind, fact, text) in enumerate(labelled())]
CONTRADICT, LOOK, NOTHING = ([c for c in CASES if c[0] == kind] for kind in ("contradicts", "looks", "nothing"))
CURATED = [c[1] for c in CONTRADICT[:8]]   # these facts are curated state


def ref(name):
    return ("project_state:" if name in CURATED else "memory:") + name


def store(m):
    """The facts of the pairs among others."""
    others = random.Random(5).sample([f"{s[0].upper()}{s[1:]} {p}." for s in SUBJECTS for p in PREDICATES], FACTS - sum(bool(c[2]) for c in CASES))
    rows = [memory(text, id=f"c{i}", project="p", agent="crowd") for i, text in enumerate(others)]
    for _, name, fact, _ in CASES:
        if fact and name in CURATED:
            rows.append({"kind": "project_state", "id": name, "project": "p", "category": "rule", "key": "rule " + name, "value": fact})
        elif fact:
            rows.append(memory(fact, id=name, project="p"))
    m.run("init", ".", code=None)
    with open(m.path("mirror.yml"), "a") as f:
        f.write("agents:\n  reports_per_day: 200\n")
    m.facts(*rows)


def remembered(a, text):
    told = a.call("remember", text=text, project="p")
    return told["ref"], told["alike"]


def shown(alike, name):
    return [x for x in alike if x["row"] == ref(name)]


def markers(m):
    m.run("build", "-q")
    return [name for name, data in m.site_bytes("site") if name.startswith("projects") and name.endswith(".md") and "⚠ disputed" in data.decode()]


def reported(m):
    return {tuple(f["rows"]) for f in m.run("findings", "--rule", "review/reported", "--format", "json").json()["findings"]}


def test_a_careful_agent_brings_contradictions_before_a_person(m):
    """It reads what it is shown, and reports what cannot both be true."""
    store(m)
    before, pairs = len(m.conflicts()), set()
    with Agent(m, "--agent", "gull") as a:
        for kind, name, _, text in CONTRADICT + LOOK:
            written, alike = remembered(a, text)
            assert len(alike) <= 8
            if kind == "contradicts" and shown(alike, name):
                a.call("report_contradiction", rows=[written, ref(name)], question="Which one holds?", why="both cannot be true")
                pairs.add(tuple(sorted((written, ref(name)))))
    by_rules = len(m.conflicts()) - before
    assert len(pairs) + by_rules >= 21, (len(pairs), by_rules, [c[3] for c in CONTRADICT])
    assert reported(m) == pairs and len(pairs) >= 21, len(pairs)
    # Nobody has decided: nothing is marked that rules did not find.
    state = {c["id"] for c in m.conflicts() if any(x["member_kind"] == "project_state" for x in c["members"])}
    assert state == set() and not [x for x in markers(m) if x.endswith("state.md")], state
    told = m.run("findings", "withdraw", "--by", "gull", "--reason", "tried out", "--format", "json").json()
    assert told["count"] == len(pairs) and reported(m) == set()


def test_what_differs_is_told(m):
    """An agent that reports what differs in value, name or negation brings most pairs that it is shown, and leaves most look-alikes."""
    store(m)
    told = {}
    with Agent(m) as a:
        for kind, name, _, text in CONTRADICT + LOOK:
            alike = a.call("find_conflicts", text=text, project="p")["alike"]
            told[kind, name] = [x["differs"] for x in shown(alike, name) if x["differs"] != "wording"]
    contradict, looks = ([name for (k, name), differs in told.items() if k == kind and differs] for kind in ("contradicts", "looks"))
    assert len(contradict) >= 20 and len(looks) <= 4, (len(contradict), looks)


def test_a_hasty_agent_does_no_harm(m):
    """It reports the first row whose number, name or negation differs, and is wrong about most look-alikes: no marker, and one verb takes all back."""
    store(m)
    wrong = 0
    with Agent(m, "--agent", "heron") as a:
        for _, name, _, text in LOOK:
            written, alike = remembered(a, text)
            hits = [x for x in alike if x["differs"] != "wording"][:1]
            for x in hits:
                a.call("report_contradiction", rows=[written, x["row"]], question="Which one holds?", why="they differ: " + x["differs"])
            wrong += len(hits)
    assert wrong == len(reported(m)) >= 10, "the script must be able to err"
    assert m.conflicts() == [] and markers(m) == []
    assert m.run("findings", "withdraw", "--by", "heron", "--reason", "hasty", "--format", "json").json()["count"] == wrong
    assert reported(m) == set() and m.sweep() == []


def test_a_review_holds_them(m):
    """Of each row the nearest are among the pairs to judge, though fewer candidates are looked at than for one question."""
    store(m)
    m.facts(*(memory(text, id="w" + name, project="p") for _, name, _, text in CONTRADICT + LOOK), name="written.jsonl")
    pairs = {tuple(p["rows"]) for p in m.run("review", "--limit", "100000", "--format", "json").json()["pairs"]}
    found = [name for _, name, _, _ in CONTRADICT if {(ref(name), "memory:w" + name), ("memory:w" + name, ref(name))} & pairs]
    assert len(found) >= 21 and len(pairs) < 8 * (FACTS + 60), (len(found), len(pairs))


def test_what_resembles_nothing_is_told_nothing(m):
    store(m)
    with Agent(m) as a:
        answered = {text: x["alike"] for _, _, _, text in NOTHING for x in [a.call("find_conflicts", text=text, project="p")] if x["alike"]}
    apart = {c[3] for c in NOTHING[:15]}   # of other words; the others share one with some fact, as "the user" does
    assert len(apart & set(answered)) <= 4 and len(answered) <= 16, list(answered)


main(globals())
