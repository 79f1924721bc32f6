"""The workflow examples of site-example/ci, their steps run one after another in a fresh clone, with the remote on this machine."""
import json
import os
import re
import shutil
import subprocess

from harness import HMIRROR, TOP, main, state
from remote import bare, free_port, http_repo, lighttpd, tip

CI = os.path.join(TOP, "site-example", "ci")


def facts_repository(m, there):
    """The user's repository: mirror.yml and facts/ on branch main, and nothing else."""
    m.git("init", "-q", "-b", "main", "mine", repo=".")
    for name in ("mirror.yml", "facts"):
        src = os.path.join(TOP, "site-example", name)
        (shutil.copytree if os.path.isdir(src) else shutil.copy)(src, m.path("mine", name))
    os.makedirs(m.path("mine", ".github", "actions", "hmirror"))
    shutil.copy(os.path.join(CI, "action.yml"), m.path("mine", ".github", "actions", "hmirror"))
    m.git("add", "-A", repo="mine")
    m.git("-c", "user.name=h", "-c", "user.email=h@h", "commit", "-qm", "facts", repo="mine")
    m.git("push", "-q", there, "main", repo="mine")


def stubs(m):
    """What a runner's image would do for real: packages, and building the program that is under test already."""
    for left in ("hmirror-source", "hmirror", "source"):     # every run has a machine of its own
        shutil.rmtree(m.path(left), ignore_errors=True)
    for name, text in (("apt-get", 'echo "apt-get $*" >>"$HOME/asked"\n'),
                       ("make", 'echo "make $*" >>"$HOME/asked"\n[ "$1 $3" = "-C dist" ] || exit 2\nmkdir -p "$2/build/dist/hmirror-1/bin"\ncd "$2/build/dist"\n'
                                'ln -s ' + HMIRROR + ' hmirror-1/bin/hmirror && tar -czf hmirror-1-linux.tar.gz hmirror-1\n')):
        os.chmod(m.write("stubs/" + name, "#!/bin/sh\n" + text), 0o755)
    m.git("init", "-q", "source", repo=".")
    m.git("-c", "user.name=h", "-c", "user.email=h@h", "commit", "-q", "--allow-empty", "-m", "x", repo="source")
    return {"PATH": m.path("stubs") + ":" + os.environ["PATH"], "HOME": m.dir}


def shell(m, script, cwd, env):
    p = subprocess.run(["bash", "-eo", "pipefail", "-c", script], cwd=cwd, env={**m.env, **env, "GIT_CONFIG_NOSYSTEM": "1"}, capture_output=True, text=True)
    assert p.returncode == 0, f"{script}\n{p.stdout}\n{p.stderr}"
    return p.stdout


def clone(m, there, name):
    """As actions/checkout and GitLab's runner do by default: one commit, one branch."""
    m.git("clone", "-q", "--depth", "1", "--single-branch", "-b", "main", "file://" + there, name, repo=".")
    return m.path(name)


def steps_of(text):
    """The steps of a job: a small reading of just the YAML that the example is written in."""
    steps = []
    for block in re.split(r"^      - ", text[text.index("    steps:\n"):], flags=re.M)[1:]:
        run = re.search(r"^\s*run: (?:\|\n((?:^ {10}.*\n?)+)|(.*)$)", block, re.M)
        steps.append({"uses": (re.search(r"uses: (\S+)", block) or [None, None])[1],
                      "goes on": bool(re.search(r"^\s*continue-on-error: true\b", block, re.M)),
                      "run": run and (re.sub(r"^ {10}", "", run[1], flags=re.M) if run[1] else run[2]),
                      "env": dict(re.findall(r"^ {10}([A-Z_]+): (.*)$", block.split("run:")[0], re.M)),
                      "path": (re.search(r"^ {10}path: (\S+)", block, re.M) or [None, None])[1]})
    return steps


# What the job's token must be allowed, by what uses it; a step that runs needs what its command does.
NEEDS = {"actions/checkout": ["contents"], "hmirror publish --push": ["contents: write"],
         "github/codeql-action/upload-sarif": ["actions: read", "security-events: write"],
         "actions/configure-pages": ["pages"], "actions/deploy-pages": ["pages: write", "id-token: write"]}


def permitted(text, step):
    """Whether the workflow's permissions are enough for the step."""
    given = re.findall(r"^  ([a-z-]+: (?:read|write))\b", text[text.index("permissions:\n"):text.index("jobs:\n")], re.M)
    wanted = [n for what, needs in NEEDS.items() for n in needs if what in (step["uses"] or step["run"] or "")]
    return all(any(g.startswith(w) for g in given) for w in wanted)


