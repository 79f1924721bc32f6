/* One record of an import: compared with what its source said last, then stored; and the table
 * import_sources, which holds what each source said last.
 *
 * A source's statement is kept field by field, as digests: enough to see which field it changed
 * and whether two sources agree, at 12 bytes a field. A member of `properties` is a field of its
 * own. Links have no fields and are not remembered.
 * A verdict that a conflict's record says is carried out as the verb does where rows are to give
 * way: it waits for core/review. Else it is stored as it is, as a backup says it. */
#include <stdlib.h>
#include <string.h>

#include "core/base/redaction.h"
#include "core/store/record_edit.h"
#include "core/store/import_impl.h"
#include "core/store/journal.h"
#include "core/store/change_log.h"
#include "core/store/links.h"
#include "core/store/redact.h"
#include "core/store/verdict_lines.h"

enum {
  ANCHOR_TAKEN, STATEMENTS, SAVE_STATEMENT, JOURNAL_LINE
};
static const char *const SQL[] = {
  [ANCHOR_TAKEN] = "SELECT 1 FROM conflicts WHERE slot_key = ?1 AND anchor = ?3 AND status = 'open'"
      " AND id <> ?2",
  [STATEMENTS] = "SELECT source, said FROM import_sources WHERE ref = ?1 ORDER BY source",
  [SAVE_STATEMENT] = "INSERT INTO import_sources (ref, source, said) VALUES (?1, ?2, ?3)"
      " ON CONFLICT DO UPDATE SET said = ?3",
  [JOURNAL_LINE] = "SELECT after FROM journal WHERE seq = ?1",
};

enum { MEMBER_BIT = 1u << 31, ENTRY = 12 };

/* --- names and digests ------------------------------------------------------- */

uint32_t hm_said_name(const hm_kind *k, int i) {
  const hm_record_field *f = &k->fields[i];
  return (uint32_t)hm_str_hash(hm_str_c(f->key ? f->key : f->column)) & ~MEMBER_BIT;
}

uint32_t hm_said_member_name(hm_str key) { return (uint32_t)hm_str_hash(key) | MEMBER_BIT; }

bool hm_said_is_member(uint32_t name) { return name & MEMBER_BIT; }

/* What holds the mark of a redaction says nothing that may be compared. */
static uint64_t digest_of(hm_str text, uint64_t salt) {
  if (hm_has_redacted_mark(text)) return HM_SAID_CLEARED;
  uint64_t d = hm_hash_mix(hm_str_hash(text), salt);
  return d > HM_SAID_NULL ? d : d + 2;
}

uint64_t hm_said_digest(const hm_kind *k, int i, const hm_cell *cells) {
  if (cells[i].state != HM_CELL_TEXT) return HM_SAID_NULL;
  hm_field_type type = k->fields[i].type;
  if (type == HM_F_OBJECT && hm_str_starts(cells[i].text, "{"))
    return digest_of(HM_EMPTY, HM_F_OBJECT);
  bool json = type == HM_F_VALUE && hm_str_is(cells[i + 1].text, "json");
  return digest_of(cells[i].text, json ? HM_F_VALUE_KIND : HM_F_TEXT);
}

uint64_t hm_said_member_digest(const hm_json *v, hm_arena *a) {
  if (v->type == HM_JSON_NULL) return HM_SAID_NULL;
  return digest_of(hm_json_sorted(v, false, a), v->type);
}

/* --- statements --------------------------------------------------------------- */

static int by_name(const void *x, const void *y) {
  const hm_said_field *p = x, *q = y;
  return p->name < q->name ? -1 : p->name > q->name;
}

void hm_said_fields_sort(hm_source_said *s) {
  size_t n = 0;
  if (s->n) qsort(s->fields, s->n, sizeof *s->fields, by_name);
  for (size_t i = 0; i < s->n; i++)
    if (!n || s->fields[n - 1].name != s->fields[i].name) s->fields[n++] = s->fields[i];
  s->n = n;
}

