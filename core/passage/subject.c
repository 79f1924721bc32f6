/* What a part of a document is about: the component that its folder or a heading names, and the
 * words that keep it apart. A title and generic headings keep nothing apart. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/passage/passage_impl.h"

/* RELEASE.md, which tells how to release, or of releases: then it has a version in a heading. */
static void read_releases(note_file *f, const hm_document *doc) {
  for (size_t i = 0; i < doc->n; i++) {
    hm_str s = doc->parts[i].text;
    while (s.n && strchr("[vV", s.p[0]))
      s = hm_str_sub(s, 1, s.n);
    size_t n = doc->parts[i].kind == HM_DOC_HEADING ? hm_skip_digits(s, 0) : 0;
    f->past |= n && hm_char_at(s, n, '.') && hm_digit_at(s, n + 1);
  }
}

/* Says the document at its beginning, set apart as a quotation, that it is of the past:
 * "> SUPERSEDED SPEC", "> This document is archived"? */
static bool says_past(const hm_document *doc, hm_arena *a) {
  enum { PARTS = 8, NEAR = 2 };
  static const char past[] =
      "archiv\u00E9|archivado|archived|archiviert|historical|historique|historisch|"
      "hist\u00F3rico|obsolet|obsolete|obsoleto|outdated|superseded|veraltet";
  static const char what[] = "documento|document|doc|dokument|file|page|plan|record|report|"
                             "snapshot|spec|specification";
  for (size_t i = 0; i < doc->n && i < PARTS; i++) {
    hm_str text = doc->parts[i].text;
    bool kept = hm_str_starts(text, "Kept ") || hm_str_starts(text, "Retained ");
    if (kept && hm_str_find(text, "historical context") >= 0)
      return true; /* "Kept here as historical context" */
    note_words w = note_split(doc->parts[i].quoted ? text : HM_EMPTY, a);
    bool own = w.n > 1 && note_word_in(w.w[0].low, "ce|este|dieses|questo|this") &&
        note_word_in(w.w[1].low, what);
    for (size_t k = 0; k < w.n; k++) {
      bool said = note_word_in(w.w[k].low, past), near = own;
      for (size_t x = k + 1; said && x <= k + NEAR && x < w.n && w.w[x].joined; x++)
        near |= note_word_in(w.w[x].low, what);
      if (said && near)
        return true;
    }
  }
  return false;
}

void note_file_read_document(note_file *f, const hm_document *doc, hm_arena *a) {
  note_globs_read(f, doc, a);
  if (hm_str_ends(note_lower(f->path, a), "release.md"))
    read_releases(f, doc);
  f->shelved |= says_past(doc, a) || note_is_of_others(f->scripts, f->path, a);
  f->past |= f->shelved;
  for (uint32_t i = 0; i < doc->n && !f->clones; i++)
    f->clones = note_has_any(doc->parts[i].text, "git clone|repo clone");
}

/* "frontend" of "Frontend technologies", "backend" of "Backend (`backend/.env`)". */
static hm_str part_of_heading(hm_str heading, hm_arena *a) {
  hm_str out = HM_EMPTY, text = heading;
  for (size_t i = 0; i < text.n; i++)
    if (strchr("(:/", text.p[i]))
      text.n = i;
  note_words w = note_split(text, a);
  for (size_t i = 0; i < w.n; i++)
    if (!note_heading_is_generic(w.w[i].s, a))
      out = HM_CAT(a, out, HM_STR(" "), w.w[i].s);
  return note_component_name(out, a);
}

/* "2024-03-01: rotation of keys", "[1.2.0] - 2024-03-01", "2023": what was done then. A date behind
 * words says when they were written. */
static bool is_day(hm_str heading, hm_str date) {
  hm_str year = hm_str_trim(heading);
  if (year.n == 4 && hm_str_starts(year, "20") && hm_skip_digits(year, 0) == year.n)
    return true;
  for (size_t i = 0; i < heading.n && heading.p + i < date.p; i++)
    if (hm_is_letter(heading.p[i]))
      return false;
  return date.n;
}

/* "Code review 2024-03-01", "Status (as of 2024-03-01)": how it was that day. */
static bool is_of_that_day(hm_str heading, hm_str date, hm_arena *a) {
  static const char logs[] = "audit|meeting|minutes|report|retro|review|snapshot|standup|status|"
                             "sync";
  note_words w = note_split(date.n ? heading : HM_EMPTY, a);
  return note_any_word_in(&w, logs);
}

