#!/usr/bin/env python3
"""What the tree itself knows beside what its documents say: scripts that commands call, files to which they point."""
import os

from harness import *

PACKAGE = '{\n  "name": "%s",\n  "scripts": { "dev": "x", "build": "y", "test:unit": "z" }\n}\n'


def told(m, *words):
    """subject, folded -> its places; what a check finds."""
    found = m.run("check", "--format", "json", *(words or (".",)), code=None)
    fold = lambda subject: re.sub("[^a-z0-9]+", "_", subject.lower()).strip("_")
    return {fold(r["subject"]): [(s["path"], s["line"], s["value"]) for s in r["sides"]] for r in found.json()["results"]}


def test_a_script_that_the_manifest_lacks(m):
    m.write("package.json", PACKAGE % "top")
    m.write("README.md", "# X\n\n```sh\nyarn dev\nyarn build && yarn deploy\n```\n")
    m.write("docs/ship.md", "# Ship\n\n- Run `yarn run deploy --now` on Fridays.\n\n| Task | Command |\n|-|-|\n| Ship | `yarn deploy:prod` |\n")
    assert told(m) == {
        "script_deploy": [("README.md", 5, "called"), ("docs/ship.md", 3, "called"), ("package.json", 3, "not among the scripts of package.json")],
        "script_deploy_prod": [("docs/ship.md", 7, "called"), ("package.json", 3, "not among the scripts of package.json")]}, told(m)
    m.write("ci/package.json", '{\n "scripts": {\n  "lint": "x", "check:unit": "y",\n  "format": "z"\n }\n}\n')
    m.write("ci/README.md", "# CI\n\n```sh\nnpm run lint:format\nnpm run unit\n```\n")
    more = told(m)
    assert more["ci_script_lint_format"][1] == ("ci/package.json", 4, "not among the scripts of ci/package.json, which has format"), more
    assert more["ci_script_unit"][1] == ("ci/package.json", 3, "not among the scripts of ci/package.json, which has check:unit"), more
    for name in ("package.json", "README.md"):
        os.remove(m.path("ci/" + name))
    m.run("import", ".")
    m.run("sweep")
    before = m.run("export").out
    assert len(m.run("conflicts", "list", "--format", "json").json()["conflicts"]) == 2
    m.run("import", ".")
    assert m.run("export").out == before
    m.write("package.json", (PACKAGE % "top").replace('"dev"', '"deploy": "s", "deploy:prod": "s", "dev"'))
    assert told(m) == {}
    m.run("import", "--complete", ".")
    rows = [json.loads(x) for x in m.run("export").out.splitlines()]
    assert {r["key"]: r["status"] for r in rows if r["kind"] == "project_state"} == {
        "package scripts": "active", "script deploy": "invalid", "script deploy:prod": "invalid"}
    assert [r for r in rows if r["kind"] == "memory" and r["status"] == "active" and "script deploy" in r.get("slot_rule", "")] == [], "a row that claims it no more"


def test_a_script_of_the_manifest_above_a_named_file(m):
    """Git's list says whether another package has it."""
    m.write("package.json", PACKAGE % "top")
    m.write("README.md", "# X\n\n```sh\nyarn deploy\n```\n")
    assert told(m, "README.md") == {}
    git(m, "init", "-qb", "main")
    git(m, "add", "-A")
    assert told(m, "README.md") == told(m) and list(told(m)) == ["script_deploy"], told(m, "README.md")
    m.write("ci/package.json", '{"scripts": {"deploy": "x"}}\n')
    git(m, "add", "-A")
    assert told(m, "README.md") == told(m) == {}


def test_what_calls_no_script(m):
    m.write("package.json", (PACKAGE % "top").replace("\n}", ',\n  "devDependencies": { "release": "1", "@x/fix": "2" }\n}'))
    for line in ("npm run dev", "npm install deploy", "npm run", "npx deploy", "yarn install", "yarn check", "pnpm deploy", "bun test", "bun build", "yarn release",
                 "yarn run fix", "yarn tsc", "yarn jest", "yarn eslint", "npm run test:*", "npm run <name>", "npm run lint --if-present", "npm run env", "echo npm run lint",
                 "npm run lint # coming soon", "```sh\n# Lint (if configured)\nnpm run lint\n```", "npm run lint # (no `lint` there)", "cd ../other && npm run lint", "cd elsewhere; npm run lint", "pnpm --filter other lint"):
        m.write("README.md", f"# X\n\n```sh\n{line}\n```\n")
        assert told(m) == {}, line
    for text in ("Add a script `npm run lint` to it.", "Put `npm run lint` into the scripts.", "We delete `npm run lint`.", "Prefer `npm run dev` over `npm run lint`.", "- ❌ `npm run lint`", "`npm run lint` was removed.", "> Run `npm run lint`.", "- [ ] Run `npm run lint`.", "## Roadmap\n\nRun `npm run lint`.",
                 "```json\n\"lint\": \"eslint\"\n```\n\nRun `npm run lint`.", "```js\nnpm run lint\n```", "Run `npx create-thing`, then `npm run lint`.",
                 "```json\n{ \"scripts\": { \"lint\": \"eslint\" } }\n```\n\nRun `npm run lint`.", "Write `\"lint\": \"eslint\"` there.\n\nRun `npm run lint`.",
                 "`npm pkg set scripts.lint=eslint`, and run `npm run lint`.", "The generated project has these scripts:\n\n- `npm run start`\n- `npm run lint`",
                 "1. In your project, run:\n\n   ```sh\n   npm run lint\n   ```", "`npm pkg set scripts.fmt=\"prettier .\" scripts.lint=eslint`, and run `npm run lint`.",
                 "In the `web-tests` repository, run `npm run lint`."):
        m.write("README.md", f"# X\n\n{text}\n")
        assert told(m) == {}, text
    m.write("README.md", "# X\n\nThe project has these scripts:\n\n- `npm run start`\n- `npm run lint`\n")
    assert list(told(m)) == ["script_start", "script_lint"], "of this one"
    m.write("a.js", "")
    m.write("README.md", "# X\n\n```sh\nkiln create my-app\ncd ./my-app\n```\n\nThen run `npm run lint`.\n")
    assert told(m) == {}, "of a project that the reader made"
    m.write("README.md", "# Future X\n\n```sh\nmkdir my-app && cd my-app\n```\n\nThen run `npm run lint`.\n")
    assert list(told(m)) == ["script_lint"], "it is this one"
    m.write("README.md", "# X\n")
    m.write("templates/README.md", "# X\n\nRun `npm run lint`.\n")
    assert told(m) == {}
    m.write("docs/a.md", "# X\n\nRun `npm run lint`.\n")
    assert told(m, "docs") == {}, "other packages were not looked for"
    assert list(told(m)) == ["script_lint"]
    m.write("package.json", (PACKAGE % "top").replace("\n}", ',\n  "devDependencies": { "lint": "1" }\n}'))
    assert list(told(m)) == ["script_lint"], "npm runs scripts alone"
    m.write("docs/a.md", "# X\n\nRun `yarn run lint`.\n")
    assert told(m) == {}, "yarn also what packages bring"
    m.write("package.json", "{")
    assert told(m) == {}


