#!/usr/bin/env python3
"""Tables whose names mislead: a guess of `init --from` is right, or says that it does not know; what it took is told. Each is guessed from
a file of CSV and from the same table in SQLite."""
import csv
import io
import os
import re
import shutil

from harness import main, make_database

T = "2026-03-0{} 10:00:00"
# File, its text, and what is right: the layer and which column is what; None: nothing can be known.
TABLES = [
    ("notes", "id,text,note\n1,draft,The north pump runs at 40 bar\n2,final,The south pump runs at 42 bar\n3,draft,Kim prefers the old valve\n", ("memories", {"content": "note"})),
    ("memories", "id,content,summary\n1,,The mill opens at eight\n2,,The mill closes at six\n", ("memories", {"content": "summary"})),
    ("readings", "time,key,value\n" + "".join(f"2026-03-01T0{h}:00:00Z,t{k},{h * 3 + k}\n" for h in range(8) for k in (1, 2)), None),
    ("chat", "id,role,message,created_at\n1,user,What is the pump pressure?," + T.format(1) + "\n2,assistant,The pump pressure is 4 bar," + T.format(1) + "\n3,user,Thank you very much," + T.format(1) + "\n", None),
    ("strings", "key,value,lang\n" + "".join(f"{k},{v} {l},{l}\n" for k, v in (("ok", "Fine"), ("no", "Never"), ("hi", "Hello")) for l in ("en", "de", "fr")), None),
    ("countries", "code,name,capital\nNO,Norway,Oslo\nIT,Italy,Rome\nPT,Portugal,Lisbon\n", None),
    ("requirements", "ID;Title;Statement;Status\nR1;Mass;The pump mass is at most 3 kg;Approved\nR2;Noise;The pump noise is at most 40 dB;Draft\n", ("memories", {"content": "Statement", "status": "Status"})),
    ("facts", "id,fact,created,date\n1,The mill is in Graz,Kim,2026-03-01\n2,The mill is in Linz,Lee,2026-03-02\n3,The mill has two wheels,Kim,2026-03-03\n", ("memories", {"content": "fact", "created_at": "date", "when": {"created"}})),
    ("lore", "id,project,body\n1,How the pump was mended,The pump was mended in May\n2,Why the valve leaks,The valve seat is worn out\n3,Who owns the mill,The mill belongs to Kim\n", ("memories", {"content": "body"})),
    ("open", "id,body,status\n1,The pump is red,waiting for Kim to answer the mail\n2,The pump is blue,Lee wants to look at it again\n3,The pump is new,nobody knows what this means\n", ("memories", {"content": "body"})),
    ("claims", "id,claim,confidence\n1,The pump mass is 3 kg,85\n2,The pump mass is 4 kg,20\n3,The valve is open,70\n", ("memories", {"content": "claim"})),
    ("beliefs", "id,claim,confidence\n1,The pump mass is 3 kg,0.85\n2,The pump mass is 4 kg,0.2\n3,The valve is open,0.7\n", ("memories", {"content": "claim", "confidence": "confidence"})),
    ("phrases", "id,source,target\n1,The pump is red and the valve is open,Die Pumpe ist rot und das Ventil ist offen\n2,Please close the door behind you,Bitte schliessen Sie die Tuer hinter sich\n3,The mill opens at eight o'clock,Die Muehle oeffnet um acht Uhr\n", None),
    ("holidays", "who,from,to\nKim,2026-07-01,2026-07-14\nLee,2026-08-01,2026-08-10\nAda,2026-09-01,2026-09-05\n", None),
    ("mails", "id,from,to,subject,body\n1,kim@mill.example,lee@mill.example,Re: lunch on Monday at noon,The canteen closes at two\n2,lee@mill.example,kim@mill.example,Your question about the red pump,The pump mass is 3 kg\n3,ada@mill.example,kim@mill.example,Fwd: what the valve maker says,The valve is open\n", ("memories", {"content": "body"})),
    ("prefs", "id,content,type\n1,Kim prefers tea,preference\n2,Kim lives in Oslo,knowledge\n3,Kim went to Rome,episodic\n", ("memories", {"content": "content"})),
    ("twice", "id,text\n1,The pump mass is 3 kg\n1,The pump mass is 4 kg\n2,The valve is open\n", ("memories", {"content": "text"})),
    ("lists", "id,facts,tags,text\n1,\"[\"\"The pump is red\"\", \"\"The pump is new\"\"]\",\"[\"\"a\"\"]\",\n2,\"[\"\"The valve is open\"\"]\",\"[]\",\n", ("memories", {"content": "facts", "tags": "tags"})),
    ("settings", "setting,val,unit\npump pressure,4,bar\npump mass,3,kg\npump colour,red,\n", ("project_state", {"key": "setting", "value": "val and unit"})),
    ("numbered", "key,name,value\n1,pump pressure,4 bar\n2,pump mass,3 kg\n3,pump colour,red\n", ("project_state", {"key": "name", "value": "value"})),
    ("hosts", "hostname,ip,os\ndb1,10.0.0.1,debian\ndb2,10.0.0.2,debian\nweb,10.0.0.3,alpine\n", ("entities", {"name": "hostname"})),
    ("triples", "subject,predicate,object\nKim,lives in,Oslo\nKim,works at,Mill\nLee,lives in,Rome\n", ("relations", {"from": "subject", "to": "object", "type": "predicate"})),
    ("edges", "source,target,weight\na1,b1,3\na2,b2,4\na1,b2,5\n", ("relations", {"from": "source", "to": "target"})),
    ("decisions", "nr,decision,rationale,date,status\n1,We use Postgres for orders,It is known to all,2026-03-01,accepted\n2,We use Redis for carts,It is fast enough,2026-03-02,rejected\n3,We deploy on Mondays,Nobody is away then,2026-03-03,accepted\n", ("memories", {"content": "decision", "created_at": "date", "status": "status"})),
    ("rooms", "id,channel,text\n1,mill,The pump mass is 3 kg\n2,mill,The valve is open\n3,mill,The door is red\n", ("memories", {"content": "text"})),
    ("metrics", "name,value,timestamp\n" + "".join(f"load,{i},{T.format(i)}\n" for i in range(1, 9)), None),
    ("stock", "item,quantity,location\nbolts,40,north\nnuts,50,north\nscrews,12,south\n", None),
    ("links", "id,title,content\n1,Pumps,https://mill.example/pumps\n2,Valves,https://mill.example/valves\n3,Doors,https://mill.example/doors\n", None),
    ("values", "parameter,value,val\npump pressure,,4 bar\npump mass,,3 kg\nspeed,,5 rpm\n", ("project_state", {"key": "parameter", "value": "val"})),
    ("insights", "id,label,text,agent,session,updated\n1,p1,The pump mass is 3 kg,claude,s1,1767225600\n2,p2,The pump mass is 4 kg,codex,s2,1767225601\n3,p3,The door is red,claude,s3,1767225602\n", ("memories", {"content": "text", "agent": "agent", "updated_at": "updated"})),
    ("remarks", "id,project,remark,ts\n" + "".join(f"{i},{u},The pump mass is {i} kg,{1767225600000 + i}\n" for i, u in enumerate(
        ("32833106-536e-95df-40b2-d002cc92d33d", "8a1c6f0e-77aa-4c0d-9a57-3b1d7f20c9e4", "c0ffee00-1234-4abc-8def-0123456789ab", "5b5e7c1d-0d3a-4e2f-b6a8-9d7c5e3f1a2b"))),
     ("memories", {"content": "remark", "created_at": "ts"})),
]


