#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/text.h"
#include "core/store/import_compare.h"
#include "core/store/journal.h"
#include "core/store/lines.h"
#include "core/store/verdict_lines.h"

typedef struct { unsigned char bytes[16]; } content;

/* A line whose turn comes after all others. */
typedef struct { char *p; size_t n; int64_t number; } late_line;

struct hm_import_seen {
  hm_arena *a;             /* of the keys */
  hm_map map;              /* kind, source and id -> index into contents */
  content *contents; size_t n, cap;
};

typedef struct {
  hm_store *s;
  const hm_import_options *opt;
  hm_import_counts *counts;
  hm_records records;
  hm_arena *arena;         /* of one line */
  hm_import_seen *seen;
  late_line *late; size_t n_late, cap_late;
  bool is_late;
  hm_buf decoded;          /* the line in UTF-8, where it was not */
  hm_import_place place;
} importer;

/* --- the same id again ------------------------------------------------------ */

static content content_of(const hm_import_record *r) {
  unsigned char digest[32];
  content c;
  hm_sha256 h;
  hm_sha256_init(&h);
  hm_sha256_add(&h, r->sorted);
  hm_sha256_end(&h, digest);
  memcpy(c.bytes, digest, sizeof c.bytes);
  return c;
}

hm_import_seen *hm_import_seen_new(void) {
  hm_import_seen *s = memset(hm_xmalloc(sizeof *s), 0, sizeof *s);
  s->a = hm_arena_new();
  hm_map_init(&s->map, s->a, 1024);
  return s;
}

void hm_import_seen_free(hm_import_seen *s) {
  if (!s) return;
  free(s->contents);
  hm_arena_free(s->a);
  free(s);
}

static hm_str key_of(const importer *im, const hm_import_record *r, hm_arena *a) {
  char kind = (char)('a' + r->index);
  return hm_str_join(
      a, (const hm_str[]){ { &kind, 1 }, im->opt->source, HM_STR("\n"), r->cells[0].text }, 4);
}

static int check_repeat(importer *im, const hm_import_record *r, bool *again) {
  *again = false;
  if (r->index == HM_K_LINK) return 0;   /* a link is nothing but its key */
  uint32_t i = hm_map_get(&im->seen->map, key_of(im, r, im->arena));
  if (i == HM_MAP_NONE) return 0;
  content c = content_of(r);
  *again = !memcmp(&im->seen->contents[i], &c, sizeof c);
  if (*again) return 0;
  hm_str why = hm_str_fmt(im->arena, "\"%.*s\" stands in an earlier line%s with different content",
                          HM_FMT(hm_text_cut(r->cells[0].text, 60)),
                          im->opt->seen ? ", or file of the same name," : "");
  return hm_import_bad_field(
      &im->place, "id", why.p,
      im->opt->seen ? "keep one of the two, or import the files one by one with --source"
                    : "keep one of the two, or give them different ids");
}

static void remember(importer *im, const hm_import_record *r) {
  if (r->index == HM_K_LINK) return;
  hm_import_seen *s = im->seen;
  if (s->n == s->cap) {
    s->cap = s->cap ? 2 * s->cap : 1024;
    s->contents = hm_xrealloc(s->contents, s->cap * sizeof *s->contents);
  }
  s->contents[s->n] = content_of(r);
  hm_map_add(&s->map, key_of(im, r, s->a), (uint32_t)s->n++);
}

/* --- storing ---------------------------------------------------------------- */

static hm_str json_of(const hm_import_record *r, const hm_cell *cells, hm_arena *a) {
  hm_buf b = { 0 };
  hm_record_put(&b, r->kind, cells, a);
  hm_str out = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return out;
}

static hm_str ref_of(const hm_import_record *r, const hm_cell *cells, hm_arena *a) {
  hm_buf b = { 0 };
  hm_buf_c(&b, r->kind->name);
  for (int i = 0; i < r->kind->n && r->kind->fields[i].flags & HM_F_KEY; i++) {
    hm_buf_ch(&b, i ? ' ' : ':');
    hm_buf_str(&b, cells[i].text);
  }
  hm_str out = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return out;
}

/* An open conflict may take its anchor only once the line that settles the
 * anchor's former one has been read, which in an export may come later. */
