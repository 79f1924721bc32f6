/* Rules on statements of people and models: conflicts that a model proposed or a person confirmed,
 * and findings about similar texts and flagged rows.
 *
 * Only rows of a proposal count that still say what was judged. In a model's proposal all
 * contradict each other; among similar texts those of which one denies the other, or all
 * duplicates. Cost: the pairs of a proposal, which has at most 64 rows; for similar texts see
 * similar_groups.h. */
#include <stdlib.h>

#include "core/base/text.h"
#include "core/base/sort.h"
#include "core/claim/judged.h"
#include "core/detect/conflict.h"
#include "core/detect/explain.h"
#include "core/detect/rule.h"
#include "core/slot/similar_groups.h"
#include "core/recall/text_similarity.h"

enum { PARTIES_MAX = 64 }; /* of a proposal that another program wrote */

void hm_find_judged(const hm_scope *s, hm_found *out) {
  const hm_slot_claims *slot = s->slot;
  size_t n = slot->n < PARTIES_MAX ? slot->n : PARTIES_MAX, n_pairs = 0;
  const hm_claim *first = slot->items[0].claim;
  if (!hm_claim_is_judged(first) || hm_claim_is_confirmed(first))
    return;
  const hm_claim **claims = hm_alloc_array(s->scratch, n, sizeof *claims);
  hm_party_pair *pairs = hm_alloc_array(s->scratch, n * n, sizeof *pairs);
  for (uint32_t i = 0; i < n; i++) {
    claims[i] = slot->items[i].claim;
    for (uint32_t k = 0; k < i; k++)
      pairs[n_pairs++] = (hm_party_pair){ k, i };
  }
  hm_str key = hm_conflict_slot_key(hm_found_arena(out), s->snap, claims[0]);
  hm_found_add_conflict(out, s, key, claims, n, pairs, n_pairs);
}

static int polarity_of(const hm_claim *c) {
  return hm_str_is(c->compare, "+") - hm_str_is(c->compare, "-");
}

/* One denies the other still, by their texts or as their writers say. */
static bool deny(const hm_similar_text *x, const hm_claim *cx, const hm_similar_text *y,
                 const hm_claim *cy) {
  return hm_similar_compare_words(x, polarity_of(cx), y, polarity_of(cy)).kind ==
      HM_ALIKE_CONTRADICTION;
}

void hm_find_confirmed(const hm_scope *s, hm_found *out) {
  const hm_slot_claims *slot = s->slot;
  size_t n = slot->n < PARTIES_MAX ? slot->n : PARTIES_MAX, n_pairs = 0;
  if (!hm_claim_is_confirmed(slot->items[0].claim))
    return;
  bool denied = hm_str_is(slot->items[0].claim->space, HM_CONFIRMED_DENIED) &&
      !hm_claim_is_confirmed_judged(slot->items[0].claim);
  const hm_claim **claims = hm_alloc_array(s->scratch, n, sizeof *claims);
  hm_party_pair *pairs = hm_alloc_array(s->scratch, n * n, sizeof *pairs);
  hm_similar_text *texts = hm_alloc_array(s->scratch, n, sizeof *texts);
  for (uint32_t i = 0; i < n; i++) {
    claims[i] = slot->items[i].claim;
    hm_similar_text_parse(claims[i]->value.raw, s->scratch, &texts[i]);
    for (uint32_t k = 0; k < i; k++)
      if (!denied || deny(&texts[k], claims[k], &texts[i], claims[i]))
        pairs[n_pairs++] = (hm_party_pair){ k, i };
  }
  hm_str key = hm_conflict_slot_key(hm_found_arena(out), s->snap, claims[0]);
  hm_found_add_conflict(out, s, key, claims, n, pairs, n_pairs);
}

void hm_explain_confirmed(hm_explainer *t, const hm_dispute *d) {
  const hm_snapshot *snap = t->w->snap;
  hm_arena *a = hm_arena_new();
  const hm_proposal *p = hm_judged_slot_find_proposal(snap, d->parties[0].claim->name, a);
  hm_buf_c(&t->line, "A person confirmed what their texts show");
  if (p)
    hm_explain_quote(t, ", and asks: ", p->question);
  hm_explain_end_line(t, ".");
  hm_arena_free(a);
  hm_explain_members(t, d, NULL);
}

