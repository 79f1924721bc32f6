/* Labels and keys: "Log retention: 30 days", "area = 468", "Supported locales: en, de, fr";
 * "MAX_CONNS=50", "set LOG_LEVEL to debug in staging", "CACHE_TTL is now 600".
 *
 * A lone word before a colon is a heading unless it names an attribute or a family. A key is
 * written in capitals. Only words for setting may precede it; a placeholder ("=<n>") or a list of
 * results ("PASS=5 FAIL=0") claims nothing. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/credential.h"
#include "core/base/text.h"
#include "core/prose/prose_grammar.h"

/* --- keys ------------------------------------------------------------------------------------- */

/* Bytes of a name such as MAX_CONNS at the beginning of s. */
static size_t key_bytes(hm_str s) {
  size_t n = 0, gaps = 0;
  while (n < s.n && (hm_is_upper(s.p[n]) || s.p[n] == '_' || (n && hm_is_digit(s.p[n]))))
    gaps += s.p[n++] == '_';
  return n >= 3 && (n > gaps + 1) ? n : 0;
}

/* The value at `from`: to the closing quote if it begins with one, else to the next space, without
 * signs that end a sentence or close a bracket from before the key. */
static hm_str value_at(const prose *p, const char *from) {
  const char *end = p->text.p + p->text.n, *to = from;
  if (from < end && (*from == '"' || *from == '\'')) {
    const char *close = memchr(from + 1, *from, (size_t)(end - from) - 1);
    const char *line = memchr(from, '\n', (size_t)(end - from));
    if (close && !(line && line < close))
      return (hm_str){ from + 1, (size_t)(close - from) - 1 };
    from++;
  }
  int open = 0, quotes = 0;
  for (to = from; to < end && !hm_is_space(*to) && *to != '`'; to++) {
    open += (*to == '(' || *to == '[') - (*to == ')' || *to == ']');
    if (open < 0)
      break;
    quotes += *to == '"';
  }
  while (to > from && (strchr(",;.:!?'*", to[-1]) || (to[-1] == '"' && quotes % 2)))
    to--;
  return (hm_str){ from, (size_t)(to - from) };
}

/* "PORT=3000 # of the API": a comment begins behind the value. */
static bool is_commented(const prose *p, hm_str value) {
  const char *end = p->text.p + p->text.n, *at = value.p + value.n;
  at += at < end && (*at == '"' || *at == '\'');
  const char *sign = at;
  while (sign < end && *sign == ' ')
    sign++;
  return sign > at && sign < end && *sign == '#';
}

/* "auto|docker|host": what it may be. */
static bool is_choice(hm_str value) {
  size_t bars = 0, i = 0;
  while (i < value.n && (hm_is_alnum(value.p[i]) || (value.p[i] && strchr("|-_", value.p[i]))))
    bars += value.p[i++] == '|';
  return bars && i == value.n;
}

static void claim_key(prose *p, hm_str key, hm_str value, size_t from, size_t to, size_t end) {
  prose_np np = { .family = -1 };
  prose_value v = { .shape = HM_SHAPE_KEY, .from = from, .to = to };
  v.value = value;
  if (prose_one_of(p, from, to, "in|on")) /* "in production LOG_LEVEL=info" */
    prose_add_environment(p, &np, from + 1);
  prose_add_word(&np.attribute, hm_text_fold_name(p->a, key));
  /* "`ENV=a` or `ENV=b`" */
  if (prose_is(p, to, p->n, "or") || prose_is(p, from ? from - 1 : p->n, p->n, "or"))
    return;
  bool advised =
      prose_one_of(p, from, end, "add|run|set|use") && prose_one_of(p, to, end, "for|to");
  /* "SESSION_SECRET=base64_encoded_secret" says what stands there */
  static const char *const secrets[] = { "secret", "password", "token", "key" };
  hm_str folded = hm_text_fold_name(p->a, key), low = hm_text_fold_name(p->a, value);
  for (size_t i = 0; i < HM_COUNT(secrets); i++)
    if (hm_str_ends(folded, secrets[i]) && hm_str_find(low, secrets[i]) >= 0)
      return;
  bool cut = value.n &&
      hm_str_starts(hm_str_sub(p->text, (size_t)(value.p - p->text.p) + value.n, p->text.n), "...");
  if (!value.n || strchr("<${", value.p[0]) || hm_has_placeholder(value, HM_OF_VALUE) || advised ||
      cut || is_choice(value))
    return;
  if (is_commented(p, value))
    end = to;
  if (value.n && prose_read_tail(p, &np, &v, to, end))
    prose_claim(p, &np, &v);
}