static int slot_taken(importer *im, const hm_import_record *r, const hm_cell *after, bool *taken) {
  sqlite3_stmt *st;
  int status = hm_field_of_column(r->kind, HM_STR("status")),
      slot = hm_field_of_column(r->kind, HM_STR("slot_key"));
  int anchor = hm_field_of_column(r->kind, HM_STR("anchor"));
  *taken = false;
  if (r->index != HM_K_CONFLICT || !hm_str_is(after[status].text, "open")) return 0;
  if (!after[anchor].text.n) return 0;
  if (hm_sql_cached(
          im->s,
          "SELECT 1 FROM conflicts WHERE slot_key = ?1 AND anchor = ?3 AND status = 'open' AND id <> ?2",
          &st, im->place.err))
    return -1;
  hm_sql_bind(st, 1, after[slot].text);
  hm_sql_bind(st, 2, after[0].text);
  hm_sql_bind(st, 3, after[anchor].text);
  int rc = hm_sql_step(im->s, st, im->place.err);
  *taken = rc == 1;
  sqlite3_reset(st);
  if (rc < 0) return -1;
  if (!*taken || !im->is_late) return 0;
  return hm_import_bad_field(&im->place, "slot_key", "another conflict is open on its anchor",
                             "settle one of the two");
}

static void put_off(importer *im, hm_str line) {
  if (im->n_late == im->cap_late) {
    im->cap_late = im->cap_late ? 2 * im->cap_late : 16;
    im->late = hm_xrealloc(im->late, im->cap_late * sizeof *im->late);
  }
  char *p = hm_xmalloc(line.n);
  memcpy(p, line.p, line.n);
  im->late[im->n_late++] = (late_line){ p, line.n, im->place.number };
}

/* What the store refuses of one record is the record's fault, not the store's. */
static int refused(importer *im) {
  hm_err *err = im->place.err;
  if (err->code == HM_E_INPUT) {
    hm_str field = hm_str_dup(im->arena, hm_str_c(err->what));
    return hm_import_at(&im->place, field);
  }
  if (!im->s->refused) return -1;
  hm_str why = hm_str_dup(im->arena, hm_str_c(err->why));
  return hm_import_bad_field(&im->place, "", why.p, err->fix);
}

/* Tells the names that the record has. */
static int tell_names(importer *im, const hm_import_record *r, const hm_cell *cells) {
  static const struct { const char *column; hm_name_kind kind;
  } names[] = {
    { "project", HM_NAME_PROJECT },
    { "memory_type", HM_NAME_MEMORY_TYPE },
    { "entity_type", HM_NAME_ENTITY_TYPE },
    { "type", HM_NAME_RELATION_TYPE },
  };
  if (!im->opt->named || r->index < HM_K_MEMORY || r->index > HM_K_RELATION) return 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    int k = hm_field_of_column(r->kind, hm_str_c(names[i].column));
    if (k < 0 || cells[k].state != HM_CELL_TEXT || !cells[k].text.n) continue;
    if (im->opt->named(im->opt->named_ctx, im->s, names[i].kind, cells[k].text, im->place.err))
      return -1;
  }
  return 0;
}

/* A link has no fields, and a stream without a source is nobody's word. */
static bool is_compared(const importer *im, const hm_import_record *r) {
  return im->opt->source.n && r->index != HM_K_LINK;
}

/* What stays as it is, once the record is stored; and what its source says from now on. */
static int conclude(importer *im, hm_str ref, const hm_import_comparison *c) {
  hm_import_counts *n = im->counts;
  n->kept += c->keeps_status;
  for (size_t i = 0; i < c->n_told; i++) {
    n->disagreed += c->told[i].what == HM_TOLD_DISAGREE;
    n->taken_out += c->told[i].what == HM_TOLD_TAKEN_OUT;
    n->redacted += c->told[i].what == HM_TOLD_REDACTED;
    if (im->opt->told) im->opt->told(im->opt->told_ctx, &c->told[i]);
  }
  return c->remember ? hm_said_save(im->s, ref, &c->now, im->arena, im->place.err) : 0;
}

/* --- verdicts --------------------------------------------------------------- */

/* Verdicts wait until core/review finds the conflict that they are about, which may be one that no
 * sweep has opened yet. */
static int keep_verdict(importer *im, const hm_verdict_line *v, bool *added) {
  if (hm_verdicts_add(im->s, v, &im->opt->who, im->arena, added, im->place.err)) return -1;
  im->counts->verdicts += *added;
  return 0;
}

