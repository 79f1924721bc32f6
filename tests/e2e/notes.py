#!/usr/bin/env python3
"""Markdown and lists of notes: imported as rows with file and line, and checked without a store."""
import glob
import shutil
import subprocess

from harness import *

GUIDE = "# Guide\n\n- Use yarn as the package manager.\n- Ruby version: 3.3\n- Line length is 90.\n"
AGENTS = "# Rules\n\n## Tools\n\n- Use npm as the package manager.\n- Ruby 3.4 is required.\n- Line length is 90.\n"


def two(m, folder="n"):
    m.write(f"{folder}/GUIDE.md", GUIDE)
    m.write(f"{folder}/AGENTS.md", AGENTS)


def rows(m):
    return {r["content"]: r for r in map(json.loads, m.run("export").out.splitlines()) if r["kind"] == "memory"}


def sides(r):
    return {x["subject"]: [(s["path"], s["line"], s["value"]) for s in x["sides"]] for x in r["results"]}


def test_check_tells_both_lines(m):
    two(m)
    before = sorted(os.listdir(m.dir))
    r = m.run("check", "--format", "json", "n", code=1).json()
    assert sides(r) == {"package_manager": [("n/AGENTS.md", 5, "npm"), ("n/GUIDE.md", 3, "yarn")],
                        "ruby_version": [("n/AGENTS.md", 6, "3.4"), ("n/GUIDE.md", 4, "3.3")]}, sides(r)
    assert not r["ok"] and r["counts"]["files"] == 2 and r["counts"]["rows"] == 6, r["counts"]
    assert sorted(os.listdir(m.dir)) == before
    absolute = m.run("check", "--format", "json", m.path("n"), code=1).json()
    assert [x["id"] for x in absolute["results"]] == [x["id"] for x in r["results"]]
    assert absolute["results"][0]["path"] == m.path("n/AGENTS.md"), absolute["results"][0]
    m.run("check", "--fail-on", "none", "n")
    m.run("check", "n/GUIDE.md")
    m.run("check", "nowhere", code=2)
    m.run("check", "--fail-on", "new", "n", code=2)  # in no git work tree


def test_files_and_folders_of_releases_are_apart(m):
    for paths in (("install-1.x.md", "install-2.x.md"), ("setup-v1.x.md", "setup-v2.x.md"), ("docs/1.x/a.md", "docs/2.x/a.md")):
        for path, version in zip(paths, (3.3, 3.4)):
            m.write(f"n/{path}", f"# Setup\n\n- Ruby version: {version}\n")
        assert subjects(m, 0) == [], paths


def test_front_matter_claims_versions_and_ports(m):
    m.write("n/README.md", "# Kiln\n\n- Ruby 3.4 is required.\n- Admin UI port: 9191\n- Node.js 20 is required.\n")
    m.write("n/guide.md", "---\ntitle: Node 18 in practice\nruby: 3.3 (pinned)\nadmin_ui_port: 9090\n---\n\nRead it.\n")
    r = m.run("check", "--format", "json", "n", code=1).json()
    assert sides(r) == {"ruby_version": [("n/README.md", 3, "3.4"), ("n/guide.md", 3, "3.3")],
                        "admin_ui_port": [("n/README.md", 4, "9191"), ("n/guide.md", 4, "9090")]}, sides(r)
    m.write("n/README.md", "# Kiln\n")
    m.write("n/docs/gateway.md", "---\nruby: 3.3\n---\n\n# Gateway\n")
    m.write("n/docs/orders.md", "---\nruby: 3.4\n---\n\n# Orders\n")
    os.remove(m.path("n/guide.md"))
    assert subjects(m, 0) == [], "each page is about a part"



def test_every_format_tells_each_side(m):
    two(m)
    out = {f: m.run("check", "--format", f, "n", code=1).out for f in ("text", "github", "sarif", "junit")}
    assert "  n/GUIDE.md:3 says yarn: Use yarn as the package manager.\n" in out["text"], out["text"]
    assert out["text"].endswith("2 disputes; compared 6 values of 6 rows in 2 files\n"), out["text"]
    assert out["github"].count("::error ") == 4
    assert "file=n/AGENTS.md,line=5," in out["github"] and "n/GUIDE.md:3 says yarn" in out["github"]
    places = [[(p["physicalLocation"]["artifactLocation"]["uri"], p["physicalLocation"]["region"]["startLine"]) for p in x["locations"]]
              for x in json.loads(out["sarif"])["runs"][0]["results"]]
    assert places == [[("n/AGENTS.md", 5), ("n/GUIDE.md", 3)], [("n/AGENTS.md", 6), ("n/GUIDE.md", 4)]], places
    assert "n/AGENTS.md:6 says 3.4" in out["junit"]


def test_a_line_is_settled_where_it_stands(m):
    two(m)
    m.write("n/GUIDE.md", GUIDE.replace("package manager.", "package manager. <!-- hmirror: ok until June -->"))
    r = m.run("check", "--format", "json", "n", code=1).json()
    assert list(sides(r)) == ["ruby_version"], sides(r)
    assert r["settled"] == [{"path": "n/GUIDE.md", "line": 3, "reason": "until June", "against": "npm", "commit": None, "later": True}], r["settled"]
    assert "n/GUIDE.md:3 is settled there against npm and all later values: until June\n" in m.run("check", "n", code=1).out
    assert "1 conflict is dismissed, by comments in the files" in m.run("import", "n").err
    m.run("sweep")
    assert len(m.run("conflicts", "list").out.splitlines()) == 1
    quiet, = m.run("conflicts", "list", "--status", "dismissed", "--format", "json").json()["conflicts"]
    assert "dismissed" not in m.run("import", "n").err
    m.write("n/MORE.md", "- Use pnpm as the package manager.\n")
    assert "dismissed" not in m.run("import", "n").err, "a new value opens again"
    m.run("sweep")
    assert "package_manager" in m.run("conflicts", "list").out
    m.write("n/GUIDE.md", GUIDE.replace("package manager.", "package manager. <!-- hmirror: ok three products -->"))
    m.write("n/MORE.md", "")
    m.write("n/AGENTS.md", AGENTS.replace("npm", "pnpm"))
    assert "1 conflict is dismissed" in m.run("import", "--complete", "n").err


def test_a_line_is_settled_against_named_values(m):
    two(m)
    m.write("n/GUIDE.md", GUIDE.replace("package manager.", "package manager. <!-- hmirror: ok against npm, bun: two products -->"))
    assert list(sides(m.run("check", "--format", "json", "n", code=1).json())) == ["ruby_version"]
    m.write("n/AGENTS.md", AGENTS.replace("npm", "pnpm"))
    assert list(sides(m.run("check", "--format", "json", "n", code=1).json())) == ["package_manager", "ruby_version"]
    m.write("n/MORE.md", "- Use npm as the package manager.\n")
    m.write("n/AGENTS.md", AGENTS)
    m.write("n/LAST.md", "- Use pnpm as the package manager.\n")
    assert "package_manager" in sides(m.run("check", "--format", "json", "n", code=1).json()), "others contradict each other"


def test_a_verdict_file_settles_in_a_check(m):
    two(m)
    m.run("import", "n")
    m.run("sweep")
    for line in m.run("conflicts", "list").out.splitlines():
        if "ruby" in line:
            m.run("conflicts", "dismiss", line.split()[0], "--by", "kim", "--reason", "two products")
        else:
            m.run("conflicts", "resolve", line.split()[0], "--by", "kim", "--notes", "x", "--winner",
                  "memory:" + rows(m)["Use npm as the package manager."]["id"])
    m.run("export", "--verdicts", "-o", m.path("verdicts.jsonl"))
    r = m.run("check", "--format", "json", "n", "verdicts.jsonl").json()
    assert r["results"] == [] and r["counts"]["settled_by_verdicts"] == 2 and r["counts"]["files"] == 2, r["counts"]
    m.write("n/MORE.md", "- Ruby 3.1 is required.\n")
    r = m.run("check", "--format", "json", "n", "verdicts.jsonl", code=1).json()
    assert list(sides(r)) == ["ruby_version"], sides(r)


def test_a_report_of_files_speaks_of_no_pages(m):
    """It says what to do with a line, and nothing of what only a mirror has."""
    m.write("n/a.md", "# A\n\n- Ruby 3.3\n")
    m.write("n/b.md", "# B\n\n- Ruby 3.4\n")
    junit = m.run("check", "--format", "junit", "n", code=1).out
    assert re.findall(r'<testsuite name="([^"]*)"', junit) == ["hmirror conflicts", "hmirror findings"], junit
    assert "&lt;!-- hmirror: ok REASON --&gt;" in junit and "page" not in junit and "conflicts resolve" not in junit, junit
    rules = json.loads(m.run("check", "--format", "sarif", "n", code=1).out)["runs"][0]["tool"]["driver"]["rules"]
    assert "behind the line" in rules[0]["help"]["text"] and "files" in rules[0]["shortDescription"]["text"], rules[0]
    m.write("p/package.json", "{}")
    assert m.run("check", "p").out == "0 disputes; compared 0 values of 0 rows in 0 files\n"


def test_what_is_settled_is_counted_and_listed(m):
    """In every format: comments in the files, and verdicts among them."""
    two(m)
    m.run("import", "n")
    m.run("sweep")
    ruby, = [x.split()[0] for x in m.run("conflicts", "list").out.splitlines() if "ruby" in x]
    m.run("conflicts", "dismiss", ruby, "--by", "kim", "--reason", "two products")
    m.run("export", "--verdicts", "-o", m.path("verdicts.jsonl"))
    m.write("n/GUIDE.md", GUIDE.replace("package manager.", "package manager. <!-- hmirror: ok until June -->"))
    out = {f: m.run("check", "--format", f, "n", "verdicts.jsonl").out for f in ("text", "json", "github", "sarif", "junit")}
    lines = ["n/GUIDE.md:3 is settled there against npm and all later values: until June",
             "n/AGENTS.md:6 is settled by a verdict against 3.3: two products"]
    assert out["text"].startswith("0 disputes, 1 settled by comments, 1 settled by verdicts; compared 6 "), out["text"]
    assert out["text"].splitlines()[1:] == lines, out["text"]
    r = json.loads(out["json"])
    assert (r["counts"]["settled_by_comments"], r["counts"]["settled_by_verdicts"]) == (1, 1), r["counts"]
    assert r["settled"][1] == {"path": "n/AGENTS.md", "line": 6, "reason": "two products", "against": "3.3", "commit": None, "later": False,
                               "conflict": ruby}, r["settled"]
    assert out["github"] == f"::notice title=settled::{'; '.join(lines)}\n", out["github"]
    assert json.loads(out["sarif"])["runs"][0]["properties"]["settled"] == lines, out["sarif"]
    assert all(f'<property name="settled" value="{x}"/>' in out["junit"] for x in lines), out["junit"]


def test_a_broken_config_keeps_no_file_from_a_check(m):
    two(m)
    m.write("mirror.yml", "rubbish: [")
    r = m.run("check", "n", code=1)
    assert r.out.startswith("n/AGENTS.md:5: error: ") and "mirror.yml:1: " in r.err and "mirror.yml is not used" in r.err, r.err
    m.run("check", "--config", "mirror.yml", "n", code=2)
    m.run("check", code=2)


def test_a_named_file_that_is_no_document_is_told(m):
    two(m)
    for name in ("n/README.rst", "n/README", "n/a.c"):
        m.write(name, "# X\n\n- Use pnpm as the package manager.\n")
        assert f"{name}: not read: it is not Markdown" in m.run("check", "n/GUIDE.md", name).err
        out = m.run("check", name, code=2)
        assert "no file of those that are named can be read" in out.err and not out.out, out
    assert "not read" not in m.run("check", "n", code=1).err, "a folder has others"
    m.run("import", "n")
    m.run("export", "--verdicts", "-o", m.path("verdicts.jsonl"))
    assert "no document is among the files" in m.run("check", "verdicts.jsonl", code=2).err


def test_files_for_agents(m):
    """What one imports is read with it, a copy says nothing new, and globs keep rules apart."""
    m.write("CLAUDE.md", "# Rules\n\n- Line length is 90.\n- See @docs/style.md, not `@docs/old.md`, ../x.md or a@b.md.\n- @../out.md @/etc/x.md @absent.md\n")
    m.write("docs/style.md", "# Style\n\n- Line length is 95.\n")
    m.write("docs/old.md", "- Line length is 70.\n")
    m.write("../out.md", "- Line length is 60.\n")
    r = m.run("check", "--format", "json", "CLAUDE.md", code=1).json()
    assert sides(r) == {"line_length": [("CLAUDE.md", 3, "90"), ("docs/style.md", 3, "95")]}, sides(r)
    os.symlink("old.md", m.path("docs/link.md"))
    m.write("CLAUDE.md", "- Line length is 90.\n- @docs/link.md\n")
    m.write("AGENTS.md", "- Line length is 90.\n- @docs/link.md\n")
    m.write("GEMINI.md", "- Line length is 80.\n")
    r = m.run("check", "-v", "--format", "json", "CLAUDE.md", "AGENTS.md", "GEMINI.md", code=1)
    assert sides(r.json()) == {"line_length": [("AGENTS.md", 1, "90"), ("GEMINI.md", 1, "80")]}, sides(r.json())
    assert "CLAUDE.md is a copy of a file beside it" in r.err, r.err
    m.write("r/.cursor/rules/py.mdc", "---\nglobs: *.py\nalwaysApply: false\n---\n\n- Line length is 100.\n")
    m.write("r/.cursor/rules/ts.mdc", '---\nglobs: ["src/**/*.ts", "web/**"]\n---\n\n- Line length is 80.\n')
    assert m.run("check", "--format", "json", "r").json()["results"] == []
    m.write("r/.cursor/rules/more.mdc", "---\nglobs: *.py\n---\n\n- Line length is 99.\n")
    m.run("check", "r", code=1)


