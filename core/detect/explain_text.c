/* Sentences of an explanation: hm_explainf formats facts, one line per sentence. A fact cannot
 * break a line or contain hidden characters. */
#include "core/detect/explain.h"

#include <inttypes.h>
#include <stdarg.h>

#include "core/base/text.h"

enum { SHOWN_MAX = 200 };

void hm_explain_text(hm_explainer *t, hm_str s, size_t max) {
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

/* As their rows write them. */
static void put_window(hm_explainer *t, const hm_bound *from, const hm_bound *until) {
  hm_str f = hm_bound_text(t->a, from), u = hm_bound_text(t->a, until);
  if (f.n && u.n)
    hm_buf_fmt(&t->line, "from %.*s until %.*s", HM_FMT(f), HM_FMT(u));
  else if (f.n)
    hm_buf_fmt(&t->line, "from %.*s on", HM_FMT(f));
  else if (u.n)
    hm_buf_fmt(&t->line, "until %.*s", HM_FMT(u));
  else
    hm_buf_c(&t->line, "without limit in time");
}

static void end_line(hm_explainer *t) {
  t->lines = hm_array_grow_in(t->a, t->lines, t->n, &t->cap, sizeof *t->lines);
  t->lines[t->n++] = hm_buf_copy(&t->line, t->a);
  hm_buf_clear(&t->line);
}

/* Formats one argument of hm_explainf. */
static void put_word(hm_explainer *t, char word, va_list *args) {
  const hm_claim *c = word == 'c' || word == 'w' ? va_arg(*args, const hm_claim *) : NULL;
  const hm_bound *from = word == 't' ? va_arg(*args, const hm_bound *) : NULL;
  hm_str quoted = word == 'q' ? va_arg(*args, hm_str) : HM_EMPTY;
  switch (word) {
    case 's':
      hm_buf_c(&t->line, va_arg(*args, const char *));
      break;
    case 'd':
      hm_buf_fmt(&t->line, "%d", va_arg(*args, int));
      break;
    case 'z':
      hm_buf_fmt(&t->line, "%zu", va_arg(*args, size_t));
      break;
    case 'p':
      hm_explain_text(t, va_arg(*args, hm_str), SHOWN_MAX);
      break;
    case 'q':
      hm_explainf(t, "\"%p\"", quoted);
      break;
    case 't':
      put_window(t, from, va_arg(*args, const hm_bound *));
      break;
    case 'c':
      hm_explainf(t, "%s:%p", hm_layer_name(c->layer), t->w->snap->rows[c->row].id);
      break;
    case 'w':
      hm_explainf(t, c->layer == HM_ENTITY ? "%c (%p)" : "%c", c, c->field);
      break;
    default:
      hm_buf_ch(&t->line, word);
  }
}

void hm_explainf(hm_explainer *t, const char *words, ...) {
  va_list args;
  va_start(args, words);
  for (const char *w = words; *w; w++) {
    if (*w == '\n')
      end_line(t);
    else if (*w == '%')
      put_word(t, *++w, &args);
    else
      hm_buf_ch(&t->line, *w);
  }
  va_end(args);
}
