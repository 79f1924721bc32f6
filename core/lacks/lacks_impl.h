/* Shared by the files of core/lacks. Not for others.
 *
 * Floors, lowest first: lacks.c (what is told of a path), links.c, calls.c, anchors.c, drawing.c,
 * moved.c, taken.c, paths.c. */
#ifndef HM_LACKS_IMPL_H
#define HM_LACKS_IMPL_H
#include "core/lacks/lacks.h"

/* --- drawings of folders: drawing.c ----------------------------------------------------------- */

/* A line of a drawing. */
typedef struct {
  uint32_t part;
  hm_str name, comment; /* name: empty: nobody knows */
  size_t above;         /* the entry in which it lies; SIZE_MAX: none */
  bool drawn;           /* false: the line that all others lie in */
  bool folder;
} note_drawn;
/* The entries of the block of code that begins at part `first`; 0: it draws nothing. In a. */
size_t note_drawing_read(const hm_document *doc, uint32_t first, note_drawn **out, hm_arena *a);

/* --- what is told of a path: lacks.c ---------------------------------------------------------- */

enum { NOTE_PATHS_MAX = 32 }; /* of a part */
/* A document whose paths are read. The functions are of lacks.c. */
typedef struct {
  const hm_tree_files *in;
  const hm_scripts *scripts;
  const hm_document *doc;
  hm_str path;   /* of the document */
  hm_str folder; /* of the document, below the top: "docs/guide", or empty */
  note_paths *out;
  bool readme;
  bool agents; /* it tells agents what to do, who read its paths from the top */
  bool rules;  /* it lies in a hidden folder, and its links may show how those of others are written
                */
  hm_map given; /* names of files of which note_path_is_given was asked -> 0 or 1 */
  size_t homes; /* of how many folders was asked whether something lives there */
  hm_arena *a;
} note_path_reader;
/* Is one of the words of the path in the list? */
bool note_path_has_word(hm_str path, const char *list, hm_arena *a);
/* Is it a name with a gap for a number: "NNNN-title.md"? */
bool note_path_is_numbered(hm_str name, hm_arena *a);
/* Is it a name that stands for others: "path/to/file.md", "my-app"? */
bool note_path_is_gap(hm_str path, hm_arena *a);
/* "docs/setup.md" of "../setup.md" in docs/guide; false: it leads out. In a. */
bool note_path_resolve(hm_str folder, hm_str path, hm_str *out, hm_arena *a);
/* Does a build make it, or a program fetch it? */
bool note_path_is_made(hm_str path, hm_arena *a);
/* Letters of any language, digits and the signs of names of files, and no gap to fill in. Not empty
 * behind its last slash. */
bool note_path_is_plain(hm_str path, hm_arena *a);
/* A document or a program by its name. */
bool note_path_is_readable(hm_str path);
/* Has the part as many as are told? */
bool note_path_is_full(const note_paths *p, uint32_t part);
/* "load" of "load.py". */
hm_str note_path_stem(hm_str name);
/* Says the document itself how the file of this name is made, by a command that does not take it,
 * "cat > NAME", in words, "Create `NAME`", or below a heading that is its name? Of many names: yes.
 */
bool note_path_is_given(note_path_reader *r, hm_str name);
/* Orders items that begin with their part by it. */
int note_order_part(const void *item, const void *part);
/* A project_state on what the tree lacks; made_of: of which its id is a digest. In a. */
const hm_json *note_lack_state(hm_str key, hm_str made_of, hm_str value, hm_str source,
                               hm_arena *a);
/* Adds what the tree has not. said: what the part names, or links to; path: what of it is told. */
void note_path_add(note_path_reader *r, uint32_t part, hm_str said, hm_str path, bool follow);

/* --- what is made or moved: moved.c ----------------------------------------------------------- */

/* Files that lie elsewhere: of a part, and of the block of code that begins at part `first`. */
void note_moved_read(note_path_reader *r, uint32_t part);
void note_moved_read_block(note_path_reader *r, uint32_t first);
/* Is what the part, or the block that begins with it, runs of another repository, of whoever reads
 * it, or a script that somebody is to write? */
bool note_is_run_by_others(const note_path_reader *r, uint32_t part);

/* --- files that commands take: taken.c -------------------------------------------------------- */

/* Does the document clone another repository, or go into a folder beside its own? */
bool note_works_elsewhere(const note_path_reader *r);
/* Files that commands take: of a part, or of the block of code that begins with it. */
void note_taken_read(note_path_reader *r, uint32_t first);
#endif
