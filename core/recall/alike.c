/* Finds rows that are alike: alike.h. */
#include <math.h>
#include <stdlib.h>

#include "core/base/par.h"
#include "core/base/sort.h"
#include "core/base/text.h"
#include "core/recall/alike_impl.h"
#include "core/recall/recall.h"
#include "core/recall/text_similarity.h"
#include "core/record/given.h"

enum {
  ASKED = 64,         /* words of a question, the rarest */
  LOOKED = 128,       /* candidates whose likeness is computed */
  LONG = 12,          /* words of a text; more count as many */
  POSTINGS = 1 << 15, /* rows that an index gives for one question */
  LOOKED_OF_MANY = 32,
  POSTINGS_OF_MANY = 2048, /* the same for one of many questions */
  COUNTED = 4096,          /* a larger bucket is taken for one word's: to count it takes long */
  CHUNK = 4096
};
/* What makes rows alike: how much of what is asked for they have, and the worth of it, whatever the
 * length of what is asked for; their vectors; values of one kind; less, words of their own. Pairs
 * that contradict each other mostly have FLOOR, texts about other things seldom. A word that means
 * nearly the same is LIKE one that is the same. Where one word is all that they share, and it is a
 * value ("in April"), or has another form ("are blocked", "blocks of tufa") and no values of one
 * kind say more, the floor is OF_ONE. */
static const double OF_SHARE = 0.5, OF_WORTH = 0.23, OF_COSINE = 0.5, OF_KIND = 0.1, OF_OWN = 0.1;
static const double LIKE = 0.8, FLOOR = 0.26, OF_ONE = 0.4;

/* --- who has the words of a question -------------------------------------------------------- */

/* A row, and the words of the question that it has, as bits. */
typedef struct {
  uint32_t row;
  uint64_t has;
} hit;

typedef struct {
  const hm_alike_source *from;
  const hm_alike_question *q;
  size_t n; /* of what is asked for, at most ASKED */
  uint32_t asked[ASKED];
  uint32_t forms[ASKED];  /* of each, as it is said */
  uint64_t small, values; /* which of them it says without a capital; which are values */
  hm_alike_word words[HM_ALIKE_WORDS];
  size_t n_words; /* these and others that mean the same, by hash */
  size_t texts[ASKED];
  double worth[ASKED], all;
  unsigned kinds;           /* of values in what is asked for */
  uint32_t project, global; /* of the snapshot; or HM_MAP_NONE */
  hit *hits;
  size_t n_hits;
} search;

static bool is_in_project(const search *x, const hm_row *r) {
  return x->q->any_project || r->project == x->project || r->project == x->global;
}

/* What CHUNK rows have. */
typedef struct {
  hit *v;
  size_t n, cap, texts[ASKED];
} part;

typedef struct {
  search *x;
  part *parts;
} scanning;

static int scan_chunk(void *ctx, size_t at, int worker) {
  const scanning *s = ctx;
  const search *x = s->x;
  part *found = &s->parts[at];
  const hm_snapshot *snap = x->from->snap;
  hm_arena *scratch = hm_arena_new();
  (void)worker;
  for (size_t i = at * CHUNK; i < (at + 1) * CHUNK && i < snap->first[HM_RELATION]; i++) {
    const hm_row *r = &snap->rows[i];
    uint64_t has = 0, has_words[HM_ALIKE_WORDS / 64] = { 0 };
    if (!hm_alike_is_compared(r))
      continue;
    hm_arena_reset(scratch);
    hm_alike_words w = hm_alike_words_of(hm_alike_raw_text(r, scratch), scratch);
    for (uint32_t h; (h = hm_alike_next_hash(&w)) != 0;) {
      const hm_alike_word *own = bsearch(&h, x->words, x->n_words, sizeof *own, hm_order_u32);
      size_t at_word = own ? (size_t)(own - x->words) : 0;
      if (!own || has_words[at_word / 64] >> at_word % 64 & 1)
        continue;
      has |= UINT64_C(1) << own->of;
      has_words[at_word / 64] |= UINT64_C(1) << at_word % 64;
      found->texts[own->of]++;
    }
    if (!has || !is_in_project(x, r))
      continue;
    found->v = hm_array_grow(found->v, found->n, &found->cap, sizeof *found->v);
    found->v[found->n++] = (hit){ (uint32_t)i, has };
  }
  hm_arena_free(scratch);
  return 0;
}

