#!/usr/bin/env python3
"""What publish.exclude leaves out stays out: a hundred texts, twenty by each of its settings, with rules in SQL that tell all that they can
read, findings, links, conflicts and a judge. None is in the tip, in what `serve` shows, or in the message of a commit made since."""
import itertools
import random
import urllib.error
import urllib.request

from harness import *
from judge import ENV, judge, proposing
from server import Server

WHEN = {"created_at": "2026-04-02T09:00:00Z"}
RULES = {
    # Each tells on a visible row what it reads of others.
    "all-rows": "SELECT 'memory:v1' AS row, group_concat(text) AS message, group_concat(id) AS actual, group_concat(name) AS expected FROM rows",
    "one-by-one": "SELECT v.ref AS row, h.ref || ' ' || coalesce(h.text, '') AS message, h.properties AS actual, h.type AS expected FROM rows v, rows h WHERE v.id IN ('v1', 'v4')",
    "every-row": "SELECT ref AS row, text AS message, source_refs AS actual FROM rows",
    "projects": "SELECT 'memory:v1' AS row, group_concat(id) AS message, group_concat(name) AS actual, group_concat(description) AS expected FROM projects",
    "links": "SELECT 'memory:v1' AS row, group_concat(src || dst || rel) AS message FROM links",
    "members": "SELECT 'memory:v1' AS row, group_concat(m.ref) AS message, group_concat(m.value) AS actual, group_concat(c.slot) AS expected "
               "FROM conflict_members m JOIN conflicts c ON c.id = m.conflict",
    "findings": "SELECT 'memory:v1' AS row, group_concat(ref) AS message, group_concat(kind) AS actual FROM findings",
    "ends": "SELECT ref AS row, coalesce(superseded_by, '') || graduated_to AS message FROM memories",
    "states": "SELECT 'memory:v1' AS row, group_concat(key || value) AS message FROM project_state",
    "tags": "SELECT 'memory:v1' AS row, group_concat(tags) AS message, group_concat(content) AS actual, group_concat(agent) AS expected FROM memories",
}


TABLES = {"conflict_members", "conflicts", "entities", "findings", "links", "memories", "project_state", "projects", "relations", "rows"}


class Secrets:
    """Texts like no other, by the setting that leaves each out."""

    def __init__(self):
        self.all, self.n = {}, itertools.count()

    def __call__(self, by, form="zq{:03d}vex"):
        text = form.format(next(self.n))
        self.all.setdefault(by, []).append(text)
        return text

    def number(self, by):
        return self(by, "913{:06d}")


def rows(s):
    """The visible rows; the hidden ones, whose every text is a secret; what ties the two together."""
    shown = [project("p05"), memory("The pump is blue.", id="v1", **WHEN), memory("The mass is 4 kg.", id="v2", **WHEN),
             entity("Component", {"component_name": "leg", "colour": "red"}, "leg", id="v3", **WHEN), state("mass", "5 kg", id="v4", **WHEN),
             memory("We use REST for all of it", "episodic", id="v5", scope="api", **WHEN)]
    hidden, ties = [], []

    def add(by, id, record):
        hidden.append({**record, "id": id, **WHEN})
        return id

    def fill(by, **more):
        """Rows of each layer, with texts of their own in every field that is not what leaves them out."""
        layer = {"project": "p05", **more}
        m = add(by, s(by), {**memory(f"{s(by)} is so", scope=s(by), agent=s(by), source_refs=[s(by)]), **layer})
        e = add(by, s(by), {**entity("Component", {"component_name": s(by), s(by): s(by)}, s(by), description=s(by), source_refs=[s(by)]), **layer})
        x = add(by, s(by), {**memory(f"The mass is {s.number(by)} kg.", agent=s(by)), **layer})
        y = add(by, s(by), {**memory(f"We use GraphQL {s(by)} for all of it", "episodic", scope="api"), **layer})
        ties.extend([{"kind": "link", "src": "memory:v1", "dst": "memory:" + m, "rel": s(by)},
                     {"kind": "relation", "id": s(by), "type": "AFFECTS", "project": "p05", "from": "v3", "to": e, "properties": {"note": s(by)}, **WHEN}])
        return m, e, x, y
    zulu = s("projects")
    hidden.append(project(zulu, s("projects"), name=s("projects"), description=s("projects")))
    fill("projects", project=zulu)
    add("types", s("types"), entity("Payroll", {"amount": s("types")}, s("types")))
    made = fill("types", entity_type="Payroll", memory_type="private")
    for h in hidden[-4:]:   # each has the type of its own layer only
        h.pop("entity_type" if h["kind"] == "memory" else "memory_type")
    add("statuses", s("statuses"), {**state(s("statuses"), s("statuses")), "status": "invalid"})
    fill("statuses", status="invalid")
    add("tags", s("tags"), memory(s("tags"), tags=["private", s("tags")]))
    for _ in range(6):
        add("tags", s("tags"), memory(f"The mass is {s.number('tags')} kg.", tags=["private"], agent=s("tags")))
    for i in range(6):
        hidden.append(entity("Component", {"component_name": f"arm {i}", "cost": s("properties"), "more": {"cost": [s("properties")]}}, f"arm {i}", id=f"w{i}", **WHEN))
        add("properties", s("properties"), state("cost", s("properties"), source=s("properties")))
    ties.append(memory("Old words", id="v6", status="superseded", superseded_by=made[0], **WHEN))
    return shown, hidden, ties


