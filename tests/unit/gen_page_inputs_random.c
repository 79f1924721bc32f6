/* The digest of what a page is made from, over random changes: pages with equal
 * digests are equal, and one change in a large project concerns few. */
#include <sqlite3.h>

#include "tests/unit/core_base_prng.h"
#include "tests/unit/gen_page_inputs_help.h"

enum { PROJECTS = 4, ROWS = 24, STEPS = 200 };

typedef struct { sqlite3 *db; uint64_t random; hm_str last; hm_arena *a; } world;

static unsigned pick(world *w, unsigned n) { return (unsigned)(prng(&w->random) % n); }
#define one_of(w, list) ((list)[pick(w, sizeof(list) / sizeof *(list))])

static void sql(world *w, const char *fmt, ...) {
  char *why = NULL, text[2048];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  w->last = hm_str_fmt(w->a, "%.*s%s; ", HM_FMT(w->last), text);
  if (sqlite3_exec(w->db, text, NULL, NULL, &why) != SQLITE_OK) fail_msg("%s: %s", text, why);
}

static const char *const statuses[] = { "active",     "active",  "active",   "active",
                                        "superseded", "invalid", "candidate" };
static const char *const names[] = { "mass", "gain", "frame leg", "mirror" };
static const char *const values[] = { "1 kg", "2 kg", "3 kg", "PEEK" };
static const char *const types[] = { "Parameter", "Decision", "Subsystem", "Component", "Own" };
static const char *const relations[] = { "PART_OF", "AFFECTS", "SUPERSEDES", "RULES", "RULES" };
static const char *const times[] = { "2024-01-01T00:00:00Z", "2025", "2025-06", "" };
static const char *const texts[] = { "We decided: gain is 2 kg, final.", "gain is 3 kg",
                                     "gain is no longer 2 kg",           "Maybe gain is 3 kg.",
                                     "gain is 2 kg on Linux",            "mass is PEEK since 2024" };
static const char *const tables[] = { "memories", "entities", "project_state", "relations" };

static const char *any_ref(world *w) {
  return hm_str_fmt(w->a, "%s%u", one_of(w, ((const char *[]){ "memory:m", "entity:e",
                                                              "project_state:s", "e" })),
                    pick(w, ROWS)).p;
}

static void write_row(world *w) {
  unsigned id = pick(w, ROWS), project = pick(w, 5) ? id % PROJECTS : pick(w, PROJECTS);
  switch (pick(w, 4)) {
  case 0:
    sql(w,
        "INSERT OR REPLACE INTO memories(id, memory_type, content, project, status, created_at, source_refs, superseded_by) "
        "VALUES('m%u','%s','%s is %s','p%u','%s','%s','[\"chat %u\"]',nullif('%s',''))",
        id, pick(w, 3) ? "knowledge" : "episodic", one_of(w, names), one_of(w, values), project,
        one_of(w, statuses), one_of(w, times), pick(w, 3), pick(w, 3) ? "" : any_ref(w));
    return;
  case 1:
    sql(w,
        "INSERT OR REPLACE INTO entities(id, entity_type, name, project, properties, status, created_at, source_refs) "
        "VALUES('e%u','%s','%s','p%u','{\"parameter_name\":\"%s\",\"value\":\"%s\",\"subsystem_id\":\"e%u\",\"founded\":\"%u\",\"note\":\"%s\"}','%s','%s','[\"meeting %u\"]')",
        id, one_of(w, types), one_of(w, names), project, one_of(w, names), one_of(w, values),
        pick(w, ROWS), 1990 + pick(w, 9), one_of(w, names), one_of(w, statuses), one_of(w, times),
        pick(w, 3));
    return;
  case 2:
    sql(w,
        "INSERT OR REPLACE INTO project_state(id, project, category, key, value, status, source, created_at) "
        "VALUES('s%u','p%u','%s','%s','%s','%s','review %u','%s')",
        id, project, one_of(w, types), one_of(w, names), one_of(w, values), one_of(w, statuses),
        pick(w, 4), one_of(w, times));
    return;
  case 3:
    sql(w,
        "INSERT OR REPLACE INTO relations(id, type, project, from_id, to_id, properties, status, valid_from) "
        "VALUES('r%u','%s','%s','%s','%s','{\"rationale\":\"because %u\"}','%s','%s')",
        id, one_of(w, relations), pick(w, 2) ? "" : "p1", any_ref(w), any_ref(w), pick(w, 3),
        one_of(w, statuses), one_of(w, times));
    return;
  }
}

