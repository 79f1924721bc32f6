/* How many there are of what a repository has one number of: "all 16 crates", "ships with 14
 * rules", records of decisions; and of what the first cell of a row names: "(10 modules)". */
#include "core/passage/passage_impl.h"

/* The folder of records that a sentence names, where there are several: "in `docs/adr/`", seen from
 * the top or from its document; else empty. */
static hm_str folder_of_records(const note_context *c, const note_words *w, hm_arena *a) {
  size_t n = 0;
  const hm_decision_folder *all =
      c->file->records ? hm_decisions_folders(c->file->records, &n) : NULL;
  hm_str found = HM_EMPTY;
  for (size_t i = 0; i < w->n && n > 1; i++) {
    hm_str named = w->w[i].s;
    named.n -= hm_str_ends(named, "/");
    if (!memchr(w->w[i].s.p, '/', w->w[i].s.n))
      continue;
    hm_str near = HM_CAT(a, hm_tree_folder(c->file->path), HM_STR("/"), named);
    const char *below = hm_str_z(a, HM_CAT(a, HM_STR("/"), named));
    size_t fits = 0;
    for (size_t k = 0; k < n; k++) {
      hm_str f = hm_str_sub(all[k].source, 0, all[k].source.n - (all[k].source.n > 0));
      if (hm_str_eq(f, near))
        return f;
      if (!hm_str_eq(f, named) && !hm_str_ends(f, below))
        continue;
      found = f;
      fits++;
    }
    if (fits)
      return fits == 1 ? found : HM_EMPTY;
  }
  return HM_EMPTY;
}

/* Says the text of the number at word i, behind whose things word k stands, that there are no more:
 * "43 ADRs in docs/adr", "has 43 ADRs", "(43 ADRs)"? "2 ADRs are about storage" are some. */
static bool is_number_of_all(const note_words *w, size_t i, size_t k) {
  static const char wholes[] = "all|are|comprises|contains|currently|has|have|holds|includes|lists|"
                               "of|our|the|with";
  static const char places[] = "altogether|at|below|in|overall|so|total|under";
  static const char some[] = "about|by|concerning|for|from|i|on|open|pending|per|proposed|still|"
                             "that|they|this|we|which|written|you";
  static const char times[] = "day|month|quarter|sprint|week|year";
  bool behind = k < w->n && w->w[k].joined;
  bool before = i && w->w[i].joined && !hm_str_is(w->w[i - 1].low, "-"); /* "docs/adr - 12 ADRs" */
  /* "This folder contains 12 ADRs that ..." */
  bool holds = w->n > 2 && note_word_in(w->w[1].low, "directory|folder|repository") &&
      note_word_in(w->w[2].low, "contains|has|holds");
  bool limited = behind && note_word_in(w->w[k].low, some) &&
      !(holds && note_word_in(w->w[k].low, "that|which"));
  for (size_t n = 1; n < w->n; n++) /* "12 ADRs each year", and not "why each is so" */
    limited |=
        note_word_in(w->w[n].low, times) && note_word_in(w->w[n - 1].low, "a|each|every|per");
  if (limited)
    return false;
  if (before)
    return note_word_in(w->w[i - 1].low, wholes);
  bool told = false; /* "2 ADRs in docs/adr are about storage" */
  for (size_t n = k; behind && n < w->n; n++)
    told |= note_word_in(w->w[n].low, "are|have|were");
  return !behind || (!told && note_word_in(w->w[k].low, places));
}

