/* The words of the grammar of prose, by class (C_... in prose_lexicon.h), and an index of them and
 * of the values of families by their first word. A word may be in several lists; a word in none can
 * only be part of a name.
 *
 * hm_families_prepare builds the index once for many texts, so a word costs one lookup. Lists are
 * in lower case, parted by spaces. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/prose/prose_lexicon.h"

static const struct {
  uint64_t cls;
  const char *words; /* parted by spaces */
} classes[] = {
  { C_ARTICLE, "a an the" },
  { C_OWNER, "my our" },
  { C_PRONOUN,
    "anybody anything each everybody everyone everything he he's her here here's him his how i "
    "i'd i'll i'm i've it it's its itself let's me mine nobody nothing one ones ours she she's "
    "somebody someone something that that's their them there there's these they they'll they're "
    "they've this those us we we'd we'll we're we've what what's where who whoever why you "
    "you'll you're you've your" },
  { C_BE, "am are be being is" },
  { C_WAS, "been was were" },
  { C_HAVE, "had has have having" },
  { C_NOT,
    "aren't can't cannot couldn't didn't doesn't don't hardly hasn't haven't isn't mustn't "
    "needn't neither never no nobody none nor not nothing shouldn't wasn't weren't without won't "
    "wouldn't" },
  { C_ADVERB,
    "actually again already also always automatically both currently directly even exclusively "
    "explicitly finally fully generally hereby instead internally just locally mostly normally "
    "now officially only permanently presently primarily really roughly still strictly then "
    "therefore thus today typically usually" },
  { C_APPROX,
    "about almost approx approx. approximately around ca. circa exactly nearly precisely roughly "
    "~" },
  { C_PREP,
    "across after against as at before behind between by during for from in inside into like of "
    "on onto outside over per than through to toward towards under upon using via with within "
    "without" },
  { C_COND,
    "assuming else if in-case once otherwise provided suppose till unless until when whenever "
    "wherever whether" },
  { C_TAIL,
    "although because but cf. despite due e.g e.g. except given hence however i.e i.e. instead "
    "meaning rather see since so thanks that therefore though thus unlike where whereas which "
    "while who whose" },
  /* doubt, will, opinion and hearsay: with one of these a clause claims nothing */
  { C_UNSURE,
    "according aim aims allegedly apparently appear appears ask asked asks assume assumes "
    "believe believed believes can claimed consider considered considering considers could "
    "could've debating deciding didn't discuss discussed discussing dislike dislikes enjoy "
    "enjoys evaluate evaluated evaluates evaluating eventually expect expected expects exploring "
    "feel feels felt fixme going guess hate hates hope hoped hopefully hopes hoping "
    "hypothetically i'd i'll ideally imagine intend intended intends interested investigating "
    "let's like likely likes looking love loves may maybe might noticed ought perhaps planned "
    "planning possibly prefer prefers presumably pretend probably propose proposed proposes "
    "recommend recommended recommends remember reportedly said says seem seemed seems "
    "should someday soon suggest suggested suggests supposed supposedly suspect suspects tbd "
    "theoretically think thinking thinks thought todo told tomorrow tries try trying typical "
    "uncertain unclear unlikely unsure used-to want wanted wants wasn't we'd we'll weren't will "
    "wish wishes won't wonder wondered wondering would would've" },
  /* one of several, or no longer valid */
  { C_SEVERAL,
    "additional all another any average better both certain countless different each earlier "
    "early either every example expected few fewer former future half hypothetical ideal "
    "initial last later latest-known less many more most multiple neither new newer next no "
    "numerous old older one original other others past planned possible potential previous "
    "prior proposed recent same several similar some such suggested temporary typical "
    "upcoming usual various whatever which worse" },
  /* something changed or was decided */
  { C_CHANGE,
    "actually agreed anymore bumped changed concluded converted corrected correction cut decided "
    "decision deprecated disabled-now downgraded dropped extended final finalised finalized "
    "increased lowered migrated moved now postponed raised reduced renamed replaced rescheduled "
    "retired reverted settled shortened standardised standardized superseded swapped switched "
    "transitioned turned upgraded" },
  /* attributes whose values are numbers */
  { C_MEASURE,
    "accuracy age altitude amount amperage angle aperture area attempts availability backoff "
    "bandwidth batch baud bitrate brightness budget cadence capacity clearance clock "
    "concurrency connections cooldown cores cost count coverage cpus current cutoff deadline "
    "delay density depth diameter dimension dimensions distance dosage dose dpi dropout "
    "duration elevation energy epochs experience expiration expiry exposure fare fee flow "
    "focal focus followers force fps frequency funding gain gate goal gpus hardness headcount "
    "heap heartbeat height humidity impedance income indent indentation instances interval "
    "latency length level lifetime limit load margin mass maximum memory mileage minimum mtu "
    "nodes number objective offset overhead parallelism partitions percent "
    "percentage period ph pin pitch pods port power pressure price quota radius ram range "
    "rank rate ratio rent replicas resistance resolution retention retries revenue rpo rto "
    "salary savings score seats seed shards share size sla slots span speed stride "
    "subscribers temperature thickness threads threshold throughput timeout tolerance torque "
    "total tries ttl tuition turnover uptime utilisation utilization valuation vcpus views "
    "voltage volume wattage wavelength weight width window workers worth years" },
  /* attributes whose values have names */
  { C_NAMED,
    "adapter address algorithm anniversary approver assignee author backend bank baseline birthday "
    "birthplace boss branch brand broker browser bucket bundler cache carrier ceo cfo channel "
    "charset ci cipher city cladding cluster coating codec color colour command company "
    "compiler contact convention coo country cto currency database date db deadline dentist "
    "dialect directory distro doctor domain driver edition editor email employer encoding "
    "endpoint engine entrypoint environment extension family firmware flavor flavour folder "
    "font format formatter framework gym hash headquarters hometown host hosting hostname hq "
    "husband ide image job language layout lead level licence license linter loader "
    "locale location maintainer manager manufacturer material medication mode model name namespace "
    "nationality nickname occupation optimiser optimizer orm owner path phone plating policy port "
    "prefix president profession protocol provider queue region registry repo repository "
    "residence reviewer role runtime schema scheme school server shell sponsor spouse store "
    "strategy style substrate suffix supervisor supplier surname system target template theme "
    "timezone title tool topic track type university url username vendor version vet wife zone" },
  { C_PERSON,
    "aunt baby barber bird boss boyfriend brother cat child coach colleague "
    "cousin coworker crew customer dad daughter dentist developer doctor dog engineer father "
    "fiance fiancee fish friend friends girlfriend granddaughter grandfather grandma grandmother "
    "grandpa grandparents grandson hairdresser hamster horse husband instructor kid kids kitten "
    "landlord man manager mentor mom mother mum neighbor neighbour nephew niece parent "
    "parents parrot partner people person pet puppy rabbit roommate roommates sibling sister son "
    "spouse stepdad stepmom stylist supervisor teacher team therapist trainer turtle tutor uncle "
    "user users wife woman" },
  /* what a thing is like, and not which it is */
  { C_STATE,
    "able acceptable active affordable amazing annoying available awesome bad beautiful best "
    "better big bigger blocked boring broken busy certain cheap clean clear close closed cold "
    "common complete complex confusing correct critical crucial dead default delicious "
    "deprecated different difficult dirty documented done down dry due easy empty enough "
    "essential excited expensive experimental far fast faster fine finished flaky flexible free "
    "fresh full fun funny gone good great green half happy hard healthy heavy helpful here high "
    "higher hot huge important impossible incomplete interesting invalid large late light local "
    "long low lower married mature mine missing near nearby necessary new nice normal obsolete "
    "offline ok okay old online open optional ours pending popular pricey private public rare "
    "ready reasonable red remote required responsible sad safe same secure sensitive short "
    "similar simple single slow slower small smaller stable strange strict sufficient sure "
    "theirs there tight tired tricky true-ish twice unavailable unclear undocumented unhealthy "
    "unknown unnecessary unstable up useful useless valid variable warm weird wet worse worst "
    "worth wrong yours" },
  /* may follow a value */
  { C_LATELY,
    "again ago already altogether anymore currently deep each everywhere exactly final finally "
    "flat globally high instead long max maximum minimum now overall permanently sharp tall "
    "thick though today tonight too total wide yesterday yet" },
  /* Spanish, German, French, Italian, Portuguese, Dutch, Scandinavian */
  { C_FOREIGN,
    "alla als använder archivo auch auf aux avec benutzer benutzt ce cette che como con "
    "configuración contraseña cuando da dans das datos de del della delle dem den der des desde "
    "di documentación donde dos du délai edad een ein eine einem einen einer el ella elle ellos "
    "em en entre equipo es ese eso est esta este esto está están et ett fecha foi für gli haben "
    "hasta hat het horas idioma il inte ist je la las le les lo los läuft límite mais met migrar "
    "minutos mit muy más naar ne nel nicht niet nombre nosotros nous nuestra nuestro nutzen "
    "nutzt não nós och où para pas pero por porque pour prefiere prefieren projeto proyecto "
    "proyectos pruebas puerto på que qui quiero reunión se segundos servidor seu siamo sich sin "
    "sind sobre som sono sont soy su sua sur sus são también tasa tengo tiempo tiene til trabaja "
    "tu um uma una unas und une unos usa usamos usan usar usiamo usuario utilise utilisent "
    "utilisons utiliza utilizan versión verwenden verwendet vive von voor vous werden wij wir "
    "wird wordt wurde y zijn zu är è" },
  /* begin a row of verbs in prose_verbs.c, or stand like one */
  { C_VERB,
    "accept accepts allow allows arrives attends authenticate authenticates backs became begin "
    "begins binds builds bundle caches caps carries carry changed changes charges climbed "
    "closes come comes communicate compiles comprises connect connects consists consumes "
    "contain contains cost costs covers declined decreased defaults depart departs depends "
    "deploy deploys draws drive drives dropped earns emit emits ends equals expire expires "
    "exposes fell fires flushes get gets give gives go goes got grew handles happen happens has "
    "have hold holds include includes increased jumped keep keeps lands last lasts "
    "leaves limits lint listen listens live lives loads logs measure measures meets migrated "
    "moved need needs offer offers opens operate operates own owns permit permits polls "
    "processes produces provide provides publishes pulls rate-limits reach reaches reads record "
    "records refreshes relies renew renews reports require requires resets reside resides "
    "respond responds retain retains retries return returns rides rolls rose rotate rotates run "
    "runs sample samples scales sends serve serves ship ships shrank sits sleeps spans speaks "
    "spends spin spins stands start starts store stores support supports switched syncs take takes "
    "talks target targets time times totals use uses waits wake wakes weigh weighs went work "
    "works writes" },
  /* begin a row of parts there */
  { C_PART,
    "activated aged allowed archived at authenticated available backed based billed born bound "
    "built bundled cached called cancelled capped charged cleared clocked closed coated coded "
    "collected compacted configured connected dated defined deleted delivered deployed "
    "deprecated disabled disconnected displayed done dropped due employed enabled encrypted "
    "established evicted expected expired exposed fixed flushed forbidden formatted founded "
    "generated handled headquartered held hosted implemented in invalidated kept killed labeled "
    "labelled led licensed limited linted located locked logged made maintained managed "
    "manufactured married measured monitored mounted named off on open orchestrated owned "
    "performed persisted pinned plated powered priced produced provided published purged "
    "rate-limited rated rebuilt recomputed refreshed released removed rendered renewed "
    "restarted restricted retained retried rotated run saved scheduled scraped sent served set "
    "shipped shown signed sourced spelled stored supplied switched synced tagged taught "
    "terminated tested throttled titled tracked turned used valued version worth written" },
  /* changes of a value: raised to V */
  { C_MOVED,
    "adjusted bumped changed converted corrected cut decreased downgraded dropped extended fixed "
    "grew grown increased lowered migrated moved pinned postponed pushed raised reduced renamed "
    "relaxed rescheduled reverted rose scaled set shortened shrunk swapped switched tightened "
    "trimmed updated upgraded upped went" },
  { C_MUST, "must shall" },
  { C_AND, "& and nor or plus" },
  { C_ON,
    "activated active allowed enabled encouraged fine mandatory ok on permitted required true "
    "yes" },
  { C_OFF,
    "banned blocked deactivated disabled disallowed false forbidden inactive no off prohibited" },
  /* labels that say nothing of their own */
  { C_HEADING,
    "a agenda author background bug caveat cc changelog context date debug deployment error "
    "example examples fatal fixme from fwd goal goals hint hints idea ideas info issue issues "
    "links log next note notes overview plan plans q question questions re references reminder "
    "see step steps subject summary task tasks tip tips title to todo topic topics trace warn "
    "warning wip" },
  { C_CHOSE,
    "adopt adopted chose chosen decided migrated moved opted picked prefer replaced selected "
    "settled standardised standardized swapped switch switched use used uses using went" },
  /* things of which people name the model */
  { C_MODEL,
    "bike camera car drone guitar headphones keyboard laptop monitor motorcycle phone piano "
    "printer router scooter tablet telescope truck tv vehicle watch" },
  /* the past tense of events */
  { C_EVENT,
    "added arrived attended began benchmarked booked bought broke called came canceled cancelled "
    "closed compared completed copied crashed created did discussed drained ended failed "
    "finished fixed found gave gone got graduated had happened helped hosted installed joined "
    "learned left lost made measured merged met occurred opened ordered participated planned "
    "planted played purchased quoted raised-money ran reached read received released removed "
    "reviewed saw scheduled shipped signed sold spent started talked taught tested took tried "
    "visited volunteered watched went won worked wrote" },
  { C_DAY,
    "apr april aug august dec december feb february friday fridays jan january jul july jun june "
    "mar march may midnight monday mondays noon nov november oct october saturday saturdays sep "
    "sept "
    "september sunday sundays thursday thursdays tuesday tuesdays wednesday wednesdays weekday "
    "weekdays weekend weekends" },
  { C_CLAUSE, "although and because but however since so though whereas which while who yet" },
  { C_LEAD,
    "actually additionally also and anyway basically btw but clearly currently finally "
    "furthermore fyi hey important moreover note now oh ok okay plus remember similarly so "
    "speaking sure then today well yeah yes" },
  /* last words of the nouns that name a family (prose_match.c) */
  { C_KIND,
    "algorithm authority backend broker bundler bus cache cdn checker ci cloud compiler "
    "compression control convention database datastore db editor engine flags format formatter "
    "framework hash host ide indentation language layer library licence license linter logging "
    "manager material method model monitoring name orchestrator orm os package platform processor "
    "provider proxy queue region registry runner runtime scheme server service shipper software "
    "stack storage store strategy style system timezone tool tracker vpn zone" },
};

