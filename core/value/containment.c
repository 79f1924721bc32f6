/* What lies in what: Paris in Île-de-France, and that in France.
 *
 * By relations: a search from the inner place outwards, by every step that may hold at the time in
 * question. A place is reached for the part of that time in which all steps on the way hold. The
 * inner place lies in the outer one throughout if the parts for which that one is reached cover the
 * whole time; so chains that follow each other in time count together. A part within another part
 * of the same place is dropped, so circles end.
 * Cost: the steps from a place are found by hash; each step and each comparison of two parts counts
 * as one unit of work. Of 300 places that all lie in each other, each is compared with 90,000 pairs
 * of others, so a query gets less work the more values there are.
 *
 * By common geography: a sorted table of places, each with the smallest place of the table in which
 * it lies, or after "=" its usual name. "+": a part of a country without cities in the table. The
 * state of New York is the city, too. A name of several distant places (Washington) is left out, so
 * it contradicts others as usual. */
#include "core/value/containment.h"
#include "core/base/sort.h"

#include <stdlib.h>
#include <string.h>

/* --- by relations ----------------------------------------------------------------------------- */

enum { STATES_MAX = 100, WORK_MAX = 1 << 14, WORK_LEAST = 64 };

struct hm_containment {
  const hm_inclusion *steps;
  uint32_t *first, *next; /* by hash of inner, by step: 1 + a step; 0: none */
  size_t mask;
};

hm_containment *hm_containment_new(hm_arena *a) { return hm_alloc(a, sizeof(hm_containment)); }

void hm_inclusions_add(hm_inclusions *l, hm_inclusion in) {
  l->v = hm_array_grow(l->v, l->n, &l->cap, sizeof *l->v);
  l->v[l->n++] = in;
}

void hm_containment_fill(hm_containment *c, hm_inclusions *const *lists, size_t n_lists,
                         hm_arena *a) {
  size_t size = 2, n = 0, at = 0;
  for (size_t i = 0; i < n_lists; i++)
    n += lists[i]->n;
  if (!n)
    return;
  hm_inclusion *v = hm_alloc_array(a, n, sizeof *v);
  for (size_t i = 0; i < n_lists; at += lists[i++]->n) {
    if (lists[i]->n)
      memcpy(v + at, lists[i]->v, lists[i]->n * sizeof *v);
    free(lists[i]->v);
  }
  while (size < 2 * n)
    size *= 2;
  *c = (hm_containment){ .steps = v, .mask = size - 1 };
  c->first = hm_alloc_array(a, size, sizeof *c->first);
  c->next = hm_alloc_array(a, n, sizeof *c->next);
  for (size_t i = n; i-- > 0;) { /* each list in the order of the steps */
    uint32_t *first = &c->first[hm_str_hash(v[i].inner) & c->mask];
    c->next[i] = *first;
    *first = (uint32_t)i + 1;
  }
}

/* A place, and a part of the time for which it is reached. */
typedef struct {
  hm_str id;
  hm_time from, until;
} reached;

typedef struct {
  uint16_t axis;
  size_t n, *work;
  reached v[STATES_MAX];
} search;

static bool take_work(search *q, size_t n) {
  bool enough = *q->work >= n;
  *q->work = enough ? *q->work - n : 0;
  return enough;
}

/* false: there is no room, or no work is left. */
static bool add_reached(search *q, hm_str id, hm_time from, hm_time until) {
  size_t i = 0;
  while (i < q->n && !(hm_str_eq(q->v[i].id, id) && q->v[i].from <= from && until <= q->v[i].until))
    i++;
  if (!take_work(q, i))
    return false;
  if (i < q->n)
    return true;
  if (q->n == STATES_MAX)
    return false;
  q->v[q->n++] = (reached){ id, from, until };
  return true;
}

/* Do the parts for which it is reached make up [from, until)? */
static bool covers(const search *q, hm_str id, hm_time from, hm_time until) {
  for (hm_time before; from < until;) {
    before = from;
    for (size_t i = 1; i < q->n; i++)
      if (hm_str_eq(q->v[i].id, id) && q->v[i].from <= from && q->v[i].until > from)
        from = q->v[i].until;
    if (from == before)
      return false;
  }
  return true;
}