def test_the_package_in_which_a_script_is_run(m):
    m.write("package.json", PACKAGE % "top")
    m.write("apps/web/package.json", PACKAGE.replace("dev", "serve") % "@x/web")
    for line, missing in (("npm run serve", None), ("cd apps/web && npm run serve", None), ("cd apps/web\nnpm run dev", "apps_web_script_dev"),
                          ("cd apps/web && npm run dev && cd .. && npm run dev", "apps_web_script_dev"), ("npm run dev -w @x/web", "apps_web_script_dev"),
                          ("npm run dev --workspace=@x/web", "apps_web_script_dev"), ("pnpm --filter @x/web dev", "apps_web_script_dev"),
                          ("pnpm -r dev", None), ("pnpm -r test", "script_test"), ("yarn workspace @x/web dev", "apps_web_script_dev"), ("npm --prefix apps/web run dev", "apps_web_script_dev"),
                          ("pnpm dev --filter @x/web", None), ("npm run lint", "script_lint"), ("yarn analyse", "script_analyse"), ("npm test", "script_test")):
        m.write("README.md", f"# X\n\n```sh\n{line}\n```\n")
        assert list(told(m)) == ([missing] if missing else []), line
    m.write("README.md", "# X\n\n```sh\ncd apps/web && npm i\nnpm run dev\n```\n")
    assert list(told(m)) == ["apps_web_script_dev"], "the line before led there"
    m.write("README.md", "# X\n\n```sh\ncd apps/api && npm i\ncd apps/web && npm i\nnpm run dev\n```\n")
    assert told(m) == {}, "each line begins at the top"
    m.write("README.md", "# X\n\n```sh\ncd apps/web && npm run serve # of the pages\nnpm run dev # of all\n```\n")
    assert told(m) == {}, "a list of commands"
    m.write("README.md", "# X\n\n```sh\ncd apps/web\n```\n\n```sh\nnpm run dev\n```\n")
    assert told(m) == {}, "each block begins where the document lies"
    m.write("README.md", "# X\n")
    m.write("apps/web/README.md", "# Web\n\n```sh\nnpm run lint\nnpm run dev\n```\n")
    assert list(told(m)) == ["apps_web_script_lint"]


def test_targets_and_recipes(m):
    m.write("Makefile", ".PHONY: all\nall: lint\n\nlint:\n\ttrue\n")
    m.write("justfile", "test name:\n  true\n")
    m.write("README.md", "# X\n\n- Make sure that it runs; `make` it.\n- Run `make lint docs V=1`.\n- Run `make env command`.\n- Run `just test docs` and `just ship`.\n")
    assert told(m) == {"target_docs": [("Makefile", 1, "not among the targets of Makefile"), ("README.md", 4, "called")],
                       "recipe_ship": [("README.md", 6, "called"), ("justfile", 1, "not among the recipes of justfile")]}, told(m)
    for line in ("make -f other.mk ship", "make ship.o", "make $(X)", "make -C other ship", "mkdir build && cd build && cmake .. && make ship", "make -j 4 all"):
        m.write("README.md", f"# X\n\n```sh\n{line}\n```\n")
        assert told(m) == {}, line
    for line, found in (("make lint       check all of it before a commit", []), ("make lint check what has changed", []), ("make lint  # check all", []),
                        ("make -C . lint ship", ["target_ship"]), ("make     ship", ["target_ship"]), ("make lint ship", ["target_ship"])):
        m.write("README.md", f"# X\n\n```sh\n{line}\n```\n")
        assert list(told(m)) == found, (line, told(m))
    m.write("README.md", "# X\n\n`make ship`\n")
    assert list(told(m)) == ["target_ship"]
    m.write("Makefile", "include more.mk\nall:\n")
    assert told(m) == {}


def git(m, *args):
    env = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    return subprocess.run(["git", "-c", "user.name=Kim", "-c", "user.email=kim@example.org", *args], cwd=m.dir, env=env, check=True, capture_output=True, text=True).stdout


def test_a_manifest_above_is_named_from_the_working_folder(m):
    m.write("package.json", '{"engines": {"node": ">=20"}}')
    m.write("docs/setup.md", "# S\n\nRequires Node.js 18.\n")
    git(m, "init", "-qb", "main")
    above, name = os.path.split(m.dir)
    for cwd, word, manifest, page in ((m.dir, "docs", "package.json", "docs/setup.md"), (m.path("docs"), ".", "../package.json", "setup.md"),
                                      (above, f"{name}/docs", f"{name}/package.json", f"{name}/docs/setup.md")):
        r = m.run("check", "--format", "json", word, cwd=cwd, code=1).json()["results"]
        assert [sorted((s["path"], s["value"]) for s in x["sides"]) for x in r] == [sorted([(manifest, ">=20"), (page, "18")])], (cwd, r)


def test_the_version_of_the_project_itself(m):
    m.write("package.json", '{ "version": "0.1.6" }')
    m.write("apps/web/package.json", '{ "version": "2.0.0" }')
    m.write("apps/web/README.md", "# Web\n\n- **Latest release:** v2.0.0\n")
    m.write("docs/use.md", "# Use\n\nInstall the latest version of Kafka 3.7. The current version of the format is 2.1.\n\n## Kafka service\n\nCurrent version: 3.8.0\n")
    for text, told in (("Current version: `0.1.5`", True), ("The latest release is v0.1.5.", True), ("| Current version | 0.1.5 |\n|-|-|\n| Current version | 0.1.5 |", True),
                       ("Current version: 0.1.6", False), ("Version 0.1.5 was the first.", False), ("The latest version or 0.1.5 will do.", False)):
        m.write("README.md", f"# X\n\n## Status\n\n{text}\n")
        r = m.run("check", "--format", "json", ".", code=int(told)).json()["results"]
        assert [(x["subject"], x["detail"]) for x in r] == ([("current_version", "0.1.5 | 0.1.6")] if told else []), (text, r)


def test_a_link_to_a_file_that_is_not_there(m):
    m.write("src/a.py", "")
    m.write("docs/guides.md", "# G\n")
    m.write("docs/site.md", "# S\n\n- [core](core)\n")
    m.write("docs/deep/setup.md", "# S\n\nSee [the whole](../../README.md) and [the guide](../guide.md#ports).\n")
    m.write("README.md", "# X\n\nRead [the guide](docs/guide.md).\n\n- [Setup](docs/setup.md)\n\n| a | b |\n|-|-|\n| x | [License](LICENSE) |\n")
    expected = {
        "file_docs_guide_md": [("README.md", 3, "named"), ("docs/deep/setup.md", 3, "named"), ("docs/guides.md", None, "docs/guide.md is not there")],
        "file_docs_setup_md": [("README.md", 5, "named"), ("docs/deep/setup.md", None, "docs/setup.md is not there")],
        "file_license": [("README.md", 9, "named"), (".", None, "LICENSE is not there")]}
    assert told(m) == expected, told(m)
    assert "\n  docs/guides.md says docs/guide.md is not there" in m.run("check", ".", code=1).out
    assert told(m, "README.md") == {}, "nobody has looked at the whole"
    git(m, "init", "-qb", "main")
    git(m, "add", "-A")
    git(m, "commit", "-qm", "One")
    assert told(m) == expected
    assert set(told(m, "README.md")) == set(expected), "git knows the whole"
    git(m, "checkout", "-qb", "change")
    os.remove(m.path("docs/guides.md"))
    m.write("docs/setup.md", "# S\n")
    m.write("docs/guide.md", "# G\n")
    git(m, "add", "-A")
    m.run("check", ".", "--fail-on", "new")
    assert set(told(m)) == {"file_license"}
    os.remove(m.path("docs/setup.md"))
    git(m, "rm", "-q", "--cached", "docs/setup.md")
    assert set(told(m)) == {"file_license", "file_docs_setup_md"}
    m.run("import", ".")
    m.run("sweep")
    assert len(m.run("conflicts", "list", "--format", "json").json()["conflicts"]) == 2
    m.write("docs/setup.md", "# S\n")
    m.write("README.md", "# X\n\n[License](LICENSE) <!-- hmirror: ok it is in work -->\n")
    m.run("check", ".")
    os.remove(m.path("src/a.py"))
    shutil.rmtree(m.path(".git"))
    m.write("README.md", "# X\n\nRead [the guide](docs/none.md).\n")
    assert told(m) == {}, "documents alone are no tree"


