/* Addresses of hosts: "192.168.70.10 - k8s-master-01", "k8s-master-01 ansible_host=192.168.70.11",
 * "| nas-2 | 10.0.0.5 |". A host may have an address in each of its networks, so those of one
 * network (of three numbers) are compared. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/notes/notes_impl.h"

/* The length of the address of four numbers with which s begins, *network: of its first three;
 * 0: none. */
static size_t address_at(hm_str s, size_t *network) {
  enum { NUMBERS = 4, DIGITS = 3 };
  size_t i = 0;
  for (size_t n = 0; n < NUMBERS; n++) {
    size_t end = hm_skip_digits(s, i);
    if (end == i || end - i > DIGITS || (n + 1 < NUMBERS && !hm_char_at(s, end, '.')))
      return 0;
    if (n + 1 == NUMBERS) {
      *network = i - 1;
      i = end;
    } else
      i = end + 1;
  }
  return hm_char_at(s, i, '.') || hm_letter_at(s, i) ? 0 : i;
}

/* Is it that of a host: no loopback, no network or mask, none of those for examples? */
static bool is_of_host(hm_str address) {
  static const char *const others[] = { "0.",          "1.",         "127.", "169.254.", "192.0.2.",
                                        "198.51.100.", "203.0.113.", "255.", "8.8.",     "1.2.3." };
  for (size_t i = 0; i < HM_COUNT(others); i++)
    if (hm_str_starts(address, others[i]))
      return false;
  return !hm_str_ends(address, ".0") && !hm_str_ends(address, ".255");
}

/* The only address in the text; empty: there is none, or there are several. */
static hm_str only_address(hm_str text, hm_str *network) {
  hm_str found = HM_EMPTY;
  for (size_t i = 0; i < text.n; i++) {
    size_t of_network = 0;
    bool begins = hm_is_digit(text.p[i]) &&
        (!i || !(hm_is_alnum(text.p[i - 1]) || strchr("._-", text.p[i - 1])));
    size_t n = begins ? address_at(hm_str_sub(text, i, text.n), &of_network) : 0;
    if (!n)
      continue;
    hm_str address = hm_str_sub(text, i, i + n);
    if ((found.n && !hm_str_eq(found, address)) || hm_char_at(text, i + n, '-'))
      return HM_EMPTY;
    found = address;
    *network = hm_str_sub(address, 0, of_network);
    i += n;
  }
  return found.n && is_of_host(found) ? found : HM_EMPTY;
}

/* "k8s-master-01", "nas-2", "pve1": letters, and a number behind them. */
static bool is_host(hm_str s, hm_arena *a) {
  static const char kinds[] = "ipv4|ipv6|layer2|layer3|rfc1918|vlan";
  bool letter = false, digit = false;
  for (size_t i = 0; i < s.n; i++) {
    if (!hm_is_alnum(s.p[i]) && s.p[i] != '-' && s.p[i] != '_')
      return false;
    letter |= hm_letter_at(s, i);
    digit |= hm_is_digit(s.p[i]);
  }
  hm_str low = note_lower(s, a);
  if (note_word_in(low, kinds) || hm_str_starts(low, "vlan") || hm_str_find(low, "example") >= 0)
    return false;
  return letter && digit && hm_letter_at(s, 0) && hm_is_digit(s.p[s.n - 1]);
}

/* The only name of a host in the text; empty: there is none, or there are several. */
static hm_str only_host(hm_str text, hm_arena *a) {
  note_words w = note_split(text, a);
  hm_str found = HM_EMPTY;
  for (size_t i = 0; i < w.n; i++) {
    if (!is_host(w.w[i].s, a))
      continue;
    if (found.n && !hm_str_eq(found, w.w[i].low))
      return HM_EMPTY;
    found = w.w[i].low;
  }
  return found;
}

void note_address_read(note_claims *out, const note_context *c, hm_str text) {
  static const char doubts[] = "allow|clients|e.g|example|from|instead|not|old|range|until|via|was";
  enum { WORDS = 16 };
  hm_str network = HM_EMPTY, address = only_address(text, &network);
  hm_str host = address.n ? only_host(text, out->a) : HM_EMPTY;
  note_words w = note_split(host.n ? text : HM_EMPTY, out->a);
  if (!host.n || w.n > WORDS || note_any_word_in(&w, doubts))
    return;
  hm_str slot = HM_CAT(out->a, c->scope, host, HM_STR(" address in "), network);
  note_claims_add(out, slot, address, NOTE_SETTING);
}