void hm_explain_judged(hm_explainer *t, const hm_dispute *d) {
  const hm_snapshot *snap = t->w->snap;
  hm_arena *a = hm_arena_new();
  const hm_proposal *p = hm_judged_slot_find_proposal(snap, d->parties[0].claim->name, a);
  if (p && p->model.n)
    hm_explain_quote(t, "A person confirmed what was proposed by the model ", p->model);
  else
    hm_buf_c(&t->line, "A person confirmed what was reported");
  if (p)
    hm_explain_quote(t, ": ", p->question);
  hm_explain_end_line(t, ". No rule computed it: read what the rows say.");
  hm_arena_free(a);
  hm_explain_members(t, d, NULL);
}

/* --- proposals that repeat a dispute --------------------------------------------------- */

/* Finds disputes proposed by a model that another dispute already covers.
 *
 * A rule may find a contradiction after a model proposed it: then the same rows are in two
 * disputes, and a person would be asked twice. A judged dispute is left out when one dispute that
 * no model proposed holds all of its rows, disputed or settled; of several the first. Its record
 * merges into that one's (conflict_plan.c), and is open again when that one is gone. A verdict on
 * it stays as it is. Cost: O(n log n) over the parties of all disputes that share a row with a
 * judged one; one look at each dispute where none is judged.
 * Source: a proposal over rows that are in a conflict already adds nothing. */

/* A row that is in a dispute. */
typedef struct {
  uint32_t row, dispute;
} row_in;

static bool is_proposed(const hm_dispute *d) {
  const hm_claim *c = d->parties[0].claim;
  return hm_claim_is_judged(c) && !hm_claim_is_confirmed(c);
}

static int by_row(const void *x, const void *y) {
  const row_in *a = x, *b = y;
  if (a->row != b->row)
    return a->row < b->row ? -1 : 1;
  return (a->dispute > b->dispute) - (a->dispute < b->dispute);
}

/* Rows of the disputes that no model proposed, as far as judged disputes have them. */
static row_in *list_rows(const hm_snapshot *snap, const hm_disputes *d, hm_arena *a, size_t *n) {
  bool *judged = hm_alloc_array(a, snap->n_rows, sizeof *judged);
  row_in *v = NULL;
  size_t cap = 0;
  for (size_t i = 0; i < d->n; i++)
    for (size_t k = 0; k < d->disputes[i].n && is_proposed(&d->disputes[i]); k++)
      judged[d->disputes[i].parties[k].claim->row] = true;
  *n = 0;
  for (size_t i = 0; i < d->n; i++)
    for (size_t k = 0; k < d->disputes[i].n && !is_proposed(&d->disputes[i]); k++) {
      uint32_t row = d->disputes[i].parties[k].claim->row;
      if (!judged[row])
        continue;
      v = hm_array_grow_in(a, v, *n, &cap, sizeof *v);
      v[(*n)++] = (row_in){ row, (uint32_t)i };
    }
  if (*n)
    qsort(v, *n, sizeof *v, by_row);
  return v;
}

/* The first dispute with all rows of this one, or SIZE_MAX. */
static size_t repeated_by(const hm_dispute *d, const row_in *v, size_t n) {
  uint32_t first = d->parties[0].claim->row;
  size_t lo = hm_lower_bound(v, n, sizeof *v, &first, hm_order_u32);
  for (; lo < n && v[lo].row == first; lo++) {
    size_t k = 1;
    for (; k < d->n; k++) {
      row_in x = { d->parties[k].claim->row, v[lo].dispute };
      if (!bsearch(&x, v, n, sizeof x, by_row))
        break;
    }
    if (k == d->n)
      return v[lo].dispute;
  }
  return SIZE_MAX;
}

void hm_disputes_drop_judged_repeats(const hm_snapshot *snap, hm_disputes *d, hm_arena *a) {
  size_t n_judged = 0, n_rows, kept = 0;
  for (size_t i = 0; i < d->n; i++)
    n_judged += is_proposed(&d->disputes[i]);
  if (!n_judged || n_judged == d->n)
    return;
  hm_arena *scratch = hm_arena_new();
  const row_in *rows = list_rows(snap, d, scratch, &n_rows);
  size_t *now = hm_alloc_array(scratch, d->n, sizeof *now), *of;
  of = hm_alloc_array(scratch, n_judged, sizeof *of);
  d->repeats = hm_alloc_array(a, n_judged, sizeof *d->repeats);
  for (size_t i = 0; i < d->n; i++) {
    const hm_dispute *x = &d->disputes[i];
    size_t by = is_proposed(x) ? repeated_by(x, rows, n_rows) : SIZE_MAX;
    if (by != SIZE_MAX) {
      of[d->n_repeats] = by;
      d->repeats[d->n_repeats++].slot_key = x->slot_key;
      continue;
    }
    now[i] = kept;
    d->disputes[kept++] = *x;
  }
  d->n = kept;
  for (size_t i = 0; i < d->n_repeats; i++)
    d->repeats[i].of = &d->disputes[now[of[i]]];
  hm_arena_free(scratch);
}

