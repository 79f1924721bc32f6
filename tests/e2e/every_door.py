#!/usr/bin/env python3
"""Every file of a site and every door's answer: nowhere does an old source, author or day stand beside a new value, nor a new
one beside an old. Each row has words of its own: its value, source, author and year before a change, and after it."""
import functools
import html

from harness import *
from mcp_kit import Agent, answer_of
from server import Server


class Row:
    """A row whose value changes; n tells it from the others. Its words: old7 new7 of it, was7 writer7 1907 and is7 author7 2007."""

    def __init__(self, n, kind, id, make, change, value=("old{}", "new{}")):
        self.n, self.kind, self.id, self.make, self.change = n, kind, id, make, change
        self.value = [v.format(n) for v in value]

    def record(self, new, dated=True):
        year = f"{1900 + self.n}-05-06T07:08:09Z"
        r = self.make(self.value[new], f"{('was', 'is')[new]}{self.n} page", f"{('writer', 'author')[new]}{self.n}")
        r = {"kind": self.kind, "id": self.id, "project": "mill", "created_at": year, **r}
        return {**r, "updated_at": f"{2000 + self.n}-05-06T07:08:09Z"} if new and dated else r

    def words(self, new):
        """Its value, and what goes with that: source, author, year."""
        return self.value[new], (f"{('was', 'is')[new]}{self.n}", f"{('writer', 'author')[new]}{self.n}", str((1900, 2000)[new] + self.n))

    def ref(self):
        return f"{self.kind}:{self.id}"


def state_row(n, id, key, **kw):
    return Row(n, "project_state", id, lambda v, s, a: {"category": "fact", "key": key, "value": v, "source": s, **kw}, lambda v: ["--set", f"value={v}"])


def memory_row(n, id, text, type="knowledge", value=("old{}", "new{}"), **kw):
    return Row(n, "memory", id, lambda v, s, a: {"memory_type": type, "content": text.format(v), "source_refs": [s], "agent": a, **kw},
               lambda v: ["--set", f"content={text.format(v)}"], value)


def entity_row(n, id, type, name, key, props={}, **kw):
    return Row(n, "entity", id, lambda v, s, a: {"entity_type": type, "name": name, "properties": {**props, key: v}, "source_refs": [s], **kw},
               lambda v: ["-P", f"{key}={v}"])


def relation_row(n, id, type, a, b, **kw):
    return Row(n, "relation", id, lambda v, s, _: {"type": type, "from": a, "to": b, "valid_from": v, "source_refs": [s], **kw},
               lambda v: ["--set", f"valid_from={v}"], value=("15{:02d}", "16{:02d}"))


ROWS = [
    # one place with all layers, and a candidate
    state_row(1, "width", "wheel_width"), entity_row(2, "widths", "Decision", "Wheel width", "value", {"decision_target": "wheel", "decision_field": "width"}),
    memory_row(3, "wide", "The wheel width is {}."), memory_row(4, "wider", "The wheel width is {}.", status="candidate"),
    # texts: no place, alike and denied, of a part
    memory_row(5, "talk", "We talked about {} and the noise of the wheel", "episodic"),
    memory_row(6, "must", "Millers must be trained by {} before each season"),
    memory_row(7, "mustnot", "Millers must not be trained by {} before each season", value=("old6", "new6")),
    # a part of a subsystem, with a place of its own and one that nobody else fills
    entity_row(8, "gate", "Component", "Sluice gate", "finish", {"subsystem_name": "race"}), state_row(9, "finish", "sluice_gate_finish"),
    entity_row(10, "race", "Subsystem", "Race", "purpose", {"subsystem_name": "race"}),
    entity_row(11, "req", "Requirement", "Flow", "text"),
    # people and places in time
    entity_row(12, "ann", "Person", "Ann", "trade"), entity_row(13, "hall", "Location", "Hall", "roof"),
    relation_row(14, "r1", "RULES", "entity:ann", "entity:hall"), relation_row(15, "r2", "RULES", "entity:ben", "entity:hall"),
    relation_row(16, "r3", "MENTORS", "entity:ann", "entity:ben"),
    # periods
    state_row(17, "owner1", "mill_owner", valid_from="2001-01-01", valid_until="2011-01-01"), state_row(18, "owner2", "mill_owner", valid_from="2006-01-01"),
    # settled, and history
    state_row(19, "depth", "pond_depth"), memory_row(20, "deep", "The pond depth is {}."),
    memory_row(21, "early", "The roof colour is {}.", valid_from="2001-01-01"),
]
FIXED = [project("mill", name="Mill"),
         {"kind": "entity", "id": "ben", "entity_type": "Person", "project": "mill", "name": "Ben"},
         {"kind": "relation", "id": "aff", "type": "AFFECTS", "project": "mill", "from": "entity:widths", "to": "entity:gate"},
         {"kind": "relation", "id": "req1", "type": "SATISFIES", "project": "mill", "from": "entity:gate", "to": "entity:req"},
         {"kind": "link", "src": "memory:talk", "dst": "entity:gate", "rel": "related"}]


