#!/usr/bin/env python3
"""Several winners: of a child's three parents two stand, from the verdict to the pages, to git and to another store."""
import random
import time
import urllib.parse

from harness import *
from server import Server

PEOPLE = ("anna", "ben", "cleo", "dan", "eve", "fay")


def being(id):
    return {"kind": "entity", "id": id, "entity_type": "Person", "project": "aldoria", "name": id.title()}


def parent(id, of, since=None, until=None, child="kim", **kw):
    r = {"kind": "relation", "id": id, "type": "PARENT_OF", "project": "aldoria", "from": of, "to": child, **kw}
    return {**r, **({"valid_from": since} if since else {}), **({"valid_until": until} if until else {})}


WORLD = [project("aldoria"), *map(being, (*PEOPLE, "kim"))]
THREE = [parent("p1", "anna"), parent("p2", "ben"), parent("p3", "cleo")]


def opened(m, *relations):
    m.facts(*WORLD, *relations)
    c, = m.sweep()
    return c["id"]


def resolve(m, id, *winners, more=(), **kw):
    return m.run("conflicts", "resolve", id, *(x for w in winners for x in ("--winner", w)), "--notes", "The register", "--by", "kim", *more, **kw)


def rows(m):
    return dict((id, (status, by)) for id, status, by in m.sql("SELECT id, status, superseded_by FROM relations"))


def test_two_of_three(m):
    id = opened(m, *THREE)
    out = resolve(m, id, "relation:p2", "p1", more=["--dry-run"]).out
    assert "relation:p1 and relation:p2 stand" in out and "relation:p3: active -> superseded by relation:p1" in out
    assert resolve(m, id, "relation:p2", "p1").out == out.split("Would change")[0].replace("would be resolved", "resolved") + \
        "Changed:\n  relation:p3: active -> superseded by relation:p1\n"
    assert m.sweep() == []
    c, = m.conflicts("resolved")
    assert (c["winner"], c["winners"]) == (None, ["relation:p1", "relation:p2"])
    assert m.sql("SELECT winner FROM conflicts") == [('["relation:p1","relation:p2"]',)]
    shown = m.run("conflicts", "show", id).out
    assert re.findall(r"winner +(\S+)", shown) == ["relation:p1", "relation:p2"]
    m.fails("conflicts", "resolve", id, "--winner", "p3", "--notes", "x", has="relation:p1 and relation:p2 stand: \"The register\"")
    got = m.run("conflicts", "list", "--superseded", "--format", "json").json()["superseded"]
    assert [(s["winner"], s["rows"]) for s in got] == [("relation:p1", ["relation:p3"])]


def ask(s, method, page, form=()):
    """The status and the text of a page of the preview."""
    c = s.connect()
    c.request(method, page, urllib.parse.urlencode(form) or None, {"Content-Type": "application/x-www-form-urlencoded"} if form else {})
    r = c.getresponse()
    html = r.read().decode()
    c.close()
    return r.status, html


