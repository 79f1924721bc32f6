/* The table of kinds of relations, and reading the ends of a row.
 *
 * A kind limits the number of values only if nearly every world agrees: a person may be in many
 * groups but in one faction, a place has one ruler though a ruler has many places. The ends are
 * compared by id: two entities with the same name differ. The values of LOCATED_IN, PART_OF and
 * BELONGS_TO may contain each other (Paris is in Île-de-France and in France), by their own
 * relations.
 * Cost: one lookup of a kind by its folded name, one of each end by its id.
 * Source: lore consistency engine, category A. */
#include "core/claim/relation.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/digest.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/claim/slot.h"
#include "core/value/window.h"

enum { ID_MAX = 512 };

enum { BESIDE = HM_MARK_BESIDE | HM_MARK_FOR_A_WHILE };

static const hm_relation_kind SHIPPED[] = {
#define KIND(kind, as, of, most)                                                                   \
  .name = kind, .words = as, .subject = HM_SUBJECT_##of, .at_once = most
  { KIND("BELONGS_TO", "belongs to", FROM, 1), .nests = true, .by_type = true },
  { KIND("CONTROLS", "controlled by", TO, 1), .groups = true, .spares = BESIDE },
  { KIND("EXISTED_DURING", "existed", FROM, 1), .window = true },
  { KIND("HOLDS_OFFICE", "held by", TO, 1), .groups = true, .seats = true, .spares = BESIDE,
    .sometime = true },
  { KIND("LOCATED_IN", "located in", FROM, 1), .nests = true, .spares = HM_MARK_FOR_A_WHILE },
  { KIND("MEMBER_OF", "member of", FROM, 1), .from = "person", .to = "faction", .nests = true,
    .spares = HM_MARK_POSTHUMOUS | HM_MARK_FOR_A_WHILE, .sometime = true },
  { KIND("PARENT_OF", "parents", TO, 2), .spares = HM_MARK_ADOPTIVE, .outlives = true },
  { KIND("PART_OF", "part of", FROM, 1), .nests = true },
  { KIND("POSSESSES", "possessed by", TO, 1), .groups = true, .spares = BESIDE },
  { KIND("RULES", "ruled by", TO, 1), .groups = true, .spares = BESIDE },
  { KIND("SPOUSE_OF", "spouse", BOTH, 1), .sometime = true },
  { KIND("USES_MATERIAL", "material", FROM, 1), .split = "role", .parts = { "", "coating", "bond" },
    .outlives = true },
#undef KIND
};

const hm_relation_kinds *hm_config_relation_kinds(const hm_rules *rules) {
  static const hm_relation_kinds shipped = { SHIPPED, HM_COUNT(SHIPPED) };
  return rules && rules->relations ? rules->relations : &shipped;
}

bool hm_relation_type_is(hm_str type, const char *name) {
  size_t i = 0;
  type = hm_str_trim(type);
  for (;; name++, i++) {
    while (*name == '_')
      name++;
    while (i < type.n && (type.p[i] == '_' || type.p[i] == ' ' || type.p[i] == '-'))
      i++;
    if (!*name || i == type.n)
      return !*name && i == type.n;
    char c = hm_is_lower(type.p[i]) ? (char)(type.p[i] - 'a' + 'A') : type.p[i];
    if (c != *name)
      return false;
  }
}

const hm_relation_kind *hm_relation_kind_find(const hm_relation_kinds *kinds, hm_str type) {
  for (size_t i = 0; type.n && i < kinds->n; i++)
    if (hm_relation_type_is(type, kinds->kinds[i].name))
      return &kinds->kinds[i];
  return NULL;
}

static void digest_text(hm_sha256 *h, const char *text) {
  hm_sha256_field(h, text ? hm_str_c(text) : HM_STR("\x1f"));
}

hm_str hm_relation_kinds_digest(const hm_relation_kinds *kinds, hm_arena *a) {
  hm_sha256 h;
  if (!kinds)
    return HM_EMPTY;
  hm_sha256_init(&h);
  for (size_t at = 0; at < kinds->n; at++) {
    const hm_relation_kind *k = &kinds->kinds[at];
    digest_text(&h, k->name);
    digest_text(&h, k->words);
    hm_sha256_field(&h,
                    hm_str_fmt(a, "%d %u %d %d %d %d %d %d", (int)k->subject, k->at_once, k->window,
                               k->nests, k->groups, k->by_type, k->seats, k->outlives));
    digest_text(&h, k->from);
    digest_text(&h, k->to);
    digest_text(&h, k->split);
    for (int i = 0; i < HM_RELATION_PARTS_MAX; i++)
      digest_text(&h, k->parts[i]);
  }
  return hm_sha256_hex(&h, a, 16);
}

