"""Which system calls a run of the command makes, and a run that is killed at one of them (strace)."""
import collections
import os
import re
import shutil
import subprocess

from harness import HMIRROR, SLOW, Skip

# Those that change what stands on the disk, or lock it; those of OPENING only when they open for writing.
OPENING = {"open", "openat", "openat2"}
WRITING = OPENING | {"write", "pwrite64", "writev", "fsync", "fdatasync", "sync_file_range", "syncfs", "rename", "renameat", "renameat2",
                     "link", "linkat", "symlink", "symlinkat", "unlink", "unlinkat", "mkdir", "mkdirat", "rmdir", "ftruncate", "fallocate",
                     "chmod", "fchmod", "fchmodat", "fchown", "utimensat", "flock", "exit_group"}
# Nothing changes between two of them, so a kill there is as one at the next that writes: only some are tried.
READING = {"read", "pread64", "newfstatat", "access", "faccessat2", "close", "getdents64", "fcntl", "readlink", "mmap", "munmap", "lseek"}

Call = collections.namedtuple("Call", "name nth writes")


def need_strace(m):
    if SLOW > 1 or not shutil.which("strace"):
        raise Skip("strace is not there, or the program runs under something of its kind")
    p = subprocess.run(["strace", "-f", "--seccomp-bpf", "-qq", "-o", m.path("probe"), "/bin/true"], capture_output=True)
    if p.returncode != 0:
        raise Skip("strace may not trace here")


def listed(m, *args):
    """Every call of a run, in order, with its number among those of its name. strace counts them by thread, so does this."""
    names = ",".join(sorted(WRITING | READING))
    trace = m.path("trace")
    p = subprocess.run(["strace", "-f", "--seccomp-bpf", "-qq", "-s", "0", "-o", trace, "-e", "trace=" + names, HMIRROR, *args], cwd=m.dir, env=m.env, capture_output=True)
    assert p.returncode == 0, p.stderr
    out, seen, at = [], set(), collections.Counter()
    with open(trace) as f:
        for line in f:
            call = re.match(r"(\d+) +(\w+)\((.*)", line)
            if not call:
                continue
            pid, name, rest = call.groups()
            at[pid, name] += 1
            writes = name in WRITING and (name not in OPENING or bool(re.search(r"O_(WRONLY|RDWR|CREAT)", rest)))
            if (name, at[pid, name]) not in seen:
                seen.add((name, at[pid, name]))
                out.append(Call(name, at[pid, name], writes))
    os.unlink(trace)
    return out


def chosen(calls, one_in):
    """All that write and one in so many of the others, from the first that writes to the end; one_in 1: all of the run."""
    first = next(i for i, c in enumerate(calls) if c.writes) if one_in > 1 else 0
    return [c for i, c in enumerate(calls) if i >= first and (c.writes or i % one_in == 0)]


def killed(m, call, *args):
    """Runs it until this call, which does not happen; False: it came to its end."""
    p = subprocess.run(["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + call.name,    # a signal is lost with --seccomp-bpf
                        "-e", f"inject={call.name}:signal=KILL:when={call.nth}", HMIRROR, *args], cwd=m.dir, env=m.env, capture_output=True)
    assert p.returncode in (0, -9, 137), (call, p.returncode, p.stderr)
    return p.returncode != 0


def brought(m, *args):
    """What a run brings to the disk and what it gives a name, in order: ("sync", path) when that has ended, ("name", path)."""
    trace = m.path("trace")
    p = subprocess.run(["strace", "-f", "--seccomp-bpf", "-qq", "-y", "-o", trace, "-e", "trace=fsync,rename,renameat", HMIRROR, *args], cwd=m.dir, env=m.env, capture_output=True)
    assert p.returncode == 0, p.stderr
    out, begun = [], {}
    with open(trace) as f:
        for line in f:
            pid = line.split()[0]
            call = re.search(r"fsync\(\d+<(.*?)>", line)
            name = re.search(r'rename(?:at)?\(.*, (?:\d+<(.*?)>, )?"(.*)"\) = 0', line)
            if call:
                begun[pid] = call[1]
            if "fsync" in line and line.rstrip().endswith("= 0"):
                out.append(("sync", begun[pid]))
            elif name:
                out.append(("name", os.path.join(name[1] or "", name[2])))
    os.unlink(trace)
    return out


def refused(m, call, error, *args):
    """Runs it with this call failing, and for other than write, which may be to standard error, all later ones of its name too.
    Exit code and standard error."""
    p = subprocess.run(["strace", "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", "-e", "trace=" + call.name,
                        "-e", f"inject={call.name}:error={error}:when={call.nth}{'' if call.name == 'write' else '+'}", HMIRROR, *args],
                       cwd=m.dir, env=m.env, capture_output=True, text=True)
    return p.returncode, p.stderr
