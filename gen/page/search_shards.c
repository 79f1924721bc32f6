/* The search index as files that a page loads by script elements, which work also from file://,
 * where fetch does not; and the lines of results, one of JSON for each document.
 *
 * search/index.js lists the others. A shard of words has those that begin with its prefix; when
 * these have more than HM_SHARD_BYTES, the prefix has a shard of two lines (the word equal to it,
 * and the best documents of all its words), and each prefix longer by one character has its own
 * shard. A shard of documents has those whose codes begin with the same bits. So a shard is cut
 * only when it grows itself, and a changed fact changes the shards of its words and of its
 * document.
 *
 * Each file is one call of hmShard(name, lines). Every line ends in a comma, the last one too, so
 * that a new line at the end changes no other. */
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "search.h"

/* --- how a result reads ---------------------------------------------------------------------- */

enum { LABEL = 90, VALUE = 60, WHERE = 40 };

typedef struct {
  hm_str url, label, what, where, value, mark;
} result;

static hm_str place(hm_arena *a, hm_str path, hm_str anchor) {
  hm_str link = hm_path_link(a, HM_STR("search.md"), path, anchor);
  const char *md = link.n ? memmem(link.p, link.n, ".md", 3) : NULL;
  if (!md)
    return link;
  hm_str stem = hm_str_sub(link, 0, (size_t)(md - link.p)),
         rest = hm_str_sub(link, (size_t)(md - link.p) + 3, link.n);
  if (hm_str_is(stem, "README") || hm_str_ends(stem, "/README"))
    stem = HM_CAT(a, hm_str_sub(stem, 0, stem.n - 6), HM_STR("index"));
  return HM_CAT(a, stem, HM_STR(".html"), rest);
}

static hm_str row_kind(const hm_view *v, uint32_t row, hm_arena *a) {
  static const char *const kinds[] = { [HM_MEMORY] = "memory",
                                       [HM_ENTITY] = "entity",
                                       [HM_STATE] = "curated value",
                                       [HM_RELATION] = "relation" };
  const hm_row *r = &v->snap->rows[row];
  const hm_group *g = &v->groups[v->parts[v->part_of[row]].group];
  hm_str what = hm_str_c(kinds[r->layer]);
  if (r->layer == HM_ENTITY)
    what = g->kind ? hm_str_c(g->kind->one) : hm_shorten(a, g->title, WHERE);
  if (v->rows[row].active)
    return what;
  return hm_str_fmt(a, "%.*s, %s", HM_FMT(what), hm_status_name(r->status));
}

/* Its value; where its sources differ, all that they say. */
static hm_str value_of_state(const hm_view *v, uint32_t row, const hm_mark *marks, size_t n,
                             hm_arena *a) {
  const hm_dispute *d = n ? v->conflicts[marks[0].conflict].dispute : NULL;
  hm_buf b = { 0 };
  for (size_t i = 0; d && i < d->n; i++) {
    const hm_claim *c = d->parties[i].claim;
    if (c->row != row || !c->source.n || !hm_view_claim_shown(v, c, a))
      continue;
    if (b.n)
      hm_buf_c(&b, " | ");
    hm_buf_str(&b, c->value.raw);
  }
  hm_str all = hm_buf_take(&b, a);
  return all.n ? all : hm_view_state_value(v, row, a);
}

static void row_result(const hm_view *v, uint32_t row, hm_arena *a, result *out) {
  const hm_row *r = &v->snap->rows[row];
  hm_str anchor, home = hm_view_find_row_page(v, row, a, &anchor);
  hm_str page = hm_view_subsystem_path(v, row);
  if (!page.n)
    page = hm_view_entity_path(v, row);
  size_t n;
  const hm_mark *marks = hm_view_marks(v, row, &n);
  out->url = page.n ? place(a, page, HM_EMPTY) : place(a, home, anchor);
  out->label = hm_link_label(a, hm_view_distinct_label(v, row, a), LABEL);
  if (r->layer == HM_RELATION)
    out->label =
        hm_str_fmt(a, "%.*s: %.*s", HM_FMT(out->label), HM_FMT(hm_shorten(a, r->type, 40)));
  out->what = row_kind(v, row, a);
  out->where =
      hm_shorten(a, v->projects[v->groups[v->parts[v->part_of[row]].group].project].label, WHERE);
  if (r->layer == HM_STATE)
    out->value = hm_shorten(a, value_of_state(v, row, marks, n, a), VALUE);
  if (n)
    out->mark = place(a, v->conflicts[marks[0].conflict].path, HM_EMPTY);
}

