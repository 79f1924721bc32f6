#!/usr/bin/env python3
"""What is over does not fight what holds: now, and what it changes."""
from harness import *

DAY = 86400


def at(day):
    """SOURCE_DATE_EPOCH at the start of a day."""
    import calendar
    return {"SOURCE_DATE_EPOCH": str(calendar.timegm(time.strptime(day, "%Y-%m-%d")))}


def disputed(m, env=None):
    """Names of the slots that a sweep finds disputed."""
    m.run("sweep", env=env)
    listed = m.run("--format", "json", "conflicts", "list", env=env).json()["conflicts"]
    return sorted(c["slot_key"][-1] for c in listed if c["disputed"])


def trailers(m, rev="mirror"):
    lines = m.git("log", "-1", "--format=%(trailers)", rev).splitlines()
    return dict(line.partition(": ")[::2] for line in lines)


def commits(m):
    return int(m.git("rev-list", "--count", "mirror"))


def test_over_does_not_fight(m):
    m.facts(memory("color is red", valid_until="2020", created_at="2019-01-01"),
            state("color", "blue", created_at="2026-04-02T09:00:00Z"),
            memory("mass is 3 kg", valid_until="2020"), memory("mass is 4 kg", valid_until="2021"),
            state("mass", "5 kg"))
    assert disputed(m) == []
    m.sql("UPDATE memories SET valid_until = '2030' WHERE content LIKE 'color%'")
    assert disputed(m) == ["color"]


def test_handover_and_plans(m):
    m.facts(state("owner", "Ann", valid_until="2026-04", created_at="2026-04-02T09:00:00Z"),
            state("owner", "Bob", valid_from="2026-04"),
            state("lead", "Cid"), state("lead", "Dee", valid_from="2027"),
            state("chair", "Eve", valid_from="2027"), state("chair", "Fay", valid_from="2027"))
    assert disputed(m) == ["chair"]
    assert disputed(m, at("2026-12-31")) == ["chair"]
    assert disputed(m, at("2027-06-01")) == ["chair", "lead"]


def test_without_times_now_lies_after_every_bound(m):
    m.facts(state("owner", "Ann"), state("owner", "Bob", valid_from="2099"),
            state("lead", "Cid", valid_until="2098"), state("lead", "Dee"))
    assert disputed(m) == ["owner"]
    m.run("publish")
    assert "Mirror-Now" not in trailers(m)


def test_inverted_window_is_a_finding(m):
    m.facts(state("owner", "Ann", id="s1", valid_from="2026", valid_until="2025"), state("owner", "Bob"),
            state("lead", "Cid", id="s2", valid_from="1977-11", valid_until="1977-11"),
            state("lead", "Dee", valid_from="1977", valid_until="1980"),
            state("lead", "Eve", valid_from="1977-11-05", valid_until="1980"))
    assert disputed(m) == ["lead"]
    found = m.sql("SELECT rule, rows FROM findings WHERE rule = 'row/window'")
    assert found == [("row/window", '["project_state:s1"]')], found
    c, = m.conflicts()
    assert "project_state:s2" in {f"{x['member_kind']}:{x['member_id']}" for x in c["members"]}


def test_add_says_that_a_window_is_inverted(m):
    m.run("init")
    m.fails("add", "state", "k", "v", "--valid-from", "2026", "--valid-until", "2025", has="valid_until")
    m.run("add", "state", "k", "v", "--valid-from", "2026", "--valid-until", "2026")


def test_ahead_of_the_clock(m):
    ahead = state("x", "1", id="s9", created_at="2999-01-01T00:00:00Z")
    m.facts(memory("color is red", valid_until="2100"), state("color", "blue", created_at="2026-04-02T09:00:00Z"), ahead)
    assert disputed(m) == ["color"]   # at 2999 it would be over
    health = m.run("--format", "json", "health").json()
    assert health["ahead_of_clock"] == {
        "count": 1, "times": [{"row": "project_state:s9", "column": "created_at", "at": "2999-01-01T00:00:00Z"}]}
    assert "project_state:s9 created_at 2999-01-01" in m.run("health").out
    m.run("publish")
    assert trailers(m)["Mirror-Now"] == "2026-04-02T09:00:00Z"
    assert m.git("log", "-1", "--format=%at", "mirror").strip() == "1775120400"
    m.run("build")
    for path, text in m.site_bytes("site"):
        assert b"clock" not in text and b"ahead" not in text, path
    # The time of the run is the clock.
    assert m.run("--format", "json", "health", env=at("2026-04-01")).json()["ahead_of_clock"]["count"] == 2
    assert m.run("--format", "json", "health", env=at("2999-01-01")).json()["ahead_of_clock"]["count"] == 0


