/* Ties between records, and faults: series.h.
 *
 * A record is named by the file that a link leads to, first in the same folder, else the only one
 * with that name; without a link by its number in the same series. */
#include <stdlib.h>
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/sort.h"
#include "core/base/text.h"
#include "core/decision/series_impl.h"

enum { CHAIN_STEPS = 200 };

hm_decisions *hm_decisions_new(hm_arena *a) {
  hm_decisions *d = hm_alloc(a, sizeof *d);
  d->a = a;
  hm_map_init(&d->files, a, 64);
  return d;
}

/* Could the file be a record, or an index of records, by its path? */
static bool may_be_record(hm_str source, hm_arena *work) {
  hm_str low = hm_str_lower(work, source), name = hm_str_behind_last(low, '/');
  size_t digits = 0;
  for (size_t i = 0; i < name.n; i++)
    digits += hm_is_digit(name.p[i]);
  return hm_decision_is_index(low) ||
      (hm_str_ends(name, ".md") &&
       (digits > 0 || hm_str_find(low, "adr") >= 0 || hm_str_find(low, "decision") >= 0));
}

/* --- adding ------------------------------------------------------------------------------ */

static void add_named(hm_decisions *s, entry *e, hm_str name) {
  enum { MOST = 200 };
  for (size_t i = 0; i < e->n_named; i++)
    if (hm_str_eq(e->named[i], name))
      return;
  if (e->n_named == MOST)
    return;
  e->named = hm_array_grow_in(s->a, e->named, e->n_named, &e->cap_named, sizeof *e->named);
  e->named[e->n_named++] = hm_str_dup(s->a, name);
}

/* "ADR-0038", "(0038-queues.md)": whom the text names, in whatever way. */
static void read_named(hm_decisions *s, entry *e, hm_str text, hm_arena *work) {
  hm_str low = hm_str_lower(work, text);
  for (size_t i = 0; i + 3 < low.n; i++) {
    if (!memcmp(low.p + i, ".md", 3)) {
      size_t from = i;
      while (from && !strchr("/([\"'` \n\t", low.p[from - 1]))
        from--;
      add_named(s, e, hm_str_sub(low, from, i + 3));
    } else if (!memcmp(low.p + i, "adr", 3)) {
      size_t at = i + 3;
      while (at < low.n && strchr("-_ #s", low.p[at]))
        at++;
      size_t end = hm_skip_digits(low, at);
      if (end > at)
        add_named(s, e, hm_decision_number(hm_str_sub(low, at, end)));
    }
  }
}

static bool names(const entry *e, const entry *other, hm_arena *a) {
  hm_str number = hm_decision_number(other->d.number.text), file = hm_str_lower(a, other->file);
  for (size_t i = 0; i < e->n_named; i++)
    if ((number.n && hm_str_eq(e->named[i], number)) || hm_str_eq(e->named[i], file))
      return true;
  return false;
}

static void add_record(hm_decisions *s, hm_str source, hm_str text, const hm_decision *d,
                       hm_arena *work) {
  s->v = hm_array_grow_in(s->a, s->v, s->n, &s->cap, sizeof *s->v);
  entry *e = &s->v[s->n++];
  *e = (entry){ .d = *d, .record.source = hm_str_dup(s->a, source) };
  e->file = hm_str_behind_last(e->record.source, '/');
  e->folder = hm_str_sub(e->record.source, 0, source.n - e->file.n);
  e->record.standing = d->standing;
  read_named(s, e, text, work);
  hm_decision_field *fields[] = { &e->d.number, &e->d.heading, &e->d.title,
                                  &e->d.status, &e->d.date,    &e->d.deciders };
  for (size_t i = 0; i < HM_COUNT(fields); i++)
    fields[i]->text = hm_str_dup(s->a, fields[i]->text);
  e->d.series = hm_str_dup(s->a, d->series);
  e->d.word = hm_str_dup(s->a, d->word);
  e->d.says = hm_alloc_array(s->a, d->n_says + 1, sizeof *e->d.says);
  for (size_t i = 0; i < d->n_says; i++) {
    e->d.says[i] = d->says[i];
    e->d.says[i].number = hm_str_dup(s->a, d->says[i].number);
    e->d.says[i].file = hm_str_dup(s->a, d->says[i].file);
  }
}