/* Of what it says; empty where that is withheld. */
static hm_str first_text(const hm_view *v, const hm_vconflict *c, hm_arena *a) {
  for (size_t i = 0; i < c->rec->n_members; i++)
    if (hm_view_member_shown(v, &c->rec->members[i], a))
      return c->rec->members[i].value;
  return HM_EMPTY;
}

static void conflict_result(const hm_view *v, const hm_vconflict *c, hm_arena *a, result *out) {
  out->url = place(a, c->path, HM_EMPTY);
  out->label = hm_link_label(a, c->words, LABEL);
  if (c->project != HM_NONE)
    out->where = hm_shorten(a, v->projects[c->project].label, WHERE);
  if (c->proposed)
    out->value = hm_shorten(a, first_text(v, c, a), VALUE);
  out->what = c->rec->status != HM_OPEN ? HM_STR("conflict of the past") : HM_STR("open conflict");
  if (c->rec->status == HM_OPEN && c->dispute)
    out->mark = out->url;
}

/* As JSON, and without what could end a script: each '<' is escaped. */
static void put_text(hm_buf *out, hm_str text, hm_arena *a) {
  hm_buf b = { 0 };
  hm_json_write_str(&b, text);
  hm_str json = hm_buf_take(&b, a);
  for (const char *less; (less = json.n ? memchr(json.p, '<', json.n) : NULL);) {
    size_t n = (size_t)(less - json.p);
    hm_buf_str(out, hm_str_sub(json, 0, n));
    hm_buf_c(out, "\\u003c");
    json = hm_str_sub(json, n + 1, json.n);
  }
  hm_buf_str(out, json);
}

/* The code as HM_DOC_CODE characters of A-Z a-z 0-9 - _ . */
static void put_code(hm_buf *out, uint32_t code) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  for (int k = HM_DOC_CODE; k-- > 0;)
    hm_buf_ch(out, digits[code >> 6 * k & 63]);
}

/* The line of one document: ["code","url","label","what","where","value","mark"]. */
static void put_doc_line(const hm_search *s, uint32_t doc, hm_arena *a, hm_buf *out) {
  const hm_doc *d = &s->docs[doc];
  const hm_view *v = s->v;
  result r = { .where = HM_EMPTY };
  if (d->of == HM_DOC_ROW)
    row_result(v, d->index, a, &r);
  if (d->of == HM_DOC_CONFLICT)
    conflict_result(v, &v->conflicts[d->index], a, &r);
  if (d->of == HM_DOC_PROJECT) {
    r.label = hm_link_label(a, v->projects[d->index].label, LABEL);
    r.url = place(a, HM_CAT(a, v->projects[d->index].dir, HM_STR("README.md")), HM_EMPTY);
    r.what = HM_STR("project");
  }
  if (d->of == HM_DOC_SOURCE) {
    hm_str anchor, label = hm_source_label(s->sources, d->index),
                   path = hm_find_source_page(s->sources, label, a, &anchor);
    r.label = hm_link_label(a, label, LABEL);
    r.url = place(a, path, anchor);
    r.what = HM_STR("source");
  }
  const hm_str fields[] = { r.url, r.label, r.what, r.where, r.value, r.mark };
  size_t n = HM_COUNT(fields);
  while (n && !fields[n - 1].n)
    n--;
  hm_buf_c(out, "[\"");
  put_code(out, d->code);
  hm_buf_c(out, "\"");
  for (size_t i = 0; i < n; i++) {
    hm_buf_ch(out, ',');
    put_text(out, fields[i], a);
  }
  hm_buf_ch(out, ']');
}

enum { DEEPEST_NAME = 150, CODE_BITS = 30 };

/* --- lines ------------------------------------------------------------------------- */

/* " Acodecode acode": a run for each class, those with the word in their titles first, by a
 * capital. docs: by rank, as hm_posting has them. */
static void put_docs(const hm_search *s, const uint32_t *docs, uint32_t n, hm_buf *out) {
  for (uint32_t from = 0, to; from < n; from = to) {
    hm_found_class is = s->docs[docs[from] / 2].is;
    for (to = from + 1; to < n && s->docs[docs[to] / 2].is == is; to++)
      continue;
    for (uint32_t in_text = 0; in_text < 2; in_text++) {
      bool any = false;
      for (uint32_t i = from; i < to; i++) {
        if (docs[i] % 2 != in_text)
          continue;
        if (!any)
          hm_buf_ch(out, ' '), hm_buf_ch(out, (char)((in_text ? 'a' : 'A') + is));
        put_code(out, s->docs[docs[i] / 2].code);
        any = true;
      }
    }
  }
}

