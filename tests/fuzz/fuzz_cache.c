/* Any bytes as what a cache file holds, its checksum put aside: read within bounds or not at all.
 * What is read is written, read and written again as the same bytes. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "gen/mirror/cache.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hm_arena *a = hm_arena_new();
  hm_cache_entry e = { 0 }, again = { 0 };
  hm_buf first = { 0 }, second = { 0 };
  if (hm_cache_entry_parse(a, (hm_str){ (const char *)data, size }, &e)) {
    hm_cache_entry_write(&e, &first);
    if (!hm_cache_entry_parse(a, hm_buf_view(&first), &again)) abort();
    hm_cache_entry_write(&again, &second);
    if (!hm_str_eq(hm_buf_view(&first), hm_buf_view(&second))) abort();
  }
  hm_buf_free(&first);
  hm_buf_free(&second);
  hm_arena_free(a);
  return 0;
}
