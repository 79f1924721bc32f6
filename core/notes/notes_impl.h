/* Shared by the files of core/notes. Not for others.
 *
 * Floors, lowest first: note_words.c (tables of words), note_claim_list.c, note_heirs.c,
 * note_agents.c, note_written.c (when, by whom), note_file.c (what a path says), note_globs.c,
 * note_subject.c (what a part is about), note_doubt.c (of other times), note_hours.c (times of
 * day), note_measure.c (amounts), note_topic.c (what a value is about), note_programs.c,
 * note_condition.c, note_needs.c, note_versions.c, note_named.c, note_ports.c, note_settings.c,
 * note_whose.c (for whose project), note_command.c, note_tool.c, note_stack.c (tools of a project),
 * note_deed.c, note_branch.c, note_flow.c (how changes are merged and deployed), note_rule.c,
 * note_limit.c, note_count.c (how many), note_license.c, note_cells.c, note_told.c, note_frame.c,
 * note_sentence.c (texts without headings), note_claims.c (what it claims), note_alternatives.c,
 * note_config.c, note_unsaid.c (what it shows and does not state), what it points to and the tree
 * has not (lacks_impl.h), note_code.c, note_links.c, note_manifest.c, note_rows.c.
 */
#ifndef HM_NOTES_IMPL_H
#define HM_NOTES_IMPL_H
#include <string.h>

#include "core/base/credential.h"
#include "core/decision/series.h"
#include "core/markdown/document.h"
#include "core/notes/notes.h"
#include "core/prose/prose_families.h"
#include "core/tree/manifest.h"

/* --- words: note_words.c ------------------------------------------------------------------ */

/* A word of a text, without the stops and brackets around it. */
typedef struct {
  hm_str s, low; /* as written; ASCII letters small */
  uint32_t at;   /* its first byte in the text */
  bool joined;   /* nothing but white space stands between it and the word before */
  char before;   /* the last sign between them, or ' ' */
} note_word;
typedef struct {
  note_word *w;
  size_t n;
} note_words;
enum { NOTE_WORDS_MAX = 400 };
/* The words of text, at most NOTE_WORDS_MAX; dashes of Unicode separate words. In a. */
note_words note_split(hm_str text, hm_arena *a);
/* The text of a part and its words, which are split once for all of its readers. */
typedef struct {
  hm_str text;
  note_words words;
} note_text;
note_text note_text_of(hm_str text, hm_arena *a);
/* The beginning of t that ends behind `beginning`, a slice of its text from the first byte on. */
note_text note_text_until(const note_text *t, hm_str beginning);
/* The words of a name: "deploy", "ray", "md" of "deploy_ray.md". In a. */
note_words note_split_name(hm_str name, hm_arena *a);
/* Is a block of this language, or of none, one of commands? */
bool note_is_shell(hm_str language, hm_arena *a);
/* Or one of settings, and not a program? */
bool note_holds_settings(hm_str language, hm_arena *a);
/* Has it signs of code, of an address, a quotation, a question or an example? */
bool note_is_no_statement(hm_str text);
/* "[Install by PXE](pxe.md) - for machines without a disk": the title of another document. */
bool note_is_link_title(const hm_doc_part *p);
/* Has all of its text the mark? */
bool note_is_marked(const hm_doc_part *p, hm_doc_mark mark);
/* Is the word, in small letters, one of the words of list ("a|b|c")? Inline, so that compilers know
 * how long a list is. */
bool note_word_in_list(hm_str word, const char *list, size_t n);
static inline bool note_word_in(hm_str word, const char *list) {
  return note_word_in_list(word, list, strlen(list));
}
/* Does the text hold one of the texts of list, wherever and as written? */
bool note_has_any(hm_str text, const char *list);
bool note_any_word_in(const note_words *w, const char *list);
/* Is it, in small letters, a word with which a clause states nothing: "about", "unless"? */
bool note_is_doubt(hm_str low);
/* s with ASCII letters small, in a. */
hm_str note_lower(hm_str s, hm_arena *a);
/* s with single spaces, trimmed; in a. */
hm_str note_squeeze(hm_str s, hm_arena *a);
/* True for a heading that says nothing of what is below it: "Prerequisites", "Tech stack". */
bool note_heading_is_generic(hm_str heading, hm_arena *a);
/* True for a heading or a file's name under which nothing is said of now: "Changelog". */
bool note_heading_is_past(hm_str heading, hm_arena *a);
/* The same of the words of a name of a file. */
bool note_name_is_past(hm_str name, hm_arena *a);
/* "notify" of "Notify Service", "NOTIFY_SERVICE_PORT", "notify-service": folded, without the words
 * that only say what kind of thing it is. In a. */