/* Records of decisions: "43 ADRs in docs/adr". */
static void read_records(note_claims *out, const note_context *c, note_words w) {
  static const char doubts[] =
      "about|added|between|each|first|from|last|least|more|most|nearly|new|next|of|other|"
      "over|per|remaining|than|these|those|top|was|were";
  static const char words[] = "all|comprises|contains|has|have|includes|of|the|with";
  for (size_t i = 0; i + 1 < w.n; i++) {
    hm_str number = w.w[i].low;
    if (hm_skip_digits(number, 0) != number.n || number.n > 4 ||
        (i && note_word_in(w.w[i - 1].low, doubts) && !note_word_in(w.w[i - 1].low, words)))
      continue;
    hm_str before = i ? w.w[i - 1].low : HM_EMPTY;
    if (before.n && hm_skip_digits(before, 0) == before.n)
      continue; /* "9,999" */
    bool long_name = i + 3 < w.n && hm_str_is(w.w[i + 1].low, "architecture") &&
        hm_str_is(w.w[i + 2].low, "decision") && hm_str_is(w.w[i + 3].low, "records");
    bool short_name = i + 2 < w.n && hm_str_is(w.w[i + 1].low, "decision") &&
        hm_str_is(w.w[i + 2].low, "records");
    bool records = long_name || short_name || hm_str_is(w.w[i + 1].low, "adrs");
    size_t behind = i + (long_name ? 4 : short_name ? 3 : 2);
    if (!records || !w.w[i + 1].joined || !is_number_of_all(&w, i, behind))
      continue;
    hm_str folder = folder_of_records(c, &w, out->a);
    note_claims_add(
        out, HM_CAT(out->a, folder.n ? folder : c->file->component, HM_STR(" decision records")),
        number, NOTE_SAID);
  }
}

/* What a project is made of, so that each knows which ones are meant. */
static const char pieces[] =
    "adapters|agents|apps|brokers|chapters|checks|commands|components|connectors|containers|"
    "crates|detectors|drivers|endpoints|exporters|extensions|hooks|icons|idiomas|importers|"
    "integrations|jobs|langues|languages|layers|linters|locales|microservices|migrations|"
    "modules|nodes|packages|phases|pipelines|playbooks|plugins|presets|providers|replicas|roles|"
    "rules|screens|services|shards|skills|sprachen|stages|subsystems|tables|templates|"
    "themes|tools|widgets|workers|workflows";

/* Words with which a thing is still the same one. */
static const char silent[] =
    "available|built-in|bundled|different|distinct|included|individual|separate|specialised|"
    "specialized|supported|total";
static const struct {
  const char *thing, *words;
} usual[] = {
  { "endpoints", "api|http|rest" },
  { "jobs", "ci" },
  { "languages", "interface|ui" },
  { "packages", "workspace" },
  { "roles", "user" },
  { "rules", "lint|linting" },
  { "tools", "mcp" },
};

/* A number of things. */
typedef struct {
  hm_str number, thing; /* "agents" */
  hm_str kind;          /* what tells them from others, each with a space behind: "review " */
  size_t to;            /* the word behind them */
  bool known;           /* they are pieces */
  bool whole;           /* the text names the project whose they are, whatever its page is about */
} count;

/* The number that word i is, as digits; empty: none. */
static hm_str number_at(const note_words *w, size_t i, hm_arena *a) {
  if (i >= w->n)
    return HM_EMPTY;
  hm_str s = w->w[i].low;
  unsigned n = s.n ? note_number_word(s) : 0;
  if (n)
    return hm_str_fmt(a, "%u", n);
  bool number = s.n && s.n < 5 && hm_skip_digits(s, 0) == s.n;
  bool inner = i && w->w[i].joined && hm_digit_at(w->w[i - 1].low, 0); /* "9 999" */
  return number && !inner ? s : HM_EMPTY;
}

/* Does a word that describes things leave them the same? */
static bool is_silent(hm_str word, hm_str thing) {
  for (size_t i = 0; i < HM_COUNT(usual); i++)
    if (hm_str_is(thing, usual[i].thing) && note_word_in(word, usual[i].words))
      return true;
  return note_word_in(word, silent);
}

/* May a phrase end before word i? */
static bool ends_before(const note_words *w, size_t i) {
  static const char behind[] =
      "across|all|altogether|and|are|as|at|behind|below|by|cover|covering|exist|for|form|from|in|"
      "inside|live|make|now|on|organised|organized|out|plus|ship|so|that|the|to|today|total|under|"
      "which|with|you";
  return i >= w->n || !w->w[i].joined || note_word_in(w->w[i].low, behind);
}

