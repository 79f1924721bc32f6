/* The check of files without a mirror: check_files.h.
 *
 * Each file is imported into a store in memory, one sweep finds the conflicts, and the sides of
 * each are told by the places that their rows name as their source ("PATH:LINE"). Cost: an import
 * and a sweep of all rows. */
#include "gen/check/check_files_impl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/claim/memory.h"
#include "core/notes/notes.h"
#include "core/prose/prose_families.h"
#include "core/review/verdict.h"
#include "core/store/import.h"
#include "core/markdown/escape.h"

/* --- files into the store ------------------------------------------------------------------------
 */

/* What is past claims nothing, and need not be stored, unless it states something. */
static bool may_claim(void *ctx, const hm_json *record) {
  files_check *c = ctx;
  c->report->rows++;
  bool past = hm_str_is(hm_json_get_text(record, "kind"), "memory") &&
      hm_str_is(hm_json_get_text(record, "memory_type"), "episodic");
  return !past || hm_str_find(hm_json_get_text(record, "slot_rule"), " = ") >= 0;
}

static void add_settled(files_check *c, const hm_tree_file *f, const hm_notes_settled *line) {
  hm_arena *a = c->a;
  c->lines = hm_array_grow_in(a, c->lines, c->n_lines, &c->cap_lines, sizeof *c->lines);
  c->settled = hm_array_grow_in(a, c->settled, c->n_lines, &c->cap_settled, sizeof *c->settled);
  c->settled[c->n_lines] = (hm_report_settled){ .path = f->path,
                                                .line = line->line,
                                                .reason = hm_clean_text(a, line->reason),
                                                .aside = ", and nothing contradicts it" };
  c->lines[c->n_lines++] =
      (hm_settled_line){ HM_CAT(a, HM_STR("memory:"), line->id), line->reason, line };
}

static void add_unread(files_check *c, const hm_tree_file *f, const hm_notes_told *told) {
  hm_report *r = c->report;
  for (int k = 0; k < HM_N_NOTES_UNREAD; k++)
    r->unread[k] += told->unread[k];
  const hm_doc_unread first = { told->limit_line, told->limit };
  const hm_doc_unread *v = told->n_limits ? told->limits : &first;
  size_t n = told->n_limits ? told->n_limits : told->limit != NULL;
  for (size_t i = 0; i < n; i++) {
    r->limits = hm_array_grow_in(c->a, r->limits, r->n_limits, &c->cap_limits, sizeof *r->limits);
    r->limits[r->n_limits++] = (hm_report_unread){ f->path, v[i].line, v[i].why };
  }
}

