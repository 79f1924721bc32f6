#!/usr/bin/env python3
"""Public data: 250 countries in three layers, 736 decisions over 25 years."""
from harness import *
from hostile import walk


def load(m, name, built=True):
    path = os.path.join(SHARED, name)
    if not os.path.exists(path):
        raise Skip(f"{name} is not there (set HM_SHARED_DATA)")
    m.run("init")
    m.run("import", path)
    if built:
        m.run("build")
        return walk(m)
    m.sweep()


def test_countries(m):
    pages = load(m, "countries.jsonl")
    cs = {tuple(c["slot_key"]): c for c in m.conflicts()}
    c = cs["bi", "capital"]
    assert kinds(c) == [("project_state", "Gitega", False), ("entity", "Gitega", False), ("memory", "Bujumbura", True)], kinds(c)
    assert c["members"][2]["conflicts_with"] == "project_state:s-bi-capital" and c["slot_kind"] == "cross_layer"
    assert {x[1] for x in kinds(cs["by", "currency"])} == {"BYR", "BYN"}
    assert len(pages) > 500
    page = "".join(pages[f"conflicts/{c['id']}.html"].text)
    for word in ("Gitega", "Bujumbura", "factbook", "country-codes", "country-json"):
        assert word in page, word
    assert "imported on 1 Jan 2026, memory:m-bi-capital: “capital is Bujumbura” says" in page, page
    assert f"conflicts/{c['id']}.html" in "".join(pages["projects/bi/index.html"].hrefs)


def test_countries_false_alarms(m):
    """Nothing comes from case, spacing, number format or array order."""
    load(m, "countries.jsonl", built=False)

    def plain(v):
        v = "".join(v.casefold().split()).rstrip(".").replace(",", "")
        try:
            return str(float(v))
        except ValueError:
            return v
    for c in m.conflicts():
        values = {plain(x["value"]) for x in c["members"]}
        assert len(values) > 1, (c["slot_key"], [x["value"] for x in c["members"]])


def test_countries_nothing_missed(m):
    """A naive reading of the data finds the same slots."""
    load(m, "countries.jsonl", built=False)
    slots = {}

    def norm(value):
        v = str(value).casefold().strip().rstrip(".")
        v = "saint " + v[4:] if v.startswith("st. ") else v
        if not v:
            return None
        try:
            return str(float(v)) if not (v[:1] == "0" and v[1:2].isdigit()) else v
        except ValueError:
            return v
    with open(os.path.join(SHARED, "countries.jsonl")) as f:
        for line in f:
            r = json.loads(line)
            if r["kind"] == "memory":
                key, _, value = r["content"].partition(" is ")
            elif r["kind"] == "entity":
                key, value = r["properties"]["parameter_name"], r["properties"]["value"]
            elif r["kind"] == "project_state":
                key, value = r["key"], r["value"]
            else:
                continue
            values = frozenset(norm(v) for v in (value if isinstance(value, list) else [value])) - {None}
            if values:
                slots.setdefault((r["project"], key), []).append((r["kind"], values))
    want = set()
    for k, claims in slots.items():
        for kind, v in claims:
            for other, w in claims:
                if (kind, other) != ("memory", "memory") and not (v <= w or w <= v):
                    want.add(k)
    got = {tuple(c["slot_key"]) for c in m.conflicts()}
    assert want == got, sorted(want ^ got)[:40]


def test_peps(m):
    pages = load(m, "peps.jsonl")
    log = {p: " ".join("".join(x.text).split()) for p, x in pages.items() if "decisions" in p and p.startswith("projects/python/")}
    everything = " ".join(log.values())
    at382 = [t for t in log.values() if "PEP 382: Namespace Packages" in t]
    assert at382
    assert "PEP 402" in everything
    md = "".join(d.decode() for p, d in m.site_bytes("site") if "decisions" in p and p.endswith(".md"))
    import re
    blocks = re.split(r"\n(?=#{2,4} )", md)
    b402 = [b for b in blocks if b.splitlines()[0].find("PEP 402:") >= 0]
    b382 = [b for b in blocks if b.splitlines()[0].find("PEP 382:") >= 0]
    assert any(re.search(r"[Ss]upersedes.*PEP 382", b) for b in b402), b402
    assert any(re.search(r"[Ss]uperseded by.*PEP 402", b) for b in b382), b382


def test_both_publish_and_stay_equal(m):
    load(m, "countries.jsonl", built=False)
    m.run("import", os.path.join(SHARED, "peps.jsonl"))
    a = m.run("--format", "json", "publish").json()
    b = m.run("--format", "json", "publish").json()
    assert a["created"] and not b["created"] and a["commit"] == b["commit"]
    m.git("fsck", "--strict")


if __name__ == "__main__":
    main(globals())
