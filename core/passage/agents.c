/* Files of instructions for agents, by their names. */

#include "core/passage/passage_impl.h"

bool note_is_for_agents(hm_str path, hm_arena *a) {
  static const char agents[] =
      ".clinerules|.cursorrules|.windsurfrules|agent.md|agents.md|claude.local.md|"
      "claude.md|copilot-instructions.md|gemini.md";
  static const char folders[] = ".claude/rules/|.clinerules/|.windsurf/rules/|memory-bank/";
  hm_str name = hm_str_behind_last(path, '/');
  hm_str low = note_lower(name, a);
  return note_word_in(low, agents) || hm_str_ends(low, ".mdc") ||
      hm_str_ends(low, ".instructions.md") || note_has_any(path, folders);
}

bool note_is_import(hm_str text) {
  size_t i = 0;
  while (i < text.n) {
    size_t from = i;
    while (i < text.n && text.p[i] != ' ')
      i++;
    hm_str word = hm_str_sub(text, from, i);
    if (word.n < 2 || word.p[0] != '@' ||
        hm_tree_kind_of(hm_str_sub(word, 1, word.n)) != HM_TREE_NOTES)
      return false;
    while (i < text.n && text.p[i] == ' ')
      i++;
  }
  return text.n > 0;
}
