"""Recall says that nothing fits: questions close to what a store of a boatyard is about, but about nothing in it, beside
plain ones that it answers; and what a row's project, an identifier and a time in the question do."""
from harness import *

FACTS = """The slipway is closed on Sundays.
Antifouling paint is mixed in shed 2.
The crane lifts boats of up to 12 tonnes.
Moorings are paid for in February.
Hulls are washed with fresh water only.
Epoxy hardens overnight at 18 degrees.
The harbour master is called Signe Dahl.
Sails are mended by the loft in Marstrand.
Masts are stored under the long roof.
The winch was bought in 2015.
Guests may stay at the pontoon for three nights.
Batteries are collected by the scrap dealer.
The workshop has six places.
Engines are winterised in October.
Life jackets are checked every other year.
The tide table hangs beside the kiosk.
Teak decks are cleaned without bleach.
Propellers are balanced by Norrland Marin.
The fuel dock takes cards only.
Keys of the sheds are in the blue box.
Apprentices start at seven.
The diving team inspects the anchors in April.
Varnish is thinned with turpentine.
Charter contracts are signed by the skipper.
Two outboard motors are on loan to the sailing school.
The insurance covers storms but no ice.
The band saw stands in shed 1.
Rigging wire is ordered from Hamburg.
The compressor needs new hoses.
The regatta begins at the red buoy.
The café opens at eight.
Trailers are parked behind the fence.
The radio listens on channel 16.
A berth costs 240 euros a month.
Waste oil goes into the green tank.
The sauna is heated on Fridays.
Wooden boats have priority in spring.
The VHF course is given by Ulf.
Ropes are spliced on request.
Photos of the launch are on the notice board.""".splitlines()

# What a question names: a part, an animal, a price, a person that no fact has.
NOTHING = """Which glue holds the rudder bearings?
Who painted the lighthouse?
How deep is the dry dock?
What is the name of the harbour cat?
When does the ferry to the island sail?
How much rent does the sailmaker pay?
Which varnish brand does the museum use?
Where are the kayaks locked up?
Who teaches navigation by the stars?
How many swans nest at the pontoon?
What colour is the pilot boat?
Which bank financed the travel lift?
Is the marina open in winter storms for surfers?
What do we do about mussels in the cooling pipes?
Who won the rowing race in 2019?
How often is the septic tank emptied?
Which size of shackle does the spinnaker need?
When was the clubhouse insured against burglary?
What is the password of the weather station?
How fast may dinghies motor inside the breakwater?""".splitlines()

# What the store has, and of which it does not tell what is asked.
LACKING = """Who built the crane?
What does the band saw cost?
What colour is the compressor?
When was the band saw bought?
How many doors does the kiosk have?
Who invented the tide table?
How often is the band saw sharpened?
What did the sauna cost?
When was the sailing school founded?
Who washed the trailers?
How much varnish is left?
What colour are the life jackets?
What is the price of epoxy?
How old is the compressor?
How heavy is the winch?
Which company made the crane?
What is the name of the scrap dealer?
How wide is the pontoon?
How tall is the notice board?
Who sails from Marstrand to the red buoy?""".splitlines()

PLAIN = [("When is the slipway closed?", 0), ("Where is antifouling paint mixed?", 1), ("How many tonnes does the crane lift?", 2),
         ("When do we pay for moorings?", 3), ("What are hulls washed with?", 4), ("Who is the harbour master?", 6), ("Who mends the sails?", 7),
         ("Where do we store the masts?", 8), ("When was the winch bought?", 9), ("How long may guests stay at the pontoon?", 10),
         ("How many places does the workshop have?", 12), ("When do we winterise engines?", 13), ("How often are life jackets checked?", 14),
         ("Which firm balances propellers?", 17), ("Where are the keys of the sheds?", 19), ("What does the insurance cover?", 25),
         ("What does a berth cost?", 33), ("On which day is the sauna heated?", 35), ("Who gives the VHF course?", 37), ("Where are trailers parked?", 31)]


def hits(m, question, *args):
    return [h["ref"] for h in m.run("recall", "-q", "--format", "json", "--clock", "2026-03-01", *args, "--", question).json()["hits"]]


def test_twenty_questions_about_nothing_and_twenty_plain_ones(m):
    m.facts(project("yard"), *(memory(text, project="yard", id=f"b{i}") for i, text in enumerate(FACTS)))
    told = [(q, found) for q in NOTHING if (found := hits(m, q))]
    missed = [(q, found) for q, i in PLAIN if f"memory:b{i}" not in (found := hits(m, q))]
    assert len(NOTHING) == len(PLAIN) == 20
    assert not told, told
    assert not missed, missed


