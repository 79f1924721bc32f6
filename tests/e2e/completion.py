"""Completion scripts, asked by the real shells."""
import shutil
import subprocess

from harness import HANGS, Skip, main

ZSH = r"""
zmodload zsh/zpty; zpty z zsh -f -i
zpty -w z 'PS1=; fpath=($PWD $fpath); autoload -U compinit; compinit -u -d ./dump; bindkey "^I" complete-word'
zpty -w z 'zstyle ":completion:*" list-grouped no; setopt no_beep; LISTMAX=0; echo REA''DY'
zpty -r -m z line '*READY*' || exit 1
zpty -w -n z $'%s\t\t'; sleep %d
zpty -w -n z $'\x15'; zpty -w z 'echo DO''NE'
while zpty -r z line; do print -r -- $line; [[ $line == *DONE* ]] && break; done
"""


def shell(name):
    if not shutil.which(name):
        raise Skip(f"{name} is not installed")


def script(m, name):
    return m.write({"bash": "c.bash", "fish": "c.fish", "zsh": "_hmirror"}[name], m.run("completion", name).out)


def bash(m, line):
    words = line.split(" ")
    array = " ".join(f"'{w}'" for w in words)
    out = subprocess.run(["bash", "--norc", "-c", f"source c.bash; COMP_WORDS=({array}); COMP_CWORD={len(words) - 1};"
                          " _hmirror; printf '%s\\n' \"${COMPREPLY[@]}\""], cwd=m.dir, capture_output=True, text=True, check=True)
    assert out.stderr == "", out.stderr
    return out.stdout.split()


def fish(m, line):
    out = subprocess.run(["fish", "--no-config", "-c", f"source c.fish; complete -C '{line}'"], cwd=m.dir,
                         env={**m.env, "TERM": "dumb"}, capture_output=True, text=True, check=True)
    return [x.split("\t")[0] for x in out.stdout.splitlines()]


def verbs(m):
    out = m.run("help").out
    return [x.split()[0] for x in out[out.index("Verbs:"):out.index("Options:")].splitlines()[1:] if x.strip()]


def asked(m, complete):
    assert set(verbs(m)) <= set(complete(m, "hmirror "))
    assert complete(m, "hmirror bui") == ["build"]
    assert sorted(complete(m, "hmirror theme ")) == ["diff", "eject", "list", "variables"]
    assert "--base-url" in complete(m, "hmirror build --b")
    assert "--base-url" not in complete(m, "hmirror sweep --b")
    assert sorted(complete(m, "hmirror sweep --format ")) == ["json", "text"]
    assert sorted(complete(m, "hmirror import --csv ")) == ["entity", "memory", "project", "project_state", "relation"]
    assert "build" in complete(m, "hmirror help bu")
    m.write("facts.jsonl", "")
    assert complete(m, "hmirror import fac") == ["facts.jsonl"]
    assert "build" in complete(m, "hmirror -C . bu")


def test_bash(m):
    shell("bash")
    script(m, "bash")
    asked(m, bash)
    assert sorted(bash(m, "hmirror --format = j")) == ["json"]


def test_fish(m):
    shell("fish")
    script(m, "fish")
    asked(m, fish)


def test_zsh(m):
    shell("zsh")
    script(m, "zsh")
    for line, wanted in (("hmirror bui", "build"), ("hmirror theme ", "eject"), ("hmirror build --base", "--base-url"),
                         ("hmirror sweep --format=", "json")):
        for pause in (1, 4, 16):    # keys that come while it still looks would end the look
            out = subprocess.run(["zsh", "-f", "-c", ZSH.replace("%s", line).replace("%d", str(pause))], cwd=m.dir, capture_output=True, text=True,
                                 env={**m.env, "TERM": "dumb"}, timeout=2 * HANGS)
            if wanted in out.stdout:
                break
        assert wanted in out.stdout, (line, out.stdout, out.stderr)


def test_unknown_shell(m):
    m.fails("completion", "tcsh", has="bash, fish, zsh")


if __name__ == "__main__":
    main(globals())
