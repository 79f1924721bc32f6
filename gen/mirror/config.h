/* The files in a mirror's folder: mirror.yml, world.yml, and rules in rules/.
 *
 * mirror.yml says how a mirror is made.
 *
 * Every key has a default; an unknown key, a wrong type and a number out of
 * range are errors that name line and key: "mirror.yml:7: publish.repoo:
 * unknown key: did you mean 'repo'?". hm_config_example documents each. */
#ifndef HM_CONFIG_H
#define HM_CONFIG_H
#include "core/claim/relation.h"
#include "core/claim/world.h"
#include "core/detect/sql_rule.h"
#include "core/store/store.h"
#include "gen/page/view.h"

#define HM_CONFIG_MAX ((size_t)1 << 20) /* bytes of a config file */

/* What a key may do, which decides when it holds (gen/mirror/trust.h). */
typedef enum {
  HM_KEY_UNCLASSED, /* a fault of ours, for which a test looks */
  HM_KEY_PLAIN,     /* says what the mirror is: always holds */
  HM_KEY_PATH,      /* a path: always holds where it leads into the folder */
  HM_KEY_SENDS,
  HM_KEY_SIGNS,
  HM_KEY_VARIABLE /* names a variable of the environment */
} hm_key_class;

/* A model behind HTTP. url: NULL when none is configured; timeout: seconds for a request; withheld:
 * why nothing may be sent there, or NULL. */
typedef struct {
  const char *url, *model, *key_env;
  int timeout;
  const char *withheld;
} hm_endpoint;

/* A colour of the theme, as "#14586e"; dark is that of dark mode. */
typedef struct {
  const char *name, *light, *dark;
} hm_colour;

/* The user's own style. File names are relative to the mirror's folder, as written. */
typedef struct {
  const char *folder; /* of the mirror; "" for here */
  const char **css;
  size_t n_css;
  const char *head, *logo; /* or NULL */
  hm_colour *colours;
  size_t n_colours; /* in the order of the file */
} hm_house_config;

/* Is a source whole each time? name: it, or the end of it behind a '/'. */
typedef struct {
  hm_str name;
  bool complete; /* false: a file of additions */
} hm_source_config;

typedef struct {
  const char *file;       /* path as given, or NULL: defaults */
  hm_str title, base_url; /* base_url ends with '/' or is empty */
  hm_str source_url;      /* of a line of a note, with {path} and {line}; or empty */
  const char *store, *output;
  const char *review; /* the review file, for a store of another program */
  hm_store_map *map;
  size_t n_map;
  /* Folders. Those that the config names (`named`) must exist. */
  const char *theme, *templates, *statics;
  bool theme_named, templates_named, statics_named;
  hm_house_config house;
  int threads; /* 0: all cores */
  size_t list_limit, value_limit;
  hm_slug_script script; /* pages.ascii */
  hm_rules rules;
  const char *repo, *branch, *author_name, *author_email;
  hm_str message;                    /* summary line of publications, or empty */
  bool markdown, html;               /* which of the two a branch gets */
  const char *push;                  /* where publications are pushed to, or NULL */
  const char *ssh_key, *credentials; /* or NULL */
  int push_timeout;                  /* seconds of silence */
  const char *sign, *sign_key;       /* "off", "ssh" or "openpgp"; the key, or NULL */
  const char *allowed_signers;       /* a file, or NULL */
  hm_str *allowed_keys;
  size_t n_allowed_keys; /* fingerprints as gpg has them; none: all keys */
  bool journal;          /* commits name their store and the last line of its journal */
  const char **keep;
  size_t n_keep;
  size_t queue;           /* writers that may wait in a server */
  size_t reports_per_day; /* open ones of one reporter and day (core/review/report.h) */
  hm_endpoint judge, recall;
  bool judge_story;   /* judge.pick: story */
  hm_exclude exclude; /* as written */
  hm_source_config *sources;
  size_t n_sources;
  const hm_str *published;
  size_t n_published; /* check.public */
} hm_config;

/* Reads path, and world.yml and rules beside it, into out, all in a. path NULL: "mirror.yml" when
 * it exists, else the defaults; a given path must exist. Relative paths in the file are relative to
 * its folder. World.yml, rules and a mirror.yml that nobody named may be links, but only to what is
 * in that folder. */
int hm_config_load(hm_arena *a, const char *path, hm_config *out, hm_err *err);
/* The path of the world.yml that belongs to that config, in a. */
const char *hm_config_world_file(hm_arena *a, const char *path);
/* The folder of its rules, in a. */
const char *hm_config_rules_folder(hm_arena *a, const char *path);
/* As hm_config_load, from bytes and without the files beside them. name: for messages; folder (""
 * for here): the base of paths. */
