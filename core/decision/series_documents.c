/* What other documents say of records: indexes, and texts that name them by their number. */
#include <stdlib.h>
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/decision/series_impl.h"

enum { WHOLE_SERIES = 3 };

/* --- indexes ------------------------------------------------------------------------------- */

/* The record that a row names by number and title, if one does. */
static entry *named_by(const hm_decisions *s, const hm_decision_index_row *r) {
  entry *found = NULL;
  hm_str title = hm_str_lower(s->a, r->title);
  for (size_t i = 0; i < s->n && r->number.n; i++) {
    entry *e = &s->v[i];
    bool same = hm_series_same_number(r->number, e->d.number.text) &&
        hm_str_eq(hm_str_lower(s->a, e->d.title.text), title);
    if (same && found)
      return NULL;
    if (same)
      found = e;
  }
  return found;
}

entry *hm_series_indexed(const hm_decisions *s, const hm_decision_index_row *r) {
  hm_str own = hm_str_behind_last(r->source, '/'), url = r->file;
  if (!r->file.n)
    return named_by(s, r);
  if (hm_str_starts(url, "./"))
    url = hm_str_sub(url, 2, url.n);
  hm_str folder = hm_str_sub(r->source, 0, r->source.n - own.n);
  entry *e = hm_series_entry_of(s, HM_CAT(s->a, folder, url));
  return e ? e : hm_series_entry_of(s, HM_CAT(s->a, folder, hm_str_behind_last(url, '/')));
}

/* Records by their titles in small letters; of several with one title the first. */
static hm_map titles_of(hm_decisions *s) {
  hm_map titles;
  hm_map_init(&titles, s->a, s->n + 1);
  for (size_t i = 0; i < s->n; i++)
    hm_map_add(&titles, hm_str_lower(s->a, s->v[i].d.title.text), (uint32_t)i);
  return titles;
}

/* "- ADR-0010: Money as integers", where the record with that title has another number. */
static void find_index_number(hm_decisions *s, const hm_decision_index_row *r) {
  const entry *found = NULL;
  hm_str folder = hm_str_sub(r->source, 0, r->source.n - hm_str_behind_last(r->source, '/').n);
  hm_str title = hm_str_lower(s->a, r->title);
  for (size_t i = 0; i < s->n && r->named && r->number.n; i++) {
    const entry *e = &s->v[i];
    if (e->translation || !hm_str_eq(hm_str_lower(s->a, e->d.title.text), title))
      continue;
    if (found)
      return;
    found = e;
  }
  if (!found || !found->d.number.line || !found->d.heading.line ||
      !hm_str_eq(found->folder, folder) ||
      hm_series_same_number(found->d.heading.text, r->number) ||
      hm_series_same_number(found->d.number.text, r->number))
    return;
  hm_str message = HM_CAT(s->a, HM_STR("the index gives "), hm_series_name_of(s, found),
                          HM_STR(" the number "), r->number);
  hm_decision_fault *f = hm_series_add_fault(s, HM_DECISION_INDEX, 2, message);
  hm_series_add_place(f, r->source, r->line, HM_CAT(s->a, HM_STR("says "), r->number));
  hm_series_add_place(f, found->record.source, found->d.heading.line,
                      HM_CAT(s->a, HM_STR("has number "), found->d.heading.text));
}

static bool has_tie(const hm_decision_tie *v, size_t n, hm_str source) {
  for (size_t i = 0; i < n; i++)
    if (hm_str_eq(v[i].source, source))
      return true;
  return false;
}

/* The first supersession by which the record names others than the index does; NULL: none. */
static const hm_supersession *other_heir(const hm_decisions *s, const hm_decision_index_row *r,
                                         const entry *e) {
  const hm_decision_record *own = &e->record;
  const entry *heir = r->by.n ? hm_series_entry_of(s, r->by) : NULL;
  const hm_supersession *first = NULL;
  if (heir == e || (heir && has_tie(heir->record.over, heir->record.n_over, own->source)))
    return NULL;
  for (size_t i = 0; i < own->n_by; i++) { /* a chain ends at the last one */
    const entry *next = hm_series_entry_of(s, own->by[i].source);
    if (!heir || hm_str_eq(own->by[i].source, r->by) ||
        has_tie(next->record.by, next->record.n_by, r->by) ||
        has_tie(heir->record.over, heir->record.n_over, own->by[i].source))
      return NULL;
  }
  hm_str number = hm_decision_number(heir ? heir->d.number.text : r->by_number);
  for (size_t i = 0; i < e->d.n_says; i++) {
    const hm_supersession *x = &e->d.says[i];
    if (x->by && (x->in_part || !x->number.n || hm_str_eq(x->number, number)))
      return NULL;
    first = x->by && !first ? x : first;
  }
  return first;
}

