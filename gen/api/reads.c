/* Operations that only read: conflicts, rows with their open conflicts, the health of the store,
 * and the last sweep.
 *
 * The sweep's engine shows conflicts, run only on the requested slots: the cost is that of these
 * slots; for a list by source, of all slots that pass its other filters. A list and the health read
 * the records of all conflicts. */
#include <stdlib.h>
#include "core/base/text.h"
#include "core/detect/explain.h"
#include "core/detect/rule.h"
#include "core/review/conflict_filter.h"
#include "core/review/conflict_query.h"
#include "core/store/journal.h"
#include "core/store/partial_snapshot.h"
#include "gen/api/api_impl.h"
#include "gen/mirror/embedding.h"

enum { PAGE_MAX = 1000 };

/* --- conflicts ---------------------------------------------------------------------- */

/* Sweeps the slots of these places, with everything recorded on them; wanted: ids of the places ->
 * index. */
static int sweep_places(hm_api_call_state *c, const hm_conflict_place *places, size_t n,
                        hm_sweep *w, hm_map *wanted, hm_err *err) {
  hm_str *keys = hm_alloc_array(c->a, n + 1, sizeof *keys);
  size_t n_keys = 0;
  hm_map_init(wanted, c->a, n);
  for (size_t i = 0; i < n; i++) {
    hm_map_add(wanted, places[i].id, (uint32_t)i);
    if (!i || !hm_str_eq(places[i].slot_key, places[i - 1].slot_key))
      keys[n_keys++] = places[i].slot_key;
  }
  return n ? hm_query_slots(c->store, c->api->opt.rules, keys, n_keys, c->a, w, err) : 0;
}

/* Writes the conflicts of these places as an array. Both are by slot key and id. */
static int write_conflicts(hm_api_call_state *c, const hm_conflict_place *places, size_t n,
                           hm_err *err) {
  hm_sweep w;
  hm_map wanted;
  const char *sep = "";
  hm_buf_ch(&c->out, '[');
  if (sweep_places(c, places, n, &w, &wanted, err))
    return -1;
  for (size_t i = 0; n && i < w.snap->n_conflicts; i++) {
    const hm_conflict_rec *rec = &w.snap->conflicts[i];
    if (hm_map_get(&wanted, rec->id) == HM_MAP_NONE)
      continue;
    hm_buf_c(&c->out, sep);
    hm_conflict_json(&c->out, &w, rec, NULL, true, c->a);
    sep = ",";
  }
  if (n)
    hm_sweep_free(&w);
  hm_buf_ch(&c->out, ']');
  return 0;
}

/* Sweeps the slot of the conflict that the path names, and finds the conflict in it. */
static int sweep_conflict(hm_api_call_state *c, hm_sweep *w, const hm_conflict_rec **out,
                          hm_err *err) {
  hm_conflict_place p;
  if (hm_lookup_conflict(c->store, c->q->params[0], c->a, &p, err) ||
      hm_query_slots(c->store, c->api->opt.rules, &p.slot_key, 1, c->a, w, err))
    return -1;
  for (size_t i = 0; i < w->snap->n_conflicts; i++) {
    *out = &w->snap->conflicts[i];
    if (hm_str_eq((*out)->id, p.id))
      return 0;
  }
  hm_sweep_free(w);
  return hm_fail(err, HM_E_INTERNAL, "a conflict", "it was not read with its slot", "report it");
}

int hm_api_get_conflict(hm_api_call_state *c, hm_err *err) {
  hm_sweep w;
  const hm_conflict_rec *rec;
  if (sweep_conflict(c, &w, &rec, err))
    return -1;
  hm_conflict_json(&c->out, &w, rec, NULL, true, c->a);
  hm_sweep_free(&w);
  return 0;
}

static void write_explanation(hm_api_call_state *c, const hm_sweep *w, const hm_conflict_rec *rec) {
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
  hm_jw_end(&j);
  hm_buf_free(&conflict);
}

int hm_api_explain_conflict(hm_api_call_state *c, hm_err *err) {
  hm_sweep w;
  const hm_conflict_rec *rec;
  if (sweep_conflict(c, &w, &rec, err))
    return -1;
  write_explanation(c, &w, rec);
  hm_sweep_free(&w);
  return 0;
}

/* Cuts *places to what `limit` and `after` ask for; *more: others follow. A conflict keeps its slot
 * and its id and is never removed, so the next page begins at the same place whatever was opened or
 * settled meanwhile. */
static int cut_to_page(hm_api_call_state *c, hm_conflict_place **places, size_t *n, bool *more,
                       hm_err *err) {
  bool limited, follows;
  hm_str limit = hm_api_param(c, "limit", &limited), after = hm_api_param(c, "after", &follows);
  long most = limited ? strtol(hm_str_z(c->a, limit), NULL, 10) : 0;
  hm_conflict_place last;
  *more = false;
  if (limited && (most < 1 || most > PAGE_MAX)) {
    hm_failf(err, HM_E_INPUT, "the address: limit", "give 1 to 1000, or none for all",
             "more than %d, or none at all", PAGE_MAX);
    return hm_err_at_field(err, HM_STR("limit"));
  }
  if (follows && hm_lookup_conflict(c->store, after, c->a, &last, err))
    return hm_err_at_field(err, HM_STR("after"));
  for (; follows && *n; ++*places, --*n) {
    int order = hm_str_cmp((*places)->slot_key, last.slot_key);
    if (order > 0 || (order == 0 && hm_str_cmp((*places)->id, last.id) > 0))
      break;
  }
  *more = limited && *n > (size_t)most;
  if (*more)
    *n = (size_t)most;
  return 0;
}

