/* The store as values: columns, names of projects, conflicts, digests. */
#include "tests/unit/core_store_help.h"

static void defaults_of_a_bare_row(void **state) {
  world *w = *state;
  create(w);
  sql(w, "INSERT INTO memories (id, memory_type, content) VALUES ('m1', 'knowledge', 'x is 1')");
  hm_snapshot *s = snapshot(w, true);
  assert_int_equal(s->n_rows, 1);
  const hm_row *r = &s->rows[0];
  assert_int_equal(r->layer, HM_MEMORY);
  assert_int_equal(r->status, HM_ACTIVE);
  assert_str(r->id, "m1");
  assert_str(r->type, "knowledge");
  assert_str(r->text, "x is 1");
  assert_str(r->valid_from, "");
  assert_str(s->projects[r->project].id, "");
  assert_str(s->details[0].confidence, "");
  assert_false(s->details[0].hand_authored);
  assert_str(s->newest, "");
}

static void every_column(void **state) {
  world *w = *state;
  create(w);
  sql(w,
      "INSERT INTO memories VALUES ('m','T','C','p','candidate',0.1,1,-1,'SC','AG','SR','[\"t\"]','[\"s\"]','2026','2027',"
      "'m2','2025-01-01T00:00:00Z','entity:e','2024','2023','2030','mcp');"
      "INSERT INTO entities VALUES ('e','T','N','p','D','{\"a\":1}','superseded',0.25,'[\"s\"]',1,'2026','2027','e2',"
      "'2025','2024','2023',NULL);"
      "INSERT INTO project_state VALUES ('s','p','T','K','4.80','json','invalid','S',1.0,'2026','2027','s2','2025','2024','2023');"
      "INSERT INTO relations VALUES ('r','T','p','F','O','{}','graduated',0.123456789012345678,'[]','2026','2027','r2',"
      "'2025','2024','2023')");
  hm_snapshot *s = snapshot(w, true);
  assert_int_equal(s->n_rows, 4);
  const hm_row *m = &s->rows[0], *e = &s->rows[1], *v = &s->rows[2], *r = &s->rows[3];
  const hm_row_detail *dm = &s->details[0], *de = &s->details[1], *dv = &s->details[2],
                      *dr = &s->details[3];
  assert_str(m->slot_rule, "SR");
  assert_str(m->superseded_by, "m2");
  assert_str(m->valid_until, "2027");
  assert_str(dm->confidence, "0.1");
  assert_str(dm->importance, "1");
  assert_str(dm->polarity, "-1");
  assert_str(m->scope, "SC"); assert_str(m->agent, "AG"); assert_str(m->tags, "[\"t\"]");
  assert_str(dm->source_refs, "[\"s\"]");
  assert_str(dm->via, "mcp");
  assert_true(m->via);
  assert_false(e->via);
  assert_str(m->graduated_to, "entity:e");
  assert_str(m->updated_at, "2023");
  assert_str(dm->superseded_at, "2025-01-01T00:00:00Z"); assert_int_equal(m->status, HM_CANDIDATE);
  assert_str(e->name, "N");
  assert_str(e->text, "D");
  assert_str(e->props, "{\"a\":1}");
  assert_str(e->type, "T");
  assert_true(de->hand_authored);
  assert_str(de->confidence, "0.25");
  assert_int_equal(e->status, HM_SUPERSEDED);
  assert_str(v->type, "T");
  assert_str(v->name, "K");
  assert_str(v->text, "4.80");
  assert_true(v->value_is_json);
  assert_str(dv->source_refs, "S");
  assert_int_equal(v->status, HM_INVALID);
  assert_str(v->created_at, "2024");
  assert_str(r->from, "F");
  assert_str(r->to, "O");
  assert_str(r->props, "{}");
  assert_int_equal(r->status, HM_GRADUATED);
  assert_str(dr->confidence, "0.12345678901234568");
  assert_str(s->newest,
             "2025-01-01T00:00:00Z"); /* windows and last_accessed_at are no times of writing */
  hm_snapshot *bare = snapshot(w, false);
  assert_null(bare->details);
  assert_true(bare->rows[0].via);
  assert_str(bare->rows[1].text, "");
  assert_str(bare->rows[0].text, "C");
  assert_str(bare->digest, "");
  assert_str(hm_snapshot_digest(bare, w->a), "");
}

