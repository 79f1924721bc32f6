/* A record of a decision as rows: an entity Decision, and how it relates to other records. */
#include <string.h>

#include "core/base/digest.h"
#include "core/foreign/record_maker.h"
#include "core/notes/notes_impl.h"

enum { DECISION_LONGEST = 600 };

hm_str hm_notes_decision_id(hm_str path, hm_arena *a) {
  return HM_CAT(a, HM_STR("e-"), hm_str_digest_hex(a, HM_CAT(a, HM_STR("decision\n"), path), 16));
}

bool note_is_history(const note_record *r, const hm_document *doc, size_t part) {
  if (!r->record)
    return false;
  if (r->record->standing != HM_DECISION_IN_FORCE)
    return true;
  return !hm_decision_holds(doc, r->decision.outcome, part);
}

/* What was decided, in its own words. */
static hm_str outcome_of(const note_record *r, const hm_document *doc, hm_arena *a) {
  hm_str out = HM_EMPTY;
  for (size_t i = 0; i < doc->n && out.n < DECISION_LONGEST; i++) {
    const hm_doc_part *p = &doc->parts[i];
    bool said = p->kind == HM_DOC_SENTENCE || p->kind == HM_DOC_ITEM;
    if (said && hm_decision_holds(doc, r->decision.outcome, i))
      out = HM_CAT(a, out, out.n ? HM_STR(" ") : HM_EMPTY, p->text);
  }
  return out;
}

/* Where the record does not fit others, in words with the places. */
static void write_faults(hm_jw *w, const note_record *r, hm_arena *a) {
  size_t n, told = 0;
  const hm_decision_fault *faults = hm_decisions_faults(r->all, &n);
  for (size_t i = 0; i < n; i++) {
    const hm_decision_fault *f = &faults[i];
    size_t at = f->kind == HM_DECISION_REFERENCE ? f->n - 1 : f->kind == HM_DECISION_INDEX;
    const hm_decision_place *own = &f->places[at];
    if (!hm_str_eq(own->source, r->record->source))
      continue;
    hm_str text = f->message;
    for (size_t k = 0; k < f->n; k++)
      text = HM_CAT(a, text, k ? HM_STR(", ") : HM_STR(": "), f->places[k].source,
                    hm_str_fmt(a, ":%u", f->places[k].line));
    if (!told++)
      hm_jw_arr(w, "record_faults");
    hm_jw_str(w, NULL, text);
  }
  if (told)
    hm_jw_end(w);
}

static hm_str properties_of(const note_record *r, const hm_document *doc, hm_arena *a) {
  const hm_decision *d = &r->decision;
  hm_buf b = { 0 };
  hm_jw w;
  hm_str outcome = outcome_of(r, doc, a);
  hm_jw_init(&w, &b, 0);
  hm_jw_obj(&w, NULL);
  if (d->number.line)
    hm_jw_str(&w, "number", d->number.text);
  if (d->status.line)
    hm_jw_str(&w, "record_status", d->status.text);
  if (d->date.line)
    hm_jw_str(&w, "record_date", d->date.text);
  if (d->deciders.line)
    hm_jw_str(&w, "deciders", d->deciders.text);
  if (outcome.n)
    hm_jw_str(&w, "decision", outcome);
  write_faults(&w, r, a);
  hm_jw_end(&w);
  return hm_buf_take(&b, a);
}

static void add_refs(hm_record_maker *m, hm_str path, uint32_t line) {
  hm_str ref = hm_str_fmt(m->a, "%.*s:%u", HM_FMT(path), line);
  hm_record_add_texts(m, "source_refs", &ref, 1, 1);
}

static const hm_json *entity_of(const note_record *r, const hm_document *doc, hm_arena *a) {
  static const char *const statuses[] = { [HM_DECISION_IN_FORCE] = "active",
                                          [HM_DECISION_OPEN] = "candidate",
                                          [HM_DECISION_OVER] = "superseded",
                                          [HM_DECISION_DROPPED] = "invalid" };
  const hm_decision_record *record = r->record;
  hm_record_maker m = hm_record_begin(a, "entity");
  hm_json *properties = NULL;
  hm_record_add_text(&m, "id", hm_notes_decision_id(record->source, a), 1);
  hm_record_add_text(&m, "entity_type", HM_STR("Decision"), 1);
  hm_record_add_text(&m, "name", r->decision.title.text, 1);
  hm_record_add_text(&m, "status", hm_str_c(statuses[record->own]), 1);
  if (record->superseded_by.n && record->own == HM_DECISION_OVER)
    hm_record_add_text(&m, "superseded_by", hm_notes_decision_id(record->superseded_by, a), 1);
  if (hm_json_parse(a, properties_of(r, doc, a), &properties, NULL) == 0)
    hm_record_add(&m, "properties", properties);
  add_refs(&m, record->source, r->decision.title.line);
  return m.record;
}

static const hm_json *relation_of(const note_record *r, const hm_decision_tie *t, bool by,
                                  hm_arena *a) {
  hm_str own = hm_notes_decision_id(r->record->source, a),
         other = hm_notes_decision_id(t->source, a);
  hm_str from = by ? other : own, to = by ? own : other;
  hm_str type = t->in_part ? HM_STR("AMENDS") : HM_STR("SUPERSEDES");
  hm_record_maker m = hm_record_begin(a, "relation");
  hm_str key = HM_CAT(a, type, HM_STR("\n"), from, HM_STR("\n"), to);
  hm_record_add_text(&m, "id", HM_CAT(a, HM_STR("r-"), hm_str_digest_hex(a, key, 16)), 1);
  hm_record_add_text(&m, "type", type, 1);
  hm_record_add_text(&m, "from", from, 1);
  hm_record_add_text(&m, "to", to, 1);
  add_refs(&m, r->record->source, t->line);
  return m.record;
}

int note_record_give(const note_record *r, const hm_document *doc, hm_record_place *place,
                     hm_record_each *each, void *ctx, hm_arena *a) {
  const hm_decision_record *record = r->record;
  place->number = r->decision.title.line;
  int rc = each(ctx, entity_of(r, doc, a));
  bool held = record->standing == HM_DECISION_IN_FORCE || record->standing == HM_DECISION_OVER;
  for (size_t i = 0; i < record->n_over && held && !rc; i++) {
    place->number = record->over[i].line;
    rc = each(ctx, relation_of(r, &record->over[i], false, a));
  }
  for (size_t i = 0; i < record->n_by && !rc; i++) {
    place->number = record->by[i].line;
    rc = each(ctx, relation_of(r, &record->by[i], true, a));
  }
  return rc;
}

void note_record_read(note_record *r, const hm_decisions *records, const hm_document *doc,
                      hm_str text, hm_str path, hm_arena *a) {
  *r = (note_record){ .all = records, .record = records ? hm_decisions_get(records, path) : NULL };
  if (r->record && !hm_decision_read(&r->decision, doc, text, path, a))
    r->record = NULL;
}

int hm_notes_decisions(const hm_tree *t, hm_arena *a, hm_decisions **out, hm_err *err) {
  hm_arena *work = hm_arena_new();
  hm_decisions *d = hm_decisions_new(a);
  int rc = 0;
  for (size_t i = 0; i < t->n_files && !rc; i++) {
    const hm_tree_file *f = &t->files[i];
    hm_str text;
    hm_arena_reset(work);
    if (f->kind != HM_TREE_NOTES)
      continue;
    rc = hm_tree_read(f, work, &text, err);
    if (!rc)
      hm_decisions_add(d, f->source, text, work);
  }
  hm_arena_free(work);
  hm_decisions_finish(d);
  *out = d;
  return rc;
}
