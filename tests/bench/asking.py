"""Questions about one thing, by the index of the claims: seconds and peak memory, in a small store and in a large one."""
import json
import os
import shutil
import statistics
import subprocess
import sys
import time


def ask(hm, env, path, words):
    """Wall seconds and peak kilobytes of one command."""
    start = time.monotonic()
    p = subprocess.Popen([hm, "-q", *words], cwd=path, env=env, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(p.pid, 0)
    wall = time.monotonic() - start
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"bench: {' '.join(words)}: failed")
    return wall, usage.ru_maxrss


def measure(hm, env, work, stores, runs, results):
    """stores: rows -> folder. A sweep makes the index, so that is timed, too."""
    for rows, source in sorted(stores.items()):
        path = os.path.join(work, f"asks{rows}")
        shutil.rmtree(path, ignore_errors=True)
        os.makedirs(path)
        shutil.copy(os.path.join(source, "hmirror.db"), path)
        for name in ("sweep, first: makes the index", "sweep, again"):
            wall, _ = ask(hm, env, path, ["sweep"])
            results[f"{name}, {rows} rows"] = {"wall_s": round(wall, 3)}
            print(f"{f'{name}, {rows} rows':<58} {wall:9.3f}", flush=True)
        listed = subprocess.run([hm, "-q", "--format", "json", "conflicts", "list", "--status", "all"], cwd=path, env=env,
                                check=True, capture_output=True).stdout
        c = json.loads(listed)["conflicts"][-1]
        for words in (["conflicts", "show", c["id"]], ["explain", c["id"]], ["conflicts", "list", "--project", c["project"]]):
            times, memory = zip(*(ask(hm, env, path, words) for _ in range(runs)))
            name = f"{' '.join(words[:-1])}, {rows} rows"
            results[name] = {"wall_s": round(statistics.median(times), 4), "peak_mb": round(max(memory) / 1024, 1), "runs": runs}
            print(f"{name:<58} {statistics.median(times):9.4f} {max(memory) / 1024:9.1f} MB  want 0.1 s, 64 MB", flush=True)


if __name__ == "__main__":   # asking.py HMIRROR FOLDER...: swept stores, a folder each
    import sqlite3
    folders = {}
    for f in sys.argv[2:]:
        db = sqlite3.connect(os.path.join(f, "hmirror.db"))
        folders[sum(db.execute(f"SELECT count(*) FROM {t}").fetchone()[0]
                    for t in ("memories", "entities", "project_state", "relations"))] = f
    measure(os.path.abspath(sys.argv[1]), dict(os.environ), os.environ.get("TMPDIR", "/tmp"), folders, 9, {})