static int import_file(files_check *c, const hm_tree_file *f) {
  hm_str bytes;
  hm_notes_told told = {
    .a = c->a, .top = f->top, .scripts = &c->scripts, .families = c->families
  };
  hm_import_counts counts = { 0 };
  bool manifest = f->kind == HM_TREE_MANIFEST, records = f->kind == HM_TREE_OTHER;
  if (records && !hm_str_ends(f->path, ".jsonl"))
    return 0;
  if (manifest ? hm_notes_manifest_lines(c->manifests, f, c->a, &bytes, &told, c->err)
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

static int import_record_count(files_check *c, size_t at) {
  hm_str folder, line;
  hm_import_counts counts;
  hm_notes_record_count_line(c->tree, c->records, at, c->a, &folder, &line);
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

static int import_all(files_check *c) {
  c->manifests = hm_notes_manifests_of(c->tree, c->a);
  int rc = hm_notes_decisions(c->tree, c->a, &c->records, c->err) ||
          hm_scripts_list(c->tree, c->a, &c->scripts, c->err) ||
          hm_store_begin(c->store, true, c->err)
      ? -1
      : 0;
  for (size_t i = 0; i < c->tree->n_files && !rc; i++)
    rc = import_file(c, &c->tree->files[i]);
  size_t n = 0;
  if (!rc)
    hm_decisions_folders(c->records, &n);
  for (size_t i = 0; i < n && !rc; i++)
    rc = import_record_count(c, i);
  return rc;
}

/* Verdicts among the files. */
static int settle(files_check *c) {
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
static void read_place(const files_check *c, hm_str ref, hm_report_side *side) {
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

/* What is no line of a file (nowhere) comes last, behind what is settled. */
static int by_place(const void *x, const void *y) {
  const hm_report_side *a = x, *b = y;
  int c = a->nowhere - b->nowhere;
  if (!c)
    c = a->settled - b->settled;
  if (!c && !a->nowhere)
    c = hm_str_cmp(a->path, b->path);
  if (c)
    return c;
  return a->line != b->line ? (a->line < b->line ? -1 : 1) : hm_str_cmp(a->value, b->value);
}

/* The text cleaned, in c->a: the sweep that has it is gone before the report is written. */
static hm_str keep_clean(files_check *c, hm_str text) {
  return hm_str_dup(c->a, hm_clean_text(c->a, text));
}

static void read_side(files_check *c, uint32_t at, hm_str value, hm_report_side *out) {
  enum { QUOTED = 160, DATE = 10 };
  const hm_row *row = &c->sweep.snap->rows[at];
  hm_str *refs;
  size_t n = hm_sources_parse(c->a, row->layer, c->sweep.snap->details[at].source_refs, &refs);
  read_place(c, n ? refs[0] : row->id, out);
  out->nowhere = !out->line || hm_map_get(&c->paths, out->path) == HM_MAP_NONE;
  out->value = keep_clean(c, value);
  out->text = keep_clean(c, hm_text_cut(row->text, QUOTED));
  out->date = keep_clean(c, hm_text_cut(row->created_at, DATE));
  out->author = keep_clean(c, row->agent);
}

/* quiet: which of them are settled. */
static size_t list_sides(files_check *c, const hm_dispute *d, const bool *quiet,
                         hm_report_side **out) {
  hm_report_side *v = hm_alloc_array(c->a, d->n, sizeof *v);
  for (size_t i = 0; i < d->n; i++) {
    read_side(c, d->parties[i].claim->row, d->parties[i].claim->value.raw, &v[i]);
    v[i].settled = quiet[i];
  }
  qsort(v, d->n, sizeof *v, by_place);
  bool none = v[0].nowhere;
  for (size_t i = 0; i < d->n && none; i++)
    v[i].nowhere = false;
  *out = v;
  return d->n;
}

/* Does the name of a slot change more of the key than its blanks: "file docs/Setup.md"? */
static bool is_spoiled(hm_str key, hm_arena *a) {
  hm_str folded = hm_text_fold_name(a, key);
  bool same = folded.n == key.n;
  for (size_t i = 0; i < key.n && same; i++)
    same = folded.p[i] == (key.p[i] == ' ' ? '_' : key.p[i]);
  return !same;
}

/* What the conflict is about: there are no projects. */
static hm_str subject_of(files_check *c, const hm_dispute *d, const hm_conflict_rec *rec) {
  static const char global[] = "global / ";
  for (size_t i = 0; i < d->n; i++) {
    const hm_row *row = &c->sweep.snap->rows[d->parties[i].claim->row];
    if (row->layer == HM_STATE && is_spoiled(row->name, c->a))
      return keep_clean(c, row->name);
  }
  hm_str called = hm_conflict_called(&c->sweep, rec, NULL, c->a);
  hm_str title = hm_clean_text(c->a, hm_slot_title(c->a, rec->slot_key, called));
  return hm_str_starts(title, global) ? hm_str_sub(title, sizeof global - 1, title.n) : title;
}

/* The distinct values, in the order of the sides, of those that are open. */
static hm_str values_of(files_check *c, const hm_report_side *v, size_t n, const char *between) {
  enum { SHOWN = 4 };
  hm_str out = HM_EMPTY;
  size_t shown = 0;
  for (size_t i = 0; i < n; i++) {
    bool seen = v[i].settled;
    for (size_t k = 0; k < i; k++)
      seen |= hm_str_eq(v[k].value, v[i].value);
    if (seen)
      continue;
    if (shown++ == SHOWN)
      return HM_CAT(c->a, out, hm_str_c(between), HM_STR("..."));
    out = out.n ? HM_CAT(c->a, out, hm_str_c(between), v[i].value) : v[i].value;
  }
  return out;
}

static bool fails(const files_check *c, bool fresh) {
  return c->in->fail_on == HM_FAIL_ON_OPEN || (c->in->fail_on == HM_FAIL_ON_NEW && fresh);
}

/* Does the baseline have all lines of these that are open? */
static bool all_untouched(const hm_report_side *v, size_t n) {
  bool all = true;
  for (size_t i = 0; i < n; i++)
    all = all && (v[i].untouched || v[i].settled || v[i].nowhere);
  return all;
}

/* A conflict that a verdict of the files settles: its first line against the others. */
static void add_verdict(files_check *c, const hm_conflict_rec *rec) {
  hm_report *r = c->report;
  hm_report_side *v = hm_alloc_array(c->a, rec->n_members + 1, sizeof *v);
  size_t n = 0;
  for (size_t i = 0; i < rec->n_members; i++) {
    uint32_t row = hm_snapshot_row(c->sweep.snap, rec->members[i].layer, rec->members[i].id);
    if (row != HM_MAP_NONE)
      read_side(c, row, rec->members[i].value, &v[n++]);
  }
  if (!n)
    return;
  qsort(v, n, sizeof *v, by_place);
  hm_report_settled s = { .path = v[0].path,
                          .line = v[0].line,
                          .reason = keep_clean(c, rec->resolution),
                          .conflict = hm_str_dup(c->a, rec->id),
                          .aside = "" };
  for (size_t i = 0; i < n; i++)
    v[i].settled = hm_str_eq(v[i].value, v[0].value);
  s.against = values_of(c, v, n, ", ");
  r->settled = hm_array_grow_in(c->a, r->settled, r->n_settled, &c->cap_settled, sizeof s);
  r->settled[r->n_settled++] = s;
}

/* Behind the lines that are settled where they stand. */
static void add_verdicts(files_check *c) {
  const hm_conflict_rec *v = c->sweep.plan->conflicts;
  for (size_t i = 0; i < c->sweep.plan->n_conflicts; i++)
    if (v[i].from_file && (v[i].status == HM_RESOLVED || v[i].status == HM_DISMISSED))
      add_verdict(c, &v[i]);
}

static int add_disputes(files_check *c, hm_report_list *l) {
  const hm_sweep *w = &c->sweep;
  for (size_t i = 0; i < w->plan->n_conflicts; i++) {
    const hm_dispute *d = w->plan->disputes[i];
    hm_report_side *sides;
    if (!d)
      continue;
    bool *quiet = hm_alloc_array(c->a, d->n, sizeof *quiet);
    if (settled_covers(c, d, quiet)) {
      c->report->by_comment++;
      continue;
    }
    size_t n = list_sides(c, d, quiet, &sides);
    if (check_mark_untouched(c, sides, n))
      return -1;
    bool fresh = known_values_lack(c, d, quiet);
    c->report->fresh += fresh;
    hm_str subject = subject_of(c, d, &w->plan->conflicts[i]);
    hm_report_add(l,
                  (hm_report_item){ .rule = HM_R_DISPUTED,
                                    .fails = fails(c, fresh),
                                    .fresh = fresh,
                                    .old = c->past && !fresh && all_untouched(sides, n),
                                    .path = sides[0].path,
                                    .line = sides[0].line,
                                    .id = w->plan->conflicts[i].id,
                                    .subject = subject,
                                    .detail = values_of(c, sides, n, " | "),
                                    .sides = sides,
                                    .n_sides = n });
  }
  return 0;
}

/* --- records of decisions ------------------------------------------------------------------------
 */

static hm_str path_of(const files_check *c, hm_str source) {
  uint32_t file = hm_map_get(&c->files, source);
  return file == HM_MAP_NONE ? source : c->tree->files[file].path;
}

static void find_record_faults(files_check *c) {
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
                                   .value = keep_clean(c, p->says),
                                   .text = HM_EMPTY };
    }
    hm_str parts[] = { says, f->places[0].source, f->message, { NULL, 0 } };
    hm_report_add(&c->findings,
                  (hm_report_item){ .rule = HM_R_RECORD,
                                    .path = sides[0].path,
                                    .line = sides[0].line,
                                    .id = hm_report_make_item_id(c->a, parts),
                                    .subject = keep_clean(c, f->message),
                                    .sides = sides,
                                    .n_sides = f->n > 1 ? f->n : 0 });
  }
}

/* --- what is said otherwise of a part -----------------------------------------------------------
 */

/* What the row says in the slot of the whole, or in that of its part, which ends like it; empty:
 * nothing. */
static hm_str value_in_slot(const files_check *c, uint32_t row, hm_str slot) {
  const hm_claims *all = c->sweep.claims;
  for (size_t i = hm_claims_first_of_row(all, row); i < all->n && all->claims[i].row == row; i++)
    if (!all->claims[i].twin.n && hm_str_ends(all->claims[i].name, hm_str_z(c->a, slot)))
      return all->claims[i].value.raw;
  return HM_EMPTY;
}

static void find_parts(files_check *c) {
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
      read_side(c, row, value_in_slot(c, row, f->key), &sides[n++]);
    }
    if (n)
      hm_report_add(&c->findings,
                    (hm_report_item){ .rule = HM_R_PART,
                                      .path = sides[0].path,
                                      .line = sides[0].line,
                                      .id = f->id,
                                      .subject = keep_clean(c, f->message),
                                      .sides = sides,
                                      .n_sides = n });
  }
}

