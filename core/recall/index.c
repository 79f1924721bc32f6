/* The index of recall over the rows of a snapshot: text, vector, and when each holds. */

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/json.h"
#include "core/base/par.h"
#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/claim/world.h"
#include "core/recall/recall.h"
#include "core/store/recall_tables.h"

enum { CHUNK = HM_MATRIX_BLOCK }; /* threads share no block */

/* Values of properties, as words: keys say what kind of thing, values which one. */
static void put_values(hm_buf *b, const hm_json *v) {
  for (const hm_json *c = v->child; c; c = c->next)
    put_values(b, c);
  if (v->type != HM_JSON_STRING && v->type != HM_JSON_NUMBER)
    return;
  hm_buf_c(b, ". ");
  hm_buf_str(b, v->text);
}

hm_str hm_recall_row_text(const hm_row *r, hm_arena *a) {
  if (r->layer == HM_MEMORY)
    return r->text;
  if (r->layer == HM_STATE)
    return HM_CAT(a, r->name, HM_STR(": "), r->text);
  hm_buf b = { 0 };
  hm_json *props;
  hm_buf_str(&b, r->layer == HM_RELATION ? r->type : r->name);
  if (r->text.n)
    hm_buf_c(&b, ". ");
  hm_buf_str(&b, r->text);
  if (r->props.n && !hm_json_parse(a, r->props, &props, NULL))
    put_values(&b, props);
  return hm_buf_take(&b, a);
}

static void put_end(hm_buf *b, const hm_snapshot *s, uint32_t row, hm_naming column, hm_str id) {
  uint32_t end = hm_snapshot_named(s, row, column);
  hm_buf_str(b, end != HM_MAP_NONE && s->rows[end].name.n ? s->rows[end].name : id);
}

/* "Aldric ruled Keep. 320 to 345. first of his name" */
static hm_str relation_text(const hm_snapshot *s, uint32_t row, hm_arena *a) {
  const hm_row *r = &s->rows[row];
  hm_buf b = { 0 };
  hm_json *props;
  put_end(&b, s, row, HM_NAMES_FROM, r->from);
  hm_buf_ch(&b, ' ');
  for (size_t i = 0; i < r->type.n; i++)
    hm_buf_ch(&b, r->type.p[i] == '_' ? ' ' : hm_ascii_lower(r->type.p[i]));
  hm_buf_ch(&b, ' ');
  put_end(&b, s, row, HM_NAMES_TO, r->to);
  if (r->valid_from.n)
    hm_buf_fmt(&b, ". from %.*s", HM_FMT(r->valid_from));
  if (r->valid_until.n)
    hm_buf_fmt(&b, "%suntil %.*s", r->valid_from.n ? " " : ". ", HM_FMT(r->valid_until));
  if (r->props.n && !hm_json_parse(a, r->props, &props, NULL))
    put_values(&b, props);
  return hm_buf_take(&b, a);
}

static hm_time time_of(hm_str text) {
  hm_time t;
  hm_precision p;
  return text.n && hm_time_parse(text, &t, &p) ? t : HM_TIME_MIN;
}

/* From 0 to 1; what is no such number, as another program may have written it, is the usual 0.5. */
static double importance_of(hm_str text) {
  double d;
  if (!hm_str_read_double(text, &d) || !(d >= 0))
    return 0.5;
  return d > 1 ? 1 : d;
}

/* Windows and times, which need nothing of other rows, and no now: when a row may hold is a matter
 * of its bounds alone. */
