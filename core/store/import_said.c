/* The table import_sources: the last statement of each source about a record.
 *
 * A statement is stored field by field, as digests: enough to see which field changed and whether
 * two sources agree, in 12 bytes per field. A member of `properties` is a field of its own. Links
 * have no fields and are not remembered. */
#include <stdlib.h>

#include "core/base/redaction.h"
#include "core/store/import_impl.h"
#include "core/store/redact.h"

enum { STATEMENTS, SAVE_STATEMENT, JOURNAL_LINE };
static const char *const SQL[] = {
  [STATEMENTS] = "SELECT source, said FROM import_sources WHERE ref = ?1 ORDER BY source",
  [SAVE_STATEMENT] = "INSERT INTO import_sources (ref, source, said) VALUES (?1, ?2, ?3)"
                     " ON CONFLICT DO UPDATE SET said = ?3",
  [JOURNAL_LINE] = "SELECT after FROM journal WHERE seq = ?1",
};

enum { MEMBER_BIT = 1u << 31, ENTRY = 12 };

/* --- names and digests ------------------------------------------------------- */

uint32_t hm_said_name(const hm_kind *k, int i) {
  const hm_record_field *f = &k->fields[i];
  return (uint32_t)hm_str_hash(hm_str_c(f->key ? f->key : f->column)) & ~MEMBER_BIT;
}

uint32_t hm_said_member_name(hm_str key) { return (uint32_t)hm_str_hash(key) | MEMBER_BIT; }

bool hm_said_is_member(uint32_t name) { return name & MEMBER_BIT; }

/* What holds the mark of a redaction says nothing that may be compared. */
static uint64_t digest_of(hm_str text, uint64_t salt) {
  if (hm_has_redacted_mark(text))
    return HM_SAID_CLEARED;
  uint64_t d = hm_hash_mix(hm_str_hash(text), salt);
  return d > HM_SAID_NULL ? d : d + 2;
}

uint64_t hm_said_digest(const hm_kind *k, int i, const hm_cell *cells) {
  if (cells[i].state != HM_CELL_TEXT)
    return HM_SAID_NULL;
  hm_field_type type = k->fields[i].type;
  if (type == HM_F_OBJECT && hm_str_starts(cells[i].text, "{"))
    return digest_of(HM_EMPTY, HM_F_OBJECT);
  bool json = type == HM_F_VALUE && hm_str_is(cells[i + 1].text, "json");
  return digest_of(cells[i].text, json ? HM_F_VALUE_KIND : HM_F_TEXT);
}

uint64_t hm_said_member_digest(const hm_json *v, hm_arena *a) {
  if (v->type == HM_JSON_NULL)
    return HM_SAID_NULL;
  return digest_of(hm_json_sorted(v, false, a), v->type);
}

/* --- statements --------------------------------------------------------------- */

static int by_name(const void *x, const void *y) {
  const hm_said_field *p = x, *q = y;
  return p->name < q->name ? -1 : p->name > q->name;
}

void hm_said_fields_sort(hm_source_said *s) {
  size_t n = 0;
  if (s->n)
    qsort(s->fields, s->n, sizeof *s->fields, by_name);
  for (size_t i = 0; i < s->n; i++)
    if (!n || s->fields[n - 1].name != s->fields[i].name)
      s->fields[n++] = s->fields[i];
  s->n = n;
}

const hm_said_field *hm_said_find(const hm_source_said *s, uint32_t name) {
  hm_said_field key = { name, 0 };
  if (!s || !s->n)
    return NULL;
  return bsearch(&key, s->fields, s->n, sizeof *s->fields, by_name);
}

/* Little-endian, so that a store may be carried to another machine. */
static hm_str encode(const hm_source_said *s, hm_arena *a) {
  char *p = hm_alloc(a, s->n * ENTRY + 1);
  for (size_t i = 0; i < s->n; i++) {
    for (int k = 0; k < 4; k++)
      p[i * ENTRY + (size_t)k] = (char)(s->fields[i].name >> (8 * k));
    for (int k = 0; k < 8; k++)
      p[i * ENTRY + 4 + (size_t)k] = (char)(s->fields[i].digest >> (8 * k));
  }
  return (hm_str){ p, s->n * ENTRY };
}

static void decode(hm_str bytes, hm_source_said *out, hm_arena *a) {
  const unsigned char *p = (const unsigned char *)bytes.p;
  out->n = bytes.n / ENTRY;
  out->fields = hm_alloc_array(a, out->n + 1, sizeof *out->fields);
  for (size_t i = 0; i < out->n; i++) {
    hm_said_field *f = &out->fields[i];
    *f = (hm_said_field){ 0 };
    for (int k = 3; k >= 0; k--)
      f->name = f->name << 8 | p[i * ENTRY + (size_t)k];
    for (int k = 7; k >= 0; k--)
      f->digest = f->digest << 8 | p[i * ENTRY + 4 + (size_t)k];
  }
}

