/* The table of rules.
 *
 * Every sweep runs the rules in this table; their conflicts and findings get all features.
 * tests/unit/core_detect_rules.c checks that a rule reads only what it declares, and that running
 * the keys of a change gives the same as running everything. */
#include "core/base/near_names.h"
#include "core/claim/slot.h"
#include "core/detect/rule.h"
#include "core/detect/sql_rule.h"

#define UNREAD(rule, text)                                                                         \
  {                                                                                                \
    .name = rule, .version = 1, .yields = HM_YIELDS_FINDING, .severity = HM_SEVERITY_WARN,         \
    .kind = "ontology_violation", .says = text, .by = HM_BY_ROW, .layers = HM_IN_ROWS,             \
    .reads_unread = true, .find = hm_find_unread                                                   \
  }
#define ORPHAN(rule, column, in, reads, wants, ...)                                                \
  {                                                                                                \
    .name = "orphan/" rule, .version = 1, .yields = HM_YIELDS_FINDING,                             \
    .severity = HM_SEVERITY_WARN, .kind = "orphan", .says = "A reference leads nowhere.",          \
    .expected = wants, .by = HM_BY_REF, .layers = in, .columns = (column) | (reads),               \
    .about = column, .find = hm_find_dangling, __VA_ARGS__                                         \
  }

#define LIST(...)                                                                                  \
  (const char *const[]) { __VA_ARGS__, NULL }
#define GAP(rule, type, why, text, wants, ...)                                                     \
  {                                                                                                \
    .name = "gap/" rule, .version = 1, .yields = HM_YIELDS_FINDING, .severity = HM_SEVERITY_WARN,  \
    .kind = "orphan", .reason = why, .says = text, .expected = wants, .by = HM_BY_TIES,            \
    .layers = HM_IN(HM_ENTITY), .types = LIST(type),                                               \
    .columns = HM_COL_NAME | HM_COL_PROPS | HM_COL_FROM | HM_COL_TO,                               \
    .gap = &(const hm_gap_rule){ __VA_ARGS__ }, .find = hm_find_gap                                \
  }

#define ANACHRONISM(rule, why, text)                                                               \
  {                                                                                                \
    .name = "time/" rule, .version = 1, .yields = HM_YIELDS_FINDING, .kind = "anachronism",        \
    .says = text, .reason = why, .severity = HM_SEVERITY_ERROR, LIVES,                             \
    .ends_of = hm_anachronism_types, .run_together = true, .find = hm_find_anachronisms            \
  }
#define LIVES                                                                                      \
  .by = HM_BY_REF, .layers = HM_IN(HM_RELATION), .reads_lives = true,                              \
  .columns = HM_COL_FROM | HM_COL_TO | HM_COL_VALID | HM_COL_PROPS

#define CIRCLE(rule, text, wants, types, by_time, finder)                                          \
  {                                                                                                \
    .name = "circle/" rule, .version = 1, .yields = HM_YIELDS_FINDING,                             \
    .severity = HM_SEVERITY_ERROR, .kind = "ontology_violation", .says = text, .expected = wants,  \
    .by = HM_BY_COMPONENT, .layers = HM_IN(HM_ENTITY) | HM_IN(HM_RELATION),                        \
    .columns = HM_COL_FROM | HM_COL_TO | HM_COL_NAME | HM_COL_PROPS | HM_COL_VALID,                \
    .ends_of = types, .reads_now = by_time, .find = finder                                         \
  }

#define PARENTS(rule, finder, text)                                                                \
  {                                                                                                \
    .name = "life/" rule, .version = 1, .yields = HM_YIELDS_FINDING, .severity = HM_SEVERITY_WARN, \
    .kind = "ontology_violation", .says = text, LIVES, .ends_of = PARENT_OF, .find = finder        \
  }

static const char *const PARENT_OF[] = { "PARENT_OF", NULL };

