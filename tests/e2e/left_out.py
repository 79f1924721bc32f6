#!/usr/bin/env python3
"""What publish.exclude leaves out stays out: a hundred texts, twenty by each of its settings, with rules in SQL that tell all that they can
read, findings, links, conflicts and a judge. None is in the tip, in what `serve` shows, or in the message of a commit made since."""
import itertools
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
