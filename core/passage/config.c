/* What files beside the documents set: images and ports of compose files, amounts of examples of
 * settings. Lines and indents are read, no YAML beyond "key: value". */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/json.h"
#include "core/passage/passage_impl.h"

typedef struct {
  hm_arena *a;
  hm_tree_state *v;
  size_t n, cap;
} states;

static void add_claims(states *s, const note_claims *c, size_t line) {
  for (size_t i = 0; i < c->n; i++) {
    hm_buf b = { 0 };
    hm_json_write_str(&b, c->v[i].value);
    s->v = hm_array_grow_in(s->a, s->v, s->n, &s->cap, sizeof *s->v);
    s->v[s->n++] = (hm_tree_state){ .key = c->v[i].slot,
                                    .value = hm_buf_take(&b, s->a),
                                    .line = line,
                                    .whole = c->v[i].family == NOTE_MEASURED };
  }
}

/* Takes out what is stated with several values: of two databases of one compose file each is that
 * of a program of its own. */
static void drop_several(states *s) {
  hm_map first, several;
  size_t kept = 0;
  hm_map_init(&first, s->a, s->n + 1);
  hm_map_init(&several, s->a, 16);
  for (size_t i = 0; i < s->n; i++)
    if (!hm_str_eq(s->v[hm_map_add(&first, s->v[i].key, (uint32_t)i)].value, s->v[i].value))
      hm_map_add(&several, s->v[i].key, 0);
  for (size_t i = 0; i < s->n; i++)
    if (hm_map_get(&several, s->v[i].key) == HM_MAP_NONE)
      s->v[kept++] = s->v[i];
  s->n = kept;
}

/* A line "key: value" of YAML. */
typedef struct {
  size_t indent;
  hm_str key, value;
} yaml_line;

static bool read_yaml(hm_str line, yaml_line *y) {
  size_t i = 0, end;
  while (hm_char_at(line, i, ' '))
    i++;
  for (end = i; end < line.n && (hm_is_alnum(line.p[end]) || strchr("_-", line.p[end])); end++) {
  }
  if (end == i || !hm_char_at(line, end, ':') || (end + 1 < line.n && line.p[end + 1] != ' '))
    return false;
  *y = (yaml_line){ i, hm_str_sub(line, i, end), hm_str_trim(hm_str_sub(line, end + 1, line.n)) };
  for (size_t k = 1; k < y->value.n; k++)
    if (y->value.p[k] == '#' && y->value.p[k - 1] == ' ')
      y->value = hm_str_trim(hm_str_sub(y->value, 0, k));
  return true;
}

static hm_str without_quotes(hm_str s) {
  bool quoted = s.n > 1 && strchr("\"'", s.p[0]) && s.p[s.n - 1] == s.p[0];
  return quoted ? hm_str_sub(s, 1, s.n - 1) : s;
}

/* --- compose ------------------------------------------------------------------------------------
 */

typedef struct {
  bool services, ports; /* stands below these keys */
  size_t indent;        /* of the names of services; 0: none yet */
  hm_str service, port; /* port: of the machine, of the first mapping of the service */
  size_t n_ports, line; /* line: of that mapping */
} compose;

/* "3001:3000", in quotes or not, with a comment or none. */
static void read_item(compose *at, hm_str item, size_t line) {
  ptrdiff_t comment = hm_str_find(item, " #");
  item = without_quotes(hm_str_trim(hm_str_sub(item, 0, comment < 0 ? item.n : (size_t)comment)));
  size_t n = hm_skip_digits(item, 0);
  bool two = n >= 4 && hm_char_at(item, n, ':') && hm_skip_digits(item, n + 1) == item.n;
  if (two && !at->n_ports++) {
    at->port = hm_str_sub(item, 0, n);
    at->line = line;
  }
}

/* "- "3001:3000"". */
static void read_mapping(compose *at, hm_str text, size_t line) {
  hm_str item = hm_str_trim(text);
  if (hm_str_starts(item, "- "))
    read_item(at, hm_str_sub(item, 2, item.n), line);
}

/* "["3001:3000", "3002:3002"]", behind "ports:". */
static void read_flow(compose *at, hm_str list, size_t line) {
  if (!hm_str_starts(list, "[") || !hm_str_ends(list, "]"))
    return;
  for (size_t from = 1, i = 1; i < list.n; i++) {
    if (list.p[i] != ',' && i + 1 < list.n)
      continue;
    read_item(at, hm_str_sub(list, from, i), line);
    from = i + 1;
  }
}

/* Is it what people look at? A container serves its build where it is not served to developers. */
static bool is_surface(hm_str name) {
  return note_word_in(name, "client|frontend|front|site|ui|web|webapp|website|www");
}

/* A service that has one port listens there. */
static void end_service(states *s, compose *at) {
  note_claims claims = { .a = s->a };
  hm_str name = note_component_name(at->service, s->a);
  if (at->n_ports == 1 && name.n && !is_surface(name))
    note_claims_add(&claims, HM_CAT(s->a, name, HM_STR(" port")), at->port, NOTE_SAID);
  add_claims(s, &claims, at->line);
  at->n_ports = 0;
}

