/* A snapshot is sorted and the same whatever the order of writing, however many threads read its
 * parts, and while others write. */
#include "tests/unit/core_store_help.h"
#include "tests/unit/core_base_prng.h"

static void shuffle(hm_str *lines, size_t n, uint64_t *seed) {
  for (size_t i = n; i > 1; i--) {
    size_t j = prng(seed) % i;
    hm_str x = lines[j];
    lines[j] = lines[i - 1];
    lines[i - 1] = x;
  }
}

static size_t make_lines(hm_str *lines, size_t n, hm_arena *a, uint64_t *seed) {
  static const char *const starts[] = { "",        "m",        "same-long-beginning-",
                                        "\\u0000", "\xc3\xa9", "same-long-beginning-\\u0000" };
  for (size_t i = 0; i < n; i++) {
    const char *start = starts[prng(seed) % 6];
    unsigned project = (unsigned)(prng(seed) % 5);
    switch (prng(seed) % 5) {
      case 0:
        lines[i] = hm_str_fmt(
            a,
            "{\"kind\":\"memory\",\"id\":\"%s%zu\",\"memory_type\":\"t%u\",\"content\":\"c\",\"project\":\"p%u\"}\n",
            start, i, project, project);
        break;
      case 1:
        lines[i] = hm_str_fmt(
            a,
            "{\"kind\":\"entity\",\"id\":\"%s%zu\",\"entity_type\":\"T\",\"name\":\"n\",\"project\":\"a%u\"}\n",
            start, i, project);
        break;
      case 2:
        lines[i] = hm_str_fmt(
            a, "{\"kind\":\"project_state\",\"id\":\"%s%zu\",\"key\":\"k\",\"value\":%zu}\n", start,
            i, i);
        break;
      case 3:
        lines[i] = hm_str_fmt(a, "{\"kind\":\"link\",\"src\":\"%s%zu\",\"dst\":\"d\"}\n", start, i);
        break;
      default:
        lines[i] =
            hm_str_fmt(a, "{\"kind\":\"project\",\"id\":\"p%zu\",\"aliases\":[\"a%zu\"]}\n", i, i);
        break;
    }
  }
  return n;
}

static hm_str join(const hm_str *lines, size_t n, hm_arena *a) {
  hm_buf b = { 0 };
  for (size_t i = 0; i < n; i++) hm_buf_str(&b, lines[i]);
  hm_str out = hm_buf_copy(&b, a);
  hm_buf_free(&b);
  return out;
}

static void check_sorted(const hm_snapshot *s) {
  for (size_t i = 1; i < s->n_rows; i++) {
    const hm_row *x = &s->rows[i - 1], *y = &s->rows[i];
    assert_true(x->layer < y->layer || (x->layer == y->layer && hm_str_cmp(x->id, y->id) < 0));
  }
  for (size_t i = 1; i < s->n_projects; i++)
    assert_true(hm_str_cmp(s->projects[i - 1].id, s->projects[i].id) < 0);
  for (size_t i = 0; i < s->n_rows; i++) {
    assert_int_equal(hm_snapshot_row(s, s->rows[i].layer, s->rows[i].id), i);
    assert_true(s->first[s->rows[i].layer] <= i && i < s->first[s->rows[i].layer + 1]);
  }
}

static void order_does_not_matter(void **state) {
  enum { N = 300, ROUNDS = 6 };
  world *w = *state;
  uint64_t seed = 7;
  hm_str lines[N], digest = HM_EMPTY, rows = HM_EMPTY;
  make_lines(lines, N, w->a, &seed);
  for (int round = 0; round < ROUNDS; round++) {
    hm_store_close(w->s);
    w->s = NULL;
    unlink(w->path);
    create(w);
    ok(w, import_bytes(w, join(lines, N, w->a), false, NULL, NULL));
    hm_snapshot *s = snapshot(w, true);
    check_sorted(s);
    hm_buf b = { 0 };
    for (size_t i = 0; i < s->n_rows; i++) {
      hm_buf_str(&b, s->rows[i].id);
      hm_buf_fmt(&b, "|%u|", s->rows[i].project);
    }
    if (round) assert_true(hm_str_eq(digest, s->digest));
    if (round) assert_true(hm_str_eq(rows, hm_buf_view(&b)));
    digest = s->digest;
    rows = hm_buf_copy(&b, w->a);
    hm_buf_free(&b);
    shuffle(lines, N, &seed);
  }
}

