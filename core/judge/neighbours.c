/* Chooses the facts for a model by what is alike: each new row with the rows that are nearest to
 * it, so that a row of any age meets the one that it contradicts.
 *
 * A neighbourhood is a new row and at most HM_ALIKE_MOST others (core/recall/alike.h) that no rule
 * compared with it; of a project that has no more rows than that, all of them. It is a small story,
 * in order of time, of at most NEIGHBOURHOOD bytes: where they are too many, texts are cut, then
 * the least alike are left out. Of two new rows that are near each other only the first has the
 * second. A request has as many neighbourhoods as fit into a batch.
 *
 * What contradicts a row may share no word with it. So a project that fits into a batch is also
 * asked about whole where most of its rows are new.
 *
 * Cost: linear in the rows, and for each new row the rows that share its rarest words. */
#include <stdlib.h>

#include "core/base/json.h"
#include "core/base/par.h"
#include "core/base/text.h"
#include "core/judge/plan_impl.h"
#include "core/recall/alike.h"

enum {
  MEMBERS = HM_ALIKE_MOST + 1,
  NEIGHBOURHOOD = 2100, /* bytes */
  NAME = 80,            /* bytes */
  LINE_LEAST = 60,      /* bytes */
  MANY = 1000           /* new rows: then vectors of all rows are made once */
};
/* To how many bytes texts are cut, at first not at all. */
static const size_t CUTS[] = { SIZE_MAX, 600, 400, 300, 200, 160, 120, 80 };

/* --- lines ---------------------------------------------------------------------------------- */

static hm_str cut(hm_str text, size_t most, hm_arena *a) {
  hm_str shown = hm_text_cut(text, most);
  return shown.n < text.n ? HM_CAT(a, shown, HM_STR("…")) : text;
}

/* One line of JSON, to the minute. */
static void put_line(hm_buf *b, const hm_judge_fact *f, size_t story, size_t most, hm_arena *a) {
  hm_jw w;
  hm_str time = f->written == HM_TIME_MIN ? HM_EMPTY : hm_time_iso(a, f->written);
  hm_jw_init(&w, b, 0);
  hm_jw_obj(&w, NULL);
  hm_jw_int(&w, "story", (int64_t)story);
  hm_jw_str(&w, "id", hm_str_c(f->label));
  hm_jw_str_or_null(&w, "time", hm_str_sub(time, 0, sizeof "2026-04-02T09:00" - 1));
  if (f->scope.n)
    hm_jw_str(&w, "scope", cut(f->scope, NAME, a));
  if (f->from.n)
    hm_jw_str(&w, "from", cut(f->from, NAME, a));
  hm_jw_str(&w, "text", cut(f->text, most, a));
  hm_jw_end(&w);
  hm_buf_ch(b, '\n');
}

static hm_str lines_within(const hm_judge_fact *facts, const uint32_t *of, size_t n, size_t story,
                           size_t most, hm_arena *a) {
  hm_buf b = { 0 };
  for (size_t c = 0; c < HM_COUNT(CUTS); c++) {
    hm_buf_clear(&b);
    for (size_t i = 0; i < n; i++)
      put_line(&b, &facts[of[i]], story, CUTS[c], a);
    size_t bytes = b.n;
    for (size_t i = 0; i < b.n; i++) /* as they are sent, in a text */
      bytes += b.p[i] == '"' || b.p[i] == '\\' || b.p[i] == '\n';
    if (bytes <= most)
      return hm_buf_take(&b, a);
  }
  hm_buf_free(&b);
  return HM_EMPTY;
}

hm_str hm_judge_story_lines(const hm_judge_fact *facts, const uint32_t *of, size_t n, size_t story,
                            hm_arena *a) {
  return lines_within(facts, of, n, story, NEIGHBOURHOOD, a);
}

/* --- the nearest ------------------------------------------------------------------------------ */

typedef struct {
  uint32_t rows[MEMBERS]; /* of the snapshot: the new one, then the nearest first */
  uint32_t n;
  bool whole; /* a small project */
} neighbourhood;