/* Reads all texts once. */
static void scan(search *x, hm_arena *a) {
  size_t chunks = (x->from->snap->first[HM_RELATION] + CHUNK - 1) / CHUNK, total = 0, failed;
  scanning s = { .x = x, .parts = hm_alloc_array(a, chunks + 1, sizeof(part)) };
  if (chunks)
    hm_par_for(chunks, x->from->threads, scan_chunk, &s, &failed);
  for (size_t i = 0; i < chunks; i++)
    total += s.parts[i].n;
  x->hits = hm_alloc_array(a, total + 1, sizeof *x->hits);
  for (size_t i = 0; i < chunks; i++) {
    if (s.parts[i].n)
      memcpy(x->hits + x->n_hits, s.parts[i].v, s.parts[i].n * sizeof *x->hits);
    x->n_hits += s.parts[i].n;
    for (size_t k = 0; k < x->n; k++)
      x->texts[k] += s.parts[i].texts[k];
    free(s.parts[i].v);
  }
}

static int by_texts(const void *x, const void *y) {
  const size_t *a = x, *b = y;
  if (a[0] != b[0])
    return a[0] < b[0] ? -1 : 1;
  return (a[1] > b[1]) - (a[1] < b[1]);
}

/* Takes the rows from the index, of the rarest words first. */
static void look_up(search *x, hm_arena *a) {
  const hm_alike_index *ix = x->from->index;
  size_t mask = ((size_t)1 << ix->bits) - 1, order[HM_ALIKE_WORDS][2], kept = 0, total = 0;
  for (size_t i = 0; i < x->n_words; i++) {
    size_t b = x->words[i].hash & mask, n = ix->first[b + 1] - ix->first[b];
    if (n <= COUNTED) {
      n = 0;
      for (uint32_t p = ix->first[b]; p < ix->first[b + 1]; p++)
        n += ix->tags[p] == hm_alike_tag(x->words[i].hash);
    }
    x->texts[x->words[i].of] += n;
    order[i][0] = n;
    order[i][1] = i;
    total += n;
  }
  if (x->n_words)
    qsort(order, x->n_words, sizeof *order, by_texts);
  size_t most = x->q->of_many ? POSTINGS_OF_MANY : POSTINGS;
  x->hits = hm_alloc_array(a, (total < most ? total : most) + 1, sizeof *x->hits);
  for (size_t i = 0; i < x->n_words && x->n_hits + order[i][0] <= most; i++) {
    const hm_alike_word *w = &x->words[order[i][1]];
    size_t b = w->hash & mask;
    for (uint32_t p = ix->first[b]; p < ix->first[b + 1]; p++)
      if (ix->tags[p] == hm_alike_tag(w->hash) &&
          is_in_project(x, &x->from->snap->rows[ix->rows[p]]))
        x->hits[x->n_hits++] = (hit){ ix->rows[p], UINT64_C(1) << w->of };
  }
  if (x->n_hits)
    qsort(x->hits, x->n_hits, sizeof *x->hits, hm_order_u32);
  for (size_t i = 0; i < x->n_hits; i++) {
    if (kept && x->hits[kept - 1].row == x->hits[i].row)
      x->hits[kept - 1].has |= x->hits[i].has;
    else
      x->hits[kept++] = x->hits[i];
  }
  x->n_hits = kept;
}

/* --- likeness --------------------------------------------------------------------------------- */