def put(m, name, records):
    m.write(name, "".join(json.dumps(r) + "\n" for r in records))
    return m.run("import", name, code=None)


def at_the_source(m):
    put(m, "mill.jsonl", FIXED + [r.record(True) for r in ROWS])


def at_the_source_without_a_date(m):
    put(m, "mill.jsonl", FIXED + [r.record(True, dated=False) for r in ROWS])


def in_each_way(m):
    put(m, "mill.jsonl", FIXED + [r.record(r.n % 4 < 2, dated=r.n % 4 == 0) for r in ROWS])
    for r in ROWS:
        if r.n % 4 >= 2:
            m.run("edit", r.ref(), *r.change(r.value[1]), *["--source", f"is{r.n} page"] * (r.n % 4 == 2), "--by", f"author{r.n}", code=None)


def by_a_person(m):
    for r in ROWS:
        m.run("edit", r.ref(), *r.change(r.value[1]), "--by", f"author{r.n}", code=None)


def by_a_person_who_names_a_source(m):
    for r in ROWS:
        m.run("edit", r.ref(), *r.change(r.value[1]), "--source", f"is{r.n} page", "--by", f"author{r.n}", code=None)


def mill(m, change):
    m.run("init")
    m.write("mirror.yml", m.text("mirror.yml") + "\nbase_url: https://mirror.example/\n")
    put(m, "mill.jsonl", FIXED + [r.record(False) for r in ROWS])
    m.run("sweep", code=None)
    settle(m, "pond_depth", "--winner", "project_state:depth", "--notes", "measured")
    m.run("publish", code=None)
    change(m)
    m.run("sweep", code=None)
    m.run("publish", code=None), m.run("build", code=None)


def settle(m, key, *how):
    c, = [c for c in m.conflicts() if c["slot_key"][-1] == key]
    m.run("conflicts", "resolve", c["id"], *how, "--by", "kim")


# --- what is untrue ------------------------------------------------------------------------------
PAST = re.compile(r"(the begin |the end )?was (?!given)[^|;]*? until \d[\w: -]*?( \(was\d+ page\)|(?=\))|$)|(source|agent) changed: .*")


@functools.lru_cache(None)
def words_of(text):
    return frozenset(re.findall(r"\w+", text))


def has(text, word):
    return word in words_of(text)


def rows_in(text):
    return [r for r in ROWS if not words_of(text).isdisjoint(r.value)]


def without_past(text, row):
    text = PAST.sub("", text)
    if row.kind in ("relation", "entity"):   # who gave another field of it is named after who changed this one
        text = re.sub(rf"(author{row.n}|is{row.n} page)\W+was{row.n} page", r"\1", text)
    return text


def lies_of(text, row):
    """What one line or object says of a row that is not true; what the value was, with its source, may stand beside it."""
    rest = without_past(text, row)
    for mine, other in ((1, 0), (0, 1)):
        value, _ = row.words(mine)
        others, false = row.words(other)
        if has(rest, value) and not has(text, others):
            return [x for x in false if has(rest, x) and not (mine and x == false[2] and is_id_or_path(rest, x))]
    return []


def is_id_or_path(text, year):
    """A memory keeps its page, which has the year of its first date as a name; a row was created when it was."""
    text = re.sub(rf"(Memories of |memories/|\[){year}(?=\.|[)#\]\n]|$)", "", text)
    return not has(text, year)


def lies(lines):
    return [(r.n, x, line[:300]) for line in lines for r in rows_in(line) for x in lies_of(line, r)]