typedef struct {
  hm_judge_planning *p;
  hm_alike_source from;
  neighbourhood *all; /* of the new rows, by project */
  size_t n;
  uint32_t *place; /* of a row among them; or HM_MAP_NONE */
  hm_judge_fact *facts;
  uint8_t *state; /* by row: of facts */
  /* Those of project p that a judge reads are of_project[first[p]] up to of_project[first[p + 1]].
   */
  uint32_t *of_project, *first;
} choosing;
enum { UNREAD, SENT, KEPT_BACK, NOT_READ };

/* May the row be sent? Reads it once. */
static bool is_sent(choosing *c, uint32_t row) {
  hm_judged_row j;
  hm_arena_reset(c->p->scratch);
  if (c->state[row] == UNREAD && hm_judge_is_readable(c->p, row, &j)) {
    bool sent = hm_judge_may_send(c->p, row, &j);
    if (sent)
      c->facts[row] = hm_judge_fact_of(c->p, row, &j);
    c->state[row] = sent ? SENT : KEPT_BACK;
  }
  return c->state[row] == SENT;
}

static int by_project(const void *x, const void *y, void *snap) {
  const neighbourhood *a = x, *b = y;
  const hm_row *rows = ((const hm_snapshot *)snap)->rows;
  uint32_t p = rows[a->rows[0]].project, q = rows[b->rows[0]].project;
  if (p != q)
    return (p > q) - (p < q);
  return (a->rows[0] > b->rows[0]) - (a->rows[0] < b->rows[0]);
}

static void list_new_rows(choosing *c) {
  const hm_snapshot *snap = c->p->opt->snap;
  hm_judged_row j;
  for (uint32_t i = 0; i < snap->n_rows; i++) {
    hm_arena_reset(c->p->scratch);
    c->place[i] = HM_MAP_NONE;
    if (hm_judge_is_readable(c->p, i, &j))
      c->first[snap->rows[i].project + 2]++;
    else
      c->state[i] = NOT_READ;
    if (c->p->new[i] && is_sent(c, i))
      c->all[c->n++] = (neighbourhood){ .rows = { i }, .n = 1 };
  }
  for (size_t p = 1; p < snap->n_projects + 2; p++)
    c->first[p] += c->first[p - 1];
  for (uint32_t i = 0; i < snap->n_rows; i++)
    if (c->state[i] != NOT_READ)
      c->of_project[c->first[snap->rows[i].project + 1]++] = i;
  if (c->n)
    qsort_r(c->all, c->n, sizeof *c->all, by_project, (void *)snap);
  for (size_t i = 0; i < c->n; i++)
    c->place[c->all[i].rows[0]] = (uint32_t)i;
}

static uint32_t project_of(const choosing *c, uint32_t row) {
  return c->p->opt->snap->rows[row].project;
}

static size_t count_project(const choosing *c, uint32_t project) {
  return c->first[project + 1] - c->first[project];
}

static bool is_small(const choosing *c, uint32_t row) {
  return count_project(c, project_of(c, row)) <= MEMBERS;
}

static int find_nearest(void *ctx, size_t i, int worker) {
  const choosing *c = ctx;
  neighbourhood *x = &c->all[i];
  hm_alike_question q;
  hm_alike_row *v;
  hm_arena *a;
  (void)worker;
  if (is_small(c, x->rows[0]))
    return 0;
  a = hm_arena_new();
  hm_alike_question_of_row(c->from.snap, c->from.claims, x->rows[0], a, &q);
  q.of_many = q.nearest = true;
  size_t n = hm_alike_find(&c->from, &q, a, &v);
  for (size_t k = 0; k < n; k++)
    x->rows[x->n++] = v[k].row;
  hm_arena_free(a);
  return 0;
}

/* All rows of a small project, for the first of them that is new. */
static void take_project(choosing *c, neighbourhood *x) {
  uint32_t project = project_of(c, x->rows[0]);
  x->whole = true;
  for (size_t i = c->first[project]; i < c->first[project + 1]; i++)
    if (c->of_project[i] != x->rows[0] && is_sent(c, c->of_project[i]))
      x->rows[x->n++] = c->of_project[i];
}

