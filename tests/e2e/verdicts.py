#!/usr/bin/env python3
"""Verdicts through the command: what they change, on which pages, and that each is whole or not there at all."""
import random
import re
import shlex
import signal

import urllib.parse

import calls
from harness import *
from server import Server

MARK = "⚠ disputed]("


def three(m):
    """Three layers, three values in one slot; the conflict's id."""
    m.facts(project("p05-interferometer", "p05"), state("lateral_support_material", "GF-PTFE", "decision", id="s1"), decision("PEEK", id="e1"),
            memory("lateral support material is PTFE", id="m1"))
    c, = m.sweep()
    return c["id"]


def rows(m):
    """Links, which have no id, left out."""
    return {r["kind"] + ":" + r["id"]: r for r in map(json.loads, m.run("export").out.splitlines()) if r["kind"] not in ("link", "evidence")}


def pages(m):
    m.run("build")
    return {p: b.decode() for p, b in m.site_bytes("site") if p.endswith(".md")}


def marked(m):
    return sorted(p for p, text in pages(m).items() if MARK in text)


def journal(m, verb):
    return m.sql("SELECT ref, actor, why FROM journal WHERE verb = ? ORDER BY seq", verb)


def resolve(m, id, *args, **kw):
    return m.run("conflicts", "resolve", id, *args, "--notes", "Review 3", "--by", "kim", **kw)


# --- the cases ------------------------------------------------------

def test_winner_with_supersede_others(m):
    id = three(m)
    assert len(marked(m)) >= 4
    before = rows(m)
    out = resolve(m, id, "--winner", "s1", "--supersede-others").out
    assert "entity:e1: active -> superseded by project_state:s1" in out
    after = rows(m)
    assert after["project_state:s1"] == before["project_state:s1"]
    for ref in ("entity:e1", "memory:m1"):
        r = after[ref]
        assert r["status"] == "superseded" and r["superseded_by"] == "project_state:s1"
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", r["superseded_at"]), r
        assert {k: v for k, v in r.items() if k not in ("status", "superseded_by", "superseded_at")} == \
            {k: v for k, v in before[ref].items() if k != "status"}
    c = after["conflict:" + id]
    assert (c["status"], c["winner"], c["action"], c["resolution"], c["resolved_by"]) == \
        ("resolved", "project_state:s1", "supersede_others", "Review 3", "kim")
    assert c["resolved_at"] == after["entity:e1"]["superseded_at"]
    assert journal(m, "resolve") == [("conflict:" + id, "kim", "Review 3")]
    assert journal(m, "supersede") == [(r, "kim", f"conflict {id}: Review 3") for r in ("entity:e1", "memory:m1")]
    assert m.sweep() == []


def test_resolving_removes_every_marker_and_keeps_the_history(m):
    id = three(m)
    assert "projects/p05-interferometer/README.md" in marked(m)
    resolve(m, id, "--winner", "s1")
    site = pages(m)
    assert [p for p in site if MARK in site[p]] == []
    assert b'class="disputed"' not in b"".join(b for p, b in m.site_bytes("site") if p.endswith(".html"))
    year = [p for p in site if p.startswith("conflicts/archive/2")][0]
    assert id in site[year] and "Superseded: " in site[year] and "PEEK, said by [" in site[year]
    because = f"because of [conflict {id}](../../conflicts/{id}.md) — Review 3"
    log = site["projects/p05-interferometer/decisions.md"]
    assert "Superseded by: [lateral\\_support\\_material](state.md#state-s1) " + because in log or \
        "Superseded by: [lateral_support_material](state.md#state-s1) " + because in log, log
    page = site[f"conflicts/{id}.md"]
    assert "by kim" in page and "PTFE" in page and "## What to do" not in page


def test_no_action(m):
    id = three(m)
    before = {k: v for k, v in rows(m).items() if not k.startswith("conflict:")}
    assert "no row changes" in resolve(m, id, "--no-action").out
    assert {k: v for k, v in rows(m).items() if not k.startswith("conflict:")} == before
    assert m.sweep() == [] and marked(m) == []
    m.facts(state("lateral_support_material", "Nylon", id="s2"))
    c, = m.sweep()
    assert c["id"] != id and len(c["members"]) == 4


def test_dismissed_pair_stays_quiet_until_a_new_value(m):
    id = three(m)
    m.run("conflicts", "dismiss", id[:4], "--reason", "Two supports", "--by", "kim")
    assert m.sweep() == [] and marked(m) == []
    c, = m.conflicts("dismissed")
    assert c["resolution"] == "Two supports" and c["action"] is None
    assert journal(m, "dismiss") == [("conflict:" + id, "kim", "Two supports")]
    m.facts(memory("lateral support material is PTFE", id="m1", confidence=0.5))
    assert m.sweep() == []
    m.facts(memory("lateral support material is Nylon", id="m1"))
    c, = m.sweep()
    assert c["id"] != id


