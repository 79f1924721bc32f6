#!/usr/bin/env python3
"""Records of decisions, and what a tree itself knows: imported and checked with file and line."""
import subprocess

from harness import *

RECORD = "# {n}. {title}\n\nDate: 2024-0{n}-01\n\n## Status\n\n{status}\n\n## Context\n\nThe cache was Memcached.\n\n## Decision\n\n{decision}\n"
MIT = "Permission is hereby granted, free of charge, to any person obtaining a copy. The software is provided \"as is\".\n"


def record(m, n, title, status, decision, folder="docs/adr"):
    m.write(f"{folder}/000{n}-{title.lower().replace(' ', '-')}.md", RECORD.format(n=n, title=title, status=status, decision=decision))


def export(m, kind):
    return {r["id"]: r for r in map(json.loads, m.run("export").out.splitlines()) if r["kind"] == kind}


def items(m, *words, code=0):
    r = m.run("check", "--format", "json", *words, code=code).json()
    return [(x["subject"], [(s["path"], s["line"], s["value"]) for s in x["sides"]] if x["sides"] else (x["path"], x["line"]))
            for x in r["results"] if x["rule"] == "decision-record"]


def series(m):
    record(m, 1, "Use Memcached", "Superseded by [2](0002-use-redis.md)", "The cache is Memcached.")
    record(m, 2, "Use Redis", "Accepted\n\nSupersedes [1](0001-use-memcached.md)", "The cache is Redis.")
    record(m, 3, "Use Kafka", "Proposed", "The queue is Kafka.")


def test_records_become_decisions(m):
    series(m)
    m.run("import", "docs")
    entities = {r["name"]: r for r in export(m, "entity").values()}
    assert {n: r.get("status", "active") for n, r in entities.items()} == {"Use Memcached": "superseded", "Use Redis": "active", "Use Kafka": "candidate"}
    redis = entities["Use Redis"]
    assert entities["Use Memcached"]["superseded_by"] == redis["id"]
    assert redis["source_refs"] == ["docs/adr/0002-use-redis.md:1"]
    assert redis["properties"] == {"number": "0002", "record_status": "Accepted", "record_date": "2024-02-01", "decision": "The cache is Redis."}, redis
    relations = list(export(m, "relation").values())
    assert [(r["type"], r["from"], r["to"]) for r in relations] == [("SUPERSEDES", redis["id"], entities["Use Memcached"]["id"])]
    first = m.run("export").out
    m.run("import", "docs")
    assert m.run("export").out == first
    m.run("sweep")
    assert m.run("conflicts", "list").out.startswith("No open"), m.run("conflicts", "list").out
    assert "No findings" in m.run("findings", "list").out, m.run("findings", "list").out


def log_of(m):
    m.run("sweep")
    m.run("build", "-d", "site")
    return m.text("site", "projects", "global", "decisions.md")


def test_the_log_tells_decisions_and_no_edits(m):
    """A status that changes has no date of the clock; status and date of a record, and lines of a renamed one, are
    superseded by nobody; number and status of the older record are not what was before."""
    series(m)
    m.run("import", "docs")
    page = log_of(m)
    assert "Since" not in page and "efore" not in page and "- Supersedes: [Use Memcached]" in page, page
    record(m, 3, "Use Kafka", "Accepted", "The queue is Kafka.")
    m.run("import", "--complete", "docs")
    page = log_of(m)
    assert "- **record status:** Accepted (was Proposed)\n" in page and "Recorded" not in page and "uperseded elsewhere" not in page, page
    os.rename(m.path("docs/adr/0003-use-kafka.md"), m.path("docs/adr/0003-queue.md"))
    m.run("import", "--complete", "docs")
    page = log_of(m)
    assert "uperseded elsewhere" not in page and page.count("[Use Kafka]") == 4, page
    was, now = (next(r for r in export(m, "entity").values() if r["source_refs"] == [f"docs/adr/0003-{name}.md:1"]) for name in ("use-kafka", "queue"))
    assert was["status"] == "superseded" and was["superseded_by"] == now["id"] and now["status"] == "active", was
    assert "No findings" in m.run("findings", "list").out
    record(m, 3, "Use Kafka", "Accepted", "The queue is NATS.")
    os.rename(m.path("docs/adr/0003-use-kafka.md"), m.path("docs/adr/0003-queue.md"))
    m.run("import", "--complete", "docs")
    assert "The queue is Kafka.](" in log_of(m).split("uperseded elsewhere")[1], log_of(m)


def test_faults_of_records_are_findings_of_the_mirror(m):
    series(m)
    record(m, 4, "Use Consul", "Superseded by [9](0009-use-etcd.md)", "x.")
    record(m, 5, "Encrypt every volume twice", "Accepted", "x.")
    m.write("docs/adr/README.md", "| ADR | Title | Status |\n|-|-|-|\n| [2](0002-use-redis.md) | Encrypt every volume twice | accepted |\n"
            "| [3](0003-use-kafka.md) | Kafka | accepted |\n| [5](0005-encrypt-every-volume-twice.md) | Nothing leaves readable (a summary) | accepted |\n| [1](0001-use-memcached.md) | Memcached | superseded |\n")
    m.run("import", "docs")
    m.run("sweep")
    found = [x["message"] for x in m.run("findings", "list", "--format", "json").json()["findings"] if x["rule"] == "row/decision-record"]
    told = sorted(x.split("): ", 1)[1] for x in found)
    assert told == ['record 0004 is superseded by 0009-use-etcd.md, which is not there: docs/adr/0004-use-consul.md:7',
                    'the index calls record 0002 "Encrypt every volume twice": docs/adr/README.md:3, docs/adr/0002-use-redis.md:1',
                    'the index gives record 0003 as accepted: docs/adr/README.md:4, docs/adr/0003-use-kafka.md:7'], told
    m.write("docs/adr/README.md", "| ADR | Title | Status |\n|-|-|-|\n| [2](0002-use-redis.md) | Redis | accepted |\n")
    m.run("import", "docs")
    m.run("sweep")
    found = [x["message"] for x in m.run("findings", "list", "--format", "json").json()["findings"] if x["rule"] == "row/decision-record"]
    assert len(found) == 1 and "which is not there" in found[0], found