typedef struct {
  double share; /* of what is asked for */
  uint32_t row;
} ranked;

static int best_first(const void *x, const void *y) {
  const ranked *a = x, *b = y;
  if (a->share != b->share)
    return a->share > b->share ? -1 : 1;
  return (a->row > b->row) - (a->row < b->row);
}

/* The worth of a word that no row has. */
static double rarest(const search *x) {
  return log((double)x->from->snap->first[HM_RELATION] + 100);
}

static void weigh(search *x) {
  for (size_t k = 0; k < x->n; k++) {
    x->worth[k] = rarest(x) - log((double)x->texts[k] + 1);
    if (x->worth[k] < 0)
      x->worth[k] = 0;
    x->all += x->worth[k];
  }
}

static double share_of(const search *x, uint64_t has) {
  double share = 0;
  for (size_t k = 0; k < x->n; k++)
    if (has >> k & 1)
      share += x->worth[k];
  return x->all > 0 ? share / x->all : 0;
}

/* Claims the row in a slot of the question? Then rules compared them. */
static bool was_compared(const search *x, uint32_t row) {
  const hm_claims *c = x->from->claims;
  if (!c || !x->q->n_slots)
    return false;
  for (size_t i = hm_claims_first_of_row(c, row); i < c->n && c->claims[i].row == row; i++)
    for (size_t k = 0; k < x->q->n_slots; k++)
      if (c->claims[i].hash == x->q->slots[k])
        return true;
  return false;
}

static bool is_wanted(const search *x, uint32_t row, hm_arena *scratch) {
  hm_str ref = hm_row_ref(scratch, &x->from->snap->rows[row]);
  return !hm_str_eq(ref, x->q->ref) && !was_compared(x, row) &&
      !(x->q->is_known && x->q->is_known(x->q->ctx, ref));
}

hm_str hm_alike_said_by(const hm_snapshot *snap, uint32_t row, hm_arena *a) {
  const hm_row *r = &snap->rows[row];
  hm_str *refs, line = hm_row_file_line(r, a);
  if (line.n || r->agent.n || !snap->details)
    return line.n ? line : r->agent;
  return hm_sources_parse(a, r->layer, snap->details[row].source_refs, &refs) ? refs[0] : HM_EMPTY;
}

static hm_alike_row row_of(const search *x, uint32_t row, double likeness, hm_str text,
                           hm_arena *a) {
  const hm_snapshot *snap = x->from->snap;
  const hm_row *r = &snap->rows[row];
  hm_str at = hm_row_text_date(snap, row), cut = hm_text_cut(text, HM_ALIKE_SHOWN);
  return (hm_alike_row){ .row = row,
                         .ref = hm_row_ref(a, r),
                         .text = cut.n < text.n ? HM_CAT(a, cut, HM_STR("…")) : cut,
                         .source = hm_alike_said_by(snap, row, a),
                         .date = hm_str_sub(at, 0, at.n < 10 ? at.n : 10),
                         .likeness = likeness,
                         .differs = hm_alike_difference_of(x->q->text, text, a) };
}

/* The form of a word, whatever its number. */
static uint32_t form_of(hm_str word) {
  bool plural = word.n > 3 && hm_str_ends(word, "s") && !hm_str_ends(word, "ss");
  return (uint32_t)hm_str_hash(hm_str_sub(word, 0, word.n - plural));
}

/* What a row has by its text of what is asked for. */
typedef struct {
  double share;
  size_t words; /* that it has in all */
  uint64_t has; /* which of what is asked for */
  bool in_form; /* one of them as it is said there, or by a word that means nearly the same */
} shared;

