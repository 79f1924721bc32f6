/* A store that is followed says what one that is read anew says, whoever wrote. */
#include "core/store/follow.h"
#include "core/store/sql.h"
#include "tests/unit/core_base_prng.h"
#include "tests/unit/core_store_help.h"
#include <time.h>

typedef struct { hm_follow *f; hm_snapshot now; hm_follow_news news; unsigned clock; } follower;

/* Each commit of ours has a time of its own. */
static void write_lines(world *w, follower *x, const char *lines) {
  char at[40];
  snprintf(at, sizeof at, "2026-05-01T00:00:00.%06uZ", ++x->clock);
  hm_import_options opt = { .name = "f", .who = { HM_STR("tester"), hm_str_c(at) } };
  FILE *in = fmemopen((void *)(uintptr_t)lines, strlen(lines), "r");
  ok(w, hm_import(w->s, in, &opt, &w->n, &w->err));
  fclose(in);
}

static void run_sweep(world *w) {
  hm_sweep_run run = { .started_at = HM_STR("2026-05-01T00:00:00Z"), .finished_at = HM_STR("2026-05-01T00:00:00Z") };
  ok(w, hm_store_begin(w->s, true, &w->err));
  ok(w, hm_store_put_run(w->s, &run, &w->err));
  ok(w, hm_store_commit(w->s, &w->err));
}

static void assert_same_str(hm_str a, hm_str b) {
  if (!hm_str_eq(a, b)) fail_msg("\"%.*s\" is not \"%.*s\"", HM_FMT(a), HM_FMT(b));
}

static void assert_same(const hm_snapshot *a, const hm_snapshot *b) {
  assert_int_equal(a->n_rows, b->n_rows);
  assert_memory_equal(a->first + 1, b->first + 1, 5 * sizeof *a->first);
  assert_int_equal(a->n_projects, b->n_projects);
  for (size_t i = 0; i < b->n_rows; i++) {
    assert_same_str(a->rows[i].id, b->rows[i].id);
    assert_int_equal(a->rows[i].project, b->rows[i].project);
    assert_int_equal(hm_snapshot_row(a, b->rows[i].layer, b->rows[i].id), i);
  }
  assert_same_str(a->newest, b->newest);
  assert_int_equal(a->n_links, b->n_links);
  assert_int_equal(a->n_conflicts, b->n_conflicts);
  assert_same_str(a->digest, b->digest);
}

static void look(world *w, follower *x) {
  hm_snapshot *anew = snapshot(w, true);
  ok(w, hm_follow_read(x->f, w->s, &x->now, &x->news, &w->err));
  assert_same(&x->now, anew);
  hm_snapshot_hash_rows(&x->now, 7, 1);
  hm_snapshot_hash_rows(anew, 7, 2);
  assert_memory_equal(x->now.sums->hashes, anew->sums->hashes, anew->n_rows * sizeof *anew->sums->hashes);
}

static bool is_new(const hm_follow_news *n, uint32_t row) {
  bool yes = n->all;
  for (size_t i = 0; i < n->n_updated; i++) yes |= n->updated[i] == row;
  for (size_t i = 0; i < n->n_inserted; i++) yes |= n->inserted[i] == row;
  return yes;
}

#define STATE(id, key, value) "{\"kind\":\"project_state\",\"id\":\"" id "\",\"project\":\"p\",\"category\":\"fact\",\"key\":\"" key \
                              "\",\"value\":\"" value "\",\"created_at\":\"2026-01-01T00:00:00Z\"}\n"
#define ENTITY(id, name) "{\"kind\":\"entity\",\"id\":\"" id "\",\"project\":\"p\",\"entity_type\":\"Part\",\"name\":\"" name "\"}\n"

/* Nothing here is about what a crash leaves. */
static void create_quickly(world *w) {
  create(w);
  ok(w, hm_sql_exec(w->s, "PRAGMA synchronous = OFF", &w->err));
}