const hm_relation_kind *hm_relation_kind_of_space(const hm_relation_kinds *kinds, hm_str space) {
  ptrdiff_t end = hm_str_find(space, " ");
  hm_str name = end < 0 ? space : hm_str_sub(space, 0, (size_t)end);
  for (size_t i = 0; name.n && i < kinds->n; i++)
    if (hm_str_is(name, kinds->kinds[i].name))
      return &kinds->kinds[i];
  return NULL;
}

hm_str hm_relation_slot_words(hm_arena *a, const hm_relation_kind *k, hm_str space) {
  size_t n = strlen(k->name) + 1;
  if (space.n <= n)
    return hm_str_fmt(a, ": %s", k->words);
  return hm_str_fmt(a, ": %s (%.*s)", k->words, HM_FMT(hm_str_sub(space, n, space.n)));
}

uint32_t hm_relation_max_at_once(const hm_rules *rules, hm_str space) {
  const hm_relation_kind *k =
      space.n ? hm_relation_kind_of_space(hm_config_relation_kinds(rules), space) : NULL;
  return k ? k->at_once : 1;
}

/* --- ends ------------------------------------------------------------------------------ */

hm_str hm_relation_entity_id(hm_str ref) {
  static const char prefix[] = "entity:";
  size_t n = hm_str_starts(ref, prefix) ? sizeof prefix - 1 : 0;
  return n < ref.n ? hm_str_sub(ref, n, ref.n) : ref;
}

/* An end of a relation; row: of the entity, or HM_MAP_NONE. */
typedef struct {
  hm_str id;
  uint32_t row;
} relation_end;

/* false: nothing can be claimed of it. */
static bool read_end(relation_end *out, const hm_snapshot *snap, const hm_row *relation,
                     hm_naming end) {
  hm_str ref = hm_row_naming(relation, end);
  uint32_t row = hm_snapshot_named(snap, (uint32_t)(relation - snap->rows), end);
  bool entity = row != HM_MAP_NONE && snap->rows[row].layer == HM_ENTITY;
  out->row = entity ? row : HM_MAP_NONE;
  out->id = entity ? snap->rows[row].id : row == HM_MAP_NONE ? hm_relation_entity_id(ref) : ref;
  return out->id.n && out->id.n <= ID_MAX && hm_text_valid_prefix(out->id) == out->id.n;
}

/* An entity that is not stored is of no type. */
static bool is_of_type(const hm_snapshot *snap, const relation_end *end, const char *type,
                       hm_arena *scratch) {
  if (!type)
    return true;
  if (end->row == HM_MAP_NONE)
    return false;
  return hm_str_is(hm_entity_type_key(scratch, snap->rows[end->row].type), type);
}

/* --- claims ---------------------------------------------------------------------------- */

/* The space of its slots; empty: its property has a value of which the kind says nothing. */
static hm_str space_of(const hm_row *row, const hm_relation_kind *k, hm_arena *a,
                       hm_arena *scratch) {
  hm_str name = hm_str_c(k->name), props = hm_str_trim(row->props), value = HM_EMPTY;
  hm_json *object = NULL;
  if (!k->split)
    return name;
  if (props.n && hm_json_parse(scratch, props, &object, NULL))
    return HM_EMPTY;
  for (const hm_json *p = object && object->type == HM_JSON_OBJECT ? object->child : NULL; p;
       p = p->next)
    if (hm_str_is(hm_text_fold_name(scratch, p->key), k->split) && p->type != HM_JSON_NULL)
      value = hm_text_fold_name(scratch, p->text);
  for (int i = 0; i < HM_RELATION_PARTS_MAX && k->parts[i]; i++)
    if (hm_str_is(value, k->parts[i]))
      return value.n ? HM_CAT(a, name, HM_STR(" "), value) : name;
  return HM_EMPTY;
}