static hm_time later(hm_time a, hm_time b) { return a > b ? a : b; }
static hm_time earlier(hm_time a, hm_time b) { return a < b ? a : b; }

size_t hm_containment_work_limit(size_t n) {
  size_t share = n > 2 ? WORK_MAX / (n - 1) : WORK_MAX;
  return share > WORK_LEAST ? share : WORK_LEAST;
}

bool hm_containment_holds_throughout(const hm_containment *c, hm_str inner, hm_str outer,
                                     const hm_window *a, const hm_window *b, size_t *work) {
  if (!c->steps)
    return false;
  hm_time from = later(a->from, b->from), until = earlier(a->until, b->until);
  if (from >= until) {
    from = later(a->may_from, b->may_from);
    until = earlier(a->may_until, b->may_until);
  }
  bool by_a = a->begin.known || a->end.known;
  search q; /* its places are many, and few are used */
  q.axis = by_a ? a->axis : b->axis;
  q.n = 0;
  q.work = work;
  add_reached(&q, inner, from, until);
  for (size_t i = 0; i < q.n; i++) {
    for (uint32_t k = c->first[hm_str_hash(q.v[i].id) & c->mask]; k; k = c->next[k - 1]) {
      const hm_inclusion *step = &c->steps[k - 1];
      hm_time begins = q.v[i].from, ends = q.v[i].until;
      if (!take_work(&q, 1))
        return true;
      if (!hm_str_eq(step->inner, q.v[i].id))
        continue;
      /* A bound that nobody gives, or that another calendar counts, limits nothing. */
      if (step->when->begin.known && step->when->axis == q.axis && step->when->may_from > begins)
        begins = step->when->may_from;
      if (step->when->end.known && step->when->axis == q.axis && step->when->may_until < ends)
        ends = step->when->may_until;
      if (begins < ends && !add_reached(&q, step->outer, begins, ends))
        return true;
    }
  }
  return covers(&q, outer, from, until);
}

/* --- as everybody knows ----------------------------------------------------------------------- */

typedef struct {
  const char *name, *in;
} place;

