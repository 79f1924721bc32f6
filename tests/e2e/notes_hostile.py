#!/usr/bin/env python3
"""Hostile trees of documents: what is in them is told, bounded, and nothing outside of them is read."""
from harness import *

ROOM = 1 << 30   # bytes of address space, far below what each of these trees could be made to take


def bounded():
    if not WATCHED:
        resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))


def both(m, *words, code=0):
    """What a check and an import of the tree tell, and what the import stored."""
    check = m.run("check", "-v", "--format", "json", *words, code=code, preexec=bounded)
    told = m.run("import", "--complete", *words, preexec=bounded)
    return check.json(), check.err, told.err, m.run("export").out


def good(m):
    """The tree has this line, which is read whatever stands beside it."""
    m.write("n/good.md", "# Good\n\n- Ruby version: 3.4\n")


def test_links_out_of_the_tree(m):
    good(m)
    m.write("out/secret.md", "- Ruby version: 1.9\n- The password is swordfish.\n")
    os.symlink("../out/secret.md", m.path("n/file.md"))
    os.symlink("../out", m.path("n/folder"))
    os.symlink(m.path("out"), m.path("n/absolute"))
    os.symlink("loop", m.path("n/loop"))
    os.mkfifo(m.path("n/pipe.md"))
    m.write("n/CLAUDE.md", "- See @../out/secret.md, @file.md, @folder/secret.md and [[../out/secret]] and ![x](../out/secret.md).\n")
    report, told, imported, stored = both(m, "n")
    assert report["results"] == [] and report["counts"]["files"] == 2, report
    for name in ("file.md", "folder", "absolute"):
        assert f"n/{name} is a symbolic link" in told, told
    assert "n/pipe.md" in told and "n/pipe.md" in imported, told
    assert "swordfish" not in stored + told + imported and "1.9" not in stored, stored
    assert "Ruby version: 3.4" in stored
    for word in ("file.md", "folder", "folder/secret.md", "pipe.md"):
        assert "swordfish" not in m.run("check", "--format", "json", word, code=2, cwd=m.path("n")).out


def test_a_link_that_is_named_leads_out_of_its_folder(m):
    m.write("out/secret.md", "- Ruby version: 1.9\n- The password is swordfish.\n")
    m.write("n/docs/real.md", "- Ruby version: 3.4\n")
    m.write("here/a.md", "- Ruby version: 3.3\n")
    os.symlink("../out/secret.md", m.path("n/AGENTS.md"))
    os.symlink("docs/real.md", m.path("n/CLAUDE.md"))
    m.write("n/top.md", "- Ruby version: 3.4\n")
    os.symlink("../top.md", m.path("n/docs/up.md"))
    os.symlink("n", m.path("linked"))
    here = m.path("here")
    for word in ("../n/AGENTS.md", m.path("n/AGENTS.md"), "../linked/AGENTS.md"):
        for verb in ("check", "import"):
            r = m.run("-C", m.path("."), verb, word, code=2) if os.path.isabs(word) else m.run(verb, word, code=2, cwd=here)
            assert "leads by a symbolic link out of this folder: name" in r.err and "swordfish" not in r.out, r.err
    m.run("check", "../n/CLAUDE.md", cwd=here)
    m.run("check", "../linked/docs", cwd=here)
    m.run("check", "../linked", cwd=here)
    m.run("check", "../n/docs/up.md", code=2, cwd=here)
    subprocess.run(["git", "init", "-q", m.path("n")], check=True)
    m.run("check", "../n/docs/up.md", cwd=here)   # within its work tree
    m.run("check", "../n/AGENTS.md", code=2, cwd=here)


def test_pipes_where_git_reads(m):
    """Git is not asked below them, and nobody waits."""
    good(m)
    m.write("n/.gitignore", "*.tmp.md\n")
    m.write("n/sub/a.tmp.md", "- Ruby version: 3.4\n")
    m.write("n/a.tmp.md", "- Ruby version: 1.9\n")
    subprocess.run(["git", "init", "-q", m.path("n")], check=True)
    os.mkfifo(m.path("n/sub/.gitignore"))
    report, told, imported, stored = both(m, "n")
    assert "n/sub/.gitignore is not a file" in told and "n/sub/.gitignore is not a file" in imported, told
    assert report["counts"]["files"] == 2 and "n/a.tmp.md is ignored by git" in told, told
    for path in ("index", "HEAD", "info/exclude", "commondir"):
        os.makedirs(os.path.dirname(m.path("n/.git/" + path)), exist_ok=True)
        if os.path.exists(m.path("n/.git/" + path)):
            os.remove(m.path("n/.git/" + path))
        os.mkfifo(m.path("n/.git/" + path))
        assert m.run("check", "--format", "json", "n", code=1, preexec=bounded).json()["counts"]["files"] == 3
        os.remove(m.path("n/.git/" + path))