/* The things that words from i on name, "built-in rules": *out has all but the number. */
static bool things_at(const note_words *w, size_t i, count *out, hm_arena *a) {
  enum { DESCRIBED = 3 };
  static const char vague[] =
      "additional|basic|core|critical|essential|extra|fundamental|further|good|important|key|last|"
      "main|major|more|new|next|other|primary|recent|remaining|similar|simple|such|top|unique";
  static const char measures[] =
      "aspects|cases|categories|columns|characters|errors|examples|features|files|issues|items|"
      "kinds|lines|options|parts|people|points|reasons|retries|sections|sorts|steps|things|types|"
      "ways|words";
  size_t k = i;
  for (; k < w->n && k <= i + DESCRIBED && (k == i || w->w[k].joined); k++) {
    hm_str low = w->w[k].low;
    const char *dimension;
    out->known = note_word_in(low, pieces);
    bool plural = low.n > 3 && hm_str_ends(low, "s") && !hm_str_ends(low, "ss");
    if (out->known ||
        (plural && ends_before(w, k + 1) && !note_word_in(low, measures) &&
         !note_unit_of_word(low, &dimension)))
      break;
    if (!hm_letter_at(low, 0) || note_word_in(low, vague) || note_is_grammar(low))
      return false;
  }
  if (k >= w->n || k > i + DESCRIBED || (k > i && !w->w[k].joined))
    return false;
  out->thing = w->w[k].low;
  if (note_word_in(out->thing, "idiomas|langues|sprachen"))
    out->thing = HM_STR("languages");
  out->kind = HM_EMPTY;
  for (; i < k; i++)
    if (!is_silent(w->w[i].low, out->thing))
      out->kind = HM_CAT(a, out->kind, w->w[i].low, HM_STR(" "));
  out->to = k + 1;
  return true;
}

static bool count_at(const note_words *w, size_t i, count *out, hm_arena *a) {
  static const char bounds[] =
      "about|additional|almost|another|approximately|around|each|every|first|last|least|most|"
      "nearly|new|next|or|other|over|per|remaining|roughly|some|than|these|those|to|~";
  out->number = number_at(w, i, a);
  bool part = i > 1 && hm_str_is(w->w[i - 1].low, "of") && number_at(w, i - 2, a).n; /* "2 of 5" */
  if (part || (i && note_word_in(w->w[i - 1].low, bounds)))
    return false;
  return out->number.n && i + 1 < w->n && w->w[i + 1].joined && things_at(w, i + 1, out, a);
}

static void claim_count(note_claims *out, const note_context *c, const count *n) {
  hm_str part = n->whole ? c->file->component : note_part_that_speaks(c, out->a);
  if (hm_str_eq(part, n->thing)) /* docs/rules.md */
    part = HM_EMPTY;
  /* how many there are does not hang on who reads */
  note_words of = note_split(c->scope, out->a);
  hm_str scope = note_is_for_users(&of, out->a) ? HM_EMPTY : c->scope;
  note_claims_add(out, HM_CAT(out->a, scope, part, HM_STR(" "), n->kind, n->thing), n->number,
                  NOTE_SETTING);
}

/* Is it the folder of the things, "src/tools/" of tools? */
static bool is_folder_of(hm_str path, hm_str thing) {
  if (!hm_str_ends(path, "/"))
    return false;
  path.n--;
  return hm_str_eq(hm_str_behind_last(path, '/'), thing);
}

/* Is it the whole project at word i: "repository", "pnpm workspace"? */
static bool is_whole(const note_words *w, size_t i) {
  static const char wholes[] = "app|box|monorepo|pipeline|project|repo|repository|system|workspace";
  static const char managers[] = "cargo|npm|pnpm|uv|yarn";
  i += i + 1 < w->n && note_word_in(w->w[i].low, managers);
  return i < w->n && note_word_in(w->w[i].low, wholes);
}