static void begin_with(world *w, follower *x, const char *lines) {
  create_quickly(w);
  *x = (follower){ .f = hm_follow_new() };
  write_lines(w, x, lines);
  look(w, x);
  assert_true(x->news.all);
}

static void our_own_writes_are_read_one_by_one(void **state) {
  world *w = *state;
  follower x;
  begin_with(w, &x, STATE("s2", "a", "1") STATE("s4", "b", "2") ENTITY("e1", "Lens"));
  look(w, &x);
  assert_false(x.news.all || x.news.n_updated || x.news.n_inserted);
  write_lines(w, &x, STATE("s4", "b", "3"));
  look(w, &x);
  assert_false(x.news.all || x.news.names);
  assert_int_equal(x.news.n_updated, 1);
  assert_true(is_new(&x.news, hm_snapshot_row(&x.now, HM_STATE, HM_STR("s4"))));
  assert_str(x.now.rows[x.news.updated[0]].text, "3");
  write_lines(w, &x, STATE("s1", "c", "1") STATE("s3", "d", "1") STATE("s5", "e", "1") STATE("s2", "a", "9") ENTITY("e0", "Mount"));
  look(w, &x);
  assert_false(x.news.all);
  assert_true(x.news.names);
  assert_int_equal(x.news.n_updated, 1);
  assert_int_equal(x.news.n_inserted, 4);
  assert_str(x.now.rows[x.news.updated[0]].id, "s2");
  run_sweep(w);
  write_lines(w, &x, ENTITY("e1", "Window"));
  run_sweep(w);
  look(w, &x);
  assert_false(x.news.all);
  assert_true(x.news.names);
  write_lines(w, &x, "{\"kind\":\"entity\",\"id\":\"e1\",\"description\":\"of glass\"}\n");
  look(w, &x);
  assert_false(x.news.all || x.news.names);
  hm_follow_free(x.f);
}

static void what_others_write_makes_all_be_read(void **state) {
  static const char *const writes[] = {
    "UPDATE project_state SET value = '7' WHERE id = 's2'", "INSERT INTO relations (id, type, project, from_id, to_id) VALUES ('r', 'part_of', 'p', 'e1', 'e1')",
    "DELETE FROM project_state WHERE id = 's4'", "INSERT INTO links (src, dst) VALUES ('entity:e1', 'memory:m')",
    "INSERT INTO projects (id, name) VALUES ('p', 'The project')", "INSERT INTO project_aliases VALUES ('q', 'p')",
    "INSERT INTO conflicts (id, slot_key) VALUES ('c0123456789ab', '[\"p\",\"a\"]')",
  };
  world *w = *state;
  follower x;
  begin_with(w, &x, STATE("s2", "a", "1") STATE("s4", "b", "2") ENTITY("e1", "Lens"));
  for (size_t i = 0; i < sizeof writes / sizeof *writes; i++)
    for (int ours = 0; ours < 3; ours++) {
      if (ours == 1) write_lines(w, &x, i % 2 ? STATE("s2", "a", "2") : STATE("s2", "a", "3"));
      if (ours != 2 || i == 0) sql(w, ours ? "UPDATE project_state SET value = value || '+' WHERE id = 's2'" : writes[i]);
      if (ours == 2) run_sweep(w);
      look(w, &x);
      assert_true(x.news.all || (ours == 2 && i));
    }
  hm_follow_free(x.f);
}