def test_a_title_in_an_index_differs_by_a_name(m):
    record(m, 2, "Use Redis for the sessions of users", "Accepted", "x.")
    record(m, 3, "Write Feature Flags in YAML", "Accepted", "x.")
    record(m, 4, "Adopt Kafka", "Accepted", "x.")
    record(m, 5, "Run tests in CI", "Accepted", "x.")
    record(m, 6, "Use Postgres for orders", "Accepted", "x.")
    record(m, 7, "Wir nutzen eine Tabelle", "Accepted", "x.")
    m.write("docs/adr/README.md", "| ADR | Title | Status |\n|-|-|-|\n| [2](0002-use-redis-for-the-sessions-of-users.md) | Use Memcached for the sessions of users | accepted |\n"
            "| [3](0003-write-feature-flags-in-yaml.md) | Write Feature Toggles in YAML | accepted |\n| [4](0004-adopt-kafka.md) | Use Kafka | accepted |\n"
            "| [5](0005-run-tests-in-ci.md) | 5. Run the tests in CI | accepted |\n"
            "| [6](0006-use-postgres-for-orders.md) | Use PostgreSQL for orders | accepted |\n| [7](0007-wir-nutzen-eine-tabelle.md) | Wir nutzen eine Datenbank | accepted |\n")
    r = m.run("check", "docs")
    assert 'the index calls record 0002 "Use Memcached for the sessions of users"' in r.out and r.out.count("the index calls") == 1, r.out


def test_records_elsewhere_need_not_be_there(m):
    series(m)
    record(m, 4, "Use Consul", "Superseded by [platform 2](../../platform/adr/0022-x.md)", "x.")
    record(m, 5, "Use Nomad", "Superseded by https://example.org/acme/platform/blob/main/adr/0014-x.md", "x.")
    record(m, 6, "Use Vault", "2024-05-05 - Accepted\n\nSupersedes acme/platform ADR-0001", "x.")
    assert items(m, "docs") == [], items(m, "docs")
    m.run("import", "docs")
    assert [r["properties"]["record_status"] for r in export(m, "entity").values() if r["name"] == "Use Vault"] == ["Accepted"]
    record(m, 4, "Use Consul", "Superseded by [22](0022-x.md)", "x.")
    assert len(items(m, "docs")) == 1


def test_an_index_gives_other_numbers_and_heirs(m):
    a = "docs/adr/"
    series(m)
    record(m, 4, "Use Consul", "Accepted", "x.")
    def told(text):
        m.write(a + "README.md", text)
        return items(m, "docs")
    head = "| ADR | Title | Status |\n|-|-|-|\n"
    assert told(head + "| [1](0001-use-memcached.md) | Use Memcached | Superseded by 4 |\n") == [
        ("the index gives record 0001 as Superseded by 4", [(a + "README.md", 3, "says Superseded by 4"), (a + "0001-use-memcached.md", 7, "is superseded by 2")])]
    assert told(head + "| ADR-0004 | Use Consul | Deprecated |\n") == [
        ("the index gives record 0004 as deprecated", [(a + "README.md", 3, "says deprecated"), (a + "0004-use-consul.md", 7, "is accepted")])]
    assert told("# Decisions\n\n- ADR-0005: Use Consul (Accepted)\n") == [
        ("the index gives record 0004 the number 0005", [(a + "README.md", 3, "says 0005"), (a + "0004-use-consul.md", 1, "has number 4")])]
    for text in ("- 0001: Use Memcached. Superseded by 0002.\n", "- 0004: Use Consul. Accepted.\n", "- 5: Use Consul (Accepted)\n", head + "| 5 | Use Consul | Accepted |\n"):
        assert told(text) == [], (text, told(text))
    m.write(a + "0004-use-consul.md", RECORD.format(n=5, title="Use Consul", status="Accepted", decision="x."))
    assert told(head + "| 0004 | Use Consul | Accepted |\n") == [
        ("the title has number 5, the file 0004", [(a + "0004-use-consul.md", 1, "has number 5"), (a + "README.md", 3, "says 0004")])]
    os.remove(m.path(a + "0004-use-consul.md"))
    record(m, 2, "Use Redis", "Superseded by [3](0003-use-kafka.md)\n\nSupersedes [1](0001-use-memcached.md)", "x.")
    record(m, 3, "Use Kafka", "Accepted\n\nSupersedes [2](0002-use-redis.md)", "x.")
    assert told(head + "| [1](0001-use-memcached.md) | Use Memcached | Superseded by 3 |\n") == [], "the end of a chain"
    record(m, 4, "Use Consul", "Superseded by ADR-0008", "x.")
    assert ("the index gives record 0004 as Superseded by 0009.", [(a + "README.md", 3, "says Superseded by 0009."), (a + "0004-use-consul.md", 7, "is superseded by 8")]
            ) in told("# Decisions\n\n- 0004: Use Consul. Superseded by 0009.\n"), items(m, "docs")


def test_a_decision_in_force_is_compared(m):
    series(m)
    m.write("docs/guide.md", "# Guide\n\nThe cache is Memcached.\n")
    r = m.run("check", "--format", "json", "docs", code=1).json()
    sides = [(s["path"], s["line"], s["value"]) for s in r["results"][0]["sides"]]
    assert len(r["results"]) == 1 and sides == [("docs/adr/0002-use-redis.md", 17, "Redis"), ("docs/guide.md", 3, "Memcached")], sides


