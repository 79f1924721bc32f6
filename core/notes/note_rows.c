/* Documents to rows: notes.h.
 *
 * Parts are taken in order; each is a row or is counted with the reason why it is none. Its id is a
 * digest of the path, the headings and the folded text, numbered among equals.
 * Cost: linear in the text. */
#include "core/notes/notes.h"

#include <string.h>

#include "core/base/ascii.h"
#include "core/base/credential.h"
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/foreign/record_maker.h"
#include "core/notes/notes_impl.h"
#include "core/prose/prose.h"

static const struct {
  const char *one, *many;
} unread_words[HM_N_NOTES_UNREAD] = {
  [HM_NOTES_LIMITS] = { "line over a limit", "lines over a limit" },
  [HM_NOTES_QUOTATION] = { "quotation", "quotations" },
  [HM_NOTES_CODE] = { "line of a program", "lines of programs" },
  [HM_NOTES_TASK] = { "task", "tasks" },
  [HM_NOTES_STRUCK] = { "struck text", "struck texts" },
  [HM_NOTES_CONTENTS] = { "table of contents", "tables of contents" },
  [HM_NOTES_BADGE] = { "picture or link alone", "pictures and links alone" },
  [HM_NOTES_PLACEHOLDER] = { "template to fill in", "templates to fill in" },
  [HM_NOTES_COMMENT] = { "comment", "comments" },
  [HM_NOTES_LEAD] = { "line that leads into a list", "lines that lead into a list" },
};

const char *hm_notes_unread_words(hm_notes_unread why) { return unread_words[why].many; }
const char *hm_notes_unread_word(hm_notes_unread why) { return unread_words[why].one; }

typedef struct {
  hm_record_place *place;
  hm_record_each *each;
  void *ctx;
  hm_notes_told *told;
  const hm_document *doc;
  const hm_str *whole; /* the text of each part, with what it does not state */
  note_file file;
  note_context *contexts; /* of what stands below each part, and last above all; doc: it is read */
  note_record record;
  note_calls calls;
  note_paths paths;
  note_anchors anchors;
  hm_str date, author; /* of the document, or empty */
  hm_arena *a;         /* of the whole document */
  hm_map seen;         /* what an id is made of -> how often it came */
} notes;

/* --- what is no row ------------------------------------------------------------------------- */

static bool leads_to_heading(const hm_doc_part *p) {
  for (uint32_t i = 0; i < p->n_spans; i++)
    if (p->spans[i].mark == HM_DOC_LINK && !hm_str_starts(p->spans[i].url, "#"))
      return false;
  return note_is_marked(p, HM_DOC_LINK);
}

static bool has_words(hm_str s) {
  for (size_t i = 0; i < s.n; i++)
    if (hm_is_alnum(s.p[i]) || (unsigned char)s.p[i] >= 0x80)
      return true;
  return false;
}

/* "Install it with:": does it say nothing but what follows, or stand in the row of that? */
static bool only_leads_in(const hm_document *doc, const hm_doc_part *p, hm_arena *a) {
  enum { SENTENCE = 5 }; /* words */
  return note_leads_in(doc, p) &&
      (note_split(p->text, a).n < SENTENCE || note_code_row(doc, p + 1, a).n);
}

static bool has_mark(const hm_doc_part *p, hm_doc_mark mark) {
  bool has = false;
  for (uint32_t i = 0; i < p->n_spans; i++)
    has |= p->spans[i].mark == mark;
  for (uint32_t i = 0; i < p->n_cells; i++)
    for (uint32_t k = 0; k < p->cells[i].n_spans; k++)
      has |= p->cells[i].spans[k].mark == mark;
  return has;
}

/* "Port:" with nothing behind it. */
static bool is_empty_field(const hm_doc_part *p, hm_arena *a) {
  enum { SENTENCE = 5 }; /* words */
  hm_str value = HM_EMPTY;
  return note_label_of(p, &value, a).n && !hm_str_trim(value).n &&
      note_split(p->text, a).n < SENTENCE;
}

/* Why the part is no row; HM_N_NOTES_UNREAD: it is one. whole: its text, with what it does not
 * state. */
