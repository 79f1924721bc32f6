/* What each source of imports said of a record, and which fields of its next record may change the
 * row.
 *
 * The table import_sources holds the last statement of each source about a record, field by field,
 * as digests: enough to see which field changed and whether two sources agree, in 12 bytes a field.
 * A member of `properties` is a field of its own. Links have no fields and are not remembered.
 *
 * A record is compared, field by field, with what its own source said last. A field that the source
 * did not change stays, even if others changed the row since. A field that it changed is written to
 * the row, unless
 *   - a verdict set the row's status, and the field is the status or what belongs to it;
 *   - a verdict took the field out of the row, and the source says what it judged;
 *   - the field was redacted: the source may still say the removed text;
 *   - another source says otherwise.
 * The import reports each of them; `override_verdicts` lifts all but the last. A missing key keeps
 * its value; a missing member of `properties` is removed if the source said it before. A row that
 * another program deleted is compared as the journal has it, so a verdict on it stays.
 * Cost: one read of import_sources a record; the journal is read only where a status differs.
 * Source: design section 5. */
#include <stdlib.h>
#include <string.h>

#include "core/base/redaction.h"
#include "core/store/import_impl.h"
#include "core/store/record_edit.h"
#include "core/store/journal.h"

enum { STATEMENTS, SAVE_STATEMENT, JOURNAL_LINE, STATUS_LINES };
static const char *const SQL[] = {
  [STATEMENTS] = "SELECT source, said FROM import_sources WHERE ref = ?1 ORDER BY source",
  [SAVE_STATEMENT] = "INSERT INTO import_sources (ref, source, said) VALUES (?1, ?2, ?3)"
                     " ON CONFLICT DO UPDATE SET said = ?3",
  [JOURNAL_LINE] = "SELECT after FROM journal WHERE seq = ?1",
  [STATUS_LINES] = "SELECT verb, before, after FROM journal WHERE ref = ?1 AND after IS NOT NULL"
                   " ORDER BY seq DESC",
};

enum { MEMBER_BIT = 1u << 31, ENTRY = 12 };

/* Markers in place of a digest: a redaction cleared the value; the source said null. */
enum { SAID_CLEARED = 0, SAID_NULL = 1 };

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
    return SAID_CLEARED;
  uint64_t d = hm_hash_mix(hm_str_hash(text), salt);
  return d > SAID_NULL ? d : d + 2;
}

/* The digest of field i. For an object it only says that it is one; its members have their own. */
static uint64_t said_digest(const hm_kind *k, int i, const hm_cell *cells) {
  if (cells[i].state != HM_CELL_TEXT)
    return SAID_NULL;
  hm_field_type type = k->fields[i].type;
  if (type == HM_F_OBJECT && hm_str_starts(cells[i].text, "{"))
    return digest_of(HM_EMPTY, HM_F_OBJECT);
  bool json = type == HM_F_VALUE && hm_str_is(cells[i + 1].text, "json");
  return digest_of(cells[i].text, json ? HM_F_VALUE_KIND : HM_F_TEXT);
}

static uint64_t said_member_digest(const hm_json *v, hm_arena *a) {
  if (v->type == HM_JSON_NULL)
    return SAID_NULL;
  return digest_of(hm_json_sorted(v, false, a), v->type);
}

/* --- statements --------------------------------------------------------------- */

static int by_name(const void *x, const void *y) {
  const hm_said_field *p = x, *q = y;
  return p->name < q->name ? -1 : p->name > q->name;
}

/* Sorts fields by name and removes duplicates. */
static void said_fields_sort(hm_source_said *s) {
  size_t n = 0;
  if (s->n)
    qsort(s->fields, s->n, sizeof *s->fields, by_name);
  for (size_t i = 0; i < s->n; i++)
    if (!n || s->fields[n - 1].name != s->fields[i].name)
      s->fields[n++] = s->fields[i];
  s->n = n;
}

