/* The cases of the specification, from rows to disputes and plan. */
#include "tests/unit/core_detect_help.h"

static const char *const P[] = { "", "p04", "p05-interferometer" };
enum { GLOBAL, P04, P05 };

#define LOOK(rows) help_look_at(a, P, 3, rows, sizeof(rows) / sizeof *(rows), hm_rules_default(), 2)

static hm_arena *a;
static int begin(void **unused) { (void)unused; a = hm_arena_new(); return 0; }
static int end(void **unused) { (void)unused; hm_arena_free(a); return 0; }

static hm_row decision(const char *id, const char *value) {
  char *props = hm_alloc(a, strlen(value) + 200);
  strcat(
      strcpy(props,
             "{\"decision_target\":\"lateral support\",\"decision_field\":\"material\",\"value\":"),
      value);
  return help_entity(id, "Decision", P05, "Lateral support material", strcat(props, "}"));
}
static hm_row support(const char *id, const char *value) {
  return help_state(id, "decision", P05, "lateral_support_material", value);
}
static hm_row knows(const char *id, const char *content) {
  return help_memory(id, "knowledge", P05, content);
}
static hm_row prefers(const char *id, const char *content) {
  return help_memory(id, "preference", P05, content);
}

/* One dispute of this kind, whose members are these ids in order; a '!' marks the flagged. */
static void one(help_look l, const char *kind, const char *members) {
  assert_int_equal(l.disputes->n, 1);
  const hm_dispute *d = &l.disputes->disputes[0];
  assert_string_equal(d->slot_kind, kind);
  hm_buf b = { 0 };
  for (size_t i = 0; i < d->n; i++) {
    if (i) hm_buf_ch(&b, ' ');
    hm_buf_str(&b, l.snap->rows[d->parties[i].claim->row].id);
    if (d->parties[i].flagged) hm_buf_ch(&b, '!');
  }
  assert_string_equal(hm_str_z(a, hm_buf_view(&b)), members);
  hm_buf_free(&b);
  assert_int_equal(l.plan->n, 1);
  assert_int_equal(l.plan->opened, 1);
  assert_string_equal(hm_str_z(a, l.plan->changes[0].rec.slot_kind), kind);
  help_done(&l);
}

static void none(help_look l) {
  assert_int_equal(l.disputes->n, 0);
  assert_int_equal(l.plan->n, 0);
  help_done(&l);
}

static void entities_of_one_slot(void **unused) {
  (void)unused;
  hm_row rows[] = { decision("e1", "\"GF-PTFE\""), decision("e2", "\"PEEK\"") };
  help_look l = LOOK(rows);
  assert_true(hm_str_is(l.disputes->disputes[0].slot_key,
                        "[\"p05-interferometer\",\"lateral_support_material\"]"));
  one(l, "entity_slot", "e1 e2");
}

static void state_and_entity(void **unused) {
  (void)unused;
  hm_row rows[] = { decision("e1", "\"PEEK\""), support("s1", "GF-PTFE") };
  one(LOOK(rows), "cross_layer", "s1 e1!");
}

static void three_layers(void **unused) {
  (void)unused;
  hm_row three[] = { knows("m1", "Lateral support material is steel"), decision("e1", "\"PEEK\""),
                     support("s1", "GF-PTFE") };
  one(LOOK(three), "cross_layer", "s1 e1! m1!");
  hm_row same[] = { knows("m1", "Lateral support material is gf-ptfe."),
                    decision("e1", "\"GF-PTFE\""), support("s1", "GF-PTFE") };
  none(LOOK(same));
  hm_row between[] = { knows("m1", "Lateral support material is GF-PTFE"),
                       decision("e1", "\"PEEK\""), support("s1", "GF-PTFE") };
  /* The memory says what the state says, whatever the entity says. */
  one(LOOK(between), "cross_layer", "s1 e1! m1");
}

static void states(void **unused) {
  (void)unused;
  hm_row rows[] = { support("s1", "GF-PTFE"), support("s2", "PEEK") };
  one(LOOK(rows), "state_slot", "s1 s2");
}