def lines_of_page(text):
    """Lines of Markdown; each of a list below a value with the value."""
    out, value, head = [], "", ""
    for line in text.splitlines():
        if line.startswith("#"):
            head, value = line, ""
        elif line.startswith("- "):
            value = line
        elif not line.startswith(" "):
            value = ""
        out.append(line if line == value or not value else value + " " + line.strip())
    return out


def lines_of_html(text):
    """Text by block, and what attributes tell."""
    attributes = re.findall(r' (?:title|alt|aria-label|content)="([^"]*)"', text)
    text = re.sub(r"<(script|style)\b.*?</\1>", "", text, flags=re.S)
    text = re.sub(r"</?(p|li|ul|ol|tr|table|h\d|div|section|entry|item|text|g|details|summary|pre|main|title)\b[^>]*>", "\n", text)
    return [html.unescape(re.sub(r"<[^>]*>", " ", x)) for x in text.split("\n")] + [html.unescape(x) for x in attributes]


def objects(v):
    """Each object that has a value of a row, with its own texts and those of objects in it that have none."""
    found = []

    def walk(v, key=""):
        texts, apart = [], []
        for k, x in v.items() if isinstance(v, dict) else enumerate(v):
            if isinstance(x, (dict, list)):
                below = walk(x, k)
                if k == "was":
                    continue
                (texts if isinstance(x, list) and not any(isinstance(y, (dict, list)) for y in x) else apart).append(below)
            elif k not in ("created_at", "until"):   # of the row; of a past value the day of the new one
                texts.append(f"{x}")
        own = " \x1f ".join(texts)
        for below in apart:
            if not rows_in(below):
                own += " \x1f " + below
        found.append(own)
        return own
    walk(v if isinstance(v, (dict, list)) else [v])
    return found


def lines_of(path, data):
    text = data.decode()
    if path.endswith(".jsonl"):
        return [o for x in text.splitlines() for o in objects(json.loads(x))]
    if path.endswith(".json"):
        return objects(json.loads(text))
    if path.endswith((".html", ".svg", ".xml", ".atom")):
        return lines_of_html(text)
    return lines_of_page(text)


def out_of_order(lines, starts):
    """A source, author or year that follows a value of its row to which it does not belong, below one head."""
    found, last = [], {}
    for line in lines:
        if starts(line):
            last = {}
        for r in ROWS if last else rows_in(line):
            if r.n not in last and r not in rows_in(line):
                continue
            rest = re.sub(r"today \S+$|\[[^]]*\]\([^)]*memory-deep\)", "", without_past(line, r))   # of a settled dispute: what its row has now
            for new in (0, 1):
                if has(rest, r.value[new]):
                    last[r.n] = new
            if r.n in last and not re.match(r"\s*- (Recorded|Sources):", line):
                found += [(r.n, x, line[:300]) for x in r.words(1 - last[r.n])[1] if has(rest, x) and not is_id_or_path(rest, x) and not has(rest, r.value[1 - last[r.n]])]
    return found


# --- the site -----------------------------------------------------------------------------------
# Types of pages and files, by a pattern of their paths; N: of those that show a new value.
TYPES = {
    r"README\.md N": "front", r"projects/mill/README\.md N": "overview", r"projects/mill/state\.md N": "state", r"projects/mill/decisions\.md N": "decision log",
    r"projects/mill/candidates\.md N": "candidates", r"projects/mill/relations\.md N": "relations", r"projects/mill/memories/README\.md": "memories, index",
    r"projects/mill/memories/19\d\d\.md N": "memories", r"projects/mill/entities/README\.md": "entities, index", r"projects/mill/entities/\w+\.md N": "entities",
    r"projects/mill/entities/\w+/[\w-]+\.md N": "entity", r"projects/mill/subsystems/race\.md N": "subsystem", r"projects/mill/changes\.md N": "changes, project",
    r"projects/mill/pictures/README\.md": "pictures, project", r"projects/mill/pictures/(links|supersession)\.md N": "graph", r"pictures/README\.md": "pictures",
    r"conflicts/README\.md N": "conflicts", r"conflicts/archive/2\d\d\d\.md": "archive", r"conflicts/c\w{12}\.md N": "conflict", r"findings/README\.md N": "findings",
    r"sources/README\.md N": "sources", r"changes\.md N": "changes", r"index-a-z\.md": "a to z", r"glossary\.md": "glossary", r"search\.md": "search",
    r"data/mill/(state|relations)\.jsonl N": "data", r"data/mill/(memories|entities)/\w+\.jsonl N": "data, parts", r"data/changes\.jsonl N": "data, changes",
    r"(projects/mill/)?feed\.atom N": "feed", r"conflicts\.json N": "conflicts, data", r"findings\.json N": "findings, data", r"health\.json": "health", r"search/.*\.js N": "search, data",
    r"(projects/mill|conflicts)/.*\.svg": "drawings"}


