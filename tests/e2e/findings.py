#!/usr/bin/env python3
"""Findings: rules that are switched off or count as something else."""
from harness import *


def rules(m, text):
    m.write("mirror.yml", "title: t\nrules:\n" + text)


def disputed_store(m):
    m.facts(state("speed", "45", id="s1"), state("speed", "55", id="s2"),
            entity("Note", {}, id="n1", superseded_by="gone"))


def test_a_rule_that_is_off_finds_nothing(m):
    disputed_store(m)
    swept = m.run("sweep", "--format", "json").json()
    assert [f["rule"] for f in swept["findings"]] == ["orphan/superseded_by"], swept
    rules(m, "  off: [slot, orphan/superseded_by]\n")
    swept = m.run("sweep", "--format", "json").json()
    assert swept["findings"] == [] and swept["disputed_count"] == 0 and swept["open_conflicts_count"] == 1, swept
    c, = m.run("conflicts", "list", "--format", "json").json()["conflicts"]
    assert c["status"] == "open" and not c["disputed"] and c["rule_off"], c
    assert "rule off" in m.run("conflicts", "list").out
    assert "switched off" in m.run("explain", c["id"]).out
    m.run("build")
    page = m.text("site", "conflicts", c["id"] + ".md")
    assert "its rule is switched off" in page and "sign-off" not in page, page
    assert "disputed" not in m.text("site", "projects", "p05", "state.md")
    # a write, which looks at the slots that it touches, opens none either
    m.facts(state("flow", "1", id="s3"))
    added = m.run("add", "project_state", "--project", "p05", "--category", "fact", "--key", "flow", "--value", "2", "--format", "json").json()
    assert not added.get("opened"), added
    rules(m, "  prose: []\n")
    swept = m.run("sweep", "--format", "json").json()
    assert swept["disputed_count"] == 2 and len(swept["findings"]) == 1, swept
    again, = [x for x in m.run("conflicts", "list", "--format", "json").json()["conflicts"] if x["id"] == c["id"]]
    assert again["disputed"] and "rule_off" not in again, again


def test_severities_of_people(m):
    disputed_store(m)
    rules(m, "  severity:\n    orphan/superseded_by: error\n")
    f, = m.run("sweep", "--format", "json").json()["findings"]
    assert f["severity"] == "error", f
    rules(m, "  severity:\n    orphan/superseded_by: info\n")
    f, = m.run("sweep", "--format", "json").json()["findings"]
    assert f["severity"] == "info", f
    assert m.sql("SELECT severity FROM findings") == [("info",)]


def test_a_name_of_no_rule_is_told(m):
    disputed_store(m)
    rules(m, "  off: [orphan/superseded-by]\n  severity: {loud: info}\n")
    told = m.run("sweep").err
    assert "rules.off: 'orphan/superseded-by' is no rule: did you mean 'orphan/superseded_by'?" in told, told
    assert "rules.severity: 'loud' is no rule: the rules are slot, slot/crowd" in told, told


if __name__ == "__main__":
    main(globals())
