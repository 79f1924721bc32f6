/* A part of a document: what it is about, whose project it is for, and what it claims. The readers
 * of claims are in passage_impl.h.
 *
 * Order of calls: note_file_read, note_file_read_document once; note_context_read for each heading,
 * note_context_add_head on a copy of it for each part; then note_claims_read. */
#ifndef HM_PASSAGE_H
#define HM_PASSAGE_H
#include "core/decision/series.h"
#include "core/prose/prose_families.h"
#include "core/tree/manifest.h"
#include "core/tree/scripts.h"
#include "core/words/words.h"

/* --- what a path says of a document: file.c --------------------------------------------------- */

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
/* The component in whose folder the document lies: "web" of "apps/web/README.md", *folder:
 * "apps/web"; empty: it is about the whole. from_top: the path is one from the top of a project,
 * else its first folder may be the project itself. In a. */
hm_str note_component_of(hm_str path, bool from_top, hm_arena *a, hm_str *folder);
size_t note_first_folder(hm_str path); /* its bytes, with the slash */
/* top: how many bytes of the path name the project itself (hm_tree_file). What the document and the
 * tree say is not set. */
void note_file_read(note_file *f, hm_str path, size_t top, hm_arena *a);
/* Does it stand in a folder of what tests read? That is about no project. */
bool note_is_test_data(hm_str path, hm_arena *a);
/* Does it show how others may do it: a template, an example? */
bool note_is_pattern(hm_str path, hm_arena *a);
/* Is a page of this name about the whole: README.md, setup.md? What it says of nobody by name is
 * the project's. */
bool note_is_page_of_whole(hm_str path, hm_arena *a);

/* --- rules for some files: globs.c ------------------------------------------------------------ */

/* Does the key of front matter say when and where a rule for agents holds, and nothing itself? */
bool note_is_switch_of_rule(hm_str key, hm_arena *a);

/* --- files of instructions: agents.c ---------------------------------------------------------- */

/* "@docs/style.md @docs/more.md": nothing but documents to read? */
bool note_is_import(hm_str text);
/* Is it a file of instructions for agents: CLAUDE.md, a rule of .cursor? */
bool note_is_for_agents(hm_str path, hm_arena *a);

/* --- what a part is about: subject.c ---------------------------------------------------------- */

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
/* Of what stands below the heading of doc; HM_DOC_NONE: above all of them. In a. */
void note_context_read(note_context *c, const note_file *f, const hm_document *doc,
                       uint32_t heading, hm_arena *a);
/* Adds what the head of a table says of its rows: "Value in production". */
void note_context_add_head(note_context *c, const hm_doc_part *row, hm_arena *a);
/* The part that a document below "docs" or the like is about by its name, "analytics" of
 * "docs/analytics.md"; empty: a topic of the whole, "docs/hosting.md". In a. */
hm_str note_page_of_part(const note_context *c, hm_arena *a);

/* --- conditions: condition.c ------------------------------------------------------------------ */

/* The word for the condition under which alone a sentence holds: "In production the API ...",
 * "Locally, ...", "**Staging**: ...", "... in CI"; anywhere: also of a place that no list knows,
 * "On `beet` runs ...". Empty: there is none. In a. */
hm_str note_condition_of(const hm_doc_part *p, const note_text *t, bool anywhere, hm_arena *a);

/* --- claims: claim_list.c --------------------------------------------------------------------- */

/* Settings, labels and commands, and amounts (cells.c): a document that gives several
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
/* Adds it once, unless one of both is empty; both are borrowed. */
void note_claims_add(note_claims *c, hm_str slot, hm_str value, note_family family);
/* Takes out the claims that are NOTE_DROPPED. */
void note_claims_keep(note_claims *c);

/* --- versions: versions.c --------------------------------------------------------------------- */

/* Versions of known programs: "Node.js 20+", "Python >= 3.10 and < 3.14". */
void note_versions_read(note_claims *out, const note_context *c, const hm_doc_part *p,
                        const note_text *t);

/* --- ports: ports.c --------------------------------------------------------------------------- */

/* Ports of a part, and of a line of code. */
void note_ports_read(note_claims *out, const note_context *c, const hm_doc_part *p, hm_str text);

/* --- values with a name: named.c -------------------------------------------------------------- */

/* A name in a span of code that nothing else has: "maxRetries", "probes.path", "fast-search". */
bool note_is_key(hm_str s);
/* "MAX_UPLOAD_MB": a key that needs no code. */
bool note_is_variable(hm_str s);

/* --- cells: cells.c --------------------------------------------------------------------------- */

/* Does the head of a column, in small letters, say no more than that it holds values? */
bool note_head_is_plain(hm_str head);

/* --- branches: branch.c ----------------------------------------------------------------------- */

/* How branches for features begin, the default branch, that of pull requests, and from which one
 * others begin. */
void note_branches_read(note_claims *out, const note_context *c, const hm_doc_part *p,
                        const note_text *t);

/* --- all that a part claims: claims.c --------------------------------------------------------- */

/* All that the part claims. text: its own, of a line of code without what draws a tree. */
void note_claims_read(note_claims *out, const note_context *c, const hm_doc_part *p, hm_str text);

/* --- whose project a command is for: whose.c -------------------------------------------------- */

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
enum { NOTE_PATH_LENGTH = 1000 }; /* bytes of a path that is looked for */
/* Does the span, the next one behind the command, say where it is run: "`CMD` in `web/app`"? */
bool note_is_where(hm_str text, const hm_doc_span *command, const hm_doc_span *span);

/* --- other times, and other files: doubt.c ---------------------------------------------------- */

/* Does the text speak of what is to come, is gone or is somebody's to fill in? */
bool note_is_doubtful(hm_str text, hm_arena *a);
/* Do the text, or the headings above it, speak of what was or will be, or show how it may be? */
bool note_is_of_other_time(hm_str text, hm_str headings, hm_arena *a);
/* The same by other words ("a|b"). */
bool note_says_any(hm_str text, hm_str headings, const char *words, hm_arena *a);

/* --- files beside the documents: config.c ----------------------------------------------------- */

/* What a compose file or an example of settings sets, by the file's name; in a. Nothing for others.
 */
void note_config_read(hm_str path, size_t top, hm_str bytes, hm_arena *a, hm_tree_state **out,
                      size_t *n);
#endif
