/* Settings for claims, and their defaults: rules.h.
 *
 * Fields are recognized by the last word of their name, so "api_version" is a version.
 *
 * A text is silence if all of it says that the value is not known: "TBD", "n/a", "not known yet",
 * folded, without brackets or quotes around it and without closing punctuation. "TBD-3", "-5" and
 * "unknown pleasures" are values, and so are "none" and "no", which say something. mirror.yml adds
 * words (rules.silence). Cost: a binary search for a short text, nothing for a long one. */
#include "core/value/rules.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/sort.h"
#include "core/base/text.h"

const hm_rules *hm_rules_default(void) {
  static const hm_str prose[] = {
    { "description", 11 }, { "notes", 5 },   { "rationale", 9 },
    { "title", 5 },        { "source*", 7 }, { "created*", 8 },
  };
  static const hm_str text_fields[] = {
    { "version", 7 }, { "release", 7 },  { "latest", 6 }, { "tag", 3 }, { "revision", 8 },
    { "build", 5 },   { "firmware", 8 }, { "serial", 6 }, { "id", 2 },  { "code", 4 },
  };
  static const hm_str ordered_fields[] = {
    { "position", 8 },
    { "order", 5 },
    { "steps", 5 },
    { "sequence", 8 },
  };
  static const hm_rules defaults = { .prose = prose,
                                     .n_prose = HM_COUNT(prose),
                                     .text_fields = text_fields,
                                     .n_text_fields = HM_COUNT(text_fields),
                                     .ordered_fields = ordered_fields,
                                     .n_ordered_fields = HM_COUNT(ordered_fields) };
  return &defaults;
}

/* Is it this name, or, of a pattern with '*' at its end, one that begins so? */
static bool matches(hm_str name, hm_str pattern) {
  bool prefix = hm_str_ends(pattern, "*");
  pattern.n -= prefix;
  return hm_str_eq(prefix ? hm_str_sub(name, 0, pattern.n) : name, pattern);
}

/* Is s this end, or one that ends in it behind the sign? */
static bool ends_as(hm_str s, hm_str end, char sign) {
  size_t at = s.n > end.n ? s.n - end.n : 0;
  return hm_str_eq(hm_str_sub(s, at, s.n), end) && (!at || s.p[at - 1] == sign);
}

bool hm_rules_is_prose(const hm_rules *r, hm_str name) {
  for (size_t i = 0; i < r->n_prose; i++)
    if (matches(name, r->prose[i]))
      return true;
  return false;
}

/* Is the last word of the name, without signs behind it ("Serial#"), in the list? */
static bool ends_with_one(hm_str name, const hm_str *list, size_t n) {
  hm_str word = hm_str_behind_last(name, '_');
  while (hm_str_ends(word, "#") || hm_str_ends(word, "+"))
    word.n--;
  for (size_t i = 0; i < n; i++)
    if (hm_str_eq(word, list[i]))
      return true;
  return false;
}

hm_reading hm_rules_reading(const hm_rules *r, hm_str slot_name) {
  bool is_text = ends_with_one(slot_name, r->text_fields, r->n_text_fields);
  return hm_slot_reading(slot_name) | (is_text ? HM_READ_TEXT : 0);
}

bool hm_rules_is_ordered(const hm_rules *r, hm_str name) {
  return ends_with_one(name, r->ordered_fields, r->n_ordered_fields);
}

