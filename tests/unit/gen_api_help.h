/* What the tests of the API share: a server's API on a store of its own. */
#ifndef GEN_API_HELP_H
#define GEN_API_HELP_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "gen/api/api.h"

typedef struct {
  char dir[64], store[96];
  hm_store_source source;
  hm_api *api;
  hm_arena *a;
} world;

static inline hm_api_options options_of(const world *w) {
  return (hm_api_options){ .store = &w->source, .rules = hm_rules_default(),
                           .by = HM_STR("server"), .busy_ms = 1000 };
}

/* For cmocka: an empty store in a folder of its own. */
static inline int begin(void **state) {
  world *w = calloc(1, sizeof *w);
  hm_err err = { 0 };
  hm_store *s;
  strcpy(w->dir, "/tmp/hm-api-XXXXXX");
  if (!mkdtemp(w->dir)) return -1;
  snprintf(w->store, sizeof w->store, "%s/s.db", w->dir);
  if (hm_store_open(&s, w->store, HM_STORE_CREATE, 1000, &err)) return -1;
  hm_store_close(s);
  w->a = hm_arena_new();
  w->source.path = w->store;
  const hm_api_options opt = options_of(w);
  *state = w;
  return hm_api_open(&opt, &w->api, &err);
}

/* Fails where the API left another file behind. */
static inline int end(void **state) {
  world *w = *state;
  static const char *const more[] = { "", "-wal", "-shm", ".lock" };
  char path[128];
  hm_api_close(w->api);
  hm_arena_free(w->a);
  for (size_t i = 0; i < HM_COUNT(more); i++) {
    snprintf(path, sizeof path, "%s%s", w->store, more[i]);
    unlink(path);
  }
  int rc = rmdir(w->dir);
  free(w);
  return rc;
}

static inline const hm_api_operation *named(const char *name) {
  const hm_api_operation *op = hm_api_find_operation(hm_str_c(name));
  assert_non_null(op);
  return op;
}
#endif