hm_str note_component_name(hm_str name, hm_arena *a);

/* --- rows in versions of a document: note_heirs.c -------------------------------------------- */

/* What the row's id is a digest of, but for its number. In a. */
hm_str note_row_key(hm_str path, hm_str headings, hm_str text, hm_arena *a);
/* The id of the number-th row of this key. In a. */
hm_str note_row_id(hm_str key, uint32_t number, hm_arena *a);

/* --- what a path says of a document: note_file.c -------------------------------------------- */

typedef struct {
  hm_str path;
  hm_str component;  /* the folder of a part in which the file lies, or empty */
  bool library;      /* which is one of several that do not make one system */
  hm_str scope;      /* words of its path that keep it apart, each with a space behind; or empty */
  bool instructions; /* a file for agents: CLAUDE.md, AGENTS.md */
  bool past;         /* a log, a review, a plan, or shelved */
  bool shelved;      /* in an archive, a changelog, of others, generated: nobody keeps its links */
  bool trial;        /* how to test it, or in a folder of tests, demos or examples */
  bool series;       /* one of several that say the same of other things: "012-cache.md" */
  bool of_class;     /* about a class, by its name: "WebSocketServer.md" */
  bool clones;       /* it tells how to get the repository */
  hm_str of_type;    /* what of its scope are globs of files of one type, as "**" of Python */
  const hm_families *families; /* prepared: names of tools, regions, formats */
  const hm_scripts *scripts;   /* of the tree around it; NULL: nobody knows */
  const hm_decisions *records; /* of the tree; or NULL */
  size_t top;                  /* as it was given */
} note_file;
/* top: how many bytes of the path name the project itself (hm_tree_file). What the document and the
 * tree say is not set. */
size_t note_first_folder(hm_str path); /* its bytes, with the slash */
void note_file_read(note_file *f, hm_str path, size_t top, hm_arena *a);
/* Does it stand in a folder of what tests read? That is about no project. */
bool note_is_test_data(hm_str path, hm_arena *a);
/* Does the word of a path or a heading (note_environment) keep what it is about apart: "staging",
 * "v2"? */
bool note_keeps_apart(hm_str word);
/* Word i, of an environment the one word for it: "production" of "prod". */
hm_str note_environment(const note_words *w, size_t i);
/* The scope with this word before it, unless it has it, or there is none. In a. */
hm_str note_scope_with(hm_str scope, hm_str word, hm_arena *a);
/* Is it about what people do who only use the thing: "For users", "Admin guide"? What is for
 * developers is for whoever reads documents of a project. */
bool note_is_for_users(const note_words *w, hm_arena *a);
/* Is what stands below a folder or a heading with such a name about one place or person each? */
bool note_names_places(const note_words *w);
/* Takes the globs of a rule for agents, from its front matter, into its scope. note_globs.c */
void note_globs_read(note_file *f, const hm_document *doc, hm_arena *a);
/* Does it show how others may do it: a template, an example? */
bool note_is_pattern(hm_str path, hm_arena *a);
/* Does the key of front matter say when and where a rule for agents holds, and nothing itself? */
bool note_is_switch_of_rule(hm_str key, hm_arena *a);
/* "@docs/style.md @docs/more.md": nothing but documents to read? */
bool note_is_import(hm_str text);
/* Is a page of this name about the whole: README.md, setup.md? What it says of nobody by name is
 * the project's. */
bool note_is_page_of_whole(hm_str path, hm_arena *a);
/* Is it a file of instructions for agents: CLAUDE.md, a rule of .cursor? note_agents.c */
bool note_is_for_agents(hm_str path, hm_arena *a);
/* When the document was written last, "2026-03-01", and by whom, as it says; empty: it does not. In
 * a. note_written.c */
void note_written_read(const hm_document *doc, hm_str *date, hm_str *author, hm_arena *a);

/* --- what a part is about: note_subject.c -------------------------------------------------- */

/* What the document itself says of it: the globs of a rule for agents, that it is of the past. */
void note_file_read_document(note_file *f, const hm_document *doc, hm_arena *a);

