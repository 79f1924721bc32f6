/* Which topics of documents are one slot: core/claim/topic.h. */
#include "core/claim/topic.h"
#include "tests/unit/core_claim_help.h"

static hm_arena *A;

static hm_row line(const char *id, const char *rule) {
  hm_row r = help_row(HM_MEMORY, id, "knowledge", "", "A line of a document.");
  r.slot_rule = hm_str_c(rule);
  return r;
}

/* Is the claim of the first row in the slot of the second? */
static bool are_one(const char *const *rules, size_t n) {
  hm_row *rows = hm_alloc_array(A, n, sizeof *rows);
  for (size_t i = 0; i < n; i++) rows[i] = line(hm_str_fmt(A, "r%zu", i).p, rules[i]);
  hm_snapshot s = help_snapshot(A, rows, n);
  hm_claims *c = help_claims(&s, 1);
  assert_int_equal(c->n, n);
  bool one = hm_claims_share_slot(&c->claims[0], &c->claims[1]);
  hm_claims_free(c);
  return one;
}

static void check_pair(const char *x, const char *y, bool one) {
  const char *const pair[] = { x, y }, *const turned[] = { y, x };
  if (are_one(pair, 2) != one || are_one(turned, 2) != one) fail_msg("%s\n%s\nare not %d", x, y, one);
}

#define SENSOR "poll sensor interval (^poll /b) = 60 seconds"

static void topics_of_other_words_are_one(void **state) {
  (void)state;
  check_pair("kiln idl cool duration (^cool /a) = 3 hours", "cool idl kiln duration (/b) = 4 hours", true);
  /* what stands around one may be said by the other */
  check_pair("poll_interval duration (=poll =interv +sensor /a) = 30 seconds", SENSOR, true);
  check_pair("poll_interval duration (=poll =interv /a) = 30 seconds", SENSOR, true);
  check_pair("poll_interval duration (=poll =interv /a) = 30 seconds", "gate poll sensor interval (^poll /b) = 60 seconds", false);
  check_pair("poll_interval duration (=poll =interv /a) = 30 seconds", "poll sensor interval (^poll /b) = 60 minutes", false);
  check_pair("log_days (~duration =log /a) = 30 days", "log retent duration (^retent /b) = 90 days", true);
  check_pair("log_days (~count =log /a) = 30", "log retent duration (^retent /b) = 90 days", false);
  /* one noun is enough where there is no other */
  check_pair("tile pixels (/a) = 256 px", "render tile pixels (^render /b) = 512 px", true);
  check_pair("session duration (/a) = 1 hour", "refresh session duration (^refresh /b) = 2 hours", false);
  check_pair("tile count (/a) = 2", "map tile count (/b) = 3", false);
}

static void what_keeps_topics_apart(void **state) {
  (void)state;
  static const char tiles[] = "cach tile size (/a) = 2 MB";
  check_pair(tiles, "cach tile size (/a) = 3 MB", true); /* an equal slot, as ever */
  check_pair(tiles, "cach drive tile size (/b) = 3 MB", true);
  check_pair(tiles, "cach drive tile size (/a) = 3 MB", false); /* of one document */
  check_pair(tiles, "cach drive tile size (@stage /b) = 3 MB", false);
  check_pair(tiles, "cach drive tile size (drive>tile /b) = 3 MB", false);
  check_pair(tiles, "cach drive tile count (/b) = 3", false);
  /* rows of a series of documents, and of columns of other heads */
  check_pair("key strong time duration (| %s /a) = 30 minutes", "key strong long time duration (| %s /b) = 40 minutes", false);
  check_pair("group key strong duration (^group | /a) = 30 minutes", "key rest strong duration (^rest | /b) = 40 minutes", false);
  check_pair("key strong time duration (| /a) = 30 minutes", "key strong long time duration (| /b) = 40 minutes", true);
  check_pair("cach tile size (&f /a) = 2 MB", "cach drive tile size (&f /b) = 3 MB", false);
  check_pair("cach tile size (&f /a) = 2 MB", "cach drive tile size (&g /b) = 3 MB", true);
  /* each setting has a name of its own */
  check_pair("run_queue_size count (=run =queue =size /a) = 5", "event_queue_size count (=event =queue =size /b) = 6", false);
  check_pair("queue_size count (=queue =size /a) = 5", "queuesize count (=queue =size /b) = 6", true);
  check_pair("cach tile time name (#a /a) = x", "cach tile name (#b /b) = y", false);
}