static hm_relation_claim claim_of(const hm_snapshot *snap, const hm_row *row,
                                  const relation_end *subject, const relation_end *other,
                                  hm_arena *a) {
  bool known = subject->row != HM_MAP_NONE, named = other->row != HM_MAP_NONE;
  hm_str norm = HM_CAT(a, HM_STR("text:"), other->id);
  return (hm_relation_claim){
    .project = known ? snap->rows[subject->row].project : row->project,
    .name = subject->id,
    .value = { .kind = HM_V_TEXT,
               .raw = other->id,
               .norm = norm,
               .key = norm,
               .named = named ? snap->rows[other->row].name : HM_EMPTY,
               .base = HM_EMPTY },
  };
}

/* One bound of a window as values: "from 0300", and of a month or day also those of its year and
 * month, so that a less precise bound is a part of it. */
static void add_bound(hm_value *set, const char *word, const hm_bound *b, hm_arena *a) {
  static const size_t cuts[] = { 4, 7, 10 };
  hm_str text = hm_bound_text(a, b);
  for (size_t i = 0; i <= HM_COUNT(cuts) && text.n; i++) {
    bool date = b->precision == HM_P_MONTH || b->precision == HM_P_DAY;
    bool last = !date || i == HM_COUNT(cuts) || cuts[i] >= text.n;
    hm_str cut = last ? text : hm_str_sub(text, 0, cuts[i]);
    hm_str norm = hm_str_fmt(a, "text:%s %.*s", word, HM_FMT(cut));
    set->items[set->n_items++] = (hm_value){
      .kind = HM_V_TEXT, .raw = cut, .norm = norm, .key = norm, .base = HM_EMPTY, .named = HM_EMPTY
    };
    if (last)
      return;
  }
}

hm_value hm_relation_window_value(const hm_window *w, hm_arena *a) {
  enum { BOUNDS_MAX = 8 };
  hm_value v = { .kind = HM_V_NONE };
  if (!w->begin.known)
    return v;
  v = (hm_value){ .kind = HM_V_SET,
                  .named = HM_EMPTY,
                  .base = HM_EMPTY,
                  .items = hm_alloc_array(a, BOUNDS_MAX, sizeof *v.items) };
  add_bound(&v, "from", &w->begin, a);
  add_bound(&v, "until", &w->end, a);
  v.norm = HM_STR("set:[");
  for (size_t i = 0; i < v.n_items; i++)
    v.norm = HM_CAT(a, v.norm, i ? HM_STR(",") : HM_EMPTY, v.items[i].norm);
  v.norm = v.key = HM_CAT(a, v.norm, HM_STR("]"));
  hm_str from = hm_bound_text(a, &w->begin), until = hm_bound_text(a, &w->end);
  v.raw = until.n ? HM_CAT(a, from, HM_STR(" to "), until) : HM_CAT(a, HM_STR("since "), from);
  return v;
}

/* A word of a name that says so of an office; in small letters. */
static bool is_word_of_many(hm_str word) {
  static const char *const words[] = { "alderman", "councillor",     "councilor",
                                       "delegate", "member",         "members",
                                       "mp",       "representative", "senator" };
  for (size_t i = 0; i < HM_COUNT(words); i++)
    if (hm_str_is(word, words[i]))
      return true;
  return false;
}

/* Is this an office of several seats? */
static bool is_of_many(const hm_snapshot *snap, const relation_end *office, hm_arena *scratch) {
  static const char *const names[] = { "number_of_seats", "number_of_positions", "seats" };
  hm_json *object = NULL;
  if (office->row == HM_MAP_NONE)
    return false;
  const hm_row *r = &snap->rows[office->row];
  hm_str name = hm_text_fold_name(scratch, r->name), props = hm_str_trim(r->props);
  for (size_t from = 0, i = 0; i <= name.n; i++) {
    if (i < name.n && name.p[i] != '_')
      continue;
    if (is_word_of_many(hm_str_sub(name, from, i)))
      return true;
    from = i + 1;
  }
  if (props.n <= 2 || hm_json_parse(scratch, props, &object, NULL))
    return false;
  for (const hm_json *p = object->type == HM_JSON_OBJECT ? object->child : NULL; p; p = p->next)
    for (size_t i = 0; i < HM_COUNT(names); i++)
      if (hm_str_is(hm_text_fold_name(scratch, p->key), names[i]))
        return atoi(hm_str_z(scratch, p->text)) > 1;
  return false;
}