/* Keeps the places whose conflict has a row of this source. None: the source must be that of a
 * row. */
static int keep_with_source(hm_api_call_state *c, hm_str source, hm_conflict_place *places,
                            size_t *n, hm_err *err) {
  hm_sweep w;
  hm_map wanted;
  size_t all = *n, kept = 0;
  if (sweep_places(c, places, all, &w, &wanted, err))
    return -1;
  bool *has = hm_alloc_array(c->a, all, sizeof *has);
  for (size_t i = 0; all && i < w.snap->n_conflicts; i++) {
    const hm_conflict_rec *rec = &w.snap->conflicts[i];
    uint32_t at = hm_map_get(&wanted, rec->id);
    if (at != HM_MAP_NONE)
      has[at] = hm_conflict_has_source(w.snap, rec, source, c->a);
  }
  if (all)
    hm_sweep_free(&w);
  for (size_t i = 0; i < all; i++)
    if (has[i])
      places[kept++] = places[i];
  *n = kept;
  if (kept || !hm_source_check_known(c->store, source, err))
    return 0;
  return hm_err_at_field(err, HM_STR("source"));
}

/* Keeps the places whose conflict is recorded as found by a rule of this severity, and, where a
 * subject is given, concerns it. Reads a snapshot. */
static int keep_with_rows(hm_api_call_state *c, hm_str severity, hm_str subject,
                          hm_conflict_place *places, size_t *n, hm_err *err) {
  hm_snapshot *snap;
  hm_map wanted;
  size_t all = *n, kept = 0;
  const hm_rules *rules = c->api->opt.rules;
  if (hm_store_snapshot(c->store, c->a, false, &snap, err))
    return -1;
  hm_conflict_subject *about = subject.n ? hm_conflict_subject_new(snap, subject, c->a) : NULL;
  hm_map_init(&wanted, c->a, all);
  for (size_t i = 0; i < all; i++)
    hm_map_add(&wanted, places[i].id, (uint32_t)i);
  bool *passes = hm_alloc_array(c->a, all, sizeof *passes);
  for (size_t i = 0; i < snap->n_conflicts; i++) {
    const hm_conflict_rec *rec = &snap->conflicts[i];
    uint32_t at = hm_map_get(&wanted, rec->id);
    if (at == HM_MAP_NONE || (about && !hm_conflict_concerns(about, rec)))
      continue;
    const hm_rule *rule = hm_rule_named(hm_config_rule_table(rules), rec->rule);
    hm_str is = hm_rules_severity(rules, rec->rule);
    if (!is.n && rule)
      is = hm_str_c(hm_severity_name(rule->severity));
    passes[at] = !severity.n || hm_str_eq(is, severity);
  }
  for (size_t i = 0; i < all; i++)
    if (passes[i])
      places[kept++] = places[i];
  *n = kept;
  return 0;
}

