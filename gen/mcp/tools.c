/* The table of tools.
 *
 * First those that a client is shown: few, so that their list costs an agent little; routes lead
 * from them to the tools below, by the arguments. Then those with the names and parameters of the
 * specifications, one for an operation of the API, which a client may call, too. Last those that
 * only routes lead to. */
#include "gen/mcp/mcp_impl.h"
#include <string.h>

/* --- arguments -------------------------------------------------------------------------------- */

#define DRY_RUN "dry_run?  boolean  do everything and store nothing\n"
#define LIMIT "limit?   integer  how many at most, from 1 to 1000; 50\n"
#define SEVERITY "severity?  error|warn|info\n"
#define PROJECT "project?  string  id or alias\n"
#define POLICY                                                                                     \
  "policy?      ignore|warn|supersede|raise  where it meets rows that say the same or deny it: "   \
  "raise stores nothing and says what it met; supersede needs --allow-verdicts; warn\n"
#define HOLDS                                                                                      \
  "valid_from?   string  when it begins to hold: a date or time, 2026-04 will do\n"                \
  "valid_until?  string  when it ends to hold\n"                                                   \
  "confidence?   number  from 0 to 1\n"                                                            \
  "source_refs?  [string]  where it comes from\n"                                                  \
  "status?       active|candidate  active; a candidate claims nothing until a person promotes it\n"
#define CURSOR "cursor?  string   next of the answer before, for the rest of it\n"

static const char RECALL[] =
    "query          string   words to look for\n"
    "k?             integer  at most; 5\n"
    "type?          string   of this type only\n" PROJECT
    "as_of?         string   what held then, of what was written by then\n"
    "was_true_at?   string   what may have held then: 330, 3rd_age.year_330\n"
    "include_superseded?  boolean\n"
    "any?           boolean  also what does not fit\n";
static const char RECALL_MORE[] =
    "mode?            likeness|hybrid|semantic  hybrid\n"
    "tag?             string   with this tag only\n"
    "min_importance?  number   from 0 to 1\n"
    "clock?           string   taken for now\n"
    "weights?         string   likeness=0.55,lexical=0.2,recency=0.15,importance=0.1\n"
    "overfetch?       integer  times k rows looked at; 4\n"
    "expand?          [string] links and relations to follow, such as refines; *: all\n"
    "depth?           integer  links deep; 1\n"
    "cap?             integer  neighbors at most; 20\n";
static const char CONTEXT[] = "task          string   what you are about to do\n"
                              "tokens?       integer  at most; 300\n" PROJECT
                              "was_true_at?  string   what may have held then\n";
static const char GET[] = "row     string   kind:id, or an id\n"
                          "links?  boolean  in its place the rows that links and relations join to "
                          "it\n";
static const char LIST[] =
    "kind      memory|entity|project_state|relation|finding|orphan|anachronism|ontology_violation|"
    "rule|project\n"
    "status?   candidate|active|superseded|invalid|graduated|all  of rows; active\n"
    "about?    string   of findings: about this row\n" PROJECT LIMIT;
static const char CONFLICTS[] = "id?       string   this conflict or finding only\n"
                                "explain?  boolean  with id: why it was found\n"
                                "status?   open|resolved|dismissed|merged|all  open\n"
                                "subject?  string   that concern this: kind:id, an id, or a name\n"
                                "source?   string   with a row of this source\n" PROJECT LIMIT;
static const char CONFLICTS_MORE[] = SEVERITY;
static const char CHECK[] =
    "text?   string  a sentence that is not stored: what would it contradict?\n"
    "row?    string  a stored row: what does it contradict?\n"
    "scope?  string  entity:ID, project:ID, era:ERA or all: run the rules, and record what they "
    "find\n" PROJECT;
static const char CHECK_MORE[] = "type?       string  of the sentence, as for remember; knowledge\n"
                                 "threshold?  number  as of find_conflicts\n" DRY_RUN;
