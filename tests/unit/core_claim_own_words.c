/* A text's slot in its own words (hm_prose_claim.written): there it meets states and entities, and
 * no other text. And labels of other languages. */
#include "core_claim_help.h"

static hm_arena *A;

static size_t disagreements(hm_row x, hm_row y) {
  bool both;
  return help_disagreements(A, x, y, &both);
}

static void test_states(void **state) {
  (void)state;
  static const struct { const char *key, *value, *text; size_t pairs; } cases[] = {
    { "payments_timeout", "30 s", "The payments timeout is 45 s.", 1 },
    { "payments_timeout", "45 s", "The payments timeout is 45 s.", 0 },
    { "payment_timeout", "30 s", "The payments timeout is 45 s.", 1 },
    { "payments_timeout", "30 s", "The timeout of payments is 45 s.", 1 },
    { "max_payments_size", "4 MB", "The maximum payments size is 8 MB.", 1 },
    { "payments_owner", "Ann", "The owner of payments is Bob.", 1 },
    { "staging_payments_timeout", "30 s", "In staging, the payments timeout is 45 s.", 1 },
    { "payments_timeout", "30 s", "In staging, the payments timeout is 45 s.", 0 },
    { "broker", "Kafka", "The broker is RabbitMQ.", 1 },
    { "message_broker", "Kafka", "The broker is RabbitMQ.", 1 },
    { "web_framework", "Django", "The web framework is Flask.", 1 },
    { "lead_engineer", "Ann", "The lead engineer is Bob.", 1 },
    /* another kind of value is about something else */
    { "cache", "256 MB", "The cache is Memcached.", 0 },
    { "cache", "Redis", "The cache is Memcached.", 1 },
    /* not the value of the phrase, but when or where it is */
    { "launch", "Ariane 6", "The launch is on 2026-10-14.", 0 },
    { "office", "small", "The office is in Munich.", 0 },
    { "standup", "daily", "The standup is at 10 am.", 0 },
  };
  for (size_t i = 0; i < HM_COUNT(cases); i++) {
    size_t n = disagreements(help_state(cases[i].key, cases[i].value), help_text(cases[i].text));
    if (n != cases[i].pairs) fail_msg("%s: %zu pairs with %s", cases[i].key, n, cases[i].text);
  }
}

/* Two texts contradict each other once, in their slot. */
static void test_texts(void **state) {
  (void)state;
  assert_int_equal(disagreements(help_text("The payments timeout is 45 s."),
                                 help_text("The payments timeout is 30 s.")), 1);
  assert_int_equal(disagreements(help_text("The payments timeout is 45 s."),
                                 help_text("The timeout for payments is 30 s.")), 1);
  assert_int_equal(disagreements(help_text("The broker is not RabbitMQ."),
                                 help_text("The broker is RabbitMQ.")), 1);
  assert_int_equal(disagreements(help_text("The broker is Kafka."),
                                 help_text("The message broker is RabbitMQ.")), 1);
}

/* A label, a separator and an amount, in any script. */
static void test_labels(void **state) {
  (void)state;
  static const struct { const char *x, *y; size_t pairs; } cases[] = {
    { "容量：512", "容量：256", 1 },
    { "容量：512", "容量：512", 0 },
    { "容量：512", "温度：256", 0 },
    { "Пауза: 5 мин", "Пауза: 7 мин", 1 },
    { "Пауза: 5 мин", "Пауза: 300 с", 0 },
    { "Frist: 3 Wochen", "Frist: 4 Wochen", 1 },
    { "Frist: 3 Wochen", "Frist: 21 Tage", 0 },
    { "備考：明日また確認する。", "備考：もう確認した。", 0 },
    { "Notiz: 3 Punkte offen", "Notiz: 4 Punkte offen", 0 },
  };
  for (size_t i = 0; i < HM_COUNT(cases); i++) {
    size_t n = disagreements(help_text(cases[i].x), help_text(cases[i].y));
    if (n != cases[i].pairs) fail_msg("%s | %s: %zu pairs", cases[i].x, cases[i].y, n);
  }
}

static int setup(void **state) { (void)state; A = hm_arena_new(); return 0; }
static int teardown(void **state) { (void)state; hm_arena_free(A); return 0; }

int main(void) {
  const struct CMUnitTest tests[] = { cmocka_unit_test(test_states), cmocka_unit_test(test_texts),
                                      cmocka_unit_test(test_labels) };
  return cmocka_run_group_tests(tests, setup, teardown);
}