const hm_said_field *hm_said_find(const hm_source_said *s, uint32_t name) {
  hm_said_field key = { name, 0 };
  if (!s || !s->n) return NULL;
  return bsearch(&key, s->fields, s->n, sizeof *s->fields, by_name);
}

/* Little-endian, so that a store may be carried to another machine. */
static hm_str encode(const hm_source_said *s, hm_arena *a) {
  char *p = hm_alloc(a, s->n * ENTRY + 1);
  for (size_t i = 0; i < s->n; i++) {
    for (int k = 0; k < 4; k++) p[i * ENTRY + (size_t)k] = (char)(s->fields[i].name >> (8 * k));
    for (int k = 0; k < 8; k++)
      p[i * ENTRY + 4 + (size_t)k] = (char)(s->fields[i].digest >> (8 * k));
  }
  return (hm_str){ p, s->n * ENTRY };
}

static void decode(hm_str bytes, hm_source_said *out, hm_arena *a) {
  const unsigned char *p = (const unsigned char *)bytes.p;
  out->n = bytes.n / ENTRY;
  out->fields = hm_alloc_array(a, out->n + 1, sizeof *out->fields);
  for (size_t i = 0; i < out->n; i++) {
    hm_said_field *f = &out->fields[i];
    *f = (hm_said_field){ 0 };
    for (int k = 3; k >= 0; k--) f->name = f->name << 8 | p[i * ENTRY + (size_t)k];
    for (int k = 7; k >= 0; k--) f->digest = f->digest << 8 | p[i * ENTRY + 4 + (size_t)k];
  }
}

/* --- from before the store remembered sources ------------------------------------ */

static void state(hm_source_said *s, uint32_t name, uint64_t digest) {
  s->fields[s->n++] = (hm_said_field){ name, digest };
}

/* A journal line holds the whole record: what it lacks was null. */
static void from_record(const hm_record *r, hm_source_said *out, hm_arena *a) {
  const hm_json *members = NULL;
  hm_cell cells[HM_MAX_FIELDS + 1];
  for (int i = 0; i < r->kind->n; i++) {
    hm_json *v;
    const hm_record_field *f = &r->kind->fields[i];
    cells[i] = r->cells[i];
    if (cells[i].state == HM_CELL_ABSENT && f->dflt)
      cells[i] = (hm_cell){ HM_CELL_TEXT, hm_str_c(f->dflt) };
    if (f->type == HM_F_OBJECT && cells[i].state == HM_CELL_TEXT &&
        !hm_json_parse(a, cells[i].text, &v, NULL))
      members = v;
  }
  out->fields =
      hm_alloc_array(a, (size_t)r->kind->n + (members ? members->count : 0), sizeof *out->fields);
  for (int i = 0; i < r->kind->n; i++)
    if (!(r->kind->fields[i].flags & HM_F_KEY))
      state(out, hm_said_name(r->kind, i), hm_said_digest(r->kind, i, cells));
  for (const hm_json *m = members ? members->child : NULL; m; m = m->next)
    state(out, hm_said_member_name(m->key), hm_said_member_digest(m, a));
  hm_said_fields_sort(out);
}

static int from_journal(hm_store *s, int64_t seq, hm_source_said *out, hm_arena *a, hm_err *err) {
  hm_record r;
  hm_err unread = { 0 };
  hm_record_place place = { .name = "journal", .err = &unread };
  hm_str after;
  if (hm_sql_one(s, SQL[JOURNAL_LINE], HM_ARGS(hm_arg_int(seq)), a, &after, err)) return -1;
  if (after.n && !hm_record_parse(&place, after, &r, a) && !r.verdict) from_record(&r, out, a);
  return 0;
}

/* --- the table ------------------------------------------------------------------ */