def test_a_day_on_which_nothing_ends_makes_no_commit(m):
    m.facts(memory("color is red", valid_until="2026-06", created_at="2026-01-01"),
            state("color", "blue", created_at="2026-01-02"))
    m.run("publish", env=at("2026-02-01"))
    assert trailers(m)["Mirror-Now"] == "2026-02-01T00:00:00Z"
    tree = m.git("rev-parse", "mirror^{tree}")
    assert "⚠ disputed" in m.git("show", "mirror:projects/p05/README.md")
    for day in ("2026-02-02", "2026-03-01", "2026-05-31"):
        for full in ((), ("--full",)):
            m.run("publish", *full, env=at(day))
            assert commits(m) == 1, day
            assert m.run("--format", "json", "verify", env=at(day)).json()["same"] is True
    # It has ended: the commit says when that was seen.
    m.run("publish", env=at("2026-06-02"))
    assert commits(m) == 2 and trailers(m)["Mirror-Now"] == "2026-06-02T00:00:00Z"
    assert m.git("rev-parse", "mirror^{tree}") != tree
    assert m.git("log", "-1", "--format=%at", "mirror").strip() == at("2026-06-02")["SOURCE_DATE_EPOCH"]
    assert "⚠ disputed" not in m.git("show", "mirror:projects/p05/README.md")
    # A look from before the end differs, and says why.
    r = m.run("--format", "json", "verify", env=at("2026-05-01"), code=1).json()
    assert {"what": "time", "then": "2026-06-02T00:00:00Z", "now": "2026-05-01T00:00:00Z"} in r["reasons"]


def test_now_reaches_no_file(m):
    m.facts(memory("color is red", created_at="2026-01-01"), state("color", "blue", created_at="2026-01-02"))
    m.run("build", env=at("2026-02-03"))
    one = m.tree("site")
    m.run("build", "--full", env=at("2026-09-07"))
    assert m.tree("site") == one
    for path, text in m.site_bytes("site"):
        assert b"2026-09-07" not in text and b"Mirror-Now" not in text, path


def test_every_command_has_one_now(m):
    m.facts(memory("color is red", valid_until="2026-06"), state("color", "blue", created_at="2026-07-01"))
    before, after = at("2026-05-01"), at("2026-07-01")
    for env, n in ((before, 1), (after, 0), ({}, 0)):
        dry = m.run("--format", "json", "sweep", "--dry-run", env=env).json()
        assert dry["opened"] == n, (env, dry)
        health = m.run("--format", "json", "health", env=env).json()
        assert health["unrecorded"] == n
    m.fails("sweep", env={"SOURCE_DATE_EPOCH": "today"}, has="SOURCE_DATE_EPOCH")
    m.fails("check", env={"SOURCE_DATE_EPOCH": "-1"}, has="SOURCE_DATE_EPOCH")


def test_left_out_rows_do_not_show_in_now(m):
    m.facts(project("p05"), project("hidden"), state("color", "blue", created_at="2026-01-02"),
            state("x", "1", project="hidden", created_at="2026-03-03T03:03:03Z"))
    m.write("mirror.yml", "publish:\n  exclude:\n    projects: [hidden]\n")
    m.run("publish")
    assert "Mirror-Now" not in trailers(m) and "2026-03-03" not in m.git("log", "--format=%B%ad", "--date=iso", "mirror")
    m.sql("UPDATE project_state SET value = 'green', updated_at = '2026-03-04' WHERE project = 'p05'")
    m.run("publish")
    assert trailers(m)["Mirror-Now"] == "2026-03-04T00:00:00Z"


def test_a_write_passes_an_end(m):
    """Another row moves now past the end of a claim: the write opens and quiets what a sweep would."""
    m.facts(memory("color is red", valid_until="2026-06"), state("color", "blue", created_at="2026-05-01"),
            memory("mass is 3 kg"), state("mass", "4 kg", valid_from="2026-08"))
    assert disputed(m) == ["color"]
    m.run("add", "state", "other", "thing", "--created-at", "2026-09-01")
    dry = m.run("--format", "json", "sweep", "--dry-run").json()
    assert dry["opened"] == 0 and dry["updated"] == 0
    listed = {c["slot_key"][-1]: c["disputed"] for c in m.conflicts()}
    assert listed == {"color": False, "mass": True}


if __name__ == "__main__":
    main(globals())