EXCLUDE = ("publish:\n  exclude:\n    projects: [{zulu}]\n    types: [Payroll, private]\n    statuses: [invalid]\n    tags: [private]\n    properties: [cost]\n")


def absent(secrets, where, *texts):
    for text in texts:
        low = text.lower()
        for by, all in secrets.all.items():
            for secret in all:
                assert secret not in low, (by, secret, where, low[max(0, low.find(secret) - 200):][:400])


def tip(m):
    for path in m.git("ls-tree", "-r", "--name-only", "mirror").splitlines():
        yield path, subprocess.run(["git", "-C", m.path("mirror.git"), "show", "mirror:" + path], capture_output=True).stdout.decode("utf-8", "replace")


def fetch(server, path):
    """A page as `serve` shows it, which may ask to be asked again."""
    got = []

    def there():
        try:
            with urllib.request.urlopen(f"{server.url.rstrip('/')}/{path}") as r:
                got.append(r.read().decode("utf-8", "replace"))
        except urllib.error.HTTPError as e:
            assert e.code == 503 or path.startswith("changes.") or "/changes." in path or path.endswith((".atom", "changes.jsonl")), (path, e.code)
            if e.code == 404:   # of the branch, which it does not read
                got.append("")
        return got
    wait_until(there, path)
    return got[0]


