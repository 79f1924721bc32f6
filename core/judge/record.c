/* Stores proposals, and puts rows in the queue and takes them out: hm_judge_record.
 *
 * A proposal is about the texts of its rows when they were read. If one changed meanwhile, nothing
 * is stored and the row is queued again. If one conflict, open or settled, already has all of its
 * rows with their current values, the proposal is dropped, since it would ask the same question
 * again. */
#include <string.h>

#include "core/claim/judged.h"
#include "core/judge/judge.h"
#include "core/record/texts.h"
#include "core/review/report.h"

/* A proposal that is being looked at. */
typedef struct {
  hm_store *s;
  const hm_snapshot *snap;
  const hm_plan *plan; /* the conflicts before anything is proposed */
  hm_arena *a;
  hm_err *err;
} looking;

static bool contains(hm_str text, hm_str part) {
  return part.n && part.n <= text.n && memmem(text.p, text.n, part.p, part.n);
}

/* Does the row still say what it was recorded with as a member? */
static bool says_still(const looking *l, const hm_member_rec *m) {
  uint32_t row = hm_snapshot_row(l->snap, m->layer, m->id);
  if (row == HM_MAP_NONE)
    return false;
  const hm_row *r = &l->snap->rows[row];
  hm_judged_row j;
  if (hm_str_starts(m->normal, HM_JUDGED_NORM))
    return hm_judged_row_read(r, l->a, &j) &&
        hm_str_eq(m->normal, HM_CAT(l->a, HM_STR(HM_JUDGED_NORM), hm_judged_digest(r, &j, l->a)));
  hm_str value = hm_str_starts(m->value, "not: ") ? hm_str_sub(m->value, 5, m->value.n) : m->value;
  if (r->layer != HM_ENTITY)
    return contains(r->text, value);
  return contains(r->props, value) || memchr(value.p, '"', value.n); /* escaped there */
}

/* Is each row a member of this conflict, and says what it said there? */
static bool is_covered_by(const looking *l, const hm_proposal *p, const hm_conflict_rec *c) {
  if (c->status == HM_MERGED)
    return false;
  for (size_t i = 0; i < p->n; i++) {
    bool member = false;
    for (size_t k = 0; k < c->n_members && !member; k++)
      member = hm_str_eq(hm_ref_text(l->a, c->members[k].layer, c->members[k].id), p->rows[i]) &&
          says_still(l, &c->members[k]);
    if (!member)
      return false;
  }
  return true;
}

/* Do all rows say what was judged, as active ones? */
static bool is_current(const looking *l, const hm_proposal *p) {
  for (size_t i = 0; i < p->n; i++) {
    hm_judged_row j;
    uint32_t row = hm_snapshot_ref(l->snap, HM_MEMORY, p->rows[i]);
    if (row == HM_MAP_NONE || l->snap->rows[row].status != HM_ACTIVE ||
        !hm_judged_row_read(&l->snap->rows[row], l->a, &j) ||
        !hm_str_eq(hm_judged_digest(&l->snap->rows[row], &j, l->a), p->digests[i]))
      return false;
  }
  return true;
}

static int add_proposal(const looking *l, hm_proposal *p, const hm_actor *who,
                        hm_judge_recorded *out) {
  bool covered = false, added = false;
  if (!is_current(l, p)) {
    out->changed++;
    return 0;
  }
  for (size_t i = 0; i < l->plan->n_conflicts && !covered; i++)
    covered = is_covered_by(l, p, &l->plan->conflicts[i]);
  int rc = covered ? 0 : hm_proposal_add(l->s, p, who, l->a, &added, l->err);
  out->in_conflict += covered;
  out->added += added;
  out->known += !covered && !added;
  return rc;
}

/* How many more proposals the model may have. */
static size_t count_left(const hm_sweep *w, const hm_judge_options *opt, const char *model,
                         const hm_actor *who) {
  size_t most = opt->a_day ? opt->a_day : HM_REPORTS_A_DAY;
  size_t open = hm_reports_open(w, hm_str_c(model), who->at);
  return open < most ? most - open : 0;
}

