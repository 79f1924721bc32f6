/* How many there are of what a repository has one number of: "all 16 crates", records of decisions;
 * and of what the first cell of a row names: "(10 modules)". */
#include "core/base/ascii.h"
#include "core/notes/notes_impl.h"

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
  static const char shares[] = "each|every|month|per|quarter|sprint|week|year";
  bool behind = k < w->n && w->w[k].joined;
  bool before = i && w->w[i].joined && !hm_str_is(w->w[i - 1].low, "-"); /* "docs/adr - 12 ADRs" */
  if (note_any_word_in(w, shares) || (behind && note_word_in(w->w[k].low, some)))
    return false;
  if (before)
    return note_word_in(w->w[i - 1].low, wholes);
  bool told = false; /* "2 ADRs in docs/adr are about storage" */
  for (size_t n = k; behind && n < w->n; n++)
    told |= note_word_in(w->w[n].low, "are|have|were");
  return !behind || (!told && note_word_in(w->w[k].low, places));
}

/* Things of which a repository has one number: "43 ADRs in docs/adr", "all 16 crates". */
static void read_count(note_claims *out, const note_context *c, hm_str text) {
  static const char doubts[] =
      "about|added|between|each|first|from|last|least|more|most|nearly|new|next|of|other|"
      "over|per|remaining|than|these|those|top|was|were";
  static const char words[] = "all|comprises|contains|has|have|includes|of|the|with";
  note_words w = note_split(text, out->a);
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
    bool whole = i && note_word_in(w.w[i - 1].low, words);
    bool short_name = i + 2 < w.n && hm_str_is(w.w[i + 1].low, "decision") &&
        hm_str_is(w.w[i + 2].low, "records");
    bool records = long_name || short_name || hm_str_is(w.w[i + 1].low, "adrs");
    hm_str folder = records ? folder_of_records(c, &w, out->a) : HM_EMPTY;
    hm_str owner = HM_CAT(out->a, folder.n ? folder : c->file->component, HM_STR(" "));
    size_t behind = i + (long_name ? 4 : short_name ? 3 : 2);
    if (records && w.w[i + 1].joined && is_number_of_all(&w, i, behind))
      note_claims_add(out, HM_CAT(out->a, owner, HM_STR("decision records")), number, NOTE_SAID);
    else if (whole && w.w[i + 1].joined &&
             (note_word_in(w.w[i + 1].low, "crates|microservices") ||
              (hm_str_is(before, "all") && hm_str_is(w.w[i + 1].low, "packages"))))
      note_claims_add(out, HM_CAT(out->a, owner, w.w[i + 1].low), number, NOTE_SAID);
  }
}

/* What a project is made of, so that each knows which ones are meant. */
static const char pieces[] =
    "apps|brokers|chapters|containers|crates|endpoints|idiomas|langues|languages|layers|"
    "microservices|modules|nodes|packages|phases|plugins|replicas|rules|services|shards|"
    "sprachen|stages|subsystems|workers";

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

static void claim_pieces(note_claims *out, const note_context *c, hm_str things, hm_str number) {
  if (note_word_in(things, "idiomas|langues|sprachen"))
    things = HM_STR("languages");
  hm_str part = note_part_that_speaks(c, out->a);
  note_claims_add(out, HM_CAT(out->a, c->scope, part, HM_STR(" "), things), number, NOTE_SETTING);
}

/* "The platform consists of nine microservices", "This repository ships 14 modules". */
static void read_whole(note_claims *out, const note_context *c, const note_words *w) {
  static const char wholes[] =
      "api|app|application|cluster|codebase|library|monorepo|pipeline|platform|plugin|product|"
      "project|repo|repository|site|solution|suite|system|toolkit|workspace";
  static const char verbs[] = "comprises|consists|contains|has|holds|includes|is|ships";
  static const char between[] = "a|composed|exactly|into|made|of|split|the|total|up|with";
  enum { SUBJECT = 3 };
  bool it = w->n && hm_str_is(w->w[0].low, "it"), ships = w->n && hm_str_is(w->w[0].low, "ships");
  bool there = w->n > 1 && hm_str_is(w->w[0].low, "there") && hm_str_is(w->w[1].low, "are");
  if (there) { /* "There are 26 rules.", and no more; "There are nine packages in `packages/`" */
    hm_str n = number_at(w, 2, out->a);
    bool below = w->n > 5 && note_word_in(w->w[4].low, "below|in|under") &&
        hm_str_eq(w->w[5].low, HM_CAT(out->a, w->w[3].low, HM_STR("/")));
    if (n.n && (w->n == 4 || below) && note_word_in(w->w[3].low, pieces))
      claim_pieces(out, c, w->w[3].low, n);
    return;
  }
  size_t i = w->n && note_word_in(w->w[0].low, "the|this|our") ? 1 : w->n;
  while (i < w->n && i < SUBJECT && !note_word_in(w->w[i].low, wholes))
    i++;
  hm_str title = note_lower(c->title, out->a);
  bool named = w->n > 1 && hm_str_eq(w->w[0].low, title) &&
      note_word_in(w->w[1].low, "consists|has|ships"); /* "Oriel consists of" below "# Oriel" */
  i = named ? 0 : i;
  if (it || ships)
    i = 0;
  else if (i >= w->n || !(named || note_word_in(w->w[i].low, wholes)))
    return;
  if ((i += !ships) >= w->n || !note_word_in(w->w[i].low, verbs))
    return;
  for (i++; i < w->n && note_word_in(w->w[i].low, between); i++) {
  }
  hm_str number = number_at(w, i, out->a);
  bool leaves = i + 2 >= w->n || !w->w[i + 2].joined || /* "4 services of the payment team" */
      note_word_in(w->w[i + 2].low, "and|at|behind|in|on|under|with");
  if (number.n && leaves && i + 1 < w->n && note_word_in(w->w[i + 1].low, pieces))
    claim_pieces(out, c, w->w[i + 1].low, number);
}