/* One column of one row, or a row less. */
static void touch_row(world *w) {
  unsigned k = pick(w, 4), id = pick(w, ROWS);
  char c = "mesr"[k];
  switch (pick(w, 6)) {
    case 0:
      sql(w, "UPDATE %s SET status='%s' WHERE id='%c%u'", tables[k], one_of(w, statuses), c, id);
      return;
    case 1:
      sql(w, "UPDATE %s SET project='p%u' WHERE id='%c%u'", tables[k], pick(w, PROJECTS), c, id);
      return;
    case 2:
      sql(w,
          "UPDATE %s SET superseded_by='%s', superseded_at='2026-03-01', status='superseded' WHERE id='%c%u'",
          tables[k], any_ref(w), c, id);
      return;
    case 3:
      sql(w, "UPDATE %s SET confidence=0.%u WHERE id='%c%u'", tables[k], pick(w, 9), c, id);
      return;
    case 4: sql(w, "DELETE FROM %s WHERE id='%c%u'", tables[k], c, id); return;
    case 5:
      sql(w, "UPDATE %s SET valid_from='%s' WHERE id='%c%u'", tables[k], one_of(w, times), c, id);
      return;
  }
}

static void touch_text(world *w) {
  switch (pick(w, 8)) {
    case 0:
      sql(w, "UPDATE entities SET name='%s %u' WHERE id='e%u'", one_of(w, names), pick(w, 5),
          pick(w, ROWS));
      return;
    case 1:
      sql(w, "UPDATE memories SET graduated_to='%s' WHERE id='m%u'", any_ref(w), pick(w, ROWS));
      return;
    case 2:
      sql(w, "UPDATE memories SET content=content || printf('%%.300c', 'x') WHERE id='m%u'",
          pick(w, ROWS));
      return;
    case 3:
      sql(w, "UPDATE project_state SET source='review %u' WHERE id='s%u'", pick(w, 9),
          pick(w, ROWS));
      return;
    case 4:
      sql(w, "INSERT OR REPLACE INTO projects(id, name) VALUES('p%u','Project %u')",
          pick(w, PROJECTS), pick(w, 3));
      return;
    case 5:
      sql(w, "INSERT OR REPLACE INTO links(src, dst, rel) VALUES('%s','%s','refines')", any_ref(w),
          any_ref(w));
      return;
    case 6: sql(w, "DELETE FROM links WHERE rowid <= (SELECT max(rowid) FROM links) - 4"); return;
    case 7:
      sql(w,
          "UPDATE entities SET properties='{\"value\":{\"deep\":[1,2]},\"rationale\":\"so\"}' WHERE id='e%u'",
          pick(w, ROWS));
      return;
  }
}

/* What the others leave alone: texts as stories tell them, ends of windows, who wrote it, lives. */
static void touch_more(world *w) {
  unsigned id = pick(w, ROWS), k = pick(w, 4);
  char c = "mesr"[k];
  switch (pick(w, 12)) {
    case 0:
      sql(w, "UPDATE memories SET content='%s' WHERE id='m%u'", one_of(w, texts), id);
      return;
    case 1:
      sql(w, "UPDATE %s SET valid_until='%s' WHERE id='%c%u'", tables[k], one_of(w, times), c, id);
      return;
    case 2:
      sql(w, "UPDATE %s SET created_at='%s' WHERE id='%c%u'", tables[k], one_of(w, times), c, id);
      return;
    case 3:
      sql(w, "UPDATE %s SET updated_at='%s' WHERE id='%c%u'", tables[k], one_of(w, times), c, id);
      return;
    case 4:
      sql(w,
          "UPDATE memories SET agent='a%u', scope='s%u', polarity=%u, tags='[\"t%u\"]' WHERE id='m%u'",
          pick(w, 3), pick(w, 3), pick(w, 2), pick(w, 3), id);
      return;
    case 5:
      sql(w, "UPDATE entities SET description='%s', hand_authored=%u WHERE id='e%u'",
          one_of(w, texts), pick(w, 2), id);
      return;
    case 6:
      sql(w,
          "UPDATE entities SET properties='{\"parameter_name\":\"%s\",\"value\":\"%s\",\"part_of\":\"e%u\",\"born\":\"%u\",\"died\":\"%u\"}' WHERE id='e%u'",
          one_of(w, names), one_of(w, values), pick(w, ROWS), 1990 + pick(w, 40),
          2000 + pick(w, 40), id);
      return;
    case 7:
      sql(w, "UPDATE relations SET type='%s', properties='{\"claim_kind\":\"%s\"}' WHERE id='r%u'",
          one_of(w, relations), pick(w, 2) ? "subjective" : "prophetic", id);
      return;
    case 8:
      sql(w, "UPDATE relations SET from_id='e%u', to_id='e%u', valid_until='%s' WHERE id='r%u'",
          pick(w, ROWS), pick(w, ROWS), one_of(w, times), id);
      return;
    case 9:
      sql(w, "INSERT OR REPLACE INTO project_aliases(alias, project) VALUES('%s','p%u')",
          one_of(w, names), pick(w, PROJECTS));
      return;
    case 10:
      sql(w, "UPDATE projects SET description='d %u' WHERE id='p%u'", pick(w, 4),
          pick(w, PROJECTS));
      return;
    case 11:
      sql(w, "UPDATE project_state SET key='%s', value='%s', category='%s' WHERE id='s%u'",
          one_of(w, names), one_of(w, values), one_of(w, types), id);
      return;
  }
}