/* Says the sentence behind its things, at word i, that these are all: "in total", "in this
 * repository", "in `packages/`", and nothing that limits them? */
static bool tells_all(const note_context *c, const note_words *w, size_t i, count *n) {
  i += i < w->n && note_word_in(w->w[i].low, "exist|live|total");
  if (i >= w->n || !note_word_in(w->w[i].low, "altogether|below|in|inside|under"))
    return i && i <= w->n && hm_str_is(w->w[i - 1].low, "total");
  hm_str next = i + 1 < w->n ? w->w[i + 1].low : HM_EMPTY;
  n->whole = note_project_at(c, w, i + 1);
  if (n->whole || hm_str_is(w->w[i].low, "altogether") || is_folder_of(next, n->thing))
    return true;
  return note_word_in(next, "all|total") ||
      (note_word_in(next, "one|our|the|this") && is_whole(w, i + 2));
}

/* How many words at the beginning name the whole: "the platform", "our pnpm workspace", "Orchard".
 * *it: no more than "it". */
static size_t whole_at(const note_context *c, const note_words *w, bool *it) {
  static const char wholes[] =
      "api|app|application|cluster|codebase|library|monorepo|pipeline|platform|plugin|product|"
      "project|repo|repository|site|solution|suite|system|toolkit|workspace";
  enum { SUBJECT = 3 };
  if (w->n > 2 && note_word_in(w->w[0].low, "it|this") && hm_str_is(w->w[1].low, "is") &&
      note_word_in(w->w[2].low, "a|an|our|the")) /* "This is a pnpm workspace of 11 packages" */
    for (size_t i = 3; i + 1 < w->n && i < 3 + SUBJECT; i++)
      if (note_word_in(w->w[i].low, wholes) && note_word_in(w->w[i + 1].low, "of|with"))
        return i + 1;
  *it = w->n && hm_str_is(w->w[0].low, "it");
  if (*it || (w->n && hm_str_is(w->w[0].low, "we")))
    return 1;
  size_t named = note_project_at(c, w, 0);
  if (named || !w->n || !note_word_in(w->w[0].low, "the|this|our"))
    return named;
  for (size_t i = 1; i < w->n && i <= SUBJECT && w->w[i].joined; i++)
    if (note_word_in(w->w[i].low, wholes) &&
        !(i + 1 < w->n && note_word_in(w->w[i + 1].low, wholes)))
      return i + 1;
  return 0;
}

/* "The platform consists of nine microservices", "Orchard ships with 14 rules", "Exposes 11 tools".
 */
static void read_whole(note_claims *out, const note_context *c, const note_words *w) {
  static const char verbs[] =
      "bundles|comes|comprises|consists|contains|exposes|has|have|holds|includes|is|maintain|"
      "of|offers|provides|runs|ship|ships|speaks|supports|with";
  static const char between[] =
      "a|all|built|composed|currently|divided|exactly|into|made|now|of|organised|organized|out|"
      "split|the|total|up|with";
  static const char first[] = "comes|exposes|includes|provides|ships|supports";
  bool it = true, alone = w->n && note_word_in(w->w[0].low, first);
  size_t i = alone ? 0 : whole_at(c, w, &it);
  if ((!i && !alone) || i >= w->n || !note_word_in(w->w[i].low, verbs))
    return;
  bool parts = note_word_in(w->w[i].low, "comprises|consists|is"), named = note_project_at(c, w, 0);
  for (i++; i < w->n && note_word_in(w->w[i].low, between); i++) {
  }
  count n = { .whole = false };
  if (!count_at(w, i, &n, out->a) || (it && !n.known))
    return;
  n.whole = named;
  /* "4 services of the payment team", "5 rules for imports" are some */
  bool ends = n.to >= w->n || !w->w[n.to].joined ||
      note_word_in(w->w[n.to].low, "and|as|now|out|plus|today") ||
      (parts && note_word_in(w->w[n.to].low, "that|which"));
  if (ends || ((parts || alone) && ends_before(w, n.to)) || tells_all(c, w, n.to, &n))
    claim_count(out, c, &n);
}