def test_what_a_person_says_instead_of_a_line_goes_along_with_it(m):
    """The line is not of the past while it is there; in a renamed file the edit is about its row there."""
    m.write("n/a.md", "# A\n\n- Port: 8080\n- Owner: Kim\n")
    m.run("import", "n")
    port = rows(m)["Port: 8080"]["id"]
    m.run("edit", port, "-s", "content=Port: 9090", "--over", "--by", "ola", "--notes", "measured")
    m.run("build", "-d", "site")
    page = m.text("site", "projects", "global", "README.md")
    assert "Port: 9090 (n/a\\.md:3 says Port: 8080)" in page and "until" not in page, page
    os.rename(m.path("n/a.md"), m.path("n/b.md"))
    m.run("import", "--complete", "n")
    m.run("sweep")
    assert m.run("conflicts", "list").out.startswith("No open"), m.run("conflicts", "list").out
    r = rows(m)
    assert r["Port: 9090"]["id"] != port and r["Port: 9090"]["agent"] == "ola" and r["Port: 8080"]["superseded_by"] == r["Port: 9090"]["id"], r
    before = m.run("export").out
    m.run("import", "--complete", "n")
    assert m.run("export").out == before
    m.write("all.jsonl", before)
    m.run("--store", "copy.db", "import", "all.jsonl", "-q")
    assert m.run("--store", "copy.db", "export").out == before
    m.write("n/b.md", "# A\n\n- Port: 9090\n- Owner: Kim\n")
    m.run("import", "--complete", "n")
    m.run("sweep")
    assert m.run("conflicts", "list").out.startswith("No open")


def test_a_row_that_is_read_for_two_slots_of_one_name_changes_once(m):
    m.write("n/a.md", "# A\n\n- The api port is 8080.\n")
    m.write("n/b.md", "# B\n\n- The api port is 8081.\n")
    m.run("import", "n")
    m.run("publish")
    os.rename(m.path("n/a.md"), m.path("n/c.md"))
    m.run("import", "--complete", "n")
    m.run("publish")
    said = [line.split("  ", 2)[2] for line in m.run("log").out.splitlines()]
    assert len([x for x in said if "appeared: 8080" in x]) == 1 and len(said) == len(set(said)), said


def test_imports_and_globs_of_rules_are_no_rows(m):
    m.write("n/CLAUDE.md", "# Rules\n\n- Run it daily.\n- @docs/style.md\n\n@docs/more.md\n@docs/last.md\n\nSee @docs/style.md first.\n\n- @kiln/press\n")
    m.write("n/.cursor/rules/py.mdc", "---\ndescription: Names of pots\nglobs: *.py\nalwaysApply: false\n---\n\n- Indent with tabs.\n")
    m.write("n/docs/front.md", "---\nglobs: three\n---\n\n- Sleep.\n")
    m.run("import", "n")
    assert sorted(rows(m)) == ["@kiln/press", "Indent with tabs.", "Run it daily.", "See @docs/style.md first.", "Sleep.", "description: Names of pots", "globs: three"], sorted(rows(m))


def test_the_clock_dates_no_document(m):
    """When the program learned of a change is no date of what a document says, and moves no "now"."""
    m.write("n/a.md", "# A\n\n- Port: 80\n\n## B\n\n- Owner: Kim\n")
    m.write("n/package.json", '{ "engines": { "node": ">=20" } }\n')
    m.run("import", "n")
    m.run("publish")
    m.write("n/a.md", "# A\n\n- Port: 81\n\n## B\n\n- Owner: Kim\n")
    m.write("n/package.json", '{ "engines": { "node": ">=22" } }\n')
    m.run("import", "--complete", "n")
    os.rename(m.path("n/a.md"), m.path("n/b.md"))
    m.run("import", "--complete", "n")
    m.run("publish")
    assert rows(m)["Port: 80"]["status"] == "superseded"
    assert not [x for x in map(json.loads, m.run("export").out.splitlines()) if "superseded_at" in x]
    m.run("build", "-d", "site")
    for path in ("projects/global/memories/undated.md", "projects/global/state.md", "projects/global/README.md"):
        assert not re.search(r"\b20\d\d\b", m.text("site", *path.split("/"))), path
    assert {line.split()[0] for line in m.run("log").out.splitlines()} == {"undated"}, m.run("log").out
    m.write("n/b.md", "Updated: 2025-03-04\n\n# A\n\n- Port: 82\n")
    m.run("import", "--complete", "n")
    assert rows(m)["Port: 82"]["created_at"].startswith("2025-03-04")


def test_a_line_that_was_reworded_and_then_deleted_is_history(m):
    """No finding asks for a successor of it; but for one of a line that is still there."""
    m.write("n/a.md", "# A\n\n- Run it daily.\n\n## B\n\n- Port: 80\n")
    m.run("import", "n")
    m.write("n/a.md", "# A\n\n- Run it weekly.\n\n## B\n\n- Port: 80\n")
    m.run("import", "--complete", "n")
    os.rename(m.path("n/a.md"), m.path("n/b.md"))
    m.run("import", "--complete", "n")
    m.write("n/b.md", "# A\n\n## B\n\n- Port: 80\n")
    m.run("import", "--complete", "n")
    r = rows(m)
    assert r["Run it daily."]["status"] == "superseded" and r["Run it weekly."]["status"] == "invalid", r
    m.run("sweep")
    assert m.run("findings", "list", "--format", "json").json()["findings"] == []
    m.write("n/c.md", "# C\n\n- Port: 90\n")
    m.run("import", "n")
    port = next(x for x in map(json.loads, m.run("export").out.splitlines()) if x.get("source_refs") == ["n/b.md:5"])
    m.run("supersede", port["id"], rows(m)["Port: 90"]["id"], "--by", "kim")
    os.remove(m.path("n/c.md"))
    m.run("import", "--complete", "n")
    m.run("sweep")
    assert sorted(x["rule"] for x in m.run("findings", "list", "--format", "json").json()["findings"]) == ["engineering/successor-fell", "row/supersession"]


def test_a_file_that_becomes_a_copy_says_nothing_more(m):
    """What it said ends: the other file says it now, or nobody does. It may differ again, or be left alone."""
    one, other = "# Rules\n\n- Package manager: pnpm\n- Owner: Kim\n- Lint first.\n", "# Rules\n\n- Package manager: npm\n- Owner: Kim\n- Lint last.\n- Sleep.\n\n## Sheds\n\n- Doors are red.\n"
    said = lambda: {x["source_refs"][0] + " " + x["content"]: x for x in map(json.loads, m.run("export").out.splitlines()) if x["kind"] == "memory"}
    active = lambda: sorted(k for k, x in said().items() if x.get("status", "active") == "active")
    m.write("n/AGENTS.md", one)
    m.write("n/CLAUDE.md", other)
    m.run("import", "n")
    m.run("sweep")
    assert m.run("conflicts", "list").out.count("disputed") == 1
    m.write("n/CLAUDE.md", one)
    ones = ["n/AGENTS.md:3 Package manager: pnpm", "n/AGENTS.md:4 Owner: Kim", "n/AGENTS.md:5 Lint first."]
    r = m.run("import", "--complete", "n")
    assert active() == ones and "n/CLAUDE.md: 0 added, 0 updated, 0 unchanged (it is a copy of a file beside it)" in r.out, r.out
    r = said()
    assert r["n/CLAUDE.md:3 Package manager: npm"]["superseded_by"] == r[ones[0]]["id"] and r["n/CLAUDE.md:4 Owner: Kim"]["superseded_by"] == r[ones[1]]["id"]
    assert r["n/CLAUDE.md:10 Doors are red."]["status"] == "invalid"
    m.run("sweep")
    assert "disputed" not in m.run("conflicts", "list").out
    before = m.run("export").out
    assert "CLAUDE" not in m.run("import", "--complete", "n").out and m.run("export").out == before
    m.write("n/CLAUDE.md", one + "- Doors are red.\n")
    m.run("import", "--complete", "n")
    assert len(active()) == 7, active()
    m.write("n/CLAUDE.md", one)
    m.run("import", "--complete", m.path("n/CLAUDE.md"), m.path("n/AGENTS.md"))
    m.run("import", "--complete", "n")
    os.remove(m.path("n/AGENTS.md"))
    m.run("import", "--complete", "n")
    r = said()
    assert [k for k in active() if k.startswith("n/")] == [k.replace("AGENTS", "CLAUDE") for k in ones], active()
    assert r[ones[1]]["superseded_by"] == r["n/CLAUDE.md:4 Owner: Kim"]["id"]


def git(m, *args):
    env = dict(os.environ, GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null", GIT_AUTHOR_DATE="2026-03-02T10:00:00Z",
               GIT_COMMITTER_DATE="2026-03-02T10:00:00Z")
    return subprocess.run(["git", "-c", "user.name=Kim", "-c", "user.email=kim@example.org", *args], cwd=m.dir, env=env, check=True,
                          stdout=subprocess.PIPE, text=True).stdout.strip()


def commit(m, words):
    git(m, "add", "-A")
    git(m, "commit", "-qm", words)


def test_fail_on_new_compares_with_the_target_branch(m):
    two(m)
    git(m, "init", "-qb", "main")
    commit(m, "first")
    r = m.run("check", "--fail-on", "new", "--format", "json", "n").json()
    assert [x["new"] for x in r["results"]] == [False, False] and r["counts"]["new"] == 0, r["counts"]
    assert r["baseline"] == git(m, "rev-parse", "main")
    git(m, "checkout", "-qb", "change")
    m.write("n/MORE.md", "# More\n\n- Line length is 100.\n")
    m.write("n/GUIDE.md", "\n" + GUIDE)
    commit(m, "second")
    out = m.run("check", "--fail-on", "new", "--format", "json", "n", code=1).json()
    assert [x["subject"] for x in out["results"] if x["fails"]] == ["line_length"], out["results"]
    assert [x["new"] for x in out["results"]].count(True) == 1
    assert "3 disputes (1 new since" in m.run("check", "--fail-on", "new", "n", code=1).out
    lines = m.run("check", "--fail-on", "new", "--format", "github", "n", code=1).out.splitlines()
    errors = [x for x in lines if x.startswith("::error")]
    assert len(errors) == 1 and "file=n/MORE.md,line=3," in errors[0] and "n/AGENTS.md:7 says 90" in errors[0], errors
    m.run("check", "--fail-on", "new", "--baseline", "HEAD", "n")
    m.run("check", "--fail-on", "new", "--baseline", "nobranch", "n", code=2)
    assert git(m, "status", "--porcelain") == ""


def test_old_conflicts_and_findings_are_one_notice(m):
    two(m)
    for letter in "ab":
        m.write(f"n/adr/0001-{letter}.md", f"# 1. {letter}\n\nStatus: Accepted\n")
    git(m, "init", "-qb", "main")
    commit(m, "first")
    def github(*options, code=0):
        return m.run("check", "--format", "github", *options, "n", code=code).out.splitlines()
    assert len(github(code=1)) == 6, "without a baseline, one for each side"
    one, = github("--fail-on", "new")
    assert one.startswith("::notice file=n/AGENTS.md,line=5,title=not new::2 disputes, 1 finding on lines that are the same in"), one
    assert len(github("--fail-on", "open", "--baseline", "main", code=1)) == 5, "what fails is told"
    m.write("n/adr/0001-b.md", "# 1. B\n\nStatus: Accepted\n")
    m.write("n/GUIDE.md", GUIDE.replace("- Ruby", "* Ruby"))
    m.write("n/adr/0002-c.md", "# 2. C\n\nStatus: Accepted\n\nSupersedes ADR-0009.\n")
    got = [x.split(",title")[0] for x in github("--fail-on", "new")]
    assert got == ["::warning file=n/GUIDE.md,line=4", "::warning file=n/adr/0001-b.md,line=1", "::warning file=n/adr/0002-c.md,line=5",
                   "::notice file=n/AGENTS.md,line=5"], got


def test_what_the_target_branch_did_since_is_not_new(m):
    """It is compared with the commit from which both went on."""
    two(m)
    git(m, "init", "-qb", "main")
    commit(m, "first")
    first = git(m, "rev-parse", "HEAD")
    git(m, "checkout", "-qb", "change")
    m.write("n/MORE.md", "# More\n\nRead it.\n")
    commit(m, "another file")
    git(m, "checkout", "-q", "main")
    m.write("n/AGENTS.md", AGENTS.replace("npm", "yarn"))
    commit(m, "settled there")
    git(m, "checkout", "-q", "change")
    r = m.run("check", "--fail-on", "new", "--format", "json", "n").json()
    assert (r["baseline"], r["counts"]["new"], r["counts"]["disputed"]) == (first, 0, 2), r
    git(m, "clone", "-q", "--depth", "1", "--no-single-branch", "file://" + m.path("."), "shallow")
    # where a walk ends at a parent that is not there libgit2 loses what it gathered
    no_leaks = {"ASAN_OPTIONS": m.env.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}
    r = m.run("check", "--fail-on", "new", "--baseline", "origin/main", "--format", "json", "shallow/n", code=1, env=no_leaks).json()
    assert r["baseline"] == git(m, "rev-parse", "main"), "nobody knows that commit there"
    git(m, "merge", "-q", "main")
    r = m.run("check", "--fail-on", "new", "--format", "json", "n").json()
    assert (r["baseline"], r["counts"]["disputed"]) == (git(m, "rev-parse", "main"), 1), r


def test_sarif_stands_at_the_touched_line(m):
    """Git hosts show the first place of a result alone: the message names the others."""
    two(m)
    git(m, "init", "-qb", "main")
    commit(m, "first")
    m.write("n/GUIDE.md", GUIDE.replace("is 90", "is 100"))
    out = m.run("check", "--fail-on", "new", "--format", "sarif", "n", code=1).out
    result, = [x for x in json.loads(out)["runs"][0]["results"] if x["properties"]["new"]]
    place = lambda x: (x["physicalLocation"]["artifactLocation"]["uri"], x["physicalLocation"]["region"]["startLine"])
    assert [place(x) for x in result["locations"]] == [("n/GUIDE.md", 5)], result
    assert [(x["id"], place(x), x["message"]["text"]) for x in result["relatedLocations"]] == [(1, ("n/AGENTS.md", 7), "says 90")], result
    assert result["message"]["text"].endswith("(new). [n/AGENTS.md:7](1) says 90"), result["message"]


def test_the_commit_of_each_line_is_shown(m):
    two(m)
    git(m, "init", "-qb", "main")
    commit(m, "first")
    first = git(m, "rev-parse", "HEAD")
    m.write("n/GUIDE.md", "\n" + GUIDE.replace("Ruby version: 3.3", "Ruby version: 3.2"))
    commit(m, "second")
    second = git(m, "rev-parse", "HEAD")
    m.write("n/AGENTS.md", AGENTS.replace("npm", "pnpm") + "\n")
    m.write("n/NEW.md", "- Line length is 80.\n")
    r = m.run("check", "--format", "json", "n", code=1).json()
    got = {x["subject"]: [s["commit"] for s in x["sides"]] for x in r["results"]}
    at = [f"{x[:12]}, 2026-03-02, Kim" for x in (first, second)]
    assert got == {"package_manager": [None, at[0]], "ruby_version": [at[0], at[1]], "line_length": [at[0], at[0], None]}, got
    assert f"n/GUIDE.md:5 says 3.2: Ruby version: 3.2 ({at[1]})\n" in m.run("check", "n", code=1).out
    without = m.run("check", "--no-git", "--format", "json", "n", code=1).json()
    assert {s["commit"] for x in without["results"] for s in x["sides"]} == {None}
    assert [x["id"] for x in without["results"]] == [x["id"] for x in r["results"]]
    git(m, "clone", "-q", "--depth", "1", "file://" + m.path("."), "shallow")
    assert "2026-03-02" not in m.run("check", "shallow/n", code=1).out


