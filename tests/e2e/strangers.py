#!/usr/bin/env python3
"""Worlds as strangers write them: tests/data/strangers.txt, labelled before they were run."""
import re
import shlex

from harness import *

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "strangers.txt")
SEEN = ("anachronism", "ontology_violation")   # kinds of findings that are labelled


def bounds(text):
    """The two times of [FROM,UNTIL): times with a comma stand in quotes."""
    return [a or b for a, b in re.findall(r'"([^"]*)"|([^",]+)|(?<=,)$', text)] + [""] if text.count('"') else text.split(",")


def fields(record, words):
    for word in words:
        key, _, value = word.partition("=")
        if key == "name":
            record["name"] = value
        elif key.endswith(":"):
            record["properties"][key[:-1]] = json.loads(value)
        else:
            record["properties"][key] = value
    return record


def read_world(lines, name):
    w = {"name": name, "facts": [{"kind": "project", "id": name, "name": name}], "eras": [], "M": [], "P": [], "K": []}
    own = lambda id: f"{name}.{id}"
    relations = 0
    for line in lines:
        what, _, rest = line.partition(" ")
        if what in "MPK":
            w[what].append(frozenset(own(id) for id in rest.partition("#")[0].split()))
        elif what == "Y":
            w["eras"] += [era.split() for era in rest.split(";")]
        elif what == "E":
            id, type, *more = shlex.split(rest)
            w["facts"].append(fields({"kind": "entity", "id": own(id), "entity_type": type, "name": id, "project": name, "properties": {}}, more))
        else:
            window = re.search(r"\[(.*?)\)", rest)
            since, until = (bounds(window[1]) if window else ["", ""])[:2]
            start, type, end, *more = shlex.split(rest.replace(window[0], "") if window else rest)
            relations += 1
            w["facts"].append(fields({"kind": "relation", "id": own(f"r{relations}"), "type": type, "from": own(start), "to": own(end), "project": name,
                                      "properties": {}, "valid_from": since or None, "valid_until": until or None}, more))
    return w


def read_worlds():
    text = re.sub("(?m)^#.*$", "", open(TABLE).read())
    parts = re.split(r"(?m)^\[(.*)\]$", text)[1:]
    return [read_world([x for x in body.splitlines() if x], name) for name, body in zip(parts[::2], parts[1::2])]


def found_in(m):
    """(what, rows) of all conflicts, and of findings that say that something is wrong."""
    for c in m.conflicts():
        yield f"conflict on {c['slot_key']}", frozenset(x["member_id"] for x in c["members"])
    for f in m.run("--format", "json", "findings").json()["findings"]:
        if f["kind"] in SEEN:
            yield f"{f['rule']}: {f['message']}", frozenset(r.partition(":")[2] for r in f["rows"])


def test_worlds_of_strangers(m):
    worlds = read_worlds()
    assert len(worlds) >= 50 and sum(len(w["M"]) for w in worlds) >= 80
    m.write("world.yml", "eras:\n" + "".join("  - {" + ", ".join([f"world: {w['name']}", f"era: {era[0]}"] + [x.replace("=", ": ") for x in era[1:]]) + "}\n"
                                             for w in worlds for era in w["eras"]))
    m.facts(*(f for w in worlds for f in w["facts"]))
    m.run("sweep")
    found = list(found_in(m))
    must = [rows for w in worlds for rows in w["M"]]
    may = [rows for w in worlds for rows in w["P"] + w["K"]]
    missed = [sorted(rows) for rows in must if not any(rows <= have for _, have in found)]
    alarms = [(what, sorted(have)) for what, have in found if not any(rows <= have or have <= rows for rows in must + may)]
    assert not missed and not alarms, ("missed", missed, "false", alarms)
    hidden = [sorted(rows) for w in worlds for rows in w["K"] if any(rows <= have for _, have in found)]
    assert not hidden, ("is found now; label it so", hidden)


if __name__ == "__main__":
    main(globals())