/* "Superseded by 1" in the index, where the record says by 3. */
static void find_index_heir(hm_decisions *s, const hm_decision_index_row *r, const entry *e) {
  const hm_supersession *x = r->by.n || r->by_number.n ? other_heir(s, r, e) : NULL;
  if (!x)
    return;
  hm_str name = hm_series_name_of(s, e);
  hm_str message = HM_CAT(s->a, HM_STR("the index gives "), name, HM_STR(" as "), r->status);
  hm_decision_fault *f = hm_series_add_fault(s, HM_DECISION_INDEX, 2, message);
  hm_series_add_place(f, r->source, r->line, HM_CAT(s->a, HM_STR("says "), r->status));
  hm_series_add_place(f, e->record.source, x->line,
                      HM_CAT(s->a, HM_STR("is superseded by "), x->number));
}

static void find_index(hm_decisions *s) {
  hm_map titles = titles_of(s);
  for (size_t i = 0; i < s->index.n; i++) {
    const hm_decision_index_row *r = &s->index.rows[i];
    hm_str word = hm_decision_status_word(s->a, r->status);
    const entry *e = hm_series_indexed(s, r);
    if (!e) {
      find_index_number(s, r);
      continue;
    }
    find_index_heir(s, r, e);
    /* other words may sum up what the record says, or be in another language */
    uint32_t other = hm_map_get(&titles, hm_str_lower(s->a, r->title));
    if (hm_decision_titles_differ(r->title, e->d.title.text) ||
        (!hm_decision_titles_agree(r->title, e->d.title.text, s->a) && other != HM_MAP_NONE)) {
      hm_str message = HM_CAT(s->a, HM_STR("the index calls "), hm_series_name_of(s, e),
                              HM_STR(" \""), hm_text_cut(r->title, TITLE_SHOWN), HM_STR("\""));
      hm_decision_fault *f = hm_series_add_fault(s, HM_DECISION_INDEX, 2, message);
      hm_series_add_place(f, r->source, r->line, HM_CAT(s->a, HM_STR("says "), r->title));
      hm_series_add_place(f, e->record.source, hm_series_title_line(e), e->d.title.text);
    }
    if (!word.n || !e->d.word.n || hm_str_starts(e->d.word, hm_str_z(s->a, word)))
      continue;
    hm_str message =
        HM_CAT(s->a, HM_STR("the index gives "), hm_series_name_of(s, e), HM_STR(" as "), word);
    hm_decision_fault *f = hm_series_add_fault(s, HM_DECISION_INDEX, 2, message);
    hm_series_add_place(f, r->source, r->line, HM_CAT(s->a, HM_STR("says "), word));
    hm_series_add_status(s, f, e);
  }
}

/* --- references ---------------------------------------------------------------------------- */

/* A reference with a link to another record, or with a number that none has. */
typedef struct {
  const hm_decision_reference *r;
  const entry *named, *meant; /* meant: NULL: there is none */
} misnomer;

/* Those of one number that mean one record stand together. */
static int order_misnomers(const void *x, const void *y) {
  const misnomer *a = x, *b = y;
  int c = hm_str_cmp(a->r->number, b->r->number);
  if (!c)
    c = hm_str_cmp(a->meant ? a->meant->record.source : HM_EMPTY,
                   b->meant ? b->meant->record.source : HM_EMPTY);
  if (!c)
    c = hm_str_cmp(a->r->source, b->r->source);
  return c ? c : a->r->line < b->r->line ? -1 : a->r->line > b->r->line;
}

/* One fault of n misnomers that say the same. */
static void tell_misnomers(hm_decisions *s, const misnomer *v, size_t n) {
  const entry *named = v->named, *meant = v->meant;
  hm_str says = HM_CAT(s->a, HM_STR("record "), v->r->number);
  hm_str message = HM_CAT(s->a, hm_str_behind_last(v->r->source, '/'), HM_STR(" names "), says);
  message = v->r->latest && named && meant
      ? HM_CAT(s->a, message, HM_STR(" as the highest, which is "), hm_series_name_of(s, meant))
      : meant ? HM_CAT(s->a, message, HM_STR(" for \""),
                       hm_text_cut(v->r->topic.n ? v->r->topic : v->r->file, TITLE_SHOWN),
                       HM_STR("\", which is "), hm_series_name_of(s, meant))
              : HM_CAT(s->a, message, HM_STR(", which is not there"));
  hm_decision_fault *f = hm_series_add_fault(s, HM_DECISION_REFERENCE, n + 2, message);
  for (size_t i = 0; i < n; i++)
    hm_series_add_place(f, v[i].r->source, v[i].r->line,
                        HM_CAT(s->a, HM_STR("says "), says, HM_STR(" "), v[i].r->topic));
  if (named)
    hm_series_add_place(f, named->record.source, hm_series_title_line(named), named->d.title.text);
  if (meant)
    hm_series_add_place(f, meant->record.source, hm_series_title_line(meant), meant->d.title.text);
}