/* Words that may stand in front of a key. */
static bool may_introduce(const prose *p, size_t i, size_t k) {
  static const char words[] =
      "set|sets|export|env|the|config|we|use|uses|using|with|and|now|variable|var|environment|"
      "run|runs|start|launch";
  static const char environments[] = "prod|production|staging|dev|development";
  if (k == i + 2 && prose_one_of(p, i, k, "in|on") && prose_one_of(p, i + 1, k, environments))
    return true;
  for (; i < k; i++) {
    if (!prose_one_of(p, i, k, words) && !key_bytes(p->t[i].s))
      return false;
  }
  return true;
}

/* Do the words before a key in backticks leave it a fact: "runs with `PORT=3000`"? Not so
 * "verify `PORT=3000`", "(requires `ALLOW=1`)". */
static bool is_said(const prose *p, size_t i, size_t k) {
  static const char said_no_fact[] =
      "try|e.g|example|like|add|pass|run|override|from|instead|verify|check|ensure|confirm|"
      "requires|needs|by|via";
  for (; i < k; i++)
    if ((p->t[i].cls & (C_NOT | C_COND | C_UNSURE | C_SEVERAL | C_MOVED | C_EVENT | C_WAS)) ||
        prose_one_of(p, i, k, said_no_fact))
      return false;
  return true;
}

/* Does what stands behind a key and its value say what that value would do? */
static bool describes_option(const prose *p, size_t k) {
  static const char deeds[] =
      "activates|adds|allows|disables|enables|forces|hides|keeps|logs|makes|prevents|prints|runs|"
      "sends|shows|skips|stops|turns|uses|writes";
  char stop = p->t[k].stop; /* "`MODE=a`: ...", "`MODE=a` -> what it does" */
  return stop == ':' || stop == '>' || (stop == '-' && prose_one_of(p, k + 1, p->n, deeds));
}

bool prose_read_key(prose *p, size_t i, size_t end) {
  bool any = false;
  for (size_t k = i; k < end && (k < i + 6 || p->t[k].code); k++) {
    hm_str s = p->t[k].s;
    size_t n = key_bytes(s);
    if (!n)
      continue;
    if (!may_introduce(p, i, k) && !(p->t[k].code && is_said(p, i, k)))
      return any;
    if (n + 1 < s.n && s.p[n] == '=' && s.p[n + 1] != '=') {
      size_t stop = k + 1;
      bool quoted = n + 1 < s.n && (s.p[n + 1] == '"' || s.p[n + 1] == '\'');
      if (stop < end && !p->t[k].stop && !quoted && key_bytes(p->t[stop].s)) /* PASS=5 FAIL=0 */
        return true;
      if (p->t[k].code && describes_option(p, k)) /* "`ANALYZE=true`: enables it" */
        return true;
      while (stop < end && !prose_is(p, stop, end, "and"))
        stop++;
      size_t to = k + 1;
      hm_str value = value_at(p, s.p + n + 1);
      while (to < end && p->t[to].s.p < value.p + value.n)
        to++;
      if (stop < to)
        stop = to;
      claim_key(p, hm_str_sub(s, 0, n), value, any ? k : i, to, stop);
      any = true;
      continue;
    }
    if (n < s.n || any || !memchr(s.p, '_', s.n))
      continue;
    size_t at = k + 1;
    bool set = k > i && prose_one_of(p, k - 1, end, "set|sets");
    if (set && prose_is(p, at, end, "to"))
      at++;
    else if (k != i && !may_introduce(p, i, k))
      continue;
    else if (prose_are(p, at, end, "has been") && prose_has(p, at + 2, end, C_MOVED) &&
             prose_is(p, at + 3, end, "to"))
      at += 4;
    else if (prose_is(p, at, end, "was") && prose_has(p, at + 1, end, C_MOVED) &&
             prose_is(p, at + 2, end, "to"))
      at += 3;
    else if (prose_are(p, at, end, "is set to"))
      at += 3;
    else if (prose_one_of(p, at, end, "is|="))
      at++;
    else
      continue;
    while (prose_has(p, at, end, C_ADVERB))
      at++;
    if (at >= end ||
        (p->t[at].cls & ~(C_ON | C_OFF | C_NUMBER | C_HEADING | C_NAMED | C_MEASURE | C_KIND)) ||
        prose_one_of(p, at, end, "undefined|unset"))
      return true;
    claim_key(p, s, p->t[at].s, i, at + 1, end);
    return true;
  }
  return any;
}