static int store_verdict(importer *im, const hm_json *json, int64_t **outcome) {
  hm_verdict_line v;
  bool added;
  if (hm_verdict_line_read(json, im->arena, &v, im->place.err)) {
    hm_str field = hm_str_dup(im->arena, hm_str_c(im->place.err->field));
    return hm_import_at(&im->place, field);
  }
  if (keep_verdict(im, &v, &added)) return -1;
  *outcome = added ? &im->counts->added : &im->counts->unchanged;
  return 0;
}

static hm_str text_in(const hm_import_record *r, const hm_cell *cells, const char *column) {
  int i = hm_field_of_column(r->kind, hm_str_c(column));
  return cells[i].state == HM_CELL_TEXT ? cells[i].text : HM_EMPTY;
}

static bool is_settled(const hm_import_record *r, const hm_cell *cells) {
  hm_str status = text_in(r, cells, "status");
  return hm_str_is(status, "resolved") || hm_str_is(status, "dismissed");
}

/* The verdict that a conflict's record says; where the record lacks something, by the conflict's.
 */
static int verdict_of(importer *im, const hm_import_record *r, const hm_cell *before,
                      hm_verdict_line *v) {
  int members = hm_field_of_key(r->kind, HM_STR("members"));
  int rule = hm_field_of_key(r->kind, HM_STR("rule"));
  const hm_cell *about = r->cells[members].state == HM_CELL_TEXT ? r->cells : before;
  *v = (hm_verdict_line){
    .conflict = r->cells[0].text, .rule = HM_EMPTY, .slot_key = text_in(r, r->cells, "slot_key"),
    .window_from = text_in(r, r->cells, "window_from"),
    .window_until = text_in(r, r->cells, "window_until"),
    .status = text_in(r, r->cells, "status"), .action = text_in(r, r->cells, "action"),
    .winner = text_in(r, r->cells, "winner"), .notes = text_in(r, r->cells, "resolution"),
    .by = text_in(r, r->cells, "resolved_by"), .at = text_in(r, r->cells, "resolved_at"),
    .scope = text_in(r, r->cells, "scope"),
  };
  if (r->cells[rule].state == HM_CELL_TEXT) v->rule = r->cells[rule].text;
  if (!v->slot_key.n && before) v->slot_key = text_in(r, before, "slot_key");
  if (v->slot_key.n && !v->rule.n) v->rule = before ? before[rule].text : HM_STR("slot/1");
  if (about && about[members].state == HM_CELL_TEXT &&
      hm_members_list(about[members].text, &v->members, &v->n_members, im->arena, im->place.err))
    return -1;
  v->id = hm_verdict_line_id(v, im->arena);
  if (!hm_verdict_line_supersedes(v) || v->winner.n) return 0;
  return hm_import_bad_field(&im->place, "winner", "missing",
                             "name the row that stands, as kind:id");
}

static int is_active(importer *im, hm_str ref, bool *active) {
  static const char *const sql[] = {
    NULL,
    "SELECT 1 FROM memories WHERE id = ?1 AND status = 'active'",
    "SELECT 1 FROM entities WHERE id = ?1 AND status = 'active'",
    "SELECT 1 FROM project_state WHERE id = ?1 AND status = 'active'",
    NULL,
  };
  sqlite3_stmt *st;
  hm_layer layer;
  const char *colon = ref.n ? memchr(ref.p, ':', ref.n) : NULL;
  *active = false;
  if (!colon || !hm_layer_of(hm_str_sub(ref, 0, (size_t)(colon - ref.p)), &layer)) return 0;
  if (!sql[layer]) return 0;
  if (hm_sql_cached(im->s, sql[layer], &st, im->place.err)) return -1;
  hm_sql_bind(st, 1, hm_str_sub(ref, (size_t)(colon - ref.p) + 1, ref.n));
  int rc = hm_sql_step(im->s, st, im->place.err);
  *active = rc == 1;
  sqlite3_reset(st);
  return rc < 0 ? -1 : 0;
}

/* Does it stay though the verdict is carried out? It lost a field only, or says what the winner
 * says. */
static bool may_stay(const hm_verdict_line *v, const hm_member_rec *m, hm_str winner_says) {
  return m->removed ||
      (hm_str_is(v->action, "supersede_opponents") && hm_str_eq(m->normal, winner_says));
}

/* The winner and another member that should have given way are both active here: nobody has carried
 * the verdict out. */