/* "Available in", "Orchard is translated into", "The interface is": the product, and not its mails.
 */
static bool is_of_interface(const note_words *w, hm_str title) {
  size_t i = w->n > 2 && hm_str_eq(w->w[0].low, title) && hm_str_is(w->w[1].low, "is") ? 2 : 0;
  return w->n &&
      (note_word_in(w->w[i].low, "available|localized|translated") ||
       note_any_word_in(w, "interface|interfaz|oberfl\u00E4che|ui"));
}

/* Is it the whole project at word i: "repository", "pnpm workspace"? */
static bool is_whole(const note_words *w, size_t i) {
  static const char wholes[] = "monorepo|project|repo|repository|workspace";
  static const char managers[] = "cargo|npm|pnpm|uv|yarn";
  i += i + 1 < w->n && note_word_in(w->w[i].low, managers);
  return i < w->n && note_word_in(w->w[i].low, wholes);
}

/* "Eleven modules exist in the repository", "six stages in total", "in five languages". */
static void read_total(note_claims *out, const note_context *c, const note_words *w) {
  for (size_t i = 0; i + 1 < w->n; i++) {
    hm_str number = number_at(w, i, out->a), things = w->w[i + 1].low;
    if (!number.n || !note_word_in(things, pieces))
      continue;
    size_t k = i + 2;
    k += k < w->n && note_word_in(w->w[k].low, "exist|live");
    bool here = k + 2 < w->n && hm_str_is(w->w[k].low, "in") &&
        note_word_in(w->w[k + 1].low, "one|the|this") && is_whole(w, k + 2);
    bool total =
        k + 1 < w->n && hm_str_is(w->w[k].low, "in") && hm_str_is(w->w[k + 1].low, "total");
    bool tongues = i && note_word_in(things, "idiomas|langues|languages|sprachen") &&
        note_word_in(w->w[i - 1].low, "en|in|into") &&
        is_of_interface(w, note_lower(c->title, out->a));
    bool all = !i && i + 2 < w->n && w->w[i + 2].before == ',' && hm_str_is(w->w[i + 2].low, "all");
    if (here || total || tongues || all) /* "24 rules, all on by default" */
      claim_pieces(out, c, things, number);
    return;
  }
}

/* "Number of microservices: 7", "Packages in this repository: 4", and so a row. */
static void read_labelled(note_claims *out, const note_context *c, const hm_doc_part *p) {
  hm_str value = HM_EMPTY, label = note_label_of(p, &value, out->a);
  if (p->kind == HM_DOC_ROW && p->n_cells > 1) {
    label = note_lower(p->cells[0].text, out->a);
    value = p->cells[1].text;
  }
  note_words w = note_split(label, out->a), v = note_split(value, out->a);
  bool whole = v.n == 1 || (v.n && v.w[1].before == ','); /* "three, no more" */
  hm_str number = whole ? number_at(&v, 0, out->a) : HM_EMPTY;
  if (!w.n || !number.n)
    return;
  bool of = w.n == 3 && note_word_in(w.w[0].low, "anzahl|nombre|number|n\u00FAmero") &&
      note_word_in(w.w[1].low, "de|der|of");
  bool in = w.n == 4 && note_word_in(w.w[1].low, "de|in") &&
      note_word_in(w.w[2].low, "la|the|this") &&
      note_word_in(w.w[3].low, "cluster|interfaz|monorepo|project|repo|repository|workspace");
  hm_str things = w.w[of ? 2 : 0].low;
  bool one = w.n == 1 && p->n_cells <= 2; /* "**Microservices:** 9" */
  if ((of && hm_str_ends(things, "s")) || ((in || one) && note_word_in(things, pieces)))
    claim_pieces(out, c, things, number);
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

void note_counts_read(note_claims *out, const note_context *c, const hm_doc_part *p, hm_str text) {
  if (p->kind == HM_DOC_CODE) {
    ptrdiff_t comment = hm_str_find(text, "# ");
    read_count(out, c, hm_str_sub(text, comment < 0 ? text.n : (size_t)comment + 2, text.n));
    return;
  }
  read_count(out, c, text);
  read_labelled(out, c, p);
  if (p->kind == HM_DOC_ROW) {
    read_row_count(out, c, p);
    return;
  }
  static const char doubts[] = "about|around|at|could|if|least|most|nearly|or|over|planned|"
                               "than|was|were|will|would";
  note_words w = note_split(text, out->a);
  bool most = false; /* "up to 9 nodes" */
  for (size_t i = 1; i < w.n; i++)
    most |= hm_str_is(w.w[i].low, "to") && hm_str_is(w.w[i - 1].low, "up");
  if (most || note_any_word_in(&w, doubts))
    return;
  read_whole(out, c, &w);
  read_total(out, c, &w);
}
