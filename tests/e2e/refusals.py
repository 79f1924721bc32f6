"""What is refused is named, and the command of the refusal works as it is: each is pasted into a shell, for `import` and for
`init --from`, for rows of another program and for records of hmirror's, in files whose names a shell would take apart."""
import bz2
import gzip
import io
import json
import lzma
import os
import re
import shutil
import subprocess
import tarfile
import zipfile

from harness import HMIRROR, main, make_database

ROWS = [{"ref": "n1", "note": "The kiln temperature is 900 C", "added": "2026-03-01T10:00:00Z"}, {"ref": "n2", "note": "The kiln temperature is 950 C", "added": "2026-03-02T10:00:00Z"}]
OURS = [{"kind": "memory", "id": f"m{i}", "memory_type": "knowledge", "content": f"The kiln temperature is {t} C"} for i, t in ((1, 900), (2, 950))]
GRAPH = [{"type": "entity", "name": "kiln", "entityType": "oven", "observations": ["temperature is 900 C", "temperature is 950 C"]}]


def lines(rows):
    return "".join(json.dumps(r) + "\n" for r in rows)


def as_yaml(rows):
    return "".join("- " + "\n  ".join(f"{k}: {json.dumps(v)}" for k, v in r.items()) + "\n" for r in rows)


def as_csv(rows):
    return ",".join(rows[0]) + "\n" + "".join(",".join(r.values()) + "\n" for r in rows)


def zipped(text):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        z.writestr("rows", text)
    return out.getvalue()


def tarred(text):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as t:
        info = tarfile.TarInfo("rows")
        info.size = len(text)
        t.addfile(info, io.BytesIO(text.encode()))
    return out.getvalue()


# What a file is called, what packs a text into it, which program unpacks it.
PACKED = [("x.gz", lambda t: gzip.compress(t.encode()), "gunzip"), ("x.bz2", lambda t: bz2.compress(t.encode()), "bunzip2"), ("x.xz", lambda t: lzma.compress(t.encode()), "xz"),
          ("x.zip", zipped, "unzip"), ("x.tar", tarred, "tar"), ("x.utf16", lambda t: t.encode("utf-16"), "iconv"),
          ("x.utf16be", lambda t: b"\xfe\xff" + t.encode("utf-16-be"), "iconv"), ("x.utf32", lambda t: b"\xff\xfe\0\0" + t.encode("utf-32-le"), "iconv")]


def commands(message):
    """The commands of a refusal, each with the words before it."""
    found = {}
    for part in re.split(r"; (?=[a-z' ]+: )", message.split("\n")[0]):
        at = re.search(r"(?:^|: )((?:hmirror|gunzip|bunzip2|xz|zstd|unzip|7z|tar|iconv|jq|yq) .*)$", part)
        if at:
            found[part[:at.start()].rsplit(": ", 1)[-1]] = at[1]
    return found


def paste(m, command):
    """In a folder of its own, with `hmirror` on the path; the facts that came of it."""
    os.makedirs(m.path("bin"), exist_ok=True)
    if not os.path.exists(m.path("bin", "hmirror")):
        os.symlink(HMIRROR, m.path("bin", "hmirror"))
    shutil.rmtree(m.path("mirror"), ignore_errors=True)
    env = {**m.env, "PATH": m.path("bin") + ":" + os.environ["PATH"]}
    r = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=m.dir, env=env, capture_output=True, text=True)
    assert r.returncode == 0, (command, r.stderr)
    made = "mirror" if os.path.exists(m.path("mirror", "mirror.yml")) else "."
    return [x for x in map(json.loads, m.run("-C", made, "export").out.splitlines()) if x["kind"] not in ("evidence", "conflict")]


def fresh(m):
    for f in os.listdir(m.dir):
        if f not in ("bin", "home"):
            (shutil.rmtree if os.path.isdir(m.path(f)) and not os.path.islink(m.path(f)) else os.unlink)(m.path(f))


def refuse(m, name, data, verb):
    """What `verb` says of the file, in a folder that has only it, and for an import a mirror."""
    fresh(m)
    m.write(name, data)
    if verb == "import":
        m.run("init")
    before = sorted(os.listdir(m.dir))
    r = m.run(*(("import", name) if verb == "import" else ("init", "--from", name, "mirror")), code=None)
    if r.code:
        assert sorted(os.listdir(m.dir)) == before, "a refusal leaves something"
    return r


