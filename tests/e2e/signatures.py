#!/usr/bin/env python3
"""Signed publications: by ssh-keygen and by gpg, checked by hmirror and by git."""
import os
import shutil
import subprocess

from harness import Mirror, Skip, decision, main, state


def need(*programs):
    for p in programs:
        if not shutil.which(p):
            raise Skip(f"{p} is not installed")


def ssh_key(m, name="key", phrase=""):
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", phrase, "-C", name, "-f", m.path(name)], check=True, stdin=subprocess.DEVNULL)
    return m.text(name + ".pub").split(" ", 2)[:2]


def signed(m, more=""):
    need("ssh-keygen")
    m.facts(decision("A"), decision("B"))
    m.write("signers", "mirror@example.org " + " ".join(ssh_key(m)) + "\n")
    m.write("mirror.yml", "publish:\n  sign: ssh\n  sign_key: key\n  allowed_signers: signers\n" + more)
    m.trust()


def test_ssh(m):
    signed(m)
    m.run("publish")
    m.run("add", "project_state", "--project", "p06", "--category", "fact", "--key", "new", "--value", "1")
    m.run("publish")
    r = m.run("verify", "--signatures")
    lines = r.out.splitlines()
    assert len(lines) == 3 and all(l.startswith("good ") and l.endswith("mirror@example.org") for l in lines[:2]), r.out
    assert lines[2].endswith("2 of 2 commits signed"), r.out
    got = m.run("--format", "json", "verify", "--signatures").json()
    assert got["count"] == got["good"] == 2 and got["commits"][0]["signature"] == "good", got
    m.git("-c", "gpg.ssh.allowedSignersFile=" + m.path("signers"), "verify-commit", "mirror", "mirror~1")
    m.git("fsck", "--strict")
    m.run("verify")


def test_the_tree_is_that_of_an_unsigned_one(m):
    signed(m)
    m.run("publish")
    m.run("publish", "--repo", "plain.git", "--sign", "off")
    one, two = (m.git("rev-parse", "mirror^{tree}", repo=r).strip() for r in ("mirror.git", "plain.git"))
    assert one == two
    a, b = (m.git("cat-file", "commit", "mirror", repo=r) for r in ("mirror.git", "plain.git"))
    assert "gpgsig -----BEGIN SSH SIGNATURE-----\n" in a and "gpgsig" not in b
    assert b.split("\n\n", 1)[1] == a.split("\n\n", 1)[1]
    r = m.run("verify", "--signatures", "--repo", "plain.git", code=1)
    assert r.out.startswith("unsigned "), r.out


def test_bad_and_unknown_signatures(m):
    signed(m)
    m.run("publish")
    m.write("signers", "other@example.org " + " ".join(ssh_key(m, "other")) + "\n")
    r = m.run("verify", "--signatures", code=1)
    assert r.out.startswith("unknown "), r.out
    m.write("signers", "mirror@example.org " + " ".join(m.text("key.pub").split(" ")[:2]) + "\n")
    raw = m.git("cat-file", "commit", "mirror").replace("Mirror-Tool:", "Mirror-Took:")
    p = subprocess.run(["git", "-C", m.path("mirror.git"), "hash-object", "-t", "commit", "-w", "--stdin"], input=raw.encode(), capture_output=True, check=True)
    m.git("update-ref", "refs/heads/mirror", p.stdout.decode().strip())
    r = m.run("verify", "--signatures", code=1)
    assert r.out.startswith("bad "), r.out


