"""How a row stands is one answer: a marker on its page if and only if every door says that it is disputed, with the same
conflicts, the same count of what is disputed inside, and the same findings."""
import glob
import html
import json
import os
import re

from harness import decision, entity, main, memory, parameter, project, state
from mcp_kit import Agent
from server import Server

MARK = "⚠"


def relation(id, type, a, b, **kw):
    return {"kind": "relation", "id": id, "type": type, "from": a, "to": b, "project": "farm", **kw}


def farm(m):
    """Disputes of a part, of a thing that only texts name, of two relations, of one row by two sources; what may contradict, what
    was flagged, what came before its time; containers of containers, one of them superseded; history and a candidate."""
    m.run("init")
    m.facts(
        project("farm"), project("yard"),
        entity("Subsystem", {"subsystem_name": "site"}, "Site", "farm", id="site"),
        entity("Subsystem", {"subsystem_name": "dairy"}, "Dairy", "farm", id="dairy"),
        entity("Subsystem", {"subsystem_name": "old dairy"}, "Old dairy", "farm", id="olddairy", status="superseded", superseded_by="dairy"),
        entity("Component", {"subsystem_name": "dairy", "mass": "4 t"}, "Milk tank", "farm", id="tank"),
        entity("Component", {"subsystem_name": "old dairy"}, "Churn", "farm", id="churn"),
        relation("in1", "PART_OF", "dairy", "site"), relation("in2", "PART_OF", "tank", "dairy"),
        # of the tank, by name; of the churn, by what affects it
        state("milk_tank_lining", "steel", project="farm", id="lining", source="plan"),
        memory("The milk tank lining is glass.", project="farm", id="glass", slot_rule="milk tank lining", source_refs=["plan"]),
        decision("oak", "churn", "staves", id="oak", project="farm", name="Staves"), decision("ash", "churn", "staves", id="ash", project="farm", name="Staves again"),
        relation("on", "AFFECTS", "oak", "churn"), relation("on2", "AFFECTS", "ash", "churn"),
        # two relations, and one beside them
        entity("Person", {"born": "1700"}, "Ann", "farm", id="ann"), entity("Person", {"born": "1701"}, "Ben", "farm", id="ben"),
        entity("Location", {}, "Mill", "farm", id="mill"), entity("Event", {"date": "1650"}, "Fair", "farm", id="fair"),
        relation("r1", "RULES", "ann", "mill", valid_from="1720", valid_until="1740"), relation("r2", "RULES", "ben", "mill", valid_from="1730", valid_until="1750"),
        relation("r3", "PARTICIPATED_IN", "ben", "fair"),
        memory("Milkers must be trained by the vet before each season", project="farm", id="must"), memory("Milkers must not be trained by the vet before each season", project="farm", id="mustnot"),
        memory("The south gate sticks in winter", project="farm", id="gate"),
        memory("The hay is dry.", project="farm", id="new", status="candidate"), parameter("3 m", "door height", project="yard", id="door", source_refs=["plan"]),
        {"kind": "link", "src": "memory:gate", "dst": "entity:tank", "rel": "related"})
    m.facts(state("herd", "40 cows", project="farm", id="herd"), name="spring.jsonl")
    m.write("autumn.jsonl", json.dumps(state("herd", "44 cows", project="farm", id="herd")) + "\n")
    m.run("import", "autumn.jsonl")
    m.run("flag", "memory:gate", "--reason", "Who says so?")
    m.run("sweep")
    m.run("build", "-d", "site")


def stands(row):
    """disputed, the conflicts, the number inside, and the findings; as any door tells it."""
    ids = {d["conflict"] for d in row.get("disputes", [])} | {c["id"] for c in row.get("conflicts", []) if isinstance(c, dict) and c.get("disputed")} | \
        {c for c in row.get("conflicts", []) if isinstance(c, str)}
    found = {f if isinstance(f, str) else f["id"] for f in row.get("findings", [])}
    return bool(row.get("disputed")), ids, row.get("disputed_inside", 0), found