def test_what_is_left_out_stays_out(m):
    s = Secrets()
    shown, hidden, ties = rows(s)
    with judge(m, proposing("We use REST", "GraphQL", question="Is it " + s("tags") + "?")):
        for name, sql in RULES.items():
            reads = sorted(set(re.findall(r"(?:FROM|JOIN|,) (\w+)\b(?= [a-z]\b| ON|,|$)", sql)) & TABLES)
            m.write(f"rules/{name}.sql", f"-- id: {name}\n-- severity: warn\n-- reads: {', '.join(reads)}\n-- description: tells what it reads\n{sql}\n")
        m.facts(*shown, *hidden, *ties)
        m.run("judge", env=ENV)
    os.remove(m.path("mirror.yml"))
    assert sum(map(len, s.all.values())) >= 100 and min(map(len, s.all.values())) >= 20, {k: len(v) for k, v in s.all.items()}
    m.sweep()
    m.run("publish", code=None)
    m.write("mirror.yml", EXCLUDE.format(zulu=s.all["projects"][0]))
    check = m.run("check", "--format", "json", code=None).json()
    leaks = [x for x in check["results"] if x["rule"] == "leak"]
    assert check["ok"] and not leaks, leaks[:3]
    m.run("publish")
    first = m.git("rev-parse", "mirror~1").strip()
    m.run("edit", "v1", "--set", "content=The pump is green.")
    m.run("edit", hidden[1]["kind"] + ":" + hidden[1]["id"], "--set", "content=It is otherwise.")
    m.run("publish")
    # What is recorded, and what the command says, is of all rows.
    told = json.dumps(m.run("--format", "json", "findings").json())
    assert all(any(x in told for x in s.all[by]) for by in s.all), "the rules told nothing"
    n = 0
    for path, text in tip(m):
        absent(s, path, path, text)
        n += 1
    assert n > 30, n
    absent(s, "messages", m.git("log", "--format=%B", f"{first}..mirror"))
    assert " facts are left out now\n" in m.git("log", "-1", "--format=%B", "mirror~1")
    conflicts = [c for c in m.conflicts() if any(x["member_id"] == "v2" for x in c["members"])]
    page = m.git("show", f"mirror:conflicts/{conflicts[0]['id']}.md")
    assert re.search(r"\b\d+ claims? (is |are )?withheld", page), page
    with Server(m) as server:
        for path, _ in tip(m):
            if path.endswith((".html", ".json", ".jsonl", ".atom", ".svg")):
                page = re.sub(r"<form\b.*?</form>", "", fetch(server, path), flags=re.S)   # a verdict is given on the whole store
                absent(s, "serve: " + path, page)


def test_findings_that_count_rows_count_published_ones(m):
    m.run("init")
    secret = entity("Person", {}, "Zqnobody", project="dark", id="x1"), state("k", "zqvalue", project="p05", category="hidden", id="x2")
    m.facts(project("p05"), project("dark"), *secret, state("speed", "1", id="s1"), memory("The pump is blue.", project="p06", id="m1"), name="one.jsonl")
    m.facts(project("p05"), project("dark"), memory("The pump is blue.", project="p06", id="m1"), name="one.jsonl")
    m.write("mirror.yml", "publish: {exclude: {projects: [dark], types: [hidden]}}\n")
    m.run("sweep"), m.run("build")
    page = m.text("site", "findings", "README.md")
    assert "3 rows are no longer in one" in "".join(f["message"] for f in m.run("findings", "--format", "json").json()["findings"])
    assert "1 row is no longer in one" in page and "zq" not in page.lower() and "hidden" not in page, page


def said_elsewhere(s):
    """The visible rows, and the records of a second source about them: each is left out by another setting, and all that it says is a secret."""
    shown, other = [project("p05")], []

    def both(mine, theirs):
        shown.append({**mine, **WHEN})
        other.append({**mine, **WHEN, **theirs})
    zulu = s("projects")
    other.append(project(zulu, s("projects"), name=s("projects")))
    types = [s("types") for _ in range(2)]
    leaving = [("projects", lambda kind: {"project": zulu}), ("types", lambda kind: {kind: types[0]} if kind else {"tags": ["private"]}),
               ("statuses", lambda kind: {"status": "superseded"}), ("tags", lambda kind: {"tags": ["private", s("tags")]})]
    for n, (by, of) in enumerate(leaving):
        both(memory("The mass is 4 kg.", id=f"m{n}", scope=f"case {n}"), {"content": f"The mass is {s.number(by)} kg.", "agent": s(by), "source_refs": [s(by)], **of("memory_type")})
        both(memory("Seen in the yard", "episodic", id=f"n{n}"), {"content": f"Seen in {s(by)}", "slot_rule": s(by), "via": s(by), **of("memory_type")})
        if by == "tags":
            continue
        both(entity("Component", {"component_name": f"leg {n}", "mass": "4 kg"}, f"leg {n}", id=f"e{n}"),
             {"name": s(by), "description": s(by), "properties": {"component_name": s(by), "mass": s.number(by) + " kg", s(by): s(by)}, **of("entity_type")})
        both(state(f"mass {n}", "4 kg", id=f"s{n}"), {"value": s(by), "source": s(by), "key": s(by), **of("category")})
        both({"kind": "relation", "id": f"r{n}", "type": "USES", "project": "p05", "from": "e0", "to": "e0"},
             {"properties": {"note": s(by)}, "valid_from": "1871-05-02", **(of("type") if by != "types" else {"type": types[1]})})
    both(state("price", "4 kg", id="s8"), {"key": "cost", "value": s("properties")})
    both(entity("Component", {"component_name": "arm", "cost": {"now": 1}}, "arm", id="e8"), {"properties": {"component_name": "arm", "cost": s("properties"), "all": {"cost": s("properties")}}})
    exclude = ("publish:\n  exclude:\n    projects: [%s]\n    types: [%s]\n    statuses: [superseded]\n    tags: [private]\n    properties: [cost]\n" % (zulu, ", ".join(types)))
    return shown, other, exclude