/* The statement's field of this name, or NULL. s may be NULL. */
static const hm_said_field *said_find(const hm_source_said *s, uint32_t name) {
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
      state(out, hm_said_name(r->kind, i), said_digest(r->kind, i, cells));
  for (const hm_json *m = members ? members->child : NULL; m; m = m->next)
    state(out, hm_said_member_name(m->key), said_member_digest(m, a));
  said_fields_sort(out);
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

/* All statements about the record ref ("kind:id"), in a. */
static int said_load(hm_store *s, hm_str ref, hm_arena *a, hm_source_said **out, size_t *n,
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
  if (said_load(s, ref, a, &all, &n, err))
    return -1;
  for (size_t i = 0; i < n; i++) {
    for (size_t f = 0; f < all[i].n; f++)
      if (tells_text(&hm_kinds[k], all[i].fields[f].name))
        all[i].fields[f].digest = SAID_CLEARED;
    if (hm_said_save(s, ref, &all[i], a, err))
      return -1;
  }
  return 0;
}

typedef struct {
  hm_store *s;
  const hm_import_options *opt;
  hm_str ref;
  hm_record *r;
  const hm_cell *before; /* NULL: a new row */
  const hm_source_said *mine, *legacy;
  const hm_source_said *all;
  size_t n_all;
  bool verdict_asked, verdict; /* the status that the row has was set by one */
  bool overrides_status;
  bool failed; /* err says how */
  size_t cap_kept;
  hm_arena *a;
  hm_import_comparison *out;
  hm_err *err;
} comparing;

/* A field of the record, or a member of its object. */
typedef struct {
  uint32_t name;
  uint64_t says, row; /* digests */
  bool marked;        /* the row holds the mark of a redaction here */
  hm_str shown;
} field;

static void report_kept(comparing *c, hm_import_kept_reason what, hm_str shown, hm_str other) {
  hm_import_comparison *out = c->out;
  out->kept = hm_array_grow_in(c->a, out->kept, out->n_kept, &c->cap_kept, sizeof *out->kept);
  out->kept[out->n_kept++] = (hm_import_kept_field){ what, c->ref, shown, c->opt->source, other };
}

/* --- the status that a verdict gave ---------------------------------------------- */

/* What people do to a status; `edit` makes a row invalid. */
static const char *const VERDICT_VERBS[] = { "dismiss", "edit",    "graduate", "promote",  "redact",
                                             "reopen",  "resolve", "restore",  "supersede" };
/* Columns that a verdict sets. */
static const char *const VERDICT_COLUMNS[] = { "action",        "graduated_to",  "resolution",
                                               "resolved_at",   "resolved_by",   "status",
                                               "superseded_at", "superseded_by", "winner" };

static bool is_one_of(hm_str word, const char *const *words, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (hm_str_is(word, words[i]))
      return true;
  return false;
}

static hm_str status_in(hm_str json, hm_arena *a) {
  hm_json *v;
  if (!json.n || hm_json_parse(a, json, &v, NULL))
    return HM_EMPTY;
  const hm_json *status = hm_json_get(v, "status");
  return status ? status->text : HM_EMPTY;
}

/* Was the last change of the row's status a verdict? */
static int ask_verdict(comparing *c) {
  hm_stmt *st;
  int rc;
  if (c->verdict_asked)
    return 0;
  c->verdict_asked = true;
  if (hm_sql_query(c->s, SQL[STATUS_LINES], HM_ARGS(hm_arg_text(c->ref)), &st, c->err))
    return -1;
  while ((rc = hm_sql_step(c->s, st, c->err)) == 1) {
    hm_str before = status_in(hm_sql_text(st, 1, c->a), c->a),
           after = status_in(hm_sql_text(st, 2, c->a), c->a);
    if (hm_str_eq(before, after))
      continue;
    c->verdict = is_one_of(hm_sql_text(st, 0, c->a), VERDICT_VERBS, HM_COUNT(VERDICT_VERBS));
    break;
  }
  hm_sql_reset(st);
  return rc < 0 ? -1 : 0;
}

/* --- one field ------------------------------------------------------------------- */

static const hm_said_field *said_before(const comparing *c, uint32_t name) {
  const hm_said_field *f = said_find(c->mine, name);
  return f ? f : said_find(c->legacy, name);
}

/* Another source with a different value; if this source changed nothing, only one that agrees with
 * the row. */
static const hm_source_said *opponent(const comparing *c, const field *f, bool changed) {
  for (size_t i = 0; i < c->n_all; i++) {
    const hm_source_said *s = &c->all[i];
    if (s == c->mine || !s->source.n)
      continue;
    const hm_said_field *said = said_find(s, f->name);
    if (!said || said->digest == SAID_CLEARED || said->digest == f->says)
      continue;
    if (changed || said->digest == f->row)
      return s;
  }
  return NULL;
}

/* May the record change this field? Records its value. */
static bool decide(comparing *c, const field *f) {
  const hm_said_field *was = said_before(c, f->name);
  bool changed = !was || was->digest != f->says,
       cleared = (was && was->digest == SAID_CLEARED) || f->marked;
  hm_said_field *says = &c->out->now.fields[c->out->now.n++];
  *says = (hm_said_field){ f->name, f->says };
  if (!c->before || f->says == f->row)
    return !c->before;
  if (changed && cleared && !c->opt->override_verdicts) {
    says->digest = SAID_CLEARED;
    report_kept(c, HM_KEPT_REDACTED, f->shown, HM_EMPTY);
    return false;
  }
  const hm_source_said *other = opponent(c, f, changed);
  if (other)
    report_kept(c, HM_KEPT_OTHER_SOURCE, f->shown, other->source);
  return changed && !other;
}

/* Decides about the status and the fields that say why and when it was set. */
static int decide_verdict(comparing *c, const field *f, const char *column, bool *take) {
  if (c->before && f->says != f->row && ask_verdict(c))
    return -1;
  if (!c->before || f->says == f->row || !c->verdict) {
    *take = decide(c, f);
    return 0;
  }
  const hm_said_field *was = said_before(c, f->name);
  bool changed = !was || was->digest != f->says, is_status = !strcmp(column, "status");
  c->out->now.fields[c->out->now.n++] = (hm_said_field){ f->name, f->says };
  *take = c->opt->override_verdicts;
  if (*take)
    c->overrides_status |= is_status;
  else if ((is_status || changed) && !c->out->keeps_status) {
    c->out->keeps_status = true;
    report_kept(c, HM_KEPT_BY_VERDICT, f->shown, HM_EMPTY);
  }
  return 0;
}

/* Clears superseded_by of a row that is no longer superseded, unless the record sets it. */
static void end_supersession(comparing *c) {
  static const char *const columns[] = { "superseded_by", "superseded_at" };
  const hm_kind *k = c->r->kind;
  if (!c->overrides_status || hm_str_is(hm_cell_text(k, c->r->cells, "status"), "superseded"))
    return;
  for (size_t i = 0; i < HM_COUNT(columns); i++) {
    int at = hm_field_of_column(k, columns[i]);
    if (at >= 0 && c->r->cells[at].state == HM_CELL_ABSENT &&
        !said_find(&c->out->now, hm_said_name(k, at)))
      c->r->cells[at] = (hm_cell){ HM_CELL_NULL, HM_EMPTY };
  }
}

/* --- properties -------------------------------------------------------------------- */

static const hm_json *object_in(const hm_cell *cell, hm_arena *a) {
  hm_json *v;
  if (!cell || cell->state != HM_CELL_TEXT || hm_json_parse(a, cell->text, &v, NULL))
    return NULL;
  return v->type == HM_JSON_OBJECT ? v : NULL;
}

static field member_field(comparing *c, hm_str key, const hm_json *says, const hm_json *row) {
  return (field){ .name = hm_said_member_name(key),
                  .says = says ? said_member_digest(says, c->a) : SAID_NULL,
                  .row = row ? said_member_digest(row, c->a) : SAID_NULL,
                  .marked = row && hm_has_redacted_mark(hm_json_sorted(row, false, c->a)),
                  .shown = HM_CAT(c->a, HM_STR("properties."), key) };
}

/* A verdict took it out of the row when it said this: the same source, or another, does not bring
 * it back. *take: it does, since the import wins. */
static bool was_taken_out(comparing *c, const field *f, const hm_json *says, bool *take) {
  bool was = false;
  if (!c->before || !hm_str_starts(c->ref, "entity:"))
    return false;
  hm_str id = hm_str_sub(c->ref, strlen("entity:"), c->ref.n);
  c->failed |= hm_field_was_removed(c->s, id, says->key, says, &was, c->a, c->err) != 0;
  if (!was)
    return false;
  c->out->now.fields[c->out->now.n++] = (hm_said_field){ f->name, f->says };
  *take = c->opt->override_verdicts;
  if (!*take)
    report_kept(c, HM_KEPT_TAKEN_OUT, f->shown, HM_EMPTY);
  return true;
}

/* Chooses the member that the row will have: the source's if it may change it. */
static const hm_json *choose_member(void *ctx, const hm_json *now, const hm_json *was) {
  comparing *c = ctx;
  field f = member_field(c, (now ? now : was)->key, now, was);
  bool take;
  if (!was)
    return (was_taken_out(c, &f, now, &take) ? take : decide(c, &f)) ? now : NULL;
  const hm_said_field *said = said_before(c, f.name);
  /* A member that the source said before and now omits is removed. */
  bool spoken = now || (said && said->digest != SAID_NULL);
  return spoken && decide(c, &f) ? now : was;
}

static void compare_object(comparing *c, int i, field f) {
  static const hm_json nothing = { .type = HM_JSON_OBJECT };
  hm_cell *cell = &c->r->cells[i];
  const hm_json *says = object_in(cell, c->a),
                *row = c->before ? object_in(&c->before[i], c->a) : NULL;
  bool none = c->before && c->before[i].state != HM_CELL_TEXT;
  if (none)
    row = &nothing;
  if (!says || !row) {
    if (!decide(c, &f))
      cell->state = HM_CELL_ABSENT;
    if (says) {
      /* The members of an object that is stored as it is. */
      for (const hm_json *v = says->child; v; v = v->next)
        c->out->now.fields[c->out->now.n++] =
            (hm_said_field){ hm_said_member_name(v->key), said_member_digest(v, c->a) };
    }
    return;
  }
  const hm_said_field *was = said_before(c, f.name);
  bool first = !was || was->digest != f.says;
  c->out->now.fields[c->out->now.n++] = (hm_said_field){ f.name, f.says };
  cell->text = hm_json_merge(row, says, choose_member, c, c->a);
  if (none && !first && hm_str_is(cell->text, "{}"))
    cell->state = HM_CELL_ABSENT;
}

/* --- the record ---------------------------------------------------------------------- */

/* Makes room for its current fields and the former ones that it omits now. */
static void make_room(comparing *c) {
  size_t n = (size_t)c->r->kind->n + (c->mine ? c->mine->n : 0) + (c->legacy ? c->legacy->n : 0);
  for (int i = 0; i < c->r->kind->n; i++) {
    if (c->r->kind->fields[i].type != HM_F_OBJECT)
      continue;
    const hm_json *says = object_in(&c->r->cells[i], c->a),
                  *row = c->before ? object_in(&c->before[i], c->a) : NULL;
    n += (says ? says->count : 0) + (row ? row->count : 0);
  }
  c->out->now = (hm_source_said){ .source = c->opt->source,
                                  .fields = hm_alloc_array(c->a, n, sizeof *c->out->now.fields) };
}

static int compare_field(comparing *c, int i) {
  const hm_kind *k = c->r->kind;
  const hm_record_field *f = &k->fields[i];
  hm_cell *cells = c->r->cells;
  bool take;
  field one = { .name = hm_said_name(k, i),
                .says = said_digest(k, i, cells),
                .row = c->before ? said_digest(k, i, c->before) : SAID_NULL,
                .marked = c->before && c->before[i].state == HM_CELL_TEXT &&
                    hm_has_redacted_mark(c->before[i].text),
                .shown = hm_str_c(f->key ? f->key : f->column) };
  if (f->type == HM_F_OBJECT) {
    compare_object(c, i, one);
    return 0;
  }
  if (!f->column || !is_one_of(hm_str_c(f->column), VERDICT_COLUMNS, HM_COUNT(VERDICT_COLUMNS)))
    take = decide(c, &one);
  else if (decide_verdict(c, &one, f->column, &take))
    return -1;
  if (take)
    return 0;
  cells[i].state = HM_CELL_ABSENT;
  if (f->type == HM_F_VALUE)
    cells[i + 1].state = HM_CELL_ABSENT;
  return 0;
}

/* What it said of fields that it leaves out now is still what it said last. Of members it is not:
 * they are said together. */
static void complete_statement(comparing *c, bool object_said) {
  hm_source_said *now = &c->out->now;
  const hm_source_said said = *now;
  for (size_t i = 0; c->mine && i < c->mine->n; i++) {
    hm_said_field f = c->mine->fields[i];
    if (said_find(&said, f.name) || (object_said && hm_said_is_member(f.name)))
      continue;
    now->fields[now->n++] = f;
  }
  said_fields_sort(now);
  bool same = c->mine && c->mine->n == now->n;
  for (size_t i = 0; same && i < now->n; i++)
    same = now->fields[i].name == c->mine->fields[i].name &&
        now->fields[i].digest == c->mine->fields[i].digest;
  c->out->remember = !same;
}

typedef struct {
  hm_json *record;
  hm_arena *a;
} last_record;

static int read_line(void *ctx, const hm_journal_line *l, hm_err *err) {
  last_record *last = ctx;
  (void)err;
  if (l->after.n)
    last->record = hm_conflict_line_read(last->record, l->before, l->after, last->a);
  return 0;
}

/* The row as the journal's last line about it has it. */
static int revive(comparing *c, hm_cell *before, bool *known) {
  hm_record r;
  hm_err unread = { 0 };
  hm_record_place place = { .name = "journal", .err = &unread };
  last_record last = { .a = c->a };
  if (hm_journal_lines_of(c->s, c->ref, read_line, &last, c->err))
    return -1;
  *known = last.record && !hm_record_from_json(&place, last.record, &r, c->a) &&
      r.index == c->r->index && !r.verdict && !hm_record_merge(&place, &r, NULL, before);
  return 0;
}

int hm_import_compare(hm_store *s, const hm_import_options *opt, hm_str ref, hm_record *r,
                      hm_cell *before, bool *known, hm_arena *a, hm_import_comparison *out,
                      hm_err *err) {
  comparing c = { .s = s, .opt = opt, .ref = ref, .r = r, .a = a, .out = out, .err = err };
  hm_source_said *all;
  bool object_said = false;
  *out = (hm_import_comparison){ 0 };
  if (said_load(s, ref, a, &all, &c.n_all, err))
    return -1;
  c.all = all;
  for (size_t i = 0; i < c.n_all; i++) {
    if (!all[i].source.n)
      c.legacy = &all[i];
    else if (hm_str_eq(all[i].source, opt->source))
      c.mine = &all[i];
  }
  if (!*known && c.n_all && revive(&c, before, known))
    return -1;
  c.before = *known ? before : NULL;
  make_room(&c);
  for (int i = 0; i < r->kind->n; i++) {
    const hm_record_field *f = &r->kind->fields[i];
    if (f->flags & HM_F_KEY || r->cells[i].state == HM_CELL_ABSENT)
      continue;
    if (f->type == HM_F_VALUE_KIND && i && r->kind->fields[i - 1].type == HM_F_VALUE &&
        r->cells[i - 1].state != HM_CELL_ABSENT)
      continue;
    object_said |= f->type == HM_F_OBJECT;
    if (compare_field(&c, i))
      return -1;
  }
  said_fields_sort(&out->now);
  end_supersession(&c);
  complete_statement(&c, object_said);
  return c.failed ? -1 : 0;
}
