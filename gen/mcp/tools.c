/* The table of tools: names and parameters of the specifications, on operations of the API; and the
 * list for a client: input schemas from this table, output schemas from the API's. */
#include "gen/mcp/mcp_impl.h"
#include <string.h>

/* --- the table, sorted as an agent meets them: asking, writing, conflicts, findings, rules ---- */

#define DRY_RUN "dry_run?  boolean  do everything and store nothing\n"
#define LIMIT "limit?   integer  how many at most, from 1 to 1000; 50\n"
#define CURSOR "cursor?  string   next of the answer before, for the page after it\n"
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

static const char RECALL[] =
    "query            string   words to look for\n"
    "k?               integer  at most; 5\n"
    "mode?            likeness|hybrid|semantic  hybrid\n"
    "type?            string   of this type only\n"
    "tag?             string   with this tag only\n" PROJECT
    "min_importance?  number   from 0 to 1\n"
    "as_of?           string   what held then, of what was written by then\n"
    "was_true_at?     string   what may have held then: 330, 3rd_age.year_330\n"
    "clock?           string   taken for now\n"
    "include_superseded?  boolean  superseded rows, too\n"
    "any?             boolean  also what does not fit\n"
    "weights?         string   likeness=0.55,lexical=0.2,recency=0.15,importance=0.1\n"
    "overfetch?       integer  times k rows looked at; 4\n"
    "expand?          [string] links and relations to follow, such as refines; *: all\n"
    "depth?           integer  links deep; 1\n"
    "cap?             integer  neighbors at most; 20\n";
static const char CONTEXT[] = "task          string   what you are about to do\n"
                              "tokens?       integer  at most; 300\n" PROJECT
                              "was_true_at?  string   what may have held then\n";
static const char REMEMBER[] =
    "text         string   what is so, as one plain sentence that stands alone\n"
    "type?        string   knowledge, preference, identity, project, episodic, adaptation or one "
    "of the store's; knowledge\n" PROJECT "tags?        [string]\n"
    "importance?  number   from 0 to 1\n"
    "polarity?    integer  1 it is so, -1 it is denied, 0 neither\n"
    "scope?       string   where it holds, such as git\n"
    "source?      string   where it comes from; the same as one source_refs\n" HOLDS
    "supersedes?  string   a memory that gives way to this one; needs --allow-verdicts\n" POLICY
        DRY_RUN;
static const char ADD_ENTITY[] =
    "type          string   Decision, Requirement, Parameter, Component or another that the store "
    "has\n"
    "name          string\n" PROJECT
    "properties?   object   its slot and values: of a Decision decision_target, decision_field, "
    "value\n"
    "description?  string\n" HOLDS
    "supersedes?   string   an entity that gives way to this one; needs --allow-verdicts\n" POLICY
        DRY_RUN;
static const char NEIGHBORS[] =
    "memory_id   string   the row: kind:id, or an id\n"
    "rel?        string   only links with these relations, with commas between\n"
    "direction?  out|in|both  both\n"
    "depth?      integer  so many links away, from 1 to 100; 1\n"
    "cap?        integer  so many rows at most, from 1 to 1000; 1000\n";
static const char LINK[] =
    "src_id   string  the row that it leads from: kind:id, or an id\n"
    "dst_id   string  the row that it leads to\n"
    "rel?     string  refines, example_of, contradicts, related, or any other; related\n" DRY_RUN;
static const char UNLINK[] =
    "src_id   string  the row that it leads from\n"
    "dst_id   string  the row that it leads to\n"
    "rel?     string  only this one; of all only with --allow-verdicts\n" DRY_RUN;
static const char LIST[] =
    "status?  open|resolved|dismissed|merged|all  open\n" PROJECT
    "source?  string   with a row of this source\n"
    "subject? string   that concern this: kind:id, an id, or a name\n" LIMIT CURSOR;
static const char CONTRADICTIONS[] =
    "subject?  string  that concern this: kind:id, an id, or a name\n" SEVERITY
    "source?   string  with a row of this source\n" PROJECT LIMIT CURSOR;
static const char ID[] = "id  string  of the conflict\n";
static const char CHECK[] =
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
    "entity?  string  about this row: kind:id, or an id\n" SEVERITY PROJECT LIMIT CURSOR;
static const char VIOLATIONS[] =
    "rule_id?  string  found by this rule, see list_ontology_rules\n" SEVERITY PROJECT LIMIT CURSOR;
static const char ORPHANS[] =
    "reason?  string  with this reason, as the finding has it\n"
    "entity?  string  about this row: kind:id, or an id\n" PROJECT LIMIT CURSOR;
static const char FLAG[] = "node_id  string  the row: kind:id, or an id\n"
                           "reason   string  what is suspicious\n" DRY_RUN;
