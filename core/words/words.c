/* Words of a text, and the lists of words that say what a heading is: words.h. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/words/words.h"

hm_str note_lower(hm_str s, hm_arena *a) {
  char *out = hm_alloc_array(a, s.n + 1, 1);
  for (size_t i = 0; i < s.n; i++)
    out[i] = hm_ascii_lower(s.p[i]);
  return (hm_str){ out, s.n };
}

/* Signs of ASCII that separate words. */
static const bool separates[0x80] = {
  ['\t'] = true, ['\n'] = true, ['\v'] = true, ['\f'] = true, ['\r'] = true, [' '] = true,
  [','] = true,  [';'] = true,  ['('] = true,  [')'] = true,  ['['] = true,  [']'] = true,
  ['{'] = true,  ['}'] = true,  ['|'] = true,  ['"'] = true,  ['\''] = true, ['`'] = true,
  ['!'] = true,  ['?'] = true,  ['*'] = true,
};

/* The bytes of a sign that separates words at i, or 0. */
static size_t separator_at(hm_str s, size_t i) {
  unsigned char c = (unsigned char)s.p[i];
  unsigned char next = i + 1 < s.n ? (unsigned char)s.p[i + 1] : 0;
  if (c < 0x80)
    return separates[c];
  if (c == 0xC2 && next == 0xA0)
    return 2;
  /* stops and brackets of Chinese and Japanese */
  unsigned char last = i + 2 < s.n ? (unsigned char)s.p[i + 2] : 0;
  if ((c == 0xE3 && next == 0x80 && last > 0x80 && last < 0x92) ||
      (c == 0xEF && next == 0xBC && last && strchr("\x81\x88\x89\x8C\x9A\x9B\x9F", last)))
    return 3;
  /* dashes, quotes, bullets, arrows and lines of drawings */
  if (c == 0xE2 && (next == 0x80 || next == 0x86 || next == 0x94 || next == 0x95))
    return s.n - i > 2 ? 3 : s.n - i;
  return 0;
}

/* The first byte from i on that separates words; the end of s: none does. */
static size_t word_end(hm_str s, size_t i) {
  for (; i < s.n; i++) {
    unsigned char c = (unsigned char)s.p[i];
    if (c < 0x80 ? separates[c] : separator_at(s, i) > 0)
      break;
  }
  return i;
}

/* How many words the text has, or more; *end: behind the last of them that counts. */
static size_t count_words(hm_str text, size_t *end) {
  size_t n = 0;
  *end = 0;
  for (size_t i = 0; i < text.n && n < NOTE_WORDS_MAX;) {
    size_t skip = separator_at(text, i), from = i;
    i = skip ? i + skip : word_end(text, i);
    bool word = false; /* or stops alone */
    for (size_t k = from; k < i && !skip && !word; k++)
      word = !memchr(".:\\", text.p[k], 3);
    n += word;
    *end = word ? i : *end;
  }
  return n;
}

note_words note_split(hm_str text, hm_arena *a) {
  size_t end, most = count_words(text, &end);
  note_words out = { .w = hm_alloc_array(a, most, sizeof *out.w) };
  hm_str low = note_lower(hm_str_sub(text, 0, end), a);
  char before = ' ';
  bool joined = true;
  for (size_t i = 0; i < end;) {
    size_t skip = separator_at(text, i);
    if (skip) {
      if (!hm_is_space(text.p[i]))
        before = skip == 1                    ? text.p[i]
            : (unsigned char)text.p[i] > 0xE2 ? ','
                                              : '-',
        joined = false;
      i += skip;
      continue;
    }
    size_t from = i, to;
    i = word_end(text, i);
    for (to = i; to > from && memchr(".:\\", text.p[to - 1], 3);)
      to--;
    if (to > from) {
      out.w[out.n++] = (note_word){ hm_str_sub(text, from, to), hm_str_sub(low, from, to),
                                    (uint32_t)from, joined, before };
      joined = true;
      before = ' ';
    }
    if (to < i)
      joined = false, before = text.p[i - 1];
  }
  return out;
}