def test_the_form_takes_several_where_several_may_hold(m):
    id = opened(m, *THREE)
    page = f"/conflicts/{id}.html"
    with Server(m) as s:
        def shown():
            for _ in range(300):
                status, html = ask(s, "GET", page)
                if "review-ask" in html:
                    return html
                time.sleep(0.1)
            raise AssertionError(f"{status} {html[-3000:]}")

        def send(step, *choices):
            html = shown()
            hidden = [(k, re.search(f'name="{k}" value="([^"]*)"', html).group(1)) for k in ("token", "seen")]
            return ask(s, "POST", page, [*hidden, *(("choice", c) for c in choices), ("action", "supersede_opponents"), ("notes", "The register"),
                                         ("by", "kim"), ("step", step)])

        html = shown()
        assert "Which claims stand?" in html and "At most 2 values may hold at once." in html
        assert html.count('type="checkbox" name="choice"') == 5 and 'type="radio" name="choice"' not in html
        order = re.findall(r"<code>(relation:p\d)</code>", html[html.index("review-ask"):])
        names = re.findall('class="serve-value">([^<]*)<', html)   # as on the page, not their ids
        assert len(names) == 3 and set(names) == {of.title() for of in ("anna", "ben", "cleo")}, names
        status, html = send("try", "1", "3")
        assert status == 200 and "stand, and 1 other row is superseded" in html, html[-3000:]
        assert 'name="choice" value="1 3"' in html
        _, again = send("edit", "1 3")
        assert re.findall(r'name="choice" value="(\w+)" checked', again) == ["1", "3"]
        for choices, has in ((("1", "none"), "that none of them stands"), (("1", "2", "3"), "too many values"), ((), "no claim was chosen")):
            status, html = send("try", *choices)
            assert status == 422 and has in html, (status, html[-3000:])
        assert {status for status, _ in rows(m).values()} == {"active"}
        assert send("confirm", "1 3")[0] == 303
    c, = m.conflicts("resolved")
    assert c["winners"] == sorted([order[0], order[2]]) and len(c["winners"]) == 2
    assert [status for id, (status, _) in rows(m).items() if "relation:" + id == order[1]] == ["superseded"]


def test_the_form_takes_one_where_one_may_hold(m):
    m.facts(project("p"), *({"kind": "project_state", "id": x, "project": "p", "key": "k", "value": x} for x in "ab"))
    c, = m.sweep()
    with Server(m) as s:
        _, html = ask(s, "GET", f"/conflicts/{c['id']}.html")
    assert html.count('type="radio" name="choice"') == 4 and 'type="checkbox" name="choice"' not in html and "At most" not in html


def test_one_winner_is_what_it_was(m):
    id = opened(m, *THREE)
    resolve(m, id, "p1")
    c, = m.conflicts("resolved")
    assert (c["winner"], c["winners"]) == ("relation:p1", ["relation:p1"])
    assert m.sql("SELECT winner FROM conflicts") == [("relation:p1",)]
    assert '"winner":"relation:p1"' in m.run("export", "--verdicts").out
    assert {k: v[0] for k, v in rows(m).items()} == {"p1": "active", "p2": "superseded", "p3": "superseded"}


def test_the_page_says_how_many(m):
    id = opened(m, *THREE)
    m.run("build")
    assert "Up to 2 may hold at once: give `--winner` once for each that stands." in m.text("site", f"conflicts/{id}.md")
    resolve(m, id, "p1", "p2")
    m.facts(*({**r, "type": "RULES", "id": "r" + r["id"]} for r in THREE), name="rules.jsonl")
    c, = m.sweep()
    m.run("build")
    assert "may hold at once" not in m.text("site", f"conflicts/{c['id']}.md")


def test_too_many(m):
    id = opened(m, *THREE)
    before = m.tree()
    m.fails("conflicts", "resolve", id, "--winner", "p1", "--winner", "p2", "--winner", "p3", "--notes", "x", has=["at most 2 may", "winner 'relation:p"])
    m.fails("conflicts", "resolve", id, "--winner", "p1", "--winner", "relation:p1", "--notes", "x", has="named twice")
    m.fails("conflicts", "resolve", id, "--winner", "p1", "--winner", "", "--notes", "x", has="it is empty")
    m.fails("conflicts", "resolve", id, "--winner", "p1", "--winner", "p9", "--notes", "x", has=["'p9'", "no member"])
    assert {k: v for k, v in m.tree().items() if k != ".hmirror.cache"} == {k: v for k, v in before.items() if k != ".hmirror.cache"}


def test_where_one_may_hold(m):
    m.facts(*WORLD, *({**r, "type": "SPOUSE_OF"} for r in (parent("s1", "anna"), parent("s2", "ben"))))
    c, = m.sweep()
    m.fails("conflicts", "resolve", c["id"], "--winner", "s1", "--winner", "s2", "--notes", "x", has="at most 1 value may hold at once")
    resolve(m, c["id"], "s2")
    assert m.sweep() == []


