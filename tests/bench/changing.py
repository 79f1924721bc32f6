"""What a change costs beside reading the store: a fact in the huge project and in a small one, a
verdict; in a fresh process and in a running one. The first publication beside git fast-import; a
thousand publications."""
import json
import os
import shutil
import subprocess
import time


def change(path, once, hm, n, project="p00000", state="s1"):
    """Imports another value of one state."""
    fact = {"kind": "project_state", "id": state, "project": project, "category": "area 1",
            "key": "mass 0", "value": f"{n} kg", "source": "bench"}
    with open(os.path.join(path, "change.jsonl"), "w") as f:
        f.write(json.dumps(fact) + "\n")
    once([hm, "-q", "import", "change.jsonl", "--source", "facts.jsonl"], path)


def beside_reading(b, path, rows):
    """All of one round in the same minute, since the machine's load changes."""
    reader = os.path.join(b.BUILD, "read_store")
    b.once([b.HM, "sweep"], path)
    b.once([b.HM, "-q", "publish"], path)
    listed = subprocess.run([b.HM, "-q", "--format", "json", "conflicts", "list"], cwd=path,
                            env=b.ENV, check=True, capture_output=True).stdout
    disputed = [c["id"] for c in json.loads(listed)["conflicts"] if c["disputed"]]
    runs = {"nothing changed": [], "one fact of the huge project changed": [],
            "one fact of a small project changed": [], "one verdict given": []}
    read = []
    for n in range(3 * b.RUNS):
        read.append(b.once([reader, "hmirror.db"], path))
        for what, list_ in runs.items():
            if "huge" in what:
                change(path, b.once, b.HM, time.time_ns() % 10 ** 6)
            elif "small" in what:
                change(path, b.once, b.HM, time.time_ns() % 10 ** 6, "p00007", "bench-7")
            elif "verdict" in what:
                b.once([b.HM, "-q", "conflicts", "dismiss", disputed[n], "--reason", "bench"], path)
            list_.append(b.once([b.HM, "-q", "publish"], path))
    x = b.median(f"{rows} rows: reading the store, as pages need it", read, "and its digest")
    for what, list_ in runs.items():
        y = b.median(f"{rows} rows: publish, {what}", list_)
        b.ratio(f"{rows} rows: {what}, over reading the store", y["wall_s"] / x["wall_s"],
                "at most 1.3" if what == "nothing changed" else "at most 2.5")
    return x


def running(b, path, rows, read):
    """One process goes on publishing; each change is made before its clock starts."""
    out = subprocess.run([os.path.join(b.BUILD, "running"), str(3 * b.RUNS)], cwd=path, env=b.ENV,
                         capture_output=True, text=True, check=True).stdout
    *lines, memory = out.splitlines()
    times = [[float(x) / 1e3 for x in line.split()] for line in lines]
    peak = int(memory) / 1024
    for i, (what, most) in enumerate((("one changed fact", 2.5), ("one added fact", 2.5),
                                      ("nothing changed", 1.3))):
        y = b.median(f"{rows} rows: a running process publishes {what}",
                     [(x[2 * i], x[2 * i + 1], peak) for x in times])
        b.ratio(f"{rows} rows: running, {what}, over reading the store",
                y["wall_s"] / read["wall_s"], f"at most {most}")


def in_a_folder(b, path):
    b.once([b.HM, "-q", "build"], path)
    b.median("build, nothing changed", [b.once([b.HM, "-q", "build"], path) for _ in range(b.RUNS)])
    one = []
    for n in range(b.RUNS):
        change(path, b.once, b.HM, time.time_ns() % 10 ** 6)
        one.append(b.once([b.HM, "-q", "build"], path))
    b.median("build, one fact changed", one, "a new tree of links, swapped in")


def import_stream(folder, out):
    """The files of a folder as one commit for git fast-import."""
    marks, lines = [], []
    for d, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            with open(os.path.join(d, name), "rb") as f:
                data = f.read()
            marks.append(os.path.relpath(os.path.join(d, name), folder))
            lines.append(b"blob\nmark :%d\ndata %d\n" % (len(marks), len(data)) + data + b"\n")
    lines.append(b"commit refs/heads/mirror\ncommitter b <b@b> 0 +0000\ndata 1\nx\n")
    lines += [b"M 100644 :%d %s\n" % (i + 1, p.encode()) for i, p in enumerate(marks)]
    with open(out, "wb") as f:
        f.writelines(lines)
    return len(marks)


