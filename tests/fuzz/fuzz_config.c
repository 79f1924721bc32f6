/* Any bytes as mirror.yml: read, or refused with one line that names the file. What is read is what
 * the rest of the program may believe. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "core/sweep/sweep.h"
#include "gen/mirror/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok) {
  if (!ok) abort();
}

static void check(const hm_config *c, hm_arena *a) {
  hm_err err = { 0 };
  must(c->store && *c->store && c->output && *c->output && c->theme && c->templates && c->statics);
  must(!c->base_url.n || c->base_url.p[c->base_url.n - 1] == '/');
  must(c->threads >= 0 && c->push_timeout > 0 && (c->markdown || c->html));
  must(hm_check_branch(c->branch, "branch", &err) == 0);
  must(!c->push || hm_check_push_remote(c->push, "push", &err) == 0);
  must(hm_rules_digest(&c->rules, a).n == 12);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const folders[] = { "", "/srv/mirror" };
  hm_arena *a = hm_arena_new();
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
    hm_config c;
    hm_err err = { 0 };
    char line[4096];
    if (hm_config_parse(a, (hm_str){ (const char *)data, size }, "mirror.yml", folders[i], &c,
                        &err) == 0) {
      check(&c, a);
      continue;
    }
    hm_err_format_line(&err, line, sizeof line);
    must(strstr(line, "mirror.yml") && !strchr(line, '\n'));
  }
  hm_arena_free(a);
  return 0;
}
