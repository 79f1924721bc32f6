/* Ports: "Notify Service (3006)", "| Backend | http://localhost:5000 |", "GDB server port: 3333". A
 * port belongs to what listens there: the key, the label, the first cell, or the words before it
 * name that. An address without a name is nobody's. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/passage/passage_impl.h"

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
  static const char *const signs[] = {
    "localhost:", "127.0.0.1:", "0.0.0.0:", "(port:",     "(port",
    "port:",      " port ",     " on :",    "listens on "
  };
  hm_str low = note_lower(text, a);
  for (size_t i = 0; i < HM_COUNT(signs); i++) {
    hm_str port = port_behind(low, signs[i], at);
    if (port.n)
      return hm_str_sub(text, (size_t)(port.p - low.p), (size_t)(port.p - low.p) + port.n);
  }
  return HM_EMPTY;
}

/* "Notify Service (3006)". */
static hm_str port_in_brackets(hm_str text, size_t *at) {
  ptrdiff_t open = hm_str_find(text, " (");
  hm_str port = open < 0 ? HM_EMPTY : note_port_at(hm_str_sub(text, (size_t)open + 2, text.n));
  *at = open < 0 ? 0 : (size_t)open;
  return port.n && hm_char_at(text, *at + 2 + port.n, ')') ? port : HM_EMPTY;
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

/* --- what listens --------------------------------------------------------------------------- */

static bool listens(hm_str low) {
  static const char words[] =
      "admin|api|app|backend|bridge|broker|client|console|dashboard|docs|exporter|frontend|"
      "gateway|grafana|indexer|landing|listener|metrics|orchestrator|portal|preview|prometheus|"
      "proxy|registry|server|service|storybook|ui|web|website|websocket|worker";
  return note_word_in(hm_str_behind_last(low, '-'), words); /* "auth-service" */
}

/* Does a word before the name of what listens belong to it, "ledger" of "the ledger service"? */
static bool names_more(hm_str low) {
  static const char others[] =
      "access|browse|check|entire|expose|exposes|launch|local|main|new|only|open|own|reach|run|"
      "runs|same|see|serve|serves|start|starts|use|uses|view|visit|whole";
  bool letter = low.n && (hm_letter_at(low, 0) || (unsigned char)low.p[0] >= 0x80);
  return letter && !hm_str_ends(low, "'s") && !note_word_in(low, others) && !note_is_grammar(low) &&
      !note_is_silent(low);
}

/* May word i stand between what listens and its port: "is reachable at"? */
static bool leads_to_port(const note_words *w, size_t i) {
  static const char words[] =
      "a|accepts|accessible|address|always|and|answers|are|at|available|be|binds|bound|by|comes|"
      "connections|default|exposed|found|http|https|is|listening|listens|locally|on|open|port|"
      "process|published|reachable|reached|running|runs|served|serves|starts|tcp|the|under|up|url|"
      "which|->|\u2192";
  static const char binds[] = "binds|bound|listening|listens";
  bool bound = i && hm_str_is(w->w[i].low, "to") && note_word_in(w->w[i - 1].low, binds);
  return bound || note_word_in(w->w[i].low, words);
}

/* "(Express on :5000)": does the bracket at word i hold no more than the program that listens? */
static bool is_bracket_of_port(const note_words *w, size_t i) {
  static const char stores[] = "elasticsearch|kafka|memcached|mongodb|mysql|postgres|postgresql|"
                               "rabbitmq|redis";
  if (i == w->n)
    return true;
  i += hm_is_upper(w->w[i].s.p[0]) && !note_word_in(w->w[i].low, stores);
  while (i < w->n && leads_to_port(w, i))
    i++;
  return i == w->n;
}

/* What listens, as the last of the words name it, with nothing behind it but what leads to a port;
 * empty: nothing does. */
static hm_str listener_of(hm_str text, const note_words *w) {
  enum { MORE = 2 };
  size_t to = w->n;
  while (to && !listens(w->w[to - 1].low))
    to--;
  if (!to || w->n == NOTE_WORDS_MAX)
    return HM_EMPTY;
  bool bracket = to < w->n && w->w[to].before == '(' && is_bracket_of_port(w, to);
  for (size_t i = to; i < w->n && !bracket; i++)
    if (!leads_to_port(w, i))
      return HM_EMPTY;
  size_t from = to - 1, most = from > MORE ? from - MORE : 0;
  while (from > most && w->w[from].joined && names_more(w->w[from - 1].low))
    from--;
  return hm_str_sub(text, w->w[from].at, w->w[to - 1].at + w->w[to - 1].s.n);
}

static hm_str listener_before(hm_str text, size_t end, hm_arena *a) {
  note_words w = note_split(hm_str_sub(text, 0, end), a);
  return listener_of(text, &w);
}

/* The part that the heading names; empty: none, or all of them: "Packages". */
static hm_str part_of(const note_context *c) {
  static const char all[] = "applications|apps|components|containers|modules|packages|servers|"
                            "services";
  return note_word_in(c->part, all) ? HM_EMPTY : c->part;
}

void note_port_add(note_claims *out, const note_context *c, hm_str name, hm_str port) {
  static const char of_each[] = "admin|api|debug|health|metrics"; /* each part has its own */
  hm_arena *a = out->a;
  hm_str part = part_of(c), owner = note_component_name(c->file->component, a);
  part = part.n ? part : owner;
  if (note_word_in(name, "dev|development"))
    name = owner.n ? owner : HM_STR("app");
  if (note_word_in(name, of_each) && part.n && !hm_str_eq(part, name))
    name = HM_CAT(a, part, HM_STR("_"), name);
  if (name.n && port.n && !is_of_supabase(port))
    note_claims_add(out, HM_CAT(a, c->scope, name, HM_STR(" port")), port, NOTE_SETTING);
}

/* Of what the heading is about, or the folder. */
static void add_own_port(note_claims *out, const note_context *c, hm_str port) {
  hm_str part = part_of(c);
  note_port_add(out, c, part.n ? part : note_component_name(c->file->component, out->a), port);
}

/* name: as written; words that say what kind of thing it is alone are the folder's. */
static void add_port_of(note_claims *out, const note_context *c, hm_str name, hm_str port) {
  hm_str component = note_component_name(name, out->a);
  if (component.n)
    note_port_add(out, c, component, port);
  else
    add_own_port(out, c, port);
}

/* --- names with a port ---------------------------------------------------------------------- */

/* Do these words say no more than that something listens: "Listens on", "It runs at"? */
static bool are_of_own(const note_words *w) {
  bool own = w->n && note_word_in(w->w[0].low, "it|listens|runs|starts");
  for (size_t i = 1; own && i < w->n; i++)
    own = leads_to_port(w, i);
  return own;
}

/* Says the sentence nothing of where something listens now? w: its words; at: where the port is. */
static bool is_doubtful(const note_words *w, size_t at, hm_str text) {
  static const char doubts[] =
      "after|behind|block|blocks|but|can|compose|docker|kill|no|nothing|will|your";
  static const char conditions[] = "container|e.g|example|formerly|if|instead|mapped|not|or|"
                                   "previously|production|unless|was|were|when|would";
  for (size_t i = 0; i < w->n; i++) {
    bool before = w->w[i].at < at;
    if (!before && w->w[i].before == ',') /* ", and its key is not shown" */
      break;
    if (note_word_in(w->w[i].low, conditions) || (before && note_word_in(w->w[i].low, doubts)))
      return true;
  }
  return text.n && text.p[text.n - 1] == '?';
}

/* "The press is at http://localhost:3100", "Listens on port 4250" in the folder of what
 * listens. */
static void read_text(note_claims *out, const note_context *c, hm_str text) {
  static const char asks[] = "access|browse|check|open|see|use|view|visit";
  enum { LONGEST = 500, PORTS = 4 };
  hm_str name = HM_EMPTY, port = HM_EMPTY;
  size_t at = 0, from = 0;
  if (text.n > LONGEST)
    return;
  for (size_t n = 0; n < PORTS && !name.n; n++, from = (size_t)(port.p - text.p)) {
    hm_str rest = hm_str_sub(text, from, text.n);
    port = note_port_in(rest, &at, out->a);
    port = port.n ? port : port_in_brackets(rest, &at);
    if (!port.n || has_other_port(text, port))
      return;
    hm_str behind = hm_str_sub(rest, (size_t)(port.p - rest.p) + port.n, rest.n);
    if (hm_str_starts(behind, "->")) /* "0.0.0.0:4100->8080/tcp" */
      return;
    for (at += from; at && !strchr(" (", text.p[at]) && !strchr(" (", text.p[at - 1]);)
      at--; /* "http://" */
    note_words w = note_split(hm_str_sub(text, 0, at), out->a);
    name = listener_of(text, &w);
    if (!n && are_of_own(&w)) {
      add_own_port(out, c, port);
      return;
    }
  }
  note_words w = note_split(text, out->a);
  note_context whole = *c;
  if (w.n && note_word_in(w.w[0].low, asks)) /* the heading says for what, and not of what */
    whole.part = HM_EMPTY;
  if (name.n && !is_doubtful(&w, at, text))
    add_port_of(out, &whole, name, port);
}

/* "debug server" of "Debug server port", "API" of "Port de l'API"; empty: the label names no port
 * of something. */
static hm_str name_of_port(hm_str label, hm_arena *a) {
  static const char ports[] = "port|puerto|porta";
  note_words w = note_split(label, a);
  if (w.n > 1 && note_word_in(w.w[w.n - 1].low, ports))
    return hm_str_sub(label, 0, w.w[w.n - 1].at);
  return w.n > 2 && note_word_in(w.w[0].low, ports) ? listener_of(label, &w) : HM_EMPTY;
}

/* "Metrics port": each part has one of its own. */
static void add_port_of_part(note_claims *out, const note_context *c, hm_str name, hm_str port) {
  hm_arena *a = out->a;
  hm_str part = note_part_that_speaks(c, a);
  hm_str own = note_component_name(HM_CAT(a, part, HM_STR(" "), c->part, HM_STR(" "), name), a);
  note_port_add(out, c, part.n || c->part.n ? own : note_component_name(name, a), port);
}

/* "GDB server port: 3333", "Port: 3333", "**Dev server**: `make dev`, at http://localhost:3000".
 * False: the label says nothing of a port. */
static bool read_label(note_claims *out, const note_context *c, const hm_doc_part *p) {
  size_t at;
  hm_str value, label = note_label_of(p, &value, out->a);
  if (!label.n)
    return false;
  value = hm_str_trim(value);
  hm_str name = name_of_port(label, out->a), port = note_port_at(value);
  bool whole = port.n == value.n || hm_str_starts(hm_str_sub(value, port.n, value.n), " (");
  if (name.n && port.n && whole) {
    add_port_of_part(out, c, name, port);
    return true;
  }
  if (hm_str_is(label, "port") && port.n == value.n) {
    add_own_port(out, c, port);
    return true;
  }
  port = note_port_in(value, &at, out->a);
  name = listener_before(label, label.n, out->a);
  if (!p->label.n || !name.n || !port.n || has_other_port(value, port))
    return false;
  hm_str inner = note_component_name(listener_before(value, at, out->a), out->a);
  if (inner.n && !hm_str_is(inner, "dev"))
    return false;
  add_port_of(out, c, name, port);
  return true;
}

/* Is it the head of a column of ports: "Port", "Port in development"? */
static bool is_port_head(hm_str head, hm_arena *a) {
  enum { LONGEST = 60 };
  note_words w = note_split(head.n > LONGEST ? HM_EMPTY : head, a);
  return w.n &&
      (note_word_in(w.w[0].low, "port|ports") ||
       (w.n == 2 && hm_str_is(w.w[0].low, "default") && hm_str_is(w.w[1].low, "port")) ||
       (w.n == 2 && hm_str_is(w.w[0].low, "listens") && hm_str_is(w.w[1].low, "on")));
}

static void read_row_port(note_claims *out, const note_context *c, const hm_doc_part *p) {
  size_t at;
  if (p->n_cells < 2)
    return;
  hm_str key = hm_str_behind_last(p->cells[0].text, '/'); /* "packages/kitchen" */
  hm_str port = HM_EMPTY;
  hm_str name = note_component_name(key, out->a);
  bool may_listen = listener_before(key, key.n, out->a).n > 0;
  for (uint32_t i = 0; i < p->n_head; i++) /* "Source | Destination | Port": of which of them? */
    if (p->head[i].text.n < sizeof "destination " &&
        note_word_in(note_lower(hm_str_trim(p->head[i].text), out->a),
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
  note_port_add(out, c, name, port);
}

/* --- a part ----------------------------------------------------------------------------------- */

/* "open http://localhost:3003  # Backend API": the comment names what listens. */
static void read_comment(note_claims *out, const note_context *c, hm_str line) {
  size_t at;
  ptrdiff_t sign = hm_str_starts(line, "# ") ? 0 : hm_str_find(line, " # ");
  if (sign < 0)
    return;
  hm_str comment = hm_str_sub(line, (size_t)sign + 2, line.n);
  hm_str port = note_port_in(hm_str_sub(line, 0, (size_t)sign), &at, out->a);
  ptrdiff_t open = hm_str_find(comment, " (");
  size_t end = open > 0 ? (size_t)open : comment.n;
  hm_str name = port.n ? listener_before(comment, end, out->a) : HM_EMPTY;
  if (name.n && !has_other_port(line, port))
    add_port_of(out, c, name, port);
  else if (!port.n)
    read_text(out, c, comment);
}

void note_ports_read_line(note_claims *out, const note_context *c, const hm_doc_part *p,
                          hm_str text) {
  if (text.p > p->text.p) /* an entry of a drawing */
    read_text(out, c, text);
  else if (note_is_shell(p->language, out->a))
    read_comment(out, c, hm_str_trim(text));
}

void note_ports_read(note_claims *out, const note_context *c, const hm_doc_part *p, hm_str text) {
  if (c->file->trial) /* tests have services of their own */
    return;
  if (p->kind == HM_DOC_ROW) {
    read_row_port(out, c, p);
    return;
  }
  if (p->kind != HM_DOC_ITEM && p->kind != HM_DOC_SENTENCE)
    return;
  if (!read_label(out, c, p))
    read_text(out, c, text);
}
