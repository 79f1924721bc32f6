#!/usr/bin/env python3
"""Programs that sign are on a leash: what they may print, how long they run, and that nothing of their group outlives them or
hmirror, however that ends. All processes are this test's own, and end by themselves after a while where hmirror does not end them."""
import os
import shutil
import signal
import socket
import subprocess
import sys
import time

from harness import HMIRROR, THOROUGH, WATCHED, Mirror, Skip, decision, main, wait_until

KINDS = {"ssh-keygen": "ssh", "gpg": "openpgp"}
# What is promised, where nothing else keeps the machine busy; else what hangs is told from what is slow.
SECONDS = 2 if THOROUGH and not WATCHED else 60
MB = 1 << 20


def mirror(m, body, program="ssh-keygen"):
    """A mirror that signs by a program that does this, a part of a shell script. Its process id, which is its group's, is in the file pid."""
    if not os.path.exists(m.path("hmirror.db")):
        m.facts(decision("A"), decision("B"))
    m.write(f"bin/{program}", f"#!/bin/sh\necho $$ >'{m.path('pid')}.new' && mv '{m.path('pid')}.new' '{m.path('pid')}'\n{body}\n")
    os.chmod(m.path("bin", program), 0o755)
    m.write("mirror.yml", f"publish: {{sign: {KINDS[program]}, sign_key: key}}\n")
    m.env["PATH"] = m.path("bin") + ":" + os.environ["PATH"]
    if os.path.exists(m.path("pid")):
        os.unlink(m.path("pid"))


def stat(pid):
    """State and group of a process, or nothing when there is none."""
    try:
        with open(f"/proc/{pid}/stat") as f:
            fields = f.read().rpartition(")")[2].split()
        return fields[0], int(fields[2])
    except (FileNotFoundError, ProcessLookupError):
        return None


def group(m):
    """The living processes of the program's group."""
    if not os.path.exists(m.path("pid")):
        return []
    leader = int(m.text("pid"))
    found = [(int(p), stat(p)) for p in os.listdir("/proc") if p.isdigit()]
    return [p for p, s in found if s and s[1] == leader and s[0] not in "ZX"]


def ended(m):
    wait_until(lambda: not group(m), "the end of the program's group", SECONDS)


def publish(m, *args):
    """The exit code, the words, and the most memory that hmirror had; that of what it waits for does not count."""
    memory = 0
    with open(m.path("said"), "wb") as said:
        p = subprocess.Popen([HMIRROR, "publish", "--trust", *args], cwd=m.dir, env=m.env, stdin=subprocess.DEVNULL, stdout=said, stderr=said)
        while p.poll() is None:
            with open(f"/proc/{p.pid}/status") as f:
                memory = max([memory] + [int(line.split()[1]) * 1024 for line in f if line.startswith("VmHWM:")])
            time.sleep(0.005)
    return p.returncode, m.text("said"), memory


def refused(m, repo, *words):
    """A publication ends with these words, in little memory, nothing of the group is left, and the next publication is well."""
    code, said, memory = publish(m, "--repo", repo)
    assert code == 2 and all(w in said for w in words) and len(said.splitlines()) == 1, (code, said)
    assert WATCHED or memory < 100 * MB, f"{memory} bytes"
    assert os.path.exists(m.path("pid")), "the program was not started"
    ended(m)
    code, said, _ = publish(m, "--repo", repo, "--sign", "off")
    assert code == 0 and "First publication" in said, said


def test_one_that_prints_without_end(m):
    bodies = ["exec yes", "yes >&2", "yes & yes >&2 & sleep 900", "cat /dev/zero", "trap '' TERM PIPE; yes"]
    for i, (program, body) in enumerate((p, b) for p in KINDS for b in bodies):
        mirror(m, body, program)
        refused(m, f"r{i}.git", program, "printed more than 64 KiB, and was ended")


def test_as_much_as_may_be_printed(m):
    for i, (n, word) in enumerate(((65535, "it did not sign"), (65536, "it did not sign"), (65537, "printed more than 64 KiB"))):
        for to in ("", " >&2"):
            mirror(m, f"head -c {n} /dev/zero{to}")
            refused(m, f"r{i}{len(to)}.git", word)


def test_one_that_eats_memory(m):
    # It ends by itself at 1 GB, so that a limit that is none costs nobody else's memory.
    mirror(m, f"""exec {sys.executable} -c '
import resource
had = []
try:
    while len(had) < 1024:
        had.append(bytearray(1 << 20))
except MemoryError:
    had = had[:-8]
open("{m.path("had")}", "w").write("%d %s" % (len(had), resource.getrlimit(resource.RLIMIT_AS)))'""")
    refused(m, "r.git", "it did not sign")
    assert int(m.text("had").split()[0]) < 256, m.text("had")
    mirror(m, f"ulimit -v >'{m.path('had')}'; ulimit -f >>'{m.path('had')}'", "gpg")
    refused(m, "g.git", "it did not sign")
    assert m.text("had") == subprocess.run(["sh", "-c", "ulimit -v; ulimit -f"], capture_output=True, text=True).stdout


def test_one_that_fills_the_disk(m):
    mirror(m, f"head -c 10000000 /dev/zero >'{m.path('large')}'")
    refused(m, "r.git", "it did not sign")
    assert os.path.getsize(m.path("large")) <= 65536


HANG = {
    "sleeps": "exec sleep 900",
    "forks": "sleep 900 & (sleep 900 & sleep 900) & wait",
    "ignores signals": "trap '' TERM INT HUP QUIT PIPE; (sleep 900; sleep 900) & sleep 900; sleep 900",
    "closes what it has": "exec <&- >&- 2>&- 3<&- 4<&-; sleep 900 & sleep 900",
    "is stopped": "sleep 900 & kill -STOP $$; sleep 900",
}