def github(m, there, port, run, name="github-pages.yml", failing=(), change=None):
    """The steps of the workflow, up to one that fails and stops the job. failing: actions that do; change: called with the checkout."""
    text = open(os.path.join(CI, name)).read()
    values = {"steps.site.outputs.base_url": "https://them.example/there",   # without a slash at its end, as configure-pages puts it
              "vars.HMIRROR_SOURCE": "file://" + m.path("source"), "github.token": "geheim 1",
              "github.server_url": f"http://127.0.0.1:{port}/git", "github.repository": "there"}
    fill = lambda s: re.sub(r"\$\{\{ (\S+) \}\}", lambda x: values[x[1]], s)
    env, cwd, seen = {**stubs(m), "GITHUB_PATH": m.write("github_path", ""), "GITHUB_ENV": m.write("github_env", "")}, m.dir, []
    for step in steps_of(text):
        assert permitted(text, step), f"{name}: its permissions are not enough for {step['uses'] or step['run']}"
        env["PATH"] = ":".join(m.text("github_path").split() + [env["PATH"]])
        env.update(line.split("=", 1) for line in m.text("github_env").splitlines())
        if "upload-sarif" in (step["uses"] or ""):
            assert env["MIRROR"] == m.git("rev-parse", "mirror", repo=os.path.join(cwd, "mirror.git")).strip()
        if step["run"]:
            shell(m, fill(step["run"]), cwd, {**env, **{k: fill(v) for k, v in step["env"].items()}})
        elif step["uses"].startswith("actions/checkout"):
            cwd = clone(m, there, f"run{run}")
            if change:
                change(cwd)
        elif step["uses"].startswith("./"):
            for script in runs_of_the_action(os.path.join(cwd, step["uses"], "action.yml")):
                shell(m, script, cwd, {**env, "ARCHIVE": "", "SOURCE": values["vars.HMIRROR_SOURCE"], "GITHUB_OUTPUT": m.path("output")})
            assert m.text("output").split("\n")[-2] == "commit=" + m.git("rev-parse", "HEAD", repo="source").strip()
        elif step["uses"].split("@")[0] in failing and not step["goes on"]:
            return cwd, seen
        elif step["uses"].startswith("actions/upload-pages-artifact"):
            assert os.path.exists(os.path.join(cwd, step["path"], "index.html"))
        seen.append(step["uses"] or "run")
    return cwd, seen


def a_new_dispute(cwd):
    with open(os.path.join(cwd, "facts", "9-new.jsonl"), "w") as f:
        for value in ("oil", "water"):
            f.write(json.dumps(state("coolant", value, project="p06", category="process", id="new-" + value)) + "\n")


def a_dead_remote(cwd):
    """One that does not answer is no missing branch."""
    subprocess.run(["git", "-C", cwd, "remote", "set-url", "origin", "file:///nowhere"], check=True)


def fails(has, job):
    try:
        job()
    except AssertionError as e:
        assert has in str(e), e
    else:
        raise AssertionError(f"a job passes that should say {has!r}")


def test_github(m):
    there, port = http_repo(m), free_port()
    facts_repository(m, there)
    with lighttpd(m, port):
        pull, seen = github(m, there, port, 0, "github-check.yml")   # before the first publication
        assert seen[-1] == "actions/upload-artifact@v4" and "<testsuites" in open(os.path.join(pull, "hmirror.xml")).read()
        cwd, seen = github(m, there, port, 1, failing=["github/codeql-action/upload-sarif"])
        first = tip(m, there)
        assert seen.count("run") >= 4 and "actions/deploy-pages@v4" in seen
        assert "Open-Conflicts: 10" in m.git("log", "-1", "--format=%B", "mirror", repo=there)
        assert m.git("ls-tree", "--name-only", "mirror", repo=there).split().count("README.md") == 1
        github(m, there, port, 2)
        assert tip(m, there) == first, "the same facts in a fresh clone made another commit"
        pull, seen = github(m, there, port, 3, "github-check.yml")
        assert seen.count("run") == 4 and "actions/upload-artifact@v4" in seen
        fails("coolant", lambda: github(m, there, port, 4, "github-check.yml", change=a_new_dispute))
        fails("ls-remote", lambda: github(m, there, port, 5, "github-check.yml", change=a_dead_remote))
    site = open(os.path.join(cwd, "_site", "404.html")).read()
    assert 'https://them.example/there/' in site, site[:2000]
    assert re.fullmatch(r"SOURCE_DATE_EPOCH=\d+00\n", m.text("github_env"))
    now = re.search(r"^Mirror-Now: (.*)$", m.git("log", "-1", "--format=%B", "mirror", repo=there), re.M)
    assert now[1].endswith("T00:00:00Z"), "now is the start of a day"
    assert "<testsuites" in open(os.path.join(pull, "hmirror.xml")).read()
    assert json.loads(open(os.path.join(cwd, "hmirror.sarif")).read())["runs"][0]["results"]
    assert not [f for f in os.listdir(os.path.join(cwd, "_site")) if f.endswith(".md")]
    asked = m.text("asked")
    assert "apt-get install" in asked and "make -C" in asked and "dist" in asked


