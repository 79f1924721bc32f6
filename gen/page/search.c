/* The documents of search, and their words.
 *
 * A document is the target of a result: a conflict, a listed row, a project, a source. Its code
 * depends only on itself, so that a new document changes only the files of its own words. Its words
 * come from what pages show of it: texts that publish.exclude leaves out are never read here. The
 * first DOC_WORDS words of each document count, the title's first, so the size of the index is
 * bounded by the number of documents.
 *
 * Collects words a chunk of documents at a time, on all cores, in the order of rows, as their texts
 * stand in memory. Then sorts the distinct words, and adds documents to their words in the order of
 * rank, so that no list of postings needs a sort. */
#include "search.h"

#include <stdlib.h>

#include "core/base/digest.h"
#include "core/base/par.h"
#include "core/base/sort.h"
#include "core/base/text.h"
#include "core/base/words.h"

enum { CHUNK = 4096, DOC_WORDS = 40 };

/* --- documents --------------------------------------------------------------------- */

static hm_found_class class_of_row(const hm_view *v, uint32_t row) {
  static const hm_found_class of[] = { [HM_MEMORY] = HM_FOUND_MEMORY,
                                       [HM_ENTITY] = HM_FOUND_ENTITY,
                                       [HM_STATE] = HM_FOUND_STATE,
                                       [HM_RELATION] = HM_FOUND_RELATION };
  size_t n;
  hm_view_marks(v, row, &n);
  if (n)
    return HM_FOUND_DISPUTED;
  return v->rows[row].active ? of[v->snap->rows[row].layer] : HM_FOUND_HISTORY;
}

static void add_doc(hm_search *s, hm_doc_of of, hm_found_class is, uint32_t index) {
  s->docs[s->n_docs++] = (hm_doc){ .of = of, .is = is, .index = index };
}

static void list_docs(hm_search *s, hm_arena *a) {
  const hm_view *v = s->v;
  uint32_t n_sources = hm_count_sources(s->sources);
  s->docs = hm_alloc_array(a, v->n_conflicts + v->snap->n_rows + v->n_projects + n_sources + 1,
                           sizeof *s->docs);
  for (uint32_t i = 0; i < v->n_conflicts; i++)
    add_doc(s, HM_DOC_CONFLICT,
            v->conflicts[i].rec->status == HM_OPEN ? HM_FOUND_DISPUTE : HM_FOUND_SETTLED, i);
  for (uint32_t i = 0; i < v->snap->n_rows; i++)
    if (hm_view_listed(v, i))
      add_doc(s, HM_DOC_ROW, class_of_row(v, i), i);
  for (uint32_t i = 0; i < v->n_projects; i++)
    add_doc(s, HM_DOC_PROJECT, HM_FOUND_PROJECT, i);
  for (uint32_t i = 0; i < n_sources; i++)
    add_doc(s, HM_DOC_SOURCE, HM_FOUND_SOURCE, i);
}

/* A document's unique identity: its kind and id. */
static hm_str identity(const hm_search *s, const hm_doc *d, hm_buf *b) {
  const hm_view *v = s->v;
  const hm_row *r = d->of == HM_DOC_ROW ? &v->snap->rows[d->index] : NULL;
  hm_buf_clear(b);
  hm_buf_ch(b, (char)('0' + d->of));
  hm_buf_ch(b, '/');
  hm_buf_ch(b, (char)('0' + (r ? (int)r->layer : 0)));
  hm_buf_ch(b, '/');
  hm_buf_str(b,
             r                              ? r->id
                 : d->of == HM_DOC_CONFLICT ? v->conflicts[d->index].rec->id
                 : d->of == HM_DOC_PROJECT  ? v->snap->projects[v->projects[d->index].snap].id
                                            : hm_source_label(s->sources, d->index));
  return hm_buf_view(b);
}

static uint32_t code_of(hm_str name) {
  unsigned char sum[32];
  hm_sha256_digest(name, sum);
  return ((uint32_t)sum[0] << 22 | (uint32_t)sum[1] << 14 | (uint32_t)sum[2] << 6 | sum[3] >> 2);
}

/* A code and its document, as one number. */
static uint64_t coded(uint32_t code, uint32_t doc) { return (uint64_t)code << 32 | doc; }
static uint32_t code_in(uint64_t c) { return (uint32_t)(c >> 32); }

static int code_alone(const void *x, const void *y) {
  uint32_t a = code_in(*(const uint64_t *)x), b = code_in(*(const uint64_t *)y);
  return (a > b) - (a < b);
}

/* c: sorted, with a code that some share, of 2^30. The first document of these keeps it; the
 * others take codes that nobody has. */