/* --- findings that a person has judged ------------------------------------------------- */

static bool has_all_rows(const hm_snapshot *snap, const hm_dispute *d, const hm_finding *f) {
  for (size_t i = 0; i < f->n_rows; i++) {
    uint32_t row = hm_snapshot_ref(snap, HM_MEMORY, f->rows[i]);
    size_t k = 0;
    while (k < d->n && d->parties[k].claim->row != row)
      k++;
    if (k == d->n)
      return false;
  }
  return true;
}

/* Of what a model proposed before its proposals were findings: rows that say what they said. */
static bool settles_all_rows(const hm_snapshot *snap, const hm_conflict_rec *c, const hm_finding *f,
                             hm_arena *a) {
  if (c->status == HM_OPEN || c->status == HM_MERGED || !hm_str_is(c->rule, "judged"))
    return false;
  for (size_t i = 0; i < f->n_rows; i++) {
    uint32_t row = hm_snapshot_ref(snap, HM_MEMORY, f->rows[i]);
    hm_judged_row j;
    if (row == HM_MAP_NONE || !hm_judged_row_read(&snap->rows[row], a, &j))
      return false;
    hm_str says = HM_CAT(a, HM_STR(HM_JUDGED_NORM), hm_judged_digest(&snap->rows[row], &j, a));
    size_t k = 0;
    while (k < c->n_members && !hm_str_eq(c->members[k].normal, says))
      k++;
    if (k == c->n_members)
      return false;
  }
  return true;
}

static bool is_known(const hm_snapshot *snap, const hm_disputes *d, const hm_finding *f,
                     hm_arena *a) {
  if (!hm_str_is(f->rule, HM_RULE_REPORTED))
    return false;
  for (size_t i = 0; i < d->n; i++)
    if (has_all_rows(snap, &d->disputes[i], f))
      return true;
  for (size_t i = 0; i < snap->n_conflicts; i++)
    if (settles_all_rows(snap, &snap->conflicts[i], f, a))
      return true;
  return false;
}

void hm_disputes_drop_known_reports(const hm_snapshot *snap, hm_disputes *d) {
  hm_arena *a = hm_arena_new();
  size_t kept = 0;
  for (size_t i = 0; i < d->n_findings; i++)
    if (!is_known(snap, d, &d->findings[i], a))
      d->findings[kept++] = d->findings[i];
  d->n_findings = kept;
  hm_arena_free(a);
}

/* --- similar texts --------------------------------------------------------------------- */

/* Findings about memories that say the same, or of which one denies the other: similar_groups.h.
 *
 * A finding holds all rows that such pairs connect, oldest first. It is found by text alone: no
 * conflict, no marker. `hmirror findings confirm` makes it one (core/review/finding_review.h). */

enum { TEXT_SHOWN = 160, MODEL_SHOWN = 60 };

static hm_str quoted(hm_str whole, hm_arena *a) {
  hm_str text = hm_text_cut(hm_text_repair(a, hm_str_trim(whole)), TEXT_SHOWN);
  const char *more = text.n < hm_str_trim(whole).n ? "..." : "";
  return hm_str_fmt(a, "\"%.*s%s\"", HM_FMT(text), more);
}

/* The oldest row that denies the first; of duplicates, that says it in other letters. */
static const hm_row *other_of(const hm_snapshot *snap, const hm_similar_group *g, hm_arena *a) {
  const hm_row *first = &snap->rows[g->rows[0]];
  hm_similar_text x, y;
  hm_similar_text_parse(first->text, a, &x);
  for (size_t i = 1; i < g->n; i++) {
    const hm_row *other = &snap->rows[g->rows[i]];
    hm_similar_text_parse(other->text, a, &y);
    bool denies = hm_similar_compare_words(&x, first->polarity, &y, other->polarity).kind ==
        HM_ALIKE_CONTRADICTION;
    if (g->kind == HM_ALIKE_CONTRADICTION ? denies : !hm_str_eq(first->text, other->text))
      return other;
  }
  return g->kind == HM_ALIKE_CONTRADICTION ? &snap->rows[g->rows[1]] : NULL;
}

