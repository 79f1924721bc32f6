/* Findings: their ids, order, evidence, sources of times, and acknowledgements.
 *
 * An id depends on the rule, the rows and the key by which the rule distinguishes several findings;
 * so it is stable while the rows are wrong in the same way. The evidence is the content of the
 * finding and of its rows; an acknowledgement holds while it is unchanged. If rows have other ids
 * in another store, so has the finding; then acknowledgements are matched by content, with the
 * named rows' content in place of ids. */
#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/json.h"
#include "core/detect/conflict.h"

/* --- ids, order ----------------------------------------------------------------------- */

static void add_part(hm_sha256 *h, const char *mark, hm_str part) {
  hm_sha256_add(h, hm_str_c(mark));
  hm_sha256_add(h, part);
}

/* whole: by all that it says. */
static hm_str id_of(hm_arena *a, const hm_finding *f, bool whole) {
  hm_sha256 h;
  hm_sha256_init(&h);
  hm_sha256_add(&h, f->rule);
  for (size_t i = 0; i < f->n_rows; i++)
    add_part(&h, "\x1f", f->rows[i]);
  if (f->key.n)
    add_part(&h, "\x1e", f->key);
  const hm_str said[] = { f->message, f->expected, f->actual };
  for (size_t i = 0; i < HM_COUNT(said) && whole; i++)
    hm_sha256_field(&h, said[i]);
  return HM_CAT(a, HM_STR("f"), hm_sha256_hex(&h, a, 12));
}

void hm_finding_add(hm_finding_list *l, hm_finding f) {
  if (l->n == l->cap) {
    l->cap = l->cap ? l->cap * 2 : 16;
    hm_finding *more = hm_alloc_array(l->a, l->cap, sizeof *more);
    if (l->n)
      memcpy(more, l->v, l->n * sizeof *more);
    l->v = more;
  }
  if (!f.id.n)
    f.id = id_of(l->a, &f, false);
  l->v[l->n++] = f;
}

/* Findings of a rule share its texts, and of a project its id. */
static int by_text(hm_str a, hm_str b) { return a.p == b.p && a.n == b.n ? 0 : hm_str_cmp(a, b); }

static size_t severity_rank(hm_str severity) {
  static const char *const worst_first[] = { "error", "warn", "info" };
  size_t i = 0;
  while (i < HM_COUNT(worst_first) && !hm_str_is(severity, worst_first[i]))
    i++;
  return i;
}

/* The worst first, and of one severity those with the most rows: what is wrong a thousand times. */
static int by_place(const void *x, const void *y) {
  const hm_finding *a = x, *b = y;
  int d = (int)severity_rank(a->severity) - (int)severity_rank(b->severity);
  if (!d)
    d = (a->n_rows < b->n_rows) - (a->n_rows > b->n_rows);
  if (!d)
    d = by_text(a->kind, b->kind);
  if (!d)
    d = by_text(a->project, b->project);
  if (!d)
    d = by_text(a->id, b->id);
  if (!d)
    d = by_text(a->message, b->message);
  if (!d)
    d = by_text(a->expected, b->expected);
  if (!d)
    d = by_text(a->actual, b->actual);
  return d ? d : by_text(a->reason, b->reason);
}

bool hm_finding_names(const hm_finding *f, hm_str ref) {
  size_t i = 0;
  while (i < f->n_rows && !hm_str_eq(f->rows[i], ref))
    i++;
  return i < f->n_rows;
}

const hm_finding *hm_finding_copy(const hm_finding *f, hm_arena *a) {
  hm_finding *out = hm_alloc(a, sizeof *out);
  *out = *f;
  hm_str *const texts[] = { &out->id,      &out->kind,    &out->severity, &out->rule,
                            &out->project, &out->message, &out->expected, &out->actual,
                            &out->reason,  &out->key };
  for (size_t i = 0; i < HM_COUNT(texts); i++)
    *texts[i] = hm_str_dup(a, *texts[i]);
  out->rows = hm_alloc_array(a, f->n_rows, sizeof *out->rows);
  for (size_t i = 0; i < f->n_rows; i++)
    out->rows[i] = hm_str_dup(a, f->rows[i]);
  return out;
}