def test_links_of_a_site_from_its_root(m):
    m.write("src/a.py", "")
    m.write("docs/docs/tutorial/setup.md", "# S\n")
    m.write("docs/docs/about/install.md", "# I\n\nSee [it](tutorial/setup.md).\n")
    assert told(m)
    m.write("docs/website/siteConfig.js", "")
    assert told(m) == {}
    m.write("docs/docs/about/install.md", "# I\n\nSee [it](tutorial/gone.md).\n")
    assert told(m)


def test_a_folder_at_the_top_has_a_license_of_its_own(m):
    m.write("README.md", "# X\n\n## License\n\nMIT\n")
    m.write("tool/README.md", "# Tool\n\n## License\n\nApache-2.0\n")
    assert told(m) == {}
    m.write("docs/README.md", "# Docs\n\n## License\n\nApache-2.0\n")
    assert told(m)


def test_submodules_are_not_looked_at(m):
    m.write("src/a.py", "")
    m.write("README.md", "# X\n\nSee [it](libs/kiln/README.md).\n")
    assert told(m)
    m.write(".gitmodules", '[submodule "kiln"]\n\tpath = libs/kiln\n\turl = ../kiln.git\n')
    assert told(m) == {}


def test_a_spec_kept_as_historical_context(m):
    m.write("src/a.py", "")
    for note, missing in (("The original spec. Kept here as historical context.", False), ("The spec, with some historical context.", True)):
        m.write("docs/app.md", f"# App\n\n{note}\n\nSee [it](it.md).\n")
        assert bool(told(m)) == missing, note


def test_links_into_a_folder_that_is_not_there(m):
    """All of them say one thing; a file of which the only one of its name is elsewhere is told by itself."""
    m.write("src/a.py", "")
    m.write("README.md", "# X\n\nSee [a](guide/part/a.md), [b](guide/part/b.md).\n\nSee [c](guide/c.md).\n")
    assert told(m) == {"file_guide": [("README.md", 3, "named"), ("README.md", 5, "named"), (".", None, "guide is not there")]}, told(m)
    m.write("docs/c.md", "# C\n")
    assert told(m) == {"file_guide": [("README.md", 3, "named"), (".", None, "guide is not there")],
                       "file_guide_c_md": [("README.md", 5, "named"), ("docs/c.md", None, "guide/c.md is not there")]}, told(m)


def test_a_deleted_file_makes_its_links_new(m):
    m.write("a.md", "# A\n")
    m.write("README.md", "# X\n\n[A](a.md) and [B](b.md)\n")
    git(m, "init", "-qb", "main")
    git(m, "add", "-A")
    git(m, "commit", "-qm", "One")
    m.run("check", ".", "--fail-on", "new")
    git(m, "checkout", "-qb", "change")
    git(m, "rm", "-q", "a.md")
    report = m.run("check", ".", "--fail-on", "new", "--format", "json", code=1).json()
    assert {r["subject"]: r["new"] for r in report["results"]} == {"file a.md": True, "file b.md": False}, report
    noted = m.run("check", ".", "--fail-on", "new", "--format", "github", code=1).out.splitlines()
    assert len(noted) == 2 and all(x.split("::")[1].split(" ")[1].startswith("file=README.md,line=3,") for x in noted), noted
    for x in json.loads(m.run("check", ".", "--fail-on", "new", "--format", "sarif", code=1).out)["runs"][0]["results"]:
        assert [p["physicalLocation"]["artifactLocation"]["uri"] for p in x["locations"]] == ["README.md"], x


def test_a_drawing_of_folders_shows_what_is_not_there(m):
    for path in ("src/a.c", "src/util/b.c", "docs/x.txt", "docs/y.txt"):
        m.write(path, "")
    draw = ["proj/", "├── src/", "│   ├── a.c   # the entry", "│   ├── gone.c", "│   └── util/", "│       └── b.c", "└── docs/", "    └── x.txt"]
    page = lambda lines, heading="Layout": m.write("README.md", f"# P\n\n## {heading}\n\n```\n" + "\n".join(lines) + "\n```\n")
    expected = {"file_src_gone_c": [("README.md", 9, "named"), ("src", None, "src/gone.c is not there")]}
    page(draw)
    assert told(m) == expected, told(m)
    page(draw[1:])
    assert set(told(m)) == set(expected), "without its first line"
    page([x.replace("├──", "|--").replace("└──", "`--").replace("│", "|") for x in draw])
    assert told(m) == expected, "in ASCII"
    page(["src/"] + [x[4:] for x in draw[2:6]])
    assert told(m) == {"file_src_gone_c": [("README.md", 8, "named"), ("src", None, "src/gone.c is not there")]}, told(m)
    page([x.replace("gone.c", "+gone.c") for x in draw])
    assert told(m) == {"file_src_gone_c": [("README.md", 9, "named"), ("src", None, "src/+gone.c is not there")]}, "a plus is of the name"
    m.write("src/+gone.c", "")
    assert told(m) == {}, told(m)
    os.remove(m.path("src/+gone.c"))
    page(draw[:-2] + ["├── docs/", "│   └── x.txt", "└── tools/", "    └── z.txt"])
    assert set(told(m)) == set(expected), "a folder may be made by whoever runs it"
    page([x.replace("gone.c", "gone.c  # Milestone v0.7.0") for x in draw])
    assert told(m) == {}, "of another version"
    page([x.replace("gone.c", "gone.c  # The table (auto-generated)") for x in draw])
    assert told(m) == {}, "a program makes it"
    m.write("src/GONE.c", "")
    assert told(m) == {}, "a name in other letters is not missing"
    os.remove(m.path("src/GONE.c"))
    page(draw + ["", "web/", "└── gone.json"])
    assert set(told(m)) == set(expected), "what lies beside the project is of another one"
    page(draw, "Past\n\n> HISTORICAL DESIGN SPEC: do not build from it.\n\n## Layout")
    assert told(m) == {}, "the document says that it is of the past"
    page(draw, "Past\n\n> **Note:** the old file format is obsolete.\n\n## Layout")
    assert set(told(m)) == set(expected), "of what it tells"
    page([x.replace("gone.c", "gone.c  # API v1") for x in draw])
    assert set(told(m)) == set(expected)
    page(draw, "Arquitectura propuesta")
    assert told(m) == {}, "a proposal"
    page(draw, "Layout\n\nDespués de ordenar, el proyecto quedará así:")
    assert told(m) == {}, "of what will be"
    page(draw, "Layout\n\nUpdate this when you add folders:")
    assert set(told(m)) == set(expected), "of what is"
    page(draw + [f"    {'└' if k == 6 else '├'}── gone{k}.c" for k in range(7)])
    assert told(m) == {}, "of another state"
    m.write("src/gone.example.c", "")
    page(draw)
    assert told(m) == {}, "everybody's own"
    os.remove(m.path("src/gone.example.c"))
    m.write("src/gone-template.c", "")
    page(draw)
    assert told(m) == {}, "everybody's own"
    os.remove(m.path("src/gone-template.c"))
    flat = draw[:4] + ["├── util/", "│   └── b.c", "└── docs/", "├── x.txt", "└── y.txt"]
    page(flat)
    assert told(m) == {}, "the last folder's entries lost their indentation"
    for lines, heading in ((draw, "Planned layout"), ([x.replace("gone.c", "gone.c # generated") for x in draw], "Layout"), ([x.replace("gone.c", "...") for x in draw], "Layout"), ([x.replace("gone.c", "*.c") for x in draw], "Layout"),
                           ([x.replace("a.c", "c.c").replace("b.c", "d.c").replace("x.txt", "z.txt") for x in draw], "Layout"), ([x.replace("gone.c", "gone.o") for x in draw], "Layout"), ([x.replace("gone.c", "dist/") for x in draw], "Layout")):
        page(lines, heading)
        assert told(m) == {}, (lines, told(m))


