/* The table of rules: each is sound; its answer for what a change touches is its answer for
 * everything; what it did not declare it cannot read. Generated from the table, and from rules of
 * this test for keys that no shipped rule reads by. */
#include "tests/unit/core_detect_rules_help.h"

/* --- the table ------------------------------------------------------------------------- */

static void rules_say_what_they_are(void **unused) {
  (void)unused;
  const hm_rule *r;
  size_t worlds = 0;
  for (size_t i = 0; i < hm_config_rule_table(NULL)->n; i++) {
    r = nth_rule(i);
    assert_true(r->name && r->version > 0 && r->kind && r->find && strlen(r->says) > 10);
    assert_ptr_equal(hm_rule_named(hm_config_rule_table(NULL), hm_str_c(r->name)), r);
    assert_true(r->layers != 0);
    assert_int_equal(r->by == HM_BY_BALL, r->radius > 0);
    assert_int_equal(r->by == HM_BY_WORLD, r->world != NULL);
    assert_true(r->by != HM_BY_TYPE || r->types);
    assert_true(!r->explain || r->yields == HM_YIELDS_CONFLICT);
    assert_true(r->yields == HM_YIELDS_FINDING || r->columns & HM_COL_CREATED);
    if (r->world) assert_true(strlen(r->world) > 20);
    worlds += r->world != NULL;
  }
  assert_true(worlds <= 3);
}

/* --- what a change touches --------------------------------------------------------------- */

static bool is_part(const hm_row *r) { return hm_str_is(r->type, "PART_OF"); }

/* The slots of claims that one has and the other has not; and of all parts where one of them
 * changed, as it may be what the others lie in. */
static void differing_slots(const look *x, const look *y, const bool *changed, uint64_t *slots,
                            size_t *n, hm_arena *a) {
  bool parts = false;
  for (size_t i = 0; i < 4 * OF_A_LAYER; i++)
    parts = parts || (changed[i] && (is_part(&x->facts->rows[i]) || is_part(&y->facts->rows[i])));
  for (size_t i = 0; i < x->claims->n + x->claims->n_context; i++) {
    const hm_claim *c = &x->claims->claims[i];
    bool same = false;
    for (size_t k = 0; k < y->claims->n + y->claims->n_context && !same; k++) {
      const hm_claim *e = &y->claims->claims[k];
      same = c->layer == e->layer && c->project == e->project && c->stands == e->stands &&
          hm_str_eq(x->snap->rows[c->row].id, y->snap->rows[e->row].id) &&
          hm_str_eq(x->snap->rows[c->row].created_at, y->snap->rows[e->row].created_at) &&
          x->snap->rows[c->row].status == y->snap->rows[e->row].status &&
          hm_str_eq(c->name, e->name) && hm_str_eq(c->space, e->space) && hm_str_eq(c->field, e->field) &&
          hm_str_eq(c->compare, e->compare) && hm_str_eq(c->value.raw, e->value.raw) &&
          !memcmp(c->when, e->when, sizeof *c->when);
    }
    if (!same || (parts && c->containment))
      slots[(*n)++] = hm_str_hash(hm_conflict_slot_key(a, x->snap, c));
  }
}

static int by_number(const void *x, const void *y) {
  const uint64_t *a = x, *b = y;
  return (*a > *b) - (*a < *b);
}

/* The rows of one that the other's are to run again, too. */
static void map_rows(const look *from, const bool *rows, const look *to, bool *out) {
  for (size_t i = 0; i < from->snap->n_rows; i++) {
    const hm_row *r = &from->snap->rows[i];
    uint32_t k = rows[i] ? hm_snapshot_row(to->snap, r->layer, r->id) : HM_MAP_NONE;
    if (k != HM_MAP_NONE) out[k] = true;
  }
}