static void what_is_more_than_rows_makes_all_be_read(void **state) {
  static const char *const lines[] = {
    "{\"kind\":\"link\",\"src\":\"entity:e1\",\"dst\":\"project_state:s2\",\"rel\":\"related\"}\n",
    "{\"kind\":\"project\",\"id\":\"p\",\"name\":\"The project\"}\n",
    "{\"kind\":\"project\",\"id\":\"p\",\"aliases\":[\"p05\"]}\n",
    "{\"kind\":\"project_state\",\"id\":\"s2\",\"project\":\"another\"}\n",
    "{\"kind\":\"project_state\",\"id\":\"s9\",\"project\":\"a third\",\"category\":\"c\",\"key\":\"k\",\"value\":\"v\"}\n",
  };
  world *w = *state;
  follower x;
  begin_with(w, &x, STATE("s2", "a", "1") STATE("s4", "b", "2") ENTITY("e1", "Lens"));
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    write_lines(w, &x, lines[i]);
    look(w, &x);
    assert_true(x.news.all);
  }
  write_lines(w, &x, "{\"kind\":\"project_state\",\"id\":\"s4\",\"value\":\"by its alias\",\"project\":\"p05\"}\n");
  look(w, &x);
  assert_false(x.news.all);
  hm_follow_free(x.f);
}

/* Another file in its place, whose counter stands where it stood, and a WAL, whose commits nobody counts. */
static void another_file_and_a_wal(void **state) {
  world *w = *state;
  follower x;
  char cmd[300], copy[128];
  begin_with(w, &x, STATE("s2", "a", "1"));
  snprintf(copy, sizeof copy, "%s/copy.db", w->dir);
  snprintf(cmd, sizeof cmd, "cp %s %s", w->path, copy);
  assert_int_equal(system(cmd), 0);
  write_lines(w, &x, STATE("s2", "a", "2"));
  look(w, &x);
  hm_store_close(w->s);
  w->s = NULL;
  assert_int_equal(rename(copy, w->path), 0);
  open_mode(w, HM_STORE_WRITE);
  look(w, &x);
  assert_true(x.news.all);
  sql(w, "PRAGMA journal_mode = WAL");
  for (int i = 0; i < 3; i++) {
    write_lines(w, &x, i % 2 ? STATE("s2", "a", "5") : STATE("s2", "a", "6"));
    look(w, &x);
    assert_true(x.news.all);
  }
  hm_follow_free(x.f);
}

/* As many commits as there are times in the journal, but who wrote the lines did not know how. */
static void a_line_that_is_made_up(void **state) {
  world *w = *state;
  follower x;
  begin_with(w, &x, STATE("s1", "a", "1") STATE("s2", "b", "1"));
  sql(w, "BEGIN; UPDATE project_state SET value = 'unseen' WHERE id = 's1';"
         "INSERT INTO journal (seq, at, actor, verb, ref, after, hash) SELECT max(seq) + 1, '2026-06-01', 'x', 'edit', 'project_state:s2', '{}', hash FROM journal;"
         "COMMIT");
  look(w, &x);
  assert_true(x.news.all);
  write_lines(w, &x, STATE("s2", "b", "2"));   /* the chain goes on from what is there */
  look(w, &x);
  assert_false(x.news.all);
  hm_follow_free(x.f);
}

/* A run of ours alone is no news; what anybody wrote besides is. */
static void a_run_is_settled(void **state) {
  world *w = *state;
  follower x;
  begin_with(w, &x, STATE("s1", "a", "1") STATE("s2", "b", "1"));
  run_sweep(w);
  hm_follow_settle(x.f, w->s);
  look(w, &x);
  assert_false(x.news.all || x.news.n_updated);
  for (int ours = 0; ours < 2; ours++) {
    run_sweep(w);
    if (ours) write_lines(w, &x, STATE("s1", "a", "by us"));
    else sql(w, "UPDATE project_state SET value = 'by another' WHERE id = 's1'");
    hm_follow_settle(x.f, w->s);
    look(w, &x);
    assert_true(x.news.all || (ours && x.news.n_updated == 1));
  }
  sql(w, "UPDATE project_state SET value = 'by another' WHERE id = 's2'");
  hm_follow_settle(x.f, w->s);   /* one commit, and no run */
  look(w, &x);
  assert_true(x.news.all);
  hm_follow_free(x.f);
}