def test_the_commit_of_a_line_is_on_the_pages(m):
    """It is shown, and nothing else follows from it: no row, no time, no id."""
    def import_and_build(*options):
        m.run("import", "--complete", *options, m.path("n"), cwd=m.path("mir"))
        m.run("build", cwd=m.path("mir"))
        text = {p: t.decode() for p, t in m.site_bytes("mir/site") if p.endswith(".md")}
        shown = re.findall(r"- Last changed: (.*)", "".join(text.values()))
        return {p: re.sub(r"\n *- Last changed: .*", "", t) for p, t in text.items()}, sorted(shown), m.run("export", cwd=m.path("mir")).out

    two(m)
    m.write("n/adr/0001-a.md", "# 1. One\n\nStatus: Accepted\n")
    m.write("n/adr/0002-b.md", "# 3. Two\n\nStatus: Accepted\n")
    git(m, "init", "-qb", "main")
    git(m, "add", "n")
    git(m, "commit", "-qm", "first")
    first = git(m, "rev-parse", "HEAD")[:12]
    m.run("init", "mir")
    plain, shown, exported = import_and_build()
    said = f"{first}, 2026-03-02, Kim"
    assert shown == sorted(4 * [said] + [f"n/adr/0002-b\\.md:1 in {said}"]), shown
    assert import_and_build() == (plain, shown, exported)
    git(m, "commit", "--amend", "-qm", "the same lines")
    second = git(m, "rev-parse", "HEAD")[:12]
    later = sorted(x.replace(first, second) for x in shown)
    assert import_and_build() == (plain, later, exported)
    m.write("n/AGENTS.md", "\n" + AGENTS.replace("npm", "pnpm"))
    assert len(import_and_build()[1]) == 4, "a line that is not committed has none"
    assert import_and_build("--no-git")[1] == []


def test_a_settled_line_covers_what_stood_when_it_was_written(m):
    """Without a baseline: git knows the commit that wrote it."""
    two(m)
    git(m, "init", "-qb", "main")
    commit(m, "first")
    def subjects(*options):
        return list(sides(m.run("check", "--format", "json", *options, "n", code=1).json()))
    settled = GUIDE.replace("package manager.", "package manager.\n  <!-- hmirror: ok until June -->")
    m.write("n/GUIDE.md", settled)
    assert subjects() == ["ruby_version"], "not committed, it is written now"
    commit(m, "second")
    second = git(m, "rev-parse", "HEAD")[:12]
    r = m.run("check", "--format", "json", "n", code=1).json()
    assert list(sides(r)) == ["ruby_version"], r["results"]
    assert r["settled"] == [{"path": "n/GUIDE.md", "line": 3, "reason": "until June", "against": "npm", "commit": f"{second}, 2026-03-02, Kim",
                             "later": False}], r["settled"]
    assert "is settled there against npm: until June\n" in m.run("check", "n", code=1).out
    m.write("n/AGENTS.md", "# Rules\n\nRead the guide.\n\n" + AGENTS[8:])
    git(m, "mv", "n/GUIDE.md", "n/INTRO.md")
    commit(m, "a line is moved, a file renamed")
    assert subjects() == ["ruby_version"], "the same values stand"
    m.write("n/AGENTS.md", AGENTS.replace("npm", "pnpm"))
    assert subjects() == ["package_manager", "ruby_version"], "a new value opens it again"
    commit(m, "third")
    assert subjects() == ["package_manager", "ruby_version"]
    assert subjects("--no-git") == ["ruby_version"]
    m.write("n/INTRO.md", settled.replace("until June", "two products"))
    commit(m, "settled again")
    assert subjects() == ["ruby_version"]


def test_a_reformat_of_a_settled_line_is_no_statement(m):
    """The comment covers what stood when it was written, whatever was done to the line since."""
    two(m)
    guide = GUIDE.replace("package manager.", "package manager. <!-- hmirror: ok until June -->")
    m.write("n/GUIDE.md", guide)
    git(m, "init", "-qb", "main")
    commit(m, "first")
    written = git(m, "rev-parse", "HEAD")[:12]
    def told():
        r = m.run("check", "--format", "json", "n", code=1).json()
        return sides(r).get("package_manager"), r["settled"][0]["commit"] or ""
    for text in (guide.replace("\n- ", "\n* "), guide.replace("\n", "\r\n"), guide.replace("yarn", "**yarn**")):
        m.write("n/AGENTS.md", AGENTS)
        m.write("n/GUIDE.md", guide)
        git(m, "commit", "-qam", "as it was", "--allow-empty")
        m.write("n/AGENTS.md", AGENTS.replace("npm", "pnpm"))
        commit(m, "a new value")
        m.write("n/GUIDE.md", text)
        for committed in (False, True):
            if committed:
                commit(m, "a reformat")
            assert told() == ([("n/AGENTS.md", 5, "pnpm"), ("n/GUIDE.md", 3, "yarn")], f"{written}, 2026-03-02, Kim"), (text, told())
    r = m.run("check", "--format", "json", "n", code=1).json()
    changed = [x["commit"] for x in r["results"][0]["sides"] if x["path"] == "n/GUIDE.md"]
    assert changed == [f"{git(m, 'rev-parse', 'HEAD')[:12]}, 2026-03-02, Kim"], "who last changed the line is another question"
    m.write("n/AGENTS.md", AGENTS)
    m.write("n/GUIDE.md", guide.replace("yarn", "bun"))
    for committed in (False, True):
        if committed:
            commit(m, "its own value is a new one")
        assert told()[0] == [("n/AGENTS.md", 5, "npm"), ("n/GUIDE.md", 3, "bun")], told()
    m.write("n/GUIDE.md", guide.replace("yarn", "bun").replace("until June", "until July"))
    assert told()[0] is None, "a comment that is written anew"
    m.write("n/GUIDE.md", guide + "- Use bun as the package manager. <!-- hmirror: ok until June -->\n")
    assert told()[0] is None, "another comment of the same words is a new one"


def test_a_settled_line_is_no_open_side(m):
    """Two other values contradict each other: those are the conflict, and the settled line is told as such."""
    two(m)
    m.write("n/AGENTS.md", AGENTS.replace("3.4", "3.3"))
    m.write("n/GUIDE.md", GUIDE.replace("package manager.", "package manager. <!-- hmirror: ok until June -->"))
    m.write("n/MORE.md", "- Use pnpm as the package manager.\n")
    r, = m.run("check", "--format", "json", "n", code=1).json()["results"]
    assert (r["path"], r["line"], r["detail"]) == ("n/AGENTS.md", 5, "npm | pnpm"), r
    assert [(s["path"], s["value"], s["settled"]) for s in r["sides"]] == [("n/AGENTS.md", "npm", False), ("n/MORE.md", "pnpm", False),
                                                                           ("n/GUIDE.md", "yarn", True)], r["sides"]
    out = m.run("check", "n", code=1).out
    assert "n/GUIDE.md:3 is settled there: yarn" in out and "n/GUIDE.md:3 says" not in out, out
    assert "n/GUIDE.md:3 is settled there against npm, pnpm and all later values: until June\n" in out, out
    out = m.run("check", "--format", "github", "n", code=1).out
    assert out.count("::error ") == 2 and "file=n/GUIDE.md" not in out, out
    git(m, "init", "-qb", "main")
    commit(m, "first")
    m.write("n/MORE.md", "- Use bun as the package manager.\n")
    out = m.run("check", "n", code=1).out
    assert "n/GUIDE.md:3 says yarn" in out and "n/GUIDE.md:3 is settled there against npm: until June\n" in out, out
    m.write("n/AGENTS.md", AGENTS.replace("npm", "bun").replace("3.4", "3.3"))
    out = m.run("check", "n", code=1).out
    assert "n/GUIDE.md:3 is settled there, but not against what contradicts it now: until June\n" in out, out


def test_a_finding_is_settled_where_it_stands(m):
    """As a conflict is, and for what it says when the comment is written."""
    record = "# {}. {}\n\n## Status\n\n{}\n\n## Decision\n\nWe do it.\n"
    m.write("adr/0001-a.md", record.format(1, "Kilns <!-- hmirror: ok of two teams -->", "Accepted"))
    m.write("adr/0001-b.md", record.format(1, "Glazes", "Superseded by ADR-0009 <!-- hmirror: ok in the wiki -->"))
    m.write("README.md", "# X\n\nNode.js 18 is required.\n")
    m.write("apps/web/package.json", '{ "name": "web" }')
    m.write("apps/web/README.md", "# Web\n\nNode.js 20 is required. <!-- hmirror: ok it is older -->\n")
    def told():
        r = m.run("check", "--format", "json", ".").json()
        return [x["subject"] for x in r["results"]], {s["path"]: s["against"] for s in r["settled"]}
    both = '"several records have number 0001"'
    assert told() == ([], {"adr/0001-a.md": both, "adr/0001-b.md": '"record 0001 is superseded by 9, which is not there"',
                           "apps/web/README.md": '"node_version: 20 for apps/web, 18 for the whole"'}), told()
    git(m, "init", "-qb", "main")
    commit(m, "first")
    assert told()[0] == [] and "nothing contradicts" not in m.run("check", ".").out
    m.write("adr/0001-c.md", record.format(1, "Clays", "Accepted"))
    assert told()[0] == ["several records have number 0001"], "one more is not settled"
    os.remove(m.path("adr/0001-c.md"))
    m.write("adr/0001-b.md", record.format(1, "Glazes", "Superseded by ADR-0008 <!-- hmirror: ok in the wiki -->"))
    assert told()[0] == ["record 0001 is superseded by 8, which is not there"], told()


def test_a_comment_that_settles_nothing_says_so(m):
    m.write("n/a.md", "- Package manager: npm <!-- hmirror: ok both -->\n\n<!-- hmirror: ok what? -->\n")
    out = m.run("check", "n").out
    assert "n/a.md:1 is settled there, and nothing contradicts it: both\n" in out, out
    assert "n/a.md:3 is settled there, and nothing contradicts it: what?\n" in out, out


def test_a_settled_line_of_the_target_branch_covers_its_values_only(m):
    two(m)
    m.write("n/GUIDE.md", GUIDE.replace("package manager.", "package manager. <!-- hmirror: ok until June -->"))
    git(m, "init", "-qb", "main")
    commit(m, "first")
    git(m, "checkout", "-qb", "change")
    m.write("n/AGENTS.md", AGENTS.replace("npm", "pnpm"))
    assert "package_manager" not in sides(m.run("check", "--no-git", "--format", "json", "n", code=1).json())
    r = m.run("check", "--no-git", "--fail-on", "new", "--format", "json", "n", code=1).json()
    assert [x["subject"] for x in r["results"] if x["fails"]] == ["package_manager"], r["results"]


def test_import_again_changes_nothing(m):
    two(m)
    m.run("import", "n")
    first = m.run("export").out
    assert "6 unchanged" in m.run("import", "n").out and m.run("export").out == first
    assert rows(m)["Ruby 3.4 is required."]["source_refs"] == ["n/AGENTS.md:6"]
    assert m.run("conflicts", "list").out.startswith("No open")
    m.run("sweep")
    assert len(m.run("conflicts", "list").out.splitlines()) == 2
    m.write("n/GUIDE.md", "---\ntags: [a]\n---\n\n" + GUIDE)
    m.run("import", "n/GUIDE.md")
    assert rows(m)["Ruby version: 3.3"]["source_refs"] == ["n/GUIDE.md:8"]


def test_a_reworded_line_is_superseded(m):
    two(m)
    m.run("import", "n")
    m.write("n/GUIDE.md", GUIDE.replace("Ruby version: 3.3", "Needs Ruby 3.4"))
    m.run("import", "n")
    r = rows(m)
    old, new = r["Ruby version: 3.3"], r["Needs Ruby 3.4"]
    assert old["status"] == "superseded" and old["superseded_by"] == new["id"], old
    assert new.get("status", "active") == "active"
    m.run("sweep")
    assert "ruby" not in m.run("conflicts", "list").out
    before = m.run("export").out
    m.run("import", "n")
    assert m.run("export").out == before
    m.write("n/GUIDE.md", GUIDE)
    m.run("import", "n")
    r = rows(m)
    assert r["Ruby version: 3.3"].get("status", "active") == "active" and "superseded_by" not in r["Ruby version: 3.3"]
    assert r["Needs Ruby 3.4"]["superseded_by"] == old["id"], r["Needs Ruby 3.4"]


def test_two_lines_reworded_at_once(m):
    """By their keys they are known; without keys nobody can say which is which."""
    m.write("n/a.md", "# A\n\n- Port: 80\n- Owner: Kim\n\n## B\n\n- Run it daily.\n- Ask first.\n")
    m.run("import", "n")
    m.write("n/a.md", "# A\n\n- Port: 81\n- Owner: Ola\n\n## B\n\n- Run it weekly.\n- Never ask.\n")
    m.run("import", "--complete", "n")
    r = rows(m)
    assert r["Port: 80"]["superseded_by"] == r["Port: 81"]["id"] and r["Owner: Kim"]["superseded_by"] == r["Owner: Ola"]["id"]
    assert r["Run it daily."]["status"] == r["Ask first."]["status"] == "invalid"


def test_a_line_under_another_heading_is_superseded_by_itself(m):
    m.write("n/a.md", "# A\n\n- Run it daily.\n- Ask first.\n\n## B\n\n- Sleep.\n")
    m.run("import", "n")
    m.write("n/a.md", "# A\n\n- Ask first.\n\n## B\n\n- Sleep.\n- Run it daily.\n")
    m.run("import", "n")
    r = [x for x in map(json.loads, m.run("export").out.splitlines()) if x.get("content") == "Run it daily."]
    assert sorted(x.get("status", "active") for x in r) == ["active", "superseded"], r
    assert [x["superseded_by"] for x in r if "superseded_by" in x] == [x["id"] for x in r if "superseded_by" not in x]


