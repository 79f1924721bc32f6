/* The table of doors, and how it is printed: doors.h. */
#include "gen/api/doors.h"

#include <string.h>

#include "gen/api/api.h"

#define PERSON "- a person decides it; an agent reports, or remembers"
#define CURATED "- curated state is the word of people; an agent remembers, or reports"
#define DERIVED "- it follows from its rows: edit these"
#define FILED "- a file of facts declares projects, with their aliases"

#define ROW(layer, add, get, list, edit, promote, retire, linked, history)                         \
  { layer, "add", add }, { layer, "get", get }, { layer, "list", list }, { layer, "edit", edit },  \
      { layer, "promote", promote }, { layer, "retire", retire }, { layer, "link", linked }, {     \
    layer, "history", history                                                                      \
  }
#define BY(command, operation, tool)                                                               \
  { command, operation, tool }
#define BY_NONE(why)                                                                               \
  { why, why, why }

enum { VERBS = 8 };

static const hm_door_row ROWS[] = {
  ROW("memory", BY("add memory", "addMemory", "remember"), BY("show", "getMemory", "get"),
      BY("list memory", "listRows", "list"), BY("edit", "editMemory", "edit"),
      BY("promote", "promoteMemory", PERSON), BY("supersede", "supersedeRow", "edit"),
      BY("link", "linkRows", "link"), BY("log", "getMemory", "get")),
  ROW("entity", BY("add entity", "addEntity", "remember"), BY("show", "getEntity", "get"),
      BY("list entity", "listRows", "list"), BY("edit", "editEntity", "edit"),
      BY("promote", "promoteEntity", PERSON), BY("supersede", "supersedeRow", "edit"),
      BY("link", "linkRows", "link"), BY("log", "getEntity", "get")),
  ROW("state", BY("add state", "addProjectState", CURATED), BY("show", "getProjectState", "get"),
      BY("list state", "listRows", "list"), BY("edit", "editProjectState", CURATED),
      BY("promote", "promoteProjectState", PERSON), BY("supersede", "supersedeRow", "supersede"),
      BY("link", "linkRows", "link"), BY("log", "getProjectState", "get")),
  ROW("relation", BY("add relation", "addRelation", "relate"), BY("show", "getRelation", "get"),
      BY("list relation", "listRows", "list"), BY("edit", "editRelation", "edit"),
      BY("promote", "promoteRelation", PERSON), BY("supersede", "supersedeRow", "edit"),
      BY("link", "linkRows", "link"), BY("log", "getRelation", "get")),
  ROW("link", BY("link", "linkRows", "link"), BY("neighbors", "getNeighbors", "get"),
      BY("subgraph", "getSubgraph", "get"),
      BY_NONE("- it has nothing but its ends and its relation: remove it, and draw another"),
      BY_NONE("- it claims nothing, so none waits"), BY("unlink", "unlinkRows", "link"),
      BY_NONE("- it leads from row to row"), BY("neighbors", "getNeighbors", "get")),
  ROW("conflict", BY("report", "reportContradiction", "report_contradiction"),
      BY("conflicts show", "getConflict", "conflicts"),
      BY("conflicts list", "listConflicts", "conflicts"), BY_NONE(DERIVED),
      BY("findings confirm", "confirmFinding", PERSON),
      BY("conflicts resolve", "resolveConflict", PERSON),
      BY("conflicts resolve", "resolveConflict", PERSON),
      BY("explain", "explainConflict", "conflicts")),
  ROW("finding", BY("flag", "flagRow", "report_contradiction"),
      BY("explain", "explainFinding", "conflicts"), BY("findings list", "listFindings", "list"),
      BY_NONE(DERIVED), BY("findings confirm", "confirmFinding", PERSON),
      BY("findings ack", "acknowledgeFinding", PERSON), BY_NONE("- it names its rows itself"),
      BY("findings list", "listFindings",
         "- it holds or it does not; who acknowledged one, people are told")),
  ROW("project", BY("import", FILED, FILED), BY("list project", "listProjects", "list"),
      BY("list project", "listProjects", "list"), BY("import", FILED, FILED),
      BY_NONE("- none waits"), BY_NONE("- it is there while rows name it"),
      BY_NONE("- its rows are linked"),
      BY("log", "- the pages of its changes tell it", "- the pages of its changes tell it")),
};

const hm_door_row *hm_door_rows(size_t *n) {
  *n = HM_COUNT(ROWS);
  return ROWS;
}

const char hm_door_others[] =
    "adopt alike build check completion context diff evidence export graduate health help impact "
    "init judge mcp neighbors publish query recall redact reflect restore review rules serve sweep "
    "theme trust unflag verify version "
    "dismissConflict getAlike getContext getEvidence getHealth getImpact getLatestSweep getOpenapi "
    "getQuery getRow graduateMemory listPairs listRules notAContradiction reflect reopenConflict "
    "restoreRow unacknowledgeFinding unflagRow withdrawReports "
    "add_entity find_conflicts get_conflict get_contradictions list_conflicts explain_conflict "
    "explain_violation flag_for_review get_anachronisms get_ontology_violations get_orphans "
    "latest_run list_ontology_rules not_a_contradiction review_next run_consistency_check unlink";

/* "POST /memory" of "addMemory". */
static hm_str operation_text(const char *name, hm_arena *a) {
  static const char *const methods[] = {
    [HM_GET] = "GET", [HM_PATCH] = "PATCH", [HM_POST] = "POST"
  };
  const hm_api_operation *op = hm_api_find_operation(hm_str_c(name));
  return op ? hm_str_fmt(a, "%s %s", methods[op->method], op->path) : hm_str_c(name);
}

/* The reasons of a layer, each once, behind the verbs that have it. */
static void add_reasons(hm_buf *b, const hm_door_row *rows) {
  enum { CELLS = VERBS * HM_N_DOORS };
  for (size_t i = 0; i < CELLS; i++) {
    const char *why = rows[i / HM_N_DOORS].door[i % HM_N_DOORS], *last = NULL;
    size_t first = 0;
    while (*why == '-' && strcmp(rows[first / HM_N_DOORS].door[first % HM_N_DOORS], why) != 0)
      first++;
    if (*why != '-' || first < i)
      continue;
    for (size_t k = i; k < CELLS; k++) {
      const hm_door_row *r = &rows[k / HM_N_DOORS];
      if (strcmp(r->door[k % HM_N_DOORS], why) == 0 && r->verb != last) {
        hm_buf_fmt(b, "%s%s", last ? ", " : "  - ", r->verb);
        last = r->verb;
      }
    }
    hm_buf_fmt(b, ": %s\n", why + 2);
  }
}

hm_str hm_doors_text(hm_arena *a) {
  hm_buf b = { 0 };
  for (size_t i = 0; i < HM_COUNT(ROWS); i++) {
    const hm_door_row *r = &ROWS[i];
    hm_str http = operation_text(r->door[HM_DOOR_HTTP], a);
    if (i % VERBS == 0)
      hm_buf_fmt(&b, "%s%s\n", i ? "\n" : "", r->layer);
    hm_buf_fmt(&b, "  %-8s  %-17s  %-32.*s  %s\n", r->verb,
               *r->door[HM_DOOR_COMMAND] == '-' ? "-" : r->door[HM_DOOR_COMMAND],
               *http.p == '-' ? 1 : (int)http.n, http.p,
               *r->door[HM_DOOR_MCP] == '-' ? "-" : r->door[HM_DOOR_MCP]);
    if (i % VERBS == VERBS - 1)
      add_reasons(&b, r - (VERBS - 1));
  }
  return hm_buf_take(&b, a);
}
