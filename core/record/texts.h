/* One walk over every text of the store: all text columns of all tables, from the schema. Whoever
 * looks for a text that must not be there goes by it: keys and tokens (check, publish, export,
 * import, every write), redacted values (redact).
 *
 * The tables, and what each is, are read from the schema that the program has; their columns from
 * the file. So a new column, also one that another program added, is walked without a list. */
#ifndef HM_TEXTS_H
#define HM_TEXTS_H
#include "core/record/row.h"
#include "core/sqlite/file.h"

/* What the schema says of a table behind its bracket. */
typedef enum {
  HM_TABLES_EXPORTED = 1, /* what people and programs said */
  HM_TABLES_DERIVED = 2,  /* made anew from the exported ones */
  HM_TABLES_LOCAL = 4,    /* of this file: the journal, runs, sources */
  HM_TABLES_ALL = 7
} hm_table_class;

/* A text, valid during the call. */
typedef struct {
  hm_table_class class;
  hm_str ref;    /* what has it: "memory:m1", "link:m1 m2 refines", "conflict:c1", "journal:7" */
  hm_str about;  /* the rows that it speaks of: a reference, or a JSON array; empty: ref */
  hm_str column; /* of the table, or the key of a record */
  hm_str member; /* the outermost name inside a JSON object; empty: none */
  hm_str name;   /* beside which the text stands: the nearest member, a state's key, the column */
  hm_str text;   /* raw, or of JSON one string, number or name of a member */
} hm_store_text;
typedef void hm_store_text_fn(void *ctx, const hm_store_text *t);

/* Calls each for every text in tables of these classes, in the order of the schema. might (NULL:
 * always): whether a column's raw text may hold what is looked for; others are not taken apart.
 * Uses the open transaction, else its own. */
int hm_store_texts_walk(hm_store *s, unsigned classes, bool (*might)(hm_str raw),
                        hm_store_text_fn *each, void *ctx, hm_err *err);
/* --- live secrets ------------------------------------------------------------------------------
 *
 * A text of the store that is a live secret (core/base/credential.h), and where. */

typedef struct {
  hm_str ref, about, field; /* field: as `redact` names it: a column, or a property */
  hm_str shown;             /* of hm_credential_mask */
  bool redactable;          /* `redact` can take it out of its row */
} hm_live_secret;

typedef struct hm_live_secrets {
  hm_live_secret *v;
  size_t n, cap; /* of v, at most HM_SECRETS_LISTED */
  int64_t all;
  hm_map texts; /* the secrets; never show them */
  hm_arena *a;
} hm_live_secrets;
enum { HM_SECRETS_LISTED = 10000 };

/* Finds those in exported tables, in the order of the walk; of statements: only in what `export
 * --verdicts` writes. A claim that a conflict quotes is told once, at its row. In a. */
int hm_store_secrets_find(hm_store *s, bool statements, hm_arena *a, hm_live_secrets *out,
                          hm_err *err);
/* Notes those of a record that is written, and of the words beside it. The journal calls it for
 * every line, so no write goes past it. */
void hm_secrets_note_written(hm_store *s, const hm_actor *who, const char *verb, hm_str ref,
                             hm_str record);
/* Those that writes brought since the outermost write transaction began, also one that was rolled
 * back. Valid until the next one begins. */
const hm_live_secrets *hm_store_secrets_written(const hm_store *s);
/* Puts them as sentences before a list of warnings, and hides them in the others. In a. */
void hm_store_secrets_tell(const hm_store *s, hm_arena *a, hm_str **warnings, size_t *n);

/* "looks like a live secret (a GitHub token, ghp_… of 40 characters): change it where it is used,
 * then: hmirror redact memory:m1 --reason TEXT"; the second puts ref and field before it. In a. */
hm_str hm_live_secret_detail(const hm_live_secret *s, hm_arena *a);
hm_str hm_live_secret_words(const hm_live_secret *s, hm_arena *a);
#endif