def test_a_row_that_changes_a_reading_reopens_nothing(m):
    """Codes beside which 1.10 is no number, shares, years: one more row of a value that was judged."""
    slots = {"reach": (["C301", "1.10", "1.2"], "C301"), "span": (["75 %", "0.8", "0.7"], "75 %"),
             "era": (["2025", "FY26", "FY28"], "2025")}
    m.facts(*[state(key, v, id=f"{key}{i}") for key, (values, _) in slots.items()
              for i, v in enumerate(values)])
    for c in m.sweep():
        m.run("conflicts", "dismiss", c["id"], "--reason", "of several things")
    before = m.conflicts("dismissed")
    assert len(before) == len(slots)
    m.facts(*[state(key, v, id=f"{key}x") for key, (_, v) in slots.items()])
    assert m.sweep() == []
    m.facts(state("reach", "1.1", id="reachy"))   # not 1.10 any more: nobody judged it
    c, = m.sweep()
    assert "reach" in c["slot_key"]


def test_a_dismissed_value_is_known_in_another_spelling(m):
    said = lambda a, b: (state("timeout", a, id="s1"), state("timeout", b, id="s2"))
    m.facts(project("p05"), *said("30 s", "40 s"))
    m.run("sweep")
    [c] = m.conflicts()
    m.run("conflicts", "dismiss", c["id"], "--reason", "of two services")
    m.facts(*said("30000 ms", "40 s"), state("timeout", "40 000 ms", id="s3"))
    m.run("sweep")
    assert m.conflicts() == []
    m.facts(*said("31000 ms", "40 s"))
    m.run("sweep")
    assert len(m.conflicts()) == 1


def test_resolve_disagree_again_resolve_again(m):
    first = three(m)
    resolve(m, first, "--winner", "s1")
    m.facts(decision("Steel", id="e9"))
    c, = m.sweep()
    second = c["id"]
    assert second != first
    resolve(m, second, "--winner", "e9")
    site = pages(m)
    year = "".join(t for p, t in site.items() if p.startswith("conflicts/archive/2"))
    assert first in year and second in year
    assert f"[{first}]({first}.md)" in site[f"conflicts/{second}.md"]
    log = site["projects/p05-interferometer/decisions.md"]
    assert f"because of [conflict {first}]" in log and f"because of [conflict {second}]" in log
    assert rows(m)["project_state:s1"]["superseded_by"] == "entity:e9"


def test_sign_off(m):
    id = three(m)
    m.facts(decision("GF-PTFE", id="e1"), memory("lateral support material is gf-ptfe", id="m1"))
    m.sweep()
    page = pages(m)[f"conflicts/{id}.md"]
    assert "Sign it off" in page and "--winner" not in page
    resolve(m, id, "--winner", "s1")
    assert all(r.get("status", "active") == "active" for k, r in rows(m).items() if k[:2] in ("en", "me"))
    assert m.conflicts("open") == []


def test_what_agrees_stays(m):
    m.facts(state("exposure", "30 s", id="s1"), parameter("30000 ms", "exposure", id="e1"), memory("exposure is 31 s", id="m1"))
    c, = m.sweep()
    id = c["id"]
    d = resolve(m, id, "--winner", "s1", "--format", "json").json()
    assert [x["row"] for x in d["changes"]] == ["memory:m1"] and d["action"] == "supersede_opponents" and d["scope"] is None
    r = rows(m)
    assert r["entity:e1"]["status"] == "active" and r["memory:m1"]["status"] == "superseded"
    assert r["conflict:" + id]["action"] == "supersede_opponents"
    assert m.sweep() == [] and "what contradicts it is superseded" in pages(m)[f"conflicts/{id}.md"]


def test_every_other_member_gives_way_when_asked(m):
    m.facts(state("exposure", "30 s", id="s1"), parameter("30000 ms", "exposure", id="e1"), memory("exposure is 31 s", id="m1"))
    m.facts(state("exposure", "32 s", id="s2"), name="more.jsonl")
    c, = m.sweep()
    agrees = [x["member_id"] for x in c["members"]]
    assert "e1" in agrees, agrees
    out = resolve(m, c["id"], "--winner", "s1", "--supersede-others").out
    assert "entity:e1: active -> superseded by project_state:s1" in out
    assert [k for k, x in rows(m).items() if x.get("status") == "active"] == ["project_state:s1"]
    assert m.sweep() == []


