"""Questions about one thing, from what a sweep recorded: seconds and peak memory, in a small store and in a large one."""
import os
import shutil
import sqlite3
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
    """stores: rows -> folder. A sweep records the answers, so that is timed, too."""
    for rows, source in sorted(stores.items()):
        path = os.path.join(work, f"asks{rows}")
        shutil.rmtree(path, ignore_errors=True)
        os.makedirs(path)
        shutil.copy(os.path.join(source, "hmirror.db"), path)
        for name in ("sweep, first: records", "sweep, again"):
            wall, _ = ask(hm, env, path, ["sweep"])
            results[f"{name}, {rows} rows"] = {"wall_s": round(wall, 3)}
            print(f"{f'{name}, {rows} rows':<58} {wall:9.3f}", flush=True)
        db = sqlite3.connect(os.path.join(path, "hmirror.db"))   # not by a list: the peak of a child is at least ours
        conflicts, = db.execute("SELECT count(*) FROM conflicts").fetchone()
        id, project = db.execute("SELECT id, project FROM conflicts ORDER BY slot_key DESC, id DESC LIMIT 1").fetchone()
        few = (["conflicts", "show", id], ["explain", id], ["conflicts", "list", "--project", project])

        def figures(words, when, want):
            times, memory = zip(*(ask(hm, env, path, words) for _ in range(runs)))
            name = f"{' '.join(words[:3] if words[-1] != id else words[:-1])}{when}, {rows} rows"
            results[name] = {"wall_s": round(statistics.median(times), 4), "peak_mb": round(max(memory) / 1024, 1), "runs": runs}
            print(f"{name:<66} {statistics.median(times):9.4f} {max(memory) / 1024:9.1f} MB  want {want}", flush=True)
        for words in few:
            figures(words, "", "0.1 s, 64 MB")
        figures(["conflicts", "list", "--status", "all"], "", "64 MB")
        print(f"{'':<66} of {conflicts} conflicts", flush=True)
        db.execute("UPDATE memories SET content = content || '.' WHERE rowid = (SELECT max(rowid) FROM memories)")   # by another program
        db.commit()
        last, = db.execute("SELECT id FROM project_state ORDER BY rowid DESC LIMIT 1").fetchone()
        db.close()
        for words in few:
            figures(words, ", one row changed", "0.1 s, 64 MB")
        ask(hm, env, path, ["edit", f"project_state:{last}", "--set", "value=another"])
        figures(few[0], ", one row edited", "0.1 s, 64 MB")


if __name__ == "__main__":   # asking.py HMIRROR FOLDER...: swept stores, a folder each
    folders = {}
    for f in sys.argv[2:]:
        db = sqlite3.connect(os.path.join(f, "hmirror.db"))
        folders[sum(db.execute(f"SELECT count(*) FROM {t}").fetchone()[0]
                    for t in ("memories", "entities", "project_state", "relations"))] = f
    measure(os.path.abspath(sys.argv[1]), dict(os.environ), os.environ.get("TMPDIR", "/tmp"), folders, 9, {})