def import_two(m, names, shown, other):
    m.run("init")
    for name, records in zip(names, (shown, other)):
        m.write(name, "".join(json.dumps(r) + "\n" for r in records))
        m.run("import", name)
    return m.sweep()


def test_what_a_row_said_while_it_was_left_out(m):
    """A row that is left out no more does not tell what it said before: neither its own line nor the card of a conflict."""
    m.write("mirror.yml", "publish:\n  exclude: {types: [private], statuses: [candidate]}\n")
    now = [memory("The mass is 4 kg.", "knowledge", id="o", project="p"), memory("The mass is 5 kg.", "knowledge", id="m1", project="p"),
           memory("Seen plain", "episodic", id="m2", project="p")]
    m.facts(now[0], {**now[1], "memory_type": "private", "content": "The mass is 91370137 kg."}, {**now[2], "content": "Seen zqsecret", "status": "candidate"})
    m.run("publish")
    m.facts(*now)
    m.run("publish")
    m.run("build")
    assert m.text("site", "projects/p/README.md").count("5 kg") and "Seen plain" in m.text("site", "projects/p/memories/undated.md")
    for path, data in m.site_bytes("site"):
        assert b"91370137" not in data and b"zqsecret" not in data, path
    assert "91370137" not in m.git("show", "mirror") and "zqsecret" not in m.git("show", "mirror")


def test_what_another_source_says_of_a_visible_row(m):
    """Each source's record is left out, or not, by what it says itself: whichever of the two comes first, disputed, settled, and in the past."""
    s = Secrets()
    shown, other, exclude = said_elsewhere(s)
    assert sum(map(len, s.all.values())) >= 60, {k: len(v) for k, v in s.all.items()}
    conflicts = import_two(m, ("a.jsonl", "b.jsonl"), shown, other)
    assert len(conflicts) > 12, len(conflicts)
    m.write("mirror.yml", exclude)
    check = m.run("check", "--format", "json", code=None)
    leaks = [x for x in check.json()["results"] if x["rule"] == "leak"]
    assert check.json()["ok"] and not leaks and "matches nothing" not in check.err, (leaks[:3], check.err)
    m.run("publish")

    def look(after):
        for path, text in tip(m):
            absent(s, f"{after}: {path}", path, text)
            assert "1871-05" not in text and "May 1871" not in text, (after, path)
        absent(s, after, m.git("log", "--format=%B", "mirror"))
    look("disputed")
    text = dict(tip(m))
    assert all(x in text["projects/p05/entities/component.md"] for x in ("leg 0", "leg 1", "leg 2")) and "Seen in the yard" in text["projects/p05/memories/2026.md"]
    pages = [t for p, t in text.items() if p.startswith("conflicts/c") and p.endswith(".md")]
    assert len(pages) > 12 and all("1 claim withheld" in t for t in pages), [p for p in pages if "withheld" not in p][:1]
    told = [json.loads(line) if isinstance(line, str) else line for line in json.loads(text["conflicts.json"])["conflicts"]]
    assert all(c["withheld"] == 1 and len(c["members"]) == 1 for c in told), told[0]
    for c in conflicts[::2]:
        m.run("conflicts", "dismiss", c["id"], "--reason", "both are right, " + s("reasons"))
    for c in conflicts[1::2]:
        member = c["members"][0]
        m.run("conflicts", "resolve", c["id"], "--winner", f"{member['member_kind']}:{member['member_id']}", "--from", "a.jsonl", "--notes", s("reasons"))
    m.sweep()
    m.run("publish")
    look("settled")
    other[-1] = {**other[-1], "description": s("late")}
    m.write("b.jsonl", "".join(json.dumps({**r, "content": s("late")} if r["kind"] == "memory" else r) + "\n" for r in other))
    m.run("import", "b.jsonl")
    m.sweep()
    m.run("publish")
    s.all.pop("late")   # of a record that nothing leaves out any more
    look("changed")