static void search_word_line(const hm_search *s, const hm_posting *p, hm_buf *out) {
  hm_buf_ch(out, '"');
  hm_buf_str(out, p->word); /* letters, numbers and full stops: nothing to escape */
  if (p->all > p->n)
    hm_buf_fmt(out, " +%u", p->all);
  put_docs(s, p->docs, p->n, out);
  hm_buf_ch(out, '"');
}

/* The best documents of all words of a shard that is cut. */
static void put_best(const hm_search *s, const hm_shard *h, hm_buf *out) {
  enum { NOT, IN_TEXT, IN_TITLE };
  unsigned char *has = calloc(s->n_docs + 1, 1);
  uint32_t best[HM_POSTINGS_PREFIX], n = 0;
  if (!has) {
    out->failed = true;
    return;
  }
  for (uint32_t w = h->from; w < h->to; w++)
    for (uint32_t i = 0; i < s->words[w].n; i++) {
      uint32_t doc = s->words[w].docs[i] / 2;
      unsigned char how = s->words[w].docs[i] % 2 ? IN_TEXT : IN_TITLE;
      if (how > has[doc])
        has[doc] = how;
    }
  for (uint32_t doc = 0; doc < s->n_docs && n < HM_POSTINGS_PREFIX; doc++)
    if (has[doc])
      best[n++] = 2 * doc + (has[doc] == IN_TEXT);
  free(has);
  hm_buf_c(out, "\"*");
  put_docs(s, best, n, out);
  hm_buf_c(out, "\"");
}

/* --- cutting ------------------------------------------------------------------------- */

typedef struct {
  hm_shard *v;
  size_t n, cap;
} shards;

static void add_shard(shards *x, hm_shard h) {
  x->v = hm_array_grow(x->v, x->n, &x->cap, sizeof *x->v);
  x->v[x->n++] = h;
}

/* "search/w-" and the prefix; of what is no letter a to z and no digit, the bytes as "-e4". */
static hm_str word_path(hm_str prefix, hm_arena *a) {
  hm_buf b = { 0 };
  hm_buf_c(&b, "search/w-");
  for (size_t i = 0; i < prefix.n; i++) {
    char c = prefix.p[i];
    if (hm_is_lower(c) || hm_is_digit(c))
      hm_buf_ch(&b, c);
    else
      hm_buf_fmt(&b, "-%02x", (unsigned char)c);
  }
  hm_buf_c(&b, ".js");
  return hm_buf_take(&b, a);
}

static size_t line_bytes(const hm_posting *p) {
  enum { AROUND = 16, RUN = 2, RUNS = 2 * HM_N_FOUND };
  size_t runs = p->n < RUNS ? p->n : RUNS;
  return p->word.n + AROUND + RUN * runs + (size_t)p->n * HM_DOC_CODE;
}

static void cut_words(const hm_search *s, uint32_t from, uint32_t to, size_t n_prefix, shards *out,
                      hm_arena *a) {
  size_t bytes = 0;
  if (from == to)
    return;
  hm_str prefix = hm_str_sub(s->words[from].word, 0, n_prefix), path = word_path(prefix, a);
  for (uint32_t i = from; i < to && bytes <= HM_SHARD_BYTES; i++)
    bytes += line_bytes(&s->words[i]);
  if (bytes <= HM_SHARD_BYTES || to - from == 1) {
    add_shard(out, (hm_shard){ path, prefix, from, to, false });
    return;
  }
  if (n_prefix)
    add_shard(out, (hm_shard){ path, prefix, from, to, true });
  uint32_t i = from + (s->words[from].word.n == n_prefix);
  if (path.n > DEEPEST_NAME)
    return;
  for (uint32_t end; i < to; i = end) {
    size_t next = n_prefix;
    hm_text_next(s->words[i].word, &next);
    hm_str begin = hm_str_sub(s->words[i].word, 0, next);
    for (end = i + 1; end < to && s->words[end].word.n >= next &&
         memcmp(s->words[end].word.p, begin.p, next) == 0;
         end++)
      continue;
    cut_words(s, i, end, next, out, a);
  }
}

/* tree: '1' for what is cut, then its two halves; '0' for what is not. */
static void cut_docs(const hm_search *s, uint32_t from, uint32_t to, hm_str prefix, shards *out,
                     hm_buf *tree, hm_arena *a) {
  bool whole = to - from <= HM_SHARD_DOCS;
  hm_buf_ch(tree, whole ? '0' : '1');
  if (whole) {
    if (from < to)
      add_shard(out,
                (hm_shard){ HM_CAT(a, HM_STR("search/d-"), prefix, HM_STR(".js")), prefix, from, to,
                            false });
    return;
  }
  uint32_t middle = from;
  while (middle < to && !(s->docs[s->by_code[middle]].code >> (CODE_BITS - 1 - prefix.n) & 1))
    middle++;
  cut_docs(s, from, middle, HM_CAT(a, prefix, HM_STR("0")), out, tree, a);
  cut_docs(s, middle, to, HM_CAT(a, prefix, HM_STR("1")), out, tree, a);
}