def test_winners_of_different_times(m):
    """Ben until 10, Dan from 20, Anna most of the time: never more than two. Cleo is the one too many, twice."""
    m.facts(*WORLD, parent("p1", "anna", "0001", "0025"), parent("p2", "ben", "0001", "0010"), parent("p3", "cleo", "0001", "0030"),
            parent("p4", "dan", "0020", "0030"))
    c, = m.sweep()
    assert len(c["members"]) == 4
    m.fails("conflicts", "resolve", c["id"], "--winner", "p1", "--winner", "p3", "--winner", "p4", "--notes", "x", has="at most 2 may")
    resolve(m, c["id"], "p1", "p2", "p4")
    assert rows(m) == {"p1": ("active", None), "p2": ("active", None), "p3": ("superseded", "p1"), "p4": ("active", None)} and m.sweep() == []


def test_supersede_others_leaves_the_winners_alone(m):
    id = opened(m, *THREE, parent("p4", "anna", source_refs=["another register"]))
    resolve(m, id, "p1", "p2", more=["--supersede-others"])
    assert {k: v[0] for k, v in rows(m).items()} == {"p1": "active", "p2": "active", "p3": "superseded", "p4": "superseded"}
    assert m.sweep() == []


def test_reopen_lists_what_gave_way(m):
    id = opened(m, *THREE, parent("p4", "dan"))
    resolve(m, id, "p2", "p3")
    out = m.run("conflicts", "reopen", id, "--reason", "x", "--keep-rows").out
    assert "hmirror restore relation:p1" in out and "hmirror restore relation:p4" in out
    c, = m.conflicts()
    assert (c["winner"], c["winners"]) == (None, [])
    m.run("restore", "p1")
    m.run("restore", "p4")
    assert [c["id"] for c in m.sweep()] == [id]


def test_pages_and_history(m):
    id = opened(m, *THREE)
    m.run("publish")
    resolve(m, id, "p2", "p1")
    m.run("publish")
    page = m.git("show", f"mirror:conflicts/{id}.md")
    assert len(re.findall(r"- Winner: \*\*.+\*\*, said by \[", page)) == 2 and "the winners stand, what contradicts them is superseded" in page
    assert len(re.findall(r"- Superseded: .+, said by \[", page)) == 1
    c, = json.loads(m.git("show", "mirror:conflicts.json"))["conflicts"]
    assert (c["winner"], c["winners"]) == (None, ["relation:p1", "relation:p2"])
    archive = m.git("show", f"mirror:conflicts/archive/{c['resolved_at'][:4]}.md")
    assert len(re.findall(r"- Winner: \*\*.+\*\*, said by \[", archive)) == 2
    body = m.git("log", "-1", "--format=%B", "mirror")
    assert "Conflict-Resolved: " + id in body
    line, = (x for x in m.run("log").out.splitlines() if "settled" in x)
    assert "anna (relation:p1) and ben (relation:p2) stand, what contradicts them gives way" in line
    event, = (e for e in m.run("log", "--format", "json").json()["events"] if e["event"] == "settled")
    assert (event["winner"], event["winners"], event["value"]) == (None, ["relation:p1", "relation:p2"], None)


def test_a_hidden_winner_is_not_named(m):
    id = opened(m, parent("p1", "anna", properties={"x": 1}), parent("p2", "ben"), parent("p3", "cleo"))
    m.run("add", "entity", "--type", "Secret", "--name", "Anna 2", "--project", "aldoria", "--id", "spy")
    resolve(m, id, "p1", "p2")
    m.sql("UPDATE relations SET from_id = 'spy' WHERE id = 'p1'")
    m.write("mirror.yml", m.text("mirror.yml") + "\npublish:\n  exclude:\n    types: [Secret]\n")
    m.run("build")
    c, = json.loads(m.text("site", "conflicts.json"))["conflicts"]
    assert c["withheld"] == 1 and (c["winner"], c["winners"]) == (None, ["relation:p2"])
    for path, data in m.site_bytes("site"):
        assert b"relation:p1" not in data and b"relation-p1" not in data, path


