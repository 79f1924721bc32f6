/* Reads a manual page in mdoc, for the tests that hold it to the tables of the program. */
#ifndef MANUAL_HELP_H
#define MANUAL_HELP_H
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MANUAL_MAX = 200000, MANUAL_WORD = 100 };

typedef struct { char text[MANUAL_MAX], *at, section[500], part[500]; bool in_item; } manual_page;

static inline bool manual_read(manual_page *m, const char *path) {
  FILE *f = fopen(path, "r");
  if (!f) return false;
  size_t n = fread(m->text, 1, sizeof m->text - 1, f);
  fclose(f);
  m->text[n] = 0;
  return n > 1000 && n < sizeof m->text - 1;
}

static inline void manual_rewind(manual_page *m) {
  m->at = m->text;
  *m->section = *m->part = 0;
  m->in_item = false;
}

/* Copies the next line; m->section and m->part are the .Sh and .Ss that it stands under,
 * m->in_item says that it is a list's tag. */
static inline bool manual_line(manual_page *m, char line[static 500]) {
  if (!*m->at) return false;
  size_t n = strcspn(m->at, "\n");
  snprintf(line, 500, "%.*s", (int)n, m->at);
  m->at += n + (m->at[n] == '\n');
  if (strncmp(line, ".Sh ", 4) == 0) {
    snprintf(m->section, sizeof m->section, "%s", line + 4);
    *m->part = 0;
  }
  if (strncmp(line, ".Ss ", 4) == 0) snprintf(m->part, sizeof m->part, "%s", line + 4);
  if (strcmp(line, ".It Xo") == 0) m->in_item = true;
  if (strcmp(line, ".Xc") == 0) m->in_item = false;
  return true;
}

/* The words that the macro ("Va", "Cm") marks in a line, one a call: *at begins as line. */
static inline bool manual_word(const char *macro, const char *line, const char **at,
                               char word[static MANUAL_WORD]) {
  if (*line != '.') return false;
  if (*at == line) {
    char text[20];
    snprintf(text, sizeof text, ".%s ", macro);
    if (strncmp(line, text, strlen(text)) == 0) *at = line + strlen(text);
    else {
      snprintf(text, sizeof text, " %s ", macro);
      const char *found = strstr(line, text);
      if (!found) return false;
      *at = found + strlen(text);
    }
  }
  while (**at) {
    *at += strspn(*at, " ");
    size_t n = strcspn(*at, " ");
    bool is_macro = **at >= 'A' && **at <= 'Z', is_word = **at >= 'a' && **at <= 'z';
    if (is_macro || n == 0) return false;
    snprintf(word, MANUAL_WORD, "%.*s", (int)n, *at);
    *at += n;
    if (is_word) return true;
  }
  return false;
}

/* Is word one of the words of a list such as "entities.md , memories.md"? */
static inline bool manual_in(const char *list, const char *word) {
  size_t n = strlen(word);
  for (const char *p = list; (p = strstr(p, word)); p++)
    if ((p == list || p[-1] == ' ') && (p[n] == 0 || p[n] == ' ')) return true;
  return false;
}
#endif
