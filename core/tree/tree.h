/* The files that a command names by files, folders and globs. They are found sorted, without
 * following links, and bounded in number, depth and size; each file that is not taken is listed
 * with its reason. Nothing is read here but folders, files on request, and the
 * mkdocs.yml of a site. */
#ifndef HM_TREE_H
#define HM_TREE_H
#include "core/base/err.h"
#include "core/base/str.h"

enum {
  HM_TREE_FILES = 100000,     /* most files of one command */
  HM_TREE_ENTRIES = 1000000,  /* most entries that are looked at */
  HM_TREE_DEPTH = 48,         /* most folders inside each other */
  HM_TREE_FILE_MAX = 1 << 20, /* bytes of a file */
};

/* --- what a file is by its name: tree_names.c -------------------------------------------- */

typedef enum {
  HM_TREE_OTHER,
  HM_TREE_NOTES,   /* Markdown, and files of rules for agents that have no suffix */
  HM_TREE_LIST,    /* .txt: a list of notes; taken only where it is named */
  HM_TREE_MANIFEST /* LICENSE, package.json and their like */
} hm_tree_kind;

/* path: its last part counts. Case counts only in names of manifests that have small letters. */
hm_tree_kind hm_tree_kind_of(hm_str path);
/* The path in a source "PATH:LINE" of such a file; empty for every other text. */
hm_str hm_tree_line_path(hm_str source);
/* The path in a source "PATH" or "PATH#HEADING" of Markdown, to which a link leads; empty for every
 * other text. */
hm_str hm_tree_link_path(hm_str source);
/* "docs" of "docs/setup.md"; empty: it is the top. tree_files.c */
hm_str hm_tree_folder(hm_str path);
/* Is it a program, by its suffix: a script, a source? */
bool hm_tree_is_source(hm_str path);
/* Is it the name of a file that holds a license: LICENSE, COPYING.txt, LICENSE-MIT? */
bool hm_tree_is_license(hm_str name);
/* Is it a folder of another program, whose files nobody wrote here: .git, node_modules? */
bool hm_tree_is_foreign_folder(hm_str name);
/* The name of a file or folder as a source: a relative path without "./" and leading "../", of an
 * absolute one the last part; empty for "." and "/". In a. */
hm_str hm_tree_source_name(hm_arena *a, hm_str path);
/* Is the path the folder or below it? Both are real paths. */
bool hm_tree_lies_in(hm_str path, hm_str folder);
/* How somebody in `here` writes the folder, both real paths: "docs" below here, "../.." above it,
 * "." for here; as it is where neither lies in the other. In a, or borrowed of folder. */
hm_str hm_tree_folder_from(hm_arena *a, hm_str folder, hm_str here);
/* True for a text with one of * ? [. */
bool hm_glob_is(hm_str text);
/* Does the path match? * and ? stop at a slash, ** does not; [a-z] and [!a-z]. A pattern without a
 * slash matches the last part at any depth, one with a slash the whole path; a slash at the end
 * matches folders only. */
bool hm_glob_match(hm_str pattern, hm_str path, bool folder);

/* --- the walk: tree_walk.c ------------------------------------------------------------------ */

typedef enum {
  HM_TREE_SKIP_LINK,
  HM_TREE_SKIP_NAME, /* a control character or invalid UTF-8 in it */
  HM_TREE_SKIP_UNREADABLE,
  HM_TREE_SKIP_NO_FILE, /* a pipe, a socket, a device */
  HM_TREE_SKIP_LARGE,
  HM_TREE_SKIP_DEEP,
  HM_TREE_SKIP_PATTERNS, /* of git, by which it ignores files */
  HM_TREE_SKIP_IGNORED,
  HM_TREE_SKIP_EXCLUDED,
  HM_TREE_SKIP_FOREIGN, /* hm_tree_is_foreign_folder */
  HM_TREE_SKIP_COPY
} hm_tree_skip_reason;

/* A file that would have been taken, or a folder, that is not. */
typedef struct {
  hm_str path, source;
  hm_tree_skip_reason reason;
  bool folder;
  hm_str real; /* the path without links in folders */
  hm_str of;   /* of a copy: the source of the file that is taken; else empty */
} hm_tree_skip;

/* What git knows of files; whoever opens the tree hands it in. Paths are absolute, without links.
 * Any function may be NULL. */
typedef struct {
  void *ctx;
  /* The top folder of the work tree that holds path, in a; empty: none. */
  hm_str (*top)(void *ctx, const char *path, hm_arena *a);
  /* True where git ignores the file or folder. */
  bool (*ignores)(void *ctx, const char *path, bool folder);
  /* True for a file that git has, but not in this work tree (a sparse checkout). */
  bool (*held_back)(void *ctx, const char *path);
  /* The paths below top, which is one, of all that git tracks there; in a. */
  void (*tracked)(void *ctx, const char *top, hm_arena *a, hm_str **out, size_t *n);
  /* The files of patterns that were not used, so that nothing is ignored below them: only `real`
   * and `reason` are set. In a. */
  void (*unused)(void *ctx, hm_arena *a, hm_tree_skip **out, size_t *n);
} hm_tree_git;

typedef struct {
  const hm_str *include; /* globs: in folders, these files instead of all notes */
  size_t n_include;
  const hm_str *exclude; /* globs: files and folders that are left out */
  size_t n_exclude;
  bool only_named;        /* without the manifests at the top of the work tree */
  const hm_tree_git *git; /* NULL: git is not asked */
} hm_tree_options;