def test_a_drawing_by_indentation_alone(m):
    for path in ("src/a.c", "src/util/b.c", "docs/x.txt", "docs/y.txt"):
        m.write(path, "")
    for lines, found in ((["proj/", "  src/          # programs", "    a.c         # the entry", "    gone.c      # what else", "    util/", "      b.c", "  docs/", "    x.txt"], True),
                         (["docs/x.txt   # first", "src/          # programs", "  a.c", "  gone.c      # what else", "  util/       # helpers", "    b.c"], True),
                         (["docs/x.txt", "src/a.c", "src/gone.c", "src/util/b.c", "docs/y.txt"], False),
                         (["src/", "  a.c", "  gone.c  # generated", "  util/", "    b.c"], False),
                         (["src:", "  read a.c", "  then gone.c", "  util/", "    b.c"], False),
                         (["src/", "  a.c x", "  gone.c y", "  util/ z", "    b.c"], False),
                         (["src/", "  a.c", "  util/", "    b.c", "  gone.c is written here"], False)):
        m.write("README.md", "# P\n\n## Layout\n\n```\n" + "\n".join(lines) + "\n```\n")
        assert list(told(m)) == (["file_src_gone_c"] if found else []), (lines, told(m))


def test_folders_and_paths_by_their_own_way(m):
    m.write("src/a.py", "")
    m.write("fw/README.md", "# F\n\n- [src/data](src/data) has it\n- [`./notes/`](./notes)\n")
    assert told(m) == {"file_fw_src": [("fw/README.md", 3, "named"), ("fw", None, "fw/src is not there")],
                       "file_fw_notes": [("fw/README.md", 4, "named"), ("fw", None, "fw/notes is not there")]}, told(m)
    m.write("fw/notes/a.txt", "")
    for text in ("[all](data)", "[src/data](/src/data)", "[../src](../src)", "[../out](../out)", "[notes](notes)", "[guide](guide)", "Planned: [src/data](src/data)", "It installs them in [src/data](src/data)."):
        m.write("fw/guide.md", "")
        m.write("fw/README.md", f"# F\n\n{text}\n")
        assert told(m) == {}, text


def test_a_path_that_is_only_named_says_nothing(m):
    """It may be of the past, of a plan, of another project, or for a user to make: nothing tells which."""
    for path in ("src/a.py", "docs/guide.md", "eslint.config.mjs"):
        m.write(path, "")
    for text in ("`src/b.py`", "Steps are documented in `docs/steps.md`.", "| Part | File |\n|-|-|\n| b | `../src/b.py` |", "`tailwind.config.js`", "The workflow `nightly-run.yml` does it."):
        m.write("docs/a.md", f"# A\n\nSee `src/a.py` and [the guide](guide.md).\n\n{text}\n")
        assert told(m) == {}, text


def test_a_file_that_lies_elsewhere(m):
    """The path that is named is not there, and the only file of its name lies elsewhere in its first folder."""
    for path in ("src/io/reader.py", "src/data/load.py", "docs/a.md", "PLANTS.md", "web/src/ui/tree.ts", "web/package.json", "src/x/index.ts"):
        m.write(path, "")
    gone = lambda path, source, doc="docs/a.md", line=3: {"file_" + re.sub("[^a-z]", "_", path.lower()): [(doc, line, "named"), (source, None, path + " is not there")]}
    for text, path, source in (
            ("The reader is in `src/reader.py:12`.", "src/reader.py", "src/io/reader.py"),
            ("| Part | File |\n|-|-|\n| it reads | `src/reader.py` |", "src/reader.py", "src/io/reader.py"),
            ("```\npython src/load.py --all\n```", "src/load.py", "src/data/load.py"),
            ("```\n./src/load.py\n```", "src/load.py", "src/data/load.py"),
            ("All plants are in `docs/PLANTS.md`.", "docs/PLANTS.md", "PLANTS.md"),
            ("It has no lid, and `src/reader.py` reads it.", "src/reader.py", "src/io/reader.py")):
        m.write("docs/a.md", f"# A\n\n{text}\n")
        found = {k: [(d, line and 3, v) for d, line, v in x] for k, x in told(m).items()}
        assert found == gone(path, source), (text, found)
    for text in ("It was in `src/reader.py`.", "Create `src/reader.py`.", "```\ncd web\npython src/load.py\n```", "See `io/reader.py`.", "See `src/index.ts`.", "See `app/reader.py`.",
                 "No second `src/reader.py`: one does.", "It is `src/…/reader.py`.", "创建 `src/reader.py`：", "| For | Example |\n|-|-|\n| a list | `src/reader.py` |"):
        m.write("docs/a.md", f"# A\n\n{text}\n")
        assert told(m) == {}, text
    m.write("docs/a.md", "# A\n")
    m.write("web/README.md", "# Web\n\nThe tree is drawn by `src/tree.ts`.\n")
    assert told(m) == {"file_web_src_tree_ts": [("web/README.md", 3, "named"), ("web/src/ui/tree.ts", None, "web/src/tree.ts is not there")]}, told(m)
    m.write("src/b/reader.py", "")
    m.write("web/README.md", "# Web\n\nSee `src/reader.py`.\n")
    assert told(m) == {}, "nobody knows which"


def test_a_file_that_is_run_and_is_nowhere(m):
    """The folder is there in which its path begins: the command fails."""
    for path in ("tools/a.py", "web/src/main.ts"):
        m.write(path, "")
    for text in ("```sh\npython tools/load.py --all\n```", "```\n./tools/load.py\n```", "Start it with `uv run tools/load.py --all`.", "```sh\npnpm tsx tools/load.py\n```", "Run `poetry run python tools/load.py`.", "| Task | Command |\n|-|-|\n| load | `bash tools/load.py` |"):
        m.write("docs/a.md", f"# A\n\n{text}\n")
        assert list(told(m)) == ["file_tools_load_py"], (text, told(m))
    for text in ("```sh\npython load/tools.py\n```", "```sh\ncd ..\npython tools/load.py\n```", "```sh\n# From the kiln-tools repository\npython tools/load.py\n```",
                 "From the KilnTools checkout:\n\n```sh\npython tools/load.py\n```", "Create `tools/load.py`:\n\n```sh\npython tools/load.py\n```",
                 "```sh\ncurl -o tools/load.py https://example.org/load.py\n```\n\n```sh\npython tools/load.py\n```",
                 "Do not use `python tools/load.py`.", "Prefer `make` over `python tools/load.py`.", "- ❌ `python tools/load.py`", "Run `sh tools/LICENSE` once.", "```sh\nbash tools/COPYING\n```", "```sh\n#!/bin/bash\npython tools/load.py\n```", "```sh\npytest tools/test_file.py -k x\n```",
                 "```sh\npytest tools/test_specific.py\n```", "```sh\ndocker compose exec app bash\n```\n\nand there:\n\n```sh\npython tools/load.py\n```", "Never write `python tools/x.py` there.", "It was `python tools/load.py`.", "```sh\npython tools/build/load.py\n```"):
        m.write("docs/a.md", f"# A\n\n{text}\n")
        assert told(m) == {}, text
    m.write("web/README.md", "# Web\n\n```sh\nnode src/gone.js\n```\n")
    m.write("docs/a.md", "# A\n")
    assert list(told(m)) == ["file_web_src_gone_js"], "from the document's folder"
    m.write("src/gone.js", "")
    assert told(m) == {}, "from the top it is there"
    m.write("web/README.md", "# Web\n")
    m.write("docs/a.md", "# A\n\n```sh\nnpx tools/seed.js\nyarn tools/seed.js\nnpx tsx @tools/seed.js\n```\n")
    assert told(m) == {}, "packages"
    m.write("docs/a.md", "# A\n\n```sh\npython tools/load.py\nnode tools/main.js\n```\n")
    m.write("tools/main.ts", "")
    m.write("web/tools/load.py", "")
    assert told(m) == {}, "what a build makes, what is there from another folder"
    os.remove(m.path("web/tools/load.py"))
    m.write("docs/tools/load.py", "")
    m.write("docs/a.md", "# A\n\n```sh\npython tools/load.py\n```\n")
    assert told(m) == {}, "from the document's folder it is there"


