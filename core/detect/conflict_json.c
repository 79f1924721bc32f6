/* The JSON of a conflict, design section 10: one form for the command, the API and the site. */
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/claim/judged.h"
#include "core/detect/topic_name.h"
#include "core/detect/conflict_story.h"
#include "core/detect/explain.h"
#include "core/record/given.h"
#include "core/tree/tree.h"

typedef struct {
  hm_jw j;
  const hm_sweep *w;
  const bool *hidden;
  const hm_conflict_shown *shown; /* NULL: all */
  size_t withheld;
  hm_arena *a;
} writer;

/* What a member shows, wherever it is from. */
typedef struct {
  hm_layer layer;
  hm_str id, field, value, conflicts_with, source;
  const hm_evidence *said_by; /* NULL: the row */
  uint32_t row;               /* HM_MAP_NONE: the row is gone */
  bool flagged, removed, hidden;
  bool recorded; /* as a conflict that is over has it */
} member;

/* False, and nothing is written: the text is no JSON array. */
static bool put_array(hm_jw *j, const char *name, hm_str text, hm_arena *a) {
  const hm_json *v = hm_json_parse_as(a, text, HM_JSON_ARRAY);
  if (v)
    hm_jw_raw(j, name, hm_json_as_text(v, a));
  return v;
}

void hm_slot_key_json(hm_jw *j, hm_str key, hm_arena *a) {
  if (!put_array(j, "slot_key", key, a))
    hm_jw_strs(j, "slot_key", &key, 1);
}

/* Whose the value is, or was where the row has another one now. */
static void put_refs(writer *o, const member *m) {
  const hm_row_detail *details = o->w->snap->details;
  hm_past_value past;
  hm_str refs = details && m->row != HM_MAP_NONE ? details[m->row].source_refs : HM_EMPTY;
  if (m->said_by)
    refs = m->said_by->detail.source_refs;
  else if (m->recorded && m->row != HM_MAP_NONE &&
           hm_find_past_value(o->w->snap, m->row, m->field, m->value, o->a, &past))
    refs = o->shown && !o->shown->past ? HM_EMPTY : past.source;
  if (m->layer == HM_STATE || !put_array(&o->j, "source_refs", refs, o->a))
    hm_jw_strs(&o->j, "source_refs", &refs, refs.n > 0);
}

static bool is_hidden(const writer *o, uint32_t row) {
  return o->hidden && row != HM_MAP_NONE && o->hidden[row];
}

static bool names_hidden(const writer *o, hm_str ref) {
  return ref.n && is_hidden(o, hm_snapshot_ref(o->w->snap, HM_MEMORY, ref));
}

static void put_member(writer *o, const member *m) {
  if (m->hidden || is_hidden(o, m->row)) {
    o->withheld++;
    return;
  }
  const char *status =
      m->row == HM_MAP_NONE ? "missing" : hm_status_name(o->w->snap->rows[m->row].status);
  hm_jw_obj(&o->j, NULL);
  hm_jw_str(&o->j, "member_kind", hm_str_c(hm_layer_name(m->layer)));
  hm_jw_str(&o->j, "member_id", m->id);
  hm_jw_int(&o->j, "member_layer_trust", hm_layer_trust(m->layer));
  hm_jw_str(&o->j, "field", m->field);
  if (m->source.n)
    hm_jw_str(&o->j, "source", m->source);
  hm_jw_str(&o->j, "value", m->value);
  hm_jw_str(&o->j, "status", hm_str_c(status));
  hm_jw_bool(&o->j, "flagged", m->flagged);
  hm_jw_str_or_null(&o->j, "conflicts_with",
                    names_hidden(o, m->conflicts_with) ? HM_EMPTY : m->conflicts_with);
  if (m->removed)
    hm_jw_bool(&o->j, "removed", true);
  put_refs(o, m);
  hm_jw_end(&o->j);
}

/* May it show? *said_by: who says it. */
static bool shows_claim(const writer *o, const hm_claim *c, const hm_evidence **said_by) {
  *said_by = c->said_by;
  if (!o->shown || !o->shown->claim || o->hidden[c->row])
    return !is_hidden(o, c->row);
  return o->shown->claim(o->shown->ctx, c, said_by);
}

static member member_of_party(const writer *o, const hm_party *p) {
  const hm_row *rows = o->w->snap->rows;
  const hm_claim *c = p->claim;
  const hm_evidence *said_by;
  bool shown = shows_claim(o, c, &said_by);
  return (member){ .layer = c->layer,
                   .id = rows[c->row].id,
                   .field = c->field,
                   .value = c->value.raw,
                   .source = c->source,
                   .said_by = said_by,
                   .hidden = !shown,
                   .row = c->row,
                   .flagged = p->flagged,
                   .conflicts_with =
                       p->against ? hm_row_ref(o->a, &rows[p->against->row]) : HM_EMPTY };
}

