/* The readers of claims, shared by the files of core/passage. Not for others.
 *
 * Floors, lowest first: claim_list.c, agents.c, file.c (what a path says), globs.c, doubt.c (of
 * other times), subject.c (what a part is about), condition.c, needs.c, versions.c, named.c,
 * ports.c, whose.c (for whose project), settings.c, command.c, tool.c, stack.c (tools of a
 * project), deed.c, branch.c, flow.c (how changes are merged and deployed), rule.c, cells.c,
 * limit.c, count.c (how many), license.c, config.c, claims.c (all of them). */
#ifndef HM_PASSAGE_IMPL_H
#define HM_PASSAGE_IMPL_H
#include "core/passage/passage.h"

/* --- rules for some files: globs.c ------------------------------------------------------------ */

/* Takes the globs of a rule for agents, from its front matter, into its scope. */
void note_globs_read(note_file *f, const hm_document *doc, hm_arena *a);

/* --- what a part is about: subject.c ---------------------------------------------------------- */

/* The text of a heading, of a long one its beginning: it is read for each heading below. */
hm_str note_heading_text(const hm_document *doc, uint32_t heading);
/* The heading above that keeps the version of a program apart, folded, with a space behind: one
 * beside it gives the program another one, "Auth service" and "Billing service". Empty: none does.
 * In a. */
hm_str note_section_of(const note_context *c, hm_str name, hm_str version, hm_arena *a);
/* Is the word, in small letters, a topic of the whole project: "security", "hosting"? */
bool note_is_topic_of_whole(hm_str low, hm_arena *a);
/* As note_page_of_part, but for a file in a folder at the top that folder; empty: the whole speaks.
 * In a. */
hm_str note_part_that_speaks(const note_context *c, hm_arena *a);
/* note_topic_finish with the heading and the scope of the context. */
size_t note_topic_finish_in(note_topic *t, const note_context *c, const char *dimension,
                            size_t least);
/* How many words at word i are the name of the project: the title of the document or of the README;
 * 0: it does not stand there. */
size_t note_project_at(const note_context *c, const note_words *w, size_t i);

/* --- claims: claim_list.c --------------------------------------------------------------------- */

/* A claim whose slot is made of stems of the words of the text. */
void note_claims_add_words(note_claims *c, hm_str slot, hm_str value, note_family family);

/* --- whose a version is: needs.c -------------------------------------------------------------- */

/* The length of the number of a version at the beginning of s, "20", "3.10", "22.x"; 0: none. */
size_t note_version_length(hm_str s);
/* "ESLint 9 requires Node 20+" says what ESLint needs. */
bool note_is_need_of_another(const note_words *w);
/* "`ipc-napi` requires Rust 1.88": what a thing needs that is named in code. */
bool note_is_need_of_span(const note_context *c, const hm_doc_part *p, hm_arena *a);
/* Is the program at word i in a sentence whose subject is another thing than the project: "macOS
 * ships with Python"? *owner: the name of its component; empty: nobody uses it. */
bool note_version_has_owner(const note_context *c, const note_words *w, size_t i, hm_str *owner,
                            hm_arena *a);

/* --- versions: versions.c --------------------------------------------------------------------- */

/* Versions of programs in a line of code: of an image, of "nvm use 20". */
void note_version_line_read(note_claims *out, const note_context *c, hm_str line);

/* --- ports: ports.c --------------------------------------------------------------------------- */

/* The number of 4 or 5 digits at the beginning of s that may be a port; empty: none. */
hm_str note_port_at(hm_str s);
/* "localhost:3000", "(Port: 3007", "on :5000" in the text. *at: where that begins. */
hm_str note_port_in(hm_str text, size_t *at, hm_arena *a);
/* Claims the port of what has the name, a component's (note_component_name). A document that gives
 * several values shows ways to run it, as with settings. */
void note_port_add(note_claims *out, const note_context *c, hm_str name, hm_str port);
void note_ports_read_line(note_claims *out, const note_context *c, const hm_doc_part *p,
                          hm_str text);

/* --- settings: settings.c --------------------------------------------------------------------- */

/* Settings and ports of a part. */
void note_settings_read(note_claims *out, const note_context *c, const hm_doc_part *p, hm_str text);

/* --- cells: cells.c --------------------------------------------------------------------------- */

/* Amounts in the cells of a row. */
void note_cells_read(note_claims *out, const note_context *c, const hm_doc_part *p);

/* --- how many: count.c ------------------------------------------------------------------------ */

/* Numbers that a repository has once, and those of what the first cell of a row names. */
void note_counts_read(note_claims *out, const note_context *c, const hm_doc_part *p,
                      const note_text *t);

/* --- values with a name: named.c -------------------------------------------------------------- */