def gitlab_lines(text, job, key):
    text = re.search(rf"^{re.escape(job)}:\n((?:  .*\n?|\n)+)", text, re.M)[1]
    block = re.search(rf"^  {key}:\n((?:    - .*\n(?:      .*\n)*)+)", text, re.M)[1]
    steps = re.findall(r"^    - .*\n(?:      .*\n)*", block, re.M)
    return [x.removeprefix("    - |\n") if x.startswith("    - |") else x.strip()[2:] for x in steps]


def test_gitlab(m):
    there, port = http_repo(m), free_port()
    facts_repository(m, there)
    text = open(os.path.join(CI, "gitlab-ci.yml")).read()
    env = {**stubs(m), "HMIRROR_SOURCE": "file://" + m.path("source"), "HMIRROR_GIT_TOKEN": "geheim 1",
           "CI_PROJECT_URL": f"http://127.0.0.1:{port}/git/there", "CI_PAGES_URL": "https://them.example/there"}

    def run(job, name, change=None):
        env.update(stubs(m))
        cwd = clone(m, there, name)
        if change:
            change(cwd)
        shell(m, "\n".join(gitlab_lines(text, ".hmirror", "before_script") + gitlab_lines(text, job, "script")), cwd, env)
        return cwd
    with lighttpd(m, port):
        for job, name in (("check", "first"), ("pages", "pages"), ("check", "second")):   # the first one has no branch to compare with
            cwd = run(job, name)
            assert job != "check" or "<testsuites" in open(os.path.join(cwd, "hmirror.xml")).read()
        fails("check", lambda: run("check", "third", a_new_dispute))
        assert "coolant" in m.text("third", "hmirror.xml")
        fails("ls-remote", lambda: run("check", "fourth", a_dead_remote))
    assert "https://them.example/there/" in m.text("pages", "public", "404.html")
    assert os.path.exists(m.path("pages", "public", "index.html")) and tip(m, there)


def nightly(m, lines, env=None, wrap=""):
    """Their folder and program are the example's own."""
    m.facts(*[], name="facts.jsonl")
    for line in lines:
        shell(m, wrap + line.replace("/usr/local/bin/hmirror", HMIRROR).replace("/srv/mirror", m.dir), m.dir, env or {})
    assert os.path.exists(m.path("site", "index.html")) and tip(m, "mirror.git")
    assert "T00:00:00Z\nMirror-Tool" in m.git("log", "-1", "--format=%B", "mirror"), "now is the start of a day"


def archive_of(m):
    """As `make dist` makes one, of the program under test."""
    os.makedirs(m.path("hmirror-1", "bin"))
    shutil.copy(os.environ["HMIRROR"], m.path("hmirror-1", "bin", "hmirror"))
    subprocess.run("tar -czf a.tar.gz hmirror-1 && sha256sum a.tar.gz >a.tar.gz.sha256", shell=True, check=True, cwd=m.dir)
    return "file://" + m.path("a.tar.gz")


def runs_of_the_action(path=os.path.join(CI, "action.yml")):
    """What it runs where the cache has nothing: the key of the cache, then hmirror itself."""
    return [re.sub("^ {8}", "", x, flags=re.M) for x in re.findall(r"^      run: \|\n((?: {8}.*\n?)+)", open(path).read(), re.M)]


def test_the_archive_is_fetched(m):
    """The action and the template for GitLab unpack it, and refuse one whose sum is wrong."""
    archive = archive_of(m)
    template = open(os.path.join(CI, "gitlab-ci.yml")).read()
    fetch = next(x for x in gitlab_lines(template, ".hmirror", "before_script") if "HMIRROR_ARCHIVE" in x)
    for n, script in enumerate((runs_of_the_action()[1], 'mkdir -p "$HOME/hmirror"\n' + fetch)):
        home = m.path(f"home{n}")
        os.makedirs(home)
        env = {**m.env, "HOME": home, "ARCHIVE": archive, "HMIRROR_ARCHIVE": archive, "SOURCE": "", "GITHUB_PATH": os.path.join(home, "path")}
        shell(m, script, home, env)
        said = subprocess.run([os.path.join(home, "hmirror/bin/hmirror"), "--version"], capture_output=True, text=True, check=True).stdout
        assert said.startswith("hmirror "), said
        right = m.text("a.tar.gz.sha256")
        m.write("a.tar.gz.sha256", "0" * 64 + right[64:])
        fails("a.tar.gz", lambda: shell(m, script, home, env))
        m.write("a.tar.gz.sha256", right)


