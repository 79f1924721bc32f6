/* What recall has in memory of a store that is written to: after each change it answers as if the
 * rows had been read now, whoever changed what; and it reads no more than the change log names. */
#include "tests/unit/core_review_play.h"
#include "core/recall/answer.h"
#include "core/recall/recall.h"
#include "core/review/links.h"
#include "core/review/redact.h"
#include "core/review/write.h"
#include "core/store/recall_tables.h"

typedef struct {
  play p;
  hm_store *reader;
  hm_recaller *r;
  size_t updates, readings, asked;
} recalling;

static const char *text(play *p) {
  return PICK(p, "Use ruff for linting", "Never use ruff for linting", "frame mass is 3 kg",
              "frame mass: 4 kg", "The build is green", "PR #441 closes the leak",
              "PR #414 closes the leak", "TYPE_CHECKING is set", "prefers rebase workflow",
              "the the is", "role: pilot", "caf\xc3\xa9 hours moved to nine", "");
}

/* --- what is asked --------------------------------------------------------------------- */

static const char *const QUESTIONS[] = { "ruff linting", "frame mass", "PR 441", "green build leak",
                                         "TYPE_CHECKING", "nobody says this", "the" };

static hm_recall_option_texts some_options(play *p) {
  return (hm_recall_option_texts){
    .k = hm_str_c(PICK(p, "", "1", "3", "20")),
    .overfetch = hm_str_c(PICK(p, "", "1", "2")),
    .mode = hm_str_c(PICK(p, "", "", "semantic")),
    .project = hm_str_c(PICK(p, "", "", "", "p", "q", "alias", "Other")),
    .type = hm_str_c(PICK(p, "", "", "", "knowledge", "Component")),
    .as_of = hm_str_c(PICK(p, "", "", "", "2026-03-01", "2026-06-01")),
    .clock = hm_str_c(PICK(p, "", "", "2026-07-01")),
    .include_superseded = roll(p, 3) == 0,
    .expand = hm_str_c(PICK(p, "", "", "*", "supersedes", "related")),
  };
}

static hm_str answer(recalling *x, hm_recaller *r, const char *words,
                     const hm_recall_option_texts *t) {
  world *w = x->p.w;
  hm_recall_options opt;
  hm_recall_expand expand;
  hm_recall_answer out;
  hm_buf b = { 0 };
  if (hm_recall_options_parse(r, t, w->a, &opt, &expand, &w->err) ||
      hm_recaller_ask(r, x->reader, hm_str_c(words), &opt, &expand, NULL, w->a, &out, &w->err)) {
    char line[1100];
    hm_err_format_line(&w->err, line, sizeof line);
    return hm_str_dup(w->a, hm_str_c(line));
  }
  hm_recall_json(r, &out, w->a, &b);
  return hm_buf_take(&b, w->a);
}

static void look_anew(recalling *x, hm_recaller **r) {
  world *w = x->p.w;
  ok(w, hm_recaller_read(x->reader, hm_rules_default(), 1, r, &w->err));
  ok(w, hm_recaller_read_word_index(*r, x->reader, &w->err));
}

/* Answers of what is kept beside those of what is read now, in one transaction. */
static void compare(recalling *x) {
  world *w = x->p.w;
  hm_recaller *anew;
  bool current = false;
  ok(w, hm_store_begin(x->reader, false, &w->err));
  if (x->r) ok(w, hm_recaller_update(x->r, x->reader, &current, &w->err));
  if (current) ok(w, hm_recaller_read_word_index(x->r, x->reader, &w->err));
  x->updates += current;
  x->readings += !current;
  if (!current) {
    hm_recaller_free(x->r);
    look_anew(x, &x->r);
  }
  look_anew(x, &anew);
  assert_int_equal(hm_recaller_unindexed_rows(x->r), hm_recaller_unindexed_rows(anew));
  for (size_t i = 0; i < HM_COUNT(QUESTIONS); i++) {
    hm_recall_option_texts t = some_options(&x->p);
    hm_str kept = answer(x, x->r, QUESTIONS[i], &t), now = answer(x, anew, QUESTIONS[i], &t);
    if (!hm_str_eq(kept, now))
      fail_msg("%s: kept\n%.*s\nread now\n%.*s", QUESTIONS[i], HM_FMT(kept), HM_FMT(now));
    x->asked++;
  }
  hm_recaller_free(anew);
  hm_store_rollback(x->reader);
}