static void part_codes(const hm_search *s, uint64_t *c) {
  hm_buf b = { 0 };
  size_t n_parted = 0, cap = 0;
  uint64_t *parted = NULL; /* a new code, and where in c it belongs */
  for (uint32_t i = 1; i < s->n_docs; i++) {
    if (code_in(c[i]) != code_in(c[i - 1]))
      continue;
    hm_str name = identity(s, &s->docs[(uint32_t)c[i]], &b);
    size_t n_name = name.n;
    uint64_t now = 0;
    for (int k = 1;; k++) {
      b.n = n_name;
      hm_buf_fmt(&b, "/%d", k);
      now = coded(code_of(hm_buf_view(&b)), i);
      bool taken = bsearch(&now, c, s->n_docs, sizeof *c, code_alone) != NULL;
      for (size_t j = 0; j < n_parted && !taken; j++)
        taken = !code_alone(&parted[j], &now);
      if (!taken)
        break;
    }
    parted = hm_array_grow(parted, n_parted, &cap, sizeof *parted);
    parted[n_parted++] = now;
  }
  for (size_t j = 0; j < n_parted; j++) {
    uint64_t *at = &c[(uint32_t)parted[j]];
    *at = coded(code_in(parted[j]), (uint32_t)*at);
  }
  if (n_parted)
    hm_numbers_sort(c, s->n_docs);
  free(parted);
  hm_buf_free(&b);
}

/* --- words ---------------------------------------------------------------------------- */

/* A word of a chunk. last: of the documents that have it. */
typedef struct {
  hm_str word;
  uint32_t n_docs, last;
} chunk_word;

typedef struct {
  hm_arena *a;
  chunk_word *words;
  uint32_t *uses; /* of one document after another: 2 * word + (1: not in its title) */
  size_t n_words, cap_words, n_uses, cap_uses;
  size_t first; /* of its words among those of all chunks */
} chunk;

typedef struct {
  hm_search *s;
  chunk *chunks;
  size_t n;
  uint64_t *codes;         /* of the documents as they are listed */
  uint32_t *uses_end;      /* of each of these: where its uses end, in its chunk */
  uint32_t *rank, *listed; /* of each of these its rank; by rank: index into these */
  uint32_t *number;        /* of the words of one chunk after another: index into s->words */
  hm_arena *tmp;
} collecting;

/* One document being read. */
typedef struct {
  chunk *c;
  hm_map *at; /* word -> index into c->words, or COMMON */
  uint32_t doc;
  bool in_text; /* no longer in the title */
  size_t first; /* of its uses */
} reading;

enum { COMMON = INT32_MAX };

static uint32_t add_word(reading *r, hm_str word) {
  chunk *c = r->c;
  uint32_t i = hm_word_is_common(word) ? COMMON : (uint32_t)c->n_words;
  word = hm_str_dup(c->a, word);
  hm_map_add(r->at, word, i);
  if (i == COMMON)
    return i;
  c->words = hm_array_grow(c->words, c->n_words, &c->cap_words, sizeof *c->words);
  c->words[c->n_words++] = (chunk_word){ word, 0, HM_NONE };
  return i;
}

static void take_word(void *ctx, hm_str word) {
  reading *r = ctx;
  chunk *c = r->c;
  if (c->n_uses - r->first >= DOC_WORDS)
    return;
  uint32_t i = hm_map_get(r->at, word);
  if (i == HM_NONE)
    i = add_word(r, word);
  if (i == COMMON || c->words[i].last == r->doc)
    return;
  c->words[i].last = r->doc;
  c->words[i].n_docs++;
  c->uses = hm_array_grow(c->uses, c->n_uses, &c->cap_uses, sizeof *c->uses);
  c->uses[c->n_uses++] = 2 * i + r->in_text;
}

static void take_text(reading *r, hm_str text) {
  if (r->c->n_uses - r->first >= DOC_WORDS)
    return;
  hm_text_each_word(hm_text_cut(text, DOC_WORDS * HM_WORD_CODE_POINTS), take_word, r);
}

static void take_strings(reading *r, hm_str json, hm_arena *tmp) {
  hm_str *all;
  size_t n = hm_format_json_list(json, tmp, &all);
  for (size_t i = 0; i < n && i < HM_REFS; i++)
    take_text(r, all[i]);
}

/* What pages show of the row, by the functions that they show it with: values lack the properties
 * that are left out. */