note_text note_text_of(hm_str text, hm_arena *a) {
  return (note_text){ text, note_split(text, a) };
}

note_text note_text_until(const note_text *t, hm_str beginning) {
  note_text out = { beginning, t->words };
  while (out.words.n && out.words.w[out.words.n - 1].at >= beginning.n)
    out.words.n--;
  return out;
}

/* Does the word stand at the beginning of the list of n bytes, or of what is left of it? */
static bool begins_with_word(const char *list, size_t n, hm_str word) {
  return n >= word.n && !memcmp(list, word.p, word.n) && (n == word.n || list[word.n] == '|');
}

bool note_word_in_list(hm_str word, const char *list, size_t n) {
  enum { BLOCK = 64 };
  if (!word.n || word.n > n)
    return false;
  const char first = word.p[0], last = word.p[word.n - 1];
  if (list[0] == first && begins_with_word(list, n, word))
    return true;
  /* most words are in no list: their first and last letters alone say so, in a loop that compilers
   * run over many bytes at once */
  for (size_t from = 0, end = n - word.n; from < end; from += BLOCK) {
    size_t to = end - from > BLOCK ? from + BLOCK : end;
    unsigned char may = 0;
    for (size_t i = from; i < to; i++)
      may |= (list[i] == '|') & (list[i + 1] == first) & (list[i + word.n] == last);
    for (size_t i = from; may && i < to; i++)
      if (list[i] == '|' && begins_with_word(list + i + 1, n - i - 1, word))
        return true;
  }
  return false;
}

bool note_has_any(hm_str text, const char *list) {
  for (size_t n; *list; list += n + (list[n] == '|')) {
    n = strcspn(list, "|");
    if (text.n >= n && memmem(text.p, text.n, list, n))
      return true;
  }
  return false;
}

bool note_any_word_in(const note_words *w, const char *list) {
  for (size_t i = 0; i < w->n; i++)
    if (note_word_in(w->w[i].low, list))
      return true;
  return false;
}

/* Is every word of the heading one of the list? Numbers and signs do not count. */
static bool has_only_words(hm_str heading, const char *list, hm_arena *a) {
  note_words w = note_split(heading, a);
  for (size_t i = 0; i < w.n; i++) {
    hm_str s = w.w[i].low;
    bool word = false;
    for (size_t k = 0; k < s.n; k++)
      word |= s.p[k] >= 'a' && s.p[k] <= 'z';
    if (word && !note_word_in(s, list))
      return false;
  }
  return true;
}

bool note_heading_is_generic(hm_str heading, hm_arena *a) {
  static const char list[] =
      "a|about|alert|alerts|all|an|and|architecture|at|available|background|basic|basics|"
      "before|begin|best|build|building|check|checklist|checks|code|coding|command|commands|"
      "common|"
      "components|config|configuration|configure|context|contributing|contribution|conventions|"
      "core|critical|dependencies|dependency|design|details|dev|develop|developing|development|"
      "docs|documentation|environment|environments|essential|essentials|facts|features|file|"
      "files|first|"
      "flow|"
      "for|from|general|get|getting|glance|guide|guidelines|health|healthcheck|healthchecks|"
      "how|important|in|info|information|install|installation|installing|instructions|"
      "introduction|is|it|key|layout|local|locally|logging|logs|main|manual|monitoring|more|"
      "network|networking|notes|of|on|operation|operations|option|optional|options|other|our|"
      "overview|port|ports|practices|prerequisite|prerequisites|principles|process|project|"
      "quality|quick|quickstart|readme|recommended|reference|repository|required|requirement|"
      "requirements|rules|run|runbook|running|section|set|settings|setup|software|"
      "specification|specs|stack|stacks|standards|start|started|step|steps|structure|style|"
      "summary|system|tech|technical|technologies|technology|test|testing|tests|the|things|"
      "this|to|tool|tooling|tools|up|usage|use|used|using|variables|verify|version|versions|"
      "what|where|with|work|workflow|workflows|working|you|your|"
      "ajustes|configuraci\u00F3n|d\u00E9marrage|einrichtung|einstellungen|inicio|instalaci\u00F3n|"
      "konfiguration|param\u00E8tres|pr\u00E9requis|requisitos|utilisation|voraussetzungen";
  return has_only_words(heading, list, a);
}

