/* A record of an import beside what is known: what its source said, and what others say.
 *
 * The record replaces what its source said, field by field: a key that is absent stays as it was
 * said last; properties are said together. The row follows from all that is said (evidence.h): a
 * field changes only where what follows changes, so an unchanged record changes nothing, also where
 * a verdict, a person or another program changed the row since. Three things protect a row:
 *   - a status that a verdict gave stays;
 *   - a redacted field stays redacted while the source says something else there;
 *   - what a person judged is over (evidence.h).
 * The import reports each of them, and each field on which two sources differ; `override_verdicts`
 * lets the record win. A row that another program deleted is compared as the journal has it.
 * Cost: one read of the evidence a record.
 * Source: design section 5. */
#include <string.h>

#include "core/base/redaction.h"
#include "core/base/time.h"
#include "core/store/import_impl.h"
#include "core/record/journal.h"

typedef struct {
  hm_import_run *im;
  const hm_import_options *opt;
  hm_str ref;
  const hm_record *r;
  const hm_cell *before; /* NULL: a new row */
  hm_said *mine;
  bool known;                     /* it said something before */
  bool adopted;                   /* nobody is known to have said what the row has */
  hm_cell was[HM_MAX_FIELDS + 1]; /* what it said */
  hm_str changed_at;              /* when a value that it changes came */
  hm_str refs;                    /* the sources of what it said */
  size_t cap_kept;
  hm_arena *a;
  hm_import_comparison *out;
} comparing;

static void report_kept(comparing *c, hm_import_kept_reason what, hm_str shown, hm_str other) {
  hm_import_comparison *out = c->out;
  out->kept = hm_array_grow_in(c->a, out->kept, out->n_kept, &c->cap_kept, sizeof *out->kept);
  out->kept[out->n_kept++] = (hm_import_kept_field){ what, c->ref, shown, c->opt->source, other };
}

/* --- what it says now ---------------------------------------------------------------- */

/* Its value of a field is another one: from when, and what it was. */
static void note_change(comparing *c, hm_str field, hm_str was, hm_str now) {
  if (c->known && !hm_str_eq(was, now))
    hm_evidence_note_change(&c->out->said, c->mine, field, was, c->changed_at, c->refs);
}

/* What a redaction took out of what was said, or of the row, stays out while it says otherwise. */
static bool stays_redacted(comparing *c, hm_str field, hm_str was, hm_str row, hm_str now) {
  if (c->opt->override_verdicts || hm_str_eq(was, now) ||
      !(hm_has_redacted_mark(was) || hm_has_redacted_mark(row)))
    return false;
  report_kept(c, HM_KEPT_REDACTED, field, HM_EMPTY);
  return true;
}

/* Its value counts again, whoever judged it. */
static void override(comparing *c, hm_str field, hm_str value) {
  hm_said_set *set = &c->out->said;
  if (!c->opt->override_verdicts || !value.n)
    return;
  hm_evidence_win(set, c->mine, field, value);
}

typedef struct {
  comparing *c;
  const hm_json *row; /* what the row had there */
} of_object;

static const hm_json *choose_member(void *ctx, const hm_json *now, const hm_json *was) {
  const of_object *o = ctx;
  comparing *c = o->c;
  hm_str field = hm_said_member_field((now ? now : was)->key, c->a);
  hm_str said = hm_said_member_text(was, c->a), says = hm_said_member_text(now, c->a);
  hm_str stands = hm_said_member_text(hm_said_member(o->row, (now ? now : was)->key), c->a);
  if (now && stays_redacted(c, field, said, stands, says))
    return was ? was : hm_said_member(o->row, now->key);
  override(c, field, says);
  if (!now) /* no longer said */
    return c->adopted ? was : NULL;
  note_change(c, field, said, says);
  return now;
}

static void say_object(comparing *c, int i) {
  static const hm_json nothing = { .type = HM_JSON_OBJECT };
  const hm_json *says = hm_cell_object(&c->r->cells[i], c->a),
                *said = hm_cell_object(&c->was[i], c->a);
  c->mine->cells[i] = c->r->cells[i];
  if (!says)
    return;
  of_object o = { c, c->before ? hm_cell_object(&c->before[i], c->a) : NULL };
  hm_str merged = hm_json_merge(said ? said : &nothing, says, choose_member, &o, c->a);
  c->mine->cells[i] = (hm_cell){ HM_CELL_TEXT, merged };
}

static void say_field(comparing *c, int i) {
  const hm_kind *k = c->r->kind;
  const hm_record_field *f = &k->fields[i];
  hm_str field = hm_str_c(f->key ? f->key : f->column);
  hm_str was = hm_said_text(k, i, c->was), now = hm_said_text(k, i, c->r->cells);
  hm_str row = c->before ? hm_said_text(k, i, c->before) : HM_EMPTY;
  if (stays_redacted(c, field, was, row, now))
    return;
  override(c, field, now);
  if (hm_said_contradicts(f) && !hm_is_verdict_column(f))
    note_change(c, field, was, now);
  c->mine->cells[i] = c->r->cells[i];
  if (f->type == HM_F_VALUE)
    c->mine->cells[i + 1] = c->r->cells[i + 1];
}

