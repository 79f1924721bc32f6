#!/usr/bin/env python3
"""The leak check: what publish.exclude leaves out is found wherever it got out, and nothing else is."""
import importlib.util

from harness import *

spec = importlib.util.spec_from_file_location("exclude", os.path.join(TOP, "tests", "e2e", "exclude.py"))
exclude = importlib.util.module_from_spec(spec)
spec.loader.exec_module(exclude)

CONFIG = exclude.CONFIG
SECRET = "Zulu & Yankee: 98,000 EUR <net>"
LONG = " ".join(f"sentence {i} tells of the merger with {'QRSTUVWX'[i % 8] * 3}" for i in range(40))


def secrets(m, *more):
    m.write("mirror.yml", CONFIG)
    m.facts(project("p05-interferometer", "p05"), project("secret-project-zulu", "p99", name="Zulu Undertaking", description="what the board has in mind"),
            entity("Salary", {"amount": SECRET, "grade": 12}, "Head of polishing", id="salary-of-head"), state("budget_of_zulu", "one million euro", project="p99"),
            memory("likes the corner office", "identity", id="m-office", source_refs=["letter of Miss Quimby"]),
            entity("Component", {"component_name": "leg", "cost": "4711 Taler net", "mass": "5 kg"}, "frame leg", id="e-leg"),
            memory("colour is Whiskey Red", tags=["private"], id="m-colour"), memory(LONG, "identity", id="m-long"),
            state("mass", "4 kg", id="s-mass"), memory("mass is 5 kg", id="m-mass"), *more)


def leaks(m, *args, code=1):
    r = m.run("check", "--format", "json", *args, code=code).json()
    return {(x["path"], x["line"], x["subject"]) for x in r["results"] if x["rule"] == "leak"}, r["counts"]


def static(m, **files):
    for name, text in files.items():
        m.write("static/" + name.replace("_", "."), text)


def test_a_clean_site(m):
    secrets(m)
    found, n = leaks(m, code=0)
    assert not found and n["leak"] == 0 and n["withheld"] >= 20 and n["withheld_too_short"] > 0, n
    assert "leaks of" in m.run("check").out


def test_nothing_left_out(m):
    m.facts(state("k", "v"))
    static(m, a_html="secret")
    _, n = leaks(m, code=0)
    assert n["withheld"] == 0


def test_in_every_escaping(m):
    secrets(m)
    static(m, a_html="<p>\n<b>Zulu &amp; Yankee: 98,000 EUR &lt;net&gt;</b>", b_html="<a href='x?q=Zulu%20%26%20Yankee%3A%2098%2C000%20EUR%20%3Cnet%3E'></a>",
           c_md="x\n\nZulu \\& Yankee: 98,000 EUR \\<net>", d_json=json.dumps({"a": SECRET}), e_txt="one\ntwo\n" + SECRET, f_css="/* zulu-yankee-98-000-eur-net */",
           g_html="<title>ZULU &#x26; YANKEE: 98&#44;000 EUR</title>NET", h_json='{"a":"Zulu \\u0026 Yankee\\u003a 98,000 EUR <net>"}')
    found, n = leaks(m)
    amount = "property amount of entity:salary-of-head"
    assert {(p, s) for p, _, s in found} == {(f"{x}", amount) for x in ("a.html", "b.html", "c.md", "d.json", "e.txt", "f.css", "h.json")}, found
    assert ("a.html", 2, amount) in found and ("c.md", 3, amount) in found and ("e.txt", 3, amount) in found


def test_of_every_sort(m):
    secrets(m)
    for text, of in (("Head of Polishing", "name of entity:salary-of-head"), ("salary-of-head", "id of entity:salary-of-head"),
                     ("Zulu Undertaking", "name of project:secret-project-zulu"), ("what the board has in mind", "description of project:secret-project-zulu"),
                     ("secret_project_zulu", "id of project:secret-project-zulu"), ("one million euro", "value of project_state:"),
                     ("Budget of Zulu", "key of project_state:"), ("likes the corner office", "content of memory:m-office"),
                     ("Letter of Miss Quimby", "source of memory:m-office"), ("4711 Taler net", "property cost of entity:e-leg"),
                     ("colour is whiskey red", "content of memory:m-colour")):
        static(m, a_html=f"<p>{text}</p>")
        found, _ = leaks(m)
        assert len(found) == 1 and next(iter(found))[2].startswith(of), (text, found)