/* "There are 26 rules.", and no more; "There are nine packages in `packages/`", "five user roles in
 * Orchard". */
static void read_there(note_claims *out, const note_context *c, const note_words *w) {
  size_t i = w->n > 1 && hm_str_is(w->w[0].low, "there") && hm_str_is(w->w[1].low, "are") ? 2 : 0;
  i += i && i < w->n && note_word_in(w->w[i].low, "currently|exactly|now");
  count n = { .whole = false };
  if (!i || !count_at(w, i, &n, out->a))
    return;
  size_t to = n.to + (n.to < w->n && note_word_in(w->w[n.to].low, "now|today"));
  if ((to == w->n && n.known) || tells_all(c, w, n.to, &n))
    claim_count(out, c, &n);
}

/* "Available in", "Orchard is translated into", "The interface is": the product, and not its mails.
 */
static bool is_of_interface(const note_context *c, const note_words *w) {
  size_t i = note_project_at(c, w, 0);
  i += i && i < w->n && hm_str_is(w->w[i].low, "is");
  return w->n &&
      (note_word_in(w->w[i < w->n ? i : 0].low, "available|localized|speaks|translated") ||
       note_any_word_in(w, "interface|interfaz|oberfl\u00E4che|ui"));
}

/* "Eleven modules exist in the repository", "six stages in total", "in five languages", "All 14
 * rules ...", "9 modules under `modules/`", "Nine stages make up the pipeline". */
static void read_total(note_claims *out, const note_context *c, const note_words *w) {
  bool there = w->n && hm_str_is(w->w[0].low, "there");
  for (size_t i = 0; i + 1 < w->n; i++) {
    count n = { .whole = false };
    if (!count_at(w, i, &n, out->a))
      continue;
    hm_str before = i ? w->w[i - 1].low : HM_EMPTY;
    bool of_interface = hm_str_is(n.thing, "languages") && is_of_interface(c, w);
    bool tongues = of_interface && (there || note_word_in(before, "en|in|into"));
    n.whole = tongues;
    bool all = n.known && !i && n.to < w->n && w->w[n.to].before == ',' &&
        hm_str_is(w->w[n.to].low, "all");
    bool every = n.known && note_word_in(before, "all") && ends_before(w, n.to);
    bool make = !i && n.to + 1 < w->n && note_word_in(w->w[n.to].low, "form|make") &&
        (is_whole(w, n.to + 2) || is_whole(w, n.to + 3));
    if (tongues || all || every || make ||
        tells_all(c, w, n.to, &n)) /* "24 rules, all on by default" */
      claim_count(out, c, &n);
    return;
  }
}

/* "tools/  # 14 tools, a file each", "`importers/` | All 11 importers": what a folder holds. */
static void read_folder(note_claims *out, const note_context *c, const note_words *w) {
  size_t i = 1;
  count n = { .whole = false };
  while (i < w->n && note_word_in(w->w[i].low, "#|//|-|all|the|contains|holds"))
    i++;
  if (w->n && count_at(w, i, &n, out->a) && is_folder_of(w->w[0].low, n.thing) &&
      ends_before(w, n.to))
    claim_count(out, c, &n);
}

/* "- 12 plugins", "- 14 importers for mail": an item that names what there is. */
static void read_item(note_claims *out, const note_context *c, const note_words *w) {
  static const char behind[] = "all|and|built|for|in|with";
  count n = { .whole = false };
  if (w->n && count_at(w, 0, &n, out->a) && n.known &&
      (n.to >= w->n || !w->w[n.to].joined || note_word_in(w->w[n.to].low, behind)))
    claim_count(out, c, &n);
}