static bool is_said(const comparing *c, int i) {
  return c->r->cells[i].state != HM_CELL_ABSENT && !(c->r->kind->fields[i].flags & HM_F_KEY);
}

/* The date that the record gives its change, else the time of the import; of a document only the
 * former: it is the day that it gives itself, if that is another one now. */
static hm_str date_of_change(const comparing *c) {
  bool undated = c->opt->who.undated;
  const char *column = undated ? "created_at" : "updated_at";
  hm_str is = hm_cell_text(c->r->kind, c->r->cells, column),
         was = hm_cell_text(c->r->kind, c->was, column);
  if (is.n && !hm_str_eq(is, was))
    return is;
  if (undated)
    return HM_EMPTY;
  return hm_time_to_second(c->a, c->opt->who.at);
}

static void say_record(comparing *c) {
  const hm_kind *k = c->r->kind;
  /* A line of a document that is there again is not superseded by what stood in its place. */
  for (int i = 0; i < k->n && c->mine->gone && c->opt->notes.n; i++)
    if (hm_is_verdict_column(&k->fields[i]))
      c->mine->cells[i] = (hm_cell){ HM_CELL_ABSENT, HM_EMPTY };
  memcpy(c->was, c->mine->cells, sizeof c->was);
  c->mine->gone = c->mine->absent = false; /* it says the row again */
  c->changed_at = date_of_change(c);
  c->refs = hm_said_sources(k, c->was, c->a);
  hm_str date = hm_said_date(k, c->mine);
  for (int i = 0; i < k->n; i++) {
    hm_field_type type = k->fields[i].type;
    if (!is_said(c, i) || type == HM_F_VALUE_KIND)
      continue;
    if (type == HM_F_OBJECT)
      say_object(c, i);
    else
      say_field(c, i);
  }
  if (!c->known)
    return;
  hm_str was = hm_record_said_json(k, c->was, c->a),
         is = hm_record_said_json(k, c->mine->cells, c->a);
  if (hm_str_eq(was, is))
    return;
  c->mine->at = hm_time_to_second(c->a, c->opt->who.at);
  bool moved = c->mine->n_since || !hm_str_eq(date, hm_said_date(k, c->mine));
  if (!c->mine->first.n && moved)
    c->mine->first = date;
}

/* --- what differs --------------------------------------------------------------------- */

/* row: what the row had. */
static void tell_difference(comparing *c, hm_str field, hm_str value, hm_str row) {
  hm_said_set *set = &c->out->said;
  if (!value.n || hm_evidence_is_over(set, c->mine, field, value))
    return;
  if (!c->known && c->before && hm_str_eq(value, row))
    return; /* a further source of what the row has */
  const hm_said *other = hm_evidence_opponent(set, c->mine, field, value);
  if (other)
    report_kept(c, HM_KEPT_OTHER_SOURCE, field, other->source);
}

static void tell_member(comparing *c, const hm_json *m, const hm_json *had, const hm_json *row) {
  hm_str field = hm_said_member_field(m->key, c->a), value = hm_said_member_text(m, c->a);
  tell_difference(c, field, value, hm_said_member_text(hm_said_member(had, m->key), c->a));
  if (c->before && !hm_said_member(row, m->key) &&
      hm_evidence_is_over(&c->out->said, c->mine, field, value))
    report_kept(c, HM_KEPT_TAKEN_OUT, field, HM_EMPTY);
}

static void tell_all(comparing *c, const hm_cell *after) {
  for (int i = 0; i < c->r->kind->n; i++) {
    const hm_record_field *f = &c->r->kind->fields[i];
    if (f->column && !strcmp(f->column, "status"))
      tell_difference(c, HM_STR("status"), hm_said_status(&c->out->said, c->mine),
                      c->before ? hm_said_text(c->r->kind, i, c->before) : HM_EMPTY);
    else if (is_said(c, i) && hm_said_contradicts(f))
      tell_difference(c, hm_str_c(f->key), hm_said_text(c->r->kind, i, c->r->cells),
                      c->before ? hm_said_text(c->r->kind, i, c->before) : HM_EMPTY);
    if (!is_said(c, i))
      continue;
    const hm_json *says = f->type == HM_F_OBJECT ? hm_cell_object(&c->r->cells[i], c->a) : NULL;
    const hm_json *row = says ? hm_cell_object(&after[i], c->a) : NULL;
    const hm_json *had = says && c->before ? hm_cell_object(&c->before[i], c->a) : NULL;
    for (const hm_json *m = says ? says->child : NULL; m; m = m->next)
      if (m->type != HM_JSON_NULL)
        tell_member(c, m, had, row);
  }
}