/* --- labels ----------------------------------------------------------------------------------- */

/* "Supported locales: en, de, fr" */
static bool claim_list_label(prose *p, size_t i, size_t colon, size_t end) {
  if (!prose_one_of(p, i, end, "supported|allowed|accepted|permitted") || colon != i + 2)
    return false;
  prose_np np = { .family = -1 };
  prose_value v = { .shape = HM_SHAPE_SET, .from = i, .also = false };
  size_t at = colon;
  prose_items items = { 0 };
  for (; at < end && items.n < 12; at++) {
    if (prose_is(p, at, end, "and"))
      continue;
    if (prose_is(p, at, end, "only")) {
      v.only = true;
      at++;
      break;
    }
    if (p->t[at].cls & (C_BE | C_PRONOUN | C_WAS | C_COND))
      return true;
    prose_items_add(p, &items, p->t[at].s);
    v.to = at + 1;
  }
  if (!items.n || at < end)
    return true;
  prose_add_words(&np.attribute, "supported");
  prose_add_word(&np.attribute, prose_singular(p, &p->t[i + 1]));
  v.value = prose_span(p, colon, v.to);
  v.reading = prose_items_array(p, &items);
  v.also = !v.only;
  prose_claim(p, &np, &v);
  return true;
}

/* Is s a plain key, "=" at eq, and a plain value? */
static bool is_assignment(hm_str s, size_t eq) {
  for (size_t i = 0; i < s.n; i++) {
    char c = s.p[i];
    bool word = hm_is_letter(c) || c == '_' || (c & 0x80);
    if (i < eq && !word && !(i && (hm_is_digit(c) || c == '.' || c == '-')))
      return false;
    if (i > eq && c && strchr("=<>(){}[]|;$*", c))
      return false;
  }
  return true;
}

/* Signs of code, of lists and of orders: "image:: x", "observe({ type: 'a' })", "image: use X". The
 * label is [i, stop), the words after it begin at `at`. */
