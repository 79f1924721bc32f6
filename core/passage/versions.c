/* Versions of known programs, as teams demand and use them: "Node.js 20+", "Node 22.x",
 * "Python >= 3.10 and < 3.14", "Version 20 or higher". */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/passage/passage_impl.h"

/* A text with one of these does not say what is used now. */
static const char doubts[] =
    "acceptable|added|after|alternative|alternatively|available|avoid|before|benchmark|breaking|"
    "broken|bug|buggy|bump|bumped|changed|changes|comparison|compatibility|compatible|could|"
    "deprecated|doesn't|don't|drop|dropped|drops|e.g|either|eol|example|examples|fails|formerly|"
    "future|if|include|instead|introduced|than|isn't|issue|latest|legacy|matrix|may|might|prior|"
    "migrate|migrated|migrating|migration|most|never|no|not|old|older|planned|prevent|prevents|"
    "previous|previously|prohibited|removed|replaced|replaces|sample|since|some|starting|stdlib|"
    "still|stops|support|supported|supports|tested|unlike|unsupported|until|upgrade|upgraded|"
    "upgrades|upgrading|versus|vs|was|were|when|who|will|won't|\u274C|e\u011Fer|expert|"
    "expertise|falls|hvis|"
    "indien|jika|kalau|pokud|wenn|\u0435\u0441\u043B\u0438";

/* Behind one of these a version is wished, or what others need. */
static const char advice[] = "peer|recommended|aanbevolen|consigliata|consigliato|empfohlen|"
                             "preferibilmente|recomendada|recomendado|recommand\u00E9|zalecany";

/* What may stand behind a version that is said. */
static const char followers[] =
    "&|+|-|and|api|app|application|are|as|at|backend|because|client|codebase|database|features|"
    "ben\u00F6tigt|erforderlich|for|framework|from|frontend|in|installed|is|lts|minimum|must|"
    "needed|on|only|plus|project|recommended|required|requis|running|runtime|server|should|"
    "strict|to|under|using|via|with|–";

typedef struct {
  const note_words *w;
  size_t i;
  hm_arena *a;
} scanner;

typedef struct {
  hm_str number;
  const char *sign; /* ">=", "<", "" ... */
  bool plus;
} bound;

/* Reads a bound at word *i: an operator, alone or before the number, the number, a plus. */
static bool read_bound(scanner *s, size_t *i, bound *b) {
  static const char *const signs[] = { ">=", "<=", "==",           ">",           "<", "=",
                                       "^",  "~",  "\xE2\x89\xA5", "\xE2\x89\xA4" };
  static const char *const plain[] = { ">=", "<=", "", ">", "<", "", "^", "~", ">=", "<=" };
  *b = (bound){ .sign = "" };
  if (*i >= s->w->n)
    return false;
  hm_str t = s->w->w[*i].low;
  for (size_t k = 0; k < HM_COUNT(signs); k++) {
    if (!hm_str_starts(t, signs[k]))
      continue;
    b->sign = plain[k];
    t = hm_str_sub(t, strlen(signs[k]), t.n);
    break;
  }
  if (!t.n && *i + 1 < s->w->n)
    t = s->w->w[++*i].low;
  bool v = t.n && t.p[0] == 'v';
  if (v)
    t = hm_str_sub(t, 1, t.n);
  size_t n = note_version_length(t);
  /* "v1" is a version of what the repository makes itself */
  if (!n || (v && n == 1 && t.p[0] < '3'))
    return false;
  b->number = hm_str_sub(t, 0, n);
  b->plus = hm_char_at(t, n, '+');
  if (n + b->plus < t.n)
    return false; /* "3.10-slim", "20th" */
  ++*i;
  return true;
}

/* "or higher", "and above", "or newer". */
static bool skip_or_higher(const scanner *s, size_t *i) {
  if (*i + 1 >= s->w->n || !note_word_in(s->w->w[*i].low, "or|and|oder|und|ou|o"))
    return false;
  size_t any = *i + 2 < s->w->n && note_word_in(s->w->w[*i + 1].low, "any|anything");
  if (!note_word_in(s->w->w[*i + 1 + any].low,
                    "higher|later|newer|above|greater|up|more|h\u00F6her|neuer|sp\u00E4ter|plus|"
                    "sup\u00E9rieur|superior|posterior"))
    return false;
  *i += 2 + any;
  *i += any && *i < s->w->n && note_word_in(s->w->w[*i].low, "release|version");
  return true;
}

