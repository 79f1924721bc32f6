/* A sorted table of places, each with the smallest one of the table in which it lies, or behind "="
 * its usual name: see places.h. "+": a part of a country of which no city stands there. The
 * state of New York is the city, too. Names of places far from each other are left out
 * (Washington), so that they contradict others as any two do. */
#include "core/claim/places.h"

#include <stdlib.h>
#include <string.h>

typedef struct { const char *name, *in; } place;

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

static int by_name(const void *key, const void *item) {
  return hm_str_cmp(*(const hm_str *)key, hm_str_c(((const place *)item)->name));
}

static const place *find(hm_str name) {
  if (hm_str_starts(name, "the_") && !hm_str_is(name, "the_hague"))
    name = hm_str_sub(name, sizeof "the_" - 1, name.n);
  const place *p = bsearch(&name, PLACES, HM_COUNT(PLACES), sizeof *PLACES, by_name);
  return p && p->in[0] == '=' ? find(hm_str_c(p->in + 1)) : p;
}

/* The place in which it lies; empty: the table has none. */
static const char *around(const place *p) { return p->in + (p->in[0] == '+'); }

static bool lies_in(const place *x, const place *y) {
  for (; x; x = x->in[0] ? find(hm_str_c(around(x))) : NULL)
    if (x == y) return true;
  return false;
}

/* Is it one that contains others, also where the table has none of them? */
static bool contains_others(const place *p) {
  if (p->in[0] == '+') return true;
  for (size_t i = 0; i < HM_COUNT(PLACES); i++)
    if (!strcmp(around(&PLACES[i]), p->name)) return true;
  return false;
}

/* Countries without a city in the table contain others, too: what lies in a continent is none. */
static bool is_country(const place *p) {
  const place *in = p->in[0] ? find(hm_str_c(around(p))) : NULL;
  return !in || !in->in[0];
}

bool hm_places_may_nest(hm_str x, hm_str y) {
  const place *a = find(x), *b = find(y);
  if (a && b) return lies_in(a, b) || lies_in(b, a);
  const place *known = a ? a : b;
  return known && (is_country(known) || contains_others(known));
}

const char *hm_place_name(size_t i, const char **in) {
  *in = i < HM_COUNT(PLACES) ? PLACES[i].in : NULL;
  return i < HM_COUNT(PLACES) ? PLACES[i].name : NULL;
}
