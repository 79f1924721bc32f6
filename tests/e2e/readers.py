#!/usr/bin/env python3
"""Other readers of Markdown, marked and markdown-it, see what hmirror's HTML shows: no fact becomes a
tag, a link, an image."""
import ast
import random
from harness import *

NPM = os.path.join(TOP, "build", "npm")


def strings(name):
    """The C strings of a file that the unit tests include."""
    with open(os.path.join(TOP, "tests", name)) as f:
        return ast.literal_eval("[" + f.read() + "]")


def read(m):
    if not shutil.which("node") or not os.path.isdir(os.path.join(NPM, "node_modules", "marked")):
        raise Skip("npm's packages are not installed: see `make check`")
    p = subprocess.run(["node", os.path.join(TOP, "tests", "e2e", "readers.mjs"), NPM, m.path("site")], capture_output=True,
                       text=True, timeout=600)
    assert p.returncode == 0, p.stdout[-6000:] + p.stderr[-3000:]
    return p.stdout


def test_no_hostile_fact_acts(m):
    facts = [s + t for s in strings("hostile_starts.inc") for t in strings("hostile_tails.inc")]
    facts = [t for t in facts if t.strip("\ufeff \t\r\n\v\f\x85\u00a0\u2028\u2029\u3000")]
    assert len(facts) > 12000
    facts = facts[::1 if THOROUGH else 11]      # which meets every tail, and every start
    pick = random.Random(20260402)
    pieces = strings("hostile_starts.inc") + strings("hostile_tails.inc") + [" ", " ", "a"]
    facts += ["x" + "".join(pick.choices(pieces, k=pick.randint(2, 6))) for _ in range(4000 if THOROUGH else 500)]
    rows = []
    for i, t in enumerate(facts):
        rows.append(memory(t, id=f"m{i}", project=f"p{i % 9}"))
        rows.append(state(f"key{i}", t, id=f"s{i}", project=f"p{i % 9}", source=t))
        rows.append(entity("Parameter", {"parameter_name": f"n{i}", "value": t}, t, id=f"e{i}", project=f"p{i % 9}"))
    for i, t in enumerate(facts[::97]):
        rows.append(decision(t, target=f"t{i}", id=f"d{i}{t}", project="p0", name=t, description=t, source_refs=[t]))
        rows.append(decision(t + "x", target=f"t{i}", id=f"x{i}", project="p0", name=f"x{i}"))
        rows.append({"kind": "relation", "id": f"r{i}", "type": "AFFECTS", "project": "p0", "from": f"d{i}{t}", "to": f"x{i}",
                     "source_refs": [t]})
    m.facts(*rows)
    m.run("build")
    out = read(m)
    print("#", out.strip())


def test_the_example(m):
    m.run("init")
    facts = os.path.join(TOP, "site-example", "facts")
    m.run("import", *[os.path.join(facts, f) for f in sorted(os.listdir(facts))])
    m.run("build")
    read(m)


if __name__ == "__main__":
    main(globals())