def test_a_copy_of_another_repository(m):
    """It has a license and a configuration for a host of its own: its links and its license are of others."""
    m.write("src/main.c", "")
    m.write("LICENSE", "Permission is hereby granted, free of charge, to any person obtaining a copy. THE SOFTWARE IS PROVIDED \"AS IS\"")
    m.write("ext/json/LICENSE", "Redistribution and use in source and binary forms, this list of conditions")
    m.write("ext/json/package.json", '{ "license": "ISC" }')
    m.write("ext/json/docs/a.md", "# A\n\nSee [b](b.md).\n")
    every = {"json_license", "file_ext_json_docs_b_md"}
    assert set(told(m)) == every, told(m)
    for host in (".travis.yml", ".gitlab-ci.yml", ".circleci/config.yml"):
        m.write("ext/json/" + host, "")
        assert told(m) == {}, host
        assert set(told(m, "ext/json")) == {"license"}, "named, it is the project itself"
        os.remove(m.path("ext/json/" + host))
    for other in ("ext/.travis.yml", ".travis.yml", "ext/json/.github/workflows/ci.yml"):
        m.write(other, "")
    assert set(told(m)) == every, "not its own"


def test_a_folder_in_which_something_lives(m):
    for path in ("docs/a.md", "src/main.c", "web/pages/a.ts"):
        m.write(path, "")
    for text in ("Guides live in `docs/guides/`.", "- **Parser:** reads a file. Lives under `docs/guides/`.", "| It | Home |\n|-|-|\n| guide | lives in `docs/guides/` |"):
        m.write("README.md", f"# A\n\n{text}\n")
        assert list(told(m)) == ["file_docs_guides"], (text, told(m))
    for text in ("Guides live in `guides/`.", "Guides will live in `docs/guides/`.", "Guides stand in `docs/guides/`.", "The cache lives in `docs/cache/`.", "What it found lives in `src/results/`.", "Logs live in `src/logs/2024/`.", "Pages live in `web/pages/`.",
                 "State lives in `.state/now/`.", "They live in `docs/`.", "They live in `/docs/x/`.", "They live in `../docs/x/`.", "Files live in `src/your-name/`.", "Guides no longer live in `docs/guides/`.", "Each guide must live in `docs/guides/`.", "Nothing lives in `docs/guides/`.",
                 "In the `kiln-tools` repository guides live in `docs/guides/`.", "If it lives in `docs/guides/`, it is one."):
        m.write("README.md", f"# A\n\n{text}\n")
        assert told(m) == {}, text
    m.write("web/README.md", "# Web\n\nAll pages live in `web/pages/`, and parts live in `pages/`.\n")
    assert told(m) == {}
    m.write("web/src/parts/a.ts", "")
    m.write("README.md", "# A\n\n## Web (`web/`)\n\n- Parts live in `src/parts/`.\n")
    assert told(m) == {}, "below another folder"


def test_a_file_that_a_command_takes(m):
    """A sample that is copied, what an option names; nowhere in the tree."""
    m.write("src/a.py", "")
    m.write("web/b.py", "")
    block = lambda text: f"```sh\n{text}\n```"
    for path, text, gone in (
            ("README.md", block("cp .env.example .env"), "file_env_example"),
            ("README.md", block("cd web && cp .env.example .env.local"), "file_env_example"),
            ("web/README.md", block("$ cp .env.example .env # fill it in"), "file_web_env_example"),
            ("docs/a.md", "Copy `.env.example` to `.env` and set your key, if needed.", "file_env_example"),
            ("docs/a.md", "Run `cp src/config.sample.yml src/config.yml` once.", "file_src_config_sample_yml"),
            ("docs/a.md", block("pip install -q -r requirements.txt"), "file_requirements_txt"),
            ("docs/a.md", "Make sure it is there.\n\n" + block("cp .env.example .env") + "\n\n## Copy .env.example", "file_env_example"),
            ("docs/a.md", block("python -m pip install -r requirements.txt"), "file_requirements_txt"),
            ("docs/a.md", block("sudo docker compose -f compose.dev.yml up -d"), "file_compose_dev_yml"),
            ("docs/a.md", block("docker build -t x -f Dockerfile.slim ."), "file_dockerfile_slim")):
        m.write(path, f"# A\n\n{text}\n")
        assert list(told(m)) == [gone], (text, told(m))
        os.remove(m.path(path))
    for text in (block("cp .env .env.local"), block("cp your.env.example .env"), block("cp ../x/.env.example .env"), block("cd ../x && cp .env.example .env"), block("docker logs -f api.yml"),
                 block("poetry export -f requirements.txt -o requirements.txt"), block("cat > .env.example\ncp .env.example .env"), "## .env.example\n\n" + block("cp .env.example .env"),
                 block("git clone https://example.org/other.git\ncp .env.example .env"), block("# In the kiln-web repository\ncp .env.example .env"), "It creates `.env.example`.", "Never run `pip install -r requirements.txt`.",
                 "Run `cp .env.example .env` in `kiln/web`.", block("cp gone/.env.example gone/.env"), "> Copy `.env.example` to `.env`.", "- [ ] Copy `.env.example` to `.env`.", block("docker compose -f a.yml up"),
                 block("rm -f docker-compose.dev.yml"), block("grep -r requirements.txt ."), block("if [ -f Dockerfile.dev ]; then"), block("docker exec -it web pip install -r requirements.txt"),
                 block("ssh host \"cd /srv && docker compose -f compose.dev.yml up -d\""), block("curl -O https://example.org/compose.dev.yml\ndocker compose -f compose.dev.yml up"),
                 block("uv pip compile x.in -o requirements.txt") + "\n\n" + block("pip install -r requirements.txt"), block("cd ../other\nls") + "\n\n" + block("cp .env.example .env"),
                 block("gh repo clone o/other\ncd other\ncp .env.example .env"), "1. `git clone https://example.org/o/other && cd other`\n2. `cp .env.example .env`", block("cp example.com.conf /etc"), block("cp *.example ."),
                 "It runs `pip install -r requirements.txt`.", "We no longer use `pip install -r requirements.txt`.", "If you have one, `cp .env.example .env`.", "| Python | `pip install -r requirements.txt` |\n|-|-|\n| x | y |",
                 "Build your image:\n\n" + block("docker build -f Dockerfile.prod ."), "```\nFROM python\nRUN pip install -r requirements.txt\n```", "```\n- run: pip install -r requirements.txt\n```", block("cp app.dist.min.js x/"),
                 "Copy `.env.example` of the kiln-web repo.", "**.env.example**\n\n```\nA=1\n```\n\n" + block("cp .env.example .env"), "`compose.dev.yml`:\n\n```yaml\na: 1\n```\n\n" + block("docker compose -f compose.dev.yml up"),
                 "```yaml\n# compose.dev.yml\na: 1\n```\n\n" + block("docker compose -f compose.dev.yml up"),
                 "```python\ncp .env.example .env\n```", block("#!/bin/sh\ncp .env.example .env")):
        m.write("docs/a.md", f"# A\n\n{text}\n")
        assert told(m) == {}, text
    m.write("docs/a.md", f"# A\n\n{block('cp .env.example .env')}\n")
    m.write("web/.env.example", "A=1\n")
    assert told(m) == {}, "some folder has it"


