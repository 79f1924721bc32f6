"""Which system calls a run of the command makes (strace), and a run that is killed at one of them (kill_at.c)."""
import atexit
import collections
import functools
import itertools
import os
import re
import shlex
import shutil
import subprocess
import tempfile

from harness import HMIRROR, WATCHED, Skip

# Those that change what stands on the disk, or lock it; those of OPENING only when they open for writing.
OPENING = {"open", "openat", "openat2"}
WRITING = OPENING | {"write", "pwrite64", "writev", "fsync", "fdatasync", "sync_file_range", "syncfs", "rename", "renameat", "renameat2",
                     "link", "linkat", "symlink", "symlinkat", "unlink", "unlinkat", "mkdir", "mkdirat", "rmdir", "ftruncate", "fallocate",
                     "chmod", "fchmod", "fchmodat", "fchown", "utimensat", "flock", "exit_group"}
# Nothing changes between two of them, so a kill there is as one at the next that writes: only some are tried.
READING = {"read", "pread64", "newfstatat", "access", "faccessat2", "close", "getdents64", "fcntl", "readlink", "mmap", "munmap", "lseek"}

# These change nothing that outlives the process, as an opening does not that makes and cuts no file: a kill at the call after them
# leaves what a kill at them left, byte for byte.
WITHOUT_TRACE = {"fsync", "fdatasync", "sync_file_range", "syncfs", "flock"}

# The pages of one transaction, which SQLite writes one after another. A kill there is SQLite's to roll back, whichever page was the
# last; and once its journal is whole, it is at one statement, the COMMIT, so a disk that is full there fails that one, whichever
# page it was. Not "-wal", where one run of pages may hold two transactions.
JOURNAL = re.compile(r"\.(db|adopting)-journal$")
PAGES = re.compile(r"\.(db|adopting)$")
# libgit2's half of a pack, of a name that no other run has: none reads it, and its pages come one after another as those above do.
HALF_PACK = re.compile(r"/objects/pack/pack_git2_[0-9a-f]+$")
# The tree that a build fills beside the site, or empties after the swap. What is done to its files is done file by file in one
# loop, so of many of one folder the first ones, the last ones and some between stand for all.
TREE_BESIDE = re.compile(r"\.hmirror-\d+(/|$)")
ONE_IN_ALIKE = 8

Call = collections.namedtuple("Call", "name nth writes lasts file folder")


def folder_of(name, rest):
    """The folder in which a call makes, fills or removes an entry: that of its last path, or of its open file."""
    at = re.findall(r'\d+<([^>]*)>(?:, "([^"]*)")?', rest.partition(" = ")[0])
    if not at:
        return None
    folder, inside = at[-1]
    path = os.path.join(folder, inside) if inside else folder
    tree = TREE_BESIDE.search(path)
    # Its folders are made in a row too, whatever they are in
    return path[:tree.end()].rstrip("/") if tree and name == "mkdirat" else os.path.dirname(path)


def need_strace(m):
    if WATCHED or not shutil.which("strace"):
        raise Skip("strace is not there, or the program runs under something of its kind")
    p = subprocess.run(["strace", "-f", "--seccomp-bpf", "-qq", "-o", m.path("probe"), "/bin/true"], capture_output=True)
    if p.returncode != 0:
        raise Skip("strace may not trace here")


def compiler():
    return shlex.split(os.environ.get("CC", "cc"))


