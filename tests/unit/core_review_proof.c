/* Whoever noted where the journal stood can tell what became of it since. */
#include "tests/unit/core_review_help.h"
#include "core/review/redact.h"
#include "core/record/journal.h"

#define FREE "DROP TRIGGER journal_no_update; DROP TRIGGER journal_no_delete;"

static hm_journal_head stand(world *w) {
  hm_journal_head out;
  ok(w, hm_journal_read_head(w->s, w->a, &out, &w->err));
  return out;
}

static hm_journal_head begin_journal(world *w, hm_journal_salting *begun) {
  const hm_actor who = { .by = HM_STR("kim"), .at = HM_STR("2026-05-01T00:00:00Z") };
  hm_journal_head out;
  ok(w, hm_journal_give_store_id(w->s, &who, w->a, &out, begun, &w->err));
  return out;
}

static hm_journal_proof prove(world *w, hm_journal_noted *sights, size_t n) {
  hm_journal_proof out;
  ok(w, hm_journal_prove(w->s, sights, n, w->a, &out, &w->err));
  return out;
}

static hm_journal_noted sight(hm_journal_head *s) {
  return (hm_journal_noted){ .seq = s->seq, .head = hm_str_c(s->head) };
}

static hm_redacted redact(world *w, const char *row, bool earlier) {
  hm_review r = review();
  hm_str rows[] = { hm_str_c(row) };
  hm_redact_order order = { .rows = rows, .n_rows = 1, .reason = HM_STR("leaked"),
                            .earlier = earlier };
  hm_redacted out;
  ok(w, hm_review_redact(w->s, &r, &order, w->a, &out, &w->err));
  return out;
}

static void add_memory(world *w, int i) {
  add(w, HM_MEMORY,
      hm_str_fmt(w->a, "{\"id\":\"m%d\",\"memory_type\":\"note\",\"content\":\"word%d\"}", i, i).p);
}

/* Lines 1 to 3, the line that names the store, then up to `lines`. */
static void fill(world *w, int lines) {
  hm_journal_salting begun;
  create(w);
  for (int i = 1; i < 4; i++) add_memory(w, i);
  begin_journal(w, &begun);
  for (int i = 5; i <= lines; i++) add_memory(w, i);
}

static void the_store_gets_an_id_once(void **state) {
  world *w = *state;
  hm_journal_salting begun;
  create(w);
  assert_int_equal(stand(w).seq, 0);
  assert_str(stand(w).store, "");
  add_memory(w, 1);
  const char *before = ask(w, "SELECT hash FROM journal");
  hm_journal_head one = begin_journal(w, &begun);
  assert_int_equal(one.store.n, 32);
  assert_int_equal(one.seq, 2);
  assert_int_equal(begun.salted + begun.broken, 0);
  assert_string_equal(ask(w, "SELECT hash FROM journal WHERE seq = 1"), before);
  assert_string_equal(ask(w, "SELECT verb || actor || substr(ref, 1, 6) FROM journal WHERE seq = 2"),
                      "namekimstore:");
  assert_string_equal(ask(w, "SELECT count(DISTINCT salt) FROM journal WHERE length(salt) = 16"), "2");
  hm_journal_head two = begin_journal(w, &begun);
  assert_true(hm_str_eq(one.store, two.store));
  assert_int_equal(two.seq, 2);
  assert_string_equal(one.head, two.head);
  add_memory(w, 2);
  assert_int_equal(stand(w).seq, 3);
  assert_str(stand(w).store, one.store.p);
}