/* Is it "- "3001:3000"", or "ports: ["3001:3000"]"? *port: 3001. */
static bool is_mapping(hm_str text, hm_str *port) {
  compose at = { 0 };
  yaml_line y;
  if (!read_yaml(text, &y))
    read_mapping(&at, text, 1);
  else if (hm_str_is(y.key, "ports"))
    read_flow(&at, y.value, 1);
  *port = at.port;
  return at.n_ports == 1;
}

void note_mapping_read(note_claims *out, const note_context *c, const hm_doc_part *p) {
  enum { PORTS, SERVICE, SERVICES, LEVELS };
  const hm_doc_part *at = p, *end = c->doc->parts + c->doc->n;
  yaml_line y, above[LEVELS]; /* from the nearest on, each further to the left */
  size_t n = 0;
  hm_str port, other;
  bool only = is_mapping(p->text, &port) && !(p + 1 < end && is_mapping(p[1].text, &other)) &&
      p > c->doc->parts && !is_mapping(p[-1].text, &other);
  if (!only)
    return;
  if (read_yaml(p->text, &y)) /* the list stands behind its key */
    above[n++] = y;
  while (at > c->doc->parts && at[-1].block == p->block && n < LEVELS)
    if (read_yaml((--at)->text, &y) && (!n || y.indent < above[n - 1].indent))
      above[n++] = y;
  if (n < LEVELS || !hm_str_is(above[PORTS].key, "ports") ||
      !hm_str_is(above[SERVICES].key, "services"))
    return;
  hm_str name = note_component_name(above[SERVICE].key, out->a);
  if (name.n && !is_surface(name))
    note_claims_add(out, HM_CAT(out->a, c->scope, name, HM_STR(" port")), port, NOTE_SETTING);
}

static void read_compose_line(states *s, const note_context *c, compose *at, hm_str line,
                              size_t number) {
  yaml_line y;
  note_claims claims = { .a = s->a };
  if (!read_yaml(line, &y)) {
    if (at->ports)
      read_mapping(at, line, number);
    return;
  }
  at->ports = false;
  if (!y.indent) {
    end_service(s, at);
    at->services = hm_str_is(y.key, "services");
    at->indent = 0;
    return;
  }
  if (!at->services)
    return;
  if (!at->indent)
    at->indent = y.indent;
  if (y.indent == at->indent) {
    end_service(s, at);
    at->service = y.key;
  } else if (hm_str_is(y.key, "image")) {
    note_version_line_read(&claims, c, line);
    add_claims(s, &claims, number);
  } else if (hm_str_is(y.key, "ports")) {
    at->ports = true;
    read_flow(at, y.value, number);
  }
}

/* --- examples of settings -----------------------------------------------------------------------
 */

/* "MAX_JOBS=5 # why": an amount, or the port of the whole. Others are anybody's in an example. */
static void read_env_line(note_claims *out, const note_context *c, hm_str line) {
  const char *equals = line.n ? memchr(line.p, '=', line.n) : NULL;
  hm_str key = hm_str_trim(hm_str_sub(line, 0, equals ? (size_t)(equals - line.p) : 0));
  hm_str value = equals ? hm_str_sub(line, (size_t)(equals - line.p) + 1, line.n) : HM_EMPTY;
  ptrdiff_t comment = hm_str_find(value, " #");
  value =
      without_quotes(hm_str_trim(hm_str_sub(value, 0, comment < 0 ? value.n : (size_t)comment)));
  hm_str low = note_lower(key, out->a), port = note_port_at(value);
  if (hm_str_is(low, "port") && port.n && port.n == value.n && !c->file->component.n)
    note_claims_add(out, HM_CAT(out->a, c->scope, HM_STR(" port setting")), port, NOTE_SAID);
  if (hm_str_find(low, "port") < 0 && hm_str_find(low, "version") < 0 && hm_digit_at(value, 0))
    note_named_value_read(out, c, NULL, key, value);
}

/* --- by name ------------------------------------------------------------------------------------
 */

void note_config_read(hm_str path, size_t top, hm_str bytes, hm_arena *a, hm_tree_state **out,
                      size_t *n) {
  static const char composes[] = "compose.yaml|compose.yml|docker-compose.yaml|docker-compose.yml";
  hm_str name = hm_str_behind_last(path, '/');
  note_file file = { .path = path };
  const note_context c = { .file = &file };
  note_file part;
  note_file_read(&part, path, top, a);
  const note_context named = { .file = &part, .scope = part.scope };
  states s = { .a = a };
  compose at = { 0 };
  for (size_t line = 1; bytes.n; line++) {
    hm_str text = hm_str_next_line(&bytes);
    note_claims claims = { .a = a };
    if (hm_str_ends(text, "\r"))
      text.n--;
    if (hm_str_starts(hm_str_trim(text), "#"))
      continue;
    if (note_word_in(name, composes))
      read_compose_line(&s, &c, &at, text, line);
    else if (hm_str_starts(name, ".env."))
      read_env_line(&claims, &named, text);
    add_claims(&s, &claims, line);
  }
  end_service(&s, &at);
  drop_several(&s);
  *out = s.v;
  *n = s.n;
}
