/* A view that was left something by those before it shows what one that begins with nothing shows. */
#include "tests/unit/core_base_prng.h"
#include "tests/unit/gen_page_help.h"

enum { SEED = 77 };

typedef struct {
  char path[64];
  hm_store *store;
  hm_templates *templates;
  hm_arena *of_templates;
  hm_sweep_keep *sweeps;
  hm_view_keep *views;
  hm_view_options opt;
  unsigned again, with_refs, whole;   /* how views were made */
  unsigned imports;
} world;

static int set_up(void **state) {
  world *w = calloc(1, sizeof *w);
  hm_err err;
  strcpy(w->path, "/tmp/hm-page-keep-XXXXXX");
  close(mkstemp(w->path));
  unlink(w->path);
  w->of_templates = hm_arena_new();
  w->templates = help_templates(w->of_templates);
  w->sweeps = hm_sweep_keep_new();
  w->views = hm_view_keep_new();
  w->opt = (hm_view_options){ .list_limit = 4, .value_limit = 60, .tool = HM_STR("test") };
  *state = w;
  return hm_store_open(&w->store, w->path, HM_STORE_CREATE, 1000, &err);
}

static int tear_down(void **state) {
  world *w = *state;
  hm_view_keep_free(w->views);
  hm_sweep_keep_free(w->sweeps);
  hm_templates_free(w->templates);
  hm_arena_free(w->of_templates);
  hm_store_close(w->store);
  unlink(w->path);
  free(w);
  return 0;
}

/* --- one view, whole ------------------------------------------------------------- */

static void sweep(world *w, hm_sweep_keep *keep, help_site *s) {
  hm_err err = { 0 };
  hm_sweep_options so = { .rules = hm_rules_default(), .threads = 2, .details = true, .keep = keep };
  s->sweep = hm_alloc(s->a, sizeof *s->sweep);
  if (hm_sweep_run_all(w->store, &so, s->a, s->sweep, &err)) fail_msg("%s: %s", err.what, err.why);
}

static help_site look(world *w, hm_sweep_keep *sweeps, hm_view_keep *views) {
  help_site s = { .a = hm_arena_new(), .templates = w->templates };
  hm_err err = { 0 };
  sweep(w, sweeps, &s);
  if (hm_view_again(views, s.sweep, hm_rules_default(), &w->opt, s.a, &s.view, &err)) fail_msg("%s: %s", err.what, err.why);
  if (hm_pages_of(s.view, NULL, s.a, &s.pages, &err)) fail_msg("%s: %s", err.what, err.why);
  return s;
}

static void done(help_site *s) {
  hm_sweep_free(s->sweep);
  hm_arena_free(s->a);
}

static void note_how(world *w, const hm_view *v) {
  const hm_again *again = hm_view_made_again(v);
  w->whole += again->all;
  w->with_refs += !again->all && again->refs;
  w->again += !again->all && !again->refs && again->n > 0;
}

static void same_view(world *w, bool ask_inputs) {
  help_site kept = look(w, w->sweeps, w->views), anew = look(w, NULL, NULL);
  note_how(w, kept.view);
  hm_str x = help_everything(&kept), y = help_everything(&anew);
  size_t at = 0;
  while (at < x.n && at < y.n && x.p[at] == y.p[at]) at++;
  if (!hm_str_eq(x, y)) fail_msg("kept:\n%.*s\nanew:\n%.*s\n", HM_FMT(hm_str_sub(x, at > 200 ? at - 200 : 0, at + 200)), HM_FMT(hm_str_sub(y, at > 200 ? at - 200 : 0, at + 200)));
  if (ask_inputs) {
    hm_hash128 *of_kept = hm_page_inputs(kept.view, SEED, 2, kept.a), *of_anew = hm_page_inputs(anew.view, SEED, 2, anew.a);
    assert_int_equal(kept.view->n_projects, anew.view->n_projects);
    assert_memory_equal(of_kept, of_anew, kept.view->n_projects * sizeof *of_kept);
  }
  done(&kept);
  done(&anew);
}

/* --- facts ------------------------------------------------------------------------- */

static const char *pick(uint64_t *seed, const char *const *of, size_t n) { return of[prng(seed) % n]; }
#define PICK(seed, ...) pick(seed, (const char *const[]){ __VA_ARGS__ }, sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

