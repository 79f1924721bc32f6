/* A site that reuses what is known of the last one is the site that is made with nothing, over
 * random changes. HM_SEED and HM_STEPS repeat a run. */
#include "core/base/digest.h"
#include "gen/site/site.h"
#include "tests/unit/core_base_prng.h"
#include "tests/unit/core_base_thorough.h"
#include "tests/unit/gen_page_help.h"

enum { PROJECTS = 9, IDS = 60, STEPS = 150, STATICS = 300 };

/* What the sink has. */
typedef struct {
  hm_arena *a;
  hm_map at;
  unsigned char (*sums)[32];
  hm_sink_file *files; size_t n;
} sink;

typedef struct {
  char path[64];
  hm_store *store;
  hm_templates *templates;
  hm_arena *a;
  hm_view_options view;
  hm_template_file *statics; size_t n_statics;
  bool markdown, html;
  hm_buf known;                 /* of the last site that went to the sink, as bytes; empty: none */
  sink sink;
  uint64_t random, seed;
  int step;
  size_t file_max;              /* longer lists become an index of parts */
  bool refers;                  /* rows of one project to those of another */
  unsigned n_parts;             /* parts that there were; 0: there are to be none */
  unsigned skipped, made;       /* pages, of sites of which something was known */
  unsigned data_skipped, data_made;   /* data files of these */
} world;

static unsigned pick(world *w, unsigned n) { return (unsigned)(prng(&w->random) % n); }

static int set_up(void **state) {
  world *w = calloc(1, sizeof *w);
  hm_err err;
  const char *seed = getenv("HM_SEED");
  strcpy(w->path, "/tmp/hm-site-reuse-XXXXXX");
  close(mkstemp(w->path));
  unlink(w->path);
  w->a = hm_arena_new();
  w->templates = help_templates(w->a);
  w->view = (hm_view_options){ .title = HM_STR("Mirror"),
                               .list_limit = 8,
                               .value_limit = 60,
                               .tool = HM_STR("hmirror test"),
                               .base_url = HM_EMPTY };
  w->markdown = w->html = true;
  w->seed = w->random = seed ? strtoull(seed, NULL, 10) : hm_random_seed() % 1000000;
  print_message("HM_SEED=%llu\n", (unsigned long long)w->seed);
  w->statics = hm_alloc_array(w->a, STATICS, sizeof *w->statics);
  for (size_t i = 0; i < STATICS; i++)
    w->statics[i] =
        (hm_template_file){ .name = hm_str_fmt(w->a, "s/%zu.txt", i), .bytes = HM_STR("x") };
  *state = w;
  return hm_store_open(&w->store, w->path, HM_STORE_CREATE, 1000, &err);
}

static int tear_down(void **state) {
  static const char *const rest[] = { "", "-wal", "-shm", "-journal" };
  world *w = *state;
  hm_templates_free(w->templates);
  hm_store_close(w->store);
  for (size_t i = 0; i < 4; i++) unlink(hm_str_fmt(w->a, "%s%s", w->path, rest[i]).p);
  hm_arena_free(w->sink.a);
  hm_arena_free(w->a);
  hm_buf_free(&w->known);
  free(w);
  return 0;
}

__attribute__((format(printf, 2, 3))) static void lost(const world *w, const char *fmt, ...) {
  char why[1024];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(why, sizeof why, fmt, ap);
  va_end(ap);
  fail_msg("seed %llu, step %d: %s", (unsigned long long)w->seed, w->step, why);
}

/* --- the sink ------------------------------------------------------------------------ */

static bool holds(const world *w, const hm_file *f) {
  uint32_t at = hm_map_get(&w->sink.at, f->path);
  return at != HM_MAP_NONE && memcmp(w->sink.sums[at], f->sha256, 32) == 0;
}

/* What the site says of what it does not bring along must hold there. */
static void check_against_sink(world *w, const hm_site *s) {
  size_t stays = 0, made = 0;
  for (size_t i = 0; i < s->n; i++) {
    const hm_file *f = &s->files[i];
    stays += w->sink.a && hm_map_get(&w->sink.at, f->path) != HM_MAP_NONE;
    if (f->held && !holds(w, f)) lost(w, "%.*s is held, and not there", HM_FMT(f->path));
    if (!f->held && !f->bytes.p) lost(w, "%.*s has no bytes", HM_FMT(f->path));
    made += !f->held;
    if (i && hm_str_cmp(s->files[i - 1].path, f->path) >= 0)
      lost(w, "%.*s is out of order", HM_FMT(f->path));
  }
  assert_int_equal(made, s->n_made);
  if (!w->known.n) return;
  if (w->sink.n - stays != s->n_gone)
    lost(w, "%zu are gone, not %zu", w->sink.n - stays, s->n_gone);
  for (size_t i = 0; i < s->n_gone; i++)
    if (hm_map_get(&w->sink.at, s->gone[i]) == HM_MAP_NONE || hm_site_file(s, s->gone[i]))
      lost(w, "%.*s is not gone", HM_FMT(s->gone[i]));
}

