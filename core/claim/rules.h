/* What a user can set about claims; read from mirror.yml by gen/cli. */
#ifndef HM_RULES_H
#define HM_RULES_H
#include "core/base/str.h"

typedef struct {
  hm_str slot;       /* folded slot name, e.g. "frame_mass" */
  double value;      /* greatest difference that is still compatible */
  hm_str unit;       /* unit of value; empty: the bare number; "%": of the larger magnitude */
} hm_tolerance;

/* What a rule of the table, or one of people's, counts as: error | warn | info. */
typedef struct { hm_str rule, severity; } hm_rule_severity;

typedef struct {
  /* Properties that claim nothing; a trailing '*' matches the rest. Compared
   * with the folded property name. */
  const hm_str *prose; size_t n_prose;
  /* Last word of a slot name whose values are text even if they look like numbers. */
  const hm_str *text_fields; size_t n_text_fields;
  /* Last word of a slot name, or of a member's name, whose arrays have an order. */
  const hm_str *ordered_fields; size_t n_ordered_fields;
  const hm_tolerance *tolerances; size_t n_tolerances;
  /* Texts that say that a value is not known, besides the built-in ones of rules.c:
   * as hm_text_fold_value folds them, without closing punctuation, sorted. */
  const hm_str *silence; size_t n_silence;
  const struct hm_worlds *worlds; /* calendars (world.h); NULL: none */
  /* The rules that a sweep runs (core/detect/rule.h); NULL: the shipped ones. */
  const struct hm_rule_table *table;
  /* The rules that people wrote (core/detect/sql_rule.h); NULL: none. */
  const struct hm_sql_rules *sql;
  /* The kinds of relations that claim (relation.h); NULL: the shipped ones. */
  const struct hm_relation_kinds *relations;
  /* Which texts are read as prose, and how they are compared (story.h); NULL: the defaults. */
  const struct hm_story *story;
  /* Names of rules that do not run, and severities in place of the rules' own, sorted. A name may
   * be that of no rule. */
  const hm_str *off; size_t n_off;
  const hm_rule_severity *severities; size_t n_severities;
} hm_rules;

/* The defaults: prose description, notes, rationale, title, source*, created*;
 * text fields version, release, latest, tag, revision, build, firmware, serial, id, code; ordered
 * fields position, order, steps, sequence; no tolerance, no further silence. */
const hm_rules *hm_rules_default(void);
/* True if a property of this folded name claims nothing. */
bool hm_rules_is_prose(const hm_rules *r, hm_str name);
/* True if values of this slot are text, whatever they look like. */
bool hm_rules_is_text(const hm_rules *r, hm_str slot_name);
/* True if arrays of this slot, or under this name, have an order. */
bool hm_rules_is_ordered(const hm_rules *r, hm_str name);
/* The tolerance for this slot's name, or NULL. */
const hm_tolerance *hm_rules_tolerance(const hm_rules *r, hm_str slot_name);
/* True if people switched the rule of this name off. */
bool hm_rule_is_off(const hm_rules *r, hm_str rule);
/* The severity that people gave this rule, or empty. */
hm_str hm_rules_severity(const hm_rules *r, hm_str rule);

/* Does the text say that its value is not known: "TBD", "n/a", "not known yet." in any case, or
 * one of rules->silence? rules may be NULL. Texts that are not ASCII are folded in scratch. */
bool hm_value_is_silence(hm_str text, const hm_rules *rules, hm_arena *scratch);
/* A text as rules->silence has it; empty when nothing is left of it, or more than 64 bytes. In a.
 */
hm_str hm_silence_fold(hm_str text, hm_arena *a);
#endif
