/* The check of files without a mirror: check_files.h.
 *
 * Each file is imported into a store in memory, one sweep finds the conflicts, and the sides of
 * each are told by the places that their rows name as their source ("PATH:LINE"). Cost: an import
 * and a sweep of all rows. */
#include "gen/check/check_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/claim/memory.h"
#include "core/claim/story.h"
#include "core/notes/notes.h"
#include "core/prose/prose.h"
#include "core/store/import.h"
#include "core/sweep/sweep.h"
#include "core/markdown/escape.h"

typedef struct {
  const hm_check_files_input *in;
  hm_arena *a;
  hm_store *store;
  hm_map files; /* source -> index of its file */
  hm_decisions *records;
  hm_report *report;
  size_t cap_silenced;
  const hm_families *families;
  hm_arena *scratch;
  hm_err *err;
} check;

/* --- files into the store ------------------------------------------------------------------------
 */

/* What claims nothing need not be stored: of thousands of sentences a few do. */
static bool may_claim(void *ctx, const hm_json *record) {
  check *c = ctx;
  hm_str type = hm_json_get_text(record, "memory_type"), subject = HM_EMPTY;
  hm_str rule = hm_json_get_text(record, "slot_rule");
  hm_prose p;
  c->report->rows++;
  if (!hm_str_is(hm_json_get_text(record, "kind"), "memory") || hm_str_find(rule, " = ") >= 0)
    return true;
  if (hm_str_is(type, "episodic"))
    return false;
  hm_arena_reset(c->scratch);
  if (hm_str_ends(rule, " *"))
    subject = hm_str_sub(rule, 0, rule.n - 2);
  hm_prose_parse(&p, hm_json_get_text(record, "content"), subject, c->families, c->scratch);
  return p.n > 0;
}

static void add_settled(check *c, const hm_tree_file *f, const hm_notes_settled *s) {
  hm_report *r = c->report;
  r->silenced =
      hm_array_grow_in(c->a, r->silenced, r->n_silenced, &c->cap_silenced, sizeof *r->silenced);
  r->silenced[r->n_silenced++] =
      (hm_report_side){ .path = f->path, .line = s->line, .text = hm_clean_text(c->a, s->reason) };
}

static int import_file(check *c, const hm_tree_file *f) {
  hm_str bytes;
  hm_notes_told told = { .a = c->a };
  hm_import_counts counts;
  bool manifest = f->kind == HM_TREE_MANIFEST;
  if (f->kind == HM_TREE_OTHER)
    return 0;
  if (manifest ? hm_notes_manifest_lines(c->in->tree, f, c->a, &bytes, c->err)
               : hm_tree_read(f, c->a, &bytes, c->err))
    return -1;
  FILE *in = fmemopen((void *)(uintptr_t)bytes.p, bytes.n ? bytes.n : 1, "r");
  if (!in)
    return hm_fail(c->err, HM_E_INPUT, hm_str_z(c->a, f->path), strerror(errno), NULL);
  hm_import_options opt = { .name = hm_str_z(c->a, f->path),
                            .notes = manifest ? HM_EMPTY : f->source,
                            .records = c->records,
                            .notes_list = f->kind == HM_TREE_LIST,
                            .told = &told,
                            .wanted = may_claim,
                            .wanted_ctx = c,
                            .who = { .by = HM_STR("check"),
                                     .at = HM_STR("1970-01-01T00:00:00Z") } };
  int rc = bytes.n ? hm_import(c->store, in, &opt, &counts, c->err) : 0;
  c->report->files += !manifest || bytes.n;
  if (manifest && bytes.n)
    c->report->rows += (size_t)counts.added;
  for (size_t i = 0; i < told.n_settled && !rc; i++)
    add_settled(c, f, &told.settled[i]);
  fclose(in);
  return rc;
}