int hm_said_load(hm_store *s, hm_str ref, hm_arena *a, hm_source_said **out, size_t *n,
                 hm_err *err) {
  hm_stmt *st;
  size_t cap = 0;
  int64_t seq = 0;
  int rc;
  *out = NULL;
  *n = 0;
  if (hm_sql_query(s, SQL[STATEMENTS], HM_ARGS(hm_arg_text(ref)), &st, err)) return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    *out = hm_array_grow_in(a, *out, *n, &cap, sizeof **out);
    hm_source_said *one = &(*out)[(*n)++];
    *one = (hm_source_said){ .source = hm_sql_copy(st, 0, a) };
    if (hm_sql_is_int(st, 1)) seq = hm_sql_number(st, 1);
    else decode(hm_sql_bytes(st, 1), one, a);
  }
  if (rc || !seq) return rc;
  return from_journal(s, seq, &(*out)[0], a, err); /* "" sorts first */
}

/* Writes one statement over what its source said before. */
static int said_save(hm_store *s, hm_str ref, const hm_source_said *said, hm_arena *a,
                     hm_err *err) {
  return hm_sql_do(
      s, SQL[SAVE_STATEMENT],
      HM_ARGS(hm_arg_text(ref), hm_arg_text(said->source), hm_arg_bytes(encode(said, a))), err);
}

/* --- redaction -------------------------------------------------------------------- */

/* Fields whose digest could be guessed back to a text. Members have lost their types. */
static bool tells_text(const hm_kind *k, uint32_t name) {
  static const hm_field_type types[] = { HM_F_TEXT,     HM_F_STRINGS, HM_F_VALUE,
                                         HM_F_SLOT_KEY, HM_F_MEMBERS, HM_F_WINNERS };
  if (hm_said_is_member(name)) return true;
  for (int i = 0; i < k->n; i++)
    for (size_t t = 0; t < HM_COUNT(types); t++)
      if (k->fields[i].type == types[t] && hm_said_name(k, i) == name) return true;
  return false;
}

int hm_redact_sources(hm_store *s, hm_str ref, hm_arena *a, hm_err *err) {
  hm_str id;
  hm_kind_index k = hm_kind_parse_ref(ref, &id);
  hm_source_said *all;
  size_t n;
  if (k == HM_N_KINDS) return 0;
  if (hm_said_load(s, ref, a, &all, &n, err)) return -1;
  for (size_t i = 0; i < n; i++) {
    for (size_t f = 0; f < all[i].n; f++)
      if (tells_text(&hm_kinds[k], all[i].fields[f].name))
        all[i].fields[f].digest = HM_SAID_CLEARED;
    if (said_save(s, ref, &all[i], a, err)) return -1;
  }
  return 0;
}

/* --- verdicts --------------------------------------------------------------- */

/* Verdicts wait until core/review finds the conflict that they are about, which may be one that no
 * sweep has opened yet. */
static int keep_verdict(hm_import_run *im, const hm_verdict_line *v, bool *added) {
  if (hm_store_add_verdict(im->s, v, &im->opt->who, im->arena, added, im->place.err)) return -1;
  im->counts->verdicts += *added;
  return 0;
}

int hm_import_verdict(hm_import_run *im, const hm_json *json, int64_t **outcome) {
  hm_verdict_line v;
  bool added;
  if (hm_verdict_line_parse(json, im->arena, &v, im->place.err)) {
    const hm_json *at = hm_json_get(json, im->place.err->field);
    if (at) im->place.err->at = at->at;
    return hm_record_error(&im->place, hm_str_dup(im->arena, hm_str_c(im->place.err->field)));
  }
  if (keep_verdict(im, &v, &added)) return -1;
  *outcome = added ? &im->counts->added : &im->counts->unchanged;
  return 0;
}

/* --- world.yml ------------------------------------------------------------------ */

int hm_import_world_file(hm_import_run *im, const hm_json *json, int64_t **outcome) {
  const hm_import_options *opt = im->opt;
  const hm_json *text = hm_json_get(json, "text");
  bool is_new = false;
  if (!text || text->type != HM_JSON_STRING)
    return hm_record_bad(&im->place, "text", "not the text of a world.yml",
                         "write {\"kind\":\"world\",\"text\":\"...\"}, as an export does");
  if (!opt->world)
    return hm_record_bad(&im->place, "kind", "a world.yml, which a store cannot hold",
                         "import it into a mirror");
  if (opt->world(opt->world_ctx, im->s, text->text, &is_new, im->place.err)) return -1;
  *outcome = is_new ? &im->counts->added : &im->counts->unchanged;
  return 0;
}