/* "Changelog", "Progress report", "Review 2024-03-01", and not "History service". */
static bool is_past_title(hm_str title, hm_arena *a) {
  static const char logs[] = "archive|audit|changelog|changes|history|log|minutes|news|postmortem|"
                             "progress|releases|report|retrospective|review";
  note_words w = note_split(title, a);
  for (size_t i = 0; i < w.n; i++)
    if (!hm_digit_at(w.w[i].s, 0) && !note_heading_is_generic(w.w[i].s, a) &&
        !note_word_in(w.w[i].low, logs))
      return false;
  return note_any_word_in(&w, logs) && note_heading_is_past(title, a);
}

/* "DO NOT", "Don'ts", "Never": what stands below it is not so. */
static bool denies(const note_words *w) {
  for (size_t i = 0; i < w->n; i++)
    if (note_word_in(w->w[i].low, "don'ts|forbidden|prohibited") ||
        (i + 1 == w->n && note_word_in(w->w[i].low, "avoid|don't|never")) ||
        (i && hm_str_is(w->w[i].low, "not") && hm_str_is(w->w[i - 1].low, "do")))
      return true;
  return false;
}

hm_str note_heading_text(const hm_document *doc, uint32_t heading) {
  enum { MOST = 500 };
  return hm_text_cut(doc->parts[heading].text, MOST);
}

bool note_is_topic_of_whole(hm_str low, hm_arena *a) {
  static const char topics[] =
      "about|access|activecontext|agents|api|apis|app|application|auth|authentication|backups|"
      "branches|branching|build|cache|caching|cheatsheet|ci|claude|cli|code|codebase|coding|"
      "collaboration|commands|compliance|containers|contributors|conventions|copilot|"
      "d\u00E9ploiement|data|database|databases|debugging|delivery|dependencies|deploiement|"
      "deploy|deployments|despliegue|developer|devops|docker|domain|engineering|env|environment|"
      "errors|extending|faq|flags|formatting|gemini|git|glossary|governance|hacking|handbook|"
      "handover|hosting|i18n|infra|infrastructure|internals|jobs|languages|layout|licensing|"
      "limits|linting|local|localization|logging|logs|maintainers|maintenance|messaging|metrics|"
      "monitoring|monorepo|naming|network|networking|oauth|oauth2|observability|onboarding|"
      "operating|operations|ops|packages|packaging|patterns|performance|persistence|pipeline|"
      "policies|policy|ports|pr|practices|privacy|productcontext|project|projectbrief|publishing|"
      "quality|queue|queues|release|releases|releasing|reliability|repo|repository|retention|"
      "review|reviews|runbooks|running|runtime|schema|secrets|security|services|settings|"
      "shipping|sla|stack|standards|storage|structure|systempatterns|tasks|techcontext|"
      "technology|toolchain|traducciones|translation|translations|troubleshooting|upgrades|"
      "upgrading|variables|versioning|versions|welcome|wiki|working|workspace";
  return note_word_in(low, topics) || note_heading_is_generic(low, a);
}

hm_str note_page_of_part(const note_context *c, hm_arena *a) {
  bool paged = false; /* notes may say the same of one thing in any of them */
  for (hm_str f = hm_tree_folder(c->file->path); f.n && !paged; f = hm_tree_folder(f))
    paged = note_word_in(note_lower(hm_str_behind_last(f, '/'), a),
                         "doc|docs|documentation|guide|guides|handbook|manual|reference");
  if (!paged)
    return HM_EMPTY;
  hm_str name = hm_str_behind_last(c->file->path, '/');
  hm_str suffix = hm_str_behind_last(name, '.');
  name = hm_str_sub(name, 0, suffix.n < name.n ? name.n - suffix.n - 1 : name.n);
  bool small = false; /* "STYLEGUIDE.md" is of the whole; so is a record, "0012-use-redis.md" */
  for (size_t i = 0; i < name.n; i++)
    small |= hm_is_lower(name.p[i]);
  if (!small || hm_digit_at(name, 0))
    return HM_EMPTY;
  note_words w = note_split_name(name, a);
  if (w.n > 1 && note_is_for_users(&w, a)) /* "user-guide.md": of the whole, for some */
    return HM_EMPTY;
  for (size_t i = 0; i < w.n; i++)
    if (!note_is_topic_of_whole(w.w[i].low, a))
      return note_component_name(note_lower(name, a), a);
  return HM_EMPTY;
}