def test_parts_of_a_long_text(m):
    secrets(m)
    words = LONG.split()
    for at in (0, 57, 200):
        static(m, a_html="<p>" + " ".join(words[at:at + 14]) + "</p>")
        found, _ = leaks(m)
        assert {s for _, _, s in found} == {"content of memory:m-long"}, (at, found)


def test_of_templates_and_names(m):
    secrets(m)
    m.run("theme", "eject", "partials/footer.html")
    m.write("templates/partials/footer.html.mustache", "<footer>\nPaid by: Miss Quimby's letter; 4711 Taler, net</footer>")
    found, n = leaks(m)
    assert n["leak"] > 10 and {s for _, _, s in found} == {"property cost of entity:e-leg"} and len(found) == 10, (n, found)
    shutil.rmtree(m.path("templates"))
    static(m, **{"salary-of-head_txt": "x"})
    found, _ = leaks(m)
    m.run("build", "-d", "out")
    line = 1 + next(i for i, text in enumerate(m.read("out/manifest.json").split(b"\n")) if b"salary-of-head.txt" in text)
    assert found == {("salary-of-head.txt", None, "id of entity:salary-of-head"), ("manifest.json", line, "id of entity:salary-of-head")}, found
    assert not (SECRET in m.run("check", code=1).out)


def test_no_false_alarm(m):
    """Texts that are published anyway, that are short, or that only parts of words spell."""
    secrets(m, memory("one million euro", id="m-pub"), state("colour", "blue"))
    static(m, a_html="<p>one million euro, 12, net, polishing, corner, the head, zulu, colour is whiskey</p><p>Head</p><p>of polishing</p>"
           "<p>what the board has in mindfulness</p><p>xsalary-of-head</p><p>Health</p>")
    found, n = leaks(m, code=0)
    assert not found and n["withheld_published"] > 0


def test_a_row_that_something_left_out_names(m):
    """The anchor of a published row reads as "entity:ID" does; lists say the type behind the name."""
    secrets(m, entity("Component", {"component_name": "strut"}, "strut", id="strut-of-frame"), state("paid_for", "entity:strut-of-frame", project="p99"),
            state("strut component", "5", project="p99"))
    m.run("build")
    assert any(b'id="entity-strut-of-frame"' in page for _, page in m.site_bytes("site"))
    found, n = leaks(m, code=0)
    assert not found and n["withheld_published"] > 0, found


def test_names_that_others_begin_with(m):
    """The parts of a long list are called by how names begin."""
    m.write("mirror.yml", "list_limit: 10\npublish:\n  exclude:\n    projects: [project-1]\n    tags: [private]\n")
    m.facts(*[project(f"project-{i}", name=f"Project {i}") for i in range(1, 40)], *[state("k", "v", project=f"project-{i}") for i in range(1, 40)],
            memory("on 2026-04-02", tags=["private"], source_refs=["2026-04-02"], project="project-2"),
            memory("a is b", created_at="2026-04-02T09:00:00Z", project="project-2"))
    found, n = leaks(m, code=0)
    assert not found and n["withheld_published"] > 1


