/* Ports: "Notify Service (3006)", "| Backend | http://localhost:5000 |", "GDB server port: 3333". A
 * port belongs to the component that the key, the label, the first cell or the heading names. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/notes/notes_impl.h"

/* --- ports in a text ---------------------------------------------------------------------- */

hm_str note_port_at(hm_str s) {
  size_t n = hm_skip_digits(s, 0);
  hm_str number = hm_str_sub(s, 0, n);
  bool fits = n == 4 || n == 5;
  bool year = n == 4 && (hm_str_starts(s, "19") || hm_str_starts(s, "20"));
  if (!fits || year || number.p[0] == '0' || hm_letter_at(s, n) || hm_char_at(s, n, '_'))
    return HM_EMPTY;
  return number;
}

/* Supabase's own programs listen there on each machine, beside those of the project. */
static bool is_of_supabase(hm_str port) { return port.n == 5 && hm_str_starts(port, "5432"); }

/* The port behind sign, the first in s; and where the sign stands. */
static hm_str port_behind(hm_str s, const char *sign, size_t *at) {
  ptrdiff_t found = hm_str_find(s, sign);
  if (found < 0)
    return HM_EMPTY;
  *at = (size_t)found;
  size_t i = hm_skip_spaces(s, (size_t)found + strlen(sign));
  return note_port_at(hm_str_sub(s, i, s.n));
}

hm_str note_port_in(hm_str text, size_t *at, hm_arena *a) {
  static const char *const signs[] = { "localhost:", "127.0.0.1:", "0.0.0.0:", "(port:",
                                       "(port",      "port:",      " port ",   " on :" };
  hm_str low = note_lower(text, a);
  for (size_t i = 0; i < HM_COUNT(signs); i++) {
    hm_str port = port_behind(low, signs[i], at);
    if (port.n)
      return hm_str_sub(text, (size_t)(port.p - low.p), (size_t)(port.p - low.p) + port.n);
  }
  return HM_EMPTY;
}

/* Does the text name two ports? */
static bool has_other_port(hm_str text, hm_str port) {
  for (size_t i = (size_t)(port.p - text.p) + port.n; i < text.n; i++) {
    bool begins = hm_is_digit(text.p[i]) && !hm_is_digit(text.p[i - 1]);
    if (!begins || !strchr(":( ", text.p[i - 1]))
      continue;
    hm_str other = note_port_at(hm_str_sub(text, i, text.n));
    if (other.n && !hm_str_eq(other, port))
      return true;
  }
  return false;
}

/* The only port of an address of this machine in the text; empty: there is none, or several. */
static hm_str local_port(hm_str text) {
  static const char *const signs[] = { "localhost:", "127.0.0.1:", "0.0.0.0:" };
  size_t at;
  for (size_t i = 0; i < HM_COUNT(signs); i++) {
    hm_str port = port_behind(text, signs[i], &at);
    if (port.n)
      return has_other_port(text, port) ? HM_EMPTY : port;
  }
  return HM_EMPTY;
}

/* Words by which a name says that it is something that listens. */
static bool listens(hm_str name, hm_arena *a) {
  static const char words[] =
      "admin|api|app|backend|bridge|broker|client|console|dashboard|docs|exporter|frontend|"
      "gateway|grafana|indexer|landing|listener|orchestrator|portal|prometheus|proxy|registry|"
      "server|service|storybook|ui|web|website|websocket|worker";
  note_words w = note_split(name, a);
  return w.n && w.n <= 4 && note_any_word_in(&w, words);
}

