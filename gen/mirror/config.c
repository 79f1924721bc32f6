#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "core/base/digest.h"
#include "core/base/text.h"
#include "core/claim/value.h"
#include "gen/mirror/config_impl.h"
#include "gen/mirror/files.h"
#include "gen/render/escape.h"

int hm_config_bad(const hm_reading *r, const char *path, const char *why, const char *fix) {
  return hm_fail(r->err, HM_E_USAGE, hm_config_at(r->a, &r->lines, path), why, fix);
}

const char *hm_config_text(const hm_reading *r, const char *given, const char *def) {
  return given ? hm_str_dup(r->a, hm_str_c(given)).p : def;
}

const char *hm_config_path(const hm_reading *r, const char *given, const char *def) {
  return hm_path_join(r->a, r->folder, hm_config_text(r, given, def));
}

/* --- checks ------------------------------------------------------------- */

int hm_check_base_url(hm_arena *a, const char *url, const char *what, hm_str *out, hm_err *err) {
  hm_str s = hm_str_trim(hm_str_c(url));
  *out = s;
  if (!s.n) return 0;
  bool http = hm_str_starts(s, "http://") || hm_str_starts(s, "https://");
  if (!http || !hm_url_safe(s) || memchr(s.p, '?', s.n) || memchr(s.p, '#', s.n))
    return hm_fail(err, HM_E_USAGE, what, "not an address of a folder on the web",
                   "write it as https://host/path/");
  *out = hm_str_fmt(a, "%.*s%s", HM_FMT(s), hm_str_ends(s, "/") ? "" : "/");
  return 0;
}

int hm_check_branch(const char *branch, const char *what, hm_err *err) {
  hm_str s = hm_str_c(branch);
  bool ok = s.n > 0 && s.n <= 100 && s.p[0] != '-' && s.p[0] != '/' && !hm_str_ends(s, "/") &&
      !hm_str_ends(s, ".") && s.p[0] != '.' && !strstr(branch, "..") && !strstr(branch, "//") &&
      !strstr(branch, "/.") && !strstr(branch, ".lock");
  for (size_t i = 0; ok && i < s.n; i++)
    ok = strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/-", s.p[i]) !=
        NULL;
  if (ok && strcmp(branch, "HEAD") != 0) return 0;
  return hm_failf(err, HM_E_USAGE, what, "use letters, digits and . _ / -",
                  "'%.60s' is no name for a branch", branch);
}

int hm_check_threads(const char *given, const char *what, int *out, hm_err *err) {
  char *end;
  errno = 0;
  long n = given[0] >= '0' && given[0] <= '9' ? strtol(given, &end, 10) : -1;
  if (n < 0 || n > 256 || errno || *end)
    return hm_failf(err, HM_E_USAGE, what, "give 1 to 256, or 0 for one a core",
                    "'%.40s' is no number of threads", given);
  *out = (int)n;
  return 0;
}

static int in_range(const hm_reading *r, const char *key, size_t given, size_t least, size_t most,
                    size_t *out) {
  if (!hm_config_line_of(&r->lines, key)) return 0;
  if (given < least || given > most)
    return hm_config_bad(r, key, "out of range",
                         hm_str_fmt(r->a, "give %zu to %zu", least, most).p);
  *out = given;
  return 0;
}

int hm_config_one_line(const hm_reading *r, const char *key, const char *given) {
  for (const char *p = given; p && *p; p++)
    if ((unsigned char)*p < 0x20 || *p == 0x7f)
      return hm_config_bad(r, key, "a control character", "keep it on one line");
  return 0;
}

/* --- parts -------------------------------------------------------------- */

static int read_files(const hm_reading *r) {
  const hm_raw_config *raw = r->raw;
  hm_config *c = r->out;
  c->store = hm_config_path(r, raw->store, "hmirror.db");
  c->review = hm_config_path(r, raw->review, "hmirror-review.db");
  c->output = hm_config_path(r, raw->output, "site");
  c->theme = hm_config_path(r, raw->theme, "theme");
  c->templates = hm_config_path(r, raw->templates, "templates");
  c->statics = hm_config_path(r, raw->statics, "static");
  c->theme_named = raw->theme && strcmp(raw->theme, "theme") != 0;
  c->templates_named = raw->templates && strcmp(raw->templates, "templates") != 0;
  c->statics_named = raw->statics && strcmp(raw->statics, "static") != 0;
  return 0;
}

static int read_pages(const hm_reading *r) {
  const hm_raw_config *raw = r->raw;
  hm_config *c = r->out;
  size_t threads = 0;
  c->list_limit = 500;
  c->value_limit = 2000;
  c->title = hm_str_c(hm_config_text(r, raw->title, "Human Mirror"));
  if (hm_config_one_line(r, "title", raw->title)) return -1;
  if (hm_check_base_url(r->a, hm_config_text(r, raw->base_url, ""),
                        hm_config_at(r->a, &r->lines, "base_url"), &c->base_url, r->err))
    return -1;
  if (in_range(r, "threads", raw->threads, 0, 256, &threads)) return -1;
  c->threads = (int)threads;
  if (in_range(r, "list_limit", raw->list_limit, 10, 100000, &c->list_limit)) return -1;
  return in_range(r, "value_limit", raw->value_limit, 40, 1000000, &c->value_limit);
}

