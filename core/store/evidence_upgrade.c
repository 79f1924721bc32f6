/* Evidence of a store from before version 13, which kept hashes of what each source had said.
 *
 * The table import_sources had the last statement of each source about a record: entries of 12
 * bytes, little-endian, the hash of the field's name (32 bits; the top bit marks a property) and of
 * what was said (64 bits). What has such a hash is looked for in the row, then in the lines of the
 * journal about it; what stands in neither is not known any more. Source "" was the last import
 * from before version 3, as the number of its line in the journal. What a row has and no source
 * says is of the last person that the journal names. Cost: one pass over the table; the journal is
 * read where a row has something else than its sources. */
#include <stdlib.h>
#include <string.h>

#include "core/base/redaction.h"
#include "core/record/evidence.h"
#include "core/store/store.h"
#include "core/record/journal.h"

enum { ALL, LINE };
static const char *const SQL[] = {
  [ALL] = "SELECT ref, source, said FROM import_sources ORDER BY ref, source",
  [LINE] = "SELECT after FROM journal WHERE seq = ?1",
};
static const char KEPT[] = "SELECT count(*) FROM main.sqlite_schema WHERE name = 'import_sources'";
/* Rows that people wrote, as their own source says them. */
static const char written[] =
    "INSERT OR IGNORE INTO evidence (ref, source) SELECT ref, actor FROM journal"
    " WHERE before IS NULL AND verb <> 'import' AND substr(ref, 1, instr(ref, ':') - 1) IN"
    " ('memory', 'entity', 'project_state', 'relation', 'project')"
    " AND NOT EXISTS (SELECT 1 FROM evidence e WHERE e.ref = journal.ref) GROUP BY ref";

enum { MEMBER_BIT = 1u << 31, ENTRY = 12, SAID_NULL = 1 };

typedef struct {
  uint32_t name;
  uint64_t digest;
} said_field;

typedef struct {
  hm_store *s;
  hm_said_set set;
  hm_cell row[HM_MAX_FIELDS + 1];
  bool found;
  hm_arena *a;
  hm_err *err;
} upgrade;

/* --- hashes ------------------------------------------------------------------------ */

static uint64_t digest_of(hm_str text, uint64_t salt) {
  if (hm_has_redacted_mark(text))
    return 0;
  uint64_t d = hm_hash_mix(hm_str_hash(text), salt);
  return d > SAID_NULL ? d : d + 2;
}

static uint32_t name_of(const hm_record_field *f) {
  return (uint32_t)hm_str_hash(hm_str_c(f->key ? f->key : f->column)) & ~MEMBER_BIT;
}

static uint64_t cell_digest(const hm_kind *k, int i, const hm_cell *cells) {
  hm_field_type type = k->fields[i].type;
  if (cells[i].state != HM_CELL_TEXT)
    return SAID_NULL;
  if (type == HM_F_OBJECT && hm_str_starts(cells[i].text, "{"))
    return digest_of(HM_EMPTY, HM_F_OBJECT);
  bool json = type == HM_F_VALUE && hm_str_is(cells[i + 1].text, "json");
  return digest_of(cells[i].text, json ? HM_F_VALUE_KIND : HM_F_TEXT);
}

static said_field *decode(hm_str bytes, size_t *n, hm_arena *a) {
  const unsigned char *p = (const unsigned char *)bytes.p;
  *n = bytes.n / ENTRY;
  said_field *v = hm_alloc_array(a, *n + 1, sizeof *v);
  for (size_t i = 0; i < *n; i++) {
    for (int k = 3; k >= 0; k--)
      v[i].name = v[i].name << 8 | p[i * ENTRY + (size_t)k];
    for (int k = 7; k >= 0; k--)
      v[i].digest = v[i].digest << 8 | p[i * ENTRY + 4 + (size_t)k];
  }
  return v;
}

/* --- what a source said -------------------------------------------------------------- */

/* Takes from a record what has the hashes that are still looked for. */
typedef struct {
  upgrade *u;
  hm_said *e;
  said_field *fields;
  size_t n, left;
  hm_buf members; /* of properties, without braces */
} search;

static void take_members(search *f, const hm_cell *cell) {
  const hm_json *object = hm_cell_object(cell, f->u->a);
  for (const hm_json *m = object ? object->child : NULL; m; m = m->next) {
    uint32_t name = (uint32_t)hm_str_hash(m->key) | MEMBER_BIT;
    uint64_t digest =
        m->type == HM_JSON_NULL ? SAID_NULL : digest_of(hm_json_sorted(m, false, f->u->a), m->type);
    for (size_t i = 0; i < f->n; i++) {
      if (f->fields[i].name != name || f->fields[i].digest != digest)
        continue;
      hm_json one = *m;
      one.next = NULL;
      one.key = HM_EMPTY;
      f->fields[i].name = 0;
      f->left--;
      hm_buf_c(&f->members, f->members.n ? "," : "");
      hm_json_write_str(&f->members, m->key);
      hm_buf_ch(&f->members, ':');
      hm_json_write(&f->members, &one);
    }
  }
}

