/* Lines that somebody settled where they stand: "<!-- hmirror: ok REASON -->". */
#include "core/base/ascii.h"
#include "core/notes/notes_impl.h"

/* The part that a comment is about: the last that begins on its line or above, in its block; of a
 * table, where it comes before its row, that row; a comment of its own is about the part before,
 * behind a blank line only where that is code. */
static size_t part_of_comment(const hm_document *doc, size_t comment) {
  const hm_doc_part *parts = doc->parts, *c = &parts[comment];
  for (size_t i = comment + 1; i < doc->n && parts[i].block == c->block; i++)
    if (parts[i].kind == HM_DOC_ROW && parts[i].line == c->line)
      return i;
  for (size_t i = comment; i--;)
    if (parts[i].kind != HM_DOC_COMMENT && (parts[i].line <= c->line || parts[i].block != c->block))
      return c->alone && parts[i].kind != HM_DOC_CODE ? SIZE_MAX : i;
  return SIZE_MAX;
}

/* "against npm, yarn: REASON" of a settled line. */
static void read_against(hm_notes_settled *s, hm_arena *a) {
  static const char against[] = "against ";
  ptrdiff_t colon = hm_str_find(s->reason, ": ");
  if (!hm_str_starts(s->reason, against) || colon < 0)
    return;
  hm_str list = hm_str_sub(s->reason, sizeof against - 1, (size_t)colon);
  s->reason = hm_str_trim(hm_str_sub(s->reason, (size_t)colon + 1, s->reason.n));
  s->against = hm_alloc_array(a, list.n + 1, sizeof *s->against);
  for (size_t from = 0, i = 0; i <= list.n; i++) {
    if (i < list.n && list.p[i] != ',')
      continue;
    hm_str value = hm_str_trim(hm_str_sub(list, from, i));
    if (value.n)
      s->against[s->n_against++] = value;
    from = i + 1;
  }
}

void note_settle_lines(const hm_document *doc, note_part_reading *v, hm_notes_told *told) {
  static const char sign[] = "hmirror: ok";
  for (size_t i = 0; i < doc->n && told->a; i++) {
    const hm_doc_part *p = &doc->parts[i];
    if (p->kind != HM_DOC_COMMENT || p->quoted || !hm_str_starts(p->text, sign) ||
        hm_letter_at(p->text, sizeof sign - 1) || hm_digit_at(p->text, sizeof sign - 1))
      continue;
    size_t at = part_of_comment(doc, i);
    if (at != SIZE_MAX && v[at].settled)
      continue;
    hm_str reason = hm_str_trim(hm_str_sub(p->text, sizeof sign - 1, p->text.n));
    told->settled = hm_array_grow_in(told->a, told->settled, told->n_settled, &told->cap_settled,
                                     sizeof *told->settled);
    hm_notes_settled *s = &told->settled[told->n_settled++];
    *s = (hm_notes_settled){ .id = HM_EMPTY,
                             .line = at == SIZE_MAX ? p->line : doc->parts[at].line,
                             .comment_line = p->line,
                             .reason = hm_str_dup(told->a, reason) };
    read_against(s, told->a);
    if (at != SIZE_MAX)
      v[at].settled = (uint32_t)told->n_settled;
  }
}
