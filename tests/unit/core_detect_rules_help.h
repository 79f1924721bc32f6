/* Rules of the tests, random stores, and what a rule answers about one as lines, for the tests of the
 * table of rules. */
#ifndef CORE_DETECT_RULES_HELP_H
#define CORE_DETECT_RULES_HELP_H
#include "tests/unit/core_base_prng.h"
#include "tests/unit/core_detect_help.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/claim/judged.h"
#include "core/detect/rule.h"

enum { ROUNDS = 300, OF_A_LAYER = 8 };

/* --- rules of this test ------------------------------------------------------------- */

static void tell(const hm_scope *s, hm_found *out, hm_str what) {
  hm_arena *a = hm_found_arena(out);
  hm_str *rows = hm_alloc_array(a, s->n_rows, sizeof *rows);
  for (size_t i = 0; i < s->n_rows; i++) rows[i] = hm_row_ref(a, &s->snap->rows[s->rows[i]]);
  hm_found_add_finding(
      out, (hm_finding){ .rows = rows, .n_rows = s->n_rows, .message = hm_str_dup(a, what) });
}

static void find_names(const hm_scope *s, hm_found *out) {
  const hm_row *r = &s->snap->rows[s->rows[0]];
  if (r->name.n > 4) tell(s, out, r->name);
}

/* What a component looks like as a whole. */
static void find_shape(const hm_scope *s, hm_found *out) {
  hm_str says = hm_str_fmt(s->scratch, "%zu rows", s->n_rows);
  for (size_t i = 0; i < s->n_rows; i++)
    says = HM_CAT(s->scratch, says, HM_STR(" "), s->snap->rows[s->rows[i]].id);
  for (size_t i = 0; i < s->n_cards; i++)
    says = HM_CAT(s->scratch, says, HM_STR(" "), s->cards[i].ref.n ? s->cards[i].ref : HM_EMPTY,
                  s->cards[i].to == HM_MAP_NONE ? HM_STR("?") : HM_EMPTY);
  tell(s, out, says);
}

static const char *const PARTS[] = { "PART_OF", NULL };
#define SHAPE .version = 1, .kind = "shape", .says = "", .layers = HM_IN_ROWS, .find = find_shape
static const hm_rule MORE[] = {
  { .name = "names", .version = 1, .kind = "name", .says = "", .by = HM_BY_ROW,
    .layers = HM_IN(HM_STATE), .columns = HM_COL_NAME, .find = find_names },
  { .name = "parts", SHAPE, .by = HM_BY_COMPONENT, .ends_of = PARTS,
    .columns = HM_COL_FROM | HM_COL_TO },
};
#define N_MORE (sizeof MORE / sizeof *MORE)

/* Shipped ones and these, in turn; NULL after the last. */
static const hm_rule *nth_rule(size_t i) {
  const hm_rule_table *t = hm_config_rule_table(NULL);
  return i < t->n ? &t->rules[i] : i - t->n < N_MORE ? &MORE[i - t->n] : NULL;
}

/* --- random stores --------------------------------------------------------------------- */

typedef struct {
  hm_row rows[5 * OF_A_LAYER];
  bool there[5 * OF_A_LAYER];
  hm_link links[6]; size_t n_links;
  bool unclear, flagged, lives; /* lives: with births, deaths, events, for this rule */
  const hm_rule *rule;
} facts;

/* What a store has more of, so that rules about types find something. */
static const struct {
  const char *type, *tie;
} THEMES[] = {
  { "Person", "DESCENDED_FROM" }, { "Faction", "FOUNDED" },        { "Location", "PART_OF" },
  { "Event", "OCCURRED_AT" },     { "Event", "OCCURRED_DURING" },  { "Item", "POSSESSES" },
  { "Spell", "PART_OF_SYSTEM" },  { "Material", "USES_MATERIAL" }, { "Parameter", "AFFECTS" },
  { "Constraint", "AFFECTS" },    { "Result", "SUPPORTS" },        { "Component", "PARENT_OF" },
};
static size_t theme;
static uint64_t rng;
static unsigned roll(unsigned n) { return (unsigned)(prng(&rng) % n); }
#define PICK(...)                                                                                  \
  hm_str_c(((const char *const[]){                                                                 \
      __VA_ARGS__ })[roll(sizeof(const char *const[]){ __VA_ARGS__ } / sizeof(char *))])

