/* What documents point to and the tree has not: files, scripts, places; and where their links lead.
 * Each is read of a whole document, in the order of its parts, claimed by the part that names it,
 * and stated of the tree. */
#ifndef HM_LACKS_H
#define HM_LACKS_H
#include "core/base/json.h"
#include "core/passage/passage.h"

/* --- links: links.c --------------------------------------------------------------------------- */

enum { NOTE_LINKS_MAX = 8 };
/* The notes of the tree to which links of the part of the document at path lead: "PATH",
 * "PATH#HEADING"; at most NOTE_LINKS_MAX, each once. t: NULL: none. In a. */
size_t note_links_read(const hm_tree *t, hm_str path, const hm_doc_part *p, hm_str *out,
                       hm_arena *a);

/* --- scripts that commands call: calls.c ------------------------------------------------------ */

/* A call of a script that its file lacks, in a part of the document. */
typedef struct {
  uint32_t part;
  const hm_script_file *file;
  hm_str name;
} note_call;
typedef struct {
  note_call *v;
  size_t n, cap;
} note_calls;
/* scripts: NULL: nobody knows. In a. */
void note_calls_read(note_calls *out, const hm_scripts *scripts, const hm_document *doc,
                     hm_str path, hm_arena *a);
/* Claims that the part calls them. */
void note_calls_claim(note_claims *out, const note_calls *calls, uint32_t part);
/* What the file says of it: a project_state. In a. */
const hm_json *note_calls_state(const note_call *call, hm_arena *a);

/* --- drawings of folders: drawing.c ----------------------------------------------------------- */

/* An entry of a drawing, "text.c", and what stands behind it; false: the line draws none. */
bool note_drawing_entry(hm_str line, hm_str *name, hm_str *comment);

/* --- files that are not there: paths.c -------------------------------------------------------- */

/* A file to which a part of the document points, and which is not there. */
typedef struct {
  uint32_t part;
  hm_str path; /* below the top of `in` */
  bool follow; /* a link, which is to be followed also from what is of the past or a plan */
  const hm_tree_files *in;
} note_path;
typedef struct {
  note_path *v; /* in the order of parts */
  size_t n, cap;
} note_paths;
/* scripts: its tree is asked; NULL: nobody knows. In a. */
void note_paths_read(note_paths *out, const hm_scripts *scripts, const hm_document *doc,
                     hm_str path, hm_arena *a);

/* --- what is told of a path: lacks.c ---------------------------------------------------------- */

/* Claims that the part names them; past: of what is not of now, links to be followed alone. */
void note_paths_claim(note_claims *out, const note_paths *paths, uint32_t part, bool past);
/* What the tree says of it: a project_state. In a. */
const hm_json *note_paths_state(const note_path *p, hm_arena *a);

/* --- places that are not there: anchors.c ----------------------------------------------------- */

typedef struct {
  uint32_t part;
  hm_str name; /* as the link has it */
} note_anchor;
typedef struct {
  note_anchor *v; /* in the order of parts */
  size_t n, cap;
  uint32_t title; /* the first heading, which says for all that none has the name */
} note_anchors;
/* text: of which doc was read. In a. */
void note_anchors_read(note_anchors *out, const hm_document *doc, hm_str text, hm_arena *a);
/* Adds to the claims of the part with the link that it leads there, and to those of the title that
 * there is no such place. Both have one arena. */
void note_anchor_claim(note_claims *link, note_claims *title, hm_str path, const note_anchor *x);
#endif