/* Numbers from 0 on, then from 20 by tens. */
static const char ones[] = "zero one two three four five six seven eight nine ten eleven twelve "
                           "thirteen fourteen fifteen sixteen seventeen eighteen nineteen";
static const char tens[] = "twenty thirty forty fifty sixty seventy eighty ninety hundred";

/* Units by what they measure, in lower case. */
static const struct {
  prose_unit unit;
  const char *words;
} units[] = {
  { UNIT_PERCENT, "% percent" },
  { UNIT_OTHER,
    "a acres amps arcmin arcminutes arcsec arcseconds bar bpm c calories celsius cfm chars "
    "cm cm2 cm3 cm\xc2\xb2 cm\xc2\xb3 db dbm deg degree degrees dpi fahrenheit feet ft ft2 "
    "g/l gallon gallons ghz gpa gw hpa hz inch inches iu k k/min kcal kelvin kg/m3 khz "
    "kilometers kilometres kj km km/h km2 km\xc2\xb2 km\xc2\xb3 kn kohm kpa kw kwh k\xce\xa9 "
    "l l/100km l/min liters litres lumens lux m m/min m/s m2 m3 ma mah mbar meters metres "
    "mg/dl mg/l mg/ml mhz mile miles ml ml/min mm mm/min mm/rev mm/s mm2 mm3 mmhg mmol/l "
    "mm\xc2\xb2 mm\xc2\xb3 mp mpa mph mrad mv mw m\xc2\xb2 m\xc2\xb3 m\xce\xa9 n n*m n/mm2 "
    "newton-metres newtons nf nm n\xc2\xb7m ohm ohms pa pf pixels ppb ppm psi px rad rpm "
    "turns uf um um/s v volts w watts waves yards \xc2\xb0 \xc2\xb0\x63 \xc2\xb0\x63/min "
    "\xc2\xb0\x66 \xc2\xb5\x66 \xc2\xb5g/ml \xc2\xb5m \xc2\xb5m/s \xc2\xb5rad \xce\xa9 "
    "\xce\xbcm" },
  { UNIT_MONEY, "aud cad cents chf dollars eur euro euros gbp jpy sek usd \xe2\x82\xac" },
  { UNIT_BYTES,
    "b bit bits bytes gb gib gigabytes kb kib kilobytes mb megabytes mib pb tb terabytes tib" },
  { UNIT_TIME,
    "day days fortnight fortnights h hour hours hr hrs milliseconds min mins minute minutes "
    "month months ms ns s "
    "sec second seconds secs us week weeks year years \xc2\xb5s \xce\xbcs" },
  { UNIT_RATE,
    "events/s fps gb/s gbit/s gbps iops kb/s kbit/s kbps mb/s mbit/s mbps messages/s mib/s "
    "msg/s qps queries/s req/min req/s req/sec requests/min requests/minute requests/s "
    "requests/sec requests/second rows/s rps tokens/s tps" },
  { UNIT_MASS,
    "g grams kg kilograms kilos lb lbs mcg mg ounces oz pounds t ton tonne tonnes tons "
    "\xc2\xb5g \xce\xbcg" },
};

