/* The rules of a mirror: its files of SQL, switching one in mirror.yml, and the digest of all.
 *
 * A file that cannot be read is an error of the config, as mirror.yml's are: it names its line.
 * What is wrong with the SQL of a rule is reported when it runs, and stops no other.
 *
 * To switch a rule, rules.off is edited in the text of mirror.yml. Three shapes are edited: no list
 * yet, `off: [a, b]` on one line, and a line `- a` for each. The result is read again as a config,
 * and taken only if the list is what it should be: a shape that this does not know ends with an
 * error, never with a changed meaning. Cost: a pass over the file.
 *
 * The digest changes when what mirror.yml, world.yml and rules/ set does. A publication names it
 * (Mirror-Rules), and a page whose claims were read by other rules is rebuilt. */
#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/claim/relation.h"
#include "core/claim/story.h"
#include "core/claim/world.h"
#include "core/detect/rule.h"
#include "core/detect/sql_rule.h"
#include "gen/mirror/config.h"
#include "gen/mirror/files.h"
#include "gen/render/builtin.h"

/* --- files of rules --------------------------------------------------------------------- */

static int by_id(const void *x, const void *y) {
  const hm_sql_rule *a = x, *b = y;
  int c = hm_str_cmp(a->id, b->id);
  return c ? c : a->shipped - b->shipped;
}

static int read_all(hm_arena *a, const hm_folder *own, hm_sql_rules *out, hm_err *err) {
  static const char folder[] = "site-example/rules/";
  out->rules = hm_alloc_array(a, hm_n_rule_files + own->n, sizeof *out->rules);
  for (size_t i = 0; i < own->n; i++) {
    if (!hm_str_ends(own->v[i].name, ".sql")) continue;
    const char *file = HM_CAT(a, HM_STR("rules/"), own->v[i].name).p;
    if (hm_sql_rule_parse(a, own->v[i].bytes, file, &out->rules[out->n++], err))
      return err->code = HM_E_USAGE, -1;
  }
  for (size_t i = 0; i < hm_n_rule_files; i++) {
    hm_str text = { hm_rule_files[i].bytes, hm_rule_files[i].n };
    hm_sql_rule *r = &out->rules[out->n++];
    if (hm_sql_rule_parse(a, text, hm_rule_files[i].path + sizeof folder - 1, r, err)) return -1;
    r->shipped = true;
  }
  return 0;
}

/* By id, each once: a file of the mirror before a shipped one, and none has a built-in rule's. */
static int order(hm_sql_rules *rules, hm_err *err) {
  size_t kept = 0;
  for (size_t i = 0; i < rules->n; i++)
    if (hm_rule_named(hm_config_rule_table(NULL), rules->rules[i].id))
      return hm_failf(err, HM_E_USAGE, rules->rules[i].file, "give it another id",
                      "its id '%.64s' is that of a built-in rule", rules->rules[i].id.p);
  if (rules->n) qsort(rules->rules, rules->n, sizeof *rules->rules, by_id);
  for (size_t i = 0; i < rules->n; i++) {
    const hm_sql_rule *last = kept ? &rules->rules[kept - 1] : NULL;
    if (!last || !hm_str_eq(last->id, rules->rules[i].id)) rules->rules[kept++] = rules->rules[i];
    else if (!rules->rules[i].shipped)
      return hm_failf(err, HM_E_USAGE, rules->rules[i].file, "give one of them another id",
                      "its id is that of %.300s, too", last->file);
  }
  rules->n = kept;
  return 0;
}

static int load(hm_arena *a, const hm_folder *own, const hm_rules *config, hm_sql_rules **out,
                hm_err *err) {
  hm_sql_rules *rules = hm_alloc(a, sizeof *rules);
  if (read_all(a, own, rules, err) || order(rules, err)) return -1;
  for (size_t i = 0; i < rules->n && config; i++) {
    hm_sql_rule *r = &rules->rules[i];
    r->off = hm_rule_is_off(config, r->id);
    hm_severity_parse(hm_rules_severity(config, r->id), &r->severity);
  }
  *out = rules;
  return 0;
}

int hm_rule_files_load(hm_arena *a, const char *folder, const hm_rules *config, hm_sql_rules **out,
                       hm_err *err) {
  static const hm_folder_limits limits = { "rules", HM_SQL_RULES_MAX,
                                           HM_SQL_RULES_MAX * (size_t)HM_SQL_RULE_MAX };
  hm_folder own;
  if (hm_folder_read(a, folder, false, false, &limits, &own, err))
    return err->code = HM_E_USAGE, -1;
  return load(a, &own, config, out, err);
}

const char *hm_rule_file_path(hm_arena *a, const char *folder, hm_str id) {
  char *name = hm_str_z(a, HM_CAT(a, id, HM_STR(".sql")));
  for (char *p = name; *p; p++)
    if (*p == '/') *p = '-';
  return hm_path_join(a, folder, name);
}