def test_texts_that_pages_compose(m):
    """A title, the sides of a conflict, a question, the words of a relation, what a finding and a flag say: of visible rows they are no leak; the
    reason of a flag on a hidden row is one."""
    when = {"created_at": "2026-04-02T09:00:00Z"}
    shown = [project("p06", name="Polisher"), entity("Component", {"component_name": "frame"}, "Big Frame", id="e1", project="p06", **when),
             entity("Component", {"component_name": "leg"}, "Long Leg", id="e2", project="p06", **when),
             {"kind": "relation", "id": "r1", "type": "PART_OF", "project": "p06", "from": "e2", "to": "e1", **when},
             {"kind": "relation", "id": "r3", "type": "REQUIRES", "project": "p06", "from": "e1", "to": "nowhere", **when},
             state("spindle speed", "45 rpm", id="s1", project="p06", **when), memory("The spindle speed is 55 rpm.", id="m1", project="p06", **when),
             memory("The pump is plain and blue.", id="m2", project="p06", **when)]
    composed = ["Spindle speed · Polisher", "p06 / spindle speed", "p06/spindle_speed", "45 rpm / 55 rpm", "Which spindle speed of Polisher is right: 45 rpm or 55 rpm?", "Long Leg PART_OF Big Frame",
                "Big Frame REQUIRES nowhere", "to names nowhere, which is not in the store", "somebody should look at it soon", "knowledge: The pump is plain and blue.", "Big Frame, Component, Polisher"]
    hidden = [memory(text, "private", id=f"zz{i}", project="p06", **when) for i, text in enumerate(composed)]
    m.facts(*shown, *hidden, memory("Zulu is the last word", "private", id="zy", project="p06", **when))
    m.run("flag", "m2", "--reason", "somebody should look at it soon", "--by", "kim lee")
    m.run("flag", "zy", "--reason", "because of november quebec", "--by", "oscar romeo")
    m.sweep()
    m.write("mirror.yml", "publish:\n  exclude:\n    types: [private]\n")
    static(m, a_html="<p>nothing</p>")
    m.run("build")
    site = "\n".join(d.decode("utf-8", "replace") for p, d in m.site_bytes("site") if p.endswith((".md", ".html")))
    assert all(x in site for x in ("Which spindle speed of Polisher", "somebody should look at it soon", "which is not in the store")), "nothing of it is composed"
    found, n = leaks(m, code=None)
    assert not found and n["withheld_published"] > 8, (found, n)
    static(m, a_html="<p>It is because of november quebec.</p><p>by oscar romeo</p>")
    found, _ = leaks(m, code=None)
    assert sorted(s.partition(" of flag:")[0] for _, _, s in found) == ["actor", "reason"], found


def test_what_the_user_says_is_public(m):
    secrets(m)
    static(m, a_html="Head of polishing")
    assert leaks(m)[1]["leak"] == 1
    m.write("mirror.yml", CONFIG + "check:\n  public: [head of polishing]\n")
    assert leaks(m, code=0)[1]["leak"] == 0


def test_values_that_only_a_conflict_remembers(m):
    m.write("mirror.yml", "publish:\n  exclude:\n    properties: [cost]\n")
    legs = [entity("Component", {"component_name": "leg", "cost": c}, "leg", id=f"e{i}") for i, c in enumerate(("4711 Taler gold", "4712 Taler gold"))]
    m.facts(project("p05"), *legs)
    c, = m.sweep()
    m.facts({"kind": "conflict", "id": c["id"], "status": "dismissed"}, name="verdict.jsonl")
    legs[0]["properties"] = {"component_name": "leg", "cost": "4713 Taler gold"}
    m.facts(*legs)
    static(m, a_html="4713 Taler gold, 4711 Taler gold, 4714 Taler gold")
    assert {s for _, _, s in leaks(m)[0]} == {"property cost of entity:e0", f"claim cost of conflict:{c['id']}"}


def test_unicode(m):
    m.write("mirror.yml", CONFIG)
    m.facts(entity("Salary", {"amount": "Größenordnung Ölpreis", "what": "Señor Ölpreis"}, "社長の年俸は秘密です", id="x1"), state("k", "v", project="p05"))
    static(m, a_html="<p>größenordnung ÖLPREIS? grössenordnung ölpreis!</p>", b_html="<p>彼は社長の年俸は秘密ですと言った</p>", c_txt="senor-olpreis")
    found, _ = leaks(m)
    assert {p for p, _, _ in found} == {"a.html", "b.html", "c.txt"}, found


def test_the_sites_of_other_tests(m):
    """What the tests of publish.exclude build holds nothing that is left out, by this check too."""
    for name, test in vars(exclude).items():
        if not name.startswith("test_"):
            continue
        other = Mirror()
        try:
            test(other)
            r = other.run("check", "--format", "json").json()
            assert r["ok"] and r["counts"]["withheld"], (name, r)
        finally:
            other.close()


def test_many_secrets(m):
    """Linear, though all texts begin alike."""
    m.write("mirror.yml", "publish:\n  exclude:\n    tags: [private]\n")
    m.facts(*[memory(f"the same beginning of every text but then number {i} of them all is {i * 7919 % 10007}", tags=["private"], id=f"hidden-row-{i}") for i in range(3000)],
            *[memory(f"the same beginning of every text and what is published, number {i}") for i in range(1000)])
    m.write("static/a.html", "the same beginning of every text but not quite " * 40000)
    with costs_less_than(3):
        found, _ = leaks(m, code=0)
    assert not found


if __name__ == "__main__":
    main(globals())