/* --- what is written ------------------------------------------------------------------- */

static bool adds(play *p) {
  hm_review r = review_at(p);
  hm_written out;
  hm_layer l = roll(p, 3) ? HM_MEMORY : roll(p, 2) ? HM_ENTITY : HM_STATE;
  if (l == HM_MEMORY)
    snprintf(p->record, sizeof p->record,
             "{\"memory_type\":\"%s\",\"content\":\"%s.\",\"project\":\"%s\",\"importance\":0.%u%s}",
             PICK(p, "knowledge", "preference", "episodic"), text(p), project(p), roll(p, 10),
             PICK(p, "", ",\"tags\":[\"a\"]", ",\"valid_until\":\"2026-03\""));
  else if (l == HM_ENTITY)
    snprintf(p->record, sizeof p->record,
             "{\"entity_type\":\"Component\",\"name\":\"%s\",\"project\":\"%s\",\"description\":\"%s\"}",
             PICK(p, "frame", "mirror cell"), project(p), text(p));
  else
    snprintf(p->record, sizeof p->record,
             "{\"category\":\"part\",\"key\":\"frame mass\",\"value\":\"%u kg\",\"project\":\"%s\"}",
             roll(p, 9), project(p));
  return done(p, hm_review_add(p->w->s, &r, l, json(p->w, p->record), p->w->a, &out, &p->w->err), &out);
}

static bool edits(play *p) {
  hm_review r = review_at(p);
  hm_written out;
  const char *ref = any(p, HM_MEMORY, "status IN ('active', 'candidate')");
  if (!*ref) return false;
  snprintf(p->record, sizeof p->record,
           PICK(p, "{\"content\":\"%s now.\"}", "{\"content\":\"%s\",\"project\":\"q\"}"), text(p));
  return done(p, hm_review_edit(p->w->s, &r, hm_str_c(ref), json(p->w, p->record), p->w->a, &out,
                                &p->w->err), &out);
}

static bool links(play *p) {
  hm_review r = review_at(p);
  hm_link_report out;
  hm_str a = hm_str_c(any(p, HM_MEMORY, "1")), b = hm_str_c(any(p, roll(p, 2) ? HM_MEMORY : HM_ENTITY, "1")),
         rel = hm_str_c(PICK(p, "related", "refines", "supersedes"));
  int rc = roll(p, 4) ? hm_review_link(p->w->s, &r, a, b, rel, p->w->a, &out, &p->w->err)
                      : hm_review_unlink(p->w->s, &r, a, b, rel, p->w->a, &out, &p->w->err);
  return !rc;
}

static bool redacts(play *p) {
  hm_review r = review_at(p);
  hm_str row = hm_str_c(any(p, HM_MEMORY, "status = 'active'"));
  hm_redact_order order = { .rows = &row, .n_rows = 1, .reason = HM_STR("leaked") };
  hm_redacted out;
  return !hm_review_redact(p->w->s, &r, &order, p->w->a, &out, &p->w->err);
}

static bool touches(play *p) {
  hm_actor who = review_at(p).who;
  hm_str ref = hm_str_c(any(p, HM_MEMORY, "1"));
  return ref.n && !hm_review_touch(p->w->s, &who, &ref, 1, p->w->a, &p->w->err);
}

