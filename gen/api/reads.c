/* Operations that only read: conflicts, rows with their open conflicts, the health of the store,
 * and the last sweep.
 *
 * What a sweep recorded answers while it holds (core/store/swept.h), else the held sweep. */
#include <stdlib.h>
#include "core/base/text.h"
#include "core/claim/reading.h"
#include "core/claim/silence.h"
#include "core/detect/explain.h"
#include "core/detect/rule.h"
#include "core/base/par.h"
#include "core/review/candidates.h"
#include "core/review/conflict_filter.h"
#include "core/review/supersede.h"
#include "core/record/journal.h"
#include "gen/api/api_impl.h"
#include "gen/mirror/embedding.h"

enum { PAGE_MAX = 1000, ROWS_LISTED = 100 };

/* --- conflicts ---------------------------------------------------------------------- */

int hm_api_answer_source(hm_api_call_state *c, hm_answer_source *out, bool *pending, hm_err *err) {
  hm_swept holds;
  *out = (hm_answer_source){ .s = c->store, .rules = c->api->opt.rules };
  if (hm_swept_read(c->store, hm_sweep_decided(out->rules, c->a), &holds, err))
    return -1;
  if (pending)
    *pending = holds == HM_SWEPT_PENDING;
  return holds == HM_SWEPT_NOT ? hm_pool_get_sweep(c->api->pool, c->reader, &out->sweep, err) : 0;
}

int hm_api_read_standings(hm_api_call_state *c, const hm_str *refs, size_t n, hm_standings **out,
                          bool *pending, hm_err *err) {
  hm_answer_source from;
  if (hm_api_answer_source(c, &from, pending, err))
    return -1;
  return hm_standings_read(&from, refs, n, c->a, out, err);
}

/* The answer about the conflict with exactly this id. HM_E_UNKNOWN. */
static int find_answer(hm_api_call_state *c, const hm_answer_source *from, hm_str id,
                       hm_conflict_answer *out, hm_err *err) {
  hm_conflict_answer *v;
  hm_conflict_place p;
  size_t n;
  if (hm_lookup_conflict(c->store, id, c->a, &p, err) ||
      hm_answers_find(from, id, 1, c->a, &v, &n, err))
    return -1;
  if (n && hm_str_eq(v[0].id, id)) {
    *out = v[0];
    return 0;
  }
  return hm_fail(err, HM_E_INTERNAL, "a conflict", "a sweep does not know it", "report it");
}

int hm_api_get_conflict(hm_api_call_state *c, hm_err *err) {
  hm_answer_source from;
  hm_conflict_answer x = { 0 };
  if (hm_api_answer_source(c, &from, NULL, err) || find_answer(c, &from, c->q->params[0], &x, err))
    return -1;
  hm_buf_str(&c->out, x.json);
  return 0;
}

static void write_explanation(hm_api_call_state *c, const hm_sweep *w, const hm_conflict_rec *rec,
                              bool pending) {
  hm_explanation x;
  hm_jw j;
  hm_buf conflict = { 0 };
  hm_explain_conflict(w, rec, c->api->opt.rules, c->a, &x);
  hm_jw_init(&j, &c->out, 0);
  hm_jw_obj(&j, NULL);
  hm_jw_str(&j, "id", rec->id);
  hm_jw_bool(&j, "disputed", x.dispute != NULL);
  hm_jw_arr(&j, "lines");
  for (size_t i = 0; i < x.n; i++)
    hm_jw_str(&j, NULL, x.lines[i]);
  if (x.found.n)
    hm_jw_str(&j, NULL, x.found);
  hm_jw_end(&j);
  hm_jw_str_or_null(&j, "question", x.question);
  hm_jw_strs(&j, "arc", x.arc, x.n_arc);
  hm_conflict_json(&conflict, w, rec, NULL, true, c->a);
  hm_jw_raw(&j, "conflict", hm_buf_view(&conflict));
  if (pending)
    hm_jw_str(&j, "sweep", HM_STR("pending"));
  hm_jw_end(&j);
  hm_buf_free(&conflict);
}

static const hm_conflict_rec *find_in_sweep(const hm_sweep *w, hm_str id) {
  size_t i = 0;
  while (i < w->plan->n_conflicts && !hm_str_eq(w->plan->conflicts[i].id, id))
    i++;
  return i < w->plan->n_conflicts ? &w->plan->conflicts[i] : NULL;
}