def test_another_source_that_comes_first(m):
    """The value that a row has is the left-out source's own; the row shows the other one's."""
    s = Secrets()
    shown, other = [project("p05")], []
    for n in range(4):
        shown.append(memory(f"Seen in the yard, {n} times", "episodic", id=f"m{n}", **WHEN))
        other.append({**shown[-1], "content": f"Seen in {s('statuses')}", "status": "superseded", "source_refs": [s("statuses")]})
        shown.append(entity("Component", {"component_name": "leg", "mass": f"{n} kg"}, f"leg {n}", id=f"e{n}", **WHEN))
        other.append({**shown[-1], "properties": {"component_name": s("statuses"), "mass": s("statuses"), "alone": s("statuses")}, "status": "superseded"})
    import_two(m, ("b.jsonl", "a.jsonl"), shown, other)
    m.write("mirror.yml", "publish:\n  exclude:\n    statuses: [superseded]\n")
    m.run("publish")
    for path, text in tip(m):
        absent(s, path, path, text)
    text = dict(tip(m))
    assert all(f"Seen in the yard, {n} times" in text["projects/p05/memories/2026.md"] and f"{n} kg" in text["projects/p05/entities/component.md"] for n in range(4))
    assert not [x for x in m.run("check", "--format", "json", code=None).json()["results"] if x["rule"] == "leak"]


def test_a_row_stands_by_its_published_source(m):
    """One source of a row is left out, by any setting and whichever name comes first: the row is there with what the other one says, and a
    claim of both is no withheld one."""
    cases = [("tags", lambda kind: {"tags": ["private"]}), ("types", lambda kind: {kind: "Secretive"}), ("statuses", lambda kind: {"status": "superseded"})]
    for names in (("a.jsonl", "b.jsonl"), ("b.jsonl", "a.jsonl")):
        s = Secrets()
        shown, other = [project("p05")], []
        for n, (by, of) in enumerate(cases):
            rows = [(memory(f"The mass of case {n} is 4 kg.", id=f"m{n}"), "memory_type"), (memory(f"Seen in yard {n}", "episodic", id=f"n{n}"), "memory_type")]
            if by != "tags":
                rows += [(entity("Component", {"component_name": f"leg {n}", "mass": f"{n}1 kg"}, f"leg {n}", id=f"e{n}"), "entity_type"), (state(f"length {n}", f"{n}2 mm", id=f"s{n}"), "category"),
                         ({"kind": "relation", "id": f"r{n}", "type": "USES", "project": "p05", "from": "e1", "to": "e1", "properties": {"note": f"plain {n}"}}, "type")]
            for row, kind in rows:
                shown.append({**row, **WHEN})
                said = {"memory": {"content": row.get("content", "") + " " + s(by)}, "entity": {"description": s(by)}, "project_state": {"source": s(by)}, "relation": {"properties": {"note": s(by)}}}[row["kind"]]
                twin = {} if row["id"].startswith("m") else said
                other.append({**row, **WHEN, **twin, **of(kind)})
        shown += [memory(f"The mass of case {n} is 5 kg.", id=f"x{n}", **WHEN) for n in range(3)]
        import_two(m, names, shown, other)
        m.write("mirror.yml", "publish:\n  exclude:\n    types: [Secretive]\n    statuses: [superseded]\n    tags: [private]\n")
        m.run("publish")
        text = dict(tip(m))
        for path, t in text.items():
            absent(s, path, path, t)
            assert "secretive" not in t.lower(), path
        data = "".join(t for p, t in text.items() if p.startswith("data/p05/"))
        missing = [r["id"] for r in shown[1:] if f'"id":"{r["id"]}"' not in data]
        assert not missing, (names, missing)
        assert all(f"Seen in yard {n}" in data for n in range(3)) and all(f"{n}1 kg" in data and f"{n}2 mm" in data and f"plain {n}" in data for n in (1, 2)), (names, data)
        told = [c for c in json.loads(text["conflicts.json"])["conflicts"] if "case" in json.dumps(c)]
        assert len(told) == 3 and all(not c.get("withheld") and len(c["members"]) == 2 for c in told), (names, told)
        assert not [x for x in m.run("check", "--format", "json", code=None).json()["results"] if x["rule"] == "leak"]
        for name in os.listdir(m.dir):
            if name not in ("site",):
                shutil.rmtree(m.path(name)) if os.path.isdir(m.path(name)) else os.unlink(m.path(name))


