#!/usr/bin/env python3
"""Scores what a program reads from text against the labels of this folder.

  score.py READ            precision and recall of claims, by half and by shape
  score.py READ --show X   also each text with a fault; X is written, picked, random

READ is the program made from read.c. The found half is read by HM_SHARED_DATA and skipped, in
words, where that is not set. A claim meets a label when its value is the label's and their subject,
attribute and qualifier share enough content words (README.md says what counts).
"""
import collections
import json
import os
import re
import subprocess
import sys

from interval import wilson

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.environ.get("HM_SHARED_DATA", "")
SHAPES = ("quantity", "switch", "version", "choice", "key", "set", "count", "attribute",
          "status", "correction")
SMALL = {w: str(n) for n, w in enumerate(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty".split())}
SMALL.update({"twice": "2", "once": "1", "an": "1", "a": "1"})
STOP = {"the", "of", "a", "an", "s", "is", "per", "for", "in", "on", "at", "to", "and", "user",
        "my", "current", "number", "state", "choice", "value", "rule"}
ALIKE = {"favourite": "favorite", "licence": "license", "job": "role", "limit": "limit",
         "request": "rate", "timezone": "zone", "db": "database", "length": "duration",
         "price": "cost", "amount": "cost", "fare": "cost", "worth": "worth", "living": "residence",
         "place": "residence", "broker": "broker", "queue": "broker", "memory": "memory",
         "employer": "employer", "provider": "provider", "tool": "tool", "store": "store",
         "formats": "format", "platforms": "system", "platform": "system", "linting": "linter",
         "permission": "permission"}


def stem(word):
    word = ALIKE.get(word, word)
    for end in ("ing", "ies", "ed", "s"):
        if word.endswith(end) and len(word) - len(end) >= 3:
            word = word[:-len(end)]
            break
    return ALIKE.get(word, word)[:6]


def content(*texts):
    words = re.findall(r"[^\W_]+", " ".join(texts).lower())
    return {stem(w) for w in words if w not in STOP}


def plain(value):
    """A value as compared: digits, no separators, no articles, no units' spaces."""
    value = value.lower().replace("\u2019", "'")
    value = re.sub(r"(?<=\d),(?=\d{3})", "", value)
    value = re.sub(r"(?<=\d)(st|nd|rd|th)\b", "", value)
    value = re.sub(r"[$\u20ac\u00a3\"'`*]", " ", value)
    words = [SMALL.get(w, w) for w in value.split()]
    return " ".join(words).strip(" .,;:!")


def same_value(label, claim):
    """Is the claim's value the label's: equal, or equal but for a unit or an article?"""
    want = label["value"]
    shown = [plain(claim["value"]), plain(claim["reading"])]
    if isinstance(want, list):
        have = content(claim["value"])
        return all(content(w) <= have for w in want)
    want = plain(want)
    if label["shape"] == "switch":
        on = {"on", "enabled", "allowed", "always", "must", "true", "open", "required"}
        off = {"off", "disabled", "forbidden", "never", "must not", "false", "closed"}
        reading = claim["reading"]
        if want in ("need not", "optional"):
            return reading == "optional"
        if label.get("negated"):
            return reading in (off if want in on else on)
        return reading in on if want in on else reading in off
    for have in shown:
        if have == want:
            return True
        number = re.match(r"-?\d[\d.:-]*", want)
        other = re.match(r"-?\d[\d.:-]*", have)
        if number and other and number.group() == other.group() and label["shape"] not in (
                "attribute", "choice", "key"):
            return True
        if have and want and (want.endswith(" " + have) or have.endswith(" " + want) or
                              want.startswith(have + " ") or have.startswith(want + " ")):
            return True
    return False


def same_slot(label, claim):
    want = content(label["subject"], label["attribute"], label.get("qualifier", ""))
    have = content(claim["slot"].replace("_", " "), claim["subject"].replace("_", " "),
                   claim["attribute"].replace("_", " "), claim["qualifier"].replace("_", " "),
                   claim["value"])
    subject = content(label["subject"])
    if label["shape"] == "version":
        have |= content(claim["words"])
    if subject and not subject & have and label["shape"] not in ("switch", "set"):
        return False
    return not want or len(want & have) * 2 >= len(want)


def meets(label, claim):
    denied = bool(label.get("negated"))
    if denied and label["shape"] != "switch":
        if claim["left"] and plain(label["value"]).split()[0] == plain(claim["left"]).split()[0]:
            return True
        if not claim["denied"]:
            return False
    elif claim["denied"] and label["shape"] != "switch":
        return False
    return same_value(label, claim) and same_slot(label, claim)


def read_all(program, texts):
    lines = "".join(json.dumps({"text": t, "scope": s}) + "\n" for t, s in texts)
    out = subprocess.run([program], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in out.stdout.splitlines()]


class Half:
    def __init__(self, name):
        self.name = name
        self.right, self.claims = collections.Counter(), collections.Counter()
        self.found, self.labels = collections.Counter(), collections.Counter()
        self.rows = self.clean = self.clean_claims = 0
        self.faults = []

    def add(self, record, text, read):
        self.rows += 1
        labels = record.get("claims", [])
        used = set()
        met = set()
        for k, claim in enumerate(read["claims"]):
            fits = [i for i, label in enumerate(labels) if meets(label, claim)]
            fits.sort(key=lambda i: ("maybe" in labels[i], i in used))
            if fits and all("maybe" in labels[i] for i in fits):
                met.update(fits)
                continue
            shape = labels[fits[0]]["shape"] if fits else claim["shape"]
            self.claims[shape] += 1
            if fits:
                self.right[shape] += 1
                used.update(i for i in fits if "maybe" not in labels[i])
            else:
                self.faults.append(("FALSE", record, text, claim))
        for i, label in enumerate(labels):
            if "maybe" in label:
                continue
            self.labels[label["shape"]] += 1
            if i in used:
                self.found[label["shape"]] += 1
            else:
                self.faults.append(("MISSED", record, text, label))
        if not labels:
            self.clean += 1
            self.clean_claims += len(read["claims"])

    def show(self):
        print(f"\n{self.name}: {self.rows} texts")
        print(f"  {'shape':12}{'right/claimed':>14} {'precision':>10}  {'interval':14}"
              f"{'found/labels':>13} {'recall':>8}  interval")
        for shape in SHAPES + ("all",):
            one = (lambda c: sum(c.values())) if shape == "all" else (lambda c: c[shape])
            right, claims, found, labels = map(one, (self.right, self.claims, self.found, self.labels))
            if not claims and not labels:
                continue
            p, r = wilson(right, claims), wilson(found, labels)
            print(f"  {shape:12}{f'{right}/{claims}':>14} "
                  f"{right / claims if claims else float('nan'):10.3f}  [{p[0]:.2f}, {p[1]:.2f}]  "
                  f"{f'{found}/{labels}':>13} {found / labels if labels else float('nan'):8.3f}  "
                  f"[{r[0]:.2f}, {r[1]:.2f}]")
        if self.clean:
            print(f"  texts that state nothing: {self.clean}, claims on them: {self.clean_claims}, "
                  f"per 1,000: {1000 * self.clean_claims / self.clean:.1f}")

    def show_faults(self):
        for what, record, text, item in self.faults:
            slot = item["slot"] if "slot" in item else f"{item['subject']} / {item['attribute']}"
            print(f"{what} {record.get('row', record.get('id'))} | {text} | {item['shape']} | {slot} | "
                  f"{item['value']} {item.get('qualifier', '')}")


def load(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def data_rows():
    rows = {}
    for name in ("notes.jsonl", "peps.jsonl", "countries.jsonl"):
        path = os.path.join(DATA, name)
        if os.path.exists(path):
            with open(path, encoding="utf-8") as f:
                rows.update((r["id"], r) for r in map(json.loads, f))
    return rows


def main():
    program = sys.argv[1]
    show = sys.argv[3] if len(sys.argv) > 3 else ""
    halves = {}
    written = load("claims-written.jsonl")
    reads = read_all(program, [(r["text"], r.get("scope", "")) for r in written])
    half = halves["written"] = Half("claims, written half")
    for r, read in zip(written, reads):
        half.add(r, r["text"], read)
    if DATA and os.path.isdir(DATA):
        rows = data_rows()
        found = load("claims-found.jsonl")
        texts = [rows[r["row"]].get(r.get("field", "content"), "") for r in found]
        reads = read_all(program, [(t, "") for t in texts])
        for draw in ("picked", "random"):
            halves[draw] = Half(f"claims, found half, {draw} rows")
        for r, text, read in zip(found, texts, reads):
            halves[r["draw"]].add(r, text, read)
    else:
        print("quality: the found half is skipped: HM_SHARED_DATA names no folder")
    for half in halves.values():
        half.show()
    if show in halves:
        halves[show].show_faults()


main()
