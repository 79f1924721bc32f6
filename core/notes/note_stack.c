/* What a part of a project is made of: "Backend: Node.js, Fastify", "| Frontend | Next.js + Vite
 * |", and items below the heading "Backend". Each tool of such a list is claimed for its role, as
 * "Framework: Fastify" below that heading is. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/notes/notes_impl.h"

/* The role of tools of a family, by the name that labels give it; NULL: a part has several. */
static const char *role_of(const char *family, hm_str tool) {
  static const struct {
    const char *family, *role;
  } roles[] = {
    { "bundler", "bundler" },
    { "framework", "framework" },
    { "orm", "orm" },
    { "state_library", "state management" },
    { "style_library", "styling" },
  };
  static const char built_on[] = "preact|react|solid_js|starlette|svelte|vue";
  for (size_t i = 0; i < HM_COUNT(roles); i++)
    if (!strcmp(family, roles[i].family) && !note_word_in(tool, built_on))
      return roles[i].role;
  return NULL;
}

static const char parts[] = "backend|desktop|frontend|mobile";

/* The part that a label or a heading names; empty: none that has a stack of its own. */
static hm_str part_named(hm_str name, hm_arena *a) {
  note_words w = note_split(name, a);
  hm_str part = w.n && w.n <= 3 ? note_component_name(name, a) : HM_EMPTY;
  return note_word_in(part, parts) ? part : HM_EMPTY;
}

hm_str note_tool_of_role(const note_context *c, hm_str list, hm_str role, hm_arena *a) {
  hm_str tool, found = HM_EMPTY;
  const char *family;
  size_t end;
  note_words w = note_split(list, a);
  for (size_t i = 0; i < w.n; i++) {
    bool begins = !i || !w.w[i].joined || hm_str_is(w.w[i - 1].low, "+");
    if (!begins || !note_tool_at(c, &w, list, i, &tool, &end, &family))
      continue;
    const char *own = role_of(family, tool);
    size_t next = end + (end < w.n && hm_digit_at(w.w[end].low, w.w[end].low.p[0] == 'v'));
    bool ends = next >= w.n || !w.w[next].joined || hm_str_is(w.w[next].low, "+");
    if (!own || !hm_str_is(role, own) || !ends)
      continue;
    if (found.n && !hm_str_eq(found, tool))
      return HM_EMPTY;
    found = tool;
  }
  return found;
}

void note_stack_read(note_claims *out, const note_context *c, const hm_doc_part *p) {
  enum { WORDS = 16 };
  static const char doubts[] =
      "any|e.g|either|formerly|future|if|instead|later|legacy|maybe|migrate|migrating|migration|no|"
      "not|optional|or|planned|tbd|to|was|were";
  static const char *const roles[] = { "bundler", "framework", "orm", "state management",
                                       "styling" };
  bool row = p->kind == HM_DOC_ROW;
  if ((!row && p->kind != HM_DOC_ITEM) || (row && p->n_cells < 2))
    return;
  bool label = row || p->label.n;
  hm_str part = label ? part_named(row ? p->cells[0].text : p->label, out->a) : c->part;
  if (!note_word_in(part, parts))
    return;
  hm_str list = row ? p->cells[1].text : hm_str_sub(p->text, p->value, p->text.n);
  note_words w = note_split(list, out->a);
  if (w.n > WORDS || note_any_word_in(&w, doubts))
    return;
  for (size_t i = 0; i < HM_COUNT(roles); i++) {
    hm_str tool = note_tool_of_role(c, list, hm_str_c(roles[i]), out->a);
    if (tool.n)
      note_claims_add(out, HM_CAT(out->a, c->scope, part, HM_STR(" "), hm_str_c(roles[i])), tool,
                      NOTE_SETTING);
  }
}