def test_pipes_that_a_config_of_git_includes(m):
    """Also behind another file, and where .git is a file that names its folder."""
    good(m)
    files = m.run("check", "--format", "json", "n").json()["counts"]["files"]
    subprocess.run(["git", "init", "-q", m.path("n")], check=True)
    os.mkfifo(m.path("n/.git/pipe"))
    with open(m.path("n/.git/config")) as f:
        kept = f.read()
    m.write("n/.git/more", "[include]\n\tpath = pipe\n")
    for text in ("[include]\n\tpath = pipe\n", "[InClude] PATH=\"pipe\"\n", "[includeIf \"gitdir:]\"]\npath = pipe\n", "[include]\npath = pi\\\npe\n", "[include]\npath = more\n"):
        m.write("n/.git/config", kept + text)
        assert m.run("check", "--format", "json", "n", preexec=bounded).json()["counts"]["files"] == files, text
    m.write("n/.git/config", kept)
    os.rename(m.path("n/.git"), m.path("n/else"))
    os.remove(m.path("n/else/config"))
    os.mkfifo(m.path("n/else/config"))
    m.write("n/.git", "gitdir: else\n")
    assert m.run("check", "--format", "json", "n", preexec=bounded).json()["counts"]["files"] == files


def test_patterns_that_take_long(m):
    good(m)
    m.write("n/.gitignore", "*.tmp.md\n" + "*a" * 13 + "*b\n")
    m.write("n/" + "a" * 200 + ".md", "- Ruby version: 3.4\n")
    m.write("n/few/.gitignore", "report.[0-9]*.[0-9]*.[0-9]*.[0-9]*.json\n*.*.*.bak\n")
    for i in range(2000):
        m.write(f"n/few/report.1.2.3.of-a-name-that-is-rather-long-{i}.md", "x\n")
    subprocess.run(["git", "init", "-q", m.path("n")], check=True)
    r = m.run("check", "n", preexec=bounded)
    assert "n/.gitignore has patterns that take too long" in r.err and "few" not in r.err, r.err
    m.write("n/.gitignore", "")
    assert m.run("check", "n", "--exclude", "*a" * 13 + "*b", "--include", "*a" * 30 + "*.md", preexec=bounded).err == ""


def test_each_line_that_is_not_read_is_told(m):
    good(m)
    m.write("n/long.md", ("word " * 20_000 + "\n\n") * 3)
    report, told, imported, stored = both(m, "n")
    for line in (1, 3, 5):
        assert f"n/long.md:{line}: not read: a line over 64 KiB" in told, told
        assert f"n/long.md:{line}: not read: a line over 64 KiB" in imported, imported


def test_many_links_and_names_of_files(m):
    """Each is looked at once, and a text is not copied for each."""
    good(m)
    m.write("n/places.md", "# Places\n\n" + "".join(f"[a](#places)\n\n[a](#places)\n\n[b](#b{i})\n\n" for i in range(6000)))
    m.write("n/.github/workflows/ci.yml", "name: ci\n")
    m.write("n/names.md", "# Names\n\n" + "".join("A workflow is in " + " ".join(f"`a-{p}-{i}.yml`" for i in range(4000)) + "\n\n" for p in range(12)))
    subprocess.run(["git", "init", "-q", m.path("n")], check=True)
    subprocess.run(["git", "-C", m.path("n"), "add", "-A"], check=True)
    report, told, imported, stored = both(m, "n")
    assert report["counts"]["files"] >= 3 and "Ruby version: 3.4" in stored, told


def test_long_lines_and_files(m):
    good(m)
    m.write("n/long.md", "- Ruby version: 3.3\n" + "x" * 900_000 + "\n\n## More\n\n- Ruby version: 3.2\n")
    m.write("n/huge.md", "")
    os.truncate(m.path("n/huge.md"), 100 << 20)   # one line of 100 MiB
    m.write("n/wide.md", "|" + "a|" * 8000 + "\n|" + "-|" * 8000 + "\n|" + "b|" * 8000 + "\n")
    m.write("n/empty.md", "\n" * 500_000)
    report, told, imported, stored = both(m, "n", code=1)
    for err in (told, imported):
        assert "n/huge.md is larger than 1 MiB" in err or "n/huge.md" in err, err
        assert "n/long.md:2: not read:" in err and "n/wide.md:1: not read:" in err, err
    values = {s["value"] for x in report["results"] for s in x["sides"]}
    assert values == {"3.4", "3.3", "3.2"}, values
    assert len(stored) < 100_000