/* Folded, with the '*' of a pattern and the '_' before it kept. */
static hm_str pattern(hm_arena *a, hm_str s) {
  s = hm_str_trim(s);
  if (!hm_str_ends(s, "*")) return hm_text_name(a, s);
  hm_str stem = hm_str_sub(s, 0, s.n - 1);
  hm_str folded = hm_text_name(a, stem);
  return hm_str_fmt(a, "%.*s%s*", HM_FMT(folded), folded.n && hm_str_ends(stem, "_") ? "_" : "");
}

static int read_patterns(const hm_reading *r, const char *key, const hm_raw_list *in,
                         const hm_str **out, size_t *n) {
  if (!hm_config_line_of(&r->lines, key)) return 0;   /* absent: the default; empty: none */
  hm_str *v = hm_alloc_array(r->a, in->n + 1, sizeof *v);
  for (unsigned i = 0; i < in->n; i++) {
    v[i] = pattern(r->a, hm_str_c(in->v[i]));
    if (!v[i].n)
      return hm_config_bad(r, hm_str_fmt(r->a, "%s[%u]", key, i).p, "holds no letter or digit",
                           NULL);
  }
  *out = v;
  *n = in->n;
  return 0;
}

static int by_bytes(const void *x, const void *y) {
  return hm_str_cmp(*(const hm_str *)x, *(const hm_str *)y);
}

static int read_silence(const hm_reading *r, const hm_raw_list *in, hm_rules *rules) {
  hm_str *v = hm_alloc_array(r->a, in->n + 1, sizeof *v);
  for (unsigned i = 0; i < in->n; i++) {
    v[i] = hm_silence_word(hm_str_c(in->v[i]), r->a);
    if (!v[i].n)
      return hm_config_bad(r, hm_str_fmt(r->a, "rules.silence[%u]", i).p,
                           "is empty or longer than 64 bytes",
                           "give a word or a few that stand for 'not known'");
  }
  qsort(v, in->n, sizeof *v, by_bytes);
  rules->silence = v;
  rules->n_silence = in->n;
  return 0;
}

/* "0.05 kg", "0.05", "1 %": a number and what follows it. */
static int read_tolerance(const hm_reading *r, unsigned i, const hm_raw_tolerance *in,
                          hm_units *units, hm_tolerance *out) {
  const char *at = hm_str_fmt(r->a, "rules.tolerance[%u].value", i).p;
  hm_str slot = hm_text_name(r->a, hm_str_c(in->slot)),
         value = hm_str_dup(r->a, hm_str_trim(hm_str_c(in->value)));
  if (!slot.n)
    return hm_config_bad(r, hm_str_fmt(r->a, "rules.tolerance[%u].slot", i).p,
                         "holds no letter or digit", NULL);
  char *end;
  bool hex = value.n > 1 && value.p[0] == '0' && (value.p[1] == 'x' || value.p[1] == 'X');
  double d = !hex && strspn(value.p, "0123456789.") ? strtod(value.p, &end) : -1;
  if (!(d >= 0) || d > 1e300)
    return hm_config_bad(r, at, "not a number with an optional unit",
                         "write it as 0.05, 0.05 kg or 1 %");
  hm_str unit = hm_str_dup(r->a, hm_str_trim(hm_str_c(end)));
  hm_value v = { 0 };
  if (unit.n && !hm_str_is(unit, "%"))
    hm_value_of_text(&v, hm_str_fmt(r->a, "1 %s", unit.p), false, units, r->a);
  if (unit.n && !hm_str_is(unit, "%") && v.kind != HM_V_QUANTITY && v.kind != HM_V_NUMBER)
    return hm_config_bad(r, at, hm_str_fmt(r->a, "'%.40s' is no unit", unit.p).p,
                         "write it as 0.05, 0.05 kg or 1 %");
  *out = (hm_tolerance){ .slot = slot, .value = d, .unit = unit };
  return 0;
}

static int read_rules(const hm_reading *r) {
  static const hm_raw_rules none;
  const hm_raw_rules *raw = r->raw->rules ? r->raw->rules : &none;
  hm_rules *rules = &r->out->rules;
  *rules = *hm_rules_default();
  if (read_patterns(r, "rules.prose", &raw->prose, &rules->prose, &rules->n_prose)) return -1;
  if (read_patterns(r, "rules.text_fields", &raw->text_fields, &rules->text_fields,
                    &rules->n_text_fields))
    return -1;
  if (read_silence(r, &raw->silence, rules)) return -1;
  if (!raw->n_tolerance) return 0;
  hm_tolerance *v = hm_alloc_array(r->a, raw->n_tolerance, sizeof *v);
  hm_units *units = hm_units_new();
  int rc = 0;
  for (unsigned i = 0; !rc && i < raw->n_tolerance; i++)
    rc = read_tolerance(r, i, &raw->tolerance[i], units, &v[i]);
  hm_units_free(units);
  rules->tolerances = v;
  rules->n_tolerances = raw->n_tolerance;
  return rc;
}