def test_records_that_fit_have_no_finding(m):
    series(m)
    record(m, 4, "Sizes", "Accepted. Supersedes the limits in part of ADR 0002. Supersedes nothing else.", "x.")
    record(m, 5, "Later", "Proposed\n\nSupersedes ADR-0002 when accepted", "x.")
    record(m, 6, "Chain", "Accepted\n\nSupersedes [7](0007-middle.md)", "x.")
    record(m, 7, "Middle", "Superseded by [6](0006-chain.md)\n\nSupersedes [8](0008-old.md)", "x.")
    record(m, 8, "Old", "Superseded by [6](0006-chain.md)", "x.")
    record(m, 4, "Ovens", "Superseded by [5](0005-kilns.md)", "x.", folder="two/adr")
    m.write("two/adr/0005-kilns.md", "---\nstatus: accepted\nrelations:\n  - type: supersedes\n    target: ADR-0004\n---\n# Kilns\n\n## Decision\n\nx.\n")
    record(m, 6, "Pots", "Superseded by [7](0007-pans.md)", "x.", folder="two/adr")
    record(m, 7, "Pans", "Accepted", "We go back on [pots](./0006-pots.md).", folder="two/adr")
    m.write("docs/adr/README.md", "# Records\n\n| Record | Status |\n| --- | --- |\n| [2](0002-use-redis.md) | Accepted |\n")
    record(m, 1, "Own series", "Accepted", "x.", folder="apps/web/docs/adr")
    m.write("docs/adr/index.md", "| Decision | Record |\n|-|-|\n| Fast, in memory, for sessions | [2](0002-use-redis.md) |\n")
    for name in ("2024.04.09-rooms", "2024.05.21-halls"):
        m.write(f"docs/decisions/{name}.md", f"# {name[11:]}\n\n## Status\n\nAccepted\n\n## Decision\n\nx.\n")
    m.write("docs/adr/0009-ranges.md", "# 9. Ranges\n\n## Status\n\nPartly superseded\n\n## Decision\n\n**These ranges have been superseded by [3](0003-use-kafka.md).**\n")
    assert items(m, ".") == []


def test_links_of_a_status_wherever_it_stands(m):
    """A front matter is no Markdown, but the template of MADR has a link in it."""
    m.write("docs/adr/0001-clay.md", '---\nstatus: "superseded by [ADR-0002](0002-sand.md)"\n---\n# Clay\n\n## Decision\n\nClay.\n')
    m.write("docs/adr/0002-sand.md", "# Sand\n\n2024-02-01, accepted\n\nSupersedes [ADR-0001](0001-clay.md)\n\n## Decision\n\nSand.\n")
    m.write("docs/adr/0003-iron.md", "# Iron\n\n## Status: Superseded by [ADR-0002](0002-sand.md)\n\n## Decision\n\nIron.\n")
    assert items(m, ".") == [("record 0003 is superseded by record 0002, which does not mention it",
                              [("docs/adr/0003-iron.md", 3, "is superseded by 2"), ("docs/adr/0002-sand.md", 1, "does not mention it")])], items(m, ".")
    m.run("import", "docs")
    entities = {r["name"]: r["properties"] for r in export(m, "entity").values()}
    assert entities["Clay"]["record_status"] == "superseded by ADR-0002" and entities["Sand"]["record_date"] == "2024-02-01", entities


def test_records_that_do_not_fit(m):
    record(m, 1, "A", "Superseded by [2](0002-b.md)", "x.")
    record(m, 2, "B", "Rejected", "x.")
    record(m, 3, "C", "Accepted\n\nSupersedes [9](0009-gone.md)", "x.")
    record(m, 4, "D", "Accepted\n\nSupersedes ADR 0005", "x.")
    record(m, 5, "E", "Accepted", "x.")
    record(m, 5, "F", "Accepted", "x.")
    record(m, 8, "H", "Superseded by [9](0009-i.md)", "x.", folder="other/adr")
    record(m, 9, "I", "Accepted", "It has 8 parts.", folder="other/adr")
    assert items(m, "other") == [("record 0008 is superseded by record 0009, which does not mention it",
                                  [("other/adr/0008-h.md", 7, "is superseded by 9"), ("other/adr/0009-i.md", 1, "does not mention it")])], items(m, "other")
    m.write("docs/adr/0006-g.md", "# 7. G\n\nStatus: accepted\n\n## Decision\n\nx.\n")
    m.write("docs/adr/README.md", "# Records\n\n| Record | Status |\n| --- | --- |\n| [6](0006-g.md) | Proposed |\n")
    a = "docs/adr/"
    assert items(m, "docs") == [
        ("record 0001 is superseded by record 0002, which is not in force",
         [(a + "0001-a.md", 7, "is superseded by 2"), (a + "0002-b.md", 7, "is rejected")]),
        ("record 0003 supersedes 0009-gone.md, which is not there", (a + "0003-c.md", 9)),
        ("several records have number 0005", [(a + "0005-e.md", 1, "E"), (a + "0005-f.md", 1, "F")]),
        ("the title has number 7, the file 0006", (a + "0006-g.md", 1)),
        ("the index gives record 0006 as proposed", [(a + "README.md", 5, "says proposed"), (a + "0006-g.md", 3, "is accepted")]),
    ], items(m, "docs")
    assert "  docs/adr/0002-b.md:7 is rejected\n" in m.run("check", "docs").out


def test_an_index_gives_other_statuses(m):
    """A list and a table of records, also where the table has no links and lies elsewhere."""
    for number, title, status in ((1, "Use stone walls", "Accepted"), (2, "Use oak doors", "Superseded by [3](0003-use-ash-doors.md)"), (3, "Use ash doors", "Accepted"),
                                  (4, "Use slate", "Rejected")):
        m.write(f"n/docs/adr/{number:04}-{title.lower().replace(' ', '-')}.md", f"# {number}. {title}\n\n## Status\n\n{status}\n\n## Decision\n\nWe do.\n")
    m.write("n/docs/adr/README.md", "# Records\n\n- [1](0001-use-stone-walls.md) Walls: accepted\n- [2](0002-use-oak-doors.md) Doors (accepted)\n- [4](0004-use-slate.md) Roof: slate\n")
    m.write("n/README.md", "# House\n\nDecisions:\n\n| No. | Title | Status |\n|-|-|-|\n| 0003 | Use ash doors | Accepted |\n| 0004 | Use slate | Accepted |\n| 0001 | Roofs | Rejected |\n")
    found = [(r["sides"][0]["path"], r["sides"][0]["line"]) for r in m.run("check", "--format", "json", "n").json()["results"] if "the index gives" in r["message"]]
    assert found == [("n/README.md", 8), ("n/docs/adr/README.md", 4)], found
    m.write("n/README.md", "# House\n\n| Phase | Status |\n|-|-|\n| P4 roof | Deferred until spring ([ADR-1](docs/adr/0001-use-stone-walls.md)) |\n")
    found = [r["message"] for r in m.run("check", "--format", "json", "n").json()["results"] if "the index gives" in r["message"] and r["path"] == "n/README.md"]
    assert found == [], "the record says why the phase is deferred"
    for item, told in (("[4: Draft of slates](0004-use-slate.md)", False), ("[4](0004-use-slate.md): draft of slates", True), ("[4 (draft)](0004-use-slate.md)", True),
                       ("[4. Use slate](0004-use-slate.md) - Accepted", True), ("[ADR-4](0004-use-slate.md) \u2014 Use slate \u2014 superseded by 3", True),
                       ("[4. Use slate](0004-use-slate.md) - Rejected", False), ("[4](0004-use-slate.md) - accepted sizes of slate", False)):
        m.write("n/docs/adr/README.md", f"# Records\n\n- {item}\n")
        found = [r["message"] for r in m.run("check", "--format", "json", "n").json()["results"] if "the index gives" in r["message"]]
        assert bool(found) == told, (item, found)