def test_long_headings(m):
    """What headings say is read once for all below them, and of a long one the beginning."""
    good(m)
    words = " ".join(f"abcdefg{i:03}" for i in range(1000)) * 5
    long = "".join("#" * level + f" {words}\n\n" for level in range(2, 6))
    m.write("n/headings.md", "# Notes\n\n" + long + "".join(f"###### a{i}\n\nFoo bar.\n" for i in range(5000)))
    m.write("n/items.md", "# Notes\n\n" + long + "".join(f"- ✅ **Kx w{i}q**\n" for i in range(5000)))
    _, told, imported, stored = both(m, "n")
    assert "Ruby version: 3.4" in stored and "Kx w4999q" in stored and "Foo bar." in stored, told


def test_nesting(m):
    good(m)
    deep = {"list": "- " * 10_000 + "Ruby version: 3.1\n", "quotation": "> " * 10_000 + "Ruby version: 3.1\n", "both": "> - " * 10_000 + "x\n",
            "emphasis": "*a _b " * 30_000 + "\n", "brackets": "[" * 60_000 + "\n", "links": "[a](" * 15_000 + "\n", "ticks": "".join("`" * i + " " for i in range(300)) + "\n",
            "steps": "".join("  " * i + "- Ruby version: 3.1\n" for i in range(500)), "html": "<!-- " * 12_000 + "\n", "struck": "~~a " * 15_000 + "\n"}
    for name, text in deep.items():
        m.write(f"n/{name}.md", text)
    _, told, imported, stored = both(m, "n", code=None)
    for name in ("list", "quotation", "both"):
        assert f"n/{name}.md:1: not read: lists or quotations nested more than 32 deep" in told, told
        assert f"n/{name}.md:1: not read: lists or quotations nested more than 32 deep" in imported, imported
    assert "n/steps.md:" in told and "Ruby version: 3.4" in stored


def test_bytes_that_are_no_text(m):
    good(m)
    m.write("n/bytes.md", b"# A\n\n- Ruby version: 3.3\n- \xff\xfe \xc0\x80 \xed\xa0\x80\n- Ruby \0version: 3.2\n- \x1b[31mred\x1b[0m \xe2\x80\xaeRuby version: 3.1\n")
    m.write("n/utf16.md", "# A\n\n- Ruby version: 3.0\n".encode("utf-16"))
    m.write("n/crlf.md", b"\xef\xbb\xbf# A\r\n\r\n- Ruby version: 3.3\r\n")
    report, told, imported, stored = both(m, "n", code=1)
    for err in (told, imported):
        assert "n/bytes.md:4: not read: not UTF-8" in err and "n/utf16.md:1: not read: not UTF-8" in err, err
        assert "\x1b" not in err and "\u202e" not in err
    assert "3.0" not in stored and "\x1b" not in json.dumps(report, ensure_ascii=False), report
    sides = {(s["path"], s["line"]) for x in report["results"] for s in x["sides"]}
    assert ("n/crlf.md", 3) in sides and ("n/bytes.md", 3) in sides, sides


def test_front_matter(m):
    """An alias is no value; what it would become is never made."""
    good(m)
    bomb = "a: &a [" + "lol, " * 9 + "lol]\n" + "".join(f"{chr(98 + i)}: &{chr(98 + i)} [" + f"*{chr(97 + i)}, " * 9 + f"*{chr(97 + i)}]\n" for i in range(12))
    m.write("n/bomb.md", f"---\n{bomb}---\n\n- Ruby version: 3.3\n")
    m.write("n/deep.md", "---\na: " + "[" * 20_000 + "]" * 20_000 + "\nb: " + "{a: " * 5_000 + "}" * 5_000 + "\n---\n\n- Ruby version: 3.2\n")
    m.write("n/tags.md", "---\na: !!python/object/apply:os.system ['true']\nb: <<: *c\n? [x\n---\n\n- Ruby version: 3.1\n")
    m.write("n/open.md", "---\nstatus: x\n" + "a: b\n" * 50_000 + "- Ruby version: 3.0\n")
    report, told, imported, stored = both(m, "n", code=1)
    values = {s["value"] for x in report["results"] for s in x["sides"]}
    assert {"3.4", "3.3", "3.2", "3.1"} <= values, (values, told)
    assert stored.count("lol") < 1000 and len(stored) < 20_000_000, len(stored)


