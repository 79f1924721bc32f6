#!/usr/bin/env python3
"""What the branch of the mirror tells: log, diff, hand edits, a thousand publications."""
from harness import *

sys.path.insert(0, os.path.join(TOP, "tests", "bench"))
import generate

OLD = {"created_at": "2026-04-01T09:00:00Z"}


def publish(m, *records):
    if records:
        m.facts(*records)
    return m.run("--format", "json", "publish").json()["commit"]


def lines(m, *args, **kw):
    return m.run("log", *args, **kw).out.splitlines()


def words(m, *args):
    """Lines of log without date and commit."""
    return [x.split("  ", 2)[2] for x in lines(m, *args)]


def story(m):
    """A fact appears, is disputed, joined, settled by a person, and disputed again."""
    ids = [publish(m, project("p05-interferometer", "p05", name="Interferometer"), project("p06", name="Polisher"),
                   state("lateral support material", "GF-PTFE", id="s1", **OLD), state("other", "1", id="o1", project="p06", **OLD))]
    ids.append(publish(m, decision("PEEK", id="e1", created_at="2026-04-02T09:00:00Z")))
    c, = m.conflicts()
    ids.append(publish(m, memory("lateral support material is PTFE", id="m1", created_at="2026-04-03T09:00:00Z")))
    m.facts({"kind": "conflict", "id": c["id"], "status": "resolved", "action": "supersede_others", "winner": "project_state:s1",
             "resolution": "Tested on the cell.", "resolved_by": "kim", "resolved_at": "2026-05-01"},
            decision("PEEK", id="e1", status="superseded", superseded_by="project_state:s1"),
            memory("lateral support material is PTFE", id="m1", status="superseded", superseded_by="project_state:s1"))
    ids.append(publish(m))
    return ids, c["id"]


def test_log_of_a_slot(m):
    ids, c = story(m)
    slot = "p05-interferometer / lateral_support_material: "
    got = lines(m, "p05 / lateral_support_material")
    assert [x.split("  ", 2)[2] for x in got] == [slot + w for w in (
        "superseded by project_state:s1: PEEK (entity:e1)", "superseded by project_state:s1: PTFE (memory:m1)",
        f"settled ({c}): GF-PTFE stands (project_state:s1), the others are superseded, by kim on 2026-05-01: Tested on the cell.",
        "appeared: PTFE (memory:m1)", f"still disputed ({c}), joined by memory:m1: GF-PTFE | PEEK | PTFE",
        "appeared: PEEK (entity:e1)", f"became disputed ({c}): GF-PTFE | PEEK", "appeared: GF-PTFE (project_state:s1)")], got
    assert got[-1].split("  ")[:2] == ["2026-04-01", ids[0][:7]]
    for same in ("p05/lateral support material", "p05-interferometer / Lateral_Support_Material", "Interferometer/lateral support-material",
                 "lateral_support_material", "lateral support material"):
        assert lines(m, same) == got, same


def test_log_of_other_things(m):
    ids, c = story(m)
    assert [w.split(": ")[1].split(" (")[0] for w in words(m, c[:6])] == ["settled", "still disputed", "became disputed"]
    assert words(m, "entity:e1")[-1].endswith("appeared: PEEK (entity:e1)")
    assert words(m, "p06") == ["first publication: 1 fact"]
    assert words(m, "Polisher") == words(m, "p06")
    assert words(m, "p05") == [w for w in words(m) if "publication" not in w] + ["first publication: 1 fact"]
    assert words(m)[-1] == "first publication: 2 facts"
    assert {x.split("  ")[1] for x in lines(m, "-n", "2")} == {ids[3][:7], ids[2][:7]}
    j = m.run("log", "--format", "json", c).json()
    assert [e["event"] for e in j["events"]] == ["settled", "members", "disputed"] and j["branch"] == "mirror"
    e = j["events"][0]
    assert (e["winner"], e["resolved_by"], e["value"], e["commit"]) == ("project_state:s1", "kim", "GF-PTFE", ids[3])
    assert e["slot_key"] == ["p05-interferometer", "lateral_support_material"]
    first = m.run("log", "--format", "json").json()["events"][-3:]
    assert [e["event"] for e in first] == ["first_publication", "appeared", "appeared"] and first[0]["facts"] == 2