void note_port_add(note_claims *out, const note_context *c, hm_str name, hm_str port, bool key) {
  /* "Packages" holds them all */
  static const char all[] = "applications|apps|components|containers|modules|packages|servers|"
                            "services";
  bool part = c->part.n && !note_word_in(c->part, all);
  if (note_word_in(name, "dev_server|development_server")) {
    name = note_component_name(c->file->owner, out->a);
    name = name.n ? name : HM_STR("app");
  }
  if (hm_str_is(name, "api") && part)
    name = HM_CAT(out->a, c->part, HM_STR("_api"));
  else if (hm_str_is(name, "api") && !key && !c->file->has_backend)
    name = HM_STR("backend"); /* "Backend API" is */
  if (name.n && port.n && !is_of_supabase(port) &&
      !note_word_in(name, "access|given|open|then|view|visit|when"))
    note_claims_add(out, HM_CAT(out->a, c->scope, name, HM_STR(" port")), port,
                    key ? NOTE_SETTING : NOTE_SAID);
}

/* --- the port of the whole --------------------------------------------------------------------
 */

/* A document that gives several has a port for each of its parts. */
static void add_own_port(note_claims *out, const note_context *c, hm_str port) {
  note_context whole = *c;
  hm_str name = note_component_name(c->file->owner, out->a);
  whole.part = HM_EMPTY;
  note_port_add(out, &whole, name.n ? name : HM_STR("app"), port, true);
}

/* Is it the document that tells how to start what lies in its folder? */
static bool is_readme(const note_context *c, hm_arena *a) {
  return hm_str_is(note_lower(hm_str_behind_last(c->file->path, '/'), a), "readme.md");
}

/* "**Server port**: 3001", "Port 3000 must be free": of what needs no other name. */
static void read_own_port(note_claims *out, const note_context *c, const hm_doc_part *p,
                          hm_str text) {
  static const char own[] = "app|application|http|port|server|web";
  enum { WORDS = 6 };
  hm_str value, key = note_label_of(p, &value, out->a);
  note_words label = note_split(key, out->a), w = note_split(text, out->a);
  size_t n = 0;
  while (n < label.n && note_word_in(label.w[n].low, own))
    n++;
  bool labelled = n > 1 && n == label.n && hm_str_is(label.w[n - 1].low, "port");
  bool wanted = w.n > 2 && w.n <= WORDS && hm_str_is(w.w[0].low, "port") &&
      note_any_word_in(&w, "available|free|unused");
  if (labelled)
    add_own_port(out, c, note_port_at(hm_str_trim(value)));
  else if (wanted)
    add_own_port(out, c, note_port_at(w.w[1].low));
}

/* --- names with a port ---------------------------------------------------------------------- */

/* "Notify Service (3006)" at the beginning of a text. */
static void read_named_port(note_claims *out, const note_context *c, hm_str text) {
  const char *open = text.n ? memchr(text.p, '(', text.n) : NULL;
  if (!open)
    return;
  size_t at = (size_t)(open - text.p);
  hm_str name = hm_str_trim(hm_str_sub(text, 0, at));
  hm_str inner = hm_str_sub(text, at + 1, text.n);
  if (hm_str_starts(note_lower(inner, out->a), "port"))
    inner = hm_str_trim(hm_str_sub(inner, hm_char_at(inner, 4, ':') ? 5 : 4, inner.n));
  hm_str port = note_port_at(inner);
  bool closed = hm_char_at(inner, port.n, ')') || hm_char_at(inner, port.n, ' ');
  if (port.n && closed && listens(name, out->a))
    note_port_add(out, c, note_component_name(name, out->a), port, false);
}

/* Is it the head of a column of ports: "Port", "Port in development"? */
static bool is_port_head(hm_str head, hm_arena *a) {
  note_words w = note_split(head, a);
  return w.n &&
      (note_word_in(w.w[0].low, "port|ports") ||
       (w.n == 2 && hm_str_is(w.w[0].low, "default") && hm_str_is(w.w[1].low, "port")) ||
       (w.n == 2 && hm_str_is(w.w[0].low, "listens") && hm_str_is(w.w[1].low, "on")));
}

/* "debug server" of "Debug server port", "API" of "Port de l'API"; empty: the label names no port
 * of something. */