/* clang-format off */
static const place PLACES[] = {
  { "aarhus", "denmark" }, { "abu_dhabi", "united_arab_emirates" }, { "abuja", "nigeria" },
  { "accra", "ghana" }, { "adelaide", "australia" }, { "afghanistan", "asia" }, { "africa", "" },
  { "alabama", "+united_states" }, { "alaska", "+united_states" }, { "albania", "europe" },
  { "alberta", "canada" }, { "algeria", "africa" }, { "america", "=united_states" },
  { "amsterdam", "netherlands" }, { "andalusia", "spain" }, { "andorra", "europe" },
  { "angola", "africa" }, { "ankara", "turkey" }, { "antwerp", "belgium" },
  { "argentina", "south_america" }, { "arizona", "united_states" },
  { "arkansas", "+united_states" }, { "armenia", "" }, { "asia", "" }, { "athens", "greece" },
  { "atlanta", "georgia" }, { "auckland", "new_zealand" }, { "austin", "texas" },
  { "australia", "" }, { "austria", "europe" }, { "azerbaijan", "" },
  { "bahamas", "north_america" }, { "bahrain", "asia" }, { "baltimore", "maryland" },
  { "bangalore", "=bengaluru" }, { "bangkok", "thailand" }, { "bangladesh", "asia" },
  { "barbados", "north_america" }, { "barcelona", "catalonia" }, { "basel", "switzerland" },
  { "bavaria", "germany" }, { "bay_area", "california" }, { "beijing", "china" },
  { "belarus", "europe" }, { "belgium", "europe" }, { "belgrade", "serbia" },
  { "belize", "north_america" }, { "bengaluru", "india" }, { "benin", "africa" },
  { "bergen", "norway" }, { "berlin", "germany" }, { "bern", "switzerland" }, { "bhutan", "asia" },
  { "bilbao", "spain" }, { "birmingham", "england" }, { "bogota", "colombia" },
  { "bolivia", "south_america" }, { "bologna", "italy" }, { "bonn", "germany" },
  { "bordeaux", "france" }, { "bosnia", "europe" }, { "boston", "massachusetts" },
  { "botswana", "africa" }, { "boulder", "colorado" }, { "brazil", "south_america" },
  { "brisbane", "queensland" }, { "bristol", "england" }, { "britain", "=united_kingdom" },
  { "british_columbia", "canada" }, { "brittany", "+france" }, { "brno", "czech_republic" },
  { "brooklyn", "new_york_city" }, { "bruges", "belgium" }, { "brunei", "asia" },
  { "brussels", "belgium" }, { "bucharest", "romania" }, { "budapest", "hungary" },
  { "buenos_aires", "argentina" }, { "bulgaria", "europe" }, { "burkina_faso", "africa" },
  { "burundi", "africa" }, { "busan", "south_korea" }, { "cairo", "egypt" },
  { "calgary", "alberta" }, { "california", "united_states" }, { "cambodia", "asia" },
  { "cameroon", "africa" }, { "canada", "north_america" }, { "canberra", "australia" },
  { "cape_town", "south_africa" }, { "cape_verde", "africa" }, { "casablanca", "morocco" },
  { "catalonia", "spain" }, { "chad", "africa" }, { "chengdu", "china" }, { "chennai", "india" },
  { "chicago", "illinois" }, { "chile", "south_america" }, { "china", "asia" },
  { "cluj", "romania" }, { "cologne", "germany" }, { "colombia", "south_america" },
  { "colorado", "united_states" }, { "congo", "africa" }, { "connecticut", "+united_states" },
  { "copenhagen", "denmark" }, { "cork", "ireland" }, { "cornwall", "+england" },
  { "costa_rica", "north_america" }, { "croatia", "europe" }, { "cuba", "north_america" },
  { "cyprus", "europe" }, { "czech_republic", "europe" }, { "czechia", "=czech_republic" },
  { "dallas", "texas" }, { "delaware", "+united_states" }, { "delft", "netherlands" },
  { "delhi", "india" }, { "denmark", "europe" }, { "denver", "colorado" },
  { "detroit", "michigan" }, { "dominican_republic", "north_america" }, { "dresden", "saxony" },
  { "dubai", "united_arab_emirates" }, { "dublin", "ireland" }, { "dusseldorf", "germany" },
  { "ecuador", "south_america" }, { "edinburgh", "scotland" }, { "edmonton", "alberta" },
  { "egypt", "africa" }, { "eindhoven", "netherlands" }, { "el_salvador", "north_america" },
  { "england", "united_kingdom" }, { "eritrea", "africa" }, { "estonia", "europe" },
  { "ethiopia", "africa" }, { "eu", "europe" }, { "europe", "" }, { "european_union", "=eu" },
  { "fiji", "" }, { "finland", "europe" }, { "florence", "tuscany" },
  { "florida", "united_states" }, { "france", "europe" }, { "frankfurt", "hesse" },
  { "fukuoka", "japan" }, { "gabon", "africa" }, { "galway", "ireland" }, { "gambia", "africa" },
  { "gdansk", "poland" }, { "geneva", "switzerland" }, { "georgia", "united_states" },
  { "germany", "europe" }, { "ghana", "africa" }, { "ghent", "belgium" },
  { "glasgow", "scotland" }, { "gothenburg", "sweden" }, { "graz", "austria" },
  { "great_britain", "=united_kingdom" }, { "greece", "europe" }, { "greenland", "north_america" },
  { "grenoble", "france" }, { "guadalajara", "mexico" }, { "guangzhou", "china" },
  { "guatemala", "north_america" }, { "guinea", "africa" }, { "guyana", "south_america" },
  { "haifa", "israel" }, { "haiti", "north_america" }, { "hamburg", "germany" },
  { "hanoi", "vietnam" }, { "hawaii", "united_states" }, { "helsinki", "finland" },
  { "hesse", "germany" }, { "ho_chi_minh_city", "vietnam" }, { "hokkaido", "japan" },
  { "holland", "=netherlands" }, { "honduras", "north_america" }, { "honolulu", "hawaii" },
  { "houston", "texas" }, { "hungary", "europe" }, { "hyderabad", "india" },
  { "iceland", "europe" }, { "idaho", "+united_states" }, { "illinois", "united_states" },
  { "india", "asia" }, { "indiana", "+united_states" }, { "indonesia", "asia" },
  { "iowa", "+united_states" }, { "iran", "asia" }, { "iraq", "asia" }, { "ireland", "europe" },
  { "israel", "asia" }, { "istanbul", "turkey" }, { "italy", "europe" },
  { "ivory_coast", "africa" }, { "jakarta", "indonesia" }, { "jamaica", "north_america" },
  { "japan", "asia" }, { "johannesburg", "south_africa" }, { "jordan", "asia" },
  { "kansas", "+united_states" }, { "kazakhstan", "asia" }, { "kentucky", "+united_states" },
  { "kenya", "africa" }, { "kolkata", "india" }, { "korea", "=south_korea" },
  { "kosovo", "europe" }, { "krakow", "poland" }, { "kuala_lumpur", "malaysia" },
  { "kuwait", "asia" }, { "kyiv", "ukraine" }, { "kyoto", "japan" }, { "kyrgyzstan", "asia" },
  { "lagos", "nigeria" }, { "laos", "asia" }, { "las_vegas", "nevada" }, { "latvia", "europe" },
  { "lausanne", "switzerland" }, { "lebanon", "asia" }, { "leeds", "yorkshire" },
  { "leipzig", "saxony" }, { "lesotho", "africa" }, { "liberia", "africa" }, { "libya", "africa" },
  { "liechtenstein", "europe" }, { "lille", "france" }, { "lima", "peru" }, { "linz", "austria" },
  { "lisbon", "portugal" }, { "lithuania", "europe" }, { "liverpool", "england" },
  { "ljubljana", "slovenia" }, { "lombardy", "italy" }, { "london", "england" },
  { "los_angeles", "california" }, { "louisiana", "united_states" }, { "luxembourg", "europe" },
  { "lviv", "ukraine" }, { "lyon", "france" }, { "madagascar", "africa" }, { "madrid", "spain" },
  { "maine", "+united_states" }, { "malaga", "andalusia" }, { "malawi", "africa" },
  { "malaysia", "asia" }, { "maldives", "asia" }, { "mali", "africa" }, { "malmo", "sweden" },
  { "malta", "europe" }, { "manchester", "england" }, { "manhattan", "new_york_city" },
  { "manila", "philippines" }, { "manitoba", "+canada" }, { "marseille", "provence" },
  { "maryland", "united_states" }, { "massachusetts", "united_states" },
  { "mauritania", "africa" }, { "mauritius", "africa" }, { "medellin", "colombia" },
  { "melbourne", "australia" }, { "memphis", "tennessee" }, { "mexico", "north_america" },
  { "mexico_city", "mexico" }, { "miami", "florida" }, { "michigan", "united_states" },
  { "milan", "lombardy" }, { "milwaukee", "wisconsin" }, { "minneapolis", "minnesota" },
  { "minnesota", "united_states" }, { "mississippi", "+united_states" },
  { "missouri", "+united_states" }, { "moldova", "europe" }, { "monaco", "europe" },
  { "mongolia", "asia" }, { "montana", "+united_states" }, { "montenegro", "europe" },
  { "montreal", "canada" }, { "morocco", "africa" }, { "moscow", "russia" },
  { "mountain_view", "silicon_valley" }, { "mozambique", "africa" }, { "mumbai", "india" },
  { "munich", "bavaria" }, { "myanmar", "asia" }, { "nagoya", "japan" }, { "nairobi", "kenya" },
  { "namibia", "africa" }, { "naples", "italy" }, { "nashville", "tennessee" },
  { "nebraska", "+united_states" }, { "nepal", "asia" }, { "netherlands", "europe" },
  { "nevada", "united_states" }, { "new_brunswick", "+canada" }, { "new_delhi", "delhi" },
  { "new_hampshire", "+united_states" }, { "new_jersey", "+united_states" },
  { "new_mexico", "+united_states" }, { "new_orleans", "louisiana" },
  { "new_south_wales", "australia" }, { "new_york", "united_states" },
  { "new_york_city", "new_york" }, { "new_york_state", "=new_york" }, { "new_zealand", "" },
  { "newfoundland", "+canada" }, { "nicaragua", "north_america" }, { "nice", "provence" },
  { "niger", "africa" }, { "nigeria", "africa" }, { "normandy", "+france" },
  { "north_america", "" }, { "north_carolina", "+united_states" },
  { "north_dakota", "+united_states" }, { "north_korea", "asia" }, { "north_macedonia", "europe" },
  { "northern_ireland", "+united_kingdom" }, { "norway", "europe" }, { "nova_scotia", "+canada" },
  { "nuremberg", "bavaria" }, { "nyc", "=new_york_city" }, { "oakland", "bay_area" },
  { "ohio", "+united_states" }, { "oklahoma", "+united_states" }, { "oman", "asia" },
  { "ontario", "canada" }, { "oregon", "+united_states" }, { "orlando", "florida" },
  { "osaka", "japan" }, { "oslo", "norway" }, { "ottawa", "ontario" }, { "oxford", "england" },
  { "pakistan", "asia" }, { "palestine", "asia" }, { "palo_alto", "silicon_valley" },
  { "panama", "north_america" }, { "paraguay", "south_america" }, { "paris", "france" },
  { "pennsylvania", "united_states" }, { "perth", "australia" }, { "peru", "south_america" },
  { "philadelphia", "pennsylvania" }, { "philippines", "asia" }, { "phoenix", "arizona" },
  { "pittsburgh", "pennsylvania" }, { "poland", "europe" }, { "porto", "portugal" },
  { "portugal", "europe" }, { "prague", "czech_republic" }, { "provence", "france" },
  { "pune", "india" }, { "qatar", "asia" }, { "queens", "new_york_city" },
  { "queensland", "australia" }, { "reno", "nevada" }, { "reykjavik", "iceland" },
  { "rhode_island", "+united_states" }, { "riga", "latvia" }, { "rio_de_janeiro", "brazil" },
  { "romania", "europe" }, { "rome", "italy" }, { "rotterdam", "netherlands" }, { "russia", "" },
  { "rwanda", "africa" }, { "sacramento", "california" }, { "salt_lake_city", "utah" },
  { "salzburg", "austria" }, { "samoa", "" }, { "san_antonio", "texas" },
  { "san_diego", "california" }, { "san_francisco", "bay_area" }, { "san_marino", "europe" },
  { "santiago", "chile" }, { "sao_paulo", "brazil" }, { "sapporo", "hokkaido" },
  { "saskatchewan", "+canada" }, { "saudi_arabia", "asia" }, { "saxony", "germany" },
  { "scotland", "united_kingdom" }, { "seattle", "washington_state" }, { "senegal", "africa" },
  { "seoul", "south_korea" }, { "serbia", "europe" }, { "seville", "andalusia" },
  { "shanghai", "china" }, { "shenzhen", "china" }, { "sicily", "+italy" },
  { "sierra_leone", "africa" }, { "silicon_valley", "bay_area" }, { "singapore", "asia" },
  { "slovakia", "europe" }, { "slovenia", "europe" }, { "sofia", "bulgaria" },
  { "somalia", "africa" }, { "south_africa", "africa" }, { "south_america", "" },
  { "south_carolina", "+united_states" }, { "south_dakota", "+united_states" },
  { "south_korea", "asia" }, { "south_sudan", "africa" }, { "spain", "europe" },
  { "sri_lanka", "asia" }, { "st_petersburg", "russia" }, { "stockholm", "sweden" },
  { "strasbourg", "france" }, { "stuttgart", "germany" }, { "sudan", "africa" },
  { "suriname", "south_america" }, { "sweden", "europe" }, { "switzerland", "europe" },
  { "sydney", "new_south_wales" }, { "syria", "asia" }, { "tacoma", "washington_state" },
  { "taipei", "taiwan" }, { "taiwan", "asia" }, { "tajikistan", "asia" }, { "tallinn", "estonia" },
  { "tampa", "florida" }, { "tampere", "finland" }, { "tanzania", "africa" },
  { "tasmania", "+australia" }, { "tel_aviv", "israel" }, { "tennessee", "united_states" },
  { "texas", "united_states" }, { "thailand", "asia" }, { "the_hague", "netherlands" },
  { "thessaloniki", "greece" }, { "togo", "africa" }, { "tokyo", "japan" }, { "tonga", "" },
  { "toronto", "ontario" }, { "toulouse", "france" }, { "trinidad", "north_america" },
  { "trondheim", "norway" }, { "tucson", "arizona" }, { "tunisia", "africa" },
  { "turin", "italy" }, { "turkey", "" }, { "turkiye", "=turkey" }, { "turkmenistan", "asia" },
  { "tuscany", "italy" }, { "uae", "=united_arab_emirates" }, { "uganda", "africa" },
  { "uk", "=united_kingdom" }, { "ukraine", "europe" }, { "united_arab_emirates", "asia" },
  { "united_kingdom", "europe" }, { "united_states", "north_america" },
  { "united_states_of_america", "=united_states" }, { "uruguay", "south_america" },
  { "us", "=united_states" }, { "usa", "=united_states" }, { "utah", "united_states" },
  { "utrecht", "netherlands" }, { "uzbekistan", "asia" }, { "valencia", "spain" },
  { "vancouver", "british_columbia" }, { "venezuela", "south_america" },
  { "vermont", "+united_states" }, { "vienna", "austria" }, { "vietnam", "asia" },
  { "vilnius", "lithuania" }, { "virginia", "+united_states" }, { "wales", "+united_kingdom" },
  { "warsaw", "poland" }, { "washington_dc", "united_states" },
  { "washington_state", "united_states" }, { "wellington", "new_zealand" },
  { "west_virginia", "+united_states" }, { "wisconsin", "united_states" }, { "wroclaw", "poland" },
  { "wyoming", "+united_states" }, { "yemen", "asia" }, { "yorkshire", "england" },
  { "zagreb", "croatia" }, { "zambia", "africa" }, { "zimbabwe", "africa" },
  { "zurich", "switzerland" },
};
/* clang-format on */