/* A name is no common word: "before dawn", "Rosa New Dawn". */
static shared share_in(const search *x, const hm_row *r, hm_arena *scratch) {
  hm_str text = hm_text_cut(hm_alike_raw_text(r, scratch), HM_ALIKE_READ);
  hm_alike_words w = hm_alike_words_of(text, scratch);
  double has[ASKED] = { 0 };
  shared s = { 0 };
  for (uint32_t h; (h = hm_alike_next_hash(&w)) != 0; s.words++) {
    const hm_alike_word *word = bsearch(&h, x->words, x->n_words, sizeof *word, hm_order_u32);
    if (!word || (w.named && x->small >> word->of & 1))
      continue;
    bool same = h == x->asked[word->of];
    double count = same ? 1 : LIKE;
    has[word->of] = count > has[word->of] ? count : has[word->of];
    s.has |= UINT64_C(1) << word->of;
    s.in_form |= !same || form_of(w.word) == x->forms[word->of];
  }
  for (size_t k = 0; k < x->n; k++)
    s.share += x->worth[k] * has[k];
  s.share = x->all > 0 ? s.share / x->all : 0;
  return s;
}

/* *floor: what it needs. */
static double likeness_of(const search *x, uint32_t row, hm_str text, double cosine, double *floor,
                          hm_arena *scratch) {
  shared s = share_in(x, &x->from->snap->rows[row], scratch);
  double own = (double)(s.words < LONG ? s.words : LONG) / LONG;
  *floor = FLOOR;
  if (s.share <= 0)
    return 0;
  double likeness = OF_SHARE * s.share + OF_WORTH * s.share * x->all / rarest(x) +
      OF_COSINE * cosine - OF_OWN * own;
  /* kinds are read where they decide */
  bool reads = x->kinds && (likeness >= FLOOR - OF_KIND || x->q->nearest);
  bool of_kind = reads && (x->kinds & hm_alike_kinds(text, scratch)), one = !(s.has & (s.has - 1));
  if (one && ((s.has & x->values) || (!s.in_form && !of_kind)))
    *floor = OF_ONE;
  return likeness + (of_kind ? OF_KIND : 0);
}

static int nearest_first(const void *x, const void *y) {
  const hm_alike_row *a = x, *b = y;
  if (a->likeness != b->likeness)
    return a->likeness > b->likeness ? -1 : 1;
  return (a->row > b->row) - (a->row < b->row);
}

/* Has one of these the text? One of several that say the same is enough. */
static bool says_one_of(const hm_alike_row *v, size_t n, hm_alike_row x) {
  size_t i = 0;
  while (i < n && !hm_str_eq(v[i].text, x.text))
    i++;
  return i < n;
}

/* The nearest of the candidates with the highest shares. */
static size_t choose(const search *x, const ranked *v, size_t n, hm_arena *a, hm_alike_row **out) {
  hm_arena *scratch = hm_arena_new(), *own = hm_arena_new();
  hm_similar_vectors *vectors = hm_similar_vectors_new(own);
  hm_alike_row *all = hm_alloc_array(own, LOOKED, sizeof *all);
  hm_vector asked, other;
  size_t found = 0, kept = 0, looked = 0;
  hm_similar_make_vector(vectors, x->q->text, scratch, &asked);
  size_t most = x->q->of_many ? LOOKED_OF_MANY : LOOKED;
  for (size_t i = 0; i < n && looked < most; i++) {
    hm_arena_reset(scratch);
    if (!is_wanted(x, v[i].row, scratch))
      continue;
    hm_str whole = hm_recall_row_text(&x->from->snap->rows[v[i].row], scratch);
    if (hm_str_eq(hm_str_trim(whole), hm_str_trim(x->q->text)))
      continue;
    hm_str text = hm_text_cut(whole, HM_ALIKE_READ);
    looked++;
    const hm_vector *own_vector = &other;
    if (x->from->vectors)
      own_vector = &x->from->vectors[v[i].row];
    else
      hm_similar_make_vector(vectors, text, scratch, &other);
    double floor, cosine = hm_vector_cosine(&asked, own_vector);
    double likeness = likeness_of(x, v[i].row, text, cosine, &floor, scratch);
    if (likeness >= floor || x->q->nearest)
      all[found++] = (hm_alike_row){ .row = v[i].row, .likeness = likeness };
  }
  if (found)
    qsort(all, found, sizeof *all, nearest_first);
  *out = hm_alloc_array(a, HM_ALIKE_MOST, sizeof **out);
  for (size_t i = 0; i < found && kept < HM_ALIKE_MOST; i++) {
    hm_str text = hm_str_trim(hm_recall_row_text(&x->from->snap->rows[all[i].row], a));
    hm_alike_row one = row_of(x, all[i].row, all[i].likeness, text, a);
    if (!says_one_of(*out, kept, one))
      (*out)[kept++] = one;
  }
  hm_arena_free(own);
  hm_arena_free(scratch);
  return kept;
}