/* Has an earlier one these two? */
static bool is_shown(const choosing *c, size_t i, uint32_t row) {
  uint32_t at = c->place[row];
  if (at == HM_MAP_NONE || at >= i)
    return false;
  for (uint32_t k = 1; k < c->all[at].n; k++)
    if (c->all[at].rows[k] == c->all[i].rows[0])
      return true;
  return false;
}

static void leave_out(choosing *c, size_t i) {
  neighbourhood *x = &c->all[i];
  uint32_t kept = 1;
  for (uint32_t k = 1; k < x->n; k++)
    if (is_sent(c, x->rows[k]) && !is_shown(c, i, x->rows[k]))
      x->rows[kept++] = x->rows[k];
  x->n = kept;
}

/* May be asked with i = c->n, too. */
static bool is_first_of_project(const choosing *c, size_t i) {
  return !i || i == c->n ||
      project_of(c, c->all[i].rows[0]) != project_of(c, c->all[i - 1].rows[0]);
}

static void find_all_nearest(choosing *c) {
  const hm_judge_options *opt = c->p->opt;
  hm_claims *claims = NULL;
  int threads = hm_par_cores();
  size_t failed;
  c->from = (hm_alike_source){ .snap = opt->snap, .threads = threads };
  if (opt->rules && !hm_claims_read(opt->snap, opt->rules, threads, &claims, NULL))
    c->from.claims = claims;
  if (c->n > 1)
    c->from.index = hm_alike_index_new(opt->snap, threads, c->p->a);
  if (c->n > MANY)
    c->from.vectors = hm_alike_vectors_new(opt->snap, threads, c->p->a);
  if (claims && c->n)
    hm_par_for(c->n, c->from.index ? threads : 1, find_nearest, c, &failed);
  if (claims)
    hm_claims_free(claims);
  for (size_t i = 0; i < c->n; i++) {
    if (!is_small(c, c->all[i].rows[0]))
      leave_out(c, i);
    else if (is_first_of_project(c, i))
      take_project(c, &c->all[i]);
  }
}

/* --- requests --------------------------------------------------------------------------------- */

/* A request in the making. */
typedef struct {
  hm_judge_story story;
  hm_map facts; /* by reference */
  size_t cap, bytes;
  uint32_t (*of)[MEMBERS]; /* of each neighbourhood */
  uint32_t *n_of;
  size_t n, cap_of, cap_n;
} request;

static void begin_request(request *r, hm_arena *a) {
  *r = (request){ .story = { .near = true } };
  hm_map_init(&r->facts, a, 64);
}

static void add_story(choosing *c, hm_judge_story *s, hm_str lines, size_t *cap) {
  hm_arena *a = c->p->a;
  hm_judge_plan *out = c->p->out;
  s->batches = hm_alloc(a, sizeof *s->batches);
  s->batches[0] = (hm_judge_batch){ 0, s->n, lines };
  s->n_batches = 1;
  out->stories = hm_array_grow_in(a, out->stories, out->n, cap, sizeof *out->stories);
  out->stories[out->n++] = *s;
}

static void end_request(choosing *c, request *r, size_t *cap) {
  hm_judge_story *s = &r->story;
  hm_buf b = { 0 };
  if (!r->n)
    return;
  hm_judge_facts_label(s->facts, s->n);
  for (size_t i = 0; i < r->n; i++)
    hm_buf_str(&b, hm_judge_story_lines(s->facts, r->of[i], r->n_of[i], i + 1, c->p->a));
  add_story(c, s, hm_buf_take(&b, c->p->a), cap);
}

/* Asks about the whole project of n new rows. */
static void add_project(choosing *c, uint32_t project, size_t n, size_t *cap) {
  size_t rows = count_project(c, project);
  hm_judge_story s = { .near = true };
  if (rows <= MEMBERS || n <= rows / 2 || rows * LINE_LEAST > HM_JUDGE_BATCH)
    return;
  uint32_t *of = hm_alloc_array(c->p->a, rows, sizeof *of);
  s.facts = hm_alloc_array(c->p->a, rows, sizeof *s.facts);
  for (size_t i = c->first[project]; i < c->first[project + 1]; i++) {
    if (!is_sent(c, c->of_project[i]))
      continue;
    s.facts[s.n] = c->facts[c->of_project[i]];
    s.triggers += s.facts[s.n].trigger;
    of[s.n] = (uint32_t)s.n;
    s.n++;
  }
  hm_judge_facts_order(s.facts, s.n);
  hm_str lines = lines_within(s.facts, of, s.n, 1, HM_JUDGE_BATCH, c->p->a);
  if (s.n > MEMBERS && lines.n)
    add_story(c, &s, lines, cap);
}