def test_a_signer_that_fails_leaves_everything_as_it_was(m):
    signed(m)
    m.run("publish")
    before = m.git("rev-parse", "mirror").strip()
    files = m.tree("mirror.git")
    m.run("add", "project_state", "--project", "p06", "--category", "fact", "--key", "new", "--value", "1")
    ssh_key(m, "locked", "secret")
    m.write("mirror.yml", "publish: {sign: ssh, sign_key: locked}\n")
    m.trust()
    m.fails("publish", has=("ssh-keygen", "it did not sign with locked", "publish.sign_key"), timeout=20)
    m.write("mirror.yml", "publish: {sign: ssh, sign_key: gone}\n")
    m.trust()
    m.fails("publish", has=("ssh-keygen", "gone"))
    os.makedirs(m.path("bin"))
    m.fails("publish", has=("ssh-keygen: cannot be started", "install it"), env={"PATH": m.path("bin")})
    m.write("bin/ssh-keygen", "#!/bin/sh\necho -----BEGIN SSH SIGNATURE-----\n")
    os.chmod(m.path("bin", "ssh-keygen"), 0o755)
    m.fails("publish", has="it did not sign", env={"PATH": m.path("bin") + ":" + os.environ["PATH"]})
    assert m.git("rev-parse", "mirror").strip() == before
    left = {p for p in m.tree("mirror.git") if p not in files and "hmirror" not in p}
    assert not left, left
    m.write("mirror.yml", "publish: {sign: ssh}\n")
    m.trust()
    m.fails("publish", has="no key to sign with: set publish.sign_key")
    m.write("mirror.yml", "publish: {sign: gpg}\n")
    m.fails("publish", has="mirror.yml:1: publish.sign: no such kind: write off, ssh or openpgp")
    m.write("mirror.yml", "publish: {sign_key: --help}\n")
    m.fails("publish", has="publish.sign_key: not a key")
    m.write("mirror.yml", "")
    m.fails("publish", "--sign", "gpg", has="write ssh, openpgp or off")


def test_the_program_gets_a_clean_environment_and_no_shell(m):
    signed(m)
    m.write("bin/ssh-keygen", "#!/bin/sh\nenv > '%s'\nprintf '%%s\\n' \"$@\" > '%s'\nexit 1\n" % (m.path("env"), m.path("argv")))
    os.chmod(m.path("bin", "ssh-keygen"), 0o755)
    m.write("mirror.yml", 'publish: {sign: ssh, sign_key: "a;touch x $(id)"}\n')
    m.trust()
    m.fails("publish", has="it did not sign", env={"PATH": m.path("bin") + ":" + os.environ["PATH"], "SECRET": "x", "LD_DEBUG_X": "1", "GIT_DIR": "/"})
    names = {l.split("=")[0] for l in m.text("env").splitlines()} - {"PWD", "SHLVL", "_", "OLDPWD"}
    assert names <= {"GNUPGHOME", "HOME", "LC_ALL", "LOGNAME", "PATH", "SSH_AUTH_SOCK", "USER", "XDG_RUNTIME_DIR"}, names
    assert m.text("argv").splitlines() == ["-Y", "sign", "-n", "git", "-f", "a;touch x $(id)"]


def gpg_key(home, name):
    """Makes a key; its fingerprint, and that of the subkey that signs, if it has one."""
    env = {**os.environ, "GNUPGHOME": home}
    p = subprocess.run(["gpg", "--batch", "--quiet", "--passphrase", "", "--quick-generate-key", f"{name} <{name.lower()}@example.org>", "ed25519", "sign", "never"],
                       env=env, capture_output=True, stdin=subprocess.DEVNULL)
    if p.returncode:
        raise Skip("gpg makes no key here: " + p.stderr.decode()[-100:])
    out = subprocess.run(["gpg", "--batch", "--with-colons", "--list-keys", f"{name.lower()}@example.org"], env=env, capture_output=True, text=True).stdout
    return [line.split(":")[9] for line in out.splitlines() if line.startswith("fpr:")][0]


def with_gpg(m, test):
    need("gpg")
    home = m.path("gnupg")
    os.makedirs(home, mode=0o700)
    m.env["GNUPGHOME"] = home
    m.facts(decision("A"), decision("B"))
    try:
        test(home)
    finally:
        subprocess.run(["gpgconf", "--kill", "all"], env={**os.environ, "GNUPGHOME": home}, capture_output=True)


