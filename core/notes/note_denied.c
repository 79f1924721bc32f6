/* What a project does without: "PowerShell, not Terraform", "Never use Redux", "Jest is no longer
 * used"; and the tools that a row or a label of a stack lists, "| IaC | Terraform + Ansible |".
 * Both claim whether the tool is used. Tools are those of the families of prose; what else a
 * sentence says of them, a condition or an example, keeps it silent. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/notes/notes_impl.h"

typedef struct {
  note_claims *out;
  const note_context *c;
  hm_str text;
  note_words w;
} reader;

static void claim(const reader *r, hm_str tool, const char *use) {
  hm_arena *a = r->out->a;
  note_claims_add(r->out,
                  HM_CAT(a, r->c->scope, r->c->file->component, HM_STR(" "), tool, HM_STR(" use")),
                  hm_str_c(use), NOTE_MEASURED);
}

/* --- what is not used --------------------------------------------------------------------------
 */

/* Is nothing of the name left behind its words: "not Terraform modules"? */
static bool ends_at(const reader *r, size_t end) {
  bool more = end < r->w.n && hm_str_is(r->w.w[end].s, "A"); /* "no Cloudflare A records" */
  return end >= r->w.n || !r->w.w[end].joined || (note_is_grammar(r->w.w[end].low) && !more);
}

/* What stands before the tool with which something is done. */
static const char links[] = "by|in|mit|through|using|via|with";

/* Does word i deny what follows: "not", "never use", "do not use", "avoid"? Then *next: behind
 * it. */
static bool denies(const reader *r, size_t i, size_t *next) {
  hm_str low = r->w.w[i].low;
  hm_str behind = i + 1 < r->w.n ? r->w.w[i + 1].low : HM_EMPTY;
  bool plain = note_word_in(low, "not|nicht") && i;
  bool use = note_word_in(behind, "use|using|add|install");
  bool told = note_word_in(low, "never|don't|don\xE2\x80\x99t") ||
      (plain && note_word_in(r->w.w[i - 1].low, "do|does"));
  bool with = plain && !r->w.w[i].joined && note_word_in(behind, links);
  *next = i + 1 + ((told && use) || with);
  return (told && use) || (plain && !r->w.w[i].joined) || (!i && hm_str_is(low, "no"));
}

/* "Jest is no longer used", "Terraform was retired": where that begins, behind the name. */
static bool is_denied_by(const reader *r, size_t i) {
  if (i + 1 >= r->w.n || !note_word_in(r->w.w[i].low, "is|are|was|were|has|isn't|wird|werden"))
    return false;
  if (hm_str_starts(r->w.w[i].low, "w") && i + 2 < r->w.n)
    return note_word_in(r->w.w[i + 1].low, "nicht") && i + 3 == r->w.n &&
        note_word_in(r->w.w[i + 2].low, "benutzt|eingesetzt|genutzt|verwendet");
  bool isnt = hm_str_is(r->w.w[i].low, "isn't");
  i += 1 + (i + 2 < r->w.n && note_word_in(r->w.w[i + 1].low, "been|now"));
  if (isnt)
    return note_word_in(r->w.w[i].low, "used");
  if (note_word_in(r->w.w[i].low, "dropped|removed|retired|unused"))
    return ends_at(r, i + 1);
  bool no =
      i + 2 < r->w.n && hm_str_is(r->w.w[i].low, "no") && hm_str_is(r->w.w[i + 1].low, "longer");
  bool never = i + 1 < r->w.n && hm_str_is(r->w.w[i].low, "not");
  size_t used = i + (no ? 2 : 1);
  return (no || never) && hm_str_is(r->w.w[used].low, "used") && ends_at(r, used + 1);
}

static void read_denied(const reader *r) {
  static const char doubts[] =
      "alternative|alternatively|although|before|but|consider|considered|could|e.g|either|example|"
      "except|for|here|if|in|instead|may|might|only|or|should|though|unless|until|when|whether|"
      "while|why|would|yet";
  hm_str tool;
  const char *family;
  size_t next, end;
  if (note_any_word_in(&r->w, doubts) || memchr(r->text.p, '?', r->text.n))
    return;
  for (size_t i = 0; i < r->w.n; i++) {
    bool begins = !i || strchr(".;", r->w.w[i].before);
    if (begins && note_tool_at(r->c, &r->w, r->text, i, &tool, &end, &family) &&
        is_denied_by(r, end))
      claim(r, tool, "unused");
    if (!denies(r, i, &next) || next >= r->w.n ||
        !note_tool_at(r->c, &r->w, r->text, next, &tool, &end, &family) || !ends_at(r, end))
      continue;
    claim(r, tool, "unused");
    i = end - 1;
  }
}