hm_str note_part_that_speaks(const note_context *c, hm_arena *a) {
  return c->file->component.n ? c->file->component : note_page_of_part(c, a);
}

size_t note_project_at(const note_context *c, const note_words *w, size_t i) {
  hm_str names[] = { c->title, c->file->scripts ? c->file->scripts->project : HM_EMPTY };
  hm_arena *work = hm_arena_new();
  size_t found = 0;
  for (size_t k = 0; k < HM_COUNT(names) && !found; k++) {
    note_words name = note_split(names[k], work);
    size_t n = 0;
    while (n < name.n && i + n < w->n && hm_str_eq(name.w[n].low, w->w[i + n].low))
      n++;
    if (n && n == name.n && !note_heading_is_generic(names[k], work))
      found = n;
  }
  hm_arena_free(work);
  return found;
}

/* "**Status:** Proposed", "(To be implemented)" just below the heading: what is to be, and not yet;
 * or "Superseded by ADR-006": what was. */
static bool is_of_other_time(const hm_document *doc, uint32_t heading, hm_arena *a) {
  enum { NEAR = 2 };
  static const char plans[] = "backlog|deferred|draft|future|idea|planned|proposal|proposed|todo";
  static const char ended[] = "deprecated|rejected|replaced|retired|superseded|withdrawn";
  hm_str value;
  for (uint32_t i = heading + 1; i < doc->n && i <= heading + NEAR; i++) {
    const hm_doc_part *p = &doc->parts[i];
    if (p->heading != heading)
      break;
    bool aside = hm_str_starts(p->text, "(") && hm_str_ends(p->text, ")");
    if (aside && note_has_any(note_lower(p->text, a), "to be |coming soon|not yet|planned|todo"))
      return true;
    if (!hm_str_is(note_label_of(p, &value, a), "status"))
      continue;
    note_words w = note_split(value, a);
    if (w.n && note_word_in(w.w[0].low, ended))
      return !note_any_word_in(&w, "part|partially|partly");
    return w.n && note_word_in(w.w[0].low, plans) && (w.n == 1 || !w.w[1].joined);
  }
  return false;
}

/* Has the text the program, and behind it a number with which the version does not begin? */
static bool has_other_version(hm_str text, const char *name, hm_str version, hm_arena *a) {
  enum { NEAR = 3 };
  const char *program;
  bool dotted;
  if (hm_str_find(note_lower(text, a), name) < 0)
    return false;
  note_words w = note_split(text, a);
  for (size_t i = 0; i < w.n; i++) {
    size_t n = note_program_at(&w, i, &program, &dotted);
    if (!n || strcmp(program, name))
      continue;
    for (size_t k = i + n; k < w.n && k < i + n + NEAR; k++) {
      hm_str number = hm_str_sub(w.w[k].s, hm_char_at(w.w[k].s, 0, 'v'), w.w[k].s.n);
      size_t end = 0;
      while (hm_digit_at(number, end) || (end && hm_char_at(number, end, '.')))
        end++;
      number.n = end;
      if (end && hm_str_find(version, hm_str_z(a, number)) < 0 &&
          hm_str_find(number, hm_str_z(a, version)) < 0)
        return true;
    }
  }
  return false;
}

/* Has the section of the heading another version of the program? Looks at parts up to `to`. */
static bool is_versioned_below(const hm_document *doc, uint32_t heading, uint32_t to,
                               const char *name, hm_str version, hm_arena *a) {
  uint8_t level = doc->parts[heading].level;
  for (uint32_t i = heading + 1; i < to; i++) {
    const hm_doc_part *p = &doc->parts[i];
    if (p->kind == HM_DOC_HEADING && !p->quoted && p->level <= level)
      return false;
    if (has_other_version(p->text, name, version, a))
      return true;
  }
  return false;
}