/* --- the status -------------------------------------------------------------------------- */

/* A row that has another status than the one that followed has it of a verdict; so has one that a
 * person made active. */
static void keep_verdict_status(comparing *c, const hm_cell *followed, hm_cell *follows) {
  const hm_kind *k = c->r->kind;
  int at = hm_field_of_column(k, "status");
  if (at < 0 || !c->before)
    return;
  hm_cell was = followed[at].state == HM_CELL_TEXT ? followed[at] : hm_cell_default(&k->fields[at]);
  bool verdict = !hm_str_eq(was.text, c->before[at].text);
  bool says =
      c->r->cells[at].state == HM_CELL_TEXT && !hm_str_eq(c->r->cells[at].text, c->before[at].text);
  for (int i = 0; i < k->n && verdict; i++)
    if (hm_is_verdict_column(&k->fields[i]) && !c->opt->override_verdicts)
      follows[i] = followed[i];
  bool judged = hm_evidence_is_over(&c->out->said, c->mine, HM_STR("status"),
                                    hm_said_text(k, at, c->r->cells));
  if ((verdict || judged) && says && !c->opt->override_verdicts) {
    c->out->keeps_status = true;
    report_kept(c, HM_KEPT_BY_VERDICT, HM_STR("status"), HM_EMPTY);
  }
}

/* What the record says of the status holds, whatever a verdict said. */
static void force_status(const comparing *c, const hm_cell *follows, hm_cell *after) {
  const hm_kind *k = c->r->kind;
  int at = hm_field_of_column(k, "status");
  if (at < 0 || !c->opt->override_verdicts || c->r->cells[at].state != HM_CELL_TEXT)
    return;
  for (int i = 0; i < k->n; i++)
    if (hm_is_verdict_column(&k->fields[i]))
      after[i] = follows[i].state == HM_CELL_TEXT ? follows[i] : hm_cell_default(&k->fields[i]);
}

/* --- the record ---------------------------------------------------------------------- */

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

int hm_import_revive(hm_import_run *im, hm_str ref, const hm_record *of, hm_cell *before,
                     bool *known) {
  hm_record r;
  hm_err unread = { 0 };
  hm_record_place place = { .name = "journal", .err = &unread };
  last_record last = { .a = im->arena };
  if (hm_journal_lines_of(im->s, ref, read_line, &last, im->place.err))
    return -1;
  *known = last.record && !hm_record_from_json(&place, last.record, &r, im->arena) &&
      r.index == of->index && !r.verdict && !hm_record_merge(&place, &r, NULL, before);
  return 0;
}

/* What it said before, if anything. What nobody is known to have said, it said. */
static void find_mine(comparing *c) {
  hm_said_set *set = &c->out->said;
  size_t had = set->n, i = 0;
  while (i < had && !hm_str_eq(set->v[i]->source, c->opt->source))
    i++;
  bool said = i < had;
  c->mine = said ? set->v[i] : hm_evidence_adopt(set, c->opt->source);
  c->adopted = !said && (c->mine || (!had && c->before));
  c->known = said || c->adopted;
  if (c->mine)
    return;
  c->mine = hm_evidence_of(set, c->opt->source);
  if (c->adopted)
    memcpy(c->mine->cells, c->before, sizeof c->mine->cells);
}

int hm_import_compare(hm_import_run *im, hm_str ref, const hm_record *r, hm_cell *before,
                      bool *known, hm_cell *after, hm_import_comparison *out) {
  hm_err *err = im->place.err;
  comparing c = { .im = im, .opt = im->opt, .ref = ref, .r = r, .a = im->arena, .out = out };
  hm_cell followed[HM_MAX_FIELDS + 1], follows[HM_MAX_FIELDS + 1], whole[HM_MAX_FIELDS + 1];
  bool stored = *known;
  *out = (hm_import_comparison){ 0 };
  if (hm_evidence_load(im->s, r->index, ref, stored ? before : NULL, im->arena, &out->said, err))
    return -1;
  if (!*known && out->said.n && hm_import_revive(im, ref, r, before, known))
    return -1;
  c.before = *known ? before : NULL;
  if (hm_record_merge(&im->place, r, c.before, whole))
    return -1;
  find_mine(&c);
  hm_evidence_merge(&out->said, followed);
  say_record(&c);
  hm_evidence_merge(&out->said, follows);
  keep_verdict_status(&c, followed, follows);
  hm_evidence_apply(r->kind, c.before, followed, follows, after);
  force_status(&c, follows, after);
  for (int i = 0; i < r->kind->n; i++)
    if (r->kind->fields[i].flags & HM_F_KEY)
      after[i] = whole[i];
  tell_all(&c, after);
  return 0;
}
