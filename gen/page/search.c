/* The documents of search, and their words.
 *
 * A document is the target of a result: a conflict, a listed row, a project, a source. Its code
 * depends only on itself, so that a new document changes only the files of its own words. Its words
 * come from what pages show of it: texts that publish.exclude leaves out are never read here. The
 * first DOC_WORDS words of each document count, the title's first, so the size of the index is
 * bounded by the number of documents.
 *
 * Documents are read in the order of their rank, so that no list of postings needs a sort; then the
 * distinct words are sorted. Cost: 0.1 s for 10^5 documents. */
#include "search.h"

#include <stdlib.h>

#include "core/base/digest.h"
#include "core/base/sort.h"
#include "core/base/text.h"
#include "core/base/words.h"

enum { DOC_WORDS = 40 };

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

/* Puts the documents in the order of their rank: by class, then by code. */
static void order_docs(hm_search *s, hm_arena *a, hm_arena *tmp) {
  uint64_t *c = hm_alloc_array(tmp, s->n_docs + 1, sizeof *c);
  uint32_t next[HM_N_FOUND + 1] = { 0 };
  hm_doc *docs = hm_alloc_array(a, s->n_docs + 1, sizeof *docs);
  hm_buf name = { 0 };
  for (uint32_t i = 0; i < s->n_docs; i++)
    c[i] = coded(code_of(identity(s, &s->docs[i], &name)), i);
  hm_buf_free(&name);
  hm_numbers_sort(c, s->n_docs);
  part_codes(s, c);
  for (uint32_t i = 0; i < s->n_docs; i++)
    next[s->docs[i].is + 1]++;
  for (int k = 1; k <= HM_N_FOUND; k++)
    next[k] += next[k - 1];
  s->by_code = hm_alloc_array(a, s->n_docs + 1, sizeof *s->by_code);
  for (uint32_t i = 0; i < s->n_docs; i++) {
    const hm_doc *d = &s->docs[(uint32_t)c[i]];
    uint32_t rank = next[d->is]++;
    s->by_code[i] = rank;
    docs[rank] = *d;
    docs[rank].code = code_in(c[i]);
  }
  s->docs = docs;
}

/* --- words ---------------------------------------------------------------------------- */

/* last: of the documents that have it. */
typedef struct {
  hm_str word;
  uint32_t n_docs, last;
} found_word;

/* The words of the documents that were read. */
typedef struct {
  hm_arena *a;
  hm_map at; /* word -> index into words, or COMMON */
  found_word *words;
  uint32_t *uses; /* of one document after another: 2 * word + (1: not in its title) */
  size_t n_words, cap_words, n_uses, cap_uses;
  uint32_t doc;
  bool in_text; /* no longer in the title of doc */
  size_t first; /* of the uses of doc */
} reading;

enum { COMMON = INT32_MAX };

static uint32_t add_word(reading *r, hm_str word) {
  uint32_t i = hm_word_is_common(word) ? COMMON : (uint32_t)r->n_words;
  word = hm_str_dup(r->a, word);
  hm_map_add(&r->at, word, i);
  if (i == COMMON)
    return i;
  r->words = hm_array_grow(r->words, r->n_words, &r->cap_words, sizeof *r->words);
  r->words[r->n_words++] = (found_word){ word, 0, HM_NONE };
  return i;
}

static void take_word(void *ctx, hm_str word) {
  reading *r = ctx;
  if (r->n_uses - r->first >= DOC_WORDS)
    return;
  uint32_t i = hm_map_get(&r->at, word);
  if (i == HM_NONE)
    i = add_word(r, word);
  if (i == COMMON || r->words[i].last == r->doc)
    return;
  r->words[i].last = r->doc;
  r->words[i].n_docs++;
  r->uses = hm_array_grow(r->uses, r->n_uses, &r->cap_uses, sizeof *r->uses);
  r->uses[r->n_uses++] = 2 * i + r->in_text;
}

static void take_text(reading *r, hm_str text) {
  if (r->n_uses - r->first >= DOC_WORDS)
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

/* Sorts the words, and gives each its documents. ends: where the uses of each document end. */
static void put_words(hm_search *s, const reading *r, const uint32_t *ends, hm_arena *a,
                      hm_arena *tmp) {
  uint32_t *number = hm_alloc_array(tmp, r->n_words + 1, sizeof *number);
  if (r->n_words)
    s->n_words = hm_strs_number(&r->words->word, sizeof *r->words, r->n_words, number);
  s->words = hm_alloc_array(a, s->n_words + 1, sizeof *s->words);
  for (size_t i = 0; i < r->n_words; i++) {
    uint32_t all = r->words[i].n_docs, kept = all < HM_POSTINGS ? all : HM_POSTINGS;
    s->words[number[i]] = (hm_posting){ .word = r->words[i].word,
                                        .docs = hm_alloc_array(a, kept, sizeof(uint32_t)),
                                        .all = all };
  }
  for (uint32_t doc = 0, k = 0; doc < s->n_docs; doc++)
    for (; k < ends[doc]; k++) {
      hm_posting *p = &s->words[number[r->uses[k] / 2]];
      if (p->n < HM_POSTINGS)
        p->docs[p->n++] = 2 * doc + r->uses[k] % 2;
    }
}

hm_search *hm_search_new(const hm_view *v, const hm_source_list *sources, hm_arena *a) {
  hm_search *s = hm_alloc(a, sizeof *s);
  *s = (hm_search){ .v = v, .sources = sources };
  hm_arena *tmp = hm_arena_new(), *of_doc = hm_arena_new();
  reading r = { .a = a };
  hm_map_init(&r.at, tmp, 1024);
  list_docs(s, tmp);
  order_docs(s, a, tmp);
  uint32_t *ends = hm_alloc_array(tmp, s->n_docs + 1, sizeof *ends);
  for (r.doc = 0; r.doc < s->n_docs; r.doc++) {
    r.first = r.n_uses;
    r.in_text = false;
    read_doc(s, &s->docs[r.doc], &r, of_doc);
    ends[r.doc] = (uint32_t)r.n_uses;
    hm_arena_reset(of_doc);
  }
  put_words(s, &r, ends, a, tmp);
  free(r.words);
  free(r.uses);
  hm_arena_free(of_doc);
  hm_arena_free(tmp);
  hm_search_cut_shards(s, a);
  return s;
}