def test_a_renamed_file_takes_its_rows_and_verdicts_along(m):
    two(m)
    m.run("import", "n")
    m.run("sweep")
    open_ones = {line.split()[0]: line for line in m.run("conflicts", "list").out.splitlines()}
    tool = next(c for c, line in open_ones.items() if "package_manager" in line)
    ruby = next(c for c, line in open_ones.items() if "ruby" in line)
    npm = "memory:" + rows(m)["Use npm as the package manager."]["id"]
    m.run("conflicts", "resolve", tool, "--winner", npm, "--by", "kim", "--notes", "measured")
    m.run("conflicts", "dismiss", ruby, "--by", "kim", "--reason", "two products")
    os.rename(m.path("n/GUIDE.md"), m.path("n/HANDBOOK.md"))
    os.remove(m.path("n/AGENTS.md"))
    m.write("n/RULES.md", AGENTS.replace("Line length is 90", "Lines have 90 signs"))
    m.run("import", "--complete", "n")
    old = {x["source_refs"][0]: x for x in map(json.loads, m.run("export").out.splitlines()) if x["kind"] == "memory"}
    for line in (3, 4, 5):
        was, now = old[f"n/GUIDE.md:{line}"], old[f"n/HANDBOOK.md:{line}"]
        assert was["status"] == "superseded" and (line == 3 or was["superseded_by"] == now["id"]), was
    assert old["n/HANDBOOK.md:3"]["status"] == "superseded", "the verdict holds"
    assert old["n/HANDBOOK.md:4"].get("status", "active") == "active"
    assert old["n/AGENTS.md:7"]["superseded_by"] == old["n/RULES.md:7"]["id"], "reworded on the way"
    m.run("sweep")
    assert m.run("conflicts", "list").out.startswith("No open"), m.run("conflicts", "list").out
    before = m.run("export").out
    m.run("import", "--complete", "n")
    assert m.run("export").out == before


def test_parallel_sentences_of_a_file_are_no_conflict(m):
    m.write("a.md", "# Limits\n\nThe cache limit is 20 MB.\n\nThe cache limit is 30 MB.\n")
    m.write("b.md", "# More\n\nThe cache limit is 40 MB.\n")
    m.run("check", "a.md")
    m.run("check", "a.md", "b.md", code=1)


def subjects(m, code=1):
    return sorted(x["subject"] for x in m.run("check", "--format", "json", "n", code=code).json()["results"])


def test_amounts_of_other_things_do_not_meet(m):
    m.write("n/README.md", "# Lending desk\n\nA parcel goes back after 12 days.\n\nThe desk scans shelves every day.\n\n"
            "| Room | Seats |\n|-|-|\n| attic | 40 |\n| cellar | 15 |\n\nThe log is kept for 3 months.\n")
    m.write("n/docs/rules.md", "# Rules\n\nA foreign parcel goes back after 20 days.\n\nUntil last spring the desk scanned shelves every 3 hours.\n\n"
            "The cellar of the other branch has 44 seats.\n\nIn summer the desk scans shelves every 9 days.\n\n"
            "## Plans\n\nA parcel goes back after 40 days.\n\n## Staging\n\nThe log is kept for 5 days.\n")
    m.write("n/packages/annex/README.md", "# Annex\n\nThe log is kept for 7 days.\n")
    assert subjects(m, 0) == []


def test_a_rule_for_all_files_of_a_type_speaks_of_its_tools(m):
    m.write("r/docs/stack.md", "# Stack\n\n- Formatter: Black\n- Line length: 88\n")
    for globs, found in (("'**/*.py'", ["python_formatter"]), ('["src/**/*.py", "**/*.py"]', ["python_formatter"]), ("tools/**/*.py", []), ("'**/*'", ["line_length", "python_formatter"])):
        m.write("r/.cursor/rules/py.mdc", f"---\nglobs: {globs}\n---\n\n- Formatter: Ruff\n- Line length: 100\n")
        results = m.run("check", "r", "--format", "json", code=None).json()["results"]
        assert sorted(r["subject"] for r in results if r["rule"] == "disputed") == found, (globs, results)


def test_a_page_on_a_topic_speaks_of_the_whole(m):
    m.write("r/README.md", "# Kiln\n\n- Database: MySQL\n")
    for page, found in (("monorepo", ["database"]), ("engineering", ["database"]), ("glazes", [])):
        m.write(f"r/docs/{page}.md", f"# {page.title()}\n\n- Database: PostgreSQL\n")
        assert sorted(r["subject"] for r in m.run("check", "--format", "json", "r", code=None).json()["results"]) == found, page
        os.remove(m.path(f"r/docs/{page}.md"))


def test_settings_in_code_and_sentences_above_a_list_are_rows(m):
    m.write("n/a.md", "# A\n\nThe kiln takes these three glazes:\n\n- tin\n\nInstall it:\n\n```sh\nPOT_PATH=/srv/pots\n- LID_PATH=/srv/lids\nEMPTY=\n```\n\n```toml\npot_store = \"shelf\"\n```\n\n```python\npot_name = 5\n```\n")
    m.run("import", "n")
    assert sorted(rows(m)) == ["- LID_PATH=/srv/lids", "POT_PATH=/srv/pots", "The kiln takes these three glazes:", 'pot_store = "shelf"', "tin"], sorted(rows(m))


def test_one_verdict_however_the_path_is_spelled(m):
    """By ".", by its name, by an absolute path, from a folder in it: the same parts of one project."""
    files = {"README.md": "# Kiln\n\n- Node.js 20+\n\n## License\n\nMIT License\n", "CLAUDE.md": "# Rules\n\n- Use pnpm.\n",
             "glazes/README.md": "# Glazes\n\n- Node.js 18+\n\n## License\n\nApache License 2.0\n", "glazes/CLAUDE.md": "# Rules\n\n- Indent with tabs.\n",
             "lids/CLAUDE.md": "# Rules\n\n- Indent with 2 spaces.\n\n```sh\nyarn install\n```\n",
             "docs/tin-service.md": "# Tin service\n\n- Database: PostgreSQL\n- Port: 7002\n", "docs/lead-service.md": "# Lead service\n\n- Database: MongoDB\n- Port: 7001\n"}
    for name, text in files.items():
        m.write(f"a/b/{name}", text)
    found = lambda r: sorted((x["rule"], x["detail"], x["level"]) for x in r.json()["results"])
    first = found(m.run("check", "--format", "json", ".", cwd=m.path("a/b"), code=None))
    assert [x[0] for x in first] == ["other-in-part", "other-in-part"], first
    for where, words in (("a", ["b"]), ("", [m.path("a/b")]), ("a/b/docs", [".."])):
        r = m.run("check", "--format", "json", *words, cwd=m.path(where or "."), code=None)
        assert found(r) == first, (where, words, found(r))


def test_an_amount_that_prose_reads_is_told_once(m):
    m.write("n/a.md", "# A\n\nThe scan timeout is 30 s.\n")
    m.write("n/b.md", "# B\n\nThe scan timeout is 40 s.\n")
    assert subjects(m) == ["scan_timeout"]
    m.run("import", "n")
    m.run("sweep")
    assert len(m.run("conflicts", "list", "--format", "json").json()["conflicts"]) == 1


def test_a_command_is_a_row_where_its_lead_says_what_for(m):
    m.write("n/a.md", "# Pump\n\nInstall the tool with:\n\n```sh\nbrew install pumpctl\n```\n\nTo wash the filter, run\n\n```sh\npumpctl wash --all\n```\n\n"
            "Set up both:\n\n```sh\npumpctl one\npumpctl two\n```\n\nThe answer of the pump:\n\n```json\n{}\n```\n\nUsage:\n\n```sh\npumpctl help\n```\n")
    m.write("n/b.md", "# Pump\n\nInstall the tool with:\n\n```sh\ncurl https://pump.example/install | sh\n```\n")
    assert m.run("check", "n").out.startswith("0 disputes"), "several ways are no contradiction"
    m.run("import", "n")
    assert sorted(rows(m)) == ["Install the tool with: brew install pumpctl", "Install the tool with: curl https://pump.example/install | sh",
                               "The answer of the pump:", "To wash the filter, run pumpctl wash --all"], rows(m)
    assert "brew install pumpctl" in m.run("recall", "how to install the tool").out


def test_the_tool_of_a_task(m):
    m.write("n/README.md", "# Orchard\n\n## Build\n\n```\n./gradlew build\n```\n\n```\nnpm install\n```\n")
    m.write("n/AGENTS.md", "# Agents\n\n- Build with `./mvnw package`.\n- `pnpm install` gets what is needed.\n")
    assert subjects(m) == ["jvm_build_tool", "package_manager"]
    m.write("n/AGENTS.md", "# Agents\n\n- Build it (e.g., `./mvnw package`).\n")
    assert subjects(m, 0) == []
    m.write("n/AGENTS.md", "# Agents\n\n- We do not use `./mvnw package`.\n- Format with `./mvnw spotless:apply`.\n- `pnpm install` or `npm install`.\n"
            "- Add a package with `pnpm install pear`.\n")
    assert subjects(m, 0) == []


def test_a_tool_that_nobody_is_told_to_use(m):
    m.write("n/README.md", "# Orchard\n\n```\nnpm install\n```\n")
    for text, told in (("Not to be run by default:\n\n- `pnpm install`;\n- all tests.\n", False), ("Never:\n\n- `npm test`\n- `pnpm install`\n", False),
                       ("Commands:\n\n- `pnpm install`\n", True), ("- Get it: `pnpm install`\n", True), ("1. `pnpm install`\n", True)):
        m.write("n/AGENTS.md", "# Orchard agents\n\n" + text)
        assert subjects(m, 1 if told else 0) == (["package_manager"] if told else []), text


def test_what_a_check_tells_an_import_tells(m):
    """A sentence of which all that is known are its words is of its own page, and so is what is said of staging."""
    m.write("n/README.md", "# Orchard\n\nAn idle room is closed after 20 minutes.\n\nLogs are kept for 14 days.\n\n## Staging\n\nMails are kept for 3 days.\n")
    for kept, found in ((30, ["log_retention"]), (14, [])):
        m.write("n/docs/work.md", f"# Work\n\nAn idle room is closed after 30 minutes.\n\nLogs are kept for {kept} days.\n\n## Production\n\nMails are kept for 4 days.\n")
        assert subjects(m, 1 if found else 0) == found
        m.run("init", "s")
        m.run("-C", "s", "import", m.path("n"))
        m.run("-C", "s", "sweep")
        assert len(m.run("-C", "s", "conflicts", "list", "--format", "json").json()["conflicts"]) == len(found)
        shutil.rmtree(m.path("s"))


def test_ports_in_words_tables_and_compose_files(m):
    m.write("n/README.md", "# Orchard\n\n| Folder | What | Port in development |\n|-|-|-|\n| `packages/picker` | picks | 4300 |\n| `scales` | weighs | 4400 |\n\n"
            "The press shop is at <http://localhost:4500>.\n")
    m.write("n/packages/picker/README.md", "# Picker\n\nListens on port 4301.\n")
    m.write("n/compose.yaml", "services:\n  scales:\n    image: example/scales:1\n    ports:\n      - \"4401:80\"\n  press-shop:\n    ports:\n      - \"4501:80\"\n      - \"4502:81\"\n")
    found = sides(m.run("check", "--format", "json", "n", code=1).json())
    assert found == {"picker_port": [("n/README.md", 5, "4300"), ("n/packages/picker/README.md", 3, "4301")],
                     "scales_port": [("n/README.md", 6, "4400"), ("n/compose.yaml", 5, "4401")]}, found


def test_a_fence_shows_ports_and_counts(m):
    m.write("n/README.md", "# Orchard\n\n```yaml\nservices:\n  scales:\n    image: orchard/scales\n    ports:\n      - \"4000:80\"\n"
            "  press:\n    ports:\n      - 5000:80\n      - 5001:81\n```\n\n```\norchard/\n├── docs/adr/  # 12 ADRs\n└── src/\n```\n")
    m.write("n/docs/run.md", "# Running\n\n| Service | Port |\n|-|-|\n| scales | 4100 |\n| press | 5100 |\n\nThere are 14 ADRs in docs/adr.\n")
    found = sides(m.run("check", "--format", "json", "n", code=1).json())
    assert found == {"scales_port": [("n/README.md", 8, "4000"), ("n/docs/run.md", 5, "4100")],
                     "decision_records": [("n/README.md", 17, "12"), ("n/docs/run.md", 8, "14")]}, found
    m.write("n/README.md", "# Orchard\n\n" + "".join(f"```yaml\nservices:\n  scales:\n    ports:\n      - \"{port}:80\"\n```\n\n" for port in (4000, 4200)))
    assert sides(m.run("check", "--format", "json", "n").json()) == {}, "of two files"


def test_what_stands_beside_the_documents(m):
    m.write("n/README.md", "# Orchard\n\nThe store is PostgreSQL 14.\n\n| Key | Default |\n|-|-|\n| `sortOrder` | `ripe` |\n")
    m.write("n/docker-compose.yml", "services:\n  db:\n    image: postgres:16-alpine\n")
    m.write("n/docs/use.md", "# Use\n\nSet `sortOrder` to `raw` for pears.\n")
    found = sides(m.run("check", "--format", "json", "n", code=1).json())
    assert {k: [v[2] for v in x] for k, x in found.items()} == {"postgres_version": ["14", "16"]}, found
    m.write("n/docker-compose.yml", "services:\n  db:\n    image: postgres:16-alpine\n  log:\n    image: postgres:17\n")
    assert sides(m.run("check", "--format", "json", "n").json()) == {}, "nobody knows which of the two the document means"


def test_a_folder_at_the_top_has_a_stack_of_its_own(m):
    m.write("n/README.md", "# Orchard\n\n- Database: PostgreSQL\n- Number of services: 7\n")
    for path, told in (("analytics/README.md", []), ("docs/analytics.md", []), ("docs/stack.md", ["database", "services"]), ("STACK.md", ["database", "services"])):
        m.write(f"n/{path}", "# What we have\n\n- Database: ClickHouse\n- Number of services: 3\n")
        found = m.run("check", "--format", "json", ".", code=None, cwd=m.path("n")).json()["results"]
        assert [x["subject"] for x in found if x["rule"] == "disputed"] == told, path
        os.remove(m.path(f"n/{path}"))