typedef struct {
  const note_file *file;
  const hm_document *doc;
  hm_str headings;  /* of the document, joined */
  hm_str subject;   /* the nearest heading that names a thing, or the component, or empty */
  hm_str part;      /* the component that this heading names, folded, or empty */
  uint32_t heading; /* the nearest one, in doc; or HM_DOC_NONE */
  hm_str scope;     /* such words of headings and of the path; or empty */
  hm_str title;     /* of the document, which may be the name of the project */
  hm_str date;      /* of the nearest heading that has one, or empty */
  bool past;
} note_context;
/* The text of a heading, of a long one its beginning: it is read for each heading below. */
hm_str note_heading_text(const hm_document *doc, uint32_t heading);
/* Of what stands below the heading of doc; HM_DOC_NONE: above all of them. In a. */
void note_context_read(note_context *c, const note_file *f, const hm_document *doc,
                       uint32_t heading, hm_arena *a);
/* Adds what the head of a table says of its rows: "Value in production". */
void note_context_add_head(note_context *c, const hm_doc_part *row, hm_arena *a);

/* The heading above that keeps the version of a program apart, folded, with a space behind: one
 * beside it gives the program another one, "Auth service" and "Billing service". Empty: none does.
 * In a. */
hm_str note_section_of(const note_context *c, hm_str name, hm_str version, hm_arena *a);
/* Is the word, in small letters, a topic of the whole project: "security", "hosting"? */
bool note_is_topic_of_whole(hm_str low, hm_arena *a);
/* The part that a document below "docs" or the like is about by its name, "analytics" of
 * "docs/analytics.md"; empty: a topic of the whole, "docs/hosting.md". In a. */
hm_str note_page_of_part(const note_context *c, hm_arena *a);
/* The same, but for a file in a folder at the top that folder; empty: the whole speaks. In a. */
hm_str note_part_that_speaks(const note_context *c, hm_arena *a);
/* How many words at word i are the name of the project: the title of the document or of the README;
 * 0: it does not stand there. */
size_t note_project_at(const note_context *c, const note_words *w, size_t i);

/* --- links: note_links.c ------------------------------------------------------------------- */

enum { NOTE_LINKS_MAX = 8 };
/* The notes of the tree to which links of the part of the document at path lead: "PATH",
 * "PATH#HEADING"; at most NOTE_LINKS_MAX, each once. t: NULL: none. In a. */
size_t note_links_read(const hm_tree *t, hm_str path, const hm_doc_part *p, hm_str *out,
                       hm_arena *a);

/* --- amounts: note_measure.c ----------------------------------------------------------------- */

/* The number that a word in small letters is, "nine", "neuf"; 0: none. */
unsigned note_number_word(hm_str word);

/* Words [from, to) are an amount; value: in one spelling. dimension: "duration", "interval",
 * "size", "time" (of day), "times", "count" (of what stands behind it), "number" ... */
typedef struct {
  hm_str value;
  const char *dimension;
  size_t from, to;
} note_measure;
/* The amount at word i; false: none. In a. */
bool note_measure_at(const note_words *w, size_t i, note_measure *m, hm_arena *a);
/* A time of day, hours from one to another, or a telephone number. note_hours.c */
bool note_hours_at(const note_words *w, size_t i, note_measure *m, hm_arena *a);
/* "Every Monday", "in October", "on the 15th of each month" at word i. note_hours.c */
bool note_day_at(const note_words *w, size_t i, note_measure *m, hm_arena *a);
/* The person, the place or the permission of a sentence; false: none. note_told.c. May
 * a word, in small letters, tell one? */
bool note_told_read(const note_words *w, note_measure *m, hm_arena *a);
bool note_may_tell(hm_str low);
/* Does the sentence tell what was done once, what goes on, or what is not done? */
bool note_tells_deed(const note_words *w);
/* A value and all that its sentence says beside it, as hm_sentence_claim has it. */
typedef struct {
  hm_str slot, called;
  note_measure value;
} note_frame;
enum { NOTE_FRAMES_MAX = 3 };
/* Is it an article or a word of being, in any language that is known, in small letters? */
bool note_is_silent(hm_str low);
/* The frames of a sentence, at most NOTE_FRAMES_MAX, in out; 0: it has none. subject: how many
 * words before it name what it is about. In a. note_frame.c */