static hm_notes_unread why_unread(const hm_document *doc, const hm_doc_part *p, hm_str whole,
                                  const note_claims *claims, hm_arena *a) {
  if (p->kind == HM_DOC_COMMENT)
    return HM_NOTES_COMMENT;
  if (p->quoted && !claims->n)
    return HM_NOTES_QUOTATION;
  if (p->kind == HM_DOC_CODE)
    return claims->n || note_code_row(doc, p, a).n ? HM_N_NOTES_UNREAD : HM_NOTES_CODE;
  if (p->task && !claims->n)
    return HM_NOTES_TASK;
  bool silent = !claims->n && !has_words(p->text);
  if (note_is_marked(p, HM_DOC_STRUCK) || (silent && has_mark(p, HM_DOC_STRUCK)))
    return HM_NOTES_STRUCK;
  if (!claims->n && (leads_to_heading(p) || note_is_import(p->text)))
    return HM_NOTES_CONTENTS;
  bool linked = p->kind == HM_DOC_SENTENCE && note_is_marked(p, HM_DOC_LINK);
  if (!has_words(whole) || silent || (linked && !claims->n))
    return HM_NOTES_BADGE;
  if (!claims->n && only_leads_in(doc, p, a))
    return HM_NOTES_LEAD;
  if (!claims->n && is_empty_field(p, a))
    return HM_NOTES_PLACEHOLDER;
  return claims->n || !hm_has_placeholder(p->text, HM_OF_TEXT) ? HM_N_NOTES_UNREAD
                                                               : HM_NOTES_PLACEHOLDER;
}

/* --- rows ---------------------------------------------------------------------------------------
 */

static void keep_row(hm_notes_told *told, hm_str id, hm_str headings, hm_str text, hm_str rule,
                     uint32_t number) {
  if (!told->keeps_rows)
    return;
  told->rows =
      hm_array_grow_in(told->a, told->rows, told->n_rows, &told->cap_rows, sizeof *told->rows);
  told->rows[told->n_rows++] =
      (hm_notes_row){ hm_str_dup(told->a, id), hm_str_dup(told->a, headings),
                      hm_str_dup(told->a, text), hm_str_dup(told->a, rule), number };
}

/* "Order = path" without its " = ", by which a rule would state a value. */
static hm_str without_equals(hm_str text, hm_arena *a) {
  if (hm_str_find(text, " = ") < 0)
    return text;
  hm_buf b = { 0 };
  for (size_t i = 0; i < text.n; i++) {
    while (hm_str_starts(hm_str_sub(text, i, text.n), " = "))
      i += 2; /* to the blank behind it */
    hm_buf_ch(&b, text.p[i]);
  }
  return hm_buf_take(&b, a);
}

/* What prose is about that does not say so: "Auth", "web:: Auth". */
static hm_str subject_of_prose(const note_context *c, hm_arena *a) {
  hm_str about = hm_str_eq(c->subject, c->file->component) ? HM_EMPTY : c->subject;
  hm_str page = c->file->component.n ? c->file->component : note_page_of_part(c, a);
  hm_str part = hm_str_trim(HM_CAT(a, c->scope, page));
  note_words heading = note_split(about, a), scope = note_split(c->scope, a);
  if (heading.n == 1 && note_any_word_in(&scope, hm_str_z(a, note_environment(&heading, 0))))
    about = HM_EMPTY; /* "Staging" */
  return hm_str_trim(HM_CAT(a, part, part.n ? HM_STR(":: ") : HM_EMPTY, without_equals(about, a)));
}

/* What the row claims, as its slot_rule: "SLOT = VALUE" a line, or "SLOT (words) = VALUE" where
 * SLOT is stems of the words of the text (memory.h), and where its text is prose that
 * claims nothing else "SUBJECT *", where the subject begins with what keeps it apart. */