/* "^20.19 || ^22 || >=24", of which the first is read. */
static hm_str read_alternatives(scanner *s, size_t *i, hm_str all) {
  bound b;
  while (*i < s->w->n && s->w->w[*i].before == '|' && read_bound(s, i, &b))
    all =
        HM_CAT(s->a, all, HM_STR(" || "), hm_str_c(b.sign), b.number, hm_str_c(b.plus ? "+" : ""));
  return all;
}

/* The version at word *i, in one spelling. Empty: none. */
static hm_str read_version(scanner *s, size_t *i) {
  bound low, high;
  size_t k = *i;
  if (!read_bound(s, &k, &low))
    return HM_EMPTY;
  *i = k;
  bool least = low.plus || skip_or_higher(s, i);
  k = *i;
  if (k < s->w->n && s->w->w[k].before == '|' && low.sign[0])
    return read_alternatives(s, i, HM_CAT(s->a, hm_str_c(low.sign), low.number));
  size_t other = k + 1;
  if (k < s->w->n && note_word_in(s->w->w[k].low, "or|oder|ou|\u6216") &&
      read_bound(s, &other, &high)) {
    *i = other;
    bool both = high.plus || skip_or_higher(s, i);
    return HM_CAT(s->a, hm_str_c(low.sign), low.number, hm_str_c(least ? "+" : ""), HM_STR(" || "),
                  hm_str_c(high.sign), high.number, hm_str_c(both ? "+" : ""));
  }
  if (least)
    return HM_CAT(s->a, low.number, HM_STR("+"));
  bool range = k < s->w->n &&
      (note_word_in(s->w->w[k].low, "-|through|to") ||
       (low.sign[0] == '>' && hm_str_is(s->w->w[k].low, "and")) ||
       (low.sign[0] == '>' && s->w->w[k].before == ','));
  bool dash = k < s->w->n && s->w->w[k].before == '-' && !low.sign[0];
  if (range || dash) {
    size_t at = k + (note_word_in(s->w->w[k].low, "-|through|to|and"));
    if (read_bound(s, &at, &high)) {
      *i = at;
      if (high.sign[0] == '<' && low.sign[0] == '>')
        return HM_CAT(s->a, hm_str_c(low.sign), low.number, HM_STR(" and "), hm_str_c(high.sign),
                      high.number);
      return HM_CAT(s->a, low.number, HM_STR(" - "), high.number);
    }
  }
  return HM_CAT(s->a, hm_str_c(low.sign), low.number);
}

/* "20, 22", "18 / 20", "20 + 22": a list of versions begins with the one before word i. */
static bool is_listed(const scanner *s, size_t i) {
  bound b;
  size_t next = i + 1;
  if (i < s->w->n && note_word_in(s->w->w[i].low, "&|+|and|und"))
    return read_bound((scanner *)(uintptr_t)s, &next, &b) &&
        (next >= s->w->n || !s->w->w[next].joined);
  if (i >= s->w->n || s->w->w[i].joined || !strchr(",/", s->w->w[i].before))
    return false;
  return read_bound((scanner *)(uintptr_t)s, &i, &b);
}

/* "Node 22+ (as set in `.nvmrc`)": what a file says that has one version. */
static bool is_pinned_by_file(const note_words *w) {
  for (size_t i = 1; i < w->n; i++)
    if (note_word_in(w->w[i].low,
                     ".node-version|.nvmrc|.python-version|.ruby-version|.tool-versions") &&
        note_word_in(w->w[i - 1].low, "by|from|in|per|via"))
      return true;
  return false;
}

static bool is_capital(hm_str s) { return s.n > 1 && s.p[0] >= 'A' && s.p[0] <= 'Z'; }

/* Is one of the spans the name in code? */
static bool has_code(hm_str text, const hm_doc_span *spans, uint32_t n, hm_str name) {
  for (uint32_t i = 0; i < n; i++)
    if (spans[i].mark == HM_DOC_SPAN_CODE &&
        hm_str_eq(hm_str_sub(text, spans[i].from, spans[i].to), name))
      return true;
  return false;
}