/* --- from before the store remembered sources ------------------------------------ */

static void state(hm_source_said *s, uint32_t name, uint64_t digest) {
  s->fields[s->n++] = (hm_said_field){ name, digest };
}

/* A journal line has the whole record, so missing fields were null. */
static void from_record(const hm_record *r, hm_source_said *out, hm_arena *a) {
  const hm_json *members = NULL;
  hm_cell cells[HM_MAX_FIELDS + 1];
  for (int i = 0; i < r->kind->n; i++) {
    hm_json *v;
    const hm_record_field *f = &r->kind->fields[i];
    cells[i] = r->cells[i];
    if (cells[i].state == HM_CELL_ABSENT && f->dflt)
      cells[i] = (hm_cell){ HM_CELL_TEXT, hm_str_c(f->dflt) };
    if (f->type == HM_F_OBJECT && cells[i].state == HM_CELL_TEXT &&
        !hm_json_parse(a, cells[i].text, &v, NULL))
      members = v;
  }
  out->fields =
      hm_alloc_array(a, (size_t)r->kind->n + (members ? members->count : 0), sizeof *out->fields);
  for (int i = 0; i < r->kind->n; i++)
    if (!(r->kind->fields[i].flags & HM_F_KEY))
      state(out, hm_said_name(r->kind, i), hm_said_digest(r->kind, i, cells));
  for (const hm_json *m = members ? members->child : NULL; m; m = m->next)
    state(out, hm_said_member_name(m->key), hm_said_member_digest(m, a));
  hm_said_fields_sort(out);
}

static int from_journal(hm_store *s, int64_t seq, hm_source_said *out, hm_arena *a, hm_err *err) {
  hm_record r;
  hm_err unread = { 0 };
  hm_record_place place = { .name = "journal", .err = &unread };
  hm_str after;
  if (hm_sql_one(s, SQL[JOURNAL_LINE], HM_ARGS(hm_arg_int(seq)), a, &after, err))
    return -1;
  if (after.n && !hm_record_parse(&place, after, &r, a) && !r.verdict)
    from_record(&r, out, a);
  return 0;
}

/* --- the table ------------------------------------------------------------------ */

int hm_said_load(hm_store *s, hm_str ref, hm_arena *a, hm_source_said **out, size_t *n,
                 hm_err *err) {
  hm_stmt *st;
  size_t cap = 0;
  int64_t seq = 0;
  int rc;
  *out = NULL;
  *n = 0;
  if (hm_sql_query(s, SQL[STATEMENTS], HM_ARGS(hm_arg_text(ref)), &st, err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    *out = hm_array_grow_in(a, *out, *n, &cap, sizeof **out);
    hm_source_said *one = &(*out)[(*n)++];
    *one = (hm_source_said){ .source = hm_sql_copy(st, 0, a) };
    if (hm_sql_is_int(st, 1))
      seq = hm_sql_number(st, 1);
    else
      decode(hm_sql_bytes(st, 1), one, a);
  }
  if (rc || !seq)
    return rc;
  return from_journal(s, seq, &(*out)[0], a, err); /* "" sorts first */
}

int hm_said_save(hm_store *s, hm_str ref, const hm_source_said *said, hm_arena *a, hm_err *err) {
  return hm_sql_do(
      s, SQL[SAVE_STATEMENT],
      HM_ARGS(hm_arg_text(ref), hm_arg_text(said->source), hm_arg_bytes(encode(said, a))), err);
}

/* --- redaction -------------------------------------------------------------------- */

/* Fields whose digest could be guessed back to a text. Members have lost their types. */
static bool tells_text(const hm_kind *k, uint32_t name) {
  static const hm_field_type types[] = { HM_F_TEXT,     HM_F_STRINGS, HM_F_VALUE,
                                         HM_F_SLOT_KEY, HM_F_MEMBERS, HM_F_WINNERS };
  if (hm_said_is_member(name))
    return true;
  for (int i = 0; i < k->n; i++)
    for (size_t t = 0; t < HM_COUNT(types); t++)
      if (k->fields[i].type == types[t] && hm_said_name(k, i) == name)
        return true;
  return false;
}

int hm_redact_sources(hm_store *s, hm_str ref, hm_arena *a, hm_err *err) {
  hm_str id;
  hm_kind_index k = hm_kind_parse_ref(ref, &id);
  hm_source_said *all;
  size_t n;
  if (k == HM_N_KINDS)
    return 0;
  if (hm_said_load(s, ref, a, &all, &n, err))
    return -1;
  for (size_t i = 0; i < n; i++) {
    for (size_t f = 0; f < all[i].n; f++)
      if (tells_text(&hm_kinds[k], all[i].fields[f].name))
        all[i].fields[f].digest = HM_SAID_CLEARED;
    if (hm_said_save(s, ref, &all[i], a, err))
      return -1;
  }
  return 0;
}