/* Planned, future or history, in a language that puts no spaces between words. */
static bool has_time_sign(hm_str text) {
  static const char *const signs[] = { "\u4E88\u5B9A", "\u5C06\u6765", "\u5C07\u4F86",
                                       "\u672A\u6765", "\u672A\u4F86", "\u8BA1\u5212",
                                       "\u8A08\u753B", "\u89C4\u5212", "\u5386\u53F2",
                                       "\u5C65\u6B74", "\uACC4\uD68D", "\uD5A5\uD6C4" };
  for (size_t i = 0; i < HM_COUNT(signs); i++)
    if (hm_str_find(text, signs[i]) >= 0)
      return true;
  return false;
}

bool note_heading_is_past(hm_str heading, hm_arena *a) {
  static const char list[] =
      "alternative|alternatives|analysis|anti-patterns|archive|archived|audit|benchmark|"
      "benchmarks|bugs|changelog|changes|comparison|completed|considered|deprecated|done|"
      "example|examples|exercise|fixed|futuras|future|futuros|historical|historique|"
      "historisch|historische|historischer|history|honesty-audit|ideas|issues|legacy|log|"
      "migrating|migration|milestone|milestones|news|obsolete|old|outdated|past|pendiente|"
      "pendientes|phase|plan|planned|plans|postmortem|previous|progress|proposal|quiz|"
      "rejected|release|releases|removed|report|results|retro|retrospective|review|roadmap|"
      "sprint|template|templates|timeline|todo|todos|troubleshooting|upcoming|upgrade|"
      "upgrading";
  static const char procedure[] = "checklist|guide|procedure|process|steps|workflow";
  if (has_time_sign(heading))
    return true;
  note_words w = note_split(heading, a);
  for (size_t i = 0; i < w.n; i++) {
    bool how = i + 1 < w.n && note_word_in(w.w[i].low, "release|upgrade") &&
        note_word_in(w.w[i + 1].low, procedure);
    /* "Code review", "Review and merge": how it is done */
    bool review = hm_str_is(w.w[i].low, "review") &&
        ((i && note_word_in(w.w[i - 1].low, "code|peer|pr")) ||
         (i + 1 < w.n && note_word_in(w.w[i + 1].low, "and|guidelines|policy|process|rules")));
    /* "Read before large changes", "How to plan" */
    if (note_word_in(w.w[i].low, "before|how|making|when"))
      return false;
    /* "Testing your changes", "After API changes" */
    bool doing = hm_str_ends(w.w[0].low, "ing") || note_any_word_in(&w, "after|your");
    how |=
        doing && hm_str_is(w.w[i].low, "changes") && !note_word_in(w.w[0].low, "breaking|upcoming");
    hm_str stem = w.w[i].low; /* "phase4" */
    while (stem.n && hm_is_digit(stem.p[stem.n - 1]))
      stem.n--;
    bool stage = note_word_in(stem, "milestone|phase|sprint");
    if (!how && !review && (stage || note_word_in(w.w[i].low, list)))
      return true;
  }
  return false;
}