def test_what_log_refuses(m):
    m.run("init")
    m.fails("log", has=["mirror.git", "there is no repository", "publish"])
    m.fails("diff", has="there is no repository")
    story(m)
    m.fails("log", "nosuch", has=["nosuch", "nothing on branch mirror speaks of it"])
    m.fails("log", "p99 / x", has=["p99", "no project"])
    m.fails("log", "--branch", "pages", has=["there is no branch pages", "publish"])
    m.fails("diff", "--branch", "pages", has="there is no branch pages")
    m.fails("log", "-n", "0", has="-n")
    m.fails("log", "-n", "2x", has="-n")
    m.fails("diff", "nosuch", has=["nosuch", "neither a branch nor a commit"])
    m.fails("diff", "mirror:README.md", has="no commit")
    m.fails("diff", "a", "b", "c", has="one word too many")
    m.write("plain/x", "")
    m.fails("log", "--repo", "plain", has="not a git repository")
    publish(m, state("lateral support material", "x", id="z", project="p06"))
    m.fails("log", "lateral_support_material", has=["several projects", "p06, p05-interferometer"])
    assert len(words(m, "p06/lateral_support_material")) == 1


def test_diff(m):
    ids, c = story(m)
    out = m.run("diff").out
    assert out == (
        f"{ids[2][:12]} (2026-04-03) to {ids[3][:12]} (2026-05-01)\n\np05-interferometer\n"
        "  lateral_support_material: superseded by project_state:s1: PEEK (entity:e1)\n"
        "  lateral_support_material: superseded by project_state:s1: PTFE (memory:m1)\n"
        f"  lateral_support_material: settled ({c}): GF-PTFE stands (project_state:s1), the others are superseded, by kim on 2026-05-01: Tested on the cell.\n"
        "\n2 changes of facts, 1 change of conflicts\n"), out
    assert m.run("diff", "mirror~1").out == out == m.run("diff", ids[2][:9], "mirror").out == m.run("diff", "mirror~1..mirror").out
    m.run("diff", "--exit-code", code=1)
    assert m.run("diff", "mirror", "mirror", "--exit-code").out.endswith("\nnothing differs\n")
    j = m.run("--format", "json", "diff", "mirror~3", "mirror").json()
    assert j["from"]["commit"] == ids[0] and j["to"]["commit"] == ids[3] and j["count"] == len(j["events"]) == 4
    # Of a conflict that came and went between the two both is told.
    assert [e["event"] for e in j["events"]] == ["appeared", "appeared", "disputed", "settled"]
    assert j["events"][0]["status"] == "superseded"
    back = m.run("--format", "json", "diff", "mirror", "mirror~3").json()
    assert sorted(e["event"] for e in back["events"]) == ["dropped", "gone", "gone"]


def test_diff_of_the_first(m):
    publish(m, state("x", "1", id="s1", **OLD))
    out = m.run("diff").out
    assert out.startswith("nothing to ") and "x: appeared: 1 (project_state:s1)" in out


def test_looks_are_no_difference(m):
    publish(m, state("x", "1", id="s1", **OLD))
    m.write("mirror.yml", "title: Another title\n")
    publish(m)
    out = m.run("diff", "--exit-code").out
    assert "no fact and no conflict differs, but" in out
    assert words(m) == ["first publication: 1 fact"]