/* Adds the claim that the amount of what the words in t say is m. least: how many words must do
 * so. */
void note_claim_amount(note_claims *out, const note_context *c, note_topic *t, note_measure *m,
                       size_t least);
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

/* --- commands: command.c ---------------------------------------------------------------------- */

/* The tool that a command is, of a line of code; and of commands in a sentence. */
void note_command_read(note_claims *out, const note_context *c, const hm_doc_part *p, hm_str line);
void note_commands_read(note_claims *out, const note_context *c, const hm_doc_part *p,
                        const note_text *t);

/* --- names of tools: tool.c ------------------------------------------------------------------- */

/* Is the name of a tool at word i, by its longest spelling? *usual: its first one; *end: the word
 * behind it; *family: the first of its families. */
bool note_tool_at(const note_context *c, const note_words *w, hm_str text, size_t i, hm_str *usual,
                  size_t *end, const char **family);
/* Is there one in the text? Most have none. */
bool note_names_tool(const note_context *c, const note_text *t);

/* --- tools of a project: stack.c -------------------------------------------------------------- */

/* Which tool a project has for what: "linter = biome". */
void note_stack_read(note_claims *out, const note_context *c, const hm_doc_part *p);
/* The same of a sentence that names a tool: "Lint with Biome". */
void note_stack_read_sentence(note_claims *out, const note_context *c, const note_text *t);
bool note_is_of_family(const note_context *c, hm_str tool, const char *family);
/* Claims the tool, or another name, for the slot of the part that speaks. */
void note_stack_claim(note_claims *out, const note_context *c, const char *slot, hm_str thing);
/* The first sentence of an item; empty: the next one limits it, "Not in web/, which has another".
 */
hm_str note_first_sentence(hm_str text, hm_arena *a);

/* --- what is done with which tool: deed.c ----------------------------------------------------- */

/* What is done with which tool, "Pages are cached in Memcached", in a text that names one. */
void note_deeds_read(note_claims *out, const note_context *c, const hm_doc_part *p,
                     const note_text *t);
/* Where a part of the project runs, by a row or a label: "Hosting of the site: Netlify". */
void note_hosts_read(note_claims *out, const note_context *c, const hm_doc_part *p);

/* --- branches: branch.c ----------------------------------------------------------------------- */

/* The branch at word i, perhaps behind an article, if it is one of names ("main|develop") and not
 * one of several. Empty: there is none. */
hm_str note_branch_at(const note_words *w, size_t i, const char *names);
/* Claims what a project does with its branches, of the part that speaks. */
void note_branch_claim(note_claims *out, const note_context *c, hm_str what, hm_str value);

/* --- how changes are merged and deployed: flow.c ---------------------------------------------- */

/* How pull requests are merged, and from which branch an environment is deployed. */
void note_flow_read(note_claims *out, const note_context *c, const hm_doc_part *p,
                    const note_text *t);

/* --- always and never: rule.c ----------------------------------------------------------------- */

/* What is always done, or never. */
void note_rules_read(note_claims *out, const note_context *c, const hm_doc_part *p,
                     const note_text *t);

/* --- limits: limit.c -------------------------------------------------------------------------- */

/* Limits: "Access tokens live 15 minutes", "| Log retention | 90 days |". */
void note_limits_read(note_claims *out, const note_context *c, const hm_doc_part *p, hm_str text);

/* --- licenses: license.c ---------------------------------------------------------------------- */

/* The license of the project. */
void note_license_read(note_claims *out, const note_context *c, const hm_doc_part *p);

/* --- whose project a command is for: whose.c -------------------------------------------------- */

/* Does the line of the part p, or a line near above it in its block, change the folder? *folder:
 * the one that it enters, "web/app" of "cd ./web/app"; empty: nobody knows, or it leads up. */
bool note_folder_run(const hm_document *doc, const hm_doc_part *p, hm_str line, hm_str *folder,
                     hm_arena *a);
/* The component in which a command is run: that of the file, or of the folder that is entered. */
hm_str note_component_run(const note_context *c, hm_str folder, hm_arena *a);
/* Is it run in a folder, and not at the top, where a lock file of that manager lies? changes,
 * folder: of note_folder_run. */
bool note_is_locked(const note_context *c, bool changes, hm_str folder, hm_str tool, hm_arena *a);

/* --- other times, and other files: doubt.c ---------------------------------------------------- */

/* Lies the document in a copy of another repository (hm_tree_files_copied), or has a program
 * written it from the description of an interface? */
bool note_is_of_others(const hm_scripts *scripts, hm_str path, hm_arena *a);

/* --- files beside the documents: config.c ----------------------------------------------------- */

/* The port of the service to which a line of code belongs that is its only mapping of ports. */
void note_mapping_read(note_claims *out, const note_context *c, const hm_doc_part *p);
#endif
