#include "gen/cli/completion.h"

#include <string.h>

const hm_completion hm_completions[] = {
  { "bash", hm_completion_bash },
  { "fish", hm_completion_fish },
  { "zsh", hm_completion_zsh },
  { 0 }
};

static const char lower[] = "abcdefghijklmnopqrstuvwxyz-_0123456789";

hm_str hm_alternative(const char *words, size_t i) {
  const char *p = words ? words : "";
  size_t all = strcspn(p, " ");
  if (!memchr(p, '|', all)) return HM_EMPTY;
  for (const char *end = p + all; p < end; p++) {
    size_t n = strspn(p, lower);
    if (p[n] != '|' && p + n != end) return HM_EMPTY;
    if (i-- == 0) return (hm_str){ p, n };
    p += n;
  }
  return HM_EMPTY;
}

bool hm_completes_files(const char *words) {
  return words && (strstr(words, "FILE") || strstr(words, "DIR") || strcmp(words, "F") == 0);
}

void hm_put_quoted(hm_buf *b, const char *z, const char *special) {
  for (; *z && *z != '\n'; z++) {
    if (strchr(special, *z)) hm_buf_ch(b, '\\');
    hm_buf_ch(b, *z);
  }
}