static hm_str any_id(void) {
  return PICK("a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "entity:a1", "memory:a2",
              "project_state:a3", "relation:a4", "gone", "entity:gone");
}

/* In worlds that ask for what the rule holds. */
static const hm_rules *rules_of(const hm_rule *rule) {
  static hm_rules asked;
  static hm_arena *kept;
  static const char *const names[] = { "", "p", "q" };
  hm_world_text texts[HM_COUNT(names)];
  hm_world_fault fault;
  if (rule->find != hm_find_parents_alike) return hm_rules_default();
  if (asked.worlds) return &asked;
  for (size_t i = 0; i < HM_COUNT(names); i++)
    texts[i] = (hm_world_text){ hm_str_c(names[i]), HM_EMPTY, -1, -1, -1, true };
  asked = *hm_rules_default();
  kept = hm_arena_new();
  hm_worlds *worlds;
  assert_true(hm_worlds_new(kept, texts + 1, 2, NULL, 0, &worlds, &fault));
  asked.worlds = worlds;
  return &asked;
}

static void write_row(facts *f, size_t i) {
  static const char *const ids[] = { "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7" };
  hm_layer l = (hm_layer)(1 + i / OF_A_LAYER);
  hm_row *r = &f->rows[i];
  const char *id = ids[i % OF_A_LAYER];
  hm_str value = PICK("A", "B", "3 kg", "3000 g", "4 kg");
  if (l == HM_MEMORY)
    *r = help_memory(id, "knowledge", roll(3), PICK("mass is 5 kg", "mass is 4 kg", "mass is 3 kg").p);
  if (l == HM_ENTITY)
    *r = help_entity(id, "Component", roll(3), "mass",
                     PICK("{\"component_name\":\"m\",\"mass\":\"A\"}", "{\"mass\":\"3 kg\"}",
                          "{\"mass\":{\"m\":1}}", "[1]", "{\"mass\":\"B\",\"size\":3}")
                         .p);
  if (l == HM_ENTITY && f->lives && roll(9))
    *r = help_entity(id, PICK("Person", "Event", "Era").p, roll(3), "x",
                     PICK("{\"birth\":\"2026-02\",\"date\":\"2025\"}",
                          "{\"birth\":\"1930\",\"death\":\"2026-01\"}",
                          "{\"birth\":\"2026-02-11\",\"death\":\"2026-02-20\"}",
                          "{\"birth\":\"2026-03\",\"death\":\"2025\",\"date\":\"2026\"}",
                          "{\"begins\":\"2026-03\",\"ends\":\"2027\",\"date\":\"2026-01-05\"}",
                          "{\"birth\":\"1950\",\"death\":\"1990\",\"date\":\"1970\"}")
                         .p);
  if (l == HM_ENTITY && !f->lives && roll(2))
    *r = help_entity(id, roll(3) ? THEMES[theme].type : PICK("Region", "Era", "Faction").p, roll(3),
                     "name", PICK("{}", "{}", "{\"birth\":340}", "{\"date\":\"0340\"}").p);
  if (l == HM_ENTITY && f->rule->find == hm_find_parents_alike)
    r->props = PICK("{\"gender\":\"M\"}", "{\"sex\":\"male\"}", "{\"gender\":\"male\"}", "{}");
  if (l == HM_ENTITY && f->rule->find == hm_find_record_faults)
    r->props = PICK("{\"record_faults\":[\"x: a.md:1\",\"y\"]}", "{\"record_faults\":3}", "{}", "{");
  if (l == HM_STATE) *r = help_state(id, "x", roll(3), PICK("mass", "speed", "m").p, value.p);
  if (l == HM_STATE) r->value_is_json = !roll(4);   /* which it is not */
  if (l == HM_RELATION)
    *r = (hm_row){ .layer = l,
                   .project = roll(3),
                   .id = hm_str_c(id),
                   .type = PICK("PART_OF", "AFFECTS", "PARENT_OF", "PARENT_OF", "PARENT_OF"),
                   .from = any_id(),
                   .to = roll(8) ? any_id() : HM_EMPTY,
                   .name = HM_EMPTY,
                   .text = HM_EMPTY };
  if (l == HM_RELATION && !f->lives && hm_str_is(r->type, "PARENT_OF")) r->to = HM_STR("a1");
  else if (l == HM_RELATION && !f->lives && roll(2)) r->type = hm_str_c(THEMES[theme].tie);
  if (l == HM_RELATION && f->lives) {
    unsigned n = 0;
    while (f->rule->ends_of && f->rule->ends_of[n]) n++;
    r->type = n && roll(4) ? hm_str_c(f->rule->ends_of[roll(n)])
                           : PICK("Participated in", "MEMBER_OF", "EXISTED_DURING",
                                  "OCCURRED_DURING", "parent of", "AFFECTS");
  }
  r->status = roll(6) ? HM_ACTIVE : (hm_status)roll(HM_STATUS_OTHER);
  r->created_at = PICK("2026-01-02", "2026-03-04", "");
  /* A return needs three times, what is out of date two that speak of something newer. */
  if (l == HM_MEMORY && strncmp(f->rule->name, "story/", 6) == 0) {
    r->text = PICK("mass is 5 kg", "mass is 4 kg", "Postgres 14 is our database version",
                   "Started the Postgres 17 migration", "The Postgres 17 migration goes on");
    r->created_at = PICK("2026-01-02", "2026-01-05", "2026-02-01", "2026-02-09", "2026-03-04");
    r->project = 1;
  }
  /* Texts that are alike. */
  if (l == HM_MEMORY && strncmp(f->rule->name, "similar", 7) == 0) {
    r->text = PICK("Deploy on Fridays", "Never deploy on Fridays", "On Fridays, deploy");
    r->type = roll(6) ? HM_STR("knowledge") : HM_STR("episodic");
    r->polarity = (signed char)(roll(5) ? 0 : roll(2) ? 1 : -1);
    r->tags = PICK("", "", "[\"a\"]", "[\"b\",\"a\"]", "[\"c\"]");
    r->scope = PICK("", "", "git");
    r->project = 1;
  }
  r->valid_from = roll(3) ? HM_EMPTY : PICK("2026-01", "2026-02-10", "2026-03", "no time");
  r->valid_until = roll(3) ? HM_EMPTY : PICK("2026-02", "2026-03-20", "2025");
  if (f->lives && l == HM_RELATION && roll(2))
    r->valid_from = HM_STR("2026-01"), r->valid_until = HM_STR("2026-04");
  if (f->lives && l == HM_RELATION)
    r->from = PICK("a1", "a2", "a3"), r->to = PICK("a1", "a2", "entity:a3");
  r->sources = i % 2 ? HM_STR("[\"one\"]") : roll(5) ? HM_STR("[\"two\"]") : HM_EMPTY;
  if (l == HM_RELATION && !f->lives && i % OF_A_LAYER < 4 && roll(9)) { /* one fact, told twice */
    r->type = HM_STR("PARENT_OF");
    r->from = HM_STR("a2");
    r->to = HM_STR("a1");
    r->status = HM_ACTIVE;
    r->valid_from = PICK("2026-01", "2026-02-10");
    r->valid_until = HM_EMPTY;
  }
  if (l == HM_STATE && strcmp(f->rule->name, "slot/part") == 0) { /* of manifests */
    static const char *const made[] = { "s-0", "s-1", "s-2", "s-3", "s-4", "s-5", "s-6", "s-7" };
    bool part = roll(2);
    r->id = hm_str_c(made[i % OF_A_LAYER]);
    r->sources = part ? HM_STR("apps/web/package.json:1") : HM_STR("package.json:1");
    r->name = part ? HM_STR("web port") : HM_STR("port");
    r->text = PICK("80", "81");
    r->type = HM_EMPTY;
    r->project = 1;
  }
  r->superseded_by = roll(2) ? HM_EMPTY : any_id();
  r->graduated_to = roll(4) ? HM_EMPTY : any_id();
  f->there[i] = roll(5) != 0;
}