size_t note_frames_read(const note_words *w, size_t subject, hm_arena *a, note_frame *out);
/* The name of a unit, and of what; NULL: it is none. */
const char *note_unit_of_word(hm_str word, const char **dimension);

/* --- topics: note_topic.c --------------------------------------------------------------------- */

enum { NOTE_TOPIC_MAX = 12 };
/* What a value is about. Initialize with { .a = ... }. */
typedef struct {
  hm_str v[NOTE_TOPIC_MAX + 1]; /* stems */
  size_t n;
  bool identifier;  /* has a name that nothing else has: "LOAN_DAYS", "raw.sales" */
  hm_str last_part; /* the stem of the last word of that name */
  bool row;         /* it is the row of a table, or a label, whose key says all */
  hm_arena *a;
} note_topic;
/* Is it a word of grammar, which is no word of a topic? In small letters. */
bool note_is_grammar(hm_str low);
/* The stem under which a word, in small letters, is compared; empty: a word of grammar. In a. */
hm_str note_topic_stem(hm_str low, hm_arena *a);
/* Says the stem no more than this dimension? */
bool note_is_implied(hm_str stem, const char *dimension);
/* "LOAN_DAYS", "raw.sales", "maxRetries". */
bool note_is_identifier(hm_str s);
/* Says the stem how much, and not of what: "maximum", "total"? */
bool note_is_bound(hm_str stem);
/* Adds a word, as written and small; word i of a text. */
void note_topic_add(note_topic *t, hm_str word, hm_str low);
void note_topic_add_word(note_topic *t, const note_words *w, size_t i);
/* Adds what the context says, takes out words that say no more than the dimension, where `least`
 * are left. Returns how many there are beside those of the context; over NOTE_TOPIC_MAX: too many.
 */
size_t note_topic_finish(note_topic *t, const note_context *c, const char *dimension, size_t least);
/* Names the heading a thing which has amounts of its own: "Mail service", "Berlin office"? */
bool note_heading_keeps_apart(hm_str heading, hm_arena *a);
/* The name of its slot: its stems, sorted, and the dimension. In t->a. */
hm_str note_topic_slot(note_topic *t, const char *dimension);

/* --- conditions: note_condition.c ------------------------------------------------------------- */

/* The word for the condition under which alone a sentence holds: "In production the API ...",
 * "Locally, ...", "**Staging**: ...", "... in CI"; anywhere: also of a place that no list knows,
 * "On `beet` runs ...". Empty: there is none. In a. */
hm_str note_condition_of(const hm_doc_part *p, const note_text *t, bool anywhere, hm_arena *a);

/* --- what it claims: note_claims.c, note_versions.c, note_settings.c, note_license.c
 * ------------------------ */

/* Settings, labels and commands, and amounts (note_cells.c): a document that gives several
 * values of one slot in this form shows alternatives. */
typedef enum { NOTE_SAID, NOTE_SETTING, NOTE_MEASURED, NOTE_DROPPED } note_family;
typedef struct {
  hm_str slot, value;
  bool by_words; /* the slot is made of stems of the words of the text */
  note_family family;
} note_claim;
typedef struct {
  note_claim *v;
  size_t n, cap;
  hm_arena *a;
} note_claims;
void note_claims_add(note_claims *c, hm_str slot, hm_str value, note_family family);
void note_claims_add_words(note_claims *c, hm_str slot, hm_str value, note_family family);
/* Takes out the claims that are NOTE_DROPPED. */
void note_claims_keep(note_claims *c);
/* Versions of known programs: "Node.js 20+", "Python >= 3.10 and < 3.14". */
void note_versions_read(note_claims *out, const note_context *c, const hm_doc_part *p,
                        const note_text *t);
/* The program whose name begins at word i, by its longest one, as slots call it; *dotted: its name
 * is an everyday word, so that its version must have a dot. Returns its words; 0: none does. */
size_t note_program_at(const note_words *w, size_t i, const char **slot, bool *dotted);
bool note_names_program(const note_words *w);
/* The program that a package of this name is, as slots call it; NULL: it is none that is known. */
const char *note_program_of_package(hm_str name);
/* Whose a version is: note_needs.c. The number of a version at the beginning of s, its length; 0:
 * none. "20", "3.10", "22.x". */