static hm_str message_of(const hm_snapshot *snap, const hm_similar_group *g, hm_arena *scratch,
                         hm_arena *a) {
  const hm_row *first = &snap->rows[g->rows[0]], *other = other_of(snap, g, scratch);
  hm_str count = hm_str_fmt(a, "%zu memories", g->n);
  if (g->kind == HM_ALIKE_CONTRADICTION)
    return HM_CAT(a, g->n > 2 ? HM_CAT(a, count, HM_STR(" deny each other: ")) : HM_EMPTY,
                  quoted(first->text, a), HM_STR(" beside "), quoted(other->text, a));
  hm_str also = other ? HM_CAT(a, HM_STR(" and "), quoted(other->text, a)) : HM_EMPTY;
  return HM_CAT(a, count, HM_STR(" say the same: "), quoted(first->text, a), also);
}

static void add_group(const hm_scope *s, const hm_similar_group *g, hm_found *out) {
  hm_arena *a = hm_found_arena(out);
  hm_finding f = { .project = s->snap->projects[s->snap->rows[g->rows[0]].project].id,
                   .rows = hm_alloc_array(a, g->n, sizeof *f.rows),
                   .n_rows = g->n,
                   .message = message_of(s->snap, g, s->scratch, a) };
  for (size_t i = 0; i < g->n; i++)
    f.rows[i] = hm_row_ref(a, &s->snap->rows[g->rows[i]]);
  if (g->reason)
    f.reason = hm_str_c(g->reason);
  if (g->kind == HM_ALIKE_DUPLICATE) {
    f.kind = f.key = HM_STR("possible_duplicate");
    f.severity = hm_str_c(hm_severity_name(HM_SEVERITY_INFO));
    f.expected = HM_STR("one of them");
  }
  f.actual = hm_str_fmt(a, "cosine %.2f", g->cosine);
  hm_found_add_finding(out, f);
}

/* What a judge said of texts that the words alone do not decide. */
static void add_judged(const hm_scope *s, const hm_similar_pair *pair, hm_found *out) {
  hm_arena *a = hm_found_arena(out);
  const hm_snapshot *snap = s->snap;
  const hm_row *x = &snap->rows[pair->x], *y = &snap->rows[pair->y];
  hm_str asked = pair->by->question;
  hm_finding f = { .project = snap->projects[x->project].id,
                   .rows = hm_alloc_array(a, 2, sizeof *f.rows),
                   .n_rows = 2,
                   .reason = HM_STR("judged") };
  f.rows[0] = hm_row_ref(a, x);
  f.rows[1] = hm_row_ref(a, y);
  f.message = HM_CAT(a, quoted(x->text, a), HM_STR(" beside "), quoted(y->text, a), HM_STR(": "),
                     hm_str_sub(asked, sizeof HM_SIMILAR_QUESTION - 1, asked.n));
  f.actual = hm_str_fmt(a, "cosine %.2f; proposed by %.*s", pair->cosine,
                        HM_FMT(hm_text_cut(pair->by->model, MODEL_SHOWN)));
  hm_found_add_finding(out, f);
}

/* Documents repeat each other for their readers' sake. */
static bool are_lines_of_documents(const hm_scope *s, const hm_similar_group *g) {
  bool all = true;
  for (size_t i = 0; i < g->n && all; i++)
    all = hm_row_file_line(&s->snap->rows[g->rows[i]], s->scratch).n > 0;
  return all;
}

void hm_find_similar(const hm_scope *s, hm_found *out) {
  hm_similar_input q = { s->snap, s->claims, s->config, false, s->threads };
  hm_similar_group *groups;
  hm_similar_pair *pairs;
  size_t n = hm_similar_find_groups(&q, s->rows, s->n_rows, s->scratch, &groups);
  for (size_t i = 0; i < n; i++)
    if (groups[i].kind != HM_ALIKE_DUPLICATE || !are_lines_of_documents(s, &groups[i]))
      add_group(s, &groups[i], out);
  n = s->snap->n_proposals ? hm_similar_judged_pairs(&q, s->scratch, &pairs) : 0;
  for (size_t i = 0; i < n; i++)
    add_judged(s, &pairs[i], out);
}

/* --- what models propose, and agents and people report -------------------------------------- */