/* Enough rows for threads, and ids that share more than the sort's eight bytes. */
static void many_rows(void **state) {
  enum { N = 30000 };
  world *w = *state;
  uint64_t seed = 3;
  hm_buf b = { 0 };
  create(w);
  for (int i = 0; i < N; i++)
    hm_buf_fmt(
        &b,
        "{\"kind\":\"memory\",\"id\":\"%s-%llx\",\"memory_type\":\"t\",\"content\":\"%d\",\"confidence\":0.%d}\n",
        i % 2 ? "memory-of-something" : "memory-of-somewhat", (unsigned long long)prng(&seed), i,
        i % 100);
  ok(w, import_bytes(w, hm_buf_view(&b), false, NULL, NULL));
  hm_buf_free(&b);
  hm_snapshot *s = snapshot(w, true);
  assert_int_equal(s->n_rows, N);
  check_sorted(s);
  for (size_t i = 0; i < N; i++) {   /* details went along with their rows */
    int number = atoi(hm_str_z(w->a, s->rows[i].text)) % 100;
    assert_true(strtod(hm_str_z(w->a, s->details[i].confidence), NULL) ==
                number / (number < 10 ? 10.0 : 100.0));
  }
}

/* Parts of a table read at once, and the table read whole, are the same. */
static void parts_and_whole(void **state) {
  static const char *const obstacles[] = {
    "SELECT 1", /* none: read in parts */
    "UPDATE memories SET rowid = rowid + 50000 WHERE rowid BETWEEN 7000 AND 9000 OR rowid IN (1, 77, 40000)", /* gaps */
    "UPDATE memories SET rowid = rowid + 1000000000 WHERE rowid = 78", /* one too large for parts */
    "PRAGMA journal_mode = WAL",
  };
  enum { N = 40000 };
  world *w = *state;
  hm_buf b = { 0 };
  hm_str digest = HM_EMPTY;
  create(w);
  hm_buf_c(&b, "{\"kind\":\"project\",\"id\":\"p7\",\"aliases\":[\"p8\"]}\n");
  for (int i = 0; i < N; i++)
    hm_buf_fmt(
        &b,
        "{\"kind\":\"memory\",\"id\":\"%d\",\"memory_type\":\"t%d\",\"content\":\"%d\",\"project\":\"p%d\",\"created_at\":\"2026-01-01T00:%02d:00Z\"}\n",
        i * 7 % N, i % 50, i, i % 300, i % 60);
  ok(w, import_bytes(w, hm_buf_view(&b), false, NULL, NULL));
  hm_buf_free(&b);
  for (size_t i = 0; i < sizeof obstacles / sizeof *obstacles; i++) {
    sql(w, obstacles[i]);
    open_mode(w, HM_STORE_READ);
    hm_snapshot *s = snapshot(w, true);
    check_sorted(s);
    assert_int_equal(s->n_rows, N);
    assert_int_equal(s->n_projects, 299);
    assert_str(s->newest, "2026-01-01T00:59:00Z");
    if (i) assert_true(hm_str_eq(digest, s->digest));
    digest = s->digest;
  }
}

/* A writer that waits for the reader lets no other reader in. */
static void a_writer_waits(void **state) {
  enum { N = 25000 };
  world *w = *state;
  create(w);
  sql(w, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25000)"
         "INSERT INTO memories (id, content) SELECT 'm' || i, 'before' FROM n");
  ok(w, hm_store_begin(w->s, false, &w->err));
  sqlite3 *db = waiting_writer(w);
  hm_snapshot *s = snapshot(w, false);
  assert_int_equal(s->n_rows, N);
  for (size_t i = 0; i < N; i++) assert_true(hm_str_is(s->rows[i].text, "before"));
  ok(w, hm_store_commit(w->s, &w->err));
  assert_int_equal(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
  sqlite3_close(db);
  assert_str(snapshot(w, false)->rows[0].text, "after");
}

/* A new file at the path is not the one that is being read. */
static void the_file_was_replaced(void **state) {
  world *w = *state;
  char copy[128];
  create(w);
  sql(w, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25000)"
         "INSERT INTO memories (id, content) SELECT 'm' || i, 'before' FROM n");
  hm_store *old = w->s;
  w->s = NULL;
  snprintf(copy, sizeof copy, "%s/copy.db", w->dir);
  assert_int_equal(rename(w->path, copy), 0);
  create(w);
  sql(w, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25000)"
         "INSERT INTO memories (id, content) SELECT 'm' || i, 'other' FROM n");
  hm_snapshot *s;
  ok(w, hm_store_snapshot(old, w->a, false, &s, &w->err));
  for (size_t i = 0; i < s->n_rows; i++) assert_true(hm_str_is(s->rows[i].text, "before"));
  hm_store_close(old);
}

#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
int main(void) {
  const struct CMUnitTest tests[] = {
    T(order_does_not_matter),
    T(many_rows),
    T(parts_and_whole),
    T(a_writer_waits),
    T(the_file_was_replaced),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
