/* The driver: runs a table of rules over everything.
 *
 * Rules by slot share one pass over the slots in which claims differ, rules by row and by reference
 * one pass over the rows; the others run one after another. Passes are split into jobs for all
 * cores; each worker collects results, which are sorted at the end. Cost: claims log claims, and
 * for each rule the rows and references that it declares. */
#include <stdlib.h>
#include <string.h>

#include "core/base/par.h"
#include "core/base/sort.h"
#include "core/detect/rule_driver.h"
#include "core/detect/rule_watch.h"

enum { WORTH_THREADS = 20000, PART_ROWS = 4096 };

typedef struct {
  const hm_snapshot *snap;
  const hm_claims *claims;
  const hm_rules *config;
  const hm_rule_table *table;
  const bool *off;     /* beside the table's rules */
  const bool *by_rows; /* likewise: those that run row by row, by row or reference */
  hm_rules_which which;
  int threads;
  hm_slot_groups groups;
  const hm_row_graph *graph;
  hm_ties *ties;
  hm_existences lives; /* where a rule reads them */
  size_t tied;         /* of rows before this one: relations tie, and are not tied */
  hm_snapshot narrow;  /* the rows, without what only a rule by world may see */
  hm_found *workers;
} run;

/* --- one call ---------------------------------------------------------------------------- */

static void find(const run *r, const hm_rule *rule, hm_scope *s, hm_found *out) {
  hm_rule_work *work = &out->work[rule - r->table->rules];
  size_t before = out->n, findings = out->findings.n;
  if (!s->n_alike)
    s->n_alike = 1;
  s->rule = out->rule = rule;
  s->config = r->config;
  s->threads = r->threads;
  s->snap = rule->by == HM_BY_WORLD ? r->snap : &r->narrow;
  s->scratch = out->scratch;
  s->lives = rule->reads_lives ? &r->lives : NULL;
  if (s->lives)
    show_lives_of(&r->lives, s);
  s->claims = rule->reads_claims ? r->claims : NULL;
  if (s->claims)
    show_claims(s->claims);
  for (size_t i = 0; i < s->n_rows && WATCHED; i++)
    show_row(rule, &r->snap->rows[s->rows[i]]);
  for (size_t i = 0; s->slot && i < s->slot->n && WATCHED; i++)
    show_row(rule, &r->snap->rows[s->slot->items[i].claim->row]);
  for (size_t i = 0; s->story && i < s->story->n && WATCHED; i++)
    show_row(rule, &r->snap->rows[s->story->claims[i]->row]);
  for (size_t i = 0; s->story && i < s->story->n_mentions && WATCHED; i++)
    show_row(rule, &r->snap->rows[s->story->mentions[i]->row]);
  rule->find(s, out);
  if (s->lives)
    hide_lives(&r->lives);
  if (s->claims)
    hide_claims(s->claims);
  for (size_t i = 0; i < s->n_rows && WATCHED; i++)
    hide_row(&r->snap->rows[s->rows[i]]);
  work->found += out->n - before;
  for (size_t k = 0; k < s->n_alike; k++) {
    work[k].keys++;
    work[k].rows += s->slot ? s->slot->n : s->link ? 1 : s->n_rows;
    for (size_t i = findings; i < out->findings.n; i++)
      work[k].found += s->n_alike == 1 || hm_str_is(out->findings.v[i].rule, rule[k].name);
  }
}

static bool wanted(const run *r, const hm_rule *rule, hm_keyspace by) {
  return rule->by == by && !r->off[rule - r->table->rules] &&
      (r->which == HM_RUN_ALL || by == HM_BY_SLOT ||
       (r->which == HM_RUN_CONFLICTS && rule->yields == HM_YIELDS_CONFLICT));
}

/* --- by slot ------------------------------------------------------------------------------ */