def test_a_command_is_of_the_folder_in_which_it_is_run(m):
    m.write("n/package.json", "{\"name\": \"orchard\"}\n")
    m.write("n/web/package.json", "{\"name\": \"web\"}\n")
    m.write("n/web/README.md", "# Web\n\n```\nbun install\n```\n")
    m.write("n/AGENTS.md", "# Agents\n\n```\npnpm install\n```\n")
    for block, told in (("cd web\nnpm install", ["web_package_manager"]), ("cd web && npm install", ["web_package_manager"]),
                        ("$ cd web\n$ npm install", ["web_package_manager"]), ("cd web\nnpm test\ncd ..\nnpm install", ["package_manager"]),
                        ("(cd web && make)\nnpm install", ["package_manager"]), ("git clone https://x.test/n\ncd n\nnpm install", ["package_manager"])):
        m.write("n/README.md", f"# Orchard\n\n```\n{block}\n```\n")
        found = m.run("check", "--format", "json", "n", code=1).json()["results"]
        assert [x["subject"] for x in found if x["rule"] == "disputed"] == told, block


def test_amounts_in_cells_meet(m):
    """A number of a series, "2-rules.md", speaks of its own; so does another row, another column."""
    row = "# Rules\n\n| What | Wait |\n|-|-|\n| Unclaimed parcel | {} |\n"
    m.write("n/README.md", row.format("12 days"))
    m.write("n/docs/rules.md", row.format("2 weeks"))
    assert sides(m.run("check", "--format", "json", "n", code=1).json()) == {
        "wait_unclaimed_parcel_duration": [("n/README.md", 5, "12 days"), ("n/docs/rules.md", 5, "2 weeks")]}
    m.run("init", "--from", "n")
    assert "unclaim wait duration (words) = 12 days" in m.run("export").out, m.run("export").out
    for text in (row.format("12 days"), row.format("2 weeks").replace("Unclaimed", "Claimed"), row.format("2 weeks").replace("Wait", "Way")):
        m.write("n/docs/rules.md", text)
        assert sides(m.run("check", "--format", "json", "n").json()) == {}, text
    for name, told in (("i18n", True), ("oauth2", True), ("2-rules", False), ("phase-2", False), ("RULE-012-parcels/rule", False)):
        m.write(f"n/docs/{name}.md", row.format("2 weeks"))
        assert bool(sides(m.run("check", "--format", "json", "n", code=None).json())) == told, name
        os.remove(m.path(f"n/docs/{name}.md"))

def test_what_a_path_keeps_apart(m):
    """Files of versions are a matrix; what a folder of a component says under a heading is said of that component."""
    m.write("n/docs/v3.md", "# Guide\n\nRequires Ruby 3.1 or later.\n\n- Queue size: 100 MB\n")
    m.write("n/docs/v4.md", "# Guide\n\nRequires Ruby 3.4 or later.\n\n- Queue size: 300 MB\n")
    for language, seconds in (("perl", 4), ("ruby", 9)):
        m.write(f"n/client/{language}/README.md", f"# Client\n\n## Retries\n\n- Read timeout: {seconds} seconds\n")
    assert m.run("check", "--format", "json", "n").json()["results"] == []
    m.write("n/docs/v4-start.md", "# Start\n\n- Ruby version: 3.2.\n")
    assert [x["subject"] for x in m.run("check", "--format", "json", "n", code=1).json()["results"]], "of one version both are compared"


def test_roles_places_and_versions_stay_apart(m):
    """Each pair says two values of one thing; nothing but where they stand keeps them apart."""
    said = "- Ruby 3.{0}\n- Opening hours: {1}:00 to 17:00\n\nA request ends after {1} seconds.\n"
    pairs = [("a.md: # Kilns", "b.md: # Glazes", True), ("a.md: # K/## For users", "b.md: # K/## Setup", False),
             ("a.md: # K/## User guide", "b.md: # K/## For developers", False), ("a.md: # K/## User sessions", "b.md: # K/## Setup", True),
             ("users/a.md: # K", "developers/a.md: # K", False), ("offices/bonn.md: # K", "offices/jena.md: # K", False),
             ("a.md: # K/## Offices/### Bonn", "b.md: # K/## Offices/### Jena", False), ("docs/ruby3.1.md: # K", "docs/ruby3.2.md: # K", False),
             ("docs/install-node18.md: # K", "docs/install-node20.md: # K", False), ("docs/1.4-kilns.md: # K", "docs/1.5-glazes.md: # K", True),
             ("frontend/a.md: # K", "backend/a.md: # K", False), ("a.md: # K/## API v1", "b.md: # K/## API v2", False),
             ("a.md: # K/## Development environment", "b.md: # K/## Production environment", False),
             ("prod/a.md: # K", "docs/b.md: # K/## Production", True), ("docs/prod/a.md: # K", "staging/b.md: # K", False),
             ("a.md: # K/## 2023", "b.md: # K/## 2024", False), (".claude/rules/a.md: # K", ".claude/rules/b.md: # K", True)]
    for n, (*sides, meet) in enumerate(pairs):
        for k, side in enumerate(sides):
            path, headings = side.split(": ")
            m.write(f"{n}/{path}", "\n\n".join(headings.split("/")) + "\n\n" + said.format(k, k + 8))
        found = m.run("check", "--format", "json", ".", cwd=m.path(str(n)), code=1 if meet else 0).json()["results"]
        assert meet == any(x["rule"] == "disputed" for x in found), (sides, found)


def test_what_a_part_says_of_its_own_things(m):
    for path, amount in (("services/auth", 15), ("services/mail", 20)):
        m.write(f"n/{path}/README.md", f"The session expires after {amount} minutes.\n")
    assert subjects(m, 0) == []
    m.write("n/README.md", "The session expires after 15 minutes.\n")
    assert parts(m, "n")[0][1] == [("n/services/mail/README.md", 1), ("n/README.md", 1)], parts(m, "n")


def test_answers_to_one_question_and_years_stay_apart(m):
    for path, ruby in (("alt-a-drum", "3.1"), ("alt-b-disc", "3.2"), ("2022/fair", "3.3"), ("2023/fair", "3.4")):
        m.write(f"n/docs/{path}/README.md", f"# Plan\n\nRequires Ruby {ruby}.\n")
    m.write("n/frontend/FRONTEND.md", "# Plan\n\n- **Framework**: Vue\n")
    m.write("n/backend/BACKEND.md", "# Plan\n\n- **Framework**: FastAPI\n")
    assert subjects(m, 0) == []
    m.write("n/docs/drum/README.md", "# Plan\n\nRequires Ruby 3.1.\n")
    m.write("n/docs/fair/README.md", "# Plan\n\nRequires Ruby 3.4.\n")
    assert subjects(m) == ["ruby_version"]


def test_rules_meet(m):
    m.write("n/README.md", "# Kilns\n\nA bad glaze is never reused; we mix a new one.\n")
    m.write("n/docs/run.md", "# Runs\n\nA bad glaze is always reused first.\n")
    assert sides(m.run("check", "--format", "json", "n", code=1).json()) == {
        "bad_glaze_reus_rule": [("n/README.md", 3, "never"), ("n/docs/run.md", 3, "always")]}


def test_a_port_belongs_to_what_listens(m):
    """The words before it name that; an address alone is nobody's."""
    told = (("The worker dashboard is at http://localhost:3000.", "- Worker dashboard: http://localhost:3001"),
            ("```sh\nmake docs   # docs preview on http://localhost:3000\n```", "Docs preview: http://localhost:3001"),
            ("```sh\nopen http://localhost:3000   # admin dashboard\n```", "Open the admin dashboard at http://localhost:3001."),
            ("- **Dev server:** `make dev`, then open http://localhost:3000", "```sh\nmake dev   # dev server on http://localhost:3001\n```"),
            ("| Part | Port |\n|-|-|\n| worker metrics | 3000 |", "The worker metrics are served on port 3001."))
    quiet = (("Open http://localhost:3000.", "- **Server port**: 3001"),
             ("The gateway listens on port 3000.", "The gateway serves a usage dashboard at http://localhost:3001."),
             ("The API listens on port 3000.", "If you use the mock, the API listens on port 3001."),
             ("The API listens on port 3000.", "The API was on port 3001."),
             ("The API listens on port 3000.", "Is the API on port 3001?"),
             ("The API listens on port 3000.", "The API (which has its cache at localhost:3001) is small."),
             ("The API listens on port 3000.", "The frontend sends all to the API, and connects the API to port 3001."),
             ("- Metrics port: 3000", "- Metrics port: 3001 in staging, 3000 in production"),
             ("| Protocol | Port |\n|-|-|\n| UDP | 3000 |\n| TCP | 4000 |\n| UDP | 3001 |", "Ports are open."))
    for n, (one, other) in enumerate(told + quiet):
        m.write("n/README.md", f"# Kilns\n\n{one}\n")
        m.write("n/RULES.md", f"# Rules\n\n{other}\n")
        values = [{value for _, _, value in places} for places in sides(m.run("check", "--format", "json", "n", code=None).json()).values()]
        assert values == ([{"3000", "3001"}] if n < len(told) else []), (one, other, values)


def test_links_to_a_heading_that_is_not_there(m):
    m.write("n/README.md", "# Kilns\n\n[Set up](#set-up), then [fire](#firing) and [sell](#sell-pots) [pots](#pots--jars) [post](#\u6295\u7A3F\u8A73\u7D30).\n\n## Pots \u00D7 jars\n\n## \u6295\u7A3F\u30FB\u8A73\u7D30\n\n## Set up\n\n## Firing\n\n## Sell\n")
    r = m.run("check", "--format", "json", "n", code=1).json()
    assert list(sides(r).values()) == [[("n/README.md", 1, "no heading has this name"), ("n/README.md", 3, "linked")]], sides(r)


def test_a_tool_and_a_port_in_sentences(m):
    m.write("n/README.md", "# Kilns\n\n"
            "The API listens on port 4100.\n")
    m.write("n/RULES.md", "# Rules\n\nOpen http://localhost:4200/docs \u2014 the API is on port 4200.\n")
    r = m.run("check", "--format", "json", "n", code=1).json()
    assert sorted(map(repr, sides(r).values())) == sorted(map(repr, [
        [("n/README.md", 3, "4100"), ("n/RULES.md", 3, "4200")]])), sides(r)


def test_the_least_coverage(m):
    m.write("n/README.md", "# Kilns\n\nCoverage must not fall below 85 %.\n")
    m.write("n/RULES.md", "# Rules\n\n- The pipeline fails when coverage is under 92 %.\n")
    r = m.run("check", "--format", "json", "n", code=1).json()
    assert list(sides(r).values()) == [[("n/README.md", 3, "85%"), ("n/RULES.md", 3, "92%")]], sides(r)


def test_what_a_head_of_a_column_keeps_apart(m):
    """A value in production is another than the default; a section on health is about the same port as the README."""
    m.write("n/README.md", "# Barn\n\nThe HTTP API listens on port 8090.\n\n## Settings\n\n"
            "| Variable | Default | Meaning |\n|-|-|-|\n| `BARN_DB_POOL` | `25` | open connections |\n")
    book = "# Runbook\n\n## Health\n\nThe HTTP API is reached on port 8091.\n\nSettings:\n\n| Variable | {} |\n|-|-|\n| `BARN_DB_POOL` | `60` |\n"
    m.write("n/docs/book.md", book.format("Value in production"))
    found = sides(m.run("check", "--format", "json", "n", code=1).json())
    port = [("n/README.md", 3, "8090"), ("n/docs/book.md", 5, "8091")]
    assert list(found.values()) == [port], found
    m.write("n/docs/book.md", book.format("Value"))
    found = sides(m.run("check", "--format", "json", "n", code=1).json())
    assert sorted(found.values()) == sorted([port, [("n/README.md", 9, "25"), ("n/docs/book.md", 11, "60")]]), found


def parts(m, *words, code=0):
    r = m.run("check", "--format", "json", *words, code=code).json()
    return [(x["subject"], [(s["path"], s["line"]) for s in x["sides"]], x["fails"]) for x in r["results"] if x["rule"] == "other-in-part"]


def test_a_part_against_the_whole_is_a_finding(m):
    m.write("n/README.md", "# Orchard\n\n- Ruby version: 3.4\n- Node.js 20+\n\n```\nnpm install\n```\n")
    m.write("n/apps/scales/README.md", "# Scales\n\n- Ruby version: 3.2\n- Node.js 20+\n\n## Setup\n\n```\npnpm install\n```\n")
    m.write("n/package.json", '{\n "engines": { "node": ">=20" },\n "scripts": { "build": "x", "test": "y" }\n}\n')
    m.write("n/apps/press/package.json", '{\n "engines": { "node": "16" },\n "scripts": { "build": "x", "lint": "y" }\n}\n')
    m.write("n/apps/picker/README.md", "# Picker\n\n- Ruby version: 3.4\n- Node.js 22\n")
    m.write("n/docs/guide.md", "# Guide\n\nRuby 3.4 is required.\n")
    found = parts(m, "n")
    scales = "n/apps/scales/README.md"
    assert found == [
        ("node_version: 16 for n/apps/press, >=20 for the whole", [("n/apps/press/package.json", 2), ("n/package.json", 2), ("n/README.md", 4)], False),
        ("ruby_version: 3.2 for n/apps/scales, 3.4 for the whole", [(scales, 3), ("n/README.md", 3), ("n/docs/guide.md", 3)], False),
        ("package_manager: pnpm for n/apps/scales, npm for the whole", [(scales, 9), ("n/README.md", 7)], False)], found
    for k in range(5):
        m.write(f"n/apps/a{k}/README.md", f"# A\n\n- Ruby version: 3.{5 + k}\n")
    assert parts(m, "n")[0][0] == ("ruby_version: 3.5 for n/apps/a0, 3.6 for n/apps/a1, 3.7 for n/apps/a2, 3.8 for n/apps/a3, others for 2 more, "
                                   "3.4 for the whole"), parts(m, "n")
    assert len(parts(m, "n")) == len(found) and len(parts(m, "n")[0][1]) == 8, "all parts of one slot are one finding"
    for k in range(5):
        os.remove(m.path(f"n/apps/a{k}/README.md"))
    m.write("n/examples/cider/README.md", "# Cider\n\n- Ruby version: 3.1\n")
    m.write("n/old/cellar/README.md", "# Cellar\n\n- Ruby version: 3.0\n")
    m.write("n/apps/press/LICENSE", "MIT License\n\nPermission is hereby granted, free of charge, to any person\n")
    m.write("n/LICENSE", "Apache License\nVersion 2.0, January 2004\n")
    assert parts(m, "n") == found, "an example is apart, and each part has a license of its own"
    m.run("import", "n")
    m.run("sweep")
    told = m.run("findings", "list", "--format", "json").json()["findings"]
    assert sorted(x["message"] for x in told if x["rule"] == "slot/part") == sorted(x[0] for x in found), told
    m.write("n/docs/guide.md", "# Guide\n\nRuby 3.2 is required.\n")
    assert not [x for x in parts(m, "n", code=1) if x[0].startswith("ruby")], "somebody of the whole says the same"