/* "Number of microservices: 7", "Packages in this repository: 4", and so a row. */
static void read_labelled(note_claims *out, const note_context *c, const hm_doc_part *p) {
  hm_str value = HM_EMPTY, label = note_label_of(p, &value, out->a);
  if (p->kind == HM_DOC_ROW && p->n_cells == 2) {
    label = note_lower(p->cells[0].text, out->a);
    value = p->cells[1].text;
  }
  note_words w = note_split(label, out->a), v = note_split(value, out->a);
  bool whole = v.n == 1 || (v.n && v.w[1].before == ','); /* "three, no more" */
  count n = { .number = whole ? number_at(&v, 0, out->a) : HM_EMPTY };
  if (!w.n || !n.number.n)
    return;
  bool of = w.n > 2 && note_word_in(w.w[0].low, "anzahl|nombre|number|n\u00FAmero") &&
      note_word_in(w.w[1].low, "de|der|of");
  size_t from = of ? 2 : hm_str_is(w.w[0].low, "total");
  if (!things_at(&w, from, &n, out->a))
    return;
  bool in = n.to + 2 < w.n && note_word_in(w.w[n.to].low, "de|in") &&
      note_word_in(w.w[n.to + 1].low, "la|our|the|this") &&
      (is_whole(&w, n.to + 2) ||
       note_word_in(w.w[n.to + 2].low, "cluster|interfaz|pipeline|plugin"));
  if ((n.to == w.n && (n.known || of)) || (in && n.to + 3 >= w.n))
    claim_count(out, c, &n);
}

/* "| `signal` | `fusion/` (10 modules) |": the things of the first cell. */
static void read_row_count(note_claims *out, const note_context *c, const hm_doc_part *p) {
  static const char things[] =
      "agents|commands|components|crates|endpoints|files|hooks|modules|packages|rules|"
      "services|skills|tables|tests|tools|workflows";
  if (p->n_cells < 2 || !p->cells[0].n_spans || p->cells[0].spans[0].mark != HM_DOC_SPAN_CODE)
    return;
  hm_str number = HM_EMPTY, thing = HM_EMPTY;
  note_words w = note_split(p->text, out->a);
  for (size_t i = 0; i + 1 < w.n; i++) {
    if (w.w[i].before != '(' || hm_skip_digits(w.w[i].low, 0) != w.w[i].low.n ||
        !note_word_in(w.w[i + 1].low, things))
      continue;
    if (number.n)
      return;
    number = w.w[i].low;
    thing = w.w[i + 1].low;
  }
  if (number.n)
    note_claims_add(out, HM_CAT(out->a, c->scope, p->cells[0].text, HM_STR(" "), thing), number,
                    NOTE_SAID);
}

void note_counts_read(note_claims *out, const note_context *c, const hm_doc_part *p,
                      const note_text *t) {
  if (p->kind == HM_DOC_CODE) {
    hm_str text = t->text;
    ptrdiff_t comment = hm_str_find(text, "# ");
    text = hm_str_sub(text, comment < 0 ? text.n : (size_t)comment + 2, text.n);
    read_records(out, c, note_split(text, out->a));
    read_folder(out, c, &t->words);
    return;
  }
  static const char doubts[] = "could|if|planned|was|were|will|would";
  read_records(out, c, t->words);
  if (!c->file->series)
    read_labelled(out, c, p);
  note_words w = t->words;
  if (c->file->series || note_any_word_in(&w, doubts))
    return;
  size_t had = out->n;
  read_folder(out, c, &w);
  if (p->kind == HM_DOC_ROW)
    read_row_count(out, c, p);
  if (p->kind == HM_DOC_ROW || out->n > had)
    return;
  read_whole(out, c, &w);
  if (out->n == had)
    read_there(out, c, &w);
  if (out->n == had && p->kind == HM_DOC_ITEM)
    read_item(out, c, &w);
  if (out->n == had)
    read_total(out, c, &w);
}