static hm_str text_in(const hm_record *r, const hm_cell *cells, const char *name) {
  return hm_cell_text(r->kind, cells, name);
}

static bool is_settled(const hm_record *r, const hm_cell *cells) {
  hm_str status = text_in(r, cells, "status");
  return hm_str_is(status, "resolved") || hm_str_is(status, "dismissed");
}

/* The verdict that a conflict's record says; where the record lacks something, by the conflict's.
 */
static int verdict_of(hm_import_run *im, const hm_record *r, const hm_cell *before,
                      hm_verdict_line *v) {
  hm_str members = text_in(r, r->cells, "members");
  if (!members.n && before) members = text_in(r, before, "members");
  hm_verdict_from_cells(r->cells, v);
  if (!v->slot_key.n && before) v->slot_key = text_in(r, before, "slot_key");
  if (v->slot_key.n && !v->rule.n)
    v->rule = before ? text_in(r, before, "rule") : HM_STR("slot/1");
  if (hm_members_parse_cell(members, &v->members, &v->n_members, im->arena, im->place.err))
    return -1;
  v->id = hm_verdict_line_id(v, im->arena);
  if (!hm_verdict_line_supersedes(v) || v->winner.n) return 0;
  return hm_record_bad(&im->place, "winner", "missing", "name the row that stands, as kind:id");
}

/* A winner and another member that should have given way are both active here: nobody has carried
 * the verdict out. Where only opponents give way and one has given way to a winner, somebody has:
 * what is active was restored later. A member stays all the same that lost a field only, or says
 * what a winner says. */
static int is_undone(hm_import_run *im, const hm_verdict_line *v, bool *undone) {
  bool stands = false, other = false, gave_way = false;
  hm_str *winners, *says;
  size_t n = hm_winners_parse(im->arena, v->winner, &winners);
  *undone = false;
  if (!hm_verdict_line_supersedes(v)) return 0;
  says = hm_alloc_array(im->arena, n, sizeof *says);
  for (size_t k = 0; k < n; k++) says[k] = hm_verdict_line_value(v, winners[k]);
  for (size_t i = 0; i < v->n_members; i++) {
    const hm_member_rec *m = &v->members[i];
    hm_column row[] = { { "status", HM_EMPTY }, { "superseded_by", HM_EMPTY } };
    bool found = false, wins = false, says_so = false;
    hm_str ref = hm_ref_text(im->arena, m->layer, m->id);
    if (hm_store_get_columns(im->s, ref, row, 2, &found, im->arena, im->place.err)) return -1;
    if (!found) continue;
    bool active = hm_str_is(row[0].value, "active");
    hm_str by = row[1].value.p ? row[1].value : HM_EMPTY;
    for (size_t k = 0; k < n; k++) {
      wins |= hm_str_eq(ref, winners[k]);
      says_so |= hm_str_eq(m->normal, says[k]);
      gave_way |= hm_str_is(row[0].value, "superseded") &&
          (hm_str_eq(by, winners[k]) ||
           hm_str_eq(hm_ref_text(im->arena, m->layer, by), winners[k]));
    }
    if (wins) stands |= active;
    else if (!m->removed && !(hm_str_is(v->action, "supersede_opponents") && says_so))
      other |= active;
  }
  bool carried_out = gave_way && hm_str_is(v->action, "supersede_opponents");
  *undone = stands && other && !carried_out;
  return 0;
}

/* Takes the verdict out of a conflict's record where it must be carried out as the verb does:
 * rows are to give way, or the conflict is not there yet. Then the record says that the conflict
 * is open. *only: there is nothing else in the record that could be stored; *added: the verdict was
 * not known. */