static void take_cells(search *f, const hm_cell *cells) {
  const hm_kind *k = &hm_kinds[f->u->set.kind];
  for (int i = 0; i < k->n; i++) {
    hm_field_type type = k->fields[i].type;
    if (type == HM_F_OBJECT)
      take_members(f, &cells[i]);
    for (size_t n = 0; n < f->n; n++) {
      if (f->fields[n].name != name_of(&k->fields[i]) ||
          f->fields[n].digest != cell_digest(k, i, cells))
        continue;
      f->fields[n].name = 0;
      f->left--;
      if (type == HM_F_OBJECT && cells[i].state == HM_CELL_TEXT)
        f->e->cells[i] = (hm_cell){ HM_CELL_TEXT, HM_STR("{}") };
      else
        f->e->cells[i] = cells[i];
      if (type == HM_F_VALUE)
        f->e->cells[i + 1] = cells[i + 1];
    }
  }
}

static bool read_cells(const upgrade *u, hm_str line, hm_cell *cells) {
  hm_record r;
  hm_err unread = { 0 };
  hm_record_place place = { .name = "journal", .err = &unread };
  if (!line.n || hm_record_parse(&place, hm_str_dup(u->a, line), &r, u->a) || r.verdict ||
      r.world || r.index != u->set.kind)
    return false;
  memcpy(cells, r.cells, sizeof r.cells);
  for (int i = 0; i < r.kind->n; i++)
    if (cells[i].state == HM_CELL_ABSENT)
      cells[i] = hm_cell_default(&r.kind->fields[i]);
  return true;
}

static int take_line(void *ctx, const hm_journal_line *l, hm_err *err) {
  search *f = ctx;
  hm_cell cells[HM_MAX_FIELDS + 1];
  (void)err;
  if (f->left && read_cells(f->u, l->before, cells))
    take_cells(f, cells);
  if (f->left && read_cells(f->u, l->after, cells))
    take_cells(f, cells);
  return 0;
}

static int bring_source(upgrade *u, hm_str source, hm_str bytes) {
  search f = { .u = u, .e = hm_evidence_of(&u->set, source) };
  f.fields = decode(bytes, &f.n, u->a);
  f.left = f.n;
  take_cells(&f, u->row);
  int rc = f.left ? hm_journal_lines_of(u->s, u->set.ref, take_line, &f, u->err) : 0;
  int props = hm_field_of_column(&hm_kinds[u->set.kind], "properties");
  if (f.members.n && props >= 0)
    f.e->cells[props] =
        (hm_cell){ HM_CELL_TEXT, HM_CAT(u->a, HM_STR("{"), hm_buf_view(&f.members), HM_STR("}")) };
  hm_buf_free(&f.members);
  return rc;
}

static int bring_legacy(upgrade *u, int64_t seq) {
  hm_str after;
  hm_cell cells[HM_MAX_FIELDS + 1];
  if (hm_sql_one(u->s, SQL[LINE], HM_ARGS(hm_arg_int(seq)), u->a, &after, u->err))
    return -1;
  if (read_cells(u, after, cells))
    memcpy(hm_evidence_of(&u->set, HM_EMPTY)->cells, cells, sizeof cells);
  return 0;
}

/* --- what people said ------------------------------------------------------------------ */

/* The line that gave a field its value. */
typedef struct {
  const upgrade *u;
  int i;
  hm_str member, value, by, at;
  bool import;
} giver;

static hm_str said_in(const giver *g, const hm_cell *cells) {
  if (!g->member.n)
    return hm_said_text(&hm_kinds[g->u->set.kind], g->i, cells);
  return hm_said_member_text(hm_said_member(hm_cell_object(&cells[g->i], g->u->a), g->member),
                             g->u->a);
}

static int find_giver(void *ctx, const hm_journal_line *l, hm_err *err) {
  giver *g = ctx;
  hm_cell before[HM_MAX_FIELDS + 1], after[HM_MAX_FIELDS + 1];
  (void)err;
  if (!read_cells(g->u, l->after, after) || !hm_str_eq(said_in(g, after), g->value))
    return 0;
  if (read_cells(g->u, l->before, before) && hm_str_eq(said_in(g, before), g->value))
    return 0;
  g->by = hm_str_dup(g->u->a, l->actor);
  g->at = hm_str_dup(g->u->a, l->at);
  g->import = hm_str_is(l->verb, "import");
  return 0;
}