/* left: how many it may add. What is over waits: the story counts as one that was not answered. */
static int add_ideas(const looking *l, const hm_judge_plan *plan, const hm_judge_answers *answers,
                     size_t left, const char *model, const hm_actor *who, hm_judge_recorded *out) {
  hm_arena *a = l->a;
  for (size_t i = 0; i < answers->n; i++) {
    const hm_judge_suggestion *idea = &answers->ideas[i];
    const hm_judge_fact *facts = plan->stories[idea->story].facts;
    hm_proposal p = { .rows = hm_alloc_array(a, idea->n, sizeof *p.rows),
                      .digests = hm_alloc_array(a, idea->n, sizeof *p.digests),
                      .n = idea->n,
                      .question = plan->stories[idea->story].pairs
                          ? HM_CAT(a, HM_STR(HM_SIMILAR_QUESTION), idea->question)
                          : idea->question,
                      .model = hm_str_c(model) };
    for (size_t k = 0; k < idea->n; k++) {
      p.rows[k] = facts[idea->facts[k]].ref;
      p.digests[k] = facts[idea->facts[k]].digest;
    }
    if (out->added >= left) {
      out->over++;
      answers->story_failed[idea->story] = true;
    } else if (add_proposal(l, &p, who, out)) {
      return -1;
    }
  }
  return 0;
}

/* What became of the stories that have a row as a new one. */
enum { READ = 1, UNREADABLE = 2, SILENT = 4 };

static void read_failures(const hm_judge_plan *plan, const hm_judge_answers *answers, hm_map *out) {
  for (size_t i = 0; i < plan->n; i++) {
    const hm_judge_story *s = &plan->stories[i];
    uint32_t was = !answers->story_failed[i] ? READ
        : answers->story_unreadable[i]       ? UNREADABLE
                                             : SILENT;
    for (size_t k = 0; k < s->n; k++) {
      if (!s->facts[k].trigger)
        continue;
      uint32_t had = hm_map_get(out, s->facts[k].ref);
      hm_map_set(out, s->facts[k].ref, was | (had == HM_MAP_NONE ? 0 : had));
    }
  }
}

static int empty_queue(hm_store *s, hm_judge_options *opt, const hm_map *became,
                       hm_judge_recorded *out, hm_err *err) {
  size_t kept = 0;
  for (size_t i = 0; i < opt->n_queue; i++) {
    uint32_t was = hm_map_get(became, opt->queue[i].ref);
    bool left, failed = was != HM_MAP_NONE && was & UNREADABLE;
    if (was != HM_MAP_NONE && was & SILENT) {
      opt->queue[kept++] = opt->queue[i];
      continue;
    }
    if (hm_judge_queue_done(s, &opt->queue[i], failed, &left, err))
      return -1;
    out->left += left;
  }
  opt->n_queue = kept;
  return 0;
}

static int add_new_rows(hm_store *s, const hm_judge_plan *plan, hm_map *ours, hm_err *err) {
  for (size_t i = 0; i < plan->n; i++) {
    const hm_judge_story *t = &plan->stories[i];
    for (size_t k = 0; k < t->n; k++) {
      if (!t->facts[k].trigger || hm_map_get(ours, t->facts[k].ref) != HM_MAP_NONE)
        continue;
      hm_map_set(ours, t->facts[k].ref, true);
      if (hm_judge_queue_add(s, t->facts[k].ref, err))
        return -1;
    }
  }
  return 0;
}

