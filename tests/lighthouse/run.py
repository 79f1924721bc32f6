#!/usr/bin/env python3
"""Lighthouse on every type of page, over HTTP, as on a phone and as on a desk: 100 in accessibility and in best practices.
run.py FOLDER [WORD]: where its packages are; only types whose name has the word. `make lighthouse` calls it."""
import contextlib
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "e2e"))
from harness import *  # noqa: E402
from page_types import Kinds  # noqa: E402
from server import served  # noqa: E402


@contextlib.contextmanager
def previewed(m):
    """The address of `hmirror serve`."""
    p = subprocess.Popen([HMIRROR, "serve", "--port", "0"], cwd=m.dir, env=m.env, stdout=subprocess.PIPE)
    try:
        yield p.stdout.readline().decode().strip()
    finally:
        p.terminate()
        p.wait()


def look(folder, names):
    """Prints the scores of the pages {address: name}; how many have less than 100 in anything."""
    p = subprocess.Popen(["node", os.path.join(HERE, "pages.mjs"), folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                         env={**os.environ, "CHROME_PATH": shutil.which("chromium")})
    p.stdin.write("".join(u + "\n" for u in names))
    p.stdin.close()
    seen = bad = 0
    for line in p.stdout:
        r = json.loads(line)
        seen += 1
        bad += min(r["scores"].values()) < 100
        print(f"{names[r['url']]:36} {r['form']:6}" + "".join(f"  {c} {n}" for c, n in r["scores"].items()) + "  " + ", ".join(r["why"]), flush=True)
    assert p.wait() == 0 and seen == 2 * len(names), f"{seen} of {2 * len(names)} were looked at"
    return bad


def run(folder, word=""):
    if not os.path.exists(os.path.join(folder, "node_modules", "lighthouse")) or not shutil.which("chromium"):
        print("lighthouse or chromium is not installed: nothing was looked at", file=sys.stderr)
        return 1
    m = Mirror()
    kinds = Kinds(m)
    with contextlib.ExitStack() as stack:
        names = {}
        for mirror in kinds.mirrors:
            root, at = mirror.path("site"), stack.enter_context(served(mirror.path("site"))) + "/"
            names.update({at + os.path.relpath(p, root): k for k, p in kinds.pages.items() if p.startswith(root + "/")})
        at = stack.enter_context(previewed(m))
        names.update({at + os.path.relpath(kinds.pages[k], m.path("site")): "preview: " + k
                      for k in ("front", "case, three layers", "case, dismissed", "conflicts", "findings", "search")})
        bad = look(folder, {u: k for u, k in names.items() if word in k})
    kinds.close()
    m.close()
    print(f"{bad} with less than 100")
    return bad != 0


if __name__ == "__main__":
    sys.exit(run(os.path.abspath(sys.argv[1]), *sys.argv[2:]))
