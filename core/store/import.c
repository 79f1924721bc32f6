#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/text.h"
#include "core/store/import_impl.h"
#include "core/store/journal.h"
#include "core/store/lines.h"

typedef struct { unsigned char bytes[16]; } content;

/* A line whose turn comes after all others. */
typedef struct { char *p; size_t n; int64_t number; } late_line;

typedef struct {
  hm_store *s;
  const hm_import_options *opt;
  hm_import_counts *counts;
  hm_records records;
  hm_arena *arena;         /* of one line */
  hm_arena *keep;          /* of the stream: the keys of `seen` */
  hm_map seen;             /* kind and id -> index into contents */
  content *contents; size_t n_contents, cap_contents;
  late_line *late; size_t n_late, cap_late;
  bool is_late;
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

static hm_str key_of(const hm_import_record *r, hm_arena *a) {
  hm_str id = r->cells[0].text;
  char *p = hm_alloc(a, id.n + 1);
  p[0] = (char)('a' + r->index);
  memcpy(p + 1, id.p, id.n);
  return (hm_str){ p, id.n + 1 };
}

static int check_repeat(importer *im, const hm_import_record *r, bool *again) {
  *again = false;
  if (r->index == HM_K_LINK) return 0;   /* a link is nothing but its key */
  uint32_t i = hm_map_get(&im->seen, key_of(r, im->arena));
  if (i == HM_MAP_NONE) return 0;
  content c = content_of(r);
  *again = !memcmp(&im->contents[i], &c, sizeof c);
  if (*again) return 0;
  hm_str why = hm_str_fmt(im->arena, "\"%.*s\" stands in an earlier line with different content",
                          HM_FMT(hm_text_cut(r->cells[0].text, 60)));
  return hm_import_bad_field(&im->place, "id", why.p,
                             "keep one of the two, or give them different ids");
}

static void remember(importer *im, const hm_import_record *r) {
  if (r->index == HM_K_LINK) return;
  if (im->n_contents == im->cap_contents) {
    im->cap_contents = im->cap_contents ? 2 * im->cap_contents : 1024;
    im->contents = hm_xrealloc(im->contents, im->cap_contents * sizeof *im->contents);
  }
  im->contents[im->n_contents] = content_of(r);
  hm_map_add(&im->seen, key_of(r, im->keep), (uint32_t)im->n_contents++);
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

/* An open conflict may take its slot only once the line that settles the
 * slot's former one has been read, which in an export may come later. */
static int slot_taken(importer *im, const hm_import_record *r, const hm_cell *after, bool *taken) {
  sqlite3_stmt *st;
  int status = hm_field_of_column(r->kind, HM_STR("status")), slot = hm_field_of_column(r->kind, HM_STR("slot_key"));
  *taken = false;
  if (r->index != HM_K_CONFLICT || !hm_str_is(after[status].text, "open")) return 0;
  if (hm_sql_cached(im->s, "SELECT 1 FROM conflicts WHERE slot_key = ?1 AND status = 'open' AND id <> ?2", &st, im->place.err))
    return -1;
  hm_sql_bind(st, 1, after[slot].text);
  hm_sql_bind(st, 2, after[0].text);
  int rc = hm_sql_step(im->s, st, im->place.err);
  *taken = rc == 1;
  sqlite3_reset(st);
  if (rc < 0) return -1;
  if (!*taken || !im->is_late) return 0;
  return hm_import_bad_field(&im->place, "slot_key", "another open conflict has this slot", "settle one of the two");
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
  int rc = im->s->failure & 0xff;
  if (err->code == HM_E_INPUT) {
    hm_str field = hm_str_dup(im->arena, hm_str_c(err->what));
    return hm_import_at(&im->place, field);
  }
  if (rc != SQLITE_CONSTRAINT && rc != SQLITE_TOOBIG) return -1;
  hm_str why = hm_str_dup(im->arena, hm_str_c(err->why));
  return hm_import_bad_field(&im->place, "", why.p, err->fix);
}

/* Tells the names that the record has. */
static int tell_names(importer *im, const hm_import_record *r, const hm_cell *cells) {
  static const struct { const char *column; hm_name_kind kind; } names[] = {
    { "project", HM_NAME_PROJECT }, { "memory_type", HM_NAME_MEMORY_TYPE }, { "entity_type", HM_NAME_ENTITY_TYPE },
    { "type", HM_NAME_RELATION_TYPE },
  };
  if (!im->opt->named || r->index < HM_K_MEMORY || r->index > HM_K_RELATION) return 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    int k = hm_field_of_column(r->kind, hm_str_c(names[i].column));
    if (k < 0 || cells[k].state != HM_CELL_TEXT || !cells[k].text.n) continue;
    if (im->opt->named(im->opt->named_ctx, im->s, names[i].kind, cells[k].text, im->place.err)) return -1;
  }
  return 0;
}

/* *outcome: the count that the record adds to. */
static int store_record(importer *im, const hm_import_record *r, hm_str line, int64_t **outcome) {
  hm_cell before[HM_MAX_FIELDS + 1], after[HM_MAX_FIELDS + 1];
  hm_err *err = im->place.err;
  bool found, taken;
  memcpy(before, r->cells, sizeof before);
  if (hm_records_load(&im->records, r->index, before, &found, im->arena, err)) return -1;
  if (hm_import_merge(&im->place, r, found ? before : NULL, after) || slot_taken(im, r, after, &taken)) return -1;
  if (taken) {
    put_off(im, line);
    return 0;
  }
  hm_str old = found ? json_of(r, before, im->arena) : HM_EMPTY, new = json_of(r, after, im->arena);
  *outcome = found ? &im->counts->updated : &im->counts->added;
  if (found && hm_str_eq(old, new)) {
    *outcome = &im->counts->unchanged;
    return 0;
  }
  if (tell_names(im, r, after)) return -1;
  if (hm_records_save(&im->records, r->index, after, !found, im->arena, err)) return refused(im);
  return hm_journal_add(im->s, &im->opt->who, "import", ref_of(r, after, im->arena), old, new, err);
}

static int take_line(importer *im, hm_str line, int64_t **outcome) {
  hm_import_record r;
  bool again;
  hm_arena_reset(im->arena);
  if (hm_import_read(&im->place, line, &r, im->arena)) return -1;
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
  int rc = take_line(im, line, &outcome);
  return settle(im, rc, outcome);
}

static int too_long(importer *im) {
  hm_failf(im->place.err, HM_E_INPUT, "", "split the record", "longer than %zu bytes", HM_IMPORT_MAX_LINE);
  hm_import_at(&im->place, HM_EMPTY);
  if (im->opt->keep_going && hm_sql_exec(im->s, "SAVEPOINT line", im->place.err)) return -1;
  return settle(im, -1, NULL);
}

static hm_str without_bom(hm_str line) {
  return hm_str_starts(line, "\xEF\xBB\xBF") ? hm_str_sub(line, 3, line.n) : line;
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
    if (lines->number == 1) line = without_bom(line);
    if (lines->too_long ? too_long(im) : hm_str_trim(line).n && one_line(im, line)) {
      rc = -2;
      break;
    }
  }
  if (rc == -1) hm_fail(im->place.err, HM_E_INPUT, im->opt->name, strerror(errno), "check the file");
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
  free(im->contents);
  hm_arena_free(im->arena);
  hm_arena_free(im->keep);
}

int hm_import(hm_store *s, FILE *in, const hm_import_options *opt, hm_import_counts *counts, hm_err *err) {
  hm_err own = { 0 };
  if (!err) err = &own;   /* what a line did wrong decides how to go on */
  importer im = { .s = s, .opt = opt, .counts = counts, .records = { .s = s }, .arena = hm_arena_new(),
                  .keep = hm_arena_new(), .place = { opt->name, 0, err } };
  memset(counts, 0, sizeof *counts);
  hm_map_init(&im.seen, im.keep, 1024);
  int rc = hm_store_begin(s, true, err);
  if (!rc) rc = hm_sql_txn_end(s, true, all_lines(&im, in) || late_lines(&im) ? -1 : 0, err);
  free_importer(&im);
  return rc;
}