/* What other programs may do to the journal, and what the proof says then. */
static void changes_are_found(void **state) {
  static const struct {
    const char *change;
    int bad, missing;        /* of the chain */
    hm_journal_seen early, late;     /* of what was noted after line 5, and after line 9 */
  } cases[] = {
    { "SELECT 1", 0, 0, HM_SEEN_SAME, HM_SEEN_SAME },
    { "UPDATE journal SET after = replace(after, 'word2', 'word9') WHERE seq = 2", 2, 0, 0, 0 },
    { "UPDATE journal SET salt = NULL WHERE seq = 6", 6, 0, 0, 0 },
    { "UPDATE journal SET salt = x'00' WHERE seq = 6", 6, 0, 0, 0 },
    { "UPDATE journal SET hash = lower(hex(randomblob(32))) WHERE seq = 5", 5, 0, HM_SEEN_OTHER, 0 },
    { "DELETE FROM journal WHERE seq = 1", 2, 1, 0, 0 },
    { "DELETE FROM journal WHERE seq IN (6, 7)", 8, 6, 0, 0 },
    { "DELETE FROM journal WHERE seq = 5", 6, 5, HM_SEEN_OTHER, 0 },
    { "DELETE FROM journal WHERE seq > 7", 0, 0, 0, HM_SEEN_LATER },
    { "DELETE FROM journal WHERE seq = 9", 0, 0, 0, HM_SEEN_LATER },
    { "DELETE FROM journal", 0, 0, HM_SEEN_LATER, HM_SEEN_LATER },
    { "DELETE FROM journal WHERE seq = 7; UPDATE journal SET seq = seq - 1 WHERE seq > 7", 7, 0, 0,
      HM_SEEN_LATER },
    { "UPDATE journal SET seq = -6 WHERE seq = 6; UPDATE journal SET seq = 6 WHERE seq = 7;"
      "UPDATE journal SET seq = 7 WHERE seq = -6", 6, 0, 0, 0 },
    { "UPDATE journal SET seq = seq + 100 WHERE seq > 6; UPDATE journal SET seq = seq - 99 WHERE seq > 100;"
      "INSERT INTO journal SELECT 7, at, actor, verb, ref, before, after, hash, why, salt FROM journal WHERE seq = 6",
      7, 0, 0, HM_SEEN_OTHER },
    { "INSERT INTO journal (seq, at, actor, verb, ref, hash) VALUES (0, '', '', '', '', '')", 0, 0, 0, 0 },
    { "INSERT INTO journal (seq, at, actor, verb, ref, hash) VALUES (10, '', '', '', '', '')", 10, 0, 0, 0 },
  };
  world *w = *state;
  for (size_t i = 0; i < HM_COUNT(cases); i++) {
    hm_store_close(w->s);
    w->s = NULL;
    unlink(w->path);
    fill(w, 5);
    hm_journal_head early = stand(w);
    for (int k = 6; k <= 9; k++) add_memory(w, k);
    hm_journal_head late = stand(w);
    assert_int_equal(early.seq, 5);
    assert_int_equal(late.seq, 9);
    sql(w, FREE);
    sql(w, cases[i].change);
    hm_journal_noted sights[] = { sight(&early), sight(&late) };
    hm_journal_proof p = prove(w, sights, 2);
    if (strstr(cases[i].change, "(0,")) assert_true(p.bad == 1 && p.lines == 10);
    else if (p.bad != cases[i].bad || p.missing != cases[i].missing ||
             sights[0].seen != cases[i].early || sights[1].seen != cases[i].late)
      fail_msg("%s: line %lld, missing %lld, %d, %d", cases[i].change, (long long)p.bad,
               (long long)p.missing, sights[0].seen, sights[1].seen);
  }
}

/* Somebody who knows how hashes are made: the chain fits, and what was noted does not. */
static void hashes_made_anew_are_found(void **state) {
  world *w = *state;
  fill(w, 7);
  hm_journal_head noted = stand(w);
  sql(w, FREE "DELETE FROM journal WHERE seq > 5");
  for (int i = 6; i <= 8; i++) add_memory(w, i + 20);
  hm_journal_noted s = sight(&noted);
  hm_journal_proof p = prove(w, &s, 1);
  assert_int_equal(p.bad, 0);
  assert_int_equal(s.seen, HM_SEEN_OTHER);
}

static void a_redacted_line_keeps_its_hash_and_not_its_salt(void **state) {
  world *w = *state;
  fill(w, 7);
  hm_journal_head noted = stand(w);
  hm_redacted r = redact(w, "m2", false);
  assert_int_equal(r.broken + r.rehashed, 0);
  hm_journal_noted s = sight(&noted);
  hm_journal_proof p = prove(w, &s, 1);
  assert_int_equal(s.seen, HM_SEEN_SAME);
  assert_int_equal(p.bad, 0);
  assert_true(p.n_redactions >= 1);
  assert_int_equal(p.redactions[0].from, 2);
  assert_str(p.redactions[0].why, "leaked");
  assert_string_equal(ask(w, "SELECT count(*) FROM journal WHERE seq = 2 AND salt IS NULL"
                             " AND after NOT LIKE '%word2%'"), "1");
  assert_string_equal(ask(w, "SELECT count(*) FROM journal WHERE seq <> 2 AND salt IS NULL"),
                      ask(w, "SELECT sum(value ->> 1 - value ->> 0 + 1) - 1 FROM journal, json_each(after)"
                             " WHERE ref = 'journal:lines'"));
  /* Again, and what is said of other lines goes on being checked. */
  redact(w, "m5", false);
  s.seen = HM_SEEN_OTHER;
  p = prove(w, &s, 1);
  assert_int_equal(s.seen, HM_SEEN_SAME);
  assert_int_equal(p.bad, 0);
  sql(w, FREE "UPDATE journal SET actor = 'x' WHERE seq = 3");
  assert_int_equal(prove(w, &s, 1).bad, 3);
}

