/* Reads the text after a number as one unit: a spelling that unit.c knows, or words for one.
 *
 *   "kg", "m/s2"                 as it stands: a unit's case is a part of it (mW, MW)
 *   "per cent", "V DC", "°C"     an alias; also "Sekunden", "heures", "horas", "秒", "мин": the
 *                                twenty commonest words of some languages
 *   "KWH", "ghz", "Hrs"          in another case, where no other unit is meant (`any_case`)
 *   "metres per second"          "per" divides; "square", "cubic" raise
 *   "newton metres", "m s^-2"    words that are all units multiply
 *
 * Add a spelling as a row of a table. Cost: a binary search in two tables of fixed size, and one
 * lookup of each new spelling in the library. */
#include <stdlib.h>
#include <string.h>

#include "core/value/value_impl.h"
#include "core/base/sort.h"

enum { LONGEST = 48, WORDS_MAX = 6 };

typedef struct {
  const char *phrase, *unit;
} alias;

/* In any case, for texts that are not units as written; sorted. Sources: CLDR; of English NIST SP
 * 811, of German Duden, of French Larousse, of Spanish RAE, of Russian GOST 8.417, of Chinese GB
 * 3100, of Japanese JIS Z 8000; of signs of money Unicode, of volts "AC" and "DC" IEC 60027. */