static bool is_code(const prose *p, size_t i, size_t stop, size_t at, size_t end, char by) {
  /* "image:: x", "theme: - fix", "a = b;" */
  const char *colon = p->t[stop - 1].s.p + p->t[stop - 1].s.n;
  for (; colon + 1 < p->t[at].s.p; colon++)
    if ((colon[0] == ':' && colon[1] == ':') || colon[0] == '-' ||
        (colon[0] == '*' && colon[1] == ' ' && colon[-1] != '*')) /* not "**theme:** x" */
      return true;
  /* "a = b;", "`a = b` -> `a = c`", "reuses the list with `kind = tool`" */
  bool begun = p->t[at].code && !p->t[i].code, way = i && p->t[i - 1].stop == '>';
  if (by == '=' && (begun || way || strchr(";>", p->t[end - 1].stop ? p->t[end - 1].stop : ' ')))
    return true;
  if (p->t[at].stop == ':') /* "prefixes: id:, map:" */
    return true;
  for (size_t k = i; k < stop; k++) /* "observe({ type: 'measure' })" */
    if (memchr(p->t[k].s.p, '(', p->t[k].s.n) || memchr(p->t[k].s.p, '{', p->t[k].s.n))
      return true;
  if (prose_is(p, at, end, "use") && !p->t[at].capital)
    return true;    /* "image: use X" */
  size_t marks = 0; /* "Status: \u2705 reads, \u274C writes" */
  for (size_t k = at; k < end; k++)
    marks += prose_one_of(p, k, end, "\xE2\x9C\x85|\xE2\x9D\x8C");
  /* 'Set "status": "done"' */
  return marks > 1 ||
      prose_one_of(p, i, stop,
                   "add|change|check|checking|const|determine|export|let|new|private|put|"
                   "set|update|write|wrong");
}

/* "PASS (all hold) or FAIL (some do)", "API key of Ann \u2192 API keys": one of several, a way. */
static bool is_choice_or_way(const prose *p, size_t at, size_t end) {
  bool aside = false;
  for (size_t k = at; k < end; k++) {
    if (aside && !p->t[k].aside && prose_one_of(p, k, end, "or|vs"))
      return true;
    aside |= p->t[k].aside;
    if (p->t[k].stop == '>' && k > at + 1 && !p->t[at].digit)
      return true;
  }
  return false;
}

/* "currency=EUR": the whole text in one word */
static bool claim_assignment(prose *p, const prose_word *t) {
  const char *eq = t->s.n > 2 ? memchr(t->s.p + 1, '=', t->s.n - 2) : NULL;
  if (!eq || !is_assignment(t->s, (size_t)(eq - t->s.p)))
    return false;
  prose_np np = { .family = -1 };
  prose_value v = { .shape = HM_SHAPE_KEY, .from = 0, .to = 1 };
  hm_str key = hm_str_sub(t->s, 0, (size_t)(eq - t->s.p));
  prose_add_word(&np.attribute, hm_text_fold_name(p->a, key));
  v.value = hm_str_sub(t->s, (size_t)(eq - t->s.p) + 1, t->s.n);
  prose_claim(p, &np, &v);
  return true;
}

/* "API timeout (prod)": the qualifier; "Timeout (API)": the subject. */
static void add_aside(prose *p, prose_np *np, size_t aside) {
  hm_str low = p->t[aside].low;
  if (p->t[aside].cls & ~(C_NAMED | C_MEASURE | C_KIND))
    return;
  if (np->subject.n)
    prose_add_word(&np->qualifier, hm_str_is(low, "prod") ? HM_STR("production") : low);
  else
    prose_add_word(&np->subject, low);
}

/* "Router: Alder, birch relay": the first of several names. */
static bool begins_list(const prose *p, size_t at, size_t end) {
  enum { NAME_MAX = 3 };
  size_t k = at;
  while (k < end && k < at + NAME_MAX && !p->t[k].stop && !p->t[k].digit && !p->t[k].aside)
    k++;
  return k + 1 < end && p->t[k].stop == ',' && prose_looks_named(&p->t[at]) &&
      !(p->t[k + 1].cls & ~(C_NAMED | C_MEASURE | C_KIND)) && !p->t[k + 1].aside;
}

/* "Size: 17 sections, 111 pages": amounts of several things. */
static bool lists_amounts(const prose *p, size_t at, size_t end) {
  bool first = p->t[at].digit && !p->t[at].stop;
  for (size_t k = at + 1; k + 1 < end && first; k++)
    if (p->t[k - 1].stop == ',' && p->t[k].digit && !p->t[k].aside && !p->t[k].stop)
      return true;
  return false;
}

