/* Finds the tags of a template. Not for others. */
#ifndef HM_TAG_H
#define HM_TAG_H
#include "gen/render/program.h"

typedef struct {
  size_t start, end;   /* in the source, delimiters included */
  uint32_t line;       /* of start */
  char sigil;          /* one of # ^ / > < $ ! = & { or 0 for a plain value */
  bool dynamic;        /* the name had a '*' before it */
  hm_str name;         /* trimmed; for '!' and '=' the whole content */
} hm_tag;

typedef struct {
  const hm_program *prog;
  hm_str src, open, close;
  size_t counted;      /* lines are counted up to here */
  uint32_t line;
} hm_tags;

void hm_tags_init(hm_tags *s, const hm_program *prog);
/* The next tag at or after `from`: 1, 0 at the end, -1 with err. */
int hm_tags_next(hm_tags *s, size_t from, hm_tag *tag, hm_err *err);
/* Takes the delimiters of a '=' tag. */
int hm_tags_delimiters(hm_tags *s, const hm_tag *tag, hm_err *err);

/* Where the line of offset i begins, when only spaces and tabs stand between
 * there and i and none of it is before `from`; else SIZE_MAX. */
size_t hm_line_before(hm_str src, size_t from, size_t i);
/* Where the next line begins, when only spaces and tabs stand between i and
 * there or the end; else SIZE_MAX. */
size_t hm_line_after(hm_str src, size_t i);
#endif