static int is_undone(importer *im, const hm_verdict_line *v, bool *undone) {
  bool winner, other = false;
  *undone = false;
  if (!hm_verdict_line_supersedes(v)) return 0;
  if (is_active(im, v->winner, &winner)) return -1;
  hm_str says = hm_verdict_line_value(v);
  for (size_t i = 0; i < v->n_members && winner && !other; i++) {
    const hm_member_rec *m = &v->members[i];
    const hm_str parts[] = { hm_str_c(hm_layer_kind(m->layer)), HM_STR(":"), m->id };
    hm_str ref = hm_str_join(im->arena, parts, 3);
    if (may_stay(v, m, says)) continue;
    if (!hm_str_eq(ref, v->winner) && is_active(im, ref, &other)) return -1;
  }
  *undone = winner && other;
  return 0;
}

static const char *const VERDICT_COLUMNS[] = { "status", "resolved_at", "resolution", "action",
                                               "winner", "resolved_by", "scope" };
enum { N_VERDICT_COLUMNS = sizeof VERDICT_COLUMNS / sizeof *VERDICT_COLUMNS };

/* Takes the verdict out of a conflict's record where it must be carried out as the verb does:
 * rows are to give way, or the conflict is not there yet. Then the record says that the conflict
 * is open. Else it is stored as it is: what a backup says of a conflict that was settled there.
 * *only: there is nothing else in the record that could be stored; *added: the verdict was not
 * known. */
static int take_verdict(importer *im, hm_import_record *r, const hm_cell *before, bool *only,
                        bool *added) {
  hm_verdict_line v;
  bool undone = false;
  *only = *added = false;
  if (r->index != HM_K_CONFLICT || !is_settled(r, r->cells)) return 0;
  if (before && is_settled(r, before)) return 0;
  if (verdict_of(im, r, before, &v)) return -1;
  bool complete = text_in(r, r->cells, "slot_key").n && text_in(r, r->cells, "detected_at").n;
  *only = !before && !complete;
  if (!*only && is_undone(im, &v, &undone)) return -1;
  if (!*only && !undone) return 0;
  if (keep_verdict(im, &v, added)) return -1;
  for (size_t i = 0; i < N_VERDICT_COLUMNS; i++) {
    int at = hm_field_of_column(r->kind, hm_str_c(VERDICT_COLUMNS[i]));
    r->cells[at] = (hm_cell){ HM_CELL_ABSENT, HM_EMPTY };
  }
  return 0;
}

/* --- records ---------------------------------------------------------------- */

/* *outcome: the count that the record adds to. */
static int store_record(importer *im, hm_import_record *r, hm_str line, int64_t **outcome) {
  hm_cell before[HM_MAX_FIELDS + 1], after[HM_MAX_FIELDS + 1];
  hm_import_comparison compared = { 0 };
  hm_err *err = im->place.err;
  hm_str ref = ref_of(r, r->cells, im->arena);
  bool found, taken;
  memcpy(before, r->cells, sizeof before);
  if (hm_records_load(&im->records, r->index, before, &found, im->arena, err)) return -1;
  bool only_verdict, new_verdict;
  if (take_verdict(im, r, found ? before : NULL, &only_verdict, &new_verdict)) return -1;
  if (only_verdict) {
    *outcome = new_verdict ? &im->counts->added : &im->counts->unchanged;
    return 0;
  }
  bool known =
      found; /* before holds a row, of the store or, where that was deleted, of the journal */
  if (is_compared(im, r) &&
      hm_import_compare(im->s, im->opt, ref, r, before, &known, im->arena, &compared, err))
    return -1;
  if (hm_import_merge(&im->place, r, known ? before : NULL, after) ||
      slot_taken(im, r, after, &taken))
    return -1;
  if (taken) {
    put_off(im, line);
    return 0;
  }
  hm_str old = found ? json_of(r, before, im->arena) : HM_EMPTY, new = json_of(r, after, im->arena);
  *outcome = found ? &im->counts->updated : &im->counts->added;
  if (found && hm_str_eq(old, new)) {
    *outcome = new_verdict ? &im->counts->updated : &im->counts->unchanged;
    return conclude(im, ref, &compared);
  }
  if (tell_names(im, r, after)) return -1;
  if (hm_records_save(&im->records, r->index, after, !found, im->arena, err)) return refused(im);
  if (hm_journal_add(im->s, &im->opt->who, "import", ref, old, new, err)) return -1;
  return conclude(im, ref, &compared);
}