def test_a_link_of_a_plan_is_followed_too(m):
    """Not one of the log of a day, of a changelog, or of what is shelved."""
    m.write("src/a.py", "")
    for path, heading, missing in (("docs/a.md", "Roadmap", True), ("docs/a.md", "Changes", True), ("ROADMAP.md", "Next", True), ("CHANGELOG.md", "2.0", False),
                                   ("docs/a.md", "Progress of 2024-03-01", False), ("docs/a.md", "2024-03-01: moved", False), ("docs/archive/a.md", "Roadmap", False), ("docs/phase2-summary.md", "Done", False)):
        m.write(path, f"# A\n\n## {heading}\n\nSee [it](b.md), and `python src/bake.py`.\n")
        found = told(m)
        assert bool([x for x in found if x.endswith("b_md")]) == missing, (path, heading, found)
        assert not [x for x in found if x.endswith("bake_py")], (path, heading)
        os.remove(m.path(path))
    for heading, missing in (("Testing local changes", True), ("After API changes", True), ("Breaking changes", False), ("Recent changes", False)):
        m.write("docs/a.md", f"# A\n\n## {heading}\n\n```sh\npython src/bake.py\n```\n")
        assert bool(told(m)) == missing, heading


def test_a_place_that_what_is_shelved_has_not(m):
    text = "# A\n\nSee [one](#one) and [two](#two) first. Then [three](#three).\n\n## One\n\n## Two\n"
    for path, missing in (("docs/a.md", True), ("docs/archive/a.md", False), (".agents/skills/glaze/rules.md", False)):
        m.write(path, text)
        assert len(m.run("check", "--format", "json", ".", code=None).json()["results"]) == missing, path
        os.remove(m.path(path))


def test_a_link_to_a_folder_in_a_readme(m):
    m.write("src/a.py", "")
    for path, text, missing in (("README.md", "[All](docs/plans)", True), ("README.md", "[All](./examples)", True), ("README.md", "[All](examples/)", True), ("README.md", "[All](releases)", False), ("README.md", "[Start](docs/start)", False), ("README.md", "[New](issues/new)", False), ("README.md", "[Login](auth/login)", False),
                                ("README.md", "[All](../wiki)", False), ("docs/a.md", "[All](examples/big)", False), ("README.md", "It creates [the rest](out/rest).", False)):
        m.write("docs/x.txt", "")
        m.write("docs/start.rst", "")
        m.write(path, f"# A\n\n{text}\n")
        assert bool(told(m)) == missing, (path, text)
        os.remove(m.path(path))


def test_a_license_that_is_not_there(m):
    m.write("src/a.py", "")
    m.write("README.md", "# X\n\nMIT License - see the LICENSE file for details.\n")
    m.write("src/README.md", "# X\n\nSee the `LICENSE.md` file.\n")
    assert told(m) == {"file_license": [("README.md", 3, "named"), (".", None, "LICENSE is not there")],
                       "file_src_license_md": [("src/README.md", 3, "named"), ("src", None, "src/LICENSE.md is not there")]}, told(m)
    m.write("COPYING", "MIT License")
    assert told(m) == {}, "it is there by another name"
    os.remove(m.path("COPYING"))
    os.remove(m.path("src/README.md"))
    for text in ("Add a LICENSE file.", "See the license file.", "We will see a LICENSE file soon.", "LICENSE", "See LICENSE."):
        m.write("README.md", f"# X\n\n{text}\n")
        assert told(m) == {}, text


def test_what_points_to_no_file_of_the_tree(m):
    m.write("src/a.py", "")
    m.write("sub/inner/.git/HEAD", "")
    m.write(".gitignore", "private/\n")
    os.symlink("/usr", m.path("linked"))
    git(m, "init", "-qb", "main")
    git(m, "add", ".gitignore", "src", "linked")
    for text in ("[a](src/a.py)", "[a](./src/../src/a.py)", "[a](src)", "[a](src/)", "[a](#here)", "[a](https://example.org/b.md)", "[a](mailto:b.md)", "[a](/b.md)",
                 "[a](../b.md)", "[a](../../etc/passwd.md)", "[a](b)", "[a](b.html)", "![a](@site/static/b.png)", "![a](~assets/b.png)", "[text](path/to/file.md)", "![alt](path/to/image.png)", "[title](filename.md)", "[a](dist/b.js)", "[a](api/generated/b.md)", "[a](private/b.md)", "[a](linked/b.md)",
                 "[a](<b {name}.md>)", "[a](b*.md)", "[a](b.md), which is planned", "[a](b.md) (to be created)", "[a](NNNN-b.md)", "[a](YYYYMMDDHHMM_b.md)", "[a](b.md) (coming soon)", "> [a](b.md)", "- [ ] [a](b.md)", "`[a](b.md)`",
                 "```md\n[a](b.md)\n```", "## Changelog\n\n### 2024-03-01\n\n[a](b.md)", "<!-- [a](b.md) -->", "[a](b%0Ac.md)", "[a](%FF.md)", "[a](b%00.md)"):
        m.write("README.md", f"# X\n\n{text}\n")
        assert told(m) == {}, text
    for text in ("[a](b.md)", "[a](b.png)", "![a](b.SVG)", "[a](deploy/b.yml)", "[a](how-to-my-module.md)", "To be sure, see [a](b.md)", "[a](b.md?x=1#y)", "[a](b%20c.md)", "[![a](https://example.org/x.png)](b.md)", "[b.md](b.md)", "1. [a][r]\n\n[r]: src/b.py"):
        m.write("README.md", f"# X\n\n{text}\n")
        assert len(told(m)) == 1, text
    m.write("c.mdx", "")
    m.write("README.md", "# X\n\n[a](c.md)\n")
    assert told(m) == {}, "a site makes one page of both"
    m.write(".roo/rules/a.md", "# A\n\n- [a](src/a.py)\n- Example: [b](x.md)\n")
    m.write(".cursor/rules/a.md", "# A\n\n- Write links so: [it](a.py).\n")
    assert told(m) == {}, "it may be elsewhere"
    m.write(".github/a.md", "# A\n\nSee [it](../other/a.py).\n")
    assert len(told(m)) == 1
    m.write("docs/guide.md", "# Guide\n\nSee [it](../other/a.md).\n")
    assert len(told(m)) == 1, "a site may lay that beside these documents"
    os.remove(m.path("docs/guide.md"))
    os.remove(m.path(".github/a.md"))
    m.write(".cursor/rules/a.md", "# A\n\n- [a](gone.py)\n")
    assert len(told(m)) == 1
    os.remove(m.path(".cursor/rules/a.md"))
    for path in ("templates/a.md", "tests/data/a.md", "src/test/resources/a.md", "examples/a.md", "docs/archive/a.md", "i18n/a.md", "docs/zh-hant/a.md"):
        m.write(path, "# X\n\n[a](b.md)\n")
        assert told(m) == {}, path


def test_a_folder_that_git_ignores_may_be_made(m):
    m.write("kiln/a.py", "")
    m.write("README.md", "# X\n\nFiles of firings live under `kiln/firings/`.\n")
    git(m, "init", "-qb", "main")
    git(m, "add", ".")
    assert len(told(m)) == 1
    m.write(".gitignore", "kiln/firings/\n")
    assert told(m) == {}


def test_what_a_program_writes_is_not_missing(m):
    m.write("src/a.py", "")
    m.write("README.md", "# X\n\n- [Reference](docs/reference/index.md)\n- [Use](docs/use.md)\n- [Shape](docs/shape.md)\n")
    m.write("docs/a.txt", "")
    every = {"file_docs_reference", "file_docs_use_md", "file_docs_shape_md"}
    assert set(told(m)) == every, told(m)
    nav = "nav:\n  - Home: index.md\n  - Reference:\n    - All: reference/index.md\n  - Use: use.md\n# shape.md\n"
    m.write("mkdocs.yml", nav)
    assert set(told(m)) == every, "without a plugin its pages are files"
    m.write("mkdocs.yml", nav + "plugins:\n  - gen-files:\n      scripts: [a.py]\n")
    m.write("old/use.md", "# U\n")
    m.write("docs/x.md", "# X\n\nSee [it](kiln/it.md).\n")
    assert set(told(m)) == every - {"file_docs_reference"}, "a page that is elsewhere is written by hand"
    m.write("README.md", "# X\n")
    m.write("client/docs/Kiln.md", "# Kiln\n\n| Name | Type |\n|-|-|\n| fired | [time.Time](time.Time.md) |\n")
    assert list(told(m)) == ["file_client_docs_time_time_md"], told(m)
    m.write("client/.openapi-generator-ignore", "")
    assert told(m) == {}, "a program wrote it from a description"
    m.write("client/guide/own.md", "# G\n\nSee [it](gone.md).\n")
    assert list(told(m)) == ["file_client_guide_gone_md"], "by hand"