static hm_str name_of_port(hm_str label, hm_arena *a) {
  static const char ports[] = "port|puerto|porta", articles[] = "the|l|la|le|el|los|les|del|du";
  note_words w = note_split(label, a);
  bool last = w.n > 1 && note_word_in(w.w[w.n - 1].low, ports);
  bool first = w.n > 2 && note_word_in(w.w[0].low, ports) &&
      note_word_in(w.w[1].low, "de|del|der|des|di|do|du|for|of|von");
  size_t from = first ? 2 : 0;
  hm_str name = HM_EMPTY;
  while (first && from + 1 < w.n && note_word_in(w.w[from].low, articles))
    from++;
  for (size_t i = from; (first || last) && i < w.n - last; i++) {
    hm_str word = w.w[i].s;
    word = hm_str_sub(word, hm_str_starts(w.w[i].low, "l'") ? 2 : 0, word.n);
    name = HM_CAT(a, name, name.n ? HM_STR(" ") : HM_EMPTY, word);
  }
  return name;
}

/* "Metrics port": each part has one of its own. */
static void add_port_of_part(note_claims *out, const note_context *c, hm_str name, hm_str port) {
  hm_arena *a = out->a;
  hm_str part = note_part_that_speaks(c, a);
  hm_str own = note_component_name(HM_CAT(a, part, HM_STR(" "), c->part, HM_STR(" "), name), a);
  note_port_add(out, c, part.n || c->part.n ? own : note_component_name(name, a), port, false);
}

static void read_row_port(note_claims *out, const note_context *c, const hm_doc_part *p) {
  size_t at;
  if (p->n_cells < 2)
    return;
  hm_str key = hm_str_behind_last(p->cells[0].text, '/'); /* "packages/kitchen" */
  hm_str port = HM_EMPTY;
  hm_str name = note_component_name(key, out->a);
  bool may_listen = listens(key, out->a);
  for (uint32_t i = 0; i < p->n_head; i++) /* "Source | Destination | Port": of which of them? */
    if (note_word_in(note_lower(hm_str_trim(p->head[i].text), out->a),
                     "dest|destination|from|source|target|to"))
      return;
  for (uint32_t i = 1; i < p->n_cells; i++) {
    note_words w = note_split(p->cells[i].text, out->a);
    for (size_t k = 0; k < w.n; k++) /* it serves a build, and not to developers */
      if (hm_str_is(w.w[k].low, "nginx") || hm_str_starts(w.w[k].low, "nginx:"))
        return;
  }
  hm_str own = name_of_port(key, out->a);
  if (own.n && p->n_cells == 2) { /* "| Debug server port | 3333 |" */
    hm_str value = hm_str_trim(p->cells[1].text);
    port = note_port_at(value);
    if (port.n == value.n)
      add_port_of_part(out, c, own, port);
    return;
  }
  for (uint32_t i = 1; i < p->n_cells && !port.n; i++) {
    hm_str cell = p->cells[i].text, head = i < p->n_head ? p->head[i].text : HM_EMPTY;
    if (is_port_head(head, out->a))
      port = note_port_at(cell);
    else if (may_listen)
      port = note_port_in(cell, &at, out->a);
    if (port.n && has_other_port(cell, port))
      return;
  }
  note_port_add(out, c, name, port, false);
}

/* "**API**: http://localhost:3000", "GDB server port: 3333", "GDB server: port 3333". */
static void read_label_port(note_claims *out, const note_context *c, const hm_doc_part *p) {
  size_t at;
  hm_str value, label = note_label_of(p, &value, out->a);
  if (!label.n)
    return;
  value = hm_str_trim(value);
  hm_str name = name_of_port(label, out->a);
  hm_str port = note_port_at(value);
  if (name.n && port.n == value.n) {
    add_port_of_part(out, c, name, port);
    return;
  }
  name = label;
  if (p->label.n || note_word_in(label, "dev server|development server"))
    port = note_port_in(value, &at, out->a);
  else if (hm_str_starts(value, "port ")) /* an address may be that of a container, or of a host */
    port = note_port_at(hm_str_sub(value, 5, value.n));
  if (!port.n || has_other_port(value, port))
    return;
  if (p->label.n && note_word_in(label, "service|component|app|name"))
    name = hm_str_sub(value, 0, at);
  if (listens(name, out->a))
    note_port_add(out, c, note_component_name(name, out->a), port, false);
}