static void odd_storage_classes(void **state) {
  world *w = *state;
  create(w);
  sql(w, "INSERT INTO memories (id, memory_type, content, status, confidence, created_at) VALUES"
         " (7, 1.5, x'41ff00', 'weird', 'high', 20260401);"
         "INSERT INTO entities (id, properties) VALUES ('e', NULL)");
  hm_snapshot *s = snapshot(w, true);
  assert_str(s->rows[0].id, "7");
  assert_str(s->rows[0].type, "1.5");
  assert_int_equal(s->rows[0].text.n, 3);
  assert_memory_equal(s->rows[0].text.p, "A\xff\0", 3);
  assert_int_equal(s->rows[0].status, HM_STATUS_OTHER);
  assert_str(s->details[0].confidence, "high");
  assert_str(s->rows[1].props, "");
}

static void folds_aliases(void **state) {
  world *w = *state;
  create(w);
  import(
      w,
      "{\"kind\":\"project\",\"id\":\"p05-interferometer\",\"name\":\"I\",\"aliases\":[\"p05\",\"inter\"]}\n"
      "{\"kind\":\"project\",\"id\":\"inter\"}\n"
      "{\"kind\":\"memory\",\"id\":\"1\",\"memory_type\":\"t\",\"content\":\"c\",\"project\":\"p05\"}\n"
      "{\"kind\":\"memory\",\"id\":\"2\",\"memory_type\":\"t\",\"content\":\"c\",\"project\":\"P05\"}\n"
      "{\"kind\":\"memory\",\"id\":\"3\",\"memory_type\":\"t\",\"content\":\"c\",\"project\":\"inter\"}\n");
  sql(w, "INSERT INTO project_aliases VALUES ('ghost-alias', 'ghost');"
         "INSERT INTO entities (id, project) VALUES ('e', 'ghost-alias');"
         "INSERT INTO conflicts (id, slot_key, project) VALUES ('c', '[]', 'p05')");
  hm_snapshot *s = snapshot(w, true);
  assert_int_equal(s->n_projects, 3);   /* no row is of the global project, so there is none */
  assert_str(s->projects[0].id, "ghost");
  assert_false(s->projects[0].declared);
  assert_str(s->projects[0].aliases[0], "ghost-alias");
  assert_str(s->projects[2].id, "p05-interferometer");
  assert_int_equal(s->projects[2].n_aliases, 2);
  assert_str(s->projects[2].aliases[0], "inter");
  assert_int_equal(s->rows[0].project, 2);
  assert_int_equal(s->rows[1].project, 2);   /* P05 is no id and no alias, but p05 is one */
  assert_int_equal(s->rows[2].project, 1);   /* an id goes before an alias */
  assert_int_equal(s->rows[3].project, 0);
  assert_str(s->conflicts[0].project, "p05-interferometer");
}

static const char *project_of_row(world *w, hm_snapshot *s, const char *id) {
  return hm_str_z(w->a,
                  s->projects[s->rows[hm_snapshot_row(s, HM_MEMORY, hm_str_c(id))].project].id);
}

/* The whole store and one row of it name the same project, in whatever case and by whatever name.
 */