static void read_row(const hm_recall_index *x, size_t i, hm_arena *scratch) {
  const hm_snapshot *s = x->snap;
  const hm_row *r = &s->rows[i];
  const hm_row_detail *d = &s->details[i];
  recall_row *out = &x->rows[i];
  hm_window w = { .may_from = HM_TIME_MIN, .may_until = HM_TIME_MAX };
  if (r->valid_from.n || r->valid_until.n) {
    const hm_world *world = hm_world_find_by_row(s, x->rules->worlds, (uint32_t)i, scratch);
    if (hm_window_parse(world, r->valid_from, r->valid_until, s->now, &w) != HM_WINDOW_OK || w.axis)
      w = (hm_window){ .may_from = HM_TIME_MIN, .may_until = HM_TIME_MAX };
  }
  /* What ends on a day and what begins on it are not both told of that day. */
  bool by_day = w.end.known && w.end.precision == HM_P_DAY && !w.end.vague;
  hm_time until = by_day && w.may_from < w.end.first ? w.end.first : w.may_until;
  hm_time accessed = time_of(d->last_accessed_at);
  *out = (recall_row){ .replaced = r->status == HM_SUPERSEDED || r->status == HM_GRADUATED ||
                           r->superseded_by.n > 0,
                       .from = w.may_from,
                       .until = until,
                       .created = time_of(r->created_at),
                       .superseded = time_of(d->superseded_at),
                       .importance = importance_of(d->importance) };
  out->used = accessed == HM_TIME_MIN ? out->created : accessed;
}

typedef struct {
  const hm_recall_index *x;
  const hm_vector *vectors;
} reading;

static int read_chunk(void *ctx, size_t chunk, int worker) {
  const reading *r = ctx;
  hm_arena *scratch = hm_arena_new();
  (void)worker;
  for (size_t i = chunk * CHUNK; i < (chunk + 1) * CHUNK && i < r->x->n; i++) {
    read_row(r->x, i, scratch);
    hm_matrix_set(r->x->matrix, i, r->vectors[i].v);
    hm_arena_reset(scratch);
  }
  hm_arena_free(scratch);
  return 0;
}

/* --- the names of projects ----------------------------------------------------------------------
 */

static int by_word(const void *x, const void *y) {
  const hm_recall_name *a = x, *b = y;
  if (a->hash != b->hash)
    return a->hash < b->hash ? -1 : 1;
  return (a->project > b->project) - (a->project < b->project);
}

static void read_names(hm_recall_index *x, hm_arena *a) {
  hm_arena *scratch = hm_arena_new();
  size_t cap = 0;
  for (size_t i = 0; i < x->snap->n_projects; i++) {
    const hm_project *p = &x->snap->projects[i];
    hm_terms w = hm_terms_begin(p->name.n ? p->name : p->id, scratch);
    hm_str word;
    while (hm_terms_next(&w, &word, NULL, NULL)) {
      if (hm_term_is_function(word))
        continue;
      x->names = hm_array_grow_in(a, x->names, x->n_names, &cap, sizeof *x->names);
      x->names[x->n_names++] =
          (hm_recall_name){ hm_corpus_find_word(x->corpus, word, scratch).hash, (uint32_t)i };
    }
    hm_arena_reset(scratch);
  }
  if (x->n_names)
    qsort(x->names, x->n_names, sizeof *x->names, by_word);
  hm_arena_free(scratch);
}

hm_recall_index *hm_recall_index_new(const hm_snapshot *snap, const hm_rules *rules, int threads,
                                     hm_arena *a) {
  hm_recall_index *x = hm_alloc(a, sizeof *x);
  size_t n = snap->first[HM_RELATION + 1], failed;
  hm_vector *vectors = hm_xmalloc((n + 1) * sizeof *vectors);
  *x = (hm_recall_index){ .snap = snap, .rules = rules, .n = n };
  x->texts = hm_alloc_array(a, n + 1, sizeof *x->texts);
  x->rows = hm_alloc_array(a, n + 1, sizeof *x->rows);
  for (size_t i = 0; i < n; i++)
    x->texts[i] = snap->rows[i].layer == HM_RELATION ? relation_text(snap, (uint32_t)i, a)
                                                     : hm_recall_row_text(&snap->rows[i], a);
  x->corpus = hm_corpus_new(x->texts, n, threads, a, vectors);
  x->matrix = hm_matrix_new(n, HM_VECTOR_DIMS, a);
  hm_par_for((n + CHUNK - 1) / CHUNK, threads, read_chunk, &(reading){ x, vectors }, &failed);
  free(vectors);
  read_names(x, a);
  return x;
}