def test_a_line_of_a_log_is_of_its_day(m):
    m.write("src/a.py", "")
    m.write("README.md", "# X\n\n- [2025-08-08 22:06] Added [b](src/b.py)\n- 2025-08-09: Added [c](src/c.py)\n- Since 2025-08-09 there is [d](src/d.py)\n")
    assert list(told(m)) == ["file_src_d_py"], told(m)
    m.write("README.md", "# Meetings\n\n- 2025-08-09 - [Retro](retro.md)\n")
    assert list(told(m)) == ["file_retro_md"], "an index by day"


def test_a_package_in_several_versions_is_of_nobody(m):
    m.write("package.json", '{ "dependencies": { "react": "^19.0.0", "vite": "^7.0.0" } }')
    m.write("README.md", "# X\n\n- React 18\n- Vite 6\n")
    assert set(told(m)) == {"react_version", "vite_version"}, told(m)
    m.write("web/package.json", '{ "dependencies": { "react": "^18.2.0", "vite": "~5.5.0" } }')
    assert "react_version" not in told(m) and "vite_version" not in told(m), "the one in web may be the one that is told of"
    m.write("web/package.json", '{ "dependencies": { "react": "^19.2.0" } }')
    assert {"react_version", "vite_version"} <= set(told(m)), "both are of one release"


def test_documents_of_a_site_are_about_any_project(m):
    m.write("package.json", '{ "scripts": { "docusaurus": "docusaurus" }, "dependencies": { "@docusaurus/core": "2.4.3" } }')
    m.write("docs/tests.md", "# Tests\n\nRun `yarn test` and see.\n")
    m.write("README.md", "# Site\n\n```\nyarn build\n```\n")
    assert list(told(m)) == ["script_build"], told(m)


def test_what_is_run_in_the_main_repository(m):
    m.write("package.json", PACKAGE % "top")
    for where, missing in (("", ["script_lint"]), (" (in the main repository)", [])):
        m.write("README.md", f"# X\n\nRun `npm run lint`{where}.\n")
        assert list(told(m)) == missing, where


def test_whose_project_a_script_is_run_in(m):
    """What somebody installs the package in, what a file has to hold, and a folder that the sentence names are other places."""
    m.write("package.json", PACKAGE % "sieve")
    run = "```sh\nnpm run lint\n```\n"
    for before, missing in (("", True), ("Run it:\n\n", True), ("Inside a mobile app repo:\n\n", False), ("App repos can use the generated scripts:\n\n", False),
                            ("In your project, run:\n\n", False), ("From inside the repository, run:\n\n", True), ("Start the application in your terminal:\n\n", True),
                            ("Open your browser after starting the app:\n\n", True), ("The generated files are in the repository, so run:\n\n", True),
                            ("## Use\n\n```sh\nnpm i -D sieve\n```\n\n", False), ("## Use\n\n```sh\nnpm i -D riddle\n```\n\n", True), ("## Use\n\n```sh\nnpm i -g sieve\n```\n\n", True), ("## Use\n\n```sh\nyarn add sieve@latest -D\n```\n\n", False),
                            ("```sh\nnpm i sieve\n```\n\n", True), ("## Use\n\n```sh\nnpm i -D sieve\n```\n\n## Work\n\n", True), ("## `.husky/pre-commit`\n\n", False),
                            
                            ("## Pre-commit\n\n", True), ("## Build/Test\n\n", True), ("## src/\n\n", True), ("## .NET\n\n", True)):
        m.write("README.md", f"# @acme/sieve\n\n{before}{run}")
        assert list(told(m)) == (["script_lint"] if missing else []), before
    for text, missing in (("Run `npm run lint` in `web/app`.", False), ("Run `npm run lint` from `web/app`.", False), ("Run `npm run lint` as `web/app` does.", True), ("Output of `npm run lint`", False),
                          ("Check the result of `npm run lint` first.", True), ("Run `npm run lint`, which reads `config/eslint.json`.", True),
                          ("Run `npm run lint` to find errors in `web/app`.", True)):
        m.write("README.md", f"# X\n\n{text}\n")
        assert list(told(m)) == (["script_lint"] if missing else []), text


def test_a_part_with_a_lock_file_of_its_own(m):
    m.write("src/a.py", "")
    m.write("package.json", '{\n "name": "x", "packageManager": "pnpm@9.0.0"\n}\n')
    m.write("apps/mill/package.json", '{\n "name": "mill"\n}\n')
    m.write("apps/mill/README.md", "# Mill\n\n```\nnpm install\n```\n")
    assert told(m)
    m.write("apps/mill/package-lock.json", "{}\n")
    assert told(m) == {}


def test_a_container_serves_a_build(m):
    """People look at the one port, developers at another; a server has one."""
    for name, missing in (("web", False), ("gateway", True)):
        m.write("docker-compose.yml", f"services:\n  {name}:\n    ports:\n      - \"8080:80\"\n")
        m.write("README.md", f"# X\n\n- **{name}**: http://localhost:5180\n")
        assert bool(told(m)) == missing, (name, told(m))


def test_a_link_to_what_is_to_come(m):
    m.write("src/a.py", "")
    for behind, missing in (("", True), (" *(Phase 6)*", False), (" (\u5C06\u6765)", False), (" in Phase 6", True), (" \u8BA1\u5212", True)):
        m.write("README.md", f"# X\n\n- [Serving](serving.md){behind}\n")
        assert list(told(m)) == (["file_serving_md"] if missing else []), behind


def test_a_manifest_of_the_past_states_nothing(m):
    m.write("package.json", '{ "engines": { "node": ">=20" } }')
    m.write("web/package.json", '{ "engines": { "node": ">=18" } }')
    m.write("web/README.md", "# Web\n\nNode.js 16 is needed.\n")
    assert "web_node_version" in told(m), told(m)
    os.rename(m.path("web"), m.path("deprecated"))
    assert told(m) == {}, told(m)


def test_folders_of_the_past_and_of_copies_keep_no_links(m):
    m.write("src/a.py", "")
    for folder, missing in (("docs/wiki_legacy_parts", False), ("docs/old_pages", False), ("parts/kiln-master", False), ("packages/legacy-adapter", True), ("docs/older", True)):
        m.write(f"{folder}/b.md", "# B\n\nSee [it](gone.md).\n")
        assert bool(told(m)) == missing, (folder, told(m))
        os.remove(m.path(f"{folder}/b.md"))


def test_a_readme_beside_its_package_is_about_that(m):
    m.write("package.json", '{ "name": "kilns" }')
    m.write("docs/README.md", "# Site\n\n```\nyarn\n```\n")
    m.write("CONTRIBUTING.md", "# C\n\n```\nnpm install\n```\n")
    assert list(told(m)) == ["package_manager"], told(m)
    m.write("docs/package.json", '{ "name": "site" }')
    assert "package_manager" not in told(m) or told(m)["package_manager"] == [], told(m)


def test_manifests_of_test_data_say_nothing(m):
    m.write("package.json", "{}")
    for folder in ("web", "testdata/web", "a/__fixtures__/web", "test/data/web"):
        m.write(f"{folder}/package.json", '{ "engines": { "node": ">=20" } }')
        m.write(f"{folder}/README.md", "# Web\n\n- Node.js 18\n")
    assert list(told(m)) == ["web_node_version"], told(m)