def test_records_of_other_forms(m):
    """Statuses of other languages, a number with nothing but a blank behind it, an index without links, letters of a series."""
    m.write("docs/adr/0007-rust.md", "# 7. Neue Treiber in Rust\n\n**Datum:** 2025-01-16\n**Status:** Angenommen\n\n## Entscheidung\n\nIn Rust.\n")
    m.write("docs/adr/0012-push.md", "# 0013 Push over MQTT\n\n| Field | Value |\n|-|-|\n| Status | Accepted |\n\n## Decision\n\nPush it.\n")
    m.write("docs/adr/0010-uplink.md", "---\nnumber: 10\ntitle: Satellite uplink\nstatus: rejected\n---\n\n# Satellite uplink\n\n## Outcome\n\nNone.\n")
    m.write("docs/adr/README.md", "# Decisions\n\n- [0007](0007-rust.md) Neue Treiber in Rust: abgelehnt\n- 0012 Push over MQTT: accepted\n")
    m.write("docs/README.md", "# Parts\n\n| ADR | Subject | Where it stands |\n|-|-|-|\n| 0010 | Satellite uplink | proposed |\n\n## Decisions\n\n- 0012: Push over MQTT (proposed)\n")
    assert items(m, "docs") == [
        ("the index gives record 0010 as proposed", [("docs/README.md", 5, "says proposed"), ("docs/adr/0010-uplink.md", 4, "is rejected")]),
        ("the index gives record 0012 as proposed", [("docs/README.md", 9, "says proposed"), ("docs/adr/0012-push.md", 5, "is accepted")]),
        ("the title has number 0013, the file 0012", [("docs/adr/0012-push.md", 1, "has number 0013"), ("docs/README.md", 9, "says 0012"), ("docs/adr/README.md", 4, "says 0012")]),
        ("the index gives record 0007 as rejected", [("docs/adr/README.md", 3, "says rejected"), ("docs/adr/0007-rust.md", 4, "is accepted")])], items(m, "docs")
    for n in ("0007-rust", "0012-push", "0010-uplink", "README"):
        os.remove(m.path(f"docs/adr/{n}.md"))
    m.write("docs/adr/BDR-0009-copy.md", "---\nstatus: superseded\nsuperseded_by: BDR-0023\n---\n\n# Copy each row\n\n## Decision\n\nCopy.\n")
    m.write("docs/adr/BDR-0023-one.md", "---\nstatus: accepted\nsupersedes: BDR-0009, BDR-0011\n---\n\n# One row\n\n## Decision\n\nOne. It meets ISO-8601.\n")
    m.write("docs/adr/BDR-0011-lines.md", "---\nstatus: superseded\nsuperseded_by: BDR-0023\n---\n\n# Lines\n\n## Decision\n\nLines.\n")
    assert items(m, "docs") == [], items(m, "docs")
    m.write("docs/adr/0001-a.md", "# 1. A\n\n**Status:** Superseded by [2](0002-b.md) 2023-02-02\n\n## Decision\n\nA.\n")
    m.write("docs/adr/0002-b.md", "# 2. B\n\n**Status:** Accepted, supersedes [1](0001-a.md) (2023-02-02)\n\n## Decision\n\nB.\n")
    assert items(m, "docs") == [], "a date is no record"


def test_an_index_tells_who_supersedes(m):
    """Where records are not edited once they are accepted, the index says what is over."""
    one_sided = lambda: [x["subject"] for x in m.run("check", "--format", "json", "docs", code=None).json()["results"] if "does not say so" in x["message"]]
    record(m, 1, "Clay", "Accepted", "x.")
    record(m, 2, "Sand", "Accepted\n\nSupersedes [1](0001-clay.md)", "x.")
    record(m, 3, "Lime", "Accepted\n\nSupersedes [2](0002-sand.md)", "x.")
    assert len(one_sided()) == 2, one_sided()
    record(m, 2, "Sand", "Accepted\n\nSupersedes [1](0001-clay.md)", "x.\n\n> Part 2 is over since [3](0003-lime.md).")
    assert one_sided() == ["record 0002 supersedes record 0001, which does not say so"], one_sided()
    record(m, 2, "Sand", "Accepted\n\nSupersedes [1](0001-clay.md)", "x.")
    m.write("docs/adr/README.md", "# Records\n\n| No. | Title | Status |\n|-|-|-|\n| [0001](0001-clay.md) | Clay | Accepted (superseded by 0002) |\n| [0002](0002-sand.md) | Sand | Accepted |\n")
    assert one_sided() == ["record 0003 supersedes record 0002, which does not say so"], one_sided()