/* "general (6), redis (10)": has it two numbers in brackets? */
static bool has_several_counts(hm_str s) {
  size_t counts = 0;
  for (size_t i = 0; i + 2 < s.n; i++)
    counts += s.p[i] == '(' && hm_skip_digits(s, i + 1) > i + 1 &&
        hm_char_at(s, hm_skip_digits(s, i + 1), ')');
  return counts > 1;
}

/* Does a joint stand at word i, and behind it the same program? */
static bool is_said_again(const note_words *w, size_t i, const char *program) {
  const char *again;
  bool dotted;
  return i + 1 < w->n && note_word_in(w->w[i].low, "&|+|and|or|und") &&
      note_program_at(w, i + 1, &again, &dotted) && again == program;
}

/* What speaks with a program, or is built on it. */
static const char tools[] =
    "adapter|bindings|client|connector|driver|extension|jdbc|library|plugin|sdk|wrapper";

/* "redis | ^0.31", "Redis | `redis` 0.31": of a package that speaks with such a program. */
static bool is_of_client(hm_str program, const hm_doc_part *p, hm_str version, hm_arena *a) {
  static const char servers[] =
      "clickhouse|elasticsearch|mariadb|mongodb|mysql|nginx|postgres|redis|sqlite";
  if (!version.n || !note_word_in(program, servers))
    return false;
  for (uint32_t i = 1; i < p->n_cells; i++) {
    note_words w = note_split(p->cells[i].text, a);
    if (note_any_word_in(&w, tools) || /* "| redis | 7.1 | Redis client |" */
        has_code(p->cells[i].text, p->cells[i].spans, p->cells[i].n_spans, program))
      return true;
  }
  return strchr("^~", version.p[0]) ||
      (hm_str_starts(version, "0.") && has_code(p->text, p->spans, p->n_spans, program));
}

/* "Kiln Java SDK 4.13", "below node 10", "3.8 <= Python": is what follows the program, of n words
 * from i on, the version of another thing, or a part of a range? "Java SDK" is Java. */
static bool is_of_other_thing(const note_words *w, size_t i, size_t n) {
  static const char of_graph[] = "below|child|each|leaf|of|parent|per|root|to|under";
  const note_word *before = i ? &w->w[i - 1] : NULL;
  size_t tool = i + n - (n > 1);
  bool named = n < 2 || (before && w->w[i].joined && is_capital(before->s));
  bool serves = named && tool < w->n && w->w[tool].joined && note_word_in(w->w[tool].low, tools);
  bool graph = before && hm_str_is(w->w[i].s, "node") && note_word_in(before->low, of_graph);
  return serves || graph || (before && note_word_in(before->low, "<|<=|>|>=|\u2264|\u2265"));
}

/* Does byte `at` of the text stand in a bracket behind a span of code? */
static bool is_behind_code(const hm_doc_part *p, size_t at) {
  uint32_t i = 0; /* " (" stands between */
  while (i < p->n_spans && (p->spans[i].mark != HM_DOC_SPAN_CODE || p->spans[i].to + 2 != at))
    i++;
  return i < p->n_spans;
}

/* Is the program at word i what its clause, its cell or its entry of a list begins with, or what
 * the word before it requires, uses or joins? Else it is part of another name ("Lucide Angular"),
 * or told of. */
static bool is_named(const note_words *w, size_t i) {
  static const char leads[] =
      "a|against|amazon|an|and|currently|ships|under|apache|are|at|auf|avec|backend|"
      "ben\u00F6tigt|con|com|e|eclipse|en|erfordert|est|et|frontend|have|in|install|installed|is|"
      "ist|least|microsoft|minimal|minimum|mit|modern|must|n\u00E9cessite|need|needs|o|oder|of|"
      "older|oldest|on|openjdk|or|oracle|ou|our|plus|require|required|requires|requiere|"
      "requiring|run|running|runs|server|supported|supports|target|targeting|targets|the|to|und|"
      "use|used|uses|using|via|werden|wird|with|written|wymaga|y|your|+|&|/|-";
  if (!i || !w->w[i].joined)
    return true;
  hm_str before = w->w[i - 1].low;
  bool foreign = before.n && (unsigned char)before.p[0] >= 0x80; /* verbs of other scripts */
  return foreign || note_word_in(before, leads) || note_version_length(before) > 0;
}

