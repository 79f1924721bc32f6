/* Builds records as the objects of their JSON lines, for readers of other formats. */
#ifndef HM_RECORD_MAKER_H
#define HM_RECORD_MAKER_H
#include "core/foreign/record.h"

/* A record in the making; its members have positions (from 1), which errors name as columns. */
typedef struct {
  hm_arena *a;
  hm_json *record, **end;
} hm_record_maker;

/* A record of this kind, in a. */
hm_record_maker hm_record_begin(hm_arena *a, const char *kind);
/* Adds a copy of value under key. */
hm_json *hm_record_add(hm_record_maker *m, const char *key, const hm_json *value);
void hm_record_add_text(hm_record_maker *m, const char *key, hm_str text, uint32_t at);
/* The same as an array of texts. */
void hm_record_add_texts(hm_record_maker *m, const char *key, const hm_str *v, size_t n,
                         uint32_t at);
/* The first of their members (ending with NULL) that the object has and that is not null, under our
 * key. False: it has none. */
bool hm_record_take(hm_record_maker *m, const hm_json *object, const char *const *theirs,
                    const char *ours);
/* The same for a time, a text or the milliseconds or seconds since 1970. -1: place->err says which
 * member is none. */
int hm_record_take_time(hm_record_maker *m, const hm_record_place *place, const hm_json *object,
                        const char *const *theirs, const char *ours);
/* The JSON of a line of another program's file, in a; sets place->text. NULL: it is none, and
 * place->err says where. */
hm_json *hm_record_parse_line(hm_record_place *place, hm_str line, hm_arena *a);
#endif