void hm_decisions_add(hm_decisions *s, hm_str source, hm_str text, hm_arena *work) {
  hm_document doc;
  hm_decision d;
  bool index = hm_decision_is_index(hm_str_lower(work, source));
  hm_str name = hm_str_behind_last(source, '/');
  hm_str number = hm_decision_number(hm_decision_number_of_name(hm_str_lower(work, name)));
  hm_map_add(&s->files, hm_str_dup(s->a, name), 0);
  if (number.n) /* in this folder */
    hm_map_add(&s->files,
               HM_CAT(s->a, hm_str_sub(source, 0, source.n - name.n), HM_STR("#"), number), 0);
  hm_decision_references_add(&s->references, source, text, s->a);
  if (!may_be_record(source, work) || (index && !hm_decision_index_may_list(source, text)))
    return;
  hm_arena *parser = hm_arena_new();
  hm_doc_read(&doc, text, work, parser);
  hm_arena_free(parser);
  if (index)
    hm_decision_index_add(&s->index, source, &doc, s->a, work);
  else if (hm_decision_read(&d, &doc, text, source, work))
    add_record(s, source, text, &d, work);
}

/* --- ties -------------------------------------------------------------------------------- */

static int order_by_file(const void *x, const void *y) {
  const entry *a = *(const entry *const *)x, *b = *(const entry *const *)y;
  int c = hm_str_cmp(a->file, b->file);
  return c ? c : hm_series_by_source(a, b);
}

/* Records without a number come first. */
static int order_by_number(const void *x, const void *y) {
  const entry *a = *(const entry *const *)x, *b = *(const entry *const *)y;
  int c = hm_str_cmp(a->d.series, b->d.series);
  if (!c)
    c = hm_str_cmp(hm_decision_number(a->d.number.text), hm_decision_number(b->d.number.text));
  return c ? c : hm_series_by_source(a, b);
}

/* The records, without translations if n, their number, is asked for. */
static const entry **sorted(const hm_decisions *s, size_t *n,
                            int (*order)(const void *, const void *)) {
  const entry **v = hm_alloc_array(s->a, s->n + 1, sizeof *v);
  size_t taken = 0;
  for (size_t i = 0; i < s->n; i++)
    if (!n || !s->v[i].translation)
      v[taken++] = &s->v[i];
  if (taken)
    qsort(v, taken, sizeof *v, order);
  if (n)
    *n = taken;
  return v;
}

/* Codes of languages that are no words: "use_no.md" and "auth_ui.md" are other records. */
static bool is_language(hm_str code, hm_arena *a) {
  static const char *const codes[] = { "ar", "cs", "da", "de", "el", "en", "es", "fa", "fi",
                                       "fr", "he", "hi", "hu", "ja", "ko", "nl", "pl", "pt",
                                       "ro", "ru", "sv", "th", "tr", "uk", "vi", "zh" };
  hm_str low = hm_str_lower(a, code);
  for (size_t i = 0; i < HM_COUNT(codes); i++)
    if (hm_str_is(low, codes[i]))
      return true;
  return false;
}

/* "0001-a.md" of "0001-a.zh-CN.md" and "0001-a_de.md"; else the name itself. */
static hm_str name_of_original(hm_str file, hm_arena *a) {
  enum { REGION = sizeof "zh-CN" - 1, SCRIPT = sizeof "zh-Hans" - 1 };
  for (size_t i = 1; i + sizeof "xx.md" - 1 < file.n; i++) {
    hm_str tongue = hm_str_sub(file, i + 1, file.n - 3);
    bool parted = tongue.n == REGION || tongue.n == SCRIPT;
    bool letters = is_language(hm_str_sub(tongue, 0, 2), a) &&
        (tongue.n == 2 || (parted && strchr("-_", tongue.p[2])));
    for (size_t k = 3; k < tongue.n; k++)
      letters &= hm_is_letter(tongue.p[k]);
    if (letters && strchr("._", file.p[i]))
      return HM_CAT(a, hm_str_sub(file, 0, i), HM_STR(".md"));
  }
  return file;
}

