/* The shapes of what goes in: bodies are checked by them. */
#include <string.h>

#include "core/store/record_edit.h"
#include "gen/api/api_impl.h"

static const char RESOLVE[] =
    "resolution_notes   string   why\n"
    "winner_member_id?  string?  a member that stands: its id, or kind:id\n"
    "winner_member_ids?  [string]  several that stand together, where several values may hold at "
    "once\n"
    "action?            supersede_opponents|supersede_others|no_action?  supersede_opponents: what "
    "contradicts the winner gives way (absent: this, where a winner is named); supersede_others: "
    "every other member does\n"
    "scope?             whole_row|field_only?  of a row that gives way and also says other things: "
    "needed where there is one\n"
    "link?              boolean  with no_action: link the sides as contradicts\n"
    "by?                string?  who decides; else the server's name for writers\n";
static const char REASON[] =
  "reason  string   why\n"
  "by?     string?  who decides; else the server's name for writers\n";
static const char SUPERSEDE[] =
  "newer   string   the row that stands: kind:id, or an id that one row alone has\n"
  "notes?  string?  why\n"
  "by?     string?  who decides; else the server's name for writers\n";
static const char RESTORE[] =
  "field?  string?  give an entity back only this, which a verdict took out of it\n"
  "notes?  string?  why\n"
  "by?     string?  who decides; else the server's name for writers\n";
static const char BECAUSE[] =
  "reason?  string?  why\n"
  "by?      string?  who decides; else the server's name for writers\n";
static const char NEW_LINK[] =
    "src   string   the row that it leads from: kind:id, or an id that one row alone has\n"
    "dst   string   the row that it leads to\n"
    "rel?  string?  refines, derived_from, example_of, contradicts, supersedes, related, or any "
    "other; absent: related, of a removal all\n";
static const char REFLECTION[] =
    "ids       [string]  the memories: kind:id, or an id that one row alone has\n"
    "text      string    what they come to\n"
    "type?     string?   memory_type of the summary; knowledge\n"
    "project?  string?   of the summary; that of the memories\n"
    "id?       string?   of the summary; made from it\n"
    "hard?     boolean   also take what the memories say out of the store; notes say why\n";
static const hm_api_shape BODIES[] = {
  { "Resolve", NULL, "How a conflict is resolved.", RESOLVE },
  { "Dismiss", NULL, "Why it is no conflict.", REASON },
  { "Reopen", NULL, "Why a verdict does not hold.", REASON },
  { "Reason", NULL, "Why somebody says so.", REASON },
  { "Because", NULL, "Why, where there is more to say.", BECAUSE },
  { "NewLink", NULL, "A link between two rows.", NEW_LINK },
  { "Reflection", NULL, "Memories, and what they come to.", REFLECTION },
  { "Restore", NULL, "What comes back, and why.", RESTORE },
  { "Supersede", NULL, "Which row stands, and why.", SUPERSEDE },
  { "Nothing", NULL, "No body is needed; an empty object will do.", "" },
};
enum { N_BODIES = HM_COUNT(BODIES) };

const hm_api_shape *hm_api_body_shape(const char *type) {
  for (size_t i = 0; i < N_BODIES; i++)
    if (strcmp(type + 1, BODIES[i].name) == 0) return &BODIES[i];
  return NULL;
}

void hm_api_body_schemas(hm_jw *w) {
  for (size_t i = 0; i < N_BODIES; i++) hm_shape_schema(w, &BODIES[i]);
}
