#include "gen/check/format.h"

#include "core/base/json.h"

const hm_format hm_formats[] = {
  { "text", hm_format_text }, { "json", hm_format_json }, { "junit", hm_format_junit },
  { "sarif", hm_format_sarif }, { "github", hm_format_github }, { 0 }
};

static void put_count(hm_buf *b, size_t n, const char *one, const char *many) {
  hm_buf_fmt(b, "%s%zu %s", b->n && b->p[b->n - 1] != '\n' ? ", " : "", n, n == 1 ? one : many);
}

static void put_counts(hm_buf *b, const hm_report *r) {
  put_count(b, r->found[HM_R_DISPUTED], "dispute", "disputes");
  if (r->compared)
    hm_buf_fmt(b, " (%zu new since %.*s)", r->fresh, r->baseline.n > 12 ? 12 : (int)r->baseline.n,
               r->baseline.p);
  put_count(b, r->found[HM_R_SIGNOFF], "conflict awaiting sign-off", "conflicts awaiting sign-off");
  put_count(b, hm_report_suite_found(r, HM_SUITE_LINKS), "broken link", "broken links");
  hm_buf_fmt(b, " of %zu on %zu pages", r->links, r->pages);
  put_count(b, r->found[HM_R_LEAK], "leak", "leaks");
  if (r->withheld)
    hm_buf_fmt(b, " of %zu texts left out (%zu too short to search for, %zu published elsewhere)",
               r->withheld, r->unsearchable, r->published);
  put_count(b, hm_report_suite_found(r, HM_SUITE_FINDINGS), "finding", "findings");
  hm_buf_ch(b, '\n');
}

void hm_format_text(hm_buf *out, const hm_report *r, const hm_format_options *o) {
  hm_arena *tmp = hm_arena_new();
  size_t all = 0;
  for (size_t i = 0; i < r->n; i++) {
    const hm_report_item *item = &r->items[i];
    hm_buf_str(out, o->prefix);
    hm_buf_str(out, item->path);
    if (item->line) hm_buf_fmt(out, ":%zu", item->line);
    hm_buf_c(out, ": ");
    if (item->fails) hm_buf_c(out, "error: ");
    hm_buf_str(out, hm_report_message(item, tmp));
    hm_buf_fmt(out, " [%.*s]\n", HM_FMT(item->id));
    hm_arena_reset(tmp);
  }
  for (int k = 0; k < HM_N_REPORT_RULES; k++) all += r->found[k];
  if (all > r->n) hm_buf_fmt(out, "and %zu more\n", all - r->n);
  if (!o->quiet) put_counts(out, r);
  hm_arena_free(tmp);
}

static void put_item(hm_jw *w, const hm_report_item *i, const hm_format_options *o, hm_arena *tmp) {
  static const char *const levels[] = {
    [HM_NOTE] = "note", [HM_WARNING] = "warning", [HM_ERROR] = "error"
  };
  hm_jw_obj(w, NULL);
  hm_jw_str(w, "rule", hm_str_c(hm_report_rules[i->rule].id));
  hm_jw_str(w, "level", hm_str_c(levels[i->level]));
  hm_jw_bool(w, "fails", i->fails);
  hm_jw_bool(w, "new", i->fresh);
  hm_jw_str(w, "path", hm_str_fmt(tmp, "%.*s%.*s", HM_FMT(o->prefix), HM_FMT(i->path)));
  if (i->line) hm_jw_int(w, "line", (int64_t)i->line);
  else hm_jw_null(w, "line");
  hm_jw_str(w, "id", i->id);
  hm_jw_str_or_null(w, "project", i->project);
  hm_jw_str(w, "subject", i->subject);
  hm_jw_str(w, "detail", i->detail);
  hm_jw_str(w, "message", hm_report_message(i, tmp));
  hm_jw_str_or_null(w, "see",
                    i->see.n ? hm_str_fmt(tmp, "%.*s%.*s", HM_FMT(o->prefix), HM_FMT(i->see))
                             : HM_EMPTY);
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
    put_item(&w, &r->items[i], o, tmp);
    hm_arena_reset(tmp);
  }
  hm_jw_end(&w);
  hm_jw_int(&w, "count", (int64_t)r->n);
  hm_jw_end(&w);
  hm_buf_ch(out, '\n');
  hm_arena_free(tmp);
}
