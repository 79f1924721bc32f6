#!/usr/bin/env python3
"""What the C of core/ and gen/ must look like, as far as a program can tell.

  lint_code.py [FOLDER...]     prints every finding; exit 1 when there is one

Lines have at most 100 columns, functions 75 lines, files 620; a file opens with a comment that
says what it is for; tables of spellings name two sources; types and include guards have unique names; a function that a header declares
is used by another file, of the tests at least; no circle of files: a circle is a set of files
(NAME.c, NAME.h and NAME_impl.h count as one) that include each other.
"""
import collections
import re
import subprocess
import sys

COLUMNS, FUNCTION, FILE = 100, 75, 620
# Files that include each other because they are one idea, or a table of what includes it.
CIRCLES = ()

findings = []


def say(where, what):
    findings.append(f"lint: {where}: {what}")


def without_comments_and_strings(text):
    def blank(m):
        return re.sub(r"[^\n]", " ", m.group(0))
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, text,
                  flags=re.S)


def check_lines(path, text):
    for i, line in enumerate(text.split("\n"), 1):
        if len(line) > COLUMNS:
            say(f"{path}:{i}", f"{len(line)} columns, more than {COLUMNS}")
    n = text.count("\n")
    if n > FILE:
        say(path, f"{n} lines, more than {FILE}")


def check_functions(path, code):
    begin = None
    for i, line in enumerate(code.split("\n"), 1):
        if re.match(r"[A-Za-z_].*[^=] ?\{\s*$", line) and "(" in line or \
           (begin is None and re.match(r"\s+.*\) \{\s*$", line)):
            begin = i if begin is None else begin
        elif line.startswith("}") and begin is not None:
            if i - begin + 1 > FUNCTION:
                say(f"{path}:{begin}", f"a function of {i - begin + 1} lines, more than {FUNCTION}")
            begin = None


def check_head(path, text):
    if not text.lstrip().startswith("/*"):
        say(path, "does not open with a comment that says what it is for")


def type_names(code):
    names = set(re.findall(r"\btypedef [^;{}]*?\b(hm_\w+)\s*;", code))
    names |= set(re.findall(r"^\}\s*(hm_\w+)\s*;", code, flags=re.M))
    names |= set(re.findall(r"typedef (?:struct|union|enum)\s*\w*\s*\{[^{}]*\}\s*(hm_\w+)\s*;", code))
    return names


def check_unique(files):
    types, guards = collections.defaultdict(list), collections.defaultdict(list)
    for path, (text, code) in files.items():
        for t in type_names(code):
            types[t].append(path)
        m = re.search(r"^#ifndef (\w+)\n#define \1\b", text, flags=re.M)
        if path.endswith(".h"):
            if not m:
                say(path, "has no include guard")
            else:
                guards[m.group(1)].append(path)
    for kind, names in (("type", types), ("include guard", guards)):
        for name, paths in sorted(names.items()):
            if len(paths) > 1:
                say(" ".join(sorted(paths)), f"the {kind} {name} is defined more than once")


def circles(files):
    """Strongly connected sets of files by what they include (Tarjan, without recursion)."""
    def topic(path):
        return re.sub(r"(_impl)?\.[ch]$", "", path)
    edges = collections.defaultdict(set)
    for path, (text, _) in files.items():
        for inc in re.findall(r'^#include "([^"]+)"', text, flags=re.M):
            if inc in files and topic(inc) != topic(path):
                edges[topic(path)].add(topic(inc))
    index, low, on, stack, out = {}, {}, set(), [], []
    for root in sorted({topic(p) for p in files}):
        if root in index:
            continue
        work = [(root, iter(sorted(edges[root])))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on.add(root)
        while work:
            v, it = work[-1]
            w = next(it, None)
            if w is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[v])
                if low[v] == index[v]:
                    part = set()
                    while True:
                        w = stack.pop()
                        on.discard(w)
                        part.add(w)
                        if w == v:
                            break
                    if len(part) > 1:
                        out.append(part)
            elif w not in index:
                index[w] = low[w] = len(index)
                stack.append(w)
                on.add(w)
                work.append((w, iter(sorted(edges[w]))))
            elif w in on:
                low[v] = min(low[v], index[w])
    return out


def check_sources(path, text):
    """A spelling comes in where two independent sources have it: each row of a table names them
    (`sources`), or the comment above the table does."""
    table = re.compile(r"((?:/\*(?:[^*]|\*(?!/))*\*/\n)*)static const "
                       r"(?:\w*spelling|alias|form|phrase|\w+_word|char \*const (?=COMPOUNDS|COUNTED)|"
                       r"struct \{ const char \*sign[^}]*\}|struct \{\n  const char \*spelling[^}]*\}) ?"
                       r"(\w+)\[\] = \{\s*(.*?)\};", re.S)
    if "/value/" not in path or path.endswith("slot_reading.c"):
        return
    for m in table.finditer(text):
        rows = re.findall(r"\{[^{}]*\}", m[3])
        told = re.search(r"Sources: [^;.]+[;,] ", m[1].replace("\n * ", " "))
        each = rows and all(re.search(r'"[^"]+; [^"]+" \}$', r) for r in rows)
        if not told and not each:
            say(f"{path}:{text[:m.start(2)].count(chr(10)) + 1}", f"{m[2]} names no two sources")


def check_public(files):
    """A function for one file alone is static; one that nobody calls goes."""
    users, homes = collections.defaultdict(set), {}
    tests = subprocess.run(["git", "ls-files", "tests/*.[ch]"], capture_output=True, text=True,
                           check=True).stdout.split()
    codes = {path: code for path, (_, code) in files.items()}
    codes.update((path, open(path, encoding="utf-8").read()) for path in tests)
    for path, code in codes.items():
        for name in re.findall(r"\bhm_\w+", code):
            users[name].add(path)
    for path, (_, code) in files.items():
        if path.endswith(".h"):
            for name in re.findall(r"^(?!typedef)\w[^;{}()]*\b(hm_\w+)\([^;{}]*\);", code, re.M):
                if len(re.findall(rf"\b{name}\b", code)) == 1:
                    homes.setdefault(name, path)
    for name, path in sorted(homes.items()):
        if len(users[name]) < 3:   # its header, its file
            say(path, f"{name} is not for others: make it static, or delete it")


def main(folders):
    listed = subprocess.run(["git", "ls-files", "core", "gen"], capture_output=True, text=True,
                            check=True).stdout.split()
    files = {}
    for path in listed:
        if path.endswith((".c", ".h")):
            try:
                text = open(path, encoding="utf-8").read()
            except FileNotFoundError:
                continue
            files[path] = (text, without_comments_and_strings(text))
    for path, (text, code) in sorted(files.items()):
        check_lines(path, text)
        check_functions(path, code)
        check_head(path, text)
        check_sources(path, text)
    check_unique(files)
    check_public(files)
    for part in circles(files):
        if part not in CIRCLES:
            say(" ".join(sorted(part)), "include each other")
    shown = [f for f in findings if not folders or any(d in f for d in folders)]
    print("\n".join(shown))
    return 1 if shown else 0


sys.exit(main(sys.argv[1:]))
