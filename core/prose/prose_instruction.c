/* Instructions: "Run tests with pytest", "Prefer composition over inheritance", "At most 2
 * reviewers per PR". One task has one tool, two alternatives one that is preferred. */
#include <string.h>

#include "core/prose/prose_grammar.h"

/* --- a task and its tool ---------------------------------------------------------------------- */

/* May the words [i, end) name a tool: a value of a family, a name, something in backticks? *to: the
 * word behind it. */
static bool read_tool(prose *p, prose_value *v, size_t i, size_t end, size_t *to) {
  prose_match m;
  if (prose_value_at(p, i, end, &m)) {
    *to = prose_value_end(p, &m, end);
    v->reading = m.name;
  } else {
    if (!prose_looks_named(&p->t[i]) || (p->t[i].cls & (C_ARTICLE | C_PRONOUN)) || p->t[i].digit)
      return false;
    *to = prose_tail_start(p, i, end);
  }
  v->value = prose_span(p, i, *to);
  return *to > i && *to - i <= 4 && !memchr(v->value.p, '=', v->value.n);
}

/* "Write commit messages in English": a language of people. */
static bool read_written(prose *p, size_t i, size_t end) {
  static const char tongues[] = "arabic|chinese|danish|dutch|english|finnish|french|german|greek|"
                                "hindi|italian|japanese|korean|norwegian|polish|portuguese|"
                                "russian|spanish|swedish|turkish|ukrainian";
  prose_np np;
  prose_value v = { .shape = HM_SHAPE_CHOICE, .from = i, .to = end };
  if (end < i + 4 || end > i + 8 || !prose_is(p, end - 2, end, "in") ||
      !prose_one_of(p, end - 1, end, tongues))
    return false;
  size_t from = i, stop = end - 2; /* "Commit messages must be [written] in English" */
  if (prose_one_of(p, i, end, "write|document|phrase")) {
    from = i + 1;
  } else {
    stop -= prose_one_of(p, stop - 1, stop, "written|kept") > 0;
    if (stop <= i + 1 || !(p->t[stop - 1].cls & C_BE || prose_is(p, stop - 1, stop, "be")))
      return false;
    stop--;
    stop -= (p->t[stop - 1].cls & C_MUST) > 0;
  }
  if (stop <= from || !prose_read_np(p, &np, from, stop) || np.person || np.indefinite)
    return false;
  prose_make_all_subject(&np);
  prose_add_words(&np.attribute, "language");
  v.value = p->t[end - 1].s;
  prose_claim(p, &np, &v);
  return true;
}

static const char task_verbs[] =
    "build|bundle|check|compile|debug|deploy|format|install|lint|log|manage|package|publish|"
    "release|run|test|type-check|validate|write";

/* The task of the verb at i, of the things up to stop, has the tool in v. */
static bool claim_task(prose *p, prose_value *v, size_t i, size_t stop, size_t tail, size_t end) {
  const uint64_t refused = C_PRONOUN | C_BE | C_WAS | C_HAVE | C_NOT | C_AND | C_PREP | C_COND |
      C_UNSURE | C_SEVERAL | C_VERB;
  prose_np np = { .family = -1 };
  for (size_t k = i + 1; k < stop; k++) {
    if ((p->t[k].cls & (k == i + 1 ? refused & ~C_SEVERAL : refused)) ||
        (p->t[k].stop && k + 1 < stop))
      return false;
    if (!(p->t[k].cls & (C_ARTICLE | C_OWNER | C_SEVERAL)))
      prose_add_word(&np.subject, k + 1 == stop ? prose_singular(p, &p->t[k]) : p->t[k].low);
  }
  if (!np.subject.n || !prose_one_of(p, i, end, "run|write"))
    prose_add_word(&np.subject, p->t[i].low);
  prose_add_words(&np.attribute, "tool");
  return prose_claim_with_tail(p, &np, v, tail, end);
}

static bool read_task(prose *p, size_t i, size_t end) {
  prose_value v = { .shape = HM_SHAPE_CHOICE, .from = i };
  size_t with = i + 1, to;
  if (!prose_one_of(p, i, end, task_verbs) || p->t[i].stop)
    return false;
  while (with < end && with < i + 5 && !prose_one_of(p, with, end, "with|using|via"))
    with++;
  if (with + 1 >= end || with >= i + 5 || p->t[with - 1].stop ||
      !read_tool(p, &v, with + 1, end, &to))
    return false;
  v.to = to;
  return claim_task(p, &v, i, with, to, end);
}

/* "Use yapf to format code". */
static bool read_use_to(prose *p, size_t i, size_t end) {
  prose_value v = { .shape = HM_SHAPE_CHOICE, .from = i, .to = end };
  size_t to = i + 2, behind;
  while (to < end && to < i + 4 && !prose_is(p, to, end, "to"))
    to++;
  return prose_is(p, i, end, "use") && to + 2 < end && end - to <= 5 &&
      prose_is(p, to, end, "to") && prose_one_of(p, to + 1, end, task_verbs) &&
      read_tool(p, &v, i + 1, to, &behind) && behind == to &&
      claim_task(p, &v, to + 1, end, end, end);
}