static hm_str rule_of(const note_context *c, const note_claims *claims, bool prose, hm_arena *a) {
  hm_str rule = HM_EMPTY;
  for (size_t i = 0; i < claims->n; i++) {
    const note_claim *v = &claims->v[i];
    rule = HM_CAT(a, rule, rule.n ? HM_STR("\n") : HM_EMPTY, without_equals(v->slot, a),
                  hm_str_c(v->by_words ? " (words)" : ""), HM_STR(" = "), v->value);
    prose &= v->family == NOTE_MEASURED;
  }
  if (!prose)
    return rule.n ? rule : HM_STR("=");
  hm_str about = subject_of_prose(c, a);
  if (rule.n)
    return HM_CAT(a, rule, HM_STR("\n"), about, about.n ? HM_STR(" *") : HM_STR("*"));
  return about.n ? HM_CAT(a, about, HM_STR(" *")) : HM_EMPTY;
}

/* Nothing is null, as the row may have had something. */
static void add_or_clear(hm_record_maker *m, const char *key, hm_str text) {
  if (text.n)
    hm_record_add_text(m, key, text, 1);
  else
    hm_record_add(m, key, &(const hm_json){ .type = HM_JSON_NULL });
}

/* part: NULL: a field of the front matter. */
static int give_row(notes *n, const hm_doc_part *part, uint32_t line, hm_str headings, hm_str text,
                    const char *type, hm_str rule, hm_str date, uint32_t settled, hm_arena *a) {
  hm_record_maker m = hm_record_begin(a, "memory");
  hm_str refs[1 + NOTE_LINKS_MAX];
  refs[0] = hm_str_fmt(a, "%.*s:%u", HM_FMT(n->file.path), line);
  size_t n_refs = 1;
  if (part)
    n_refs += note_links_read(n->told->tree, n->file.path, part, refs + 1, a);
  hm_str key = note_row_key(n->file.path, headings, text, n->a);
  uint32_t times = hm_map_get(&n->seen, key), number = times == HM_MAP_NONE ? 1 : times + 1;
  hm_map_set(&n->seen, key, number);
  hm_str id = note_row_id(key, number, a);
  keep_row(n->told, id, headings, text, rule, number);
  if (settled)
    n->told->settled[settled - 1].id = hm_str_dup(n->told->a, id);
  hm_record_add_text(&m, "id", id, 1);
  hm_record_add_text(&m, "memory_type", hm_str_c(type), 1);
  hm_record_add_text(&m, "content", text, 1);
  add_or_clear(&m, "agent", n->author);
  add_or_clear(&m, "slot_rule", rule);
  hm_record_add_texts(&m, "source_refs", refs, n_refs, 1);
  add_or_clear(&m, "created_at", date.n ? HM_CAT(a, date, HM_STR("T00:00:00Z")) : HM_EMPTY);
  n->place->number = line;
  return n->each(n->ctx, m.record);
}

/* A line of a drawing of folders without what draws it. */
static hm_str without_drawing(hm_str s) {
  size_t i = 0;
  while (i + 2 < s.n && (s.p[i] == ' ' || !memcmp(s.p + i, "\xE2\x94", 2) || s.p[i] == '\xC2'))
    i += s.p[i] == ' ' ? 1 : s.p[i] == '\xC2' ? 2 : 3;
  return hm_str_trim(hm_str_sub(s, i, s.n));
}

/* "[2025-08-08 22:06] Moved the kilns": a line of a log. */
static bool begins_with_day(const hm_doc_part *p) {
  size_t at = hm_char_at(p->text, 0, '[');
  enum { FEW = 5 };
  bool line = p->kind == HM_DOC_ITEM || p->kind == HM_DOC_SENTENCE;
  hm_str day = line && hm_digit_at(p->text, at) ? hm_time_find_date(p->text) : HM_EMPTY;
  bool begins = day.n && day.p == p->text.p + at && p->text.n > at + day.n;
  for (uint32_t i = 0; i < p->n_spans && begins; i++) /* "2024-01-05 [Retro](retro.md)": an index */
    begins = p->spans[i].mark != HM_DOC_LINK || p->spans[i].from > at + day.n + FEW;
  return begins;
}