def test_every_change_of_a_fact(m):
    m.write("mirror.yml", "list_limit: 10\n")
    publish(m, *[parameter(f"{i} mm", name=f"par {i}", id=f"p{i}", **OLD) for i in range(8)])
    # Two more, and the list is cut into several pages: rows that only moved are not told.
    publish(m, *[parameter(f"{i} mm", name=f"new {i}", id=f"n{i}", **OLD) for i in range(8)])
    events = m.run("--format", "json", "diff").json()["events"]
    assert sorted((e["event"], e["row"]) for e in events) == [("appeared", f"entity:n{i}") for i in range(8)]
    publish(m, parameter("9 mm", name="par 1", id="p1"), entity("Parameter", {"parameter_name": "par 2", "value": "2 mm", "notes": "checked"}, "par 2", id="p2"),
            parameter("3 mm", name="par 3", id="p3", project="p07"), parameter("4 mm", name="par 4", id="p4", status="invalid"),
            parameter("5 mm", name="renamed", id="p5"), parameter("6 mm", name="par 6", id="p6", confidence=0.5))
    events = m.run("--format", "json", "diff").json()["events"]
    got = {(e["event"], e["row"], (e["slot_key"] or ["", e.get("field")])[1], e.get("before"), e.get("after")) for e in events}
    assert got == {("changed", "entity:p1", "par_1", "1 mm", "9 mm"), ("changed", "entity:p2", "notes", "", "checked"),
                   ("gone", "entity:p3", "par_3", "3 mm", None), ("appeared", "entity:p3", "par_3", None, "3 mm"),
                   ("status", "entity:p4", "par_4", "active", "invalid"),
                   ("gone", "entity:p5", "par_5", "5 mm", None), ("appeared", "entity:p5", "renamed", None, "5 mm"),
                   ("changed", "entity:p5", "parameter_name", "par 5", "renamed"), ("changed", "entity:p5", "name", "par 5", "renamed"),
                   ("known", "entity:p6", "Confidence", "", "0.5")}, got


def test_hand_edits_are_named(m):
    publish(m, state("x", "1", id="s1", **OLD))
    m.run_git = lambda *a: subprocess.run(["git", *a], cwd=m.dir, check=True, capture_output=True,
                                          env={**m.env, "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_DATE": "1775200000 +0000", "GIT_COMMITTER_DATE": "1775200000 +0000"})
    m.run_git("clone", "-q", "-b", "mirror", "mirror.git", "work")
    page = m.path("work", "projects", "p05", "state.md")
    with open(page) as f:
        text = f.read()
    with open(page, "w") as f:
        f.write(text.replace("| 1 |", "| 99 |"))
    m.run_git("-C", "work", "-c", "user.name=Kim\x1b[31m", "-c", "user.email=k@x", "commit", "-qam", "99, I say")
    m.run_git("-C", "work", "push", "-q", "origin", "HEAD")
    hand = m.git("rev-parse", "mirror").strip()
    got = lines(m)
    assert len(got) == 2 and got[0] == f"2026-04-03  {hand[:7]}  by hand, by Kim⟦U+001B⟧[31m: 1 file changed: projects/p05/state.md", got
    r = m.run("diff", "mirror~1", "mirror")
    assert "no fact and no conflict differs, but 1 file" in r.out and "not a publication" in r.err
    facts = m.path("work", "data", "p05", "state.jsonl")
    with open(facts) as f:
        text = f.read()
    with open(facts, "w") as f:
        f.write(text.replace('"value":"1"', '"value":"99"'))
    m.run_git("-C", "work", "-c", "user.name=Kim", "-c", "user.email=k@x", "commit", "-q", "--amend", "--no-edit", "--reset-author", "-a")
    m.run_git("-C", "work", "push", "-qf", "origin", "HEAD")
    hand = m.git("rev-parse", "mirror").strip()
    got = lines(m)
    assert got[0] == f"2026-04-03  {hand[:7]}  by hand, by Kim: 2 files changed: data/p05/state.jsonl, projects/p05/state.md", got
    r = m.run("diff", "mirror~1", "mirror")
    assert "x: changed: 1 -> 99" in r.out and "not a publication" in r.err
    publish(m, state("x", "2", id="s1"))
    # What was never a fact is not told as one.
    assert words(m) == ["p05 / x: changed: 1 -> 2 (project_state:s1)", got[0].split("  ", 2)[2], "first publication: 1 fact"]
    assert words(m, "p05 / x") == ["p05 / x: changed: 1 -> 2 (project_state:s1)", "p05 / x: appeared: 1 (project_state:s1)"]
    j = m.run("--format", "json", "log").json()["events"]
    assert j[1]["event"] == "edited_by_hand" and j[1]["files"] == ["data/p05/state.jsonl", "projects/p05/state.md"] and j[1]["author"] == "Kim"
    assert "1 -> 2" in m.run("diff").out   # the last two publications, not the last two commits