/* --- the index -------------------------------------------------------------------------------- */

/* A filter of words: most words that are not in a map are not looked up there. */
enum { FILTER_BITS = 1 << 14 };
typedef struct {
  uint64_t bits[FILTER_BITS / 64];
} filter;

static uint32_t filter_bit(hm_str word) {
  uint32_t first = word.n ? (unsigned char)word.p[0] : 0,
           second = word.n > 1 ? (unsigned char)word.p[1] : 0;
  uint32_t last = word.n ? (unsigned char)word.p[word.n - 1] : 0;
  return (first * 577 + second * 67 + last * 5 + (uint32_t)word.n) % FILTER_BITS;
}

static void filter_add(filter *f, hm_str word) {
  uint32_t bit = filter_bit(word);
  f->bits[bit / 64] |= (uint64_t)1 << bit % 64;
}

static bool filter_may(const filter *f, hm_str word) {
  uint32_t bit = filter_bit(word);
  return f->bits[bit / 64] >> bit % 64 & 1;
}

struct hm_family_index {
  filter words_in, first_in; /* the words of the two maps */
  hm_map words;              /* word of the lexicon -> its entry */
  prose_entry *lexicon;
  hm_map first; /* first word -> its last entry */
  bool custom;  /* other families than the shipped ones */
  prose_spelling *entries;
  size_t n;
};

