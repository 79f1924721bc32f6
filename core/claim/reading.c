/* What was read of one row: see reading.h.
 *
 * A value that a text claims in a second slot, that of its own words, is told once: there alone
 * where it has no other. Why a memory
 * claims nothing is asked of the grammar that read it. */
#include "core/claim/reading.h"

#include "core/base/redaction.h"
#include "core/claim/judged.h"
#include "core/claim/memory.h"
#include "core/claim/silence.h"
#include "core/claim/story.h"

/* --- why nothing was read ---------------------------------------------------------------- */

static hm_str why_prose(const hm_rules *rules, const hm_row *row, hm_arena *a) {
  hm_prose p;
  hm_prose_parse(&p, row->text, row->scope, rules->story ? rules->story->families : NULL, a);
  if (p.outcome == HM_PROSE_LANGUAGE)
    return HM_STR("it is not in English");
  if (hm_str_ends(hm_str_trim(row->text), "?"))
    return HM_STR("it is a question");
  if (p.outcome == HM_PROSE_UNSURE)
    return HM_STR("it is a wish, a plan, a guess or a condition");
  return HM_STR("it states nothing in a form that is known, such as \"SUBJECT is VALUE\"");
}

static hm_str why_unread(const hm_snapshot *snap, const hm_claims *claims, const hm_rules *rules,
                         uint32_t i, hm_arena *a) {
  const hm_row *row = &snap->rows[i];
  for (size_t k = 0; k < claims->n_silences; k++)
    if (claims->silences[k].row == i)
      return HM_STR("it says that the value is not known");
  if (hm_is_redacted(row->text))
    return HM_STR("its text was redacted");
  bool prose =
      row->layer == HM_MEMORY && !hm_str_is(row->type, "episodic") && hm_str_trim(row->text).n;
  return prose ? why_prose(rules, row, a)
               : hm_str_fmt(a, "it %s", hm_silence_reason(snap, claims, i));
}

/* --- what was read ------------------------------------------------------------------------ */

static bool is_told(const hm_row_reading *r, const hm_read_value *v) {
  size_t i = 0;
  while (i < r->n && !(hm_str_eq(r->v[i].slot, v->slot) && hm_str_eq(r->v[i].value, v->value)))
    i++;
  return i < r->n;
}

static hm_str words_of(const hm_row *row, const hm_claim *c) {
  if (c->said && c->said->claim.words.n)
    return c->said->claim.words;
  return row->layer == HM_MEMORY ? hm_str_trim(row->text) : c->value.raw;
}

/* again: those that are told elsewhere, too. */
static void list_values(const hm_snapshot *snap, const hm_claims *claims, uint32_t row, bool again,
                        hm_arena *a, hm_row_reading *out) {
  size_t cap = 0;
  for (size_t i = hm_claims_first_of_row(claims, row);
       i < claims->n && claims->claims[i].row == row; i++) {
    const hm_claim *c = &claims->claims[i];
    hm_str of = c->said ? c->said->claim.qualifier : HM_EMPTY, title = hm_claim_title(a, snap, c);
    hm_read_value v = { .slot = of.n ? HM_CAT(a, title, HM_STR(" ("), of, HM_STR(")")) : title,
                        .value = hm_str_dup(a, c->value.raw),
                        .words = hm_str_dup(a, words_of(&snap->rows[row], c)) };
    bool is_told_elsewhere = (c->said && c->said->spelled) || c->twin.n;
    /* Claims of a judge's proposals are no reading of the row. */
    if (is_told_elsewhere != again || hm_claim_is_judged(c) || is_told(out, &v))
      continue;
    out->v = hm_array_grow_in(a, out->v, out->n, &cap, sizeof *out->v);
    out->v[out->n++] = v;
  }
}

void hm_row_reading_from_claims(const hm_snapshot *snap, const hm_claims *claims,
                                const hm_rules *rules, uint32_t row, hm_arena *a,
                                hm_row_reading *out) {
  *out = (hm_row_reading){ 0 };
  list_values(snap, claims, row, false, a, out);
  if (!out->n)
    list_values(snap, claims, row, true, a, out);
  if (!out->n)
    out->unread = why_unread(snap, claims, rules, row, a);
}

int hm_row_reading_find(const hm_snapshot *snap, const hm_claims *claims, const hm_rules *rules,
                        uint32_t row, hm_arena *a, hm_row_reading *out, hm_err *err) {
  hm_claims *own = NULL;
  *out = (hm_row_reading){ 0 };
  if (snap->rows[row].status != HM_ACTIVE &&
      hm_claims_read_rows(snap, rules, &row, 1, 1, &own, err))
    return -1;
  hm_row_reading_from_claims(snap, own ? own : claims, rules, row, a, out);
  hm_claims_free(own);
  return 0;
}

void hm_row_reading_json(hm_jw *w, const hm_row_reading *r) {
  hm_jw_arr(w, "read");
  for (size_t i = 0; i < r->n; i++) {
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "slot", r->v[i].slot);
    hm_jw_str(w, "value", r->v[i].value);
    hm_jw_str(w, "words", r->v[i].words);
    hm_jw_end(w);
  }
  hm_jw_end(w);
  hm_jw_str_or_null(w, "unread", r->unread);
}