static const char *an_id(uint64_t *seed, char *out, const char *kind, unsigned most) {
  unsigned n = (unsigned)(prng(seed) % most);
  sprintf(out, n % 7 == 6 ? "%s %u" : n % 7 == 5 ? "%s-%u" : "%s%u", kind, n % 7 == 5 ? n + 1 : n);   /* some fold to others */
  return out;
}

static const char *status(uint64_t *seed) { return PICK(seed, "active", "active", "active", "active", "superseded", "invalid", "candidate"); }

static const char long_text[] = "a text that is longer than pages of these views show, and so stands in a file of its own";

typedef struct { uint64_t seed; unsigned projects, ids; bool refs; } maker;

/* Seldom does a row go to another. */
static unsigned a_project(maker *m, const char *id) {
  unsigned sum = 0;
  for (const char *p = id; *p; p++) sum = 3 * sum + (unsigned char)*p;
  return (prng(&m->seed) % 40 ? sum : (unsigned)prng(&m->seed)) % m->projects;
}

static void reference(maker *m, char *out, const char *key) {
  char id[32];
  *out = 0;
  if (m->refs && prng(&m->seed) % 4 == 0) sprintf(out, ",\"%s\":\"%s%s\"", key, PICK(&m->seed, "", "", "memory:", "entity:"), an_id(&m->seed, id, PICK(&m->seed, "m", "e"), m->ids));
}

static void a_memory(maker *m, char *out) {
  char id[32], by[80], to[80];
  uint64_t *s = &m->seed;
  reference(m, by, "superseded_by");
  reference(m, to, "graduated_to");
  an_id(s, id, "m", m->ids);
  sprintf(out, "{\"kind\":\"memory\",\"id\":\"%s\",\"memory_type\":\"%s\",\"project\":\"p%u\",\"status\":\"%s\",\"content\":\"slot %u is %u kg%s\",\"created_at\":\"20%u-04-02\"%s%s}\n",
          id, PICK(s, "knowledge", "preference", "episodic"), a_project(m, id), status(s), (unsigned)(prng(s) % 4),
          (unsigned)(prng(s) % 3), prng(s) % 20 ? "" : long_text, 24 + (unsigned)(prng(s) % 2), by, to);
}

static void an_entity(maker *m, char *out) {
  char id[32], ref[32], by[80], prop[120] = "";
  uint64_t *s = &m->seed;
  unsigned slot = (unsigned)(prng(s) % 4);
  reference(m, by, "superseded_by");
  if (m->refs && prng(s) % 3 == 0) sprintf(prop, ",\"%s\":\"%s\"", PICK(s, "subsystem", "part_of", "uses"), prng(s) % 2 ? an_id(s, ref, "e", m->ids) : PICK(s, "part 1", "part 2"));
  const char *type = m->refs ? PICK(s, "Parameter", "Subsystem", "Component", "Decision", "own_type", "OwnType") : PICK(s, "Parameter", "Decision", "own_type");
  an_id(s, id, "e", m->ids);
  sprintf(out, "{\"kind\":\"entity\",\"id\":\"%s\",\"entity_type\":\"%s\",\"project\":\"p%u\",\"status\":\"%s\",\"name\":\"part %u\","
               "\"properties\":{\"parameter_scope\":\"x\",\"parameter\":\"slot %u\",\"decision_target\":\"slot\",\"decision_field\":\"%u\",\"value\":\"%u kg\"%s}%s}\n",
          id, type, a_project(m, id), status(s), slot, slot, slot, (unsigned)(prng(s) % 3), prop, by);
}

static void a_state(maker *m, char *out) {
  char id[32];
  uint64_t *s = &m->seed;
  an_id(s, id, "s", m->ids);
  sprintf(out, "{\"kind\":\"project_state\",\"id\":\"%s\",\"project\":\"p%u\",\"status\":\"%s\",\"category\":\"%s\",\"key\":\"slot %u\",\"value\":\"%u kg\"}\n",
          id, a_project(m, id), status(s), PICK(s, "fact", "decision"), (unsigned)(prng(s) % 4), (unsigned)(prng(s) % 3));
}