static void keys_of(const look at[2], const hm_rule *rule, const bool *changed, hm_rule_keys out[2],
                    hm_arena *a) {
  bool *rows[2], *all[2];
  size_t most = at[0].claims->n + at[0].claims->n_context + at[1].claims->n +
      at[1].claims->n_context;
  uint64_t *slots = hm_alloc_array(a, most, sizeof *slots);
  size_t n = 0;
  for (int k = 0; k < 2; k++) {
    rows[k] = hm_alloc_array(a, at[k].snap->n_rows, sizeof *rows[k]);
    all[k] = hm_alloc_array(a, at[k].snap->n_rows, sizeof *all[k]);
    for (size_t i = 0; i < 4 * OF_A_LAYER; i++) {
      const hm_row *r = &at[k].facts->rows[i];
      uint32_t row = changed[i] ? hm_snapshot_row(at[k].snap, r->layer, r->id) : HM_MAP_NONE;
      if (row != HM_MAP_NONE) rows[k][row] = true;
    }
    hm_rule_add_affected(rule, at[k].snap, rows[k]);
    differing_slots(&at[k], &at[!k], changed, slots, &n, a);
  }
  qsort(slots, n, sizeof *slots, by_number);
  for (int k = 0; k < 2; k++) {
    map_rows(&at[k], rows[k], &at[k], all[k]);
    map_rows(&at[!k], rows[!k], &at[k], all[k]);
    out[k] = (hm_rule_keys){ .rows = all[k], .slots = slots, .n_slots = n, .world = true };
  }
}

/* Before, without what the keys gave then, with what they give now. */
static bool answers_agree(const look at[2], const hm_rule *rule, const hm_rule_keys keys[2],
                          int threads, hm_arena *a, size_t *told) {
  lines *whole[2], *part[2];
  for (int k = 0; k < 2; k++) {
    whole[k] = hm_alloc(a, sizeof *whole[k]);
    part[k] = hm_alloc(a, sizeof *part[k]);
    answer(&at[k], rule, NULL, threads, whole[k], a);
    answer(&at[k], rule, &keys[k], threads, part[k], a);
  }
  lines *got = hm_alloc(a, sizeof *got);
  size_t gone = 0;
  for (size_t i = 0; i < whole[0]->n; i++)
    if (gone < part[0]->n && hm_str_eq(whole[0]->v[i], part[0]->v[gone])) gone++;
    else got->v[got->n++] = whole[0]->v[i];
  if (gone != part[0]->n) return false;
  for (size_t i = 0; i < part[1]->n; i++) got->v[got->n++] = part[1]->v[i];
  qsort(got->v, got->n, sizeof *got->v, by_text);
  *told += part[1]->n;
  bool same = got->n == whole[1]->n;
  for (size_t i = 0; same && i < got->n; i++) same = hm_str_eq(got->v[i], whole[1]->v[i]);
  return same;
}

static size_t disagreements(const hm_rule *rule, uint64_t seed, int rounds, size_t *told) {
  size_t bad = 0;
  rng = seed;
  for (int i = 0; i < rounds; i++) {
    hm_arena *a = hm_arena_new();
    facts before = { .unclear = roll(2),
                     .flagged = rule->find == hm_find_flagged && roll(2),
                     .lives = rule->reads_lives || rule->ends_of,
                     .rule = rule },
          after;
    bool changed[5 * OF_A_LAYER] = { false };
    do theme = roll(HM_COUNT(THEMES));
    while (rule->gap && strcasecmp(rule->types[0], THEMES[theme].type) != 0);
    for (size_t k = 0; k < 4 * OF_A_LAYER; k++) write_row(&before, k);
    write_links(&before);
    after = before;
    for (unsigned n = 1 + roll(3); n > 0; n--) {
      size_t k = roll(4 * OF_A_LAYER);
      changed[k] = true;
      write_row(&after, k);
    }
    if (!roll(4)) after.unclear = !before.unclear;
    if (rule->find == hm_find_flagged && !roll(4)) after.flagged = !before.flagged;
    look at[2] = { look_at(&before, a), look_at(&after, a) };
    hm_rule_keys keys[2];
    keys_of(at, rule, changed, keys, a);
    bad += !answers_agree(at, rule, keys, 1 + i % 3, a, told);
    hm_claims_free(at[0].claims);
    hm_claims_free(at[1].claims);
    hm_arena_free(a);
  }
  return bad;
}

static void a_change_is_answered_as_everything(void **unused) {
  (void)unused;
  for (size_t i = 0; nth_rule(i); i++) {
    size_t told = 0, bad = disagreements(nth_rule(i), 1 + i, ROUNDS, &told);
    if (bad) fail_msg("%s: %zu of %d answers differ", nth_rule(i)->name, bad, ROUNDS);
    if (told < ROUNDS / 60) fail_msg("%s: found only %zu things", nth_rule(i)->name, told);
  }
}