/* "**Mocking:** NSubstitute": one bold word that says what is done, and one name. */
static bool is_bold_topic(const prose *p, size_t i, size_t stop, size_t at, size_t end) {
  const prose_word *label = &p->t[i], *name = &p->t[at];
  const char *before = label->s.p, *behind = label->s.p + label->s.n;
  bool bold = before >= p->text.p + 2 && before[-1] == '*' && before[-2] == '*' &&
      behind + 3 <= p->text.p + p->text.n &&
      (!memcmp(behind, ":**", 3) || !memcmp(behind, "**:", 3));
  return bold && stop == i + 1 && at + 1 == end && i == 0 && end == p->n &&
      prose_ends_in(label->low, "ing") && name->capital && !name->cls;
}

/* The value at `at` of np, which the label [i, stop) names. */
static void claim_labelled(prose *p, prose_np *np, size_t i, size_t stop, size_t at, size_t end,
                           char by) {
  prose_value v = { .from = i, .to = end };
  if (by == ':' && (begins_list(p, at, end) || lists_amounts(p, at, end)))
    return;
  while (prose_has(p, at, end, C_ADVERB))
    at++;
  for (size_t k = at; k + 1 < end; k++) /* "30 s -> 60 s" */
    if (p->t[k].stop == '>') {
      if (v.left.n)
        return;
      v.left = prose_span(p, at, k + 1);
      at = k + 1;
    }
  prose_value clean = v;
  prose_np saved = *np;
  if (prose_read_value(p, np, &v, at, end, by))
    return;
  /* a measure with a plain name: "path length = L2" claims nothing */
  *np = saved;
  v = clean;
  bool equals = by == '=' && end - at == 1 && !(p->t[at].cls & (C_PRONOUN | C_STATE));
  if (equals || (by == ':' && is_bold_topic(p, i, stop, at, end))) {
    prose_attribute_from_subject(np);
    v.shape = HM_SHAPE_ATTRIBUTE;
    v.value = p->t[at].s;
    prose_claim(p, np, &v);
  }
}

static bool read_known_label(prose *p, size_t i, size_t end, size_t *colon) {
  size_t at = i;
  char by = 0;
  for (; at < end && at < i + 8 && !by; at++) {
    const prose_word *t = &p->t[at];
    if (t->cls & (C_BE | C_WAS))
      return false;
    if (t->stop == ':')
      by = ':';
    else if (at > i && hm_str_is(t->s, "="))
      by = '=';
    else if (t->stop && t->stop != '.')
      return false;
    if (at == 0 && p->n == 1 && claim_assignment(p, t))
      return true;
  }
  if (!by)
    return false;
  size_t stop = by == '=' ? at - 1 : at, aside = stop;
  while (aside > i && p->t[aside - 1].aside && !p->t[aside - 1].code)
    aside--;
  if (stop - aside != 1 || aside == i || prose_is_unit_word(p, aside))
    aside = stop; /* "Timeout (API): 30 s", not "mass (kg): 5" */
  prose_np np;
  if (at >= end || p->t[at - 1].stop == '\n' || (p->t[stop - 1].cls & C_HEADING))
    return true;
  if (is_code(p, i, stop, at, end, by) || is_choice_or_way(p, at, end))
    return true;
  if (by == ':')
    *colon = stop;
  if (prose_is_optional(p, stop))
    stop = aside;
  if (claim_list_label(p, i, at, end))
    return true;
  if (!prose_read_np(p, &np, i, aside) || np.indefinite || np.value || np.fresh)
    return true;
  if (aside < stop)
    add_aside(p, &np, aside);
  if (prose_verb_row(p, i, stop, &(size_t){ 0 }) && i + 1 < stop)
    return true; /* "requires x: y" */
  if (p->t[stop - 1].digit || (p->t[i].digit && !p->about.n))
    return true; /* "Part 2: Rust", "3/4 events reason: none" */
  bool lone = np.words < 2;
  if (lone && by == ':' && !np.known_measure && !np.known_name && np.family < 0 && !p->about.n &&
      !is_bold_topic(p, i, stop, at, end))
    return true;
  if (lone && by == ':' && (np.person || (p->t[i].cls & (C_SEVERAL | C_PREP))))
    return true;
  claim_labelled(p, &np, i, stop, at, end, by);
  return true;
}