static bool imports_many(play *p) {
  hm_buf b = { 0 };
  for (unsigned n = roll(p, 5) ? 3 : 1100; n; n--)
    hm_buf_fmt(&b, "{\"kind\":\"memory\",\"id\":\"i%u\",\"memory_type\":\"knowledge\",\"content\":\"%s %u\"}\n",
               roll(p, 2000), text(p), roll(p, 9));
  import_bytes(p->w, hm_buf_view(&b), true, NULL, NULL);
  hm_buf_free(&b);
  return true;
}

static bool others_write(play *p) {
  static const char *const statements[] = {
    "DELETE FROM memories WHERE id = (SELECT min(id) FROM memories)",
    "DELETE FROM memories WHERE project = 'other'",
    "UPDATE memories SET content = 'frame mass is 9 kg' WHERE id = (SELECT max(id) FROM memories)",
    "UPDATE memories SET superseded_by = (SELECT min(id) FROM memories), status = 'superseded' WHERE id = (SELECT max(id) FROM memories)",
    "UPDATE memories SET status = 'active' WHERE status = 'superseded'",
    "UPDATE memories SET last_accessed_at = '2026-05-30'",
    "UPDATE memories SET project = 'only here' WHERE id = (SELECT max(id) FROM memories)",
    "UPDATE memories SET id = 'renamed' WHERE id = (SELECT min(id) FROM memories) AND NOT EXISTS (SELECT 1 FROM memories WHERE id = 'renamed')",
    "INSERT OR REPLACE INTO memories (id, memory_type, content) VALUES ('0', 'knowledge', 'PR #441 came first')",
    "DELETE FROM memories WHERE id = '0'",
    "INSERT OR REPLACE INTO relations (id, type, from_id, to_id, project) VALUES ('l1', 'PART_OF', 'a', 'b', 'relations only')",
    "DELETE FROM relations",
    "INSERT OR REPLACE INTO project_aliases VALUES ('alias', 'q')",
    "INSERT OR IGNORE INTO projects (id, name) VALUES ('q', 'Other')",
    "INSERT OR IGNORE INTO links (src, dst, rel) SELECT 'memory:' || min(id), max(id), 'refines' FROM memories",
    "DELETE FROM links",
    "UPDATE conflicts SET status = 'dismissed' WHERE id = (SELECT min(id) FROM conflicts WHERE status = 'open')",
    "REPLACE INTO memories (rowid, id, memory_type, content) SELECT rowid, 'hit', memory_type, content FROM memories ORDER BY rowid LIMIT 1",
    "VACUUM",
  };
  sql(p->w, statements[roll(p, HM_COUNT(statements))]);
  return true;
}

static bool hmirror_writes(recalling *x) {
  play *p = &x->p;
  switch (roll(p, 14)) {
    case 0: case 1: case 2: case 3: return adds(p);
    case 4: case 5: return edits(p);
    case 6: return links(p);
    case 7: return touches(p);
    case 8: return !roll(p, 4) && redacts(p);
    case 9: return !roll(p, 8) && imports_many(p);
    case 10: return others_write(p);
    default: return gives_verdict(p);
  }
}

/* Another process may hold newer rows, or older ones, when it brings the index of words on. */
static void indexes_words(recalling *x) {
  world *w = x->p.w;
  hm_recaller *other;
  if (!roll(&x->p, 4)) {
    ok(w, hm_store_begin(w->s, true, &w->err));
    ok(w, hm_fts_clear_documents(w->s, &w->err));
    ok(w, hm_store_commit(w->s, &w->err));
  }
  if (roll(&x->p, 2)) {
    ok(w, hm_recaller_update_word_index(x->r, w->s, &w->err));
    return;
  }
  ok(w, hm_store_begin(x->reader, false, &w->err));
  look_anew(x, &other);
  hm_store_rollback(x->reader);
  ok(w, hm_recaller_update_word_index(other, w->s, &w->err));
  hm_recaller_free(other);
}