/* --- switching a rule ------------------------------------------------------------------- */

typedef struct {
  hm_str *v;
  size_t n;
} lines;

static lines split(hm_arena *a, hm_str bytes) {
  lines l = { .v = hm_alloc_array(a, bytes.n + 2, sizeof *l.v) };
  while (bytes.n) {
    ptrdiff_t end = hm_str_find(bytes, "\n");
    size_t n = end < 0 ? bytes.n : (size_t)end;
    l.v[l.n++] = hm_str_sub(bytes, 0, n);
    bytes = hm_str_sub(bytes, n + 1, bytes.n);
  }
  return l;
}

static size_t indent_of(hm_str line) {
  size_t i = 0;
  while (i < line.n && line.p[i] == ' ') i++;
  return i;
}

/* It is a comment or empty. */
static bool says_nothing(hm_str line) {
  hm_str s = hm_str_trim(line);
  return !s.n || *s.p == '#';
}

/* Without its comment, quotes and white space. */
static hm_str plain(hm_str s) {
  ptrdiff_t hash = hm_str_find(s, " #");
  s = hm_str_trim(hash < 0 ? s : hm_str_sub(s, 0, (size_t)hash));
  bool quoted = s.n > 1 && (*s.p == '"' || *s.p == '\'') && s.p[s.n - 1] == *s.p;
  return quoted ? hm_str_sub(s, 1, s.n - 1) : s;
}

/* The lines of rules: from `rules:` to the next key of its depth. */
typedef struct {
  size_t rules, end, off, items_end, depth;
} place;

static place find_place(const lines *l) {
  place p = { l->n, l->n, l->n, l->n, 2 };
  for (p.rules = 0; p.rules < l->n; p.rules++)
    if (hm_str_is(plain(l->v[p.rules]), "rules:") && !indent_of(l->v[p.rules])) break;
  bool first = true;
  for (p.end = p.rules + 1; p.end < l->n; p.end++) {
    hm_str line = l->v[p.end];
    if (says_nothing(line)) continue;
    if (!indent_of(line)) break;
    if (first) p.depth = indent_of(line);
    first = false;
    if (p.off == l->n && indent_of(line) == p.depth && hm_str_starts(hm_str_trim(line), "off:"))
      p.off = p.end;
  }
  for (p.items_end = p.off + 1; p.items_end < l->n; p.items_end++) {
    hm_str line = l->v[p.items_end];
    bool item = hm_str_starts(hm_str_trim(line), "-") && indent_of(line) >= p.depth;
    if (!item && !says_nothing(line)) break;
  }
  while (p.items_end > p.off + 1 && p.items_end <= l->n && says_nothing(l->v[p.items_end - 1]))
    p.items_end--;
  return p;
}

static void put_line(hm_buf *b, hm_str line) {
  hm_buf_str(b, line);
  hm_buf_ch(b, '\n');
}

/* `off: [a, b]  # why`, with or without the rule. */
static void put_flow(hm_buf *b, hm_str line, hm_str rule, bool on) {
  ptrdiff_t open = hm_str_find(line, "["), close = hm_str_find(line, "]");
  hm_str rest = hm_str_sub(line, (size_t)open + 1, (size_t)close);
  bool first = true;
  hm_buf_str(b, hm_str_sub(line, 0, (size_t)open + 1));
  for (;;) {
    ptrdiff_t comma = hm_str_find(rest, ",");
    hm_str one = hm_str_trim(comma < 0 ? rest : hm_str_sub(rest, 0, (size_t)comma));
    if (one.n && !hm_str_eq(plain(one), rule)) {
      hm_buf_fmt(b, "%s%.*s", first ? "" : ", ", HM_FMT(one));
      first = false;
    }
    if (comma < 0) break;
    rest = hm_str_sub(rest, (size_t)comma + 1, rest.n);
  }
  if (!on) hm_buf_fmt(b, "%s%.*s", first ? "" : ", ", HM_FMT(rule));
  put_line(b, hm_str_sub(line, (size_t)close, line.n));
}

static void put_item(hm_buf *b, size_t depth, hm_str rule) {
  hm_buf_fmt(b, "%*s- %.*s\n", (int)depth, "", HM_FMT(rule));
}

