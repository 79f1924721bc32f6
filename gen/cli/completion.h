/* Scripts that complete command lines, made from the tables of verbs and options. Pure. */
#ifndef HM_COMPLETION_H
#define HM_COMPLETION_H
#include "gen/cli/cli.h"

typedef struct {
  const char *shell;                 /* "bash" */
  void (*put)(hm_buf *b);            /* appends the whole script */
} hm_completion;

/* bash, fish, zsh; a NULL shell ends. Each script completes verbs, options, an option's choices
 * ("text|json"), a verb's own words ("list|show") and file names; nothing in it runs hmirror. */
extern const hm_completion hm_completions[];

/* For the scripts: the alternatives of "a|b|c" or "a|b [ID]" one after another, empty after the
 * last. What has an upper-case letter or a bracket stands for something that a user knows: it has
 * none. */
hm_str hm_alternative(const char *words, size_t i);
bool hm_completes_files(const char *words);    /* FILE, DIR, F: a path goes there */
/* Appends z, cut to one line, with a '\' before each byte of `special`. */
void hm_put_quoted(hm_buf *b, const char *z, const char *special);

void hm_completion_bash(hm_buf *b);
void hm_completion_fish(hm_buf *b);
void hm_completion_zsh(hm_buf *b);
#endif