/* The conflict in the sweep that is held from before the last writes, where they left the answer
 * about it as it was; else NULL. */
static const hm_conflict_rec *find_in_last_sweep(hm_api_call_state *c, const hm_answer_source *from,
                                                 hm_str id, const hm_sweep **w) {
  hm_conflict_answer x;
  hm_err unheard = { 0 };
  *w = hm_pool_last_sweep(c->api->pool, c->reader);
  const hm_conflict_rec *rec = *w ? find_in_sweep(*w, id) : NULL;
  if (rec && !find_answer(c, from, id, &x, &unheard) &&
      hm_str_eq(hm_conflict_answer_make(*w, rec, from->rules, c->a).json, x.json))
    return rec;
  hm_pool_drop_sweep(c->api->pool, c->reader);
  return NULL;
}

int hm_api_explain_conflict(hm_api_call_state *c, hm_err *err) {
  const hm_sweep *w;
  hm_conflict_place p;
  hm_answer_source from;
  bool pending;
  if (hm_lookup_conflict(c->store, c->q->params[0], c->a, &p, err) ||
      hm_api_answer_source(c, &from, &pending, err))
    return -1;
  const hm_conflict_rec *rec = pending ? find_in_last_sweep(c, &from, p.id, &w) : NULL;
  pending = rec != NULL;
  if (!rec && hm_pool_get_sweep(c->api->pool, c->reader, &w, err))
    return -1;
  if (!rec)
    rec = find_in_sweep(w, p.id);
  if (!rec)
    return hm_fail(err, HM_E_INTERNAL, "a conflict", "a sweep does not know it", "report it");
  write_explanation(c, w, rec, pending);
  return 0;
}

/* Which of the listed conflicts to write. */
typedef struct {
  hm_api_call_state *c;
  hm_str source, severity;
  hm_map of_source;                 /* with source: its rows */
  const hm_conflict_subject *about; /* NULL: any */
  const hm_claims *claims;          /* with about: of the sweep that told of it */
  hm_map concerned;                 /* with about: ids of the conflicts that concern it */
  bool of_row;                      /* it is a row: what was read of it */
  hm_row_reading reading;
  bool follows;
  hm_conflict_place after;
  size_t most;       /* of a page; 0: no limit */
  size_t n, written; /* that pass; of them on the page */
  bool plain;        /* all of their status pass: their number is known without looking at them */
  bool more;
  hm_str last; /* the last one written */
} listing;

static bool has_severity(const hm_rules *rules, hm_str name, hm_str severity) {
  const hm_rule *rule = hm_rule_named(hm_config_rule_table(rules), name);
  hm_str is = hm_rules_severity(rules, name);
  if (!is.n && rule)
    is = hm_str_c(hm_severity_name(rule->severity));
  return hm_str_eq(is, severity);
}

static bool passes(const listing *l, const hm_conflict_answer *x, hm_arena *a) {
  if (l->about && hm_map_get(&l->concerned, x->id) == HM_MAP_NONE)
    return false;
  if (l->severity.n && !has_severity(l->c->api->opt.rules, x->rule, l->severity))
    return false;
  if (!l->source.n)
    return true;
  const hm_json *tree = hm_json_parse_as(a, x->json, HM_JSON_OBJECT);
  return tree && hm_conflict_answer_has_source(tree, &l->of_source, a);
}

/* A conflict keeps its slot and its id and is never removed, so the next page begins at the same
 * place whatever was opened or settled meanwhile. */
static int write_listed(void *ctx, const hm_conflict_answer *x, hm_err *err) {
  listing *l = ctx;
  hm_arena *a = hm_arena_new();
  bool is_listed = passes(l, x, a);
  hm_arena_free(a);
  (void)err;
  if (!is_listed)
    return 0;
  l->n++;
  if (l->follows) {
    int order = hm_str_cmp(x->slot_key, l->after.slot_key);
    if (order < 0 || (!order && hm_str_cmp(x->id, l->after.id) <= 0))
      return 0;
  }
  bool full = l->c->q->most && l->c->out.n > 4 * l->c->q->most;
  if ((l->most && l->written == l->most) || full) {
    l->more = true;
    return l->plain;
  }
  if (l->written++)
    hm_buf_ch(&l->c->out, ',');
  hm_buf_str(&l->c->out, x->json);
  l->last = hm_str_dup(l->c->a, x->id);
  return 0;
}

