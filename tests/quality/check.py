#!/usr/bin/env python3
"""Checks the labelled set of this folder and prints how much of each kind it holds.

  check.py        exit 1 when a record breaks the format of README.md or names a missing row

The found half names rows of the public data by id. They are looked up in the folder that
HM_SHARED_DATA names; where it is not set or not there, that half's format is checked and the
look-up is skipped, in words.
"""
import collections
import datetime
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.environ.get("HM_SHARED_DATA", "")
DATA_FILES = ("notes.jsonl", "peps.jsonl", "countries.jsonl")
SHAPES = {"attribute", "choice", "correction", "count", "key", "quantity", "set", "status",
          "switch", "version"}
PAIR_LABELS = {"conflict", "none"}
STORY_LABELS = {"ambiguity", "none", "reversal", "settled", "stale"}
QUERY_KINDS = {"identifier", "paraphrase", "plain"}
SIMILAR_LABELS = {"contradiction", "duplicate", "none"}
MEMORY_TYPES = {"adaptation", "episodic", "identity", "knowledge", "preference", "project"}
NOW = "2026-12-01T00:00:00Z"  # the clock of the recall and similarity sets
LEAST_ROWS, LEAST_QUERIES, LEAST_SIMILAR = 150, 240, 300

# Function words, and "user", the subject of nearly all facts of the data: they are no content.
FUNCTION_WORDS = set("""a about above after again against all also am an and any are as at be
because been before being below between both but by can cannot could did do does doing done down
during each either else every few for from further had has have having he her here hers him his
how i if in into is it its itself just may me might mine more most must my neither no nor not now
of off on once one only onto or other our ours out over own per rather s same shall she should
since so some such t than that the their theirs them then there these they this those through to
too two under until up upon us user users very was we were what when where whether which while who
whom whose why will with within without would yet you your yours""".split())
SUFFIXES = """ations ation ingly edly ness ments ment ities ity ances ance ences ence ables able
ibles ible ings ing ies ied ers er ors or ed ly es s e y""".split()

faults = []


def say(where, what):
    faults.append(f"quality: {where}: {what}")


def records(name):
    """Yields (where, record) of a JSON Lines file; a line that is no object is a fault."""
    with open(os.path.join(HERE, name), encoding="utf-8") as f:
        for n, line in enumerate(f, 1):
            where = f"{name}:{n}"
            try:
                record = json.loads(line)
            except ValueError as e:
                say(where, f"not JSON: {e}")
                continue
            if isinstance(record, dict):
                yield where, record
            else:
                say(where, "not an object")


def data_rows():
    """The rows of the public data by id, or None where the data is not there."""
    if not DATA or not os.path.isdir(DATA):
        return None
    rows = {}
    for name in DATA_FILES:
        path = os.path.join(DATA, name)
        if not os.path.exists(path):
            continue
        with open(path, encoding="utf-8") as f:
            for line in f:
                row = json.loads(line)
                if row["id"] in rows:
                    say(name, f"id {row['id']} occurs twice in the data")
                rows[row["id"]] = row
    return rows


def keys(where, record, need, may):
    for k in need:
        if k not in record:
            say(where, f"no {k}")
    for k in record:
        if k not in need and k not in may:
            say(where, f"unknown key {k}")


def is_time(text):
    try:
        datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ")
        return True
    except (TypeError, ValueError):
        return False


def check_row(where, row_id, data):
    if not isinstance(row_id, str) or not re.fullmatch(r"[a-z][a-z0-9-]*", row_id):
        say(where, f"bad row id {row_id!r}")
    elif data is not None and row_id not in data:
        say(where, f"no row {row_id} in the data")


def check_text(where, side):
    for k in ("text", "project", "scope", "agent", "key", "value", "memory_type"):
        if k in side and (not isinstance(side[k], str) or not side[k].strip()):
            say(where, f"{k} is not a text")
    if "time" in side and not is_time(side["time"]):
        say(where, f"bad time {side['time']!r}")