/* Marks records beside another one that differs in the language of its name only. Of several
 * without an original the first one counts as it, but for "use_go.md" and "use_js.md". */
static void mark_translations(hm_decisions *s) {
  hm_map originals;
  hm_map_init(&originals, s->a, s->n + 1);
  for (int pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < s->n; i++) {
      entry *e = &s->v[i];
      hm_str name = name_of_original(e->file, s->a);
      if ((pass == 1) == hm_str_eq(name, e->file))
        continue;
      hm_str key = HM_CAT(s->a, e->folder, name);
      bool dotted = hm_char_at(e->file, name.n - 3, '.');
      if (!dotted && hm_map_get(&originals, key) == HM_MAP_NONE)
        continue;
      e->translation = hm_map_add(&originals, key, (uint32_t)i) != i;
    }
}

/* The record that e names; NULL: none that was added, or *several. */
static const entry *find(const hm_decisions *s, const entry *e, const hm_supersession *x,
                         bool *several) {
  *several = false;
  if (x->file.n) {
    const entry *near = hm_series_entry_of(s, HM_CAT(s->a, e->folder, x->file));
    return near ? near
                : hm_series_find_only(s->by_file, s->n, &x->file, hm_series_is_file, several);
  }
  const hm_str key[] = { e->d.series, x->number };
  return hm_series_find_only(s->by_number, s->n_numbered, key, hm_series_is_number_of, several);
}

static void tie_record(hm_decisions *s, entry *e) {
  e->record.over = hm_alloc_array(s->a, e->d.n_says + 1, sizeof *e->record.over);
  e->record.by = hm_alloc_array(s->a, e->d.n_says + 1, sizeof *e->record.by);
  for (size_t i = 0; i < e->d.n_says; i++) {
    const hm_supersession *x = &e->d.says[i];
    bool several;
    const entry *other = find(s, e, x, &several);
    if (!other || other == e)
      continue;
    hm_decision_tie tie = { other->record.source, x->line, x->in_part };
    if (x->by)
      e->record.by[e->record.n_by++] = tie;
    else
      e->record.over[e->record.n_over++] = tie;
  }
}

/* "| 0010 | Two paths | Accepted (superseded by 0011) |". */
static void tie_indexed(hm_decisions *s, hm_decision_index_row *r) {
  entry *e = hm_series_indexed(s, r);
  hm_decision said = { 0 };
  supersession_reader reader = { &said, 0, s->a };
  if (!e)
    return;
  hm_supersessions_read(&reader, STATUS, r->status, NULL, 0, r->line);
  for (size_t i = 0; i < said.n_says; i++) {
    bool several;
    const entry *other = find(s, e, &said.says[i], &several);
    if (!said.says[i].by || said.says[i].in_part)
      continue;
    if (!other && !several)
      r->by_number = said.says[i].number;
    if (!other)
      continue;
    e->indexed_by = hm_array_grow_in(s->a, e->indexed_by, e->n_indexed_by, &e->cap_indexed_by,
                                     sizeof *e->indexed_by);
    e->indexed_by[e->n_indexed_by++] = other->record.source;
    r->by = other->record.source;
  }
}

const hm_decision_record *hm_decisions_get(const hm_decisions *s, hm_str source) {
  const entry *e = hm_series_entry_of(s, source);
  return e ? &e->record : NULL;
}

/* Does the record say itself that the other one supersedes the whole of it? */
static bool is_superseded_by(const entry *e, hm_str source) {
  for (size_t i = 0; i < e->record.n_by; i++)
    if (!e->record.by[i].in_part && hm_str_eq(e->record.by[i].source, source))
      return true;
  return false;
}

/* A record is over by its own status, or where one in force says so; by what it says itself only
 * where it mentions that, too. */