size_t note_version_length(hm_str s);
/* "ESLint 9 requires Node 20+" says what ESLint needs. */
bool note_is_need_of_another(const note_words *w);
/* "`ipc-napi` requires Rust 1.88": what a thing needs that is named in code. */
bool note_is_need_of_span(const note_context *c, const hm_doc_part *p, hm_arena *a);
/* Is the program at word i in a sentence whose subject is another thing than the project: "macOS
 * ships with Python"? *owner: the name of its component; empty: nobody uses it. */
bool note_version_has_owner(const note_context *c, const note_words *w, size_t i, hm_str *owner,
                            hm_arena *a);
/* Versions of programs in a line of code: of an image, of "nvm use 20". */
void note_version_line_read(note_claims *out, const note_context *c, hm_str line);
/* The number of 4 or 5 digits at the beginning of s that may be a port; empty: none. */
hm_str note_port_at(hm_str s);
/* "localhost:3000", "(Port: 3007", "on :5000" in the text. *at: where that begins. */
hm_str note_port_in(hm_str text, size_t *at, hm_arena *a);
/* Claims the port of what has the name, a component's (note_component_name). A document that gives
 * several values shows ways to run it, as with settings. */
void note_port_add(note_claims *out, const note_context *c, hm_str name, hm_str port);
/* Ports of a part, and of a line of code. note_ports.c */
void note_ports_read(note_claims *out, const note_context *c, const hm_doc_part *p, hm_str text);
void note_ports_read_line(note_claims *out, const note_context *c, const hm_doc_part *p,
                          hm_str text);
/* Settings and ports of a part. */
void note_settings_read(note_claims *out, const note_context *c, const hm_doc_part *p, hm_str text);
/* Amounts in the cells of a row. note_cells.c */
void note_cells_read(note_claims *out, const note_context *c, const hm_doc_part *p);
/* "API calls fail: the port is 8000", "the 73 second timeout issue": is the amount of what went
 * wrong? */
bool note_is_of_trouble(const note_words *w, const note_measure *m);
/* Numbers that a repository has once, and those of what the first cell of a row names. */
void note_counts_read(note_claims *out, const note_context *c, const hm_doc_part *p,
                      const note_text *t);
/* Adds the claim that the amount of what the words in t say is m. least: how many words must do
 * so. note_named.c */
void note_claim_amount(note_claims *out, const note_context *c, note_topic *t, note_measure *m,
                       size_t least);
/* A name in a span of code that nothing else has: "maxRetries", "probes.path", "fast-search". */
bool note_is_key(hm_str s);
/* "MAX_UPLOAD_MB": a key that needs no code. */
bool note_is_variable(hm_str s);
/* The value of what has a name of its own, unless somebody sets another: "maxRetries", "5". p: the
 * row in which it stands; NULL: none. */
void note_named_value_read(note_claims *out, const note_context *c, const hm_doc_part *p,
                           hm_str name, hm_str value);
/* Claims that the setting `key` has that value, a word, an amount, or on or off, unless somebody
 * sets another. */
void note_default_claim(note_claims *out, const note_context *c, hm_str key, hm_str value);
/* Stands below a heading what holds so: "Default values"? heading: in doc, or HM_DOC_NONE. */
bool note_tells_defaults(const hm_document *doc, uint32_t heading, hm_arena *a);
/* "The default `maxRetries` is `5`", "On by default". */
void note_defaults_read(note_claims *out, const note_context *c, const hm_doc_part *p,
                        const note_text *t);
/* The tool that a command is, of a line of code; and of commands in a sentence. */
void note_command_read(note_claims *out, const note_context *c, const hm_doc_part *p, hm_str line);
void note_commands_read(note_claims *out, const note_context *c, const hm_doc_part *p,
                        const note_text *t);
/* Is the name of a tool at word i, by its longest spelling? *usual: its first one; *end: the word
 * behind it; *family: the first of its families. note_tool.c */
bool note_tool_at(const note_context *c, const note_words *w, hm_str text, size_t i, hm_str *usual,
                  size_t *end, const char **family);
/* Is there one in the text? Most have none. note_tool.c */
bool note_names_tool(const note_context *c, const note_text *t);
/* Does the head of a column, in small letters, say no more than that it holds values? note_cells.c
 */