/* --- rules that read what they did not declare -------------------------------------------- */

/* Reads the row beside its own. */
static void find_beside(const hm_scope *s, hm_found *out) {
  uint32_t other = s->rows[0] ? s->rows[0] - 1 : 1;
  if (other < s->snap->n_rows && s->snap->rows[other].status == HM_ACTIVE) tell(s, out, HM_EMPTY);
}

static void find_text(const hm_scope *s, hm_found *out) {
  if (s->snap->rows[s->rows[0]].text.n > 1) tell(s, out, HM_EMPTY);
}

static void find_other_claims(const hm_scope *s, hm_found *out) {
  const hm_claim *c = s->slot->items[0].claim;
  for (int i = 1; i < 40; i++)   /* the nearest first: beyond the array lies anything */
    if (c[i].project == 2 || c[-i].project == 2) tell(s, out, HM_EMPTY);
}

static void find_other_life(const hm_scope *s, hm_found *out) {
  uint32_t first = (uint32_t)s->snap->first[HM_ENTITY];
  for (uint32_t i = first; i < s->snap->first[HM_ENTITY + 1]; i++)
    if (i != s->rows[0] && hm_existence_find(s->lives, i)) tell(s, out, HM_EMPTY);
}

#define PEEK .version = 1, .kind = "peek", .says = "", .layers = HM_IN_ROWS
static const hm_rule PEEKS[] = {
  { .name = "peek/row", PEEK, .by = HM_BY_ROW, .find = find_beside },
  { .name = "peek/column", PEEK, .by = HM_BY_ROW, .columns = HM_COL_NAME, .find = find_text },
  { .name = "peek/card", PEEK, .by = HM_BY_REF, .columns = HM_COL_FROM, .find = find_beside },
  { .name = "peek/claims", PEEK, .by = HM_BY_SLOT, .find = find_other_claims },
  { .name = "peek/component",
    PEEK,
    .by = HM_BY_COMPONENT,
    .columns = HM_COL_SUPERSEDED_BY,
    .find = find_text },
  { .name = "peek/lives", PEEK, .by = HM_BY_ROW, .reads_lives = true, .find = find_other_life },
};

/* The property test finds the one that reads a row out of its scope, too. */
static void an_undeclared_read_makes_answers_differ(void **unused) {
  (void)unused;
#ifndef __SANITIZE_ADDRESS__
  size_t told = 0;
  assert_true(disagreements(&PEEKS[0], 7, ROUNDS, &told) > 0);
#else
  skip();
#endif
}

/* What a child of the process ends with that runs the rule. The store is made before: only the rule
 * can end the child. */
static int run_in_child(const hm_rule *rule) {
  hm_arena *a = hm_arena_new();
  facts f = { .lives = rule->reads_lives || rule->ends_of, .rule = rule };
  lines *out = hm_alloc(a, sizeof *out);
  rng = 6; /* with a contested slot */
  for (size_t k = 0; k < 4 * OF_A_LAYER; k++) write_row(&f, k);
  look l = look_at(&f, a);
  pid_t child = fork();
  if (!child) {
    int quiet = open("/dev/null", O_WRONLY);
    dup2(quiet, 2);
    answer(&l, rule, NULL, 1, out, a);
    _exit(0);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  hm_claims_free(l.claims);
  hm_arena_free(a);
  return status;
}

static void an_undeclared_read_ends_the_program(void **unused) {
  (void)unused;
#ifndef __SANITIZE_ADDRESS__
  skip();
#endif
  for (size_t i = 0; i < sizeof PEEKS / sizeof *PEEKS; i++)
    if (!run_in_child(&PEEKS[i])) fail_msg("%s was not stopped", PEEKS[i].name);
  for (size_t i = 0; nth_rule(i); i++)
    if (run_in_child(nth_rule(i))) fail_msg("%s reads what it did not declare", nth_rule(i)->name);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(rules_say_what_they_are),
    cmocka_unit_test(a_change_is_answered_as_everything),
    cmocka_unit_test(an_undeclared_read_makes_answers_differ),
    cmocka_unit_test(an_undeclared_read_ends_the_program),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