static hm_str first_word(hm_str folded) {
  size_t n = 0;
  while (n < folded.n && folded.p[n] != '_')
    n++;
  return hm_str_sub(folded, 0, n);
}

static size_t count_spellings(const hm_families *f) {
  size_t n = f->n;
  for (size_t i = 0; i < f->n; i++)
    for (const char *z = f->families[i].values; *z; z++)
      n += *z == '|' || *z == ' ';
  return n;
}

/* Adds the values of a family; the first spelling of a value is its name. */
static void add_values(hm_family_index *x, int family, const char *values) {
  hm_str name = HM_EMPTY;
  for (const char *z = values; *z;) {
    hm_str spelling = { z, strcspn(z, "| ") }, first = first_word(spelling);
    uint32_t had = hm_map_get(&x->first, first);
    if (!name.n)
      name = spelling;
    filter_add(&x->first_in, first);
    x->entries[x->n] =
        (prose_spelling){ spelling, name, family, had == HM_MAP_NONE ? NULL : &x->entries[had] };
    hm_map_set(&x->first, first, (uint32_t)x->n++);
    z += spelling.n;
    if (*z == ' ')
      name = HM_EMPTY;
    z += *z != 0;
  }
}

int prose_find_family(const hm_families *f, const char *name) {
  for (size_t i = 0; i < f->n; i++)
    if (strcmp(f->families[i].name, name) == 0)
      return (int)i;
  return -1;
}