static note_part_reading read_part(notes *n, const hm_doc_part *p) {
  note_part_reading r = { .claims.a = n->a, .text = p->text };
  note_context *below = &n->contexts[p->heading == HM_DOC_NONE ? n->doc->n : p->heading];
  if (!below->doc)
    note_context_read(below, &n->file, n->doc, p->heading, n->a);
  r.context = *below;
  note_context_add_head(&r.context, p, n->a);
  bool day = begins_with_day(p) || note_is_history(&n->record, n->doc, (size_t)(p - n->doc->parts));
  r.context.past |= day;
  if (n->record.record) /* its headings are those of a form */
    r.context.subject = n->file.component;
  if (p->kind == HM_DOC_CODE)
    r.text = without_drawing(p->text);
  if (!p->task && p->kind != HM_DOC_HEADING && !leads_to_heading(p))
    note_claims_read(&r.claims, &r.context, p, r.text);
  /* what is past says of the tree what it was then, but for its links: a reader follows those of a
   * plan, too, and not those of the log of a day or of what is shelved */
  r.leads = !(r.context.past && (n->file.shelved || day || r.context.date.n));
  if (!r.context.past)
    note_calls_claim(&r.claims, &n->calls, (uint32_t)(p - n->doc->parts));
  if (r.leads)
    note_paths_claim(&r.claims, &n->paths, (uint32_t)(p - n->doc->parts), r.context.past);
  return r;
}

/* A link inside of the document that leads nowhere is claimed by its part, and that there is no
 * such place by the title. */
static void claim_anchors(const notes *n, note_part_reading *v) {
  for (size_t i = 0; i < n->anchors.n; i++) {
    const note_anchor *x = &n->anchors.v[i];
    if (v[x->part].leads)
      note_anchor_claim(&v[x->part].claims, &v[n->anchors.title].claims, n->file.path, x);
  }
}

/* "30", "1.5", "15ms", "80%". */
static bool is_amount(hm_str s) {
  size_t i = hm_skip_digits(s, 0), unit;
  if (i && hm_char_at(s, i, '.'))
    i = hm_skip_digits(s, i + 1);
  for (unit = i; hm_letter_at(s, unit) || hm_char_at(s, unit, '%'); unit++) {
  }
  return i && unit == s.n && unit - i <= 3;
}

/* "| Log retention | 90 days |": a row of two cells, the second an amount with its unit. */
static bool is_labelled_amount(const notes *n, const hm_doc_part *p, const note_part_reading *r) {
  enum { WORDS = 6 };
  note_measure m;
  if (p->n_cells != 2 || n->file.series || n->file.of_class || n->file.library || r->repeated ||
      note_heading_keeps_apart(r->context.subject, n->a))
    return false;
  hm_str head = p->n_head > 1 ? note_lower(hm_str_trim(p->head[1].text), n->a) : HM_EMPTY;
  if (!note_head_is_plain(head))
    return false;
  note_words key = note_split(p->cells[0].text, n->a), w = note_split(p->cells[1].text, n->a);
  bool scoped = r->context.scope.n && !n->file.instructions;
  return !scoped && key.n > 1 && key.n <= WORDS && w.n && hm_letter_at(p->cells[0].text, 0) &&
      !p->cells[0].n_spans && note_measure_at(&w, 0, &m, n->a) && m.to == w.n &&
      !note_word_in(hm_str_c(m.dimension), "count|number|version");
}

/* "02-install.md": the chapter of a handbook, of which all are about the whole. */
static bool is_chapter(hm_str path) {
  hm_str name = hm_str_behind_last(path, '/');
  size_t n = hm_skip_digits(name, 0);
  return (n == 1 || n == 2) && (hm_char_at(name, n, '-') || hm_char_at(name, n, '_'));
}

/* The condition under which it holds, where prose does not read that by itself: what keeps apart
 * what the sentence says. */
static hm_str condition_of_prose(const hm_doc_part *p, hm_arena *a) {
  static const char *const read[] = { "in dev", "in prod", "in staging" };
  hm_str low = note_lower(p->text, a);
  for (size_t i = 0; i < HM_COUNT(read); i++)
    if (hm_str_starts(low, read[i]))
      return HM_EMPTY;
  note_text t = note_text_of(p->text, a);
  return note_condition_of(p, &t, false, a);
}

/* Is it a sentence that may be read as prose? Tables and labels are about what stands around them,
 * and markup is not prose. Of labels those with an amount, or with a sentence of an amount, are
 * read; of a component's folder sentences with an amount. A sentence of one of several libraries,
 * or under a heading that keeps it apart, does not name that itself: as prose it would be about
 * all. */