static member member_of_record(const writer *o, const hm_member_rec *r) {
  return (member){ .layer = r->layer,
                   .recorded = true,
                   .id = r->id,
                   .field = r->field,
                   .value = r->value,
                   .source = r->source,
                   .hidden = o->shown && o->shown->member && !o->shown->member(o->shown->ctx, r),
                   .flagged = r->flagged,
                   .removed = hm_member_is_removed(o->w->snap, r, o->a),
                   .row = hm_snapshot_row(o->w->snap, r->layer, r->id),
                   .conflicts_with = r->conflicts_with };
}

static void put_members(writer *o, const hm_conflict_rec *rec, const hm_dispute *d) {
  hm_jw_arr(&o->j, "members");
  for (size_t i = 0; i < (d ? d->n : rec->n_members); i++) {
    member m = d ? member_of_party(o, &d->parties[i]) : member_of_record(o, &rec->members[i]);
    put_member(o, &m);
  }
  hm_jw_end(&o->j);
}

/* The rows that it concerns in this way. */
static void put_concerned(writer *o, const char *key, hm_concern_kind kind, const hm_snapshot *snap,
                          const hm_concern *c, size_t n) {
  hm_jw_arr(&o->j, key);
  for (size_t i = 0; i < n; i++)
    if (c[i].kind == kind)
      hm_jw_str(&o->j, NULL, hm_row_ref(o->a, &snap->rows[c[i].row]));
  hm_jw_end(&o->j);
}

static void put_concerns(writer *o, const hm_conflict_rec *rec, const hm_conflict_shown *shown) {
  size_t n = 0;
  uint32_t at = (uint32_t)hm_plan_index(o->w->plan, rec);
  const hm_concern *c = hm_concerns_of_dispute(&o->w->concerns, at, &n);
  const hm_snapshot *snap = shown ? o->w->snap : o->w->concerns.snap;
  c = shown ? shown->concerns : c;
  n = shown ? shown->n_concerns : n;
  put_concerned(o, "about", HM_CONCERNS_SUBJECT, snap, c, n);
  put_concerned(o, "inside", HM_CONCERNS_INSIDE, snap, c, n);
}

static bool is_told(void *ctx, const hm_claim *c) {
  const hm_evidence *said_by;
  return shows_claim(ctx, c, &said_by);
}

static hm_str ref_of(const writer *o, const hm_claim *c) {
  return c ? hm_row_ref(o->a, &o->w->snap->rows[c->row]) : HM_EMPTY;
}

static void put_story_line(writer *o, const hm_conflict_story *s, const hm_story_line *l) {
  const hm_story_claim *said = l->claim->said;
  hm_jw_obj(&o->j, NULL);
  hm_jw_str(&o->j, "row", ref_of(o, l->claim));
  hm_jw_str(&o->j, "field", l->claim->field);
  const hm_evidence *by = NULL;
  bool timed = !o->shown || !o->shown->bounds || o->shown->bounds(o->shown->ctx, l->claim);
  shows_claim(o, l->claim, &by);
  hm_str agent = by && by != l->claim->said_by ? by->as.agent : said ? said->agent : HM_EMPTY;
  hm_jw_str_or_null(&o->j, "at", hm_time_iso(o->a, timed ? l->at : HM_TIME_MIN));
  hm_jw_str_or_null(&o->j, "agent", agent);
  hm_jw_str(&o->j, "value", l->claim->value.raw);
  hm_jw_str_or_null(&o->j, "words", said ? said->claim.words : HM_EMPTY);
  hm_jw_bool(&o->j, "member", l->party);
  bool answers = l->party && s->in_doubt != HM_STORY_NO_VALUE;
  const char *answer = !answers ? "" : l->value == s->in_doubt ? "yes" : "no";
  hm_jw_str_or_null(&o->j, "answer", hm_str_c(answer));
  hm_jw_str(&o->j, "state", hm_str_c(hm_arc_state_name(l->state)));
  hm_jw_str_or_null(&o->j, "overtaken_by", ref_of(o, l->by));
  hm_jw_end(&o->j);
}

