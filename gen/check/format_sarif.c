#include "core/base/json.h"
#include "gen/check/format.h"

static const char *const levels[] = {
  [HM_NOTE] = "note", [HM_WARNING] = "warning", [HM_ERROR] = "error"
};

/* Braces are placeholders' and brackets are links' unless escaped. */
static hm_str escaped(hm_str s, hm_arena *a) {
  hm_buf b = { 0 };
  for (size_t i = 0; i < s.n; i++) {
    char c = s.p[i];
    if (c == '{' || c == '}') hm_buf_ch(&b, c);
    else if (c == '[' || c == ']') hm_buf_ch(&b, '\\');
    hm_buf_ch(&b, c);
  }
  hm_str out = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return out;
}

/* A path as a URI: the prefix may be anything. */
static hm_str uri(hm_str prefix, hm_str path, hm_arena *a) {
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  hm_buf b = { 0 };
  const hm_str parts[] = { prefix, path };
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; i < parts[k].n; i++) {
      bool keep = false;
      for (const char *p = plain; *p && !keep; p++) keep = *p == parts[k].p[i];
      if (keep) hm_buf_ch(&b, parts[k].p[i]);
      else hm_buf_fmt(&b, "%%%02X", (unsigned)(unsigned char)parts[k].p[i]);
    }
  hm_str out = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return out;
}

static void put_text(hm_jw *w, const char *key, const char *text) {
  hm_jw_obj(w, key);
  hm_jw_str(w, "text", hm_str_c(text));
  hm_jw_end(w);
}

static void put_rule(hm_jw *w, const hm_report_rule *rule) {
  hm_jw_obj(w, NULL);
  hm_jw_str(w, "id", hm_str_c(rule->id));
  hm_jw_str(w, "name", hm_str_c(rule->name));
  put_text(w, "shortDescription", rule->about);
  put_text(w, "fullDescription", rule->about);
  put_text(w, "help", rule->help);
  hm_jw_obj(w, "defaultConfiguration");
  hm_jw_str(w, "level", hm_str_c(levels[rule->level]));
  hm_jw_end(w);
  hm_jw_end(w);
}

static void put_driver(hm_jw *w, const hm_format_options *o) {
  hm_jw_obj(w, "tool");
  hm_jw_obj(w, "driver");
  hm_jw_str(w, "name", o->tool);
  hm_jw_str(w, "version", o->version);
  hm_jw_str(w, "semanticVersion", o->version);
  hm_jw_arr(w, "rules");
  for (int k = 0; k < HM_N_REPORT_RULES; k++) put_rule(w, &hm_report_rules[k]);
  hm_jw_end(w);
  hm_jw_end(w);
  hm_jw_end(w);
}

/* number: how a message's link names it; 0: the result's own place. */
static void put_location(hm_jw *w, hm_str path, size_t line, int number) {
  hm_jw_obj(w, NULL);
  if (number) hm_jw_int(w, "id", number);
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
  if (number) put_text(w, "message", "All sides of the conflict.");
  hm_jw_end(w);
}

static void put_fingerprints(hm_jw *w, hm_str id) {
  hm_jw_obj(w, "fingerprints");
  hm_jw_str(w, "hmirrorId/v1", id);
  hm_jw_end(w);
  hm_jw_obj(w, "partialFingerprints");
  hm_jw_str(w, "primaryLocationLineHash", id);   /* the one that GitHub reads */
  hm_jw_end(w);
}

static void put_result(hm_jw *w, const hm_report_item *i, const hm_format_options *o,
                       hm_arena *tmp) {
  hm_str text = escaped(hm_report_message(i, tmp), tmp);
  if (i->see.n) text = hm_str_fmt(tmp, "%.*s. [All sides](1)", HM_FMT(text));
  hm_jw_obj(w, NULL);
  hm_jw_str(w, "ruleId", hm_str_c(hm_report_rules[i->rule].id));
  hm_jw_int(w, "ruleIndex", i->rule);
  hm_jw_str(w, "level", hm_str_c(levels[i->level]));
  hm_jw_obj(w, "message");
  hm_jw_str(w, "text", text);
  hm_jw_end(w);
  hm_jw_arr(w, "locations");
  put_location(w, uri(o->prefix, i->path, tmp), i->line, 0);
  hm_jw_end(w);
  if (i->see.n) {
    hm_jw_arr(w, "relatedLocations");
    put_location(w, uri(o->prefix, i->see, tmp), 1, 1);
    hm_jw_end(w);
  }
  put_fingerprints(w, i->id);
  hm_jw_obj(w, "properties");
  hm_jw_str_or_null(w, "project", i->project);
  hm_jw_bool(w, "new", i->fresh);
  hm_jw_bool(w, "fails", i->fails);
  hm_jw_end(w);
  hm_jw_end(w);
}

void hm_format_sarif(hm_buf *out, const hm_report *r, const hm_format_options *o) {
  hm_arena *tmp = hm_arena_new();
  hm_jw w;
  hm_jw_init(&w, out, 4);
  hm_jw_obj(&w, NULL);
  hm_jw_str(
      &w, "$schema",
      HM_STR(
          "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"));
  hm_jw_str(&w, "version", HM_STR("2.1.0"));
  hm_jw_arr(&w, "runs");
  hm_jw_obj(&w, NULL);
  put_driver(&w, o);
  hm_jw_str(&w, "columnKind", HM_STR("unicodeCodePoints"));
  hm_jw_arr(&w, "results");
  for (size_t i = 0; i < r->n; i++) {
    put_result(&w, &r->items[i], o, tmp);
    hm_arena_reset(tmp);
  }
  hm_jw_end(&w);
  hm_jw_end(&w);
  hm_jw_end(&w);
  hm_jw_end(&w);
  hm_buf_ch(out, '\n');
  hm_arena_free(tmp);
}