static void memories(void **unused) {
  (void)unused;
  hm_row workflows[] = { prefers("m1", "prefers rebase workflow"),
                         prefers("m2", "prefers merge-commit workflow") };
  one(LOOK(workflows), "memory_slot", "m1 m2");
  hm_row diffs[] = { prefers("m1", "prefers small diffs"), prefers("m2", "prefers small diffs"),
                     prefers("m3", "likes small diffs") };
  none(LOOK(diffs));
  hm_row roles[] = { help_memory("m1", "identity", P05, "role: optical engineer"),
                     help_memory("m2", "identity", P05, "role: mechanical engineer") };
  one(LOOK(roles), "memory_slot", "m1 m2");
  hm_row other[] = { help_memory("m1", "identity", P05, "role: optical engineer"),
                     help_memory("m2", "identity", P05, "background: mechanics") };
  none(LOOK(other));
  hm_row episodes[] = { help_memory("m1", "episodic", P05, "The mirror is broken"),
                        help_memory("m2", "episodic", P05, "The mirror is whole") };
  none(LOOK(episodes));
  hm_row prose[] = { knows("m1", "Lateral support material is PEEK"),
                     knows("m2", "Lateral support material is steel") };
  one(LOOK(prose), "memory_slot", "m1 m2");
  hm_row expensive[] = { knows("m1", "Lateral support material is expensive"),
                         knows("m2", "Lateral support material is cheap") };
  none(LOOK(expensive));
}

static void only_active_rows(void **unused) {
  (void)unused;
  const hm_status silent[] = { HM_CANDIDATE, HM_SUPERSEDED, HM_INVALID, HM_GRADUATED,
                               HM_STATUS_OTHER };
  for (size_t i = 0; i < sizeof silent / sizeof *silent; i++) {
    hm_row rows[] = { decision("e1", "\"PEEK\""), support("s1", "GF-PTFE"),
                      knows("m1", "Lateral support material is steel") };
    rows[0].status = rows[2].status = silent[i];
    none(LOOK(rows));
  }
}

static void other_slots(void **unused) {
  (void)unused;
  hm_row requirements[] = { help_entity("e1", "Requirement", P05, "mass",
                                        "{\"requirement_key\":\"mass\",\"limit\":\"5 kg\"}"),
                            help_entity("e2", "Requirement", P05, "heat",
                                        "{\"requirement_key\":\"heat\",\"limit\":\"5 W\"}") };
  none(LOOK(requirements));
  hm_row artifacts[] = { help_entity("e1", "Artifact", P05, "drawing", "{\"revision\":\"A\"}"),
                         help_entity("e2", "Artifact", P05, "drawing", "{\"revision\":\"B\"}") };
  none(LOOK(artifacts));
  hm_row projects[] = { support("s1", "GF-PTFE"), support("s2", "PEEK") };
  projects[1].project = P04;
  none(LOOK(projects));
  hm_row components[] = { help_entity("e1", "Component", P05, "Mount",
                                      "{\"subsystem_name\":\"frame\",\"mass\":\"2 kg\"}"),
                          help_entity("e2", "Component", P05, "Mount",
                                      "{\"subsystem_name\":\"frame\",\"vendor\":\"Acme\"}") };
  none(LOOK(components));
}

