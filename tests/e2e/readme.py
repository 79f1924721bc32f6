"""What the README shows is what happens: its lines run in an empty folder, its output is real."""
from harness import *  # noqa: F403


def blocks(text, heading):
    """The fenced blocks under a heading."""
    part = text.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return re.findall(r"^```[a-z]*\n(.*?)^```$", part, re.M | re.S)


def shown(out):
    """Without what differs from day to day: times and ids of commits."""
    out = re.sub(r"\d{4}-\d\d-\d\d(T[\d:.]+Z)?", "TIME", out)
    return re.sub(r"\b([0-9a-f]{12}|[0-9a-f]{7})\b", "COMMIT", out)


def shell(m, line, folder=""):
    env = {**m.env, "PATH": os.path.dirname(HMIRROR) + ":" + m.env["PATH"], "USER": "kim"}
    p = subprocess.run(["sh", "-e", "-c", line], cwd=m.path(folder), env=env, capture_output=True, text=True, timeout=HANGS)
    assert p.returncode == 0, f"{line}: exit {p.returncode}\n{p.stdout}\n{p.stderr}"
    return p.stdout


def test_the_readme_is_true(m):
    text = open(os.path.join(TOP, "README.md")).read()
    assert len(text.splitlines()) <= 202
    five, = blocks(text, "Your own facts, in five lines")
    assert len(five.splitlines()) == 5, five
    shell(m, five)
    assert os.path.exists(m.path("polisher", "site", "index.html"))
    told = [b for h in ("Settle a conflict", "Publish") for b in blocks(text, h)]
    steps = [s.split("\n", 1) for b in told for s in re.split(r"^\$ ", b, flags=re.M)[1:]]
    assert len(steps) >= 6, steps
    for command, out in steps:
        got = shell(m, command, "polisher")
        assert shown(got) == shown(out), f"{command}\n--- README\n{out}--- is\n{got}"


def test_the_check_of_notes_is_what_happens(m):
    told, = blocks(open(os.path.join(TOP, "README.md")).read(), "Your notes, in one line")
    command, out = told[2:].split("\n", 1)
    m.write("CLAUDE.md", "# Guide\n\n- Use npm as the package manager.\n- Node.js 18+\n")
    m.write("AGENTS.md", "# Agents\n\n- Use pnpm as the package manager.\n")
    m.write("docs/setup.md", "# Setup\n\nRequires Node.js 20 or higher.\n")
    got = m.run(*command.split()[1:], code=1).out
    assert re.sub(r"\[c\w+\]", "[ID]", got) == re.sub(r"\[c\w+\]", "[ID]", out), got


def links(path):
    return re.findall(r"\]\(([^)#:]+)\)", open(path).read())


def test_links_of_the_readmes_lead_somewhere(m):
    for path in ("README.md", "core/README.md", "gen/README.md", "tests/bench/README.md", "site-example/README.md"):
        for link in links(os.path.join(TOP, path)):
            assert os.path.exists(os.path.join(TOP, os.path.dirname(path), link)), f"{path}: {link}"


def test_configuration_of_the_manual_is_read(m):
    """The examples in hmirror-config(5) are valid."""
    text = open(os.path.join(TOP, "gen", "cli", "hmirror-config.5")).read()
    found = re.findall(r"^\.Bd -literal[^\n]*\n(.*?)^\.Ed$", text, re.M | re.S)
    severities = [b for b in found if "severity:" in b and not b.startswith("--")]
    rules = [b for b in found if b.startswith("--")]
    colours, = [b for b in found if b.startswith("colours:")]
    map_of_rows, = [b for b in found if b.startswith("store.map:")]
    found = [b for b in found if b not in severities + rules + [colours, map_of_rows]]
    assert (len(found), len(rules)) == (6, 1), found
    m.write("mirror.yml", severities[0])
    m.facts({"kind": "project", "id": "p"})
    assert not m.run("sweep").err
    m.write("mirror.yml", found[0])
    m.run("sweep")
    db = sqlite3.connect(m.path("notes.db"))
    db.executescript("CREATE TABLE entities(id, name); CREATE TABLE notes(body, kind, added, state);"
                     "INSERT INTO notes VALUES('mass is 4 kg', 'knowledge', 1712345578000, 'open'), ('mass is 5 kg', 'knowledge', 1712345578000, 'deleted')")
    db.close()
    for extra in severities:
        m.write("mirror.yml", extra)
        assert m.run("sweep").err == ""
    m.write("mirror.yml", colours)
    m.run("build")
    assert m.text("site", "assets", "colours.css")
    m.write("rows.map.yml", map_of_rows)
    m.write("rows.jsonl", '{"id": "a", "note": "The mass is 4 kg."}\n')
    assert "1 added" in m.run("import", "--map", "rows.map.yml", "rows.jsonl").out
    for rule in rules:
        m.write("rule.sql", rule)
        m.run("rules", "test", "rule.sql")
    sources, other_store, *more_settings, world = found[1:]
    m.write("mirror.yml", other_store)
    assert "2 rows, 1 claim" in m.run("sweep").out
    for more in (sources, *more_settings):
        m.write("mirror.yml", more)
        m.run("sweep")
    m.write("world.yml", world)
    m.run("sweep")
    m.write("world.yml", world.replace("era: 2nd_age", "age: 2nd_age"))
    assert "world.yml" in m.run("sweep", code=2).err


def test_records_of_the_manual_are_imported(m):
    """The examples in hmirror-facts(5) are valid."""
    text = open(os.path.join(TOP, "gen", "cli", "hmirror-facts.5")).read()
    shown = re.findall(r"^\.Bd -literal[^\n]*\n(.*?)^\.Ed$", text, re.M | re.S)
    facts, verdict = (re.sub(r"\n ", " ", b) for b in shown if b.startswith('{"kind":'))
    m.write("facts.jsonl", facts)
    assert "6 added" in m.run("import", "facts.jsonl").out
    m.run("sweep")
    ours, = m.run("--format", "json", "conflicts", "list").json()["conflicts"]
    theirs = json.loads(verdict)
    m.write("verdict.jsonl", json.dumps({**theirs, "id": ours["id"]}))
    m.run("import", "verdict.jsonl")
    settled, = m.run("--format", "json", "conflicts", "list", "--status", "resolved").json()["conflicts"]
    assert settled["resolution"] == theirs["resolution"], settled


if __name__ == "__main__":
    main(globals())