def test_a_rule_for_the_files_of_a_part_is_held_against_the_whole(m):
    m.write("README.md", "# Orchard\n\nNode.js 20 is required.\n")
    for globs, told in (("apps/till/**", "apps/till"), ('["crates/till/**/*"]', "crates/till"), ("till/**", "till"), ("src/**", None), ("examples/till/**", None),
                        ("apps/till/**/*.ts", None), ('["apps/till/**", "apps/press/**"]', None), ("apps/till/app.ts", None)):
        m.write(".cursor/rules/till.mdc", f"---\nglobs: {globs}\n---\n\n- Node.js 18 is required.\n")
        expected = [(f"node_version: 18 for {told}, 20 for the whole", [(".cursor/rules/till.mdc", 5), ("README.md", 3)], False)]
        assert parts(m, ".") == (expected if told else []), (globs, parts(m, "."))
    m.write(".cursor/rules/till.mdc", "---\nglobs: apps/till/**\n---\n\n- Node.js 18 is required.\n")
    m.write("apps/till/README.md", "# Till\n\nNode.js 18 is required.\n")
    assert [x[0] for x in parts(m, ".")] == ["node_version: 18 for apps/till, 20 for the whole"], "its notes say the same"
    m.write("apps/till/README.md", "# Till\n\nNode.js 16 is required.\n")
    assert [x[0] for x in parts(m, ".")] == ["node_version: 16 for apps/till, 18 for apps/till, 20 for the whole"], parts(m, ".")


def test_frontend_and_backend_have_versions_of_their_own(m):
    """Where one document gives both; what only one of them has is that of the whole."""
    m.write("n/a.md", "# A\n\n## Frontend\n\n- TypeScript 5.2\n- Vite 5.1\n\n## Backend\n\n- TypeScript 5.4\n- Laravel 11\n")
    m.write("n/b.md", "# B\n\nIt is built with Laravel 12.\n")
    assert sides(m.run("check", "--format", "json", "n", code=1).json()) == {"laravel_version": [("n/a.md", 11, "11"), ("n/b.md", 3, "12")]}


def test_rows_of_two_things_stay_apart(m):
    """Though the key of one is the head of a column of the other."""
    m.write("n/a.md", "# A\n\n## Bell relay\n\n| Pin | Link |\n|-|-|\n| Supply | 5 V |\n")
    m.write("n/b.md", "# B\n\n| Sensor | Supply link |\n|-|-|\n| Water level | 3.3 V |\n")
    assert sides(m.run("check", "--format", "json", "n").json()) == {}
    m.write("n/b.md", "# B\n\n| Pin | Link |\n|-|-|\n| Supply | 3.3 V |\n")
    assert sides(m.run("check", "--format", "json", "n", code=1).json()) != {}


def test_a_folder_at_the_top_is_a_part(m):
    """Where "." is named; "n" is the project itself, and a folder of documents is about all of it."""
    table = "# {}\n\n| Variable | Default |\n|-|-|\n| `S3_REGION` | {} |\n"
    for folder, region in (("inbox", "north-1"), ("outbox", "south-1")):
        m.write(f"{folder}/README.md", table.format(folder, region))
    m.write("inbox/package.json", '{ "engines": { "node": ">=20" } }')
    m.write("outbox/package.json", '{ "engines": { "node": ">=18" } }')
    m.write(".github/charts/package.json", '{ "engines": { "node": ">=14" } }')
    assert sides(m.run("check", "--format", "json", ".").json()) == {}
    m.write("inbox/README.md", "# Inbox\n\n- Node.js 16+\n")
    m.write("NOTES.md", "# X\n\n- Node.js 24\n")
    found = [[(s["path"], s["line"]) for s in x["sides"]] for x in m.run("check", "--format", "json", ".", code=1).json()["results"] if x["rule"] == "disputed"]
    assert found == [[("inbox/README.md", 3), ("inbox/package.json", 1)]], found
    os.remove(m.path("NOTES.md"))
    os.remove(m.path("inbox/README.md"))
    m.write("guide/README.md", table.format("Guide", "north-1"))
    m.write("cline_docs/README.md", table.format("Context", "south-1"))
    m.write("infra/README.md", "# Infra\n\n- Ruby 3.2\n")
    m.write("README.md", "# X\n\n- Ruby 3.3\n")
    assert len(sides(m.run("check", "--format", "json", ".", code=1).json())) == 2, "a version there may be meant for all"


def test_a_heading_states_no_value(m):
    for name, value in (("a", "a path"), ("b", "a list")):
        m.write(f"n/{name}.md", f"# {name}\n\n## Order = {value}\n\nIt is walked without recursion, as fast as 3 may be.\n")
    assert sides(m.run("check", "--format", "json", "n").json()) == {}


def test_a_list_of_licenses_is_told_whole(m):
    """The report outlives the sweep that read it: under a sanitizer it was read after it was freed."""
    m.write("n/package.json", '{ "license": "MIT OR Apache-2.0" }')
    m.write("n/README.md", "# X\n\nLicense: AGPL-3.0\n")
    for form in ("text", "json", "sarif"):
        out = m.run("check", "n", *([] if form == "text" else ["--format", form]), code=1).out
        assert '["MIT","Apache-2.0"]' in out.replace("\\", ""), (form, out)


def test_whose_version_and_license_it_is(m):
    """Of two manifests of several languages nobody knows; what a README says of another thing is not the project's."""
    m.write("n/package.json", '{\n "version": "1.0.0",\n "license": "ISC"\n}\n')
    m.write("n/pyproject.toml", '[project]\nversion = "0.1.0"\n')
    m.write("n/README.md", "# Orchard\n\n## License\n\nNest is MIT licensed.\n")
    assert sides(m.run("check", "--format", "json", "n").json()) == {}
    m.write("n/README.md", "# Orchard\n\n## Lizenz\n\nMit deinem Beitrag stimmst du der Lizenz zu, ISC License.\n")
    assert sides(m.run("check", "--format", "json", "n").json()) == {}, "a word of German"
    m.write("n/LICENSE", "GNU AFFERO GENERAL PUBLIC LICENSE\nVersion 3\n")
    os.remove(m.path("n/package.json"))
    for text in ("the Affero GPL v3", "the Lesser GPL v3", "the AGPL v3", "GNU AGPLv3"):
        m.write("n/README.md", f"# Orchard\n\n## License\n\nOrchard is licensed under {text}.\n\n`@orchard/core` is additionally available under Apache 2.0.\n")
        assert sides(m.run("check", "--format", "json", "n").json()) == {}, text
    os.remove(m.path("n/LICENSE"))
    m.write("n/package.json", '{\n "version": "1.0.0",\n "license": "ISC"\n}\n')
    m.write("n/README.md", "# Orchard\n\n## License\n\nOrchard is MIT licensed.\n")
    assert list(sides(m.run("check", "--format", "json", "n", code=1).json())) == ["license"]


def test_manifests_of_parts_say_each_what_it_needs(m):
    m.write("n/go.mod", "module a\n\ngo 1.23\n")
    m.write("n/cmd/gauge/go.mod", "module b\n\ngo 1.24\n")
    m.write("n/README.md", "# Gauge\n")
    assert parts(m, "n") == []
    m.write("n/README.md", "# Gauge\n\n- Go 1.23\n")
    assert [x[0] for x in parts(m, "n")] == ["go_version: >=1.24 for n/cmd/gauge, >=1.23 for the whole"]
    m.write("n/cmd/gauge/README.md", "# Gauge\n\n- Go 1.24 or later\n")
    assert parts(m, "n") == [], "the part says it itself"
    m.write("n/Cargo.toml", '[package]\nedition = "2021"\n')
    m.write("n/crates/dial/Cargo.toml", '[package]\nedition = "2024"\n')
    m.write("n/README.md", "# Gauge\n\n- Go 1.23\n- **Framework**: React\n")
    m.write("n/crates/dial/README.md", "# Dial\n\n- **Framework**: Django\n")
    assert parts(m, "n") == [], "of manifests alone, and of what each part has by its nature"


def test_what_packages_depend_on(m):
    """Versions in use and demands on peers are held against what notes say, and not against each other."""
    m.write("n/README.md", "# Orchard\n\n- React 18 and TypeScript 5.4\n- Vite 5.1.3\n")
    m.write("n/apps/web/package.json", '{\n "dependencies": { "react": "^19.1.0", "typescript": "^5.2.0" }\n}\n')
    m.write("n/apps/till/package.json", '{\n "dependencies": { "react": "^17.0.2", "typescript": "~5.4.1" }\n}\n')
    m.write("n/package.json", '{\n "devDependencies": { "vite": "^5.0.0", "left-pad": "1" }\n}\n')
    m.write("n/packages/scale/README.md", "# Scale\n\n- Vue 3\n")
    m.write("n/packages/scale/package.json", '{\n "peerDependencies": { "core": ">=0.60.0" }, "dependencies": { "vue": "2.7.1" }\n}\n')
    assert parts(m, "n", code=1) == [("react_version: 17 for n/apps/till, 19 for n/apps/web, 18 for the whole",
                                      [("n/apps/till/package.json", 2), ("n/apps/web/package.json", 2), ("n/README.md", 3)], False)]
    r = m.run("check", "--format", "json", "n", code=1).json()
    assert sorted(x["subject"] for x in r["results"] if x["rule"] == "disputed") == ["scale_vue_version"], r
    m.write("n/apps/till/package.json", '{\n "dependencies": { "react": "^18.0.2" }\n}\n')
    assert not parts(m, "n", code=1), "one of the parts has what the whole says"
    m.write("n/AGENTS.md", "# Orchard\n\n- Java 21, Spring Boot 3.3\n\n## Notes\n\n- Spring Boot 3.3+\n")
    m.write("n/apps/web/AGENTS.md", "# Web\n\n| Tech | Version |\n|-|-|\n| Spring Boot | 4.0.5 |\n| React | 19.1 |\n")
    assert [x[0] for x in parts(m, "n", code=1)] == ["spring_boot_version: 4.0.5 for n/apps/web, 3.3 for the whole"], "in use beside in use"
    os.remove(m.path("n/AGENTS.md"))
    os.remove(m.path("n/apps/web/AGENTS.md"))
    m.write("n/README.md", "# Orchard\n")
    m.write("n/package.json", '{\n "devDependencies": { "react": "^16.0.2" }\n}\n')
    assert not parts(m, "n", code=1), "no note says anything"


def test_examples_of_settings(m):
    """Amounts of .env.example beside the table that explains them."""
    m.write("n/.env.example", "# of the press\nPRESS_JOBS=10 # at once\nPRESS_NAME=oak\nPRESS_PORT=4100\nPRESS_VERSION=1.2\nJAR_DAYS=30\n")
    m.write("n/docs/settings.md", "# Settings\n\n| Variable | Default | Meaning |\n|-|-|-|\n| `PRESS_JOBS` | 25 | jars at once |\n"
            "| `PRESS_NAME` | elm | wood |\n| `PRESS_PORT` | 4200 | where |\n| `PRESS_VERSION` | 1.3 | of it |\n| `JAR_DAYS` | 30 | kept |\n")
    r = m.run("check", "--format", "json", "n", code=1).json()
    found = [sorted((s["path"], s["line"]) for s in x["sides"]) for x in r["results"] if x["rule"] == "disputed"]
    assert found == [[("n/.env.example", 2), ("n/docs/settings.md", 5)]], found


def test_a_key_and_what_it_limits_are_told_once(m):
    row = "# Orchard\n\n| Variable | Default |\n|-|-|\n| `MAX_UPLOAD_MB` | {} |\n"
    m.write("n/a.md", row.format(25))
    m.write("n/b.md", row.format(50))
    assert subjects(m) == ["max_upload_mb_size"]
    m.write("n/b.md", "# Orchard\n\nThe upload limit is 50 MB.\n")
    assert len(subjects(m)) == 1


def test_a_port_of_nobody_by_name_is_that_of_the_whole(m):
    block = lambda text: f"```env\n{text}\n```"
    m.write("docs/setup.md", f"# Setup\n\n{block('PORT=3000')}\n")
    found = lambda: {k: [s[:2] for s in v] for k, v in sides(m.run("check", "--format", "json", ".", code=None).json()).items()}
    for text, told in ((block("PORT=4000"), True), (block("KILN=1\nPORT=4000 # where it listens"), True), ("## Kiln service\n\n" + block("PORT=4000"), False),
                       ("`kiln/.env`:\n\n" + block("PORT=4000"), False), (block("# kiln/.env\nPORT=4000"), False), ("## Docker\n\n" + block("PORT=4000"), False),
                       (block("PORT=4000 make run"), False), (block("export PORT=4000"), False), (block("PORT=4000") + "\n\nOr:\n\n" + block("PORT=5000"), False)):
        m.write("README.md", f"# Kilns\n\n{text}\n")
        assert [{p for p, _ in v} for v in found().values()] == ([{"README.md", "docs/setup.md"}] if told else []), (text, found())
    m.write("README.md", "# Kilns\n")
    for path, told in ((".env.example", True), ("kiln/.env.example", False), ("services/kiln/.env.sample", False)):
        m.write(path, "PORT=4000\n")
        assert found() == ({"port_setting": [(path, 1), ("docs/setup.md", 4)]} if told else {}), (path, found())
        os.remove(m.path(path))


def test_sentences_of_one_document_that_differ_on_what_there_is_one_of(m):
    for text, told in (("The API listens on port 8080.\n\n## Usage\n\nThe API runs on port 9090.", "api_port"), ("The default branch is `main`.\n\n## Work\n\nThe default branch is `develop`.", "default_branch"),
                       ("Use pnpm for everything.\n\n## Work\n\nUse npm for everything.", "package_manager"), ("Use pnpm for everything.\n\n```sh\nnpm install\n```", None),
                       ("Lint with Biome.\n\n## Work\n\nLint with ESLint.", "javascript_linter"),
                       ("The API listens on port 8080.\n\n## Usage\n\ncurl http://localhost:9090", None), ("The API listens on port 8080.\n\n## Docker\n\nThe API runs on port 9090.", None),
                       ("- Inner page:\n\n  Runs at http://localhost:5175 for us.\n\n- Outer page:\n\n  Runs at http://localhost:5176 for us.", None),
                       ("The API listens on port 8080.\n\n- API port: 9090\n\nThe API runs on port 9090.", None)):
        m.write("README.md", f"# Kilns\n\n{text}\n")
        assert list(sides(m.run("check", "--format", "json", ".", code=None).json())) == ([told] if told else []), text


