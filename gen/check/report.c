/* What a check found, and how it reads as text and as JSON: check.h. The other formats are in
 * report_formats.c. */
#include "gen/check/check.h"

#include <stdlib.h>

#include "core/base/digest.h"
#include "core/base/json.h"

const hm_report_rule hm_report_rules[HM_N_REPORT_RULES] = {
  [HM_R_DISPUTED] = { "disputed", "DisputedField", "\u26A0 disputed",
                      "Recorded facts contradict each other about a field.",
                      "Open the conflict's page for all sides. A person settles it: hmirror "
                      "conflicts resolve or dismiss.",
                      HM_WARNING, HM_SUITE_CONFLICTS },
  [HM_R_SIGNOFF] = { "sign-off", "AwaitingSignOff", "awaiting sign-off",
                     "A conflict is open although its claims no longer disagree.",
                     "A person closes it: hmirror conflicts resolve or dismiss.", HM_NOTE,
                     HM_SUITE_CONFLICTS },
  [HM_R_LINK] = { "broken-link", "BrokenLink", "broken link",
                  "A link of a page leads to no file of the site.",
                  "Correct the link in the template or the static file that it comes from.",
                  HM_ERROR, HM_SUITE_LINKS },
  [HM_R_ANCHOR] = { "missing-anchor", "MissingAnchor", "missing anchor",
                    "A link leads to a page that has no such anchor.",
                    "Correct the link, or give the page an element with that id.", HM_ERROR,
                    HM_SUITE_LINKS },
  [HM_R_LEAK] = { "leak", "Leak", "leak",
                  "A file of the site holds what publish.exclude leaves out.",
                  "Take it out of the template or the static file; what may be published is "
                  "listed in check.public.",
                  HM_ERROR, HM_SUITE_LEAKS },
  [HM_R_SECRET] = { "live-secret", "LiveSecret", "live secret",
                    "A published fact looks like a live secret: a key, a token, a password.",
                    "Change it where it is used, since it has been seen; then take it out of the "
                    "store with hmirror redact.",
                    HM_WARNING, HM_SUITE_FINDINGS },
  [HM_R_ANACHRONISM] = { "anachronism", "Anachronism", "anachronism",
                         "Facts whose times cannot all be right.", "Correct the times of the rows.",
                         HM_NOTE, HM_SUITE_FINDINGS },
  [HM_R_ONTOLOGY] = { "ontology-violation", "OntologyViolation", "ontology violation",
                      "A row cannot be read as its type says.", "Correct the row.", HM_NOTE,
                      HM_SUITE_FINDINGS },
  [HM_R_ORPHAN] = { "orphan", "Orphan", "orphan", "A row refers to nothing.",
                    "Correct the reference, or add what it means.", HM_NOTE, HM_SUITE_FINDINGS },
  [HM_R_STALE] = { "stale", "StaleClaim", "stale claim",
                   "A claim that nobody has confirmed for long.",
                   "Confirm the row or supersede it.", HM_NOTE, HM_SUITE_FINDINGS },
  [HM_R_FINDING] = { "finding", "Finding", "finding", "Something else that a reader must know.",
                     "See the row.", HM_NOTE, HM_SUITE_FINDINGS },
};

const struct hm_suite_text hm_report_suites[HM_N_SUITES] = {
  [HM_SUITE_CONFLICTS] = { "conflicts", "no conflict is open" },
  [HM_SUITE_LINKS] = { "links", "every link leads somewhere" },
  [HM_SUITE_LEAKS] = { "leaks", "nothing that is left out is in the site" },
  [HM_SUITE_FINDINGS] = { "findings", "no finding" },
};

hm_str hm_report_format_message(const hm_report_item *i, hm_arena *a) {
  const char *colon = i->detail.n ? ": " : "";
  return hm_str_fmt(a, "%s: %.*s%s%.*s%s", hm_report_rules[i->rule].title, HM_FMT(i->subject),
                    colon, HM_FMT(i->detail), i->fresh ? " (new)" : "");
}

/* Items of a suite, listed or not. */
static size_t report_suite_found(const hm_report *r, hm_report_suite s) {
  size_t n = 0;
  for (int k = 0; k < HM_N_REPORT_RULES; k++)
    if (hm_report_rules[k].suite == s) n += r->found[k];
  return n;
}

void hm_report_add(hm_report_list *l, hm_report_item item) {
  l->v = hm_array_grow_in(l->a, l->v, l->n, &l->cap, sizeof *l->v);
  l->v[l->n++] = item;
}

hm_str hm_report_make_item_id(hm_arena *a, const hm_str *parts) {
  hm_sha256 h;
  hm_sha256_init(&h);
  for (; parts->p; parts++) hm_sha256_field(&h, *parts);
  return hm_sha256_hex(&h, a, 16);
}

static int by_place(const void *x, const void *y) {
  const hm_report_item *a = x, *b = y;
  if (a->rule != b->rule) return a->rule < b->rule ? -1 : 1;
  int c = hm_str_cmp(a->path, b->path);
  if (c) return c;
  if (a->line != b->line) return a->line < b->line ? -1 : 1;
  c = hm_str_cmp(a->id, b->id);
  return c ? c : hm_str_cmp(a->detail, b->detail);
}

void hm_report_finish(hm_report *r, hm_report_list *l) {
  size_t listed[HM_N_REPORT_RULES] = { 0 };
  if (l->n) qsort(l->v, l->n, sizeof *l->v, by_place);
  for (size_t i = 0; i < l->n; i++) {
    hm_report_item *item = &l->v[i];
    item->level = item->fails ? HM_ERROR : hm_report_rules[item->rule].level;
    r->fails |= item->fails;
    listed[item->rule]++;
  }
  for (int k = 0; k < HM_N_REPORT_RULES; k++)
    if (r->found[k] < listed[k]) r->found[k] = listed[k];
  r->items = l->v;
  r->n = l->n;
}