/* The newest time goes when the row that has it is given another. */
static void the_newest_time(void **state) {
  world *w = *state;
  follower x;
  begin_with(w, &x, STATE("s1", "a", "1") STATE("s2", "b", "1"));
  write_lines(w, &x, "{\"kind\":\"project_state\",\"id\":\"s1\",\"updated_at\":\"2027-01-01T00:00:00Z\"}\n");
  look(w, &x);
  assert_str(x.now.newest, "2027-01-01T00:00:00Z");
  write_lines(w, &x, "{\"kind\":\"project_state\",\"id\":\"s1\",\"updated_at\":\"2026-01-02T00:00:00Z\"}\n");
  look(w, &x);
  assert_false(x.news.all);
  assert_str(x.now.newest, "2026-01-02T00:00:00Z");
  hm_follow_free(x.f);
}

/* Once. */
static int stop(void *left) { return --*(int *)left == -1; }

/* Wherever a look is broken off, the next one says what is there. */
static void a_look_that_is_broken_off_anywhere(void **state) {
  world *w = *state;
  follower x;
  int broken = 0, row = 0;
  begin_with(w, &x, STATE("s2", "a", "1") STATE("s4", "b", "2") ENTITY("e1", "Lens") "{\"kind\":\"project\",\"id\":\"p\",\"aliases\":[\"p05\"]}\n");
  for (int steps = 0, rc = -1; rc; steps++) {
    write_lines(w, &x, hm_str_fmt(w->a, STATE("s2", "a", "%d") ENTITY("e%03d", "New") "%s", steps, row++,
                                  steps % 3 ? "" : "{\"kind\":\"project\",\"id\":\"p\",\"name\":\"The project\"}\n").p);
    int left = steps / 3 * 4;
    sqlite3_progress_handler(w->s->db, 1, stop, &left);
    rc = hm_follow_read(x.f, w->s, &x.now, &x.news, &w->err);
    sqlite3_progress_handler(w->s->db, 0, NULL, NULL);
    broken += rc != 0;
    look(w, &x);
    if (rc) assert_true(x.news.all || (x.news.n_inserted == 1 && x.news.n_updated == 1));
  }
  assert_in_range(broken, 100, 100000);
  hm_follow_free(x.f);
}

/* --- what it costs ---------------------------------------------------------------- */

/* So many rows "s00000"... at once, or one of them. */
static void write_states(world *w, follower *x, size_t from, size_t n, hm_str value) {
  hm_buf b = { 0 };
  for (size_t i = from; i < from + n; i++)
    hm_buf_fmt(&b, "{\"kind\":\"project_state\",\"id\":\"s%05zu\",\"project\":\"p\",\"category\":\"c\",\"key\":\"k%zu\",\"value\":\"%.*s\"}\n",
               i, i, HM_FMT(value));
  hm_buf_add(&b, "", 1);
  write_lines(w, x, b.p);
  hm_buf_free(&b);
}

static void read_on(world *w, follower *x) {
  ok(w, hm_follow_read(x->f, w->s, &x->now, &x->news, &w->err));
}

