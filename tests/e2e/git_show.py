#!/usr/bin/env python3
"""`git show` of a publication: what its lines are about. Of what one changed fact changes on the
branch, two thirds at least stand in a block of lines that tells of it."""
import shutil
import subprocess
from harness import *

AT = ["--created-at", "2026-05-02T09:00:00Z"]
# What changes, and the words by which a line tells of it.
CHANGES = [
    (["edit", "p06-s1", "--set", "value=50 rpm"], "p06-s1", "spindle speed", "45 rpm", "50 rpm"),
    (["edit", "p05-s2", "--set", "value=305 mm"], "p05-s2", "clear aperture", "300 mm", "305 mm"),
    (["edit", "p06-s2", "--set", "value=zirconia"], "p06-s2", "slurry", "zirconia", "cerium oxide"),
    (["add", "state", "coolant_flow", "3 l/min", "-p", "p06", "--id", "ns", *AT], "state:ns", "coolant flow"),
    (["add", "memory", "-t", "episodic", "The crane passed twice.", "-p", "p05", "--id", "nm", *AT], "memory:nm", "crane passed", "nm-"),
    (["add", "memory", "-t", "knowledge", "The path length is 1300 m.", "-p", "p04", "--id", "nm", *AT], "memory:nm", "path length", "1300 m"),
    (["add", "entity", "-t", "Decision", "Drive by hand", "-P", "decision_target=spindle", "-P", "decision_field=drive", "-P", "value=hand",
      "-p", "p06", "--id", "nd", "--supersedes", "entity:p06-e2", *AT], "p06-e2", "drive", "entity:nd"),
    (["add", "relation", "p06-e2", "AFFECTS", "p06-e1", "-p", "p06", "--id", "nr"], "relation:nr", "affects", "nr-"),
    (["conflicts", "resolve", "@spindle speed", "--winner", "project_state:p06-s1", "--notes", "Measured"],
     "spindle speed", "p06-s1", "p06-e1", "p06-m1", "45 rpm", "50 rpm", "55 rpm"),
    (["conflicts", "dismiss", "@pitch grade", "--reason", "Two pads"], "pitch grade", "p06-s4", "p06-s5", "no. 64", "no. 73"),
]


def conflicts_by_id(m):
    return {c["id"]: c for c in m.run("--format", "json", "conflicts", "list", "--status", "all").json()["conflicts"]}


def blocks(m):
    """(file, changed lines that stand together), as `git show` in a checkout has them."""
    git = lambda *a: subprocess.run(["git", *a], cwd=m.path("clone"), env=m.env, capture_output=True, text=True, check=True).stdout
    subprocess.run(["git", "clone", "-q", "-b", "mirror", m.path("mirror.git"), m.path("clone")], env=m.env, check=True)
    parts = re.split(r"^diff --git a/.* b/(.*)\n", git("show", "--format=", "--no-renames", "HEAD"), flags=re.M)
    return [(path, block.splitlines()) for path, diff in zip(parts[1::2], parts[2::2])
            for block in re.findall(r"(?:^[+-].*\n)+", diff.partition("\n@@")[2], re.M)]


def example(m):
    m.run("init")
    m.write("mirror.yml", open(os.path.join(TOP, "site-example", "mirror.yml")).read())
    facts = os.path.join(TOP, "site-example", "facts")
    m.run("import", *sorted(os.path.join(facts, f) for f in os.listdir(facts)))
    m.run("publish")
    for i, p in enumerate(["p04", "p05", "p06"] * 2):     # the first publications begin pages and their contents
        m.run("add", "state", f"warm up {i}", "on", "-p", p, "--id", f"w{i}", "--created-at", "2026-05-01T09:00:00Z")
        m.run("publish")


def test_two_thirds_are_about_the_change(m):
    example(m)
    shares = []
    for command, *words in CHANGES:
        now = Mirror()
        shutil.copytree(m.dir, now.dir, dirs_exist_ok=True)
        before = conflicts_by_id(now)
        for i, word in enumerate(command):
            if word.startswith("@"):
                found, = [c for c, x in before.items() if word[1:] in json.dumps(x).replace("_", " ")]
                command = command[:i] + [found] + command[i + 1:]
                words.append(found)
        now.run(*command)
        now.run("publish")
        words += [*(set(conflicts_by_id(now)) - set(before)), "publication 8", "change of a fact", "changes of facts", "change of conflicts", "values in"]
        tells = lambda text: any(w in text.lower().replace("_", " ") for w in words)
        all_of = blocks(now)
        total = sum(len(b) for _, b in all_of)
        about = sum(len(b) for f, b in all_of if tells(f) or tells("\n".join(b)))
        assert total > 20, (command, total)
        shares.append((about / total, " ".join(command)))
        shutil.rmtree(now.dir)
    assert min(shares)[0] >= 2 / 3, sorted(shares)


def test_nothing_for_machines_is_shown(m):
    """No line of digests, of the index of the search or of coordinates; --text shows them."""
    example(m)
    m.run("edit", "p06-s2", "--set", "value=zirconia")
    m.run("publish")
    shown = {f for f, _ in blocks(m)}
    changed = set(m.git("show", "--format=", "--name-only", "mirror").split())
    quiet = {f for f in changed - shown if not f.startswith("assets/")}
    assert quiet == {f for f in changed if re.match(r"manifest\.json$|manifest/.*\.json$|search/.*\.js$|.*\.svg$", f)}, quiet
    assert any(f.startswith("search/w-") for f in quiet) and "pictures/stood.svg" in quiet and "README.md" in shown
    assert "zirconia" in m.git("show", "--format=", "--text", "mirror", "--", "search")


def test_a_feed_changes_with_its_entries(m):
    """A publication about one project leaves the feeds of the others as they are."""
    example(m)
    m.run("edit", "p06-s2", "--set", "value=zirconia")
    m.run("publish")
    feeds = [f for f in m.git("show", "--format=", "--name-only", "mirror").split() if f.endswith("feed.atom")]
    assert sorted(feeds) == ["feed.atom", "projects/p06-polisher/feed.atom"], feeds
    for feed in ("feed.atom", "projects/p04-gigalink/feed.atom", "projects/p06-polisher/feed.atom"):
        times = re.findall(r"<updated>(.*?)</updated>", m.git("show", "mirror:" + feed))
        assert len(times) > 2 and times[0] == times[1] == max(times), (feed, times)


def test_a_word_at_the_end_changes_one_line(m):
    """Each line of the index ends in a comma."""
    example(m)
    for f in m.git("ls-tree", "-r", "--name-only", "mirror", "search/").split():
        lines = m.git("show", "mirror:" + f).splitlines()
        assert lines[0].startswith("hmShard(") and lines[-1] == "]);" and all(x.endswith(",") for x in lines[1:-1]), f


if __name__ == "__main__":
    main(globals())