/* "High/Medium/Low": one of several. */
static bool is_one_of(hm_str value) {
  size_t parts = 0;
  for (size_t i = 0; i < value.n; i++) {
    parts += hm_is_upper(value.p[i]) && (!i || value.p[i - 1] == '/');
    if (!hm_is_letter(value.p[i]) && value.p[i] != '/')
      return false;
  }
  return parts > 2;
}

/* Is the claimed name all that stands behind the colon at `at`? Not so "Partner with a studio",
 * "Perfect on phones", "Arrows (all four), Enter", "Vitest (unit) + Playwright (browser)". */
static bool is_whole(const prose *p, size_t i, size_t at, size_t end, const hm_prose_claim *c) {
  size_t k = at, name;
  if (c->shape != HM_SHAPE_ATTRIBUTE && c->shape != HM_SHAPE_CHOICE)
    return true;
  while (k < end && p->t[k].s.p < c->value.p + c->value.n)
    k++;
  const prose_word *last = &p->t[k - 1];
  /* "`package.json`: Dependencies", "`type`: Node kind" say what stands there */
  if (is_one_of(c->value) || (p->t[i].code && !last->code && !p->t[at].digit && !c->family))
    return false;
  /* "Ver [the guide](a.md)", "[npm/yarn]", "Synchronizes all hosts" */
  const char *from = c->value.p, *behind = from + c->value.n, *stop = p->text.p + p->text.n;
  bool link = stop - behind > 1 && behind[0] == ' ' && behind[1] == '[';
  bool hole = from > p->text.p && from[-1] == '[' && behind < stop && behind[0] == ']' &&
      (behind + 1 == stop || behind[1] != '(');
  bool does = last > &p->t[at] && !last->capital &&
      prose_ends_in(p->t[at].low, "ates|ides|ifies|izes|ures");
  if (link || hole || does)
    return false;
  for (name = k; k < end && p->t[k].aside;)
    k++;
  if (k == end || (k > name && p->t[k - 1].stop != ','))
    return k == end || p->t[k - 1].stop;
  bool coined = last->digit || last->upper || last->code || memchr(last->s.p, '_', last->s.n);
  for (size_t next = k; next + 1 < end; next++) /* "GUT for scripts, XUT for systems" */
    coined = coined && p->t[next].stop != ',';
  return k == name &&
      (last->stop || c->shape == HM_SHAPE_CHOICE || prose_one_of(p, k, end, "as|because|since") ||
       (coined && prose_one_of(p, k, end, "for|with")));
}

/* "`37 4 * * *`": code that a label names is its value, with all signs. */
static void take_code(const prose *p, hm_prose_claim *c) {
  const char *end = p->text.p + p->text.n, *to = c->value.p;
  if (c->shape != HM_SHAPE_ATTRIBUTE || to == p->text.p || to[-1] != '`')
    return;
  while (to < end && *to != '`' && *to != '\n')
    to++;
  if (to == end || *to != '`' || c->reading.p != c->value.p)
    return;
  c->value.n = c->reading.n = (size_t)(to - c->value.p);
}

bool prose_read_label(prose *p, size_t i, size_t end) {
  size_t colon = end, before = p->out->n;
  if (!read_known_label(p, i, end, &colon))
    return false;
  if (p->out->n == before && colon < end)
    prose_read_item(p, i, colon, end);
  if (p->out->n == before + 1 && colon < end &&
      !is_whole(p, i, colon, end, &p->out->claims[before]))
    p->out->n = before;
  if (p->out->n == before + 1)
    take_code(p, &p->out->claims[before]);
  return true;
}
