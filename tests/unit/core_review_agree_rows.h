/* Random records of few slots, for the test of writes: whatever is said of them, and by whom. */
#ifndef CORE_REVIEW_AGREE_ROWS_H
#define CORE_REVIEW_AGREE_ROWS_H
#include "tests/unit/core_review_play.h"

static const char *value(play *p) {
  return PICK(p, "\"A\"", "\"a.\"", "\"B\"", "\"3 kg\"", "\"3000 g\"", "3", "[\"A\",\"B\"]", "\"\"",
              "true", "\"e1\"", "\"entity:e2\"", "\"frame\"", "[\"e3\",\"B\"]", "\"mirror cell\"",
              "\"e9\"", "\"TBD\"", "\"unknown.\"", "[\"?\",\"A\"]", "[\"-\"]",
              "\"NA\"", "\"NA\"", "\"5m\"", "\"300 s\"", "\"C12\"");
}
static const char *name(play *p) {
  return PICK(p, "frame", "Frame", "mirror cell", "support", "odd gadget", "mirror mass",
              "");
}
static const char *element(play *p) {
  return PICK(p, "frame", "e1", "entity:e2", "e3", "e9", "mirror cell", "support");
}

/* A window, or nothing. */
static const char *window(play *p) {
  return PICK(p, "", "", "", ",\"valid_from\":\"2026-01\"", ",\"valid_until\":\"2026-01\"",
              ",\"valid_from\":\"2026-03\",\"valid_until\":\"2026-06\"",
              ",\"valid_from\":\"2026-05-02T10:00:00Z\"", ",\"valid_until\":\"2026-04-10\"",
              ",\"valid_from\":\"2026-04\",\"valid_until\":\"2026-04\"");
}

static const char *scope(play *p) {
  return PICK(p, "", "", ",\"scope\":\"git\"", ",\"scope\":\"Git.\"", ",\"scope\":\"svn\"");
}
static const char *polarity(play *p) {
  return PICK(p, "", "", ",\"polarity\":1", ",\"polarity\":-1", ",\"polarity\":-1",
              ",\"polarity\":0");
}

/* Who wrote it, and when; so many in one second that it is an import's time, at times. */
static const char *author(play *p) {
  return PICK(p, "", "", ",\"agent\":\"claude\",\"created_at\":\"2026-03-01T10:00:00Z\"",
              ",\"agent\":\"claude\",\"created_at\":\"2026-03-01T10:07:00Z\"",
              ",\"agent\":\"claude\",\"created_at\":\"2026-03-02T10:00:00Z\"",
              ",\"agent\":\"codex\",\"created_at\":\"2026-03-03T10:00:00Z\"",
              ",\"agent\":\"codex\",\"created_at\":\"2026-04-20T10:00:00Z\"",
              ",\"created_at\":\"2026-04-21T10:00:00Z\"");
}

/* Whose a state is, and since when: of one source the later status overtakes. */
static const char *source(play *p) {
  return PICK(p, "", ",\"source\":\"board\",\"created_at\":\"2026-03-01T10:00:00Z\"",
              ",\"source\":\"board\",\"created_at\":\"2026-03-01T10:20:00Z\"",
              ",\"source\":\"board\",\"created_at\":\"2026-03-04T10:00:00Z\"",
              ",\"source\":\"letter\",\"created_at\":\"2026-03-05T10:00:00Z\"");
}

static const char *memory(play *p) {
  static const char *const contents[] = { "frame mass is 3 kg",
                                          "frame mass: 4 kg",
                                          "prefers rebase workflow",
                                          "prefers merge workflow",
                                          "support material is A",
                                          "material = B",
                                          "role: engineer",
                                          "role: pilot",
                                          "odd gadget color is red",
                                          "value is A",
                                          "frame mass is not known yet",
                                          "role: TBD",
                                          "frame mass is e1",
                                          "support material is frame",
                                          "prefers tabs",
                                          "Prefers tabs.",
                                          "prefers rebase workflow",
                                          "frame mass is 3000 g",
                                          "We use REST",
                                          "We switched to GraphQL",
                                          "The API is REST-based",
                                          "API timeout is 30 s",
                                          "API timeout is 60 s",
                                          "API timeout is now 90 s, not 30 s",
                                          "The API timeout is 30 s in production",
                                          "In staging, the API timeout is 40 s",
                                          "The API timeout is 50 s in the staging environment",
                                          "The owner of the frame is Ann",
                                          "The owner of the frame is Bob",
                                          "The maximum frame mass is 5 kg",
                                          "Postgres 14 is our database version",
                                          "Started the Postgres 17 migration" };
  snprintf(p->record, sizeof p->record,
           "{\"memory_type\":\"%s\",\"project\":\"%s\",\"content\":\"%s\"%s%s%s%s,\"status\":\"%s\"}",
           PICK(p, "knowledge", "preference", "identity", "episodic", "project"), project(p),
           contents[roll(p, sizeof contents / sizeof *contents)], window(p), scope(p), polarity(p),
           author(p),
           PICK(p, "active", "active", "candidate"));
  return p->record;
}

static const char *props(play *p, char *to, size_t size) {
  switch (roll(p, 6)) {
    case 0:
      snprintf(to, size, "{\"decision_target\":\"%s\",\"decision_field\":\"%s\",\"value\":%s}",
               element(p), PICK(p, "material", "mass"), value(p));
      break;
    case 1:
      snprintf(to, size, "{\"subsystem_id\":\"%s\",\"component_name\":\"%s\",\"mass\":%s}",
               element(p), name(p), value(p));
      break;
    case 2:
      snprintf(to, size, "{\"parameter_scope\":\"%s\",\"parameter_name\":\"mass\",\"value\":%s}",
               element(p), value(p));
      break;
    case 3:
      snprintf(to, size, "{\"component_id\":\"%s\",\"material\":%s}", element(p), value(p));
      break;
    case 4:
      snprintf(to, size, "{\"color\":%s,\"mass\":%s,\"notes\":\"x\"}", value(p), value(p));
      break;
    default: snprintf(to, size, "{}");
  }
  return to;
}

static const char *type(play *p) {
  return PICK(p, "Decision", "Component", "Parameter", "Material", "Subsystem", "gadget", "Gizmo");
}

static const char *entity(play *p) {
  char properties[512];
  snprintf(
      p->record, sizeof p->record,
      "{\"id\":\"e%u\",\"entity_type\":\"%s\",\"project\":\"%s\",\"name\":\"%s\",\"properties\":%s%s,\"status\":\"%s\"}",
      roll(p, 4) ? roll(p, 100000) + 10 : roll(p, 10), type(p), project(p), name(p),
      props(p, properties, sizeof properties), window(p), PICK(p, "active", "active", "candidate"));
  return p->record;
}

static const char *state_record(play *p) {
  snprintf(
      p->record, sizeof p->record,
      "{\"project\":\"%s\",\"category\":\"%s\",\"key\":\"%s\",\"value\":%s%s%s,\"status\":\"%s\"}",
      project(p), PICK(p, "", "decision", "gadget", "gizmo", "fact"),
      PICK(p, "frame_mass", "support material", "material", "gadget_frame_color",
           "frame_frame_mass", "e2_frame_mass", "e3_frame_mass", "mirror_mass", "frame_max_mass",
           "api_timeout_staging", "frame_owner", "frame_status", "frame_status", "frame_status",
           "frame_status"),
      value(p), window(p), source(p), PICK(p, "active", "active", "candidate"));
  return p->record;
}
#endif