hm_str note_component_name(hm_str name, hm_arena *a) {
  static const char kinds[] =
      "api|app|application|base|component|container|default|endpoint|host|http|https|"
      "internal|local|module|next|package|platform|port|process|public|react|server|"
      "service|services|system|the|url|vite|worker";
  hm_str folded = hm_text_fold_name(a, name), out = HM_EMPTY;
  for (size_t from = 0, i = 0; i <= folded.n; i++) {
    if (i < folded.n && folded.p[i] != '_')
      continue;
    hm_str word = hm_str_sub(folded, from, i);
    from = i + 1;
    if (word.n && !note_word_in(word, kinds))
      out = out.n ? HM_CAT(a, out, HM_STR("_"), word) : word;
  }
  if (out.n)
    return out;
  /* "API server" is called so */
  return hm_str_find(folded, "api") >= 0 ? HM_STR("api") : HM_EMPTY;
}

/* "deploy ray md" of "deploy_ray.md". */
static hm_str words_of_name(hm_str name, hm_arena *a) {
  char *words = hm_str_z(a, name);
  for (char *at = words; *at; at++)
    *at = strchr("-_.", *at) ? ' ' : *at;
  return hm_str_c(words);
}

note_words note_split_name(hm_str name, hm_arena *a) {
  return note_split(words_of_name(name, a), a);
}

bool note_name_is_past(hm_str name, hm_arena *a) {
  return note_heading_is_past(words_of_name(name, a), a);
}

hm_str note_squeeze(hm_str s, hm_arena *a) {
  char *out = hm_str_z(a, s);
  size_t n = 0;
  for (size_t i = 0; i < s.n; i++)
    if (s.p[i] != ' ' || (n && out[n - 1] != ' '))
      out[n++] = s.p[i];
  return hm_str_trim((hm_str){ out, n });
}

bool note_is_shell(hm_str language, hm_arena *a) {
  static const char shells[] = "bash|bat|cmd|console|fish|powershell|ps1|pwsh|sh|shell|terminal|"
                               "text|txt|zsh";
  return !language.n || note_word_in(note_lower(language, a), shells);
}

bool note_holds_settings(hm_str language, hm_arena *a) {
  static const char files[] =
      ".env|cfg|compose|conf|config|desktop|docker|docker-compose|dockerfile|dotenv|editorconfig|"
      "env|environment|ini|plain|plaintext|properties|sh-session|shell-session|shellsession|"
      "systemd|toml|yaml|yml";
  return note_is_shell(language, a) || note_word_in(note_lower(language, a), files);
}

bool note_is_no_statement(hm_str text) {
  static const char *const signs[] = { "://",          "=",  "<", "{",  " | ",
                                       "\xE2\x86\x92", "->", "?", "\"", "\xE2\x80\x9C",
                                       "e.g." };
  for (size_t i = 0; i < HM_COUNT(signs); i++)
    if (hm_str_find(text, signs[i]) >= 0)
      return true;
  return false;
}

hm_str note_label_of(const hm_doc_part *p, hm_str *value, hm_arena *a) {
  enum { LONGEST = 40 };
  if (p->kind != HM_DOC_ITEM && p->kind != HM_DOC_SENTENCE)
    return HM_EMPTY;
  const char *colon = p->text.n ? memchr(p->text.p, ':', p->text.n) : NULL;
  size_t n = p->label.n ? p->label.n : colon ? (size_t)(colon - p->text.p) : 0;
  if (!n || n > LONGEST)
    return HM_EMPTY;
  *value = hm_str_sub(p->text, p->label.n ? p->value : n + 1, p->text.n);
  return note_lower(hm_str_trim(p->label.n ? p->label : hm_str_sub(p->text, 0, n)), a);
}

hm_str note_first_clause(hm_str text) {
  static const char *const ends[] = { "; ",       ", so ",    ", because ",
                                      ", which ", ", since ", ", otherwise " };
  for (size_t i = 0; i < HM_COUNT(ends); i++) {
    ptrdiff_t at = hm_str_find(text, ends[i]);
    text.n = at > 0 ? (size_t)at : text.n;
  }
  return text;
}