static void write_links(facts *f) {
  f->n_links = roll(6);
  for (size_t i = 0; i < f->n_links; i++)
    f->links[i] = (hm_link){ PICK("memory:a1", "entity:a2", "memory:gone"),
                             PICK("entity:a3", "memory:a4", "entity:gone"), HM_STR("x") };
}

/* What a person confirmed: that these rows deny each other, or say the same. */
static void add_confirmed(hm_snapshot *snap, hm_arena *a) {
  static const char *const texts[] = { "Deploy on Fridays", "Never deploy on Fridays" };
  snap->n_proposals = 2;
  snap->proposals = hm_alloc_array(a, 2, sizeof *snap->proposals);
  for (int i = 0; i < 2; i++) {
    hm_proposal *p = &snap->proposals[i];
    *p = (hm_proposal){ .id = hm_str_fmt(a, "j-%016d", i), .model = HM_EMPTY, .at = HM_EMPTY,
                        .question = hm_question_to_confirm(i, HM_STR("memory:a0"),
                                                          HM_STR("memory:a1"), a) };
    p->rows = hm_alloc_array(a, OF_A_LAYER, sizeof *p->rows);
    p->digests = hm_alloc_array(a, OF_A_LAYER, sizeof *p->digests);
    for (int k = 0; k < OF_A_LAYER - 1; k++) {
      hm_row r = { .layer = HM_MEMORY, .id = hm_str_fmt(a, "a%d", k), .type = HM_STR("knowledge"),
                   .name = HM_EMPTY, .text = hm_str_c(texts[i ? k % 2 : 0]) };
      hm_judged_row j;
      assert_true(hm_judged_row_read(&r, a, &j));
      p->rows[p->n] = hm_row_ref(a, &r);
      p->digests[p->n++] = hm_judged_digest(&r, &j, a);
    }
  }
}