/* clang-format off */
static const alias aliases[] = {
  { "$", "USD" }, { "% abv", "%" }, { "% rh", "%" }, { "% vol", "%" }, { "% vol.", "%" },
  { "%abv", "%" }, { "%rh", "%" }, { "%vol", "%" }, { "/d", "d-1" }, { "/day", "d-1" },
  { "/h", "h-1" }, { "/hour", "h-1" }, { "/hr", "h-1" }, { "/min", "min-1" },
  { "/minute", "min-1" }, { "/mo", "month-1" }, { "/month", "month-1" }, { "/s", "s-1" },
  { "/sec", "s-1" }, { "/second", "s-1" }, { "/week", "week-1" }, { "/wk", "week-1" },
  { "/year", "year-1" }, { "/yr", "year-1" }, { "1/min", "rpm" }, { "1/s", "rps" },
  { "a ac", "AAC" }, { "a dc", "ADC" }, { "aac", "AAC" }, { "adc", "ADC" },
  { "ann\u00E9e", "year" }, { "ann\u00E9es", "year" }, { "ans", "year" }, { "a\u00F1o", "year" },
  { "a\u00F1os", "year" }, { "bitcoin", "BTC" }, { "celsius", "degC" }, { "centimes", "cent" },
  { "centim\u00E8tre", "cm" }, { "centim\u00E8tres", "cm" }, { "cents", "cent" },
  { "cent\u00EDmetro", "cm" }, { "cent\u00EDmetros", "cm" }, { "cubic feet", "ft3" },
  { "cubic foot", "ft3" }, { "db", "dB" }, { "decibel", "dB" }, { "decibels", "dB" },
  { "deg c", "degC" }, { "deg f", "degF" }, { "deg. c", "degC" }, { "deg. f", "degF" },
  { "degree celsius", "degC" }, { "degree fahrenheit", "degF" }, { "degrees c", "degC" },
  { "degrees celsius", "degC" }, { "degrees f", "degF" }, { "degrees fahrenheit", "degF" },
  { "degs c", "degC" }, { "dias", "day" }, { "dollar", "USD" },
  { "dollars", "USD" }, { "d\u00EDa", "day" }, { "d\u00EDas", "day" }, { "d\u00F3lares", "USD" },
  { "euro", "EUR" }, { "euros", "EUR" }, { "fahrenheit", "degF" }, { "fl oz", "US_liquid_ounce" },
  { "fl. oz", "US_liquid_ounce" }, { "fluid ounce", "US_liquid_ounce" },
  { "fluid ounces", "US_liquid_ounce" }, { "franken", "CHF" }, { "gal", "gallon" },
  { "gals", "gallon" }, { "grad c", "degC" }, { "grad celsius", "degC" },
  { "gramm", "g" }, { "gramme", "g" }, { "grammes", "g" }, { "gramo", "g" }, { "gramos", "g" },
  { "heure", "h" }, { "heures", "h" }, { "hora", "h" }, { "horas", "h" }, { "jahr", "year" },
  { "jahre", "year" }, { "jahren", "year" }, { "jour", "day" }, { "jours", "day" },
  { "kilo", "kg" }, { "kilogramm", "kg" }, { "kilogramme", "kg" }, { "kilogrammes", "kg" },
  { "kilogramo", "kg" }, { "kilogramos", "kg" }, { "kilohm", "kohm" }, { "kilohms", "kohm" },
  { "kilometer", "km" }, { "kilometern", "km" }, { "kilom\u00E8tre", "km" },
  { "kilom\u00E8tres", "km" }, { "kilos", "kg" }, { "kil\u00F3metro", "km" },
  { "kil\u00F3metros", "km" }, { "kubikmeter", "m3" }, { "kv ac", "kVAC" }, { "kv dc", "kVDC" },
  { "kvac", "kVAC" }, { "kvdc", "kVDC" }, { "liter", "l" }, { "litre", "l" }, { "litres", "l" },
  { "litro", "l" }, { "litros", "l" }, { "megohm", "Mohm" }, { "megohms", "Mohm" },
  { "mes", "month" }, { "meses", "month" }, { "metern", "m" }, { "metro", "m" }, { "metros", "m" },
  { "metros cuadrados", "m2" }, { "metros c\u00FAbicos", "m3" }, { "mililitros", "ml" },
  { "millilitres", "ml" }, { "millimeter", "mm" }, { "millim\u00E8tre", "mm" },
  { "millim\u00E8tres", "mm" }, { "millisekunde", "ms" }, { "millisekunden", "ms" },
  { "mil\u00EDmetro", "mm" }, { "mil\u00EDmetros", "mm" }, { "min^-1", "rpm" },
  { "minuten", "min" }, { "minuto", "min" }, { "minutos", "min" }, { "mois", "month" },
  { "monat", "month" }, { "monate", "month" }, { "monaten", "month" }, { "m\u00E8tre", "m" },
  { "m\u00E8tres", "m" }, { "m\u00E8tres carr\u00E9s", "m2" }, { "m\u00E8tres cubes", "m3" },
  { "octets", "B" }, { "per cent", "%" }, { "per d", "d-1" }, { "per day", "d-1" },
  { "per days", "d-1" }, { "per h", "h-1" }, { "per hour", "h-1" }, { "per hours", "h-1" },
  { "per hr", "h-1" }, { "per min", "min-1" }, { "per minute", "min-1" },
  { "per minutes", "min-1" }, { "per mo", "month-1" }, { "per month", "month-1" },
  { "per months", "month-1" }, { "per s", "s-1" }, { "per sec", "s-1" }, { "per second", "s-1" },
  { "per seconds", "s-1" }, { "per week", "week-1" }, { "per weeks", "week-1" },
  { "per wk", "week-1" }, { "per year", "year-1" }, { "per years", "year-1" },
  { "per yr", "year-1" }, { "pieces", "pcs" }, { "piezas", "pcs" }, { "pi\u00E8ces", "pcs" },
  { "por ciento", "%" }, { "pound sterling", "GBP" }, { "pounds sterling", "GBP" },
  { "pour cent", "%" }, { "prozent", "%" }, { "qm", "m2" }, { "quadratmeter", "m2" },
  { "quadratmetern", "m2" }, { "r/min", "rpm" }, { "r/s", "rps" }, { "rupees", "INR" },
  { "seconde", "s" }, { "secondes", "s" }, { "segundo", "s" }, { "segundos", "s" },
  { "sekunde", "s" }, { "sekunden", "s" }, { "semaine", "week" }, { "semaines", "week" },
  { "semana", "week" }, { "semanas", "week" }, { "sq ft", "ft2" }, { "sq km", "km2" },
  { "sq m", "m2" }, { "sq. ft", "ft2" }, { "sq. m", "m2" }, { "sqft", "ft2" }, { "sqm", "m2" },
  { "std", "h" }, { "stunde", "h" }, { "stunden", "h" }, { "stundenkilometer", "km/h" },
  { "st\u00FCck", "pcs" }, { "swiss francs", "CHF" }, { "tag", "day" }, { "tage", "day" },
  { "tagen", "day" }, { "tonelada", "t" }, { "toneladas", "t" }, { "tonne", "t" },
  { "tonnen", "t" }, { "tonnes", "t" }, { "tours/min", "rpm" }, { "tr/min", "rpm" },
  { "u.s. dollars", "USD" }, { "u/min", "rpm" }, { "umdrehungen pro minute", "rpm" },
  { "us dollar", "USD" }, { "us dollars", "USD" }, { "us$", "USD" }, { "v a.c", "VAC" },
  { "v a.c.", "VAC" }, { "v ac", "VAC" }, { "v d.c", "VDC" }, { "v d.c.", "VDC" },
  { "v dc", "VDC" }, { "vac", "VAC" }, { "vdc", "VDC" }, { "volts ac", "VAC" },
  { "volts dc", "VDC" }, { "watts", "W" }, { "woche", "week" }, { "wochen", "week" },
  { "yen", "JPY" }, { "yuan", "CNY" }, { "zentimeter", "cm" }, { "zoll", "in" },
  { "\u00A2", "cent" }, { "\u00A3", "GBP" }, { "\u00A5", "JPY" }, { "\u00B0 c", "degC" },
  { "\u00B0 f", "degF" }, { "\u0434\u043D\u0435\u0439", "day" }, { "\u043A\u0433", "kg" },
  { "\u043A\u043C", "km" }, { "\u043C", "m" }, { "\u043C\u0438\u043D", "min" },
  { "\u043C\u0438\u043D\u0443\u0442", "min" }, { "\u043C\u043C", "mm" }, { "\u043C\u0441", "ms" },
  { "\u0440\u0443\u0431", "RUB" }, { "\u0441", "s" }, { "\u0441\u0435\u043A", "s" },
  { "\u0441\u0435\u043A\u0443\u043D\u0434", "s" }, { "\u0441\u043C", "cm" }, { "\u0447", "h" },
  { "\u0447\u0430\u0441\u043E\u0432", "h" }, { "\u2030", "permille" }, { "\u20A9", "KRW" },
  { "\u20AA", "ILS" }, { "\u20AB", "VND" }, { "\u20AC", "EUR" }, { "\u20B4", "UAH" },
  { "\u20B9", "INR" }, { "\u20BA", "TRY" }, { "\u20BD", "RUB" }, { "\u20BF", "BTC" },
  { "\u304B\u6708", "month" }, { "\u30AD\u30ED\u30B0\u30E9\u30E0", "kg" },
  { "\u30AD\u30ED\u30E1\u30FC\u30C8\u30EB", "km" }, { "\u30B0\u30E9\u30E0", "g" },
  { "\u30BB\u30F3\u30C1", "cm" }, { "\u30BB\u30F3\u30C1\u30E1\u30FC\u30C8\u30EB", "cm" },
  { "\u30C8\u30F3", "t" }, { "\u30C9\u30EB", "USD" }, { "\u30D1\u30FC\u30BB\u30F3\u30C8", "%" },
  { "\u30DF\u30EA", "mm" }, { "\u30DF\u30EA\u30B0\u30E9\u30E0", "mg" },
  { "\u30DF\u30EA\u30E1\u30FC\u30C8\u30EB", "mm" },
  { "\u30DF\u30EA\u30EA\u30C3\u30C8\u30EB", "ml" }, { "\u30DF\u30EA\u79D2", "ms" },
  { "\u30E1\u30FC\u30C8\u30EB", "m" }, { "\u30E6\u30FC\u30ED", "EUR" },
  { "\u30EA\u30C3\u30C8\u30EB", "l" }, { "\u30F6\u6708", "month" }, { "\u4E2A", "pcs" },
  { "\u4E2A\u6708", "month" }, { "\u500B", "pcs" }, { "\u500B\u6708", "month" },
  { "\u5143", "CNY" }, { "\u514B", "g" }, { "\u516C\u65A4", "kg" }, { "\u516C\u91CC", "km" },
  { "\u5186", "JPY" }, { "\u5206", "min" }, { "\u5206\u9418", "min" }, { "\u5206\u949F", "min" },
  { "\u5206\u9593", "min" }, { "\u5343\u514B", "kg" }, { "\u5343\u7C73", "km" }, { "\u5347", "l" },
  { "\u5398\u7C73", "cm" }, { "\u5428", "t" }, { "\u5468", "week" }, { "\u5929", "day" },
  { "\u5C0F\u65F6", "h" }, { "\u5C0F\u6642", "h" }, { "\u5E73\u65B9\u7C73", "m2" },
  { "\u5E74", "year" }, { "\u5E74\u9593", "year" }, { "\u5EA6", "degC" },
  { "\u6444\u6C0F\u5EA6", "degC" }, { "\u65E5", "day" }, { "\u65E5\u9593", "day" },
  { "\u661F\u671F", "week" }, { "\u6642\u9593", "h" }, { "\u6B27\u5143", "EUR" },
  { "\u6BEB\u514B", "mg" }, { "\u6BEB\u5347", "ml" }, { "\u6BEB\u79D2", "ms" },
  { "\u6BEB\u7C73", "mm" }, { "\u79D2", "s" }, { "\u79D2\u949F", "s" }, { "\u7C73", "m" },
  { "\u7F8E\u5143", "USD" }, { "\u9031", "week" }, { "\u9031\u9593", "week" },
};
/* clang-format on */

