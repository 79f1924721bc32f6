/* The table of operations: the name, input and output of each. HTTP's routes, the checks of a call
 * and the OpenAPI document are made from it. */
#include "gen/api/api_impl.h"

#define DRY_RUN "dry_run?  boolean  do everything and store nothing\n"
#define BY "by?       string   whom the journal names\n"
#define NOTES "notes?    string   why, for the journal\n"

static const char LIST[] =
    "status?   open|resolved|dismissed|merged|all  open where it is not given\n"
    "project?  string   id or alias\n"
    "source?   string   with a row of this source or agent, exactly as the row has it\n"
    "subject?  string   that concern this: kind:id, an id, or the name of an entity or slot\n"
    "severity? error|warn|info  found by a rule of this severity\n"
    "limit?    integer  how many at most, from 1 to 1000; all where it is not given\n"
    "after?    string   id of a conflict: those that stand after it; the next of the answer "
    "before\n";
static const char ROWS[] =
    "kind?     memory|entity|project_state|relation  all where it is not given\n"
    "status?   candidate|active|superseded|invalid|graduated|all  active where it is not given\n"
    "project?  string   id or alias\n"
    "limit?    integer  how many at most, from 1 to 1000; 100\n"
    "after?    string   kind:id: those that stand after it; the next of the answer before\n";
static const char FINDINGS[] =
    "kind?      string  anachronism, ontology_violation, orphan, stale, possible_overlap, review\n"
    "severity?  string  error, warn or info\n"
    "rule?      string  name of the rule that found it\n"
    "project?   string  id or alias\n"
    "row?       string  about this row: kind:id, or an id\n"
    "reason?    string  with this reason, as the finding has it\n"
    "all?       boolean  acknowledged ones, too\n"
    "limit?     integer  how many at most, from 1 to 1000; all where it is not given\n"
    "after?     string   those that stand after it; the next of the answer before\n";
static const char RECALL[] =
    "query               string   words to look for\n"
    "k?                  integer  at most so many hits, from 1 to 1000; 5\n"
    "mode?               likeness|hybrid|semantic  hybrid; semantic is the old name of likeness\n"
    "type?               string   of this type only\n"
    "tag?                string   with this tag only\n"
    "project?            string   id or alias\n"
    "min_importance?     string   of this importance or more, from 0 to 1\n"
    "as_of?              string   what held then, of what was written by then\n"
    "was_true_at?        string   what may have held then: 330, 3rd_age.year_330\n"
    "clock?              string   a time to take for now\n"
    "include_superseded? boolean  superseded rows themselves, too\n"
    "any?                boolean  the nearest rows also where none fits\n"
    "weights?            string   likeness=0.55,lexical=0.20,recency=0.15,importance=0.10, or some "
    "of it\n"
    "overfetch?          integer  look at so many times k rows, from 1 to 100; 4\n"
    "expand?             string   names of links to follow, separated by commas; * for all\n"
    "depth?              integer  so many links deep, from 1 to 10; 1\n"
    "cap?                integer  at most so many neighbors, from 1 to 1000; 5\n";
static const char SAY[] = DRY_RUN BY;
static const char DEPTH[] = "depth?  integer  so many relations deep, from 1 to 10; 3\n";
static const char WALK[] =
    "rel?        string  only links with these relations, with commas between\n"
    "direction?  out|in|both  both where it is not given\n"
    "depth?      integer  so many links away, from 1 to 100; 1\n"
    "cap?        integer  so many rows at most, from 1 to 1000; 1000\n";
static const char WRITE[] = DRY_RUN BY NOTES;
static const char PAIRS[] =
    "project?  string   of this project only: id or alias\n"
    "source?   string   with a row of this agent or source, exactly as the row has it\n"
    "limit?    integer  how many at most, from 1 to 100; 1\n";
static const char ALIKE[] = "row?      string  kind:id, or an id that one row alone has\n"
                            "text?     string  in place of it, a sentence\n"
                            "project?  string  of the text: id or alias; else all\n";
static const char CONTEXT[] = "task          string   what is to be done\n"
                              "tokens?       integer  so many at most, from 1 to 8000; 300\n"
                              "project?      string   id or alias\n"
                              "as_of?        string   what held then, of what was written by then\n"
                              "was_true_at?  string   what may have held then\n";