static int read_page(listing *l, hm_err *err) {
  hm_api_call_state *c = l->c;
  bool limited;
  hm_str limit = hm_api_param(c, "limit", &limited), after = hm_api_param(c, "after", &l->follows);
  long most = limited ? strtol(hm_str_z(c->a, limit), NULL, 10) : 0;
  if (limited && (most < 1 || most > PAGE_MAX))
    return hm_request_refuse(HM_E_INPUT, "the address", HM_STR("limit"), "out of range",
                             "give 1 to 1000, or none for all", err);
  l->most = (size_t)most;
  if (l->follows && hm_lookup_conflict(c->store, after, c->a, &l->after, err))
    return hm_err_at_field(err, HM_STR("after"));
  return 0;
}

/* What concerns a row is found by the rows of the held sweep. */
static int read_subject(listing *l, hm_str text, hm_err *err) {
  const hm_sweep *w;
  if (!text.n)
    return 0;
  if (hm_pool_get_sweep(l->c->api->pool, l->c->reader, &w, err))
    return -1;
  hm_conflict_subject *about = hm_conflict_subject_new(w->snap, text, l->c->a);
  hm_map_init(&l->concerned, l->c->a, 64);
  for (size_t i = 0; i < w->plan->n_conflicts; i++)
    if (hm_conflict_concerns(about, &w->plan->conflicts[i]))
      hm_map_add(&l->concerned, w->plan->conflicts[i].id, 0);
  l->about = about;
  l->claims = w->claims;
  uint32_t row = hm_snapshot_ref(w->snap, HM_MEMORY, text);
  l->of_row = row != HM_MAP_NONE;
  return l->of_row ? hm_row_reading_find(w->snap, w->claims, l->c->api->opt.rules, row, l->c->a,
                                         &l->reading, err)
                   : 0;
}

/* As members of the answer after others. */
static void write_reading(listing *l) {
  hm_jw j;
  hm_buf b = { 0 };
  hm_jw_init(&j, &b, 0);
  hm_jw_obj(&j, NULL);
  hm_row_reading_json(&j, &l->reading);
  hm_jw_end(&j);
  hm_str object = hm_buf_view(&b);
  hm_buf_ch(&l->c->out, ',');
  hm_buf_str(&l->c->out, hm_str_sub(object, 1, object.n - 1));
  l->c->out.failed = l->c->out.failed || b.failed;
  hm_buf_free(&b);
}

int hm_api_list_conflicts(hm_api_call_state *c, hm_err *err) {
  hm_verdict status = HM_OPEN;
  int64_t counts[HM_N_VERDICTS];
  hm_answer_source from;
  bool in_project, pending;
  listing l = { .c = c,
                .source = hm_api_param(c, "source", NULL),
                .severity = hm_api_param(c, "severity", NULL) };
  hm_str name = hm_api_param(c, "status", NULL), project = hm_api_param(c, "project", &in_project);
  for (hm_verdict v = HM_OPEN; v < HM_N_VERDICTS; v++)
    if (hm_str_is(name, hm_verdict_name(v)))
      status = v;
  if (in_project && hm_lookup_project(c->store, project, c->a, &project, err))
    return hm_err_at_field(err, HM_STR("project"));
  if (l.source.n && hm_source_rows(c->store, l.source, c->a, &l.of_source, err))
    return hm_err_at_field(err, HM_STR("source"));
  if (read_page(&l, err) || read_subject(&l, hm_api_param(c, "subject", NULL), err) ||
      hm_api_answer_source(c, &from, &pending, err))
    return -1;
  hm_buf_c(&c->out, "{\"conflicts\":[");
  bool all = hm_str_is(name, "all");
  l.plain = !l.about && !l.severity.n && !l.source.n && !in_project;
  if (l.plain && l.follows)
    from.behind = l.after;
  int rc = hm_answers_visit(&from, all ? NULL : &status, in_project ? &project : NULL, write_listed,
                            &l, err);
  if (rc < 0 || hm_store_count_verdicts(c->store, counts, err))
    return -1;
  if (l.plain)
    l.n = 0;
  for (hm_verdict v = HM_OPEN; l.plain && v < HM_N_VERDICTS; v++)
    l.n += all || v == status ? (size_t)counts[v] : 0;
  if (l.about && !l.n && hm_conflict_subject_check_known(l.about, l.claims, err))
    return hm_err_at_field(err, HM_STR("subject"));
  hm_buf_fmt(&c->out, "],\"count\":%zu", l.n);
  if (l.of_row)
    write_reading(&l);
  if (l.more)
    hm_buf_c(&c->out, ",\"next\":");
  if (l.more)
    hm_json_write_str(&c->out, l.last);
  if (pending)
    hm_buf_c(&c->out, ",\"sweep\":\"pending\"");
  hm_buf_ch(&c->out, '}');
  return 0;
}