def files_of(m):
    """What `build` and `publish` made."""
    subprocess.run(f"mkdir {m.dir}/branch && git --git-dir {m.dir}/mirror.git archive mirror | tar -x -C {m.dir}/branch", shell=True, check=True)
    for top in ("site", "branch"):
        for path, data in sorted(m.site_bytes(top)):
            if not path.startswith("assets/") and path != ".gitattributes":
                yield path, data
    yield "git log.txt", m.git("log", "--format=%B", "mirror").encode()


def is_head(line):
    return line.startswith(("#", "|", "- <a id", "- **")) or not line


def check_site(m):
    seen = set()
    for path, data in files_of(m):
        lines = lines_of(path, data)
        new = any(has(x, r.value[1]) for x in lines for r in rows_in(x))
        seen |= {t for t in TYPES if re.fullmatch(t.removesuffix(" N"), path) and (new or not t.endswith(" N"))}
        found = lies(lines)
        if path.endswith(".md"):
            found += out_of_order(data.decode().splitlines(), is_head)
        assert not found, (path, found[:4])
    assert seen == set(TYPES), set(TYPES) - seen


# --- the doors ----------------------------------------------------------------------------------
# Commands by their verb; those that tell nothing of rows, or ask somebody else, with why.
COMMANDS = {
    "alike": [["alike", "{row}"]], "context": [["context", "wheel width gate noise millers trade roof pond owner", "--tokens", "4000"]],
    "review": [["review", "--limit", "100"]], "report": None,
    "list": [["list", "--status", "all"], ["list", "--status", "candidate"], ["list", "entity"], ["list", "project"]], "show": [["show", "{row}"]],
    "recall": [["recall", "wheel width gate noise millers trade roof pond owner", "--any", "-k", "100", "--include-superseded"]],
    "conflicts": [["conflicts", "list"], ["conflicts", "list", "--status", "resolved"], ["conflicts", "show", "{open}"], ["conflicts", "show", "{settled}"],
                  ["conflicts", "resolve", "{open}", "--no-action", "--notes", "x1", "--dry-run"], ["conflicts", "reopen", "{settled}", "--reason", "x1", "--dry-run"]],
    "explain": [["explain", "{open}"], ["explain", "{settled}"], ["explain", "{finding}"]], "findings": [["findings", "list"]],
    "evidence": [["evidence", "{row}"]], "impact": [["impact", "{row}"]], "neighbors": [["neighbors", "{row}"]], "subgraph": [["subgraph", "{row}"]],
    "query": [["query", x] for x in ("requirements", "decisions", "claims")], "log": [["log"], ["log", "--all"], ["log", "wheel_width"], ["log", "pond_depth"]], "diff": [["diff"]],
    "health": [["health"], ["health", "--gaps"]], "export": [["export"]], "check": [["check"]], "verify": [["verify"]], "rules": [["rules", "list"]], "sweep": [["sweep"]],
    "add": [["add", "state", "-p", "mill", "wheel_width", "999 mm", "-n"]], "edit": [["edit", "{row}", "--json", "{}", "-n"]], "promote": [["promote", "memory:wider", "-n"]],
    "supersede": [["supersede", "memory:wide", "memory:early", "--dry-run"]], "restore": [["restore", "memory:deep", "--dry-run"]],
    "redact": [["redact", "{row}", "--dry-run", "--reason", "x1"]], "graduate": [["graduate", "memory:wide", "--dry-run"]], "reflect": [["reflect", "memory:talk", "-n"]],
    "import": [["import", "--dry-run", "mill.jsonl"]], "publish": [["publish"]], "build": [["build"]],
    "init": None, "trust": None, "judge": None, "flag": None, "unflag": None, "link": None, "unlink": None, "serve": None, "mcp": None, "theme": None, "adopt": None,
    "completion": None, "help": None, "version": None}