static void settle(hm_decisions *s) {
  for (size_t i = 0; i < s->n; i++) {
    entry *e = &s->v[i];
    e->record.own = e->d.standing;
    for (size_t k = 0; k < e->record.n_by && e->record.standing == HM_DECISION_OVER; k++)
      if (!e->record.by[k].in_part)
        e->record.superseded_by = e->record.by[k].source;
  }
  for (size_t i = 0; i < s->n; i++) {
    const entry *e = &s->v[i];
    bool holds = e->d.standing == HM_DECISION_IN_FORCE || e->d.standing == HM_DECISION_OVER;
    for (size_t k = 0; k < e->record.n_over && holds; k++) {
      entry *old = hm_series_entry_of(s, e->record.over[k].source);
      if (e->record.over[k].in_part || old->d.standing == HM_DECISION_DROPPED)
        continue;
      old->record.standing = HM_DECISION_OVER;
      if (is_superseded_by(old, e->record.source))
        old->record.own = HM_DECISION_OVER;
      if (!old->record.superseded_by.n)
        old->record.superseded_by = e->record.source;
    }
  }
}

static void count_folders(hm_decisions *s) {
  hm_map known;
  hm_map_init(&known, s->a, 16);
  s->folders = hm_alloc_array(s->a, s->n + 1, sizeof *s->folders);
  for (size_t i = 0; i < s->n; i++) {
    const entry *e = &s->v[i];
    uint32_t at = hm_map_add(&known, e->folder, (uint32_t)s->n_folders);
    if (at == s->n_folders)
      s->folders[s->n_folders++] = (hm_decision_folder){ e->folder, 0 };
    s->folders[at].n += !e->translation;
  }
}

const hm_decision_folder *hm_decisions_folders(const hm_decisions *s, size_t *n) {
  *n = s->n_folders;
  return s->folders;
}

/* --- faults ------------------------------------------------------------------------------ */

const char *hm_decision_fault_name(hm_decision_fault_kind kind) {
  static const char *const names[] = {
    [HM_DECISION_ONE_NUMBER] = "decision-number",
    [HM_DECISION_HEADING] = "decision-heading",
    [HM_DECISION_NOWHERE] = "decision-missing",
    [HM_DECISION_ONE_SIDED] = "decision-one-sided",
    [HM_DECISION_NOT_IN_FORCE] = "decision-not-in-force",
    [HM_DECISION_INDEX] = "decision-index",
    [HM_DECISION_REFERENCE] = "decision-reference",
  };
  return names[kind];
}

/* The only record of the series with this number; NULL: none, or several. */
static const entry *of_number(const hm_decisions *s, hm_str series, hm_str number) {
  const hm_str key[] = { series, hm_decision_number(number) };
  const entry *found = NULL;
  for (size_t i = 0; i < s->n_numbered; i++) {
    if (hm_series_is_number_of(&s->by_number[i], key))
      continue;
    if (found)
      return NULL;
    found = s->by_number[i];
  }
  return found;
}

static void find_headings(hm_decisions *s) {
  enum { ROWS = 500 }; /* of an index, to bound the work */
  size_t rows = s->index.n < ROWS ? s->index.n : ROWS;
  for (const entry *e = s->v; s->n && e < s->v + s->n; e++) {
    if (!e->d.heading.line || !e->d.number.line ||
        hm_series_same_number(e->d.heading.text, e->d.number.text))
      continue;
    hm_str message = HM_CAT(s->a, HM_STR("the title has number "), e->d.heading.text,
                            HM_STR(", the file "), e->d.number.text);
    const entry *other = of_number(s, e->d.series, e->d.heading.text);
    hm_decision_fault *f =
        hm_series_add_fault(s, HM_DECISION_HEADING, 1 + (other != NULL) + rows, message);
    hm_series_add_place(f, e->record.source, e->d.heading.line,
                        HM_CAT(s->a, HM_STR("has number "), e->d.heading.text));
    if (other)
      hm_series_add_place(f, other->record.source, hm_series_title_line(other),
                          other->d.title.text);
    for (size_t i = 0; i < rows; i++) {
      const hm_decision_index_row *r = &s->index.rows[i];
      if (r->named && r->number.n && hm_series_indexed(s, r) == e)
        hm_series_add_place(f, r->source, r->line, HM_CAT(s->a, HM_STR("says "), r->number));
    }
  }
}