static void run(world *w, uint64_t seed, int steps) {
  recalling x = { .p = { .w = w, .rng = seed } };
  unlink(w->path);
  create(w);
  assert_int_equal(sqlite3_exec(w->s->sqlite->db, "PRAGMA synchronous = OFF", NULL, NULL, NULL), SQLITE_OK);
  import(w, "{\"kind\":\"project\",\"id\":\"p\",\"aliases\":[\"alias\"]}\n");
  for (int i = 0; i < 20; i++) adds(&x.p);
  ok(w, hm_store_open(&x.reader, w->path, HM_STORE_READ, 50, &w->err));
  for (int i = 0; i < steps; i++) {
    for (unsigned n = roll(&x.p, 3); n; n--) hmirror_writes(&x);
    if (x.r && !roll(&x.p, 8)) indexes_words(&x);
    compare(&x);
    hm_arena_reset(w->a);
  }
  assert_true(x.updates > (size_t)steps / 2 && x.readings > 2);
  hm_recaller_free(x.r);
  hm_store_close(x.reader);
  hm_store_close(w->s);
  w->s = NULL;
  unlink(w->path);
}

static void answers_are_those_of_a_new_reading(void **state) {
  const char *seed = getenv("HM_SEED");
  run(*state, seed ? strtoull(seed, NULL, 10) : 1, 300);
}
static void and_by_another_course(void **state) { run(*state, 2, 300); }

/* --- what it costs --------------------------------------------------------------------- */

/* One write, then the rows and lines of the index of words that are read for it. */
static hm_recaller_cost cost_of_a_write(world *w, int rows) {
  hm_buf b = { 0 };
  hm_store *reader;
  hm_recaller *r;
  bool current = false;
  unlink(w->path);
  create(w);
  for (int i = 0; i < rows; i++)
    hm_buf_fmt(&b, "{\"kind\":\"memory\",\"id\":\"m%d\",\"memory_type\":\"knowledge\",\"content\":\"word%d and ruff\"}\n",
               i, i);
  ok(w, import_bytes(w, hm_buf_view(&b), false, NULL, NULL));
  hm_buf_free(&b);
  add(w, HM_MEMORY, "{\"id\":\"first\",\"memory_type\":\"knowledge\",\"content\":\"ruff\"}");
  ok(w, hm_store_open(&reader, w->path, HM_STORE_READ, 50, &w->err));
  ok(w, hm_store_begin(reader, false, &w->err));
  ok(w, hm_recaller_read(reader, hm_rules_default(), 1, &r, &w->err));
  hm_store_rollback(reader);
  ok(w, hm_recaller_update_word_index(r, w->s, &w->err));
  hm_recaller_cost before, after;
  for (int step = 0; step < 2; step++) {   /* the first one sees the index of words, too */
    before = hm_recaller_cost_so_far(r);
    if (step) add(w, HM_MEMORY, "{\"id\":\"second\",\"memory_type\":\"knowledge\",\"content\":\"ruff!\"}");
    ok(w, hm_store_begin(reader, false, &w->err));
    ok(w, hm_recaller_update(r, reader, &current, &w->err));
    assert_true(current);
    ok(w, hm_recaller_read_word_index(r, reader, &w->err));
    hm_store_rollback(reader);
  }
  after = hm_recaller_cost_so_far(r);
  hm_recaller_free(r);
  hm_store_close(reader);
  hm_store_close(w->s);
  w->s = NULL;
  unlink(w->path);
  return (hm_recaller_cost){ after.rows - before.rows, after.documents - before.documents };
}

static void a_write_costs_the_rows_that_it_changed(void **state) {
  hm_recaller_cost few = cost_of_a_write(*state, 100), many = cost_of_a_write(*state, 3000);
  assert_int_equal(few.rows, 1);
  assert_int_equal(many.rows, 1);
  assert_int_equal(few.documents, 0);
  assert_int_equal(many.documents, 0);
}

#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
int main(void) {
  const struct CMUnitTest tests[] = { T(answers_are_those_of_a_new_reading),
                                      T(and_by_another_course),
                                      T(a_write_costs_the_rows_that_it_changed) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