static int import_record_count(check *c) {
  hm_str folder, line;
  hm_import_counts counts;
  hm_notes_record_count_line(c->in->tree, c->records, c->a, &folder, &line);
  FILE *in = line.n ? fmemopen((void *)(uintptr_t)line.p, line.n, "r") : NULL;
  if (!in)
    return 0;
  hm_import_options opt = { .name = hm_str_z(c->a, folder),
                            .who = { .by = HM_STR("check"),
                                     .at = HM_STR("1970-01-01T00:00:00Z") } };
  int rc = hm_import(c->store, in, &opt, &counts, c->err);
  c->report->rows++;
  fclose(in);
  return rc;
}

static int import_all(check *c) {
  int rc = hm_notes_decisions(c->in->tree, c->a, &c->records, c->err) ||
          hm_store_begin(c->store, true, c->err)
      ? -1
      : 0;
  for (size_t i = 0; i < c->in->tree->n_files && !rc; i++)
    rc = import_file(c, &c->in->tree->files[i]);
  return rc ? rc : import_record_count(c);
}

/* --- sides
 * ------------------------------------------------------------------------------------------ */

/* "SOURCE:LINE", as the path that the command named. */
static void read_place(const check *c, hm_str ref, hm_report_side *side) {
  size_t colon = ref.n;
  while (colon && ref.p[colon - 1] != ':')
    colon--;
  side->path = colon ? hm_str_sub(ref, 0, colon - 1) : ref;
  uint32_t file = hm_map_get(&c->files, side->path);
  if (file != HM_MAP_NONE)
    side->path = c->in->tree->files[file].path;
  side->line = 0;
  for (size_t i = colon; colon && i < ref.n; i++)
    side->line = side->line * 10 + (size_t)(ref.p[i] - '0');
}

static int by_place(const void *x, const void *y) {
  const hm_report_side *a = x, *b = y;
  int c = hm_str_cmp(a->path, b->path);
  if (c)
    return c;
  return a->line != b->line ? (a->line < b->line ? -1 : 1) : hm_str_cmp(a->value, b->value);
}

static size_t list_sides(check *c, const hm_sweep *w, const hm_dispute *d, hm_report_side **out) {
  enum { QUOTED = 160 };
  hm_report_side *v = hm_alloc_array(c->a, d->n, sizeof *v);
  for (size_t i = 0; i < d->n; i++) {
    const hm_claim *claim = d->parties[i].claim;
    const hm_row *row = &w->snap->rows[claim->row];
    hm_str *refs;
    size_t n = hm_sources_parse(c->a, row->layer, w->snap->details[claim->row].source_refs, &refs);
    read_place(c, n ? refs[0] : row->id, &v[i]);
    v[i].value = hm_clean_text(c->a, claim->value.raw);
    v[i].text = hm_clean_text(c->a, hm_text_cut(row->text, QUOTED));
  }
  qsort(v, d->n, sizeof *v, by_place);
  *out = v;
  return d->n;
}

/* What the conflict is about: there are no projects. */
static hm_str subject_of(check *c, hm_str slot_key) {
  static const char global[] = "global / ";
  hm_str title = hm_clean_text(c->a, hm_slot_title(c->a, slot_key));
  return hm_str_starts(title, global) ? hm_str_sub(title, sizeof global - 1, title.n) : title;
}

/* The distinct values, in the order of the sides. */
static hm_str values_of(check *c, const hm_report_side *v, size_t n) {
  enum { SHOWN = 4 };
  hm_str out = HM_EMPTY;
  size_t shown = 0;
  for (size_t i = 0; i < n; i++) {
    bool seen = false;
    for (size_t k = 0; k < i; k++)
      seen |= hm_str_eq(v[k].value, v[i].value);
    if (seen)
      continue;
    if (shown++ == SHOWN)
      return HM_CAT(c->a, out, HM_STR(" | ..."));
    out = out.n ? HM_CAT(c->a, out, HM_STR(" | "), v[i].value) : v[i].value;
  }
  return out;
}

/* Sentences of one file that say different things speak of different ones: of each part, of each
 * choice. */
static bool is_series(const hm_dispute *d, const hm_report_side *v, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (!d->parties[i].claim->said || !hm_str_eq(v[i].path, v[0].path))
      return false;
  return true;
}

