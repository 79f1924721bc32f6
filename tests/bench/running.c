/* Publications one after another in one process, as `publish --watch` makes them: `running N` in
 * the folder of a mirror changes a fact and publishes, adds one and publishes, and publishes once
 * more when nothing has changed, N times; each time "wall CPU" in milliseconds of all three, the
 * changes themselves left out, and at last the most memory in KB. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include "core/base/par.h"
#include "core/store/import.h"
#include "gen/mirror/publication.h"

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

typedef struct { double wall, cpu; } spent;

static spent now(void) {
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  return (spent){ now_ms(),
                  (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e3 +
                      (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e3 };
}

static void complain(const hm_err *err) {
  char line[2048];
  hm_err_format_line(err, line, sizeof line);
  fprintf(stderr, "running: %s\n", line);
  exit(2);
}

static void import(hm_mirror *first, const char *form) {
  hm_arena *a = hm_arena_new();
  hm_store *s;
  hm_err err;
  hm_actor who;
  hm_import_counts n;
  hm_str line = hm_str_fmt(a, form, now_ms() * 1e3);
  FILE *in = fmemopen((void *)(uintptr_t)line.p, line.n, "r");
  if (hm_mirror_actor(first, &who, &err)) complain(&err);
  const hm_import_options opt = { .name = "-", .who = who };
  if (hm_store_open(&s, first->store, HM_STORE_WRITE, 5000, &err) ||
      hm_import(s, in, &opt, &n, &err))
    complain(&err);
  hm_store_close(s);
  fclose(in);
  hm_arena_free(a);
}

static void change_a_fact(hm_mirror *first) {
  import(
      first,
      "{\"kind\":\"project_state\",\"id\":\"s1\",\"project\":\"p00000\",\"category\":\"area 0\",\"key\":\"mass 0\",\"value\":\"%.0f kg\"}\n");
}

static void add_a_fact(hm_mirror *first) {
  double now = now_ms();
  while (now_ms() - now < 1) continue;   /* ids come from the clock */
  import(
      first,
      "{\"kind\":\"memory\",\"id\":\"m-new-%.0f\",\"memory_type\":\"knowledge\",\"project\":\"p00001\",\"content\":\"the newest mass is 7 kg\",\"created_at\":\"2026-05-01T00:00:00Z\"}\n");
}

static spent publish(const hm_mirror *first, hm_arena *a, bool expected) {
  spent began = now();
  hm_arena_reset(a);
  hm_mirror m = *first;
  hm_publisher p;
  hm_err err;
  m.a = a;
  m.watches = true;
  if (hm_config_load(a, NULL, &m.config, &err)) complain(&err);
  hm_publisher_init(&m, &p);
  if (hm_publish_run(&m, &p, &err)) complain(&err);
  bool created = p.result.created;
  hm_publisher_free(&p);
  spent ended = now();
  if (created != expected)
    fprintf(stderr, "running: a commit %s made\n", created ? "was" : "was not"), exit(2);
  return (spent){ ended.wall - began.wall, ended.cpu - began.cpu };
}

int main(int argc, char **argv) {
  hm_mirror first = { .a = hm_arena_new(), .epoch = -1, .threads = hm_par_cores() };
  hm_arena *a = hm_arena_new();
  hm_err err;
  if (hm_config_load(first.a, NULL, &first.config, &err)) complain(&err);
  first.store = first.config.store;
  change_a_fact(&first);
  publish(&first, a, true);
  for (int i = argc > 1 ? atoi(argv[1]) : 1; i > 0; i--) {
    change_a_fact(&first);
    spent one = publish(&first, a, true);
    add_a_fact(&first);
    spent more = publish(&first, a, true), none = publish(&first, a, false);
    printf("%.1f %.1f %.1f %.1f %.1f %.1f\n", one.wall, one.cpu, more.wall, more.cpu, none.wall,
           none.cpu);
  }
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  printf("%ld\n", u.ru_maxrss);
  hm_arena_free(a);
  hm_arena_free(first.a);
  return 0;
}