/* "| Frontend (vitest) | 170 |": a bare number in the cell beside a name with other words is of
 * those. */
static bool is_number_beside(const note_words *w, size_t from, size_t behind, hm_str version) {
  bool beside = behind < w->n && w->w[behind].before == '|';
  bool alone = !from || w->w[from].before == '|';
  return beside && !alone && hm_skip_digits(version, 0) == version.n;
}

/* owner: the component that has it. */
static void claim_version(note_claims *out, const note_context *c, hm_str owner, hm_str name,
                          hm_str version) {
  hm_str section = note_section_of(c, name, version, out->a);
  note_claims_add(out,
                  HM_CAT(out->a, c->scope, section, owner, HM_STR(" "), name, HM_STR(" version")),
                  version, NOTE_SAID);
}

/* "| Go | 1.18 | 1.24.x |", below "Minimum" and "Recommended": nobody knows which is used. */
static bool has_several_versions(const hm_doc_part *p, hm_arena *a) {
  static const char heads[] =
      "current|first|from|highest|last|latest|lowest|max|maximum|min|minimum|newest|oldest|"
      "recommended|required|supported|tested|to|version|versions";
  size_t several = 0;
  for (uint32_t i = 1; p->kind == HM_DOC_ROW && i < p->n_cells && i < p->n_head; i++) {
    note_words head = note_split(p->head[i].text, a);
    if (!note_any_word_in(&head, heads))
      continue;
    note_words w = note_split(p->cells[i].text, a);
    scanner s = { .w = &w, .a = a };
    size_t k = 0;
    several += read_version(&s, &k).n > 0;
  }
  return several > 1;
}

/* Is word i a doubt about what stands before its bracket: "Node 18 (deprecated)", and not "(utility
 * first, no CSS)"? */
static bool is_aside(const note_words *w, size_t i) {
  if (!note_word_in(w->w[i].low, "avoid|don't|instead|never|no|not"))
    return false;
  while (i && w->w[i].before != '(' && w->w[i].before != ')')
    i--;
  return i && w->w[i].before == '(';
}

/* "Supports Go 1.19 and later": the least that it may be, and not some of what it may be. */
static bool tells_least(const note_words *w) {
  for (size_t i = 0; i < w->n; i++)
    if (note_word_in(w->w[i].low, "above|greater|higher|later|newer") ||
        (hm_digit_at(w->w[i].low, 0) && hm_str_ends(w->w[i].low, "+")))
      return true;
  return false;
}

/* Says it nothing of what is used now? */
static bool is_doubtful(const note_words *w) {
  bool open = tells_least(w);
  bool inside = false; /* "Node 20.11 or newer (older runtimes fail)" */
  for (size_t i = 0; i < w->n; i++) {
    inside = w->w[i].before == '(' || (inside && w->w[i].joined);
    if (inside && note_word_in(w->w[i].low, "fail|fails|older"))
      continue;
    bool least = i && note_word_in(w->w[i - 1].low, "minimum|minimal|oldest");
    if (i && hm_str_is(w->w[i].low, "of") && hm_str_is(w->w[i - 1].low, "as")) /* since then */
      return true;
    bool supported = (least && hm_str_is(w->w[i].low, "supported")) ||
        (open && note_word_in(w->w[i].low, "supported|supports"));
    if (note_word_in(w->w[i].low, doubts) && !supported &&
        !(i && w->w[i].before != '(' && is_aside(w, i)))
      return true;
  }
  /* "In order to run it with JDK 9": one way */
  return w->n > 3 && hm_str_is(w->w[1].low, "order") && hm_str_is(w->w[3].low, "run");
}

/* "Current version: `0.1.5`", "The latest release is v1.2.0": of the project, or of the package in
 * whose folder the document lies, and not of what a heading names. */