def test_a_successor_of_another_form_is_there(m):
    series(m)
    record(m, 4, "Use Consul", "Superseded by [9](0009-use-etcd.md)", "x.")
    gone = "record 0004 is superseded by 0009-use-etcd.md, which is not there"
    told = lambda: [x["message"] for x in m.run("check", "--format", "json", "docs", code=None).json()["results"] if "Consul" in x["message"] or "0009" in x["message"]]
    assert any(gone in x for x in told()), told()
    m.write("docs/adr/0009-use-etcd.md", "# Keys lie in etcd\n\nThis is short.\n")
    assert not any(gone in x for x in told()), told()


def references(m):
    """message -> the places of what a check finds of names of records."""
    r = m.run("check", "--format", "json", ".", code=None).json()
    return {x["subject"]: [(s["path"], s["line"]) for s in x["sides"]] or [(x["path"], x["line"])] for x in r["results"] if " names record " in x["subject"]}


def test_a_record_is_named_by_another_number(m):
    for n, title in ((1, "Pump housing alloy"), (2, "Valve seal material"), (3, "Flow sensor placement"), (5, "Paint")):
        record(m, n, title, "Accepted", "x.")
    m.write("docs/guide.md", "# Guide\n\n- ADR-3: [Pump housing alloy](adr/0001-pump-housing-alloy.md)\n- ADR-0002 ([Valve seals](adr/0002-valve-seal-material.md))\n- ADR 3 (pump housing alloy)\n")
    m.write("docs/more.md", "# More\n\nSee [ADR-0003](adr/0001-pump-housing-alloy.md).\n\n**Related**: ADR-002 (Valve seal material), [ADR-0003: alloy of the pump housing](adr/0001-pump-housing-alloy.md).\n")
    record(m, 4, "Gasket", "Accepted", "We follow [ADR-0001](0003-flow-sensor-placement.md).")
    named = {"guide.md names record 3 for \"Pump housing alloy\", which is record 0001":
             [("docs/guide.md", 3), ("docs/more.md", 3), ("docs/more.md", 5), ("docs/adr/0003-flow-sensor-placement.md", 1), ("docs/adr/0001-pump-housing-alloy.md", 1)],
             "0004-gasket.md names record 1 for \"0003-flow-sensor-placement.md\", which is record 0003":
             [("docs/adr/0004-gasket.md", 15), ("docs/adr/0001-pump-housing-alloy.md", 1), ("docs/adr/0003-flow-sensor-placement.md", 1)]}
    assert references(m) == named, references(m)
    m.run("import", ".")
    found = [f.split(": ")[0] for r in export(m, "entity").values() for f in r["properties"].get("record_faults", [])]
    assert sorted(found) == sorted(named), found
    m.write("docs/adr/0004-gasket.md", "# 4. Gasket\n\n## Status\n\nAccepted\n")
    for text in ("ADR-3: Pump housing alloy", "```\n[ADR-3](adr/0001-pump-housing-alloy.md)\n```", "> [ADR-3](adr/0001-pump-housing-alloy.md)", "# [ADR-3](adr/0001-pump-housing-alloy.md)", "ADR-0042 will say so.", "ADR-0042", "Copy ADR-0000.",
                 "[XADR-3](adr/0001-pump-housing-alloy.md)", "[ADR-3-draft](adr/0001-pump-housing-alloy.md)",
                 "[PR 12 of ADR-42][pr]", "[ADR-3](https://example.org/adr/0003-alloy.md): Pump housing alloy", "[ADR-3: Pump housing alloy](https://example.org/adr/0003-alloy.md)"):
        m.write("docs/guide.md", f"# Guide\n\n{text}\n")
        m.write("docs/more.md", "# More\n")
        assert references(m) == {}, text
    os.remove(m.path("docs/adr/0004-gasket.md"))
    m.write("docs/guide.md", "# Guide\n\nSee ADR-0004, and ADR-0006.\n")
    assert references(m) == {"guide.md names record 4, which is not there": [("docs/guide.md", 3)]}, references(m)
    m.write("docs/guide.md", "# Guide\n\n| ADR | Title |\n|-|-|\n| ADR-0004 | _(retired)_ |\n")
    assert references(m) == {}, "it says that it is gone"
    m.write("docs/guide.md", "# Guide\n\nSee ADR-0004, and ADR-0006.\n")
    record(m, 5, "Paint", "Accepted", "It is not as ADR-0004 has it.\n\n## Links\n\n- Supersedes ADR-0004\n")
    assert list(references(m)) == ["guide.md names record 4, which is not there"], "record 5 is told to supersede what is not there"
    record(m, 5, "Paint", "Accepted", "x.")
    m.write("docs/guide.md", "# Guide\n\nSee [ADR-0004](adr/0004-lid.md).\n")
    assert references(m) == {}, "it is told as a link"
    m.write("docs/guide.md", "# Guide\n\nSee ADR-0004, and ADR-0006.\n")
    os.rename(m.path("docs/adr/0005-paint.md"), m.path("docs/adr/0009-paint.md"))
    assert references(m) == {}, "of a series that is not whole the others lie elsewhere"
    os.rename(m.path("docs/adr/0009-paint.md"), m.path("docs/adr/0005-paint.md"))
    m.write("docs/guide.md", "# Guide\n\nSee [ADR 2003](adr/0003-flow-sensor-placement.md).\n")
    assert references(m) == {'guide.md names record 2003 for "0003-flow-sensor-placement.md", which is record 0003': [("docs/guide.md", 3), ("docs/adr/0003-flow-sensor-placement.md", 1)]}, references(m)
    m.write("docs/adr/0003-flow-sensor-placement.md", "# 7. Flow sensor placement\n\n## Status\n\nAccepted\n")
    m.write("docs/guide.md", "# Guide\n\nSee [ADR 7](adr/0003-flow-sensor-placement.md).\n")
    assert references(m) == {}, "so its title is called"
    record(m, 3, "Flow sensor placement", "Accepted", "x.")
    m.write("docs/guide.md", "# Guide\n\nWe will write ADR-0004.\n")
    assert references(m) == {}
    m.write("docs/guide.md", "# Guide\n\nNumbers have four digits. Current highest is ADR-0003 (alloy).\n")
    told = references(m)
    assert list(told) == ["guide.md names record 3 as the highest, which is record 0005"], told
    assert told.popitem()[1][0] == ("docs/guide.md", 3)
    for text in ("Current highest is ADR-0005.", "The highest of pumps, in ADR-0003, is blue.", "The pump is ADR-0003."):
        m.write("docs/guide.md", f"# Guide\n\n{text}\n")
        assert references(m) == {}, text
    m.write("docs/guide.md", "# Guide\n\n[ADR-3](adr/0001-pump-housing-alloy.md)\n")
    m.write("other/adr/0003-x.md", "# 3. Lids\n\n## Status\n\nAccepted\n")
    m.write("other/adr/0004-y.md", "# 4. Caps\n\n## Status\n\nAccepted\n")
    assert references(m) == {}, "two series"


