/* A report as SARIF 2.1.0 (OASIS): one run. What it holds is in check.h. */
#include "gen/check/report_impl.h"

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/markdown/escape.h"

/* Braces are placeholders' and brackets are links' unless escaped. */
static hm_str escape_brackets(hm_str s, hm_arena *a) {
  hm_buf b = { 0 };
  for (size_t i = 0; i < s.n; i++) {
    char c = s.p[i];
    if (c == '{' || c == '}')
      hm_buf_ch(&b, c);
    else if (c == '[' || c == ']')
      hm_buf_ch(&b, '\\');
    hm_buf_ch(&b, c);
  }
  return hm_buf_take(&b, a);
}

/* A path, before which stands a prefix that may be anything, as a URI. */
static hm_str uri_of(hm_str path, hm_arena *a) {
  hm_buf b = { 0 };
  hm_url_encode(&b, path, "-._~/");
  return hm_buf_take(&b, a);
}

static void write_sarif_text(hm_jw *w, const char *key, const char *text) {
  hm_jw_obj(w, key);
  hm_jw_str(w, "text", hm_str_c(text));
  hm_jw_end(w);
}

static void write_sarif_rule(hm_jw *w, const hm_report *r, const hm_report_rule *rule) {
  const char *about = r->of_files && rule->about_files ? rule->about_files : rule->about;
  hm_jw_obj(w, NULL);
  hm_jw_str(w, "id", hm_str_c(rule->id));
  hm_jw_str(w, "name", hm_str_c(rule->name));
  write_sarif_text(w, "shortDescription", about);
  write_sarif_text(w, "fullDescription", about);
  write_sarif_text(w, "help", report_help(r, rule));
  hm_jw_obj(w, "defaultConfiguration");
  hm_jw_str(w, "level", hm_str_c(report_level_names[rule->level]));
  hm_jw_end(w);
  hm_jw_end(w);
}

/* number: how a message's link names it; 0: the result's own place. */
static void write_sarif_location(hm_jw *w, hm_str path, size_t line, int number,
                                 const char *about) {
  hm_jw_obj(w, NULL);
  if (number)
    hm_jw_int(w, "id", number);
  hm_jw_obj(w, "physicalLocation");
  hm_jw_obj(w, "artifactLocation");
  hm_jw_str(w, "uri", path);
  hm_jw_end(w);
  if (line) {
    hm_jw_obj(w, "region");
    hm_jw_int(w, "startLine", (int64_t)line);
    hm_jw_end(w);
  }
  hm_jw_end(w);
  if (number)
    write_sarif_text(w, "message", about);
  hm_jw_end(w);
}

/* The first side at which the result stands; git hosts show no other place of it. */
static const hm_report_side *first_shown(const hm_report_item *i) {
  for (const hm_report_side *s = i->sides; s < i->sides + i->n_sides; s++)
    if (report_shows_at(i, s))
      return s;
  return NULL;
}

/* ". [docs/a.md:3](1) says 15, [b.md:1](2) says 16": what the other sides of a result say. */
static hm_str link_sides(const hm_report_item *i, const hm_format_options *o, hm_arena *a) {
  const hm_report_side *first = first_shown(i);
  hm_buf b = { 0 };
  int number = 0;
  for (const hm_report_side *s = i->sides; s < i->sides + i->n_sides; s++) {
    if (s == first)
      continue;
    hm_str place =
        hm_str_fmt(a, "%.*s%s", HM_FMT(report_path(o, s->path, a)), report_side_line(s, a));
    place = escape_brackets(place, a);
    if (!s->nowhere)
      place = hm_str_fmt(a, "[%.*s](%d)", HM_FMT(place), ++number);
    hm_str value = escape_brackets(s->value, a);
    hm_buf_fmt(&b, "%s%.*s %s%.*s", b.n ? ", " : ". ", HM_FMT(place), report_said(s),
               HM_FMT(value));
  }
  return hm_buf_take(&b, a);
}