def beside_fast_import(b):
    """20,000 files, which are there already; and the same from the store, which is read, swept and rendered as well."""
    path, peer = b.store("pages20000", 690, 138000), os.path.join(b.WORK, "fast-import")
    b.once([b.HM, "sweep"], path)
    b.once([b.HM, "-q", "build"], path)
    n = import_stream(os.path.join(path, "site"), os.path.join(path, "stream"))
    sink, ours, theirs = [], [], []
    for _ in range(b.RUNS):
        b.fresh(os.path.join(path, "mirror.git"), os.path.join(path, "sink.git"), peer)
        sink.append(b.once([os.path.join(b.BUILD, "publish_files"), "site", "sink.git"], path))
        ours.append(b.once([b.HM, "-q", "publish"], path))
        b.once(["git", "init", "-q", "--bare", peer], b.WORK)
        b.once(["git", "-C", peer, "config", "core.fsync", "all"], b.WORK)
        theirs.append(b.once(["sh", "-c", f"git -C {peer} fast-import --quiet --depth=0 <{os.path.join(path, 'stream')}"], b.WORK))
    w = b.median(f"publish, first: {n} files of a folder", sink, "by the sink alone")
    x = b.median(f"publish, first: {n} files, from the store", ours, "read, swept and rendered")
    y = b.median("  peer: git fast-import --depth=0, core.fsync=all", theirs, "of the same files")
    b.ratio("publish: fast-import's time over ours, files there already", y["wall_s"] / w["wall_s"], "at least 1")
    b.ratio("publish: fast-import's time over ours, from the store", y["wall_s"] / x["wall_s"], "")


def size(folder):
    return sum(os.path.getsize(os.path.join(d, n)) for d, _, names in os.walk(folder) for n in names)


def many(b, n=1000):
    """A change, a publication, and again."""
    path = os.path.join(b.WORK, "many")
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    import generate
    generate.write(os.path.join(path, "facts.jsonl"), 20, 4000)
    b.once([b.HM, "init"], path)
    b.once([b.HM, "-q", "import", "facts.jsonl"], path)
    b.once([b.HM, "-q", "publish"], path)
    runs, sizes, files = [], [], []
    objects = os.path.join(path, "mirror.git", "objects")
    for i in range(n):
        change(path, b.once, b.HM, i)
        runs.append(b.once([b.HM, "-q", "publish"], path))
        sizes.append(size(objects))
        files.append(sum(len(names) for _, _, names in os.walk(objects)))
    tenth = n // 10
    x = b.median(f"publish, the first {tenth} of {n} changes", runs[:tenth], f"{(sizes[tenth - 1] - sizes[0]) / tenth / 1e3:.0f} KB each")
    y = b.median(f"publish, the last {tenth} of them", runs[-tenth:], f"{(sizes[-1] - sizes[-tenth]) / tenth / 1e3:.0f} KB each, at most {max(files)} files of objects")
    b.ratio("a thousand publications: last over first, time", y["wall_s"] / x["wall_s"], "about 1 (flat)")
    b.ratio("a thousand publications: last over first, bytes each", (sizes[-1] - sizes[-tenth]) / (sizes[tenth - 1] - sizes[0]), "about 1 (flat)")
    check = subprocess.run(["git", "-C", "mirror.git", "fsck", "--strict", "--full"], cwd=path, env=b.ENV, capture_output=True)
    if check.returncode or check.stderr.strip():
        raise SystemExit(f"bench: git fsck: {check.stderr.decode()}")


def measure(b):
    for rows, path in (("200,000", b.store("pages", 1000, 200000)),
                       ("10^6", b.store("rows1000000", 5000, 10 ** 6))):
        running(b, path, rows, beside_reading(b, path, rows))
    in_a_folder(b, b.store("pages", 1000, 200000))
    beside_fast_import(b)
    many(b)