def test_a_claim_of_two_sources_of_which_one_is_left_out(m):
    """It is the other source's, whose agent and time it has; neither those of the left-out one, nor its words, are told."""
    s, shown, other = Secrets(), [project("p05")], []
    cases = (("The mass of case {} is 4 kg.", "", {"created_at": "1871-05-02"}), ("The mass of case {} is 4000 g.", "Seen by {}.", {}),
             ("The mass of case {} is 4 kg.", "", {"valid_from": "1871-05-02"}), ("We use REST {} for all of it", "", {"created_at": "1871-05-02"}))
    for n, (text, words, more) in enumerate(cases):
        kind = {"memory_type": "episodic", "scope": "api"} if n == 3 else {}
        shown += [{**memory(text.format(n), id=f"m{n}", agent=f"plain {n}"), **WHEN, **kind}, {**memory(f"The mass of case {n} is 5 kg." if n < 3 else "We use GraphQL 3 for all of it", id=f"x{n}"), **WHEN, **kind}]
        other.append({**shown[-2], "content": f"{text.format(n)} {words.format(s('types'))}".strip(), "memory_type": "private", "agent": s("types"), "source_refs": [s("types")], **more})
    for names in (("b.jsonl", "a.jsonl"), ("a.jsonl", "b.jsonl")):
        found = import_two(m, names, shown, other)
        assert sum("case" in c["slot_key"][1] for c in found) == 3, [c["slot_key"] for c in found]
        m.write("mirror.yml", "publish:\n  exclude:\n    types: [private]\n")
        m.run("publish")
        text = dict(tip(m))
        for path, t in text.items():
            absent(s, path, path, t)
            assert "1871-05" not in t and "May 1871" not in t, (path, t[max(0, t.find("1871-05") - 900):][:1300])
        told = {c["slot_key"][1]: c for c in json.loads(text["conflicts.json"])["conflicts"]}
        first = next(sorted(x["value"] for x in c["members"]) for k, c in told.items() if "case_0" in k)
        assert first == ["4 kg", "5 kg"], (names, first)
        for name in os.listdir(m.dir):
            shutil.rmtree(m.path(name)) if os.path.isdir(m.path(name)) else os.unlink(m.path(name))


def test_a_person_who_leaves_a_row_out(m):
    """A tag or a type that a person gave, and a verdict for it, count for the row, whatever files say."""
    m.facts(project("p05"), memory("Seen in zulu kilo one", "episodic", id="m1", **WHEN), memory("Seen in zulu kilo two", "episodic", id="m2", **WHEN),
            state("length", "zulu kilo three", id="s1", **WHEN))
    m.write("b.jsonl", json.dumps(memory("Seen in zulu kilo one", "episodic", id="m1", **WHEN)) + "\n" + json.dumps({**state("length", "zulu kilo three", id="s1", **WHEN), "category": "private"}) + "\n")
    m.run("import", "b.jsonl")
    m.run("edit", "memory:m1", "--set", 'tags=["private"]')
    m.run("edit", "memory:m2", "--set", "memory_type=private")
    m.write("mirror.yml", "publish:\n  exclude:\n    types: [private]\n    tags: [private]\n")
    for one in m.sweep():
        m.run("conflicts", "resolve", one["id"], "--winner", "project_state:s1", "--from", "b.jsonl", "--notes", "so it is")
    m.run("publish")
    for path, text in tip(m):
        assert "zulu" not in text, path


