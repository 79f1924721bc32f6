/* Answers a task, which says more than a question does: answer.h. A row that fits one sentence of
 * it has few words of the whole, so each sentence is asked, and so are the clauses of a long one.
 */
#include "core/recall/answer.h"

#include <string.h>

#include "core/base/ascii.h"

enum { PARTS = 32, LONG = 12, CLAUSE = 4 };
static const double MOST_OF_IT = 0.5; /* of the words of a part: it is not asked as a question is */

static size_t count_words(hm_str s) {
  size_t n = 0;
  for (size_t i = 0; i < s.n; i++)
    n += !hm_is_space(s.p[i]) && (!i || hm_is_space(s.p[i - 1]));
  return n;
}

/* The bytes of s up to one of the signs that a blank or the end follows. */
static size_t part_end(hm_str s, const char *signs) {
  size_t i = 0;
  while (i < s.n && s.p[i] != '\n' &&
         !(s.p[i] && strchr(signs, s.p[i]) && (i + 1 == s.n || hm_is_space(s.p[i + 1]))))
    i++;
  return i;
}

/* Adds it unless it is there. */
static void add_part(hm_str *parts, size_t *n, hm_str part) {
  size_t i = 0;
  part = hm_str_trim(part);
  while (i < *n && !hm_str_eq(parts[i], part))
    i++;
  if (part.n && i == *n && *n < PARTS)
    parts[(*n)++] = part;
}

/* The whole, its sentences, and the clauses of long ones. */
static size_t split(hm_str task, hm_str *parts) {
  size_t n = 0;
  add_part(parts, &n, task);
  while (task.n && n < PARTS) {
    size_t end = part_end(task, ".!?;:");
    hm_str sentence = hm_str_sub(task, 0, end);
    task = hm_str_sub(task, end + (end < task.n), task.n);
    add_part(parts, &n, sentence);
    bool is_long = count_words(sentence) > LONG;
    while (is_long && sentence.n) {
      size_t stop = part_end(sentence, ",");
      hm_str clause = hm_str_sub(sentence, 0, stop);
      sentence = hm_str_sub(sentence, stop + (stop < sentence.n), sentence.n);
      if (count_words(clause) >= CLAUSE)
        add_part(parts, &n, clause);
    }
  }
  return n;
}

static bool has_hit(const hm_recall_answer *x, uint32_t row) {
  for (size_t i = 0; i < x->n; i++)
    if (x->hits[i].row == row)
      return true;
  return false;
}

/* The best row of each, then the second of each, and so on. */
static void merge(const hm_recall_answer *v, size_t n, size_t k, hm_arena *a,
                  hm_recall_answer *out) {
  *out = v[0];
  out->n = 0;
  out->hits = hm_alloc_array(a, k, sizeof *out->hits);
  out->hit_ties = hm_alloc_array(a, k + 1, sizeof *out->hit_ties);
  for (size_t round = 0; round < k; round++)
    for (size_t i = 0; i < n && out->n < k; i++) {
      if (round >= v[i].n || has_hit(out, v[i].hits[round].row) ||
          (i && v[i].hits[round].share < MOST_OF_IT))
        continue;
      out->hit_ties[out->n] = v[i].hit_ties[round];
      out->hits[out->n++] = v[i].hits[round];
    }
}

int hm_recaller_ask_task(const hm_recaller *r, hm_store *s, hm_str task,
                         const hm_recall_options *opt, const hm_recall_model *model, hm_arena *a,
                         hm_recall_answer *out, hm_err *err) {
  hm_str parts[PARTS];
  hm_recall_answer v[PARTS];
  size_t n = split(task, parts), asked = 0;
  if (n < 3 || model)
    return hm_recaller_ask(r, s, task, opt, NULL, model, a, out, err);
  for (size_t i = 0; i < n; i++) {
    hm_err no_word = { 0 };
    if (!hm_recaller_ask(r, s, parts[i], opt, NULL, NULL, a, &v[asked], i ? &no_word : err))
      asked++;
    else if (!i)
      return -1;
  }
  merge(v, asked, opt->k, a, out);
  return 0;
}