/* --- rows ----------------------------------------------------------------------------- */

/* The type is compared as slots compare names, so /entities/decision/e1 finds a Decision. */
static int check_type(const hm_api_call_state *c, hm_str record, hm_err *err) {
  hm_json *v;
  hm_str want = c->q->params[0], id = c->q->params[1];
  const hm_json *type = hm_json_parse(c->a, record, &v, err) ? NULL : hm_json_get(v, "entity_type");
  if (type && hm_str_eq(hm_text_fold_name(c->a, type->text), hm_text_fold_name(c->a, want)))
    return 0;
  hm_str shown = type ? hm_text_cut(type->text, 60) : HM_STR("of no type");
  return hm_fail(err, HM_E_UNKNOWN,
                 hm_str_fmt(c->a, "entity '%.*s'", HM_FMT(hm_text_cut(id, 60))).p,
                 hm_str_fmt(c->a, "it is no '%.*s'", HM_FMT(hm_text_cut(want, 60))).p,
                 hm_str_fmt(c->a, "it is %.*s", HM_FMT(shown)).p);
}

/* The rows that contradict this relation in these conflicts, each once. */
static int write_disputed_with(hm_jw *j, hm_api_call_state *c, hm_str id, const hm_standing *of,
                               hm_err *err) {
  const hm_sweep *w = NULL;
  hm_map seen;
  hm_buf refs = { 0 };
  hm_jw list;
  if (of->n && hm_pool_get_sweep(c->api->pool, c->reader, &w, err))
    return -1;
  hm_map_init(&seen, c->a, 8);
  hm_jw_init(&list, &refs, 0);
  hm_jw_arr(&list, NULL);
  for (size_t i = 0; w && i < w->plan->n_conflicts; i++) {
    const hm_dispute *d = w->plan->disputes[i];
    size_t k = 0;
    while (k < of->n && !hm_str_eq(of->disputes[k].conflict, w->plan->conflicts[i].id))
      k++;
    if (!d || k == of->n)
      continue;
    bool *opposed = hm_alloc_array(c->a, d->n, sizeof *opposed);
    uint32_t row = hm_snapshot_row(w->snap, HM_RELATION, id);
    hm_opponents_mark_against_row(hm_opponents_new(w->snap, d, c->api->opt.rules, c->a), row,
                                  opposed);
    for (k = 0; k < d->n; k++) {
      hm_str ref = hm_row_ref(c->a, &w->snap->rows[d->parties[k].claim->row]);
      if (!opposed[k] || d->parties[k].claim->row == row || hm_map_get(&seen, ref) != HM_MAP_NONE)
        continue;
      hm_map_add(&seen, ref, 0);
      hm_jw_str(&list, NULL, ref);
    }
  }
  hm_jw_end(&list);
  hm_jw_bool(j, "is_disputed", of->n > 0);
  hm_jw_raw(j, "disputed_with", hm_buf_view(&refs));
  c->out.failed = c->out.failed || refs.failed;
  hm_buf_free(&refs);
  return 0;
}

/* The open conflicts of which it is a member, and those that it is the subject of. */
static int write_conflicts(hm_jw *j, hm_api_call_state *c, const hm_membership *m, size_t n,
                           const hm_standing *of, hm_err *err) {
  hm_answer_source from;
  hm_map seen;
  if (hm_api_answer_source(c, &from, NULL, err))
    return -1;
  hm_map_init(&seen, c->a, n);
  hm_jw_arr(j, "conflicts");
  for (size_t i = 0; i < n; i++) {
    hm_conflict_answer x = { 0 };
    if (m[i].status != HM_OPEN)
      continue;
    if (find_answer(c, &from, m[i].id, &x, err))
      return -1;
    hm_map_add(&seen, m[i].id, 0);
    hm_jw_raw(j, NULL, x.json);
  }
  for (size_t i = 0; i < of->n; i++)
    if (hm_map_get(&seen, of->disputes[i].conflict) == HM_MAP_NONE)
      hm_jw_raw(j, NULL, of->disputes[i].json);
  hm_jw_end(j);
  return 0;
}

