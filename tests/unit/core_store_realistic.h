/* Records as real stores hold them, for the property tests: half of all rows in one project, a fifth
 * superseded, relations, links between projects, long prose, claims that contradict each other,
 * verdicts of every kind; and statements by which another program deletes some of it. */
#ifndef CORE_STORE_REALISTIC_H
#define CORE_STORE_REALISTIC_H
#include "core/base/str.h"
#include "tests/unit/core_base_prng.h"

/* The row i is of this kind, so that rows can refer to others. */
static inline const char *realistic_kind(size_t i) {
  static const char *const kinds[] = { "memory", "project_state", "entity", "relation" };
  return kinds[i % 4];
}

static inline const char *realistic_project(uint64_t *seed) {
  static const char *const others[] = { "p", "q", "alias", "loose", "" };
  return prng(seed) % 2 ? "half" : others[prng(seed) % 5];
}

/* Some kilobytes of Markdown, every seventh time; else a sentence. */
static inline void realistic_prose(hm_buf *b, uint64_t *seed) {
  static const char *const parts[] = {
    "The frame carries the mirror cell. ", "It was **measured** twice, see `data/frame.csv`. ",
    "\\n\\n## Why\\n\\n- the first batch was late\\n- \\u00dcber 3 kg\\n\\n", "Nobody asked for more. "
  };
  for (uint64_t n = prng(seed) % 7 ? 1 : 60 + prng(seed) % 60; n; n--)
    hm_buf_c(b, parts[prng(seed) % 4]);
}

static inline void realistic_row(hm_buf *b, uint64_t *seed, size_t i) {
  static const char *const keys[] = { "mass", "material", "color", "supplier" };
  static const char *const values[] = { "3 kg", "4 kg", "steel", "PEEK", "frame" };
  const char *key = keys[prng(seed) % 4], *value = values[prng(seed) % 5];
  hm_buf_fmt(b, "{\"kind\":\"%s\",\"id\":\"b%zu\",\"project\":\"%s\",\"created_at\":\"2026-01-%02u\"",
             realistic_kind(i), i, realistic_project(seed), (unsigned)(1 + prng(seed) % 28));
  if (i >= 4 && prng(seed) % 5 == 0)
    hm_buf_fmt(b, ",\"status\":\"superseded\",\"superseded_by\":\"b%zu\",\"superseded_at\":\"2026-02\"",
               i - 4);
  if (i % 4 == 0) {
    hm_buf_fmt(b, ",\"memory_type\":\"knowledge\",\"content\":\"frame %s is %s. ", key, value);
    realistic_prose(b, seed);
    hm_buf_c(b, "\"}\n");
  } else if (i % 4 == 1) {
    hm_buf_fmt(b, ",\"key\":\"frame %s\",\"value\":\"%s\"}\n", key, value);
  } else if (i % 4 == 2) {
    hm_buf_fmt(b, ",\"entity_type\":\"Component\",\"name\":\"frame\",\"description\":\"");
    realistic_prose(b, seed);
    hm_buf_fmt(b, "\",\"properties\":{\"%s\":\"%s\",\"subsystem_id\":\"b2\"}}\n", key, value);
  } else {
    hm_buf_fmt(b, ",\"type\":\"%s\",\"from\":\"b%zu\",\"to\":\"b%zu\"}\n",
               prng(seed) % 3 ? "PART_OF" : "SUPERSEDES", i - 1, (size_t)(prng(seed) % i) / 4 * 4 + 2);
  }
  if (i && prng(seed) % 3 == 0) {
    size_t to = prng(seed) % i;
    hm_buf_fmt(b, "{\"kind\":\"link\",\"src\":\"%s:b%zu\",\"dst\":\"%s:b%zu\"}\n", realistic_kind(i),
               i, realistic_kind(to), to);
  }
}

/* A recorded conflict of two rows of states, settled in the way that its number says. */
static inline void realistic_conflict(hm_buf *b, size_t i) {
  static const char *const verdicts[] = {
    "\"status\":\"dismissed\",\"resolution\":\"both are right\"",
    "\"status\":\"resolved\",\"action\":\"no_action\",\"resolution\":\"known\"",
    "\"status\":\"resolved\",\"action\":\"supersede_others\",\"winner\":\"project_state:b1\"",
    "\"status\":\"resolved\",\"action\":\"supersede_opponents\",\"winner\":\"project_state:b1\","
    "\"scope\":\"whole_row\"",
    "\"status\":\"merged\",\"merged_into\":\"c000000000000\"",
    "\"status\":\"open\"",
  };
  bool settled = i % 6 < 4;
  hm_buf_fmt(b, "{\"kind\":\"conflict\",\"id\":\"c%012zu\",\"slot_kind\":\"state_slot\","
                "\"slot_key\":[\"p\",\"was %zu\"],\"project\":\"p\",\"detected_at\":\"2026-02\",%s%s,"
                "\"members\":[{\"member_kind\":\"project_state\",\"member_id\":\"b1\",\"field\":\"value\","
                "\"value\":\"3 kg\",\"flagged\":true},{\"member_kind\":\"project_state\","
                "\"member_id\":\"b%zu\",\"field\":\"value\",\"value\":\"4 kg\",\"flagged\":true}]}\n",
             i, i, verdicts[i % 6],
             settled ? ",\"resolved_by\":\"ada\",\"resolved_at\":\"2026-03-01T00:00:00Z\"" : "",
             4 * i + 5);
  if (i % 6 == 5)
    hm_buf_fmt(b, "{\"kind\":\"verdict\",\"conflict\":\"c%012zu\",\"status\":\"reopened\","
                  "\"resolved_by\":\"bob\",\"resolved_at\":\"2026-04-01T00:00:00Z\"}\n", i);
}

/* JSON Lines of so many rows, with what belongs to them. */
static inline void realistic_store(hm_buf *b, uint64_t *seed, size_t rows) {
  hm_buf_c(b, "{\"kind\":\"project\",\"id\":\"half\",\"name\":\"The Big One\"}\n"
              "{\"kind\":\"project\",\"id\":\"p\",\"aliases\":[\"alias\"]}\n"
              "{\"kind\":\"project\",\"id\":\"q\"}\n");
  for (size_t i = 0; i < rows; i++) realistic_row(b, seed, i);
  for (size_t i = 0; i < rows / 10; i++) realistic_conflict(b, i);
}

/* What another program deletes: rows with links, superseding and superseded ones. */
static const char *const realistic_deletes[] = {
  "DELETE FROM memories WHERE rowid % 9 = 4",
  "DELETE FROM entities WHERE rowid % 11 = 5",
  "DELETE FROM project_state WHERE rowid % 10 = 3",
  "DELETE FROM relations WHERE rowid % 7 = 2",
  "DELETE FROM links WHERE rowid % 5 = 1",
};
enum { REALISTIC_DELETES = sizeof realistic_deletes / sizeof *realistic_deletes };
#endif