static void folds_names_of_projects(void **state) {
  world *w = *state;
  static const char *const cases[][2] = {
    { "P05", "p05" },     { " p05 ", "p05" },   { "Mirror  Cell", "p05" },
    { "MC", "p05" },      { "mc", "p05" },      { "Frame", "Frame" },
    { "frame", "frame" }, { "FRAME", "FRAME" }, { "q", "q" },
    { "p06", "p06" },     { "", "" },
  };
  create(w);
  import(
      w,
      "{\"kind\":\"project\",\"id\":\"p05\",\"name\":\"Mirror Cell\",\"aliases\":[\"mc\"]}\n"
      "{\"kind\":\"project\",\"id\":\"Frame\"}\n{\"kind\":\"project\",\"id\":\"q\",\"name\":\"frame\"}\n"
      "{\"kind\":\"project\",\"id\":\"p06\",\"name\":\"p05\"}\n");
  sql(w, "UPDATE projects SET name = 'p-six' WHERE id = 'p06'");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char q[200];
    snprintf(q, sizeof q, "INSERT INTO memories (id, project) VALUES ('m%zu', '%s')", i,
             cases[i][0]);
    sql(w, q);
  }
  hm_snapshot *all = snapshot(w, false);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char id[8];
    snprintf(id, sizeof id, "m%zu", i);
    assert_string_equal(project_of_row(w, all, id), cases[i][1]);
  }
  uint32_t twofold = HM_MAP_NONE;
  for (size_t i = 0; i < all->n_projects; i++)
    if (hm_str_is(all->projects[i].id, "FRAME")) twofold = (uint32_t)i;
  assert_true(twofold != HM_MAP_NONE);
  assert_str(all->projects[twofold].fits[0], "Frame");
  assert_str(all->projects[twofold].fits[1], "q");
}

static void references(void **state) {
  world *w = *state;
  create(w);
  sql(w,
      "INSERT INTO memories (id) VALUES ('a'), ('entity:a'); INSERT INTO entities (id) VALUES ('a'), ('memory:zz')");
  hm_snapshot *s = snapshot(w, false);
  assert_int_equal(hm_snapshot_ref(s, HM_MEMORY, HM_STR("a")), 0);
  assert_int_equal(hm_snapshot_ref(s, HM_ENTITY, HM_STR("a")), 2);
  assert_int_equal(hm_snapshot_ref(s, HM_MEMORY, HM_STR("entity:a")), 2);
  assert_int_equal(hm_snapshot_ref(s, HM_ENTITY, HM_STR("memory:zz")),
                   3); /* an id that looks like one */
  assert_int_equal(hm_snapshot_ref(s, HM_ENTITY, HM_STR("memory:a")), 0);
  assert_int_equal(hm_snapshot_ref(s, HM_STATE, HM_STR("a")), HM_MAP_NONE);
  assert_int_equal(hm_snapshot_ref(s, HM_MEMORY, HM_STR("nothing:a")), HM_MAP_NONE);
  assert_int_equal(hm_snapshot_ref(s, HM_MEMORY, HM_EMPTY), HM_MAP_NONE);
}

static void who_names_whom(void **state) {
  world *w = *state;
  create(w);
  sql(w,
      "INSERT INTO memories (id, superseded_by, graduated_to) VALUES ('m1','m2','e1'), ('m2','m1','e9'), ('m3','m2',NULL);"
      "INSERT INTO entities (id, superseded_by) VALUES ('e1','e1'), ('e2',NULL);"
      "INSERT INTO relations (id, type, from_id, to_id) VALUES ('r1','T','e1','e2'), ('r2','T','e2','memory:m1'), ('r3','T','e1','nowhere');"
      "INSERT INTO links (src, dst, rel) VALUES ('m1','entity:e1','x'), ('m1','m1','y'), ('gone','m1','z')");
  hm_snapshot *s = snapshot(w, false);
  const hm_row_graph *g = hm_snapshot_graph(s, 2, w->a);
  size_t named = 0;
  for (uint32_t i = 0; i < s->n_rows + s->n_links; i++)
    for (int c = 0; c < (i < s->n_rows ? HM_N_NAMES : 2); c++) {
      bool row = i < s->n_rows;
      hm_namer x = { row ? i : (uint32_t)(i - s->n_rows), (hm_naming)(row ? c : HM_NAMES_SRC + c) };
      uint32_t to = row ? g->named[i][c] : g->ends[x.of][c], met = 0;
      if (row) assert_int_equal(to, hm_snapshot_named(s, i, (hm_naming)c));
      if (to == HM_MAP_NONE) continue;
      for (uint32_t k = g->first[to]; k < g->first[to + 1]; k++)
        met += g->namers[k].of == x.of && g->namers[k].by == x.by;
      assert_int_equal(met, 1);
      named++;
    }
  assert_int_equal(named, 15);
  assert_int_equal(g->first[s->n_rows], named);
  const uint32_t m1 = hm_snapshot_row(s, HM_MEMORY, HM_STR("m1"));
  assert_int_equal(g->first[m1 + 1] - g->first[m1], 6);
  assert_int_equal(g->namers[g->first[m1]].by, HM_NAMES_SUPERSEDED_BY);
  assert_int_equal(g->namers[g->first[m1] + 1].by, HM_NAMES_TO);
  s->graph = g;
  assert_ptr_equal(hm_snapshot_graph(s, 1, w->a), g);
}