static int add_findings(files_check *c, hm_report_list *l) {
  for (size_t i = 0; i < c->findings.n; i++) {
    hm_report_item item = c->findings.v[i];
    size_t n = item.n_sides ? item.n_sides : 1; /* of one place alone, too */
    if (settled_covers_finding(c, &item)) {
      c->report->by_comment++;
      continue;
    }
    if (check_mark_untouched(c, (hm_report_side *)(uintptr_t)item.sides, n))
      return -1;
    item.old = known_values_find(c, &item) && all_untouched(item.sides, n);
    hm_report_add(l, item);
  }
  return 0;
}

/* Which commits last changed the lines of all sides. */
static void add_commits(files_check *c, hm_report_list *l) {
  const hm_check_git *git = c->in->git;
  for (size_t i = 0; i < l->n && git; i++)
    for (size_t k = 0; k < l->v[i].n_sides; k++) {
      hm_report_side *s = (hm_report_side *)(uintptr_t)&l->v[i].sides[k];
      uint32_t at = hm_map_get(&c->paths, s->path);
      if (at != HM_MAP_NONE && s->line)
        s->commit = git->changed(git->ctx, &c->tree->files[at], s->line, c->a);
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
static int find(files_check *c, const hm_tree *tree, const hm_rules *rules) {
  const hm_sweep_options opt = {
    .rules = rules, .threads = c->in->threads, .without_sql = true, .details = true
  };
  c->tree = tree;
  hm_map_init(&c->files, c->a, tree->n_files);
  hm_map_init(&c->paths, c->a, tree->n_files);
  for (size_t i = 0; i < tree->n_files; i++) {
    hm_map_add(&c->files, tree->files[i].source, (uint32_t)i);
    hm_map_add(&c->paths, tree->files[i].path, (uint32_t)i);
  }
  c->report = hm_alloc(c->a, sizeof *c->report);
  c->families = hm_families_prepare(NULL, c->a);
  c->scratch = hm_arena_new();
  c->keys = hm_arena_new();
  c->findings.a = c->a;
  if (hm_store_open(&c->store, "", HM_STORE_TRY, 0, c->err) || import_all(c) || settle(c) ||
      hm_sweep_run_all(c->store, &opt, c->a, &c->sweep, c->err))
    return -1;
  find_record_faults(c);
  find_parts(c);
  return 0;
}

static void forget(files_check *c) {
  hm_sweep_free(&c->sweep);
  hm_arena_free(c->scratch);
  hm_arena_free(c->keys);
  if (c->store) {
    hm_store_rollback(c->store);
    hm_store_close(c->store);
  }
}

static int find_known(const hm_check_files_input *in, const hm_tree *tree, const hm_rules *rules,
                      hm_arena *a, known_values *out, hm_err *err) {
  files_check c = { .in = in, .a = a, .err = err };
  int rc = find(&c, tree, rules);
  if (!rc)
    known_values_read(&c, out);
  forget(&c);
  return rc;
}

/* What there was when each comment was written. Cost: the files of each such commit, as a baseline;
 * of the first COMMITS. */
static int find_stood(files_check *c, const hm_rules *rules) {
  enum { COMMITS = 16 };
  hm_str *commits;
  hm_settled_lines_index(&c->found, c->lines, c->n_lines, c->a);
  size_t n = settled_list_commits(c, &commits);
  c->against = hm_alloc_array(c->a, c->n_lines + 1, sizeof *c->against);
  c->stood = hm_alloc_array(c->a, c->n_lines + 1, sizeof *c->stood);
  for (size_t i = 0; i < n; i++) {
    const hm_check_git *git = c->in->git;
    const hm_tree *tree = i < COMMITS ? git->past(git->ctx, commits[i], c->a) : NULL;
    known_values *then = tree ? hm_alloc(c->a, sizeof *then) : NULL;
    if (tree && find_known(c->in, tree, rules, c->a, then, c->err))
      return -1;
    settled_stood(c, commits[i], then);
  }
  return 0;
}

int hm_check_files(const hm_check_files_input *in, hm_arena *a, hm_report **out, hm_err *err) {
  files_check c = { .in = in, .a = a, .err = err };
  hm_report_list list = { .a = a };
  hm_rules rules = rules_without_similar(in->rules, a);
  known_values past;
  int rc = in->past ? find_known(in, in->past, &rules, a, &past, err) : 0;
  c.past = in->past ? &past : NULL;
  if (!rc)
    rc = find(&c, in->tree, &rules) || find_stood(&c, &rules) || add_disputes(&c, &list) ||
            add_findings(&c, &list)
        ? -1
        : 0;
  if (!rc) {
    add_commits(&c, &list);
    settled_tell(&c);
    for (size_t i = 0; i < c.sweep.claims->n; i++)
      c.report->values += !c.sweep.claims->claims[i].twin.n;
    c.report->of_files = true;
    c.report->settled = c.settled;
    c.report->n_settled = c.n_lines;
    add_verdicts(&c);
    c.report->compared = in->past != NULL;
    c.report->baseline = in->baseline;
    hm_report_finish(c.report, &list);
  }
  forget(&c);
  *out = c.report;
  return rc;
}
