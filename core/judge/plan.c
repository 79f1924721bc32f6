/* Chooses the facts for a model: hm_judge_plan_build of judge.h. What is near a new row is chosen
 * in neighbours.c; here is the other strategy, the story of a project.
 *
 * A story is about one project, as slots are. It has all new facts, and those others that the
 * forgetting curve keeps, by a seed made from the new rows unless given. So a run can be repeated,
 * and other rows get another sample. Cost: linear in the rows. */
#include <stdio.h>
#include <stdlib.h>

#include "core/base/json.h"
#include "core/base/par.h"
#include "core/base/text.h"
#include "core/claim/judged.h"
#include "core/slot/similar_groups.h"
#include "core/judge/plan_impl.h"

/* --- the curve ---------------------------------------------------------------------- */

#define HOURS(n) ((hm_time)(n)*3600 * 1000000)
static const struct {
  hm_time below;
  double chance;
} CURVE[] = {
  { HOURS(24), 0.30 },
  { HOURS(168), 0.15 },
  { HM_TIME_MAX, 0.07 },
};

double hm_judge_fact_keep_chance(hm_time age, uint32_t conflicts) {
  size_t i = 0;
  while (i + 1 < HM_COUNT(CURVE) && age >= CURVE[i].below)
    i++;
  double p = CURVE[i].chance;
  for (; conflicts && p < 1; conflicts--)
    p *= 2;
  return p < 1 ? p : 1;
}

bool hm_judge_fact_is_kept(const hm_judge_fact *f, hm_time now, uint64_t seed) {
  if (f->trigger || f->written == HM_TIME_MIN || now == HM_TIME_MAX)
    return true;
  double draw = (double)(hm_str_hash_seeded(f->ref, seed) >> 11) * 0x1p-53;
  return draw < hm_judge_fact_keep_chance(now - f->written, f->conflicts);
}

/* --- batches --------------------------------------------------------------------------- */

static hm_str line_with(const hm_judge_fact *f, hm_str text, bool cut, hm_arena *a) {
  hm_buf b = { 0 };
  hm_jw w;
  hm_jw_init(&w, &b, 0);
  hm_jw_obj(&w, NULL);
  hm_jw_str(&w, "id", hm_str_c(f->label));
  hm_jw_str_or_null(&w, "time", f->written == HM_TIME_MIN ? HM_EMPTY : hm_time_iso(a, f->written));
  if (f->scope.n)
    hm_jw_str(&w, "scope", hm_text_cut(f->scope, 80));
  if (f->from.n)
    hm_jw_str(&w, "from", hm_text_cut(f->from, 80));
  hm_jw_str(&w, "type", hm_text_cut(f->type, 80));
  hm_jw_str(&w, "text", cut ? HM_CAT(a, text, HM_STR("…")) : text);
  hm_jw_end(&w);
  hm_buf_ch(&b, '\n');
  return hm_buf_take(&b, a);
}

/* One line of JSON: its text cannot end the line, and so not the fence behind the last one. */
static hm_str line_of(const hm_judge_fact *f, hm_arena *a) {
  hm_str text = hm_text_cut(f->text, HM_JUDGE_LINE);
  hm_str line = line_with(f, text, text.n < f->text.n, a);
  while (line.n > HM_JUDGE_LINE) { /* characters may take six bytes in JSON */
    text = hm_text_cut(text, text.n - text.n / 8 - 1);
    line = line_with(f, text, true, a);
  }
  return line;
}

/* Where the batch after this one begins: with lines of its end that are a tenth of a batch. */
static size_t next_first(const hm_str *lines, size_t first, size_t end) {
  size_t bytes = 0, at = end;
  while (at > first + 1 && bytes + lines[at - 1].n <= HM_JUDGE_OVERLAP)
    bytes += lines[--at].n;
  return at;
}

size_t hm_judge_batches_build(const hm_judge_fact *facts, size_t n, hm_arena *a,
                              hm_judge_batch **out) {
  hm_str *lines = hm_alloc_array(a, n + 1, sizeof *lines);
  size_t count = 0, cap = 0;
  *out = NULL;
  if (n < 2)
    return 0;
  for (size_t i = 0; i < n; i++)
    lines[i] = line_of(&facts[i], a);
  for (size_t first = 0, end = 0; end < n; first = next_first(lines, first, end)) {
    size_t bytes = 0;
    for (end = first; end < n && bytes + lines[end].n <= HM_JUDGE_BATCH;)
      bytes += lines[end++].n;
    *out = hm_array_grow_in(a, *out, count, &cap, sizeof **out);
    (*out)[count++] =
        (hm_judge_batch){ first, end - first, hm_str_join(a, lines + first, end - first) };
  }
  return count;
}

