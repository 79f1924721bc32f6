/* The questions to the model, in parallel, and what its answers have in common: hm_judge_ask. */
#include <stdlib.h>
#include <string.h>

#include "core/base/par.h"
#include "core/judge/chat.h"
#include "core/judge/judge.h"
#include "core/net/post.h"

enum { AT_ONCE = 4 };

/* One batch, and its answer. */
typedef struct {
  size_t story;
  const hm_story_batch *batch;
  hm_arena *a;
  hm_judge_answer answer;
  bool asked;
  hm_err err;
} question;

typedef struct {
  const hm_judge_plan *plan;
  const hm_judge_endpoint *to;
  question *questions;
} asking;

/* The body may quote the key, or facts, so it is not shown. */
static int check_status(int status, hm_err *err) {
  static const struct { int from, until; const char *why, *fix; } told[] = {
    { 401, 403, "refuses the key", "see the environment variable that judge.key_env names" },
    { 404, 404, "knows no such address", "see judge.url and judge.model in mirror.yml" },
    { 429, 429, "takes no more requests now", "try again later: what waits goes on waiting" },
    { 500, 599, "has failed", "try again later: what waits goes on waiting" },
    { 0, 999, "did not answer the question", "see judge.url and judge.model in mirror.yml" },
  };
  size_t i = 0;
  if (status == 200) return 0;
  while (status < told[i].from || status > told[i].until) i++;
  return hm_failf(err, HM_E_OUTPUT, "judge", told[i].fix, "the server %s (status %d)", told[i].why,
                  status);
}

/* Of pairs only what says something of one of them. */
static void keep_pairs(hm_judge_answer *x, hm_arena *a) {
  size_t n = 0;
  hm_str *notes = hm_alloc_array(a, x->n_notes + x->n + 1, sizeof *notes);
  if (x->n_notes) memcpy(notes, x->notes, x->n_notes * sizeof *notes);
  for (size_t i = 0; i < x->n; i++) {
    const hm_answer_item *item = &x->items[i];
    bool pair = item->n == 2 && item->facts[0] % 2 == 0 && item->facts[1] == item->facts[0] + 1;
    if (pair) x->items[n++] = *item;
    else notes[x->n_notes++] = HM_STR("passed over: facts that are not one of the pairs");
  }
  x->n = n;
  x->notes = notes;
}

static int ask_one(void *ctx, size_t i, int worker) {
  asking *s = ctx;
  question *q = &s->questions[i];
  const hm_judge_story *story = &s->plan->stories[q->story];
  hm_post post = { .url = s->to->url,
                   .key = s->to->key,
                   .section = "judge",
                   .timeout_ms = s->to->timeout_ms,
                   .answer_max = HM_ANSWER_BYTES,
                   .is_stopped = s->to->is_stopped,
                   .ctx = s->to->ctx };
  hm_post_answer got;
  hm_str text;
  (void)worker;
  q->asked = true;
  post.body = (story->pairs ? hm_prompt_pairs_body : hm_prompt_body)(hm_str_c(s->to->model),
                                                                     q->batch->lines, q->a);
  if (hm_net_post(&post, q->a, &got, &q->err))
    return q->err.code == HM_E_INPUT ? 0 : -1;
  if (check_status(got.status, &q->err)) return -1;
  if (!hm_answer_text(got.body, q->a, &text, &q->err))
    hm_answer_read(text, story->facts, q->batch->first, q->batch->n, q->a, &q->answer, &q->err);
  if (story->pairs) keep_pairs(&q->answer, q->a);
  return 0;
}

/* --- what the answers say together ------------------------------------------------------ */

/* Are all facts of x among those of y? Both ascending. */
static bool is_part(const hm_judge_idea *x, const hm_judge_idea *y) {
  size_t k = 0;
  if (x->story != y->story) return false;
  for (size_t i = 0; i < x->n; i++) {
    while (k < y->n && y->facts[k] < x->facts[i]) k++;
    if (k == y->n || y->facts[k] != x->facts[i]) return false;
  }
  return true;
}

/* Batches overlap: what is said twice stands once, and what is part of another not at all. */
static void drop_parts(hm_judge_answers *out) {
  size_t n = 0;
  for (size_t i = 0; i < out->n; i++) {
    bool part = false;
    for (size_t k = 0; k < out->n && !part; k++)
      part = k != i && is_part(&out->ideas[i], &out->ideas[k]) &&
          (out->ideas[k].n > out->ideas[i].n || k < i);
    if (!part) out->ideas[n++] = out->ideas[i];
  }
  out->n = n;
}

static void collect(const question *q, size_t n, hm_arena *a, hm_judge_answers *out) {
  size_t ideas = 0, notes = 0;
  for (size_t i = 0; i < n; i++) ideas += q[i].answer.n, notes += q[i].answer.n_notes;
  out->ideas = hm_alloc_array(a, ideas + 1, sizeof *out->ideas);
  out->notes = hm_alloc_array(a, notes + 1, sizeof *out->notes);
  for (size_t i = 0; i < n; i++) {
    bool failed = !q[i].asked || q[i].err.code != HM_OK, unreadable = q[i].err.code == HM_E_INPUT;
    out->asked += q[i].asked;
    out->failed += failed;
    out->unreadable += unreadable;
    out->story_failed[q[i].story] |= failed;
    out->story_unreadable[q[i].story] |= unreadable;
    if (q[i].err.code != HM_OK && (out->err.code == HM_OK || out->err.code == HM_E_INPUT))
      if (out->err.code == HM_OK || !unreadable) out->err = q[i].err;
    for (size_t k = 0; k < q[i].answer.n; k++) {
      const hm_answer_item *item = &q[i].answer.items[k];
      out->ideas[out->n++] = (hm_judge_idea){ q[i].story, item->facts, item->n, item->question };
    }
    for (size_t k = 0; k < q[i].answer.n_notes; k++)
      out->notes[out->n_notes++] = q[i].answer.notes[k];
  }
  drop_parts(out);
}

void hm_judge_ask(const hm_judge_plan *plan, const hm_judge_endpoint *to, hm_arena *a,
                  hm_judge_answers *out) {
  size_t n = 0;
  for (size_t i = 0; i < plan->n; i++) n += plan->stories[i].n_batches;
  asking s = { plan, to, hm_alloc_array(a, n + 1, sizeof *s.questions) };
  *out = (hm_judge_answers){
    .story_failed = hm_alloc_array(a, plan->n + 1, sizeof *out->story_failed),
    .story_unreadable = hm_alloc_array(a, plan->n + 1, sizeof *out->story_unreadable)
  };
  for (size_t i = 0, at = 0; i < plan->n; i++)
    for (size_t k = 0; k < plan->stories[i].n_batches; k++)
      s.questions[at++] =
          (question){ .story = i, .batch = &plan->stories[i].batches[k], .a = hm_arena_new() };
  hm_par_for(n, n < AT_ONCE ? (int)n : AT_ONCE, ask_one, &s, NULL);
  for (size_t i = 0; i < n; i++) hm_arena_take(a, s.questions[i].a);
  collect(s.questions, n, a, out);
}