def test_ordinary_and_shallow_repositories(m):
    story(m)
    want = words(m)
    subprocess.run(["git", "clone", "-q", "--no-checkout", "mirror.git", "clone"], cwd=m.dir, check=True, capture_output=True)
    subprocess.run(["git", "-C", "clone", "branch", "-q", "-f", "mirror", "origin/mirror"], cwd=m.dir, capture_output=True)
    assert words(m, "--repo", "clone") == want
    subprocess.run(["git", "clone", "-q", "--bare", "--depth", "2", "file://" + m.path("mirror.git"), "shallow.git"], cwd=m.dir, check=True, capture_output=True)
    got = words(m, "--repo", "shallow.git")
    assert got[:3] == want[:3] and "shallow" in got[-1]


def test_nothing_is_written(m):
    story(m)
    before = m.tree(".")
    m.run("log")
    m.run("diff", "mirror~2")
    assert m.tree(".") == before


def test_what_is_left_out_is_not_told(m):
    m.write("mirror.yml", "publish:\n  exclude:\n    tags: [secret]\n")
    publish(m, state("x", "1", id="s1", **OLD), memory("budget is 77 EUR", id="m1", tags=["secret"], **OLD))
    publish(m, memory("budget is 78 EUR", id="m1", tags=["secret"]), state("x", "2", id="s1"))
    out = m.run("log").out + m.run("diff").out
    assert "EUR" not in out and "budget" not in out and "1 -> 2" in out


def test_templates_of_ones_own(m):
    """What a template shows of the rows, and how, is nothing to the data files."""
    m.run("init")
    m.write("templates/state.md.mustache", "# {{heading}}\n\nNothing of it here.\n")
    m.write("templates/conflict.md.mustache", "# {{heading}}\n\n[⚠ disputed](README.md)\n")
    publish(m, state("x", "1", id="s1", **OLD))
    publish(m, state("x", "2", id="s1"))
    assert words(m) == ["p05 / x: changed: 1 -> 2 (project_state:s1)", "first publication: 1 fact"]
    m.sql("DELETE FROM project_state")
    publish(m, state("z", "1", id="s4", status="candidate"))
    assert len([w for w in words(m, "-n", "1") if "left the mirror" in w]) == 1


def test_html_alone_has_facts(m):
    m.write("mirror.yml", "publish:\n  pages: html\n")
    publish(m, state("x", "1", id="s1", **OLD))
    publish(m, state("x", "2", id="s1"))
    assert words(m) == ["p05 / x: changed: 1 -> 2 (project_state:s1)", "first publication: 1 fact"]


def without_data(m, n):
    """The newest n commits of the branch, as they were before there were data files."""
    env = {**m.env, "GIT_INDEX_FILE": m.path("index"), "GIT_CONFIG_NOSYSTEM": "1", **{f"GIT_{w}_{k}": v for w in ("AUTHOR", "COMMITTER")
           for k, v in (("NAME", "m"), ("EMAIL", "m@x"), ("DATE", "1775200000 +0000"))}}

    def git(*args, **kw):
        return subprocess.run(["git", "-C", m.path("mirror.git"), *args], env=env, check=True, capture_output=True, text=True, **kw).stdout.strip()
    parent, ids = [], []
    for c in git("rev-list", "--reverse", f"-n{n}", "mirror").split():
        git("read-tree", c)
        git("rm", "-rq", "--cached", "data")
        parent = ["-p", git("commit-tree", git("write-tree"), *parent, input=git("log", "-1", "--format=%B", c))]
        ids.append(parent[1])
    git("update-ref", "refs/heads/mirror", ids[-1])
    return ids