static void read_release(note_claims *out, const note_context *c, const note_words *w) {
  static const char plain[] = "app|application|its|our|package|project|project's|the";
  size_t i = 0;
  while (i < w->n && note_word_in(w->w[i].low, plain))
    i++;
  bool named = i + 2 < w->n && note_word_in(w->w[i].low, "current|latest") &&
      note_word_in(w->w[i + 1].low, "release|version") && w->w[i + 1].joined;
  size_t k = i + 2 + (i + 3 < w->n && hm_str_is(w->w[i + 2].low, "is"));
  if (!named || (c->part.n && !note_word_in(c->part, "current|release|releases|status")))
    return;
  hm_str v = w->w[k].low;
  v = hm_str_sub(v, hm_char_at(v, 0, 'v'), v.n);
  bool whole = hm_digit_at(v, 0) && memchr(v.p, '.', v.n) && note_version_length(v) == v.n;
  bool leaves = k + 1 == w->n || !w->w[k + 1].joined || hm_str_is(w->w[k + 1].low, "released");
  if (whole && leaves)
    claim_version(out, c, c->file->component, HM_STR("current"), v);
}

/* "PHP 8.3 (release): https://www.php.net/releases/8.3/": where one reads of it. */
static bool is_reference(hm_str text) {
  ptrdiff_t at = hm_str_find(text, ": http");
  return at >= 0 && !memchr(text.p + at + 2, ' ', text.n - (size_t)at - 2);
}

/* Is it of something else that the version is a name of: "Go 1.22's router", "Swift 6 strict
 * concurrency"? k: the word behind the version. */
static bool is_name_of_feature(const note_words *w, size_t k, hm_str text) {
  const note_word *last = &w->w[k - 1];
  size_t end = last->at + last->s.n;
  bool strict = k + 1 < w->n && w->w[k].joined && hm_str_is(w->w[k].low, "strict") &&
      hm_str_is(w->w[k + 1].low, "concurrency");
  bool features = k < w->n && w->w[k].joined && hm_str_is(w->w[k].low, "features");
  return strict || features || hm_str_starts(hm_str_sub(text, end, text.n), "'s ") ||
      hm_str_starts(hm_str_sub(text, end, text.n), "\u2019s ");
}

/* Do the words just before word i name what comes with the program itself? */
static bool names_built_in(const note_words *w, size_t i) {
  enum { NEAR = 3 };
  for (size_t n = 0; n < NEAR && i; n++)
    if (note_word_in(w->w[--i].low,
                     "built-in|builtin|eingebaute|eingebauten|"
                     "pattern|statement|statements|stdlib|syntax"))
      return true;
  return false;
}

/* The text up to where it only tells more: "Node 22, older ones lack a call". */
static hm_str without_more(hm_str text) {
  static const char *const more[] = { ", so ", "; ", ", older " };
  for (size_t i = 0; i < HM_COUNT(more); i++) {
    ptrdiff_t at = hm_str_find(text, more[i]);
    text.n = at > 0 ? (size_t)at : text.n;
  }
  return text;
}

/* "1.19", "1.19.2", and no address and no count. */
static bool is_dotted(hm_str s) {
  enum { DOTS = 2 };
  size_t dots = 0;
  for (size_t i = 0; i < s.n; i++)
    dots += s.p[i] == '.';
  return dots && dots <= DOTS;
}

/* Skips what stands between a program and its version: "version", "is", "pinned to", and "cluster"
 * or "server" before a version with dots. */
static size_t skip_to_version(const note_words *w, size_t k) {
  if (k + 1 < w->n && is_dotted(w->w[k + 1].s) && note_word_in(w->w[k].low, "cluster|server"))
    k++;
  while (k < w->n &&
         note_word_in(w->w[k].low, "version|versions|-|exactly|is|minimum|runtime|lts|=|:|v"))
    k++;
  bool pins =
      k + 1 < w->n && hm_str_is(w->w[k].low, "pinned") && note_word_in(w->w[k + 1].low, "at|to");
  return k + (pins ? 2 : 0);
}

/* "the call `expire` (Redis 7.4+) or", "Use enums (PHP 8.1+)": since when it is there; "Node.js 18+
 * (for npx)": what a tool needs. v: the version of the program at word i, before word k. */