/* The same for pairs, facts[2 * i] and facts[2 * i + 1]: never splits a pair, repeats no line. */
static size_t pair_batches(const hm_judge_fact *facts, size_t n, hm_arena *a,
                           hm_judge_batch **out) {
  hm_str *lines = hm_alloc_array(a, n + 1, sizeof *lines);
  size_t count = 0, cap = 0;
  *out = NULL;
  for (size_t i = 0; i < n; i++)
    lines[i] = line_of(&facts[i], a);
  for (size_t first = 0, end; first + 1 < n; first = end) {
    size_t bytes = 0;
    for (end = first; end + 1 < n; end += 2) {
      bytes += lines[end].n + lines[end + 1].n;
      if (end > first && bytes > HM_JUDGE_BATCH)
        break;
    }
    *out = hm_array_grow_in(a, *out, count, &cap, sizeof **out);
    (*out)[count++] =
        (hm_judge_batch){ first, end - first, hm_str_join(a, lines + first, end - first) };
  }
  return count;
}

/* --- the story of a project ------------------------------------------------------------- */

static void find_new(hm_judge_planning *p) {
  const hm_snapshot *snap = p->opt->snap;
  hm_judged_row j;
  size_t n = 0;
  for (uint32_t i = 0; p->opt->all && i < snap->n_rows; i++) {
    if (p->opt->limit && n >= p->opt->limit)
      break;
    hm_arena_reset(p->scratch);
    p->new[i] = hm_judge_is_readable(p, i, &j);
    n += p->new[i];
  }
  for (size_t i = 0; i < p->opt->n_queue; i++) {
    uint32_t row = hm_snapshot_ref(snap, HM_MEMORY, p->opt->queue[i].ref);
    hm_arena_reset(p->scratch);
    if (row != HM_MAP_NONE && hm_judge_is_readable(p, row, &j))
      p->new[row] = true;
  }
}

static void count_conflicts(hm_judge_planning *p) {
  const hm_snapshot *snap = p->opt->snap;
  for (size_t k = 0; k < snap->n_conflicts; k++) {
    const hm_conflict_rec *c = &snap->conflicts[k];
    for (size_t i = 0; c->status != HM_MERGED && i < c->n_members; i++) {
      uint32_t row = hm_snapshot_row(snap, c->members[i].layer, c->members[i].id);
      if (row != HM_MAP_NONE)
        p->conflicts[row]++;
    }
  }
}

static uint64_t make_seed(const hm_judge_planning *p) {
  uint64_t seed = 0;
  if (p->opt->seed)
    return *p->opt->seed;
  for (size_t i = 0; i < p->opt->snap->n_rows; i++) {
    const hm_row *r = &p->opt->snap->rows[i];
    if (p->new[i])
      seed = hm_hash_mix(
          seed, hm_hash_mix(hm_hash_mix(r->layer, hm_str_hash(r->id)), hm_str_hash(r->text)));
  }
  return seed & INT64_MAX; /* so that it can be given as an option */
}

/* Adds the row to the story if it belongs there. */
static void add_row(hm_judge_planning *p, hm_judge_story *story, size_t *cap, uint32_t row) {
  hm_judged_row j;
  hm_arena_reset(p->scratch);
  if (!hm_judge_is_readable(p, row, &j))
    return;
  hm_judge_fact f = hm_judge_fact_of(p, row, &j);
  if (!hm_judge_fact_is_kept(&f, p->opt->snap->now, p->out->seed)) {
    story->forgotten++;
    return;
  }
  if (!hm_judge_may_send(p, row, &j))
    return;
  story->facts = hm_array_grow_in(p->a, story->facts, story->n, cap, sizeof f);
  story->facts[story->n++] = f;
  story->triggers += f.trigger;
}

static void add_stories(hm_judge_planning *p) {
  const hm_snapshot *snap = p->opt->snap;
  size_t *cap = hm_alloc_array(p->a, snap->n_projects + 1, sizeof *cap), n = 0;
  uint32_t *story_of = hm_alloc_array(p->a, snap->n_projects + 1, sizeof *story_of);
  hm_judge_story *all = hm_alloc_array(p->a, snap->n_projects + 1, sizeof *all);
  for (size_t i = 0; i < snap->n_projects; i++) {
    if (!p->told[i])
      continue;
    story_of[i] = (uint32_t)n;
    all[n++].project = snap->projects[i].id;
  }
  for (uint32_t i = 0; i < snap->n_rows; i++) {
    uint32_t project = snap->rows[i].project;
    if (p->told[project])
      add_row(p, &all[story_of[project]], &cap[story_of[project]], i);
  }
  for (size_t i = 0; i < n; i++) {
    if (!all[i].triggers)
      all[i].n = 0; /* what is new stays in the house: nothing to ask */
    hm_judge_facts_order(all[i].facts, all[i].n);
    all[i].n_batches = hm_judge_batches_build(all[i].facts, all[i].n, p->a, &all[i].batches);
  }
  p->out->stories = all;
  p->out->n = n;
}

/* --- pairs ----------------------------------------------------------------------------- */

/* False: it may not be sent. Rows that stay here are counted in their story. */
static bool fact_of_pair(hm_judge_planning *p, uint32_t row, hm_judge_fact *out) {
  hm_judged_row j;
  size_t secrets = p->out->secrets, hidden = p->out->hidden;
  hm_arena_reset(p->scratch);
  bool sent = hm_judge_is_readable(p, row, &j) && hm_judge_may_send(p, row, &j);
  p->out->secrets = secrets;
  p->out->hidden = hidden;
  if (!sent)
    return false;
  *out = hm_judge_fact_of(p, row, &j);
  return true;
}