static int64_t changed_pages(const world *w, const hm_site *s) {
  int64_t n = 0;
  for (size_t i = 0; i < s->n; i++) {
    uint32_t at = hm_map_get(&w->sink.at, s->files[i].path);
    if (hm_str_ends(s->files[i].path, ".md"))
      n += at == HM_MAP_NONE || memcmp(w->sink.sums[at], s->files[i].sha256, 32) != 0;
  }
  for (size_t i = 0; i < s->n_gone; i++) n += hm_str_ends(s->gone[i], ".md");
  return n;
}

static void into_sink(world *w, const hm_site *s) {
  hm_arena_free(w->sink.a);
  w->sink = (sink){ .a = hm_arena_new(), .n = s->n };
  w->sink.sums = hm_alloc_array(w->sink.a, s->n, 32);
  w->sink.files = hm_alloc_array(w->sink.a, s->n, sizeof *w->sink.files);
  hm_map_init(&w->sink.at, w->sink.a, s->n);
  for (size_t i = 0; i < s->n; i++) {
    memcpy(w->sink.sums[i], s->files[i].sha256, 32);
    hm_str path = hm_str_dup(w->sink.a, s->files[i].path);
    w->sink.files[i] = (hm_sink_file){ path, s->files[i].bytes.n };
    hm_map_add(&w->sink.at, path, (uint32_t)i);
  }
}

/* --- two sites of one view -------------------------------------------------------------- */

static hm_site *make(world *w, const hm_view *v, const hm_last_site *known) {
  hm_sink_files present = { .all = w->sink.n && pick(w, 4) == 0,
                           .files = w->sink.files,
                           .n = w->sink.n };
  hm_site_options opt = { .threads = 1 + (int)pick(w, 4),
                          .markdown = w->markdown,
                          .html = w->html,
                          .statics = w->statics,
                          .n_statics = w->n_statics,
                          .known = known,
                          .present = &present,
                          .file_max = w->file_max };
  hm_site *s;
  hm_err err = { 0 };
  if (hm_site_build(v, w->templates, &opt, &s, &err) != 0) lost(w, "%s: %s", err.what, err.why);
  return s;
}

static void same_files(const world *w, const hm_site *x, const hm_site *y) {
  for (size_t i = 0; i < x->n && i < y->n; i++) {
    const hm_file *f = &x->files[i], *g = &y->files[i];
    if (!hm_str_eq(f->path, g->path)) lost(w, "%.*s, not %.*s", HM_FMT(f->path), HM_FMT(g->path));
    if (memcmp(f->sha256, g->sha256, 32) != 0 || f->bytes.n != g->bytes.n)
      lost(w, "%.*s is another:\n%.*s\nnot\n%.*s", HM_FMT(f->path),
           f->bytes.p ? (int)f->bytes.n : 4, f->bytes.p ? f->bytes.p : "held", HM_FMT(g->bytes));
  }
  if (x->n != y->n || !hm_str_eq(x->digest, y->digest) || x->pages != y->pages)
    lost(w, "%zu files and %zu pages, not %zu and %zu", x->n, x->pages, y->n, y->pages);
}

static void same_known(const world *w, const hm_site *x, const hm_site *y) {
  hm_buf one = { 0 }, other = { 0 };
  hm_last_site_write(&(hm_last_site){ x->files, x->n }, &one);
  hm_last_site_write(&(hm_last_site){ y->files, y->n }, &other);
  if (!hm_str_eq(hm_buf_view(&one), hm_buf_view(&other))) lost(w, "what is known is other");
  hm_buf_free(&one);
  hm_buf_free(&other);
}

static void commit(world *w, const hm_site *s) {
  into_sink(w, s);
  hm_buf_clear(&w->known);
  hm_last_site_write(&(hm_last_site){ s->files, s->n }, &w->known);
}