def test_a_row_that_says_more(m):
    """The whole row, or only the field: never unasked."""
    leg = entity("Component", {"subsystem_name": "frame", "component_name": "leg", "mass": 4.80, "vendor": "ACME"}, "leg", id="e1")
    m.facts(leg, state("frame_leg_mass", "5 kg", id="s1"), project("p05-interferometer", "p05"))
    c, = m.sweep()
    id = c["id"]
    before = rows(m)
    for more in ([], ["--dry-run"]):
        m.fails("conflicts", "resolve", id, "--winner", "s1", "--notes", "x", *more,
                has=["entity:e1: it also says vendor", "--whole-row", "take only mass out of it: --field-only"])
    m.fails("conflicts", "resolve", id, "--winner", "s1", "--notes", "x", "--whole-row", "--field-only", has="give one of them")
    m.fails("conflicts", "resolve", id, "--no-action", "--notes", "x", "--field-only", has="no row gives way")
    assert rows(m) == before
    out = resolve(m, id, "--winner", "s1", "--field-only", "--dry-run").out
    assert "entity:e1: mass = 4.8 -> taken out of the row" in out and "also asserts" not in out, out
    assert "also asserts frame_leg_vendor = ACME" in resolve(m, id, "--winner", "s1", "--whole-row", "--dry-run").out
    assert rows(m) == before
    resolve(m, id, "--winner", "s1", "--field-only")
    after = rows(m)["entity:e1"]
    assert after["status"] == "active" and after["properties"] == {k: v for k, v in leg["properties"].items() if k != "mass"}
    assert m.sweep() == []
    page = pages(m)[f"conflicts/{id}.md"]
    assert "- Taken out of its row: mass of [leg]" in page and "(4.8)" in page and "(today nothing)" in page, page
    assert "the values that contradict it are taken out of their rows" in page
    done, = json.loads(b"".join(b for p, b in m.site_bytes("site") if p == "conflicts.json"))["conflicts"]
    assert done["scope"] == "field_only" and [x.get("removed") for x in done["members"]] == [None, True]
    out = m.run("conflicts", "reopen", id, "--reason", "the scale was wrong", "--keep-rows").out
    assert "hmirror restore entity:e1 --field mass" in out, out
    m.fails("restore", "e1", "--field", "vendor", has=["no verdict took 'vendor' out", "verdicts took out: mass"])
    out = m.run("restore", "e1", "--field", "mass").out
    assert "entity:e1: mass not there -> mass = 4.8" in out and "Disputed again" in out, out
    back = rows(m)["entity:e1"]
    assert back["properties"] == leg["properties"] and m.conflicts()[0]["disputed"] is True
    assert [ref for ref, _, _ in journal(m, "remove")] == ["conflict:" + id, "entity:e1"]
    assert [ref for ref, _, _ in journal(m, "restore")] == ["entity:e1", "conflict:" + id]
    resolve(m, id, "--winner", "s1", "--whole-row")
    assert rows(m)["entity:e1"]["status"] == "superseded"


def test_a_field_taken_out_can_be_redacted(m):
    m.facts(entity("Component", {"subsystem_name": "frame", "component_name": "leg", "mass": "4.8 kg", "vendor": "ACME"}, "leg", id="e1"),
            state("frame_leg_mass", "5 kg", id="s1"))
    c, = m.sweep()
    resolve(m, c["id"], "--winner", "s1", "--field-only")
    m.run("redact", "e1", "--field", "mass", "--reason", "leak")    # the row has it no more, its source says it
    m.sql("VACUUM")
    assert b"4.8 kg" not in m.read("hmirror.db") and rows(m)["entity:e1"]["properties"]["vendor"] == "ACME"
    m.fails("restore", "e1", "--field", "mass", has="was redacted")


def test_what_goes_on_contradicting_is_told(m):
    m.facts(parameter("2026-04", "gain", id="e1"), parameter("2026-04-02", "gain", id="e2"), parameter("2026-04-09", "gain", id="e3"),
            parameter("2026-05-01", "gain", id="e4"))
    c, = m.sweep()
    out = resolve(m, c["id"], "--winner", "e1").out
    rest, = m.conflicts()
    assert {x["member_id"] for x in rest["members"]} == {"e2", "e3"} and rest["id"] != c["id"]
    assert "Opened, since rows disagree:\n  " + rest["id"] in out and "entity:e2 does not contradict entity:e1" in out, out
    assert [x["id"] for x in m.sweep()] == [rest["id"]]


def test_keep_both_knowingly(m):
    id = three(m)
    m.fails("conflicts", "resolve", id, "--winner", "s1", "--link", "--notes", "x", has="together with --no-action")
    out = resolve(m, id, "--no-action", "--link").out
    assert "project_state:s1 contradicts entity:e1" in out and "entity:e1 contradicts memory:m1" in out, out
    links = sorted(k for k in m.sql("SELECT src, rel, dst FROM links"))
    assert links == [("entity:e1", "contradicts", "memory:m1"), ("project_state:s1", "contradicts", "entity:e1"),
                     ("project_state:s1", "contradicts", "memory:m1")]
    assert m.sweep() == []
    m.run("conflicts", "reopen", id, "--reason", "x")
    assert "Linked" not in resolve(m, id, "--no-action", "--link").out
    assert len(m.sql("SELECT 1 FROM links")) == 3


# --- taking back ---------------------------------------------------------------