/* For units not known as written; sorted. Omits those for which another case is another unit: mw,
 * mb, pa, ms. Sources: NIST SP 811; CLDR. */
/* clang-format off */
static const alias any_case[] = {
  { "amp", "A" }, { "amps", "A" }, { "bar", "bar" }, { "cm", "cm" }, { "ea", "ea" },
  { "fps", "fps" }, { "ft", "ft" }, { "gbps", "Gbps" }, { "ghz", "GHz" }, { "gwh", "GWh" },
  { "hr", "h" }, { "hrs", "h" }, { "hz", "Hz" }, { "in", "in" }, { "kbps", "Kbps" },
  { "kg", "kg" }, { "khz", "kHz" }, { "km", "km" }, { "kmh", "km/h" }, { "kn", "kn" },
  { "kpa", "kPa" }, { "kph", "km/h" }, { "kv", "kV" }, { "kva", "kVA" }, { "kw", "kW" },
  { "kwh", "kWh" }, { "lb", "lb" }, { "lbs", "lb" }, { "mah", "mAh" }, { "mhz", "MHz" },
  { "min", "min" }, { "mins", "min" }, { "ml", "ml" }, { "mm", "mm" }, { "mph", "mph" },
  { "oz", "oz" }, { "pc", "pcs" }, { "pcs", "pcs" }, { "ph", "pH" },
  { "psi", "psi" }, { "px", "px" }, { "rpm", "rpm" }, { "rps", "rps" }, { "sec", "s" },
  { "secs", "s" }, { "thz", "THz" }, { "v", "V" }, { "w", "W" }, { "wh", "Wh" }, { "wk", "week" },
  { "wks", "week" }, { "yr", "year" }, { "yrs", "year" },
};
/* clang-format on */