def published(m):
    """By kind:id, as the data files tell it."""
    rows = {}
    for path in glob.glob(m.path("site", "data", "**", "*.jsonl"), recursive=True):
        with open(path, encoding="utf-8") as f:
            for row in map(json.loads, f):
                if row.get("id") and row["kind"] != "project" and row["kind"] in ("memory", "entity", "project_state", "relation"):
                    rows[f"{row['kind']}:{row['id']}"] = row
    return rows


def marked(m):
    """By kind:id, whether some part of a page that begins with the anchor of a row has a marker."""
    seen = {}
    for path in glob.glob(m.path("site", "projects", "**", "*.html"), recursive=True):
        with open(path, encoding="utf-8") as f:
            text = f.read()
        anchors = [(x.start(), x[1], html.unescape(x[2])) for x in re.finditer(r'\bid="(memory|entity|state|relation)-([^"]*)"', text)]
        for i, (at, kind, id) in enumerate(anchors):
            part = text[at:anchors[i + 1][0] if i + 1 < len(anchors) else len(text)]
            end = re.search(r"</table>|<h[12]\b|</main>", part)
            ref = f"{'project_state' if kind == 'state' else kind}:{id}"
            seen.setdefault(ref, set()).add(MARK in part[:end.start() if end else len(part)])
    return seen


def places(m):
    """{(page, anchor): kind:id} of every row that a page has in full."""
    found = {}
    for path in pages(m):
        text = m.text("site", path)
        for kind, id in re.findall(r'<a id="(memory|entity|state|relation)-([^"]*)"></a>', text):
            found[path, f"{kind}-{id}"] = f"{'project_state' if kind == 'state' else kind}:{id}"
        if re.fullmatch(r"projects/\w+/entities/\w+/[^/]+\.md", path):
            found[path, ""] = "entity:" + re.search("^- Id: (.*)$", text, re.M)[1]
        if re.fullmatch(r"projects/\w+/subsystems/[^/]+\.md", path):
            found[path, ""] = "entity:" + re.search("^- Id: (.*)$", text, re.M)[1]
    return found


def pages(m):
    return sorted(os.path.relpath(p, m.path("site")) for p in glob.glob(m.path("site", "**", "*.md"), recursive=True))


# Pages whose lines name rows for another reason than to show how they stand: each has a standing of its own.
OTHERS = re.compile(r"conflicts/|findings/|glossary|.*/candidates\.md|.*/pictures/supersession\.md")


def shown(m, path, at):
    """(kind:id, is it marked, the line) of each line of a list or table that shows a row, and of each heading with what is below it."""
    text = re.sub(r"^## (What we do not know|Findings|Sources|Disputed)$.*?(?=^## |\Z)", "", m.text("site", path), flags=re.M | re.S)
    for part in re.split(r"\n(?=\s*- (?:\*\*)?\[|\| \[|#|\n)", text):
        links = []
        for url in re.findall(r"\]\(([^)\s]*)\)", part.split("\n")[0]):
            file, _, anchor = url.partition("#")
            links.append(at.get((os.path.normpath(os.path.join(os.path.dirname(path), file)), anchor)))
        if part.startswith("### "):
            part = text[text.index(part):].split("\n### ")[0].split("\n## ")[0] if part.count("\n") == 0 else part
        rows = [x for x in links if x]
        if not rows or not re.match(r"\s*- (\*\*)?\[|\| \[|### ", part):
            continue
        if rows[-1].startswith("relation:") and part.startswith("|"):   # a table of relations, by their other end
            yield rows[-1], MARK in part, part
        elif len(rows) == 1 or not re.search(r"pictures/|sources/", path):
            yield rows[0], MARK in part, part


def same(want, ref, row, door):
    assert stands(row) == want[ref], (door, ref, stands(row), want[ref])