def test_reopen_and_restore(m):
    id = three(m)
    resolve(m, id, "--winner", "s1")
    out = m.run("conflicts", "reopen", id, "--reason", "The test was wrong", "--keep-rows").out
    assert "hmirror restore entity:e1" in out and "hmirror restore memory:m1" in out
    c, = m.conflicts()
    assert c["id"] == id and c["disputed"] is False and c["resolution"] == ""
    assert journal(m, "reopen") == [("conflict:" + id, "tester", "The test was wrong")]
    m.run("restore", "e1", "--notes", "it holds")
    assert "superseded_by" not in rows(m)["entity:e1"]
    c, = m.conflicts()
    assert c["id"] == id and c["disputed"] is True
    assert journal(m, "restore") == [("entity:e1", "tester", "it holds")]
    m.fails("conflicts", "reopen", id, has="it is open")


def test_reopen_brings_back_what_the_verdict_retired(m):
    id = three(m)
    before = rows(m)
    resolve(m, id, "--winner", "s1")
    plan = m.run("conflicts", "reopen", id, "--reason", "Pressed the wrong button", "--by", "ana", "--dry-run").out
    assert "would be open again" in plan and "entity:e1" in plan and rows(m) != before
    out = m.run("conflicts", "reopen", id, "--reason", "Pressed the wrong button", "--by", "ana").out
    assert "hmirror restore" not in out and "Disputed again" in out, out
    assert {k: v for k, v in rows(m).items() if k in before} == before, (rows(m), before)
    c, = m.conflicts()
    assert c["id"] == id and c["disputed"] is True and c["winner"] is None
    was = c["taken_back"]
    assert (was["status"], was["resolved_by"], was["winner"], was["reopened_by"], was["reason"]) == \
        ("resolved", "kim", "project_state:s1", "ana", "Pressed the wrong button"), was
    page = pages(m)[f"conflicts/{id}.md"]
    assert " by kim: “" in page and " by ana: “Pressed the wrong button”." in page, page
    resolve(m, id, "--winner", "s1")
    done, = m.conflicts("all")
    assert "taken_back" not in done and "wrong button" not in pages(m)[f"conflicts/{id}.md"]


def test_a_verdict_that_was_taken_back_is_in_the_export(m):
    """A store made from the export tells it as the first one does, and exports the same; a verdict's line alone carries it, too."""
    id = three(m)
    resolve(m, id, "--winner", "s1")
    m.run("conflicts", "reopen", id, "--reason", "Pressed the wrong button", "--by", "ana")
    m.run("build")
    m.write("all.jsonl", m.run("export").out)
    m.run("--store", "copy.db", "import", "all.jsonl", "-q"), m.run("--store", "copy.db", "build", "-d", "copied")
    was, = [c["taken_back"] for c in m.conflicts()]
    again, = [c["taken_back"] for c in m.run("--store", "copy.db", "--format", "json", "conflicts", "list").json()["conflicts"]]
    assert again == was and m.tree("copied") == m.tree("site"), (again, was)
    assert m.run("--store", "copy.db", "export").out == m.text("all.jsonl")
    m.fails("import", "-", stdin=b'{"kind":"verdict","conflict":"c1","status":"reopened","taken_back":{"colour":"red"}}\n', has="colour")


def test_restoring_may_open_a_dispute(m):
    id = three(m)
    resolve(m, id, "--winner", "s1")
    out = m.run("restore", "entity:e1").out
    c, = m.conflicts()
    assert c["id"] in out and c["id"] != id
    m.fails("conflicts", "reopen", id, has=[c["id"], "is open between its members"])


def test_supersede(m):
    m.facts(decision("A", id="e1"), decision("B", id="e2"), decision("C", "x", id="e3"), memory("a is b", id="m1"),
            {**decision("D", "y", id="old"), "status": "invalid"})
    c, = m.sweep()
    m.fails("supersede", "e1", "e1", has="itself")
    m.fails("supersede", "e1", "nobody", has="there is none")
    m.fails("supersede", "nobody", "e1", has="there is none")
    m.fails("supersede", "e1", "m1", has=["another layer", "conflicts resolve"])
    m.fails("supersede", "old", "e1", has="restore it first")
    out = m.run("supersede", "e1", "entity:e2", "--notes", "measured again", "--by", "kim").out
    assert "awaiting sign-off" in out and c["id"] in out
    m.run("supersede", "e2", "e3")
    m.fails("supersede", "e3", "e1", has=["circle", "entity:e2"])
    m.fails("supersede", "e1", "e3", has="superseded by entity:e2")
    log = pages(m)["projects/p05/decisions.md"]
    assert log.count("— measured again") == 2, log
    m.run("restore", "e1")
    log = pages(m)["projects/p05/decisions.md"]
    assert "measured again" not in log
    relation, = [r for r in rows(m).values() if r["kind"] == "relation"]
    assert relation["status"] == "invalid" and relation["properties"] == {"rationale": "measured again", "decided_by": "kim"}
    assert "measured again" in pages(m)["projects/p05/relations.md"]


# --- being refused --------------------------------------------------------------