static const char REMEMBER[] =
    "text?         string   what is so, as one plain sentence that stands alone\n"
    "type?         string   of a memory knowledge, preference, identity, project, episodic or "
    "adaptation; of an entity Decision, Requirement, Component or another that the store has\n"
    "name?         string   of an entity, in place of text\n"
    "properties?   object   of an entity; of a Decision decision_target, decision_field, "
    "value\n" PROJECT "tags?         [string]\n"
    "source?       string   where it comes from\n"
    "valid_from?   string   when it begins to hold: a date or time, 2026-04 will do\n"
    "valid_until?  string   when it ends to hold\n"
    "status?       active|candidate  active; a candidate waits for a person\n";
static const char REMEMBER_MORE[] =
    "importance?   number   from 0 to 1\n"
    "polarity?     integer  1 it is so, -1 it is denied, 0 neither\n"
    "scope?        string   where it holds, such as git\n"
    "confidence?   number   from 0 to 1\n"
    "source_refs?  [string]  where it comes from\n"
    "description?  string   of an entity\n"
    "supersedes?   string   a row that gives way to this one; needs --allow-verdicts\n" POLICY
        DRY_RUN;
static const char ADD_ENTITY[] =
    "type          string   Decision, Requirement, Parameter, Component or another that the store "
    "has\n"
    "name          string\n" PROJECT
    "properties?   object   its slot and values: of a Decision decision_target, decision_field, "
    "value\n"
    "description?  string\n"
    "source?       string   where it comes from; the same as one source_refs\n" HOLDS
    "supersedes?   string   an entity that gives way to this one; needs --allow-verdicts\n" POLICY
        DRY_RUN;
static const char NEIGHBORS[] =
    "memory_id   string   the row: kind:id, or an id\n"
    "rel?        string   only links with these relations, with commas between\n"
    "direction?  out|in|both  both\n"
    "depth?      integer  so many links away, from 1 to 100; 1\n"
    "cap?        integer  so many rows at most, from 1 to 1000; 1000\n";
static const char EDIT[] =
    "row           string    one that you wrote: kind:id, or an id\n"
    "withdraw?     boolean   take it back; it stays as history\n"
    "text?         string    what it says from now on\n"
    "properties?   object    of an entity: those that change, null takes one out\n"
    "tags?         [string]\n"
    "valid_from?   string    when it begins to hold\n"
    "valid_until?  string    when it ends to hold\n"
    "why?          string    for people\n";
static const char EDIT_MORE[] = "description?  string    of an entity\n"
                                "source_refs?  [string]  where it comes from\n"
                                "confidence?   number    from 0 to 1\n"
                                "importance?   number    from 0 to 1\n" DRY_RUN;
static const char EDIT_ROW[] = "id            string\n"
                               "withdraw?     boolean\n"
                               "text?         string\n"
                               "properties?   object\n"
                               "tags?         [string]\n"
                               "valid_from?   string\n"
                               "valid_until?  string\n"
                               "why?          string\n"
                               "description?  string\n"
                               "source_refs?  [string]\n"
                               "confidence?   number\n"
                               "importance?   number\n" DRY_RUN;
static const char RELATE[] = "from          string  the entity that it leads from\n"
                             "type          string  such as PART_OF, KNOWS, RULED\n"
                             "to            string  the entity that it leads to\n" PROJECT
                             "valid_from?   string  when it begins to hold\n"
                             "valid_until?  string  when it ends to hold\n"
                             "source?       string  where it comes from\n";
static const char RELATE_MORE[] = "properties?   object    of it\n"
                                  "confidence?   number    from 0 to 1\n"
                                  "source_refs?  [string]  where it comes from\n"
                                  "status?       active|candidate  active\n" DRY_RUN;
static const char LINK[] =
    "src_id   string   the row that it leads from: kind:id, or an id\n"
    "dst_id   string   the row that it leads to\n"
    "rel?     string   refines, example_of, contradicts, related, or any other; related\n"
    "remove?  boolean  take a link away that you drew, from a row that you wrote\n";
static const char LINK_MORE[] = DRY_RUN;
static const char UNLINK[] =
    "src_id   string  the row that it leads from\n"
    "dst_id   string  the row that it leads to\n"
    "rel?     string  only this one; of all only with --allow-verdicts\n" DRY_RUN;