static void names(void **state) {
  hm_layer l;
  (void)state;
  for (int i = HM_MEMORY; i <= HM_RELATION; i++) {
    assert_true(hm_layer_parse(hm_str_c(hm_layer_name((hm_layer)i)), &l));
    assert_int_equal(l, i);
  }
  assert_false(hm_layer_parse(HM_STR("link"), &l));
  for (int i = HM_CANDIDATE; i < HM_STATUS_OTHER; i++)
    assert_int_equal(hm_status_parse(hm_str_c(hm_status_name((hm_status)i))), i);
  assert_int_equal(hm_status_parse(HM_STR("Active")), HM_STATUS_OTHER);
  assert_string_equal(hm_verdict_name(HM_DISMISSED), "dismissed");
}

static void conflicts_and_members(void **state) {
  world *w = *state;
  create(w);
  sql(w,
      "INSERT INTO conflicts (id, slot_kind, slot_key, status, resolved_at, resolution) VALUES"
      " ('c2','entity_slot','[\"p\",\"b\"]','dismissed','2031-01-01T00:00:00Z','no'),"
      " ('c9','cross_layer','[\"p\",\"a\"]','open','2032',''), ('c1','cross_layer','[\"p\",\"a\"]','resolved',NULL,'');"
      "INSERT INTO conflict_members (conflict_id, member_kind, member_id, field) VALUES"
      " ('c9','memory','m','content'), ('c9','entity','e2','value'), ('c9','entity','e1','x'), ('c9','entity','e1','b'),"
      " ('c9','project_state','s','value')");
  hm_snapshot *s = snapshot(w, false);
  assert_int_equal(s->n_conflicts, 3);
  assert_str(s->conflicts[0].id, "c1");
  assert_str(s->conflicts[1].id, "c9");
  assert_str(s->conflicts[2].id, "c2");
  assert_int_equal(s->conflicts[2].status, HM_DISMISSED);
  assert_int_equal(s->conflicts[0].n_members, 0);
  const hm_conflict_rec *c = &s->conflicts[1];
  assert_int_equal(c->n_members, 5);
  assert_int_equal(c->members[0].layer, HM_STATE);
  assert_str(c->members[1].id, "e1");
  assert_str(c->members[1].field, "b");
  assert_str(c->members[2].field, "x");
  assert_str(c->members[3].id, "e2");
  assert_int_equal(c->members[4].layer, HM_MEMORY);
  assert_str(c->rule, "slot");
  assert_int_equal(c->rule_version, 1);
  assert_str(s->newest, "2031-01-01T00:00:00Z");   /* of verdicts, and only of those */
}