def test_too_late(m):
    id = three(m)
    resolve(m, id, "--winner", "s1")
    for args in (["resolve", id, "--winner", "e1", "--notes", "x"], ["dismiss", id, "--reason", "x"],
                 ["resolve", id, "--no-action", "--notes", "x", "--dry-run"]):
        line = m.fails("conflicts", *args, has=["it was resolved by kim at 20", "project_state:s1 stands", '"Review 3"', "reopen"])
        assert id in line


def test_usage(m):
    id = three(m)
    m.fails("conflicts", "resolve", id, "--notes", "x", has=["neither --winner nor --no-action"])
    m.fails("conflicts", "resolve", id, "--winner", "s1", has="--notes")
    m.fails("conflicts", "resolve", id, "--winner", "s1", "--notes", " ", has="--notes")
    m.fails("conflicts", "resolve", id, "--supersede-others", "--notes", "x", has="neither --winner")
    m.fails("conflicts", "resolve", id, "--winner", "s1", "--supersede-others", "--no-action", "--notes", "x", has="give one")
    m.fails("conflicts", "resolve", "--no-action", "--notes", "x", has="ID is missing")
    m.fails("conflicts", "resolve", "c0", "--no-action", "--notes", "x", has="there is none")
    m.fails("conflicts", "resolve", id, "--winner", "e7", "--notes", "x", has=["no member", "entity:e1"])
    m.fails("conflicts", "dismiss", id, has="--reason")
    m.fails("conflicts", "dismiss", id, "--winner", "s1", has="does not take it")
    m.fails("conflicts", "list", "--notes", "x", has="does not take it")
    m.fails("conflicts", "reslove", id, has="did you mean 'resolve'?")
    m.fails("conflicts", "list", "--type", "x", has="without --superseded")
    m.fails("restore", "s1", has="it is active")
    assert len(m.conflicts()) == 1 and journal(m, "resolve") == []
    m.facts(parameter("1", "gain"), parameter("2", "gain"))
    m.sweep()
    m.sql("UPDATE conflicts SET id = 'c' || substr(id, 3) || 'x'")
    m.fails("conflicts", "dismiss", "c", "--reason", "x", has="several conflicts begin so")


# --- the dry run ------------------------------------------------------------------

def frozen(m):
    return {p: h for p, h in m.tree().items() if not p.startswith("site/")}


def test_dry_run_changes_no_byte(m):
    id = three(m)
    before = frozen(m)
    for args in (["conflicts", "resolve", id, "--winner", "e1", "--notes", "x"], ["conflicts", "resolve", id, "--no-action", "--notes", "x"],
                 ["conflicts", "dismiss", id, "--reason", "x"]):
        r = m.run(*args, "--dry-run")
        assert "would" in r.out and "nothing was changed" in r.err
        assert frozen(m) == before
    resolve(m, id, "--winner", "s1")
    m.facts(decision("A", "x", id="x1"), decision("B", "x y", id="x2"))
    before = frozen(m)
    for args in (["conflicts", "reopen", id], ["supersede", "x1", "x2"], ["restore", "e1"]):
        m.run(*args, "--dry-run")
        assert frozen(m) == before


def test_dry_run_lists_pages(m):
    id = three(m)
    now = marked(m)
    d = m.run("--format", "json", "conflicts", "resolve", id, "--winner", "s1", "--notes", "x", "--dry-run").json()
    assert d["dry_run"] is True and d["status"] == "resolved"
    assert [x["page"] for x in d["markers"]] == now and all(x["conflict"] == id and not x["gained"] for x in d["markers"])
    assert [x["row"] for x in d["changes"]] == ["entity:e1", "memory:m1"]
    resolve(m, id, "--winner", "s1")
    d = m.run("--format", "json", "restore", "e1", "--dry-run").json()
    assert len(d["opened"]) == 1 and d["markers"] and all(x["gained"] for x in d["markers"])
    m.run("restore", "e1")
    assert marked(m) == [x["page"] for x in d["markers"]]


def test_dry_run_lists_what_goes_too_and_who_says_the_same(m):
    m.facts(entity("Component", {"subsystem_name": "frame", "component_name": "leg", "mass": "4.8 kg", "vendor": "ACME"}, "leg", id="e1"),
            state("frame_leg_mass", "5 kg", id="s1"), state("arm mass", "4800 g", id="s2"),
            {**memory("frame leg mass is 4.8 kg", id="m1"), "status": "candidate"})
    c, = m.sweep()
    out = m.run("conflicts", "resolve", c["id"], "--winner", "s1", "--notes", "x", "--whole-row", "--dry-run").out
    assert "entity:e1 also asserts frame_leg_vendor = ACME, which nothing else asserts" in out
    assert "memory:m1 (candidate): frame_leg_mass = 4.8 kg" in out
    assert "project_state:s2 (active): arm_mass = 4800 g, in another slot" in out


def test_dry_run_leaves_an_older_store(m):
    id = three(m)
    m.sql("PRAGMA user_version = 1")
    before = frozen(m)
    m.fails("conflicts", "dismiss", id, "--reason", "x", "--dry-run", has=["version 1", "hmirror sweep"])
    assert frozen(m) == before