static int take_line(importer *im, hm_str line, int64_t **outcome) {
  hm_import_record r;
  bool again;
  hm_arena_reset(im->arena);
  if (hm_import_read(&im->place, line, &r, im->arena)) return -1;
  if (r.verdict) return store_verdict(im, r.verdict, outcome);
  if (!im->is_late && check_repeat(im, &r, &again)) return -1;
  if (!im->is_late && again) {
    *outcome = &im->counts->unchanged;
    return 0;
  }
  if (store_record(im, &r, line, outcome)) return -1;
  if (!im->is_late) remember(im, &r);
  return 0;
}

/* A bad line is a line with an error of the input; anything else ends the import. */
static int settle(importer *im, int rc, int64_t *outcome) {
  hm_err *err = im->place.err;
  if (!rc) {
    if (outcome) ++*outcome;
    return im->opt->keep_going ? hm_sql_exec(im->s, "RELEASE line", err) : 0;
  }
  if (err->code != HM_E_INPUT) return -1;
  im->counts->bad++;
  if (!im->opt->keep_going) return -1;
  if (im->opt->bad) im->opt->bad(im->opt->ctx, err);
  memset(err, 0, sizeof *err);
  im->s->tail_known = false;
  return hm_sql_exec(im->s, "ROLLBACK TO line; RELEASE line", err);
}

static int one_line(importer *im, hm_str line) {
  int64_t *outcome = NULL;
  if (im->opt->keep_going && hm_sql_exec(im->s, "SAVEPOINT line", im->place.err)) return -1;
  int rc = im->is_late ? 0 : hm_import_decode(&im->place, im->opt->encoding, &line, &im->decoded);
  if (!rc && hm_str_trim(line).n) rc = take_line(im, line, &outcome);
  return settle(im, rc, outcome);
}

static int too_long(importer *im) {
  hm_failf(im->place.err, HM_E_INPUT, "", "split the record", "longer than %zu bytes",
           HM_IMPORT_MAX_LINE);
  hm_import_at(&im->place, HM_EMPTY);
  if (im->opt->keep_going && hm_sql_exec(im->s, "SAVEPOINT line", im->place.err)) return -1;
  return settle(im, -1, NULL);
}

static int all_lines(importer *im, FILE *in) {
  hm_lines *lines = memset(hm_xmalloc(sizeof *lines), 0, sizeof *lines);
  hm_str line;
  int rc;
  lines->in = in;
  lines->max = HM_IMPORT_MAX_LINE;
  lines->skips = im->opt->keep_going;
  while ((rc = hm_lines_next(lines, &line)) == 1) {
    im->place.number = lines->number;
    if (lines->too_long ? too_long(im) : hm_str_trim(line).n && one_line(im, line)) {
      rc = -2;
      break;
    }
  }
  if (rc == -1)
    hm_fail(im->place.err, HM_E_INPUT, im->opt->name, strerror(errno), "check the file");
  hm_buf_free(&lines->line);
  free(lines);
  return rc ? -1 : 0;
}

static int late_lines(importer *im) {
  im->is_late = true;
  for (size_t i = 0; i < im->n_late; i++) {
    im->place.number = im->late[i].number;
    if (one_line(im, (hm_str){ im->late[i].p, im->late[i].n })) return -1;
  }
  return 0;
}

static void free_importer(importer *im) {
  hm_records_free(&im->records);
  for (size_t i = 0; i < im->n_late; i++) free(im->late[i].p);
  free(im->late);
  hm_buf_free(&im->decoded);
  if (!im->opt->seen) hm_import_seen_free(im->seen);
  hm_arena_free(im->arena);
}

int hm_import(hm_store *s, FILE *in, const hm_import_options *opt, hm_import_counts *counts,
              hm_err *err) {
  hm_err own = { 0 };
  if (!err) err = &own;   /* what a line did wrong decides how to go on */
  importer im = { .s = s,
                  .opt = opt,
                  .counts = counts,
                  .records = { .s = s },
                  .arena = hm_arena_new(),
                  .seen = opt->seen ? opt->seen : hm_import_seen_new(),
                  .place = { opt->name, 0, err } };
  memset(counts, 0, sizeof *counts);
  int rc = hm_store_begin(s, true, err);
  if (!rc) rc = hm_sql_txn_end(s, true, all_lines(&im, in) || late_lines(&im) ? -1 : 0, err);
  free_importer(&im);
  return rc;
}