/* A finding for each report, however many say the same of these rows. What models propose of rows
 * that share one is one finding, so that one row that misleads a model is asked about once. What a
 * person called no contradiction is left out while the texts are as they were. */

enum { ASKED_SHOWN = 400, WHY_SHOWN = 400, REPORTED_ROWS = 64 };

/* Proposals that are told together, by the number of the first. */
typedef struct {
  const hm_proposal **v;
  size_t n, *of;
} reports;

static size_t first_of(const reports *r, size_t i) {
  while (r->of[i] != i)
    i = r->of[i];
  return i;
}

static void join(reports *r, hm_map *map, hm_str key, size_t i) {
  uint32_t had = hm_map_get(map, key);
  if (had == HM_MAP_NONE) {
    hm_map_add(map, key, (uint32_t)i);
    return;
  }
  size_t x = first_of(r, had), y = first_of(r, i);
  r->of[x > y ? x : y] = x < y ? x : y;
}

static hm_str key_of_rows(const hm_proposal *p, hm_arena *a) {
  hm_buf b = { 0 };
  for (size_t i = 0; i < p->n; i++)
    hm_buf_fmt(&b, "%zu %.*s ", p->rows[i].n, HM_FMT(p->rows[i]));
  return hm_buf_take(&b, a);
}

static reports read_reports(const hm_snapshot *snap, hm_arena *a) {
  hm_map agreed, by_key, by_row;
  reports r = { .v = hm_alloc_array(a, snap->n_proposals + 1, sizeof *r.v),
                .of = hm_alloc_array(a, snap->n_proposals + 1, sizeof *r.of) };
  hm_map_init(&agreed, a, 0);
  hm_map_init(&by_key, a, snap->n_proposals);
  hm_map_init(&by_row, a, snap->n_proposals);
  for (size_t i = 0; i < snap->n_proposals; i++) {
    const hm_proposal *p = &snap->proposals[i];
    if (hm_str_is(p->says, HM_SAYS_AGREES) && !p->via.n && hm_proposal_holds(snap, p, a))
      hm_map_add(&agreed, key_of_rows(p, a), 0);
  }
  for (size_t i = 0; i < snap->n_proposals; i++) {
    const hm_proposal *p = &snap->proposals[i];
    if (!hm_proposal_is_open(p) || hm_proposal_is_similar(p) || !hm_proposal_holds(snap, p, a) ||
        (agreed.n && hm_map_get(&agreed, key_of_rows(p, a)) != HM_MAP_NONE))
      continue;
    r.v[r.n] = p;
    r.of[r.n] = r.n;
    join(&r, &by_key, key_of_rows(p, a), r.n);
    for (size_t k = 0; !p->says.n && k < p->n; k++)
      if (hm_proposal_row_holds(snap, p, k, a))
        join(&r, &by_row, p->rows[k], r.n);
    r.n++;
  }
  return r;
}

static int oldest_first(const void *x, const void *y, void *snap) {
  return hm_similar_age_order(snap, *(const uint32_t *)x, *(const uint32_t *)y);
}

/* The rows of all proposals of a group, oldest first. */
static size_t rows_of_group(const hm_scope *s, const reports *r, size_t group, uint32_t *out) {
  hm_map seen;
  size_t n = 0;
  hm_map_init(&seen, s->scratch, 8);
  for (size_t i = group; i < r->n; i++)
    for (size_t k = 0; first_of(r, i) == group && k < r->v[i]->n && n < REPORTED_ROWS; k++) {
      size_t had = seen.n;
      if (!hm_proposal_row_holds(s->snap, r->v[i], k, s->scratch))
        continue;
      hm_map_add(&seen, r->v[i]->rows[k], 0);
      if (seen.n > had)
        out[n++] = hm_snapshot_ref(s->snap, HM_MEMORY, r->v[i]->rows[k]);
    }
  qsort_r(out, n, sizeof *out, oldest_first, (void *)s->snap);
  return n;
}

static hm_str judged_quote(const hm_snapshot *snap, uint32_t row, hm_arena *scratch, hm_arena *a) {
  const hm_row *r = &snap->rows[row];
  hm_judged_row j;
  return quoted(hm_judged_row_read(r, scratch, &j) ? j.text : r->text, a);
}