static bool is_beside_project(const hm_doc_part *p, const note_words *w, size_t i, size_t k,
                              hm_str v) {
  bool least = hm_str_ends(v, "+");
  bool aside = i && w->w[i].before == '(' && (least || hm_str_starts(v, ">="));
  bool used = note_word_in(w->w[0].low, "apply|use|using");
  bool once = k + 1 < w->n && w->w[k].before == '(' && hm_str_is(w->w[k].low, "for") &&
      note_word_in(w->w[k + 1].low, "mcp|npx");
  return once ||
      (aside && (used || names_built_in(w, i) || (least && is_behind_code(p, w->w[i].at))));
}

/* The same of the program at word i, for what its sentence is about. */
static void claim_of_subject(note_claims *out, const note_context *c, const note_words *w, size_t i,
                             hm_str name, hm_str version) {
  hm_str owner = c->file->component, other;
  bool of_other = note_version_has_owner(c, w, i, &other, out->a);
  if (!of_other || other.n)
    claim_version(out, c, of_other ? other : owner, name, version);
}

/* "The minimum supported Rust version is", "The MSRV is". */
static bool is_least(const note_words *w, size_t i) {
  enum { NEAR = 2 };
  bool least = hm_str_is(w->w[i].low, "msrv");
  for (size_t back = 1; back <= NEAR && back <= i; back++)
    least |= note_word_in(w->w[i - back].low, "minimum|minimal|least|oldest");
  return least;
}

void note_versions_read(note_claims *out, const note_context *c, const hm_doc_part *p,
                        const note_text *t) {
  if (!hm_text_has_digit(t->text))
    return;
  hm_str text = p->kind == HM_DOC_ROW ? t->text : without_more(t->text);
  note_text first = note_text_until(t, text);
  note_words w = first.words;
  note_context own = *c;
  own.scope = note_scope_with(c->scope, note_condition_of(p, &first, true, out->a), out->a);
  scanner s = { .w = &w, .a = out->a };
  const char *program, *both = NULL;
  bool dotted;
  enum { TITLE = 3 }; /* "<h3>Webpack 5</h3>" */
  if (is_reference(text) || (p->kind == HM_DOC_HTML && w.n <= TITLE))
    return;
  read_release(out, c, &w);
  if (is_doubtful(&w) || note_is_need_of_another(&w) || has_several_versions(p, out->a) ||
      note_is_need_of_span(c, p, out->a))
    return;
  bool pinned = is_pinned_by_file(&w);
  for (size_t i = 0; i < w.n; i++) {
    if (note_word_in(w.w[i].low, advice)) /* what follows is wished, or of others */
      return;
    size_t n = note_program_at(&w, i, &program, &dotted);
    if (!n || !is_named(&w, i) || is_of_other_thing(&w, i, n))
      continue;
    size_t k = i + n;
    bool if_used = i == 1 && note_word_in(w.w[0].low, "for|in|on|under|with");
    bool at_least = is_least(&w, i);
    if (k < w.n && w.w[k].before == ',' && hm_str_is(w.w[k].low, "v8")) /* the engine */
      continue;
    k = skip_to_version(&w, k);
    hm_str v = read_version(&s, &k);
    bool leaves = k >= w.n || !w.w[k].joined || note_word_in(w.w[k].low, followers);
    if (is_beside_project(p, &w, i, k, v) || (!i && k >= w.n && hm_str_ends(text, ":")))
      continue; /* "Svelte 4:" of a comparison */
    bool above = v.n && v.p[0] == '>' && hm_digit_at(v, 1) && !memchr(v.p, '.', v.n);
    bool several = hm_str_find(v, " || ") > 0 && hm_digit_at(v, 0);
    bool asked = v.n && hm_char_at(text, w.w[k - 1].at + w.w[k - 1].s.n, '?'); /* "3.11?" */
    /* "> 18": by some 18 is one of them; "18.13+ or 20", and what of 19? */
    if (above || several || asked)
      continue;
    bool member = hm_str_is(w.w[i].low, "node") && v.n == 1 && v.p[0] < '4'; /* of a cluster */
    bool engine = !strcmp(program, "vitest") && hm_str_is(w.w[k - 1].low, "v8");
    /* "general (6), clickhouse (10)": how many */
    bool counted = k <= i + n + 1 && i + n < w.n && w.w[i + n].before == '(' &&
        hm_skip_digits(v, 0) == v.n && has_several_counts(text);
    /* "On Python 3.10 or later, it uses": where somebody has it */
    if_used = if_used && hm_str_ends(v, "+") && k < w.n && w.w[k].before == ',';
    static const char demands[] = "must|need|needs|require|required|requires|use|uses|using";
    bool bounded = v.n && v.p[0] == '<' && !note_any_word_in(&w, demands); /* "teams on JDK < 21" */
    if (bounded || (v.n && is_name_of_feature(&w, k, text)))
      continue;
    if (member || engine || counted || if_used || is_of_client(hm_str_c(program), p, v, out->a))
      continue;
    if (is_said_again(&w, k, program)) /* "Python 2.7 and Python 3" */
      both = program;
    if (!v.n || program == both ||
        (i && v.p[0] == '<' && note_word_in(w.w[i - 1].low, "for|on|under|with")) ||
        is_listed(&s, k) || !leaves || is_number_beside(&w, i, i + n, v) ||
        (dotted && !memchr(v.p, '.', v.n)))
      continue;
    if (at_least && hm_is_digit(v.p[0]))
      v = HM_CAT(s.a, v, hm_str_ends(v, "+") ? HM_EMPTY : HM_STR("+"));
    if (pinned && hm_str_ends(v, "+"))
      v.n--;
    if (i && hm_str_is(w.w[i - 1].low, "runtime") && hm_str_ends(v, ".x")) /* it is in use */
      v.n -= 2;
    if (p->kind == HM_DOC_ROW && hm_str_starts(v, "^") && hm_str_ends(v, ".x"))
      v = hm_str_sub(v, 1, v.n - 2); /* so is what a table gives */
    claim_of_subject(out, &own, &w, i, hm_str_c(program), v);
    i = k - 1;
  }
}