/* A line that no redaction names, or one that came before it, does not pass for redacted. */
static void a_mark_covers_its_lines_only(void **state) {
  static const struct { const char *after; int bad; } cases[] = {
    { "[[2,2]]", 0 }, { "[[1,2]]", 0 }, { "[[3,9]]", 2 }, { "[[2]]", 2 }, { "2", 2 },
    { "[[\"2\",\"2\"]]", 2 }, { "[[-1,2]]", 2 }, { "[[2,3],", 2 },
  };
  world *w = *state;
  const hm_actor who = { .by = HM_STR("kim"), .at = HM_STR("2026-05-01T00:00:00Z") };
  for (size_t i = 0; i < HM_COUNT(cases); i++) {
    hm_store_close(w->s);
    w->s = NULL;
    unlink(w->path);
    fill(w, 5);
    sql(w, FREE "UPDATE journal SET salt = NULL, after = '[redacted]' WHERE seq = 2");
    ok(w, hm_store_begin(w->s, true, &w->err));
    ok(w, hm_journal_add(w->s, &who, "redact", HM_STR("journal:lines"), HM_EMPTY,
                         hm_str_c(cases[i].after), &w->err));
    ok(w, hm_store_commit(w->s, &w->err));
    assert_int_equal(prove(w, NULL, 0).bad, cases[i].bad);
    sql(w, "UPDATE journal SET salt = x'01' WHERE seq = 2");
    assert_int_equal(prove(w, NULL, 0).bad, 2);
  }
  add_memory(w, 7);   /* line 7: no line before it can say that it was redacted */
  sql(w, "UPDATE journal SET after = '[[2,9]]', hash = '', salt = NULL WHERE seq = 6;"
         "UPDATE journal SET after = '[[2,9]]', salt = NULL WHERE seq = 7");
  assert_int_equal(prove(w, NULL, 0).bad, 2);
  sql(w, "UPDATE journal SET salt = NULL WHERE seq = 2");
  assert_int_equal(prove(w, NULL, 0).bad, 6);
}

/* The redaction of a line that was changed before does not cover that up. */
static void a_changed_line_is_not_washed(void **state) {
  world *w = *state;
  fill(w, 7);
  sql(w, FREE "UPDATE journal SET actor = 'x' WHERE seq = 2");
  hm_redacted r = redact(w, "m2", false);
  assert_int_equal(r.broken, 2);
  assert_int_equal(prove(w, NULL, 0).bad, 2);
}

/* Lines of before version 9 have no salt: a redaction makes their hashes anew, unless commits may
 * have seen them. */
static void lines_without_salt(void **state) {
  world *w = *state;
  hm_journal_salting begun;
  create(w);
  add_memory(w, 1);
  add_memory(w, 2);
  const char *h1 = ask(w, "SELECT hash FROM journal WHERE seq = 1");
  sql(w, FREE "UPDATE journal SET salt = NULL");
  add_memory(w, 3);
  assert_int_equal(prove(w, NULL, 0).bad, 1);   /* not how an old store has them: see below */
  hm_redacted r = redact(w, "m2", false);
  assert_int_equal(r.broken, 1);
  assert_int_equal(r.rehashed, 2);
  hm_journal_head s = begin_journal(w, &begun);
  assert_true(begun.salted >= 2);
  assert_int_equal(begun.broken, 1);
  assert_string_not_equal(ask(w, "SELECT hash FROM journal WHERE seq = 1"), h1);
  hm_journal_noted seen = sight(&s);
  assert_int_equal(prove(w, &seen, 1).bad, 0);
  assert_int_equal(seen.seen, HM_SEEN_SAME);
  assert_non_null(strstr(ask(w, "SELECT why FROM journal WHERE verb = 'name'"),
                         "line 1 did not fit its chain before"));
  redact(w, "m1", false);
  assert_int_equal(prove(w, &seen, 1).bad, 0);
  assert_int_equal(seen.seen, HM_SEEN_SAME);
}

/* Redacted while it had no id, then begun. */
static void redacted_before_the_beginning(void **state) {
  world *w = *state;
  hm_journal_salting begun;
  create(w);
  for (int i = 1; i < 4; i++) add_memory(w, i);
  redact(w, "m2", false);
  hm_journal_head s = begin_journal(w, &begun);
  assert_int_equal(begun.salted + begun.broken, 0);
  hm_journal_noted seen = sight(&s);
  assert_int_equal(prove(w, &seen, 1).bad, 0);
  assert_int_equal(seen.seen, HM_SEEN_SAME);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(the_store_gets_an_id_once, begin, end),
    cmocka_unit_test_setup_teardown(changes_are_found, begin, end),
    cmocka_unit_test_setup_teardown(hashes_made_anew_are_found, begin, end),
    cmocka_unit_test_setup_teardown(a_redacted_line_keeps_its_hash_and_not_its_salt, begin, end),
    cmocka_unit_test_setup_teardown(a_mark_covers_its_lines_only, begin, end),
    cmocka_unit_test_setup_teardown(a_changed_line_is_not_washed, begin, end),
    cmocka_unit_test_setup_teardown(lines_without_salt, begin, end),
    cmocka_unit_test_setup_teardown(redacted_before_the_beginning, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