def test_every_door_says_the_same(m):
    farm(m)
    rows = published(m)
    want = {ref: stands(row) for ref, row in rows.items()}
    disputed = {ref for ref, x in want.items() if x[0]}
    assert disputed == {"entity:tank", "project_state:lining", "memory:glass", "entity:churn", "entity:oak", "entity:ash", "relation:r1", "relation:r2", "entity:ann", "entity:ben",
                        "entity:mill", "project_state:herd"}, disputed
    assert {ref: x[2] for ref, x in want.items() if x[2]} == {"entity:dairy": 2, "entity:site": 2}
    assert {"memory:must", "memory:mustnot", "memory:gate", "relation:r3"} <= {ref for ref, x in want.items() if x[3]}
    for ref, marks in marked(m).items():
        assert marks == {want[ref][0]}, (ref, marks)
    herd, = rows["project_state:herd"]["conflicts"]   # one, with all that its sources say
    assert sorted((x["value"], x["source"]) for x in herd["said"]) == [("40 cows", "spring.jsonl"), ("44 cows", "autumn.jsonl")], herd
    with Server(m) as s:
        paths = {"memory": "memory", "project_state": "project/state", "relation": "relations"}
        for ref, row in rows.items():
            kind, id = ref.split(":", 1)
            same(want, ref, m.run("show", ref, "--format", "json").json(), "show")
            same(want, ref, s.get(f"/entities/{row['type']}/{id}" if kind == "entity" else f"/{paths[kind]}/{id}").json(), "GET")
            for door, below in (("neighbors", "neighbors"), ("impact", "touches"), ("evidence", "rests_on")):
                answer = s.get(f"/{door}/{ref}").json()
                if door == "evidence":   # which has settled ones there, too
                    answer = {**answer, "conflicts": []}
                same(want, ref, answer, door)
                for other in answer[below]:
                    if other["row"] in want:
                        same(want, other["row"], {**other, "conflicts": []}, door)
        for listed in (s.get("/rows?status=all&limit=1000").json()["rows"], m.run("list", "--status", "all", "--format", "json", "--limit", "1000").json()["rows"]):
            assert len(listed) > len(rows) - 1, listed
            for row in listed:
                same(want if row["ref"] in want else {row["ref"]: (False, set(), 0, set())}, row["ref"], row, "list")
        question = "milk tank lining staves mill herd milkers gate dairy site churn ann ben"
        for h in s.get(f"/recall?k=1000&any=true&query={question.replace(' ', '%20')}").json()["hits"]:
            same(want, h["ref"], h, "recall")
    hits = m.run("--format", "json", "recall", question, "--any", "-k", "1000").json()["hits"]
    assert len(hits) > 12
    for h in hits:
        same(want, h["ref"], h, "recall at the command line")
    with Agent(m) as a:
        for tool, arguments, at in (("recall", {"query": question, "k": 100, "any": True}, "hits"), ("neighbors", {"memory_id": "memory:gate"}, "neighbors")):
            for h in a.pages(tool, at, **arguments):
                ref = h.get("ref") or h["row"]
                same(want, ref, h, f"the agent's {tool}")


def test_each_list_of_each_page_marks_what_is_disputed(m):
    farm(m)
    rows, at, seen = published(m), places(m), set()
    for path in pages(m):
        if OTHERS.match(path):
            continue
        for ref, is_marked, line in shown(m, path, at):
            assert is_marked == bool(rows[ref].get("disputed")), (path, ref, line)
            seen.add((path, is_marked))
    kinds = ("index-a-z.md", *(f"projects/farm/{x}.md" for x in ("README", "decisions", "entities/component", "entities/location", "entities/person", "entities/person/ann", "subsystems/dairy")))
    assert {(k, True) for k in kinds} | {("index-a-z.md", False), ("projects/farm/README.md", False)} <= seen, seen
    sources = re.findall(r"\]\(\.\./(projects[^)#]*)#?([^)]*)\)( \[⚠ disputed\])?", m.text("site", "sources", "README.md").split("Rows:", 1)[1])
    assert {(at[path, anchor], bool(mark)) for path, anchor, mark in sources} == {("project_state:lining", True), ("memory:glass", True), ("entity:door", False)}, sources