/* "Indent with tabs", "Indent Python with 4 spaces". */
static bool read_indent(prose *p, size_t i, size_t end) {
  prose_np np = { .family = -1 };
  prose_value v = { .shape = HM_SHAPE_CHOICE, .from = i, .to = end, .family = true };
  prose_match m;
  size_t with = i + 1;
  for (; with < end && with < i + 3 && !prose_one_of(p, with, end, "with|using|by"); with++)
    prose_add_word(&np.subject, prose_singular(p, &p->t[with]));
  if (!prose_one_of(p, i, end, "indent") || with + 1 >= end || with == i + 3 ||
      !prose_value_at(p, with + 1, end, &m) || prose_value_end(p, &m, end) != end)
    return false;
  prose_add_words(&np.attribute, prose_family_name(p, m.family[0]));
  v.value = prose_span(p, with + 1, end);
  v.reading = m.name;
  return prose_claim_with_tail(p, &np, &v, end, end);
}

/* --- one over another ------------------------------------------------------------------------- */

static bool is_alternative(const prose *p, size_t i, size_t stop) {
  const uint64_t refused =
      C_PRONOUN | C_BE | C_WAS | C_HAVE | C_NOT | C_AND | C_COND | C_UNSURE | C_SEVERAL | C_PREP;
  if (i >= stop || stop - i > 3)
    return false;
  for (size_t k = i; k < stop; k++)
    if ((p->t[k].cls & refused) || p->t[k].aside || (p->t[k].stop && k + 1 < stop))
      return false;
  return true;
}

bool prose_read_preferred(prose *p, size_t i, size_t end) {
  size_t from = i + prose_one_of(p, i, end, "we|please|always|you should"), at, over, to;
  at = from + prose_one_of(p, from, end, "prefer|favor|favour");
  for (over = at; over < end && !prose_one_of(p, over, end, "over|rather than|instead of|to");
       over++)
    ;
  size_t second = over + prose_one_of(p, over, end, "over|rather than|instead of|to");
  if (at == from || second >= end)
    return false;
  to = prose_tail_start(p, second, end);
  if (!is_alternative(p, at, over) || !is_alternative(p, second, to))
    return false;
  prose_np np = { .family = -1 };
  prose_value v = { .shape = HM_SHAPE_CHOICE, .from = i, .to = to };
  prose_name sides[2] = { { .n = 0 }, { .n = 0 } };
  for (size_t k = at; k < over; k++)
    prose_add_word(&sides[0], prose_singular(p, &p->t[k]));
  for (size_t k = second; k < to; k++)
    prose_add_word(&sides[1], prose_singular(p, &p->t[k]));
  hm_str a = prose_fold_name(p, &sides[0]), b = prose_fold_name(p, &sides[1]);
  if (!a.n || !b.n || hm_str_eq(a, b))
    return false;
  bool swap = hm_str_cmp(a, b) > 0;
  prose_add_word(&np.attribute, swap ? b : a);
  prose_add_words(&np.attribute, "or");
  prose_add_word(&np.attribute, swap ? a : b);
  v.value = prose_span(p, at, over);
  return prose_claim_with_tail(p, &np, &v, to, end);
}

/* --- a bound of a count ----------------------------------------------------------------------- */

static bool read_bound(prose *p, size_t i, size_t end) {
  static const char most[] = "max|maximum|at most|a maximum of|max.";
  static const char least[] = "min|minimum|at least|a minimum of|min.";
  prose_np np = { .family = -1 };
  prose_quantity q;
  prose_value v = { .shape = HM_SHAPE_QUANTITY, .from = i };
  size_t n = prose_one_of(p, i, end, most);
  np.limit = n ? LIMIT_MAX : LIMIT_MIN;
  if (!n)
    n = prose_one_of(p, i, end, least);
  if (!n || !prose_read_quantity(p, &q, i + n, end) || !q.plain || q.range || q.limit)
    return false;
  size_t words = prose_counted_noun(p, q.to, end);
  if (!words)
    return false;
  for (size_t k = q.to; k < q.to + words; k++)
    prose_add_word(&np.attribute, p->t[k].low);
  v.value = q.value;
  v.reading = q.reading;
  v.to = q.to + words;
  return prose_claim_with_tail(p, &np, &v, v.to, end);
}

bool prose_read_instruction(prose *p, size_t i, size_t end) {
  return read_written(p, i, end) || read_use_to(p, i, end) || read_task(p, i, end) ||
      read_indent(p, i, end) || read_bound(p, i, end);
}