/* A slot has the claims of the layers that a rule declares; rules of the same layers share it. */
static void run_rules_on(const run *r, const hm_claim **claims, size_t n, size_t n_left_out,
                         hm_slot_story *story, hm_found *out) {
  hm_slot_claims slot = { 0 };
  uint32_t layers = 0;
  const hm_claim **holding = hm_alloc_array(out->scratch, n, sizeof *holding);
  size_t all = n;
  n = hm_found_drop_overtaken(out, r->snap, r->claims, claims, n, story, holding);
  for (size_t i = 0; i < r->table->n; i++) {
    const hm_rule *rule = &r->table->rules[i];
    if (!wanted(r, rule, HM_BY_SLOT) || (rule->reads_story && !story))
      continue;
    for (size_t k = 0; k < all && WATCHED; k++)
      show_whole_row(&r->snap->rows[claims[k]->row]);
    if (rule->layers != layers) {
      const hm_claim **of = hm_alloc_array(out->scratch, n, sizeof *of);
      size_t n_of = 0;
      for (size_t k = 0; k < n; k++)
        if (rule->layers >> holding[k]->layer & 1)
          of[n_of++] = holding[k];
      layers = rule->layers;
      hm_slot_claims_build(&slot, r->snap, of, n_of, r->config, out->scratch);
      hm_slot_mark_spared(&slot);
    }
    hm_scope s = { .slot = &slot,
                   .n_left_out = n_left_out,
                   .story = rule->reads_story ? story : NULL };
    if (s.story || slot.n > 1 || (slot.n && n_left_out))
      find(r, rule, &s, out);
  }
}

static int run_slot(void *ctx, size_t job, int worker) {
  const run *r = ctx;
  hm_found *out = &r->workers[worker];
  const hm_slot_group *g = &r->groups.groups[job];
  const hm_claim **claims = hm_alloc_array(out->scratch, g->n, sizeof *claims);
  size_t before = out->n;
  for (size_t k = 0; k < g->n; k++)
    claims[k] = &r->claims->claims[g->refs[k].claim];
  for (size_t k = 0; k < g->n && WATCHED; k++) {
    ASAN_UNPOISON_MEMORY_REGION(claims[k], sizeof *claims[k]);
    show_whole_row(&r->snap->rows[claims[k]->row]);
  }
  const hm_claim *context = r->claims->claims + r->claims->n;
  size_t n = hm_slot_claims_cut(r->snap, claims, g->n, context);
  hm_slot_story *story = hm_slot_story_build(r->snap, claims, n, r->config, out->scratch);
  run_rules_on(r, claims, n, g->n - n, story, out);
  for (size_t k = 0; k < g->n && WATCHED; k++)
    show_whole_row(&r->snap->rows[claims[k]->row]);
  if (story && out->n > before)
    story = hm_slot_story_build(r->snap, claims, n, r->config, out->a);
  for (size_t i = before; i < out->n; i++)
    out->disputes[i].story = story;
  for (size_t k = 0; k < g->n && WATCHED; k++)
    hide_row(&r->snap->rows[claims[k]->row]);
  for (size_t k = 0; k < g->n; k++)
    ASAN_POISON_MEMORY_REGION(claims[k], sizeof *claims[k]);
  hm_arena_reset(out->scratch);
  return 0;
}

/* --- by row, by ties and by reference ------------------------------------------------------ */

static void find_tied(const run *r, uint32_t row, hm_found *out) {
  int at = 0;
  for (const hm_rule *rule; (rule = hm_ties_next_rule(r->ties, row, &at));) {
    hm_scope s = { .rows = &row, .n_rows = 1, .ties = r->ties };
    if (wanted(r, rule, HM_BY_TIES))
      find(r, rule, &s, out);
  }
}

static void find_of_row(const run *r, uint32_t row, const hm_type_call *q, const hm_ref_card *cards,
                        size_t n_cards, hm_found *out) {
  hm_ref_card own[HM_N_NAMES];
  hm_scope s = { .rows = &row, .n_rows = 1, .cards = own, .n_alike = q->n };
  for (size_t j = 0; j < n_cards; j++)
    if (q->by_ref && q->columns & cards[j].column)
      own[s.n_cards++] = cards[j];
  if (!q->by_ref || s.n_cards)
    find(r, q->rule, &s, out);
}