static void digest_sees(void **state) {
  static const struct { const char *change; bool seen;
  } cases[] = {
    { "UPDATE memories SET content = 'd'", true },
    { "UPDATE memories SET updated_at = '2020'", true },
    { "UPDATE memories SET last_accessed_at = '2020'", false },
    { "UPDATE memories SET confidence = 0.5", true },
    { "UPDATE memories SET project = 'P'", false }, /* an alias of the same project */
    { "UPDATE memories SET project = 'q'", true },
    { "UPDATE projects SET description = 'x'", true },
    { "DELETE FROM project_aliases", true },
    { "UPDATE links SET rel = 'x'", true },
    { "UPDATE conflicts SET detected_at = '1999'", false },
    { "UPDATE conflicts SET status = 'dismissed'", true },
    { "UPDATE conflict_members SET flagged = 1", true },
    { "INSERT INTO findings (id) VALUES ('f')", false },
    { "INSERT INTO sweep_runs (rows) VALUES (1)", false },
    { "UPDATE project_state SET value_kind = 'json'", true },
    /* A byte that moves from one column to the next. */
    { "UPDATE memories SET memory_type = 'tc', content = ''", true },
  };
  world *w = *state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hm_store_close(w->s);
    w->s = NULL;
    unlink(w->path);
    create(w);
    sql(w,
        "INSERT INTO projects (id) VALUES ('p'); INSERT INTO project_aliases VALUES ('P', 'p');"
        "INSERT INTO memories (id, memory_type, content, project) VALUES ('m','t','c','p');"
        "INSERT INTO project_state (id, key, value, project) VALUES ('s','k','1','p');"
        "INSERT INTO links VALUES ('memory:m','state:s','r'); INSERT INTO conflicts (id, slot_key) VALUES ('c','[]');"
        "INSERT INTO conflict_members (conflict_id, member_kind, member_id) VALUES ('c','memory','m')");
    hm_str before = snapshot(w, true)->digest;
    assert_int_equal(before.n, 64);
    sql(w, cases[i].change);
    if (hm_str_eq(before, snapshot(w, true)->digest) == cases[i].seen)
      fail_msg("%s", cases[i].change);
  }
}

/* Among so many that they are summed in chunks. */
static void one_row_changed(void **state) {
  enum { AT = 5000 };
  world *w = *state;
  create(w);
  sql(w, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)"
         "INSERT INTO memories (id, content) SELECT printf('m%05d', i), 'before' FROM n");
  hm_snapshot *before = snapshot(w, true);
  sql(w,
      hm_str_fmt(w->a, "UPDATE memories SET content = 'after' WHERE id = '%.*s'",
                 HM_FMT(before->rows[AT].id))
          .p);
  assert_false(hm_str_eq(before->digest, snapshot(w, true)->digest));
}

static void newest_of_all(void **state) {
  static const struct { const char *times, *newest;
  } cases[] = {
    { "('a','2026-04-02T09:00:00Z',NULL,NULL),('b','2026-04-02T08:00:00Z',NULL,NULL)",
      "2026-04-02T09:00:00Z" },
    { "('a','2026-04-02T09:00:00Z',NULL,NULL),('b','2026-04-02T09:30:00+02:00',NULL,NULL)",
      "2026-04-02T09:00:00Z" },
    { "('a','2026-04-02T09:00:00Z','2026-04-02 10:00',NULL)", "2026-04-02T10:00:00Z" },
    { "('a','9999-99-99T99:99:99Z','2026',NULL)", "2026-01-01T00:00:00Z" },
    { "('a','soon',NULL,'2026-02')", "2026-02-01T00:00:00Z" },
    { "('a','2026-04-02T09:00:00.5Z',NULL,NULL),('b','2026-04-02T09:00:00Z',NULL,NULL)",
      "2026-04-02T09:00:00.5Z" },
  };
  world *w = *state;
  create(w);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sql(w, "DELETE FROM memories");
    sql(w,
        hm_str_fmt(w->a,
                   "INSERT INTO memories (id, created_at, updated_at, superseded_at) VALUES %s",
                   cases[i].times)
            .p);
    assert_str(snapshot(w, i % 2)->newest, cases[i].newest);
  }
}

#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
int main(void) {
  const struct CMUnitTest tests[] = {
    T(defaults_of_a_bare_row),
    T(every_column),
    T(odd_storage_classes),
    T(folds_aliases),
    T(folds_names_of_projects),
    T(references),
    T(who_names_whom),
    T(names),
    T(conflicts_and_members),
    T(digest_sees),
    T(one_row_changed),
    T(newest_of_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