/* Words of languages that part groups of digits by points ("12.000 litros"), in any case; sorted.
 * Sources: CLDR; Duden, RAE, Larousse. */
/* clang-format off */
static const char *const with_points[] = {
  "asientos", "besucher", "einwohner", "einwohnern", "ejemplares", "exemplaires", "exemplare",
  "franken", "gramm", "grammes", "gramos", "habitantes", "habitants", "heures", "horas", "jours",
  "kilogramm", "kilogrammes", "kilogramos", "kilom\u00E8tres", "kil\u00F3metros", "kubikmeter",
  "litros", "metros", "mitarbeiter", "m\u00E8tres", "octets", "personas", "personen", "personnes",
  "piezas", "pi\u00E8ces", "plazas", "pl\u00E4tze", "p\u00E1ginas", "qm", "quadratmeter", "seiten",
  "sitzpl\u00E4tze", "stunden", "st\u00FCck", "tage", "tagen", "toneladas", "tonnen", "tr/min",
  "u/min", "umdrehungen", "zentimeter", "zuschauer",
};
/* clang-format on */

static const hm_unit *known_unit(hm_units *u, hm_str spelling) {
  return spelling.n ? hm_units_get(u, spelling) : NULL;
}

/* --- money ----------------------------------------------------------------------------- */