static void read_row(const hm_view *v, uint32_t at, reading *r, hm_arena *tmp) {
  const hm_row *row = &v->snap->rows[at];
  const hm_row_detail *d = hm_view_detail(v, at);
  take_text(r, row->id);
  if (row->layer == HM_RELATION)
    return;
  take_text(r, row->name);
  r->in_text = true;
  take_text(r, row->type);
  if (row->layer == HM_STATE)
    take_text(r, hm_view_state_value(v, at, tmp));
  if (row->layer == HM_MEMORY)
    take_text(r, row->text);
  const hm_json *props = row->layer == HM_ENTITY ? hm_view_props(v, at, tmp) : NULL;
  for (const hm_json *p = props ? props->child : NULL; p; p = p->next) {
    take_text(r, p->key);
    take_text(r, hm_format_json(p, tmp));
  }
  if (row->layer == HM_ENTITY && !hm_view_prop_hidden(v, HM_STR("description"), tmp))
    take_text(r, row->text);
  if (d)
    take_strings(r, d->source_refs, tmp);
  if (d)
    take_strings(r, row->tags, tmp);
}

static void read_doc(const hm_search *s, const hm_doc *d, reading *r, hm_arena *tmp) {
  const hm_view *v = s->v;
  if (d->of == HM_DOC_ROW)
    read_row(v, d->index, r, tmp);
  if (d->of == HM_DOC_SOURCE)
    hm_text_each_word(hm_source_label(s->sources, d->index), take_word, r);
  if (d->of == HM_DOC_CONFLICT) {
    hm_text_each_word(v->conflicts[d->index].rec->id, take_word, r);
    hm_text_each_word(v->conflicts[d->index].title, take_word, r);
  }
  if (d->of == HM_DOC_PROJECT) {
    const hm_project *p = &v->snap->projects[v->projects[d->index].snap];
    hm_text_each_word(p->id, take_word, r);
    hm_text_each_word(v->projects[d->index].label, take_word, r);
    for (size_t i = 0; i < p->n_aliases; i++)
      hm_text_each_word(p->aliases[i], take_word, r);
    r->in_text = true;
    hm_text_each_word(hm_text_cut(p->description, v->opt.value_limit), take_word, r);
  }
}

static int read_chunk(void *ctx, size_t at, int core) {
  collecting *x = ctx;
  chunk *c = &x->chunks[at];
  hm_arena *tmp = hm_arena_new(), *of_map = hm_arena_new();
  hm_map words;
  hm_buf name = { 0 };
  (void)core;
  c->a = hm_arena_new();
  hm_map_init(&words, of_map, 2 * CHUNK);
  uint32_t from = (uint32_t)at * CHUNK, left = x->s->n_docs - from;
  for (uint32_t i = from; i < from + (left < CHUNK ? left : CHUNK); i++) {
    const hm_doc *d = &x->s->docs[i];
    reading r = { .c = c, .at = &words, .doc = i, .first = c->n_uses };
    read_doc(x->s, d, &r, tmp);
    x->uses_end[i] = (uint32_t)c->n_uses;
    x->codes[i] = coded(code_of(identity(x->s, d, &name)), i);
    hm_arena_reset(tmp);
  }
  hm_buf_free(&name);
  hm_arena_free(of_map);
  hm_arena_free(tmp);
  return 0;
}

/* Puts the documents in the order of their rank. */
static void order_docs(hm_search *s, collecting *x, hm_arena *a) {
  uint64_t *c = x->codes;
  uint32_t next[HM_N_FOUND + 1] = { 0 };
  hm_doc *docs = hm_alloc_array(a, s->n_docs + 1, sizeof *docs);
  hm_numbers_sort(c, s->n_docs);
  part_codes(s, c);
  for (uint32_t i = 0; i < s->n_docs; i++)
    next[s->docs[i].is + 1]++;
  for (int k = 1; k <= HM_N_FOUND; k++)
    next[k] += next[k - 1];
  s->by_code = hm_alloc_array(a, s->n_docs + 1, sizeof *s->by_code);
  for (uint32_t i = 0; i < s->n_docs; i++) {
    uint32_t doc = (uint32_t)c[i], rank = next[s->docs[doc].is]++;
    s->by_code[i] = rank;
    x->listed[rank] = doc;
    x->rank[doc] = rank;
    docs[rank] = s->docs[doc];
    docs[rank].code = code_in(c[i]);
  }
  s->docs = docs;
}