def test_packed_files(m):
    """For each way to pack and each verb: what is refused is unpacked and read by the command that names its kind."""
    tried = 0
    for name, pack, program in PACKED:
        if not shutil.which(program):
            continue
        for verb in ("import", "init"):
            for rows, label in ((ROWS, "rows of another program"), (OURS, "records of hmirror's"), (GRAPH, "records of hmirror's")):
                r = refuse(m, "its " + name, pack(lines(rows)), verb)
                assert r.code == 2, (name, verb, r.out)
                way = commands(r.err)
                assert set(way) == {"rows of another program", "records of hmirror's"}, (r.err, way)
                if verb == "init" and label == "records of hmirror's":
                    continue  # there is no mirror yet that they could join
                got = paste(m, way[label])
                assert sum("temperature is" in x.get("content", "") for x in got) == 2, (name, verb, label, got)
                tried += 1
    assert tried >= 20


def test_texts(m):
    """JSON over several lines, in a text of JSON, of a SQLite file; YAML; a table."""
    spread = json.dumps(OURS[0], indent=1)
    way = commands(refuse(m, "o'ne.json", spread, "import").err)
    assert len(paste(m, way["records of hmirror's"])) == 1
    spread = json.dumps(ROWS[0], indent=1)
    way = commands(refuse(m, "one.json", spread, "import").err)
    assert len(paste(m, way["rows of another program"])) == 1
    for verb in ("import", "init"):
        way = commands(refuse(m, "quoted x.af", json.dumps(json.dumps({"rows": ROWS}, indent=1)) + "\n", verb).err)
        assert len(way) == 1 and len(paste(m, *way.values())) == 2, way
        for text in (as_csv(ROWS), json.dumps(ROWS), lines(ROWS), as_yaml(ROWS)):
            r = refuse(m, "$(x) rows", text, verb)
            assert (r.code == 2) == (verb == "import"), (verb, text, r.err)
            if r.code:
                way = commands(r.err)
                assert len(paste(m, way.get("rows of another program") or next(iter(way.values())))) == 2, (way, r.err)
        fresh(m)
        make_database(m.path("a b.db"), "CREATE TABLE notes(id, note); INSERT INTO notes VALUES(1, 'The kiln is red'), (2, 'The kiln is new');")
        if verb == "import":
            m.run("init")
            way = commands(m.run("import", "a b.db", code=2).err)
            assert "store of another program" in next(iter(way)), way
            assert len(paste(m, next(iter(way.values())))) == 2, way
            m.run("init", "b")
            m.run("-C", "b", "import", "-", "--source", "x", stdin=lines(OURS).encode())
            os.rename(m.path("b", "hmirror.db"), m.path("ours.db"))
            way = commands(m.run("import", "ours.db", code=2).err)
            assert len(paste(m, way["one of hmirror's"])) == 2, way
    r = refuse(m, "rec.yml", as_yaml(OURS), "init")
    assert "YAML of records" in r.err and len(paste(m, *commands(r.err).values())) == 2, r.err
    r = refuse(m, "x.yml", "- &a {ref: n1, note: The kiln temperature is 900 C}\n- <<: *a\n  note: The kiln temperature is 950 C\n", "init")
    assert "alias" in r.err and len(paste(m, *commands(r.err).values())) == 2, r.err


def test_tables_that_are_not_understood(m):
    """Whatever the names of the file and of its columns, and however long."""
    for name, text in (("it's $HOME.csv", "a b,c\nx y,1\nz w,2\n"), ("`id`.jsonl", '{"say \\"it\\"": "x y", "b": 1}\n{"say \\"it\\"": "z w", "b": 2}\n'), ("n" * 200 + ".csv", f"{'long name ' * 6},c\nx y,1\nz w,2\n"),
                       ("sheet.yml", "- a b: x y\n  c: 1\n- a b: z w\n  c: 2\n"), ("deep/er/x.csv", "a b,c\nx y,1\nz w,2\n")):
        fresh(m)
        os.makedirs(m.path(os.path.dirname(name) or "."), exist_ok=True)
        m.write(name, text)
        r = m.run("init", "--from", name, code=2)
        assert "it is not clear what its rows say" in r.err, r.err
        assert [x["content"] for x in paste(m, *commands(r.err).values())] == ["x y", "z w"], r.err
    r = refuse(m, "its sheet.csv", "setting,prod,staging\ntimeout,30 s,60 s\npool,5,5\n", "init")
    assert len(paste(m, *commands(r.err).values())) == 4, r.err


def test_what_holds_no_facts(m):
    for name, data, has in (("x.pdf", b"%PDF-1.7\n%\xe2\xe3\n", "a PDF"), ("x.png", b"\x89PNG\r\n", "an image"), ("x", b"\x7fELF\0\0", "a program"), ("x.html", "<!doctype html>\n<p>x</p>\n", "XML or HTML")):
        for verb in ("import", "init"):
            r = refuse(m, name, data, verb)
            assert r.code == 2 and has in r.err and not commands(r.err), (verb, r.err)


main(globals())