def started(m, processes, *args, **kw):
    p = subprocess.Popen([HMIRROR, "publish", "--trust", *args], cwd=m.dir, env=m.env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **kw)
    wait_until(lambda: len(group(m)) >= processes, "the start of the program")
    return p


def test_however_hmirror_ends(m):
    ends = [signal.SIGKILL] * len(HANG) + [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGSEGV]
    for program in KINDS:
        for i, (end, (name, body)) in enumerate(zip(ends, list(HANG.items()) * 2)):
            mirror(m, body, program)
            p = started(m, 1 if name == "sleeps" else 2, "--repo", f"{program}{i}.git")
            p.send_signal(end)
            caught = WATCHED and end == signal.SIGSEGV    # by what watches, which ends the program itself
            assert p.wait() == -end or caught, (program, name, end)
            ended(m)
            code, said, _ = publish(m, "--repo", f"{program}{i}.git", "--sign", "off")
            assert code == 0 and "First publication" in said, (program, name, end, said)


def test_the_end_of_a_whole_job(m):
    """As a runner ends a job: its process group, by SIGKILL. And a second Ctrl-C while it watches."""
    mirror(m, HANG["forks"])
    p = started(m, 4, start_new_session=True)
    os.killpg(p.pid, signal.SIGKILL)
    p.wait()
    ended(m)
    mirror(m, HANG["forks"])
    p = started(m, 4, "--watch")
    p.send_signal(signal.SIGINT)
    p.send_signal(signal.SIGTERM)
    assert p.wait() == 130
    ended(m)


def test_a_leash_that_is_killed(m):
    """The program ends with it; hmirror says so."""
    mirror(m, "exec sleep 900")
    p = started(m, 1)
    with open(f"/proc/{p.pid}/task/{p.pid}/children") as f:
        leash, = map(int, f.read().split())
    os.kill(leash, signal.SIGKILL)
    assert p.wait() == 2
    ended(m)


def test_its_time_is_over(m):
    """By the hidden verb itself, so that nobody waits for a minute."""
    for body in HANG.values():
        mirror(m, body)
        ours, theirs = socket.socketpair()
        place = "import os, sys; os.dup2(int(sys.argv[1]), 5); os.execv(sys.argv[2], sys.argv[2:])"
        with theirs:
            p = subprocess.Popen([sys.executable, "-c", place, str(theirs.fileno()), HMIRROR, "@leash", "1", "bounded", "ssh-keygen"], env=m.env,
                                 pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        ended_by = p.wait(timeout=300)
        assert ended_by == 128 + signal.SIGKILL, (body, ended_by)
        ended(m)
        assert int.from_bytes(ours.recv(4), sys.byteorder) == 110 and not ours.recv(4), "ETIMEDOUT"   # and then its end
        ours.close()


def test_a_minute_is_over(m):
    if not THOROUGH:
        raise Skip("takes a minute; make check THOROUGH=1")
    mirrors = []
    for program in KINDS:
        for body in HANG.values():
            o = Mirror()
            mirror(o, body, program)
            mirrors.append((o, started(o, 1)))
    try:
        for o, p in mirrors:
            assert p.wait(timeout=300) == 2
            ended(o)
            assert publish(o, "--sign", "off")[0] == 0
    finally:
        for o, p in mirrors:
            p.kill()
            o.close()


def test_what_is_left_after_a_good_end(m):
    """The group ends with the program; what left it, as gpg's agent does, lives on, and is not waited for."""
    mirror(m, f"sleep 900 & setsid sh -c 'echo $$ >{m.path('agent')}; exec sleep 900' & while ! [ -s '{m.path('agent')}' ]; do sleep 0.01; done; exit 0", "gpg")
    refused(m, "r.git", "it did not sign")
    agent = int(m.text("agent"))
    assert stat(agent) and stat(agent)[0] not in "ZX", "what left the group was ended, too"
    os.kill(agent, signal.SIGKILL)


def test_others_publish_while_a_signer_runs(m):
    if not shutil.which("ssh-keygen"):
        raise Skip("ssh-keygen is not installed")
    waits = f"while ! [ -e '{m.path('go')}' ]; do sleep 0.02; done; exec {shutil.which('ssh-keygen')} \"$@\""

    def signing(*args):
        mirror(m, waits)
        if os.path.exists(m.path("go")):
            os.unlink(m.path("go"))
        p = subprocess.Popen([HMIRROR, "publish", "--trust", *args], cwd=m.dir, env=m.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        wait_until(lambda: group(m), "the start of the program")
        return p

    def signed(p):
        m.write("go", "")
        out = p.communicate()[0].decode()
        return p.returncode, out

    mirror(m, waits)
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", m.path("key")], check=True, stdin=subprocess.DEVNULL)
    for first in (True, False):
        p = signing()
        m.run("add", "project_state", "--project", "p06", "--category", "fact", "--key", f"k{first}", "--value", "1")
        m.run("publish", "--sign", "off")
        tip = m.git("rev-parse", "mirror")
        code, out = signed(p)
        assert code == 2 and "branch mirror moved while we were at work; nothing was overwritten" in out, out
        assert m.git("rev-parse", "mirror") == tip
        m.run("add", "project_state", "--project", "p06", "--category", "fact", "--key", f"l{first}", "--value", "1")
    p = signing()
    m.run("publish", "--repo", "other.git", "--sign", "off")
    code, out = signed(p)
    assert code == 0 and "gpgsig" in m.git("cat-file", "commit", "mirror"), out
    m.git("fsck", "--strict")


if __name__ == "__main__":
    main(globals())