void hm_findings_sort(hm_finding *f, size_t n) {
  if (n)
    qsort(f, n, sizeof *f, by_place);
}

static bool equal(const hm_finding *a, const hm_finding *b) {
  bool same = by_place(a, b) == 0 && hm_str_eq(a->severity, b->severity) &&
      hm_str_eq(a->rule, b->rule) && a->n_rows == b->n_rows;
  for (size_t i = 0; same && i < a->n_rows; i++)
    same = hm_str_eq(a->rows[i], b->rows[i]);
  return same;
}

bool hm_findings_equal(const hm_finding *a, size_t n, const hm_finding *b, size_t m) {
  size_t i = 0;
  while (i < n && n == m && equal(&a[i], &b[i]) && a[i].acked == b[i].acked &&
         hm_str_eq(a[i].ack ? a[i].ack->id : HM_EMPTY, b[i].ack ? b[i].ack->id : HM_EMPTY))
    i++;
  return i == n && n == m;
}

size_t hm_findings_make_ids_unique(hm_finding *f, size_t n, hm_arena *a) {
  size_t kept = 0;
  bool moved = false;
  for (size_t i = 0; i < n; i++)
    if (!kept || !equal(&f[kept - 1], &f[i]))
      f[kept++] = f[i];
  for (size_t i = 0, end; i < kept; i = end) {
    for (end = i + 1; end < kept && hm_str_eq(f[end].id, f[i].id); end++)
      continue;
    for (size_t k = i; k < end && end > i + 1; k++)
      f[k].id = id_of(a, &f[k], true), moved = true;
  }
  if (moved)
    hm_findings_sort(f, kept);
  return kept;
}

/* --- by whose words ---------------------------------------------------------------------- */

/* HM_TIME_SOURCE_ROWS in all. Where not all fit, those that tell whether a time is hidden come
 * first (existence.h) and stay, of both. f names three rows at most. */
void hm_finding_add_time_sources(hm_finding *f, const hm_time_sources *const by[2], hm_arena *a) {
  static const hm_time_sources nobody;
  const hm_time_sources *said[2] = { by[0] ? by[0] : &nobody,
                                     by[1] && by[1] != by[0] ? by[1] : &nobody };
  size_t room = HM_TIME_SOURCE_ROWS - f->n_rows, n[2];
  size_t kept = said[1]->n < HM_TIME_SOURCE_KINDS ? said[1]->n : HM_TIME_SOURCE_KINDS;
  n[0] = said[0]->n < room - kept ? said[0]->n : room - kept;
  n[1] = said[1]->n < room - n[0] ? said[1]->n : room - n[0];
  size_t more = said[0]->all - n[0] + said[1]->all - n[1];
  hm_str *rows = hm_alloc_array(a, HM_TIME_SOURCE_ROWS, sizeof *rows), words = HM_EMPTY;
  if (f->n_rows)
    memcpy(rows, f->rows, f->n_rows * sizeof *rows);
  for (int k = 0; k < 2; k++) {
    for (size_t i = 0; i < n[k]; i++)
      rows[f->n_rows++] = hm_str_dup(a, said[k]->rows[i]);
    if (!said[k]->words.n || (k && hm_str_eq(words, said[k]->words)))
      continue;
    words = HM_CAT(a, words, words.n ? HM_STR(", ") : HM_EMPTY, said[k]->words);
  }
  f->rows = rows;
  if (words.n)
    words = HM_CAT(a, HM_STR("by "), words);
  if (more)
    words = hm_str_fmt(a, "%.*s%sand %zu more rows", HM_FMT(words), words.n ? "; " : "", more);
  if (words.n)
    f->message = HM_CAT(a, f->message, HM_STR(" ("), words, HM_STR(")"));
}

/* --- as JSON ------------------------------------------------------------------------------ */