bool note_head_is_plain(hm_str head);
/* "Key" of "Key: value" and "**Key:** value" in small letters; empty: it is no short label. */
hm_str note_label_of(const hm_doc_part *p, hm_str *value, hm_arena *a);
/* The text up to where it only tells more: "; ", ", so ", ", which ". note_words.c */
hm_str note_first_clause(hm_str text);
/* The next sentence of a text, cut off; a line ends one. In a bracket a number may stand behind a
 * stop: "(max. 40 kW)". note_words.c */
hm_str note_next_sentence(hm_str *text);
/* Which tool a project has for what: "linter = biome". note_stack.c */
void note_stack_read(note_claims *out, const note_context *c, const hm_doc_part *p);
/* The same of a sentence that names a tool: "Lint with Biome". */
void note_stack_read_sentence(note_claims *out, const note_context *c, const note_text *t);
bool note_is_of_family(const note_context *c, hm_str tool, const char *family);
/* Claims the tool, or another name, for the slot of the part that speaks. */
void note_stack_claim(note_claims *out, const note_context *c, const char *slot, hm_str thing);
/* The first sentence of an item; empty: the next one limits it, "Not in web/, which has another".
 */
hm_str note_first_sentence(hm_str text, hm_arena *a);
/* What is done with which tool, "Pages are cached in Memcached", in a text that names one.
 * note_deed.c */
void note_deeds_read(note_claims *out, const note_context *c, const hm_doc_part *p,
                     const note_text *t);
/* Where a part of the project runs, by a row or a label: "Hosting of the site: Netlify". */
void note_hosts_read(note_claims *out, const note_context *c, const hm_doc_part *p);
/* How branches for features begin, the default branch, that of pull requests, and from which one
 * others begin. note_branch.c */
void note_branches_read(note_claims *out, const note_context *c, const hm_doc_part *p,
                        const note_text *t);
/* The branch at word i, perhaps behind an article, if it is one of names ("main|develop") and not
 * one of several. Empty: there is none. */
hm_str note_branch_at(const note_words *w, size_t i, const char *names);
/* Claims what a project does with its branches, of the part that speaks. */
void note_branch_claim(note_claims *out, const note_context *c, hm_str what, hm_str value);
/* How pull requests are merged, and from which branch an environment is deployed. note_flow.c */
void note_flow_read(note_claims *out, const note_context *c, const hm_doc_part *p,
                    const note_text *t);
/* What is always done, or never. note_rule.c */
void note_rules_read(note_claims *out, const note_context *c, const hm_doc_part *p,
                     const note_text *t);
/* Limits: "Access tokens live 15 minutes", "| Log retention | 90 days |". note_limit.c */
void note_limits_read(note_claims *out, const note_context *c, const hm_doc_part *p, hm_str text);
/* The license of the project. */
void note_license_read(note_claims *out, const note_context *c, const hm_doc_part *p);
/* All that the part claims. text: its own, of a line of code without what draws a tree. */
void note_claims_read(note_claims *out, const note_context *c, const hm_doc_part *p, hm_str text);

/* --- what a document gives several values of: note_alternatives.c -------------------------------
 */

/* A part with what it is about and what it claims. */
typedef struct {
  note_context context;
  note_claims claims;
  hm_str text;
  bool repeated;    /* its label comes with other values, too */
  bool leads;       /* its links are there to be followed */
  uint32_t settled; /* the number of its hm_notes_settled, from 1; 0: it is not */
} note_part_reading;
/* Takes out claims of alternatives, and marks the rows whose label is repeated. v: of each part. */
void note_alternatives_drop(const hm_document *doc, note_part_reading *v, hm_arena *a);

/* --- whose project a command is for: note_whose.c -------------------------------------------- */

/* "the `web-tests` repository", where it is not this one; "the main repository". */
bool note_names_repository(const hm_scripts *scripts, hm_str text, hm_arena *a);
/* The text that leads in to the part: a sentence above its list, table or block, ending in ':'. */
hm_str note_lead_of(const hm_document *doc, uint32_t part);
/* Is the part for the project of whoever reads it, as its lead-in says, or a line of code that a
 * file has to hold, which the heading names? */
