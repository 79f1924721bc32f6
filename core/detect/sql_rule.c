/* The header of a rule in SQL.
 *
 * All faults are reported with file and line before any SQL runs: an unknown, repeated or missing
 * key, an invalid value. Cost: one pass. */
#include "core/detect/sql_rule.h"

#include <stdio.h>
#include <string.h>

#include "core/base/near_names.h"
#include "core/base/text.h"

enum { K_DESCRIPTION, K_EXPECTED, K_ID, K_KIND, K_READS, K_REASON, K_SECTION, K_SEVERITY, N_KEYS };
static const char *const KEYS[N_KEYS] = { "description", "expected", "id",      "kind",
                                          "reads",       "reason",   "section", "severity" };
static const int MOST[N_KEYS] = { 1000, 1000, HM_SQL_ID_MAX, 64, 1000, 200, 100, 16 };
static const char *const KINDS[] = { "ontology_violation", "orphan", "stale" };

const char *hm_sql_rule_key(size_t i) { return i < N_KEYS ? KEYS[i] : NULL; }

typedef struct {
  hm_arena *a;
  const char *file;
  hm_str value[N_KEYS];
  size_t line[N_KEYS]; /* from 1; 0: it is not there */
  hm_err *err;
} header;

static int bad(const header *h, size_t line, const char *key, const char *why, const char *fix) {
  const char *at = hm_str_fmt(h->a, "%.300s:%zu%s%s", h->file, line, *key ? ": " : "", key).p;
  return hm_fail(h->err, HM_E_INPUT, at, why, fix);
}

static hm_str names_of(const char *(*name)(size_t i), hm_arena *a) {
  hm_buf b = { 0 };
  for (size_t i = 0; name(i); i++)
    hm_buf_fmt(&b, "%s%s", i ? ", " : "", name(i));
  return hm_buf_take(&b, a);
}

static const char *hint(const header *h, hm_str word, const char *(*name)(size_t i),
                        const char *known) {
  hm_str names[32];
  size_t n = 0;
  for (; name(n) && n < HM_COUNT(names); n++)
    names[n] = hm_str_c(name(n));
  return hm_hint_names(word, names, n, known, h->a);
}

/* Reads a line "key: value", or a continuation of the value before it. */
static int read_line(header *h, hm_str line, size_t number, int *key) {
  hm_str text = hm_str_sub(line, 2, line.n), words = hm_str_trim(text);
  ptrdiff_t colon = hm_str_find(words, ":");
  if (hm_str_starts(text, "   ") && *key >= 0) {
    h->value[*key] = HM_CAT(h->a, h->value[*key], HM_STR(" "), words);
  } else {
    if (colon <= 0)
      return bad(h, number, "", "no line of a header",
                 "write '-- key: value'; other comments stand below an empty line");
    hm_str name = hm_str_trim(hm_str_sub(words, 0, (size_t)colon));
    for (*key = 0; *key < N_KEYS && !hm_str_is(name, KEYS[*key]);)
      ++*key;
    if (*key == N_KEYS)
      return bad(h, number, hm_text_cut(hm_str_dup(h->a, name), 60).p, "unknown key",
                 hint(h, name, hm_sql_rule_key, "known keys: "));
    if (h->line[*key])
      return bad(h, number, KEYS[*key], "given twice", "give it once");
    h->line[*key] = number;
    h->value[*key] = hm_str_trim(hm_str_sub(words, (size_t)colon + 1, words.n));
  }
  if (h->value[*key].n > (size_t)MOST[*key])
    return bad(h, number, KEYS[*key], "too long",
               hm_str_fmt(h->a, "give at most %d bytes", MOST[*key]).p);
  return 0;
}

/* The lines at the beginning of the file that are comments, up to an empty one. */
static int read_lines(header *h, hm_str text) {
  size_t number = 1;
  int key = -1;
  for (hm_str rest = text; rest.n; number++) {
    ptrdiff_t end = hm_str_find(rest, "\n");
    hm_str line = end < 0 ? rest : hm_str_sub(rest, 0, (size_t)end);
    line = hm_str_sub(line, 0, line.n - hm_str_ends(line, "\r"));
    if (!hm_str_starts(line, "--") || !hm_str_trim(hm_str_sub(line, 2, line.n)).n)
      break;
    if (read_line(h, line, number, &key))
      return -1;
    rest = end < 0 ? HM_EMPTY : hm_str_sub(rest, (size_t)end + 1, rest.n);
  }
  return 0;
}

/* --- what the values mean ----------------------------------------------------------------- */

/* Is the text valid as an id? */
static bool sql_rule_id_ok(hm_str id) {
  bool ok = id.n > 0 && id.n <= HM_SQL_ID_MAX;
  for (size_t i = 0; i < id.n && ok; i++) {
    char c = id.p[i];
    ok = hm_is_lower(c) || hm_is_digit(c) ||
        (i > 0 && i + 1 < id.n && (c == '-' || c == '/' || c == '_') && id.p[i - 1] != '/');
  }
  return ok;
}