hm_str note_next_sentence(hm_str *text) {
  size_t i = 0, open = 0;
  for (; i < text->n && text->p[i] != '\n'; i++) {
    bool stop = strchr(".!?", text->p[i]) && i + 2 < text->n && text->p[i + 1] == ' ';
    open += text->p[i] == '(';
    open -= open && text->p[i] == ')';
    stop = stop && !(i > 2 && note_word_in(hm_str_sub(*text, i - 3, i), "max|Max|min|Min"));
    if (stop && !hm_is_lower(text->p[i + 2]) && !(open && hm_is_digit(text->p[i + 2])))
      break;
  }
  size_t end = i < text->n ? i + 1 : i;
  hm_str s = hm_str_trim(hm_str_sub(*text, 0, end));
  *text = hm_str_sub(*text, end, text->n);
  return s;
}

bool note_is_marked(const hm_doc_part *p, hm_doc_mark mark) {
  enum { STOPS = 3 }; /* bytes that may stand between two marks */
  size_t end = 0;
  for (uint32_t i = 0; i < p->n_spans; i++) {
    const hm_doc_span *s = &p->spans[i];
    if (s->mark == mark && s->from <= end + STOPS && s->to > end)
      end = s->to;
  }
  return p->text.n && end >= p->text.n;
}

bool note_is_link_title(const hm_doc_part *p) {
  static const char *const ends[] = { "- ", ": ", "\xE2\x80\x93", "\xE2\x80\x94" };
  if (!p->n_spans || p->spans[0].mark != HM_DOC_LINK || p->spans[0].from)
    return false;
  hm_str rest = hm_str_trim(hm_str_sub(p->text, p->spans[0].to, p->text.n));
  for (size_t i = 0; i < HM_COUNT(ends); i++)
    if (hm_str_starts(rest, ends[i]))
      return true;
  return !rest.n;
}

/* Words with one of which a clause states nothing. */
static const char doubts[] =
    "about|above|additional|ago|almost|another|approx|approximately|around|average|below|between|"
    "but|considered|could|e.g|early|eg|except|extra|fewer|formerly|future|had|idea|if|instead|"
    "later|legacy|less|maybe|might|more|nearly|neither|never|next|no|nor|not|often|old|"
    "older|only|or|"
    "other|others|otherwise|over|perhaps|planned|possibly|previously|proposed|prototype|"
    "remaining|rough|roughly|several|some|sometimes|soon|suggested|typical|typically|under|unless|"
    "unlike|until|upcoming|used|usually|versus|vs|was|were|will|would|~|<|>|<=|>=|\u2264|\u2265|"
    "antes|aproximadamente|au\u00DFer|autrefois|bis|ca|casi|depuis|desde|ehemals|environ|"
    "era|eran|etwa|excepto|fast|fr\u00FCher|geplant|hasta|jamais|jusqu|kein|keine|knapp|nicht|"
    "nie|nunca|o|oder|ou|pas|presque|pr\u00E9vu|rund|salvo|sauf|seit|sinon|sollen|sollte|sonst|"
    "unas|ungef\u00E4hr|unos|war|waren|wenn|wurde|wurden|\u00E9taient|\u00E9tait";

bool note_is_doubt(hm_str low) { return note_word_in(low, doubts); }

bool note_is_identifier(hm_str s) {
  bool sign = false, letter = false;
  for (size_t i = 0; i < s.n; i++) {
    bool inner = i && i + 1 < s.n;
    bool hump = inner && s.p[i] >= 'A' && s.p[i] <= 'Z' && hm_is_lower(s.p[i - 1]);
    bool dot = inner && s.p[i] == '.' && hm_letter_at(s, i + 1);
    sign |= hump || dot || (inner && s.p[i] == '_');
    letter |= hm_letter_at(s, i);
  }
  return sign && letter;
}
