/* publish.sign, publish.sign_key and publish.allowed_signers of mirror.yml. */
#include <string.h>
#include "gen/mirror/config_impl.h"
#include "gen/mirror/files.h"
#include "gen/sink/signer.h"

static const char *text(const hm_yaml *y, const char *key) {
  const hm_yaml_value *v = hm_yaml_at(y, key);
  return v && v->text.n ? v->text.p : NULL;
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
  return 0;
}
