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
#include "core/review/settled_lines.h"
#include "core/review/verdict.h"
#include "core/store/import.h"
#include "core/sweep/sweep.h"
#include "core/markdown/escape.h"

/* What the baseline has. */
typedef struct {
  hm_map disputed; /* slot and value of each party of a conflict */
  hm_map claimed;  /* slot and value of each claim */
  hm_map settled;  /* row and comment of each settled line */
  hm_map files;    /* source -> index of its file */
} baseline;

typedef struct {
  const hm_check_files_input *in;
  const hm_tree *tree; /* of in, the one that is read */
  hm_arena *a;
  hm_store *store;
  hm_sweep sweep;
  hm_map files, paths; /* source, path -> index of its file */
  hm_decisions *records;
  hm_report *report;
  const baseline *past; /* NULL: there is none */
  hm_settled_line *lines;
  hm_report_settled *settled; /* of each line */
  size_t n_lines, cap_lines, cap_settled, cap_limits;
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

static void add_settled(check *c, const hm_tree_file *f, const hm_notes_settled *line) {
  hm_arena *a = c->a;
  c->lines = hm_array_grow_in(a, c->lines, c->n_lines, &c->cap_lines, sizeof *c->lines);
  c->settled = hm_array_grow_in(a, c->settled, c->n_lines, &c->cap_settled, sizeof *c->settled);
  c->settled[c->n_lines] =
      (hm_report_settled){ f->path, line->line, hm_clean_text(a, line->reason), HM_EMPTY };
  c->lines[c->n_lines++] =
      (hm_settled_line){ HM_CAT(a, HM_STR("memory:"), line->id), line->reason, line };
}

static void add_unread(check *c, const hm_tree_file *f, const hm_notes_told *told) {
  hm_report *r = c->report;
  for (int k = 0; k < HM_N_NOTES_UNREAD; k++)
    r->unread[k] += told->unread[k];
  if (!told->limit)
    return;
  r->limits = hm_array_grow_in(c->a, r->limits, r->n_limits, &c->cap_limits, sizeof *r->limits);
  r->limits[r->n_limits++] = (hm_report_unread){ f->path, told->limit_line, told->limit };
}

static int import_file(check *c, const hm_tree_file *f) {
  hm_str bytes;
  hm_notes_told told = { .a = c->a };
  hm_import_counts counts = { 0 };
  bool manifest = f->kind == HM_TREE_MANIFEST, records = f->kind == HM_TREE_OTHER;
  if (records && !hm_str_ends(f->path, ".jsonl"))
    return 0;
  if (manifest ? hm_notes_manifest_lines(c->tree, f, c->a, &bytes, &told, c->err)
               : hm_tree_read(f, c->a, &bytes, c->err))
    return -1;
  FILE *in = fmemopen((void *)(uintptr_t)bytes.p, bytes.n ? bytes.n : 1, "r");
  if (!in)
    return hm_fail(c->err, HM_E_INPUT, hm_str_z(c->a, f->path), strerror(errno), NULL);
  hm_import_options opt = { .name = hm_str_z(c->a, f->path),
                            .notes = manifest || records ? HM_EMPTY : f->source,
                            .records = c->records,
                            .notes_list = f->kind == HM_TREE_LIST,
                            .told = &told,
                            .wanted = may_claim,
                            .wanted_ctx = c,
                            .who = { .by = HM_STR("check"),
                                     .at = HM_STR("1970-01-01T00:00:00Z") } };
  int rc = bytes.n ? hm_import(c->store, in, &opt, &counts, c->err) : 0;
  c->report->files += records ? counts.added > counts.verdicts : !manifest || bytes.n;
  if ((manifest || records) && bytes.n)
    c->report->rows += (size_t)(counts.added - counts.verdicts);
  add_unread(c, f, &told);
  for (size_t i = 0; i < told.n_settled && !rc; i++)
    add_settled(c, f, &told.settled[i]);
  fclose(in);
  return rc;
}

static int import_record_count(check *c) {
  hm_str folder, line;
  hm_import_counts counts;
  hm_notes_record_count_line(c->tree, c->records, c->a, &folder, &line);
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
  int rc = hm_notes_decisions(c->tree, c->a, &c->records, c->err) ||
          hm_store_begin(c->store, true, c->err)
      ? -1
      : 0;
  for (size_t i = 0; i < c->tree->n_files && !rc; i++)
    rc = import_file(c, &c->tree->files[i]);
  return rc ? rc : import_record_count(c);
}

/* Verdicts among the files. */
static int settle(check *c) {
  const hm_review review = {
    .rules = c->in->rules, .who = { .by = HM_STR("check"), .at = HM_STR("1970-01-01T00:00:00Z") }
  };
  hm_settled settled;
  int rc = hm_review_settle_waiting(c->store, &review, c->a, &settled, c->err);
  c->report->by_verdict = rc ? 0 : settled.counts[HM_SETTLED];
  return rc;
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
    side->path = c->tree->files[file].path;
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

static void read_side(check *c, uint32_t at, hm_str value, hm_report_side *out) {
  enum { QUOTED = 160 };
  const hm_row *row = &c->sweep.snap->rows[at];
  hm_str *refs;
  size_t n = hm_sources_parse(c->a, row->layer, c->sweep.snap->details[at].source_refs, &refs);
  read_place(c, n ? refs[0] : row->id, out);
  out->value = hm_clean_text(c->a, value);
  out->text = hm_clean_text(c->a, hm_text_cut(row->text, QUOTED));
}

static size_t list_sides(check *c, const hm_dispute *d, hm_report_side **out) {
  hm_report_side *v = hm_alloc_array(c->a, d->n, sizeof *v);
  for (size_t i = 0; i < d->n; i++)
    read_side(c, d->parties[i].claim->row, d->parties[i].claim->value.raw, &v[i]);
  qsort(v, d->n, sizeof *v, by_place);
  *out = v;
  return d->n;
}

/* What the conflict is about: there are no projects. */
static hm_str subject_of(check *c, const hm_conflict_rec *rec) {
  static const char global[] = "global / ";
  hm_str called = hm_conflict_called(&c->sweep, rec, NULL, c->a);
  hm_str title = hm_clean_text(c->a, hm_slot_title(c->a, rec->slot_key, called));
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

/* The values of the other parties of a party's conflict, after those in `known`; each once. */
static hm_str others_of(check *c, const hm_dispute *d, size_t of, hm_str known) {
  hm_str out = known, own = d->parties[of].claim->value.raw;
  for (size_t i = 0; i < d->n; i++) {
    hm_str value = hm_clean_text(c->a, d->parties[i].claim->value.raw);
    bool seen = hm_str_eq(d->parties[i].claim->value.raw, own);
    for (size_t k = 0; k < i; k++)
      seen |= hm_str_eq(d->parties[k].claim->value.raw, d->parties[i].claim->value.raw);
    if (!seen)
      out = out.n ? HM_CAT(c->a, out, HM_STR(", "), value) : value;
  }
  return out;
}

/* --- the baseline, and lines that are settled there ---------------------------------------------
 */

static hm_str value_key(const check *c, hm_str slot_key, const hm_claim *claim) {
  return HM_CAT(c->a, slot_key, HM_STR("\n"), claim->value.norm);
}

static hm_str line_key(const check *c, const hm_settled_line *line) {
  return HM_CAT(c->a, line->ref, HM_STR("\n"), line->note);
}

/* A comment that the baseline has covers no value that the baseline does not have. */
static bool may_cover(void *ctx, const hm_settled_line *line, const hm_claim *other) {
  const check *c = ctx;
  if (!c->past || hm_map_get(&c->past->settled, line_key(c, line)) == HM_MAP_NONE)
    return true;
  hm_str slot = hm_claim_slot_key(c->a, c->sweep.snap, other);
  return hm_map_get(&c->past->claimed, value_key(c, slot, other)) != HM_MAP_NONE;
}

static bool is_settled(check *c, const hm_dispute *d) {
  hm_arena_reset(c->scratch);
  bool *sides = hm_alloc_array(c->scratch, d->n, sizeof *sides);
  if (!hm_settled_lines_cover(c->sweep.snap, d, c->in->rules, c->lines, c->n_lines, may_cover, c,
                              sides, c->scratch))
    return false;
  for (size_t i = 0; i < d->n; i++) {
    const hm_row *row = &c->sweep.snap->rows[d->parties[i].claim->row];
    hm_str ref = hm_row_ref(c->scratch, row);
    for (size_t k = 0; sides[i] && k < c->n_lines; k++)
      if (hm_str_eq(c->lines[k].ref, ref))
        c->settled[k].against = others_of(c, d, i, c->settled[k].against);
  }
  return true;
}

static void read_baseline(check *c, baseline *out) {
  hm_map_init(&out->disputed, c->a, 64);
  hm_map_init(&out->claimed, c->a, c->sweep.claims->n);
  hm_map_init(&out->settled, c->a, c->n_lines);
  for (size_t i = 0; i < c->sweep.claims->n; i++) {
    const hm_claim *claim = &c->sweep.claims->claims[i];
    hm_str slot = hm_claim_slot_key(c->a, c->sweep.snap, claim);
    hm_map_add(&out->claimed, value_key(c, slot, claim), 0);
  }
  for (size_t i = 0; i < c->sweep.plan->n_conflicts; i++) {
    const hm_dispute *d = c->sweep.plan->disputes[i];
    for (size_t k = 0; d && k < d->n; k++)
      hm_map_add(&out->disputed, value_key(c, d->slot_key, d->parties[k].claim), 0);
  }
  for (size_t i = 0; i < c->n_lines; i++)
    hm_map_add(&out->settled, line_key(c, &c->lines[i]), 0);
}

static bool is_fresh(const check *c, const hm_dispute *d) {
  for (size_t i = 0; c->past && i < d->n; i++)
    if (hm_map_get(&c->past->disputed, value_key(c, d->slot_key, d->parties[i].claim)) ==
        HM_MAP_NONE)
      return true;
  return false;
}

/* Which sides are on lines that the baseline has, too. */
static int mark_untouched(check *c, hm_report_side *v, size_t n) {
  bool *touched = NULL;
  size_t lines = 0;
  for (size_t i = 0; i < n && c->past; i++) {
    if (!i || !hm_str_eq(v[i].path, v[i - 1].path)) {
      uint32_t file = hm_map_get(&c->paths, v[i].path);
      lines = 0;
      if (file == HM_MAP_NONE)
        continue;
      const hm_tree_file *f = &c->tree->files[file];
      uint32_t was = hm_map_get(&c->past->files, f->source);
      hm_str now;
      if (was == HM_MAP_NONE)
        continue;
      if (hm_tree_read(f, c->a, &now, c->err))
        return -1;
      c->in->touched(c->in->past->files[was].past, now, c->a, &touched, &lines);
    }
    v[i].untouched = v[i].line && v[i].line <= lines && !touched[v[i].line - 1];
  }
  return 0;
}

static bool fails(const check *c, bool fresh) {
  return c->in->fail_on == HM_FAIL_ON_OPEN || (c->in->fail_on == HM_FAIL_ON_NEW && fresh);
}

static int add_disputes(check *c, hm_report_list *l) {
  const hm_sweep *w = &c->sweep;
  for (size_t i = 0; i < w->plan->n_conflicts; i++) {
    const hm_dispute *d = w->plan->disputes[i];
    hm_report_side *sides;
    if (!d)
      continue;
    size_t n = list_sides(c, d, &sides);
    if (is_series(d, sides, n) || is_settled(c, d))
      continue;
    if (mark_untouched(c, sides, n))
      return -1;
    bool fresh = is_fresh(c, d);
    c->report->fresh += fresh;
    hm_str subject = subject_of(c, &w->plan->conflicts[i]);
    hm_report_add(l,
                  (hm_report_item){ .rule = HM_R_DISPUTED,
                                    .fails = fails(c, fresh),
                                    .fresh = fresh,
                                    .path = sides[0].path,
                                    .line = sides[0].line,
                                    .id = w->plan->conflicts[i].id,
                                    .subject = subject,
                                    .detail = values_of(c, sides, n),
                                    .sides = sides,
                                    .n_sides = n });
  }
  return 0;
}

/* --- records of decisions ------------------------------------------------------------------------
 */

static hm_str path_of(const check *c, hm_str source) {
  uint32_t file = hm_map_get(&c->files, source);
  return file == HM_MAP_NONE ? source : c->tree->files[file].path;
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
      sides[i] = (hm_report_side){ .path = path_of(c, p->source),
                                   .line = p->line,
                                   .value = hm_clean_text(c->a, p->says),
                                   .text = HM_EMPTY };
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

/* --- what is said otherwise of a part -----------------------------------------------------------
 */

static void add_parts(check *c, hm_report_list *l) {
  const hm_sweep *w = &c->sweep;
  for (size_t i = 0; i < w->n_findings; i++) {
    const hm_finding *f = &w->findings[i];
    size_t n = 0;
    if (!hm_str_is(f->rule, "slot/part"))
      continue;
    hm_report_side *sides = hm_alloc_array(c->a, f->n_rows, sizeof *sides);
    for (size_t k = 0; k < f->n_rows; k++) {
      uint32_t row = hm_snapshot_ref(w->snap, HM_MEMORY, f->rows[k]);
      if (row == HM_MAP_NONE)
        continue;
      read_side(c, row, HM_EMPTY, &sides[n]);
      sides[n].value = sides[n].text;
      sides[n++].text = HM_EMPTY;
    }
    if (n)
      hm_report_add(l,
                    (hm_report_item){ .rule = HM_R_PART,
                                      .path = sides[0].path,
                                      .line = sides[0].line,
                                      .id = f->id,
                                      .subject = hm_clean_text(c->a, f->message),
                                      .sides = sides,
                                      .n_sides = n });
  }
}

/* Which commits last changed the lines of all sides. */
static void add_commits(check *c, hm_report_list *l) {
  for (size_t i = 0; i < l->n && c->in->changed; i++)
    for (size_t k = 0; k < l->v[i].n_sides; k++) {
      hm_report_side *s = (hm_report_side *)(uintptr_t)&l->v[i].sides[k];
      uint32_t at = hm_map_get(&c->paths, s->path);
      if (at != HM_MAP_NONE && s->line)
        s->commit = c->in->changed(c->in->changed_ctx, &c->tree->files[at], s->line, c->a);
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

/* Reads the files of a tree, and finds what they contradict. */
static int find(check *c, const hm_tree *tree, const hm_rules *rules) {
  const hm_sweep_options opt = {
    .rules = rules, .threads = c->in->threads, .without_sql = true, .details = true
  };
  const hm_story *story = c->in->rules->story;
  c->tree = tree;
  hm_map_init(&c->files, c->a, tree->n_files);
  hm_map_init(&c->paths, c->a, tree->n_files);
  for (size_t i = 0; i < tree->n_files; i++) {
    hm_map_add(&c->files, tree->files[i].source, (uint32_t)i);
    hm_map_add(&c->paths, tree->files[i].path, (uint32_t)i);
  }
  c->report = hm_alloc(c->a, sizeof *c->report);
  c->families = hm_families_prepare(story ? story->families : NULL, c->a);
  c->scratch = hm_arena_new();
  return hm_store_open(&c->store, "", HM_STORE_TRY, 0, c->err) || import_all(c) || settle(c) ||
          hm_sweep_run_all(c->store, &opt, c->a, &c->sweep, c->err)
      ? -1
      : 0;
}

static void forget(check *c) {
  hm_sweep_free(&c->sweep);
  hm_arena_free(c->scratch);
  if (c->store) {
    hm_store_rollback(c->store);
    hm_store_close(c->store);
  }
}

static int find_baseline(const hm_check_files_input *in, const hm_rules *rules, hm_arena *a,
                         baseline *out, hm_err *err) {
  check c = { .in = in, .a = a, .err = err };
  int rc = find(&c, in->past, rules);
  if (!rc)
    read_baseline(&c, out);
  out->files = c.files;
  forget(&c);
  return rc;
}

int hm_check_files(const hm_check_files_input *in, hm_arena *a, hm_report **out, hm_err *err) {
  check c = { .in = in, .a = a, .err = err };
  hm_report_list list = { .a = a };
  hm_rules rules = rules_without_similar(in->rules, a);
  baseline past;
  int rc = in->past ? find_baseline(in, &rules, a, &past, err) : 0;
  c.past = in->past ? &past : NULL;
  if (!rc)
    rc = find(&c, in->tree, &rules) || add_disputes(&c, &list) ? -1 : 0;
  if (!rc) {
    add_record_faults(&c, &list);
    add_parts(&c, &list);
    add_commits(&c, &list);
    for (size_t i = 0; i < c.sweep.claims->n; i++)
      c.report->values += !c.sweep.claims->claims[i].twin.n;
    c.report->settled = c.settled;
    c.report->n_settled = c.n_lines;
    c.report->compared = in->past != NULL;
    c.report->baseline = in->baseline;
    hm_report_finish(c.report, &list);
  }
  forget(&c);
  *out = c.report;
  return rc;
}