def test_what_the_store_has_does_not_answer_what_it_lacks_of_it(m):
    """How long, what it costs, when, who, which colour: a fact without an amount, a time, somebody, a colour is no answer."""
    m.facts(project("yard"), *(memory(text, project="yard", id=f"b{i}") for i, text in enumerate(FACTS)))
    told = [(q, found) for q in LACKING if (found := hits(m, q))]
    assert not told, told
    for text, *questions in (("The ferry leaves at ten.", "When does the ferry leave?"), ("In fog the gate stays shut.", "When does the gate stay shut?"),
                             ("A locker is 12 euros.", "What does a locker cost?"), ("Lockers are painted in teal.", "What colour are the lockers?"),
                             ("The sluice is 40 m long.", "How long is the sluice?"), ("The harpoon belongs to Greta Sol.", "Whose is the harpoon?", "Who owns the harpoon?"),
                             ("We empty the buckets twice a day.", "How often are the buckets emptied?", "Who empties the buckets?"), ("Diving is free.", "What does diving cost?"),
                             ("The old barge weighs 9 t.", "How heavy is the old barge?"), ("The new ketch is named Runa.", "What is the new ketch called?"),
                             ("The bow thruster is from Vetus.", "Which company made the bow thruster?"), ("The cradle has been here since 1987.", "How old is the cradle?"),
                             ("Draught needed at the quay: 3 m", "Which draught is needed at least at the quay?")):
        m.facts(memory(text, project="yard", id="x"), name="x.jsonl")
        for question in questions:
            assert hits(m, question)[:1] == ["memory:x"], question


def test_what_tells_of_a_thing_tells_no_measure_of_it(m):
    """Since when somebody heads an office is not how old he is; who leases a field, and until when, is not what it costs."""
    m.facts(project("yard"), {"kind": "project", "id": "gc", "name": "Garden centre"},
            {"kind": "entity", "id": "p", "entity_type": "Person", "name": "Rafael Pinto", "project": "yard", "properties": {"employed_since": "2018"}},
            {"kind": "entity", "id": "f", "entity_type": "Concept", "name": "Field C", "project": "yard"},
            {"kind": "entity", "id": "k", "entity_type": "Concept", "name": "The old kiln", "project": "yard", "properties": {"built": "1911"}},
            {"kind": "relation", "id": "r1", "type": "LEASES", "project": "yard", "from": "p", "to": "f", "valid_from": "2011", "valid_until": "2031"},
            state("field_lease_c_ends", "2031", project="yard", id="ends"), memory("Plants are guaranteed for two years.", project="gc", id="plants"),
            memory("The price of Rosa van Tets is 22.90 euros.", project="gc", id="rosa"), memory("Rehearsals start at noon.", project="yard", id="noon"),
            *(memory(text, project="yard", id=f"b{i}") for i, text in enumerate(FACTS)))
    for question in ("How old is Rafael Pinto?", "How much rent do we pay for field C?", "How long is the guarantee on garden furniture?",
                     "What does the car wash for the vans cost?", "The violins begin at dusk"):
        assert not hits(m, question), (question, hits(m, question))
    for question, first in (("How old is the old kiln?", "entity:k"), ("How long does Rafael Pinto lease field C?", "relation:r1"),
                            ("How long are plants of the garden centre guaranteed?", "memory:plants")):
        assert hits(m, question)[:1] == [first], (question, hits(m, question))


def test_a_fact_without_the_noun_that_is_asked_for_says_most_of_the_others(m):
    """One word of the thing, its name, the name of its project or a word that means nearly the same do not make up for it."""
    m.facts(project("yard"), {"kind": "project", "id": "gc", "name": "Greenhouse"}, memory("The worm composter must not get citrus peel.", project="gc", id="worms"),
            memory("The fern collection stands in cabinets 40 to 58.", project="gc", id="ferns"),
            memory("Greta Sol also speaks Italian.", project="yard", id="greta"), memory("Two electric carts are ordered for the quay.", project="yard", id="carts"),
            memory("The cable of locker 83 is brown.", project="yard", id="cable"), memory("Headings are set in Inter.", project="yard", id="font"), memory("Delivery is free from 75 euros.", project="yard", id="free"),
            *(memory(text, project="yard", id=f"b{i}") for i, text in enumerate(FACTS)))
    for question in ("Which fertiliser do the citrus trees get?", "Which microscope stands in the greenhouse?", "Where does Greta Sol live?",
                     "Which brand are the electric carts?", "What colour is the lid of locker 83?", "Which soap is used for the teak?"):
        assert not hits(m, question), (question, hits(m, question))
    for question, first in (("Which font are headings set in?", "font"), ("What colour is the cable of locker 83?", "cable"), ("From what amount is delivery free in the boat shop?", "free")):
        assert hits(m, question)[:1] == ["memory:" + first], (question, hits(m, question))