static const char LIST_CONFLICTS[] =
    "status?  open|resolved|dismissed|merged|all  open\n" PROJECT
    "source?  string   with a row of this source\n"
    "subject? string   that concern this: kind:id, an id, or a name\n" LIMIT;
static const char CONTRADICTIONS[] =
    "subject?  string  that concern this: kind:id, an id, or a name\n" SEVERITY
    "source?   string  with a row of this source\n" PROJECT LIMIT;
static const char ID[] = "id  string  of the conflict\n";
static const char FIND[] =
    "text?       string  a sentence that is not stored: what would it contradict?\n"
    "memory_id?  string  a row that is stored: kind:id, or the id of a memory\n"
    "type?       string  of the sentence, as for remember; knowledge\n"
    "threshold?  number  of texts that are alike only those with this cosine or more, from 0.80 to "
    "1; 0.80\n" PROJECT;
static const char SUPERSEDE[] = "old_id  string  the row that gives way: kind:id, or an id\n"
                                "new_id  string  the row that stands, of the same layer\n"
                                "notes?  string  why\n" DRY_RUN;
static const char RESTORE[] =
    "memory_id  string  the superseded or invalid row: kind:id, or an id\n"
    "field?     string  give an entity back only this, which a verdict took out\n"
    "notes?     string  why\n" DRY_RUN;
static const char ANACHRONISMS[] =
    "entity?  string  about this row: kind:id, or an id\n" SEVERITY PROJECT LIMIT;
static const char VIOLATIONS[] =
    "rule_id?  string  found by this rule, see list_ontology_rules\n" SEVERITY PROJECT LIMIT;
static const char ORPHANS[] = "reason?  string  with this reason, as the finding has it\n"
                              "entity?  string  about this row: kind:id, or an id\n" PROJECT LIMIT;
static const char FINDINGS[] = "row?  string  about this row: kind:id, or an id\n" PROJECT LIMIT;
static const char GET_ROW[] = "row  string\n";
static const char ROWS[] = "kind     string\n"
                           "status?  string\n" PROJECT LIMIT;
static const char FLAG[] = "node_id  string  the row: kind:id, or an id\n"
                           "reason   string  what is suspicious\n" DRY_RUN;
static const char REPORT[] =
    "rows       [string]  the rows that you compared, kind:id; of one row: that it looks wrong\n"
    "question?  string    of several: what a person should decide, in one sentence\n"
    "why        string    what cannot both be true, or what looks wrong\n";
static const char REPORT_MORE[] = DRY_RUN;
static const char REVIEW[] = PROJECT "source?  string   with a row of this agent or source\n"
                                     "limit?   integer  how many pairs, from 1 to 100; 1\n";
static const char DENY[] = "rows  [string]  the rows that you compared, kind:id\n"
                           "why   string    why both can be true\n";
static const char DENY_MORE[] = DRY_RUN;
static const char EXPLAIN[] = "node_id  string  id of a conflict or of a finding\n";
static const char SCOPE[] = "scope?  string  entity:ID, project:ID, era:ERA or all; all\n" DRY_RUN;

/* --- routes ----------------------------------------------------------------------------------- */

static const hm_tool_route GET_ROUTES[] = { { "links", "neighbors", "row=memory_id" },
                                            { "", "get_row", "" },
                                            { 0 } };
static const hm_tool_route LIST_ROUTES[] = {
  { "kind=finding", "list_findings", "about=row" },
  { "kind=orphan", "get_orphans", "about=entity" },
  { "kind=anachronism", "get_anachronisms", "about=entity" },
  { "kind=ontology_violation", "list_violations", "about=row" },
  { "kind=rule", "list_ontology_rules", "" },
  { "kind=project", "list_projects", "" },
  { "", "list_rows", "" },
  { 0 }
};
static const hm_tool_route CONFLICTS_ROUTES[] = { { "explain", "explain_violation", "id=node_id" },
                                                  { "id=f*", "explain_violation", "id=node_id" },
                                                  { "id", "get_conflict", "" },
                                                  { "severity", "get_contradictions", "" },
                                                  { "", "list_conflicts", "" },
                                                  { 0 } };
static const hm_tool_route CHECK_ROUTES[] = { { "scope", "run_consistency_check", "" },
                                              { "", "find_conflicts", "row=memory_id" },
                                              { 0 } };