static const place *find_place(hm_str name) {
  if (hm_str_starts(name, "the_") && !hm_str_is(name, "the_hague"))
    name = hm_str_sub(name, sizeof "the_" - 1, name.n);
  const place *p = bsearch(&name, PLACES, HM_COUNT(PLACES), sizeof *PLACES, hm_order_word);
  return p && p->in[0] == '=' ? find_place(hm_str_c(p->in + 1)) : p;
}

bool hm_places_are_one(hm_str x, hm_str y) {
  const place *p = find_place(x);
  return p && p == find_place(y);
}

/* The place in which it lies; empty: the table has none. */
static const char *enclosing(const place *p) { return p->in + (p->in[0] == '+'); }

static bool lies_in(const place *x, const place *y) {
  for (; x; x = x->in[0] ? find_place(hm_str_c(enclosing(x))) : NULL)
    if (x == y)
      return true;
  return false;
}

/* Does it contain others, also ones not in the table? */
static bool contains_others(const place *p) {
  if (p->in[0] == '+')
    return true;
  for (size_t i = 0; i < HM_COUNT(PLACES); i++)
    if (!strcmp(enclosing(&PLACES[i]), p->name))
      return true;
  return false;
}

/* Countries without a city in the table contain others, too: a place in a continent is not a
 * city. */
static bool is_country(const place *p) {
  const place *in = p->in[0] ? find_place(hm_str_c(enclosing(p))) : NULL;
  return !in || !in->in[0];
}

bool hm_places_may_nest(hm_str x, hm_str y) {
  const place *a = find_place(x), *b = find_place(y);
  if (a && b)
    return lies_in(a, b) || lies_in(b, a);
  const place *known = a ? a : b;
  return known && (is_country(known) || contains_others(known));
}

const char *hm_place_name(size_t i, const char **in) {
  *in = i < HM_COUNT(PLACES) ? PLACES[i].in : NULL;
  return i < HM_COUNT(PLACES) ? PLACES[i].name : NULL;
}