static void publish(world *w, bool fails) {
  hm_arena *a = hm_arena_new();
  hm_sweep sweep;
  hm_view *view;
  hm_last_site known;
  hm_err err = { 0 };
  hm_sweep_options so = { .rules = hm_rules_default(),
                          .threads = 2,
                          .details = true,
                          .digest = true,
                          .record = true,
                          .who = { HM_STR("test"), HM_STR("2026-05-01T00:00:00Z") } };
  if (hm_sweep_run_all(w->store, &so, a, &sweep, &err) ||
      hm_view_new(&sweep, hm_rules_default(), &w->view, a, &view, &err))
    lost(w, "%s: %s", err.what, err.why);
  if (w->known.n) assert_true(hm_last_site_read(hm_buf_view(&w->known), a, &known));
  hm_site *reusing = make(w, view, w->known.n ? &known : NULL), *full = make(w, view, NULL);
  same_files(w, reusing, full);
  same_known(w, reusing, full);
  check_against_sink(w, reusing);
  assert_int_equal(reusing->changed_pages, w->known.n ? changed_pages(w, reusing) : -1);
  for (size_t i = 0; w->known.n && i < reusing->n; i++) {
    bool data = hm_str_ends(reusing->files[i].path, ".jsonl");
    w->n_parts += w->file_max && (hm_str_starts(reusing->files[i].path, "manifest/") ||
                                  (hm_str_starts(reusing->files[i].path, "conflicts/") &&
                                   hm_str_ends(reusing->files[i].path, ".json")));
    w->data_skipped += data && reusing->files[i].held;
    w->data_made += data && !reusing->files[i].held;
    if (!hm_str_ends(reusing->files[i].path, ".md") &&
        !hm_str_ends(reusing->files[i].path, ".html"))
      continue;
    w->skipped += reusing->files[i].held;
    w->made += !reusing->files[i].held;
  }
  if (!fails) commit(w, reusing);
  hm_site_free(reusing);
  hm_site_free(full);
  hm_sweep_free(&sweep);
  hm_arena_free(a);
}

/* --- changes ------------------------------------------------------------------------------ */

static const char *const statuses[] = { "active",     "active",  "active",   "active",
                                        "superseded", "invalid", "candidate" };
#define one_of(w, list) ((list)[pick(w, sizeof(list) / sizeof *(list))])

/* An id stays in its project, mostly. */
static unsigned project_of(world *w, unsigned id) {
  return pick(w, 30) ? id % PROJECTS : pick(w, PROJECTS + 1);
}

static void put_state(world *w, hm_buf *b, unsigned id) {
  hm_buf_fmt(
      b,
      "{\"kind\":\"project_state\",\"id\":\"s%u\",\"project\":\"p%u\",\"category\":\"fact\",\"key\":\"slot %u\",\"value\":\"%u kg\",\"status\":\"%s\"}\n",
      id, project_of(w, id), id / PROJECTS % 3, pick(w, 3), one_of(w, statuses));
}

static void put_memory(world *w, hm_buf *b, unsigned id) {
  static const char more[] = ", which is told at such length that no page shows the whole of it";
  hm_buf_fmt(
      b,
      "{\"kind\":\"memory\",\"id\":\"m%u\",\"memory_type\":\"knowledge\",\"project\":\"%s%u\",\"status\":\"%s\",\"content\":\"slot %u is %u kg%s\",\"created_at\":\"20%u-04-02\"}\n",
      id, pick(w, 40) ? "p" : "q", project_of(w, id), one_of(w, statuses), id / PROJECTS % 3,
      pick(w, 3), pick(w, 9) ? "" : more, 24 + pick(w, 3));
}

static void put_entity(world *w, hm_buf *b, unsigned id) {
  static const char *const types[] = { "Parameter", "Subsystem", "Component", "Decision", "Own" };
  hm_buf_fmt(
      b,
      "{\"kind\":\"entity\",\"id\":\"e%u\",\"entity_type\":\"%s\",\"project\":\"p%u\",\"name\":\"slot %u\",\"properties\":{\"value\":\"%u kg\"%s%u\"},\"status\":\"%s\"}\n",
      id, one_of(w, types), project_of(w, id), id / PROJECTS % 3, pick(w, 3),
      pick(w, 12) ? ",\"note\":\"n" : ",\"depends_on\":\"e", pick(w, IDS), one_of(w, statuses));
}

