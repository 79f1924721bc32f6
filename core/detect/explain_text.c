/* Sentences of an explanation: facts of rows are appended by their type, one line a sentence. A
 * fact cannot break a line or contain hidden characters. */
#include "core/detect/explain.h"

#include <inttypes.h>

#include "core/base/text.h"

enum { SHOWN_MAX = 200 };

static void put_text(hm_explainer *t, hm_str s, size_t max) {
  hm_str text = hm_text_repair(t->a, hm_text_cut(s, max));
  for (size_t i = 0; i < text.n;) {
    size_t from = i;
    uint32_t cp = hm_text_next(text, &i);
    if (hm_cp_is_hidden(cp))
      hm_buf_fmt(&t->line, "⟦U+%04" PRIX32 "⟧", cp);
    else
      hm_buf_str(&t->line, hm_str_sub(text, from, i));
  }
  if (s.n > max)
    hm_buf_fmt(&t->line, "… (%zu bytes)", s.n);
}

void hm_explain_text(hm_explainer *t, const char *words, hm_str s) {
  hm_buf_c(&t->line, words);
  put_text(t, s, SENTENCE_MAX);
}

void hm_explain_fact(hm_explainer *t, const char *words, hm_str s) {
  hm_buf_c(&t->line, words);
  put_text(t, s, SHOWN_MAX);
}

void hm_explain_quote(hm_explainer *t, const char *words, hm_str s) {
  hm_buf_fmt(&t->line, "%s\"", words);
  put_text(t, s, SHOWN_MAX);
  hm_buf_c(&t->line, "\"");
}

void hm_explain_ref(hm_explainer *t, const char *words, const hm_claim *c) {
  hm_buf_fmt(&t->line, "%s%s:", words, hm_layer_name(c->layer));
  put_text(t, t->w->snap->rows[c->row].id, SHOWN_MAX);
}

void hm_explain_party(hm_explainer *t, const char *words, const hm_claim *c) {
  hm_explain_ref(t, words, c);
  if (c->layer != HM_ENTITY)
    return;
  hm_explain_fact(t, " (", c->field);
  hm_buf_c(&t->line, ")");
}

void hm_explain_window(hm_explainer *t, const char *words, const hm_bound *from,
                       const hm_bound *until) {
  hm_str f = hm_bound_text(t->a, from), u = hm_bound_text(t->a, until);
  hm_buf_c(&t->line, words);
  if (f.n && u.n)
    hm_buf_fmt(&t->line, "from %.*s until %.*s", HM_FMT(f), HM_FMT(u));
  else if (f.n)
    hm_buf_fmt(&t->line, "from %.*s on", HM_FMT(f));
  else if (u.n)
    hm_buf_fmt(&t->line, "until %.*s", HM_FMT(u));
  else
    hm_buf_c(&t->line, "without limit in time");
}

void hm_explain_end_line(hm_explainer *t, const char *words) {
  hm_buf_c(&t->line, words);
  t->lines = hm_array_grow_in(t->a, t->lines, t->n, &t->cap, sizeof *t->lines);
  t->lines[t->n++] = hm_buf_copy(&t->line, t->a);
  hm_buf_clear(&t->line);
}
