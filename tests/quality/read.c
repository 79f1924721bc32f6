/* Reads JSON lines {"text": ..., "scope": ...} and prints for each what the text states.
 *
 *   read < lines             one JSON object a line: outcome, settles, claims, mentions
 *   read --bench N < lines   the lines N times over: texts a second of processor time */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/json.h"
#include "core/prose/prose.h"

typedef struct {
  hm_str text, scope;
} line;

static void write_claim(hm_jw *w, const hm_prose_claim *c) {
  hm_jw_obj(w, NULL);
  hm_jw_str(w, "shape", hm_shape_name(c->shape));
  hm_jw_str(w, "slot", c->slot);
  hm_jw_str(w, "bare", c->bare);
  hm_jw_str(w, "subject", c->subject);
  hm_jw_str(w, "attribute", c->attribute);
  hm_jw_str(w, "qualifier", c->qualifier);
  hm_jw_str(w, "value", c->value);
  hm_jw_str(w, "reading", c->reading);
  hm_jw_str(w, "left", c->left);
  hm_jw_str(w, "words", c->words);
  hm_jw_bool(w, "denied", c->denied);
  hm_jw_bool(w, "only", c->only);
  hm_jw_bool(w, "also", c->also);
  hm_jw_bool(w, "family", c->family);
  hm_jw_end(w);
}

static void print(const hm_prose *r) {
  static const char *const outcomes[] = { "read", "nothing", "language", "unsure" };
  hm_buf b = { 0 };
  hm_jw w;
  hm_jw_init(&w, &b, 0);
  hm_jw_obj(&w, NULL);
  hm_jw_str(&w, "outcome", hm_str_c(outcomes[r->outcome]));
  hm_jw_bool(&w, "settles", r->settles);
  hm_jw_arr(&w, "claims");
  for (size_t i = 0; i < r->n; i++) write_claim(&w, &r->claims[i]);
  hm_jw_end(&w);
  hm_jw_arr(&w, "mentions");
  for (size_t i = 0; i < r->n_mentions; i++) {
    hm_jw_obj(&w, NULL);
    hm_jw_str(&w, "slot", r->mentions[i].slot);
    hm_jw_str(&w, "value", r->mentions[i].value);
    hm_jw_end(&w);
  }
  hm_jw_end(&w);
  hm_jw_end(&w);
  fwrite(b.p, 1, b.n, stdout);
  fputc('\n', stdout);
  hm_buf_free(&b);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void bench(const line *lines, size_t n, int times, const hm_families *f) {
  hm_arena *a = hm_arena_new();
  hm_prose r;
  size_t claims = 0;
  double start = now();
  for (int k = 0; k < times; k++)
    for (size_t i = 0; i < n; i++) {
      hm_prose_parse(&r, lines[i].text, lines[i].scope, f, a);
      claims += r.n;
      if (i % 32 == 31) hm_arena_reset(a);
    }
  double seconds = now() - start;
  printf("%zu texts, %zu claims, %.0f texts a second\n", n * (size_t)times, claims,
         (double)(n * (size_t)times) / seconds);
  hm_arena_free(a);
}

int main(int argc, char **argv) {
  hm_arena *a = hm_arena_new(), *scratch = hm_arena_new();
  const hm_families *f = hm_families_prepare(NULL, a);
  line *lines = NULL;
  size_t n = 0, cap = 0, room = 0;
  char *z = NULL;
  ssize_t got;
  bool benches = argc == 3 && strcmp(argv[1], "--bench") == 0;
  while ((got = getline(&z, &cap, stdin)) > 0) {
    hm_json *j;
    hm_err err;
    if (hm_json_parse(a, hm_str_dup(a, (hm_str){ z, (size_t)got }), &j, &err)) {
      fprintf(stderr, "read: a line is not JSON\n");
      return 2;
    }
    lines = hm_array_grow_in(a, lines, n, &room, sizeof *lines);
    lines[n++] = (line){ hm_json_get_text(j, "text"), hm_json_get_text(j, "scope") };
    if (benches) continue;
    hm_prose r;
    hm_arena_reset(scratch);
    hm_prose_parse(&r, lines[n - 1].text, lines[n - 1].scope, f, scratch);
    print(&r);
  }
  if (benches) bench(lines, n, atoi(argv[2]), f);
  free(z);
  hm_arena_free(a);
  hm_arena_free(scratch);
  return 0;
}