# Values that mislead, and times under any name: those that a guess does not read are told, as `when`.
B64 = ("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk", "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA")
SHA = ("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752", "fd61a03af4f77d870fc21e05e7e80678095c92d808cfb3b5c279ee04c74aca13")
UUID = ("7d444840-9dc0-11d1-b245-5ffdce74fad2", "0e8b1f9a-3c55-4f6e-8f0d-2b1c6b1a9d11", "c0ffee00-1234-4abc-9def-0123456789ab")
SAYS = ("The pump mass is 3 kg", "The pump mass is 4 kg", "The valve is open", "The door is red", "Kim prefers tea")


def table(header, *columns, sep=","):
    return "".join(sep.join(map(str, row)) + "\n" for row in [header.split(",")] + list(zip(*columns)))


def stamped(*times):
    return table("id,note,when", range(1, len(times) + 1), (SAYS * 2)[:len(times)], times)


VALUES = [
    ("icons", table("id,text,caption", (1, 2, 3), B64, SAYS), ("memories", {"content": "caption"})),
    ("prints", table("id,content,note", (1, 2, 3), SHA, SAYS), ("memories", {"content": "note"})),
    ("ids", table("fact,statement", UUID, SAYS), ("memories", {"content": "statement"})),
    ("files", table("id,document,summary", (1, 2, 3), ("docs/pump/mass-of-the-pump.md", "docs/valve/when-it-opens.md", "docs/door/its-colour.md"), SAYS), ("memories", {"content": "summary"})),
    ("tokens-of-a-day", table("id,text", (1, 2, 3), ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.aaaa", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIyIn0.bbbb", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIzIn0.cccc")), None),
    ("one-word", table("id,note", (1, 2, 3, 4), ("red", "green", "blue", "grey")), None),
    ("bytes", table("id,data,body", (1, 2, 3), ("de ad be ef 00 11 22 33", "ca fe ba be 44 55 66 77", "00 01 02 03 04 05 06 07"), SAYS), ("memories", {"content": "body"})),
    ("wrapped", 'id,text,note\n1,"%s\n%s",%s\n2,"%s\n%s",%s\n3,"%s\n%s",%s\n' % (B64[0], B64[0], SAYS[0], B64[1], B64[1], SAYS[1], B64[2], B64[2], SAYS[2]), ("memories", {"content": "note"})),
    ("sayings", table("id,text", (1, 2, 3), ("\u6cf5\u7684\u8d28\u91cf\u4e3a\u4e09\u516c\u65a4", "\u9600\u95e8\u662f\u5f00\u7684", "\u95e8\u662f\u7ea2\u8272\u7684")), ("memories", {"content": "text"})),
    ("keyed", table("key,value", SHA, ("aa bb", "cc dd", "ee ff")), None),
    ("hosts", table("name,hostname,os", SHA, ("db1", "db2", "web"), ("debian", "debian", "alpine")), ("entities", {"name": "hostname"})),
    ("labels-of-facts", 'id,facts,note\n1,"[""pump"", ""mass""]",%s\n2,"[""valve""]",%s\n3,"[""door"", ""red""]",%s\n' % SAYS[:3], ("memories", {"content": "note"})),
    # A text by its values, where no name says which it is; one of two is not known, nor is a heading.
    ("cards", table("name,colour,date", SAYS, ("#333bd9", "#b27db1", "#b27db1", "#111111", "#222222"), (45304, 45340, 45374, 45395, 45430)), ("memories", {"content": "name", "created_at": "date (days of a spreadsheet)"})),
    ("codes", table("text,lang,created_at", ("en", "de", "en", "fr", "en"), SAYS, ("2026-01-01", "2026-01-02", "2026-01-03", "2026-01-04", "2026-01-05")), ("memories", {"content": "lang", "created_at": "created_at"})),
    ("both", table("nr,north,south", (1, 2, 3), SAYS, ("The pump is as old as the mill", "Nobody knows who built it", "It has two wheels and a weir")), None),
    ("headings", table("nr,headline,url", (1, 2, 3), ("How the pump was mended", "Why the valve leaks again", "Who owns the old mill"), ("https://a.example/1", "https://a.example/2", "https://a.example/3")), None),
    ("nested", "body,meta,uuid\n" + "".join('"{""plain"": ""%s"", ""words"": 6}","{""ts"": ""2026-01-0%dT10:00:00Z"", ""by"": ""%s""}",%s\n' % (t, i + 1, w, u) for i, (t, w, u) in enumerate(zip(SAYS, ("Kim", "Lee", "Kim"), UUID))),
     ("memories", {"content": "body.plain", "created_at": "meta.ts", "agent": "meta.by"})),
    ("short", table("k,v,rev", ("oven temperature", "proof time", "salt share"), ("220 C", "45 min", "2 %"), (100, 101, 102)), ("project_state", {"key": "k", "value": "v"})),
    ("due", table("ref,note,due_on", range(1, 6), SAYS, ("2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04", "2026-03-05")), ("memories", {"content": "note", "when": {"due_on"}})),
    ("learned", table("ref,note,learned_on", range(1, 7), SAYS + ("The weir is wet in May",), ("2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04", "2026-03-05", "2026-03-06")), ("memories", {"content": "note", "created_at": "learned_on"})),
    ("apple", table("Z_PK,Z_OPT,ZTEXT,ZCREATIONDATE,ZFOLDER", range(1, 6), (1, 2, 1, 1, 3), SAYS, (726_000_000, 726_100_000, 726_200_000, 726_300_000, 726_400_000), (1, 2, 1, 2, 1)), ("memories", {"content": "ZTEXT", "created_at": "ZCREATIONDATE (seconds since 2001)"})),
    # Times: by their values, of any unit, whatever they are called.
    ("seconds", stamped(1767225600, 1767225700, 1767225800, 1767225900), ("memories", {"content": "note", "created_at": "when"})),
    ("thousands", stamped(1767225600123, 1767225700456, 1767225800789, 1767225900012), ("memories", {"content": "note", "created_at": "when"})),
    ("millions", stamped(1767225600123456, 1767225700123456, 1767225800123456, 1767225900123456), ("memories", {"content": "note", "created_at": "when"})),
    ("written", stamped("2026-03-01T10:00:00Z", "2026-03-01T10:05:00Z", "2026-03-02T09:00:00Z", "2026-03-04T09:00:00Z"), ("memories", {"content": "note", "created_at": "when"})),
    ("newest-first", stamped("2026-03-04 10:00:00", "2026-03-03 10:00:00", "2026-03-02 10:00:00", "2026-03-01 10:00:00"), ("memories", {"content": "note", "created_at": "when"})),
    ("days", stamped("2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04"), ("memories", {"content": "note", "when": {"when"}})),
    ("to-and-fro", stamped(1767225600, 1797225700, 1757225800, 1767225900), ("memories", {"content": "note", "when": {"when"}})),
    ("slashes", table("id,note,date", (1, 2, 3), SAYS, ("03/04/2026", "04/04/2026", "05/04/2026")), ("memories", {"content": "note", "when": {"date"}})),
    ("compact", table("id,note,created", (1, 2, 3), SAYS, (20260301, 20260302, 20260303)), ("memories", {"content": "note", "when": {"created"}})),
    ("people-since", table("id,note,since", (1, 2, 3), SAYS, (2500123, 3200456, 2900789)), ("memories", {"content": "note", "when": {"since"}})),
    ("one-odd", table("id,note,created_at", (1, 2, 3, 4), SAYS, ("2026-03-01T10:00:00Z", "2026-03-02T10:00:00Z", "yesterday", "2026-03-04T10:00:00Z")), ("memories", {"content": "note", "when": {"created_at"}})),
    ("two-times", table("id,note,opened,shut", (1, 2, 3, 4), SAYS, (1767225600, 1767225700, 1767225800, 1767225900), (1767226600, 1767226700, 1767226800, 1767226900)), ("memories", {"content": "note", "when": {"opened", "shut"}})),
    ("big-ids", table("note,number", SAYS, (1767225600123456789, 1767225600123456790, 1767225600123456791, 1767225600123456792)), ("memories", {"content": "note", "when": {"number"}})),
    ("born", table("id,fact,birthday,created_at", (1, 2, 3), SAYS, ("1990-01-02", "1985-03-04", "2001-05-06"), ("2026-03-01", "2026-03-02", "2026-03-03")), ("memories", {"content": "fact", "created_at": "created_at", "when": {"birthday"}})),
    ("sizes", table("setting,value,updated", ("pool size", "queue size", "cache size"), (4, 8, 16), ("never", "often", "once")), ("project_state", {"key": "setting", "value": "value", "when": {"updated"}})),
    ("when-read", table("id,text,updated_at,last_read", (1, 2, 3), SAYS, (1767225600, 1767225700, 1767225800), (1797225600, 1777225700, 1787225800)), ("memories", {"content": "text", "updated_at": "updated_at", "when": {"last_read"}})),
    ("flags", table("id,text,derived,level", (1, 2, 3), SAYS, (0, 0, 0), (0, 1, 0)), ("memories", {"content": "text"})),
    ("zeros", table("id,text,created_at,expires_at", (1, 2, 3), SAYS, (1767225600, 1767225700, 1767225800), (0, 0, 1797225600)), ("memories", {"content": "text", "created_at": "created_at", "valid_until": "expires_at"})),
    ("german-days", table("Nr;Notiz;Datum", (1, 2, 3), SAYS, ("13.01.2024", "18.02.2024", "23.3.2024"), sep=";"), ("memories", {"content": "Notiz", "when": {"Datum"}})),
    ("editions-of", table("id,note,edition", (1, 2, 3), SAYS, ("1.2.3", "1.10.0", "2.0.24")), ("memories", {"content": "note"})),
    ("phones", table("id,text,phone", (1, 2, 3, 4), SAYS, (2025550143, 2025550199, 2025550123, 2025550111)), ("memories", {"content": "text", "when": {"phone"}})),
    ("tab", table("ref,observation,logged", ("a", "b", "c", "d"), SAYS, ("2026-03-01T10:00:00+02:00", "2026-03-01T10:05:00+02:00", "2026-03-01T10:09:00+02:00", "2026-03-02T10:00:00+02:00"), sep="\t"), ("memories", {"content": "observation", "created_at": "logged"})),
]


def told(out):
    """{layer: {ours: theirs}} of what a guess says; the times that it does not read stand under `when`."""
    got = {}
    for layer, reads in re.findall(r"^  (\w+) +from [\w-]+: (.*)$", out, re.M):
        reads, _, unread = reads.partition("; not read as a time: ")
        got[layer] = dict(x.split(" from ", 1) for x in reads.replace(", one for each of its list", "").split(", "))
        if unread:
            got[layer]["when"] = set(unread.split(", "))
    return got


def as_sqlite(m, name, text):
    rows = list(csv.reader(io.StringIO(text), delimiter=next(x for x in ";\t," if x in text.split("\n")[0])))
    quoted = ", ".join('"%s"' % c for c in rows[0])
    values = "".join('INSERT INTO "%s" VALUES(%s);' % (name, ", ".join("'%s'" % v.replace("'", "''") if v else "NULL" for v in r)) for r in rows[1:])
    make_database(m.path(name + ".db"), f"CREATE TABLE \"{name}\"({quoted});" + values)


def guess(m, file):
    r = m.run("init", "--from", file, "x", code=None)
    known = r.code == 0 and "no table looks as if" not in r.out
    shutil.rmtree(m.path("x"), ignore_errors=True)
    return told(r.out) if known else None, r


def try_tables(m, tables):
    wrong, unknown = [], []
    for name, text, right in tables:
        m.write(name + ".csv", text)
        as_sqlite(m, name, text)
        for file in (name + ".csv", name + ".db"):
            got, r = guess(m, file)
            want = {right[0]: right[1]} if right else None
            if got is None and want is not None:
                unknown.append(file)
            elif got != want:
                wrong.append((file, got, want))
            if got is None and file.endswith(".csv"):
                assert r.code == 2 and "it is not clear what its rows say" in r.err, (file, r.err)
    print(f"# {2 * len(tables) - len(wrong) - len(unknown)} of {2 * len(tables)} right, {len(unknown)} not known: {unknown}, {len(wrong)} wrong")
    assert not wrong, "\n".join(map(str, wrong))
    assert not unknown, unknown


def test_tables_with_misleading_names(m):
    try_tables(m, TABLES)


def test_tables_with_misleading_values(m):
    try_tables(m, VALUES)


if __name__ == "__main__":
    main(globals())