/* Rows of any project refer to those of any other, and to what is not there. */
static void put_relation(world *w, hm_buf *b, unsigned id) {
  static const char *const types[] = { "PART_OF", "AFFECTS", "USES", "SUPERSEDES" };
  hm_buf_fmt(
      b,
      "{\"kind\":\"relation\",\"id\":\"r%u\",\"type\":\"%s\",\"project\":\"%s\",\"from\":\"e%u\",\"to\":\"e%u\",\"status\":\"%s\","
      "\"valid_from\":\"202%u\"}\n",
      id, one_of(w, types), pick(w, 2) ? "" : "p3", pick(w, IDS + 5), pick(w, IDS + 5),
      one_of(w, statuses), pick(w, 9));
}

static void put_reference(world *w, hm_buf *b, unsigned id) {
  switch (pick(w, 3)) {
    case 0:
      hm_buf_fmt(
          b,
          "{\"kind\":\"link\",\"src\":\"memory:m%u\",\"dst\":\"entity:e%u\",\"rel\":\"refines\"}\n",
          pick(w, IDS), pick(w, IDS));
      break;
    case 1:
      hm_buf_fmt(
          b,
          "{\"kind\":\"entity\",\"id\":\"e%u\",\"entity_type\":\"Component\",\"name\":\"slot 1\",\"status\":\"superseded\",\"superseded_by\":\"e%u\"}\n",
          id, pick(w, IDS));
      break;
    case 2:
      hm_buf_fmt(
          b,
          "{\"kind\":\"memory\",\"id\":\"m%u\",\"memory_type\":\"knowledge\",\"content\":\"slot 1 is 2 kg\",\"status\":\"graduated\",\"graduated_to\":\"e%u\"}\n",
          id, pick(w, IDS));
      break;
  }
}

static void change_facts(world *w, unsigned n) {
  static void (*const put[])(world * w, hm_buf * b, unsigned id) = { put_state, put_memory,
                                                                     put_entity };
  hm_buf b = { 0 };
  unsigned first = pick(w, 3 * IDS);
  for (unsigned i = 0; i < n; i++) put[(first + i) % 3](w, &b, (first + i) / 3 % IDS);
  help_import(w->store, hm_buf_view(&b));
  hm_buf_clear(&b);
  if (w->refers && pick(w, 3) == 0) put_relation(w, &b, pick(w, IDS));
  if (w->refers && pick(w, 3) == 0) put_reference(w, &b, pick(w, IDS));
  help_import(w->store, hm_buf_view(&b));
  hm_buf_free(&b);
}

/* What a site is made with besides the store. */
static void change_look(world *w) {
  switch (pick(w, 4)) {
    case 0: w->view.title = pick(w, 2) ? HM_STR("Mirror") : HM_STR("Another"); break;
    case 1: w->n_statics = pick(w, 2) ? STATICS : 0; break;
    case 2: w->markdown = pick(w, 3) > 0; w->html = !w->markdown || pick(w, 3); break;
    case 3: w->view.list_limit = pick(w, 2) ? 8 : 5; break;
  }
  hm_buf_clear(&w->known);   /* a record is used only with the same inputs besides the store */
  hm_arena_free(w->sink.a);
  w->sink = (sink){ 0 };
}

/* Fewer under a sanitizer, where a site takes ten times as long. */
static int steps(void) {
  const char *n = getenv("HM_STEPS");
  return n ? atoi(n) : thorough() ? STEPS : STEPS / 10;
}

static void run(world *w, bool looks) {
  static const size_t file_max[] = { 0, 2000, 20000 };
  change_facts(w, 2 * IDS);
  for (w->step = 0; w->step < steps(); w->step++) {
    if (looks && pick(w, 12) == 0) change_look(w);
    else change_facts(w, pick(w, 8) ? 1 + pick(w, 2) : pick(w, 25));
    if (w->n_parts) w->file_max = file_max[pick(w, 3)];
    publish(w, pick(w, 8) == 0);
  }
}

/* --- tests ---------------------------------------------------------------------------------- */

static void small_sites(void **state) {
  world *w = *state;
  run(w, false);
  assert_true(w->skipped > w->made);
}

static void sites_of_references(void **state) {
  world *w = *state;
  w->refers = true;
  run(w, false);
  assert_true(w->skipped > 0);
}

/* Lists become indexes of parts, and are whole again. */
static void sites_with_parts(void **state) {
  world *w = *state;
  w->n_statics = STATICS;
  w->n_parts = 1;
  run(w, false);
  assert_true(w->skipped > w->made);
  assert_true(w->n_parts > 1); /* some were there: how many, a seed in a thousand makes few */
}

static void sites_of_other_looks(void **state) {
  world *w = *state;
  run(w, true);
  assert_true(w->skipped > 0);
}