void hm_finding_json(hm_jw *w, const hm_finding *f) {
  hm_jw_obj(w, NULL);
  hm_jw_str(w, "id", f->id);
  hm_jw_str(w, "kind", f->kind);
  hm_jw_str(w, "severity", f->severity);
  hm_jw_str(w, "rule", f->rule);
  hm_jw_str(w, "reason", f->reason);
  hm_jw_str(w, "project", f->project);
  hm_jw_arr(w, "rows");
  for (size_t i = 0; i < f->n_rows; i++)
    hm_jw_str(w, NULL, f->rows[i]);
  hm_jw_end(w);
  hm_jw_str(w, "message", f->message);
  hm_jw_str(w, "expected", f->expected);
  hm_jw_str(w, "actual", f->actual);
  if (f->ack) {
    hm_jw_bool(w, "acknowledged", f->acked);
    hm_jw_str_or_null(w, "acknowledged_by", f->ack->by);
    hm_jw_str_or_null(w, "acknowledged_at", f->ack->at);
    hm_jw_str(w, "acknowledged_because", f->ack->reason);
  }
  hm_jw_end(w);
}

/* --- evidence, and what people said ------------------------------------------------------ */

/* What a finding says of its rows. Of a report the rows alone count: who says so, with which words
 * and after whom, is nothing that a dismissal was about. */
static void add_words(hm_sha256 *h, const hm_finding *f, hm_str about) {
  const hm_str says[] = { f->rule, f->kind, f->reason, about, f->expected, f->actual };
  size_t n = hm_str_is(f->rule, HM_RULE_REPORTED) ? 1 : HM_COUNT(says);
  for (size_t i = 0; i < n; i++)
    hm_sha256_field(h, says[i]);
}

static void add_row(hm_sha256 *h, const hm_snapshot *snap, hm_str ref) {
  uint32_t i = hm_snapshot_ref(snap, HM_ENTITY, ref);
  hm_sha256_field(h, ref);
  if (i == HM_MAP_NONE)
    return;
  const hm_row *r = &snap->rows[i];
  const hm_str says[] = { hm_str_c(hm_status_name(r->status)),
                          snap->projects[r->project].id,
                          r->type,
                          r->name,
                          r->text,
                          r->props,
                          r->from,
                          r->to,
                          r->slot_rule,
                          r->scope,
                          r->valid_from,
                          r->valid_until,
                          r->superseded_by,
                          r->graduated_to };
  const unsigned char marks[] = { r->layer, (unsigned char)r->polarity, r->value_is_json };
  hm_sha256_add(h, (hm_str){ (const char *)marks, sizeof marks });
  for (size_t k = 0; k < HM_COUNT(says); k++)
    hm_sha256_field(h, says[k]);
}

/* The content of a row without its id. deep: includes the content of the rows that it names, in
 * place of their ids. */
static hm_str row_content(const hm_snapshot *snap, hm_str ref, bool deep, hm_arena *a) {
  hm_sha256 h;
  uint32_t i = hm_snapshot_ref(snap, HM_ENTITY, ref);
  hm_sha256_init(&h);
  if (i == HM_MAP_NONE)
    return ref;
  const hm_row *r = &snap->rows[i];
  const hm_str says[] = { hm_str_c(hm_layer_name(r->layer)),
                          hm_str_c(hm_status_name(r->status)),
                          snap->projects[r->project].id,
                          r->type,
                          r->name,
                          r->text,
                          r->props,
                          r->slot_rule,
                          r->scope,
                          r->valid_from,
                          r->valid_until };
  const hm_str names[] = { r->from, r->to, r->superseded_by, r->graduated_to };
  for (size_t k = 0; k < HM_COUNT(says); k++)
    hm_sha256_field(&h, says[k]);
  for (size_t k = 0; k < HM_COUNT(names) && deep; k++)
    hm_sha256_field(&h, names[k].n ? row_content(snap, names[k], false, a) : HM_EMPTY);
  return hm_sha256_hex(&h, a, 32);
}

static hm_str finding_content(const hm_snapshot *snap, const hm_finding *f, hm_arena *a) {
  hm_str *rows = hm_alloc_array(a, f->n_rows, sizeof *rows);
  hm_sha256 h;
  hm_sha256_init(&h);
  add_words(&h, f, f->key);
  for (size_t i = 0; i < f->n_rows; i++)
    rows[i] = row_content(snap, f->rows[i], true, a);
  hm_strs_sort(rows, f->n_rows);
  for (size_t i = 0; i < f->n_rows; i++)
    hm_sha256_field(&h, rows[i]);
  return hm_sha256_hex(&h, a, 16);
}

