/* Variables that a document names and no file of the tree has, or no example of settings, while an
 * example, ".env.example", has one that is nearly the same: it was renamed in one of them. Quiet of
 * what other programs read, and where the text speaks of what was or will be. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/digest.h"
#include "core/base/sort.h"
#include "core/foreign/record_maker.h"
#include "core/notes/notes_impl.h"

/* "MAX_JOBS" of "MAX_JOBS=5", "export MAX_JOBS=5"; empty: none. */
static hm_str variable_of(hm_str text) {
  hm_str s = hm_str_trim(text);
  size_t n = 0, marks = 0;
  if (hm_str_starts(s, "export "))
    s = hm_str_sub(s, 7, s.n);
  if (hm_str_starts(s, "$"))
    s = hm_str_sub(s, 1, s.n);
  while (n < s.n && ((s.p[n] >= 'A' && s.p[n] <= 'Z') || hm_is_digit(s.p[n]) || s.p[n] == '_'))
    marks += s.p[n++] == '_';
  bool ends = n == s.n || s.p[n] == '=' || (s.p[n] == ':' && hm_char_at(s, n + 1, ' '));
  bool plain = n && hm_is_alnum(s.p[0]) && !hm_is_digit(s.p[0]) && s.p[n - 1] != '_';
  hm_str name = hm_str_sub(s, 0, n);
  return marks && ends && plain && hm_str_find(name, "__") < 0 ? name : HM_EMPTY;
}

/* Read by programs that the tree only uses, by its first word. */
static bool is_of_others(hm_str name, hm_arena *a) {
  static const char others[] =
      "ansible|anthropic|aws|azure|ca|cargo|ci|claude|codex|compose|cuda|docker|gcp|gemini|gh|git|"
      "github|gitlab|google|gradle|hf|http|https|huggingface|java|jvm|kube|langchain|langsmith|"
      "maven|my|mysql|next|no|node|npm|openai|otel|pip|pnpm|postgres|python|requests|rust|sentry|"
      "spring|ssh|ssl|telegram|terraform|tf|uv|vercel|vite|wandb|xdg|yarn|your";
  const char *mark = memchr(name.p, '_', name.n);
  hm_str first = hm_str_sub(name, 0, mark ? (size_t)(mark - name.p) : name.n);
  return note_word_in(note_lower(first, a), others);
}

typedef struct {
  const hm_tree_files *in;
  const hm_document *doc;
  note_variables *out;
  hm_arena *a;
} reader;

static bool is_named(const hm_document *doc, hm_str word) {
  for (size_t i = 0; i < doc->n; i++) {
    hm_str text = doc->parts[i].text;
    if (text.n && memmem(text.p, text.n, word.p, word.n))
      return true;
  }
  return false;
}

static void add(reader *r, uint32_t part, hm_str name) {
  const hm_tree_word *own = name.n ? hm_tree_files_word(r->in, name) : NULL;
  bool lacks = name.n && !hm_tree_files_may_have_word(r->in, name);
  size_t n;
  if ((!lacks && (!own || own->example)) || is_of_others(name, r->a))
    return;
  const hm_tree_word *like = hm_tree_files_word_like(r->in, name, &n);
  if (n != 1 || !like->example || (!lacks && like->elsewhere) || is_named(r->doc, like->word))
    return; /* where both are named, both are meant */
  note_variables *out = r->out;
  out->v = hm_array_grow_in(r->a, out->v, out->n, &out->cap, sizeof *out->v);
  out->v[out->n++] = (note_variable){ part, name, like, lacks };
}

static void read_spans(reader *r, uint32_t part, hm_str text, const hm_doc_span *spans,
                       uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (spans[i].mark == HM_DOC_SPAN_CODE)
      add(r, part, variable_of(hm_str_sub(text, spans[i].from, spans[i].to)));
}

static void read_part(reader *r, uint32_t i, const hm_doc_part *p) {
  size_t before = r->out->n;
  if (p->kind == HM_DOC_CODE) {
    if (note_word_in(p->language, "bash|dotenv|env|ini|properties|sh|shell") && p->text.n &&
        memchr(p->text.p, '=', p->text.n))
      add(r, i, variable_of(p->text));
  } else {
    read_spans(r, i, p->text, p->spans, p->n_spans);
    for (uint32_t k = 0; k < p->n_cells; k++)
      read_spans(r, i, p->cells[k].text, p->cells[k].spans, p->cells[k].n_spans);
  }
  if (r->out->n > before && note_is_of_other_time(r->doc, p, r->a))
    r->out->n = before;
}

void note_variables_read(note_variables *out, const hm_scripts *scripts, const hm_document *doc,
                         hm_str path, hm_arena *a) {
  reader r = { .doc = doc, .out = out, .a = a };
  bool tells;
  *out = (note_variables){ .n = 0 };
  r.in = note_tree_around(scripts, path, &tells, a);
  for (uint32_t i = 0; i < doc->n && r.in && tells; i++) {
    const hm_doc_part *p = &doc->parts[i];
    if (!p->quoted && !p->task && p->kind != HM_DOC_HEADING)
      read_part(&r, i, p);
  }
}

/* --- rows --------------------------------------------------------------------------------------
 */

static hm_str slot_of(const note_variable *v, hm_arena *a) {
  return HM_CAT(a, HM_STR("variable "), v->name);
}

static int by_part(const void *item, const void *key) {
  uint32_t part = ((const note_variable *)item)->part, wanted = *(const uint32_t *)key;
  return part < wanted ? -1 : part > wanted;
}

void note_variables_claim(note_claims *out, const note_variables *vars, uint32_t part) {
  size_t at = hm_lower_bound(vars->v, vars->n, sizeof *vars->v, &part, by_part);
  for (; at < vars->n && vars->v[at].part == part; at++)
    note_claims_add(out, slot_of(&vars->v[at], out->a), HM_STR("named"), NOTE_SAID);
}

const hm_json *note_variables_state(const note_variable *v, hm_arena *a) {
  hm_record_maker m = hm_record_begin(a, "project_state");
  hm_str key = slot_of(v, a);
  hm_str value = HM_CAT(
      a, hm_str_c(v->lacks ? "in no file; the example has " : "not in the example, which has "),
      v->like->word);
  hm_str source = hm_str_fmt(a, "%.*s:%zu", HM_FMT(v->like->path), v->like->line);
  hm_record_add_text(&m, "id", HM_CAT(a, HM_STR("s-"), hm_str_digest_hex(a, key, 16)), 1);
  hm_record_add_text(&m, "key", key, 1);
  hm_record_add_text(&m, "value", value, 1);
  hm_record_add_text(&m, "source", source, 1);
  return m.record;
}