/* What a model read, or a person confirmed of it: these rows as they said "mass is 5 kg", or 4 kg; some say it now. */
static void add_proposals(hm_snapshot *snap, const char *says, hm_arena *a) {
  static const char *const texts[] = { "mass is 5 kg", "mass is 4 kg" };
  snap->n_proposals = HM_COUNT(texts);
  snap->proposals = hm_alloc_array(a, HM_COUNT(texts), sizeof *snap->proposals);
  for (size_t i = 0; i < HM_COUNT(texts); i++) {
    hm_proposal *p = &snap->proposals[i];
    *p = (hm_proposal){ .id = hm_str_fmt(a, "j-%016zu", i), .question = HM_STR("Is it A?"),
                        .model = HM_STR("m"), .at = HM_EMPTY, .says = hm_str_c(says) };
    p->rows = hm_alloc_array(a, OF_A_LAYER, sizeof *p->rows);
    p->digests = hm_alloc_array(a, OF_A_LAYER, sizeof *p->digests);
    for (int k = 0; k < OF_A_LAYER - 1; k++) {
      hm_row r = { .layer = HM_MEMORY, .id = hm_str_fmt(a, "a%d", k), .type = HM_STR("knowledge"),
                   .name = HM_EMPTY, .text = hm_str_c(texts[i]) };
      hm_judged_row j;
      assert_true(hm_judged_row_read(&r, a, &j));
      p->rows[p->n] = hm_row_ref(a, &r);
      p->digests[p->n++] = hm_judged_digest(&r, &j, a);
    }
  }
}

