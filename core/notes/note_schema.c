/* In which schema a table is: "`market.open_positions`", of spans of code among others of this
 * form. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/notes/notes_impl.h"

/* "market" of "market.open_positions", whose table has a name of several words; empty: it is no
 * such name. */
static hm_str schema_of(hm_str s, hm_str *table) {
  enum { LEAST = 6 };
  /* objects of programs; layers of a warehouse, which have tables of one name */
  static const char others[] =
      "api|app|archive|args|bronze|cfg|client|conf|config|context|core|ctx|data|db|dbo|dev|env|"
      "event|gold|item|logger|main|mart|marts|model|models|module|np|obj|options|opts|os|params|pd|"
      "process|prod|props|public|raw|req|request|res|response|row|self|server|session|settings|"
      "silver|source|src|staging|state|stg|sys|target|test|tests|this|tmp|user|utils";
  const char *dot = s.n ? memchr(s.p, '.', s.n) : NULL;
  size_t at = dot ? (size_t)(dot - s.p) : 0;
  for (size_t i = 0; i < s.n; i++)
    if (!((s.p[i] >= 'a' && s.p[i] <= 'z') || hm_is_digit(s.p[i]) || s.p[i] == '_' || i == at))
      return HM_EMPTY;
  *table = hm_str_sub(s, at + 1, s.n);
  hm_str schema = hm_str_sub(s, 0, at);
  bool named = at > 1 && table->n >= LEAST && memchr(table->p, '_', table->n) &&
      hm_letter_at(*table, 0) && table->p[table->n - 1] != '_';
  return named && !note_word_in(schema, others) ? schema : HM_EMPTY;
}

static void read_spans(note_claims *out, const note_context *c, hm_str text,
                       const hm_doc_span *spans, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    hm_str table,
        schema = spans[i].mark == HM_DOC_SPAN_CODE
        ? schema_of(hm_str_sub(text, spans[i].from, spans[i].to), &table)
        : HM_EMPTY;
    if (schema.n)
      note_claims_add(out, HM_CAT(out->a, c->scope, table, HM_STR(" schema")), schema,
                      NOTE_MEASURED);
  }
}

void note_schemas_read(note_claims *out, const note_context *c, const hm_doc_part *p) {
  note_claims found = { .a = out->a };
  if (p->kind != HM_DOC_ITEM && p->kind != HM_DOC_SENTENCE && p->kind != HM_DOC_ROW)
    return;
  read_spans(&found, c, p->text, p->spans, p->n_spans);
  for (uint32_t i = 0; i < p->n_cells; i++)
    read_spans(&found, c, p->cells[i].text, p->cells[i].spans, p->cells[i].n_spans);
  for (size_t i = 0; i < found.n && found.n > 1; i++)
    if (hm_str_ends(found.v[i].slot,
                    "s schema")) /* a table holds several; "usage.cached_in" is none */
      note_claims_add(out, found.v[i].slot, found.v[i].value, NOTE_MEASURED);
}