/* Behind the colon: nothing in acknowledgements of older versions. */
static hm_str content_of(hm_str evidence) {
  ptrdiff_t colon = hm_str_find(evidence, ":");
  return colon < 0 ? HM_EMPTY : hm_str_sub(evidence, (size_t)colon + 1, evidence.n);
}

static bool is_evidence(hm_str acked, hm_str now) {
  ptrdiff_t colon = hm_str_find(acked, ":");
  return hm_str_eq(colon < 0 ? acked : hm_str_sub(acked, 0, (size_t)colon), now);
}

static hm_str evidence_of(const hm_snapshot *snap, const hm_finding *f, hm_arena *a) {
  hm_sha256 h;
  hm_sha256_init(&h);
  add_words(&h, f, f->message);
  for (size_t i = 0; i < f->n_rows; i++)
    add_row(&h, snap, f->rows[i]);
  return hm_sha256_hex(&h, a, 16);
}

/* Two digests of the content of the finding and its rows, "with ids:without ids". */
hm_str hm_finding_evidence(const hm_snapshot *snap, const hm_finding *f, hm_arena *a) {
  return HM_CAT(a, evidence_of(snap, f, a), HM_STR(":"), finding_content(snap, f, a));
}

static int by_subject(const void *key, const void *remark) {
  return hm_str_cmp(*(const hm_str *)key, ((const hm_remark *)remark)->subject);
}

/* Acknowledgements, not withdrawn, of findings that are not in f, by content: index into all. */
static hm_map by_content(const hm_remark *all, size_t n_all, const hm_finding *f, size_t n,
                         hm_arena *a) {
  hm_map here, out;
  hm_map_init(&here, a, n);
  hm_map_init(&out, a, n_all);
  for (size_t i = 0; i < n; i++)
    hm_map_add(&here, f[i].id, 0);
  for (size_t i = 0, end; i < n_all; i = end) {
    bool stands = hm_map_get(&here, all[i].subject) == HM_MAP_NONE;
    for (end = i; end < n_all && hm_str_eq(all[end].subject, all[i].subject); end++)
      stands = stands && !all[end].withdrawn;
    for (size_t k = i; k < end && stands; k++)
      if (content_of(all[k].evidence).n)
        hm_map_add(&out, content_of(all[k].evidence), (uint32_t)k);
  }
  return out;
}

size_t hm_findings_acknowledge(const hm_snapshot *snap, hm_finding *f, size_t n) {
  const hm_remark *all = snap->remarks[HM_REMARK_ACK];
  size_t n_all = snap->n_remarks[HM_REMARK_ACK], acked = 0;
  hm_arena *a = hm_arena_new(), *scratch = hm_arena_new();
  hm_map elsewhere = by_content(all, n_all, f, n, a);
  for (size_t i = 0; i < n && n_all; i++) {
    const hm_remark *at = bsearch(&f[i].id, all, n_all, sizeof *all, by_subject);
    if (!at) {
      uint32_t k = HM_MAP_NONE;
      if (elsewhere.n)
        k = hm_map_get(&elsewhere, finding_content(snap, &f[i], scratch));
      f[i].acked = k != HM_MAP_NONE;
      if (f[i].acked)
        f[i].ack = &all[k], acked++;
      hm_arena_reset(scratch);
      continue;
    }
    while (at > all && hm_str_eq(at[-1].subject, f[i].id))
      at--;
    hm_str evidence = evidence_of(snap, &f[i], scratch);
    bool agree = true;
    for (; at < all + n_all && hm_str_eq(at->subject, f[i].id); at++) {
      bool knew = !at->withdrawn && is_evidence(at->evidence, evidence);
      agree = agree && !at->withdrawn;
      f[i].acked = f[i].acked || knew;
      if (!at->withdrawn && (knew || !f[i].ack))
        f[i].ack = at;
    }
    f[i].acked = f[i].acked && agree;
    if (!agree)
      f[i].ack = NULL;
    acked += f[i].acked;
    hm_arena_reset(scratch);
  }
  hm_arena_free(scratch);
  hm_arena_free(a);
  return acked;
}