/* Last words of slots that hold several values, by bytes. */
/* clang-format off */
static const char *const several[] = {
  "accreditations", "advisers", "advisors", "aliases", "allergies", "ambassadors", "applicants",
  "apprentices", "artists", "assistants", "associates", "attendees", "authored", "authors",
  "awards", "backers", "beneficiaries", "bidders", "brands", "buyers", "candidates", "carriers",
  "categories", "caterers", "celebrants", "certificates", "certifications", "children",
  "citizenships", "clients", "coaches", "coauthors", "collaborators", "colleagues", "colours",
  "committees", "companions", "competitors", "composed", "composers", "conductors",
  "consultants", "contacts", "contractors", "contributors", "coordinators", "cosponsors",
  "creators", "credentials", "cuisines", "customers", "delegates", "dependencies", "descendants",
  "developers", "directed", "directors", "distributors", "donors", "drivers", "editors",
  "emails", "employees", "employers", "engineers", "examiners", "exhibitors", "facilitators",
  "features", "fields", "founders", "friends", "funders", "genres", "grandchildren", "grants",
  "guests", "hobbies", "illustrated", "inspectors", "instructors", "instruments", "interests",
  "interns", "inventors", "investors", "judges", "keywords", "labels", "languages", "lecturers",
  "licences", "licensees", "licenses", "links", "maintainers", "manufacturers", "mediators",
  "members", "mentors", "moderators", "musicians", "nationalities", "nicknames", "nominees",
  "occupations", "organisers", "organizers", "owners", "painted", "participants", "partners",
  "patents", "patrons", "performers", "pets", "phones", "pilots", "players", "presenters",
  "prizes", "producers", "products", "professions", "projects", "pronouns", "publications",
  "published", "publishers", "references", "representatives", "researchers", "residences",
  "residents", "retailers", "reviewers", "roles", "secretaries", "sellers", "shareholders",
  "siblings", "singers", "skills", "soloists", "speakers", "specialties", "sponsors", "spouses",
  "stakeholders", "students", "subcontractors", "subjects", "subscribers", "subsidiaries",
  "suppliers", "supporters", "synonyms", "tags", "teachers", "technicians", "tenants", "testers",
  "themes", "topics", "trainees", "trainers", "translated", "translators", "trustees", "tutors",
  "urls", "vendors", "volunteers", "websites", "winners", "writers", "wrote",
};
/* clang-format on */

bool hm_rules_is_several(const hm_rules *r, hm_str slot_name) {
  hm_str word = hm_str_behind_last(slot_name, '_');
  if (bsearch(&word, several, HM_COUNT(several), sizeof *several, hm_order_word))
    return true;
  for (size_t i = 0; i < r->n_several; i++)
    if (matches(slot_name, r->several[i]) || ends_as(slot_name, r->several[i], '_'))
      return true;
  return false;
}

const hm_tolerance *hm_rules_tolerance(const hm_rules *r, hm_str slot_name) {
  for (size_t i = 0; i < r->n_tolerances; i++)
    if (hm_str_eq(r->tolerances[i].slot, slot_name))
      return &r->tolerances[i];
  return NULL;
}

const hm_type_slot *hm_rules_type_slot(const hm_rules *r, hm_str type_key) {
  for (size_t i = 0; r && i < r->n_slots; i++)
    if (hm_str_eq(r->slots[i].type, type_key))
      return &r->slots[i];
  return NULL;
}

bool hm_source_is_named(hm_str source, hm_str name) {
  name.n -= hm_str_ends(name, "/");
  for (size_t end = source.n; name.n && end >= name.n; end--)
    if ((end == source.n || source.p[end] == '/') && ends_as(hm_str_sub(source, 0, end), name, '/'))
      return true;
  return hm_str_eq(source, name);
}

bool hm_rules_is_additions(const hm_rules *r, hm_str source) {
  for (size_t i = 0; i < r->n_additions; i++)
    if (hm_source_is_named(source, r->additions[i]))
      return true;
  return false;
}

bool hm_rule_is_off(const hm_rules *r, hm_str rule) {
  for (size_t i = 0; r && i < r->n_off; i++)
    if (hm_str_eq(r->off[i], rule))
      return true;
  return false;
}

hm_str hm_rules_severity(const hm_rules *r, hm_str rule) {
  for (size_t i = 0; r && i < r->n_severities; i++)
    if (hm_str_eq(r->severities[i].rule, rule))
      return r->severities[i].severity;
  return HM_EMPTY;
}

/* --- texts that say that a value is not known ------------------------------------------------ */

enum { LONGEST = 64 }; /* bytes of a folded text; rules.silence takes no longer ones */