static int take_verdict(hm_import_run *im, hm_record *r, const hm_cell *before, bool *only,
                        bool *added) {
  static const char *const columns[] = { "status", "resolved_at", "resolution",  "action",
                                         "winner", "resolved_by", "scope" };
  hm_verdict_line v;
  bool undone = false;
  *only = *added = false;
  if (r->index != HM_K_CONFLICT || !is_settled(r, r->cells)) return 0;
  if (before && is_settled(r, before)) return 0;
  if (verdict_of(im, r, before, &v)) return -1;
  *only = !before && !(text_in(r, r->cells, "slot_key").n && text_in(r, r->cells, "detected_at").n);
  if (!*only && is_undone(im, &v, &undone)) return -1;
  if (!*only && !undone) return 0;
  if (keep_verdict(im, &v, added)) return -1;
  for (size_t i = 0; i < HM_COUNT(columns); i++)
    r->cells[hm_field_of_column(r->kind, columns[i])] = (hm_cell){ HM_CELL_ABSENT, HM_EMPTY };
  return 0;
}

/* --- records ---------------------------------------------------------------- */

static hm_str ref_of(const hm_record *r, hm_arena *a) {
  hm_buf b = { 0 };
  hm_buf_c(&b, r->kind->name);
  for (int i = 0; i < r->kind->n && r->kind->fields[i].flags & HM_F_KEY; i++) {
    hm_buf_ch(&b, i ? ' ' : ':');
    hm_buf_str(&b, r->cells[i].text);
  }
  return hm_buf_take(&b, a);
}

/* An open conflict may take its anchor only once the line that settles the anchor's former one has
 * been read, which in an export may come later. */
static int is_anchor_taken(hm_import_run *im, const hm_record *r, const hm_cell *after,
                           bool *taken) {
  *taken = false;
  if (r->index != HM_K_CONFLICT || !hm_str_is(text_in(r, after, "status"), "open")) return 0;
  hm_str anchor = text_in(r, after, "anchor");
  if (!anchor.n) return 0;
  if (hm_sql_has(im->s, SQL[ANCHOR_TAKEN],
                 HM_ARGS(hm_arg_text(text_in(r, after, "slot_key")), hm_arg_text(after[0].text),
                         hm_arg_text(anchor)),
                 taken, im->place.err))
    return -1;
  if (!*taken || !im->is_late) return 0;
  return hm_record_bad(&im->place, "slot_key", "another conflict is open on its anchor",
                       "settle one of the two");
}

/* Tells the names that the record has. */
static int tell_names(hm_import_run *im, const hm_record *r, const hm_cell *cells) {
  static const char *const columns[] = { [HM_NAME_PROJECT] = "project",
                                         [HM_NAME_MEMORY_TYPE] = "memory_type",
                                         [HM_NAME_ENTITY_TYPE] = "entity_type",
                                         [HM_NAME_RELATION_TYPE] = "type" };
  if (!im->opt->named || r->index < HM_K_MEMORY || r->index > HM_K_RELATION) return 0;
  for (int i = 0; i < HM_NAME_KINDS; i++) {
    hm_str name = text_in(r, cells, columns[i]);
    if (name.n && im->opt->named(im->opt->named_ctx, im->s, (hm_name_kind)i, name, im->place.err))
      return -1;
  }
  return 0;
}

/* What stays as it is, once the record is stored; and what its source says from now on. */
static int conclude(hm_import_run *im, hm_str ref, const hm_import_comparison *c) {
  hm_import_counts *n = im->counts;
  n->kept += c->keeps_status;
  for (size_t i = 0; i < c->n_kept; i++) {
    n->disagreed += c->kept[i].what == HM_KEPT_OTHER_SOURCE;
    n->taken_out += c->kept[i].what == HM_KEPT_TAKEN_OUT;
    n->redacted += c->kept[i].what == HM_KEPT_REDACTED;
    if (im->opt->kept_field) im->opt->kept_field(im->opt->kept_field_ctx, &c->kept[i]);
  }
  return c->remember ? said_save(im->s, ref, &c->now, im->arena, im->place.err) : 0;
}