static void values(void **unused) {
  (void)unused;
  static const struct { const char *key, *x, *y; bool conflict;
  } cases[] = {
    { "exposure", "30 s", "30000 ms", false }, { "exposure", "30 s", "31 s", true },
    { "mass", "4.8 kg", "4.82 kg", true },     { "version", "3.10", "3.1", true },
    { "width", "468", "468.0", false },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hm_row rows[] = { help_state("s1", "fact", P05, cases[i].key, cases[i].x),
                      help_state("s2", "fact", P05, cases[i].key, cases[i].y) };
    if (cases[i].conflict) one(LOOK(rows), "state_slot", "s1 s2");
    else none(LOOK(rows));
  }
  static const struct { const char *x, *y; bool conflict;
  } sets[] = {
    { "[\"a\",\"b\"]", "[\"B\",\"A\"]", false },
    { "[\"a\",\"b\"]", "[\"a\"]", false },
    { "[\"a\",\"b\"]", "[\"a\",\"c\"]", true },
    { "[\"a\",\"b\"]", "\"a\"", false },
  };
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    hm_row rows[] = { decision("e1", sets[i].x), decision("e2", sets[i].y) };
    if (sets[i].conflict) one(LOOK(rows), "entity_slot", "e1 e2");
    else none(LOOK(rows));
  }
}

static void windows(void **unused) {
  (void)unused;
  hm_row rows[] = { support("s1", "GF-PTFE"), support("s2", "PEEK") };
  rows[0].valid_until = rows[1].valid_from = HM_STR("2026-04");
  none(LOOK(rows));
  rows[0].valid_until = HM_STR("2026-04-02");   /* s2 began in April, perhaps later */
  none(LOOK(rows));
  rows[1].valid_from = HM_STR("2026-04-01");
  help_look l = LOOK(rows);
  assert_int_equal(l.disputes->disputes[0].since, HM_TIME_MIN);
  one(l, "state_slot", "s1 s2");
  rows[0].created_at = HM_STR("2026-05-05");
  l = LOOK(rows);
  assert_true(hm_str_is(hm_time_iso(a, l.disputes->disputes[0].since), "2026-05-05T00:00:00Z"));
  one(l, "state_slot", "s1 s2");
}

static size_t disputes_at(const char *now, const hm_row *rows, size_t n) {
  hm_snapshot *snap = help_snapshot(a, P, 3, rows, n);
  hm_claims *claims;
  hm_disputes *d;
  hm_precision p;
  assert_true(hm_time_parse(hm_str_c(now), &snap->now, &p));
  assert_int_equal(hm_claims_read(snap, hm_rules_default(), 1, &claims, NULL), 0);
  assert_int_equal(hm_disputes_find(snap, claims, hm_rules_default(), 1, a, &d, NULL), 0);
  hm_claims_free(claims);
  return d->n;
}

/* What is over does not fight what holds; what comes holds from its beginning. */
static void now_decides(void **unused) {
  (void)unused;
  static const struct { const char *from, *until, *now; size_t n; } t[] = {
    { "", "2020", "2026", 0 },              /* over */
    { "2019", "2020-06", "2026", 0 },
    { "2019", "2028", "2026", 1 },          /* both hold */
    { "2019", "2028", "2028-02", 0 },       /* it has ended meanwhile */
    { "2027", "", "2026", 0 },              /* it comes, and the other one may have ended by then */
    { "2027", "", "2027-06", 1 },           /* it began */
  };
  for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
    hm_row rows[] = { support("s1", "GF-PTFE"), support("s2", "PEEK") };
    rows[0].valid_from = hm_str_c(t[i].from);
    rows[0].valid_until = hm_str_c(t[i].until);
    assert_int_equal(disputes_at(t[i].now, rows, 2), t[i].n);
  }
  hm_row planned[] = { support("s1", "GF-PTFE"), support("s2", "PEEK") };
  planned[0].valid_from = planned[1].valid_from = HM_STR("2027");
  assert_int_equal(disputes_at("2026", planned, 2), 1);
}

/* Who contradicts nobody is no member: what agrees does so in a time without dispute. */
static void members_overlap(void **unused) {
  (void)unused;
  hm_row rows[] = { support("s1", "GF-PTFE"), support("s2", "PEEK"), support("s3", "GF-PTFE"),
                    support("s4", "GF-PTFE") };
  rows[0].valid_from = rows[1].valid_from = HM_STR("2026");
  rows[2].valid_until = HM_STR("2026");
  rows[1].valid_until = HM_STR("2027");
  rows[3].valid_from = HM_STR("2027");
  one(LOOK(rows), "state_slot", "s1 s2");
}