static void add_disputes(check *c, const hm_sweep *w, hm_report_list *l) {
  for (size_t i = 0; i < w->plan->n_conflicts; i++) {
    const hm_dispute *d = w->plan->disputes[i];
    hm_report_side *sides;
    if (!d)
      continue;
    size_t n = list_sides(c, w, d, &sides);
    if (is_series(d, sides, n))
      continue;
    hm_report_add(l,
                  (hm_report_item){ .rule = HM_R_DISPUTED,
                                    .fails = c->in->fail_on != HM_FAIL_ON_NONE,
                                    .path = sides[0].path,
                                    .line = sides[0].line,
                                    .id = w->plan->conflicts[i].id,
                                    .subject = subject_of(c, d->slot_key),
                                    .detail = values_of(c, sides, n),
                                    .sides = sides,
                                    .n_sides = n });
  }
}

/* --- records of decisions ------------------------------------------------------------------------
 */

static hm_str path_of(const check *c, hm_str source) {
  uint32_t file = hm_map_get(&c->files, source);
  return file == HM_MAP_NONE ? source : c->in->tree->files[file].path;
}

static void add_record_faults(check *c, hm_report_list *l) {
  size_t n;
  const hm_decision_fault *faults = hm_decisions_faults(c->records, &n);
  for (size_t k = 0; k < n; k++) {
    const hm_decision_fault *f = &faults[k];
    hm_report_side *sides = hm_alloc_array(c->a, f->n, sizeof *sides);
    hm_str says = hm_str_c(hm_decision_fault_name(f->kind));
    for (size_t i = 0; i < f->n; i++) {
      const hm_decision_place *p = &f->places[i];
      sides[i] = (hm_report_side){ path_of(c, p->source), p->line, hm_clean_text(c->a, p->says),
                                   HM_EMPTY };
    }
    hm_str parts[] = { says, f->places[0].source, f->message, { NULL, 0 } };
    hm_report_add(l,
                  (hm_report_item){ .rule = HM_R_RECORD,
                                    .path = sides[0].path,
                                    .line = sides[0].line,
                                    .id = hm_report_make_item_id(c->a, parts),
                                    .subject = hm_clean_text(c->a, f->message),
                                    .sides = sides,
                                    .n_sides = f->n > 1 ? f->n : 0 });
  }
}

/* Alike texts are findings, which are not told here; to look for them takes a tenth of the time. */
static hm_rules rules_without_similar(const hm_rules *rules, hm_arena *a) {
  hm_rules out = *rules;
  hm_str *off = hm_alloc_array(a, rules->n_off + 1, sizeof *off);
  for (size_t i = 0; i < rules->n_off; i++)
    off[i] = rules->off[i];
  off[out.n_off++] = HM_STR("similar");
  out.off = off;
  return out;
}

int hm_check_files(const hm_check_files_input *in, hm_arena *a, hm_report **out, hm_err *err) {
  check c = { .in = in, .a = a, .report = hm_alloc(a, sizeof *c.report), .err = err };
  hm_report_list list = { .a = a };
  hm_map_init(&c.files, a, in->tree->n_files);
  for (size_t i = 0; i < in->tree->n_files; i++)
    hm_map_add(&c.files, in->tree->files[i].source, (uint32_t)i);
  const hm_story *story = in->rules->story;
  c.families = hm_families_prepare(story ? story->families : NULL, a);
  c.scratch = hm_arena_new();
  hm_sweep sweep = { 0 };
  hm_rules rules = rules_without_similar(in->rules, a);
  hm_sweep_options opt = {
    .rules = &rules, .threads = in->threads, .without_sql = true, .details = true
  };
  int rc = hm_store_open(&c.store, "", HM_STORE_TRY, 0, err) || import_all(&c) ||
          hm_sweep_run_all(c.store, &opt, a, &sweep, err)
      ? -1
      : 0;
  if (!rc) {
    add_disputes(&c, &sweep, &list);
    add_record_faults(&c, &list);
    c.report->values = sweep.claims->n;
  }
  hm_report_finish(c.report, &list);
  hm_sweep_free(&sweep);
  hm_arena_free(c.scratch);
  if (c.store) {
    hm_store_rollback(c.store);
    hm_store_close(c.store);
  }
  *out = c.report;
  return rc;
}