static hm_shard *move_to_arena(shards *x, uint32_t *n, hm_arena *a) {
  hm_shard *v = hm_alloc_array(a, x->n + 1, sizeof *v);
  if (x->n)
    memcpy(v, x->v, x->n * sizeof *v);
  *n = (uint32_t)x->n;
  free(x->v);
  return v;
}

void hm_search_cut_shards(hm_search *s, hm_arena *a) {
  shards words = { 0 }, docs = { 0 };
  cut_words(s, 0, s->n_words, 0, &words, a);
  hm_buf tree = { 0 };
  cut_docs(s, 0, s->n_docs, HM_EMPTY, &docs, &tree, a);
  s->doc_tree = hm_buf_take(&tree, a);
  s->word_shards = move_to_arena(&words, &s->n_word_shards, a);
  s->doc_shards = move_to_arena(&docs, &s->n_doc_shards, a);
}

/* --- files ---------------------------------------------------------------------------- */

static void begin_file(hm_buf *out, hm_str path) {
  size_t folder = sizeof "search/" - 1;
  hm_buf_fmt(out, "hmShard(\"%.*s\",[\n", (int)(path.n - folder - 3), path.p + folder);
}

static void put_words_shard(const hm_search *s, const hm_shard *h, hm_buf *out) {
  begin_file(out, h->path);
  uint32_t to = h->to;
  if (h->is_cut) {
    put_best(s, h, out);
    hm_buf_c(out, ",\n");
    to = h->from + (s->words[h->from].word.n == h->prefix.n);
  }
  for (uint32_t i = h->from; i < to; i++) {
    search_word_line(s, &s->words[i], out);
    hm_buf_c(out, ",\n");
  }
  hm_buf_c(out, "]);\n");
}

static void put_docs_shard(const hm_search *s, const hm_shard *h, hm_arena *a, hm_buf *out) {
  begin_file(out, h->path);
  for (uint32_t i = h->from; i < h->to; i++) {
    put_doc_line(s, s->by_code[i], a, out);
    hm_buf_c(out, ",\n");
  }
  hm_buf_c(out, "]);\n");
}

/* Prefixes of words, those that are cut with a star; then, behind a colon, how documents are cut.
 */
static void put_directory(const hm_search *s, hm_buf *out) {
  hm_buf_c(out, "hmShard(\"index\",[\n");
  for (uint32_t i = 0; i < s->n_word_shards; i++) {
    const hm_shard *h = &s->word_shards[i];
    hm_buf_fmt(out, "\"%.*s%s\",\n", HM_FMT(h->prefix), h->is_cut ? "*" : "");
  }
  hm_buf_fmt(out, "\":%.*s\",\n]);\n", HM_FMT(s->doc_tree));
}

typedef enum { DIRECTORY, WORDS, DOCS } file_kind;

/* index: the shard's, times 3, plus what it is. */
static void put_file(const hm_raw_file *f, hm_arena *a, hm_buf *out) {
  const hm_search *s = f->data;
  uint32_t i = f->index / 3;
  switch ((file_kind)(f->index % 3)) {
    case DIRECTORY:
      put_directory(s, out);
      break;
    case WORDS:
      put_words_shard(s, &s->word_shards[i], out);
      break;
    case DOCS:
      put_docs_shard(s, &s->doc_shards[i], a, out);
      break;
  }
}

static void file_bytes(const hm_view *v, const hm_raw_file *f, hm_arena *a, hm_buf *out) {
  (void)v;
  put_file(f, a, out);
}

void hm_search_list_files(const hm_search *s, hm_arena *a, hm_pages *out) {
  const struct {
    const hm_shard *v;
    uint32_t n;
    file_kind is;
  } all[] = { { &(hm_shard){ .path = HM_STR("search/index.js") }, 1, DIRECTORY },
              { s->word_shards, s->n_word_shards, WORDS },
              { s->doc_shards, s->n_doc_shards, DOCS } };
  for (size_t k = 0; k < HM_COUNT(all); k++)
    for (uint32_t i = 0; i < all[k].n; i++)
      hm_pages_add_file(out, a, all[k].v[i].path, file_bytes, 3 * i + all[k].is)->data = s;
}