def test_the_tree_itself_is_a_source(m):
    m.write("LICENSE", MIT)
    m.write("package.json", '{\n  "license": "Apache-2.0",\n  "engines": { "node": ">=20" }\n}\n')
    m.write("services/queue/.nvmrc", "16.20.4\n")
    m.write("docs/package.json", '{ "engines": { "node": ">=16" } }\n')
    m.write("README.md", "# X\n\n- Node.js 18+\n\n## License\n\nBSD 3-Clause, see [LICENSE](LICENSE).\n")
    r = m.run("check", "--format", "json", ".", code=1).json()
    assert [x["subject"] for x in r["results"] if x["rule"] == "other-in-part"] == ["node_version: 16.20.4 for services/queue, >=20 for the whole"]
    found = {x["subject"]: [(s["path"], s["line"], s["value"]) for s in x["sides"]] for x in r["results"] if x["fails"]}
    assert found["license"] == [("LICENSE", 1, "MIT"), ("README.md", 7, "BSD-3-Clause"), ("package.json", 2, "Apache-2.0")], found
    assert found["node_version"] == [("README.md", 3, "18+"), ("package.json", 3, ">=20")], found
    assert len(found) == 2, found
    m.run("import", ".")
    assert sorted(r["key"] for r in export(m, "project_state").values()) == ["docs node version", "license", "license", "node version", "queue node version"]
    m.write("LICENSE", "All rights reserved.\n")
    m.write("empty.md", "")
    m.run("import", "--complete", ".")
    states = export(m, "project_state").values()
    assert [r["value"] for r in states if r["key"] == "license" and r.get("status", "active") == "active"] == ["Apache-2.0"], states
    before = m.run("export").out
    m.write("package.json", '{\n "license": "Apache-2.0",\n "name" 1\n}\n')
    r = m.run("check", "--format", "json", ".")
    assert "package.json:3: not read: not valid JSON" in r.err, r.err
    assert [x["subject"] for x in r.json()["results"]] == ["node_version: 16.20.4 for services/queue, 18+ for the whole"], r.out
    r = m.run("import", "--complete", ".")
    assert "package.json:3: not read: not valid JSON" in r.err, r.err
    assert m.run("export").out == before, "what could not be read retires nothing"


def test_the_number_of_records(m):
    series(m)
    m.write("README.md", "# X\n\nThere are 4 ADRs.\n")
    r = m.run("check", "--format", "json", ".", code=1).json()
    assert [(s["path"], s["line"], s["value"]) for s in r["results"][0]["sides"]] == [("README.md", 3, "4"), ("docs/adr", 1, "3")], r["results"]
    assert "  docs/adr says 3\n" in m.run("check", ".", code=1).out
    one, = m.run("check", "--format", "github", ".", code=1).out.splitlines()   # a folder has no line to stand at
    assert one.startswith("::error file=README.md,line=3,") and one.endswith(" docs/adr says 3"), one
    m.run("check", "README.md", "docs/adr/0001-use-memcached.md", "docs/adr/0002-use-redis.md")
    m.run("check", "--exclude", "0003*", ".")
    m.run("import", ".")
    assert [r["value"] for r in export(m, "project_state").values()] == ["3"]
    record(m, 4, "More", "Accepted", "x.")
    m.run("import", ".")
    assert [r["value"] for r in export(m, "project_state").values()] == ["4"]
    m.run("check", ".")
    m.write("LICENSE", MIT)
    subprocess.run(["git", "init", "-q", m.dir], check=True)
    m.run("import", "--source", "notes", "README.md")


def test_the_number_of_records_of_a_series(m):
    """Of several series a sentence that names the folder is about that one."""
    series(m)
    record(m, 1, "Pay later", "Accepted", "x.", folder="pay/adr")
    record(m, 2, "Pay now", "Accepted", "x.", folder="pay/adr")
    m.write("docs/adr/0002-use-redis.de.md", "# 2. Redis\n\n## Status\n\nAccepted\n")
    found = lambda: [[(s["path"], s["line"], s["value"]) for s in x["sides"]] for x in m.run("check", "--format", "json", ".", code=None).json()["results"] if x["fails"]]
    for path, text, folder, number in (("README.md", "We have 12 ADRs in `docs/adr/`.", "docs/adr", "3"), ("README.md", "pay/adr contains 12 decision records.", "pay/adr", "2"),
                                       ("pay/guide.md", "There are 12 ADRs in `adr/`.", "pay/adr", "2")):
        m.write(path, f"# X\n\n{text}\n")
        assert [sorted(x) for x in found()] == [sorted([(path, 3, "12"), (folder, 1, number)])], (text, found())
        os.remove(m.path(path))
    for text in ("We have 3 ADRs in `docs/adr/`.", "We have 2 ADRs in `pay/adr`.", "We have 12 ADRs.", "We have 12 ADRs in `adr/`.", "We have 12 ADRs in `old/adr/`.", "12 decision records changed.",
                 "2 ADRs in `docs/adr` are about storage.", "1 ADR is open, 12 ADRs are not.", "We wrote 12 ADRs in `docs/adr` this quarter.", "12 ADRs were written by Ann.",
                 "We accepted 12 ADRs of `docs/adr` and rejected 1.", "Every team owns 12 to 13 ADRs in `docs/adr`.", "docs/adr has 12 ADRs about storage."):
        m.write("README.md", f"# X\n\n{text}\n")
        assert found() == [], (text, found())
    m.write("README.md", "# X\n\nWe have 12 ADRs in `docs/adr/`.\n")
    m.run("import", ".")
    assert sorted((r["key"], r["value"]) for r in export(m, "project_state").values()) == [("docs/adr decision records", "3"), ("pay/adr decision records", "2")]
    record(m, 3, "Use Rabbit", "Accepted", "x.", folder="docs/adr/old")
    assert found() == [], "those below it may be counted, too"