# --- the two questions to the archive ---------------------------------------------

def test_touching(m):
    id = three(m)
    m.facts(entity("Subsystem", {}, "Lateral Support", id="sub"), entity("Component", {"subsystem_id": "sub", "mass": 1}, "pad", id="c1"),
            entity("Component", {"subsystem_name": "lateral support", "mass": 2}, "pad", id="c2"), parameter(1, "gain", id="g1"), parameter(2, "gain", id="g2"))
    m.sweep()
    resolve(m, id, "--winner", "s1")
    every = ["--status", "all", "--format", "json"]

    def ids(*args):
        return {c["id"] for c in m.run("conflicts", "list", "--touching", *args).json()["conflicts"]}
    pad = [c["id"] for c in m.conflicts() if "pad" in c["slot_key"][1]][0]
    for name in ("sub", "entity:sub", "lateral support", "LATERAL_SUPPORT"):
        assert ids(name, *every) == {id, pad}, name
    assert ids("sub", "--format", "json") == {pad}
    assert ids("sub", *every, "--project", "p05") == {id, pad}
    assert ids("memory:m1", *every) == {id} and ids("g1", *every) & {id, pad} == set()
    m.fails("conflicts", "list", "--touching", "nowhere", has="nowhere")
    assert m.run("conflicts", "list", "--touching", "m1").out == "No open conflicts.\n"


def test_what_superseded_what(m):
    id = three(m)
    m.facts(decision("Z", "mount", id="d1"), decision("Y", "mount", id="d2"))
    m.sweep()
    second = [c["id"] for c in m.conflicts() if c["id"] != id][0]
    resolve(m, id, "--winner", "s1")
    resolve(m, second, "--winner", "d2")
    m.facts(decision("X", "door", id="d3"), decision("X", "door", id="d4"))
    m.run("supersede", "d3", "d4")     # not because of a conflict
    got = m.run("--format", "json", "conflicts", "list", "--superseded").json()
    assert got["count"] == 2 and {s["conflict"] for s in got["superseded"]} == {id, second}
    got = m.run("--format", "json", "conflicts", "list", "--superseded", "--type", "Decision").json()["superseded"]
    assert [(s["winner"], s["rows"], s["conflict"], s["resolved_by"], s["resolution"]) for s in got] == \
        [("entity:d2", ["entity:d1"], second, "kim", "Review 3")]
    line = m.run("conflicts", "list", "--superseded", "--type", "decision").out
    assert line.startswith(f"entity:d2 superseded entity:d1 because of {second} (p05-interferometer / mount_material), 20") and "by kim: Review 3" in line


# --- the page's own commands ----------------------------------------------------------

ODD = ["it's", 'a "b" $(touch /tmp/x) `id`', "two\nlines", "ünï", "-dash", "a\\b", "%s%d", "\u202eodd", "# x", "*", "```"]


def commands(m, id):
    page = pages(m)[f"conflicts/{id}.md"]
    return [x for block in re.findall(r"^```\n(.*?)^```$", page, re.S | re.M) for x in re.split(r"(?<!\\)\n", block) if x]


def test_the_printed_commands_work(m):
    m.facts(*[parameter(str(i), "gain", id=x) for i, x in enumerate(ODD)], name="odd.jsonl")
    c, = m.sweep()
    lines = commands(m, c["id"])
    assert len(lines) == len(ODD) + 2 and all(x.startswith("hmirror conflicts ") for x in lines)
    m.run("export", "-o", "facts.jsonl")
    seen = set()
    bin = m.path("bin")
    os.mkdir(bin)
    os.symlink(HMIRROR, os.path.join(bin, "hmirror"))
    for line in lines:
        for f in ("hmirror.db",):
            os.unlink(m.path(f))
        m.run("import", "facts.jsonl")
        p = subprocess.run(["/bin/sh", "-c", line], cwd=m.dir, env={**m.env, "PATH": bin + ":" + m.env["PATH"]}, capture_output=True)
        assert p.returncode == 2 and b"no letter and no digit" in p.stderr, "pasted unseen"
        line = line.replace('"..."', '"why"')
        p = subprocess.run(["/bin/sh", "-c", line], cwd=m.dir, env={**m.env, "PATH": bin + ":" + m.env["PATH"]}, capture_output=True)
        assert p.returncode == 0, (line, p.stderr)
        done, = m.conflicts("all")
        assert done["status"] != "open" and done["resolution"] == "why"
        seen.add(done["winner"])
    assert seen == {"entity:" + x for x in ODD} | {None}
    html = m.text("site", "conflicts", c["id"] + ".html")
    assert "two\nlines" not in html


def test_a_member_cannot_pose_as_a_marker(m):
    m.facts(parameter("1", "gain", id=f"[{MARK}x.md)"), parameter("2", "gain", id="[⚠ disputed](../README.md)"))
    c, = m.sweep()
    assert len(commands(m, c["id"])) == 4


# --- races and crashes -------------------------------------------------------------------