/* "The back office is at http://localhost:3100", "Listens on port 4250" in the folder of what
 * listens. */
static void read_sentence_port(note_claims *out, const note_context *c, hm_str text) {
  static const char verbs[] =
      "accepts|available|binds|comes|is|listens|opens|reachable|runs|serves|starts|up",
                    asks[] = "access|browse|check|explore|open|see|use|view|visit",
                    places[] = "at|on|to";
  static const char doubts[] =
      "after|behind|but|can|if|instead|not|once|or|was|were|when|will|would";
  size_t at, verb = 0;
  hm_str port = note_port_in(text, &at, out->a), name = HM_EMPTY;
  note_words w = note_split(text, out->a);
  bool yours = note_any_word_in(&w, "your") && !note_any_word_in(&w, "browser");
  if (!port.n || has_other_port(text, port) || yours || note_any_word_in(&w, doubts))
    return;
  bool asked = note_word_in(w.n ? w.w[0].low : HM_EMPTY, asks); /* "Open the dashboard at" */
  bool plain = asked && w.n > 1 && w.w[1].at <= at && at < w.w[1].at + w.w[1].s.n;
  while (!plain && verb < w.n && !note_word_in(w.w[verb].low, asked ? places : verbs))
    verb++;
  verb += plain; /* "Open http://localhost:3000" */
  if (verb > (asked ? 4 : 3) || verb >= w.n || w.w[verb].at > at)
    return;
  if (!asked && !verb && verb + 1 < w.n && !note_word_in(w.w[1].low, places))
    return; /* "Starts the mill on": not of what the document is about */
  for (size_t i = verb; i < w.n && w.w[i].at < at; i++)
    if (note_word_in(w.w[i].low, "and|then|where|which") && i + 1 < w.n &&
        !note_word_in(w.w[i + 1].low, verbs)) /* "and proxies the rest to" */
      return;
    else if (note_word_in(w.w[i].low, "through|via") && i + 1 < w.n && w.w[i + 1].at < at)
      return; /* "The database is available via Adminer at" */
  if (note_word_in(w.w[verb].low, "opens|serves") && verb + 1 < w.n &&
      note_word_in(w.w[verb + 1].low, "a|an|its|the"))
    return; /* "It serves a dashboard at" */
  for (size_t i = asked; i < verb; i++)
    if (!note_word_in(w.w[i].low, "a|by|default|it|the|this"))
      name = HM_CAT(out->a, name, HM_STR(" "), w.w[i].s);
  hm_str own = note_component_name(c->file->owner, out->a);
  name = note_component_name(name, out->a);
  if (c->file->library && name.n)
    return;
  if (asked && !name.n) {
    if (is_readme(c, out->a))
      add_own_port(out, c, port);
    return;
  }
  note_context whole = *c;
  if (asked) /* the heading says for what, and not of what */
    whole.part = HM_EMPTY;
  note_port_add(out, &whole, name.n ? name : own, port, false);
}

/* "Open http://localhost:3000/docs - the API is on port 3000": each clause by itself. */
static void read_clause_ports(note_claims *out, const note_context *c, hm_str text) {
  static const char dash[] = " \xE2\x80\x94 ";
  for (ptrdiff_t at; (at = hm_str_find(text, dash)) >= 0;
       text = hm_str_sub(text, (size_t)at + sizeof dash - 1, text.n))
    read_sentence_port(out, c, hm_str_sub(text, 0, (size_t)at));
  read_sentence_port(out, c, text);
}