def test_the_license_of_documents(m):
    m.write("LICENSE", MIT)
    m.write("README.md", "# X\n\nThis project is licensed under the Apache License 2.0.\n")
    r = m.run("check", "--format", "json", ".", code=1).json()
    assert [(s["path"], s["line"], s["value"]) for s in r["results"][0]["sides"]] == [("LICENSE", 1, "MIT"), ("README.md", 3, "Apache-2.0")]
    for text in ("Licensed under the MIT License.", "Fonts are under the Apache License 2.0.", "Licensed under either MIT or Apache-2.0.",
                 "## License\n\n[MIT](LICENSE)", "It was licensed under Apache-2.0 before.", "Commit to the Apache-2.0 branch.",
                 "| Thing | License |\n| --- | --- |\n| Font | Apache-2.0 |"):
        m.write("README.md", f"# X\n\n{text}\n")
        m.run("check", ".")
    m.write("README.md", "# X\n")
    m.write("docs/vendors.md", "# Their parts\n\n- License: EPL-2.0\n")
    m.run("check", ".")
    m.write("LICENSE-APACHE", "Apache License Version 2.0, January 2004\n")
    m.write("README.md", "# X\n\nLicense: MIT\n")
    m.run("check", ".")


def test_a_hostile_tree(m):
    m.write("n/ok.md", "# A\n\n- Fine.\n")
    m.write("n/long.md", "")
    os.truncate(m.path("n/long.md"), 100 << 20)
    m.write("n/nested.md", "- " * 10000 + "a\n\n- ok\n")
    m.write("n/quoted.md", ">" * 65000 + "\n")
    m.write("n/links.md", "[a](" * 50000)
    m.write("n/sub/package.json", '{"engines":' * 20000)
    m.write("n/sub/Cargo.toml", '[package]\nlicense = "' + "MIT OR " * 20000 + '"\n')
    m.write("n/line.md", "y" * (600 << 10) + "\n\n- After.\n")
    m.write("n/deep.md", "".join("  " * i + "- a\n" for i in range(600)) + "> " * 300 + "q\n")
    m.write("n/table.md", "|" + "a|" * 4000 + "\n|" + "-|" * 4000 + "\n|" + "b|" * 4000 + "\n")
    m.write("n/bad.md", b"- good\n- b\xffad\n")
    m.write("n/bomb.md", "---\na: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n" + "d: " + "[" * 5000 + "\n---\n\n- Text.\n")
    m.write("n/docs/adr/0001-a.md", "# 1. A\n\n## Status\n\n" + "Superseded by ADR 2. " * 2000 + "\n")
    m.write("secret/s.md", "- The password is hunter2.\n")
    os.symlink("../secret", m.path("n/link"))
    os.symlink("../secret/s.md", m.path("n/s.md"))
    open(m.path("n/two\nlines.md"), "w").write("- x\n")
    assert "n/sub/package.json:1: not read: not valid JSON" in m.run("check", "n").err
    r = m.run("import", "--dry-run", "n")
    assert "secret" not in r.out and "hunter2" not in r.out + r.err
    for words in ("n/long.md has more than 1 MiB", "n/link is a symbolic link", "n/s.md is a symbolic link"):
        assert words in r.err, (words, r.err)
    assert "n/bad.md:2: not read: not UTF-8" in r.err and "n/table.md:1: not read" in r.err, r.err
    assert "n/nested.md:1: not read" in r.err and "n/quoted.md:1: not read" in r.err, r.err
    r = m.run("check", "n")
    for words in ("n/bad.md:2: not read: not UTF-8", "n/long.md has more than 1 MiB", "n/s.md is a symbolic link", "lines.md has a name with a control"):
        assert words in r.err, (words, r.err)
    assert r.err.count("\n") == len([x for x in r.err.split("\n") if x.startswith("hmirror:")]), r.err


def test_a_key_that_is_a_sentence(m):
    """"**Status.** Accepted." as it stands in some series; what its text says of the status of other things is none."""
    form = "# {title}\n\n**Status.** {status}\n\n**Date.** 2024-03-01\n\n## Decision\n\n- The row says \"Status: open\" of a task.\n"
    m.write("docs/adr/0001-keep-kiln.md", form.format(title="Keep the kiln", status="Accepted."))
    m.write("docs/adr/0002-new-kiln.md", form.format(title="A new kiln", status="Accepted. **Supersedes ADR-0001's second bullet.**"))
    m.write("docs/adr/README.md", "| ADR | Title | Status |\n|-|-|-|\n| [1](0001-keep-kiln.md) | Keep the kiln | Accepted |\n| [2](0002-new-kiln.md) | A new kiln | Accepted |\n")
    assert items(m, "docs") == []
    m.run("import", "docs")
    assert {r["properties"]["record_status"] for r in export(m, "entity").values()} == {"Accepted."}, export(m, "entity")
    m.write("docs/adr/0003-old-form.md", "# Notes on glaze\n\nAs we did.\n")
    m.write("docs/adr/0004-fire.md", form.format(title="Fire", status="Accepted. Supersedes ADR-0003."))
    m.write("docs/adr/0005-glaze.md", form.format(title="Glaze", status="Superseded by Phase 7 (2026-07)."))
    assert [x for x in items(m, "docs", code=None) if "not there" in x[0]] == []
    m.write("docs/adr/0006-wide.md", form.format(title="Wide", status="Accepted.").replace("- The row", "What is shown is this. Status. Rejected rows are hidden.\n\n- The row"))
    m.write("docs/adr/0012-64bit-ids.md", form.format(title="Ids", status="Accepted."))
    m.write("docs/adr/0013-uuid.md", form.format(title="Uuid", status="Accepted. Supersedes 0012-64bit-ids."))
    assert [x[1][0][0] for x in items(m, "docs", code=None) if "0012" in str(x)] == ["docs/adr/0013-uuid.md"], items(m, "docs", code=None)
    assert not [x for x in items(m, "docs", code=None) if "0006" in str(x)]