static const char ADD[] = DRY_RUN BY NOTES
    "supersedes?  string  the row of that layer that gives way to this one: its id, or kind:id\n"
    "policy?      ignore|warn|supersede|raise  what becomes of it where it meets others; warn\n";
static const char JUDGE[] =
    "dry_run?  boolean  tell what would change and store nothing\n"
    "pages?    boolean  with dry_run: tell the pages that would lose or gain a marker; takes as "
    "long as making them\n" BY;

static const char SWEEP[] =
    DRY_RUN BY "scope?  string  show only what concerns entity:ID, project:ID or era:ERA; all\n";

enum {
  READ = HM_API_READS,
  MUCH = HM_API_READS_MUCH,
  EDIT = HM_API_WRITES,
  MAKE = HM_API_WRITES | HM_API_CREATES,
  SHARE = HM_API_SHARES,
  ALONE = HM_API_ALONE,
  SAID = HM_API_WRITES | HM_API_REPEATABLE,
  SAID_ONCE = HM_API_WRITES,
  OWN = HM_API_OF_AGENTS,
  BARE = HM_API_WRITES | HM_API_BODY_OPTIONAL
};

/* Method, path, name, what it does;
 *   query, body, answer, flags, layer, function. */
static const hm_api_operation OPERATIONS[] = {
  { HM_GET, "/alike", "getAlike",
    "The rows about the same thing as a row or a text that no rule compared with it.", ALIKE, NULL,
    "#AlikeRows", MUCH, 0, hm_api_get_alike },
  { HM_GET, "/conflicts", "listConflicts", "Lists conflicts.", LIST, NULL, "#Conflicts", MUCH, 0,
    hm_api_list_conflicts },
  { HM_GET, "/conflicts/{id}", "getConflict", "One conflict with all of its members.", "", NULL,
    "#Conflict", READ, 0, hm_api_get_conflict },
  { HM_POST, "/conflicts/{id}/dismiss", "dismissConflict", "Says that it is not a conflict.", JUDGE,
    "#Dismiss", "#Verdict", EDIT, 0, hm_api_dismiss },
  { HM_GET, "/conflicts/{id}/explain", "explainConflict",
    "Why it is a conflict, derived from its rows again.", "", NULL, "#ConflictExplained", READ, 0,
    hm_api_explain_conflict },
  { HM_POST, "/conflicts/{id}/reopen", "reopenConflict", "Opens a settled conflict again.", JUDGE,
    "#Reopen", "#Verdict", EDIT, 0, hm_api_reopen },
  { HM_POST, "/conflicts/{id}/resolve", "resolveConflict", "Resolves an open conflict.", JUDGE,
    "#Resolve", "#Verdict", EDIT, 0, hm_api_resolve },
  { HM_GET, "/context", "getContext",
    "The facts that somebody should have for a task, as plain lines.", CONTEXT, NULL, "#Context",
    MUCH, 0, hm_api_get_context },
  { HM_POST, "/entities", "addEntity", "Adds an entity.", ADD, "#NewEntity", "#EntityWritten",
    MAKE | SHARE | OWN, HM_ENTITY, hm_api_add_row },
  { HM_PATCH, "/entities/{id}", "editEntity", "Changes an entity.", WRITE, "#EntityPatch",
    "#EntityWritten", EDIT | SHARE | OWN, HM_ENTITY, hm_api_edit_row },
  { HM_POST, "/entities/{id}/promote", "promoteEntity", "Makes a candidate active.", WRITE,
    "#Nothing", "#EntityWritten", BARE | SHARE, HM_ENTITY, hm_api_promote_row },
  { HM_GET, "/entities/{type}/{id}", "getEntity", "One entity.", "", NULL, "#EntityRow", READ,
    HM_ENTITY, hm_api_get_row },
  { HM_GET, "/evidence/{row}", "getEvidence", "What a row rests on.", DEPTH, NULL, "#Evidence",
    MUCH, 0, hm_api_get_evidence },
  { HM_GET, "/findings", "listFindings", "Lists findings, by a sweep that writes nothing.",
    FINDINGS, NULL, "#Findings", MUCH, 0, hm_api_list_findings },
  { HM_POST, "/findings/{id}/ack", "acknowledgeFinding",
    "Says that a finding is known: it is left out until its evidence changes.", SAY, "#Reason",
    "#Remark", SAID, 0, hm_api_ack },
  { HM_POST, "/findings/{id}/confirm", "confirmFinding",
    "Makes a conflict of memories that seem to say the same, or to deny each other.", SAY,
    "#Because", "#Confirmed", SAID, 0, hm_api_confirm },
  { HM_GET, "/findings/{id}/explain", "explainFinding", "Why a finding was found.", "", NULL,
    "#FindingExplained", MUCH, 0, hm_api_explain_finding },
  { HM_POST, "/findings/{id}/unack", "unacknowledgeFinding", "Takes that back.", SAY, "#Reason",
    "#Remark", SAID, 0, hm_api_unack },
  { HM_POST, "/flags/{row}", "flagRow", "Marks a row, kind:id, as suspicious.", SAY, "#Reason",
    "#Remark", SAID | OWN, 0, hm_api_flag },
  { HM_POST, "/flags/{row}/withdraw", "unflagRow", "Takes the flags of a row back.", SAY, "#Reason",
    "#Remark", EDIT, 0, hm_api_unflag },
  { HM_GET, "/health", "getHealth", "Whether somebody should look.", "", NULL, "#Health", MUCH, 0,
    hm_api_get_health },
  { HM_GET, "/impact/{row}", "getImpact", "What a change of a row touches.", DEPTH, NULL, "#Impact",
    MUCH, 0, hm_api_get_impact },
  { HM_POST, "/links", "linkRows", "Links a row with another.", WRITE, "#NewLink", "#LinkReport",
    SAID | OWN, 0, hm_api_link },
  { HM_POST, "/links/remove", "unlinkRows", "Takes links from a row to another away.", WRITE,
    "#NewLink", "#LinkReport", SAID | OWN, 0, hm_api_unlink },
  { HM_POST, "/memory", "addMemory", "Adds a memory.", ADD, "#NewMemory", "#MemoryWritten",
    MAKE | SHARE | OWN, HM_MEMORY, hm_api_add_row },
  { HM_GET, "/memory/{id}", "getMemory", "One memory.", "", NULL, "#MemoryRow", READ, HM_MEMORY,
    hm_api_get_row },
  { HM_PATCH, "/memory/{id}", "editMemory", "Changes a memory.", WRITE, "#MemoryPatch",
    "#MemoryWritten", EDIT | SHARE | OWN, HM_MEMORY, hm_api_edit_row },
  { HM_POST, "/memory/{id}/graduate", "graduateMemory", "Makes an entity of a memory.", WRITE,
    "#NewEntity", "#EntityWritten", MAKE | SHARE, HM_MEMORY, hm_api_graduate },
  { HM_POST, "/memory/{id}/promote", "promoteMemory", "Makes a candidate active.", WRITE,
    "#Nothing", "#MemoryWritten", BARE | SHARE, HM_MEMORY, hm_api_promote_row },
  { HM_GET, "/neighbors/{row}", "getNeighbors", "The rows that a row is linked with.", WALK, NULL,
    "#Neighbors", READ, 0, hm_api_get_neighbors },
  { HM_GET, "/openapi.json", "getOpenapi", "This document.", "", NULL, "any", 0, 0, NULL },
  { HM_GET, "/pairs", "listPairs",
    "Pairs about the same thing that nobody has judged yet, likeliest to contradict first.", PAIRS,
    NULL, "#Pairs", MUCH, 0, hm_api_list_pairs },
  { HM_POST, "/project/state", "addProjectState", "Adds a curated value.", ADD, "#NewProjectState",
    "#StateWritten", MAKE | SHARE, HM_STATE, hm_api_add_row },
  { HM_GET, "/project/state/{id}", "getProjectState", "One row of project state.", "", NULL,
    "#StateRow", READ, HM_STATE, hm_api_get_row },
  { HM_PATCH, "/project/state/{id}", "editProjectState", "Changes a curated value.", WRITE,
    "#ProjectStatePatch", "#StateWritten", EDIT | SHARE, HM_STATE, hm_api_edit_row },
  { HM_POST, "/project/state/{id}/promote", "promoteProjectState", "Makes a candidate active.",
    WRITE, "#Nothing", "#StateWritten", BARE | SHARE, HM_STATE, hm_api_promote_row },
  { HM_GET, "/projects", "listProjects", "The projects, and how many active rows each has.", "",
    NULL, "#Projects", MUCH, 0, hm_api_list_projects },
  { HM_GET, "/query/{name}", "getQuery",
    "Requirements that nothing satisfies, decisions on assumptions that fell, claims without "
    "support: `requirements`, `decisions`, `claims`.",
    "", NULL, "#Answer", MUCH, 0, hm_api_get_query },
  { HM_GET, "/recall", "recall", "Finds the memories, entities and states that answer a question.",
    RECALL, NULL, "#Recall", MUCH, 0, hm_api_recall },
  { HM_POST, "/reflections", "reflect",
    "Makes one memory of several episodic ones, which it supersedes.", WRITE, "#Reflection",
    "#Reflected", MAKE | ALONE, HM_MEMORY, hm_api_reflect },
  { HM_POST, "/relations", "addRelation", "Adds a relation between two entities.", ADD,
    "#NewRelation", "#RelationWritten", MAKE | SHARE | OWN, HM_RELATION, hm_api_add_row },
  { HM_GET, "/relations/{id}", "getRelation", "One relation, and what it contradicts.", "", NULL,
    "#RelationRow", READ, HM_RELATION, hm_api_get_row },
  { HM_PATCH, "/relations/{id}", "editRelation", "Changes a relation.", WRITE, "#RelationPatch",
    "#RelationWritten", EDIT | SHARE | OWN, HM_RELATION, hm_api_edit_row },
  { HM_POST, "/relations/{id}/promote", "promoteRelation", "Makes a candidate active.", WRITE,
    "#Nothing", "#RelationWritten", BARE | SHARE, HM_RELATION, hm_api_promote_row },
  { HM_POST, "/reports", "reportContradiction",
    "Says that rows contradict each other: a finding for a person to confirm or to dismiss.", SAY,
    "#NewReport", "#Reported", SAID_ONCE | OWN, 0, hm_api_report },
  { HM_POST, "/reports/deny", "notAContradiction",
    "Says that rows do not contradict each other: nobody is asked about them again.", SAY,
    "#NewDenial", "#Reported", SAID_ONCE | OWN, 0, hm_api_agree },
  { HM_POST, "/reports/withdraw", "withdrawReports",
    "Dismisses all open reports of one agent or person.", SAY, "#ReporterToDismiss",
    "#ReportsDismissed", SAID, 0, hm_api_withdraw },
  { HM_POST, "/restore/{row}", "restoreRow",
    "Brings a superseded row back, or a field that a verdict took out of it.", JUDGE, "#Restore",
    "#Verdict", BARE, 0, hm_api_restore },
  { HM_GET, "/rows", "listRows", "Lists rows; of candidates what each would contradict.", ROWS,
    NULL, "#Rows", MUCH, 0, hm_api_list_rows },
  { HM_GET, "/rows/{row}", "getRow", "One row of any kind, by kind:id, or an id.", "", NULL,
    "#AnyRow", READ, 0, hm_api_get_row_of_any_kind },
  { HM_GET, "/rules", "listRules", "The rules that find conflicts and findings.", "", NULL,
    "#Rules", READ, 0, hm_api_list_rules },
  { HM_GET, "/subgraph/{row}", "getSubgraph", "Rows around a row, and all links between them.",
    WALK, NULL, "#Subgraph", READ, 0, hm_api_get_subgraph },
  { HM_POST, "/supersede/{row}", "supersedeRow", "Makes a row give way to another of its layer.",
    JUDGE, "#Supersede", "#Verdict", EDIT, 0, hm_api_supersede },
  { HM_POST, "/sweeps", "sweep", "Runs all rules over the store and records what they find.", SWEEP,
    "#SweepOrder", "#Swept", BARE | HM_API_REPEATABLE | ALONE | OWN, 0, hm_api_sweep },
  { HM_GET, "/sweeps/latest", "getLatestSweep", "The last sweep that was recorded.", "", NULL,
    "#LatestSweep", READ, 0, hm_api_get_latest_sweep },
};
enum { N_OPERATIONS = HM_COUNT(OPERATIONS) };

const hm_api_operation *hm_api_operations(size_t *n) {
  *n = N_OPERATIONS;
  return OPERATIONS;
}

const hm_api_operation *hm_api_find_operation(hm_str name) {
  for (size_t i = 0; i < N_OPERATIONS; i++)
    if (hm_str_is(name, OPERATIONS[i].name))
      return &OPERATIONS[i];
  return NULL;
}