hm_str note_section_of(const note_context *c, hm_str name, hm_str version, hm_arena *a) {
  enum { AROUND = 100 }; /* parts that are looked at, on both sides */
  const hm_document *doc = c->doc;
  hm_arena *work = hm_arena_new();
  const char *sought = hm_str_z(work, name);
  hm_str out = HM_EMPTY;
  for (uint32_t h = c->heading; h != HM_DOC_NONE && !out.n; h = doc->parts[h].heading) {
    const hm_doc_part *own = &doc->parts[h];
    uint32_t from = h > AROUND ? h - AROUND : 0, to = h + AROUND < doc->n ? h + AROUND : doc->n;
    if (own->level == 1 || note_heading_is_generic(own->text, work))
      continue;
    for (uint32_t i = from; i < to && !out.n; i++) {
      const hm_doc_part *p = &doc->parts[i];
      bool beside = p->kind == HM_DOC_HEADING && !p->quoted && p->heading == own->heading &&
          p->level == own->level && !hm_str_eq(p->text, own->text);
      if (beside && !note_heading_is_generic(p->text, work) &&
          is_versioned_below(doc, i, to, sought, version, work))
        out = HM_CAT(a, hm_text_fold_name(a, own->text), HM_STR(" "));
    }
  }
  hm_arena_free(work);
  return out;
}

void note_context_read(note_context *c, const note_file *f, const hm_document *doc,
                       uint32_t heading, hm_arena *a) {
  hm_arena *work = hm_arena_new();
  *c = (note_context){ .file = f, .doc = doc, .scope = f->scope, .past = f->past };
  c->headings = hm_doc_heading_path(doc, heading, a);
  c->heading = heading;
  for (uint32_t h = heading; h != HM_DOC_NONE; h = doc->parts[h].heading) {
    hm_str text = note_heading_text(doc, h);
    note_words w = note_split(text, work);
    bool title = doc->parts[h].level == 1;
    if (title)
      c->title = text;
    hm_str date = hm_time_find_date(text);
    if (!c->date.n)
      c->date = date;
    c->past |= denies(&w); /* "Hard rules: do not" */
    c->past |= is_of_that_day(text, date, work);
    c->past |= note_is_marked(&doc->parts[h], HM_DOC_STRUCK);
    c->past |= title
        ? is_past_title(text, work)
        : is_day(text, date) || note_heading_is_past(text, work) || is_of_other_time(doc, h, work);
    bool mode = w.n > 1 && w.n <= 4 && hm_str_is(w.w[w.n - 1].low, "mode");
    bool trial = w.n == 2 && note_word_in(w.w[0].low, "qa|test|testing") &&
        note_word_in(w.w[1].low, "environment|environments");
    uint32_t above = doc->parts[h].heading;
    note_words around =
        note_split(above == HM_DOC_NONE ? HM_EMPTY : note_heading_text(doc, above), work);
    bool whole = note_is_for_users(&w, work) || (note_names_places(&around) && w.n <= 3);
    for (size_t i = 0; i < w.n && !title; i++) {
      hm_str word = note_environment(&w, i);
      if (whole || note_keeps_apart(word) || ((mode || trial) && !i)) /* "Server mode" */
        c->scope = note_scope_with(c->scope, word, a);
    }
    if (c->subject.n || title || w.n > 5 || note_heading_is_generic(text, work))
      continue;
    c->subject = text;
    c->part = part_of_heading(text, a);
  }
  if (!c->subject.n)
    c->subject = f->component;
  hm_arena_free(work);
}

void note_context_add_head(note_context *c, const hm_doc_part *row, hm_arena *a) {
  if (row->n_head != 2)
    return;
  note_words head = note_split(row->head[1].text, a);
  for (size_t i = 0; i < head.n; i++) {
    hm_str word = note_environment(&head, i);
    if (note_keeps_apart(word))
      c->scope = note_scope_with(c->scope, word, a);
  }
}

size_t note_topic_finish_in(note_topic *t, const note_context *c, const char *dimension,
                            size_t least) {
  hm_str own = hm_str_eq(c->subject, c->file->component) ? HM_EMPTY : c->subject;
  hm_str part = note_component_name(c->file->component, t->a);
  if (!part.n && !t->identifier) /* a key is one of the whole */
    part = note_page_of_part(c, t->a);
  bool adds = own.n && ((t->n < least && !t->row) || note_heading_keeps_apart(own, t->a));
  return note_topic_finish(t, adds ? own : HM_EMPTY, HM_CAT(t->a, c->scope, HM_STR(" "), part),
                           dimension, least);
}