def test_the_others_are_told(m):
    """What the other sides say, also of a row whose sources differ, and of what a dispute is about."""
    farm(m)
    with Server(m) as s:
        others = {ref: {(o["row"], o["value"], o.get("source", "")) for d in s.get(path).json()["disputes"] for o in d["others"]} for ref, path in (
            ("lining", "/project/state/lining"), ("herd", "/project/state/herd"), ("mill", "/entities/Location/mill"))}
        assert others["lining"] == {("memory:glass", "glass", "")}, others
        assert {x[1] for x in others["herd"]} == {"44 cows"} or {x[1] for x in others["herd"]} == {"40 cows"}, others
        assert {x[0] for x in others["mill"]} == {"relation:r1", "relation:r2"}, others
        glass = s.get("/memory/glass").json()["disputes"]
        assert [d["flagged"] for d in glass] == [True] and glass[0]["field"] == "content", glass


def test_a_dispute_reaches_what_contains_the_thing(m):
    farm(m)
    dairy = m.text("site", "projects/farm/subsystems/dairy.md")
    assert "2 disputed inside" in dairy and dairy.index("## Disputed") < dairy.index("## ", dairy.index("## Disputed") + 4)
    for value in ("steel", "glass", "oak", "ash"):
        assert f"**{value}**" in dairy, value
    overview = m.text("site", "projects/farm/README.md")
    site, = [x for x in overview.split("\n") if "[Site](" in x and "subsystems/" in x]
    assert "2 disputed inside" in site and MARK not in site, site
    tank, = [x for x in overview.split("\n") if re.match(r" *- .*\[Milk tank\]", x)]
    assert MARK in tank, tank


def test_no_list_shows_the_value_of_one_source_alone(m):
    farm(m)
    for path in ("state.md", "README.md"):
        line, = [x for x in m.text("site", "projects/farm", path).split("\n") if "herd" in x and "40 cows" in x and "**" not in x]
        assert "44 cows" in line and "spring" in line and "autumn" in line, line


def test_a_search_hit_is_marked(m):
    farm(m)
    lines = [line for path in glob.glob(m.path("site", "search", "*.js")) for line in open(path, encoding="utf-8").read().split("\n")]
    for name, is_marked in (("Mill", True), ("Milk tank", True), ("Churn", True), ("Site", False), ("Fair", False)):
        line, = [x for x in lines if re.match(r'\["[^"]*","[^"]*","%s","(?:Location|Component|Subsystem|Event)' % name, x)]
        assert ("conflicts/" in line) == is_marked, line
    herd, = [x for x in lines if '"herd","curated value"' in x]
    assert "40 cows" in herd and "44 cows" in herd, herd


def test_words_at_the_command_line(m):
    farm(m)
    out = m.run("recall", "south gate").out
    assert "finding f" in out and "Who says so?" in out, out
    assert f"{MARK} disputed: conflict c" in m.run("evidence", "entity:mill").out
    assert "2 disputed inside" in m.run("impact", "entity:dairy").out
    assert f"{MARK} disputed: conflict c" in m.run("neighbors", "memory:gate").out


def test_a_hidden_way_leads_nowhere(m):
    """What publish.exclude leaves out marks nothing: neither by a relation, nor by a property, nor by the name of a slot."""
    farm(m)
    with open(m.path("mirror.yml"), "a", encoding="utf-8") as f:
        f.write("publish:\n  exclude:\n    types: [Decision, RULES]\n    properties: [subsystem_name]\n")
    m.run("build", "-d", "site")
    rows = published(m)
    assert "entity:oak" not in rows and "relation:r1" not in rows
    assert {ref for ref, row in rows.items() if row.get("disputed")} == {"entity:tank", "project_state:lining", "memory:glass", "project_state:herd"}
    for ref, marks in marked(m).items():
        assert marks == {bool(rows[ref].get("disputed"))}, (ref, marks)
    assert {ref: row["disputed_inside"] for ref, row in rows.items() if "disputed_inside" in row} == {"entity:dairy": 1, "entity:site": 1}


if __name__ == "__main__":
    main(globals())