/* "claude on 2026-05-02: they name two ports", "the model gpt". */
static hm_str said_by(const hm_proposal *p, hm_arena *a) {
  if (p->model.n && !p->says.n)
    return HM_CAT(a, HM_STR("proposed by the model "), hm_text_cut(p->model, MODEL_SHOWN));
  hm_str on = p->at.n ? HM_CAT(a, HM_STR(" on "), hm_str_sub(p->at, 0, 10)) : HM_EMPTY;
  hm_str why = hm_text_cut(hm_text_repair(a, p->why), WHY_SHOWN);
  return HM_CAT(a, HM_STR("reported by "), hm_text_cut(hm_text_repair(a, p->by), MODEL_SHOWN), on,
                why.n ? HM_STR(": ") : HM_EMPTY, why);
}

static void add_reported(const hm_scope *s, const reports *r, size_t group, hm_found *out) {
  hm_arena *a = hm_found_arena(out);
  const hm_snapshot *snap = s->snap;
  const hm_proposal *first = r->v[group];
  uint32_t rows[REPORTED_ROWS];
  size_t n = rows_of_group(s, r, group, rows), others = 0;
  for (size_t i = group + 1; i < r->n; i++) {
    const hm_proposal *p = r->v[i];
    if (first_of(r, i) != group)
      continue;
    others++;
    if (hm_str_cmp(p->at, first->at) < 0)
      first = p;
  }
  hm_finding f = { .project = snap->projects[snap->rows[rows[0]].project].id,
                   .rows = hm_alloc_array(a, n, sizeof *f.rows),
                   .n_rows = n,
                   .reason = first->says.n ? HM_STR("reported") : HM_STR("proposed"),
                   .actual = said_by(first, a) };
  for (size_t i = 0; i < n; i++)
    f.rows[i] = hm_row_ref(a, &snap->rows[rows[i]]);
  hm_str more = n > 2 ? hm_str_fmt(a, " and %zu more", n - 2) : HM_EMPTY;
  hm_str also = others ? hm_str_fmt(a, "; and %zu more say so", others) : HM_EMPTY;
  f.message = HM_CAT(a, judged_quote(snap, rows[0], s->scratch, a), HM_STR(" beside "),
                     judged_quote(snap, rows[1], s->scratch, a), more, HM_STR(": "),
                     hm_text_cut(hm_text_repair(a, first->question), ASKED_SHOWN), HM_STR(" ("),
                     f.actual, also, HM_STR(")"));
  hm_found_add_finding(out, f);
}

void hm_find_reported(const hm_scope *s, hm_found *out) {
  if (!s->snap->n_proposals)
    return;
  const reports r = read_reports(s->snap, s->scratch);
  for (size_t i = 0; i < r.n; i++)
    if (r.of[i] == i)
      add_reported(s, &r, i, out);
}

/* --- rows that people flagged --------------------------------------------------------------- */

enum { REASON_SHOWN = 300, NAME_SHOWN = 80 };

static hm_str shown(hm_str s, size_t most, hm_arena *a) {
  return hm_text_cut(hm_text_repair(a, s), most);
}

/* One for each flag. A flag of a row that is not stored waits for it. */
void hm_find_flagged(const hm_scope *s, hm_found *out) {
  hm_arena *a = hm_found_arena(out);
  for (size_t i = 0; i < s->snap->n_remarks[HM_REMARK_FLAG]; i++) {
    const hm_remark *m = &s->snap->remarks[HM_REMARK_FLAG][i];
    uint32_t row = hm_snapshot_ref(s->snap, HM_ENTITY, m->subject);
    if (m->withdrawn || row == HM_MAP_NONE)
      continue;
    hm_str *ref = hm_alloc(a, sizeof *ref);
    *ref = hm_row_ref(a, &s->snap->rows[row]);
    hm_str by = m->by.n ? HM_CAT(a, HM_STR(" by "), shown(m->by, NAME_SHOWN, a)) : HM_EMPTY;
    hm_str on = m->at.n ? HM_CAT(a, HM_STR(" on "), hm_str_sub(m->at, 0, 10)) : HM_EMPTY;
    hm_str why =
        m->reason.n ? HM_CAT(a, HM_STR(": "), shown(m->reason, REASON_SHOWN, a)) : HM_EMPTY;
    hm_found_add_finding(
        out,
        (hm_finding){ .project = s->snap->projects[s->snap->rows[row].project].id,
                      .rows = ref,
                      .n_rows = 1,
                      .key = m->id,
                      .message = HM_CAT(a, *ref, HM_STR(" was flagged for review"), by, on, why) });
  }
}