QUERY = "/recall?k=100&any=true&query=wheel%20width%20gate%20noise%20millers%20trade%20roof%20pond%20owner"
GETS = {"/alike": ["/alike?row={row}"], "/context": ["/context?tokens=4000&task=wheel%20width%20gate%20noise%20roof%20pond%20owner"], "/pairs": ["/pairs?limit=100"], "/conflicts": ["/conflicts", "/conflicts?status=resolved"], "/conflicts/{id}": ["/conflicts/{open}", "/conflicts/{settled}"],
        "/conflicts/{id}/explain": ["/conflicts/{open}/explain", "/conflicts/{settled}/explain"], "/entities/{type}/{id}": ["{entity}"], "/memory/{id}": ["{memory}"],
        "/project/state/{id}": ["{project_state}"], "/relations/{id}": ["{relation}"], "/evidence/{row}": ["/evidence/{row}"], "/impact/{row}": ["/impact/{row}"],
        "/neighbors/{row}": ["/neighbors/{row}"], "/subgraph/{row}": ["/subgraph/{row}"], "/findings": ["/findings"], "/findings/{id}/explain": ["/findings/{finding}/explain"],
        "/health": ["/health"], "/query/{name}": ["/query/requirements"], "/projects": ["/projects"], "/recall": [QUERY], "/rows": ["/rows?status=all", "/rows?status=candidate"], "/rows/{row}": ["/rows/{row}"], "/rules": ["/rules"],
        "/sweeps/latest": ["/sweeps/latest"], "/openapi.json": ["/openapi.json"]}
TOOLS = {
    "recall": [{"query": "wheel width gate noise millers trade roof pond owner", "any": True, "k": 100}], "health": [{}], "list_conflicts": [{}, {"status": "resolved"}],
    "get_conflict": [{"id": "{open}"}, {"id": "{settled}"}], "explain_conflict": [{"id": "{open}"}, {"id": "{settled}"}], "neighbors": [{"memory_id": "{row}"}],
    "find_conflicts": [{"text": "The wheel width is 999 mm.", "type": "knowledge", "project": "mill"}, {"memory_id": "memory:wide"}], "get_contradictions": [{}], "get_anachronisms": [{}],
    "get_ontology_violations": [{}], "get_orphans": [{}], "explain_violation": [{"node_id": "{finding}"}, {"node_id": "{open}"}], "latest_run": [{}], "list_ontology_rules": [{}],
    "run_consistency_check": [{}], "remember": [{"text": "The wheel width is 999 mm.", "type": "knowledge", "project": "mill", "dry_run": True}],
    "add_entity": [{"type": "Component", "name": "Sluice gate", "project": "mill", "dry_run": True}], "link": None, "unlink": None, "flag_for_review": None,
    "edit": [{"row": "{row}", "withdraw": True, "dry_run": True}], "relate": [{"from": "mill-1", "type": "PART_OF", "to": "mill-2", "project": "mill", "dry_run": True}],
    "get": [{"row": "{row}"}, {"row": "{row}", "links": True}],
    "list": [{"kind": k, "status": "all"} for k in ("memory", "entity", "project_state", "relation")] +
            [{"kind": k} for k in ("finding", "orphan", "anachronism", "ontology_violation", "rule", "project")],
    "conflicts": [{}, {"status": "resolved"}, {"id": "{open}"}, {"id": "{settled}"}, {"id": "{finding}"}, {"id": "{open}", "explain": True}],
    "check": [{"text": "The wheel width is 999 mm.", "project": "mill"}, {"row": "memory:wide"}, {"scope": "all"}],
    "context": [{"task": "wheel width gate noise millers trade roof pond owner", "tokens": 4000}], "review_next": [{}], "report_contradiction": None, "not_a_contradiction": None}
ROW_PATH = {"memory": "/memory/{}", "project_state": "/project/state/{}", "relation": "/relations/{}"}