static void find_numbers(hm_decisions *s) {
  for (size_t i = 0, end; i < s->n_numbered; i = end) {
    const entry *e = s->by_number[i];
    const hm_str key[] = { e->d.series, hm_decision_number(e->d.number.text) };
    for (end = i + 1; end < s->n_numbered && !hm_series_is_number_of(&s->by_number[end], key);
         end++) {
    }
    if (end == i + 1 || !e->d.number.line)
      continue;
    hm_str message = HM_CAT(s->a, HM_STR("several records have number "), e->d.number.text);
    hm_decision_fault *f = hm_series_add_fault(s, HM_DECISION_ONE_NUMBER, end - i, message);
    for (size_t k = i; k < end; k++) {
      const entry *o = s->by_number[k];
      hm_series_add_place(f, o->record.source, hm_series_title_line(o), o->d.title.text);
    }
  }
}

/* Were other records of the series added? One alone may name others that nobody gave. */
static bool has_others(const hm_decisions *s, const entry *e) {
  size_t at =
      hm_lower_bound(s->by_number, s->n_numbered, sizeof *s->by_number, &e, order_by_number);
  bool before = at > 0 && hm_str_eq(s->by_number[at - 1]->d.series, e->d.series);
  return before ||
      (at + 1 < s->n_numbered && hm_str_eq(s->by_number[at + 1]->d.series, e->d.series));
}

static hm_str says_words(hm_decisions *s, const hm_supersession *x) {
  return HM_CAT(s->a, x->by ? HM_STR("is superseded by ") : HM_STR("supersedes "),
                x->number.n ? x->number : x->file);
}

static bool mentions(const hm_decision_tie *v, size_t n, hm_str source) {
  for (size_t i = 0; i < n; i++)
    if (hm_str_eq(v[i].source, source))
      return true;
  return false;
}

/* Does new supersede old, perhaps over others between them? steps: how many records may be looked
 * at; where they do not suffice it may. */
static bool is_chain(const hm_decisions *s, const entry *new, const entry *old, int deep,
                     size_t *steps) {
  if (!*steps || mentions(new->record.over, new->record.n_over, old->record.source))
    return true;
  --*steps;
  for (size_t i = 0; i < new->record.n_over &&deep < 8; i++)
    if (is_chain(s, hm_series_entry_of(s, new->record.over[i].source), old, deep + 1, steps))
      return true;
  return false;
}

static void find_by(hm_decisions *s, const entry *e, const hm_supersession *x, const entry *other) {
  hm_decision_standing standing = other->d.standing;
  size_t steps = CHAIN_STEPS;
  bool waits = standing == HM_DECISION_OPEN || standing == HM_DECISION_DROPPED;
  if (waits && !x->conditional && !x->in_part) {
    hm_str message = HM_CAT(s->a, hm_series_name_of(s, e), HM_STR(" is superseded by "),
                            hm_series_name_of(s, other), HM_STR(", which is not in force"));
    hm_decision_fault *f = hm_series_add_fault(s, HM_DECISION_NOT_IN_FORCE, 2, message);
    hm_series_add_place(f, e->record.source, x->line, says_words(s, x));
    hm_series_add_status(s, f, other);
  } else if (!x->in_part && !names(other, e, s->a) && !is_chain(s, other, e, 0, &steps)) {
    hm_str message = HM_CAT(s->a, hm_series_name_of(s, e), HM_STR(" is superseded by "),
                            hm_series_name_of(s, other), HM_STR(", which does not mention it"));
    hm_decision_fault *f = hm_series_add_fault(s, HM_DECISION_ONE_SIDED, 2, message);
    hm_series_add_place(f, e->record.source, x->line, says_words(s, x));
    hm_series_add_place(f, other->record.source, hm_series_title_line(other),
                        HM_STR("does not mention it"));
  }
}