bool note_is_for_reader(const hm_document *doc, uint32_t part, hm_arena *a);
/* The words of a line of a shell without its comment; none of a line that is one. In a. */
note_words note_command_words(hm_str line, hm_arena *a);
/* Does a command begin at word i: "$ a && sudo b | c"? */
bool note_command_begins(const note_words *w, size_t i);
/* Is the command done on another machine or in another folder, or with what it fetches? */
bool note_works_away(hm_str low);
/* "npm install -D NAME" of a package that the tree holds: where it is used, and not here. */
bool note_installs_own(const hm_scripts *scripts, hm_str line, hm_arena *a);
/* "git clone URL" of a repository whose name neither a package nor the real path `folder` of the
 * document has: what follows is done in that. */
bool note_clones_other(const hm_scripts *scripts, hm_str folder, hm_str line, hm_arena *a);
/* The component of the file where the tree tells it, too: the folder of a package. */
hm_str note_package_of(const note_file *f, hm_arena *a);
/* Does the line of the part p, or a line near above it in its block, change the folder? *folder:
 * the one that it enters, "web/app" of "cd ./web/app"; empty: nobody knows, or it leads up. */
bool note_folder_run(const hm_document *doc, const hm_doc_part *p, hm_str line, hm_str *folder,
                     hm_arena *a);
/* The component in which a command is run: that of the file, or of the folder that is entered. */
hm_str note_component_run(const note_context *c, hm_str folder, hm_arena *a);
/* Is it run in a folder, and not at the top, where a lock file of that manager lies? changes,
 * folder: of note_folder_run. */
bool note_is_locked(const note_context *c, bool changes, hm_str folder, hm_str tool, hm_arena *a);
enum { NOTE_PATH_LENGTH = 1000 }; /* bytes of a path that is looked for */
/* Does the span, the next one behind the command, say where it is run: "`CMD` in `web/app`"? */
bool note_is_where(hm_str text, const hm_doc_span *command, const hm_doc_span *span);

/* --- what it shows and does not state: note_unsaid.c --------------------------------------------
 */

/* Blanks struck text, the words for pictures and the output of commands in the parts of doc, but
 * for headings, and takes out marks of struck text. Returns the whole text of each part. In a. */
hm_str *note_unsaid_blank(hm_document *doc, hm_arena *a);

/* --- lines of code that are rows: note_code.c ------------------------------------------------- */

/* Does the part end in ':', and does a list, a table or code follow? Before code also "..., run".
 */
bool note_leads_in(const hm_document *doc, const hm_doc_part *p);
/* The text of the row that a line of code is by itself; empty: it is none. In a. */
hm_str note_code_row(const hm_document *doc, const hm_doc_part *p, hm_arena *a);

/* --- other times, and other files: note_doubt.c ------------------------------------------------
 */

/* Lies the document in a copy of another repository (hm_tree_files_copied), or has a program
 * written it from the description of an interface? */
bool note_is_of_others(const hm_scripts *scripts, hm_str path, hm_arena *a);
/* Does the text speak of what is to come, is gone or is somebody's to fill in? */
bool note_is_doubtful(hm_str text, hm_arena *a);
/* Do the text, or the headings above it, speak of what was or will be, or show how it may be? */
bool note_is_of_other_time(hm_str text, hm_str headings, hm_arena *a);
/* The same by other words ("a|b"). */
bool note_says_any(hm_str text, hm_str headings, const char *words, hm_arena *a);

/* --- files beside the documents: note_config.c -------------------------------------------------
 */

/* The port of the service to which a line of code belongs that is its only mapping of ports. */
void note_mapping_read(note_claims *out, const note_context *c, const hm_doc_part *p);
/* What a compose file or an example of settings sets, by the file's name; in a. Nothing for others.
 */
void note_config_read(hm_str path, size_t top, hm_str bytes, hm_arena *a, hm_tree_state **out,
                      size_t *n);

/* --- records of decisions: note_decision.c ---------------------------------------------------- */

typedef struct {
  const hm_decisions *all;
  const hm_decision_record *record; /* NULL: the document is none */
  hm_decision decision;
} note_record;
void note_record_read(note_record *r, const hm_decisions *records, const hm_document *doc,
                      hm_str text, hm_str path, hm_arena *a);
/* Gives its Decision, and a relation for each record that it supersedes or amends, or that does so
 * with it. Returns what each returned. */
int note_record_give(const note_record *r, const hm_document *doc, hm_record_place *place,
                     hm_record_each *each, void *ctx, hm_arena *a);
/* Does the part say nothing of now: all of a record that is not in force, and of others what is not
 * the decision itself? */
bool note_is_history(const note_record *r, const hm_document *doc, size_t part);
#endif