static prose_entry *entry_of(hm_family_index *x, hm_str word, size_t *n) {
  uint32_t k = hm_map_add(&x->words, word, (uint32_t)*n);
  filter_add(&x->words_in, word);
  if (k == *n)
    ++*n;
  return &x->lexicon[k];
}

/* Adds words: their class, their unit, and numbers from `number` on by `step` (0: none). */
static void add_words(hm_family_index *x, const char *words, prose_entry like, int step,
                      size_t *n) {
  for (const char *z = words; *z; z += *z == ' ') {
    size_t w = strcspn(z, " ");
    prose_entry *e = entry_of(x, (hm_str){ z, w }, n);
    e->cls |= like.cls;
    e->unit = like.unit ? like.unit : e->unit;
    e->number = step ? like.number : e->number;
    like.number += step;
    z += w;
  }
}

static void index_lexicon(hm_family_index *x, hm_arena *a) {
  size_t n = 0, room = (sizeof ones + sizeof tens) / 2;
  for (size_t i = 0; i < HM_COUNT(classes); i++)
    room += strlen(classes[i].words) / 2 + 1;
  for (size_t i = 0; i < HM_COUNT(units); i++)
    room += strlen(units[i].words) / 2 + 1;
  x->lexicon = hm_alloc_array(a, room, sizeof *x->lexicon);
  hm_map_init(&x->words, a, room / 3);
  for (size_t i = 0; i < HM_COUNT(classes); i++)
    add_words(x, classes[i].words, (prose_entry){ .cls = classes[i].cls }, 0, &n);
  for (size_t i = 0; i < HM_COUNT(units); i++)
    add_words(x, units[i].words, (prose_entry){ .unit = units[i].unit }, 0, &n);
  add_words(x, ones, (prose_entry){ .cls = C_NUMBER }, 1, &n);
  add_words(x, tens, (prose_entry){ .cls = C_NUMBER, .number = 20 }, 10, &n);
}