static void put_side(hm_buf *b, const char *id, unsigned slot, unsigned side, unsigned project,
                     unsigned value) {
  hm_buf_fmt(
      b,
      "{\"kind\":\"project_state\",\"id\":\"%s%u-%u\",\"project\":\"p%u\",\"category\":\"fact\",\"key\":\"%s%03u\",\"value\":\"%u kg\"}\n",
      id, slot, side, project, id, slot, value);
}

/* Data files of a project that the sink has now. */
static unsigned data_of(world *w, const char *project) {
  hm_str begin = hm_str_fmt(w->a, "data/%s/", project);
  unsigned n = 0;
  for (size_t i = 0; i < w->sink.at.cap; i++) {
    hm_str path = w->sink.at.keys[i];
    n += path.n && hm_str_starts(path, begin.p) && hm_str_ends(path, ".jsonl");
  }
  return n;
}

static void nothing_changed(void **state) {
  world *w = *state;
  w->n_statics = STATICS;
  change_facts(w, 3 * IDS);
  publish(w, false);
  for (int i = 0; i < 3; i++) publish(w, i == 1);
  assert_true(w->skipped > 0);
  assert_int_equal(w->made, 3);   /* 404.html each time */
  assert_int_equal(w->data_made, 0);
  assert_true(w->data_skipped > 3 * PROJECTS);
  hm_buf b = { 0 };
  put_side(&b, "one", 1, 1, PROJECTS + 1, 7);   /* a list in which there is room */
  hm_buf_fmt(&b,
             "{\"kind\":\"memory\",\"id\":\"x\",\"memory_type\":\"episodic\",\"content\":\"x\",\"project\":\"p%d\"}\n",
             PROJECTS + 1);
  help_import(w->store, hm_buf_view(&b));
  publish(w, false);
  hm_buf_clear(&b);
  w->data_made = 0;
  put_side(&b, "one", 2, 1, PROJECTS + 1, 7);
  help_import(w->store, hm_buf_view(&b));
  publish(w, false);
  assert_int_equal(w->data_made, 1);   /* of the list in which it stands, and of no other */
  assert_int_equal(data_of(w, "p10"), 3);
  hm_buf_free(&b);
}

/* conflicts.json in more than one piece: slots become disputed, are so no more, and come anew
 * between others and at the end. */
static void many_conflicts(void **state) {
  world *w = *state;
  hm_buf b = { 0 };
  for (unsigned slot = 0; slot < 600; slot += 3)
    for (unsigned side = 0; side < 2; side++) put_side(&b, "c", slot, side, slot / 3 % 2, side);
  help_import(w->store, hm_buf_view(&b));
  for (w->step = 0; w->step < steps(); w->step++) {
    unsigned slot = pick(w, 600);
    hm_buf_clear(&b);
    if (w->step % 2) put_side(&b, "c", slot, pick(w, 2), slot / 3 % 2, pick(w, 3));
    else
      for (unsigned side = 0; side < 2; side++) put_side(&b, "z", (unsigned)w->step, side, 1, side);
    help_import(w->store, hm_buf_view(&b));
    publish(w, pick(w, 8) == 0);
  }
  hm_buf_free(&b);
  assert_true(w->skipped > w->made);
}

static void dispute(world *w, unsigned from, unsigned to, unsigned project) {
  hm_buf b = { 0 };
  for (unsigned slot = from; slot < to; slot++)
    for (unsigned side = 0; side < 2; side++) put_side(&b, "c", slot, side, project, side);
  help_import(w->store, hm_buf_view(&b));
  hm_buf_free(&b);
  publish(w, false);
}

/* What a piece says depends on where it stands, and on which of a project's conflicts are in it. */
static void pieces_that_move(void **state) {
  world *w = *state;
  hm_buf b = { 0 };
  for (unsigned p = 0; p < 3; p++) hm_buf_fmt(&b, "{\"kind\":\"project\",\"id\":\"p%u\"}\n", p);
  help_import(w->store, hm_buf_view(&b));
  hm_buf_free(&b);
  dispute(w, 100, 228, 1);   /* two whole pieces */
  dispute(w, 300, 301, 1);
  dispute(w, 301, 428, 1);
  dispute(w, 500, 501, 2);   /* behind them */
  dispute(w, 0, 1, 0);       /* before them */
  dispute(w, 501, 502, 2);
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
  const struct CMUnitTest tests[] = {
    T(small_sites),    T(sites_of_references), T(sites_with_parts), T(sites_of_other_looks),
    T(many_conflicts), T(pieces_that_move),    T(nothing_changed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