def test_how_many_there_are_does_not_hang_on_who_reads(m):
    m.write("README.md", "# Kilns\n\nThe workspace consists of 15 crates.\n")
    for path, told in (("docs/user-guide.md", True), ("docs/glazes.md", False)):
        m.write(path, "# Guide\n\nAll 16 crates are published.\n\nNode.js 20+ is required.\n")
        r = m.run("check", "--format", "json", ".", code=None).json()
        assert list(sides(r)) == (["crates"] if told else []), (path, r["results"])
        os.remove(m.path(path))


def test_documents_on_one_resource_each(m):
    for name, minutes in (("kiln_one", 60), ("press_one", 45)):
        m.write(f"n/docs/resources/{name}.md", f"# {name}\n\n- The kiln waiter has a timeout of {minutes} minutes.\n")
    assert not m.run("check", "--format", "json", "n").json()["results"]
    shutil.rmtree(m.path("n/docs"))
    for folder, told in (("docs/", False), ("docs/resources/", False), ("", True), ("notes/", True)):
        for name, minutes in (("kiln", 60), ("press", 45)):
            m.write(f"n/{folder}{name}.md", f"# {name}\n\n- The kiln waiter has a timeout of {minutes} minutes.\n")
        assert bool(m.run("check", "--format", "json", "n", code=None).json()["results"]) == told, folder
        shutil.rmtree(m.path("n"))


def test_demands_of_a_part_beside_a_pinned_version(m):
    m.write("n/.nvmrc", "24\n")
    m.write("n/package.json", '{\n "engines": { "node": ">=22" }\n}\n')
    m.write("n/packages/scale/AGENTS.md", "# Scale\n\n- Node.js >= 18.0.0\n")
    assert [x[0] for x in parts(m, "n")] == ["node_version: >=18.0.0 for n/packages/scale, >=22 for the whole"]
    m.write("n/packages/scale/AGENTS.md", "# Scale\n\n- React 18+\n")
    m.write("n/packages/scale/package.json", '{\n "dependencies": { "react": "^19.1.0" }\n}\n')
    m.write("n/README.md", "# X\n\n- React 19+\n")
    assert not parts(m, "n"), "what the whole asks for is enough for it"
    m.write("n/README.md", "# X\n\n- React 17.x\n")
    assert [x[0] for x in parts(m, "n")] == ["react_version: 19 for n/packages/scale, 17.x for the whole"], parts(m, "n")
    r, = [x for x in m.run("check", "--format", "json", "n", code=None).json()["results"] if x["rule"] == "other-in-part"]
    assert ("n/README.md", "17.x", "React 17.x") in [(s["path"], s["value"], s["text"]) for s in r["sides"]], r["sides"]
    os.remove(m.path("n/README.md"))
    m.write("n/packages/scale/AGENTS.md", "# Scale\n\n- Node.js >= 18.0.0\n")
    m.write("n/packages/scale/package.json", '{\n "engines": { "node": ">=18" }\n}\n')
    assert not parts(m, "n"), "the part has a manifest that says so"
    m.write("n/package.json", "{}\n")
    m.write("n/.junie/guidelines.md", "# Guidelines\n\n- Node.js v22 or later (as specified in `.nvmrc`)\n")
    assert [(s["path"], s["line"]) for x in m.run("check", "--format", "json", "n", code=1).json()["results"] if x["rule"] == "disputed"
            for s in x["sides"]] == [("n/.junie/guidelines.md", 3), ("n/.nvmrc", 1)]


def test_a_line_that_is_gone_says_nothing(m):
    two(m)
    m.run("import", "n")
    m.write("n/GUIDE.md", GUIDE.replace("- Ruby version: 3.3\n", ""))
    m.run("import", "--complete", "n")
    assert rows(m)["Ruby version: 3.3"]["status"] == "invalid"
    m.write("n/GUIDE.md", GUIDE)
    m.run("import", "--complete", "n")
    assert rows(m)["Ruby version: 3.3"].get("status", "active") == "active"


def test_a_row_of_a_document_is_edited_there(m):
    two(m)
    m.run("import", "n")
    row = "memory:" + rows(m)["Ruby version: 3.3"]["id"]
    r = m.run("edit", row, "--set", "content=Ruby version: 3.5", code=2)
    assert "n/GUIDE.md:4 says it" in r.err and "--over" in r.err, r.err
    m.run("edit", row, "--over", "--set", "content=Ruby version: 3.4")
    assert "Ruby version: 3.4" in rows(m)
    m.run("sweep")
    assert "ruby" not in m.run("conflicts", "list").out, "what the line stated is said no more"
    m.write("n/links.md", "The [guide](GUIDE.md) is for the kiln of hall 4.\n")
    m.run("import", "n")
    linked = next(v["id"] for k, v in rows(m).items() if "hall 4" in k)
    assert "n/links.md:1 says it" in m.run("edit", "memory:" + linked, "--set", "content=x", code=2).err
    m.facts(memory("The area is 4 m2.", id="own"))
    m.run("edit", "memory:own", "--set", "content=The area is 5 m2.")


def test_what_a_person_says_over_a_line_outlives_it(m):
    """Only what the file says ends with its line."""
    m.write("n/a.md", "# P\n\n- The pump pressure is 5 bar.\n- The tank holds 40 l.\n")
    m.write("n/b.md", "# V\n\n- The kiln is red.\n- The hall is dry.\n")
    m.run("import", "--complete", "n")
    pump, tank = ("memory:" + rows(m)[x]["id"] for x in ("The pump pressure is 5 bar.", "The tank holds 40 l."))
    m.run("edit", pump, "--over", "--set", "content=The pump pressure is 6 bar.", "--by", "kim")
    m.run("edit", tank, "--over", "--set", 'tags=["water"]', "--by", "kim")
    said = lambda: rows(m)["The pump pressure is 6 bar."]
    m.write("n/a.md", "# P\n\n- Something else entirely.\n")
    m.run("import", "--complete", "n")
    assert said()["status"] == "active" and said()["memory_type"] == "knowledge" and said()["source_refs"] == ["kim"], said()
    assert rows(m)["The tank holds 40 l."]["status"] != "active", "a tag says nothing of what it is about"
    m.write("n/a.md", "# P\n\n- The pump pressure is 7 bar.\n")
    m.run("import", "--complete", "n")
    assert said()["status"] == "active" and not said().get("superseded_by"), said()
    m.run("sweep")
    assert "7 bar | 6 bar" in m.run("conflicts", "list").out
    export = m.run("export").out
    m.write("e.jsonl", export)
    m.run("init", "other")
    m.run("-C", "other", "import", m.path("e.jsonl"))
    assert m.run("-C", "other", "export").out.count('"status":"invalid"') == export.count('"status":"invalid"')
    m.write("n/a.md", "# P\n\n- The pump pressure is 5 bar.\n")
    m.run("import", "--complete", "n")
    m.write("n/a.md", "# P\n\n- Some other line.\n")
    m.run("import", "--complete", "n")
    assert said()["status"] == "active" and said()["memory_type"] == "knowledge", said()


def test_a_store_tells_what_a_check_tells(m):
    """Sentences of one document that say different things speak of different ones."""
    m.write("n/b.md", "# V\n\n- The valve opens at 3 bar\n- The valve closes at 2 bar\n")
    assert not m.run("check", "--format", "json", "n").json()["results"]
    m.run("import", "n")
    m.run("sweep")
    assert m.run("conflicts", "list", "--format", "json").json()["conflicts"] == []
    m.write("n/c.md", "# W\n\n- The valve opens at 4 bar\n")
    found = m.run("check", "--format", "json", "n", code=1).json()["results"]
    m.run("import", "n")
    m.run("sweep")
    assert [x["id"] for x in m.run("conflicts", "list", "--format", "json").json()["conflicts"]] == [x["id"] for x in found]


def test_always_against_never_is_one_conflict(m):
    for rule in ("use type hints", "use default exports", "mock the database in tests"):
        m.write("n/CLAUDE.md", f"- Always {rule}.\n")
        m.write("n/AGENTS.md", f"- Never {rule}.\n")
        r, = m.run("check", "--format", "json", "n", code=1).json()["results"]
        assert "rule" not in r["subject"], r["subject"]
    m.write("n/CLAUDE.md", "- Type hints are always in use.\n")
    m.write("n/AGENTS.md", "- Type hints are never in use.\n")
    assert len(m.run("check", "--format", "json", "n", code=1).json()["results"]) == 1


def test_a_page_says_that_a_note_says_it(m):
    two(m)
    m.run("import", "n")
    m.facts(memory("The Ruby version is 3.5.", id="own", project=None))
    m.run("build")
    pages = [m.text("site/conflicts", x) for x in os.listdir(m.path("site/conflicts")) if x.endswith(".md")]
    text = next(x for x in pages if x.startswith("# Ruby version"))
    assert text.count("- Note: [") == 2 and text.count("- An agent's memory: [") == 1, text
    assert "Change a line that is wrong in its file" in text, text
    sources = m.text("site/sources/README.md")
    assert re.search(r"</a>n/GUIDE..md: 3 rows; 2 open", sources), sources


def test_tables_name_the_lines_of_files(m):
    """Who says what: the file and the line, not the layer; and that documents repeat each other is no finding."""
    m.write("n/README.md", "# Pump\n\n- Node.js 20+\n- The release notes are written by the team that ships.\n")
    m.write("n/docs/a.md", "# A\n\n- Node.js 18\n- The release notes are written by the team that ships.\n")
    m.write("n/docs/b.md", "# B\n\n- Node.js 18\n- The release notes are written by the team that ships.\n")
    m.write("n/docs/c.md", "# C\n\n- Node.js 18\n")
    m.write("n/package.json", '{\n "engines": { "node": ">=20" }\n}\n')
    m.run("import", "n")
    m.run("build")
    for page in ("site/README.md", "site/conflicts/README.md"):
        row, = [x for x in m.text(page).splitlines() if "[Node version]" in x]
        assert "**&gt;=20** (n/README\\.md:3, n/package\\.json:2)" in row, row
        assert "**18** (n/docs/a\\.md:3, n/docs/b\\.md:3 and 1 more)" in row, row
    assert m.run("findings", "list", "--format", "json").json()["findings"] == []
    m.facts(*(memory("The release notes are written by the team that ships.", id=i) for i in ("m1", "m2")))
    found = m.run("findings", "list", "--format", "json").json()["findings"]
    assert [x["kind"] for x in found] == ["possible_duplicate"], found


def test_pages_link_to_the_note(m):
    two(m)
    m.write("n/A b.md", "- Ruby version: 3.2\n")
    m.write("mirror.yml", "source_url: https://host.example/t/r/blob/main/{path}#L{line}\n")
    m.run("import", "n")
    m.run("build")
    pages = {p: open(p).read() for p in glob.glob(m.path("site/**/*.md"), recursive=True)}
    conflict = next(t for t in pages.values() if "Ruby version" in t and "Source: " in t and "What" in t)
    assert "[n/AGENTS\\.md:6](https://host.example/t/r/blob/main/n/AGENTS.md#L6)" in conflict, conflict
    assert any("(https://host.example/t/r/blob/main/n/A%20b.md#L1): 1 row;" in t for t in pages.values())
    html = "".join(open(p).read() for p in glob.glob(m.path("site/conflicts/*.html")))
    assert 'href="https://host.example/t/r/blob/main/n/A%20b.md#L1"' in html
    m.write("n/AGENTS.md", AGENTS.replace("Ruby 3.4 is required.", "Needs Ruby 3.4"))
    m.run("import", "n")
    m.run("build")
    text = "".join(open(p).read() for p in glob.glob(m.path("site/projects/**/*.md"), recursive=True))
    assert "[n/AGENTS\\.md:6](https://host.example/t/r/blob/main/n/AGENTS.md)" in text, "its line says something else by now"
    assert "[n/AGENTS\\.md:6](https://host.example/t/r/blob/main/n/AGENTS.md#L6)" in text


def test_pages_have_notes_in_the_order_of_their_lines(m):
    m.write("n/b.md", "".join(f"- Pear number {i} is ripe.\n" for i in range(1, 13)))
    m.write("n/a.md", "- Figs come last.\n- Apples come first.\n")
    m.run("import", "n")
    m.run("build")
    page = next(t for t in (open(p).read() for p in glob.glob(m.path("site/projects/**/*.md"), recursive=True)) if "Pear number 12" in t and "Figs" in t)
    lines = re.findall(r"^- .*?(Figs|Apples|Pear number \d+)", page, re.M)
    assert lines == ["Figs", "Apples"] + [f"Pear number {i}" for i in range(1, 13)], page


def test_links_of_a_note_are_sources_of_it(m):
    m.write("n/guide/GUIDE.md", "# Guide\n\n- Ruby version: 3.3, see [[Setup#Hosts & Ports|there]].\n- Ask [[nobody]], [[twice]] and [x](http://a.example/b.md).\n"
            "- Start with [the setup](../Setup.md) and [its ports](../Setup.md#ports), [[#Own part]].\n\n| A | B |\n|-|-|\n| x | [[Setup\\|s]] |\n")
    m.write("n/Setup.md", "# Setup\n\n- Ruby version: 3.4\n")
    m.write("n/a/twice.md", "- One.\n")
    m.write("n/b/twice.md", "- Two.\n")
    m.write("mirror.yml", "source_url: https://host.example/t/r/blob/main/{path}#L{line}\n")
    m.run("import", "n")
    refs = {k.split()[0]: r["source_refs"] for k, r in rows(m).items() if "GUIDE" in r["source_refs"][0]}
    own = "n/guide/GUIDE.md"
    assert refs == {"Ruby": [own + ":3", "n/Setup.md#hosts--ports"], "Ask": [own + ":4"], "x": [own + ":9", "n/Setup.md"],
                    "Start": [own + ":5", own + "#own-part", "n/Setup.md", "n/Setup.md#ports"]}, refs
    m.run("build")
    html = "".join(open(p).read() for p in glob.glob(m.path("site/conflicts/*.html")))
    assert 'href="https://host.example/t/r/blob/main/n/guide/GUIDE.md#L3"' in html
    assert 'href="https://host.example/t/r/blob/main/n/Setup.md#hosts--ports"' in "".join(open(p).read() for p in glob.glob(m.path("site/projects/**/*.html"), recursive=True))
    sources = m.text("site/sources/README.md")
    assert "n/Setup.md](https://host.example/t/r/blob/main/n/Setup.md#L1): 1 row;" in sources.replace("\\", ""), sources
    before = m.run("export").out
    m.run("import", "n")
    assert m.run("export").out == before