static void take_use(void *ctx, hm_str id, hm_str at) {
  hm_recall_index *x = ctx;
  uint32_t row = hm_snapshot_row(x->snap, HM_MEMORY, id);
  hm_time used = time_of(at);
  if (row != HM_MAP_NONE && used != HM_TIME_MIN)
    x->rows[row].used = used;
}

int hm_recall_read_uses(hm_recall_index *x, hm_store *s, hm_err *err) {
  return hm_uses_read(s, take_use, x, err);
}

const hm_snapshot *hm_recall_snapshot(const hm_recall_index *x) { return x->snap; }
size_t hm_recall_text_count(const hm_recall_index *x) { return x->n; }
hm_str hm_recall_text(const hm_recall_index *x, uint32_t row) { return x->texts[row]; }
void hm_recall_query_set_vectors(hm_recall_query *q, const hm_matrix *rows, const int8_t *vector) {
  q->matrix = rows;
  q->asked = vector;
  q->length = hm_matrix_length(vector, rows->dims);
}

bool hm_recall_may_answer(const hm_recall_index *x, uint32_t row) {
  hm_status status = x->snap->rows[row].status;
  return status == HM_ACTIVE || status == HM_SUPERSEDED || status == HM_GRADUATED;
}

/* --- filters ---------------------------------------------------------------------- */

static bool has_tag(hm_str tags, hm_str name, hm_arena *a) {
  hm_json *v;
  if (!tags.n || hm_json_parse(a, tags, &v, NULL))
    return false;
  for (const hm_json *t = v->child; t; t = t->next)
    if (t->type == HM_JSON_STRING && hm_str_eq(hm_text_fold_name(a, t->text), name))
      return true;
  return false;
}

/* --- another time --------------------------------------------------------------------- */

static bool is_unit(const hm_world *world, hm_str text, hm_time now, hm_window *out) {
  return hm_window_parse(world, text, text, now, out) == HM_WINDOW_OK;
}

bool hm_recall_is_time(const hm_recall_index *x, hm_str text, hm_arena *scratch) {
  hm_window w;
  bool is = is_unit(NULL, text, x->snap->now, &w);
  for (size_t i = 0; i < x->snap->n_projects && !is; i++) {
    const hm_world *world =
        hm_world_find(x->rules->worlds, x->snap->projects[i].id, HM_EMPTY, scratch);
    is = world && is_unit(world, text, x->snap->now, &w);
  }
  return is;
}

static bool is_number(hm_str s) {
  for (size_t i = 0; i < s.n; i++)
    if (!hm_is_digit(s.p[i]))
      return false;
  return s.n > 0;
}

/* Is it behind a word before which times stand? */
static bool is_dated(hm_str word) {
  static const char *const before[] = { "in", "on", "year", "around", "since", "until", "during" };
  for (size_t i = 0; i < HM_COUNT(before); i++)
    if (word.n == strlen(before[i]) && !strncasecmp(word.p, before[i], word.n))
      return true;
  return false;
}

hm_str hm_recall_time_asked(hm_str query) {
  hm_str words[4] = { 0 }; /* the last ones */
  hm_time_text t;
  for (size_t i = 0, end; i < query.n; i = end + 1) {
    for (end = i; end < query.n && (hm_is_letter(query.p[end]) || hm_is_digit(query.p[end]));)
      end++;
    hm_str word = hm_str_sub(query, i, end);
    if (!word.n)
      continue;
    memmove(words, words + 1, 3 * sizeof *words);
    words[3] = word;
    if (word.n > 4 || !is_number(word))
      continue;
    for (size_t k = 1; k < 3; k++) { /* "3 March 2021", "March 2021" */
      hm_str date = { words[k].p, (size_t)(word.p + word.n - words[k].p) };
      if (words[k].n && is_dated(words[k - 1]) && hm_time_text_parse(date, &t) && t.is_date)
        return date;
    }
    if (is_dated(words[2]) && !hm_str_is(words[2], "on"))
      return word;
  }
  return HM_EMPTY;
}

