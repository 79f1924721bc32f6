/* The digest of the rules that mirror.yml, world.yml and rules/ set: it changes when they do.
 *
 * A publication names it (Mirror-Rules), and a page whose claims were read by other rules is made
 * again. */
#include "core/base/digest.h"
#include "core/claim/relation.h"
#include "core/claim/story.h"
#include "core/claim/world.h"
#include "core/detect/sql_rule.h"
#include "gen/mirror/config.h"

static void digest_list(hm_sha256 *h, const hm_str *v, size_t n, hm_arena *a) {
  hm_sha256_field(h, hm_str_fmt(a, "%zu", n));
  for (size_t i = 0; i < n; i++) hm_sha256_field(h, v[i]);
}

hm_str hm_rules_digest(const hm_rules *rules, hm_arena *a) {
  hm_sha256 h;
  hm_sha256_init(&h);
  digest_list(&h, rules->prose, rules->n_prose, a);
  digest_list(&h, rules->text_fields, rules->n_text_fields, a);
  digest_list(&h, rules->ordered_fields, rules->n_ordered_fields, a);
  digest_list(&h, rules->silence, rules->n_silence, a);
  if (rules->story) hm_sha256_field(&h, hm_story_digest(rules->story, a));
  if (rules->worlds) hm_sha256_field(&h, hm_worlds_digest(rules->worlds));
  if (rules->relations) hm_sha256_field(&h, hm_relation_kinds_digest(rules->relations, a));
  for (size_t i = 0; rules->sql && i < rules->sql->n; i++)
    hm_sha256_field(&h, rules->sql->rules[i].text);
  for (size_t i = 0; i < rules->n_tolerances; i++) {
    const hm_tolerance *t = &rules->tolerances[i];
    hm_sha256_field(&h, t->slot);
    hm_sha256_field(&h, hm_str_fmt(a, "%.17g", t->value));
    hm_sha256_field(&h, t->unit);
  }
  digest_list(&h, rules->off, rules->n_off, a);
  for (size_t i = 0; i < rules->n_severities; i++) {
    hm_sha256_field(&h, rules->severities[i].rule);
    hm_sha256_field(&h, rules->severities[i].severity);
  }
  return hm_sha256_hex(&h, a, 12);
}