static bool is_prose(const notes *n, const hm_doc_part *p, const note_part_reading *r) {
  if (n->record.record) /* a record is about its own decision */
    return false;
  if (p->kind == HM_DOC_ROW)
    return is_labelled_amount(n, p, r);
  /* "[Install by disk](a.md) - how to": a place to read on */
  if (p->kind == HM_DOC_ITEM && p->n_spans && p->spans[0].mark == HM_DOC_LINK && !p->spans[0].from)
    return false;
  static const char *const signs[] = { "://", "=", "<", "{", " | ", "\xE2\x86\x92", "->" };
  static const char verbs[] =
      "allows|are|contains|defaults|expire|expires|has|have|is|lasts|must|needs|requires|"
      "retries|runs|takes|times|uses";
  static const char metadata[] =
      "author|date|id|last updated|number|reference|reference number|revision|updated|version";
  enum { SENTENCE = 4 };
  hm_str value;
  if (p->kind != HM_DOC_ITEM && p->kind != HM_DOC_SENTENCE)
    return false;
  bool scoped = r->context.scope.n && !n->file.instructions;
  bool apart = n->file.library || n->file.of_class || scoped ||
      note_heading_keeps_apart(r->context.subject, n->a);
  if (r->repeated || apart || note_is_link_title(p))
    return false;
  for (size_t i = 0; i < HM_COUNT(signs); i++)
    if (hm_str_find(p->text, signs[i]) >= 0)
      return false;
  if (hm_str_starts(p->text, "Test with ") && memchr(p->text.p, '/', p->text.n))
    return false; /* "with curl/Postman": by hand */
  hm_str label = note_label_of(p, &value, n->a);
  bool labelled = label.n || hm_str_find(p->text, "\uFF1A") >= 0;       /* "Range: 90 m" */
  bool one = n->file.series && (labelled || !is_chapter(n->file.path)); /* of many things */
  note_words all = note_split(p->text, n->a); /* prose does not tell those who are idle apart */
  if (one || note_any_word_in(&all, "anonymous|idle|inactive|inactivity"))
    return false;
  bool amount = false;
  for (size_t i = 0; i < all.n; i++)
    amount |= hm_digit_at(all.w[i].s, 0);
  if (!label.n)
    return amount || !n->file.component.n;
  note_words w = note_split(value, n->a);
  bool sentence = amount && w.n >= SENTENCE && note_any_word_in(&w, verbs);
  return !note_word_in(label, metadata) && w.n &&
      (sentence || (is_amount(w.w[0].s) && !n->file.component.n));
}

/* Claims what prose says without what is struck: whoever reads the row reads its whole text. */
static void claim_prose(note_claims *out, const note_context *c, hm_str text, hm_arena *a) {
  hm_prose p;
  hm_prose_parse(&p, note_squeeze(text, a), subject_of_prose(c, a), c->file->families, a);
  for (size_t i = 0; i < p.n; i++) {
    const hm_prose_claim *v = &p.claims[i];
    bool plain = !v->denied && !v->also && !v->curated && !v->left.n && !v->dated.n;
    if (plain && !v->qualifier.n)
      note_claims_add(out, v->slot, v->reading, NOTE_SAID);
  }
}

static void tell_unread(hm_notes_told *told, uint32_t line, hm_notes_unread why) {
  told->unread[why]++;
  if (!told->keeps_unread)
    return;
  told->parts =
      hm_array_grow_in(told->a, told->parts, told->n_parts, &told->cap_parts, sizeof *told->parts);
  told->parts[told->n_parts++] = (hm_notes_unread_part){ line, why };
}