/* A value that the row has and no source says: of who gave it, over what they say. */
static int bring_person(upgrade *u, int i, hm_str member, hm_str field, hm_str value) {
  giver g = { u, i, member, value, HM_EMPTY, HM_EMPTY, true };
  if (hm_journal_lines_of(u->s, u->set.ref, find_giver, &g, u->err))
    return -1;
  hm_said *e = hm_evidence_of(&u->set, g.import ? HM_EMPTY : g.by);
  if (!member.n) {
    e->cells[i] = u->row[i];
    if (hm_kinds[u->set.kind].fields[i].type == HM_F_VALUE)
      e->cells[i + 1] = u->row[i + 1];
  } else if (value.n) {
    hm_str one =
        HM_CAT(u->a, HM_STR("{"),
               hm_json_as_text(
                   &(hm_json){ .type = HM_JSON_STRING, .text = member, .key = HM_EMPTY }, u->a),
               HM_STR(":"), value, HM_STR("}"));
    const hm_json *object = hm_cell_object(&e->cells[i], u->a);
    if (object && object->count)
      one = HM_CAT(u->a, hm_str_sub(e->cells[i].text, 0, e->cells[i].text.n - 1), HM_STR(","),
                   hm_str_sub(one, 1, one.n));
    e->cells[i] = (hm_cell){ HM_CELL_TEXT, one };
  }
  hm_evidence_judge(&u->set, e, field, value, false);
  if (!g.import) {
    e->at = hm_time_to_second(u->a, g.at);
    int stamp = hm_field_of_column(&hm_kinds[u->set.kind], "updated_at");
    e->cells[stamp] = (hm_cell){ HM_CELL_TEXT, e->at };
  }
  return 0;
}

static int bring_people(upgrade *u) {
  const hm_kind *k = &hm_kinds[u->set.kind];
  hm_cell follows[HM_MAX_FIELDS + 1];
  hm_evidence_merge(&u->set, follows);
  for (int i = 0; i < k->n; i++) {
    const hm_record_field *f = &k->fields[i];
    if (f->flags & HM_F_KEY || hm_is_verdict_column(f) || !f->key || f->type == HM_F_TIME)
      continue;
    if (f->type != HM_F_OBJECT) {
      hm_cell is = follows[i].state == HM_CELL_TEXT ? follows[i] : hm_cell_default(f);
      hm_str has = hm_said_text(k, i, u->row);
      if (has.n && !hm_str_eq(has, is.text) && bring_person(u, i, HM_EMPTY, hm_str_c(f->key), has))
        return -1;
      continue;
    }
    const hm_json *row = hm_cell_object(&u->row[i], u->a),
                  *said = hm_cell_object(&follows[i], u->a);
    for (const hm_json *m = row ? row->child : NULL; m; m = m->next) {
      hm_str has = hm_said_member_text(m, u->a);
      if (!hm_str_eq(has, hm_said_member_text(hm_said_member(said, m->key), u->a)) &&
          bring_person(u, i, m->key, hm_said_member_field(m->key, u->a), has))
        return -1;
    }
    for (const hm_json *m = said ? said->child : NULL; m; m = m->next)
      if (!hm_said_member(row, m->key) &&
          bring_person(u, i, m->key, hm_said_member_field(m->key, u->a), HM_EMPTY))
        return -1;
  }
  return 0;
}

/* --- all --------------------------------------------------------------------------------- */

static int end_row(upgrade *u) {
  if (!u->set.n || !u->found)
    return 0;
  return bring_people(u) || hm_evidence_save(u->s, &u->set, u->row, u->err) ? -1 : 0;
}

static int begin_row(upgrade *u, hm_str ref) {
  hm_arena_reset(u->a);
  ref = hm_str_dup(u->a, ref);
  u->found = false;
  u->row[0] = (hm_cell){ HM_CELL_TEXT, HM_EMPTY };
  u->set = (hm_said_set){ .kind = hm_kind_parse_ref(ref, &u->row[0].text), .ref = ref, .a = u->a };
  if (u->set.kind > HM_K_RELATION)
    return 0;
  return hm_record_load(u->s, u->set.kind, u->row, &u->found, u->a, u->err);
}

static int bring(hm_store *s, hm_err *err) {
  upgrade u = { .s = s, .set = { .ref = HM_EMPTY }, .a = hm_arena_new(), .err = err };
  hm_stmt *st;
  int step = 0, rc = hm_sql_prepare(s, SQL[ALL], &st, err);
  while (!rc && (step = hm_sql_step(s, st, err)) == 1) {
    hm_str ref = hm_sql_text(st, 0, u.a);
    if (!hm_str_eq(ref, u.set.ref))
      rc = end_row(&u) || begin_row(&u, ref) ? -1 : 0;
    if (rc || !u.found)
      continue;
    rc = hm_sql_is_int(st, 2) ? bring_legacy(&u, hm_sql_number(st, 2))
                              : bring_source(&u, hm_sql_copy(st, 1, u.a), hm_sql_bytes(st, 2));
  }
  hm_sql_finalize(st);
  if (!rc && !step)
    rc = end_row(&u);
  hm_arena_free(u.a);
  return rc || step < 0 || hm_sql_exec(s, written, err) ||
          hm_sql_exec(s, "DROP TABLE import_sources", err)
      ? -1
      : 0;
}

int hm_evidence_upgrade(hm_store *s, hm_err *err) {
  int64_t kept;
  bool mine;
  if (s->theirs || s->version < HM_STORE_EVIDENCE_VERSION)
    return 0;
  if (hm_sql_int(s, KEPT, &kept, err))
    return -1;
  if (!kept)
    return 0;
  int rc = hm_store_txn(s, true, &mine, err);
  return rc ? rc : hm_store_txn_end(s, mine, bring(s, err), err);
}
