/* What reading a file may cost: steps, bytes, processor time and the length of a value, each in
 * proportion to the file's size. A small file whose pages lead in a circle, or that computes what
 * it holds, ends with an error that names the limit; a large honest one never meets it. */
#ifndef HM_LIMITS_H
#define HM_LIMITS_H
#include <stdbool.h>
#include <stdint.h>

struct hm_store;

typedef struct {
  bool on;                   /* inside a reading transaction, or while a snapshot is read */
  int64_t file;              /* bytes of the files that are read */
  int64_t steps, bytes, began_ns;
  const char *over;          /* the limit that was passed, for hm_sql_fail, or NULL */
} hm_spend;

/* Bounds what this connection reads by the size of its files, s->path and s->their_path. From now
 * on an endless statement fails. */
void hm_limits_set(struct hm_store *s);
/* Measures the files and begins to count anew; returns whether it was on, for hm_limits_end. */
bool hm_limits_begin(struct hm_store *s);
void hm_limits_end(struct hm_store *s, bool was_on);
/* Counts the texts of a row. False when it was one too many, and s->spend.over says why. */
bool hm_limits_row(struct hm_store *s, void *statement);
#endif