def test_what_a_person_moved_is_as_he_says(m):
    """A row that was left out by its type, and has another one since, by a person's word, is published."""
    m.facts(project("p05"), memory("Seen in the yard", "private", id="m1", **WHEN))
    m.write("mirror.yml", "publish:\n  exclude:\n    types: [private]\n")
    m.run("publish")
    assert all("in the yard" not in text for _, text in tip(m))
    m.run("edit", "memory:m1", "--set", "memory_type=episodic")
    m.run("publish")
    assert "Seen in the yard" in dict(tip(m))["projects/p05/memories/2026.md"]


def test_check_finds_what_a_left_out_source_says(m):
    """A page of somebody's own that tells it is a leak."""
    shown, other = [project("p05"), memory("Seen in the yard", "episodic", id="m1", **WHEN)], [memory("Seen in zulu kilo seven", "private", id="m1", **WHEN)]
    import_two(m, ("a.jsonl", "b.jsonl"), shown, other)
    m.write("notes/x.md", "# Notes\n\nIt was in zulu kilo seven, they say.\n")
    m.write("mirror.yml", "publish:\n  exclude:\n    types: [private]\nstatic: notes\n")
    check = m.run("check", "--format", "json", code=None).json()
    assert not [x for x in check["results"] if x["rule"] == "leak"], check["results"]
    m.write("notes/x.md", "# Notes\n\nIt was seen in zulu kilo seven, they say.\n")
    check = m.run("check", "--format", "json", code=1).json()
    assert {x["subject"] for x in check["results"] if x["rule"] == "leak"} == {"content of memory:m1"}, check["results"]


def test_what_two_published_sources_say_is_no_leak(m):
    """A left-out source says what one of two others says, which is not the one that the row has."""
    m.run("init")
    for name, mass, more in (("a", "4 kg", {}), ("b", "5 kg", {}), ("c", "5 kg", {"tags": ["private"]})):
        m.write(name, json.dumps(memory(f"The mass of the pump is {mass}. Seen in yard {name if name < 'c' else 'b'}.", id="m1", **WHEN, **more)) + "\n")
        m.run("import", name)
    m.sweep()
    m.write("mirror.yml", "publish:\n  exclude:\n    tags: [private]\n")
    m.run("build")
    assert "The mass of the pump is 5 kg. Seen in yard b." in m.text("site", "projects", "p05", "README.md")
    assert not [x for x in m.run("check", "--format", "json", code=None).json()["results"] if x["rule"] == "leak"]


def random_store(rng, s):
    """The files of one to three sources, each text of a record like no other; and the ids of rows of which a source is published."""
    names = rng.sample("abcd", rng.choice([1, 2, 2, 3, 3]))
    files = {name: [] for name in names}
    files[names[0]] += [project("p05"), project("zulu")]
    alive = []
    kinds = {"memory": "memory_type", "entity": "entity_type", "project_state": "category", "relation": "type"}
    for i in range(14):
        kind = rng.choice(list(kinds)) if i > 1 else "entity"
        said = []
        for name in rng.sample(names, rng.randint(1, len(names))):
            by = rng.choice([None, None, "types", "statuses", "projects", {"memory": "tags", "project_state": "properties"}.get(kind, "types")]) if i > 1 else None
            secret, mass = lambda: s(by or "shown"), rng.choice(["4 kg", "5 kg", "6 kg"])
            r = {"memory": lambda: memory(f"The mass of case {i} is {mass}. Seen by {secret()}." if i % 3 else f"Kim wrote {secret()} once", "knowledge" if i % 3 else "episodic", agent=secret(), scope="api"),
                 "entity": lambda: entity("Component", {"component_name": f"leg {i}", "mass": mass, "note": secret(), "cost": s("properties"), secret(): secret()}, f"leg {i}", description=secret()),
                 "project_state": lambda: state(f"mass {i}", rng.choice([mass, secret()]), source=secret()),
                 "relation": lambda: {"kind": "relation", "type": "PART_OF", "project": "p05", "from": "r0", "to": "r1", "properties": {"note": secret()}}}[kind]()
            r.update({"types": {kinds[kind]: "Secretive"}, "statuses": {"status": "superseded"}, "projects": {"project": "zulu"}, "tags": {"tags": ["private"]}, "properties": {"key": "cost"}}.get(by, {}))
            files[name].append({**r, "id": f"r{i}", **WHEN, **({"valid_from": f"2026-0{rng.randint(1, 9)}-01"} if rng.random() < .3 else {})})
            said.append(by)
        if None in said and "projects" not in said:   # another source may put it there
            alive.append(f"r{i}")
    return files, alive