static void give_verdict(world *w) {
  hm_str which =
      hm_str_fmt(w->a, "(SELECT id FROM conflicts ORDER BY id LIMIT 1 OFFSET %u)", pick(w, 9));
  switch (pick(w, 4)) {
    case 0:
      sql(w,
          "UPDATE conflicts SET status='dismissed', resolution='No %u', resolved_at='%s', resolved_by='kim' WHERE id=%s AND status='open'",
          pick(w, 3), one_of(w, times), which.p);
      return;
    case 1:
      sql(w,
          "UPDATE conflicts SET status='resolved', action='no_action', resolution='Both.', resolved_at='2026-03-01' WHERE id=%s AND status='open'",
          which.p);
      return;
    case 2:
      sql(w,
          "UPDATE conflicts SET status='resolved', action='supersede_others', winner='%s', resolution='That.', resolved_at='2026-03-01' WHERE id=%s AND status='open'",
          any_ref(w), which.p);
      return;
    case 3:
      sql(w, "UPDATE conflicts SET resolution='Said again %u' WHERE id=%s AND status<>'open'",
          pick(w, 9), which.p);
      return;
  }
}

/* The store as it is now; the sweep records its conflicts. */
static void look(help_site *s, bool hides) {
  static const hm_str invalid[] = { HM_STR("invalid") }, note[] = { HM_STR("note") };
  hm_err err = { 0 };
  hm_view_options o = options;
  hm_sweep_options so = { .rules = hm_rules_default(), .threads = 2, .details = true,
                          .record = true,
                          .who = { HM_STR("test"), HM_STR("2026-05-01T00:00:00Z") } };
  if (hides)
    o.exclude = (hm_exclude){ .statuses = invalid, .n_statuses = 1, .properties = note,
                              .n_properties = 1 };
  if (hm_sweep_run_all(s->store, &so, s->a, s->sweep, &err) ||
      hm_view_new(s->sweep, hm_rules_default(), &o, s->a, &s->view, &err) ||
      hm_list_pages(s->view, s->a, &s->pages, &err))
    fail_msg("%s: %s", err.what, err.why);
}

static void equal_digests_are_equal_pages(void **state) {
  static void (*const changes[])(world *w) = { write_row, write_row, touch_row, touch_row,
                                               touch_text, touch_text, touch_more, touch_more,
                                               give_verdict };
  const char *seed = getenv("HM_SEED"), *steps = getenv("HM_STEPS");
  uint64_t from = seed ? strtoull(seed, NULL, 10) : hm_random_seed() % 1000000;
  world w = { .random = from, .a = hm_arena_new() };
  hm_arena *of[2] = { hm_arena_new(), hm_arena_new() };
  unsigned differ = 0, changed = 0;
  (void)state;
  print_message("HM_SEED=%llu\n", (unsigned long long)from);
  help_site s = help_site_of(HM_EMPTY, &options);
  hm_sweep_free(s.sweep);
  assert_int_equal(sqlite3_open(s.path, &w.db), SQLITE_OK);
  for (int i = 0; i < 90; i++) write_row(&w);
  outputs was = { 0 };
  bool hides = false;
  for (int step = 0; step < (steps ? atoi(steps) : STEPS); step++) {
    hm_arena *a = of[step & 1];
    hm_arena_reset(a);
    hm_arena_reset(w.a);
    w.last = HM_EMPTY;
    bool hid = hides;
    if (pick(&w, 40) == 0) hides = !hides;
    unsigned n = pick(&w, 6) ? 1 : 4;
    for (unsigned i = 0; i < n && step; i++) one_of(&w, changes)(&w);
    hm_arena_free(s.a);
    s.a = hm_arena_new();
    s.sweep = hm_alloc(s.a, sizeof *s.sweep);
    look(&s, hides);
    outputs now = outputs_of(&s, true, a);
    hm_str why = hm_str_fmt(w.a, "HM_SEED=%llu, step %d: %.*s", (unsigned long long)from, step,
                            HM_FMT(w.last));
    if (step && hid == hides) differ += check(&was, &now, why.p, &changed);
    was = now;
    hm_sweep_free(s.sweep);
  }
  /* Few are made for nothing. */
  print_message("%u digests differed, %u outputs\n", differ, changed);
  assert_true(changed > 200 || steps);
  assert_true(differ < 2 * changed);
  s.sweep = hm_alloc(s.a, sizeof *s.sweep);
  *s.sweep = (hm_sweep){ 0 };
  sqlite3_close(w.db);
  help_site_done(&s);
  hm_arena_free(of[0]);
  hm_arena_free(of[1]);
  hm_arena_free(w.a);
}

