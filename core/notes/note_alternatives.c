/* What a document gives several values of: labels that describe one thing after the other, lists of
 * alternatives, settings as they may be, versions that were tried. Such rows claim none of them. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/notes/notes_impl.h"

/* A label that the document gives several values describes one thing after the other: no such row
 * is read as prose. */
static void mark_repeated_labels(const hm_document *doc, note_part_reading *v, hm_arena *a) {
  hm_map first, several;
  hm_str value, other;
  hm_map_init(&first, a, doc->n);
  hm_map_init(&several, a, 16);
  for (size_t i = 0; i < doc->n; i++) {
    hm_str label = note_label_of(&doc->parts[i], &value, a);
    if (!label.n)
      continue;
    uint32_t at = hm_map_add(&first, label, (uint32_t)i);
    note_label_of(&doc->parts[at], &other, a);
    if (!hm_str_eq(hm_str_trim(value), hm_str_trim(other)))
      hm_map_add(&several, label, 0);
  }
  for (size_t i = 0; several.n && i < doc->n; i++) {
    hm_str label = note_label_of(&doc->parts[i], &value, a);
    v[i].repeated = label.n && hm_map_get(&several, label) != HM_MAP_NONE;
  }
}

/* "3.11" of ">=3.11" and "3.11+". */
static hm_str number_of_version(hm_str s) {
  while (s.n && !hm_is_digit(s.p[0]))
    s = hm_str_sub(s, 1, s.n);
  return hm_str_sub(s, 0, s.n - hm_str_ends(s, "+"));
}

/* "The API listens on port 8080.", "The default branch is `main`.", "Lint with Biome.": does a
 * sentence say what there is one of, and name it? Two such that differ are no alternatives. */
static bool is_stated(const hm_doc_part *p, hm_str slot, hm_arena *a) {
  static const char *const ones[] = { "default branch", "formatter", "linter", "package manager",
                                      "test framework" };
  if (p->kind != HM_DOC_SENTENCE)
    return false;
  for (size_t i = 0; i < HM_COUNT(ones); i++)
    if (hm_str_ends(slot, ones[i]))
      return true;
  if (!hm_str_ends(slot, " port"))
    return false;
  hm_str name = hm_str_sub(slot, 0, slot.n - sizeof " port" + 1);
  name = hm_str_behind_last(hm_str_behind_last(name, ' '), '_');
  return name.n && hm_str_find(note_lower(p->text, a), hm_str_z(a, name)) >= 0;
}

/* Takes out settings of which the document has several values: it shows alternatives. And versions
 * of which it has three: it tells which are tested, or what each was like. */
static void drop_alternatives(const hm_document *doc, note_part_reading *v, hm_arena *a) {
  hm_map first, several, matrix;
  typedef struct {
    hm_str first, second;
    bool stated;
  } values_of;
  values_of *values = NULL;
  size_t n_values = 0, cap = 0, n = doc->n;
  hm_map_init(&first, a, n);
  hm_map_init(&several, a, 16);
  hm_map_init(&matrix, a, 16);
  for (size_t i = 0; i < n; i++)
    for (note_claim *c = v[i].claims.v; v[i].claims.n && c < v[i].claims.v + v[i].claims.n; c++) {
      bool said = c->family == NOTE_SAID;
      hm_str slot = hm_text_fold_name(a, c->slot);
      hm_str key = HM_CAT(a, said ? HM_STR("said ") : HM_EMPTY, slot);
      uint32_t at = hm_map_get(&first, key);
      hm_str value = said ? number_of_version(c->value) : c->value;
      if (said && !hm_str_ends(c->slot, " version"))
        continue;
      if (at == HM_MAP_NONE) {
        values = hm_array_grow_in(a, values, n_values, &cap, sizeof *values);
        values[n_values] = (values_of){ value, HM_EMPTY, is_stated(&doc->parts[i], c->slot, a) };
        hm_map_add(&first, key, (uint32_t)n_values++);
        continue;
      }
      values_of *of = &values[at];
      bool other = !hm_str_eq(of->first, value) && !hm_str_eq(of->second, value);
      bool third = other && of->second.n;
      of->stated &= is_stated(&doc->parts[i], c->slot, a);
      if (!said && (other || of->second.n) && (!of->stated || third))
        hm_map_add(&several, slot, 0);
      else if (said && third)
        hm_map_add(&matrix, slot, 0);
      of->second = other ? value : of->second;
    }
  for (size_t i = 0; several.n + matrix.n && i < n; i++) {
    note_claims *c = &v[i].claims;
    for (size_t k = 0; k < c->n; k++) {
      hm_str slot = hm_text_fold_name(a, c->v[k].slot);
      const hm_map *of = c->v[k].family == NOTE_SAID ? &matrix : &several;
      if (hm_map_get(of, slot) != HM_MAP_NONE)
        c->v[k].family = NOTE_DROPPED;
    }
    note_claims_keep(c);
  }
}

static note_claim *claim_of_slot(note_part_reading *r, hm_str slot) {
  for (size_t i = 0; i < r->claims.n; i++)
    if (hm_str_eq(r->claims.v[i].slot, slot))
      return &r->claims.v[i];
  return NULL;
}

/* Takes out what two parts say of one thing with several values. */
static void drop_both(note_part_reading *x, note_part_reading *y) {
  for (size_t k = 0; k < x->claims.n; k++) {
    note_claim *c = &x->claims.v[k], *other = claim_of_slot(y, c->slot);
    if (!other || hm_str_eq(c->value, other->value))
      continue;
    c->family = other->family = NOTE_DROPPED;
    x->repeated = y->repeated = true;
  }
}

/* Items one below the other, or rows of a table, that say one thing with several values are
 * alternatives, too, whatever they say; they are no prose either. */
static void drop_lists_of_alternatives(const hm_document *doc, note_part_reading *v) {
  enum { ROWS = 40 };
  for (size_t i = 0; i + 1 < doc->n; i++) {
    const hm_doc_part *p = &doc->parts[i];
    size_t most = p->kind == HM_DOC_ROW ? ROWS : p->kind == HM_DOC_ITEM ? 1 : 0;
    for (size_t k = i + 1; v[i].claims.n && k < doc->n && k <= i + most; k++) {
      const hm_doc_part *next = &doc->parts[k];
      bool same = p->kind == next->kind && p->level == next->level && p->heading == next->heading;
      if (!same || p->head != next->head)
        break;
      drop_both(&v[i], &v[k]);
    }
  }
  for (size_t i = 0; i < doc->n; i++)
    note_claims_keep(&v[i].claims);
}

void note_alternatives_drop(const hm_document *doc, note_part_reading *v, hm_arena *a) {
  mark_repeated_labels(doc, v, a);
  drop_lists_of_alternatives(doc, v);
  drop_alternatives(doc, v, a);
}