def test_openpgp(m):
    def test(home):
        gpg_key(home, "Mirror")
        m.write("mirror.yml", "publish: {sign: openpgp, sign_key: mirror@example.org}\n")
        m.trust()
        m.run("publish")
        r = m.run("verify", "--signatures")
        assert r.out.startswith("good ") and "Mirror <mirror@example.org>" in r.out, r.out
        p = subprocess.run(["git", "-C", m.path("mirror.git"), "verify-commit", "mirror"], env={**os.environ, "GNUPGHOME": home}, capture_output=True)
        assert p.returncode == 0, p.stderr
        os.makedirs(m.path("empty"), mode=0o700)
        r = m.run("verify", "--signatures", code=1, env={"GNUPGHOME": m.path("empty")})
        assert r.out.startswith("unknown "), r.out
    with_gpg(m, test)


def test_openpgp_keys_that_are_allowed(m):
    def publish(key, allowed):
        m.write("mirror.yml", f"publish:\n  sign: openpgp\n  sign_key: {key}@example.org\n  allowed_keys: [{', '.join(allowed)}]\n")
        m.trust()
        m.run("add", "project_state", "--project", "p06", "--category", "fact", "--key", key, "--value", "1")
        m.run("publish")

    def test(home):
        mirror, other = gpg_key(home, "Mirror"), gpg_key(home, "Other")
        spaced = " ".join(mirror.lower()[i:i + 4] for i in range(0, 40, 4))
        publish("mirror", [f"0x{mirror}"])
        assert m.run("verify", "--signatures").out.startswith("good "), "with 0x"
        publish("other", [spaced])
        r = m.run("verify", "--signatures", code=1)
        lines = r.out.splitlines()
        assert lines[0].startswith("unlisted  ") and lines[0].endswith(f"Other <other@example.org> ({other})"), r.out
        assert lines[1].startswith("good ") and lines[2].endswith("1 of 2 commits signed"), r.out
        got = m.run("--format", "json", "verify", "--signatures", code=1).json()
        assert [c["signature"] for c in got["commits"]] == ["unlisted", "good"], got
        publish("mirror", [mirror, other])
        assert m.run("verify", "--signatures").out.count("good ") == 3
        # A subkey signs for its primary key, and may be listed alone.
        env = {**os.environ, "GNUPGHOME": home}
        p = subprocess.run(["gpg", "--batch", "--quiet", "--passphrase", "", "--quick-add-key", mirror, "ed25519", "sign", "never"], env=env, capture_output=True)
        assert p.returncode == 0, p.stderr
        out = subprocess.run(["gpg", "--batch", "--with-colons", "--list-keys", mirror], env=env, capture_output=True, text=True).stdout
        subkey = [line.split(":")[9] for line in out.splitlines() if line.startswith("fpr:")][1]
        for allowed, word in (([mirror, other], "good "), ([subkey], "good "), ([other], "unlisted ")):
            m.write("mirror.yml", f"publish: {{sign: openpgp, sign_key: mirror@example.org, allowed_keys: [{', '.join(allowed)}]}}\n")
            m.trust()
            if allowed[0] == mirror:
                m.run("add", "project_state", "--project", "p06", "--category", "fact", "--key", "sub", "--value", "1")
                m.run("publish")
            assert m.run("verify", "--signatures", code=None).out.startswith(word), (allowed, word)
    with_gpg(m, test)


def test_what_is_no_fingerprint(m):
    for bad in ("ABCD1234", "A" * 39, "G" * 40, "mirror@example.org"):
        m.write("mirror.yml", f"publish:\n  allowed_keys: [{'A' * 40}, {bad}]\n")
        m.fails("health", has="mirror.yml:2: publish.allowed_keys[1]: not the fingerprint of a key: write all 40 hex digits")


if __name__ == "__main__":
    main(globals())
