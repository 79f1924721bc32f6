#!/usr/bin/env python3
"""Files do not use each other in circles: lint_circles.py LIBRARY...

A file uses another when it needs a function or a table of it, as the linker sees it. Files in a
circle can only be understood, tested and moved together. Prints each circle, with what ties it;
exit 1 when there is one."""
import collections
import os
import subprocess
import sys


def ties(libraries):
    """{file: {file that it uses: names}}, and all files."""
    out = subprocess.run(["nm", "-A", *libraries], capture_output=True, text=True, check=True).stdout
    home, wanted = {}, collections.defaultdict(set)
    for line in out.splitlines():
        library, member, rest = (line.split(":", 2) + ["", ""])[:3]
        if not rest:
            continue                    # the name of the library, on a line of its own
        name = os.path.basename(library)[3:-2].replace("_", "/", 1) + "/" + member[:-2]
        *_, kind, symbol = rest.split()
        if kind == "U":
            wanted[name].add(symbol)
        elif kind.isupper():
            home[symbol] = name
    used = {f: collections.defaultdict(set) for f in set(home.values()) | set(wanted)}
    for f, symbols in wanted.items():
        for symbol in symbols:
            other = home.get(symbol, f)
            if other != f:
                used[f][other].add(symbol)
    return used


def reached(used, start):
    """The files that start uses, and those that they use, and so on."""
    seen, todo = set(), [start]
    while todo:
        for f in used[todo.pop()]:
            if f not in seen:
                seen.add(f)
                todo.append(f)
    return seen


def circles(used):
    """Sets of files that reach each other."""
    below = {f: reached(used, f) for f in used}
    found = {frozenset(g for g in below[f] if f in below[g]) for f in used if f in below[f]}
    return sorted(sorted(c) for c in found)


def main():
    used = ties(sys.argv[1:])
    bad = circles(used)
    for c in bad:
        print(f"lint: {len(c)} files use each other in a circle: {' '.join(c)}")
        for f in c:
            for other in sorted(set(c) & set(used[f])):
                print(f"lint:   {f} uses of {other}: {', '.join(sorted(used[f][other]))}")
    sys.exit(1 if bad else 0)


main()
