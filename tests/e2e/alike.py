#!/usr/bin/env python3
"""Rows about the same thing that no rule compared: at every door that writes or asks."""
import json

from harness import *
from mcp_kit import Agent

KEPT, TEN = "Invoice retention by law is 6 years", "Invoices must be kept for ten years"
NOISE = ["Tickets are answered in two hours.", "The office plants get water on Mondays.", "Lena reviews the parser.",
         "Backups run at night.", "The printer is on the second floor."]


def store(m):
    m.facts(*[memory(t, id=f"n{i}", project="billing") for i, t in enumerate(NOISE)],
            memory(KEPT, id="kept", project="billing", agent="codex", created_at="2026-02-03T09:00:00Z"),
            memory("Invoices of guests are kept for two years.", id="guests", project="hotel"),
            memory("Layouts of an invoice lie in the shared folder.", id="global", project=""))


def rows_of(answer):
    return [x["row"] for x in answer["alike"]]


def test_every_door_of_a_write_tells_what_is_alike(m):
    store(m)
    said = m.run("add", "memory", "-p", "billing", "-t", "knowledge", TEN, "--id", "ten", "--format", "json").json()
    assert rows_of(said)[0] == "memory:kept" and "memory:guests" not in rows_of(said) and not said["conflicts"], said
    first = said["alike"][0]
    assert first == {"row": "memory:kept", "text": KEPT, "source": "codex", "date": "2026-02-03", "differs": "duration: 10 years | 6 years"}, first
    assert "report_contradiction" in said["alike_advice"]
    text = m.run("edit", "memory:ten", "--set", "content=Invoices must be kept for twelve years").out
    assert "no rule compared" in text and "memory:kept" in text, text
    with Agent(m) as a:
        for tool, args in (("remember", {"text": TEN + ".", "project": "billing"}), ("find_conflicts", {"text": TEN, "project": "billing"}),
                           ("find_conflicts", {"memory_id": "memory:ten"})):
            told = a.call(tool, **args)
            assert "memory:kept" in rows_of(told) and "alike_advice" in told, told


def test_of_rows_that_a_rule_compared_nothing_is_said(m):
    m.facts(memory("The upload limit is 40 MB.", id="a", project="p"), memory("The upload limit was raised last spring by Ann.", id="b", project="p"))
    said = m.run("add", "memory", "-p", "p", "-t", "knowledge", "The upload limit is 60 MB.", "--format", "json").json()
    assert len(said["conflicts"]) == 1 and rows_of(said) == ["memory:b"], said
    m.facts(memory("We use ruff for linting.", id="x", project="q"))
    said = m.run("add", "memory", "-p", "q", "-t", "knowledge", "We do not use ruff for linting.", "--format", "json").json()
    assert (said["conflicts"] or said["findings"]) and rows_of(said) == [], said


def test_what_resembles_nothing_answers_nothing(m):
    store(m)
    for text in ("Whales sing in the northern sea", "Photosynthesis needs light", "?"):
        got = m.run("alike", text, "--format", "json").json()
        assert got["alike"] == [] and "alike_advice" not in got, got
    assert "Nothing else is about the same thing" in m.run("alike", "Whales sing").out
    with Agent(m) as a:
        assert a.call("remember", text="Whales sing in the northern sea", project="billing")["alike"] == []


def test_other_words_for_the_same_meet(m):
    m.facts(memory("The web shop runs on Shopify.", id="shop", project="p"), memory("Lawyers answer within a week.", id="law", project="p"),
            *(memory(f"Shelf {i} holds boxes.", id=f"s{i}", project="p") for i in range(20)))
    for text, row in (("Our online store is built with WooCommerce.", "memory:shop"), ("A reply of the legal people takes a month.", "memory:law")):
        assert rows_of(m.run("alike", text, "-p", "p", "--format", "json").json())[:1] == [row], text


def test_forms_of_a_word_meet_and_names_are_no_common_words(m):
    m.facts(memory("The dosing room may be entered only with goggles.", id="dose", project="p"), memory("Rosa New Dawn costs 89 euros.", id="rose", project="p"),
            memory("The bell of the chapel rings three times.", id="bell", project="p"), memory("Sprinklers run before six in the morning.", id="water", project="p"),
            *(memory(f"Shelf {i} holds boxes.", id=f"s{i}", project="p") for i in range(60)))
    for text, rows in (("Nobody needs glasses where acid is dosed.", ["memory:dose"]), ("A rooster crows long until dawn.", []),
                       ("Three cousins play chess.", []), ("All of the sprinklers come on whenever it is noon.", ["memory:water"])):
        assert rows_of(m.run("alike", text, "-p", "p", "--format", "json").json()) == rows, text