/* The rules by row, ties and reference over a part of the rows. */
static int run_part(void *ctx, size_t part, int worker) {
  const run *r = ctx;
  hm_found *out = &r->workers[worker];
  hm_type_call_cache askings = { .table = r->table, .wanted = r->by_rows, .a = hm_arena_new() };
  size_t end = (part + 1) * PART_ROWS;
  hide_all(r->snap, r->claims);
  for (uint32_t i = (uint32_t)(part * PART_ROWS); i < end && i < r->snap->n_rows; i++) {
    hm_ref_card cards[HM_N_NAMES];
    const hm_row *row = &r->snap->rows[i];
    if (i < r->tied)
      find_tied(r, i, out);
    bool hidden = unhide_row(row);
    const hm_type_calls *of = hm_type_calls_find(&askings, row);
    if (hidden)
      hide_row(row);
    size_t n_cards = of->n ? hm_row_cards(r->snap, r->graph, i, UINT32_MAX, cards) : 0;
    for (size_t k = 0; k < of->n; k++)
      find_of_row(r, i, &of->rules[k], cards, n_cards, out);
  }
  show_all(r->snap, r->claims);
  hm_arena_free(askings.a);
  hm_arena_reset(out->scratch);
  return 0;
}

static void run_links(const run *r, const hm_rule *rule, hm_found *out) {
  hide_all(r->snap, r->claims);
  for (size_t i = 0; i < r->snap->n_links; i++) {
    hm_ref_card cards[2];
    hm_link_cards(r->snap, r->graph, i, cards);
    hm_scope s = { .link = &r->snap->links[i], .cards = cards, .n_cards = 2 };
    find(r, rule, &s, out);
  }
  show_all(r->snap, r->claims);
  hm_arena_reset(out->scratch);
}

/* What the reading of claims found under the rule's name, each with its row. */
static void run_unread(const run *r, const hm_rule *rule, hm_found *out) {
  for (size_t i = 0; i < r->claims->n_findings; i++) {
    const hm_finding *f = &r->claims->findings[i];
    if (!hm_str_is(f->rule, rule->name))
      continue;
    uint32_t row = hm_snapshot_ref(r->snap, HM_ENTITY, f->rows[0]);
    hm_scope s = { .rows = &row, .n_rows = 1, .unread = f };
    if (row == HM_MAP_NONE)
      continue;
    hide_all(r->snap, r->claims);
    find(r, rule, &s, out);
    show_all(r->snap, r->claims);
  }
}

/* --- by component, world --------------------------------------------------------------------- */

/* Rows of the rule's layers among these; columns: by row, those of their cards; NULL: no cards. */
static void find_among(const run *r, const hm_rule *rule, const uint32_t *columns, uint32_t *rows,
                       size_t n, hm_found *out) {
  hm_scope s = { .rows = rows };
  hm_ref_card few[HM_N_NAMES], *cards = columns ? few : NULL;
  if (columns && n > 1)
    cards = hm_alloc_array(out->scratch, n * HM_N_NAMES, sizeof *cards);
  for (size_t i = 0; i < n; i++) {
    const hm_row *row = &r->snap->rows[rows[i]];
    if (columns)
      s.n_cards += hm_row_cards(r->snap, r->graph, rows[i], columns[rows[i]], cards + s.n_cards);
    show_row(rule, row);
    if (rule->layers & HM_IN(row->layer))
      rows[s.n_rows++] = rows[i];
    hide_row(row);
  }
  s.cards = cards;
  if (s.n_rows && (s.n_cards || !columns))
    find(r, rule, &s, out);
  hm_arena_reset(out->scratch);
}

static void run_components(const run *r, const hm_rule *rule, hm_found *out) {
  hm_arena *a = hm_arena_new();
  uint32_t *rows = hm_alloc_array(a, r->snap->n_rows, sizeof *rows);
  bool *reached = hm_alloc_array(a, r->snap->n_rows, sizeof *reached);
  const uint32_t *columns = hm_rule_columns(rule, r->snap, a);
  hide_all(r->snap, r->claims);
  for (uint32_t i = 0; i < r->snap->n_rows; i++) {
    size_t n = hm_component_rows(r->graph, columns, i, reached, rows);
    if (n > 1)
      qsort(rows, n, sizeof *rows, hm_order_u32);
    if (n)
      find_among(r, rule, columns, rows, n, out);
  }
  show_all(r->snap, r->claims);
  hm_arena_free(a);
}

static void run_all_rows(const run *r, const hm_rule *rule, hm_found *out) {
  uint32_t *rows = hm_xmalloc(r->snap->n_rows * sizeof *rows);
  size_t n = 0;
  for (int l = HM_MEMORY; l <= HM_RELATION; l++)
    for (size_t i = r->snap->first[l]; rule->layers & HM_IN(l) && i < r->snap->first[l + 1]; i++)
      rows[n++] = (uint32_t)i;
  hide_all(r->snap, r->claims);
  find_among(r, rule, NULL, rows, n, out);
  show_all(r->snap, r->claims);
  free(rows);
}