int hm_api_list_conflicts(hm_api_call_state *c, hm_err *err) {
  hm_verdict status = HM_OPEN;
  hm_conflict_place *places;
  size_t all, n;
  bool in_project, of_source, more;
  hm_str name = hm_api_param(c, "status", NULL), project = hm_api_param(c, "project", &in_project);
  for (hm_verdict v = HM_OPEN; v < HM_N_VERDICTS; v++)
    if (hm_str_is(name, hm_verdict_name(v)))
      status = v;
  if (in_project && hm_lookup_project(c->store, project, c->a, &project, err))
    return hm_err_at_field(err, HM_STR("project"));
  if (hm_lookup_conflicts(c->store, hm_str_is(name, "all") ? NULL : &status,
                          in_project ? &project : NULL, c->a, &places, &all, err))
    return -1;
  hm_str source = hm_api_param(c, "source", &of_source);
  if (of_source && keep_with_source(c, source, places, &all, err))
    return -1;
  hm_str severity = hm_api_param(c, "severity", NULL), subject = hm_api_param(c, "subject", NULL);
  if ((severity.n || subject.n) && keep_with_rows(c, severity, subject, places, &all, err))
    return -1;
  n = all;
  if (cut_to_page(c, &places, &n, &more, err))
    return -1;
  hm_buf_c(&c->out, "{\"conflicts\":");
  if (write_conflicts(c, places, n, err))
    return -1;
  hm_buf_fmt(&c->out, ",\"count\":%zu", all);
  if (more)
    hm_buf_c(&c->out, ",\"next\":");
  if (more)
    hm_json_write_str(&c->out, places[n - 1].id);
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

/* The rows that contradict this relation in the conflicts at these places, each once. */
static int write_disputed_with(hm_api_call_state *c, hm_str id, const hm_conflict_place *places,
                               size_t n, hm_err *err) {
  hm_sweep w;
  hm_map wanted, seen;
  hm_buf list = { 0 };
  if (sweep_places(c, places, n, &w, &wanted, err))
    return -1;
  hm_map_init(&seen, c->a, 8);
  for (size_t i = 0; n && i < w.snap->n_conflicts; i++) {
    const hm_conflict_rec *rec = &w.snap->conflicts[i];
    const hm_dispute *d = hm_plan_dispute(w.plan, rec);
    if (!d || hm_map_get(&wanted, rec->id) == HM_MAP_NONE)
      continue;
    bool *opposed = hm_alloc_array(c->a, d->n, sizeof *opposed);
    uint32_t row = hm_snapshot_row(w.snap, HM_RELATION, id);
    hm_opponents_mark_against_row(hm_opponents_new(w.snap, d, c->api->opt.rules, c->a), row,
                                  opposed);
    for (size_t k = 0; k < d->n; k++) {
      size_t had = seen.n;
      hm_str ref = hm_row_ref(c->a, &w.snap->rows[d->parties[k].claim->row]);
      if (opposed[k] && d->parties[k].claim->row != row)
        hm_map_add(&seen, ref, 0);
      if (seen.n > had && had)
        hm_buf_ch(&list, ',');
      if (seen.n > had)
        hm_json_write_str(&list, ref);
    }
  }
  hm_buf_fmt(&c->out, ",\"is_disputed\":%s,\"disputed_with\":[", seen.n ? "true" : "false");
  hm_buf_str(&c->out, hm_buf_view(&list));
  hm_buf_ch(&c->out, ']');
  hm_buf_free(&list);
  if (n)
    hm_sweep_free(&w);
  return 0;
}

/* The row as export writes it, with its open conflicts. */
int hm_api_get_row(hm_api_call_state *c, hm_err *err) {
  hm_layer layer = c->q->operation->layer;
  hm_str record, id = c->q->params[c->q->n_params - 1], ref = hm_ref_text(c->a, layer, id);
  hm_membership *m;
  size_t n, open = 0;
  if (hm_journal_record_json(c->store, ref, c->a, &record, err))
    return -1;
  if (!record.n)
    return hm_fail(err, HM_E_UNKNOWN, hm_str_fmt(c->a, "'%.*s'", HM_FMT(hm_text_cut(ref, 80))).p,
                   "there is none", "check the kind and the id");
  if (layer == HM_ENTITY && check_type(c, record, err))
    return -1;
  if (hm_store_memberships(c->store, layer, id, c->a, &m, &n, err))
    return -1;
  hm_conflict_place *places = hm_alloc_array(c->a, n + 1, sizeof *places);
  for (size_t i = 0; i < n; i++)
    if (m[i].status == HM_OPEN)
      places[open++] = (hm_conflict_place){ m[i].id, m[i].slot_key };
  hm_buf_str(&c->out, hm_str_sub(record, 0, record.n - 1));
  if (layer == HM_RELATION && write_disputed_with(c, id, places, open, err))
    return -1;
  hm_buf_c(&c->out, ",\"conflicts\":");
  if (write_conflicts(c, places, open, err))
    return -1;
  hm_buf_ch(&c->out, '}');
  return 0;
}

/* --- health --------------------------------------------------------------------------- */

int hm_api_get_health(hm_api_call_state *c, hm_err *err) {
  int64_t counts[HM_N_VERDICTS];
  hm_verdict open = HM_OPEN;
  hm_conflict_place *places;
  hm_open_conflicts found;
  size_t n;
  hm_sweep_run last;
  bool swept;
  hm_jw j;
  hm_vector_model *vectors;
  size_t n_vectors;
  const hm_embedding *e = c->api->opt.embedding;
  const char *off = c->api->opt.embedding_off;
  if (hm_store_count_verdicts(c->store, counts, err) ||
      hm_store_last_run(c->store, c->a, &last, &swept, err) ||
      hm_vectors_models(c->store, c->a, &vectors, &n_vectors, err) ||
      hm_lookup_conflicts(c->store, &open, NULL, c->a, &places, &n, err))
    return -1;
  hm_str *keys = hm_alloc_array(c->a, n, sizeof *keys);
  for (size_t i = 0; i < n; i++)
    keys[i] = places[i].slot_key;
  if (hm_query_open_conflict_counts(c->store, c->api->opt.rules, keys, n, c->a, &found, err))
    return -1;
  hm_jw_init(&j, &c->out, 0);
  hm_jw_obj(&j, NULL);
  hm_jw_str(&j, "status", HM_STR("ok"));
  hm_jw_str(&j, "version", HM_STR(HM_VERSION));
  hm_jw_int(&j, "open_conflicts_count", counts[HM_OPEN]);
  hm_jw_int(&j, "disputed_count", (int64_t)found.disputed);
  hm_jw_int(&j, "signoff", counts[HM_OPEN] - (int64_t)found.disputed);
  hm_jw_int(&j, "settled_later", (int64_t)found.n_settled);
  hm_jw_strs(&j, "settled_later_ids", found.settled, found.n_settled);
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