/* "image: postgres:15-alpine": the version that a container has. What stands behind FROM may be the
 * image of somebody who uses the project. */
static bool read_image(note_claims *out, hm_str line, const char **program, hm_str *v) {
  static const char lead[] = "image:";
  hm_str name = HM_EMPTY;
  bool dotted;
  line = hm_str_trim(line);
  if (hm_str_starts(line, lead))
    name = hm_str_trim(hm_str_sub(line, sizeof lead - 1, line.n));
  size_t quoted = hm_char_at(name, 0, '"') || hm_char_at(name, 0, '\'');
  name = hm_str_sub(name, quoted, name.n);
  for (size_t i = 0; i < name.n; i++)
    if (hm_is_space(name.p[i]) || strchr("\"'", name.p[i]))
      name.n = i;
  size_t last = name.n;
  while (last && name.p[last - 1] != '/')
    last--;
  name = hm_str_sub(name, last, name.n);
  const char *colon = name.n ? memchr(name.p, ':', name.n) : NULL;
  if (!colon)
    return false;
  size_t at = (size_t)(colon - name.p);
  hm_str tag = hm_str_sub(name, at + 1, name.n);
  note_words w = note_split(hm_str_sub(name, 0, at), out->a);
  size_t n = note_version_length(tag);
  bool whole = n == tag.n || hm_char_at(tag, n, '-');
  if (w.n != 1 || !n || !whole || !note_program_at(&w, 0, program, &dotted))
    return false;
  *v = hm_str_sub(tag, 0, n);
  return true;
}

void note_version_line_read(note_claims *out, const note_context *c, hm_str line) {
  const char *program = "node";
  hm_str v = HM_EMPTY;
  note_words w = note_split(line, out->a);
  size_t sign = w.n && hm_str_is(w.w[0].low, "$");
  w.w += sign;
  w.n -= sign;
  bool nvm = w.n >= 3 && note_word_in(w.w[0].low, "nvm|fnm|volta") &&
      note_word_in(w.w[1].low, "use|install") && note_version_length(w.w[2].low) == w.w[2].low.n;
  if (nvm)
    v = w.w[2].low;
  if (nvm || read_image(out, line, &program, &v))
    note_claims_add(out,
                    HM_CAT(out->a, c->scope, c->file->component, HM_STR(" "), hm_str_c(program),
                           HM_STR(" version")),
                    v, NOTE_SETTING);
}