def test_names(m):
    good(m)
    m.write("n/a\nb.md", "- Ruby version: 3.3\n")
    m.write("n/red\x1b[31m.md", "- Ruby version: 3.3\n")
    m.write("n/\u202egnp.md", "- Ruby version: 3.3\n")
    m.write("n/" + "x" * 250 + ".md", "- Ruby version: 3.4\n")
    m.write("n/-rf.md", "- Ruby version: 3.4\n")
    m.write("n/$(touch x).md", "- Ruby version: 3.4\n")
    with open(os.path.join(os.fsencode(m.path("n")), b"\xff.md"), "w") as f:
        f.write("- Ruby version: 3.3\n")
    report, told, imported, stored = both(m, "n", code=None)
    for err in (told, imported):
        assert err.count("has a name with a control character or invalid UTF-8") == 4, err
        assert "\x1b" not in err and "a\nb.md" not in err and "\u202e" not in err, err
    assert all(line.startswith("{") for line in stored.splitlines()), stored
    for form in ("text", "github", "sarif", "junit"):
        out = m.run("check", "--format", form, "n", code=None).out
        assert "\x1b" not in out and "\u202e" not in out, (form, out)
    assert not os.path.exists(m.path("x"))


def test_paths_that_are_not_there(m):
    """By the thousand, out of the tree, very long, with names that break lines: told within bounds, and nothing outside is looked for."""
    m.write("n/src/a.py", "")
    m.write("out/there.md", "# T\n")
    os.symlink("../out", m.path("n/link"))
    open(os.path.join(m.dir, "n", "x\ny.md"), "w").close()
    m.write("n/many.md", "# M\n\n`src/a.py`\n\n" + "".join(f"- [a](b{i}.md) `src/c{i}.py`\n" for i in range(1000)) + "\n- " + " ".join(f"[a](d{i}.md)" for i in range(1000)))
    for k, url in enumerate(("../out/none.md", "../" * 9000 + "none.md", "a/" * 9000 + "none.md", "link/none.md", "x%0Az.md", "%2e%2e/out/none.md", "..%2fout/none.md", "file:///etc/none.md", "//etc/none.md", "%00.md", "\\..\\none.md")):
        m.write(f"n/u{k}.md", f"# U\n\n[a]({url})\n\n`src/a.py` and `{url[:60000]}`\n")
    report, told, imported, stored = both(m, "n", code=1)
    known = {f"{name}{i}.md" for name in "bd" for i in range(1000)}  # so many paths in code are of another state
    states = {row["key"] for row in map(json.loads, stored.splitlines()) if row["kind"] == "project_state"}
    assert len(report["results"]) == len(states) == 1032 and states <= {"file " + path for path in known}, sorted(states)[:20]


def test_comments_by_the_thousand_on_one_slot(m):
    def said(n):
        for name, odd in (("a", 1), ("b", 0)):
            m.write(f"n/{name}.md", "# D\n\n" + "".join(
                f"The pool size of the cache is {2 * i + odd}. <!-- hmirror: ok because -->\n\n" for i in range(n)))
        return both(m, "n", code=0 if n < 500 else 1)[0]
    report = said(450)
    assert report["results"] == [] and len(report["settled"]) == 900, report["counts"]
    assert report["settled"][0]["against"].endswith(" and 894 more"), report["settled"][0]
    report = said(1000)   # more than 1,000 lines on one slot are a matter for a verdict
    assert report["counts"]["disputed"] == 1 and len(report["settled"]) == 2000, report["counts"]


def test_a_sparse_checkout_retires_nothing(m):
    """Nor does a file that is excluded, or that git ignores."""
    m.write("n/in/a.md", "- Ruby version: 3.4\n")
    m.write("n/out/b.md", "- Line length is 90.\n")
    m.write("n/more/c.md", "- The pump has 3 valves.\n")
    env = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    for args in (["init", "-q"], ["add", "-A"], ["-c", "user.name=k", "-c", "user.email=k@example.org", "commit", "-qm", "first"]):
        subprocess.run(["git", *args], cwd=m.path("n"), env=env, check=True)
    m.run("import", "--complete", m.path("n"))
    active = lambda: sorted(r["content"] for r in map(json.loads, m.run("export").out.splitlines()) if r["kind"] == "memory" and r["status"] == "active")
    before = active()
    assert len(before) == 3
    subprocess.run(["git", "sparse-checkout", "set", "in", "more"], cwd=m.path("n"), env=env, check=True)
    assert not os.path.exists(m.path("n/out/b.md"))
    m.run("import", "--complete", m.path("n"))
    assert active() == before
    m.run("import", "--complete", "--exclude", "more", m.path("n"))
    assert active() == before
    m.write("n/.git/info/exclude", "in\n")
    subprocess.run(["git", "rm", "-rq", "--cached", "in"], cwd=m.path("n"), env=env, check=True)
    m.run("import", "--complete", m.path("n"))
    assert active() == before
    os.remove(m.path("n/more/c.md"))
    m.run("import", "--complete", m.path("n"))
    assert active() == [x for x in before if "valves" not in x]


if __name__ == "__main__":
    main(globals())