def test_only_its_own_words_end_a_record(m):
    """A part, a condition and the word of another record leave a record active; the finding and the relation tell of them."""
    record(m, 1, "A", "Superseded in part by ADR-0002", "x.")
    record(m, 2, "B", "Accepted", "x.")
    record(m, 3, "C", "Superseded by ADR-0002 once it is accepted", "x.")
    record(m, 4, "D", "In part superseded by [2](0002-b.md)", "x.")
    record(m, 5, "E", "Accepted\n\nSupersedes ADR-0006", "x.")
    record(m, 6, "F", "Accepted", "x.")
    record(m, 7, "G", "Accepted\n\nSuperseded by [5](0005-e.md)", "x.")
    record(m, 8, "H", "Accepted\n\nSupersedes ADR-0001", "x.")
    m.write("docs/adr/0005-e.md", RECORD.format(n=5, title="E", status="Accepted\n\nSupersedes ADR-0006\n\nSupersedes [7](0007-g.md)", decision="x."))
    m.write("docs/adr/README.md", "| ADR | Title | Status |\n|-|-|-|\n| [1](0001-a.md) | A | Accepted |\n| [2](0002-b.md) | B | Superseded in part by 1 |\n| [4](0004-d.md) | D | Superseded in part |\n")
    assert items(m, ".") == [
        ("record 0005 supersedes record 0006, which does not say so", [("docs/adr/0005-e.md", 9, "supersedes 6"), ("docs/adr/0006-f.md", 7, "is accepted")]),
        ("record 0008 supersedes record 0001, which does not say so", [("docs/adr/0008-h.md", 9, "supersedes 1"), ("docs/adr/0001-a.md", 7, "is Superseded in part by ADR-0002")])], items(m, ".")
    m.run("import", "docs")
    entities = export(m, "entity")
    assert {r["name"]: r.get("status", "active") for r in entities.values() if r.get("status", "active") != "active"} == {"G": "superseded"}, entities
    ends = sorted((r["type"], entities[r["from"]]["name"], entities[r["to"]]["name"]) for r in export(m, "relation").values())
    assert ends == [("AMENDS", "B", "A"), ("AMENDS", "B", "C"), ("AMENDS", "B", "D"), ("SUPERSEDES", "E", "F"), ("SUPERSEDES", "E", "G"), ("SUPERSEDES", "H", "A")], ends


def test_a_number_alone_in_a_status(m):
    record(m, 2, "B", "Accepted", "x.")
    record(m, 3, "C", "Rejected", "x.")
    found = lambda: [x[0].replace("record ", "") for x in items(m, ".")]
    for status, told in (("Superseded by 3", "0004 is superseded by 0003, which is not in force"), ("Superseded by #3.", "0004 is superseded by 0003, which is not in force"),
                         ("Superseded by 2, 3", "0004 is superseded by 0002, which does not mention it"), ("Superseded by 77 (2024-02-02)", "0004 is superseded by 77, which is not there"),
                         ("Superseded by #77", None), ("Superseded by 77 newer ones", None), ("Replaced by 3 servers", None), ("Superseded by 2024-01-03", None)):
        record(m, 4, "D", status, "x.")
        assert told in found() if told else found() == [], (status, found())


def test_lists_of_front_matter(m):
    m.write("docs/adr/0005-e.md", "---\nstatus: accepted\ndeciders: [Ann, Bob]\nsupersedes: [6]\n---\n# Use apes\n")
    m.write("docs/adr/0006-f.md", "---\nstatus: superseded\nsuperseded-by: 5\ndeciders:\n  - Ann\n  - Bob\n---\n# Use bees\n")
    assert items(m, ".") == []
    m.run("import", "docs")
    assert [r["properties"]["deciders"] for r in export(m, "entity").values()] == ["Ann, Bob"] * 2
    assert [r["type"] for r in export(m, "relation").values()] == ["SUPERSEDES"]


def test_a_translation_has_the_number_of_its_record(m):
    record(m, 1, "Alpha", "Superseded by 2", "x.")
    record(m, 2, "Beta", "Accepted\n\nSupersedes ADR 1", "x.")
    for n, name in ((1, "0001-alpha.zh-CN"), (2, "0002-beta.de"), (2, "0002-beta_fr"), (3, "0003-gamma.de"), (3, "0003-gamma.en")):
        m.write(f"docs/adr/{name}.md", f"# {n}. {name}\n\n## Status\n\nAccepted\n")
    m.write("README.md", "# X\n\nThere are 3 ADRs; ADR-2 ([Beta](docs/adr/0002-beta.md)) and [ADR-3](docs/adr/0002-beta.md).\n")
    named = "README.md names record 3 for \"0002-beta.md\", which is record 0002"
    assert [x[0] for x in items(m, ".")] == [named], items(m, ".")
    m.write("docs/adr/0004-use_go.md", "# 4. Go\n\n## Status\n\nAccepted\n")
    m.write("docs/adr/0004-use_js.md", "# 4. JS\n\n## Status\n\nAccepted\n")
    m.write("docs/adr/0002-beta-two.md", "# 2. Beta two\n\n## Status\n\nAccepted\n")
    m.write("README.md", "# X\n")
    assert [x[0] for x in items(m, ".")] == ["several records have number 0002", "several records have number 0004"], items(m, ".")


def test_a_record_that_was_deleted_need_not_be_there(m):
    record(m, 1, "Use Memcached", "Accepted", "The cache is Memcached.")
    record(m, 2, "Use Rust", "Accepted", "The language is Rust.")
    for behind, found in (("", 1), (" (deleted; in git history)", 0)):
        m.write("docs/adr/0003-use-kafka.md", f"# 3. Use Kafka\n\n- Status: accepted\n- Supersedes: ADR 0012, RabbitMQ{behind}\n\n## Decision\n\nx\n")
        assert len(items(m, ".")) == found, behind


if __name__ == "__main__":
    main(globals())