/* --- one change in a large project ------------------------------------------------- */

static void one_change_concerns_few_pages(void **state) {
  static const struct { const char *change; unsigned most;
  } cases[] = {
    { "UPDATE memories SET content='Another text.' WHERE id='m70000'", 2 },
    { "UPDATE entities SET description='Another text.' WHERE id='e20000'", 2 },
    /* the decision, and its log */
    { "UPDATE entities SET description='Another text.' WHERE id='d100'", 4 },
    /* an overview and the page of sources count them */
    { "UPDATE memories SET source_refs='[\"x\"]' WHERE id='m5'", 4 },
    /* counts of the front page and of indexes, and a conflict between two rows */
    { "INSERT INTO entities(id, entity_type, name, project, properties, status) VALUES('new','Parameter','n 7','p','{\"value\":\"9 kg\"}','active')",
      12 },
    { "UPDATE entities SET status='superseded', superseded_by='e1' WHERE id='e20000'", 12 },
    { "DELETE FROM memories WHERE id='m70000'", 12 },
  };
  hm_arena *a = hm_arena_new();
  world w = { .a = a };
  (void)state;
  help_site s = help_site_of(HM_EMPTY, &options);
  hm_sweep_free(s.sweep);
  assert_int_equal(sqlite3_open(s.path, &w.db), SQLITE_OK);
  sql(&w,
      "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n WHERE i<79999) "
      "INSERT INTO memories(id, memory_type, content, project, status, created_at) "
      "SELECT 'm'||i, 'knowledge', 'Note '||i, 'p', 'active', printf('2026-%%02d-%%02d', 1+i%%12, 1+i%%28) FROM n");
  sql(&w,
      "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n WHERE i<19999) "
      "INSERT INTO entities(id, entity_type, name, project, properties, status) "
      "SELECT 'e'||(i+1), 'Parameter', 'n '||i, 'p', '{\"value\":\"'||i||' kg\"}', 'active' FROM n");
  sql(&w,
      "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n WHERE i<999) "
      "INSERT INTO entities(id, entity_type, name, project, properties, status) "
      "SELECT 'd'||i, 'Decision', 'what '||i, 'p', '{\"value\":\"'||i||' kg\"}', 'active' FROM n");
  outputs was = { 0 };
  for (size_t i = 0; i <= sizeof cases / sizeof *cases; i++) {
    if (i) sql(&w, "%s", cases[i - 1].change);
    hm_arena_free(s.a);
    s.a = hm_arena_new();
    s.sweep = hm_alloc(s.a, sizeof *s.sweep);
    look(&s, false);
    outputs now = outputs_of(&s, false, a);
    unsigned none = 0, n = i ? check(&was, &now, cases[i - 1].change, &none) : 0;
    if (i && (n > cases[i - 1].most || n == 0))
      fail_msg("%u of %zu outputs are made: %s", n, now.n, cases[i - 1].change);
    was = now;
    hm_sweep_free(s.sweep);
  }
  s.sweep = hm_alloc(s.a, sizeof *s.sweep);
  *s.sweep = (hm_sweep){ 0 };
  sqlite3_close(w.db);
  help_site_done(&s);
  hm_arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(equal_digests_are_equal_pages),
    cmocka_unit_test(one_change_concerns_few_pages),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