size_t hm_relation_read_claims(hm_relation_claim out[HM_RELATION_CLAIMS], const hm_snapshot *snap,
                               const hm_row *row, const hm_relation_kind *k, hm_arena *a,
                               hm_arena *scratch) {
  relation_end from, to;
  size_t n = 0;
  if (!read_end(&from, snap, row, HM_NAMES_FROM) || !read_end(&to, snap, row, HM_NAMES_TO) ||
      hm_str_eq(from.id, to.id) || !is_of_type(snap, &from, k->from, scratch) ||
      !is_of_type(snap, &to, k->to, scratch))
    return 0;
  if (k->spares & hm_relation_marks(row->props, scratch))
    return 0;
  hm_str space = space_of(row, k, a, scratch);
  const relation_end *other = k->subject == HM_SUBJECT_TO ? &from : &to;
  if (!space.n || (k->nests && other->row == HM_MAP_NONE))
    return 0;
  if (k->by_type && other->row != HM_MAP_NONE)
    space = HM_CAT(a, space, HM_STR(" "), hm_entity_type_key(scratch, snap->rows[other->row].type));
  if (k->seats && is_of_many(snap, k->subject == HM_SUBJECT_TO ? &to : &from, scratch))
    return 0;
  if (k->subject != HM_SUBJECT_TO) {
    out[n] = claim_of(snap, row, &from, &to, a);
    out[n++].field = HM_STR("to");
  }
  if (k->subject != HM_SUBJECT_FROM) {
    out[n] = claim_of(snap, row, &to, &from, a);
    out[n++].field = HM_STR("from");
  }
  for (size_t i = 0; i < n; i++)
    out[i].space = space;
  return n;
}

bool hm_relation_read_inclusion(hm_inclusion *out, const hm_snapshot *snap, const hm_row *row,
                                const hm_relation_kind *k) {
  relation_end from, to;
  if (!k->nests || !read_end(&from, snap, row, HM_NAMES_FROM) ||
      !read_end(&to, snap, row, HM_NAMES_TO) || hm_str_eq(from.id, to.id))
    return false;
  bool outwards = k->subject != HM_SUBJECT_TO;
  *out = (hm_inclusion){ .inner = outwards ? from.id : to.id, .outer = outwards ? to.id : from.id };
  return true;
}

/* --- what a relation says of itself ------------------------------------------------------- */

/* One word of what a relation says of itself. */
static unsigned mark_of_word(hm_str word) {
  static const struct {
    const char *word;
    unsigned mark;
  } words[] = {
    { "acting", HM_MARK_BESIDE },
    { "adopted", HM_MARK_ADOPTIVE },
    { "adoption", HM_MARK_ADOPTIVE },
    { "adoptive", HM_MARK_ADOPTIVE },
    { "antiking", HM_MARK_BESIDE },
    { "antipope", HM_MARK_BESIDE },
    { "borrowed", HM_MARK_FOR_A_WHILE },
    { "borrower", HM_MARK_FOR_A_WHILE },
    { "caretaker", HM_MARK_BESIDE },
    { "claimant", HM_MARK_BESIDE },
    { "coadjutor", HM_MARK_BESIDE },
    { "cocaptain", HM_MARK_BESIDE },
    { "coceo", HM_MARK_BESIDE },
    { "cochair", HM_MARK_BESIDE },
    { "coconsul", HM_MARK_BESIDE },
    { "codirector", HM_MARK_BESIDE },
    { "coemperor", HM_MARK_BESIDE },
    { "coempress", HM_MARK_BESIDE },
    { "coking", HM_MARK_BESIDE },
    { "coleader", HM_MARK_BESIDE },
    { "comanager", HM_MARK_BESIDE },
    { "consort", HM_MARK_BESIDE },
    { "coowner", HM_MARK_BESIDE },
    { "copresident", HM_MARK_BESIDE },
    { "coprince", HM_MARK_BESIDE },
    { "coqueen", HM_MARK_BESIDE },
    { "coregency", HM_MARK_BESIDE },
    { "coregent", HM_MARK_BESIDE },
    { "coruler", HM_MARK_BESIDE },
    { "cosovereign", HM_MARK_BESIDE },
    { "deposit", HM_MARK_FOR_A_WHILE },
    { "deputy", HM_MARK_BESIDE },
    { "foster", HM_MARK_ADOPTIVE },
    { "guest", HM_MARK_FOR_A_WHILE },
    { "honorary", HM_MARK_POSTHUMOUS },
    { "interim", HM_MARK_BESIDE },
    { "joint", HM_MARK_BESIDE },
    { "jointly", HM_MARK_BESIDE },
    { "jure", HM_MARK_BESIDE },
    { "lent", HM_MARK_FOR_A_WHILE },
    { "loan", HM_MARK_FOR_A_WHILE },
    { "loaned", HM_MARK_FOR_A_WHILE },
    { "loanee", HM_MARK_FOR_A_WHILE },
    { "posthumous", HM_MARK_POSTHUMOUS },
    { "posthumously", HM_MARK_POSTHUMOUS },
    { "pretender", HM_MARK_BESIDE },
    { "prophecy", HM_MARK_NO_FACT },
    { "prophetic", HM_MARK_NO_FACT },
    { "regency", HM_MARK_BESIDE },
    { "regent", HM_MARK_BESIDE },
    { "seconded", HM_MARK_FOR_A_WHILE },
    { "secondment", HM_MARK_FOR_A_WHILE },
    { "step", HM_MARK_ADOPTIVE },
    { "stepfather", HM_MARK_ADOPTIVE },
    { "stepmother", HM_MARK_ADOPTIVE },
    { "stepparent", HM_MARK_ADOPTIVE },
    { "subjective", HM_MARK_NO_FACT },
    { "temporarily", HM_MARK_FOR_A_WHILE },
    { "temporary", HM_MARK_FOR_A_WHILE },
    { "titular", HM_MARK_BESIDE },
    { "trustee", HM_MARK_BESIDE },
    { "viceregent", HM_MARK_BESIDE },
  };
  for (size_t i = 0; i < HM_COUNT(words); i++)
    if (hm_str_is(word, words[i].word))
      return words[i].mark;
  return 0;
}