def test_two_reviewers(m):
    n = 40 if THOROUGH else 10
    m.facts(*[r for i in range(n) for r in (parameter("1", f"gain{i}", id=f"a{i}"), parameter("2", f"gain{i}", id=f"b{i}"))])
    found = m.sweep()
    assert len(found) == n
    wins = {"ann": 0, "bob": 0}
    for c in found:
        i = c["slot_key"][1][4:]
        ps = {who: subprocess.Popen([HMIRROR, "conflicts", "resolve", c["id"], "--winner", row + i, "--notes", "mine", "--by", who],
                                    cwd=m.dir, env=m.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
              for who, row in random.sample((("ann", "a"), ("bob", "b")), 2)}
        out = {who: (p.communicate()[1].decode(), p.returncode) for who, p in ps.items()}
        won, = [who for who in out if out[who][1] == 0]
        lost, = [who for who in out if out[who][1] == 2]
        wins[won] += 1
        stands = "entity:" + {"ann": "a", "bob": "b"}[won] + i
        assert f"it was resolved by {won} at 20" in out[lost][0] and f"{stands} stands: \"mine\"" in out[lost][0], out
        r = rows(m) if i in ("0", "1") else None
        if r:
            assert r[stands]["status"] == "active"
    got = m.sql("SELECT count(*) FROM conflicts WHERE status = 'resolved'") + m.sql("SELECT count(*) FROM entities WHERE status = 'superseded'") + \
        m.sql("SELECT count(*) FROM journal WHERE verb IN ('resolve', 'supersede')")
    assert got == [(n,), (n,), (2 * n,)] and m.conflicts() == []


def store_for_crashes(m):
    three(m)
    id, = [c["id"] for c in m.conflicts()]
    args = ["conflicts", "resolve", id, "--winner", "s1", "--notes", "Review 3", "--by", "kim"]
    m.run("sweep")
    shutil.copy(m.path("hmirror.db"), m.path("before.db"))
    none = state_of(m)
    m.run(*args)
    whole = state_of(m)
    assert none != whole
    return args, none, whole


def state_of(m):
    """All that a verdict writes, without the clock, through the command, which also clears up after a crash."""
    text = re.sub(r"\d{4}-\d\d-\d\dT[0-9:.]+Z", "T", m.run("export").out)
    return text, [x[:4] for x in m.sql("SELECT verb, ref, actor, why FROM journal ORDER BY seq")], m.sql("PRAGMA integrity_check")


def back(m):
    for suffix in ("", "-journal", "-wal", "-shm"):
        if os.path.exists(m.path("hmirror.db" + suffix)):
            os.unlink(m.path("hmirror.db" + suffix))
    shutil.copy(m.path("before.db"), m.path("hmirror.db"))


def test_killed_at_any_time(m):
    args, none, whole = store_for_crashes(m)
    back(m)
    start = time.monotonic()
    m.run(*args)
    takes = time.monotonic() - start
    seen = set()
    for _ in range(60 if THOROUGH else 8):
        back(m)
        p = subprocess.Popen([HMIRROR, *args], cwd=m.dir, env=m.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(random.uniform(0, 1.2 * takes))
        p.send_signal(signal.SIGKILL)
        p.wait()
        now = state_of(m)
        assert now in (none, whole), now
        seen.add(now == whole)
    back(m)
    m.run(*args)
    assert state_of(m) == whole


def test_killed_at_every_system_call(m):
    """Each call that writes is the last one once, and all that come after them up to the end."""
    calls.need_strace(m)
    args, none, whole = store_for_crashes(m)
    args += ["-j", "1"]
    back(m)
    seen = []
    for call in calls.without_repetitions(calls.chosen(calls.listed(m, *args), 100), kill=True):
        back(m)
        assert calls.killed(m, call, *args), call
        now = state_of(m)
        assert now in (none, whole), (call, now)
        seen.append(now == whole)
    assert seen[0] is False and seen[-1] is True and len(seen) > 20
    assert seen == sorted(seen), "once it is there it stays"


def test_where_the_names_of_by_appear(m):
    """As the manual says: who settles is published, on the conflict's page, in the archive and in conflicts.json, and who supersedes, as
    a property of the relation; all others are not."""
    m.facts(project("p05"), *(f for i in range(4) for f in (state(f"k{i}", "1", id=f"s{i}"), parameter("2", name=f"k{i}", id=f"e{i}"))),
            memory("free text", id="m1", status="candidate"), memory("other is text", id="m2"), memory("older", type="episodic", id="m3"),
            memory("newer", type="episodic", id="m4"), decision("A", target="t", id="d1"), decision("A", target="t", id="d2"),
            memory("coolant is oil", id="m5"))
    ids = {c["slot_key"][1]: c["id"] for c in m.sweep()}
    settled = {"Winner", "Action", "Dismiss"}
    m.run("conflicts", "resolve", ids["k0"], "--winner", "s0", "--notes", "n", "--by", "Xx-Winner")
    m.run("conflicts", "resolve", ids["k1"], "--no-action", "--notes", "n", "--by", "Xx-Action")
    m.run("conflicts", "dismiss", ids["k2"], "--reason", "n", "--by", "Xx-Dismiss")
    m.run("conflicts", "dismiss", ids["k3"], "--reason", "n", "--by", "Xx-Former")
    m.run("conflicts", "reopen", ids["k3"], "--reason", "n", "--by", "Xx-Reopen")
    m.run("add", "memory", "--type", "knowledge", "--project", "p05", "a is b", "--by", "Xx-Add")
    m.run("edit", "entity:e3", "--set", "description=d", "--by", "Xx-Edit")
    m.run("promote", "memory:m1", "--by", "Xx-Promote")
    m.run("supersede", "memory:m3", "memory:m4", "--notes", "n", "--by", "Xx-Supersede")
    m.run("supersede", "entity:d1", "entity:d2", "--notes", "n", "--by", "Xx-Supersede")
    m.run("graduate", "memory:m5", "--type", "Parameter", "--name", "coolant", "--by", "Xx-Graduate")
    m.run("restore", "memory:m3", "--notes", "n", "--by", "Xx-Restore")
    m.run("redact", "memory:m2", "--reason", "n", "--by", "Xx-Redact", code=None)
    m.run("sweep", "--by", "Xx-Sweep")
    m.run("publish", "--by", "Xx-Publish")
    m.run("build", "--by", "Xx-Build")
    assert b"Xx-" not in m.git("log", "--format=%B%an%ae%cn%ce", "mirror").encode()
    where = {}
    for path, data in m.site_bytes("site"):
        for name in re.findall(rb"Xx-(\w+)", data):
            where.setdefault(name.decode(), set()).add(re.sub(r"c[0-9a-f]{12}|\d{4}(?=\.)", "ID", path))
    want = {"conflicts.json", "conflicts/ID.md", "conflicts/ID.html", "conflicts/archive/ID.md", "conflicts/archive/ID.html"}
    relations = {"projects/p05/relations.md", "projects/p05/relations.html", "data/p05/relations.jsonl"}
    assert where.pop("Supersede") == relations
    for taken_back in ("Reopen", "Former"):
        assert where.pop(taken_back) == {"conflicts.json", "conflicts/ID.md", "conflicts/ID.html"}, where
    assert set(where) == settled, where
    for name, paths in where.items():     # and beside the values that were settled, with why and when
        assert want <= paths and all(re.fullmatch(r"projects/p05/[a-z/]+(\.md|\.html)|projects/p05/README\.md", p) for p in paths - want), (name, paths)
    told = {v: set(re.findall(r"Xx-(\w+)", m.run(*v.split()).out)) for v in ("log", "export")}
    assert told["export"] == settled | {"Supersede", "Reopen", "Former", "Add", "Edit", "Promote", "Graduate"} and told["log"] <= told["export"], told
    journal = {by[0][3:] for by in m.sql('SELECT DISTINCT actor FROM journal') if by[0].startswith("Xx-")}
    assert journal >= settled | {"Former", "Reopen", "Add", "Edit", "Promote", "Supersede", "Graduate", "Restore", "Redact"}, journal


def ask_form(s, path, **fields):
    """The page of a conflict in the preview; with fields: the answer to its form."""
    c = s.connect()
    c.request("GET", path)
    page = c.getresponse().read().decode()
    if not fields:
        return page
    for name in ("token", "seen"):
        fields.setdefault(name, (re.search(f'name="{name}" value="([^"]*)"', page) or [None, ""])[1])
    c.request("POST", path, urllib.parse.urlencode(fields), {"Content-Type": "application/x-www-form-urlencoded", "Origin": f"http://{s.host}:{s.port}"})
    answer = c.getresponse()
    answer.read()
    return answer.status


def test_the_form_asks_whether_rows_come_back(m):
    id = three(m)
    for fields, status in (({}, "active"), ({"keep_rows": "yes"}, "superseded")):
        resolve(m, id, "--winner", "s1")
        assert {rows(m)[x]["status"] for x in ("entity:e1", "memory:m1")} == {"superseded"}
        with Server(m) as s:
            path = f"/conflicts/{id}.html"
            wait_until(lambda: 'name="step" value="reopen"' in ask_form(s, path), "the form")
            page = ask_form(s, path)
            assert re.search(r'<input type="checkbox" name="keep_rows" value="yes">\s*<span class="serve-says"><span>Leave superseded what the verdict superseded', page), page
            assert ask_form(s, path, step="reopen", notes="The trial was wrong", by="ann", **fields) == 303
        assert {rows(m)[x]["status"] for x in ("entity:e1", "memory:m1")} == {status}
        m.sweep()
        page = pages(m)[f"conflicts/{id}.md"]
        assert "The trial was wrong" in page and "ann" in page, page
    # With rows that stay superseded there is no dispute.
    assert MARK not in page


if __name__ == "__main__":
    main(globals())