static const char REPORT[] = "rows      [string]  the rows that you compared, kind:id\n"
                             "question  string    what a person should decide, in one sentence\n"
                             "why       string    what cannot both be true\n" DRY_RUN;
static const char REVIEW[] = PROJECT "source?  string   with a row of this agent or source\n"
                                     "limit?   integer  how many pairs, from 1 to 100; 1\n";
static const char DENY[] = "rows  [string]  the rows that you compared, kind:id\n"
                           "why   string    why both can be true\n" DRY_RUN;
static const char EXPLAIN[] = "node_id  string  id of a conflict or of a finding\n";
static const char SCOPE[] = "scope?  string  entity:ID, project:ID, era:ERA or all; all\n" DRY_RUN;

enum {
  READS = 0,
  WRITES = HM_TOOL_WRITES,
  AGAIN = HM_TOOL_WRITES | HM_TOOL_AGAIN_SAME,
  JUDGES = HM_TOOL_WRITES | HM_TOOL_JUDGES
};
#define PAGED "cursor=after"

/* Name, title, what it does;
 *   operation, takes, as, with, gives, flags. */
static const hm_tool TOOLS[] = {
  { "recall", "Recall",
    "The memories, entities, states and relations that answer a question, with their disputes and "
    "links. Tell your user when a hit is disputed.",
    "recall", RECALL, "", "", "#Recall", READS },
  { "context", "Context",
    "Facts for a task, as plain lines within a budget of tokens; disputed ones with their sides.",
    "getContext", CONTEXT, "", "", "#Context", READS },
  { "health", "Health", "How many conflicts are open and disputed, and when the last sweep ran.",
    "getHealth", "", "", "", "#Health", READS },
  { "remember", "Remember",
    "Stores a memory, whatever it contradicts, unless policy is raise. The answer says which "
    "conflicts it is in, and which it opened; what was read of it, or in unread why nothing was. "
    "Report them, do not settle them.",
    "addMemory", REMEMBER, "text=content type=memory_type", "", "#MemoryWritten", WRITES },
  { "add_entity", "Add an entity",
    "Stores a typed entity, such as a Decision. As remember, it is stored whatever it "
    "contradicts.",
    "addEntity", ADD_ENTITY, "type=entity_type", "", "#EntityWritten", WRITES },
  { "link", "Link", "Links a row with another. A link changes no row.", "linkRows", LINK,
    "src_id=src dst_id=dst", "", "#LinkReport", AGAIN },
  { "unlink", "Unlink",
    "Takes links away. Without --allow-verdicts only links that this agent drew, from memories "
    "that it wrote.",
    "unlinkRows", UNLINK, "src_id=src dst_id=dst", "", "#LinkReport", AGAIN },
  { "neighbors", "Neighbors", "The rows that a row is linked with, nearest first.", "getNeighbors",
    NEIGHBORS, "memory_id=row", "", "#Neighbors", READS },
  { "find_conflicts", "Find conflicts",
    "What a sentence would contradict, before it is stored (text), or what a stored row "
    "contradicts (memory_id). Give one of the two. Stores nothing. Where unread gives a reason, "
    "the text or row was not understood: no conflict does not mean that it is right.",
    NULL, CHECK, "text=content type=memory_type", "", "FoundConflicts", READS },
  { "list_conflicts", "List conflicts", "Conflicts with all their members, by slot.",
    "listConflicts", LIST, PAGED, "", "#Conflicts", READS },
  { "get_conflict", "Get a conflict", "One conflict with all of its members.", "getConflict", ID,
    "", "", "#Conflict", READS },
  { "explain_conflict", "Explain a conflict",
    "Why it is a conflict: rule, rows, values and the arithmetic between them, derived again.",
    "explainConflict", ID, "", "", "#ConflictExplained", READS },
  { "supersede", "Supersede", "Lets a row give way to another. The older one is kept as history.",
    "supersedeRow", SUPERSEDE, "old_id=row new_id=newer", "", "#Verdict", JUDGES },
  { "restore", "Restore", "Brings a superseded or invalid row back.", "restoreRow", RESTORE,
    "memory_id=row", "", "#Verdict", JUDGES },
  { "get_contradictions", "Contradictions",
    "Open conflicts, of a subject or of a source. Ask before you cite a source.", "listConflicts",
    CONTRADICTIONS, PAGED, "status=open", "#Conflicts", READS },
  { "get_anachronisms", "Anachronisms",
    "Claims that need somebody or something at a time at which it was not there.", "listFindings",
    ANACHRONISMS, PAGED " entity=row", "kind=anachronism", "#Findings", READS },
  { "get_ontology_violations", "Ontology violations", "What breaks a rule of the domain.",
    "listFindings", VIOLATIONS, PAGED " rule_id=rule", "kind=ontology_violation", "#Findings",
    READS },
  { "get_orphans", "Orphans",
    "Entities of which something is not recorded. Say that it is unknown; never make it up, and "
    "never say that there is none.",
    "listFindings", ORPHANS, PAGED " entity=row", "kind=orphan", "#Findings", READS },
  { "review_next", "Review next",
    "The next pair of rows about the same thing that nobody has judged, likeliest to contradict "
    "first. Read both; then report_contradiction or not_a_contradiction.",
    "listPairs", REVIEW, "", "", "#Pairs", READS },
  { "report_contradiction", "Report a contradiction",
    "Tells people that rows contradict each other where no rule saw it, such as one of `alike`. It "
    "becomes a finding beside both rows, with your name; a person confirms or dismisses it.",
    "reportContradiction", REPORT, "", "", "#Reported", WRITES },
  { "not_a_contradiction", "Not a contradiction",
    "Says that rows that look alike can all be true, so that you are not asked about them again. "
    "People see the pair later, with your word beside it.",
    "notAContradiction", DENY, "", "", "#Reported", WRITES },
  { "flag_for_review", "Flag for review", "Marks a row as suspicious, for a person to look at.",
    "flagRow", FLAG, "node_id=row", "", "#Remark", AGAIN },
  { "explain_violation", "Explain a violation",
    "Why a finding or conflict was found: rule, rows, times and sources.", NULL, EXPLAIN, "", "",
    "Explained", READS },
  { "run_consistency_check", "Run the consistency check",
    "Runs all rules, of a part of the store or of all, and records what they find. Run it over "
    "what you added when it introduces something new.",
    "sweep", SCOPE, "", "", "#Swept", AGAIN },
  { "latest_run", "Latest run",
    "The last consistency check. When it is more than a day old, or found much, say so with your "
    "answer.",
    "getLatestSweep", "", "", "", "#LatestSweep", READS },
  { "list_ontology_rules", "List rules",
    "The rules, built in and of this mirror. People add rules, as files.", "listRules", "", "", "",
    "#Rules", READS },
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

/* --- how the operation calls an argument ------------------------------------------------------ */

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

hm_str hm_tool_param_of_argument(const hm_tool *t, hm_str argument) {
  hm_str from, to;
  for (hm_str rest = hm_str_c(t->as); next_pair(&rest, &from, &to);)
    if (hm_str_eq(from, argument))
      return to;
  return argument;
}

hm_str hm_tool_argument_of_param(const hm_tool *t, hm_str called) {
  hm_str from, to;
  for (hm_str rest = hm_str_c(t->as); next_pair(&rest, &from, &to);)
    if (hm_str_eq(to, called))
      return from;
  return called;
}

size_t hm_tool_fixed_query(const hm_tool *t, hm_pair *out, size_t most) {
  size_t n = 0;
  for (hm_str rest = hm_str_c(t->with); n < most && next_pair(&rest, &out[n].name, &out[n].value);)
    n++;
  return n;
}

/* --- input schemas ---------------------------------------------------------------------------- */

static void write_fields(hm_jw *w, const char *table) {
  hm_shape_field f;
  hm_jw_str(w, "type", HM_STR("object"));
  hm_jw_obj(w, "properties");
  for (hm_str rest = hm_str_c(table); hm_shape_next_field(&rest, &f);) {
    char name[64] = { 0 };
    memcpy(name, f.name.p, f.name.n < sizeof name ? f.name.n : sizeof name - 1);
    hm_shape_write_type(w, name, f.type, f.about);
  }
  hm_jw_end(w);
  hm_jw_arr(w, "required");
  for (hm_str rest = hm_str_c(table); hm_shape_next_field(&rest, &f);)
    if (!f.optional)
      hm_jw_str(w, NULL, f.name);
  hm_jw_end(w);
  hm_jw_bool(w, "additionalProperties", false);
}

/* --- output schemas --------------------------------------------------------------------------- */

/* An output schema stands alone: what it refers to comes with it, under $defs. */

/* Answers that are made of several operations. */
static const struct {
  const char *name, *table;
} OWN[] = {
  { "Explained",
    "id         string\n"
    "lines      [string]   sentences: rule, expected and found, rows and sources\n"
    "findings?  [#Finding]  it, where it is a finding\n"
    "disputed?  boolean\n"
    "question?  string?\n"
    "arc?       [string]\n"
    "conflict?  #Conflict   it, where it is a conflict\n" },
  { "FoundConflicts",
    "row?       string?     the row that was asked about\n"
    "read?      [#ReadValue]  what was read of the text or row; empty: see unread\n"
    "unread?    string?     why nothing was read of it: then no conflict says nothing\n"
    "conflicts  [#Conflict]  that it is in, or would be\n"
    "findings   [#Finding]   about it\n"
    "alike?     [#AlikeRow]  rows about the same thing that no rule compared with it\n"
    "alike_advice?  string   what to do with them\n"
    "warnings   [string]     names that may be mistyped; live secrets\n" },
};

static const char REF[] = "#/components/schemas/";
static const char OWN_REF[] = "#/$defs/";

/* text with the references of the document turned to ours; needed: the names that it refers to. */
static hm_str rewrite_refs(hm_str text, hm_map *needed, hm_str *names, hm_arena *a) {
  hm_buf b = { 0 };
  size_t length = strlen(REF);
  for (ptrdiff_t at; (at = hm_str_find(text, REF)) >= 0;) {
    hm_buf_str(&b, hm_str_sub(text, 0, (size_t)at));
    hm_buf_c(&b, OWN_REF);
    text = hm_str_sub(text, (size_t)at + length, text.n);
    hm_str name = hm_str_sub(text, 0, (size_t)hm_str_find(text, "\""));
    uint32_t next = (uint32_t)needed->n;
    if (hm_map_add(needed, name, next) == next)
      names[next] = name;
  }
  hm_buf_str(&b, text);
  return hm_buf_take(&b, a);
}

static hm_str own_schema(const char *name, hm_arena *a) {
  hm_jw w;
  hm_buf b = { 0 };
  size_t i = 0;
  while (i + 1 < HM_COUNT(OWN) && strcmp(OWN[i].name, name))
    i++;
  hm_jw_init(&w, &b, 0);
  hm_jw_obj(&w, NULL);
  write_fields(&w, OWN[i].table);
  hm_jw_end(&w);
  return hm_buf_take(&b, a);
}

static hm_str output_schema(const hm_json *schemas, const char *gives, hm_arena *a) {
  hm_map needed;
  hm_jw w;
  hm_buf b = { 0 };
  hm_str *names = hm_alloc_array(a, schemas->count + 1, sizeof *names);
  hm_str root =
      *gives == '#' ? hm_json_as_text(hm_json_get(schemas, gives + 1), a) : own_schema(gives, a);
  hm_map_init(&needed, a, 16);
  hm_jw_init(&w, &b, 0);
  hm_jw_obj(&w, NULL);
  hm_jw_members(&w, rewrite_refs(root, &needed, names, a));
  hm_jw_obj(&w, "$defs");
  for (size_t i = 0; i < needed.n; i++) { /* it grows by what these refer to */
    const char *name = hm_str_z(a, names[i]);
    hm_str text = hm_json_as_text(hm_json_get(schemas, name), a);
    hm_jw_raw(&w, name, rewrite_refs(text, &needed, names, a));
  }
  hm_jw_end(&w);
  hm_jw_end(&w);
  return hm_buf_take(&b, a);
}

/* --- tools/list ---------------------------------------------------------------------- */

static void write_hints(hm_jw *w, const hm_tool *t) {
  bool writes = t->flags & HM_TOOL_WRITES;
  hm_jw_obj(w, "annotations");
  hm_jw_str(w, "title", hm_str_c(t->title));
  hm_jw_bool(w, "readOnlyHint", !writes);
  if (writes)
    hm_jw_bool(w, "destructiveHint", t->flags & HM_TOOL_JUDGES);
  hm_jw_bool(w, "idempotentHint", !writes || t->flags & HM_TOOL_AGAIN_SAME);
  hm_jw_bool(w, "openWorldHint", false);
  hm_jw_end(w);
}

hm_str hm_tools_json(const hm_json *document, const hm_mcp_options *opt, hm_arena *a) {
  size_t n;
  hm_jw w;
  hm_buf b = { 0 };
  const hm_tool *tools = hm_tools(&n);
  const hm_json *schemas = hm_json_get(hm_json_get(document, "components"), "schemas");
  hm_jw_init(&w, &b, 0);
  hm_jw_arr(&w, NULL);
  for (size_t i = 0; i < n; i++) {
    const hm_tool *t = &tools[i];
    bool refused = t->flags & HM_TOOL_JUDGES && !opt->may_judge;
    if (refused && !opt->all_tools)
      continue;
    hm_jw_obj(&w, NULL);
    hm_jw_str(&w, "name", hm_str_c(t->name));
    hm_jw_str(&w, "title", hm_str_c(t->title));
    hm_jw_str(
        &w, "description",
        HM_CAT(a, hm_str_c(t->about),
               hm_str_c(refused ? " Refused here: only people decide. Propose it to one." : "")));
    hm_jw_obj(&w, "inputSchema");
    write_fields(&w, t->takes);
    hm_jw_end(&w);
    if (opt->all_tools)
      hm_jw_raw(&w, "outputSchema", output_schema(schemas, t->gives, a));
    write_hints(&w, t);
    hm_jw_end(&w);
  }
  hm_jw_end(&w);
  return hm_buf_take(&b, a);
}