/* A year in the form of a bound: "330" beside 3rd_age.year_320 is 3rd_age.year_330. */
static hm_str year_as(hm_str bound, hm_str year, hm_arena *a) {
  ptrdiff_t at = hm_str_find(bound, "year_");
  if (at < 0)
    return hm_str_fmt(a, "%.*s%.*s", year.n < 4 ? 4 - (int)year.n : 0, "0000", HM_FMT(year));
  return HM_CAT(a, hm_str_sub(bound, 0, (size_t)at + 5), year);
}

/* May the row have held then? Yes, where its bounds or the time do not say. */
static bool may_have_held(const hm_recall_index *x, uint32_t row, hm_str at, hm_arena *scratch) {
  const hm_row *r = &x->snap->rows[row];
  hm_window own, asked;
  hm_time now = x->snap->now;
  if (!r->valid_from.n && !r->valid_until.n)
    return true;
  const hm_world *world = hm_world_find_by_row(x->snap, x->rules->worlds, row, scratch);
  hm_str bound = r->valid_from.n ? r->valid_from : r->valid_until;
  if (is_number(at))
    at = year_as(bound, at, scratch);
  if (hm_window_parse(world, r->valid_from, r->valid_until, now, &own) != HM_WINDOW_OK ||
      !is_unit(world, at, now, &asked) || own.axis != asked.axis)
    return true;
  return asked.may_from < own.may_until && own.may_from < asked.may_until;
}

/* superseded_at after the moment: then it was not. */
static bool is_superseded(const hm_recall_index *x, uint32_t row, const hm_recall_options *opt) {
  const hm_row *r = &x->snap->rows[row];
  if (r->status == HM_GRADUATED)
    return true;
  if (r->status != HM_SUPERSEDED && !r->superseded_by.n)
    return false;
  hm_time at = x->rows[row].superseded;
  return !opt->dated || at == HM_TIME_MIN || at <= opt->as_of;
}

static bool passes(const hm_recall_index *x, uint32_t row, const hm_recall_options *opt,
                   hm_arena *scratch) {
  const hm_row *r = &x->snap->rows[row];
  const recall_row *own = &x->rows[row];
  /* When the question is about; what has no end holds at the last instant, too. */
  hm_time at = opt->dated ? opt->as_of : opt->clocked ? opt->clock : x->snap->now;
  if (at == HM_TIME_MAX)
    at--;
  hm_str then = opt->true_at.n                 ? opt->true_at
      : r->layer == HM_RELATION && !opt->dated ? opt->asked_at
                                               : HM_EMPTY;
  if (!hm_recall_may_answer(x, row) || (!then.n && (own->from > at || at >= own->until)))
    return false;
  if (then.n && !may_have_held(x, row, then, scratch))
    return false;
  if (opt->dated && own->created != HM_TIME_MIN && own->created > at)
    return false;
  if (opt->project != HM_MAP_NONE && r->project != opt->project)
    return false;
  if (opt->min_importance > 0 && own->importance < opt->min_importance)
    return false;
  if (opt->type.n &&
      !hm_str_eq(hm_text_fold_name(scratch, r->type), hm_text_fold_name(scratch, opt->type)))
    return false;
  return !opt->tag.n ||
      has_tag(x->snap->rows[row].tags, hm_text_fold_name(scratch, opt->tag), scratch);
}

uint32_t hm_recall_current_row(const hm_recall_index *x, uint32_t row, const hm_recall_options *opt,
                               hm_arena *scratch) {
  size_t steps = 0;
  if (opt->include_superseded)
    return passes(x, row, opt, scratch) ? row : HM_MAP_NONE;
  while (row < x->n && is_superseded(x, row, opt)) { /* a circle has no head */
    bool graduated = x->snap->rows[row].status == HM_GRADUATED;
    if (steps++ == x->n)
      return HM_MAP_NONE;
    row =
        hm_snapshot_named(x->snap, row, graduated ? HM_NAMES_GRADUATED_TO : HM_NAMES_SUPERSEDED_BY);
  }
  return row < x->n && passes(x, row, opt, scratch) ? row : HM_MAP_NONE;
}