static void a_relation(maker *m, char *out) {
  char id[32], from[32], to[32];
  uint64_t *s = &m->seed;
  sprintf(out, "{\"kind\":\"relation\",\"id\":\"%s\",\"type\":\"%s\",\"project\":\"%s\",\"status\":\"%s\",\"from\":\"%s\",\"to\":\"%s\"}\n", an_id(s, id, "r", m->ids),
          PICK(s, "PART_OF", "SUPERSEDES", "AFFECTS"), PICK(s, "", "p0", "p1"), status(s), an_id(s, from, "e", m->ids), an_id(s, to, "e", m->ids));
}

static void a_fact(maker *m, char *out) {
  static void (*const kinds[])(maker *, char *) = { a_memory, an_entity, a_state, a_memory, an_entity, a_state, a_relation };
  size_t n = sizeof kinds / sizeof *kinds;
  kinds[prng(&m->seed) % (m->refs ? n : n - 1)](m, out);
}

/* Each at a time of its own, as the clock has it: by that they are told apart. */
static void import(world *w, const char *lines) {
  hm_err err = { 0 };
  hm_import_counts n;
  hm_arena *a = hm_arena_new();
  hm_import_options opt = { .name = "test", .who = { HM_STR("test"), hm_str_fmt(a, "2026-05-01T%02u:%02u:%02uZ", w->imports / 3600, w->imports / 60 % 60, w->imports % 60) } };
  w->imports++;
  FILE *in = fmemopen((void *)(uintptr_t)lines, strlen(lines), "r");
  if (hm_import(w->store, in, &opt, &n, &err)) fail_msg("%s: %s", err.what, err.why);
  fclose(in);
  hm_arena_free(a);
}

static void some_facts(world *w, maker *m, uint64_t n) {
  char fact[800];
  for (; n; n--) {
    a_fact(m, fact);
    import(w, fact);
  }
}

/* --- rounds ------------------------------------------------------------------------ */

static void declare(world *w, unsigned projects) {
  char line[120];
  for (unsigned i = 0; i < projects; i++) {
    snprintf(line, sizeof line, "{\"kind\":\"project\",\"id\":\"p%u\",\"name\":\"%c project\"}\n", i, (char)('z' - i));
    import(w, line);
  }
}

/* Now and then a sweep is of no use to anybody, one view shows what the last one showed, and nobody asks what pages are made from. */
static void rounds(world *w, maker *m, int n) {
  for (int i = 0; i < n; i++) {
    some_facts(w, m, prng(&m->seed) % 4);
    if (prng(&m->seed) % 12 == 0) {
      help_site s = { .a = hm_arena_new() };
      sweep(w, w->sweeps, &s);
      done(&s);
      continue;
    }
    if (prng(&m->seed) % 40 == 0) w->opt.list_limit = 3 + prng(&m->seed) % 3;
    same_view(w, prng(&m->seed) % 5 != 0);
  }
}

static void rows_that_refer_to_nothing(void **state) {
  world *w = *state;
  maker m = { .seed = 3, .projects = 5, .ids = 60 };
  declare(w, m.projects);
  some_facts(w, &m, 60);
  rounds(w, &m, 400);
  assert_true(w->again > 100 && w->whole < 80);
}

static void rows_that_refer(void **state) {
  world *w = *state;
  maker m = { .seed = 4, .projects = 4, .ids = 25, .refs = true };
  declare(w, m.projects);
  some_facts(w, &m, 100);
  rounds(w, &m, 400);
  assert_true(w->with_refs > 100);
}

/* All references lead somewhere: rows come between those that refer to each other, and who is referred to comes and goes. */
static void rows_among_rows_that_refer(void **state) {
  world *w = *state;
  maker m = { .seed = 7, .projects = 3, .ids = 400 };
  char line[400];
  declare(w, m.projects);
  for (unsigned i = 0; i < 12; i++) {
    sprintf(line, "{\"kind\":\"entity\",\"id\":\"e%u\",\"entity_type\":\"%s\",\"project\":\"p%u\",\"name\":\"part %u\",\"properties\":{\"subsystem\":\"part 0\"}}\n", 30 * i, i ? "Decision" : "Subsystem", i / 2 % 3, i);
    import(w, line);
  }
  for (unsigned i = 0; i < 10; i++) {
    sprintf(line, "{\"kind\":\"relation\",\"id\":\"r%u\",\"type\":\"AFFECTS\",\"project\":\"p%u\",\"from\":\"e%u\",\"to\":\"e%u\"}\n", i, i % 3, 30 * i, 30 * i + 60);
    import(w, line);
  }
  for (int i = 0; i < 200; i++) {
    unsigned n = (unsigned)(prng(&m.seed) % 12);
    sprintf(line, "{\"kind\":\"entity\",\"id\":\"e%u\",\"entity_type\":\"%s\",\"project\":\"p%u\",\"name\":\"part %u\",\"status\":\"%s\",\"properties\":{}}\n", 30 * n,
            n ? "Decision" : "Subsystem", n / 2 % 3, n, PICK(&m.seed, "active", "candidate", "superseded"));
    if (prng(&m.seed) % 2) some_facts(w, &m, 1);
    else import(w, line);
    same_view(w, true);
  }
  assert_true(w->again > 60 && w->with_refs > 40);
}