/* --- text and JSON ------------------------------------------------------------------- */

const hm_format hm_formats[] = {
  { "text", hm_format_text }, { "json", hm_format_json }, { "junit", hm_format_junit },
  { "sarif", hm_format_sarif }, { "github", hm_format_github }, { 0 }
};

hm_str hm_report_path(const hm_format_options *o, hm_str path, hm_arena *a) {
  return HM_CAT(a, o->prefix, path);
}

static void write_count(hm_buf *b, size_t n, const char *one, const char *many) {
  hm_buf_fmt(b, "%s%zu %s", b->n && b->p[b->n - 1] != '\n' ? ", " : "", n, n == 1 ? one : many);
}

static void write_counts(hm_buf *b, const hm_report *r) {
  write_count(b, r->found[HM_R_DISPUTED], "dispute", "disputes");
  if (r->compared)
    hm_buf_fmt(b, " (%zu new since %.*s)", r->fresh, r->baseline.n > 12 ? 12 : (int)r->baseline.n,
               r->baseline.p);
  write_count(b, r->found[HM_R_SIGNOFF], "conflict awaiting sign-off",
              "conflicts awaiting sign-off");
  write_count(b, report_suite_found(r, HM_SUITE_LINKS), "broken link", "broken links");
  hm_buf_fmt(b, " of %zu on %zu pages", r->links, r->pages);
  write_count(b, r->found[HM_R_LEAK], "leak", "leaks");
  if (r->withheld)
    hm_buf_fmt(b, " of %zu texts left out (%zu too short to search for, %zu published elsewhere)",
               r->withheld, r->unsearchable, r->published);
  write_count(b, report_suite_found(r, HM_SUITE_FINDINGS), "finding", "findings");
  hm_buf_ch(b, '\n');
}

void hm_format_text(hm_buf *out, const hm_report *r, const hm_format_options *o) {
  hm_arena *tmp = hm_arena_new();
  size_t all = 0;
  for (size_t i = 0; i < r->n; i++) {
    const hm_report_item *item = &r->items[i];
    hm_buf_str(out, hm_report_path(o, item->path, tmp));
    if (item->line) hm_buf_fmt(out, ":%zu", item->line);
    hm_buf_c(out, ": ");
    if (item->fails) hm_buf_c(out, "error: ");
    hm_buf_str(out, hm_report_format_message(item, tmp));
    hm_buf_fmt(out, " [%.*s]\n", HM_FMT(item->id));
    hm_arena_reset(tmp);
  }
  for (int k = 0; k < HM_N_REPORT_RULES; k++) all += r->found[k];
  if (all > r->n) hm_buf_fmt(out, "and %zu more\n", all - r->n);
  if (!o->quiet) write_counts(out, r);
  hm_arena_free(tmp);
}

static void write_json_item(hm_jw *w, const hm_report_item *i, const hm_format_options *o,
                            hm_arena *tmp) {
  static const char *const levels[] = {
    [HM_NOTE] = "note", [HM_WARNING] = "warning", [HM_ERROR] = "error"
  };
  hm_jw_obj(w, NULL);
  hm_jw_str(w, "rule", hm_str_c(hm_report_rules[i->rule].id));
  hm_jw_str(w, "level", hm_str_c(levels[i->level]));
  hm_jw_bool(w, "fails", i->fails);
  hm_jw_bool(w, "new", i->fresh);
  hm_jw_str(w, "path", hm_report_path(o, i->path, tmp));
  if (i->line) hm_jw_int(w, "line", (int64_t)i->line);
  else hm_jw_null(w, "line");
  hm_jw_str(w, "id", i->id);
  hm_jw_str_or_null(w, "project", i->project);
  hm_jw_str(w, "subject", i->subject);
  hm_jw_str(w, "detail", i->detail);
  hm_jw_str(w, "message", hm_report_format_message(i, tmp));
  hm_jw_str_or_null(w, "see", i->see.n ? hm_report_path(o, i->see, tmp) : HM_EMPTY);
  hm_jw_end(w);
}

void hm_format_json(hm_buf *out, const hm_report *r, const hm_format_options *o) {
  hm_arena *tmp = hm_arena_new();
  hm_jw w;
  hm_jw_init(&w, out, 2);
  hm_jw_obj(&w, NULL);
  hm_jw_bool(&w, "ok", !r->fails);
  hm_jw_str_or_null(&w, "baseline", r->compared ? r->baseline : HM_EMPTY);
  hm_jw_obj(&w, "counts");
  for (int k = 0; k < HM_N_REPORT_RULES; k++)
    hm_jw_int(&w, hm_report_rules[k].id, (int64_t)r->found[k]);
  hm_jw_int(&w, "new", (int64_t)r->fresh);
  hm_jw_int(&w, "pages", (int64_t)r->pages);
  hm_jw_int(&w, "links", (int64_t)r->links);
  hm_jw_int(&w, "withheld", (int64_t)r->withheld);
  hm_jw_int(&w, "withheld_too_short", (int64_t)r->unsearchable);
  hm_jw_int(&w, "withheld_published", (int64_t)r->published);
  hm_jw_end(&w);
  hm_jw_arr(&w, "results");
  for (size_t i = 0; i < r->n; i++) {
    write_json_item(&w, &r->items[i], o, tmp);
    hm_arena_reset(tmp);
  }
  hm_jw_end(&w);
  hm_jw_int(&w, "count", (int64_t)r->n);
  hm_jw_end(&w);
  hm_buf_ch(out, '\n');
  hm_arena_free(tmp);
}