static const hm_rule RULES[] = {
  { .name = "slot",
    .version = 1,
    .yields = HM_YIELDS_CONFLICT,
    .severity = HM_SEVERITY_WARN,
    .kind = "cross_layer",
    .says = "active claims of one slot are in conflict where they can be compared, their windows "
            "overlap and their values cannot both hold; a conflict holds those that contradict "
            "each other, directly or through others. Sentences of one document alone that "
            "differ are no conflict: they speak of different things.",
    .by = HM_BY_SLOT,
    .layers = HM_IN_ROWS,
    .columns = HM_COL_CREATED | HM_COL_SOURCES,
    .reads_now = true,
    .find = hm_find_slot_conflicts,
    .explain = hm_explain_slot_conflict },
  { .name = "slot/crowd",
    .version = 1,
    .yields = HM_YIELDS_CONFLICT,
    .severity = HM_SEVERITY_WARN,
    .kind = "relation_slot",
    .says = "relations of one slot are in conflict where more values hold at one time than may; a "
            "conflict holds all that hold in such a crowd, directly or through others.",
    .by = HM_BY_SLOT,
    .layers = HM_IN(HM_RELATION),
    .columns = HM_COL_CREATED,
    .reads_now = true,
    .find = hm_find_crowded_slots,
    .explain = hm_explain_crowded_slot },
  { .name = "slot/bounds",
    .version = 1,
    .yields = HM_YIELDS_CONFLICT,
    .severity = HM_SEVERITY_WARN,
    .kind = "relation_slot",
    .says = "relations from two sources that say the same are in conflict about a bound where "
            "their windows overlap, both give it and it cannot be the same.",
    .by = HM_BY_SLOT,
    .layers = HM_IN(HM_RELATION),
    .columns = HM_COL_CREATED | HM_COL_SOURCES,
    .reads_now = true,
    .find = hm_find_other_bounds },
  { .name = "slot/overlap",
    .version = 2,
    .yields = HM_YIELDS_FINDING,
    .severity = HM_SEVERITY_INFO,
    .kind = "possible_overlap",
    .says = "Values that cannot both hold may hold at one time: their bounds do not say.",
    .expected = "bounds that say which held when",
    .by = HM_BY_SLOT,
    .layers = HM_IN_ROWS,
    .reads_now = true,
    .find = hm_find_possible_overlaps },
  UNREAD("row/properties", "Properties are no JSON object."),
  UNREAD("row/window", "A bound is no time, or a window ends before it begins."),
  UNREAD("row/value", "A value is marked as JSON and is none."),
  ORPHAN("from", HM_COL_FROM, HM_IN(HM_RELATION), 0, "a row of the store"),
  ORPHAN("to", HM_COL_TO, HM_IN(HM_RELATION), HM_COL_FROM | HM_COL_PROPS, "a row of the store",
         .reads_lives = true),
  ORPHAN("superseded_by", HM_COL_SUPERSEDED_BY, HM_IN_ROWS, HM_COL_FROM, "a row of the store"),
  ORPHAN("graduated_to", HM_COL_GRADUATED_TO, HM_IN(HM_MEMORY), 0, "an entity of the store"),
  ORPHAN("link_src", HM_COL_SRC, HM_IN_LINKS, HM_COL_DST, "a row of the store"),
  ORPHAN("link_dst", HM_COL_DST, HM_IN_LINKS, HM_COL_SRC, "a row of the store"),
  { .name = "orphan/project",
    .version = 1,
    .yields = HM_YIELDS_FINDING,
    .severity = HM_SEVERITY_WARN,
    .kind = "orphan",
    .says = "Two declared projects fit a name that rows have for a project.",
    .expected = "the id of one project",
    .by = HM_BY_WORLD,
    .layers = HM_IN_ROWS,
    .world = "which declared projects a name fits depends on all of them, and any row may use it",
    .find = hm_find_unclear_projects },
  { .name = "row/supersession-cycle",
    .version = 2,
    .yields = HM_YIELDS_FINDING,
    .severity = HM_SEVERITY_ERROR,
    .kind = "ontology_violation",
    .says = "Rows supersede each other in a circle.",
    .expected = "a last row that nothing supersedes",
    .by = HM_BY_COMPONENT,
    .layers = HM_IN_ROWS,
    .columns = HM_COL_SUPERSEDED_BY | HM_COL_FROM | HM_COL_TO | HM_COL_PROPS,
    .ends_of = hm_supersede_types,
    .find = hm_find_supersession_cycles },
  { .name = "row/supersession",
    .version = 2,
    .yields = HM_YIELDS_FINDING,
    .severity = HM_SEVERITY_WARN,
    .kind = "ontology_violation",
    .says =
        "A supersession leads nowhere: the older row is active, or has no successor that holds, "
        "or two, or is still needed.",
    .expected = "a superseded row with one successor that holds",
    .by = HM_BY_WORLD,
    .layers = HM_IN_ROWS,
    .columns = HM_COL_SUPERSEDED_BY | HM_COL_FROM | HM_COL_TO | HM_COL_PROPS | HM_COL_NAME,
    .world = "columns, relations, links and properties say it, each of other rows",
    .find = hm_find_lost_supersessions },
  { .name = "row/decision-record",
    .version = 1,
    .yields = HM_YIELDS_FINDING,
    .severity = HM_SEVERITY_WARN,
    .kind = "ontology_violation",
    .says = "A record of a decision does not fit the others: its number, its supersession, or the "
            "index.",
    .expected = "records that say the same of each other",
    .by = HM_BY_ROW,
    .layers = HM_IN(HM_ENTITY),
    .columns = HM_COL_NAME | HM_COL_PROPS,
    .find = hm_find_record_faults },
  { .name = "row/no-longer-in-source",
    .version = 1,
    .yields = HM_YIELDS_FINDING,
    .severity = HM_SEVERITY_WARN,
    .kind = "stale",
    .says = "A source named rows once, and its last version does not.",
    .by = HM_BY_WORLD,
    .layers = HM_IN_ROWS,
    .world = "one source names rows of any kind and project, and is told of once",
    .find = hm_find_absent },
  CIRCLE("parents", "A parent is its own ancestor.", "an ancestor that descends from none of these",
         hm_parent_types, false, hm_find_parent_circles),
  CIRCLE("parts", "A part contains its whole, at one time.",
         "a whole that is a part of none of these", hm_part_types, true, hm_find_part_circles),
  GAP("person-lineage", "person", "Person of unknown lineage",
      "Nobody knows whose child a person is, nor when it was born.",
      "a relation PARENT_OF or DESCENDED_FROM, or a birth", .unknown = "its lineage",
      .end = HM_TIED_EITHER,
      .kinds = LIST("parentof", "descendedfrom", "childof", "fatherof", "motherof", "sonof",
                    "daughterof", "ancestorof", "descendantof"),
      .props = LIST("birth", "born", "birth_date", "date_of_birth", "birthdate", "birth_year",
                    "year_of_birth", "parents", "father", "mother", "lineage")),
  GAP("faction-origin", "faction", "Faction of unknown origin",
      "Nobody knows who or what founded a faction.", "a relation FOUNDED", .unknown = "its origin",
      .end = HM_TIED_EITHER,
      .kinds = LIST("founded", "foundedby", "foundedin", "foundedat", "foundedduring", "founderof"),
      .props =
          LIST("founded", "founder", "founders", "founded_by", "founding", "foundation", "origin")),
  GAP("location-region", "location", "Unmapped location",
      "Nobody knows in which region a location lies.", "a relation PART_OF to a region",
      .unknown = "which region it is part of", .end = HM_TIED_FROM,
      .kinds = LIST("partof", "locatedin"),
      .goals = LIST("region", "continent", "country", "county", "duchy", "empire", "kingdom",
                    "land", "nation", "plane", "planet", "principality", "province", "realm",
                    "state", "territory", "world"),
      .props = LIST("region", "region_id", "region_name")),
  GAP("event-location", "event", "Event with no location",
      "Nobody knows where an event took place.", "a relation OCCURRED_AT",
      .unknown = "where it took place", .end = HM_TIED_FROM,
      .kinds = LIST("occurredat", "occurredin", "tookplaceat", "tookplacein", "happenedat",
                    "locatedin", "locatedat"),
      .props = LIST("location", "location_id", "location_name", "place", "venue")),
  GAP("event-era", "event", "Event with no era", "Nobody knows in which era an event took place.",
      "a relation OCCURRED_DURING", .unknown = "in which era it took place", .end = HM_TIED_FROM,
      .kinds = LIST("occurredduring"), .signs = LIST("era"),
      .props = LIST("era", "era_id", "era_name"),
      .dates = LIST("date", "in_fiction_date", "year", "time", "when", "begins", "ends", "begin",
                    "start", "start_date", "end", "end_date", "occurred", "occurred_at")),
  GAP("item-owner", "item", "Unowned artifact", "Nobody knows who possesses an item.",
      "a relation POSSESSES", .unknown = "who possesses it", .end = HM_TIED_TO,
      .kinds = LIST("possesses", "possessed", "owns", "owned", "holds", "wields"),
      .props = LIST("owner", "owner_id", "owner_name", "owned_by", "possessed_by", "holder")),
  GAP("spell-system", "spell", "Spell with no magic system",
      "Nobody knows to which system of magic a spell belongs.", "a relation PART_OF_SYSTEM",
      .unknown = "which magic system it is part of", .end = HM_TIED_FROM,
      .kinds = LIST("partofsystem"),
      .props = LIST("magic_system", "system", "magic_system_id", "magic_system_name")),
  GAP("component-whole", "component", "Component of an unknown whole",
      "Nobody knows what a component is a part of, in a project that says it of others.",
      "a relation PART_OF", .unknown = "what it is a part of", .where = HM_WHERE_USED,
      .end = HM_TIED_FROM, .kinds = LIST("partof", "belongsto", "componentof"),
      .is_answer = hm_prop_says_part_of),
  GAP("material-use", "material", "Material with no use",
      "Nobody knows what uses a material, in a project that says it of others.",
      "a relation USES_MATERIAL", .unknown = "what uses it", .where = HM_WHERE_USED,
      .end = HM_TIED_TO, .kinds = LIST("usesmaterial", "madeof"),
      .props = LIST("component", "component_id", "component_name", "used_by", "used_in")),
  GAP("parameter-value", "parameter", "Parameter with no value",
      "Nobody knows the value of a parameter.", "a property value", .unknown = "its value",
      .where = HM_EVERYWHERE, .is_answer = hm_prop_may_be_value),
  GAP("constraint-limit", "constraint", "Constraint with no limit",
      "Nobody knows the limit of a constraint.", "a property limit or value",
      .unknown = "its limit", .where = HM_EVERYWHERE, .is_answer = hm_prop_may_be_value),
  GAP("result-model", "result", "Result of an unknown test",
      "Nobody knows which test or model a result comes from, in a project that says it of others.",
      "a relation to what it tests, or a property analysis_model", .where = HM_WHERE_USED,
      .unknown = "what it is a result of", .end = HM_TIED_EITHER,
      .kinds = LIST("supports", "validates", "verifies", "tests", "resultof", "producedby",
                    "produces", "affects"),
      .props = LIST("analysis_model", "analysis_model_id", "analysis_model_name", "model", "test",
                    "method", "measurement")),
  ANACHRONISM("existed-before", "EXISTED_BEFORE",
              "A relation needs something at a time before it existed."),
  ANACHRONISM("existed-after", "EXISTED_AFTER",
              "A relation needs something at a time after it existed."),
  { .name = "time/existed-during-mismatch",
    .version = 1,
    .yields = HM_YIELDS_FINDING,
    .severity = HM_SEVERITY_WARN,
    .kind = "anachronism",
    .says = "A relation needs something at a time when it did not exist: in a gap between two "
            "windows of its existence, or from before it until after it.",
    .reason = "EXISTED_DURING_MISMATCH",
    LIVES,
    .ends_of = hm_anachronism_types,
    .run_together = true,
    .find = hm_find_anachronisms },
  { .name = "time/may-not-have-existed",
    .version = 1,
    .yields = HM_YIELDS_FINDING,
    .severity = HM_SEVERITY_INFO,
    .kind = "possible_overlap",
    .says = "A relation needs something at a time when it may not have existed: the bounds do not "
            "say.",
    LIVES,
    .ends_of = hm_anachronism_types,
    .run_together = true,
    .find = hm_find_anachronisms },
  { .name = "life/death-before-birth",
    .version = 1,
    .yields = HM_YIELDS_FINDING,
    .severity = HM_SEVERITY_ERROR,
    .kind = "ontology_violation",
    .says = "Something died before it was born, or ended before it began.",
    .by = HM_BY_ROW,
    .layers = HM_IN(HM_ENTITY),
    .reads_lives = true,
    .find = hm_find_death_before_birth },
  PARENTS("child-before-parent", hm_find_child_before_parent,
          "A child was born before its parent."),
  PARENTS("parent-too-young", hm_find_young_parents,
          "A parent was younger than the world's parent_age when its child was born."),
  PARENTS("child-after-parent-death", hm_find_late_children,
          "A child was born more years after its parent's death than the world's "
          "born_after_death."),
  { .name = "review/flagged",
    .version = 1,
    .yields = HM_YIELDS_FINDING,
    .severity = HM_SEVERITY_WARN,
    .kind = "review",
    .says = "Somebody flagged the row for review.",
    .expected = "somebody looks at it and takes the flag back",
    .by = HM_BY_WORLD,
    .layers = HM_IN_ROWS,
    .world = "what people say of a row is no part of it",
    .find = hm_find_flagged },
  { .name = HM_RULE_REPORTED,
    .version = 1,
    .yields = HM_YIELDS_FINDING,
    .severity = HM_SEVERITY_WARN,
    .kind = "reported",
    .says = "A model, an agent or a person says that these rows contradict each other; no rule "
            "computed it.",
    .expected = "a person who confirms it, which makes it a conflict, or dismisses it",
    .by = HM_BY_WORLD,
    .layers = HM_IN(HM_MEMORY) | HM_IN(HM_ENTITY) | HM_IN(HM_STATE),
    .columns = HM_COL_NAME | HM_COL_TEXT | HM_COL_PROPS | HM_COL_CREATED,
    .world = "what is said of rows is no part of them",
    .find = hm_find_reported },
  { .name = "life/parents-of-one-gender",
    .version = 1,
    .yields = HM_YIELDS_FINDING,
    .severity = HM_SEVERITY_WARN,
    .kind = "ontology_violation",
    .says = "Two parents of a child are of one gender, in a world with parents_differ_in_gender.",
    .expected = "parents who differ in gender",
    .by = HM_BY_COMPONENT,
    .layers = HM_IN(HM_ENTITY) | HM_IN(HM_RELATION),
    .columns = HM_COL_FROM | HM_COL_TO | HM_COL_NAME | HM_COL_PROPS | HM_COL_VALID,
    .ends_of = PARENT_OF,
    .reads_now = true,
    .find = hm_find_parents_alike },
  { .name = "judged",
    .version = 1,
    .yields = HM_YIELDS_CONFLICT,
    .severity = HM_SEVERITY_WARN,
    .kind = "judged",
    .says = "a person confirmed that these rows contradict each other, as a model proposed or "
            "somebody reported; a conflict holds those that still say what they said then.",
    .by = HM_BY_SLOT,
    .layers = HM_IN_ROWS,
    .columns = HM_COL_CREATED,
    .rows_again = true,
    .find = hm_find_judged,
    .explain = hm_explain_judged },
  { .name = "story/reversal",
    .version = 1,
    .yields = HM_YIELDS_CONFLICT,
    .severity = HM_SEVERITY_WARN,
    .kind = "reversal",
    .says = "a value that was left comes back without a word of change or decision; a conflict "
            "holds the whole way, from the first statement of a value that was left to the last "
            "return, with what superseded rows said.",
    .by = HM_BY_SLOT,
    .layers = HM_IN_ROWS,
    .columns = HM_COL_CREATED | HM_COL_SOURCES,
    .reads_now = true,
    .reads_story = true,
    .verdict_covers = true,
    .find = hm_find_reversals,
    .explain = hm_explain_slot_conflict },
  { .name = "story/stale",
    .version = 1,
    .yields = HM_YIELDS_FINDING,
    .severity = HM_SEVERITY_INFO,
    .kind = "stale",
    .says = "The last word about something is older than two rows that speak of another value.",
    .expected = "a newer statement, or none that speaks of another value",
    .by = HM_BY_SLOT,
    .layers = HM_IN_ROWS,
    .reads_story = true,
    .find = hm_find_stale },
  { .name = "slot/left-out",
    .version = 1,
    .yields = HM_YIELDS_FINDING,
    .severity = HM_SEVERITY_WARN,
    .kind = "review",
    .says = "A slot has more claims than are compared with each other.",
    .expected = "at most 20000 claims, or fewer rows that hold",
    .by = HM_BY_SLOT,
    .layers = HM_IN_ROWS,
    .find = hm_find_left_out },
  { .name = "slot/part",
    .version = 4,
    .yields = HM_YIELDS_FINDING,
    .severity = HM_SEVERITY_INFO,
    .kind = "review",
    .says = "Notes of parts of a project say otherwise than the notes of the whole.",
    .expected = "one value, or words that say why the part differs",
    .by = HM_BY_WORLD,
    .layers = HM_IN(HM_MEMORY) | HM_IN(HM_STATE),
    .columns = HM_COL_SLOT_RULE | HM_COL_SOURCES,
    .reads_now = true,
    .reads_claims = true,
    .world = "which part a slot names is told by the paths of other notes",
    .find = hm_find_other_in_part },
  { .name = "similar",
    .version = 4,
    .yields = HM_YIELDS_FINDING,
    .severity = HM_SEVERITY_WARN,
    .kind = "possible_contradiction",
    .says = "Memories say the same in nearly the same words, or nearly the same, and one denies "
            "it.",
    .expected = "one of them, or words that say when each holds",
    .by = HM_BY_WORLD,
    .layers = HM_IN(HM_MEMORY),
    .columns = HM_COL_TEXT | HM_COL_SLOT_RULE | HM_COL_SCOPE | HM_COL_TAGS | HM_COL_VALID |
        HM_COL_CREATED | HM_COL_SUPERSEDED_BY | HM_COL_SOURCES,
    .reads_now = true,
    .reads_claims = true,
    .world = "rows are alike by a key of their texts, and only all rows tell which share one",
    .find = hm_find_similar },
  { .name = "similar/confirmed",
    .version = 1,
    .yields = HM_YIELDS_CONFLICT,
    .severity = HM_SEVERITY_WARN,
    .kind = "similar",
    .says = "somebody confirmed that these memories say the same, or deny each other; a conflict "
            "holds those that still say what they said then.",
    .by = HM_BY_SLOT,
    .layers = HM_IN(HM_MEMORY),
    .columns = HM_COL_CREATED,
    .rows_again = true,
    .find = hm_find_confirmed,
    .explain = hm_explain_confirmed },
};

const hm_rule_table *hm_config_rule_table(const hm_rules *config) {
  static const hm_rule_table shipped = { RULES, HM_COUNT(RULES) };
  return config && config->table ? config->table : &shipped;
}

/* Name of the i-th rule that a sweep may run, even if disabled; NULL after the last. */
static const char *rule_name(const hm_rules *config, size_t i) {
  const hm_rule_table *t = hm_config_rule_table(config);
  if (i < t->n)
    return t->rules[i].name;
  const hm_sql_rules *sql = config ? config->sql : NULL;
  return sql && i - t->n < sql->n ? sql->rules[i - t->n].id.p : NULL;
}

const char *hm_rule_suggest_name(const hm_rules *config, hm_str name, hm_arena *a) {
  size_t n = 0;
  for (; rule_name(config, n); n++)
    if (hm_str_is(name, rule_name(config, n)))
      return NULL;
  hm_str *names = hm_alloc_array(a, n, sizeof *names);
  for (size_t i = 0; i < n; i++)
    names[i] = hm_str_c(rule_name(config, i));
  const char *meant = hm_hint_names(name, names, n, NULL, a);
  return *meant ? meant : hm_hint_names(name, names, n, "the rules are ", a);
}
