/* Settings for claims, as mirror.yml has them. */
#ifndef HM_RULES_H
#define HM_RULES_H
#include "core/value/slot_reading.h"

typedef struct {
  hm_str slot;  /* folded slot name, e.g. "frame_mass" */
  double value; /* greatest compatible difference */
  hm_str unit;  /* unit of value; empty: a bare number; "%": of the larger magnitude */
} hm_tolerance;

enum { HM_TYPE_SLOT_MAX = 2 };
/* By which properties two rows of an entity type of the store speak of one thing: folded names, of
 * which "name" is the row's. */
typedef struct {
  hm_str type; /* hm_entity_type_key */
  hm_str elements[HM_TYPE_SLOT_MAX];
  size_t n;
} hm_type_slot;

/* The severity of a rule, shipped or of the user: error | warn | info. */
typedef struct {
  hm_str rule, severity;
} hm_rule_severity;

typedef struct {
  /* Folded names of properties that claim nothing; a trailing '*' matches any rest. */
  const hm_str *prose;
  size_t n_prose;
  /* Last words of slot names whose values are always text, even if they look like numbers. */
  const hm_str *text_fields;
  size_t n_text_fields;
  /* Last words of slot names, or of members' names, whose arrays are ordered. */
  const hm_str *ordered_fields;
  size_t n_ordered_fields;
  /* Folded names of slots that hold several values, or of their last words, besides the built-in
   * ones of rules.c; a trailing '*' matches any rest of the whole name. */
  const hm_str *several;
  size_t n_several;
  const hm_tolerance *tolerances;
  size_t n_tolerances;
  const hm_type_slot *slots;
  size_t n_slots;
  /* Texts that say that a value is not known, besides the built-in ones of rules.c:
   * as hm_text_fold_value folds them, without closing punctuation, sorted. */
  const hm_str *silence;
  size_t n_silence;
  const struct hm_worlds *worlds; /* calendars (world.h); NULL: none */
  /* The rules that a sweep runs (core/detect/rule.h); NULL: the shipped ones. */
  const struct hm_rule_table *table;
  /* The rules of users (core/detect/sql_rule.h); NULL: none. */
  const struct hm_sql_rules *sql;
  /* The kinds of relations that make claims (relation.h); NULL: the shipped ones. */
  const struct hm_relation_kinds *relations;
  /* Which texts are read as prose, and how they are compared (story.h); NULL: the defaults. */
  const struct hm_story *story;
  /* Names of disabled rules, and severities that replace the rules' own; sorted. A name may be
   * unknown. */
  const hm_str *off;
  size_t n_off;
  const hm_rule_severity *severities;
  size_t n_severities;
  /* Sources that are files of additions: nothing is gone from them. A source that is called so, or
   * ends in "/NAME". */
  const hm_str *additions;
  size_t n_additions;
  hm_str program; /* the build of the program that sweeps; empty: not told */
} hm_rules;

/* The defaults: prose description, notes, rationale, title, source*, created*;
 * text fields version, release, latest, tag, revision, build, firmware, serial, id, code; ordered
 * fields position, order, steps, sequence; no tolerance, no further silence. */
const hm_rules *hm_rules_default(void);
/* True if a property of this folded name claims nothing. */
bool hm_rules_is_prose(const hm_rules *r, hm_str name);
/* What the name of this slot supports: HM_READ_TEXT if its values are always text, and
 * hm_slot_reading. */
hm_reading hm_rules_reading(const hm_rules *r, hm_str slot_name);
/* Is a word of silence also a name or a code, as it is spelled: NA is North America, Na sodium? */
bool hm_value_silence_may_be_name(hm_str raw);
/* True if arrays of this slot, or under this name, are ordered. */
bool hm_rules_is_ordered(const hm_rules *r, hm_str name);
/* True if a slot of this name holds several values, so that another value contradicts none:
 * "aliases", "supported_languages". */
bool hm_rules_is_several(const hm_rules *r, hm_str slot_name);
/* The tolerance for this slot's name, or NULL. */
const hm_tolerance *hm_rules_tolerance(const hm_rules *r, hm_str slot_name);
/* The slot that the config gives the entity type with this key, or NULL. */
const hm_type_slot *hm_rules_type_slot(const hm_rules *r, hm_str type_key);
/* Does this name of a source, as mirror.yml has it, mean this source: it, or one that ends in
 * "/NAME", or lies in a folder that does? */
bool hm_source_is_named(hm_str source, hm_str name);
/* True if this source is one of rules->additions. */
bool hm_rules_is_additions(const hm_rules *r, hm_str source);
/* True if the user disabled this rule. */
bool hm_rule_is_off(const hm_rules *r, hm_str rule);
/* The severity that the user set for this rule, or empty. */
hm_str hm_rules_severity(const hm_rules *r, hm_str rule);

/* Does the text say that its value is not known: "TBD", "n/a", "not known yet." in any case, or
 * one of rules->silence? rules may be NULL. Texts that are not ASCII are folded in scratch. */
bool hm_value_is_silence(hm_str text, const hm_rules *rules, hm_arena *scratch);
/* Folds a text as in rules->silence; empty if nothing or more than 64 bytes are left. In a. */
hm_str hm_silence_fold(hm_str text, hm_arena *a);
#endif