/* --- what is used ------------------------------------------------------------------------------
 */

/* What a document that is about the tool says of it is no choice. */
static void claim_used(const reader *r, hm_str tool) {
  hm_arena *a = r->out->a;
  hm_str about = note_lower(HM_CAT(a, r->c->file->path, HM_STR(" "), r->c->headings), a);
  if (hm_str_find(about, hm_str_z(a, tool)) < 0)
    claim(r, tool, "used");
}

/* Words by which something is not done so now, in the project itself. */
static const char others[] =
    "alternative|alternatives|avoid|ci|compatible|deprecated|dev|development|example|examples|"
    "excluded|external|future|integration|integrations|legacy|local|migration|mock|not|old|"
    "optional|options|out|planned|previous|rejected|scope|support|supported|test|testing|tests|"
    "why";

/* A route or a file uses nothing: "| `GET /fleet` | queue + rollup |". */
static bool is_of_now(hm_str key, hm_arena *a) {
  note_words w = note_split(key, a);
  return w.n && w.n <= 4 && !note_any_word_in(&w, others) && hm_str_find(key, "/") < 0 &&
      hm_str_find(key, ".") < 0;
}

/* "Terraform + Ansible": each of them is used. */
static void read_used(const reader *r, hm_str key) {
  enum { WORDS = 8 };
  static const char doubts[] =
      "any|e.g|either|if|instead|later|maybe|no|not|optional|or|planned|tbd";
  hm_str tool;
  const char *family;
  size_t end;
  if (!is_of_now(key, r->out->a) || r->w.n > WORDS || note_any_word_in(&r->w, doubts))
    return;
  for (size_t i = 0; i < r->w.n; i++) {
    bool begins = !i || !r->w.w[i].joined || hm_str_is(r->w.w[i - 1].low, "+");
    if (begins && note_tool_at(r->c, &r->w, r->text, i, &tool, &end, &family) &&
        (ends_at(r, end) || hm_str_is(r->w.w[end].low, "+")))
      claim_used(r, tool);
  }
}

/* "Code is formatted with Black.", "Gebaut wird mit Gradle." */
static void read_done_with(const reader *r) {
  enum { WORDS = 8 };
  static const char doubts[] =
      "can|could|e.g|either|if|may|might|once|only|or|should|when|will|would";
  hm_str tool;
  const char *family;
  size_t end, at = 1;
  bool done = false;
  if (r->w.n > WORDS || note_any_word_in(&r->w, others) || note_any_word_in(&r->w, doubts))
    return;
  for (; at < r->w.n && !(done && note_word_in(r->w.w[at].low, links)); at++)
    done |= note_word_in(r->w.w[at].low, "is|are|wird|werden");
  if (at + 1 < r->w.n && note_tool_at(r->c, &r->w, r->text, at + 1, &tool, &end, &family) &&
      end == r->w.n)
    claim_used(r, tool);
}

void note_denied_read(note_claims *out, const note_context *c, const hm_doc_part *p) {
  enum { LONGEST = 100 };
  reader r = { .out = out, .c = c, .text = p->text };
  bool row = p->kind == HM_DOC_ROW;
  if (!row && p->kind != HM_DOC_ITEM && p->kind != HM_DOC_SENTENCE)
    return;
  if (row && (p->n_cells < 2 || !p->cells[1].text.n))
    return;
  hm_str key = row ? p->cells[0].text : p->label;
  if (row || p->label.n)
    r.text = row ? p->cells[1].text : hm_str_trim(hm_str_sub(p->text, p->value, p->text.n));
  ptrdiff_t bracket = hm_str_find(r.text, " (");
  if (bracket > 0)
    r.text = hm_str_sub(r.text, 0, (size_t)bracket);
  bool denied = note_has_any(r.text,
                             "not|n't|n\xE2\x80\x99t|No |no |ever|nicht|retired|removed|"
                             "dropped|unused");
  bool listed = key.n && r.text.n <= LONGEST;
  bool done = !key.n && r.text.n <= LONGEST &&
      note_has_any(r.text, " by | in | mit | through | using | via | with ");
  if (!denied && !listed && !done)
    return;
  r.w = note_split(r.text, out->a);
  if (!r.w.n || r.w.n == NOTE_WORDS_MAX)
    return;
  hm_str heading = p->heading != HM_DOC_NONE ? note_heading_text(c->doc, p->heading) : HM_EMPTY;
  note_words above = note_split(heading, out->a);
  if (listed && !note_any_word_in(&above, others))
    read_used(&r, key);
  if (done)
    read_done_with(&r);
  if (denied && (!row || is_of_now(key, out->a)))
    read_denied(&r);
}