static int give_part(notes *n, const hm_doc_part *p, const note_part_reading *r, hm_arena *a) {
  if (p->kind == HM_DOC_HEADING && !r->claims.n)
    return 0;
  hm_str whole = n->whole[p - n->doc->parts];
  hm_notes_unread why = why_unread(n->doc, p, whole, &r->claims, a);
  if (why != HM_N_NOTES_UNREAD) {
    tell_unread(n->told, p->line, why);
    return 0;
  }
  /* what is past claims nothing but what points to a place of its own document */
  const char *type = r->context.past && !r->claims.n ? "episodic"
      : n->file.instructions                         ? "adaptation"
                                                     : "knowledge";
  hm_str text = p->kind == HM_DOC_CODE ? r->text : whole;
  if (p->kind == HM_DOC_CODE && !r->claims.n)
    text = note_code_row(n->doc, p, a);
  note_claims claims = r->claims;
  note_context context = r->context;
  bool prose = is_prose(n, p, r), part = !hm_str_eq(whole, p->text);
  if (prose)
    context.scope = HM_CAT(a, condition_of_prose(p, a), context.scope);
  if (prose && part && !context.past) {
    note_claims said = { .a = n->a };
    claim_prose(&said, &context, p->text, a);
    bool measured = true;
    for (size_t i = 0; i < claims.n; i++)
      measured &= claims.v[i].family == NOTE_MEASURED;
    claims = said.n && measured ? said : claims;
  }
  return give_row(n, p, p->line, context.headings, text, type,
                  rule_of(&context, &claims, prose && !part, a),
                  r->context.date.n ? r->context.date : n->date, r->settled, a);
}

/* What the tree says of a script that a part calls, of a file that it names or links to, each
 * once. */
static int give_lack(notes *n, uint32_t part, const hm_json *state, const note_part_reading *r,
                     bool follow) {
  if (r->context.past && !(follow && r->leads))
    return 0;
  hm_str id = hm_str_dup(n->a, hm_json_get_text(state, "id"));
  size_t before = n->seen.n;
  hm_map_add(&n->seen, id, 1);
  if (n->seen.n == before)
    return 0;
  n->place->number = n->doc->parts[part].line;
  return n->each(n->ctx, state);
}

/* --- the document ----------------------------------------------------------------------------- */

/* What a field of the front matter claims: the version of a program, a port, a branch. Fields that
 * are texts on the document itself claim nothing. */
static hm_str rule_of_field(notes *n, const hm_doc_field *f, hm_arena *a) {
  enum { LONGEST = 40 };
  static const char texts[] = "abstract|aliases|category|date|description|id|keywords|name|slug|"
                              "subject|summary|tags|title";
  hm_str key = note_lower(f->key, a);
  if (f->value.n > LONGEST || note_word_in(key, texts) || n->file.past || n->file.series)
    return HM_EMPTY;
  char *name = hm_str_z(a, key);
  for (char *at = name; *at; at++)
    *at = strchr("-_", *at) ? ' ' : *at;
  hm_doc_part p = { .kind = HM_DOC_ITEM, .line = f->line, .heading = HM_DOC_NONE };
  p.label = hm_str_c(name);
  p.text = HM_CAT(a, p.label, HM_STR(": "), f->value);
  p.value = (uint32_t)(p.text.n - f->value.n);
  p.item = HM_DOC_NONE;
  note_context c;
  note_context_read(&c, &n->file, n->doc, p.heading, a);
  note_claims claims = { .a = a };
  hm_str page = c.file->component.n ? HM_EMPTY : note_page_of_part(&c, a);
  if (c.past)
    return HM_EMPTY;
  if (page.n) /* "node: 20" of the part that the page is about */
    c.scope = HM_CAT(a, c.scope, page, HM_STR(" "));
  note_text text = note_text_of(p.text, a);
  if (n->file.instructions || note_is_page_of_whole(n->file.path, a))
    note_versions_read(&claims, &c, &p, &text);
  note_ports_read(&claims, &c, &p, p.text);
  note_branches_read(&claims, &c, &p, &text);
  return claims.n ? rule_of(&c, &claims, false, a) : HM_EMPTY;
}

static int read_fields(notes *n, hm_arena *a) {
  int rc = 0;
  for (size_t i = 0; i < n->doc->n_fields && !rc; i++) {
    const hm_doc_field *f = &n->doc->fields[i];
    hm_str text = HM_CAT(a, f->key, HM_STR(": "), f->value);
    bool said = f->value.n && !(n->file.instructions && note_is_switch_of_rule(f->key, a));
    if (!said || hm_has_placeholder(text, HM_OF_TEXT))
      continue;
    hm_str rule = rule_of_field(n, f, a);
    rc = give_row(n, NULL, f->line, HM_STR("---"), text, rule.n ? "knowledge" : "episodic", rule,
                  n->date, 0, a);
  }
  return rc;
}