/* The fact of the row among those of the request. */
static uint32_t place_of(choosing *c, request *r, uint32_t row) {
  const hm_judge_fact *f = &c->facts[row];
  hm_judge_story *s = &r->story;
  uint32_t at = hm_map_get(&r->facts, f->ref);
  if (at != HM_MAP_NONE)
    return at;
  hm_map_add(&r->facts, f->ref, (uint32_t)s->n);
  s->facts = hm_array_grow_in(c->p->a, s->facts, s->n, &r->cap, sizeof *s->facts);
  s->facts[s->n] = *f;
  s->facts[s->n].trigger = false;
  return (uint32_t)s->n++;
}

static void add_neighbourhood(choosing *c, request *r, const neighbourhood *x) {
  hm_arena *a = c->p->a;
  uint32_t *of;
  r->of = hm_array_grow_in(a, r->of, r->n, &r->cap_of, sizeof *r->of);
  r->n_of = hm_array_grow_in(a, r->n_of, r->n, &r->cap_n, sizeof *r->n_of);
  of = r->of[r->n];
  for (uint32_t i = 0; i < x->n; i++)
    of[i] = place_of(c, r, x->rows[i]);
  for (uint32_t i = 0; i < x->n && (!i || x->whole); i++) { /* these wait if the request fails */
    r->story.facts[of[i]].trigger = c->p->new[x->rows[i]];
    r->story.triggers += c->p->new[x->rows[i]];
  }
  qsort_r(of, x->n, sizeof *of, hm_judge_fact_order_at, r->story.facts);
  r->n_of[r->n++] = x->n;
}

/* The bytes of its lines; leaves out the least alike until they fit. */
static size_t fit(choosing *c, neighbourhood *x) {
  hm_arena *a = c->p->scratch;
  hm_judge_fact facts[MEMBERS];
  uint32_t of[MEMBERS];
  for (uint32_t i = 0; i < x->n; i++) {
    facts[i] = c->facts[x->rows[i]];
    memset(facts[i].label, '0', HM_JUDGE_LABEL);
    of[i] = i;
  }
  for (; x->n > 1; x->n--) {
    hm_arena_reset(a);
    hm_str lines = hm_judge_story_lines(facts, of, x->n, 99, a);
    if (lines.n)
      return lines.n;
  }
  return 0;
}

void hm_judge_plan_neighbours(hm_judge_planning *p) {
  const hm_snapshot *snap = p->opt->snap;
  size_t n = snap->n_rows + 1, cap = p->out->n;
  choosing c = { .p = p,
                 .all = hm_alloc_array(p->a, n, sizeof *c.all),
                 .place = hm_alloc_array(p->a, n, sizeof *c.place),
                 .facts = hm_alloc_array(p->a, n, sizeof *c.facts),
                 .state = hm_alloc_array(p->a, n, sizeof *c.state),
                 .of_project = hm_alloc_array(p->a, n, sizeof *c.of_project),
                 .first = hm_alloc_array(p->a, snap->n_projects + 2, sizeof *c.first) };
  size_t first = 0; /* of the project */
  request r;
  list_new_rows(&c);
  find_all_nearest(&c);
  begin_request(&r, p->a);
  for (size_t i = 0; i < c.n; i++) {
    size_t bytes = c.all[i].n > 1 ? fit(&c, &c.all[i]) : 0;
    if (r.n && r.bytes + bytes > HM_JUDGE_BATCH) {
      end_request(&c, &r, &cap);
      begin_request(&r, p->a);
    }
    r.bytes += bytes;
    if (bytes)
      add_neighbourhood(&c, &r, &c.all[i]);
    if (is_first_of_project(&c, i + 1)) {
      add_project(&c, project_of(&c, c.all[i].rows[0]), i + 1 - first, &cap);
      first = i + 1;
    }
  }
  end_request(&c, &r, &cap);
}
