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
    ("facts", "id,fact,created,date\n1,The mill is in Graz,Kim,2026-03-01\n2,The mill is in Linz,Lee,2026-03-02\n3,The mill has two wheels,Kim,2026-03-03\n", ("memories", {"content": "fact", "created_at": "date"})),
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
]


def told(out):
    """{layer: {ours: theirs}} of what a guess says."""
    got = {}
    for layer, reads in re.findall(r"^  (\w+) +from \w+: (.*)$", out, re.M):
        got[layer] = dict(x.split(" from ", 1) for x in reads.replace(", one for each of its list", "").split(", "))
    return got


def as_sqlite(m, name, text):
    rows = list(csv.reader(io.StringIO(text), delimiter=";" if ";" in text.split("\n")[0] else ","))
    quoted = ", ".join('"%s"' % c for c in rows[0])
    values = "".join('INSERT INTO "%s" VALUES(%s);' % (name, ", ".join("'%s'" % v.replace("'", "''") if v else "NULL" for v in r)) for r in rows[1:])
    make_database(m.path(name + ".db"), f"CREATE TABLE \"{name}\"({quoted});" + values)


def guess(m, file):
    r = m.run("init", "--from", file, "x", code=None)
    known = r.code == 0 and "no table looks as if" not in r.out
    shutil.rmtree(m.path("x"), ignore_errors=True)
    return told(r.out) if known else None, r


def test_tables_with_misleading_names(m):
    wrong, unknown = [], []
    for name, text, right in TABLES:
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
    print(f"# {2 * len(TABLES) - len(wrong) - len(unknown)} of {2 * len(TABLES)} right, {len(unknown)} not known: {unknown}, {len(wrong)} wrong")
    assert not wrong, "\n".join(map(str, wrong))
    assert not unknown, unknown


if __name__ == "__main__":
    main(globals())