const hm_families *hm_families_prepare(const hm_families *families, hm_arena *a) {
  const hm_families *from = families ? families : hm_families_shipped();
  hm_family_index *x = hm_alloc(a, sizeof *x);
  x->words_in = x->first_in = (filter){ 0 };
  size_t n = count_spellings(from);
  x->entries = hm_alloc_array(a, n + 1, sizeof *x->entries);
  hm_map_init(&x->first, a, n);
  for (size_t i = from->n; i > 0; i--) /* the first family of a value is found first */
    add_values(x, (int)i - 1, from->families[i - 1].values);
  x->custom = from->families != hm_families_shipped()->families;
  index_lexicon(x, a);
  hm_families *out = hm_alloc(a, sizeof *out);
  *out = (hm_families){ from->families, from->n, x };
  return out;
}

const prose_spelling *prose_find_spellings(const hm_families *f, hm_str word) {
  const hm_family_index *x = f->index;
  uint32_t e = filter_may(&x->first_in, word) ? hm_map_get(&x->first, word) : HM_MAP_NONE;
  return e == HM_MAP_NONE ? NULL : &x->entries[e];
}

enum { LONGEST_SPELLING = 32 };

/* The text as spellings are written, in low; empty: it is too long to be one. */
static hm_str as_spelling(hm_str text, char low[LONGEST_SPELLING]) {
  if (!text.n || text.n > LONGEST_SPELLING)
    return HM_EMPTY;
  for (size_t i = 0; i < text.n; i++) {
    char c = text.p[i];
    low[i] = c == ' ' || c == '.' || c == '-' ? '_' : hm_ascii_lower(c);
  }
  return (hm_str){ low, text.n };
}

hm_str hm_families_usual_spelling(const hm_families *families, hm_str text) {
  char low[LONGEST_SPELLING];
  hm_str spelled = as_spelling(text, low);
  const prose_spelling *e = spelled.n ? prose_find_spellings(families, first_word(spelled)) : NULL;
  while (e && !hm_str_eq(e->spelling, spelled))
    e = e->next;
  return !e || hm_str_eq(e->name, spelled) ? HM_EMPTY : e->name;
}

size_t hm_families_of(const hm_families *families, hm_str text, const char **names, size_t most,
                      hm_str *usual) {
  char low[LONGEST_SPELLING];
  hm_str spelled = as_spelling(text, low);
  const prose_spelling *e = spelled.n ? prose_find_spellings(families, first_word(spelled)) : NULL;
  size_t n = 0;
  for (; e && n < most; e = e->next)
    if (hm_str_eq(e->spelling, spelled)) {
      *usual = n ? *usual : e->name;
      names[n++] = families->families[e->family].name;
    }
  return n;
}

const prose_entry *prose_find_word(const hm_families *f, hm_str low) {
  if (!filter_may(&f->index->words_in, low))
    return NULL;
  uint32_t k = hm_map_get(&f->index->words, low);
  return k == HM_MAP_NONE ? NULL : &f->index->lexicon[k];
}

bool prose_is_value_word(const hm_families *f, hm_str low) {
  const prose_spelling *e = prose_find_spellings(f, low);
  while (e && !hm_str_eq(e->spelling, low))
    e = e->next;
  return e;
}

bool prose_families_are_custom(const hm_families *f) { return f->index->custom; }
