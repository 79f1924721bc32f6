#!/usr/bin/env python3
"""A store of 2.8 million rows built and published: seconds, peak memory, and the longest files.

  big.py HMIRROR [ROWS]     in a temporary folder (TMPDIR), some 15 GB at the default size
"""
import json
import os
import subprocess
import sys
import tempfile
import time

import generate

MAX_FILE = 1 << 20


def once(words, cwd):
    """One command: wall seconds, CPU seconds, peak MB."""
    start = time.monotonic()
    p = subprocess.Popen(words, cwd=cwd)
    _, status, used = os.wait4(p.pid, 0)
    wall = time.monotonic() - start
    if os.waitstatus_to_exitcode(status):
        sys.exit(f"big: {' '.join(words)} failed")
    print(f"{' '.join(words[1:]):<24} {wall:8.1f} s {used.ru_utime + used.ru_stime:8.1f} s CPU "
          f"{used.ru_maxrss / 1024:8.0f} MB", flush=True)


def long_files(folder):
    """Files over the bound that are not the whole of one value; and how many files there are."""
    long, n = [], 0
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            n += 1
            if os.path.getsize(path) > MAX_FILE and name.endswith((".md", ".html", ".jsonl", ".json")):
                long.append((os.path.getsize(path), os.path.relpath(path, folder)))
    return sorted(long, reverse=True), n


def main():
    hm, rows = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 2_800_000
    with tempfile.TemporaryDirectory() as folder:
        generate.write(os.path.join(folder, "facts.jsonl"), max(2, rows // 250), rows)
        once([hm, "-q", "init"], folder)
        once([hm, "-q", "import", "facts.jsonl"], folder)
        os.unlink(os.path.join(folder, "facts.jsonl"))
        once([hm, "-q", "sweep"], folder)
        once([hm, "-q", "build"], folder)
        long, n = long_files(os.path.join(folder, "site"))
        print(f"{n} files, {len(long)} over 1 MiB: {long[:5]}")
        once([hm, "-q", "publish"], folder)
        listed = subprocess.run([hm, "-q", "--format", "json", "conflicts", "list"], cwd=folder,
                                check=True, capture_output=True).stdout
        c = json.loads(listed)["conflicts"][-1]
        for words in (["conflicts", "show", c["id"]], ["explain", c["id"]],
                      ["conflicts", "list", "--project", c["project"]]):
            start = time.monotonic()
            p = subprocess.Popen([hm, "-q", *words], cwd=folder, stdout=subprocess.DEVNULL)
            _, _, used = os.wait4(p.pid, 0)
            print(f"{' '.join(words[:-1]):<24} {1e3 * (time.monotonic() - start):8.0f} ms "
                  f"{used.ru_maxrss / 1024:8.0f} MB")


main()
