/* What a part of a document claims, where its form says it: which reader looks at which part, and
 * in what order. Sentences are read as prose (core/prose) by whoever reads the row. */
#include "core/base/credential.h"
#include "core/passage/passage_impl.h"

/* Takes out slots of which one part gives several values: it lists what is possible. */
static void drop_several(note_claims *c) {
  for (size_t i = 0; i < c->n; i++)
    for (size_t k = 0; k < i; k++)
      if (hm_str_eq(c->v[k].slot, c->v[i].slot))
        c->v[k].family = c->v[i].family = NOTE_DROPPED;
  note_claims_keep(c);
}

/* Does the first cell of a row name a program, or a role in a stack? Else the row is about what it
 * names. */
static bool is_of_stack(const hm_doc_part *p, hm_arena *a) {
  static const char roles[] =
      "backend|build|bundler|cache|container|css|database|db|engine|framework|frontend|"
      "infrastructure|language|library|manager|orm|platform|queue|runtime|server|storage|"
      "store|styling|testing|ui|version|web";
  note_words w = note_split(p->n_cells ? p->cells[0].text : HM_EMPTY, a);
  /* "Lines of Java" are no Java */
  static const char counted[] =
      "archivos|classes|count|fichiers|files|lignes|lines|l\u00EDneas|loc|modules|zeilen";
  if (note_any_word_in(&w, counted))
    return false;
  bool versions = p->n_head > 1 && hm_str_is(note_lower(p->head[1].text, a), "version");
  return versions || note_any_word_in(&w, roles) || note_names_program(&w);
}

/* Quotations are what others say, but for notes of the document itself. */
static bool is_own_note(const hm_doc_part *p, hm_arena *a) {
  note_words w = note_split(p->text, a);
  return w.n && note_word_in(w.w[0].low, "requires|note|important|prerequisites|prerequisite|tip");
}

/* Is it a row of what was changed, "| vite | 5 | 7 |" below "From" and "To"? */
static bool is_of_change(const hm_doc_part *p, hm_arena *a) {
  static const char *const pairs[][2] = { { "from", "to" },
                                          { "old", "new" },
                                          { "before", "after" },
                                          { "de", "a" },
                                          { "antes", "despu\u00E9s" },
                                          { "von", "auf" },
                                          { "vorher", "nachher" },
                                          { "avant", "apr\u00E8s" } };
  enum { LONGEST = 10 };
  for (uint32_t i = 1; i < p->n_head; i++) {
    if (p->head[i - 1].text.n > LONGEST || p->head[i].text.n > LONGEST)
      continue;
    hm_str one = note_lower(p->head[i - 1].text, a), other = note_lower(p->head[i].text, a);
    for (size_t k = 0; k < HM_COUNT(pairs); k++)
      if (hm_str_is(one, pairs[k][0]) && hm_str_is(other, pairs[k][1]))
        return true;
  }
  return false;
}

/* Does the text only suppose something, or tell of what was or is wished: "Wrong: Node 16", "We
 * used to run it on MySQL", "Last year we used Go 1.20", "Is Node 8 needed?", "Ann wrote: \"...\""?
 */
static bool is_supposed(const note_words *w, hm_str text) {
  static const char marks[] = "bad|error|incorrect|todo|wrong";
  static const char *const said[] = { " wrote: \"", " said: \"", " says: \"" };
  hm_str first = w->n ? w->w[0].low : HM_EMPTY;
  size_t behind = w->n ? w->w[0].at + w->w[0].s.n : 0;
  if (note_word_in(first, "assume|imagine|suppose") ||
      (note_word_in(first, marks) && hm_char_at(text, behind, ':')))
    return true;
  for (size_t i = 0; i < HM_COUNT(said); i++)
    if (hm_str_find(text, said[i]) > 0)
      return true;
  hm_str next = w->n > 1 ? w->w[1].low : HM_EMPTY, third = w->n > 2 ? w->w[2].low : HM_EMPTY;
  bool once = hm_str_is(next, "used") && hm_str_is(third, "to");
  bool wished = note_word_in(next, "plan|plans") && hm_str_is(third, "to");
  bool then = hm_str_is(first, "last") && note_word_in(next, "month|quarter|week|year");
  bool more = hm_str_find(text, ", ") > 0; /* "..., and Node 20 is required" */
  if (((once || wished) && !more) || then)
    return true;
  return hm_str_ends(text, "?");
}