/* Folded and sorted by bytes. ".." is what folding makes of an ellipsis. */
static const char *const words[] = {
  "#n/a",
  "-",
  "--",
  "---",
  "..",
  "?",
  "??",
  "???",
  "inconnu",
  "k.a",
  "n.a",
  "n/a",
  "na",
  "nil",
  "not available",
  "not decided",
  "not disclosed",
  "not given",
  "not known",
  "not known yet",
  "not provided",
  "not reported",
  "not specified",
  "not stated",
  "not yet decided",
  "not yet known",
  "null",
  "tba",
  "tbc",
  "tbd",
  "to be announced",
  "to be confirmed",
  "to be decided",
  "to be defined",
  "to be determined",
  "unbekannt",
  "undecided",
  "unknown",
  "\u2013",
  "\u2014",
  "\uFFFD",
};

/* s, not empty, is a word of the table, or one that the rules add. */
static bool is_silent(hm_str s, const hm_rules *r) {
  return (!hm_is_digit(s.p[0]) &&
          bsearch(&s, words, HM_COUNT(words), sizeof *words, hm_order_word)) ||
      (r && r->n_silence && bsearch(&s, r->silence, r->n_silence, sizeof s, hm_order_str));
}

/* hm_text_fold_value of ASCII in a buffer; other texts, which are few, in an arena. */
static hm_str fold_short(hm_str s, char buffer[LONGEST], hm_arena *scratch) {
  size_t n = 0;
  for (size_t i = 0; i < s.n; i++) {
    char c = s.p[i];
    if (c & 0x80)
      return hm_text_fold_value(scratch, s);
    if (c == ' ' || (c >= '\t' && c <= '\r'))
      c = ' ';
    if (c == ' ' && n && buffer[n - 1] == ' ')
      continue;
    buffer[n++] = hm_ascii_lower(c);
  }
  return (hm_str){ buffer, n };
}

/* s without its last closing punctuation, else without the brackets or quotes around it; s itself
 * when it has neither. */
static hm_str strip_sign(hm_str s) {
  static const char open[] = "([{<\"'`", close[] = ")]}>\"'`";
  if (!s.n)
    return s;
  char first = s.p[0], last = s.p[s.n - 1];
  size_t stop = hm_str_ends(s, "\u3002") ? 3 : last && strchr(".!?,;:", last) ? 1 : 0;
  if (stop)
    return hm_str_trim(hm_str_sub(s, 0, s.n - stop));
  const char *at = s.n > 2 && first ? strchr(open, first) : NULL;
  return at && last == close[at - open] ? hm_str_trim(hm_str_sub(s, 1, s.n - 1)) : s;
}

bool hm_value_is_silence(hm_str text, const hm_rules *rules, hm_arena *scratch) {
  char buffer[LONGEST];
  hm_str s = hm_str_trim(text);
  if (!s.n || s.n > LONGEST)
    return false;
  s = fold_short(s, buffer, scratch);
  ptrdiff_t by = hm_str_find(s, " by ");
  if (by > 0 && hm_str_starts(s, "not ")) /* "not provided by the airline" */
    s.n = (size_t)by;
  while (s.n && !is_silent(s, rules)) {
    size_t before = s.n;
    s = strip_sign(s);
    if (s.n == before)
      return false;
  }
  return s.n > 0;
}

bool hm_value_silence_may_be_name(hm_str raw) {
  static const char *const spellings[] = {
    "NA", "Na", "Nil", "Not Available", "Not available", "Null", "nil", "not available"
  };
  raw = hm_str_trim(raw);
  for (size_t i = 0; i < HM_COUNT(spellings); i++)
    if (hm_str_is(raw, spellings[i]))
      return true;
  return false;
}

hm_str hm_silence_fold(hm_str text, hm_arena *a) {
  hm_str s = hm_text_fold_value(a, hm_str_trim(text));
  for (size_t before = s.n + 1; s.n < before && !is_silent(s, NULL);) {
    before = s.n;
    s = strip_sign(s);
  }
  return s.n > LONGEST ? HM_EMPTY : hm_str_dup(a, s);
}
