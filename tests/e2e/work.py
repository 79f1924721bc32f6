"""What a run does, counted: times vary from machine to machine, counts do not. The store has links between its projects and
history, and each count must stay below what the change concerns, however large the store is."""
import http.client
import os
import re

from harness import Mirror, decision, entity, main, memory, parameter, project, state, work
from server import Server

PROJECTS, AREAS = 12, 10


def filled(m, linked=True):
    """Twelve projects, which refer to each other when they are linked; a fifth of the rows is history, a few slots are disputed, one is settled."""
    facts = []
    for p in range(PROJECTS):
        name = f"p{p:02}"
        facts.append(project(name))
        facts += [memory(f"area {i} is {i + p}", id=f"{name}-m{i}", project=name) for i in range(AREAS)]
        facts += [parameter(f"{i} kg", f"mass {i}", id=f"{name}-e{i}", project=name) for i in range(AREAS)]
        facts += [parameter(f"{i + 1} kg", f"mass {i}", id=f"{name}-old{i}", project=name, status="superseded",
                            superseded_by=f"{name}-e{i}") for i in range(4)]
        facts += [entity("Subsystem", {}, f"part of {name}", id=f"{name}-part", project=name),
                  {"kind": "relation", "id": f"{name}-r", "type": "PART_OF", "from": f"{name}-e3", "to": f"p{(p + linked) % PROJECTS:02}-part"},
                  {"kind": "relation", "id": f"{name}-r2", "type": "AFFECTS", "from": f"{name}-e1", "to": f"p{(p + 5 * linked) % PROJECTS:02}-e2"}]
        if p % 4 == 0:
            facts += [decision("PEEK", id=f"{name}-d1", project=name), decision("PTFE", id=f"{name}-d2", project=name)]
    m.facts(*facts, state("limit", "4 kg", id="s1", project="p00"))
    c, = m.run("--format", "json", "conflicts", "list", "--project", "p08").json()["conflicts"] or m.sweep()[-1:]
    m.run("conflicts", "resolve", c["id"], "--winner", c["members"][0]["member_id"], "--notes", "measured")
    return sum(f["kind"] != "project" for f in facts) + 1


def change(m, value):
    m.facts(state("limit", value, id="s1", project="p00"))


def test_nothing_changed(m):
    rows = filled(m)
    for verb in ("build", "publish"):
        first = work(m.run("-v", verb))
        assert first["rows read"] == rows and first["claims made"] and first["slots judged"], first
        assert first["pages rendered"] > PROJECTS * 3 and first["files written"] >= first["pages rendered"], first
        for again in range(2):
            done = work(m.run("-v", verb))
            assert done == {"rows read": rows, "claims made": 0, "slots judged": 0, "pages rendered": 0, "files written": 0}, done


def check_change(m, linked):
    rows = filled(m, linked)
    for n, verb in enumerate(("build", "publish")):
        first = work(m.run("-v", verb))
        change(m, f"{n + 5} kg")
        done = work(m.run("-v", verb))
        assert done["rows read"] == rows and done["claims made"] == first["claims made"], done
        # of 118 pages: its list, the page of changes, and what one more may need
        # a publication: also what it changed, of all and of the project, with a feed each; and parts of the search
        most = (4, 16) if verb == "build" else (6, 20)
        assert 0 < done["pages rendered"] <= most[0] and 0 < done["files written"] <= most[1], (done, first)
        change(m, "4 kg")


def test_one_fact_changed(m):
    check_change(m, linked=False)


def test_one_fact_changed_among_linked_projects(m):
    check_change(m, linked=True)


def check_verdict(m, linked):
    rows = filled(m, linked)
    for verb, p in (("build", "p00"), ("publish", "p04")):
        first = work(m.run("-v", verb))
        c = next(c for c in m.sweep() if c["project"] == p)
        m.run("conflicts", "dismiss", c["id"], "--reason", "two lots")
        done = work(m.run("-v", verb))
        assert done["rows read"] == rows, done
        most = (10, 36) if verb == "build" else (12, 46)
        assert 0 < done["pages rendered"] <= most[0] and 0 < done["files written"] <= most[1], (done, first)


def test_one_verdict_given(m):
    check_verdict(m, linked=False)


def test_one_verdict_given_among_linked_projects(m):
    check_verdict(m, linked=True)


def test_all_of_it_again(m):
    """--full makes and writes everything; a sweep models no page."""
    rows = filled(m)
    first = work(m.run("-v", "build"))
    assert work(m.run("-v", "build", "--full")) == first
    swept = work(m.run("-v", "sweep"))
    assert swept == {"rows read": rows, "claims made": first["claims made"], "slots judged": first["slots judged"], "pages rendered": 0,
                     "files written": 0}, swept


def test_serve_renders_what_is_asked_for_first(m):
    """At each change the page that a browser asks for is rendered before the others: by then it is the only one, and the rest comes after."""
    filled(m)
    with Server(m, "-v") as s:
        events, pages = (http.client.HTTPConnection(s.host, s.port, timeout=60) for _ in range(2))
        events.request("GET", "/_events")
        stream = events.getresponse()

        def told():
            while not (line := stream.readline()).startswith(b"data: "):
                assert line, "the stream of events was closed"

        def page(path):
            pages.request("GET", path)
            answer = pages.getresponse()
            assert answer.status == 200
            return answer.read().decode()

        told()
        page("/manifest.json")   # which only the whole site has
        for value in ("6 kg", "7 kg", "8 kg", "9 kg"):
            change(m, value)
            told()
            assert value in page("/projects/p00/state.html")
            page("/manifest.json")
        m.run("build", "--no-sweep", "-d", "out")   # what is shown is what is built, the unchanged files too
        built = [os.path.relpath(os.path.join(folder, name), m.path("out")) for folder, _, files in os.walk(m.path("out")) for name in files]
        compared = [path for path in built if path.endswith((".md", ".jsonl", ".css")) or path == "conflicts.json"]
        assert len(compared) > 118
        for path in compared:
            assert page("/" + path) == m.text("out", path), path
        events.close()
        pages.close()
        said = s.stop()
    shown = [int(n) for n in re.findall(r"(\d+) pages to show", said)]
    whole = [[int(n) for n in line] for line in re.findall(r"all (\d+) pages: (\d+) rendered when asked for, then (\d+);", said)]
    assert len(shown) == len(whole) == 5 and min(shown) > 100, said
    assert [n for n, _, _ in whole] == shown and whole[0] == [shown[0], 0, shown[0]], said
    # a machine that is busy elsewhere may be late with a question
    assert sum(first == 1 for _, first, _ in whole[1:]) >= 2, said
    assert all(rest <= 4 for _, _, rest in whole[1:]), said


def test_a_question_counts_too(m):
    """What a sweep recorded answers without reading a row; after a change all are read."""
    rows = filled(m)
    c = m.sweep()[0]
    assert " rows read, " not in m.run("-v", "conflicts", "show", c["id"]).err
    m.sql("UPDATE memories SET content = content")
    assert work(m.run("-v", "conflicts", "show", c["id"]))["rows read"] == rows


if __name__ == "__main__":
    main(globals())
