/* ASCII character classes, independent of the locale. Bytes beyond ASCII are in no class. */
#ifndef HM_ASCII_H
#define HM_ASCII_H
#include <stdbool.h>

static inline bool hm_is_digit(char c) { return c >= '0' && c <= '9'; }
static inline bool hm_is_upper(char c) { return c >= 'A' && c <= 'Z'; }
static inline bool hm_is_lower(char c) { return c >= 'a' && c <= 'z'; }
static inline bool hm_is_letter(char c) { return hm_is_upper(c) || hm_is_lower(c); }
static inline bool hm_is_alnum(char c) { return hm_is_letter(c) || hm_is_digit(c); }
static inline bool hm_is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
/* A letter in lower case, in upper case; other characters as they are. */
static inline char hm_ascii_lower(char c) { return hm_is_upper(c) ? (char)(c + 32) : c; }
static inline char hm_ascii_upper(char c) { return hm_is_lower(c) ? (char)(c - 32) : c; }
/* The value of a hexadecimal digit, or -1. */
static inline int hm_hex_value(char c) {
  if (hm_is_digit(c))
    return c - '0';
  c = hm_ascii_lower(c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}
static inline bool hm_is_hex(char c) { return hm_hex_value(c) >= 0; }
#endif