def filled(words, m, ids):
    """The words of a call, for each row, conflict and finding that they name."""
    text = json.dumps(words)
    path = {k: [p.format(r.id) for r in ROWS if r.kind == k] for k, p in ROW_PATH.items()}
    path["entity"] = [f"/entities/{r.make('', '', '')['entity_type']}/{r.id}" for r in ROWS if r.kind == "entity"]
    some = [r.ref() for r in ROWS if r.n in ((1, 2, 3, 6, 8, 12, 14) if THOROUGH else (1, 3, 8))]
    for name, values in {**ids, **path, "row": some}.items():
        if "{" + name + "}" in text:
            return [json.loads(text.replace("{" + name + "}", v)) for v in values]
    return [words]


def answers(m):
    """Each answer of each door: its name, and the text or what the JSON holds."""
    ids = {"open": [c["id"] for c in m.conflicts()], "settled": [c["id"] for c in m.conflicts("resolved")],
           "finding": [f["id"] for f in m.run("findings", "--format", "json").json()["findings"]]}
    verbs = re.findall(r"^  ([a-z]+)  ", m.run("--help").out.split("Options:")[0], re.M)
    assert set(verbs) == set(COMMANDS), set(verbs) ^ set(COMMANDS)
    for words in (w for calls in COMMANDS.values() for c in calls or [] for w in filled(c, m, ids)):
        out = m.run(*words, code=None).out
        yield words, json.loads(f"[{','.join(out.splitlines())}]") if out.startswith("{") else out
        if words[0] not in ("export", "build", "publish", "import", "sweep"):
            text = m.run(*words, "--format", "json", code=None).out
            yield words + ["json"], json.loads(text) if text.lstrip().startswith(("{", "[")) else text
    with Server(m) as s:
        paths = {p for p, x in s.get("/openapi.json").json()["paths"].items() if "get" in x}
        assert paths == set(GETS), paths ^ set(GETS)
        for path in (w for calls in GETS.values() for c in calls for w in filled(c, m, ids)):
            yield path, s.get(path).json()
        for id in ids["open"] + ids["settled"]:   # with the form, which a built page has not
            c = s.connect()
            c.request("GET", f"/conflicts/{id}.html")
            page = c.getresponse().read().decode()
            assert "<form" in page, page
            yield "the form of " + id, lines_of_html(page)
    with Agent(m, "--tools", "all") as a:
        tools = {t["name"] for t in a.tools()} - {"supersede", "restore"}
        assert tools == set(TOOLS), tools ^ set(TOOLS)
    with Agent(m) as a:
        for tool, calls in TOOLS.items():
            for arguments in (w for c in calls or [] for w in filled(c, m, ids)):
                page = {"next": None}
                while page.get("next", "") != "":   # each page of what was cut
                    r = a.result("tools/call", {"name": tool, "arguments": {**arguments, **({"cursor": page["next"]} if page["next"] else {})}})
                    page = {} if r["isError"] else answer_of(r)
                    yield (tool, arguments), page


def check_doors(m):
    told = set()
    for door, answer in answers(m):
        if isinstance(answer, str):
            lines = re.sub(r"\n +source: ", "; ", answer).splitlines()
            found = lies(lines) + out_of_order(lines, lambda x: not x.startswith(" "))
        else:
            lines = answer if isinstance(answer, list) and all(isinstance(x, str) for x in answer) else objects(answer)
            found = lies(lines)
        assert not found, (door, found[:4])
        if any(has(x, r.value[1]) for x in lines for r in rows_in(x)):
            told.add(door[0] if isinstance(door, (list, tuple)) else re.sub(r"/?[^/]*$", "", door) or door)
    assert {"list", "show", "recall", "conflicts", "explain", "evidence", "impact", "neighbors", "subgraph", "log", "diff", "export", "check", "promote"} <= told, told
    assert {"find_conflicts", "get_conflict", "get_contradictions", "list_conflicts"} <= told, told


def test_every_file_and_every_door(m):
    mill(m, in_each_way)
    check_site(m)
    check_doors(m)


if THOROUGH:
    def test_each_way_for_all_rows(m):
        for change in (at_the_source, at_the_source_without_a_date, by_a_person, by_a_person_who_names_a_source):
            other = Mirror()
            try:
                mill(other, change)
                check_site(other)
                check_doors(other)
            finally:
                other.close()


main(globals())