static uint32_t project_of(const hm_snapshot *snap, hm_str id) {
  for (size_t i = 0; i < snap->n_projects; i++)
    if (hm_str_eq(snap->projects[i].id, id))
      return (uint32_t)i;
  return HM_MAP_NONE;
}

static void read_question(search *x, hm_arena *tmp) {
  x->n = hm_alike_hashes(x->q->text, x->asked, ASKED, tmp);
  x->n_words = hm_alike_synonyms(x->asked, x->n, x->words, HM_ALIKE_WORDS - ASKED);
  for (size_t k = 0; k < x->n; k++)
    x->words[x->n_words++] = (hm_alike_word){ x->asked[k], (uint8_t)k };
  qsort(x->words, x->n_words, sizeof *x->words, hm_order_u32);
  hm_alike_words w = hm_alike_words_of(x->q->text, tmp);
  for (uint32_t h; (h = hm_alike_next_hash(&w)) != 0;)
    for (size_t k = 0; k < x->n; k++) {
      if (x->asked[k] != h)
        continue;
      x->small |= (uint64_t)w.small << k;
      x->values |= (uint64_t)(hm_alike_kind(w.word) != 0) << k;
      x->forms[k] = form_of(w.word);
    }
  x->kinds = hm_alike_kinds(x->q->text, tmp);
}

size_t hm_alike_find(const hm_alike_source *from, const hm_alike_question *q, hm_arena *a,
                     hm_alike_row **out) {
  search x = { .from = from, .q = q };
  hm_arena *tmp = hm_arena_new();
  x.project = project_of(from->snap, q->project);
  x.global = project_of(from->snap, HM_EMPTY);
  read_question(&x, tmp);
  if (from->index)
    look_up(&x, tmp);
  else
    scan(&x, tmp);
  weigh(&x);
  ranked *v = hm_alloc_array(tmp, x.n_hits + 1, sizeof *v);
  for (size_t i = 0; i < x.n_hits; i++)
    v[i] = (ranked){ share_of(&x, x.hits[i].has), x.hits[i].row };
  if (x.n_hits)
    qsort(v, x.n_hits, sizeof *v, best_first);
  size_t n = choose(&x, v, x.n_hits, a, out);
  hm_arena_free(tmp);
  return n;
}

void hm_alike_question_of_row(const hm_snapshot *snap, const hm_claims *claims, uint32_t row,
                              hm_arena *a, hm_alike_question *out) {
  const hm_row *r = &snap->rows[row];
  size_t first = hm_claims_first_of_row(claims, row), n = 0;
  while (first + n < claims->n && claims->claims[first + n].row == row)
    n++;
  uint64_t *slots = hm_alloc_array(a, n + 1, sizeof *slots);
  for (size_t i = 0; i < n; i++)
    slots[i] = claims->claims[first + i].hash;
  *out = (hm_alike_question){ .text = hm_recall_row_text(r, a),
                              .project = snap->projects[r->project].id,
                              .ref = hm_row_ref(a, r),
                              .slots = slots,
                              .n_slots = n };
}