/* The places to which the message links. */
static void write_sarif_related(hm_jw *w, const hm_report_item *i, const hm_format_options *o,
                                hm_arena *tmp) {
  const hm_report_side *first = first_shown(i);
  int number = 0;
  if (!i->see.n && i->n_sides < 2)
    return;
  hm_jw_arr(w, "relatedLocations");
  if (i->see.n)
    write_sarif_location(w, uri_of(report_path(o, i->see, tmp), tmp), 1, ++number,
                         "All sides of the conflict.");
  for (const hm_report_side *s = i->sides; s < i->sides + i->n_sides; s++)
    if (s != first && !s->nowhere)
      write_sarif_location(
          w, uri_of(report_path(o, s->path, tmp), tmp), s->line, ++number,
          hm_str_fmt(tmp, "%s%.*s", report_said(s), HM_FMT(escape_brackets(s->value, tmp))).p);
  hm_jw_end(w);
}

static void write_sarif_result(hm_jw *w, const hm_report_item *i, const hm_format_options *o,
                               hm_arena *tmp) {
  hm_str text = escape_brackets(report_message(i, tmp), tmp);
  if (i->see.n)
    text = hm_str_fmt(tmp, "%.*s. [All sides](1)", HM_FMT(text));
  text = HM_CAT(tmp, text, link_sides(i, o, tmp));
  hm_jw_obj(w, NULL);
  hm_jw_str(w, "ruleId", hm_str_c(hm_report_rules[i->rule].id));
  hm_jw_int(w, "ruleIndex", i->rule);
  hm_jw_str(w, "level", hm_str_c(report_level_names[i->level]));
  hm_jw_obj(w, "message");
  hm_jw_str(w, "text", text);
  hm_jw_end(w);
  hm_jw_arr(w, "locations");
  if (!first_shown(i))
    write_sarif_location(w, uri_of(report_path(o, i->path, tmp), tmp), i->line, 0, NULL);
  for (const hm_report_side *s = i->sides; s < i->sides + i->n_sides; s++)
    if (report_shows_at(i, s))
      write_sarif_location(w, uri_of(report_path(o, s->path, tmp), tmp), s->line, 0, NULL);
  hm_jw_end(w);
  write_sarif_related(w, i, o, tmp);
  hm_jw_obj(w, "fingerprints");
  hm_jw_str(w, "hmirrorId/v1", i->id);
  hm_jw_end(w);
  hm_jw_obj(w, "partialFingerprints");
  hm_jw_str(w, "primaryLocationLineHash", i->id); /* the one that GitHub reads */
  hm_jw_end(w);
  hm_jw_obj(w, "properties");
  hm_jw_str_or_null(w, "project", i->project);
  hm_jw_bool(w, "new", i->fresh);
  hm_jw_bool(w, "fails", i->fails);
  hm_jw_end(w);
  hm_jw_end(w);
}

void report_sarif(hm_buf *out, const hm_report *r, const hm_format_options *o) {
  hm_arena *tmp = hm_arena_new();
  hm_jw w;
  hm_jw_init(&w, out, 4);
  hm_jw_obj(&w, NULL);
  hm_jw_str(&w, "$schema",
            HM_STR("https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
                   "sarif-schema-2.1.0.json"));
  hm_jw_str(&w, "version", HM_STR("2.1.0"));
  hm_jw_arr(&w, "runs");
  hm_jw_obj(&w, NULL);
  hm_jw_obj(&w, "tool");
  hm_jw_obj(&w, "driver");
  hm_jw_str(&w, "name", o->tool);
  hm_jw_str(&w, "version", o->version);
  hm_jw_str(&w, "semanticVersion", o->version);
  hm_jw_arr(&w, "rules");
  for (int k = 0; k < HM_N_REPORT_RULES; k++)
    write_sarif_rule(&w, r, &hm_report_rules[k]);
  for (int k = 0; k < 3; k++)
    hm_jw_end(&w);
  hm_jw_str(&w, "columnKind", HM_STR("unicodeCodePoints"));
  hm_jw_arr(&w, "results");
  for (size_t i = 0; i < r->n; i++) {
    write_sarif_result(&w, &r->items[i], o, tmp);
    hm_arena_reset(tmp);
  }
  hm_jw_end(&w);
  if (r->n_settled) {
    hm_jw_obj(&w, "properties");
    hm_jw_arr(&w, "settled");
    for (const hm_report_settled *s = r->settled; s < r->settled + r->n_settled; s++)
      hm_jw_str(&w, NULL, report_settled_text(s, o, tmp));
  }
  while (w.depth)
    hm_jw_end(&w);
  hm_buf_ch(out, '\n');
  hm_arena_free(tmp);
}
