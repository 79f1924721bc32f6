/* What commands are given: "`helm upgrade --install kiln --timeout 5m`" and the rule "Kiln and Oven
 * use `--timeout 10m` with Helm". A command in a block is an example: two of them say nothing of
 * each other, but a rule that says otherwise contradicts it. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/notes/notes_impl.h"

static const char programs[] =
    "ansible-playbook|aws|cargo|deno|docker|gcloud|go|gradle|gunicorn|helm|java|kubectl|mvn|node|"
    "npm|pnpm|podman|pytest|python|python3|terraform|uv|uvicorn|yarn";

/* An amount with its unit, behind the option at word i; false: it has none. */
static bool read_option(const note_words *w, size_t i, hm_str *option, note_measure *m,
                        hm_arena *a) {
  hm_str s = w->w[i].low;
  const char *sign = s.n > 3 ? memchr(s.p, '=', s.n) : NULL;
  if (!hm_str_starts(s, "--") || s.n < 4)
    return false;
  *option = hm_str_sub(s, 2, sign ? (size_t)(sign - s.p) : s.n);
  note_word own = { .joined = true };
  own.s = own.low = hm_str_sub(s, option->n + 3 < s.n ? option->n + 3 : s.n, s.n);
  note_words value = { sign ? &own : &w->w[i + 1 < w->n ? i + 1 : i], 1 };
  if (!sign && i + 1 >= w->n)
    return false;
  return value.w->low.n && note_measure_at(&value, 0, m, a) && m->to == 1 &&
      strcmp(m->dimension, "number") && strcmp(m->dimension, "version");
}

static void claim(note_claims *out, const note_context *c, hm_str program, hm_str name,
                  hm_str option, const note_measure *m, bool example) {
  note_topic t = { .a = out->a };
  note_measure own = *m;
  note_topic_add(&t, program, note_lower(program, t.a));
  note_topic_add(&t, name, note_lower(name, t.a));
  t.last = HM_EMPTY;
  note_topic_add(&t, option, option);
  if (example)
    note_topic_mark_example(&t);
  note_claim_amount(out, c, &t, &own, 3);
}

/* A word of a command that names what it is for: "kiln", and no option, path or variable. */
static bool is_plain(hm_str s) {
  for (size_t i = 0; i < s.n; i++)
    if (!hm_is_alnum(s.p[i]) && s.p[i] != '-')
      return false;
  return s.n > 2 && hm_letter_at(s, 0);
}

/* The lines of the command before this one, which a stroke at their ends continues. */
static hm_str begun_above(const note_context *c, const hm_doc_part *p, hm_arena *a) {
  enum { LINES = 8 };
  hm_str text = HM_EMPTY;
  size_t i = (size_t)(p - c->doc->parts);
  for (size_t n = 0; n < LINES && i && c->doc->parts[i - 1].block == p->block; n++) {
    hm_str line = c->doc->parts[--i].text;
    if (!hm_str_ends(line, "\\"))
      break;
    text = HM_CAT(a, hm_str_sub(line, 0, line.n - 1), HM_STR(" "), text);
  }
  return text;
}

static void read_command(note_claims *out, const note_context *c, const hm_doc_part *p) {
  if (hm_str_find(p->text, "--") < 0)
    return;
  hm_str above = begun_above(c, p, out->a);
  note_words w = note_split(HM_CAT(out->a, above, HM_STR(" "), p->text), out->a);
  note_measure m;
  hm_str option;
  if (w.n < 4 || !note_word_in(w.w[0].low, programs))
    return;
  for (size_t i = 1; i < w.n; i++) {
    if (w.w[i].at < above.n || !read_option(&w, i, &option, &m, out->a))
      continue;
    for (size_t k = 1; k < w.n && k < 6; k++)
      if (is_plain(w.w[k].s) &&
          (w.w[k - 1].s.p[0] != '-' || hm_str_is(w.w[k - 1].low, "--install")))
        claim(out, c, w.w[0].low, w.w[k].low, option, &m, true);
  }
}

/* "Kiln, Oven, and Rack use `--timeout 10m`": names before the verb, to the last stop. */
static void read_rule(note_claims *out, const note_context *c, const hm_doc_part *p) {
  if (hm_str_find(p->text, "--") < 0)
    return;
  note_words w = note_split(p->text, out->a);
  hm_str program = HM_EMPTY, option;
  note_measure m;
  for (size_t i = 0; i < w.n && !program.n; i++)
    if (note_word_in(w.w[i].low, programs))
      program = w.w[i].low;
  for (size_t i = 1; i < w.n && program.n; i++) {
    size_t verb = i;
    if (!read_option(&w, i, &option, &m, out->a))
      continue;
    while (verb && hm_str_starts(w.w[verb].low, "-"))
      verb--;
    if (!note_word_in(w.w[verb].low, "need|needs|take|takes|use|uses"))
      continue;
    for (size_t k = verb; k-- && !strchr(":;.", w.w[k + 1].before);)
      if (hm_is_upper(w.w[k].s.p[0]) && is_plain(w.w[k].s))
        claim(out, c, program, w.w[k].low, option, &m, false);
      else if (!hm_str_is(w.w[k].low, "and"))
        break;
  }
}

void note_flags_read(note_claims *out, const note_context *c, const hm_doc_part *p) {
  if (p->kind == HM_DOC_CODE)
    read_command(out, c, p);
  else if (p->kind == HM_DOC_SENTENCE || p->kind == HM_DOC_ITEM)
    read_rule(out, c, p);
}