/* Which tools the project has for what: by labels, else by a sentence that names one. */
static void read_tools(note_claims *out, const note_context *c, const hm_doc_part *p,
                       const note_text *t) {
  size_t had = out->n;
  bool sentence = p->kind == HM_DOC_ITEM || p->kind == HM_DOC_SENTENCE;
  note_stack_read(out, c, p);
  bool names = out->n == had && sentence && note_names_tool(c, t);
  if (names)
    note_stack_read_sentence(out, c, t);
  if (out->n == had)
    note_hosts_read(out, c, p);
  if (out->n == had && names)
    note_deeds_read(out, c, p, t);
}

static void read_all(note_claims *out, const note_context *c, const hm_doc_part *p,
                     const note_text *t) {
  hm_str text = t->text;
  if (c->past || p->kind == HM_DOC_COMMENT || is_of_change(p, out->a))
    return;
  if (!p->quoted)
    note_branches_read(out, c, p, t);
  if (hm_has_placeholder(text, HM_OF_TEXT))
    return;
  if (p->quoted) {
    if (is_own_note(p, out->a))
      note_versions_read(out, c, p, t);
    return;
  }
  note_settings_read(out, c, p, text);
  note_flow_read(out, c, p, t);
  if (p->kind == HM_DOC_CODE) {
    note_command_read(out, c, p, text);
    note_version_line_read(out, c, text);
    note_mapping_read(out, c, p);
    note_counts_read(out, c, p, t);
    note_defaults_read(out, c, p, t);
    note_limits_read(out, c, p, text);
    return;
  }
  if (p->kind != HM_DOC_ROW || is_of_stack(p, out->a))
    note_versions_read(out, c, p, t);
  note_commands_read(out, c, p, t);
  note_license_read(out, c, p);
  if (p->kind == HM_DOC_ROW)
    note_cells_read(out, c, p);
  note_defaults_read(out, c, p, t);
  read_tools(out, c, p, t);
  note_rules_read(out, c, p, t);
  note_limits_read(out, c, p, text);
  note_counts_read(out, c, p, t);
}

/* Takes out amounts that the part claims under a name that is known, too. */
static void drop_known(note_claims *c) {
  size_t kept = 0;
  for (size_t i = 0; i < c->n; i++) {
    bool known = false;
    bool own = c->v[i].family == NOTE_SAID || c->v[i].family == NOTE_SETTING;
    for (size_t k = 0; k < c->n && !own; k++)
      known |= hm_digit_at(c->v[i].value, 0) &&
          (c->v[k].family == NOTE_SAID || c->v[k].family == NOTE_SETTING) &&
          hm_str_starts(c->v[k].value, hm_str_z(c->a, c->v[i].value));
    if (!known)
      c->v[kept++] = c->v[i];
  }
  c->n = kept;
}

void note_claims_read(note_claims *out, const note_context *c, const hm_doc_part *p, hm_str text) {
  note_context own = *c;
  bool prose = p->kind == HM_DOC_SENTENCE || p->kind == HM_DOC_ITEM;
  note_text t = note_text_of(text, out->a);
  if (prose && is_supposed(&t.words, text))
    return;
  if (prose)
    own.scope = note_scope_with(c->scope, note_condition_of(p, &t, false, out->a), out->a);
  read_all(out, &own, p, &t);
  drop_several(out);
  drop_known(out);
}