/* The words of all chunks, each once, sorted, with room for their documents. */
static void merge_words(hm_search *s, collecting *x, hm_arena *a) {
  size_t n = 0, n_docs = 0;
  for (chunk *c = x->chunks; c < x->chunks + x->n; n += c++->n_words)
    c->first = n;
  hm_str *all = hm_alloc_array(x->tmp, n + 1, sizeof *all);
  x->number = hm_alloc_array(x->tmp, n + 1, sizeof *x->number);
  for (const chunk *c = x->chunks; c < x->chunks + x->n; c++)
    for (size_t i = 0; i < c->n_words; i++)
      all[c->first + i] = c->words[i].word;
  s->n_words = hm_strs_number(all, sizeof *all, n, x->number);
  s->words = hm_alloc_array(a, s->n_words + 1, sizeof *s->words);
  for (const chunk *c = x->chunks; c < x->chunks + x->n; c++)
    for (size_t i = 0; i < c->n_words; i++) {
      hm_posting *p = &s->words[x->number[c->first + i]];
      p->word = c->words[i].word;
      p->all += c->words[i].n_docs;
    }
  for (hm_posting *p = s->words; p < s->words + s->n_words; p++)
    n_docs += p->all < HM_POSTINGS ? p->all : HM_POSTINGS;
  uint32_t *docs = hm_alloc_array(a, n_docs, sizeof *docs);
  for (hm_posting *p = s->words; p < s->words + s->n_words; p++) {
    p->docs = docs;
    docs += p->all < HM_POSTINGS ? p->all : HM_POSTINGS;
  }
}

typedef struct {
  collecting *x;
  hm_arena *of[2];
} ordering;

/* Orders documents and words in parallel; they share no data. */
static int order_one(void *ctx, size_t words, int core) {
  ordering *o = ctx;
  (void)core;
  if (words)
    merge_words(o->x->s, o->x, o->of[1]);
  else
    order_docs(o->x->s, o->x, o->of[0]);
  return 0;
}

/* Puts the documents of a chunk to words that no other document has, and leaves the other uses by
 * the numbers of all words. */
static int put_own_words(void *ctx, size_t at, int core) {
  collecting *x = ctx;
  chunk *c = &x->chunks[at];
  uint32_t from = (uint32_t)at * CHUNK, left = x->s->n_docs - from, k = 0, kept = 0;
  (void)core;
  for (uint32_t doc = from; doc < from + (left < CHUNK ? left : CHUNK); doc++) {
    for (; k < x->uses_end[doc]; k++) {
      uint32_t word = x->number[c->first + c->uses[k] / 2], in_text = c->uses[k] % 2;
      hm_posting *p = &x->s->words[word];
      if (p->all == 1)
        p->docs[p->n++] = 2 * x->rank[doc] + in_text;
      else
        c->uses[kept++] = 2 * word + in_text;
    }
    x->uses_end[doc] = kept;
  }
  return 0;
}

/* In the order of rank, in which the uses of one document are far from those of the next. */
static void put_shared_words(hm_search *s, const collecting *x) {
  enum { AHEAD = 16 };
  for (uint32_t rank = 0; rank < s->n_docs; rank++) {
    uint32_t doc = x->listed[rank], ahead = x->listed[rank + AHEAD < s->n_docs ? rank + AHEAD : 0];
    const uint32_t *uses = x->chunks[doc / CHUNK].uses;
    if (x->uses_end[ahead])
      __builtin_prefetch(&x->chunks[ahead / CHUNK].uses[x->uses_end[ahead] - 1]);
    for (uint32_t k = doc % CHUNK ? x->uses_end[doc - 1] : 0; k < x->uses_end[doc]; k++) {
      hm_posting *p = &s->words[uses[k] / 2];
      if (p->n < HM_POSTINGS)
        p->docs[p->n++] = 2 * rank + uses[k] % 2;
    }
  }
}

hm_search *hm_search_new(const hm_view *v, const hm_source_list *sources, hm_arena *a) {
  hm_search *s = hm_alloc(a, sizeof *s);
  *s = (hm_search){ .v = v, .sources = sources };
  hm_arena *tmp = hm_arena_new();
  list_docs(s, tmp);
  collecting x = { .s = s, .n = (s->n_docs + CHUNK - 1) / CHUNK, .tmp = tmp };
  x.chunks = hm_alloc_array(tmp, x.n + 1, sizeof *x.chunks);
  x.codes = hm_alloc_array(tmp, s->n_docs + 1, sizeof *x.codes);
  x.uses_end = hm_alloc_array(tmp, s->n_docs + 1, sizeof *x.uses_end);
  x.listed = hm_alloc_array(tmp, s->n_docs + 1, sizeof *x.listed);
  x.rank = hm_alloc_array(tmp, s->n_docs + 1, sizeof *x.rank);
  hm_par_for(x.n, hm_par_cores(), read_chunk, &x, NULL);
  ordering both = { &x, { a, hm_arena_new() } };
  hm_par_for(2, hm_par_cores(), order_one, &both, NULL);
  hm_arena_merge(a, both.of[1]);
  hm_par_for(x.n, hm_par_cores(), put_own_words, &x, NULL);
  put_shared_words(s, &x);
  for (size_t i = 0; i < x.n; i++) {
    free(x.chunks[i].words);
    free(x.chunks[i].uses);
    hm_arena_merge(a, x.chunks[i].a);
  }
  hm_arena_free(tmp);
  hm_search_cut_shards(s, a);
  return s;
}