int hm_judge_queue_plan(hm_store *s, hm_judge_options *opt, const hm_judge_plan *plan, hm_arena *a,
                        size_t *added, hm_err *err) {
  hm_map ours; /* false: somebody put it there, perhaps since the plan was made */
  hm_queued *v, *queue;
  size_t n, at = 0;
  hm_map_init(&ours, a, opt->n_queue);
  if (hm_store_begin(s, true, err))
    return -1;
  int rc = hm_judge_queue_read(s, INT32_MAX, a, &v, &n, err);
  for (size_t i = 0; !rc && i < n; i++)
    hm_map_set(&ours, v[i].ref, false);
  if (rc || add_new_rows(s, plan, &ours, err) ||
      hm_judge_queue_read(s, INT32_MAX, a, &v, &n, err)) {
    hm_store_rollback(s);
    return -1;
  }
  queue = hm_alloc_array(a, opt->n_queue + n + 1, sizeof *queue);
  for (; at < opt->n_queue; at++)
    queue[at] = opt->queue[at];
  for (size_t i = 0; i < n; i++)
    if (hm_map_get(&ours, v[i].ref) == true)
      queue[at++] = v[i];
  *added = at - opt->n_queue;
  opt->queue = queue;
  opt->n_queue = at;
  return hm_store_commit(s, err);
}

int hm_judge_unqueue(hm_store *s, const hm_queued *rows, size_t n, hm_err *err) {
  bool left;
  if (hm_store_begin(s, true, err))
    return -1;
  for (size_t i = 0; i < n; i++) {
    if (!hm_judge_queue_done(s, &rows[i], false, &left, err))
      continue;
    hm_store_rollback(s);
    return -1;
  }
  return hm_store_commit(s, err);
}

static void add_texts(hm_str **all, size_t *n_all, const hm_str *v, size_t n, hm_arena *a) {
  hm_str *joined = hm_alloc_array(a, *n_all + n + 1, sizeof *joined);
  for (size_t i = 0; i < *n_all + n; i++)
    joined[i] = i < *n_all ? (*all)[i] : v[i - *n_all];
  *all = joined;
  *n_all += n;
}

static int propose(hm_store *s, const hm_judge_options *opt, const hm_judge_plan *plan,
                   const hm_judge_answers *answers, const char *model, const hm_review *by,
                   hm_arena *a, hm_judge_recorded *out, hm_err *err) {
  hm_write_check *check;
  hm_write_result found;
  const hm_sweep *w;
  if (!answers->n)
    return 0;
  if (hm_write_check_begin(s, by->rules, a, &check, err))
    return -1;
  int rc = hm_write_check_before(check, &w, err);
  looking l = { .s = s, .snap = w->snap, .plan = w->plan, .a = a, .err = err };
  if (!rc)
    rc = add_ideas(&l, plan, answers, count_left(w, opt, model, &by->who), model, &by->who, out);
  if (rc) {
    hm_write_check_free(check);
    return -1;
  }
  if (hm_write_check_end(check, &by->who, &found, err))
    return -1;
  add_texts(&out->opened, &out->n_opened, found.opened, found.n_opened, a);
  hm_sweep_free(&found.sweep);
  return 0;
}

int hm_judge_record(hm_store *s, hm_judge_options *opt, const hm_judge_plan *plan,
                    const hm_judge_answers *answers, const char *model, const hm_review *by,
                    hm_arena *a, hm_judge_recorded *out, hm_err *err) {
  hm_map became;
  hm_str *warnings = NULL;
  size_t n_warnings = 0;
  if (!opt->n_queue && !answers->n)
    return 0;
  if (hm_store_begin(s, true, err))
    return -1;
  hm_arena *tmp = hm_arena_new();
  hm_map_init(&became, tmp, 64);
  int rc = propose(s, opt, plan, answers, model, by, a, out, err);
  read_failures(plan, answers, &became);
  rc = rc || empty_queue(s, opt, &became, out, err);
  hm_arena_free(tmp);
  if (rc) {
    hm_store_rollback(s);
    return -1;
  }
  hm_store_secrets_tell(s, a, &warnings, &n_warnings);
  add_texts(&out->warnings, &out->n_warnings, warnings, n_warnings, a);
  return hm_store_commit(s, err);
}