/* The row as export writes it, with how it stands. */
static int write_row(hm_api_call_state *c, hm_layer layer, hm_str id, hm_err *err) {
  hm_str record, ref = hm_ref_text(c->a, layer, id);
  hm_membership *m;
  hm_standings *standings;
  bool pending;
  hm_jw j;
  size_t n;
  if (hm_journal_record_json(c->store, ref, c->a, &record, err))
    return -1;
  if (!record.n)
    return hm_fail(err, HM_E_UNKNOWN, hm_str_fmt(c->a, "'%.*s'", HM_FMT(hm_text_cut(ref, 80))).p,
                   "there is none", "check the kind and the id");
  if (c->q->operation->layer == HM_ENTITY && check_type(c, record, err))
    return -1;
  if (hm_store_memberships(c->store, layer, id, c->a, &m, &n, err) ||
      hm_api_read_standings(c, &ref, 1, &standings, &pending, err))
    return -1;
  const hm_standing *of = hm_standing_of(standings, ref);
  hm_jw_init(&j, &c->out, 0);
  hm_jw_obj(&j, NULL);
  hm_jw_members(&j, record);
  if ((layer == HM_RELATION && write_disputed_with(&j, c, id, of, err)) ||
      write_conflicts(&j, c, m, n, of, err))
    return -1;
  hm_standing_json(&j, of);
  if (pending)
    hm_jw_str(&j, "sweep", HM_STR("pending"));
  hm_jw_end(&j);
  return 0;
}

int hm_api_get_row(hm_api_call_state *c, hm_err *err) {
  return write_row(c, c->q->operation->layer, c->q->params[c->q->n_params - 1], err);
}

int hm_api_get_row_of_any_kind(hm_api_call_state *c, hm_err *err) {
  hm_named_row row;
  if (hm_named_row_find(c->store, c->q->params[0], c->a, &row, err))
    return hm_err_at_field(err, HM_STR("row"));
  return write_row(c, row.layer, row.id, err);
}

static int read_row_query(hm_api_call_state *c, const hm_snapshot *snap, hm_row_query *q,
                          hm_err *err) {
  bool in_project, limited, follows, by_status;
  hm_str kind = hm_api_param(c, "kind", NULL), status = hm_api_param(c, "status", &by_status),
         project = hm_api_param(c, "project", &in_project),
         limit = hm_api_param(c, "limit", &limited), after = hm_api_param(c, "after", &follows);
  long most = limited ? strtol(hm_str_z(c->a, limit), NULL, 10) : ROWS_LISTED;
  *q = (hm_row_query){ .status = by_status ? hm_status_parse(status) : HM_ACTIVE,
                       .any_status = hm_str_is(status, "all"),
                       .project = HM_MAP_NONE,
                       .after = HM_MAP_NONE };
  hm_layer_parse(kind, &q->layer);
  if (most < 1 || most > PAGE_MAX)
    return hm_request_refuse(HM_E_INPUT, "the address", HM_STR("limit"), "out of range",
                             "give 1 to 1000", err);
  q->limit = (size_t)most;
  if (in_project && hm_lookup_project(c->store, project, c->a, &project, err))
    return hm_err_at_field(err, HM_STR("project"));
  for (size_t i = 0; in_project && i < snap->n_projects; i++)
    if (hm_str_eq(snap->projects[i].id, project))
      q->project = (uint32_t)i;
  if (in_project && q->project == HM_MAP_NONE)
    q->limit = 0; /* it has no rows */
  hm_layer layer;
  hm_str id;
  if (follows && hm_ref_parse(after, &layer, &id))
    q->after = hm_snapshot_row(snap, layer, id);
  return follows && q->after == HM_MAP_NONE
      ? hm_request_refuse(HM_E_UNKNOWN, "the address", HM_STR("after"), "there is no such row",
                          "give the next of the answer before, or none", err)
      : 0;
}