static const hm_tool_route REMEMBER_ROUTES[] = { { "name", "add_entity", "" },
                                                 { "properties", "add_entity", "" },
                                                 { 0 } };
static const hm_tool_route EDIT_ROUTES[] = { { "row=memory:*", "edit_memory", "row=id" },
                                             { "row=entity:*", "edit_entity", "row=id" },
                                             { "row=relation:*", "edit_relation", "row=id" },
                                             { 0 } };
static const hm_tool_route LINK_ROUTES[] = { { "remove", "unlink", "" }, { 0 } };
static const hm_tool_route REPORT_ROUTES[] = {
  { "rows:1", "flag_for_review", "rows=node_id why=reason" }, { 0 }
};

/* --- the table, sorted as an agent meets them ------------------------------------------------- */

enum {
  SHOWN = HM_TOOL_SHOWN,
  READS = 0,
  WRITES = HM_TOOL_WRITES,
  AGAIN = HM_TOOL_WRITES | HM_TOOL_AGAIN_SAME,
  JUDGES = HM_TOOL_WRITES | HM_TOOL_JUDGES,
  INNER = HM_TOOL_INNER
};

/* Name, title, what it does;
 *   operation, takes, more, as, with, gives, routes, flags. */
static const hm_tool TOOLS[] = {
  { "recall", "Recall",
    "Rows that answer a question: memories, entities, curated states and relations, with whose "
    "word each is, since when, and its disputes. Tell your user when a hit is disputed.",
    "recall", RECALL, RECALL_MORE, "", "", "#Recall", NULL, SHOWN },
  { "context", "Context",
    "Facts for a task, as plain lines within a budget of tokens; disputed ones with their sides.",
    "getContext", CONTEXT, "", "", "", "#Context", NULL, SHOWN },
  { "get", "Get a row",
    "One row: its record, whose word it is, since when, what it was before, its disputes.", NULL,
    GET, "", "", "", NULL, GET_ROUTES, SHOWN },
  { "list", "List",
    "Rows by kind; findings; rules; projects. kind orphan lists what is not recorded: say that it "
    "is unknown, never make it up, and never say that there is none.",
    NULL, LIST, "", "", "", NULL, LIST_ROUTES, SHOWN },
  { "remember", "Remember",
    "Stores a memory (text) or an entity (type, name, properties), whatever it contradicts. The "
    "answer says which conflicts it is in, and which it opened; what was read of it, or in unread "
    "why nothing was. Report them, do not settle them.",
    "addMemory", REMEMBER, REMEMBER_MORE, "text=content type=memory_type", "", "#MemoryWritten",
    REMEMBER_ROUTES, SHOWN | WRITES },
  { "edit", "Edit your own row",
    "Changes a row that you wrote, or takes it back. What it said stays as history.", NULL, EDIT,
    EDIT_MORE, "", "", NULL, EDIT_ROUTES, SHOWN | WRITES | HM_TOOL_OWN },
  { "relate", "Relate",
    "Stores a relation between two entities, for a time where it holds for one. As remember, it is "
    "stored whatever it contradicts.",
    "addRelation", RELATE, RELATE_MORE, "", "", "#RelationWritten", NULL, SHOWN | WRITES },
  { "check", "Check",
    "What a sentence would contradict before it is stored (text), what a stored row contradicts "
    "(row), or what all rules find in a part of the store (scope). Give one of the three. Where "
    "unread gives a reason, no conflict does not mean that it is right.",
    NULL, CHECK, CHECK_MORE, "", "", NULL, CHECK_ROUTES, SHOWN | AGAIN },
  { "conflicts", "Conflicts",
    "Open conflicts with all their members, of a subject or of a source; or one, by its id. Ask "
    "before you cite a source.",
    NULL, CONFLICTS, CONFLICTS_MORE, "", "", NULL, CONFLICTS_ROUTES, SHOWN },
  { "report_contradiction", "Report a contradiction",
    "Tells people that rows contradict each other where no rule saw it, such as one of `alike`; or "
    "that a row looks wrong. It becomes a finding beside the rows, with your name; a person "
    "confirms or dismisses it.",
    "reportContradiction", REPORT, REPORT_MORE, "", "", "#Reported", REPORT_ROUTES,
    SHOWN | WRITES },
  { "not_a_contradiction", "Not a contradiction",
    "Says that rows that look alike can all be true, so that you are not asked about them again. "
    "People see the pair later, with your word beside it.",
    "notAContradiction", DENY, DENY_MORE, "", "", "#Reported", NULL, SHOWN | WRITES },
  { "review_next", "Review next",
    "The next pair of rows about the same thing that nobody has judged, likeliest to contradict "
    "first. Read both; then report_contradiction or not_a_contradiction.",
    "listPairs", REVIEW, "", "", "", "#Pairs", NULL, SHOWN },
  { "link", "Link", "Links a row with another, or takes a link away. A link changes no row.",
    "linkRows", LINK, LINK_MORE, "src_id=src dst_id=dst", "", "#LinkReport", LINK_ROUTES,
    SHOWN | AGAIN },
  { "health", "Health",
    "How many conflicts are open and disputed, what was compared, and when the last check ran "
    "(last_run). When that is more than a day old, or found much, say so with your answer.",
    "getHealth", "", "", "", "", "#Health", NULL, SHOWN },
  { "supersede", "Supersede", "Lets a row give way to another. The older one is kept as history.",
    "supersedeRow", SUPERSEDE, "", "old_id=row new_id=newer", "", "#Verdict", NULL,
    SHOWN | JUDGES },
  { "restore", "Restore", "Brings a superseded or invalid row back.", "restoreRow", RESTORE, "",
    "memory_id=row", "", "#Verdict", NULL, SHOWN | JUDGES },
  { "add_entity", "Add an entity",
    "Stores a typed entity, such as a Decision. As remember, it is stored whatever it "
    "contradicts.",
    "addEntity", ADD_ENTITY, "", "type=entity_type", "", "#EntityWritten", NULL, WRITES },
  { "unlink", "Unlink",
    "Takes links away. Without --allow-verdicts only links that this agent drew, from memories "
    "that it wrote.",
    "unlinkRows", UNLINK, "", "src_id=src dst_id=dst", "", "#LinkReport", NULL, AGAIN },
  { "neighbors", "Neighbors", "The rows that links and relations join to a row, nearest first.",
    "getNeighbors", NEIGHBORS, "", "memory_id=row", "", "#Neighbors", NULL, READS },
  { "find_conflicts", "Find conflicts",
    "What a sentence would contradict, before it is stored (text), or what a stored row "
    "contradicts (memory_id). Give one of the two. Stores nothing.",
    NULL, FIND, "", "text=content type=memory_type", "", "FoundConflicts", NULL, READS },
  { "list_conflicts", "List conflicts", "Conflicts with all their members, by slot.",
    "listConflicts", LIST_CONFLICTS, "", "", "", "#Conflicts", NULL, READS },
  { "get_conflict", "Get a conflict", "One conflict with all of its members.", "getConflict", ID,
    "", "", "", "#Conflict", NULL, READS },
  { "explain_conflict", "Explain a conflict",
    "Why it is a conflict: rule, rows, values and the arithmetic between them, derived again.",
    "explainConflict", ID, "", "", "", "#ConflictExplained", NULL, READS },
  { "get_contradictions", "Contradictions", "Open conflicts, of a subject or of a source.",
    "listConflicts", CONTRADICTIONS, "", "", "status=open", "#Conflicts", NULL, READS },
  { "get_anachronisms", "Anachronisms",
    "Claims that need somebody or something at a time at which it was not there.", "listFindings",
    ANACHRONISMS, "", "entity=row", "kind=anachronism", "#Findings", NULL, READS },
  { "get_ontology_violations", "Ontology violations", "What breaks a rule of the domain.",
    "listFindings", VIOLATIONS, "", "rule_id=rule", "kind=ontology_violation", "#Findings", NULL,
    READS },
  { "get_orphans", "Orphans", "Entities of which something is not recorded.", "listFindings",
    ORPHANS, "", "entity=row", "kind=orphan", "#Findings", NULL, READS },
  { "flag_for_review", "Flag for review", "Marks a row as suspicious, for a person to look at.",
    "flagRow", FLAG, "", "node_id=row", "", "#Remark", NULL, AGAIN },
  { "explain_violation", "Explain a violation",
    "Why a finding or conflict was found: rule, rows, times and sources.", NULL, EXPLAIN, "", "",
    "", "Explained", NULL, READS },
  { "run_consistency_check", "Run the consistency check",
    "Runs all rules, of a part of the store or of all, and records what they find.", "sweep", SCOPE,
    "", "", "", "#Swept", NULL, AGAIN },
  { "latest_run", "Latest run", "The last consistency check.", "getLatestSweep", "", "", "", "",
    "#LatestSweep", NULL, READS },
  { "list_ontology_rules", "List rules",
    "The rules, built in and of this mirror. People add rules, as files.", "listRules", "", "", "",
    "", "#Rules", NULL, READS },
  { "edit_memory", "", "", "editMemory", EDIT_ROW, "", "text=content why=notes", "",
    "#MemoryWritten", NULL, INNER | WRITES | HM_TOOL_OWN },
  { "edit_entity", "", "", "editEntity", EDIT_ROW, "", "why=notes", "", "#EntityWritten", NULL,
    INNER | WRITES | HM_TOOL_OWN },
  { "edit_relation", "", "", "editRelation", EDIT_ROW, "", "why=notes", "", "#RelationWritten",
    NULL, INNER | WRITES | HM_TOOL_OWN },
  { "get_row", "", "", "getRow", GET_ROW, "", "", "", "#AnyRow", NULL, INNER },
  { "list_rows", "", "", "listRows", ROWS, "", "", "", "#Rows", NULL, INNER },
  { "list_findings", "", "", "listFindings", FINDINGS, "", "", "", "#Findings", NULL, INNER },
  { "list_projects", "", "", "listProjects", "", "", "", "", "#Projects", NULL, INNER },
  { "list_violations", "", "", "listFindings", FINDINGS, "", "", "kind=ontology_violation",
    "#Findings", NULL, INNER },
};