def test_an_answer_says_what_is_done_and_counted_and_the_number_behind_a_noun(m):
    """That a thing is there at dusk does not tell when it was built; a time counts nobody; and tug 2 is not tug 9."""
    yard = {"project": "yard"}
    m.facts(project("yard"), *(memory(text, project="yard", id=f"b{i}") for i, text in enumerate(FACTS)),
            memory("The playground by the car park is open until dusk.", id="open", **yard), memory("The late shift of the crane drivers ends at 1:00.", id="shift", **yard),
            memory("Seasonal riggers ride along for 40 hours.", id="hours", **yard), state("season_rigger_count", "212", id="count", **yard),
            memory("Tug 2 is repaired by the night watch.", id="two", **yard), memory("Tugs 4 and 5 are repaired by Greta Sol.", id="five", **yard),
            memory("The sawdust comes from the Holm farm.", id="farm", **yard), memory("26 riggers of the yard are on holiday.", id="away", **yard), memory("Tug 2 has 8 fenders.", id="fenders", **yard), memory("Riggers get 26 days of holiday.", id="holiday", **yard),
            {"kind": "entity", "id": "p", "entity_type": "Concept", "name": "Old pear tree", "project": "yard"}, {"kind": "entity", "id": "a", "entity_type": "Person", "name": "Arne Lund", **yard},
            {"kind": "entity", "id": "d", "entity_type": "Concept", "name": "Dredger Ulla", "project": "yard"}, {"kind": "relation", "id": "r", "type": "LEADS", "from": "a", "to": "d", **yard})
    for question in ("When was the playground built?", "How many crane drivers are women?", "How many hours of sleep do seasonal riggers get?", "Who repairs tug 9?",
                     "How many riggers of the yard were rescued?", "How much does tug 2 weigh?", "Who pruned the old pear tree?", "Who owns the Holm farm?"):
        assert not hits(m, question), (question, hits(m, question))
    for question, first in (("Until when is the playground open?", "memory:open"), ("How many days of holiday do riggers get?", "memory:holiday"), ("Who repairs tug 2?", "memory:two"),
                            ("Who repairs tug 5?", "memory:five"), ("Who leads the dredger Ulla?", "relation:r")):
        assert hits(m, question)[:1] == [first], (question, hits(m, question))


def test_a_list_of_words_is_no_question(m):
    """Who gives words alone looks through what is found; who asks wants an answer."""
    m.facts(project("yard"), *(memory(text, project="yard", id=f"b{i}") for i, text in enumerate(FACTS)))
    assert hits(m, "sauna attendant towels")[:1] == ["memory:b35"]
    assert not hits(m, "Which towels does the sauna attendant wash?")
    assert hits(m, "Is the sauna heated on Fridays for those who come in from the regatta and wait for the café, or only for guests and skippers?")


def test_rows_have_the_name_of_their_project(m):
    """A fact seldom names the project that it stands in; who asks does."""
    for id, name, capital, people in (("pe", "Peru", "Lima", "34 million"), ("bo", "Bolivia", "Sucre", "12 million"), ("nz", "New Zealand", "Wellington", "5 million")):
        m.facts({"kind": "project", "id": id, "name": name}, state("capital", capital, project=id, id="c-" + id), state("population", people, project=id, id="p-" + id), name=id + ".jsonl")
    for question, first in (("What is the population of Peru?", "p-pe"), ("What is the capital of New Zealand?", "c-nz"), ("population of Bolivia", "p-bo")):
        assert hits(m, question)[:1] == ["project_state:" + first], question
    assert not hits(m, "What is the anthem of Norway?") and not hits(m, "What is the capital of Chile?"), "of another one"


def test_an_identifier_is_one_word(m):
    m.facts(memory("The constant TYPE_CHECKING is true in the checker alone.", id="t"), *(memory(f"I will definitely check {x} out.", id=f"x{i}") for i, x in enumerate(("this", "that", "them", "it", "both", "all"))))
    assert hits(m, "TYPE_CHECKING") == ["memory:t"]


def test_a_month_in_the_question_is_when(m):
    people = [{"kind": "entity", "id": x, "entity_type": "Concept", "name": n, "project": "yard"} for x, n in (("a", "Arne Holm"), ("b", "Bea Lund"), ("y", "Yard crew"))]
    rows = [{"kind": "relation", "id": "r1", "type": "LEADS", "project": "yard", "from": "a", "to": "y", "valid_from": "2019-01-01", "valid_until": "2021-06-30"},
            {"kind": "relation", "id": "r2", "type": "LEADS", "project": "yard", "from": "b", "to": "y", "valid_from": "2021-07-01"}]
    m.facts(project("yard"), *people, *rows)
    for question, first in (("Who led the yard crew in March 2021?", "r1"), ("Who led the yard crew on 3 August 2021?", "r2"), ("Who led the yard crew in 2020?", "r1")):
        got = [x for x in hits(m, question) if x.startswith("relation:")]
        assert got == ["relation:" + first], (question, got)


if __name__ == "__main__":
    main(globals())