def test_what_a_comment_doubts(m):
    m.write("package.json", PACKAGE % "top")
    m.write("api/package.json", '{ "scripts": { "a": "x" } }')
    m.write("web/package.json", '{ "scripts": { "dev": "x" } }')
    for text in ("cd api\nnpm run a\n# if it is configured\ncd ../web\nnpm run dev", "cd api\nnpm run a\ncd ../web # if not there yet\nnpm run dev"):
        m.write("README.md", f"# X\n\n```sh\n{text}\n```\n")
        assert told(m) == {}, "the folder is entered all the same"
    for text in ("npm run typecheck # no output if clean", "# Lint (fails if there are warnings)\nnpm run typecheck", "# Lint (if configured)\ngo generate\nnpm run typecheck"):
        m.write("README.md", f"# X\n\n```sh\n{text}\n```\n")
        assert list(told(m)) == ["script_typecheck"], text


def test_a_makefile_moves_no_subject(m):
    m.write("Makefile", "all:\n")
    m.write("web/.nvmrc", "20\n")
    m.write("README.md", "# X\n\nNode.js 18\n")
    assert list(told(m)) == ["node_version"], told(m)


def test_what_is_about_a_part_or_another_document(m):
    m.write("package.json", PACKAGE % "top")
    m.write("AGENTS.md", "# A\n\n- Build: `pnpm run build`\n")
    m.write("web/AGENTS.md", "# B\n\n- Build: `pnpm --filter top run build`\n")
    m.write("docs/a.md", "# A\n\n- [Install Using ISO](/iso.md) - from a medium\n")
    m.write("docs/b.md", "# B\n\n- [Install Using PXE](/pxe.md): by the network\n")
    assert told(m) == {}, told(m)


def test_commands_of_another_folder_or_time(m):
    m.write("package.json", PACKAGE % "top")
    m.write("web/package.json", PACKAGE % "web")
    for text, folders in (
            ("```sh\n# Today\nnpm run dev\nnpm run ship\n```", ["script_ship"]),
            ("```sh\n# Future automation\nnpm run dev\nnpm run ship\n```", []),
            ("```sh\n# Future automation\nnpm run ship\n\nnpm run pack\n```", ["script_pack"]),
            ("If a test is added, give it a script such as:\n\n```sh\nnpm run ship\n```", []),
            ("| Folder | Check |\n|-|-|\n| `web/` | `npm run ship` |", ["web_script_ship"]),
            ("| Folder | Check |\n|-|-|\n| `elsewhere/` | `npm run ship` |", [])):
        m.write("README.md", f"# X\n\n{text}\n")
        assert list(told(m)) == folders, (text, told(m))
    for text, found in (("Here you have `npm run ship`.", ["script_ship"]), ("In `../infra` you have `npm run ship`.", []), ("It will be `npm run ship`.", [])):
        m.write("README.md", f"# X\n\n{text}\n")
        assert list(told(m)) == found, (text, told(m))
    m.write("README.md", "# X\n")
    for comment, found in (("# Ship it", ["web_script_ship"]), ("# From the repo root", [])):
        m.write("web/README.md", f"# Web\n\n```sh\n{comment}\nnpm run ship\n```\n")
        assert list(told(m)) == found, (comment, told(m))


def test_commands_in_the_clone_of_another_repository(m):
    """Below the clone of a repository with another name; the README of the tree may clone itself by any."""
    m.write("package.json", PACKAGE % "sieve")
    m.write("src/a.c", "")
    for path, name, missing in (("docs/chip.md", "chiplib", False), ("docs/chip.md", "sieve", True), ("README.md", "chiplib", True)):
        m.write(path, f"# Chip\n\n```sh\ngit clone --depth 1 https://git.example/a/{name}.git\n```\n\n1. Build\n\n   ```sh\n   npm run lint\n   ```\n\n   `npm run lint` takes a minute.\n")
        assert bool(told(m)) == missing, (path, name, told(m))
        m.write(path, m.text(path) + "\n## Ours\n\n```sh\nnpm run pack\n```\n")
        assert "script_pack" in told(m), (path, name)
        os.remove(m.path(path))


def test_a_link_that_is_quoted(m):
    m.write("src/a.py", "")
    for text, found in (('Link to it ("See [how](how.md) for more").', False), ('A "good" text: see [how](how.md).', True), ('A 5" pipe, see [how](how.md).', True)):
        m.write("README.md", f"# X\n\n{text}\n")
        assert bool(told(m)) == found, text


def test_documents_of_a_site_of_documents_are_about_the_whole(m):
    m.write("package.json", '{ "name": "kiln" }')
    m.write("docusaurus/package.json", '{ "engines": { "node": ">=20" }, "scripts": { "docusaurus": "docusaurus" } }')
    m.write("docusaurus/docs/start.md", "# Start\n\n- Node.js 16+ installed\n")
    assert told(m) == {}, told(m)
    m.write("README.md", "# X\n\n- Node.js 18+ installed\n")
    assert list(told(m)) == ["node_version"], told(m)


def test_a_variable_names_the_setting_of_a_row(m):
    row = "# {0}\n\n| Setting | Default | Variable |\n|-|-|-|\n| `dial_timeout` | `{1}` | `{2}` |\n"
    for second, found in (("APP_PROXY_DIAL_TIMEOUT", False), ("APP_CACHE_DIAL_TIMEOUT", True)):
        m.write("docs/cache.md", row.format("Cache", "5s", "APP_CACHE_DIAL_TIMEOUT"))
        m.write("docs/proxy.md", row.format("Settings", "30s", second))
        assert bool(told(m)) == found, (second, told(m))


def test_files_that_are_designed_or_proposed(m):
    for name in ("bell", "cone", "kiln", "lid"):
        m.write(f"src/{name}.c", "")
    drawing = "```\nsrc/\n├── bell.c\n├── cone.c\n├── kiln.c\n├── lid.c\n└── vent.c\n```\n"
    for path, status, found in (("features.md", "", ["file_src_vent_c"]), ("features.md", "**Status:** Shipped\n\n", ["file_src_vent_c"]),
                                ("features.md", "**Status:** Proposed\n\n", []), ("design/features.md", "", [])):
        m.write(path, f"# Features\n\n## Charts\n\n{status}{drawing}")
        assert list(told(m)) == found, (path, status, told(m))
        os.remove(m.path(path))


def test_a_picture_as_a_site_lays_it(m):
    """It makes a folder of each page; or a picture is made of what lies beside it."""
    m.write("src/a.py", "")
    m.write("docs/assets/a.png", "")
    m.write("docs/guides/usage.md", "# U\n\n![a](../../assets/a.png)\n")
    assert told(m) == {}
    m.write("docs/guides/usage.md", "# U\n\n![a](../assets/b.png)\n")
    assert len(told(m)) == 1
    m.write("docs/public/b.png", "")
    m.write("docs/guides/usage.md", "# U\n\n![a](../b.png) It writes [report](report.csv). See [api](openapi.json).\n")
    assert told(m) == {}, "the folder of a site, what a program writes"
    m.write("docs/guides/usage.md", "# U\n\nSee [it](kiln.conf).\n")
    assert len(told(m)) == 1
    m.write("docs/guides/kiln.conf.in", "")
    assert told(m) == {}
    m.write("docs/source/a.md", "# U\n\nSee [it](../LEGAL.txt).\n")
    assert len(told(m)) == 1
    m.write("LEGAL.txt", "x\n")
    assert told(m) == {}


def test_links_of_docsify_begin_at_its_folder(m):
    m.write("src/a.py", "")
    m.write("docs/tools/editors.md", "# Editors\n")
    m.write("docs/tools/bags.md", "# Bags\n\nSee [editors](tools/editors.md).\n")
    assert list(told(m)) == ["file_docs_tools_tools_editors_md"], told(m)
    m.write("docs/_sidebar.md", "- [Bags](tools/bags.md)\n")
    assert told(m) == {}, told(m)


if __name__ == "__main__":
    main(globals())