int hm_api_list_rows(hm_api_call_state *c, hm_err *err) {
  const hm_sweep *w;
  hm_row_query q;
  hm_row_listing l;
  hm_standings *standings;
  hm_jw j;
  if (hm_pool_get_sweep(c->api->pool, c->reader, &w, err) || read_row_query(c, w->snap, &q, err) ||
      hm_rows_list(w->snap, w->claims, c->api->opt.rules, &q, hm_par_cores(), c->a, &l, err))
    return -1;
  const hm_answer_source from = { .s = c->store, .rules = c->api->opt.rules, .sweep = w };
  hm_str *refs = hm_row_listing_refs(w->snap, &l, c->a);
  if (hm_standings_read(&from, refs, l.n, c->a, &standings, err))
    return -1;
  hm_jw_init(&j, &c->out, 0);
  hm_jw_obj(&j, NULL);
  if (hm_row_listing_json(&j, c->store, w->snap, &l, hm_standing_tell, standings, c->a, err))
    return -1;
  if (l.more && l.n)
    hm_jw_str(&j, "next", hm_row_ref(c->a, &w->snap->rows[l.v[l.n - 1].row]));
  hm_jw_end(&j);
  return 0;
}

/* --- health --------------------------------------------------------------------------- */

int hm_api_get_health(hm_api_call_state *c, hm_err *err) {
  int64_t counts[HM_N_VERDICTS];
  size_t disputed, n_settled, findings, reported;
  hm_str *settled;
  hm_answer_source from;
  bool pending;
  hm_sweep_run last;
  bool swept;
  const hm_json *counted;
  hm_compared compared;
  hm_jw j;
  hm_vector_model *vectors;
  size_t n_vectors;
  const hm_embedding *e = c->api->opt.embedding;
  const char *off = c->api->opt.embedding_off;
  if (hm_store_count_verdicts(c->store, counts, err) ||
      hm_store_last_run(c->store, c->a, &last, &swept, err) ||
      hm_vectors_models(c->store, c->a, &vectors, &n_vectors, err) ||
      hm_api_answer_source(c, &from, &pending, err) ||
      hm_answers_count_open(&from, c->a, &disputed, &settled, &n_settled, err) ||
      hm_answers_count_findings(&from, &findings, &reported, err) ||
      hm_answers_counts(&from, c->a, &counted, err))
    return -1;
  hm_compared_read(counted, &compared);
  hm_jw_init(&j, &c->out, 0);
  hm_jw_obj(&j, NULL);
  hm_jw_str(&j, "status", HM_STR("ok"));
  hm_jw_str(&j, "version", HM_STR(HM_VERSION));
  hm_jw_int(&j, "open_conflicts_count", counts[HM_OPEN]);
  hm_jw_int(&j, "disputed_count", (int64_t)disputed);
  hm_compared_json(&j, &compared);
  hm_jw_int(&j, "signoff", counts[HM_OPEN] - (int64_t)disputed);
  hm_jw_int(&j, "settled_later", (int64_t)n_settled);
  hm_jw_strs(&j, "settled_later_ids", settled, n_settled);
  hm_jw_int(&j, "findings", (int64_t)findings);
  hm_jw_int(&j, "reported", (int64_t)reported);
  if (pending)
    hm_jw_str(&j, "sweep", HM_STR("pending"));
  hm_jw_int(&j, "resolved", counts[HM_RESOLVED]);
  hm_jw_int(&j, "dismissed", counts[HM_DISMISSED]);
  hm_embedding_json(&j,
                    e         ? NULL
                        : off ? off
                              : "no model is configured",
                    e ? hm_embedding_model(e) : NULL, vectors, n_vectors);
  hm_sweep_run_json(&j, "last_run", swept ? &last : NULL);
  hm_jw_end(&j);
  return 0;
}

int hm_api_get_latest_sweep(hm_api_call_state *c, hm_err *err) {
  hm_sweep_run last;
  bool swept;
  hm_jw j;
  if (hm_store_last_run(c->store, c->a, &last, &swept, err))
    return -1;
  hm_jw_init(&j, &c->out, 0);
  hm_jw_obj(&j, NULL);
  hm_sweep_run_json(&j, "sweep", swept ? &last : NULL);
  hm_jw_end(&j);
  return 0;
}