def test_random_sources(m):
    """Whatever sources say, and in whatever order they come: no text of a left-out record is published, every row of a published one is, and `check` agrees."""
    for seed in range(60 if THOROUGH else 3):
        rng, s = random.Random(seed), Secrets()
        files, alive = random_store(rng, s)
        s.all.pop("shown", None)
        m.run("init", "-q")
        for turn in range(2):
            for name in rng.sample(sorted(files), len(files)):
                m.write(name, "".join(json.dumps({**r, "content": r["content"] + " Again." * turn} if "content" in r else r) + "\n" for r in files[name]))
                m.run("import", "-q", name)
            for c in m.sweep()[:2 * turn]:
                m.run("conflicts", "dismiss", c["id"], "--reason", "both are right")
            m.write("mirror.yml", "publish:\n  exclude: {projects: [zulu], types: [Secretive], statuses: [superseded], tags: [private], properties: [cost]}\n")
            m.run("publish", "-q")
            text = dict(tip(m))
            for path, t in text.items():
                absent(s, f"{seed}: {path}", path, t)
            absent(s, seed, m.git("log", "--format=%B", "mirror"))
            data = "".join(t for p, t in text.items() if p.startswith("data/"))
            assert all(f'"id":"{i}"' in data for i in alive), (seed, turn, [i for i in alive if f'"id":"{i}"' not in data])
            assert not [x for x in m.run("check", "--format", "json", code=None).json()["results"] if x["rule"] == "leak"], (seed, turn)
        for name in os.listdir(m.dir):
            shutil.rmtree(m.path(name)) if os.path.isdir(m.path(name)) else os.unlink(m.path(name))


def test_a_rule_is_shown_what_is_published(m):
    """A rule finds in the published rows what it finds there, also what it does not find in all; a finding of the program needs all its rows."""
    m.write("rules/alone.sql", "-- id: alone\n-- severity: warn\n-- reads: entities\n-- description: no other of its kind\n"
            "SELECT e.ref AS row, 'it is the only one' AS message FROM entities e WHERE (SELECT count(*) FROM entities) = 1\n")
    m.facts(project("p05"), entity("Component", {"component_name": "leg"}, "leg", id="e1"), entity("Payroll", {"amount": "5"}, "kim", id="e2"),
            {"kind": "relation", "id": "r1", "type": "REQUIRES", "project": "p05", "from": "e1", "to": "nowhere"})
    m.sweep()
    m.run("build")
    assert "it is the only one" not in m.text("site", "findings.md") if os.path.exists(m.path("site", "findings.md")) else True
    m.write("mirror.yml", "publish:\n  exclude:\n    types: [Payroll]\n")
    m.run("build")
    site = "\n".join(d.decode("utf-8", "replace") for p, d in m.site_bytes("site") if p.endswith(".md"))
    assert "it is the only one" in site and "nowhere" in site, site[:500]
    assert "alone" not in json.dumps(m.run("--format", "json", "findings").json())


if __name__ == "__main__":
    main(globals())