int hm_config_parse(hm_arena *a, hm_str bytes, const char *name, const char *folder, hm_config *out,
                    hm_err *err);

/* A mirror.yml that says what every key does, all but the title commented out:
 * prose lines begin with "# ", keys with "#" and no space or two. */
extern const char hm_config_example[];
/* Path of the i-th key ("publish.author.name", a list's entry as
 * "rules.tolerance[].slot"), in the order of the schema; NULL after the last. */
const char *hm_config_key(hm_arena *a, size_t i);
/* Its class. */
hm_key_class hm_config_key_class(size_t i);
/* The name of its file in messages: "mirror.yml" when there is none. */
const char *hm_config_file_name(const hm_config *c);

/* What the config says of this source; NULL: nothing. */
const hm_source_config *hm_config_source(const hm_config *c, hm_str source);

/* Checks shared with the command's options of the same meaning. */
int hm_check_base_url(hm_arena *a, const char *url, const char *what, hm_str *out, hm_err *err);
int hm_check_branch(const char *branch, const char *what, hm_err *err);
int hm_check_push_remote(const char *remote, const char *what, hm_err *err);
int hm_check_push_timeout(const char *text, const char *what, int *out, hm_err *err);
int hm_check_threads(const char *text, const char *what, int *out, hm_err *err);

/* --- world.yml (world_file.c) ----------------------------------------------------------- */
/* world.yml: the worlds that the facts are about, and their eras (core/claim/world.h).
 *
 * It lies beside mirror.yml. An unknown key, a wrong type and an era that cannot be placed are
 * errors that name line and key, as in mirror.yml. */

enum { HM_WORLD_FILE_MAX = 1 << 20 };

/* relations: the shipped kinds and those of the file, sorted; NULL when the file has none. */
typedef struct {
  hm_worlds *worlds;
  const hm_relation_kinds *relations;
} hm_world_file;

/* Reads bytes into out, all in a; name: for messages. */
int hm_world_file_parse(hm_arena *a, hm_str bytes, const char *name, hm_world_file *out,
                        hm_err *err);
/* The same from a file; both fields are NULL when it is absent. */
int hm_world_file_load(hm_arena *a, const char *path, hm_world_file *out, hm_err *err);
/* Path of the i-th key ("eras[].begins"); NULL after the last. */
const char *hm_world_file_key(hm_arena *a, size_t i);

/* --- rules in SQL (rule_files.c) -------------------------------------------------------- */
/* Rules in SQL: those that come with the program, and the files rules/NAME.sql of the mirror.
 *
 * The folder lies beside mirror.yml. A file with the id of a shipped rule replaces that rule. */

/* Reads the folder (absent: none) and the shipped rules into out, by id, all in a; applies
 * rules.off and rules.severity of the config. Errors name file and line: a bad header, two files
 * with one id, too many files. Does not check the SQL. */
int hm_rule_files_load(hm_arena *a, const char *folder, const hm_rules *config, hm_sql_rules **out,
                       hm_err *err);
/* The path of a rule's file in that folder: a-b.sql for "a/b". In a. */
const char *hm_rule_file_path(hm_arena *a, const char *folder, hm_str id);

/* --- switching a rule (rule_switch.c) --------------------------------------------------- */
/* Changes the list rules.off of mirror.yml and no other line. */

/* Sets *out to the bytes of a mirror.yml in which the rule is on, or off; to bytes itself when it
 * is so already. In a. Fails with HM_E_STATE when the list has a form that this cannot edit. name:
 * of the file, for messages. */
int hm_switch_rule_in_config(hm_arena *a, hm_str bytes, const char *name, hm_str rule, bool on,
                             hm_str *out, hm_err *err);

/* --- a mirror.yml for a store of another program (map_guess.c) -------------------------- */
/* A mirror.yml for a store of another program, guessed from the names of its tables and columns. */

/* The guess: the table of each layer, empty when none was found. */
typedef struct {
  const char *layer;
  hm_str table;
  int64_t rows;
  hm_str reads; /* which columns, for the user */
} hm_guessed_layer;
enum { HM_GUESS_LAYERS = 5 };
typedef struct {
  hm_guessed_layer layers[HM_GUESS_LAYERS];
  bool facts;    /* some table may hold facts */
  hm_str config; /* a whole mirror.yml, or a map; without facts its map is a comment */
  hm_str to_try; /* without facts: a map to correct */
  bool matrix;   /* that map reads a table as a matrix */
} hm_map_guess;

/* s: an open foreign store, perhaps as a survey; path: of the store, for the config. rows: what the
 * file is called that the store was made of (hm_foreign_file), whose map is then a file of its own;
 * empty: it is a store. In a. */
int hm_guess_store_map(hm_store *s, const char *path, hm_str rows, hm_arena *a, hm_map_guess *out,
                       hm_err *err);
#endif