/* A rule whose keys are found by themselves. */
static int run_alone(void *ctx, size_t job, int worker) {
  const run *r = ctx;
  hm_found *out = &r->workers[worker];
  const hm_rule *rule = &r->table->rules[job];
  if (wanted(r, rule, HM_BY_ROW) && rule->reads_unread)
    run_unread(r, rule, out);
  if (wanted(r, rule, HM_BY_REF) && rule->layers & HM_IN_LINKS)
    run_links(r, rule, out);
  if (wanted(r, rule, HM_BY_COMPONENT))
    run_components(r, rule, out);
  if (wanted(r, rule, HM_BY_WORLD))
    run_all_rows(r, rule, out);
  return 0;
}

/* --- all ------------------------------------------------------------------------------------ */

/* The order within one slot: by contested time, then first party. */
static int by_place(const void *x, const void *y, void *ctx) {
  const hm_dispute *a = x, *b = y;
  const run *r = ctx;
  int d = hm_str_cmp(a->slot_key, b->slot_key);
  if (!d)
    d = (a->rule > b->rule) - (a->rule < b->rule);
  if (!d)
    d = (a->from > b->from) - (a->from < b->from);
  if (!d)
    d = (a->until > b->until) - (a->until < b->until);
  return d ? d : hm_claim_member_order(r->snap, a->parties[0].claim, b->parties[0].claim);
}

static void *append(void *to, const void *from, size_t n, size_t size) {
  if (n)
    memcpy(to, from, n * size);
  return (char *)to + n * size;
}

static void merge_workers(run *r, int workers, hm_arena *a, hm_disputes *out) {
  for (int i = 0; i < workers; i++) {
    out->n += r->workers[i].n;
    out->n_findings += r->workers[i].findings.n;
    out->n_may += r->workers[i].n_may;
    out->n_overtaken += r->workers[i].n_overtaken;
  }
  hm_dispute *d = out->disputes = hm_alloc_array(a, out->n, sizeof *d);
  hm_finding *f = out->findings = hm_alloc_array(a, out->n_findings, sizeof *f);
  const hm_claim **m = out->may = hm_alloc_array(a, out->n_may, sizeof *m);
  hm_overtaken *s = out->overtaken = hm_alloc_array(a, out->n_overtaken, sizeof *s);
  out->n_work = r->table->n;
  out->work = hm_alloc_array(a, out->n_work, sizeof *out->work);
  for (int i = 0; i < workers; i++) {
    const hm_found *w = &r->workers[i];
    d = append(d, w->disputes, w->n, sizeof *d);
    f = append(f, w->findings.v, w->findings.n, sizeof *f);
    m = append(m, w->may, w->n_may, sizeof *m);
    s = append(s, w->overtaken, w->n_overtaken, sizeof *s);
    for (size_t k = 0; k < out->n_work; k++) {
      out->work[k].rule = &r->table->rules[k];
      out->work[k].keys += w->work[k].keys;
      out->work[k].rows += w->work[k].rows;
      out->work[k].found += w->work[k].found;
    }
  }
  if (out->n)
    qsort_r(out->disputes, out->n, sizeof *out->disputes, by_place, r);
  hm_overtaken_sort(out->overtaken, out->n_overtaken);
  if (r->ties)
    out->n_findings = hm_gaps_fold(r->ties, out->findings, out->n_findings, a);
  hm_findings_sort(out->findings, out->n_findings);
  out->n_findings = hm_findings_make_ids_unique(out->findings, out->n_findings, a);
}

/* What the rules that run read: rows one by one or by reference, lives. */
static void note_what_rules_read(const run *r, bool *by_rows, bool *lives) {
  *by_rows = *lives = false;
  for (size_t i = 0; i < r->table->n; i++)
    for (hm_keyspace by = HM_BY_ROW; by <= HM_BY_COMPONENT; by++) {
      if (by == HM_BY_SLOT || !wanted(r, &r->table->rules[i], by))
        continue;
      *by_rows = true;
      *lives = *lives || r->table->rules[i].reads_lives;
    }
}