/* The words that few topics have say what it is about; the others may be anybody's. */
static void topics_are_one_by_rare_words(void **state) {
  (void)state;
  check_pair("record length (| /a) = 10 m", "records length (/b) = 12 m", true);
  check_pair("membership money (/a) = 25 EUR", "member pay money (^pay /b) = 30 EUR", true);
  check_pair("member money (/a) = 25 EUR", "memorial money (/b) = 30 EUR", false);
  check_pair("freezer temperature (| /a) = -18 \u00B0C", "freezer stay temperature (/b) = -21 \u00B0C", true);
  check_pair("freezer meat temperature (| /a) = 2 \u00B0C", "freezer herb temperature (/b) = 6 \u00B0C", false);
  /* a row is about its key, not about the head of its column */
  check_pair("fresh parcel time (^fresh | /a) = 08:00", "fresh time (/b) = 07:30", false);
  static const char *const common[] = { "gate paint height length (/a) = 5 m", "gate wood length (/b) = 6 m",
                                        "gate iron length (/c) = 7 m", "gate oak length (/d) = 8 m", "gate elm length (/e) = 9 m",
                                        "gate ash length (/f) = 10 m", "gate fir length (/g) = 11 m", "gate yew length (/h) = 12 m" };
  check_pair("organ version (| /a) = 4.2", "hall organ version (/b) = 4.4", true);
  check_pair("organ version (| /a) = 4.2", "hall organ version (/b) = 5.4", false);
  check_pair("monday hours (| /a) = 8:00-13:00", "clinic monday hours (/b) = 8:00-12:00", true);
  check_pair("monday hours (| /a) = 8:00-13:00", "clinic monday hours (/b) = 14:00-16:00", false);
  assert_true(are_one((const char *const[]){ "gate oak length (/a) = 5 m", "gate length (/b) = 6 m" }, 2));
  assert_false(are_one(common, HM_COUNT(common)));
}

/* A number of things is often one of other things: near numbers alone may have drifted. */
static void small_counts_do_not_meet_by_their_slot(void **state) {
  (void)state;
  check_pair("dimmer count (/a) = 60", "dimmer count (/b) = 48", true);
  const char *const far[] = { "dimmer count (/a) = 120", "dimmer count (/b) = 12" };
  const char *const series[] = { "risk test count (%s /a) = 12", "risk test count (%s /b) = 13" };
  /* no other document is of this series; the documents of one form are one */
  const char *const lone[] = { "bell rope count (%s &f /a) = 12", "bell rope count (%s &f /a) = 13" };
  const char *const *const pairs[] = { far, series, lone };
  for (size_t i = 0; i < HM_COUNT(pairs); i++) {
    hm_row rows[2];
    for (size_t k = 0; k < 2; k++) rows[k] = line(hm_str_fmt(A, "r%zu", k).p, pairs[i][k]);
    hm_snapshot s = help_snapshot(A, rows, 2);
    hm_claims *c = help_claims(&s, 1);
    assert_int_equal(hm_claim_comparable(&c->claims[0], &c->claims[1]), pairs[i] == lone);
    hm_claims_free(c);
  }
}

static void only_the_nearest_topic_of_a_document_counts(void **state) {
  (void)state;
  static const char *const nearer[] = { "bake kiln north duration (/a) = 3 hours", "bake kiln duration (/b) = 4 hours",
                                        "bake kiln north old duration (/b) = 5 hours" };
  static const char *const agreed[] = { "bake kiln north duration (/a) = 3 hours", "bake kiln duration (/b) = 4 hours",
                                        "bake kiln north old duration (/b) = 3 hours" };
  static const char *const two[] = { "bake kiln north duration (/a) = 3 hours", "bake kiln north old duration (/b) = 4 hours",
                                     "bake kiln north new duration (/b) = 5 hours" };
  assert_true(are_one(nearer, 2));
  assert_false(are_one(agreed, 3));
  assert_false(are_one(two, 3));
}

static void rows_know_that_they_have_a_topic(void **state) {
  (void)state;
  hm_row r = line("r", SENSOR);
  assert_true(hm_row_has_topic(&r));
  r.slot_rule = HM_STR("gain = 5");
  assert_false(hm_row_has_topic(&r));
}

static int set_up(void **state) { (void)state; A = hm_arena_new(); return 0; }
static int tear_down(void **state) { (void)state; hm_arena_free(A); return 0; }

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(topics_of_other_words_are_one), cmocka_unit_test(what_keeps_topics_apart),
    cmocka_unit_test(topics_are_one_by_rare_words), cmocka_unit_test(small_counts_do_not_meet_by_their_slot),
    cmocka_unit_test(only_the_nearest_topic_of_a_document_counts), cmocka_unit_test(rows_know_that_they_have_a_topic),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
