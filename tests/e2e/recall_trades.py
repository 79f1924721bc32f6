"""Recall over two small stores, a brewery and a mountain hut, each with 50 plain questions, half of them in other words than the
fact, and 40 about nothing in it. The figures are those of the day on which the rule was made; a better rule raises them."""
from harness import *

# A fact, and a question that it answers; behind a key, a value of the project's state.
BREWERY = """The mash of the pale ale rests at 67 degrees.|How warm is the mash of the pale ale?
Kegs are rinsed by the night shift.|Who rinses the kegs?
Spent grain goes to the farmer Lindner.|Where does the spent grain go?
Our malt is from the maltings in Bamberg.|Where do we buy our malt?
The bottling line fills 6,000 bottles an hour.|How many bottles does the bottling line fill per hour?
Labels are glued with casein.|What are the labels glued with?
The cold store is kept at 3 degrees.|At what temperature is the cold store kept?
Deposit on a crate is 3.10 euros.|How much is the deposit on a crate?
The brewmaster is Konrad Feil.|Who is the brewmaster?
The tap room is closed on Mondays.|On which day is the tap room closed?
Tours begin at the copper kettle.|Where do tours start?
Hops are stored under nitrogen.|How are hops stored?
The forklift is charged overnight.|When is the forklift charged?
The fermentation of the lager takes nine days.|How long does the lager ferment?
Tank 4 leaks at the lower flange.|Which tank leaks?
The yeast is thrown away after eight generations.|After how many generations is the yeast discarded?
Caustic soda may be handled with goggles only.|What must be worn when handling caustic soda?
The well delivers 12 cubic metres an hour.|How much water does the well deliver?
Beer for export has a blue cap.|What colour is the cap of export beer?
The stout won a gold medal in Nuremberg.|Which beer won a medal in Nuremberg?
The lorry is driven by Sepp on Tuesdays.|Who drives the lorry on Tuesdays?
Empty bottles are inspected by a camera.|How are empty bottles inspected?
The pub at the station gets two kegs a week.|How many kegs does the pub at the station get?
Samples are kept for six months.|How long do we keep samples?
The boiler was inspected in March 2024.|When was the boiler last inspected?
Invoices for pubs go out on the 15th.|When are invoices sent to pubs?
The recipe of the wheat beer is a secret of the family.|Who knows the recipe of the wheat beer?
The wheat beer contains banana yeast from Weihenstephan.|Where does the yeast of the wheat beer come from?
The CO2 alarm in the cellar sounds at 0.5 percent.|At which level does the CO2 alarm sound?
The shop sells mugs, shirts and soap.|What does the shop sell?
Cleaning in place runs with hot water and acid.|What is used for cleaning in place?
Our lawyer is Mrs. Reuter from Coburg.|Who is our lawyer?
The label of the bock shows a goat.|What is on the label of the bock?
The filter is changed after 200 hectolitres.|When do we change the filter?
Guests may not touch the valves.|What may guests not touch?
Music at the summer party ends at ten.|Until when is there music at the summer party?
The pasteuriser is a Krones from 1998.|Which make is the pasteuriser?
The chimney is 22 metres high.|How tall is the chimney?
Returned bottles of other breweries are sorted by hand.|How are bottles of other breweries sorted?
The brew house is called Old Anna.|What is the brew house called?
max_keg_pressure|2.8 bar|What is the maximum pressure of a keg?
bottle_deposit|0.08 EUR|What deposit do we take for a bottle?
lab_opening|07:00|When does the lab open?
beer_tax_office|Hauptzollamt Schweinfurt|Which office do we pay beer tax to?
min_order_quantity|3 crates|What is the smallest order that we accept?
water_hardness|14 dH|How hard is our water?
fire_drill_month|October|In which month is the fire drill?
retention_samples_years|2|How many years are retention samples kept?
erp_version|11.4|Which version of the ERP do we run?
delivery_radius|60 km|How far do we deliver?""".splitlines()
BREWERY_LACKS = """Who designed the bottling line?
What does a tour cost?
How old is the brewmaster?
How heavy is a full keg?
Which insurance covers the lorry?
Who welded tank 4?
What colour is the forklift?
How deep is the well?
What is the alcohol content of the stout?
Where was Konrad Feil trained?
Who paints the labels of the wheat beer?
When was the brewery founded?
What is the licence plate of the lorry?
Which band plays at the summer party?
How many guests came to the summer party?
What is the password of the lab computer?
Who supplies the caustic soda?
How loud is the boiler?
What is the name of the goat on the label?
Which soap does the shop sell most?
How often is the chimney swept?
Who delivers the nitrogen?
What did the pasteuriser cost?
What is the phone number of Mrs. Reuter?
Which hospital is nearest to the brewery?
How much sugar is in the stout?
Who built Old Anna?
What is the salary of the night shift?
Where is the key of the tap room?
When is the next holiday of Sepp?
How wide is the brew house door?
Which telephone system do we use?
What do the mugs in the shop cost?
Who taught Konrad Feil?
Is there a lift to the malt loft?
How many horses pull the beer waggon?
What was the turnover in 2022?
Which type of hops is in the bock?
Who repairs the camera that inspects bottles?
What is the diameter of the chimney?""".splitlines()
HUT = """Trekking poles are lent out for five euros a day.|How much does it cost to borrow trekking poles?
The hut keeper is Vreni Abderhalden.|Who keeps the hut?
The path over the Gamsgrat is closed until July.|Until when is the Gamsgrat path closed?
Breakfast is from five to eight.|When is breakfast?
Drinking water comes from the spring above the chapel.|Where does our drinking water come from?
The helicopter brings flour every second Monday.|How often does the helicopter bring flour?
Dogs sleep in the wood shed.|Where do dogs sleep?
The cable car takes 18 persons.|How many persons fit into the cable car?
Boots stay in the rack by the door.|Where do guests leave their boots?
The climbing course is led by Reto.|Who leads the climbing course?
Avalanche probes are checked by the warden in November.|Who checks the avalanche probes?
The radio of the hut listens on channel E.|Which channel does the radio of the hut use?
The stove in the dining room burns larch only.|Which wood does the stove burn?
The dormitory under the roof has 24 beds.|How many beds are in the dormitory under the roof?
Members of the alpine club pay half.|What do members of the alpine club pay?
The solar panels were a gift of the canton.|Who gave us the solar panels?
The goat cheese is made by the Zgraggen family.|Who makes the goat cheese?
The glacier retreats 30 metres a year.|How fast does the glacier retreat?
The rope bridge may be crossed by two people at a time.|How many people may cross the rope bridge at once?
In a thunderstorm guests stay away from the windows.|When do guests stay away from the windows?
The toilets are cleaned by the apprentices.|Who cleans the toilets?
Rubbish is flown out in autumn.|When is the rubbish flown out?
The rescue team needs forty minutes from the valley.|How long does the rescue team need from the valley?
The visitors' book of 1911 lies behind glass.|Where is the visitors' book of 1911?
The flag is raised when the kitchen is open.|When is the flag raised?
Sleeping bags of silk are sold at the counter.|What are the sleeping bags made of?
The summit cross was carved by a monk from Disentis.|Who carved the summit cross?
Rosti is the dish of Thursday.|What is the dish of Thursday?
The battery room has a lock with the code of the mayor.|What kind of lock does the battery room have?
The marmot den lies below the third hairpin.|Where is the marmot den?
Our meat is delivered by the butcher Tschudi.|Which butcher delivers our meat?
The guides meet at six in the boot room.|At what time do the guides meet?
The north face was first climbed in 1932.|When was the north face first climbed?
Crampons must have twelve points.|How many points must crampons have?
The weather report hangs beside the bar.|Where does the weather report hang?
Payment is in cash or by Twint.|How can guests pay?
The old hut burnt down in 1958.|When did the old hut burn down?
The cook takes his day off on Wednesday.|When does the cook have his day off?
The shower runs for three minutes per token.|How long does the shower run per token?
Lost gloves are kept in the green chest.|What happens to lost gloves?
hut_altitude|2,610 m|How high is the hut?
beds_total|86|How many beds do we have?
season_end|12 October|When does the season end?
emergency_phone|1414|What is the emergency phone number?
reservation_deadline|18:00|Until when may a bed be reserved?
half_board_price|74 CHF|What does half board cost?
winter_room_open|always|When is the winter room open?
max_group_size|14|How large may a group be?
generator_type|Honda EU70|Which generator do we have?
firewood_supplier|Forst Glarus Süd|Who supplies the firewood?""".splitlines()
HUT_LACKS = """Who painted the summit cross?
How old is Vreni Abderhalden?
What is the surname of Reto?
How heavy is the summit cross?
Which company built the cable car?
What does the silk sleeping bag cost?
When was the cable car built?
How many windows does the dining room have?
Which pilot flies the helicopter?
Who owns the dogs?
What colour is the green chest's key?
How deep is the crevasse below the north face?
Where was the monk born?
Who plays the accordion on Saturdays?
What is the wage of the apprentices?
How thick is the ice of the glacier?
Which doctor is on duty?
What does a helicopter flight cost?
How many marmots live below the third hairpin?
Who wrote the visitors' book?
Where is the first aid kit?
When does the post bus leave?
How far is it to the next hut?
What is the name of Tschudi's wife?
Who taught Reto to climb?
Which brand are the solar panels?
How much power do the solar panels yield?
How often is the rope bridge inspected?
Who repairs the generator?
Is there a piano in the dining room?
What is the wifi password?
How loud is the generator?
Why did the old hut burn down?
Who insured the old hut?
What is the temperature of the spring?
How long is the rope bridge?
Which route is the easiest for children?
Who climbed the north face first?
What is the diameter of the rope?
Where do the apprentices come from?""".splitlines()


def hits(m, question):
    return [h["ref"] for h in m.run("recall", "-q", "--format", "json", "--clock", "2026-03-01", "--", question).json()["hits"]]


def figures(m, name, facts, lacks):
    """The questions that do not find their fact, and those about nothing that find something."""
    rows = []
    for i, line in enumerate(facts):
        *fact, _ = line.split("|")
        rows.append(memory(fact[0], project=name, id=f"f{i}") if len(fact) == 1 else state(fact[0], fact[1], project=name, id=f"f{i}"))
    m.facts({"kind": "project", "id": name, "name": "House"}, *rows)
    missed = [line for i, line in enumerate(facts) if f":f{i}" not in {ref[ref.index(":"):] for ref in hits(m, line.split("|")[-1])}]
    return missed, [q for q in lacks if hits(m, q)]


def test_a_brewery(m):
    missed, told = figures(m, "b1", BREWERY, BREWERY_LACKS)
    assert len(missed) <= 3, missed
    assert len(told) <= 1, told


def test_a_hut(m):
    missed, told = figures(m, "h1", HUT, HUT_LACKS)
    assert len(missed) <= 3, missed
    assert len(told) <= 2, told


if __name__ == "__main__":
    main(globals())