/* --- loading ------------------------------------------------------------ */

typedef struct { char text[256]; } cyaml_complaint;

static void complain(cyaml_log_t level, void *ctx, const char *fmt, va_list args) {
  (void)level;
  cyaml_complaint *c = ctx;
  if (!c->text[0])
    vsnprintf(c->text, sizeof c->text, fmt, args); /* the first is the cause, the rest a trace */
}

static int fill(hm_arena *a, hm_str bytes, const char *folder, hm_config_lines lines,
                hm_config *out, hm_err *err) {
  static const hm_raw_config none;
  cyaml_complaint why = { "" };
  cyaml_config_t cfg = { .log_fn = complain, .log_ctx = &why, .mem_fn = cyaml_mem,
                         .log_level = CYAML_LOG_ERROR, .flags = CYAML_CFG_NO_ALIAS };
  hm_raw_config *raw = NULL;
  const uint8_t *text_bytes = (const uint8_t *)bytes.p;
  cyaml_err_t e = CYAML_OK;
  if (bytes.n)
    e = cyaml_load_data(text_bytes, bytes.n, &cfg, &hm_config_schema, (void **)&raw, NULL);
  if (e != CYAML_OK) {
    hm_fail(err, HM_E_USAGE, lines.name, why.text[0] ? why.text : cyaml_strerror(e), NULL);
    return -1;
  }
  hm_reading r = {
    .a = a, .folder = folder, .raw = raw ? raw : &none, .lines = lines, .out = out, .err = err
  };
  int rc = read_files(&r) || hm_config_map(&r) || read_pages(&r) || read_rules(&r) ||
          hm_config_publish(&r)
      ? -1
      : 0;
  cyaml_free(&cfg, &hm_config_schema, raw, 0);
  return rc;
}

int hm_config_read(hm_arena *a, hm_str bytes, const char *name, const char *folder, hm_config *out,
                   hm_err *err) {
  hm_config_lines lines;
  *out = (hm_config){ .file = name };
  if (hm_str_starts(bytes, "\xEF\xBB\xBF")) bytes = hm_str_sub(bytes, 3, bytes.n);
  if (hm_config_scan(a, bytes, name, &lines, err)) return -1;
  return fill(a, bytes, folder, lines, out, err);
}

static const char *folder_of(hm_arena *a, const char *file) {
  const char *slash = strrchr(file, '/');
  if (!slash) return "";
  return hm_str_dup(a, (hm_str){ file, slash == file ? 1 : (size_t)(slash - file) }).p;
}

int hm_config_load(hm_arena *a, const char *file, hm_config *out, hm_err *err) {
  struct stat st;
  hm_str bytes;
  if (!file) {
    file = "mirror.yml";
    if (stat(file, &st) && errno == ENOENT) {
      *out = (hm_config){ 0 };
      return fill(a, HM_EMPTY, "", (hm_config_lines){ .name = "defaults" }, out, err);
    }
  }
  if (hm_file_read(a, file, HM_CONFIG_MAX, HM_E_USAGE, &bytes, err)) return -1;
  return hm_config_read(a, bytes, file, folder_of(a, file), out, err);
}

/* --- the keys, and a digest of the rules --------------------------------- */

static const char *nth(hm_arena *a, const cyaml_schema_field_t *f, const char *prefix, size_t *i) {
  for (; f->key; f++) {
    const char *here = hm_str_fmt(a, "%s%s", prefix, f->key).p, *found = NULL;
    if (f->value.type == CYAML_MAPPING)
      found = nth(a, f->value.mapping.fields, hm_str_fmt(a, "%s.", here).p, i);
    else if (f->value.type == CYAML_SEQUENCE && f->value.sequence.entry->type == CYAML_MAPPING)
      found = nth(a, f->value.sequence.entry->mapping.fields, hm_str_fmt(a, "%s[].", here).p, i);
    else if ((*i)-- == 0) found = here;
    if (found) return found;
  }
  return NULL;
}

const char *hm_config_key(hm_arena *a, size_t i) {
  return nth(a, hm_config_schema.mapping.fields, "", &i);
}

static void digest_list(hm_sha256 *h, const hm_str *v, size_t n, hm_arena *a) {
  hm_sha256_field(h, hm_str_fmt(a, "%zu", n));
  for (size_t i = 0; i < n; i++) hm_sha256_field(h, v[i]);
}

hm_str hm_rules_digest(const hm_rules *rules, hm_arena *a) {
  hm_sha256 h;
  hm_sha256_init(&h);
  digest_list(&h, rules->prose, rules->n_prose, a);
  digest_list(&h, rules->text_fields, rules->n_text_fields, a);
  digest_list(&h, rules->silence, rules->n_silence, a);
  for (size_t i = 0; i < rules->n_tolerances; i++) {
    const hm_tolerance *t = &rules->tolerances[i];
    hm_sha256_field(&h, t->slot);
    hm_sha256_field(&h, hm_str_fmt(a, "%.17g", t->value));
    hm_sha256_field(&h, t->unit);
  }
  return hm_sha256_hex(&h, a, 12);
}