/* A key of two rows and their digests, in any order. */
static hm_str pair_key(const hm_str refs[2], const hm_str digests[2], hm_arena *a) {
  int first = hm_str_cmp(refs[0], refs[1]) > 0;
  hm_buf b = { 0 };
  hm_buf_fmt(&b, "%zu ", refs[first].n);
  for (int i = 0; i < 2; i++) {
    hm_buf_str(&b, refs[first ^ i]);
    hm_buf_ch(&b, ' ');
    hm_buf_str(&b, digests[first ^ i]);
  }
  return hm_buf_take(&b, a);
}

/* The pairs of all proposals. */
static hm_map judged_pairs(hm_judge_planning *p) {
  const hm_snapshot *s = p->opt->snap;
  hm_map judged;
  hm_map_init(&judged, p->a, s->n_proposals);
  for (size_t k = 0; k < s->n_proposals; k++) {
    const hm_proposal *q = &s->proposals[k];
    if (q->n == 2)
      hm_map_set(&judged, pair_key(q->rows, q->digests, p->a), 0);
  }
  return judged;
}

static bool was_judged(const hm_map *judged, const hm_judge_fact two[2], hm_arena *scratch) {
  const hm_str refs[] = { two[0].ref, two[1].ref }, digests[] = { two[0].digest, two[1].digest };
  return hm_map_get(judged, pair_key(refs, digests, scratch)) != HM_MAP_NONE;
}

static int by_project(const void *x, const void *y, void *snap) {
  const hm_similar_pair *a = x, *b = y;
  const hm_row *rows = ((const hm_snapshot *)snap)->rows;
  uint32_t p = rows[a->x].project, q = rows[b->x].project;
  if (p != q)
    return (p > q) - (p < q);
  return a->x != b->x ? (a->x > b->x) - (a->x < b->x) : (a->y > b->y) - (a->y < b->y);
}

/* Adds pairs that only a judge can decide, a story per project, after the other stories. */
static void add_pair_stories(hm_judge_planning *p) {
  const hm_snapshot *snap = p->opt->snap;
  hm_similar_input q = { .snap = snap, .rules = p->opt->rules };
  hm_similar_pair *v;
  hm_claims *claims;
  if (!p->opt->rules || hm_claims_read(snap, p->opt->rules, hm_par_cores(), &claims, NULL))
    return;
  q.claims = claims;
  size_t n = hm_similar_undecided_pairs(&q, p->new, p->a, &v, NULL), cap = p->out->n;
  hm_claims_free(claims);
  if (n)
    qsort_r(v, n, sizeof *v, by_project, (void *)snap);
  hm_map judged = judged_pairs(p);
  for (size_t i = 0, end; i < n;) {
    uint32_t project = snap->rows[v[i].x].project;
    for (end = i; end < n && snap->rows[v[end].x].project == project; end++)
      continue;
    hm_judge_story story = { .project = snap->projects[project].id, .pairs = true };
    story.facts = hm_alloc_array(p->a, 2 * (end - i), sizeof *story.facts);
    for (; i < end; i++) {
      hm_judge_fact *two = &story.facts[story.n];
      if (fact_of_pair(p, v[i].x, &two[0]) && fact_of_pair(p, v[i].y, &two[1]) &&
          !was_judged(&judged, two, p->scratch))
        story.n += 2;
    }
    if (!story.n)
      continue;
    p->out->n_pairs += story.n / 2;
    hm_judge_facts_label(story.facts, story.n);
    story.n_batches = pair_batches(story.facts, story.n, p->a, &story.batches);
    p->out->stories =
        hm_array_grow_in(p->a, p->out->stories, p->out->n, &cap, sizeof *p->out->stories);
    p->out->stories[p->out->n++] = story;
  }
}

void hm_judge_plan_build(const hm_judge_options *opt, hm_arena *a, hm_judge_plan *out) {
  const hm_snapshot *snap = opt->snap;
  hm_judge_planning p = { .opt = opt,
                          .a = a,
                          .scratch = hm_arena_new(),
                          .new = hm_alloc_array(a, snap->n_rows + 1, sizeof *p.new),
                          .conflicts = hm_alloc_array(a, snap->n_rows + 1, sizeof *p.conflicts),
                          .told = hm_alloc_array(a, snap->n_projects + 1, sizeof *p.told),
                          .out = out };
  *out = (hm_judge_plan){ 0 };
  find_new(&p);
  count_conflicts(&p);
  out->seed = make_seed(&p);
  for (size_t i = 0; i < snap->n_rows; i++)
    if (p.new[i])
      p.told[snap->rows[i].project] = true;
  for (size_t i = 0; i < snap->n_projects; i++)
    out->n_projects += p.told[i];
  if (opt->story) {
    add_stories(&p);
    add_pair_stories(&p);
  } else
    hm_judge_plan_neighbours(&p);
  hm_arena_free(p.scratch);
}