/* --- several in a slot -------------------------------------------------------------- */

/* A claim of the slot "owner": value, from, until, created. Its id is the layer's letter and its
 * number. */
typedef struct { hm_layer layer; const char *value, *from, *until, *created; } said;

static hm_row row_of(const said *x, size_t i) {
  const char *id = hm_str_fmt(a, "%c%zu", "-mes"[x->layer], i + 1).p;
  hm_row r;
  if (x->layer == HM_STATE) r = help_state(id, "fact", P05, "owner", x->value);
  else if (x->layer == HM_MEMORY) r = knows(id, hm_str_fmt(a, "Owner is %s", x->value).p);
  else
    r = help_entity(id, "Parameter", P05, "Owner",
                    hm_str_fmt(a, "{\"parameter_name\":\"owner\",\"value\":\"%s\"}", x->value).p);
  r.valid_from = hm_str_c(x->from);
  r.valid_until = hm_str_c(x->until);
  r.created_at = hm_str_c(x->created);
  return r;
}

/* All disputes: "members" each, " | " between. */
static const char *disputes_in(const help_look *l) {
  hm_buf b = { 0 };
  for (size_t i = 0; i < l->disputes->n; i++) {
    const hm_dispute *d = &l->disputes->disputes[i];
    if (i) hm_buf_c(&b, " | ");
    for (size_t k = 0; k < d->n; k++) {
      if (k) hm_buf_ch(&b, ' ');
      hm_buf_str(&b, l->snap->rows[d->parties[k].claim->row].id);
      if (d->parties[k].flagged) hm_buf_ch(&b, '!');
    }
  }
  char *out = hm_str_z(a, hm_buf_view(&b));
  hm_buf_free(&b);
  return out;
}

enum { SAID_MAX = 6 };
#define S HM_STATE
#define E HM_ENTITY
#define M HM_MEMORY

static const struct { const char *what; said rows[SAID_MAX]; const char *disputes;
} SEVERAL[] = {
  { "Ann or Bob in 2020, Cid or Dee from 2026",
    { { S, "Ann", "2020-01-01", "2021-01-01", "" },
      { S, "Bob", "2020-01-01", "2021-01-01", "" },
      { S, "Cid", "2026-01-01", "", "" },
      { S, "Dee", "2026-01-01", "", "" } },
    "s1 s2 | s3 s4" },
  { "a curated state of January to March, which others do not contradict before May",
    { { S, "Ann", "2026-01-01", "2026-04-01", "" },
      { E, "Bob", "2026-05-01", "", "" },
      { M, "Cid", "2026-05-01", "", "" } },
    "e2 m3!" },
  { "one claim over both times joins them",
    { { S, "Ann", "2020-01-01", "2021-01-01", "" },
      { S, "Bob", "2020-01-01", "2021-01-01", "" },
      { S, "Cid", "2026-01-01", "", "" },
      { S, "Dee", "2026-01-01", "", "" },
      { S, "Eve", "2020-06-01", "", "" } },
    "s1 s2 s3 s4 s5" },
  { "agrees with one side, in the other's time",
    { { S, "Ann", "2020-01-01", "2020-07-01", "" },
      { S, "Bob", "2020-06-01", "2021-01-01", "" },
      { S, "Ann", "2020-09-01", "2021-01-01", "" } },
    "s1 s2 s3" },
  { "agrees with one side, in a time of its own",
    { { S, "Ann", "2020-01-01", "2020-07-01", "" },
      { S, "Bob", "2020-06-01", "2021-01-01", "" },
      { S, "Ann", "2020-01-01", "2020-03-01", "" } },
    "s1 s2" },
  { "a month beside two of its days contradicts nobody",
    { { S, "2026-04-02", "", "", "" },
      { S, "2026-04-05", "", "", "" },
      { S, "2026-04", "", "", "" } },
    "s1 s2" },
  { "an entity that agrees with one of two states contradicts neither",
    { { S, "Ann", "", "", "" }, { S, "Bob", "", "", "" }, { E, "Bob", "", "", "" } },
    "s1 s2" },
  { "and is still compared with memories",
    { { S, "Ann", "", "", "" },
      { S, "Bob", "", "", "" },
      { E, "Bob", "", "", "" },
      { M, "Cid", "", "", "" } },
    "s1 s2 e3 m4!" },
  { "whenever in June 2019 it began, a value of June 2019 lies in the time of the other",
    { { S, "Ann", "2012", "", "" },
      { S, "Bob", "2019-06", "2019", "" },
      { S, "Cid", "2019-07", "2019", "" } },
    "s1 s2 s3" },
  { "a value that was replaced within its second",
    { { S, "Ann", "2020-01-01T08:00:00Z", "2020-01-01T08:00:00Z", "" },
      { S, "Bob", "2020-01-01T08:00:00Z", "", "" },
      { S, "Cid", "2019", "2021", "" } },
    "s2 s3" },
  { "but a state that it agrees with at another time does not help it",
    { { S, "Ann", "2026-01-01", "", "" },
      { S, "Bob", "2020-01-01", "2021-01-01", "" },
      { E, "Bob", "2026-01-01", "", "" } },
    "s1 e3!" },
};

