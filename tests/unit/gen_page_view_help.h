/* Facts of all kinds, and the view of them, for the tests of what pages show. */
#ifndef GEN_PAGE_VIEW_HELP_H
#define GEN_PAGE_VIEW_HELP_H
#include "tests/unit/gen_page_help.h"

#define LINE(...) #__VA_ARGS__ "\n"

static const hm_view_options plain = { .title = HM_STR("Mirror"), .tool = HM_STR("t") };

__attribute__((unused)) static const char FACTS[] = LINE({
  "kind" : "project",
  "id" : "p05-interferometer",
  "name" : "Interferometer",
  "aliases" : ["p05"],
  "description" : "A bench."
}) LINE({
  "kind" : "entity",
  "id" : "sub1",
  "entity_type" : "Subsystem",
  "project" : "p05",
  "name" : "Frame",
  "properties" : { "subsystem_name" : "frame" },
  "created_at" : "2026-01-01"
}) LINE({
  "kind" : "entity",
  "id" : "sub2",
  "entity_type" : "Subsystem",
  "project" : "p05",
  "name" : "Cell",
  "properties" : { "subsystem_name" : "cell" },
  "created_at" : "2026-01-01"
}) LINE({
  "kind" : "relation",
  "id" : "r1",
  "type" : "PART_OF",
  "project" : "p05",
  "from" : "sub2",
  "to" : "sub1"
}) LINE({
  "kind" : "entity",
  "id" : "d1",
  "entity_type" : "Decision",
  "project" : "p05",
  "name" : "Support",
  "properties" :
      { "decision_target" : "lateral support", "decision_field" : "material", "value" : "PEEK" },
  "source_refs" : ["meeting"],
  "created_at" : "2026-04-02"
}) LINE({
  "kind" : "entity",
  "id" : "d0",
  "entity_type" : "Decision",
  "project" : "p05",
  "name" : "Old support",
  "status" : "superseded",
  "superseded_by" : "d1",
  "properties" :
      { "decision_target" : "lateral support", "decision_field" : "material", "value" : "steel" },
  "created_at" : "2026-01-02"
}) LINE({
  "kind" : "project_state",
  "id" : "s1",
  "project" : "p05",
  "category" : "decision",
  "key" : "lateral_support_material",
  "value" : "GF-PTFE",
  "source" : "review",
  "created_at" : "2026-04-01"
}) LINE({
  "kind" : "memory",
  "id" : "m1",
  "memory_type" : "knowledge",
  "project" : "p05",
  "content" : "lateral support material is PTFE",
  "created_at" : "2026-03-01"
}) LINE({
  "kind" : "memory",
  "id" : "m2",
  "memory_type" : "episodic",
  "project" : "p05",
  "content" : "It rained.",
  "created_at" : "2025-03-01"
}) LINE({
  "kind" : "memory",
  "id" : "m3",
  "memory_type" : "knowledge",
  "project" : "p05",
  "content" : "frame mass is 4 kg",
  "status" : "candidate"
});

__attribute__((unused))
static help_site site_of(const char *facts) { return help_site_of(hm_str_c(facts), &plain); }
#endif