static void find_over(hm_decisions *s, const entry *e, const hm_supersession *x,
                      const entry *other) {
  bool in_force = e->d.standing == HM_DECISION_IN_FORCE;
  bool stands = other->d.standing == HM_DECISION_IN_FORCE || other->d.standing == HM_DECISION_OPEN;
  /* a record that names a later one was changed since */
  bool told =
      mentions(other->record.by, other->record.n_by, e->record.source) || names(other, e, s->a);
  for (size_t i = 0; i < other->n_indexed_by; i++)
    told |= hm_str_eq(other->indexed_by[i], e->record.source);
  if (!in_force || x->in_part || !stands || told)
    return;
  hm_str message = HM_CAT(s->a, hm_series_name_of(s, e), HM_STR(" supersedes "),
                          hm_series_name_of(s, other), HM_STR(", which does not say so"));
  hm_decision_fault *f = hm_series_add_fault(s, HM_DECISION_ONE_SIDED, 2, message);
  hm_series_add_place(f, e->record.source, x->line, says_words(s, x));
  hm_series_add_status(s, f, other);
}

/* Is there a document of this name, or beside the record one of this number, though it has not the
 * form of a record? */
static bool is_seen(const hm_decisions *s, const entry *e, const hm_supersession *x) {
  hm_str source = e->record.source;
  hm_str folder = hm_str_sub(source, 0, source.n - hm_str_behind_last(source, '/').n);
  hm_str numbered = HM_CAT(s->a, folder, HM_STR("#"), x->number);
  hm_str key = x->file.n ? hm_str_behind_last(x->file, '/') : numbered;
  return hm_map_get(&s->files, key) != HM_MAP_NONE;
}

static void find_supersessions(hm_decisions *s) {
  for (size_t i = 0; i < s->n; i++) {
    const entry *e = &s->v[i];
    for (size_t k = 0; k < e->d.n_says; k++) {
      const hm_supersession *x = &e->d.says[k];
      bool several;
      const entry *other = find(s, e, x, &several);
      if (other && other != e) {
        if (x->by)
          find_by(s, e, x, other);
        else
          find_over(s, e, x, other);
      } else if (!other && !several && !x->deleted && has_others(s, e) && !is_seen(s, e, x)) {
        hm_supersession to = *x; /* by its file: another record may have its number */
        to.number = x->file.n ? HM_EMPTY : x->number;
        hm_str message = HM_CAT(s->a, hm_series_name_of(s, e), HM_STR(" "), says_words(s, &to),
                                HM_STR(", which is not there"));
        hm_series_add_place(hm_series_add_fault(s, HM_DECISION_NOWHERE, 1, message),
                            e->record.source, x->line, says_words(s, &to));
      }
    }
  }
}

static int by_first_place(const void *x, const void *y) {
  const hm_decision_fault *a = x, *b = y;
  int c = hm_str_cmp(a->places[0].source, b->places[0].source);
  if (c)
    return c;
  if (a->places[0].line != b->places[0].line)
    return a->places[0].line < b->places[0].line ? -1 : 1;
  return a->kind != b->kind ? (int)a->kind - (int)b->kind : hm_str_cmp(a->message, b->message);
}

void hm_decisions_finish(hm_decisions *s) {
  if (s->n)
    qsort(s->v, s->n, sizeof *s->v, hm_series_by_source);
  mark_translations(s);
  count_folders(s);
  s->by_file = sorted(s, NULL, order_by_file);
  s->by_number = sorted(s, &s->n_numbered, order_by_number);
  for (size_t i = 0; i < s->n; i++)
    tie_record(s, &s->v[i]);
  for (size_t i = 0; i < s->index.n; i++)
    tie_indexed(s, &s->index.rows[i]);
  settle(s);
  find_headings(s);
  find_numbers(s);
  find_supersessions(s);
  hm_series_find_documents(s);
  if (s->n_faults)
    qsort(s->faults, s->n_faults, sizeof *s->faults, by_first_place);
}

const hm_decision_fault *hm_decisions_faults(const hm_decisions *s, size_t *n) {
  *n = s->n_faults;
  return s->faults;
}