/* Writes the question, the arc of texts, and what settled them. */
static void put_story(writer *o, const hm_conflict_rec *rec, const hm_dispute *d) {
  hm_conflict_story s;
  const hm_overtaken *by = hm_conflict_find_settling_claim(o->w, rec, o->a);
  if (by && is_told(o, by->by))
    hm_jw_str(&o->j, "settled_by", ref_of(o, by->by));
  if (!hm_conflict_story_build(o->w->snap, d, &(hm_story_filter){ is_told, o }, o->a, &s))
    return;
  hm_jw_str(&o->j, "question", s.question);
  if (s.in_doubt != HM_STORY_NO_VALUE)
    hm_jw_str(&o->j, "asked", ref_of(o, s.values[s.in_doubt].best));
  hm_jw_arr(&o->j, "arc");
  for (size_t i = 0; i < s.n; i++)
    put_story_line(o, &s, &s.lines[i]);
  hm_jw_end(&o->j);
  if (s.withheld)
    hm_jw_int(&o->j, "arc_withheld", (int64_t)s.withheld);
}

static void put_verdict(writer *o, const hm_conflict_rec *rec) {
  hm_str *winners;
  size_t n = hm_winners_parse(o->a, rec->winner, &winners), shown = 0;
  for (size_t i = 0; i < n; i++)
    if (!names_hidden(o, winners[i]))
      winners[shown++] = winners[i];
  hm_jw_str_or_null(&o->j, "resolved_at", rec->resolved_at);
  hm_jw_str(&o->j, "resolution", rec->resolution);
  hm_jw_str_or_null(&o->j, "action", rec->action);
  hm_jw_str_or_null(&o->j, "winner", n == 1 && shown ? winners[0] : HM_EMPTY);
  hm_jw_strs(&o->j, "winners", winners, shown);
  if (rec->winner_source.n && shown)
    hm_jw_str(&o->j, "winner_source", rec->winner_source);
  hm_jw_str_or_null(&o->j, "resolved_by", rec->resolved_by);
  if (rec->scope.n)
    hm_jw_str(&o->j, "scope", rec->scope);
  if (rec->merged_into.n)
    hm_jw_str(&o->j, "merged_into", rec->merged_into);
}

/* The verdict that was taken back, and by whom, when and why. */
static void put_taken_back(writer *o, const hm_conflict_rec *rec) {
  const hm_past_decision *was = rec->taken_back, *by = rec->reopened;
  if (!was)
    return;
  hm_jw_obj(&o->j, "taken_back");
  hm_jw_str(&o->j, "status", was->status);
  hm_jw_str_or_null(&o->j, "resolved_at", was->at);
  hm_jw_str(&o->j, "resolution", was->notes);
  hm_jw_str_or_null(&o->j, "action", was->action);
  hm_jw_str_or_null(&o->j, "winner", names_hidden(o, was->winner) ? HM_EMPTY : was->winner);
  hm_jw_str_or_null(&o->j, "resolved_by", was->by);
  hm_jw_str_or_null(&o->j, "reopened_at", by->at);
  hm_jw_str_or_null(&o->j, "reopened_by", by->by);
  hm_jw_str(&o->j, "reason", by->notes);
  hm_jw_end(&o->j);
}

enum { TEXTS_MAX = 8 };

/* How claims call their slot; of one made of words (core/claim/memory.h) the texts that say it. */
typedef struct {
  hm_str own;
  hm_called names;
  hm_topic_text texts[TEXTS_MAX];
  size_t n_texts;
} called_by;

static void add_called(called_by *by, const hm_claim *c, const hm_row *row, hm_arena *a) {
  hm_called_add(&by->names, c->called, by->own);
  if (c->by_words && by->n_texts < TEXTS_MAX)
    by->texts[by->n_texts++] =
        (hm_topic_text){ row->text, hm_tree_line_path(hm_row_file_line(row, a)) };
}

/* A row that gave way claims nothing; of a state its key is the name. */
static void add_called_of_row(const writer *o, const hm_conflict_rec *rec, const hm_member_rec *m,
                              uint32_t row, called_by *by) {
  const hm_claims *claims = o->w->claims;
  const hm_row *r = &o->w->snap->rows[row];
  if (r->layer == HM_STATE && r->status != HM_ACTIVE)
    hm_called_add(&by->names, hm_text_fold_name(o->a, r->name), by->own);
  for (size_t k = hm_claims_first_of_row(claims, row); k < claims->n; k++) {
    const hm_claim *c = &claims->claims[k];
    if (c->row != row)
      return;
    if (hm_str_eq(c->field, m->field) && hm_str_eq(c->name, by->own) &&
        hm_str_eq(hm_conflict_slot_key(o->a, o->w->snap, c), rec->slot_key))
      add_called(by, c, r, o->a);
  }
}