/* By the first or the last word of a few, or a "co" and what follows it: "interim CEO", "queen
 * regent", "co-chair", "junior co-emperor"; not by the last of "Smith & Co". A sentence says
 * nothing. name: folded. */
static unsigned mark_of(hm_str name, hm_arena *scratch) {
  enum { WORDS_MAX = 4 };
  hm_str words[WORDS_MAX];
  size_t n = 0;
  for (size_t from = 0, i = 0; i <= name.n; i++) {
    if (i < name.n && name.p[i] != '_')
      continue;
    if (n == WORDS_MAX)
      return 0;
    words[n++] = hm_str_sub(name, from, i);
    from = i + 1;
  }
  unsigned mark = mark_of_word(words[0]);
  for (size_t i = 0; i + 1 < n && !mark; i++)
    if (hm_str_is(words[i], "co"))
      mark = i ? mark_of_word(HM_CAT(scratch, words[i], words[i + 1])) : HM_MARK_BESIDE;
  return mark ? mark : mark_of_word(words[n - 1]);
}

unsigned hm_relation_marks(hm_str props, hm_arena *scratch) {
  hm_json *object = NULL;
  unsigned marks = 0;
  props = hm_str_trim(props);
  if (props.n <= 2 || hm_json_parse(scratch, props, &object, NULL))
    return 0;
  for (const hm_json *p = object->type == HM_JSON_OBJECT ? object->child : NULL; p; p = p->next) {
    hm_str key = hm_text_fold_name(scratch, p->key), said = HM_EMPTY;
    if (p->type == HM_JSON_STRING)
      said = hm_text_fold_name(scratch, p->text);
    bool yes = p->type == HM_JSON_TRUE || hm_str_is(said, "true") || hm_str_is(said, "yes");
    marks |= mark_of(yes ? key : said, scratch);
    if (p->type == HM_JSON_FALSE && hm_str_is(key, "biological"))
      marks |= HM_MARK_ADOPTIVE;
  }
  return marks;
}

/* --- what claims depend on ----------------------------------------------------------------- */

bool hm_relation_values_nest(const hm_relation_kind *k) { return k->nests || k->groups; }

bool hm_relation_may_have_bounds(const hm_row *r) {
  return r->valid_from.n || r->valid_until.n || r->props.n > 2;
}

bool hm_relation_bounded_by_ends(const hm_relation_kind *k) { return !k->outlives && !k->window; }