static void disputes_of_one_slot_are_told_apart(void **unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof SEVERAL / sizeof *SEVERAL; i++) {
    hm_row rows[SAID_MAX];
    size_t n = 0;
    for (; n < SAID_MAX && SEVERAL[i].rows[n].value; n++) rows[n] = row_of(&SEVERAL[i].rows[n], n);
    help_look l = help_look_at(a, P, 3, rows, n, hm_rules_default(), 1);
    const char *got = disputes_in(&l);
    if (strcmp(got, SEVERAL[i].disputes)) print_message("%s\n", SEVERAL[i].what);
    assert_string_equal(got, SEVERAL[i].disputes);
    assert_int_equal(l.plan->opened, l.disputes->n);
    help_done(&l);
  }
}

/* Flagged: contradicts a member of higher trust, agrees with none of that trust, or a higher one,
 * that overlaps it. */
static void flags(void **unused) {
  (void)unused;
  static const struct { said rows[SAID_MAX]; const char *disputes;
  } cases[] = {
    { { { S, "Ann", "", "", "" }, { E, "Bob", "", "", "" }, { M, "Cid", "", "", "" } },
      "s1 e2! m3!" },
    { { { E, "Ann", "", "", "" }, { E, "Bob", "", "", "" }, { M, "Bob", "", "", "" } },
      "e1 e2 m3" },
    { { { E, "Ann", "", "", "" }, { E, "Bob", "", "", "" }, { M, "Cid", "", "", "" } },
      "e1 e2 m3!" },
    { { { E, "Ann", "2020-01-01", "", "" },
        { E, "Bob", "2020-01-01", "2021-01-01", "" },
        { M, "Bob", "2022-01-01", "", "" } },
      "e1 e2 m3!" },
    { { { S, "Ann", "2020-01-01", "2021-01-01", "" },
        { E, "Ann", "2020-01-01", "", "" },
        { M, "Bob", "2022-01-01", "", "" } },
      "e2 m3!" },
    { { { S, "Ann", "", "", "" }, { E, "Bob", "", "", "" }, { M, "Ann", "", "", "" } },
      "s1 e2! m3" },
    { { { S, "Ann", "", "", "" }, { M, "Bob", "", "", "" }, { M, "Bob", "", "", "" } },
      "s1 m2! m3!" },
    { { { S, "Ann", "", "", "" },
        { E, "Bob", "", "", "" },
        { E, "Cid", "", "", "" },
        { M, "Bob", "", "", "" } },
      "s1 e2! e3! m4!" },
    { { { S, "Ann", "2020-01-01", "2021-01-01", "" },
        { E, "Bob", "2020-01-01", "", "" },
        { M, "Ann", "2022-01-01", "", "" } },
      "s1 e2! m3!" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hm_row rows[SAID_MAX];
    size_t n = 0;
    for (; n < SAID_MAX && cases[i].rows[n].value; n++) rows[n] = row_of(&cases[i].rows[n], n);
    help_look l = help_look_at(a, P, 3, rows, n, hm_rules_default(), 1);
    assert_string_equal(disputes_in(&l), cases[i].disputes);
    help_done(&l);
  }
}

/* The same where a rule names the pairs: a value that was left comes back. */
static void flags_of_pairs(void **unused) {
  (void)unused;
  static const hm_str fields[] = { { "decision.note", 13 } };
  const hm_story story = { .types = fields, .n_types = 1 };
  hm_rules rules = *hm_rules_default();
  rules.story = &story;
  hm_row rows[] = {
    help_entity("e1", "Decision", P05, "One", "{\"note\":\"The API timeout is 30 s.\"}"),
    help_entity("e2", "Decision", P05, "Two", "{\"note\":\"We raised the API timeout from 30 s to 60 s.\"}"),
    knows("m3", "The API timeout is 30 s."),
  };
  static const char *const days[] = { "2026-01-05", "2026-01-06", "2026-01-07" };
  for (size_t i = 0; i < 3; i++) rows[i].created_at = hm_str_c(days[i]);
  help_look l = help_look_at(a, P, 3, rows, 3, &rules, 1);
  assert_string_equal(disputes_in(&l), "e1 e2 m3");
  help_done(&l);
}

/* From when the first pair contradicts each other until when the last one does. */
static void contested_time(void **unused) {
  (void)unused;
  const said cases[][3] = {
    { { S, "Ann", "1998", "2035", "" },
      { S, "Bob", "2015", "2015-02", "" },
      { S, "Ann", "2035", "", "" } },
    { { S, "Ann", "2020-01-01", "2021-01-01", "" },
      { S, "Bob", "2020-03-01", "2020-09-01", "" },
      { S, "Bob", "2020-10-01", "", "" } },
    { { S, "Ann", "2020-01-01", "", "" },
      { S, "Bob", "2026-04-02", "", "" },
      { S, "Ann", "2026-05-01", "", "" } },
  };
  const char *const want[][2] = { { "2015", "2015-02" },
                                  { "2020-03-01", "2021-01-01" },
                                  { "2026-04-02", "" } };
  for (size_t i = 0; i < 3; i++) {
    hm_row rows[3];
    for (size_t k = 0; k < 3; k++) rows[k] = row_of(&cases[i][k], k);
    help_look l = LOOK(rows);
    const hm_conflict_rec *c = &l.plan->conflicts[0];
    assert_string_equal(hm_str_z(a, c->window_from), want[i][0]);
    assert_string_equal(hm_str_z(a, c->window_until), want[i][1]);
    help_done(&l);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(entities_of_one_slot, begin, end),
    cmocka_unit_test_setup_teardown(state_and_entity, begin, end),
    cmocka_unit_test_setup_teardown(three_layers, begin, end),
    cmocka_unit_test_setup_teardown(states, begin, end),
    cmocka_unit_test_setup_teardown(memories, begin, end),
    cmocka_unit_test_setup_teardown(only_active_rows, begin, end),
    cmocka_unit_test_setup_teardown(other_slots, begin, end),
    cmocka_unit_test_setup_teardown(values, begin, end),
    cmocka_unit_test_setup_teardown(windows, begin, end),
    cmocka_unit_test_setup_teardown(members_overlap, begin, end),
    cmocka_unit_test_setup_teardown(now_decides, begin, end),
    cmocka_unit_test_setup_teardown(disputes_of_one_slot_are_told_apart, begin, end),
    cmocka_unit_test_setup_teardown(flags, begin, end),
    cmocka_unit_test_setup_teardown(flags_of_pairs, begin, end),
    cmocka_unit_test_setup_teardown(contested_time, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