const hm_tool *hm_tools(size_t *n) {
  *n = HM_COUNT(TOOLS);
  return TOOLS;
}

const hm_tool *hm_find_tool(hm_str name) {
  for (size_t i = 0; i < HM_COUNT(TOOLS); i++)
    if (hm_str_is(name, TOOLS[i].name))
      return &TOOLS[i];
  return NULL;
}

const char *hm_tool_table(const hm_tool *t, hm_arena *a) {
  return hm_str_fmt(a, "%s%s%s", t->takes, t->more, t->flags & HM_TOOL_WRITES ? "" : CURSOR).p;
}

/* --- other names of arguments ----------------------------------------------------------------- */

/* Takes "a=b" off the text. */
static bool next_pair(hm_str *rest, hm_str *from, hm_str *to) {
  if (!rest->n)
    return false;
  ptrdiff_t end = hm_str_find(*rest, " ");
  hm_str one = hm_str_sub(*rest, 0, end < 0 ? rest->n : (size_t)end);
  size_t equals = (size_t)hm_str_find(one, "=");
  *from = hm_str_sub(one, 0, equals);
  *to = hm_str_sub(one, equals + 1, one.n);
  *rest = hm_str_sub(*rest, end < 0 ? rest->n : one.n + 1, rest->n);
  return true;
}

hm_str hm_tool_renamed(const char *as, hm_str name) {
  hm_str from, to;
  for (hm_str rest = hm_str_c(as); next_pair(&rest, &from, &to);)
    if (hm_str_eq(from, name))
      return to;
  return name;
}

hm_str hm_tool_renamed_back(const char *as, hm_str name) {
  hm_str from, to;
  for (hm_str rest = hm_str_c(as); next_pair(&rest, &from, &to);)
    if (hm_str_eq(to, name))
      return from;
  return name;
}

size_t hm_tool_fixed_query(const hm_tool *t, hm_pair *out, size_t most) {
  size_t n = 0;
  for (hm_str rest = hm_str_c(t->with); n < most && next_pair(&rest, &out[n].name, &out[n].value);)
    n++;
  return n;
}