static const char *kind_name(size_t i) { return i < HM_COUNT(KINDS) ? KINDS[i] : NULL; }
static const char *severity_name(size_t i) {
  return i <= HM_SEVERITY_ERROR ? hm_severity_name((hm_severity)i) : NULL;
}

static int read_tables(header *h, hm_sql_rule *out) {
  hm_str rest = h->value[K_READS];
  while (rest.n) {
    ptrdiff_t comma = hm_str_find(rest, ",");
    hm_str name = hm_str_trim(comma < 0 ? rest : hm_str_sub(rest, 0, (size_t)comma));
    size_t t = hm_sql_table_named(name);
    if (t == HM_SQL_TABLES)
      return bad(h, h->line[K_READS], "reads",
                 hm_str_fmt(h->a, "no table '%.60s'", hm_str_z(h->a, name)).p,
                 hint(h, name, hm_sql_table_name, "tables: "));
    out->reads |= UINT32_C(1) << t;
    rest = comma < 0 ? HM_EMPTY : hm_str_sub(rest, (size_t)comma + 1, rest.n);
  }
  return 0;
}

/* One that every rule must have. */
static int need(const header *h, int key, const char *fix) {
  if (h->line[key] && h->value[key].n)
    return 0;
  return bad(h, h->line[key] ? h->line[key] : 1, KEYS[key],
             h->line[key] ? "empty" : "missing in the header", fix);
}

static int check_texts(const header *h) {
  for (int k = 0; k < N_KEYS; k++) {
    hm_str s = h->value[k];
    for (size_t i = 0; i < s.n;) {
      uint32_t cp;
      i += hm_utf8_step(s, i, &cp);
      if (cp == HM_BAD_BYTES || hm_cp_is_hidden(cp))
        return bad(h, h->line[k], KEYS[k], "a character that does not show, or no UTF-8",
                   "write it as plain text");
    }
  }
  return 0;
}

int hm_sql_rule_parse(hm_arena *a, hm_str text, const char *file, hm_sql_rule *out, hm_err *err) {
  header h = { .a = a, .file = file, .err = err };
  if (hm_str_starts(text, "\xEF\xBB\xBF"))
    text = hm_str_sub(text, 3, text.n);
  for (int k = 0; k < N_KEYS; k++)
    h.value[k] = HM_EMPTY;
  *out =
      (hm_sql_rule){ .file = file, .text = text, .severity = HM_SEVERITY_WARN, .kind = KINDS[0] };
  if (text.n > HM_SQL_RULE_MAX)
    return bad(&h, 1, "", "longer than 64 KiB", "split it");
  if (read_lines(&h, text) || check_texts(&h) || need(&h, K_ID, "write '-- id: no-two-kingdoms'") ||
      need(&h, K_DESCRIPTION, "say in one sentence what it holds to be wrong") ||
      need(
          &h, K_READS,
          hm_str_fmt(a, "name the tables that it reads: %s", names_of(hm_sql_table_name, a).p).p) ||
      read_tables(&h, out))
    return -1;
  out->id = hm_str_dup(a, h.value[K_ID]);
  out->description = h.value[K_DESCRIPTION];
  out->reason = h.value[K_REASON];
  out->expected = h.value[K_EXPECTED];
  out->section = h.value[K_SECTION];
  if (!sql_rule_id_ok(out->id))
    return bad(&h, h.line[K_ID], "id", "not a name for a rule",
               "use small letters and digits, with - _ / between: no-two-kingdoms");
  if (h.line[K_SEVERITY] && !hm_severity_parse(h.value[K_SEVERITY], &out->severity))
    return bad(&h, h.line[K_SEVERITY], "severity", "no such severity",
               hint(&h, h.value[K_SEVERITY], severity_name, "give one of: "));
  size_t kind = 0;
  while (h.line[K_KIND] && kind < HM_COUNT(KINDS) && !hm_str_is(h.value[K_KIND], KINDS[kind]))
    kind++;
  if (kind == HM_COUNT(KINDS))
    return bad(&h, h.line[K_KIND], "kind", "no such kind",
               hint(&h, h.value[K_KIND], kind_name, "give one of: "));
  out->kind = KINDS[kind];
  return 0;
}

const hm_sql_rule *hm_sql_rule_named(const hm_sql_rules *rules, hm_str id) {
  for (size_t i = 0; rules && i < rules->n; i++)
    if (hm_str_eq(rules->rules[i].id, id))
      return &rules->rules[i];
  return NULL;
}

hm_finding hm_sql_finding(const hm_sql_rule *r) {
  return (hm_finding){ .kind = hm_str_c(r->kind),
                       .severity = hm_str_c(hm_severity_name(r->severity)),
                       .rule = r->id,
                       .reason = r->reason,
                       .project = HM_EMPTY,
                       .message = r->description,
                       .expected = r->expected,
                       .actual = HM_EMPTY };
}

bool hm_sql_any_rule_on(const hm_sql_rules *rules) {
  for (size_t i = 0; rules && i < rules->n; i++)
    if (!rules->rules[i].off)
      return true;
  return false;
}