def test_what_was_built_is_kept(m):
    """A job builds hmirror from source once for each commit: GitLab's with its cache, GitHub's where the cache has its folder."""
    env = {**stubs(m), "HMIRROR_SOURCE": "file://" + m.path("source"), "SOURCE": "file://" + m.path("source"), "ARCHIVE": "", "GITHUB_PATH": m.path("path")}
    template = open(os.path.join(CI, "gitlab-ci.yml")).read()
    fetch = next(x for x in gitlab_lines(template, ".hmirror", "before_script") if "HMIRROR_ARCHIVE" in x)
    cached = re.search(r"paths: \[(.*)\]", template)[1]
    built = lambda: m.text("asked").count("make -C")   # noqa: E731
    os.makedirs(m.path("checkout"))
    for want in (1, 1, 2):
        for left in ("hmirror", "hmirror-source"):
            shutil.rmtree(m.path(left), ignore_errors=True)
        if want == 2:
            m.git("-c", "user.name=h", "-c", "user.email=h@h", "commit", "-q", "--allow-empty", "-m", "newer", repo="source")
        shell(m, 'mkdir -p "$HOME/hmirror"\n' + fetch, m.path("checkout"), env)
        assert os.path.exists(m.path("hmirror/bin/hmirror")) and os.listdir(m.path("checkout")) == [cached.rstrip("/")]
        assert built() == want, m.text("asked")
    build = runs_of_the_action()[1]
    shell(m, build, m.path("checkout"), env)
    assert built() == 2, "the cache of GitHub had it"
    for left in ("hmirror", "hmirror-source"):
        shutil.rmtree(m.path(left))
    shell(m, build, m.path("checkout"), env)
    assert built() == 3 and os.path.exists(m.path("hmirror/bin/hmirror"))


def test_systemd(m):
    """With publish.push, which the unit's protections must let through."""
    unit = open(os.path.join(CI, "hmirror.service")).read()
    there, port = http_repo(m), free_port()
    m.write("mirror.yml", f"publish:\n  push: http://127.0.0.1:{port}/git/there.git\n")
    m.trust()
    alone = re.search(r"^PrivateNetwork=(yes|true|1|on)$", unit, re.M)
    families = re.search(r"^RestrictAddressFamilies=(.*)$", unit, re.M)
    assert not families or {"AF_INET", "AF_INET6"} <= set(families[1].split())
    with lighttpd(m, port):
        lines = [x.replace("$$", "$").replace("%%", "%") for x in re.findall(r"^ExecStart=(.*)$", unit, re.M)]   # as systemd reads them
        nightly(m, lines, {"HMIRROR_GIT_TOKEN": "geheim 1"}, "unshare --net -- " if alone else "")
    assert tip(m, there) == tip(m, "mirror.git")
    timer = open(os.path.join(CI, "hmirror.timer")).read()
    assert "OnCalendar=" in timer and "[Install]" in timer
    if shutil.which("systemd-analyze"):
        when = re.search(r"^OnCalendar=(.*)$", timer, re.M)[1]
        subprocess.run(["systemd-analyze", "calendar", when], check=True, capture_output=True)


def test_cron(m):
    [line] = [x for x in open(os.path.join(CI, "hmirror.cron")).read().splitlines() if x and x[0] in "0123456789*"]
    fields = line.split(None, 6)
    assert len(fields) == 7 and all(re.fullmatch(r"[\d*/,-]+", f) for f in fields[:5])
    nightly(m, [fields[6]])


def test_notes_are_checked_in_a_pull_request(m):
    step, = [s["run"] for s in steps_of(open(os.path.join(CI, "notes.yml")).read()) if s["run"]]
    m.write("n/A.md", "- Ruby 3.3\n")
    for args in (["init", "-q"], ["add", "-A"], ["-c", "user.name=k", "-c", "user.email=k@example.org", "commit", "-qm", "first"],
                 ["update-ref", "refs/remotes/origin/main", "HEAD"]):
        subprocess.run(["git", *args], cwd=m.path("n"), env=m.env, check=True)
    m.write("n/B.md", "- Ruby 3.4\n")
    env = {"PATH": os.path.dirname(HMIRROR) + ":" + os.environ["PATH"], "GITHUB_BASE_REF": "main"}
    told = subprocess.run(["sh", "-c", step], cwd=m.path("n"), env={**m.env, **env}, capture_output=True, text=True)
    assert told.returncode == 1 and "::error file=B.md,line=1," in told.stdout and "A.md:1 says 3.3" in told.stdout, told
    hook = open(os.path.join(TOP, ".pre-commit-hooks.yaml")).read()
    entry = re.search(r"entry: (.*)", hook)[1].split() + re.search(r"^  args: \[(.*)\]", hook, re.M)[1].split(", ")
    assert subprocess.run(entry, cwd=m.path("n"), env={**m.env, **env}, capture_output=True).returncode == 1


if __name__ == "__main__":
    main(globals())