def check_claim(where, claim):
    keys(where, claim, ("subject", "attribute", "value", "shape"),
         ("qualifier", "unit", "negated", "maybe"))
    values = claim.get("value")
    for v in values if isinstance(values, list) else [values]:
        if not isinstance(v, str) or not v:
            say(where, "a value is not a text")
    if isinstance(values, list) and len(values) < 2:
        say(where, "a list of one value")
    if claim.get("shape") not in SHAPES:
        say(where, f"unknown shape {claim.get('shape')!r}")
    for k in ("negated", "maybe"):
        if k in claim and claim[k] is not True:
            say(where, f"{k} is there but not true")


def check_claims(name, data, found):
    """Claims: returns the counts by draw, by kind of none and by shape."""
    count, seen = collections.Counter(), set()
    for where, r in records(name):
        keys(where, r, ("row", "draw") if found else ("id", "text"),
             ("claims", "none", "field") if found else ("claims", "none", "scope"))
        me = r.get("row" if found else "id")
        if me in seen:
            say(where, f"{me} is labelled twice")
        seen.add(me)
        if found:
            check_row(where, me, data)
        else:
            check_text(where, r)
        if ("claims" in r) == ("none" in r):
            say(where, "needs claims or none, not both")
        for c in r.get("claims", ()):
            check_claim(where, c)
        sure = [c for c in r.get("claims", ()) if "maybe" not in c]
        count["texts" + (f", {r.get('draw')}" if found else "")] += 1
        count["texts that state a value" if sure else "texts that may or may not" if "claims" in r
              else f"none: {r.get('none')}"] += 1
        for c in r.get("claims", ()):
            count[f"claim: {c.get('shape')}" + (", maybe" if "maybe" in c else "")] += 1
    return count


def check_pairs(name, data):
    count, seen = collections.Counter(), set()
    for where, r in records(name):
        keys(where, r, ("id", "a", "b", "label", "kind"), ())
        for side in (r.get("a", {}), r.get("b", {})):
            if "row" in side:
                keys(where, side, ("row",), ())
                check_row(where, side["row"], data)
            else:
                keys(where, side, ("text", "project"), ("scope", "agent", "time"))
                check_text(where, side)
        if r.get("label") not in PAIR_LABELS:
            say(where, f"unknown label {r.get('label')!r}")
        for me in (r.get("id"), json.dumps([r.get("a"), r.get("b")], sort_keys=True)):
            if me in seen:
                say(where, f"twice: {me}")
            seen.add(me)
        count["pairs"] += 1
        count[f"{r.get('label')}: {r.get('kind')}"] += 1
        count[f"label {r.get('label')}"] += 1
    return count


def check_story_members(where, r, ids):
    for k in ("members", "overtaken", "context"):
        for i in r.get(k, ()):
            if i not in ids:
                say(where, f"{k}: {i} is no row of the story")
    for k in ("settles", "stale"):
        if k in r and r[k] not in ids:
            say(where, f"{k}: {r[k]} is no row of the story")
    label = r.get("label")
    if (label in ("reversal", "ambiguity")) != ("members" in r):
        say(where, "reversal and ambiguity have members, others none")
    if len(r.get("members", ())) == 1:
        say(where, "one member")
    if (label == "settled") != ("settles" in r and "overtaken" in r):
        say(where, "settled says what settles what")
    if (label == "stale") != ("stale" in r and "context" in r):
        say(where, "stale says which row and by what")


def check_stories(name, data, found):
    count, seen = collections.Counter(), set()
    for where, r in records(name):
        keys(where, r, ("id", "label", "rows"), ("kind", "members", "settles", "overtaken", "stale",
                                                 "context", "entity", "returns", "maybe"))
        if r.get("id") in seen:
            say(where, f"twice: {r.get('id')}")
        seen.add(r.get("id"))
        rows = r.get("rows", [])
        if found:
            ids = rows
            for i in rows + ([r["entity"]] if "entity" in r else []):
                check_row(where, i, data)
        else:
            ids = [x.get("id") for x in rows]
            for x in rows:
                keys(where, x, ("id", "project") + (("key", "value") if "key" in x else ("text",)),
                     ("scope", "agent", "time", "status", "superseded_by", "memory_type"))
                check_text(where, x)
        if len(ids) != len(set(ids)) or len(ids) < 2:
            say(where, "a story has two rows or more, each once")
        if r.get("label") not in STORY_LABELS:
            say(where, f"unknown label {r.get('label')!r}")
        check_story_members(where, r, ids)
        count["stories"] += 1
        count["rows"] += len(rows)
        count[f"label {r.get('label')}" + (", maybe" if "maybe" in r else "")] += 1
    return count