/* "kubectl exec deploy/api -- curl http://localhost:4200/health": inside of what listens. */
static void read_port_inside(note_claims *out, const note_context *c, hm_str line) {
  size_t at;
  note_words w = note_split(line, out->a);
  hm_str port = note_port_in(line, &at, out->a);
  for (size_t i = 0; port.n && i + 1 < w.n; i++) {
    if (!hm_str_is(w.w[i].low, "exec") || has_other_port(line, port))
      continue;
    while (i + 2 < w.n && hm_str_starts(w.w[i + 1].low, "-")) /* its options */
      i++;
    hm_str name = hm_str_behind_last(w.w[i + 1].s, '/');
    if (listens(name, out->a))
      note_port_add(out, c, note_component_name(name, out->a), port, false);
    return;
  }
}

/* "open http://localhost:3003  # Backend API": the comment is the name of what listens. */
static void read_commented_port(note_claims *out, const note_context *c, hm_str line) {
  size_t at;
  ptrdiff_t comment = hm_str_find(line, " #");
  if (comment < 0)
    return;
  hm_str name = hm_str_trim(hm_str_sub(line, (size_t)comment + 2, line.n));
  hm_str port = note_port_in(hm_str_sub(line, 0, (size_t)comment), &at, out->a);
  ptrdiff_t open = hm_str_find(name, " (");
  if (open > 0)
    name.n = (size_t)open;
  if (port.n && !has_other_port(line, port) && listens(name, out->a))
    note_port_add(out, c, note_component_name(name, out->a), port, false);
}

/* "# Terminal 1: backend (Express on :5000)". */
static void read_comment_port(note_claims *out, const note_context *c, hm_str line) {
  static const char parts[] = "api|backend|client|frontend";
  hm_str dev = hm_str_starts(line, "# dev server ") ? local_port(line) : HM_EMPTY;
  if (dev.n) { /* "# dev server is now at http://localhost:3000" */
    note_port_add(out, c, HM_STR("dev_server"), dev, false);
    return;
  }
  size_t at;
  hm_str port = note_port_in(line, &at, out->a), part = HM_EMPTY;
  if (!hm_str_starts(line, "#") || !port.n || has_other_port(line, port))
    return;
  note_words w = note_split(line, out->a);
  for (size_t i = 0; i < w.n; i++) {
    if (!note_word_in(w.w[i].low, parts))
      continue;
    if (part.n)
      return;
    part = w.w[i].low;
  }
  note_port_add(out, c, part, port, false);
}

/* --- a part ----------------------------------------------------------------------------------- */

void note_ports_read_line(note_claims *out, const note_context *c, const hm_doc_part *p,
                          hm_str text) {
  if (hm_str_starts(text, "#")) {
    read_comment_port(out, c, text);
    return;
  }
  if (text.p > p->text.p) { /* an entry of a drawing */
    read_named_port(out, c, text);
    return;
  }
  if (hm_str_starts(text, "http") && !memchr(text.p, ' ', text.n) && is_readme(c, out->a))
    add_own_port(out, c, local_port(text)); /* a line of an address alone */
  read_commented_port(out, c, text);
  read_port_inside(out, c, text);
}

void note_ports_read(note_claims *out, const note_context *c, const hm_doc_part *p, hm_str text) {
  if (c->file->trial) /* tests have services of their own */
    return;
  if (p->kind == HM_DOC_ROW) {
    read_row_port(out, c, p);
    return;
  }
  if (p->kind == HM_DOC_ITEM && !p->label.n)
    read_named_port(out, c, text);
  if (p->kind != HM_DOC_ITEM && p->kind != HM_DOC_SENTENCE)
    return;
  read_label_port(out, c, p);
  read_own_port(out, c, p, text);
  read_clause_ports(out, c, p->label.n ? hm_str_sub(text, p->value, text.n) : text);
}