typedef struct {
  hm_str path;       /* to show and to open, from what the command named */
  hm_str source;     /* its name in the store */
  hm_tree_kind kind; /* HM_TREE_OTHER: named itself, or by a glob */
  hm_str folder;     /* the real path of the folder from which it is opened */
  hm_str below;      /* its path in there */
  size_t top; /* bytes of source that name a folder which may be the project itself, and no part */
  int64_t size;
  hm_str past; /* hm_tree_list_past: its content; else .p is NULL */
} hm_tree_file;

typedef struct hm_tree {
  hm_tree_file *files; /* sorted by source; none twice */
  size_t n_files;
  hm_tree_skip *skips; /* sorted by source */
  size_t n_skips;
  struct hm_tree_walk *walk;   /* private */
  struct hm_tree_files *whole; /* private: tree_impl.h */
  size_t n_whole;
} hm_tree;

/* "is a symbolic link", for messages behind the name of a file. */
const char *hm_tree_skip_words(hm_tree_skip_reason reason);

/* Finds the files of words, each a file, a folder or a glob. Also takes the manifests at the top of
 * the work trees in which they lie. The result is the same for any order of words and of folders'
 * entries. *out and its texts are in a; opt must live as long.
 * HM_E_INPUT: a word names nothing, or no file; a relative word leads by a link out of the working
 * folder; a word is a link to a file out of the work tree, or of the folder, in which it lies; two
 * files have one source; more than HM_TREE_FILES or HM_TREE_ENTRIES. */
int hm_tree_list(hm_arena *a, const hm_str *words, size_t n, const hm_tree_options *opt,
                 hm_tree **out, hm_err *err);
/* Adds a file that somebody leaves out to the skips. of: hm_tree_skip. */
void hm_tree_skip_file(hm_tree *t, const hm_tree_file *f, hm_tree_skip_reason why, hm_str of,
                       hm_arena *a);
/* Was a file of this source looked for in a folder or by a glob, and read where it is there? Then
 * its absence means that it is gone. */
bool hm_tree_covers(const hm_tree *t, hm_str source, hm_arena *a);
/* "." was named, and the first folder of the source is not in there: it went, or the source is of
 * another folder that was "." then. Nobody knows which. */
bool hm_tree_lacks_folder(const hm_tree *t, hm_str source);
/* The files that t's words would find in another state of its folders, in which these files are:
 * paths are absolute, without links. *out is in a, and needs t. The caller sets `past` of each,
 * which hm_tree_read gives. */
void hm_tree_list_past(const hm_tree *t, const hm_str *paths, size_t n, hm_arena *a, hm_tree **out);
/* Reads a file; follows no link. HM_E_INPUT: it went, or is larger than HM_TREE_FILE_MAX by now. */
int hm_tree_read(const hm_tree_file *f, hm_arena *a, hm_str *bytes, hm_err *err);

/* The file of this source; NULL: none. tree_files.c */
const hm_tree_file *hm_tree_find(const hm_tree *t, hm_str source);
/* The real path of the folder in which it lies. In a. */
hm_str hm_tree_file_folder(const hm_tree_file *f, hm_arena *a);

/* --- what a tree has: tree_files.c ---------------------------------------------------------- */

/* A folder of which all files are known: the work tree of git in which a file of the tree lies; or
 * one that the command names, where sources lie in it, and not documents alone. */
typedef struct hm_tree_files hm_tree_files;
typedef enum {
  HM_TREE_HAS,
  HM_TREE_LACKS,
  HM_TREE_UNSURE /* below a link or a folder that is not looked at, ignored by git, or a page of
                  * a site that a plugin may write */
} hm_tree_presence;

/* That in which the folder, a real path, lies; NULL: none. Lives as long as t. */
const hm_tree_files *hm_tree_files_around(const hm_tree *t, hm_str folder);
/* The real path of its top. */
hm_str hm_tree_files_top(const hm_tree_files *f);
/* "docs" of the real path of a folder in it; empty: the top. */
hm_str hm_tree_files_below(const hm_tree_files *f, hm_str folder);
/* Has it the file or folder? path: below the top, without "." and "..". */
hm_tree_presence hm_tree_files_ask(const hm_tree_files *f, hm_str path);
/* Does the folder, or one around it, hold the text of a license? */
bool hm_tree_files_licensed(const hm_tree_files *f, hm_str folder);
/* Is the folder, a real path, or one around it below the top, a copy of another repository? It has
 * a license and a configuration for a host of tests, and the top has one of these, too. */
bool hm_tree_files_copied(const hm_tree_files *f, hm_str folder);
/* Is there a folder of this path, below the top or below any folder? Looks at all files. */
bool hm_tree_files_have_folder(const hm_tree_files *f, hm_str path);
/* Paths of its files whose last part is `name`, sorted; *n: how many, at most HM_TREE_NAMED. */
enum { HM_TREE_NAMED = 1000 };
const hm_str *hm_tree_files_named(const hm_tree_files *f, hm_str name, size_t *n);
/* The file beside which `path` would lie whose name is the nearest to its own; empty: none is near.
 * Looks at HM_TREE_NEAR files at most, and for them at HM_TREE_NAMED paths. */
enum { HM_TREE_NEAR = 400 };
hm_str hm_tree_files_nearest(const hm_tree_files *f, hm_str path, hm_arena *work);
#endif