/* Signs before a number, longer ones first. `also`: codes that may follow the same number. Sources:
 * CLDR; ISO 4217 in the style guides of the banks that issue them. */
/* clang-format off */
static const struct { const char *sign, *code, *also; } money_signs[] = {
  { "US$", "USD", "" }, { "CA$", "CAD", "" }, { "AU$", "AUD", "" }, { "NZ$", "NZD", "" },
  { "HK$", "HKD", "" }, { "C$", "CAD", "" }, { "A$", "AUD", "" }, { "S$", "SGD", "" },
  { "R$", "BRL", "" }, { "$", "USD", "CAD AUD NZD HKD SGD MXN TWD CLP" }, { "\u20AC", "EUR", "" },
  { "\u00A3", "GBP", "EGP" }, { "\u00A5", "JPY", "CNY" }, { "\u20A9", "KRW", "" },
  { "\u20AA", "ILS", "" }, { "\u20AB", "VND", "" }, { "\u20B4", "UAH", "" },
  { "\u20B9", "INR", "" }, { "\u20BA", "TRY", "" }, { "\u20BD", "RUB", "" },
  { "\u20BF", "BTC", "" },
};
/* clang-format on */

/* The code that the first three letters are, if no letter follows; else NULL. Also in lower case,
 * but for one that is a word. */
static const char *code_at(hm_str s) {
  enum { LETTERS = 3 };
  if (s.n < LETTERS || (s.n > LETTERS && hm_is_letter(s.p[LETTERS])))
    return NULL;
  bool upper = true, lower = true;
  char code[LETTERS];
  for (size_t i = 0; i < LETTERS; i++) {
    upper = upper && hm_is_upper(s.p[i]);
    lower = lower && hm_is_lower(s.p[i]);
    code[i] = (char)(s.p[i] & ~0x20);
  }
  if ((!upper && !lower) || (lower && !memcmp(code, "TRY", LETTERS)))
    return NULL;
  return hm_money_code((hm_str){ code, LETTERS });
}

size_t hm_money_at(hm_str s, const char **code, const char **also) {
  *also = "";
  bool letters = s.n && hm_is_letter(s.p[0]);
  bool dollar = letters && s.n > 2 && (s.p[1] == '$' || s.p[2] == '$');
  for (size_t i = 0; i < HM_COUNT(money_signs) && (!letters || dollar); i++) {
    if (!hm_str_starts(s, money_signs[i].sign))
      continue;
    *code = money_signs[i].code;
    *also = money_signs[i].also;
    return strlen(money_signs[i].sign);
  }
  *code = code_at(s);
  return *code ? 3 : 0;
}

/* --- phrases --------------------------------------------------------------------------- */

/* One word, or an expression. */
static const hm_unit *plain_unit(hm_reader *r, hm_str s, hm_str *spelling) {
  *spelling = hm_unit_spelling(s, r->scratch);
  const hm_unit *unit = known_unit(r->units, *spelling);
  if (unit)
    return unit;
  const char *code = s.n == 3 ? code_at(s) : NULL;
  *spelling = code ? hm_str_c(code) : HM_LOOK_UP(s, any_case);
  return known_unit(r->units, *spelling);
}

/* Several words: each but those that join must be a unit. */
static const hm_unit *unit_of_words(hm_reader *r, hm_str s, hm_str *spelling) {
  static const struct {
    const char *word, *power;
  } powers[] = {
    { "cu", "3" }, { "cubic", "3" }, { "sq", "2" }, { "sq.", "2" }, { "square", "2" },
  };
  hm_buf b = { 0 };
  hm_str power = HM_EMPTY, one;
  const char *joint = "";
  size_t words = 0;
  bool known = true;
  while (s.n && known) {
    hm_str word = hm_str_next_word(&s);
    if (b.n && hm_value_is_word(word, "per") && *joint != '/') {
      joint = "/";
      continue;
    }
    if (!power.n && (power = HM_LOOK_UP(word, powers)).n) /* "square metres" is "metres2" */
      continue;
    known = ++words <= WORDS_MAX && plain_unit(r, word, &one);
    hm_buf_c(&b, b.n && !*joint ? "." : joint);
    hm_buf_str(&b, one);
    hm_buf_str(&b, power);
    power = HM_EMPTY;
    joint = "";
  }
  known = known && b.n && !power.n && !*joint;
  *spelling = hm_buf_take(&b, r->scratch);
  return known ? known_unit(r->units, hm_unit_spelling(*spelling, r->scratch)) : NULL;
}

