/* What commits prove: publish.sign, sign_key, allowed_signers, allowed_keys and journal of
 * mirror.yml. */
#include <string.h>
#include "gen/mirror/config_impl.h"
#include "gen/mirror/files.h"
#include "gen/sink/signer.h"

static const char *text(const hm_yaml *y, const char *key) {
  const hm_yaml_value *v = hm_yaml_at(y, key);
  return v && v->text.n ? v->text.p : NULL;
}

/* The end of a fingerprint may be the end of another key's, too: only a whole one counts. */
static bool read_fingerprint(hm_str text, hm_arena *a, hm_str *out) {
  enum { V4 = 40, V5 = 64 };
  char *p = hm_alloc(a, text.n + 1);
  size_t n = 0;
  text = hm_str_trim(text);
  for (size_t i = hm_str_starts(text, "0x") ? 2 : 0; i < text.n; i++) {
    char c = text.p[i];
    if (c == ' ') continue;
    if (c >= 'a' && c <= 'f') c = (char)(c - 'a' + 'A');
    if (!c || !strchr("0123456789ABCDEF", c)) return false;
    p[n++] = c;
  }
  *out = (hm_str){ p, n };
  return n == V4 || n == V5;
}

static int read_allowed_keys(hm_arena *a, const hm_yaml *y, hm_config *out, hm_err *err) {
  static const char key[] = "publish.allowed_keys";
  const hm_yaml_value *v = hm_yaml_at(y, key);
  out->n_allowed_keys = v ? v->count : 0;
  out->allowed_keys = hm_alloc_array(a, out->n_allowed_keys + 1, sizeof *out->allowed_keys);
  for (size_t i = 0; i < out->n_allowed_keys; i++)
    if (!read_fingerprint(v[1 + i].text, a, &out->allowed_keys[i]))
      return hm_fail(err, HM_E_USAGE, hm_yaml_place(a, y, hm_str_fmt(a, "%s[%zu]", key, i).p),
                     "not the fingerprint of a key",
                     "write all 40 hex digits, as 'gpg --fingerprint' shows them");
  return 0;
}

static int read_journal(hm_arena *a, const hm_yaml *y, hm_config *out, hm_err *err) {
  static const char key[] = "publish.journal";
  const hm_yaml_value *v = hm_yaml_at(y, key);
  out->journal = v && hm_str_is(v->text, "true");
  if (!v || !v->text.n || out->journal || hm_str_is(v->text, "false")) return 0;
  return hm_fail(err, HM_E_USAGE, hm_yaml_place(a, y, key), "neither true nor false",
                 "write true or false");
}

int hm_config_read_sign(hm_arena *a, const hm_yaml *y, const char *folder, hm_config *out,
                        hm_err *err) {
  static const char key[] = "publish.sign_key";
  const char *sign = text(y, "publish.sign"), *with = text(y, key),
             *allowed = text(y, "publish.allowed_signers");
  hm_sign_kind kind;
  out->sign = sign ? sign : "off";
  if (!hm_sign_kind_of(out->sign, &kind))
    return hm_fail(err, HM_E_USAGE, hm_yaml_place(a, y, "publish.sign"), "no such kind",
                   "write off, ssh or openpgp");
  if (with && (with[0] == '-' || strpbrk(with, "\n\r")))
    return hm_fail(err, HM_E_USAGE, hm_yaml_place(a, y, key), "not a key",
                   "name a key file, or a user id of gpg");
  bool is_file = with && kind != HM_SIGN_OPENPGP;
  out->sign_key = is_file ? hm_path_join(a, folder, with) : with;
  out->allowed_signers = allowed ? hm_path_join(a, folder, allowed) : NULL;
  return read_allowed_keys(a, y, out, err) || read_journal(a, y, out, err) ? -1 : 0;
}