static void put_block(hm_buf *b, const lines *l, const place *p, hm_str rule, bool on) {
  size_t depth = p->depth + 2, left = 0;
  for (size_t i = p->off + 1; i < p->items_end; i++) {
    hm_str item = hm_str_trim(l->v[i]);
    if (says_nothing(item)) continue;
    depth = indent_of(l->v[i]);
    left += !hm_str_eq(plain(hm_str_sub(item, 1, item.n)), rule);
  }
  if (!left && on) hm_buf_fmt(b, "%*soff: []\n", (int)p->depth, "");
  else put_line(b, l->v[p->off]);
  for (size_t i = p->off + 1; i < p->items_end; i++) {
    hm_str item = hm_str_trim(l->v[i]);
    if (says_nothing(item) || !hm_str_eq(plain(hm_str_sub(item, 1, item.n)), rule))
      put_line(b, l->v[i]);
  }
  if (!on) put_item(b, depth, rule);
}

static hm_str edited(hm_arena *a, hm_str bytes, hm_str rule, bool on) {
  lines l = split(a, bytes);
  place p = find_place(&l);
  hm_buf b = { 0 };
  for (size_t i = 0; i < l.n; i++) {
    if (i == p.off && hm_str_find(l.v[i], "[") >= 0 && hm_str_find(l.v[i], "]") >= 0) {
      put_flow(&b, l.v[i], rule, on);
    } else if (i == p.off) {
      put_block(&b, &l, &p, rule, on);
      i = p.items_end - 1;
    } else {
      put_line(&b, l.v[i]);
    }
    if (i == p.rules && p.off == l.n) {
      hm_buf_fmt(&b, "%*soff:\n", (int)p.depth, "");
      put_item(&b, p.depth + 2, rule);
    }
  }
  if (p.rules == l.n) hm_buf_fmt(&b, "rules:\n  off:\n    - %.*s\n", HM_FMT(rule));
  return hm_buf_take(&b, a);
}

/* Is rules.off of `after` that of `before`, but for this rule? */
static bool is_meant(hm_arena *a, const hm_config *before, hm_str after, const char *name,
                     hm_str rule, bool on) {
  hm_config c;
  size_t other = 0;
  if (hm_config_parse(a, after, name, "", &c, NULL)) return false;
  for (size_t i = 0; i < before->rules.n_off; i++) {
    hm_str one = before->rules.off[i];
    if (hm_str_eq(one, rule)) continue;
    if (!hm_rule_is_off(&c.rules, one)) return false;
    other++;
  }
  return hm_rule_is_off(&c.rules, rule) == !on && c.rules.n_off == other + !on;
}

int hm_switch_rule_in_config(hm_arena *a, hm_str bytes, const char *name, hm_str rule, bool on,
                             hm_str *out, hm_err *err) {
  hm_config before;
  *out = bytes;
  if (hm_config_parse(a, bytes, name, "", &before, err)) return -1;
  if (hm_rule_is_off(&before.rules, rule) == !on) return 0;
  *out = edited(a, bytes, rule, on);
  if (is_meant(a, &before, *out, name, rule, on)) return 0;
  return hm_fail(err, HM_E_STATE, name, "its list rules.off is written in a way that is not edited",
                 hm_str_fmt(a, on ? "take '%.*s' out of it yourself" : "add '%.*s' to it yourself",
                            HM_FMT(rule))
                     .p);
}

/* --- the digest of all rules ------------------------------------------------------------ */

static void digest_list(hm_sha256 *h, const hm_str *v, size_t n, hm_arena *a) {
  hm_sha256_field(h, hm_str_fmt(a, "%zu", n));
  for (size_t i = 0; i < n; i++) hm_sha256_field(h, v[i]);
}

hm_str hm_rules_digest(const hm_rules *rules, hm_arena *a) {
  hm_sha256 h;
  hm_sha256_init(&h);
  digest_list(&h, rules->prose, rules->n_prose, a);
  digest_list(&h, rules->text_fields, rules->n_text_fields, a);
  digest_list(&h, rules->ordered_fields, rules->n_ordered_fields, a);
  digest_list(&h, rules->silence, rules->n_silence, a);
  if (rules->story) hm_sha256_field(&h, hm_story_digest(rules->story, a));
  if (rules->worlds) hm_sha256_field(&h, hm_worlds_digest(rules->worlds));
  if (rules->relations) hm_sha256_field(&h, hm_relation_kinds_digest(rules->relations, a));
  for (size_t i = 0; rules->sql && i < rules->sql->n; i++)
    hm_sha256_field(&h, rules->sql->rules[i].text);
  for (size_t i = 0; i < rules->n_tolerances; i++) {
    const hm_tolerance *t = &rules->tolerances[i];
    hm_sha256_field(&h, t->slot);
    hm_sha256_field(&h, hm_str_fmt(a, "%.17g", t->value));
    hm_sha256_field(&h, t->unit);
  }
  digest_list(&h, rules->off, rules->n_off, a);
  for (size_t i = 0; i < rules->n_severities; i++) {
    hm_sha256_field(&h, rules->severities[i].rule);
    hm_sha256_field(&h, rules->severities[i].severity);
  }
  return hm_sha256_hex(&h, a, 12);
}
