/* Unicode text: repair and folding (library: utf8proc). All functions are pure and accept any
 * bytes; they read invalid UTF-8 as U+FFFD (one for each maximal bad subpart, Unicode 15 section
 * 3.9). */
#ifndef HM_TEXT_H
#define HM_TEXT_H
#include "str.h"

#define HM_REPLACEMENT 0xFFFDu
#define HM_BAD_BYTES UINT32_MAX

/* s as valid UTF-8; s itself if it already was. Keeps NUL. */
hm_str hm_text_repair(hm_arena *a, hm_str s);
/* Offset of the first byte of invalid UTF-8, or s.n. */
size_t hm_text_valid_prefix(hm_str s);
/* Decodes one code point at s.p[*i] and advances *i. At the end: U+FFFD, no advance. */
uint32_t hm_text_next(hm_str s, size_t *i);
/* The same at s.p[i], i < s.n. Returns its number of bytes; *cp is HM_BAD_BYTES for a bad
 * subpart. */
size_t hm_utf8_step(hm_str s, size_t i, uint32_t *cp);
/* Appends a code point as UTF-8. */
void hm_text_append(hm_buf *b, uint32_t cp);

/* Folds a name as slots use it: NFKC, full case folding, each run of anything but letters (L*),
 * marks (M*) and numbers (N*) as one '_', none at the ends. Signs that belong to a word stay: + and
 * # at its end ("C++", "C#", "S20+"; two or more also inside: "C++11" -> "c++_11"), + and - before
 * a digit at the beginning of the text or after white space, _ ( [ { < / : = , ; | ("+5 V", "rail
 * -5 V"). A - between words joins them: "leg-2" -> "leg_2". U+2212 and U+2013 are -, U+266F is #.
 * "Lateral support/Material" -> "lateral_support_material", "logRetention" -> "log_retention"
 * (camel.h). Idempotent. */
hm_str hm_text_fold_name(hm_arena *a, hm_str s);
/* The same, but returns s itself, not a copy, if it is folded already. For names that mostly
 * are. */
hm_str hm_text_refold_name(hm_arena *a, hm_str s);
/* A folded name without its signs, as older versions stored it; the name itself if it has no
 * signs. */
hm_str hm_text_strip_name_signs(hm_arena *a, hm_str name);
/* Folds a text value for comparison: NFKC, case-folded, white space squeezed to one space and
 * trimmed, one trailing full stop dropped; punctuation and accents stay. Idempotent, except for a
 * text that ends in several full stops. */
hm_str hm_text_fold_value(hm_arena *a, hm_str s);
/* Normal form KD; ASCII is s itself. */
hm_str hm_text_decompose(hm_arena *a, hm_str s);
/* Normal form C of s in lower case. */
hm_str hm_text_lower(hm_arena *a, hm_str s);
/* English stem of one folded word (libstemmer, Snowball "english"). */
hm_str hm_text_stem(hm_arena *a, hm_str word);
/* The same for many words of one thread: creating a stemmer takes longer than stemming a word. */
typedef struct sb_stemmer hm_stemmer;
hm_stemmer *hm_stemmer_new(void);
void hm_stemmer_free(hm_stemmer *s);
hm_str hm_stemmer_stem(hm_stemmer *s, hm_arena *a, hm_str word);
/* At most max bytes of s, cut at a code point. */
hm_str hm_text_cut(hm_str s, size_t max);
/* True for characters that are invisible or reorder text: C0 and C1 controls (tab, LF, CR too),
 * DEL, U+00AD, U+034F, U+061C, U+115F-1160, U+17B4-17B5, U+180B-180F, U+200B-200F, U+2028-202E,
 * U+2060-206F, U+3164, U+FEFF, U+FFA0, U+FFF9-FFFB, U+E0000-E0FFF, noncharacters. */
bool hm_cp_is_hidden(uint32_t cp);

typedef enum { HM_CP_OTHER, HM_CP_WORD, HM_CP_MARK, HM_CP_SPACE } hm_cp_class;
/* Letters and numbers are WORD, marks MARK, the White_Space property SPACE. */
hm_cp_class hm_cp_classify(int32_t cp);
/* Is it a letter of a script that is written without spaces between words: Han, Kana, Thai, Lao,
 * Burmese, Khmer? Whoever splits text into words takes runs of them by pairs. */
bool hm_cp_is_unspaced(uint32_t cp);
/* Does s contain a letter or a digit of any script? */
bool hm_text_has_word(hm_str s);
/* Does s contain an ASCII digit? */
bool hm_text_has_digit(hm_str s);
/* Do two texts have the same letters, digits, + and #, in any ASCII case? Ignores other ASCII signs
 * and blanks. */
bool hm_text_has_same_letters(hm_str x, hm_str y);
#endif