/* tmp: memory for data that only rules read. */
static void run_passes(run *r, hm_arena *tmp) {
  bool by_rows, reads_lives;
  size_t failed; /* no job fails */
  int threads = r->snap->n_rows < WORTH_THREADS ? 1 : r->threads;
  note_what_rules_read(r, &by_rows, &reads_lives);
  if (reads_lives && r->claims->lives)
    r->lives = *r->claims->lives;
  else if (reads_lives)
    hm_existences_build(r->snap, r->config, threads, tmp, &r->lives);
  hide_all(r->snap, r->claims);
  hm_par_for(r->groups.n, r->threads, run_slot, r, &failed);
  show_all(r->snap, r->claims);
  r->graph = hm_snapshot_graph(r->snap, threads, tmp);
  if (r->which == HM_RUN_ALL && by_rows)
    r->ties = hm_ties_build(r->snap, r->graph, r->table, tmp);
  r->tied = r->ties ? r->snap->first[HM_RELATION] : 0;
  hide_lives(&r->lives);
  size_t parts = by_rows ? (r->snap->n_rows + PART_ROWS - 1) / PART_ROWS : 0;
  hm_par_for(parts, threads, run_part, r, &failed);
  hm_par_for(r->table->n, threads, run_alone, r, &failed);
}

int hm_rules_run(const hm_snapshot *snap, const hm_claims *claims, const hm_rules *config,
                 hm_rules_which which, int threads, hm_arena *a, hm_disputes **out, hm_err *err) {
  if (claims->n >= UINT32_MAX)
    return hm_fail(err, HM_E_STORE, "sweep", "the store holds over four billion claims",
                   "split it by project");
  if (threads < 1 || WATCHED)
    threads = 1;
  run r = { .snap = snap,
            .claims = claims,
            .config = config,
            .narrow = *snap,
            .table = hm_config_rule_table(config),
            .which = which,
            .threads = threads };
  bool *off = hm_alloc_array(a, r.table->n, sizeof *off);
  bool *by_rows = hm_alloc_array(a, r.table->n, sizeof *by_rows);
  r.off = off;
  r.by_rows = by_rows;
  for (size_t i = 0; i < r.table->n; i++) {
    const hm_rule *rule = &r.table->rules[i];
    off[i] = hm_rule_is_off(config, hm_str_c(rule->name));
    by_rows[i] =
        !rule->reads_unread && (wanted(&r, rule, HM_BY_REF) || wanted(&r, rule, HM_BY_ROW));
  }
  r.narrow.details = NULL;
  r.narrow.links = NULL;
  r.narrow.graph = NULL;
  r.narrow.conflicts = NULL;
  r.narrow.findings = NULL;
  memset(r.narrow.n_remarks, 0, sizeof r.narrow.n_remarks);
  r.narrow.n_links = r.narrow.n_conflicts = r.narrow.n_findings = 0;
  r.workers = hm_xmalloc((size_t)threads * sizeof *r.workers);
  for (int i = 0; i < threads; i++) {
    r.workers[i] = (hm_found){ .a = hm_arena_new(), .scratch = hm_arena_new(), .config = config };
    r.workers[i].findings.a = r.workers[i].a;
    r.workers[i].work = hm_alloc_array(r.workers[i].a, r.table->n, sizeof(hm_rule_work));
  }
  hm_slot_groups_build(claims->claims, claims->n, claims->n_context, threads, &r.groups);
  *out = hm_alloc(a, sizeof **out);
  **out =
      (hm_disputes){ .slots = r.groups.slots, .rules = config, .table = r.table, .claims = claims };
  hm_arena *tmp = hm_arena_new();
  run_passes(&r, tmp);
  merge_workers(&r, threads, a, *out);
  hm_slot_groups_free(&r.groups);
  show_lives(&r.lives);
  hm_arena_free(tmp);
  for (int i = 0; i < threads; i++) {
    hm_arena_merge(a, r.workers[i].a);
    hm_arena_free(r.workers[i].scratch);
  }
  free(r.workers);
  return 0;
}

int hm_disputes_find(const hm_snapshot *snap, const hm_claims *claims, const hm_rules *rules,
                     int threads, hm_arena *a, hm_disputes **out, hm_err *err) {
  return hm_rules_run(snap, claims, rules, HM_RUN_CONFLICTS, threads, a, out, err);
}