def test_before_there_were_data_files(m):
    publish(m, project("p05-interferometer", "p05"), state("x", "1", id="s1", **OLD))
    publish(m, state("x", "2", id="s1"))
    publish(m, decision("PEEK", id="e1"), decision("PTFE", id="e2"))
    old = without_data(m, 3)
    assert words(m) == [
        "p05-interferometer: lateral support material is disputed (2 sides), and 2 more (its facts are not told)",
        f"p05-interferometer / lateral_support_material: became disputed ({m.conflicts()[0]['id']}): PEEK | PTFE",
        words(m)[2], "First publication: 1 project, 1 fact, 0 disputes (its facts are not told)"], words(m)
    assert words(m)[2] == "p05-interferometer: x 1 -> 2 (its facts are not told)"
    assert "told from the next hmirror publish on" in m.run("log").err
    first = publish(m, state("x", "3", id="s1"))
    publish(m, state("x", "4", id="s1"))
    r = m.run("log")
    assert f"facts are told from {first[:12]} on" in r.err
    got = words(m)
    assert got[0] == "p05-interferometer / x: changed: 3 -> 4 (project_state:s1)" and got[1].endswith("(its facts are not told)"), got
    assert words(m, "p05 / x") == got[:1] and first[:12] in m.run("log", "p05 / x").err
    assert words(m, "-n", "1") == got[:1]
    j = m.run("--format", "json", "log").json()
    assert j["facts_from"] == first and [e["event"] for e in j["events"]].count("facts_not_told") == 4
    r = m.run("diff", old[-1], first)
    assert "has no data files" in r.err and "appeared" not in r.out and "no conflict differs" in r.out, r.out
    assert m.run("--format", "json", "diff", old[-1], first).json()["facts_told"] is False
    m.run("diff", old[-1], first, "--exit-code", code=1)
    assert "3 -> 4" in m.run("diff").out and m.run("--format", "json", "diff").json()["facts_told"] is True


def test_a_row_that_moved_to_another_file(m):
    """Memories of a year are one file: what moves from one to the other is no delete."""
    publish(m, memory("the pad is glued", id="m1", created_at="2025-04-01T09:00:00Z"), memory("the ring is bolted", id="m2", **OLD))
    publish(m, memory("the pad is glued", id="m1", created_at="2026-04-01T09:00:00Z"))
    assert m.run("--format", "json", "diff").json()["files"] > 2
    assert words(m)[:1] == ["p05 / memory:m1: recorded changed: 2025-04-01T09:00:00Z -> 2026-04-01T09:00:00Z"], words(m)
    assert len(words(m)) == 2


def test_many_publications(m):
    n = 1000 if THOROUGH else 150
    example = os.path.join(TOP, "site-example")
    shutil.copytree(example, m.path("x"))
    m.dir = m.path("x")
    m.run("import", *[os.path.join("facts", f) for f in sorted(os.listdir(m.path("facts")))])
    m.run("import", "change.jsonl", "--source", "4-polisher.jsonl")
    m.run("publish")
    generate.publications(m.path("mirror.git"), n)
    for what in ((), ("p06 / spindle_speed",), ("p06",), (m.conflicts()[0]["id"],)):
        with costs_less_than(3):
            lines(m, *what)
    assert len(lines(m, "p06/spindle speed")) > 3 * n and len(lines(m)) > 3 * n
    assert lines(m, "-n", "1")[0].endswith(f"changed: {n + 98} rpm -> {n + 99} rpm (entity:p06-e1)")
    with costs_less_than(1):
        assert f"199 rpm -> {n + 99} rpm" in m.run("diff", f"mirror~{n - 100}").out


def test_a_row_of_many_properties_is_told_in_linear_time(m):
    """Each of thousands of properties goes and another comes: each is told once, and soon."""
    n = 6000
    for letter in "pq":
        m.facts(entity("T", {f"{letter}{i}": i for i in range(n)}, id="e1"))
        m.run("publish")
    with costs_less_than(3):
        told = m.run("--format", "json", "log", "-n", "1").out
    assert told.count('"before":"') >= n and told.count('"after":"') >= n, told[:300]


def test_properties_that_a_page_leaves_out_are_not_told_as_gone(m):
    """Of a row with too many properties for a page the rest is compared as one."""
    many = {f"p{i:05}": i for i in range(12000)}
    m.facts(entity("T", many, id="e1"))
    m.run("publish")
    m.facts(entity("T", {**many, "p00003": 4, "a new one": 1}, id="e1"))
    m.run("publish")
    events = m.run("--format", "json", "log", "-n", "1").json()["events"]
    assert not [e for e in events if e["event"] == "gone"], events[:3]
    told = {e.get("field"): (e.get("before"), e.get("after")) for e in events}
    assert told["p00003"] == ("3", "4") and "a new one" not in told, told
    assert told["All properties"][0].startswith("data/"), told


if __name__ == "__main__":
    main(globals())