/* A row takes the permalink that another project's row has. */
static void a_permalink_that_moves(void **state) {
  world *w = *state;
  declare(w, 3);
  import(w, "{\"kind\":\"memory\",\"id\":\"M6\",\"memory_type\":\"episodic\",\"project\":\"p0\",\"content\":\"a\"}\n");
  same_view(w, true);
  import(w, "{\"kind\":\"memory\",\"id\":\"m-7\",\"memory_type\":\"episodic\",\"project\":\"p1\",\"content\":\"b\"}\n");
  same_view(w, true);
  import(w, "{\"kind\":\"memory\",\"id\":\"m6\",\"memory_type\":\"episodic\",\"project\":\"p1\",\"content\":\"c\"}\n");
  same_view(w, true);
  assert_int_equal(w->again, 2);
}

/* A relation of no project stands with the row that it comes from, so that nothing is global until something else is. */
static void the_first_row_that_is_global(void **state) {
  world *w = *state;
  declare(w, 1);
  import(w, "{\"kind\":\"entity\",\"id\":\"e1\",\"entity_type\":\"Decision\",\"project\":\"p0\",\"name\":\"a\",\"properties\":{\"value\":\"1\"}}\n");
  import(w, "{\"kind\":\"relation\",\"id\":\"r1\",\"type\":\"AFFECTS\",\"from\":\"e1\",\"to\":\"e1\"}\n");
  same_view(w, true);
  import(w, "{\"kind\":\"entity\",\"id\":\"e2\",\"entity_type\":\"Decision\",\"name\":\"b\",\"properties\":{\"value\":\"1\"}}\n");
  same_view(w, true);
  assert_int_equal(w->whole, 2);
}

/* What is left out is left out of a view that goes on from one that showed it, and of the next. */
static void what_is_left_out(void **state) {
  world *w = *state;
  maker m = { .seed = 5, .projects = 4, .ids = 40 };
  const hm_str types[] = { HM_STR("Decision") };
  declare(w, m.projects);
  some_facts(w, &m, 60);
  for (int i = 0; i < 40; i++) {
    w->opt.exclude = i / 3 % 2 ? (hm_exclude){ .types = types, .n_types = 1 } : (hm_exclude){ 0 };
    some_facts(w, &m, 1);
    same_view(w, true);
  }
  assert_true(w->again > 8);
}

/* Neither does it grow for ever. */
static void memory_is_bounded(void **state) {
  world *w = *state;
  maker m = { .seed = 6, .projects = 3, .ids = 30 };
  declare(w, m.projects);
  some_facts(w, &m, 30);
  for (int i = 0; i < 3000; i++) {
    some_facts(w, &m, 1);
    help_site s = look(w, w->sweeps, w->views);
    note_how(w, s.view);
    done(&s);
  }
  assert_true(hm_view_keep_held(w->views) < 24 << 20);
  assert_true(w->again > 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(rows_that_refer_to_nothing, set_up, tear_down),
    cmocka_unit_test_setup_teardown(rows_that_refer, set_up, tear_down),
    cmocka_unit_test_setup_teardown(rows_among_rows_that_refer, set_up, tear_down),
    cmocka_unit_test_setup_teardown(a_permalink_that_moves, set_up, tear_down),
    cmocka_unit_test_setup_teardown(the_first_row_that_is_global, set_up, tear_down),
    cmocka_unit_test_setup_teardown(what_is_left_out, set_up, tear_down),
    cmocka_unit_test_setup_teardown(memory_is_bounded, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