static void tell_limits(notes *n) {
  n->told->unread[HM_NOTES_LIMITS] += (int64_t)n->doc->n_unread;
  if (!n->doc->n_unread)
    return;
  n->told->limit = n->doc->unread[0].why;
  n->told->limit_line = n->doc->unread[0].line;
  if (!n->told->a)
    return;
  hm_doc_unread *all = hm_alloc_array(n->told->a, n->doc->n_unread, sizeof *all);
  memcpy(all, n->doc->unread, n->doc->n_unread * sizeof *all);
  n->told->limits = all;
  n->told->n_limits = n->doc->n_unread;
}

/* A list of notes as Markdown: each line is an item. */
static hm_str items_of_lines(hm_str text, hm_arena *a) {
  hm_buf b = { 0 };
  while (text.n) {
    hm_str line = hm_str_trim(hm_str_next_line(&text));
    if (line.n && !strchr("-*+#", line.p[0]))
      hm_buf_c(&b, "- ");
    hm_buf_str(&b, line);
    hm_buf_ch(&b, '\n');
  }
  return hm_buf_take(&b, a);
}

int hm_notes_read(hm_record_place *place, hm_str path, hm_str text, bool list,
                  const hm_decisions *records, hm_record_each *each, void *ctx,
                  hm_notes_told *told) {
  hm_arena *a = hm_arena_new(), *work = hm_arena_new();
  hm_document doc;
  notes n = { .place = place, .each = each, .ctx = ctx, .told = told, .doc = &doc, .a = a };
  *told = (hm_notes_told){ .a = told->a,
                           .keeps_rows = told->keeps_rows,
                           .keeps_unread = told->keeps_unread,
                           .tree = told->tree,
                           .top = told->top,
                           .scripts = told->scripts,
                           .families = told->families };
  hm_doc_read(&doc, list ? items_of_lines(text, a) : text, a, work);
  note_file_read(&n.file, path, told->top, a);
  n.file.scripts = told->scripts;
  n.file.records = records;
  n.file.component = note_package_of(&n.file, a);
  n.file.families = told->families ? told->families : hm_families_prepare(NULL, a);
  note_file_read_document(&n.file, &doc, a);
  hm_map_init(&n.seen, a, doc.n);
  tell_limits(&n);
  note_written_read(&doc, &n.date, &n.author, a);
  note_record_read(&n.record, list ? NULL : records, &doc, text, path, a);
  int rc =
      n.record.record ? note_record_give(&n.record, &doc, place, each, ctx, a) : read_fields(&n, a);
  n.whole = note_unsaid_blank(&doc, a);
  note_calls_read(&n.calls, told->scripts, &doc, path, a);
  note_paths_read(&n.paths, told->scripts, &doc, path, a);
  note_anchors_read(&n.anchors, &doc, text, a);
  note_part_reading *v = hm_alloc_array(a, doc.n, sizeof *v);
  n.contexts = hm_alloc_array(a, doc.n + 1, sizeof *n.contexts);
  for (size_t i = 0; i < doc.n && !rc; i++)
    v[i] = read_part(&n, &doc.parts[i]);
  if (!rc)
    claim_anchors(&n, v);
  note_settle_lines(&doc, v, told);
  note_alternatives_drop(&doc, v, a);
  for (size_t i = 0; i < doc.n && !rc; i++) {
    hm_arena_reset(work);
    rc = give_part(&n, &doc.parts[i], &v[i], work);
  }
  for (size_t i = 0; i < n.calls.n && !rc; i++)
    rc = give_lack(&n, n.calls.v[i].part, note_calls_state(&n.calls.v[i], work),
                   &v[n.calls.v[i].part], false);
  for (size_t i = 0; i < n.paths.n && !rc; i++) {
    hm_arena_reset(work);
    rc = give_lack(&n, n.paths.v[i].part, note_paths_state(&n.paths.v[i], work),
                   &v[n.paths.v[i].part], n.paths.v[i].follow);
  }
  hm_arena_free(work);
  hm_arena_free(a);
  return rc;
}