def row_text(row):
    return row.get("content") or row.get("text") or row.get("name") or ""


def words(text):
    text = re.sub(r"'s\b", "", text.lower().replace("’", "'"))
    return re.findall(r"[^\W_]+(?:'[^\W_]+)?", text)


def stem(word):
    """Cuts one suffix, so that three letters or more stay, then a doubled last letter."""
    word = word.replace("'", "")
    for suffix in SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            word = word[:-len(suffix)]
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


def alike(a, b):
    """Same stem, or a common beginning that a stemmer may take for one: too strict on purpose."""
    if stem(a) == stem(b):
        return True
    same, shorter = len(os.path.commonprefix([a, b])), min(len(a), len(b))
    return same >= 6 or (same >= 4 and same == shorter) or (same >= 5 and same >= 0.7 * shorter)


def shared_words(query, text):
    return sorted({a for a in words(query) for b in words(text)
                   if a not in FUNCTION_WORDS and b not in FUNCTION_WORDS and alike(a, b)})


def holds_identifier(query, text):
    """The query, or a word of it that is no plain lower-case word, stands in the text as it is."""
    marks = [query] + [w.strip(",.?") for w in query.split() if not re.fullmatch("[a-z]+", w)]
    return any(re.search(r"(?<!\w)" + re.escape(m) + r"(?!\w)", text, re.I) for m in marks)


def holds_now(row):
    return (row.get("status", "active") in ("active", "candidate") and "superseded_by" not in row
            and row.get("valid_from", "") <= NOW and row.get("valid_until", NOW + "~") > NOW)


def runs_of_five(text):
    w = words(text)
    return {" ".join(w[i:i + 5]) for i in range(len(w) - 4)}


def check_memory(where, row):
    """The fields that rows of recall-corpus.jsonl and sides of pairs have in common."""
    check_text(where, row)
    if row.get("memory_type", "knowledge") not in MEMORY_TYPES:
        say(where, f"unknown memory type {row['memory_type']!r}")
    tags = row.get("tags", ["-"])
    if not isinstance(tags, list) or not tags or not all(isinstance(t, str) and t for t in tags):
        say(where, "tags are a list of texts, or not there")
    for k in ("valid_from", "valid_until", "superseded_at"):
        if k in row and not is_time(row[k]):
            say(where, f"bad {k} {row[k]!r}")


def check_corpus(name):
    """The written half's store: returns its rows by id and the counts."""
    rows, texts, count = {}, set(), collections.Counter()
    for where, r in records(name):
        keys(where, r, ("id", "memory_type", "project", "tags", "importance", "time", "text"),
             ("status", "superseded_by", "superseded_at", "valid_until"))
        check_memory(where, r)
        if not re.fullmatch(r"rc-[a-z0-9-]+", str(r.get("id"))) or r.get("id") in rows:
            say(where, f"bad id, or twice: {r.get('id')!r}")
        if r.get("text") in texts:
            say(where, "a text that stands twice")
        if not 0 <= r.get("importance", -1) <= 1:
            say(where, "importance is from 0 to 1")
        if ("superseded_by" in r) != (r.get("status") == "superseded"):
            say(where, "superseded rows say by what, others do not")
        rows[r.get("id")] = r
        texts.add(r.get("text"))
        count["rows"] += 1
        count[f"memory_type {r.get('memory_type')}"] += 1
        count["rows that do not hold now"] += not holds_now(r)
    for me, r in rows.items():
        if "superseded_by" in r and not holds_now(rows.get(r["superseded_by"], r)):
            say(name, f"{me} is superseded by no row that holds")
    if count["rows"] < LEAST_ROWS:
        say(name, f"fewer than {LEAST_ROWS} rows")
    return rows, count