def test_export_and_import_again(m):
    id = opened(m, *THREE)
    resolve(m, id, "p2", "p1")
    text = m.run("export").out
    assert '"winner":["relation:p1","relation:p2"]' in text
    with again() as other:
        other.run("init")
        other.run("import", "-", stdin=text.encode())
        assert other.run("export").out == text
        assert other.conflicts("resolved") == m.conflicts("resolved")


@contextlib.contextmanager
def again():
    other = Mirror()
    try:
        yield other
    finally:
        other.close()


def state_of(m):
    seen = lambda c: (c["slot_key"], c["status"], c["disputed"], c["winners"], c["action"], c["resolution"], [(x["member_id"], x["status"]) for x in c["members"]])
    return rows(m), [seen(c) for c in m.conflicts("all")]


def test_verdicts_are_carried_out_alike(m):
    """Whatever stands here stands where the verdicts are imported beside the same facts."""
    for seed in range(12 if THOROUGH else 3):
        rnd = random.Random(seed)
        facts = []
        for child in ("kim", "lou"):
            for i in range(rnd.randint(3, 6)):
                since = rnd.choice([None, "0001", "0010"])
                until = rnd.choice([None, "0020", "0030"])
                facts.append(parent(f"{child}{i}", rnd.choice(PEOPLE), since, until, child, created_at=f"2026-01-0{i + 1}T00:00:00Z"))
        with again() as here, again() as there:
            for d in (here, there):
                d.facts(*WORLD, being("lou"), *facts)
            given = 0
            for c in here.sweep():
                members = [x["member_id"] for x in c["members"]]
                chosen = rnd.sample(members, min(len(members), rnd.randint(1, 3)))
                r = resolve(here, c["id"], *chosen, code=None, more=rnd.choice([[], ["--supersede-others"]]))
                assert r.code == 0 or "at most 2 may" in r.err, r.err
                given += r.code == 0
            here.sweep()
            there.sweep()
            there.write("verdicts.jsonl", here.run("export", "--verdicts").out)
            told = there.run("import", "verdicts.jsonl", "--format", "json").json()["verdicts"]
            there.sweep()
            assert state_of(here) == state_of(there), (seed, told)
            assert there.run("export", "--verdicts").out == here.run("export", "--verdicts").out


def test_a_row_that_says_the_same_stands_in(m):
    """In the other store the rows have other ids, and one winner's row is there twice."""
    resolve(m, opened(m, *THREE), "p1", "p2")
    with again() as other:
        other.facts(*WORLD, parent("q1", "anna"), parent("q2", "ben"), parent("q3", "cleo"))
        c, = other.sweep()
        other.write("verdicts.jsonl", m.run("export", "--verdicts").out)
        other.run("import", "verdicts.jsonl")
        assert {k: v[0] for k, v in rows(other).items()} == {"q1": "active", "q2": "active", "q3": "superseded"}
    with again() as other:   # one of the two has gone: nothing is settled by half
        other.facts(*WORLD, *THREE[1:], parent("p4", "dan"))
        other.sweep()
        other.write("verdicts.jsonl", m.run("export", "--verdicts").out)
        assert "did not know" in other.run("import", "verdicts.jsonl").err
        assert len(other.conflicts()) == 1


def test_bad_verdict_lines(m):
    opened(m, *THREE)
    base = {"kind": "verdict", "conflict": "c1", "status": "resolved", "action": "supersede_opponents"}
    for winner, has in (([], "winner"), (["relation:p1", 7], "winner"), (["relation:p1", "relation:p1"], "twice"), ({}, "winner"),
                        ([f"relation:p{i}" for i in range(65)], "more than 64")):
        m.write("verdicts.jsonl", json.dumps({**base, "winner": winner}) + "\n")
        m.fails("import", "verdicts.jsonl", has=["verdicts.jsonl:1", has])


if __name__ == "__main__":
    main(globals())