/* A row that changes leaves what it said, and no more; and of that so much at most. */
static void it_does_not_grow(void **state) {
  enum { TURNS = 500, LONG = 128 << 10, LONG_TURNS = 200 };
  world *w = *state;
  follower x = { .f = hm_follow_new() };
  char *text = hm_alloc(w->a, LONG);
  create_quickly(w);
  write_states(w, &x, 0, 1000, HM_STR("0"));
  read_on(w, &x);
  size_t before = hm_follow_held(x.f), limit = before / 4 + (8 << 20) + (12 << 20);
  for (size_t i = 0; i < TURNS; i++) {
    write_states(w, &x, i % 1000, 1, hm_str_fmt(w->a, "%zu", i + 1));
    read_on(w, &x);
    assert_false(x.news.all);
  }
  assert_in_range(hm_follow_held(x.f), before, before + TURNS * 1000);
  memset(text, 'x', LONG);
  for (size_t i = 0; i < LONG_TURNS; i++) {
    text[0] = (char)('a' + i % 26);
    write_states(w, &x, 7, 1, (hm_str){ text, LONG });
    read_on(w, &x);
    assert_in_range(hm_follow_held(x.f), 0, before + limit);
  }
  look(w, &x);
  hm_follow_free(x.f);
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Many rows that changed together cost what they are, not as much as their neighbours each time. */
static void many_rows_at_once(void **state) {
  enum { ROWS = 8000, CHANGED = 1000 };
  world *w = *state;
  follower x = { .f = hm_follow_new() };
  create_quickly(w);
  write_states(w, &x, 0, ROWS, HM_STR("0"));
  double began = seconds();
  read_on(w, &x);
  double all = seconds() - began;
  write_states(w, &x, 100, CHANGED, HM_STR("1"));
  began = seconds();
  read_on(w, &x);
  double some = seconds() - began;
  assert_false(x.news.all);
  assert_int_equal(x.news.n_updated, CHANGED);
  if (some > 4 * all + 0.02) fail_msg("%d of %d rows in %.3f s, all in %.3f s", CHANGED, ROWS, some, all);
  look(w, &x);
  hm_follow_free(x.f);
}

/* An id between those of write_states; of one in four the hash ends in ten zeros, as that of rows with which chunks begin. */
static void id_between(uint64_t *seed, char *out, size_t cap) {
  bool begins = prng(seed) % 4 == 0;
  do snprintf(out, cap, "s%05u-%u", (unsigned)(prng(seed) % 6000), (unsigned)(prng(seed) % 10000));
  while (begins && hm_str_hash(hm_str_c(out)) % 1024);
}

/* Rows that come before, after and among the others. */
static void rows_come_in_between(void **state) {
  world *w = *state;
  follower x = { .f = hm_follow_new() };
  uint64_t seed = 9;
  unsigned apart = 0;
  create_quickly(w);
  write_states(w, &x, 100, 5000, HM_STR("0"));
  look(w, &x);
  for (int i = 0; i < 40; i++) {
    hm_buf b = { 0 };
    char id[40];
    for (uint64_t n = prng(&seed) % 12; n < 12; n++) {
      id_between(&seed, id, sizeof id);
      hm_buf_fmt(&b, "{\"kind\":\"project_state\",\"id\":\"%s\",\"project\":\"p\",\"category\":\"c\",\"key\":\"k\",\"value\":\"v\"}\n", id);
    }
    hm_buf_add(&b, "", 1);
    write_lines(w, &x, b.p);
    hm_buf_free(&b);
    if (i % 3) write_states(w, &x, 100 + prng(&seed) % 4900, 1 + prng(&seed) % 9, hm_str_fmt(w->a, "%d", i + 1));
    look(w, &x);
    apart += !x.news.all;
  }
  assert_true(apart > 30);
  hm_follow_free(x.f);
}

/* --- anything, in any order ----------------------------------------------------- */

static const char *const kinds[] = { "memory", "entity", "project_state", "relation" };

static size_t random_line(uint64_t *seed, char *out, size_t cap) {
  unsigned kind = (unsigned)(prng(seed) % 4), id = (unsigned)(prng(seed) % 60), project = (unsigned)(prng(seed) % 40);
  static const char *const fields[] = { "\"content\":\"x is %u\"", "\"name\":\"n%u\"", "\"value\":\"%u\",\"category\":\"c\",\"key\":\"k\"",
                                        "\"from_id\":\"e1\",\"to_id\":\"e%u\"" };
  static const char *const types[] = { "\"memory_type\":\"knowledge\",", "\"entity_type\":\"Part\",", "", "\"type\":\"part_of\"," };
  char field[80];
  snprintf(field, sizeof field, fields[kind], (unsigned)(prng(seed) % 9));
  if (prng(seed) % 8 == 0)
    return (size_t)snprintf(out, cap, "{\"kind\":\"conflict\",\"id\":\"c%012u\",\"slot_key\":[\"p%u\",\"k%u\"],\"project\":\"p%u\",\"status\":\"%s\",%s"
                            "\"detected_at\":\"2026\",\"members\":[{\"member_kind\":\"memory\",\"member_id\":\"m%u\",\"field\":\"content\",\"value\":\"%u\"}]}\n",
                            id, id % 3, id, id % 3, project % 2 ? "dismissed" : "open", project % 2 ? "\"resolved_at\":\"2026-07-01T00:00:00Z\"," : "", project, project);
  if (prng(seed) % 50 == 0) return (size_t)snprintf(out, cap, "{\"kind\":\"project\",\"id\":\"p%u\",\"name\":\"N%u\"}\n", project % 3, id);
  return (size_t)snprintf(out, cap, "{\"kind\":\"%s\",\"id\":\"%c%u\",\"project\":\"p%u\",%s%s}\n", kinds[kind], kinds[kind][0], id,
                          project ? id % 3 : 3, types[kind], field);
}

static void write_something(world *w, follower *x, uint64_t *seed) {
  char lines[4000] = "", text[200];
  size_t n = 0, count = 1 + prng(seed) % 6;
  for (size_t i = 0; i < count; i++) {
    char one[400];
    size_t k = random_line(seed, one, sizeof one), from = 7;
    if (!strstr(lines, hm_str_dup(w->a, hm_str_sub(hm_str_c(one), from, 40)).p)) memcpy(lines + n, one, k + 1), n += k;
  }
  unsigned what = (unsigned)(prng(seed) % 20);
  snprintf(text, sizeof text, what % 2 ? "DELETE FROM memories WHERE id = 'm%u'" : "UPDATE entities SET name = 'x%u'", (unsigned)(prng(seed) % 60));
  if (what < 2) sql(w, text);
  else if (what < 4) run_sweep(w);
  else if (n) {
    char at[40];
    snprintf(at, sizeof at, "2026-05-01T00:00:00.%06uZ", ++x->clock);
    hm_import_options opt = { .name = "f", .keep_going = true, .who = { HM_STR("tester"), hm_str_c(at) } };
    FILE *in = fmemopen(lines, n, "r");
    hm_import(w->s, in, &opt, &w->n, &w->err);
    fclose(in);
  }
}

static void whatever_is_written(void **state) {
  world *w = *state;
  follower x;
  uint64_t seed = 20261121;
  unsigned in_parts = 0;
  begin_with(w, &x, STATE("p1", "a", "1"));
  for (int i = 0; i < 600; i++) {
    for (uint64_t k = prng(&seed) % 3; k < 3; k++) write_something(w, &x, &seed);
    look(w, &x);
    in_parts += !x.news.all;
  }
  assert_in_range(x.now.n_conflicts, 20, 60);
  assert_in_range(in_parts, 200, 590);
  hm_follow_free(x.f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(our_own_writes_are_read_one_by_one, begin, end),
    cmocka_unit_test_setup_teardown(what_others_write_makes_all_be_read, begin, end),
    cmocka_unit_test_setup_teardown(what_is_more_than_rows_makes_all_be_read, begin, end),
    cmocka_unit_test_setup_teardown(another_file_and_a_wal, begin, end),
    cmocka_unit_test_setup_teardown(a_line_that_is_made_up, begin, end),
    cmocka_unit_test_setup_teardown(a_run_is_settled, begin, end),
    cmocka_unit_test_setup_teardown(the_newest_time, begin, end),
    cmocka_unit_test_setup_teardown(a_look_that_is_broken_off_anywhere, begin, end),
    cmocka_unit_test_setup_teardown(it_does_not_grow, begin, end),
    cmocka_unit_test_setup_teardown(many_rows_at_once, begin, end),
    cmocka_unit_test_setup_teardown(rows_come_in_between, begin, end),
    cmocka_unit_test_setup_teardown(whatever_is_written, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