def check_answers(where, r, rows):
    """The answers of one query against the rows of its store."""
    answers, may = r.get("answers", []), r.get("may", [])
    if not answers or len(set(answers + may)) != len(answers + may):
        say(where, "a query has one answer or more, and each row once")
    for i in answers + may:
        if i not in rows:
            say(where, f"no row {i}")
    for i in (i for i in answers if i in rows):
        if not holds_now(rows[i]):
            say(where, f"{i} does not hold now")
        text = row_text(rows[i])
        common = shared_words(r["query"], text)
        if r.get("kind") == "paraphrase" and common:
            say(where, f"a paraphrase shares {', '.join(common)} with {i}")
        if r.get("kind") == "plain" and not common:
            say(where, f"no word in common with {i}: a paraphrase")
        if r.get("kind") == "identifier" and not holds_identifier(r["query"], text):
            say(where, f"{i} does not hold the identifier")
        if runs_of_five(r["query"]) & runs_of_five(text):
            say(where, f"five words in a row are those of {i}")


def check_queries(name, data, corpus, whole=True):
    """whole: the set that figures are told of; else one to confirm them by."""
    count, seen, total = collections.Counter(), set(), collections.Counter()
    for where, r in records(name):
        keys(where, r, ("id", "half", "kind", "query", "answers"), ("may",))
        for me in (r.get("id"), (r.get("half"), r.get("query"))):
            if me in seen:
                say(where, f"twice: {me}")
            seen.add(me)
        if r.get("kind") not in QUERY_KINDS or r.get("half") not in ("found", "written"):
            say(where, "unknown kind or half")
        rows = corpus if r.get("half") == "written" else data
        if rows is not None:
            check_answers(where, r, rows)
        total[r.get("kind")] += 1
        count[f"queries, {r.get('half')}"] += 1
        count[f"{r.get('half')}: {r.get('kind')}"] += 1
        if all(i.startswith("pep-") for i in r.get("answers", ())):
            count["answered by entities alone"] += 1
    n = sum(total.values())
    if whole and (n < LEAST_QUERIES or 3 * total["paraphrase"] < n or 5 * total["identifier"] < n):
        say(name, f"needs {LEAST_QUERIES} queries, a third paraphrases, a fifth identifiers")
    return count


def resolve_side(where, side, data):
    """A side as a memory: a row of the data, or the side itself; None where it cannot be known."""
    if "row" in side:
        keys(where, side, ("row",), ())
        check_row(where, side["row"], data)
        return None if data is None else data.get(side["row"])
    keys(where, side, ("text", "project"),
         ("id", "memory_type", "tags", "scope", "time", "status", "superseded_by", "valid_from",
          "valid_until", "polarity", "derived_from"))
    check_memory(where, side)
    if side.get("polarity", 0) not in (-1, 0, 1):
        say(where, "polarity is -1, 0 or 1")
    return side


def barriers(a, b):
    """What keeps two memories from being compared: the kinds of none that their fields decide."""
    types = [x.get("memory_type", "knowledge") for x in (a, b)]
    found = set()
    if a.get("project") != b.get("project"):
        found.add("other project")
    if a.get("scope", "") != b.get("scope", "") and "episodic" not in types:
        found.add("other scope")
    if "episodic" in types:
        found.add("episodic" if types[0] == types[1] else "other type")
    elif types[0] != types[1]:
        found.add("other type")
    if a.get("tags") and b.get("tags") and not set(a["tags"]) & set(b["tags"]):
        found.add("disjoint tags")
    for x in (a, b):
        if not holds_now(x):
            found.add("superseded" if x.get("status", "active") != "active" else "expired")
    if b.get("id", "") in a.get("derived_from", ()) or a.get("id", "") in b.get("derived_from", ()):
        found = {"reflection"}
    return found