def test_a_date_that_does_not_exist_is_none(m):
    for text in ("---\ndate: 2018-26-05 00:00:00\n---\n\n# Kilns\n\n{}", "# Kilns\n\nUpdated: 2018-02-31\n\n{}", "# Kilns\n\n## Rules 2018-13-45\n\n{}"):
        m.write("n/README.md", text.format("Ruby 3.3 is required.\n"))
        m.write("n/RULES.md", "# Rules\n\nRuby 3.4 is required.\n")
        assert list(sides(m.run("check", "--format", "json", "n", code=1).json())) == ["ruby_version"], text
    m.run("import", "n")


def test_rows_and_brackets_that_tell_of_another_version(m):
    m.write("n/package.json", '{ "engines": { "node": ">=24" }, "devDependencies": { "vite": "^7.1.0" } }')
    for text, found in (("| Package | Version |\n|-|-|\n| Vite | 5 |", ["vite_version"]),
                        ("| Package | From | To |\n|-|-|-|\n| Vite | 5 | 7 |", []),
                        ("- The server (Node >= 23)", ["node_version"]),
                        ("- `zlib` with built-in zstd (Node >= 23)", []),
                        ("The linter knows Node 22+ features.", []),
                        ("Most machines run Node 22, some Node 20.", [])):
        m.write("n/README.md", f"# Kilns\n\n{text}\n")
        assert list(sides(m.run("check", "--format", "json", "n", code=None).json())) == found, text


def test_a_slash_between_kinds_of_branches(m):
    m.write("n/README.md", "# Kilns\n\n```sh\ngit checkout -b feat/glaze\n```\n")
    for text, found in (("Create a branch `feature/NAME`.", 1), ("Create a feature/fix branch.", 0)):
        m.write("n/RULES.md", f"# Rules\n\n{text}\n")
        assert len(sides(m.run("check", "--format", "json", "n", code=found).json())) == found, text


def test_what_is_not_read_is_told(m):
    m.write("n/a.md", b"# A\n\n> said\n\n- [ ] task\n- Fine.\n- bad \xff byte\n")
    r = m.run("import", "--dry-run", "n")
    assert "n/a.md:7: not read: not UTF-8" in r.err and "1 quotations" in r.err and "1 tasks" in r.err, r.err
    assert m.run("import", "--dry-run", "--format", "json", "n").json()["not_read"] == {"lines over a limit": 1, "quotations": 1, "tasks": 1}
    r = m.run("check", "-v", "--format", "json", "n")
    assert r.json()["counts"]["not_read"] == {"lines over a limit": 1, "quotations": 1, "tasks": 1}, r.out
    assert "n/a.md:7: not read: not UTF-8" in r.err and "1 quotations" in r.err, r.err
    m.write("list.txt", "Lives in Oslo\nHas a cat\n")
    assert "2 added" in m.run("import", "list.txt").out


def test_a_dry_run_lists_what_is_not_read(m):
    m.write("n/b.md", "# B\n\n> Said of others.\n\n- [ ] Glaze it.\n- [ ] Fire it.\n\n```python\na = 1\n\nb = 2\n```\n")
    m.write("n/a.md", "- Tabs are 4 wide.\n\n<!-- seen -->\n")
    out = m.run("import", "--dry-run", "n").out
    listed = out[out.index("Not read:\n"):].splitlines()[1:6]
    assert listed[0] == "  n/a.md:3: comment", out
    assert listed[1:] == ["  n/b.md:3: quotation", "  n/b.md:5-6: tasks", "  n/b.md:9: line of a program", "  n/b.md:11: line of a program"], listed
    lines = m.run("import", "--dry-run", "--format", "json", "n").json()["not_read_lines"]
    assert [(x["line"], x["last_line"], x["why"]) for x in lines if x["file"] == "n/b.md"] == [
        (3, 3, "quotations"), (5, 6, "tasks"), (9, 9, "lines of programs"), (11, 11, "lines of programs")], lines
    m.write("n/c.md", "".join(f"> Said of {i}.\n\n---\n\n" for i in range(1100)))
    out = m.run("import", "--dry-run", "n").out
    assert "  n/c.md:" in out and "  and 1,065 more\n" in out, out
    assert "  and 105 more\n" in m.run("import", "--dry-run", "-v", "n").out
    assert len(m.run("import", "--dry-run", "--format", "json", "n").json()["not_read_lines"]) == 1000
    r = m.run("import", "n")
    assert "Not read" not in r.out and "not_read_lines" not in m.run("import", "--format", "json", "n").json(), r.out


def dated(m, text, other="# B\n"):
    """The day and the author of the one claim of a document."""
    m.write("n/a.md", text + "\nThe default timeout of the relay is 30 seconds.\n")
    m.write("n/b.md", other + "\nThe default timeout of the relay is 60 seconds.\n")
    r, = m.run("check", "--format", "json", "n", code=1).json()["results"]
    return {s["path"]: (s["date"], s["author"]) for s in r["sides"]}["n/a.md"]


def test_days_of_documents(m):
    for line in ("Last updated: 2026-03-03", "Last updated: March 3, 2026", "_Last updated: 2026-03-03_", "**Last Updated**: 2026/03/03", "**Last updated:** Mar 3 2026.",
                 "Updated on 3 March 2026", "Last updated March 3rd, 2026", "Last modified: 2026-03-03 14:00 UTC", "(Last edited: 3 March 2026)", "- Date: 2026.03.03",
                 "Version: 2 | Updated: 2026-03-03", "*Version 2 \u00b7 Last updated: 3 March 2026*"):
        assert dated(m, f"# A\n\n{line}\n")[0] == "2026-03-03", line
        assert dated(m, f"---\ntitle: A\n---\n# A\n\n{line}\n")[0] == "2026-03-03", line
    for key in ("updated: 2026-03-03", "last_updated: March 3, 2026", "date: 2026-03-03T10:00:00+09:00", "lastmod: '2026-03-03'", "last-modified: 2026/03/03", "updated_at: 3 March 2026",
                "date: 2025-01-01\nupdated: 2026-03-03", "updated: 2026-03-03\ndate: 2025-01-01"):
        assert dated(m, f"---\n{key}\n---\n# A\n")[0] == "2026-03-03", key
    for line in ("Last updated: 03/04/2026", "Last updated: March 2026", "Last updated: 2026-02-30", "Last updated: recently", "Updated about 3 March 2026", "Reviewed: 2026-03-03",
                 "Last updated: 2026-03-03\n\nLast updated: 2026-03-04", "> Last updated: 2026-03-03", "The pump was last updated on 3 March 2026."):
        assert dated(m, f"# A\n\n{line}\n")[0] is None, line


def test_a_day_that_a_document_loses(m):
    m.write("n/a.md", "---\ndate: 2026-03-03\nauthor: Kim\n---\n# A\n\n- Tabs are 4 wide.\n")
    m.run("import", "n")
    assert (rows(m)["Tabs are 4 wide."]["created_at"], rows(m)["Tabs are 4 wide."]["agent"]) == ("2026-03-03T00:00:00Z", "Kim")
    m.write("n/a.md", "# A\n\n- Tabs are 4 wide.\n")
    assert "1 updated" in m.run("import", "n").out
    assert not {"created_at", "agent"} & set(rows(m)["Tabs are 4 wide."]), rows(m)
    assert "0 added, 0 updated, 1 unchanged" in m.run("import", "n").out


def test_authors_of_documents(m):
    for text, author in (("---\nauthor: Kim Lee\n---\n# A\n", "Kim Lee"), ("---\nauthors:\n  - Kim\n  - Ada Low\n---\n# A\n", "Kim, Ada Low"), ("---\nauthor: <your name>\n---\n# A\n", None),
                         ("# A\n\n**Author:** Kim Lee\n", "Kim Lee"), ("# A\n\n- Authors: Kim and Ada\n- Updated: 2026-03-03\n", "Kim and Ada"), ("# A\n\nAuthor: Kim | Updated: 2026-03-03\n", "Kim"),
                         ("# A\n\nAuthor: see the log\n", None), ("# A\n\n## Fields\n\n- Author: Kim\n", None), ("# A\n\nAuthor: Kim\n\nAuthor: Ada\n", None), ("# A\n", None)):
        assert dated(m, text)[1] == author, text


def test_what_one_author_says_in_two_documents_is_disputed(m):
    """An author first wrote a document, perhaps: nothing in it overtakes what another document of hers says."""
    for day in ("2026-03-03", "2025-03-03"):
        assert dated(m, "---\nauthor: Kim\ndate: 2026-03-03\n---\n# A\n", f"---\nauthor: Kim\ndate: {day}\n---\n# B\n") == ("2026-03-03", "Kim")
        m.run("import", "--complete", "n")
        assert "1 conflict open" in m.run("sweep").out.splitlines()[-1], day
    m.run("build")
    text, = [m.text("site/conflicts", x) for x in os.listdir(m.path("site/conflicts")) if x.startswith("c") and x.endswith(".md")]
    assert text.count("noted by Kim") == 2, text


def test_a_folder_that_the_config_calls_complete(m):
    """Of a folder, as of any source, most does not end unless the command says so."""
    m.run("init")
    for name in "abcde":
        m.write(f"n/{name}.md", f"# {name}\n" + "".join(f"\n- Shelf {name}{i} holds the jars of row {i}.\n" for i in range(6)))
    m.run("import", "n")
    m.write("mirror.yml", "sources: [{name: n/, complete: true}]\n")
    gone = lambda: sorted({r["source_refs"][0][2] for r in rows(m).values() if r["status"] == "invalid"})
    os.remove(m.path("n/a.md"))
    m.run("import", "n")
    assert gone() == ["a"], gone()
    for name in "bcd":
        os.remove(m.path(f"n/{name}.md"))
    r = m.run("import", "n")
    assert "6 rows are no longer in n/b.md; more than half of its folder went, so nothing has ended: `hmirror import --complete n` ends it" in r.err, r.err
    assert gone() == ["a"], gone()
    m.run("import", "--complete", "n")
    assert gone() == ["a", "b", "c", "d"], gone()
    m.write("mirror.yml", "sources: [{name: n, complete: false}]\n")
    m.write("n/f.md", "- Shelf f holds jars.\n- Shelf f is oak.\n")
    m.run("import", "n")
    os.remove(m.path("n/f.md"))
    assert m.run("import", "n").err == "" and gone() == ["a", "b", "c", "d"], gone()


def test_a_file_that_is_gone_says_nothing(m):
    two(m)
    m.write("n/more/LIST.md", "- Tabs are 4 wide.\n")
    m.run("import", "n")
    os.remove(m.path("n/GUIDE.md"))
    r = m.run("import", "n")
    assert "3 rows are no longer in n/GUIDE.md; import it with --complete" in r.err, r.err
    m.run("import", "--complete", "n/AGENTS.md")
    m.run("import", "--complete", "--exclude", "GUIDE.md", "n")
    assert rows(m)["Ruby version: 3.3"].get("status", "active") == "active"
    r = m.run("import", "--complete", "n")
    assert "n/GUIDE.md; what it said of them has ended" in r.err, r.err
    assert "n/GUIDE.md: 0 added, 0 updated, 0 unchanged (it is not there any more)" in r.out, r.out
    assert rows(m)["Ruby version: 3.3"]["status"] == "invalid"
    assert rows(m)["Tabs are 4 wide."].get("status", "active") == "active"
    before = m.run("export").out
    m.run("import", "--complete", "n")
    assert m.run("export").out == before
    two(m)
    m.run("import", "--complete", "n")
    assert rows(m)["Ruby version: 3.3"].get("status", "active") == "active"
    m.write("n/GUIDE.md", "# Guide\n")
    m.run("import", "--complete", "n")
    assert rows(m)["Ruby version: 3.3"]["status"] == "invalid"


def test_the_working_folder_is_whole_for_its_own_folders(m):
    """What "." gave is named from there: a folder that is not here may be of another project."""
    m.write("one/wiki/how/w.md", "- The attic is at 3 m.\n")
    m.write("two/docs/how/z.md", "- The attic is at 3 m.\n")
    m.write("two/docs/a.md", "- The cellar is at 2 m.\n")
    m.write("two/docs/b.md", "- The roof is at 9 m.\n")
    m.run("init", "mir")
    run = lambda folder, *words: m.run("--config", m.path("mir/mirror.yml"), "import", *words, cwd=m.path(folder))
    status = lambda: {r["source_refs"][0]: r.get("status", "active") for r in map(json.loads, m.run("export", cwd=m.path("mir")).out.splitlines()) if r["kind"] == "memory"}
    run("one", ".")
    run("two", "docs")
    for word in (".", "*/*.md"):
        r = run("two", "--complete", word)
        assert ("wiki/ is not in this folder, so what 1 source said stays" in r.err) == (word == "."), r.err
    assert set(status().values()) == {"active"}, status()
    os.remove(m.path("two/docs/b.md"))
    run("two", "--complete", ".")
    assert status() == {"docs/b.md:1": "invalid", "docs/a.md:1": "active", "docs/how/z.md:1": "active", "wiki/how/w.md:1": "active"}, status()


def test_files_of_one_name_stay_apart(m):
    m.write("README.md", "- The port is 80.\n")
    m.run("import", "README.md")
    m.write("docs/README.md", "- Tabs are 4 wide.\n")
    m.run("import", "docs")
    assert rows(m)["Tabs are 4 wide."]["source_refs"] == ["docs/README.md:1"]
    assert "0 added, 0 updated, 1 unchanged" in m.run("import", "README.md").out


def test_init_from_documents(m):
    two(m)
    r = m.run("init", "--from", "n", "new")
    assert "together: 6 added" in r.out, r.out
    out = m.run("-C", "new", "export").out
    assert '"n/AGENTS.md:6"' in out and not os.path.exists(m.path("hmirror.db"))
    m.run("init", "--from", "n/GUIDE.md", "one")
    m.run("init", "--from", "n", "new", code=2)
    m.run("init", "--from", "absent.md", "two", code=2)
    assert not os.path.exists(m.path("two"))


if __name__ == "__main__":
    main(globals())