def test_one_word_makes_alike_only_where_it_says_the_same(m):
    m.facts(memory("Tufa blocks come from a quarry near Bad Urach.", id="tufa", project="p"), memory("The saxifrages get their water from below only.", id="sax", project="p"),
            *(memory(f"Valve box {i} of the pond was opened in April.", id=f"v{i}", project="p") for i in range(12)),
            *(memory(f"Shelf {i} holds boxes.", id=f"s{i}", project="p") for i in range(200)))
    for text, rows in (("VPN accounts are blocked after five wrong passwords.", []), ("The pension fund sends its statement in April.", []),
                       ("Give each saxifrage a good shower over its head.", ["memory:sax"])):
        assert rows_of(m.run("alike", text, "-p", "p", "--format", "json").json()) == rows, text


def test_the_command_takes_a_row_or_a_text(m):
    store(m)
    m.facts(memory(TEN, id="ten", project="billing"))
    assert rows_of(m.run("alike", "memory:ten", "--format", "json").json())[0] == "memory:kept"
    assert rows_of(m.run("alike", "ten", "--format", "json").json())[0] == "memory:kept"
    any_project = rows_of(m.run("alike", "Invoices", "are", "kept", "for", "five", "years", "--format", "json").json())
    assert {"memory:kept", "memory:guests"} <= set(any_project), any_project
    assert "memory:global" in rows_of(m.run("alike", "The layout of an invoice", "-p", "hotel", "--format", "json").json())
    one = rows_of(m.run("alike", "Invoices are kept for five years", "-p", "hotel", "--format", "json").json())
    assert one[0] == "memory:guests" and set(one) <= {"memory:guests", "memory:global"}, one
    m.fails("alike", "Invoices", "-p", "nowhere", has="nowhere")
    assert m.run("alike", "memory:ten", "--format", "json").out == m.run("alike", "memory:ten", "--format", "json", "-j", "1").out


def test_an_answer_has_a_bound(m):
    long = "The invoice archive of the branch office keeps paper for many years, and the clerk there files each letter by hand with care, number "
    m.facts(*[memory(long + f"{i}, in a folder of its own, as the auditors of {i} wish it to be done.", id=f"a-rather-long-id-of-a-memory-{i}",
                     project="billing", agent="an-agent-with-a-long-name") for i in range(30)])
    got = m.run("alike", long + "99", "--format", "json").json()
    assert len(got["alike"]) == 8
    said = json.dumps({"alike": got["alike"], "alike_advice": got["alike_advice"]}, ensure_ascii=False, separators=(",", ":"))
    assert len(said) <= 1600, len(said)  # four bytes a token: 400
    m.facts(memory("The clerk " + "and the clerk " * 100, id="endless", project="office"))
    got = m.run("alike", "the clerk", "-p", "office", "--format", "json").json()
    assert len(got["alike"][0]["text"].encode()) <= 163 and got["alike"][0]["text"].endswith("…"), got


def test_of_a_long_text_the_beginning_is_read(m):
    """Somebody's text of all words would be a candidate of every row, and be read whole for each of them."""
    filler = " ".join(f"word{i}" for i in range(2000)) + "."
    m.facts(memory(KEPT + ". " + filler, id="first", project="p"), memory(filler + " " + KEPT, id="last", project="q"))
    assert [rows_of(m.run("alike", TEN, "-p", p, "--format", "json").json()) for p in "pq"] == [["memory:first"], []]
    m.facts(memory(KEPT + ". " + filler, id="again", project="p"), name="again.jsonl")
    assert rows_of(m.run("alike", "again", "--format", "json").json()) == [], "of one text nothing differs"


def test_beside_a_held_sweep(m):
    """A running server finds rows of a large store without a sweep."""
    m.facts(*[memory(f"Note {i}: shelf {i % 97} holds box {i} of lot {i % 31}.", id=f"b{i}", project="billing") for i in range(2500)],
            memory(KEPT, id="kept", project="billing"))
    with Agent(m) as a:
        a.call("remember", text="A first note.", project="billing")
        told = a.call("remember", text=TEN, project="billing")
        assert rows_of(told)[0] == "memory:kept", told["alike"]


if __name__ == "__main__":
    main(globals())