/* What the store refuses of one record is the record's fault, not the store's. */
static int refuse_record(hm_import_run *im) {
  hm_err *err = im->place.err;
  if (err->code == HM_E_INPUT)
    return hm_record_error(&im->place, hm_str_dup(im->arena, hm_str_c(err->what)));
  if (!im->s->refused) return -1;
  return hm_record_bad(&im->place, "", hm_str_dup(im->arena, hm_str_c(err->why)).p, err->fix);
}

static void tell_change(const hm_import_run *im, const hm_record *r, hm_str ref,
                        const hm_cell *before, const hm_cell *after, bool found) {
  hm_str keys[HM_MAX_FIELDS];
  hm_import_change c = { .ref = ref, .added = !found, .keys = keys };
  if (!im->opt->changed) return;
  for (int i = 0; i < r->kind->n; i++) {
    const char *key = r->kind->fields[i].key;
    if (!key ||
        (found && before[i].state == after[i].state && hm_str_eq(before[i].text, after[i].text)))
      continue;
    if (found || r->cells[i].state == HM_CELL_TEXT) keys[c.n_keys++] = hm_str_c(key);
  }
  im->opt->changed(im->opt->changed_ctx, &c);
}

int hm_import_record(hm_import_run *im, hm_record *r, bool *put_off, int64_t **outcome) {
  hm_cell before[HM_MAX_FIELDS + 1], after[HM_MAX_FIELDS + 1];
  hm_import_comparison compared = { 0 };
  hm_import_counts *n = im->counts;
  hm_err *err = im->place.err;
  hm_str ref = ref_of(r, im->arena);
  bool found, only_verdict, new_verdict, removed;
  *put_off = false;
  memcpy(before, r->cells, sizeof before);
  if (hm_record_load(im->s, r->index, before, &found, im->arena, err) ||
      take_verdict(im, r, found ? before : NULL, &only_verdict, &new_verdict))
    return -1;
  if (only_verdict) {
    *outcome = new_verdict ? &n->added : &n->unchanged;
    return 0;
  }
  if (found && hm_kind_is_statement(r->index)) { /* perhaps redacted since */
    *outcome = &n->unchanged;
    return 0;
  }
  /* Who removed a link meant it, whatever a file still says. */
  if (!found && r->index == HM_K_LINK) {
    const hm_link link = { before[0].text, before[1].text, before[2].text };
    if (hm_link_was_removed(im->s, &link, &removed, im->arena, err)) return -1;
    if (removed) {
      *outcome = &n->unchanged;
      return 0;
    }
  }
  /* before holds a row, of the store or, where that was deleted, of the journal */
  bool known = found;
  /* A link has no fields, and a stream without a source is nobody's word. */
  if (im->opt->source.n && r->index != HM_K_LINK && !hm_kind_is_statement(r->index) &&
      hm_import_compare(im->s, im->opt, ref, r, before, &known, im->arena, &compared, err))
    return -1;
  if (hm_record_merge(&im->place, r, known ? before : NULL, after) ||
      is_anchor_taken(im, r, after, put_off))
    return -1;
  if (*put_off) return 0;
  hm_str old = found ? hm_record_json(r->kind, before, im->arena) : HM_EMPTY,
         new = hm_record_json(r->kind, after, im->arena);
  *outcome = found ? &n->updated : &n->added;
  if (found && hm_str_eq(old, new)) {
    *outcome = new_verdict ? &n->updated : &n->unchanged;
    return conclude(im, ref, &compared);
  }
  if (tell_names(im, r, after)) return -1;
  tell_change(im, r, ref, before, after, found);
  hm_import_report_secrets(im, r->kind, ref, after, new);
  if (hm_record_save(im->s, r->index, after, !found, im->arena, err)) return refuse_record(im);
  if (hm_journal_add(im->s, &im->opt->who, "import", ref, old, new, err) ||
      (r->index <= HM_K_RELATION && hm_judge_queue_add(im->s, ref, err)))
    return -1;
  return conclude(im, ref, &compared);
}