hm_str hm_conflict_called(const hm_sweep *w, const hm_conflict_rec *rec,
                          const hm_conflict_shown *shown, hm_arena *a) {
  const hm_dispute *d = hm_plan_dispute(w->plan, rec);
  writer o = { .w = w, .hidden = shown ? shown->hidden : NULL, .shown = shown, .a = a };
  const hm_json *key = hm_json_parse_as(a, rec->slot_key, HM_JSON_ARRAY), *last = NULL;
  called_by by = { .n_texts = 0 };
  if (shown && shown->unnamed)
    return HM_EMPTY;
  for (const hm_json *e = key ? key->child : NULL; e; e = e->next)
    last = e;
  by.own = last ? last->text : HM_EMPTY;
  for (size_t i = 0; by.own.n && i < (d ? d->n : rec->n_members); i++) {
    const hm_claim *c = d ? d->parties[i].claim : NULL;
    member m = d ? member_of_party(&o, &d->parties[i]) : member_of_record(&o, &rec->members[i]);
    if (m.hidden || is_hidden(&o, m.row) || m.row == HM_MAP_NONE)
      continue;
    if (c)
      add_called(&by, c, &w->snap->rows[m.row], a);
    else
      add_called_of_row(&o, rec, &rec->members[i], m.row, &by);
  }
  if (!by.n_texts)
    return hm_called_join(&by.names, by.own, a);
  hm_str topic = hm_topic_name(a, by.own, by.texts, by.n_texts);
  return hm_str_eq(topic, by.own) ? HM_EMPTY : topic;
}

static void put_slot(writer *o, const hm_conflict_rec *rec) {
  hm_str called = hm_conflict_called(o->w, rec, o->shown, o->a);
  hm_jw_str(&o->j, "slot_kind", rec->slot_kind);
  if (o->shown && o->shown->unnamed) {
    hm_jw_arr(&o->j, "slot_key");
    hm_jw_str(&o->j, NULL, rec->project);
    hm_jw_null(&o->j, NULL);
    hm_jw_end(&o->j);
  } else {
    hm_slot_key_json(&o->j, rec->slot_key, o->a);
  }
  hm_jw_str(&o->j, "project", rec->project);
  if (called.n)
    hm_jw_str(&o->j, "title", hm_slot_title(o->a, rec->slot_key, called));
  hm_str version = hm_str_fmt(o->a, "/%d", rec->rule_version);
  hm_jw_str(&o->j, "rule", HM_CAT(o->a, hm_conflict_rule(rec), version));
  hm_jw_arr(&o->j, "window");
  hm_jw_str_or_null(&o->j, NULL, rec->window_from);
  hm_jw_str_or_null(&o->j, NULL, rec->window_until);
  hm_jw_end(&o->j);
}

/* What the judge asks may quote any side. */
static void put_judged(writer *o, const hm_conflict_rec *rec) {
  const hm_proposal *p = hm_judged_find_proposal(o->w->snap, rec->slot_key, o->a);
  if (!p || o->withheld)
    return;
  hm_jw_str(&o->j, "question", p->question);
  hm_jw_str_or_null(&o->j, "model", p->model);
}

void hm_conflict_json(hm_buf *b, const hm_sweep *w, const hm_conflict_rec *rec,
                      const hm_conflict_shown *shown, bool clock, hm_arena *a) {
  const hm_dispute *d = hm_plan_dispute(w->plan, rec);
  hm_time since = shown ? shown->since : d ? d->since : HM_TIME_MIN;
  writer o = { .w = w, .hidden = shown ? shown->hidden : NULL, .shown = shown, .a = a };
  hm_jw_init(&o.j, b, 0);
  hm_jw_obj(&o.j, NULL);
  hm_jw_str(&o.j, "id", rec->id);
  hm_jw_str(&o.j, "status", hm_str_c(hm_verdict_name(rec->status)));
  hm_jw_bool(&o.j, "disputed", d != NULL);
  if (rec->status == HM_OPEN && hm_rule_is_off(w->disputes->rules, hm_conflict_rule(rec)))
    hm_jw_bool(&o.j, "rule_off", true);
  hm_jw_str_or_null(&o.j, "since", hm_time_iso(a, since));
  if (clock)
    hm_jw_str(&o.j, "detected_at", rec->detected_at);
  put_verdict(&o, rec);
  put_taken_back(&o, rec);
  put_slot(&o, rec);
  put_members(&o, rec, d);
  if (d)
    put_concerns(&o, rec, shown);
  put_story(&o, rec, d);
  put_judged(&o, rec);
  if (o.withheld)
    hm_jw_int(&o.j, "withheld", (int64_t)o.withheld);
  hm_jw_end(&o.j);
}