def check_similar_label(where, r):
    label = r.get("label")
    if label not in SIMILAR_LABELS:
        say(where, f"unknown label {label!r}")
    if (r.get("reason") in ("negation_diff", "polarity")) != (label == "contradiction"):
        say(where, "a contradiction, and nothing else, has a reason")
    if ("kind" in r) != (label == "none"):
        say(where, "none, and nothing else, has a kind")
    if "far" in r and (label != "duplicate" or r["far"] is not True):
        say(where, "far is true, and for duplicates")
    if "may" in r and (label != "none" or r["may"] != "duplicate"):
        say(where, "may is duplicate, and for none")


def check_similar(name, data):
    count, seen = collections.Counter(), set()
    fields = {"other project", "other scope", "episodic", "other type", "disjoint tags",
              "superseded", "expired", "reflection"}
    for where, r in records(name):
        keys(where, r, ("id", "half", "label", "a", "b"), ("kind", "reason", "far", "may"))
        check_similar_label(where, r)
        sides = [resolve_side(where, r.get(k, {}), data) for k in ("a", "b")]
        rows = sum("row" in r.get(k, {}) for k in ("a", "b"))
        if r.get("half") != ("written", "mixed", "found")[rows]:
            say(where, f"not of the half {r.get('half')!r}")
        for me in (r.get("id"), json.dumps(sorted(json.dumps(s, sort_keys=True) for s in
                                                  (r.get("a"), r.get("b"))))):
            if me in seen:
                say(where, f"twice: {me}")
            seen.add(me)
        if None not in sides:
            want = {r["kind"]} if r.get("kind") in fields else set()
            if barriers(*sides) != want:
                say(where, f"the fields say {sorted(barriers(*sides))}, the label {sorted(want)}")
            opposite = sides[0].get("polarity", 0) * sides[1].get("polarity", 0) == -1
            if opposite != (r.get("reason") == "polarity"):
                say(where, "polarities are opposite if and only if the reason is polarity")
        count["similar pairs"] += 1
        count[f"half {r.get('half')}"] += 1
        count[f"label {r.get('label')}" + (", far" if "far" in r else "")] += 1
        count[f"{r.get('label')}: {r.get('kind', r.get('reason', 'same'))}"] += 1
    if count["similar pairs"] < LEAST_SIMILAR:
        say(name, f"fewer than {LEAST_SIMILAR} pairs")
    return count


def print_count(name, count):
    print(name)
    for k in sorted(count):
        print(f"  {count[k]:5} {k}")


def main():
    data = data_rows()
    if data is None:
        print("quality: HM_SHARED_DATA is not there: rows of the found half are not looked up")
    parts = (
        ("claims-found.jsonl", lambda n: check_claims(n, data, True)),
        ("claims-written.jsonl", lambda n: check_claims(n, data, False)),
        ("pairs-found.jsonl", lambda n: check_pairs(n, data)),
        ("pairs-mixed.jsonl", lambda n: check_pairs(n, data)),
        ("pairs-written.jsonl", lambda n: check_pairs(n, data)),
        ("stories-found.jsonl", lambda n: check_stories(n, data, True)),
        ("stories-written.jsonl", lambda n: check_stories(n, data, False)),
    )
    total = collections.Counter()
    for name, check in parts:
        count = check(name)
        print_count(name, count)
        half = name[name.index("-") + 1:name.index(".")]
        total[half] += sum(count[k] for k in count
                           if k in ("pairs", "stories") or k.split(",")[0] == "texts")
    corpus, count = check_corpus("recall-corpus.jsonl")
    print_count("recall-corpus.jsonl", count)
    print_count("recall-queries.jsonl", check_queries("recall-queries.jsonl", data, corpus))
    second = "recall-queries-second.jsonl"
    print_count(second, check_queries(second, data, corpus, whole=False))
    print_count("similar-pairs.jsonl", check_similar("similar-pairs.jsonl", data))
    print("labels: " + ", ".join(f"{n} {half}" for half, n in sorted(total.items())))
    for f in faults:
        print(f)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
