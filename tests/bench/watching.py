"""How soon a change shows: in `serve` (the event, and the page that a browser then asks for) and in
`publish --watch`, whoever writes it.

  watching.py HMIRROR FOLDER [ROWS PROJECTS]

Makes a store in FOLDER, which must not exist, in four forms: ours, ours in WAL mode, a foreign
one, and that by a store.map. Other programs' writes are made by sqlite3. Prints a line for each figure, in seconds,
from the commit of the change to the event, and to the last byte of the page that shows it.
"""
import http.client
import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(__file__))
import generate

ENV = {"PATH": os.environ["PATH"], "HOME": "/tmp", "USER": "bench", "TZ": "UTC", "GIT_CONFIG_GLOBAL": "/dev/null"}
CHANGES = 5
MAP = """store: theirs.db
store.map:
  - layer: projects
  - layer: memories
    select: SELECT id, memory_type, content, project, status, valid_from, valid_until, created_at FROM memories
  - layer: entities
  - layer: project_state
    table: project_state
    statuses: [active = current]
"""


def start(hm, folder, *args):
    return subprocess.Popen([hm, *args], cwd=folder, env=ENV, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def stop(p):
    p.send_signal(signal.SIGINT)
    out, err = p.communicate(timeout=60)
    return err


class Events:
    """Times at which the server said that something changed."""
    def __init__(self, port):
        self.times = []
        self.c = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
        self.c.request("GET", "/_events")
        self.answer = self.c.getresponse()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while line := self.answer.readline():
            if line.startswith(b"data: "):
                self.times.append(time.monotonic())

    def wait(self, n):
        while len(self.times) <= n:
            time.sleep(0.001)
        return self.times[n]


def cpu(p):
    """Seconds of CPU that the process has used."""
    fields = open(f"/proc/{p.pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def change(folder, name, table, key, column, value):
    db = sqlite3.connect(f"{folder}/{name}", timeout=60)
    db.execute(f"UPDATE {table} SET {column} = ? WHERE {key[0]} = ?", (value, key[1]))
    db.commit()
    db.close()
    return time.monotonic()


def serving(hm, folder, store, label, key):
    """key: of a row of project state, and its project."""
    row, project = key
    p = start(hm, folder, "-v", "serve", "--port", "0")
    began = time.monotonic()
    url = p.stdout.readline()
    print(f"{label}: serve listens after {time.monotonic() - began:.2f} s")
    port = int(url.strip().rstrip("/").rsplit(":", 1)[1])
    page = f"/projects/{project}/state.html"

    def get():   # a connection that is idle for 10 s is closed
        c = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
        c.request("GET", page, headers={"Accept": "text/html"})
        a = c.getresponse()
        return a.status, a.read().decode()

    status, text = get()
    if status != 200:
        raise SystemExit(f"{page}: {status}")
    events = Events(port)
    events.wait(0)
    time.sleep(8)
    for i in range(CHANGES):
        seen, used = len(events.times), cpu(p)
        value = f"{4711 + i} rpm"
        at = change(folder, store, "project_state", ("id", row), "value", value)
        told = events.wait(seen) - at
        status, text = get()
        shown, used = time.monotonic() - at, cpu(p) - used
        assert value in text, f"{page} does not show {value}"
        print(f"{label}: event after {told:.2f} s, page after {shown:.2f} s, of CPU {used:.2f} s", flush=True)
        time.sleep(6)
    for line in stop(p).splitlines():
        print("   ", line)


def publishing(hm, folder, store, label, key):
    row, project = key
    p = start(hm, folder, "publish", "--watch", "--repo", "mirror.git")

    def tip():   # by its file: a git every few milliseconds takes half a core from what is measured
        try:
            return open(f"{folder}/mirror.git/refs/heads/mirror").read()
        except FileNotFoundError:
            return ""

    while not tip():
        time.sleep(0.05)
    time.sleep(3)
    for i in range(CHANGES):
        before, value, used = tip(), f"{5711 + i} rpm", cpu(p)
        at = change(folder, store, "project_state", ("id", row), "value", value)
        while tip() == before:
            time.sleep(0.005)
        print(f"{label}: published after {time.monotonic() - at:.2f} s, of CPU {cpu(p) - used:.2f} s", flush=True)
        shown = subprocess.run(["git", "-C", f"{folder}/mirror.git", "grep", "-q", "-F", value, "mirror", "--", f"projects/{project}"], env=ENV)
        assert shown.returncode == 0, f"{value} is not published"
        time.sleep(3)
    stop(p)


def main(hm, folder, rows=200000, projects=1000):
    os.makedirs(folder)
    generate.write(f"{folder}/facts.jsonl", projects, rows)
    open(f"{folder}/mirror.yml", "w").write("store: hmirror.db\n")
    subprocess.run([hm, "-q", "init"], cwd=folder, env=ENV, capture_output=True)
    open(f"{folder}/mirror.yml", "w").write("store: hmirror.db\n")
    subprocess.run([hm, "-q", "import", "facts.jsonl"], cwd=folder, env=ENV, check=True)
    generate.live(hm, folder, ENV)
    db = sqlite3.connect(f"{folder}/hmirror.db")
    n, = db.execute("SELECT (SELECT count(*) FROM memories) + (SELECT count(*) FROM entities) + (SELECT count(*) FROM project_state)").fetchone()
    key = db.execute("SELECT id, project FROM project_state WHERE project <> 'p00000' AND status = 'active' ORDER BY id DESC LIMIT 1").fetchone()
    print(f"{n} rows of three layers; the row that changes: {key}")
    for label, mode in (("ours", "DELETE"), ("WAL", "WAL")):
        db.execute(f"PRAGMA journal_mode = {mode}")
        serving(hm, folder, "hmirror.db", label, key)
        publishing(hm, folder, "hmirror.db", label, key)
        subprocess.run(["rm", "-rf", f"{folder}/mirror.git"])
    db.execute("PRAGMA journal_mode = DELETE")
    db.close()
    theirs = f"{folder}/theirs.db"
    db = sqlite3.connect(theirs)
    db.execute(f"ATTACH '{folder}/hmirror.db' AS ours")
    for table in ("projects", "project_aliases", "memories", "entities", "project_state", "relations", "links"):
        db.execute(f"CREATE TABLE {table} AS SELECT * FROM ours.{table}")
    db.commit()
    db.close()
    open(f"{folder}/mirror.yml", "w").write("store: theirs.db\n")
    subprocess.run([hm, "-q", "sweep"], cwd=folder, env=ENV, check=True, capture_output=True)
    serving(hm, folder, "theirs.db", "foreign", key)
    publishing(hm, folder, "theirs.db", "foreign", key)
    subprocess.run(["rm", "-rf", f"{folder}/mirror.git"])
    open(f"{folder}/mirror.yml", "w").write(MAP)
    serving(hm, folder, "theirs.db", "foreign by a map", key)
    publishing(hm, folder, "theirs.db", "foreign by a map", key)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], *(int(x) for x in sys.argv[3:5]))