@functools.cache
def kill_at():
    """The path of kill_at, made once a process."""
    folder = tempfile.mkdtemp(prefix="hm-kill-at-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    program = os.path.join(folder, "kill_at")
    subprocess.run([*compiler(), "-O1", "-o", program, os.path.join(os.path.dirname(os.path.abspath(__file__)), "kill_at.c")], check=True)
    return program


@functools.cache
def numbers():
    """{name of a call: its number here}"""
    ask = "#include <sys/syscall.h>\n" + "".join(f'"{n}" SYS_{n}\n' for n in sorted(WRITING | READING))
    said = subprocess.run([*compiler(), "-E", "-P", "-"], input=ask, capture_output=True, text=True, check=True).stdout
    return {name: int(nr) for name, nr in re.findall(r'^"(\w+)" (\d+)$', said, re.M)}


def listed(m, *args):
    """Every call of a run, in order, with its number among those of its name. strace counts them by thread, so does this."""
    names = ",".join(sorted(WRITING | READING))
    trace = m.path("trace")
    p = subprocess.run(["strace", "-f", "--seccomp-bpf", "-qq", "-y", "-s", "0", "-o", trace, "-e", "trace=" + names, HMIRROR, *args], cwd=m.dir, env=m.env, capture_output=True)
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
                file = re.match(r"\d+<([^>]*)>", rest)
                lasts = writes and name not in WITHOUT_TRACE and (name not in OPENING or bool(re.search(r"O_(CREAT|TRUNC)", rest)))
                out.append(Call(name, at[pid, name], writes, lasts, file[1] if file else None, folder_of(name, rest)))
    os.unlink(trace)
    return out


def chosen(calls, one_in):
    """All that write and one in so many of the others, from the first that writes to the end; one_in 1: all of the run."""
    first = next(i for i, c in enumerate(calls) if c.writes) if one_in > 1 else 0
    return [c for i, c in enumerate(calls) if i >= first and (c.writes or i % one_in == 0)]


def alike(call, kill):
    """(what, first, last): calls in a row of the same `what` do the same to things that the next run treats alike, and so many
    first and last ones are tried. None: like no other."""
    folder = call.folder or ""
    if call.name == "pwrite64" and (PAGES.search(call.file) or HALF_PACK.search(call.file) or kill and JOURNAL.search(call.file)):
        return call.file, 2, 2
    if call.lasts and TREE_BESIDE.search(folder) and not call.file.endswith("manifest.json"):
        return folder, 2, 1     # a file is made, then written
    return None


def without_repetitions(calls, kill):
    """Without those at which a kill, or a refusal, is one that is tried already: see WITHOUT_TRACE, JOURNAL, PAGES, HALF_PACK and
    TREE_BESIDE. Of those in a row that are alike the first, the last and one in ONE_IN_ALIKE stay."""
    out = []
    for same, run in itertools.groupby(calls, lambda c: alike(c, kill)):
        run = list(run)
        _, first, last = same or (None, len(run), 0)
        out += [c for i, c in enumerate(run) if i < first or i >= len(run) - last or i % ONE_IN_ALIKE == 0]
    if not kill:
        return out
    return [c for before, c in zip([None, *out], out) if not before or before.lasts or not (before.writes and c.writes)]


def of_each_kind(calls):
    """Of those that do the same in one folder, or anywhere in the tree beside the site, the first and the last."""
    kinds = collections.defaultdict(list)
    for c in calls:
        tree = TREE_BESIDE.search(c.folder or "")
        kinds[c.name, c.lasts, "beside" if tree else c.folder].append(c)
    chosen = {c for same in kinds.values() for c in (same[0], same[-1])}
    return [c for c in calls if c in chosen]


def killed(m, call, *args):
    """Runs it until this call, which does not happen; False: it came to its end."""
    p = subprocess.run([kill_at(), str(numbers()[call.name]), str(call.nth), HMIRROR, *args], cwd=m.dir, env=m.env, capture_output=True)
    assert p.returncode in (0, 137), (call, p.returncode, p.stderr)
    return p.returncode != 0


def brought(m, *args):
    """What a run brings to the disk and what it gives a name, in order: ("sync", path) when that has ended, ("name", path)."""
    trace = m.path("trace")
    p = subprocess.run(["strace", "-f", "--seccomp-bpf", "-qq", "-y", "-o", trace, "-e", "trace=fsync,link,rename,renameat", HMIRROR, *args], cwd=m.dir, env=m.env, capture_output=True)
    assert p.returncode == 0, p.stderr
    out, begun = [], {}
    with open(trace) as f:
        for line in f:
            pid = line.split()[0]
            call = re.search(r"fsync\(\d+<(.*?)>", line)
            name = re.search(r'(?:link|rename(?:at)?)\(.*, (?:\d+<(.*?)>, )?"(.*)"\) = 0', line)
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