/* Has the series three of four records up to its latest? Else the others may lie elsewhere. */
static bool is_whole(const hm_decisions *s, const entry *latest) {
  hm_str number = hm_decision_number(latest->d.number.text);
  size_t highest = 0;
  for (size_t i = 0; i < number.n && hm_is_digit(number.p[i]) && highest <= 2 * s->n_numbered; i++)
    highest = 10 * highest + (size_t)(number.p[i] - '0');
  return 4 * s->n_numbered >= 3 * highest;
}

/* Does the record say that it supersedes this number, or is by it? That leads nowhere, too, and is
 * told as that. */
static bool is_superseded_here(const entry *from, hm_str number) {
  for (size_t i = 0; from && i < from->d.n_says; i++)
    if (hm_series_same_number(from->d.says[i].number, number))
      return true;
  return false;
}

/* Whom a reference names, and whom it means. In a record its own series is meant, elsewhere the
 * only one. False: these are one, or nobody knows. */
static bool read_reference(const hm_decisions *s, const hm_decision_reference *r, bool one,
                           const entry *latest, misnomer *out) {
  const entry *from = hm_series_entry_of(s, r->source), *linked = NULL;
  bool several = false, doubt = false;
  if (!one && !from)
    return false;
  const hm_str key[] = { from ? from->d.series : s->v[0].d.series, r->number };
  *out = (misnomer){
    r, hm_series_find_only(s->by_number, s->n_numbered, key, hm_series_is_number_of, &several), NULL
  };
  if (r->file.n)
    linked = hm_series_find_only(s->by_file, s->n, &r->file, hm_series_is_file, &doubt);
  if (several || doubt ||
      (linked &&
       (hm_series_same_number(linked->d.number.text, r->number) ||
        hm_series_same_number(linked->d.heading.text, r->number))))
    return false;
  bool before = one && r->number.n && s->n_numbered >= WHOLE_SERIES &&
      hm_str_natural_cmp(r->number, hm_decision_number(latest->d.number.text)) < 0;
  if (!out->named && !linked) /* a link that leads nowhere is told as that */
    return !r->file.n && !r->coming && before && is_whole(s, latest) &&
        !is_superseded_here(from, r->number) &&
        hm_map_get(&s->files, HM_CAT(s->a, latest->folder, HM_STR("#"), r->number)) ==
        HM_MAP_NONE;        /* a document in another form may be it */
  if (r->latest && !from) { /* a record says what was so then */
    out->meant = latest;
    return before;
  }
  out->meant = linked;
  return out->meant && hm_str_eq(out->meant->d.series, key[0]) && out->meant->d.number.line;
}

static void find_references(hm_decisions *s) {
  misnomer *v = hm_alloc_array(s->a, s->references.n + 1, sizeof *v);
  bool one =
      s->n && hm_str_eq(s->by_number[0]->d.series, s->by_number[s->n_numbered - 1]->d.series);
  size_t n = 0;
  const entry *latest = s->v; /* with the greatest number */
  for (size_t i = 0; i < s->n; i++) {
    hm_str number = hm_decision_number(s->v[i].d.number.text);
    if (hm_str_natural_cmp(hm_decision_number(latest->d.number.text), number) < 0)
      latest = &s->v[i];
  }
  for (size_t i = 0; i < s->references.n && s->n; i++)
    n += read_reference(s, &s->references.v[i], one, latest, &v[n]);
  qsort(v, n, sizeof *v, order_misnomers);
  for (size_t i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && v[end].meant == v[i].meant &&
         hm_str_eq(v[end].r->number, v[i].r->number) && v[end].named == v[i].named;
         end++) {
    }
    tell_misnomers(s, v + i, end - i);
  }
}

void hm_series_find_documents(hm_decisions *s) {
  find_index(s);
  find_references(s);
}