/* Letters that are one unit where the slot says so. */
static const struct {
  const char *letters;
  hm_reading supported;
  const char *unit;
} letters[] = {
  { "C", HM_READ_CHARGE, "coulomb" },
  { "C", HM_READ_TEMPERATURE, "degC" },
  { "F", HM_READ_TEMPERATURE, "degF" },
  { "m", HM_READ_DURATION, "min" },
  { "m", HM_READ_PROCESSORS, "millicore" },
  { "K", HM_READ_BYTES, "KB" },
  { "k", HM_READ_BYTES, "KB" },
  { "M", HM_READ_BYTES, "MB" },
  { "G", HM_READ_BYTES, "GB" },
  { "T", HM_READ_BYTES, "TB" },
  { "kb", HM_READ_BYTES, "KB" },
  { "mb", HM_READ_BYTES, "MB" },
  { "gb", HM_READ_BYTES, "GB" },
  { "tb", HM_READ_BYTES, "TB" },
  { "m", HM_READ_BYTES, "MB" },
  { "g", HM_READ_BYTES, "GB" },
  { "Grad", HM_READ_TEMPERATURE, "degC" },
  { "grados", HM_READ_TEMPERATURE, "degC" },
  { "degr\u00E9s", HM_READ_TEMPERATURE, "degC" },
  { "degrees", HM_READ_TEMPERATURE, "degC" },
  { "\u00B0", HM_READ_TEMPERATURE, "degC" },
  { "ct", HM_READ_MONEY, "cent" },
  { "M", HM_READ_MOLAR, "mol/L" },
  { "mM", HM_READ_MOLAR, "mmol/L" },
  { "uM", HM_READ_MOLAR, "umol/L" },
  { "\u00B5M", HM_READ_MOLAR, "umol/L" },
  { "\u03BCM", HM_READ_MOLAR, "umol/L" },
  { "nM", HM_READ_MOLAR, "nmol/L" },
  { "pM", HM_READ_MOLAR, "pmol/L" },
};

static hm_str unit_of_letter(hm_str s, hm_reading supports) {
  for (size_t i = 0; supports && i < HM_COUNT(letters); i++)
    if (letters[i].supported & supports && hm_str_is(s, letters[i].letters))
      return hm_str_c(letters[i].unit);
  return s;
}

bool hm_unit_letter_is_supported(hm_str unit, hm_reading supports) {
  return unit_of_letter(unit, supports).p != unit.p;
}

const hm_unit *hm_unit_parse_phrase(hm_reader *r, hm_str s, hm_str *spelling) {
  if (s.n > 1 && s.p[s.n - 1] == '.')
    s.n--;
  s = unit_of_letter(hm_str_trim(s), r->supports);
  if (!s.n || s.n > LONGEST)
    return NULL;
  bool words = memchr(s.p, ' ', s.n);
  *spelling = words ? HM_EMPTY : hm_unit_spelling(s, r->scratch);
  const hm_unit *unit = known_unit(r->units, *spelling);
  if (unit)
    return unit;
  *spelling = HM_LOOK_UP(s, aliases);
  if (spelling->n)
    return known_unit(r->units, *spelling);
  return words ? unit_of_words(r, s, spelling) : plain_unit(r, s, spelling);
}

bool hm_unit_has_points(hm_str phrase) { return HM_FIND(phrase, with_points); }

bool hm_unit_tables_are_sorted(void) {
  return HM_WORDS_ARE_SORTED(aliases) && HM_WORDS_ARE_SORTED(any_case) &&
      HM_WORDS_ARE_SORTED(with_points);
}