/* Sources that named each row once; some do not any more. */
static void add_absent(hm_snapshot *snap, hm_arena *a) {
  snap->evidence = hm_alloc_array(a, snap->n_rows + 1, sizeof *snap->evidence);
  for (uint32_t i = 0; i < snap->n_rows; i++)
    snap->evidence[snap->n_evidence++] =
        (hm_evidence){ .row = i, .source = i % 2 ? HM_STR("a.csv") : HM_STR("b/a.csv"), .only = true,
                       .absent = roll(3) == 0, .as = snap->rows[i], .date = HM_EMPTY };
}

typedef struct { hm_snapshot *snap; hm_claims *claims; const facts *facts; } look;

static look look_at(const facts *f, hm_arena *a) {
  static const char *const projects[] = { "", "p", "q" };
  hm_row rows[5 * OF_A_LAYER];
  hm_err err;
  size_t n = 0;
  look l = { .facts = f };
  for (size_t i = 0; i < 4 * OF_A_LAYER; i++)
    if (f->there[i]) rows[n++] = f->rows[i];
  l.snap = help_snapshot(a, projects, 3, rows, n);
  if (f->rule->find == hm_find_judged) add_proposals(l.snap, HM_SAYS_CONFIRMED, a);
  if (f->rule->find == hm_find_reported) add_proposals(l.snap, NULL, a);
  if (f->rule->find == hm_find_confirmed) add_confirmed(l.snap, a);
  if (f->rule->find == hm_find_absent) add_absent(l.snap, a);
  l.snap->links = (hm_link *)f->links;
  l.snap->n_links = f->n_links;
  if (f->flagged) {
    l.snap->remarks[HM_REMARK_FLAG] = hm_alloc(a, sizeof(hm_remark));
    *l.snap->remarks[HM_REMARK_FLAG] = (hm_remark){ .subject = hm_row_ref(a, &l.snap->rows[0]) };
    l.snap->n_remarks[HM_REMARK_FLAG] = 1;
  }
  if (f->unclear) {
    l.snap->projects[2].fits[0] = HM_STR("Q");
    l.snap->projects[2].fits[1] = HM_STR("q ");
  }
  assert_int_equal(hm_claims_read(l.snap, rules_of(f->rule), 1, &l.claims, &err), 0);
  return l;
}

/* --- answers as lines ------------------------------------------------------------------- */

typedef struct { hm_str v[4096]; size_t n; } lines;

static int by_text(const void *x, const void *y) {
  return hm_str_cmp(*(const hm_str *)x, *(const hm_str *)y);
}

static void answer(const look *l, const hm_rule *rule, int threads,
                   lines *out, hm_arena *a) {
  hm_rule_table table = { rule, 1 };
  hm_rules config = *rules_of(rule);
  hm_disputes *d;
  hm_err err;
  config.table = &table;
  out->n = 0;
  assert_int_equal(hm_rules_run(l->snap, l->claims, &config, HM_RUN_ALL, threads, a, &d, &err), 0);
  for (size_t i = 0; i < d->n_findings; i++) {
    const hm_finding *f = &d->findings[i];
    hm_str line = HM_CAT(a, f->rule, HM_STR(" "), f->project, HM_STR(" "), f->message, f->actual);
    for (size_t k = 0; k < f->n_rows; k++) line = HM_CAT(a, line, HM_STR(" "), f->rows[k]);
    out->v[out->n++] = line;
  }
  for (size_t i = 0; i < d->n; i++) {
    const hm_dispute *c = &d->disputes[i];
    hm_str line = hm_str_fmt(a, "%s %.*s %s %lld %lld %lld", c->rule->name, HM_FMT(c->slot_key),
                             c->slot_kind, (long long)c->since, (long long)c->from,
                             (long long)c->until);
    for (size_t k = 0; k < c->n; k++)
      line = HM_CAT(a, line, HM_STR(" "), hm_row_ref(a, &l->snap->rows[c->parties[k].claim->row]),
                    HM_STR("="), c->parties[k].claim->value.raw,
                    c->parties[k].flagged ? HM_STR("!") : HM_EMPTY);
    out->v[out->n++] = line;
  }
  assert_true(out->n < 4096);
  qsort(out->v, out->n, sizeof *out->v, by_text);
}

#endif
